#include "tests/support/test.h"

#include "protocol/writer.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_NUMBERS = 20000, LONG_TEXT_BYTES = 100000 };

static void the_commas_are_the_writers_affair(void **state)
{
    (void)state;
    struct writer writer;
    writer_init(&writer);
    writer_object(&writer);
    writer_key(&writer, "a"), writer_integer(&writer, 1);
    writer_key(&writer, "b"), writer_array(&writer);
    writer_end(&writer);
    writer_key(&writer, "c"), writer_array(&writer);
    writer_boolean(&writer, true);
    writer_object(&writer);
    writer_end(&writer);
    writer_object(&writer);
    writer_key_bytes(&writer, "dxx", 1), writer_null(&writer);
    writer_key(&writer, "e"), writer_raw(&writer, "[1, 2]", 6);
    writer_end(&writer);
    writer_boolean(&writer, false);
    writer_end(&writer);
    writer_key(&writer, ""), writer_string_bytes(&writer, "textual", 4);
    writer_end(&writer);
    assert_string_equal(writer_text(&writer),
                        "{\"a\":1,\"b\":[],\"c\":[true,{},{\"d\":null,\"e\":[1, 2]},false],"
                        "\"\":\"text\"}");
    writer_release(&writer);
}

static void the_deepest_nesting_still_has_its_commas(void **state)
{
    (void)state;
    struct writer writer;
    char expected[4 * WRITER_DEPTH_MAX + 1] = "";
    writer_init(&writer);
    for (int i = 0; i < WRITER_DEPTH_MAX; i++) {
        writer_array(&writer);
        writer_integer(&writer, 7);
        strcat(expected, i == 0 ? "[7" : ",[7");
    }
    for (int i = 0; i < WRITER_DEPTH_MAX; i++) {
        writer_end(&writer);
        strcat(expected, "]");
    }
    assert_string_equal(writer_text(&writer), expected);
    writer_release(&writer);
}

static const char *quoted(struct writer *writer, const char *text, size_t length)
{
    writer_clear(writer);
    writer_string_bytes(writer, text, length);
    return writer_text(writer);
}

static void strings_are_escaped_as_javascript_escapes_them(void **state)
{
    (void)state;
    /* JSON.stringify of U+0000 to U+001F, in order. */
    static const char *const controls[] = {
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
        "\\b",     "\\t",     "\\n",     "\\u000b", "\\f",     "\\r",     "\\u000e", "\\u000f",
        "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017",
        "\\u0018", "\\u0019", "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f"};
    struct writer writer;
    writer_init(&writer);
    for (int code = 0; code < 256; code++) {
        char byte = (char)code;
        char expected[16] = "\"";
        if (code < 32)
            strcat(expected, controls[code]);
        else if (byte == '"' || byte == '\\')
            strcat(strcat(expected, "\\"), byte == '"' ? "\"" : "\\");
        else
            strncat(expected, &byte, 1);
        strcat(expected, "\"");
        assert_string_equal(quoted(&writer, &byte, 1), expected);
    }
    assert_string_equal(quoted(&writer, "a\"b\\c/d\x7f\n\n", 10), "\"a\\\"b\\\\c/d\x7f\\n\\n\"");
    assert_string_equal(quoted(&writer, "\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80", 9),
                        "\"\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80\"");
    writer_clear(&writer);
    writer_object(&writer);
    writer_key(&writer, "a\"\n"), writer_string(&writer, "");
    writer_end(&writer);
    assert_string_equal(writer_text(&writer), "{\"a\\\"\\n\":\"\"}");
    writer_release(&writer);
}

static void long_texts_make_the_buffer_grow(void **state)
{
    (void)state;
    struct writer writer;
    char *text = malloc(LONG_TEXT_BYTES);
    assert_non_null(text);
    memset(text, '\n', LONG_TEXT_BYTES);
    writer_init(&writer);
    writer_string_bytes(&writer, text, LONG_TEXT_BYTES);
    assert_int_equal(writer.length, 2 * LONG_TEXT_BYTES + 2);
    memset(text, 'x', LONG_TEXT_BYTES);
    writer_clear(&writer);
    writer_string_bytes(&writer, text, LONG_TEXT_BYTES);
    assert_int_equal(writer.length, LONG_TEXT_BYTES + 2);
    assert_memory_equal(writer.data + 1, text, LONG_TEXT_BYTES);
    writer_release(&writer);
    free(text);
}

static void integers_have_all_their_digits(void **state)
{
    (void)state;
    static const struct {
        int64_t value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {-1, "-1"},
        {9, "9"},
        {10, "10"},
        {-100, "-100"},
        {1790000000000, "1790000000000"},
        {INT64_MAX, "9223372036854775807"},
        {INT64_MIN, "-9223372036854775808"},
    };
    struct writer writer;
    writer_init(&writer);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        writer_clear(&writer);
        writer_integer(&writer, rows[i].value);
        assert_string_equal(writer_text(&writer), rows[i].text);
    }
    writer_release(&writer);
}

/* What JSON.stringify answers to each of these. */
static void numbers_are_written_as_javascript_writes_them(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1.0, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3.0, "0.3333333333333333"},
        {0.8660254037844386, "0.8660254037844386"},
        {1e15, "1000000000000000"},
        {9007199254740993.0, "9007199254740992"},
        {1e20, "100000000000000000000"},
        {123456789012345680000.0, "123456789012345680000"},
        {1e21, "1e+21"},
        {1.5e21, "1.5e+21"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {0.000001, "0.000001"},
        {0.00000123, "0.00000123"},
        {0.0000001, "1e-7"},
        {-1.25e-7, "-1.25e-7"},
        {5e-324, "5e-324"},
        {1e-323, "1e-323"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {2.225073858507201e-308, "2.225073858507201e-308"},
        {9.5367431640625e-7, "9.5367431640625e-7"},
        {5.684341886080802e-14, "5.684341886080802e-14"}, /* 2^-44: not the nearest of its length */
        {4.35, "4.35"},
        {100.01, "100.01"},
        {2251799813685248.5, "2251799813685248.5"},
        {(double)INFINITY, "null"},
        {-(double)INFINITY, "null"},
        {(double)NAN, "null"},
    };
    struct writer writer;
    writer_init(&writer);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        writer_clear(&writer);
        writer_number(&writer, rows[i].value);
        assert_string_equal(writer_text(&writer), rows[i].text);
    }
    writer_release(&writer);
}

static void every_number_reads_back_equal_and_a_digit_less_would_not(void **state)
{
    (void)state;
    uint64_t random = 1;
    struct writer writer;
    writer_init(&writer);
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
        uint64_t bits = test_random(&random);
        double value = 0;
        char shorter[64];
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        writer_clear(&writer);
        writer_number(&writer, value);
        const char *text = writer_text(&writer);
        assert_true(strtod(text, NULL) == value);
        int digits = 0;
        for (const char *at = text; *at != '\0' && *at != 'e'; at++)
            digits += *at >= '0' && *at <= '9';
        if (fabs(value) < 1e21 || digits < 2)
            continue; /* zeros around the point are no digits: only the form with an exponent is
                         counted */
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        assert_true(strtod(shorter, NULL) != value);
    }
    writer_release(&writer);
}

static void what_is_taken_belongs_to_the_taker(void **state)
{
    (void)state;
    struct writer writer;
    size_t length = 0;
    writer_init(&writer);
    writer_string(&writer, "a");
    char *text = writer_take(&writer, &length);
    assert_string_equal(text, "\"a\"");
    assert_int_equal(length, 3);
    assert_int_equal(writer.length, 0);
    writer_integer(&writer, 5);
    assert_string_equal(writer_text(&writer), "5");
    assert_string_equal(text, "\"a\"");
    free(text);
    writer_release(&writer);
    assert_string_equal(writer_text(&writer), "");
    writer_release(&writer);
}

static void what_was_copied_is_counted_for_good(void **state)
{
    (void)state;
    struct writer writer;
    writer_init(&writer);
    writer_array(&writer);
    writer_string(&writer, "a");
    writer_copy(&writer, "[1,2]", 5);
    writer_raw(&writer, "3", 1);
    writer_end(&writer);
    assert_string_equal(writer_text(&writer), "[\"a\",[1,2],3]");
    assert_int_equal(writer_written(&writer), 13);
    assert_int_equal(writer_copied(&writer), 5);
    writer_clear(&writer);
    writer_copy(&writer, "{}", 2);
    free(writer_take(&writer, NULL));
    assert_int_equal(writer_written(&writer), 15);
    assert_int_equal(writer_copied(&writer), 7);
    writer_release(&writer);
}

/* Strings are looked at in pieces: wherever a byte stands in one, it is written as it is alone. */
static void every_byte_is_written_alike_at_every_place(void **state)
{
    enum { LONGEST = 20 };
    char text[LONGEST], expected[4 * LONGEST], escape[WRITER_ESCAPE_BYTES_MAX];
    struct writer writer;
    (void)state;
    writer_init(&writer);
    for (int code = 0; code < 256; code++) {
        int bytes = writer_escape((char)code, escape);
        if (bytes == 0)
            escape[bytes++] = (char)code;
        for (int length = 1; length <= LONGEST; length++)
            for (int place = 0; place < length; place++) {
                memset(text, 'a', (size_t)length);
                text[place] = (char)code;
                snprintf(expected, sizeof expected, "\"%.*s%.*s%.*s\"", place,
                         "aaaaaaaaaaaaaaaaaaaa", bytes, escape, length - place - 1,
                         "aaaaaaaaaaaaaaaaaaaa");
                assert_string_equal(quoted(&writer, text, (size_t)length), expected);
            }
    }
    writer_release(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_commas_are_the_writers_affair),
        cmocka_unit_test(the_deepest_nesting_still_has_its_commas),
        cmocka_unit_test(strings_are_escaped_as_javascript_escapes_them),
        cmocka_unit_test(every_byte_is_written_alike_at_every_place),
        cmocka_unit_test(long_texts_make_the_buffer_grow),
        cmocka_unit_test(integers_have_all_their_digits),
        cmocka_unit_test(numbers_are_written_as_javascript_writes_them),
        cmocka_unit_test(every_number_reads_back_equal_and_a_digit_less_would_not),
        cmocka_unit_test(what_is_taken_belongs_to_the_taker),
        cmocka_unit_test(what_was_copied_is_counted_for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
