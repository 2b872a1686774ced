#include "engine/bits.h"
#include "engine/load/fields.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* What is asked of the position after each move: counters, forbidden positions, what else happens, and whether the game
 * is over. All of it is read once for each player as the one who moved. */

/* --- sums ------------------------------------------------------------------------------------- */

static_assert(offsetof(struct score_term, counted) == 0,
              "a table of a selection's members is good for a part of a score");

/* What a score counts of the whole board, of a counter or of hands: not the same for each player. */
static void check_counted(struct reader *reader, const struct node *object,
                          const struct condition_node *counted)
{
    bool counter = counted->kind == CONDITION_COUNTER, hand = counted->kind == CONDITION_HAND;
    struct node is = node_member(object, counter ? "counter" : hand ? "hand" : "is");
    const struct cell_test *match = &counted->match;
    bool everybody = match->players == sides_everybody(reader) && !match->negated;
    if (everybody && match->zone < 0 && match->also_count == 0)
        reader_error(reader, &is,
                     counter ? "say \"per_player\": true where it is defined"
                             : "say whose they are: \"player\": \"mover\"",
                     "everybody would have as many of these");
}

/* Scores are counted whenever somebody looks: no move says where. */
static void check_selected(struct reader *reader, const struct node *object,
                           const struct selection *selection)
{
    struct node cells = node_member(object, "cells");
    bool anywhere = selection->cells == SELECT_ZONE || selection->cells == SELECT_TERRITORY ||
                    (selection->cells == SELECT_GROUPS && !selection->touches);
    if (!anywhere)
        reader_error(reader, &cells, "count a zone, `groups` or `territory`",
                     "a score has no move from which these cells could be counted");
}

/* Of one that each player has the mover's. */
static void read_counter_of_score(struct reader *reader, const struct node *node, void *object)
{
    struct score_term *term = object;
    struct counter_rule *counter = counters_find(reader, node);
    if (counter == NULL)
        return;
    counter->asked = counter->decides = true; /* perhaps by another counter */
    term->counted.kind = CONDITION_COUNTER;
    term->counted.slot = (int16_t)(counter->first_slot + (counter->per_player ? reader->mover : 0));
    term->counted.match.players = counter->per_player ? 0 : sides_everybody(reader);
}

const struct field score_hand_fields[] = {
    {"player", field_owner, AT(struct score_term, counted.match.players)},
    {"figure", field_figures, AT(struct score_term, counted.match.figures)},
    {0},
};

/* Members of a selection, but for those that count from a cell of a move. */
const struct field score_fields[] = {
    {"cells", field_cells, AT(struct score_term, counted.cells)},
    {"by", field_steps, AT(struct score_term, counted.row_count)},
    {"is", field_match, AT(struct score_term, counted.match)},
    {"end", field_end, TO(struct score_term, counted.end)},
    {"size", field_amount, AT(struct score_term, counted.size)},
    {"liberties", field_amount, AT(struct score_term, counted.liberties)},
    {.word = "counter", .kind = read_counter_of_score},
    {"hand", field_hand, .fields = score_hand_fields},
    {"times", field_integer, AT(struct score_term, times), .least = -SCORE_TIMES_MAX,
     .most = SCORE_TIMES_MAX},
    {0},
};

/* A part of a sum; of `most`, where everybody must not have the same. */
static bool read_part(struct reader *reader, const struct node *object, void *element)
{
    struct score_term *term = element;
    bool of_score = strcmp(reader->field->word, "most") == 0;
    if (!tests_spend(reader, object, 0))
        return false;
    *term = (struct score_term){.counted = tests_blank(reader, CONDITION_COUNT, object)};
    term->times = 1;
    bool selects = node_has(object, "cells");
    bool cells = selects || node_has(object, "is");
    int complaints = reader->complaints;
    if (selects) {
        term->counted.kind = CONDITION_SELECTED;
        term->counted.selection = selection_blank(reader);
    }
    if (!fields_read(reader, object, score_fields, term))
        return false;
    if (cells + node_has(object, "counter") + node_has(object, "hand") != 1)
        reader_error(reader, object, "count cells, {\"is\": {…}}, or {\"counter\": …}",
                     "this counts one thing: cells, a `counter` or a `hand`");
    if (reader->complaints != complaints)
        return true;
    if (cells)
        selection_check(reader, object, selects ? &term->counted.selection : NULL);
    if (selects)
        check_selected(reader, object, &term->counted.selection);
    else if (of_score)
        check_counted(reader, object, &term->counted);
    return true;
}

/* --- counters --------------------------------------------------------------------------------- */

const struct field counter_fields[] = {
    {"start", field_integer, AT(struct counter_rule, start), .most = COUNTER_VALUE_MAX},
    {"per_player", field_flag, AT(struct counter_rule, per_player)},
    {.word = "add"},
    {.word = "reset"},
    {.word = "set"},
    {0},
};

bool counter_read(struct reader *reader, const struct node *object, void *element)
{
    struct counter_rule *counter = element;
    counter->name = reader_copy_string(reader, object->key);
    counter->first_slot = reader->definition->counter_slot_count;
    if (!fields_read(reader, object, counter_fields, counter))
        return true;
    int slots = counter->per_player ? reader->players.count : 1;
    if (reader->definition->counter_slot_count + slots > COUNTER_SLOTS_MAX)
        reader_error(reader, object, "those by player count once for each player",
                     "too many counters: at most %d are allowed", COUNTER_SLOTS_MAX);
    else
        reader->definition->counter_slot_count += slots;
    return true;
}

/* `true` is a condition too: that which always holds. */
static void read_when(struct reader *reader, const struct node *node, void *place)
{
    const struct condition_node **tests = place;
    if (node_type(node) != NODE_BOOLEAN)
        field_condition_of_each(reader, node, place);
    if (!node_boolean(node))
        return;
    struct condition_node *always = reader_allocate(reader, 1, sizeof *always);
    *always = tests_blank(reader, CONDITION_ALL, node);
    for (int i = 0; i < reader->players.count; i++)
        tests[i] = always;
}

const struct field setting_fields[] = {
    {"if", field_condition, TO(struct counter_setting, condition), .place = PLACE_AFTER},
    {"to", field_integer, AT(struct counter_setting, to), .least = -COUNTER_VALUE_MAX,
     .most = COUNTER_VALUE_MAX},
    {"plus", field_list, LIST_AT(struct counter_setting, terms, term_count),
     ELEMENTS(SCORE_TERMS_MAX, "parts of a sum", struct score_term, read_part), .few = true},
    {0},
};

static bool read_setting(struct reader *reader, const struct node *object, void *element)
{
    struct counter_setting *setting = element;
    setting->pointer = reader_pointer(reader, object);
    if (!fields_read(reader, object, setting_fields, setting))
        return false;
    if (!node_has(object, "to") && !node_has(object, "plus"))
        reader_error(reader, object, "give it a number, \"to\": 0, or count something: \"plus\"",
                     "this does not say what the counter becomes");
    return true;
}

enum { SETTINGS_MAX = 16 };

/* Read when all are known, since they may ask for one another. */
static const struct field counting_fields[] = {
    {"add", read_when, TO(struct counter_rule, add), .place = PLACE_AFTER},
    {"reset", read_when, TO(struct counter_rule, reset), .place = PLACE_AFTER},
    {"set", field_lists, LIST_AT(struct counter_rule, sets, set_count),
     ELEMENTS(SETTINGS_MAX, "settings", struct counter_setting, read_setting)},
    {0},
};

struct counter_rule *counters_find(struct reader *reader, const struct node *name)
{
    int index = reader_name(reader, name, NODE_VALUE, &reader->counters);
    return index >= 0 && index < reader->definition->counter_count
               ? &reader->definition->counters[index]
               : NULL;
}

void counters_read(struct reader *reader, const struct node *object, void *place)
{
    if (!reader_read_names(reader, object, "counter", COUNTERS_MAX, &reader->counters))
        return;
    field_list(reader, object, place);
    struct counter_rule *counter = reader->definition->counters;
    EACH_MEMBER (each, object)
        fields_read_known(reader, &each, counting_fields, counter++);
}

/* --- forbid ----------------------------------------------------------------------------------- */

bool forbidden_read(struct reader *reader, const struct node *object, void *element)
{
    static const struct field fields[] = {
        {"words", field_text, AT(struct forbid_rule, words), .most = REASON_BYTES_MAX},
        {0},
    };
    struct forbid_rule *forbidden = element;
    if (!reader_expect(reader, object, NODE_OBJECT))
        return false;
    forbidden->pointer = reader_pointer(reader, object);
    fields_read_known(reader, object, fields, forbidden);
    if (node_count(object) == node_has(object, "words"))
        reader_error(reader, object, "give at least one condition", "this forbids every move");
    field_condition(reader, object, &forbidden->condition);
    return true;
}

/* --- after a move ----------------------------------------------------------------------------- */

const struct field effect_fields[] = {
    {"remove", field_selection, TO(struct effect_rule, selection)},
    {"flip", field_selection, TO(struct effect_rule, selection)},
    {0},
};

static bool read_effect(struct reader *reader, const struct node *object, void *element)
{
    struct effect_rule *effect = element;
    effect->kind = node_has(object, "flip") ? EFFECT_FLIP : EFFECT_REMOVE;
    if (!fields_read(reader, object, effect_fields, effect))
        return false;
    if (node_count(object) != 1)
        reader_error(reader, object, "write for example {\"remove\": {\"cells\": \"target\"}}",
                     "an action says one thing: `remove` or `flip`");
    return true;
}

enum { EFFECTS_MAX = 16 };

const struct field after_move_fields[] = {
    {"if", field_condition, TO(struct after_rule, condition), .place = PLACE_AFTER},
    {"do", field_list, LIST_AT(struct after_rule, effects, effect_count),
     ELEMENTS(EFFECTS_MAX, "actions", struct effect_rule, read_effect), .missing = ""},
    {0},
};

bool after_move_read(struct reader *reader, const struct node *object, void *element)
{
    struct after_rule *after = element;
    after->pointer = reader_pointer(reader, object);
    return fields_read(reader, object, after_move_fields, after);
}

/* --- results ---------------------------------------------------------------------------------- */

/* One player: by name, `mover`, `next`, or `enemy` where there is only one. */
static void read_whom(struct reader *reader, const struct node *node, void *object)
{
    const struct field *field = reader->field;
    struct result_rule *result = object;
    struct player_set set;
    result->gives = (enum result_gives)field->least;
    if (!reader_expect(reader, node, NODE_STRING) || !sides_read_players(reader, node, &set))
        return;
    result->next = set.next;
    if (!set.next && (set.players & (set.players - 1)) != 0)
        reader_error(reader, node, "name a player, `mover` or `next`",
                     "`%s` is more than one player", text_quote(node_string(node)).text);
    else if (!set.next && set.players != 0)
        result->player = (player_index)word_lowest(set.players);
}

/* A multiple of a half, kept as so many halves. */
static void read_halves(struct reader *reader, const struct node *node, void *place)
{
    int *halves = place;
    if (!reader_expect(reader, node, NODE_NUMBER))
        return;
    double twice = 2 * node_number(node);
    if (twice != floor(twice) || twice < -2 * SCORE_PLUS_MAX || twice > 2 * SCORE_PLUS_MAX)
        reader_error(reader, node, "", "this must be a whole number or a half, from %d to %d",
                     -SCORE_PLUS_MAX, SCORE_PLUS_MAX);
    else
        *halves = (int)twice;
}

/* Whoever does not play has won no tie. */
static void read_tie(struct reader *reader, const struct node *node, void *object)
{
    struct result_rule *result = object;
    const char *names[PLAYERS_MAX + 1];
    const struct name_list known =
        name_list_join(CHOICES("player", "draw"), &reader->players, names);
    if (name_list_find(&reader->absent, node_string(node)) >= 0)
        return;
    int index = reader_name(reader, node, NODE_VALUE, &known);
    result->tie = index > 0 ? (player_index)(index - 1) : PLAYER_NONE;
}

const struct field winner_fields[] = {
    {"winner", read_whom, .least = GIVES_WINNER},
    {"loser", read_whom, .least = GIVES_LOSER},
    {"finish", read_whom, .least = GIVES_FINISH},
    {"eliminated", read_whom, .least = GIVES_ELIMINATED},
    {"their_figures", field_choice, AT(struct result_rule, removes),
     .names = CHOICES("word", "stay", "removed")},
    {"most", field_list, LIST_AT(struct result_rule, terms, term_count),
     ELEMENTS(SCORE_TERMS_MAX, "parts of a sum", struct score_term, read_part), .few = true},
    {"plus", field_by_name, TO(struct result_rule, plus), NAMES_OF(players),
     .each = EACH(.kind = read_halves, .size = sizeof(int))},
    {.word = "tie", .kind = read_tie},
    {0},
};

static void read_kind(struct reader *reader, const struct node *node, void *object)
{
    static const char *const beside[] = {"plus", "tie", "their_figures"};
    struct result_rule *result = object;
    if (node_type(node) == NODE_STRING) {
        reader_name(reader, node, NODE_VALUE, CHOICES("result", "draw"));
        return;
    }
    if (!fields_read(reader, node, winner_fields, result))
        return;
    if (node_has(node, "most"))
        result->gives = GIVES_MOST;
    size_t meanings = node_count(node);
    for (int i = 0; i < 3; i++)
        meanings -= node_has(node, beside[i]);
    for (int i = 0; i < 2; i++)
        reader_refuse(reader, node, beside[i], !node_has(node, "most"),
                      "say what is counted: `most`", "this goes with `most` only");
    reader_refuse(reader, node, "their_figures", !node_has(node, "eliminated"), "say who is out",
                  "this goes with `eliminated` only");
    if (meanings > 1 || node_count(node) == 0)
        reader_error(reader, node, "write for example {\"winner\": \"mover\"}",
                     "a result says one thing: `winner`, `loser`, `finish`, `eliminated` or "
                     "`most`");
}

const struct field result_fields[] = {
    {"if", field_condition, TO(struct result_rule, condition), .place = PLACE_RESULT,
     .missing = "say when the game ends so"},
    {"result", read_kind, .missing = ""},
    {"reason", field_text, AT(struct result_rule, reason), .most = REASON_BYTES_MAX},
    {"claim", field_flag, AT(struct result_rule, claim)},
    {"flag", field_flag, AT(struct result_rule, flag)},
    {0},
};

/* False when it is about somebody who does not play. */
bool result_read(struct reader *reader, const struct node *object, void *element)
{
    struct result_rule *result = element;
    *result = (struct result_rule){.pointer = reader_pointer(reader, object),
                                   .player = PLAYER_NONE,
                                   .tie = PLAYER_NONE,
                                   .reason = ""};
    bool read = fields_read(reader, object, result_fields, result);
    bool leaves = result->gives == GIVES_ELIMINATED || result->gives == GIVES_FINISH;
    reader_refuse(reader, object, "claim", result->claim && result->gives == GIVES_ELIMINATED,
                  "leave `claim` out", "nobody is eliminated by a claim");
    reader_refuse(reader, object, "flag", result->claim && result->flag, "leave one of them out",
                  "this is for a claim, or for when time is over");
    reader_refuse(reader, object, "flag", result->flag && leaves,
                  "say who wins, who loses, or that it is a draw",
                  "whose time is over has ended the game");
    return read && (result->gives == GIVES_DRAW || result->gives == GIVES_MOST || result->next ||
                    result->player != PLAYER_NONE);
}
