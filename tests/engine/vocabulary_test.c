/* The words of conditions and matches, as engine/condition_tree.h lists them, are those of the JSON Schema: the same
 * members, the same ones needed, and numbers in the same bounds. */
#include "tests/support/test.h"

#include "engine/condition_tree.h"
#include "engine/load/reader.h"

#include <string.h>

#include <jansson.h>

struct listed {
    const char *word;
    int from, to; /* both 0: no number */
    const char *needed;
};

#define MEMBER(word, value, place, from, to, hint)        {#word, from, to, hint},
#define VALUE(word, node, value, member, from, to, place) {#word, from, to, NULL},
#define OBJECT(word, node, value, place)                  {#word, 0, 0, NULL},
#define WORDS(word, what, place)                          {#word, 0, 0, NULL},
#define MATCH(word, value, member, of)                    {#word, 0, 0, NULL},
#define OTHER(word)                                       {#word, 0, 0, NULL},
static const struct listed at[] = {AT_MEMBERS(MEMBER){.word = NULL}};
static const struct listed neighbours[] = {NEIGHBOURS_MEMBERS(MEMBER){.word = NULL}};
static const struct listed count[] = {COUNT_MEMBERS(MEMBER){.word = NULL}};
static const struct listed attacked[] = {ATTACKED_MEMBERS(MEMBER){.word = NULL}};
static const struct listed previous[] = {PREVIOUS_MEMBERS(MEMBER){.word = NULL}};
static const struct listed counter[] = {COUNTER_MEMBERS(MEMBER){.word = NULL}};
static const struct listed computed[] = {COMPUTED_WORDS(VALUE){.word = NULL}};
static const struct listed statistics[] = {STATISTICS_WORDS(VALUE){.word = NULL}};
static const struct listed match[] = {MATCH_WORDS(MATCH, OTHER){.word = NULL}};
/* `words` is no condition, but stands beside them in `forbid`. */
static const struct listed condition[] = {
    CONDITION_WORDS(VALUE, OBJECT, WORDS){"words", 0, 0, NULL}, {.word = NULL}};

static json_t *schema;

static const json_t *definition(const char *name)
{
    const json_t *found = json_object_get(json_object_get(schema, "$defs"), name);
    assert_non_null(found);
    return found;
}

static const json_t *resolved(const json_t *node)
{
    static const char prefix[] = "#/$defs/";
    const char *reference = json_string_value(json_object_get(node, "$ref"));
    return reference == NULL ? node : definition(reference + strlen(prefix));
}

static bool is_required(const json_t *object, const char *word)
{
    const json_t *required = json_object_get(object, "required");
    for (size_t i = 0; i < json_array_size(required); i++)
        if (strcmp(json_string_value(json_array_get(required, i)), word) == 0)
            return true;
    return false;
}

/* The schema may be wider where several words share a definition. */
static void check_bounds(const char *name, const struct listed *word, const json_t *value)
{
    const json_t *least = json_object_get(resolved(value), "minimum");
    const json_t *most = json_object_get(resolved(value), "maximum");
    if (!json_is_integer(least) || json_integer_value(least) > word->from ||
        !json_is_integer(most) || json_integer_value(most) < word->to)
        fail_msg("%s: `%s` is a number from %d to %d", name, word->word, word->from, word->to);
}

static void check(const char *name, const struct listed *words)
{
    const json_t *object = definition(name);
    const json_t *properties = json_object_get(object, "properties");
    size_t number = 0;
    for (const struct listed *word = words; word->word != NULL; word++, number++) {
        const json_t *value = json_object_get(properties, word->word);
        if (value == NULL)
            fail_msg("%s: the schema has no `%s`", name, word->word);
        if (is_required(object, word->word) != (word->needed != NULL))
            fail_msg("%s: is `%s` needed?", name, word->word);
        if (word->from != 0 || word->to != 0)
            check_bounds(name, word, value);
    }
    if (number != json_object_size(properties))
        fail_msg("%s: the schema has %zu words, the engine %zu", name, json_object_size(properties),
                 number);
}

/* A figure that is attacked, or a cell: two objects share the words. */
static void check_attacked(void)
{
    const json_t *forms = json_object_get(definition("attacked"), "oneOf"), *form;
    size_t i;
    for (const struct listed *word = attacked; word->word != NULL; word++) {
        bool found = false;
        json_array_foreach(forms, i, form) found |=
            json_object_get(json_object_get(form, "properties"), word->word) != NULL;
        if (!found)
            fail_msg("attacked: the schema has no `%s`", word->word);
    }
}

static void the_schema_has_the_words_of_the_engine(void **state)
{
    (void)state;
    schema = json_load_file("protocol/schema/game.schema.json", 0, NULL);
    assert_non_null(schema);
    check("condition", condition);
    check("at", at);
    check("neighbours", neighbours);
    check("count", count);
    check_attacked();
    check("previous", previous);
    check("counter_test", counter);
    check("computed", computed);
    check("statistics", statistics);
    check("match", match);
    json_decref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_schema_has_the_words_of_the_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
