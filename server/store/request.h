/* A request outlives the call that asks it: its strings are copied, behind it, into one piece of
 * memory. */
#ifndef SERVER_STORE_REQUEST_H
#define SERVER_STORE_REQUEST_H

#include "server/store/store.h"

/* How many bytes request_copy writes to `texts`. */
size_t request_text_size(const struct store_request *request);
/* `copy` becomes `request` with all its strings in `texts`. What a request of its kind does not use
 * is left out. */
void request_copy(struct store_request *copy, const struct store_request *request, char *texts);

#endif
