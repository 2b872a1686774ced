#include "server/cli/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "server/cli/game_file.h"

enum { STATUS_SOUND = 0, STATUS_ERRORS = 1, STATUS_UNREADABLE = 2 };

static int ask_rightly(void)
{
    fprintf(stderr, "usage: senet check [--json] FILE...\n");
    return STATUS_UNREADABLE;
}

static const char *severity_word(enum diagnostic_severity severity)
{
    return severity == DIAGNOSTIC_ERROR ? "error" : "warning";
}

/* --- for people ------------------------------------------------------------------------------------------------- */

static void print_diagnostics(const char *path, const struct diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *found = &diagnostics->list[i];
        fprintf(stderr, "%s:%d:%d: %s: %s", path, found->line, found->column,
                severity_word(found->severity), found->message);
        if (found->pointer[0] != '\0')
            fprintf(stderr, " (at %s)", found->pointer);
        fprintf(stderr, "\n");
        if (found->hint[0] != '\0')
            fprintf(stderr, "    hint: %s\n", found->hint);
    }
    if (diagnostics->dropped > 0)
        fprintf(stderr, "%s: and %d more\n", path, diagnostics->dropped);
}

static void print_count(int count, const char *one, const char *many)
{
    printf(", %d %s", count, count == 1 ? one : many);
}

static void print_summary(const char *path, const struct game *game)
{
    int cells = game_cell_count(game);
    printf("%s: %s: %d %s", path, game_name(game), cells, cells == 1 ? "cell" : "cells");
    print_count(game_figure_count(game), "figure", "figures");
    print_count(game_player_count(game), "player", "players");
    print_count(game_state_count(game), "state", "states");
    printf("\n");
}

/* --- for programs ----------------------------------------------------------------------------------------------- */

/* What else stands in an array of findings: a file that cannot be read, and how many there is no room for. */
static void add_note(json_t *findings, const char *path, const char *severity, const char *message)
{
    json_array_append_new(findings, json_pack("{s:s, s:s, s:i, s:i, s:s, s:s, s:s}", "file", path,
                                              "severity", severity, "line", 1, "column", 1,
                                              "pointer", "", "message", message, "hint", ""));
}

static void add_findings(json_t *findings, const char *path, const struct diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *found = &diagnostics->list[i];
        json_array_append_new(findings, json_pack("{s:s, s:s, s:i, s:i, s:s, s:s, s:s}", "file",
                                                  path, "severity", severity_word(found->severity),
                                                  "line", found->line, "column", found->column,
                                                  "pointer", found->pointer, "message",
                                                  found->message, "hint", found->hint));
    }
    if (diagnostics->dropped > 0) {
        char message[64];
        snprintf(message, sizeof message, "and %d more", diagnostics->dropped);
        add_note(findings, path, diagnostics->error_count > 0 ? "error" : "warning", message);
    }
}

/* --- the command ------------------------------------------------------------------------------------------------ */

/* `findings` NULL: for people. */
static int check_file(const char *path, json_t *findings)
{
    size_t length = 0;
    char *text = game_file_read(path, &length);
    if (text == NULL) {
        const char *reason = strerror(errno);
        if (findings != NULL)
            add_note(findings, path, "error", reason);
        else
            fprintf(stderr, "%s: %s\n", path, reason);
        return STATUS_UNREADABLE;
    }
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, length, NULL, &diagnostics);
    if (findings != NULL)
        add_findings(findings, path, &diagnostics);
    else
        print_diagnostics(path, &diagnostics);
    if (game != NULL && findings == NULL)
        print_summary(path, game);
    int status = game != NULL ? STATUS_SOUND : STATUS_ERRORS;
    game_release(game);
    diagnostics_release(&diagnostics);
    free(text);
    return status;
}

int cli_check(int argc, char **argv)
{
    bool as_json = false;
    int files = 0;
    for (int i = 1; i < argc; i++) {
        bool option = strncmp(argv[i], "--", 2) == 0;
        if (option && strcmp(argv[i], "--json") != 0)
            return ask_rightly();
        as_json = as_json || option;
        files += !option;
    }
    if (files == 0)
        return ask_rightly();
    json_t *findings = as_json ? json_array() : NULL;
    int worst = STATUS_SOUND;
    for (int i = 1; i < argc; i++) {
        int status = strncmp(argv[i], "--", 2) == 0 ? STATUS_SOUND : check_file(argv[i], findings);
        if (status > worst)
            worst = status;
    }
    if (findings != NULL) {
        json_dumpf(findings, stdout, JSON_INDENT(2));
        printf("\n");
    }
    json_decref(findings);
    return worst;
}
