/* Alpha-beta with iterative deepening, a transposition table, quiescence, killer moves, history and late move reductions.
 *
 * A turn may be several moves, so the value is not simply negated from ply to ply: `viewer` says whose value is asked for, and
 * a node whose mover is somebody else answers with the opposite. A turn under way is never judged: it is searched to its end. */
#include "engine/bot/search.h"
#include "engine/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    TABLE_BITS_MIN = 10,
    TABLE_BITS_MAX = 18,
    MOVES_ROOM = 64 * 1024, /* of all plies together; a node beyond is judged */
    KILLERS = 2,
    INFINITE = SEARCH_WIN + 1,
    CERTAIN = SEARCH_WIN - SEARCH_PLIES_MAX, /* values beyond it are ends */
    REDUCE_FROM_DEPTH = 3,
    REDUCE_FROM_MOVE = 4,
    HISTORY_WEIGHT_MAX = 1 << 14,
    WORK_SCORE = 4, /* to put a move in its place */
};

enum bound { BOUND_NONE, BOUND_EXACT, BOUND_LOWER, BOUND_UPPER };

struct entry {
    uint64_t key;
    struct move move;
    int16_t value;
    int8_t depth;
    uint8_t bound;
};

struct ply {
    struct undo *undo;
    struct move killers[KILLERS];
    int mobility[2]; /* legal moves each player had when they were last to move; -1: not known */
    int line_count;
    struct move line[SEARCH_LINE_MAX];
};

struct alpha_beta {
    struct search *search;
    struct entry *
        table; /* as large as the most nodes that were asked for need it; a search uses so much of it: */
    int table_bits, room_bits;
    struct move *moves; /* a stack */
    int *scores;        /* beside them: the best are searched first */
    uint32_t *history;  /* by code * cells + target */
    struct ply plies[SEARCH_PLIES_MAX];
};

struct window {
    int alpha, beta;
    player_index viewer;
};

/* The legal moves of a node: a part of the stack. */
struct choices {
    struct move *moves;
    int *scores;
    int count;
};

static int value_of(struct alpha_beta *alpha_beta, int depth, int ply, int top,
                    struct window window);

/* --- moves, the promising ones first ---------------------------------------------------------- */

static const struct movement *movement_of(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    if (move.from == CELL_NONE || position->cells[move.from].code == 0)
        return NULL;
    unsigned piece = position->cells[move.from].code - 1U;
    uint32_t rule = game->piece_rules[piece] + move.rule;
    return rule < game->piece_rules[piece + 1] ? &game->movements[rule] : NULL;
}

/* Whether it takes something, as far as is seen without making it. */
static bool takes(const struct position *position, struct move move)
{
    if (!move_has_cells(move) || move_is_placement(move))
        return false;
    unsigned target = position->cells[move.to].code, self = position->cells[move.from].code;
    const struct game *game = position->game;
    if (target != 0 && self != 0 && game->code_players[target] != game->code_players[self])
        return true;
    const struct movement *movement = movement_of(position, move);
    return movement != NULL && movement->takes_jumped;
}

static bool is_loud(const struct position *position, struct move move)
{
    return takes(position, move) ||
           (move.choice != CHOICE_NONE && move_has_cells(move) && !move_is_placement(move));
}

static size_t history_index(const struct position *position, struct move move)
{
    unsigned code = move.from != CELL_NONE ? position->cells[move.from].code : 0;
    return (size_t)code * (size_t)position->game->cell_count + move.to;
}

static int score_of(const struct alpha_beta *alpha_beta, int ply, struct move move,
                    struct move first)
{
    enum { FIRST = 1 << 28, LOUD = 1 << 24, KILLER = 1 << 20 };
    const struct search *search = alpha_beta->search;
    const struct position *position = search->position;
    if (move_equal(move, first))
        return FIRST;
    if (!move_has_cells(move))
        return -1;
    if (is_loud(position, move))
        return LOUD + 16 * judge_piece(search->judge, position, move.to) -
               (move.from != CELL_NONE ? judge_piece(search->judge, position, move.from) : 0);
    for (int i = 0; i < KILLERS; i++)
        if (move_equal(move, alpha_beta->plies[ply].killers[i]))
            return KILLER - i;
    return (int)alpha_beta->history[history_index(position, move)];
}

static struct choices generate(struct alpha_beta *alpha_beta, int ply, int top, struct move first)
{
    struct position *position = alpha_beta->search->position;
    struct choices choices = {.moves = alpha_beta->moves + top, .scores = alpha_beta->scores + top};
    choices.count = movegen_all(position, choices.moves);
    work_spend((uint64_t)choices.count * WORK_SCORE);
    for (int i = 0; i < choices.count; i++)
        choices.scores[i] = score_of(alpha_beta, ply, choices.moves[i], first);
    return choices;
}

/* Brings the best of those from `index` on there. */
static struct move pick(const struct choices *choices, int index)
{
    int best = index;
    for (int i = index + 1; i < choices->count; i++)
        if (choices->scores[i] > choices->scores[best])
            best = i;
    struct move move = choices->moves[best];
    int score = choices->scores[best];
    choices->moves[best] = choices->moves[index];
    choices->scores[best] = choices->scores[index];
    choices->moves[index] = move;
    choices->scores[index] = score;
    return move;
}

/* A quiet move was too good: it is looked at early elsewhere. */
static void remember_good(struct alpha_beta *alpha_beta, int ply, int depth, struct move move)
{
    const struct position *position = alpha_beta->search->position;
    struct move *killers = alpha_beta->plies[ply].killers;
    if (!move_has_cells(move) || is_loud(position, move))
        return;
    if (!move_equal(killers[0], move)) {
        killers[1] = killers[0];
        killers[0] = move;
    }
    uint32_t *weight = &alpha_beta->history[history_index(position, move)];
    *weight += (uint32_t)(depth * depth);
    if (*weight > HISTORY_WEIGHT_MAX)
        *weight = HISTORY_WEIGHT_MAX;
}

/* --- values ----------------------------------------------------------------------------------- */

/* For the viewer, where nobody has a move. */
static int end_value(const struct search *search, int ply, player_index viewer)
{
    struct outcome outcome = position_outcome(search->position);
    return search_result(&outcome, viewer) * (SEARCH_WIN - ply);
}

static int judged(const struct alpha_beta *alpha_beta, int ply, player_index player)
{
    const struct search *search = alpha_beta->search;
    const int *mobility = alpha_beta->plies[ply].mobility;
    int value = search_judge(search, search->position, player);
    if (mobility[0] >= 0 && mobility[1] >= 0)
        value += judge_mobility(search->judge) * (mobility[player] - mobility[1 - player]);
    return value > CERTAIN - 1 ? CERTAIN - 1 : value < 1 - CERTAIN ? 1 - CERTAIN : value;
}

/* How many ways there are to go on with a turn says nothing of how many there were to begin it. */
static void note_mobility(struct alpha_beta *alpha_beta, int ply, player_index mover, int count)
{
    bool begins = position_active(alpha_beta->search->position) == CELL_NONE;
    int *mobility = alpha_beta->plies[ply].mobility;
    if (ply == 0)
        mobility[0] = mobility[1] = -1;
    else
        memcpy(mobility, alpha_beta->plies[ply - 1].mobility, sizeof alpha_beta->plies[0].mobility);
    if (begins)
        mobility[mover] = count;
}

/* Where the position has been there before, whoever likes it draws. */
static bool is_claimed(const struct search *search)
{
    return search->game->repeats && search->position->turn.history_count > 0 &&
           position_claim(search->position).kind == OUTCOME_DRAWN;
}

/* --- the transposition table ------------------------------------------------------------------ */

static struct entry *entry_of(const struct alpha_beta *alpha_beta, uint64_t key)
{
    return &alpha_beta->table[key >> (64 - alpha_beta->table_bits)];
}

/* Ends count from the node in the table, from the root elsewhere. */
static int16_t to_table(int value, int ply)
{
    return (int16_t)(value >= CERTAIN ? value + ply : value <= -CERTAIN ? value - ply : value);
}

static int from_table(int value, int ply)
{
    return value >= CERTAIN ? value - ply : value <= -CERTAIN ? value + ply : value;
}

/* True: the entry answers the question. */
static bool answers(const struct entry *entry, int depth, int ply, const struct window *window,
                    int *value)
{
    *value = from_table(entry->value, ply);
    if (entry->depth < depth)
        return false;
    switch ((enum bound)entry->bound) {
    case BOUND_NONE:
        return false;
    case BOUND_EXACT:
        return true;
    case BOUND_LOWER:
        return *value >= window->beta;
    case BOUND_UPPER:
        return *value <= window->alpha;
    }
    return false;
}

/* --- the search ------------------------------------------------------------------------------- */

static void note_line(struct alpha_beta *alpha_beta, int ply, struct move move)
{
    struct ply *here = &alpha_beta->plies[ply];
    here->line[0] = move;
    here->line_count = 1;
    if (ply + 1 == SEARCH_PLIES_MAX)
        return;
    const struct ply *next = here + 1;
    for (int i = 0; i < next->line_count && here->line_count < SEARCH_LINE_MAX; i++)
        here->line[here->line_count++] = next->line[i];
}

/* The value of the position that the move leads to, for who makes it. */
static int value_after(struct alpha_beta *alpha_beta, struct move move, int depth, int ply, int top,
                       struct window window)
{
    struct position *position = alpha_beta->search->position;
    struct undo *undo = alpha_beta->plies[ply].undo;
    position_make(position, move, undo);
    bool goes_on = position_active(position) != CELL_NONE;
    int value = value_of(alpha_beta, goes_on ? depth : depth - 1, ply + 1, top, window);
    position_unmake(position, undo);
    return value;
}

/* Quiet moves far down the list are looked at less deeply first, and not at all again where they are as bad as they seem. */
static int value_of_choice(struct alpha_beta *alpha_beta, const struct choices *choices, int index,
                           int depth, int ply, int top, struct window window)
{
    struct move move = choices->moves[index];
    bool late = index >= REDUCE_FROM_MOVE && depth >= REDUCE_FROM_DEPTH &&
                !is_loud(alpha_beta->search->position, move);
    struct window narrow = {window.alpha, window.alpha + 1, window.viewer};
    int value = window.alpha + 1;
    if (index > 0)
        value =
            value_after(alpha_beta, move, late ? depth - 1 - depth / 6 : depth, ply, top, narrow);
    if (index > 0 && late && value > window.alpha)
        value = value_after(alpha_beta, move, depth, ply, top, narrow);
    if (index == 0 || (value > window.alpha && value < window.beta))
        value = value_after(alpha_beta, move, depth, ply, top, window);
    return value;
}

/* Whether who is to move may leave it at what there is: not within a turn, and not where takes are forced. */
static bool may_stand(const struct search *search, const struct choices *choices)
{
    const struct position *position = search->position;
    return position_active(position) == CELL_NONE &&
           !(search->game->take_first && takes(position, choices->moves[0]));
}

/* Searches the choices of a node and says how good the best is. In quiescence (`depth` <= 0) what is not loud is left out. */
static int best_of(struct alpha_beta *alpha_beta, const struct choices *choices, int depth, int ply,
                   int top, struct window window, struct move *move)
{
    struct search *search = alpha_beta->search;
    bool quiet_too = depth > 0 || !may_stand(search, choices);
    int best = -INFINITE;
    if (!quiet_too) {
        best = judged(alpha_beta, ply, window.viewer);
        if (best >= window.beta)
            return best;
        window.alpha = best > window.alpha ? best : window.alpha;
    }
    for (int i = 0; i < choices->count && !search->over; i++) {
        struct move tried = pick(choices, i);
        if (!quiet_too && !is_loud(search->position, tried))
            continue;
        int value = value_of_choice(alpha_beta, choices, i, depth, ply, top, window);
        if (search->over || value <= best)
            continue;
        best = value;
        *move = tried;
        if (value > window.alpha) {
            window.alpha = value;
            note_line(alpha_beta, ply, tried);
        }
        if (value >= window.beta) {
            remember_good(alpha_beta, ply, depth, tried);
            break;
        }
    }
    return best;
}

/* Of who is to move, which is the viewer. */
static int value_of_mover(struct alpha_beta *alpha_beta, int depth, int ply, int top,
                          struct window window)
{
    struct search *search = alpha_beta->search;
    uint64_t key = position_hash(search->position);
    struct entry *entry = entry_of(alpha_beta, key);
    struct move first = {.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_NONE - 1};
    int value;
    if (entry->bound != BOUND_NONE && entry->key == key) {
        if (ply > 0 && answers(entry, depth, ply, &window, &value))
            return value;
        first = entry->move;
    }
    struct choices choices = generate(alpha_beta, ply, top, first);
    if (choices.count == 0)
        return end_value(search, ply, window.viewer);
    note_mobility(alpha_beta, ply, window.viewer, choices.count);
    if (ply + 1 >= SEARCH_PLIES_MAX || top + choices.count > MOVES_ROOM)
        return judged(alpha_beta, ply, window.viewer);
    struct move best_move = first;
    int best = best_of(alpha_beta, &choices, depth, ply, top + choices.count, window, &best_move);
    if (search->over)
        return best;
    *entry = (struct entry){.key = key,
                            .move = best_move,
                            .value = to_table(best, ply),
                            .depth = (int8_t)(depth < 0 ? 0 : depth),
                            .bound = best >= window.beta    ? BOUND_LOWER
                                     : best <= window.alpha ? BOUND_UPPER
                                                            : BOUND_EXACT};
    return best;
}

static int value_of(struct alpha_beta *alpha_beta, int depth, int ply, int top,
                    struct window window)
{
    struct search *search = alpha_beta->search;
    player_index mover = position_to_move(search->position);
    alpha_beta->plies[ply].line_count = 0;
    if (!search_node(search))
        return 0;
    if (mover == PLAYER_NONE)
        return end_value(search, ply, window.viewer);
    if (ply > 0 && is_claimed(search))
        return 0;
    if (mover == window.viewer)
        return value_of_mover(alpha_beta, depth, ply, top, window);
    return -value_of_mover(alpha_beta, depth, ply, top,
                           (struct window){-window.beta, -window.alpha, mover});
}

/* --- the root --------------------------------------------------------------------------------- */

/* One of equally good moves is as good as another. */
static void shuffle(struct search *search, const struct choices *choices)
{
    for (int i = choices->count - 1; i > 0; i--) {
        int other = (int)((search_random(search) >> 32) * (uint64_t)(i + 1) >> 32);
        struct move move = choices->moves[i];
        choices->moves[i] = choices->moves[other];
        choices->moves[other] = move;
    }
    for (int i = 0; i < choices->count; i++)
        choices->scores[i] = choices->count - i;
}

static void note_answer(const struct alpha_beta *alpha_beta, int depth, int value, int index,
                        const struct choices *choices, struct search_answer *answer)
{
    const struct ply *root = &alpha_beta->plies[0];
    answer->move = choices->moves[index];
    answer->value = value;
    answer->depth = depth;
    answer->line_count = root->line_count;
    memcpy(answer->line, root->line, sizeof answer->line);
}

/* One depth more: the best move of the last one comes first. An unfinished one counts as far as it came. */
static void deepen(struct alpha_beta *alpha_beta, int depth, const struct choices *choices,
                   struct search_answer *answer)
{
    struct search *search = alpha_beta->search;
    player_index mover = position_to_move(search->position);
    struct window window = {-INFINITE, INFINITE, mover};
    note_mobility(alpha_beta, 0, mover, choices->count);
    for (int i = 0; i < choices->count && !search->over; i++) {
        int value = value_of_choice(alpha_beta, choices, i, depth, 0, choices->count, window);
        if (search->over || value <= window.alpha)
            continue;
        window.alpha = value;
        note_line(alpha_beta, 0, choices->moves[i]);
        note_answer(alpha_beta, depth, value, i, choices, answer);
        struct move move = choices->moves[i];
        memmove(choices->moves + 1, choices->moves, (size_t)i * sizeof move);
        choices->moves[0] = move;
    }
}

static void clear_table(struct alpha_beta *alpha_beta)
{
    int bits = TABLE_BITS_MIN;
    while (bits < TABLE_BITS_MAX && alpha_beta->search->nodes_max >> bits != 0)
        bits++;
    alpha_beta->table_bits = bits;
    if (bits > alpha_beta->room_bits) {
        free(alpha_beta->table);
        alpha_beta->table = memory_bytes(sizeof *alpha_beta->table << bits);
        alpha_beta->room_bits = bits;
    }
    memset(alpha_beta->table, 0, sizeof *alpha_beta->table << bits);
}

void alpha_beta_find(struct alpha_beta *alpha_beta, struct search_answer *answer)
{
    struct search *search = alpha_beta->search;
    struct choices choices = {.moves = alpha_beta->moves, .scores = alpha_beta->scores};
    choices.count = search_root_moves(search, choices.moves);
    if (choices.count == 0)
        return;
    clear_table(alpha_beta);
    memset(alpha_beta->history, 0,
           (size_t)search->game->code_count * (size_t)search->game->cell_count * sizeof(uint32_t));
    for (int i = 0; i < SEARCH_PLIES_MAX; i++)
        memset(alpha_beta->plies[i].killers, 0xff, sizeof alpha_beta->plies[i].killers);
    shuffle(search, &choices);
    *answer = (struct search_answer){
        .found = true, .move = choices.moves[0], .line_count = 1, .line = {choices.moves[0]}};
    for (int depth = 1; depth < SEARCH_PLIES_MAX / 2 && !search->over; depth++) {
        deepen(alpha_beta, depth, &choices, answer);
        bool decided = choices.count == 1 && search->order.besides == NULL;
        if (decided || answer->value >= CERTAIN || answer->value <= -CERTAIN)
            break;
    }
}

/* --- life ------------------------------------------------------------------------------------- */

struct alpha_beta *alpha_beta_new(struct search *search)
{
    struct alpha_beta *alpha_beta = memory_zeroed(1, sizeof *alpha_beta);
    size_t room = MOVES_ROOM + (size_t)search->game->moves_max + 1;
    alpha_beta->search = search;
    alpha_beta->moves = memory_bytes(room * sizeof(struct move));
    alpha_beta->scores = memory_bytes(room * sizeof(int));
    alpha_beta->history = memory_bytes((size_t)search->game->code_count *
                                       (size_t)search->game->cell_count * sizeof(uint32_t));
    for (int i = 0; i < SEARCH_PLIES_MAX; i++)
        alpha_beta->plies[i].undo = undo_new(search->game);
    return alpha_beta;
}

void alpha_beta_free(struct alpha_beta *alpha_beta)
{
    if (alpha_beta == NULL)
        return;
    for (int i = 0; i < SEARCH_PLIES_MAX; i++)
        undo_free(alpha_beta->plies[i].undo);
    free(alpha_beta->history);
    free(alpha_beta->scores);
    free(alpha_beta->moves);
    free(alpha_beta->table);
    free(alpha_beta);
}
