/* How many connections, and how many new ones a second, an address may have.
 *
 * An address is an IPv4 address or an IPv6 /64, what one household or machine is given. Customers are
 * often given a /56, which has ADMISSION_WIDER_TIMES as much for all of its /64. An entry lives as long
 * as something about it is worth remembering: a connection, or a bucket that is not full again. Time is
 * a parameter. */
#ifndef SERVER_NET_ADMISSION_H
#define SERVER_NET_ADMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/net/address.h"

struct admission;

enum { ADMISSION_WIDER_TIMES = 4 };

enum admission_answer {
    ADMISSION_OK,
    ADMISSION_TOO_MANY, /* connections at the same time */
    ADMISSION_TOO_FAST, /* new connections a second */
};

struct admission *admission_new(uint32_t connections_max, uint32_t new_per_s);
void admission_free(struct admission *admission);

/* ADMISSION_OK counts one connection, to be given back with admission_leave. */
enum admission_answer admission_enter(struct admission *admission, const struct address *address,
                                      uint64_t now_ms);
/* Somebody there has done harm: a second's worth of new connections is gone. */
void admission_charge(struct admission *admission, const struct address *address, uint64_t now_ms);
void admission_leave(struct admission *admission, const struct address *address);

/* How many connections there are of the address, counted as widely as it is: an IPv4 address, a /56. */
uint32_t admission_share(const struct admission *admission, const struct address *address);
/* How many such addresses have a connection. */
size_t admission_sharers(const struct admission *admission);

/* How many addresses, and /56, it remembers. */
size_t admission_entry_count(const struct admission *admission);

#endif
