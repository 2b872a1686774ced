#include "engine/random_move.h"
#include "engine/trial.h"
#include "server/cli/engine_conversation.h"
#include "server/cli/random_games.h"

/* Moves by chance, and whole games of them: how long they take, who wins and how, and which words and states never come up. */

/* Seeds are JSON's whole numbers: what JavaScript can hold exactly. */
enum { SEED_BITS = 53, GAMES_MAX = 1000 };
#define SEED_MAX ((INT64_C(1) << SEED_BITS) - 1)

/* A request stops after the game in which it has done so much: counted, and so the same on every machine. */
enum { REQUEST_WORK = 32 * WORK_ANSWER_MAX };

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
    struct random_games *random = random_games_new(engine->game);
    uint64_t enough = work_spent() + REQUEST_WORK;
    json_int_t number = first;
    for (; number < first + games && (number == first || work_spent() < enough); number++)
        random_games_play(random, number);
    json_t *shown = random_games_show(random, first);
    random_games_free(random);
    return json_pack("{s:o}", "random", shown);
}
