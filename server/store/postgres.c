/* The store on PostgreSQL: several servers, one truth.
 *
 * A batch is one transaction, and the appends of games going on travel in one round trip: BEGIN, one fenced append for
 * each, COMMIT, through libpq's pipeline. An append is one statement (append_event in migrations/postgres): it finds
 * out itself whether the command was seen before and whether the room is at the expected version, so neighbours of a
 * batch cost each other nothing.
 *
 * A connection that dies inside COMMIT leaves a question, and the answer is looked up, never assumed: the batch is
 * asked again on a new connection, and an append that the database calls a duplicate of itself was committed. Only if
 * no connection can be had in WAIT_MS is the answer STORE_UNKNOWN. */
#include "server/store/arena.h"
#include "server/store/migrations.h"
#include "server/store/store.h"

#include <libpq-fe.h>

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    WAIT_MS = 8000, /* how long a batch waits for a database that is away */
    RETRY_MS = 100, /* between two tries to connect */
    AGAIN_MAX =
        3, /* tries of one batch that the database undoes: deadlock, a race for one command */
    SECRET_BYTES = 32,
    MIGRATION_LOCK = 0x53656e74,
    PARAMETERS_MAX = 15,
    NUMBER_BYTES = 24,
};

#define EVENT_COLUMNS "version, at, kind, client, command, body"
#define ROOM_COLUMNS                                                                               \
    "id, game, title, definition, is_public, status, created_at, players, version, epoch"

/* clang-format off */
#define STATEMENTS(X)                                                                                                  \
    X(APPEND,        9, "SELECT * FROM append_event($1, $2, $3, $4, $5, $6, $7, $8, $9)")                              \
    X(CREATE,       15, "SELECT * FROM create_room($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)") \
    X(CLAIM,         2, "SELECT * FROM claim_room($1, $2)")                                                            \
    X(RENEW,         4, "SELECT renew_lease($1, $2, $3, $4)")                                                          \
    X(RELEASE,       3, "UPDATE room SET owner = NULL, epoch = epoch + 1"                                              \
                        " WHERE id = $1 AND owner = $2 AND epoch = $3")                                                \
    X(LEAVE,         1, "DELETE FROM node WHERE id = $1")                                                              \
    X(CLEAR_SEATS,   1, "DELETE FROM seat WHERE room = $1")                                                            \
    X(ADD_SEAT,      8, "INSERT INTO seat (room, number, seat, player, token_hash, name, bot, house, created_at)"      \
                        " SELECT id, $2, $3, $4, $5, $6, $7, $8, created_at FROM room WHERE id = $1")                  \
    X(SAME_EVENT,    6, "SELECT 1 FROM event WHERE (room, version, at, kind, client, body) = ($1, $2, $3, $4, $5, $6)") \
    X(ROOM,          1, "SELECT " ROOM_COLUMNS " FROM room WHERE id = $1")                                             \
    X(EVENTS,        3, "SELECT " EVENT_COLUMNS " FROM event WHERE room = $1 AND version BETWEEN $2 AND $3"            \
                        " ORDER BY version")                                                                           \
    X(OPEN_ROOMS,    1, "SELECT " ROOM_COLUMNS " FROM room WHERE is_public AND status < 2"                             \
                        " ORDER BY status, created_at DESC, id LIMIT $1")                                              \
    X(PLAYER_ROOMS,  2, "SELECT " ROOM_COLUMNS " FROM room JOIN (SELECT room FROM seat WHERE player = $1"              \
                        " GROUP BY created_at, room ORDER BY created_at DESC, room LIMIT $2) mine ON mine.room = id"   \
                        " ORDER BY created_at DESC, id")                                                               \
    X(SEATS,         1, "SELECT seat, player, token_hash, name, bot, house FROM seat WHERE room = $1 ORDER BY number") \
    X(DEFINITION,    1, "SELECT text FROM definition WHERE hash = $1")                                                 \
    X(SECRET,        0, "SELECT value FROM secret WHERE name = 'server'")                                              \
    X(ADD_SECRET,    1, "INSERT INTO secret (name, value) VALUES ('server', $1) ON CONFLICT DO NOTHING")
/* clang-format on */

enum statement {
#define X(name, parameters, sql) name,
    STATEMENTS(X)
#undef X
        STATEMENT_COUNT
};

static const struct {
    const char *name, *sql;
    int parameters;
} statements[] = {
#define X(name, parameters, sql) {#name, sql, parameters},
    STATEMENTS(X)
#undef X
};

/* How one go at a batch went. */
enum attempt {
    ATTEMPT_DONE,
    ATTEMPT_UNDONE, /* the database refused; nothing was written */
    ATTEMPT_LOST,   /* the connection died before COMMIT was sent: nothing was written */
    ATTEMPT_UNKNOWN /* … and after */
};

struct store_driver {
    char *url;
    PGconn *connection;
    bool away;  /* the last batch could not be performed: the next one does not wait as long */
    bool again; /* this batch may have been committed by an earlier try */
    char words[160];
};

/* --- the connection --------------------------------------------------------------------------- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The first line of what the library says, without its end. */
static void say(char *words, size_t size, const char *what, const char *message)
{
    int length = (int)strcspn(message, "\n");
    snprintf(words, size, "%s%.*s", what, length, message);
}

static void note(struct store_driver *driver)
{
    say(driver->words, sizeof driver->words, "", PQerrorMessage(driver->connection));
}

static bool alive(const struct store_driver *driver)
{
    return driver->connection != NULL && PQstatus(driver->connection) == CONNECTION_OK;
}

static void disconnect(struct store_driver *driver)
{
    PQfinish(driver->connection);
    driver->connection = NULL;
}

static void be_quiet(void *context, const char *message)
{
    (void)context;
    (void)message;
}

static bool execute(struct store_driver *driver, const char *sql)
{
    PGresult *result = PQexec(driver->connection, sql);
    ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return true;
    note(driver);
    return false;
}

/* What the URL does not say itself: a server that is gone is noticed within seconds. */
static bool dial(struct store_driver *driver)
{
    static const char *const keys[] = {
        "dbname",           "application_name", "connect_timeout",     "keepalives_idle",
        "keepalives_count", "tcp_user_timeout", "keepalives_interval", NULL};
    const char *const values[] = {driver->url, "senet", "3", "5", "2", "5000", "2", NULL};
    disconnect(driver);
    driver->connection = PQconnectdbParams(keys, values, 1);
    if (driver->connection == NULL) {
        snprintf(driver->words, sizeof driver->words, "out of memory");
        return false;
    }
    if (PQstatus(driver->connection) != CONNECTION_OK) {
        note(driver);
        return false;
    }
    PQsetNoticeProcessor(driver->connection, be_quiet, NULL);
    /* A commit is acknowledged when it is on disk, whatever the server's own setting says. */
    return execute(driver, "SET synchronous_commit = on; SET lock_timeout = '5s';"
                           "SET statement_timeout = '30s'; SET client_encoding = 'UTF8'");
}

static bool prepare(struct store_driver *driver)
{
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        PGresult *result = PQprepare(driver->connection, statements[i].name, statements[i].sql,
                                     statements[i].parameters, NULL);
        bool prepared = PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
        if (!prepared) {
            note(driver);
            return false;
        }
    }
    return true;
}

/* A new connection, ready to work; tried again until the time is over. */
static bool reconnect(struct store_driver *driver, int64_t deadline_ms)
{
    for (;;) {
        if (dial(driver) && prepare(driver))
            return true;
        disconnect(driver);
        if (now_ms() >= deadline_ms)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * 1000000L}, NULL);
    }
}

/* --- one statement ---------------------------------------------------------------------------- */

/* Parameters on their way: texts are borrowed, numbers are kept here. */
struct parameters {
    int count, numbers;
    const char *values[PARAMETERS_MAX];
    char texts[PARAMETERS_MAX][NUMBER_BYTES];
};

static void add_text(struct parameters *parameters, const char *text)
{
    assert(parameters->count < PARAMETERS_MAX);
    parameters->values[parameters->count++] = text;
}

static void add_number(struct parameters *parameters, int64_t number)
{
    assert(parameters->numbers < PARAMETERS_MAX);
    char *text = parameters->texts[parameters->numbers++];
    snprintf(text, NUMBER_BYTES, "%" PRId64, number);
    add_text(parameters, text);
}

static void add_boolean(struct parameters *parameters, bool value)
{
    add_text(parameters, value ? "t" : "f");
}

/* NULL after a failure, with words. */
static PGresult *ask(struct store_driver *driver, enum statement statement,
                     const struct parameters *parameters)
{
    assert(parameters->count == statements[statement].parameters);
    PGresult *result = PQexecPrepared(driver->connection, statements[statement].name,
                                      parameters->count, parameters->values, NULL, NULL, 0);
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return result;
    note(driver);
    PQclear(result);
    return NULL;
}

static bool run(struct store_driver *driver, enum statement statement,
                const struct parameters *parameters)
{
    PGresult *result = ask(driver, statement, parameters);
    PQclear(result);
    return result != NULL;
}

static int64_t number_at(const PGresult *result, int row, int column)
{
    return strtoll(PQgetvalue(result, row, column), NULL, 10);
}

static const char *text_at(const PGresult *result, int row, int column, void **arena)
{
    return arena_copy(arena, PQgetvalue(result, row, column),
                      (size_t)PQgetlength(result, row, column));
}

static bool truth_at(const PGresult *result, int row, int column)
{
    return PQgetvalue(result, row, column)[0] == 't';
}

static enum store_status out_of_memory(struct store_driver *driver)
{
    snprintf(driver->words, sizeof driver->words, "out of memory");
    return STORE_FAILED;
}

/* --- appending -------------------------------------------------------------------------------- */

static void put_event(struct parameters *parameters, const struct store_event *event)
{
    add_number(parameters, event->at_ms);
    add_text(parameters, event->kind);
    add_text(parameters, event->client);
    add_text(parameters, event->command);
    add_text(parameters, event->body);
}

static void put_append(struct parameters *parameters, const struct store_write *write)
{
    add_text(parameters, write->room.id);
    add_number(parameters, write->expected_version);
    add_number(parameters, write->epoch);
    add_number(parameters, write->room.status);
    put_event(parameters, &write->event);
}

static void put_creation(struct parameters *parameters, const struct store_write *write,
                         const char *node)
{
    const struct store_room *room = &write->room;
    add_text(parameters, room->id);
    add_text(parameters, room->game);
    add_text(parameters, room->title);
    add_text(parameters, room->definition_hash);
    add_text(parameters, write->definition);
    add_boolean(parameters, room->is_public);
    add_number(parameters, room->status);
    add_number(parameters, room->created_at_ms);
    add_text(parameters, room->players);
    add_text(parameters, node);
    put_event(parameters, &write->event);
}

/* An event that is found where this write would have put it, equal in all it says. */
static bool is_there(struct store_driver *driver, const struct store_write *write)
{
    struct parameters parameters = {0};
    add_text(&parameters, write->room.id);
    add_number(&parameters, write->event.version);
    add_number(&parameters, write->event.at_ms);
    add_text(&parameters, write->event.kind);
    add_text(&parameters, write->event.client);
    add_text(&parameters, write->event.body);
    PGresult *result = ask(driver, SAME_EVENT, &parameters);
    bool found = result != NULL && PQntuples(result) == 1;
    PQclear(result);
    return found;
}

/* What the database says of a write. */
static enum store_status judge(const PGresult *result, struct store_answer *answer)
{
    static const enum store_status outcomes[] = {STORE_OK, STORE_DUPLICATE, STORE_CONFLICT};
    int64_t what = number_at(result, 0, 0);
    assert(what >= 0 && what <= 2);
    if (outcomes[what] == STORE_DUPLICATE) {
        snprintf(answer->duplicate_room, sizeof answer->duplicate_room, "%s",
                 PQgetvalue(result, 0, 1));
        answer->duplicate_version = number_at(result, 0, 2);
        snprintf(answer->duplicate_kind, sizeof answer->duplicate_kind, "%s",
                 PQgetvalue(result, 0, 3));
    }
    return outcomes[what];
}

/* After a COMMIT nobody heard the end of: whether that was it which the database now speaks of. */
static bool was_committed(struct store_driver *driver, const struct store_request *request,
                          enum store_status status)
{
    const struct store_write *write = &request->writes[0];
    if (!driver->again || (status != STORE_DUPLICATE && status != STORE_CONFLICT))
        return false;
    return is_there(driver, write);
}

static bool write_seats(struct store_driver *driver, const struct store_room *room)
{
    struct parameters whose = {0};
    add_text(&whose, room->id);
    if (!run(driver, CLEAR_SEATS, &whose))
        return false;
    for (int i = 0; i < room->seat_count; i++) {
        const struct store_seat *seat = &room->seats[i];
        struct parameters parameters = {0};
        add_text(&parameters, room->id);
        add_number(&parameters, i);
        add_text(&parameters, seat->seat);
        add_text(&parameters, seat->player);
        add_text(&parameters, seat->token_hash);
        add_text(&parameters, seat->name);
        add_boolean(&parameters, seat->bot);
        add_boolean(&parameters, seat->house);
        if (!run(driver, ADD_SEAT, &parameters))
            return false;
    }
    return true;
}

static enum store_status write_one(struct store_driver *driver, const struct store_write *write,
                                   const char *node, struct store_answer *answer)
{
    bool creation = write->expected_version == 0;
    struct parameters parameters = {0};
    if (creation)
        put_creation(&parameters, write, node);
    else
        put_append(&parameters, write);
    PGresult *result = ask(driver, creation ? CREATE : APPEND, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    enum store_status status = judge(result, answer);
    PQclear(result);
    if (status != STORE_OK)
        return status;
    if ((creation || write->seats_changed) && !write_seats(driver, &write->room))
        return STORE_FAILED;
    return STORE_OK;
}

/* All writes of a request or none. */
static enum store_status append(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    assert(request->write_count >= 1 && request->write_count <= STORE_WRITES_MAX);
    enum store_status status = STORE_OK;
    bool several = request->write_count > 1;
    if (several && !execute(driver, "SAVEPOINT request"))
        return STORE_FAILED;
    for (int i = 0; i < request->write_count && status == STORE_OK; i++)
        status = write_one(driver, &request->writes[i], request->node, answer);
    if (status == STORE_FAILED)
        return status;
    if (several &&
        !execute(driver, status == STORE_OK
                             ? "RELEASE SAVEPOINT request"
                             : "ROLLBACK TO SAVEPOINT request; RELEASE SAVEPOINT request"))
        return STORE_FAILED;
    return was_committed(driver, request, status) ? STORE_OK : status;
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool copy_event(const PGresult *result, int row, void **arena, struct store_event *event)
{
    event->version = number_at(result, row, 0);
    event->at_ms = number_at(result, row, 1);
    event->kind = text_at(result, row, 2, arena);
    event->client = text_at(result, row, 3, arena);
    event->command = text_at(result, row, 4, arena);
    event->body = text_at(result, row, 5, arena);
    return event->kind != NULL && event->client != NULL && event->command != NULL &&
           event->body != NULL;
}

static enum store_status copy_events(struct store_driver *driver, const PGresult *result,
                                     const char *room, int64_t from, struct store_answer *answer)
{
    int count = PQntuples(result);
    answer->events = arena_take(&answer->arena, ((size_t)count + 1) * sizeof *answer->events);
    if (answer->events == NULL)
        return out_of_memory(driver);
    for (int i = 0; i < count; i++) {
        if (!copy_event(result, i, &answer->arena, &answer->events[i]))
            return out_of_memory(driver);
        if (answer->events[i].version == from + i)
            continue;
        snprintf(driver->words, sizeof driver->words, "event %" PRId64 " of room %s is missing",
                 from + i, room);
        return STORE_FAILED;
    }
    answer->event_count = count;
    return STORE_OK;
}

static enum store_status read_events(struct store_driver *driver, const char *room, int64_t from,
                                     int64_t to, struct store_answer *answer)
{
    if (to < from)
        return STORE_OK;
    struct parameters parameters = {0};
    add_text(&parameters, room);
    add_number(&parameters, from);
    add_number(&parameters, to);
    PGresult *result = ask(driver, EVENTS, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    enum store_status status = copy_events(driver, result, room, from, answer);
    PQclear(result);
    if (status == STORE_OK && answer->event_count != to - from + 1) {
        snprintf(driver->words, sizeof driver->words, "room %s has fewer events than it says",
                 room);
        return STORE_FAILED;
    }
    return status;
}

static bool read_seats(struct store_driver *driver, struct store_room *room, void **arena)
{
    struct parameters parameters = {0};
    add_text(&parameters, room->id);
    PGresult *result = ask(driver, SEATS, &parameters);
    if (result == NULL)
        return false;
    int count = PQntuples(result);
    bool copied = true;
    for (int i = 0; i < count && i < STORE_SEATS_MAX && copied; i++) {
        struct store_seat *seat = &room->seats[room->seat_count++];
        *seat = (struct store_seat){
            .seat = text_at(result, i, 0, arena),
            .player = text_at(result, i, 1, arena),
            .token_hash = text_at(result, i, 2, arena),
            .name = text_at(result, i, 3, arena),
            .bot = truth_at(result, i, 4),
            .house = truth_at(result, i, 5),
        };
        copied = seat->seat != NULL && seat->player != NULL && seat->token_hash != NULL &&
                 seat->name != NULL;
    }
    PQclear(result);
    if (!copied)
        out_of_memory(driver);
    return copied;
}

static bool copy_room(struct store_driver *driver, const PGresult *result, int row, void **arena,
                      struct store_room *room)
{
    *room = (struct store_room){
        .id = text_at(result, row, 0, arena),
        .game = text_at(result, row, 1, arena),
        .title = text_at(result, row, 2, arena),
        .definition_hash = text_at(result, row, 3, arena),
        .is_public = truth_at(result, row, 4),
        .status = (enum store_room_status)number_at(result, row, 5),
        .created_at_ms = number_at(result, row, 6),
        .players = text_at(result, row, 7, arena),
        .version = number_at(result, row, 8),
        .epoch = number_at(result, row, 9),
    };
    if (room->id == NULL || room->game == NULL || room->title == NULL ||
        room->definition_hash == NULL || room->players == NULL) {
        out_of_memory(driver);
        return false;
    }
    return read_seats(driver, room, arena);
}

/* The rooms a question finds, with their seats. */
static enum store_status read_rooms(struct store_driver *driver, enum statement statement,
                                    const struct parameters *parameters,
                                    struct store_answer *answer)
{
    PGresult *result = ask(driver, statement, parameters);
    if (result == NULL)
        return STORE_FAILED;
    int count = PQntuples(result);
    answer->rooms = arena_take(&answer->arena, ((size_t)count + 1) * sizeof *answer->rooms);
    enum store_status status = answer->rooms == NULL ? out_of_memory(driver) : STORE_OK;
    for (int i = 0; i < count && status == STORE_OK; i++) {
        if (copy_room(driver, result, i, &answer->arena, &answer->rooms[i]))
            answer->room_count++;
        else
            status = STORE_FAILED;
    }
    PQclear(result);
    return status;
}

static enum store_status read_room(struct store_driver *driver, const char *id,
                                   struct store_answer *answer)
{
    struct parameters parameters = {0};
    add_text(&parameters, id);
    enum store_status status = read_rooms(driver, ROOM, &parameters, answer);
    return status == STORE_OK && answer->room_count == 0 ? STORE_NOT_FOUND : status;
}

static enum store_status read_definition(struct store_driver *driver, struct store_answer *answer)
{
    struct parameters parameters = {0};
    add_text(&parameters, answer->rooms[0].definition_hash);
    PGresult *result = ask(driver, DEFINITION, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    if (PQntuples(result) == 1) {
        answer->definition = text_at(result, 0, 0, &answer->arena);
        answer->definition_length = (size_t)PQgetlength(result, 0, 0);
        if (answer->definition == NULL)
            out_of_memory(driver);
    } else {
        snprintf(driver->words, sizeof driver->words, "the definition of room %s is missing",
                 answer->rooms[0].id);
    }
    PQclear(result);
    return answer->definition == NULL ? STORE_FAILED : STORE_OK;
}

/* The room becomes the node's, or stays whose it is. It waits for whatever is being committed to the room, so what is
 * read afterwards is all there will ever be of earlier epochs. */
static enum store_status claim(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    static const enum store_status outcomes[] = {STORE_OK, STORE_OWNED, STORE_NOT_FOUND};
    struct parameters parameters = {0};
    add_text(&parameters, request->room);
    add_text(&parameters, request->node);
    PGresult *result = ask(driver, CLAIM, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    int64_t what = number_at(result, 0, 0);
    assert(what >= 0 && what <= 2);
    enum store_status status = outcomes[what];
    if (status == STORE_OWNED) {
        answer->owner_url = text_at(result, 0, 1, &answer->arena);
        answer->lease_left_ms = number_at(result, 0, 2);
        if (answer->owner_url == NULL)
            status = out_of_memory(driver);
    }
    PQclear(result);
    return status;
}

static enum store_status load(struct store_driver *driver, const struct store_request *request,
                              struct store_answer *answer)
{
    enum store_status status = request->node == NULL ? STORE_OK : claim(driver, request, answer);
    if (status == STORE_OK)
        status = read_room(driver, request->room, answer);
    if (status == STORE_OK)
        status = read_definition(driver, answer);
    if (status == STORE_OK)
        status = read_events(driver, request->room, 1, answer->rooms[0].version, answer);
    return status;
}

static enum store_status history(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    enum store_status status = read_room(driver, request->room, answer);
    if (status != STORE_OK)
        return status;
    int64_t from = request->from < 1 ? 1 : request->from, to = request->to;
    if (to > answer->rooms[0].version)
        to = answer->rooms[0].version;
    if (to >= from && to - from >= STORE_HISTORY_MAX)
        to = from + STORE_HISTORY_MAX - 1;
    answer->room_count = 0;
    answer->rooms = NULL;
    return read_events(driver, request->room, from, to, answer);
}

static enum store_status open_rooms(struct store_driver *driver,
                                    const struct store_request *request,
                                    struct store_answer *answer)
{
    (void)request;
    struct parameters parameters = {0};
    add_number(&parameters, STORE_OPEN_ROOMS_MAX);
    return read_rooms(driver, OPEN_ROOMS, &parameters, answer);
}

static enum store_status player_rooms(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer)
{
    struct parameters parameters = {0};
    add_text(&parameters, request->player);
    add_number(&parameters, STORE_PLAYER_ROOMS_MAX);
    return read_rooms(driver, PLAYER_ROOMS, &parameters, answer);
}

/* Two servers that begin together agree on the first one's. */
static bool make_secret(struct store_driver *driver)
{
    unsigned char bytes[SECRET_BYTES];
    char text[2 * SECRET_BYTES + 1];
    if (getentropy(bytes, sizeof bytes) != 0) {
        snprintf(driver->words, sizeof driver->words, "the system gives no random bytes");
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    struct parameters parameters = {0};
    add_text(&parameters, text);
    return run(driver, ADD_SECRET, &parameters);
}

static enum store_status secret(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    (void)request;
    const struct parameters none = {0};
    for (int made = 0; made < 2; made++) {
        PGresult *result = ask(driver, SECRET, &none);
        if (result == NULL)
            return STORE_FAILED;
        bool found = PQntuples(result) == 1;
        if (found)
            answer->secret = text_at(result, 0, 0, &answer->arena);
        PQclear(result);
        if (found)
            return answer->secret == NULL ? out_of_memory(driver) : STORE_OK;
        if (!make_secret(driver))
            return STORE_FAILED;
    }
    snprintf(driver->words, sizeof driver->words, "the secret cannot be kept");
    return STORE_FAILED;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static enum store_status lease(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    struct parameters parameters = {0};
    add_text(&parameters, request->node);
    add_text(&parameters, request->place);
    add_text(&parameters, request->url);
    add_number(&parameters, request->lease_ms);
    PGresult *result = ask(driver, RENEW, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    answer->other_nodes = (int)number_at(result, 0, 0);
    PQclear(result);
    return STORE_OK;
}

static enum store_status release(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    (void)answer;
    struct parameters parameters = {0};
    add_text(&parameters, request->room);
    add_text(&parameters, request->node);
    add_number(&parameters, request->epoch);
    return run(driver, RELEASE, &parameters) ? STORE_OK : STORE_FAILED;
}

static enum store_status leave(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    (void)answer;
    struct parameters parameters = {0};
    add_text(&parameters, request->node);
    return run(driver, LEAVE, &parameters) ? STORE_OK : STORE_FAILED;
}

/* --- batches ---------------------------------------------------------------------------------- */

typedef enum store_status perform_request(struct store_driver *driver,
                                          const struct store_request *request,
                                          struct store_answer *answer);

static perform_request *const asks[] = {
    [STORE_APPEND] = append,
    [STORE_LOAD] = load,
    [STORE_HISTORY] = history,
    [STORE_OPEN_ROOMS] = open_rooms,
    [STORE_PLAYER_ROOMS] = player_rooms,
    [STORE_SECRET] = secret,
    [STORE_LEASE] = lease,
    [STORE_RELEASE] = release,
    [STORE_LEAVE] = leave,
};

/* An append that is one statement, and so can travel with others. */
static bool is_plain(const struct store_request *request)
{
    return request->ask == STORE_APPEND && request->write_count == 1 &&
           request->writes[0].expected_version > 0 && !request->writes[0].seats_changed;
}

static bool send_plain(struct store_driver *driver, const struct store_request *request)
{
    struct parameters parameters = {0};
    put_append(&parameters, &request->writes[0]);
    if (PQsendQueryPrepared(driver->connection, statements[APPEND].name, parameters.count,
                            parameters.values, NULL, NULL, 0) == 1)
        return true;
    note(driver);
    return false;
}

static bool send_words(struct store_driver *driver, const char *sql)
{
    if (PQsendQueryParams(driver->connection, sql, 0, NULL, NULL, NULL, NULL, 0) == 1)
        return true;
    note(driver);
    return false;
}

/* The next result of a pipeline; each statement's ends with a NULL. */
static bool receive(struct store_driver *driver, struct store_answer *answer)
{
    PGresult *result = PQgetResult(driver->connection);
    ExecStatusType status = PQresultStatus(result);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (good && answer != NULL)
        answer->status = judge(result, answer);
    if (!good && status != PGRES_PIPELINE_ABORTED)
        note(driver);
    PQclear(result);
    if (result != NULL)
        PQclear(PQgetResult(driver->connection));
    return good;
}

static bool receive_sync(struct store_driver *driver)
{
    PGresult *result = PQgetResult(driver->connection);
    bool good = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
    PQclear(result);
    return good;
}

/* Plain appends, one after the other, with the transaction's beginning and end where they belong, in one round trip. */
static bool perform_plain(struct store_driver *driver, const struct store_request *requests,
                          int count, struct store_answer *answers, bool first, bool last)
{
    bool good = PQenterPipelineMode(driver->connection) == 1;
    if (!good)
        return false;
    good = !first || send_words(driver, "BEGIN");
    for (int i = 0; i < count && good; i++)
        good = send_plain(driver, &requests[i]);
    good =
        good && (!last || send_words(driver, "COMMIT")) && PQpipelineSync(driver->connection) == 1;
    if (!good || !alive(driver)) {
        disconnect(driver);
        return false;
    }
    if (first)
        good = receive(driver, NULL);
    for (int i = 0; i < count; i++)
        good = receive(driver, &answers[i]) && good;
    if (last)
        good = receive(driver, NULL) && good;
    if (!receive_sync(driver) || PQexitPipelineMode(driver->connection) != 1) {
        disconnect(driver);
        return false;
    }
    return good;
}

static int plain_run(const struct store_request *requests, int from, int count)
{
    int end = from;
    while (end < count && is_plain(&requests[end]))
        end++;
    return end - from;
}

static void answer_init(const struct store_request *request, struct store_answer *answer)
{
    *answer = (struct store_answer){.ticket = request->ticket, .ask = request->ask};
}

static void answers_clear(const struct store_request *requests, int count,
                          struct store_answer *answers)
{
    for (int i = 0; i < count; i++) {
        store_answer_release(&answers[i]);
        answer_init(&requests[i], &answers[i]);
    }
}

/* Statement by statement, but for runs of plain appends. */
static bool perform_all(struct store_driver *driver, const struct store_request *requests,
                        int count, struct store_answer *answers, bool *committing)
{
    bool begun = false, ended = false;
    for (int i = 0; i < count;) {
        int plain = driver->again ? 0 : plain_run(requests, i, count);
        ended = i + plain == count;
        *committing = *committing || ended;
        if (plain > 0) {
            if (!perform_plain(driver, requests + i, plain, answers + i, !begun, ended))
                return false;
            begun = true;
            i += plain;
            continue;
        }
        if (!begun && !execute(driver, "BEGIN"))
            return false;
        begun = true;
        answers[i].status = asks[requests[i].ask](driver, &requests[i], &answers[i]);
        if (answers[i].status == STORE_FAILED)
            return false;
        i++;
    }
    *committing = true;
    return ended || execute(driver, "COMMIT");
}

static enum attempt try_batch(struct store_driver *driver, const struct store_request *requests,
                              int count, struct store_answer *answers)
{
    bool committing = false;
    driver->words[0] = '\0';
    if (perform_all(driver, requests, count, answers, &committing))
        return ATTEMPT_DONE;
    if (alive(driver)) {
        /* The server said no and is still there: what it refused, it undid. */
        if (PQtransactionStatus(driver->connection) == PQTRANS_IDLE || execute(driver, "ROLLBACK"))
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

/* Tries until it is done, or the database refuses for good, or it stays away too long. False: nothing is done, but
 * what an earlier try may have committed. */
static bool persist(struct store_driver *driver, const struct store_request *requests, int count,
                    struct store_answer *answers)
{
    int64_t deadline_ms = now_ms() + (driver->away ? RETRY_MS : WAIT_MS);
    for (int undone = 0; undone < AGAIN_MAX;) {
        answers_clear(requests, count, answers);
        if (!alive(driver) && !reconnect(driver, deadline_ms)) {
            driver->away = true;
            return false;
        }
        switch (try_batch(driver, requests, count, answers)) {
        case ATTEMPT_DONE:
            driver->away = false;
            return true;
        case ATTEMPT_UNDONE:
            undone++;
            break;
        case ATTEMPT_UNKNOWN:
            driver->again = true;
            disconnect(driver);
            break;
        case ATTEMPT_LOST:
            disconnect(driver);
            if (now_ms() >= deadline_ms)
                return false;
            break;
        }
    }
    return false;
}

/* What spoils a batch is found by asking one by one: the others are not to suffer for it. */
static void perform(struct store_driver *driver, const struct store_request *requests, int count,
                    struct store_answer *answers)
{
    for (int i = 0; i < count; i++)
        answer_init(&requests[i], &answers[i]);
    if (count == 0)
        return;
    driver->again = false;
    if (persist(driver, requests, count, answers))
        return;
    bool unknown = driver->again;
    if (count == 1 || !alive(driver)) {
        fail_all(driver, requests, count, answers);
        return;
    }
    for (int i = 0; i < count; i++) {
        driver->again = unknown;
        if (!persist(driver, requests + i, 1, answers + i))
            fail_all(driver, requests + i, 1, answers + i);
    }
}

/* --- opening ---------------------------------------------------------------------------------- */

static bool read_number(struct store_driver *driver, const char *sql, int64_t *number)
{
    PGresult *result = PQexec(driver->connection, sql);
    bool read = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1;
    if (read)
        *number = number_at(result, 0, 0);
    else
        note(driver);
    PQclear(result);
    return read;
}

static bool apply_migrations(struct store_driver *driver, int64_t from)
{
    char sql[64];
    for (int64_t i = from; i < postgres_migration_count; i++) {
        if (!execute(driver, postgres_migrations[i].sql))
            return false;
    }
    snprintf(sql, sizeof sql, "UPDATE senet_schema SET version = %d", postgres_migration_count);
    return execute(driver, sql);
}

/* One transaction, under a lock of its own: two servers that begin together migrate once. */
static bool migrate(struct store_driver *driver)
{
    int64_t version = 0;
    char lock[64];
    snprintf(lock, sizeof lock, "SELECT pg_advisory_xact_lock(%d)", (int)MIGRATION_LOCK);
    if (!execute(driver, "BEGIN") || !execute(driver, lock) ||
        !execute(driver, "CREATE TABLE IF NOT EXISTS senet_schema (version integer NOT NULL)") ||
        !execute(driver,
                 "INSERT INTO senet_schema SELECT 0 WHERE NOT EXISTS (SELECT FROM senet_schema)") ||
        !read_number(driver, "SELECT version FROM senet_schema", &version))
        return false;
    if (version > postgres_migration_count) {
        snprintf(driver->words, sizeof driver->words,
                 "it was written by a newer server (schema %" PRId64
                 ", this one knows up to %d): start that one, or restore an older copy",
                 version, postgres_migration_count);
        return false;
    }
    return apply_migrations(driver, version) && execute(driver, "COMMIT");
}

static void close_driver(struct store_driver *driver)
{
    disconnect(driver);
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
        snprintf(words, words_size, "out of memory");
        return NULL;
    }
    if (dial(driver) && migrate(driver) && prepare(driver))
        return driver;
    /* The URL may hold a password: it is not repeated. */
    say(words, words_size, "the PostgreSQL database cannot be used: ", driver->words);
    close_driver(driver);
    return NULL;
}

const struct store_driver_table store_postgres = {
    .scheme = "postgresql",
    .shared = true,
    .open = open_driver,
    .perform = perform,
    .close = close_driver,
};
