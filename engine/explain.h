/* Why a move is legal, or what forbids it first: the words of the game file that decided, for players and authors. */
#ifndef ENGINE_EXPLAIN_H
#define ENGINE_EXPLAIN_H

#include "engine/position.h"

enum { EXPLANATION_POINTERS_MAX = 16, EXPLANATION_WORDS_MAX = 400 };

enum verdict_kind {
    VERDICT_LEGAL,
    VERDICT_GAME_OVER,
    VERDICT_NOT_YOURS,   /* no figure of the player to move stands there */
    VERDICT_NO_MOVEMENT, /* no movement of the figure leads there from here */
    VERDICT_BLOCKED,     /* one does, but its words do not hold: the first that fails is named */
    VERDICT_FORBIDDEN,   /* `forbid` */
    VERDICT_PRIORITY, /* another move goes first: a capture, a longer one, another figure must go on */
    VERDICT_CHOICE, /* a choice is missing, or not one of those offered */
};

/* Pointers are JSON pointers into the game file, borrowed from the game; the first says most. */
struct explanation {
    enum verdict_kind verdict;
    int pointer_count;
    const char *pointers[EXPLANATION_POINTERS_MAX];
    char words[EXPLANATION_WORDS_MAX]; /* "would leave the lion on e1 attacked by the bear on e8" */
};

/* `position` is changed and restored. Works from the file's words, never by the fast path; slow, for people. */
void position_explain(struct position *position, cell_index from, cell_index to, uint8_t choice,
                      struct explanation *explanation);

#endif
