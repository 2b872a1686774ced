#include "tests/support/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = DEFINITION_BYTES_MAX + 1 };

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = file != NULL ? calloc(FILE_BYTES_MAX + 1, 1) : NULL;
    if (text != NULL)
        *length = fread(text, 1, FILE_BYTES_MAX, file);
    if (file != NULL)
        fclose(file);
    return text;
}

static char *find_beside(const void *path, const char *name, size_t *length)
{
    char base[512];
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash + 1 - (const char *)path) : 0;
    snprintf(base, sizeof base, "%.*s%s.json", folder, (const char *)path, name);
    return read_file(base, length);
}

struct bases test_bases_beside(const char *path)
{
    return (struct bases){find_beside, path};
}

char *test_read_game(const char *path, size_t *length)
{
    size_t own_length = 0;
    char *own = read_file(path, &own_length), *text = NULL;
    const struct bases bases = test_bases_beside(path);
    struct whole_text whole;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    if (own != NULL && whole_text_read(&whole, own, own_length, &bases, &diagnostics)) {
        text = calloc(whole.length + 1, 1);
        if (text != NULL)
            memcpy(text, whole.text, whole.length);
        if (length != NULL)
            *length = whole.length;
        whole_text_release(&whole);
    }
    diagnostics_release(&diagnostics);
    free(own);
    return text;
}
