#include "engine/load/reader.h"

#include <string.h>

/* What is asked of the position after each move: counters, forbidden positions, what else happens, and whether the game
 * is over. All of it is read once for each player as the one who moved. */

static bool read_list(struct reader *reader, const struct node *list, int most, const char *what)
{
    return reader_expect_if_there(reader, list, NODE_LIST) &&
           reader_expect_at_most(reader, list, (size_t)most, what);
}

/* --- counters --------------------------------------------------------------------------------- */

static void read_counter(struct reader *reader, const struct node *object,
                         struct counter_definition *counter)
{
    static const char *const keys[] = {"start", "per_player", "add", "reset"};
    counter->pointer = reader_pointer(reader, object);
    counter->first_slot = reader->definition->counter_slot_count;
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    reader_check_keys(reader, object, STRICT, keys, 4);
    struct node start = node_member(object, "start");
    struct node per_player = node_member(object, "per_player");
    if (node_type(&start) != NODE_ABSENT)
        reader_integer(reader, &start, 0, COUNTER_VALUE_MAX, &counter->start);
    reader_boolean(reader, &per_player, &counter->per_player);
    int slots = counter->per_player ? reader->players.count : 1;
    if (reader->definition->counter_slot_count + slots > COUNTER_SLOTS_MAX)
        reader_error(reader, object, NODE_VALUE, "those by player count once for each player",
                     "too many counters: at most %d are allowed", COUNTER_SLOTS_MAX);
    else
        reader->definition->counter_slot_count += slots;
}

/* `true` is a condition too: that which always holds. */
static const struct condition_node *read_when(struct reader *reader, const struct node *node)
{
    if (node_type(node) != NODE_BOOLEAN)
        return tests_read(reader, node, PLACE_AFTER);
    return node_boolean(node) ? tests_always(reader, node) : NULL;
}

void counters_read(struct reader *reader, const struct node *root)
{
    struct definition *definition = reader->definition;
    struct node object = node_member(root, "counters");
    reader->counters.kind = "counter";
    reader->counters.known = node_type(&object) == NODE_ABSENT;
    if (!reader_expect_if_there(reader, &object, NODE_OBJECT) ||
        !reader_define_names(reader, &object, COUNTERS_MAX, &reader->counters))
        return;
    struct counter_definition *counters =
        reader_allocate(reader, (size_t)reader->counters.count, sizeof *counters);
    if (counters == NULL)
        return;
    int index = 0;
    for (void *at = node_first(&object); at != NULL; at = node_next(&object, at), index++) {
        struct node member = node_at(&object, at);
        counters[index].name = reader->counters.names[index];
        read_counter(reader, &member, &counters[index]);
    }
    definition->counters = counters;
    definition->counter_count = index;
    /* only now, since they may ask for one another */
    for (int player = 0; player < reader->players.count; player++) {
        reader->mover = (player_index)player;
        index = 0;
        for (void *at = node_first(&object); at != NULL; at = node_next(&object, at), index++) {
            struct node member = node_at(&object, at);
            struct node add = node_member(&member, "add"), reset = node_member(&member, "reset");
            counters[index].add[player] = read_when(reader, &add);
            counters[index].reset[player] = read_when(reader, &reset);
        }
    }
}

/* --- forbid ----------------------------------------------------------------------------------- */

static void read_forbidden(struct reader *reader, const struct node *object,
                           struct forbidden *forbidden)
{
    static const char *const names[] = {"words"};
    static const struct name_list words = {.known = true, .count = 1, .names = names};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    struct node text = node_member(object, "words");
    forbidden->pointer = reader_pointer(reader, object);
    forbidden->words = reader_text(reader, &text, REASON_BYTES_MAX, false);
    if (node_count(object) == (node_type(&text) != NODE_ABSENT))
        reader_error(reader, object, NODE_VALUE, "give at least one condition",
                     "this forbids every move");
    forbidden->test = tests_read_among(reader, object, PLACE_FORBID, &words);
}

static void read_forbid(struct reader *reader, const struct node *root)
{
    struct definition *definition = reader->definition;
    struct node list = node_member(root, "forbid");
    if (!read_list(reader, &list, FORBID_MAX, "forbidden positions"))
        return;
    size_t count = node_count(&list);
    for (int player = 0; player < reader->players.count; player++) {
        struct forbidden *forbid = reader_allocate(reader, count, sizeof *forbid);
        reader->mover = (player_index)player;
        for (size_t i = 0; forbid != NULL && i < count; i++) {
            struct node element = node_element(&list, i);
            read_forbidden(reader, &element, &forbid[i]);
        }
        definition->forbid[player] = forbid;
    }
    definition->forbid_count = (int)count;
}

/* --- after a move ----------------------------------------------------------------------------- */

static void read_cells(struct reader *reader, const struct node *node, struct effect *effect)
{
    if (!reader_expect(reader, node, NODE_STRING))
        return;
    if (strcmp(node_string(node), "target") == 0) {
        effect->place = EFFECT_ON_TARGET;
    } else if (strcmp(node_string(node), "neighbours") == 0) {
        effect->place = EFFECT_ON_NEIGHBOURS;
    } else {
        effect->place = EFFECT_ON_CELLS;
        const char *names[ZONES_MAX + 2] = {"target", "neighbours"};
        for (int i = 0; i < reader->zones.count; i++)
            names[i + 2] = reader->zones.names[i];
        struct name_list cells = {"zone", reader->zones.known, reader->zones.count + 2, names};
        int zone = reader_name(reader, node, NODE_VALUE, &cells) - 2;
        effect->zone = zone >= 0 && zone < reader->definition->zone_count ? zone : 0;
    }
}

static void read_effect(struct reader *reader, const struct node *object, struct effect *effect)
{
    static const char *const actions[] = {"remove"};
    static const char *const keys[] = {"cells", "by", "is"};
    effect->zone = -1;
    effect->match = tests_any_figure(reader);
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    reader_check_keys(reader, object, STRICT, actions, 1);
    struct node remove = node_member(object, "remove");
    bool other = node_type(&remove) == NODE_ABSENT && node_count(object) > 0;
    if (other || !reader_expect(reader, &remove, NODE_OBJECT))
        return; /* of another word it has been said that it is unknown */
    reader_check_keys(reader, &remove, STRICT, keys, 3);
    struct node cells = node_member(&remove, "cells"), by = node_member(&remove, "by");
    struct node is = node_member(&remove, "is");
    read_cells(reader, &cells, effect);
    bool has_by = node_type(&by) != NODE_ABSENT;
    if (effect->place == EFFECT_ON_NEIGHBOURS && !has_by)
        reader_error(reader, &remove, NODE_VALUE, "list the steps to them: \"by\": [{…}]",
                     "`by` is missing");
    else if (effect->place != EFFECT_ON_NEIGHBOURS && has_by)
        reader_error(reader, &by, NODE_KEY, "write \"cells\": \"neighbours\"",
                     "only neighbours are found `by` steps");
    else if (has_by)
        sides_read_deltas(reader, &by, &effect->delta_count, &effect->deltas);
    if (node_type(&is) != NODE_ABSENT)
        tests_read_match(reader, &is, &effect->match);
}

static void read_after_move(struct reader *reader, const struct node *object,
                            struct after_move *after)
{
    enum { EFFECTS_MAX = 16 };
    static const char *const keys[] = {"if", "do"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    reader_check_keys(reader, object, STRICT, keys, 2);
    struct node test = node_member(object, "if"), list = node_member(object, "do");
    after->pointer = reader_pointer(reader, object);
    after->test = tests_read(reader, &test, PLACE_AFTER);
    if (!reader_expect(reader, &list, NODE_LIST) ||
        !reader_expect_at_most(reader, &list, EFFECTS_MAX, "actions"))
        return;
    size_t count = node_count(&list);
    struct effect *effects = reader_allocate(reader, count, sizeof *effects);
    for (size_t i = 0; effects != NULL && i < count; i++) {
        struct node element = node_element(&list, i);
        read_effect(reader, &element, &effects[i]);
    }
    after->effects = effects;
    after->effect_count = effects != NULL ? (int)count : 0;
}

static void read_after_moves(struct reader *reader, const struct node *root)
{
    struct definition *definition = reader->definition;
    struct node list = node_member(root, "after_move");
    if (!read_list(reader, &list, AFTER_MOVE_MAX, "entries"))
        return;
    size_t count = node_count(&list);
    for (int player = 0; player < reader->players.count; player++) {
        struct after_move *after = reader_allocate(reader, count, sizeof *after);
        reader->mover = (player_index)player;
        for (size_t i = 0; after != NULL && i < count; i++) {
            struct node element = node_element(&list, i);
            read_after_move(reader, &element, &after[i]);
        }
        definition->after_move[player] = after;
    }
    definition->after_move_count = (int)count;
}

/* --- results ---------------------------------------------------------------------------------- */

/* One player: by name, `mover`, `next`, or `enemy` where there is only one. False for somebody who does not play. */
static bool read_whom(struct reader *reader, const struct node *node,
                      struct result_definition *result)
{
    struct player_set set;
    result->player = PLAYER_NONE;
    if (!reader_expect(reader, node, NODE_STRING) || !sides_read_players(reader, node, &set))
        return true;
    result->next = set.next;
    if (set.next)
        return true;
    if ((set.players & (set.players - 1)) != 0) {
        reader_error(reader, node, NODE_VALUE, "name a player, `mover` or `next`",
                     "`%s` is more than one player", text_quote(node_string(node)).text);
        return true;
    }
    for (int i = 0; i < reader->players.count; i++)
        if (set.players == 1u << i)
            result->player = (player_index)i;
    return result->player != PLAYER_NONE;
}

static bool read_kind(struct reader *reader, const struct node *node,
                      struct result_definition *result)
{
    static const char *const draws[] = {"draw"};
    static const struct name_list draw_list = {"result", true, 1, draws};
    static const char *const keys[] = {"winner", "loser", "finish"};
    static const enum result_gives kinds[] = {GIVES_WINNER, GIVES_LOSER, GIVES_FINISH};
    result->gives = GIVES_DRAW;
    result->player = PLAYER_NONE;
    if (node_type(node) == NODE_STRING) {
        reader_name(reader, node, NODE_VALUE, &draw_list);
        return true;
    }
    if (!reader_expect(reader, node, NODE_OBJECT))
        return true;
    reader_check_keys(reader, node, STRICT, keys, 3);
    bool plays = true;
    for (int i = 0; i < 3; i++) {
        struct node whom = node_member(node, keys[i]);
        if (node_type(&whom) == NODE_ABSENT)
            continue;
        result->gives = kinds[i];
        plays = read_whom(reader, &whom, result);
    }
    if (node_count(node) != 1)
        reader_error(reader, node, NODE_VALUE, "write for example {\"winner\": \"mover\"}",
                     "a result says one thing: `winner`, `loser` or `finish`");
    return plays;
}

/* False when it is about somebody who does not play. */
static bool read_result(struct reader *reader, const struct node *object,
                        struct result_definition *result)
{
    static const char *const keys[] = {"if", "result", "reason", "claim"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return false;
    reader_check_keys(reader, object, STRICT, keys, 4);
    struct node test = node_member(object, "if"), kind = node_member(object, "result");
    struct node reason = node_member(object, "reason"), claim = node_member(object, "claim");
    *result = (struct result_definition){.pointer = reader_pointer(reader, object)};
    if (node_type(&test) == NODE_ABSENT)
        reader_error(reader, object, NODE_VALUE, "say when the game ends so", "`if` is missing");
    result->test = tests_read(reader, &test, PLACE_RESULT);
    bool plays = read_kind(reader, &kind, result);
    const char *text = reader_text(reader, &reason, REASON_BYTES_MAX, false);
    result->reason = text != NULL ? text : "";
    reader_boolean(reader, &claim, &result->claim);
    return plays;
}

static void read_results(struct reader *reader, const struct node *root)
{
    struct definition *definition = reader->definition;
    struct node list = node_member(root, "results");
    if (!read_list(reader, &list, RESULTS_MAX, "results"))
        return;
    size_t wanted = node_count(&list);
    for (int player = 0; player < reader->players.count; player++) {
        struct result_definition *results = reader_allocate(reader, wanted, sizeof *results);
        int count = 0;
        reader->mover = (player_index)player;
        for (size_t i = 0; results != NULL && i < wanted; i++) {
            struct node element = node_element(&list, i);
            if (read_result(reader, &element, &results[count]))
                count++;
        }
        definition->results[player] = results;
        definition->result_count = count;
    }
}

void results_read(struct reader *reader, const struct node *root)
{
    read_forbid(reader, root);
    read_after_moves(reader, root);
    read_results(reader, root);
}
