#include "server/store/postgres_connection.h"

#include "server/store/postgres_statements.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void postgres_say(char *words, size_t size, const char *what, const char *message)
{
    int length = (int)strcspn(message, "\n");
    snprintf(words, size, "%s%.*s", what, length, message);
}

void postgres_note(struct store_driver *driver)
{
    postgres_say(driver->words, sizeof driver->words, "",
                 driver->silent ? "the database does not answer"
                                : PQerrorMessage(driver->connection));
}

enum store_status postgres_out_of_memory(struct store_driver *driver)
{
    driver_say_no_memory(driver->words, sizeof driver->words);
    return STORE_FAILED;
}

bool postgres_is_alive(const struct store_driver *driver)
{
    return driver->connection != NULL && PQstatus(driver->connection) == CONNECTION_OK;
}

void postgres_disconnect(struct store_driver *driver)
{
    PQfinish(driver->connection);
    driver->connection = NULL;
}

static void be_quiet(void *context, const char *message)
{
    (void)context;
    (void)message;
}

bool postgres_execute(struct store_driver *driver, const char *sql)
{
    PGresult *result = postgres_receive_last(driver, PQsendQuery(driver->connection, sql));
    ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return true;
    postgres_note(driver);
    return false;
}

bool postgres_commit(struct store_driver *driver)
{
    PGresult *result = postgres_receive_last(driver, PQsendQuery(driver->connection, "COMMIT"));
    bool answered = PQresultStatus(result) == PGRES_COMMAND_OK;
    bool committed = answered && strcmp(PQcmdStatus(result), "COMMIT") == 0;
    PQclear(result);
    if (answered && !committed)
        postgres_say(driver->words, sizeof driver->words, "", "the transaction was given up");
    else if (!committed)
        postgres_note(driver);
    return committed;
}

/* What the URL does not say itself is set here: of what is said twice libpq takes the last. */
bool postgres_dial(struct store_driver *driver)
{
    static const char *const keys[] = {
        "application_name", "connect_timeout",     "keepalives_idle", "keepalives_count",
        "tcp_user_timeout", "keepalives_interval", "dbname",          NULL};
    const char *const values[] = {"senet", "3", "5", "2", "5000", "2", driver->url, NULL};
    postgres_disconnect(driver);
    driver->silent = false;
    driver->connection = PQconnectdbParams(keys, values, 1);
    if (driver->connection == NULL) {
        postgres_out_of_memory(driver);
        return false;
    }
    if (PQstatus(driver->connection) != CONNECTION_OK) {
        postgres_note(driver);
        return false;
    }
    if (PQsetnonblocking(driver->connection, 1) != 0) {
        postgres_note(driver);
        return false;
    }
    PQsetNoticeProcessor(driver->connection, be_quiet, NULL);
    /* A commit is acknowledged when it is on disk, whatever the server's own setting says. All that is asked is a few
     * rows by their keys: of tables that are young or grow quickly the planner believes otherwise. A server that is stopped in
     * the middle of a transaction keeps others from its rooms no longer than that. */
    return postgres_execute(driver, "SET synchronous_commit = on; SET lock_timeout = '5s';"
                                    "SET statement_timeout = '10s';"
                                    "SET idle_in_transaction_session_timeout = '2s';"
                                    "SET client_encoding = 'UTF8';"
                                    "SET plan_cache_mode = force_generic_plan;"
                                    "SET enable_seqscan = off; SET enable_hashjoin = off;"
                                    "SET enable_mergejoin = off; SET jit = off");
}

bool postgres_reconnect(struct store_driver *driver, int64_t deadline_ms)
{
    while (!postgres_is_over(driver)) {
        if (postgres_dial(driver) && postgres_prepare(driver))
            return true;
        postgres_disconnect(driver);
        if (postgres_now_ms() >= deadline_ms)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = POSTGRES_RETRY_MS * 1000000L}, NULL);
    }
    return false;
}
