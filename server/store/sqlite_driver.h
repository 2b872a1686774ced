/* What the files of the SQLite driver share: the open database, what is remembered of it, and its bounds.
 * Private to server/store/sqlite*.c. */
#ifndef SERVER_STORE_SQLITE_DRIVER_H
#define SERVER_STORE_SQLITE_DRIVER_H

#include "server/store/database_file.h"
#include "server/store/driver.h"
#include "server/store/heads.h"
#include "server/store/sqlite_statements.h"

#include <sqlite3.h>

#ifdef STORE_SMALL /* for tests: every bound is met all the time */
enum {
    RECENT_MAX = 64,
    FOLD_MAX = 7,
    RECENT_WALK_MAX = 10,
    WAL_PAGES_MAX = 40,
    HEADS_BYTES_MAX = 600,
    HEADS_UNUSED_MS = 0
};
#else
enum {
    RECENT_MAX = 8192,     /* events; then they are folded */
    FOLD_MAX = 512,        /* events at once, between two batches */
    RECENT_WALK_MAX = 512, /* of one room; then all are folded, however few they are */
    WAL_PAGES_MAX = 4096,  /* 16 MiB; then the log is written back */
    HEADS_BYTES_MAX = 64 * 1024 * 1024,
    HEADS_UNUSED_MS = 5 * 60 * 1000, /* a room's head; whoever plays on then has it made again */
};
#endif

struct store_driver {
    struct database_file file;
    bool beside; /* a server may be using it: nothing is folded */
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    struct heads *heads;
    /* False after a failure or a stranger's write: the heads are to be made again before anything
     * else. While it is true, every room with an event in recent_event has a head. */
    bool heads_valid;
    /* Sequences up to `folded` are not in recent_event any more; `sequence` is the last one given.
     */
    int64_t sequence, folded;
    int64_t fold_at; /* the sequence at which to begin to fold */
    /* Events being folded, a part at a time: their sequences, sorted by room; those before plan_done are done. Until
     * the last is, all of them stay in recent_event as well. */
    int64_t *plan, plan_last;
    size_t plan_count, plan_done;
    int64_t data_version;
    int wal_pages; /* in the write-ahead log, at the last commit */
    int log_pages; /* for so many its file has been made long enough */
    /* Of the batch: the transaction cannot go on; why. */
    bool lost;
    char words[DRIVER_WORDS_BYTES];
};

#endif
