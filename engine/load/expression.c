#include "engine/load/expression.h"

#include "engine/load/expression_parser.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <duktape.h>

/* --- the heap --------------------------------------------------------------------------------- */

/* Duktape 2.7 does not survive that memory runs out while it sets up a heap (it recurses without
 * end, or calls its fatal handler); afterwards it does. So the heap is set up out of one piece,
 * asked for beforehand, large enough and never given back before the end; the ceiling and malloc's
 * refusals begin behind it. Setting up takes 140 KiB. */
enum { RESERVE_BYTES = 256 * 1024 };

struct memory {
    size_t used, most; /* outside the reserve */
    char *reserve;
    size_t reserve_used;
    bool starting;
    bool starved; /* the system refused what the ceiling allowed */
};

struct expressions {
    const char *const *names;
    int name_count;
    struct memory memory;
    duk_context *context;
    int count;
};

/* Every piece remembers its size in front of itself. */
union piece {
    size_t size;
    max_align_t alignment;
};

static bool is_in_reserve(const struct memory *memory, const void *piece)
{
    uintptr_t at = (uintptr_t)piece, start = (uintptr_t)memory->reserve;
    return at >= start && at < start + RESERVE_BYTES;
}

static union piece *piece_from_reserve(struct memory *memory, size_t size)
{
    size_t wanted =
        (size + 2 * sizeof(union piece) - 1) / sizeof(union piece) * sizeof(union piece);
    if (!memory->starting || wanted > RESERVE_BYTES - memory->reserve_used)
        return NULL;
    union piece *piece = (union piece *)(memory->reserve + memory->reserve_used);
    memory->reserve_used += wanted;
    return piece;
}

static void *heap_allocate(void *data, duk_size_t size)
{
    struct memory *memory = data;
    union piece *piece = piece_from_reserve(memory, size);
    if (piece == NULL) {
        if (size > memory->most - memory->used)
            return NULL;
        piece = malloc(sizeof *piece + size);
        if (piece == NULL) {
            memory->starved = true;
            return NULL;
        }
        memory->used += size;
    }
    piece->size = size;
    return piece + 1;
}

static void heap_free(void *data, void *old)
{
    struct memory *memory = data;
    if (old == NULL || is_in_reserve(memory, old))
        return;
    union piece *piece = (union piece *)old - 1;
    memory->used -= piece->size;
    free(piece);
}

static void *heap_reallocate(void *data, void *old, duk_size_t size)
{
    void *resized = size == 0 ? NULL : heap_allocate(data, size);
    if (size != 0 && resized == NULL)
        return NULL;
    if (old != NULL && resized != NULL) {
        size_t had = ((union piece *)old - 1)->size;
        memcpy(resized, old, had < size ? had : size);
    }
    heap_free(data, old);
    return resized;
}

/* Everything that can throw runs inside duk_safe_call; to come here is a bug. */
static void heap_fatal(void *data, const char *message)
{
    (void)data;
    fprintf(stderr, "senet: bug: duktape: %s\n", message == NULL ? "fatal error" : message);
    abort();
}

struct expressions *expressions_new(const char *const *names, int name_count, size_t memory_max)
{
    struct expressions *expressions = calloc(1, sizeof *expressions);
    if (expressions == NULL)
        return NULL;
    expressions->names = names;
    expressions->name_count = name_count;
    expressions->memory.most = memory_max;
    expressions->memory.reserve = malloc(RESERVE_BYTES);
    if (expressions->memory.reserve == NULL) {
        free(expressions);
        return NULL;
    }
    expressions->memory.starting = true;
    expressions->context = duk_create_heap(heap_allocate, heap_reallocate, heap_free,
                                           &expressions->memory, heap_fatal);
    expressions->memory.starting = false;
    assert(expressions->context != NULL);
    return expressions;
}

bool expressions_starved(const struct expressions *expressions)
{
    return expressions->memory.starved;
}

void expressions_free(struct expressions *expressions)
{
    if (expressions == NULL)
        return;
    duk_destroy_heap(expressions->context);
    free(expressions->memory.reserve);
    free(expressions);
}

/* --- compiling and evaluating ----------------------------------------------------------------- */

struct compilation {
    const struct expressions *expressions;
    const char *written;
};

/* stash[count] = function (x, y) { return … } */
static duk_ret_t compile_protected(duk_context *context, void *data)
{
    const struct compilation *compilation = data;
    const struct expressions *expressions = compilation->expressions;
    duk_push_global_stash(context);
    duk_push_string(context, "function (");
    for (int i = 0; i < expressions->name_count; i++) {
        duk_push_string(context, i == 0 ? "" : ", ");
        duk_push_string(context, expressions->names[i]);
    }
    duk_push_string(context, ") { return (");
    duk_push_string(context, compilation->written);
    duk_push_string(context, "); }");
    duk_concat(context, 2 * expressions->name_count + 4);
    duk_push_string(context, "expression");
    duk_compile(context, DUK_COMPILE_FUNCTION);
    duk_put_prop_index(context, -2, (duk_uarridx_t)expressions->count);
    return 0;
}

int expression_compile(struct expressions *expressions, const char *text,
                       struct expression_error *error)
{
    char written[EXPRESSION_WRITTEN_BYTES_MAX] = "";
    *error = (struct expression_error){.offset = 0};
    if (!expression_parse(text, expressions->names, expressions->name_count, written, error))
        return -1;
    struct compilation compilation = {.expressions = expressions, .written = written};
    duk_int_t status = duk_safe_call(expressions->context, compile_protected, &compilation, 0, 1);
    duk_pop(expressions->context);
    if (status != DUK_EXEC_SUCCESS) {
        snprintf(error->message, sizeof error->message, "the expression cannot be compiled");
        return -1;
    }
    return expressions->count++;
}

struct evaluation {
    int number, coordinate_count;
    const int *coordinates;
    struct expression_value *value;
};

static void copy_text(struct expression_value *value, const char *text, size_t length)
{
    value->cut = length >= sizeof value->text;
    if (value->cut)
        length = sizeof value->text - 1;
    memcpy(value->text, text, length);
    value->text[length] = '\0';
}

static duk_ret_t evaluate_protected(duk_context *context, void *data)
{
    const struct evaluation *evaluation = data;
    struct expression_value *value = evaluation->value;
    duk_push_global_stash(context);
    duk_get_prop_index(context, -1, (duk_uarridx_t)evaluation->number);
    for (int i = 0; i < evaluation->coordinate_count; i++)
        duk_push_int(context, evaluation->coordinates[i]);
    duk_call(context, evaluation->coordinate_count);
    value->kind = EXPRESSION_OTHER;
    if (duk_is_number(context, -1)) {
        value->kind = EXPRESSION_NUMBER;
        value->number = duk_get_number(context, -1) + 0.0; /* no negative zero */
    } else if (duk_is_string(context, -1)) {
        value->kind = EXPRESSION_STRING;
    }
    duk_size_t length = 0;
    const char *text = duk_to_lstring(context, -1, &length);
    copy_text(value, text, length);
    return 0;
}

bool expression_evaluate(struct expressions *expressions, int number, const int *coordinates,
                         struct expression_value *value)
{
    *value = (struct expression_value){.kind = EXPRESSION_OTHER};
    struct evaluation evaluation = {
        .number = number,
        .coordinate_count = expressions->name_count,
        .coordinates = coordinates,
        .value = value,
    };
    duk_int_t status = duk_safe_call(expressions->context, evaluate_protected, &evaluation, 0, 1);
    duk_pop(expressions->context);
    return status == DUK_EXEC_SUCCESS;
}
