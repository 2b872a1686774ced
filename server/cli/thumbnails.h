/* The served games as small pictures: each board as it stands at the start, one SVG that needs nothing else. They become
 * files among the others: "/games/chess.board.svg". */
#ifndef SERVER_CLI_THUMBNAILS_H
#define SERVER_CLI_THUMBNAILS_H

struct core;
struct files;

/* `files` is sealed, and has the games' pictures; it is sealed again. */
void thumbnails_add(struct files *files, const struct core *core);

#endif
