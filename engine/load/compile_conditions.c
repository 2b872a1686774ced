#include "engine/load/compile.h"
#include "engine/work.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* --- rows ------------------------------------------------------------------------------------- */

static const cell_index *lay_row(struct compiler *compiler, const int *delta)
{
    struct game *game = compiler->game;
    cell_index *row = game_allocate(game, (size_t)game->cell_count, sizeof *row);
    for (int cell = 0; cell < game->cell_count; cell++) {
        int at[DIMENSIONS_MAX];
        for (int i = 0; i < game->dimension_count; i++)
            at[i] = game_cell_coordinates(game, (cell_index)cell)[i] + delta[i];
        row[cell] = game_cell_at(game, at);
    }
    compiler->cells_looked_up += (size_t)game->cell_count;
    work_spend((uint64_t)game->cell_count * WORK_CANDIDATE);
    return row;
}

const cell_index *compile_row(struct compiler *compiler, const int *delta)
{
    size_t bytes = (size_t)compiler->game->dimension_count * sizeof *delta;
    struct row_entry *entries = COMPILER_ITEMS(compiler, rows, struct row_entry);
    work_spend(compiler->rows.count);
    for (size_t i = 0; i < compiler->rows.count; i++)
        if (memcmp(entries[i].delta, delta, bytes) == 0)
            return entries[i].row;
    struct row_entry *entry = table_add(&compiler->rows, 1);
    memcpy(entry->delta, delta, bytes);
    const cell_index *row = lay_row(compiler, delta);
    entry->row = row;
    return row;
}

const cell_index *const *compile_row_list(struct compiler *compiler,
                                          const int (*deltas)[DIMENSIONS_MAX], int count)
{
    const cell_index **rows = game_allocate(compiler->game, (size_t)count, sizeof *rows);
    for (int i = 0; i < count && !compiler_stopped(compiler); i++)
        rows[i] = compile_row(compiler, deltas[i]);
    return rows;
}

/* --- zones and matches ------------------------------------------------------------------------ */

uint32_t compile_zone(struct compiler *compiler, int zone, player_index player)
{
    if (zone < 0)
        return CELL_SET_ALL;
    const bool *cells = compiler->definition->zones[zone].cells[player];
    uint64_t words[WORDS_MAX] = {0};
    for (int i = 0; i < compiler->game->cell_count; i++)
        if (cells[i])
            bits_set(words, (unsigned)i);
    return compile_cell_set(compiler, words);
}

static uint32_t match_contents(struct compiler *compiler, const struct cell_match *match)
{
    const struct game *game = compiler->game;
    uint64_t words[CONTENTS_WORDS_MAX] = {0};
    if (match->empty)
        bits_set(words, 0);
    for (int code = 1; code < game->code_count; code++)
        if ((match->figures >> game->code_figures[code] & 1) != 0 &&
            (match->players >> game->code_players[code] & 1) != 0)
            bits_set(words, (unsigned)code);
    return compile_contents_set(compiler, words);
}

void compile_match(struct compiler *compiler, const struct cell_match *match, player_index mover,
                   struct cell_test *test)
{
    struct game *game = compiler->game;
    *test = (struct cell_test){
        .contents = match_contents(compiler, match),
        .cells = compile_zone(compiler, match->zone, mover),
        .figures = match->figures,
        .players = match->players,
        .empty = match->empty,
        .hole = match->hole,
        .next_player = match->next_player,
        .negated = match->negated,
        .mark = (int8_t)match->mark,
        .unmoved = (int8_t)match->unmoved,
        .moves_made = match->moves_made,
        .last_move = match->last_move,
        .also_count = match->also_count,
    };
    test->simple = !match->hole && !match->next_player && !match->negated && match->mark < 0 &&
                   match->unmoved < 0 && match->moves_made == TEST_ANY_NUMBER &&
                   match->last_move == TEST_ANY_NUMBER && match->also_count == 0;
    if (match->moves_made != TEST_ANY_NUMBER || match->last_move != TEST_ANY_NUMBER)
        game->tracks_history = true;
    if (match->unmoved >= 0)
        game->tracks_unmoved = game->unmoved_is_key = true;
    struct cell_test *also = game_allocate(game, (size_t)match->also_count, sizeof *also);
    for (int i = 0; i < match->also_count && !compiler_stopped(compiler); i++)
        compile_match(compiler, &match->also[i], mover, &also[i]);
    test->also = also;
    test->by_sets = match->moves_made == TEST_ANY_NUMBER && match->last_move == TEST_ANY_NUMBER;
    for (int i = 0; i < match->also_count; i++)
        test->by_sets = test->by_sets && also[i].by_sets;
}

/* --- trees ------------------------------------------------------------------------------------ */

static enum condition_kind condition_kind(enum test_kind kind)
{
    switch (kind) {
    case TEST_ALL:
        return CONDITION_ALL;
    case TEST_ANY:
        return CONDITION_ANY;
    case TEST_NOT:
        return CONDITION_NOT;
    case TEST_CELL:
        return CONDITION_CELL;
    case TEST_NEIGHBOURS:
        return CONDITION_NEIGHBOURS;
    case TEST_COUNT:
        return CONDITION_COUNT;
    case TEST_ATTACKED:
        return CONDITION_ATTACKED;
    case TEST_ATTACKED_CELL:
        return CONDITION_ATTACKED_CELL;
    case TEST_PREVIOUS:
        return CONDITION_PREVIOUS;
    case TEST_COUNTER:
        return CONDITION_COUNTER;
    case TEST_NEXT:
        return CONDITION_NEXT;
    case TEST_CURRENT_MOVE:
        return CONDITION_CURRENT_MOVE;
    case TEST_MOVES_AFTER_LAST_MOVE:
        return CONDITION_MOVES_AFTER_LAST_MOVE;
    case TEST_REPETITION:
        return CONDITION_REPETITION;
    case TEST_NO_MOVES:
        return CONDITION_NO_MOVES;
    }
    assert(false);
    return CONDITION_ALL;
}

static bool asks_of_cells(enum test_kind kind)
{
    return kind == TEST_CELL || kind == TEST_NEIGHBOURS || kind == TEST_COUNT ||
           kind == TEST_ATTACKED || kind == TEST_PREVIOUS;
}

static void compile_node(struct compiler *compiler, const struct test *test, player_index mover,
                         struct condition_node *node)
{
    struct game *game = compiler->game;
    *node = (struct condition_node){
        .kind = (uint8_t)condition_kind(test->kind),
        .from_target = test->origin == ORIGIN_TARGET,
        .players = test->players,
        .took = (int8_t)test->took,
        .complex = (int8_t)test->complex,
        .passed = (int8_t)test->passed,
        .slot = (int16_t)test->slot,
        .first_slot = (int16_t)test->first_slot,
        .child_count = test->child_count,
        .row_count = test->delta_count,
        .min = test->min,
        .max = test->max,
        .from_cells = CELL_SET_ALL,
        .to_cells = CELL_SET_ALL,
        .taken_figures = test->taken_figures,
        .attackers = test->attackers != 0 ? test->attackers : UINT64_MAX,
        .pointer = text_or_empty(test->pointer),
    };
    if (asks_of_cells(test->kind))
        compile_match(compiler, &test->match, mover, &node->match);
    if (test->kind == TEST_PREVIOUS) {
        node->from_cells = compile_zone(compiler, test->from_zone, mover);
        node->to_cells = compile_zone(compiler, test->to_zone, mover);
    }
    if (test->kind == TEST_MOVES_AFTER_LAST_MOVE)
        game->tracks_history = true;
    node->rows = compile_row_list(compiler, test->deltas, test->delta_count);
    struct condition_node *children =
        game_allocate(game, (size_t)test->child_count, sizeof *children);
    for (int i = 0; i < test->child_count && !compiler_stopped(compiler); i++)
        compile_node(compiler, &test->children[i], mover, &children[i]);
    node->children = children;
}

const struct condition_node *compile_test(struct compiler *compiler, const struct test *test,
                                          player_index mover)
{
    if (test == NULL)
        return NULL;
    struct condition_node *node = game_allocate(compiler->game, 1, sizeof *node);
    compile_node(compiler, test, mover, node);
    return node;
}

/* --- what a tree asks for --------------------------------------------------------------------- */

bool condition_asks(const struct condition_node *node, enum condition_kind kind)
{
    if (node == NULL)
        return false;
    if (node->kind == kind)
        return true;
    for (int i = 0; i < node->child_count; i++)
        if (condition_asks(&node->children[i], kind))
            return true;
    return false;
}

enum tri condition_judge_with_moves(const struct condition_node *node)
{
    if (node == NULL)
        return TRI_YES;
    switch ((enum condition_kind)node->kind) {
    case CONDITION_NO_MOVES:
        return TRI_NO;
    case CONDITION_NOT: {
        enum tri child = condition_judge_with_moves(node->children);
        return child == TRI_ANY ? TRI_ANY : child == TRI_YES ? TRI_NO : TRI_YES;
    }
    case CONDITION_ALL:
    case CONDITION_ANY: {
        enum tri decides = node->kind == CONDITION_ALL ? TRI_NO : TRI_YES;
        enum tri sum = decides == TRI_NO ? TRI_YES : TRI_NO;
        for (int i = 0; i < node->child_count && sum != decides; i++) {
            enum tri child = condition_judge_with_moves(&node->children[i]);
            sum = child == TRI_ANY || child == decides ? child : sum;
        }
        return sum;
    }
    case CONDITION_CELL:
    case CONDITION_NEIGHBOURS:
    case CONDITION_COUNT:
    case CONDITION_ATTACKED:
    case CONDITION_ATTACKED_CELL:
    case CONDITION_PREVIOUS:
    case CONDITION_COUNTER:
    case CONDITION_NEXT:
    case CONDITION_CURRENT_MOVE:
    case CONDITION_MOVES_AFTER_LAST_MOVE:
    case CONDITION_REPETITION:
        break;
    }
    return TRI_ANY;
}

bool condition_denies(const struct condition_node *node, enum condition_kind kind)
{
    if (node == NULL)
        return false;
    if (node->kind == CONDITION_NOT)
        return condition_asks(node->children, kind);
    for (int i = 0; i < node->child_count; i++)
        if (condition_denies(&node->children[i], kind))
            return true;
    return false;
}

static bool asks_only_contents(const struct cell_test *test)
{
    if (test->cells != CELL_SET_ALL || test->next_player || test->mark >= 0 || test->unmoved >= 0 ||
        test->moves_made != NUMBER_ANY || test->last_move != NUMBER_ANY)
        return false;
    for (int i = 0; i < test->also_count; i++)
        if (!asks_only_contents(&test->also[i]))
            return false;
    return true;
}

bool condition_asks_only_material(const struct condition_node *node)
{
    switch ((enum condition_kind)node->kind) {
    case CONDITION_ALL:
    case CONDITION_ANY:
    case CONDITION_NOT:
        for (int i = 0; i < node->child_count; i++)
            if (!condition_asks_only_material(&node->children[i]))
                return false;
        return true;
    case CONDITION_COUNT:
        return asks_only_contents(&node->match);
    case CONDITION_CELL:
    case CONDITION_NEIGHBOURS:
    case CONDITION_ATTACKED:
    case CONDITION_ATTACKED_CELL:
    case CONDITION_PREVIOUS:
    case CONDITION_COUNTER:
    case CONDITION_NEXT:
    case CONDITION_CURRENT_MOVE:
    case CONDITION_MOVES_AFTER_LAST_MOVE:
    case CONDITION_REPETITION:
    case CONDITION_NO_MOVES:
        break;
    }
    return false;
}

static bool same_contents(const struct cell_test *a, const struct cell_test *b)
{
    if (a->contents != b->contents || a->negated != b->negated || a->also_count != b->also_count)
        return false;
    for (int i = 0; i < a->also_count; i++)
        if (!same_contents(&a->also[i], &b->also[i]))
            return false;
    return true;
}

bool condition_same_material(const struct condition_node *a, const struct condition_node *b)
{
    if (a->kind != b->kind || a->child_count != b->child_count)
        return false;
    for (int i = 0; i < a->child_count; i++)
        if (!condition_same_material(&a->children[i], &b->children[i]))
            return false;
    return a->kind != CONDITION_COUNT ||
           (a->min == b->min && a->max == b->max && same_contents(&a->match, &b->match));
}

/* Three values, as the two cells alone leave it: a match that only asks for a zone is decided by the cell. */
static enum tri judge_cell(const struct compiler *compiler, const struct condition_node *node,
                           cell_index self, cell_index target)
{
    const struct cell_test *match = &node->match;
    cell_index origin = node->from_target ? target : self;
    cell_index cell = node->row_count > 0 ? node->rows[0][origin] : origin;
    if (match->negated || match->also_count > 0)
        return TRI_ANY;
    if (cell == CELL_NONE)
        return match->hole ? TRI_YES : TRI_NO;
    if (!bits_test(compiler_cell_set(compiler, match->cells), cell))
        return TRI_NO;
    return match->simple && match->contents == compiler->contents_all ? TRI_YES : TRI_ANY;
}

enum tri condition_judge(const struct compiler *compiler, const struct condition_node *node,
                         cell_index self, cell_index target)
{
    if (node == NULL)
        return TRI_YES;
    if (!work_spend(2))
        return TRI_ANY;
    switch ((enum condition_kind)node->kind) {
    case CONDITION_CELL:
        return judge_cell(compiler, node, self, target);
    case CONDITION_NOT: {
        enum tri child = condition_judge(compiler, node->children, self, target);
        return child == TRI_ANY ? TRI_ANY : child == TRI_YES ? TRI_NO : TRI_YES;
    }
    case CONDITION_ALL:
    case CONDITION_ANY: {
        enum tri decides = node->kind == CONDITION_ALL ? TRI_NO : TRI_YES;
        enum tri sum = decides == TRI_NO ? TRI_YES : TRI_NO;
        for (int i = 0; i < node->child_count; i++) {
            enum tri child = condition_judge(compiler, &node->children[i], self, target);
            if (child == decides)
                return decides;
            if (child == TRI_ANY)
                sum = TRI_ANY;
        }
        return sum;
    }
    case CONDITION_NEIGHBOURS:
    case CONDITION_COUNT:
    case CONDITION_ATTACKED:
    case CONDITION_ATTACKED_CELL:
    case CONDITION_PREVIOUS:
    case CONDITION_COUNTER:
    case CONDITION_NEXT:
    case CONDITION_CURRENT_MOVE:
    case CONDITION_MOVES_AFTER_LAST_MOVE:
    case CONDITION_REPETITION:
    case CONDITION_NO_MOVES:
        break;
    }
    return TRI_ANY;
}
