#include "server/store/sqlite_statements.h"

#include "server/store/arena.h"
#include "server/store/sqlite_driver.h"

#include <stdio.h>

static const char *const statement_sql[] = {
#define X(name, sql) sql,
    SQLITE_STATEMENTS(X)
#undef X
};

bool sqlite_prepare(struct store_driver *driver)
{
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        if (sqlite3_prepare_v3(driver->database, statement_sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &driver->statements[i], NULL) != SQLITE_OK)
            return false;
    }
    return true;
}

static void note_failure(struct store_driver *driver, const char *what)
{
    int code = sqlite3_extended_errcode(driver->database);
    snprintf(driver->words, sizeof driver->words, "%s: %s (SQLite %d)", what,
             sqlite3_errmsg(driver->database), code);
    switch (code & 0xff) {
    case SQLITE_TOOBIG:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
        break; /* the statement's own fault: the transaction is as it was before it */
    default:
        driver->lost = true;
    }
    if (sqlite3_get_autocommit(driver->database))
        driver->lost = true;
}

void sqlite_note_memory(struct store_driver *driver)
{
    driver_say_no_memory(driver->words, sizeof driver->words);
}

void sqlite_put_text(sqlite3_stmt *statement, int number, const char *text)
{
    sqlite3_bind_text(statement, number, text == NULL ? "" : text, -1, SQLITE_STATIC);
}

bool sqlite_run(struct store_driver *driver, enum sqlite_statement name)
{
    sqlite3_stmt *statement = driver->statements[name];
    int code = sqlite3_step(statement);
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        note_failure(driver, "cannot write");
    sqlite3_reset(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW;
}

enum sqlite_row sqlite_next_row(struct store_driver *driver, sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return ROW;
    if (code != SQLITE_DONE)
        note_failure(driver, "cannot read");
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? NO_ROW : ROW_FAILED;
}

const char *sqlite_text_at(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text == NULL ? "" : (const char *)text;
}

const char *sqlite_copy_text_at(struct store_driver *driver, void **arena, sqlite3_stmt *statement,
                                int column)
{
    const char *text = sqlite_text_at(statement, column);
    const char *copy = arena_copy(arena, text, (size_t)sqlite3_column_bytes(statement, column));
    if (copy == NULL)
        sqlite_note_memory(driver);
    return copy;
}
