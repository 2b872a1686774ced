/* What the server says: each kind of message has one handler, looked up in a table. A handler changes what is known first
 * and tells the owner last, because the owner may call back; it returns what is wrong with the message, or NULL. */
#include "protocol/client_state.h"

#include "protocol/depth.h"

#include <stdlib.h>
#include <string.h>

enum {
    FRAME_BYTES_MAX =
        4 * 1024 * 1024, /* of an earlier server: all moves of a game of 20,000 plies */
    FRAME_DEPTH_MAX = 64,
    SECRET_BYTES_MAX = 256, /* of a token or a player's id: it must fit into a command */
};

static void enter_room(struct client *client, const char *room)
{
    if (strcmp(client->room, room) != 0) {
        client_forget_room(client);
        memcpy(client->room, room, strlen(room) + 1);
    }
    client->snapshot_expected = true;
}

static void want_sync(struct client *client)
{
    if (client->snapshot_expected)
        return;
    client->sync.wanted = true;
    client->sync.sent = false;
    client->snapshot_expected = true;
}

static bool is_our_room(const struct client *client, const char *room)
{
    return client->room[0] != '\0' && room != NULL && strcmp(client->room, room) == 0;
}

/* The version a message names; -1 when it names none, or none that a server could have counted to.
 */
static int64_t version_at(const json_t *message)
{
    static const json_int_t exact_max = INT64_C(9007199254740991); /* 2^53 - 1 */
    const json_t *version = json_object_get(message, "version");
    if (!json_is_integer(version) || json_integer_value(version) > exact_max)
        return -1;
    return json_integer_value(version) < 0 ? -1 : json_integer_value(version);
}

/* How many there are, where the message has only the first of them. */
static int count_at(const json_t *message, const char *name, const json_t *moves)
{
    static const json_int_t most = 1 << 30;
    json_int_t said = json_integer_value(json_object_get(message, name));
    json_int_t here = (json_int_t)json_array_size(moves);
    return (int)(said < here || said > most ? here : said);
}

static bool is_short(const char *text)
{
    return text == NULL || strlen(text) <= SECRET_BYTES_MAX;
}

static const char *on_hello(struct client *client, json_t *message)
{
    (void)client;
    const char *protocol = client_text_at(message, "protocol");
    if (protocol == NULL || strcmp(protocol, "senet.v1") != 0)
        return "hello in another protocol";
    return NULL;
}

static const char *on_welcome(struct client *client, json_t *message)
{
    const char *re = client_text_at(message, "re"), *player = client_text_at(message, "player");
    const char *token = client_text_at(message, "token");
    if (re == NULL || player == NULL || (token == NULL && client->token == NULL))
        return "a welcome without re, player or token";
    if (!is_short(player) || !is_short(token))
        return "a welcome whose player or token is too long";
    if (!client_is_request(&client->auth, re))
        return NULL;
    client->auth.wanted = false;
    client->stage = STAGE_WELCOMED;
    client->reconnection_count = 0;
    free(client->player);
    client->player = client_copy_text(player);
    if (token != NULL) {
        free(client->token);
        client->token = client_copy_text(token);
    }
    if (client->room[0] != '\0')
        client->resume = (struct request){.wanted = true};
    client_emit(client, (struct client_event){.kind = CLIENT_WELCOME});
    return NULL;
}

static const char *on_resumed(struct client *client, const json_t *message, int64_t version)
{
    const char *mode = client_text_at(message, "mode");
    if (mode == NULL || (strcmp(mode, "events") != 0 && strcmp(mode, "snapshot") != 0))
        return "a resume acknowledged without its mode";
    if (version < 0)
        return "a resume acknowledged without its version";
    client->resume.wanted = false;
    client->version_wanted = version;
    if (strcmp(mode, "snapshot") == 0) {
        client->snapshot_expected = true;
        client->sync.wanted = false;
        /* A server that knows less than we do was set back: what it says is what is. */
        client->state_wrong = client->state_wrong || version < client->version;
    } else if (client->state == NULL || client->state_wrong) {
        want_sync(client);
    }
    return NULL;
}

static const char *on_command_acknowledged(struct client *client, struct command *command,
                                           const char *room, int64_t version)
{
    if (command->purpose == PURPOSE_JOIN) {
        if (room == NULL || !room_id_fits(strlen(room)))
            return "a join acknowledged without its room";
        enter_room(client, room);
    }
    if (command->purpose == PURPOSE_LEAVE && is_our_room(client, command->room))
        client_forget_room(client);
    client_emit(client, (struct client_event){.kind = CLIENT_ACKNOWLEDGED,
                                              .id = command->id,
                                              .room = room,
                                              .version = version < 0 ? 0 : version,
                                              .json = client->received.data});
    return NULL;
}

static const char *on_ack(struct client *client, json_t *message)
{
    const char *re = client_text_at(message, "re");
    int64_t version = version_at(message);
    if (re == NULL)
        return "an ack without its re";
    if (client_is_request(&client->resume, re))
        return on_resumed(client, message, version);
    struct command *command = client_take_command(client, re);
    if (command == NULL)
        return NULL; /* answered already, on an earlier connection */
    const char *fault =
        on_command_acknowledged(client, command, client_text_at(message, "room"), version);
    client_free_command(command);
    return fault;
}

/* A URL too long to be one is none. */
static void note_elsewhere(struct client *client, json_t *message)
{
    const char *code = client_text_at(message, "code"), *url = client_text_at(message, "url");
    bool moved = code != NULL && strcmp(code, "moved") == 0;
    client->elsewhere[0] = '\0';
    if (moved && url != NULL && strlen(url) <= URL_BYTES_MAX)
        strcpy(client->elsewhere, url);
}

static const char *on_error(struct client *client, json_t *message)
{
    struct client_event event = {.kind = CLIENT_REFUSED,
                                 .id = client_text_at(message, "re"),
                                 .room = client_text_at(message, "room"),
                                 .code = client_text_at(message, "code"),
                                 .message = client_text_at(message, "message"),
                                 .version = version_at(message) < 0 ? 0 : version_at(message),
                                 .retry = json_is_true(json_object_get(message, "retry")),
                                 .json = client->received.data};
    if (event.code == NULL || event.message == NULL)
        return "an error without code or message";
    note_elsewhere(client, message);
    event.url = client->elsewhere[0] != '\0' ? client->elsewhere : NULL;
    struct command *command = NULL;
    if (event.id != NULL) {
        bool ours = client_is_request(&client->resume, event.id) ||
                    client_is_request(&client->sync, event.id);
        /* Nothing here can wait, but the owner of the connection can: it comes back after a while.
         */
        if (ours && event.retry)
            return "a resume or sync that must be tried again later";
        command = client_take_command(client, event.id);
        bool looked = client_is_request(&client->look, event.id);
        if (looked)
            client_forget_looking(client);
        if (ours)
            client_forget_room(client); /* it is gone, or not ours to see */
        else if (command == NULL && !looked && !client_is_request(&client->auth, event.id))
            return NULL;
    }
    client_emit(client, event);
    if (command != NULL)
        client_free_command(command);
    return NULL;
}

static void emit_state(struct client *client, const char *event_kind)
{
    client_emit(client, (struct client_event){.kind = CLIENT_STATE,
                                              .room = client->room,
                                              .version = client->version,
                                              .event_kind = event_kind,
                                              .json = client->received.data});
}

/* The answer to a query of our owner's; it may have been answered on an earlier connection already.
 */
static void emit_answer(struct client *client, const char *re)
{
    struct command *command = client_take_command(client, re);
    if (command == NULL)
        return;
    client_emit(client, (struct client_event){.kind = CLIENT_ANSWER,
                                              .id = command->id,
                                              .json = client->received.data});
    client_free_command(command);
}

static void keep_first_moves(struct client *client, const json_t *message)
{
    json_t *moves = json_object_get(message, "legal_moves");
    client_keep_legal_moves(client, moves, 0, count_at(message, "legal_moves_count", moves));
    client_forget_looking(client);
}

static const char *on_event_message(struct client *client, json_t *message)
{
    const char *room = client_text_at(message, "room"), *kind = client_text_at(message, "kind");
    json_t *patch = json_object_get(message, "patch");
    json_t *moves = json_object_get(message, "legal_moves");
    int64_t version = version_at(message);
    if (room == NULL || kind == NULL || version < 0)
        return "an event without room, version or kind";
    if (patch != NULL &&
        (!json_is_object(patch) || !client_document_within(patch, DOCUMENT_DEPTH_MAX)))
        return "an event whose patch is not one";
    if (moves != NULL && !client_is_legal_moves(moves))
        return "an event whose legal_moves are none";
    if (!is_our_room(client, room))
        return NULL; /* the one we came from */
    if (client->state != NULL && version <= client->version)
        return NULL; /* known already */
    if (client->state == NULL || client->state_wrong || version != client->version + 1) {
        want_sync(client);
        return NULL;
    }
    client_state_patch(client, patch);
    client->version++;
    const char *fault = client_state_fault(client->state);
    if (fault != NULL)
        return fault;
    if (!client_state_hash_is(client, message)) {
        client->state_wrong = true;
        client->sync_count++;
        want_sync(client);
        return NULL;
    }
    keep_first_moves(client, message);
    emit_state(client, kind);
    return NULL;
}

static const char *snapshot_fault(const json_t *message)
{
    json_t *state = json_object_get(message, "state");
    json_t *layout = json_object_get(message, "layout");
    const json_t *moves = json_object_get(message, "legal_moves");
    if (!json_is_object(state) || version_at(message) < 0 ||
        client_text_at(message, "room") == NULL)
        return "a snapshot without room, version or state";
    if (!client_document_within(state, DOCUMENT_DEPTH_MAX))
        return "a state nested too deep";
    if (layout != NULL &&
        (!json_is_object(layout) || !client_document_within(layout, DOCUMENT_DEPTH_MAX)))
        return "a snapshot whose layout is none";
    if (moves != NULL && !client_is_legal_moves(moves))
        return "a snapshot whose legal_moves are none";
    return client_state_fault(state);
}

/* Whether it is newer than what is known, and so taken. */
static bool snapshot_is_news(const struct client *client, int64_t version, bool asked)
{
    return asked || client->state == NULL || client->state_wrong || version >= client->version;
}

static const char *on_snapshot(struct client *client, json_t *message)
{
    const char *fault = snapshot_fault(message);
    const char *re = client_text_at(message, "re");
    int64_t version = version_at(message);
    if (fault != NULL)
        return fault;
    bool asked = re != NULL && client_is_request(&client->sync, re);
    if (asked)
        client->sync.wanted = false;
    if (is_our_room(client, client_text_at(message, "room")) &&
        snapshot_is_news(client, version, asked)) {
        json_t *state = json_object_get(message, "state");
        json_t *layout = json_object_get(message, "layout");
        client->snapshot_expected = client->sync.wanted;
        client->hash = client->skip_hash_check ? 0 : client_state_hash(client, state);
        if (!client_state_hash_is(client, message))
            return "a snapshot whose hash is not its state's";
        client_replace_value(&client->state, state);
        keep_first_moves(client, message);
        if (layout != NULL)
            client_replace_value(&client->layout, layout);
        client->state_wrong = false;
        client->version = version;
        emit_state(client, "snapshot");
    }
    if (re != NULL)
        emit_answer(client, re);
    return NULL;
}

/* Of a state that has changed meanwhile they are nothing to us. */
static const char *on_legal_moves(struct client *client, json_t *message)
{
    const char *re = client_text_at(message, "re");
    json_t *moves = json_object_get(message, "moves");
    if (re == NULL)
        return "legal moves without their re";
    if (!client_is_request(&client->look, re)) {
        emit_answer(client, re);
        return NULL;
    }
    client->look.wanted = false;
    if (!client_is_legal_moves(moves))
        return "legal moves that are none";
    if (version_at(message) == client->version)
        client_keep_legal_moves(client, moves, client->looked_for, client->moves_all);
    return NULL;
}

/* Answers of their own type, what comes unasked, and what a newer server may say beside. */
static const char *on_other(struct client *client, json_t *message)
{
    const json_t *re = json_object_get(message, "re");
    if (re != NULL && !json_is_string(re))
        return "a re that is not a string";
    if (re != NULL)
        emit_answer(client, json_string_value(re));
    else
        client_emit(client,
                    (struct client_event){.kind = CLIENT_OTHER, .json = client->received.data});
    return NULL;
}

typedef const char *handle_message(struct client *client, json_t *message);

static handle_message *find_handler(const char *type)
{
    static const struct {
        const char *type;
        handle_message *handle;
    } rows[] = {
        {"event", on_event_message},     {"ack", on_ack},         {"error", on_error},
        {"snapshot", on_snapshot},       {"welcome", on_welcome}, {"hello", on_hello},
        {"legal_moves", on_legal_moves},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].type, type) == 0)
            return rows[i].handle;
    }
    return on_other;
}

const char *client_handle_text(struct client *client, const char *text, size_t length)
{
    if (length > FRAME_BYTES_MAX)
        return "a message too long";
    if (!depth_within(text, length, FRAME_DEPTH_MAX))
        return "a message nested too deep";
    json_t *message = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const char *fault = "a message that is not a JSON object with a type";
    const char *type = client_text_at(message, "type");
    if (type != NULL) {
        writer_clear(&client->received);
        writer_raw(&client->received, text, length);
        writer_text(&client->received);
        fault = find_handler(type)(client, message);
    }
    json_decref(message);
    return fault;
}
