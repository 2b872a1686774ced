#include "server/core/rated_room.h"

#include "server/core/ladder.h"

#include <stdio.h>
#include <string.h>

struct claimants rated_room_claimants(const struct room *room, int seat)
{
    const struct seat *last = &room->standing.seats[seat];
    for (int i = 0; i < room->former_count; i++)
        if (room->former[i].number == seat)
            return (struct claimants){&room->former[i].seat, last};
    return (struct claimants){last, last};
}

static bool is_same(const struct seat *one, const struct seat *other)
{
    return strcmp(one->holder.player, other->holder.player) == 0;
}

static bool have_met(const struct claimants *one, const struct claimants *other)
{
    return is_same(one->first, other->first) || is_same(one->first, other->last) ||
           is_same(one->last, other->first) || is_same(one->last, other->last);
}

/* 2: the first player won, 0: the second, 1: neither. */
static int score_of_first(const struct standing *standing)
{
    if (standing->loser != PLAYER_NONE)
        return standing->loser == 0 ? 0 : 2;
    if (standing->winner != PLAYER_NONE)
        return standing->winner == 0 ? 2 : 0;
    if (standing->rank_count == STORE_SIDES_MAX)
        return standing->ranks[0] == 0 ? 2 : 0;
    return 1;
}

static bool counts(const struct room *room)
{
    const struct standing *standing = &room->standing;
    bool does = standing->rated && standing->has_result && !standing->aborted &&
                standing->seat_count == STORE_SIDES_MAX && !room->imported;
    for (int i = 0; i < standing->seat_count; i++)
        does = does && standing->seats[i].taken && !standing->seats[i].house;
    return does;
}

void rated_room_read(const struct room *room, struct store_rated_game *game)
{
    struct claimants claimants[STORE_SIDES_MAX];
    game->side_count = 0;
    snprintf(game->room, sizeof game->room, "%s", room->id);
    if (!counts(room))
        return;
    ladder_of(room->game, &room->standing, game->ladder);
    for (int i = 0; i < STORE_SIDES_MAX; i++) {
        struct store_rated_side *side = &game->sides[i];
        claimants[i] = rated_room_claimants(room, i);
        *side = (struct store_rated_side){.score = score_of_first(&room->standing)};
        if (i == 1)
            side->score = 2 - side->score;
        memcpy(side->after.player, claimants[i].last->holder.player, sizeof side->after.player);
        if (!is_same(claimants[i].first, claimants[i].last))
            memcpy(side->taken_from, claimants[i].first->holder.player, sizeof side->taken_from);
    }
    if (!have_met(&claimants[0], &claimants[1]))
        game->side_count = STORE_SIDES_MAX;
}
