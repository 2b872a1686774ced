/* What a client is inside: a conversation is the connection's stage, three things the client itself asks for (auth,
 * resume, sync), a list of commands not answered yet, and what is known of one room. Private to protocol/client*.c. */
#ifndef PROTOCOL_CLIENT_PARTS_H
#define PROTOCOL_CLIENT_PARTS_H

#include "protocol/client.h"

#include "protocol/message.h"
#include "protocol/writer.h"

#include <jansson.h>

enum stage {
    STAGE_CLOSED,
    STAGE_OPENED, /* not authenticated yet */
    STAGE_WELCOMED,
    STAGE_BROKEN, /* nothing more is heard or said on this connection */
};

/* What the client asks for on its own account. Asked anew on every connection, with a new id. */
struct request {
    bool wanted, sent; /* wanted until it is answered */
    char id[COMMAND_ID_BYTES_MAX + 1];
};

enum purpose { PURPOSE_PLAIN, PURPOSE_JOIN, PURPOSE_LEAVE };

struct command {
    struct command *next;
    enum purpose purpose;
    bool sent; /* on this connection */
    char id[COMMAND_ID_BYTES_MAX + 1];
    char room[ROOM_ID_BYTES + 1]; /* of leave: which one */
    char *frame;                  /* owned */
    size_t length;
};

enum { URL_BYTES_MAX = 255 };

struct client {
    client_on_event *on_event;
    void *context;
    bool skip_hash_check, declines_legal_moves;
    uint64_t seed, random, id_count;
    int reconnection_count;
    char *token, *player; /* owned */

    enum stage stage;
    struct request auth, resume, sync, look; /* look: for legal moves that are not at hand */
    struct command *first;                   /* owned, oldest first */
    int command_count;

    char room[ROOM_ID_BYTES + 1]; /* "" when in none */
    json_t *state, *layout, *legal_moves;
    int moves_first, moves_all; /* legal_moves are those from the first on, of so many */
    int looked_for;             /* from there on they were asked for, in this state; -1: were not */
    int64_t version, version_wanted; /* ready once the first has reached the second */
    uint32_t hash;
    bool state_wrong;       /* the hash differed: nothing may be built on it */
    bool snapshot_expected; /* one is on its way */
    uint64_t sync_count;
    char elsewhere[URL_BYTES_MAX +
                   1]; /* where the message being handled says that the room is; "" */

    struct writer frame, received, answer, value;
};

char *client_copy_text(const char *text);
void client_emit(struct client *client, struct client_event event);
void client_replace_value(json_t **kept, json_t *value);
const char *client_text_at(const json_t *object, const char *name);

bool client_is_request(const struct request *request, const char *id);
void client_forget_room(struct client *client);
/* Those at hand from now on, of `all`. */
void client_keep_legal_moves(struct client *client, json_t *moves, int first, int all);
void client_forget_looking(struct client *client); /* for others */

/* SEED-COUNTER: the seed in base 36 (at most 13 characters), the counter in base 36 as well. */
void client_make_id(struct client *client, char *id); /* room for COMMAND_ID_BYTES_MAX + 1 */
/* Starts a command's frame in client->frame; the caller adds its members. */
struct writer *client_begin_frame(struct client *client, const char *type, const char *id);
void client_write_member(struct writer *writer, const char *name, const char *value);
/* Takes the command of that id out of the list; NULL when there is none. The caller frees it. */
struct command *client_take_command(struct client *client, const char *id);
void client_free_command(struct command *command);

/* One message of the server. What is wrong with it, or NULL. */
const char *client_handle_text(struct client *client, const char *text, size_t length);

#endif
