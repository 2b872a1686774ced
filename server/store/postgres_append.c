#include "server/store/postgres_append.h"

#include "server/store/postgres_connection.h"

#include <assert.h>

static void put_event(struct postgres_parameters *parameters, const struct store_event *event)
{
    postgres_add_number(parameters, event->at_ms);
    postgres_add_text(parameters, event->kind);
    postgres_add_text(parameters, event->client);
    postgres_add_text(parameters, event->command);
    postgres_add_text(parameters, event->body);
}

/* Who has one row only may wait for it; who has several, and waits, may wait for somebody who waits for him, if there is
 * anybody. */
enum postgres_statement postgres_append_statement(const struct store_driver *driver)
{
    return driver->alone || driver->by_itself ? APPEND : APPEND_IF_FREE;
}

void postgres_append_put(struct postgres_parameters *parameters, const struct store_write *write)
{
    postgres_add_text(parameters, write->room.id);
    postgres_add_number(parameters, write->expected_version);
    postgres_add_number(parameters, write->epoch);
    postgres_add_number(parameters, write->room.status);
    put_event(parameters, &write->event);
}

static void put_creation(struct postgres_parameters *parameters, const struct store_write *write,
                         const char *node)
{
    const struct store_room *room = &write->room;
    postgres_add_text(parameters, room->id);
    postgres_add_text(parameters, room->game);
    postgres_add_text(parameters, room->title);
    postgres_add_text(parameters, room->definition_hash);
    postgres_add_text(parameters, write->definition);
    postgres_add_boolean(parameters, room->is_public);
    postgres_add_number(parameters, room->status);
    postgres_add_number(parameters, room->created_at_ms);
    postgres_add_text(parameters, room->players);
    postgres_add_text(parameters, node);
    put_event(parameters, &write->event);
}

/* STORE_OK: an event is found where this write would have put it, equal in all it says. */
static enum store_status look_up(struct store_driver *driver, const struct store_write *write)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, write->room.id);
    postgres_add_number(&parameters, write->event.version);
    put_event(&parameters, &write->event);
    PGresult *result = postgres_ask(driver, SAME_EVENT, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    bool found = PQntuples(result) == 1;
    PQclear(result);
    return found ? STORE_OK : STORE_NOT_FOUND;
}

enum store_status postgres_append_judge(const PGresult *result, int row,
                                        struct store_answer *answer)
{
    static const enum store_status outcomes[] = {STORE_OK, STORE_DUPLICATE, STORE_CONFLICT};
    int64_t what = postgres_number_at(result, row, 0);
    assert(what >= 0 && what <= 2);
    if (outcomes[what] == STORE_DUPLICATE)
        driver_answer_duplicate(answer, PQgetvalue(result, row, 1),
                                postgres_number_at(result, row, 2), PQgetvalue(result, row, 3));
    if (outcomes[what] == STORE_CONFLICT)
        answer->conflict_version = postgres_number_at(result, row, 2);
    return outcomes[what];
}

/* After a COMMIT nobody heard the end of: if that was it which the database now speaks of, it is STORE_OK. */
static enum store_status judge_again(struct store_driver *driver,
                                     const struct store_request *request, enum store_status status)
{
    if (!driver->again || (status != STORE_DUPLICATE && status != STORE_CONFLICT))
        return status;
    enum store_status found = look_up(driver, &request->writes[0]);
    return found == STORE_NOT_FOUND ? status : found;
}

static bool write_seats(struct store_driver *driver, const struct store_room *room)
{
    struct postgres_parameters whose = {0};
    postgres_add_text(&whose, room->id);
    if (!postgres_run(driver, CLEAR_SEATS, &whose))
        return false;
    for (int i = 0; i < room->seat_count; i++) {
        const struct store_seat *seat = &room->seats[i];
        struct postgres_parameters parameters = {0};
        postgres_add_text(&parameters, room->id);
        postgres_add_number(&parameters, i);
        postgres_add_text(&parameters, seat->seat);
        postgres_add_text(&parameters, seat->player);
        postgres_add_text(&parameters, seat->token_hash);
        postgres_add_text(&parameters, seat->name);
        postgres_add_boolean(&parameters, seat->bot);
        postgres_add_boolean(&parameters, seat->house);
        if (!postgres_run(driver, ADD_SEAT, &parameters))
            return false;
    }
    return true;
}

static bool write_due(struct store_driver *driver, const struct store_room *room)
{
    struct postgres_parameters parameters = {0};
    if (room->due_at_ms == 0)
        return true;
    postgres_add_text(&parameters, room->id);
    postgres_add_number(&parameters, room->due_at_ms);
    postgres_add_text(&parameters, room->ladder == NULL ? "" : room->ladder);
    return postgres_run(driver, SET_NEW_DUE, &parameters);
}

static enum store_status write_one(struct store_driver *driver, const struct store_write *write,
                                   const char *node, struct store_answer *answer)
{
    bool creation = write->expected_version == 0;
    struct postgres_parameters parameters = {0};
    if (creation)
        put_creation(&parameters, write, node);
    else
        postgres_append_put(&parameters, write);
    PGresult *result =
        postgres_ask(driver, creation ? CREATE : postgres_append_statement(driver), &parameters);
    if (result == NULL)
        return STORE_FAILED;
    enum store_status status = postgres_append_judge(result, 0, answer);
    PQclear(result);
    if (status != STORE_OK)
        return status;
    if (creation && !write_due(driver, &write->room))
        return STORE_FAILED;
    if ((creation || write->seats_changed) && !write_seats(driver, &write->room))
        return STORE_FAILED;
    return STORE_OK;
}

enum store_status postgres_append(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer)
{
    assert(request->write_count >= 1 && request->write_count <= STORE_WRITES_MAX);
    enum store_status status = STORE_OK;
    bool several = request->write_count > 1;
    driver->alone = driver->alone && !several;
    if (several && !postgres_execute(driver, "SAVEPOINT request"))
        return STORE_FAILED;
    for (int i = 0; i < request->write_count && status == STORE_OK; i++)
        status = write_one(driver, &request->writes[i], request->node, answer);
    if (status == STORE_FAILED)
        return status;
    if (several &&
        !postgres_execute(driver, status == STORE_OK
                                      ? "RELEASE SAVEPOINT request"
                                      : "ROLLBACK TO SAVEPOINT request; RELEASE SAVEPOINT request"))
        return STORE_FAILED;
    return judge_again(driver, request, status);
}
