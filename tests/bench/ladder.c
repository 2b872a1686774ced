/* Which of two bots is stronger: a ladder of levels, or a level beside random moves or beside the other method.
 *
 *     ladder GAMES FILE SPEC SPEC [SPEC...]
 *     ladder longest POSITIONS SPEC FILE [FILE...]
 *
 * Each SPEC plays GAMES games against the next one, half of them on each side, from openings of a few random moves, unless one of
 * the two plays by chance anyway; among several who is first has won. `20-60` as GAMES
 * plays the 40 behind the first 20, so that several can share the work. A SPEC is
 * `random`, or a level, with `a` (alpha-beta) or `m` (Monte-Carlo) behind it where the game is not to say which, and `n2000` for
 * so many nodes instead of its own. Nodes are counted, not time: a busy machine gives the same table. Games that random play
 * has won are told by their numbers. `longest` says of each game what a move took, in processor time, from so many positions that
 * random play has come to. */
#include "engine/bot/searcher.h"
#include "engine/load/load.h"
#include "engine/random_move.h"
#include "engine/work.h"
#include "tests/support/games.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A game for two ends after GAME_PLIES_MAX plies, or after PLIES_PER_CELL for each cell where that is more: go on nineteen lines
 * needs it. Where more play there are half as many for each player. */
enum { OPENING_PLIES = 4, GAME_PLIES_MAX = 400, PLIES_PER_CELL = 4 };

struct spec {
    const char *word;
    bool random;
    int level;
    uint64_t nodes; /* 0: as the level says */
    enum search_method method;
};

struct ladder {
    struct game *game;
    struct judge *judge;
    struct searcher *searcher;
    struct position *position;
    struct move *moves;
    uint64_t nodes; /* of the last search */
    int depth;
};

struct score {
    int won, drawn, lost; /* by the second */
    double longest_s;
};

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static struct spec read_spec(const char *word)
{
    struct spec spec = {
        .word = word, .random = strcmp(word, "random") == 0, .level = (int)strtol(word, NULL, 10)};
    spec.method = strchr(word, 'a') != NULL   ? SEARCH_ALPHA_BETA
                  : strchr(word, 'm') != NULL ? SEARCH_PLAYING_OUT
                                              : SEARCH_BY_GAME;
    const char *nodes = strchr(word, 'n');
    spec.nodes = nodes == NULL || spec.random ? 0 : strtoull(nodes + 1, NULL, 10);
    return spec;
}

static bool choose(struct ladder *ladder, const struct spec *spec, uint64_t *seed,
                   struct move *move, struct score *score)
{
    if (spec->random)
        return random_move(ladder->position, seed, ladder->moves, move);
    struct search_order order = {.level = spec->level,
                                 .nodes = spec->nodes,
                                 .method = spec->method,
                                 .seed = (*seed += 0x9e3779b97f4a7c15)};
    double began = now_s();
    struct search_answer answer = searcher_find(ladder->searcher, ladder->position, &order);
    double took = now_s() - began;
    score->longest_s = took > score->longest_s ? took : score->longest_s;
    ladder->nodes = answer.nodes;
    ladder->depth = answer.depth;
    *move = answer.move;
    return answer.found;
}

/* For the players whose number and the game's add up to an even one, which are the second spec's: 2 won, 1 drawn, 0 lost. */
static int points_of(const struct outcome *outcome, int number)
{
    player_index winner = outcome->rank_count > 0 ? outcome->ranks[0] : outcome->winner;
    if (outcome->kind == OUTCOME_LOST)
        return (outcome->loser + number) % 2 == 0 ? 0 : 2;
    if (winner == PLAYER_NONE)
        return 1;
    return (winner + number) % 2 == 0 ? 2 : 0;
}

static void play(struct ladder *ladder, const struct spec *first, const struct spec *second,
                 int number, struct score *score)
{
    struct position *position = ladder->position;
    uint64_t seed = (uint64_t)(number / 2) * 1000003 + 1;
    struct move move;
    position_reset(position);
    int opening_plies = first->random || second->random ? 0 : OPENING_PLIES;
    const struct game_facts *facts = game_facts(ladder->game);
    int plies = 0, plies_max = facts->cell_count * PLIES_PER_CELL;
    if (plies_max < GAME_PLIES_MAX)
        plies_max = GAME_PLIES_MAX;
    plies_max = plies_max * facts->player_count / 2;
    for (int ply = 0; ply < plies_max && position_outcome(position).rank_count == 0; ply++) {
        player_index mover = position_to_move(position);
        const struct spec *spec = (mover + number) % 2 == 0 ? second : first;
        static const struct spec opening = {.random = true};
        if (mover == PLAYER_NONE ||
            !choose(ladder, ply < opening_plies ? &opening : spec, &seed, &move, score))
            break;
        position_make(position, move, NULL);
        plies++;
    }
    struct outcome outcome = position_outcome(position);
    int points = points_of(&outcome, number);
    score->won += points == 2;
    score->drawn += points == 1;
    score->lost += points == 0;
    if (points == 0 && first->random)
        printf("%s: %s lost number %d, %d plies\n", game_facts(ladder->game)->name, second->word,
               number, plies);
}

static struct game *load(const char *path)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    size_t length;
    char *text = test_read_game(path, &length);
    struct game *game = text != NULL ? game_load(text, length, NULL, &diagnostics) : NULL;
    diagnostics_release(&diagnostics);
    free(text);
    return game;
}

/* False: the file cannot be loaded. */
static bool sit_down(struct ladder *ladder, const char *path)
{
    *ladder = (struct ladder){.game = load(path)};
    if (ladder->game == NULL) {
        fprintf(stderr, "%s cannot be loaded\n", path);
        return false;
    }
    double began = now_s();
    ladder->judge = judge_new(ladder->game);
    printf("%s: judged in %.2f s\n", game_facts(ladder->game)->name, now_s() - began);
    ladder->searcher = searcher_new(ladder->judge);
    ladder->position = position_new(ladder->game);
    ladder->moves = calloc((size_t)game_facts(ladder->game)->moves_max + 1, sizeof(struct move));
    assert(ladder->moves != NULL);
    return true;
}

static void get_up(struct ladder *ladder)
{
    free(ladder->moves);
    position_free(ladder->position);
    searcher_free(ladder->searcher);
    judge_free(ladder->judge);
    game_release(ladder->game);
}

/* --- how long moves take ---------------------------------------------------------------------- */

/* A position from a random game that is not over, somewhere in its first plies. */
static void scatter(struct ladder *ladder, int number)
{
    enum { PLIES = 80 };
    uint64_t seed = (uint64_t)number * 1000003 + 1;
    struct move move;
    position_reset(ladder->position);
    for (int ply = 0; ply < number * 13 % PLIES; ply++) {
        if (!random_move(ladder->position, &seed, ladder->moves, &move))
            return;
        position_make(ladder->position, move, NULL);
    }
}

static void tell_longest(struct ladder *ladder, const struct spec *spec, int positions)
{
    double all_s = 0, longest_s = 0;
    uint64_t nodes = 0, work = 0;
    int longest = 0, moves = 0, depth = 0;
    for (int number = 1; number <= positions; number++) {
        struct score score = {0};
        struct move move;
        uint64_t seed = (uint64_t)number, before = work_spent();
        scatter(ladder, number);
        if (!choose(ladder, spec, &seed, &move, &score))
            continue;
        moves++;
        all_s += score.longest_s;
        work += work_spent() - before;
        nodes += ladder->nodes;
        depth += ladder->depth;
        if (score.longest_s <= longest_s)
            continue;
        longest_s = score.longest_s;
        longest = number;
    }
    int some = moves > 0 ? moves : 1;
    printf("%s: %d moves, %.2f s on average, %.2f s the longest (number %d); %.0f thousand nodes, "
           "depth %.1f, "
           "%.0f M of work, %.2f ns a unit\n",
           game_facts(ladder->game)->name, moves, all_s / some, longest_s, longest,
           (double)nodes / some / 1e3, (double)depth / some, (double)work / some / 1e6,
           all_s / (double)(work > 0 ? work : 1) * 1e9);
    fflush(stdout);
}

static int longest(int count, char **words)
{
    const struct spec spec = read_spec(words[1]);
    for (int i = 2; i < count; i++) {
        struct ladder ladder;
        if (!sit_down(&ladder, words[i]))
            return 1;
        tell_longest(&ladder, &spec, (int)strtol(words[0], NULL, 10));
        get_up(&ladder);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fputs("usage: ladder GAMES FILE SPEC SPEC [SPEC...]\n"
              "       ladder longest POSITIONS SPEC FILE [FILE...]\n",
              stderr);
        return 2;
    }
    if (strcmp(argv[1], "longest") == 0)
        return longest(argc - 2, argv + 2);
    struct ladder ladder;
    if (!sit_down(&ladder, argv[2]))
        return 1;
    for (int i = 3; i + 1 < argc; i++) {
        struct spec first = read_spec(argv[i]), second = read_spec(argv[i + 1]);
        struct score score = {0};
        const char *dash = strchr(argv[1], '-');
        int from = dash == NULL ? 0 : (int)strtol(argv[1], NULL, 10),
            to = (int)strtol(dash == NULL ? argv[1] : dash + 1, NULL, 10);
        int games = to - from;
        for (int number = from; number < to; number++)
            play(&ladder, &first, &second, number, &score);
        printf("%s: %s beside %s: %d won, %d drawn, %d lost, %.0f %% of points; %.2f s the longest "
               "move\n",
               game_facts(ladder.game)->name, second.word, first.word, score.won, score.drawn,
               score.lost, games > 0 ? 100 * (score.won + score.drawn / 2.0) / games : 0.0,
               score.longest_s);
        fflush(stdout);
    }
    get_up(&ladder);
    return 0;
}
