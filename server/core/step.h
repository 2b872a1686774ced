/* One stored event of a room taken in: by a thread that wakes the room, and by the loop when another server has written to a
 * room that is here. Either way the room changes as it did for whoever wrote the event, and the frames are the very bytes that
 * were sent there. */
#ifndef SERVER_CORE_STEP_H
#define SERVER_CORE_STEP_H

#include "server/core/publish.h"

struct stepper {
    struct publish_desk desk;
    struct room *room;
    const struct store_room *
        row; /* borrowed: who sits there, with their tokens' digests; NULL: the event changes no seats */
    int64_t shown_from;  /* frames are made of the events from that version on, */
    int64_t acting_from; /* and from that on for the seat that must act, too */
    bool hash_known;     /* room->hash is that of the room as it is */
    /* Of an earlier server's rematch; who sat there from the start stands nowhere but in the row, which says who sits there
     * last. So what was sent before seats were handed over cannot be made again. */
    bool older_rematch;
};

/* What the step was. */
struct stepped {
    enum event_kind kind;
    struct identity former; /* of a handover: who held the seats */
};

/* The event has to be the room's next one. False when it cannot follow. */
bool step_take(struct stepper *stepper, const struct store_event *stored, struct stepped *stepped);
/* The hash of the room's state as it is. */
uint32_t step_hash(const struct stepper *stepper);

#endif
