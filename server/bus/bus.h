/* Hints between the servers of one database: what one has done, for the others to hear.
 *
 * Whatever is said here may be lost, doubled, late or out of order. The store is the truth, a room's versions show a
 * gap, and who is told `missed`, or that the bus is down, reads the store. So nothing waits for the bus: bus_publish
 * copies a message into a bounded queue and returns; a thread of the bus's own speaks to the broker; what comes in is
 * told on the loop, a part of it in each turn. What there is no place for is dropped and counted. A broker that is
 * slow, frozen or gone costs a move nothing.
 *
 * There are two: none (url ""), which is never up, and NATS (nats.c). */
#ifndef SERVER_BUS_BUS_H
#define SERVER_BUS_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uv_loop_s;
struct bus;

enum {
    BUS_NAME_BYTES = 64,            /* a room's id, a node's, the database's */
    BUS_WORD_BYTES = 128,           /* other short texts */
    BUS_BODY_BYTES_MAX = 32 * 1024, /* a longer one is left out: the message becomes a hint */
    BUS_QUEUE_MAX = 8192,           /* messages that wait, in each direction */
    BUS_QUEUE_BYTES_MAX = 16 << 20, /* and their bytes */
    BUS_TURN_US = 500,              /* of a turn of the loop, for what came in */
};

enum bus_subject {
    BUS_ROOM,  /* an event of a room, committed */
    BUS_HERE,  /* who is in a room, at one server */
    BUS_LOBBY, /* a room as the lobby lists it, or does no more */
    BUS_SEEK,  /* who looks for somebody to play with, and what becomes of it */
    BUS_NODE,  /* a server says how it is */
    BUS_SUBJECT_COUNT,
};

/* Texts are borrowed; NULL is "". What a subject does not name is not sent. */
struct bus_message {
    enum bus_subject subject;
    const char *id;   /* the room's, the player's, or the node's */
    const char *node; /* who says it; of what is published the bus knows it */
    /* BUS_ROOM */
    int64_t version, at_ms;
    int64_t took_ms; /* from then until it was durable */
    const char *kind, *client, *command;
    const char *body; /* "": a hint, the event is to be read in the store */
    /* BUS_LOBBY: `body` is the row as JSON, "": it is listed no more; `version` its status, `at_ms` when it was made */
    /* BUS_SEEK: see ../core/seeking_others.c; `id` is the player's */
    /* BUS_HERE; with `client` and `at_ms`: who has just come to a seat there, and since when. "" and 0: nobody */
    int64_t spectators, seats; /* the second: bits of the seats whose players are there */
    /* BUS_NODE */
    const char *
        state; /* "back" (to the bus), "serving", "draining", "leaving" (no move is made there any more, or just now), "bye" */
    const char *release; /* the program's version */
    int64_t load;        /* WebSockets that are open */
};

/* All on the loop's thread, in its turns, until bus_close; none may call bus_close. */
struct bus_ports {
    void *context;
    /* `message` is borrowed for the call. */
    void (*arrived)(void *context, const struct bus_message *message);
    /* Something was lost on its way to us. */
    void (*missed)(void *context);
    /* `words`: why it is down. At the start it is, without a call. */
    void (*changed)(void *context, bool up, const char *words);
};

/* Copied. */
struct bus_options {
    const char
        *url; /* "": none; nats:// or tls://[USER:PASSWORD@]HOST[:PORT], several with commas */
    const char *credentials;       /* a file of NATS's credentials; or "", here and below */
    const char *ca;                /* PEM: whom to believe who the broker is */
    const char *certificate, *key; /* PEM: who we are */
};

/* Reads the files, and asks nobody. NULL with words. */
struct bus *bus_open(struct uv_loop_s *loop, const struct bus_options *options,
                     const struct bus_ports *ports, char *words, size_t words_size);
/* Begins to speak and to hear, as `node`, with those who name the same database. Once. */
void bus_join(struct bus *bus, const char *database, const char *node);
bool bus_is_up(const struct bus *bus);
/* False: dropped, because the bus is down or its queue is full. */
bool bus_publish(struct bus *bus, const struct bus_message *message);
/* What waits is sent if that is quick; the loop runs until the handles are closed, some seconds at most whatever the broker
 * does. `on_closed` (or NULL) is called when the bus is no more. */
void bus_close(struct bus *bus, void (*on_closed)(void *context), void *context);

struct bus_statistics {
    uint64_t up, waiting; /* now */
    uint64_t connects;
    uint64_t sent, sent_bytes;
    uint64_t
        unsent; /* dropped on the way out: the bus was down, its queue full, or the broker took no such thing */
    uint64_t arrived, arrived_bytes;
    uint64_t missed;    /* dropped on the way in: too many waited */
    uint64_t malformed; /* refused: too long, or no message of ours */
};
void bus_read_statistics(const struct bus *bus, struct bus_statistics *statistics);

#endif
