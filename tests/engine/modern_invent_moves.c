#include "tests/engine/modern_inventor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- movements -------------------------------------------------------------------------------- */

static void add_repeat(struct inventor *inventor, json_t *movement)
{
    int least = 1 + below(inventor, 2);
    switch (below(inventor, 5)) {
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
    case 3:
        json_object_set_new(movement, "repeat", json_pack("{s:o}", "count", match(inventor, 1)));
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

/* Into many directions, so that marks are sometimes where somebody can take by them. */
static void add_mark(struct inventor *inventor, json_t *movement)
{
    if (json_object_get(movement, "use") == NULL && chance(inventor, 70)) {
        json_object_del(movement, "also_reversed");
        json_object_set_new(movement, "symmetric", json_string(symmetry(inventor)));
    }
    json_object_del(movement, "put");
    if (chance(inventor, 50)) {
        json_object_set_new(movement, "repeat", json_pack("[i,i]", 2, 2));
        json_object_set_new(movement, "for", json_string("move"));
        json_object_set_new(movement, "mark", json_string("m"));
    } else {
        json_object_set_new(movement, "for", json_string(ONE_OF(inventor, "take", "both")));
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

/* --- action sets ------------------------------------------------------------------------------ */

/* A match of the first form of the language. */
static json_t *old_match(struct inventor *inventor)
{
    json_t *object = json_object();
    int axis = below(inventor, inventor->dimensions);
    if (chance(inventor, 50))
        json_object_set_new(object, "figure",
                            chance(inventor, 20) ? json_null() : any_figure(inventor));
    if (chance(inventor, 40))
        json_object_set_new(object, "player",
                            chance(inventor, 50) ? json_string("mover") : any_player(inventor));
    if (inventor->has_history && chance(inventor, 25))
        json_object_set_new(object, "moves_made", json_integer(below(inventor, 2)));
    if (inventor->has_history && chance(inventor, 25))
        json_object_set_new(object, "last_move", json_integer(below(inventor, 3)));
    if (chance(inventor, 20))
        json_object_set_new(object, axes[axis], json_integer(coordinate(inventor, axis)));
    return object;
}

static json_t *old_condition(struct inventor *inventor)
{
    json_t *object = json_object();
    if (chance(inventor, 60))
        json_object_set_new(object, "computed",
                            json_pack("{s:b}", ONE_OF(inventor, "is_figure", "is_enemy", "is_cell"),
                                      chance(inventor, 60)));
    if (inventor->has_history && chance(inventor, 40))
        json_object_set_new(object, "computed",
                            json_pack("{s:i}", "moves_after_last_move", below(inventor, 3)));
    if (chance(inventor, 10))
        json_object_set_new(object, "statistics",
                            json_pack("{s:i}", "current_move", 1 + below(inventor, 3)));
    if (chance(inventor, 40))
        json_object_set_new(object, chance(inventor, 40) ? "self" : "target", old_match(inventor));
    return object;
}

static json_t *deeds(struct inventor *inventor, bool transition)
{
    json_t *list = json_array();
    if (transition)
        json_array_append_new(list,
                              json_string(ONE_OF(inventor, "cancel", "cancel", "take", "swap")));
    else if (chance(inventor, 20))
        json_array_append_new(list, json_pack("{s:s,s:{s:o}}", "action", "replace", "parameters",
                                              "new_figure", any_figure(inventor)));
    if (!transition && chance(inventor, 40))
        json_array_append_new(list, json_string("take"));
    if (!transition && chance(inventor, 85))
        json_array_append_new(
            list, json_string(ONE_OF(inventor, "move", "move", "move", "swap", "cancel")));
    return list;
}

static json_t *action_sets(struct inventor *inventor, bool transition)
{
    json_t *list = json_array();
    for (int i = 1 + below(inventor, 2); i > 0; i--) {
        json_t *set = json_pack("{s:o}", "actions", deeds(inventor, transition));
        if (transition || chance(inventor, 60))
            json_object_set_new(set, "if",
                                chance(inventor, 70) ? old_condition(inventor)
                                                     : json_pack("[o,o]", old_condition(inventor),
                                                                 old_condition(inventor)));
        json_array_append_new(list, set);
    }
    return list;
}

static json_t *cell_actions(struct inventor *inventor, bool repeats)
{
    if (inventor->themes[ACTIONS] && chance(inventor, 25))
        return json_string("deeds");
    json_t *object = json_pack("{s:o}", "destination", action_sets(inventor, false));
    if (repeats && chance(inventor, 70))
        json_object_set_new(object, "transition", action_sets(inventor, true));
    return object;
}

void add_named_actions(struct inventor *inventor)
{
    if (!inventor->themes[ACTIONS])
        return;
    json_t *object = json_pack("{s:o,s:o}", "destination", action_sets(inventor, false),
                               "transition", action_sets(inventor, true));
    json_object_set_new(inventor->game, "actions", json_pack("{s:o}", "deeds", object));
}

/* Words that say what a movement does cannot stand beside its actions. */
static void drop_deeds(json_t *movement)
{
    static const char *const words[] = {"for", "takes", "takes_marked", "mark", "promote", "put"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        json_object_del(movement, words[i]);
}

/* A movement that attacks asks for no attacks: the reference asks anew at each, which would grow without bound. */
static void add_condition(struct inventor *inventor, json_t *movement)
{
    const char *purpose = json_string_value(json_object_get(movement, "for"));
    inventor->attacks = inventor->themes[ACTIONS] || purpose == NULL ||
                        strcmp(purpose, "take") == 0 || strcmp(purpose, "both") == 0;
    json_object_set_new(movement, "if", conditions(inventor, IN_MOVEMENT));
    inventor->attacks = false;
}

static void add_others(struct inventor *inventor, json_t *movement)
{
    bool puts = json_object_get(movement, "put") != NULL;
    if (about(inventor, PROMOTE) && !puts && chance(inventor, 50))
        json_object_set_new(movement, "promote", promotions(inventor));
    if (inventor->has_continue && chance(inventor, 60) && !puts)
        json_object_set_new(movement, "continue",
                            json_string(chance(inventor, 50) ? "must" : "may"));
    if (inventor->has_phase && chance(inventor, 40))
        json_object_set_new(movement, "phase", json_string("second"));
    if (about(inventor, IF))
        add_condition(inventor, movement);
    if (inventor->themes[ACTIONS] && chance(inventor, 50)) {
        drop_deeds(movement);
        json_object_set_new(movement, "cell_actions",
                            cell_actions(inventor, json_object_get(movement, "repeat") != NULL));
    }
}

/* The difference becomes one of several. */
static void add_by(struct inventor *inventor, json_t *movement)
{
    json_t *own = json_copy(movement), *other = difference(inventor);
    if (chance(inventor, 30))
        json_object_set_new(other, "symmetric", json_string(symmetry(inventor)));
    json_object_clear(movement);
    json_object_set_new(movement, "by", json_pack("[o,o]", own, other));
}

static json_t *movement(struct inventor *inventor)
{
    json_t *object = json_object();
    if (inventor->themes[USE] && chance(inventor, 40))
        json_object_set_new(object, "use", json_string(chance(inventor, 50) ? "lines" : "leaps"));
    else
        add_step(inventor, object, false);
    if (json_object_get(object, "use") == NULL) {
        if (chance(inventor, 10))
            add_by(inventor, object);
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

void add_named_movements(struct inventor *inventor)
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

/* What all movements of the figure do. */
static void add_figure_actions(struct inventor *inventor, json_t *figure)
{
    json_t *movement = json_object_get(figure, "movement"), *list, *one;
    const char *player;
    size_t i;
    json_array_foreach(movement, i, one)
    {
        drop_deeds(one);
    }
    json_object_foreach(movement, player, list)
    {
        json_array_foreach(list, i, one)
        {
            drop_deeds(one);
        }
    }
    json_object_set_new(figure, "cell_actions", cell_actions(inventor, true));
}

/* To find the turn that takes most is only short where what goes on takes. */
void take_to_go_on(json_t *value)
{
    const char *key;
    json_t *child;
    size_t i;
    const char *purpose = json_string_value(json_object_get(value, "for"));
    if (purpose == NULL || strcmp(purpose, "take") != 0)
        json_object_del(value, "continue");
    json_object_foreach(value, key, child)
    {
        take_to_go_on(child);
    }
    json_array_foreach(value, i, child)
    {
        take_to_go_on(child);
    }
}

void jump_to_go_on(json_t *value)
{
    const char *key;
    json_t *child;
    size_t i;
    const char *takes = json_string_value(json_object_get(value, "takes"));
    if (takes != NULL && strcmp(takes, "jumped") == 0)
        json_object_set_new(value, "continue", json_string("must"));
    json_object_foreach(value, key, child)
    {
        jump_to_go_on(child);
    }
    json_array_foreach(value, i, child)
    {
        jump_to_go_on(child);
    }
}

void add_figures(struct inventor *inventor)
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
        if (inventor->themes[ACTIONS] && chance(inventor, 30))
            add_figure_actions(inventor, figure);
        else if (about(inventor, PROMOTE))
            json_object_set_new(figure, "promote", promotions(inventor));
        if (json_object_get(inventor->game, "takes_to") != NULL && chance(inventor, 40))
            json_object_set_new(figure, "in_hand", any_figure(inventor));
        snprintf(key, sizeof key, "f%d", i);
        json_object_set_new(figures, key, figure);
    }
    json_object_set_new(inventor->game, "figures", figures);
}

/* --- combined movements ------------------------------------------------------------------------ */

static json_t *participant(struct inventor *inventor, bool first)
{
    json_t *object = json_pack("{s:o}", "figure", any_figure(inventor));
    if (!first || chance(inventor, 20))
        json_object_set_new(object, "at", difference(inventor));
    if (first || chance(inventor, 60))
        json_object_set_new(object, "by", difference(inventor));
    if (chance(inventor, 40))
        json_object_set_new(object, "unmoved", json_true());
    if (!first && chance(inventor, 40))
        json_object_set_new(object, "player",
                            json_string(ONE_OF(inventor, "mover", "enemy", "any")));
    if (json_object_get(object, "player") == NULL &&
        chance(inventor, inventor->themes[ACTIONS] ? 60 : 12))
        json_object_set_new(object, "cell_actions", cell_actions(inventor, false));
    return object;
}

void add_combined(struct inventor *inventor)
{
    json_t *list = json_array();
    for (int i = 1 + below(inventor, 2); i > 0; i--) {
        json_t *figures = json_pack("[o]", participant(inventor, true));
        json_t *object = json_pack("{s:o}", "figures", figures);
        if (chance(inventor, 80))
            json_array_append_new(figures, participant(inventor, false));
        if (chance(inventor, 30))
            json_object_set_new(object, "empty", json_pack("[o]", difference(inventor)));
        if (chance(inventor, 50))
            json_object_set_new(object, "safe", json_pack("[{},o]", difference(inventor)));
        if (chance(inventor, 25))
            json_object_set_new(object, "if", conditions(inventor, IN_MOVEMENT));
        json_array_append_new(list, object);
    }
    json_object_set_new(inventor->game, "combined_movements", list);
}

/* --- placements ------------------------------------------------------------------------------- */

static json_t *placement(struct inventor *inventor)
{
    json_t *entry = json_pack(
        "{s:o}", "put", chance(inventor, 50) ? any_figure(inventor) : figures_named(inventor));
    if (inventor->zones > 0 && chance(inventor, 50))
        json_object_set_new(entry, "in", zone_names(inventor));
    if (chance(inventor, 40))
        json_object_set_new(entry, "drop", difference(inventor));
    if (chance(inventor, 40))
        json_object_set_new(entry, "if", conditions(inventor, IN_MOVEMENT));
    if (inventor->has_phase && chance(inventor, 40))
        json_object_set_new(entry, "phase", json_string("second"));
    return entry;
}

/* All of a list are put from the hand, or none is: for each kind it must be the same. */
static json_t *placement_list(struct inventor *inventor)
{
    json_t *list = json_array();
    bool from_hand = inventor->has_hands && chance(inventor, 80);
    for (int i = 1 + below(inventor, 2); i > 0; i--) {
        json_t *entry = placement(inventor);
        if (from_hand)
            json_object_set_new(entry, "from", json_string("hand"));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *hand(struct inventor *inventor)
{
    json_t *hand = json_object();
    for (int figure = 0; figure < inventor->figures; figure++) {
        char key[16];
        snprintf(key, sizeof key, "f%d", figure);
        if (chance(inventor, 60))
            json_object_set_new(hand, key, json_integer(below(inventor, 3)));
    }
    return hand;
}

void add_hands(struct inventor *inventor)
{
    json_t *hands = json_object();
    bool takes = chance(inventor, 70);
    if (chance(inventor, 60))
        json_object_set_new(hands, "each", hand(inventor));
    for (int player = 0; player < inventor->players; player++) {
        char key[16];
        snprintf(key, sizeof key, "p%d", player);
        if (chance(inventor, 30))
            json_object_set_new(hands, key, hand(inventor));
    }
    if (takes)
        json_object_set_new(inventor->game, "takes_to", json_string("hand"));
    if (!takes || json_object_size(hands) > 0)
        json_object_set(inventor->game, "hands", hands);
    json_decref(hands);
}

void add_placements(struct inventor *inventor)
{
    json_t *place = placement_list(inventor);
    if (about(inventor, BY_PLAYER)) {
        json_t *by_player = json_object();
        for (int player = 0; player < inventor->players; player++) {
            char key[16];
            snprintf(key, sizeof key, "p%d", player);
            json_object_set_new(by_player, key, placement_list(inventor));
        }
        json_decref(place);
        place = by_player;
    }
    json_object_set_new(inventor->game, "place", place);
}

/* Entries that remove what stands there, and such as wait for others; and a figure that goes anywhere. */
void add_removals(struct inventor *inventor)
{
    json_t *list = json_object_get(inventor->game, "place");
    if (!json_is_array(list)) {
        list = json_array();
        json_object_set_new(inventor->game, "place", list);
    }
    json_t *entry = json_pack("{s:o}", "remove", match(inventor, 1));
    if (inventor->zones > 0 && chance(inventor, 30))
        json_object_set_new(entry, "in", zone_names(inventor));
    if (chance(inventor, 40))
        json_object_set_new(entry, "if", conditions(inventor, IN_MOVEMENT));
    if (inventor->has_phase && chance(inventor, 40))
        json_object_set_new(entry, "phase", json_string("second"));
    json_array_append_new(list, entry);
    entry = json_pack("{s:b}", "otherwise", 1);
    if (chance(inventor, 50))
        json_object_set_new(entry, "put", any_figure(inventor));
    else
        json_object_set_new(entry, "remove", match(inventor, 1));
    if (chance(inventor, 70))
        json_array_append(list, entry);
    json_decref(entry);
}

void add_leap(struct inventor *inventor)
{
    json_t *figures = json_object_get(inventor->game, "figures");
    json_t *movement = json_object_get(json_object_get(figures, "f0"), "movement");
    json_t *leap = json_pack("{s:b}", "anywhere", 1);
    if (!json_is_array(movement)) {
        json_decref(leap);
        return;
    }
    if (!inventor->themes[ACTIONS] && chance(inventor, 70))
        json_object_set_new(leap, "for", json_string(ONE_OF(inventor, "move", "take", "swap")));
    if (chance(inventor, 70))
        add_condition(inventor, leap);
    json_array_append_new(movement, leap);
}

/* --- what follows a move ---------------------------------------------------------------------- */

static json_t *wanted(struct inventor *inventor)
{
    return chance(inventor, 40) ? json_true() : conditions(inventor, AFTER);
}

void add_counters(struct inventor *inventor)
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

static json_t *effect(struct inventor *inventor)
{
    return json_pack("{s:o}", chance(inventor, 50) ? "remove" : "flip", selection(inventor, true));
}

void add_after_move(struct inventor *inventor)
{
    json_t *entry = json_pack("{s:[o]}", "do", effect(inventor));
    if (chance(inventor, 30))
        json_array_append_new(json_object_get(entry, "do"), effect(inventor));
    if (chance(inventor, 60))
        json_object_set_new(entry, "if", conditions(inventor, AFTER));
    json_object_set_new(inventor->game, "after_move", json_pack("[o]", entry));
}

void add_forbid(struct inventor *inventor)
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

static json_t *score_part(struct inventor *inventor)
{
    json_t *part = json_object();
    if (inventor->has_counter && chance(inventor, 30)) {
        json_object_set_new(part, "counter", json_string("own"));
    } else if (chance(inventor, 30)) {
        json_decref(part);
        part = territory(inventor);
    } else {
        json_t *is = chance(inventor, 40) ? json_object() : match(inventor, 1), *one;
        size_t i;
        if (json_is_object(is))
            json_object_set_new(is, "player",
                                json_string(chance(inventor, 80) ? "mover" : "enemy"));
        json_array_foreach(is, i, one)
        {
            json_object_set_new(one, "player", json_string("mover"));
        }
        json_object_set_new(part, "is", is);
    }
    if (chance(inventor, 40))
        json_object_set_new(part, "times", json_integer(2 + below(inventor, 2)));
    return part;
}

/* Of those that say by themselves what they count. */
static json_t *hand_part(struct inventor *inventor)
{
    json_t *hand = json_object();
    if (chance(inventor, 50))
        json_object_set_new(hand, "player", json_string(ONE_OF(inventor, "mover", "enemy")));
    if (chance(inventor, 40))
        json_object_set_new(hand, "figure", figures_named(inventor));
    return json_pack("{s:o}", "hand", hand);
}

/* Puts parts about hands into scores. */
static void count_hands(struct inventor *inventor)
{
    size_t i;
    json_t *result;
    json_array_foreach(json_object_get(inventor->game, "results"), i, result)
    {
        json_t *means = json_object_get(result, "result");
        if (json_object_get(means, "most") != NULL && chance(inventor, 60))
            json_object_set_new(means, "most",
                                json_pack("[o,o]", hand_part(inventor), score_part(inventor)));
    }
}

void add_settings(struct inventor *inventor)
{
    json_t *all = json_object_get(json_object_get(inventor->game, "counters"), "all");
    if (inventor->has_hands)
        count_hands(inventor);
    if (all == NULL)
        return;
    json_t *setting = json_object();
    if (chance(inventor, 50))
        json_object_set_new(setting, "if", conditions(inventor, AFTER));
    if (chance(inventor, 60))
        json_object_set_new(setting, "to", json_integer(below(inventor, 5) - 1));
    if (json_object_size(setting) == 0 || json_object_get(setting, "to") == NULL ||
        chance(inventor, 50))
        json_object_set_new(setting, "plus",
                            inventor->has_hands && chance(inventor, 40) ? hand_part(inventor)
                                                                        : score_part(inventor));
    json_object_set_new(all, "set", json_pack("[o]", setting));
}

static json_t *most(struct inventor *inventor)
{
    json_t *parts = score_part(inventor);
    if (chance(inventor, 30))
        parts = json_pack("[o,o]", parts, score_part(inventor));
    json_t *result = json_pack("{s:o}", "most", parts);
    if (chance(inventor, 40)) {
        json_t *player = any_player(inventor);
        json_object_set_new(result, "plus",
                            json_pack("{s:o}", json_string_value(player),
                                      chance(inventor, 50) ? json_real(0.5)
                                                           : json_integer(1 + below(inventor, 2))));
        json_decref(player);
    }
    if (chance(inventor, 70))
        json_object_set_new(result, "tie",
                            chance(inventor, 10) ? json_string("draw") : any_player(inventor));
    return result;
}

static json_t *elimination(struct inventor *inventor, const char *who)
{
    json_t *means = json_pack("{s:s}", "eliminated", who);
    if (chance(inventor, 70))
        json_object_set_new(means, "their_figures",
                            json_string(ONE_OF(inventor, "removed", "removed", "stay")));
    return means;
}

static json_t *meaning(struct inventor *inventor)
{
    const char *who = ONE_OF(inventor, "mover", "next");
    if (inventor->themes[PLACES] && chance(inventor, 75))
        return chance(inventor, 50) ? json_pack("{s:s}", "finish", who)
                                    : elimination(inventor, who);
    if (chance(inventor, 25))
        return json_string("draw");
    if (chance(inventor, 30))
        return most(inventor);
    if (chance(inventor, 20))
        return json_pack("{s:o}", "winner", any_player(inventor));
    return json_pack("{s:s}", chance(inventor, 60) ? "winner" : "loser", who);
}

void add_results(struct inventor *inventor)
{
    json_t *list = json_array();
    for (int i = 1 + below(inventor, 3); i > 0; i--) {
        json_t *means = meaning(inventor);
        bool leaves = json_object_get(means, "finish") != NULL ||
                      json_object_get(means, "eliminated") != NULL;
        json_t *condition = conditions(inventor, IN_RESULT);
        json_t *result = json_pack("{s:o,s:o,s:o}", "if", condition, "result", means, "reason",
                                   name("because ", i));
        if (chance(inventor, 20) && !leaves)
            json_object_set_new(result, chance(inventor, 50) ? "claim" : "flag", json_true());
        json_array_append_new(list, result);
    }
    if (chance(inventor, 40) && !inventor->themes[PLACES])
        json_array_append_new(list, json_pack("{s:{s:b},s:s,s:s}", "if", "no_moves", 1, "result",
                                              "draw", "reason", "stuck"));
    json_object_set_new(inventor->game, "results", list);
}
