#include "server/net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static void set_ipv4(struct address *address, const void *four_bytes)
{
    memcpy(address->bytes, mapped, sizeof mapped);
    memcpy(address->bytes + sizeof mapped, four_bytes, 4);
}

bool address_is_ipv4(const struct address *address)
{
    return memcmp(address->bytes, mapped, sizeof mapped) == 0;
}

bool address_of_socket(const struct sockaddr *socket_address, struct address *address)
{
    if (socket_address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, socket_address, sizeof in);
        set_ipv4(address, &in.sin_addr);
        return true;
    }
    if (socket_address->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, socket_address, sizeof in6);
        memcpy(address->bytes, &in6.sin6_addr, sizeof address->bytes);
        return true;
    }
    return false;
}

/* Splits "host:port", "[host]:port", "host" or "[host]"; `port` is NULL where there is none. */
static bool split(const char *text, char *host, size_t host_size, const char **port)
{
    const char *end;
    *port = NULL;
    if (text[0] == '[') {
        end = strchr(++text, ']');
        if (end == NULL || (end[1] != '\0' && end[1] != ':'))
            return false;
        *port = end[1] == ':' ? end + 2 : NULL;
    } else {
        end = strchr(text, ':');
        if (end != NULL && strchr(end + 1, ':') != NULL)
            end = NULL; /* a bare IPv6 literal */
        *port = end != NULL ? end + 1 : NULL;
        if (end == NULL)
            end = text + strlen(text);
    }
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= host_size)
        return false;
    memcpy(host, text, length);
    host[length] = '\0';
    return true;
}

bool address_read(const char *text, struct address *address)
{
    char host[ADDRESS_TEXT_BYTES];
    const char *port;
    struct in_addr in;
    if (!split(text, host, sizeof host, &port))
        return false;
    if (inet_pton(AF_INET6, host, address->bytes) == 1)
        return true;
    if (inet_pton(AF_INET, host, &in) != 1)
        return false;
    set_ipv4(address, &in);
    return true;
}

bool address_is_loopback(const struct address *address)
{
    static const unsigned char one[16] = {[15] = 1};
    if (address_is_ipv4(address))
        return address->bytes[12] == 127;
    return memcmp(address->bytes, one, sizeof one) == 0;
}

bool address_is_private(const struct address *address)
{
    const unsigned char *b = address->bytes;
    if (!address_is_ipv4(address))
        return (b[0] & 0xfe) == 0xfc || (b[0] == 0xfe && (b[1] & 0xc0) == 0x80);
    b += sizeof mapped;
    return b[0] == 10 || (b[0] == 172 && (b[1] & 0xf0) == 16) || (b[0] == 192 && b[1] == 168) ||
           (b[0] == 169 && b[1] == 254);
}

struct address address_group(const struct address *address)
{
    struct address group = *address;
    if (!address_is_ipv4(address))
        memset(group.bytes + 8, 0, 8);
    return group;
}

struct address address_wider(const struct address *address)
{
    struct address wider = *address;
    memset(wider.bytes + 7, 0, 9);
    return wider;
}

static bool read_port(const char *text, in_port_t *port)
{
    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*end != '\0' || value > UINT16_MAX)
        return false;
    *port = htons((in_port_t)value);
    return true;
}

bool address_read_listen(const char *text, struct sockaddr_storage *socket_address)
{
    char host[ADDRESS_TEXT_BYTES];
    const char *port;
    memset(socket_address, 0, sizeof *socket_address);
    if (!split(text, host, sizeof host, &port))
        return false;
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    if (!read_port(port, &in.sin_port))
        return false;
    in6.sin6_port = in.sin_port;
    const char *literal = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
    if (inet_pton(AF_INET, literal, &in.sin_addr) == 1)
        memcpy(socket_address, &in, sizeof in);
    else if (inet_pton(AF_INET6, literal, &in6.sin6_addr) == 1)
        memcpy(socket_address, &in6, sizeof in6);
    else
        return false;
    return true;
}

void address_write(const struct sockaddr_storage *socket_address, char *host, size_t host_size,
                   int *port)
{
    host[0] = '\0';
    *port = 0;
    if (socket_address->ss_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, socket_address, sizeof in);
        inet_ntop(AF_INET, &in.sin_addr, host, (socklen_t)host_size);
        *port = ntohs(in.sin_port);
    } else if (socket_address->ss_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, socket_address, sizeof in6);
        inet_ntop(AF_INET6, &in6.sin6_addr, host, (socklen_t)host_size);
        *port = ntohs(in6.sin6_port);
    }
}
