#include "server/store/sqlite_open.h"

#include "server/store/migrations.h"
#include "server/store/sqlite_rooms.h"
#include "server/store/sqlite_transaction.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    APPLICATION_ID = 0x53656e74, /* "Sent" */
    BUSY_MS_MAX = 5000,          /* somebody with a shell may hold the database for a moment */
    CACHE_KIB = 65536,
    WAL_BYTES_KEPT = 64 * 1024 * 1024, /* a WAL that grew beyond this is cut back */
};

static int count_wal_pages(void *context, sqlite3 *database, const char *name, int pages)
{
    (void)database;
    (void)name;
    struct store_driver *driver = context;
    driver->wal_pages = pages;
    return SQLITE_OK;
}

/* What is said when opening fails: the file, then SQLite's words. */
static void say_failure(const struct store_driver *driver, char *words, size_t words_size)
{
    int code = driver->database == NULL ? SQLITE_NOMEM : sqlite3_errcode(driver->database);
    const char *what = code == SQLITE_NOTADB || code == SQLITE_CORRUPT
                           ? "is damaged or not a database"
                           : "cannot be opened";
    snprintf(words, words_size, "%.80s %s: %s", driver->file.path, what,
             driver->database == NULL ? "out of memory" : sqlite3_errmsg(driver->database));
}

static bool read_number(struct store_driver *driver, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(driver->database, sql, -1, &statement, NULL) != SQLITE_OK)
        return false;
    bool read = sqlite3_step(statement) == SQLITE_ROW;
    if (read)
        *number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return read;
}

static bool execute(struct store_driver *driver, const char *sql)
{
    return sqlite3_exec(driver->database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* Changes nothing: what is not ours stays as it is. */
static bool recognise(struct store_driver *driver, int64_t *version, char *words, size_t words_size)
{
    int64_t application, objects;
    if (!read_number(driver, "PRAGMA application_id", &application) ||
        !read_number(driver, "PRAGMA user_version", version) ||
        !read_number(driver, "SELECT count(*) FROM sqlite_schema", &objects)) {
        say_failure(driver, words, words_size);
        return false;
    }
    bool empty = application == 0 && *version == 0 && objects == 0;
    if (!empty && application != APPLICATION_ID) {
        snprintf(words, words_size, "%.100s is another program's database", driver->file.path);
        return false;
    }
    if (*version > sqlite_migration_count) {
        driver_say_newer(words, words_size, driver->file.path, *version, sqlite_migration_count);
        return false;
    }
    return true;
}

/* One transaction: a server that is killed in the middle leaves the older schema. */
static bool migrate(struct store_driver *driver, int64_t from)
{
    if (from == sqlite_migration_count)
        return true;
    if (!execute(driver, "BEGIN IMMEDIATE"))
        return false;
    for (int64_t i = from; i < sqlite_migration_count; i++) {
        if (!execute(driver, sqlite_migrations[i].sql))
            return false;
    }
    char sql[96];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
             (int)APPLICATION_ID, sqlite_migration_count);
    return execute(driver, sql);
}

static bool settle(struct store_driver *driver)
{
    char settings[320];
    snprintf(settings, sizeof settings,
             "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -%d;"
             "PRAGMA journal_size_limit = %d; PRAGMA temp_store = MEMORY;"
             "PRAGMA secure_delete = OFF; PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF",
             (int)CACHE_KIB, (int)WAL_BYTES_KEPT);
    if (!execute(driver, settings))
        return false;
    sqlite3_wal_hook(driver->database, count_wal_pages, driver);
    return true;
}

/* What the last server left in the WAL can be read, and yet need not be on disk: a sync that failed is forgotten by the
 * kernel, and the pages pass for written. So it is written into the database and synced there, and the WAL begins
 * anew, before anything is built on it or told of it. */
static bool adopt_log(struct store_driver *driver)
{
    return sqlite3_wal_checkpoint_v2(driver->database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL,
                                     NULL) == SQLITE_OK;
}

bool sqlite_open_database(struct store_driver *driver, char *words, size_t words_size)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int64_t version = 0;
    bool open = sqlite3_open_v2(driver->file.path, &driver->database, flags, NULL) == SQLITE_OK &&
                sqlite3_busy_timeout(driver->database, BUSY_MS_MAX) == SQLITE_OK;
    if (open && !recognise(driver, &version, words, words_size))
        return false;
    if (open && settle(driver) && adopt_log(driver) && migrate(driver, version) &&
        sqlite_rooms_define(driver) && sqlite_prepare(driver) &&
        execute(driver, "DELETE FROM node") && sqlite_transaction_begin(driver, false) &&
        sqlite_transaction_commit(driver))
        return true;
    say_failure(driver, words, words_size);
    return false;
}

/* Nothing is repaired here, and nothing of a server's is touched. */
bool sqlite_open_beside(struct store_driver *driver, char *words, size_t words_size)
{
    int64_t version = 0;
    bool open = sqlite3_open_v2(driver->file.path, &driver->database,
                                SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
                sqlite3_busy_timeout(driver->database, BUSY_MS_MAX) == SQLITE_OK;
    if (open && !recognise(driver, &version, words, words_size))
        return false;
    if (open && version != sqlite_migration_count) {
        snprintf(words, words_size,
                 "%.60s is of an older schema (%" PRId64 "): start this version's server first",
                 driver->file.path, version);
        return false;
    }
    if (open &&
        execute(driver, "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;"
                        "PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF") &&
        sqlite_rooms_define(driver) && sqlite_prepare(driver))
        return true;
    say_failure(driver, words, words_size);
    return false;
}
