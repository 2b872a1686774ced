#include "tests/engine/modern_inventor.h"

#include <stdlib.h>
#include <string.h>

/* --- matches and conditions ------------------------------------------------------------------- */

static void add_match_word(struct inventor *inventor, json_t *object, int depth)
{
    int axis = below(inventor, inventor->dimensions);
    switch (below(inventor, depth > 0 ? 12 : 11)) {
    case 0:
    case 1:
        json_object_set_new(object, "figure",
                            chance(inventor, 10) ? json_null() : figures_named(inventor));
        return;
    case 2:
    case 3:
        json_object_set_new(object, "player",
                            chance(inventor, 8) ? json_null() : player_role(inventor));
        return;
    case 4:
        json_object_set_new(object, "empty", json_boolean(chance(inventor, 60)));
        return;
    case 5:
        if (inventor->zones > 0)
            json_object_set_new(object, "zone", zone_names(inventor));
        return;
    case 6:
        json_object_set_new(object, axes[axis], json_integer(coordinate(inventor, axis)));
        return;
    case 7:
        json_object_set_new(object, "coordinates",
                            json_pack("{s:{s:i}}", axes[axis], chance(inventor, 50) ? "min" : "max",
                                      coordinate(inventor, axis)));
        return;
    case 8:
        json_object_set_new(object, "unmoved", json_boolean(chance(inventor, 60)));
        return;
    case 9:
        if (inventor->has_mark)
            json_object_set_new(object, "marked", json_string("m"));
        return;
    case 10:
        if (inventor->has_history)
            json_object_set_new(object, chance(inventor, 50) ? "moves_made" : "last_move",
                                chance(inventor, 10) ? json_null()
                                                     : json_integer(below(inventor, 3)));
        return;
    default:
        json_object_set_new(object, "not", match(inventor, depth - 1));
    }
}

json_t *match(struct inventor *inventor, int depth)
{
    if (chance(inventor, 8))
        return json_pack("[o,o]", match(inventor, 0), match(inventor, 0));
    if (chance(inventor, 4))
        return json_pack("{s:b}", "exists", chance(inventor, 50));
    json_t *object = json_object();
    for (int i = 1 + below(inventor, 2); i > 0 || json_object_size(object) == 0; i--)
        add_match_word(inventor, object, depth);
    return object;
}

/* How many: the least, the most, or both. */
static void add_range(struct inventor *inventor, json_t *object, int most)
{
    int least = 1 + below(inventor, most);
    if (chance(inventor, 50))
        json_object_set_new(object, "min", json_integer(least));
    if (chance(inventor, 40))
        json_object_set_new(object, "max", json_integer(least - 1 + below(inventor, 3)));
    const json_t *min = json_object_get(object, "min"), *max = json_object_get(object, "max");
    if (min != NULL && max != NULL && json_integer_value(min) > json_integer_value(max))
        json_object_del(object, "max");
}

static json_t *previous(struct inventor *inventor)
{
    if (chance(inventor, inventor->themes[PASS] ? 30 : 3))
        return json_pack("{s:b}", "passed", chance(inventor, 70));
    json_t *object = json_object();
    if (chance(inventor, 40))
        json_object_set_new(object, "took",
                            chance(inventor, 60) ? json_boolean(chance(inventor, 60))
                                                 : figures_named(inventor));
    if (chance(inventor, 30))
        json_object_set_new(object, "figure", figures_named(inventor));
    if (chance(inventor, 20))
        json_object_set_new(object, "player", player_role(inventor));
    if (chance(inventor, 20))
        json_object_set_new(object, chance(inventor, 50) ? "from" : "to",
                            inventor->zones > 0 ? zone_names(inventor)
                                                : json_pack("{s:i}", "x", coordinate(inventor, 0)));
    if (chance(inventor, 10) || json_object_size(object) == 0)
        json_object_set_new(object, "complex", json_boolean(chance(inventor, 30)));
    return object;
}

static json_t *attacked(struct inventor *inventor, enum place place)
{
    if (place == IN_MOVEMENT && chance(inventor, 50))
        return json_pack("{s:s}", "cell", chance(inventor, 50) ? "self" : "target");
    if (chance(inventor, 60))
        return json_pack("{s:o,s:o}", "figure", figures_named(inventor), "player",
                         player_role(inventor));
    json_t *is = json_pack("{s:o}", "player", player_role(inventor));
    if (inventor->zones > 0 && chance(inventor, 50))
        json_object_set_new(is, "zone", zone_names(inventor));
    return json_pack("{s:o,s:o}", "is", is, "by", figures_named(inventor));
}

static json_t *numbered(struct inventor *inventor, const char *by, json_t *steps)
{
    json_t *object = json_pack("{s:o}", "is", match(inventor, 1));
    if (steps != NULL)
        json_object_set_new(object, by, steps);
    if (steps != NULL && chance(inventor, 50))
        json_object_set_new(object, "of", json_string(chance(inventor, 50) ? "self" : "target"));
    add_range(inventor, object, 3);
    return object;
}

static json_t *counter_test(struct inventor *inventor)
{
    json_t *object = json_pack("{s:s}", "name", chance(inventor, 60) ? "all" : "own");
    add_range(inventor, object, 4);
    if (strcmp(json_string_value(json_object_get(object, "name")), "own") == 0 &&
        chance(inventor, 50))
        json_object_set_new(object, "player", player_role(inventor));
    return object;
}

/* What only some places may ask. */
static bool add_special_word(struct inventor *inventor, json_t *object, enum place place, int depth)
{
    if (place == IN_MOVEMENT && chance(inventor, 35)) {
        json_object_set_new(object, chance(inventor, 50) ? "self" : "target", match(inventor, 1));
        return true;
    }
    if (place == IN_RESULT && depth == 2 && chance(inventor, 20)) {
        json_object_set_new(object, "no_moves", json_boolean(chance(inventor, 90)));
        return true;
    }
    /* No position with a figure's history comes again. */
    bool repeats = !inventor->has_history && (place == IN_RESULT || place == IN_FORBID);
    if (repeats && about(inventor, REPETITION)) {
        json_object_set_new(object, "repetition", json_integer(2 + below(inventor, 2)));
        return true;
    }
    return false;
}

static void add_condition_word(struct inventor *inventor, json_t *object, enum place place,
                               int depth)
{
    json_t *value;
    if (add_special_word(inventor, object, place, depth))
        return;
    switch (below(inventor, depth > 0 ? 11 : 8)) {
    case 0:
        value = json_pack("{s:o,s:o}", "by", difference(inventor), "is", match(inventor, 1));
        if (chance(inventor, 50))
            json_object_set_new(value, "of", json_string("target"));
        if (place != IN_PASS)
            json_object_set(object, "at", value);
        json_decref(value);
        return;
    case 1:
        if (place != IN_PASS)
            json_object_set_new(object, "neighbours", numbered(inventor, "by", around(inventor)));
        return;
    case 2:
        json_object_set_new(object, "count", numbered(inventor, NULL, NULL));
        return;
    case 3:
        if (!inventor->attacks)
            json_object_set_new(object, "attacked", attacked(inventor, place));
        return;
    case 4:
        json_object_set_new(object, "previous", previous(inventor));
        return;
    case 5:
        if (inventor->has_counter)
            json_object_set_new(object, "counter", counter_test(inventor));
        return;
    case 6:
        json_object_set_new(object, "next", player_role(inventor));
        return;
    case 7:
        if (place != IN_MOVEMENT)
            return;
        json_object_set_new(object, "computed",
                            json_pack("{s:b}", ONE_OF(inventor, "is_figure", "is_enemy", "is_cell"),
                                      chance(inventor, 50)));
        return;
    case 8:
        json_object_set_new(object, "not", condition(inventor, place, depth - 1));
        return;
    default:
        json_object_set_new(object, chance(inventor, 50) ? "any" : "all",
                            json_pack("[o,o]", condition(inventor, place, depth - 1),
                                      condition(inventor, place, depth - 1)));
    }
}

json_t *condition(struct inventor *inventor, enum place place, int depth)
{
    json_t *object = json_object();
    for (int i = 1 + (below(inventor, 4) == 0); i > 0 || json_object_size(object) == 0; i--)
        add_condition_word(inventor, object, place, depth);
    return object;
}

json_t *conditions(struct inventor *inventor, enum place place)
{
    if (chance(inventor, 15))
        return json_pack("[o,o]", condition(inventor, place, 1), condition(inventor, place, 1));
    return condition(inventor, place, 2);
}
