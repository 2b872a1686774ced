/* A file that says "extends": "chess" is read over another one: what it says is merged into that file's text, by RFC 7396, before
 * anything is looked at. The other one may extend a third, and so on; a circle and a chain that is too long are refused.
 *
 * The engine opens no files: who loads says how a game is found by its name. What is kept, hashed and played is the merged text,
 * in which `extends` does not stand any more, so that no game ever depends on another file. */
#ifndef ENGINE_LOAD_EXTENDS_H
#define ENGINE_LOAD_EXTENDS_H

#include "engine/load/document.h"
#include "engine/types.h"

enum { EXTENDS_MAX = 4 }; /* from a file to the one that is whole by itself */

/* Where games are found that a file may extend. */
struct bases {
    /* The text of the game of that name, in memory from malloc; NULL: there is none, or, with a length, no memory for it. */
    char *(*find)(const void *context, const char *name, size_t *length);
    const void *context;
};

/* A file of the chain. */
struct extends_layer {
    char name[NAME_BYTES_MAX + 1]; /* by which the file before names it; "" of the author's own */
    struct document document;
};

struct whole_text {
    const char *text; /* the author's own where it extends nothing; else what has been merged */
    size_t length;
    char *merged; /* owned */
    struct extends_layer layers[EXTENDS_MAX + 1];
    int layer_count;
    bool nameless;    /* it has no name of its own */
    int line, column; /* of what the author's `extends` says */
    /* While it is read: */
    const struct bases *bases;
    struct diagnostics *diagnostics;
};

/* `text` must outlive it. False, having said why, where it extends what it cannot; a text that is no JSON is left to game_load to
 * complain about. `bases` may be NULL: there are none. */
bool whole_text_read(struct whole_text *whole, const char *text, size_t length,
                     const struct bases *bases, struct diagnostics *diagnostics);
/* What was found in the whole text: says where in the author's this is, or, of what is inherited, where in which game. */
void whole_text_locate(const struct whole_text *whole, struct diagnostics *diagnostics);
void whole_text_release(struct whole_text *whole);

/* merge.c: a file laid over the one it extends, by RFC 7396; both are JSON, objects, and end in zero. What comes of it is made of
 * pieces of the two, each once, in the order and with the line ends they have there; it is in memory from malloc. NULL: there was
 * no memory. */
char *merge_texts(const char *target, const char *patch, size_t *length);

#endif
