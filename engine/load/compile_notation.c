#include "engine/load/compile.h"
#include "engine/notation/tables.h"

/* --- counters --------------------------------------------------------------------------------- */

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

static void compile_signs(struct compiler *compiler, struct algebraic_notation *algebraic)
{
    for (int i = 0; i < algebraic->sign_count; i++)
        for (int k = 0; algebraic->signs[i].kind == SIGN_TEST && k < compiler->game->player_count;
             k++)
            algebraic->signs[i].tests[k] =
                compile_test(compiler, algebraic->signs[i].tests[k], (player_index)k);
}

/* --- all of it -------------------------------------------------------------------------------- */

void compile_notation(struct compiler *compiler)
{
    struct game *game = compiler->game;
    struct notation_tables *tables = game_allocate(game, 1, sizeof *tables);
    game->notation = tables;
    *tables = *compiler->definition->notation;
    tables->complex_count = compiler->definition->complex_count;
    copy_counters(compiler->definition, tables);
    compile_signs(compiler, &tables->algebraic);
}
