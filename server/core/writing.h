/* How much strangers may have written for them. An address has so many bytes, which come back over a day; every event that is
 * made is charged with what it takes in the store. When they are used up, it makes no rooms and does not talk, but its
 * games go on. The store as a whole has a bound, too (housekeeping.h): over it nobody makes new rooms. */
#ifndef SERVER_CORE_WRITING_H
#define SERVER_CORE_WRITING_H

#include "protocol/event.h"
#include "server/core/account.h"

struct request;
struct core;

/* Of a new account; 0 bytes: as many as it likes. */
void writing_limit(struct account *account, uint32_t day_bytes, uint64_t now_ms);

struct writing_refusal {
    enum refusal refusal; /* NONE: it may */
    const char *words;
    uint64_t retry_ms;
};
/* A new room. */
struct writing_refusal writing_judge(const struct core *core, struct account *account);
enum refusal writing_refuses_room(struct request *request);
/* An event of a room that there is. */
enum refusal writing_refuses_event(struct request *request, enum event_kind kind);

/* What a request adds to the store, about. */
size_t writing_bytes(const struct store_request *request);
/* The same by kind, for whoever looks after the server. */
void writing_count(struct core *core, const struct store_request *request);
void writing_charge_bytes(struct account *account, size_t bytes, uint64_t now_ms);

#endif
