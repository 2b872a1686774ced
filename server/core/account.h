/* What one address may still ask for, however many connections it opens: one record, which every
 * session and request of that address holds. It stays when they are gone, as long as it still owes
 * something, so that coming back is no way to begin anew.
 *
 * An address is one of IPv4, or the /64 of IPv6 that a household or a machine is given. A customer
 * is often given a /56, so each /64 has a wider account, of its /56, which is charged as well.
 * Addresses of this machine, and the server's own bots, have the one account that is never charged. */
#ifndef SERVER_CORE_ACCOUNT_H
#define SERVER_CORE_ACCOUNT_H

#include "server/core/allowance.h"
#include "server/core/core.h"
#include "server/core/map.h"
#include "server/core/tasks.h"

struct account_key {
    uint8_t bytes[sizeof(struct core_address)];
    uint8_t bits; /* of them that count */
};

/* Parts that limit something by address add their member, and say in account.c until when it owes. */
struct account {
    struct account *wider; /* of the /56, held; NULL: there is none */
    bool unlimited;
    struct allowance work; /* units of cost, as in the table of commands */
    size_t
        definition_bytes; /* of editions in memory that it brought, see holdings.h; they hold it */
    /* That it makes; each costs ACCOUNT_MINUTE_UNITS. */
    struct allowance rooms, keys, publications;
    struct allowance writing;   /* bytes of events, over a day: see writing.h */
    int bots, bots_playing;     /* of the server's, that it wants; of those, that play */
    int seeks;                  /* see seeking.h */
    int hints, hints_under_way; /* see hints.h */
    int in_rooms;               /* how often its sessions are in one */
    struct allowance imports;
    struct lane lane; /* what it waits for of the threads */

    struct account_key key;
    int holders;
    /* While nobody holds it: when it owes nothing any more, and where it stands in the heap. */
    uint64_t settled_ms;
    int place;
};

struct account_limits {
    uint32_t per_s, burst; /* units of cost; per_s 0: as many as it likes */
    /* A player has a quarter of both. */
    uint32_t rooms_per_minute, rooms_burst; /* 0: as many as it likes */
    uint32_t keys_per_minute, keys_burst;
    uint32_t publications_per_minute, publications_burst;
    uint32_t day_bytes; /* that it may write; 0: as many as it likes */
    int kept_max;       /* accounts nobody holds */
};
enum {
    /* An import takes a unit for each KiB. */
    ACCOUNT_IMPORTS_PER_S = 512,
    ACCOUNT_IMPORTS_BURST = 4096,
};
/* A /56 is 256 times as many addresses, and gets so many times as much. */
enum { ACCOUNT_WIDER_TIMES = 4 };
/* What comes by the minute is counted so, that seconds have whole numbers. */
enum { ACCOUNT_MINUTE_UNITS = 60 };
/* What it costs beside the command itself to ask for a room that is not there. */
enum { GUESS_COST = 25 };

struct accounts {
    struct account_limits limits;
    struct map all;
    struct account local;
    /* Those nobody holds, a heap: the first owes nothing soonest. What is over the bound is taken from there. */
    struct account **kept;
    int kept_count;
};

void accounts_init(struct accounts *accounts, const struct account_limits *limits,
                   struct hash_key hash_key);
void accounts_release(struct accounts *accounts);

/* The account of the address, to be let go of. All zero: of nobody else than us. */
struct account *account_of(struct accounts *accounts, const struct core_address *address,
                           uint64_t now_ms);
/* And of a player, wherever he comes from. */
struct account *account_of_player(struct accounts *accounts, const char *player, uint64_t now_ms);
struct account *account_hold(struct account *account);
/* `now_ms` may lie behind: then those that owe nothing any more stay a little longer. */
void account_let_go(struct accounts *accounts, struct account *account, uint64_t now_ms);

/* How long a cost has to wait: the account, or the wider one, decides. Nothing is taken. */
uint64_t account_wait_ms(struct account *account, uint64_t thousandths, uint64_t now_ms);
/* Taken from both, whether it is there or not. */
void account_charge(struct account *account, uint64_t thousandths, uint64_t now_ms);
/* 0 and they are taken from both, or how long it has to wait. */
uint64_t account_take_import(struct account *account, uint32_t units, uint64_t now_ms);

#endif
