/* Which code plays a game: formats 0 and 1 by classic/, format 2 by the fast path (fast/moves.h), which asks the general
 * code (interpreter.h, turn.h, result.h) wherever it does not reach. This is the one place where that is decided. */
#include "engine/classic/classic.h"
#include "engine/fast/moves.h"
#include "engine/movegen.h"
#include "engine/rules/interpreter.h"
#include "engine/rules/result.h"
#include "engine/rules/turn.h"

#include <assert.h>

static bool is_classic(const struct position *position)
{
    return position->game->format != 2;
}

/* --- legal moves ------------------------------------------------------------------------------ */

int game_moves_max(const struct game *game)
{
    return game->moves_max;
}

int movegen_all(struct position *position, struct move *moves)
{
    return is_classic(position) ? classic_all(position, moves) : fast_moves_all(position, moves);
}

int movegen_all_interpreted(struct position *position, struct move *moves)
{
    return is_classic(position) ? classic_all(position, moves) : interpreter_moves(position, moves);
}

int movegen_from(struct position *position, cell_index from, struct move *moves)
{
    assert(from < position->game->cell_count);
    return is_classic(position) ? classic_from(position, from, moves)
                                : fast_moves_from(position, from, moves);
}

uint64_t movegen_count(struct position *position)
{
    return is_classic(position) ? classic_count(position) : fast_moves_count(position);
}

bool movegen_any(struct position *position)
{
    return is_classic(position) ? classic_any(position) : fast_moves_any(position);
}

bool movegen_find(struct position *position, cell_index from, cell_index to, uint8_t choice,
                  struct move *move)
{
    return is_classic(position) ? classic_find(position, from, to, choice, move)
                                : fast_moves_find(position, from, to, choice, move);
}

/* --- making and taking back ------------------------------------------------------------------- */

void position_make(struct position *position, struct move move, struct undo *undo)
{
    if (undo == NULL)
        undo = position->scratch;
    if (is_classic(position))
        classic_make(position, move, undo);
    else
        result_make(position, move, undo);
}

void position_unmake(struct position *position, struct move move, const struct undo *undo)
{
    (void)move;
    if (is_classic(position))
        classic_unmake(position, undo);
    else
        turn_unmake(position, undo);
}

/* --- the end ---------------------------------------------------------------------------------- */

struct outcome position_outcome(struct position *position)
{
    return is_classic(position) ? classic_outcome(position) : result_outcome(position);
}

struct outcome position_claim(struct position *position)
{
    static const struct outcome nothing = {
        .kind = OUTCOME_PLAYING, .winner = PLAYER_NONE, .reason = ""};
    return is_classic(position) ? nothing : result_claim(position);
}
