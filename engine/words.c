#include "engine/words.h"

#include "engine/candidates.h"
#include "engine/movegen.h"
#include "engine/rules/change.h"
#include "engine/rules/condition.h"
#include "engine/rules/placing.h"
#include "engine/rules/pseudo.h"
#include "engine/work_shares.h"

#include <string.h>

/* --- by which word a move is made -------------------------------------------------------------- */

/* Moves that differ in direction only are found together, under the rule of one of them: here it is looked which it is. */
static const struct movement *movement_of(const struct position *position, struct move move)
{
    const struct candidate *candidate = pseudo_deciding(position, move.from, move.to);
    return candidate != NULL ? &position->game->movements[candidate->rule]
                             : change_rule(position, move);
}

const char *words_of_move(const struct position *position, struct move move)
{
    if (move_is_swap(move))
        return "/pie";
    if (move_is_pass(move))
        return "";
    if (move_is_placement(move))
        return placing_deciding(position, placing_figure(move), move.to)->pointer;
    if ((move.rule & RULE_COMBINED) == 0)
        return movement_of(position, move)->pointer;
    return change_combined(position, move)->pointer;
}

/* A result's reason is a text of its own: the outcome has borrowed it. */
const char *words_of_outcome(const struct game *game, struct outcome outcome)
{
    for (int player = 0; player < game->player_count; player++)
        for (int i = 0; i < game->result_count; i++)
            if (game->results[player][i].reason == outcome.reason)
                return game->results[player][i].pointer;
    return "";
}

void words_of_promotion(const struct position *position, struct move move,
                        void (*tell)(void *context, const char *pointer), void *context)
{
    const struct game *game = position->game;
    if (!change_is_simple(move))
        return;
    const struct movement *rule = movement_of(position, move);
    for (int i = 0; i < rule->promotion_count; i++)
        if (bits_test(game_cell_set(game, rule->promotions[i].in), move.to) &&
            bits_test(game_cell_set(game, rule->promotions[i].from), move.from))
            tell(context, rule->promotions[i].pointer);
}

/* --- all of them ------------------------------------------------------------------------------- */

void words_each(const struct game *game, void (*tell)(void *context, const char *pointer),
                void *context)
{
    for (uint32_t i = 0; i < game->piece_rules[game->piece_count]; i++) {
        tell(context, game->movements[i].pointer);
        for (int k = 0; k < game->movements[i].promotion_count; k++)
            tell(context, game->movements[i].promotions[k].pointer);
    }
    for (int i = 0; i < game->combined_count; i++)
        tell(context, game->combined[i].pointer);
    for (int player = 0; player < game->player_count; player++)
        for (int i = 0; i < game->placing[player].count; i++)
            tell(context, game->placing[player].rules[i].pointer);
    for (int i = 0; i < game->result_count; i++)
        if (!game->results[0][i].flag) /* no move leads to it */
            tell(context, game->results[0][i].pointer);
    if (game->pie)
        tell(context, "/pie");
}

/* --- which cells: what one word says ------------------------------------------------------------ */

struct asked {
    struct position *position;
    const struct game *game;
    const char *pointer; /* what is asked for */
    cell_index from;     /* CELL_NONE: from everywhere */
    figure_index figure; /* FIGURE_NONE: of every kind */
    struct move *moves;
    int move_count;
    struct word_cells *answer;
};

static uint64_t *set_of(struct asked *asked, enum word_role role, player_index player)
{
    return asked->answer->sets[role][player];
}

static void add_set(struct asked *asked, enum word_role role, player_index player,
                    const uint64_t *cells)
{
    uint64_t *set = set_of(asked, role, player);
    for (int i = 0; i < asked->game->words; i++)
        set[i] |= cells[i];
}

static void reach_by(const struct game *game, unsigned code, uint32_t rule, cell_index from,
                     uint64_t *cells)
{
    const uint32_t *starts =
        game->candidate_starts + (size_t)(code - 1) * ((size_t)game->cell_count + 1) + from;
    for (uint32_t i = starts[0]; i < starts[1] && work_spend(1); i++)
        if (rule == UINT32_MAX || game->candidates[i].rule == rule)
            bits_set(cells, game->candidates[i].to);
}

/* Whether only others are asked about; a figure that is put comes from nowhere. */
static bool is_other(const struct asked *asked, figure_index figure, cell_index from)
{
    return (asked->from != CELL_NONE && asked->from != from) ||
           (asked->figure != FIGURE_NONE && asked->figure != figure);
}

/* Where a movement of all figures of the code leads from the cells on which they stand. */
static void add_movement(struct asked *asked, unsigned code, uint32_t rule)
{
    player_index player = asked->game->code_players[code];
    figure_index figure = asked->game->code_figures[code];
    for (int i = 0; i < asked->game->cell_count; i++) {
        cell_index from = (cell_index)i;
        if (asked->position->cells[from].code != code || is_other(asked, figure, from))
            continue;
        bits_set(set_of(asked, WORD_FROM, player), from);
        reach_by(asked->game, code, rule, from, set_of(asked, WORD_REACH, player));
    }
}

static void add_combined(struct asked *asked, const struct combined_movement *movement)
{
    const struct game *game = asked->game;
    for (int from = 0; from < game->cell_count; from++) {
        unsigned code = asked->position->cells[from].code;
        struct combined_instance instance = {.passed = 0};
        while (code != 0 && !is_other(asked, game->code_figures[code], (cell_index)from) &&
               combined_next(game, code, (cell_index)from, &instance)) {
            if (instance.movement != movement)
                continue;
            bits_set(set_of(asked, WORD_FROM, game->code_players[code]), (unsigned)from);
            bits_set(set_of(asked, WORD_REACH, game->code_players[code]), instance.to);
        }
    }
}

/* Its zone is where it leads. */
static void add_placing(struct asked *asked, player_index player, const struct placing_rule *rule)
{
    bool other =
        asked->figure != FIGURE_NONE && !rule->removes && (rule->figures >> asked->figure & 1) == 0;
    if (asked->from == CELL_NONE && !other)
        add_set(asked, WORD_REACH, player, game_cell_set(asked->game, rule->cells));
}

static void add_attacks(struct asked *asked, player_index player, const struct condition_node *node)
{
    cell_index attacker = CELL_NONE;
    cell_index victim = condition_next_victim(asked->position, node, 0, &attacker);
    while (victim != CELL_NONE) {
        bits_set(set_of(asked, WORD_ATTACKED, player), victim);
        bits_set(set_of(asked, WORD_ATTACKER, player), attacker);
        victim = condition_next_victim(asked->position, node, victim + 1, &attacker);
    }
}

/* That it may be anywhere says nothing. */
static void add_zone(struct asked *asked, player_index player, uint32_t zone)
{
    if (zone != CELL_SET_ALL)
        add_set(asked, WORD_ZONE, player, game_cell_set(asked->game, zone));
}

static void add_condition(struct asked *asked, player_index player,
                          const struct condition_node *node)
{
    uint64_t cells[WORDS_MAX];
    if (node->kind == CONDITION_PREVIOUS) {
        add_zone(asked, player, node->from_cells);
        add_zone(asked, player, node->to_cells);
    }
    if (!condition_has_match(node))
        return;
    matching_cells(asked->position, &node->match, cells);
    if (node->kind == CONDITION_LINE) { /* only those of these cells that lie in such a line */
        struct condition_node through = *node;
        through.anywhere = false;
        condition_keep_cells(asked->position, &through, player, cells);
    }
    add_set(asked, WORD_MATCHING, player, cells);
    add_zone(asked, player, node->match.cells);
    if (node->kind == CONDITION_ATTACKED)
        add_attacks(asked, player, node);
}

/* --- which words -------------------------------------------------------------------------------- */

static bool is_wanted(struct asked *asked, const char *pointer)
{
    bool wanted = pointer_lies_within(pointer, asked->pointer);
    if (wanted)
        asked->answer->pointer = asked->pointer;
    return wanted;
}

static void find_moves(struct asked *asked)
{
    const struct game *game = asked->game;
    for (unsigned code = 1; code < (unsigned)game->code_count; code++)
        for (uint32_t i = game->piece_rules[code - 1]; i < game->piece_rules[code]; i++)
            if (is_wanted(asked, game->movements[i].pointer))
                add_movement(asked, code, i);
    for (int i = 0; i < game->combined_count; i++)
        if (is_wanted(asked, game->combined[i].pointer))
            add_combined(asked, &game->combined[i]);
    for (int player = 0; player < game->player_count; player++)
        for (int i = 0; i < game->placing[player].count; i++)
            if (is_wanted(asked, game->placing[player].rules[i].pointer))
                add_placing(asked, (player_index)player, &game->placing[player].rules[i]);
}

static void visit_condition(struct asked *asked, const struct condition_node *node,
                            player_index player)
{
    if (!work_spend(1))
        return;
    if (is_wanted(asked, node->pointer))
        add_condition(asked, player, node);
    for (int i = 0; i < node->child_count; i++)
        visit_condition(asked, &node->children[i], player);
}

static void find_places(struct asked *asked)
{
    const struct game *game = asked->game;
    for (int code = 1; code < game->code_count; code++)
        for (uint32_t i = game->piece_rules[code - 1]; i < game->piece_rules[code]; i++)
            for (int k = 0; k < game->movements[i].promotion_count; k++)
                if (is_wanted(asked, game->movements[i].promotions[k].pointer))
                    add_set(asked, WORD_ZONE, game->code_players[code],
                            game_cell_set(game, game->movements[i].promotions[k].in));
    for (size_t i = 0; i < game->condition_count; i++)
        visit_condition(asked, game->conditions[i].node, game->conditions[i].player);
}

/* Of legal moves those that are made by a word that has been found. */
static void add_targets(struct asked *asked)
{
    const struct position *position = asked->position;
    player_index player = position_to_move(position);
    for (int i = 0; i < asked->move_count; i++) {
        struct move move = asked->moves[i];
        if (!move_has_cells(move))
            continue;
        figure_index figure = move_is_placement(move)
                                  ? placing_figure(move)
                                  : position_contents(position, move.from).figure;
        if (!is_other(asked, figure, move.from) &&
            pointer_lies_within(words_of_move(position, move), asked->answer->pointer))
            bits_set(set_of(asked, WORD_TO, player), move.to);
    }
}

void words_cells(struct position *position, const char *pointer, cell_index from,
                 figure_index figure, struct move *moves, struct word_cells *answer)
{
    struct asked asked = {.position = position,
                          .game = position->game,
                          .pointer = pointer,
                          .from = from,
                          .figure = figure,
                          .moves = moves,
                          .answer = answer};
    struct work_stretch stretch = work_begin(WORK_AGAIN_MAX);
    memset(answer, 0, sizeof *answer);
    asked.move_count = movegen_all(position, moves);
    find_moves(&asked);
    /* a movement's conditions stand within it, but it is not about their cells */
    if (answer->pointer == NULL)
        find_places(&asked);
    if (answer->pointer != NULL)
        add_targets(&asked);
    if (!work_end(&stretch))
        answer->pointer = NULL;
}

void words_reach(const struct game *game, figure_index figure, player_index player, cell_index from,
                 uint64_t *cells)
{
    reach_by(game, game_code(game, figure, player), UINT32_MAX, from, cells);
}
