/* The bus against a real NATS, which is killed, frozen and lied about. Run under the thread sanitizer too.
 *
 * Every wait is for a state, with a bound far beyond what it takes. A connection may be given up on a busy machine, and what
 * is said then is lost: that is what the bus promises, so whoever waits for a message says it again. */
#include "tests/support/test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "server/bus/bus.h"

enum { WITHIN_MS = 60000, URL_BYTES = 128, COMMAND_BYTES = 512, HEARD_MAX = 64 };

static char folder[] = "/tmp/senet-bus-XXXXXX";
static char url[URL_BYTES]; /* of the one broker that most tests share */

/* --- brokers ---------------------------------------------------------------------------------- */

/* What tests/support/nats prints; its exit status. */
static int ask_script(const char *words, char *line, size_t size)
{
    char command[2 * COMMAND_BYTES], rest[64];
    snprintf(command, sizeof command, "tests/support/nats %s", words);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    line[0] = '\0';
    if (fgets(line, (int)size, out) != NULL)
        line[strcspn(line, "\n")] = '\0';
    while (fgets(rest, sizeof rest, out) != NULL)
        continue;
    return WEXITSTATUS(pclose(out));
}

static void broker(const char *command, const char *name, const char *options, char *line)
{
    char words[COMMAND_BYTES + 256], unused[URL_BYTES];
    snprintf(words, sizeof words, "%s %s/%s %s", command, folder, name, options);
    assert_int_equal(ask_script(words, line != NULL ? line : unused, URL_BYTES), 0);
}

/* --- scenes ----------------------------------------------------------------------------------- */

/* One server's side of a bus, on a loop of its own. */
struct side {
    uv_loop_t loop;
    uv_timer_t tick; /* so that a wait can look */
    struct bus *bus;
    int ups, downs, misses, heard;
    int64_t last_version, out_of_order;
    char words[256], kind[64], body[64], node[BUS_NAME_BYTES + 1];
    size_t body_length;
    bool closed;
};

static void on_arrived(void *context, const struct bus_message *message)
{
    struct side *side = context;
    side->heard++;
    side->out_of_order += message->version <= side->last_version;
    side->last_version = message->version;
    snprintf(side->kind, sizeof side->kind, "%s", message->kind == NULL ? "" : message->kind);
    snprintf(side->body, sizeof side->body, "%s", message->body == NULL ? "" : message->body);
    snprintf(side->node, sizeof side->node, "%s", message->node);
    side->body_length = message->body == NULL ? 0 : strlen(message->body);
}

static void on_missed(void *context)
{
    struct side *side = context;
    side->misses++;
}

static void on_changed(void *context, bool up, const char *words)
{
    struct side *side = context;
    *(up ? &side->ups : &side->downs) += 1;
    assert_int_equal(bus_is_up(side->bus), up);
    snprintf(side->words, sizeof side->words, "%s", words);
}

static void on_closed(void *context)
{
    struct side *side = context;
    side->closed = true;
}

static void on_tick(uv_timer_t *timer)
{
    (void)timer;
}

static struct bus_options options_of(const char *where)
{
    return (struct bus_options){
        .url = where, .credentials = "", .ca = "", .certificate = "", .key = ""};
}

static bool try_open(struct side *side, const struct bus_options *options)
{
    const struct bus_ports ports = {side, on_arrived, on_missed, on_changed};
    *side = (struct side){.ups = 0};
    assert_int_equal(uv_loop_init(&side->loop), 0);
    side->bus = bus_open(&side->loop, options, &ports, side->words, sizeof side->words);
    uv_timer_init(&side->loop, &side->tick);
    uv_timer_start(&side->tick, on_tick, 5, 5);
    return side->bus != NULL;
}

static void open_with(struct side *side, const struct bus_options *options, const char *node)
{
    if (!try_open(side, options))
        fail_msg("%s", side->words);
    bus_join(side->bus, "base", node);
}

static void open_side(struct side *side, const char *node)
{
    struct bus_options options = options_of(url);
    open_with(side, &options, node);
}

static void close_side(struct side *side)
{
    if (side->bus != NULL)
        bus_close(side->bus, on_closed, side);
    uv_close((uv_handle_t *)&side->tick, NULL);
    uv_run(&side->loop, UV_RUN_DEFAULT);
    assert_int_equal(side->closed, side->bus != NULL);
    assert_int_equal(uv_loop_close(&side->loop), 0);
}

static struct bus_statistics figures_of(const struct side *side)
{
    struct bus_statistics figures;
    bus_read_statistics(side->bus, &figures);
    return figures;
}

/* Runs the loop until `expression` holds. */
#define UNTIL(side, expression)                                                                    \
    do {                                                                                           \
        uint64_t began_ = uv_hrtime() / 1000000;                                                   \
        while (!(expression)) {                                                                    \
            if (uv_hrtime() / 1000000 - began_ > WITHIN_MS)                                        \
                fail_msg("not in %d ms: %s; %s", WITHIN_MS, #expression, (side)->words);           \
            uv_run(&(side)->loop, UV_RUN_ONCE);                                                    \
        }                                                                                          \
    } while (0)

static struct bus_message an_event(int64_t version)
{
    return (struct bus_message){.subject = BUS_ROOM,
                                .id = "room1",
                                .version = version,
                                .at_ms = 1,
                                .kind = "moved",
                                .client = "p",
                                .command = "c",
                                .body = "{}"};
}

/* Until it has heard something new of the other one, which says it again and again. */
static void expect_heard(struct side *from, struct side *to)
{
    static int64_t version = 1000000;
    int heard = to->heard;
    for (int i = 0; to->heard == heard; i++) {
        struct bus_message event = an_event(version++);
        if (i > WITHIN_MS / 5)
            fail_msg("nothing is heard");
        bus_publish(from->bus, &event);
        uv_run(&from->loop, UV_RUN_ONCE);
        uv_run(&to->loop, UV_RUN_ONCE);
    }
}

/* --- tests ------------------------------------------------------------------------------------ */

static void without_a_broker_nothing_is_up_and_nothing_happens(void **state)
{
    struct side side;
    struct bus_options options = options_of("");
    struct bus_message event = an_event(1);
    (void)state;
    open_with(&side, &options, "n1");
    assert_false(bus_is_up(side.bus));
    assert_false(bus_publish(side.bus, &event));
    for (int i = 0; i < 10; i++)
        uv_run(&side.loop, UV_RUN_ONCE);
    assert_int_equal(side.ups + side.downs, 0);
    close_side(&side);
}

static void what_one_says_the_others_hear_in_order(void **state)
{
    enum { COUNT = 500 };
    struct side one, two, stranger;
    struct bus_options options = options_of(url);
    (void)state;
    open_side(&one, "n1");
    open_side(&two, "n2");
    assert_true(try_open(&stranger, &options));
    bus_join(stranger.bus, "other", "n3");
    UNTIL(&one, bus_is_up(one.bus));
    UNTIL(&two, bus_is_up(two.bus));
    UNTIL(&stranger, bus_is_up(stranger.bus));
    for (int i = 1; i <= COUNT; i++) {
        struct bus_message event = an_event(i);
        assert_true(bus_publish(one.bus, &event));
    }
    UNTIL(&one, figures_of(&one).waiting == 0);
    /* That the connection of the first is lost is told on its loop. */
    UNTIL(&two,
          two.heard == COUNT || two.downs > 0 || (uv_run(&one.loop, UV_RUN_NOWAIT), one.downs > 0));
    expect_heard(&one, &two);
    assert_int_equal(two.out_of_order, 0);
    assert_string_equal(two.kind, "moved");
    assert_string_equal(two.body, "{}");
    assert_string_equal(two.node, "n1");
    assert_int_equal(one.heard, 0);
    expect_heard(&two, &one);
    uv_run(&stranger.loop, UV_RUN_ONCE);
    assert_int_equal(stranger.heard, 0);
    close_side(&one);
    close_side(&two);
    close_side(&stranger);
}

static void a_long_event_comes_as_a_hint(void **state)
{
    struct side one, two;
    char *body = calloc(1, BUS_BODY_BYTES_MAX + 2);
    struct bus_message event = an_event(5);
    (void)state;
    memset(body, 'x', BUS_BODY_BYTES_MAX + 1);
    event.body = body;
    open_side(&one, "n1");
    open_side(&two, "n2");
    UNTIL(&one, bus_is_up(one.bus));
    UNTIL(&two, bus_is_up(two.bus));
    while (two.heard == 0) {
        bus_publish(one.bus, &event);
        uv_run(&one.loop, UV_RUN_ONCE);
        uv_run(&two.loop, UV_RUN_ONCE);
    }
    assert_int_equal(two.last_version, 5);
    assert_int_equal(two.body_length, 0);
    body[BUS_BODY_BYTES_MAX] = '\0';
    while (two.body_length == 0) {
        bus_publish(one.bus, &event);
        uv_run(&one.loop, UV_RUN_ONCE);
        uv_run(&two.loop, UV_RUN_ONCE);
    }
    assert_int_equal(two.body_length, BUS_BODY_BYTES_MAX);
    close_side(&one);
    close_side(&two);
    free(body);
}

/* Both are up. */
static void open_two(const char *where, struct side *one, struct side *two)
{
    struct bus_options options = options_of(where);
    open_with(one, &options, "n1");
    open_with(two, &options, "n2");
    UNTIL(one, bus_is_up(one->bus));
    UNTIL(two, bus_is_up(two->bus));
}

static void a_broker_that_was_killed_is_found_again(void **state)
{
    struct side one, two;
    char where[URL_BYTES];
    (void)state;
    broker("start", "killed", "", where);
    open_two(where, &one, &two);
    for (int round = 0; round < 3; round++) {
        struct bus_message event = an_event(1);
        broker("signal", "killed", "KILL", NULL);
        UNTIL(&one, !bus_is_up(one.bus));
        UNTIL(&two, !bus_is_up(two.bus));
        uint64_t unsent = figures_of(&one).unsent;
        assert_false(bus_publish(one.bus, &event));
        assert_int_equal(figures_of(&one).unsent, unsent + 1);
        broker("start", "killed", "", where);
        UNTIL(&one, bus_is_up(one.bus));
        UNTIL(&two, bus_is_up(two.bus));
        expect_heard(&one, &two);
        expect_heard(&two, &one);
    }
    assert_true(figures_of(&one).connects >= 4);
    close_side(&one);
    close_side(&two);
    broker("remove", "killed", "", NULL);
}

/* It takes everything into its sockets' buffers, and answers nothing. */
static void a_frozen_broker_is_given_up_and_the_loop_goes_on(void **state)
{
    struct side one, two;
    char where[URL_BYTES];
    int turns = 0;
    (void)state;
    broker("start", "frozen", "", where);
    open_two(where, &one, &two);
    broker("signal", "frozen", "STOP", NULL);
    for (int64_t version = 1; bus_is_up(one.bus); turns++) {
        assert_true(turns < WITHIN_MS / 5);
        for (int i = 0; i < 100; i++) {
            struct bus_message event = an_event(version++);
            bus_publish(one.bus, &event);
        }
        uv_run(&one.loop, UV_RUN_ONCE);
    }
    assert_true(turns > 1);
    assert_true(figures_of(&one).unsent > 0);
    assert_int_equal(figures_of(&one).waiting, 0);
    UNTIL(&two, !bus_is_up(two.bus));
    broker("signal", "frozen", "CONT", NULL);
    UNTIL(&one, bus_is_up(one.bus));
    UNTIL(&two, bus_is_up(two.bus));
    expect_heard(&one, &two);
    broker("signal", "frozen", "STOP", NULL);
    close_side(&one); /* while it answers nothing */
    close_side(&two);
    broker("remove", "frozen", "", NULL);
}

static void what_has_no_place_on_the_way_out_is_dropped_and_counted(void **state)
{
    enum { MORE = 37 };
    struct side one;
    char *body = calloc(1, BUS_BODY_BYTES_MAX + 1);
    struct bus_message event = an_event(1);
    int taken = 0;
    (void)state;
    open_side(&one, "n1");
    UNTIL(&one, bus_is_up(one.bus));
    for (int i = 0; i < BUS_QUEUE_MAX + MORE; i++) /* in one turn: nothing is handed over */
        taken += bus_publish(one.bus, &event);
    assert_int_equal(taken, BUS_QUEUE_MAX);
    assert_int_equal(figures_of(&one).unsent, MORE);
    assert_int_equal(figures_of(&one).waiting, BUS_QUEUE_MAX);
    UNTIL(&one, figures_of(&one).waiting == 0);
    UNTIL(&one, bus_is_up(one.bus));
    memset(body, 'x', BUS_BODY_BYTES_MAX);
    event.body = body;
    for (taken = 0; bus_publish(one.bus, &event);)
        taken++;
    assert_in_range(taken, BUS_QUEUE_BYTES_MAX / (BUS_BODY_BYTES_MAX + 1024),
                    BUS_QUEUE_BYTES_MAX / BUS_BODY_BYTES_MAX + 1);
    UNTIL(&one, figures_of(&one).waiting == 0);
    close_side(&one);
    free(body);
}

/* Its loop does not turn meanwhile. */
static void what_has_no_place_on_the_way_in_is_dropped_and_told(void **state)
{
    struct side one, two;
    (void)state;
    open_side(&one, "n1");
    open_side(&two, "n2");
    UNTIL(&one, bus_is_up(one.bus));
    UNTIL(&two, bus_is_up(two.bus));
    while (figures_of(&two).missed == 0) {
        struct bus_message event = an_event(1);
        for (int i = 0; i < 1000; i++)
            bus_publish(one.bus, &event);
        uv_run(&one.loop, UV_RUN_ONCE);
        assert_true(figures_of(&one).sent < 40 * BUS_QUEUE_MAX);
    }
    assert_int_equal(two.heard, 0);
    UNTIL(&two, two.misses > 0);
    UNTIL(&two, two.heard >= BUS_QUEUE_MAX || two.downs > 0);
    close_side(&one);
    close_side(&two);
}

static void closing_does_not_wait_for_what_is_under_way(void **state)
{
    enum { COUNT = 2000 };
    struct side one, two;
    (void)state;
    open_side(&one, "n1");
    open_side(&two, "n2");
    UNTIL(&one, bus_is_up(one.bus));
    UNTIL(&two, bus_is_up(two.bus));
    for (int i = 1; i <= COUNT; i++) {
        struct bus_message event = an_event(i);
        bus_publish(one.bus, &event);
    }
    close_side(&one);
    UNTIL(&two, two.heard > 0 || two.downs > 0);
    close_side(&two); /* with some under way to it */
    assert_int_equal(two.out_of_order, 0);
}

static void a_bus_may_close_at_any_moment(void **state)
{
    (void)state;
    for (int turns = 0; turns < 12; turns++) {
        struct side one;
        open_side(&one, "n1");
        for (int i = 0; i < turns; i++)
            uv_run(&one.loop, UV_RUN_ONCE);
        close_side(&one);
    }
}

static void connect_to(const char *where, struct sockaddr_in *address)
{
    *address = (struct sockaddr_in){.sin_family = AF_INET,
                                    .sin_port = htons((uint16_t)atoi(strrchr(where, ':') + 1)),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* As any client of the broker could. */
static void publish_raw(const char *subject, const char *bytes, size_t length)
{
    struct sockaddr_in address;
    char line[256], *all = malloc(length + sizeof line * 2);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    connect_to(url, &address);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    size_t used =
        (size_t)sprintf(all, "CONNECT {\"verbose\":false}\r\nPUB %s %zu\r\n", subject, length);
    memcpy(all + used, bytes, length);
    used += length;
    used += (size_t)sprintf(all + used, "\r\nPING\r\n");
    for (size_t at = 0; at < used;) {
        ssize_t wrote = write(fd, all + at, used - at);
        assert_true(wrote > 0);
        at += (size_t)wrote;
    }
    for (line[0] = '\0'; strstr(line, "PONG") == NULL;) { /* the last line it says */
        ssize_t got = read(fd, line, sizeof line - 1);
        assert_true(got > 0);
        line[got] = '\0';
    }
    close(fd);
    free(all);
}

static void what_no_server_of_ours_says_is_refused(void **state)
{
    enum { HUGE = 512 * 1024 };
    struct side one, two;
    char *huge = malloc(HUGE);
    (void)state;
    memset(huge, 'x', HUGE);
    open_side(&one, "n1");
    open_side(&two, "n2");
    UNTIL(&one, bus_is_up(one.bus));
    UNTIL(&two, bus_is_up(two.bus));
    while (figures_of(&two).malformed < 4) {
        publish_raw("senet.base.room.r", "hello", 5);
        publish_raw("senet.base.room.r", "", 0);
        publish_raw("senet.base.room.r", huge, HUGE);
        publish_raw("senet.base.whatever.r.r", "1:1,1:n,", 8);
        uv_run(&two.loop, UV_RUN_ONCE);
    }
    assert_int_equal(two.heard, 0);
    expect_heard(&one, &two);
    close_side(&one);
    close_side(&two);
    free(huge);
}

/* --- brokers that are none -------------------------------------------------------------------- */

/* Takes connections, says to each what it has to say, and then nothing. */
struct impostor {
    int fd;
    const char *says;
    pthread_t thread;
    char url[URL_BYTES];
    int accepted[HEARD_MAX];
    atomic_int count;
};

static void *pretend(void *context)
{
    struct impostor *impostor = context;
    for (int fd; impostor->count < HEARD_MAX && (fd = accept(impostor->fd, NULL, NULL)) >= 0;) {
        impostor->accepted[impostor->count++] = fd;
        if (write(fd, impostor->says, strlen(impostor->says)) < 0)
            continue;
    }
    return NULL;
}

static void open_impostor(struct impostor *impostor, const char *scheme, const char *says)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    *impostor = (struct impostor){.fd = socket(AF_INET, SOCK_STREAM, 0), .says = says};
    assert_int_equal(bind(impostor->fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(impostor->fd, 16), 0);
    getsockname(impostor->fd, (struct sockaddr *)&address, &size);
    snprintf(impostor->url, sizeof impostor->url, "%s://127.0.0.1:%d", scheme,
             ntohs(address.sin_port));
    assert_int_equal(pthread_create(&impostor->thread, NULL, pretend, impostor), 0);
}

static void close_impostor(struct impostor *impostor)
{
    shutdown(impostor->fd, SHUT_RDWR);
    pthread_join(impostor->thread, NULL);
    close(impostor->fd);
    for (int i = 0; i < impostor->count; i++)
        close(impostor->accepted[i]);
}

#define INFO(more)                                                                                 \
    "INFO {\"server_id\":\"x\",\"version\":\"2.9.10\",\"max_payload\":100" more "}\r\n"

/* clang-format off */
static const struct {
    const char *name, *scheme, *says;
} impostors[] = {
    {"says nothing",                     "nats", ""},
    {"speaks another language",          "nats", "HTTP/1.1 400 Bad Request\r\n\r\n"},
    {"says no more than who it is",      "nats", INFO("")},
    {"is no JSON",                       "nats", "INFO {{{{\r\n"},
    {"refuses",                          "nats", INFO("") "-ERR 'Authorization Violation'\r\n"},
    {"answers, and then talks nonsense", "nats", INFO("") "PONG\r\nPONG\r\nMSG senet.base.room.r 1 99999999999999999999\r\n"},
    {"sends what nobody asked for",      "nats", INFO("") "PONG\r\nPONG\r\nMSG a 7 3\r\nabc\r\nMSG b 1 -5\r\n"},
    {"begins TLS, and says nothing",     "tls",  INFO(",\"tls_required\":true")},
};
/* clang-format on */

static void whoever_is_no_broker_is_let_go_and_does_not_hold_the_end_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof impostors / sizeof *impostors; i++) {
        struct impostor impostor;
        struct side one;
        open_impostor(&impostor, impostors[i].scheme, impostors[i].says);
        struct bus_options options = options_of(impostor.url);
        open_with(&one, &options, "n1");
        if (strcmp(impostors[i].scheme, "nats") == 0)
            UNTIL(&one, one.downs > 0);
        else
            UNTIL(&one, impostor.count > 0);
        close_side(&one);
        close_impostor(&impostor);
    }
}

static void a_broker_that_takes_only_little_refuses_and_stays(void **state)
{
    struct side one, two;
    char where[URL_BYTES], body[2000] = "";
    struct bus_message event = an_event(1);
    char config[128];
    (void)state;
    snprintf(config, sizeof config, "%s/small.conf", folder);
    FILE *file = fopen(config, "w");
    fputs("max_payload: 1000\n", file);
    fclose(file);
    char option[160];
    snprintf(option, sizeof option, "-c %s", config);
    broker("start", "small", option, where);
    open_two(where, &one, &two);
    memset(body, 'x', sizeof body - 1);
    event.body = body;
    while (figures_of(&one).unsent == 0) {
        bus_publish(one.bus, &event);
        uv_run(&one.loop, UV_RUN_ONCE);
    }
    UNTIL(&one, bus_is_up(one.bus));
    expect_heard(&one, &two);
    close_side(&one);
    close_side(&two);
    broker("remove", "small", "", NULL);
}

/* --- settings --------------------------------------------------------------------------------- */

static void expect_refused(const struct bus_options *options, const char *words)
{
    struct side side;
    assert_false(try_open(&side, options));
    if (strstr(side.words, words) == NULL)
        fail_msg("\"%s\" is not \"%s\"", side.words, words);
    close_side(&side);
}

static void settings_that_cannot_be_are_refused_in_words(void **state)
{
    char path[128];
    (void)state;
    struct bus_options options = options_of("http://127.0.0.1:1");
    expect_refused(&options, "nats://HOST:PORT");
    options = options_of("nats://a:1,");
    expect_refused(&options, "nats://HOST:PORT");
    options = options_of("nats://a:1");
    options.credentials = "/nowhere/at/all";
    expect_refused(&options, "cannot read /nowhere/at/all");
    options = options_of("tls://a:1");
    options.ca = "/nowhere/at/all";
    expect_refused(&options, "cannot read /nowhere/at/all");
    snprintf(path, sizeof path, "%s/no.pem", folder);
    FILE *file = fopen(path, "w");
    fputs("no certificate\n", file);
    fclose(file);
    options.ca = path;
    expect_refused(&options, "");
}

static void expect_down_with(const struct bus_options *options, const char *words)
{
    struct side side;
    open_with(&side, options, "n1");
    UNTIL(&side, side.downs > 0);
    assert_int_equal(side.ups, 0);
    if (strstr(side.words, words) == NULL)
        fail_msg("\"%s\" is not \"%s\"", side.words, words);
    close_side(&side);
}

static void expect_up(const struct bus_options *options)
{
    struct side side;
    open_with(&side, options, "n1");
    UNTIL(&side, bus_is_up(side.bus));
    close_side(&side);
}

static void a_password_is_asked_for(void **state)
{
    char where[URL_BYTES], with[URL_BYTES + 32];
    (void)state;
    broker("start", "locked", "--user ada --pass secret", where);
    struct bus_options options = options_of(where);
    expect_down_with(&options, "uthorization");
    snprintf(with, sizeof with, "nats://ada:secret@%s", strstr(where, "//") + 2);
    options.url = with;
    expect_up(&options);
    broker("remove", "locked", "", NULL);
}

static void the_second_of_two_brokers_will_do(void **state)
{
    char both[2 * URL_BYTES];
    (void)state;
    snprintf(both, sizeof both, "nats://127.0.0.1:1,%s", url);
    struct bus_options options = options_of(both);
    expect_up(&options);
}

static void make_certificate(const char *name, const char *host)
{
    char command[COMMAND_BYTES];
    snprintf(command, sizeof command,
             "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
             "-subj /CN=%s "
             "-addext subjectAltName=%s -keyout %s/%s.key -out %s/%s.pem 2>/dev/null",
             name, host, folder, name, folder, name);
    assert_int_equal(system(command), 0);
}

static void tls_is_spoken_with_whom_the_certificate_says(void **state)
{
    char where[URL_BYTES], secure[URL_BYTES], words[COMMAND_BYTES], ca[128], other[128],
        plain[URL_BYTES];
    (void)state;
    make_certificate("right", "IP:127.0.0.1");
    make_certificate("wrong", "DNS:elsewhere.example");
    for (int wrong = 0; wrong < 2; wrong++) {
        const char *name = wrong ? "wrong" : "right";
        snprintf(words, sizeof words, "--tls --tlscert %s/%s.pem --tlskey %s/%s.key", folder, name,
                 folder, name);
        broker("start", name, words, where);
        snprintf(secure, sizeof secure, "tls://%s", strstr(where, "//") + 2);
        snprintf(plain, sizeof plain, "nats://%s", strstr(where, "//") + 2);
        snprintf(ca, sizeof ca, "%s/%s.pem", folder, name);
        snprintf(other, sizeof other, "%s/%s.pem", folder, wrong ? "right" : "wrong");
        struct bus_options options = options_of(secure);
        options.ca = ca;
        if (wrong)
            expect_down_with(&options, "");
        else
            expect_up(&options);
        options.ca = other;
        expect_down_with(&options, "");
        options = options_of(plain);
        expect_down_with(&options, "");
        broker("remove", name, "", NULL);
    }
}

/* A server has thousands of connections: numbers of descriptors are large. */
static void descriptors_beyond_a_thousand_are_taken(void **state)
{
    enum { COUNT = 1200 };
    int open[COUNT], count = 0;
    struct rlimit limit;
    struct side one, two;
    (void)state;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    while (count < COUNT && (open[count] = dup(0)) >= 0)
        count++;
    if (count < COUNT)
        print_message("only %d descriptors to be had\n", count);
    open_side(&one, "n1");
    open_side(&two, "n2");
    UNTIL(&one, bus_is_up(one.bus));
    UNTIL(&two, bus_is_up(two.bus));
    expect_heard(&one, &two);
    close_side(&one);
    close_side(&two);
    while (count > 0)
        close(open[--count]);
}

static int start_broker(void **state)
{
    char words[COMMAND_BYTES];
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(words, sizeof words, "start %s/shared", folder);
    return ask_script(words, url, sizeof url);
}

static int remove_brokers(void **state)
{
    static const char *const names[] = {"shared", "killed", "frozen", "small",
                                        "locked", "right",  "wrong"};
    char words[COMMAND_BYTES], line[URL_BYTES];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(words, sizeof words, "remove %s/%s", folder, names[i]);
        ask_script(words, line, sizeof line);
    }
    snprintf(words, sizeof words, "rm -rf %s", folder);
    return system(words);
}

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        {"without a broker nothing is up, and nothing happens", without_a_broker_nothing_is_up_and_nothing_happens, NULL, NULL, NULL},
        {"what one says the others hear, in order", what_one_says_the_others_hear_in_order, NULL, NULL, NULL},
        {"a long event comes as a hint", a_long_event_comes_as_a_hint, NULL, NULL, NULL},
        {"a broker that was killed is found again", a_broker_that_was_killed_is_found_again, NULL, NULL, NULL},
        {"a frozen broker is given up, and the loop goes on", a_frozen_broker_is_given_up_and_the_loop_goes_on, NULL, NULL, NULL},
        {"what has no place on the way out is dropped and counted", what_has_no_place_on_the_way_out_is_dropped_and_counted, NULL, NULL, NULL},
        {"what has no place on the way in is dropped and told", what_has_no_place_on_the_way_in_is_dropped_and_told, NULL, NULL, NULL},
        {"closing does not wait for what is under way", closing_does_not_wait_for_what_is_under_way, NULL, NULL, NULL},
        {"a bus may close at any moment", a_bus_may_close_at_any_moment, NULL, NULL, NULL},
        {"what no server of ours says is refused", what_no_server_of_ours_says_is_refused, NULL, NULL, NULL},
        {"whoever is no broker is let go, and does not hold the end up", whoever_is_no_broker_is_let_go_and_does_not_hold_the_end_up, NULL, NULL, NULL},
        {"a broker that takes only little refuses, and stays", a_broker_that_takes_only_little_refuses_and_stays, NULL, NULL, NULL},
        {"settings that cannot be are refused in words", settings_that_cannot_be_are_refused_in_words, NULL, NULL, NULL},
        {"a password is asked for", a_password_is_asked_for, NULL, NULL, NULL},
        {"the second of two brokers will do", the_second_of_two_brokers_will_do, NULL, NULL, NULL},
        {"TLS is spoken with whom the certificate says", tls_is_spoken_with_whom_the_certificate_says, NULL, NULL, NULL},
        {"descriptors beyond a thousand are taken", descriptors_beyond_a_thousand_are_taken, NULL, NULL, NULL},
    };
    /* clang-format on */
    if (system("command -v nats-server >/dev/null || [ -x /usr/sbin/nats-server ]") != 0) {
        puts("no nats-server is installed: skipped");
        return 77;
    }
    return cmocka_run_group_tests_name("the bus", tests, start_broker, remove_brokers);
}
