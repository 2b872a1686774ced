#include "tests/engine/modern_parts.h"

#include <string.h>

static void read_hand(struct modern *game, const json_t *hand, int player)
{
    const char *kind;
    json_t *count;
    json_object_foreach((json_t *)hand, kind, count)
    {
        figure_index figure = game_find_figure(game->loaded, kind, strlen(kind));
        game->start.hands[player][figure] = (int)json_integer_value(count);
    }
}

/* In the order of the file: what comes later counts. */
void read_hands(struct modern *game)
{
    const char *name;
    json_t *hand;
    json_object_foreach((json_t *)say(game, game->root, "hands"), name, hand)
    {
        for (int player = 0; player < game->players; player++)
            if (strcmp(name, "each") == 0 ||
                strcmp(name, game_facts(game->loaded)->player_names[player]) == 0)
                read_hand(game, hand, player);
    }
}

void keep_taken(const struct modern *game, struct modern_position *position, cell_index cell)
{
    figure_index figure = position->cells[cell].figure;
    if (!says(game, game->root, "takes_to", "hand") || figure == FIGURE_NONE)
        return;
    const json_t *figures = json_object_get(game->root, "figures");
    const json_t *words = json_object_get(figures, game_facts(game->loaded)->figure_names[figure]);
    const char *other = json_string_value(say(game, words, "in_hand"));
    if (other != NULL)
        figure = game_find_figure(game->loaded, other, strlen(other));
    if (position->hands[position->mover][figure] < HAND_MAX)
        position->hands[position->mover][figure]++;
}

bool is_from_hand(const struct modern *game, const json_t *entry)
{
    return says(game, entry, "from", "hand");
}

int hand_of(const struct scene *scene, const json_t *words)
{
    const struct modern *game = scene->game;
    const json_t *players = say(game, words, "player"), *figures = say(game, words, "figure");
    int count = 0;
    for (int player = 0; player < game->players; player++) {
        bool meant = players == NULL ? player == scene->mover
                                     : named_player(scene, players, (player_index)player);
        for (int figure = 0; meant && figure < game->figures; figure++)
            if (figures == NULL || named_figure(game, figures, (figure_index)figure))
                count += scene->position->hands[player][figure];
    }
    return count;
}

/* All that is meant together, as many as is said. */
bool hand_holds(const struct scene *scene, const json_t *words)
{
    return between(scene->game, words, hand_of(scene, words));
}
