/* What was done to the files of one folder, in order: every write, every sync, every name made or removed. The log is
 * a file that each process of a test maps while it lives, so it outlives the process that is killed, and from it
 * power_cut makes the folder that a machine would find which has lost its power.
 *
 * At its head stand the test's orders, which call is to fail and how; a test may write them while the program runs. */
#ifndef TESTS_SUPPORT_FAULTY_DISK_DISK_LOG_H
#define TESTS_SUPPORT_FAULTY_DISK_DISK_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DISK_NAME_BYTES = 64 };

/* Calls are numbered from 1: those that make, remove, write, cut or sync a file of the folder. */
struct disk_orders {
    uint64_t fail_at;    /* the first call that fails; 0: none */
    uint64_t fail_count; /* how many fail in a row */
    uint32_t error;      /* errno */
    uint32_t partial;    /* the first one, if it is a write, writes half instead of failing */
    uint32_t lying;      /* syncs say yes and do nothing: a disk that no program survives */
    uint32_t reserved;
};

enum disk_record_kind {
    DISK_MADE,    /* bytes: the name */
    DISK_REMOVED, /* bytes: the name */
    DISK_WRITTEN, /* bytes: what */
    DISK_RESIZED, /* offset: the new size */
    DISK_SYNCED, /* everything written to the file before is on disk, but what an earlier sync failed on */
    DISK_SYNC_FAILED, /* what was written before and not synced may reach the disk or not; no later sync helps */
    DISK_NAMES_SYNCED,
};

struct disk_record {
    uint32_t kind;
    uint32_t file; /* counts the files made: a name made again is another file */
    uint64_t offset, length;
    unsigned char bytes[];
};

struct disk_log {
    struct disk_orders orders;
    uint64_t calls, failed; /* so far */
    uint64_t used;          /* bytes of `records` */
    uint64_t files;         /* numbers given */
    unsigned char records[];
};

/* Maps the log, which is made if it is not there. NULL, with errno, on failure. */
struct disk_log *disk_log_open(const char *path);
void disk_log_close(struct disk_log *log);
void disk_log_clear(struct disk_log *log); /* orders and numbers too */

/* Stops the program when the log is full: a test that needs more is too long. */
void disk_log_add(struct disk_log *log, enum disk_record_kind kind, uint32_t file, uint64_t offset,
                  const void *bytes, size_t length);
/* NULL: the first one; NULL again after the last. */
const struct disk_record *disk_log_next(const struct disk_log *log,
                                        const struct disk_record *record);
/* The file that has this name now; 0: none. */
uint32_t disk_log_find(const struct disk_log *log, const char *name);
/* A file that is on disk with all it holds. */
void disk_log_add_durable(struct disk_log *log, const char *name, const void *bytes, size_t length);

/* Makes the folder what its disk would hold if the power went now, and the log a log of that. */
enum power_cut {
    CUT_KEEPS_NOTHING, /* only what was synced is left */
    CUT_KEEPS_ALL,
    CUT_KEEPS_SOME, /* by the seed: any of the writes, whole or some of their sectors, in any order */
};
bool disk_log_cut_power(struct disk_log *log, const char *folder, enum power_cut cut,
                        uint64_t seed);

#endif
