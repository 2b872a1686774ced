#include "server/cli/engine.h"

#include "engine/movegen.h"
#include "server/cli/game_file.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_BYTES_MAX = 1024 * 1024,
    PERFT_DEPTH_MAX = 10,
    CELL_NAME_ROOM = 256,
};

/* Why a request is refused. The code is for programs; words that say more are given where it happens. */
#define ENGINE_REFUSALS(X)                                                                         \
    X(BAD_JSON, "bad_json")                                                                        \
    X(TOO_LONG, "too_long")                                                                        \
    X(BAD_REQUEST, "bad_request")                                                                  \
    X(UNKNOWN_COMMAND, "unknown_command")                                                          \
    X(UNKNOWN_CELL, "unknown_cell")                                                                \
    X(ILLEGAL_MOVE, "illegal_move")                                                                \
    X(GAME_OVER, "game_over")                                                                      \
    X(NOTHING_TO_UNDO, "nothing_to_undo")                                                          \
    X(BAD_STATE, "bad_state")

#define REFUSAL(name, code) REFUSAL_##name,
enum refusal { ENGINE_REFUSALS(REFUSAL) };
#undef REFUSAL

static const char *refusal_code(enum refusal refusal)
{
#define CODE(name, code) code,
    static const char *const codes[] = {ENGINE_REFUSALS(CODE)};
#undef CODE
    return codes[refusal];
}

/* A move made, and what takes it back. */
struct ply {
    struct move move;
    struct undo *undo;
};

struct engine {
    struct game *game;
    struct position *position,
        *draft; /* the draft is where `load` puts things before they are accepted */
    struct move *moves;
    struct ply *plies;
    size_t ply_count, ply_room;
    bool quit;
};

/* A text for an answer. Words about bad input may have been cut in the middle of a character; such bytes are shown as
 * question marks. */
static json_t *safe_string(const char *text)
{
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char ascii[512];
    size_t length = 0;
    for (; text[length] != '\0' && length + 1 < sizeof ascii; length++)
        ascii[length] = (unsigned char)text[length] < 0x80 ? text[length] : '?';
    ascii[length] = '\0';
    return json_string(ascii);
}

static json_t *refuse(enum refusal refusal, const char *message)
{
    return json_pack("{s:{s:s,s:o}}", "error", "code", refusal_code(refusal), "message",
                     safe_string(message));
}

/* --- the state as a document ------------------------------------------------------------------ */

static json_t *cell_document(const struct engine *engine, cell_index cell)
{
    struct contents contents = position_contents(engine->position, cell);
    return json_pack("{s:s,s:s,s:i,s:i}", "figure", game_figure_name(engine->game, contents.figure),
                     "player", game_player_name(engine->game, contents.player), "moves_made",
                     (int)contents.moves_made, "last_move", (int)contents.last_move);
}

static json_t *cells_document(const struct engine *engine)
{
    json_t *cells = json_object();
    for (int i = 0; i < game_cell_count(engine->game); i++) {
        cell_index cell = (cell_index)i;
        if (position_contents(engine->position, cell).figure != FIGURE_NONE)
            json_object_set_new(cells, game_cell_name(engine->game, cell),
                                cell_document(engine, cell));
    }
    return cells;
}

static json_t *result_document(const struct engine *engine, struct outcome outcome)
{
    if (outcome.kind == OUTCOME_WON)
        return json_pack("{s:s,s:s}", "winner", game_player_name(engine->game, outcome.winner),
                         "reason", outcome.reason);
    return json_pack("{s:b,s:s}", "draw", 1, "reason", outcome.reason);
}

static json_t *state_document(const struct engine *engine)
{
    const struct position *position = engine->position;
    struct outcome outcome = position_outcome(position);
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, position_hash(position));
    json_t *state = json_pack("{s:o,s:s}", "cells", cells_document(engine), "state",
                              game_state_name(engine->game, position_state(position)));
    if (outcome.kind == OUTCOME_PLAYING)
        json_object_set_new(
            state, "to_move",
            json_string(game_player_name(engine->game, position_to_move(position))));
    json_object_set_new(state, "move_number",
                        json_integer((json_int_t)position_move_number(position)));
    json_object_set_new(state, "status",
                        json_string(outcome.kind == OUTCOME_PLAYING ? "playing" : "finished"));
    if (outcome.kind != OUTCOME_PLAYING)
        json_object_set_new(state, "result", result_document(engine, outcome));
    json_object_set_new(state, "hash", json_string(hash));
    return json_pack("{s:o}", "state", state);
}

/* --- reading cells and moves ------------------------------------------------------------------ */

static cell_index read_coordinates(const struct engine *engine, json_t *value)
{
    int coordinates[DIMENSIONS_MAX];
    int count = game_dimension_count(engine->game);
    if (json_object_size(value) != (size_t)count)
        return CELL_NONE;
    for (int i = 0; i < count; i++) {
        json_t *number = json_object_get(value, game_coordinate_name(engine->game, i));
        json_int_t coordinate = json_integer_value(number);
        if (!json_is_integer(number) || coordinate < -COORDINATE_MAX || coordinate > COORDINATE_MAX)
            return CELL_NONE;
        coordinates[i] = (int)coordinate;
    }
    return game_cell_at(engine->game, coordinates);
}

/* A cell by its name, its coordinates joined with `_`, or an object of coordinates; CELL_NONE for anything else. */
static cell_index read_cell(const struct engine *engine, json_t *value)
{
    if (json_is_string(value))
        return game_find_cell(engine->game, json_string_value(value), json_string_length(value));
    if (json_is_object(value))
        return read_coordinates(engine, value);
    return CELL_NONE;
}

/* --- the commands ----------------------------------------------------------------------------- */

static void forget_plies(struct engine *engine)
{
    for (size_t i = 0; i < engine->ply_count; i++)
        undo_free(engine->plies[i].undo);
    engine->ply_count = 0;
}

static json_t *do_new(struct engine *engine, json_t *request)
{
    (void)request;
    forget_plies(engine);
    position_reset(engine->position);
    return state_document(engine);
}

static json_t *do_state(struct engine *engine, json_t *request)
{
    (void)request;
    return state_document(engine);
}

static json_t *do_moves(struct engine *engine, json_t *request)
{
    (void)request;
    json_t *list = json_array();
    int count = movegen_all(engine->position, engine->moves);
    for (int i = 0; i < count; i++)
        json_array_append_new(list,
                              json_pack("{s:s,s:s}", "from",
                                        game_cell_name(engine->game, engine->moves[i].from), "to",
                                        game_cell_name(engine->game, engine->moves[i].to)));
    return json_pack("{s:o}", "moves", list);
}

static void remember_ply(struct engine *engine, struct move move)
{
    if (engine->ply_count == engine->ply_room) {
        size_t room = engine->ply_room == 0 ? 64 : engine->ply_room * 2;
        struct ply *plies = realloc(engine->plies, room * sizeof *plies);
        assert(plies != NULL);
        engine->plies = plies;
        engine->ply_room = room;
    }
    struct ply *ply = &engine->plies[engine->ply_count++];
    ply->move = move;
    ply->undo = undo_new(engine->game);
    position_make(engine->position, move, ply->undo);
}

static json_t *do_move(struct engine *engine, json_t *request)
{
    json_t *wanted = json_object_get(request, "move");
    if (!json_is_object(wanted))
        return refuse(REFUSAL_BAD_REQUEST, "\"move\" must be an object with \"from\" and \"to\"");
    cell_index from = read_cell(engine, json_object_get(wanted, "from"));
    cell_index to = read_cell(engine, json_object_get(wanted, "to"));
    if (from == CELL_NONE || to == CELL_NONE)
        return refuse(REFUSAL_UNKNOWN_CELL, from == CELL_NONE ? "\"from\" is no cell of this board"
                                                              : "\"to\" is no cell of this board");
    struct move move;
    if (movegen_find(engine->position, from, to, CHOICE_NONE, &move)) {
        remember_ply(engine, move);
        return state_document(engine);
    }
    if (position_outcome(engine->position).kind != OUTCOME_PLAYING)
        return refuse(REFUSAL_GAME_OVER, "the game is over");
    return refuse(REFUSAL_ILLEGAL_MOVE, "this is not a legal move");
}

static json_t *do_undo(struct engine *engine, json_t *request)
{
    (void)request;
    if (engine->ply_count == 0)
        return refuse(REFUSAL_NOTHING_TO_UNDO, "no move has been made since the start or the load");
    struct ply *ply = &engine->plies[--engine->ply_count];
    position_unmake(engine->position, ply->move, ply->undo);
    undo_free(ply->undo);
    return state_document(engine);
}

static json_t *do_perft(struct engine *engine, json_t *request)
{
    json_t *depth = json_object_get(request, "depth");
    json_int_t value = json_integer_value(depth);
    if (!json_is_integer(depth) || value < 0 || value > PERFT_DEPTH_MAX)
        return refuse(REFUSAL_BAD_REQUEST, "\"depth\" must be a whole number from 0 to 10");
    uint64_t nodes = perft(engine->position, (int)value);
    return json_pack("{s:I}", "nodes", (json_int_t)nodes);
}

static json_t *do_quit(struct engine *engine, json_t *request)
{
    (void)request;
    engine->quit = true;
    return json_pack("{s:b}", "quit", 1);
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

/* Puts one figure on the draft; NULL, or what is wrong with it. */
static const char *load_cell(struct engine *engine, const char *name, json_t *value)
{
    static const char *const keys[] = {"figure", "player", "moves_made", "last_move", NULL};
    const struct game *game = engine->game;
    cell_index cell = game_find_cell(game, name, strlen(name));
    if (cell == CELL_NONE)
        return "no such cell";
    if (!json_is_object(value) || !only_keys(value, keys))
        return "a cell holds \"figure\", \"player\", \"moves_made\" and \"last_move\"";
    json_t *figure = json_object_get(value, "figure"), *player = json_object_get(value, "player");
    if (!json_is_string(figure) || !json_is_string(player))
        return "a figure needs \"figure\" and \"player\"";
    struct contents contents = {
        .figure = game_find_figure(game, json_string_value(figure), json_string_length(figure)),
        .player = game_find_player(game, json_string_value(player), json_string_length(player)),
    };
    if (contents.figure == FIGURE_NONE)
        return "no such figure";
    if (contents.player == PLAYER_NONE)
        return "no such player";
    uint32_t moves_made = 0, last_move = 0;
    if (!read_count(json_object_get(value, "moves_made"), 0, &moves_made) ||
        !read_count(json_object_get(value, "last_move"), 0, &last_move))
        return "\"moves_made\" and \"last_move\" are whole numbers from 0 to 65535";
    if (position_contents(engine->draft, cell).figure != FIGURE_NONE)
        return "this cell is named twice";
    contents.moves_made = (uint16_t)moves_made;
    contents.last_move = (uint16_t)last_move;
    position_put(engine->draft, cell, contents);
    return NULL;
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

static json_t *do_load(struct engine *engine, json_t *request)
{
    static const char *const keys[] = {"cells",  "state",  "move_number", "to_move",
                                       "status", "result", "hash",        NULL};
    json_t *state = json_object_get(request, "state");
    json_t *cells = json_object_get(state, "cells");
    if (!json_is_object(state) || !json_is_object(cells) || !only_keys(state, keys))
        return refuse(REFUSAL_BAD_STATE,
                      "\"state\" must be an object like the one `state` answers with");
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
        return refuse(REFUSAL_BAD_STATE, message);
    }
    const char *wrong = load_turn(engine, state);
    if (wrong != NULL)
        return refuse(REFUSAL_BAD_STATE, wrong);
    forget_plies(engine);
    position_copy(engine->position, engine->draft);
    return state_document(engine);
}

/* --- the conversation ------------------------------------------------------------------------- */

static const struct command {
    const char *name;
    json_t *(*run)(struct engine *engine, json_t *request);
} commands[] = {
    {"new", do_new},   {"state", do_state}, {"load", do_load},   {"move", do_move},
    {"undo", do_undo}, {"moves", do_moves}, {"perft", do_perft}, {"quit", do_quit},
};

static json_t *run_command(struct engine *engine, json_t *request)
{
    const char *name = json_string_value(json_object_get(request, "do"));
    if (!json_is_object(request) || name == NULL)
        return refuse(REFUSAL_BAD_REQUEST, "a request is an object with a string \"do\"");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(engine, request);
    return refuse(REFUSAL_UNKNOWN_COMMAND,
                  "known are new, state, load, move, undo, moves, perft and quit");
}

static json_t *answer_line(struct engine *engine, const char *line, size_t length)
{
    json_error_t error;
    json_t *request = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    if (request == NULL)
        return refuse(REFUSAL_BAD_JSON, error.text);
    json_t *answer = run_command(engine, request);
    json_t *id = json_object_get(request, "id");
    if (id != NULL)
        json_object_set(answer, "id", id);
    json_decref(request);
    return answer;
}

/* One line without its end; false at the end of the input. Of a line that is too long only the length counts. */
static bool read_line(FILE *in, char *line, size_t *length)
{
    size_t count = 0;
    int byte = getc(in);
    if (byte == EOF)
        return false;
    for (; byte != EOF && byte != '\n'; byte = getc(in)) {
        if (count < LINE_BYTES_MAX)
            line[count] = (char)byte;
        count++;
    }
    *length = count;
    return true;
}

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length && i < LINE_BYTES_MAX; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

static bool write_answer(json_t *answer, FILE *out)
{
    assert(answer != NULL);
    bool written =
        json_dumpf(answer, out, JSON_COMPACT) == 0 && putc('\n', out) != EOF && fflush(out) == 0;
    json_decref(answer);
    return written;
}

static bool serve_lines(struct engine *engine, FILE *in, FILE *out, char *line)
{
    size_t length = 0;
    while (!engine->quit && read_line(in, line, &length)) {
        if (is_blank(line, length))
            continue;
        json_t *answer = length > LINE_BYTES_MAX
                             ? refuse(REFUSAL_TOO_LONG, "a line has at most 1048576 bytes")
                             : answer_line(engine, line, length);
        if (!write_answer(answer, out))
            return false;
    }
    return true;
}

bool engine_serve(struct game *game, FILE *in, FILE *out)
{
    struct engine engine = {
        .game = game,
        .position = position_new(game),
        .draft = position_new(game),
        .moves = malloc(((size_t)game_moves_max(game) + 1) * sizeof *engine.moves),
    };
    char *line = malloc(LINE_BYTES_MAX);
    assert(line != NULL && engine.moves != NULL);
    bool served = serve_lines(&engine, in, out, line);
    forget_plies(&engine);
    free(engine.plies);
    free(engine.moves);
    free(line);
    position_free(engine.draft);
    position_free(engine.position);
    return served;
}

int cli_engine(int argc, char **argv)
{
    static const char usage[] = "usage: senet engine FILE [--ignore-movement-if]\n";
    struct load_options options = {0};
    const char *path = NULL;
    bool wrong = false;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--ignore-movement-if") == 0)
            options.ignore_movement_if = true;
        else if (path == NULL && argv[i][0] != '-')
            path = argv[i];
        else
            wrong = true;
    }
    if (wrong || path == NULL) {
        fputs(usage, stderr);
        return 2;
    }
    struct game *game = game_file_load(path, &options);
    if (game == NULL)
        return 1;
    bool served = engine_serve(game, stdin, stdout);
    game_release(game);
    return served ? 0 : 1;
}
