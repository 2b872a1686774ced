#include "server/store/sqlite_events.h"

#include "server/store/arena.h"

#include <string.h>

void sqlite_event_put(sqlite3_stmt *statement, const char *room, const struct store_event *event)
{
    sqlite_put_text(statement, 1, room);
    sqlite3_bind_int64(statement, 2, event->version);
    sqlite3_bind_int64(statement, 3, event->at_ms);
    sqlite_put_text(statement, 4, event->kind);
    sqlite_put_text(statement, 5, event->client);
    sqlite_put_text(statement, 6, event->command);
    sqlite_put_text(statement, 7, event->body);
}

enum sqlite_row sqlite_event_find(struct store_driver *driver, const struct head *head,
                                  int64_t version, sqlite3_stmt **found)
{
    sqlite3_stmt *statement = *found = driver->statements[FOLDED_EVENTS];
    sqlite_put_text(statement, 1, head->room);
    sqlite3_bind_int64(statement, 2, version);
    sqlite3_bind_int64(statement, 3, version);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    if (row != NO_ROW)
        return row;
    statement = *found = driver->statements[RECENT_ONE];
    int64_t sequence = head->recent_last;
    while (sequence > driver->folded) {
        sqlite3_bind_int64(statement, 1, sequence);
        row = sqlite_next_row(driver, statement);
        if (row != ROW || sqlite3_column_int64(statement, 0) == version)
            return row;
        sequence = sqlite3_column_int64(statement, 6);
        sqlite3_reset(statement);
    }
    return NO_ROW;
}

static bool copy_event(struct store_driver *driver, void **arena, sqlite3_stmt *row,
                       struct store_event *event)
{
    event->version = sqlite3_column_int64(row, 0);
    event->at_ms = sqlite3_column_int64(row, 1);
    event->kind = sqlite_copy_text_at(driver, arena, row, 2);
    event->client = sqlite_copy_text_at(driver, arena, row, 3);
    event->command = sqlite_copy_text_at(driver, arena, row, 4);
    event->body = sqlite_copy_text_at(driver, arena, row, 5);
    return driver_event_is_whole(event);
}

/* The events are gap-free, so an event's place in the answer follows from its version. */
static bool place_event(struct store_driver *driver, struct store_answer *answer, int64_t from,
                        sqlite3_stmt *row)
{
    int64_t place = sqlite3_column_int64(row, 0) - from;
    if (place < 0 || place >= answer->event_count)
        return true;
    return copy_event(driver, &answer->arena, row, &answer->events[place]);
}

static bool read_folded(struct store_driver *driver, const char *room, int64_t from,
                        struct store_answer *answer)
{
    sqlite3_stmt *statement = driver->statements[FOLDED_EVENTS];
    sqlite_put_text(statement, 1, room);
    sqlite3_bind_int64(statement, 2, from);
    sqlite3_bind_int64(statement, 3, from + answer->event_count - 1);
    enum sqlite_row row;
    while ((row = sqlite_next_row(driver, statement)) == ROW) {
        if (place_event(driver, answer, from, statement))
            continue;
        sqlite3_reset(statement);
        return false;
    }
    return row == NO_ROW;
}

/* From the newest backwards. A long walk is a reason to fold soon. */
static bool read_recent(struct store_driver *driver, const char *room, int64_t from,
                        struct store_answer *answer)
{
    const struct head *head = heads_find(driver->heads, room);
    int64_t sequence = head == NULL ? 0 : head->recent_last;
    sqlite3_stmt *statement = driver->statements[RECENT_ONE];
    for (int steps = 0; sequence > driver->folded; steps++) {
        if (steps == RECENT_WALK_MAX)
            driver->fold_at = driver->sequence;
        sqlite3_bind_int64(statement, 1, sequence);
        if (sqlite_next_row(driver, statement) != ROW)
            return false;
        bool placed = place_event(driver, answer, from, statement);
        bool enough = sqlite3_column_int64(statement, 0) <= from;
        sequence = sqlite3_column_int64(statement, 6);
        sqlite3_reset(statement);
        if (!placed)
            return false;
        if (enough)
            return true;
    }
    return true;
}

enum store_status sqlite_events_read(struct store_driver *driver, const char *room, int64_t from,
                                     int64_t to, struct store_answer *answer)
{
    if (to < from)
        return STORE_OK;
    size_t count = (size_t)(to - from + 1);
    answer->events = arena_take(&answer->arena, count * sizeof *answer->events);
    if (answer->events == NULL) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    memset(answer->events, 0, count * sizeof *answer->events);
    answer->event_count = (int)count;
    if (!read_folded(driver, room, from, answer))
        return STORE_FAILED;
    bool all_folded = answer->events[count - 1].version != 0;
    if (!all_folded && !read_recent(driver, room, from, answer))
        return STORE_FAILED;
    for (size_t i = 0; i < count; i++) {
        if (answer->events[i].version != 0)
            continue;
        driver_say_event_missing(driver->words, sizeof driver->words, room, from + (int64_t)i);
        return STORE_FAILED;
    }
    return STORE_OK;
}
