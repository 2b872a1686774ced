#include "server/core/frame.h"

#include "engine/memory/spares.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FINAL_TEXT = 0x81, /* FIN and opcode 1 */
    LENGTH_16 = 126,   /* the length follows in two bytes */
    LENGTH_64 = 127,   /* … in eight */
    HEADER_BYTES_MAX = 10,
};

static uint32_t write_header(unsigned char *header, size_t length)
{
    header[0] = FINAL_TEXT;
    if (length < LENGTH_16) {
        header[1] = (unsigned char)length;
        return 2;
    }
    int length_bytes = length <= UINT16_MAX ? 2 : 8;
    header[1] = length_bytes == 2 ? LENGTH_16 : LENGTH_64;
    for (int i = 0; i < length_bytes; i++)
        header[2 + i] = (unsigned char)(length >> (8 * (length_bytes - 1 - i)));
    return 2 + (uint32_t)length_bytes;
}

struct frame *frame_new(const char *payload, size_t length)
{
    unsigned char header[HEADER_BYTES_MAX];
    uint32_t header_length = write_header(header, length);
    struct frame *frame = spare_take(sizeof *frame + header_length + length);
    frame->references = 1;
    frame->header_length = header_length;
    frame->payload_length = length;
    frame->replace_key = 0;
    memcpy(frame->bytes, header, header_length);
    memcpy(frame->bytes + header_length, payload, length);
    return frame;
}

struct frame *frame_retain(struct frame *frame)
{
    assert(frame->references > 0);
    frame->references++;
    return frame;
}

void frame_release(struct frame *frame)
{
    if (!frame)
        return;
    assert(frame->references > 0);
    if (--frame->references == 0)
        spare_give(frame, sizeof *frame + frame->header_length + frame->payload_length);
}
