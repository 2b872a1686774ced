#include "server/chess_mate/body.h"

#include <jansson.h>
#include <stdlib.h>

#include "engine/memory/memory.h"
#include "protocol/depth.h"
#include "protocol/writer.h"

enum { DEPTH_MAX = 32 };

static char *take_text(struct writer *writer)
{
    size_t length;
    writer_text(writer);
    char *text = writer_take(writer, &length);
    char *ended = memory_resize(text, length + 1, 1);
    ended[length] = '\0';
    return ended;
}

char *body_quote(const char *text)
{
    struct writer writer;
    writer_init(&writer);
    writer_string(&writer, text);
    return take_text(&writer);
}

/* What JavaScript takes for nothing: null, false, 0, "". */
static bool is_nothing(const json_t *value)
{
    return value == NULL || json_is_null(value) || json_is_false(value) ||
           (json_is_number(value) && json_number_value(value) == 0) ||
           (json_is_string(value) && json_string_length(value) == 0);
}

/* Spaces around a header's value are none of it. */
static bool fits_a_header(const char *id, size_t length)
{
    if (length > BODY_ID_BYTES_MAX || id[0] == ' ' || id[length - 1] == ' ')
        return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)id[i] < ' ' || id[i] == 0x7f)
            return false;
    return true;
}

/* A number is its text, as the header would carry it. */
static enum body_answer take_id(const json_t *value, char **id, char **id_json)
{
    if (is_nothing(value))
        return BODY_NO_ID;
    if (json_is_object(value) || json_is_array(value))
        return BODY_STRANGE_ID;
    if (json_is_string(value)) {
        if (!fits_a_header(json_string_value(value), json_string_length(value)))
            return BODY_STRANGE_ID;
        *id = memory_text(json_string_value(value));
        *id_json = body_quote(json_string_value(value));
        return BODY_OK;
    }
    struct writer writer;
    writer_init(&writer);
    if (json_is_true(value))
        writer_boolean(&writer, true);
    else if (json_is_integer(value))
        writer_integer(&writer, json_integer_value(value));
    else
        writer_number(&writer, json_real_value(value));
    *id = take_text(&writer);
    *id_json = memory_text(*id);
    return BODY_OK;
}

enum body_answer body_read_id(const char *body, size_t length, char **id, char **id_json)
{
    *id = *id_json = NULL;
    if (length == 0)
        return BODY_NO_ID;
    json_t *value = depth_within(body, length, DEPTH_MAX)
                        ? json_loadb(body, length, JSON_ALLOW_NUL, NULL)
                        : NULL;
    if (value == NULL)
        return BODY_MALFORMED;
    enum body_answer answer = BODY_NO_ID;
    if (json_is_object(value))
        answer = take_id(json_object_get(value, "browser_id"), id, id_json);
    json_decref(value);
    return answer;
}
