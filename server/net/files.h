/* The files a server gives out, read into memory once at the start: a request is a look-up in this
 * table, so there is no path to traverse.
 *
 * Each is had under two addresses: its own, which browsers ask about again each time, and one with the version of all
 * files in front, "/v/VERSION/board.js", which they may keep for good. Files that name each other relatively are then all
 * of one version, and none of their texts has to be changed. Text is compressed when it is first asked for that way, and
 * kept; all of it is counted in FILES_BYTES_MAX. */
#ifndef SERVER_NET_FILES_H
#define SERVER_NET_FILES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    FILES_MAX = 4096,
    FILES_DEPTH_MAX = 8,
    FILES_BYTES_MAX = 64 * 1024 * 1024, /* all files together */
    FILES_ETAG_BYTES = 24,
    FILES_PATH_BYTES = 512,
    FILES_VERSION_BYTES = 17,
};

enum files_coding { FILES_PLAIN, FILES_GZIP, FILES_BROTLI, FILES_CODING_COUNT };

/* One way a file is given out. */
struct variant {
    bool tried;           /* false: it is not made yet */
    unsigned char *bytes; /* owned; NULL: there is none */
    size_t length;
    char etag[FILES_ETAG_BYTES]; /* quotes included */
};

struct file {
    const char *path;         /* "/app/board.js" */
    const char *content_type; /* constant */
    bool is_text;             /* worth compressing */
    struct variant variants[FILES_CODING_COUNT];
};

struct files;

struct files *files_new(void);
void files_free(struct files *files);

/* Reads what lies under `directory` and is of a known type (only images when `images_only`); hidden
 * names are left out. `prefix` goes before each path: "" or "/games". False with words when the
 * bounds are reached or something cannot be read; what was read stays. */
bool files_load(struct files *files, const char *directory, const char *prefix, bool images_only,
                char *words, size_t words_size);

/* A file that was made here; takes the bytes (from malloc). False when the bounds are reached. */
bool files_add(struct files *files, const char *path, unsigned char *bytes, size_t length);

/* After the last one is there: now there is a version, and they can be found. May be done again. */
void files_seal(struct files *files);
const char *files_version(const struct files *files);

/* What follows "/v/VERSION", or the path itself. `lasting`: it is the wanted version. A page of an earlier one gets what there
 * is now. */
const char *files_skip_version(const char *wanted, const char *path, bool *lasting);
/* By either address; NULL: none. `lasting`: it was asked for by this version, and may be kept for good. */
struct file *files_find(const struct files *files, const char *path, bool *lasting);
/* The wanted one, or the plain one where there is no such, or no memory for it. */
const struct variant *files_variant(struct files *files, struct file *file,
                                    enum files_coding coding);
const char *files_coding_name(enum files_coding coding); /* of Content-Encoding; NULL: plain */
/* The lines of an answer's head that say how a text is given out. */
const char *files_coding_headers(enum files_coding coding);
/* All of it: never more than FILES_BYTES_MAX. */
size_t files_bytes(const struct files *files);

/* For who keeps files otherwise: so many bytes in new memory, NULL when they cannot be read; and a file's ETag, made of its
 * bytes. */
unsigned char *files_read_whole(const char *path, size_t length);
void files_write_etag(struct variant *plain);
/* A text that is kept elsewhere may be compressed by files_variant, too, and counts here until this frees its bytes. */
void files_release_variants(struct files *files, struct file *file);

#endif
