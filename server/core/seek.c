#include "server/core/seek.h"

#include "engine/memory/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEAT_WISHES = PLAYER_COUNT_MAX + 1, /* any, or one of them */
    NUMBERS_OF_MS = 4096,               /* so that places at several servers go by time */
};

void seeks_init(struct seeks *seeks, struct hash_key hash_key)
{
    *seeks = (struct seeks){.count = 0};
    map_init(&seeks->terms, hash_key);
    map_init(&seeks->players, hash_key);
    list_init(&seeks->order);
    list_init(&seeks->away);
}

static void terms_free(struct seek_terms *terms)
{
    free(terms->text);
    free(terms);
}

void seeks_release(struct seeks *seeks)
{
    size_t cursor = 0;
    for (struct seek_terms *terms; (terms = map_next(&seeks->terms, &cursor));)
        terms_free(terms);
    cursor = 0;
    for (struct seek_player *player; (player = map_next(&seeks->players, &cursor));)
        free(player);
    map_release(&seeks->terms);
    map_release(&seeks->players);
}

/* --- those there are -------------------------------------------------------------------------- */

static struct seek_player *find_player(const struct seeks *seeks, const char *id)
{
    return map_find(&seeks->players, id, strlen(id));
}

struct seek *seeks_first(const struct seeks *seeks, const char *player)
{
    const struct seek_player *found = find_player(seeks, player);
    return found ? list_first(&found->seeks) : NULL;
}

struct seek *seeks_next(const struct seek *seek)
{
    return seek->player_link.next->owner;
}

struct seek *seeks_find(const struct seeks *seeks, const char *terms, const char *player)
{
    struct seek *seek = seeks_first(seeks, player);
    while (seek && strcmp(seek->terms->text, terms) != 0)
        seek = seeks_next(seek);
    return seek;
}

bool seeks_may_add(const struct seeks *seeks, const char *player)
{
    const struct seek_player *found = find_player(seeks, player);
    return seeks->count < SEEKS_MAX && (!found || found->count < SEEKS_OF_PLAYER);
}

const struct seek *seeks_longest_away(const struct seeks *seeks)
{
    return list_first(&seeks->away);
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool came_first(const struct seek *one, const struct seek *other)
{
    if (one->number != other->number)
        return one->number < other->number;
    return strcmp(one->player->id, other->player->id) < 0;
}

/* Behind all that came before it: mostly at the end. */
static void stand_in_line(struct list *line, struct link *link, struct seek *seek)
{
    struct link *before = line->ends.previous;
    while (before->owner && came_first(seek, before->owner))
        before = before->previous;
    *link = (struct link){before, before->next, seek};
    link->previous->next = link;
    link->next->previous = link;
}

static void wait_in_line(struct seeks *seeks, struct seek *seek)
{
    seek->stage = SEEK_WAITS;
    stand_in_line(&seek->terms->line, &seek->line_link, seek);
    stand_in_line(&seeks->order, &seek->order_link, seek);
    seeks->waiting++;
}

static void step_out(struct seeks *seeks, struct seek *seek, enum seek_stage stage)
{
    if (seek->stage == SEEK_WAITS) {
        list_remove(&seek->line_link);
        seeks->waiting--;
    }
    list_remove(&seek->order_link);
    seek->stage = stage;
}

static struct seek_terms *take_terms(struct seeks *seeks, const char *text, int count)
{
    size_t length = strlen(text);
    struct seek_terms *terms = map_find(&seeks->terms, text, length);
    if (!terms) {
        terms = memory_zeroed(1, sizeof *terms);
        terms->text = memory_bytes(length + 1);
        memcpy(terms->text, text, length + 1);
        terms->count = count;
        list_init(&terms->line);
        map_put(&seeks->terms, terms->text, length, terms);
    }
    assert(terms->count == count);
    terms->seeks++;
    return terms;
}

static struct seek_player *take_player(struct seeks *seeks, const char *id)
{
    struct seek_player *player = find_player(seeks, id);
    if (!player) {
        player = memory_zeroed(1, sizeof *player);
        memcpy(player->id, id, strlen(id) + 1);
        list_init(&player->seeks);
        map_put(&seeks->players, player->id, strlen(player->id), player);
    }
    player->count++;
    return player;
}

void seeks_add_at(struct seeks *seeks, struct seek *seek, const char *terms, int count,
                  const char *player, uint64_t number)
{
    assert(count >= 1 && count <= PLAYER_COUNT_MAX && strlen(player) <= PLAYER_ID_BYTES);
    assert(seeks_may_add(seeks, player) && !seeks_find(seeks, terms, player));
    seek->number = number;
    seek->since_ms = number / NUMBERS_OF_MS;
    seek->terms = take_terms(seeks, terms, count);
    seek->player = take_player(seeks, player);
    list_append(&seek->player->seeks, &seek->player_link, seek);
    seeks->count++;
    wait_in_line(seeks, seek);
}

void seeks_add(struct seeks *seeks, struct seek *seek, const char *terms, int count,
               const char *player, uint64_t now_ms)
{
    uint64_t number = now_ms * NUMBERS_OF_MS;
    seeks->last_number = number > seeks->last_number ? number : seeks->last_number + 1;
    seeks_add_at(seeks, seek, terms, count, player, seeks->last_number);
}

void seeks_remove(struct seeks *seeks, struct seek *seek)
{
    struct seek_terms *terms = seek->terms;
    struct seek_player *player = seek->player;
    step_out(seeks, seek, SEEK_CHOSEN);
    list_remove(&seek->player_link);
    seeks->count--;
    if (--terms->seeks == 0) {
        map_remove(&seeks->terms, terms->text, strlen(terms->text));
        terms_free(terms);
    }
    if (--player->count == 0) {
        map_remove(&seeks->players, player->id, strlen(player->id));
        free(player);
    }
}

void seeks_leave(struct seeks *seeks, struct seek *seek, uint64_t now_ms)
{
    assert(seek->stage == SEEK_WAITS);
    step_out(seeks, seek, SEEK_AWAY);
    seek->left_ms = now_ms;
    list_append(&seeks->away, &seek->order_link, seek);
}

void seeks_promise(struct seeks *seeks, struct seek *seek)
{
    assert(seek->stage == SEEK_WAITS);
    step_out(seeks, seek, SEEK_CHOSEN);
}

void seeks_return(struct seeks *seeks, struct seek *seek)
{
    assert(seek->stage != SEEK_WAITS);
    step_out(seeks, seek, SEEK_AWAY);
    wait_in_line(seeks, seek);
}

/* --- who comes together ----------------------------------------------------------------------- */

/* People alone; or whoever does not mind programs; or one program that wants no other one, with people who do not mind it.
 * There are no other groups in which everybody's wish holds. */
enum company { COMPANY_OF_PEOPLE, COMPANY_OF_ALL, COMPANY_OF_ONE_BOT };

static bool is_of(const struct seek *seek, enum company company, const struct seek *bot)
{
    switch (company) {
    case COMPANY_OF_PEOPLE:
        return !seek->wish.is_bot;
    case COMPANY_OF_ALL:
        return !seek->wish.no_bots;
    case COMPANY_OF_ONE_BOT:
        return seek == bot || (!seek->wish.is_bot && !seek->wish.no_bots);
    }
    return false;
}

static bool is_wanted(const struct seek *seek, const struct seek *by)
{
    const struct seek_wish *wish = &by->wish;
    int rating = seek->wish.rating;
    bool is_near = wish->rating_within == 0 || abs(rating - wish->rating) <= wish->rating_within;
    return is_near && rating >= wish->rating_min && rating <= wish->rating_max;
}

/* Ratings are of games for two: nobody else has to like either of them. */
static bool get_along(const struct seek *one, const struct seek *other)
{
    return one == other || (is_wanted(one, other) && is_wanted(other, one));
}

/* Who has a seat of his own wish, or needs none. */
static bool sit_down(const struct seek *seek, uint32_t *taken)
{
    uint32_t wanted = seek->wish.seat == SEEK_ANY_SEAT ? 0 : UINT32_C(1) << seek->wish.seat;
    if (*taken & wanted)
        return false;
    *taken |= wanted;
    return true;
}

/* In the order in which they came. To take whoever may sit is never wrong: of two who want one seat either would do. `bot`: who
 * has to be one of them besides `seek`; NULL: nobody. */
static bool gather(const struct seek *seek, enum company company, struct seek *bot,
                   struct seek_group *group)
{
    const struct seek_terms *terms = seek->terms;
    uint32_t taken = 0;
    int promised = 1 + (bot != NULL && bot != seek); /* places of those two */
    group->count = 0;
    if (!is_of(seek, company, bot) || (bot && !get_along(seek, bot)) || !sit_down(seek, &taken) ||
        (bot && bot != seek && !sit_down(bot, &taken)) || promised > terms->count)
        return false;
    for (const struct link *link = terms->line.ends.next; link != &terms->line.ends;
         link = link->next) {
        struct seek *other = link->owner;
        bool is_promised = other == seek || other == bot;
        if (is_promised)
            promised--;
        else if (group->count + promised >= terms->count || !is_of(other, company, bot) ||
                 !get_along(seek, other) || !sit_down(other, &taken))
            continue;
        group->members[group->count++] = other;
        if (group->count == terms->count)
            return true;
    }
    return false;
}

/* Whether the first one is made of those who came before. */
static bool came_before(const struct seek_group *one, const struct seek_group *other)
{
    for (int i = 0; i < one->count; i++)
        if (one->members[i] != other->members[i])
            return came_first(one->members[i], other->members[i]);
    return false;
}

static void keep_first(struct seek_group *best, const struct seek_group *group)
{
    if (best->count == 0 || came_before(group, best))
        *best = *group;
}

/* Of programs that want no other one the first of each wish of a seat: another one would do no better. */
static void try_each_bot(const struct seek *seek, struct seek_group *best)
{
    bool tried[SEAT_WISHES] = {false};
    struct seek_group group;
    for (const struct link *link = seek->terms->line.ends.next; link != &seek->terms->line.ends;
         link = link->next) {
        struct seek *bot = link->owner;
        bool *seen = &tried[bot->wish.seat + 1];
        if (!bot->wish.is_bot || !bot->wish.no_bots || !get_along(seek, bot) || *seen)
            continue;
        *seen = true;
        if (gather(seek, COMPANY_OF_ONE_BOT, bot, &group))
            keep_first(best, &group);
    }
}

/* Whose seats are left go to the others by lot. */
static void give_seats(struct seek_group *group, uint64_t random)
{
    int left[PLAYER_COUNT_MAX], left_count = 0;
    uint32_t taken = 0;
    for (int i = 0; i < group->count; i++)
        sit_down(group->members[i], &taken);
    for (int seat = 0; seat < group->count; seat++)
        if (!(taken >> seat & 1))
            left[left_count++] = seat;
    for (int i = 0; i < group->count; i++) {
        group->seats[i] = group->members[i]->wish.seat;
        if (group->seats[i] != SEEK_ANY_SEAT)
            continue;
        int drawn = (int)(random % (uint64_t)left_count);
        random /= (uint64_t)left_count;
        group->seats[i] = left[drawn];
        left[drawn] = left[--left_count];
    }
}

bool seeks_match(struct seeks *seeks, struct seek *seek, uint64_t random, struct seek_group *group)
{
    struct seek_group best = {.count = 0};
    assert(seek->stage == SEEK_WAITS);
    if (gather(seek, COMPANY_OF_PEOPLE, NULL, group))
        keep_first(&best, group);
    if (gather(seek, COMPANY_OF_ALL, NULL, group))
        keep_first(&best, group);
    if (seek->wish.is_bot && gather(seek, COMPANY_OF_ONE_BOT, seek, group))
        keep_first(&best, group);
    if (!seek->wish.is_bot)
        try_each_bot(seek, &best);
    *group = best;
    if (best.count == 0)
        return false;
    for (int i = 0; i < group->count; i++)
        step_out(seeks, group->members[i], SEEK_CHOSEN);
    give_seats(group, random);
    return true;
}
