#include "protocol/depth.h"

/* The index of the quotation mark that ends the string begun just before `at`, or `length`. */
static size_t string_end(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return at < length ? at : length;
}

bool depth_within(const char *text, size_t length, int depth_max)
{
    int depth = 0;
    for (size_t at = 0; at < length; at++) {
        char byte = text[at];
        if (byte == '"')
            at = string_end(text, length, at + 1);
        else if (byte == '{' || byte == '[')
            depth++;
        else if (byte == '}' || byte == ']')
            depth--;
        if (depth > depth_max)
            return false;
    }
    return true;
}
