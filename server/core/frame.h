/* One outgoing WebSocket text frame: header and payload in one buffer, encoded once and shared by every peer it goes
 * to. Reference-counted, on the loop's thread only. */
#ifndef SERVER_CORE_FRAME_H
#define SERVER_CORE_FRAME_H

#include <stddef.h>
#include <stdint.h>

struct frame {
    uint32_t references;
    uint32_t header_length;
    size_t payload_length;
    /* Not 0: a newer frame with the same key may replace this one as long as it is not being written. */
    uint64_t replace_key;
    unsigned char bytes[]; /* header_length + payload_length: unmasked, FIN, opcode text */
};

struct frame *frame_new(const char *payload, size_t length); /* copies; one reference */
struct frame *frame_retain(struct frame *frame);
void frame_release(struct frame *frame);

static inline const char *frame_payload(const struct frame *frame)
{
    return (const char *)frame->bytes + frame->header_length;
}

#endif
