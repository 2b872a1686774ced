#include "server/store/postgres_schema.h"

#include "server/store/migrations.h"
#include "server/store/postgres_connection.h"
#include "server/store/postgres_statements.h"

#include <stdio.h>

enum {
    MIGRATION_LOCK = 0x53656e74,
    MIGRATION_MS = 3600000, /* of a large database one may take its time */
};

static bool read_number(struct store_driver *driver, const char *sql, int64_t *number)
{
    PGresult *result = postgres_receive_last(driver, PQsendQuery(driver->connection, sql));
    bool read = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1;
    if (read)
        *number = postgres_number_at(result, 0, 0);
    else
        postgres_note(driver);
    PQclear(result);
    return read;
}

static bool apply_migrations(struct store_driver *driver, int64_t from)
{
    char sql[64];
    if (from < postgres_migration_count) {
        driver->answer_ms = MIGRATION_MS;
        if (!postgres_execute(driver, "SET LOCAL statement_timeout = 0"))
            return false;
    }
    for (int64_t i = from; i < postgres_migration_count; i++) {
        if (!postgres_execute(driver, postgres_migrations[i].sql))
            return false;
    }
    snprintf(sql, sizeof sql, "UPDATE senet_schema SET version = %d", postgres_migration_count);
    return postgres_execute(driver, sql);
}

static bool migrate(struct store_driver *driver)
{
    int64_t version = 0;
    char lock[64];
    snprintf(lock, sizeof lock, "SELECT pg_advisory_xact_lock(%d)", (int)MIGRATION_LOCK);
    if (!postgres_execute(driver, "BEGIN") || !postgres_execute(driver, lock) ||
        !postgres_execute(driver,
                          "CREATE TABLE IF NOT EXISTS senet_schema (version integer NOT NULL)") ||
        !postgres_execute(
            driver,
            "INSERT INTO senet_schema SELECT 0 WHERE NOT EXISTS (SELECT FROM senet_schema)") ||
        !read_number(driver, "SELECT version FROM senet_schema", &version))
        return false;
    if (version > postgres_migration_count) {
        driver_say_newer(driver->words, sizeof driver->words, "it", version,
                         postgres_migration_count);
        return false;
    }
    return apply_migrations(driver, version) && postgres_execute(driver, "COMMIT");
}

bool postgres_migrate(struct store_driver *driver)
{
    int answer_ms = driver->answer_ms;
    bool done = migrate(driver);
    driver->answer_ms = answer_ms;
    return done;
}
