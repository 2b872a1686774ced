/* The tests a game file brings along ("tests"): positions, and what must be so in them. */
#ifndef ENGINE_GAME_TESTS_H
#define ENGINE_GAME_TESTS_H

#include "engine/game.h"
#include "engine/position.h"

enum {
    GAME_TESTS_MAX = 64,
    GAME_TEST_MOVES_MAX = 512,
    GAME_TEST_LIST_MAX = 64, /* legal ones, illegal ones */
    GAME_TEST_DEPTH_MAX = 8,
    GAME_TEST_NODES_MAX = 1000000,
    GAME_TEST_POSITION_BYTES_MAX = 4096,
    GAME_TEST_WORDS_BYTES = 512,
};

struct illegal_text {
    const char *move;
    const char *because; /* NULL: whatever the reason */
};

struct game_test {
    const char *name;
    int number;           /* its place in the file */
    int players;          /* how many the game is for; 0: all */
    const char *position; /* NULL: the start */
    int move_count, legal_count, illegal_count;
    const char *const *moves, *const *legal;
    const struct illegal_text *illegal;
    int perft[GAME_TEST_DEPTH_MAX]; /* from depth 1 on; -1: not asked */
    int count;                      /* the same */
    int result;                     /* enum outcome_kind; -1: not asked */
    player_index who;               /* has won, or lost */
    const char *reason;             /* NULL: any */
    const char *claim;              /* NULL: not asked; "": nothing may be claimed */
    const char *flag;               /* the same, when the time of who is to move is over */
    const char *after;              /* NULL: not asked */
};

/* Those for as many players as the game is loaded for, and those for all. */
const struct game_test *game_tests(const struct game *game, int *count);
/* The one with this place in the file; NULL: it is for another number of players. */
const struct game_test *game_test_numbered(const struct game *game, int number);

/* Whether all of it is so; if not, the first thing that is not, in a sentence. Takes bounded time. */
bool game_test_run(const struct game *game, const struct game_test *test,
                   char words[GAME_TEST_WORDS_BYTES]);
/* "it is a draw: stalemate" */
void game_tests_describe(const struct game *game, struct outcome outcome, char *words, size_t size);

#endif
