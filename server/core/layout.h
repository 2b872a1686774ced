/* What to draw of a game, as the protocol says it: the same for rooms and for whoever tries a file. */
#ifndef SERVER_CORE_LAYOUT_H
#define SERVER_CORE_LAYOUT_H

#include "engine/game.h"
#include "protocol/writer.h"

/* Which of the files beside the games ("chess/king.svg") are pictures: those that are not are left out. Without `has` all
 * are, as in a served game and for whoever does not know what is served. */
struct layout_pictures {
    bool (*has)(const void *context, const char *path);
    const void *context;
};

void layout_write(struct writer *writer, const struct game *game, struct layout_pictures pictures);

#endif
