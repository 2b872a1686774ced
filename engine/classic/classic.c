#include "engine/classic/classic.h"

#include "engine/candidates.h"
#include "engine/classic/action.h"
#include "engine/classic/machine.h"
#include "engine/classic/rule.h"
#include "engine/work.h"

#include <assert.h>

/* --- legal moves ------------------------------------------------------------------------------ */

enum { RAYS_KEPT = 32 };

/* What is left to look at of one figure's candidates and complex instances. Both are sorted by target. */
struct scan {
    cell_index from;
    uint32_t simple, simple_end;
    uint32_t complex, complex_end;
    uint32_t first_complex; /* move.rule counts from here, beginning with 1 */
    unsigned ray_count;
    struct rule_ray rays[RAYS_KEPT]; /* those looked along last */
};

static void scan_begin(const struct position *position, cell_index from, struct scan *scan)
{
    const struct game *game = position->game;
    const uint32_t *simple = candidate_row(position, game->candidate_starts, from);
    const uint32_t *complex = candidate_row(position, game->instance_starts, from);
    scan->from = from;
    scan->simple = simple[0];
    scan->simple_end = simple[1];
    scan->complex = scan->first_complex = complex[0];
    scan->complex_end = complex[1];
    scan->ray_count = 0;
}

/* What is known of the ray a candidate lies on. */
static struct rule_ray *scan_ray(struct scan *scan, const struct candidate *candidate)
{
    unsigned kept = scan->ray_count < RAYS_KEPT ? scan->ray_count : RAYS_KEPT;
    for (unsigned i = 0; i < kept; i++)
        if (scan->rays[i].path == candidate->path && scan->rays[i].rule == candidate->rule)
            return &scan->rays[i];
    struct rule_ray *ray = &scan->rays[scan->ray_count++ % RAYS_KEPT];
    *ray = rule_ray_of(candidate);
    return ray;
}

static bool simple_legal(const struct position *position, struct scan *scan,
                         const struct candidate *candidate)
{
    if (candidate->steps == 1 || position->game->rules[candidate->rule].transition_count == 0)
        return rule_simple_legal(position, candidate, scan->from);
    return rule_legal_along(position, candidate, scan->from, scan_ray(scan, candidate));
}

/* The target of what comes next; the scan is not over. */
static cell_index next_target(const struct game *game, const struct scan *scan)
{
    cell_index simple = CELL_NONE, complex = CELL_NONE;
    if (scan->simple < scan->simple_end)
        simple = game->candidates[scan->simple].to;
    if (scan->complex < scan->complex_end)
        complex = game->instances[scan->complex].to;
    return simple < complex ? simple : complex;
}

static bool guard_holds(const struct position *position, const struct candidate *candidate,
                        cell_index from)
{
    const struct rule *rule = &position->game->rules[candidate->rule];
    return !rule->guarded || rule_guard_holds(position, rule, from, candidate->to);
}

/* Passes the simple candidates for one target: whether the one that decides is legal. */
static bool pass_simple(const struct position *position, struct scan *scan, cell_index to)
{
    const struct candidate *list = position->game->candidates, *deciding = NULL;
    for (; scan->simple < scan->simple_end && list[scan->simple].to == to; scan->simple++) {
        work_spend(WORK_CANDIDATE);
        if (deciding == NULL && guard_holds(position, &list[scan->simple], scan->from))
            deciding = &list[scan->simple];
    }
    return deciding != NULL && simple_legal(position, scan, deciding);
}

/* Passes the complex instances for one target: 1 + the number of the first that is legal, 0 if none is; or if `decided`,
 * nothing is asked of them. */
static uint16_t pass_complex(const struct position *position, struct scan *scan, cell_index to,
                             bool decided)
{
    const struct complex_instance *list = position->game->instances;
    uint16_t rule = 0;
    for (; scan->complex < scan->complex_end && list[scan->complex].to == to; scan->complex++) {
        work_spend(1);
        if (!decided && rule == 0 && rule_complex_legal(position, &list[scan->complex]))
            rule = (uint16_t)(scan->complex - scan->first_complex + 1);
    }
    return rule;
}

/* Passes all that leads to `to`, the next target. If the figure may go there, `move` becomes that move. */
static bool pass_target(const struct position *position, struct scan *scan, cell_index to,
                        struct move *move)
{
    bool simple = pass_simple(position, scan, to);
    uint16_t rule = pass_complex(position, scan, to, simple);
    if (!simple && rule == 0)
        return false;
    *move = (struct move){.from = scan->from, .to = to, .rule = rule, .choice = CHOICE_NONE};
    return true;
}

/* Goes on to the next legal move; false when there is none, or it was too much work. */
static bool scan_next(const struct position *position, struct scan *scan, struct move *move)
{
    while ((scan->simple < scan->simple_end || scan->complex < scan->complex_end) && work_spend(1))
        if (pass_target(position, scan, next_target(position->game, scan), move))
            return true;
    return false;
}

/* Whose moves there are; PLAYER_NONE once the game has ended. */
static player_index moving_player(const struct position *position)
{
    if (position->ply >= position->game->max_plies)
        return PLAYER_NONE;
    return position_to_move(position);
}

static bool is_own(const struct position *position, player_index player, cell_index cell)
{
    return player != PLAYER_NONE && bits_test(position_player_words(position, player), cell);
}

int classic_from(const struct position *position, cell_index from, struct move *moves)
{
    int count = 0;
    if (!is_own(position, moving_player(position), from))
        return 0;
    struct scan scan;
    scan_begin(position, from, &scan);
    while (scan_next(position, &scan, &moves[count]))
        count++;
    return count;
}

int classic_all(const struct position *position, struct move *moves)
{
    player_index player = moving_player(position);
    int count = 0;
    for (int i = 0; player != PLAYER_NONE && i < position->game->cell_count; i++)
        if (is_own(position, player, (cell_index)i))
            count += classic_from(position, (cell_index)i, moves + count);
    return count;
}

/* Counts legal moves, at most up to `limit`. */
static uint64_t count_up_to(const struct position *position, uint64_t limit)
{
    player_index player = moving_player(position);
    uint64_t count = 0;
    for (int i = 0; i < position->game->cell_count; i++) {
        struct move move;
        if (!is_own(position, player, (cell_index)i))
            continue;
        struct scan scan;
        scan_begin(position, (cell_index)i, &scan);
        while (scan_next(position, &scan, &move))
            if (++count == limit)
                return count;
    }
    return count;
}

uint64_t classic_count(const struct position *position)
{
    return count_up_to(position, UINT64_MAX);
}

bool classic_any(const struct position *position)
{
    return count_up_to(position, 1) > 0;
}

bool classic_find(const struct position *position, cell_index from, cell_index to, uint8_t choice,
                  struct move *move)
{
    const struct game *game = position->game;
    if (choice != CHOICE_NONE || from >= game->cell_count || to >= game->cell_count ||
        !is_own(position, moving_player(position), from))
        return false;
    struct scan scan;
    scan_begin(position, from, &scan);
    scan.simple = candidate_first(game, scan.simple, scan.simple_end, to);
    while (scan.complex < scan.complex_end && game->instances[scan.complex].to != to)
        scan.complex++;
    return pass_target(position, &scan, to, move);
}

/* --- making and taking back ------------------------------------------------------------------- */

const struct candidate *classic_candidate(const struct position *position, cell_index from,
                                          cell_index to)
{
    const struct game *game = position->game;
    const uint32_t *row = candidate_row(position, game->candidate_starts, from);
    work_spend(WORK_CANDIDATE);
    for (uint32_t i = candidate_first(game, row[0], row[1], to);
         i < row[1] && game->candidates[i].to == to; i++)
        if (guard_holds(position, &game->candidates[i], from))
            return &game->candidates[i];
    return NULL;
}

/* What a move by a complex movement was found by. */
static const struct complex_instance *move_instance(const struct position *position,
                                                    struct move move)
{
    const struct game *game = position->game;
    const uint32_t *row = candidate_row(position, game->instance_starts, move.from);
    assert(move.rule != 0 && row[0] + move.rule <= row[1]);
    return &game->instances[row[0] + move.rule - 1];
}

const char *classic_pointer(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    if (move.rule != 0)
        return game->complex_pointers[move_instance(position, move)->movement];
    return game->rule_pointers[classic_candidate(position, move.from, move.to)->rule];
}

void classic_make(struct position *position, struct move move, struct undo *undo)
{
    undo->hash = position->hash;
    undo->move_number = position->move_number;
    undo->state = position->state;
    undo->winner = position->winner;
    undo->change_count = 0;
    if (move.rule != 0) {
        action_run_complex(position, undo, move_instance(position, move), 0);
    } else {
        const struct candidate *candidate = classic_candidate(position, move.from, move.to);
        assert(candidate != NULL);
        action_run_simple(position, undo, candidate, move.from);
    }
    position->ply++;
    machine_advance(position);
}

void classic_unmake(struct position *position, const struct undo *undo)
{
    for (uint32_t i = undo->change_count; i-- > 0;)
        position_write(position, undo->changes[i].cell, undo->changes[i].before);
    assert(position->hash == undo->hash);
    position->move_number = undo->move_number;
    position->state = undo->state;
    position->winner = undo->winner;
    position->ply--;
}

/* --- the end ---------------------------------------------------------------------------------- */

static struct outcome outcome_won(player_index winner, const char *reason)
{
    enum outcome_kind kind = winner == PLAYER_NONE ? OUTCOME_DRAWN : OUTCOME_WON;
    return (struct outcome){.kind = kind, .winner = winner, .reason = reason};
}

/* Who wins when `player` must move and cannot. Of three or more players nobody can be called the
 * winner then. */
static player_index winner_without_moves(const struct game *game, player_index player)
{
    if (game->no_moves_drawn)
        return PLAYER_NONE;
    if (game->no_moves_wins)
        return player;
    return game->player_count == 2 ? (player_index)(1 - player) : PLAYER_NONE;
}

struct outcome classic_outcome(const struct position *position)
{
    const struct game *game = position->game;
    const struct machine_state *state = &game->states[position->state];
    if (state->kind == MACHINE_END) {
        player_index winner = state->declared ? state->winner : position->winner;
        return outcome_won(winner, state->reason);
    }
    if (position->ply >= game->max_plies)
        return outcome_won(PLAYER_NONE, game->bound_reason);
    if (!classic_any(position))
        return outcome_won(winner_without_moves(game, state->player),
                           game->no_move_reasons[state->player]);
    return (struct outcome){.kind = OUTCOME_PLAYING, .winner = PLAYER_NONE, .reason = ""};
}
