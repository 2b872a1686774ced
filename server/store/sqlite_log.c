#include "server/store/sqlite_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    STEP_PAGES = 256,
    AHEAD_PAGES = 64, /* more than most batches write */
    PAGES_MAX = WAL_PAGES_MAX + WAL_PAGES_MAX / 8,
    HEADER_BYTES = 32,
    PAGE_BYTES = 4096 + 24, /* a frame */
    FREE_STEPS_MIN = 64,    /* a disk with less room left than that is left alone */
};

bool sqlite_log_is_short(const struct store_driver *driver)
{
    return driver->wal_pages + AHEAD_PAGES > driver->log_pages && driver->log_pages < PAGES_MAX &&
           !driver->file.memory;
}

static bool has_room(int file)
{
    struct statvfs system;
    return fstatvfs(file, &system) == 0 && (uint64_t)system.f_bavail * system.f_frsize >=
                                               (uint64_t)FREE_STEPS_MIN * STEP_PAGES * PAGE_BYTES;
}

static bool write_zeros(int file, off_t from, off_t to)
{
    char *zeros = calloc(1, (size_t)(to - from));
    bool written = zeros != NULL &&
                   pwrite(file, zeros, (size_t)(to - from), from) == (ssize_t)(to - from) &&
                   fsync(file) == 0;
    free(zeros);
    return written;
}

/* Only under the lock of a writer: nobody else adds to the log meanwhile. SQLite locks the log's shared memory and never the log
 * itself, so that closing the file here takes no lock away. */
static void lengthen(const struct store_driver *driver, int pages)
{
    char path[DATABASE_PATH_MAX + 8];
    struct stat now;
    snprintf(path, sizeof path, "%s-wal", driver->file.path);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    off_t wanted = HEADER_BYTES + (off_t)pages * PAGE_BYTES;
    if (fstat(file, &now) == 0 && now.st_size < wanted && has_room(file) &&
        !write_zeros(file, now.st_size, wanted))
        (void)!ftruncate(file, now.st_size);
    close(file);
}

void sqlite_log_lengthen(struct store_driver *driver)
{
    int pages = driver->wal_pages + STEP_PAGES;
    driver->log_pages = pages < PAGES_MAX ? pages : PAGES_MAX;
    if (!sqlite_run(driver, BEGIN_WRITE))
        return;
    lengthen(driver, driver->log_pages);
    sqlite_run(driver, ROLLBACK);
}
