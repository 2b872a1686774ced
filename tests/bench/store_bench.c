/* Durable appends a second. First the store's driver with batches of several sizes, then the same through the worker
 * with so many requests under way; and in the same run bare SQLite, doing the same appends in the ways one would
 * write them first: fenced by the room's row, with and without a unique index on (room, client, command).
 * The driver also while rooms whose time is over are removed, at the pace of a server's housekeeping.
 *
 * store_bench [folder [seconds]]: where the databases are made (a disk, not a RAM disk), how long each row runs. */
#include "server/store/store.h"

#include <sqlite3.h>
#include <uv.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROOMS = 1000, BATCH_MAX = 512, OLD_ROOMS = 4000, OLD_EVENTS = 30 };

struct room {
    char id[STORE_ROOM_BYTES + 1], players[2][STORE_PLAYER_BYTES + 1];
    int64_t version;
};

struct bench {
    char path[512], url[544];
    double seconds;
    uint64_t random;
    struct room rooms[ROOMS];
};

/* What a move brings, in the bench's own memory. */
struct move {
    struct room *room;
    const char *player;
    char command[24], body[64];
};

static uint64_t draw(struct bench *bench)
{
    uint64_t value = (bench->random += UINT64_C(0x9e3779b97f4a7c15));
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static void stop(const char *words)
{
    fprintf(stderr, "store_bench: %s\n", words);
    exit(1);
}

static double processor_s(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static void start_anew(struct bench *bench)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-lock"};
    for (int i = 0; i < 4; i++) {
        char path[544];
        snprintf(path, sizeof path, "%s%s", bench->path, endings[i]);
        unlink(path);
    }
    bench->random = 1;
    for (int i = 0; i < ROOMS; i++) {
        struct room *room = &bench->rooms[i];
        room->version = 1;
        snprintf(room->id, sizeof room->id, "%08" PRIx32, (uint32_t)draw(bench));
        for (int k = 0; k < 2; k++)
            snprintf(room->players[k], sizeof room->players[k], "p_%016" PRIx64, draw(bench));
    }
}

static void draw_move(struct bench *bench, struct move *move)
{
    move->room = &bench->rooms[draw(bench) % ROOMS];
    int64_t version = ++move->room->version;
    move->player = move->room->players[version % 2];
    snprintf(move->command, sizeof move->command, "c-%" PRId64, version);
    snprintf(move->body, sizeof move->body, "{\"seat\":\"%s\",\"from\":\"%d_1\",\"to\":\"%d_3\"}",
             version % 2 ? "white" : "black", (int)version % 8, (int)version % 8);
}

struct result {
    uint64_t appends, batches;
    double seconds, processor_s, worst_ms;
};

static void print_result(const char *what, int size, const struct result *result)
{
    printf("%-38s %5d %10.0f %10.1f %12.1f %10.1f\n", what, size,
           (double)result->appends / result->seconds,
           result->processor_s * 1e6 / (double)result->appends,
           result->seconds * 1e6 / (double)result->batches, result->worst_ms);
    fflush(stdout);
}

/* Calls `batch` for so many seconds. */
static struct result measure(struct bench *bench, int size, void (*batch)(void *context, int size),
                             void *context)
{
    struct result result = {0};
    double processor_before = processor_s();
    uint64_t began = uv_hrtime(), now = began;
    while ((double)(now - began) < bench->seconds * 1e9) {
        uint64_t before = now;
        batch(context, size);
        now = uv_hrtime();
        double ms = (double)(now - before) / 1e6;
        if (ms > result.worst_ms)
            result.worst_ms = ms;
        result.appends += (uint64_t)size;
        result.batches++;
    }
    result.seconds = (double)(now - began) / 1e9;
    result.processor_s = processor_s() - processor_before;
    return result;
}

/* --- the store */

struct driven {
    struct bench *bench;
    struct store_driver *driver;
    struct move moves[BATCH_MAX];
    struct store_request requests[BATCH_MAX];
    struct store_answer answers[BATCH_MAX];
};

static struct store_request creation_of(const struct room *room)
{
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    request.writes[0] = (struct store_write){
        .room = {.id = room->id,
                 .game = "chess",
                 .title = "Chess",
                 .definition_hash = "beef",
                 .is_public = true,
                 .status = STORE_PLAYING,
                 .version = 1,
                 .players = "[\"white\",\"black\"]"},
        .definition = "{}",
        .event = {.version = 1,
                  .kind = "created",
                  .client = room->players[0],
                  .command = "c-1",
                  .body = "{}"},
    };
    return request;
}

static struct store_request append_of(const struct move *move)
{
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    request.writes[0] = (struct store_write){
        .status_stays = true,
        .room = {.id = move->room->id, .status = STORE_PLAYING, .version = move->room->version},
        .expected_version = move->room->version - 1,
        .epoch = 1,
        .event = {.version = move->room->version,
                  .at_ms = 1700000000000,
                  .kind = "moved",
                  .client = move->player,
                  .command = move->command,
                  .body = move->body},
    };
    return request;
}

static void perform(struct driven *driven, int size)
{
    store_sqlite.perform(driven->driver, driven->requests, size, driven->answers);
    for (int i = 0; i < size; i++) {
        if (driven->answers[i].status != STORE_OK)
            stop(driven->answers[i].words);
    }
    store_sqlite.keep_house(driven->driver);
}

static void drive(void *context, int size)
{
    struct driven *driven = context;
    for (int i = 0; i < size; i++) {
        draw_move(driven->bench, &driven->moves[i]);
        driven->requests[i] = append_of(&driven->moves[i]);
    }
    perform(driven, size);
}

static void run_driver(struct bench *bench, int size)
{
    static struct driven driven;
    char words[160];
    start_anew(bench);
    driven.bench = bench;
    driven.driver = store_sqlite.open(bench->url, words, sizeof words);
    if (driven.driver == NULL)
        stop(words);
    for (int i = 0; i < ROOMS; i++) {
        driven.requests[0] = creation_of(&bench->rooms[i]);
        perform(&driven, 1);
    }
    struct result result = measure(bench, size, drive, &driven);
    store_sqlite.close(driven.driver);
    print_result("store, driver", size, &result);
}

/* --- … while it is pruned, as server/core/housekeeping.c has it done: in a batch of moves one step, a survey or the removals
 * that come of it, and then a rest nine times as long */

enum { OLD_BATCH = 100, REST_PARTS = 9, REST_NS_MIN = 20000000 };

struct pruned {
    struct driven driven; /* first: what is driven is pruned */
    struct store_request requests[BATCH_MAX + STORE_SURVEY_ROOMS_MAX];
    struct store_answer answers[BATCH_MAX + STORE_SURVEY_ROOMS_MAX];
    char after[STORE_ROOM_BYTES + 1], expired[STORE_SURVEY_ROOMS_MAX][STORE_ROOM_BYTES + 1];
    int expired_count, removed;
    uint64_t rested_ns;
    bool over;
};

static void add_old_rooms(struct pruned *pruned)
{
    static struct room rooms[OLD_BATCH];
    static struct move moves[OLD_BATCH];
    struct driven *driven = &pruned->driven;
    for (int made = 0; made < OLD_ROOMS; made += OLD_BATCH)
        for (int event = 0; event < OLD_EVENTS; event++) {
            for (int i = 0; i < OLD_BATCH; i++) {
                struct room *room = &rooms[i];
                room->version = event + 1;
                snprintf(room->id, sizeof room->id, "%04x-old",
                         (unsigned)(made + i) * 40503 & 0xffff);
                memcpy(room->players[0], "p_old", sizeof "p_old");
                struct move *move = &moves[i];
                *move = (struct move){.room = room, .player = room->players[0], .body = "{}"};
                snprintf(move->command, sizeof move->command, "c-%d", event);
                driven->requests[i] = event == 0 ? creation_of(room) : append_of(move);
                driven->requests[i].writes[0].event.at_ms = 1;
                if (event == 0)
                    driven->requests[i].writes[0].event.command = room->id;
            }
            perform(driven, OLD_BATCH);
        }
}

static int add_step(struct pruned *pruned, struct store_request *requests)
{
    if (pruned->expired_count == 0) {
        requests[0] = (struct store_request){.ask = STORE_SURVEY,
                                             .room = pruned->after,
                                             .from = STORE_SURVEY_ROOMS_MAX,
                                             .to = 256,
                                             .retention = {.now_ms = 1000, .unfinished_ms = 500}};
        return 1;
    }
    for (int i = 0; i < pruned->expired_count; i++)
        requests[i] = (struct store_request){
            .ask = STORE_REMOVE, .room = pruned->expired[i], .from = OLD_EVENTS};
    return pruned->expired_count;
}

static void take_step(struct pruned *pruned, struct store_answer *answers, int count)
{
    const struct store_survey *survey = answers[0].survey;
    pruned->expired_count = 0;
    if (survey == NULL) {
        pruned->removed += count;
        return;
    }
    for (int i = 0; i < survey->expired_count; i++)
        snprintf(pruned->expired[pruned->expired_count++], sizeof pruned->expired[i], "%s",
                 survey->expired[i].room);
    snprintf(pruned->after, sizeof pruned->after, "%s", survey->next);
    pruned->over = survey->next[0] == '\0';
}

static void drive_and_prune(void *context, int size)
{
    struct pruned *pruned = context;
    struct driven *driven = &pruned->driven;
    uint64_t began_ns = uv_hrtime();
    bool steps = pruned->expired_count > 0 || (!pruned->over && began_ns >= pruned->rested_ns);
    for (int i = 0; i < size; i++) {
        draw_move(driven->bench, &driven->moves[i]);
        pruned->requests[i] = append_of(&driven->moves[i]);
    }
    int added = steps ? add_step(pruned, pruned->requests + size) : 0;
    store_sqlite.perform(driven->driver, pruned->requests, size + added, pruned->answers);
    for (int i = 0; i < size + added; i++)
        if (pruned->answers[i].status != STORE_OK)
            stop(pruned->answers[i].words);
    if (steps) {
        take_step(pruned, pruned->answers + size, added);
        uint64_t rest_ns = (uv_hrtime() - began_ns) * REST_PARTS;
        pruned->rested_ns = uv_hrtime() + (rest_ns < REST_NS_MIN ? REST_NS_MIN : rest_ns);
    }
    for (int i = size; i < size + added; i++)
        store_answer_release(&pruned->answers[i]);
    store_sqlite.keep_house(driven->driver);
}

static void run_pruned(struct bench *bench, int size)
{
    struct pruned *pruned = calloc(1, sizeof *pruned);
    struct driven *driven = pruned == NULL ? NULL : &pruned->driven;
    char words[160], what[64];
    start_anew(bench);
    if (driven == NULL)
        stop("out of memory");
    driven->bench = bench;
    driven->driver = store_sqlite.open(bench->url, words, sizeof words);
    if (driven->driver == NULL)
        stop(words);
    add_old_rooms(pruned);
    for (int i = 0; i < ROOMS; i++) {
        driven->requests[0] = creation_of(&bench->rooms[i]);
        driven->requests[0].writes[0].event.at_ms = 1000;
        perform(driven, 1);
    }
    store_sqlite.close(driven->driver); /* in peace: all is folded */
    driven->driver = store_sqlite.open(bench->url, words, sizeof words);
    if (driven->driver == NULL)
        stop(words);
    struct result result = measure(bench, size, drive_and_prune, pruned);
    store_sqlite.close(driven->driver);
    snprintf(what, sizeof what, "store, while %d old rooms go", pruned->removed);
    print_result(what, size, &result);
    free(pruned);
}

/* --- the worker: each answer asks the next */

struct asking {
    struct bench *bench;
    struct store *store;
    uint64_t answered, ends_ns;
    int under_way;
};

static void ask_move(struct asking *asking)
{
    struct move move;
    draw_move(asking->bench, &move);
    struct store_request request = append_of(&move);
    if (!store_ask(asking->store, &request))
        stop("the queue is full");
    asking->under_way++;
}

static void on_answer(void *context, struct store_answer *answer)
{
    struct asking *asking = context;
    if (answer->status != STORE_OK)
        stop(answer->words);
    store_answer_release(answer);
    asking->under_way--;
    asking->answered++;
    if (asking->ends_ns != 0 && uv_hrtime() < asking->ends_ns)
        ask_move(asking);
}

static void run_worker(struct bench *bench, int under_way)
{
    char words[160];
    uv_loop_t loop;
    struct asking asking = {.bench = bench};
    start_anew(bench);
    uv_loop_init(&loop);
    asking.store = store_open(bench->url, &loop, on_answer, &asking, words, sizeof words);
    if (asking.store == NULL)
        stop(words);
    for (int i = 0; i < ROOMS; i++) {
        struct store_request request = creation_of(&bench->rooms[i]);
        asking.under_way += store_ask(asking.store, &request);
    }
    while (asking.under_way > 0)
        uv_run(&loop, UV_RUN_ONCE);

    struct store_statistics before, after;
    store_read_statistics(asking.store, &before);
    asking.answered = 0;
    double processor_before = processor_s();
    uint64_t began = uv_hrtime();
    asking.ends_ns = began + (uint64_t)(bench->seconds * 1e9);
    for (int i = 0; i < under_way; i++)
        ask_move(&asking);
    while (asking.under_way > 0)
        uv_run(&loop, UV_RUN_ONCE);
    struct result result = {.appends = asking.answered,
                            .seconds = (double)(uv_hrtime() - began) / 1e9,
                            .processor_s = processor_s() - processor_before};
    store_read_statistics(asking.store, &after);
    result.batches = after.commits - before.commits;
    print_result("store, worker (under way)", under_way, &result);
    store_close(asking.store, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
}

/* --- bare SQLite */

struct bare {
    struct bench *bench;
    sqlite3 *database;
    sqlite3_stmt *begin, *commit, *fence, *insert;
};

static void execute(sqlite3 *database, const char *sql)
{
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        stop(sqlite3_errmsg(database));
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) !=
        SQLITE_OK)
        stop(sqlite3_errmsg(database));
    return statement;
}

static void step(struct bare *bare, sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        stop(sqlite3_errmsg(bare->database));
    sqlite3_reset(statement);
}

static void insert_batch(void *context, int size)
{
    struct bare *bare = context;
    step(bare, bare->begin);
    for (int i = 0; i < size; i++) {
        struct move move;
        draw_move(bare->bench, &move);
        sqlite3_bind_text(bare->fence, 1, move.room->id, -1, SQLITE_STATIC);
        sqlite3_bind_int64(bare->fence, 2, move.room->version - 1);
        step(bare, bare->fence);
        sqlite3_bind_text(bare->insert, 1, move.room->id, -1, SQLITE_STATIC);
        sqlite3_bind_int64(bare->insert, 2, move.room->version);
        sqlite3_bind_text(bare->insert, 3, move.player, -1, SQLITE_STATIC);
        sqlite3_bind_text(bare->insert, 4, move.command, -1, SQLITE_STATIC);
        sqlite3_bind_text(bare->insert, 5, "moved", -1, SQLITE_STATIC);
        sqlite3_bind_int64(bare->insert, 6, 1700000000000);
        sqlite3_bind_text(bare->insert, 7, move.body, -1, SQLITE_STATIC);
        step(bare, bare->insert);
        if (sqlite3_changes(bare->database) != 1)
            stop("a bare insert was refused");
    }
    step(bare, bare->commit);
}

static void run_bare(struct bench *bench, int size, bool indexed)
{
    struct bare bare = {.bench = bench};
    start_anew(bench);
    sqlite3_open(bench->path, &bare.database);
    execute(bare.database,
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;"
            "PRAGMA wal_autocheckpoint = 4096;"
            "CREATE TABLE room (id TEXT PRIMARY KEY, title TEXT, definition TEXT, version INTEGER,"
            " players TEXT) WITHOUT ROWID;"
            "CREATE TABLE event (room TEXT, version INTEGER, client TEXT, command TEXT, kind TEXT,"
            " at INTEGER, body TEXT, PRIMARY KEY (room, version)) WITHOUT ROWID; BEGIN");
    if (indexed)
        execute(bare.database, "CREATE UNIQUE INDEX once ON event (room, client, command)"
                               " WHERE command <> ''");
    sqlite3_stmt *room = prepare(bare.database, "INSERT INTO room VALUES (?1, 'Chess', ?2, 1, ?3)");
    for (int i = 0; i < ROOMS; i++) {
        sqlite3_bind_text(room, 1, bench->rooms[i].id, -1, SQLITE_STATIC);
        sqlite3_bind_text(room, 2, "beef", -1, SQLITE_STATIC);
        sqlite3_bind_text(room, 3, "[\"white\",\"black\"]", -1, SQLITE_STATIC);
        step(&bare, room);
    }
    sqlite3_finalize(room);
    execute(bare.database, "COMMIT");
    bare.begin = prepare(bare.database, "BEGIN IMMEDIATE");
    bare.commit = prepare(bare.database, "COMMIT");
    bare.fence = prepare(bare.database, "UPDATE room SET version = version + 1"
                                        " WHERE id = ?1 AND version = ?2");
    bare.insert = prepare(bare.database, "INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
                                         " ON CONFLICT DO NOTHING");
    struct result result = measure(bench, size, insert_batch, &bare);
    sqlite3_finalize(bare.begin);
    sqlite3_finalize(bare.commit);
    sqlite3_finalize(bare.fence);
    sqlite3_finalize(bare.insert);
    sqlite3_close(bare.database);
    print_result(indexed ? "bare SQLite, unique index" : "bare SQLite, commands not unique", size,
                 &result);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 8, 64, 512};
    static struct bench bench;
    snprintf(bench.path, sizeof bench.path, "%s/store_bench.db", argc > 1 ? argv[1] : "/tmp");
    snprintf(bench.url, sizeof bench.url, "sqlite:%s", bench.path);
    bench.seconds = argc > 2 ? strtod(argv[2], NULL) : 3;
    printf("%-38s %5s %10s %10s %12s %10s\n", "", "batch", "appends/s", "cpu us", "us a commit",
           "worst ms");
    for (int i = 0; i < 4; i++) {
        run_driver(&bench, sizes[i]);
        run_pruned(&bench, sizes[i]);
        run_bare(&bench, sizes[i], false);
        run_bare(&bench, sizes[i], true);
    }
    for (int i = 0; i < 4; i++)
        run_worker(&bench, sizes[i]);
    start_anew(&bench);
    return 0;
}
