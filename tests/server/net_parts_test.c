/* The parts of the network folder that need no socket: outbox, admission, addresses, UTF-8. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/address.h"
#include "server/net/admission.h"
#include "server/net/outbox.h"
#include "server/net/utf8.h"

/* --- outbox --------------------------------------------------------------------------------------------------------- */

static bool put(struct outbox *outbox, const char *text, uint64_t key)
{
    struct frame *frame = frame_new(text, strlen(text));
    frame->replace_key = key;
    bool taken = outbox_put(outbox, frame);
    frame_release(frame);
    return taken;
}

/* The payloads of what is taken out, each followed by a bar. */
static const char *take_all(struct outbox *outbox)
{
    static char text[8192];
    unsigned char bytes[8192];
    size_t length = outbox_take(outbox, bytes, sizeof bytes), used = 0;
    for (size_t at = 0; at < length;) {
        size_t part = bytes[at + 1];
        assert_int_equal(bytes[at], 0x81);
        memcpy(text + used, bytes + at + 2, part);
        used += part;
        text[used++] = '|';
        at += 2 + part;
    }
    text[used] = '\0';
    return text;
}

static void frames_come_out_in_the_order_they_went_in(void **state)
{
    struct outbox outbox;
    (void)state;
    outbox_init(&outbox);
    put(&outbox, "a", 0), put(&outbox, "b", 0), put(&outbox, "c", 0);
    assert_string_equal(take_all(&outbox), "a|b|c|");
    assert_true(outbox_empty(&outbox));
    assert_int_equal(outbox.bytes, 0);
    outbox_release(&outbox);
}

static void a_newer_frame_takes_the_place_of_the_older_with_its_key(void **state)
{
    struct outbox outbox;
    (void)state;
    outbox_init(&outbox);
    put(&outbox, "presence 1", 5), put(&outbox, "event", 0), put(&outbox, "lobby", 6);
    put(&outbox, "presence 22", 5);
    assert_int_equal(outbox.count, 3);
    assert_string_equal(take_all(&outbox), "presence 22|event|lobby|");
    put(&outbox, "presence 3", 5);
    assert_string_equal(take_all(&outbox), "presence 3|");
    outbox_release(&outbox);
}

/* However few bytes are asked for at a time. */
static void frames_may_come_out_as_lines(void **state)
{
    (void)state;
    for (size_t size = 1; size < 16; size++) {
        struct outbox outbox;
        unsigned char bytes[64];
        size_t length = 0, part;
        outbox_init_for_lines(&outbox);
        put(&outbox, "one", 0), put(&outbox, "", 0), put(&outbox, "three", 0), put(&outbox, "4", 0);
        assert_int_equal(outbox.bytes, 13);
        while ((part = outbox_take(&outbox, bytes + length, size)) > 0)
            length += part;
        assert_int_equal(length, 13);
        assert_memory_equal(bytes, "one\n\nthree\n4\n", 13);
        assert_int_equal(outbox.bytes, 0);
        put(&outbox, "more", 0);
        assert_int_equal(outbox_take(&outbox, bytes, sizeof bytes), 5);
        outbox_release(&outbox);
    }
}

static void a_frame_whose_first_byte_is_out_is_not_replaced(void **state)
{
    struct outbox outbox;
    unsigned char bytes[64];
    (void)state;
    outbox_init(&outbox);
    put(&outbox, "presence 1", 5);
    assert_int_equal(outbox_take(&outbox, bytes, 4), 4);
    put(&outbox, "presence 2", 5);
    assert_int_equal(outbox.count, 2);
    assert_int_equal(outbox_take(&outbox, bytes, sizeof bytes), 8 + 12);
    assert_memory_equal(bytes, "esence 1\x81\x0apresence 2", 20);
    outbox_release(&outbox);
}

static void the_outbox_is_bounded_in_number(void **state)
{
    struct outbox outbox;
    (void)state;
    outbox_init(&outbox);
    for (int i = 0; i < OUTBOX_FRAMES_MAX; i++)
        assert_true(put(&outbox, "x", i == 9 ? 1 : 0));
    assert_false(put(&outbox, "x", 0));
    assert_true(put(&outbox, "y", 1)); /* takes no place of its own */
    assert_int_equal(outbox.count, OUTBOX_FRAMES_MAX);
    outbox_release(&outbox);
}

static void the_outbox_is_bounded_in_bytes_but_takes_one_large_frame(void **state)
{
    struct outbox outbox;
    char *large = calloc(1, OUTBOX_BYTES_MAX + 100);
    (void)state;
    memset(large, 'l', OUTBOX_BYTES_MAX + 99);
    outbox_init(&outbox);
    assert_true(put(&outbox, large, 0));
    assert_false(put(&outbox, "x", 0));
    outbox_release(&outbox);
    assert_true(put(&outbox, "x", 0));
    assert_false(put(&outbox, large, 0));
    outbox_release(&outbox);
    free(large);
}

static void whatever_the_sizes_of_puts_and_takes_the_bytes_are_the_same(void **state)
{
    struct outbox outbox;
    uint64_t seed = 17;
    unsigned char *in = malloc(4000000), *out = malloc(4000000);
    size_t in_length = 0, out_length = 0;
    (void)state;
    outbox_init(&outbox);
    for (int step = 0; step < 20000; step++) {
        char text[301];
        size_t length = test_random(&seed) % 300;
        for (size_t i = 0; i < length; i++)
            text[i] = (char)('a' + test_random(&seed) % 26);
        struct frame *frame = frame_new(text, length);
        size_t whole = frame->header_length + length;
        if (in_length + whole < 4000000 && outbox_put(&outbox, frame)) {
            memcpy(in + in_length, frame->bytes, whole);
            in_length += whole;
        }
        frame_release(frame);
        out_length += outbox_take(&outbox, out + out_length, test_random(&seed) % 330);
        assert_int_equal(in_length - out_length, outbox.bytes);
    }
    out_length += outbox_take(&outbox, out + out_length, in_length - out_length);
    assert_int_equal(out_length, in_length);
    assert_memory_equal(out, in, in_length);
    assert_true(in_length > 1000000);
    outbox_release(&outbox);
    free(in);
    free(out);
}

/* --- admission ------------------------------------------------------------------------------------------------------ */

static struct address address(const char *text)
{
    struct address value;
    assert_true(address_read(text, &value));
    return address_group(&value);
}

static void an_address_has_so_many_connections_and_no_more(void **state)
{
    struct admission *admission = admission_new(2, 100);
    struct address ada = address("203.0.113.7"), ben = address("203.0.113.8");
    (void)state;
    assert_int_equal(admission_enter(admission, &ada, 0), ADMISSION_OK);
    assert_int_equal(admission_enter(admission, &ada, 0), ADMISSION_OK);
    assert_int_equal(admission_enter(admission, &ada, 0), ADMISSION_TOO_MANY);
    assert_int_equal(admission_enter(admission, &ben, 0), ADMISSION_OK);
    admission_leave(admission, &ada);
    assert_int_equal(admission_enter(admission, &ada, 0), ADMISSION_OK);
    admission_free(admission);
}

static void new_connections_are_counted_by_the_second(void **state)
{
    struct admission *admission = admission_new(1000, 10);
    struct address ada = address("203.0.113.7");
    int taken = 0;
    (void)state;
    for (int i = 0; i < 100; i++)
        taken += admission_enter(admission, &ada, 5000) == ADMISSION_OK;
    assert_int_equal(taken, 20); /* two seconds' worth at once */
    assert_int_equal(admission_enter(admission, &ada, 5050), ADMISSION_TOO_FAST);
    assert_int_equal(admission_enter(admission, &ada, 5100), ADMISSION_OK);
    assert_int_equal(admission_enter(admission, &ada, 5100), ADMISSION_TOO_FAST);
    admission_free(admission);
}

static void addresses_nobody_comes_from_are_forgotten(void **state)
{
    struct admission *admission = admission_new(10, 10);
    (void)state;
    for (int i = 0; i < 5000; i++) {
        char text[32];
        snprintf(text, sizeof text, "10.1.%d.%d", i / 250, i % 250);
        struct address one = address(text);
        assert_int_equal(admission_enter(admission, &one, (uint64_t)i * 10), ADMISSION_OK);
        if (i % 10 != 0)
            admission_leave(admission, &one);
    }
    /* 500 still connected, and those whose bucket is not full or that wait for the next sweep. */
    assert_in_range(admission_entry_count(admission), 500, 500 + 1024 + 20);
    admission_free(admission);
}

static void neighbours_in_a_64_bit_network_are_one_address(void **state)
{
    struct admission *admission = admission_new(1, 10);
    struct address one = address("2001:db8:1:2::1"), two = address("2001:db8:1:2:ffff::2"),
                   other = address("2001:db8:1:3::1");
    (void)state;
    assert_int_equal(admission_enter(admission, &one, 0), ADMISSION_OK);
    assert_int_equal(admission_enter(admission, &two, 0), ADMISSION_TOO_MANY);
    assert_int_equal(admission_enter(admission, &other, 0), ADMISSION_OK);
    admission_free(admission);
}

/* --- addresses ------------------------------------------------------------------------------------------------------ */

struct address_row {
    const char *text;
    bool valid, loopback, is_private;
};

/* clang-format off */
static const struct address_row address_rows[] = {
    {"127.0.0.1",        true,  true,  false},
    {"127.9.9.9:1234",   true,  true,  false},
    {"::1",              true,  true,  false},
    {"[::1]:80",         true,  true,  false},
    {"::ffff:127.0.0.1", true,  true,  false},
    {"10.0.0.1",         true,  false, true},
    {"172.16.0.1",       true,  false, true},
    {"172.32.0.1",       true,  false, false},
    {"192.168.3.4",      true,  false, true},
    {"192.169.3.4",      true,  false, false},
    {"fd00::1",          true,  false, true},
    {"fe80::1",          true,  false, true},
    {"2001:db8::1",      true,  false, false},
    {"203.0.113.7",      true,  false, false},
    {"",                 false, false, false},
    {"unknown",          false, false, false},
    {"1.2.3",            false, false, false},
    {"[::1",             false, false, false},
    {"1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20.21.22.23.24.25.26", false, false, false},
};
/* clang-format on */

static void addresses_are_read_and_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof address_rows / sizeof *address_rows; i++) {
        const struct address_row *row = &address_rows[i];
        struct address value;
        bool valid = address_read(row->text, &value);
        if (valid != row->valid || (valid && (address_is_loopback(&value) != row->loopback ||
                                              address_is_private(&value) != row->is_private)))
            fail_msg("%s", row->text);
    }
}

/* --- UTF-8 ---------------------------------------------------------------------------------------------------------- */

struct text_row {
    const char *text;
    bool valid;
};

/* clang-format off */
static const struct text_row text_rows[] = {
    {"",                          true},
    {"plain ASCII, longer than a word", true},
    {"\x7f",                      true},
    {"\xc2\x80",                  true},
    {"\xdf\xbf",                  true},
    {"\xe0\xa0\x80",              true},
    {"\xed\x9f\xbf",              true},
    {"\xee\x80\x80",              true},
    {"\xf0\x90\x80\x80",          true},
    {"\xf4\x8f\xbf\xbf",          true},
    {"1234567\xe2\x99\x9e" "12345678", true},
    {"\x80",                      false},
    {"\xc1\xbf",                  false}, /* overlong */
    {"\xe0\x9f\xbf",              false}, /* overlong */
    {"\xf0\x8f\xbf\xbf",          false}, /* overlong */
    {"\xed\xa0\x80",              false}, /* a surrogate */
    {"\xf4\x90\x80\x80",          false}, /* above U+10FFFF */
    {"\xf5\x80\x80\x80",          false},
    {"\xc2",                      false}, /* cut off */
    {"\xe2\x99",                  false},
    {"\xf0\x9f\x99",              false},
    {"\xe2\x28\xa1",              false},
    {"\xe2\x99\x28",              false},
    {"12345678\xff",              false},
};
/* clang-format on */

static void text_is_utf8_or_it_is_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof text_rows / sizeof *text_rows; i++)
        if (utf8_valid(text_rows[i].text, strlen(text_rows[i].text)) != text_rows[i].valid)
            fail_msg("row %zu", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_out_in_the_order_they_went_in),
        cmocka_unit_test(frames_may_come_out_as_lines),
        cmocka_unit_test(a_newer_frame_takes_the_place_of_the_older_with_its_key),
        cmocka_unit_test(a_frame_whose_first_byte_is_out_is_not_replaced),
        cmocka_unit_test(the_outbox_is_bounded_in_number),
        cmocka_unit_test(the_outbox_is_bounded_in_bytes_but_takes_one_large_frame),
        cmocka_unit_test(whatever_the_sizes_of_puts_and_takes_the_bytes_are_the_same),
        cmocka_unit_test(an_address_has_so_many_connections_and_no_more),
        cmocka_unit_test(new_connections_are_counted_by_the_second),
        cmocka_unit_test(addresses_nobody_comes_from_are_forgotten),
        cmocka_unit_test(neighbours_in_a_64_bit_network_are_one_address),
        cmocka_unit_test(addresses_are_read_and_known),
        cmocka_unit_test(text_is_utf8_or_it_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
