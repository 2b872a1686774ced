/* The client's half of the conversation, without I/O: bots, load generators and tests use it.
 *
 * Its owner carries bytes: it calls client_opened, client_received and client_closed for what
 * happens on its connection, and sends what client_next_frame hands out. The client authenticates,
 * keeps the token, gives every command an id, resends after a reconnection what was not
 * acknowledged, resumes its room from the last version it knows, applies patches, checks the hash
 * and asks for a `sync` when it differs.
 *
 * One client is in at most one room at a time: an acknowledged join replaces the room before. Time
 * and randomness are parameters. `on_event` may call anything here but client_free and
 * client_received. Nothing is thread-safe. */
#ifndef PROTOCOL_CLIENT_H
#define PROTOCOL_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct client;

enum { CLIENT_UNACKNOWLEDGED_MAX = 64 };

struct client_options {
    const char *token; /* NULL: the server mints one */
    uint64_t
        seed; /* for command ids and reconnection jitter: another one each time a token is used */
    bool skip_hash_check; /* for those who are thousands */
    /* With rules of our own: the server leaves legal moves out, which are most of what a player is sent. */
    bool declines_legal_moves;
};

/* What the owner is told. Strings and events are borrowed for the call only. */
enum client_event_kind {
    CLIENT_WELCOME,      /* authenticated: client_token, client_player are known */
    CLIENT_ACKNOWLEDGED, /* `id`, `room`, `version` */
    CLIENT_REFUSED, /* `id` (NULL: of no command of ours), `code`, `message`, `version` (0 when not
                       said), `retry`: it may go through later, unchanged */
    CLIENT_STATE,   /* the room's state changed (an event or a snapshot): see client_state_* */
    CLIENT_ANSWER,  /* a query's answer: `id`, `json` is the whole message */
    CLIENT_OTHER,   /* presence, lobby: `json` */
    CLIENT_BROKEN,  /* `message`: the server said something that is not the protocol, or cannot let
                       us resume  now. Nothing more is heard on this connection: close it and come
                       back later */
};
struct client_event {
    enum client_event_kind kind;
    const char *id, *room, *code, *message, *json,
        *event_kind; /* event_kind: "moved", … or "snapshot" */
    /* Of CLIENT_REFUSED, and of CLIENT_BROKEN where a resume was refused: the room is on the server at this address; NULL:
     * nobody says so. To go there is our owner's: a new connection, and this client goes on with it. */
    const char *url;
    int64_t version;
    bool retry;
};
typedef void client_on_event(void *context, struct client *client,
                             const struct client_event *event);

struct client *client_new(const struct client_options *options, client_on_event *on_event,
                          void *context);
void client_free(struct client *client);

void client_opened(struct client *client);
void client_received(struct client *client, const char *text, size_t length);
void client_closed(struct client *client);

/* The next frame to send, borrowed until the next call of anything here; NULL when there is none.
 * Only commands that may go now are handed out: before `welcome` that is `auth` alone. */
const char *client_next_frame(struct client *client, size_t *length);

/* How long to wait before the n-th reconnection (counted by the client), in milliseconds: full
 * jitter. */
uint64_t client_reconnect_delay_ms(struct client *client);
/* Whether to come back by itself after this close code: not with a bad token (4001), not to a room that is gone (4004), and
 * not against another connection of the same player (4009). */
bool client_returns_after(int close_code);

/* Commands. Each returns the id it was given (borrowed until acknowledged or refused), or NULL when
 * CLIENT_UNACKNOWLEDGED_MAX are under way, and those about the room (from move to leave) when there
 * is none. They may be given at any time, in `on_event` too; connected or not. */
const char *client_create(struct client *client, const char *game_or_definition_json);
const char *client_join(struct client *client, const char *room, const char *seat, const char *name,
                        bool as_bot);
/* With a key that a player was given: that player's seats are ours from then on. `name` NULL: as the seat's. */
const char *client_join_with_key(struct client *client, const char *room, const char *key,
                                 const char *name, bool as_bot);
/* Asks for such a key; CLIENT_ANSWER has it. Where the answer was lost there is none in it (it is shown only once):
 * ask again. */
const char *client_seat_key(struct client *client);
/* What stands for a choice where a move is a swap of sides, which has no cells. */
#define CLIENT_SWAP "swap"
/* `from` and `to` NULL: a pass, or a swap of sides if `choice` is CLIENT_SWAP; `from` alone NULL: a figure is put on the board. */
const char *client_move(struct client *client, const char *from, const char *to,
                        const char *choice);
const char *client_action(struct client *client, const char *kind);
const char *client_chat(struct client *client, const char *text);
const char *client_leave(struct client *client);
/* Any other command: `members` is the inside of a JSON object, without braces, `type` included and
 * `id` left out. */
const char *client_command(struct client *client, const char *members);

const char *client_token(const struct client *client);  /* NULL before the first welcome */
const char *client_player(const struct client *client); /* NULL before the first welcome */
const char *client_room(const struct client *client);   /* NULL before a join was acknowledged */
bool client_ready(
    const struct client *client); /* authenticated, and the room (if any) is up to date */
int64_t client_version(const struct client *client);    /* of the room; 0 without one */
const char *client_status(const struct client *client); /* "waiting", "playing", "finished" or "" */
const char *client_to_move(const struct client *client); /* seat name or "" */
/* After CLIENT_BROKEN, until the connection is closed. */
bool client_is_broken(const struct client *client);
bool client_holds_seat(const struct client *client, const char *seat);
bool client_must_move(const struct client *client); /* playing, and a seat held by us is to move */
/* Those at hand. Of a list that is too long for one message they are some of `all` there are, from `first` on. */
int client_legal_move_count(const struct client *client);
int client_legal_moves_first(const struct client *client);
int client_legal_moves_all(const struct client *client);
/* Those from `first` on, below `all`, are to be at hand in place of those that are. True: they are waited for; false: that
 * was answered in this state of the room. */
bool client_look_for_legal_moves(struct client *client, int first);
/* The index-th of those at hand. Borrowed until the state or those at hand change; its parts are as those of
 * client_move; `choice` NULL: there is none. */
void client_legal_move(const struct client *client, int index, const char **from, const char **to,
                       const char **choice);
/* The whole state as canonical JSON (sorted keys), borrowed until the next call; NULL without a
 * room. */
const char *client_state_json(struct client *client);
/* The member of the state at one of "draw_offer", "takeback_offer", "rematch_offer", "next_room"; "" when absent. */
const char *client_state_text(const struct client *client, const char *member);
/* Does anything stand on this cell? */
bool client_cell_occupied(const struct client *client, const char *cell);
const char *client_layout_json(struct client *client);   /* NULL when none was sent */
uint64_t client_sync_count(const struct client *client); /* how often the hash differed */

#endif
