/* How deep a JSON text is nested, before anybody parses it: the parser recurses, and its own bound
 * is far too generous. Counts brackets outside strings; whether they match is the parser's
 * question. */
#ifndef PROTOCOL_DEPTH_H
#define PROTOCOL_DEPTH_H

#include <stdbool.h>
#include <stddef.h>

bool depth_within(const char *text, size_t length, int depth_max);

#endif
