/* What only SQLite's driver does: files, locks, schema, and an outside that fails. */
#include "tests/support/test.h"

#include "server/store/migrations.h"
#include "tests/server/store_support.h"

#include <sqlite3.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void set_up(struct store_bed *bed)
{
    store_bed_init(bed, &store_sqlite);
}

static void close_bed(struct store_bed *bed)
{
    store_sqlite.close(bed->driver);
    bed->driver = NULL;
}

static void expect_refused(const char *url, const char *words)
{
    char said[160] = "";
    struct store_driver *driver = store_sqlite.open(url, said, sizeof said);
    if (driver != NULL)
        store_sqlite.close(driver);
    assert_null(driver);
    if (strstr(said, words) == NULL)
        fail_msg("“%s” does not say “%s”", said, words);
}

/* As somebody with the sqlite3 program would: a connection of one's own. */
static sqlite3 *look_inside(const struct store_bed *bed)
{
    char path[256];
    sqlite3 *database;
    store_bed_path(bed, "senet.db", path, sizeof path);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    return database;
}

static void do_inside(const struct store_bed *bed, const char *sql)
{
    sqlite3 *database = look_inside(bed);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    sqlite3_close(database);
}

static int64_t number_inside(const struct store_bed *bed, const char *sql)
{
    sqlite3 *database = look_inside(bed);
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return number;
}

static void create_ok(struct store_bed *bed, const char *room)
{
    struct store_request request = store_creation(room, "p", room);
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static enum store_status move(struct store_bed *bed, const char *room, int64_t expected_version,
                              const char *command)
{
    struct store_request request = store_continuation(room, expected_version, "p", command, "{}");
    return store_do(bed, &request);
}

/* --- places ------------------------------------------------------------------------------------ */

static void makes_folders_and_keeps_others_out(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    char folder[128], url[256], words[160], path[256];
    store_bed_path(&bed, "one", folder, sizeof folder);
    snprintf(url, sizeof url, "sqlite://%s/two/three.db", folder);
    struct store_driver *driver = store_sqlite.open(url, words, sizeof words);
    assert_non_null(driver);
    struct stat facts;
    assert_int_equal(stat(folder, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0700);
    static const char *const files[] = {"three.db", "three.db-wal", "three.db-shm",
                                        "three.db-lock"};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/two/%s", folder, files[i]);
        assert_int_equal(stat(path, &facts), 0);
        assert_int_equal(facts.st_mode & 0777, 0600);
    }
    store_sqlite.close(driver);
    snprintf(path, sizeof path, "rm -r %s", folder);
    assert_int_equal(system(path), 0); // NOLINT(cert-env33-c): a path of our own making
    store_bed_release(&bed);
}

static void understands_relative_places(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    char before[4096], words[160];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(bed.folder), 0);
    struct store_driver *driver = store_sqlite.open("sqlite:relative.db", words, sizeof words);
    assert_non_null(driver);
    assert_int_equal(access("relative.db", F_OK), 0);
    store_sqlite.close(driver);
    assert_int_equal(chdir(before), 0);
    store_bed_release(&bed);
}

static void keeps_a_database_in_memory(void **state)
{
    (void)state;
    struct store_bed bed = {.table = &store_sqlite};
    bed.driver = store_sqlite.open("sqlite::memory:", bed.words, sizeof bed.words);
    assert_non_null(bed.driver);
    create_ok(&bed, "r");
    assert_int_equal(move(&bed, "r", 1, "c-1"), STORE_OK);
    assert_int_equal(store_version(&bed, "r"), 2);
    store_sqlite.close(bed.driver);
}

static void refuses_places_that_are_none(void **state)
{
    (void)state;
    expect_refused("sqlite:", "not a database's URL");
    expect_refused("sqlite://host/path.db", "not a database's URL");
    expect_refused("postgresql:///x", "not a database's URL");
    expect_refused("sqlite:///tmp/", "not a database's URL");
    expect_refused("sqlite:///dev/null/deep/x.db", "cannot make the folders");
    expect_refused("sqlite:///tmp", "cannot be opened");
}

/* --- one process ------------------------------------------------------------------------------- */

static void a_second_server_is_refused(void **state)
{
    (void)state;
    struct store_bed bed;
    char link_path[128], path[128], url[160], words[64];
    set_up(&bed);
    snprintf(words, sizeof words, "another server (process %ld) uses the database", (long)getpid());
    expect_refused(bed.url, words);
    store_bed_path(&bed, "senet.db", path, sizeof path);
    store_bed_path(&bed, "link.db", link_path, sizeof link_path);
    assert_int_equal(symlink(path, link_path), 0);
    snprintf(url, sizeof url, "sqlite://%s", link_path);
    expect_refused(url, words);
    /* The attempts did the first one no harm. */
    create_ok(&bed, "r");
    store_bed_reopen(&bed);
    assert_int_equal(store_version(&bed, "r"), 1);
    store_bed_release(&bed);
}

static void can_be_looked_at_while_it_runs(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    create_ok(&bed, "r");
    assert_int_equal(move(&bed, "r", 1, "c-1"), STORE_OK);
    assert_int_equal(number_inside(&bed, "SELECT count(*) FROM event"), 2);
    assert_int_equal(number_inside(&bed, "SELECT max(version) FROM event WHERE room = 'r'"), 2);
    assert_int_equal(move(&bed, "r", 2, "c-2"), STORE_OK);
    store_bed_release(&bed);
}

static void believes_what_others_changed(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    create_ok(&bed, "r");
    assert_int_equal(move(&bed, "r", 1, "c-1"), STORE_OK);
    assert_int_equal(move(&bed, "r", 2, "c-2"), STORE_OK);
    do_inside(&bed, "DELETE FROM recent_event WHERE version = 3");
    assert_int_equal(store_version(&bed, "r"), 2);
    assert_int_equal(move(&bed, "r", 3, "c-3"), STORE_CONFLICT);
    assert_int_equal(move(&bed, "r", 2, "c-2"), STORE_OK);
    assert_int_equal(store_version(&bed, "r"), 3);
    store_bed_release(&bed);
}

static void a_gap_in_the_log_is_a_failure(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    create_ok(&bed, "r");
    for (int version = 1; version < 5; version++) {
        char command[8];
        snprintf(command, sizeof command, "c-%d", version);
        assert_int_equal(move(&bed, "r", version, command), STORE_OK);
    }
    store_bed_reopen(&bed);
    do_inside(&bed, "DELETE FROM folded_event WHERE version = 3");
    struct store_request load = store_question(STORE_LOAD, "r", NULL);
    assert_int_equal(store_do(&bed, &load), STORE_FAILED);
    assert_string_equal(bed.words, "event 3 of room r is missing");
    store_bed_release(&bed);
}

/* --- schema ------------------------------------------------------------------------------------ */

static void starts_with_the_newest_schema(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    assert_int_equal(number_inside(&bed, "PRAGMA user_version"), sqlite_migration_count);
    assert_int_equal(number_inside(&bed, "PRAGMA application_id"), 0x53656e74);
    store_bed_release(&bed);
}

static void refuses_a_newer_schema(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    close_bed(&bed);
    do_inside(&bed, "PRAGMA user_version = 1000");
    expect_refused(bed.url, "written by a newer server (schema 1000, this one knows up to 9): "
                            "start that one, or restore");
    assert_int_equal(number_inside(&bed, "PRAGMA user_version"), 1000);
    store_bed_release(&bed);
}

static void refuses_another_programs_database(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    char path[128], url[160];
    store_bed_path(&bed, "other.db", path, sizeof path);
    snprintf(url, sizeof url, "sqlite://%s", path);
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "CREATE TABLE t (x)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    size_t before_length, after_length;
    char *before = test_read_file(path, &before_length);
    expect_refused(url, "another program's database");
    char *after = test_read_file(path, &after_length);
    assert_int_equal(before_length, after_length);
    assert_memory_equal(before, after, before_length);
    free(before);
    free(after);
    store_bed_release(&bed);
}

/* --- damage ------------------------------------------------------------------------------------ */

static void overwrite(const struct store_bed *bed, off_t at, size_t length)
{
    char path[128];
    store_bed_path(bed, "senet.db", path, sizeof path);
    int file = open(path, O_WRONLY);
    assert_true(file >= 0);
    for (size_t i = 0; i < length; i++)
        assert_int_equal(pwrite(file, "#", 1, at + (off_t)i), 1);
    close(file);
}

static void refuses_a_file_that_is_no_database(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    close_bed(&bed);
    overwrite(&bed, 0, 8192);
    expect_refused(bed.url, "is damaged or not a database");
    store_bed_release(&bed);
}

static void refuses_a_file_cut_short(void **state)
{
    (void)state;
    struct store_bed bed;
    char path[128];
    set_up(&bed);
    create_ok(&bed, "r");
    close_bed(&bed);
    store_bed_path(&bed, "senet.db", path, sizeof path);
    assert_int_equal(truncate(path, (off_t)3 * 4096), 0);
    expect_refused(bed.url, "is damaged or not a database");
    store_bed_release(&bed);
}

static void damage_inside_is_a_failure_with_words(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    create_ok(&bed, "r");
    close_bed(&bed);
    int64_t page = number_inside(&bed, "SELECT rootpage FROM sqlite_schema WHERE name = 'room'");
    overwrite(&bed, (off_t)(page - 1) * 4096, 4096);
    store_bed_reopen(&bed);
    struct store_request load = store_question(STORE_LOAD, "r", NULL);
    assert_int_equal(store_do(&bed, &load), STORE_FAILED);
    assert_non_null(strstr(bed.words, "malformed"));
    assert_int_equal(move(&bed, "r", 1, "c"), STORE_FAILED);
    store_bed_release(&bed);
}

/* --- an outside that fails --------------------------------------------------------------------- */

/* Files may not grow beyond `bytes`: to the database this is an error of the disk. Nothing may be printed meanwhile. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* One batch: an append, a read of its room, the same append again, an append elsewhere. */
static void perform_mixed(struct store_bed *bed, struct store_answer answers[4])
{
    struct store_request requests[4] = {
        store_continuation("r", 2, "p", "c-2", "{}"),
        store_question(STORE_LOAD, "r", NULL),
        store_continuation("r", 2, "p", "c-2", "{}"),
        store_creation("new", "p", "new"),
    };
    store_sqlite.perform(bed->driver, requests, 4, answers);
}

static void a_failing_disk_loses_nothing_and_heals(void **state)
{
    (void)state;
    struct store_bed bed;
    struct store_answer answers[4], later[4];
    set_up(&bed);
    create_ok(&bed, "r");
    assert_int_equal(move(&bed, "r", 1, "c-1"), STORE_OK);

    limit_files(4096);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; i > 0 && k < 4; k++)
            store_answer_release(&answers[k]);
        perform_mixed(&bed, answers);
        store_sqlite.keep_house(bed.driver);
    }
    limit_files(RLIM_INFINITY);
    assert_int_equal(answers[0].status, STORE_FAILED);
    assert_int_equal(answers[1].status, STORE_OK);
    assert_int_equal(answers[2].status, STORE_FAILED);
    assert_int_equal(answers[3].status, STORE_FAILED);
    assert_non_null(strstr(answers[0].words, "I/O error"));
    /* The read saw only what is durable. */
    assert_int_equal(answers[1].event_count, 2);

    perform_mixed(&bed, later);
    assert_int_equal(later[0].status, STORE_OK);
    assert_int_equal(later[1].event_count, 3);
    assert_int_equal(later[2].status, STORE_DUPLICATE);
    assert_int_equal(later[3].status, STORE_OK);
    store_bed_reopen(&bed);
    assert_int_equal(store_version(&bed, "r"), 3);
    assert_int_equal(store_version(&bed, "new"), 1);
    for (int k = 0; k < 4; k++) {
        store_answer_release(&answers[k]);
        store_answer_release(&later[k]);
    }
    store_bed_release(&bed);
}

/* The limit falls on every size in turn, so that folding and writing back fail as well, each wherever it may. */
static void fails_anywhere_and_heals(void **state)
{
    (void)state;
    enum { EVENTS = 24000, BATCH = 100 };
    static struct store_request requests[BATCH];
    static struct store_answer answers[BATCH];
    static char commands[BATCH][16], body[400];
    struct store_bed bed;
    memset(body, 'x', sizeof body - 1); /* large enough that the log is written back a few times */
    set_up(&bed);
    create_ok(&bed, "r");
    int64_t version = 1, failures = 0;
    uint64_t random = 5;
    while (version < EVENTS) {
        for (int i = 0; i < BATCH; i++) {
            snprintf(commands[i], sizeof commands[i], "c-%d", (int)version + i);
            requests[i] = store_continuation("r", version + i, "p", commands[i], body);
        }
        bool limited = test_random(&random) % 3 == 0;
        if (limited)
            limit_files((rlim_t)1 << (10 + test_random(&random) % 15));
        store_sqlite.perform(bed.driver, requests, BATCH, answers);
        store_sqlite.keep_house(bed.driver);
        limit_files(RLIM_INFINITY);
        for (int i = 1; i < BATCH; i++)
            assert_int_equal(answers[i].status, answers[0].status);
        if (answers[0].status == STORE_OK)
            version += BATCH;
        else
            assert_true(limited);
        failures += answers[0].status == STORE_FAILED;
    }
    assert_true(failures > 10);
    assert_int_equal(store_version(&bed, "r"), version);
    store_bed_reopen(&bed);
    assert_int_equal(store_version(&bed, "r"), version);
    assert_int_equal(number_inside(&bed, "SELECT count(DISTINCT command) FROM event"), version);
    store_bed_release(&bed);
}

static void waits_for_somebody_with_a_shell(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    create_ok(&bed, "r");
    sqlite3 *database = look_inside(&bed);
    assert_int_equal(sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(move(&bed, "r", 1, "c-1"), STORE_FAILED);
    assert_non_null(strstr(bed.words, "locked"));
    assert_int_equal(store_version(&bed, "r"), 1);
    assert_int_equal(sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    assert_int_equal(move(&bed, "r", 1, "c-1"), STORE_OK);
    store_bed_release(&bed);
}

static void what_the_schema_refuses_spoils_only_its_request(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    create_ok(&bed, "r");
    /* A room's row that stands in the way where only the events are gone. */
    do_inside(&bed, "INSERT INTO folded_event (room, version, client, command, kind, at, body)"
                    " VALUES ('ghost', 1, '', '', 'created', 0, '{}')");
    struct store_request requests[] = {
        store_continuation("r", 1, "p", "c-1", "{}"),
        store_creation("ghost", "p", "c-2"),
        store_continuation("r", 2, "p", "c-3", "{}"),
    };
    struct store_answer answers[3];
    store_sqlite.perform(bed.driver, requests, 3, answers);
    assert_int_equal(answers[0].status, STORE_OK);
    assert_int_equal(answers[1].status, STORE_FAILED);
    assert_non_null(strstr(answers[1].words, "UNIQUE"));
    assert_int_equal(answers[2].status, STORE_OK);
    assert_int_equal(number_inside(&bed, "SELECT count(*) FROM room WHERE id = 'ghost'"), 0);

    store_bed_reopen(&bed);
    do_inside(&bed,
              "CREATE TRIGGER full BEFORE INSERT ON seat BEGIN SELECT RAISE(ABORT, 'full'); END");
    struct store_request join = store_continuation("r", 3, "p", "c-4", "{}");
    join.writes[0].seats_changed = true;
    join.writes[0].room.seat_count = 1;
    assert_int_equal(store_do(&bed, &join), STORE_FAILED);
    assert_int_equal(number_inside(&bed, "SELECT count(*) FROM recent_event"), 0);
    store_bed_reopen(&bed);
    assert_int_equal(store_version(&bed, "r"), 3);
    store_bed_release(&bed);
}

static void stores_a_definition_once(void **state)
{
    (void)state;
    struct store_bed bed;
    set_up(&bed);
    create_ok(&bed, "a");
    create_ok(&bed, "b");
    assert_int_equal(number_inside(&bed, "SELECT count(*) FROM definition"), 1);
    store_bed_release(&bed);
}

static void leaves_one_file_after_peace(void **state)
{
    (void)state;
    struct store_bed bed;
    char path[128];
    set_up(&bed);
    create_ok(&bed, "r");
    assert_int_equal(move(&bed, "r", 1, "c-1"), STORE_OK);
    close_bed(&bed);
    store_bed_path(&bed, "senet.db-wal", path, sizeof path);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(number_inside(&bed, "SELECT count(*) FROM recent_event"), 0);
    assert_int_equal(number_inside(&bed, "SELECT count(*) FROM folded_event"), 2);
    store_bed_release(&bed);
}

/* What another one is writing would be gone, and the other one fail as well. */
static void a_copy_under_way_is_left_alone(void **state)
{
    (void)state;
    struct store_bed bed;
    char copy[128], partial[128];
    set_up(&bed);
    create_ok(&bed, "r");
    store_bed_path(&bed, "copy.db", copy, sizeof copy);
    store_bed_path(&bed, "copy.db-partial", partial, sizeof partial);
    close(open(partial, O_WRONLY | O_CREAT | O_EXCL, 0600));
    assert_false(store_backup(bed.url, copy, bed.words, sizeof bed.words));
    assert_non_null(strstr(bed.words, "copy.db-partial exists: "));
    assert_int_equal(access(copy, F_OK), -1);
    assert_int_equal(unlink(partial), 0);
    assert_true(store_backup(bed.url, copy, bed.words, sizeof bed.words));
    assert_int_equal(access(partial, F_OK), -1);
    assert_int_equal(unlink(copy), 0);
    store_bed_release(&bed);
}

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        {"missing folders are made, and only the owner may look", makes_folders_and_keeps_others_out, NULL, NULL, NULL},
        {"a relative place is relative", understands_relative_places, NULL, NULL, NULL},
        {"a database may live in memory", keeps_a_database_in_memory, NULL, NULL, NULL},
        {"a place that is none is refused with words", refuses_places_that_are_none, NULL, NULL, NULL},
        {"a second server on the same file is refused with words", a_second_server_is_refused, NULL, NULL, NULL},
        {"others may look at the database while it is used", can_be_looked_at_while_it_runs, NULL, NULL, NULL},
        {"what others changed is noticed", believes_what_others_changed, NULL, NULL, NULL},
        {"a gap in the log is a failure with words", a_gap_in_the_log_is_a_failure, NULL, NULL, NULL},
        {"an empty file gets the newest schema", starts_with_the_newest_schema, NULL, NULL, NULL},
        {"a newer schema is refused and left alone", refuses_a_newer_schema, NULL, NULL, NULL},
        {"another program's database is refused and left alone", refuses_another_programs_database, NULL, NULL, NULL},
        {"a file that is no database is refused with words", refuses_a_file_that_is_no_database, NULL, NULL, NULL},
        {"a file cut short is refused with words", refuses_a_file_cut_short, NULL, NULL, NULL},
        {"damage inside is a failure with words", damage_inside_is_a_failure_with_words, NULL, NULL, NULL},
        {"a failing disk fails the appends, not the reads, and heals", a_failing_disk_loses_nothing_and_heals, NULL, NULL, NULL},
        {"the disk may fail anywhere", fails_anywhere_and_heals, NULL, NULL, NULL},
        {"a database held by a shell is waited for, then given up", waits_for_somebody_with_a_shell, NULL, NULL, NULL},
        {"what the schema refuses spoils only its own request", what_the_schema_refuses_spoils_only_its_request, NULL, NULL, NULL},
        {"a definition is stored once", stores_a_definition_once, NULL, NULL, NULL},
        {"a copy that another one is making is left alone", a_copy_under_way_is_left_alone, NULL, NULL, NULL},
        {"a server that ends in peace leaves one folded file", leaves_one_file_after_peace, NULL, NULL, NULL},
    };
    /* clang-format on */
    return cmocka_run_group_tests_name("store on SQLite", tests, NULL, NULL);
}
