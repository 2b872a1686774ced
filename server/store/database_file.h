/* Where a SQLite database is, and that it is ours alone: the URL's path, the folders above it, and
 * a lock held as long as the store is open. Knows files, not SQLite. */
#ifndef SERVER_STORE_DATABASE_FILE_H
#define SERVER_STORE_DATABASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { DATABASE_PATH_MAX = 4096 };

struct database_file {
    char path[DATABASE_PATH_MAX]; /* absolute, links followed; ":memory:" for a database without a
                                     file */
    bool memory;
    int lock; /* a descriptor; -1 for none */
};

/* Finds the place a URL names, makes missing folders (0700) and the file (0600), and takes the lock
 * (`<path>-lock`: a lock on a file of its own, so that `sqlite3 <path>` can still look at the
 * database). A URL's path is taken literally, without percent-decoding. False, with words and
 * nothing held, on failure. */
bool database_file_init(struct database_file *file, const char *url, char *words,
                        size_t words_size);
/* The place of a database that is there, without the lock: somebody may be using it. */
bool database_file_find(struct database_file *file, const char *url, char *words,
                        size_t words_size);
void database_file_release(struct database_file *file);

#endif
