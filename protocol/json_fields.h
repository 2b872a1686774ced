/* One field of an untrusted message: read, held against its bounds, refused in words. The first fault ends the reading.
 * Private to protocol/json*.c. */
#ifndef PROTOCOL_JSON_FIELDS_H
#define PROTOCOL_JSON_FIELDS_H

#include "protocol/message.h"

#include <jansson.h>

/* What a field's reader works on. */
struct json_reading {
    json_t *root;
    struct message *message;
    struct message_fault *fault;
};

#define JSON_EXACT_MAX INT64_C(9007199254740991) /* 2^53 - 1, as in JavaScript */

/* Always false, so that a reader can end with `return json_fail(…)`. */
bool json_fail(struct json_reading *reading, const char *format, ...);

struct text json_text_of(const json_t *string);
/* Whether it may be a command's id; an absent one may not. */
bool json_is_id(struct text text);
/* The row of `words` that `text` is, or -1. */
int json_find_word(struct text text, const char *const *words, int count);

/* A string wherever it stands; `path` is its name in a refusal. */
bool json_read_bounded(struct json_reading *reading, const char *path, const json_t *value,
                       size_t bytes_min, size_t bytes_max, struct text *text);
/* A string the command must have. */
bool json_read_text(struct json_reading *reading, const char *name, size_t bytes_max,
                    struct text *text);
/* A string the command may have; it may be empty only where `bytes_min` is 0. */
bool json_read_optional_text(struct json_reading *reading, const char *name, size_t bytes_min,
                             size_t bytes_max, struct text *text);
/* One of a few words. Absent: what `index` is already, unless that is -1. */
bool json_read_word(struct json_reading *reading, const char *name, const char *const *words,
                    int count, int *index);
bool json_read_integer(struct json_reading *reading, const char *name, int64_t minimum,
                       int64_t maximum, int64_t *value);
/* Absent: false. */
bool json_read_truth(struct json_reading *reading, const char *name, bool *truth);
/* A cell, by its name or its coordinates. */
bool json_read_place(struct json_reading *reading, const char *path, json_t *value,
                     struct place *place);

#endif
