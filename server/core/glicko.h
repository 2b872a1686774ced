/* How strong a player is, as far as games have shown: Glicko-2, as Mark Glickman's paper "Example of the Glicko-2 system"
 * says it (tests/server/core/glicko_test.c has its worked example).
 *
 * A rating is uncertain by its *deviation*: in nineteen of twenty cases the player's strength is within two of it. It shrinks with
 * every game and grows with the time in which none is played, by the *volatility*: how much the player's results have varied.
 * Time is counted in rating periods, and a part of one is a part. */
#ifndef SERVER_CORE_GLICKO_H
#define SERVER_CORE_GLICKO_H

struct glicko {
    double rating, deviation, volatility;
};

/* What came of a game: 1 won, 0.5 drawn, 0 lost. */
struct glicko_result {
    struct glicko opponent; /* as before the game */
    double score;
};

/* Somebody of whom nothing is known. */
struct glicko glicko_new(void);
/* The deviation of one who has not played for so many periods. */
double glicko_deviation_after(const struct glicko *player, double periods);
/* For how many periods without a game the deviation stays below `deviation`; 0: it is above already. */
double glicko_periods_below(const struct glicko *player, double deviation);
/* After `count` games in a time of `periods`. */
struct glicko glicko_after(const struct glicko *player, const struct glicko_result *results,
                           int count, double periods);

#endif
