/* One request's conversation with the core, as the player its browser id stands for: who are you, which room is mine, let
 * me in, what has happened, and perhaps one move. Values in, values out: what the core says goes in by visit_hear, what is
 * to be said stands in `say` afterwards. */
#ifndef SERVER_CHESS_MATE_VISIT_H
#define SERVER_CHESS_MATE_VISIT_H

#include "server/chess_mate/scorebook.h"

enum { TARGETS_MAX = 128, CHOICE_BYTES_MAX = 15, NONCE_BYTES = 16 };

enum wish {
    WISH_NEW_GAME,
    WISH_GAME,    /* as it stands */
    WISH_TARGETS, /* where may the figure on `from` go? */
    WISH_MOVE,
    WISH_NOTHING, /* but that the game is there */
};

enum visit_outcome {
    VISIT_GOES_ON, /* it goes on */
    VISIT_DONE,    /* durable, and in `scorebook` */
    VISIT_EXISTS,
    VISIT_NOT_FOUND,
    VISIT_INVALID_MOVE,
    VISIT_UNAVAILABLE, /* now; the same again may work */
    VISIT_FAILED,
};

enum visit_step {
    VISIT_GREETING,
    VISIT_LOOKING,
    VISIT_CREATING,
    VISIT_JOINING,
    VISIT_READING,
    VISIT_MOVING,
    VISIT_OVER
};

struct visit {
    enum wish wish;
    int from, to;                      /* of WISH_TARGETS and WISH_MOVE */
    char choice[CHOICE_BYTES_MAX + 1]; /* what a pawn is to become; "": a queen */
    char token[TOKEN_BYTES + 1];
    char nonce[NONCE_BYTES + 1]; /* makes the move's command one of its own */

    /* what comes of it */
    enum visit_outcome outcome;
    struct scorebook scorebook;
    int targets[TARGETS_MAX];
    int target_count;
    struct writer say; /* a command, or nothing */

    /* private */
    enum visit_step step;
    int64_t version;
    bool may_move, chooses; /* the move is legal; and one of several between its squares */
    bool has_snapshot, has_ack, has_moved;
    int64_t moved_ms;
};

void visit_init(struct visit *visit);
void visit_release(struct visit *visit);
void visit_hear(struct visit *visit, const char *text, size_t length);
/* The core has hung up. */
void visit_break_off(struct visit *visit);

#endif
