/* A copy of an SQLite store that a server may be writing to.
 *
 * The copy is one moment of the database: SQLite's own backup, in one step under one read transaction, so every event
 * that was acknowledged before it began is in it, and nothing of a commit that came later. It is written beside its
 * place and moved there when it is whole and on disk; an existing file is never touched. */
#include "server/store/database_file.h"
#include "server/store/store.h"

#include <sqlite3.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_MS_MAX = 5000, FILE_MODE = 0600 };

static const char partial_suffix[] = "-partial";

/* SQLite's words for what went wrong with a file. */
static bool say(const char *path, sqlite3 *database, char *words, size_t words_size)
{
    snprintf(words, words_size, "%.90s: %s", path,
             database == NULL ? "out of memory" : sqlite3_errmsg(database));
    return false;
}

static bool copy_pages(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (backup == NULL)
        return false;
    int code = sqlite3_backup_step(backup, -1);
    return sqlite3_backup_finish(backup) == SQLITE_OK && code == SQLITE_DONE;
}

static bool is_sound(sqlite3 *database)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, "PRAGMA quick_check", -1, &statement, NULL) != SQLITE_OK)
        return false;
    bool sound = sqlite3_step(statement) == SQLITE_ROW &&
                 strcmp((const char *)sqlite3_column_text(statement, 0), "ok") == 0;
    sqlite3_finalize(statement);
    return sound;
}

static bool copy_database(const char *from_path, const char *to_path, char *words,
                          size_t words_size)
{
    sqlite3 *from = NULL, *to = NULL;
    bool done = false;
    /* Not read-only: a server that was killed left a log, and reading it may have to write its index. */
    if (sqlite3_open_v2(from_path, &from, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(from, BUSY_MS_MAX) != SQLITE_OK)
        say(from_path, from, words, words_size);
    else if (sqlite3_open_v2(to_path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
                 SQLITE_OK ||
             !copy_pages(from, to))
        say(to_path, to, words, words_size);
    else if (!is_sound(to))
        snprintf(words, words_size, "%.90s: the copy is damaged, and so may be the database",
                 to_path);
    else
        done = true;
    sqlite3_close(to);
    sqlite3_close(from);
    return done;
}

static bool make_file(const char *path, char *words, size_t words_size)
{
    int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
    if (made < 0) {
        bool is_there = errno == EEXIST;
        snprintf(words, words_size, "%.80s%s%s", path, is_there ? "" : ": ",
                 is_there ? " exists: another copy is being made, or one was cut short"
                          : strerror(errno));
        return false;
    }
    close(made);
    return true;
}

static bool sync_path(const char *path, int flags)
{
    int opened = open(path, flags | O_CLOEXEC);
    if (opened < 0)
        return false;
    bool synced = fsync(opened) == 0;
    return close(opened) == 0 && synced;
}

/* The name is on disk when its folder is. link refuses what exists, where rename would replace it. */
static bool put_in_place(const char *partial, const char *path, char *words, size_t words_size)
{
    char folder[DATABASE_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        snprintf(folder, sizeof folder, ".");
    else
        slash[slash == folder] = '\0';
    if (sync_path(partial, O_WRONLY) && link(partial, path) == 0 &&
        sync_path(folder, O_RDONLY | O_DIRECTORY))
        return true;
    snprintf(words, words_size, "%.110s: %s", path, strerror(errno));
    return false;
}

bool store_backup(const char *url, const char *path, char *words, size_t words_size)
{
    static const char scheme[] = "sqlite:";
    char partial[DATABASE_PATH_MAX];
    const char *from = url + strlen(scheme);
    if (strncmp(url, scheme, strlen(scheme)) != 0) {
        snprintf(words, words_size,
                 "only SQLite stores are copied like this; of PostgreSQL make a pg_dump");
        return false;
    }
    if (strncmp(from, "///", 3) == 0)
        from += 2;
    if (access(from, R_OK) != 0) {
        snprintf(words, words_size, "%.110s: %s", from, strerror(errno));
        return false;
    }
    if (strlen(path) + sizeof partial_suffix > sizeof partial) {
        snprintf(words, words_size, "the copy's path is too long");
        return false;
    }
    if (access(path, F_OK) == 0) {
        snprintf(words, words_size, "%.110s exists already", path);
        return false;
    }
    snprintf(partial, sizeof partial, "%s%s", path, partial_suffix);
    if (!make_file(partial, words, words_size))
        return false; /* another copy is being made, or was left by one that was killed: not ours to remove */
    bool done = copy_database(from, partial, words, words_size) &&
                put_in_place(partial, path, words, words_size);
    unlink(partial);
    return done;
}
