#include "server/core/giving_way.h"

enum { LOOKS = 64, SHARE_PART = 16, SHARE_MIN = 64 };

enum worth { WATCHED, SEATED, PLAYED };

static enum worth worth_of(const struct room *room)
{
    if (room->players == 0)
        return WATCHED;
    return room->standing.status == STATUS_PLAYING ? PLAYED : SEATED;
}

/* Of who is in it, who is in most rooms. */
static int greed_of(const struct room *room)
{
    int most = 0;
    for (int i = 0; i < room->attached_count; i++) {
        const struct session *session = room->attached[i]->session;
        if (!session->local && session->account->in_rooms > most)
            most = session->account->in_rooms;
    }
    return most;
}

/* Where somebody sits and waits, only if he does so in very many rooms. */
static bool may_go(const struct room *room)
{
    enum worth worth = worth_of(room);
    return room->pins == 0 && !room->loading && !room_busy(room) && !room->waiting_first &&
           (worth == WATCHED || (worth == SEATED && greed_of(room) > SHARE_MIN));
}

static bool goes_before(const struct room *room, const struct room *other)
{
    if (!other || worth_of(room) != worth_of(other))
        return !other || worth_of(room) < worth_of(other);
    return greed_of(room) > greed_of(other);
}

struct room *giving_way_find(struct core *core)
{
    struct room *best = NULL;
    for (int looks = 0; looks < LOOKS; looks++) {
        struct room *room = map_next(&core->rooms, &core->rooms_hand);
        if (!room)
            core->rooms_hand = 0;
        else if (may_go(room) && goes_before(room, best))
            best = room;
    }
    return best;
}

bool giving_way_has_share(const struct core *core, const struct session *session)
{
    uint32_t share = core->options.rooms_live_max / SHARE_PART;
    if (session->account->unlimited)
        return false;
    return session->account->in_rooms >= (int)(share > SHARE_MIN ? share : SHARE_MIN);
}
