/* A new room of the same game, in which the first moves of another one have been made. Where it has clocks they are full: nobody there has
 * used any time. */
#include "engine/memory/memory.h"
#include "server/core/birth.h"
#include "server/core/handlers.h"
#include "server/core/holdings.h"

#include <stdlib.h>
#include <string.h>

struct fork {
    char room[ROOM_ID_BYTES + 1];
    int ply;
    struct time_control clock;
    struct move moves[];
};

static void tell(struct birth *birth, struct event *created)
{
    const struct fork *fork = birth->source;
    struct event_move *moves = memory_zeroed((size_t)fork->ply + 1, sizeof *moves);
    for (int i = 0; i < fork->ply; i++)
        moves[i] = edition_name_move(&birth->nascent.borrowed, fork->moves[i]);
    created->fork_room = text_of(fork->room);
    created->fork_ply = fork->ply;
    created->clock = fork->clock.is_set ? &fork->clock : NULL;
    created->move_count = fork->ply;
    created->moves = moves;
}

static void forget_moves(struct birth *birth, struct event *created)
{
    (void)birth;
    free((void *)created->moves);
}

static void release_fork(struct core *core, void *source)
{
    (void)core;
    free(source);
}

static struct fork *fork_of(const struct room *room, int ply, const struct time_control *clock)
{
    struct fork *fork = memory_bytes(sizeof *fork + sizeof *fork->moves * (size_t)ply);
    memcpy(fork->room, room->id, sizeof room->id);
    fork->ply = ply;
    fork->clock = *clock;
    for (int i = 0; i < ply; i++)
        fork->moves[i] = room->moves[i].move;
    return fork;
}

enum refusal fork_create(struct request *request, const struct author *author,
                         const struct time_control *clock)
{
    const struct room *room = request->room;
    int64_t ply = request->message->create.fork_ply;
    if (ply > room->move_count)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "fork.ply: the room has come to %d",
                              room->move_count);
    if (clock->is_set && !standing_names_players(room->edition->game, clock))
        return REFUSAL_NO_SUCH_SEAT;
    if (!holdings_may_grow(request->core) || !holdings_has_room_for(request->core, room->edition))
        return REFUSAL_UNAVAILABLE;
    struct birth *birth = birth_new(request->core, edition_retain(room->edition));
    birth->author = *author;
    birth->task.peer = author->peer;
    birth->source = fork_of(room, (int)ply, clock);
    birth->tell = tell;
    birth->told = forget_moves;
    birth->release_source = release_fork;
    memcpy(birth->game, room->game, sizeof birth->game);
    /* The fork names its room: unless it is asked for, nobody learns so of a private one. */
    enum visibility wanted = request->message->create.visibility;
    birth->is_public = wanted == VISIBILITY_USUAL ? room->is_public : wanted == VISIBILITY_PUBLIC;
    request->retry_ms = birth_ask(request->core, birth, request->session->account,
                                  sizeof(struct move) * (size_t)ply);
    return request->retry_ms > 0 ? REFUSAL_UNAVAILABLE : REFUSAL_NONE;
}
