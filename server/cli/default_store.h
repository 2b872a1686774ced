/* Where the store is when nobody says: $XDG_STATE_HOME/senet/senet.db, or below ~/.local/state. */
#ifndef SERVER_CLI_DEFAULT_STORE_H
#define SERVER_CLI_DEFAULT_STORE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes its URL and makes its folders, for their owner only. False, with words, where that cannot be. */
bool default_store(char *url, size_t url_size, char *words, size_t words_size);

#endif
