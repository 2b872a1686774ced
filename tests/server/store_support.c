#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <libpq-fe.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void open_bed(struct store_bed *bed)
{
    bed->driver = bed->table->open(bed->url, bed->words, sizeof bed->words);
    if (bed->driver == NULL)
        fail_msg("%s: %s", bed->url, bed->words);
}

const char *store_bed_postgres(void)
{
    return getenv("SENET_TEST_POSTGRES");
}

/* Says one thing to the server that has the tests' databases. */
static void tell_postgres(const char *format, const char *database)
{
    char sql[128];
    snprintf(sql, sizeof sql, format, database);
    PGconn *connection = PQconnectdb(store_bed_postgres());
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(connection));
    PQclear(result);
    PQfinish(connection);
}

static void init_postgres(struct store_bed *bed)
{
    static int made;
    snprintf(bed->database, sizeof bed->database, "test_%d_%d", (int)getpid(), made++);
    tell_postgres("CREATE DATABASE %s", bed->database);
    const char *server = store_bed_postgres();
    int length = (int)(strrchr(server, '/') - server);
    snprintf(bed->url, sizeof bed->url, "%.*s/%s", length, server, bed->database);
}

void store_bed_init(struct store_bed *bed, const struct store_driver_table *table)
{
    *bed = (struct store_bed){.table = table, .folder = "/tmp/senet-store-XXXXXX"};
    assert_non_null(mkdtemp(bed->folder));
    if (table == &store_postgres)
        init_postgres(bed);
    else
        snprintf(bed->url, sizeof bed->url, "%s://%s/senet.db", table->scheme, bed->folder);
    open_bed(bed);
}

void store_bed_path(const struct store_bed *bed, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", bed->folder, name);
}

void store_bed_release(struct store_bed *bed)
{
    char path[512];
    if (bed->driver != NULL)
        bed->table->close(bed->driver);
    if (bed->database[0])
        tell_postgres("DROP DATABASE %s WITH (FORCE)", bed->database);
    DIR *folder = opendir(bed->folder);
    assert_non_null(folder);
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        store_bed_path(bed, entry->d_name, path, sizeof path);
        if (entry->d_name[0] != '.')
            remove(path);
    }
    closedir(folder);
    rmdir(bed->folder);
}

void store_bed_reopen(struct store_bed *bed)
{
    if (bed->driver != NULL)
        bed->table->close(bed->driver);
    open_bed(bed);
}

struct store_answer store_perform(struct store_bed *bed, const struct store_request *request)
{
    struct store_answer answer;
    bed->table->perform(bed->driver, request, 1, &answer);
    assert_int_equal(answer.ticket, request->ticket);
    assert_int_equal(answer.ask, request->ask);
    return answer;
}

enum store_status store_do(struct store_bed *bed, const struct store_request *request)
{
    struct store_answer answer = store_perform(bed, request);
    if (answer.status == STORE_FAILED)
        snprintf(bed->words, sizeof bed->words, "%s", answer.words);
    store_answer_release(&answer);
    return answer.status;
}

struct store_request store_creation(const char *room, const char *client, const char *command)
{
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    struct store_write *write = &request.writes[0];
    write->room = (struct store_room){
        .id = room,
        .game = "chess",
        .title = "Chess",
        .definition_hash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        .is_public = true,
        .status = STORE_WAITING,
        .version = 1,
        .created_at_ms = 1700000000000,
        .players = "[\"white\",\"black\"]",
    };
    write->definition = "{\"name\":\"Chess\"}";
    write->event = (struct store_event){
        .version = 1,
        .at_ms = 1700000000000,
        .kind = "created",
        .client = client,
        .command = command,
        .body = "{}",
    };
    return request;
}

struct store_request store_continuation(const char *room, int64_t expected_version,
                                        const char *client, const char *command, const char *body)
{
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    struct store_write *write = &request.writes[0];
    write->expected_version = expected_version;
    write->epoch = 1;
    write->room.id = room;
    write->room.status = STORE_WAITING;
    write->status_stays = true;
    write->room.version = expected_version + 1;
    write->event = (struct store_event){
        .version = expected_version + 1,
        .at_ms = 1700000000000 + expected_version,
        .kind = "moved",
        .client = client,
        .command = command,
        .body = body,
    };
    return request;
}

void store_turns(struct store_request *append, enum store_room_status status)
{
    append->writes[0].room.status = status;
    append->writes[0].status_stays = false;
}

struct store_request store_question(enum store_ask ask, const char *room, const char *player)
{
    return (struct store_request){.ticket = 7, .ask = ask, .room = room, .player = player};
}

int64_t store_version(struct store_bed *bed, const char *room)
{
    struct store_request request = store_question(STORE_LOAD, room, NULL);
    struct store_answer answer = store_perform(bed, &request);
    int64_t version = 0;
    if (answer.status == STORE_OK) {
        version = answer.rooms[0].version;
        assert_int_equal(answer.event_count, version);
    } else {
        assert_int_equal(answer.status, STORE_NOT_FOUND);
    }
    store_answer_release(&answer);
    return version;
}

enum { IMPLEMENTATIONS = 2, CASES_MAX = 64 };

struct pair {
    const struct store_driver_table *table;
    const struct store_case *store_case;
    char name[160];
};

static void run_pair(void **state)
{
    const struct pair *pair = *state;
    struct store_bed bed;
    store_bed_init(&bed, pair->table);
    pair->store_case->run(&bed);
    store_bed_release(&bed);
}

int store_run_cases(const char *suite, const struct store_case *cases, int count)
{
    static const struct store_driver_table *const implementations[] = {&store_sqlite,
                                                                       &store_postgres};
    static struct pair pairs[IMPLEMENTATIONS * CASES_MAX];
    struct CMUnitTest tests[IMPLEMENTATIONS * CASES_MAX];
    int number = 0;
    assert_in_range(count, 1, CASES_MAX);
    if (store_bed_postgres() == NULL)
        print_message("SENET_TEST_POSTGRES names no PostgreSQL: only SQLite is tested\n");
    for (int i = 0; i < (store_bed_postgres() == NULL ? 1 : IMPLEMENTATIONS); i++)
        for (int k = 0; k < count; k++) {
            struct pair *pair = &pairs[number];
            pair->table = implementations[i];
            pair->store_case = &cases[k];
            snprintf(pair->name, sizeof pair->name, "%s: %s", pair->table->scheme, cases[k].name);
            tests[number++] = (struct CMUnitTest){pair->name, run_pair, NULL, NULL, pair};
        }
    return _cmocka_run_group_tests(suite, tests, (size_t)number, NULL, NULL);
}
