#include "engine/load/compile.h"
#include "engine/load/notation_definition.h"

#include <string.h>

/* --- copies ----------------------------------------------------------------------------------- */

static void *copy_items(struct game *game, const void *items, size_t count, size_t size)
{
    void *copy = game_allocate(game, count, size);
    if (count > 0)
        memcpy(copy, items, count * size);
    return copy;
}

static const char *copy_text(struct game *game, const char *text)
{
    return text != NULL ? game_copy_text(game, text) : NULL;
}

static const char *const *copy_texts(struct game *game, const char *const *texts, size_t count)
{
    if (texts == NULL)
        return NULL;
    const char **copy = game_allocate(game, count, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = copy_text(game, texts[i]);
    return copy;
}

/* --- fields ----------------------------------------------------------------------------------- */

/* Which figures leave a mark, and how they go when they do: from a text that names only the marked cell, who made the
 * mark is found by these. */
static void find_makers(struct compiler *compiler, struct notation_field *field)
{
    const struct definition *definition = compiler->definition;
    struct game *game = compiler->game;
    struct mark_maker *makers = game_allocate(game, MARK_MAKERS_MAX, sizeof *makers);
    for (int code = 1; code < game->code_count; code++) {
        const struct movement_list *list =
            &definition->figures[game->code_figures[code]].movement[game->code_players[code]];
        for (int i = 0; i < list->count && field->maker_count < MARK_MAKERS_MAX; i++) {
            const struct movement *movement = &list->movements[i];
            if (!movement->modern || movement->mark != field->mark)
                continue;
            struct mark_maker *maker = &makers[field->maker_count++];
            maker->code = (uint16_t)code;
            maker->min_steps = movement->min_steps;
            maker->max_steps = movement->max_steps;
            memcpy(maker->delta, movement->delta, sizeof maker->delta);
        }
    }
    field->makers = makers;
}

static const struct notation_field *copy_fields(struct compiler *compiler,
                                                const struct notation_tables *tables)
{
    struct game *game = compiler->game;
    struct notation_field *fields =
        copy_items(game, tables->fields, (size_t)tables->field_count, sizeof *fields);
    for (int i = 0; i < tables->field_count; i++) {
        struct notation_field *field = &fields[i];
        field->text = copy_text(game, field->text);
        struct unmoved_letter *letters =
            copy_items(game, field->letters, (size_t)field->letter_count, sizeof *letters);
        field->letters = letters;
        for (int k = 0; k < field->letter_count; k++) {
            letters[k].text = copy_text(game, letters[k].text);
            letters[k].cells = copy_items(game, letters[k].cells, (size_t)letters[k].cell_count,
                                          sizeof *letters[k].cells);
        }
        if (field->kind == FIELD_MARK)
            find_makers(compiler, field);
    }
    return fields;
}

static void copy_counters(const struct definition *definition, struct notation_tables *tables)
{
    tables->slot_count = definition->counter_slot_count;
    for (int i = 0; i < definition->counter_count; i++) {
        const struct counter_definition *counter = &definition->counters[i];
        int slots = counter->per_player ? definition->player_count : 1;
        for (int k = 0; k < slots; k++)
            tables->counters[counter->first_slot + k] = (int16_t)counter->start;
    }
}

/* --- moves ------------------------------------------------------------------------------------ */

static void copy_moves(struct compiler *compiler, const struct notation_definition *definition,
                       struct notation_tables *tables)
{
    struct game *game = compiler->game;
    struct coordinate_notation *coordinate = &tables->coordinate;
    struct algebraic_notation *algebraic = &tables->algebraic;
    coordinate->separator = copy_text(game, coordinate->separator);
    coordinate->take = copy_text(game, coordinate->take);
    coordinate->choice = copy_text(game, coordinate->choice);
    coordinate->pass = copy_text(game, coordinate->pass);
    if (!algebraic->declared)
        return;
    algebraic->letters = copy_texts(game, algebraic->letters, (size_t)game->figure_count);
    algebraic->parts = copy_texts(game, algebraic->parts,
                                  (size_t)algebraic->part_count * (size_t)game->cell_count);
    algebraic->take = copy_text(game, algebraic->take);
    algebraic->choice = copy_text(game, algebraic->choice);
    for (int i = 0; i < algebraic->sign_count; i++) {
        struct notation_sign *sign = &algebraic->signs[i];
        sign->text = copy_text(game, sign->text);
        for (int k = 0; sign->kind == SIGN_TEST && k < game->player_count; k++)
            sign->tests[k] = compile_test(compiler, definition->signs[i][k], (player_index)k);
    }
}

/* --- tests ------------------------------------------------------------------------------------ */

static const struct illegal_text *copy_illegal(struct game *game, const struct game_test *test)
{
    struct illegal_text *illegal =
        copy_items(game, test->illegal, (size_t)test->illegal_count, sizeof *illegal);
    for (int i = 0; i < test->illegal_count; i++) {
        illegal[i].move = copy_text(game, illegal[i].move);
        illegal[i].because = copy_text(game, illegal[i].because);
    }
    return illegal;
}

static const struct game_test *copy_tests(struct game *game, const struct notation_tables *tables)
{
    struct game_test *tests =
        copy_items(game, tables->tests, (size_t)tables->test_count, sizeof *tests);
    for (int i = 0; i < tables->test_count; i++) {
        struct game_test *test = &tests[i];
        test->name = copy_text(game, test->name);
        test->position = copy_text(game, test->position);
        test->moves = copy_texts(game, test->moves, (size_t)test->move_count);
        test->legal = copy_texts(game, test->legal, (size_t)test->legal_count);
        test->illegal = copy_illegal(game, test);
        test->reason = copy_text(game, test->reason);
        test->claim = copy_text(game, test->claim);
        test->after = copy_text(game, test->after);
    }
    return tests;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* What a game has that says nothing: moves by the names of their cells, and no positions. */
static struct notation_tables plain_tables(struct game *game)
{
    const char **letters = game_allocate(game, (size_t)game->code_count, sizeof *letters);
    return (struct notation_tables){
        .letters = letters,
        .choices = letters,
        .coordinate = {.separator = "-",
                       .take = "-",
                       .choice = "=",
                       .pass = "pass",
                       .pass_figure = FIGURE_NONE},
        .pgn_variant = "",
    };
}

void compile_notation(struct compiler *compiler)
{
    struct game *game = compiler->game;
    const struct notation_definition *definition = compiler->definition->notation;
    struct notation_tables *tables = game_allocate(game, 1, sizeof *tables);
    game->notation = tables;
    if (definition == NULL) {
        *tables = plain_tables(game);
        return;
    }
    *tables = definition->tables;
    tables->complex_count = compiler->definition->complex_count;
    tables->letters = copy_texts(game, tables->letters, (size_t)game->code_count);
    tables->choices = copy_texts(game, tables->choices, (size_t)game->code_count);
    size_t cells = (size_t)game->cell_count;
    if (tables->style != POSITION_NONE) {
        tables->order = copy_items(game, tables->order, cells, sizeof *tables->order);
        tables->turns = copy_texts(game, tables->turns, (size_t)game->state_count);
    }
    if (tables->style == POSITION_ROWS)
        tables->ends = copy_items(game, tables->ends, cells, 1);
    tables->players = copy_texts(game, tables->players, (size_t)game->player_count);
    tables->fields = copy_fields(compiler, tables);
    copy_counters(compiler->definition, tables);
    copy_moves(compiler, definition, tables);
    tables->pgn_variant = copy_text(game, tables->pgn_variant);
    tables->tests = copy_tests(game, tables);
}
