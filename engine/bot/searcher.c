#include "engine/bot/searcher.h"

#include "engine/bot/search.h"
#include "engine/memory/memory.h"

#include <math.h>
#include <stdlib.h>

struct searcher {
    struct search search;
    struct alpha_beta *alpha_beta; /* made when it is needed first */
};

/* Each level looks at some three times as many nodes as the one below. The first ones slip besides: of a hundred moves so many are
 * drawn by lot. That makes any game weaker by steps, where fewer nodes do not: forced takes are followed to their end
 * however few they are. */
struct level {
    uint64_t nodes;
    int slips;
};
static const struct level levels[SEARCH_LEVEL_MAX] = {
    {200, 55}, {400, 32}, {800, 16}, {2400, 6}, {7500, 0}, {25000, 0}, {80000, 0}, {250000, 0},
};
/* Where nodes are dear, as many as are had for this; an answer about the first position is always had. */
enum { WORK_PER_NODE = 640, WORK_LEAST = 4 * WORK_ANSWER_MAX };

bool search_node(struct search *search)
{
    enum { STOP_STEP = 256 };
    search->nodes++;
    if (search->nodes >= search->nodes_max || work_is_too_much())
        search->over = true;
    if (search->nodes % STOP_STEP == 0 && search->order.stopped != NULL &&
        search->order.stopped(search->order.context))
        search->over = true;
    return !search->over;
}

int search_judge(const struct search *search, const struct position *position, player_index player)
{
    work_spend((uint64_t)search->game->cell_count / 4);
    return judge_value(search->judge, position, player);
}

uint64_t search_random(struct search *search)
{
    uint64_t chance = hash_mix(search->chance);
    search->chance += HASH_STEP;
    return chance;
}

static bool is_known(const struct search *search, struct move move)
{
    for (int i = 0; i < search->order.besides_count; i++)
        if (move_equal(search->order.besides[i], move))
            return true;
    return false;
}

int search_root_moves(const struct search *search, struct move *moves)
{
    int count = movegen_all(search->position, moves), kept = 0;
    for (int i = 0; i < count; i++)
        if (!is_known(search, moves[i]))
            moves[kept++] = moves[i];
    return kept;
}

int search_result(const struct outcome *outcome, player_index player)
{
    if (outcome->kind == OUTCOME_WON)
        return outcome->winner == player ? 1 : -1;
    if (outcome->kind == OUTCOME_LOST)
        return outcome->loser == player ? -1 : 1;
    return 0;
}

struct searcher *searcher_new(const struct judge *judge)
{
    struct searcher *searcher = memory_zeroed(1, sizeof *searcher);
    searcher->search.judge = judge;
    searcher->search.game = game_retain((struct game *)(uintptr_t)judge_game(judge));
    searcher->search.position = position_new(searcher->search.game);
    return searcher;
}

void searcher_free(struct searcher *searcher)
{
    if (searcher == NULL)
        return;
    alpha_beta_free(searcher->alpha_beta);
    position_free(searcher->search.position);
    game_release(searcher->search.game);
    free(searcher);
}

static bool plays_out(const struct search *search)
{
    if (search->game->player_count != 2 || search->order.method == SEARCH_PLAYING_OUT)
        return true;
    return search->order.method == SEARCH_BY_GAME && judge_plays_out(search->judge);
}

static bool slips(struct search *search, int level)
{
    return search->order.nodes == 0 &&
           (search_random(search) >> 32) % 100 < (uint64_t)levels[level - 1].slips;
}

static void draw_by_lot(struct search *search, struct search_answer *answer)
{
    struct move *moves = memory_bytes(((size_t)search->game->moves_max + 1) * sizeof *moves);
    int count = search_root_moves(search, moves);
    if (count > 0) {
        struct move move = moves[(search_random(search) >> 32) * (uint64_t)count >> 32];
        *answer =
            (struct search_answer){.found = true, .move = move, .line_count = 1, .line = {move}};
    }
    free(moves);
}

struct search_answer searcher_find(struct searcher *searcher, const struct position *position,
                                   const struct search_order *order)
{
    struct search *search = &searcher->search;
    int level = order->level < 1                  ? 1
                : order->level > SEARCH_LEVEL_MAX ? SEARCH_LEVEL_MAX
                                                  : order->level;
    struct search_answer answer = {.found = false};
    position_copy(search->position, position);
    search->order = *order;
    search->chance = order->seed;
    search->nodes = 0;
    search->nodes_max = order->nodes != 0 ? order->nodes : levels[level - 1].nodes;
    search->over = false;
    struct work_stretch stretch = work_begin(WORK_LEAST + search->nodes_max * WORK_PER_NODE);
    if (slips(search, level)) {
        draw_by_lot(search, &answer);
    } else if (plays_out(search)) {
        playing_out_find(search, &answer);
    } else {
        if (searcher->alpha_beta == NULL)
            searcher->alpha_beta = alpha_beta_new(search);
        alpha_beta_find(searcher->alpha_beta, &answer);
    }
    work_end(&stretch);
    answer.nodes = search->nodes;
    return answer;
}

/* Each search took what it found for the best, but its nodes went elsewhere than those of the others: their values are compared. Of
 * equal ones the first that was found stays first. */
static void put_best_first(struct search_answer *answers, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && answers[k].value > answers[k - 1].value; k--) {
            struct search_answer better = answers[k];
            answers[k] = answers[k - 1];
            answers[k - 1] = better;
        }
}

int searcher_find_lines(struct searcher *searcher, const struct position *position,
                        const struct search_order *order, int most, struct search_answer *answers)
{
    struct move found[SEARCH_LINES_MAX];
    struct search_order next = *order;
    int count = 0;
    next.besides = found;
    for (; count < most && count < SEARCH_LINES_MAX; count++) {
        next.besides_count = count;
        answers[count] = searcher_find(searcher, position, &next);
        if (!answers[count].found)
            break;
        found[count] = answers[count].move;
    }
    put_best_first(answers, count);
    return count;
}

struct search_share search_share(int value)
{
    const int certain = SEARCH_WIN - SEARCH_PLIES_MAX, all = 1000;
    int distance = value < 0 ? -value : value;
    if (distance >= certain)
        return (struct search_share){value > 0 ? all : 0,
                                     distance > certain ? SEARCH_WIN - distance : 0};
    int share = (int)lround(all * judge_chance(value));
    return (struct search_share){share < 1 ? 1 : share > all - 1 ? all - 1 : share, 0};
}
