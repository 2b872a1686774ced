/* How much time the players of a room have, and of its rematch, asked of a standing. */
#include "server/core/standing.h"

#include <assert.h>
#include <string.h>

bool standing_names_players(const struct game *game, const struct time_control *control)
{
    for (int i = 0; i < control->own_count; i++)
        if (game_find_player(game, control->own[i].seat, strlen(control->own[i].seat)) ==
            PLAYER_NONE)
            return false;
    return true;
}

bool standing_set_clocks(struct standing *standing, const struct game *game,
                         const struct time_control *control)
{
    if (!standing_names_players(game, control))
        return false;
    standing->has_clocks = true;
    for (int i = 0; i < standing->seat_count; i++) {
        standing->budgets[i] = *time_control_of(control, game_facts(game)->player_names[i]);
        standing->clocks[i] = clock_new(&standing->budgets[i]);
    }
    return true;
}

bool standing_offer_clocks(struct standing *standing, const struct game *game,
                           const struct time_control *control)
{
    if (control && !standing_names_players(game, control))
        return false;
    standing->offers_clocks = control != NULL;
    standing->offered_are_set = control && control->is_set;
    for (int i = 0; standing->offered_are_set && i < standing->seat_count; i++)
        standing->offered[i] = *time_control_of(control, game_facts(game)->player_names[i]);
    return true;
}

static struct time_control control_of(const struct time_budget *budgets, int count,
                                      const struct game *game)
{
    struct time_control control = {.is_set = true, .all = budgets[0]};
    for (int i = 1; i < count; i++) {
        if (time_budget_equal(&budgets[i], &control.all))
            continue;
        const char *seat = game_facts(game)->player_names[i];
        size_t length = strlen(seat);
        assert(length < sizeof control.own[0].seat);
        memcpy(control.own[control.own_count].seat, seat, length + 1);
        control.own[control.own_count++].budget = budgets[i];
    }
    return control;
}

void standing_time_control(const struct standing *standing, const struct game *game,
                           struct time_control *control)
{
    *control = (struct time_control){.is_set = false};
    if (standing->has_clocks)
        *control = control_of(standing->budgets, standing->seat_count, game);
}

int standing_next_seat(const struct standing *standing, int seat)
{
    return (seat + 1) % standing->seat_count;
}

void standing_usual_control(const struct standing *standing, const struct game *game,
                            struct time_control *control)
{
    struct time_budget budgets[STATE_SEATS_MAX];
    for (int i = 0; i < standing->seat_count; i++)
        budgets[standing_next_seat(standing, i)] = standing->budgets[i];
    *control = (struct time_control){.is_set = false};
    if (standing->has_clocks)
        *control = control_of(budgets, standing->seat_count, game);
}

void standing_next_control(const struct standing *standing, const struct game *game,
                           struct time_control *control)
{
    if (!standing->offers_clocks) {
        standing_usual_control(standing, game, control);
        return;
    }
    *control = (struct time_control){.is_set = false};
    if (standing->offered_are_set)
        *control = control_of(standing->offered, standing->seat_count, game);
}

bool standing_same_control(const struct game *game, const struct time_control *one,
                           const struct time_control *other)
{
    if (!one->is_set || !other->is_set)
        return one->is_set == other->is_set;
    for (int i = 0; i < game_facts(game)->player_count; i++) {
        const char *seat = game_facts(game)->player_names[i];
        if (!time_budget_equal(time_control_of(one, seat), time_control_of(other, seat)))
            return false;
    }
    return true;
}

player_index standing_runs(const struct standing *standing, const struct position *position)
{
    player_index seat = standing_to_move(standing, position);
    bool runs = standing->has_clocks && seat != PLAYER_NONE && (standing->opened >> seat & 1) != 0;
    return runs ? seat : PLAYER_NONE;
}
