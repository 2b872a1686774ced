/* Players who look for somebody: `seek`, its one answer, and the lobby's list of those who wait.
 *
 * seek.h says who comes together. Those have a room at once, with all its seats taken; it is durable before anybody is told, and what
 * else they looked for is withdrawn. A seek belongs to a connection: without it nobody is given to it, and after
 * SEEKING_GRACE_MS it is gone. Whoever comes back until then and says the same again has his old place, or, when he was paired
 * and has not come into that room yet, the same answer.
 *
 * With a bus seeks of all servers come together (seeking_others.c). Each tells the others who waits there. Of a group that may play the
 * server of the one who came first decides: it chooses the room's id, asks the other members' servers to *promise* them, and makes the room when
 * all have. A promised seek is nobody else's until that server says what became of it, or has been silent for so long that the store knows: the room is
 * there, or will not be. Nothing of it is stored: a server that ends forgets it.
 *
 * A published game (publishing.h) is sought by its version, NAME@N, and somebody who looks for it holds it in memory: so it is there where it
 * is decided, and of those who look at other servers for it only names are known (seeking_published.c). */
#ifndef SERVER_CORE_SEEKING_H
#define SERVER_CORE_SEEKING_H

#include "server/core/parts.h"

enum {
    SEEKING_GRACE_MS = 10000,
    SEEKING_OF_ADDRESS = 64,
    SEEKING_SHOWN_MAX = 100,
    SEEKING_MADE_MAX = 1024, /* rooms that are remembered for those who come back */
    SEEKING_ASK_MS = 3000,   /* for promises of others; later no room is made of them */
    SEEKING_PROMISE_MS =
        10000, /* until the store is asked what became of it: much longer than a room may take */
};

request_handler seeking_begin, seeking_cancel;
/* The session is over. */
void seeking_left(struct core *core, const struct session *session);

/* The room of the pairing of this number is durable; or it does not come to be. */
void seeking_made(struct core *core, uint64_t number, const struct room *room);
void seeking_refused(struct core *core, uint64_t number, enum refusal refusal);

/* Those who wait, longest first, as a JSON array. */
void seeking_write(const struct core *core, struct writer *writer);
/* Those that wait of this server's players, so that the sum over servers counts each once. */
uint64_t seeking_count_own(const struct core *core);

void seeking_time(struct core *core);
uint64_t seeking_deadline_ms(const struct core *core);
void seeking_init(struct core *core);
void seeking_release(struct core *core);

struct compile_wish;
/* What the store says of a published game that is sought, and what came of compiling it: `missing` says why there is no edition
 * now, NULL that it cannot be one. */
void seeking_published_answered(struct core *core, const struct ticket *ticket,
                                const struct store_answer *answer);
void seeking_compiled(struct core *core, const struct compile_wish *wish, struct edition *edition,
                      const char *missing);
void seeking_not_compiled(struct core *core, const struct compile_wish *wish, uint64_t retry_ms);

/* Another server says something of seeks. */
void seeking_heard(struct core *core, const struct bus_message *message);
/* What became of a room for which one of ours was promised; or how strong one of them is. */
void seeking_answered(struct core *core, const struct ticket *ticket,
                      const struct store_answer *answer);
/* The store was silent for too long: who looks elsewhere is not known here any more, and nobody is asked for. */
void seeking_cut_off(struct core *core);

#endif
