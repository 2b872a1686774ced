#include "server/core/bots.h"

#include "engine/memory/memory.h"
#include "server/core/invitation.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOKS = 256,  /* of the queue, and of those that play, at a time */
    CALLS = 8,    /* bots that are called at a time */
    FEW = 16,     /* are looked at whenever something changes */
    EVERY_MS = 10 /* and more so often: it costs, and whoever invites does not notice */
};

struct bot {
    struct link link; /* in core->bots.waiting or .playing */
    struct identity identity;
    char room[ROOM_ID_BYTES + 1];
    int seat, level;
    struct account *address, *player; /* held: of who asked for it */
    bool plays;
    bool again; /* when it has gone it is wanted again */
};

/* --- whose they are --------------------------------------------------------------------------- */

static bool is_below(const struct account *account, uint32_t bound)
{
    return account->unlimited || (uint32_t)account->bots < bound;
}

bool bots_may_invite(const struct core *core, const struct session *session)
{
    return is_below(session->account, core->options.bots_of_address) &&
           is_below(session->player_account, core->options.bots_of_player);
}

static struct bot *bot_new(struct core *core, const struct identity *identity,
                           const struct session *session)
{
    struct bot *bot = memory_zeroed(1, sizeof *bot);
    bot->identity = *identity;
    bot->address = account_hold(session ? session->account : &core->accounts.local);
    bot->player = account_hold(session ? session->player_account : &core->accounts.local);
    bot->address->bots++;
    bot->player->bots++;
    map_put(&core->bots.all, bot->identity.player, PLAYER_ID_BYTES, bot);
    return bot;
}

static void bot_free(struct core *core, struct bot *bot)
{
    list_remove(&bot->link);
    map_remove(&core->bots.all, bot->identity.player, PLAYER_ID_BYTES);
    bot->address->bots--;
    bot->player->bots--;
    account_let_go(&core->accounts, bot->address, core->now_ms);
    account_let_go(&core->accounts, bot->player, core->now_ms);
    free(bot);
}

/* --- the queue -------------------------------------------------------------------------------- */

static void queue(struct core *core, struct bot *bot)
{
    bot->plays = bot->again = false;
    list_append(&core->bots.waiting, &bot->link, bot);
    core->bots.changed = true;
}

void bots_want(struct core *core, const struct room *room, int seat, int level,
               const struct session *session)
{
    struct identity identity;
    invitation_identity(core, room, seat, level, &identity);
    struct bot *bot = map_find(&core->bots.all, identity.player, PLAYER_ID_BYTES);
    if (bot) {
        bot->again = bot->plays; /* it may be on its way out */
        core->bots.changed = true;
        return;
    }
    bot = bot_new(core, &identity, session);
    memcpy(bot->room, room->id, sizeof bot->room);
    bot->seat = seat;
    bot->level = level;
    queue(core, bot);
}

void bots_gone(struct core *core, const struct session *session)
{
    if (!session->local || session->identity.player[0] == '\0')
        return;
    struct bot *bot = map_find(&core->bots.all, session->identity.player, PLAYER_ID_BYTES);
    if (!bot || !bot->plays)
        return;
    core->bots.playing_count--;
    bot->address->bots_playing--;
    core->bots.changed = true;
    if (bot->again)
        queue(core, bot);
    else
        bot_free(core, bot);
}

static bool is_wanted(const struct core *core, const struct bot *bot)
{
    const struct room *room = core_find_room(core, bot->room);
    if (!room || room->loading || room->standing.status == STATUS_FINISHED)
        return false;
    const struct seat *seat = &room->standing.seats[bot->seat];
    if (seat->taken)
        return seat->house && identity_equal(&seat->holder, &bot->identity);
    return invitation_expects(core, room, bot->seat) == bot->level;
}

static bool has_people(const struct core *core, const struct bot *bot)
{
    const struct room *room = core_find_room(core, bot->room);
    return room && room->people_count > 0;
}

static bool is_next(const struct core *core, const struct bot *bot, const struct bot *best)
{
    uint32_t bound = core->options.bots_of_address;
    if (!bot->address->unlimited && (uint32_t)bot->address->bots_playing >= bound)
        return false;
    return has_people(core, bot) &&
           (!best || bot->address->bots_playing < best->address->bots_playing);
}

/* Who is not wanted any more is forgotten on the way. */
static struct bot *find_next(struct core *core)
{
    struct bot *best = NULL, *bot;
    int looks = 0;
    for (struct link *link = core->bots.waiting.ends.next, *next;
         link != &core->bots.waiting.ends && looks < LOOKS; link = next, looks++) {
        next = link->next;
        bot = link->owner;
        if (!is_wanted(core, bot))
            bot_free(core, bot);
        else if (is_next(core, bot, best))
            best = bot;
    }
    /* Those nobody is there for do not stand before the others for ever. */
    while (!best && looks-- > 0 && (bot = list_first(&core->bots.waiting)))
        list_append(&core->bots.waiting, &bot->link, bot);
    return best;
}

static void call(struct core *core, struct bot *bot)
{
    const struct room *room = core_find_room(core, bot->room);
    char token[TOKEN_BYTES + 1];
    invitation_token(core, room, bot->seat, bot->level, token);
    bot->plays = true;
    list_append(&core->bots.playing, &bot->link, bot);
    core->bots.playing_count++;
    bot->address->bots_playing++;
    core->ports.house_bot(core->ports.context, room->id, room->edition->seat_names[bot->seat],
                          bot->level, token);
}

/* --- giving way ------------------------------------------------------------------------------- */

static struct session *session_of(const struct core *core, const struct bot *bot)
{
    const struct room *room = core_find_room(core, bot->room);
    for (int i = 0; room && i < room->attached_count; i++) {
        struct session *session = room->attached[i]->session;
        if (session->local && identity_equal(&session->identity, &bot->identity))
            return session;
    }
    return NULL;
}

static bool goes_before(const struct core *core, const struct bot *bot, const struct bot *other)
{
    if (!other || has_people(core, bot) != has_people(core, other))
        return !other || !has_people(core, bot);
    return bot->address->bots_playing > other->address->bots_playing;
}

static struct bot *find_who_goes(const struct core *core, const struct bot *next)
{
    struct bot *best = NULL;
    int looks = 0;
    for (struct link *link = core->bots.playing.ends.next;
         link != &core->bots.playing.ends && looks < LOOKS; link = link->next, looks++) {
        struct bot *bot = link->owner;
        bool has_more = bot->address->bots_playing > next->address->bots_playing + 1;
        if (!bot->again && (has_more || !has_people(core, bot)) && goes_before(core, bot, best))
            best = bot;
    }
    return best;
}

static void make_place(struct core *core, const struct bot *next)
{
    struct bot *bot = find_who_goes(core, next);
    struct session *session = bot ? session_of(core, bot) : NULL;
    if (!session)
        return;
    bot->again = true;
    list_append(&core->bots.playing, &bot->link, bot);
    core->statistics.bots_gave_way++;
    session_close(core, session, CLOSE_ROOM_GONE, "somebody else's turn");
}

void bots_settle(struct core *core)
{
    if (core->now_ms < bots_deadline_ms(core))
        return;
    struct bot *next;
    core->bots.due_ms = core->now_ms + (core->bots.all.count > FEW ? EVERY_MS : 0);
    core->bots.changed = false;
    for (int calls = 0; (next = find_next(core)); calls++) {
        if (calls == CALLS) {
            core->bots.changed = true;
            return;
        }
        if (core->bots.playing_count >= (int)core->options.bots_max) {
            make_place(core, next);
            return;
        }
        call(core, next);
    }
}

uint64_t bots_deadline_ms(const struct core *core)
{
    bool waits = core->bots.changed && !core->stopping && core->has_secret;
    return waits ? core->bots.due_ms : UINT64_MAX;
}

/* --- life ------------------------------------------------------------------------------------- */

void bots_init(struct core *core)
{
    map_init(&core->bots.all, core->hash_key);
    list_init(&core->bots.waiting);
    list_init(&core->bots.playing);
}

void bots_release(struct core *core)
{
    for (size_t cursor = 0; core->bots.all.count > 0; cursor = 0)
        bot_free(core, map_next(&core->bots.all, &cursor));
    map_release(&core->bots.all);
}
