/* A message as the broker carries it: a subject, and a row of values each of which says its length, "5:hello,".
 *
 *     senet.<database>.room.<id>     1 · node · version · at · kind · client · command · body
 *     senet.<database>.here.<id>     1 · node · spectators · seats · client · at
 *     senet.<database>.lobby.<id>    1 · node · status · made at · row
 *     senet.<database>.seek.<id>     1 · node · kind · version · client · command · body
 *     senet.<database>.node.<id>     1 · node · state · release · load
 *
 * The first value is the format's; another one is not read. Values behind those are left for newer servers to add. */
#ifndef SERVER_BUS_WIRE_H
#define SERVER_BUS_WIRE_H

#include "server/bus/bus.h"

enum {
    WIRE_SUBJECT_BYTES = 3 * BUS_NAME_BYTES,
    WIRE_BYTES_MAX = BUS_BODY_BYTES_MAX + 8 * BUS_WORD_BYTES,
};

/* The database's and all its servers' subjects begin so: "senet.<database>." */
void wire_prefix(char prefix[WIRE_SUBJECT_BYTES], const char *database);
/* False: a name or a word is too long, or no name. `bytes` has room for WIRE_BYTES_MAX; a body that is too long is left out. */
bool wire_write(const struct bus_message *message, const char *prefix, const char *node,
                char subject[WIRE_SUBJECT_BYTES], char *bytes, size_t *length);
/* `rest`: the subject behind the prefix. The texts of `message` lie in `rest` and in `bytes`, which is written to. False: no
 * message of ours. */
bool wire_read(struct bus_message *message, const char *rest, char *bytes, size_t length);

#endif
