#include "server/net/outbox.h"

#include "engine/memory/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t frame_length(const struct outbox *outbox, const struct frame *frame)
{
    size_t around = outbox->as_lines ? 1 : frame->header_length;
    return around + frame->payload_length;
}

static struct frame **place(const struct outbox *outbox, uint32_t index)
{
    return &outbox->frames[(outbox->first + index) & (outbox->room - 1)];
}

void outbox_init(struct outbox *outbox)
{
    *outbox = (struct outbox){.frames = outbox->few, .room = OUTBOX_FEW};
}

void outbox_init_for_lines(struct outbox *outbox)
{
    outbox_init(outbox);
    outbox->as_lines = true;
}

static void free_ring(struct outbox *outbox)
{
    if (outbox->frames != outbox->few)
        free(outbox->frames);
}

void outbox_release(struct outbox *outbox)
{
    for (uint32_t i = 0; i < outbox->count; i++)
        frame_release(*place(outbox, i));
    free_ring(outbox);
    outbox_init(outbox);
}

/* What is written of a frame behind `offset`, of `size` bytes at most. */
static size_t take_part(const struct outbox *outbox, const struct frame *frame,
                        unsigned char *bytes, size_t size)
{
    size_t end = frame_length(outbox, frame) - outbox->as_lines;
    size_t left = end - outbox->offset;
    if (left == 0 && outbox->as_lines) {
        *bytes = '\n';
        return 1;
    }
    const char *from = outbox->as_lines ? frame_payload(frame) : (const char *)frame->bytes;
    size_t part = left < size ? left : size;
    memcpy(bytes, from + outbox->offset, part);
    return part;
}

/* The waiting frame this one may replace, or NULL. */
static struct frame **find_replaceable(const struct outbox *outbox, uint64_t key)
{
    if (key == 0)
        return NULL;
    for (uint32_t i = outbox->offset > 0 ? 1 : 0; i < outbox->count; i++)
        if ((*place(outbox, i))->replace_key == key)
            return place(outbox, i);
    return NULL;
}

static void grow(struct outbox *outbox)
{
    uint32_t room = outbox->room * 2;
    struct frame **frames = memory_bytes(room * sizeof(struct frame *));
    for (uint32_t i = 0; i < outbox->count; i++)
        frames[i] = *place(outbox, i);
    free_ring(outbox);
    outbox->frames = frames;
    outbox->room = room;
    outbox->first = 0;
}

bool outbox_put(struct outbox *outbox, struct frame *frame)
{
    size_t length = frame_length(outbox, frame);
    struct frame **older = find_replaceable(outbox, frame->replace_key);
    if (older != NULL) {
        outbox->bytes = outbox->bytes - frame_length(outbox, *older) + length;
        frame_release(*older);
        *older = frame_retain(frame);
        return true;
    }
    if (outbox->count == OUTBOX_FRAMES_MAX)
        return false;
    if (outbox->count > 0 && outbox->bytes + length > OUTBOX_BYTES_MAX)
        return false;
    if (outbox->count == outbox->room)
        grow(outbox);
    *place(outbox, outbox->count) = frame_retain(frame);
    outbox->count++;
    outbox->bytes += length;
    return true;
}

static void drop_first(struct outbox *outbox)
{
    frame_release(*place(outbox, 0));
    outbox->first = (outbox->first + 1) & (outbox->room - 1);
    outbox->count--;
    outbox->offset = 0;
    if (outbox->count > 0)
        return;
    /* Most peers wait for nothing most of the time: an idle one keeps no ring. */
    bool as_lines = outbox->as_lines;
    free_ring(outbox);
    outbox_init(outbox);
    outbox->as_lines = as_lines;
}

size_t outbox_take(struct outbox *outbox, unsigned char *bytes, size_t size)
{
    size_t used = 0;
    while (used < size && outbox->count > 0) {
        const struct frame *frame = *place(outbox, 0);
        size_t left = frame_length(outbox, frame) - outbox->offset;
        size_t part = take_part(outbox, frame, bytes + used, size - used);
        used += part;
        outbox->bytes -= part;
        outbox->offset += part;
        if (part == left)
            drop_first(outbox);
    }
    return used;
}
