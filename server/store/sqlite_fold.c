#include "server/store/sqlite_fold.h"

#include "server/store/sqlite_transaction.h"

#include <stdlib.h>

static bool make_plan(struct store_driver *driver)
{
    size_t room = (size_t)(driver->sequence - driver->folded);
    int64_t *plan = realloc(driver->plan, room * sizeof *plan);
    if (plan == NULL)
        return false;
    driver->plan = plan;
    driver->plan_count = driver->plan_done = 0;
    driver->plan_last = driver->sequence;
    driver->lost = false;
    sqlite3_stmt *statement = driver->statements[FOLD_PLAN];
    enum sqlite_row row;
    while ((row = sqlite_next_row(driver, statement)) == ROW && driver->plan_count < room)
        plan[driver->plan_count++] = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return row == NO_ROW;
}

/* What is there already, and the same, was folded by a process that did not come to the end of its plan. */
static bool fold_one(struct store_driver *driver, int64_t sequence)
{
    sqlite3_bind_int64(driver->statements[FOLD_ONE], 1, sequence);
    if (sqlite_run(driver, FOLD_ONE))
        return true;
    if (driver->lost)
        return false;
    sqlite3_stmt *statement = driver->statements[FOLDED_ALREADY];
    sqlite3_bind_int64(statement, 1, sequence);
    bool already = sqlite_next_row(driver, statement) == ROW;
    sqlite3_reset(statement);
    return already;
}

/* In a transaction: the next part of the plan, and with the last one the end of the recent rows. */
static bool fold_some(struct store_driver *driver)
{
    for (int i = 0; i < FOLD_MAX && driver->plan_done < driver->plan_count; i++) {
        if (!fold_one(driver, driver->plan[driver->plan_done++]))
            return false;
    }
    if (driver->plan_done < driver->plan_count)
        return true;
    sqlite3_bind_int64(driver->statements[CLEAR_RECENT], 1, driver->plan_last);
    return sqlite_run(driver, CLEAR_RECENT);
}

static void end_plan(struct store_driver *driver)
{
    driver->folded = driver->plan_last;
    driver->fold_at = driver->plan_last + RECENT_MAX;
    driver->plan_count = driver->plan_done = 0;
    heads_trim(driver->heads, HEADS_BYTES_MAX, driver->folded);
}

bool sqlite_fold_is_due(const struct store_driver *driver)
{
    bool due = driver->sequence >= driver->fold_at && driver->sequence > driver->folded;
    return due || driver->plan_count > 0;
}

bool sqlite_fold(struct store_driver *driver)
{
    bool planned = driver->plan_count > 0 || (driver->heads_valid && make_plan(driver));
    if (planned && driver->plan_count == 0) {
        end_plan(driver); /* sequences were given and taken back */
        return true;
    }
    /* The transaction's beginning may find that the plan is void, as after a stranger's write. */
    if (planned && sqlite_transaction_begin(driver, true) &&
        (driver->plan_count == 0 || fold_some(driver)) && sqlite_transaction_commit(driver)) {
        if (driver->plan_count > 0 && driver->plan_done == driver->plan_count)
            end_plan(driver);
        return true;
    }
    sqlite_transaction_roll_back(driver);
    driver->plan_count = driver->plan_done = 0;
    driver->fold_at = driver->sequence + RECENT_MAX / 4; /* not again at once */
    return false;
}
