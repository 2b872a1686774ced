/* The store on SQLite: one file, one process, one writer.
 *
 * A batch is one transaction. Each request is examined first, against the heads (heads.h) and the
 * tables, and only then written, so a conflict or a duplicate costs the others of its batch
 * nothing. A request of several statements has a savepoint. When the transaction itself fails, it
 * is rolled back, its appends are answered STORE_FAILED, and its reads are asked again, for they
 * may have seen what never came to be. */
#include "server/store/arena.h"
#include "server/store/database_file.h"
#include "server/store/heads.h"
#include "server/store/migrations.h"
#include "server/store/store.h"

#include <sqlite3.h>

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    APPLICATION_ID = 0x53656e74, /* "Sent" */
    BUSY_MS_MAX = 5000,          /* somebody with a shell may hold the database for a moment */
    CACHE_KIB = 65536,
    WAL_BYTES_KEPT = 64 * 1024 * 1024, /* a WAL that grew beyond this is cut back */
    SECRET_BYTES = 32,
};

#ifdef STORE_SMALL /* for tests: every bound is met all the time */
enum {
    RECENT_MAX = 64,
    FOLD_MAX = 7,
    RECENT_WALK_MAX = 10,
    WAL_PAGES_MAX = 40,
    HEADS_BYTES_MAX = 600
};
#else
enum {
    RECENT_MAX = 8192,     /* events; then they are folded */
    FOLD_MAX = 512,        /* events at once, between two batches */
    RECENT_WALK_MAX = 512, /* of one room; then all are folded, however few they are */
    WAL_PAGES_MAX = 4096,  /* 16 MiB; then the log is written back */
    HEADS_BYTES_MAX = 64 * 1024 * 1024,
};
#endif

#define EVENT_COLUMNS "version, at, kind, client, command, body"
#define ROOM_COLUMNS  "id, game, title, definition, is_public, status, created_at, players, epoch"

/* clang-format off */
#define STATEMENTS(X)                                                                                                  \
    X(BEGIN_READ,       "BEGIN")                                                                                       \
    X(BEGIN_WRITE,      "BEGIN IMMEDIATE")                                                                             \
    X(COMMIT,           "COMMIT")                                                                                      \
    X(ROLLBACK,         "ROLLBACK")                                                                                    \
    X(SAVEPOINT,        "SAVEPOINT request")                                                                           \
    X(RELEASE,          "RELEASE request")                                                                             \
    X(ROLLBACK_TO,      "ROLLBACK TO request")                                                                         \
    X(DATA_VERSION,     "PRAGMA data_version")                                                                         \
    X(ADD_DEFINITION,   "INSERT INTO definition (hash, text) VALUES (?1, ?2) ON CONFLICT DO NOTHING")                  \
    X(ADD_ROOM,         "INSERT INTO room (" ROOM_COLUMNS ", owner) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?9)")    \
    X(SET_STATUS,       "UPDATE room SET status = ?2 WHERE id = ?1")                                                   \
    X(CLEAR_SEATS,      "DELETE FROM seat WHERE room = ?1")                                                            \
    X(ADD_SEAT,         "INSERT INTO seat (room, number, seat, player, token_hash, name, bot, house, created_at)"      \
                        " SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, created_at FROM room WHERE id = ?1")                  \
    X(ADD_FIRST,        "INSERT INTO folded_event (room, " EVENT_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")      \
    X(ADD_RECENT,       "INSERT INTO recent_event (room, " EVENT_COLUMNS ", sequence, previous, epoch)"                \
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")                                           \
    X(FIND_FIRST,       "SELECT room, kind FROM folded_event"                                                          \
                        " WHERE version = 1 AND command <> '' AND client = ?1 AND command = ?2")                       \
    X(FIND_STATUS,      "SELECT status, epoch FROM room WHERE id = ?1")                                                \
    X(FOLDED_COMMANDS,  "SELECT version, client, command FROM folded_event WHERE room = ?1 ORDER BY version")          \
    X(FOLDED_LAST,      "SELECT version FROM folded_event WHERE room = ?1 ORDER BY version DESC LIMIT 1")              \
    X(FOLDED_EVENTS,    "SELECT " EVENT_COLUMNS " FROM folded_event"                                                   \
                        " WHERE room = ?1 AND version BETWEEN ?2 AND ?3 ORDER BY version")                             \
    X(RECENT_ONE,       "SELECT " EVENT_COLUMNS ", previous FROM recent_event WHERE sequence = ?1")                    \
    X(FOLD_PLAN,        "SELECT sequence FROM recent_event ORDER BY room, sequence")                                   \
    X(RECENT_ALL,       "SELECT sequence, room, version, client, command FROM recent_event ORDER BY sequence")         \
    X(FOLD_ONE,         "INSERT INTO folded_event (room, epoch, " EVENT_COLUMNS ")"                                    \
                        " SELECT room, epoch, " EVENT_COLUMNS " FROM recent_event WHERE sequence = ?1")                \
    X(FOLDED_ALREADY,   "SELECT 1 FROM recent_event r JOIN folded_event f USING (room, version) WHERE r.sequence = ?1" \
                        " AND (r.at, r.kind, r.client, r.command, r.body) = (f.at, f.kind, f.client, f.command, f.body)") \
    X(CLEAR_RECENT,     "DELETE FROM recent_event WHERE sequence <= ?1")                                               \
    X(ROOM,             "SELECT " ROOM_COLUMNS " FROM room WHERE id = ?1")                                             \
    X(OPEN_ROOMS,       "SELECT " ROOM_COLUMNS " FROM room WHERE is_public = 1 AND status < 2"                         \
                        " ORDER BY status, created_at DESC, id LIMIT ?1")                                              \
    X(PLAYER_ROOMS,     "SELECT room FROM seat WHERE player = ?1"                                                      \
                        " GROUP BY created_at, room ORDER BY created_at DESC, room LIMIT ?2")                          \
    X(SEATS,            "SELECT seat, player, token_hash, name, bot, house FROM seat WHERE room = ?1 ORDER BY number") \
    X(DEFINITION,       "SELECT text FROM definition WHERE hash = ?1")                                                 \
    X(SECRET,           "SELECT value FROM secret WHERE name = 'server'")                                              \
    X(ADD_SECRET,       "INSERT INTO secret (name, value) VALUES ('server', ?1)")                                      \
    X(FIND_OWNER,       "SELECT url, lease_until FROM node WHERE id = (SELECT owner FROM room WHERE id = ?1)"          \
                        " AND id <> ?2 AND lease_until > ?3")                                                          \
    X(CLAIM,            "UPDATE room SET owner = ?2, epoch = epoch + 1 WHERE id = ?1 RETURNING epoch")                 \
    X(GIVE_BACK,        "UPDATE room SET owner = NULL, epoch = epoch + 1"                                              \
                        " WHERE id = ?1 AND owner = ?2 AND epoch = ?3 RETURNING epoch")                                \
    X(CLEAR_PLACE,      "DELETE FROM node WHERE id <> ?1 AND place = ?2 AND place <> ''")                              \
    X(RENEW,            "INSERT INTO node (id, place, url, lease_until) VALUES (?1, ?2, ?3, ?4)"                       \
                        " ON CONFLICT DO UPDATE SET lease_until = excluded.lease_until")                               \
    X(COUNT_OTHERS,     "SELECT count(*) FROM node WHERE id <> ?1 AND lease_until > ?2")                               \
    X(LEAVE,            "DELETE FROM node WHERE id = ?1")
/* clang-format on */

enum statement {
#define X(name, sql) name,
    STATEMENTS(X)
#undef X
        STATEMENT_COUNT
};

static const char *const statement_sql[] = {
#define X(name, sql) sql,
    STATEMENTS(X)
#undef X
};

struct store_driver {
    struct database_file file;
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    struct heads *heads;
    /* False after a failure or a stranger's write: the heads are to be made again before anything
     * else. While it is true, every room with an event in recent_event has a head. */
    bool heads_valid;
    /* Sequences up to `folded` are not in recent_event any more; `sequence` is the last one given.
     */
    int64_t sequence, folded;
    int64_t fold_at; /* the sequence at which to begin to fold */
    /* Events being folded, a part at a time: their sequences, sorted by room; those before plan_done are done. Until
     * the last is, all of them stay in recent_event as well. */
    int64_t *plan, plan_last;
    size_t plan_count, plan_done;
    int64_t data_version;
    int wal_pages;
    /* Of the batch: the transaction cannot go on; why. */
    bool lost;
    char words[160];
};

/* --- statements ------------------------------------------------------------------------------- */

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

static void note_memory(struct store_driver *driver)
{
    snprintf(driver->words, sizeof driver->words, "out of memory");
}

static void bind_text(sqlite3_stmt *statement, int number, const char *text)
{
    /* Borrowed until the next binding: nothing runs a statement without binding it anew. */
    sqlite3_bind_text(statement, number, text == NULL ? "" : text, -1, SQLITE_STATIC);
}

/* Runs a statement that gives no rows. */
static bool run(struct store_driver *driver, enum statement name)
{
    sqlite3_stmt *statement = driver->statements[name];
    int code = sqlite3_step(statement);
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        note_failure(driver, "cannot write");
    sqlite3_reset(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW;
}

enum row { ROW, NO_ROW, ROW_FAILED };

/* The next row; without one the statement is reset. A reader that stops early resets it itself. */
static enum row next_row(struct store_driver *driver, sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return ROW;
    if (code != SQLITE_DONE)
        note_failure(driver, "cannot read");
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? NO_ROW : ROW_FAILED;
}

static const char *column_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text == NULL ? "" : (const char *)text;
}

/* NULL, and noted: out of memory. */
static const char *copy_column(struct store_driver *driver, void **arena, sqlite3_stmt *statement,
                               int column)
{
    const char *text = column_text(statement, column);
    const char *copy = arena_copy(arena, text, (size_t)sqlite3_column_bytes(statement, column));
    if (copy == NULL)
        note_memory(driver);
    return copy;
}

/* --- heads ------------------------------------------------------------------------------------ */

static bool remember(struct store_driver *driver, struct head *head, int64_t version,
                     const char *client, const char *command)
{
    head->version = version;
    if (command[0] == '\0')
        return true;
    if (!heads_reserve_command(driver->heads, head)) {
        note_memory(driver);
        return false;
    }
    heads_add_command(head, heads_hash(driver->heads, client, command), version);
    return true;
}

static enum row read_folded_commands(struct store_driver *driver, struct head *head)
{
    sqlite3_stmt *statement = driver->statements[FOLDED_COMMANDS];
    bind_text(statement, 1, head->room);
    enum row row;
    while ((row = next_row(driver, statement)) == ROW) {
        if (remember(driver, head, sqlite3_column_int64(statement, 0), column_text(statement, 1),
                     column_text(statement, 2)))
            continue;
        sqlite3_reset(statement);
        return ROW_FAILED;
    }
    return row;
}

/* Makes the head of a room all of whose events are folded. */
static enum row make_head(struct store_driver *driver, const char *room, struct head **made)
{
    sqlite3_stmt *statement = driver->statements[FIND_STATUS];
    bind_text(statement, 1, room);
    enum row row = next_row(driver, statement);
    if (row != ROW)
        return row;
    enum store_room_status status = (enum store_room_status)sqlite3_column_int(statement, 0);
    int64_t epoch = sqlite3_column_int64(statement, 1);
    sqlite3_reset(statement);

    struct head *head = heads_add(driver->heads, room);
    if (head == NULL) {
        note_memory(driver);
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

static enum row find_head(struct store_driver *driver, const char *room, struct head **found)
{
    *found = heads_find(driver->heads, room);
    return *found != NULL ? ROW : make_head(driver, room, found);
}

static bool remember_recent(struct store_driver *driver, sqlite3_stmt *statement)
{
    struct head *head;
    char room[STORE_ROOM_BYTES + 1];
    snprintf(room, sizeof room, "%s", column_text(statement, 1));
    enum row row = find_head(driver, room, &head);
    if (row == NO_ROW)
        snprintf(driver->words, sizeof driver->words, "room %s has events and no row", room);
    if (row != ROW)
        return false;
    driver->sequence = head->recent_last = sqlite3_column_int64(statement, 0);
    return remember(driver, head, sqlite3_column_int64(statement, 2), column_text(statement, 3),
                    column_text(statement, 4));
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
    enum row row;
    while ((row = next_row(driver, statement)) == ROW) {
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

/* Inside a transaction: what another process has written meanwhile, we do not know. */
static bool check_heads(struct store_driver *driver)
{
    sqlite3_stmt *statement = driver->statements[DATA_VERSION];
    if (next_row(driver, statement) != ROW)
        return false;
    int64_t version = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    if (version != driver->data_version)
        driver->heads_valid = false;
    driver->data_version = version;
    return driver->heads_valid || make_heads(driver);
}

/* --- appending -------------------------------------------------------------------------------- */

static void copy_word(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

static void answer_duplicate(struct store_answer *answer, const char *room, int64_t version,
                             const char *kind)
{
    copy_word(answer->duplicate_room, sizeof answer->duplicate_room, room);
    copy_word(answer->duplicate_kind, sizeof answer->duplicate_kind, kind);
    answer->duplicate_version = version;
}

static bool is_command(sqlite3_stmt *event, const struct store_event *wanted)
{
    return strcmp(column_text(event, 3), wanted->client) == 0 &&
           strcmp(column_text(event, 4), wanted->command) == 0;
}

/* Steps to one event of a room, in whichever half of the log; reset `*found` after ROW. */
static enum row find_event(struct store_driver *driver, const struct head *head, int64_t version,
                           sqlite3_stmt **found)
{
    sqlite3_stmt *statement = *found = driver->statements[FOLDED_EVENTS];
    bind_text(statement, 1, head->room);
    sqlite3_bind_int64(statement, 2, version);
    sqlite3_bind_int64(statement, 3, version);
    enum row row = next_row(driver, statement);
    if (row != NO_ROW)
        return row;
    statement = *found = driver->statements[RECENT_ONE];
    int64_t sequence = head->recent_last;
    while (sequence > driver->folded) {
        sqlite3_bind_int64(statement, 1, sequence);
        row = next_row(driver, statement);
        if (row != ROW || sqlite3_column_int64(statement, 0) == version)
            return row;
        sequence = sqlite3_column_int64(statement, 6);
        sqlite3_reset(statement);
    }
    return NO_ROW;
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
        enum row row = find_event(driver, head, version, &statement);
        if (row == ROW_FAILED)
            return STORE_FAILED;
        bool same = row == ROW && is_command(statement, event);
        if (same)
            answer_duplicate(answer, head->room, version, column_text(statement, 2));
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
    enum row row;
    if (write->event.command[0] != '\0') {
        sqlite3_stmt *first = driver->statements[FIND_FIRST];
        bind_text(first, 1, write->event.client);
        bind_text(first, 2, write->event.command);
        row = next_row(driver, first);
        if (row == ROW_FAILED)
            return STORE_FAILED;
        if (row == ROW) {
            answer_duplicate(answer, column_text(first, 0), 1, column_text(first, 1));
            sqlite3_reset(first);
            return STORE_DUPLICATE;
        }
    }
    sqlite3_stmt *statement = driver->statements[FIND_STATUS];
    bind_text(statement, 1, write->room.id);
    row = next_row(driver, statement);
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
    enum row row = find_head(driver, write->room.id, &head);
    if (row != ROW)
        return row == NO_ROW ? STORE_CONFLICT : STORE_FAILED;
    enum store_status status = find_duplicate(driver, head, &write->event, answer);
    if (status != STORE_OK)
        return status;
    if (head->version != write->expected_version || head->epoch != write->epoch)
        return STORE_CONFLICT;
    /* What follows a successful write must not fail. */
    if (heads_reserve_command(driver->heads, head))
        return STORE_OK;
    note_memory(driver);
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

static void bind_event(sqlite3_stmt *statement, const char *room, const struct store_event *event)
{
    bind_text(statement, 1, room);
    sqlite3_bind_int64(statement, 2, event->version);
    sqlite3_bind_int64(statement, 3, event->at_ms);
    bind_text(statement, 4, event->kind);
    bind_text(statement, 5, event->client);
    bind_text(statement, 6, event->command);
    bind_text(statement, 7, event->body);
}

static bool write_seats(struct store_driver *driver, const struct store_room *room)
{
    bind_text(driver->statements[CLEAR_SEATS], 1, room->id);
    if (!run(driver, CLEAR_SEATS))
        return false;
    sqlite3_stmt *statement = driver->statements[ADD_SEAT];
    for (int i = 0; i < room->seat_count; i++) {
        const struct store_seat *seat = &room->seats[i];
        bind_text(statement, 1, room->id);
        sqlite3_bind_int(statement, 2, i);
        bind_text(statement, 3, seat->seat);
        bind_text(statement, 4, seat->player);
        bind_text(statement, 5, seat->token_hash);
        bind_text(statement, 6, seat->name);
        sqlite3_bind_int(statement, 7, seat->bot);
        sqlite3_bind_int(statement, 8, seat->house);
        if (!run(driver, ADD_SEAT))
            return false;
    }
    return true;
}

static bool write_creation(struct store_driver *driver, const struct store_write *write,
                           const char *node)
{
    const struct store_room *room = &write->room;
    bind_text(driver->statements[ADD_DEFINITION], 1, room->definition_hash);
    bind_text(driver->statements[ADD_DEFINITION], 2, write->definition);
    sqlite3_stmt *statement = driver->statements[ADD_ROOM];
    bind_text(statement, 1, room->id);
    bind_text(statement, 2, room->game);
    bind_text(statement, 3, room->title);
    bind_text(statement, 4, room->definition_hash);
    sqlite3_bind_int(statement, 5, room->is_public);
    sqlite3_bind_int(statement, 6, (int)room->status);
    sqlite3_bind_int64(statement, 7, room->created_at_ms);
    bind_text(statement, 8, room->players);
    sqlite3_bind_text(statement, 9, node, -1, SQLITE_STATIC); /* NULL: nobody's */
    bind_event(driver->statements[ADD_FIRST], room->id, &write->event);
    return run(driver, ADD_DEFINITION) && run(driver, ADD_ROOM) && write_seats(driver, room) &&
           run(driver, ADD_FIRST);
}

/* A move is one statement at the end of one table. */
static bool write_continuation(struct store_driver *driver, const struct store_write *write)
{
    const struct head *head = heads_find(driver->heads, write->room.id);
    assert(head != NULL);
    sqlite3_stmt *statement = driver->statements[ADD_RECENT];
    bind_event(statement, write->room.id, &write->event);
    sqlite3_bind_int64(statement, 8, driver->sequence + 1);
    sqlite3_bind_int64(statement, 9, head->recent_last > driver->folded ? head->recent_last : 0);
    sqlite3_bind_int64(statement, 10, write->epoch);
    if (!run(driver, ADD_RECENT))
        return false;
    driver->sequence++;
    if (write->seats_changed && !write_seats(driver, &write->room))
        return false;
    if (write->room.status == head->status)
        return true;
    bind_text(driver->statements[SET_STATUS], 1, write->room.id);
    sqlite3_bind_int(driver->statements[SET_STATUS], 2, (int)write->room.status);
    return run(driver, SET_STATUS);
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
    if (!run(driver, SAVEPOINT))
        return false;
    if (write_all(driver, request))
        return run(driver, RELEASE);
    char words[sizeof driver->words];
    memcpy(words, driver->words, sizeof words);
    if (!driver->lost && run(driver, ROLLBACK_TO) && run(driver, RELEASE))
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
        bool remembered =
            remember(driver, head, write->event.version, write->event.client, write->event.command);
        assert(remembered);
        (void)remembered;
    }
}

static enum store_status append(struct store_driver *driver, const struct store_request *request,
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

/* --- reading ---------------------------------------------------------------------------------- */

static bool copy_event(struct store_driver *driver, void **arena, sqlite3_stmt *row,
                       struct store_event *event)
{
    event->version = sqlite3_column_int64(row, 0);
    event->at_ms = sqlite3_column_int64(row, 1);
    event->kind = copy_column(driver, arena, row, 2);
    event->client = copy_column(driver, arena, row, 3);
    event->command = copy_column(driver, arena, row, 4);
    event->body = copy_column(driver, arena, row, 5);
    return event->kind != NULL && event->client != NULL && event->command != NULL &&
           event->body != NULL;
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
    bind_text(statement, 1, room);
    sqlite3_bind_int64(statement, 2, from);
    sqlite3_bind_int64(statement, 3, from + answer->event_count - 1);
    enum row row;
    while ((row = next_row(driver, statement)) == ROW) {
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
        if (next_row(driver, statement) != ROW)
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

static enum store_status read_events(struct store_driver *driver, const char *room, int64_t from,
                                     int64_t to, struct store_answer *answer)
{
    if (to < from)
        return STORE_OK;
    size_t count = (size_t)(to - from + 1);
    answer->events = arena_take(&answer->arena, count * sizeof *answer->events);
    if (answer->events == NULL) {
        note_memory(driver);
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
        snprintf(driver->words, sizeof driver->words, "event %" PRId64 " of room %s is missing",
                 from + (int64_t)i, room);
        return STORE_FAILED;
    }
    return STORE_OK;
}

static enum row read_version(struct store_driver *driver, const char *room, int64_t *version)
{
    const struct head *head = heads_find(driver->heads, room);
    if (head != NULL) {
        *version = head->version;
        return ROW;
    }
    sqlite3_stmt *statement = driver->statements[FOLDED_LAST];
    bind_text(statement, 1, room);
    enum row row = next_row(driver, statement);
    if (row != ROW)
        return row;
    *version = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return ROW;
}

static bool read_seats(struct store_driver *driver, struct store_room *room, void **arena)
{
    sqlite3_stmt *statement = driver->statements[SEATS];
    bind_text(statement, 1, room->id);
    enum row row;
    while ((row = next_row(driver, statement)) == ROW && room->seat_count < STORE_SEATS_MAX) {
        struct store_seat *seat = &room->seats[room->seat_count++];
        seat->seat = copy_column(driver, arena, statement, 0);
        seat->player = copy_column(driver, arena, statement, 1);
        seat->token_hash = copy_column(driver, arena, statement, 2);
        seat->name = copy_column(driver, arena, statement, 3);
        seat->bot = sqlite3_column_int(statement, 4) != 0;
        seat->house = sqlite3_column_int(statement, 5) != 0;
        if (seat->seat == NULL || seat->player == NULL || seat->token_hash == NULL ||
            seat->name == NULL)
            break;
    }
    sqlite3_reset(statement);
    return row == NO_ROW;
}

static bool copy_room(struct store_driver *driver, void **arena, sqlite3_stmt *row,
                      struct store_room *room)
{
    *room = (struct store_room){
        .id = copy_column(driver, arena, row, 0),
        .game = copy_column(driver, arena, row, 1),
        .title = copy_column(driver, arena, row, 2),
        .definition_hash = copy_column(driver, arena, row, 3),
        .is_public = sqlite3_column_int(row, 4) != 0,
        .status = (enum store_room_status)sqlite3_column_int(row, 5),
        .created_at_ms = sqlite3_column_int64(row, 6),
        .players = copy_column(driver, arena, row, 7),
        .epoch = sqlite3_column_int64(row, 8),
    };
    return room->id != NULL && room->game != NULL && room->title != NULL &&
           room->definition_hash != NULL && room->players != NULL &&
           read_version(driver, room->id, &room->version) == ROW && read_seats(driver, room, arena);
}

static bool take_rooms(struct store_driver *driver, struct store_answer *answer, size_t count)
{
    answer->rooms = arena_take(&answer->arena, count * sizeof *answer->rooms);
    if (answer->rooms == NULL)
        note_memory(driver);
    return answer->rooms != NULL;
}

/* Adds the room the caller bound by id to ROOM. */
static enum row add_room(struct store_driver *driver, const char *id, struct store_answer *answer)
{
    sqlite3_stmt *statement = driver->statements[ROOM];
    bind_text(statement, 1, id);
    enum row row = next_row(driver, statement);
    if (row != ROW)
        return row;
    bool copied = copy_room(driver, &answer->arena, statement, &answer->rooms[answer->room_count]);
    sqlite3_reset(statement);
    answer->room_count += copied;
    return copied ? ROW : ROW_FAILED;
}

static enum store_status read_definition(struct store_driver *driver, struct store_answer *answer)
{
    sqlite3_stmt *statement = driver->statements[DEFINITION];
    bind_text(statement, 1, answer->rooms[0].definition_hash);
    enum row row = next_row(driver, statement);
    if (row == NO_ROW)
        snprintf(driver->words, sizeof driver->words, "the definition of room %s is missing",
                 answer->rooms[0].id);
    if (row != ROW)
        return STORE_FAILED;
    answer->definition = copy_column(driver, &answer->arena, statement, 0);
    answer->definition_length = (size_t)sqlite3_column_bytes(statement, 0);
    sqlite3_reset(statement);
    return answer->definition == NULL ? STORE_FAILED : STORE_OK;
}

/* By the machine's clock: whoever uses the file is on it. */
static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* STORE_OK: nobody else owns the room now. */
static enum store_status find_owner(struct store_driver *driver,
                                    const struct store_request *request,
                                    struct store_answer *answer)
{
    int64_t now = now_ms();
    sqlite3_stmt *statement = driver->statements[FIND_OWNER];
    bind_text(statement, 1, request->room);
    bind_text(statement, 2, request->node);
    sqlite3_bind_int64(statement, 3, now);
    enum row row = next_row(driver, statement);
    if (row != ROW)
        return row == NO_ROW ? STORE_OK : STORE_FAILED;
    answer->owner_url = copy_column(driver, &answer->arena, statement, 0);
    answer->lease_left_ms = sqlite3_column_int64(statement, 1) - now;
    sqlite3_reset(statement);
    return answer->owner_url == NULL ? STORE_FAILED : STORE_OWNED;
}

/* Runs a statement that moves a room into another epoch, and its head with it. NO_ROW: it moved none. */
static enum row move_epoch(struct store_driver *driver, enum statement name, const char *room)
{
    sqlite3_stmt *statement = driver->statements[name];
    enum row row = next_row(driver, statement);
    if (row != ROW)
        return row;
    struct head *head = heads_find(driver->heads, room);
    if (head != NULL)
        head->epoch = sqlite3_column_int64(statement, 0);
    return next_row(driver, statement) == NO_ROW ? ROW : ROW_FAILED;
}

static enum store_status claim(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    enum store_status status = find_owner(driver, request, answer);
    if (status != STORE_OK)
        return status;
    bind_text(driver->statements[CLAIM], 1, request->room);
    bind_text(driver->statements[CLAIM], 2, request->node);
    switch (move_epoch(driver, CLAIM, request->room)) {
    case ROW:
        return STORE_OK;
    case NO_ROW:
        return STORE_NOT_FOUND;
    case ROW_FAILED:
        return STORE_FAILED;
    }
    return STORE_FAILED;
}

static enum store_status load(struct store_driver *driver, const struct store_request *request,
                              struct store_answer *answer)
{
    enum store_status claimed = request->node == NULL ? STORE_OK : claim(driver, request, answer);
    if (claimed != STORE_OK)
        return claimed;
    if (!take_rooms(driver, answer, 1))
        return STORE_FAILED;
    enum row row = add_room(driver, request->room, answer);
    if (row != ROW)
        return row == NO_ROW ? STORE_NOT_FOUND : STORE_FAILED;
    enum store_status status = read_definition(driver, answer);
    if (status != STORE_OK)
        return status;
    return read_events(driver, request->room, 1, answer->rooms[0].version, answer);
}

static enum store_status history(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    int64_t version, from = request->from < 1 ? 1 : request->from, to = request->to;
    enum row row = read_version(driver, request->room, &version);
    if (row != ROW)
        return row == NO_ROW ? STORE_NOT_FOUND : STORE_FAILED;
    if (to > version)
        to = version;
    if (to >= from && to - from >= STORE_HISTORY_MAX)
        to = from + STORE_HISTORY_MAX - 1;
    return read_events(driver, request->room, from, to, answer);
}

static enum store_status open_rooms(struct store_driver *driver,
                                    const struct store_request *request,
                                    struct store_answer *answer)
{
    (void)request;
    if (!take_rooms(driver, answer, STORE_OPEN_ROOMS_MAX))
        return STORE_FAILED;
    sqlite3_stmt *statement = driver->statements[OPEN_ROOMS];
    sqlite3_bind_int(statement, 1, STORE_OPEN_ROOMS_MAX);
    enum row row;
    while ((row = next_row(driver, statement)) == ROW) {
        struct store_room *room = &answer->rooms[answer->room_count];
        if (copy_room(driver, &answer->arena, statement, room)) {
            answer->room_count++;
            continue;
        }
        sqlite3_reset(statement);
        return STORE_FAILED;
    }
    return row == NO_ROW ? STORE_OK : STORE_FAILED;
}

static enum store_status player_rooms(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer)
{
    if (!take_rooms(driver, answer, STORE_PLAYER_ROOMS_MAX))
        return STORE_FAILED;
    sqlite3_stmt *statement = driver->statements[PLAYER_ROOMS];
    bind_text(statement, 1, request->player);
    sqlite3_bind_int(statement, 2, STORE_PLAYER_ROOMS_MAX);
    enum row row;
    while ((row = next_row(driver, statement)) == ROW) {
        if (add_room(driver, column_text(statement, 0), answer) == ROW)
            continue;
        sqlite3_reset(statement);
        return STORE_FAILED;
    }
    return row == NO_ROW ? STORE_OK : STORE_FAILED;
}

static bool make_secret(struct store_driver *driver, char text[2 * SECRET_BYTES + 1])
{
    unsigned char bytes[SECRET_BYTES];
    if (getentropy(bytes, sizeof bytes) != 0) {
        snprintf(driver->words, sizeof driver->words, "the system gives no random bytes");
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    bind_text(driver->statements[ADD_SECRET], 1, text);
    return run(driver, ADD_SECRET);
}

static enum store_status secret(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    (void)request;
    char text[2 * SECRET_BYTES + 1];
    sqlite3_stmt *statement = driver->statements[SECRET];
    enum row row = next_row(driver, statement);
    if (row == ROW) {
        answer->secret = copy_column(driver, &answer->arena, statement, 0);
        sqlite3_reset(statement);
        return answer->secret == NULL ? STORE_FAILED : STORE_OK;
    }
    if (row == ROW_FAILED || !make_secret(driver, text))
        return STORE_FAILED;
    answer->secret = arena_copy(&answer->arena, text, strlen(text));
    if (answer->secret == NULL)
        note_memory(driver);
    return answer->secret == NULL ? STORE_FAILED : STORE_OK;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static enum store_status release(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    (void)answer;
    sqlite3_stmt *statement = driver->statements[GIVE_BACK];
    bind_text(statement, 1, request->room);
    bind_text(statement, 2, request->node);
    sqlite3_bind_int64(statement, 3, request->epoch);
    return move_epoch(driver, GIVE_BACK, request->room) == ROW_FAILED ? STORE_FAILED : STORE_OK;
}

static enum store_status lease(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    int64_t now = now_ms();
    bind_text(driver->statements[CLEAR_PLACE], 1, request->node);
    bind_text(driver->statements[CLEAR_PLACE], 2, request->place);
    bind_text(driver->statements[RENEW], 1, request->node);
    bind_text(driver->statements[RENEW], 2, request->place);
    bind_text(driver->statements[RENEW], 3, request->url);
    sqlite3_bind_int64(driver->statements[RENEW], 4, now + request->lease_ms);
    if (!run(driver, CLEAR_PLACE) || !run(driver, RENEW))
        return STORE_FAILED;
    sqlite3_stmt *statement = driver->statements[COUNT_OTHERS];
    bind_text(statement, 1, request->node);
    sqlite3_bind_int64(statement, 2, now);
    if (next_row(driver, statement) != ROW)
        return STORE_FAILED;
    answer->other_nodes = sqlite3_column_int(statement, 0);
    sqlite3_reset(statement);
    return STORE_OK;
}

static enum store_status leave(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    (void)answer;
    bind_text(driver->statements[LEAVE], 1, request->node);
    return run(driver, LEAVE) ? STORE_OK : STORE_FAILED;
}

/* --- batches ---------------------------------------------------------------------------------- */

typedef enum store_status perform_request(struct store_driver *driver,
                                          const struct store_request *request,
                                          struct store_answer *answer);

static const struct {
    perform_request *perform;
    bool writes;
} asks[] = {
    [STORE_APPEND] = {append, true},
    [STORE_LOAD] = {load, false},
    [STORE_HISTORY] = {history, false},
    [STORE_OPEN_ROOMS] = {open_rooms, false},
    [STORE_PLAYER_ROOMS] = {player_rooms, false},
    [STORE_SECRET] = {secret, true},
    [STORE_LEASE] = {lease, true},
    [STORE_RELEASE] = {release, true},
    [STORE_LEAVE] = {leave, true},
};

static bool writes(const struct store_request *request)
{
    return asks[request->ask].writes || (request->ask == STORE_LOAD && request->node != NULL);
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

static bool begin(struct store_driver *driver, bool writes)
{
    driver->lost = false;
    driver->words[0] = '\0';
    return run(driver, writes ? BEGIN_WRITE : BEGIN_READ) && check_heads(driver);
}

/* Ends a transaction that came to nothing. Its words stay: they say why. */
static void roll_back(struct store_driver *driver)
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

static bool try_batch(struct store_driver *driver, const struct store_request *requests, int count,
                      struct store_answer *answers, bool written)
{
    if (!begin(driver, written))
        return false;
    for (int i = 0; i < count; i++) {
        perform_one(driver, &requests[i], &answers[i]);
        if (driver->lost)
            return false;
    }
    return run(driver, COMMIT);
}

static void perform_reads(struct store_driver *driver, const struct store_request *requests,
                          int count, struct store_answer *answers)
{
    bool begun = begin(driver, false);
    for (int i = 0; i < count; i++) {
        if (writes(&requests[i]))
            continue;
        store_answer_release(&answers[i]);
        if (begun && !driver->lost)
            perform_one(driver, &requests[i], &answers[i]);
        else
            fail(driver, &answers[i]);
    }
    if (!begun || driver->lost || !run(driver, COMMIT))
        roll_back(driver);
}

static void perform_failed(struct store_driver *driver, const struct store_request *requests,
                           int count, struct store_answer *answers)
{
    bool reads = false;
    roll_back(driver);
    for (int i = 0; i < count; i++) {
        reads = reads || !writes(&requests[i]);
        fail(driver, &answers[i]);
    }
    if (reads)
        perform_reads(driver, requests, count, answers);
}

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
    enum row row;
    while ((row = next_row(driver, statement)) == ROW && driver->plan_count < room)
        plan[driver->plan_count++] = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return row == NO_ROW;
}

/* What is there already, and the same, was folded by a process that did not come to the end of its plan. */
static bool fold_one(struct store_driver *driver, int64_t sequence)
{
    sqlite3_bind_int64(driver->statements[FOLD_ONE], 1, sequence);
    if (run(driver, FOLD_ONE))
        return true;
    if (driver->lost)
        return false;
    sqlite3_stmt *statement = driver->statements[FOLDED_ALREADY];
    sqlite3_bind_int64(statement, 1, sequence);
    bool already = next_row(driver, statement) == ROW;
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
    return run(driver, CLEAR_RECENT);
}

static void end_plan(struct store_driver *driver)
{
    driver->folded = driver->plan_last;
    driver->fold_at = driver->plan_last + RECENT_MAX;
    driver->plan_count = driver->plan_done = 0;
    heads_trim(driver->heads, HEADS_BYTES_MAX, driver->folded);
}

/* Recent events into the folded half: sorted, so that neighbours are written together, and a part at a time, so that no
 * batch waits long. */
static bool fold(struct store_driver *driver)
{
    bool planned = driver->plan_count > 0 || (driver->heads_valid && make_plan(driver));
    if (planned && driver->plan_count == 0) {
        end_plan(driver); /* sequences were given and taken back */
        return true;
    }
    /* The transaction's beginning may find that the plan is void, as after a stranger's write. */
    if (planned && begin(driver, true) && (driver->plan_count == 0 || fold_some(driver)) &&
        run(driver, COMMIT)) {
        if (driver->plan_count > 0 && driver->plan_done == driver->plan_count)
            end_plan(driver);
        return true;
    }
    roll_back(driver);
    driver->plan_count = driver->plan_done = 0;
    driver->fold_at = driver->sequence + RECENT_MAX / 4; /* not again at once */
    return false;
}

static void keep_house(struct store_driver *driver)
{
    bool due = driver->sequence >= driver->fold_at && driver->sequence > driver->folded;
    if (due || driver->plan_count > 0)
        fold(driver);
    if (driver->wal_pages < WAL_PAGES_MAX)
        return;
    /* If a reader outside holds it up, the next commit counts the pages anew. */
    sqlite3_wal_checkpoint_v2(driver->database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    driver->wal_pages = 0;
}

static void perform(struct store_driver *driver, const struct store_request *requests, int count,
                    struct store_answer *answers)
{
    if (count == 0) {
        keep_house(driver);
        return;
    }
    bool written = false;
    for (int i = 0; i < count; i++) {
        answers[i] = (struct store_answer){.ticket = requests[i].ticket, .ask = requests[i].ask};
        written = written || writes(&requests[i]);
    }
    if (!try_batch(driver, requests, count, answers, written))
        perform_failed(driver, requests, count, answers);
}

/* --- opening ---------------------------------------------------------------------------------- */

static int count_wal_pages(void *context, sqlite3 *database, const char *name, int pages)
{
    (void)database;
    (void)name;
    struct store_driver *driver = context;
    driver->wal_pages = pages;
    return SQLITE_OK;
}

/* What is said when opening fails: the file, then SQLite's words. */
static void say_failure(const struct store_driver *driver, char *words, size_t words_size)
{
    int code = driver->database == NULL ? SQLITE_NOMEM : sqlite3_errcode(driver->database);
    const char *what = code == SQLITE_NOTADB || code == SQLITE_CORRUPT
                           ? "is damaged or not a database"
                           : "cannot be opened";
    snprintf(words, words_size, "%.80s %s: %s", driver->file.path, what,
             driver->database == NULL ? "out of memory" : sqlite3_errmsg(driver->database));
}

static bool read_number(struct store_driver *driver, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(driver->database, sql, -1, &statement, NULL) != SQLITE_OK)
        return false;
    bool read = sqlite3_step(statement) == SQLITE_ROW;
    if (read)
        *number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return read;
}

static bool execute(struct store_driver *driver, const char *sql)
{
    return sqlite3_exec(driver->database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* Changes nothing: what is not ours stays as it is. */
static bool recognise(struct store_driver *driver, int64_t *version, char *words, size_t words_size)
{
    int64_t application, objects;
    if (!read_number(driver, "PRAGMA application_id", &application) ||
        !read_number(driver, "PRAGMA user_version", version) ||
        !read_number(driver, "SELECT count(*) FROM sqlite_schema", &objects)) {
        say_failure(driver, words, words_size);
        return false;
    }
    bool empty = application == 0 && *version == 0 && objects == 0;
    if (!empty && application != APPLICATION_ID) {
        snprintf(words, words_size, "%.100s is another program's database", driver->file.path);
        return false;
    }
    if (*version > sqlite_migration_count) {
        snprintf(words, words_size,
                 "%.45s was written by a newer server (schema %" PRId64
                 ", this one knows up to %d): start that one, or restore an older copy",
                 driver->file.path, *version, sqlite_migration_count);
        return false;
    }
    return true;
}

/* One transaction: a server that is killed in the middle leaves the older schema. */
static bool migrate(struct store_driver *driver, int64_t from)
{
    if (from == sqlite_migration_count)
        return true;
    if (!execute(driver, "BEGIN IMMEDIATE"))
        return false;
    for (int64_t i = from; i < sqlite_migration_count; i++) {
        if (!execute(driver, sqlite_migrations[i].sql))
            return false;
    }
    char sql[96];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
             (int)APPLICATION_ID, sqlite_migration_count);
    return execute(driver, sql);
}

static bool prepare_statements(struct store_driver *driver)
{
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        if (sqlite3_prepare_v3(driver->database, statement_sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &driver->statements[i], NULL) != SQLITE_OK)
            return false;
    }
    return true;
}

static bool settle(struct store_driver *driver)
{
    char settings[320];
    snprintf(settings, sizeof settings,
             "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -%d;"
             "PRAGMA journal_size_limit = %d; PRAGMA temp_store = MEMORY;"
             "PRAGMA secure_delete = OFF; PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF",
             (int)CACHE_KIB, (int)WAL_BYTES_KEPT);
    if (!execute(driver, settings))
        return false;
    sqlite3_wal_hook(driver->database, count_wal_pages, driver);
    return true;
}

/* What the last server left in the WAL can be read, and yet need not be on disk: a sync that failed is forgotten by the
 * kernel, and the pages pass for written. So it is written into the database and synced there, and the WAL begins
 * anew, before anything is built on it or told of it. */
static bool adopt_log(struct store_driver *driver)
{
    return sqlite3_wal_checkpoint_v2(driver->database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL,
                                     NULL) == SQLITE_OK;
}

static bool open_database(struct store_driver *driver, char *words, size_t words_size)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int64_t version = 0;
    bool open = sqlite3_open_v2(driver->file.path, &driver->database, flags, NULL) == SQLITE_OK &&
                sqlite3_busy_timeout(driver->database, BUSY_MS_MAX) == SQLITE_OK;
    if (open && !recognise(driver, &version, words, words_size))
        return false;
    if (open && settle(driver) && adopt_log(driver) && migrate(driver, version) &&
        prepare_statements(driver) && execute(driver, "DELETE FROM node") && begin(driver, false) &&
        run(driver, COMMIT))
        return true;
    say_failure(driver, words, words_size);
    return false;
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

static struct store_driver *open_driver(const char *url, char *words, size_t words_size)
{
    struct store_driver *driver = calloc(1, sizeof *driver);
    if (driver == NULL) {
        snprintf(words, words_size, "out of memory");
        return NULL;
    }
    if (!database_file_init(&driver->file, url, words, words_size)) {
        free(driver);
        return NULL;
    }
    driver->fold_at = RECENT_MAX;
    driver->heads = heads_new();
    if (driver->heads == NULL) {
        snprintf(words, words_size, "out of memory");
        close_driver(driver);
        return NULL;
    }
    if (!open_database(driver, words, words_size)) {
        close_driver(driver);
        return NULL;
    }
    return driver;
}

/* A server that ends in peace leaves a folded log and no WAL; one that is killed leaves as much as
 * is needed. */
static void close_in_peace(struct store_driver *driver)
{
    bool going = true;
    while (going && driver->sequence > driver->folded)
        going = fold(driver);
    close_driver(driver);
}

const struct store_driver_table store_sqlite = {
    .scheme = "sqlite",
    .open = open_driver,
    .perform = perform,
    .close = close_in_peace,
};
