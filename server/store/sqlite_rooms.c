#include "server/store/sqlite_rooms.h"

#include "server/store/arena.h"
#include "server/store/sqlite_events.h"
#include "server/store/sqlite_nodes.h"

static enum sqlite_row read_version(struct store_driver *driver, const char *room, int64_t *version)
{
    const struct head *head = heads_find(driver->heads, room);
    if (head != NULL) {
        *version = head->version;
        return ROW;
    }
    sqlite3_stmt *statement = driver->statements[FOLDED_LAST];
    sqlite_put_text(statement, 1, room);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    if (row != ROW)
        return row;
    *version = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return ROW;
}

static void version_of(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct store_driver *driver = sqlite3_user_data(context);
    int64_t version = 0;
    if (read_version(driver, (const char *)sqlite3_value_text(values[0]), &version) == ROW_FAILED)
        sqlite3_result_error(context, driver->words, -1);
    else
        sqlite3_result_int64(context, version);
}

bool sqlite_rooms_define(struct store_driver *driver)
{
    return sqlite3_create_function_v2(driver->database, "version_of", 1,
                                      SQLITE_UTF8 | SQLITE_DIRECTONLY, driver, version_of, NULL,
                                      NULL, NULL) == SQLITE_OK;
}

static bool read_seats(struct store_driver *driver, struct store_room *room, void **arena)
{
    sqlite3_stmt *statement = driver->statements[SEATS];
    sqlite_put_text(statement, 1, room->id);
    enum sqlite_row row;
    while ((row = sqlite_next_row(driver, statement)) == ROW &&
           room->seat_count < STORE_SEATS_MAX) {
        struct store_seat *seat = &room->seats[room->seat_count++];
        seat->seat = sqlite_copy_text_at(driver, arena, statement, 0);
        seat->player = sqlite_copy_text_at(driver, arena, statement, 1);
        seat->token_hash = sqlite_copy_text_at(driver, arena, statement, 2);
        seat->name = sqlite_copy_text_at(driver, arena, statement, 3);
        seat->bot = sqlite3_column_int(statement, 4) != 0;
        seat->house = sqlite3_column_int(statement, 5) != 0;
        if (!driver_seat_is_whole(seat))
            break;
    }
    sqlite3_reset(statement);
    return row == NO_ROW;
}

static bool copy_room(struct store_driver *driver, void **arena, sqlite3_stmt *row,
                      struct store_room *room)
{
    *room = (struct store_room){
        .id = sqlite_copy_text_at(driver, arena, row, 0),
        .game = sqlite_copy_text_at(driver, arena, row, 1),
        .title = sqlite_copy_text_at(driver, arena, row, 2),
        .definition_hash = sqlite_copy_text_at(driver, arena, row, 3),
        .is_public = sqlite3_column_int(row, 4) != 0,
        .status = (enum store_room_status)sqlite3_column_int(row, 5),
        .created_at_ms = sqlite3_column_int64(row, 6),
        .players = sqlite_copy_text_at(driver, arena, row, 7),
        .epoch = sqlite3_column_int64(row, 8),
        .ladder = sqlite3_column_type(row, 9) == SQLITE_NULL
                      ? NULL
                      : sqlite_copy_text_at(driver, arena, row, 9),
    };
    if (!driver_room_is_whole(room) || read_version(driver, room->id, &room->version) != ROW)
        return false;
    if (sqlite3_column_int64(row, 11) == room->version)
        room->to_move = sqlite_copy_text_at(driver, arena, row, 10);
    return read_seats(driver, room, arena);
}

static bool take_rooms(struct store_driver *driver, struct store_answer *answer, size_t count)
{
    answer->rooms = arena_take(&answer->arena, count * sizeof *answer->rooms);
    if (answer->rooms == NULL)
        sqlite_note_memory(driver);
    return answer->rooms != NULL;
}

/* Adds the room the caller bound by id to ROOM. */
static enum sqlite_row add_room(struct store_driver *driver, const char *id,
                                struct store_answer *answer)
{
    sqlite3_stmt *statement = driver->statements[ROOM];
    sqlite_put_text(statement, 1, id);
    enum sqlite_row row = sqlite_next_row(driver, statement);
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
    sqlite_put_text(statement, 1, answer->rooms[0].definition_hash);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    if (row == NO_ROW)
        driver_say_definition_missing(driver->words, sizeof driver->words, answer->rooms[0].id);
    if (row != ROW)
        return STORE_FAILED;
    answer->definition = sqlite_copy_text_at(driver, &answer->arena, statement, 0);
    answer->definition_length = (size_t)sqlite3_column_bytes(statement, 0);
    sqlite3_reset(statement);
    return answer->definition == NULL ? STORE_FAILED : STORE_OK;
}

enum store_status sqlite_load(struct store_driver *driver, const struct store_request *request,
                              struct store_answer *answer)
{
    if (request->node != NULL && !sqlite_own(driver, request))
        return STORE_FAILED;
    if (!take_rooms(driver, answer, 1))
        return STORE_FAILED;
    enum sqlite_row row = add_room(driver, request->room, answer);
    if (row != ROW)
        return row == NO_ROW ? STORE_NOT_FOUND : STORE_FAILED;
    enum store_status status = read_definition(driver, answer);
    if (status != STORE_OK)
        return status;
    return sqlite_events_read(driver, request->room, 1, answer->rooms[0].version, answer);
}

enum store_status sqlite_tail(struct store_driver *driver, const struct store_request *request,
                              struct store_answer *answer)
{
    if (!take_rooms(driver, answer, 1))
        return STORE_FAILED;
    enum sqlite_row row = add_room(driver, request->room, answer);
    if (row != ROW)
        return row == NO_ROW ? STORE_NOT_FOUND : STORE_FAILED;
    struct driver_range range = driver_bound_tail(request, answer->rooms[0].version);
    return sqlite_events_read(driver, request->room, range.from, range.to, answer);
}

enum store_status sqlite_behind(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    if (!driver_take_known(request, answer)) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    for (int i = 0; i < request->known_count; i++) {
        const struct store_known *known = &request->known[i];
        int64_t version = 0;
        if (read_version(driver, known->room, &version) == ROW_FAILED)
            return STORE_FAILED;
        if (version != known->version)
            driver_add_known(answer, known->room, version);
    }
    return STORE_OK;
}

enum store_status sqlite_due(struct store_driver *driver, const struct store_request *request,
                             struct store_answer *answer)
{
    int most = driver_bound_due(request);
    if (!driver_take_known(request, answer)) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    sqlite3_stmt *statement = driver->statements[DUE_ROOMS];
    sqlite3_bind_int64(statement, 1, request->from);
    sqlite3_bind_int(statement, 2, most);
    enum sqlite_row row;
    while ((row = sqlite_next_row(driver, statement)) == ROW && answer->known_count < most)
        driver_add_known(answer, sqlite_text_at(statement, 0), sqlite3_column_int64(statement, 1));
    sqlite3_reset(statement);
    return row == ROW_FAILED ? STORE_FAILED : STORE_OK;
}

enum store_status sqlite_set_due(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    (void)answer;
    for (int i = 0; i < request->known_count; i++) {
        sqlite_put_text(driver->statements[SET_DUE], 1, request->known[i].room);
        sqlite3_bind_int64(driver->statements[SET_DUE], 2, request->known[i].version);
        if (!sqlite_run(driver, SET_DUE))
            return STORE_FAILED;
    }
    return STORE_OK;
}

static bool set_turn(struct store_driver *driver, const struct store_turn *turn)
{
    sqlite3_stmt *statement = driver->statements[SET_TURN];
    int64_t version = 0;
    if (turn->version == 0)
        return true;
    enum sqlite_row row = read_version(driver, turn->room, &version);
    if (row != ROW || version != turn->version)
        return row != ROW_FAILED;
    sqlite_put_text(statement, 1, turn->room);
    sqlite_put_text(statement, 2, turn->to_move);
    sqlite3_bind_int64(statement, 3, turn->version);
    return sqlite_run(driver, SET_TURN);
}

enum store_status sqlite_release(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    (void)answer;
    for (int i = 0; i < request->turn_count; i++) {
        const struct store_turn *turn = &request->turns[i];
        if (request->node != NULL && !sqlite_give_back(driver, turn->room, request->node))
            return STORE_FAILED;
        if (!set_turn(driver, turn))
            return STORE_FAILED;
    }
    return STORE_OK;
}

enum store_status sqlite_history(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    int64_t version;
    enum sqlite_row row = read_version(driver, request->room, &version);
    if (row != ROW)
        return row == NO_ROW ? STORE_NOT_FOUND : STORE_FAILED;
    struct driver_range range = driver_bound_history(request, version);
    return sqlite_events_read(driver, request->room, range.from, range.to, answer);
}

enum store_status sqlite_open_rooms(struct store_driver *driver,
                                    const struct store_request *request,
                                    struct store_answer *answer)
{
    if (!take_rooms(driver, answer, STORE_OPEN_ROOMS_MAX))
        return STORE_FAILED;
    sqlite3_stmt *statement = driver->statements[OPEN_ROOMS];
    sqlite3_bind_int(statement, 1, STORE_OPEN_ROOMS_MAX);
    sqlite_put_text(statement, 2, request->node);
    enum sqlite_row row;
    while ((row = sqlite_next_row(driver, statement)) == ROW) {
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

enum store_status sqlite_player_rooms(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer)
{
    if (!take_rooms(driver, answer, STORE_PLAYER_ROOMS_MAX))
        return STORE_FAILED;
    sqlite3_stmt *statement = driver->statements[PLAYER_ROOMS];
    sqlite_put_text(statement, 1, request->player);
    sqlite3_bind_int(statement, 2, STORE_PLAYER_ROOMS_LOOKED);
    sqlite3_bind_int(statement, 3, STORE_PLAYER_ROOMS_MAX);
    sqlite3_bind_int64(statement, 4, request->from);
    enum sqlite_row row;
    while ((row = sqlite_next_row(driver, statement)) == ROW) {
        if (add_room(driver, sqlite_text_at(statement, 0), answer) == ROW)
            continue;
        sqlite3_reset(statement);
        return STORE_FAILED;
    }
    return row == NO_ROW ? STORE_OK : STORE_FAILED;
}
