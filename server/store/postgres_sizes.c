/* PostgreSQL knows the size of each table's files, indexes included: all is said at once. */
#include "server/store/postgres_sizes.h"

#include "server/store/arena.h"
#include "server/store/postgres_statements.h"

enum store_status postgres_measure(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    const struct postgres_parameters none = {0};
    struct store_measure *measure = arena_take(&answer->arena, sizeof *measure);
    (void)request;
    if (measure == NULL)
        return postgres_out_of_memory(driver);
    PGresult *result = postgres_ask(driver, SIZES, &none);
    if (result == NULL)
        return STORE_FAILED;
    *measure = (struct store_measure){.next = ""};
    for (int size = 0; size < STORE_SIZES; size++)
        measure->bytes[size] = postgres_number_at(result, 0, size);
    PQclear(result);
    answer->measure = measure;
    return STORE_OK;
}
