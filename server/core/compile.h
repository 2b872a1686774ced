/* Definitions compiled on threads: each once for each number of players, however many wait for it. */
#ifndef SERVER_CORE_COMPILE_H
#define SERVER_CORE_COMPILE_H

#include "server/core/parts.h"

enum { COMPILE_WISHES_MAX = 256 }; /* of one definition */

enum compile_purpose {
    COMPILE_FOR_ROOM, /* that is being read from the store */
    COMPILE_TO_CREATE,
    COMPILE_TO_VALIDATE,
};

/* Why somebody wants it. */
struct compile_wish {
    enum compile_purpose purpose;
    char room[ROOM_ID_BYTES + 1]; /* FOR_ROOM */
    struct author author;         /* else whom the answer goes to */
    bool is_public;               /* TO_CREATE */
};

struct compile_source {
    const char *hash;
    struct text text;
    int players; /* 0: as many as it has */
};

/* 0: the wish will be answered. Else the milliseconds after which it may be asked again. */
uint64_t compile_ask(struct core *core, struct account *account,
                     const struct compile_source *source, const struct compile_wish *wish);

#endif
