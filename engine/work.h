/* Work, counted: what the engine's answers cost.
 *
 * A unit is about one look at a cell: a cell of a condition or a path asked about, a node of a condition judged, a word
 * of a bit set combined. Bigger things count as many as their tables say: a candidate a few, a trial its changes, a ray
 * the words of its set. The fast path counts by batches. What is counted depends on the game, the position and the question
 * alone: it is the same on every machine, at every time, in every build of one version. tests/bench/work_bench says how
 * long a unit of each kind takes.
 *
 * The counter belongs to the thread that works, and only grows: who wants to know what something cost reads it before and
 * after. A limit holds within a *stretch*:
 *
 *     struct work_stretch stretch = work_begin(WORK_ANSWER_MAX);
 *     int count = movegen_all(position, moves);
 *     if (!work_end(&stretch))
 *         ...                           it was too much, and `count` and `moves` mean nothing
 *
 * Once the limit is passed, every question is answered at once, with anything: conditions do not hold, there are no moves.
 * A position is whole all the same: what was tried out on it has been taken back, and what was made can be. Stretches lie
 * within each other, and an inner one never allows more than is left of the outer. Without a stretch there is no limit. */
#ifndef ENGINE_WORK_H
#define ENGINE_WORK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WORK_ANSWER_MAX = 1000 * 1000, /* for whatever is asked about a game that is going on */
    /* For what is asked of a position once (trial.h). One command asks several times: it finds the move, makes it, tells
     * how it is written, and which ones may follow. */
    WORK_POSITION_MAX = WORK_ANSWER_MAX / 4,
    WORK_AGAIN_MAX = 16 * WORK_ANSWER_MAX, /* of what is in a log: it has been done before */
    WORK_LOAD_MAX = 24 * 1000 * 1000,      /* to load a game that nobody has played yet */
};

/* What bigger things count as. */
enum {
    WORK_SEARCH = 7,      /* the first of many candidates found */
    WORK_CANDIDATE = 4,   /* a candidate found and judged, but for what its words ask */
    WORK_QUESTION = 96,   /* a question about moves, whatever it finds */
    WORK_NODE = 4,        /* a value of the file looked up, when it is loaded */
    WORK_EXPRESSION = 64, /* an expression of the file evaluated for a cell; long ones more */
    WORK_CHANGE = 4,      /* a cell changed, and changed back */
    WORK_TRIAL = 16, /* a move made and taken back, but for what its words ask and it changes */
};

/* Words of sets lie beside each other: many cost less than as many looks. */
#define WORK_WORDS(words) ((uint64_t)((words) + 1) / 2)

struct work_shares; /* which words of the file the work was done for: work_shares.h */

struct work {
    uint64_t spent, limit;
    struct work_shares *shares; /* NULL: nobody asks */
};

/* The engine is part of a program, never of a library that is loaded later: so the counter is one instruction away. */
#if defined(__GNUC__) && defined(__ELF__)
#define WORK_NEAR __attribute__((tls_model("local-exec")))
#else
#define WORK_NEAR
#endif

extern _Thread_local struct work work_here WORK_NEAR;

/* Counts; false once that is too much. */
static inline bool work_spend(uint64_t units)
{
    work_here.spent += units;
    return work_here.spent <= work_here.limit;
}

static inline bool work_is_too_much(void)
{
    return work_here.spent > work_here.limit;
}

/* All that this thread has done so far. */
static inline uint64_t work_spent(void)
{
    return work_here.spent;
}

struct work_stretch {
    uint64_t limit, outer_limit;
};

static inline struct work_stretch work_begin(uint64_t units)
{
    struct work_stretch stretch = {.outer_limit = work_here.limit};
    uint64_t left = work_here.limit > work_here.spent ? work_here.limit - work_here.spent : 0;
    stretch.limit = work_here.spent + (units < left ? units : left);
    work_here.limit = stretch.limit;
    return stretch;
}

/* Whether the units were enough. The limit outside holds again. */
static inline bool work_end(const struct work_stretch *stretch)
{
    work_here.limit = stretch->outer_limit;
    return work_here.spent <= stretch->limit;
}

#endif
