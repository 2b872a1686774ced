/* A request on its way from the loop to the store's thread, and its answer on the way back: one piece of memory that
 * changes hands in linked lists. Lists and spares have one owner at a time and know no lock. */
#ifndef SERVER_STORE_QUESTION_H
#define SERVER_STORE_QUESTION_H

#include "server/store/request.h"

#include <stdbool.h>
#include <stddef.h>

struct question {
    struct question *next;
    size_t text_room;
    struct store_request request;
    struct store_answer answer;
    char texts[]; /* what the request borrows */
};

struct questions {
    struct question *first, *last;
};

void questions_put(struct questions *list, struct question *question); /* last */
/* All of `from` goes behind `to`. */
void questions_move(struct questions *to, struct questions *from);
struct question *questions_take(struct questions *list); /* the first one, which there must be */

/* Questions with short texts, as a move's, are used again: they are larger than what an allocator has at hand. */
struct question_spares {
    struct question *first; /* owned */
    size_t count;
};
/* Room for a copy of the request; NULL: there is no memory. */
struct question *question_new(struct question_spares *spares, const struct store_request *request);
void question_free(struct question_spares *spares, struct question *question);
void question_spares_release(struct question_spares *spares);

#endif
