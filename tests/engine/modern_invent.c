#include "tests/support/test.h"

#include "tests/engine/modern_invent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* What a game may be about; a few of these are its theme. */
enum theme {
    MIRROR,
    HOLES,
    ZONES,
    BY_PLAYER,
    DIRECTIONS,
    USE,
    REPEAT,
    OVER,
    VIA,
    WITHIN,
    PROMOTE,
    CONTINUE,
    PHASE,
    PUT,
    SWAP,
    MARK,
    IF,
    COMPLEX,
    COUNTERS,
    AFTER_MOVE,
    FORBID,
    RESULTS,
    REPETITION,
    PASS,
    REMOVE,
    PRIORITY,
    PLACES,
    STATES,
    THEMES
};

/* Where a condition stands: what it may ask depends on it. */
enum place { IN_MOVEMENT, IN_PASS, AFTER, IN_FORBID, IN_RESULT };

struct inventor {
    uint64_t seed;
    bool themes[THEMES];
    json_t *game;
    int dimensions, players, figures, sides[3];
    bool hexagon, mirrored, has_phase, has_mark, has_counter, has_continue, has_jumps;
    int zones;
    bool
        names_players; /* no roles: results that count are looked at when what they count changes */
    bool attacks;      /* what is being written decides about attacks, and does not ask for any */
    bool promotes; /* what is being written is asked of a promotion: not about the move before */
    const uint8_t *bytes; /* what chance is drawn from first */
    size_t left;
};

/* --- chance ----------------------------------------------------------------------------------- */

static int below(struct inventor *inventor, int bound)
{
    if (inventor->left >= 2) {
        unsigned drawn = inventor->bytes[0] + 256U * inventor->bytes[1];
        inventor->bytes += 2;
        inventor->left -= 2;
        return (int)(drawn % (unsigned)bound);
    }
    return (int)(test_random(&inventor->seed) % (unsigned)bound);
}

static bool chance(struct inventor *inventor, int percent)
{
    return below(inventor, 100) < percent;
}

static bool about(struct inventor *inventor, enum theme theme)
{
    return chance(inventor, inventor->themes[theme] ? 75 : 4);
}

static const char *one_of(struct inventor *inventor, const char *const *words, int count)
{
    return words[below(inventor, count)];
}
#define ONE_OF(inventor, ...)                                                                      \
    one_of(inventor, (const char *const[]){__VA_ARGS__},                                           \
           (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

/* --- names ------------------------------------------------------------------------------------ */

static const char *const axes[] = {"x", "y", "z"};

static json_t *name(const char *letter, int number)
{
    return json_sprintf("%s%d", letter, number);
}

static json_t *any_player(struct inventor *inventor)
{
    return name("p", below(inventor, inventor->players));
}

static json_t *any_figure(struct inventor *inventor)
{
    return name("f", below(inventor, inventor->figures));
}

static json_t *figures_named(struct inventor *inventor)
{
    if (inventor->figures < 2 || chance(inventor, 70))
        return any_figure(inventor);
    int first = below(inventor, inventor->figures);
    return json_pack("[o,o]", name("f", first), name("f", (first + 1) % inventor->figures));
}

static json_t *any_zone(struct inventor *inventor)
{
    return name("zone", below(inventor, inventor->zones));
}

static json_t *zone_names(struct inventor *inventor)
{
    if (inventor->zones < 2 || chance(inventor, 75))
        return any_zone(inventor);
    return json_pack("[s,s]", "zone0", "zone1");
}

/* A role, or a name. */
static json_t *player_role(struct inventor *inventor)
{
    if (chance(inventor, inventor->names_players ? 100 : 15))
        return any_player(inventor);
    return json_string(ONE_OF(inventor, "mover", "mover", "enemy", "enemy", "next", "any"));
}

static int coordinate(struct inventor *inventor, int dimension)
{
    int side = inventor->sides[dimension];
    return inventor->hexagon ? below(inventor, 2 * side - 1) - side + 1 : below(inventor, side);
}

/* --- differences ------------------------------------------------------------------------------ */

static void add_step(struct inventor *inventor, json_t *object, bool zero_allowed)
{
    bool zero = true;
    do {
        for (int i = 0; i < inventor->dimensions; i++) {
            int step = chance(inventor, 85) ? below(inventor, 3) - 1 : below(inventor, 5) - 2;
            zero &= step == 0;
            if (step != 0)
                json_object_set_new(object, axes[i], json_integer(step));
        }
    } while (zero && !zero_allowed);
    if (inventor->themes[DIRECTIONS] && chance(inventor, 30))
        json_object_set_new(object, chance(inventor, 50) ? "forward" : "aside",
                            json_integer(1 + below(inventor, 2)));
}

static json_t *difference(struct inventor *inventor)
{
    json_t *object = json_object();
    add_step(inventor, object, false);
    return object;
}

static const char *symmetry(struct inventor *inventor)
{
    if (inventor->hexagon && chance(inventor, 70))
        return "hexagon";
    return ONE_OF(inventor, "mirror", "signs", "all", "all");
}

/* Steps to the neighbours of a cell. */
static json_t *around(struct inventor *inventor)
{
    json_t *step = json_pack("{s:i,s:s}", axes[below(inventor, inventor->dimensions)], 1,
                             "symmetric", inventor->hexagon ? "hexagon" : symmetry(inventor));
    return json_pack("[o]", step);
}

/* --- matches and conditions ------------------------------------------------------------------- */

static json_t *match(struct inventor *inventor, int depth);

static void add_match_word(struct inventor *inventor, json_t *object, int depth)
{
    int axis = below(inventor, inventor->dimensions);
    switch (below(inventor, depth > 0 ? 11 : 10)) {
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
        if (json_object_get(object, "coordinates") == NULL)
            json_object_set_new(object, axes[axis], json_integer(coordinate(inventor, axis)));
        return;
    case 7:
        if (json_object_get(object, axes[axis]) != NULL)
            return;
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
    default:
        json_object_set_new(object, "not", match(inventor, depth - 1));
    }
}

static json_t *match(struct inventor *inventor, int depth)
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

static json_t *condition(struct inventor *inventor, enum place place, int depth);

/* What only some places may ask. */
static bool add_special_word(struct inventor *inventor, json_t *object, enum place place, int depth)
{
    if (place == IN_MOVEMENT && chance(inventor, 35)) {
        json_object_set_new(object, chance(inventor, 50) ? "self" : "target", match(inventor, 1));
        return true;
    }
    if (place == IN_RESULT && depth == 2 && !inventor->themes[PLACES] && chance(inventor, 20)) {
        json_object_set_new(object, "no_moves", json_boolean(chance(inventor, 90)));
        return true;
    }
    if ((place == IN_RESULT || place == IN_FORBID) && !inventor->themes[PLACES] &&
        about(inventor, REPETITION)) {
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
        inventor->names_players = place == IN_RESULT;
        json_object_set_new(object, "count", numbered(inventor, NULL, NULL));
        inventor->names_players = false;
        return;
    case 3:
        if (!inventor->attacks)
            json_object_set_new(object, "attacked", attacked(inventor, place));
        return;
    case 4:
        if (!inventor->promotes)
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
                                      chance(inventor, 60)));
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

static json_t *condition(struct inventor *inventor, enum place place, int depth)
{
    json_t *object = json_object();
    for (int i = 1 + (below(inventor, 4) == 0); i > 0 || json_object_size(object) == 0; i--)
        add_condition_word(inventor, object, place, depth);
    return object;
}

static json_t *conditions(struct inventor *inventor, enum place place)
{
    if (chance(inventor, 15))
        return json_pack("[o,o]", condition(inventor, place, 1), condition(inventor, place, 1));
    return condition(inventor, place, 2);
}

/* --- movements -------------------------------------------------------------------------------- */

static json_t *promotion(struct inventor *inventor, bool may_wait)
{
    json_t *object = json_object();
    bool waits = may_wait && inventor->zones > 0 && chance(inventor, 20);
    if (chance(inventor, 15) && !waits)
        json_object_set_new(object, "to", json_string("taken"));
    else
        json_object_set_new(
            object, "to", waits ? json_pack("[o]", any_figure(inventor)) : figures_named(inventor));
    if (inventor->zones > 0 && (waits || chance(inventor, 60)))
        json_object_set_new(object, "in", zone_names(inventor));
    if (waits) {
        json_object_set_new(object, "when", json_string("turn_ends"));
        return object;
    }
    if (inventor->zones > 0 && chance(inventor, 20))
        json_object_set_new(object, "from", zone_names(inventor));
    inventor->promotes = true;
    if (chance(inventor, 20))
        json_object_set_new(object, "if", conditions(inventor, IN_MOVEMENT));
    inventor->promotes = false;
    if (chance(inventor, 30))
        json_object_set_new(object, "optional", json_true());
    if (inventor->has_continue && chance(inventor, 40))
        json_object_set_new(object, "stops", json_true());
    return object;
}

static void add_repeat(struct inventor *inventor, json_t *movement)
{
    int least = 1 + below(inventor, 2);
    switch (below(inventor, 4)) {
    case 0:
        json_object_set_new(movement, "repeat", json_integer(2 + below(inventor, 2)));
        return;
    case 1:
        json_object_set_new(movement, "repeat",
                            json_pack("[i,i]", least, least + below(inventor, 2)));
        return;
    case 2:
        json_object_set_new(movement, "repeat", json_pack("[i,n]", least));
        return;
    default:
        json_object_set_new(movement, "repeat", json_true());
    }
}

/* A jump over figures, which may take them. */
static void add_over(struct inventor *inventor, json_t *movement)
{
    json_object_set_new(movement, "repeat",
                        chance(inventor, 60) ? json_pack("[i,i]", 2, 2 + below(inventor, 2))
                                             : json_true());
    if (chance(inventor, 70)) {
        json_object_set_new(movement, "over",
                            json_string(ONE_OF(inventor, "any", "enemy", "enemy", "mover")));
    } else {
        json_t *over = json_object();
        if (chance(inventor, 70))
            json_object_set_new(over, "is", match(inventor, 1));
        if (chance(inventor, 50))
            json_object_set_new(over, "count",
                                chance(inventor, 50) ? json_integer(1 + below(inventor, 2))
                                                     : json_pack("[i,i]", 1, 2));
        json_object_set_new(movement, "over", over);
    }
    const char *whose = json_string_value(json_object_get(movement, "over"));
    if (chance(inventor, 60) && (whose == NULL || strcmp(whose, "mover") != 0)) {
        json_object_set_new(movement, "for", json_string("take"));
        json_object_set_new(movement, "takes", json_string("jumped"));
    }
}

static void add_purpose(struct inventor *inventor, json_t *movement)
{
    const char *purpose = ONE_OF(inventor, "move", "move", "take", "both");
    if (about(inventor, PUT))
        purpose = "put";
    else if (about(inventor, SWAP))
        purpose = "swap";
    json_object_set_new(movement, "for", json_string(purpose));
    if (strcmp(purpose, "put") == 0)
        json_object_set_new(movement, "put", any_figure(inventor));
}

static void add_mark(struct inventor *inventor, json_t *movement)
{
    const char *purpose = json_string_value(json_object_get(movement, "for"));
    if (chance(inventor, 50)) {
        json_object_set_new(movement, "repeat", json_pack("[i,i]", 2, 2));
        json_object_set_new(movement, "for", json_string("move"));
        json_object_del(movement, "put");
        json_object_set_new(movement, "mark", json_string("m"));
    } else if (purpose == NULL || strcmp(purpose, "take") == 0 || strcmp(purpose, "both") == 0) {
        json_object_set_new(movement, "takes_marked", json_string("m"));
    }
}

static void add_ways(struct inventor *inventor, json_t *movement)
{
    if (about(inventor, OVER) && inventor->has_jumps)
        add_over(inventor, movement);
    else if (about(inventor, REPEAT))
        add_repeat(inventor, movement);
    if (json_object_get(movement, "takes") == NULL && chance(inventor, 60))
        add_purpose(inventor, movement);
    if (inventor->has_mark && chance(inventor, 60) && json_object_get(movement, "over") == NULL)
        add_mark(inventor, movement);
    if (about(inventor, VIA))
        json_object_set_new(movement, "via",
                            chance(inventor, 70)
                                ? json_pack("[o]", difference(inventor))
                                : json_pack("[o,o]", difference(inventor), difference(inventor)));
    if (inventor->zones > 0 && about(inventor, WITHIN))
        json_object_set_new(movement, "within", zone_names(inventor));
}

static void add_others(struct inventor *inventor, json_t *movement)
{
    bool puts = json_object_get(movement, "put") != NULL;
    if (about(inventor, PROMOTE) && !puts && chance(inventor, 50))
        json_object_set_new(movement, "promote", promotion(inventor, true));
    if (inventor->has_continue && chance(inventor, 60) && !puts)
        json_object_set_new(movement, "continue",
                            json_string(chance(inventor, 50) ? "must" : "may"));
    if (inventor->has_phase && chance(inventor, 40))
        json_object_set_new(movement, "phase", json_string("second"));
    const char *purpose = json_string_value(json_object_get(movement, "for"));
    inventor->attacks =
        purpose == NULL || strcmp(purpose, "take") == 0 || strcmp(purpose, "both") == 0;
    if (about(inventor, IF))
        json_object_set_new(movement, "if", conditions(inventor, IN_MOVEMENT));
    inventor->attacks = false;
}

static json_t *movement(struct inventor *inventor)
{
    json_t *object = json_object();
    if (inventor->themes[USE] && chance(inventor, 40))
        json_object_set_new(object, "use", json_string(chance(inventor, 50) ? "lines" : "leaps"));
    else
        add_step(inventor, object, false);
    if (json_object_get(object, "use") == NULL) {
        if (chance(inventor, 65))
            json_object_set_new(object, "symmetric", json_string(symmetry(inventor)));
        else if (chance(inventor, 40))
            json_object_set_new(object, "also_reversed", json_true());
    }
    add_ways(inventor, object);
    add_others(inventor, object);
    return object;
}

static json_t *movement_list(struct inventor *inventor)
{
    json_t *list = json_array();
    for (int i = 1 + below(inventor, 3); i > 0; i--)
        json_array_append_new(list, movement(inventor));
    if (inventor->themes[USE] && chance(inventor, 30))
        json_array_append_new(list, json_string("leaps"));
    return list;
}

static void add_named_movements(struct inventor *inventor)
{
    if (!inventor->themes[USE])
        return;
    json_t *line =
        json_pack("{s:i,s:s,s:b}", axes[0], 1, "symmetric", symmetry(inventor), "repeat", 1);
    json_t *leaps = json_pack("[o]", difference(inventor));
    if (chance(inventor, 50))
        json_array_append_new(leaps, difference(inventor));
    json_object_set_new(inventor->game, "movements",
                        json_pack("{s:[o],s:o}", "lines", line, "leaps", leaps));
}

static void add_figures(struct inventor *inventor)
{
    json_t *figures = json_object();
    for (int i = 0; i < inventor->figures; i++) {
        char key[16];
        json_t *figure = json_object(), *list = movement_list(inventor);
        if (about(inventor, BY_PLAYER)) {
            json_t *by_player = json_object();
            for (int player = 0; player < inventor->players; player++) {
                snprintf(key, sizeof key, "p%d", player);
                json_object_set_new(by_player, key,
                                    chance(inventor, 50) ? movement_list(inventor)
                                                         : json_deep_copy(list));
            }
            json_decref(list);
            list = by_player;
        }
        json_object_set_new(figure, "movement", list);
        if (about(inventor, PROMOTE))
            json_object_set_new(figure, "promote", promotion(inventor, true));
        snprintf(key, sizeof key, "f%d", i);
        json_object_set_new(figures, key, figure);
    }
    json_object_set_new(inventor->game, "figures", figures);
}

/* --- complex movements ------------------------------------------------------------------------ */

static json_t *participant(struct inventor *inventor, bool first)
{
    json_t *object = json_pack("{s:o}", "figure", any_figure(inventor));
    if (!first || chance(inventor, 20))
        json_object_set_new(object, "relative_position", difference(inventor));
    if (first || chance(inventor, 60))
        json_object_set_new(object, "coordinates_delta", difference(inventor));
    if (chance(inventor, 40))
        json_object_set_new(object, "unmoved", json_true());
    if (!first && chance(inventor, 40))
        json_object_set_new(object, "player",
                            json_string(ONE_OF(inventor, "mover", "enemy", "any")));
    return object;
}

static void add_complex(struct inventor *inventor)
{
    json_t *list = json_array();
    for (int i = 1 + below(inventor, 2); i > 0; i--) {
        json_t *figures = json_pack("[o]", participant(inventor, true));
        json_t *object = json_pack("{s:o}", "figures", figures);
        if (chance(inventor, 80))
            json_array_append_new(figures, participant(inventor, false));
        if (chance(inventor, 30))
            json_object_set_new(object, "empty", json_pack("[o]", difference(inventor)));
        if (chance(inventor, 30))
            json_object_set_new(object, "safe", json_pack("[{},o]", difference(inventor)));
        if (chance(inventor, 25))
            json_object_set_new(object, "if", conditions(inventor, IN_MOVEMENT));
        json_array_append_new(list, object);
    }
    json_object_set_new(inventor->game, "complex_movement", list);
}

/* --- what follows a move ---------------------------------------------------------------------- */

static json_t *wanted(struct inventor *inventor)
{
    return chance(inventor, 40) ? json_true() : conditions(inventor, AFTER);
}

static void add_counters(struct inventor *inventor)
{
    json_t *all = json_pack("{s:o}", "add", wanted(inventor));
    json_t *own = json_pack("{s:b,s:o}", "per_player", 1, "add", wanted(inventor));
    if (chance(inventor, 60))
        json_object_set_new(all, "reset", conditions(inventor, AFTER));
    if (chance(inventor, 40))
        json_object_set_new(all, "start", json_integer(1 + below(inventor, 3)));
    if (chance(inventor, 40))
        json_object_set_new(own, "reset", conditions(inventor, AFTER));
    json_object_set_new(inventor->game, "counters", json_pack("{s:o,s:o}", "all", all, "own", own));
}

static json_t *removal(struct inventor *inventor)
{
    json_t *object = json_object();
    const char *cells = ONE_OF(inventor, "target", "neighbours");
    if (inventor->zones > 0 && chance(inventor, 30))
        json_object_set_new(object, "cells", any_zone(inventor));
    else
        json_object_set_new(object, "cells", json_string(cells));
    cells = json_string_value(json_object_get(object, "cells"));
    if (strcmp(cells, "neighbours") == 0)
        json_object_set_new(object, "by", around(inventor));
    if (chance(inventor, 60))
        json_object_set_new(object, "is", match(inventor, 1));
    return json_pack("{s:o}", "remove", object);
}

static void add_after_move(struct inventor *inventor)
{
    json_t *entry = json_pack("{s:[o]}", "do", removal(inventor));
    if (chance(inventor, 80))
        json_object_set_new(entry, "if", conditions(inventor, AFTER));
    json_object_set_new(inventor->game, "after_move", json_pack("[o]", entry));
}

static void add_forbid(struct inventor *inventor)
{
    json_t *list = json_array();
    if (chance(inventor, 60))
        json_array_append_new(list, json_pack("{s:{s:o,s:s},s:s}", "attacked", "figure",
                                              any_figure(inventor), "player", "mover", "words",
                                              "attacked"));
    if (json_array_size(list) == 0 || chance(inventor, 30))
        json_array_append_new(list, condition(inventor, IN_FORBID, 1));
    json_object_set_new(inventor->game, "forbid", list);
}

static json_t *meaning(struct inventor *inventor)
{
    const char *who = ONE_OF(inventor, "mover", "next");
    if (inventor->themes[PLACES] && chance(inventor, 75))
        return json_pack("{s:s}", "finish", who);
    if (chance(inventor, 25))
        return json_string("draw");
    if (chance(inventor, 20))
        return json_pack("{s:o}", "winner", any_player(inventor));
    return json_pack("{s:s}", chance(inventor, 60) ? "winner" : "loser", who);
}

static void add_results(struct inventor *inventor)
{
    json_t *list = json_array();
    for (int i = 1 + below(inventor, 3); i > 0; i--) {
        json_t *means = meaning(inventor);
        bool finish = json_object_get(means, "finish") != NULL;
        json_t *condition = conditions(inventor, IN_RESULT);
        json_t *result = json_pack("{s:o,s:o,s:o}", "if", condition, "result", means, "reason",
                                   name("because ", i));
        if (chance(inventor, 20) && !finish)
            json_object_set_new(result, "claim", json_true());
        json_array_append_new(list, result);
    }
    if (chance(inventor, 40) && !inventor->themes[PLACES])
        json_array_append_new(list, json_pack("{s:{s:b},s:s,s:s}", "if", "no_moves", 1, "result",
                                              "draw", "reason", "stuck"));
    json_object_set_new(inventor->game, "results", list);
}

/* --- turns ------------------------------------------------------------------------------------ */

static void add_turns(struct inventor *inventor)
{
    json_t *turns = json_array();
    for (int player = 0; player < inventor->players; player++) {
        json_array_append_new(turns, name("p", player));
        if (inventor->has_phase && chance(inventor, 70)) {
            json_t *turn = json_pack("{s:o,s:s}", "player", name("p", player), "phase", "second");
            if (chance(inventor, 60))
                json_object_set_new(turn, "same_figure", json_true());
            json_array_append_new(turns, turn);
        } else if (chance(inventor, 5)) {
            json_array_append_new(turns, name("p", player));
        }
    }
    json_object_set_new(inventor->game, "turns", turns);
}

static void add_states(struct inventor *inventor)
{
    json_t *states = json_object(), *wins = json_object();
    for (int player = 0; player < inventor->players; player++) {
        char move[32], check[32], next[32], who[16];
        bool last = player + 1 == inventor->players;
        snprintf(who, sizeof who, "p%d", player);
        snprintf(move, sizeof move, "move_%d", player);
        snprintf(check, sizeof check, "check_%d", player);
        snprintf(next, sizeof next, "move_%d", player + 1);
        json_object_set_new(states, move,
                            json_pack("{s:s,s:{s:s},s:s}", "type", "move", "parameters", "player",
                                      who, "next", check));
        json_object_set_new(states, check,
                            json_pack("{s:s,s:{s:s},s:[{s:[{s:b}],s:s},{s:s}]}", "type",
                                      "check_win", "parameters", "player", who, "next", "if",
                                      "result", 1, "state", "over", "state",
                                      last ? "round" : next));
        json_object_set_new(wins, who,
                            json_pack("[{s:s,s:{s:o,s:{s:i}},s:s,s:b}]", "entity", "cell", "filter",
                                      "player", json_string(who), "coordinates", axes[0],
                                      coordinate(inventor, 0), "type", "exists", "result",
                                      chance(inventor, 30)));
    }
    json_object_set_new(states, "round",
                        json_pack("{s:s,s:s}", "type", "next_move", "next", "move_0"));
    json_object_set_new(states, "over",
                        json_pack("{s:s,s:s}", "type", "end", "reason", "a check said so"));
    json_object_set_new(inventor->game, "game_states", states);
    json_object_set_new(inventor->game, "win_conditions", wins);
    json_object_set_new(inventor->game, "initial_game_state", json_string("move_0"));
}

static void add_rules(struct inventor *inventor)
{
    json_t *game = inventor->game;
    if (about(inventor, COMPLEX))
        add_complex(inventor);
    if (inventor->has_counter)
        add_counters(inventor);
    if (about(inventor, AFTER_MOVE))
        add_after_move(inventor);
    if (about(inventor, FORBID))
        add_forbid(inventor);
    if (about(inventor, RESULTS) || inventor->themes[REPETITION] || inventor->themes[PLACES])
        add_results(inventor);
    if (about(inventor, PASS) && !inventor->has_phase)
        json_object_set_new(game, "pass",
                            chance(inventor, 30)   ? json_true()
                            : chance(inventor, 50) ? json_string("when_stuck")
                                                   : conditions(inventor, IN_PASS));
    if (inventor->has_jumps && (about(inventor, REMOVE) || chance(inventor, 20)))
        json_object_set_new(game, "remove", json_string("turn_ends"));
    if (about(inventor, PRIORITY)) {
        json_t *priority = json_pack("[s]", "take");
        if (inventor->has_continue && chance(inventor, 60))
            json_array_append_new(priority, json_string("most_taken"));
        if (inventor->has_continue && chance(inventor, 40))
            json_array_append_new(priority, json_string("can_go_on"));
        json_object_set_new(game, "priority", priority);
    }
    if (chance(inventor, 30))
        json_object_set_new(game, "no_moves", json_string(ONE_OF(inventor, "loss", "draw", "win")));
    if (chance(inventor, 10))
        json_object_set_new(game, "max_plies", json_integer(6 + below(inventor, 10)));
}

/* --- the board -------------------------------------------------------------------------------- */

static void draw_board(struct inventor *inventor)
{
    static const int sides[3][3] = {{10, 0, 0}, {5, 5, 0}, {3, 3, 3}};
    inventor->dimensions = chance(inventor, 15) ? 1 : chance(inventor, 85) ? 2 : 3;
    inventor->hexagon = inventor->dimensions == 2 && chance(inventor, 20);
    for (int i = 0; i < inventor->dimensions; i++) {
        int most = sides[inventor->dimensions - 1][i];
        inventor->sides[i] = most - below(inventor, inventor->dimensions == 1 ? 4 : 2);
    }
    if (inventor->hexagon)
        inventor->sides[0] = inventor->sides[1] = 3;
    inventor->players = chance(inventor, 70) ? 2 : 1 + below(inventor, 4);
}

static json_t *mirror_of(const struct inventor *inventor, int player)
{
    if (inventor->hexagon)
        return json_pack("{s:s,s:s}", "x", player % 2 == 1 ? "-y" : "-x", "y",
                         player % 2 == 1 ? "x + y" : "-y");
    int axis = player % 2 == 1 || inventor->dimensions == 1 ? inventor->dimensions - 1 : 0;
    return json_pack("{s:o}", axes[axis],
                     json_sprintf("%d - %s", inventor->sides[axis] - 1, axes[axis]));
}

static void add_mirror(struct inventor *inventor, json_t *board)
{
    json_t *mirror = json_object();
    for (int player = 1; player < inventor->players; player++) {
        char key[16];
        snprintf(key, sizeof key, "p%d", player);
        json_object_set_new(mirror, key, mirror_of(inventor, player));
    }
    json_object_set_new(board, "mirror", mirror);
}

static void add_board(struct inventor *inventor)
{
    json_t *box = json_object(), *shape, *board, *names = json_array();
    bool holes = about(inventor, HOLES);
    for (int i = 0; i < inventor->dimensions; i++) {
        json_object_set_new(box, axes[i], json_integer(inventor->sides[i]));
        json_array_append_new(names, json_string(axes[i]));
    }
    shape = inventor->hexagon ? json_pack("{s:i}", "hexagon", inventor->sides[0])
                              : json_pack("{s:O}", "box", box);
    json_decref(box);
    if (holes && chance(inventor, 50) && inventor->dimensions == 2 && !inventor->hexagon)
        json_object_set_new(shape, "where", json_string("x != 2 || y != 1"));
    else if (holes)
        json_object_set_new(
            shape, "except",
            json_pack("[{s:i}]", axes[0], inventor->dimensions == 1 ? 3 : inventor->sides[0]));
    if (holes && inventor->dimensions > 1 && chance(inventor, 60))
        json_object_set_new(shape, "except", json_pack("[{s:i,s:i}]", "x", 1, "y", 2));
    board = json_pack("{s:o}", "cells", shape);
    inventor->mirrored =
        !holes && inventor->players > 1 && (inventor->themes[MIRROR] || chance(inventor, 30));
    if (inventor->mirrored)
        add_mirror(inventor, board);
    json_object_set_new(inventor->game, "board", board);
    json_object_set_new(inventor->game, "cell",
                        json_pack("{s:o,s:[[i,i],[i,i],[i,i]],s:{s:s,s:s}}", "coordinates_names",
                                  names, "geometry", 0, 0, 1, 0, 1, 1, "position", "x", "x", "y",
                                  "x"));
}

static void add_zones(struct inventor *inventor)
{
    json_t *zones = json_object();
    int axis = inventor->dimensions - 1;
    inventor->zones = 3;
    json_t *far =
        json_sprintf("%s == %d", axes[axis],
                     inventor->hexagon ? inventor->sides[0] - 1 : inventor->sides[axis] - 1);
    json_object_set_new(zones, "zone0",
                        inventor->players > 1 ? json_pack("{s:o}", "each", far) : far);
    json_object_set_new(zones, "zone1", json_sprintf("(x + %d) %% 2 == 0", below(inventor, 2)));
    if (chance(inventor, 50))
        json_object_set_new(zones, "zone2",
                            json_pack("[{s:{s:i}}]", axes[0], "min", coordinate(inventor, 0)));
    else
        json_object_set_new(zones, "zone2",
                            json_pack("{s:s}", "p0", chance(inventor, 50) ? "x < 2" : "x > 0"));
    json_object_set_new(inventor->game, "zones", zones);
}

static void add_directions(struct inventor *inventor)
{
    json_t *aside = json_object();
    for (int player = 0; player < inventor->players; player++) {
        char key[16];
        snprintf(key, sizeof key, "p%d", player);
        json_object_set_new(aside, key, json_pack("{s:i}", axes[0], player % 2 == 0 ? 1 : -1));
    }
    json_object_set_new(
        inventor->game, "directions",
        json_pack("{s:{s:i},s:o}", "forward", axes[inventor->dimensions - 1], 1, "aside", aside));
}

/* --- where they stand ------------------------------------------------------------------------- */

static bool is_cell(const struct inventor *inventor, const int *at)
{
    const json_t *shape = json_object_get(json_object_get(inventor->game, "board"), "cells");
    const json_t *except = json_array_get(json_object_get(shape, "except"), 0);
    bool excepted = except != NULL;
    for (int i = 0; i < inventor->dimensions; i++) {
        const json_t *value = json_object_get(except, axes[i]);
        excepted &= value == NULL || json_integer_value(value) == at[i];
    }
    if (excepted || (json_object_get(shape, "where") != NULL && at[0] == 2 && at[1] == 1))
        return false;
    int third = at[0] + at[1];
    return !inventor->hexagon || (third < inventor->sides[0] && third > -inventor->sides[0]);
}

static void place(struct inventor *inventor, json_t *initial, const int *at)
{
    char player[16], figure[16];
    snprintf(player, sizeof player, "p%d", below(inventor, inventor->players));
    snprintf(figure, sizeof figure, "f%d", below(inventor, inventor->figures));
    json_t *figures = json_object_get(initial, player), *cell = json_object();
    if (json_object_get(figures, figure) == NULL)
        json_object_set_new(figures, figure, json_array());
    for (int i = 0; i < inventor->dimensions; i++)
        json_object_set_new(cell, axes[i], json_integer(at[i]));
    json_array_append_new(json_object_get(figures, figure), cell);
}

static void add_start(struct inventor *inventor)
{
    json_t *initial = json_object();
    int density = 25 + below(inventor, 30), at[3] = {0};
    for (int player = 0; player < inventor->players; player++) {
        char key[16];
        snprintf(key, sizeof key, "p%d", player);
        json_object_set_new(initial, key, json_object());
    }
    json_object_set_new(inventor->game, "initial_position", initial);
    int low[3] = {0}, high[3] = {1, 1, 1};
    for (int i = 0; i < inventor->dimensions; i++) {
        low[i] = inventor->hexagon ? 1 - inventor->sides[i] : 0;
        high[i] = inventor->sides[i];
    }
    if (inventor->mirrored && inventor->dimensions > 1 && !inventor->hexagon &&
        inventor->players == 2 && inventor->zones > 0 && chance(inventor, 40)) {
        json_object_set_new(initial, "each", json_pack("{s:[{s:s}]}", "f0", "zone", "zone0"));
        low[inventor->dimensions - 1]++;
        high[inventor->dimensions - 1]--;
        density = 15;
    }
    for (at[0] = low[0]; at[0] < high[0]; at[0]++)
        for (at[1] = low[1]; at[1] < high[1]; at[1]++)
            for (at[2] = low[2]; at[2] < high[2]; at[2]++)
                if (is_cell(inventor, at) && chance(inventor, density))
                    place(inventor, initial, at);
}

/* --- all together ----------------------------------------------------------------------------- */

static void draw_themes(struct inventor *inventor)
{
    for (int i = 2 + below(inventor, 4); i > 0; i--)
        inventor->themes[below(inventor, THEMES)] = true;
    if (inventor->themes[CONTINUE])
        inventor->themes[OVER] |= chance(inventor, 70);
    inventor->has_phase = about(inventor, PHASE);
    inventor->has_mark = about(inventor, MARK);
    inventor->has_counter = about(inventor, COUNTERS);
    inventor->has_continue = about(inventor, CONTINUE);
    inventor->has_jumps = about(inventor, OVER);
    inventor->figures = 1 + below(inventor, 3);
}

static void add_players(struct inventor *inventor)
{
    json_t *players = json_array();
    for (int player = 0; player < inventor->players; player++)
        json_array_append_new(players, name("p", player));
    json_object_set_new(inventor->game, "players", players);
}

char *modern_invent(uint64_t seed)
{
    return modern_invent_from(NULL, 0, seed);
}

char *modern_invent_from(const uint8_t *bytes, size_t size, uint64_t seed)
{
    struct inventor inventor = {.seed = seed, .bytes = bytes, .left = size, .game = json_object()};
    json_object_set_new(inventor.game, "format", json_integer(2));
    json_object_set_new(inventor.game, "name", json_string("invented"));
    draw_themes(&inventor);
    draw_board(&inventor);
    add_players(&inventor);
    add_board(&inventor);
    if (chance(&inventor, 60) || inventor.themes[ZONES] || inventor.themes[WITHIN])
        add_zones(&inventor);
    if (inventor.themes[DIRECTIONS])
        add_directions(&inventor);
    add_named_movements(&inventor);
    add_figures(&inventor);
    add_start(&inventor);
    add_rules(&inventor);
    if (about(&inventor, STATES) && !inventor.has_phase &&
        json_object_get(inventor.game, "results") == NULL &&
        json_object_get(inventor.game, "after_move") == NULL)
        add_states(&inventor);
    else
        add_turns(&inventor);
    char *text = json_dumps(inventor.game, JSON_COMPACT);
    json_decref(inventor.game);
    return text;
}

/* --- another rule ----------------------------------------------------------------------------- */

static json_t *another_text(const char *text)
{
    static const char *const pairs[][2] = {
        {"mover", "next"},   {"next", "mover"},  {"enemy", "any"},  {"any", "enemy"},
        {"must", "may"},     {"may", "must"},    {"all", "signs"},  {"signs", "mirror"},
        {"mirror", "signs"}, {"take", "both"},   {"both", "move"},  {"move", "both"},
        {"f0", "f1"},        {"f1", "f0"},       {"p0", "p1"},      {"p1", "p0"},
        {"lines", "leaps"},  {"leaps", "lines"}, {"swap", "move"},  {"zone0", "zone1"},
        {"zone1", "zone0"},  {"self", "target"}, {"target", "self"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i][0], text) == 0)
            return json_string(pairs[i][1]);
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
