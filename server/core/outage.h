/* Players whose server has gone, and their clocks meanwhile.
 *
 * When a server is killed, ends or is cut off, whoever played there comes back at another one, and until then no time of his is
 * counted: nobody loses time to us. Who sat where the servers have told each other (presence.c), and each of them says five
 * times a second that it is there. What does not count is what passed since a server was heard last, until its player is seen again; and
 * where he is not, until it is forgotten who sat there. A room that is read from the store may have been at any server that was heard
 * lately, until it was there for long enough to say who sits with it, or another one says that the player does.
 *
 * Who comes back is perhaps quicker than it is known whether his server has gone. Then that is taken to be so until the server is heard
 * again: who changes servers by himself gains the moment since that one has said something, a fifth of a second.
 *
 * Without a bus nothing is known of other servers, and clocks go on. */
#ifndef SERVER_CORE_OUTAGE_H
#define SERVER_CORE_OUTAGE_H

#include "server/core/room.h"

struct core;
struct bus_message;

enum { OUTAGE_SERVERS_MAX = 64 };

struct outage {
    struct server_heard {
        char node[BUS_NAME_BYTES + 1]; /* "": none */
        uint64_t heard_ms;
        uint64_t said; /* so many things */
        bool leaves;   /* it has said that it serves no longer; heard_ms stays as it was then */
    } servers[OUTAGE_SERVERS_MAX];
};

/* Somebody has said something; nothing that was heard means anything any more. */
void outage_heard(struct core *core, const struct bus_message *message);
void outage_forget(struct core *core);
/* Whether what it says of rooms is to be believed. */
bool outage_serves(const struct core *core, const char *node);

/* The room, with clocks, has been read from the store. */
void outage_woken(struct core *core, struct room *room);
/* The players of these seats are there: at this server (NULL), or, as it has just said, at another one, where that is not noted yet. */
void outage_seen(struct core *core, struct room *room, const struct elsewhere *there,
                 uint32_t seats);
/* What is known of that server is about to be forgotten. */
void outage_forgotten(struct core *core, struct room *room, const struct elsewhere *other);
/* Another turn begins. */
void outage_turn(struct room *room);

/* How much of the turn under way does not count, in playing time. */
uint64_t outage_stood_ms(const struct core *core, const struct room *room);
/* A flag may have to wait so much longer until it is known whether its player's server is there: if it is, it lets the flag fall. */
uint64_t outage_doubt_ms(const struct core *core, const struct room *room);

#endif
