#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *test_read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    size_t room = 4096, used = 0;
    char *text = malloc(room + 1);
    while (text != NULL) {
        used += fread(text + used, 1, room - used, file);
        if (used < room)
            break;
        room *= 2;
        char *more = realloc(text, room + 1);
        if (more == NULL) {
            free(text);
            text = NULL;
        } else {
            text = more;
        }
    }
    fclose(file);
    if (text != NULL)
        text[used] = '\0';
    if (length != NULL)
        *length = used;
    return text;
}

char *test_shared_path(const char *relative)
{
    const char *shared = getenv("SENET_SHARED");
    if (shared == NULL)
        shared = "../shared";
    size_t room = strlen(shared) + strlen(relative) + 2;
    char *path = malloc(room);
    if (path == NULL)
        return NULL;
    snprintf(path, room, "%s/%s", shared, relative);
    if (access(path, R_OK) == 0)
        return path;
    fprintf(stderr, "skipped: %s is not here (set SENET_SHARED)\n", path);
    free(path);
    return NULL;
}

uint64_t test_random(uint64_t *state)
{
    uint64_t value = (*state += UINT64_C(0x9e3779b97f4a7c15));
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}
