/* Talks with `senet engine`: lines in, one answer a line out. */
#ifndef TESTS_ENGINE_TALK_H
#define TESTS_ENGINE_TALK_H

#include <jansson.h>
#include <stddef.h>

/* Everything the engine answers about a game to these lines, one line each; in new memory. */
char *talk(const char *path, const char *lines, size_t length);
/* The n-th answer, as a value of the caller's. */
json_t *talk_answer(const char *answers, int n);
/* The string at answer.first.second; NULL: there is none. */
const char *talk_text(json_t *answer, const char *first, const char *second);
void talk_assert_refused(const char *answers, int n, const char *code);

#endif
