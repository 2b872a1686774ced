/* The server's own bots: a seated player asks for one of a level, the outside brings it as a local peer with a
 * token that only this server can make, and the player is answered once it sits there. */
#ifndef SERVER_CORE_INVITATION_H
#define SERVER_CORE_INVITATION_H

#include "server/core/parts.h"

request_handler invitation_make;
void invitation_joined(struct core *core, const struct room *room); /* somebody took a seat */
/* Of which level a bot is expected on the seat; BOT_LEVEL_NONE: none is. */
int invitation_expects(const struct core *core, const struct room *room, int seat);
/* Bots of a room that goes on: they are called when it comes into memory, for those who are in `people`. */
void invitation_call_house(struct core *core, const struct room *room, const struct room *people);

/* Who the server's bot of a level is on a seat of a room: on each seat, and of each level, somebody else. So whoever holds a seat
 * says at which level it plays, in this server's next life as well. Level 0: as the house has it. */
enum { BOT_LEVEL_NONE = -1 };
void invitation_token(const struct core *core, const struct room *room, int seat, int level,
                      char token[TOKEN_BYTES + 1]);
void invitation_identity(const struct core *core, const struct room *room, int seat, int level,
                         struct identity *identity);
/* BOT_LEVEL_NONE: the player is no bot of ours for this seat. */
int invitation_level(const struct core *core, const struct room *room, int seat,
                     const struct identity *player);

void invitation_give_up(struct core *core); /* on those whose time has passed */
uint64_t invitation_deadline_ms(const struct core *core);
void invitation_release(struct core *core);

#endif
