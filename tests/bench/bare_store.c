/* The bare database: durable appends in batches of one size, fenced by the room's row, commands unique; the statements one
 * would write first, prepared, in one transaction a batch, and on PostgreSQL in one round trip (libpq's pipeline).
 *
 * bare_store URL ROOMS BATCH SECONDS: prints appends a second. Beside the server that has done the same; see durable. */
#include <libpq-fe.h>
#include <sqlite3.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOMS_MAX = 100000, PARAMETERS = 7, TEXT_BYTES = 96 };

static int64_t versions[ROOMS_MAX];

struct bench {
    int rooms, batch, next;
    sqlite3 *sqlite;
    sqlite3_stmt *begin, *fence, *insert, *commit;
    PGconn *postgres;
};

static void stop(const char *words)
{
    fprintf(stderr, "bare_store: %s\n", words);
    exit(1);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What a move brings, as texts: room, version, player, command, kind, time, body. */
struct move {
    char texts[PARAMETERS][TEXT_BYTES];
    const char *values[PARAMETERS];
};

/* Each room of a batch another one, as with players who wait for each other. */
static void next_move(struct bench *bench, struct move *move)
{
    int room = bench->next++ % bench->rooms;
    int64_t version = ++versions[room];
    snprintf(move->texts[0], TEXT_BYTES, "%08x", (unsigned)room * 2654435761U);
    snprintf(move->texts[1], TEXT_BYTES, "%" PRId64, version);
    snprintf(move->texts[2], TEXT_BYTES, "p_%016" PRIx64,
             (uint64_t)room * 2 + (uint64_t)(version & 1));
    snprintf(move->texts[3], TEXT_BYTES, "m%" PRId64, version);
    snprintf(move->texts[4], TEXT_BYTES, "moved");
    snprintf(move->texts[5], TEXT_BYTES, "1700000000000");
    snprintf(move->texts[6], TEXT_BYTES,
             "{\"seat\":\"%s\",\"move\":{\"from\":\"e%d\",\"to\":\"e%d\"}}",
             version % 2 ? "white" : "black", (int)(version % 8), (int)(version % 8));
    for (int i = 0; i < PARAMETERS; i++)
        move->values[i] = move->texts[i];
}

/* --- SQLite */

static void execute_sqlite(struct bench *bench, const char *sql)
{
    if (sqlite3_exec(bench->sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
        stop(sqlite3_errmsg(bench->sqlite));
}

static sqlite3_stmt *prepare_sqlite(struct bench *bench, const char *sql)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(bench->sqlite, sql, -1, &statement, NULL) != SQLITE_OK)
        stop(sqlite3_errmsg(bench->sqlite));
    return statement;
}

static void step_sqlite(struct bench *bench, sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        stop(sqlite3_errmsg(bench->sqlite));
    sqlite3_reset(statement);
}

static void open_sqlite(struct bench *bench, const char *path)
{
    if (sqlite3_open(path, &bench->sqlite) != SQLITE_OK)
        stop("cannot open the database");
    execute_sqlite(bench,
                   "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                   "PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4096;"
                   "CREATE TABLE room (id TEXT PRIMARY KEY, version INTEGER) WITHOUT ROWID;"
                   "CREATE TABLE event (room TEXT, version INTEGER, client TEXT, command TEXT,"
                   " kind TEXT, at INTEGER, body TEXT, PRIMARY KEY (room, version)) WITHOUT ROWID;"
                   "CREATE UNIQUE INDEX once ON event (room, client, command); BEGIN");
    sqlite3_stmt *room = prepare_sqlite(bench, "INSERT INTO room VALUES (?1, 0)");
    for (int i = 0; i < bench->rooms; i++) {
        char id[16];
        snprintf(id, sizeof id, "%08x", (unsigned)i * 2654435761U);
        sqlite3_bind_text(room, 1, id, -1, SQLITE_TRANSIENT);
        step_sqlite(bench, room);
    }
    sqlite3_finalize(room);
    execute_sqlite(bench, "COMMIT");
    bench->begin = prepare_sqlite(bench, "BEGIN IMMEDIATE");
    bench->commit = prepare_sqlite(bench, "COMMIT");
    bench->fence = prepare_sqlite(
        bench, "UPDATE room SET version = version + 1 WHERE id = ?1 AND version = ?2 - 1");
    bench->insert = prepare_sqlite(bench, "INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
}

static void append_sqlite(struct bench *bench)
{
    step_sqlite(bench, bench->begin);
    for (int i = 0; i < bench->batch; i++) {
        struct move move;
        next_move(bench, &move);
        sqlite3_bind_text(bench->fence, 1, move.values[0], -1, SQLITE_STATIC);
        sqlite3_bind_int64(bench->fence, 2, strtoll(move.values[1], NULL, 10));
        step_sqlite(bench, bench->fence);
        if (sqlite3_changes(bench->sqlite) != 1)
            stop("the room is elsewhere");
        for (int k = 0; k < PARAMETERS; k++)
            sqlite3_bind_text(bench->insert, k + 1, move.values[k], -1, SQLITE_STATIC);
        sqlite3_bind_int64(bench->insert, 2, strtoll(move.values[1], NULL, 10));
        sqlite3_bind_int64(bench->insert, 6, strtoll(move.values[5], NULL, 10));
        step_sqlite(bench, bench->insert);
    }
    step_sqlite(bench, bench->commit);
}

/* --- PostgreSQL */

static void check(struct bench *bench, PGresult *result, ExecStatusType wanted)
{
    if (PQresultStatus(result) != wanted)
        stop(PQerrorMessage(bench->postgres));
    PQclear(result);
}

static void open_postgres(struct bench *bench, const char *url)
{
    bench->postgres = PQconnectdb(url);
    if (PQstatus(bench->postgres) != CONNECTION_OK)
        stop(PQerrorMessage(bench->postgres));
    check(bench,
          PQexec(bench->postgres,
                 "SET synchronous_commit = on; SET client_min_messages = error;"
                 "DROP TABLE IF EXISTS bare_event; DROP TABLE IF EXISTS bare_room;"
                 "CREATE TABLE bare_room (id text PRIMARY KEY, version bigint NOT NULL)"
                 " WITH (fillfactor = 50);"
                 "CREATE TABLE bare_event (room text, version bigint, client text, command text,"
                 " kind text, at bigint, body text, PRIMARY KEY (room, version));"
                 "CREATE UNIQUE INDEX bare_once ON bare_event (room, client, command)"),
          PGRES_COMMAND_OK);
    for (int i = 0; i < bench->rooms; i++) {
        char sql[96];
        snprintf(sql, sizeof sql, "INSERT INTO bare_room VALUES ('%08x', 0)",
                 (unsigned)i * 2654435761U);
        check(bench, PQexec(bench->postgres, sql), PGRES_COMMAND_OK);
    }
    check(bench,
          PQprepare(bench->postgres, "append",
                    "WITH fence AS (UPDATE bare_room SET version = $2 WHERE id = $1"
                    " AND version = $2 - 1 RETURNING id)"
                    " INSERT INTO bare_event SELECT id, $2, $3, $4, $5, $6, $7 FROM fence",
                    0, NULL),
          PGRES_COMMAND_OK);
}

static void receive(struct bench *bench, ExecStatusType wanted)
{
    check(bench, PQgetResult(bench->postgres), wanted);
    if (wanted != PGRES_PIPELINE_SYNC)
        PQclear(PQgetResult(bench->postgres));
}

static void append_postgres(struct bench *bench)
{
    PGconn *connection = bench->postgres;
    bool sent = PQenterPipelineMode(connection) == 1 &&
                PQsendQueryParams(connection, "BEGIN", 0, NULL, NULL, NULL, NULL, 0) == 1;
    for (int i = 0; i < bench->batch && sent; i++) {
        struct move move;
        next_move(bench, &move);
        sent = PQsendQueryPrepared(connection, "append", PARAMETERS, move.values, NULL, NULL, 0);
    }
    sent = sent && PQsendQueryParams(connection, "COMMIT", 0, NULL, NULL, NULL, NULL, 0) == 1 &&
           PQpipelineSync(connection) == 1;
    if (!sent)
        stop(PQerrorMessage(connection));
    for (int i = 0; i < bench->batch + 2; i++)
        receive(bench, PGRES_COMMAND_OK);
    receive(bench, PGRES_PIPELINE_SYNC);
    PQexitPipelineMode(connection);
}

int main(int argc, char **argv)
{
    struct bench bench = {0};
    if (argc != 5)
        stop("URL ROOMS BATCH SECONDS");
    bench.rooms = (int)strtol(argv[2], NULL, 10);
    bench.batch = (int)strtol(argv[3], NULL, 10);
    double seconds = strtod(argv[4], NULL);
    if (bench.rooms < 1 || bench.rooms > ROOMS_MAX || bench.batch < 1)
        stop("too many rooms, or none");
    bool postgres = strncmp(argv[1], "postgresql:", 11) == 0;
    if (postgres)
        open_postgres(&bench, argv[1]);
    else
        open_sqlite(&bench, argv[1] + strlen("sqlite://"));
    double begin = now_s(), now = begin;
    uint64_t appends = 0;
    for (; now < begin + seconds; now = now_s()) {
        if (postgres)
            append_postgres(&bench);
        else
            append_sqlite(&bench);
        appends += (uint64_t)bench.batch;
    }
    printf("%.0f\n", (double)appends / (now - begin));
    PQfinish(bench.postgres);
    sqlite3_finalize(bench.begin);
    sqlite3_finalize(bench.commit);
    sqlite3_finalize(bench.fence);
    sqlite3_finalize(bench.insert);
    sqlite3_close(bench.sqlite);
    return 0;
}
