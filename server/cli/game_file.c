#include "server/cli/game_file.h"

#include "engine/memory/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct game *game_file_load(const char *path, const struct load_options *options)
{
    size_t length = 0;
    char *text = game_file_read(path, &length);
    if (text == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return NULL;
    }
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, length, options, &diagnostics);
    if (game == NULL)
        game_file_say_errors(path, &diagnostics);
    diagnostics_release(&diagnostics);
    free(text);
    return game;
}
