/* SQLite says how large the whole file is. What is rooms, definitions, pictures and published games in it is found by walking
 * along those tables, some rows at a time; the rest is events, which are by far the most and would take too long to walk
 * along. So what a part finds is taken from the events, and the last part gives them the whole. */
#include "server/store/sqlite_sizes.h"

#include "server/store/arena.h"

#include <stdio.h>
#include <sys/statvfs.h>

static bool read_number(struct store_driver *driver, enum sqlite_statement name, int64_t *number)
{
    sqlite3_stmt *statement = driver->statements[name];
    if (sqlite_next_row(driver, statement) != ROW)
        return false;
    *number = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return true;
}

static int64_t free_disk_bytes(const struct store_driver *driver)
{
    struct statvfs system;
    if (driver->file.memory || statvfs(driver->file.path, &system) != 0)
        return -1;
    return (int64_t)((uint64_t)system.f_bavail * system.f_frsize);
}

bool sqlite_read_sizes(struct store_driver *driver, struct store_survey *survey)
{
    int64_t page_bytes, pages, unused;
    if (!read_number(driver, SIZE_OF_PAGE, &page_bytes) ||
        !read_number(driver, COUNT_PAGES, &pages) || !read_number(driver, COUNT_UNUSED, &unused))
        return false;
    survey->database_bytes = page_bytes * pages;
    survey->unused_bytes = page_bytes * unused;
    survey->disk_bytes = free_disk_bytes(driver);
    return true;
}

/* --- by kind ------------------------------------------------------------------------------------ */

#ifdef STORE_SMALL
enum { READ_BYTES_MAX = 2000 };
#else
enum { READ_BYTES_MAX = 512 * 1024 }; /* in one part, and then one row more */
#endif

/* Rows of a key and a size, in the order of their keys. */
static const struct part {
    enum sqlite_statement rows;
    enum store_size size;
} parts[] = {
    {ROOM_SIZES, STORE_SIZE_ROOMS},
    {DEFINITION_SIZES, STORE_SIZE_DEFINITIONS},
    {PICTURE_SIZES, STORE_SIZE_PICTURES},
    {PUBLISHED_SIZES, STORE_SIZE_PUBLISHED},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* Where a walk has come to, as text: the part's digit, and the key of the last row looked at. */
struct place {
    int part;
    char key[STORE_PLACE_BYTES];
};

static struct place read_place(const char *text)
{
    struct place place = {0};
    if (text[0] < '0' || text[0] >= '0' + PARTS)
        return place;
    place.part = text[0] - '0';
    snprintf(place.key, sizeof place.key, "%s", text + 1);
    return place;
}

/* On from its key; an empty one then: that was all. */
static bool walk(struct store_driver *driver, struct place *place, int rows_max, int64_t *bytes)
{
    sqlite3_stmt *statement = driver->statements[parts[place->part].rows];
    enum sqlite_row row;
    int looked = 0;
    sqlite_put_text(statement, 1, place->key);
    sqlite3_bind_int(statement, 2, rows_max);
    while ((row = sqlite_next_row(driver, statement)) == ROW) {
        looked++;
        *bytes += sqlite3_column_int64(statement, 1);
        snprintf(place->key, sizeof place->key, "%s", sqlite_text_at(statement, 0));
        if (*bytes < READ_BYTES_MAX)
            continue;
        sqlite3_reset(statement);
        return true;
    }
    if (looked < rows_max)
        place->key[0] = '\0';
    return row != ROW_FAILED;
}

/* "": it was the last. */
static const char *write_place(const struct place *place, void **arena)
{
    char text[STORE_PLACE_BYTES + 1];
    int part = place->key[0] == '\0' ? place->part + 1 : place->part;
    int length = part == PARTS ? 0 : snprintf(text, sizeof text, "%d%s", part, place->key);
    return arena_copy(arena, text, (size_t)length);
}

static bool add_whole(struct store_driver *driver, struct store_measure *measure)
{
    struct store_survey sizes;
    if (!sqlite_read_sizes(driver, &sizes))
        return false;
    measure->bytes[STORE_SIZE_EVENTS] += sizes.database_bytes - sizes.unused_bytes;
    return true;
}

enum store_status sqlite_measure(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    struct place place = read_place(request->room);
    enum store_size size = parts[place.part].size;
    struct store_measure *measure = arena_take(&answer->arena, sizeof *measure);
    int64_t bytes = 0;
    if (!walk(driver, &place, driver_rows_measured(request), &bytes))
        return STORE_FAILED;
    const char *next = write_place(&place, &answer->arena);
    if (measure == NULL || next == NULL) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    *measure = (struct store_measure){.next = next};
    measure->bytes[size] = bytes;
    measure->bytes[STORE_SIZE_EVENTS] = -bytes;
    answer->measure = measure;
    return next[0] != '\0' || add_whole(driver, measure) ? STORE_OK : STORE_FAILED;
}
