/* The memory of compiling: what becomes the game's, and what compiling itself needs and gives back.
 *
 * Each has a budget in bytes, so that a short text cannot become a large game, nor a large peak on the way to a
 * small one. Who takes memory here need not look whether there was any, nor whether the game has become too large or its work too
 * much: then compiling is over in that moment (a jump back to compile_memory_run). That is safe because everything
 * compiling takes is in the two lists of this struct, and compiling does nothing else that would have to be undone:
 * no file, no lock, no call of a library that takes memory of its own. The budgets count what is asked for, so the same
 * definition is admitted or refused on every machine; only "there is no memory" depends on where it runs. */
#ifndef ENGINE_LOAD_COMPILE_MEMORY_H
#define ENGINE_LOAD_COMPILE_MEMORY_H

#include "engine/load/definition.h"
#include "engine/tables.h"

#include <setjmp.h>

enum {
    GAME_BYTES_MAX = 8 * 1024 * 1024,     /* of a compiled game */
    COMPILE_BYTES_MAX = 24 * 1024 * 1024, /* taken while compiling, and given back */
};

/* Parts of the file that bytes are counted by: each figure, and these. */
enum { SUBJECT_WHOLE = FIGURES_MAX, SUBJECT_COMBINED, SUBJECTS };

enum compile_end {
    COMPILE_DONE,
    COMPILE_REFUSED,   /* the definition's fault */
    COMPILE_NO_MEMORY, /* the machine has no more: nobody's fault; later perhaps */
};

struct compile_memory {
    const struct definition *definition;
    struct diagnostics *diagnostics; /* where a refusal is said; NULL: nowhere */
    struct compile_piece *pieces;    /* to be given back */
    size_t expected_bytes;           /* in tables that will become the game's */
    size_t piece_bytes;
    size_t bytes[SUBJECTS];
    int subject;   /* the part for which memory is taken now; who compiles says so */
    jmp_buf *over; /* where to go when compiling cannot go on; NULL outside run */
};

/* An empty game of one reference that shares what is kept of the definition; NULL: there is no memory. */
struct game *compile_memory_begin(struct compile_memory *memory);
/* Calls `work` with `compiler` until it is done or cannot go on; in the latter case the game has only what it
 * had before. All pieces for compiling are given back. May be called several times, never within itself. */
struct compiler;
enum compile_end compile_memory_run(struct game *game, void (*work)(struct compiler *compiler),
                                    struct compiler *compiler);

/* The game cannot be compiled: says so. Pointer NULL: at the part that has taken most; hint NULL: that it should have less. */
_Noreturn void compile_refuse(struct game *game, const char *pointer, const char *hint,
                              const char *format, ...);
/* Some table has no more room. */
_Noreturn void compile_too_large(struct game *game);

/* Memory of the game's, zeroed. Bytes in tables that will become the game's are counted when they are added (expect), not again when
 * they are copied (fulfil). */
void *game_allocate(struct game *game, size_t count, size_t size);
void *game_copy(struct game *game, const void *items, size_t count, size_t size);
/* A copy of a list, of the list's own type. */
#define GAME_COPY(game, list, count) game_copy(game, list, (size_t)(count), sizeof *(list))
const char *game_copy_text(struct game *game, const char *text);
void compile_expect(struct game *game, size_t bytes);
void compile_fulfil(struct game *game, size_t bytes);

/* Memory for compiling, zeroed; never NULL. What is not given back before is given back when `run` ends. */
void *compile_allocate(struct game *game, size_t count, size_t size);
void compile_free(struct game *game, void *content); /* NULL is allowed */

#endif
