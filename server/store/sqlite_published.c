#include "server/store/sqlite_published.h"

#include "server/store/arena.h"
#include "server/store/sqlite_pictures.h"

#include <string.h>

/* --- reading ------------------------------------------------------------------------------------ */

static bool take_publications(struct store_driver *driver, struct store_answer *answer,
                              size_t count)
{
    answer->publications = arena_take(&answer->arena, count * sizeof *answer->publications);
    if (answer->publications == NULL)
        sqlite_note_memory(driver);
    return answer->publications != NULL;
}

static bool copy_publication(struct store_driver *driver, void **arena, sqlite3_stmt *row,
                             struct store_publication *publication)
{
    *publication = (struct store_publication){
        .name = sqlite_copy_text_at(driver, arena, row, 0),
        .version = sqlite3_column_int64(row, 1),
        .versions = sqlite3_column_int64(row, 2),
        .definition_hash = sqlite_copy_text_at(driver, arena, row, 3),
        .title = sqlite_copy_text_at(driver, arena, row, 4),
        .players = sqlite_copy_text_at(driver, arena, row, 5),
        .ancestor = sqlite_copy_text_at(driver, arena, row, 6),
        .ancestor_version = sqlite3_column_int64(row, 7),
        .publisher = sqlite_copy_text_at(driver, arena, row, 8),
        .listed = sqlite3_column_int(row, 9) != 0,
        .hidden = sqlite3_column_int(row, 10) != 0,
        .at_ms = sqlite3_column_int64(row, 11),
    };
    return driver_publication_is_whole(publication);
}

/* Adds the rows of a statement whose parameters are bound, up to so many. */
static enum store_status read_publications(struct store_driver *driver, sqlite3_stmt *statement,
                                           int most, struct store_answer *answer)
{
    enum sqlite_row row = NO_ROW;
    while (answer->publication_count < most && (row = sqlite_next_row(driver, statement)) == ROW) {
        struct store_publication *next = &answer->publications[answer->publication_count];
        if (!copy_publication(driver, &answer->arena, statement, next)) {
            sqlite3_reset(statement);
            return STORE_FAILED;
        }
        answer->publication_count++;
    }
    sqlite3_reset(statement);
    return row == ROW_FAILED ? STORE_FAILED : STORE_OK;
}

/* Version 0: the newest. */
static enum store_status read_one(struct store_driver *driver, const char *name, int64_t version,
                                  struct store_answer *answer)
{
    sqlite3_stmt *statement = driver->statements[PUBLISHED];
    if (!take_publications(driver, answer, 1))
        return STORE_FAILED;
    answer->publication_count = 0;
    sqlite_put_text(statement, 1, name);
    sqlite3_bind_int64(statement, 2, version);
    enum store_status status = read_publications(driver, statement, 1, answer);
    return status == STORE_OK && answer->publication_count == 0 ? STORE_NOT_FOUND : status;
}

enum store_status sqlite_published(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    const struct store_publication *wanted = &request->publication;
    enum store_status status = read_one(driver, wanted->name, wanted->version, answer);
    if (status != STORE_OK)
        return status;
    sqlite3_stmt *statement = driver->statements[DEFINITION];
    sqlite_put_text(statement, 1, answer->publications[0].definition_hash);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    if (row == NO_ROW)
        driver_say_published_missing(driver->words, sizeof driver->words, wanted->name);
    if (row != ROW)
        return STORE_FAILED;
    answer->definition = sqlite_copy_text_at(driver, &answer->arena, statement, 0);
    answer->definition_length = (size_t)sqlite3_column_bytes(statement, 0);
    sqlite3_reset(statement);
    return answer->definition == NULL ? STORE_FAILED : STORE_OK;
}

enum store_status sqlite_publications(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer)
{
    const struct store_publication *after = &request->publication;
    bool all = request->from == 1;
    sqlite3_stmt *statement = driver->statements[all ? ALL_GAMES : LISTED_GAMES];
    if (!take_publications(driver, answer, STORE_PUBLICATIONS_MAX))
        return STORE_FAILED;
    if (!all)
        sqlite3_bind_int64(statement, 1, after->at_ms);
    sqlite_put_text(statement, all ? 1 : 2, after->name);
    sqlite3_bind_int(statement, all ? 2 : 3, STORE_PUBLICATIONS_MAX);
    return read_publications(driver, statement, STORE_PUBLICATIONS_MAX, answer);
}

/* --- writing ------------------------------------------------------------------------------------ */

/* The statements violate nothing: one that fails loses the transaction, and none is left half done. */
static enum store_status wrote(struct store_driver *driver, bool done)
{
    if (done)
        return STORE_OK;
    driver->lost = true;
    return STORE_FAILED;
}

static bool write_name(struct store_driver *driver, const struct store_request *request,
                       int64_t versions)
{
    const struct store_publication *wanted = &request->publication;
    sqlite3_stmt *statement = driver->statements[SET_PUBLISHED];
    sqlite_put_text(statement, 1, wanted->name);
    sqlite_put_text(statement, 2, wanted->publisher);
    sqlite3_bind_int64(statement, 3, versions);
    sqlite3_bind_int(statement, 4, (int)request->listing);
    sqlite3_bind_int64(statement, 5, wanted->at_ms);
    return sqlite_run(driver, SET_PUBLISHED);
}

static bool write_version(struct store_driver *driver, const struct store_request *request,
                          int64_t version)
{
    const struct store_publication *wanted = &request->publication;
    sqlite3_stmt *statement = driver->statements[ADD_PUBLISHED];
    sqlite_put_text(statement, 1, wanted->name);
    sqlite3_bind_int64(statement, 2, version);
    sqlite_put_text(statement, 3, wanted->definition_hash);
    sqlite_put_text(statement, 4, wanted->title);
    sqlite_put_text(statement, 5, wanted->players);
    sqlite_put_text(statement, 6, wanted->ancestor);
    sqlite3_bind_int64(statement, 7, wanted->ancestor_version);
    sqlite3_bind_int64(statement, 8, wanted->at_ms);
    return sqlite_write_definition(driver, wanted->definition_hash, request->definition,
                                   wanted->at_ms) &&
           sqlite_run(driver, ADD_PUBLISHED);
}

static bool write_listing(struct store_driver *driver, const char *name, enum store_wish listing,
                          enum store_wish hiding)
{
    sqlite3_stmt *statement = driver->statements[LIST_GAME];
    sqlite_put_text(statement, 1, name);
    sqlite3_bind_int(statement, 2, (int)listing);
    sqlite3_bind_int(statement, 3, (int)hiding);
    return sqlite_run(driver, LIST_GAME);
}

/* OK: nobody has the name. */
static enum store_status examine_name(struct store_driver *driver, const char *name)
{
    sqlite3_stmt *statement = driver->statements[IS_GONE];
    sqlite_put_text(statement, 1, name);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    sqlite3_reset(statement);
    if (row == ROW_FAILED)
        return STORE_FAILED;
    return row == ROW ? STORE_CONFLICT : STORE_OK;
}

static enum store_status examine(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    const struct store_publication *wanted = &request->publication;
    enum store_status status;
    if (wanted->ancestor_version > 0) {
        status = read_one(driver, wanted->ancestor, wanted->ancestor_version, answer);
        if (status != STORE_OK)
            return status;
    }
    status = sqlite_has_pictures(driver, request->definition);
    if (status != STORE_OK)
        return status == STORE_NOT_FOUND ? STORE_NO_PICTURE : status;
    status = read_one(driver, wanted->name, 0, answer);
    if (status != STORE_OK)
        return status == STORE_NOT_FOUND ? examine_name(driver, wanted->name) : status;
    const struct store_publication *newest = &answer->publications[0];
    if (strcmp(newest->publisher, wanted->publisher) != 0)
        return STORE_CONFLICT;
    if (strcmp(newest->definition_hash, wanted->definition_hash) == 0)
        return STORE_DUPLICATE;
    return newest->versions >= STORE_VERSIONS_MAX ? STORE_CONFLICT : STORE_OK;
}

enum store_status sqlite_publish(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    const char *name = request->publication.name;
    enum store_status status = examine(driver, request, answer), read = STORE_OK;
    int64_t version = answer->publication_count > 0 ? answer->publications[0].versions + 1 : 1;
    if (status == STORE_OK)
        status = wrote(driver, write_version(driver, request, version) &&
                                   write_name(driver, request, version));
    else if (status == STORE_DUPLICATE &&
             !write_listing(driver, name, request->listing, STORE_AS_IT_IS))
        status = wrote(driver, false);
    if (status == STORE_OK || status == STORE_DUPLICATE)
        read = read_one(driver, name, 0, answer);
    return read == STORE_OK ? status : wrote(driver, false);
}

static bool run_for(struct store_driver *driver, enum sqlite_statement statement, const char *name)
{
    sqlite_put_text(driver->statements[statement], 1, name);
    return sqlite_run(driver, statement);
}

enum store_status sqlite_list(struct store_driver *driver, const struct store_request *request,
                              struct store_answer *answer)
{
    const struct store_publication *wanted = &request->publication;
    enum store_status status = read_one(driver, wanted->name, 0, answer);
    if (status != STORE_OK)
        return status;
    if (wanted->publisher != NULL &&
        strcmp(answer->publications[0].publisher, wanted->publisher) != 0)
        return STORE_CONFLICT;
    return wrote(driver,
                 write_listing(driver, wanted->name, request->listing, request->hiding) &&
                     (request->hiding != STORE_NO || run_for(driver, CLEAR_REPORTS, wanted->name)));
}

enum store_status sqlite_unpublish(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    const char *name = request->publication.name;
    enum store_status status = read_one(driver, name, 0, answer);
    if (status != STORE_OK)
        return status;
    return wrote(driver, run_for(driver, SET_GONE, name) && run_for(driver, CLEAR_REPORTS, name) &&
                             run_for(driver, CLEAR_PUBLISHED_DEFINITIONS, name) &&
                             run_for(driver, CLEAR_PUBLISHED, name));
}

/* --- reports ------------------------------------------------------------------------------------ */

enum store_status sqlite_report(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    const struct store_report *report = &request->report;
    enum store_status status = read_one(driver, report->name, report->version, answer);
    if (status != STORE_OK)
        return status;
    sqlite3_stmt *statement = driver->statements[ADD_REPORT];
    sqlite_put_text(statement, 1, report->name);
    sqlite_put_text(statement, 2, report->reporter);
    sqlite3_bind_int64(statement, 3, report->version);
    sqlite_put_text(statement, 4, report->words);
    sqlite3_bind_int64(statement, 5, report->at_ms);
    sqlite3_bind_int(statement, 6, STORE_REPORTS_OF_NAME);
    return wrote(driver, sqlite_run(driver, ADD_REPORT));
}

static bool copy_report(struct store_driver *driver, void **arena, sqlite3_stmt *row,
                        struct store_report *report)
{
    *report = (struct store_report){
        .name = sqlite_copy_text_at(driver, arena, row, 0),
        .reporter = sqlite_copy_text_at(driver, arena, row, 1),
        .version = sqlite3_column_int64(row, 2),
        .words = sqlite_copy_text_at(driver, arena, row, 3),
        .at_ms = sqlite3_column_int64(row, 4),
    };
    return report->name != NULL && report->reporter != NULL && report->words != NULL;
}

enum store_status sqlite_reports(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    enum sqlite_row row = NO_ROW;
    sqlite3_stmt *statement = driver->statements[REPORTS];
    answer->reports = arena_take(&answer->arena, STORE_REPORTS_MAX * sizeof *answer->reports);
    bool copied = answer->reports != NULL;
    if (!copied)
        sqlite_note_memory(driver);
    sqlite_put_text(statement, 1, request->report.name);
    sqlite_put_text(statement, 2, request->report.reporter);
    sqlite3_bind_int(statement, 3, STORE_REPORTS_MAX);
    while (copied && (row = sqlite_next_row(driver, statement)) == ROW) {
        copied =
            copy_report(driver, &answer->arena, statement, &answer->reports[answer->report_count]);
        answer->report_count += copied;
    }
    sqlite3_reset(statement);
    return copied && row == NO_ROW ? STORE_OK : STORE_FAILED;
}
