#include "server/cli/backup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cli/default_store.h"
#include "server/store/store.h"

enum { URL_BYTES = 4096, WORDS_BYTES = URL_BYTES + 128 };

static const char usage[] =
    "usage: senet backup [--store URL] FILE\n"
    "\n"
    "Copies the store into a new file, also while a server is using it: one moment of it, with "
    "every\n"
    "move that was acknowledged before. Serve the copy with --store sqlite:///path/to/FILE.\n"
    "The URL is the one given to `senet serve`; without it SENET_STORE, else the default store.\n";

int cli_backup(int argc, char **argv)
{
    char standard[URL_BYTES], words[WORDS_BYTES];
    const char *url = getenv("SENET_STORE"), *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (strcmp(argv[i], "--store") == 0 && i + 1 < argc) {
            url = argv[++i];
        } else if (path == NULL && argv[i][0] != '-') {
            path = argv[i];
        } else {
            fputs(usage, stderr);
            return 2;
        }
    }
    if (path == NULL) {
        fputs(usage, stderr);
        return 2;
    }
    bool known = url != NULL && url[0] != '\0';
    if (!known && !default_store(standard, sizeof standard, words, sizeof words)) {
        fprintf(stderr, "senet backup: %s\n", words);
        return 1;
    }
    if (store_backup(known ? url : standard, path, words, sizeof words))
        return 0;
    fprintf(stderr, "senet backup: %s\n", words);
    return 1;
}
