#include "tests/engine/modern_parts.h"

#include <stdlib.h>
#include <string.h>

/* --- when a position is the same again -------------------------------------------------------- */

/* Whether a condition asks for it: then everything that has not moved is a right. */
static bool asks_unmoved(const json_t *value)
{
    const char *name;
    json_t *child;
    size_t i;
    json_object_foreach((json_t *)value, name, child)
    {
        if (strcmp(name, "unmoved") == 0)
            return true;
        bool takes_part = strcmp(name, "figures") == 0 && json_is_array(child);
        if (strcmp(name, "notation") != 0 && strcmp(name, "tests") != 0 && !takes_part &&
            asks_unmoved(child))
            return true;
    }
    json_array_foreach((json_t *)value, i, child)
    {
        if (asks_unmoved(child))
            return true;
    }
    return false;
}

/* Whether all who must be unmoved for the combined movement still are. */
static bool has_right(const struct modern *game, const struct modern_position *position,
                      player_index player, cell_index from, const json_t *movement)
{
    struct scene scene = {
        .game = game, .position = position, .mover = player, .next = player, .self = from};
    const json_t *figures = json_object_get(movement, "figures");
    int asked = 0;
    for (int i = 0; i < list_count(figures); i++) {
        const json_t *words = list_at(figures, i);
        cell_index cell = combined_cell(&scene, movement, i, false);
        bool anybody = say(game, words, "player") == NULL;
        for (int k = 0; k < game->players && !anybody; k++)
            anybody = named_player(&scene, say(game, words, "player"), (player_index)k);
        if (cell == CELL_NONE || combined_cell(&scene, movement, i, true) == CELL_NONE || !anybody)
            return false; // nobody can ever make it from here
        if (!is_true(say(game, words, "unmoved")))
            continue;
        asked++;
        const char *kind = json_string_value(json_object_get(words, "figure"));
        if (!position->cells[cell].unmoved ||
            position->cells[cell].figure != game_find_figure(game->loaded, kind, strlen(kind)))
            return false;
    }
    return asked > 0;
}

static bool same_rights(const struct modern *game, const struct modern_position *a,
                        const struct modern_position *b)
{
    const json_t *movements = say(game, game->root, "combined_movements");
    for (int i = 0; i < list_count(movements); i++)
        for (int player = 0; player < game->players; player++)
            for (int cell = 0; cell < game->cells; cell++) {
                const json_t *movement = list_at(movements, i);
                if (has_right(game, a, (player_index)player, (cell_index)cell, movement) !=
                    has_right(game, b, (player_index)player, (cell_index)cell, movement))
                    return false;
            }
    if (!asks_unmoved(game->root))
        return true;
    for (int cell = 0; cell < game->cells; cell++)
        if (a->cells[cell].unmoved != b->cells[cell].unmoved)
            return false;
    return true;
}

static bool forbids_repetition(const json_t *value)
{
    const char *name;
    json_t *child;
    size_t i;
    json_object_foreach((json_t *)value, name, child)
    {
        if (strcmp(name, "repetition") == 0 || forbids_repetition(child))
            return true;
    }
    json_array_foreach((json_t *)value, i, child)
    {
        if (forbids_repetition(child))
            return true;
    }
    return false;
}

/* Whether somebody may take by the mark; where repetition is forbidden, whether somebody reaches it. */
static bool is_takeable(const struct modern *game, const struct modern_position *position, int mark)
{
    struct modern_move *moves;
    bool takes = false;
    if (position->marks[mark].cell == CELL_NONE)
        return false;
    int count = forbids_repetition(say(game, game->root, "forbid"))
                    ? continuations(game, position, &moves)
                    : modern_moves(game, position, &moves);
    for (int i = 0; i < count; i++) {
        struct scene scene = {.game = game,
                              .position = position,
                              .mover = modern_to_move(game, position),
                              .self = moves[i].from,
                              .target = moves[i].to};
        struct way way;
        scene.next = scene.mover;
        if (moves[i].from == CELL_NONE || moves[i].combined ||
            moves[i].to != position->marks[mark].cell)
            continue;
        fits(&scene, moves[i].rule, CELL_NONE, &way);
        takes |= way.marked != CELL_NONE;
    }
    free(moves);
    return takes;
}

static bool same_marks(const struct modern *game, const struct modern_position *a,
                       const struct modern_position *b)
{
    for (int i = 0; i < game->mark_count; i++) {
        bool first = is_takeable(game, a, i), second = is_takeable(game, b, i);
        if (first != second || (first && (a->marks[i].cell != b->marks[i].cell ||
                                          a->marks[i].maker != b->marks[i].maker)))
            return false;
    }
    return true;
}

/* Those that are never set back make each position another one. */
static bool same_counters(const struct modern *game, const struct modern_position *a,
                          const struct modern_position *b)
{
    const json_t *counters = say(game, game->root, "counters");
    for (int slot = 0; slot < game_facts(game->loaded)->counter_slot_count; slot++) {
        player_index whose;
        const char *name = game_counter_name(game->loaded, slot, &whose);
        if (say(game, json_object_get(counters, name), "reset") == NULL &&
            say(game, json_object_get(counters, name), "set") == NULL &&
            a->counters[slot] != b->counters[slot])
            return false;
    }
    return true;
}

/* Whether a condition asks for it: then figures that have been moved more often or later are others. */
static bool asks_history(const json_t *value)
{
    const char *name;
    json_t *child;
    size_t i;
    json_object_foreach((json_t *)value, name, child)
    {
        bool asks = strcmp(name, "moves_made") == 0 || strcmp(name, "last_move") == 0 ||
                    strcmp(name, "moves_after_last_move") == 0;
        if ((asks && json_is_integer(child)) || asks_history(child))
            return true;
    }
    json_array_foreach((json_t *)value, i, child)
    {
        if (asks_history(child))
            return true;
    }
    return false;
}

static bool same_history(const struct modern_position *a, const struct modern_position *b,
                         int cells)
{
    for (int cell = 0; cell < cells; cell++)
        if (a->cells[cell].moves_made != b->cells[cell].moves_made ||
            a->cells[cell].last_move != b->cells[cell].last_move)
            return false;
    return true;
}

static bool same_contents(const struct modern *game, const struct modern_position *a,
                          const struct modern_position *b)
{
    for (int cell = 0; cell < game->cells; cell++)
        if (a->cells[cell].figure != b->cells[cell].figure ||
            a->cells[cell].player != b->cells[cell].player)
            return false;
    return true;
}

static bool same_board(const struct modern *game, const struct modern_position *a,
                       const struct modern_position *b)
{
    if (!same_contents(game, a, b))
        return false;
    if (game->asks_history && !same_history(a, b, game->cells))
        return false;
    return a->state == b->state && memcmp(a->out, b->out, sizeof a->out) == 0 &&
           memcmp(a->hands, b->hands, sizeof a->hands) == 0;
}

/* Within a turn nothing is a position yet. */
int occurrences(const struct modern *game, const struct modern_position *position, bool board,
                int back)
{
    int count = 0;
    if (position->active != CELL_NONE)
        return 0;
    for (const struct modern_position *past = position; past != NULL && back >= 0;
         past = past->past) {
        bool counts = past->active == CELL_NONE;
        count +=
            counts &&
            (past == position || (board && same_contents(game, past, position)) ||
             (!board && same_board(game, past, position) && same_counters(game, past, position) &&
              same_rights(game, past, position) && same_marks(game, past, position)));
        back -= counts;
    }
    return count;
}

/* --- where it begins -------------------------------------------------------------------------- */

static void begin(struct modern_position *position)
{
    memset(position, 0, sizeof *position);
    position->active = position->started = CELL_NONE;
    position->checked = PLAYER_NONE;
    position->end = (struct outcome){.winner = PLAYER_NONE, .reason = ""};
    for (int i = 0; i < MARKS_MAX; i++)
        position->marks[i] = (struct modern_mark){.cell = CELL_NONE, .maker = CELL_NONE};
    position->last = (struct modern_last){.from = CELL_NONE,
                                          .to = CELL_NONE,
                                          .stands = CELL_NONE,
                                          .figure = FIGURE_NONE,
                                          .player = PLAYER_NONE};
}

/* Results are looked at as after a turn of whoever moves before. */
static void set_mover(const struct modern *game, struct modern_position *position)
{
    int before = (position->state + game->state_count - 1) % game->state_count;
    position->mover = game->states[before].player;
    if (game->states[position->state].kind == STATE_MOVE)
        look_at_results(game, position);
}

void modern_learn(struct modern *game)
{
    game->asks_history = asks_history(game->root);
}

void modern_start(const struct modern *game, struct modern_position *position)
{
    const json_t *counters = say(game, game->root, "counters");
    begin(position);
    memcpy(position->cells, game->start.cells, sizeof position->cells);
    memcpy(position->hands, game->start.hands, sizeof position->hands);
    position->state = game->first_state;
    position->move_number = 1;
    position->may_swap = true;
    for (int slot = 0; slot < game_facts(game->loaded)->counter_slot_count; slot++) {
        player_index whose;
        const char *name = game_counter_name(game->loaded, slot, &whose);
        position->counters[slot] =
            (int)json_integer_value(say(game, json_object_get(counters, name), "start"));
    }
    set_mover(game, position);
}

static int state_of(const struct modern *game, const struct position *from)
{
    const char *name = game_state_name(game->loaded, position_state(from));
    for (int i = 0; i < game->state_count; i++)
        if (game->states[i].name != NULL && strcmp(game->states[i].name, name) == 0)
            return i;
    return position_state(from);
}

void modern_from(const struct modern *game, const struct position *from,
                 struct modern_position *position)
{
    begin(position);
    for (int i = 0; i < game->cells; i++) {
        struct contents contents = position_contents(from, (cell_index)i);
        bool empty = contents.figure == FIGURE_NONE;
        position->cells[i] =
            (struct modern_piece){.figure = contents.figure,
                                  .player = empty ? PLAYER_NONE : contents.player,
                                  .moves_made = empty ? 0 : contents.moves_made,
                                  .last_move = empty ? 0 : contents.last_move,
                                  .unmoved = position_unmoved(from, (cell_index)i)};
    }
    position->state = state_of(game, from);
    position->move_number = position_move_number(from);
    for (int i = 0; i < game->mark_count; i++)
        position_mark(from, i, &position->marks[i].cell, &position->marks[i].maker);
    for (int slot = 0; slot < game_facts(game->loaded)->counter_slot_count; slot++)
        position->counters[slot] = position_counter(from, slot);
    for (int player = 0; player < game->players; player++)
        for (int figure = 0; figure < game->figures; figure++)
            position->hands[player][figure] =
                position_hand(from, (player_index)player, (figure_index)figure);
    set_mover(game, position);
}

/* --- leaves ----------------------------------------------------------------------------------- */

struct ends {
    struct modern_position *list;
    int count, room;
};

static bool same_end(const struct modern_position *a, const struct modern_position *b)
{
    return memcmp(a->cells, b->cells, sizeof a->cells) == 0 && a->state == b->state &&
           memcmp(a->counters, b->counters, sizeof a->counters) == 0 &&
           memcmp(a->hands, b->hands, sizeof a->hands) == 0 &&
           memcmp(a->marks, b->marks, sizeof a->marks) == 0;
}

/* Of turns of several moves (`several`) that lead to the same position, one. */
static void add_end(struct ends *ends, const struct modern_position *position,
                    const struct modern_position *start, int first, bool several)
{
    for (int i = first; i < ends->count && several; i++)
        if (same_end(&ends->list[i], position))
            return;
    if (ends->count == ends->room) {
        ends->room = ends->room == 0 ? 64 : ends->room * 2;
        ends->list = realloc(ends->list, (size_t)ends->room * sizeof *ends->list);
        if (ends->list == NULL)
            abort();
    }
    ends->list[ends->count] = *position;
    ends->list[ends->count++].past = start;
}

static bool is_within_turn(const struct modern *game, const struct modern_position *position)
{
    return modern_to_move(game, position) != PLAYER_NONE &&
           (position->active != CELL_NONE || game->states[position->state].same_figure);
}

/* Where the turn of the figure may end that has come here; `first`: where those of the figure begin in the list. */
static void follow_turn(const struct modern *game, const struct modern_position *position,
                        const struct modern_position *start, int first, struct ends *ends)
{
    struct modern_move *moves;
    int count = modern_moves(game, position, &moves);
    for (int i = 0; i < count; i++) {
        struct modern_position after;
        modern_make(game, position, moves[i], &after);
        if (position == start && i > 0 && moves[i].from != moves[i - 1].from)
            first = ends->count;
        if (is_within_turn(game, &after))
            follow_turn(game, &after, start, first, ends);
        else
            add_end(ends, &after, start, first, position != start);
    }
    free(moves);
}

uint64_t modern_perft(const struct modern *game, const struct modern_position *position, int depth)
{
    struct ends ends = {.count = 0};
    uint64_t leaves = 0;
    if (depth == 0)
        return 1;
    if (modern_to_move(game, position) == PLAYER_NONE)
        return 0;
    follow_turn(game, position, position, 0, &ends);
    for (int i = 0; i < ends.count; i++)
        leaves += modern_perft(game, &ends.list[i], depth - 1);
    free(ends.list);
    return leaves;
}
