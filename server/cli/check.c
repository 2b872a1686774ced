#include "server/cli/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "engine/fast/fast.h"
#include "engine/load/game_check.h"
#include "engine/movegen.h"
#include "server/cli/findings.h"
#include "server/cli/game_file.h"

enum { STATUS_SOUND = 0, STATUS_ERRORS = 1, STATUS_UNREADABLE = 2 };

/* How findings are shown. */
struct manner {
    json_t *findings; /* for programs, all files' together; NULL: for people */
    bool explain;     /* also how the file was compiled */
};

static int ask_rightly(void)
{
    fprintf(stderr, "usage: senet check [--json | --explain] FILE...\n");
    return STATUS_UNREADABLE;
}

/* --- for people ------------------------------------------------------------------------------------------------- */

static void print_diagnostics(const char *path, const struct diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *found = &diagnostics->list[i];
        fprintf(stderr, "%s:%d:%d: %s: %s", path, found->line, found->column,
                findings_severity(found->severity), found->message);
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

static void print_summary(const char *path, const struct game *game, int tests)
{
    int cells = game_cell_count(game);
    printf("%s: %s: %d %s", path, game_name(game), cells, cells == 1 ? "cell" : "cells");
    print_count(game_figure_count(game), "figure", "figures");
    print_count(game_player_count(game), "player", "players");
    print_count(game_state_count(game), "state", "states");
    if (tests > 0)
        print_count(tests, "test", "tests");
    printf("\n");
}

/* --- how it was compiled ---------------------------------------------------------------------------------------- */

static const char *way_of(const struct game *game, int figure, int player)
{
    return game_slow_reason(game, figure * game_player_count(game) + player);
}

static bool all_players_alike(const struct game *game, int figure)
{
    const char *first = way_of(game, figure, 0);
    for (int i = 1; i < game_player_count(game); i++) {
        const char *other = way_of(game, figure, i);
        if ((first == NULL) != (other == NULL))
            return false;
        if (first != NULL && strcmp(first, other) != 0)
            return false;
    }
    return true;
}

static void print_way(const char *reason)
{
    if (reason == NULL)
        printf(": fast\n");
    else
        printf(": interpreted: %s\n", reason);
}

static void print_compiled(const struct game *game)
{
    printf("    at most %d moves in a position\n", game_moves_max(game));
    for (int i = 0; i < game_figure_count(game); i++) {
        const char *name = game_figure_name(game, (figure_index)i);
        bool alike = all_players_alike(game, i);
        for (int k = 0; k < (alike ? 1 : game_player_count(game)); k++) {
            printf("    %s", name);
            if (!alike)
                printf(" of %s", game_player_name(game, (player_index)k));
            print_way(way_of(game, i, k));
        }
    }
    const char *tried = game_slow_legality(game);
    if (tried != NULL)
        printf("    every move is tried out: %s\n", tried);
}

/* --- the command ------------------------------------------------------------------------------------------------ */

static int report_unreadable(const char *path, const struct manner *manner)
{
    const char *reason = strerror(errno);
    if (manner->findings != NULL)
        findings_note(manner->findings, path, DIAGNOSTIC_ERROR, reason);
    else
        fprintf(stderr, "%s: %s\n", path, reason);
    return STATUS_UNREADABLE;
}

static int check_file(const char *path, const struct manner *manner)
{
    size_t length = 0;
    char *text = game_file_read(path, &length);
    if (text == NULL)
        return report_unreadable(path, manner);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    const struct load_options as_a_strangers = {.try_out = true};
    struct game *game = game_load(text, length, &as_a_strangers, &diagnostics);
    int tests = game != NULL ? game_check_tests(text, length, game, &diagnostics) : 0;
    if (manner->findings != NULL)
        findings_add(manner->findings, path, &diagnostics);
    else
        print_diagnostics(path, &diagnostics);
    if (game != NULL && manner->findings == NULL)
        print_summary(path, game, tests);
    if (game != NULL && manner->explain)
        print_compiled(game);
    int status = diagnostics.error_count == 0 ? STATUS_SOUND : STATUS_ERRORS;
    game_release(game);
    diagnostics_release(&diagnostics);
    free(text);
    return status;
}

static bool is_option(const char *word)
{
    return strncmp(word, "--", 2) == 0;
}

/* False when the question is not understood. */
static bool read_options(int argc, char **argv, struct manner *manner)
{
    int files = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--explain") == 0)
            manner->explain = true;
        else if (strcmp(argv[i], "--json") == 0 && manner->findings == NULL)
            manner->findings = json_array();
        else if (is_option(argv[i]))
            return false;
        else
            files++;
    }
    return files > 0 && !(manner->explain && manner->findings != NULL);
}

int cli_check(int argc, char **argv)
{
    struct manner manner = {.findings = NULL};
    if (!read_options(argc, argv, &manner)) {
        json_decref(manner.findings);
        return ask_rightly();
    }
    int worst = STATUS_SOUND;
    for (int i = 1; i < argc; i++) {
        int status = is_option(argv[i]) ? STATUS_SOUND : check_file(argv[i], &manner);
        if (status > worst)
            worst = status;
    }
    if (manner.findings != NULL) {
        json_dumpf(manner.findings, stdout, JSON_INDENT(2));
        printf("\n");
    }
    json_decref(manner.findings);
    return worst;
}
