#include "server/core/ladder.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PLAYERS_OF_RATED = 2 };

const char ladder_own_words[] = "only games of the server's own are";

/* Below so many milliseconds for all turns. */
static const struct {
    const char *word;
    uint64_t below_ms;
} speeds[LADDER_SPEEDS] = {
    {"bullet", 180000},
    {"blitz", 480000},
    {"rapid", 1500000},
    {"classical", UINT64_C(6) * 3600 * 1000},
    {"correspondence", UINT64_MAX},
};

const char *ladder_speed_of(int number)
{
    assert(number >= 0 && number < LADDER_SPEEDS);
    return speeds[number].word;
}

const char *ladder_speed(const struct time_budget *budget)
{
    uint64_t all_ms = clock_game_ms(budget);
    int i = 0;
    while (i < LADDER_SPEEDS - 1 && all_ms >= speeds[i].below_ms)
        i++;
    return speeds[i].word;
}

const char *ladder_speed_word(const char *ladder)
{
    const char *slash = strrchr(ladder, '/');
    return slash ? slash + 1 : "";
}

/* Without a clock nobody would ever have to lose. Among more than two players a game ends when one resigns, and says nothing of
 * the others. */
const char *ladder_refuses(const struct game *game, const struct time_control *clock)
{
    if (game_facts(game)->player_count != PLAYERS_OF_RATED)
        return "only games for two are";
    if (!clock->is_set)
        return "a rated game has a clock";
    for (int i = 0; i < game_facts(game)->player_count; i++)
        if (!time_budget_equal(time_control_of(clock, game_facts(game)->player_names[i]),
                               &clock->all))
            return "all players have the same time";
    return NULL;
}

void ladder_write(const char *game, const char *speed, char ladder[STORE_LADDER_BYTES + 1])
{
    int length = snprintf(ladder, STORE_LADDER_BYTES + 1, "%s/%s", game, speed);
    assert(length > 0 && length <= STORE_LADDER_BYTES);
    (void)length;
}

void ladder_of(const char *game, const struct standing *standing,
               char ladder[STORE_LADDER_BYTES + 1])
{
    assert(standing->rated && standing->has_clocks);
    ladder_write(game, ladder_speed(&standing->budgets[0]), ladder);
}
