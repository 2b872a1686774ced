/* What was done, in cost: a unit is some 50 µs of a processor, and counted, never timed, so that it is the same
 * everywhere. tests/bench/charges says how far from the truth it is.
 *
 * A command has a fixed part, for being read and answered at all, that its sender must have. The rest is what was really done for
 * it: work of the engine, bytes written. That is known when it is done, and charged then; whoever owes by then waits with the
 * next command. It is charged to the connection, to its address, and to the address that brought the game's
 * definition, as far as the game is slower than games are. */
#ifndef SERVER_CORE_COST_H
#define SERVER_CORE_COST_H

#include "server/core/parts.h"

/* A stretch of doing. They lie within each other: an inner one's cost is not the outer one's. */
struct cost_stretch {
    uint64_t work, bytes, noted;
    struct cost charged;
};
struct cost_stretch cost_begin(const struct core *core);
/* In thousandths of a unit. */
struct cost cost_end(struct core *core, const struct cost_stretch *stretch);

/* What is neither work of the engine nor bytes written, and has been done in this stretch. */
enum {
    COST_EVENT = 270,     /* thousandths: an event made durable, */
    COST_EVENT_BYTES = 3, /* and for so many bytes of it one more; */
    COST_MOVED = 100,     /* if it is a move, that it is made and told */
    COST_COMPILED = 3500, /* a game made of a definition, beside the work it was */
    COST_EVENT_READ = 50, /* one of the store's read and told */
    COST_PUBLICATION_READ = 150
};
void cost_note(struct core *core, uint64_t thousandths);
/* A frame of so many bytes that lay ready goes out once more. */
void cost_note_given(struct core *core, size_t bytes);

/* 0, and the fixed part is charged to the session and its address; or how long it has to wait, and nothing is. */
uint64_t cost_take(struct core *core, struct session *session, uint64_t thousandths);
uint64_t cost_wait_ms(struct core *core, struct session *session, uint64_t thousandths);
/* The same of an address that asks without a session; nothing is taken. */
uint64_t cost_account_wait_ms(struct core *core, struct account *account, uint64_t thousandths);
/* Who plays is heard and written to before all others, as long as what he asks for is little beside his moves: all of it is taken from
 * a small allowance, which a move fills. A seat alone is worth nothing: anybody has one, in a room of his own. */
enum {
    PRECEDENCE_OF_MOVE = 4, /* units: several times what a move costs */
    PRECEDENCE_MAX = 10,    /* as long as several moves take, */
    PRECEDENCE_PER_S = 2    /* and for who has not moved for a while */
};
void cost_begin_precedence(const struct core *core, struct session *session);
void cost_made_move(const struct core *core, struct session *session);
/* Afterwards. */
void cost_charge(struct core *core, struct session *session, uint64_t thousandths);
void cost_charge_account(struct core *core, struct account *account, uint64_t thousandths);
/* What a game does that somebody brought, to whoever plays it: only what is more than games do. */
void cost_charge_author(struct core *core, const struct session *session,
                        const struct edition *edition, const struct cost *cost);

/* Of engine/work.h; of what was read; in thousandths. */
uint64_t cost_of_work(uint64_t units);
uint64_t cost_of_reading(const char *text, size_t length);

#endif
