/* The files a server gives out, read into memory once at the start: a request is a look-up in this
 * table, so there is no path to traverse. Immutable afterwards. */
#ifndef SERVER_NET_FILES_H
#define SERVER_NET_FILES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    FILES_MAX = 4096,
    FILES_DEPTH_MAX = 8,
    FILES_BYTES_MAX = 64 * 1024 * 1024, /* all files together */
    FILES_ETAG_BYTES = 20,
    FILES_PATH_BYTES = 512,
};

struct file {
    const char *path;         /* "/app/board.js" */
    const char *content_type; /* constant */
    const unsigned char *bytes;
    size_t length;
    char etag[FILES_ETAG_BYTES]; /* quotes included */
};

struct files;

struct files *files_new(void);
void files_free(struct files *files);

/* Reads what lies under `directory` and is of a known type (only images when `images_only`); hidden
 * names are left out. `prefix` goes before each path: "" or "/games". False with words when the
 * bounds are reached or something cannot be read; what was read stays. */
bool files_load(struct files *files, const char *directory, const char *prefix, bool images_only,
                char *words, size_t words_size);

const struct file *files_find(const struct files *files, const char *path); /* NULL: none */
size_t files_count(const struct files *files);
size_t files_bytes(const struct files *files);

/* For who keeps files otherwise: so many bytes in new memory, NULL when they cannot be read; and a file's ETag, made of its
 * bytes. */
unsigned char *files_read_whole(const char *path, size_t length);
void files_write_etag(struct file *file);

#endif
