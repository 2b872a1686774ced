/* Whatever game a file makes, it can be played, and no answer about it takes much more work than it may: at every position of a game at random both ways of finding moves list the same, each
 * move is found again and explained as legal, taking it back gives the position that was, and the hash is the one from scratch. What
 * the file says decides what chance does, so that a counter-example stays one. */
#include "engine/explain.h"
#include "engine/load/load.h"
#include "engine/movegen.h"
#include "engine/position.h"
#include "engine/rules/interpreter.h"
#include "engine/trial.h"
#include "tests/engine/positions.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLIES = 24,
    MOVES_TRIED = 6, /* of each position, from a place that chance says */
    OVERSHOOT_MAX = WORK_ANSWER_MAX / 4,
    WORK_MAX = 10 * WORK_ANSWER_MAX, /* of a whole game: then it is left */
};

struct play {
    const struct game *game;
    struct position *position, *before;
    struct move *moves, *interpreted;
    struct undo *undo;
    uint64_t chance;
};

/* xorshift64 */
static uint64_t draw(struct play *play)
{
    play->chance ^= play->chance << 13;
    play->chance ^= play->chance >> 7;
    play->chance ^= play->chance << 17;
    return play->chance;
}

/* FNV-1a, never 0. */
static uint64_t chance_of(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(1099511628211);
    return hash | 1;
}

static int list_moves(struct play *play)
{
    int count = movegen_all(play->position, play->moves);
    assert(count >= 0 && count <= game_facts(play->game)->moves_max);
    assert(count == interpreter_moves(play->position, play->interpreted));
    for (int i = 0; i < count; i++)
        assert(move_equal(play->moves[i], play->interpreted[i]));
    assert((uint64_t)count == movegen_count(play->position));
    assert((count > 0) == movegen_any(play->position));
    return count;
}

static void try_move(struct play *play, struct move move)
{
    struct move found;
    struct explanation explanation;
    assert(movegen_find(play->position, move.from, move.to, move.choice, &found));
    assert(move_equal(found, move));
    position_copy(play->before, play->position);
    position_explain(play->position, move.from, move.to, move.choice, &explanation);
    assert(explanation.verdict == VERDICT_LEGAL);
    assert(position_equal(play->position, play->before));
    position_make(play->position, move, play->undo);
    assert(position_hash(play->position) == position_hash_from_scratch(play->position));
    position_unmake(play->position, play->undo);
    assert(position_equal(play->position, play->before));
    assert(position_hash(play->position) == position_hash(play->before));
}

/* As a server asks; false: it is too much, as a limit says that is not passed by far. */
static bool is_answered(struct play *play)
{
    struct answers answers;
    uint64_t before = work_spent();
    bool enough = position_answer(play->position, NULL, WORK_ANSWER_MAX / 4, &answers);
    assert(work_spent() - before <= WORK_ANSWER_MAX / 4 + OVERSHOOT_MAX);
    assert(position_hash(play->position) == position_hash_from_scratch(play->position));
    return enough;
}

static void play_on(struct play *play)
{
    uint64_t before = work_spent();
    for (int ply = 0; ply < PLIES && work_spent() - before < WORK_MAX; ply++) {
        if (!is_answered(play))
            return;
        int count = list_moves(play);
        struct outcome outcome = position_outcome(play->position);
        position_claim(play->position);
        if (outcome.kind != OUTCOME_PLAYING || count == 0)
            return;
        int first = (int)(draw(play) % (uint64_t)count);
        for (int i = 0; i < MOVES_TRIED && i < count; i++)
            try_move(play, play->moves[(first + i) % count]);
        position_make(play->position, play->moves[first], NULL);
    }
}

static void play_game(const struct game *game, uint64_t chance)
{
    size_t room = (size_t)game_facts(game)->moves_max + 1;
    struct play play = {
        .game = game,
        .position = position_new(game),
        .before = position_new(game),
        .moves = malloc(room * sizeof *play.moves),
        .interpreted = malloc(room * sizeof *play.interpreted),
        .undo = undo_new(game),
        .chance = chance,
    };
    assert(play.moves != NULL && play.interpreted != NULL);
    play_on(&play);
    undo_free(play.undo);
    free(play.interpreted);
    free(play.moves);
    position_free(play.before);
    position_free(play.position);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    const struct load_options options = {.try_out = true};
    struct game *game = game_load((const char *)data, size, &options, &diagnostics);
    if (game != NULL)
        play_game(game, chance_of(data, size));
    game_release(game);
    diagnostics_release(&diagnostics);
    return 0;
}
