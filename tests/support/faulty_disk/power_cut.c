/* What is left when the power goes.
 *
 * A write that was synced is there. One that was not may be there, or some of its sectors, and which ones has nothing to
 * do with their order. After a sync that failed nobody knows of the writes before it, and a later sync that succeeds
 * says nothing about them: the kernel has taken them for written. Names are made and removed in order, as
 * journaling file systems do it, but nobody knows how far they got since the folder was last synced. */
#include "tests/support/faulty_disk/disk_log.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR_BYTES = 512, NAMES_MAX = 16, PATH_BYTES = 512 };

enum fate { FATE_UNSYNCED, FATE_DURABLE, FATE_DOUBTFUL };

struct lost_power {
    struct disk_log *log;
    const char *folder;
    enum power_cut cut;
    uint64_t random;
    size_t count;
    const struct disk_record **records;
    unsigned char *fates; /* of the records */
    struct {
        char name[DISK_NAME_BYTES];
        uint32_t file;
        unsigned char *bytes;
        size_t size;
    } names[NAMES_MAX];
    size_t name_count;
};

/* splitmix64 */
static uint64_t draw(struct lost_power *lost)
{
    uint64_t value = (lost->random += UINT64_C(0x9e3779b97f4a7c15));
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static void *take(size_t count, size_t size)
{
    void *taken = calloc(count + 1, size);
    assert(taken != NULL);
    return taken;
}

static void list_records(struct lost_power *lost)
{
    const struct disk_record *record = NULL;
    while ((record = disk_log_next(lost->log, record)) != NULL)
        lost->count++;
    lost->records = take(lost->count, sizeof *lost->records);
    for (size_t i = 0; i < lost->count; i++)
        lost->records[i] = record = disk_log_next(lost->log, record);
}

/* A write's fate is decided by the first sync of its file that follows it. */
static void decide_fates(struct lost_power *lost)
{
    unsigned char *next = take(lost->log->files + 1, 1);
    lost->fates = take(lost->count, 1);
    for (size_t i = lost->count; i-- > 0;) {
        const struct disk_record *record = lost->records[i];
        if (record->kind == DISK_SYNCED)
            next[record->file] = FATE_DURABLE;
        else if (record->kind == DISK_SYNC_FAILED)
            next[record->file] = FATE_DOUBTFUL;
        lost->fates[i] = next[record->file];
    }
    free(next);
}

/* --- names ------------------------------------------------------------------------------------ */

static bool is_of_names(const struct disk_record *record)
{
    return record->kind == DISK_MADE || record->kind == DISK_REMOVED;
}

static void rename_one(struct lost_power *lost, const struct disk_record *record)
{
    char name[DISK_NAME_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)record->length, (const char *)record->bytes);
    size_t at = 0;
    while (at < lost->name_count && strcmp(lost->names[at].name, name) != 0)
        at++;
    assert(at < NAMES_MAX);
    if (at == lost->name_count)
        memcpy(lost->names[lost->name_count++].name, name, sizeof name);
    lost->names[at].file = record->kind == DISK_MADE ? record->file : 0;
}

static void decide_names(struct lost_power *lost)
{
    size_t unsynced = 0;
    for (size_t i = lost->count; i-- > 0 && lost->records[i]->kind != DISK_NAMES_SYNCED;)
        unsynced += is_of_names(lost->records[i]);
    size_t lost_names = 0;
    if (lost->cut == CUT_KEEPS_NOTHING)
        lost_names = unsynced;
    else if (lost->cut == CUT_KEEPS_SOME)
        lost_names = draw(lost) % (unsynced + 1);
    size_t all = 0, at = 0;
    for (size_t i = 0; i < lost->count; i++)
        all += is_of_names(lost->records[i]);
    for (size_t i = 0; i < lost->count; i++) {
        if (is_of_names(lost->records[i]) && at++ < all - lost_names)
            rename_one(lost, lost->records[i]);
    }
}

/* --- contents --------------------------------------------------------------------------------- */

static bool survives(struct lost_power *lost, size_t i)
{
    if (lost->fates[i] == FATE_DURABLE || lost->cut == CUT_KEEPS_ALL)
        return true;
    return lost->cut == CUT_KEEPS_SOME && draw(lost) % 2 == 0;
}

static void put(struct lost_power *lost, size_t n, uint64_t offset, const unsigned char *bytes,
                size_t length)
{
    if (offset + length > lost->names[n].size) {
        unsigned char *longer = realloc(lost->names[n].bytes, offset + length);
        assert(longer != NULL);
        memset(longer + lost->names[n].size, 0, offset + length - lost->names[n].size);
        lost->names[n].bytes = longer;
        lost->names[n].size = offset + length;
    }
    if (length > 0)
        memcpy(lost->names[n].bytes + offset, bytes, length);
}

static void resize(struct lost_power *lost, size_t n, uint64_t size)
{
    if (size > lost->names[n].size)
        put(lost, n, size - 1, (const unsigned char *)"", 1);
    else
        lost->names[n].size = size;
}

/* Some sectors of a write, and not the others. */
static void put_torn(struct lost_power *lost, size_t n, const struct disk_record *record)
{
    for (uint64_t done = 0; done < record->length;) {
        uint64_t offset = record->offset + done;
        uint64_t length = SECTOR_BYTES - offset % SECTOR_BYTES;
        if (length > record->length - done)
            length = record->length - done;
        if (draw(lost) % 2 == 0)
            put(lost, n, offset, record->bytes + done, length);
        done += length;
    }
}

static void fill(struct lost_power *lost, size_t n)
{
    for (size_t i = 0; i < lost->count; i++) {
        const struct disk_record *record = lost->records[i];
        bool changes = record->kind == DISK_WRITTEN || record->kind == DISK_RESIZED;
        if (record->file != lost->names[n].file || !changes || !survives(lost, i))
            continue;
        if (record->kind == DISK_RESIZED)
            resize(lost, n, record->offset);
        else if (lost->fates[i] != FATE_DURABLE && lost->cut == CUT_KEEPS_SOME &&
                 draw(lost) % 4 == 0)
            put_torn(lost, n, record);
        else
            put(lost, n, record->offset, record->bytes, record->length);
    }
}

/* --- the folder ------------------------------------------------------------------------------- */

static void empty_folder(const char *path)
{
    char name[PATH_BYTES];
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(name);
    }
    if (folder != NULL)
        closedir(folder);
}

static bool write_file(const struct lost_power *lost, size_t n)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", lost->folder, lost->names[n].name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    size_t done = 0;
    while (done < lost->names[n].size) {
        ssize_t written = write(file, lost->names[n].bytes + done, lost->names[n].size - done);
        if (written <= 0)
            break;
        done += (size_t)written;
    }
    return close(file) == 0 && done == lost->names[n].size;
}

bool disk_log_cut_power(struct disk_log *log, const char *folder, enum power_cut cut, uint64_t seed)
{
    struct lost_power lost = {.log = log, .folder = folder, .cut = cut, .random = seed};
    bool done = true;
    list_records(&lost);
    decide_fates(&lost);
    decide_names(&lost);
    for (size_t n = 0; n < lost.name_count; n++) {
        if (lost.names[n].file != 0)
            fill(&lost, n);
    }
    empty_folder(folder);
    disk_log_clear(log);
    for (size_t n = 0; n < lost.name_count; n++) {
        if (lost.names[n].file != 0) {
            done = write_file(&lost, n) && done;
            disk_log_add_durable(log, lost.names[n].name, lost.names[n].bytes, lost.names[n].size);
        }
        free(lost.names[n].bytes);
    }
    free(lost.records);
    free(lost.fates);
    return done;
}
