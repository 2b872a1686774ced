/* A Monte-Carlo tree: the most promising line is followed to a node that has no children yet, and from there the game is played out
 * by chance; who wins is noted along the line. Ends that are certain are noted as such (a solver), and of games in which figures are
 * put on the board a cell that was good later in a playout counts a little for being taken now (RAVE).
 *
 * A game that does not end soon is played out for some plies only, then the judge says how likely who wins. Where more than two play, each
 * looks for the best for themselves. In playouts nobody fills their own eyes, and nobody passes who has anything else to do. */
#include "engine/bot/eyes.h"
#include "engine/bot/search.h"
#include "engine/memory/memory.h"
#include "engine/random_move.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TREE_NODES_MAX = 1 << 19,
    TREE_PLIES_MAX = SEARCH_PLIES_MAX,
    PLAYOUT_PLIES = 2,        /* then it is judged, */
    WHOLE_PLAYOUT = 2048,     /* but what ends soon is played to the end */
    PLAYOUT_PLIES_A_NODE = 8, /* looked at as quickly as one node of the other method */
    WORK_PLY = 64, /* to make a move and to copy what it begins with, as far as nobody counts it */
    WORK_PROMISE = 6, /* to ask how promising a child is */
};

enum proof { PROOF_NONE, PROOF_WIN, PROOF_LOSS }; /* for who has made the move */

struct tree_node {
    struct move move;
    player_index mover; /* who has made it */
    uint8_t proof;
    uint32_t first_child, child_count; /* 0: none yet */
    uint32_t visits, rave_visits;
    float won, rave_won; /* of these, by the mover */
};

/* How children are compared that were seldom tried. */
struct trust {
    double rave_visits; /* from so many visits on a child speaks for itself */
    double curiosity;   /* the bonus for what was seldom tried */
    double unknown; /* what is thought of a child of which nothing is known, here or elsewhere */
};
/* Where figures move, too, cells tell of a part of the moves only. Where cells are connected a child soon tells more than its cell; in rows and
 * where stones are taken or turned over it does not. */
static const struct trust trusts_cells = {1000, 0.05, 1}, trusts_connections = {300, 0.05, 1},
                          trusts_visits = {300, 0.5, 0.55};

struct tree {
    struct search *search;
    struct position *position; /* changes along a line and its playout */
    struct tree_node *nodes;
    struct move *moves;
    uint32_t node_count, node_max;
    int playout_plies;
    bool learns_cells; /* RAVE */
    const struct trust *trust;
    struct eyes *eyes;                           /* or NULL */
    int root_values[PLAYERS_MAX];                /* of the position the search began with */
    uint8_t *cells_of;                           /* by cell: who has put something there, bits */
    double shares[PLAYERS_MAX];                  /* of the last playout: what each has won of it */
    uint32_t line[TREE_PLIES_MAX + 1], line_end; /* nodes, the root first */
};

/* --- playouts --------------------------------------------------------------------------------- */

static void share_end(struct tree *tree, const struct outcome *outcome)
{
    int player_count = tree->search->game->player_count;
    for (int i = 0; i < player_count; i++)
        tree->shares[i] = 0.5 + 0.5 * search_result(outcome, (player_index)i);
    for (int place = 0; place < outcome->rank_count && player_count > 2; place++)
        tree->shares[outcome->ranks[place]] = 1 - (double)place / (player_count - 1);
}

/* Half of it is how much better than at the root it is: who is far ahead wins by what they do next all the same. */
static void share_by_judge(struct tree *tree)
{
    const struct search *search = tree->search;
    for (int i = 0; i < search->game->player_count; i++) {
        int value = search_judge(search, tree->position, (player_index)i);
        tree->shares[i] =
            0.5 * judge_chance(value) + 0.5 * judge_chance(value - tree->root_values[i]);
    }
}

static void note_cell(struct tree *tree, struct move move)
{
    if (tree->learns_cells && move_is_placement(move))
        tree->cells_of[move.to] |= (uint8_t)(1U << position_to_move(tree->position));
}

static bool is_no_eye(const void *context, const struct position *position, cell_index to)
{
    const struct tree *tree = context;
    return tree->eyes == NULL || !eyes_has(tree->eyes, position, to, position_to_move(position));
}

static void play_out(struct tree *tree)
{
    struct search *search = tree->search;
    const struct random_taste taste = {is_no_eye, tree};
    for (int ply = 0; ply < tree->playout_plies && !work_is_too_much(); ply++) {
        struct move move;
        if (!random_move_wanted(tree->position, &search->chance, tree->moves, &taste, &move)) {
            struct outcome outcome = position_outcome(tree->position);
            share_end(tree, &outcome);
            return;
        }
        note_cell(tree, move);
        work_spend(WORK_PLY);
        position_make(tree->position, move, NULL);
        if (ply % PLAYOUT_PLIES_A_NODE == PLAYOUT_PLIES_A_NODE - 1)
            search_node(search);
    }
    share_by_judge(tree);
}

/* --- the tree --------------------------------------------------------------------------------- */

/* How promising a child is: what it has won, with what its cell has won elsewhere, and a bonus for what was seldom tried. */
static double promise(const struct trust *trust, const struct tree_node *child, double log_visits)
{
    if (child->proof == PROOF_WIN)
        return 1000;
    if (child->proof == PROOF_LOSS)
        return -1000;
    double visits = child->visits;
    double rave =
        child->rave_visits > 0 ? (double)child->rave_won / child->rave_visits : trust->unknown;
    double weight = child->rave_visits > 0 || visits == 0
                        ? sqrt(trust->rave_visits / (3 * visits + trust->rave_visits))
                        : 0;
    double own = visits > 0 ? (double)child->won / visits : rave;
    return (1 - weight) * own + weight * rave + trust->curiosity * sqrt(log_visits / (visits + 1));
}

static uint32_t most_promising(const struct tree *tree, const struct tree_node *parent)
{
    double best = -1e9, log_visits = log(parent->visits + 1.0);
    uint32_t chosen = parent->first_child;
    work_spend((uint64_t)parent->child_count * WORK_PROMISE);
    for (uint32_t i = 0; i < parent->child_count; i++) {
        double value = promise(tree->trust, &tree->nodes[parent->first_child + i], log_visits);
        if (value > best) {
            best = value;
            chosen = parent->first_child + i;
        }
    }
    return chosen;
}

/* In an order drawn by lot, for of equal children the first is followed. False: there is no move, or no room. */
static bool expand(struct tree *tree, struct tree_node *node)
{
    int count = node == tree->nodes ? search_root_moves(tree->search, tree->moves)
                                    : movegen_all(tree->position, tree->moves);
    if (count == 0 || tree->node_count + (uint32_t)count > tree->node_max)
        return false;
    player_index mover = position_to_move(tree->position);
    node->first_child = tree->node_count;
    node->child_count = (uint32_t)count;
    for (int left = count; left > 0; left--) {
        int drawn = (int)((search_random(tree->search) >> 32) * (uint64_t)left >> 32);
        tree->nodes[tree->node_count++] =
            (struct tree_node){.move = tree->moves[drawn], .mover = mover};
        tree->moves[drawn] = tree->moves[left - 1];
    }
    return true;
}

/* A player who can win does; who can only lose loses. */
static void prove(const struct tree *tree, struct tree_node *node)
{
    bool only_losses = true;
    const struct tree_node *children = &tree->nodes[node->first_child];
    player_index chooser = children[0].mover;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (children[i].proof == PROOF_WIN) {
            node->proof = chooser == node->mover ? PROOF_WIN : PROOF_LOSS;
            return;
        }
        only_losses = only_losses && children[i].proof == PROOF_LOSS;
    }
    if (only_losses)
        node->proof = chooser == node->mover ? PROOF_LOSS : PROOF_WIN;
}

/* The game has ended at the last node of the line. */
static void note_end(struct tree *tree)
{
    struct tree_node *node = &tree->nodes[tree->line[tree->line_end - 1]];
    struct outcome outcome = position_outcome(tree->position);
    share_end(tree, &outcome);
    if (work_is_too_much() || tree->search->game->player_count != 2 || tree->line_end == 1)
        return;
    int result = search_result(&outcome, node->mover);
    node->proof = result > 0 ? PROOF_WIN : result < 0 ? PROOF_LOSS : PROOF_NONE;
    for (uint32_t i = tree->line_end - 1; node->proof != PROOF_NONE && i > 0; i--) {
        node = &tree->nodes[tree->line[i - 1]];
        prove(tree, node);
    }
}

static void note_shares(struct tree *tree)
{
    for (uint32_t i = 0; i < tree->line_end; i++) {
        struct tree_node *node = &tree->nodes[tree->line[i]];
        node->visits++;
        node->won += (float)tree->shares[node->mover];
        if (tree->learns_cells)
            work_spend(node->child_count);
        for (uint32_t k = 0; tree->learns_cells && k < node->child_count; k++) {
            struct tree_node *child = &tree->nodes[node->first_child + k];
            if (move_is_placement(child->move) &&
                (tree->cells_of[child->move.to] >> child->mover & 1) != 0) {
                child->rave_visits++;
                child->rave_won += (float)tree->shares[child->mover];
            }
        }
    }
}

/* A pass may end the game by a pass of the other: that is looked at before anything else, for a playout hardly ever comes there. */
static uint32_t child_to_follow(const struct tree *tree, const struct tree_node *node)
{
    for (uint32_t i = 0; i < node->child_count && move_is_pass(node->move) && node->visits == 0;
         i++)
        if (move_is_pass(tree->nodes[node->first_child + i].move))
            return node->first_child + i;
    return most_promising(tree, node);
}

static bool is_leaf(const struct tree *tree, const struct tree_node *node)
{
    return node->child_count == 0 && node->visits == 0 && tree->line_end > 1 &&
           !move_is_pass(node->move);
}

/* One line from the root and its playout. */
static void follow(struct tree *tree)
{
    position_copy(tree->position, tree->search->position);
    memset(tree->cells_of, 0, (size_t)tree->search->game->cell_count);
    tree->line[0] = 0;
    tree->line_end = 1;
    for (struct tree_node *node = &tree->nodes[0];
         search_node(tree->search) && tree->line_end <= TREE_PLIES_MAX;) {
        if (is_leaf(tree, node) || (node->child_count == 0 && !expand(tree, node)))
            break;
        uint32_t chosen = child_to_follow(tree, node);
        node = &tree->nodes[chosen];
        note_cell(tree, node->move);
        position_make(tree->position, node->move, NULL);
        tree->line[tree->line_end++] = chosen;
    }
    if (movegen_any(tree->position))
        play_out(tree);
    else
        note_end(tree);
    if (!work_is_too_much())
        note_shares(tree);
}

/* The child that was followed most; a certain win before all, a certain loss after all. */
static uint32_t best_child(const struct tree *tree, const struct tree_node *node)
{
    uint32_t best = node->first_child;
    for (uint32_t i = node->first_child; i < node->first_child + node->child_count; i++) {
        const struct tree_node *child = &tree->nodes[i], *than = &tree->nodes[best];
        int rank = (child->proof == PROOF_WIN) - (child->proof == PROOF_LOSS);
        int than_rank = (than->proof == PROOF_WIN) - (than->proof == PROOF_LOSS);
        if (rank > than_rank || (rank == than_rank && child->visits > than->visits))
            best = i;
    }
    return best;
}

static int value_in(const struct tree_node *node)
{
    if (node->proof != PROOF_NONE)
        return node->proof == PROOF_WIN ? SEARCH_WIN - SEARCH_PLIES_MAX
                                        : SEARCH_PLIES_MAX - SEARCH_WIN;
    double chance = ((double)node->won + 0.5) / (node->visits + 1.0);
    return (int)(JUDGE_LOGIT * log(chance / (1 - chance + 1e-6)));
}

static void write_answer(const struct tree *tree, struct search_answer *answer)
{
    const struct tree_node *node = &tree->nodes[0];
    uint32_t best = best_child(tree, node);
    answer->found = true;
    answer->move = tree->nodes[best].move;
    answer->value = value_in(&tree->nodes[best]);
    while (node->child_count > 0 && answer->line_count < SEARCH_LINE_MAX) {
        node = &tree->nodes[best_child(tree, node)];
        answer->line[answer->line_count++] = node->move;
    }
    answer->depth = answer->line_count;
}

static bool asks_for_connections(const struct condition_node *node)
{
    bool asks = node->kind == CONDITION_CONNECTED;
    for (int i = 0; i < node->child_count && !asks; i++)
        asks = asks_for_connections(&node->children[i]);
    return asks;
}

static const struct trust *trust_of(const struct game *game)
{
    if (game->piece_rules[game->piece_count] > 0)
        return &trusts_visits;
    for (size_t i = 0; i < game->condition_count; i++)
        if (asks_for_connections(game->conditions[i].node))
            return &trusts_connections;
    return &trusts_cells;
}

static void tree_release(struct tree *tree)
{
    eyes_free(tree->eyes);
    free(tree->nodes);
    free(tree->cells_of);
    free(tree->moves);
    position_free(tree->position);
}

void playing_out_find(struct search *search, struct search_answer *answer)
{
    const struct game *game = search->game;
    bool is_short = judge_is_short(search->judge);
    size_t room = (size_t)game->moves_max + 1;
    uint64_t wanted =
        search->nodes_max * 8 + room; /* children are made before they are looked at */
    struct tree tree = {.search = search,
                        .position = position_new(game),
                        .moves = memory_bytes(room * sizeof(struct move)),
                        .cells_of = memory_zeroed((size_t)game->cell_count, 1),
                        .learns_cells = game->places_figures,
                        .trust = trust_of(game),
                        .eyes = eyes_new(game),
                        .playout_plies = is_short ? WHOLE_PLAYOUT : PLAYOUT_PLIES,
                        .node_max = (uint32_t)(wanted < TREE_NODES_MAX ? wanted : TREE_NODES_MAX)};
    if (tree.node_max < room + 1)
        tree.node_max = (uint32_t)room + 1;
    tree.nodes = memory_bytes((size_t)tree.node_max * sizeof *tree.nodes);
    tree.nodes[tree.node_count++] = (struct tree_node){.mover = position_to_move(search->position)};
    position_copy(tree.position, search->position);
    for (int i = 0; i < game->player_count; i++)
        tree.root_values[i] = judge_value(search->judge, search->position, (player_index)i);
    if (tree.nodes[0].mover != PLAYER_NONE && expand(&tree, &tree.nodes[0])) {
        while (!search->over && tree.nodes[0].proof == PROOF_NONE)
            follow(&tree);
        write_answer(&tree, answer);
    }
    tree_release(&tree);
}
