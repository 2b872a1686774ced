/* A main for fuzz targets without libFuzzer: holds the law against every file of the folder that is
 * its argument. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { FILE_BYTES_MAX = 1024 * 1024 };

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return -1;
    }
    uint8_t *room = malloc(FILE_BYTES_MAX);
    size_t size = room == NULL ? 0 : fread(room, 1, FILE_BYTES_MAX, file);
    fclose(file);
    /* exactly as large as the input, so that reading beyond it is seen */
    uint8_t *data = malloc(size > 0 ? size : 1);
    if (room == NULL || data == NULL) {
        fprintf(stderr, "%s: not enough memory\n", path);
        free(room);
        free(data);
        return -1;
    }
    memcpy(data, room, size);
    free(room);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "usage: %s CORPUS-FOLDER\n", argv[0]);
        return 2;
    }
    int replayed = 0, failed = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        failed += replay_file(path) != 0;
        replayed++;
    }
    closedir(folder);
    printf("%d inputs replayed\n", replayed);
    /* an empty corpus proves nothing */
    return replayed == 0 || failed != 0;
}
