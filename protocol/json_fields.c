#include "protocol/json_fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool json_fail(struct json_reading *reading, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reading->fault->words, sizeof reading->fault->words, format, arguments);
    va_end(arguments);
    return false;
}

/* Control characters: those of ASCII, and U+0080 to U+009F. The text is known to be UTF-8. */
static bool has_control(struct text text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (byte < 0x20 || byte == 0x7f)
            return true;
        if (byte == 0xc2 && (unsigned char)text.data[i + 1] < 0xa0)
            return true;
    }
    return false;
}

struct text json_text_of(const json_t *string)
{
    return (struct text){json_string_value(string), json_string_length(string)};
}

static bool is_id_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '-' || byte == '.' || byte == ':';
}

bool json_is_id(struct text text)
{
    if (text.data == NULL || text.length < 1 || text.length > COMMAND_ID_BYTES_MAX)
        return false;
    for (size_t i = 0; i < text.length; i++)
        if (!is_id_byte(text.data[i]))
            return false;
    return true;
}

static bool text_is(struct text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.data, word, text.length) == 0;
}

int json_find_word(struct text text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++) {
        if (text_is(text, words[i]))
            return i;
    }
    return -1;
}

bool json_read_bounded(struct json_reading *reading, const char *path, const json_t *value,
                       size_t bytes_min, size_t bytes_max, struct text *text)
{
    if (!json_is_string(value))
        return json_fail(reading, "%s must be a string", path);
    *text = json_text_of(value);
    if (text->length < bytes_min)
        return json_fail(reading, "%s must not be empty", path);
    if (text->length > bytes_max)
        return json_fail(reading, "%s must be at most %zu bytes", path, bytes_max);
    if (has_control(*text))
        return json_fail(reading, "%s must not contain control characters", path);
    return true;
}

bool json_read_text(struct json_reading *reading, const char *name, size_t bytes_max,
                    struct text *text)
{
    const json_t *value = json_object_get(reading->root, name);
    if (value == NULL)
        return json_fail(reading, "%s is missing", name);
    return json_read_bounded(reading, name, value, 1, bytes_max, text);
}

bool json_read_optional_text(struct json_reading *reading, const char *name, size_t bytes_min,
                             size_t bytes_max, struct text *text)
{
    const json_t *value = json_object_get(reading->root, name);
    if (value == NULL)
        return true;
    return json_read_bounded(reading, name, value, bytes_min, bytes_max, text);
}

bool json_read_word(struct json_reading *reading, const char *name, const char *const *words,
                    int count, int *index)
{
    const json_t *value = json_object_get(reading->root, name);
    if (value == NULL && *index >= 0)
        return true;
    struct text text = {NULL, 0};
    if (!json_read_text(reading, name, MESSAGE_BYTES_MAX, &text))
        return false;
    *index = json_find_word(text, words, count);
    if (*index < 0)
        return json_fail(reading, "%s is not one of the words it may be", name);
    return true;
}

bool json_read_integer(struct json_reading *reading, const char *name, int64_t minimum,
                       int64_t maximum, int64_t *value)
{
    const json_t *number = json_object_get(reading->root, name);
    if (number == NULL)
        return json_fail(reading, "%s is missing", name);
    if (!json_is_integer(number))
        return json_fail(reading, "%s must be an integer", name);
    *value = json_integer_value(number);
    if (*value < minimum || *value > maximum)
        return json_fail(reading, "%s must be from %lld to %lld", name, (long long)minimum,
                         (long long)maximum);
    return true;
}

bool json_read_truth(struct json_reading *reading, const char *name, bool *truth)
{
    const json_t *value = json_object_get(reading->root, name);
    *truth = json_is_true(value);
    return value == NULL || json_is_boolean(value) ||
           json_fail(reading, "%s must be true or false", name);
}

static bool read_coordinates(struct json_reading *reading, const char *path, json_t *object,
                             struct place *place)
{
    const char *name = NULL;
    json_t *value = NULL;
    if (json_object_size(object) < 1 || json_object_size(object) > PLACE_DIMENSIONS_MAX)
        return json_fail(reading, "%s must have from 1 to %d coordinates", path,
                         (int)PLACE_DIMENSIONS_MAX);
    json_object_foreach(object, name, value)
    {
        size_t length = strlen(name);
        if (length < 1 || length > WORD_BYTES_MAX)
            return json_fail(reading, "%s: a coordinate's name must be from 1 to %d bytes", path,
                             (int)WORD_BYTES_MAX);
        if (!json_is_integer(value))
            return json_fail(reading, "%s: a coordinate must be an integer", path);
        json_int_t number = json_integer_value(value);
        if (number < -COORDINATE_ABSOLUTE_MAX || number > COORDINATE_ABSOLUTE_MAX)
            return json_fail(reading, "%s: a coordinate must be from -%d to %d", path,
                             (int)COORDINATE_ABSOLUTE_MAX, (int)COORDINATE_ABSOLUTE_MAX);
        int index = place->coordinate_count++;
        place->coordinates[index].name = (struct text){name, length};
        place->coordinates[index].value = (int)number;
    }
    return true;
}

bool json_read_place(struct json_reading *reading, const char *path, json_t *value,
                     struct place *place)
{
    place->name = (struct text){NULL, 0};
    place->coordinate_count = 0;
    if (value == NULL)
        return json_fail(reading, "%s is missing", path);
    if (json_is_object(value))
        return read_coordinates(reading, path, value, place);
    if (!json_is_string(value))
        return json_fail(reading, "%s must be a cell's name or an object of coordinates", path);
    return json_read_bounded(reading, path, value, 1, WORD_BYTES_MAX, &place->name);
}
