/* The served games as small pictures: each board as it stands at the start (or, where that is empty, after some moves by
 * chance, always the same ones), one SVG that needs nothing else. They become files among the others:
 * "/games/chess.board.svg". */
#ifndef SERVER_CLI_THUMBNAILS_H
#define SERVER_CLI_THUMBNAILS_H

#include <stddef.h>

struct core;
struct files;
struct game;

/* `files` is sealed, and has the games' pictures; it is sealed again. */
void thumbnails_add(struct files *files, const struct core *core);
/* Any game likewise; the caller's. */
char *thumbnails_draw(struct files *files, const struct game *game, size_t *length);

#endif
