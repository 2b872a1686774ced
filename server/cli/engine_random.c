#include "engine/answers.h"
#include "engine/random_move.h"
#include "engine/words.h"
#include "server/cli/engine_conversation.h"

#include <string.h>

/* Moves by chance, and whole games of them: how long they take, who wins and how, and which words and states never come up. */

/* Seeds are JSON's whole numbers: what JavaScript can hold exactly. */
enum { SEED_BITS = 53, GAMES_MAX = 1000 };
#define SEED_MAX ((INT64_C(1) << SEED_BITS) - 1)

/* A request stops after the game in which it has done so much; a game that takes more by itself is left unfinished. Counted, and
 * so the same on every machine. */
enum { REQUEST_WORK = 32 * WORK_ANSWER_MAX, GAME_WORK = 128 * WORK_ANSWER_MAX };

static bool read_number(json_t *request, const char *key, json_int_t least, json_int_t most,
                        json_int_t *number)
{
    json_t *value = json_object_get(request, key);
    *number = json_integer_value(value);
    return json_is_integer(value) && *number >= least && *number <= most;
}

json_t *engine_do_choose(struct engine *engine, json_t *request)
{
    json_int_t given = 0;
    struct move move;
    if (!read_number(request, "seed", 0, SEED_MAX, &given))
        return engine_refuse(REFUSAL_BAD_REQUEST,
                             "\"seed\" must be a whole number from 0 to 2^53 - 1");
    uint64_t seed = (uint64_t)given;
    if (engine_outcome(engine).kind != OUTCOME_PLAYING ||
        !random_move(engine->position, &seed, engine->moves, &move))
        return engine_refuse(REFUSAL_GAME_OVER, "the game is over");
    return json_pack("{s:o,s:I}", "move", engine_show_move(engine, move, true), "seed",
                     (json_int_t)(seed >> (64 - SEED_BITS)));
}

/* --- games ------------------------------------------------------------------------------------ */

struct tally {
    const struct game *game;
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
        count_one(((struct tally *)tally)->used, pointer);
}

static void name_word(void *tally, const char *pointer)
{
    if (pointer[0] != '\0')
        json_object_set_new(((struct tally *)tally)->used, pointer, json_integer(0));
}

static void name_states(struct tally *tally)
{
    for (int i = 0; i < game_state_count(tally->game); i++)
        if (position_set_turn(tally->position, (state_index)i, 1) &&
            position_to_move(tally->position) != PLAYER_NONE)
            json_object_set_new(tally->states, game_state_name(tally->game, (state_index)i),
                                json_integer(0));
}

/* Ends are told apart by winner, reason and the result that said so. */
static json_t *end_of(struct tally *tally, struct outcome outcome)
{
    json_t *end = json_object();
    const char *word = words_of_outcome(tally->game, outcome);
    if (outcome.kind == OUTCOME_WON)
        json_object_set_new(end, "winner",
                            json_string(game_player_name(tally->game, outcome.winner)));
    else
        json_object_set_new(end, "draw", json_true());
    json_object_set_new(end, "reason", engine_string(outcome.reason));
    if (word[0] != '\0')
        json_object_set_new(end, "pointer", engine_string(word));
    count_word(tally, word);
    return end;
}

static void count_end(struct tally *tally, struct outcome outcome)
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

static void count_move(struct tally *tally, struct move move)
{
    struct position *position = tally->position;
    count_one(tally->states, game_state_name(tally->game, position_state(position)));
    count_word(tally, words_of_move(position, move));
    words_of_promotion(position, move, count_word, tally);
}

/* False: it took too much work. */
static bool play_game(struct tally *tally, uint64_t seed, json_int_t *plies)
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

static void count_game(struct tally *tally, json_int_t number)
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

static json_t *tally_document(const struct tally *tally, json_int_t first)
{
    return json_pack("{s:{s:I,s:I,s:I,s:I,s:{s:I,s:I,s:I},s:o,s:o,s:o}}", "random", "first", first,
                     "games", tally->games, "next", first + tally->games, "unfinished",
                     tally->unfinished, "plies", "total", tally->plies, "least", tally->least,
                     "most", tally->most, "ends", tally->ends, "used", tally->used, "states",
                     tally->states);
}

json_t *engine_do_random(struct engine *engine, json_t *request)
{
    json_int_t first = 0, games = 0;
    if (!read_number(request, "games", 1, GAMES_MAX, &games))
        return engine_refuse(REFUSAL_BAD_REQUEST,
                             "\"games\" must be a whole number from 1 to 1000");
    if (json_object_get(request, "first") != NULL &&
        !read_number(request, "first", 0, INT32_MAX, &first))
        return engine_refuse(REFUSAL_BAD_REQUEST,
                             "\"first\" must be a whole number from 0 to 2147483647");
    struct tally tally = {.game = engine->game,
                          .position = position_new(engine->game),
                          .moves = engine->moves,
                          .ends = json_array(),
                          .used = json_object(),
                          .states = json_object()};
    uint64_t enough = work_spent() + REQUEST_WORK;
    words_each(engine->game, name_word, &tally);
    name_states(&tally);
    while (tally.games < games && (tally.games == 0 || work_spent() < enough))
        count_game(&tally, first + tally.games);
    position_free(tally.position);
    return tally_document(&tally, first);
}
