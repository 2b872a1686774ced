/* The network: WebSocket peers and a small HTTP server on one port, on libwebsockets and our libuv
 * loop.
 *
 * It translates bytes to values and back: a whole text message of a peer goes up, frames for a peer
 * come down. No rule of play, no permission, no policy lives here, only the guards every server on
 * the open net needs: sizes, origins, limits per address, liveness, bounded outboxes. Nothing above
 * this folder knows libwebsockets.
 *
 * Everything happens on the loop's thread. net_send and net_close only queue and mark, so they may
 * be called from within any of the ports; what is queued is written at the end of the loop's turn, or of
 * the next ones where it is for very many.
 */
#ifndef SERVER_NET_NET_H
#define SERVER_NET_NET_H

#include "server/core/core.h"
#include "server/core/frame.h"
#include "server/net/files.h"
#include "server/net/late_file.h"

struct uv_loop_s;
struct net;
struct net_stream;
struct head;

enum {
    NET_STALLED_MS = 8000, /* no progress for so long with bytes waiting: the peer is dropped */
    NET_RESERVE_MS = 10000,
    NET_CLOSE_ANSWER_MS = 5000, /* how long the other side may take to answer a close frame */
    NET_CLOSE_TOTAL_MS =
        30000, /* what is queued before the close frame is written for so long at most */
    NET_HEAD_WITHIN_MS =
        10000, /* a request's whole head, from its first byte; and the next request */
    /* The first byte of a connection, while there are places for everybody. Browsers open connections ahead, keep unused
     * ones for a minute, and show an error for a request that is sent on one we have closed. */
    NET_FIRST_WITHIN_MS = 75000,
    NET_BODY_WITHIN_MS = 10000,   /* a request's whole body, however it drips; then 408 */
    NET_ANSWER_WITHIN_MS = 10000, /* an answer that comes later; then 503 */
    NET_EXCHANGES_MAX = 1024,     /* requests with a body under way, or whose answer comes later */
    NET_EXCHANGES_OF_ADDRESS_MAX = 128,
    NET_BODIES_BYTES_MAX = 32 * 1024 * 1024, /* all bodies under way, as they were declared */
    NET_BODIES_OF_ADDRESS_BYTES_MAX = 8 * 1024 * 1024,
    NET_TURN_US = 2000,
    NET_ANSWER_HEADERS_BYTES = 1536,
    NET_HEADER_BYTES_MAX = 8 * 1024, /* all values of a request's headers */
};

struct net_options {
    const char *listen;         /* "127.0.0.1:8080", "[::1]:0" */
    const char *metrics_listen; /* a second address, for requests `for_metrics`; "": none */
    const char *tls_certificate, *tls_key; /* PEM files; both "": no TLS */
    const char *origins; /* of pages that may connect, comma-separated; "*": any; "": our own */
    uint32_t message_bytes_max;
    uint32_t heartbeat_ms; /* a ping so often; a peer silent for two is dropped */
    uint32_t stalled_ms;   /* no progress for so long with bytes waiting: the peer is dropped */
    uint32_t
        reserve_ms; /* so long may a place in the reserve be had without a game, see shares.h */
    uint32_t first_within_ms, head_within_ms, body_within_ms, answer_within_ms;
    uint32_t turn_us; /* so long sockets are served before what was said is written; see turn.c */
    uint32_t connections_max;
    uint32_t address_connections_max, address_new_per_s;
    bool limit_loopback;         /* loopback addresses are not exempt */
    bool trust_forwarded;        /* believe X-Forwarded-For of loopback and private peers */
    struct files *files;         /* borrowed, sealed */
    struct late_file *late_file; /* borrowed; NULL: none */
    /* The library's own words; it gives no context along. */
    void (*library_log)(int level, const char *line);
};
void net_options_default(struct net_options *options);

/* Before the first net: libwebsockets asks for memory as the program does (engine/memory/memory.h). What it asks for is
 * small and bounded, and where it finds none while it accepts a socket, it loses track of it: the client is
 * never answered, and the library's context never ends. */
void net_use_memory(void);

enum net_method {
    NET_GET, /* a HEAD, too: its answer's body is counted and not written */
    NET_POST,
    NET_OPTIONS,
    NET_OTHER_METHOD, /* PUT, PATCH, DELETE */
};

/* A request over HTTP. Borrowed for the call. */
struct net_request {
    uint64_t ticket; /* what net_respond names it by; never used twice */
    enum net_method method;
    const char *method_word; /* "GET", "HEAD", "PUT" */
    const char *target;      /* the path as it came, for showing it */
    bool bad_escapes;        /* some of the target's: they stand in the path as they came */
    const char *path;        /* its escapes are resolved, so it may be no UTF-8 */
    const char *body; /* ended by zero, which length does not count; "" where there is none */
    size_t length;
    /* The body is longer than the route allows and was not read: only a refusal can be said. */
    bool too_long;
    const struct head *head;    /* for the two questions below */
    struct core_address client; /* whom limits count it for; all zero: nobody (loopback) */
    bool for_metrics;           /* came to the address that metrics have of their own */
};
/* The value of a header (its name in lower case), or of a member of the query (`?name=value`, its escapes resolved).
 * False when it is absent or does not fit, and of a query when it is not UTF-8. A header that is not is Latin-1, as browsers
 * send it; what is written is UTF-8. */
bool net_request_has_header(const struct net_request *request, const char *name);
bool net_request_header(const struct net_request *request, const char *name, char *value,
                        size_t size);
bool net_request_query(const struct net_request *request, const char *name, char *value,
                       size_t size);
/* How it takes texts, in the shortest of ways. */
enum files_coding net_request_coding(const struct net_request *request);
/* The same of a request that waits, by its ticket; of one that is gone FILES_PLAIN. */
enum files_coding net_ticket_coding(const struct net *net, uint64_t ticket);

/* What is said to a request. */
struct net_answer {
    int status;
    const char *content_type;  /* constant; NULL where there is no body at all */
    const char *cache_control; /* constant; NULL: "no-cache" */
    char *body;                /* from malloc; net frees it */
    size_t length;
    const char *policy; /* constant; of content, in place of the page's; NULL: the page's */
    bool framed;        /* a page that may stand in a page of anybody's */
    char etag[40];      /* "" or, quotes included, what If-None-Match is compared with: then 304 */
    char headers[NET_ANSWER_HEADERS_BYTES]; /* more of them, each ended by \r\n */
};

enum net_reply {
    NET_NOT_HERE, /* no such path: it may be a file, otherwise 404 (405 for what is no GET) */
    NET_ANSWERED,
    NET_LATER, /* net_respond or net_stream_begin follows, or 503 is said after answer_within_ms */
    NET_STREAMS, /* net_stream_begin was called */
};

struct net_ports {
    void *context;
    void (*opened)(void *context, peer_id peer, const struct core_address *client);
    void (*said)(void *context, peer_id peer, const char *text, size_t length);
    void (*drained)(void *context, peer_id peer); /* after SEND_FULL: everything is written */
    /* A ping has come back after so long; NULL: nobody wants to know. */
    void (*answered)(void *context, peer_id peer, uint32_t round_trip_ms);
    void (*gone)(void *context, peer_id peer);
    /* How long a body may be here; 0: none is read. Asked before the first byte of it. */
    size_t (*body_max)(void *context, enum net_method method, const char *path);
    enum net_reply (*request)(void *context, const struct net_request *request,
                              struct net_answer *answer);
    /* Whether pages of any origin may read what is said here. Of the answers that is the owner's to say; net says it with
     * refusals of its own. */
    bool (*any_origin)(void *context, const char *path);
    void (*log)(void *context, enum fact_level level, const char *fact, const char *members);
    /* Whether the peer has a seat in a running game: then others give way first. NULL: nobody does. */
    bool (*plays)(void *context, peer_id peer);
    /* And whether others wait to be read and written to: he does little else than play. NULL: for nobody. */
    bool (*precedes)(void *context, peer_id peer);
    /* A file of so many bytes goes out to this client, without the owner's doing; NULL: nobody wants to know. */
    void (*gave)(void *context, const struct core_address *client, size_t bytes);
};

/* Binds the address; NULL with words when that fails. Connections are taken from net_start on. */
struct net *net_new(struct uv_loop_s *loop, const struct net_options *options,
                    const struct net_ports *ports, char *words, size_t words_size);
bool net_start(struct net *net, char *words, size_t words_size);
/* What is really bound. */
void net_address(const struct net *net, char *host, size_t host_size, int *port);
/* False: metrics have no address of their own. */
bool net_metrics_address(const struct net *net, char *host, size_t host_size, int *port);

/* Reads the certificate's files again. False with words: the old one stays. Connections keep the one they came with. */
bool net_read_certificate(struct net *net, char *words, size_t words_size);

/* A ping goes out with what is written to the peer next, and `answered` follows when it has come back. */
void net_measure(struct net *net, peer_id id);
/* For a peer that is gone already both do nothing. */
enum send_result net_send(struct net *net, peer_id id, struct frame *frame);
/* `port.gone` follows, later. `reason` is copied, at most 123 bytes of it. */
void net_close(struct net *net, peer_id id, int code, const char *reason);

/* The answer to a request of which NET_LATER was said; from any later turn of the loop. False: nobody waits for it any
 * more. Takes the body either way. */
bool net_respond(struct net *net, uint64_t ticket, struct net_answer *answer);

/* Instead of an answer lines without an end, one for each frame that is sent: application/x-ndjson, and a blank line where there is
 * nothing to say for a heartbeat. NULL: nobody waits for it any more. Nothing is written before a later turn; `drained` and `gone`
 * are said of `id`, and with the latter the stream is no more. */
struct net_stream *net_stream_begin(struct net *net, uint64_t ticket, peer_id id);
enum send_result net_stream_send(struct net_stream *stream, struct frame *frame);
/* What is queued is written first. `gone` follows, later. */
void net_stream_end(struct net_stream *stream);

void net_stop_accepting(struct net *net);
/* As many of those who are not being closed yet. False: there are no others. */
bool net_close_some(struct net *net, size_t most, int code, const char *reason);
/* With those who stream. */
size_t net_peer_count(const struct net *net);

/* The end takes three steps, as the library wants it: net_finish, the loop runs until every handle
 * is closed, net_free. No port is called after net_finish but `gone` and `log`. */
void net_finish(struct net *net);
void net_free(struct net *net);

/* The codes we close with; the last stands for all others. */
enum { NET_CLOSE_CODES = 13 };
extern const uint16_t net_close_codes[NET_CLOSE_CODES];

struct net_statistics {
    uint64_t closed[NET_CLOSE_CODES];
    uint64_t connections, peers, addresses; /* now */
    uint64_t accepted, refused_full, refused_address, handshakes, handshakes_refused;
    uint64_t gave_way;
    uint64_t messages_received, bytes_received, frames_sent, bytes_sent, writes, writes_partial;
    uint64_t outboxes_full, peers_stalled, peers_silent, peers_violating, peers_flooding;
    uint64_t tls_handshakes, tls_refused;
    uint64_t http_requests, http_refused, http_timeouts;
    uint64_t exchanges, bodies_bytes; /* now */
    uint64_t streams, streams_begun;  /* now, and in all */
};
void net_read_statistics(const struct net *net, struct net_statistics *statistics);

#endif
