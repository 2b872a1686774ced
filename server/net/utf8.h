/* Is this UTF-8, as RFC 3629 has it: no surrogates, nothing overlong, nothing above U+10FFFF? */
#ifndef SERVER_NET_UTF8_H
#define SERVER_NET_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool utf8_valid(const char *text, size_t length);
/* Each byte of Latin-1 as the character it is; false, and an empty text, when it does not fit with its zero. */
bool utf8_from_latin1(const char *latin1, char *text, size_t size);

#endif
