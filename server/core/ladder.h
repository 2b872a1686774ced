/* Which games may be rated, and which results are compared with each other: those of one game at one speed, a *ladder*, named
 * "chess/blitz". */
#ifndef SERVER_CORE_LADDER_H
#define SERVER_CORE_LADDER_H

#include "server/core/standing.h"
#include "server/store/store.h"

enum { LADDER_SPEEDS = 5 };

/* "bullet" to "correspondence", by how long forty turns may take. */
const char *ladder_speed(const struct time_budget *budget);
/* The word of a number below LADDER_SPEEDS; and of a ladder. */
const char *ladder_speed_of(int number);
const char *ladder_speed_word(const char *ladder);

/* Why no other games are. */
extern const char ladder_own_words[];
/* Why a game of the server's own with this clock is not rated; NULL: it may be. */
const char *ladder_refuses(const struct game *game, const struct time_control *clock);

void ladder_write(const char *game, const char *speed, char ladder[STORE_LADDER_BYTES + 1]);
/* Of a rated room. */
void ladder_of(const char *game, const struct standing *standing,
               char ladder[STORE_LADDER_BYTES + 1]);

#endif
