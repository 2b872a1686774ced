#include "server/cli/engine_conversation.h"

#include <string.h>

/* Where figures may go, and where they may not: each with the words of the file that decide. */

static json_t *explain(struct engine *engine, cell_index from, cell_index to, uint8_t choice)
{
    const struct wanted_move wanted = {.from = from, .to = to, .choice = choice};
    return engine_explain(engine, &wanted);
}

/* False with a refusal: `from` is there and no cell. */
static json_t *read_from(const struct engine *engine, json_t *request, cell_index *from)
{
    json_t *value = json_object_get(request, "from");
    *from = value == NULL ? CELL_NONE : engine_read_cell(engine, value);
    if (value == NULL || *from != CELL_NONE)
        return NULL;
    return engine_refuse(REFUSAL_UNKNOWN_CELL, "\"from\" is no cell of this board");
}

/* --- moves ------------------------------------------------------------------------------------ */

static int list_moves(struct engine *engine, bool all, cell_index from)
{
    if (engine->claimed.kind != OUTCOME_PLAYING)
        return 0;
    return all ? movegen_all(engine->position, engine->moves)
               : movegen_from(engine->position, from, engine->moves);
}

static json_t *show_move(struct engine *engine, struct move move, json_t *request)
{
    json_t *shown =
        engine_show_move(engine, move, json_is_true(json_object_get(request, "algebraic")));
    if (!json_is_true(json_object_get(request, "explain")))
        return shown;
    json_t *why = explain(engine, move.from, move.to, move.choice);
    json_object_del(why, "verdict");
    json_object_update(shown, why);
    json_decref(why);
    return shown;
}

static json_t *show_moves(struct engine *engine, json_t *request, cell_index from)
{
    json_t *list = json_array();
    int count = list_moves(engine, json_object_get(request, "from") == NULL, from);
    for (int i = 0; i < count; i++)
        json_array_append_new(list, show_move(engine, engine->moves[i], request));
    return json_pack("{s:o}", "moves", list);
}

/* Onto the draft: how it would stand if it were that player's turn. False: the game has no such turn. */
static bool give_turn(struct engine *engine, player_index player)
{
    uint32_t move_number = position_move_number(engine->position);
    position_copy(engine->draft, engine->position);
    for (int i = 0; i < game_facts(engine->game)->state_count; i++)
        if (position_set_turn(engine->draft, (state_index)i, move_number) &&
            position_to_move(engine->draft) == player)
            return true;
    return false;
}

static json_t *show_moves_ahead(struct engine *engine, json_t *request, cell_index from,
                                json_t *ahead)
{
    const char *name = json_is_string(ahead) ? json_string_value(ahead) : "";
    player_index player = game_find_player(engine->game, name, strlen(name));
    if (player == PLAYER_NONE)
        return engine_refuse(REFUSAL_BAD_REQUEST, "\"ahead\" is no player of this game");
    if (!give_turn(engine, player))
        return json_pack("{s:[]}", "moves");
    struct position *now = engine->position;
    engine->position = engine->draft;
    json_t *answer = show_moves(engine, request, from);
    engine->position = now;
    return answer;
}

json_t *engine_do_moves(struct engine *engine, json_t *request)
{
    cell_index from = CELL_NONE;
    json_t *refusal = read_from(engine, request, &from);
    if (refusal != NULL)
        return refusal;
    json_t *ahead = json_object_get(request, "ahead");
    return ahead == NULL ? show_moves(engine, request, from)
                         : show_moves_ahead(engine, request, from, ahead);
}

/* --- targets ---------------------------------------------------------------------------------- */

/* Where a choice is left the explanation is of the first one. */
static uint8_t choice_for(const struct move *moves, int count, cell_index to)
{
    for (int i = 0; i < count; i++)
        if (moves[i].to == to)
            return moves[i].choice;
    return CHOICE_NONE;
}

static bool is_verdict(json_t *why, const char *verdict)
{
    return strcmp(json_string_value(json_object_get(why, "verdict")), verdict) == 0;
}

/* Nothing on that cell may be moved now, wherever to. */
static json_t *nothing_moves(json_t *why)
{
    json_object_set_new(why, "targets", json_object());
    return why;
}

static json_t *list_targets(struct engine *engine, cell_index from)
{
    json_t *why = explain(engine, from, from, CHOICE_NONE);
    if (is_verdict(why, "not_yours") || is_verdict(why, "game_over"))
        return nothing_moves(why);
    json_decref(why);
    json_t *targets = json_object();
    int count = list_moves(engine, false, from);
    for (int i = 0; i < game_facts(engine->game)->cell_count; i++) {
        cell_index to = (cell_index)i;
        why = explain(engine, from, to, choice_for(engine->moves, count, to));
        if (is_verdict(why, "no_movement"))
            json_decref(why);
        else
            json_object_set_new(targets, game_facts(engine->game)->cells[to].name, why);
    }
    return json_pack("{s:o}", "targets", targets);
}

/* Where figures of a kind may be put, and where not: an explanation for every cell. */
static json_t *list_puts(struct engine *engine, json_t *put)
{
    const char *name = json_is_string(put) ? json_string_value(put) : "";
    figure_index figure = game_find_figure(engine->game, name, strlen(name));
    if (figure == FIGURE_NONE)
        return engine_refuse(REFUSAL_UNKNOWN_CHOICE, "\"put\" is no figure of this game");
    json_t *targets = json_object();
    for (int i = 0; i < game_facts(engine->game)->cell_count; i++) {
        json_t *why = explain(engine, CELL_NONE, (cell_index)i, figure);
        if (is_verdict(why, "no_movement") || is_verdict(why, "game_over")) {
            json_decref(targets);
            return nothing_moves(why);
        }
        json_object_set_new(targets, game_facts(engine->game)->cells[i].name, why);
    }
    return json_pack("{s:o}", "targets", targets);
}

static json_t *list_targets_ahead(struct engine *engine, cell_index from)
{
    struct position *now = engine->position;
    struct contents contents = position_contents(now, from);
    if (contents.figure == FIGURE_NONE || !give_turn(engine, contents.player))
        return list_targets(engine, from);
    engine->position = engine->draft;
    json_t *answer = list_targets(engine, from);
    engine->position = now;
    return answer;
}

json_t *engine_do_targets(struct engine *engine, json_t *request)
{
    json_t *put = json_object_get(request, "put");
    if (put != NULL)
        return list_puts(engine, put);
    cell_index from = engine_read_cell(engine, json_object_get(request, "from"));
    if (from == CELL_NONE)
        return engine_refuse(REFUSAL_UNKNOWN_CELL, "\"from\" is no cell of this board");
    return json_is_true(json_object_get(request, "ahead")) ? list_targets_ahead(engine, from)
                                                           : list_targets(engine, from);
}
