#include "server/store/sqlite_retention.h"

#include "server/store/arena.h"
#include "server/store/retention.h"
#include "server/store/sqlite_nodes.h"
#include "server/store/sqlite_sizes.h"

#include <string.h>

/* --- what is left of removed rooms ---------------------------------------------------------------- */

/* NO_ROW: nothing is left. `id` has STORE_ROOM_BYTES + 1. */
static enum sqlite_row find_removed(struct store_driver *driver, char *id)
{
    sqlite3_stmt *statement = driver->statements[REMOVED_ROOM];
    enum sqlite_row row = sqlite_next_row(driver, statement);
    if (row != ROW)
        return row;
    const char *text = sqlite_text_at(statement, 0);
    size_t length = strnlen(text, STORE_ROOM_BYTES);
    memcpy(id, text, length);
    id[length] = '\0';
    sqlite3_reset(statement);
    return ROW;
}

static bool clear_removed(struct store_driver *driver, int64_t events_max)
{
    char id[STORE_ROOM_BYTES + 1];
    enum sqlite_row row = find_removed(driver, id);
    if (row != ROW)
        return row == NO_ROW;
    sqlite3_stmt *statement = driver->statements[CLEAR_EVENTS];
    sqlite_put_text(statement, 1, id);
    sqlite3_bind_int64(statement, 2, events_max);
    if (!sqlite_run(driver, CLEAR_EVENTS))
        return false;
    if (sqlite3_changes64(driver->database) == events_max)
        return true;
    sqlite_put_text(driver->statements[FORGET_REMOVED], 1, id);
    return sqlite_run(driver, FORGET_REMOVED);
}

/* --- what may go ------------------------------------------------------------------------------------ */

/* The room's last event. While that is not folded, so is what is needed to judge the room. */
static enum sqlite_row read_last(struct store_driver *driver, const char *room,
                                 struct retention_facts *facts, bool *folded)
{
    const struct head *head = heads_find(driver->heads, room);
    *folded = head == NULL || head->recent_last <= driver->folded;
    sqlite3_stmt *statement = driver->statements[*folded ? FOLDED_LAST : RECENT_ONE];
    if (*folded)
        sqlite_put_text(statement, 1, room);
    else
        sqlite3_bind_int64(statement, 1, head->recent_last);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    if (row != ROW)
        return row;
    facts->version = sqlite3_column_int64(statement, 0);
    facts->last_ms = sqlite3_column_int64(statement, 1);
    sqlite3_reset(statement);
    return ROW;
}

static bool read_moved(struct store_driver *driver, const char *room,
                       const struct retention_facts *facts, bool *moved)
{
    sqlite3_stmt *statement = driver->statements[FIRST_MOVE];
    sqlite_put_text(statement, 1, room);
    sqlite3_bind_int(statement, 2, RETENTION_SOUGHT_MAX);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    sqlite3_reset(statement);
    *moved = row == ROW || facts->version > RETENTION_SOUGHT_MAX;
    return row != ROW_FAILED;
}

/* A room that may go and has events that are not folded is folded first, and goes the next time. One without any event is
 * damaged; that is said when somebody asks for it. */
static bool judge(struct store_driver *driver, const struct store_retention *retention,
                  const char *id, struct retention_facts *facts, enum store_expiry *why)
{
    bool folded, moved = true;
    enum sqlite_row row = read_last(driver, id, facts, &folded);
    *why = STORE_KEPT;
    if (row != ROW)
        return row == NO_ROW;
    if (folded && retention_asks_for_moves(retention, facts) &&
        !read_moved(driver, id, facts, &moved))
        return false;
    *why = retention_judge(retention, facts, moved);
    if (folded)
        return true;
    if (*why != STORE_KEPT || retention_asks_for_moves(retention, facts))
        driver->fold_at = driver->sequence;
    *why = STORE_KEPT;
    return true;
}

static bool look_at(struct store_driver *driver, const struct store_request *request,
                    sqlite3_stmt *row, struct store_answer *answer, struct store_survey *survey)
{
    enum store_expiry why;
    struct retention_facts facts = {.status = (enum store_room_status)sqlite3_column_int(row, 1),
                                    .is_public = sqlite3_column_int(row, 2) != 0,
                                    .due_ms = sqlite3_column_int64(row, 3)};
    const char *id = sqlite_copy_text_at(driver, &answer->arena, row, 0);
    if (id == NULL || !judge(driver, &request->retention, id, &facts, &why))
        return false;
    retention_note(survey, id, &facts, why);
    survey->next = id;
    return true;
}

static bool look_around(struct store_driver *driver, const struct store_request *request,
                        struct store_answer *answer, struct store_survey *survey)
{
    int looked = 0, most = retention_rooms(request);
    sqlite3_stmt *statement = driver->statements[NEXT_ROOMS];
    enum sqlite_row row = ROW;
    sqlite_put_text(statement, 1, request->room);
    while (looked < most && !retention_is_enough(survey) &&
           (row = sqlite_next_row(driver, statement)) == ROW) {
        looked++;
        if (look_at(driver, request, statement, answer, survey))
            continue;
        sqlite3_reset(statement);
        return false;
    }
    sqlite3_reset(statement);
    if (row == NO_ROW)
        survey->next = "";
    return row != ROW_FAILED;
}

enum store_status sqlite_survey(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    char left[STORE_ROOM_BYTES + 1];
    struct store_survey *survey = arena_take(&answer->arena, sizeof *survey);
    if (survey == NULL) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    memset(survey, 0, sizeof *survey);
    survey->next = request->room;
    if ((request->to > 0 && !clear_removed(driver, request->to)) ||
        !look_around(driver, request, answer, survey) || !sqlite_read_sizes(driver, survey))
        return STORE_FAILED;
    enum sqlite_row row = find_removed(driver, left);
    survey->unclean = row == ROW;
    answer->survey = survey;
    return row == ROW_FAILED ? STORE_FAILED : STORE_OK;
}

/* --- removing ----------------------------------------------------------------------------------------- */

/* STORE_OK: it is there as expected, all of it folded, and nobody else's. */
static enum store_status examine(struct store_driver *driver, const struct store_request *request)
{
    bool folded;
    struct retention_facts facts;
    enum sqlite_row row = read_last(driver, request->room, &facts, &folded);
    if (row != ROW)
        return row == NO_ROW ? STORE_CONFLICT : STORE_FAILED;
    if (!folded || facts.version != request->from)
        return STORE_CONFLICT;
    return sqlite_check_owner(driver, request->room, request->node);
}

static bool run_for(struct store_driver *driver, enum sqlite_statement name, const char *text)
{
    sqlite_put_text(driver->statements[name], 1, text);
    return sqlite_run(driver, name);
}

static bool remove_events(struct store_driver *driver, const struct store_request *request)
{
    sqlite_put_text(driver->statements[CLEAR_EVENTS], 1, request->room);
    sqlite3_bind_int64(driver->statements[CLEAR_EVENTS], 2, RETENTION_EVENTS_MAX);
    return sqlite_run(driver, CLEAR_EVENTS) &&
           (request->from <= RETENTION_EVENTS_MAX || run_for(driver, NOTE_REMOVED, request->room));
}

/* The statements violate nothing: one that fails loses the transaction, and none is left half done. */
static bool remove_all(struct store_driver *driver, const struct store_request *request,
                       struct store_answer *answer)
{
    if (!run_for(driver, CLEAR_DEFINITION, request->room))
        return false;
    answer->removed_definitions = (int)sqlite3_changes64(driver->database);
    return run_for(driver, CLEAR_SEATS, request->room) &&
           run_for(driver, CLEAR_ROOM, request->room) && remove_events(driver, request);
}

enum store_status sqlite_remove(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    enum store_status status = examine(driver, request);
    if (status != STORE_OK)
        return status;
    if (!remove_all(driver, request, answer)) {
        driver->lost = true;
        return STORE_FAILED;
    }
    struct head *head = heads_find(driver->heads, request->room);
    if (head != NULL)
        heads_remove(driver->heads, head);
    return STORE_OK;
}
