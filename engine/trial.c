#include "engine/trial.h"

#include "engine/memory/memory.h"
#include "engine/movegen.h"
#include "engine/random_move.h"
#include "engine/work_shares.h"

#include <stdlib.h>

bool position_answer(struct position *position, const struct move *move, uint64_t units,
                     struct answers *answers)
{
    static const struct outcome stopped = {
        .kind = OUTCOME_DRAWN, .winner = PLAYER_NONE, .reason = ANSWERS_TOO_MUCH};
    struct work_stretch stretch = work_begin(units);
    *answers = (struct answers){.claim = outcome_playing};
    if (move != NULL)
        position_make(position, *move, NULL);
    answers->outcome = position_outcome(position);
    if (answers->outcome.kind == OUTCOME_PLAYING) {
        answers->claim = position_claim(position);
        answers->moves = movegen_count(position);
    }
    if (work_end(&stretch))
        return true;
    *answers = (struct answers){.outcome = stopped, .claim = outcome_playing};
    return false;
}

struct trying {
    struct position *position;
    struct move *moves; /* room for the legal ones */
    uint64_t seed;
    struct trial trial;
};

/* All that is asked of a position; false: it is too much. */
static bool stands_questions(struct trying *trying, const struct move *move, int ply)
{
    struct trial *trial = &trying->trial;
    struct answers answers;
    uint64_t before = work_spent();
    struct work_stretch stretch = work_begin(WORK_POSITION_MAX);
    if (move == NULL)
        position_reset(trying->position);
    bool enough = position_answer(trying->position, move, WORK_POSITION_MAX, &answers);
    position_scores(trying->position, (int[PLAYERS_MAX]){0}); /* told with every move */
    enough &= work_end(&stretch);
    uint64_t work = work_spent() - before;
    if (work > trial->most_work)
        trial->most_work = work;
    if (answers.moves > trial->most_moves)
        trial->most_moves = answers.moves;
    trial->ply = ply;
    if (!enough)
        trial->verdict = TRIAL_TOO_MUCH_WORK;
    else if (answers.moves > TRIAL_MOVES_MAX)
        trial->verdict = TRIAL_TOO_MANY_MOVES;
    return trial->verdict == TRIAL_FINE;
}

/* False: some position of the game was too much. */
static bool try_one_game(struct trying *trying, uint64_t work_end_at)
{
    struct move move;
    if (!stands_questions(trying, NULL, 0))
        return false;
    for (int ply = 1; ply <= TRIAL_PLIES_MAX && work_spent() < work_end_at; ply++) {
        if (position_outcome(trying->position).kind != OUTCOME_PLAYING ||
            !random_move(trying->position, &trying->seed, trying->moves, &move))
            return true;
        if (!stands_questions(trying, &move, ply))
            return false;
    }
    return true;
}

static struct trial try_games(const struct game *game)
{
    size_t room = (size_t)game_facts(game)->moves_max + 1;
    struct trying trying = {.position = position_new(game),
                            .moves = memory_bytes(room * sizeof(struct move))};
    uint64_t work_end_at = work_spent() + TRIAL_WORK_MAX;
    for (int i = 0; i < TRIAL_GAMES && (i == 0 || work_spent() < work_end_at); i++)
        if (!try_one_game(&trying, work_end_at))
            break;
    free(trying.moves);
    position_free(trying.position);
    return trying.trial;
}

/* The same games once more, and for each word what it takes. */
static void find_words(const struct game *game, struct trial *trial)
{
    struct work_shares *shares = memory_zeroed(1, sizeof *shares);
    uint64_t before = work_spent();
    work_here.shares = shares;
    try_games(game);
    work_here.shares = NULL;
    const struct work_share *most = work_shares_costliest(shares);
    uint64_t all = work_spent() - before;
    if (most != NULL) {
        trial->pointer = most->pointer;
        trial->percent = (int)(most->units >= all ? 100 : most->units * 100 / all);
    }
    free(shares);
}

struct trial game_try(const struct game *game)
{
    struct trial trial = try_games(game);
    if (trial.verdict == TRIAL_TOO_MUCH_WORK)
        find_words(game, &trial);
    return trial;
}
