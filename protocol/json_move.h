/* The plainest form of the commonest command, read in one pass over its bytes and without a document:
 *
 *     {"type":"move","id":"c7","room":"k3v9x2ab","version":12,"move":{"from":"e2","to":"e4"}}
 *
 * Members in any order, spaces where JSON has them, `version` and `choice` or not; strings of printable ASCII without
 * escapes, and nothing else. It only ever admits: what is not of this form, or may not be admitted, is left to json.c,
 * which has the words for it. Of what both read they say the same (tests/protocol, tests/fuzz). Private to
 * protocol/json*.c. */
#ifndef PROTOCOL_JSON_MOVE_H
#define PROTOCOL_JSON_MOVE_H

#include "protocol/message.h"

/* False: it has to be read the long way, and `message`, which was all zeros, is so again. */
bool json_move_read(const char *text, size_t length, struct message *message);

#endif
