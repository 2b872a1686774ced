/* Format 2: what players put on the board from nowhere, or from the hand. */
#include "engine/load/compile.h"

size_t compile_placings_most(const struct compiler *compiler)
{
    const struct definition *definition = compiler->definition;
    size_t most = 0;
    for (int player = 0; player < definition->player_count; player++) {
        size_t kinds = word_count(placing_list_kinds(&definition->placing[player]));
        if (kinds == 0 && definition->placing[player].count > 0)
            kinds = 1; /* all entries remove: one figure on a cell */
        most = kinds > most ? kinds : most;
    }
    return most * (size_t)definition->cell_count;
}

void compile_placing(struct compiler *compiler, player_index player)
{
    struct game *game = compiler->game;
    struct placing_list *list = &game->placing[player];
    struct placing_rule *rules = GAME_COPY(game, list->rules, list->count);
    for (int i = 0; i < list->count; i++) {
        list->phases |= UINT32_C(1) << rules[i].phase;
        rules[i].cells = compile_zone(compiler, rules[i].zone, player);
        rules[i].condition = compile_condition(compiler, rules[i].condition, player);
        rules[i].needs = condition_find_needs(game, rules[i].condition);
        if (rules[i].removes)
            compile_match(compiler, player, &rules[i].removed);
        game->tracks_previous |= condition_asks(rules[i].condition, CONDITION_PREVIOUS);
        if (rules[i].drops)
            rules[i].step = compile_step(compiler, rules[i].drop);
        bool puts = rules[i].needs.whole && !rules[i].removes;
        rules[i].plain = puts && !rules[i].drops;
        rules[i].sure = puts && (!rules[i].drops || rules[i].cells == CELL_SET_ALL);
    }
    uint64_t kinds = placing_list_kinds(list);
    list->rules = rules;
    list->chooses = (kinds & (kinds - 1)) != 0;
    game->places_figures |= list->count > 0;
}
