#include "server/cli/engine_lines.h"

#include "engine/memory/memory.h"
#include "server/cli/engine_conversation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- the conversation ------------------------------------------------------------------------- */

/* The commands of a game that is loaded know that there is one. */
static const struct command {
    const char *name;
    json_t *(*run)(struct engine *engine, json_t *request);
    bool needs_game;
} commands[] = {
    {"game", engine_do_game, false},    {"check", engine_do_check, false},
    {"new", engine_do_new, true},       {"state", engine_do_state, true},
    {"load", engine_do_load, true},     {"fen", engine_do_fen, true},
    {"move", engine_do_move, true},     {"undo", engine_do_undo, true},
    {"moves", engine_do_moves, true},   {"explain", engine_do_explain, true},
    {"claim", engine_do_claim, true},   {"outcome", engine_do_outcome, true},
    {"perft", engine_do_perft, true},   {"layout", engine_do_layout, true},
    {"tests", engine_do_tests, true},   {"targets", engine_do_targets, true},
    {"choose", engine_do_choose, true}, {"random", engine_do_random, true},
    {"cells", engine_do_cells, true},   {"hint", engine_do_hint, true},
    {"quit", engine_do_quit, false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static json_t *refuse_unknown(void)
{
    char words[256] = "known are ";
    size_t length = strlen(words);
    for (size_t i = 0; i < COMMANDS; i++)
        length += (size_t)snprintf(words + length, sizeof words - length, "%s%s",
                                   i == 0              ? ""
                                   : i + 1 == COMMANDS ? " and "
                                                       : ", ",
                                   commands[i].name);
    return engine_refuse(REFUSAL_UNKNOWN_COMMAND, words);
}

static json_t *run_command(struct engine *engine, json_t *request)
{
    const char *name = json_string_value(json_object_get(request, "do"));
    if (!json_is_object(request) || name == NULL)
        return engine_refuse(REFUSAL_BAD_REQUEST, "a request is an object with a string \"do\"");
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) != 0)
            continue;
        if (commands[i].needs_game && engine->game == NULL)
            return engine_refuse(REFUSAL_NO_GAME, "no game is loaded yet");
        return commands[i].run(engine, request);
    }
    return refuse_unknown();
}

static json_t *answer_line(struct engine *engine, const char *line, size_t length)
{
    json_error_t error;
    if (length > ENGINE_LINE_BYTES_MAX)
        return engine_refuse(REFUSAL_TOO_LONG, "a line has at most 1048576 bytes");
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

static bool is_blank(const char *line, size_t length)
{
    if (length > ENGINE_LINE_BYTES_MAX)
        return false;
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

char *engine_answer(struct engine *engine, const char *line, size_t length)
{
    /* Fifteen digits are what doubles have: where two machines' arithmetic differs in the last bit, the answers do not. */
    enum { REAL_DIGITS = 15 };
    if (is_blank(line, length))
        return NULL;
    json_t *answer = answer_line(engine, line, length);
    char *text =
        answer == NULL ? NULL : json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS));
    if (text == NULL)
        memory_end_process(length);
    json_decref(answer);
    return text;
}

/* --- the game talked about -------------------------------------------------------------------- */

struct engine *engine_new(void)
{
    struct engine *engine = memory_zeroed(1, sizeof *engine);
    engine->claimed.winner = PLAYER_NONE;
    return engine;
}

static void close_game(struct engine *engine)
{
    engine_forget_plies(engine);
    engine_forget_judge(engine);
    free(engine->moves);
    free(engine->text);
    notation_free(engine->notation);
    position_free(engine->draft);
    position_free(engine->position);
    game_release(engine->game);
}

void engine_free(struct engine *engine)
{
    close_game(engine);
    free(engine->plies);
    free(engine);
}

/* Takes the game. */
static void open_game(struct engine *engine, struct game *game, const struct whole_text *whole)
{
    close_game(engine);
    engine->game = game;
    engine->position = position_new(game);
    engine->draft = position_new(game);
    engine->notation = notation_new(game);
    engine->moves = memory_zeroed((size_t)game_facts(game)->moves_max + 1, sizeof *engine->moves);
    engine->text = memory_bytes(whole->length);
    memcpy(engine->text, whole->text, whole->length);
    engine->text_length = whole->length;
}

bool engine_open(struct engine *engine, const struct game_text *text,
                 const struct load_options *options, struct diagnostics *diagnostics)
{
    struct whole_text whole;
    struct game *game = NULL;
    if (whole_text_read(&whole, text->text, text->length, text->bases, diagnostics)) {
        game = game_load(whole.text, whole.length, options, diagnostics);
        whole_text_locate(&whole, diagnostics);
    }
    if (game != NULL)
        open_game(engine, game, &whole);
    whole_text_release(&whole);
    return game != NULL;
}

bool engine_has_quit(const struct engine *engine)
{
    return engine->quit;
}
