/* A load generator for a Senet server, in a process of its own: rooms of two that play chess at
 * random, as fast as the server lets them (closed loop) or at a given rate (open loop: latency
 * counts from when a move was due, so a slow server cannot hide by slowing its clients down),
 * spectators, idle connections, and memory.
 *
 * It knows as little as it can get away with, so that the server's core is the one measured: frames
 * are searched as text, and masked with a key of zero. With --bare it talks to bare_server.c, which
 * moves the same frames. */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    EVENTS_PER_TURN = 256,
    READ_BYTES = 65536,
    FRAME_BYTES_MAX = 1024,
    BUCKETS = 64 * 32,
    CONNECT_BATCH = 64,
};

enum role { ROLE_WHITE, ROLE_BLACK, ROLE_SPECTATOR, ROLE_IDLE };
enum stage { STAGE_HANDSHAKE, STAGE_AUTH, STAGE_LOBBY, STAGE_ROOM };

struct room {
    char id[24];
    int white, black; /* indices of their connections */
    uint64_t sent_at_us, due_at_us;
    char move[80]; /* chosen, waiting to be due; "" when none */
    int mover;     /* who will send it */
    bool seated;   /* both have joined */
};

struct connection {
    int fd;
    enum role role;
    enum stage stage;
    int room;
    unsigned command;
    uint64_t sent_at_us; /* its last move */
    bool
        own_pending; /* its own move's event has not come yet; the other's answer may overtake it here */
    char *received;
    size_t received_length, received_room;
};

struct histogram {
    uint64_t counts[BUCKETS], total, max;
};

struct load {
    const char *host;
    int port, rooms_wanted, spectators, idle, server_pid;
    double rate, seconds, warmup;
    bool bare;
    int epoll;
    struct connection *connections;
    int connection_count, ready_count;
    struct room *rooms;
    struct histogram acknowledged, opponent;
    uint64_t moves, deliveries, games, errors, measured_from_us, measured_to_us;
    uint64_t random;
};

static uint64_t now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static uint64_t next_random(struct load *load)
{
    load->random ^= load->random << 13;
    load->random ^= load->random >> 7;
    load->random ^= load->random << 17;
    return load->random;
}

/* --- latencies: buckets of 1/64 of a power of two --------------------------------------------- */

static void histogram_add(struct histogram *histogram, uint64_t us)
{
    unsigned shift = us < 64 ? 0 : (unsigned)(63 - __builtin_clzll(us)) - 5;
    size_t bucket = us < 64 ? (size_t)us : (size_t)shift * 32 + (size_t)(us >> shift) + 0;
    if (bucket >= BUCKETS)
        bucket = BUCKETS - 1;
    histogram->counts[bucket]++;
    histogram->total++;
    if (us > histogram->max)
        histogram->max = us;
}

static double histogram_quantile_ms(const struct histogram *histogram, double quantile)
{
    uint64_t wanted = (uint64_t)((double)histogram->total * quantile), seen = 0;
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        seen += histogram->counts[bucket];
        if (seen <= wanted)
            continue;
        if (bucket < 64)
            return (double)bucket / 1000;
        uint64_t shift = bucket / 32 - 1;
        return (double)((bucket - shift * 32) << shift) / 1000;
    }
    return (double)histogram->max / 1000;
}

/* --- sending ---------------------------------------------------------------------------------- */

static void send_bytes(struct load *load, struct connection *connection, const void *bytes,
                       size_t length)
{
    /* Commands are small and a client never has many under way: a socket that cannot take one is a
     * failure. */
    if (send(connection->fd, bytes, length, MSG_NOSIGNAL) != (ssize_t)length)
        load->errors++;
}

static void send_text(struct load *load, struct connection *connection, const char *text)
{
    unsigned char frame[FRAME_BYTES_MAX + 8];
    size_t length = strlen(text), header = length < 126 ? 2 : 4;
    assert(length <= FRAME_BYTES_MAX);
    frame[0] = 0x81;
    frame[1] = (unsigned char)(0x80 | (length < 126 ? length : 126));
    if (length >= 126) {
        frame[2] = (unsigned char)(length >> 8);
        frame[3] = (unsigned char)length;
    }
    memset(frame + header, 0, 4);
    memcpy(frame + header + 4, text, length);
    send_bytes(load, connection, frame, header + 4 + length);
}

static void join(struct load *load, struct connection *connection)
{
    static const char *const seats[] = {"white", "black", "spectator"};
    char text[FRAME_BYTES_MAX];
    snprintf(text, sizeof text,
             "{\"type\":\"join\",\"id\":\"j%u\",\"room\":\"%s\",\"seat\":\"%s\",\"name\":\"load\"}",
             ++connection->command, load->rooms[connection->room].id, seats[connection->role]);
    send_text(load, connection, text);
}

static void create(struct load *load, struct connection *connection)
{
    char text[FRAME_BYTES_MAX];
    load->rooms[connection->room].seated = false;
    snprintf(text, sizeof text,
             "{\"type\":\"create\",\"id\":\"c%u\",\"game\":\"chess\",\"visibility\":\"private\"}",
             ++connection->command);
    send_text(load, connection, text);
}

static void send_move(struct load *load, struct room *room, uint64_t due_at_us)
{
    struct connection *connection = &load->connections[room->mover];
    char text[FRAME_BYTES_MAX];
    snprintf(text, sizeof text, "{\"type\":\"move\",\"id\":\"m%u\",\"room\":\"%s\",\"move\":%s}",
             ++connection->command, room->id, room->move);
    room->move[0] = '\0';
    room->sent_at_us = connection->sent_at_us = due_at_us;
    connection->own_pending = true;
    send_text(load, connection, text);
}

/* A chosen move goes when it is due: in the closed loop at once, in the open loop by its schedule,
 * and then its latency counts from there. Nothing is due before all rooms are made. */
static void send_if_due(struct load *load, struct room *room, uint64_t now)
{
    if (room->move[0] != '\0' && room->due_at_us <= now)
        send_move(load, room, load->rate > 0 ? room->due_at_us : now);
}

static void advance_due(struct load *load, struct room *room)
{
    if (load->rate > 0)
        room->due_at_us += (uint64_t)(1e6 * load->rooms_wanted / load->rate);
}

static void send_due(struct load *load)
{
    uint64_t now = now_us();
    for (int i = 0; i < load->rooms_wanted; i++)
        send_if_due(load, &load->rooms[i], now);
}

/* --- what the server says --------------------------------------------------------------------- */

static bool measuring(const struct load *load, uint64_t now)
{
    return now >= load->measured_from_us && now < load->measured_to_us;
}

/* Chooses one of the objects of `"legal_moves":[…]`. */
static bool choose_move(struct load *load, const char *text, char *move, size_t move_size)
{
    const char *list = strstr(text, "\"legal_moves\":[");
    if (list == NULL)
        return false;
    list += strlen("\"legal_moves\":[");
    const char *end = strchr(list, ']');
    int count = 0;
    for (const char *at = list; at < end; at++)
        count += *at == '{';
    if (count == 0)
        return false;
    int chosen = (int)(next_random(load) % (unsigned)count);
    const char *at = list;
    for (; chosen >= 0; at++)
        chosen -= *at == '{';
    snprintf(move, move_size, "%.*s", (int)(strchr(at, '}') - at + 2), at - 1);
    return true;
}

static void leave(struct load *load, struct connection *connection)
{
    char text[FRAME_BYTES_MAX];
    snprintf(text, sizeof text, "{\"type\":\"leave\",\"id\":\"l%u\",\"room\":\"%s\"}",
             ++connection->command, load->rooms[connection->room].id);
    send_text(load, connection, text);
}

/* The same two play on in a new room. */
static void game_over(struct load *load, struct room *room)
{
    load->games++;
    room->move[0] = '\0';
    leave(load, &load->connections[room->white]);
    leave(load, &load->connections[room->black]);
    create(load, &load->connections[room->white]);
}

static void on_position(struct load *load, int index, const char *text)
{
    struct connection *connection = &load->connections[index];
    struct room *room = &load->rooms[connection->room];
    if (!choose_move(load, text, room->move, sizeof room->move))
        return;
    room->mover = index;
    send_if_due(load, room, now_us());
}

static void on_event(struct load *load, int index, const char *text)
{
    struct connection *connection = &load->connections[index];
    struct room *room = &load->rooms[connection->room];
    uint64_t now = now_us();
    if (measuring(load, now))
        load->deliveries++;
    if (connection->role == ROLE_SPECTATOR || strstr(text, room->id) == NULL)
        return;
    bool moved = strstr(text, "\"kind\":\"moved\"") != NULL;
    if (moved && connection->own_pending) {
        connection->own_pending = false;
    } else if (moved) {
        if (measuring(load, now)) {
            histogram_add(&load->opponent, now - room->sent_at_us);
            load->moves++;
        }
        advance_due(load, room);
    }
    if (strstr(text, "\"status\":\"finished\"") != NULL) {
        if (connection->role == ROLE_WHITE)
            game_over(load, room);
    } else {
        on_position(load, index, text);
    }
}

static void on_acknowledged(struct load *load, int index, const char *text)
{
    struct connection *connection = &load->connections[index];
    struct room *room = &load->rooms[connection->room];
    const char *id = strstr(text, "\"re\":\"");
    if (id == NULL)
        return;
    uint64_t now = now_us();
    if (id[6] == 'm') {
        if (measuring(load, now))
            histogram_add(&load->acknowledged, now - connection->sent_at_us);
    } else if (id[6] == 'c') {
        const char *name = strstr(text, "\"room\":\"");
        assert(name != NULL);
        snprintf(room->id, sizeof room->id, "%.*s", (int)strcspn(name + 8, "\""), name + 8);
        join(load, connection);
    } else if (id[6] == 'j' && connection->role == ROLE_WHITE) {
        join(load, &load->connections[room->black]);
    } else if (id[6] == 'j' && connection->role == ROLE_BLACK) {
        room->seated = true;
        load->ready_count++;
    }
}

static void on_welcome(struct load *load, int index)
{
    struct connection *connection = &load->connections[index];
    connection->stage = STAGE_ROOM;
    if (connection->role == ROLE_WHITE)
        create(load, connection);
    else if (connection->role == ROLE_SPECTATOR)
        join(load, connection);
    else if (connection->role == ROLE_IDLE)
        load->ready_count++;
}

static void on_text(struct load *load, int index, const char *text)
{
    struct connection *connection = &load->connections[index];
    if (strncmp(text, "{\"type\":\"hello\"", 15) == 0)
        send_text(load, connection, "{\"type\":\"auth\",\"id\":\"a\"}");
    else if (strncmp(text, "{\"type\":\"welcome\"", 17) == 0)
        on_welcome(load, index);
    else if (strncmp(text, "{\"type\":\"ack\"", 13) == 0)
        on_acknowledged(load, index, text);
    else if (strncmp(text, "{\"type\":\"event\"", 15) == 0)
        on_event(load, index, text);
    else if (strncmp(text, "{\"type\":\"snapshot\"", 18) == 0 && connection->role != ROLE_SPECTATOR)
        on_position(load, index, text);
    else if (strncmp(text, "{\"type\":\"error\"", 15) == 0 && load->errors++ == 0)
        fprintf(stderr, "refused: %s\n", text);
}

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
            on_text(load, index, text);
            text[length] = kept;
        } else if ((frame[0] & 15) == 8) {
            fprintf(stderr, "closed by the server: %d\n", frame[header] << 8 | frame[header + 1]);
            load->errors++;
        } else if ((frame[0] & 15) == 9 && length < 126) {
            unsigned char pong[6] = {0x8a, 0x80};
            send_bytes(load, connection, pong, sizeof pong);
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
        on_welcome(load, index);
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

static int connect_one(struct load *load, enum role role, int room)
{
    int index = load->connection_count++;
    struct connection *connection = &load->connections[index];
    *connection = (struct connection){.role = role, .room = room};
    connection->fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)load->port)};
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
    send_bytes(load, connection, upgrade, sizeof upgrade - 1);
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
        send_due(load);
}

static void wait_ready(struct load *load, int wanted, const char *what)
{
    uint64_t until = now_us() + 120 * 1000000;
    while (load->ready_count < wanted && now_us() < until)
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
        load->rooms[room].black = connect_one(load, ROLE_BLACK, room);
        load->rooms[room].white = connect_one(load, ROLE_WHITE, room);
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

static void report(const struct load *load)
{
    double seconds = (double)(load->measured_to_us - load->measured_from_us) / 1e6;
    printf("moves/s %.0f\tack p50 %.3f ms p99 %.3f ms\topponent p50 %.3f ms p99 %.3f ms"
           "\tdeliveries/s %.0f\tgames %" PRIu64 "\terrors %" PRIu64 "\n",
           (double)load->moves / seconds, histogram_quantile_ms(&load->acknowledged, 0.5),
           histogram_quantile_ms(&load->acknowledged, 0.99),
           histogram_quantile_ms(&load->opponent, 0.5),
           histogram_quantile_ms(&load->opponent, 0.99), (double)load->deliveries / seconds,
           load->games, load->errors);
}

static void play(struct load *load)
{
    uint64_t start = now_us();
    load->measured_from_us = start + (uint64_t)(load->warmup * 1e6);
    load->measured_to_us = load->measured_from_us + (uint64_t)(load->seconds * 1e6);
    for (int room = 0; room < load->rooms_wanted; room++)
        load->rooms[room].due_at_us =
            load->rate > 0 ? start + (uint64_t)(1e6 * room / load->rate) : 0;
    send_due(load);
    while (now_us() < load->measured_to_us)
        turn(load, 1);
    report(load);
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
        {NULL, 0, NULL, 0},
    };
    *load = (struct load){.host = "127.0.0.1", .port = 8080, .seconds = 10, .warmup = 2};
    load->random = UINT64_C(0x243f6a8885a308d3);
    for (int letter; (letter = getopt_long(argc, argv, "", words, NULL)) != -1;) {
        /* clang-format off */
        switch (letter) {
        case 'h': load->host = optarg; break;
        case 'p': load->port = atoi(optarg); break;
        case 'r': load->rooms_wanted = atoi(optarg); break;
        case 's': load->spectators = atoi(optarg); break;
        case 'i': load->idle = atoi(optarg); break;
        case 'o': load->rate = atof(optarg); break;
        case 't': load->seconds = atof(optarg); break;
        case 'w': load->warmup = atof(optarg); break;
        case 'd': load->server_pid = atoi(optarg); break;
        case 'b': load->bare = true; break;
        default:
            fprintf(stderr, "usage: load [--host A] [--port N] [--rooms N] [--rate MOVES/S] [--seconds S]\n"
                            "            [--warmup S] [--spectators N] [--idle N] [--pid SERVER] [--bare]\n");
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
    load.rooms = calloc((size_t)load.rooms_wanted + 1, sizeof *load.rooms);
    assert(load.connections != NULL && load.rooms != NULL);

    uint64_t before = server_memory(&load);
    for (int i = 0; i < load.idle; i++) {
        connect_one(&load, ROLE_IDLE, 0);
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
    for (int i = 0; i < load.spectators; i++) {
        connect_one(&load, ROLE_SPECTATOR, 0);
        turn(&load, 0);
    }
    if (load.rooms_wanted > 0)
        play(&load);
    return load.errors == 0 ? 0 : 1;
}
