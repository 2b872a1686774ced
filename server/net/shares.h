/* Who gives way when all connections are in use.
 *
 * Everybody may use what nobody else needs. When what is open to all is in use, an address (IPv4, a /56 of
 * IPv6) with more than its fair share, all places divided by the addresses there are, gets no further
 * one; who comes from another takes the place of a connection of those who have more: first of one that
 * plays nothing. So one address can fill the server and keeps nobody out. Where nobody has more than
 * his share, those go that have been idle and play nothing.
 *
 * A part of all connections is a reserve. Who finds no place that way is let in there for a while: a
 * health check is answered, a player who comes back to a running game may stay, everybody else has
 * to go. */
#ifndef SERVER_NET_SHARES_H
#define SERVER_NET_SHARES_H

#include <stdbool.h>
#include <stdint.h>

struct connection;
struct net;

enum {
    NET_RESERVE_PART = 16,    /* one in so many connections */
    NET_IDLE_MS = 10000,      /* who has said nothing for so long is idle */
    NET_GIVING_WAY_MS = 1000, /* so long may it take to be gone */
};

/* The table of all connections, which is sampled for those who may go. */
void shares_add(struct connection *connection);
void shares_remove(struct connection *connection);

/* A new connection, counted for its address already: may it stay? */
bool shares_let_in(struct connection *connection);
/* One of a proxy: whom it is for is known only with its head. */
bool shares_await_head(struct connection *connection);
/* One that is on the reserve may only ask how the server is. */
bool shares_may_ask(struct connection *connection, const char *path);
void shares_sweep(struct net *net);
/* Half of what is open to all is free: whoever does not need his place yet may keep it. */
bool shares_are_plenty(const struct net *net);

#endif
