#include "server/core/wake.h"

#include "engine/memory/memory.h"
#include "engine/work.h"
#include "server/core/loading.h"
#include "server/core/nascent.h"

#include <stdlib.h>
#include <string.h>

enum {
    REBUILT_EVENTS_MAX = 64, /* hardly more fit into what a room keeps */
    /* What the engine does not count, in its units: an event read, a frame written. */
    EVENT_UNITS = 400,
    REBUILD_UNITS = 1600,
};

struct wake {
    struct task task; /* first: a task of this kind is a waking room */
    struct nascent nascent;
    uint64_t load_ticket;       /* of the room that waits: another of the same id is not it */
    struct store_answer loaded; /* owned */
    int next;                   /* of the events */
    bool sound;                 /* what is stored can be followed, so far */
    /* Of an earlier server; who sat there from the start stands nowhere but in the row, which says who sits there last. So
     * what was sent before seats were handed over cannot be made again. */
    bool older_rematch;
};

/* --- on the thread ---------------------------------------------------------------------------- */

static bool read_identity(const struct store_seat *row, struct identity *identity)
{
    if (strlen(row->player) != PLAYER_ID_BYTES ||
        !digest_read_hex(row->token_hash, strlen(row->token_hash), identity->token_hash,
                         sizeof identity->token_hash))
        return false;
    memcpy(identity->player, row->player, sizeof identity->player);
    return true;
}

static bool read_seat(const struct store_seat *row, struct seat *seat)
{
    if (!read_identity(row, &seat->holder) || strlen(row->name) > DISPLAY_NAME_BYTES_MAX)
        return false;
    text_copy(text_of(row->name), seat->name, sizeof seat->name);
    seat->taken = true;
    seat->as = row->bot ? PLAYER_BOT : PLAYER_HUMAN;
    seat->house = row->house;
    return true;
}

static int seat_of_row(const struct room *room, const struct store_seat *row)
{
    player_index player = game_find_player(room->edition->game, row->seat, strlen(row->seat));
    return player == PLAYER_NONE ? SEAT_NONE : (int)player;
}

/* A rematch begins with its seats taken, and they stay so: the row has them. */
static bool take_row_seats(struct room *room, const struct store_room *row)
{
    for (int i = 0; i < row->seat_count; i++) {
        int seat = seat_of_row(room, &row->seats[i]);
        if (seat == SEAT_NONE || !read_seat(&row->seats[i], &room->standing.seats[seat]))
            return false;
    }
    return standing_free_seat(&room->standing) == SEAT_NONE;
}

/* Who joined, or took over, is in the event by id; the token's digest is in the row, as long as the
 * seat is held. */
static struct identity joined_identity(struct text player, const struct store_room *row)
{
    struct identity identity;
    for (int i = 0; i < row->seat_count; i++)
        if (text_is(player, row->seats[i].player) && read_identity(&row->seats[i], &identity))
            return identity;
    return identity_told(player);
}

/* Who sits there from the start is in the first event; of a rematch of earlier servers only in the row. */
static bool take_first_seats(struct room *room, const struct event *created,
                             const struct store_room *row)
{
    if (created->holder_count == 0)
        return take_row_seats(room, row);
    for (int i = 0; i < created->holder_count; i++) {
        const struct event_holder *holder = &created->holders[i];
        player_index seat =
            game_find_player(room->edition->game, holder->seat.data, holder->seat.length);
        if (seat == PLAYER_NONE || holder->name.length > DISPLAY_NAME_BYTES_MAX)
            return false;
        struct seat *taken = &room->standing.seats[seat];
        *taken = (struct seat){.taken = true,
                               .house = holder->house,
                               .as = holder->as,
                               .holder = joined_identity(holder->player, row)};
        text_copy(holder->name, taken->name, sizeof taken->name);
    }
    return true;
}

/* The frames in which the event was sent, once more: after a restart clients miss no more than they did before. */
static void rebuild_frames(const struct wake *wake, const struct publish_step *step)
{
    struct room *room = wake->nascent.room;
    struct publish_frames frames = publish_encode(&wake->nascent.desk, room, step);
    room->hash = frames.hash;
    room_keep_frames(room, frames.common, frames.acting);
    frame_release(frames.common);
    frame_release(frames.acting);
}

static uint32_t hash_now(const struct nascent *nascent)
{
    const struct room *room = nascent->room;
    struct state state;
    view_fill(&state, nascent->desk.cells[0], room->edition, &room->standing, room->position);
    return state_hash(&state);
}

/* Takes the step of an event, and keeps the frames of the last ones. The scratch board is the one before it changes. */
static bool take_step(struct wake *wake, const struct event *event,
                      const struct store_event *stored)
{
    struct room *room = wake->nascent.room;
    const struct store_room *row = &wake->loaded.rooms[0];
    struct identity identity = joined_identity(event->player, row);
    bool shown = stored->version > 1 && stored->version > row->version - REBUILT_EVENTS_MAX;
    if (!shown)
        return room_replay(room, event, &identity, (uint64_t)stored->at_ms);
    struct standing before = room->standing;
    struct position *position_before = room->position;
    if (room->recent.count == 0)
        room->hash = hash_now(&wake->nascent);
    if (event->kind == EVENT_MOVED || event->kind == EVENT_TAKEN_BACK) {
        position_before = room->edition->scratch;
        position_copy(position_before, room->position);
    }
    if (!room_replay(room, event, &identity, (uint64_t)stored->at_ms))
        return false;
    rebuild_frames(wake, &(struct publish_step){.event = event,
                                                .version = stored->version,
                                                .at_ms = (uint64_t)stored->at_ms,
                                                .before = &before,
                                                .after = &room->standing,
                                                .position_before = position_before,
                                                .position_after = room->position,
                                                .hash_before = room->hash,
                                                .for_all_only = stored->version < row->version});
    work_spend(REBUILD_UNITS);
    return true;
}

static void remember_command(struct room *room, const struct store_event *stored,
                             enum event_kind kind)
{
    if (strlen(stored->command) <= COMMAND_ID_BYTES_MAX &&
        strlen(stored->client) <= PLAYER_ID_BYTES)
        room_know_command(room, stored->client, text_of(stored->command), kind, stored->version);
}

static bool replay_event(struct wake *wake, const struct store_event *stored)
{
    struct room *room = wake->nascent.room;
    const struct store_room *row = &wake->loaded.rooms[0];
    struct event event;
    if (stored->version != room->version + 1 ||
        !event_read(stored->kind, stored->body, strlen(stored->body), &event))
        return false;
    bool done = true;
    if (event.kind == EVENT_CREATED && (event.previous_room.data || event.holder_count > 0)) {
        wake->older_rematch = event.holder_count == 0;
        done = take_first_seats(room, &event, row);
    }
    done = done && take_step(wake, &event, stored);
    if (done && event.kind == EVENT_HANDED_OVER && wake->older_rematch)
        recent_clear(&room->recent);
    if (done)
        remember_command(room, stored, event.kind);
    event_release(&event);
    return done;
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
    nascent_prepare(&wake->nascent);
    while (wake->sound && wake->next < wake->loaded.event_count) {
        if (work_spent() >= until)
            return false;
        wake->sound = replay_event(wake, &wake->loaded.events[wake->next++]);
        work_spend(EVENT_UNITS);
    }
    struct room *room = wake->nascent.room;
    if (wake->sound)
        room->hash = hash_now(&wake->nascent);
    wake->sound = wake->sound && agrees(room, &wake->loaded.rooms[0]);
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
