#include "tests/engine/modern_invent.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static json_t *another_text(const char *text)
{
    static const char *const pairs[][2] = {
        {"mover", "next"},    {"next", "mover"},  {"enemy", "any"},   {"any", "enemy"},
        {"must", "may"},      {"may", "must"},    {"all", "signs"},   {"signs", "mirror"},
        {"mirror", "signs"},  {"take", "both"},   {"both", "move"},   {"move", "both"},
        {"f0", "f1"},         {"f1", "f0"},       {"p0", "p1"},       {"p1", "p0"},
        {"lines", "leaps"},   {"leaps", "lines"}, {"swap", "move"},   {"zone0", "zone1"},
        {"zone1", "zone0"},   {"self", "target"}, {"target", "self"}, {"board", "position"},
        {"position", "board"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i][0], text) == 0)
            return json_string(pairs[i][1]);
    const char *equal = strstr(text, " == ");
    if (equal != NULL)
        return json_sprintf("%.*s != %s", (int)(equal - text), text, equal + 4);
    return json_string(text);
}

/* Something of the same type that means something else, mostly. */
static json_t *another(const json_t *value)
{
    json_t *changed = json_deep_copy(value), *child;
    const char *key;
    size_t i;
    if (json_is_string(value) || json_is_boolean(value) || json_is_integer(value))
        json_decref(changed);
    if (json_is_string(value))
        return another_text(json_string_value(value));
    if (json_is_boolean(value))
        return json_boolean(!json_is_true(value));
    if (json_is_integer(value))
        return json_integer(json_integer_value(value) + 1);
    json_object_foreach(changed, key, child)
    {
        json_object_set_new(changed, key, another(child));
    }
    if (json_array_size(changed) > 1)
        json_array_remove(changed, 0);
    else
        json_array_foreach(changed, i, child)
        {
            json_array_set_new(changed, i, another(child));
        }
    return changed;
}

static void change(json_t *value, const char *word, bool without)
{
    const char *key;
    json_t *child;
    size_t i;
    json_t *here = json_object_get(value, word);
    if (here != NULL && without)
        json_object_del(value, word);
    else if (here != NULL)
        json_object_set_new(value, word, another(here));
    json_object_foreach(value, key, child)
    {
        if (strcmp(key, word) != 0)
            change(child, word, without);
    }
    json_array_foreach(value, i, child)
    {
        change(child, word, without);
    }
}

char *modern_changed(const char *text, const char *word, bool without)
{
    json_t *game = json_loads(text, 0, NULL);
    change(game, word, without);
    char *changed = json_dumps(game, JSON_COMPACT);
    json_decref(game);
    return changed;
}
