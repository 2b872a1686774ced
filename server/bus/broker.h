/* The broker as the bus's thread uses it (nats.c): every call may take as long as its bound says, so none is for the loop. What
 * is heard comes on another thread. */
#ifndef SERVER_BUS_BROKER_H
#define SERVER_BUS_BROKER_H

#include "server/bus/bus.h"

struct broker;

enum {
    BROKER_CONNECT_MS = 2000,
    BROKER_ANSWER_MS = 2000, /* to a question whether it is there */
    BROKER_UNCHECKED_BYTES =
        32768, /* so much is sent without asking: what the kernel takes, whether anybody reads or not */
    BROKER_WORDS_BYTES = 160,
};

/* From a thread of the broker's. */
struct broker_ear {
    void *context;
    /* `subject` behind the prefix; borrowed, like the bytes. */
    void (*heard)(void *context, const char *subject, const char *bytes, size_t length);
    void (*missed)(void *context); /* it had to drop something */
    void (*lost)(void *context);   /* the connection is gone, and nothing is heard any more */
};

/* Reads the files of the options; connects to nobody. NULL with words. */
struct broker *broker_new(const struct bus_options *options, char *words, size_t words_size);
void broker_free(struct broker *broker);

/* Hears all subjects that begin with `prefix`, but what it says itself. False with words. */
bool broker_connect(struct broker *broker, const char *prefix, const char *node,
                    const struct broker_ear *ear, char words[BROKER_WORDS_BYTES]);
enum broker_sent { BROKER_SENT, BROKER_REFUSED, BROKER_LOST };
enum broker_sent broker_send(struct broker *broker, const char *subject, const char *bytes,
                             size_t length);
/* Asks, and waits for the answer. False: it is lost. */
bool broker_check(struct broker *broker);
/* Nothing is heard any more when this returns. */
void broker_disconnect(struct broker *broker);

#endif
