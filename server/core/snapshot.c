/* A room as it is now, for one who comes, asks, or has missed something. It is bounded (frame.h): of moves and chat the last
 * ones. */
#include "server/core/publish.h"

#include "server/core/ladder.h"
#include "server/core/parts.h"
#include "server/core/pgn.h"
#include "server/core/view.h"

#include <string.h>

static void write_game(struct writer *writer, const struct room *room)
{
    writer_key(writer, "game");
    writer_object(writer);
    writer_member_string(writer, "id", room->game);
    writer_member_string(writer, "title", game_facts(room->edition->game)->title);
    writer_member_string(writer, "description", game_facts(room->edition->game)->description);
    if (pgn_has(room->edition->game)) {
        writer_key(writer, "pgn");
        writer_boolean(writer, true);
    }
    writer_end(writer);
}

static const char *seat_word(const struct room *room, uint32_t seats)
{
    if (seats == 0)
        return "spectator";
    if (seats == standing_all_seats(&room->standing) && room->standing.seat_count > 1)
        return "all";
    return room->edition->seat_names[standing_first(seats)];
}

static void write_seats(struct writer *writer, const struct room *room, uint32_t seats)
{
    writer_member_string(writer, "seat", seat_word(room, seats));
    writer_key(writer, "seats");
    writer_array(writer);
    for (int i = 0; i < room->standing.seat_count; i++)
        if (seats >> i & 1)
            writer_string(writer, room->edition->seat_names[i]);
    writer_end(writer);
}

/* Where everybody may talk, as mostly, nothing is said. */
static void write_chat_rules(struct writer *writer, const struct chat_rules *rules)
{
    if (rules->voices != CHAT_OF_EVERYBODY)
        writer_member_string(writer, "voices", chat_voices_word(rules->voices));
    if (rules->muted_count == 0)
        return;
    writer_key(writer, "muted");
    writer_array(writer);
    for (int i = 0; i < rules->muted_count; i++)
        writer_string(writer, rules->muted[i]);
    writer_end(writer);
}

/* The last lines that have room; `version` leads to the others, by `history`. */
static void write_chat(struct writer *writer, const struct room *room)
{
    int first = room->chat_count;
    int oldest = first > ROOM_CHAT_KEPT ? first - ROOM_CHAT_KEPT : 0;
    size_t bytes = 0;
    while (first > oldest) {
        bytes += strlen(room->chat[(first - 1) % ROOM_CHAT_KEPT]) + 1;
        if (bytes > FRAME_CHAT_BYTES_MAX)
            break;
        first--;
    }
    writer_key(writer, "chat");
    writer_array(writer);
    for (int i = first; i < room->chat_count; i++) {
        const char *line = room->chat[i % ROOM_CHAT_KEPT];
        writer_raw(writer, line, strlen(line));
    }
    writer_end(writer);
    writer_member_integer(writer, "chat_count", room->chat_count);
    write_chat_rules(writer, &room->standing.chat);
}

static void write_move(struct writer *writer, const struct room *room, const struct made_move *made)
{
    writer_object(writer);
    writer_member_string(writer, "seat", room->edition->seat_names[made->seat]);
    writer_key(writer, "move");
    view_write_move(writer, room->edition, made->move);
    writer_member_integer(writer, "version", made->version);
    writer_end(writer);
}

/* The last moves that have room, and how many there are. How long one is shows when it is written. */
static void write_moves(struct core *core, const struct room *room)
{
    struct writer *writer = &core->writer, *list = &core->body;
    size_t ends[HISTORY_MOVES_MAX + 1] = {0};
    int count = room->move_count < HISTORY_MOVES_MAX ? room->move_count : HISTORY_MOVES_MAX;
    const struct made_move *moves =
        room->move_count > 0 ? room->moves + room->move_count - count : NULL;
    writer_clear(list);
    writer_array(list);
    for (int i = 0; i < count; i++) {
        write_move(list, room, &moves[i]);
        ends[i + 1] = list->length;
    }
    writer_end(list);
    int first = 0;
    while (list->length - ends[first] > FRAME_MOVES_BYTES_MAX)
        first++;
    /* What is left begins behind the bracket, or behind the comma after the last one that is left out. */
    size_t begin = first == 0 ? 1 : ends[first] + (first < count);
    writer_key(writer, "moves");
    writer_array(writer);
    if (first < count)
        writer_raw(writer, list->data + begin, list->length - 1 - begin);
    writer_end(writer);
    writer_member_integer(writer, "plies", room->move_count);
    writer_clear(list);
}

static void write_state(struct core *core, const struct room *room)
{
    struct state state;
    view_fill(&state, core->cells[0], room->edition, &room->standing, room->position);
    writer_key(&core->writer, "state");
    state_write(&state, &core->writer);
    char hash[STATE_HASH_DIGITS + 1];
    state_hash_text(room->hash, hash);
    writer_member_string(&core->writer, "hash", hash);
}

/* With how much of the turn's time is over already: what the state says was left when it began. */
static void write_clock(struct core *core, const struct room *room)
{
    struct time_control control;
    if (!room->standing.has_clocks)
        return;
    standing_time_control(&room->standing, room->edition->game, &control);
    writer_key(&core->writer, "clock");
    time_control_write(&control, &core->writer);
    if (standing_to_move(&room->standing, room->position) != PLAYER_NONE)
        writer_member_integer(&core->writer, "turn_ms", timing_spent_ms(core, room));
}

/* Of the rematch that is offered, where it would have another one. */
static void write_offered_clock(struct core *core, const struct room *room)
{
    struct time_control control;
    if (!room->standing.offers_clocks)
        return;
    standing_next_control(&room->standing, room->edition->game, &control);
    writer_key(&core->writer, "rematch_clock");
    time_control_write_offer(&control, &core->writer);
}

static void write_snapshot(struct core *core, const struct attachment *attachment,
                           const char *command, bool with_layout)
{
    const struct room *room = attachment->room;
    uint32_t seats = attachment->seats;
    struct writer *writer = &core->writer;
    const struct publish_desk desk = publish_desk_of(core);
    writer_clear(writer);
    writer_object(writer);
    writer_member_string(writer, "type", "snapshot");
    if (command)
        writer_member_string(writer, "re", command);
    writer_member_string(writer, "room", room->id);
    writer_member_integer(writer, "version", room->version);
    write_game(writer, room);
    write_seats(writer, room, seats);
    writer_member_string(writer, "visibility", room->is_public ? "public" : "private");
    write_state(core, room);
    write_clock(core, room);
    write_offered_clock(core, room);
    if (room->standing.rated)
        writer_member_string(writer, "rated", ladder_speed(&room->standing.budgets[0]));
    if (room->position)
        view_write_remarks(writer, room->edition, room->position);
    publish_write_beginning(&desk, &room->standing, room->position);
    if (with_layout) {
        writer_key(writer, "layout");
        writer_copy(writer, room->edition->layout, room->edition->layout_length);
    }
    if (publish_must_act(room, seats) && !attachment->session->no_moves)
        publish_write_legal_moves(&desk, room->edition, room->position);
    write_chat(writer, room);
    write_moves(core, room);
    writer_end(writer);
}

void publish_snapshot(struct core *core, struct attachment *attachment, const char *command,
                      bool with_layout)
{
    /* Who comes from within (a bot, a visit) draws no board, and reading one is most of what a snapshot costs him. */
    with_layout = with_layout && !attachment->session->local;
    write_snapshot(core, attachment, command, with_layout);
    struct frame *frame = frame_new(core->writer.data, core->writer.length);
    writer_clear(&core->writer);
    if (command)
        session_send(core, attachment->session, frame); /* an answer must not be lost */
    else
        publish_deliver(core, attachment, frame);
    frame_release(frame);
}
