/* What seeking.c and seeking_others.c have in common; nobody else includes it. */
#ifndef SERVER_CORE_SEEKING_PARTS_H
#define SERVER_CORE_SEEKING_PARTS_H

#include "server/core/seeking.h"

enum { SEEKING_TERMS_BYTES = 4096 }; /* a clock for each of eight seats, with room to spare */

/* What somebody looks for. */
struct sought {
    struct seek seek;
    peer_id peer; /* who is to be answered, */
    char command[COMMAND_ID_BYTES_MAX + 1];
    struct identity identity;
    char name[DISPLAY_NAME_BYTES_MAX + 1];
    char game[WORD_BYTES_MAX + 1], title[SEEK_TITLE_BYTES_MAX + 1];
    char seat[WORD_BYTES_MAX + 1]; /* that is wanted; "": any */
    struct edition
        *edition; /* a reference; NULL: of whoever looks at another server for a published game */
    struct time_control clock;
    bool rated;
    struct account *address; /* held; NULL: of whoever looks at another server */
    bool is_cancelled;       /* as soon as it waits again */
    bool is_unknown;         /* his rating is being asked for, and he waits from then on */
    bool is_left;            /* another server was to decide who plays with him */
    /* Of one who looks at another server: which; and whether it is in core->seeking.elsewhere, since when. Of one of ours
     * that is promised: to which server, for which room, and in core->seeking.promised. */
    char node[STORE_NODE_BYTES + 1];
    char room[ROOM_ID_BYTES + 1];
    struct link others_link;
    uint64_t others_ms;
    bool is_asked; /* the store, for that room */
};

/* Players who are given a room. */
struct pairing {
    struct link link;
    uint64_t number;
    uint64_t made_ms;  /* or asked */
    bool is_asking;    /* other servers for promises; no room is being made yet */
    bool is_elsewhere; /* another server has made it */
    char *terms;       /* owned */
    char room[ROOM_ID_BYTES + 1];
    int count;
    struct sought *members[PLAYER_COUNT_MAX]; /* owned while it is under way */
    bool promised[PLAYER_COUNT_MAX];
    uint64_t seeks[PLAYER_COUNT_MAX]; /* their numbers */
    int seats[PLAYER_COUNT_MAX];
    char players[PLAYER_COUNT_MAX][PLAYER_ID_BYTES + 1];
};

/* What is asked for: first as it was said, then understood, by the game. */
struct wanted {
    char game[WORD_BYTES_MAX + 1];
    char title[SEEK_TITLE_BYTES_MAX + 1];
    char seat[WORD_BYTES_MAX + 1]; /* "": any */
    struct edition *edition;       /* borrowed; NULL: as in `sought` */
    int players;                   /* as said 0: as many as the game has */
    struct time_control clock;
    bool rated;
    struct seek_wish wish; /* its seat is known by the game */
    char terms[SEEKING_TERMS_BYTES];
};
/* By the edition, which is set. */
enum refusal seeking_understand(struct request *request, struct wanted *wanted);
/* Of a game of the server's own both of that. UNKNOWN_GAME: it is none, and `wanted` is as it was said. */
enum refusal seeking_read(struct request *request, struct wanted *wanted);
/* Into `wanted`, of a game that is not known here; false: it is too long. */
bool seeking_write_terms(struct wanted *wanted);
/* It is understood: it waits, or is answered. */
enum refusal seeking_go_on(struct request *request, const struct wanted *wanted);

/* A new one, in no line. */
struct sought *seeking_new(const struct wanted *wanted, const struct identity *identity);
void seeking_take_wish(struct sought *sought, const struct wanted *wanted);

/* As the player says them, and as all are told them. */
void seeking_write_range(struct writer *writer, const struct seek_wish *wish);

static inline bool seeking_is_elsewhere(const struct sought *sought)
{
    return sought->address == NULL;
}

void seeking_free(struct core *core, struct sought *sought);
void seeking_refuse(struct core *core, const struct sought *sought, enum refusal refusal);
void seeking_withdraw(struct core *core, struct sought *sought);
void seeking_withdraw_others(struct core *core, const struct seek *chosen);
/* One that is not given a room after all waits again, if its player is there. False: it is no more. */
bool seeking_put_back(struct core *core, struct sought *sought);
/* Whoever might play with this one by now. */
void seeking_look(struct core *core, struct sought *sought);
/* The same of one whom the lobby has as he is. */
void seeking_look_again(struct core *core, struct sought *sought);
void seeking_rating_answered(struct core *core, const struct ticket *ticket,
                             const struct store_answer *answer);
/* His rating is asked for. False: nothing can be asked now. */
bool seeking_ask_rating(struct core *core, struct sought *sought);
/* All have been promised: a published game is asked for once more, then there is a room. */
void seeking_make_room(struct core *core, struct pairing *pairing);
void seeking_make_room_now(struct core *core, struct pairing *pairing);
/* NULL: there is none of that number any more. */
struct pairing *seeking_find_pairing(const struct core *core, uint64_t number);
/* A room of theirs is remembered for who comes back. */
void seeking_remember(struct core *core, struct pairing *pairing);
void seeking_pairing_free(struct pairing *pairing);

/* --- seeking_published.c ---------------------------------------------------------------------- */

enum { SEEKING_READINGS_MAX = 256 };

/* A seek of a published game, which is read from the store and perhaps compiled before it is known what is looked for. */
struct seek_reading {
    struct link link;
    uint64_t number;
    peer_id peer; /* who is to be answered */
    char command[COMMAND_ID_BYTES_MAX + 1];
    char player[PLAYER_ID_BYTES + 1];
    struct wanted wanted;
};

bool seeking_is_published(const char *game);
/* `wanted` is as it was said. */
enum refusal seeking_begin_reading(struct request *request, const struct wanted *wanted);
/* Those of the player, or the one under this command (absent: all), are withdrawn. */
void seeking_stop_readings(struct core *core, const char *player, struct text command);
void seeking_free_readings(struct core *core);
/* Whether the game may still be played is asked; then the pairing has its room, or is refused. */
void seeking_ask_published(struct core *core, struct pairing *pairing);

/* --- seeking_others.c ------------------------------------------------------------------------- */

/* One of ours waits, or does not any more. */
void seeking_tell(struct core *core, const struct sought *sought);
/* Their servers are asked to promise those who look there. */
void seeking_ask_others(struct core *core, struct pairing *pairing);
/* What became of one of a pairing's members who looks elsewhere, as it is told there. */
void seeking_tell_made(struct core *core, const struct pairing *pairing, int member);
void seeking_tell_lost(struct core *core, const struct pairing *pairing, int member);
void seeking_others_time(struct core *core);
uint64_t seeking_others_deadline_ms(const struct core *core);

#endif
