/* The store on PostgreSQL: several servers, one truth.
 *
 * A batch is one transaction. A connection that dies inside COMMIT leaves a question, and the answer is looked up, never
 * assumed: the batch is asked again on a new connection, and an append that the database calls a duplicate of itself was
 * committed. Only if it cannot be found out in WAIT_MS is the answer STORE_UNKNOWN. */
#include "server/store/postgres_append.h"
#include "server/store/postgres_connection.h"
#include "server/store/postgres_driver.h"
#include "server/store/postgres_nodes.h"
#include "server/store/postgres_pictures.h"
#include "server/store/postgres_pipeline.h"
#include "server/store/postgres_published.h"
#include "server/store/postgres_ratings.h"
#include "server/store/postgres_retention.h"
#include "server/store/postgres_rooms.h"
#include "server/store/postgres_schema.h"
#include "server/store/postgres_sizes.h"
#include "server/store/postgres_statements.h"

#include <stdlib.h>
#include <string.h>

enum {
    WAIT_MS = 8000,
    AGAIN_MAX =
        3, /* tries of one batch that the database undoes: deadlock, a race for one command */
};

/* How one go at a batch went. */
enum attempt {
    ATTEMPT_DONE,
    ATTEMPT_UNDONE, /* the database refused; nothing was written */
    ATTEMPT_LOST,   /* the connection died before COMMIT was sent: nothing was written */
    ATTEMPT_UNKNOWN /* … and after */
};

static driver_perform_request *const asks[] = {
    [STORE_APPEND] = postgres_append,
    [STORE_LOAD] = postgres_load,
    [STORE_TAIL] = postgres_tail,
    [STORE_BEHIND] = postgres_behind,
    [STORE_DUE] = postgres_due,
    [STORE_SET_DUE] = postgres_set_due,
    [STORE_HISTORY] = postgres_history,
    [STORE_OPEN_ROOMS] = postgres_open_rooms,
    [STORE_PLAYER_ROOMS] = postgres_player_rooms,
    [STORE_SECRET] = postgres_secret,
    [STORE_LEASE] = postgres_lease,
    [STORE_RELEASE] = postgres_release,
    [STORE_LEAVE] = postgres_leave,
    [STORE_SURVEY] = postgres_survey,
    [STORE_REMOVE] = postgres_remove,
    [STORE_PUBLISH] = postgres_publish,
    [STORE_PUBLISHED] = postgres_published,
    [STORE_PUBLICATIONS] = postgres_publications,
    [STORE_LIST] = postgres_list,
    [STORE_REPORT] = postgres_report,
    [STORE_REPORTS] = postgres_reports,
    [STORE_UNPUBLISH] = postgres_unpublish,
    [STORE_KEEP_PICTURE] = postgres_keep_picture,
    [STORE_PICTURE] = postgres_picture,
    [STORE_SWEEP_PICTURES] = postgres_sweep_pictures,
    [STORE_MEASURE] = postgres_measure,
    [STORE_RATABLE] = postgres_ratable,
    [STORE_RATINGS] = postgres_ratings,
    [STORE_LEADERS] = postgres_leaders,
    [STORE_RATE] = postgres_rate,
    [STORE_RATED] = postgres_rated,
    [STORE_STANDINGS] = postgres_standings,
};

static void answers_clear(const struct store_request *requests, int count,
                          struct store_answer *answers)
{
    for (int i = 0; i < count; i++) {
        store_answer_release(&answers[i]);
        driver_begin_answer(&requests[i], &answers[i]);
    }
}

/* Statement by statement, but for runs of plain appends. */
static bool perform_all(struct store_driver *driver, const struct store_request *requests,
                        int count, struct store_answer *answers, bool *committing)
{
    bool begun = false, ended = false;
    for (int i = 0; i < count;) {
        int plain = driver->again ? 0 : postgres_pipeline_length(requests, i, count);
        ended = i + plain == count;
        *committing = *committing || ended;
        if (plain > 0) {
            if (!postgres_pipeline_perform(driver, requests + i, plain, answers + i, !begun, ended))
                return false;
            begun = true;
            i += plain;
            continue;
        }
        if (!begun && !postgres_execute(driver, "BEGIN"))
            return false;
        begun = true;
        answers[i].status = asks[requests[i].ask](driver, &requests[i], &answers[i]);
        if (answers[i].status == STORE_FAILED)
            return false;
        i++;
    }
    *committing = true;
    return ended || postgres_commit(driver);
}

static enum attempt try_batch(struct store_driver *driver, const struct store_request *requests,
                              int count, struct store_answer *answers)
{
    bool committing = false;
    driver->words[0] = '\0';
    if (perform_all(driver, requests, count, answers, &committing))
        return ATTEMPT_DONE;
    if (postgres_is_alive(driver)) {
        /* The server said no and is still there: what it refused, it undid. */
        if (PQtransactionStatus(driver->connection) == PQTRANS_IDLE ||
            postgres_execute(driver, "ROLLBACK"))
            return ATTEMPT_UNDONE;
    }
    return committing ? ATTEMPT_UNKNOWN : ATTEMPT_LOST;
}

static void fail_all(struct store_driver *driver, const struct store_request *requests, int count,
                     struct store_answer *answers)
{
    char words[sizeof driver->words];
    memcpy(words, driver->words, sizeof words);
    answers_clear(requests, count, answers);
    for (int i = 0; i < count; i++) {
        bool unknown = driver->again && requests[i].ask == STORE_APPEND;
        answers[i].status = unknown ? STORE_UNKNOWN : STORE_FAILED;
        memcpy(answers[i].words, words, sizeof answers[i].words);
    }
}

/* After a connection that died: whether there is time for another one. To look up what became of a COMMIT there is always
 * some, but not for ever: it may be this batch that the database dies of. */
static bool may_go_on(struct store_driver *driver, enum attempt attempt, int64_t *deadline_ms)
{
    int64_t now_ms = postgres_now_ms();
    bool unknown = attempt == ATTEMPT_UNKNOWN;
    if (unknown && !driver->again)
        *deadline_ms = now_ms + driver->wait_ms;
    driver->again = driver->again || unknown;
    driver->away = now_ms >= *deadline_ms;
    postgres_disconnect(driver);
    return !driver->away;
}

/* Tries until it is done, or the database refuses for good, or it stays away too long. False: nothing is done, but
 * what an earlier try may have committed. */
static bool persist(struct store_driver *driver, const struct store_request *requests, int count,
                    struct store_answer *answers)
{
    int64_t deadline_ms = postgres_now_ms() + (driver->away ? POSTGRES_RETRY_MS : driver->wait_ms);
    driver->alone = count == 1;
    for (int undone = 0; undone < AGAIN_MAX;) {
        answers_clear(requests, count, answers);
        if (!postgres_is_alive(driver) && !postgres_reconnect(driver, deadline_ms)) {
            driver->away = true;
            return false;
        }
        enum attempt attempt = try_batch(driver, requests, count, answers);
        switch (attempt) {
        case ATTEMPT_DONE:
            driver->away = false;
            return true;
        case ATTEMPT_UNDONE:
            undone++;
            break;
        case ATTEMPT_UNKNOWN:
        case ATTEMPT_LOST:
            if (!may_go_on(driver, attempt, &deadline_ms))
                return false;
            break;
        }
    }
    return false;
}

/* What spoils a batch is found by asking one by one: the others are not to suffer for it. If the database goes away
 * meanwhile they do not wait for it one after the other. */
static void perform(struct store_driver *driver, const struct store_request *requests, int count,
                    struct store_answer *answers)
{
    for (int i = 0; i < count; i++)
        driver_begin_answer(&requests[i], &answers[i]);
    driver->again = false;
    if (persist(driver, requests, count, answers))
        return;
    bool unknown = driver->again;
    if (count == 1 || !postgres_is_alive(driver)) {
        fail_all(driver, requests, count, answers);
        return;
    }
    for (int i = 0; i < count; i++) {
        driver->again = unknown;
        if (persist(driver, requests + i, 1, answers + i))
            continue;
        fail_all(driver, requests + i, 1, answers + i);
        if (postgres_is_alive(driver))
            continue;
        driver->again = unknown;
        fail_all(driver, requests + i + 1, count - i - 1, answers + i + 1);
        return;
    }
}

/* The server of the database does that by itself. */
static void keep_house(struct store_driver *driver)
{
    (void)driver;
}

static void close_driver(struct store_driver *driver)
{
    postgres_disconnect(driver);
    free(driver->url);
    free(driver);
}

static struct store_driver *open_driver(const char *url, char *words, size_t words_size)
{
    struct store_driver *driver = calloc(1, sizeof *driver);
    if (driver != NULL)
        driver->url = strdup(url);
    if (driver == NULL || driver->url == NULL) {
        free(driver);
        driver_say_no_memory(words, words_size);
        return NULL;
    }
    driver->answer_ms = POSTGRES_ANSWER_MS;
    driver->wait_ms = WAIT_MS;
    if (postgres_dial(driver) && postgres_migrate(driver) && postgres_prepare(driver))
        return driver;
    /* The URL may hold a password: it is not repeated. */
    postgres_say(words, words_size, "the PostgreSQL database cannot be used: ", driver->words);
    close_driver(driver);
    return NULL;
}

const struct store_driver_table store_postgres = {
    .scheme = "postgresql",
    .shared = true,
    .open = open_driver,
    .open_beside = open_driver,
    .perform = perform,
    .keep_house = keep_house,
    .close = close_driver,
    .hurry = postgres_hurry,
};
