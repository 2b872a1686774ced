/* `senet bot --seek`: what it looks for, in the words of the protocol, and how long the others of a game have been away. */
#ifndef SERVER_CLI_BOT_SEEK_H
#define SERVER_CLI_BOT_SEEK_H

#include "protocol/client.h"
#include "protocol/time_control.h"

struct bot_seek_order {
    const char *game; /* NULL: it looks for nobody */
    const char *seat; /* "any", or a player of the game */
    const char *name;
    struct time_control clock;
    bool people; /* programs will not do */
};

/* MINUTES+SECONDS, as 5+3, or the protocol's own words, as {"initial_ms":300000}. */
bool bot_clock_read(const char *text, struct time_control *clock);

/* Says so to the server; the command's id, as client_command gives it. */
const char *bot_seek(struct client *client, const struct bot_seek_order *order);

enum { BOT_NOBODY_ABSENT = -1 };
/* Of a presence, `json`: the milliseconds after which all others who have gone may be claimed against; of other messages, and where
 * nobody has gone, BOT_NOBODY_ABSENT. */
int64_t bot_absent_ms(const struct client *client, const char *json);
bool bot_is_presence(const char *json);
/* Who has gone has lost, or, if the game has hardly begun, there was none. What does not hold is refused, and changes nothing. */
void bot_claim_absent(struct client *client);

#endif
