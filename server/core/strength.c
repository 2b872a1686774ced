#include "server/core/strength.h"

#include "server/core/glicko.h"

#include <assert.h>
#include <math.h>

#define HUNDREDTHS 100.0
#define MILLIONTHS 1000000.0

static struct glicko read_strength(const struct store_strength *strength)
{
    return (struct glicko){(double)strength->rating / HUNDREDTHS,
                           (double)strength->deviation / HUNDREDTHS,
                           (double)strength->volatility / MILLIONTHS};
}

static struct store_strength write_strength(const struct glicko *player)
{
    return (struct store_strength){llround(player->rating * HUNDREDTHS),
                                   llround(player->deviation * HUNDREDTHS),
                                   llround(player->volatility * MILLIONTHS)};
}

struct store_strength strength_new(void)
{
    struct glicko player = glicko_new();
    return write_strength(&player);
}

static double periods_of(int64_t idle_ms)
{
    return idle_ms > 0 ? (double)idle_ms / STRENGTH_PERIOD_MS : 0;
}

int64_t strength_deviation_after(const struct store_strength *strength, int64_t idle_ms)
{
    struct glicko player = read_strength(strength);
    return llround(glicko_deviation_after(&player, periods_of(idle_ms)) * HUNDREDTHS);
}

int64_t strength_sure_ms(const struct store_strength *strength)
{
    struct glicko player = read_strength(strength);
    double periods = glicko_periods_below(&player, STRENGTH_SURE / HUNDREDTHS);
    return (int64_t)(periods * STRENGTH_PERIOD_MS);
}

static int64_t between(int64_t value, int64_t least, int64_t most)
{
    if (value < least)
        return least;
    return value > most ? most : value;
}

static struct store_strength keep_in_bounds(struct store_strength strength)
{
    strength.rating = between(strength.rating, STRENGTH_RATING_LEAST, STRENGTH_RATING_MOST);
    strength.deviation =
        between(strength.deviation, STRENGTH_DEVIATION_LEAST, strength_new().deviation);
    strength.volatility = between(strength.volatility, 1, STRENGTH_VOLATILITY_MOST);
    return strength;
}

void strength_rate(struct store_rated_game *game)
{
    struct glicko before[STORE_SIDES_MAX];
    assert(game->side_count == STORE_SIDES_MAX);
    for (int i = 0; i < STORE_SIDES_MAX; i++)
        before[i] = read_strength(&game->sides[i].before);
    for (int i = 0; i < STORE_SIDES_MAX; i++) {
        struct store_rated_side *side = &game->sides[i], *other = &game->sides[1 - i];
        struct glicko_result result = {.opponent = before[1 - i], .score = side->score / 2.0};
        result.opponent.deviation =
            glicko_deviation_after(&before[1 - i], periods_of(other->idle_ms));
        struct glicko after = glicko_after(&before[i], &result, 1, periods_of(side->idle_ms));
        side->after.strength = keep_in_bounds(write_strength(&after));
    }
}
