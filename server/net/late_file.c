#include "server/net/late_file.h"

#include "engine/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct late_file {
    char *url, *content_type, *path;
    unsigned char *bytes; /* NULL: not there yet */
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

static void look_for(struct late_file *late)
{
    size_t length = 0;
    if (!is_there(late->path, &length))
        return;
    late->bytes = files_read_whole(late->path, length);
    if (late->bytes == NULL)
        return;
    late->file = (struct file){.path = late->url, .content_type = late->content_type};
    struct variant *plain = &late->file.variants[FILES_PLAIN];
    *plain = (struct variant){.tried = true, .bytes = late->bytes, .length = length};
    files_write_etag(plain);
}

const struct file *late_file_find(struct late_file *late, const char *url)
{
    if (late == NULL || strcmp(late->url, url) != 0)
        return NULL;
    if (late->bytes == NULL)
        look_for(late);
    return late->bytes != NULL ? &late->file : NULL;
}
