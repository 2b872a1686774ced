#include "engine/load/admit.h"

#include "engine/trial.h"
#include "engine/work.h"

#include <inttypes.h>
#include <stdio.h>

bool game_admit(const struct game *game, struct diagnostics *diagnostics)
{
    struct trial trial = game_try(game);
    bool known = trial.pointer != NULL;
    char message[DIAGNOSTIC_TEXT_BYTES], when[64] = "in the start position", share[48] = "";
    const char *hint = "use fewer figures, movements or choices, or a smaller board";
    if (trial.verdict == TRIAL_FINE)
        return true;
    if (trial.ply > 0)
        snprintf(when, sizeof when, "after %d moves of a game played at random", trial.ply);
    if (known) {
        snprintf(share, sizeof share, ", %d %% of them for this", trial.percent);
        hint =
            "ask for less that looks at the whole board or at attacks, or use fewer figures or a "
            "smaller board";
    }
    if (trial.verdict == TRIAL_TOO_MANY_MOVES)
        snprintf(message, sizeof message,
                 "there are %" PRIu64 " legal moves %s, at most %d are allowed", trial.most_moves,
                 when, TRIAL_MOVES_MAX);
    else
        snprintf(message, sizeof message,
                 "finding the legal moves %s takes more than the %d units of work that are "
                 "allowed%s",
                 when, WORK_ANSWER_MAX, share);
    diagnostics_add(diagnostics, DIAGNOSTIC_ERROR, known ? trial.pointer : "", message, hint);
    return false;
}
