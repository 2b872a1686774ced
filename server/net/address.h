/* Addresses as values: who is at the other end of a socket, and where to listen. */
#ifndef SERVER_NET_ADDRESS_H
#define SERVER_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

struct sockaddr;
struct sockaddr_storage;

enum { ADDRESS_TEXT_BYTES = 64 };

/* IPv6, or IPv4 mapped into it. */
struct address {
    unsigned char bytes[16];
};

bool address_of_socket(const struct sockaddr *socket_address, struct address *address);
/* An IPv4 or IPv6 literal, with or without brackets and port, as X-Forwarded-For carries them. */
bool address_read(const char *text, struct address *address);
bool address_is_loopback(const struct address *address);
bool address_is_ipv4(const struct address *address);
bool address_is_private(const struct address *address); /* RFC 1918, RFC 4193, link-local */
/* What limits count: the address itself, or the first 64 bits of an IPv6 address. */
struct address address_group(const struct address *address);
/* The first 56 of them: what a customer is often given as a whole. Of IPv6 only. */
struct address address_wider(const struct address *address);

/* "127.0.0.1:8080", "[::1]:0", "0.0.0.0:80", "localhost:8080". */
bool address_read_listen(const char *text, struct sockaddr_storage *socket_address);
/* Host without brackets, and port. */
void address_write(const struct sockaddr_storage *socket_address, char *host, size_t host_size,
                   int *port);

#endif
