/* How fast the rules are, on one core: all legal moves of positions from random play, written and counted; moves made
 * and taken back; perft, its leaves counted and made; random games to their end and cut.
 *
 *   engine_bench FILE…      a table, one line a game, rates in millions a second, games in thousands a second
 *   engine_bench --quick FILE…      shorter rounds, for a look
 *
 * Each figure is measured in many short rounds of processor time; the best round says what the code can do, the
 * median what the machine let it do. */
#include "engine/load/load.h"
#include "engine/random_move.h"
#include "tests/support/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    POSITIONS = 2000,
    PLIES_MAX_PLAYED = 120, /* then a new game is begun */
    ROUNDS = 41,
    ROUND_NS = 20 * 1000 * 1000,
    PERFT_ROUNDS = 5,
    GAMES_A_LOOK = 64,
    PLIES_A_LOOK = 512, /* at the clock, while games are played */
};

struct bench {
    struct game *game;
    struct position *positions[POSITIONS];
    struct move *moves;
    struct undo *undo;
    int rounds;
    uint64_t sum; /* of everything found, so that nothing can be left out */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static struct game *read_game(const char *path)
{
    size_t length = 0;
    char *text = test_read_game(path, &length);
    if (text == NULL)
        return NULL;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, length, NULL, &diagnostics);
    diagnostics_release(&diagnostics);
    free(text);
    return game;
}

/* Positions as they come in random games, from the start on. */
static void collect(struct bench *bench)
{
    uint64_t seed = 1;
    struct position *position = position_new(bench->game);
    for (int i = 0; i < POSITIONS; i++) {
        struct move move;
        if (position_ply(position) >= PLIES_MAX_PLAYED || !movegen_any(position))
            position_reset(position);
        bench->positions[i] = position_new(bench->game);
        position_copy(bench->positions[i], position);
        if (random_move(position, &seed, bench->moves, &move))
            position_make(position, move, NULL);
    }
    position_free(position);
}

/* One pass over all positions; returns how many things were done. */
typedef uint64_t (*pass)(struct bench *bench);

static uint64_t pass_all(struct bench *bench)
{
    for (int i = 0; i < POSITIONS; i++)
        bench->sum += (uint64_t)movegen_all(bench->positions[i], bench->moves);
    return POSITIONS;
}

static uint64_t pass_count(struct bench *bench)
{
    for (int i = 0; i < POSITIONS; i++)
        bench->sum += movegen_count(bench->positions[i]);
    return POSITIONS;
}

static uint64_t pass_make(struct bench *bench)
{
    uint64_t made = 0;
    for (int i = 0; i < POSITIONS; i += 10) {
        int count = movegen_all(bench->positions[i], bench->moves);
        for (int k = 0; k < count; k++) {
            position_make(bench->positions[i], bench->moves[k], bench->undo);
            position_unmake(bench->positions[i], bench->undo);
        }
        made += (uint64_t)count;
    }
    return made;
}

static int compare_rates(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Prints best and median of the rounds, in millions a second. */
static void measure(struct bench *bench, pass run)
{
    double rates[ROUNDS];
    for (int round = 0; round < bench->rounds; round++) {
        double start = now(), elapsed = 0;
        uint64_t done = 0;
        while (elapsed < ROUND_NS * 1e-9) {
            done += run(bench);
            elapsed = now() - start;
        }
        rates[round] = (double)done / elapsed / 1e6;
    }
    qsort(rates, (size_t)bench->rounds, sizeof *rates, compare_rates);
    printf("\t%.2f\t%.2f", rates[bench->rounds - 1], rates[bench->rounds / 2]);
}

/* The deepest perft that takes a moment, and its leaves a second: counted, then made. */
static void measure_perft(struct bench *bench)
{
    struct position *position = position_new(bench->game);
    int depth = 1;
    uint64_t before = 1, leaves = perft(position, 1);
    while (depth < 12 && leaves > 0 && leaves * (leaves / before + 1) < UINT64_C(12000000)) {
        before = leaves;
        leaves = perft(position, ++depth);
    }
    double best = 0;
    for (int round = 0; round < PERFT_ROUNDS; round++) {
        double start = now();
        double rate = (double)perft(position, depth) / (now() - start) / 1e6;
        best = rate > best ? rate : best;
    }
    double start = now();
    double made = (double)perft_by(position, depth, PERFT_MADE) / (now() - start) / 1e6;
    printf("\t%.1f\t%d\t%.1f", best, depth, made);
    position_free(position);
}

/* One random game, as whoever searches a game plays it: is it over, a legal move by chance, made. Returns its moves. */
static uint32_t play_game(struct bench *bench, struct position *position, uint64_t *seed,
                          uint32_t plies_max)
{
    uint32_t plies = 0;
    struct move move;
    position_reset(position);
    while (plies < plies_max && position_outcome(position).kind == OUTCOME_PLAYING &&
           random_move(position, seed, bench->moves, &move)) {
        position_make(position, move, NULL);
        plies++;
    }
    return plies;
}

/* Random games from the start, in thousands a second, and their moves in millions. */
static void measure_games(struct bench *bench, uint32_t plies_max)
{
    struct position *position = position_new(bench->game);
    uint64_t seed = 1;
    double start = now(), elapsed = 0;
    uint64_t games = 0, plies = 0;
    while (elapsed < bench->rounds * ROUND_NS * 1e-9) {
        /* To read the clock takes as long as some moves. */
        uint64_t some_games = games + GAMES_A_LOOK, some_plies = plies + PLIES_A_LOOK;
        while (games < some_games && plies < some_plies) {
            plies += play_game(bench, position, &seed, plies_max);
            games++;
        }
        elapsed = now() - start;
    }
    printf("\t%.2f\t%.2f", (double)games / elapsed / 1e3, (double)plies / elapsed / 1e6);
    position_free(position);
}

static bool run(const char *path, int rounds)
{
    static struct bench bench;
    bench.rounds = rounds;
    bench.game = read_game(path);
    if (bench.game == NULL) {
        fprintf(stderr, "%s: cannot be loaded\n", path);
        return false;
    }
    bench.moves = malloc(((size_t)game_facts(bench.game)->moves_max + 1) * sizeof *bench.moves);
    bench.undo = undo_new(bench.game);
    collect(&bench);
    bench.sum = 0;
    pass_all(&bench);
    printf("%s\t%.1f", path, (double)bench.sum / POSITIONS);
    measure(&bench, pass_all);
    measure(&bench, pass_count);
    measure(&bench, pass_make);
    measure_perft(&bench);
    measure_games(&bench, PLIES_MAX);
    measure_games(&bench, 200);
    printf("\n");
    fflush(stdout);
    for (int i = 0; i < POSITIONS; i++)
        position_free(bench.positions[i]);
    free(bench.moves);
    undo_free(bench.undo);
    game_release(bench.game);
    return true;
}

int main(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    if (argc < 2 + quick) {
        fprintf(stderr, "usage: engine_bench [--quick] FILE...\n");
        return 2;
    }
    printf("game\tmoves\tgenerate\tmedian\tcount\tmedian\tmake+unmake\tmedian\tperft\tdepth\tmade\t"
           "games\tmoves\tgames of 200\tmoves\n");
    for (int i = 1 + quick; i < argc; i++)
        if (!run(argv[i], quick ? 9 : ROUNDS))
            return 1;
    return 0;
}
