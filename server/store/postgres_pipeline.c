#include "server/store/postgres_pipeline.h"

#include "server/store/postgres_append.h"
#include "server/store/postgres_arrays.h"
#include "server/store/postgres_connection.h"

#include <assert.h>
#include <string.h>

enum {
    TOGETHER_MIN = 4,            /* fewer are quicker one by one */
    ROOMS = 2 * STORE_BATCH_MAX, /* places of the set of rooms; a power of two */
};

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

/* --- one statement of several appends --------------------------------------------------------- */

static size_t place_of(const char *room)
{
    uint32_t hash = 2166136261;
    while (*room != '\0')
        hash = (hash ^ (unsigned char)*room++) * 16777619;
    return hash % ROOMS;
}

/* False when the room is there already. */
static bool add_room(const char **rooms, const char *room)
{
    size_t place = place_of(room);
    while (rooms[place] != NULL && strcmp(rooms[place], room) != 0)
        place = (place + 1) % ROOMS;
    bool is_new = rooms[place] == NULL;
    rooms[place] = room;
    return is_new;
}

/* How many of the appends the next statement is for: each in another room, whose status stays, or one. */
static int statement_length(const struct store_request *requests, int count)
{
    const char *rooms[ROOMS] = {NULL};
    int length = 0;
    assert(count <= STORE_BATCH_MAX);
    while (length < count && requests[length].writes[0].status_stays &&
           add_room(rooms, requests[length].writes[0].room.id))
        length++;
    return length < TOGETHER_MIN ? 1 : length;
}

enum column { ID, EXPECTED, EPOCH, AT, KIND, CLIENT, COMMAND, BODY, COLUMN_COUNT };

static void begin_columns(struct postgres_array *columns, int count)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        bool is_number = i == EXPECTED || i == EPOCH || i == AT;
        postgres_array_begin(&columns[i], is_number ? POSTGRES_INT8 : POSTGRES_TEXT, count);
    }
}

static void add_row(struct postgres_array *columns, const struct store_write *write)
{
    postgres_array_add_text(&columns[ID], write->room.id);
    postgres_array_add_number(&columns[EXPECTED], write->expected_version);
    postgres_array_add_number(&columns[EPOCH], write->epoch);
    postgres_array_add_number(&columns[AT], write->event.at_ms);
    postgres_array_add_text(&columns[KIND], write->event.kind);
    postgres_array_add_text(&columns[CLIENT], write->event.client);
    postgres_array_add_text(&columns[COMMAND], write->event.command);
    postgres_array_add_text(&columns[BODY], write->event.body);
}

static bool send_together(struct store_driver *driver, const struct store_request *requests,
                          int count)
{
    struct postgres_array columns[COLUMN_COUNT];
    begin_columns(columns, count);
    for (int i = 0; i < count; i++)
        add_row(columns, &requests[i].writes[0]);
    bool sent = postgres_send_arrays(driver, driver->by_itself ? APPEND_ALL : APPEND_ALL_IF_FREE,
                                     columns, COLUMN_COUNT);
    for (int i = 0; i < COLUMN_COUNT; i++)
        postgres_array_release(&columns[i]);
    return sent;
}

static bool send_plain(struct store_driver *driver, const struct store_request *request)
{
    struct postgres_parameters parameters = {0};
    postgres_append_put(&parameters, &request->writes[0]);
    return postgres_send(driver, postgres_append_statement(driver), &parameters);
}

static bool send_words(struct store_driver *driver, const char *sql)
{
    if (PQsendQueryParams(driver->connection, sql, 0, NULL, NULL, NULL, NULL, 0) == 1)
        return true;
    postgres_note(driver);
    return false;
}

static bool send_all(struct store_driver *driver, const struct store_request *requests, int count)
{
    bool good = true;
    for (int i = 0, length; i < count && good; i += length) {
        length = statement_length(requests + i, count - i);
        good = length == 1 ? send_plain(driver, &requests[i])
                           : send_together(driver, requests + i, length);
    }
    return good;
}

/* --- what comes back -------------------------------------------------------------------------- */

/* One row says what became of one append; of several only those that were not written are named. */
static void judge(const PGresult *result, struct store_answer *answers, int count)
{
    if (count == 1)
        answers[0].status = postgres_append_judge(result, 0, &answers[0]);
    for (int row = 0; row < PQntuples(result) && count > 1; row++) {
        int64_t number = postgres_number_at(result, row, POSTGRES_APPENDED_NUMBER);
        assert(number >= 1 && number <= count);
        struct store_answer *answer = &answers[number - 1];
        answer->status = postgres_append_judge(result, row, answer);
    }
}

/* The next result of a pipeline, which is for `count` appends; each statement's ends with a NULL. */
static bool receive(struct store_driver *driver, struct store_answer *answers, int count)
{
    PGresult *result = postgres_receive(driver);
    ExecStatusType status = PQresultStatus(result);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (good)
        judge(result, answers, count);
    if (!good && status != PGRES_PIPELINE_ABORTED)
        postgres_note(driver);
    PQclear(result);
    if (result != NULL)
        PQclear(postgres_receive(driver));
    return good;
}

static bool receive_all(struct store_driver *driver, const struct store_request *requests,
                        int count, struct store_answer *answers)
{
    bool good = true;
    for (int i = 0, length; i < count; i += length) {
        length = statement_length(requests + i, count - i);
        good = receive(driver, answers + i, length) && good;
    }
    return good;
}

static bool receive_sync(struct store_driver *driver)
{
    PGresult *result = postgres_receive(driver);
    bool good = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
    PQclear(result);
    return good;
}

bool postgres_pipeline_perform(struct store_driver *driver, const struct store_request *requests,
                               int count, struct store_answer *answers, bool first, bool last)
{
    bool alone = first && last && statement_length(requests, count) == count;
    bool begin = first && !alone, commit = last && !alone;
    if (PQenterPipelineMode(driver->connection) != 1)
        return false;
    bool good = (!begin || send_words(driver, "BEGIN")) && send_all(driver, requests, count) &&
                (!commit || send_words(driver, "COMMIT")) &&
                PQpipelineSync(driver->connection) == 1;
    if (!good || !postgres_is_alive(driver)) {
        postgres_disconnect(driver);
        return false;
    }
    if (begin)
        good = receive(driver, NULL, 0);
    good = receive_all(driver, requests, count, answers) && good;
    if (commit)
        good = receive(driver, NULL, 0) && good;
    if (!receive_sync(driver) || PQexitPipelineMode(driver->connection) != 1) {
        postgres_disconnect(driver);
        return false;
    }
    return good;
}
