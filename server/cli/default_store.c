#include "server/cli/default_store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 4096 };

/* mkdir -p, for its owner only: the database holds what players are known by. */
static bool make_folders(char *path)
{
    for (char *at = path + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char end = *at;
        *at = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *at = end;
        if (!made)
            return false;
        if (end == '\0')
            return true;
    }
}

bool default_store(char *url, size_t url_size, char *words, size_t words_size)
{
    char folder[PATH_BYTES - 64];
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state != NULL && state[0] == '/') {
        snprintf(folder, sizeof folder, "%s/senet", state);
    } else if (home != NULL && home[0] == '/') {
        snprintf(folder, sizeof folder, "%s/.local/state/senet", home);
    } else {
        snprintf(words, words_size, "there is no HOME to keep the store in; give --store");
        return false;
    }
    snprintf(url, url_size, "sqlite://%s/senet.db", folder);
    if (make_folders(folder))
        return true;
    snprintf(words, words_size, "%s: %s", folder, strerror(errno));
    return false;
}
