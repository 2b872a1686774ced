#include "tests/simulation/games_on_offer.h"

#include "engine/load/load.h"
#include "tests/server/core/games.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two kings who wander until one of them happens to find the far corner: hundreds of moves that cost little. */
static const char game_of_wander[] =
    "{\"format\":2,\"name\":\"wander\",\"players\":[\"red\",\"green\"],"
    "\"cell\":{\"coordinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1],[0,1]],"
    "\"position\":{\"x\":\"x\",\"y\":\"y\"}},"
    "\"board\":{\"cells\":{\"box\":{\"x\":5,\"y\":5}}},\"zones\":{\"corner\":\"x == 4 && y == 4\"},"
    "\"figures\":{\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"for\":\"move\"}]}},"
    "\"turns\":[\"red\",\"green\"],"
    "\"initial_position\":{\"red\":{\"king\":[\"0_0\"]},\"green\":{\"king\":[\"1_1\"]}},"
    "\"results\":[{\"if\":{\"count\":{\"is\":{\"player\":\"mover\",\"zone\":\"corner\"},\"min\":1}}"
    ","
    "\"result\":{\"winner\":\"mover\"},\"reason\":\"the corner\"}]}";

/* The one thing all worlds share; nothing in it changes once it is there. */
static struct game_on_offer offer[GAMES_ON_OFFER] = {
    {.id = "two", .weight = 35},        {.id = "three", .weight = 20},
    {.id = "hops", .weight = 10},       {.id = "places", .weight = 5},
    {.id = "chess", .weight = 10},      {.id = "checkers", .weight = 5},
    {.id = "intellector", .weight = 5}, {.id = "international-draughts", .weight = 5},
    {.id = "wander", .weight = 5},
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
    if (strcmp(id, "wander") == 0)
        return strdup(game_of_wander);
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
