/* What only a store behind a connection can suffer: the connection is cut, inside COMMIT above all; the database is
 * away; another server writes too. A proxy of the test's own stands between the driver and PostgreSQL. */
#include "tests/support/test.h"

#include "server/store/migrations.h"
#include "server/store/postgres_driver.h"
#include "tests/server/store_support.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* --- the proxy -------------------------------------------------------------------------------- */

enum cut {
    CUT_NOTHING,
    CUT_BEFORE_COMMIT, /* the bytes with COMMIT never arrive */
    CUT_INSIDE_COMMIT, /* they do; what the database answers does not come back */
    CUT_AT_ONCE,       /* whatever is said */
};

struct proxy {
    pthread_t thread;
    int listener, port, server_port;
    atomic_int cut;
    atomic_int cuts_inside; /* made so far, of those inside COMMIT */
    atomic_bool refuses, ends;
    atomic_bool relentless; /* cuts the next connection as well, and so on */
    atomic_bool silent;     /* takes what is said, and gives no answer back */
    atomic_bool deaf;       /* takes nothing either */
    atomic_bool spoils;     /* every look-up; the database calls it an error */
    bool begun;             /* the driver's transaction; the proxy's own */
};

static int listen_anywhere(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(listener >= 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 8), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return listener;
}

static int dial(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int end = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(end, (struct sockaddr *)&address, sizeof address) == 0)
        return end;
    close(end);
    return -1;
}

static bool pass_on(int to, const char *bytes, ssize_t length)
{
    while (length > 0) {
        ssize_t sent = send(to, bytes, (size_t)length, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent;
        length -= sent;
    }
    return true;
}

static bool contains(const char *bytes, ssize_t length, const char *word)
{
    ssize_t size = (ssize_t)strlen(word);
    for (ssize_t i = 0; i + size <= length; i++)
        if (memcmp(bytes + i, word, (size_t)size) == 0)
            return true;
    return false;
}

/* Whether a transaction ends with this: by COMMIT, or because it is one statement alone ('B' begins one that was
 * prepared, 'P' its preparation). */
static bool commits(struct proxy *proxy, const char *bytes, ssize_t length)
{
    bool ends = contains(bytes, length, "COMMIT");
    proxy->begun = proxy->begun || contains(bytes, length, "BEGIN");
    bool alone = !proxy->begun && bytes[0] == 'B' && contains(bytes, length, "APPEND");
    proxy->begun = proxy->begun && !ends && !contains(bytes, length, "ROLLBACK");
    return ends || alone;
}

/* Names a statement that was never prepared. */
static void spoil(char *bytes, ssize_t length)
{
    static const char look_up[] = "SAME_EVENT";
    ssize_t size = (ssize_t)strlen(look_up);
    for (ssize_t i = 0; i + size <= length; i++)
        if (memcmp(bytes + i, look_up, (size_t)size) == 0)
            bytes[i] = 'X';
}

/* From the driver to the database; false: the connection is to be closed. */
static bool forward(struct proxy *proxy, int client, int server)
{
    char bytes[64 * 1024];
    ssize_t length = recv(client, bytes, sizeof bytes, 0);
    if (length <= 0)
        return false;
    int cut = atomic_load(&proxy->cut);
    bool at_commit = commits(proxy, bytes, length);
    if (atomic_load(&proxy->spoils) && bytes[0] == 'B')
        spoil(bytes, length);
    if (cut == CUT_NOTHING || (cut != CUT_AT_ONCE && !at_commit))
        return pass_on(server, bytes, length);
    if (!atomic_load(&proxy->relentless))
        atomic_store(&proxy->cut, CUT_NOTHING);
    if (cut == CUT_INSIDE_COMMIT && pass_on(server, bytes, length)) {
        recv(server, bytes, sizeof bytes, 0); /* the database has answered; nobody hears it */
        atomic_fetch_add(&proxy->cuts_inside, 1);
    }
    return false;
}

static bool give_back(int server, int client)
{
    char bytes[64 * 1024];
    ssize_t length = recv(server, bytes, sizeof bytes, 0);
    return length > 0 && pass_on(client, bytes, length);
}

static void serve_one(struct proxy *proxy, int client)
{
    int server = dial(proxy->server_port);
    bool open = server >= 0;
    proxy->begun = false;
    while (open && !atomic_load(&proxy->ends) && !atomic_load(&proxy->refuses)) {
        bool deaf = atomic_load(&proxy->deaf), silent = deaf || atomic_load(&proxy->silent);
        struct pollfd ends[] = {{deaf ? -1 : client, POLLIN, 0}, {silent ? -1 : server, POLLIN, 0}};
        if (poll(ends, 2, 20) < 0)
            break;
        if (ends[0].revents != 0)
            open = forward(proxy, client, server);
        if (open && ends[1].revents != 0)
            open = give_back(server, client);
    }
    if (server >= 0)
        close(server);
    close(client);
}

static void *run_proxy(void *context)
{
    struct proxy *proxy = context;
    while (!atomic_load(&proxy->ends)) {
        struct pollfd listener = {proxy->listener, POLLIN, 0};
        if (poll(&listener, 1, 20) <= 0)
            continue;
        int client = accept(proxy->listener, NULL, NULL);
        if (client < 0)
            continue;
        if (atomic_load(&proxy->refuses))
            close(client);
        else
            serve_one(proxy, client);
    }
    return NULL;
}

/* Puts the proxy between the bed's driver and its database. */
static void stand_between(struct proxy *proxy, struct store_bed *bed)
{
    memset(proxy, 0, sizeof *proxy);
    char *colon = strrchr(bed->url, ':');
    assert_non_null(colon);
    proxy->server_port = (int)strtol(colon + 1, NULL, 10);
    proxy->listener = listen_anywhere(&proxy->port);
    snprintf(colon, sizeof bed->url - (size_t)(colon - bed->url), ":%d/%s", proxy->port,
             bed->database);
    assert_int_equal(pthread_create(&proxy->thread, NULL, run_proxy, proxy), 0);
    store_bed_reopen(bed);
}

static void proxy_end(struct proxy *proxy)
{
    atomic_store(&proxy->ends, true);
    pthread_join(proxy->thread, NULL);
    close(proxy->listener);
}

/* --- tests ------------------------------------------------------------------------------------ */

enum { ROOMS = 6, BATCH = 8, CUTS = 1000, LONG_BODY = 256 * 1024 };

static const char *const rooms[ROOMS] = {"r0", "r1", "r2", "r3", "r4", "r5"};

static void make_rooms(struct store_bed *bed)
{
    for (int i = 0; i < ROOMS; i++) {
        struct store_request request = store_creation(rooms[i], "p", rooms[i]);
        assert_int_equal(store_do(bed, &request), STORE_OK);
    }
}

/* A database with a few rooms, behind a proxy. */
static void set_up(struct store_bed *bed, struct proxy *proxy)
{
    store_bed_init(bed, &store_postgres);
    stand_between(proxy, bed);
    make_rooms(bed);
}

static void tear_down(struct store_bed *bed, struct proxy *proxy)
{
    store_bed_release(bed);
    proxy_end(proxy);
}

/* Each event of a room once, in order, as its command says. */
static void expect_room(struct store_bed *bed, const char *room, int64_t version)
{
    struct store_request question = store_question(STORE_LOAD, room, NULL);
    struct store_answer answer = store_perform(bed, &question);
    assert_int_equal(answer.status, STORE_OK);
    assert_int_equal(answer.rooms[0].version, version);
    assert_int_equal(answer.event_count, version);
    for (int i = 1; i < answer.event_count; i++) {
        char body[32];
        snprintf(body, sizeof body, "{\"n\":%d}", i + 1);
        assert_int_equal(answer.events[i].version, i + 1);
        assert_string_equal(answer.events[i].body, body);
    }
    store_answer_release(&answer);
}

struct batch {
    struct store_request requests[BATCH];
    struct store_answer answers[BATCH];
    char commands[BATCH][24], bodies[BATCH][32];
    int count;
};

/* Some of it the server's own events, which have no command; some with seats, which are several statements. */
static void draw_batch(struct batch *batch, int64_t versions[ROOMS], uint64_t *random)
{
    batch->count = 1 + (int)(test_random(random) % BATCH);
    for (int i = 0; i < batch->count; i++) {
        int room = (int)(test_random(random) % ROOMS);
        int64_t next = versions[room] + 1;
        bool own = test_random(random) % 5 == 0;
        snprintf(batch->commands[i], sizeof batch->commands[i], own ? "" : "c-%" PRId64, next);
        snprintf(batch->bodies[i], sizeof batch->bodies[i], "{\"n\":%" PRId64 "}", next);
        batch->requests[i] = store_continuation(rooms[room], versions[room], own ? "" : "p",
                                                batch->commands[i], batch->bodies[i]);
        batch->requests[i].writes[0].seats_changed = test_random(random) % 10 == 0;
        versions[room] = next;
    }
}

/* As long as the connection that was cut still holds a room's row, a batch passes it by as a lost race. Alone an append waits for the
 * row, and what was cut may have come through after all: then it is known by its command, the server's own by its version, which
 * the rooms' events show in the end. */
static void append_alone(struct store_bed *bed, const struct store_request *request, bool own)
{
    enum store_status status = store_do(bed, request);
    assert_true(status == STORE_OK || status == STORE_DUPLICATE ||
                (own && status == STORE_CONFLICT));
}

static void perform_batch(struct store_bed *bed, struct batch *batch)
{
    bool passed_by[BATCH];
    bed->table->perform(bed->driver, batch->requests, batch->count, batch->answers);
    for (int i = 0; i < batch->count; i++) {
        if (batch->answers[i].status == STORE_FAILED)
            fail_msg("%s", batch->answers[i].words);
        passed_by[i] = batch->answers[i].status == STORE_CONFLICT;
        assert_true(passed_by[i] || batch->answers[i].status == STORE_OK);
        store_answer_release(&batch->answers[i]);
    }
    for (int i = 0; i < batch->count; i++)
        if (passed_by[i])
            append_alone(bed, &batch->requests[i], batch->commands[i][0] == '\0');
}

static void a_cut_inside_commit_is_looked_up(void **state)
{
    (void)state;
    struct store_bed bed;
    struct proxy proxy;
    struct batch batch;
    int64_t versions[ROOMS];
    uint64_t random = 4711;
    set_up(&bed, &proxy);
    for (int i = 0; i < ROOMS; i++)
        versions[i] = 1;
    for (int i = 0; i < 2 * CUTS && atomic_load(&proxy.cuts_inside) < CUTS; i++) {
        static const int elsewhere[] = {CUT_BEFORE_COMMIT, CUT_AT_ONCE};
        uint64_t drawn = test_random(&random) % 8;
        draw_batch(&batch, versions, &random);
        atomic_store(&proxy.cut, drawn < 2 ? elsewhere[drawn] : CUT_INSIDE_COMMIT);
        perform_batch(&bed, &batch);
        /* Sent once more, each is known. */
        for (int k = 0; k < batch.count; k++)
            if (batch.commands[k][0] != '\0')
                assert_int_equal(store_do(&bed, &batch.requests[k]), STORE_DUPLICATE);
    }
    assert_int_equal(atomic_load(&proxy.cuts_inside), CUTS);
    for (int i = 0; i < ROOMS; i++)
        expect_room(&bed, rooms[i], versions[i]);
    tear_down(&bed, &proxy);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void a_database_that_is_away_fails_in_time_and_heals_alone(void **state)
{
    (void)state;
    struct store_bed bed;
    struct proxy proxy;
    set_up(&bed, &proxy);
    atomic_store(&proxy.refuses, true);
    nanosleep(&(struct timespec){.tv_nsec = 200 * 1000000L}, NULL); /* the connection ends */
    struct store_request move = store_continuation("r0", 1, "p", "c-2", "{\"n\":2}");
    int64_t began = now_ms();
    /* Its COMMIT went into a connection that was dead already, but who can tell. */
    assert_int_equal(store_do(&bed, &move), STORE_UNKNOWN);
    int64_t first = now_ms() - began;
    assert_true(first >= 5000 && first < 60000);
    /* While it stays away the next ones do not wait as long. */
    began = now_ms();
    assert_int_equal(store_do(&bed, &move), STORE_FAILED);
    assert_true(now_ms() - began < 5000);
    atomic_store(&proxy.refuses, false);
    assert_int_equal(store_do(&bed, &move), STORE_OK);
    expect_room(&bed, "r0", 2);
    tear_down(&bed, &proxy);
}

static void an_unknown_commit_is_called_unknown(void **state)
{
    (void)state;
    struct store_bed bed;
    struct proxy proxy;
    set_up(&bed, &proxy);
    bed.driver->wait_ms = 500;
    struct store_request move = store_continuation("r0", 1, "p", "c-2", "{\"n\":2}");
    atomic_store(&proxy.cut, CUT_INSIDE_COMMIT);
    /* The proxy gives nobody a second connection as soon as it has cut the first. */
    proxy.server_port = 1;
    assert_int_equal(store_do(&bed, &move), STORE_UNKNOWN);
    tear_down(&bed, &proxy);
}

/* As if the database died of this very batch: what became of it is looked up, and that is not heard either. */
static void a_commit_that_is_never_heard_of_is_given_up_in_the_end(void **state)
{
    (void)state;
    struct store_bed bed;
    struct proxy proxy;
    set_up(&bed, &proxy);
    bed.driver->wait_ms = 500;
    struct store_request move = store_continuation("r0", 1, "p", "c-2", "{\"n\":2}");
    atomic_store(&proxy.relentless, true);
    atomic_store(&proxy.cut, CUT_INSIDE_COMMIT);
    assert_int_equal(store_do(&bed, &move), STORE_UNKNOWN);
    assert_true(atomic_load(&proxy.cuts_inside) > 1);
    atomic_store(&proxy.relentless, false);
    atomic_store(&proxy.cut, CUT_NOTHING);
    assert_int_equal(store_do(&bed, &move), STORE_DUPLICATE);
    expect_room(&bed, "r0", 2);
    tear_down(&bed, &proxy);
}

/* As if its processes were stopped, or its disk stuck: nothing is cut, and nothing is said. Whatever was on its way may come
 * to be when it goes on. */
static void a_database_that_hangs_fails_in_time_and_heals_alone(void **state)
{
    (void)state;
    struct store_bed bed;
    struct proxy proxy;
    set_up(&bed, &proxy);
    bed.driver->wait_ms = 500;
    bed.driver->answer_ms = 500;
    atomic_store(&proxy.silent, true);
    struct store_request move = store_continuation("r0", 1, "p", "c-2", "{\"n\":2}");
    struct store_request question = store_question(STORE_OPEN_ROOMS, NULL, NULL);
    assert_int_equal(store_do(&bed, &move), STORE_UNKNOWN);
    assert_int_equal(store_do(&bed, &question), STORE_FAILED);
    atomic_store(&proxy.silent, false);
    assert_int_equal(store_do(&bed, &question), STORE_OK);
    assert_int_equal(store_do(&bed, &move), STORE_DUPLICATE);
    expect_room(&bed, "r0", 2);

    /* More than the connection holds: it has to be given up while it is being sent, too. */
    struct store_answer answers[STORE_BATCH_MAX];
    struct store_request appends[STORE_BATCH_MAX];
    char *body = malloc(LONG_BODY + 1);
    memset(body, ' ', LONG_BODY);
    body[0] = '{', body[LONG_BODY - 1] = '}', body[LONG_BODY] = '\0';
    for (int i = 0; i < STORE_BATCH_MAX; i++)
        appends[i] = store_continuation("r0", 2 + i, "", "", body);
    atomic_store(&proxy.deaf, true);
    store_postgres.perform(bed.driver, appends, STORE_BATCH_MAX, answers);
    for (int i = 0; i < STORE_BATCH_MAX; i++)
        assert_int_equal(answers[i].status, STORE_UNKNOWN);
    free(body);
    atomic_store(&proxy.deaf, false);
    assert_int_equal(store_do(&bed, &question), STORE_OK);
    expect_room(&bed, "r0", 2);
    tear_down(&bed, &proxy);
}

/* One of them is where another server has been meanwhile; whether that was itself cannot be found out. The other one is not to
 * pass for written because of it: what a failed look-up spoils the database answers with ROLLBACK, and no error. */
static void a_look_up_that_fails_acknowledges_nothing(void **state)
{
    (void)state;
    struct store_bed bed;
    struct proxy proxy;
    set_up(&bed, &proxy);
    struct store_request elsewhere = store_continuation("r1", 1, "q", "d-2", "{\"n\":2}");
    assert_int_equal(store_do(&bed, &elsewhere), STORE_OK);
    struct store_request moves[] = {store_continuation("r0", 1, "p", "c-2", "{\"n\":2}"),
                                    store_continuation("r1", 1, "p", "c-2", "{\"n\":2}")};
    struct store_answer answers[2];
    atomic_store(&proxy.spoils, true);
    atomic_store(&proxy.cut, CUT_BEFORE_COMMIT);
    store_postgres.perform(bed.driver, moves, 2, answers);
    assert_int_equal(answers[0].status, STORE_OK);
    assert_int_equal(answers[1].status, STORE_UNKNOWN);
    atomic_store(&proxy.spoils, false);
    expect_room(&bed, "r0", 2);
    expect_room(&bed, "r1", 2);
    assert_int_equal(store_do(&bed, &moves[1]), STORE_CONFLICT);
    tear_down(&bed, &proxy);
}

/* Two servers append to the same rooms as fast as they can: of two that meet one is refused. */
static void two_servers_never_write_one_version_twice(void **state)
{
    (void)state;
    struct store_bed bed;
    store_bed_init(&bed, &store_postgres);
    make_rooms(&bed);
    struct store_driver *other = store_postgres.open(bed.url, bed.words, sizeof bed.words);
    assert_non_null(other);
    int64_t versions[ROOMS];
    for (int i = 0; i < ROOMS; i++)
        versions[i] = 1;
    uint64_t random = 5;
    for (int i = 0; i < 600; i++) {
        int room = (int)(test_random(&random) % ROOMS);
        char one[24], two[24], body[32];
        snprintf(one, sizeof one, "a-%d", i);
        snprintf(two, sizeof two, "b-%d", i);
        snprintf(body, sizeof body, "{\"n\":%" PRId64 "}", versions[room] + 1);
        struct store_request mine = store_continuation(rooms[room], versions[room], "p", one, body);
        struct store_request theirs =
            store_continuation(rooms[room], versions[room], "q", two, body);
        struct store_answer answer;
        store_postgres.perform(i % 2 ? other : bed.driver, &mine, 1, &answer);
        assert_int_equal(answer.status, STORE_OK);
        store_postgres.perform(i % 2 ? bed.driver : other, &theirs, 1, &answer);
        assert_int_equal(answer.status, STORE_CONFLICT);
        versions[room]++;
    }
    store_postgres.close(other);
    for (int i = 0; i < ROOMS; i++)
        expect_room(&bed, rooms[i], versions[i]);
    store_bed_release(&bed);
}

static PGconn *connect_to(const struct store_bed *bed)
{
    PGconn *connection = PQconnectdb(bed->url);
    assert_int_equal(PQstatus(connection), CONNECTION_OK);
    return connection;
}

static void say(PGconn *connection, const char *sql)
{
    PGresult *result = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%s", PQerrorMessage(connection));
    PQclear(result);
}

/* As of a process that was stopped between two statements: the database ends it. */
static void a_stopped_server_s_transaction_holds_nothing_up_for_long(void **state)
{
    (void)state;
    struct store_bed bed;
    store_bed_init(&bed, &store_postgres);
    struct store_request creation = store_creation("r", "p", "c");
    assert_int_equal(store_do(&bed, &creation), STORE_OK);
    struct store_driver *stopped = bed.table->open(bed.url, bed.words, sizeof bed.words);
    assert_non_null(stopped);
    say(stopped->connection,
        "BEGIN; SELECT append_event('r', 1, 1, 0::smallint, 5, 'moved', 'p', 'late', '{}')");
    struct store_request next[] = {store_continuation("r", 1, "p", "next", "{}"),
                                   store_creation("s", "p", "s")};
    struct store_answer answers[2];
    bed.table->perform(bed.driver, next, 2, answers); /* who has more to do does not wait for it */
    assert_int_equal(answers[0].status, STORE_CONFLICT);
    assert_int_equal(answers[1].status, STORE_OK);
    store_answer_release(&answers[0]);
    store_answer_release(&answers[1]);
    assert_int_equal(store_do(&bed, &next[0]), STORE_OK);
    PGresult *late = PQexec(stopped->connection, "COMMIT");
    assert_int_not_equal(PQresultStatus(late), PGRES_COMMAND_OK);
    PQclear(late);
    bed.table->close(stopped);
    assert_int_equal(store_version(&bed, "r"), 2);
    store_bed_release(&bed);
}

static void lease_as(struct store_driver *driver, const char *node)
{
    struct store_request request = {
        .ask = STORE_LEASE, .node = node, .place = node, .url = "", .lease_ms = 1};
    struct store_answer answer;
    store_postgres.perform(driver, &request, 1, &answer);
    assert_int_equal(answer.status, STORE_OK);
    store_answer_release(&answer);
}

/* One append to each room, of what comes after the version that is believed in. */
static void move_in_all(struct store_driver *driver, struct batch *batch,
                        const int64_t versions[ROOMS], const char *author, int turn, bool backwards)
{
    batch->count = ROOMS;
    for (int i = 0; i < ROOMS; i++) {
        int room = backwards ? ROOMS - 1 - i : i;
        snprintf(batch->commands[i], sizeof batch->commands[i], "%s-%d", author, turn);
        snprintf(batch->bodies[i], sizeof batch->bodies[i], "{\"n\":%" PRId64 "}",
                 versions[room] + 1);
        batch->requests[i] = store_continuation(rooms[room], versions[room], author,
                                                batch->commands[i], batch->bodies[i]);
    }
    store_postgres.perform(driver, batch->requests, ROOMS, batch->answers);
}

/* It may hang with rows in its hands, and its lease is over then. */
static void another_server_s_rows_are_not_waited_for(void **state)
{
    (void)state;
    struct store_bed bed;
    store_bed_init(&bed, &store_postgres);
    make_rooms(&bed);
    assert_false(bed.driver->by_itself);
    lease_as(bed.driver, "n_a");
    assert_true(bed.driver->by_itself);
    struct store_driver *other = store_postgres.open(bed.url, bed.words, sizeof bed.words);
    assert_non_null(other);
    lease_as(other, "n_b");
    assert_false(other->by_itself);
    PGconn *hangs = connect_to(&bed);
    say(hangs, "BEGIN; SELECT FROM room WHERE id = 'r2' FOR UPDATE");
    usleep(5000); /* the lease of the other one is over */
    lease_as(bed.driver, "n_a");
    assert_false(bed.driver->by_itself);
    struct batch batch;
    int64_t versions[ROOMS] = {1, 1, 1, 1, 1, 1};
    move_in_all(bed.driver, &batch, versions, "a", 0, false);
    for (int i = 0; i < ROOMS; i++)
        assert_int_equal(batch.answers[i].status, i == 2 ? STORE_CONFLICT : STORE_OK);
    PQfinish(hangs);
    store_postgres.close(other);
    for (int i = 0; i < ROOMS; i++)
        expect_room(&bed, rooms[i], i == 2 ? 1 : 2);
    store_bed_release(&bed);
}

enum { TURNS = 100 };

struct author {
    struct store_driver *driver;
    const char *name;
    bool backwards;
    int64_t versions[ROOMS];
    int written[ROOMS];
};

static int64_t version_by(struct store_driver *driver, const char *room)
{
    struct store_request question = store_question(STORE_LOAD, room, NULL);
    struct store_answer answer;
    store_postgres.perform(driver, &question, 1, &answer);
    assert_int_equal(answer.status, STORE_OK);
    int64_t version = answer.rooms[0].version;
    store_answer_release(&answer);
    return version;
}

static void *write_on(void *context)
{
    struct author *author = context;
    struct batch batch;
    for (int turn = 0; turn < TURNS; turn++) {
        move_in_all(author->driver, &batch, author->versions, author->name, turn,
                    author->backwards);
        for (int i = 0; i < ROOMS; i++) {
            int room = author->backwards ? ROOMS - 1 - i : i;
            enum store_status status = batch.answers[i].status;
            assert_true(status == STORE_OK || status == STORE_CONFLICT);
            author->written[room] += status == STORE_OK;
            author->versions[room] = status == STORE_OK ? author->versions[room] + 1
                                                        : version_by(author->driver, rooms[room]);
        }
    }
    return NULL;
}

/* The moment in which a second server comes: neither takes the rows beforehand, and they take them in opposite orders. The
 * database undoes one of two that wait for each other. */
static void two_who_believe_to_be_alone_write_each_version_once(void **state)
{
    (void)state;
    struct store_bed bed;
    store_bed_init(&bed, &store_postgres);
    strcat(bed.url, "?options=-c%20deadlock_timeout%3D5ms");
    store_bed_reopen(&bed);
    make_rooms(&bed);
    struct store_driver *other = store_postgres.open(bed.url, bed.words, sizeof bed.words);
    assert_non_null(other);
    struct author authors[] = {{bed.driver, "a", false, {1, 1, 1, 1, 1, 1}, {0}},
                               {other, "b", true, {1, 1, 1, 1, 1, 1}, {0}}};
    pthread_t thread;
    bed.driver->by_itself = other->by_itself = true;
    assert_int_equal(pthread_create(&thread, NULL, write_on, &authors[1]), 0);
    write_on(&authors[0]);
    pthread_join(thread, NULL);
    store_postgres.close(other);
    for (int i = 0; i < ROOMS; i++)
        expect_room(&bed, rooms[i], 1 + authors[0].written[i] + authors[1].written[i]);
    store_bed_release(&bed);
}

/* What a server of schema 1 wrote. */
static void make_old(const struct store_bed *bed)
{
    PGconn *connection = connect_to(bed);
    say(connection,
        "SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    say(connection, "CREATE TABLE senet_schema (version integer NOT NULL);"
                    "INSERT INTO senet_schema VALUES (1)");
    say(connection, postgres_migrations[0].sql);
    say(connection,
        "SELECT create_room('old', 'chess', 'Chess', 'h', '{}', true, 0::smallint, 1, '[]',"
        " 1, 'created', 'p', 'c', '{}');"
        "SELECT append_event('old', 1, 0::smallint, 2, 'moved', 'p', 'm', '{}')");
    PQfinish(connection);
}

static void a_database_of_the_first_schema_plays_on(void **state)
{
    (void)state;
    struct store_bed bed;
    store_bed_init(&bed, &store_postgres);
    bed.table->close(bed.driver);
    bed.driver = NULL;
    make_old(&bed);
    store_bed_reopen(&bed);
    struct store_request claim = store_question(STORE_LOAD, "old", NULL);
    claim.node = "n_new";
    struct store_answer answer = store_perform(&bed, &claim);
    assert_int_equal(answer.status, STORE_OK);
    assert_int_equal(answer.rooms[0].version, 2);
    struct store_request next = store_continuation("old", 2, "p", "n", "{}");
    assert_int_equal(answer.rooms[0].epoch, 1);
    store_answer_release(&answer);
    assert_int_equal(store_do(&bed, &next), STORE_OK);
    struct store_request again = store_continuation("old", 3, "p", "m", "{}");
    assert_int_equal(store_do(&bed, &again), STORE_DUPLICATE);
    store_bed_reopen(&bed);
    assert_int_equal(store_version(&bed, "old"), 3);
    store_bed_release(&bed);
}

/* Also of what the driver would have said itself. */
static void what_the_url_says_of_the_connection_counts(void **state)
{
    (void)state;
    struct store_bed bed;
    store_bed_init(&bed, &store_postgres);
    strcat(bed.url, "?application_name=mine");
    store_bed_reopen(&bed);
    PGresult *result = PQexec(bed.driver->connection, "SHOW application_name");
    assert_int_equal(PQntuples(result), 1);
    assert_string_equal(PQgetvalue(result, 0, 0), "mine");
    PQclear(result);
    store_bed_release(&bed);
}

static void what_cannot_be_opened_says_why(void **state)
{
    (void)state;
    char words[160] = "";
    assert_null(
        store_postgres.open("postgresql://senet:geheim@127.0.0.1:1/nowhere", words, sizeof words));
    assert_non_null(strstr(words, "the PostgreSQL database cannot be used: "));
    assert_null(strstr(words, "geheim"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_inside_commit_is_looked_up),
        cmocka_unit_test(a_database_that_is_away_fails_in_time_and_heals_alone),
        cmocka_unit_test(an_unknown_commit_is_called_unknown),
        cmocka_unit_test(a_commit_that_is_never_heard_of_is_given_up_in_the_end),
        cmocka_unit_test(a_database_that_hangs_fails_in_time_and_heals_alone),
        cmocka_unit_test(a_look_up_that_fails_acknowledges_nothing),
        cmocka_unit_test(two_servers_never_write_one_version_twice),
        cmocka_unit_test(a_stopped_server_s_transaction_holds_nothing_up_for_long),
        cmocka_unit_test(another_server_s_rows_are_not_waited_for),
        cmocka_unit_test(two_who_believe_to_be_alone_write_each_version_once),
        cmocka_unit_test(a_database_of_the_first_schema_plays_on),
        cmocka_unit_test(what_the_url_says_of_the_connection_counts),
        cmocka_unit_test(what_cannot_be_opened_says_why),
    };
    if (store_bed_postgres() == NULL) {
        print_message("skipped: SENET_TEST_POSTGRES names no PostgreSQL\n");
        return 77; /* what ctest calls skipped */
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
