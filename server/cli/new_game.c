#include "server/cli/new_game.h"

#include "engine/memory/memory.h"
#include "server/cli/folders.h"
#include "server/cli/game_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: senet new --template NAME [FILE]\n"
                            "       senet new --extends GAME [FILE]\n"
                            "       senet new --list\n";

struct wish {
    const char *template, *extends, *path; /* path: NULL: standard output */
    bool list;
};

/* --- templates: those of the page on which games are made -------------------------------------- */

static void find_templates(char folder[FOLDER_PATH_BYTES])
{
    folder_find("server/web", folder);
    size_t length = strlen(folder);
    snprintf(folder + length, FOLDER_PATH_BYTES - length, "/make/templates");
}

static int is_template(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && dot != NULL && strcmp(dot, ".json") == 0;
}

static int list_templates(void)
{
    char folder[FOLDER_PATH_BYTES];
    struct dirent **entries;
    find_templates(folder);
    int count = scandir(folder, &entries, is_template, alphasort);
    for (int i = 0; i < count; i++) {
        printf("%.*s\n", (int)(strlen(entries[i]->d_name) - strlen(".json")), entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return count > 0 ? 0 : 1;
}

/* Names are plain words, and so never lead out of the folder. */
static bool is_word(const char *name)
{
    static const char admitted[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = strlen(name);
    return length > 0 && length <= NAME_BYTES_MAX && strspn(name, admitted) == length;
}

/* NULL after having said why. */
static char *read_template(const char *name, size_t *length)
{
    char folder[FOLDER_PATH_BYTES], path[FOLDER_PATH_BYTES + NAME_BYTES_MAX + 8];
    find_templates(folder);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    char *text = game_file_read(path, length);
    if (text == NULL)
        fprintf(stderr, "there is no template %s (senet new --list names them)\n", name);
    return text;
}

/* --- variants --------------------------------------------------------------------------------- */

/* What the file will be called: its own name without folders and ending. */
static void name_of(const char *path, char name[NAME_BYTES_MAX + 1])
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *base = slash != NULL ? slash + 1 : path;
    size_t length = base != NULL ? strcspn(base, ".") : 0;
    snprintf(name, NAME_BYTES_MAX + 1, "%.*s", (int)length, base != NULL ? base : "");
    if (!is_word(name))
        snprintf(name, NAME_BYTES_MAX + 1, "untitled");
}

/* NULL after having said why: the game that is named must be one that loads. */
static char *write_variant(const struct wish *wish, size_t *length)
{
    char name[NAME_BYTES_MAX + 1], *text = NULL;
    name_of(wish->path, name);
    FILE *out = memory_stream(&text, length);
    fprintf(out,
            "{\n    \"extends\": \"%s\",\n    \"name\": \"%s\", \"title\": \"%s\",\n"
            "    \"description\": \"What is different.\",\n    \"tests\": null\n}\n",
            wish->extends, name, name);
    fclose(out);
    const struct bases bases = game_file_bases(wish->path != NULL ? wish->path : "");
    struct whole_text whole;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    bool sound = whole_text_read(&whole, text, *length, &bases, &diagnostics);
    if (!sound)
        game_file_say_errors(wish->extends, &diagnostics);
    whole_text_release(&whole);
    diagnostics_release(&diagnostics);
    if (sound)
        return text;
    free(text);
    return NULL;
}

/* --- the command ------------------------------------------------------------------------------ */

/* A file that is there already is left as it is. */
static bool write_file(const char *path, const char *text, size_t length)
{
    FILE *file = path != NULL ? fopen(path, "wx") : stdout;
    bool written = file != NULL && fwrite(text, 1, length, file) == length;
    if (file != NULL && path != NULL)
        written = fclose(file) == 0 && written;
    if (!written)
        fprintf(stderr, "%s: %s\n", path != NULL ? path : "standard output", strerror(errno));
    return written;
}

static bool read_options(int argc, char **argv, struct wish *wish)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--list") == 0)
            wish->list = true;
        else if (strcmp(argv[i], "--template") == 0 && is_word(value))
            wish->template = argv[++i];
        else if (strcmp(argv[i], "--extends") == 0 && is_word(value))
            wish->extends = argv[++i];
        else if (argv[i][0] != '-' && wish->path == NULL)
            wish->path = argv[i];
        else
            return false;
    }
    return wish->list + (wish->template != NULL) + (wish->extends != NULL) == 1 &&
           !(wish->list && wish->path != NULL);
}

int cli_new(int argc, char **argv)
{
    struct wish wish = {.list = false};
    size_t length = 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_options(argc, argv, &wish)) {
        fputs(usage, stderr);
        return 2;
    }
    if (wish.list)
        return list_templates();
    char *text = wish.template != NULL ? read_template(wish.template, &length)
                                       : write_variant(&wish, &length);
    bool written = text != NULL && write_file(wish.path, text, length);
    free(text);
    return written ? 0 : 1;
}
