/* Columns of a batch as parameters: PostgreSQL's arrays in their binary form, so nothing has to be escaped here or parsed
 * there. */
#ifndef SERVER_STORE_POSTGRES_ARRAYS_H
#define SERVER_STORE_POSTGRES_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct postgres_array {
    unsigned char *bytes; /* owned */
    size_t length, room;
    bool failed; /* out of memory: it stays so, and nothing more is added */
};

/* What the elements are: the types' numbers, which never change. */
enum postgres_element { POSTGRES_INT8 = 20, POSTGRES_TEXT = 25 };

/* An array of `count` elements, to be added one by one. */
void postgres_array_begin(struct postgres_array *array, enum postgres_element element, int count);
void postgres_array_add_text(struct postgres_array *array, const char *text);
void postgres_array_add_number(struct postgres_array *array, int64_t number);
void postgres_array_release(struct postgres_array *array);

#endif
