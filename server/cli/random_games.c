#include "server/cli/random_games.h"

#include "engine/memory/memory.h"
#include "engine/random_move.h"
#include "engine/trial.h"
#include "engine/words.h"
#include "server/cli/engine_conversation.h"

#include <stdlib.h>

/* A game that takes more by itself is left unfinished; counted, and so the same on every machine. */
enum { GAME_WORK = 128 * WORK_ANSWER_MAX };

struct random_games {
    struct game *game;
    struct position *position;
    struct move *moves; /* room for the legal ones */
    json_t *ends, *used, *states;
    json_int_t games, unfinished, plies, least, most;
};

static void count_one(json_t *counts, const char *key)
{
    json_int_t count = json_integer_value(json_object_get(counts, key));
    json_object_set_new(counts, key, json_integer(count + 1));
}

static void count_word(void *tally, const char *pointer)
{
    if (pointer[0] != '\0')
        count_one(((struct random_games *)tally)->used, pointer);
}

static void name_word(void *tally, const char *pointer)
{
    if (pointer[0] != '\0')
        json_object_set_new(((struct random_games *)tally)->used, pointer, json_integer(0));
}

static void name_states(struct random_games *tally)
{
    for (int i = 0; i < game_facts(tally->game)->state_count; i++)
        if (position_set_turn(tally->position, (state_index)i, 1) &&
            position_to_move(tally->position) != PLAYER_NONE)
            json_object_set_new(tally->states, game_state_name(tally->game, (state_index)i),
                                json_integer(0));
}

/* Ends are told apart by winner, reason and the result that said so. */
static json_t *end_of(struct random_games *tally, struct outcome outcome)
{
    json_t *end = json_object();
    const char *word = words_of_outcome(tally->game, outcome);
    if (outcome.kind == OUTCOME_WON)
        json_object_set_new(end, "winner",
                            json_string(game_facts(tally->game)->player_names[outcome.winner]));
    else if (outcome.kind == OUTCOME_LOST)
        json_object_set_new(end, "loser",
                            json_string(game_facts(tally->game)->player_names[outcome.loser]));
    else
        json_object_set_new(end, "draw", json_true());
    json_object_set_new(end, "reason", engine_string(outcome.reason));
    if (word[0] != '\0')
        json_object_set_new(end, "pointer", engine_string(word));
    count_word(tally, word);
    return end;
}

static void count_end(struct random_games *tally, struct outcome outcome)
{
    json_t *end = end_of(tally, outcome), *known = NULL;
    size_t index = 0;
    json_array_foreach(tally->ends, index, known)
    {
        json_int_t games = json_integer_value(json_object_get(known, "games"));
        json_object_set_new(end, "games", json_integer(games));
        if (!json_equal(known, end))
            continue;
        json_object_set_new(known, "games", json_integer(games + 1));
        json_decref(end);
        return;
    }
    json_object_set_new(end, "games", json_integer(1));
    json_array_append_new(tally->ends, end);
}

static void count_move(struct random_games *tally, struct move move)
{
    struct position *position = tally->position;
    count_one(tally->states, game_state_name(tally->game, position_state(position)));
    count_word(tally, words_of_move(position, move));
    words_of_promotion(position, move, count_word, tally);
}

/* False: it took too much work. */
static bool play_game(struct random_games *tally, uint64_t seed, json_int_t *plies)
{
    struct work_stretch stretch = work_begin(GAME_WORK);
    struct outcome outcome;
    struct move move;
    position_reset(tally->position);
    for (*plies = 0;; ++*plies) {
        outcome = position_outcome(tally->position);
        if (work_is_too_much() || outcome.kind != OUTCOME_PLAYING ||
            !random_move(tally->position, &seed, tally->moves, &move))
            break;
        count_move(tally, move);
        position_make(tally->position, move, NULL);
    }
    if (!work_end(&stretch))
        return false;
    count_end(tally, outcome);
    return true;
}

struct random_games *random_games_new(struct game *game)
{
    struct random_games *games = memory_zeroed(1, sizeof *games);
    *games = (struct random_games){
        .game = game_retain(game),
        .position = position_new(game),
        .moves = memory_zeroed((size_t)game_facts(game)->moves_max + 1, sizeof *games->moves),
        .ends = json_array(),
        .used = json_object(),
        .states = json_object()};
    words_each(game, name_word, games);
    name_states(games);
    return games;
}

void random_games_free(struct random_games *games)
{
    json_decref(games->ends);
    json_decref(games->used);
    json_decref(games->states);
    position_free(games->position);
    free(games->moves);
    game_release(games->game);
    free(games);
}

void random_games_play(struct random_games *tally, json_int_t number)
{
    json_int_t plies = 0;
    tally->games++;
    if (!play_game(tally, (uint64_t)number << 32, &plies)) {
        tally->unfinished++;
        return;
    }
    bool first = tally->games - tally->unfinished == 1;
    tally->plies += plies;
    tally->least = first || plies < tally->least ? plies : tally->least;
    tally->most = first || plies > tally->most ? plies : tally->most;
}

json_t *random_games_show(const struct random_games *tally, json_int_t first)
{
    return json_pack("{s:I,s:I,s:I,s:I,s:{s:I,s:I,s:I},s:O,s:O,s:O}", "first", first, "games",
                     tally->games, "next", first + tally->games, "unfinished", tally->unfinished,
                     "plies", "total", tally->plies, "least", tally->least, "most", tally->most,
                     "ends", tally->ends, "used", tally->used, "states", tally->states);
}
