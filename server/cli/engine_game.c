#include "engine/game_tests.h"
#include "engine/load/game_check.h"
#include "engine/memory/memory.h"
#include "server/cli/engine_conversation.h"
#include "server/cli/engine_lines.h"
#include "server/cli/findings.h"

#include <string.h>

/* --- what it is ------------------------------------------------------------------------------- */

static json_t *name_list(const char *const *list, int count)
{
    json_t *names = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(names, engine_string(list[i]));
    return names;
}

static json_t *state_names(const struct game *game)
{
    json_t *names = json_array();
    for (int i = 0; i < game_facts(game)->state_count; i++)
        json_array_append_new(names, engine_string(game_state_name(game, (state_index)i)));
    return names;
}

static json_t *game_document(const struct game *game)
{
    const struct game_facts *facts = game_facts(game);
    int tests = 0;
    game_tests(game, &tests);
    return json_pack("{s:o,s:o,s:i,s:o,s:o,s:o,s:o,s:b,s:i}", "name", engine_string(facts->name),
                     "title", engine_string(facts->title), "format", facts->format, "players",
                     name_list(facts->player_names, facts->player_count), "figures",
                     name_list(facts->figure_names, facts->figure_count), "states",
                     state_names(game), "coordinates",
                     name_list(facts->coordinate_names, facts->dimension_count), "has_positions",
                     game_has_position_notation(game), "tests", tests);
}

/* --- loading ---------------------------------------------------------------------------------- */

/* The texts of other games that came with the request, by name. */
static char *find_base(const void *bases, const char *name, size_t *length)
{
    const json_t *text = json_object_get(bases, name);
    if (!json_is_string(text))
        return NULL;
    *length = json_string_length(text);
    char *copy = memory_bytes(*length + 1);
    memcpy(copy, json_string_value(text), *length + 1);
    return copy;
}

/* The text of the request; false with a refusal when there is none. `bases` is the room for them. */
static bool read_text(json_t *request, struct bases *bases, struct game_text *text)
{
    const json_t *value = json_object_get(request, "text");
    *bases = (struct bases){find_base, json_object_get(request, "bases")};
    *text = (struct game_text){json_string_value(value), json_string_length(value), bases};
    return json_is_string(value);
}

/* False with a refusal: what is asked for is no number of players. */
static bool read_options(json_t *request, struct load_options *options)
{
    json_t *players = json_object_get(request, "players");
    json_int_t count = json_integer_value(players);
    *options = (struct load_options){.try_out = true};
    if (players == NULL)
        return true;
    if (!json_is_integer(players) || count < 1 || count > PLAYERS_MAX)
        return false;
    options->player_count = (int)count;
    return true;
}

static const char *first_error(const struct diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++)
        if (diagnostics->list[i].severity == DIAGNOSTIC_ERROR)
            return diagnostics->list[i].message;
    return "this game does not load";
}

static json_t *findings_of(const struct diagnostics *diagnostics)
{
    json_t *findings = json_array();
    findings_add(findings, NULL, diagnostics);
    return findings;
}

static json_t *show_game(struct engine *engine, json_t *request)
{
    json_t *answer = engine_state_answer(engine, json_is_true(json_object_get(request, "short")));
    json_object_set_new(answer, "game", game_document(engine->game));
    return answer;
}

json_t *engine_do_game(struct engine *engine, json_t *request)
{
    struct bases bases;
    struct game_text text;
    struct load_options options;
    struct diagnostics diagnostics;
    if (!read_text(request, &bases, &text))
        return engine_refuse(REFUSAL_BAD_REQUEST, "\"text\" must be the game file's text");
    if (!read_options(request, &options))
        return engine_refuse(REFUSAL_BAD_REQUEST, "\"players\" must be a whole number from 1 to 8");
    diagnostics_init(&diagnostics);
    bool opened = engine_open(engine, &text, &options, &diagnostics);
    json_t *answer = opened ? show_game(engine, request)
                            : engine_refuse(REFUSAL_BAD_GAME, first_error(&diagnostics));
    json_object_set_new(answer, "findings", findings_of(&diagnostics));
    diagnostics_release(&diagnostics);
    return answer;
}

/* Its words, and what its tests find. */
static void check(const struct game_text *text, struct diagnostics *diagnostics)
{
    const struct load_options as_a_strangers = {.try_out = true};
    struct whole_text whole;
    if (whole_text_read(&whole, text->text, text->length, text->bases, diagnostics)) {
        struct game *game = game_load(whole.text, whole.length, &as_a_strangers, diagnostics);
        if (game != NULL)
            game_check_tests(whole.text, whole.length, game, diagnostics);
        game_release(game);
        whole_text_locate(&whole, diagnostics);
    }
    whole_text_release(&whole);
}

json_t *engine_do_check(struct engine *engine, json_t *request)
{
    struct bases bases;
    struct game_text text;
    struct diagnostics diagnostics;
    (void)engine;
    if (!read_text(request, &bases, &text))
        return engine_refuse(REFUSAL_BAD_REQUEST, "\"text\" must be the game file's text");
    diagnostics_init(&diagnostics);
    check(&text, &diagnostics);
    json_t *answer = json_pack("{s:o,s:b}", "findings", findings_of(&diagnostics), "sound",
                               diagnostics.error_count == 0);
    diagnostics_release(&diagnostics);
    return answer;
}

/* --- its own tests ---------------------------------------------------------------------------- */

static void add_test(void *tests, const struct game_test *test, const char *words)
{
    bool passed = words[0] == '\0';
    json_t *shown = json_pack("{s:o,s:o,s:b}", "name", engine_string(test->name), "pointer",
                              json_sprintf("/tests/%d", test->number), "passed", passed);
    if (!passed)
        json_object_set_new(shown, "words", engine_string(words));
    json_array_append_new(tests, shown);
}

/* They are those of the game for all players, whoever plays now. */
json_t *engine_do_tests(struct engine *engine, json_t *request)
{
    struct diagnostics diagnostics;
    json_t *tests = json_array();
    (void)request;
    diagnostics_init(&diagnostics);
    struct game *whole = game_load(engine->text, engine->text_length, NULL, &diagnostics);
    if (whole != NULL)
        game_check_tell(engine->text, engine->text_length, whole, add_test, tests);
    game_release(whole);
    diagnostics_release(&diagnostics);
    return json_pack("{s:o}", "tests", tests);
}
