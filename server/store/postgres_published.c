#include "server/store/postgres_published.h"

#include "server/store/arena.h"
#include "server/store/postgres_statements.h"

#include <assert.h>
#include <string.h>

static bool copy_publication(const PGresult *result, int row, void **arena,
                             struct store_publication *publication)
{
    *publication = (struct store_publication){
        .name = postgres_text_at(result, row, 0, arena),
        .version = postgres_number_at(result, row, 1),
        .versions = postgres_number_at(result, row, 2),
        .definition_hash = postgres_text_at(result, row, 3, arena),
        .title = postgres_text_at(result, row, 4, arena),
        .players = postgres_text_at(result, row, 5, arena),
        .ancestor = postgres_text_at(result, row, 6, arena),
        .ancestor_version = postgres_number_at(result, row, 7),
        .publisher = postgres_text_at(result, row, 8, arena),
        .listed = postgres_truth_at(result, row, 9),
        .hidden = postgres_truth_at(result, row, 10),
        .at_ms = postgres_number_at(result, row, 11),
    };
    return driver_publication_is_whole(publication);
}

static enum store_status read_publications(struct store_driver *driver,
                                           enum postgres_statement statement,
                                           const struct postgres_parameters *parameters,
                                           struct store_answer *answer)
{
    PGresult *result = postgres_ask(driver, statement, parameters);
    if (result == NULL)
        return STORE_FAILED;
    int count = PQntuples(result);
    answer->publication_count = 0;
    answer->publications =
        arena_take(&answer->arena, ((size_t)count + 1) * sizeof *answer->publications);
    bool copied = answer->publications != NULL;
    for (int i = 0; i < count && copied; i++) {
        copied = copy_publication(result, i, &answer->arena, &answer->publications[i]);
        answer->publication_count += copied;
    }
    PQclear(result);
    return copied ? STORE_OK : postgres_out_of_memory(driver);
}

/* Version 0: the newest. */
static enum store_status read_one(struct store_driver *driver, const char *name, int64_t version,
                                  struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, name);
    postgres_add_number(&parameters, version);
    enum store_status status = read_publications(driver, PUBLISHED, &parameters, answer);
    return status == STORE_OK && answer->publication_count == 0 ? STORE_NOT_FOUND : status;
}

enum store_status postgres_published(struct store_driver *driver,
                                     const struct store_request *request,
                                     struct store_answer *answer)
{
    const struct store_publication *wanted = &request->publication;
    enum store_status status = read_one(driver, wanted->name, wanted->version, answer);
    if (status != STORE_OK)
        return status;
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, answer->publications[0].definition_hash);
    PGresult *result = postgres_ask(driver, DEFINITION, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    if (PQntuples(result) == 1) {
        answer->definition = postgres_text_at(result, 0, 0, &answer->arena);
        answer->definition_length = (size_t)PQgetlength(result, 0, 0);
        if (answer->definition == NULL)
            postgres_out_of_memory(driver);
    } else {
        driver_say_published_missing(driver->words, sizeof driver->words, wanted->name);
    }
    PQclear(result);
    return answer->definition == NULL ? STORE_FAILED : STORE_OK;
}

enum store_status postgres_publications(struct store_driver *driver,
                                        const struct store_request *request,
                                        struct store_answer *answer)
{
    const struct store_publication *after = &request->publication;
    struct postgres_parameters parameters = {0};
    bool all = request->from == 1;
    if (!all)
        postgres_add_number(&parameters, after->at_ms);
    postgres_add_text(&parameters, after->name);
    postgres_add_number(&parameters, STORE_PUBLICATIONS_MAX);
    return read_publications(driver, all ? ALL_GAMES : LISTED_GAMES, &parameters, answer);
}

static enum store_status publish(struct store_driver *driver, const struct store_request *request)
{
    static const enum store_status outcomes[] = {STORE_OK, STORE_DUPLICATE, STORE_CONFLICT,
                                                 STORE_NOT_FOUND, STORE_NO_PICTURE};
    const struct store_publication *wanted = &request->publication;
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, wanted->name);
    postgres_add_text(&parameters, wanted->publisher);
    postgres_add_number(&parameters, (int64_t)request->listing);
    postgres_add_text(&parameters, wanted->definition_hash);
    postgres_add_text(&parameters, request->definition);
    postgres_add_text(&parameters, wanted->title);
    postgres_add_text(&parameters, wanted->players);
    postgres_add_text(&parameters, wanted->ancestor);
    postgres_add_number(&parameters, wanted->ancestor_version);
    postgres_add_number(&parameters, wanted->at_ms);
    postgres_add_number(&parameters, STORE_VERSIONS_MAX);
    PGresult *result = postgres_ask(driver, PUBLISH, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    int64_t what = postgres_number_at(result, 0, 0);
    PQclear(result);
    assert(what >= 0 && what <= 4);
    return outcomes[what];
}

enum store_status postgres_publish(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    enum store_status status = publish(driver, request);
    if (status == STORE_FAILED || status == STORE_NOT_FOUND || status == STORE_NO_PICTURE)
        return status;
    enum store_status read = read_one(driver, request->publication.name, 0, answer);
    bool gone = status == STORE_CONFLICT && read == STORE_NOT_FOUND;
    return read == STORE_OK || gone ? status : STORE_FAILED;
}

static bool run_for(struct store_driver *driver, enum postgres_statement statement,
                    const char *name)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, name);
    return postgres_run(driver, statement, &parameters);
}

enum store_status postgres_list(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    const struct store_publication *wanted = &request->publication;
    enum store_status status = read_one(driver, wanted->name, 0, answer);
    if (status != STORE_OK)
        return status;
    if (wanted->publisher != NULL &&
        strcmp(answer->publications[0].publisher, wanted->publisher) != 0)
        return STORE_CONFLICT;
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, wanted->name);
    postgres_add_number(&parameters, (int64_t)request->listing);
    postgres_add_number(&parameters, (int64_t)request->hiding);
    bool done = postgres_run(driver, LIST_GAME, &parameters) &&
                (request->hiding != STORE_NO || run_for(driver, CLEAR_REPORTS, wanted->name));
    return done ? STORE_OK : STORE_FAILED;
}

/* Whoever publishes under the name at this moment is waited for by the first statement, and seen by those that follow. */
enum store_status postgres_unpublish(struct store_driver *driver,
                                     const struct store_request *request,
                                     struct store_answer *answer)
{
    const char *name = request->publication.name;
    enum store_status status = read_one(driver, name, 0, answer);
    if (status != STORE_OK)
        return status;
    bool done = run_for(driver, SET_GONE, name) && run_for(driver, CLEAR_REPORTS, name) &&
                run_for(driver, CLEAR_PUBLISHED, name);
    return done ? STORE_OK : STORE_FAILED;
}

enum store_status postgres_report(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer)
{
    const struct store_report *report = &request->report;
    enum store_status status = read_one(driver, report->name, report->version, answer);
    if (status != STORE_OK)
        return status;
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, report->name);
    postgres_add_text(&parameters, report->reporter);
    postgres_add_number(&parameters, report->version);
    postgres_add_text(&parameters, report->words);
    postgres_add_number(&parameters, report->at_ms);
    postgres_add_number(&parameters, STORE_REPORTS_OF_NAME);
    return postgres_run(driver, ADD_REPORT, &parameters) ? STORE_OK : STORE_FAILED;
}

static bool copy_report(const PGresult *result, int row, void **arena, struct store_report *report)
{
    *report = (struct store_report){
        .name = postgres_text_at(result, row, 0, arena),
        .reporter = postgres_text_at(result, row, 1, arena),
        .version = postgres_number_at(result, row, 2),
        .words = postgres_text_at(result, row, 3, arena),
        .at_ms = postgres_number_at(result, row, 4),
    };
    return report->name != NULL && report->reporter != NULL && report->words != NULL;
}

enum store_status postgres_reports(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->report.name);
    postgres_add_text(&parameters, request->report.reporter);
    postgres_add_number(&parameters, STORE_REPORTS_MAX);
    PGresult *result = postgres_ask(driver, REPORTS, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    int count = PQntuples(result);
    answer->report_count = 0;
    answer->reports = arena_take(&answer->arena, ((size_t)count + 1) * sizeof *answer->reports);
    bool copied = answer->reports != NULL;
    for (int i = 0; i < count && copied; i++) {
        copied = copy_report(result, i, &answer->arena, &answer->reports[i]);
        answer->report_count += copied;
    }
    PQclear(result);
    return copied ? STORE_OK : postgres_out_of_memory(driver);
}
