#include "server/cli/findings.h"

#include <stdio.h>

const char *findings_severity(enum diagnostic_severity severity)
{
    return severity == DIAGNOSTIC_ERROR ? "error" : "warning";
}

/* Texts of a file may have been cut in the middle of a character, or may never have been UTF-8. */
static json_t *text_value(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char ascii[DIAGNOSTIC_POINTER_BYTES + DIAGNOSTIC_TEXT_BYTES];
    size_t length = 0;
    for (; text[length] != '\0' && length + 1 < sizeof ascii; length++)
        ascii[length] = (unsigned char)text[length] < 0x80 ? text[length] : '?';
    ascii[length] = '\0';
    return json_string(ascii);
}

static void add(json_t *findings, const char *path, const struct diagnostic *found)
{
    json_t *shown = json_object();
    if (path != NULL)
        json_object_set_new(shown, "file", text_value(path));
    json_object_set_new(shown, "severity", json_string(findings_severity(found->severity)));
    json_object_set_new(shown, "line", json_integer(found->line));
    json_object_set_new(shown, "column", json_integer(found->column));
    json_object_set_new(shown, "pointer", text_value(found->pointer));
    json_object_set_new(shown, "message", text_value(found->message));
    json_object_set_new(shown, "hint", text_value(found->hint));
    json_array_append_new(findings, shown);
}

void findings_note(json_t *findings, const char *path, enum diagnostic_severity severity,
                   const char *message)
{
    struct diagnostic found = {.severity = severity, .line = 1, .column = 1};
    snprintf(found.message, sizeof found.message, "%s", message);
    add(findings, path, &found);
}

void findings_add(json_t *findings, const char *path, const struct diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++)
        add(findings, path, &diagnostics->list[i]);
    if (diagnostics->dropped > 0) {
        char message[64];
        snprintf(message, sizeof message, "and %d more", diagnostics->dropped);
        findings_note(findings, path,
                      diagnostics->error_count > 0 ? DIAGNOSTIC_ERROR : DIAGNOSTIC_WARNING,
                      message);
    }
}
