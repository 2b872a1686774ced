#include "engine/load/expression.h"

#include "engine/load/text.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <duktape.h>

/* --- the heap --------------------------------------------------------------------------------- */

/* What Duktape has taken, in a list. */
struct piece {
    struct piece *next, **link; /* `link` points here */
    size_t size;
    max_align_t content[];
};

struct expressions {
    const char *const *names;
    int name_count;
    struct piece *pieces;
    size_t used, most;
    bool starved,
        over; /* the system had no more than the ceiling allows; nothing more can be done */
    jmp_buf way_out;
    duk_context *context;
    int count;
};

/* Duktape 2.7 does not survive everywhere that memory runs out (while it sets up a heap it recurses without end). So it is
 * never told: what it was doing is left in this moment, and it is not called again. */
static _Noreturn void leave(struct expressions *expressions)
{
    expressions->over = true;
    longjmp(expressions->way_out, 1);
}

static void *heap_allocate(void *data, duk_size_t size)
{
    struct expressions *expressions = data;
    struct piece *piece = NULL;
    if (size <= expressions->most - expressions->used) {
        piece = malloc(sizeof *piece + size);
        expressions->starved |= piece == NULL;
    }
    if (piece == NULL)
        leave(expressions);
    *piece = (struct piece){expressions->pieces, &expressions->pieces, size};
    if (piece->next != NULL)
        piece->next->link = &piece->next;
    expressions->pieces = piece;
    expressions->used += size;
    return piece->content;
}

static struct piece *piece_of(void *content)
{
    return (struct piece *)(void *)((unsigned char *)content - offsetof(struct piece, content));
}

static void heap_free(void *data, void *old)
{
    struct expressions *expressions = data;
    if (old == NULL)
        return;
    struct piece *piece = piece_of(old);
    expressions->used -= piece->size;
    *piece->link = piece->next;
    if (piece->next != NULL)
        piece->next->link = piece->link;
    free(piece);
}

static void *heap_reallocate(void *data, void *old, duk_size_t size)
{
    void *resized = size == 0 ? NULL : heap_allocate(data, size);
    if (old != NULL && resized != NULL) {
        size_t had = piece_of(old)->size;
        memcpy(resized, old, had < size ? had : size);
    }
    heap_free(data, old);
    return resized;
}

/* An error where none is expected. */
static void heap_fatal(void *data, const char *message)
{
    (void)message;
    leave(data);
}

static void set_up(struct expressions *expressions)
{
    if (setjmp(expressions->way_out) == 0)
        expressions->context =
            duk_create_heap(heap_allocate, heap_reallocate, heap_free, expressions, heap_fatal);
}

struct expressions *expressions_new(const char *const *names, int name_count, size_t memory_max)
{
    struct expressions *expressions = calloc(1, sizeof *expressions);
    if (expressions == NULL)
        return NULL;
    *expressions = (struct expressions){.names = names, .name_count = name_count, .most = SIZE_MAX};
    set_up(expressions);
    expressions->most = expressions->used + memory_max;
    if (!expressions->over)
        return expressions;
    expressions_free(expressions);
    return NULL;
}

bool expressions_starved(const struct expressions *expressions)
{
    return expressions->starved;
}

void expressions_free(struct expressions *expressions)
{
    if (expressions == NULL)
        return;
    while (expressions->pieces != NULL)
        heap_free(expressions, expressions->pieces->content);
    free(expressions);
}

/* --- compiling and evaluating ----------------------------------------------------------------- */

/* stash[count] = function (x, y) { return … } */
static bool compile(const struct expressions *expressions, const char *written)
{
    duk_context *context = expressions->context;
    duk_push_global_stash(context);
    duk_push_string(context, "function (");
    for (int i = 0; i < expressions->name_count; i++) {
        duk_push_string(context, i == 0 ? "" : ", ");
        duk_push_string(context, expressions->names[i]);
    }
    duk_push_string(context, ") { return (");
    duk_push_string(context, written);
    duk_push_string(context, "); }");
    duk_concat(context, 2 * expressions->name_count + 4);
    duk_push_string(context, "expression");
    bool sound = duk_pcompile(context, DUK_COMPILE_FUNCTION) == 0;
    if (sound)
        duk_put_prop_index(context, 0, (duk_uarridx_t)expressions->count);
    duk_set_top(context, 0);
    return sound;
}

int expression_compile(struct expressions *expressions, const char *text,
                       struct expression_error *error)
{
    char written[EXPRESSION_WRITTEN_BYTES_MAX] = "";
    *error = (struct expression_error){.offset = 0};
    if (!expression_parse(text, expressions->names, expressions->name_count, written, error))
        return -1;
    if (setjmp(expressions->way_out) == 0 && !expressions->over && compile(expressions, written))
        return expressions->count++;
    snprintf(error->message, sizeof error->message, "the expression cannot be compiled");
    return -1;
}

static bool evaluate(const struct expressions *expressions, int number, const int *coordinates,
                     struct expression_value *value)
{
    duk_context *context = expressions->context;
    duk_push_global_stash(context);
    duk_get_prop_index(context, -1, (duk_uarridx_t)number);
    for (int i = 0; i < expressions->name_count; i++)
        duk_push_int(context, coordinates[i]);
    bool done = duk_pcall(context, expressions->name_count) == 0;
    if (duk_is_number(context, -1)) {
        value->kind = EXPRESSION_NUMBER;
        value->number = duk_get_number(context, -1) + 0.0; /* no negative zero */
    } else if (duk_is_string(context, -1)) {
        value->kind = EXPRESSION_STRING;
    }
    const char *text = duk_to_string(context, -1);
    value->cut = strlen(text) >= sizeof value->text;
    text_cut(value->text, sizeof value->text, text);
    duk_set_top(context, 0);
    return done;
}

bool expression_evaluate(struct expressions *expressions, int number, const int *coordinates,
                         struct expression_value *value)
{
    *value = (struct expression_value){.kind = EXPRESSION_OTHER};
    return setjmp(expressions->way_out) == 0 && !expressions->over &&
           evaluate(expressions, number, coordinates, value);
}
