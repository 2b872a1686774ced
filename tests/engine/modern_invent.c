#include "tests/support/test.h"

#include "tests/engine/modern_invent.h"
#include "tests/engine/modern_inventor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- chance ----------------------------------------------------------------------------------- */

int below(struct inventor *inventor, int bound)
{
    if (inventor->left >= 2) {
        unsigned drawn = inventor->bytes[0] + 256U * inventor->bytes[1];
        inventor->bytes += 2;
        inventor->left -= 2;
        return (int)(drawn % (unsigned)bound);
    }
    return (int)(test_random(&inventor->seed) % (unsigned)bound);
}

bool chance(struct inventor *inventor, int percent)
{
    return below(inventor, 100) < percent;
}

bool about(struct inventor *inventor, enum theme theme)
{
    return chance(inventor, inventor->themes[theme] ? 75 : 4);
}

const char *one_of(struct inventor *inventor, const char *const *words, int count)
{
    return words[below(inventor, count)];
}

/* --- names ------------------------------------------------------------------------------------ */

const char *const axes[] = {"x", "y", "z"};

json_t *name(const char *letter, int number)
{
    return json_sprintf("%s%d", letter, number);
}

json_t *any_player(struct inventor *inventor)
{
    return name("p", below(inventor, inventor->players));
}

json_t *any_figure(struct inventor *inventor)
{
    return name("f", below(inventor, inventor->figures));
}

json_t *figures_named(struct inventor *inventor)
{
    if (inventor->figures < 2 || chance(inventor, 70))
        return any_figure(inventor);
    int first = below(inventor, inventor->figures);
    return json_pack("[o,o]", name("f", first), name("f", (first + 1) % inventor->figures));
}

json_t *any_zone(struct inventor *inventor)
{
    return name("zone", below(inventor, inventor->zones));
}

json_t *zone_names(struct inventor *inventor)
{
    if (inventor->zones < 2 || chance(inventor, 75))
        return any_zone(inventor);
    return json_pack("[s,s]", "zone0", "zone1");
}

/* A role, or a name. */
json_t *player_role(struct inventor *inventor)
{
    if (chance(inventor, 15))
        return any_player(inventor);
    return json_string(ONE_OF(inventor, "mover", "mover", "enemy", "enemy", "next", "any"));
}

int coordinate(struct inventor *inventor, int dimension)
{
    int side = inventor->sides[dimension];
    return inventor->hexagon ? below(inventor, 2 * side - 1) - side + 1 : below(inventor, side);
}

/* --- differences ------------------------------------------------------------------------------ */

void add_step(struct inventor *inventor, json_t *object, bool zero_allowed)
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

json_t *difference(struct inventor *inventor)
{
    json_t *object = json_object();
    add_step(inventor, object, false);
    return object;
}

const char *symmetry(struct inventor *inventor)
{
    if (inventor->hexagon && chance(inventor, 70))
        return "hexagon";
    return ONE_OF(inventor, "mirror", "signs", "all", "all");
}

/* Steps to the neighbours of a cell. */
json_t *around(struct inventor *inventor)
{
    json_t *step = json_pack("{s:i,s:s}", axes[below(inventor, inventor->dimensions)], 1,
                             "symmetric", inventor->hexagon ? "hexagon" : symmetry(inventor));
    return json_pack("[o]", step);
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

/* What turns say of themselves beside whose they are. */
static void add_turn_words(struct inventor *inventor)
{
    json_t *turns = json_object_get(inventor->game, "turns");
    for (size_t i = 0; i < json_array_size(turns); i++) {
        json_t *turn = json_array_get(turns, i);
        if (json_is_string(turn)) {
            turn = json_pack("{s:O}", "player", turn);
            json_array_set_new(turns, i, turn);
        }
        if (chance(inventor, 60))
            json_object_set_new(turn, "if", conditions(inventor, AFTER));
        if (chance(inventor, 30))
            json_object_set_new(turn, "pass",
                                chance(inventor, 60)   ? json_boolean(chance(inventor, 60))
                                : chance(inventor, 50) ? json_string("when_stuck")
                                                       : conditions(inventor, IN_PASS));
    }
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
    if (about(inventor, COMBINED))
        add_combined(inventor);
    if (inventor->has_counter)
        add_counters(inventor);
    if (about(inventor, AFTER_MOVE))
        add_after_move(inventor);
    if (about(inventor, FORBID))
        add_forbid(inventor);
    if (about(inventor, RESULTS) || inventor->themes[REPETITION] || inventor->themes[PLACES])
        add_results(inventor);
    if (about(inventor, PASS))
        json_object_set_new(game, "pass",
                            chance(inventor, 30)   ? json_true()
                            : chance(inventor, 50) ? json_string("when_stuck")
                                                   : conditions(inventor, IN_PASS));
    if (inventor->has_jumps && (about(inventor, REMOVE) || chance(inventor, 20))) {
        json_object_set_new(game, "jumped_leave", json_string("turn_ends"));
        jump_to_go_on(json_object_get(game, "figures"));
    }
    if (about(inventor, PRIORITY)) {
        json_t *priority = json_pack("[s]", "take");
        if (inventor->has_continue && !inventor->themes[ACTIONS] && chance(inventor, 60)) {
            json_array_append_new(priority, json_string("most_taken"));
            take_to_go_on(json_object_get(game, "figures"));
        }
        if (inventor->has_continue && chance(inventor, 40))
            json_array_append_new(priority, json_string("can_go_on"));
        json_object_set_new(game, "priority", priority);
    }
    if (chance(inventor, 30))
        json_object_set_new(game, "stuck", json_string(ONE_OF(inventor, "loss", "draw", "win")));
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
    json_object_set_new(board, "neighbours", around(inventor)); // so words may leave `by` out
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

/* Either side as the other sees its own: in the mirror, or there is nothing at first but what is put. */
static void even_start(struct inventor *inventor)
{
    json_t *figures = json_pack("{s:{},s:{}}", "p0", "p1");
    json_t *initial = json_pack("{s:{},s:{}}", "p0", "p1");
    int last = inventor->dimensions - 1, at[3] = {0};
    int high[3] = {inventor->sides[0], inventor->sides[1], inventor->sides[2]};
    high[last] /= 2;
    for (int i = inventor->dimensions; i < 3; i++)
        high[i] = 1;
    for (at[0] = 0; at[0] < high[0]; at[0]++)
        for (at[1] = 0; at[1] < high[1]; at[1]++)
            for (at[2] = 0; at[2] < high[2]; at[2]++)
                if (inventor->mirrored && chance(inventor, 40))
                    place(inventor, figures, at);
    if (inventor->mirrored)
        json_object_set(initial, "each", json_object_get(figures, "p0"));
    json_object_set_new(inventor->game, "initial_position", initial);
    json_decref(figures);
}

/* Whether each zone is one player's as the other's; what is not so becomes so, if it can. */
static bool even_zones(struct inventor *inventor)
{
    json_t *zones = json_object_get(inventor->game, "zones");
    if (inventor->zones == 0)
        return true;
    json_object_set_new(zones, "zone2", json_string("x > 0"));
    return !inventor->mirrored || inventor->dimensions > 1;
}

void add_pie(struct inventor *inventor)
{
    if (inventor->players != 2 || inventor->hexagon || !even_zones(inventor))
        return;
    even_start(inventor);
    if (json_object_get(inventor->game, "place") == NULL)
        add_placements(inventor);
    json_object_set_new(inventor->game, "pie", json_true());
}

/* --- all together ----------------------------------------------------------------------------- */

static void draw_themes(struct inventor *inventor)
{
    for (int i = 2 + below(inventor, 4); i > 0; i--)
        inventor->themes[below(inventor, THEMES)] = true;
    inventor->themes[ACTIONS] &= !inventor->themes[OVER]; /* what is taken and waits has none */
    if (inventor->themes[CONTINUE] && !inventor->themes[ACTIONS])
        inventor->themes[OVER] |= chance(inventor, 70);
    inventor->themes[PROMOTE] |= inventor->themes[CONTINUE] && chance(inventor, 60);
    inventor->has_phase = about(inventor, PHASE);
    inventor->has_mark = about(inventor, MARK);
    inventor->has_counter = about(inventor, COUNTERS);
    inventor->has_continue = about(inventor, CONTINUE);
    inventor->has_hands = about(inventor, HANDS);
    inventor->has_history =
        about(inventor, HISTORY) || (inventor->themes[ACTIONS] && chance(inventor, 50));
    inventor->has_jumps = !inventor->themes[ACTIONS] && about(inventor, OVER);
    inventor->figures = 1 + below(inventor, 3);
}

static void add_players(struct inventor *inventor)
{
    json_t *players = json_array();
    for (int player = 0; player < inventor->players; player++)
        json_array_append_new(players, name("p", player));
    json_object_set_new(inventor->game, "players", players);
}

/* Lines that are jumped along: to the cell right behind a figure, or as many steps as figures stand on them. Often somebody must not
 * be attacked so. */
static void add_hops(struct inventor *inventor)
{
    json_t *figures = json_object_get(inventor->game, "figures");
    const char *last = inventor->figures > 1 ? "f1" : "f0";
    json_t *movement = json_object_get(json_object_get(figures, last), "movement");
    if (!json_is_array(movement) || inventor->themes[ACTIONS])
        return;
    json_t *hop = json_pack("{s:i,s:s}", axes[0], 1, "symmetric", symmetry(inventor));
    if (chance(inventor, 60)) {
        json_object_update_new(hop, json_pack("{s:[i,n],s:s,s:{s:{s:s,s:{s:i},s:{s:b}}}}", "repeat",
                                              2, "over", ONE_OF(inventor, "any", "any", "enemy"),
                                              "if", "at", "of", "target", "by", axes[0], -1, "is",
                                              "empty", 0));
    } else {
        json_t *over =
            json_pack("{s:{s:s},s:[i,i]}", "is", "player",
                      ONE_OF(inventor, "mover", "enemy", "any"), "count", below(inventor, 2), 6);
        json_object_update_new(hop, json_pack("{s:{s:o},s:o}", "repeat", "count",
                                              chance(inventor, 50) ? json_pack("{s:b}", "empty", 0)
                                                                   : match(inventor, 1),
                                              "over", over));
    }
    json_array_append_new(movement, hop);
    if (json_object_get(inventor->game, "forbid") == NULL && chance(inventor, 60))
        json_object_set_new(inventor->game, "forbid",
                            json_pack("[{s:{s:s,s:s},s:s}]", "attacked", "figure", "f0", "player",
                                      "mover", "words", "attacked"));
}

/* What an unused selection asks is asked by nobody, though the word stands in the file. */
static void leave_out_unused(json_t *game, const char *text)
{
    json_t *selections = json_object_get(game, "selections");
    if (strstr(text, "\"cells\":\"chosen0\"") == NULL)
        json_object_del(selections, "chosen0");
    if (strstr(text, "\"cells\":\"chosen1\"") == NULL)
        json_object_del(selections, "chosen1");
    if (json_object_size(selections) == 0)
        json_object_del(game, "selections");
}

char *modern_invent(uint64_t seed)
{
    return modern_invent_from(NULL, 0, seed);
}

char *modern_invent_from(const uint8_t *bytes, size_t size, uint64_t seed)
{
    struct inventor inventor = {.seed = seed,
                                .bytes = bytes,
                                .left = size,
                                .game = json_object(),
                                .repeats_boards = seed % 3 == 0};
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
    if (about(&inventor, SELECTIONS) || (inventor.themes[AFTER_MOVE] && chance(&inventor, 50)))
        add_selections(&inventor);
    if (inventor.has_hands)
        add_hands(&inventor);
    add_named_movements(&inventor);
    add_named_actions(&inventor);
    add_figures(&inventor);
    add_start(&inventor);
    add_rules(&inventor);
    if (about(&inventor, STATES) && !inventor.has_phase &&
        json_object_get(inventor.game, "results") == NULL &&
        json_object_get(inventor.game, "after_move") == NULL)
        add_states(&inventor);
    else
        add_turns(&inventor);
    if (chance(&inventor, inventor.has_hands
                              ? 90
                              : 15)) // last, so that all else of a seed's game stays as it was
        add_placements(&inventor);
    if (chance(&inventor, 15))
        add_turn_words(&inventor);
    if (chance(&inventor, 10))
        add_removals(&inventor);
    if (chance(&inventor, 6))
        add_leap(&inventor);
    if (chance(&inventor, 12))
        add_pie(&inventor);
    if (chance(&inventor, 50))
        add_during(&inventor);
    if (chance(&inventor, 40))
        add_settings(&inventor);
    if (chance(&inventor, 8))
        add_hops(&inventor);
    char *text = json_dumps(inventor.game, JSON_COMPACT);
    leave_out_unused(inventor.game, text);
    free(text);
    text = json_dumps(inventor.game, JSON_COMPACT);
    json_decref(inventor.game);
    return text;
}
