#include "tests/engine/modern_inventor.h"

#include "engine/condition_tree.h"

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

/* --- words that have members: those of engine/condition_tree.h, whatever they are ------------------ */

/* How a member's value is written. */
enum value {
    VALUE_cells,
    VALUE_end,
    VALUE_length,
    VALUE_origin,
    VALUE_step,
    VALUE_through,
    VALUE_steps,
    VALUE_lines,
    VALUE_match,
    VALUE_least,
    VALUE_most,
    VALUE_figures,
    VALUE_owner,
    VALUE_place,
    VALUE_amount,
    VALUE_zones,
    VALUE_touched,
    VALUE_took,
    VALUE_flag,
    VALUE_pass,
    VALUE_counter,
    VALUE_slots
};

struct member {
    const char *word;
    enum value value;
    const char *needed; /* NULL: it is not */
};

#define MEMBER(word, value, place, from, to, hint) {#word, VALUE_##value, hint},
#define NOTHING(...)
#define FORMER(word, now)
#define MEMBERS(name, node, value, place)                                                          \
    static const struct member name##_members[] = {MEMBERS_##name(MEMBER){.word = NULL}};
CONDITION_WORDS(NOTHING, MEMBERS, NOTHING)

static const struct member no_moves_members[] = {MEMBERS_no_moves(MEMBER){.word = NULL}};

#define OBJECT(word, node, value, place) {#word, word##_members},
static const struct {
    const char *word;
    const struct member *members;
} object_words[] = {CONDITION_WORDS(NOTHING, OBJECT, NOTHING)};
enum { OBJECT_WORDS = sizeof object_words / sizeof *object_words };

/* Some zones, each named once; NULL: there is none. */
static json_t *several_zones(struct inventor *inventor)
{
    json_t *names = json_array();
    for (int i = 0; i < inventor->zones; i++)
        if (chance(inventor, 70))
            json_array_append_new(names, name("zone", i));
    if (json_array_size(names) == 0 && inventor->zones > 0)
        json_array_append_new(names, any_zone(inventor));
    if (json_array_size(names) > 0)
        return names;
    json_decref(names);
    return NULL;
}

/* NULL: there is nothing to name. */
static json_t *invent(struct inventor *inventor, enum value value)
{
    switch (value) {
    case VALUE_cells: /* a selection is invented as a whole */
    case VALUE_end:
    case VALUE_length:
        return NULL;
    case VALUE_origin:
    case VALUE_through:
        return json_string(chance(inventor, 50) ? "self" : "target");
    case VALUE_step:
        return difference(inventor);
    case VALUE_steps:
    case VALUE_lines:
        return around(inventor);
    case VALUE_match:
        return match(inventor, 1);
    case VALUE_least:
        return json_integer(1 + below(inventor, 3));
    case VALUE_most:
        return json_integer(below(inventor, 5));
    case VALUE_figures:
        return figures_named(inventor);
    case VALUE_owner:
    case VALUE_slots:
        return player_role(inventor);
    case VALUE_place:
        return inventor->zones > 0 ? zone_names(inventor)
                                   : json_pack("{s:i}", "x", coordinate(inventor, 0));
    case VALUE_amount:
        if (chance(inventor, 30))
            return json_integer(below(inventor, 4));
        return json_pack("{s:i}", chance(inventor, 50) ? "min" : "max", below(inventor, 5));
    case VALUE_zones:
        return several_zones(inventor);
    case VALUE_touched:
        return json_integer(1 + below(inventor, 2));
    case VALUE_took:
        return chance(inventor, 60) ? json_boolean(chance(inventor, 60)) : figures_named(inventor);
    case VALUE_flag:
    case VALUE_pass:
        return json_boolean(chance(inventor, 60));
    case VALUE_counter:
        return inventor->has_counter ? json_string(chance(inventor, 60) ? "all" : "own") : NULL;
    }
    return NULL;
}

/* Leaves out what would be refused. */
static void make_legal(struct inventor *inventor, json_t *object, const struct member *members)
{
    const json_t *min = json_object_get(object, "min"), *max = json_object_get(object, "max");
    if (min != NULL && max != NULL && json_integer_value(min) > json_integer_value(max))
        json_object_del(object, "max");
    const json_t *zones = json_object_get(object, "zones");
    const json_t *touched = json_object_get(object, "at_least");
    if (touched != NULL && json_integer_value(touched) > (json_int_t)json_array_size(zones))
        json_object_del(object, "at_least");
    for (; members->word != NULL && json_object_size(object) > 1; members++) {
        json_t *value = json_object_get(object, members->word);
        if (members->value == VALUE_slots &&
            strcmp(json_string_value(json_object_get(object, "name")), "all") == 0)
            json_object_del(object, members->word);
        if (members->value != VALUE_pass || value == NULL)
            continue;
        bool alone = chance(inventor, inventor->themes[PASS] ? 60 : 20);
        json_incref(value);
        json_object_del(object, members->word);
        if (alone) {
            json_object_clear(object);
            json_object_set(object, members->word, value);
        }
        json_decref(value);
    }
}

/* NULL: it cannot be said here. */
static json_t *invent_object(struct inventor *inventor, const struct member *members,
                             enum place place)
{
    json_t *object = json_object();
    while (json_object_size(object) == 0)
        for (const struct member *member = members; member->word != NULL; member++) {
            bool cells_are_known = member->value != VALUE_origin || place != IN_PASS;
            if (cells_are_known && member->needed == NULL && !chance(inventor, 35))
                continue;
            json_t *value = cells_are_known ? invent(inventor, member->value) : NULL;
            if (value == NULL) {
                json_decref(object);
                return NULL;
            }
            json_object_set_new(object, member->word, value);
        }
    make_legal(inventor, object, members);
    return object;
}

/* --- selections ----------------------------------------------------------------------------------- */

static void add_enclosed(struct inventor *inventor, json_t *object)
{
    const char *end = ONE_OF(inventor, "mover", "mover", "enemy", "next");
    json_object_set_new(object, "by", around(inventor));
    json_object_set_new(object, "is",
                        chance(inventor, 70) ? json_pack("{s:s}", "player", "enemy")
                                             : match(inventor, 1));
    json_object_set_new(object, "end",
                        chance(inventor, 25) ? match(inventor, 1)
                        : chance(inventor, 25)
                            ? json_pack("[{s:s},{s:b}]", "player", end, "exists", 0)
                            : json_pack("{s:s}", "player", end));
    if (chance(inventor, 60))
        json_object_set_new(object, "length",
                            chance(inventor, 50) ? json_integer(1 + below(inventor, 2))
                                                 : json_pack("[i,n]", 1 + below(inventor, 2)));
}

static json_t *groups(struct inventor *inventor)
{
    json_t *object = json_pack("{s:s}", "cells", ONE_OF(inventor, "group", "groups", "groups"));
    if (strcmp(json_string_value(json_object_get(object, "cells")), "group") == 0 ||
        chance(inventor, 40))
        json_object_set_new(object, "of", json_string(chance(inventor, 40) ? "self" : "target"));
    if (chance(inventor, 50))
        json_object_set_new(object, "by", around(inventor));
    json_object_set_new(object, "is",
                        chance(inventor, 60) ? json_pack("{s:s}", "player", "enemy")
                                             : match(inventor, 1));
    if (chance(inventor, 60))
        json_object_set_new(object, "liberties", invent(inventor, VALUE_amount));
    else
        json_object_set_new(object, "size", invent(inventor, VALUE_amount));
    return object;
}

json_t *territory(struct inventor *inventor)
{
    json_t *object = json_pack("{s:s}", "cells", "territory");
    if (chance(inventor, 50))
        json_object_set_new(object, "by", around(inventor));
    if (chance(inventor, 30))
        json_object_set_new(object, "is", json_pack("{s:{s:s}}", "not", "player", "mover"));
    if (chance(inventor, 60))
        json_object_set_new(
            object, "end",
            chance(inventor, 40)
                ? json_pack("[{s:s},{s:b}]", "player", ONE_OF(inventor, "enemy", "next"), "exists",
                            0)
                : json_pack("{s:s}", "player", ONE_OF(inventor, "mover", "enemy", "any")));
    return object;
}

json_t *selection(struct inventor *inventor, bool of_move)
{
    json_t *object = json_object();
    if (of_move && chance(inventor, 25)) {
        json_decref(object);
        return chance(inventor, 60) ? groups(inventor) : territory(inventor);
    }
    if (inventor->zones > 0 && (!of_move || chance(inventor, 20))) {
        json_object_set_new(object, "cells", any_zone(inventor));
    } else if (inventor->selections > 0 && chance(inventor, 60)) {
        json_object_set_new(object, "cells", name("chosen", below(inventor, inventor->selections)));
        return object;
    } else {
        const char *cells =
            ONE_OF(inventor, "target", "self", "neighbours", "neighbours", "enclosed", "enclosed");
        bool encloses = strcmp(cells, "enclosed") == 0, steps = strlen(cells) > strlen("target");
        json_object_set_new(object, "cells", json_string(cells));
        if (steps && chance(inventor, 40))
            json_object_set_new(object, "of",
                                json_string(chance(inventor, 60) ? "self" : "target"));
        if (encloses) {
            add_enclosed(inventor, object);
            return object;
        }
        if (steps)
            json_object_set_new(object, "by", around(inventor));
    }
    if (chance(inventor, 60))
        json_object_set_new(object, "is", match(inventor, 1));
    return object;
}

void add_selections(struct inventor *inventor)
{
    json_t *object = json_object();
    for (int i = 0; i < 2; i++)
        json_object_set_new(object, i == 0 ? "chosen0" : "chosen1", selection(inventor, true));
    inventor->selections = 2;
    json_object_set_new(inventor->game, "selections", object);
}

/* Of the board, or of a selection. */
static json_t *counted(struct inventor *inventor, enum place place)
{
    bool of_move = place != IN_PASS, selects = chance(inventor, 60);
    json_t *object = selects && (of_move || inventor->zones > 0)
                         ? selection(inventor, of_move)
                         : json_pack("{s:o}", "is", match(inventor, 1));
    if (chance(inventor, 45))
        json_object_set_new(object, "min", json_integer(2 + below(inventor, 2)));
    else if (chance(inventor, 35))
        json_object_set_new(object, "max", json_integer(below(inventor, 5)));
    return object;
}

/* It is one of three. */
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

static void add_object_word(struct inventor *inventor, json_t *object, enum place place)
{
    int number = below(inventor, OBJECT_WORDS);
    const struct member *members = object_words[number].members;
    bool attacks = members == attacked_members;
    if ((attacks && inventor->attacks) || (members == hand_members && !inventor->has_hands))
        return;
    json_t *value = attacks                    ? attacked(inventor, place)
                    : members == count_members ? counted(inventor, place)
                                               : invent_object(inventor, members, place);
    if (value != NULL)
        json_object_set_new(object, object_words[number].word, value);
}

/* What only some places may ask. */
static bool add_special_word(struct inventor *inventor, json_t *object, enum place place, int depth)
{
    if (place == IN_MOVEMENT && chance(inventor, 35)) {
        json_object_set_new(object, chance(inventor, 50) ? "self" : "target", match(inventor, 1));
        return true;
    }
    if (place == IN_FORBID && inventor->has_hands && chance(inventor, 30)) {
        json_object_set_new(object, "no_moves", json_true());
        return true;
    }
    if (place == IN_RESULT && depth == 2 && chance(inventor, 20)) {
        json_t *like =
            chance(inventor, 40) ? invent_object(inventor, no_moves_members, place) : NULL;
        json_object_set_new(object, "no_moves",
                            like != NULL ? like : json_boolean(chance(inventor, 90)));
        return true;
    }
    /* No position with a figure's history comes again. */
    bool repeats = !inventor->has_history && (place == IN_RESULT || place == IN_FORBID);
    if (repeats && about(inventor, REPETITION)) {
        int times = 2 + below(inventor, 2);
        json_t *plain = json_integer(times);
        if (inventor->repeats_boards || chance(inventor, 20))
            plain = json_pack("{s:o,s:s}", "times", plain, "of",
                              inventor->repeats_boards ? "board" : "position");
        json_object_set_new(object, "repetition", plain);
        return true;
    }
    return false;
}

static void add_condition_word(struct inventor *inventor, json_t *object, enum place place,
                               int depth)
{
    if (add_special_word(inventor, object, place, depth))
        return;
    switch (below(inventor, depth > 0 ? 11 : 8)) {
    case 0:
        json_object_set_new(object, "next", player_role(inventor));
        return;
    case 1:
        if (place != IN_MOVEMENT)
            return;
        json_object_set_new(object, "computed",
                            json_pack("{s:b}", ONE_OF(inventor, "is_figure", "is_enemy", "is_cell"),
                                      chance(inventor, 50)));
        return;
    case 8:
        json_object_set_new(object, "not", condition(inventor, place, depth - 1));
        return;
    case 9:
    case 10:
        json_object_set_new(object, chance(inventor, 50) ? "any" : "all",
                            json_pack("[o,o]", condition(inventor, place, depth - 1),
                                      condition(inventor, place, depth - 1)));
        return;
    default:
        add_object_word(inventor, object, place);
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

/* All that repeats does so while the counter `all` counts; false: nothing does. */
static bool repeat_during(const struct inventor *inventor, json_t *value)
{
    const char *key;
    json_t *child, *times = json_object_get(value, "repetition");
    bool repeats = times != NULL;
    size_t i;
    if (json_is_integer(times))
        json_object_set_new(value, "repetition",
                            json_pack("{s:i,s:s}", "times", (int)json_integer_value(times), "of",
                                      inventor->repeats_boards ? "board" : "position"));
    if (repeats)
        json_object_set_new(json_object_get(value, "repetition"), "during", json_string("all"));
    json_object_foreach(value, key, child)
    {
        repeats |= repeat_during(inventor, child);
    }
    json_array_foreach(value, i, child)
    {
        repeats |= repeat_during(inventor, child);
    }
    return repeats;
}

void add_during(struct inventor *inventor)
{
    bool repeats = repeat_during(inventor, json_object_get(inventor->game, "results"));
    repeats |= repeat_during(inventor, json_object_get(inventor->game, "forbid"));
    if (!repeats || json_object_get(inventor->game, "counters") != NULL)
        return;
    json_t *reset = chance(inventor, 50) ? json_pack("{s:o}", "next", any_player(inventor))
                                         : json_pack("{s:{s:b}}", "previous", "took", 1);
    json_object_set_new(inventor->game, "counters",
                        json_pack("{s:{s:b,s:o}}", "all", "add", 1, "reset", reset));
}

/* --- promotions ------------------------------------------------------------------------------- */

static json_t *promotion(struct inventor *inventor, bool may_wait)
{
    json_t *object = json_object();
    bool waits =
        may_wait && inventor->zones > 0 && chance(inventor, inventor->has_continue ? 50 : 20);
    if (chance(inventor, 15) && !waits)
        json_object_set_new(object, "to", json_string("taken"));
    else
        json_object_set_new(
            object, "to", waits ? json_pack("[o]", any_figure(inventor)) : figures_named(inventor));
    if (inventor->zones > 0 && (waits || chance(inventor, 60)))
        json_object_set_new(object, "in", zone_names(inventor));
    if (waits) {
        json_object_set_new(object, "when", json_string("turn_ends"));
    }
    if (inventor->zones > 0 && chance(inventor, 20))
        json_object_set_new(object, "from", zone_names(inventor));
    if (chance(inventor, 20))
        json_object_set_new(object, "if", conditions(inventor, IN_MOVEMENT));
    if (waits)
        return object;
    if (chance(inventor, 30))
        json_object_set_new(object, "optional", json_true());
    if (inventor->has_continue && chance(inventor, 80))
        json_object_set_new(object, "stops", json_true());
    return object;
}

/* One, or two that make the same of the figure: by where it goes, or comes from, as in shogi. */
json_t *promotions(struct inventor *inventor)
{
    if (inventor->zones == 0 || !chance(inventor, 25))
        return promotion(inventor, true);
    json_t *first = promotion(inventor, false), *second = json_object();
    json_object_set(second, "to", json_object_get(first, "to"));
    json_object_set_new(second, chance(inventor, 50) ? "from" : "in", zone_names(inventor));
    if (chance(inventor, 60))
        json_object_set_new(second, "optional", json_true());
    return json_pack("[o,o]", first, second);
}
