#include "server/core/step.h"

#include "engine/work.h"
#include "server/core/parts.h"

#include <string.h>

enum {
    /* What the engine does not count, in its units: an event read, a frame written. */
    EVENT_UNITS = 400,
    REBUILD_UNITS = 1600,
};

/* --- who sits there --------------------------------------------------------------------------- */

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
    for (int i = 0; row && i < row->seat_count; i++)
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

/* --- the step --------------------------------------------------------------------------------- */

uint32_t step_hash(const struct stepper *stepper)
{
    const struct room *room = stepper->room;
    struct state state;
    view_fill(&state, stepper->desk.cells[0], room->edition, &room->standing, room->position);
    return state_hash(&state);
}

/* The frames in which the event was sent, once more: whoever comes back misses no more than before. */
static void make_frames(struct stepper *stepper, const struct publish_step *step)
{
    struct room *room = stepper->room;
    struct publish_frames frames = publish_encode(&stepper->desk, room, step);
    room->hash = frames.hash;
    room_keep_frames(room, frames.common, frames.acting);
    frame_release(frames.common);
    frame_release(frames.acting);
    work_spend(REBUILD_UNITS);
}

/* The scratch board is the one before it changes. */
static bool take_shown(struct stepper *stepper, const struct event *event,
                       const struct store_event *stored, const struct identity *identity)
{
    struct room *room = stepper->room;
    struct standing before = room->standing;
    struct position *position_before = room->position;
    if (!stepper->hash_known)
        room->hash = step_hash(stepper);
    stepper->hash_known = true;
    if (event->kind == EVENT_MOVED || event->kind == EVENT_TAKEN_BACK) {
        position_before = room->edition->scratch;
        position_copy(position_before, room->position);
    }
    if (!room_replay(room, event, identity, (uint64_t)stored->at_ms))
        return false;
    make_frames(stepper,
                &(struct publish_step){.event = event,
                                       .version = stored->version,
                                       .at_ms = (uint64_t)stored->at_ms,
                                       .before = &before,
                                       .after = &room->standing,
                                       .position_before = position_before,
                                       .position_after = room->position,
                                       .hash_before = room->hash,
                                       .for_all_only = stored->version < stepper->acting_from});
    return true;
}

static bool take_step(struct stepper *stepper, const struct event *event,
                      const struct store_event *stored)
{
    struct identity identity = joined_identity(event->player, stepper->row);
    if (stored->version > 1 && stored->version >= stepper->shown_from)
        return take_shown(stepper, event, stored, &identity);
    stepper->hash_known = false;
    return room_replay(stepper->room, event, &identity, (uint64_t)stored->at_ms);
}

static void remember_command(struct room *room, const struct store_event *stored,
                             enum event_kind kind)
{
    if (strlen(stored->command) <= COMMAND_ID_BYTES_MAX &&
        strlen(stored->client) <= PLAYER_ID_BYTES)
        room_know_command(room, stored->client, text_of(stored->command), kind, stored->version);
}

static struct identity holder_of(const struct room *room, struct text seat)
{
    player_index player = game_find_player(room->edition->game, seat.data, seat.length);
    return player == PLAYER_NONE ? (struct identity){.player = ""}
                                 : room->standing.seats[player].holder;
}

static bool take_event(struct stepper *stepper, const struct event *event,
                       const struct store_event *stored, struct stepped *stepped)
{
    struct room *room = stepper->room;
    stepped->kind = event->kind;
    if (event->kind == EVENT_HANDED_OVER && event->seat_count > 0)
        stepped->former = holder_of(room, event->seats[0]);
    if (event->kind == EVENT_CREATED && (event->previous_room.data || event->holder_count > 0)) {
        stepper->older_rematch = event->holder_count == 0;
        if (!take_first_seats(room, event, stepper->row))
            return false;
    }
    if (!take_step(stepper, event, stored))
        return false;
    if (event->kind == EVENT_HANDED_OVER && stepper->older_rematch)
        recent_clear(&room->recent);
    remember_command(room, stored, event->kind);
    return true;
}

bool step_take(struct stepper *stepper, const struct store_event *stored, struct stepped *stepped)
{
    struct event event;
    work_spend(EVENT_UNITS);
    if (stored->version != stepper->room->version + 1 ||
        !event_read(stored->kind, stored->body, strlen(stored->body), &event))
        return false;
    bool done = take_event(stepper, &event, stored, stepped);
    event_release(&event);
    return done;
}
