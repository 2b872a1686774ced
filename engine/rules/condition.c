#include "engine/rules/condition.h"

#include "engine/fast/fast.h"
#include "engine/rules/fits.h"
#include "engine/rules/groups.h"
#include "engine/rules/history.h"
#include "engine/rules/selection.h"
#include "engine/work_shares.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* What is asked keeps its registers and its room on the stack to itself: most conditions are leaves that take little. */
#define APART __attribute__((noinline))

/* --- attacks ---------------------------------------------------------------------------------- */

/* Whether a figure attacks may depend on whether another attacks where it goes, and so on around. Asked for within so many
 * questions of the kind nothing is attacked, which bounds this recursion; odd, so that two kings whose movements ask this
 * of their targets keep each other away. */
enum { ATTACK_DEPTH_MAX = 15 };

bool condition_cell_attacked(const struct position *position, cell_index cell, player_index player,
                             uint64_t kinds, cell_index *attacker)
{
    struct asking *asking = position->asking;
    bool attacked = false;
    if (attacker == NULL && player != PLAYER_NONE &&
        bits_test(position_player_words(position, player), cell) &&
        fast_knows_attacks(position->game, player, kinds))
        return fast_attacked(position, player, cell);
    if (asking->attack_depth == ATTACK_DEPTH_MAX)
        return false;
    asking->attack_depth++;
    for (int by = 0; by < position->game->player_count && !attacked; by++)
        attacked = by != player && fits_attacks(position, cell, (player_index)by, kinds, attacker);
    asking->attack_depth--;
    return attacked;
}

cell_index condition_next_victim(const struct position *position,
                                 const struct condition_node *attacked, int from,
                                 cell_index *attacker)
{
    const struct game *game = position->game;
    uint64_t cells[WORDS_MAX];
    matching_cells(position, &attacked->match, cells);
    for (int cell = bits_next(cells, game->words, from); cell >= 0 && work_spend(1);
         cell = bits_next(cells, game->words, cell + 1)) {
        player_index owner = game->code_players[position->cells[cell].code];
        if (!position_waits(position, (cell_index)cell) &&
            condition_cell_attacked(position, (cell_index)cell, owner, attacked->attackers,
                                    attacker))
            return (cell_index)cell;
    }
    return CELL_NONE;
}

/* --- trees ------------------------------------------------------------------------------------ */

static cell_index asked_cell(const struct condition_node *node, cell_index self, cell_index target)
{
    cell_index origin = node->from_target ? target : self;
    if (origin == CELL_NONE || node->row_count == 0)
        return origin;
    return node->rows[0][origin];
}

static bool within(const struct condition_node *node, int value)
{
    return value >= node->min && value <= node->max;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* How many of `cells` lie in a row with this one, which is one of them, along the node's row and the opposite one behind it. */
static int line_length(const struct condition_node *node, int row, const uint64_t *cells,
                       cell_index cell)
{
    int length = 1;
    for (int way = row; way < row + 2; way++)
        for (cell_index next = node->rows[way][cell];
             next != CELL_NONE && bits_test(cells, next) && work_spend(1);
             next = node->rows[way][next])
            length++;
    return length;
}

static bool has_span(const struct position *position, const struct spans *spans,
                     const uint64_t *cells, cell_index cell)
{
    const int words = position->game->words;
    const uint64_t *set = spans->sets + (size_t)spans->starts[cell] * (size_t)words;
    const uint64_t *end = spans->sets + (size_t)spans->starts[cell + 1] * (size_t)words;
    work_spend((uint64_t)(end - set));
    for (; set < end; set += words) {
        uint64_t missing = 0;
        for (int i = 0; i < words; i++)
            missing |= set[i] & ~cells[i];
        if (missing == 0)
            return true;
    }
    return false;
}

/* Whether the cell, which is one of `cells`, lies in such a line; or, `begins`, whether one begins there. */
static bool is_in_line(const struct position *position, const struct condition_node *node,
                       const uint64_t *cells, cell_index cell, bool begins)
{
    if (node->spans != NULL && !begins)
        return has_span(position, node->spans, cells, cell);
    for (int row = 0; row < node->row_count && work_spend(1); row += 2) {
        cell_index before = node->rows[row + 1][cell];
        if (begins && before != CELL_NONE && bits_test(cells, before))
            continue;
        if (within(node, line_length(node, row, cells, cell)))
            return true;
    }
    return false;
}

APART static bool line_is(const struct position *position, const struct condition_node *node,
                          cell_index self, cell_index target)
{
    cell_index origin = node->from_target ? target : self;
    uint64_t cells[WORDS_MAX];
    if (!node->anywhere && origin == CELL_NONE)
        return false;
    matching_cells(position, &node->match, cells);
    if (node->spans == NULL && bits_count(cells, position->game->words) < node->min)
        return false;
    if (!node->anywhere)
        return bits_test(cells, origin) && is_in_line(position, node, cells, origin, false);
    EACH_BIT (cell, cells, position->game->words)
        if (is_in_line(position, node, cells, (cell_index)cell, true))
            return true;
    return false;
}

/* --- what hangs together ---------------------------------------------------------------------- */

/* How many of the node's zones some cell of the set lies in. */
static int count_touched(const struct game *game, const struct condition_node *node,
                         const uint64_t *cells)
{
    int count = 0;
    for (int zone = 0; zone < node->zone_count; zone++) {
        const uint64_t *set = game_cell_set(game, node->zone_cells[zone]);
        uint64_t both = 0;
        for (int i = 0; i < game->words; i++)
            both |= cells[i] & set[i];
        count += both != 0;
    }
    return count;
}

/* Of cells that touch so many zones some lie in one of the first, since there are not enough of the others. */
static void find_starts(const struct game *game, const struct condition_node *node,
                        const uint64_t *among, uint64_t *starts)
{
    for (int zone = 0; zone <= node->zone_count - node->min; zone++)
        for (int i = 0; i < game->words; i++)
            starts[i] |= among[i] & game_cell_set(game, node->zone_cells[zone])[i];
}

APART static bool is_connected(const struct position *position, const struct condition_node *node)
{
    const struct game *game = position->game;
    uint64_t among[WORDS_MAX], starts[WORDS_MAX] = {0};
    bool all = node->zone_count == 0; /* hang together, wherever they are */
    matching_cells(position, &node->match, among);
    work_spend((unsigned)(node->zone_count * game->words));
    if (count_touched(game, node, among) < (all ? 0 : node->min))
        return false;
    if (all)
        memcpy(starts, among, sizeof starts);
    else
        find_starts(game, node, among, starts);
    for (int cell = bits_next(starts, game->words, 0); cell >= 0 && work_spend(1);
         cell = bits_next(starts, game->words, cell + 1)) {
        uint64_t group[WORDS_MAX] = {0}, others = 0;
        bits_set(group, (unsigned)cell);
        groups_spread(game, node->beside, among, group);
        for (int i = 0; i < game->words; i++) {
            starts[i] &= ~group[i];
            others |= among[i] & ~group[i];
        }
        if (all || count_touched(game, node, group) >= node->min)
            return !all || others == 0;
    }
    return false;
}

/* --- the last move, counters ------------------------------------------------------------------- */

/* Whether the taken figure, or that there was none, is what is asked. */
static bool took_as_asked(const struct position *position, const struct condition_node *node)
{
    unsigned taken = position->turn.last.taken;
    if (node->took < 0)
        return true;
    if (node->took == 0)
        return taken == 0;
    return taken != 0 && (node->taken_figures >> position->game->code_figures[taken] & 1) != 0;
}

APART static bool previous_is(const struct position *position, const struct condition_node *node)
{
    const struct game *game = position->game;
    const struct last_move *last = &position->turn.last;
    work_spend(1);
    if (node->passed >= 0)
        return last->pass == (node->passed != 0) && (last->pass || last->code != 0);
    if (last->code == 0 || !matching_contents(position, &node->match, last->code))
        return false;
    if (node->placed >= 0 && (last->from == CELL_NONE) != (node->placed != 0))
        return false;
    if (last->from == CELL_NONE ? node->from_zone >= 0
                                : !bits_test(game_cell_set(game, node->from_cells), last->from))
        return false;
    if (!bits_test(game_cell_set(game, node->to_cells), last->to))
        return false;
    return took_as_asked(position, node) &&
           (node->combined < 0 || (node->combined != 0) == last->combined);
}

static bool counter_is(const struct position *position, const struct condition_node *node)
{
    const int16_t *counters = position->turn.counters;
    if (node->slot >= 0)
        return within(node, counters[node->slot]);
    player_index next = position_state_player(position);
    bool holds = node->match.next_player &&
                 within(node, next == PLAYER_NONE ? 0 : counters[node->first_slot + next]);
    for (int i = 0; i < position->game->player_count && !holds; i++)
        holds = (node->match.players >> i & 1) != 0 && within(node, counters[node->first_slot + i]);
    return holds;
}

/* How many figures of some kinds are in hand, all together. */
static int count_in_hand(const struct position *position, const struct condition_node *node)
{
    const struct game *game = position->game;
    unsigned players = node->match.players;
    player_index next = position_state_player(position);
    int count = 0;
    if (node->match.next_player && next != PLAYER_NONE)
        players |= 1U << next;
    for (int player = 0; player < game->player_count; player++)
        for (int figure = 0; (players >> player & 1) != 0 && figure < game->figure_count; figure++)
            if ((node->match.figures >> figure & 1) != 0)
                count += (int)position_held(position, (player_index)player, (figure_index)figure);
    work_spend((unsigned)game->piece_count);
    return count;
}

/* How many the node counts: cells, what stands on them, or what a counter stands at. */
static int number_of(const struct position *position, const struct condition_node *node,
                     cell_index self, cell_index target)
{
    if (node->kind == CONDITION_COUNT)
        return matching_count(position, &node->match);
    if (node->kind == CONDITION_COUNTER)
        return position->turn.counters[node->slot];
    if (node->kind == CONDITION_HAND)
        return count_in_hand(position, node);
    return selection_find(position, &node->selection, self, target, NULL);
}

int condition_sum(const struct position *position, const struct score_term *terms, int count)
{
    int sum = 0;
    for (int i = 0; i < count && work_spend(1); i++)
        sum += number_of(position, &terms[i].counted, CELL_NONE, CELL_NONE) * terms[i].times;
    return sum;
}

/* Of one that is `late` and has not been counted since the last move. */
static int count_late(const struct position *position, const struct counter_rule *counter)
{
    const struct condition_node *add = counter->add[position->turn.mover];
    const struct condition_node *reset = counter->reset[position->turn.mover];
    player_index mover = position->turn.mover;
    int value = position->turn.counters[counter->first_slot];
    if (reset != NULL && condition_holds(position, reset, mover, CELL_NONE, CELL_NONE))
        return counter->start;
    if (add == NULL || value == COUNTER_VALUE_MAX)
        return value;
    return value + condition_holds(position, add, mover, CELL_NONE, CELL_NONE);
}

int condition_counter(const struct position *position, int slot)
{
    const struct counter_rule *counter = game_counter_of(position->game, slot);
    return position->turn.late && counter->late ? count_late(position, counter)
                                                : position->turn.counters[slot];
}

/* The counter is looked at last: hardly any position comes again. */
APART static bool is_repeated(const struct position *position, const struct condition_node *node)
{
    return history_repeats(position, node->min, INT_MAX) &&
           (node->slot < 0 ||
            history_repeats(position, node->min, condition_counter(position, node->slot)));
}

/* Whether there is no move, or none like that. */
APART static bool is_stuck(const struct asking *asking, const struct condition_node *node)
{
    if (!node->picks && asking->stuck >= 0)
        return asking->stuck > 0;
    return !asking->has_move(asking->tried, node);
}

/* Whether another's figure than that on self stands on target. */
static bool is_enemy(const struct position *position, cell_index self, cell_index target)
{
    const player_index *players = position->game->code_players;
    unsigned code = target == CELL_NONE ? 0 : position->cells[target].code;
    return code != 0 && players[code] != players[position->cells[self].code];
}

static bool leaf_holds(const struct position *position, const struct condition_node *node,
                       player_index mover, cell_index self, cell_index target)
{
    switch ((enum condition_kind)node->kind) {
    case CONDITION_CELL:
        return matching_cell(position, &node->match, asked_cell(node, self, target));
    case CONDITION_SELECTED:
    case CONDITION_GROUP: /* a group that is not as asked has no cells */
    case CONDITION_HAND:
        return within(node, number_of(position, node, self, target));
    case CONDITION_COUNT:
        return matching_count_is(position, &node->match, node->min, node->max);
    case CONDITION_ANY:
    case CONDITION_LINE:
        return line_is(position, node, self, target);
    case CONDITION_CONNECTED:
        return is_connected(position, node);
    case CONDITION_ATTACKED:
        return condition_next_victim(position, node, 0, NULL) != CELL_NONE;
    case CONDITION_ATTACKED_CELL: {
        cell_index cell = asked_cell(node, self, target);
        return cell != CELL_NONE &&
               condition_cell_attacked(position, cell, mover, node->attackers, NULL);
    }
    case CONDITION_PREVIOUS:
        return previous_is(position, node);
    case CONDITION_COUNTER:
        return counter_is(position, node);
    case CONDITION_NEXT: {
        player_index next = position_state_player(position);
        return next != PLAYER_NONE && (node->players >> next & 1) != 0;
    }
    case CONDITION_ENEMY:
        return is_enemy(position, self, target) == (node->min != 0);
    case CONDITION_CURRENT_MOVE:
        return (int64_t)position->turn.move_number == node->min;
    case CONDITION_MOVES_AFTER_LAST_MOVE:
        return self != CELL_NONE &&
               (int64_t)position->turn.move_number - position->cells[self].last_move == node->min;
    case CONDITION_REPETITION:
        return is_repeated(position, node);
    case CONDITION_NO_MOVES:
        return is_stuck(position->asking, node);
    case CONDITION_ALL:
    case CONDITION_NOT:
        break;
    }
    assert(false);
    return false;
}

/* Whether it is judged as one, though it may be made of others. */
static inline bool is_leaf(const struct condition_node *node)
{
    return node->kind > CONDITION_NOT || node->spans != NULL;
}

/* What is made of others, or a leaf while it is counted what each takes. */
APART static bool tree_holds(const struct position *position,
                             const struct condition_node *condition, player_index mover,
                             cell_index self, cell_index target)
{
    if (is_leaf(condition)) {
        uint64_t before = work_spent() - 1;
        bool holds = leaf_holds(position, condition, mover, self, target);
        work_was_for(condition->pointer, before);
        return holds;
    }
    if (condition->kind == CONDITION_NOT)
        return !condition_holds(position, condition->children, mover, self, target);
    bool all = condition->kind == CONDITION_ALL;
    for (int i = 0; i < condition->child_count; i++)
        if (condition_holds(position, &condition->children[i], mover, self, target) != all)
            return !all;
    return all;
}

/* The reader bounds how deep conditions nest (TEST_DEPTH_MAX), and so this recursion. */
bool condition_holds(const struct position *position, const struct condition_node *condition,
                     player_index mover, cell_index self, cell_index target)
{
    if (condition == NULL)
        return true;
    if (!work_spend(1))
        return false;
    if (!is_leaf(condition) || work_here.shares != NULL)
        return tree_holds(position, condition, mover, self, target);
    return leaf_holds(position, condition, mover, self, target);
}

/* Whether a leaf asks of the cells of a move. */
static bool asks_of_cells(const struct condition_node *node)
{
    switch ((enum condition_kind)node->kind) {
    case CONDITION_CELL:
    case CONDITION_ATTACKED_CELL:
    case CONDITION_GROUP:
    case CONDITION_ENEMY:
    case CONDITION_MOVES_AFTER_LAST_MOVE:
        return true;
    case CONDITION_SELECTED:
        return node->cells != SELECT_ZONE;
    case CONDITION_ANY:
    case CONDITION_LINE:
        return !node->anywhere;
    case CONDITION_ALL:
    case CONDITION_NOT:
    case CONDITION_COUNT:
    case CONDITION_CONNECTED:
    case CONDITION_ATTACKED:
    case CONDITION_PREVIOUS:
    case CONDITION_COUNTER:
    case CONDITION_HAND:
    case CONDITION_NEXT:
    case CONDITION_CURRENT_MOVE:
    case CONDITION_REPETITION:
    case CONDITION_NO_MOVES:
        break;
    }
    return false;
}

/* Whether a leaf asks that something is enclosed, no matter how much. */
static bool asks_enclosing(const struct condition_node *node)
{
    return node->kind == CONDITION_SELECTED && node->cells == SELECT_ENCLOSED && node->min == 1 &&
           node->max == INT32_MAX;
}

/* The same of a leaf: what asks of the position only is asked once, and lines are looked for among the same cells. */
static void leaf_keeps(const struct position *position, const struct condition_node *node,
                       player_index mover, uint64_t *cells)
{
    const int words = position->game->words;
    uint64_t matching[WORDS_MAX];
    if (!asks_of_cells(node)) {
        int first = bits_next(cells, words, 0);
        if (first >= 0 && !condition_holds(position, node, mover, CELL_NONE, CELL_NONE))
            memset(cells, 0, (size_t)words * sizeof *cells);
        return;
    }
    if (asks_enclosing(node)) {
        selection_keep_enclosing(position, &node->selection, cells);
        return;
    }
    bool line = node->kind == CONDITION_LINE || node->kind == CONDITION_ANY;
    if (line) {
        matching_cells(position, &node->match, matching);
        bool enough = bits_count(matching, words) >= node->min;
        for (int i = 0; i < words; i++)
            cells[i] &= enough ? matching[i] : 0;
    }
    EACH_BIT (cell, cells, words) {
        bool holds =
            line ? is_in_line(position, node, matching, (cell_index)cell, false)
                 : condition_holds(position, node, mover, (cell_index)cell, (cell_index)cell);
        if (!holds)
            bits_reset(cells, (unsigned)cell);
    }
}

/* Those for which one of the children holds; of NOT the others. */
static void keep_some(const struct position *position, const struct condition_node *condition,
                      player_index mover, uint64_t *cells)
{
    const int words = position->game->words;
    uint64_t left[WORDS_MAX], kept[WORDS_MAX];
    memcpy(left, cells, (size_t)words * sizeof *left);
    for (int k = 0; k < condition->child_count; k++) {
        memcpy(kept, left, (size_t)words * sizeof *kept);
        condition_keep_cells(position, &condition->children[k], mover, kept);
        for (int i = 0; i < words; i++)
            left[i] &= ~kept[i];
    }
    for (int i = 0; i < words; i++)
        cells[i] = condition->kind == CONDITION_NOT ? left[i] : cells[i] & ~left[i];
}

/* Recursion as above. */
void condition_keep_cells(const struct position *position, const struct condition_node *condition,
                          player_index mover, uint64_t *cells)
{
    const int words = position->game->words;
    if (!work_spend((unsigned)words))
        memset(cells, 0, (size_t)words * sizeof *cells);
    else if (is_leaf(condition))
        leaf_keeps(position, condition, mover, cells);
    else if (condition->kind == CONDITION_ALL)
        for (int i = 0; i < condition->child_count; i++)
            condition_keep_cells(position, &condition->children[i], mover, cells);
    else
        keep_some(position, condition, mover, cells);
}
