/* Pages that may speak to us. A browser says with every WebSocket and every POST which page it comes from; a program
 * says nothing. A page of somebody else's could otherwise use the browsers of its visitors, inside whatever network they
 * are in. */
#include <string.h>
#include <strings.h>

#include "server/net/private.h"

enum { HOST_BYTES_MAX = 256 };

/* "a.example:443" of a page that was loaded by https is "a.example". */
static bool is_same_host(const char *a, const char *b, const char *standard_port)
{
    size_t a_length = strlen(a), b_length = strlen(b), port = strlen(standard_port);
    if (a_length > port && strcmp(a + a_length - port, standard_port) == 0)
        a_length -= port;
    if (b_length > port && strcmp(b + b_length - port, standard_port) == 0)
        b_length -= port;
    return a_length > 0 && a_length == b_length && strncasecmp(a, b, a_length) == 0;
}

/* What a proxy we trust says about the request it passed on, or what the request says itself. */
static const char *as_asked(const struct connection *connection, const struct head *head,
                            const char *forwarded, const char *own)
{
    const char *value = connection->from_proxy ? head_find(head, forwarded) : NULL;
    return value != NULL ? value : own;
}

static bool is_own_page(const struct connection *connection, const struct head *head,
                        const char *origin)
{
    const char *host = as_asked(connection, head, "x-forwarded-host", head_find(head, "host"));
    const char *scheme =
        as_asked(connection, head, "x-forwarded-proto", connection->is_secure ? "https" : NULL);
    bool is_https = strncasecmp(origin, "https://", 8) == 0;
    if (host == NULL || (!is_https && strncasecmp(origin, "http://", 7) != 0))
        return false;
    if (scheme != NULL && strcasecmp(scheme, is_https ? "https" : "http") != 0)
        return false;
    return is_same_host(strchr(origin, ':') + 3, host, is_https ? ":443" : ":80");
}

bool origin_allowed(const struct connection *connection, const struct head *head)
{
    const char *listed = connection->net->options.origins;
    const char *origin = head_find(head, "origin");
    if (origin == NULL)
        return true;
    if (head_count(head, "origin") > 1 || strlen(origin) > HOST_BYTES_MAX)
        return false;
    if (listed[0] == '\0')
        return is_own_page(connection, head, origin);
    return head_lists(listed, "*") || head_lists(listed, origin);
}
