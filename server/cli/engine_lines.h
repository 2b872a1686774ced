/* The conversation of `senet engine`: a line in, a line out, whoever carries them (standard input and output, or a browser's
 * Worker). See README.md. */
#ifndef SERVER_CLI_ENGINE_LINES_H
#define SERVER_CLI_ENGINE_LINES_H

#include "engine/load/extends.h"
#include "engine/load/load.h"

enum { ENGINE_LINE_BYTES_MAX = 1024 * 1024 };

struct engine;

/* Nothing is loaded yet. */
struct engine *engine_new(void);
void engine_free(struct engine *engine);
/* A game file's text, and the games that it may extend. */
struct game_text {
    const char *text;
    size_t length;
    const struct bases *bases;
};
/* Loads a game file and begins it; the game before stays where it does not load, and the diagnostics say why. */
bool engine_open(struct engine *engine, const struct game_text *text,
                 const struct load_options *options, struct diagnostics *diagnostics);

/* The answer to a line, without its end; owned by the caller. NULL: an empty line has none. A line longer than it may be
 * is refused by its length alone. */
char *engine_answer(struct engine *engine, const char *line, size_t length);
/* The last line was `quit`. */
bool engine_has_quit(const struct engine *engine);

#endif
