/* Clients of protocol/client that lose their connections: tables of chess, watched, where everybody drops at random and
 * comes back at once. tests/end_to_end/resume.test.mjs puts a proxy of its own before the server and judges what is
 * printed here.
 *
 *     dropping_clients --port N [--tables N] [--watchers N] [--resumes N] [--seed N]
 *
 * Out, one JSON object a line: every acknowledged move or chat as the client asked for it; {"resumed":N} when there have been as many
 * resumes as wanted. In: `calm` ends dropping and playing, `report` prints what every client holds and how it came to
 * it, then {"reported":true}; the end of the input ends the program. */
#include "protocol/client.h"

#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    TABLES_MAX = 64,
    WATCHERS_MAX = 8,
    CLIENTS_MAX = TABLES_MAX * (2 + WATCHERS_MAX),
    READ_BYTES = 64 * 1024,
    TURN_MS = 5,
    ACT_EVERY_MS = 40, /* each of them, at the most */
    DROP_ONE_IN = 40,  /* of the times it might act */
    AWAY_MS_MAX = 120,
    HEADER_BYTES_MAX = 10,
};

enum stage { STAGE_AWAY, STAGE_HANDSHAKE, STAGE_OPEN };

struct table {
    char room[24]; /* "" until it was created */
};

struct dropper {
    struct crowd *crowd;
    struct client *client;
    int table;
    const char *seat; /* "white", "black", "spectator" */
    enum stage stage;
    int fd;
    uint64_t back_at_ms, act_at_ms;
    bool joined, resume_counted; /* the second: on this connection */
    char *received;
    size_t length, size;
    char id[40],
        what[320]; /* the command under way and, as JSON members, what it asks for; "": none */
    unsigned chats, connections, by_events, by_snapshot, from_nothing, broken, refused;
};

struct crowd {
    int port, table_count, watchers, client_count;
    uint64_t random;
    unsigned resumes, resumes_wanted;
    bool calm, told, over;
    struct table tables[TABLES_MAX];
    struct dropper droppers[CLIENTS_MAX];
};

static uint64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static uint64_t below(struct crowd *crowd, uint64_t bound)
{
    crowd->random ^= crowd->random << 13;
    crowd->random ^= crowd->random >> 7;
    crowd->random ^= crowd->random << 17;
    return crowd->random % bound;
}

/* --- the socket ------------------------------------------------------------------------------- */

static void drop(struct dropper *dropper)
{
    if (dropper->stage == STAGE_AWAY)
        return;
    close(dropper->fd);
    dropper->fd = -1;
    dropper->stage = STAGE_AWAY;
    dropper->length = 0;
    client_closed(dropper->client);
    dropper->back_at_ms = now_ms() + below(dropper->crowd, AWAY_MS_MAX);
}

static void send_bytes(struct dropper *dropper, const void *bytes, size_t length)
{
    /* Commands are small: a socket that cannot take one is as good as lost. */
    if (dropper->stage != STAGE_AWAY &&
        send(dropper->fd, bytes, length, MSG_NOSIGNAL) != (ssize_t)length)
        drop(dropper);
}

static void send_frame(struct dropper *dropper, int opcode, const char *payload, size_t length)
{
    unsigned char frame[8 + 32 * 1024];
    size_t header = length < 126 ? 2 : 4;
    assert(length + 8 <= sizeof frame);
    frame[0] = (unsigned char)(0x80 | opcode);
    frame[1] = (unsigned char)(0x80 | (length < 126 ? length : 126));
    if (length >= 126) {
        frame[2] = (unsigned char)(length >> 8);
        frame[3] = (unsigned char)length;
    }
    memset(frame + header, 0, 4); /* the mask */
    memcpy(frame + header + 4, payload, length);
    send_bytes(dropper, frame, header + 4 + length);
}

static void send_what_is_due(struct dropper *dropper)
{
    size_t length;
    const char *frame;
    while (dropper->stage == STAGE_OPEN &&
           (frame = client_next_frame(dropper->client, &length)) != NULL)
        send_frame(dropper, 1, frame, length);
}

static void come_back(struct dropper *dropper)
{
    static const char request[] =
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Protocol: senet.v1\r\n\r\n";
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)dropper->crowd->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    dropper->fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(dropper->fd >= 0);
    dropper->stage = STAGE_HANDSHAKE;
    dropper->resume_counted = false;
    dropper->connections++;
    if (connect(dropper->fd, (struct sockaddr *)&address, sizeof address) != 0) {
        drop(dropper);
        return;
    }
    setsockopt(dropper->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(dropper->fd, F_SETFL, O_NONBLOCK);
    send_bytes(dropper, request, sizeof request - 1);
}

/* --- what is heard ---------------------------------------------------------------------------- */

/* An answer to `resume` says how; told a second time it is not counted again. */
static void count_resume(struct dropper *dropper, const char *text)
{
    bool by_events = strstr(text, "\"mode\":\"events\"") != NULL;
    bool by_snapshot = strstr(text, "\"mode\":\"snapshot\"") != NULL;
    if (dropper->resume_counted || strncmp(text, "{\"type\":\"ack\"", 13) != 0 ||
        (!by_events && !by_snapshot))
        return;
    dropper->resume_counted = true;
    dropper->by_events += by_events;
    dropper->by_snapshot += by_snapshot;
    dropper->from_nothing += by_snapshot && client_version(dropper->client) == 0;
    dropper->crowd->resumes++;
}

/* The lengths of a frame's header and payload; false when it is not all there. */
static bool measure(const struct dropper *dropper, size_t *header, size_t *payload)
{
    const unsigned char *bytes = (const unsigned char *)dropper->received;
    if (dropper->length < 2)
        return false;
    size_t extra = bytes[1] == 126 ? 2 : bytes[1] == 127 ? 8 : 0;
    *header = 2 + extra;
    if (dropper->length < *header)
        return false;
    *payload = extra == 0 ? bytes[1] : 0;
    for (size_t i = 0; i < extra; i++)
        *payload = *payload << 8 | bytes[2 + i];
    return dropper->length >= *header + *payload;
}

static void hear_frame(struct dropper *dropper, int opcode, const char *payload, size_t length)
{
    if (opcode == 8) {
        drop(dropper);
        return;
    }
    if (opcode == 9)
        send_frame(dropper, 10, payload, length);
    if (opcode != 1)
        return;
    char *text = strndup(payload, length);
    assert(text != NULL);
    count_resume(dropper, text);
    client_received(dropper->client, text, length);
    free(text);
}

static void take(struct dropper *dropper, size_t length)
{
    dropper->length -= length;
    memmove(dropper->received, dropper->received + length, dropper->length);
}

static void hear_all(struct dropper *dropper)
{
    size_t header, payload;
    if (dropper->stage == STAGE_HANDSHAKE) {
        const char *end = memmem(dropper->received, dropper->length, "\r\n\r\n", 4);
        if (end == NULL)
            return;
        take(dropper, (size_t)(end + 4 - dropper->received));
        dropper->stage = STAGE_OPEN;
        client_opened(dropper->client);
    }
    while (dropper->stage == STAGE_OPEN && measure(dropper, &header, &payload)) {
        hear_frame(dropper, dropper->received[0] & 15, dropper->received + header, payload);
        if (dropper->stage == STAGE_OPEN)
            take(dropper, header + payload);
    }
}

static void read_socket(struct dropper *dropper)
{
    if (dropper->size - dropper->length < READ_BYTES) {
        dropper->size = dropper->length + 2 * READ_BYTES;
        dropper->received = realloc(dropper->received, dropper->size);
        assert(dropper->received != NULL);
    }
    ssize_t count = recv(dropper->fd, dropper->received + dropper->length, READ_BYTES, 0);
    if (count <= 0) {
        drop(dropper);
        return;
    }
    dropper->length += (size_t)count;
    hear_all(dropper);
    send_what_is_due(dropper);
}

/* --- what they do ----------------------------------------------------------------------------- */

static void remember(struct dropper *dropper, const char *id)
{
    assert(id != NULL && strlen(id) < sizeof dropper->id);
    snprintf(dropper->id, sizeof dropper->id, "%s", id);
}

static void play(struct dropper *dropper)
{
    const char *from, *to, *choice;
    int count = client_legal_move_count(dropper->client);
    if (count == 0)
        return;
    client_legal_move(dropper->client, (int)below(dropper->crowd, (uint64_t)count), &from, &to,
                      &choice);
    int length = snprintf(dropper->what, sizeof dropper->what,
                          "\"seat\":\"%s\",\"move\":{\"from\":\"%s\",\"to\":\"%s\"", dropper->seat,
                          from, to);
    snprintf(dropper->what + length, sizeof dropper->what - (size_t)length, "%s%s%s}",
             choice != NULL ? ",\"choice\":\"" : "", choice != NULL ? choice : "",
             choice != NULL ? "\"" : "");
    remember(dropper, client_move(dropper->client, from, to, choice));
}

static void talk(struct dropper *dropper)
{
    char text[64];
    snprintf(text, sizeof text, "%s %d says %u", dropper->seat,
             (int)(dropper - dropper->crowd->droppers), ++dropper->chats);
    snprintf(dropper->what, sizeof dropper->what, "\"text\":\"%s\"", text);
    remember(dropper, client_chat(dropper->client, text));
}

static void sit_down(struct dropper *dropper)
{
    const char *room = dropper->crowd->tables[dropper->table].room;
    if (room[0] != '\0') {
        dropper->joined = true;
        client_join(dropper->client, room, dropper->seat, dropper->seat, true);
    } else if (strcmp(dropper->seat, "white") == 0 && dropper->id[0] == '\0') {
        dropper->what[0] = '\0';
        remember(dropper, client_create(dropper->client, "chess"));
    }
}

static void act(struct dropper *dropper)
{
    struct crowd *crowd = dropper->crowd;
    dropper->act_at_ms = now_ms() + below(crowd, ACT_EVERY_MS);
    if (!dropper->joined)
        sit_down(dropper);
    else if (below(crowd, DROP_ONE_IN) == 0)
        drop(dropper);
    else if (dropper->id[0] == '\0' && client_ready(dropper->client) &&
             client_room(dropper->client) != NULL) {
        if (client_must_move(dropper->client))
            play(dropper);
        else if (below(crowd, 20) == 0)
            talk(dropper);
    }
    send_what_is_due(dropper);
}

static void on_event(void *context, struct client *client, const struct client_event *event)
{
    struct dropper *dropper = context;
    bool ours = event->id != NULL && strcmp(event->id, dropper->id) == 0;
    (void)client;
    if (event->kind == CLIENT_BROKEN) {
        fprintf(stderr, "broken: %s\n", event->message);
        dropper->broken++;
        dropper->back_at_ms = 0; /* dropped below: nothing may be freed in here */
    }
    if (event->kind == CLIENT_REFUSED) {
        fprintf(stderr, "refused: %s: %s\n", event->code, event->message);
        dropper->refused++;
    }
    if (event->kind == CLIENT_ACKNOWLEDGED && ours && dropper->what[0] == '\0')
        snprintf(dropper->crowd->tables[dropper->table].room, sizeof dropper->crowd->tables[0].room,
                 "%s", event->room);
    else if (event->kind == CLIENT_ACKNOWLEDGED && ours)
        printf("{\"room\":\"%s\",\"version\":%lld,%s}\n", event->room, (long long)event->version,
               dropper->what);
    if (ours && (event->kind == CLIENT_ACKNOWLEDGED || event->kind == CLIENT_REFUSED))
        dropper->id[0] = '\0';
}

/* --- all of them ------------------------------------------------------------------------------ */

static void add_dropper(struct crowd *crowd, int table, const char *seat)
{
    struct dropper *dropper = &crowd->droppers[crowd->client_count++];
    *dropper = (struct dropper){.crowd = crowd, .table = table, .seat = seat, .fd = -1};
    dropper->client =
        client_new(&(struct client_options){.seed = below(crowd, UINT64_MAX)}, on_event, dropper);
}

static void report(struct crowd *crowd)
{
    for (int i = 0; i < crowd->client_count; i++) {
        struct dropper *dropper = &crowd->droppers[i];
        const char *state = client_state_json(dropper->client);
        printf("{\"client\":%d,\"room\":\"%s\",\"version\":%lld,\"ready\":%s,\"idle\":%s,"
               "\"connections\":%u,\"events\":%u,\"snapshots\":%u,\"from_nothing\":%u,\"syncs\":%"
               "llu,\"broken\":%u,"
               "\"refused\":%u,\"state\":%s}\n",
               i, crowd->tables[dropper->table].room, (long long)client_version(dropper->client),
               client_ready(dropper->client) ? "true" : "false",
               dropper->id[0] == '\0' ? "true" : "false", dropper->connections, dropper->by_events,
               dropper->by_snapshot, dropper->from_nothing,
               (unsigned long long)client_sync_count(dropper->client), dropper->broken,
               dropper->refused, state != NULL ? state : "null");
    }
    printf("{\"reported\":true}\n");
    fflush(stdout);
}

static void obey(struct crowd *crowd)
{
    char words[256];
    ssize_t count = read(STDIN_FILENO, words, sizeof words - 1);
    if (count <= 0) {
        crowd->over = true;
        return;
    }
    words[count] = '\0';
    if (strstr(words, "calm") != NULL)
        crowd->calm = true;
    if (strstr(words, "report") != NULL)
        report(crowd);
}

static void turn(struct crowd *crowd)
{
    struct pollfd polled[CLIENTS_MAX + 1];
    for (int i = 0; i < crowd->client_count; i++)
        polled[i] = (struct pollfd){.fd = crowd->droppers[i].fd, .events = POLLIN};
    polled[crowd->client_count] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    poll(polled, (nfds_t)crowd->client_count + 1, TURN_MS);
    uint64_t now = now_ms();
    for (int i = 0; i < crowd->client_count; i++) {
        struct dropper *dropper = &crowd->droppers[i];
        unsigned broken = dropper->broken;
        if (polled[i].revents != 0 && polled[i].fd == dropper->fd && dropper->fd >= 0)
            read_socket(dropper);
        if (dropper->broken != broken)
            drop(dropper);
        if (dropper->stage == STAGE_AWAY && now >= dropper->back_at_ms)
            come_back(dropper);
        if (!crowd->calm && dropper->stage == STAGE_OPEN && now >= dropper->act_at_ms)
            act(dropper);
    }
    if (polled[crowd->client_count].revents != 0)
        obey(crowd);
    if (crowd->resumes >= crowd->resumes_wanted && !crowd->told) {
        crowd->told = true;
        printf("{\"resumed\":%u}\n", crowd->resumes);
        fflush(stdout);
    }
}

static void read_options(struct crowd *crowd, int argc, char **argv)
{
    static const struct option words[] = {
        {"port", required_argument, NULL, 'p'},     {"tables", required_argument, NULL, 't'},
        {"watchers", required_argument, NULL, 'w'}, {"resumes", required_argument, NULL, 'r'},
        {"seed", required_argument, NULL, 's'},     {NULL, 0, NULL, 0},
    };
    for (int letter; (letter = getopt_long(argc, argv, "", words, NULL)) != -1;) {
        int number = letter == '?' ? 0 : atoi(optarg);
        if (letter == 'p')
            crowd->port = number;
        else if (letter == 't')
            crowd->table_count = number;
        else if (letter == 'w')
            crowd->watchers = number;
        else if (letter == 'r')
            crowd->resumes_wanted = (unsigned)number;
        else if (letter == 's')
            crowd->random ^= (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15);
    }
    if (crowd->port <= 0 || crowd->table_count < 1 || crowd->table_count > TABLES_MAX ||
        crowd->watchers < 0 || crowd->watchers > WATCHERS_MAX) {
        fputs("dropping_clients --port N [--tables N] [--watchers N] [--resumes N] [--seed N]\n",
              stderr);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    static struct crowd crowd = {.table_count = 8, .watchers = 1, .resumes_wanted = 1000};
    crowd.random = UINT64_C(0x2545f4914f6cdd1d);
    read_options(&crowd, argc, argv);
    for (int table = 0; table < crowd.table_count; table++) {
        add_dropper(&crowd, table, "white");
        add_dropper(&crowd, table, "black");
        for (int i = 0; i < crowd.watchers; i++)
            add_dropper(&crowd, table, "spectator");
    }
    while (!crowd.over)
        turn(&crowd);
    for (int i = 0; i < crowd.client_count; i++) {
        drop(&crowd.droppers[i]);
        client_free(crowd.droppers[i].client);
        free(crowd.droppers[i].received);
    }
    return 0;
}
