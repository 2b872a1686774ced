#include "server/net/late_file.h"

#include "engine/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct late_file {
    char *url, *content_type, *path;
    unsigned char *bytes; /* NULL: not there yet */
    char version[FILES_VERSION_BYTES];
    char *address; /* with the version in front */
    struct file file;
};

struct late_file *late_file_new(const char *url, const char *content_type, const char *path)
{
    struct late_file *late = memory_zeroed(1, sizeof *late);
    late->url = memory_text(url);
    late->content_type = memory_text(content_type);
    late->path = memory_text(path);
    return late;
}

void late_file_free(struct late_file *late)
{
    if (late == NULL)
        return;
    free(late->url);
    free(late->content_type);
    free(late->path);
    free(late->address);
    free(late->bytes);
    free(late);
}

/* Larger than it may be is as good as not there. */
static bool is_there(const char *path, size_t *length)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0 ||
        status.st_size > LATE_FILE_BYTES_MAX)
        return false;
    *length = (size_t)status.st_size;
    return true;
}

static void name_by_version(struct late_file *late, const struct variant *plain)
{
    size_t length;
    snprintf(late->version, sizeof late->version, "%s", plain->etag + 1); /* without its quotes */
    FILE *address = memory_stream(&late->address, &length);
    fprintf(address, "/v/%s%s", late->version, late->url);
    fclose(address);
}

static bool look_for(struct late_file *late)
{
    size_t length = 0;
    if (late->bytes == NULL && is_there(late->path, &length))
        late->bytes = files_read_whole(late->path, length);
    if (late->bytes == NULL || late->address != NULL)
        return late->bytes != NULL;
    late->file = (struct file){.path = late->url, .content_type = late->content_type};
    struct variant *plain = &late->file.variants[FILES_PLAIN];
    *plain = (struct variant){.tried = true, .bytes = late->bytes, .length = length};
    files_write_etag(plain);
    name_by_version(late, plain);
    return true;
}

const struct file *late_file_find(struct late_file *late, const char *path, bool *lasting)
{
    *lasting = false;
    if (late == NULL || strcmp(files_skip_version("", path, lasting), late->url) != 0 ||
        !look_for(late))
        return NULL;
    files_skip_version(late->version, path, lasting);
    return &late->file;
}

const char *late_file_address(struct late_file *late)
{
    return look_for(late) ? late->address : late->url;
}
