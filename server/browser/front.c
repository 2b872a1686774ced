/* What the Worker calls (server/web/engine/worker.js): lines in, lines out, as `senet engine` has them. A text is handed over
 * in memory the engine has given for it. */
#include "engine/memory/memory.h"
#include "server/cli/engine_lines.h"

#include <jansson.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

struct engine *EXPORT(browser_open)(void);
char *EXPORT(browser_room)(size_t bytes);
char *EXPORT(browser_answer)(struct engine *engine, char *line, size_t length);
void EXPORT(browser_free)(char *text);

struct engine *browser_open(void)
{
    json_object_seed(1); /* else it asks for chance, which nobody has here */
    return engine_new();
}

char *browser_room(size_t bytes)
{
    return memory_bytes(bytes);
}

/* Takes the line. The answer ends with a zero and is given back with browser_free; NULL: an empty line has none. */
char *browser_answer(struct engine *engine, char *line, size_t length)
{
    char *answer = engine_answer(engine, line, length);
    free(line);
    return answer;
}

void browser_free(char *text)
{
    free(text);
}
