/* A room that begins with a past: a fork with the moves made before it, an import with a game's log. The room is made, and
 * its first event written, on a thread; then it comes into the table and is stored like any other. */
#ifndef SERVER_CORE_BIRTH_H
#define SERVER_CORE_BIRTH_H

#include "server/core/nascent.h"

enum { BIRTH_UNITS_MAX = 80 * 1000 * 1000 }; /* of engine/work.h: about a second of a thread */

struct birth {
    struct task task; /* first: a task of this kind is a birth */
    struct nascent nascent;
    struct author author; /* to be set, like the next three, by whoever asks */
    bool is_public;
    char game[WORD_BYTES_MAX + 1]; /* id of a served game, or "" */
    /* Says where the room comes from and what has happened, with texts that live as long as the birth. On the thread. */
    void (*tell)(struct birth *birth, struct event *created);
    void *source; /* for `tell`; owned, with the function that frees it */
    void (*release_source)(struct core *core, void *source);
    /* Frees what `tell` has made, and of the source what is large: on the thread as well. */
    void (*told)(struct birth *birth, struct event *created);

    uint64_t at_ms;
    struct event created; /* what is left of it for the loop: all but moves and log */
    struct writer body;   /* of the first event, as it is stored */
    enum refusal refusal;
};

/* Takes the edition. `source` is taken, whatever comes. */
struct birth *birth_new(struct core *core, struct edition *edition);
/* Takes the birth. 0: its author will be answered. Else the milliseconds until there will be a place for it. */
uint64_t birth_ask(struct core *core, struct birth *birth, struct account *account, size_t bytes);

#endif
