/* A file over another one: RFC 7396 on texts, byte by byte; where what is found was written; bounds; memory that fails. What is said
 * about mistakes is in broken/extends.txt. */
#include "tests/support/test.h"

#include "engine/load/extends.h"
#include "engine/work.h"
#include "tests/engine/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* --- texts ------------------------------------------------------------------------------------ */

/* The one game there is: "base". */
static char *find(const void *text, const char *name, size_t *length)
{
    if (strcmp(name, "base") != 0)
        return NULL;
    *length = strlen(text);
    char *copy = malloc(*length + 1);
    if (copy != NULL)
        memcpy(copy, text, *length + 1);
    return copy;
}

static void read_whole(struct whole_text *whole, const char *base, const char *text)
{
    const struct bases bases = {find, base};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    assert_true(whole_text_read(whole, text, strlen(text), &bases, &diagnostics));
    assert_int_equal(diagnostics.error_count, 0);
    diagnostics_release(&diagnostics);
}

/* The examples of RFC 7396, appendix A, whose outermost values are objects, and what else there is to be merged. */
static const struct merge {
    const char *name, *base, *text, *whole;
} merges[] = {
    {"a value is replaced", "{\"a\":\"b\"}", "{\"extends\":\"base\",\"a\":\"c\"}", "{\"a\":\"c\"}"},
    {"a value is added", "{\"a\":\"b\"}", "{\"extends\":\"base\",\"b\":\"c\"}",
     "{\"a\":\"b\",\"b\":\"c\"}"},
    {"null takes away", "{\"a\":\"b\"}", "{\"extends\":\"base\",\"a\":null}", "{}"},
    {"null takes one of several away", "{\"a\":\"b\",\"b\":\"c\"}",
     "{\"extends\":\"base\",\"a\":null}", "{\"b\":\"c\"}"},
    {"a list is replaced by a text", "{\"a\":[\"b\"]}", "{\"extends\":\"base\",\"a\":\"c\"}",
     "{\"a\":\"c\"}"},
    {"a text is replaced by a list", "{\"a\":\"c\"}", "{\"extends\":\"base\",\"a\":[\"b\"]}",
     "{\"a\":[\"b\"]}"},
    {"objects within are merged", "{\"a\":{\"b\":\"c\"}}",
     "{\"extends\":\"base\",\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"},
    {"objects within a list are not", "{\"a\":[{\"b\":\"c\"}]}", "{\"extends\":\"base\",\"a\":[1]}",
     "{\"a\":[1]}"},
    {"null stays in a list", "{\"e\":null}", "{\"extends\":\"base\",\"a\":[null,{\"b\":null}]}",
     "{\"e\":null,\"a\":[null,{\"b\":null}]}"},
    {"what was called otherwise is taken away", "{\"combined_movements\":[1],\"b\":1}",
     "{\"extends\":\"base\",\"complex_movement\":null}", "{\"b\":1}"},
    {"what was called otherwise is replaced", "{\"b\":1,\"stuck\":\"draw\"}",
     "{\"extends\":\"base\",\"no_moves\":\"win\"}", "{\"b\":1,\"no_moves\":\"win\"}"},
    {"within objects names are as they are written", "{\"a\":{\"stuck\":1}}",
     "{\"extends\":\"base\",\"a\":{\"no_moves\":2}}", "{\"a\":{\"stuck\":1,\"no_moves\":2}}"},
    {"null goes from an object that is new", "{}",
     "{\"extends\":\"base\",\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"},
    {"an object over a list", "{\"a\":[1,2]}", "{\"extends\":\"base\",\"a\":{\"b\":{\"c\":null}}}",
     "{\"a\":{\"b\":{}}}"},
    {"`extends` of another object stays", "{\"a\":{\"extends\":1}}",
     "{\"extends\":\"base\",\"a\":{\"b\":2}}", "{\"a\":{\"extends\":1,\"b\":2}}"},
    {"keys are compared as they are meant", "{\"\\u0061b\":1,\"c\\\"d\":2}",
     "{\"extends\":\"base\",\"a\\u0062\":3,\"c\\u0022d\":null}", "{\"a\\u0062\":3}"},
    {"brackets and commas in texts", "{\"a\":\"}],{\",\"b\":[\"]\"]}",
     "{\"extends\":\"base\",\"b\":\"{,\",\"c\":\"\\\\\"}",
     "{\"a\":\"}],{\",\"b\":\"{,\",\"c\":\"\\\\\"}"},
    {"lines and spaces stay", "{\n    \"a\": 1,\n    \"b\": {\"c\": [1, 2]},\n    \"d\": 4\n}\n",
     "{\n  \"extends\": \"base\",\n  \"b\": {\"c\": [3]},\n  \"a\": null,\n  \"e\": 5\n}\n",
     "{\n    \"b\": {\"c\": [3]},\n    \"d\": 4,\n  \"e\": 5\n}\n"},
};

static void is_merged(void **state)
{
    const struct merge *row = *state;
    struct whole_text whole;
    read_whole(&whole, row->base, row->text);
    assert_int_equal(strlen(row->whole), whole.length);
    assert_string_equal(whole.text, row->whole);
    whole_text_release(&whole);
}

static void what_extends_nothing_is_left_as_it_is(void **state)
{
    static const char *const texts[] = {"{\"name\": \"extends\"}",
                                        "[\"extends\"]",
                                        "extends",
                                        "",
                                        "{\"a\": {\"extends\": \"base\"}}",
                                        "{\"\\u00\"",
                                        "{\"a\": 1, \"a\": \"extends\"}"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct whole_text whole;
        read_whole(&whole, "{}", texts[i]);
        assert_ptr_equal(whole.text, texts[i]);
        whole_text_release(&whole);
    }
}

/* --- two merges of trees, made up -------------------------------------------------------------- */

static json_t *invent(uint64_t *seed, int depth)
{
    static const char *const keys[] = {"a", "b", "c\"", "\xc3\xa9"};
    uint64_t kind = test_random(seed) % (depth > 0 ? 6 : 3);
    json_t *made = kind == 3 ? json_array() : kind > 3 ? json_object() : NULL;
    if (kind < 3)
        return kind == 0   ? json_null()
               : kind == 1 ? json_string("te}xt,")
                           : json_integer((json_int_t)(test_random(seed) % 9));
    for (uint64_t i = test_random(seed) % 5; i > 0; i--) {
        json_t *one = invent(seed, depth - 1);
        if (kind == 3)
            json_array_append_new(made, one);
        else
            json_object_set_new(made, keys[test_random(seed) % 4], one);
    }
    return made;
}

/* As the RFC writes it down. */
static json_t *merge_patch(json_t *target, json_t *patch)
{
    const char *key = NULL;
    json_t *value = NULL, *result = NULL;
    if (!json_is_object(patch))
        return json_deep_copy(patch);
    result = json_is_object(target) ? json_deep_copy(target) : json_object();
    json_object_foreach(patch, key, value)
    {
        json_t *merged =
            json_is_null(value) ? NULL : merge_patch(json_object_get(result, key), value);
        if (merged == NULL)
            json_object_del(result, key);
        else
            json_object_set_new(result, key, merged);
    }
    return result;
}

static json_t *invent_object(uint64_t *seed)
{
    for (;;) {
        json_t *value = invent(seed, 4);
        if (json_is_object(value))
            return value;
        json_decref(value);
    }
}

static void texts_are_merged_as_trees_are(void **state)
{
    uint64_t seed = 7396;
    (void)state;
    for (int i = 0; i < 2000; i++) {
        size_t style = i % 2 == 0 ? JSON_COMPACT : JSON_INDENT(2);
        json_t *base = invent_object(&seed), *patch = invent_object(&seed);
        json_t *expected = merge_patch(base, patch);
        json_object_set_new(patch, "extends", json_string("base"));
        char *base_text = json_dumps(base, style), *text = json_dumps(patch, style);
        struct whole_text whole;
        read_whole(&whole, base_text, text);
        json_t *merged = json_loadb(whole.text, whole.length, JSON_REJECT_DUPLICATES, NULL);
        if (!json_equal(merged, expected))
            fail_msg("%s over %s is not %s", text, base_text, whole.text);
        whole_text_release(&whole);
        free(base_text);
        free(text);
        json_decref(merged);
        json_decref(expected);
        json_decref(base);
        json_decref(patch);
    }
}

/* --- places ----------------------------------------------------------------------------------- */

/* Each finding is about a letter that is a capital. */
static void a_place_is_where_the_author_wrote_it(void **state)
{
    static const char base[] = "{\n \"a\": \"W\",\n \"b\": \"X\"\n}";
    static const char text[] = "{\"extends\": \"base\",\n  \"b\": \"Y\",\n  \"c\": [1,\n \"Z\"]}\n";
    struct whole_text whole;
    struct diagnostics found;
    (void)state;
    read_whole(&whole, base, text);
    diagnostics_init(&found);
    assert_string_equal(whole.text,
                        "{\n \"a\": \"W\",\n \"b\": \"Y\",\n  \"c\": [1,\n \"Z\"]\n}\n");
    diagnostics_add(&found, (struct finding){.pointer = "/a", .part = NODE_LETTER}, "", "W");
    diagnostics_add(&found, (struct finding){.pointer = "/b", .part = NODE_LETTER}, "", "Y");
    diagnostics_add(&found, (struct finding){.pointer = "/c/1", .part = NODE_LETTER}, "", "Z");
    whole_text_locate(&whole, &found);
    assert_string_equal(found.list[0].message, "in `base`, line 2, column 8: W");
    assert_int_equal(found.list[0].line, 1);
    assert_int_equal(found.list[0].column, 13);
    assert_int_equal(found.list[1].severity, DIAGNOSTIC_WARNING); /* it has no name */
    assert_int_equal(found.list[2].line, 2);
    assert_int_equal(found.list[2].column, 9);
    assert_int_equal(found.list[3].line, 4);
    assert_int_equal(found.list[3].column, 3);
    diagnostics_release(&found);
    whole_text_release(&whole);
}

/* --- bounds ----------------------------------------------------------------------------------- */

static void together_they_may_be_as_large_as_one(void **state)
{
    enum { HALF = DEFINITION_BYTES_MAX / 2 };
    char *base = strdup(loading_repeat("{", "\"a%d\":1", HALF / 12, "}"));
    const struct bases kept = {find, base};
    char *text =
        strdup(loading_repeat("{\"extends\":\"base\",", "\"b%d\":\"long long\"", HALF / 20, "}"));
    struct whole_text whole;
    struct diagnostics diagnostics;
    (void)state;
    diagnostics_init(&diagnostics);
    assert_true(whole_text_read(&whole, text, strlen(text), &kept, &diagnostics));
    assert_true(whole.length > strlen(base) && whole.length <= DEFINITION_BYTES_MAX);
    whole_text_release(&whole);
    free(text);
    text =
        strdup(loading_repeat("{\"extends\":\"base\",", "\"b%d\":\"long long\"", HALF / 12, "}"));
    assert_true(strlen(text) < DEFINITION_BYTES_MAX);
    assert_false(whole_text_read(&whole, text, strlen(text), &kept, &diagnostics));
    assert_non_null(strstr(diagnostics.list[0].message, "too large"));
    assert_int_equal(diagnostics.list[0].column, 12);
    whole_text_release(&whole);
    diagnostics_release(&diagnostics);
    free(text);
    free(base);
}

/* Objects within objects, each of many members: looked along once for each bracket around them. */
static void the_work_is_counted(void **state)
{
    char *base = strdup(loading_repeat("{", "\"a%d\":{\"b\":{\"c\":{\"d\":1}}}", 5000, "}"));
    char *text = strdup(
        loading_repeat("{\"extends\":\"base\",", "\"a%d\":{\"b\":{\"c\":{\"d\":2}}}", 5000, "}"));
    struct whole_text whole;
    (void)state;
    uint64_t before = work_spent();
    read_whole(&whole, base, text);
    assert_true(work_spent() - before > strlen(base) + strlen(text));
    whole_text_release(&whole);
    free(base);
    free(text);
}

static void memory_may_fail(void **state)
{
    char *base = test_read_file("tests/engine/broken/modern.json", NULL);
    const struct bases bases = {find, base};
    (void)state;
    assert_non_null(base);
    loading_expect_allocations_may_fail("{\"extends\":\"base\",\"name\":\"raid\","
                                        "\"figures\":{\"fool\":{\"movement\":[{\"x\":1}]}}}",
                                        &bases, 400, 97);
    free(base);
}

int main(void)
{
    enum { MERGES = sizeof merges / sizeof *merges, OTHERS = 6 };
    struct CMUnitTest tests[MERGES + OTHERS] = {
        cmocka_unit_test(what_extends_nothing_is_left_as_it_is),
        cmocka_unit_test(texts_are_merged_as_trees_are),
        cmocka_unit_test(a_place_is_where_the_author_wrote_it),
        cmocka_unit_test(together_they_may_be_as_large_as_one),
        cmocka_unit_test(the_work_is_counted),
        cmocka_unit_test(memory_may_fail),
    };
    for (size_t i = 0; i < MERGES; i++)
        tests[OTHERS + i] = (struct CMUnitTest){.name = merges[i].name,
                                                .test_func = is_merged,
                                                .initial_state = (void *)(uintptr_t)&merges[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
