/* A program that plays in a room, or a search of our own: what the client knows is told to it when its seat must choose, and its
 * answer is played. It needs the game's file and all moves, and asks the server for them as they are needed.
 *
 * A program that ends, is silent, or plays what is no move here has failed: that is said once, and its owner gives its seat
 * up. */
#ifndef SERVER_CLI_UCI_SEAT_H
#define SERVER_CLI_UCI_SEAT_H

#include "server/cli/uci.h"
#include "server/house/bot.h"

struct uci_seat;

struct uci_order {
    int level; /* our own search chooses, at this level (engine/bot/searcher.h); 0: a program does */
    uint64_t seed; /* of that */
    enum uci_dialect dialect;
    const char *program; /* NULL: there is none */
    const char *options[UCI_OPTIONS_MAX];
    int option_count;
    uint64_t nodes, move_ms; /* 0: as the room's clocks say, or UCI_MOVE_MS without clocks */
};

enum { UCI_MOVE_MS = 1000, UCI_MOVE_MS_MAX = 24 * 60 * 60 * 1000 };

struct uci_seat_events {
    void *context;
    void (*known)(void *context); /* a program is there, and may sit down */
    void (*said)(void *context);  /* the client has something to send */
    void (*failed)(void *context, const char *why);
};

struct uci_seat *uci_seat_new(struct uv_loop_s *loop, const struct uci_order *order,
                              struct client *client, struct bot *bot,
                              const struct uci_seat_events *events);
/* What the client was told. */
void uci_seat_hear(struct uci_seat *seat, const struct client_event *event);
/* Goes on with whatever is next, if bot_must_choose; may be called at any time. */
void uci_seat_act(struct uci_seat *seat);
/* The last move was refused for now: it is thought about once more. */
void uci_seat_try_again(struct uci_seat *seat);
/* The loop must go on until its handles are closed; then it is freed. */
void uci_seat_stop(struct uci_seat *seat);
void uci_seat_free(struct uci_seat *seat); /* NULL is allowed */

#endif
