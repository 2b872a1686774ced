#include "server/net/files.h"

#include "engine/memory/memory.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct files {
    struct file *list; /* sorted by path */
    size_t count, room, bytes;
};

struct type {
    const char *extension, *content_type;
    bool image;
};

/* clang-format off */
static const struct type types[] = {
    {".html",        "text/html; charset=utf-8",       false},
    {".js",          "text/javascript; charset=utf-8", false},
    {".mjs",         "text/javascript; charset=utf-8", false},
    {".css",         "text/css; charset=utf-8",        false},
    {".json",        "application/json",               false},
    {".webmanifest", "application/manifest+json",      false},
    {".txt",         "text/plain; charset=utf-8",      false},
    {".woff2",       "font/woff2",                     false},
    {".ico",         "image/x-icon",                   true},
    {".svg",         "image/svg+xml",                  true},
    {".png",         "image/png",                      true},
    {".webp",        "image/webp",                     true},
};
/* clang-format on */

struct files *files_new(void)
{
    struct files *files = memory_zeroed(1, sizeof(*files));
    return files;
}

void files_free(struct files *files)
{
    if (files == NULL)
        return;
    for (size_t i = 0; i < files->count; i++) {
        free((void *)files->list[i].path);
        free((void *)files->list[i].bytes);
    }
    free(files->list);
    free(files);
}

static const struct type *type_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i].extension) == 0)
            return &types[i];
    return NULL;
}

void files_write_etag(struct file *file)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < file->length; i++)
        hash = (hash ^ file->bytes[i]) * UINT64_C(0x100000001b3);
    snprintf(file->etag, sizeof file->etag, "\"%016" PRIx64 "\"", hash);
}

unsigned char *files_read_whole(const char *path, size_t length)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return NULL;
    unsigned char *bytes = memory_bytes(length + 1);
    size_t got = fread(bytes, 1, length, stream);
    fclose(stream);
    if (got == length)
        return bytes;
    free(bytes);
    return NULL;
}

/* One walk through a folder: where it began, and what to say when it fails. */
struct walk {
    struct files *files;
    bool images_only;
    char *words;
    size_t words_size;
};

static bool fail(const struct walk *walk, const char *path, const char *why)
{
    snprintf(walk->words, walk->words_size, "%s: %s", path, why);
    return false;
}

static bool add_file(const struct walk *walk, const char *path, const char *url, size_t length)
{
    struct files *files = walk->files;
    const struct type *type = type_of(path);
    if (type == NULL || (walk->images_only && !type->image))
        return true;
    if (files->count == FILES_MAX || length > FILES_BYTES_MAX - files->bytes)
        return fail(walk, path, "more files than are kept in memory");
    unsigned char *bytes = files_read_whole(path, length);
    if (bytes == NULL)
        return fail(walk, path, strerror(errno));
    if (files->count == files->room) {
        files->room = files->room == 0 ? 64 : files->room * 2;
        files->list = memory_resize(files->list, files->room, sizeof(*files->list));
    }
    struct file *file = &files->list[files->count++];
    *file = (struct file){.path = memory_text(url),
                          .content_type = type->content_type,
                          .bytes = bytes,
                          .length = length};
    files->bytes += length;
    files_write_etag(file);
    return true;
}

static bool load_folder(const struct walk *walk, const char *directory, const char *prefix,
                        int depth)
{
    if (depth > FILES_DEPTH_MAX)
        return fail(walk, directory, "folders too deep");
    DIR *folder = opendir(directory);
    if (folder == NULL)
        return fail(walk, directory, strerror(errno));
    bool fine = true;
    for (struct dirent *entry; fine && (entry = readdir(folder)) != NULL;) {
        char path[FILES_PATH_BYTES], url[FILES_PATH_BYTES];
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        if (snprintf(path, sizeof path, "%s/%s", directory, entry->d_name) >= (int)sizeof path ||
            snprintf(url, sizeof url, "%s/%s", prefix, entry->d_name) >= (int)sizeof url) {
            fine = fail(walk, directory, "a name too long");
        } else if (stat(path, &status) != 0) {
            fine = fail(walk, path, strerror(errno));
        } else if (S_ISDIR(status.st_mode)) {
            fine = load_folder(walk, path, url, depth + 1);
        } else if (S_ISREG(status.st_mode)) {
            fine = add_file(walk, path, url, (size_t)status.st_size);
        }
    }
    closedir(folder);
    return fine;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

bool files_load(struct files *files, const char *directory, const char *prefix, bool images_only,
                /* NOLINTNEXTLINE(readability-non-const-parameter): written through `walk`. */
                char *words, size_t words_size)
{
    struct walk walk = {files, images_only, words, words_size};
    bool fine = load_folder(&walk, directory, prefix, 0);
    if (files->count > 0)
        qsort(files->list, files->count, sizeof(*files->list), compare);
    return fine;
}

const struct file *files_find(const struct files *files, const char *path)
{
    struct file wanted = {.path = path};
    if (files->count == 0)
        return NULL;
    return bsearch(&wanted, files->list, files->count, sizeof(*files->list), compare);
}

size_t files_count(const struct files *files)
{
    return files->count;
}

size_t files_bytes(const struct files *files)
{
    return files->bytes;
}
