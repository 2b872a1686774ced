/* Rooms come into memory when somebody asks for them, and leave it when nobody has been there for a
 * while. Loading is asynchronous: first the store's row and events, then, if no live room has it,
 * the compiled definition; then the events are played again through the engine. Commands that came
 * meanwhile wait in the room. */
#ifndef SERVER_CORE_LOADING_H
#define SERVER_CORE_LOADING_H

#include "server/core/parts.h"

/* A room of a new id, in the table, without a game yet. NULL when too many are live and none is
 * idle. */
struct room *loading_make_room(struct core *core);
/* A room that is being read from the store. NULL as above, or when the store cannot be asked. */
struct room *loading_begin(struct core *core, const char *id);
void loading_answered(struct core *core, const struct ticket *ticket, struct store_answer *answer);

/* One compilation per definition, however many wait for it. The waiting room, or the `create` of a
 * peer. */
struct compile_waiter {
    struct compile_waiter *next;
    char room[ROOM_ID_BYTES + 1]; /* "": for a create */
    struct author author;
    struct account *account; /* held: who pays for the definition; NULL: nobody */
    bool is_public;
};
/* Takes the waiter. */
void loading_compile(struct core *core, const char *hash, int players, const char *text,
                     size_t length, struct compile_waiter *waiter);
/* Takes the game. */
void loading_compiled(struct core *core, struct compilation *compilation, struct game *game,
                      const struct diagnostics *diagnostics);
void compilation_free(struct core *core, struct compilation *compilation);

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
