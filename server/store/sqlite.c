/* The store on SQLite: one file, one process, one writer.
 *
 * A batch is one transaction (sqlite_append.h says how its requests keep out of each other's way). When the transaction
 * itself fails, it is rolled back, its appends are answered STORE_FAILED, and its reads are asked again, for they may
 * have seen what never came to be. */
#include "server/store/sqlite_append.h"
#include "server/store/sqlite_driver.h"
#include "server/store/sqlite_fold.h"
#include "server/store/sqlite_log.h"
#include "server/store/sqlite_nodes.h"
#include "server/store/sqlite_open.h"
#include "server/store/sqlite_pictures.h"
#include "server/store/sqlite_published.h"
#include "server/store/sqlite_ratings.h"
#include "server/store/sqlite_retention.h"
#include "server/store/sqlite_rooms.h"
#include "server/store/sqlite_sizes.h"
#include "server/store/sqlite_transaction.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    driver_perform_request *perform;
    bool writes;
} asks[] = {
    [STORE_APPEND] = {sqlite_append, true},
    [STORE_LOAD] = {sqlite_load, false},
    [STORE_TAIL] = {sqlite_tail, false},
    [STORE_BEHIND] = {sqlite_behind, false},
    [STORE_DUE] = {sqlite_due, false},
    [STORE_SET_DUE] = {sqlite_set_due, true},
    [STORE_HISTORY] = {sqlite_history, false},
    [STORE_OPEN_ROOMS] = {sqlite_open_rooms, false},
    [STORE_PLAYER_ROOMS] = {sqlite_player_rooms, false},
    [STORE_SECRET] = {sqlite_secret, true},
    [STORE_LEASE] = {sqlite_lease, true},
    [STORE_RELEASE] = {sqlite_release, true},
    [STORE_LEAVE] = {sqlite_leave, true},
    [STORE_SURVEY] = {sqlite_survey, false},
    [STORE_REMOVE] = {sqlite_remove, true},
    [STORE_PUBLISH] = {sqlite_publish, true},
    [STORE_PUBLISHED] = {sqlite_published, false},
    [STORE_PUBLICATIONS] = {sqlite_publications, false},
    [STORE_LIST] = {sqlite_list, true},
    [STORE_REPORT] = {sqlite_report, true},
    [STORE_REPORTS] = {sqlite_reports, false},
    [STORE_UNPUBLISH] = {sqlite_unpublish, true},
    [STORE_KEEP_PICTURE] = {sqlite_keep_picture, true},
    [STORE_PICTURE] = {sqlite_picture, false},
    [STORE_SWEEP_PICTURES] = {sqlite_sweep_pictures, true},
    [STORE_MEASURE] = {sqlite_measure, false},
    [STORE_RATABLE] = {sqlite_ratable, false},
    [STORE_RATINGS] = {sqlite_ratings, false},
    [STORE_LEADERS] = {sqlite_leaders, false},
    [STORE_RATE] = {sqlite_rate, true},
    [STORE_RATED] = {sqlite_rated, false},
    [STORE_STANDINGS] = {sqlite_standings, false},
};

static bool writes(const struct store_request *request)
{
    return asks[request->ask].writes || (request->ask == STORE_LOAD && request->node != NULL) ||
           (request->ask == STORE_SURVEY && request->to > 0);
}

static void fail(struct store_driver *driver, struct store_answer *answer)
{
    store_answer_release(answer);
    answer->status = STORE_FAILED;
    memcpy(answer->words, driver->words, sizeof answer->words);
}

static void perform_one(struct store_driver *driver, const struct store_request *request,
                        struct store_answer *answer)
{
    answer->status = asks[request->ask].perform(driver, request, answer);
    if (answer->status == STORE_FAILED)
        fail(driver, answer);
}

static bool try_batch(struct store_driver *driver, const struct store_request *requests, int count,
                      struct store_answer *answers, bool written)
{
    if (!sqlite_transaction_begin(driver, written))
        return false;
    for (int i = 0; i < count; i++) {
        perform_one(driver, &requests[i], &answers[i]);
        if (driver->lost)
            return false;
    }
    return sqlite_transaction_commit(driver);
}

static void perform_reads(struct store_driver *driver, const struct store_request *requests,
                          int count, struct store_answer *answers)
{
    bool begun = sqlite_transaction_begin(driver, false);
    for (int i = 0; i < count; i++) {
        if (writes(&requests[i]))
            continue;
        store_answer_release(&answers[i]);
        if (begun && !driver->lost)
            perform_one(driver, &requests[i], &answers[i]);
        else
            fail(driver, &answers[i]);
    }
    if (!begun || driver->lost || !sqlite_transaction_commit(driver))
        sqlite_transaction_roll_back(driver);
}

static void perform_failed(struct store_driver *driver, const struct store_request *requests,
                           int count, struct store_answer *answers)
{
    bool reads = false;
    sqlite_transaction_roll_back(driver);
    for (int i = 0; i < count; i++) {
        reads = reads || !writes(&requests[i]);
        fail(driver, &answers[i]);
    }
    if (reads)
        perform_reads(driver, requests, count, answers);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void keep_house(struct store_driver *driver)
{
    heads_forget(driver->heads, now_ms(), HEADS_UNUSED_MS, driver->folded);
    if (sqlite_fold_is_due(driver))
        sqlite_fold(driver);
    if (sqlite_log_is_short(driver))
        sqlite_log_lengthen(driver);
    if (driver->wal_pages < WAL_PAGES_MAX)
        return;
    /* If a reader outside holds it up, the next commit counts the pages anew. */
    sqlite3_wal_checkpoint_v2(driver->database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    driver->wal_pages = driver->log_pages = 0;
}

static void perform(struct store_driver *driver, const struct store_request *requests, int count,
                    struct store_answer *answers)
{
    bool written = false;
    for (int i = 0; i < count; i++) {
        driver_begin_answer(&requests[i], &answers[i]);
        written = written || writes(&requests[i]);
    }
    if (!try_batch(driver, requests, count, answers, written))
        perform_failed(driver, requests, count, answers);
}

static void close_driver(struct store_driver *driver)
{
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(driver->statements[i]);
    sqlite3_close(driver->database);
    heads_free(driver->heads);
    free(driver->plan);
    database_file_release(&driver->file);
    free(driver);
}

static struct store_driver *open_with(const char *url, bool beside, char *words, size_t words_size)
{
    struct store_driver *driver = calloc(1, sizeof *driver);
    if (driver == NULL) {
        driver_say_no_memory(words, words_size);
        return NULL;
    }
    if (!(beside ? database_file_find : database_file_init)(&driver->file, url, words,
                                                            words_size)) {
        free(driver);
        return NULL;
    }
    driver->beside = beside;
    driver->fold_at = RECENT_MAX;
    driver->heads = heads_new();
    if (driver->heads == NULL) {
        driver_say_no_memory(words, words_size);
        close_driver(driver);
        return NULL;
    }
    if (!(beside ? sqlite_open_beside : sqlite_open_database)(driver, words, words_size)) {
        close_driver(driver);
        return NULL;
    }
    return driver;
}

static struct store_driver *open_driver(const char *url, char *words, size_t words_size)
{
    return open_with(url, false, words, words_size);
}

static struct store_driver *open_beside(const char *url, char *words, size_t words_size)
{
    return open_with(url, true, words, words_size);
}

/* A server that ends in peace leaves a folded log and no WAL; one that is killed leaves as much as
 * is needed. */
static void close_in_peace(struct store_driver *driver)
{
    bool going = !driver->beside;
    while (going && driver->sequence > driver->folded)
        going = sqlite_fold(driver);
    close_driver(driver);
}

static uint64_t memory_bytes(void)
{
    return (uint64_t)sqlite3_memory_used();
}

const struct store_driver_table store_sqlite = {
    .scheme = "sqlite",
    .open = open_driver,
    .open_beside = open_beside,
    .perform = perform,
    .keep_house = keep_house,
    .close = close_in_peace,
    .memory_bytes = memory_bytes,
};
