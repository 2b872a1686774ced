/* Names by which nobody in a room can be taken for somebody else. Who comes with a name that looks like that of another one who
 * sits there, or was in the room before, is shown with a number behind it.
 *
 * What looks alike: letters large and small, with spaces, signs and what cannot be seen between them left out; Cyrillic and Greek
 * letters that have the shape of Latin ones, and full-width ones (after Unicode's confusables, UTS 39, of those the common ones);
 * 0 and o, 1, i and l. "Guest", the name of who has given none, is anybody's. */
#ifndef SERVER_CORE_NAMES_H
#define SERVER_CORE_NAMES_H

#include "server/core/room.h"

bool names_look_alike(struct text one, struct text other);

/* `name`, that of `who` in this room from now on. `seats`: whose name is theirs already (their own, or taken over). */
void names_tell_apart(const struct room *room, const struct identity *who, uint32_t seats,
                      struct text name, char told[DISPLAY_NAME_BYTES_MAX + 1]);

/* Of those who sit down together. */
void names_tell_all_apart(struct seat *seats, int count);

#endif
