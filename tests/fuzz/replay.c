/* A main for fuzz targets without libFuzzer: holds the law against every file of the folders that are
 * its arguments. */
#include <dirent.h>
#include <stdbool.h>
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

/* Replays what is in a folder; false when something is wrong with it. An empty corpus proves nothing. */
static bool replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        perror(path);
        return false;
    }
    int replayed = 0, failed = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char file[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        failed += replay_file(file) != 0;
        replayed++;
    }
    closedir(folder);
    printf("%s: %d inputs replayed\n", path, replayed);
    return replayed > 0 && failed == 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s CORPUS-FOLDER…\n", argv[0]);
        return 2;
    }
    bool passed = true;
    for (int i = 1; i < argc; i++)
        passed = replay_folder(argv[i]) && passed;
    return passed ? 0 : 1;
}
