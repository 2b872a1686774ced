#include "engine/bot/random.h"
#include "server/cli/engine_conversation.h"

/* Seeds are JSON's whole numbers: what JavaScript can hold exactly. */
enum { SEED_BITS = 53 };

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
    if (!read_number(request, "seed", 0, (INT64_C(1) << SEED_BITS) - 1, &given))
        return engine_refuse(REFUSAL_BAD_REQUEST,
                             "\"seed\" must be a whole number from 0 to 2^53 - 1");
    uint64_t seed = (uint64_t)given;
    if (engine_outcome(engine).kind != OUTCOME_PLAYING ||
        !bot_random_choose(engine->position, &seed, &move))
        return engine_refuse(REFUSAL_GAME_OVER, "the game is over");
    return json_pack("{s:o,s:I}", "move", engine_show_move(engine, move, true), "seed",
                     (json_int_t)(seed >> (64 - SEED_BITS)));
}
