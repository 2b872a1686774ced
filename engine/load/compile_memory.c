#include "engine/load/compile_memory.h"

#include <assert.h>
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

static void free_pieces(struct compile_memory *memory)
{
    while (memory->pieces != NULL)
        unlink_and_free(memory, memory->pieces);
}

bool compile_memory_begin(struct compile_memory *memory, struct arena *kept)
{
    memset(memory, 0, sizeof *memory);
    memory->game = calloc(1, sizeof *memory->game);
    if (memory->game == NULL)
        return false;
    atomic_init(&memory->game->references, 1);
    memory->game->kept = arena_share(kept);
    memory->game->bytes = sizeof *memory->game + arena_bytes(kept);
    memory->game->compiling = memory;
    compile_memory_for(memory->game, "");
    return true;
}

void compile_memory_end(struct compile_memory *memory)
{
    memory->game->compiling = NULL;
    memory->game = NULL;
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

enum compile_end compile_memory_run(struct compile_memory *memory, void (*work)(void *context),
                                    void *context)
{
    struct game *const game = memory->game;
    struct owned_memory *const owned = game->owned;
    const size_t bytes = game->bytes;
    jmp_buf over;
    assert(memory->over == NULL);
    memory->over = &over;
    int end = setjmp(over); /* 0: begins; else where it came to, see finish_early */
    if (end == COMPILE_DONE)
        work(context);
    memory->over = NULL;
    free_pieces(memory);
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

/* --- whom it is for --------------------------------------------------------------------------- */

void compile_memory_for(struct game *game, const char *pointer)
{
    struct compile_memory *memory = game->compiling;
    for (int i = 0; i < memory->subject_count; i++)
        if (strcmp(memory->subjects[i].pointer, pointer) == 0) {
            memory->subject = i;
            return;
        }
    assert(memory->subject_count < COMPILE_SUBJECTS_MAX);
    memory->subject = memory->subject_count++;
    snprintf(memory->subjects[memory->subject].pointer,
             sizeof memory->subjects[memory->subject].pointer, "%s", pointer);
}

void compile_memory_for_figure(struct game *game, figure_index figure)
{
    static const char folder[] = "/figures/";
    char pointer[sizeof folder + (size_t)2 * NAME_BYTES_MAX];
    size_t length = sizeof folder - 1;
    memcpy(pointer, folder, sizeof folder);
    for (const char *at = game->figure_names[figure]; *at != '\0'; at++) {
        if (*at == '~' || *at == '/')
            pointer[length++] = '~';
        pointer[length++] = *at == '~' ? '0' : *at == '/' ? '1' : *at;
    }
    pointer[length] = '\0';
    compile_memory_for(game, pointer);
}

const char *compile_memory_largest(const struct compile_memory *memory)
{
    const struct compile_subject *largest = &memory->subjects[0];
    for (int i = 1; i < memory->subject_count; i++)
        if (memory->subjects[i].bytes > largest->bytes)
            largest = &memory->subjects[i];
    return largest->pointer;
}

static void charge_subject(struct compile_memory *memory, size_t bytes)
{
    memory->subjects[memory->subject].bytes += bytes;
}

/* --- memory of the game's --------------------------------------------------------------------- */

static void check_game_budget(struct compile_memory *memory, size_t more)
{
    charge_subject(memory, more);
    if (more > GAME_BYTES_MAX ||
        memory->game->bytes + memory->expected_bytes + more > GAME_BYTES_MAX)
        finish_early(memory, COMPILE_TOO_LARGE);
}

void compile_expect(struct game *game, size_t bytes)
{
    check_game_budget(game->compiling, bytes);
    game->compiling->expected_bytes += bytes;
}

void compile_fulfil(struct game *game, size_t bytes)
{
    assert(game->compiling->expected_bytes >= bytes);
    game->compiling->expected_bytes -= bytes;
}

void *game_allocate(struct game *game, size_t count, size_t size)
{
    assert(size != 0 && count < SIZE_MAX / 2 / size);
    size_t bytes = count * size + PIECE_OVERHEAD;
    check_game_budget(game->compiling, bytes);
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
    if (bytes > COMPILE_BYTES_MAX || memory->piece_bytes + bytes > COMPILE_BYTES_MAX) {
        charge_subject(memory, bytes);
        finish_early(memory, COMPILE_TOO_LARGE);
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

void *compile_resize(struct game *game, void *old, size_t count, size_t size)
{
    void *resized = compile_allocate(game, count, size);
    if (old != NULL) {
        size_t had = piece_of(old)->bytes - PIECE_OVERHEAD;
        memcpy(resized, old, had < count * size ? had : count * size);
        compile_free(game, old);
    }
    return resized;
}

void compile_free(struct game *game, void *content)
{
    if (content != NULL)
        unlink_and_free(game->compiling, piece_of(content));
}
