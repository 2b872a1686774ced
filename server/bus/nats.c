/* The broker by NATS's library, of which everything here is used with care:
 *
 * - It connects, writes and closes while the caller waits, so all of it happens on the bus's thread.
 * - Its own way of coming back is off: it tries for ever, keeps what is published meanwhile, and has crashed when a broker
 *   was frozen. Whoever has lost the broker makes a new connection (bus.c).
 * - It calls nobody: a thread of ours asks the subscription for the next message, so nothing of ours is referred to when a
 *   connection is gone.
 * - What is written and not read by the broker fills the kernel's buffers, and then the write waits, with a lock that closing
 *   needs. So the broker is asked for a sign of life before there is that much (broker_send).
 * - Threads it makes inherit from ours that they get no signals: an interrupted wait is a lost connection to it. */
#include "server/bus/broker.h"

#include <nats/nats.h>

#include <uv.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { URLS_MAX = 16, URLS_BYTES = 2048, SUBJECT_BYTES = 256, LISTEN_MS = 1000 };

struct broker {
    natsOptions *options;
    natsConnection *connection;
    natsSubscription *subscription;
    uv_thread_t listener;
    struct broker_ear ear;
    size_t prefix_length;
    size_t unchecked_bytes;
    int64_t dropped; /* by the library, as the listener knows it */
};

/* --- settings --------------------------------------------------------------------------------- */

static const char *words_of(natsStatus status)
{
    const char *words = nats_GetLastError(NULL);
    return words != NULL && words[0] != '\0' ? words : natsStatus_GetText(status);
}

static bool is_broker_url(const char *url)
{
    return strncmp(url, "nats://", 7) == 0 || strncmp(url, "tls://", 6) == 0;
}

/* "nats://a,nats://b" → two; 0: too many, or something else is among them. */
static int split(char *text, const char *urls[URLS_MAX])
{
    int count = 0;
    for (char *rest = text, *url; (url = strsep(&rest, ",")) != NULL;) {
        if (count == URLS_MAX || !is_broker_url(url))
            return 0;
        urls[count++] = url;
    }
    return count;
}

static natsStatus set_urls(natsOptions *options, const char *text)
{
    char copy[URLS_BYTES];
    const char *urls[URLS_MAX];
    if ((size_t)snprintf(copy, sizeof copy, "%s", text) >= sizeof copy)
        return NATS_INVALID_ARG;
    int count = split(copy, urls);
    return count > 0 ? natsOptions_SetServers(options, urls, count) : NATS_INVALID_ARG;
}

static bool wants_tls(const struct bus_options *options)
{
    return strstr(options->url, "tls://") != NULL || options->ca[0] != '\0' ||
           options->certificate[0] != '\0';
}

static natsStatus set_secrets(natsOptions *options, const struct bus_options *wanted)
{
    natsStatus status = NATS_OK;
    if (wants_tls(wanted))
        status = natsOptions_SetSecure(options, true);
    else /* with TLS the library would go round and round instead of waiting */
        status = natsOptions_SetWriteDeadline(options, BROKER_ANSWER_MS);
    if (status == NATS_OK && wanted->ca[0] != '\0')
        status = natsOptions_LoadCATrustedCertificates(options, wanted->ca);
    if (status == NATS_OK && wanted->certificate[0] != '\0')
        status = natsOptions_LoadCertificatesChain(options, wanted->certificate, wanted->key);
    if (status == NATS_OK && wanted->credentials[0] != '\0')
        status = natsOptions_SetUserCredentialsFromFiles(options, wanted->credentials, NULL);
    return status;
}

static natsStatus set_manners(natsOptions *options)
{
    natsStatus status = natsOptions_SetAllowReconnect(options, false);
    if (status == NATS_OK)
        status = natsOptions_SetSendAsap(options, true);
    if (status == NATS_OK)
        status = natsOptions_SetNoEcho(options, true);
    if (status == NATS_OK)
        status = natsOptions_SetTimeout(options, BROKER_CONNECT_MS);
    if (status == NATS_OK)
        status = natsOptions_SetPingInterval(options, 0); /* broker_check asks */
    return status;
}

/* A broker that is named and a file that is not there are found out at the start. */
static bool files_are_there(const struct bus_options *options, char *words, size_t words_size)
{
    const char *const files[] = {options->credentials, options->ca, options->certificate,
                                 options->key};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *file = files[i][0] != '\0' ? fopen(files[i], "re") : NULL;
        if (file != NULL)
            fclose(file);
        else if (files[i][0] != '\0') {
            snprintf(words, words_size, "cannot read %.200s", files[i]);
            return false;
        }
    }
    return true;
}

struct broker *broker_new(const struct bus_options *options, char *words, size_t words_size)
{
    if (!files_are_there(options, words, words_size))
        return NULL;
    struct broker *broker = calloc(1, sizeof *broker);
    if (broker == NULL) {
        snprintf(words, words_size, "out of memory");
        return NULL;
    }
    natsStatus status = natsOptions_Create(&broker->options);
    if (status == NATS_OK)
        status = set_urls(broker->options, options->url);
    if (status == NATS_OK)
        status = set_secrets(broker->options, options);
    if (status == NATS_OK)
        status = set_manners(broker->options);
    if (status == NATS_OK)
        return broker;
    snprintf(words, words_size, "%.150s (nats://HOST:PORT or tls://HOST:PORT, several with commas)",
             words_of(status));
    broker_free(broker);
    return NULL;
}

void broker_free(struct broker *broker)
{
    natsOptions_Destroy(broker->options);
    free(broker);
}

/* --- hearing ---------------------------------------------------------------------------------- */

static void tell(struct broker *broker, natsMsg *message)
{
    const struct broker_ear *ear = &broker->ear;
    const char *subject = natsMsg_GetSubject(message);
    int length = natsMsg_GetDataLength(message);
    if (strlen(subject) > broker->prefix_length)
        ear->heard(ear->context, subject + broker->prefix_length, natsMsg_GetData(message),
                   length > 0 ? (size_t)length : 0);
    natsMsg_Destroy(message);
}

static void tell_dropped(struct broker *broker)
{
    int64_t dropped = 0;
    if (natsSubscription_GetDropped(broker->subscription, &dropped) != NATS_OK ||
        dropped == broker->dropped)
        return;
    broker->dropped = dropped;
    broker->ear.missed(broker->ear.context);
}

/* Until the connection is closed, by either side. */
static void hear(void *context)
{
    struct broker *broker = context;
    for (;;) {
        natsMsg *message = NULL;
        natsStatus status = natsSubscription_NextMsg(&message, broker->subscription, LISTEN_MS);
        if (status == NATS_OK)
            tell(broker, message);
        else if (status != NATS_TIMEOUT && status != NATS_SLOW_CONSUMER)
            break;
        tell_dropped(broker);
    }
    broker->ear.lost(broker->ear.context);
    nats_ReleaseThreadMemory();
}

/* --- the connection --------------------------------------------------------------------------- */

static natsStatus subscribe(struct broker *broker, const char *prefix)
{
    char subject[SUBJECT_BYTES];
    snprintf(subject, sizeof subject, "%s>", prefix);
    natsStatus status =
        natsConnection_SubscribeSync(&broker->subscription, broker->connection, subject);
    if (status == NATS_OK)
        status = natsSubscription_SetPendingLimits(broker->subscription, BUS_QUEUE_MAX,
                                                   BUS_QUEUE_BYTES_MAX);
    if (status == NATS_OK) /* what is refused is refused before it has answered */
        status = natsConnection_FlushTimeout(broker->connection, BROKER_ANSWER_MS);
    return status;
}

static void let_go(struct broker *broker)
{
    natsSubscription_Destroy(broker->subscription);
    natsConnection_Destroy(broker->connection);
    broker->subscription = NULL;
    broker->connection = NULL;
}

bool broker_connect(struct broker *broker, const char *prefix, const char *node,
                    const struct broker_ear *ear, char words[BROKER_WORDS_BYTES])
{
    broker->ear = *ear;
    broker->prefix_length = strlen(prefix);
    broker->unchecked_bytes = 0;
    broker->dropped = 0;
    natsStatus status = natsOptions_SetName(broker->options, node);
    if (status == NATS_OK)
        status = natsConnection_Connect(&broker->connection, broker->options);
    if (status == NATS_OK)
        status = subscribe(broker, prefix);
    if (status == NATS_OK && natsConnection_IsClosed(broker->connection))
        status = NATS_CONNECTION_CLOSED;
    if (status == NATS_OK && uv_thread_create(&broker->listener, hear, broker) == 0)
        return true;
    snprintf(words, BROKER_WORDS_BYTES, "%.150s", words_of(status));
    let_go(broker);
    return false;
}

bool broker_check(struct broker *broker)
{
    broker->unchecked_bytes = 0;
    /* It says OK, too, where the question could not be sent. */
    return natsConnection_FlushTimeout(broker->connection, BROKER_ANSWER_MS) == NATS_OK &&
           !natsConnection_IsClosed(broker->connection);
}

enum broker_sent broker_send(struct broker *broker, const char *subject, const char *bytes,
                             size_t length)
{
    if (broker->unchecked_bytes + length > BROKER_UNCHECKED_BYTES && !broker_check(broker))
        return BROKER_LOST;
    broker->unchecked_bytes += strlen(subject) + length;
    natsStatus status = natsConnection_Publish(broker->connection, subject, bytes, (int)length);
    if (status == NATS_OK)
        return BROKER_SENT;
    return status == NATS_MAX_PAYLOAD ? BROKER_REFUSED : BROKER_LOST;
}

void broker_disconnect(struct broker *broker)
{
    natsConnection_Close(broker->connection);
    uv_thread_join(&broker->listener);
    let_go(broker);
}
