/* A file that may come to be while the server runs: the browser's engine, which is built beside it. It is looked for when
 * somebody asks for it, until it is there; from then on it is kept in memory as it was. It is packed by gzip, as
 * everybody who can use it understands. Like other files (files.h) it is had under two addresses, but its version is its own:
 * what is asked for by it may be kept for good. */
#ifndef SERVER_NET_LATE_FILE_H
#define SERVER_NET_LATE_FILE_H

#include "server/net/files.h"

enum { LATE_FILE_BYTES_MAX = 8 * 1024 * 1024 };

struct late_file;

/* At `url` it is of that type; the texts are copied. `path` must come to be by being renamed, whole. */
struct late_file *late_file_new(const char *url, const char *content_type, const char *path);
void late_file_free(struct late_file *late); /* NULL is allowed */

/* NULL: another path, or not there yet. `lasting`: it was asked for by its version. */
const struct file *late_file_find(struct late_file *late, const char *path, bool *lasting);
/* Where a page asks for it: with its version in front, once it is there. Good until late_file_free. */
const char *late_file_address(struct late_file *late);

#endif
