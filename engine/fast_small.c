#include "engine/fast_small.h"

#include "engine/fast_variants.h"
#include "engine/memory/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- moves ---------------------------------------------------------------------------------------------------------- */

static bool is_player_small(const struct game *game, player_index player)
{
    const struct fast_player *fast = &game->fast->players[player];
    for (int i = 0; i < game->figure_count; i++) {
        const struct fast_mover *mover = &game->fast->movers[i * game->player_count + player];
        if (mover->slow || mover->complex_count > 0)
            return false;
    }
    return fast->royal_count == 0 && !fast->slow && fast->alarm_count == 0;
}

/* One move follows another, without phases. */
static bool are_states_small(const struct game *game)
{
    for (int i = 0; i < game->state_count; i++) {
        const struct machine_state *state = &game->states[i];
        const struct machine_state *next = &game->states[game->fast->rules->next[i]];
        if (state->kind == MACHINE_MOVE &&
            (state->phase != 0 || state->same_figure || next->kind != MACHINE_MOVE ||
             next->player != 1 - state->player))
            return false;
    }
    return true;
}

static bool is_game_small(const struct game *game)
{
    const struct fast_game *fast = game->fast;
    if (game->format != 2 || fast == NULL || fast->rules == NULL || game->words != 1 ||
        game->player_count != SMALL_PLAYERS || game->figure_count > SMALL_FIGURES_MAX ||
        game->mark_count > 0 || game->tracks_unmoved || fast->unranked ||
        (fast->ranks && !game->take_first))
        return false;
    return is_player_small(game, 0) && is_player_small(game, 1) && are_states_small(game);
}

static bool is_far(const struct fast_group *group)
{
    return group->shape == FAST_SLIDE || group->shape == FAST_JUMP;
}

static bool is_group_small(const struct game *game, const struct fast_group *group)
{
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    bool jumps = group->jumps || group->shape == FAST_JUMP;
    if ((group->shape == FAST_LAME && group->masked) ||
        (group->shape == FAST_JUMP && !group->takes_jumped) ||
        (is_far(group) && group->rising + group->falling > SMALL_RAYS_MAX) || group->phase != 0 ||
        group->unmoved || group->takes_marked >= 0 || group->mark >= 0 ||
        group->accept > ACCEPT_BOTH || (jumps && group->over >= ACCEPT_LIMITED) ||
        (group->promotion != 0 && promotion->choice_count > 0))
        return false;
    if (group->takes_jumped)
        return group->purpose == FOR_TAKE && group->accept == ACCEPT_EMPTY && jumps &&
               group->over == ACCEPT_ENEMY && group->continues != GOES_ON_MAY;
    return group->continues == GOES_ON_NEVER &&
           (group->purpose == FOR_MOVE || group->purpose == FOR_TAKE || group->purpose == FOR_BOTH);
}

/* What a list's moves may find on their targets of what the group's may; SMALL_SETS: the list has none of them. */
static int list_accept(const struct game *game, const struct fast_group *group,
                       enum small_list list)
{
    bool takes = group->purpose != FOR_MOVE;
    int wanted = list == SMALL_FIRST ? ACCEPT_ENEMY : ACCEPT_EMPTY;
    if (list == SMALL_ON)
        return group->continues != GOES_ON_NEVER ? group->accept : SMALL_SETS;
    if (!game->take_first)
        return list == SMALL_FIRST ? group->accept : SMALL_SETS;
    if (list == SMALL_FIRST && (!takes || group->takes_jumped))
        return takes ? group->accept : SMALL_SETS;
    if (list == SMALL_SECOND && group->purpose == FOR_TAKE)
        return SMALL_SETS;
    return group->accept == wanted || group->accept == ACCEPT_BOTH ? wanted : SMALL_SETS;
}

/* Where ops are being put. */
struct builder {
    const struct fast_small *small;
    struct small_player *player;
    struct small_op pattern; /* all but cells and differences */
    bool between;            /* there is a cell between, with conditions */
    int first;               /* of the group's */
    bool full;
};

static void add_step(struct builder *builder, int from_cell, int middle_cell, int to_cell)
{
    struct small_player *player = builder->player;
    const uint8_t *bits = builder->small->layout.bits;
    int offset = bits[to_cell] - bits[from_cell], between = bits[middle_cell] - bits[from_cell];
    struct small_op *op = &player->ops[builder->first];
    const struct small_op *end = &player->ops[player->op_count];
    while (op < end && (op->offset != offset || op->middle != between))
        op++;
    if (op == end) {
        builder->full |= player->op_count == SMALL_OPS_MAX;
        if (builder->full)
            return;
        player->op_count++;
        *op = builder->pattern;
        op->offset = (int8_t)offset;
        op->middle = (int8_t)between;
        op->turn = (uint8_t)((unsigned)between & (WORD_BITS - 1));
        op->turn_on = (uint8_t)((unsigned)(offset - between) & (WORD_BITS - 1));
    }
    op->from |= UINT64_C(1) << bits[from_cell];
}

/* False: a leg is longer than one cell. */
static bool add_lame(struct builder *builder, const struct fast_group *group, int from)
{
    for (uint32_t i = group->starts[from]; i < group->starts[from + 1]; i++) {
        uint64_t leg = group->table[(size_t)i * 2];
        if (word_count(leg) != 1)
            return false;
        for (uint64_t to = group->table[(size_t)i * 2 + 1]; to != 0; to &= to - 1)
            add_step(builder, from, (int)word_lowest(leg), (int)word_lowest(to));
    }
    return true;
}

static bool add_near(const struct game *game, struct builder *builder,
                     const struct fast_group *group)
{
    bool fits = true;
    builder->first = builder->player->op_count;
    for (int from = 0; from < game->cell_count; from++) {
        if (group->shape == FAST_LAME) {
            fits = fits && add_lame(builder, group, from);
        } else if (group->shape == FAST_LEAP) {
            for (uint64_t to = group->table[from]; to != 0; to &= to - 1)
                add_step(builder, from, from, (int)word_lowest(to));
        } else if (bits_test(group->from, (unsigned)from)) {
            int middle = builder->between ? group->middle : 0;
            add_step(builder, from, from + middle, from + group->offset);
        }
    }
    return fits && !builder->full;
}

/* Rays stay what they are in any layout that keeps the order of cells. */
static void fill_far(const struct fast_small *small, const struct fast_group *group,
                     struct small_far *far)
{
    const struct small_layout *layout = &small->layout;
    unsigned all = (unsigned)(group->rising + group->falling);
    bool masked = group->masked || group->shape == FAST_JUMP;
    far->group = group;
    far->rising = group->rising;
    far->all = (uint8_t)all;
    for (unsigned i = 0; i < (unsigned)small->game->cell_count * all; i++) {
        unsigned bit = layout->bits[i / all];
        uint64_t mask = masked ? group->masks[i] : UINT64_MAX;
        far->rays[bit][i % all] = small_layout_spread(layout, group->table[i]);
        far->masks[bit][i % all] = small_layout_spread(layout, mask);
    }
}

static bool add_far(struct builder *builder, const struct fast_group *group)
{
    struct small_player *player = builder->player;
    int number = 0;
    while (number < player->far_count && player->fars[number].group != group)
        number++;
    if (number == SMALL_FARS_MAX || player->op_count == SMALL_OPS_MAX)
        return false;
    if (number == player->far_count)
        fill_far(builder->small, group, &player->fars[player->far_count++]);
    struct small_op *op = &player->ops[player->op_count++];
    *op = builder->pattern;
    op->far = (uint8_t)(number + 1);
    op->from = builder->small->layout.cells;
    return true;
}

static bool add_group(const struct game *game, struct builder *builder,
                      const struct fast_group *group)
{
    return is_far(group) ? add_far(builder, group) : add_near(game, builder, group);
}

static struct small_op make_pattern(const struct fast_small *small, const struct fast_group *group,
                                    int figure, player_index player)
{
    const struct game *game = small->game;
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    bool promotes = group->promotion != 0 && promotion->becomes != FIGURE_NONE;
    struct small_op op = {
        .figure = (uint8_t)figure,
        .promoted = promotes ? small_layout_spread(&small->layout, promotion->cells[0]) : 0,
        .becomes = promotes ? promotion->becomes : (uint8_t)figure,
        .stops = promotes && promotion->stops,
        .turn_ends = promotes && promotion->turn_ends,
        .takes_jumped = group->takes_jumped,
        .continues = group->continues != GOES_ON_NEVER,
        .rule = group->rule};
    op.advances = game_contents_set_has(game, game->advancing_codes,
                                        game_code(game, (figure_index)figure, player));
    return op;
}

/* Whether no two movements of a figure in a list lead from one cell to one target, as far as rays say. */
static bool are_targets_apart(const struct small_player *player, int first)
{
    for (int bit = 0; bit < WORD_BITS; bit++) {
        uint64_t seen = 0;
        for (int i = first; i < player->op_count; i++) {
            if (player->ops[i].far == 0)
                return false;
            const struct small_far *far = &player->fars[player->ops[i].far - 1];
            for (int ray = 0; ray < far->all; ray++) {
                uint64_t targets = far->rays[bit][ray] & far->masks[bit][ray];
                if ((seen & targets) != 0)
                    return false;
                seen |= targets;
            }
        }
    }
    return true;
}

static bool fill_group(struct fast_small *small, player_index player, int figure,
                       const struct fast_group *group, int accept)
{
    struct builder builder = {.small = small,
                              .player = &small->players[player],
                              .pattern = make_pattern(small, group, figure, player)};
    builder.between =
        group->shape == FAST_LAME || (group->shape == FAST_SHIFT && group->steps == 2);
    builder.pattern.accept = (uint8_t)accept;
    builder.pattern.over = SMALL_SET_EVERY;
    if (group->jumps || group->shape == FAST_JUMP)
        builder.pattern.over = group->over;
    else if (builder.between)
        builder.pattern.over = ACCEPT_EMPTY;
    return add_group(small->game, &builder, group);
}

/* One figure's part of a list; false: it is not small. */
static bool fill_figure(struct fast_small *small, player_index player, int figure,
                        enum small_list list)
{
    const struct game *game = small->game;
    const struct fast_mover *mover = &game->fast->movers[figure * game->player_count + player];
    int first = small->players[player].op_count, rays = 0;
    for (int i = 0; i < mover->group_count; i++) {
        const struct fast_group *group = &mover->groups[i];
        int accept = list_accept(game, group, list);
        if (!is_group_small(game, group))
            return false;
        if (accept == SMALL_SETS)
            continue;
        if (!fill_group(small, player, figure, group, accept))
            return false;
        rays += is_far(group) ? group->rising + group->falling : 0;
    }
    return rays <= SMALL_RAYS_MAX &&
           (!mover->overlaps || are_targets_apart(&small->players[player], first));
}

static bool fill_ops(struct fast_small *small, player_index player, enum small_list list)
{
    struct small_player *into = &small->players[player];
    for (int figure = 0; figure < small->figure_count; figure++) {
        into->starts[list][figure] = (uint8_t)into->op_count;
        if (!fill_figure(small, player, figure, list))
            return false;
    }
    into->starts[list][small->figure_count] = (uint8_t)into->op_count;
    return true;
}

/* --- the whole ------------------------------------------------------------------------------------------------------ */

static bool fill_player(struct fast_small *small, player_index player)
{
    return fill_ops(small, player, SMALL_FIRST) && fill_ops(small, player, SMALL_SECOND) &&
           fill_ops(small, player, SMALL_ON) && fast_small_fill_tests(small, player);
}

static enum small_kind find_kind(const struct fast_small *small)
{
    bool far = small->players[0].far_count + small->players[1].far_count > 0;
    if (small->figure_count == 1 && !small->repeats && !small->game->fast->turns &&
        small->counter_count == 0 && !far)
        return SMALL_PLAIN;
    if (small->figure_count != 2)
        return SMALL_ANY;
    return far || small->ranks ? SMALL_FAR : SMALL_NEAR;
}

static void fill_keys(struct fast_small *small)
{
    const struct game *game = small->game;
    for (int i = 0; i < game->state_count; i++) {
        small->state_keys[i] = fast_state_key((state_index)i);
        small->next[i] = game->fast->rules->next[i];
    }
    for (int code = 1; code < game->code_count; code++)
        for (int cell = 0; cell < game->cell_count; cell++)
            small->keys[code][small->layout.bits[cell]] =
                game->keys[code * game->cell_count + cell];
}

struct fast_small *fast_small_new(const struct game *game)
{
    if (!is_game_small(game))
        return NULL;
    struct fast_small *small = memory_zeroed(1, sizeof *small);
    small->game = game;
    small->figure_count = game->figure_count;
    small->counter_count = game->counter_count;
    small->repeats = game->fast->rules->repetitions_min > 0;
    small->remove_at_turn_end = game->remove_at_turn_end;
    small->takes_are_final = game->takes_are_final;
    small->ranks = game->fast->ranks;
    small->most_taken = game->most_taken;
    small->can_go_on = game->can_go_on;
    /* Players take turns, and each has to leave and to come back; only a turn of several takes would break that, and
     * nothing comes again after a take. */
    bool alternate = !game->fast->turns || game->takes_are_final;
    small->stride = alternate ? SMALL_PLAYERS : 1;
    small->period = 2 * small->stride;
    small_layout_init(&small->layout, game);
    fill_keys(small);
    if (fill_player(small, 0) && fill_player(small, 1)) {
        small->kind = find_kind(small);
        return small;
    }
    free(small);
    return NULL;
}

void fast_small_free(struct fast_small *small)
{
    free(small);
}

uint32_t fast_small_run(const struct fast_small *small, struct small_stand *stand, uint64_t *random,
                        uint32_t plies_max, struct move *moves)
{
    return FAST_CALL(fast_small_run, small, stand, random, plies_max, moves);
}
