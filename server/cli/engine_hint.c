#include "engine/bot/searcher.h"
#include "server/cli/engine_conversation.h"

/* What is good in the position, by the bot's own search: as many nodes as a server gives a hint, so the same is found. */

void engine_forget_judge(struct engine *engine)
{
    judge_free(engine->judge);
    engine->judge = NULL;
}

/* A line ends where the game does. The moves are made on the draft, for the texts of the next ones. */
static json_t *show_line(struct engine *engine, const struct search_answer *answer)
{
    struct search_share share = search_share(answer->value);
    json_t *line = json_pack("{s:i}", "value", share.share), *moves = json_array();
    if (share.ends_in > 0)
        json_object_set_new(line, "ends_in", json_integer(share.ends_in));
    position_copy(engine->draft, engine->position);
    for (int i = 0; i < answer->line_count; i++) {
        json_array_append_new(moves, engine_show_move_in(engine, engine->draft, answer->line[i]));
        position_make(engine->draft, answer->line[i], NULL);
    }
    json_object_set_new(line, "moves", moves);
    return line;
}

json_t *engine_do_hint(struct engine *engine, json_t *request)
{
    const json_t *wanted = json_object_get(request, "lines");
    json_int_t most = wanted == NULL ? 1 : json_integer_value(wanted);
    if ((wanted != NULL && !json_is_integer(wanted)) || most < 1 || most > SEARCH_LINES_MAX)
        return engine_refuse(REFUSAL_BAD_REQUEST, "\"lines\" must be a whole number from 1 to 5");
    if (engine_outcome(engine).kind != OUTCOME_PLAYING)
        return engine_refuse(REFUSAL_GAME_OVER, "the game is over");
    if (engine->judge == NULL)
        engine->judge = judge_new(engine->game);
    struct search_answer answers[SEARCH_LINES_MAX];
    struct searcher *searcher = searcher_new(engine->judge);
    const struct search_order order = {.nodes = SEARCH_HINT_NODES};
    int count = searcher_find_lines(searcher, engine->position, &order, (int)most, answers);
    json_t *lines = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(lines, show_line(engine, &answers[i]));
    searcher_free(searcher);
    return json_pack("{s:o}", "lines", lines);
}
