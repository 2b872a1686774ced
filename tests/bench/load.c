/* A load generator for Senet servers, in processes of its own: rooms of two that play chess at
 * random, as fast as the servers let them (closed loop) or at a given rate (open loop: latency
 * counts from when a move was due, so a slow server cannot hide by slowing its clients down),
 * spectators, idle connections, and memory.
 *
 * Of several servers (--port A,B,C) the players of a room sit at two that are neighbours, and its first spectator at the next one. The
 * spectators of each server are in a process of their own: a process may not open as many sockets as there may be spectators.
 *
 * It knows as little as it can get away with, so that the server's core is the one measured: frames
 * are searched as text, and masked with a key of zero. With --bare it talks to bare_server.c, which
 * moves the same frames. */
#include "tests/bench/load.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EVENTS_PER_TURN = 256,
    READ_BYTES = 65536,
    CONNECT_BATCH = 64,
    LATE_US = 2000000,    /* so long what was sent last may take */
    READY_US = 120000000, /* and all of one kind to come */
};

/* Takes whole frames off the front of what was received; returns how many bytes that were. */
static size_t take_frames(struct load *load, int index)
{
    struct connection *connection = &load->connections[index];
    size_t used = 0;
    for (;;) {
        unsigned char *frame = (unsigned char *)connection->received + used;
        size_t left = connection->received_length - used, header = 2;
        if (left < header)
            return used;
        uint64_t length = frame[1] & 127;
        if (length == 126)
            header = 4;
        else if (length == 127)
            header = 10;
        if (left < header)
            return used;
        if (header > 2)
            length = 0;
        for (size_t i = 2; i < header; i++)
            length = length << 8 | frame[i];
        if (left < header + length)
            return used;
        if ((frame[0] & 15) == 1) {
            /* The byte after the frame is lent for a final zero: the buffer always has one to
             * spare. */
            char *text = (char *)frame + header, kept = text[length];
            text[length] = '\0';
            load_on_text(load, index, text);
            text[length] = kept;
        } else if ((frame[0] & 15) == 8) {
            if (load->errors++ == 0)
                fprintf(stderr, "closed by the server: %d\n",
                        frame[header] << 8 | frame[header + 1]);
        } else if ((frame[0] & 15) == 9 && length < 126) {
            unsigned char pong[6 + 125] = {0x8a, (unsigned char)(0x80 | length)};
            memcpy(pong + 6, frame + header, (size_t)length);
            load_send(load, connection, pong, 6 + (size_t)length);
        }
        used += header + (size_t)length;
    }
}

static size_t take_handshake(struct load *load, int index)
{
    struct connection *connection = &load->connections[index];
    connection->received[connection->received_length] = '\0';
    char *end = strstr(connection->received, "\r\n\r\n");
    if (end == NULL)
        return 0;
    if (strncmp(connection->received, "HTTP/1.1 101", 12) != 0) {
        fprintf(stderr, "no upgrade: %.60s\n", connection->received);
        exit(1);
    }
    connection->stage = STAGE_AUTH;
    if (load->bare)
        load_on_welcome(load, index);
    return (size_t)(end + 4 - connection->received);
}

static void on_readable(struct load *load, int index)
{
    struct connection *connection = &load->connections[index];
    if (connection->received_room - connection->received_length < READ_BYTES) {
        connection->received_room = connection->received_length + READ_BYTES;
        connection->received = realloc(connection->received, connection->received_room + 1);
        assert(connection->received != NULL);
    }
    ssize_t got = recv(connection->fd, connection->received + connection->received_length,
                       connection->received_room - connection->received_length, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN)
        return;
    if (got <= 0) {
        load->errors++;
        epoll_ctl(load->epoll, EPOLL_CTL_DEL, connection->fd, NULL);
        return;
    }
    connection->received_length += (size_t)got;
    size_t used = 0;
    if (connection->stage == STAGE_HANDSHAKE) {
        used = take_handshake(load, index);
        memmove(connection->received, connection->received + used,
                connection->received_length - used);
        connection->received_length -= used;
    }
    if (connection->stage == STAGE_HANDSHAKE)
        return;
    used = take_frames(load, index);
    memmove(connection->received, connection->received + used, connection->received_length - used);
    connection->received_length -= used;
    if (connection->received_length == 0 && connection->role != ROLE_WHITE &&
        connection->role != ROLE_BLACK) {
        free(connection->received);
        connection->received = NULL;
        connection->received_room = 0;
    }
}

/* --- connections ------------------------------------------------------------------------------ */

static int connect_one(struct load *load, enum role role, int room, int server)
{
    int index = load->connection_count++;
    struct connection *connection = &load->connections[index];
    *connection = (struct connection){.role = role, .room = room};
    connection->fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)load->ports[server % load->port_count])};
    inet_pton(AF_INET, load->host, &address.sin_addr);
    /* Loopback has one source address and 28,000 ports; idle connections may need more than that.
     */
    if (load->idle > 0) {
        struct sockaddr_in from = {.sin_family = AF_INET};
        from.sin_addr.s_addr = htonl(0x7f000002 + (uint32_t)index / 20000);
        bind(connection->fd, (struct sockaddr *)&from, sizeof from);
    }
    if (connection->fd < 0 ||
        connect(connection->fd, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        exit(1);
    }
    int on = 1;
    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    static const char upgrade[] = "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                                  "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                  "Sec-WebSocket-Protocol: senet.v1\r\n"
                                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    load_send(load, connection, upgrade, sizeof upgrade - 1);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = index};
    epoll_ctl(load->epoll, EPOLL_CTL_ADD, connection->fd, &event);
    return index;
}

static void turn(struct load *load, int timeout_ms)
{
    struct epoll_event events[EVENTS_PER_TURN];
    int count = epoll_wait(load->epoll, events, EVENTS_PER_TURN, timeout_ms);
    for (int i = 0; i < count; i++)
        on_readable(load, events[i].data.fd);
    if (load->rate > 0)
        load_send_due(load);
    if (load->between_rooms > 0)
        load_watch_next(load);
}

static void wait_ready(struct load *load, int wanted, const char *what)
{
    uint64_t until = load_now_us() + READY_US;
    while (load->ready_count < wanted && load_now_us() < until)
        turn(load, 50);
    if (load->ready_count < wanted) {
        fprintf(stderr, "only %d of %d %s came up\n", load->ready_count, wanted, what);
        exit(1);
    }
}

static uint64_t server_memory(const struct load *load)
{
    char path[64], line[256];
    uint64_t kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%d/status", load->server_pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmRSS: %" SCNu64, &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kilobytes * 1024;
}

static void open_rooms(struct load *load)
{
    for (int room = 0; room < load->rooms_wanted; room++) {
        load->rooms[room].black = connect_one(load, ROLE_BLACK, room, room + 1);
        load->rooms[room].white = connect_one(load, ROLE_WHITE, room, room);
        if (load->bare) {
            /* Pairs know each other by the order they came in; the room needs no making. */
            snprintf(load->rooms[room].id, sizeof load->rooms[room].id, "%s", "bareroom");
            load->ready_count++;
        }
        if (room % CONNECT_BATCH == 0)
            wait_ready(load, room > CONNECT_BATCH ? room - CONNECT_BATCH : 0, "rooms");
    }
    wait_ready(load, load->rooms_wanted, "rooms");
}

/* --- spectators, in a process for each server --------------------------------------------------- */

/* The servers of its room's players have been given out; at which one, then, is its `i`th? */
static int server_of_spectator(const struct load *load, int i)
{
    return (i % load->rooms_wanted + 2 + i / load->rooms_wanted) % load->port_count;
}

static void run_spectators(struct load *load, int server)
{
    struct watched *watched = &load->watching->of[server];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < load->connection_count; i++)
        close(load->connections[i].fd);
    load->epoll = epoll_create1(0);
    load->connection_count = load->ready_count = 0;
    load->deliveries = load->errors = 0;
    load->rate = 0; /* the players have their own process */
    for (int i = 0; i < load->spectators; i++) {
        if (server_of_spectator(load, i) != server)
            continue;
        connect_one(load, ROLE_SPECTATOR, i % load->rooms_wanted, server);
        /* The first has to be there: while a server reads a room, few may wait for it. */
        if (load->connection_count == 1 && !load->bare)
            wait_ready(load, 1, "spectators");
        if (load->connection_count % CONNECT_BATCH == 0 && !load->bare)
            wait_ready(load, load->connection_count - CONNECT_BATCH, "spectators");
    }
    if (!load->bare)
        wait_ready(load, load->connection_count, "spectators");
    load->watching->ready += load->connection_count;
    while (!load->watching->over)
        turn(load, 10);
    watched->latency = load->watched;
    watched->deliveries = load->deliveries;
    watched->errors = load->errors;
    exit(0);
}

static void begin_watching(struct load *load)
{
    uint64_t until = load_now_us() + READY_US;
    fflush(stdout);
    for (int server = 0; server < load->port_count; server++)
        if (fork() == 0)
            run_spectators(load, server);
    while (load->watching->ready < load->spectators && load_now_us() < until)
        turn(load, 10);
    if (load->watching->ready < load->spectators) {
        fprintf(stderr, "only %d of %d spectators came up\n", load->watching->ready,
                load->spectators);
        exit(1);
    }
}

static void end_watching(struct load *load)
{
    for (uint64_t until = load_now_us() + LATE_US; load_now_us() < until;)
        turn(load, 10);
    load->watching->over = true;
    for (int status; wait(&status) > 0;)
        load->errors += status != 0;
    for (int server = 0; server < load->port_count; server++) {
        histogram_merge(&load->watched, &load->watching->of[server].latency);
        load->deliveries += load->watching->of[server].deliveries;
        load->errors += load->watching->of[server].errors;
    }
}

/* --- the measurement ---------------------------------------------------------------------------- */

static void report_watched(const struct load *load)
{
    struct histogram spread = {.total = 0};
    uint64_t of_one = (uint64_t)((load->spectators - 1) / load->rooms_wanted + 1);
    uint64_t partly = sightings_spread(load->sightings, of_one, &spread);
    printf("\twatcher p50 %.3f ms p99 %.3f ms\tfirst to last of %" PRIu64
           " moves p50 %.3f ms p99 %.3f ms max %.3f ms, of "
           "%" PRIu64 " not all",
           histogram_quantile_ms(&load->watched, 0.5), histogram_quantile_ms(&load->watched, 0.99),
           spread.total, histogram_quantile_ms(&spread, 0.5), histogram_quantile_ms(&spread, 0.99),
           (double)spread.max / 1000, partly);
}

static void report(const struct load *load)
{
    double seconds =
        (double)(load->watching->measured_to_us - load->watching->measured_from_us) / 1e6;
    printf("moves/s %.0f\tack p50 %.3f ms p99 %.3f ms\topponent p50 %.3f ms p99 %.3f ms"
           "\tdeliveries/s %.0f\tgames %" PRIu64 "\terrors %" PRIu64,
           (double)load->moves / seconds, histogram_quantile_ms(&load->acknowledged, 0.5),
           histogram_quantile_ms(&load->acknowledged, 0.99),
           histogram_quantile_ms(&load->opponent, 0.5),
           histogram_quantile_ms(&load->opponent, 0.99), (double)load->deliveries / seconds,
           load->games, load->errors);
    if (load->spectators > 0 && !load->bare)
        report_watched(load);
    putchar('\n');
}

static void play(struct load *load)
{
    uint64_t start = load_now_us();
    load->watching->measured_from_us = start + (uint64_t)(load->warmup * 1e6);
    load->watching->measured_to_us =
        load->watching->measured_from_us + (uint64_t)(load->seconds * 1e6);
    for (int room = 0; room < load->rooms_wanted; room++)
        load->rooms[room].due_at_us =
            load->rate > 0 ? start + (uint64_t)(1e6 * room / load->rate) : 0;
    load_send_due(load);
    while (load_now_us() < load->watching->measured_to_us)
        turn(load, 1);
    if (load->spectators > 0)
        end_watching(load);
    report(load);
}

static void read_ports(struct load *load, char *words)
{
    load->port_count = 0;
    for (char *word = strtok(words, ","); word && load->port_count < SERVERS_MAX;
         word = strtok(NULL, ","))
        load->ports[load->port_count++] = atoi(word);
}

static void read_options(struct load *load, int argc, char **argv)
{
    static const struct option words[] = {
        {"host", required_argument, NULL, 'h'},
        {"port", required_argument, NULL, 'p'},
        {"rooms", required_argument, NULL, 'r'},
        {"spectators", required_argument, NULL, 's'},
        {"idle", required_argument, NULL, 'i'},
        {"rate", required_argument, NULL, 'o'},
        {"seconds", required_argument, NULL, 't'},
        {"warmup", required_argument, NULL, 'w'},
        {"pid", required_argument, NULL, 'd'},
        {"bare", no_argument, NULL, 'b'},
        {"own-moves", no_argument, NULL, 'm'},
        {"decline", no_argument, NULL, 'n'},
        {NULL, 0, NULL, 0},
    };
    *load = (struct load){
        .host = "127.0.0.1", .ports = {8080}, .port_count = 1, .seconds = 10, .warmup = 2};
    load->random = UINT64_C(0x243f6a8885a308d3);
    for (int letter; (letter = getopt_long(argc, argv, "", words, NULL)) != -1;) {
        /* clang-format off */
        switch (letter) {
        case 'h': load->host = optarg; break;
        case 'p': read_ports(load, optarg); break;
        case 'r': load->rooms_wanted = atoi(optarg); break;
        case 's': load->spectators = atoi(optarg); break;
        case 'i': load->idle = atoi(optarg); break;
        case 'o': load->rate = atof(optarg); break;
        case 't': load->seconds = atof(optarg); break;
        case 'w': load->warmup = atof(optarg); break;
        case 'd': load->server_pid = atoi(optarg); break;
        case 'b': load->bare = true; break;
        case 'm': load->own_moves = true; break;
        case 'n': load->own_moves = load->declines = true; break;
        default:
            fprintf(stderr, "usage: load [--host A] [--port N[,N…]] [--rooms N] [--rate MOVES/S] [--seconds S]\n"
                            "            [--warmup S] [--spectators N] [--idle N] [--pid SERVER] [--bare]\n"
                            "            [--own-moves | --decline]   all play one game, with the legal moves told or declined\n");
            exit(2);
        }
        /* clang-format on */
    }
}

int main(int argc, char **argv)
{
    struct load load;
    read_options(&load, argc, argv);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    load.epoll = epoll_create1(0);
    size_t connections =
        (size_t)load.rooms_wanted * 2 + (size_t)load.spectators + (size_t)load.idle;
    load.connections = calloc(connections + 1, sizeof *load.connections);
    load.rooms = shared_memory(((size_t)load.rooms_wanted + 1) * sizeof *load.rooms);
    load.watching = shared_memory(sizeof *load.watching);
    load.sightings = sightings_new();
    assert(load.connections != NULL);

    uint64_t before = server_memory(&load);
    for (int i = 0; i < load.idle; i++) {
        connect_one(&load, ROLE_IDLE, 0, i);
        if (i % CONNECT_BATCH == 0)
            wait_ready(&load, i > CONNECT_BATCH ? i - CONNECT_BATCH : 0, "idle connections");
    }
    wait_ready(&load, load.idle, "idle connections");
    if (load.idle > 0 && load.server_pid != 0)
        printf("memory per idle connection: %.1f KiB\n",
               (double)(server_memory(&load) - before) / load.idle / 1024);

    before = server_memory(&load);
    load.ready_count = 0;
    for (int i = 0; i < load.rooms_wanted; i++)
        load.rooms[i].due_at_us = UINT64_MAX;
    open_rooms(&load);
    if (load.rooms_wanted > 0 && load.server_pid != 0)
        printf("memory per room with two players: %.1f KiB\n",
               (double)(server_memory(&load) - before) / load.rooms_wanted / 1024);
    if (load.rooms_wanted > 0 && load.spectators > 0)
        begin_watching(&load);
    if (load.rooms_wanted > 0)
        play(&load);
    return load.errors == 0 ? 0 : 1;
}
