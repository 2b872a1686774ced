#include "server/store/postgres_pipeline.h"

#include "server/store/postgres_append.h"
#include "server/store/postgres_connection.h"

/* An append that is one statement, and so can travel with others. */
static bool is_plain(const struct store_request *request)
{
    return request->ask == STORE_APPEND && request->write_count == 1 &&
           request->writes[0].expected_version > 0 && !request->writes[0].seats_changed;
}

int postgres_pipeline_length(const struct store_request *requests, int from, int count)
{
    int end = from;
    while (end < count && is_plain(&requests[end]))
        end++;
    return end - from;
}

static bool send_plain(struct store_driver *driver, const struct store_request *request)
{
    struct postgres_parameters parameters = {0};
    postgres_append_put(&parameters, &request->writes[0]);
    return postgres_send(driver, APPEND, &parameters);
}

static bool send_words(struct store_driver *driver, const char *sql)
{
    if (PQsendQueryParams(driver->connection, sql, 0, NULL, NULL, NULL, NULL, 0) == 1)
        return true;
    postgres_note(driver);
    return false;
}

/* The next result of a pipeline; each statement's ends with a NULL. */
static bool receive(struct store_driver *driver, struct store_answer *answer)
{
    PGresult *result = PQgetResult(driver->connection);
    ExecStatusType status = PQresultStatus(result);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (good && answer != NULL)
        answer->status = postgres_append_judge(result, answer);
    if (!good && status != PGRES_PIPELINE_ABORTED)
        postgres_note(driver);
    PQclear(result);
    if (result != NULL)
        PQclear(PQgetResult(driver->connection));
    return good;
}

static bool receive_sync(struct store_driver *driver)
{
    PGresult *result = PQgetResult(driver->connection);
    bool good = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
    PQclear(result);
    return good;
}

bool postgres_pipeline_perform(struct store_driver *driver, const struct store_request *requests,
                               int count, struct store_answer *answers, bool first, bool last)
{
    bool good = PQenterPipelineMode(driver->connection) == 1;
    if (!good)
        return false;
    good = !first || send_words(driver, "BEGIN");
    for (int i = 0; i < count && good; i++)
        good = send_plain(driver, &requests[i]);
    good =
        good && (!last || send_words(driver, "COMMIT")) && PQpipelineSync(driver->connection) == 1;
    if (!good || !postgres_is_alive(driver)) {
        postgres_disconnect(driver);
        return false;
    }
    if (first)
        good = receive(driver, NULL);
    for (int i = 0; i < count; i++)
        good = receive(driver, &answers[i]) && good;
    if (last)
        good = receive(driver, NULL) && good;
    if (!receive_sync(driver) || PQexitPipelineMode(driver->connection) != 1) {
        postgres_disconnect(driver);
        return false;
    }
    return good;
}
