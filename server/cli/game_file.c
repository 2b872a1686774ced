#include "server/cli/game_file.h"

#include "engine/memory/memory.h"
#include "server/cli/folders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *game_file_read(const char *path, size_t *length)
{
    enum { ROOM = DEFINITION_BYTES_MAX + 1 };
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *text = memory_bytes(ROOM);
    *length = fread(text, 1, ROOM, file);
    if (ferror(file)) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

void game_file_say_errors(const char *path, const struct diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *found = &diagnostics->list[i];
        if (found->severity != DIAGNOSTIC_ERROR)
            continue;
        fprintf(stderr, "%s:%d:%d: error: %s\n", path, found->line, found->column, found->message);
        if (found->hint[0] != '\0')
            fprintf(stderr, "    %s\n", found->hint);
    }
}

/* --- what it finds ---------------------------------------------------------------------------- */

/* Beside itself, and with what came with the program. */
enum { PLACES = 2, PLACED_BYTES = 2 * FOLDER_PATH_BYTES };

/* What is called `name` there, which has a bound far below (extends.c, resources.c). */
static void place_file(const char *path, int place, const char *name, const char *suffix,
                       char file[PLACED_BYTES])
{
    char games[FOLDER_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    int folder_length = slash != NULL ? (int)(slash + 1 - path) : 0;
    if (place == 0) {
        snprintf(file, PLACED_BYTES, "%.*s%s%s", folder_length, path, name, suffix);
    } else {
        folder_find("games", games);
        snprintf(file, PLACED_BYTES, "%s/%s%s", games, name, suffix);
    }
}

static char *find_base(const void *path, const char *name, size_t *length)
{
    char file[PLACED_BYTES], *text = NULL;
    for (int i = 0; i < PLACES && text == NULL; i++) {
        place_file(path, i, name, ".json", file);
        text = game_file_read(file, length);
    }
    return text;
}

bool game_file_has_picture(const void *path, const char *picture)
{
    char file[PLACED_BYTES];
    bool there = false;
    for (int i = 0; i < PLACES && !there; i++) {
        place_file(path, i, picture, "", file);
        there = access(file, R_OK) == 0;
    }
    return there;
}

struct bases game_file_bases(const char *path)
{
    return (struct bases){find_base, path};
}

/* --- loading ---------------------------------------------------------------------------------- */

/* False after having said why. */
static bool read_whole(const char *path, struct opened_game *opened)
{
    size_t length = 0;
    *opened = (struct opened_game){.text = game_file_read(path, &length)};
    diagnostics_init(&opened->diagnostics);
    if (opened->text == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    const struct bases bases = game_file_bases(path);
    if (whole_text_read(&opened->whole, opened->text, length, &bases, &opened->diagnostics))
        return true;
    game_file_say_errors(path, &opened->diagnostics);
    return false;
}

bool game_file_open(const char *path, const struct load_options *options,
                    struct opened_game *opened)
{
    if (!read_whole(path, opened))
        return false;
    opened->game =
        game_load(opened->whole.text, opened->whole.length, options, &opened->diagnostics);
    whole_text_locate(&opened->whole, &opened->diagnostics);
    if (opened->game == NULL)
        game_file_say_errors(path, &opened->diagnostics);
    return opened->game != NULL;
}

void game_file_close(struct opened_game *opened)
{
    game_release(opened->game);
    whole_text_release(&opened->whole);
    diagnostics_release(&opened->diagnostics);
    free(opened->text);
}

struct game *game_file_load(const char *path, const struct load_options *options)
{
    struct opened_game opened;
    game_file_open(path, options, &opened);
    struct game *game = opened.game != NULL ? game_retain(opened.game) : NULL;
    game_file_close(&opened);
    return game;
}

char *game_file_whole(const char *path, size_t *length)
{
    struct opened_game opened;
    char *text = NULL;
    if (read_whole(path, &opened)) {
        *length = opened.whole.length;
        text = memory_bytes(*length + 1);
        memcpy(text, opened.whole.text, *length);
        text[*length] = '\0';
    }
    game_file_close(&opened);
    return text;
}
