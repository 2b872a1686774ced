#include "server/core/wake.h"

#include "engine/memory/memory.h"
#include "engine/work.h"
#include "server/core/loading.h"
#include "server/core/nascent.h"
#include "server/core/step.h"

#include <stdlib.h>
#include <string.h>

enum {
    REBUILT_EVENTS_MAX = 64, /* hardly more fit into what a room keeps */
};

struct wake {
    struct task task; /* first: a task of this kind is a waking room */
    struct nascent nascent;
    uint64_t load_ticket;       /* of the room that waits: another of the same id is not it */
    struct store_answer loaded; /* owned */
    int next;                   /* of the events */
    bool sound;                 /* what is stored can be followed, so far */
    struct stepper stepper;
};

/* --- on the thread ---------------------------------------------------------------------------- */

/* Clients miss no more than before a restart: the last events are there as they were sent. */
static void prepare(struct wake *wake)
{
    const struct store_room *row = &wake->loaded.rooms[0];
    struct stepper *stepper = &wake->stepper;
    nascent_prepare(&wake->nascent);
    stepper->room = wake->nascent.room;
    stepper->row = row;
    stepper->desk = wake->nascent.desk;
    stepper->shown_from = row->version - REBUILT_EVENTS_MAX + 1;
    stepper->acting_from = row->version;
}

/* What the events lead to is what the row says. */
static bool agrees(const struct room *room, const struct store_room *row)
{
    int taken = 0;
    for (int i = 0; i < room->standing.seat_count; i++)
        taken += room->standing.seats[i].taken;
    if (room->imported)
        taken = 0; /* by nobody of ours */
    return room->version == row->version && room->version > 0 &&
           (int)room->standing.status == (int)row->status && taken == row->seat_count;
}

static bool replay_part(struct task *task)
{
    struct wake *wake = (struct wake *)task;
    uint64_t until = work_spent() + TASK_PART_UNITS;
    struct stepped stepped;
    prepare(wake);
    while (wake->sound && wake->next < wake->loaded.event_count) {
        if (work_spent() >= until)
            return false;
        wake->sound = step_take(&wake->stepper, &wake->loaded.events[wake->next++], &stepped);
    }
    if (wake->sound)
        wake->nascent.room->hash = step_hash(&wake->stepper);
    wake->sound = wake->sound && agrees(wake->nascent.room, &wake->loaded.rooms[0]);
    return true;
}

/* --- on the loop ------------------------------------------------------------------------------ */

static void release(struct core *core, struct task *task)
{
    struct wake *wake = (struct wake *)task;
    nascent_release(&wake->nascent, core);
    store_answer_release(&wake->loaded);
    free(wake);
}

/* The room that waits for it; NULL: it does so no longer. */
static struct room *find_waiting(const struct core *core, const struct wake *wake)
{
    struct room *room = core_find_room(core, wake->nascent.room->id);
    return room && room->loading && room->load_ticket == wake->load_ticket ? room : NULL;
}

static void done(struct core *core, struct task *task)
{
    struct wake *wake = (struct wake *)task;
    struct room *room = find_waiting(core, wake);
    if (room)
        loading_woken(core, room, wake->sound ? nascent_finish(&wake->nascent, core) : NULL);
    release(core, task);
}

static void refused(struct core *core, struct task *task, uint64_t retry_ms)
{
    struct room *room = find_waiting(core, (struct wake *)task);
    if (room)
        loading_refused(core, room->id, retry_ms);
    release(core, task);
}

static size_t bytes_of(const struct store_answer *loaded)
{
    size_t bytes = loaded->definition_length;
    for (int i = 0; i < loaded->event_count; i++)
        bytes += strlen(loaded->events[i].body);
    return bytes;
}

static void take_row(struct room *room, const struct store_room *row)
{
    room->is_public = row->is_public;
    room->epoch = row->epoch;
    room->turn_stored = row->to_move ? row->version : 0;
    if (strlen(row->game) <= WORD_BYTES_MAX)
        text_copy(text_of(row->game), room->game, sizeof room->game);
}

uint64_t wake_ask(struct core *core, const struct room *room, struct account *account,
                  struct edition *edition, struct store_answer *loaded)
{
    static const struct task_kind kind = {TASK_PLACES_WAKE, replay_part, done, refused, release};
    struct wake *wake = memory_zeroed(1, sizeof *wake);
    wake->task.kind = &kind;
    wake->load_ticket = room->load_ticket;
    wake->loaded = *loaded;
    *loaded = (struct store_answer){.arena = NULL};
    wake->sound = true;
    nascent_begin(&wake->nascent, core, room->id, edition);
    take_row(wake->nascent.room, &wake->loaded.rooms[0]);
    uint64_t retry_ms = task_ask(core, &wake->task, account, bytes_of(&wake->loaded));
    if (retry_ms > 0)
        release(core, &wake->task);
    return retry_ms;
}
