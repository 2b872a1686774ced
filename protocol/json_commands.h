/* The commands: each has one function that reads its fields. Private to protocol/json*.c. */
#ifndef PROTOCOL_JSON_COMMANDS_H
#define PROTOCOL_JSON_COMMANDS_H

#include "protocol/json_fields.h"

/* False: a field is wrong, and the fault says which. */
typedef bool json_read_fields(struct json_reading *reading);

json_read_fields *json_fields_reader(enum message_kind kind);

#endif
