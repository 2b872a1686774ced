#include "server/cli/game_folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/load/extends.h"
#include "engine/load/load.h"
#include "engine/memory/memory.h"

enum { PATH_BYTES = 4096, GAME_FILES_MAX = 1024, GAME_FILE_BYTES_MAX = 4 * 1024 * 1024 };

/* New memory, or NULL with errno. */
static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *text = memory_bytes(GAME_FILE_BYTES_MAX);
    *length = fread(text, 1, GAME_FILE_BYTES_MAX, file);
    bool whole = feof(file) != 0;
    fclose(file);
    if (whole)
        return text;
    free(text);
    errno = EFBIG;
    return NULL;
}

static void report(const struct log *log, const char *path, const struct diagnostic *diagnostic)
{
    struct writer line;
    bool is_error = diagnostic->severity == DIAGNOSTIC_ERROR;
    enum log_level level = is_error ? LOG_LEVEL_ERROR : LOG_LEVEL_WARNING;
    log_begin(&line, level, is_error ? "game_refused" : "game_warning");
    writer_key(&line, "file"), writer_string(&line, path);
    writer_key(&line, "line"), writer_integer(&line, diagnostic->line);
    writer_key(&line, "column"), writer_integer(&line, diagnostic->column);
    writer_key(&line, "pointer"), writer_string(&line, diagnostic->pointer);
    writer_key(&line, "message"), writer_string(&line, diagnostic->message);
    if (diagnostic->hint[0] != '\0')
        writer_key(&line, "hint"), writer_string(&line, diagnostic->hint);
    log_end(log, level, &line);
}

static void report_unreadable(const struct log *log, const char *path)
{
    const char *why = strerror(errno);
    struct writer line;
    log_begin(&line, LOG_LEVEL_ERROR, "game_unreadable");
    writer_key(&line, "file"), writer_string(&line, path);
    writer_key(&line, "message"), writer_string(&line, why);
    log_end(log, LOG_LEVEL_ERROR, &line);
}

/* A file may be for several numbers of players ("player_counts"), and each is a game of its own once compiled. Which they
 * are the loader says by what it refuses; for all of them it is loaded already. */
static void add_player_counts(struct core *core, const char *id, int all, const char *text,
                              size_t length)
{
    for (int players = 1; players < all; players++) {
        const struct load_options options = {.player_count = players};
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics);
        struct game *game = game_load(text, length, &options, &diagnostics);
        if (game != NULL && game_facts(game)->player_count == players)
            core_add_game_for(core, id, players, game);
        game_release(game);
        diagnostics_release(&diagnostics);
    }
}

/* A game of the folder that another one extends. */
static char *find_base(const void *directory, const char *name, size_t *length)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.json", (const char *)directory, name);
    return read_file(path, length);
}

/* A game of the folder: "chess.json" is the game "chess". */
struct folder_game {
    const char *directory, *path;
    char id[NAME_MAX + 1];
};

static bool add_game(const struct folder_game *file, struct core *core,
                     const struct whole_text *whole, struct diagnostics *diagnostics)
{
    struct game *game = game_load(whole->text, whole->length, NULL, diagnostics);
    bool added = game != NULL && core_add_game(core, file->id, game, whole->text, whole->length);
    if (added)
        add_player_counts(core, file->id, game_facts(game)->player_count, whole->text,
                          whole->length);
    game_release(game);
    return added;
}

/* What is offered is the whole text: rooms and strangers' files never need another one. */
static bool load_game(const struct folder_game *file, struct core *core, const struct log *log)
{
    size_t length;
    char *text = read_file(file->path, &length);
    const struct bases bases = {find_base, file->directory};
    struct whole_text whole;
    struct diagnostics diagnostics;
    if (text == NULL) {
        report_unreadable(log, file->path);
        return false;
    }
    diagnostics_init(&diagnostics);
    bool added = whole_text_read(&whole, text, length, &bases, &diagnostics) &&
                 add_game(file, core, &whole, &diagnostics);
    whole_text_locate(&whole, &diagnostics);
    for (int i = 0; i < diagnostics.count; i++)
        report(log, file->path, &diagnostics.list[i]);
    whole_text_release(&whole);
    diagnostics_release(&diagnostics);
    free(text);
    return added;
}

/* --- which come first ------------------------------------------------------------------------- */

static int is_game_file(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && dot != NULL && strcmp(dot, ".json") == 0;
}

/* Whether the file is the one that `id`, of `length` bytes, names. */
static bool is_file_of(const struct dirent *entry, const char *id, size_t length)
{
    return strlen(entry->d_name) == length + strlen(".json") &&
           memcmp(entry->d_name, id, length) == 0;
}

/* Moves the file to `place`; those between go one further. False: there is none of that name. */
static bool move_to(struct dirent **entries, int count, int place, const char *id, size_t length)
{
    int at = place;
    while (at < count && !is_file_of(entries[at], id, length))
        at++;
    if (at >= count)
        return false;
    struct dirent *found = entries[at];
    memmove(&entries[place + 1], &entries[place], sizeof(struct dirent *) * (size_t)(at - place));
    entries[place] = found;
    return true;
}

/* The folder's file `order` has the names of games, one a line, in the order in which they are offered; a # begins a
 * comment. Those it does not name come after them, by the alphabet. */
static void put_in_order(const char *directory, struct dirent **entries, int count)
{
    char path[PATH_BYTES];
    size_t length;
    snprintf(path, sizeof path, "%s/order", directory);
    char *text = read_file(path, &length);
    if (text == NULL)
        return;
    int place = 0;
    for (size_t i = 0; i < length;) {
        size_t line = 0;
        while (i + line < length && text[i + line] != '\n')
            line++;
        if (text[i] != '#' && line > 0)
            place += move_to(entries, count, place, text + i, line);
        i += line + 1;
    }
    free(text);
}

int game_folder_load(const char *directory, struct core *core, const struct log *log)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, is_game_file, alphasort), loaded = 0;
    if (count < 0)
        return -1;
    put_in_order(directory, entries, count);
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        struct folder_game file = {.directory = directory, .path = path};
        snprintf(file.id, sizeof file.id, "%.*s",
                 (int)(strlen(entries[i]->d_name) - strlen(".json")), entries[i]->d_name);
        if (i < GAME_FILES_MAX)
            loaded += load_game(&file, core, log);
        free(entries[i]);
    }
    free(entries);
    return loaded;
}
