/* Which of Chess Mate's routes a path is: as Express reads it, in any case and with or without a slash at the end. */
#ifndef SERVER_CHESS_MATE_ROUTE_H
#define SERVER_CHESS_MATE_ROUTE_H

#include "server/chess_mate/visit.h"
#include "server/net/net.h"

enum route_kind {
    ROUTE_INDEX,
    ROUTE_PREFLIGHT,
    ROUTE_NEW_GAME,
    ROUTE_GAME,
    ROUTE_TARGETS,
    ROUTE_MOVE,
    ROUTE_BAD_SQUARE, /* one of the two before with a square that is none */
    ROUTE_BAD_TEXT,   /* with one that is no text */
    ROUTE_NOWHERE,
};

struct route {
    enum route_kind kind;
    enum wish wish;
    int from, to;
    bool is_move; /* of BAD_SQUARE: the words differ */
};

/* `path`: behind the prefix, "" or beginning with a slash; its escapes are resolved, but for bad ones. */
struct route route_read(enum net_method method, const char *path, bool bad_escapes);

#endif
