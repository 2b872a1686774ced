#include "server/core/replay.h"

#include "engine/explain.h"
#include "engine/load/load.h"
#include "engine/memory/memory.h"
#include "engine/work.h"
#include "server/core/catalogue.h"
#include "server/core/unfold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES_SIZE_MIN = 64 };

struct following {
    struct replay *replay;
    replay_on_step *on_step;
    void *context;
    int64_t version;
};

static const char *first_error(const struct diagnostics *diagnostics)
{
    const struct diagnostic *error = diagnostics_first_error(diagnostics);
    return error ? error->message : "";
}

static bool fail(struct replay *replay, const char *what, const char *detail)
{
    snprintf(replay->words, sizeof replay->words, "%.200s%.300s", what, detail);
    return false;
}

/* --- the definition --------------------------------------------------------------------------- */

static bool make_whole(struct replay *replay)
{
    struct text *definition = &replay->record.definition;
    struct diagnostics diagnostics;
    if (!replay->bases)
        return true;
    diagnostics_init(&diagnostics);
    bool whole = whole_text_read(&replay->whole, definition->data, definition->length,
                                 replay->bases, &diagnostics);
    if (whole)
        *definition = (struct text){replay->whole.text, replay->whole.length};
    else
        fail(replay, "the definition does not load: ", first_error(&diagnostics));
    diagnostics_release(&diagnostics);
    return whole;
}

static bool check_hash(struct replay *replay)
{
    unsigned char digest[DIGEST_BYTES];
    struct text definition = replay->record.definition;
    digest_sha256(definition.data, definition.length, digest);
    digest_write_hex(digest, sizeof digest, replay->hash);
    if (!replay->record.definition_hash.data ||
        text_is(replay->record.definition_hash, replay->hash))
        return true;
    return fail(replay, "the definition is not the one that was played: its hash is ",
                replay->hash);
}

/* By which revision the definition was read where it was played; 0: the first, or it made no difference. One that nobody has
 * played yet is read as it is now. */
static int language_of(const struct record *record)
{
    char words[RECORD_WORDS_BYTES];
    struct event first;
    int64_t at_ms;
    if (record->event_count == 0 || !record_read_event(record, 0, &first, &at_ms, words))
        return 0;
    bool begins = record->event_count == 1 && first.move_count == 0 && first.log_count == 0;
    int language = begins ? LANGUAGE_REVISION : first.language;
    event_release(&first);
    return language;
}

static bool load_game(struct replay *replay)
{
    struct text definition = replay->record.definition;
    const struct load_options options = {.player_count = replay->record.players,
                                         .unrevised = language_of(&replay->record) == 0};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    replay->game = game_load(definition.data, definition.length, &options, &diagnostics);
    if (!replay->game)
        fail(replay, "the definition does not load: ", first_error(&diagnostics));
    diagnostics_release(&diagnostics);
    if (!replay->game)
        return false;
    bool unrevised = options.unrevised && game_facts(replay->game)->revised;
    replay->players = replay->record.players | (unrevised ? EDITION_UNREVISED : 0);
    replay->position = position_new(replay->game);
    standing_init(&replay->standing, replay->game);
    past_init(&replay->past);
    return true;
}

/* --- what an event may say -------------------------------------------------------------------- */

/* Names and chat are shown to people. */
static bool is_shown_text(struct text text, size_t length_max)
{
    if (text.length > length_max)
        return false;
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.data[i] < 0x20 || text.data[i] == 0x7f)
            return false;
    return true;
}

static bool is_room(struct text text)
{
    static const char admitted[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    if (text.length == 0) /* a game that was brought in from a text is of no room */
        return true;
    for (size_t i = 0; i < text.length; i++)
        if (!memchr(admitted, text.data[i], sizeof admitted - 1))
            return false;
    return room_id_fits(text.length);
}

static bool are_shown_holders(const struct event *event)
{
    for (int i = 0; i < event->holder_count; i++)
        if (!is_shown_text(event->holders[i].name, DISPLAY_NAME_BYTES_MAX) ||
            !is_shown_text(event->holders[i].player, PLAYER_ID_BYTES))
            return false;
    return true;
}

static bool are_shown_seats(const struct event *event)
{
    for (int i = 0; i < event->seat_count; i++)
        if (!is_shown_text(event->seats[i], WORD_BYTES_MAX))
            return false;
    return true;
}

static bool is_sound(const struct event *event)
{
    return is_shown_text(event->game, WORD_BYTES_MAX) && are_shown_seats(event) &&
           is_shown_text(event->name, DISPLAY_NAME_BYTES_MAX) &&
           is_shown_text(event->player, PLAYER_ID_BYTES) &&
           is_shown_text(event->text, CHAT_BYTES_MAX) && is_room(event->next_room) &&
           is_room(event->previous_room) && is_room(event->fork_room) &&
           is_room(event->import_room) && are_shown_holders(event);
}

/* --- following the events --------------------------------------------------------------------- */

static void keep_move(struct replay *replay, player_index player, uint64_t work)
{
    if (replay->move_count == replay->move_size) {
        replay->move_size = replay->move_size ? replay->move_size * 2 : MOVES_SIZE_MIN;
        replay->moves =
            memory_resize(replay->moves, (size_t)replay->move_size, sizeof *replay->moves);
    }
    replay->moves[replay->move_count++] = (struct replayed_move){
        replay->standing.last, player, replay->standing.clocks[player].left_ms};
    past_note(&replay->past, replay->position, replay->move_count, work);
}

static bool take_back(struct replay *replay, const struct event *event)
{
    if (event->ply < replay->begun_ply || event->ply >= replay->move_count)
        return false;
    int ply = (int)event->ply;
    for (int i = past_restore(&replay->past, replay->position, ply); i < ply; i++)
        position_make(replay->position, replay->moves[i].move, NULL);
    if (!standing_take_back(&replay->standing, replay->position, event,
                            ply > 0 ? &replay->moves[ply - 1].move : NULL))
        return false;
    replay->move_count = ply;
    past_cut(&replay->past, ply);
    return true;
}

static bool advance(struct replay *replay, const struct event *event)
{
    struct identity told = identity_told(event->player);
    player_index mover = position_to_move(replay->position);
    uint64_t worked = work_spent();
    if (event->kind == EVENT_TAKEN_BACK)
        return take_back(replay, event);
    if (!standing_advance(&replay->standing, replay->position, event, &told))
        return false;
    if (event->kind == EVENT_MOVED)
        keep_move(replay, mover, work_spent() - worked);
    if (replay->standing.status == STATUS_WAITING)
        replay->begun_ply = replay->move_count;
    return true;
}

/* Why a move could not be made, in the words of the game. */
static void explain(struct replay *replay, int64_t version, const struct event *event)
{
    const struct game *game = replay->game;
    bool placement = event->from.data == NULL, no_cells = event->pass || event->swap;
    cell_index from =
        placement ? CELL_NONE : game_find_cell(game, event->from.data, event->from.length);
    cell_index to = no_cells ? CELL_NONE : game_find_cell(game, event->to.data, event->to.length);
    uint8_t choice = event->swap ? CHOICE_SWAP : CHOICE_NONE;
    struct explanation explanation = {.words = "there is no passing now"};
    if (event->choice.data)
        choice = game_find_figure(game, event->choice.data, event->choice.length);
    if (!no_cells && ((from == CELL_NONE && !placement) || to == CELL_NONE))
        snprintf(explanation.words, sizeof explanation.words, "the game has no such cell");
    else if (!event->pass)
        position_explain(replay->position, from, to, choice, &explanation);
    snprintf(replay->words, sizeof replay->words,
             "event %lld (moved %.*s %.*s): this move is not legal: %.300s", (long long)version,
             no_cells ? 4 : (int)event->from.length,
             event->pass        ? "pass"
             : event->swap      ? "swap"
             : event->from.data ? event->from.data
                                : "",
             (int)event->to.length, event->to.data ? event->to.data : "", explanation.words);
}

/* A move that is its player's to make, but not a legal one? Then the game can say why. */
static bool is_explained(const struct replay *replay, const struct event *event)
{
    player_index mover = position_to_move(replay->position);
    if (event->kind != EVENT_MOVED || mover == PLAYER_NONE)
        return false;
    if (event->seat_count == 0)
        return true;
    return replay->standing.status == STATUS_PLAYING &&
           text_is(event->seats[0], game_facts(replay->game)->player_names[mover]);
}

static bool refuse(struct replay *replay, int64_t version, const struct event *event)
{
    static const char *const standings[] = {"the room waits for players", "the game is going on",
                                            "the game is over"};
    if (is_explained(replay, event)) {
        explain(replay, version, event);
        return false;
    }
    snprintf(replay->words, sizeof replay->words, "event %lld (%s) cannot follow: %s%s",
             (long long)version, event_kind_word(event->kind), standings[replay->standing.status],
             event->kind == EVENT_MOVED && replay->standing.status == STATUS_PLAYING
                 ? ", and somebody else is to move"
                 : "");
    return false;
}

static bool follow(void *context, const struct unfolded *step)
{
    struct following *following = context;
    struct replay *replay = following->replay;
    const struct event *event = step->event;
    if (!advance(replay, event))
        return refuse(replay, following->version, event);
    if (following->on_step)
        following->on_step(following->context, replay, following->version, event);
    return true;
}

static bool follow_event(struct following *following, const struct event *event, int64_t at_ms)
{
    struct replay *replay = following->replay;
    bool begins = event->kind == EVENT_CREATED;
    if (begins != (following->version == 1)) {
        snprintf(replay->words, sizeof replay->words,
                 begins ? "event %lld: a room is created once"
                        : "event %lld: a room's first event is that it was created",
                 (long long)following->version);
        return false;
    }
    if (event->log_count > 0)
        return fail(replay, "event 1: a log within a log", "");
    if (!is_sound(event)) {
        snprintf(replay->words, sizeof replay->words,
                 "event %lld (%s): a name or a text is too long, or cannot be shown",
                 (long long)following->version, event_kind_word(event->kind));
        return false;
    }
    if (begins)
        replay->created_at_ms = at_ms;
    return unfold(event, at_ms, follow, following);
}

static bool run(struct replay *replay, const char *text, size_t length, replay_on_step *on_step,
                void *context)
{
    if (!record_read(text, length, &replay->record, replay->words) || !make_whole(replay) ||
        !check_hash(replay) || !load_game(replay))
        return false;
    struct following following = {replay, on_step, context, 0};
    bool followed = true;
    for (int i = 0; followed && i < replay->record.event_count; i++) {
        struct event event;
        int64_t at_ms;
        if (!record_read_event(&replay->record, i, &event, &at_ms, replay->words))
            return false;
        following.version = i + 1;
        followed = follow_event(&following, &event, at_ms) && !work_is_too_much();
        event_release(&event);
    }
    return followed;
}

/* Once it is too much nothing is true that the engine says, so neither are the words of a refusal. */
bool replay_run(struct replay *replay, const char *text, size_t length, replay_on_step *on_step,
                void *context)
{
    bool followed = run(replay, text, length, on_step, context);
    if (work_is_too_much())
        return fail(replay, "this game takes too long to be played again", "");
    return followed;
}

void replay_release(struct replay *replay)
{
    record_release(&replay->record);
    whole_text_release(&replay->whole);
    position_free(replay->position);
    game_release(replay->game);
    free(replay->moves);
    past_release(&replay->past);
    *replay = (struct replay){.words = ""};
}
