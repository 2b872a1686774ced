/* Wherever something stands in a game file, a list, an object, a text or nothing may stand there instead: the loader refuses it or
 * reads it, whatever its readers expect. */
#include "tests/support/test.h"

#include "engine/load/definition.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

struct file {
    json_t *root;
    int read, refused;
};

static void read_file(struct file *file)
{
    struct diagnostics diagnostics;
    char *text = json_dumps(file->root, JSON_COMPACT);
    assert_non_null(text);
    diagnostics_init(&diagnostics);
    struct definition *definition = definition_read(text, strlen(text), NULL, &diagnostics);
    assert_int_equal(definition == NULL, diagnostics.error_count > 0);
    file->read++;
    file->refused += definition == NULL;
    definition_free(definition);
    diagnostics_release(&diagnostics);
    free(text);
}

/* `iterator` of an object, or `index` of a list. */
static void put(json_t *inside, void *iterator, size_t index, json_t *value)
{
    int failed = iterator != NULL ? json_object_iter_set_new(inside, iterator, value)
                                  : json_array_set_new(inside, index, value);
    assert_int_equal(failed, 0);
}

static void replace_below(struct file *file, json_t *node);

static void replace(struct file *file, json_t *inside, void *iterator, size_t index, json_t *value)
{
    static const char *const others[] = {"[1]", "{\"x\": 1}", "\"x\"", "null"};
    json_incref(value);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        put(inside, iterator, index, json_loads(others[i], JSON_DECODE_ANY, NULL));
        read_file(file);
    }
    put(inside, iterator, index, value);
    replace_below(file, value);
}

static void replace_below(struct file *file, json_t *node)
{
    for (void *at = json_object_iter(node); at != NULL; at = json_object_iter_next(node, at))
        replace(file, node, at, 0, json_object_iter_value(at));
    for (size_t i = 0; i < json_array_size(node); i++)
        replace(file, node, NULL, i, json_array_get(node, i));
}

static void another_type_anywhere(void **state)
{
    struct file file = {.root = json_load_file(*state, 0, NULL)};
    assert_non_null(file.root);
    read_file(&file);
    assert_int_equal(file.refused, 0);
    replace_below(&file, file.root);
    assert_true(file.refused > file.read / 2);
    json_decref(file.root);
}

int main(void)
{
    static char files[][48] = {"tests/engine/broken/sound.json", "tests/engine/broken/modern.json",
                               "tests/engine/broken/notation.json"};
    struct CMUnitTest tests[3];
    for (int i = 0; i < 3; i++)
        tests[i] = (struct CMUnitTest){
            .name = files[i], .test_func = another_type_anywhere, .initial_state = files[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
