#include "tests/simulation/games_on_offer.h"

#include "engine/load/load.h"
#include "tests/server/core/games.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one thing all worlds share; nothing in it changes once it is there. */
static struct game_on_offer offer[GAMES_ON_OFFER] = {
    {.id = "two", .weight = 35},        {.id = "three", .weight = 20},
    {.id = "hops", .weight = 10},       {.id = "places", .weight = 5},
    {.id = "chess", .weight = 10},      {.id = "checkers", .weight = 5},
    {.id = "intellector", .weight = 5}, {.id = "international-draughts", .weight = 10},
};

static char *text_of_game(const char *id)
{
    char path[64];
    if (strcmp(id, "two") == 0)
        return strdup(game_of_two);
    if (strcmp(id, "three") == 0)
        return strdup(game_of_three);
    if (strcmp(id, "hops") == 0)
        return strdup(game_of_hops);
    if (strcmp(id, "places") == 0)
        return strdup(game_of_places);
    snprintf(path, sizeof path, "games/%s.json", id);
    return test_read_file(path, NULL);
}

struct game_on_offer *games_on_offer(void)
{
    for (int i = 0; i < GAMES_ON_OFFER; i++) {
        if (offer[i].game)
            continue;
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics);
        offer[i].text = text_of_game(offer[i].id);
        assert_non_null(offer[i].text);
        offer[i].length = strlen(offer[i].text);
        offer[i].game = game_load(offer[i].text, offer[i].length, NULL, &diagnostics);
        assert_non_null(offer[i].game);
        diagnostics_release(&diagnostics);
    }
    return offer;
}

void games_on_offer_release(void)
{
    for (int i = 0; i < GAMES_ON_OFFER; i++) {
        game_release(offer[i].game);
        free(offer[i].text);
        offer[i].game = NULL;
    }
}
