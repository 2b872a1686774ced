#include "engine/load/diagnostic.h"
#include "engine/load/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void diagnostics_init(struct diagnostics *diagnostics)
{
    memset(diagnostics, 0, sizeof *diagnostics);
}

void diagnostics_release(struct diagnostics *diagnostics)
{
    free(diagnostics->list);
    diagnostics_init(diagnostics);
}

static struct diagnostic *last_warning(const struct diagnostics *diagnostics)
{
    for (int i = diagnostics->count - 1; i >= 0; i--)
        if (diagnostics->list[i].severity == DIAGNOSTIC_WARNING)
            return &diagnostics->list[i];
    return NULL;
}

/* A place for one more; when the list is full an error takes the place of the last warning. */
static struct diagnostic *place_for(struct diagnostics *diagnostics,
                                    enum diagnostic_severity severity)
{
    if (diagnostics->list == NULL)
        diagnostics->list = calloc(DIAGNOSTICS_MAX, sizeof *diagnostics->list);
    if (diagnostics->list != NULL && diagnostics->count < DIAGNOSTICS_MAX)
        return &diagnostics->list[diagnostics->count++];
    diagnostics->no_memory |= diagnostics->list == NULL;
    diagnostics->dropped++;
    return severity == DIAGNOSTIC_ERROR ? last_warning(diagnostics) : NULL;
}

void diagnostics_add_at(struct diagnostics *diagnostics, enum diagnostic_severity severity,
                        int line, int column, const char *pointer, const char *message,
                        const char *hint)
{
    if (severity == DIAGNOSTIC_ERROR)
        diagnostics->error_count++;
    struct diagnostic *diagnostic = place_for(diagnostics, severity);
    if (diagnostic == NULL)
        return;
    diagnostic->severity = severity;
    diagnostic->line = line;
    diagnostic->column = column;
    text_cut(diagnostic->pointer, sizeof diagnostic->pointer, pointer);
    text_cut(diagnostic->message, sizeof diagnostic->message, message);
    text_cut(diagnostic->hint, sizeof diagnostic->hint, hint);
}

void diagnostics_add(struct diagnostics *diagnostics, enum diagnostic_severity severity,
                     const char *pointer, const char *message, const char *hint)
{
    diagnostics_add_at(diagnostics, severity, 1, 1, pointer, message, hint);
}

void diagnostics_add_no_memory(struct diagnostics *diagnostics)
{
    diagnostics->no_memory = true;
    diagnostics_add(diagnostics, DIAGNOSTIC_ERROR, "",
                    "there is not enough memory for this game now", "try again later");
}

bool diagnostics_have_room(const struct diagnostics *diagnostics, enum diagnostic_severity severity)
{
    return diagnostics->count < DIAGNOSTICS_MAX ||
           (severity == DIAGNOSTIC_ERROR && last_warning(diagnostics) != NULL);
}

/* By place; at one place errors first, then by their words, so that the order never depends on
 * chance. */
static int compare_places(const void *left, const void *right)
{
    const struct diagnostic *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    if (a->severity != b->severity)
        return a->severity == DIAGNOSTIC_ERROR ? -1 : 1;
    return strcmp(a->message, b->message);
}

void diagnostics_sort(struct diagnostics *diagnostics)
{
    if (diagnostics->count > 1)
        qsort(diagnostics->list, (size_t)diagnostics->count, sizeof *diagnostics->list,
              compare_places);
}
