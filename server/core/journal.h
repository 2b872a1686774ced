/* From a wish to a durable event: what a command would change is decided, appended to the store,
 * and only when the store says so applied, acknowledged and shown. One append is under way in a
 * room at a time. */
#ifndef SERVER_CORE_JOURNAL_H
#define SERVER_CORE_JOURNAL_H

#include "server/core/parts.h"
#include "server/core/step.h"

/* The event is to follow in the request's room. REFUSAL_NONE: it has been asked for, and the answer
 * to the command comes with the store's. The event must be able to follow: that it may was the
 * caller's to find out, but for a move's legality (ILLEGAL_MOVE). */
enum refusal journal_propose(struct request *request, const struct event *wanted);
/* The same of a move, whose cells and choice are known by their indices already. */
enum refusal journal_propose_move(struct request *request, const struct event *wanted,
                                  struct move asked);

/* The flag of whoever is to move has fallen. */
void journal_flag(struct core *core, struct room *room);

/* A new room. Takes the edition's reference. */
struct new_room {
    struct edition *edition;
    const char *game; /* id of a served game, or "" */
    bool is_public;
    const struct time_control *clock; /* NULL: none */
    const char *id;                   /* NULL: any */
    bool rated;                       /* see ladder.h */
};
/* BAD_DEFINITION: see catalogue_game_fault. `seats`: who has them all from the start; NULL: they are free. */
enum refusal journal_create_seated(struct core *core, const struct author *author,
                                   const struct new_room *wanted, const struct seat *seats);
static inline enum refusal journal_create(struct core *core, const struct author *author,
                                          const struct new_room *wanted)
{
    return journal_create_seated(core, author, wanted, NULL);
}
/* A room that begins with a past, made already (birth.h); taken. */
struct made_room {
    struct room *room;
    const struct event *created; /* its first event without that past, */
    const char *body;            /*   and all of it, as it is stored */
};
enum refusal journal_create_made(struct core *core, const struct author *author,
                                 const struct made_room *made);
/* The next room for the same players, seats rotated by one, and the event in this one that names
 * it: both or neither. */
enum refusal journal_rematch(struct request *request, const struct time_control *control);

/* Another server's event has been taken in: it is shown. shown_ms: when it was there, as far as we know. */
void journal_followed(struct core *core, struct room *room, const struct stepped *stepped,
                      int64_t shown_ms);

/* Whoever wants what was decided does not get it. */
void journal_refuse_author(struct core *core, const struct decision *decision, enum refusal refusal,
                           const struct room *room);
void journal_answered(struct core *core, const struct ticket *ticket,
                      const struct store_answer *answer);

/* Whether a command that once made an event `done` is the one that would make `wanted` now. */
bool journal_same_command(enum event_kind done, enum event_kind wanted);

/* After a join, new or again: the session is in the room and sees it. False: it is in too many
 * rooms. */
bool journal_let_in(struct core *core, struct session *session, struct room *room,
                    struct text command, int64_t version, bool seated);

#endif
