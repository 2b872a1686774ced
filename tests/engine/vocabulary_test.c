/* The words of a file are those of the JSON Schema: the same members, the same ones needed, and numbers in the same bounds.
 * Conditions and matches are listed in engine/condition_tree.h, all other objects in the tables of engine/load/fields.h. */
#include "tests/support/test.h"

#include "engine/condition_tree.h"
#include "engine/load/fields.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

struct listed {
    const char *word;
    int from, to; /* both 0: no number */
    const char *needed;
    const struct listed *members; /* NULL: it has none */
};

#define NOTHING(...)
#define MEMBER(name, value, place, from, to, hint)        {#name, from, to, hint, NULL},
#define FORMER(name, now)                                 {#name, 0, 0, NULL, NULL},
#define VALUE(name, node, value, member, from, to, place) {#name, from, to, NULL, NULL},
#define OBJECT(name, node, value, place)                  {#name, 0, 0, NULL, name##_members},
#define WORDS(name, place)                                {#name, 0, 0, NULL, name##_members},
#define MATCH(name, value, member, of, format)            {#name, 0, 0, NULL, NULL},
#define OTHER(name, format)                               {#name, 0, 0, NULL, NULL},

#define MEMBERS_OF_OBJECT(name, node, value, place)                                                \
    static const struct listed name##_members[] = {MEMBERS_##name(MEMBER){.word = NULL}};
#define MEMBERS_OF_WORDS(name, place)                                                              \
    static const struct listed name##_members[] = {WORDS_##name(VALUE){.word = NULL}};
CONDITION_WORDS(NOTHING, MEMBERS_OF_OBJECT, MEMBERS_OF_WORDS)
static const struct listed condition_words[] = {
    CONDITION_WORDS(VALUE, OBJECT, WORDS){.word = "words"}, /* no condition, but beside them */
    {.word = NULL}};
static const struct listed no_moves_members[] = {MEMBERS_no_moves(MEMBER){.word = NULL}};
static const struct listed repetition_members[] = {MEMBERS_repetition(MEMBER){.word = NULL}};
static const struct listed match_words[] = {MATCH_WORDS(MATCH, OTHER){.word = NULL}};

/* Where the schema describes the objects of the engine's tables. */
#define FIELD_TABLES(TABLE)                                                                        \
    TABLE(root_fields, "")                                                                         \
    TABLE(cell_fields, "/properties/cell")                                                         \
    TABLE(position_fields, "/properties/cell/properties/position")                                 \
    TABLE(colour_fields, "/properties/cell/properties/colors")                                     \
    TABLE(board_fields, "/properties/board")                                                       \
    TABLE(shape_fields, "/$defs/shape")                                                            \
    TABLE(line_fields, "/$defs/lines")                                                             \
    TABLE(figure_fields, "/$defs/figure")                                                          \
    TABLE(movement_fields, "/$defs/movement")                                                      \
    TABLE(placing_fields, "/$defs/placing")                                                        \
    TABLE(over_fields, "/$defs/over")                                                              \
    TABLE(promotion_fields, "/$defs/promotion")                                                    \
    TABLE(combined_fields, "/$defs/combined_movement")                                             \
    TABLE(participant_fields, "/$defs/participant")                                                \
    TABLE(cell_actions_fields, "/$defs/cell_actions")                                              \
    TABLE(action_set_fields, "/$defs/action_set")                                                  \
    TABLE(match_fields, "/$defs/match")                                                            \
    TABLE(turn_fields, "/$defs/turn")                                                              \
    TABLE(counter_fields, "/$defs/counter_definition")                                             \
    TABLE(setting_fields, "/$defs/setting")                                                        \
    TABLE(score_hand_fields, "/$defs/hand_count")                                                  \
    TABLE(after_move_fields, "/$defs/after_move")                                                  \
    TABLE(effect_fields, "/$defs/effect")                                                          \
    TABLE(selection_fields, "/$defs/selection")                                                    \
    TABLE(result_fields, "/$defs/result")                                                          \
    TABLE(winner_fields, "/$defs/winner")                                                          \
    TABLE(score_fields, "/$defs/score")                                                            \
    TABLE(win_fields, "/$defs/win_condition")                                                      \
    TABLE(notation_fields, "/properties/notation")                                                 \
    TABLE(notation_field_fields, "/$defs/notation_field")                                          \
    TABLE(notation_sign_fields, "/$defs/notation_sign")                                            \
    TABLE(notation_moves_fields, "/properties/notation/properties/moves")                          \
    TABLE(coordinate_fields, "/properties/notation/properties/moves/properties/coordinate")        \
    TABLE(algebraic_fields, "/properties/notation/properties/moves/properties/algebraic")          \
    TABLE(test_fields, "/$defs/game_test")                                                         \
    TABLE(test_result_fields, "/$defs/expected_result")

#define DECLARED(table, place) extern const struct field table[];
FIELD_TABLES(DECLARED)
#undef DECLARED

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

/* `object` is one of several forms, if there are forms: a form needs not have all words. */
static const json_t *find_value(const json_t *object, const char *word)
{
    const json_t *forms = json_object_get(object, "oneOf");
    const json_t *value = json_object_get(json_object_get(object, "properties"), word);
    for (size_t i = 0; value == NULL && i < json_array_size(forms); i++)
        value = json_object_get(json_object_get(json_array_get(forms, i), "properties"), word);
    return value;
}

/* Returns how many words have been compared. */
static int check(const char *name, const json_t *object, const struct listed *words)
{
    bool forms = json_object_get(object, "oneOf") != NULL;
    int number = 0, compared = 0;
    for (const struct listed *word = words; word->word != NULL; word++, number++) {
        const json_t *value = find_value(object, word->word);
        if (value == NULL)
            fail_msg("%s: the schema has no `%s`", name, word->word);
        if (!forms && is_required(object, word->word) != (word->needed != NULL))
            fail_msg("%s: is `%s` needed?", name, word->word);
        if (word->from != 0 || word->to != 0)
            check_bounds(name, word, value);
        if (word->members == NULL)
            continue;
        const json_t *list = json_object_get(value, "oneOf"); /* of one, and of several */
        const json_t *one = list != NULL ? json_array_get(list, 0) : value;
        compared += check(word->word, resolved(one), word->members);
    }
    if (!forms && number != (int)json_object_size(json_object_get(object, "properties")))
        fail_msg("%s: the schema has words that the engine has not", name);
    return compared + number;
}

static void the_schema_has_the_words_of_the_engine(void **state)
{
    (void)state;
    schema = json_load_file("protocol/schema/game.schema.json", 0, NULL);
    assert_non_null(schema);
    assert_true(check("condition", definition("condition"), condition_words) > 30);
    assert_true(check("match", definition("match"), match_words) > 10);
    assert_true(check("no_moves", definition("no_moves"), no_moves_members) > 2);
    assert_true(check("repetition", definition("repetition"), repetition_members) > 1);
    json_decref(schema);
}

static const json_t *find_at(const char *pointer)
{
    const json_t *at = schema;
    char key[64];
    for (int used = 0; sscanf(pointer, "/%63[^/]%n", key, &used) == 1; pointer += used)
        at = json_object_get(at, key);
    return at;
}

/* Not those that may be null too: they are checked above. */
static void check_number(const char *table, const struct field *field, const json_t *value)
{
    const json_t *least = json_object_get(resolved(value), "minimum");
    const json_t *most = json_object_get(resolved(value), "maximum");
    bool alone = json_object_get(resolved(value), "oneOf") == NULL;
    if (alone &&
        (json_integer_value(least) != field->least || json_integer_value(most) != field->most))
        fail_msg("%s: `%s` is a number from %d to %d", table, field->word, field->least,
                 field->most);
}

/* The schema describes files of format 2 and, where it says so, what older ones may leave out. */
static void check_table(const char *table, const struct field *fields, const char *pointer)
{
    const json_t *object = find_at(pointer);
    const json_t *properties = json_object_get(object, "properties");
    size_t number = 0;
    for (const struct field *field = fields; field->word != NULL; field++, number++) {
        const json_t *value = json_object_get(properties, field->word);
        if (value == NULL)
            fail_msg("%s: the schema has no `%s`", table, field->word);
        if (field->missing != NULL && !is_required(object, field->word))
            fail_msg("%s: `%s` is needed", table, field->word);
        if (field->kind == field_integer)
            check_number(table, field, value);
    }
    if (number != json_object_size(properties))
        fail_msg("%s: the schema has words that the engine has not", table);
}

static void the_schema_has_the_words_of_the_tables(void **state)
{
    (void)state;
    schema = json_load_file("protocol/schema/game.schema.json", 0, NULL);
    assert_non_null(schema);
#define CHECK(table, pointer) check_table(#table, table, pointer);
    FIELD_TABLES(CHECK)
#undef CHECK
    json_decref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schema_has_the_words_of_the_engine),
        cmocka_unit_test(the_schema_has_the_words_of_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
