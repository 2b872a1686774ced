/* The policy for memory that is not there: the reserve first, then the end with one line. */
#include "engine/memory/memory.h"

#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* So many of the next calls fail; -1: all of them. */
static int failing;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *piece, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *piece, size_t size);

static bool fails(void)
{
    if (failing > 0)
        failing--;
    else if (failing == 0)
        return false;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *piece, size_t size)
{
    return fails() ? NULL : __real_realloc(piece, size);
}

static void *zeroed(void)
{
    return memory_zeroed(3, 5);
}

static void *bytes(void)
{
    return memory_bytes(15);
}

static void *resized(void)
{
    return memory_resize(NULL, 3, 5);
}

static void *text(void)
{
    return memory_text("fourteen bytes");
}

static void *stream(void)
{
    static char *written;
    static size_t length;
    FILE *out = memory_stream(&written, &length);
    fputs("fourteen bytes", out);
    fclose(out);
    return written;
}

static void *for_library(void)
{
    return memory_for_library(15);
}

static void *(*const ways[])(void) = {zeroed, bytes, resized, text, stream, for_library};
enum { WAYS = sizeof ways / sizeof *ways };

static void the_reserve_is_given_up_first(void **state)
{
    (void)state;
    for (int i = 0; i < WAYS; i++) {
        assert_true(memory_fill_reserve());
        assert_false(memory_is_short());
        /* open_memstream takes its memory inside the C library, where it does not fail here. */
        failing = ways[i] == stream ? 0 : 1;
        void *piece = ways[i]();
        assert_non_null(piece);
        assert_int_equal(failing, 0);
        assert_int_equal(memory_is_short(), ways[i] != stream);
        if (ways[i] == zeroed)
            assert_memory_equal(piece, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 15);
        free(piece);
    }
}

/* How a process ends that finds no memory, and what it says on standard error. */
static int end_of(void *(*way)(void), char *said, size_t size)
{
    int pipes[2], status = 0;
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(pipes[1], STDERR_FILENO);
        memory_fill_reserve();
        failing = -1;
        way();
        _exit(0);
    }
    close(pipes[1]);
    ssize_t length = read(pipes[0], said, size - 1);
    said[length > 0 ? length : 0] = '\0';
    close(pipes[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void then_the_process_ends_with_one_line(void **state)
{
    (void)state;
    char said[256];
    for (int i = 0; i < WAYS; i++) {
        if (ways[i] == stream)
            continue;
        bool may_say_no = ways[i] == for_library;
        assert_int_equal(end_of(ways[i], said, sizeof said), may_say_no ? 0 : MEMORY_EXIT);
        assert_string_equal(
            said,
            may_say_no ? "" : "{\"level\":\"error\",\"fact\":\"out_of_memory\",\"bytes\":15}\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reserve_is_given_up_first),
        cmocka_unit_test(then_the_process_ends_with_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
