/* Who may make rooms, and give seat keys, how fast: everybody has an allowance, by address and by player, and all
 * strangers together have one. When little of that is left, those who have used much of their own wait first. */
#ifndef SERVER_CORE_MAKING_H
#define SERVER_CORE_MAKING_H

#include "server/core/parts.h"

/* One more room: taken, or RATE_LIMITED with the time to wait. */
enum refusal making_room(struct request *request);
/* One more seat key, or a wrong one. */
enum refusal making_key(struct request *request);

/* One more room from a record of so many KiB, by whoever sends it from an address: 0, or the time to wait. A record names no
 * player who would ask for it. */
uint64_t making_import(struct core *core, struct account *account, uint32_t kib);

/* One more version of a published game, by an account of an address and one of a player: 0, or the time to wait. */
uint64_t making_publication(struct core *core, struct account *account, struct account *player);

#endif
