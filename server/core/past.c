#include "server/core/past.h"

#include "engine/memory/memory.h"
#include "engine/work.h"

#include <stdlib.h>

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

static void keep(struct past *past, const struct position *position, int ply)
{
    if (past->count == past->room) {
        past->room = past->room ? past->room * 2 : ROOM_MIN;
        past->kept = memory_resize(past->kept, (size_t)past->room, sizeof *past->kept);
    }
    struct past_position kept = {.ply = ply, .size = position_saved_bytes(position)};
    kept.bytes = memory_bytes(kept.size);
    position_save(position, kept.bytes);
    past->kept[past->count++] = kept;
    past->bytes += kept.size;
}

static bool is_far(const struct past *past, int ply)
{
    int last = past->count > 0 ? past->kept[past->count - 1].ply : 0;
    uint64_t work_max = WORK_POSITION_MAX / 2 * (uint64_t)(past->interval / PAST_INTERVAL);
    return ply - last >= past->interval || past->work >= work_max;
}

void past_note(struct past *past, const struct position *position, int ply, uint64_t work)
{
    past->work += work;
    if (!is_far(past, ply))
        return;
    keep(past, position, ply);
    past->work = 0;
    while (past->bytes > PAST_BYTES_MAX && past->count > 1)
        thin_out(past);
}

void past_cut(struct past *past, int ply)
{
    while (past->count > 0 && past->kept[past->count - 1].ply > ply) {
        past->bytes -= past->kept[--past->count].size;
        free(past->kept[past->count].bytes);
    }
    past->work = 0;
}

int past_restore(const struct past *past, struct position *position, int ply)
{
    int low = 0,
        high = past->count; /* those before `low` are not too late, those from `high` on are */
    while (low < high) {
        int middle = (low + high) / 2;
        if (past->kept[middle].ply <= ply)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) {
        position_reset(position);
        return 0;
    }
    position_restore(position, past->kept[low - 1].bytes);
    return past->kept[low - 1].ply;
}
