#include "server/pictures/svg_text.h"

#include <stdlib.h>
#include <string.h>

bool svg_text_init(struct svg_text *text, size_t size)
{
    *text = (struct svg_text){.bytes = malloc(size + 1), .size = size};
    if (text->bytes != NULL)
        text->bytes[0] = '\0';
    return text->bytes != NULL;
}

void svg_text_release(struct svg_text *text)
{
    free(text->bytes);
    *text = (struct svg_text){.bytes = NULL};
}

void svg_text_add(struct svg_text *text, const char *bytes, size_t length)
{
    if (text->full || length > text->size - text->length) {
        text->full = true;
        return;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void svg_text_put(struct svg_text *text, const char *words)
{
    svg_text_add(text, words, strlen(words));
}

/* A carriage return would be read as a line's end. */
static const char *escape_of(char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\r':
        return "&#13;";
    default:
        return NULL;
    }
}

void svg_text_escape(struct svg_text *text, const char *bytes, size_t length)
{
    size_t begin = 0;
    for (size_t i = 0; i < length; i++) {
        const char *escape = escape_of(bytes[i]);
        if (escape == NULL)
            continue;
        svg_text_add(text, bytes + begin, i - begin);
        svg_text_put(text, escape);
        begin = i + 1;
    }
    svg_text_add(text, bytes + begin, length - begin);
}
