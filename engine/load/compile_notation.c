#include "engine/load/compile.h"
#include "engine/load/notation_definition.h"

#include <string.h>

/* --- fields ----------------------------------------------------------------------------------- */

/* Which figures leave a mark, and how they go when they do: from a text that names only the marked cell, who made the
 * mark is found by these. */
static void find_makers(struct compiler *compiler, struct notation_field *field)
{
    struct game *game = compiler->game;
    struct mark_maker *makers = game_allocate(game, MARK_MAKERS_MAX, sizeof *makers);
    for (int code = 1; code < game->code_count; code++) {
        const struct movement_list *list = compiler_movements(compiler, code - 1);
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

static const struct notation_field *compile_fields(struct compiler *compiler,
                                                   const struct notation_tables *tables)
{
    size_t count = (size_t)tables->field_count;
    struct notation_field *fields = game_allocate(compiler->game, count, sizeof *fields);
    for (size_t i = 0; i < count; i++) {
        fields[i] = tables->fields[i];
        if (fields[i].kind == FIELD_MARK)
            find_makers(compiler, &fields[i]);
    }
    return fields;
}

static void copy_counters(const struct definition *definition, struct notation_tables *tables)
{
    tables->slot_count = definition->counter_slot_count;
    for (int i = 0; i < definition->counter_count; i++) {
        const struct counter_rule *counter = &definition->counters[i];
        int slots = counter->per_player ? definition->player_count : 1;
        for (int k = 0; k < slots; k++)
            tables->counters[counter->first_slot + k] = (int16_t)counter->start;
    }
}

/* --- moves ------------------------------------------------------------------------------------ */

static void compile_signs(struct compiler *compiler, const struct notation_definition *definition,
                          struct algebraic_notation *algebraic)
{
    for (int i = 0; i < algebraic->sign_count; i++)
        for (int k = 0; algebraic->signs[i].kind == SIGN_TEST && k < compiler->game->player_count;
             k++)
            algebraic->signs[i].tests[k] =
                compile_test(compiler, definition->signs[i][k], (player_index)k);
}

/* --- all of it -------------------------------------------------------------------------------- */

void compile_notation(struct compiler *compiler)
{
    struct game *game = compiler->game;
    const struct notation_definition *definition = compiler->definition->notation;
    struct notation_tables *tables = game_allocate(game, 1, sizeof *tables);
    game->notation = tables;
    *tables = definition->tables;
    tables->complex_count = compiler->definition->complex_count;
    tables->fields = compile_fields(compiler, tables);
    copy_counters(compiler->definition, tables);
    compile_signs(compiler, definition, &tables->algebraic);
}
