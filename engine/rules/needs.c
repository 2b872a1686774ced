#include "engine/rules/needs.h"

bool needs_few(const struct position *position, const struct condition_needs *needs)
{
    unsigned players = needs->few_players;
    int most = needs->few_most;
    if (needs->few_next && position_state_player(position) != PLAYER_NONE)
        players |= 1U << position_state_player(position);
    for (; players != 0; players &= players - 1)
        most -= bits_count(position_player_words(position, (int)word_lowest(players)),
                           position->game->words);
    return most >= 0;
}

bool needs_cells(const struct position *position, const struct condition_needs *needs)
{
    const int words = position->game->words;
    const uint64_t *cells = game_cell_set(position->game, needs->some_cells);
    uint64_t some = 0;
    for (uint64_t left = needs->absent; left != 0; left &= left - 1)
        if (!bits_empty(position_figure_words(position, (int)word_lowest(left)), words))
            return false;
    for (int i = 0; i < words && needs->some_players != 0; i++)
        some |= matching_players(position, needs->some_players, i) & cells[i];
    return needs->some_players == 0 || some != 0;
}
