#include "engine/position.h"

#include "engine/memory/memory.h"
#include "engine/state.h"
#include "engine/work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- memory ----------------------------------------------------------------------------------- */

static size_t bit_words(const struct game *game)
{
    size_t sets = (size_t)game->player_count + (size_t)game->figure_count;
    if (game->format == 2)
        sets += 3; /* unmoved, pending, visited */
    return sets * (size_t)game->words;
}

size_t position_value_bytes(const struct game *game)
{
    size_t cells = (size_t)game->cell_count * sizeof(struct cell_record);
    return offsetof(struct position, words) - offsetof(struct position, hash) +
           bit_words(game) * sizeof(uint64_t) + cells;
}

static size_t align(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* The sets of an undo record lie behind its changes. */
static size_t undo_changes_bytes(const struct game *game)
{
    return align(sizeof(struct undo) + (size_t)game->changes_max * sizeof(struct cell_change));
}

static size_t undo_bytes(const struct game *game)
{
    size_t sets = game->continues ? 2 * (size_t)game->words * sizeof(uint64_t) : 0;
    return undo_changes_bytes(game) + align(sets);
}

static struct undo *lay_undo(const struct game *game, void *memory)
{
    struct undo *undo = memory;
    undo->sets = NULL;
    if (game->continues)
        undo->sets = (void *)((unsigned char *)memory + undo_changes_bytes(game));
    return undo;
}

/* Of format 2: how many undo records a search along a turn needs. */
static int line_count(const struct game *game)
{
    if (game->most_taken)
        return LINE_MAX;
    return game->can_go_on ? 1 : 0;
}

static size_t moves_bytes(const struct game *game)
{
    bool priorities = game->take_first || game->most_taken || game->can_go_on;
    return priorities ? align((size_t)game->moves_max * sizeof(struct move)) : 0;
}

/* Everything behind the value, in the order in which it is laid out. */
static size_t scratch_bytes(const struct game *game)
{
    size_t undos = 1;
    if (game->format == 2)
        undos += 1 + (size_t)line_count(game);
    return align(sizeof(struct asking)) + align((size_t)game->matches_max * sizeof(struct match)) +
           undos * undo_bytes(game) + align((size_t)game->history_max * sizeof(uint64_t)) +
           moves_bytes(game);
}

static void lay_scratch(struct position *position, unsigned char *memory)
{
    const struct game *game = position->game;
    position->asking = (void *)memory;
    position->asking->stuck = -1;
    memory += align(sizeof(struct asking));
    position->matches = (void *)memory;
    memory += align((size_t)game->matches_max * sizeof(struct match));
    position->scratch = lay_undo(game, memory);
    memory += undo_bytes(game);
    if (game->format != 2)
        return;
    position->trial = lay_undo(game, memory);
    memory += undo_bytes(game);
    for (int i = 0; i < line_count(game); i++, memory += undo_bytes(game))
        position->line[i] = lay_undo(game, memory);
    position->history = (void *)memory;
    memory += align((size_t)game->history_max * sizeof(uint64_t));
    position->moves = (void *)memory;
}

static size_t aligned_value_bytes(const struct game *game)
{
    return align(offsetof(struct position, hash) + position_value_bytes(game));
}

size_t position_bytes(const struct game *game)
{
    return aligned_value_bytes(game) + scratch_bytes(game);
}

struct position *position_new(const struct game *game)
{
    size_t value = aligned_value_bytes(game);
    unsigned char *memory = memory_zeroed(1, position_bytes(game));
    struct position *position = (void *)memory;
    /* The one place where a game loses its const: only the count of references changes. */
    position->game = game_retain((struct game *)game);
    position->cells = (void *)(position->words + bit_words(game));
    lay_scratch(position, memory + value);
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
    memcpy(&to->hash, &from->hash, position_value_bytes(to->game));
    if (from->turn.history_count == 0)
        return; /* there may be no ring */
    /* The ring's earlier positions, each in its place: up to the end of the ring, and what goes on at its beginning. */
    size_t room = (size_t)to->game->history_max, first = from->turn.history_first;
    size_t count = from->turn.history_count;
    size_t before_end = count < room - first ? count : room - first;
    memcpy(to->history + first, from->history + first, before_end * sizeof *to->history);
    memcpy(to->history, from->history, (count - before_end) * sizeof *to->history);
}

/* The value, and behind it what the ring of earlier positions holds, the oldest first. */
size_t position_saved_bytes(const struct position *position)
{
    return position_value_bytes(position->game) + position->turn.history_count * sizeof(uint64_t);
}

void position_save(const struct position *position, void *bytes)
{
    size_t value = position_value_bytes(position->game);
    unsigned char *keys = (unsigned char *)bytes + value;
    memcpy(bytes, &position->hash, value);
    for (int i = 0; i < position->turn.history_count; i++) {
        int slot = (position->turn.history_first + i) % position->game->history_max;
        memcpy(keys + (size_t)i * sizeof(uint64_t), &position->history[slot], sizeof(uint64_t));
    }
}

void position_restore(struct position *position, const void *bytes)
{
    size_t value = position_value_bytes(position->game);
    const unsigned char *keys = (const unsigned char *)bytes + value;
    memcpy(&position->hash, bytes, value);
    for (int i = 0; i < position->turn.history_count; i++) {
        int slot = (position->turn.history_first + i) % position->game->history_max;
        memcpy(&position->history[slot], keys + (size_t)i * sizeof(uint64_t), sizeof(uint64_t));
    }
}

struct undo *undo_new(const struct game *game)
{
    void *memory = memory_zeroed(1, undo_bytes(game));
    return lay_undo(game, memory);
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

/* Few cells of many differ, so runs of cells are compared first. */
int position_difference(const struct position *position, const struct position *other,
                        cell_index *cells)
{
    enum { RUN = 8 };
    int all = position->game->cell_count, count = 0;
    assert(other->game == position->game);
    for (int run = 0; run < all; run += RUN) {
        int end = run + RUN < all ? run + RUN : all;
        const struct cell_record *a = position->cells, *b = other->cells;
        if (memcmp(a + run, b + run, (size_t)(end - run) * sizeof *a) == 0)
            continue;
        for (int i = run; i < end; i++)
            if (memcmp(a + i, b + i, sizeof *a) != 0)
                cells[count++] = (cell_index)i;
    }
    return count;
}

state_index position_state(const struct position *position)
{
    return position->state;
}

player_index position_to_move(const struct position *position)
{
    const struct machine_state *state = &position->game->states[position->state];
    if (position->turn.result != 0)
        return PLAYER_NONE;
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

/* --- changing cells --------------------------------------------------------------------------- */

void position_write_back(struct position *position, cell_index cell, struct cell_record record)
{
    const struct game *game = position->game;
    unsigned before = position->cells[cell].code;
    if (before != 0) {
        bits_reset(position_player_words(position, game->code_players[before]), cell);
        bits_reset(position_figure_words(position, game->code_figures[before]), cell);
    }
    position->cells[cell] = record;
    if (record.code != 0) {
        bits_set(position_player_words(position, game->code_players[record.code]), cell);
        bits_set(position_figure_words(position, game->code_figures[record.code]), cell);
    }
}

void position_write(struct position *position, cell_index cell, struct cell_record record)
{
    const struct game *game = position->game;
    if (position->cells[cell].code != 0)
        position->hash ^= position_key(game, cell, position->cells[cell]);
    if (record.code != 0)
        position->hash ^= position_key(game, cell, record);
    position_write_back(position, cell, record);
}

/* Whoever stands on a cell that is changed has moved, or is gone. */
static bool lose_unmoved(struct position *position, cell_index cell)
{
    if (!position->game->tracks_unmoved || !bits_test(position_unmoved_words(position), cell))
        return false;
    bits_reset(position_unmoved_words(position), cell);
    position->hash ^= hash_unmoved(cell);
    return true;
}

void position_go(struct position *position, struct undo *undo, cell_index from, cell_index to,
                 struct cell_record record)
{
    static const struct cell_record nothing = {0};
    const struct game *game = position->game;
    struct cell_record before = position->cells[from], taken = position->cells[to];
    assert(undo->change_count == 0 && game->changes_max >= 2 && record.code == before.code);
    work_spend((uint64_t)2 * WORK_CHANGE);
    undo->changes[0] = (struct cell_change){from, before, lose_unmoved(position, from)};
    undo->changes[1] = (struct cell_change){to, taken, lose_unmoved(position, to)};
    undo->change_count = 2;
    undo->went = true;
    if (taken.code != 0) {
        bits_reset(position_player_words(position, game->code_players[taken.code]), to);
        bits_reset(position_figure_words(position, game->code_figures[taken.code]), to);
        position->hash ^= position_key(game, to, taken);
    }
    uint64_t *owner = position_player_words(position, game->code_players[record.code]);
    uint64_t *kind = position_figure_words(position, game->code_figures[record.code]);
    bits_reset(owner, from);
    bits_reset(kind, from);
    bits_set(owner, to);
    bits_set(kind, to);
    position->hash ^= position_key(game, from, before) ^ position_key(game, to, record);
    position->cells[from] = nothing;
    position->cells[to] = record;
}

/* Whether all that was changed is what position_go does. */
static bool only_went(const struct position *position, const struct undo *undo)
{
    const struct cell_change *from = &undo->changes[0], *to = &undo->changes[1];
    return undo->went && undo->change_count == 2 && position->cells[from->cell].code == 0 &&
           position->cells[to->cell].code == from->before.code;
}

static void go_back(struct position *position, const struct cell_change *from,
                    const struct cell_change *to)
{
    const struct game *game = position->game;
    uint64_t *owner = position_player_words(position, game->code_players[from->before.code]);
    uint64_t *kind = position_figure_words(position, game->code_figures[from->before.code]);
    bits_reset(owner, to->cell);
    bits_reset(kind, to->cell);
    bits_set(owner, from->cell);
    bits_set(kind, from->cell);
    if (to->before.code != 0) {
        bits_set(position_player_words(position, game->code_players[to->before.code]), to->cell);
        bits_set(position_figure_words(position, game->code_figures[to->before.code]), to->cell);
    }
    position->cells[to->cell] = to->before;
    position->cells[from->cell] = from->before;
}

void position_come_back(struct position *position, const struct undo *undo)
{
    bool went = only_went(position, undo);
    if (went)
        go_back(position, &undo->changes[0], &undo->changes[1]);
    for (uint32_t i = undo->change_count; i-- > 0;) {
        const struct cell_change *change = &undo->changes[i];
        if (!went)
            position_write_back(position, change->cell, change->before);
        if (change->unmoved)
            bits_set(position_unmoved_words(position), change->cell);
    }
}

void position_change(struct position *position, struct undo *undo, cell_index cell,
                     struct cell_record record)
{
    const struct game *game = position->game;
    bool unmoved = lose_unmoved(position, cell);
    uint32_t i = 0;
    while (i < undo->change_count && undo->changes[i].cell != cell)
        i++;
    work_spend(WORK_CHANGE + i / 4);
    if (i == undo->change_count) {
        assert(i < (uint32_t)game->changes_max);
        undo->changes[i].cell = cell;
        undo->changes[i].before = position->cells[cell];
        undo->changes[i].unmoved = unmoved;
        undo->change_count++;
    }
    if (game->format == 2 && !game->tracks_history)
        record.moves_made = record.last_move = 0;
    position_write(position, cell, record);
}

/* --- setting up ------------------------------------------------------------------------------- */

/* A figure put by hand is not unmoved; its history is kept only where the game asks for it. */
static void put_modern(struct position *position, cell_index cell, struct cell_record *record)
{
    if (!position->game->tracks_history)
        record->moves_made = record->last_move = 0;
    if (!position_unmoved(position, cell))
        return;
    bits_reset(position_unmoved_words(position), cell);
    position->hash ^= hash_unmoved(cell);
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
    if (game->format == 2)
        put_modern(position, cell, &record);
    position_write(position, cell, record);
}

static bool begins_with(const struct game *game, cell_index cell, unsigned code)
{
    for (int i = 0; i < game->placement_count; i++)
        if (game->placements[i].cell == cell)
            return game->placements[i].code == code;
    return false;
}

/* Only a figure on a cell where the game began with it can be unmoved, and only where something asks is it kept. */
void position_set_unmoved(struct position *position, cell_index cell)
{
    const struct game *game = position->game;
    assert(cell < game->cell_count);
    unsigned code = position->cells[cell].code;
    if (!game->tracks_unmoved || code == 0 || position_unmoved(position, cell) ||
        !game_contents_set_has(game, game->unmoved_codes, code) || !begins_with(game, cell, code))
        return;
    bits_set(position_unmoved_words(position), cell);
    position->hash ^= hash_unmoved(cell);
}

bool position_unmoved(const struct position *position, cell_index cell)
{
    return position->game->format == 2 && bits_test(position_unmoved_words(position), cell);
}

void position_set_mark(struct position *position, int mark, cell_index cell, cell_index maker)
{
    assert(mark >= 0 && mark < position->game->mark_count);
    position->turn.marks[mark] = (struct mark){.cell = cell, .maker = maker};
}

bool position_mark(const struct position *position, int mark, cell_index *cell, cell_index *maker)
{
    assert(mark >= 0 && mark < position->game->mark_count);
    *cell = position->turn.marks[mark].cell;
    *maker = position->turn.marks[mark].maker;
    return *cell != CELL_NONE;
}

void position_set_counter(struct position *position, int slot, int value)
{
    assert(slot >= 0 && slot < position->game->counter_slot_count);
    assert(value >= 0 && value <= COUNTER_VALUE_MAX);
    position->turn.counters[slot] = (int16_t)value;
}

int position_counter(const struct position *position, int slot)
{
    assert(slot >= 0 && slot < position->game->counter_slot_count);
    return position->turn.counters[slot];
}

cell_index position_active(const struct position *position)
{
    const struct game *game = position->game;
    if (game->format != 2)
        return CELL_NONE;
    if (position->turn.active == CELL_NONE && game->states[position->state].same_figure)
        return position->turn.last.stands;
    return position->turn.active;
}

bool position_pending(const struct position *position, cell_index cell)
{
    const struct game *game = position->game;
    assert(cell < game->cell_count);
    return game->format == 2 && game->continues &&
           bits_test(position_pending_words(position), cell);
}
