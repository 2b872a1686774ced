/* What the files of this folder share and nobody else sees. */
#ifndef SERVER_NET_PRIVATE_H
#define SERVER_NET_PRIVATE_H

#include <libwebsockets.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <uv.h>

#include "server/core/list.h"
#include "server/net/address.h"
#include "server/net/admission.h"
#include "server/net/chunks.h"
#include "server/net/head.h"
#include "server/net/net.h"
#include "server/net/outbox.h"
#include "server/net/shares.h"

enum {
    NET_SCRATCH_BYTES = 64 * 1024,
    NET_SEND_BUFFER_BYTES = 128 * 1024, /* SO_SNDBUF: what the kernel may hold for a slow reader */
    NET_REASON_BYTES_MAX = 123,         /* RFC 6455: 125 bytes less the code */
    NET_PROGRESS_BYTES = 4 * 1024,      /* less than this within the time is no progress */
    NET_CLOSED_READING_MS = 250,        /* after our close: so long is read, in case they answer, */
    NET_CLOSED_READING_BYTES = 64 * 1024, /* and so much */
    NET_RECEIVE_BYTES = 1024,             /* the library's buffer per connection */
    NET_HTTP_TIMEOUT_S = 10,
    NET_HTTP_KEPT_S = 8, /* what is announced: who asks just then still meets an open connection */
    NET_HTTP_LEAVING_MS = 2000,
    NET_HTTP_LEAVING_BYTES = 2 * 1024 * 1024, /* more than any body that is taken */
};

/* One transition each, in this order; nothing goes back. */
enum peer_state {
    PEER_OPEN,
    PEER_CLOSING, /* what is queued is still written, then the close frame */
    PEER_CLOSED, /* our close frame is written (or theirs came): only the socket's end is awaited */
    PEER_DROPPED, /* cut off */
};

struct peer {
    /* What every frame in and out touches, together. */
    peer_id id;
    struct connection *connection;
    enum peer_state state;
    bool was_full; /* SEND_FULL was said and `drained` not yet */
    bool wants_ping;
    uint8_t ping;         /* the number of the last one, */
    uint64_t ping_ns;     /*   and when it went out; 0: its answer has come */
    bool gives_way;       /* to somebody else, soon */
    bool is_unread;       /* nothing is read any more */
    struct link put_off;  /* the library keeps messages of it until its turn comes again */
    struct link to_write; /* in one of net->writing's queues */
    struct outbox outbox;
    unsigned char *message; /* of a message in fragments: what came so far; NULL between messages */
    size_t message_length, message_room;
    uint64_t heard_ms, said_ms, pinged_ms; /* said: the last message */
    uint64_t progress_ms,
        acknowledged;  /* when the other side last took bytes, and how many in all */
    uint64_t received; /* what came in all, as far as it is known what it was: see flood.c */
    size_t ignored;    /* came after our close */
    uint64_t closing_ms, closed_ms;
    uint16_t close_code;
    char close_reason[NET_REASON_BYTES_MAX + 1];
};

/* What goes out to a socket that is no WebSocket, as far as it has not gone out yet. */
struct body {
    char *head; /* owned; NULL once it is written */
    size_t head_length, head_written;
    const unsigned char *bytes; /* of a file (borrowed), or `owned` */
    char *owned;
    size_t length, written;
    bool close; /* the connection, when all is written */
};

/* A request, from the end of its head until its answer is being written: its body may have to come, and then its
 * answer. */
struct exchange {
    uint64_t ticket;
    struct connection *connection;
    struct head head;
    char *text, *path; /* owned; what `head` lies in, and the target with its escapes resolved */
    bool bad_escapes;
    enum net_method method;
    bool head_only, whole;         /* whole: all of the body is there */
    bool is_asked;                 /* the owner is looking at it just now */
    bool close;                    /* the connection, after the answer */
    size_t declared, length, room; /* declared: of a body in chunks the most there may be */
    char *body;
    bool in_chunks;
    struct chunks chunks;
    uint64_t due_ms;
};

/* Of a connection that is no WebSocket. Each state is left by the function that is called next. */
enum plain_state {
    PLAIN_HEAD,    /* a head is awaited */
    PLAIN_BODY,    /* the body of `exchange` */
    PLAIN_ANSWER,  /* the owner's answer; nothing is read */
    PLAIN_WRITING, /* nothing is read, either */
    PLAIN_STREAM,  /* lines of `stream`; nothing is read */
    PLAIN_LEAVING, /* our side is closed; what still comes is thrown away for a while, so that the answer arrives */
    PLAIN_HANDED, /* to the library */
};

/* Who is served first, see turn.c; everybody begins among the others. */
enum turn_lane { LANE_OTHERS, LANE_PLAYERS, LANE_COUNT };

/* One socket, from accept until it is closed; for a WebSocket, until the library lets go of it. */
struct connection {
    /* What every message of a WebSocket touches, together. */
    struct net *net;
    struct lws *wsi;    /* NULL until it is handed to the library */
    struct peer *peer;  /* owned; NULL before the upgrade */
    uint64_t served_in; /* the number of a turn */
    uint64_t lane_ns;   /* since when the time it takes is counted, */
    uint64_t taken_ns;  /* and how much it was since */
    int fd;
    uint32_t watched; /* events of epoll that are waited for */
    enum turn_lane lane;
    enum plain_state state;
    bool is_stopped; /* the library does not read it, whoever asks */

    struct address remote;
    struct address counted; /* whom the admission counts it for */
    bool is_counted;
    bool from_proxy;       /* X-Forwarded-For says who it is */
    bool for_metrics;      /* came in by that door: no page, no WebSocket */
    bool is_secure;        /* came in by TLS */
    struct secure *secure; /* NULL: no TLS, or it is over */
    bool on_reserve;       /* let in for a while, see shares.h */
    size_t place;          /* in net->all */
    uint64_t since_ms;     /* when it was accepted */

    struct connection *previous, *next; /* of those that are no WebSockets */
    bool is_plain;                      /* it is in the list above */
    bool has_spoken;                    /* something came, once */
    size_t peeked; /* so much of the head was there when it was last looked at */
    size_t thrown_away;
    uint64_t due_ms; /* when it is over, without progress; of BODY and ANSWER the exchange says */
    struct body body;
    struct exchange *exchange; /* owned; NULL between requests */
    struct net_stream *stream; /* owned; NULL: its answers have an end */
    bool any_origin;           /* pages of any origin may read what is said to this request */
};

/* A listening socket. */
enum { DOOR_PUBLIC, DOOR_METRICS, DOOR_COUNT };
struct door {
    struct net *net;
    const char *listen; /* as it was set */
    uv_poll_t poll;
    int fd; /* -1: there is none */
    struct sockaddr_storage bound;
    bool accepting;
};

struct secure;

/* See turn.c. */
enum {
    TURN_BATCH = 64, /* sockets that are asked for at once */
    TURN_SLICES = 4, /* so much of a turn's time may one peer have before the next one comes, */
    TURN_OTHERS = 8, /* and so much all have who do not play */
    TURN_HANDSHAKES = 4,
    TURN_CLOSINGS = 16,
    TURN_CLOSING_LOOKS = 48 * 1024, /* each closing looks at all connections */
    TURN_PLAYER_US = 10 * 1000, /* of each second: who plays and takes more waits with the others */
};
/* Sockets of one lane, and those the kernel has named as ready: what one turn has no time for comes first in the next. */
struct lane_of_sockets {
    int epoll;
    uv_poll_t poll;
    bool is_ready;
    struct epoll_event batch[TURN_BATCH];
    int next, count; /* of the batch */
};
struct turn {
    struct lane_of_sockets lanes[LANE_COUNT];
    uv_idle_t idle;
    bool is_ready;
    uint64_t number, began_ns, serving_ns;
    struct connection *serving; /* NULL: nobody, or it is gone */
    int closings;
    uint64_t others_ns,
        others_since_ns; /* of this turn; since then they are served, 0: they are not */
    struct list put_off; /* of peers */
    int handshakes;      /* of TLS, in this turn */
};

/* See writing.c. */
enum writing_queue { WRITING_PLAYERS, WRITING_OTHERS, WRITING_ENDED, WRITING_QUEUES };
struct writing {
    struct list queues[WRITING_QUEUES]; /* of peers with something to write */
    uint64_t players_ns, others_ns;     /* spent in this turn */
};

struct net {
    struct net_options options;
    struct net_ports ports;
    struct lws_context *context;
    struct lws_vhost *vhost;
    struct admission *admission;
    uv_loop_t *loop;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_timer_t sweep;
    struct door doors[DOOR_COUNT];
    bool finishing;
    struct ssl_ctx_st *certificate; /* NULL: no TLS */
    struct secure *secure;          /* connections that speak it, and last words of some that did */

    struct peer **slots; /* options.connections_max of them */
    uint32_t *free_slots;
    uint32_t free_count, slots_used; /* slots_used: the highest ever, for walks */
    uint64_t serial;

    struct connection **all; /* see shares.h */
    size_t all_count, all_room, hand;
    uint32_t flood_hand, flood_looks; /* where, and how many in this sweep */
    struct turn turn;
    bool sweeping;
    uint32_t sweep_slot;                           /* how far the sweep has come */
    struct connection *plain;                      /* those that are no WebSockets */
    struct exchange *exchanges[NET_EXCHANGES_MAX]; /* by the lower bits of their tickets */
    uint64_t last_ticket;

    struct writing writing;
    struct list streams; /* those with something to write */

    struct net_statistics statistics;
    unsigned char scratch[LWS_PRE + NET_SCRATCH_BYTES];
};

/* listener.c */
bool listener_bind(struct net *net, char *words, size_t words_size);
bool listener_start(struct net *net, char *words, size_t words_size);
void listener_stop(struct net *net); /* both doors; the one for metrics is closed with the others */
void listener_resume(struct net *net);               /* after descriptors had run out */
void connection_free(struct connection *connection); /* the socket is gone */
/* Counts the connection for who is behind the proxy; ADMISSION_OK when there is nothing to count.
 */
enum admission_answer connection_count_forwarded(struct connection *connection,
                                                 const char *forwarded_for);

/* Where the other side acknowledges what it has got. */
int connection_socket(const struct connection *connection);
/* Whom limits count the connection for, or one request on it, whose head may say `forwarded_for` (or NULL). All zero:
 * nobody. */
struct core_address connection_client(const struct connection *connection,
                                      const char *forwarded_for);

/* turn.c */
void turn_init(struct net *net);
bool turn_open(struct net *net);
void turn_finish(struct net *net); /* its handles close */
void turn_close(struct net *net);
void turn_take(struct net *net);
void turn_prepare(struct net *net); /* before the loop sleeps */
/* The time of this turn is used up: what can wait waits for the next. */
bool turn_is_over(const struct net *net);
/* Before something is shown to him: perhaps that his game has begun, and that he plays from here on. */
void turn_look(struct connection *connection);
void turn_watch(struct connection *connection, uint32_t events); /* of epoll; 0: none */
void turn_forget(struct connection *connection);                 /* before its socket is closed */
void turn_serve(struct connection *connection); /* one that is the library's; it may be freed */
/* The library goes on with what it has of the peer in another turn. */
void turn_put_off(struct peer *peer);
void turn_stop_reading(struct peer *peer); /* for good */
/* The library may have begun to wait by itself: for bytes it does so no longer. */
void turn_hush(struct connection *connection);
void turn_heard(struct peer *peer); /* after a message */

/* peer.c */
void peer_open(struct connection *connection);
void peer_remove(struct connection *connection); /* says `gone` */
void peer_close(struct peer *peer, int code, const char *reason);
void peer_receive(struct connection *connection, const char *bytes, size_t length,
                  size_t still_to_come, bool is_last);
void peer_refuse(struct peer *peer, int code, const char *reason); /* it broke the protocol */
/* The kernel's buffer fills, and whoever sends waits: that costs nothing. */
void peer_answered_ping(struct peer *peer, const unsigned char *payload, size_t length);
void peer_stop_reading(struct peer *peer);
void peer_writeable(struct peer *peer);
void peer_write_now(struct peer *peer); /* not only when its turn comes */
void peer_write(struct peer *peer);     /* when it does; it may be gone afterwards */
bool peers_sweep_on(struct net *net);   /* a few peers; false: the sweep is at its end */

/* writing.c */
void writing_open(struct net *net);
void writing_wants(struct peer *peer); /* it has something to be written */
void writing_begin(struct net *net);   /* a turn's */
void writing_go_on(struct net *net);   /* with the same turn's */
bool writing_waits(const struct net *net);

/* flood.c */
void flood_begin(struct peer *peer);
void flood_seen(struct peer *peer, size_t length); /* a part of a message */
void floods_sweep(struct net *net);
bool floods_sweep_on(struct net *net); /* a few looks; false: those were all */

/* plain.c: sockets before they are WebSockets. Every function may free the connection. */
void plain_begin(struct connection *connection, int fd);
void plain_ready(struct connection *connection, bool failed);
void plain_read_body(struct connection *connection);
void plain_await_answer(struct connection *connection);
void plain_write(struct connection *connection); /* what its `body` holds */
void plain_close(struct connection *connection);
/* All is said: the other side reads it before it learns that nobody reads what it sends. */
void plain_leave(struct connection *connection);
void plain_sweep(struct net *net);
void plain_close_all(struct net *net);

/* More bytes are there for a connection that speaks TLS, or it is over. */
void plain_more_came(struct connection *connection);

/* secure.c: TLS in front of a connection. plain_begin follows when the handshake is done; takes the socket if it says true. */
bool secure_begin(struct connection *connection, int fd);
void secure_let_go(struct secure *secure);           /* its connection is closed */
int secure_socket(const struct secure *secure);      /* the one that people are at */
uint64_t secure_unread(const struct secure *secure); /* bytes that wait there and here */
void secure_close(struct secure *secure); /* and the connection, while the handshake lasts */
void secure_sweep(struct net *net);
void secure_close_all(struct net *net);

/* http.c */
void http_request(struct connection *connection, char *text,
                  size_t length); /* takes the text: a head */
/* A head that was not consumed yet: is it for the library? */
bool http_is_upgrade(const struct head *head);
void http_body_complete(struct connection *connection);
void http_body_too_long(struct connection *connection); /* one in chunks, which did not say so */
/* A plain refusal; the connection is to be closed. */
void http_refuse(struct connection *connection, int status, const char *words);

/* respond.c */
/* For refusals of a request whose answers pages of any origin may read. */
extern const char response_any_origin[];
struct response {
    int status;
    const char *content_type;  /* NULL: no body, and no word of one */
    const char *etag;          /* NULL where there is none */
    const char *cache_control; /* NULL: "no-cache" */
    const char *policy;        /* NULL: the page's */
    bool framed;               /* by pages of anybody's */
    const char *headers;       /* NULL, or more lines */
    const unsigned char *bytes;
    char *owned; /* the bytes, when they are not borrowed */
    size_t length;
    bool head_only, close;
    bool is_endless; /* until the connection ends */
};
/* Takes `owned`; borrowed bytes stay. */
void respond(struct connection *connection, const struct response *response);
void response_refusal(struct response *response, int status, const char *words, char *text,
                      size_t text_size);

/* The head of an answer without an end; the caller's. */
char *response_head_of_stream(const struct connection *connection, size_t *length);

/* stream.c: net_stream_* of net.h, and */
peer_id stream_id(const struct net_stream *stream);
void stream_let_go(struct connection *connection); /* says `gone`, where there is one */
void stream_write(struct connection *connection);  /* which may be gone afterwards */
void streams_write(struct net *net);               /* some of those that have something to write */
/* Nothing is taken any more; false: it goes on, and a blank line may be due. */
bool stream_is_over(struct connection *connection, uint64_t now_ms);

/* exchange.c */
enum exchange_refusal { EXCHANGE_OK, EXCHANGE_TOO_MANY, EXCHANGE_TOO_MANY_OF_ADDRESS };
/* May the connection have one, with a body of so many bytes? */
enum exchange_refusal exchange_may_begin(const struct connection *connection, size_t declared);
/* Takes `exchange`, made by the caller: it gets its ticket, and its body is counted in full. */
void exchange_begin(struct connection *connection, struct exchange *exchange);
bool exchange_keep(struct exchange *exchange, const char *bytes, size_t length);
struct exchange *exchange_find(const struct net *net, uint64_t ticket);
/* Also for a connection that has none. */
void exchange_end(struct connection *connection);
void exchange_free(struct exchange *exchange);
/* Those over their time are answered with 408 or 503. */
void exchanges_sweep(struct net *net);

/* origin.c */
/* Whether who asks is no page, or one that may: of our own host, or of the list where there is one. */
bool origin_allowed(const struct connection *connection, const struct head *head);

/* ws.c */
/* 0, or the HTTP status of the refusal with its words. */
int ws_judge_handshake(struct connection *connection, const struct head *head, const char **words);
const struct lws_protocols *ws_protocols(void);

#endif
