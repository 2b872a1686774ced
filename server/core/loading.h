/* Rooms come into memory when somebody asks for them, and leave it when nobody has been there for a
 * while. Loading is asynchronous: first the store's row and events, then, if no live room has it,
 * the compiled definition; then the events are played again (wake.h). Commands that came
 * meanwhile wait in the room. */
#ifndef SERVER_CORE_LOADING_H
#define SERVER_CORE_LOADING_H

#include "server/core/parts.h"

/* An id that no room in memory has. */
void loading_make_id(const struct core *core, char id[ROOM_ID_BYTES + 1]);
/* A room of that id (NULL: a new one), in the table, without a game yet. NULL when too many are live and none is
 * idle. */
struct room *loading_make_room(struct core *core, const char *wanted);
/* The same for a room that was made without one. False: it has no place. */
bool loading_place_room(struct core *core, struct room *room);
/* A room that is being read from the store, for whoever asks first. NULL as above, or when the store cannot be asked. */
struct room *loading_begin(struct core *core, const char *id, struct account *account);
/* `made` is the room as it was stored and takes its place; NULL: what is stored cannot be followed. */
void loading_woken(struct core *core, struct room *room, struct room *made);
void loading_answered(struct core *core, const struct ticket *ticket, struct store_answer *answer);

/* The definition of a room that waits for it has been compiled (NULL: it does not compile), or will not be for now. */
void loading_compiled(struct core *core, const char *id, struct account *account,
                      struct edition *edition);
void loading_refused(struct core *core, const char *id, uint64_t retry_ms);

/* A room that does not come to be: those who wait for it are refused. */
void loading_give_up(struct core *core, struct room *room, enum refusal refusal);
/* Out of the table and of memory: a room nobody is attached to and nobody waits for. */
void loading_forget(struct core *core, struct room *room);
/* The same for a room that is not ours any more: those who are there are told to come back. `words` for the log, or
 * NULL. */
void loading_drop(struct core *core, struct room *room, const char *words);
/* One idle room of a stranger's game leaves memory, of a game this account pays for (NULL: of anybody's); false: there is
 * none. */
bool loading_forget_strangers(struct core *core, const struct account *account);
void loading_unload_idle(struct core *core);

#endif
