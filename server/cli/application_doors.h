/* Who speaks to the core: the network, the house and the guests by Chess Mate's calls come in by the core's doors, and the
 * store's answers come back by one. The time is told first. */
#ifndef SERVER_CLI_APPLICATION_DOORS_H
#define SERVER_CLI_APPLICATION_DOORS_H

#include "server/cli/application_parts.h"

bool application_make_net(struct application *application,
                          const struct application_options *options, char *words,
                          size_t words_size);
void application_make_house(struct application *application);
void application_make_chess_mate(struct application *application);
void application_on_store_answered(void *context, struct store_answer *answer);

#endif
