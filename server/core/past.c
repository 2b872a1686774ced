#include "server/core/past.h"

#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 4 };

void past_init(struct past *past)
{
    *past = (struct past){.interval = PAST_INTERVAL};
}

void past_release(struct past *past)
{
    for (int i = 0; i < past->count; i++)
        free(past->kept[i].bytes);
    free(past->kept);
    past_init(past);
}

/* The first goes, the second stays, and so on: those stay that are at twice the distance. */
static void thin_out(struct past *past)
{
    int count = 0;
    for (int i = 0; i < past->count; i++) {
        if (i % 2 == 1) {
            past->kept[count++] = past->kept[i];
            continue;
        }
        past->bytes -= past->kept[i].size;
        free(past->kept[i].bytes);
    }
    past->count = count;
    past->interval *= 2;
}

static void keep(struct past *past, const struct position *position)
{
    if (past->count == past->room) {
        past->room = past->room ? past->room * 2 : ROOM_MIN;
        past->kept = memory_resize(past->kept, (size_t)past->room, sizeof *past->kept);
    }
    struct past_position kept = {.size = position_saved_bytes(position)};
    kept.bytes = memory_bytes(kept.size);
    position_save(position, kept.bytes);
    past->kept[past->count++] = kept;
    past->bytes += kept.size;
}

void past_note(struct past *past, const struct position *position, int ply)
{
    if (ply % past->interval != 0)
        return;
    keep(past, position);
    while (past->bytes > PAST_BYTES_MAX && past->count > 1)
        thin_out(past);
}

int past_restore(const struct past *past, struct position *position, int ply)
{
    int index = ply / past->interval;
    if (index > past->count)
        index = past->count;
    if (index == 0)
        position_reset(position);
    else
        position_restore(position, past->kept[index - 1].bytes);
    return index * past->interval;
}
