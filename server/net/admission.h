/* How many connections, and how many new ones a second, an address may have.
 *
 * An address is an IPv4 address or an IPv6 /64, what one household or machine is given. An entry
 * lives as long as something about it is worth remembering: a connection, or a bucket that is not
 * full again. Time is a parameter. */
#ifndef SERVER_NET_ADMISSION_H
#define SERVER_NET_ADMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/net/address.h"

struct admission;

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
void admission_leave(struct admission *admission, const struct address *address);

size_t admission_entry_count(const struct admission *admission);

#endif
