/* What to draw of a game, as the protocol says it: the same for rooms and for whoever tries a file. */
#ifndef SERVER_CORE_LAYOUT_H
#define SERVER_CORE_LAYOUT_H

#include "engine/game.h"
#include "protocol/writer.h"

/* Only a served game's images may be files of ours; others are left out. */
void layout_write(struct writer *writer, const struct game *game, bool served);

#endif
