#include "engine/load/compile.h"
#include "engine/notation/tables.h"

static void compile_signs(struct compiler *compiler, struct algebraic_notation *algebraic)
{
    for (int i = 0; i < algebraic->sign_count; i++)
        for (int k = 0; algebraic->signs[i].kind == SIGN_TEST && k < compiler->game->player_count;
             k++)
            algebraic->signs[i].tests[k] =
                compile_test(compiler, algebraic->signs[i].tests[k], (player_index)k);
}

void compile_notation(struct compiler *compiler)
{
    struct game *game = compiler->game;
    struct notation_tables *tables = game_allocate(game, 1, sizeof *tables);
    game->notation = tables;
    *tables = *compiler->definition->notation;
    compile_signs(compiler, &tables->algebraic);
}
