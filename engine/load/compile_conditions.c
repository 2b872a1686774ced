#include "engine/load/compile.h"
#include "engine/work.h"

#include <string.h>

/* --- rows ------------------------------------------------------------------------------------- */

static const cell_index *lay_row(struct compiler *compiler, struct vector delta)
{
    struct game *game = compiler->game;
    cell_index *row = game_allocate(game, (size_t)game->cell_count, sizeof *row);
    for (int cell = 0; cell < game->cell_count; cell++) {
        int at[DIMENSIONS_MAX];
        for (int i = 0; i < game->dimension_count; i++)
            at[i] = game->cells[cell].coordinates[i] + delta.of[i];
        row[cell] = game_cell_at(game, at);
    }
    compiler->cells_looked_up += (size_t)game->cell_count;
    work_spend((uint64_t)game->cell_count * WORK_CANDIDATE);
    return row;
}

/* Rows are stored once for each delta. */
static const cell_index *compile_row(struct compiler *compiler, struct vector delta)
{
    struct row_entry *entries = compiler->rows.items;
    work_spend(compiler->rows.count);
    for (size_t i = 0; i < compiler->rows.count; i++)
        if (vector_is_among(&entries[i].delta, 1, delta))
            return entries[i].row;
    if (compiler->rows.count == ROWS_MAX)
        compile_too_large(compiler->game);
    struct row_entry *entry = table_add(&compiler->rows);
    entry->delta = delta;
    const cell_index *row = lay_row(compiler, delta);
    entry->row = row;
    return row;
}

struct step compile_step(struct compiler *compiler, struct vector delta)
{
    const struct game *game = compiler->game;
    struct step step = {.row = compile_row(compiler, delta)};
    uint64_t floor[WORDS_MAX] = {0};
    bool same = true;
    for (int cell = 0; cell < game->cell_count; cell++) {
        cell_index next = step.row[cell];
        if (next == CELL_NONE) {
            bits_set(floor, (unsigned)cell);
            continue;
        }
        same &= step.offset == 0 || step.offset == next - cell;
        step.offset = next - cell;
    }
    step.floor = compile_cell_set(compiler, floor);
    if (!same)
        step.offset = 0;
    return step;
}

static const struct step *compile_steps(struct compiler *compiler, const struct vector *deltas,
                                        int count)
{
    struct step *steps = game_allocate(compiler->game, (size_t)count, sizeof *steps);
    for (int i = 0; i < count; i++)
        steps[i] = compile_step(compiler, deltas[i]);
    return steps;
}

const cell_index *const *compile_row_list(struct compiler *compiler, const struct vector *deltas,
                                          int count, struct vector origin)
{
    const cell_index **rows = game_allocate(compiler->game, (size_t)count, sizeof *rows);
    for (int i = 0; i < count; i++)
        rows[i] = compile_row(compiler, vector_plus(deltas[i], -1, origin));
    return rows;
}

const cell_index *const *compile_lines(struct compiler *compiler, const struct vector *deltas,
                                       int count)
{
    const cell_index **rows = game_allocate(compiler->game, 2 * (size_t)count, sizeof *rows);
    for (int i = 0; i < 2 * count; i++)
        rows[i] =
            compile_row(compiler, vector_plus(vector_zero, i % 2 == 0 ? 1 : -1, deltas[i / 2]));
    return rows;
}

/* Keeps the sets, and makes lists of them. */
static const struct beside *list_beside(struct game *game, const uint64_t *sets)
{
    size_t words = (size_t)game->words, cells = (size_t)game->cell_count;
    size_t number = (size_t)bits_count(sets, (int)(cells * words));
    uint32_t *starts = game_allocate(game, cells + 1, sizeof *starts);
    cell_index *list = game_allocate(game, number, sizeof *list), *at = list;
    for (size_t cell = 0; cell < cells; cell++) {
        EACH_BIT (near, sets + cell * words, game->words)
            *at++ = (cell_index)near;
        starts[cell + 1] = (uint32_t)(at - list);
    }
    struct beside *beside = game_allocate(game, 1, sizeof *beside);
    *beside = (struct beside){game_copy(game, sets, cells * words, sizeof *sets), starts, list};
    return beside;
}

/* For each cell the cells that one of the steps leads to or from; equal tables are stored once. */
static const struct beside *compile_beside(struct compiler *compiler, const struct vector *deltas,
                                           int count)
{
    struct game *game = compiler->game;
    size_t words = (size_t)game->words, size = (size_t)game->cell_count * words;
    uint64_t *cells = compile_allocate(game, size, sizeof *cells);
    for (int i = 0; i < count; i++) {
        const cell_index *row = compile_row(compiler, deltas[i]);
        for (int from = 0; from < game->cell_count; from++) {
            cell_index to = row[from];
            if (to == CELL_NONE || to == from)
                continue;
            bits_set(cells + (size_t)from * words, to);
            bits_set(cells + (size_t)to * words, (unsigned)from);
        }
    }
    const struct beside *const *known = compiler->besides.items;
    const struct beside *found = NULL;
    for (size_t i = 0; i < compiler->besides.count && found == NULL && work_spend(size); i++)
        if (memcmp(known[i]->sets, cells, size * sizeof *cells) == 0)
            found = known[i];
    if (found == NULL) {
        const struct beside **entry = table_add(&compiler->besides);
        found = *entry = list_beside(game, cells);
    }
    compile_free(game, cells);
    return found;
}

/* --- zones and matches ------------------------------------------------------------------------ */

uint32_t compile_zone(struct compiler *compiler, int zone, player_index player)
{
    if (zone < 0)
        return CELL_SET_ALL;
    return compile_cell_set(compiler, compiler->definition->zones[zone].cells[player]);
}

static uint32_t match_contents(struct compiler *compiler, const struct cell_test *match)
{
    const struct game *game = compiler->game;
    uint64_t words[CONTENTS_WORDS_MAX] = {0};
    if (match->empty)
        bits_set(words, 0);
    for (int code = 1; code < game->code_count; code++)
        if ((match->figures >> game->code_figures[code] & 1) != 0 &&
            (match->players >> game->code_players[code] & 1) != 0)
            bits_set(words, (unsigned)code);
    return pool_add(&compiler->contents_sets, words);
}

static bool asks_numbers(const struct cell_test *match)
{
    return match->moves_made != NUMBER_ANY || match->last_move != NUMBER_ANY;
}

void compile_match(struct compiler *compiler, player_index mover, struct cell_test *match)
{
    struct game *game = compiler->game;
    match->contents = match_contents(compiler, match);
    match->cells = compile_zone(compiler, match->zone, mover);
    match->simple = !match->hole && !match->next_player && !match->negated &&
                    !cell_test_asks_history(match) && match->also_count == 0;
    match->by_sets = !asks_numbers(match);
    game->tracks_history |= asks_numbers(match);
    if (match->unmoved >= 0)
        game->tracks_unmoved = game->unmoved_is_key = true;
    struct cell_test *also = GAME_COPY(game, match->also, match->also_count);
    for (int i = 0; i < match->also_count; i++) {
        compile_match(compiler, mover, &also[i]);
        match->by_sets = match->by_sets && also[i].by_sets;
    }
    match->also = also;
}

/* The cells from which one of the steps, or its opposite, leads to a hole. */
static uint32_t compile_rim(struct compiler *compiler, const struct vector *deltas, int count)
{
    const cell_index *const *rows = compile_lines(compiler, deltas, count);
    uint64_t cells[WORDS_MAX] = {0};
    for (int i = 0; i < 2 * count; i++)
        for (int cell = 0; cell < compiler->game->cell_count; cell++)
            if (rows[i][cell] == CELL_NONE)
                bits_set(cells, (unsigned)cell);
    return compile_cell_set(compiler, cells);
}

static void settle_cells(struct compiler *compiler, player_index mover, struct selection *selection)
{
    if (selection->end != NULL) {
        struct cell_test *end = GAME_COPY(compiler->game, selection->end, 1);
        compile_match(compiler, mover, end);
        selection->end = end;
    }
    selection->set = selection->cells == SELECT_TERRITORY
                         ? compile_rim(compiler, selection->deltas, selection->row_count)
                         : compile_zone(compiler, selection->zone, mover);
    if (selection_hangs_together(selection->cells)) {
        selection->beside = compile_beside(compiler, selection->deltas, selection->row_count);
        selection->row_count = 0; /* the steps have become that table */
    }
    if (selection->cells == SELECT_ENCLOSED)
        selection->steps = compile_steps(compiler, selection->deltas, selection->row_count);
    if (selection->deltas != NULL) /* those of a line are settled already */
        selection->rows =
            compile_row_list(compiler, selection->deltas, selection->row_count, vector_zero);
    selection->deltas = NULL;
}

void compile_selection(struct compiler *compiler, player_index mover, struct selection *selection)
{
    compile_match(compiler, mover, &selection->match);
    settle_cells(compiler, mover, selection);
}

/* --- trees ------------------------------------------------------------------------------------ */

static void settle_zones(struct compiler *compiler, player_index mover, struct condition_node *node)
{
    struct game *game = compiler->game;
    if (node->zones == NULL)
        return;
    uint32_t *cells =
        game_allocate(game, (size_t)bits_count(node->zones, ZONE_WORDS), sizeof *cells);
    EACH_BIT (zone, node->zones, ZONE_WORDS)
        cells[node->zone_count++] = compile_zone(compiler, zone, mover);
    node->zone_cells = cells;
    node->zones = NULL; /* which was the definition's */
}

/* Adds those of so many cells of its zone along its rows that one cell lies on. */
static void add_spans(const struct compiler *compiler, const struct condition_node *line,
                      cell_index cell, struct table *spans)
{
    const struct cell_test *match = &line->match;
    const uint64_t *zone =
        game_cell_set(compiler->game, match->negated ? CELL_SET_ALL : match->cells);
    for (int row = 0; row < line->row_count; row += 2) {
        cell_index first = cell;
        for (int behind = 0; behind < line->min && first != CELL_NONE; behind++) {
            uint64_t set[WORDS_MAX] = {0};
            cell_index at = first;
            int length = 0;
            for (; length < line->min && at != CELL_NONE && bits_test(zone, at); length++) {
                bits_set(set, at);
                at = line->rows[row][at];
            }
            if (length == line->min)
                memcpy(table_add(spans), set, spans->size);
            first = line->rows[row + 1][first];
        }
    }
}

/* The node itself, or what it comes down to. */
static const struct condition_node *line_within(const struct condition_node *node)
{
    while (node->kind <= CONDITION_ANY && node->child_count == 1)
        node = node->children;
    return node;
}

/* Of some lines. */
static const struct spans *lay_spans(struct compiler *compiler, const struct condition_node *lines,
                                     int count)
{
    enum { SPAN_WORDS_MAX = 4096, SPAN_CELLS_MAX = 8 };
    struct game *game = compiler->game;
    size_t most = 0, units = 0;
    for (int i = 0; i < count; i++) {
        const struct condition_node *line = line_within(&lines[i]);
        size_t cells = (size_t)game->cell_count * (size_t)line->row_count / 2 * (size_t)line->min;
        most += cells;
        units += cells * (size_t)line->min;
        if (line->max < CELLS_MAX || line->min > SPAN_CELLS_MAX ||
            most * (size_t)game->words > SPAN_WORDS_MAX)
            return NULL;
    }
    struct table sets;
    uint32_t *starts = game_allocate(game, (size_t)game->cell_count + 1, sizeof *starts);
    table_init(&sets, game, (size_t)game->words * sizeof(uint64_t));
    work_spend(units);
    for (int cell = 0; cell < game->cell_count; cell++) {
        for (int i = 0; i < count; i++)
            add_spans(compiler, line_within(&lines[i]), (cell_index)cell, &sets);
        starts[cell + 1] = (uint32_t)sets.count;
    }
    struct spans *spans = game_allocate(game, 1, sizeof *spans);
    *spans = (struct spans){.starts = starts, .sets = table_finish(&sets)};
    return spans;
}

/* Of a step and its opposite only one is there (field_lines): a line runs both ways. */
static void settle_line(struct compiler *compiler, struct condition_node *node)
{
    node->rows = compile_lines(compiler, node->deltas, node->row_count);
    node->row_count *= 2;
    node->deltas = NULL;
    node->spans = lay_spans(compiler, node, 1);
}

/* Whether both ask for lines through the same cell, of the same cells but for their zones, which spans know. */
static bool lines_are_alike(const struct condition_node *a, const struct condition_node *b)
{
    return a->kind == CONDITION_LINE && b->kind == CONDITION_LINE && !a->anywhere && !b->anywhere &&
           a->from_target == b->from_target && a->match.simple && b->match.simple &&
           a->match.contents == b->match.contents;
}

/* Of several such lines one is asked for: the spans of all of them are looked at together. */
static void join_lines(struct compiler *compiler, struct condition_node *any)
{
    const struct condition_node *first = line_within(any->children);
    for (int i = 0; i < any->child_count; i++)
        if (!lines_are_alike(first, line_within(&any->children[i])))
            return;
    any->spans = lay_spans(compiler, any->children, any->child_count);
    any->anywhere = false;
    any->from_target = first->from_target;
    any->match = first->match;
    any->match.cells = CELL_SET_ALL;
}

static void settle_node(struct compiler *compiler, player_index mover, struct condition_node *node)
{
    struct game *game = compiler->game;
    if (condition_has_match(node) || node->kind == CONDITION_PREVIOUS)
        compile_match(compiler, mover, &node->match);
    if (node->kind == CONDITION_LINE)
        settle_line(compiler, node);
    settle_zones(compiler, mover, node);
    settle_cells(compiler, mover, &node->selection);
    node->from_cells = compile_zone(compiler, node->from_zone, mover);
    node->to_cells = compile_zone(compiler, node->to_zone, mover);
    game->tracks_history |= node->kind == CONDITION_MOVES_AFTER_LAST_MOVE;
    struct condition_node *children = GAME_COPY(game, node->children, node->child_count);
    for (int i = 0; i < node->child_count; i++)
        settle_node(compiler, mover, &children[i]);
    node->children = children;
    if (node->kind == CONDITION_ANY && node->child_count > 0)
        join_lines(compiler, node);
}

const struct condition_node *compile_test(struct compiler *compiler,
                                          const struct condition_node *test, player_index mover)
{
    if (test == NULL)
        return NULL;
    struct condition_node *node = GAME_COPY(compiler->game, test, 1);
    settle_node(compiler, mover, node);
    return node;
}

void compile_note(struct compiler *compiler, const struct condition_node *node, player_index mover)
{
    if (node != NULL)
        *(struct game_condition *)table_add(&compiler->conditions) =
            (struct game_condition){node, mover};
}

const struct condition_node *
compile_condition(struct compiler *compiler, const struct condition_node *test, player_index mover)
{
    const struct condition_node *node = compile_test(compiler, test, mover);
    compile_note(compiler, node, mover);
    return node;
}

void compile_in_place(struct compiler *compiler, const struct condition_node *test,
                      player_index mover)
{
    if (test != NULL && test->deltas != NULL)
        settle_node(compiler, mover, (struct condition_node *)test);
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

/* --- what is decided at load ------------------------------------------------------------------ */

static enum tri judge_contents(const struct known *known, const struct cell_test *match,
                               bool is_self)
{
    const struct game *game = known->game;
    uint64_t kinds = game->all_figures;
    const unsigned owners = game_everybody(game);
    if (is_self && known->code != 0) {
        bool kind = (match->figures >> game->code_figures[known->code] & 1) != 0;
        bool owner = (match->players >> game->code_players[known->code] & 1) != 0;
        if (kind && owner)
            return cell_test_asks_history(match) ? TRI_ANY : TRI_YES;
        if (!kind || !match->next_player)
            return TRI_NO;
    }
    if (known->code != 0 && !match->empty && (match->figures & kinds) == 0)
        return TRI_NO;
    bool anything = match->empty && (match->figures & kinds) == kinds &&
                    (match->players & owners) == owners && !cell_test_asks_history(match);
    return anything ? TRI_YES : TRI_ANY;
}

static enum tri judge_match(const struct known *known, const struct cell_test *match,
                            cell_index cell)
{
    const uint64_t *cells = game_cell_set(known->game, match->cells);
    enum tri result = TRI_YES;
    work_spend(4);
    if (known->code == 0 && (match->negated || match->also_count > 0))
        return TRI_ANY;
    if (cell == CELL_NONE)
        result = match->hole ? TRI_YES : TRI_NO;
    else if (!bits_test(cells, cell))
        result = TRI_NO;
    else
        result = judge_contents(known, match, cell == known->self);
    for (int i = 0; i < match->also_count; i++)
        result = tri_and(result, judge_match(known, &match->also[i], cell));
    return match->negated ? tri_not(result) : result;
}

/* Of CELL and of neighbours: how many of the cells match, at least and at most. */
static enum tri judge_cells(const struct known *known, const struct condition_node *node)
{
    cell_index origin = node->from_target ? known->target : known->self;
    int least = 0, most = 0;
    for (int i = 0; i < node->row_count; i++) {
        enum tri one = judge_match(known, &node->match, node->rows[i][origin]);
        least += one == TRI_YES;
        most += one != TRI_NO;
    }
    int min = node->kind == CONDITION_CELL ? 1 : node->min;
    if (least >= min && most <= node->max)
        return TRI_YES;
    return most < min || least > node->max ? TRI_NO : TRI_ANY;
}

enum tri condition_judge(const struct known *known, const struct condition_node *node)
{
    if (node == NULL)
        return TRI_YES;
    if (!work_spend(2))
        return TRI_ANY;
    bool cells = known->self != CELL_NONE;
    if (node->kind == CONDITION_CELL && cells)
        return judge_cells(known, node);
    if (node->kind == CONDITION_SELECTED && node->cells == SELECT_NEIGHBOURS && cells &&
        known->code != 0)
        return judge_cells(known, node);
    if (node->kind == CONDITION_NO_MOVES && known->moves && !node->picks)
        return TRI_NO;
    if (node->kind == CONDITION_NO_MOVES && known->stuck)
        return TRI_YES;
    if (node->kind == CONDITION_PREVIOUS && known->moved && node->passed != TRI_ANY)
        return node->passed == TRI_YES ? TRI_NO : TRI_YES;
    if (node->kind == CONDITION_PREVIOUS && known->moved && node->placed == TRI_YES)
        return TRI_NO;
    if (node->kind == CONDITION_NOT)
        return tri_not(condition_judge(known, node->children));
    if (node->kind != CONDITION_ALL && node->kind != CONDITION_ANY)
        return TRI_ANY;
    bool any = node->kind == CONDITION_ANY; /* not all of them not */
    enum tri all = TRI_YES;
    for (int i = 0; i < node->child_count && all != TRI_NO; i++) {
        enum tri child = condition_judge(known, &node->children[i]);
        all = tri_and(all, any ? tri_not(child) : child);
    }
    return any ? tri_not(all) : all;
}
