#include "tests/support/faulty_disk/faulty_disk.h"

#include "tests/support/faulty_disk/disk_log.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 65536 };
enum { NOT_OURS = 0, COUNTED = -1, THE_FOLDER = -2 }; /* otherwise a file's number in the log */

/* The one place where state is hidden: the C library's functions have no place for it. */
static struct {
    pthread_mutex_t mutex;
    struct disk_log *log;
    const char *folder;
    int files[DESCRIPTORS_MAX];
} disk = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void faulty_disk_attach(struct disk_log *log, const char *folder)
{
    disk.log = log;
    disk.folder = folder;
}

__attribute__((constructor)) static void attach_preloaded(void)
{
    const char *folder = getenv("FAULTY_DISK_FOLDER"), *path = getenv("FAULTY_DISK_LOG");
    if (folder == NULL || path == NULL)
        return;
    struct disk_log *log = disk_log_open(path);
    if (log == NULL) {
        perror(path);
        abort();
    }
    faulty_disk_attach(log, folder);
}

/* The C library's own, or whoever stands between it and us. */
static void find_real(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    assert(found != NULL);
    memcpy(function, &found, sizeof found);
}

#define REAL(name)                                                                                 \
    static __typeof__(name) *real;                                                                 \
    if (real == NULL)                                                                              \
    find_real(#name, &real)

/* --- calls ------------------------------------------------------------------------------------ */

static int file_of(int descriptor)
{
    bool known = disk.log != NULL && descriptor >= 0 && descriptor < DESCRIPTORS_MAX;
    return known ? disk.files[descriptor] : NOT_OURS;
}

/* Counts a call. True: it has to fail, with errno set. */
static bool goes_wrong(void)
{
    const struct disk_orders *orders = &disk.log->orders;
    uint64_t number = ++disk.log->calls;
    if (orders->fail_at == 0 || number < orders->fail_at ||
        number - orders->fail_at >= orders->fail_count)
        return false;
    disk.log->failed++;
    errno = (int)orders->error;
    return true;
}

static void note(enum disk_record_kind kind, int file, uint64_t offset, const void *bytes,
                 size_t length)
{
    if (file > 0)
        disk_log_add(disk.log, kind, (uint32_t)file, offset, bytes, length);
}

/* The name of a path below the folder, "" for the folder itself, NULL for what is elsewhere. */
static const char *name_of(const char *path)
{
    size_t length = disk.log == NULL ? 0 : strlen(disk.folder);
    if (length == 0 || strncmp(path, disk.folder, length) != 0)
        return NULL;
    if (path[length] == '\0')
        return "";
    bool inside = path[length] == '/' && strchr(path + length + 1, '/') == NULL;
    return inside ? path + length + 1 : NULL;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), end_length = strlen(end);
    return length >= end_length && strcmp(name + length - end_length, end) == 0;
}

static int number_of(const char *name)
{
    if (name[0] == '\0')
        return THE_FOLDER;
    if (ends_with(name, "-shm") || ends_with(name, "-lock"))
        return COUNTED;
    int file = (int)disk_log_find(disk.log, name);
    if (file != 0)
        return file;
    file = (int)++disk.log->files;
    note(DISK_MADE, file, 0, name, strlen(name));
    return file;
}

static int on_open(const char *path, int flags, mode_t mode,
                   int (*real)(const char *path, int flags, ...))
{
    const char *name = name_of(path);
    if (name == NULL)
        return real(path, flags, mode);
    struct stat facts;
    pthread_mutex_lock(&disk.mutex);
    bool makes = (flags & O_CREAT) != 0 && stat(path, &facts) != 0;
    int descriptor = makes && goes_wrong() ? -1 : real(path, flags, mode);
    if (descriptor >= 0 && descriptor < DESCRIPTORS_MAX) {
        disk.files[descriptor] = number_of(name);
        if ((flags & O_TRUNC) != 0)
            note(DISK_RESIZED, disk.files[descriptor], 0, NULL, 0);
    }
    pthread_mutex_unlock(&disk.mutex);
    return descriptor;
}

static ssize_t on_write(int descriptor, const void *bytes, size_t length, off_t offset,
                        ssize_t (*real)(int, const void *, size_t, off_t))
{
    int file = file_of(descriptor);
    if (file == NOT_OURS)
        return real(descriptor, bytes, length, offset);
    pthread_mutex_lock(&disk.mutex);
    bool wrong = goes_wrong();
    const struct disk_orders *orders = &disk.log->orders;
    if (wrong && orders->partial && disk.log->calls == orders->fail_at && length > 1) {
        length /= 2;
        wrong = false;
    }
    ssize_t written = wrong ? -1 : real(descriptor, bytes, length, offset);
    if (written > 0)
        note(DISK_WRITTEN, file, (uint64_t)offset, bytes, (size_t)written);
    pthread_mutex_unlock(&disk.mutex);
    return written;
}

static int on_resize(int descriptor, off_t size, int (*real)(int, off_t))
{
    int file = file_of(descriptor);
    if (file == NOT_OURS)
        return real(descriptor, size);
    pthread_mutex_lock(&disk.mutex);
    int result = goes_wrong() ? -1 : real(descriptor, size);
    if (result == 0)
        note(DISK_RESIZED, file, (uint64_t)size, NULL, 0);
    pthread_mutex_unlock(&disk.mutex);
    return result;
}

static int on_sync(int descriptor, int (*real)(int))
{
    int file = file_of(descriptor);
    if (file == NOT_OURS)
        return real(descriptor);
    pthread_mutex_lock(&disk.mutex);
    bool wrong = goes_wrong();
    if (wrong)
        note(DISK_SYNC_FAILED, file, 0, NULL, 0);
    else if (file == THE_FOLDER && !disk.log->orders.lying)
        disk_log_add(disk.log, DISK_NAMES_SYNCED, 0, 0, NULL, 0);
    else if (!disk.log->orders.lying)
        note(DISK_SYNCED, file, 0, NULL, 0);
    pthread_mutex_unlock(&disk.mutex);
    return wrong ? -1 : 0;
}

/* --- the C library's functions ---------------------------------------------------------------- */

static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 ? (mode_t)va_arg(arguments, unsigned) : 0;
}

int open(const char *path, int flags, ...)
{
    REAL(open);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return on_open(path, flags, mode, real);
}

int open64(const char *path, int flags, ...)
{
    REAL(open64);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return on_open(path, flags, mode, real);
}

int close(int descriptor)
{
    REAL(close);
    if (file_of(descriptor) != NOT_OURS)
        disk.files[descriptor] = NOT_OURS;
    return real(descriptor);
}

int unlink(const char *path)
{
    REAL(unlink);
    const char *name = name_of(path);
    if (name == NULL)
        return real(path);
    pthread_mutex_lock(&disk.mutex);
    int result = goes_wrong() ? -1 : real(path);
    int file = (int)disk_log_find(disk.log, name);
    if (result == 0 && file != 0)
        note(DISK_REMOVED, file, 0, name, strlen(name));
    pthread_mutex_unlock(&disk.mutex);
    return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset)
{
    REAL(pwrite);
    return on_write(descriptor, bytes, length, offset, real);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset)
{
    return pwrite(descriptor, bytes, length, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t length)
{
    REAL(write);
    if (file_of(descriptor) == NOT_OURS)
        return real(descriptor, bytes, length);
    off_t offset = lseek(descriptor, 0, SEEK_CUR);
    ssize_t written = pwrite(descriptor, bytes, length, offset);
    if (written > 0)
        lseek(descriptor, offset + written, SEEK_SET);
    return written;
}

int ftruncate(int descriptor, off_t size)
{
    REAL(ftruncate);
    return on_resize(descriptor, size, real);
}

int ftruncate64(int descriptor, off64_t size)
{
    return ftruncate(descriptor, size);
}

int fsync(int descriptor)
{
    REAL(fsync);
    return on_sync(descriptor, real);
}

int fdatasync(int descriptor)
{
    REAL(fdatasync);
    return on_sync(descriptor, real);
}
