#include "tests/engine/modern_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail_unknown(const char *where, const char *word)
{
    fprintf(stderr, "the reference does not know `%s` in %s\n", word, where);
    abort();
}

struct modern_piece piece_at(const struct scene *scene, cell_index cell)
{
    return scene->position->cells[cell];
}

/* --- players ---------------------------------------------------------------------------------- */

static bool one_player(const struct scene *scene, const char *name, player_index player)
{
    if (strcmp(name, "mover") == 0)
        return player == scene->mover;
    if (strcmp(name, "enemy") == 0)
        return player != scene->mover;
    if (strcmp(name, "next") == 0)
        return player == scene->next;
    if (strcmp(name, "any") == 0)
        return true;
    return player == game_find_player(scene->game->loaded, name, strlen(name));
}

bool named_player(const struct scene *scene, const json_t *names, player_index player)
{
    for (int i = 0; i < list_count(names) && player != PLAYER_NONE; i++)
        if (one_player(scene, json_string_value(list_at(names, i)), player))
            return true;
    return false;
}

bool named_figure(const struct modern *game, const json_t *names, figure_index figure)
{
    for (int i = 0; i < list_count(names) && figure != FIGURE_NONE; i++) {
        const char *name = json_string_value(list_at(names, i));
        if (name != NULL && game_find_figure(game->loaded, name, strlen(name)) == figure)
            return true;
    }
    return false;
}

/* --- matches ---------------------------------------------------------------------------------- */

static bool number_matches(const json_t *wanted, bool figure, int value)
{
    return json_is_null(wanted) ? !figure : figure && json_integer_value(wanted) == value;
}

static bool is_marked(const struct scene *scene, const char *name, cell_index cell)
{
    for (int i = 0; i < scene->game->mark_count; i++)
        if (strcmp(scene->game->marks[i], name) == 0)
            return scene->position->marks[i].cell == cell;
    return false;
}

/* One word of a match, about a cell that exists. */
static bool word_matches(const struct scene *scene, const char *word, const json_t *value,
                         cell_index cell)
{
    const struct modern *game = scene->game;
    struct modern_piece piece = piece_at(scene, cell);
    bool figure = piece.figure != FIGURE_NONE;
    int dimension = dimension_of(game, word);
    if (dimension >= 0)
        return coordinate_fits(value, game_facts(game->loaded)->cells[cell].coordinates[dimension]);
    if (strcmp(word, "figure") == 0)
        return json_is_null(value) ? !figure : named_figure(game, value, piece.figure);
    if (strcmp(word, "player") == 0)
        return json_is_null(value) ? !figure : figure && named_player(scene, value, piece.player);
    if (strcmp(word, "empty") == 0)
        return figure != is_true(value);
    if (strcmp(word, "zone") == 0)
        return in_zones(game, value, scene->mover, cell);
    if (strcmp(word, "marked") == 0)
        return is_marked(scene, json_string_value(value), cell);
    if (strcmp(word, "unmoved") == 0)
        return figure && piece.unmoved == is_true(value);
    if (strcmp(word, "exists") == 0)
        return is_true(value);
    if (strcmp(word, "not") == 0)
        return !matches(scene, value, cell);
    if (strcmp(word, "moves_made") == 0)
        return number_matches(value, figure, piece.moves_made);
    if (strcmp(word, "last_move") == 0)
        return number_matches(value, figure, piece.last_move);
    fail_unknown("a match", word);
    return false;
}

/* A cell that does not exist is like {"exists": false} only, and like a `not` of something else. */
static bool word_matches_nothing(const struct scene *scene, const char *word, const json_t *value)
{
    if (strcmp(word, "exists") == 0)
        return !is_true(value);
    return strcmp(word, "not") == 0 && !matches(scene, value, CELL_NONE);
}

static bool match_holds(const struct scene *scene, const json_t *match, cell_index cell)
{
    const char *word;
    json_t *value;
    bool says_nothing = true;
    json_object_foreach((json_t *)match, word, value)
    {
        if (say(scene->game, match, word) == NULL)
            continue;
        says_nothing = false;
        if (strcmp(word, "coordinates") == 0) {
            if (!match_holds(scene, value, cell))
                return false;
        } else if (cell == CELL_NONE ? !word_matches_nothing(scene, word, value)
                                     : !word_matches(scene, word, value, cell)) {
            return false;
        }
    }
    return !says_nothing || cell != CELL_NONE; // of which something must be said
}

bool matches(const struct scene *scene, const json_t *match, cell_index cell)
{
    for (int i = 0; i < list_count(match); i++)
        if (match_holds(scene, list_at(match, i), cell))
            return true;
    return false;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* At least 1 where nothing is said. */
bool between(const struct modern *game, const json_t *object, int number)
{
    const json_t *min = say(game, object, "min"), *max = say(game, object, "max");
    int64_t least = min != NULL ? json_integer_value(min) : max != NULL ? INT32_MIN : 1;
    return number >= least && (max == NULL || number <= json_integer_value(max));
}

static cell_index origin(const struct scene *scene, const json_t *words)
{
    return says(scene->game, words, "of", "target") ? scene->target : scene->self;
}

static bool at_holds(const struct scene *scene, const json_t *words)
{
    int delta[DIMENSIONS_MAX];
    cell_index from = origin(scene, words);
    read_asked_difference(scene, say(scene->game, words, "by"), delta);
    return matches(scene, say(scene->game, words, "is"), cell_beside(scene->game, from, delta));
}

static bool count_holds(const struct scene *scene, const json_t *words)
{
    int number = 0;
    if (say(scene->game, words, "cells") != NULL)
        return between(scene->game, words, selected(scene, words, NULL));
    for (int cell = 0; cell < scene->game->cells; cell++)
        number += matches(scene, say(scene->game, words, "is"), (cell_index)cell);
    return between(scene->game, words, number);
}

static bool neighbours_hold(const struct scene *scene, const json_t *words)
{
    bool cells[MODERN_CELLS_MAX] = {false};
    return between(scene->game, words,
                   selected_neighbours(scene, words, origin(scene, words), cells));
}

/* So many cells in a row, from one on. */
static int row_from(const struct scene *scene, const json_t *is, cell_index cell, const int *step,
                    int sign)
{
    int back[DIMENSIONS_MAX], length = 0;
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        back[i] = sign * step[i];
    for (; cell != CELL_NONE && matches(scene, is, cell);
         cell = cell_beside(scene->game, cell, back))
        length++;
    return length;
}

/* Whether there is such a row through the cell, both ways along one of the steps. */
static bool line_through(const struct scene *scene, const json_t *words, cell_index cell)
{
    const struct modern *game = scene->game;
    const json_t *by = say(game, words, "by"), *is = say(game, words, "is");
    for (int i = 0; i < list_count(by); i++) {
        struct fan fan;
        read_fan(game, list_at(by, i), scene->mover, scene->as_it_stands, scene->turn, &fan);
        for (int k = 0; k < fan.count; k++) {
            const int *step = fan.turned[k][0];
            int length =
                row_from(scene, is, cell, step, 1) + row_from(scene, is, cell, step, -1) - 1;
            if (length > 0 && between(game, words, length))
                return true;
        }
    }
    return false;
}

static bool line_holds(const struct scene *scene, const json_t *words)
{
    const char *through = json_string_value(say(scene->game, words, "through"));
    if (through != NULL)
        return line_through(scene, words,
                            strcmp(through, "target") == 0 ? scene->target : scene->self);
    for (int cell = 0; cell < scene->game->cells; cell++)
        if (line_through(scene, words, (cell_index)cell))
            return true;
    return false;
}

/* As many steps as there are cells on the line, before and behind, that are as the movement says. */
bool counts_so_many(const struct scene *scene, const struct rule *rule, int steps)
{
    int count = matches(scene, rule->counted, scene->self);
    for (int sign = -1; sign <= 1; sign += 2) {
        int step[DIMENSIONS_MAX];
        for (int i = 0; i < DIMENSIONS_MAX; i++)
            step[i] = sign * rule->delta[i];
        for (cell_index cell = cell_beside(scene->game, scene->self, step); cell != CELL_NONE;
             cell = cell_beside(scene->game, cell, step))
            count += matches(scene, rule->counted, cell);
    }
    return count == steps;
}

/* --- counters --------------------------------------------------------------------------------- */

int counter_value(const struct scene *scene, const char *name, player_index player)
{
    for (int slot = 0; slot < game_facts(scene->game->loaded)->counter_slot_count; slot++) {
        player_index whose = PLAYER_NONE;
        if (strcmp(game_counter_name(scene->game->loaded, slot, &whose), name) == 0 &&
            (whose == PLAYER_NONE || whose == player))
            return scene->position->counters[slot];
    }
    return 0;
}

static bool is_per_player(const struct modern *game, const char *name)
{
    const json_t *counters = say(game, game->root, "counters");
    return is_true(say(game, json_object_get(counters, name), "per_player"));
}

/* Of several players it is enough for one. */
bool counter_holds(const struct scene *scene, const json_t *test)
{
    const char *name = json_string_value(json_object_get(test, "name"));
    const json_t *players = say(scene->game, test, "player");
    if (!is_per_player(scene->game, name))
        return between(scene->game, test, counter_value(scene, name, scene->mover));
    for (int player = 0; player < scene->game->players; player++) {
        bool meant = players == NULL ? player == scene->mover
                                     : named_player(scene, players, (player_index)player);
        if (meant && between(scene->game, test, counter_value(scene, name, (player_index)player)))
            return true;
    }
    return false;
}

/* --- the last move ---------------------------------------------------------------------------- */

/* Names of zones, or coordinates. */
bool place_holds(const struct scene *scene, const json_t *place, cell_index cell)
{
    if (place == NULL)
        return true;
    if (cell == CELL_NONE)
        return false;
    return json_is_object(place) ? match_holds(scene, place, cell)
                                 : in_zones(scene->game, place, scene->mover, cell);
}

static bool took_holds(const struct scene *scene, const json_t *took, uint64_t kinds)
{
    if (took == NULL)
        return true;
    if (json_is_boolean(took))
        return is_true(took) == (kinds != 0);
    const json_t *names = json_is_object(took) ? json_object_get(took, "figure") : took;
    for (int figure = 0; figure < scene->game->figures; figure++)
        if ((kinds >> figure & 1) != 0 && named_figure(scene->game, names, (figure_index)figure))
            return true;
    return false;
}

static bool previous_holds(const struct scene *scene, const json_t *words)
{
    const struct modern *game = scene->game;
    const struct modern_last *last = &scene->position->last;
    const json_t *figure = say(game, words, "figure"), *player = say(game, words, "player");
    const json_t *combined = say(game, words, "combined");
    const json_t *passed = say(game, words, "passed"), *placed = say(game, words, "placed");
    if (!last->exists || (passed != NULL && is_true(passed) != last->pass))
        return false;
    if (last->pass) // a pass is like nothing else
        return passed != NULL;
    return (figure == NULL || named_figure(game, figure, last->figure)) &&
           (player == NULL || named_player(scene, player, last->player)) &&
           place_holds(scene, say(game, words, "from"), last->from) &&
           place_holds(scene, say(game, words, "to"), last->to) &&
           took_holds(scene, say(game, words, "took"), last->took) &&
           (combined == NULL || is_true(combined) == last->combined) &&
           (placed == NULL || is_true(placed) == (last->from == CELL_NONE));
}

/* --- attacks ---------------------------------------------------------------------------------- */

/* Whether the movement, of the figure on `scene->self`, attacks the cell: it takes, and would fit if an enemy's figure stood there. */
static bool rule_attacks(struct scene *scene, const struct rule *rule, cell_index cell)
{
    const struct modern *game = scene->game;
    struct way way;
    const json_t *purpose = say(game, rule->words, "for");
    if (acts(game, rule)) { // what it would take now
        scene->target = cell;
        return fits(scene, rule, cell, &way) && actions_take(scene, rule, true);
    }
    if (purpose != NULL && !says(game, rule->words, "for", "take") &&
        !says(game, rule->words, "for", "both"))
        return false;
    if (!says(game, rule->words, "takes", "jumped")) {
        scene->target = cell;
        return fits(scene, rule, cell, &way);
    }
    for (int to = 0; to < game->cells; to++) {
        scene->target = (cell_index)to;
        if (to == cell || !fits(scene, rule, cell, &way))
            continue;
        for (int i = 0; i < way.jumped_count; i++)
            if (way.jumped[i] == cell)
                return true;
    }
    return false;
}

bool is_attacked(const struct scene *asked, cell_index cell, player_index by, const json_t *kinds)
{
    const struct modern *game = asked->game;
    if (asked->attacks_within == ATTACKS_WITHIN_MAX)
        return false;
    for (int from = 0; from < game->cells; from++) {
        struct modern_piece piece = piece_at(asked, (cell_index)from);
        if (piece.figure == FIGURE_NONE || piece.player != by || piece.taken || from == cell ||
            (kinds != NULL && !named_figure(game, kinds, piece.figure)))
            continue;
        const struct rules *rules = &game->rules[piece.figure][by];
        for (int i = 0; i < rules->count; i++) {
            struct scene scene = *asked;
            scene.mover = by;
            scene.self = (cell_index)from;
            scene.attacks_within++;
            if (rule_attacks(&scene, &rules->list[i], cell))
                return true;
        }
    }
    return false;
}

static bool is_attacked_by_others(const struct scene *scene, cell_index cell, player_index than,
                                  const json_t *kinds)
{
    for (int player = 0; player < scene->game->players; player++)
        if (player != than && is_attacked(scene, cell, (player_index)player, kinds))
            return true;
    return false;
}

static bool attacked_holds(const struct scene *scene, const json_t *words)
{
    const struct modern *game = scene->game;
    const json_t *kinds = say(game, words, "by"), *is = say(game, words, "is");
    const json_t *cell_word = json_object_get(words, "cell");
    if (cell_word != NULL) {
        cell_index cell =
            strcmp(json_string_value(cell_word), "target") == 0 ? scene->target : scene->self;
        return cell != CELL_NONE && is_attacked_by_others(scene, cell, scene->mover, kinds);
    }
    if (json_object_get(words, "is") == NULL) {
        is = words;
        kinds = NULL;
    }
    for (int cell = 0; cell < game->cells; cell++) {
        struct modern_piece piece = piece_at(scene, (cell_index)cell);
        if (piece.figure != FIGURE_NONE && !piece.taken && matches(scene, is, (cell_index)cell) &&
            is_attacked_by_others(scene, (cell_index)cell, piece.player, kinds))
            return true;
    }
    return false;
}

/* --- sums ------------------------------------------------------------------------------------- */

static int part_of(const struct scene *scene, const json_t *part)
{
    const struct modern *game = scene->game;
    const json_t *counter = say(game, part, "counter"), *hand = say(game, part, "hand");
    int number = 0;
    if (counter != NULL)
        return counter_value(scene, json_string_value(counter), scene->mover);
    if (hand != NULL)
        return hand_of(scene, hand);
    if (say(game, part, "cells") != NULL)
        return selected(scene, part, NULL);
    for (int cell = 0; cell < game->cells; cell++)
        number += matches(scene, say(game, part, "is"), (cell_index)cell);
    return number;
}

int sum_of(const struct scene *scene, const json_t *parts)
{
    int sum = 0;
    for (int i = 0; i < list_count(parts); i++) {
        const json_t *part = list_at(parts, i), *times = say(scene->game, part, "times");
        sum += part_of(scene, part) * (times == NULL ? 1 : (int)json_integer_value(times));
    }
    return sum;
}

/* --- conditions ------------------------------------------------------------------------------- */

static bool computed_holds(const struct scene *scene, const json_t *words)
{
    const struct modern *game = scene->game;
    const json_t *cell = say(game, words, "is_cell"), *figure = say(game, words, "is_figure");
    const json_t *enemy = say(game, words, "is_enemy");
    const json_t *since = say(game, words, "moves_after_last_move");
    bool exists = scene->target != CELL_NONE;
    struct modern_piece other = {.figure = FIGURE_NONE, .player = PLAYER_NONE};
    if (exists)
        other = piece_at(scene, scene->target);
    bool occupied = other.figure != FIGURE_NONE;
    if (cell != NULL && is_true(cell) != exists)
        return false;
    if (figure != NULL && is_true(figure) != occupied)
        return false;
    if (enemy != NULL && is_true(enemy) != (occupied && other.player != scene->mover))
        return false;
    return since == NULL ||
           (scene->self != CELL_NONE &&
            (int64_t)scene->position->move_number - piece_at(scene, scene->self).last_move ==
                json_integer_value(since));
}

static bool each_holds(const struct scene *scene, const json_t *list,
                       bool (*holds_one)(const struct scene *, const json_t *))
{
    for (int i = 0; i < list_count(list); i++)
        if (!holds_one(scene, list_at(list, i)))
            return false;
    return true;
}

static bool repetition_holds(const struct scene *scene, const json_t *value)
{
    const json_t *times = say(scene->game, value, "times");
    const json_t *during = say(scene->game, value, "during");
    bool board = says(scene->game, value, "of", "board");
    int back = INT_MAX;
    if (during != NULL)
        back = counter_value(scene, json_string_value(during), scene->mover);
    return occurrences(scene->game, scene->position, board, back) >=
           json_integer_value(json_is_object(value) ? times : value);
}

static bool no_moves_holds(const struct scene *scene, const json_t *value)
{
    if (json_is_object(value) && json_object_size(value) > 0)
        return !has_moves_like(scene, value);
    return has_moves(scene->game, scene->position) != (json_is_object(value) || is_true(value));
}

static bool self_holds(const struct scene *scene, const json_t *value)
{
    return matches(scene, value, scene->self);
}

static bool target_holds(const struct scene *scene, const json_t *value)
{
    return matches(scene, value, scene->target);
}

static bool statistics_hold(const struct scene *scene, const json_t *value)
{
    const json_t *move = say(scene->game, value, "current_move");
    return move == NULL || json_integer_value(move) == scene->position->move_number;
}

static bool next_holds(const struct scene *scene, const json_t *value)
{
    return named_player(scene, value, scene->next);
}

static bool not_holds(const struct scene *scene, const json_t *value)
{
    return !holds(scene, value);
}

static bool all_hold(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, holds);
}

static bool at_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, at_holds);
}

static bool neighbours_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, neighbours_hold);
}

static bool count_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, count_holds);
}

static bool line_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, line_holds);
}

static bool group_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, group_holds);
}

static bool connected_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, connected_holds);
}

static bool attacked_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, attacked_holds);
}

static bool previous_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, previous_holds);
}

static bool counter_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, counter_holds);
}

static bool hand_list_holds(const struct scene *scene, const json_t *value)
{
    return each_holds(scene, value, hand_holds);
}

static bool words_hold(const struct scene *scene, const json_t *value)
{
    (void)scene;
    (void)value;
    return true;
}

static const struct {
    const char *word;
    bool (*holds)(const struct scene *scene, const json_t *value);
} condition_words[] = {
    {"self", self_holds},
    {"target", target_holds},
    {"computed", computed_holds},
    {"statistics", statistics_hold},
    {"at", at_list_holds},
    {"neighbours", neighbours_list_holds},
    {"count", count_list_holds},
    {"line", line_list_holds},
    {"group", group_list_holds},
    {"connected", connected_list_holds},
    {"attacked", attacked_list_holds},
    {"previous", previous_list_holds},
    {"counter", counter_list_holds},
    {"hand", hand_list_holds},
    {"next", next_holds},
    {"not", not_holds},
    {"any", holds},
    {"all", all_hold},
    {"repetition", repetition_holds},
    {"no_moves", no_moves_holds},
    {"words", words_hold},
};

static bool word_holds(const struct scene *scene, const char *word, const json_t *value)
{
    for (size_t i = 0; i < sizeof condition_words / sizeof *condition_words; i++)
        if (strcmp(condition_words[i].word, word) == 0)
            return condition_words[i].holds(scene, value);
    fail_unknown("a condition", word);
    return false;
}

static bool condition_holds(const struct scene *scene, const json_t *condition)
{
    const char *word;
    json_t *value;
    json_object_foreach((json_t *)condition, word, value)
    {
        if (say(scene->game, condition, word) != NULL && !word_holds(scene, word, value))
            return false;
    }
    return true;
}

bool holds(const struct scene *scene, const json_t *condition)
{
    for (int i = 0; i < list_count(condition); i++)
        if (condition_holds(scene, list_at(condition, i)))
            return true;
    return false;
}
