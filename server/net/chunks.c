#include "server/net/chunks.h"

#include <string.h>

static int digit(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

/* What follows the length; without a digit before it, it follows nothing. */
static enum chunks_answer end_length(struct chunks *chunks, char byte)
{
    if (chunks->digits == 0)
        return CHUNKS_MALFORMED;
    if (byte == '\r')
        chunks->state = CHUNKS_LENGTH_END;
    else if (byte == ';' || byte == ' ' || byte == '\t')
        chunks->state = CHUNKS_EXTENSION;
    else
        return CHUNKS_MALFORMED;
    return CHUNKS_MORE;
}

static enum chunks_answer read_length(struct chunks *chunks, char byte)
{
    int value = digit(byte);
    if (value < 0)
        return end_length(chunks, byte);
    if (++chunks->digits > CHUNK_DIGITS_MAX)
        return CHUNKS_MALFORMED;
    chunks->left = chunks->left * 16 + (size_t)value;
    return CHUNKS_MORE;
}

/* Reads over a byte of a line that ends with a carriage return. */
static enum chunks_answer read_aside(struct chunks *chunks, char byte, enum chunks_state end)
{
    if (byte == '\r')
        chunks->state = end;
    return byte == '\n' || byte == '\0' || ++chunks->aside > CHUNKS_ASIDE_BYTES_MAX
               ? CHUNKS_MALFORMED
               : CHUNKS_MORE;
}

static enum chunks_answer expect(struct chunks *chunks, char byte, char expected,
                                 enum chunks_state next)
{
    chunks->state = next;
    return byte == expected ? CHUNKS_MORE : CHUNKS_MALFORMED;
}

/* Any byte but one of the body. */
static enum chunks_answer read_frame(struct chunks *chunks, char byte)
{
    switch (chunks->state) {
    case CHUNKS_LENGTH:
        return read_length(chunks, byte);
    case CHUNKS_EXTENSION:
        return read_aside(chunks, byte, CHUNKS_LENGTH_END);
    case CHUNKS_LENGTH_END:
        return expect(chunks, byte, '\n', chunks->left == 0 ? CHUNKS_TRAILER_BEGIN : CHUNKS_DATA);
    case CHUNKS_DATA_CR:
        return expect(chunks, byte, '\r', CHUNKS_DATA_LF);
    case CHUNKS_DATA_LF:
        chunks->digits = 0;
        return expect(chunks, byte, '\n', CHUNKS_LENGTH);
    case CHUNKS_TRAILER_BEGIN:
        chunks->state = CHUNKS_TRAILER;
        return read_aside(chunks, byte, CHUNKS_LAST);
    case CHUNKS_TRAILER:
        return read_aside(chunks, byte, CHUNKS_TRAILER_END);
    case CHUNKS_TRAILER_END:
        return expect(chunks, byte, '\n', CHUNKS_TRAILER_BEGIN);
    case CHUNKS_LAST:
        return byte == '\n' ? CHUNKS_DONE : CHUNKS_MALFORMED;
    case CHUNKS_DATA:
        break;
    }
    return CHUNKS_MALFORMED;
}

static size_t keep_data(struct chunks *chunks, char *to, const char *from, size_t length)
{
    size_t part = chunks->left < length ? chunks->left : length;
    memmove(to, from, part);
    chunks->left -= part;
    if (chunks->left == 0)
        chunks->state = CHUNKS_DATA_CR;
    return part;
}

enum chunks_answer chunks_read(struct chunks *chunks, char *bytes, size_t length, size_t *used,
                               size_t *kept)
{
    enum chunks_answer answer = CHUNKS_MORE;
    *used = *kept = 0;
    while (answer == CHUNKS_MORE && *used < length) {
        if (chunks->state == CHUNKS_DATA) {
            size_t part = keep_data(chunks, bytes + *kept, bytes + *used, length - *used);
            *used += part;
            *kept += part;
        } else {
            answer = read_frame(chunks, bytes[(*used)++]);
        }
    }
    return answer;
}
