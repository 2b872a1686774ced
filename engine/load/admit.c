#include "engine/load/admit.h"

#include "engine/trial.h"
#include "engine/work.h"

#include <inttypes.h>
#include <stdio.h>

static void say_when(const struct trial *trial, char *words, size_t size)
{
    if (trial->ply == 0)
        snprintf(words, size, "in the start position");
    else
        snprintf(words, size, "after %d moves of a game played at random", trial->ply);
}

static void say_too_much(const struct trial *trial, char *message, size_t size)
{
    char when[64];
    say_when(trial, when, sizeof when);
    if (trial->pointer == NULL)
        snprintf(message, size,
                 "finding the legal moves %s takes more than the %d units of work that are allowed",
                 when, WORK_ANSWER_MAX);
    else
        snprintf(message, size,
                 "finding the legal moves %s takes more than the %d units of work that are "
                 "allowed, %d %% of them for this",
                 when, WORK_ANSWER_MAX, trial->percent);
}

static void say_too_many(const struct trial *trial, char *message, size_t size)
{
    char when[64];
    say_when(trial, when, sizeof when);
    snprintf(message, size, "there are %" PRIu64 " legal moves %s, at most %d are allowed",
             trial->most_moves, when, TRIAL_MOVES_MAX);
}

bool game_admit(const struct game *game, struct diagnostics *diagnostics)
{
    struct trial trial = game_try(game);
    const char *pointer = trial.pointer != NULL ? trial.pointer : "";
    char message[DIAGNOSTIC_TEXT_BYTES];
    const char *hint = "use fewer figures, movements or choices, or a smaller board";
    if (trial.verdict == TRIAL_FINE)
        return true;
    if (trial.verdict == TRIAL_TOO_MANY_MOVES)
        say_too_many(&trial, message, sizeof message);
    else
        say_too_much(&trial, message, sizeof message);
    if (trial.pointer != NULL)
        hint =
            "ask for less that looks at the whole board or at attacks, or use fewer figures or a "
            "smaller board";
    diagnostics_add_at(diagnostics, DIAGNOSTIC_ERROR, 1, 1, pointer, message, hint);
    return false;
}
