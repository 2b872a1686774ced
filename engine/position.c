#include "engine/position.h"

#include "engine/machine.h"
#include "engine/movegen.h"
#include "engine/rule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- memory ----------------------------------------------------------------------------------- */

static size_t bit_words(const struct game *game)
{
    return (size_t)(game->player_count + game->figure_count) * (size_t)game->words;
}

/* How many bytes of a position are its own value, from `hash` on. */
static size_t value_bytes(const struct game *game)
{
    size_t cells = (size_t)game->cell_count * sizeof(struct cell_record);
    return offsetof(struct position, words) - offsetof(struct position, hash) +
           bit_words(game) * sizeof(uint64_t) + cells;
}

static size_t undo_bytes(const struct game *game)
{
    return sizeof(struct undo) + (size_t)game->changes_max * sizeof(struct cell_change);
}

static size_t align(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

struct position *position_new(const struct game *game)
{
    size_t value = align(offsetof(struct position, hash) + value_bytes(game));
    size_t matches = align((size_t)game->matches_max * sizeof(struct match));
    unsigned char *memory = calloc(1, value + matches + undo_bytes(game));
    assert(memory != NULL);
    struct position *position = (void *)memory;
    /* The one place where a game loses its const: only the count of references changes. */
    position->game = game_retain((struct game *)game);
    position->cells = (void *)(position->words + bit_words(game));
    position->matches = (void *)(memory + value);
    position->scratch = (void *)(memory + value + matches);
    position_reset(position);
    return position;
}

void position_free(struct position *position)
{
    if (position == NULL)
        return;
    game_release(position->game);
    free(position);
}

void position_copy(struct position *to, const struct position *from)
{
    assert(to->game == from->game);
    memcpy(&to->hash, &from->hash, value_bytes(to->game));
}

struct undo *undo_new(const struct game *game)
{
    struct undo *undo = calloc(1, undo_bytes(game));
    assert(undo != NULL);
    return undo;
}

void undo_free(struct undo *undo)
{
    free(undo);
}

/* --- what it is ------------------------------------------------------------------------------- */

const struct game *position_game(const struct position *position)
{
    return position->game;
}

struct contents position_contents(const struct position *position, cell_index cell)
{
    assert(cell < position->game->cell_count);
    struct cell_record record = position->cells[cell];
    return (struct contents){
        .figure = position->game->code_figures[record.code],
        .player = position->game->code_players[record.code],
        .moves_made = record.moves_made,
        .last_move = record.last_move,
    };
}

state_index position_state(const struct position *position)
{
    return position->state;
}

player_index position_to_move(const struct position *position)
{
    const struct machine_state *state = &position->game->states[position->state];
    return state->kind == MACHINE_MOVE ? state->player : PLAYER_NONE;
}

uint32_t position_move_number(const struct position *position)
{
    return position->move_number;
}

uint32_t position_ply(const struct position *position)
{
    return position->ply;
}

uint64_t position_hash(const struct position *position)
{
    return position->hash ^ hash_turn(position->state, position->move_number);
}

uint64_t position_hash_from_scratch(const struct position *position)
{
    uint64_t hash = hash_turn(position->state, position->move_number);
    for (int i = 0; i < position->game->cell_count; i++)
        if (position->cells[i].code != 0)
            hash ^= hash_cell((cell_index)i, position->cells[i]);
    return hash;
}

bool position_equal(const struct position *a, const struct position *b)
{
    assert(a->game == b->game);
    if (a->state != b->state || a->move_number != b->move_number || a->hash != b->hash)
        return false;
    const struct game *game = a->game;
    return memcmp(a->words, b->words, bit_words(game) * sizeof(uint64_t)) == 0 &&
           memcmp(a->cells, b->cells, (size_t)game->cell_count * sizeof *a->cells) == 0;
}

/* --- setting up ------------------------------------------------------------------------------- */

void position_write(struct position *position, cell_index cell, struct cell_record record)
{
    const struct game *game = position->game;
    struct cell_record *here = &position->cells[cell];
    if (here->code != 0) {
        bits_reset(position_player_words(position, game->code_players[here->code]), cell);
        bits_reset(position_figure_words(position, game->code_figures[here->code]), cell);
        position->hash ^= hash_cell(cell, *here);
    }
    *here = record;
    if (record.code != 0) {
        bits_set(position_player_words(position, game->code_players[record.code]), cell);
        bits_set(position_figure_words(position, game->code_figures[record.code]), cell);
        position->hash ^= hash_cell(cell, record);
    }
}

void position_clear(struct position *position)
{
    const struct game *game = position->game;
    memset(&position->hash, 0, value_bytes(game));
    position->state = game->initial_state;
    position->move_number = game->initial_move_number;
    position->winner = game->states[position->state].winner;
}

void position_reset(struct position *position)
{
    const struct game *game = position->game;
    position_clear(position);
    for (int i = 0; i < game->placement_count; i++) {
        struct cell_record record = {.code = game->placements[i].code};
        position_write(position, game->placements[i].cell, record);
    }
}

void position_put(struct position *position, cell_index cell, struct contents contents)
{
    const struct game *game = position->game;
    assert(cell < game->cell_count);
    struct cell_record record = {0};
    if (contents.figure != FIGURE_NONE) {
        assert(contents.figure < game->figure_count && contents.player < game->player_count);
        record.code = game_code(game, contents.figure, contents.player);
        record.moves_made = contents.moves_made;
        record.last_move = contents.last_move;
    }
    position_write(position, cell, record);
}

bool position_set_turn(struct position *position, state_index state, uint32_t move_number)
{
    const struct machine_state *states = position->game->states;
    assert(state < position->game->state_count);
    if (states[state].kind != MACHINE_MOVE && states[state].kind != MACHINE_END)
        return false;
    if (move_number > MOVE_NUMBER_MAX)
        return false;
    position->state = state;
    position->move_number = move_number;
    position->winner = states[state].winner;
    return true;
}

/* --- outcome ---------------------------------------------------------------------------------- */

static struct outcome outcome_won(player_index winner, const char *reason)
{
    enum outcome_kind kind = winner == PLAYER_NONE ? OUTCOME_DRAWN : OUTCOME_WON;
    return (struct outcome){.kind = kind, .winner = winner, .reason = reason};
}

/* Who wins when `player` must move and cannot. Of three or more players nobody can be called the
 * winner then. */
static player_index winner_without_moves(const struct game *game, player_index player)
{
    if (game->no_moves_drawn)
        return PLAYER_NONE;
    if (game->no_moves_wins)
        return player;
    return game->player_count == 2 ? (player_index)(1 - player) : PLAYER_NONE;
}

struct outcome position_outcome(const struct position *position)
{
    const struct game *game = position->game;
    const struct machine_state *state = &game->states[position->state];
    if (state->kind == MACHINE_END) {
        player_index winner = state->declared ? state->winner : position->winner;
        return outcome_won(winner, state->reason);
    }
    if (position->ply >= game->max_plies)
        return outcome_won(PLAYER_NONE, game->bound_reason);
    if (!movegen_any(position))
        return outcome_won(winner_without_moves(game, state->player),
                           game->no_move_reasons[state->player]);
    return (struct outcome){.kind = OUTCOME_PLAYING, .winner = PLAYER_NONE, .reason = ""};
}

/* --- moving ----------------------------------------------------------------------------------- */

/* The figures a move is about, as they were captured when it was put together. Actions change these
 * and the board apart from each other, as the format defines: a later action still sees the
 * captured figure. */
struct actor {
    cell_index cell;
    struct cell_record figure;
};
struct actors {
    int count;
    struct actor list[PARTICIPANTS_MAX];
    uint8_t owners[PARTICIPANTS_MAX]; /* by participant: two on one cell are one actor, the first */
};

/* Writes a cell and remembers, once, what was there before the move. */
static void write_cell(struct position *position, struct undo *undo, cell_index cell,
                       struct cell_record record)
{
    uint32_t i = 0;
    while (i < undo->change_count && undo->changes[i].cell != cell)
        i++;
    if (i == undo->change_count) {
        assert(i < (uint32_t)position->game->changes_max);
        undo->changes[i].cell = cell;
        undo->changes[i].before = position->cells[cell];
        undo->change_count++;
    }
    position_write(position, cell, record);
}

/* What a captured target looks like now: an actor's own cell may have been changed through it. */
static struct cell_record captured_target(const struct position *position, const struct undo *undo,
                                          const struct actors *actors, cell_index cell)
{
    for (int i = 0; i < actors->count; i++)
        if (actors->list[i].cell == cell)
            return actors->list[i].figure;
    for (uint32_t i = 0; i < undo->change_count; i++)
        if (undo->changes[i].cell == cell)
            return undo->changes[i].before;
    return position->cells[cell];
}

static uint16_t with_figure(const struct game *game, uint16_t code, figure_index figure)
{
    return game_code(game, figure, game->code_players[code]);
}

/* Carries out one action of an actor on `target`. On a hole only `replace` does anything. */
static void run_action(struct position *position, struct undo *undo, const struct actors *actors,
                       struct actor *actor, struct rule_action action, cell_index target)
{
    static const struct cell_record empty = {0};
    cell_index from = actor->cell;
    struct cell_record *figure = &actor->figure;
    bool hole = target == CELL_NONE;
    switch ((enum rule_action_kind)action.kind) {
    case RULE_MOVE:
        if (hole)
            return;
        figure->last_move = (uint16_t)position->move_number;
        write_cell(position, undo, target, *figure);
        write_cell(position, undo, from, empty);
        return;
    case RULE_TAKE:
        if (!hole)
            write_cell(position, undo, target, empty);
        return;
    case RULE_SWAP:
        if (hole)
            return;
        write_cell(position, undo, from, captured_target(position, undo, actors, target));
        write_cell(position, undo, target, *figure);
        return;
    case RULE_REPLACE:
        figure->code = with_figure(position->game, figure->code, action.new_figure);
        write_cell(position, undo, from, *figure);
        return;
    case RULE_CANCEL:
        assert(false);
    }
}

static void run_matches(struct position *position, struct undo *undo, struct actors *actors,
                        int count)
{
    const struct game *game = position->game;
    for (int i = 0; i < count; i++) {
        struct match match = position->matches[i];
        const struct rule_set *set = &game->sets[match.set];
        struct actor *actor = &actors->list[actors->owners[match.participant]];
        for (uint32_t k = 0; k < set->action_count; k++)
            run_action(position, undo, actors, actor, game->actions[set->first_action + k],
                       match.target);
    }
}

/* The instance a move's rule names; rule 0 is the simple candidate. */
static const struct complex_instance *move_instance(const struct position *position,
                                                    struct move move)
{
    if (move.rule == 0)
        return NULL;
    const struct game *game = position->game;
    size_t mover = (size_t)position->cells[move.from].code - 1;
    const uint32_t *starts =
        game->instance_starts + mover * (size_t)(game->cell_count + 1) + move.from;
    assert(starts[0] + move.rule <= starts[1]);
    return &game->instances[starts[0] + move.rule - 1];
}

static void add_actor(const struct position *position, struct actors *actors, cell_index cell)
{
    int owner = 0;
    while (owner < actors->count && actors->list[owner].cell != cell)
        owner++;
    int participant = actors->count++;
    actors->owners[participant] = (uint8_t)owner;
    actors->list[participant] = (struct actor){.cell = cell, .figure = position->cells[cell]};
}

/* Finds what the move matches, before anything is changed, and who acts in it; returns the number
 * of matches. */
static int prepare_move(struct position *position, struct move move, struct actors *actors,
                        int *clicked)
{
    const struct complex_instance *instance = move_instance(position, move);
    if (instance == NULL) {
        const struct candidate *candidate = rule_find_simple(position, move.from, move.to);
        assert(candidate != NULL);
        add_actor(position, actors, move.from);
        *clicked = 0;
        return rule_match_simple(position, candidate, move.from, position->matches);
    }
    const struct game *game = position->game;
    for (int i = 0; i < game->complex[instance->movement].participant_count; i++)
        add_actor(position, actors, game->places[instance->first_place + (uint32_t)i].source);
    *clicked = instance->clicked;
    return rule_match_complex(position, instance, position->matches);
}

void position_make(struct position *position, struct move move, struct undo *undo)
{
    if (undo == NULL)
        undo = position->scratch;
    undo->hash = position->hash;
    undo->move_number = position->move_number;
    undo->state = position->state;
    undo->winner = position->winner;
    undo->change_count = 0;

    struct actors actors = {.count = 0};
    int clicked = 0;
    int count = prepare_move(position, move, &actors, &clicked);
    assert(count > 0);
    struct cell_record *figure = &actors.list[actors.owners[clicked]].figure;
    if (figure->moves_made < UINT16_MAX)
        figure->moves_made++;
    write_cell(position, undo, move.from, *figure);
    run_matches(position, undo, &actors, count);
    position->ply++;
    machine_advance(position);
}

void position_unmake(struct position *position, struct move move, const struct undo *undo)
{
    (void)move;
    for (uint32_t i = undo->change_count; i-- > 0;)
        position_write(position, undo->changes[i].cell, undo->changes[i].before);
    assert(position->hash == undo->hash);
    position->move_number = undo->move_number;
    position->state = undo->state;
    position->winner = undo->winner;
    position->ply--;
}
