#include "server/store/postgres_rooms.h"

#include "server/store/arena.h"
#include "server/store/postgres_nodes.h"
#include "server/store/postgres_statements.h"

#include <stdio.h>

enum { WHOLE_ROOM_TRIES = 8 };

static bool copy_event(const PGresult *result, int row, void **arena, struct store_event *event)
{
    event->version = postgres_number_at(result, row, 0);
    event->at_ms = postgres_number_at(result, row, 1);
    event->kind = postgres_text_at(result, row, 2, arena);
    event->client = postgres_text_at(result, row, 3, arena);
    event->command = postgres_text_at(result, row, 4, arena);
    event->body = postgres_text_at(result, row, 5, arena);
    return driver_event_is_whole(event);
}

static enum store_status copy_events(struct store_driver *driver, const PGresult *result,
                                     const char *room, int64_t from, struct store_answer *answer)
{
    int count = PQntuples(result);
    answer->events = arena_take(&answer->arena, ((size_t)count + 1) * sizeof *answer->events);
    if (answer->events == NULL)
        return postgres_out_of_memory(driver);
    for (int i = 0; i < count; i++) {
        if (!copy_event(result, i, &answer->arena, &answer->events[i]))
            return postgres_out_of_memory(driver);
        if (answer->events[i].version == from + i)
            continue;
        driver_say_event_missing(driver->words, sizeof driver->words, room, from + i);
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
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, room);
    postgres_add_number(&parameters, from);
    postgres_add_number(&parameters, to);
    PGresult *result = postgres_ask(driver, EVENTS, &parameters);
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
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, room->id);
    PGresult *result = postgres_ask(driver, SEATS, &parameters);
    if (result == NULL)
        return false;
    int count = PQntuples(result);
    bool copied = true;
    for (int i = 0; i < count && i < STORE_SEATS_MAX && copied; i++) {
        struct store_seat *seat = &room->seats[room->seat_count++];
        *seat = (struct store_seat){
            .seat = postgres_text_at(result, i, 0, arena),
            .player = postgres_text_at(result, i, 1, arena),
            .token_hash = postgres_text_at(result, i, 2, arena),
            .name = postgres_text_at(result, i, 3, arena),
            .bot = postgres_truth_at(result, i, 4),
            .house = postgres_truth_at(result, i, 5),
        };
        copied = driver_seat_is_whole(seat);
    }
    PQclear(result);
    if (!copied)
        postgres_out_of_memory(driver);
    return copied;
}

static bool copy_room(struct store_driver *driver, const PGresult *result, int row, void **arena,
                      struct store_room *room)
{
    *room = (struct store_room){
        .id = postgres_text_at(result, row, 0, arena),
        .game = postgres_text_at(result, row, 1, arena),
        .title = postgres_text_at(result, row, 2, arena),
        .definition_hash = postgres_text_at(result, row, 3, arena),
        .is_public = postgres_truth_at(result, row, 4),
        .status = (enum store_room_status)postgres_number_at(result, row, 5),
        .created_at_ms = postgres_number_at(result, row, 6),
        .players = postgres_text_at(result, row, 7, arena),
        .version = postgres_number_at(result, row, 8),
        .epoch = postgres_number_at(result, row, 9),
        .ladder = PQgetisnull(result, row, 10) ? NULL : postgres_text_at(result, row, 10, arena),
        .to_move = PQgetisnull(result, row, 11) ? NULL : postgres_text_at(result, row, 11, arena),
    };
    if (!driver_room_is_whole(room)) {
        postgres_out_of_memory(driver);
        return false;
    }
    return read_seats(driver, room, arena);
}

/* The rooms a question finds, with their seats. */
static enum store_status read_rooms(struct store_driver *driver, enum postgres_statement statement,
                                    const struct postgres_parameters *parameters,
                                    struct store_answer *answer)
{
    PGresult *result = postgres_ask(driver, statement, parameters);
    if (result == NULL)
        return STORE_FAILED;
    int count = PQntuples(result);
    answer->rooms = arena_take(&answer->arena, ((size_t)count + 1) * sizeof *answer->rooms);
    enum store_status status = answer->rooms == NULL ? postgres_out_of_memory(driver) : STORE_OK;
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
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, id);
    enum store_status status = read_rooms(driver, ROOM, &parameters, answer);
    return status == STORE_OK && answer->room_count == 0 ? STORE_NOT_FOUND : status;
}

/* 0: it is gone; -1: a failure. */
static int64_t read_version(struct store_driver *driver, const char *id)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, id);
    PGresult *result = postgres_ask(driver, VERSION, &parameters);
    if (result == NULL)
        return -1;
    int64_t version = PQntuples(result) == 1 ? postgres_number_at(result, 0, 0) : 0;
    PQclear(result);
    return version;
}

/* The row and its seats are two questions, and others may write between them: what was read fits together if the version
 * is the same afterwards. */
static enum store_status read_whole_room(struct store_driver *driver, const char *id,
                                         struct store_answer *answer)
{
    for (int i = 0; i < WHOLE_ROOM_TRIES; i++) {
        answer->room_count = 0;
        enum store_status status = read_room(driver, id, answer);
        if (status != STORE_OK)
            return status;
        int64_t version = read_version(driver, id);
        if (version < 0)
            return STORE_FAILED;
        if (version == answer->rooms[0].version)
            return STORE_OK;
    }
    snprintf(driver->words, sizeof driver->words, "room %s does not hold still", id);
    return STORE_FAILED;
}

static enum store_status read_definition(struct store_driver *driver, struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, answer->rooms[0].definition_hash);
    PGresult *result = postgres_ask(driver, DEFINITION, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    if (PQntuples(result) == 1) {
        answer->definition = postgres_text_at(result, 0, 0, &answer->arena);
        answer->definition_length = (size_t)PQgetlength(result, 0, 0);
        if (answer->definition == NULL)
            postgres_out_of_memory(driver);
    } else {
        driver_say_definition_missing(driver->words, sizeof driver->words, answer->rooms[0].id);
    }
    PQclear(result);
    return answer->definition == NULL ? STORE_FAILED : STORE_OK;
}

enum store_status postgres_load(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    if (request->node != NULL && !postgres_own(driver, request))
        return STORE_FAILED;
    enum store_status status = read_whole_room(driver, request->room, answer);
    if (status == STORE_OK)
        status = read_definition(driver, answer);
    if (status == STORE_OK)
        status = read_events(driver, request->room, 1, answer->rooms[0].version, answer);
    return status;
}

enum store_status postgres_tail(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    enum store_status status = read_whole_room(driver, request->room, answer);
    if (status != STORE_OK)
        return status;
    struct driver_range range = driver_bound_tail(request, answer->rooms[0].version);
    return read_events(driver, request->room, range.from, range.to, answer);
}

/* Of rooms and numbers. */
static PGresult *ask_known(struct store_driver *driver, enum postgres_statement statement,
                           const struct store_request *request)
{
    struct postgres_array columns[2];
    postgres_array_begin(&columns[0], POSTGRES_TEXT, request->known_count);
    postgres_array_begin(&columns[1], POSTGRES_INT8, request->known_count);
    for (int i = 0; i < request->known_count; i++) {
        postgres_array_add_text(&columns[0], request->known[i].room);
        postgres_array_add_number(&columns[1], request->known[i].version);
    }
    PGresult *result = postgres_ask_arrays(driver, statement, columns, 2);
    postgres_array_release(&columns[0]);
    postgres_array_release(&columns[1]);
    return result;
}

enum store_status postgres_behind(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer)
{
    if (!driver_take_known(request, answer))
        return postgres_out_of_memory(driver);
    PGresult *result = ask_known(driver, BEHIND, request);
    if (result == NULL)
        return STORE_FAILED;
    for (int i = 0; i < PQntuples(result) && i < request->known_count; i++)
        driver_add_known(answer, PQgetvalue(result, i, 0), postgres_number_at(result, i, 1));
    PQclear(result);
    return STORE_OK;
}

enum store_status postgres_due(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    int most = driver_bound_due(request);
    struct postgres_parameters parameters = {0};
    postgres_add_number(&parameters, request->from);
    postgres_add_number(&parameters, most);
    if (!driver_take_known(request, answer))
        return postgres_out_of_memory(driver);
    PGresult *result = postgres_ask(driver, DUE_ROOMS, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    for (int i = 0; i < PQntuples(result) && i < most; i++)
        driver_add_known(answer, PQgetvalue(result, i, 0), postgres_number_at(result, i, 1));
    PQclear(result);
    return STORE_OK;
}

enum store_status postgres_set_due(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    (void)answer;
    PGresult *result = ask_known(driver, SET_DUE, request);
    PQclear(result);
    return result == NULL ? STORE_FAILED : STORE_OK;
}

enum store_status postgres_release(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    enum { COLUMNS = 4 };
    struct postgres_array columns[COLUMNS];
    (void)answer;
    for (int i = 0; i < COLUMNS; i++)
        postgres_array_begin(&columns[i], i < COLUMNS - 1 ? POSTGRES_TEXT : POSTGRES_INT8,
                             request->turn_count);
    for (int i = 0; i < request->turn_count; i++) {
        const struct store_turn *turn = &request->turns[i];
        postgres_array_add_text(&columns[0], turn->room);
        postgres_array_add_text(&columns[1], request->node == NULL ? "" : request->node);
        postgres_array_add_text(&columns[2], turn->to_move);
        postgres_array_add_number(&columns[3], turn->version);
    }
    PGresult *result = postgres_ask_arrays(driver, RELEASE, columns, COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        postgres_array_release(&columns[i]);
    PQclear(result);
    return result == NULL ? STORE_FAILED : STORE_OK;
}

enum store_status postgres_history(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    enum store_status status = read_room(driver, request->room, answer);
    if (status != STORE_OK)
        return status;
    struct driver_range range = driver_bound_history(request, answer->rooms[0].version);
    answer->room_count = 0;
    answer->rooms = NULL;
    return read_events(driver, request->room, range.from, range.to, answer);
}

enum store_status postgres_open_rooms(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_number(&parameters, STORE_OPEN_ROOMS_MAX);
    postgres_add_text(&parameters, request->node == NULL ? "" : request->node);
    return read_rooms(driver, OPEN_ROOMS, &parameters, answer);
}

enum store_status postgres_player_rooms(struct store_driver *driver,
                                        const struct store_request *request,
                                        struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->player);
    postgres_add_number(&parameters, STORE_PLAYER_ROOMS_LOOKED);
    postgres_add_number(&parameters, STORE_PLAYER_ROOMS_MAX);
    postgres_add_number(&parameters, request->from);
    return read_rooms(driver, PLAYER_ROOMS, &parameters, answer);
}
