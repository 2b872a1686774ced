#include "server/cli/engine_conversation.h"

#include "engine/memory/memory.h"
#include "engine/threats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_NAME_ROOM = 256 };

/* --- the state as a document ------------------------------------------------------------------ */

static json_t *cell_document(const struct engine *engine, cell_index cell)
{
    struct contents contents = position_contents(engine->position, cell);
    json_t *shown = json_pack("{s:s,s:s,s:i,s:i}", "figure",
                              game_facts(engine->game)->figure_names[contents.figure], "player",
                              game_facts(engine->game)->player_names[contents.player], "moves_made",
                              (int)contents.moves_made, "last_move", (int)contents.last_move);
    if (game_facts(engine->game)->format == 2 && position_unmoved(engine->position, cell))
        json_object_set_new(shown, "unmoved", json_true());
    return shown;
}

static json_t *cells_document(const struct engine *engine)
{
    json_t *cells = json_object();
    for (int i = 0; i < game_facts(engine->game)->cell_count; i++) {
        cell_index cell = (cell_index)i;
        if (position_contents(engine->position, cell).figure != FIGURE_NONE)
            json_object_set_new(cells, game_facts(engine->game)->cells[cell].name,
                                cell_document(engine, cell));
    }
    return cells;
}

static json_t *marks_document(const struct engine *engine)
{
    json_t *marks = json_object();
    for (int i = 0; i < game_facts(engine->game)->mark_count; i++) {
        cell_index cell = CELL_NONE, maker = CELL_NONE;
        if (position_mark(engine->position, i, &cell, &maker))
            json_object_set_new(marks, game_facts(engine->game)->marks[i],
                                json_pack("{s:s,s:s}", "cell",
                                          game_facts(engine->game)->cells[cell].name, "maker",
                                          game_facts(engine->game)->cells[maker].name));
    }
    return marks;
}

/* Name to number; of counters that each player has: name to numbers by player. */
static json_t *counters_document(const struct engine *engine)
{
    json_t *counters = json_object();
    for (int i = 0; i < game_facts(engine->game)->counter_slot_count; i++) {
        player_index player = PLAYER_NONE;
        const char *name = game_counter_name(engine->game, i, &player);
        json_t *value = json_integer(position_counter(engine->position, i));
        if (player == PLAYER_NONE) {
            json_object_set_new(counters, name, value);
            continue;
        }
        if (json_object_get(counters, name) == NULL)
            json_object_set_new(counters, name, json_object());
        json_object_set_new(json_object_get(counters, name),
                            game_facts(engine->game)->player_names[player], value);
    }
    return counters;
}

/* What the game counts at its end: by player whole numbers, or halves. */
static void set_scores(const struct engine *engine, json_t *state)
{
    int halves[PLAYERS_MAX];
    if (!position_scores(engine->position, halves))
        return;
    json_t *scores = json_object();
    for (int i = 0; i < game_facts(engine->game)->player_count; i++)
        json_object_set_new(scores, game_facts(engine->game)->player_names[i],
                            halves[i] % 2 == 0 ? json_integer(halves[i] / 2)
                                               : json_real(halves[i] / 2.0));
    json_object_set_new(state, "scores", scores);
}

static json_t *hand_document(const struct engine *engine, player_index player)
{
    json_t *hand = json_object();
    for (int i = 0; i < game_facts(engine->game)->figure_count; i++) {
        int count = position_hand(engine->position, player, (figure_index)i);
        if (count > 0)
            json_object_set_new(hand, game_facts(engine->game)->figure_names[i],
                                json_integer(count));
    }
    return hand;
}

static void set_hands(const struct engine *engine, json_t *state)
{
    if (!game_facts(engine->game)->has_hands)
        return;
    json_t *hands = json_object();
    for (int i = 0; i < game_facts(engine->game)->player_count; i++)
        json_object_set_new(hands, game_facts(engine->game)->player_names[i],
                            hand_document(engine, (player_index)i));
    json_object_set_new(state, "hands", hands);
}

static json_t *result_document(const struct engine *engine, struct outcome outcome)
{
    if (outcome.kind == OUTCOME_WON)
        return json_pack("{s:s,s:s}", "winner",
                         game_facts(engine->game)->player_names[outcome.winner], "reason",
                         outcome.reason);
    if (outcome.kind == OUTCOME_LOST)
        return json_pack("{s:s,s:s}", "loser",
                         game_facts(engine->game)->player_names[outcome.loser], "reason",
                         outcome.reason);
    return json_pack("{s:b,s:s}", "draw", 1, "reason", outcome.reason);
}

static void set_players(const struct engine *engine, const char *name, const player_index *players,
                        int count, json_t *state)
{
    if (count == 0)
        return;
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list,
                              json_string(game_facts(engine->game)->player_names[players[i]]));
    json_object_set_new(state, name, list);
}

/* Cells as an array under `name`, where there are any. */
static void set_cell_list(const struct engine *engine, json_t *state, const char *name,
                          const cell_index *cells, int count)
{
    if (count == 0)
        return;
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_string(game_facts(engine->game)->cells[cells[i]].name));
    json_object_set_new(state, name, list);
}

/* What was taken in a turn of several moves and stands until it ends; which figures are in check. */
static void set_plights(const struct engine *engine, json_t *state)
{
    struct threats threats;
    cell_index taken[CELLS_MAX];
    int count = 0;
    for (int i = 0; i < game_facts(engine->game)->cell_count; i++)
        if (position_pending(engine->position, (cell_index)i))
            taken[count++] = (cell_index)i;
    set_cell_list(engine, state, "taken", taken, count);
    threats_find(engine->position, &threats);
    set_cell_list(engine, state, "attacked", threats.cells, threats.count);
}

/* What only a game that goes on has. */
static void set_turn(const struct engine *engine, json_t *state)
{
    struct position *position = engine->position;
    struct outcome claim = position_claim(position);
    cell_index active = position_active(position);
    json_object_set_new(
        state, "to_move",
        json_string(game_facts(engine->game)->player_names[position_to_move(position)]));
    if (active != CELL_NONE)
        json_object_set_new(state, "active",
                            json_string(game_facts(engine->game)->cells[active].name));
    if (claim.kind != OUTCOME_PLAYING)
        json_object_set_new(state, "claims", json_pack("[s]", claim.reason));
}

static void set_text(struct engine *engine, json_t *state)
{
    char *text = memory_bytes(NOTATION_POSITION_BYTES);
    if (notation_write_position(engine->notation, engine->position, text))
        json_object_set_new(state, "position", json_string(text));
    free(text);
}

static void set_cells(const struct engine *engine, json_t *state)
{
    json_object_set_new(state, "cells", cells_document(engine));
    if (game_facts(engine->game)->mark_count > 0)
        json_object_set_new(state, "marks", marks_document(engine));
    if (game_facts(engine->game)->counter_slot_count > 0)
        json_object_set_new(state, "counters", counters_document(engine));
    set_scores(engine, state);
    set_hands(engine, state);
    set_plights(engine, state);
}

json_t *engine_state_answer(struct engine *engine, bool brief)
{
    const struct position *position = engine->position;
    struct outcome outcome = engine_outcome(engine);
    bool playing = outcome.kind == OUTCOME_PLAYING;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, position_hash(position));
    json_t *state = json_object();
    if (!brief)
        set_cells(engine, state);
    json_object_set_new(state, "state",
                        json_string(game_state_name(engine->game, position_state(position))));
    if (playing)
        set_turn(engine, state);
    json_object_set_new(state, "move_number",
                        json_integer((json_int_t)position_move_number(position)));
    json_object_set_new(state, "status", json_string(playing ? "playing" : "finished"));
    if (!playing)
        json_object_set_new(state, "result", result_document(engine, outcome));
    set_players(engine, "ranks", outcome.ranks, outcome.rank_count, state);
    set_players(engine, "out", outcome.out, outcome.out_count, state);
    set_text(engine, state);
    json_object_set_new(state, "hash", json_string(hash));
    return json_pack("{s:o}", "state", state);
}

/* --- load ------------------------------------------------------------------------------------- */

/* A count from 0 to 65535 that may be missing. */
static bool read_count(json_t *value, uint32_t missing, uint32_t *count)
{
    json_int_t number = json_integer_value(value);
    if (value == NULL) {
        *count = missing;
        return true;
    }
    if (!json_is_integer(value) || number < 0 || number > UINT16_MAX)
        return false;
    *count = (uint32_t)number;
    return true;
}

/* Whether an object has no keys but these. */
static bool only_keys(json_t *object, const char *const *keys)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        int i = 0;
        while (keys[i] != NULL && strcmp(keys[i], key) != 0)
            i++;
        if (keys[i] == NULL)
            return false;
    }
    return true;
}

static const char *load_figure(const struct engine *engine, json_t *value,
                               struct contents *contents)
{
    json_t *figure = json_object_get(value, "figure"), *player = json_object_get(value, "player");
    uint32_t moves_made = 0, last_move = 0;
    if (!json_is_string(figure) || !json_is_string(player))
        return "a figure needs \"figure\" and \"player\"";
    contents->figure =
        game_find_figure(engine->game, json_string_value(figure), json_string_length(figure));
    contents->player =
        game_find_player(engine->game, json_string_value(player), json_string_length(player));
    if (contents->figure == FIGURE_NONE)
        return "no such figure";
    if (contents->player == PLAYER_NONE)
        return "no such player";
    if (!read_count(json_object_get(value, "moves_made"), 0, &moves_made) ||
        !read_count(json_object_get(value, "last_move"), 0, &last_move))
        return "\"moves_made\" and \"last_move\" are whole numbers from 0 to 65535";
    contents->moves_made = (uint16_t)moves_made;
    contents->last_move = (uint16_t)last_move;
    return NULL;
}

/* Puts one figure on the draft; NULL, or what is wrong with it. */
static const char *load_cell(struct engine *engine, const char *name, json_t *value)
{
    static const char *const keys[] = {"figure", "player", "moves_made", "last_move", NULL};
    static const char *const modern[] = {"figure",    "player",  "moves_made",
                                         "last_move", "unmoved", NULL};
    const struct game *game = engine->game;
    bool is_modern = game_facts(game)->format == 2;
    cell_index cell = game_find_cell(game, name, strlen(name));
    if (cell == CELL_NONE)
        return "no such cell";
    if (!json_is_object(value) || !only_keys(value, is_modern ? modern : keys))
        return "a cell holds \"figure\", \"player\", \"moves_made\" and \"last_move\"";
    struct contents contents;
    const char *wrong = load_figure(engine, value, &contents);
    if (wrong != NULL)
        return wrong;
    if (position_contents(engine->draft, cell).figure != FIGURE_NONE)
        return "this cell is named twice";
    position_put(engine->draft, cell, contents);
    if (is_modern && json_is_true(json_object_get(value, "unmoved")))
        position_set_unmoved(engine->draft, cell);
    return NULL;
}

static const char *load_marks(struct engine *engine, json_t *marks)
{
    for (int i = 0; i < game_facts(engine->game)->mark_count; i++) {
        json_t *mark = json_object_get(marks, game_facts(engine->game)->marks[i]);
        if (mark == NULL)
            continue;
        cell_index cell = engine_read_cell(engine, json_object_get(mark, "cell"));
        cell_index maker = engine_read_cell(engine, json_object_get(mark, "maker"));
        if (cell == CELL_NONE || maker == CELL_NONE)
            return "a mark is {\"cell\":…,\"maker\":…}, both cells of this board";
        if (position_contents(engine->draft, maker).figure == FIGURE_NONE)
            return "no figure stands on the \"maker\" of a mark";
        position_set_mark(engine->draft, i, cell, maker);
    }
    return NULL;
}

static const char *load_counters(struct engine *engine, json_t *counters)
{
    for (int i = 0; i < game_facts(engine->game)->counter_slot_count; i++) {
        player_index player = PLAYER_NONE;
        json_t *value = json_object_get(counters, game_counter_name(engine->game, i, &player));
        if (player != PLAYER_NONE)
            value = json_object_get(value, game_facts(engine->game)->player_names[player]);
        json_int_t number = json_integer_value(value);
        if (value == NULL)
            continue;
        if (!json_is_integer(value) || number < -COUNTER_VALUE_MAX || number > COUNTER_VALUE_MAX)
            return "a counter is a whole number of at most 30000";
        position_set_counter(engine->draft, i, (int)number);
    }
    return NULL;
}

static const char *load_hand(struct engine *engine, player_index player, json_t *hand)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(hand, name, value)
    {
        figure_index figure = game_find_figure(engine->game, name, strlen(name));
        json_int_t count = json_integer_value(value);
        if (figure == FIGURE_NONE || !json_is_integer(value) || count < 0 || count > HAND_MAX)
            return "in a hand is a number from 0 to 1000 for each kind of figure";
        position_set_hand(engine->draft, player, figure, (int)count);
    }
    return NULL;
}

static const char *load_hands(struct engine *engine, json_t *hands)
{
    const char *name = NULL, *wrong = NULL;
    json_t *hand = NULL;
    if (hands != NULL && !game_facts(engine->game)->has_hands)
        return "nobody has anything in hand in this game";
    json_object_foreach(hands, name, hand)
    {
        player_index player = game_find_player(engine->game, name, strlen(name));
        if (wrong == NULL)
            wrong = player == PLAYER_NONE || !json_is_object(hand)
                        ? "\"hands\" has an object for each player"
                        : load_hand(engine, player, hand);
    }
    return wrong;
}

static const char *load_turn(struct engine *engine, json_t *state)
{
    json_t *name = json_object_get(state, "state");
    state_index index = 0;
    uint32_t move_number = 0;
    if (!json_is_string(name) ||
        !game_find_state(engine->game, json_string_value(name), json_string_length(name), &index))
        return "\"state\" must name a state of this game";
    if (!read_count(json_object_get(state, "move_number"), 1, &move_number))
        return "\"move_number\" is a whole number from 0 to 65535";
    if (!position_set_turn(engine->draft, index, move_number))
        return "in this \"state\" nobody moves and nothing has ended";
    return NULL;
}

json_t *engine_load_state(struct engine *engine, json_t *state)
{
    static const char *const keys[] = {"cells",  "state", "move_number", "to_move",  "status",
                                       "result", "hash",  "marks",       "counters", "claims",
                                       "ranks",  "out",   "position",    "attacked", "scores",
                                       "hands",  NULL};
    json_t *cells = json_object_get(state, "cells");
    if (!json_is_object(state) || !json_is_object(cells) || !only_keys(state, keys))
        return engine_refuse(REFUSAL_BAD_STATE,
                             "\"state\" must be an object like the one `state` answers with, and "
                             "no turn may be under way");
    position_clear(engine->draft);
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(cells, name, value)
    {
        const char *wrong = load_cell(engine, name, value);
        char message[CELL_NAME_ROOM + 128];
        if (wrong == NULL)
            continue;
        snprintf(message, sizeof message, "cell \"%.*s\": %s", NAME_BYTES_MAX, name, wrong);
        return engine_refuse(REFUSAL_BAD_STATE, message);
    }
    const char *wrong = load_marks(engine, json_object_get(state, "marks"));
    if (wrong == NULL)
        wrong = load_counters(engine, json_object_get(state, "counters"));
    if (wrong == NULL)
        wrong = load_hands(engine, json_object_get(state, "hands"));
    if (wrong == NULL)
        wrong = load_turn(engine, state);
    return wrong != NULL ? engine_refuse(REFUSAL_BAD_STATE, wrong) : NULL;
}
