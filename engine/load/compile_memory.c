#include "engine/load/compile_memory.h"

#include "engine/arena.h"
#include "engine/work.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What every piece costs beside what was asked for: the allocator's words and ours. */
enum { PIECE_OVERHEAD = 32 };

struct compile_piece {
    struct compile_piece *next, **link; /* `link` points here */
    size_t bytes;
    max_align_t content[];
};

static struct compile_piece *piece_of(void *content)
{
    return (struct compile_piece *)(void *)((unsigned char *)content -
                                            offsetof(struct compile_piece, content));
}

static void unlink_and_free(struct compile_memory *memory, struct compile_piece *piece)
{
    memory->piece_bytes -= piece->bytes;
    *piece->link = piece->next;
    if (piece->next != NULL)
        piece->next->link = piece->link;
    free(piece);
}

struct game *compile_memory_begin(struct compile_memory *memory)
{
    struct game *game = calloc(1, sizeof *game);
    if (game == NULL)
        return NULL;
    atomic_init(&game->references, 1);
    game->kept = arena_share(memory->definition->kept);
    game->bytes = sizeof *game + arena_bytes(game->kept);
    game->compiling = memory;
    return game;
}

/* Takes from the game what it has been given since it had only `owned`. */
static void shrink_game(struct game *game, struct owned_memory *owned, size_t bytes)
{
    while (game->owned != owned) {
        struct owned_memory *next = game->owned->next;
        free(game->owned);
        game->owned = next;
    }
    game->bytes = bytes;
}

enum compile_end compile_memory_run(struct game *game, void (*work)(struct compiler *compiler),
                                    struct compiler *compiler)
{
    struct compile_memory *const memory = game->compiling;
    struct owned_memory *const owned = game->owned;
    const size_t bytes = game->bytes;
    jmp_buf over;
    assert(memory->over == NULL);
    memory->over = &over;
    int end = setjmp(over); /* 0: begins; else where it came to, see finish_early */
    if (end == COMPILE_DONE)
        work(compiler);
    memory->over = NULL;
    while (memory->pieces != NULL)
        unlink_and_free(memory, memory->pieces);
    memory->expected_bytes = 0;
    if (end != COMPILE_DONE)
        shrink_game(game, owned, bytes);
    return (enum compile_end)end;
}

static _Noreturn void finish_early(struct compile_memory *memory, enum compile_end end)
{
    assert(memory->over != NULL && end != COMPILE_DONE);
    longjmp(*memory->over, (int)end);
}

/* --- refusals --------------------------------------------------------------------------------- */

static const char *largest_part(const struct compile_memory *memory)
{
    int largest = SUBJECT_WHOLE;
    for (int i = 0; i < SUBJECTS; i++)
        if (memory->bytes[i] > memory->bytes[largest])
            largest = i;
    if (largest < SUBJECT_WHOLE)
        return memory->definition->figures[largest].pointer;
    return largest == SUBJECT_COMBINED ? "/combined_movements" : "";
}

void compile_refuse(struct game *game, const char *pointer, const char *hint, const char *format,
                    ...)
{
    struct compile_memory *memory = game->compiling;
    char words[DIAGNOSTIC_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (memory->diagnostics != NULL)
        diagnostics_add(
            memory->diagnostics,
            (struct finding){.pointer = pointer != NULL ? pointer : largest_part(memory)},
            hint != NULL ? hint : "use fewer cells, figures, movements or conditions", "%s", words);
    finish_early(memory, COMPILE_REFUSED);
}

void compile_too_large(struct game *game)
{
    compile_refuse(game, "", NULL,
                   "Multiplied out, this game is too large: figures, players, cells, "
                   "directions and conditions together exceed the engine's tables");
}

static _Noreturn void refuse_bytes(struct game *game)
{
    compile_refuse(game, NULL, NULL,
                   "Multiplied out, this game is too large: it would take more than %d MiB of "
                   "memory, most of it for what stands here",
                   GAME_BYTES_MAX / (1024 * 1024));
}

/* --- memory of the game's --------------------------------------------------------------------- */

static void check_game_budget(struct game *game, size_t more)
{
    struct compile_memory *memory = game->compiling;
    memory->bytes[memory->subject] += more;
    if (work_is_too_much())
        compile_too_large(game);
    if (more > GAME_BYTES_MAX || game->bytes + memory->expected_bytes + more > GAME_BYTES_MAX)
        refuse_bytes(game);
}

void compile_expect(struct game *game, size_t bytes)
{
    check_game_budget(game, bytes);
    game->compiling->expected_bytes += bytes;
}

void compile_fulfil(struct game *game, size_t bytes)
{
    assert(game->compiling->expected_bytes >= bytes);
    game->compiling->expected_bytes -= bytes;
    game->compiling->bytes[game->compiling->subject] -= bytes;
}

void *game_allocate(struct game *game, size_t count, size_t size)
{
    assert(size != 0 && count < SIZE_MAX / 2 / size);
    size_t bytes = count * size + PIECE_OVERHEAD;
    check_game_budget(game, bytes);
    struct owned_memory *memory = calloc(1, sizeof *memory + count * size);
    if (memory == NULL)
        finish_early(game->compiling, COMPILE_NO_MEMORY);
    memory->next = game->owned;
    game->owned = memory;
    game->bytes += bytes;
    return memory->bytes;
}

void *game_copy(struct game *game, const void *items, size_t count, size_t size)
{
    void *copy = game_allocate(game, count, size);
    if (count > 0)
        memcpy(copy, items, count * size);
    return copy;
}

const char *game_copy_text(struct game *game, const char *text)
{
    return game_copy(game, text, strlen(text) + 1, 1);
}

/* --- memory for compiling --------------------------------------------------------------------- */

void *compile_allocate(struct game *game, size_t count, size_t size)
{
    struct compile_memory *memory = game->compiling;
    assert(size != 0 && count < SIZE_MAX / 2 / size);
    size_t bytes = count * size + PIECE_OVERHEAD;
    if (work_is_too_much())
        compile_too_large(game);
    if (bytes > COMPILE_BYTES_MAX || memory->piece_bytes + bytes > COMPILE_BYTES_MAX) {
        memory->bytes[memory->subject] += bytes;
        refuse_bytes(game);
    }
    struct compile_piece *piece = calloc(1, sizeof *piece + count * size);
    if (piece == NULL)
        finish_early(memory, COMPILE_NO_MEMORY);
    *piece = (struct compile_piece){memory->pieces, &memory->pieces, bytes};
    if (piece->next != NULL)
        piece->next->link = &piece->next;
    memory->pieces = piece;
    memory->piece_bytes += bytes;
    return piece->content;
}

void compile_free(struct game *game, void *content)
{
    if (content != NULL)
        unlink_and_free(game->compiling, piece_of(content));
}
