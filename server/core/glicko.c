#include "server/core/glicko.h"

#include <assert.h>
#include <math.h>

/* The names and steps of the paper: mu and phi are rating and deviation on its own scale, sigma is the volatility. */
#define SCALE          173.7178
#define RATING_NEW     1500.0
#define DEVIATION_NEW  350.0
#define VOLATILITY_NEW 0.06
#define TAU            0.5 /* how much the volatility may change */
#define CLOSE_ENOUGH   0.000001
#define PI             3.14159265358979323846

enum { ROUNDS_MAX = 100 }; /* a dozen are needed */

struct glicko glicko_new(void)
{
    return (struct glicko){RATING_NEW, DEVIATION_NEW, VOLATILITY_NEW};
}

static double phi_after(double phi, double sigma, double periods)
{
    return sqrt(phi * phi + periods * sigma * sigma);
}

double glicko_deviation_after(const struct glicko *player, double periods)
{
    double deviation = SCALE * phi_after(player->deviation / SCALE, player->volatility, periods);
    return deviation < DEVIATION_NEW ? deviation : DEVIATION_NEW;
}

double glicko_periods_below(const struct glicko *player, double deviation)
{
    double phi = player->deviation / SCALE, wanted = deviation / SCALE, sigma = player->volatility;
    return phi < wanted ? (wanted * wanted - phi * phi) / (sigma * sigma) : 0;
}

/* --- steps 3 and 4: what the games say -------------------------------------------------------- */

struct evidence {
    double v;     /* the variance of the rating by the games alone */
    double delta; /* how much better than expected they went */
};

static struct evidence weigh(double mu, const struct glicko_result *results, int count)
{
    double information = 0, surplus = 0;
    for (int i = 0; i < count; i++) {
        double phi = results[i].opponent.deviation / SCALE;
        double g = 1 / sqrt(1 + 3 * phi * phi / (PI * PI));
        double distance = mu - (results[i].opponent.rating - RATING_NEW) / SCALE;
        double expected = 1 / (1 + exp(-g * distance));
        information += g * g * expected * (1 - expected);
        surplus += g * (results[i].score - expected);
    }
    return (struct evidence){1 / information, surplus / information};
}

/* --- step 5: the new volatility, by the Illinois algorithm -------------------------------------- */

struct volatility {
    double a, phi, v, delta;
};

static double f(const struct volatility *known, double x)
{
    double e = exp(x), variance = known->phi * known->phi + known->v + e;
    return e * (known->delta * known->delta - variance) / (2 * variance * variance) -
           (x - known->a) / (TAU * TAU);
}

static double other_end(const struct volatility *known)
{
    double surprise = known->delta * known->delta - known->phi * known->phi - known->v;
    if (surprise > 0)
        return log(surprise);
    int k = 1;
    while (k < ROUNDS_MAX && f(known, known->a - k * TAU) < 0)
        k++;
    return known->a - k * TAU;
}

static double new_sigma(const struct volatility *known)
{
    double a = known->a, b = other_end(known);
    double f_a = f(known, a), f_b = f(known, b);
    for (int round = 0; fabs(b - a) > CLOSE_ENOUGH && round < ROUNDS_MAX; round++) {
        double c = a + (a - b) * f_a / (f_b - f_a), f_c = f(known, c);
        if (f_c * f_b <= 0) {
            a = b;
            f_a = f_b;
        } else {
            f_a /= 2;
        }
        b = c;
        f_b = f_c;
    }
    return exp(a / 2);
}

struct glicko glicko_after(const struct glicko *player, const struct glicko_result *results,
                           int count, double periods)
{
    assert(count > 0 && periods >= 0);
    double mu = (player->rating - RATING_NEW) / SCALE, phi = player->deviation / SCALE;
    struct evidence evidence = weigh(mu, results, count);
    struct volatility known = {.a = log(player->volatility * player->volatility),
                               .phi = phi,
                               .v = evidence.v,
                               .delta = evidence.delta};
    double sigma = new_sigma(&known), star = phi_after(phi, sigma, periods);
    double phi_new = 1 / sqrt(1 / (star * star) + 1 / evidence.v);
    double mu_new = mu + phi_new * phi_new * evidence.delta / evidence.v;
    return (struct glicko){SCALE * mu_new + RATING_NEW, SCALE * phi_new, sigma};
}
