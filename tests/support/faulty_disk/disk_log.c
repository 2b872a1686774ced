#include "tests/support/faulty_disk/disk_log.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOG_BYTES = 1024 * 1024 * 1024 }; /* of a file with holes: only what is used takes room */

struct disk_log *disk_log_open(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return NULL;
    struct disk_log *log = NULL;
    if (ftruncate(file, LOG_BYTES) == 0) {
        void *mapped = mmap(NULL, LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        log = mapped == MAP_FAILED ? NULL : mapped;
    }
    close(file);
    return log;
}

void disk_log_close(struct disk_log *log)
{
    munmap(log, LOG_BYTES);
}

void disk_log_clear(struct disk_log *log)
{
    memset(log, 0, sizeof *log);
}

static uint64_t record_size(size_t length)
{
    return (sizeof(struct disk_record) + length + 7) / 8 * 8;
}

void disk_log_add(struct disk_log *log, enum disk_record_kind kind, uint32_t file, uint64_t offset,
                  const void *bytes, size_t length)
{
    uint64_t size = record_size(length);
    assert(sizeof *log + log->used + size <= LOG_BYTES);
    struct disk_record *record = (void *)(log->records + log->used);
    *record = (struct disk_record){kind, file, offset, length};
    if (length > 0)
        memcpy(record->bytes, bytes, length);
    log->used += size;
}

const struct disk_record *disk_log_next(const struct disk_log *log,
                                        const struct disk_record *record)
{
    const unsigned char *at = log->records;
    if (record != NULL)
        at = (const unsigned char *)record + record_size(record->length);
    return at == log->records + log->used ? NULL : (const void *)at;
}

uint32_t disk_log_find(const struct disk_log *log, const char *name)
{
    uint32_t found = 0;
    const struct disk_record *record = NULL;
    while ((record = disk_log_next(log, record)) != NULL) {
        bool of_names = record->kind == DISK_MADE || record->kind == DISK_REMOVED;
        if (of_names && record->length == strlen(name) &&
            memcmp(record->bytes, name, record->length) == 0)
            found = record->kind == DISK_MADE ? record->file : 0;
    }
    return found;
}

void disk_log_add_durable(struct disk_log *log, const char *name, const void *bytes, size_t length)
{
    uint32_t file = (uint32_t)++log->files;
    disk_log_add(log, DISK_MADE, file, 0, name, strlen(name));
    disk_log_add(log, DISK_WRITTEN, file, 0, bytes, length);
    disk_log_add(log, DISK_SYNCED, file, 0, NULL, 0);
    disk_log_add(log, DISK_NAMES_SYNCED, 0, 0, NULL, 0);
}
