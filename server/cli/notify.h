/* What systemd wants to know of a service of Type=notify: a line in a datagram to the socket that $NOTIFY_SOCKET names. Where
 * nobody wants to know, nothing is said. Private to server/cli. */
#ifndef SERVER_CLI_NOTIFY_H
#define SERVER_CLI_NOTIFY_H

#include <stdint.h>

/* "READY=1", "STOPPING=1", "WATCHDOG=1" */
void notify_say(const char *line);
/* How often "WATCHDOG=1" is to be said: half of what is allowed. 0: never. */
uint64_t notify_watchdog_ms(void);

#endif
