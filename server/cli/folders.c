#include "server/cli/folders.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool folder_is_there(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

void folder_find(const char *name, char path[FOLDER_PATH_BYTES])
{
    static const char *const places[] = {"%s/%s", "%s/../share/senet/%s"};
    char program[FOLDER_PATH_BYTES / 2];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    snprintf(path, FOLDER_PATH_BYTES, "%s/%s", SENET_SOURCE_DIR, name);
    if (length <= 0)
        return;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    const char *last = strrchr(name, '/') == NULL ? name : strrchr(name, '/') + 1;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char candidate[FOLDER_PATH_BYTES];
        /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): the two formats are right above. */
        snprintf(candidate, sizeof candidate, places[i], program, last);
        if (!folder_is_there(candidate))
            continue;
        memcpy(path, candidate, sizeof candidate);
        return;
    }
}
