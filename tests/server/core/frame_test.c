/* Frames begin as RFC 6455 says, for each of the three lengths. */
#include "server/core/frame.h"

#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *name;
    size_t length;
    uint32_t header_length;
    unsigned char header[10];
} rows[] = {
    {"an empty text", 0, 2, {0x81, 0}},
    {"the longest short text", 125, 2, {0x81, 125}},
    {"the shortest text with two bytes of length", 126, 4, {0x81, 126, 0, 126}},
    {"the longest text with two bytes of length", 65535, 4, {0x81, 126, 0xff, 0xff}},
    {"the shortest text with eight bytes of length",
     65536,
     10,
     {0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0}},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    char *text = calloc(1, row->length + 1);
    memset(text, 'x', row->length);
    struct frame *frame = frame_new(text, row->length);
    assert_int_equal(frame->header_length, row->header_length);
    assert_memory_equal(frame->bytes, row->header, row->header_length);
    assert_int_equal(frame->payload_length, row->length);
    assert_memory_equal(frame_payload(frame), text, row->length);
    assert_ptr_equal(frame_retain(frame), frame);
    frame_release(frame);
    assert_int_equal(frame->references, 1);
    frame_release(frame);
    free(text);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){
            .name = rows[i].name, .test_func = check_row, .initial_state = (void *)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
