#include "server/core/recent.h"

#include "engine/memory/memory.h"

#include <assert.h>
#include <stdlib.h>

enum { SIZE_MIN = 4 };

void recent_init(struct recent *recent, struct recent_budget *budget)
{
    *recent = (struct recent){.budget = budget};
}

void recent_release(struct recent *recent)
{
    recent_clear(recent);
    free(recent->frames);
    recent->frames = NULL;
    recent->size = 0;
}

static struct frame **slot(const struct recent *recent, int64_t version)
{
    return &recent->frames[version & (recent->size - 1)];
}

static size_t bytes_of(const struct frame *frame)
{
    return sizeof *frame + frame->header_length + frame->payload_length;
}

static void drop_oldest(struct recent *recent)
{
    struct frame **oldest = slot(recent, recent->last - recent->count + 1);
    size_t bytes = bytes_of(*oldest);
    recent->bytes -= bytes;
    recent->budget->bytes -= bytes;
    recent->count--;
    frame_release(*oldest);
    *oldest = NULL;
}

void recent_clear(struct recent *recent)
{
    while (recent->count > 0)
        drop_oldest(recent);
}

void recent_join(struct recent *recent, struct recent_budget *budget)
{
    recent->budget->bytes -= recent->bytes;
    budget->bytes += recent->bytes;
    recent->budget = budget;
    while (recent->count > 1 && budget->bytes > budget->bytes_max)
        drop_oldest(recent);
}

static void grow(struct recent *recent)
{
    struct recent old = *recent;
    recent->size = old.size ? old.size * 2 : SIZE_MIN;
    recent->frames = memory_zeroed(recent->size, sizeof(struct frame *));
    for (uint32_t i = 0; i < old.count; i++)
        *slot(recent, old.last - i) = *slot(&old, old.last - i);
    free(old.frames);
}

void recent_keep(struct recent *recent, int64_t version, struct frame *frame)
{
    assert(recent->count == 0 || version == recent->last + 1);
    const struct recent_budget *budget = recent->budget;
    size_t bytes = bytes_of(frame);
    while (recent->count > 0 && (recent->bytes + bytes > budget->room_bytes_max ||
                                 budget->bytes + bytes > budget->bytes_max))
        drop_oldest(recent);
    if (recent->count == recent->size)
        grow(recent);
    recent->last = version;
    recent->count++;
    recent->bytes += bytes;
    recent->budget->bytes += bytes;
    *slot(recent, version) = frame_retain(frame);
}

struct frame *recent_find(const struct recent *recent, int64_t version)
{
    if (version > recent->last || version <= recent->last - recent->count)
        return NULL;
    return *slot(recent, version);
}
