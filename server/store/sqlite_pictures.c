#include "server/store/sqlite_pictures.h"

#include "server/store/arena.h"

#include <stdio.h>

/* The statements violate nothing: one that fails loses the transaction, and none is left half done. */
static enum store_status wrote(struct store_driver *driver, bool done)
{
    if (done)
        return STORE_OK;
    driver->lost = true;
    return STORE_FAILED;
}

/* --- definitions -------------------------------------------------------------------------------- */

static bool touch(struct store_driver *driver, const char *hash, int64_t at_ms)
{
    sqlite_put_text(driver->statements[TOUCH_PICTURE], 1, hash);
    sqlite3_bind_int64(driver->statements[TOUCH_PICTURE], 2, at_ms);
    return sqlite_run(driver, TOUCH_PICTURE);
}

static bool note_name(struct store_driver *driver, const char *definition, const char *picture,
                      int64_t at_ms)
{
    sqlite_put_text(driver->statements[NAME_PICTURE], 1, definition);
    sqlite_put_text(driver->statements[NAME_PICTURE], 2, picture);
    return sqlite_run(driver, NAME_PICTURE) && touch(driver, picture, at_ms);
}

bool sqlite_write_definition(struct store_driver *driver, const char *hash, const char *text,
                             int64_t at_ms)
{
    char picture[STORE_HASH_DIGITS + 1];
    sqlite_put_text(driver->statements[ADD_DEFINITION], 1, hash);
    sqlite_put_text(driver->statements[ADD_DEFINITION], 2, text);
    if (!sqlite_run(driver, ADD_DEFINITION))
        return false;
    if (sqlite3_changes64(driver->database) == 0)
        return true;
    while ((text = driver_next_picture(text, picture)) != NULL)
        if (!note_name(driver, hash, picture, at_ms))
            return false;
    return true;
}

static enum sqlite_row find(struct store_driver *driver, const char *hash)
{
    sqlite3_stmt *statement = driver->statements[FIND_PICTURE];
    sqlite_put_text(statement, 1, hash);
    return sqlite_next_row(driver, statement);
}

enum store_status sqlite_has_pictures(struct store_driver *driver, const char *text)
{
    char picture[STORE_HASH_DIGITS + 1];
    while ((text = driver_next_picture(text, picture)) != NULL) {
        enum sqlite_row row = find(driver, picture);
        sqlite3_reset(driver->statements[FIND_PICTURE]);
        if (row != ROW)
            return row == NO_ROW ? STORE_NOT_FOUND : STORE_FAILED;
    }
    return STORE_OK;
}

/* --- pictures ----------------------------------------------------------------------------------- */

enum store_status sqlite_keep_picture(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer)
{
    const struct store_picture *picture = &request->picture;
    sqlite3_stmt *statement = driver->statements[ADD_PICTURE];
    (void)answer;
    enum sqlite_row row = find(driver, picture->hash);
    sqlite3_reset(driver->statements[FIND_PICTURE]);
    if (row == ROW_FAILED)
        return STORE_FAILED;
    if (row == ROW)
        return touch(driver, picture->hash, picture->at_ms) ? STORE_DUPLICATE
                                                            : wrote(driver, false);
    sqlite_put_text(statement, 1, picture->hash);
    sqlite3_bind_int(statement, 2, picture->kind);
    sqlite3_bind_int64(statement, 3, picture->at_ms);
    sqlite3_bind_blob64(statement, 4, picture->bytes, picture->length, SQLITE_STATIC);
    return wrote(driver, sqlite_run(driver, ADD_PICTURE));
}

enum store_status sqlite_picture(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    sqlite3_stmt *statement = driver->statements[FIND_PICTURE];
    enum sqlite_row row = find(driver, request->picture.hash);
    if (row != ROW)
        return row == NO_ROW ? STORE_NOT_FOUND : STORE_FAILED;
    struct store_picture *picture = arena_take(&answer->arena, sizeof *picture);
    const char *bytes = sqlite3_column_blob(statement, 1);
    size_t length = (size_t)sqlite3_column_bytes(statement, 1);
    const char *copy = bytes == NULL ? NULL : arena_copy(&answer->arena, bytes, length);
    if (picture != NULL && copy != NULL)
        *picture = (struct store_picture){
            .kind = sqlite3_column_int(statement, 0), .bytes = copy, .length = length};
    sqlite3_reset(statement);
    answer->picture = picture;
    if (picture != NULL && copy != NULL)
        return STORE_OK;
    sqlite_note_memory(driver);
    return STORE_FAILED;
}

/* --- sweeping ----------------------------------------------------------------------------------- */

/* Those looked at that may go; they go when all have been looked at. */
struct swept {
    int count;
    char hashes[STORE_SWEPT_MAX][STORE_HASH_DIGITS + 1];
};

static const char *judge(struct store_driver *driver, const struct store_request *request,
                         sqlite3_stmt *row, struct store_answer *answer, struct store_sweep *sweep,
                         struct swept *swept)
{
    const char *hash = sqlite_copy_text_at(driver, &answer->arena, row, 0);
    uint64_t bytes = (uint64_t)sqlite3_column_int64(row, 1);
    bool is_over =
        sqlite3_column_int64(row, 2) < request->picture.at_ms && sqlite3_column_int(row, 3) == 0;
    driver_note_picture(sweep, bytes, is_over);
    if (is_over && hash != NULL)
        snprintf(swept->hashes[swept->count++], STORE_HASH_DIGITS + 1, "%s", hash);
    return hash;
}

static bool look_around(struct store_driver *driver, const struct store_request *request,
                        struct store_answer *answer, struct store_sweep *sweep, struct swept *swept)
{
    sqlite3_stmt *statement = driver->statements[NEXT_PICTURES];
    int most = driver_pictures_swept(request), looked = 0;
    enum sqlite_row row;
    sqlite_put_text(statement, 1, request->picture.hash);
    sqlite3_bind_int(statement, 2, most);
    while ((row = sqlite_next_row(driver, statement)) == ROW) {
        looked++;
        sweep->next = judge(driver, request, statement, answer, sweep, swept);
        if (sweep->next != NULL)
            continue;
        sqlite3_reset(statement);
        return false;
    }
    if (looked < most)
        sweep->next = "";
    return row != ROW_FAILED;
}

enum store_status sqlite_sweep_pictures(struct store_driver *driver,
                                        const struct store_request *request,
                                        struct store_answer *answer)
{
    struct swept swept = {.count = 0};
    struct store_sweep *sweep = arena_take(&answer->arena, sizeof *sweep);
    if (sweep == NULL) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    *sweep = (struct store_sweep){.next = ""};
    answer->sweep = sweep;
    bool done = look_around(driver, request, answer, sweep, &swept);
    if (!done)
        return STORE_FAILED;
    for (int i = 0; i < swept.count && request->to > 0 && done; i++) {
        sqlite_put_text(driver->statements[CLEAR_PICTURE], 1, swept.hashes[i]);
        done = sqlite_run(driver, CLEAR_PICTURE);
    }
    return wrote(driver, done);
}
