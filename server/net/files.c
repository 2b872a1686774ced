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

#include <brotli/encode.h>
#include <zlib.h>

enum {
    COMPRESSED_LENGTH_MIN = 512, /* less fits into one packet anyway */
    LARGE_LENGTH = 256 * 1024,   /* the loop waits while a file is compressed */
    GZIP_LEVEL = 7,
    GZIP_WINDOW = 15 + 16, /* the 16 asks zlib for gzip's head */
    GZIP_MEMORY = 8,
    BROTLI_QUALITY_SMALL = 9,
    BROTLI_QUALITY_LARGE = 5,
    VERSION_DIGITS = FILES_VERSION_BYTES - 1,
};

struct files {
    struct file *list; /* sorted by path, once sealed */
    size_t count, room, bytes;
    char version[FILES_VERSION_BYTES];
};

struct type {
    const char *extension, *content_type;
    bool image, text;
};

/* clang-format off */
static const struct type types[] = {
    {".html",        "text/html; charset=utf-8",       false, true},
    {".js",          "text/javascript; charset=utf-8", false, true},
    {".mjs",         "text/javascript; charset=utf-8", false, true},
    {".css",         "text/css; charset=utf-8",        false, true},
    {".json",        "application/json",               false, true},
    {".webmanifest", "application/manifest+json",      false, true},
    {".txt",         "text/plain; charset=utf-8",      false, true},
    {".woff2",       "font/woff2",                     false, false},
    {".ico",         "image/x-icon",                   true , false},
    {".svg",         "image/svg+xml",                  true , true},
    {".png",         "image/png",                      true , false},
    {".webp",        "image/webp",                     true , false},
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
        for (int j = 0; j < FILES_CODING_COUNT; j++)
            free(files->list[i].variants[j].bytes);
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

static const uint64_t hash_start = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

static uint64_t hash_on(uint64_t hash, const void *data, size_t length)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

void files_write_etag(struct variant *plain)
{
    uint64_t hash = hash_on(hash_start, plain->bytes, plain->length);
    snprintf(plain->etag, sizeof plain->etag, "\"%016" PRIx64 "\"", hash);
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

static bool has_room(const struct files *files, size_t length)
{
    return files->count < FILES_MAX && length <= FILES_BYTES_MAX - files->bytes;
}

static void take_file(struct files *files, const struct type *type, const char *url,
                      /* NOLINTNEXTLINE(readability-non-const-parameter): it is owned from now on */
                      unsigned char *bytes, size_t length)
{
    if (files->count == files->room) {
        files->room = files->room == 0 ? 64 : files->room * 2;
        files->list = memory_resize(files->list, files->room, sizeof(*files->list));
    }
    struct file *file = &files->list[files->count++];
    *file = (struct file){
        .path = memory_text(url), .content_type = type->content_type, .is_text = type->text};
    file->variants[FILES_PLAIN] = (struct variant){.tried = true, .bytes = bytes, .length = length};
    files_write_etag(&file->variants[FILES_PLAIN]);
    files->bytes += length;
}

bool files_add(struct files *files, const char *path, unsigned char *bytes, size_t length)
{
    const struct type *type = type_of(path);
    assert(type != NULL);
    if (!has_room(files, length)) {
        free(bytes);
        return false;
    }
    take_file(files, type, path, bytes, length);
    return true;
}

static bool add_file(const struct walk *walk, const char *path, const char *url, size_t length)
{
    struct files *files = walk->files;
    const struct type *type = type_of(path);
    if (type == NULL || (walk->images_only && !type->image))
        return true;
    if (!has_room(files, length))
        return fail(walk, path, "more files than are kept in memory");
    unsigned char *bytes = files_read_whole(path, length);
    if (bytes == NULL)
        return fail(walk, path, strerror(errno));
    take_file(files, type, url, bytes, length);
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
    return load_folder(&walk, directory, prefix, 0);
}

/* --- found ------------------------------------------------------------------------------------ */

void files_seal(struct files *files)
{
    uint64_t hash = hash_start;
    if (files->count > 0)
        qsort(files->list, files->count, sizeof(*files->list), compare);
    for (size_t i = 0; i < files->count; i++) {
        const struct file *file = &files->list[i];
        hash = hash_on(hash, file->path, strlen(file->path) + 1);
        hash = hash_on(hash, file->variants[FILES_PLAIN].etag, FILES_ETAG_BYTES);
    }
    snprintf(files->version, sizeof files->version, "%016" PRIx64, hash);
}

const char *files_version(const struct files *files)
{
    return files->version;
}

const char *files_skip_version(const char *wanted, const char *path, bool *lasting)
{
    static const char prefix[] = "/v/";
    *lasting = false;
    if (strncmp(path, prefix, strlen(prefix)) != 0)
        return path;
    const char *version = path + strlen(prefix);
    if (strspn(version, "0123456789abcdef") != VERSION_DIGITS || version[VERSION_DIGITS] != '/')
        return path;
    *lasting = strncmp(version, wanted, VERSION_DIGITS) == 0;
    return version + VERSION_DIGITS;
}

struct file *files_find(const struct files *files, const char *path, bool *lasting)
{
    assert(files->version[0] != '\0');
    struct file wanted = {.path = files_skip_version(files->version, path, lasting)};
    if (files->count == 0)
        return NULL;
    return bsearch(&wanted, files->list, files->count, sizeof(*files->list), compare);
}

/* --- compressed ------------------------------------------------------------------------------- */

static bool gzip(const struct variant *plain, unsigned char *bytes, size_t *length)
{
    z_stream stream = {.next_in = plain->bytes, .avail_in = (uInt)plain->length};
    if (deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    stream.next_out = bytes;
    stream.avail_out = (uInt)*length;
    bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *length = stream.total_out;
    deflateEnd(&stream);
    return whole;
}

static bool brotli(const struct variant *plain, unsigned char *bytes, size_t *length)
{
    int quality = plain->length > LARGE_LENGTH ? BROTLI_QUALITY_LARGE : BROTLI_QUALITY_SMALL;
    return BrotliEncoderCompress(quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, plain->length,
                                 plain->bytes, length, bytes) == BROTLI_TRUE;
}

/* Only where it is a tenth shorter at least. */
static void compress_file(struct files *files, const struct variant *plain, struct variant *variant,
                          enum files_coding coding)
{
    size_t most = plain->length / 10 * 9, length = most;
    unsigned char *bytes = has_room(files, most) && !memory_is_short() ? memory_bytes(most) : NULL;
    variant->tried = true;
    if (bytes == NULL)
        return;
    if (!(coding == FILES_GZIP ? gzip(plain, bytes, &length) : brotli(plain, bytes, &length))) {
        free(bytes);
        return;
    }
    variant->bytes = memory_resize(bytes, length, 1);
    variant->length = length;
    files->bytes += length;
    snprintf(variant->etag, sizeof variant->etag, "%.17s-%c\"", plain->etag,
             coding == FILES_GZIP ? 'g' : 'b');
}

const struct variant *files_variant(struct files *files, struct file *file,
                                    enum files_coding coding)
{
    const struct variant *plain = &file->variants[FILES_PLAIN];
    struct variant *variant = &file->variants[coding];
    if (!file->is_text || plain->length < COMPRESSED_LENGTH_MIN)
        return plain;
    if (!variant->tried)
        compress_file(files, plain, variant, coding);
    return variant->bytes == NULL ? plain : variant;
}

const char *files_coding_name(enum files_coding coding)
{
    static const char *const names[FILES_CODING_COUNT] = {NULL, "gzip", "br"};
    return names[coding];
}

const char *files_coding_headers(enum files_coding coding)
{
    static const char *const headers[FILES_CODING_COUNT] = {
        "Vary: Accept-Encoding\r\n",
        "Vary: Accept-Encoding\r\nContent-Encoding: gzip\r\n",
        "Vary: Accept-Encoding\r\nContent-Encoding: br\r\n",
    };
    return headers[coding];
}

void files_release_variants(struct files *files, struct file *file)
{
    for (int i = 0; i < FILES_CODING_COUNT; i++) {
        if (i != FILES_PLAIN)
            files->bytes -= file->variants[i].length;
        free(file->variants[i].bytes);
        file->variants[i] = (struct variant){0};
    }
}

size_t files_bytes(const struct files *files)
{
    return files->bytes;
}
