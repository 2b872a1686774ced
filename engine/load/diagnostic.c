#include "engine/load/diagnostic.h"
#include "engine/load/text.h"

#include <stdarg.h>
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

/* In format 2 much is read once for each player and each use: what is wrong with it is said once. */
static bool is_there(const struct diagnostics *diagnostics, const struct diagnostic *found)
{
    for (int i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *other = &diagnostics->list[i];
        if (other->part == found->part && other->line == found->line &&
            other->column == found->column && strcmp(other->message, found->message) == 0 &&
            strcmp(other->pointer, found->pointer) == 0)
            return true;
    }
    return false;
}

void diagnostics_add(struct diagnostics *diagnostics, struct finding finding, const char *hint,
                     const char *format, ...)
{
    const bool placed = finding.line > 0;
    struct diagnostic found = {.severity = finding.severity,
                               .placed = placed,
                               .line = placed ? finding.line : 1,
                               .column = placed ? finding.column : 1,
                               .part = finding.part};
    char message[2 * DIAGNOSTIC_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (finding.pointer != NULL)
        text_cut(found.pointer, sizeof found.pointer, finding.pointer);
    text_cut(found.message, sizeof found.message, message);
    text_cut(found.hint, sizeof found.hint, hint);
    if (is_there(diagnostics, &found))
        return;
    diagnostics->error_count += found.severity == DIAGNOSTIC_ERROR;
    struct diagnostic *kept = place_for(diagnostics, found.severity);
    if (kept != NULL)
        *kept = found;
}

void diagnostics_add_no_memory(struct diagnostics *diagnostics)
{
    diagnostics->no_memory = true;
    diagnostics_add(diagnostics, WHOLE_FILE, "try again later",
                    "there is not enough memory for this game now");
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

const struct diagnostic *diagnostics_first_error(const struct diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++)
        if (diagnostics->list[i].severity == DIAGNOSTIC_ERROR)
            return &diagnostics->list[i];
    return NULL;
}
