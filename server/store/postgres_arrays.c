#include "server/store/postgres_arrays.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 4096, NUMBER_LENGTH = 8 };

static unsigned char *take(struct postgres_array *array, size_t length)
{
    if (array->failed)
        return NULL;
    if (array->length + length > array->room) {
        size_t room = array->room == 0 ? ROOM_FIRST : array->room;
        while (room < array->length + length)
            room *= 2;
        unsigned char *bytes = realloc(array->bytes, room);
        array->failed = bytes == NULL;
        if (array->failed)
            return NULL;
        array->bytes = bytes;
        array->room = room;
    }
    unsigned char *taken = array->bytes + array->length;
    array->length += length;
    return taken;
}

/* As the wire wants it, the highest byte first. */
static void add_whole(struct postgres_array *array, uint64_t value, size_t length)
{
    unsigned char *bytes = take(array, length);
    for (size_t i = 0; bytes != NULL && i < length; i++)
        bytes[i] = (unsigned char)(value >> (8 * (length - 1 - i)));
}

void postgres_array_begin(struct postgres_array *array, enum postgres_element element, int count)
{
    *array = (struct postgres_array){0};
    add_whole(array, 1, 4); /* dimensions */
    add_whole(array, 0, 4); /* no NULLs */
    add_whole(array, (uint64_t)element, 4);
    add_whole(array, (uint64_t)count, 4);
    add_whole(array, 1, 4); /* the first one's number */
}

void postgres_array_add_text(struct postgres_array *array, const char *text)
{
    size_t length = strlen(text);
    add_whole(array, length, 4);
    unsigned char *bytes = take(array, length);
    if (bytes != NULL)
        // NOLINTNEXTLINE(bugprone-not-null-terminated-result): its length stands before it
        memcpy(bytes, text, length);
}

void postgres_array_add_number(struct postgres_array *array, int64_t number)
{
    add_whole(array, NUMBER_LENGTH, 4);
    add_whole(array, (uint64_t)number, NUMBER_LENGTH);
}

void postgres_array_release(struct postgres_array *array)
{
    free(array->bytes);
    *array = (struct postgres_array){0};
}
