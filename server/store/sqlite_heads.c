#include "server/store/sqlite_heads.h"

#include <stdio.h>

bool sqlite_heads_remember(struct store_driver *driver, struct head *head, int64_t version,
                           const char *client, const char *command)
{
    head->version = version;
    if (command[0] == '\0')
        return true;
    if (!heads_reserve_command(driver->heads, head)) {
        sqlite_note_memory(driver);
        return false;
    }
    heads_add_command(head, heads_hash(driver->heads, client, command), version);
    return true;
}

static enum sqlite_row read_folded_commands(struct store_driver *driver, struct head *head)
{
    sqlite3_stmt *statement = driver->statements[FOLDED_COMMANDS];
    sqlite_put_text(statement, 1, head->room);
    enum sqlite_row row;
    while ((row = sqlite_next_row(driver, statement)) == ROW) {
        if (sqlite_heads_remember(driver, head, sqlite3_column_int64(statement, 0),
                                  sqlite_text_at(statement, 1), sqlite_text_at(statement, 2)))
            continue;
        sqlite3_reset(statement);
        return ROW_FAILED;
    }
    return row;
}

/* Makes the head of a room all of whose events are folded. */
static enum sqlite_row make_head(struct store_driver *driver, const char *room, struct head **made)
{
    sqlite3_stmt *statement = driver->statements[FIND_STATUS];
    sqlite_put_text(statement, 1, room);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    if (row != ROW)
        return row;
    enum store_room_status status = (enum store_room_status)sqlite3_column_int(statement, 0);
    int64_t epoch = sqlite3_column_int64(statement, 1);
    sqlite3_reset(statement);

    struct head *head = heads_add(driver->heads, room);
    if (head == NULL) {
        sqlite_note_memory(driver);
        return ROW_FAILED;
    }
    head->status = status;
    head->epoch = epoch;
    if (read_folded_commands(driver, head) == ROW_FAILED) {
        heads_remove(driver->heads, head);
        return ROW_FAILED;
    }
    *made = head;
    return ROW;
}

enum sqlite_row sqlite_heads_find(struct store_driver *driver, const char *room,
                                  struct head **found)
{
    *found = heads_find(driver->heads, room);
    return *found != NULL ? ROW : make_head(driver, room, found);
}

static bool remember_recent(struct store_driver *driver, sqlite3_stmt *statement)
{
    struct head *head;
    char room[STORE_ROOM_BYTES + 1];
    snprintf(room, sizeof room, "%s", sqlite_text_at(statement, 1));
    enum sqlite_row row = sqlite_heads_find(driver, room, &head);
    if (row == NO_ROW)
        snprintf(driver->words, sizeof driver->words, "room %s has events and no row", room);
    if (row != ROW)
        return false;
    driver->sequence = head->recent_last = sqlite3_column_int64(statement, 0);
    return sqlite_heads_remember(driver, head, sqlite3_column_int64(statement, 2),
                                 sqlite_text_at(statement, 3), sqlite_text_at(statement, 4));
}

/* Makes the heads of all rooms with recent events. `sequence` stays what it was where there are
 * none. */
static bool make_heads(struct store_driver *driver)
{
    heads_clear(driver->heads);
    driver->plan_count = driver->plan_done = 0;
    int64_t last = driver->folded = driver->sequence;
    bool first = true;
    sqlite3_stmt *statement = driver->statements[RECENT_ALL];
    enum sqlite_row row;
    while ((row = sqlite_next_row(driver, statement)) == ROW) {
        if (first)
            driver->folded = sqlite3_column_int64(statement, 0) - 1;
        first = false;
        if (remember_recent(driver, statement))
            continue;
        sqlite3_reset(statement);
        row = ROW_FAILED;
        break;
    }
    if (driver->sequence < last)
        driver->sequence = last;
    driver->heads_valid = row == NO_ROW;
    return driver->heads_valid;
}

bool sqlite_heads_check(struct store_driver *driver)
{
    sqlite3_stmt *statement = driver->statements[DATA_VERSION];
    if (sqlite_next_row(driver, statement) != ROW)
        return false;
    int64_t version = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    if (version != driver->data_version)
        driver->heads_valid = false;
    driver->data_version = version;
    return driver->heads_valid || make_heads(driver);
}
