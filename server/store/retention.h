/* What the drivers share about the end of rooms: which may go, and how much is done at a time. */
#ifndef SERVER_STORE_RETENTION_H
#define SERVER_STORE_RETENTION_H

#include "server/store/store.h"

#ifdef STORE_SMALL /* for tests: every bound is met all the time */
enum { RETENTION_EVENTS_MAX = 3, RETENTION_SOUGHT_MAX = 10 };
#else
enum {
    RETENTION_EVENTS_MAX =
        256, /* removed with a room, or expired in one survey: some milliseconds */
    RETENTION_SOUGHT_MAX = 1000, /* events among which a first move is looked for */
};
#endif

struct retention_facts {
    enum store_room_status status;
    bool is_public;
    int64_t version, last_ms; /* of its last event */
    int64_t due_ms;           /* a clock runs out then at the earliest; 0: none does */
};

/* Whether it matters if anybody ever moved there: only then it is worth looking. */
bool retention_asks_for_moves(const struct store_retention *retention,
                              const struct retention_facts *facts);
enum store_expiry retention_judge(const struct store_retention *retention,
                                  const struct retention_facts *facts, bool moved);

/* The room is counted and, if it may go, named; `id` is the answer's. */
void retention_note(struct store_survey *survey, const char *id,
                    const struct retention_facts *facts, enum store_expiry why);
/* Whether the rooms named make work enough for once. */
bool retention_is_enough(const struct store_survey *survey);
/* How many rooms a survey looks at. */
int retention_rooms(const struct store_request *request);

#endif
