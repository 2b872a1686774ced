#include "engine/explain.h"
#include "server/cli/engine_conversation.h"

/* --- reading ---------------------------------------------------------------------------------- */

static cell_index read_coordinates(const struct engine *engine, json_t *value)
{
    int coordinates[DIMENSIONS_MAX];
    int count = game_facts(engine->game)->dimension_count;
    if (json_object_size(value) != (size_t)count)
        return CELL_NONE;
    for (int i = 0; i < count; i++) {
        json_t *number = json_object_get(value, game_facts(engine->game)->coordinate_names[i]);
        json_int_t coordinate = json_integer_value(number);
        if (!json_is_integer(number) || coordinate < -COORDINATE_MAX || coordinate > COORDINATE_MAX)
            return CELL_NONE;
        coordinates[i] = (int)coordinate;
    }
    return game_cell_at(engine->game, coordinates);
}

cell_index engine_read_cell(const struct engine *engine, json_t *value)
{
    if (json_is_string(value))
        return game_find_cell(engine->game, json_string_value(value), json_string_length(value));
    if (json_is_object(value))
        return read_coordinates(engine, value);
    return CELL_NONE;
}

static json_t *read_cells(struct engine *engine, json_t *value, struct wanted_move *wanted)
{
    json_t *choice = json_object_get(value, "choice");
    json_t *from = json_object_get(value, "from");
    wanted->from = engine_read_cell(engine, from);
    wanted->to = engine_read_cell(engine, json_object_get(value, "to"));
    if (from != NULL && wanted->from == CELL_NONE)
        return engine_refuse(REFUSAL_UNKNOWN_CELL, "\"from\" is no cell of this board");
    if (wanted->to == CELL_NONE)
        return engine_refuse(REFUSAL_UNKNOWN_CELL, "\"to\" is no cell of this board");
    if (choice == NULL || json_is_null(choice))
        return NULL;
    wanted->choice =
        game_find_figure(engine->game, json_is_string(choice) ? json_string_value(choice) : "",
                         json_string_length(choice));
    if (wanted->choice != FIGURE_NONE)
        return NULL;
    return engine_refuse(REFUSAL_UNKNOWN_CHOICE, "\"choice\" is no figure of this game");
}

/* A text is looked for among the legal moves first: Nf3 says where it goes, but not from where. */
static json_t *read_text(struct engine *engine, const char *text, struct wanted_move *wanted)
{
    char words[NOTATION_WORDS_BYTES];
    wanted->found =
        notation_read_move(engine->notation, engine->position, text, &wanted->move, words);
    if (wanted->found ||
        notation_parse_move(engine->notation, engine->position, text, &wanted->move)) {
        wanted->from = wanted->move.from;
        wanted->to = wanted->move.to;
        wanted->choice = wanted->move.choice;
        return NULL;
    }
    if (engine_outcome(engine).kind != OUTCOME_PLAYING)
        return engine_refuse(REFUSAL_GAME_OVER, "the game is over");
    return engine_refuse(REFUSAL_ILLEGAL_MOVE, words);
}

json_t *engine_read_move(struct engine *engine, json_t *value, struct wanted_move *wanted)
{
    *wanted = (struct wanted_move){.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_NONE};
    if (json_is_string(value))
        return read_text(engine, json_string_value(value), wanted);
    if (!json_is_object(value))
        return engine_refuse(REFUSAL_BAD_REQUEST,
                             "\"move\" must be an object with \"from\" and \"to\" (or \"to\" "
                             "alone), {\"pass\":true}, {\"swap\":true}, or a text");
    if (json_is_true(json_object_get(value, "swap")))
        wanted->choice = CHOICE_SWAP;
    if (json_is_true(json_object_get(value, "pass")) || wanted->choice == CHOICE_SWAP)
        return NULL;
    return read_cells(engine, value, wanted);
}

/* --- showing ---------------------------------------------------------------------------------- */

static void set_text(struct engine *engine, struct position *position, struct move move,
                     enum notation_style style, const char *key, json_t *shown)
{
    char text[NOTATION_MOVE_BYTES];
    if (!game_has_move_notation(engine->game, style))
        return;
    notation_write_move(engine->notation, position, NULL, move, style, text);
    json_object_set_new(shown, key, json_string(text));
}

static json_t *show_move(struct engine *engine, struct position *position, struct move move,
                         bool algebraic)
{
    json_t *shown = json_object();
    if (!move_has_cells(move)) {
        json_object_set_new(shown, move_is_swap(move) ? "swap" : "pass", json_true());
    } else {
        if (!move_is_placement(move))
            json_object_set_new(shown, "from",
                                json_string(game_facts(engine->game)->cells[move.from].name));
        json_object_set_new(shown, "to",
                            json_string(game_facts(engine->game)->cells[move.to].name));
    }
    if (move_has_cells(move) && move.choice != CHOICE_NONE)
        json_object_set_new(shown, "choice",
                            json_string(game_facts(engine->game)->figure_names[move.choice]));
    set_text(engine, position, move, NOTATION_COORDINATE, "text", shown);
    if (algebraic)
        set_text(engine, position, move, NOTATION_ALGEBRAIC, "algebraic", shown);
    return shown;
}

json_t *engine_show_move(struct engine *engine, struct move move, bool algebraic)
{
    return show_move(engine, engine->position, move, algebraic);
}

json_t *engine_show_move_in(struct engine *engine, struct position *position, struct move move)
{
    return show_move(engine, position, move, true);
}

/* --- explaining ------------------------------------------------------------------------------- */

static const char *verdict_word(enum verdict_kind verdict)
{
    static const char *const words[] = {
        [VERDICT_LEGAL] = "legal",         [VERDICT_GAME_OVER] = "game_over",
        [VERDICT_NOT_YOURS] = "not_yours", [VERDICT_NO_MOVEMENT] = "no_movement",
        [VERDICT_BLOCKED] = "blocked",     [VERDICT_FORBIDDEN] = "forbidden",
        [VERDICT_PRIORITY] = "priority",   [VERDICT_CHOICE] = "choice",
    };
    return words[verdict];
}

json_t *engine_explain(struct engine *engine, const struct wanted_move *wanted)
{
    struct explanation explanation;
    position_explain(engine->position, wanted->from, wanted->to, wanted->choice, &explanation);
    json_t *pointers = json_array();
    for (int i = 0; i < explanation.pointer_count; i++)
        json_array_append_new(pointers, engine_string(explanation.pointers[i]));
    return json_pack("{s:s,s:o,s:o}", "verdict", verdict_word(explanation.verdict), "words",
                     engine_string(explanation.words), "pointers", pointers);
}
