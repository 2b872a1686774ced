/* What came with the program. */
#ifndef SERVER_CLI_FOLDERS_H
#define SERVER_CLI_FOLDERS_H

#include <stdbool.h>

enum { FOLDER_PATH_BYTES = 4096 };

bool folder_is_there(const char *path);
/* The folder of that name, as the source tree calls it: beside the program, where it is installed, or where it was built. */
void folder_find(const char *name, char path[FOLDER_PATH_BYTES]);

#endif
