/* How long a unit of work takes (engine/work.h), game by game: what everybody asks of a position is asked of those of random
 * games, and of the start position, each within the bound of an answer. Processor time, so that a busy machine changes little.
 *
 *     work_bench [FILE...]     the hostile games of tests/engine/hostile.c, then these files */
#include "engine/load/load.h"
#include "engine/random_move.h"
#include "engine/trial.h"
#include "tests/engine/hostile.h"
#include "tests/support/games.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GAMES = 4, PLIES = 60, REPEATS_NS = 4 * 1000 * 1000 };

struct figures {
    uint64_t units, most_units;
    double ns, most_ns;
};

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* As often as it takes to measure it; the least of the times is nearest to the truth. */
static bool measure(const struct position *position, struct figures *figures)
{
    struct position *copy = position_new(position_game(position));
    struct answers answers;
    uint64_t before = work_spent(), units = 0;
    double least = 0, sum = 0;
    bool enough = true;
    for (int i = 0; i == 0 || (sum < REPEATS_NS && i < 50); i++) {
        position_copy(copy, position);
        before = work_spent();
        double began = now_ns();
        enough = position_answer(copy, NULL, WORK_ANSWER_MAX, &answers);
        double took = now_ns() - began;
        units = work_spent() - before;
        sum += took;
        least = i == 0 || took < least ? took : least;
    }
    position_free(copy);
    figures->units += units;
    figures->ns += least;
    figures->most_units = units > figures->most_units ? units : figures->most_units;
    figures->most_ns = least > figures->most_ns ? least : figures->most_ns;
    return enough;
}

static void bench(const char *name, const char *text)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    uint64_t load_before = work_spent();
    double began = now_ns();
    struct game *game = game_load(text, strlen(text), NULL, &diagnostics);
    double load_ns = now_ns() - began;
    uint64_t load_units = work_spent() - load_before;
    if (game == NULL) {
        printf("| %-28s | refused: %s: %s\n", name, diagnostics.list[0].pointer,
               diagnostics.list[0].message);
        diagnostics_release(&diagnostics);
        return;
    }
    diagnostics_release(&diagnostics);
    struct figures figures = {0};
    struct position *position = position_new(game);
    struct move *moves = calloc((size_t)game_facts(game)->moves_max + 1, sizeof *moves);
    assert(moves != NULL);
    uint64_t seed = 1;
    bool enough = true;
    for (int i = 0; i < GAMES && enough; i++) {
        position_reset(position);
        for (int ply = 0; ply < PLIES && (enough = measure(position, &figures)); ply++) {
            struct move move;
            if (position_outcome(position).kind != OUTCOME_PLAYING ||
                !random_move(position, &seed, moves, &move))
                break;
            position_make(position, move, NULL);
        }
    }
    struct trial trial = game_try(game);
    printf("| %-28s | %8llu | %8.1f | %5.2f | %s | %8llu | %6.1f | %6.2f |\n", name,
           (unsigned long long)figures.most_units, figures.most_ns / 1000,
           figures.ns / (double)figures.units,
           trial.verdict == TRIAL_FINE            ? "admitted"
           : trial.verdict == TRIAL_TOO_MUCH_WORK ? "too much"
                                                  : "too many",
           (unsigned long long)load_units, load_ns / 1e6, load_ns / (double)(load_units + 1));
    free(moves);
    position_free(position);
    game_release(game);
}

int main(int argc, char **argv)
{
    printf("| game | most units | at most us | ns a unit | trial | units to load | ms | ns a unit "
           "|\n");
    printf("|---|--:|--:|--:|---|--:|--:|--:|\n");
    for (int i = 0; i < hostile_count(); i++) {
        char *text = hostile_text(i, 0);
        bench(hostile_name(i), text);
        free(text);
    }
    for (int i = 1; i < argc; i++) {
        const char *base = strrchr(argv[i], '/');
        char *text = test_read_game(argv[i], NULL);
        if (text == NULL) {
            fprintf(stderr, "work_bench: cannot read %s\n", argv[i]);
            return 1;
        }
        bench(base != NULL ? base + 1 : argv[i], text);
        free(text);
    }
    return 0;
}
