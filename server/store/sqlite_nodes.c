#include "server/store/sqlite_nodes.h"

#include "server/store/arena.h"

#include <string.h>
#include <time.h>

/* By the machine's clock: whoever uses the file is on it. */
static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum store_status sqlite_check_owner(struct store_driver *driver, const char *room,
                                     const char *node)
{
    sqlite3_stmt *statement = driver->statements[FIND_OWNER];
    sqlite_put_text(statement, 1, room);
    sqlite_put_text(statement, 2, node);
    sqlite3_bind_int64(statement, 3, now_ms());
    enum sqlite_row row = sqlite_next_row(driver, statement);
    sqlite3_reset(statement);
    if (row == ROW_FAILED)
        return STORE_FAILED;
    return row == ROW ? STORE_CONFLICT : STORE_OK;
}

bool sqlite_own(struct store_driver *driver, const struct store_request *request)
{
    sqlite3_stmt *statement = driver->statements[SET_OWNER];
    sqlite_put_text(statement, 1, request->room);
    sqlite_put_text(statement, 2, request->node);
    sqlite3_bind_int64(statement, 3, now_ms());
    return sqlite_run(driver, SET_OWNER);
}

bool sqlite_give_back(struct store_driver *driver, const char *room, const char *node)
{
    sqlite_put_text(driver->statements[GIVE_BACK], 1, room);
    sqlite_put_text(driver->statements[GIVE_BACK], 2, node);
    return sqlite_run(driver, GIVE_BACK);
}

enum store_status sqlite_lease(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    int64_t now = now_ms();
    sqlite_put_text(driver->statements[CLEAR_PLACE], 1, request->node);
    sqlite_put_text(driver->statements[CLEAR_PLACE], 2, request->place);
    sqlite_put_text(driver->statements[RENEW], 1, request->node);
    sqlite_put_text(driver->statements[RENEW], 2, request->place);
    sqlite_put_text(driver->statements[RENEW], 3, request->url);
    sqlite3_bind_int64(driver->statements[RENEW], 4, now + request->lease_ms);
    if (!sqlite_run(driver, CLEAR_PLACE) || !sqlite_run(driver, RENEW))
        return STORE_FAILED;
    sqlite3_stmt *statement = driver->statements[COUNT_OTHERS];
    sqlite_put_text(statement, 1, request->node);
    sqlite3_bind_int64(statement, 2, now);
    if (sqlite_next_row(driver, statement) != ROW)
        return STORE_FAILED;
    answer->other_nodes = sqlite3_column_int(statement, 0);
    answer->is_first = sqlite3_column_int(statement, 1) != 0;
    answer->now_ms = now;
    sqlite3_reset(statement);
    return STORE_OK;
}

enum store_status sqlite_leave(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    (void)answer;
    sqlite_put_text(driver->statements[LEAVE], 1, request->node);
    return sqlite_run(driver, LEAVE) ? STORE_OK : STORE_FAILED;
}

static bool make_secret(struct store_driver *driver, char text[DRIVER_SECRET_DIGITS + 1])
{
    if (!driver_make_secret(text, driver->words, sizeof driver->words))
        return false;
    sqlite_put_text(driver->statements[ADD_SECRET], 1, text);
    return sqlite_run(driver, ADD_SECRET);
}

enum store_status sqlite_secret(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    (void)request;
    char text[DRIVER_SECRET_DIGITS + 1];
    sqlite3_stmt *statement = driver->statements[SECRET];
    enum sqlite_row row = sqlite_next_row(driver, statement);
    if (row == ROW) {
        answer->secret = sqlite_copy_text_at(driver, &answer->arena, statement, 0);
        sqlite3_reset(statement);
        return answer->secret == NULL ? STORE_FAILED : STORE_OK;
    }
    if (row == ROW_FAILED || !make_secret(driver, text))
        return STORE_FAILED;
    answer->secret = arena_copy(&answer->arena, text, strlen(text));
    if (answer->secret == NULL)
        sqlite_note_memory(driver);
    return answer->secret == NULL ? STORE_FAILED : STORE_OK;
}
