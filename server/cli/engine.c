#include "server/cli/engine.h"

#include "engine/memory/memory.h"
#include "server/cli/engine_lines.h"
#include "server/cli/game_file.h"
#include "server/cli/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One line without its end; false at the end of the input. Of a line that is too long only the length counts. */
static bool read_line(FILE *in, char *line, size_t *length)
{
    size_t count = 0;
    int byte = getc(in);
    if (byte == EOF)
        return false;
    for (; byte != EOF && byte != '\n'; byte = getc(in)) {
        if (count < ENGINE_LINE_BYTES_MAX)
            line[count] = (char)byte;
        count++;
    }
    *length = count;
    return true;
}

bool engine_serve(struct engine *engine, FILE *in, FILE *out)
{
    char *line = memory_bytes(ENGINE_LINE_BYTES_MAX);
    size_t length = 0;
    bool written = true;
    while (written && !engine_has_quit(engine) && read_line(in, line, &length)) {
        char *answer = engine_answer(engine, line, length);
        written = answer == NULL ||
                  (fputs(answer, out) != EOF && putc('\n', out) != EOF && fflush(out) == 0);
        free(answer);
    }
    free(line);
    return written;
}

static bool open_file(struct engine *engine, const char *path, const struct load_options *options)
{
    size_t length = 0;
    char *text = game_file_read(path, &length);
    if (text == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    const struct bases bases = game_file_bases(path);
    const struct game_text source = {text, length, &bases};
    bool opened = engine_open(engine, &source, options, &diagnostics);
    if (!opened)
        game_file_say_errors(path, &diagnostics);
    diagnostics_release(&diagnostics);
    free(text);
    return opened;
}

int cli_engine(int argc, char **argv)
{
    static const char usage[] = "usage: senet engine [FILE [--players N] [--ignore-movement-if]]\n";
    struct load_options options = {0};
    const char *path = NULL;
    bool wrong = false;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--ignore-movement-if") == 0)
            options.ignore_movement_if = true;
        else if (strcmp(argv[i], "--players") == 0 && i + 1 < argc)
            wrong |= !number_read(argv[++i], 1, PLAYERS_MAX, &options.player_count);
        else if (path == NULL && argv[i][0] != '-')
            path = argv[i];
        else
            wrong = true;
    }
    if (wrong) {
        fputs(usage, stderr);
        return 2;
    }
    struct engine *engine = engine_new();
    bool served =
        (path == NULL || open_file(engine, path, &options)) && engine_serve(engine, stdin, stdout);
    engine_free(engine);
    return served ? 0 : 1;
}
