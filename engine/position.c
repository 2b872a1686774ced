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
    enum { UNMOVED_PENDING_VISITED = 3 };
    return (size_t)(game->player_count + game->figure_count + UNMOVED_PENDING_VISITED) *
           (size_t)game->words;
}

/* As many as hold the hands, so that the cells behind them are aligned. */
static size_t hand_words(const struct game *game)
{
    return game->has_hands ? ((size_t)game->piece_count + 3) / 4 : 0;
}

size_t position_value_bytes(const struct game *game)
{
    size_t words = bit_words(game) + hand_words(game), cells = (size_t)game->cell_count;
    return offsetof(struct position, words) - offsetof(struct position, turn) +
           words * sizeof(uint64_t) + cells * sizeof(struct cell_record);
}

static size_t align(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* The next part of memory that is laid out, or, where there is none (NULL), measured. */
static void *lay_part(unsigned char *memory, size_t *used, size_t bytes)
{
    void *part = memory != NULL ? memory + *used : NULL;
    *used += align(bytes);
    return part;
}

/* What is taken back as a whole. */
static size_t beside_bytes(const struct game *game)
{
    size_t words = 2 * (size_t)game->words + hand_words(game);
    return game->continues || game->has_hands ? words * sizeof(uint64_t) : 0;
}

static struct undo *lay_undo(const struct game *game, unsigned char *memory, size_t *used)
{
    struct undo *undo =
        lay_part(memory, used, sizeof *undo + (size_t)game->changes_max * sizeof *undo->changes);
    void *beside = lay_part(memory, used, beside_bytes(game));
    if (undo != NULL) {
        undo->beside = beside;
        undo->beside_bytes = beside_bytes(game);
    }
    return undo;
}

/* How many undo records a search along a turn needs. */
static int line_count(const struct game *game)
{
    if (game->most_taken)
        return LINE_MAX;
    return game->can_go_on ? 1 : 0;
}

/* Everything behind the value; how many bytes it takes. */
static size_t lay_scratch(const struct game *game, struct position *position, unsigned char *memory)
{
    bool priorities = game->take_first || game->most_taken || game->can_go_on;
    size_t used = 0;
    position->asking = lay_part(memory, &used, sizeof *position->asking);
    position->matches =
        lay_part(memory, &used, (size_t)game->matches_max * sizeof *position->matches);
    position->scratch = lay_undo(game, memory, &used);
    for (int i = 0; i < 1 + game->forbids_stuck; i++)
        position->trials[i] = lay_undo(game, memory, &used);
    for (int i = 0; i < line_count(game); i++)
        position->line[i] = lay_undo(game, memory, &used);
    position->history =
        lay_part(memory, &used, (size_t)game->history_max * sizeof *position->history);
    position->keys_alike = lay_part(memory, &used, game->history_max > 0 ? HISTORY_ALIKE : 0);
    position->moves =
        lay_part(memory, &used, priorities ? (size_t)game->moves_max * sizeof *position->moves : 0);
    return used;
}

static size_t aligned_value_bytes(const struct game *game)
{
    return align(offsetof(struct position, turn) + position_value_bytes(game));
}

size_t position_bytes(const struct game *game)
{
    struct position measured;
    return aligned_value_bytes(game) + lay_scratch(game, &measured, NULL);
}

struct position *position_lay(struct game *game, void *memory)
{
    struct position *position = memory;
    position->game = game;
    position->unmoved = position_figure_words(position, game->figure_count);
    position->pending = position->unmoved + game->words;
    position->visited = position->pending + game->words;
    position->hands = game->has_hands ? (void *)(position->visited + game->words) : NULL;
    position->cells = (void *)(position->words + bit_words(game) + hand_words(game));
    lay_scratch(game, position, (unsigned char *)memory + aligned_value_bytes(game));
    position->asking->stuck = -1;
    position_reset(position);
    return position;
}

struct position *position_new(const struct game *game)
{
    /* The one place where a game loses its const: only the count of references changes. */
    return position_lay(game_retain((struct game *)game), memory_zeroed(1, position_bytes(game)));
}

void position_free(struct position *position)
{
    if (position == NULL)
        return;
    game_release(position->game);
    free(position);
}

/* What the ring of earlier positions holds, the oldest first. */
static uint64_t key_at(const struct position *position, int number)
{
    return position->history[position_key_slot(position, number)];
}

void position_copy(struct position *to, const struct position *from)
{
    assert(to->game == from->game);
    memcpy(&to->turn, &from->turn, position_value_bytes(to->game));
    for (int i = 0; i < from->turn.history_count; i++)
        position_put_key(to, i, key_at(from, i));
    to->turn.history_first = 0;
}

/* The value, and behind it what the ring of earlier positions holds, the oldest first. */
size_t position_saved_bytes(const struct position *position)
{
    return position_value_bytes(position->game) + position->turn.history_count * sizeof(uint64_t);
}

void position_save(const struct position *position, void *bytes)
{
    size_t value = position_value_bytes(position->game);
    memcpy(bytes, &position->turn, value);
    for (int i = 0; i < position->turn.history_count; i++) {
        uint64_t key = key_at(position, i);
        memcpy((char *)bytes + value + (size_t)i * sizeof key, &key, sizeof key);
    }
}

void position_restore(struct position *position, const void *bytes)
{
    size_t value = position_value_bytes(position->game);
    memcpy(&position->turn, bytes, value);
    for (int i = 0; i < position->turn.history_count; i++) {
        uint64_t key;
        memcpy(&key, (const char *)bytes + value + (size_t)i * sizeof key, sizeof key);
        position_put_key(position, i, key);
    }
    position->turn.history_first = 0;
}

struct undo *undo_new(const struct game *game)
{
    size_t bytes = 0, used = 0;
    lay_undo(game, NULL, &bytes);
    return lay_undo(game, memory_zeroed(1, bytes), &used);
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

int position_difference(const struct position *position, const struct position *other,
                        cell_index *cells)
{
    const struct cell_record *a = position->cells, *b = other->cells;
    int count = 0;
    assert(other->game == position->game);
    for (int i = 0; i < position->game->cell_count; i++)
        if (memcmp(&a[i], &b[i], offsetof(struct cell_record, unmoved)) != 0)
            cells[count++] = (cell_index)i;
    return count;
}

int position_hand(const struct position *position, player_index player, figure_index figure)
{
    assert(player < position->game->player_count && figure < position->game->figure_count);
    return (int)position_held(position, player, figure);
}

state_index position_state(const struct position *position)
{
    return position->turn.state;
}

player_index position_to_move(const struct position *position)
{
    return position->turn.result == 0 ? position_state_player(position) : PLAYER_NONE;
}

uint32_t position_move_number(const struct position *position)
{
    return position->turn.move_number;
}

uint32_t position_ply(const struct position *position)
{
    return position->turn.ply;
}

/* --- changing cells --------------------------------------------------------------------------- */

/* Contents come to a cell or leave it: in the bit sets. Of nothing one set changes twice. */
static inline void flip(struct position *position, cell_index cell, unsigned code)
{
    struct code_sets sets = position->game->code_sets[code];
    uint64_t *words = position->words + cell / WORD_BITS;
    uint64_t bit = UINT64_C(1) << (cell % WORD_BITS);
    words[sets.player] ^= bit;
    words[sets.figure] ^= bit;
}

static void flip_unmoved(struct position *position, cell_index cell)
{
    position->unmoved[cell / WORD_BITS] ^= UINT64_C(1) << (cell % WORD_BITS);
    position->unmoved_hash ^= hash_unmoved(cell);
}

static void write_back(struct position *position, cell_index cell, struct cell_record record)
{
    struct cell_record before = position->cells[cell];
    if (before.code != 0)
        flip(position, cell, before.code);
    if (record.code != 0)
        flip(position, cell, record.code);
    if (before.unmoved != record.unmoved)
        flip_unmoved(position, cell);
    position->cells[cell] = record;
}

void position_write(struct position *position, cell_index cell, struct cell_record record)
{
    const struct game *game = position->game;
    position->turn.hash ^=
        position_key(game, cell, position->cells[cell]) ^ position_key(game, cell, record);
    write_back(position, cell, record);
}

/* What stood before on `from` goes to `to`; or, which changes the same, comes back. The bits of one word are changed
 * together: changing it once more would have to wait for the first change. */
static inline __attribute__((always_inline)) void
flip_way(struct position *position, const struct cell_change *from, const struct cell_change *to)
{
    const unsigned code = from->before.code;
    struct code_sets sets = position->game->code_sets[code];
    uint64_t *words = position->words + from->cell / WORD_BITS;
    uint64_t bits = UINT64_C(1) << (from->cell % WORD_BITS) ^ UINT64_C(1) << (to->cell % WORD_BITS);
    if (from->cell / WORD_BITS == to->cell / WORD_BITS) {
        words[sets.player] ^= bits;
        words[sets.figure] ^= bits;
    } else {
        flip(position, from->cell, code);
        flip(position, to->cell, code);
    }
    if (to->before.code != 0)
        flip(position, to->cell, to->before.code);
    if (from->before.unmoved != 0)
        flip_unmoved(position, from->cell);
    if (to->before.unmoved != 0)
        flip_unmoved(position, to->cell);
}

/* Records are copied from place to place: kept in variables, they would be taken to pieces and put together again. */
void position_go(struct position *position, struct undo *undo, cell_index from, cell_index to)
{
    const struct game *game = position->game;
    struct cell_record *here = &position->cells[from], *there = &position->cells[to];
    const uint16_t code = here->code;
    assert(undo->change_count == 0 && game->changes_max >= 2 && !game->tracks_history);
    work_spend((uint64_t)2 * WORK_CHANGE);
    undo->changes[0].before = *here;
    undo->changes[0].cell = from;
    undo->changes[1].before = *there;
    undo->changes[1].cell = to;
    undo->change_count = 2;
    undo->went = true;
    uint64_t hash = position_key(game, from, *here);
    if (there->code != 0)
        hash ^= position_key(game, to, *there);
    flip_way(position, &undo->changes[0], &undo->changes[1]);
    *here = *there = cell_empty;
    there->code = code;
    position->turn.hash ^= hash ^ position_key(game, to, *there);
}

void position_come_back(struct position *position, const struct undo *undo)
{
    if (undo->went) {
        const struct cell_change *from = &undo->changes[0], *to = &undo->changes[1];
        flip_way(position, from, to);
        position->cells[to->cell] = to->before;
        position->cells[from->cell] = from->before;
        return;
    }
    for (uint32_t i = undo->change_count; i-- > 0;)
        write_back(position, undo->changes[i].cell, undo->changes[i].before);
}

void position_change(struct position *position, struct undo *undo, cell_index cell,
                     struct cell_record record)
{
    const struct game *game = position->game;
    uint32_t i = 0;
    while (i < undo->change_count && undo->changes[i].cell != cell)
        i++;
    work_spend(WORK_CHANGE + i / 4);
    if (i == undo->change_count) {
        assert(i < (uint32_t)game->changes_max);
        undo->changes[i] = (struct cell_change){position->cells[cell], cell};
        undo->change_count++;
    }
    undo->went = false;
    if (game->tracks_history)
        record.unmoved = 0;
    else
        record = (struct cell_record){.code = record.code};
    position_write(position, cell, record);
}

void position_keep(struct position *position, unsigned piece, unsigned count)
{
    position->turn.hash ^= hash_hand(piece, position->hands[piece]) ^ hash_hand(piece, count);
    position->hands[piece] = (uint16_t)count;
}

/* --- setting up ------------------------------------------------------------------------------- */

void position_set_hand(struct position *position, player_index player, figure_index figure,
                       int count)
{
    const struct game *game = position->game;
    assert(game->has_hands && player < game->player_count && figure < game->figure_count);
    assert(count >= 0 && count <= HAND_MAX);
    position_keep(position, game_code(game, figure, player) - 1U, (unsigned)count);
}

/* A figure put by hand is not unmoved; its history is kept only where the game asks for it. */
void position_put(struct position *position, cell_index cell, struct contents contents)
{
    const struct game *game = position->game;
    assert(cell < game->cell_count);
    struct cell_record record = cell_empty;
    if (contents.figure != FIGURE_NONE) {
        assert(contents.figure < game->figure_count && contents.player < game->player_count);
        record.code = game_code(game, contents.figure, contents.player);
        record.moves_made = game->tracks_history ? contents.moves_made : 0;
        record.last_move = game->tracks_history ? contents.last_move : 0;
    }
    position_write(position, cell, record);
}

/* Only a figure on a cell where the game began with it can be unmoved, and only where something asks is it kept. */
void position_set_unmoved(struct position *position, cell_index cell)
{
    const struct game *game = position->game;
    assert(cell < game->cell_count);
    struct cell_record record = position->cells[cell];
    if (!game->tracks_unmoved || record.code == 0 ||
        !game_contents_set_has(game, game->unmoved_codes, record.code) ||
        game->start[cell] != record.code)
        return;
    record.unmoved = 1;
    position_write(position, cell, record);
}

bool position_unmoved(const struct position *position, cell_index cell)
{
    return position->cells[cell].unmoved != 0;
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

cell_index position_active(const struct position *position)
{
    if (position->turn.active == CELL_NONE && position_stage(position)->same_figure)
        return position->turn.last.stands;
    return position->turn.active;
}

bool position_pending(const struct position *position, cell_index cell)
{
    assert(cell < position->game->cell_count);
    return position_waits(position, cell);
}
