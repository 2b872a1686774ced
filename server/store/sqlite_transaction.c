#include "server/store/sqlite_transaction.h"

#include "server/store/sqlite_heads.h"

bool sqlite_transaction_begin(struct store_driver *driver, bool writes)
{
    driver->lost = false;
    driver->words[0] = '\0';
    return sqlite_run(driver, writes ? BEGIN_WRITE : BEGIN_READ) && sqlite_heads_check(driver);
}

bool sqlite_transaction_commit(struct store_driver *driver)
{
    return sqlite_run(driver, COMMIT);
}

void sqlite_transaction_roll_back(struct store_driver *driver)
{
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_reset(driver->statements[i]);
    if (!sqlite3_get_autocommit(driver->database)) {
        sqlite3_step(driver->statements[ROLLBACK]);
        sqlite3_reset(driver->statements[ROLLBACK]);
    }
    driver->heads_valid = false;
    /* If the disk is full, what is in the WAL already may make room for more of it. */
    driver->wal_pages = WAL_PAGES_MAX;
}
