#include "server/cli/engine.h"

#include "engine/memory/memory.h"
#include "server/cli/engine_conversation.h"
#include "server/cli/game_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_BYTES_MAX = 1024 * 1024,
    PERFT_DEPTH_MAX = 10,
};

static const char *refusal_code(enum refusal refusal)
{
#define CODE(name, code) code,
    static const char *const codes[] = {ENGINE_REFUSALS(CODE)};
#undef CODE
    return codes[refusal];
}

json_t *engine_string(const char *text)
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

json_t *engine_refuse(enum refusal refusal, const char *message)
{
    return json_pack("{s:{s:s,s:o}}", "error", "code", refusal_code(refusal), "message",
                     engine_string(message));
}

struct outcome engine_outcome(const struct engine *engine)
{
    return engine->claimed.kind != OUTCOME_PLAYING ? engine->claimed
                                                   : position_outcome(engine->position);
}

/* --- playing ---------------------------------------------------------------------------------- */

static const struct outcome nothing_claimed = {
    .kind = OUTCOME_PLAYING, .winner = PLAYER_NONE, .reason = ""};

static json_t *show_state(struct engine *engine, json_t *request)
{
    return engine_state_answer(engine, json_is_true(json_object_get(request, "short")));
}

static void forget_plies(struct engine *engine)
{
    for (size_t i = 0; i < engine->ply_count; i++)
        undo_free(engine->plies[i].undo);
    engine->ply_count = 0;
    engine->claimed = nothing_claimed;
}

static json_t *do_new(struct engine *engine, json_t *request)
{
    forget_plies(engine);
    position_reset(engine->position);
    return show_state(engine, request);
}

static json_t *do_state(struct engine *engine, json_t *request)
{
    return show_state(engine, request);
}

static json_t *do_moves(struct engine *engine, json_t *request)
{
    bool algebraic = json_is_true(json_object_get(request, "algebraic"));
    json_t *list = json_array();
    bool over = engine->claimed.kind != OUTCOME_PLAYING;
    int count = over ? 0 : movegen_all(engine->position, engine->moves);
    for (int i = 0; i < count; i++)
        json_array_append_new(list, engine_show_move(engine, engine->moves[i], algebraic));
    return json_pack("{s:o}", "moves", list);
}

static void remember_ply(struct engine *engine, struct move move)
{
    if (engine->ply_count == engine->ply_room) {
        size_t room = engine->ply_room == 0 ? 64 : engine->ply_room * 2;
        struct ply *plies = memory_resize(engine->plies, room, sizeof *plies);
        engine->plies = plies;
        engine->ply_room = room;
    }
    struct ply *ply = &engine->plies[engine->ply_count++];
    ply->move = move;
    ply->undo = undo_new(engine->game);
    position_make(engine->position, move, ply->undo);
}

static bool find_legal(struct engine *engine, const struct wanted_move *wanted, struct move *move)
{
    *move = wanted->move;
    if (wanted->found)
        return true;
    if (wanted->from != CELL_NONE)
        return movegen_find(engine->position, wanted->from, wanted->to, wanted->choice, move);
    int count = movegen_all(engine->position, engine->moves);
    for (int i = 0; i < count; i++) {
        if (!move_is_pass(engine->moves[i]))
            continue;
        *move = engine->moves[i];
        return true;
    }
    return false;
}

/* With the words of the file that forbid it. */
static json_t *refuse_move(struct engine *engine, const struct wanted_move *wanted)
{
    json_t *answer = engine_refuse(REFUSAL_ILLEGAL_MOVE, "this is not a legal move");
    json_t *error = json_object_get(answer, "error"), *why = engine_explain(engine, wanted);
    json_t *words = json_object_get(why, "words");
    if (json_string_length(words) > 0)
        json_object_set(error, "message", words);
    json_object_del(why, "words");
    json_object_update_new(error, why);
    return answer;
}

static json_t *do_move(struct engine *engine, json_t *request)
{
    struct wanted_move wanted;
    json_t *refusal = engine_read_move(engine, json_object_get(request, "move"), &wanted);
    if (refusal != NULL)
        return refusal;
    if (engine_outcome(engine).kind != OUTCOME_PLAYING)
        return engine_refuse(REFUSAL_GAME_OVER, "the game is over");
    struct move move;
    if (!find_legal(engine, &wanted, &move))
        return refuse_move(engine, &wanted);
    json_t *shown = engine_show_move(engine, move, true);
    remember_ply(engine, move);
    json_t *answer = show_state(engine, request);
    json_object_set_new(answer, "move", shown);
    return answer;
}

static json_t *do_undo(struct engine *engine, json_t *request)
{
    if (engine->claimed.kind != OUTCOME_PLAYING) {
        engine->claimed = nothing_claimed;
        return show_state(engine, request);
    }
    if (engine->ply_count == 0)
        return engine_refuse(REFUSAL_NOTHING_TO_UNDO,
                             "no move has been made since the start or the load");
    struct ply *ply = &engine->plies[--engine->ply_count];
    position_unmake(engine->position, ply->move, ply->undo);
    undo_free(ply->undo);
    return show_state(engine, request);
}

static json_t *do_claim(struct engine *engine, json_t *request)
{
    if (engine_outcome(engine).kind != OUTCOME_PLAYING)
        return engine_refuse(REFUSAL_GAME_OVER, "the game is over");
    struct outcome claim = position_claim(engine->position);
    if (claim.kind == OUTCOME_PLAYING)
        return engine_refuse(REFUSAL_NOTHING_TO_CLAIM, "nothing may be claimed here");
    engine->claimed = claim;
    return show_state(engine, request);
}

/* --- asking ----------------------------------------------------------------------------------- */

static json_t *do_explain(struct engine *engine, json_t *request)
{
    struct wanted_move wanted;
    json_t *move = json_object_get(request, "move");
    json_t *refusal = engine_read_move(engine, move != NULL ? move : request, &wanted);
    if (refusal != NULL)
        return refusal;
    return json_pack("{s:o}", "explanation", engine_explain(engine, &wanted));
}

static json_t *do_outcome(struct engine *engine, json_t *request)
{
    static const char *const keys[] = {"status", "result", "ranks", "claims"};
    (void)request;
    json_t *answer = engine_state_answer(engine, true), *state = json_object_get(answer, "state");
    json_t *outcome = json_object();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(state, keys[i]) != NULL)
            json_object_set(outcome, keys[i], json_object_get(state, keys[i]));
    json_decref(answer);
    return json_pack("{s:o}", "outcome", outcome);
}

static json_t *do_perft(struct engine *engine, json_t *request)
{
    json_t *depth = json_object_get(request, "depth");
    json_int_t value = json_integer_value(depth);
    if (!json_is_integer(depth) || value < 0 || value > PERFT_DEPTH_MAX)
        return engine_refuse(REFUSAL_BAD_REQUEST, "\"depth\" must be a whole number from 0 to 10");
    uint64_t nodes = perft(engine->position, (int)value);
    return json_pack("{s:I}", "nodes", (json_int_t)nodes);
}

static json_t *do_quit(struct engine *engine, json_t *request)
{
    (void)request;
    engine->quit = true;
    return json_pack("{s:b}", "quit", 1);
}

/* --- setting up ------------------------------------------------------------------------------- */

static json_t *load_text(struct engine *engine, json_t *text)
{
    char words[NOTATION_WORDS_BYTES];
    if (!game_has_position_notation(engine->game))
        return engine_refuse(REFUSAL_NO_NOTATION,
                             "this game says nothing about how positions are written");
    if (!json_is_string(text))
        return engine_refuse(REFUSAL_BAD_REQUEST, "a position is a text");
    if (notation_read_position(engine->notation, engine->draft, json_string_value(text), words))
        return NULL;
    return engine_refuse(REFUSAL_BAD_POSITION, words);
}

static json_t *accept_draft(struct engine *engine, json_t *request, json_t *refusal)
{
    if (refusal != NULL)
        return refusal;
    forget_plies(engine);
    position_copy(engine->position, engine->draft);
    return show_state(engine, request);
}

static json_t *do_load(struct engine *engine, json_t *request)
{
    json_t *text = json_object_get(request, "position");
    return accept_draft(engine, request,
                        text != NULL
                            ? load_text(engine, text)
                            : engine_load_state(engine, json_object_get(request, "state")));
}

static json_t *show_text(struct engine *engine)
{
    json_t *answer = NULL;
    char *text = memory_bytes(NOTATION_POSITION_BYTES);
    if (notation_write_position(engine->notation, engine->position, text))
        answer = json_pack("{s:s}", "fen", text);
    free(text);
    return answer != NULL ? answer
                          : engine_refuse(REFUSAL_NO_NOTATION, "this position cannot be written");
}

static json_t *do_fen(struct engine *engine, json_t *request)
{
    json_t *text = json_object_get(request, "fen");
    if (text == NULL)
        return show_text(engine);
    return accept_draft(engine, request, load_text(engine, text));
}

/* --- the conversation ------------------------------------------------------------------------- */

static const struct command {
    const char *name;
    json_t *(*run)(struct engine *engine, json_t *request);
} commands[] = {
    {"new", do_new},     {"state", do_state},     {"load", do_load},   {"fen", do_fen},
    {"move", do_move},   {"undo", do_undo},       {"moves", do_moves}, {"explain", do_explain},
    {"claim", do_claim}, {"outcome", do_outcome}, {"perft", do_perft}, {"quit", do_quit},
};

static json_t *run_command(struct engine *engine, json_t *request)
{
    const char *name = json_string_value(json_object_get(request, "do"));
    if (!json_is_object(request) || name == NULL)
        return engine_refuse(REFUSAL_BAD_REQUEST, "a request is an object with a string \"do\"");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(engine, request);
    return engine_refuse(
        REFUSAL_UNKNOWN_COMMAND,
        "known are new, state, load, fen, move, undo, moves, explain, claim, outcome, "
        "perft and quit");
}

static json_t *answer_line(struct engine *engine, const char *line, size_t length)
{
    json_error_t error;
    json_t *request = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    if (request == NULL)
        return engine_refuse(REFUSAL_BAD_JSON, error.text);
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
                             ? engine_refuse(REFUSAL_TOO_LONG, "a line has at most 1048576 bytes")
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
        .notation = notation_new(game),
        .claimed = nothing_claimed,
        .moves = memory_zeroed((size_t)game_moves_max(game) + 1, sizeof *engine.moves),
    };
    char *line = memory_bytes(LINE_BYTES_MAX);
    bool served = serve_lines(&engine, in, out, line);
    forget_plies(&engine);
    free(engine.plies);
    free(engine.moves);
    free(line);
    notation_free(engine.notation);
    position_free(engine.draft);
    position_free(engine.position);
    return served;
}

static int read_players(const char *text, bool *wrong)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > PLAYERS_MAX) {
        *wrong = true;
        return 0;
    }
    return (int)value;
}

int cli_engine(int argc, char **argv)
{
    static const char usage[] = "usage: senet engine FILE [--players N] [--ignore-movement-if]\n";
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
        else if (strcmp(argv[i], "--players") == 0 && i + 1 < argc)
            options.player_count = read_players(argv[++i], &wrong);
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
