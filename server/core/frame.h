/* One outgoing WebSocket text frame: header and payload in one buffer, encoded once and shared by every peer it goes
 * to. Reference-counted, on the loop's thread only. */
#ifndef SERVER_CORE_FRAME_H
#define SERVER_CORE_FRAME_H

#include <stddef.h>
#include <stdint.h>

/* What one frame may hold, so that whatever a peer is sent fits into its outbox (server/net/outbox.h) beside what follows
 * it. Who writes a list that could grow beyond its share writes a part of it, and says how much there is. */
enum {
    FRAME_BYTES_MAX = 288 * 1024,
    /* The shares of a snapshot, which is the largest: the board, as it is drawn and as it stands, is bounded when its game
     * comes here (catalogue.h); what is left over is for names, title and description. */
    FRAME_BOARD_BYTES_MAX = 204 * 1024,
    FRAME_LEGAL_MOVES_BYTES_MAX = 32 * 1024,
    FRAME_MOVES_BYTES_MAX = 16 * 1024,
    FRAME_CHAT_BYTES_MAX = 16 * 1024,
    /* Of other answers: their list, to which one more item may be added as long as it is shorter. */
    FRAME_LIST_BYTES_MAX = 128 * 1024,
};

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
