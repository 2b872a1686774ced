#include "server/store/postgres_retention.h"

#include "server/store/arena.h"
#include "server/store/postgres_statements.h"
#include "server/store/retention.h"

#include <string.h>

static bool clear_removed(struct store_driver *driver, int64_t events_max,
                          struct store_survey *survey)
{
    struct postgres_parameters parameters = {0};
    postgres_add_number(&parameters, events_max);
    PGresult *result = postgres_ask(driver, CLEAR_REMOVED, &parameters);
    if (result == NULL)
        return false;
    survey->unclean = postgres_truth_at(result, 0, 0);
    PQclear(result);
    return true;
}

static bool read_size(struct store_driver *driver, struct store_survey *survey)
{
    const struct postgres_parameters none = {0};
    PGresult *result = postgres_ask(driver, SIZE, &none);
    if (result == NULL)
        return false;
    survey->database_bytes = postgres_number_at(result, 0, 0);
    survey->disk_bytes = -1;
    PQclear(result);
    return true;
}

/* Whether somebody ever moved is looked up by the database where it may matter, else it says yes. */
static PGresult *ask_for_rooms(struct store_driver *driver, const struct store_request *request)
{
    const struct store_retention *retention = &request->retention;
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->room);
    postgres_add_number(&parameters, retention_rooms(request));
    postgres_add_number(&parameters, retention->unmoved_ms > 0
                                         ? retention->now_ms - retention->unmoved_ms
                                         : INT64_MIN);
    postgres_add_number(&parameters, RETENTION_SOUGHT_MAX);
    return postgres_ask(driver, NEXT_ROOMS, &parameters);
}

static bool look_at(struct store_driver *driver, const struct store_request *request,
                    const PGresult *result, int row, struct store_answer *answer,
                    struct store_survey *survey)
{
    const struct retention_facts facts = {
        .status = (enum store_room_status)postgres_number_at(result, row, 1),
        .is_public = postgres_truth_at(result, row, 2),
        .version = postgres_number_at(result, row, 3),
        .last_ms = postgres_number_at(result, row, 4),
        .due_ms = postgres_number_at(result, row, 6),
    };
    const char *id = postgres_text_at(result, row, 0, &answer->arena);
    if (id == NULL) {
        postgres_out_of_memory(driver);
        return false;
    }
    bool moved = postgres_truth_at(result, row, 5);
    retention_note(survey, id, &facts, retention_judge(&request->retention, &facts, moved));
    survey->next = id;
    return true;
}

static bool look_around(struct store_driver *driver, const struct store_request *request,
                        struct store_answer *answer, struct store_survey *survey)
{
    int most = retention_rooms(request), row = 0;
    bool good = true;
    if (most == 0)
        return true;
    PGresult *result = ask_for_rooms(driver, request);
    if (result == NULL)
        return false;
    int count = PQntuples(result);
    while (row < count && good && !retention_is_enough(survey))
        good = look_at(driver, request, result, row++, answer, survey);
    if (row == count && count < most)
        survey->next = "";
    PQclear(result);
    return good;
}

enum store_status postgres_survey(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer)
{
    struct store_survey *survey = arena_take(&answer->arena, sizeof *survey);
    if (survey == NULL)
        return postgres_out_of_memory(driver);
    memset(survey, 0, sizeof *survey);
    survey->next = request->room;
    if (!clear_removed(driver, request->to > 0 ? request->to : 0, survey) ||
        !look_around(driver, request, answer, survey) || !read_size(driver, survey))
        return STORE_FAILED;
    answer->survey = survey;
    return STORE_OK;
}

enum store_status postgres_remove(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->room);
    postgres_add_number(&parameters, request->from);
    postgres_add_text(&parameters, request->node);
    postgres_add_number(&parameters, RETENTION_EVENTS_MAX);
    PGresult *result = postgres_ask(driver, REMOVE, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    int64_t definitions = postgres_number_at(result, 0, 0);
    PQclear(result);
    answer->removed_definitions = definitions > 0 ? (int)definitions : 0;
    return definitions < 0 ? STORE_CONFLICT : STORE_OK;
}
