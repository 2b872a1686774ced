/* Work for threads, and whose turn it is.
 *
 * A *task* is one piece of such work: a definition to compile, a record to play again, a long room to bring into memory. It
 * is done in *parts* of some milliseconds, so that a long one does not keep a thread from those who wait. A *lane* is
 * what one address waits for. The next part is always of the lane that has had the least work so far; a lane that
 * comes back begins where the others are, so nothing is saved up, and nobody who asks for little waits behind somebody who
 * asks for much. A few parts are under way at a time, fewer of one lane.
 *
 * What waits is bounded in places, of a lane and of all together; a task takes some by its kind, and one more for every 4 KiB
 * it holds. When all places are taken, the newest task of the longest lane is refused: nobody shuts others out by asking
 * for a lot. */
#ifndef SERVER_CORE_TASKS_H
#define SERVER_CORE_TASKS_H

#include "server/core/core.h"
#include "server/core/list.h"

enum {
    TASKS_AT_WORK_MAX = 3, /* libuv has four threads; one stays free for what else it does */
    TASKS_LANE_AT_WORK_MAX = 2,
    TASK_PLACES_MAX = 8192,
    TASK_LANE_PLACES_MAX = 512,
    TASK_PLACE_BYTES = 4096,
    /* Of one task, besides those for what it holds: 512 rooms, or 32 of what strangers have written. */
    TASK_PLACES_WAKE = 1,
    TASK_PLACES = 16,
    TASK_PART_UNITS = 1000 * 1000, /* of engine/work.h: some 10 ms */
};

struct task;

struct task_kind {
    int places;
    /* On a thread: one part of the work; true once all of it is done. */
    bool (*work)(struct task *task);
    /* On the loop, one of these two, and the task is theirs: it is done, or it has lost its place to another lane's. */
    void (*done)(struct core *core, struct task *task);
    void (*refused)(struct core *core, struct task *task, uint64_t retry_ms);
    void (*release)(struct core *core, struct task *task);
};

/* The first member of each kind's own. All zero but for `kind` and `peer` when it is asked for. */
struct task {
    struct job job;
    const struct task_kind *kind;
    struct task *next;
    struct account *account; /* whose lane it waits in; held */
    peer_id peer;            /* who pays for it, too, as long as it is there; 0: nobody */
    int places;
    bool begun, finished;
    uint64_t units; /* what its last part took */
    uint64_t began_ms, worked_ms;
    struct link link; /* in tasks->under_way */
};

/* Part of an account; all zero at first. */
struct lane {
    struct task *first, **end; /* that wait, owned */
    int places, at_work;
    uint64_t used;    /* units: what it has had, on the clock of all */
    struct link link; /* in tasks->lanes while something of it waits */
};

struct tasks {
    struct list lanes;     /* with something that waits */
    int places, at_work;   /* of all */
    struct list under_way; /* tasks of which a part is done on a thread */
    uint64_t clock;        /* what the lane had had that was served last */
    uint64_t mean_ms;      /* how long a thread works at a task */
};

void tasks_init(struct tasks *tasks);
/* All of them: no thread works for this core any more. */
void tasks_release(struct core *core);

/* Takes the task, which holds so many bytes, into the account's lane. 0, or the milliseconds until there will be a place: then it
 * is not taken. */
uint64_t task_ask(struct core *core, struct task *task, struct account *account, size_t bytes);
/* Somebody else wants it, too: it waits in the shorter lane of both. */
void task_share(struct core *core, struct task *task, struct account *account);
void task_worked(struct core *core, struct job *job);
int tasks_waiting(const struct tasks *tasks);

#endif
