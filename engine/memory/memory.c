#include "engine/memory/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The only state of the program that no struct holds: there is one heap, too. */
static _Atomic(void *) reserve;
static atomic_bool is_short;

/* --- the reserve ------------------------------------------------------------------------------ */

bool memory_fill_reserve(void)
{
    if (atomic_load(&reserve) == NULL) {
        void *taken = mmap(NULL, MEMORY_RESERVE_BYTES, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (taken == MAP_FAILED)
            return false;
        void *nothing = NULL;
        if (!atomic_compare_exchange_strong(&reserve, &nothing, taken))
            munmap(taken, MEMORY_RESERVE_BYTES);
    }
    atomic_store(&is_short, false);
    return true;
}

static bool give_up(void)
{
    void *given = atomic_exchange(&reserve, NULL);
    if (given == NULL)
        return false;
    atomic_store(&is_short, true);
    munmap(given, MEMORY_RESERVE_BYTES);
    return true;
}

bool memory_is_short(void)
{
    return atomic_load(&is_short);
}

/* --- asking ----------------------------------------------------------------------------------- */

/* Without memory of its own: the line is written as it is. */
_Noreturn void memory_end_process(size_t bytes)
{
    char line[160];
    int length =
        snprintf(line, sizeof line,
                 "{\"level\":\"error\",\"fact\":\"out_of_memory\",\"bytes\":%zu}\n", bytes);
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        _exit(MEMORY_EXIT);
    _exit(MEMORY_EXIT);
}

/* A second thread may find the reserve just given up by a first one: then it is there for both. */
static void *ask_again(void *old, size_t bytes)
{
    give_up();
    void *piece = realloc(old, bytes);
    if (piece == NULL)
        memory_end_process(bytes);
    return piece;
}

static size_t product(size_t count, size_t size)
{
    if (count > SIZE_MAX / 2 / size)
        memory_end_process(SIZE_MAX);
    return count == 0 ? size : count * size;
}

void *memory_bytes(size_t bytes)
{
    return memory_resize(NULL, bytes, 1);
}

void *memory_zeroed(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *piece = calloc(1, bytes);
    return piece != NULL ? piece : memset(ask_again(NULL, bytes), 0, bytes);
}

void *memory_resize(void *old, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *piece = realloc(old, bytes);
    return piece != NULL ? piece : ask_again(old, bytes);
}

char *memory_text(const char *text)
{
    if (text == NULL)
        return NULL;
    size_t bytes = strlen(text) + 1;
    char *copy = memory_bytes(bytes);
    memcpy(copy, text, bytes);
    return copy;
}

FILE *memory_stream(char **text, size_t *length)
{
    FILE *stream = open_memstream(text, length);
    if (stream == NULL && give_up())
        stream = open_memstream(text, length);
    if (stream == NULL)
        memory_end_process(BUFSIZ);
    return stream;
}

void *memory_for_library(size_t bytes)
{
    void *piece = malloc(bytes);
    return piece == NULL && bytes > 0 && give_up() ? malloc(bytes) : piece;
}
