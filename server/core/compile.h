/* Definitions compiled on threads: each once for each number of players, however many wait for it. */
#ifndef SERVER_CORE_COMPILE_H
#define SERVER_CORE_COMPILE_H

#include "server/core/parts.h"
#include "server/core/published_id.h"

enum { COMPILE_WISHES_MAX = 256 }; /* of one definition */

enum compile_purpose {
    COMPILE_FOR_ROOM, /* that is being read from the store */
    COMPILE_TO_CREATE,
    COMPILE_TO_VALIDATE,
    COMPILE_TO_PUBLISH,
    COMPILE_TO_SHOW, /* showing.h */
    COMPILE_TO_SEEK, /* seeking.h */
};

/* Why somebody wants it. */
struct compile_wish {
    enum compile_purpose purpose;
    char room[ROOM_ID_BYTES + 1]; /* FOR_ROOM */
    struct author author;         /* else whom the answer goes to */
    uint64_t reading;             /* TO_SEEK: its number */
    bool is_public;               /* TO_CREATE */
    struct time_control clock;    /* TO_CREATE */
    /* TO_CREATE: "NAME@N" of a published game, or "". TO_PUBLISH: the name. */
    char game[WORD_BYTES_MAX + 1];
    struct published_id ancestor; /* TO_PUBLISH, and what follows */
    enum store_wish listing;
};

struct compile_source {
    const char *hash;
    struct text text;
    int players; /* 0: as many as it has */
};

struct session;
/* A reference, when it is in memory; NULL: the wish was asked for, or REFUSAL_NONE is not what was given. */
enum refusal compile_find(struct core *core, struct account *account,
                          const struct compile_source *source, const struct compile_wish *wish,
                          struct edition **edition, const char **words, uint64_t *retry_ms);
/* A room of it for the wish's author, who is on this session: made at once when the definition is in memory, else
 * once it is compiled. REFUSAL_NONE: the answer comes by itself. */
enum refusal compile_create(struct core *core, struct session *session,
                            const struct compile_source *source, const struct compile_wish *wish,
                            const char **words, uint64_t *retry_ms);
/* 0: the wish will be answered. Else the milliseconds after which it may be asked again. */
uint64_t compile_ask(struct core *core, struct account *account,
                     const struct compile_source *source, const struct compile_wish *wish);

#endif
