#include "engine/answers.h"

#include "engine/movegen.h"

bool position_answer(struct position *position, const struct move *move, uint64_t units,
                     struct answers *answers)
{
    static const struct outcome playing = {OUTCOME_PLAYING, PLAYER_NONE, "", 0, {0}};
    static const struct outcome stopped = {OUTCOME_DRAWN, PLAYER_NONE, ANSWERS_TOO_MUCH, 0, {0}};
    struct work_stretch stretch = work_begin(units);
    *answers = (struct answers){.claim = playing};
    if (move != NULL)
        position_make(position, *move, NULL);
    answers->outcome = position_outcome(position);
    if (answers->outcome.kind == OUTCOME_PLAYING) {
        answers->claim = position_claim(position);
        answers->moves = movegen_count(position);
    }
    if (work_end(&stretch))
        return true;
    *answers = (struct answers){.outcome = stopped, .claim = playing};
    return false;
}
