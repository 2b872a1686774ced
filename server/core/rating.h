/* Ratings: games that are over count, and who asks is told.
 *
 * A room made as `rated` has a ladder (ladder.h). When its game is over the store notes that, with the very event, and so
 * does not forget it. One of all servers looks for what is noted, brings the room into its memory if nobody's is there, reads what its players' ratings
 * are, works out what they will be (strength.h), and has the store write that under the next number: only if the players
 * are where they were, so that whoever does the same at the same time does it in vain and looks again.
 *
 * Whose rating: of who sat down, so that a game about to be lost is not given to somebody else with the seat's key. If
 * that one has no rating in the ladder the rating goes along with the seat: it is the same person on another device. */
#ifndef SERVER_CORE_RATING_H
#define SERVER_CORE_RATING_H

#include "server/store/store.h"

#include <stdbool.h>
#include <stdint.h>

struct core;
struct room;
struct ticket;

enum {
    RATING_QUESTIONS_MAX = 64, /* over HTTP, at the store at once */
    RATING_LEADERS = 50,
};

struct rating {
    uint64_t look_ms;
    bool is_asked;
    /* Where the looking goes on: what stays behind, for its room cannot be read, is come back to. */
    int64_t after_ms;
    char after[STORE_ROOM_BYTES + 1];
    int questions;
};

void rating_init(struct core *core);
/* Something has happened in the room. */
void rating_note(struct core *core, const struct room *room);
void rating_time(struct core *core);
uint64_t rating_deadline_ms(const struct core *core);
void rating_answered(struct core *core, const struct ticket *ticket,
                     const struct store_answer *answer);

#endif
