#include "server/store/postgres_nodes.h"

#include "server/store/postgres_statements.h"

#include <stdio.h>

bool postgres_own(struct store_driver *driver, const struct store_request *request)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->room);
    postgres_add_text(&parameters, request->node);
    return postgres_run(driver, SET_OWNER, &parameters);
}

enum store_status postgres_lease(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->node);
    postgres_add_text(&parameters, request->place);
    postgres_add_text(&parameters, request->url);
    postgres_add_number(&parameters, request->lease_ms);
    PGresult *result = postgres_ask(driver, RENEW, &parameters);
    driver->by_itself = result != NULL && !postgres_truth_at(result, 0, 3);
    if (result == NULL)
        return STORE_FAILED;
    answer->other_nodes = (int)postgres_number_at(result, 0, 0);
    answer->is_first = postgres_truth_at(result, 0, 1);
    answer->now_ms = postgres_number_at(result, 0, 2);
    PQclear(result);
    return STORE_OK;
}

enum store_status postgres_leave(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    (void)answer;
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->node);
    return postgres_run(driver, LEAVE, &parameters) ? STORE_OK : STORE_FAILED;
}

/* Two servers that begin together agree on the first one's. */
static bool make_secret(struct store_driver *driver)
{
    char text[DRIVER_SECRET_DIGITS + 1];
    if (!driver_make_secret(text, driver->words, sizeof driver->words))
        return false;
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, text);
    return postgres_run(driver, ADD_SECRET, &parameters);
}

enum store_status postgres_secret(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer)
{
    (void)request;
    const struct postgres_parameters none = {0};
    for (int made = 0; made < 2; made++) {
        PGresult *result = postgres_ask(driver, SECRET, &none);
        if (result == NULL)
            return STORE_FAILED;
        bool found = PQntuples(result) == 1;
        if (found)
            answer->secret = postgres_text_at(result, 0, 0, &answer->arena);
        PQclear(result);
        if (found)
            return answer->secret == NULL ? postgres_out_of_memory(driver) : STORE_OK;
        if (!make_secret(driver))
            return STORE_FAILED;
    }
    snprintf(driver->words, sizeof driver->words, "the secret cannot be kept");
    return STORE_FAILED;
}
