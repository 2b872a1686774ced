/* A program that plays, on the other end of two pipes: UCI (chess and its variants), USI (shogi), UCCI (xiangqi).
 *
 * It is started, says what it is, is made ready for a game, and is asked for one move after the other. All it says is
 * taken for hostile: a line too long is cut, a move is only a text until somebody finds it among the legal ones. When it
 * ends, cannot be started, or is silent for too long, `gone` says why, once, and nothing is heard of it any more.
 * Everything happens on the loop's thread. */
#ifndef SERVER_CLI_UCI_H
#define SERVER_CLI_UCI_H

#include <stdbool.h>
#include <stdint.h>

struct uv_loop_s;
struct uci;

enum uci_dialect { UCI_CHESS, UCI_SHOGI, UCI_XIANGQI };

struct uci_events {
    void *context;
    void (*known)(void *context); /* it has introduced itself */
    void (*ready)(void *context); /* for the game that uci_begin named */
    /* Its answer, as the dialect writes moves; "" where it makes none. */
    void (*moved)(void *context, const char *text);
    void (*gone)(void *context, const char *why);
};

/* How long it may think. Milliseconds; 0: not said. */
struct uci_limits {
    uint64_t nodes, move_ms;
    uint64_t left_ms[2], increment_ms[2]; /* of who moves first, and of the other one */
    uint64_t period_ms;                   /* byo-yomi */
    int mover;                            /* of the two */
};

enum { UCI_MOVE_BYTES = 64, UCI_OPTIONS_MAX = 32 };

/* `options`: NAME=VALUE each, set before each game. All texts are borrowed for its life. */
struct uci *uci_start(struct uv_loop_s *loop, enum uci_dialect dialect, const char *program,
                      const char *const *options, int option_count,
                      const struct uci_events *events);
/* False: it says which variants it plays, and none is called so (letters and digits count); or it says none, and the game is
 * not the one its dialect is for. */
bool uci_begin(struct uci *uci, const char *game);
/* `position`: as the dialect writes it; `moves`: since then, with a space before each. One question at a time. */
void uci_think(struct uci *uci, const char *position, const char *moves,
               const struct uci_limits *limits);
/* What is answered to the question under way is not wanted any more. */
void uci_forget(struct uci *uci);
bool uci_is_thinking(const struct uci *uci);
/* Ends the program. The loop must go on until its handles are closed; then it is freed. */
void uci_stop(struct uci *uci);
void uci_free(struct uci *uci);

#endif
