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
    bool merged;      /* the text, with what it extends, and nothing else */
};

/* A file's bytes. */
struct text_read {
    char *data; /* owned */
    size_t length;
};

static int ask_rightly(void)
{
    fprintf(stderr,
            "usage: senet check [--json | --explain] FILE...\n       senet check --merged FILE\n");
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
    int cells = game_facts(game)->cell_count;
    printf("%s: %s: %d %s", path, game_facts(game)->name, cells, cells == 1 ? "cell" : "cells");
    print_count(game_facts(game)->figure_count, "figure", "figures");
    print_count(game_facts(game)->player_count, "player", "players");
    print_count(game_facts(game)->state_count, "state", "states");
    if (tests > 0)
        print_count(tests, "test", "tests");
    printf("\n");
}

/* --- how it was compiled ---------------------------------------------------------------------------------------- */

static const char *way_of(const struct game *game, int figure, int player)
{
    return game_slow_reason(game, figure * game_facts(game)->player_count + player);
}

static bool all_players_alike(const struct game *game, int figure)
{
    const char *first = way_of(game, figure, 0);
    for (int i = 1; i < game_facts(game)->player_count; i++) {
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
    printf("    at most %d moves in a position\n", game_facts(game)->moves_max);
    for (int i = 0; i < game_facts(game)->figure_count; i++) {
        const char *name = game_facts(game)->figure_names[i];
        bool alike = all_players_alike(game, i);
        for (int k = 0; k < (alike ? 1 : game_facts(game)->player_count); k++) {
            printf("    %s", name);
            if (!alike)
                printf(" of %s", game_facts(game)->player_names[k]);
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

/* NULL where it does not load; `tests` is how many it brings along. */
static struct game *load(const char *path, const struct text_read *text,
                         struct diagnostics *diagnostics, int *tests)
{
    const struct load_options as_a_strangers = {
        .try_out = true, .has_picture = game_file_has_picture, .pictures = path};
    const struct bases bases = game_file_bases(path);
    struct whole_text whole;
    struct game *game = NULL;
    if (whole_text_read(&whole, text->data, text->length, &bases, diagnostics)) {
        game = game_load(whole.text, whole.length, &as_a_strangers, diagnostics);
        if (game != NULL) {
            game_check_start(game, diagnostics);
            *tests = game_check_tests(whole.text, whole.length, game, diagnostics);
        }
        whole_text_locate(&whole, diagnostics);
    }
    whole_text_release(&whole);
    return game;
}

static int check_file(const char *path, const struct manner *manner)
{
    struct text_read text;
    struct diagnostics diagnostics;
    int tests = 0;
    text.data = game_file_read(path, &text.length);
    if (text.data == NULL)
        return report_unreadable(path, manner);
    diagnostics_init(&diagnostics);
    struct game *game = load(path, &text, &diagnostics, &tests);
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
    free(text.data);
    return status;
}

static int print_merged(const char *path)
{
    size_t length = 0;
    char *text = game_file_whole(path, &length);
    if (text == NULL)
        return STATUS_ERRORS;
    fwrite(text, 1, length, stdout);
    if (length > 0 && text[length - 1] != '\n')
        printf("\n");
    free(text);
    return STATUS_SOUND;
}

static int answer(const char *path, const struct manner *manner)
{
    return manner->merged ? print_merged(path) : check_file(path, manner);
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
        else if (strcmp(argv[i], "--merged") == 0)
            manner->merged = true;
        else if (is_option(argv[i]))
            return false;
        else
            files++;
    }
    int manners = manner->explain + manner->merged + (manner->findings != NULL);
    return files > 0 && manners <= 1 && (files == 1 || !manner->merged);
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
        int status = is_option(argv[i]) ? STATUS_SOUND : answer(argv[i], &manner);
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
