#include "server/store/postgres_statements.h"

#include "server/store/arena.h"
#include "server/store/postgres_connection.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *sql;
    int parameters;
} statements[] = {
#define X(name, parameters, sql) {#name, sql, parameters},
    POSTGRES_STATEMENTS(X)
#undef X
};

void postgres_add_text(struct postgres_parameters *parameters, const char *text)
{
    assert(parameters->count < POSTGRES_PARAMETERS_MAX);
    parameters->values[parameters->count++] = text;
}

void postgres_add_number(struct postgres_parameters *parameters, int64_t number)
{
    assert(parameters->numbers < POSTGRES_PARAMETERS_MAX);
    char *text = parameters->texts[parameters->numbers++];
    snprintf(text, POSTGRES_NUMBER_BYTES, "%" PRId64, number);
    postgres_add_text(parameters, text);
}

void postgres_add_boolean(struct postgres_parameters *parameters, bool value)
{
    postgres_add_text(parameters, value ? "t" : "f");
}

bool postgres_prepare(struct store_driver *driver)
{
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        int sent = PQsendPrepare(driver->connection, statements[i].name, statements[i].sql,
                                 statements[i].parameters, NULL);
        PGresult *result = postgres_receive_last(driver, sent);
        bool prepared = PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
        if (!prepared) {
            postgres_note(driver);
            return false;
        }
    }
    return true;
}

PGresult *postgres_ask(struct store_driver *driver, enum postgres_statement statement,
                       const struct postgres_parameters *parameters)
{
    assert(parameters->count == statements[statement].parameters);
    int sent = PQsendQueryPrepared(driver->connection, statements[statement].name,
                                   parameters->count, parameters->values, NULL, NULL, 0);
    PGresult *result = postgres_receive_last(driver, sent);
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return result;
    postgres_note(driver);
    PQclear(result);
    return NULL;
}

bool postgres_run(struct store_driver *driver, enum postgres_statement statement,
                  const struct postgres_parameters *parameters)
{
    PGresult *result = postgres_ask(driver, statement, parameters);
    PQclear(result);
    return result != NULL;
}

bool postgres_send(struct store_driver *driver, enum postgres_statement statement,
                   const struct postgres_parameters *parameters)
{
    assert(parameters->count == statements[statement].parameters);
    if (PQsendQueryPrepared(driver->connection, statements[statement].name, parameters->count,
                            parameters->values, NULL, NULL, 0) == 1)
        return true;
    postgres_note(driver);
    return false;
}

bool postgres_send_arrays(struct store_driver *driver, enum postgres_statement statement,
                          const struct postgres_array *arrays, int count)
{
    const char *values[POSTGRES_PARAMETERS_MAX];
    int lengths[POSTGRES_PARAMETERS_MAX], formats[POSTGRES_PARAMETERS_MAX];
    assert(count == statements[statement].parameters && count <= POSTGRES_PARAMETERS_MAX);
    for (int i = 0; i < count; i++) {
        if (arrays[i].failed || arrays[i].length > INT_MAX) {
            postgres_out_of_memory(driver);
            return false;
        }
        values[i] = (const char *)arrays[i].bytes;
        lengths[i] = (int)arrays[i].length;
        formats[i] = 1;
    }
    if (PQsendQueryPrepared(driver->connection, statements[statement].name, count, values, lengths,
                            formats, 0) == 1)
        return true;
    postgres_note(driver);
    return false;
}

PGresult *postgres_ask_arrays(struct store_driver *driver, enum postgres_statement statement,
                              const struct postgres_array *arrays, int count)
{
    if (!postgres_send_arrays(driver, statement, arrays, count))
        return NULL;
    PGresult *result = postgres_receive_last(driver, 1);
    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        return result;
    postgres_note(driver);
    PQclear(result);
    return NULL;
}

int64_t postgres_number_at(const PGresult *result, int row, int column)
{
    return strtoll(PQgetvalue(result, row, column), NULL, 10);
}

bool postgres_truth_at(const PGresult *result, int row, int column)
{
    return PQgetvalue(result, row, column)[0] == 't';
}

const char *postgres_text_at(const PGresult *result, int row, int column, void **arena)
{
    return arena_copy(arena, PQgetvalue(result, row, column),
                      (size_t)PQgetlength(result, row, column));
}
