/* Everything a test includes first: cmocka with the headers it insists on, and the few helpers all
 * tests share. */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>

/* The exit status that means "skipped" to the test runner. */
enum { TEST_SKIPPED = 77 };

/* Reads a whole file into new memory ending in zero; NULL when it cannot be read. `length` may be
 * NULL. */
char *test_read_file(const char *path, size_t *length);

/* The path of a file in the shared data folder (SENET_SHARED, or ../shared beside the repository),
 * in new memory; NULL where that file is absent, and then the test says so and is skipped. */
char *test_shared_path(const char *relative);

/* A small generator for tests, the same everywhere for one seed (splitmix64). */
uint64_t test_random(uint64_t *state);

#endif
