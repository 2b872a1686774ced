#include "server/net/utf8.h"

#include <stdint.h>
#include <string.h>

/* How long a sequence is by its first byte, and between what its second byte must be; the others
 * are 80…BF. */
struct sequence {
    unsigned char first_from, first_to, second_from, second_to;
    size_t length;
};

static const struct sequence sequences[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* The length of the valid sequence that starts here, 0 when there is none. */
static size_t sequence_length(const unsigned char *bytes, size_t left)
{
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        const struct sequence *sequence = &sequences[i];
        if (bytes[0] < sequence->first_from || bytes[0] > sequence->first_to)
            continue;
        if (left < sequence->length || bytes[1] < sequence->second_from ||
            bytes[1] > sequence->second_to)
            return 0;
        for (size_t k = 2; k < sequence->length; k++)
            if ((bytes[k] & 0xc0) != 0x80)
                return 0;
        return sequence->length;
    }
    return 0;
}

static bool eight_are_ascii(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return (word & UINT64_C(0x8080808080808080)) == 0;
}

bool utf8_valid(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t at = 0;
    while (at < length) {
        if (length - at >= 8 && eight_are_ascii(bytes + at)) {
            at += 8;
        } else if (bytes[at] < 0x80) {
            at++;
        } else {
            size_t sequence = sequence_length(bytes + at, length - at);
            if (sequence == 0)
                return false;
            at += sequence;
        }
    }
    return true;
}

bool utf8_from_latin1(const char *latin1, char *text, size_t size)
{
    size_t length = 0;
    for (; *latin1 != '\0'; latin1++) {
        unsigned char byte = (unsigned char)*latin1;
        size_t bytes = byte < 0x80 ? 1 : 2;
        if (length + bytes >= size) {
            text[0] = '\0';
            return false;
        }
        if (bytes == 2)
            text[length++] = (char)(0xc0 | byte >> 6);
        text[length++] = (char)(bytes == 2 ? 0x80 | (byte & 0x3f) : byte);
    }
    text[length] = '\0';
    return true;
}
