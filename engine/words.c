#include "engine/words.h"

#include "engine/candidates.h"
#include "engine/classic/classic.h"
#include "engine/movegen.h"
#include "engine/rules/change.h"
#include "engine/rules/condition.h"
#include "engine/rules/fits.h"
#include "engine/work.h"

#include <string.h>

/* --- pointers --------------------------------------------------------------------------------- */

/* Whether one stands within the other, or is it. */
static bool lies_within(const char *inner, const char *outer)
{
    size_t length = strlen(outer);
    return strncmp(inner, outer, length) == 0 && (inner[length] == '/' || inner[length] == '\0');
}

/* --- by which word a move is made -------------------------------------------------------------- */

/* Moves that differ in direction only are found together, under the rule of one of them: here it is looked which it is. The first
 * movement that fits decides. */
static const struct modern_rule *modern_rule_of(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    const uint32_t *starts = candidate_row(position, game->candidate_starts, move.from);
    uint32_t at = candidate_first(game, starts[0], starts[1], move.to);
    for (; at < starts[1] && game->candidates[at].to == move.to; at++)
        if (fits_judge(position, &game->candidates[at], move.from) == FITS)
            return &game->modern_rules[game->candidates[at].rule];
    return change_rule(position, move);
}

static const char *modern_word(const struct position *position, struct move move)
{
    if ((move.rule & RULE_COMPLEX) == 0)
        return modern_rule_of(position, move)->pointer;
    return position->game->complex_pointers[change_instance(position, move)->movement];
}

const char *words_of_move(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    if (move_is_pass(move))
        return "";
    if (game->format == 2)
        return modern_word(position, move);
    return classic_pointer(position, move);
}

/* A result's reason is a text of its own: the outcome has borrowed it. */
const char *words_of_outcome(const struct game *game, struct outcome outcome)
{
    for (int player = 0; game->format == 2 && player < game->player_count; player++)
        for (int i = 0; i < game->result_count; i++)
            if (game->results[player][i].reason == outcome.reason)
                return game->results[player][i].pointer;
    return "";
}

void words_of_promotion(const struct position *position, struct move move,
                        void (*tell)(void *context, const char *pointer), void *context)
{
    const struct game *game = position->game;
    if (game->format != 2 || move_is_pass(move) || (move.rule & RULE_COMPLEX) != 0)
        return;
    const struct modern_rule *rule = modern_rule_of(position, move);
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
        tell(context, game->rule_pointers[i]);
        for (int k = 0; game->format == 2 && k < game->modern_rules[i].promotion_count; k++)
            tell(context, game->modern_rules[i].promotions[k].pointer);
    }
    for (int i = 0; i < game->complex_count; i++)
        tell(context, game->complex_pointers[i]);
    for (int i = 0; i < game->result_count; i++)
        tell(context, game->results[0][i].pointer);
}

/* --- which cells: the words of a game, one by one ----------------------------------------------- */

enum word_kind { KIND_MOVEMENT, KIND_COMPLEX, KIND_PROMOTION, KIND_CONDITION };

/* A word of the compiled game and for whom it was compiled. */
struct word {
    enum word_kind kind;
    const char *pointer;
    player_index player;
    figure_index figure; /* of a movement or complex movement: who makes it */
    uint32_t rule;       /* of a movement; of a complex movement its number */
    const struct promotion_rule *promotion;
    const struct condition_node *condition;
};

struct asked {
    struct position *position;
    const struct game *game;
    const char *pointer;   /* what is asked for */
    cell_index from;       /* CELL_NONE: from everywhere */
    figure_index figure;   /* FIGURE_NONE: of every kind */
    const char *innermost; /* the nearest word around it; NULL: none is */
    struct move *moves;
    int move_count;
    struct word_cells *answer;
    void (*visit)(struct asked *asked, const struct word *word);
};

static void visit_condition(struct asked *asked, const struct condition_node *node,
                            player_index player)
{
    if (node == NULL || !work_spend(1))
        return;
    const struct word word = {
        .kind = KIND_CONDITION, .pointer = node->pointer, .player = player, .condition = node};
    asked->visit(asked, &word);
    for (int i = 0; i < node->child_count; i++)
        visit_condition(asked, &node->children[i], player);
}

static void visit_promotions(struct asked *asked, const struct modern_rule *rule,
                             player_index player)
{
    for (int i = 0; i < rule->promotion_count; i++) {
        const struct word word = {.kind = KIND_PROMOTION,
                                  .pointer = rule->promotions[i].pointer,
                                  .player = player,
                                  .promotion = &rule->promotions[i]};
        asked->visit(asked, &word);
        visit_condition(asked, rule->promotions[i].condition, player);
    }
}

static void visit_rule(struct asked *asked, int piece, uint32_t rule)
{
    const struct game *game = asked->game;
    const struct word word = {.kind = KIND_MOVEMENT,
                              .pointer = game->rule_pointers[rule],
                              .player = game->code_players[piece + 1],
                              .figure = game->code_figures[piece + 1],
                              .rule = rule};
    asked->visit(asked, &word);
    if (game->format != 2)
        return;
    visit_promotions(asked, &game->modern_rules[rule], word.player);
    visit_condition(asked, game->modern_rules[rule].condition, word.player);
}

/* In the order of their numbers the rules of a piece lie beside each other. */
static void visit_movements(struct asked *asked)
{
    const struct game *game = asked->game;
    for (int piece = 0; piece < game->piece_count; piece++) {
        uint32_t rule = game->piece_rules[piece], end = game->piece_rules[piece + 1];
        for (; rule < end; rule++)
            visit_rule(asked, piece, rule);
    }
}

static void visit_complex(struct asked *asked)
{
    const struct game *game = asked->game;
    for (int i = 0; i < game->complex_count; i++) {
        struct word word = {
            .kind = KIND_COMPLEX, .pointer = game->complex_pointers[i], .rule = (uint32_t)i};
        if (game->format == 2)
            word.player = game->modern_complex[i].player;
        else
            word.player = PLAYER_NONE;
        asked->visit(asked, &word);
        if (game->format == 2)
            visit_condition(asked, game->modern_complex[i].condition, word.player);
    }
}

static void visit_whole_game(struct asked *asked, player_index player)
{
    const struct game *game = asked->game;
    for (int i = 0; i < game->forbid_count; i++)
        visit_condition(asked, game->forbid[player][i].condition, player);
    for (int i = 0; i < game->result_count; i++)
        visit_condition(asked, game->results[player][i].condition, player);
    for (int i = 0; i < game->after_move_count; i++)
        visit_condition(asked, game->after_move[player][i].condition, player);
    for (int i = 0; i < game->counter_count; i++) {
        visit_condition(asked, game->counters[i].add[player], player);
        visit_condition(asked, game->counters[i].reset[player], player);
    }
    visit_condition(asked, game->pass_condition[player], player);
}

static void visit_words(struct asked *asked,
                        void (*visit)(struct asked *asked, const struct word *word))
{
    asked->visit = visit;
    visit_movements(asked);
    visit_complex(asked);
    for (int player = 0; asked->game->format == 2 && player < asked->game->player_count; player++)
        visit_whole_game(asked, (player_index)player);
}

/* --- what one word says -------------------------------------------------------------------------- */

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

static void reach_by(const struct game *game, int piece, uint32_t rule, cell_index from,
                     uint64_t *cells)
{
    const uint32_t *starts =
        game->candidate_starts + (size_t)piece * ((size_t)game->cell_count + 1) + from;
    for (uint32_t i = starts[0]; i < starts[1] && work_spend(1); i++)
        if (rule == UINT32_MAX || game->candidates[i].rule == rule)
            bits_set(cells, game->candidates[i].to);
}

/* Whether only other figures are asked about. */
static bool is_other(const struct asked *asked, cell_index from)
{
    unsigned code = asked->position->cells[from].code;
    bool elsewhere = asked->from != CELL_NONE && asked->from != from;
    return elsewhere ||
           (asked->figure != FIGURE_NONE && asked->game->code_figures[code] != asked->figure);
}

static void add_movement(struct asked *asked, const struct word *word)
{
    const struct game *game = asked->game;
    unsigned code = game_code(game, word->figure, word->player);
    for (int i = 0; i < game->cell_count; i++) {
        cell_index from = (cell_index)i;
        if (asked->position->cells[from].code != code || is_other(asked, from))
            continue;
        bits_set(set_of(asked, WORD_FROM, word->player), from);
        reach_by(game, (int)code - 1, word->rule, from, set_of(asked, WORD_REACH, word->player));
    }
}

static void add_complex(struct asked *asked, const struct word *word)
{
    const struct game *game = asked->game;
    for (int from = 0; from < game->cell_count; from++) {
        unsigned code = asked->position->cells[from].code;
        if (code == 0 || is_other(asked, (cell_index)from))
            continue;
        const uint32_t *starts =
            candidate_row(asked->position, game->instance_starts, (cell_index)from);
        for (uint32_t i = starts[0]; i < starts[1] && work_spend(1); i++) {
            if (game->instances[i].movement != word->rule)
                continue;
            bits_set(set_of(asked, WORD_FROM, game->code_players[code]), (unsigned)from);
            bits_set(set_of(asked, WORD_REACH, game->code_players[code]), game->instances[i].to);
        }
    }
}

static void add_attacks(struct asked *asked, const struct word *word)
{
    struct attack attack = {0};
    for (int from = 0; condition_next_attack(asked->position, word->condition, from, &attack);
         from = attack.victim + 1) {
        bits_set(set_of(asked, WORD_ATTACKED, word->player), attack.victim);
        bits_set(set_of(asked, WORD_ATTACKER, word->player), attack.attacker);
    }
}

/* That it may be anywhere says nothing. */
static void add_zone(struct asked *asked, player_index player, uint32_t zone)
{
    if (zone != CELL_SET_ALL)
        add_set(asked, WORD_ZONE, player, game_cell_set(asked->game, zone));
}

static void add_condition(struct asked *asked, const struct word *word)
{
    const struct condition_node *node = word->condition;
    uint64_t cells[WORDS_MAX] = {0};
    if (node->kind == CONDITION_PREVIOUS) {
        add_zone(asked, word->player, node->from_cells);
        add_zone(asked, word->player, node->to_cells);
    }
    if (!condition_has_match(node))
        return;
    condition_matching_cells(asked->position, &node->match, cells);
    add_set(asked, WORD_MATCHING, word->player, cells);
    add_zone(asked, word->player, node->match.cells);
    if (node->kind == CONDITION_ATTACKED)
        add_attacks(asked, word);
}

static void add_word(struct asked *asked, const struct word *word)
{
    switch (word->kind) {
    case KIND_MOVEMENT:
        add_movement(asked, word);
        break;
    case KIND_COMPLEX:
        add_complex(asked, word);
        break;
    case KIND_PROMOTION:
        add_set(asked, WORD_ZONE, word->player, game_cell_set(asked->game, word->promotion->in));
        break;
    case KIND_CONDITION:
        add_condition(asked, word);
        break;
    }
}

/* --- which words -------------------------------------------------------------------------------- */

static void look_around(struct asked *asked, const struct word *word)
{
    if (lies_within(asked->pointer, word->pointer) &&
        (asked->innermost == NULL || strlen(word->pointer) > strlen(asked->innermost)))
        asked->innermost = word->pointer;
}

static void add_innermost(struct asked *asked, const struct word *word)
{
    bool is_it = strcmp(word->pointer, asked->innermost) == 0;
    if (is_it || (word->kind == KIND_CONDITION && lies_within(word->pointer, asked->innermost)))
        add_word(asked, word);
}

/* Movements within what is asked for: a figure's, or those of a name. */
static void add_movements_within(struct asked *asked, const struct word *word)
{
    bool moves = word->kind == KIND_MOVEMENT || word->kind == KIND_COMPLEX;
    if (!moves || !lies_within(word->pointer, asked->pointer))
        return;
    asked->innermost = asked->pointer;
    add_word(asked, word);
}

static void add_anything_within(struct asked *asked, const struct word *word)
{
    if (!lies_within(word->pointer, asked->pointer))
        return;
    asked->innermost = asked->pointer;
    add_word(asked, word);
}

static void add_conditions_within(struct asked *asked, const struct word *word)
{
    if (word->kind == KIND_CONDITION)
        add_anything_within(asked, word);
}

/* A movement's conditions stand within it, but it is not about their cells. */
static bool is_movement(struct asked *asked)
{
    const struct game *game = asked->game;
    for (uint32_t i = 0; i < game->piece_rules[game->piece_count]; i++)
        if (strcmp(game->rule_pointers[i], asked->innermost) == 0)
            return true;
    for (int i = 0; i < game->complex_count; i++)
        if (strcmp(game->complex_pointers[i], asked->innermost) == 0)
            return true;
    return false;
}

static void add_exactly(struct asked *asked, const struct word *word)
{
    if (strcmp(word->pointer, asked->innermost) == 0)
        add_word(asked, word);
}

/* Of legal moves those that are made by a word that has been found. */
static void add_targets(struct asked *asked)
{
    player_index player = position_to_move(asked->position);
    for (int i = 0; i < asked->move_count; i++) {
        struct move move = asked->moves[i];
        const char *word = words_of_move(asked->position, move);
        if (word[0] != '\0' && !is_other(asked, move.from) && lies_within(word, asked->innermost))
            bits_set(set_of(asked, WORD_TO, player), move.to);
    }
}

/* The word asked for, or the nearest around it; if there is none, those within what is asked for. */
static void find_words(struct asked *asked)
{
    visit_words(asked, look_around);
    const char *around = asked->innermost;
    bool moves = around != NULL && is_movement(asked);
    if (around != NULL && !moves) {
        visit_words(asked, add_innermost);
        return;
    }
    asked->innermost = NULL;
    if (!moves)
        visit_words(asked, add_movements_within);
    else if (strcmp(around, asked->pointer) != 0)
        visit_words(asked, add_conditions_within);
    if (asked->innermost != NULL)
        return;
    asked->innermost = around;
    visit_words(asked, moves ? add_exactly : add_anything_within);
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
    find_words(&asked);
    if (asked.innermost != NULL)
        add_targets(&asked);
    answer->pointer = work_end(&stretch) ? asked.innermost : NULL;
}

void words_reach(const struct game *game, figure_index figure, player_index player, cell_index from,
                 uint64_t *cells)
{
    reach_by(game, game_code(game, figure, player) - 1, UINT32_MAX, from, cells);
}

void words_zone(const struct game *game, const char *name, player_index player, uint64_t *cells)
{
    for (int i = 0; i < game->zone_count; i++) {
        if (game->zone_names[i] == NULL || strcmp(game->zone_names[i], name) != 0)
            continue;
        const uint64_t *zone = game_cell_set(game, game->zones[i * game->player_count + player]);
        for (int k = 0; k < game->words; k++)
            cells[k] |= zone[k];
    }
}
