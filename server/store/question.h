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
    _Alignas(max_align_t) char texts[]; /* what the request borrows */
};

struct question_row {
    struct question *first, *last;
};

void question_row_put(struct question_row *row, struct question *question); /* last */
struct question *
question_row_take(struct question_row *row); /* the first one, which there must be */

/* In the order asked, but a room's past can wait: who asks for it stands behind all others. Otherwise thousands of pages
 * that somebody asks for would stand before everybody's moves. And a lease comes before all: when everybody comes back at once,
 * after another server's death, it would be over while their rooms are read, and they would be sent away, and come back. */
struct questions {
    struct question_row urgent, prompt, patient;
};
enum { QUESTIONS_PATIENT = 4 }; /* done at once: whoever comes meanwhile waits for them */

void questions_put(struct questions *questions, struct question *question);
/* All of `from` goes behind `to`. */
void questions_move(struct questions *to, struct questions *from);
bool questions_none(const struct questions *questions);
/* Of those in `from`, what is done next, as one: a lease; or all that cannot wait, up to `most`, as long as there is something; or a few of those
 * that can, which are never done along with others, so that no move waits for them to be read before it is answered. Of
 * both there is something, they take turns: `had_prompt` keeps whose turn it was. How many. */
int questions_take(struct questions *from, struct question_row *batch, int most, bool *had_prompt);

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
