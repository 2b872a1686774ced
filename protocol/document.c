#include "protocol/document.h"

#include "engine/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS_ON_STACK = 16 };

static int compare_keys(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static void write_members(struct writer *writer, json_t *object)
{
    const char *key = NULL;
    json_t *member = NULL;
    json_object_foreach(object, key, member)
    {
        writer_key(writer, key);
        document_write(writer, member, DOCUMENT_AS_IT_CAME);
    }
}

static void write_sorted_members(struct writer *writer, json_t *object)
{
    const char *on_stack[KEYS_ON_STACK];
    const char **keys = on_stack;
    const char *key = NULL;
    json_t *member = NULL;
    size_t size = json_object_size(object), count = 0;
    bool sorted = true;
    if (size > KEYS_ON_STACK)
        keys = memory_bytes(size * sizeof *keys);
    json_object_foreach(object, key, member)
    {
        sorted = sorted && (count == 0 || strcmp(keys[count - 1], key) < 0);
        keys[count++] = key;
    }
    if (!sorted)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++) {
        writer_key(writer, keys[i]);
        document_write(writer, json_object_get(object, keys[i]), DOCUMENT_SORTED);
    }
    if (keys != on_stack)
        free(keys);
}

static void write_object(struct writer *writer, json_t *object, enum document_keys keys)
{
    writer_object(writer);
    if (keys == DOCUMENT_SORTED)
        write_sorted_members(writer, object);
    else
        write_members(writer, object);
    writer_end(writer);
}

static void write_array(struct writer *writer, const json_t *array, enum document_keys keys)
{
    size_t index = 0;
    json_t *element = NULL;
    writer_array(writer);
    json_array_foreach(array, index, element)
    {
        document_write(writer, element, keys);
    }
    writer_end(writer);
}

void document_write(struct writer *writer, json_t *value, enum document_keys keys)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        write_object(writer, value, keys);
        return;
    case JSON_ARRAY:
        write_array(writer, value, keys);
        return;
    case JSON_STRING:
        writer_string_bytes(writer, json_string_value(value), json_string_length(value));
        return;
    case JSON_INTEGER:
        writer_integer(writer, json_integer_value(value));
        return;
    case JSON_REAL:
        writer_number(writer, json_real_value(value));
        return;
    case JSON_TRUE:
    case JSON_FALSE:
        writer_boolean(writer, json_is_true(value));
        return;
    case JSON_NULL:
        writer_null(writer);
        return;
    }
}
