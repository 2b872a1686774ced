#include "server/store/sqlite_append.h"

#include "server/store/sqlite_events.h"
#include "server/store/sqlite_heads.h"
#include "server/store/sqlite_pictures.h"

#include <assert.h>
#include <string.h>

static bool is_command(sqlite3_stmt *event, const struct store_event *wanted)
{
    return strcmp(sqlite_text_at(event, 3), wanted->client) == 0 &&
           strcmp(sqlite_text_at(event, 4), wanted->command) == 0;
}

static enum store_status find_duplicate(struct store_driver *driver, const struct head *head,
                                        const struct store_event *event,
                                        struct store_answer *answer)
{
    if (event->command[0] == '\0')
        return STORE_OK;
    uint32_t hash = heads_hash(driver->heads, event->client, event->command), cursor = 0;
    int64_t version;
    while ((version = head_next_version(head, hash, &cursor)) != 0) {
        sqlite3_stmt *statement;
        enum sqlite_row row = sqlite_event_find(driver, head, version, &statement);
        if (row == ROW_FAILED)
            return STORE_FAILED;
        bool same = row == ROW && is_command(statement, event);
        if (same)
            driver_answer_duplicate(answer, head->room, version, sqlite_text_at(statement, 2));
        sqlite3_reset(statement);
        if (same)
            return STORE_DUPLICATE;
    }
    return STORE_OK;
}

static enum store_status examine_creation(struct store_driver *driver,
                                          const struct store_write *write,
                                          struct store_answer *answer)
{
    enum sqlite_row row;
    if (write->event.command[0] != '\0') {
        sqlite3_stmt *first = driver->statements[FIND_FIRST];
        sqlite_put_text(first, 1, write->event.client);
        sqlite_put_text(first, 2, write->event.command);
        row = sqlite_next_row(driver, first);
        if (row == ROW_FAILED)
            return STORE_FAILED;
        if (row == ROW) {
            driver_answer_duplicate(answer, sqlite_text_at(first, 0), 1, sqlite_text_at(first, 1));
            sqlite3_reset(first);
            return STORE_DUPLICATE;
        }
    }
    sqlite3_stmt *statement = driver->statements[IS_TAKEN];
    sqlite_put_text(statement, 1, write->room.id);
    row = sqlite_next_row(driver, statement);
    if (row == NO_ROW)
        return STORE_OK;
    sqlite3_reset(statement);
    return row == ROW ? STORE_CONFLICT : STORE_FAILED;
}

static enum store_status examine_continuation(struct store_driver *driver,
                                              const struct store_write *write,
                                              struct store_answer *answer)
{
    struct head *head;
    enum sqlite_row row = sqlite_heads_find(driver, write->room.id, &head);
    if (row != ROW)
        return row == NO_ROW ? STORE_CONFLICT : STORE_FAILED;
    answer->conflict_version = head->version;
    enum store_status status = find_duplicate(driver, head, &write->event, answer);
    if (status != STORE_OK)
        return status;
    if (head->version != write->expected_version || head->epoch != write->epoch)
        return STORE_CONFLICT;
    /* What follows a successful write must not fail. */
    if (heads_reserve_command(driver->heads, head))
        return STORE_OK;
    sqlite_note_memory(driver);
    return STORE_FAILED;
}

static enum store_status examine(struct store_driver *driver, const struct store_write *write,
                                 struct store_answer *answer)
{
    assert(write->room.id != NULL && strlen(write->room.id) <= STORE_ROOM_BYTES);
    assert(write->event.version == write->expected_version + 1);
    assert(write->event.client != NULL && write->event.command != NULL);
    return write->expected_version == 0 ? examine_creation(driver, write, answer)
                                        : examine_continuation(driver, write, answer);
}

static bool write_seats(struct store_driver *driver, const struct store_room *room)
{
    sqlite_put_text(driver->statements[CLEAR_SEATS], 1, room->id);
    if (!sqlite_run(driver, CLEAR_SEATS))
        return false;
    sqlite3_stmt *statement = driver->statements[ADD_SEAT];
    for (int i = 0; i < room->seat_count; i++) {
        const struct store_seat *seat = &room->seats[i];
        sqlite_put_text(statement, 1, room->id);
        sqlite3_bind_int(statement, 2, i);
        sqlite_put_text(statement, 3, seat->seat);
        sqlite_put_text(statement, 4, seat->player);
        sqlite_put_text(statement, 5, seat->token_hash);
        sqlite_put_text(statement, 6, seat->name);
        sqlite3_bind_int(statement, 7, seat->bot);
        sqlite3_bind_int(statement, 8, seat->house);
        if (!sqlite_run(driver, ADD_SEAT))
            return false;
    }
    return true;
}

static bool write_due(struct store_driver *driver, const struct store_room *room)
{
    sqlite3_stmt *statement = driver->statements[SET_DUE];
    if (room->due_at_ms == 0)
        return true;
    sqlite_put_text(statement, 1, room->id);
    sqlite3_bind_int64(statement, 2, room->due_at_ms);
    return sqlite_run(driver, SET_DUE);
}

static bool write_creation(struct store_driver *driver, const struct store_write *write,
                           const char *node)
{
    const struct store_room *room = &write->room;
    sqlite3_stmt *statement = driver->statements[ADD_ROOM];
    sqlite_put_text(statement, 1, room->id);
    sqlite_put_text(statement, 2, room->game);
    sqlite_put_text(statement, 3, room->title);
    sqlite_put_text(statement, 4, room->definition_hash);
    sqlite3_bind_int(statement, 5, room->is_public);
    sqlite3_bind_int(statement, 6, (int)room->status);
    sqlite3_bind_int64(statement, 7, room->created_at_ms);
    sqlite_put_text(statement, 8, room->players);
    sqlite3_bind_text(statement, 9, node, -1, SQLITE_STATIC); /* NULL: nobody's */
    sqlite3_bind_text(statement, 10, room->ladder, -1, SQLITE_STATIC);
    sqlite_event_put(driver->statements[ADD_FIRST], room->id, &write->event);
    return sqlite_write_definition(driver, room->definition_hash, write->definition,
                                   room->created_at_ms) &&
           sqlite_run(driver, ADD_ROOM) && write_due(driver, room) && write_seats(driver, room) &&
           sqlite_run(driver, ADD_FIRST);
}

/* A move is one statement at the end of one table. */
static bool write_continuation(struct store_driver *driver, const struct store_write *write)
{
    const struct head *head = heads_find(driver->heads, write->room.id);
    assert(head != NULL);
    sqlite3_stmt *statement = driver->statements[ADD_RECENT];
    sqlite_event_put(statement, write->room.id, &write->event);
    sqlite3_bind_int64(statement, 8, driver->sequence + 1);
    sqlite3_bind_int64(statement, 9, head->recent_last > driver->folded ? head->recent_last : 0);
    sqlite3_bind_int64(statement, 10, write->epoch);
    if (!sqlite_run(driver, ADD_RECENT))
        return false;
    driver->sequence++;
    if (write->seats_changed && !write_seats(driver, &write->room))
        return false;
    if (write->room.status == head->status)
        return true;
    sqlite_put_text(driver->statements[SET_STATUS], 1, write->room.id);
    sqlite3_bind_int(driver->statements[SET_STATUS], 2, (int)write->room.status);
    return sqlite_run(driver, SET_STATUS);
}

static bool is_one_statement(struct store_driver *driver, const struct store_request *request)
{
    const struct store_write *write = &request->writes[0];
    return request->write_count == 1 && write->expected_version > 0 && !write->seats_changed &&
           heads_find(driver->heads, write->room.id)->status == write->room.status;
}

static bool write_all(struct store_driver *driver, const struct store_request *request)
{
    for (int i = 0; i < request->write_count; i++) {
        const struct store_write *write = &request->writes[i];
        if (!(write->expected_version == 0 ? write_creation(driver, write, request->node)
                                           : write_continuation(driver, write)))
            return false;
    }
    return true;
}

static bool write_or_undo(struct store_driver *driver, const struct store_request *request)
{
    if (is_one_statement(driver, request))
        return write_all(driver, request);
    if (!sqlite_run(driver, SAVEPOINT))
        return false;
    if (write_all(driver, request))
        return sqlite_run(driver, RELEASE);
    char words[sizeof driver->words];
    memcpy(words, driver->words, sizeof words);
    if (!driver->lost && sqlite_run(driver, ROLLBACK_TO) && sqlite_run(driver, RELEASE))
        memcpy(driver->words, words, sizeof words);
    return false;
}

/* The heads follow once all of a request is written; a new room gets its head when it is continued.
 * The sequences written are the last ones, in the order of the writes. */
static void advance_heads(struct store_driver *driver, const struct store_request *request)
{
    int64_t sequence = driver->sequence;
    for (int i = request->write_count - 1; i >= 0; i--) {
        const struct store_write *write = &request->writes[i];
        if (write->expected_version == 0)
            continue;
        struct head *head = heads_find(driver->heads, write->room.id);
        assert(head != NULL);
        head->status = write->room.status;
        head->recent_last = sequence--;
        bool remembered = sqlite_heads_remember(driver, head, write->event.version,
                                                write->event.client, write->event.command);
        assert(remembered);
        (void)remembered;
    }
}

enum store_status sqlite_append(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    assert(request->write_count >= 1 && request->write_count <= STORE_WRITES_MAX);
    assert(request->write_count == 1 ||
           strcmp(request->writes[0].room.id, request->writes[1].room.id) != 0);
    for (int i = 0; i < request->write_count; i++) {
        enum store_status status = examine(driver, &request->writes[i], answer);
        if (status != STORE_OK)
            return status;
    }
    if (!write_or_undo(driver, request))
        return STORE_FAILED;
    advance_heads(driver, request);
    return STORE_OK;
}
