/* JSON text out: a growing buffer and the few calls that fill it. Commas are the writer's own
 * affair.
 *
 *     struct writer writer;
 *     writer_init(&writer);
 *     writer_object(&writer);
 *     writer_key(&writer, "type"), writer_string(&writer, "pong");
 *     writer_key(&writer, "at"), writer_integer(&writer, now_ms);
 *     writer_end(&writer);
 *     … writer.data, writer.length …
 *     writer_release(&writer);
 *
 * Running out of memory is not survived: it stops the program, as everywhere in the server. */
#ifndef PROTOCOL_WRITER_H
#define PROTOCOL_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WRITER_DEPTH_MAX = 32 };

struct writer {
    char *data; /* owned; not ended by zero until writer_text is asked */
    size_t length, room;
    /* private */
    uint32_t first; /* bit d: nothing has been written yet at depth d */
    uint32_t array; /* bit d: depth d is an array */
    int depth;
    bool after_key;
    uint64_t cleared; /* bytes that were written before it was cleared or taken from */
    uint64_t copied;  /* of all of them */
};

void writer_init(struct writer *writer);
void writer_clear(struct writer *writer); /* keeps its memory */
void writer_release(struct writer *writer);

void writer_object(struct writer *writer);
void writer_array(struct writer *writer);
void writer_end(struct writer *writer); /* of the innermost object or array */
void writer_key_bytes(struct writer *writer, const char *key, size_t length);
void writer_string_bytes(struct writer *writer, const char *text, size_t length);
void writer_integer(struct writer *writer, int64_t value);
void writer_number(struct writer *writer,
                   double value); /* shortest text that reads back equal, as JavaScript writes it */
void writer_boolean(struct writer *writer, bool value);
void writer_null(struct writer *writer);
void writer_raw(struct writer *writer, const char *json,
                size_t length); /* a value that is JSON already */
/* The same of a long text that lies ready: what is copied at one go is counted apart. */
void writer_copy(struct writer *writer, const char *json, size_t length);

/* Here, so that the length of a literal is known when it is compiled. */
static inline void writer_key(struct writer *writer, const char *key)
{
    writer_key_bytes(writer, key, strlen(key));
}
static inline void writer_string(struct writer *writer, const char *text)
{
    writer_string_bytes(writer, text, strlen(text));
}
/* A member of an object: its key and its value. */
static inline void writer_member_string(struct writer *writer, const char *key, const char *text)
{
    writer_key(writer, key);
    writer_string(writer, text);
}
static inline void writer_member_integer(struct writer *writer, const char *key, int64_t value)
{
    writer_key(writer, key);
    writer_integer(writer, value);
}

const char *writer_text(struct writer *writer); /* ended by zero; borrowed until the next call */
/* How many bytes have ever been written with it. */
static inline uint64_t writer_written(const struct writer *writer)
{
    return writer->cleared + writer->length;
}
/* Of them those that only had to be copied. */
static inline uint64_t writer_copied(const struct writer *writer)
{
    return writer->copied;
}
char *writer_take(struct writer *writer,
                  size_t *length); /* the caller's from now on; the writer is empty again */

/* For those who need the same text without a buffer. How a byte of a string is escaped: the number
 * of bytes written to `escape`, 0 when it stands for itself. And an integer's decimal digits: how
 * many there are. */
enum { WRITER_ESCAPE_BYTES_MAX = 6, WRITER_DIGITS_MAX = 20 };
int writer_escape(char byte, char escape[WRITER_ESCAPE_BYTES_MAX]);
int writer_digits(uint64_t value, char digits[WRITER_DIGITS_MAX]);

#endif
