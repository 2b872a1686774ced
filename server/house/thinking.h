/* Threads on which the house's guests think, and whoever wants a hint has it thought out.
 *
 * Everything here is called on the loop. A question takes a copy of a position with it and waits for one of a few threads, which
 * give way to the rest of the program (they are nicer to the scheduler); its answer comes on the loop, in a later turn. What is found is bounded
 * by the level, in nodes; the time is bounded besides, and by less where many wait. Judges are made once for a game and kept for a few. */
#ifndef SERVER_HOUSE_THINKING_H
#define SERVER_HOUSE_THINKING_H

#include "engine/bot/searcher.h"

struct uv_loop_s;
struct thinking;

enum {
    THINKING_THREADS_MAX = 8,
    THINKING_TIME_MS = 1000,     /* for one question; divided by how many wait, */
    THINKING_TIME_LEAST_MS = 50, /*   but not below this */
    THINKING_JUDGES_MAX = 16,
};

struct thinking_question {
    uint64_t asker;
    int64_t version; /* the asker's own mark */
    int level;       /* 0: a hint, of so many `lines` */
    int lines;
    uint64_t seed;
    struct position *position; /* taken */
};

/* The best first, one unless it is a hint; `count` 0: there is no legal move. All is borrowed for the call. */
typedef void thinking_answered(void *context, const struct thinking_question *question,
                               const struct search_answer *answers, int count);

struct thinking *thinking_new(struct uv_loop_s *loop, int thread_count, thinking_answered *answered,
                              void *context);
void thinking_ask(struct thinking *thinking, const struct thinking_question *question);
/* Nothing is answered to the asker any more. */
void thinking_forget(struct thinking *thinking, uint64_t asker);
/* Stops what is under way and waits for the threads, some milliseconds; freed when the loop has closed its handle. */
void thinking_close(struct thinking *thinking);

#endif
