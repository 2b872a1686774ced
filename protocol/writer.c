#include "protocol/writer.h"

#include "engine/memory/memory.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOM_FIRST = 256,
    INTEGER_BYTES_MAX = 20, /* "-9223372036854775808" */
    DIGITS_MAX = 17,        /* always enough to tell two doubles apart */
    DIGITS_SAFE = DBL_DIG,  /* a decimal this short survives the way into a double and back */
    DIGITS_PLAIN_MAX = 21,  /* JavaScript writes larger numbers with an exponent */
    LEADING_ZEROS_MAX = 6,  /* and smaller ones too */
    TEXT_BYTES_MAX = 64,
};

/* ---- the buffer ---- */

static void grow(struct writer *writer, size_t more)
{
    size_t needed = writer->length + more;
    size_t room = writer->room == 0 ? ROOM_FIRST : writer->room;
    assert(needed >= more);
    while (room < needed)
        room = room > SIZE_MAX / 2 ? needed : room * 2;
    char *data = memory_resize(writer->data, room, 1);
    writer->data = data;
    writer->room = room;
}

/* Where `bytes` more may be written. The caller then adds to the length what it wrote. */
static inline char *reserve(struct writer *writer, size_t bytes)
{
    if (writer->room - writer->length < bytes)
        grow(writer, bytes);
    return writer->data + writer->length;
}

static inline void put(struct writer *writer, char byte)
{
    *reserve(writer, 1) = byte;
    writer->length++;
}

static inline void put_bytes(struct writer *writer, const char *bytes, size_t length)
{
    if (length == 0)
        return;
    memcpy(reserve(writer, length), bytes, length);
    writer->length += length;
}

void writer_init(struct writer *writer)
{
    *writer = (struct writer){.data = NULL};
}

void writer_clear(struct writer *writer)
{
    writer->cleared += writer->length;
    writer->length = 0;
    writer->first = 0;
    writer->array = 0;
    writer->depth = 0;
    writer->after_key = false;
}

void writer_release(struct writer *writer)
{
    free(writer->data);
    writer_init(writer);
}

const char *writer_text(struct writer *writer)
{
    *reserve(writer, 1) = '\0';
    return writer->data;
}

char *writer_take(struct writer *writer, size_t *length)
{
    writer_text(writer);
    char *data = writer->data;
    if (length != NULL)
        *length = writer->length;
    *writer = (struct writer){.cleared = writer_written(writer), .copied = writer->copied};
    return data;
}

/* ---- structure ---- */

static inline uint32_t innermost(const struct writer *writer)
{
    return UINT32_C(1) << (writer->depth - 1);
}

static inline void separate(struct writer *writer)
{
    uint32_t bit = innermost(writer);
    if (writer->first & bit)
        writer->first &= ~bit;
    else
        put(writer, ',');
}

/* Before every value: a comma where one belongs. In an object the key has already seen to it. */
static inline void begin_value(struct writer *writer)
{
    if (writer->after_key) {
        writer->after_key = false;
        return;
    }
    if (writer->depth == 0)
        return;
    assert(writer->array & innermost(writer));
    separate(writer);
}

static void open_container(struct writer *writer, char bracket)
{
    assert(writer->depth < WRITER_DEPTH_MAX);
    begin_value(writer);
    put(writer, bracket);
    writer->depth++;
    writer->first |= innermost(writer);
}

void writer_object(struct writer *writer)
{
    open_container(writer, '{');
    writer->array &= ~innermost(writer);
}

void writer_array(struct writer *writer)
{
    open_container(writer, '[');
    writer->array |= innermost(writer);
}

void writer_end(struct writer *writer)
{
    assert(writer->depth > 0 && !writer->after_key);
    put(writer, writer->array & innermost(writer) ? ']' : '}');
    writer->depth--;
}

/* ---- strings ---- */

static inline bool is_plain(char character)
{
    return (unsigned char)character >= 0x20 && character != '"' && character != '\\';
}

int writer_escape(char byte, char escape[WRITER_ESCAPE_BYTES_MAX])
{
    static const char short_names[] = "btn\0fr"; /* of the bytes 8 to 13; 11 has none */
    static const char digits[] = "0123456789abcdef";
    if (is_plain(byte))
        return 0;
    unsigned char code = (unsigned char)byte;
    escape[0] = '\\';
    if (code >= 0x20) {
        escape[1] = byte;
        return 2;
    }
    if (code >= 8 && code <= 13 && short_names[code - 8] != '\0') {
        escape[1] = short_names[code - 8];
        return 2;
    }
    escape[1] = 'u';
    escape[2] = '0';
    escape[3] = '0';
    escape[4] = digits[code >> 4];
    escape[5] = digits[code & 15];
    return WRITER_ESCAPE_BYTES_MAX;
}

/* Whether one of eight bytes is not plain: below a space, a quotation mark or a backslash. Of a plain one that comes behind
 * such a byte it may be said, too. */
static inline bool has_escapes(uint64_t bytes)
{
    const uint64_t ones = UINT64_MAX / UINT8_MAX;
    uint64_t quotes = bytes ^ ones * '"', backslashes = bytes ^ ones * '\\';
    uint64_t below = (bytes - ones * ' ') & ~bytes;
    uint64_t found = below | ((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes);
    return (found & ones << 7) != 0;
}

static void put_escaped(struct writer *writer, const char *text, size_t length)
{
    size_t done = 0;
    while (done < length) {
        size_t plain = done;
        while (plain < length && is_plain(text[plain]))
            plain++;
        put_bytes(writer, text + done, plain - done);
        done = plain;
        if (done == length)
            break;
        char escape[WRITER_ESCAPE_BYTES_MAX];
        int bytes = writer_escape(text[done], escape);
        put_bytes(writer, escape, (size_t)bytes);
        done++;
    }
}

/* Nearly every string is short and plain: it is copied while it is looked at, into room that is asked for once, and
 * only the rest of one that needs escapes goes the longer way. `after` is what follows the string: a colon or 0. */
static void put_quoted(struct writer *writer, const char *text, size_t length, char after)
{
    char *out = reserve(writer, length + 3);
    size_t plain = 0;
    *out++ = '"';
    for (uint64_t eight; length - plain >= sizeof eight; plain += sizeof eight) {
        memcpy(&eight, text + plain, sizeof eight);
        if (has_escapes(eight))
            break;
        memcpy(out + plain, &eight, sizeof eight);
    }
    while (plain < length && is_plain(text[plain])) {
        out[plain] = text[plain];
        plain++;
    }
    writer->length += 1 + plain;
    if (plain < length) {
        put_escaped(writer, text + plain, length - plain);
        out = reserve(writer, 2);
    } else {
        out += plain;
    }
    out[0] = '"';
    out[1] = after;
    writer->length += after == '\0' ? 1 : 2;
}

void writer_key_bytes(struct writer *writer, const char *key, size_t length)
{
    assert(writer->depth > 0 && !(writer->array & innermost(writer)) && !writer->after_key);
    separate(writer);
    put_quoted(writer, key, length, ':');
    writer->after_key = true;
}

void writer_string_bytes(struct writer *writer, const char *text, size_t length)
{
    begin_value(writer);
    put_quoted(writer, text, length, '\0');
}

/* ---- the other values ---- */

int writer_digits(uint64_t value, char digits[WRITER_DIGITS_MAX])
{
    char reversed[WRITER_DIGITS_MAX];
    int count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    for (int i = 0; i < count; i++)
        digits[i] = reversed[count - 1 - i];
    return count;
}

void writer_integer(struct writer *writer, int64_t value)
{
    begin_value(writer);
    char *out = reserve(writer, INTEGER_BYTES_MAX + 1);
    size_t length = 0;
    uint64_t magnitude = (uint64_t)value;
    if (value < 0) {
        out[length++] = '-';
        magnitude = 0 - magnitude;
    }
    length += (size_t)writer_digits(magnitude, out + length);
    writer->length += length;
}

/* A decimal without its point: 0.DIGITS × 10^exponent. */
struct decimal {
    char digits[DIGITS_MAX + 1];
    int count, exponent;
};

/* The correctly rounded decimal of that many digits. */
static struct decimal decimal_of(double value, int count)
{
    char text[TEXT_BYTES_MAX];
    struct decimal decimal = {.count = count};
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *exponent = strchr(text, 'e');
    assert(exponent != NULL);
    decimal.digits[0] = text[0];
    if (count > 1)
        memcpy(decimal.digits + 1, text + 2, (size_t)count - 1);
    decimal.exponent = (int)strtol(exponent + 1, NULL, 10) + 1;
    return decimal;
}

static double decimal_value(const struct decimal *decimal)
{
    char text[TEXT_BYTES_MAX];
    snprintf(text, sizeof text, "%se%d", decimal->digits, decimal->exponent - decimal->count);
    return strtod(text, NULL);
}

/* Adds one to the last digit, unless that would carry. */
static bool decimal_step(struct decimal *decimal, int step)
{
    char *last = &decimal->digits[decimal->count - 1];
    if ((step > 0 && *last == '9') || (step < 0 && *last == '0'))
        return false;
    *last = (char)(*last + step);
    return true;
}

/* Beside a power of two the doubles below lie closer than those above, and then a decimal that is
 * not the nearest of its length can still be the one that reads back equal. */
static bool decimal_fits(struct decimal *decimal, double value)
{
    if (decimal_value(decimal) == value)
        return true;
    struct decimal above = *decimal, below = *decimal;
    if (decimal_step(&above, 1) && decimal_value(&above) == value) {
        *decimal = above;
        return true;
    }
    if (decimal_step(&below, -1) && decimal_value(&below) == value) {
        *decimal = below;
        return true;
    }
    return false;
}

/* The shortest decimal that reads back as `value`, a positive finite number. */
static struct decimal decimal_shortest(double value)
{
    /* A normal number is first tried with as many digits as always survive: the shorter ones are
     * the same with zeros at the end. Near zero a double holds fewer digits than that, and they are
     * counted up. */
    int count = value >= DBL_MIN ? DIGITS_SAFE : 1;
    struct decimal decimal = decimal_of(value, count);
    while (count < DIGITS_MAX && !decimal_fits(&decimal, value))
        decimal = decimal_of(value, ++count);
    while (decimal.count > 1 && decimal.digits[decimal.count - 1] == '0')
        decimal.digits[--decimal.count] = '\0';
    return decimal;
}

static void put_zeros(struct writer *writer, int count)
{
    for (int i = 0; i < count; i++)
        put(writer, '0');
}

static void put_exponent(struct writer *writer, const struct decimal *decimal)
{
    put(writer, decimal->digits[0]);
    if (decimal->count > 1) {
        put(writer, '.');
        put_bytes(writer, decimal->digits + 1, (size_t)decimal->count - 1);
    }
    int exponent = decimal->exponent - 1;
    put(writer, 'e');
    put(writer, exponent < 0 ? '-' : '+');
    char digits[WRITER_DIGITS_MAX];
    int length = writer_digits((uint64_t)abs(exponent), digits);
    put_bytes(writer, digits, (size_t)length);
}

/* The four cases of ECMAScript's Number::toString. */
static void put_decimal(struct writer *writer, const struct decimal *decimal)
{
    int exponent = decimal->exponent, count = decimal->count;
    if (exponent > DIGITS_PLAIN_MAX || exponent <= -LEADING_ZEROS_MAX) {
        put_exponent(writer, decimal);
    } else if (exponent <= 0) {
        put_bytes(writer, "0.", 2);
        put_zeros(writer, -exponent);
        put_bytes(writer, decimal->digits, (size_t)count);
    } else if (count <= exponent) {
        put_bytes(writer, decimal->digits, (size_t)count);
        put_zeros(writer, exponent - count);
    } else {
        put_bytes(writer, decimal->digits, (size_t)exponent);
        put(writer, '.');
        put_bytes(writer, decimal->digits + exponent, (size_t)(count - exponent));
    }
}

void writer_number(struct writer *writer, double value)
{
    static const double exact_max = 9007199254740992.0; /* 2^53 */
    if (!isfinite(value)) {
        writer_null(writer); /* as JSON.stringify does */
        return;
    }
    if (fabs(value) <= exact_max && value == trunc(value)) {
        writer_integer(writer, (int64_t)value); /* -0 too is written 0 */
        return;
    }
    begin_value(writer);
    if (value < 0)
        put(writer, '-');
    struct decimal decimal = decimal_shortest(fabs(value));
    put_decimal(writer, &decimal);
}

void writer_boolean(struct writer *writer, bool value)
{
    begin_value(writer);
    if (value)
        put_bytes(writer, "true", 4);
    else
        put_bytes(writer, "false", 5);
}

void writer_null(struct writer *writer)
{
    begin_value(writer);
    put_bytes(writer, "null", 4);
}

void writer_raw(struct writer *writer, const char *json, size_t length)
{
    begin_value(writer);
    put_bytes(writer, json, length);
}

void writer_copy(struct writer *writer, const char *json, size_t length)
{
    writer_raw(writer, json, length);
    writer->copied += length;
}
