#include "engine/fast_slides.h"

#include "engine/fast_variants.h"
#include "engine/memory/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool is_group_sliding(const struct fast_group *group)
{
    return group->shape == FAST_SLIDE && !group->masked && !group->unmoved &&
           group->accept == ACCEPT_EMPTY && group->promotion == 0 && group->mark < 0 &&
           group->takes_marked < 0 && group->continues == GOES_ON_NEVER &&
           (group->purpose == FOR_MOVE || group->purpose == FOR_PUT);
}

/* Nothing ends the game while there are moves. */
static bool are_ends_late(const struct game *game)
{
    for (int player = 0; player < game->player_count; player++)
        for (int i = 0; i < game->result_count; i++)
            if (!game->results[player][i].claim && !game->results[player][i].lazy)
                return false;
    return game->counter_count == 0 && game->fast->rules->repetitions_min == 0;
}

static bool is_game_sliding(const struct game *game)
{
    if (game->format != 2 || game->fast == NULL || game->fast->rules == NULL ||
        game->cell_count > FAST_CELLS_MAX || game->tracks_unmoved || game->mark_count > 0 ||
        game->take_first || game->fast->turns || !are_ends_late(game))
        return false;
    for (int i = 0; i < game->player_count; i++)
        if (game->fast->players[i].royal_count > 0)
            return false;
    for (int i = 0; i < game->mover_count; i++) {
        const struct fast_mover *mover = &game->fast->movers[i];
        if (mover->complex_count > 0)
            return false;
        for (int k = 0; k < mover->group_count; k++)
            if (!is_group_sliding(&mover->groups[k]))
                return false;
    }
    return true;
}

/* One of a group's rays. */
struct ray {
    const struct fast_group *group;
    int index;
};

/* Rays of all groups of one phase that rise, or fall; returns how many there are with those before. */
static int find_rays(const struct fast_mover *mover, int phase, bool falling, struct ray *rays,
                     int count)
{
    for (int i = 0; i < mover->group_count; i++) {
        const struct fast_group *group = &mover->groups[i];
        int first = falling ? group->rising : 0;
        int last = falling ? group->rising + group->falling : group->rising;
        for (int k = first; k < last && group->phase == phase; k++, count++)
            if (count < SLIDES_RAYS_MAX)
                rays[count] = (struct ray){.group = group, .index = k};
    }
    return count;
}

static bool fill_way(const struct game *game, const struct fast_mover *mover, int phase,
                     struct slides_way *way)
{
    size_t words = (size_t)game->words;
    struct ray rays[SLIDES_RAYS_MAX];
    int rising = find_rays(mover, phase, false, rays, 0);
    int all = find_rays(mover, phase, true, rays, rising);
    if (all > SLIDES_RAYS_MAX)
        return false;
    way->rising = (uint8_t)rising;
    way->all = (uint8_t)all;
    way->table =
        memory_zeroed((size_t)game->cell_count * (size_t)all + 1, words * sizeof *way->table);
    for (int i = 0; i < all; i++) {
        const struct fast_group *group = rays[i].group;
        size_t of_group = (size_t)(group->rising + group->falling);
        way->rules[i] = group->rule;
        way->put_code = group->purpose == FOR_PUT ? group->put_code : 0;
        if (group->purpose != rays[0].group->purpose ||
            (group->purpose == FOR_PUT && group->put_code != rays[0].group->put_code))
            return false;
        for (size_t cell = 0; cell < (size_t)game->cell_count; cell++)
            memcpy(way->table + (cell * (size_t)all + (size_t)i) * words,
                   group->table + (cell * of_group + (size_t)rays[i].index) * words,
                   words * sizeof *way->table);
    }
    return true;
}

static bool fill_state(const struct game *game, struct slides_state *to,
                       const struct machine_state *from, state_index next)
{
    to->player = from->player;
    to->same_figure = from->same_figure;
    to->next = next;
    for (int figure = 0; figure < game->figure_count; figure++) {
        const struct fast_mover *mover =
            &game->fast->movers[figure * game->player_count + from->player];
        struct ray rays[SLIDES_RAYS_MAX];
        if (find_rays(mover, from->phase, false, rays, 0) +
                find_rays(mover, from->phase, true, rays, 0) ==
            0)
            continue;
        if (to->way_count == SLIDES_MOVERS_MAX)
            return false;
        struct slides_way *way = &to->ways[to->way_count++];
        way->figure = (figure_index)figure;
        if (!fill_way(game, mover, from->phase, way))
            return false;
    }
    return true;
}

struct fast_slides *fast_slides_new(const struct game *game)
{
    if (!is_game_sliding(game))
        return NULL;
    struct fast_slides *slides = memory_zeroed(1, sizeof *slides);
    slides->game = game;
    bool fits = true;
    for (int i = 0; i < game->state_count; i++) {
        state_index next = game->fast->rules->next[i];
        if (game->states[i].kind != MACHINE_MOVE)
            continue;
        fits = fits && game->states[next].kind == MACHINE_MOVE &&
               fill_state(game, &slides->states[i], &game->states[i], next);
    }
    if (fits)
        return slides;
    fast_slides_free(slides);
    return NULL;
}

void fast_slides_free(struct fast_slides *slides)
{
    for (int i = 0; slides != NULL && i < STATES_MAX; i++)
        for (int k = 0; k < slides->states[i].way_count; k++)
            free(slides->states[i].ways[k].table);
    free(slides);
}

uint32_t fast_slides_run(const struct fast_slides *slides, struct slides_stand *stand,
                         uint64_t *random, uint32_t plies_max, struct move *moves)
{
    return FAST_CALL(fast_slides_run, slides, stand, random, plies_max, moves);
}
