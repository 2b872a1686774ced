/* A conversation is: the connection's stage, three things the client itself asks for (auth, resume,
 * sync), a list of commands not answered yet, and what is known of one room. Each message of the
 * server has one handler, looked up in a table; a handler changes what is known first and tells the
 * owner last, because the owner may call back. */
#include "protocol/client.h"

#include "protocol/depth.h"
#include "protocol/document.h"
#include "protocol/message.h"
#include "protocol/state.h"
#include "protocol/writer.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAME_BYTES_MAX = 4 * 1024 * 1024, /* a snapshot carries all moves of a game of 20,000 plies */
    FRAME_DEPTH_MAX = 64,
    DOCUMENT_DEPTH_MAX = 8, /* of a state, a patch, a layout */
    STATE_MEMBERS_MAX = 64,
    STATE_CELLS_MAX = 4096,
    SECRET_BYTES_MAX = 256, /* of a token or a player's id: it must fit into a command */
    BASE = 36,
    RECONNECT_FIRST_MS = 1000,
    RECONNECT_MAX_MS = 30000,
};

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

struct client {
    client_on_event *on_event;
    void *context;
    bool skip_hash_check;
    uint64_t seed, random, id_count;
    int reconnection_count;
    char *token, *player; /* owned */

    enum stage stage;
    struct request auth, resume, sync;
    struct command *first; /* owned, oldest first */
    int command_count;

    char room[ROOM_ID_BYTES + 1]; /* "" when in none */
    json_t *state, *layout, *legal_moves;
    int64_t version, version_wanted; /* ready once the first has reached the second */
    uint32_t hash;
    bool state_wrong;       /* the hash differed: nothing may be built on it */
    bool snapshot_expected; /* one is on its way */
    uint64_t sync_count;

    struct writer frame, received, answer, value;
};

static void out_of_memory(void)
{
    fputs("out of memory\n", stderr);
    abort();
}

static char *copy_text(const char *text)
{
    char *copy = text == NULL ? NULL : strdup(text);
    if (copy == NULL && text != NULL)
        out_of_memory();
    return copy;
}

static void emit(struct client *client, struct client_event event)
{
    client->on_event(client->context, client, &event);
}

/* ---- canonical JSON: sorted keys, no spaces ---- */

static const char *canonical_text(struct client *client, json_t *value)
{
    writer_clear(&client->answer);
    document_write(&client->answer, value, DOCUMENT_SORTED);
    return writer_text(&client->answer);
}

/* ---- the hash, part by part (README.md, "Events, state, snapshots") ---- */

static uint32_t line_bytes(uint32_t line, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        line = (line ^ (unsigned char)bytes[i]) * UINT32_C(16777619);
    return line;
}

static uint32_t hash_line(struct client *client, const char *group, const char *name, json_t *value)
{
    if (value == NULL)
        return 0;
    writer_clear(&client->value);
    document_write(&client->value, value, DOCUMENT_SORTED);
    uint32_t line = UINT32_C(2166136261);
    line = line_bytes(line, group, strlen(group));
    line = line_bytes(line, name, strlen(name));
    line = line_bytes(line, "=", 1);
    return line_bytes(line, client->value.data, client->value.length);
}

/* The members that have a line per member of their own; NULL for all others. */
static const char *group_of(const char *name)
{
    if (strcmp(name, "cells") == 0)
        return "cells.";
    return strcmp(name, "seats") == 0 ? "seats." : NULL;
}

static uint32_t hash_member(struct client *client, const char *name, json_t *value)
{
    const char *group = group_of(name);
    if (group == NULL || !json_is_object(value))
        return hash_line(client, "", name, value);
    uint32_t hash = 0;
    const char *part = NULL;
    json_t *part_value = NULL;
    json_object_foreach(value, part, part_value)
    {
        hash += hash_line(client, group, part, part_value);
    }
    return hash;
}

static uint32_t hash_state(struct client *client, json_t *state)
{
    uint32_t hash = 0;
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(state, name, value)
    {
        hash += hash_member(client, name, value);
    }
    return hash;
}

static bool hash_is(const struct client *client, const json_t *message)
{
    const char *said = json_string_value(json_object_get(message, "hash"));
    char own[STATE_HASH_DIGITS + 1];
    if (client->skip_hash_check || said == NULL)
        return true;
    state_hash_text(client->hash, own);
    return strcmp(said, own) == 0;
}

/* ---- merge patches (RFC 7396) ---- */

static void merge_member(json_t *object, const char *name, json_t *patch)
{
    if (json_is_null(patch)) {
        json_object_del(object, name);
        return;
    }
    if (!json_is_object(patch)) {
        if (json_object_set(object, name, patch) != 0)
            out_of_memory();
        return;
    }
    json_t *target = json_object_get(object, name);
    if (!json_is_object(target)) {
        target = json_object();
        if (target == NULL || json_object_set_new(object, name, target) != 0)
            out_of_memory();
    }
    const char *inner_name = NULL;
    json_t *inner_patch = NULL;
    json_object_foreach(patch, inner_name, inner_patch)
    {
        merge_member(target, inner_name, inner_patch);
    }
}

/* Merges one member of `object`, and keeps the hash of its line true. */
static void merge_part(struct client *client, json_t *object, const char *group, const char *name,
                       json_t *patch)
{
    if (client->skip_hash_check) {
        merge_member(object, name, patch);
        return;
    }
    client->hash -= hash_line(client, group, name, json_object_get(object, name));
    merge_member(object, name, patch);
    client->hash += hash_line(client, group, name, json_object_get(object, name));
}

static void merge_group(struct client *client, json_t *target, const char *group, json_t *patch)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(patch, name, value)
    {
        merge_part(client, target, group, name, value);
    }
}

static void apply_patch(struct client *client, json_t *patch)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(patch, name, value)
    {
        const char *group = group_of(name);
        json_t *target = json_object_get(client->state, name);
        if (group != NULL && json_is_object(target) && json_is_object(value))
            merge_group(client, target, group, value);
        else if (group == NULL)
            merge_part(client, client->state, "", name, value);
        else
            merge_member(client->state, name, value); /* refused just below, by state_fault */
    }
}

/* ---- is this a document we can keep? ---- */

/* Recursion is bounded: the text was at most FRAME_DEPTH_MAX deep. */
static bool value_within(json_t *value, int depth_max)
{
    const char *name = NULL;
    size_t index = 0;
    json_t *inner = NULL;
    if (!json_is_object(value) && !json_is_array(value))
        return true;
    if (depth_max == 0)
        return false;
    json_object_foreach(value, name, inner)
    {
        if (!value_within(inner, depth_max - 1))
            return false;
    }
    json_array_foreach(value, index, inner)
    {
        if (!value_within(inner, depth_max - 1))
            return false;
    }
    return true;
}

static const char *state_fault(const json_t *state)
{
    const json_t *cells = json_object_get(state, "cells");
    const json_t *seats = json_object_get(state, "seats");
    if (!json_is_object(cells) || !json_is_object(seats))
        return "a state without cells or seats";
    if (!json_is_string(json_object_get(state, "status")))
        return "a state without its status";
    if (json_object_size(state) > STATE_MEMBERS_MAX ||
        json_object_size(seats) > STATE_MEMBERS_MAX || json_object_size(cells) > STATE_CELLS_MAX)
        return "a state too large";
    return NULL;
}

/* A pass, or a way from a cell to a cell, with a choice or without. */
static bool is_move(const json_t *move)
{
    const json_t *choice = json_object_get(move, "choice");
    if (json_is_true(json_object_get(move, "pass")))
        return true;
    return json_is_string(json_object_get(move, "from")) &&
           json_is_string(json_object_get(move, "to")) &&
           (choice == NULL || json_is_string(choice));
}

static bool is_legal_moves(const json_t *moves)
{
    size_t index = 0;
    json_t *move = NULL;
    if (!json_is_array(moves))
        return false;
    json_array_foreach(moves, index, move)
    {
        if (!is_move(move))
            return false;
    }
    return true;
}

static void replace_value(json_t **kept, json_t *value)
{
    json_incref(value);
    json_decref(*kept);
    *kept = value;
}

/* ---- ids, frames, commands ---- */

static uint64_t next_random(struct client *client)
{
    uint64_t value = (client->random += UINT64_C(0x9e3779b97f4a7c15)); /* splitmix64 */
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* SEED-COUNTER: the seed in base 36 (at most 13 characters), the counter in base 36 as well. */
static void make_id(struct client *client, char id[COMMAND_ID_BYTES_MAX + 1])
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char reversed[COMMAND_ID_BYTES_MAX + 1];
    int count = 0;
    uint64_t number = ++client->id_count;
    for (; number != 0; number /= BASE)
        reversed[count++] = digits[number % BASE];
    reversed[count++] = '-';
    number = client->seed;
    do {
        reversed[count++] = digits[number % BASE];
        number /= BASE;
    } while (number != 0);
    for (int i = 0; i < count; i++)
        id[i] = reversed[count - 1 - i];
    id[count] = '\0';
}

static void write_member(struct writer *writer, const char *name, const char *value)
{
    writer_key(writer, name);
    writer_string(writer, value);
}

/* Starts a command's frame in client->frame; the caller adds its members and then calls queue. */
static struct writer *begin_frame(struct client *client, const char *type, const char *id)
{
    struct writer *frame = &client->frame;
    writer_clear(frame);
    writer_object(frame);
    if (type != NULL)
        write_member(frame, "type", type);
    write_member(frame, "id", id);
    return frame;
}

static struct command *new_command(struct client *client, enum purpose purpose)
{
    if (client->command_count == CLIENT_UNACKNOWLEDGED_MAX)
        return NULL;
    struct command *command = calloc(1, sizeof *command);
    if (command == NULL)
        out_of_memory();
    command->purpose = purpose;
    make_id(client, command->id);
    return command;
}

static const char *queue(struct client *client, struct command *command)
{
    struct command **last = &client->first;
    while (*last != NULL)
        last = &(*last)->next;
    command->frame = malloc(client->frame.length + 1);
    if (command->frame == NULL)
        out_of_memory();
    memcpy(command->frame, writer_text(&client->frame), client->frame.length + 1);
    command->length = client->frame.length;
    *last = command;
    client->command_count++;
    return command->id;
}

/* Takes the command of that id out of the list; NULL when there is none. The caller frees it. */
static struct command *take_command(struct client *client, const char *id)
{
    for (struct command **at = &client->first; *at != NULL; at = &(*at)->next) {
        struct command *command = *at;
        if (strcmp(command->id, id) == 0) {
            *at = command->next;
            client->command_count--;
            return command;
        }
    }
    return NULL;
}

static void free_command(struct command *command)
{
    free(command->frame);
    free(command);
}

static bool is_request(const struct request *request, const char *id)
{
    return request->wanted && request->sent && strcmp(request->id, id) == 0;
}

/* ---- the room ---- */

static void forget_state(struct client *client)
{
    replace_value(&client->state, NULL);
    replace_value(&client->legal_moves, NULL);
    client->version = 0;
    client->version_wanted = 0;
    client->state_wrong = false;
}

static void forget_room(struct client *client)
{
    forget_state(client);
    replace_value(&client->layout, NULL);
    client->room[0] = '\0';
    client->snapshot_expected = false;
    client->resume.wanted = false;
    client->sync.wanted = false;
}

static void enter_room(struct client *client, const char *room)
{
    if (strcmp(client->room, room) != 0) {
        forget_room(client);
        memcpy(client->room, room, ROOM_ID_BYTES + 1);
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

/* ---- what the server says: one handler each. They return what is wrong with the message, or NULL.
 * ---- */

static const char *text_at(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
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

static bool is_short(const char *text)
{
    return text == NULL || strlen(text) <= SECRET_BYTES_MAX;
}

static const char *on_hello(struct client *client, json_t *message)
{
    (void)client;
    const char *protocol = text_at(message, "protocol");
    if (protocol == NULL || strcmp(protocol, "senet.v1") != 0)
        return "hello in another protocol";
    return NULL;
}

static const char *on_welcome(struct client *client, json_t *message)
{
    const char *re = text_at(message, "re"), *player = text_at(message, "player");
    const char *token = text_at(message, "token");
    if (re == NULL || player == NULL || (token == NULL && client->token == NULL))
        return "a welcome without re, player or token";
    if (!is_short(player) || !is_short(token))
        return "a welcome whose player or token is too long";
    if (!is_request(&client->auth, re))
        return NULL;
    client->auth.wanted = false;
    client->stage = STAGE_WELCOMED;
    client->reconnection_count = 0;
    free(client->player);
    client->player = copy_text(player);
    if (token != NULL) {
        free(client->token);
        client->token = copy_text(token);
    }
    if (client->room[0] != '\0')
        client->resume = (struct request){.wanted = true};
    emit(client, (struct client_event){.kind = CLIENT_WELCOME});
    return NULL;
}

static const char *on_resumed(struct client *client, const json_t *message, int64_t version)
{
    const char *mode = text_at(message, "mode");
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
        if (room == NULL || strlen(room) != ROOM_ID_BYTES)
            return "a join acknowledged without its room";
        enter_room(client, room);
    }
    if (command->purpose == PURPOSE_LEAVE && is_our_room(client, command->room))
        forget_room(client);
    emit(client, (struct client_event){.kind = CLIENT_ACKNOWLEDGED,
                                       .id = command->id,
                                       .room = room,
                                       .version = version < 0 ? 0 : version,
                                       .json = client->received.data});
    return NULL;
}

static const char *on_ack(struct client *client, json_t *message)
{
    const char *re = text_at(message, "re");
    int64_t version = version_at(message);
    if (re == NULL)
        return "an ack without its re";
    if (is_request(&client->resume, re))
        return on_resumed(client, message, version);
    struct command *command = take_command(client, re);
    if (command == NULL)
        return NULL; /* answered already, on an earlier connection */
    const char *fault = on_command_acknowledged(client, command, text_at(message, "room"), version);
    free_command(command);
    return fault;
}

static const char *on_error(struct client *client, json_t *message)
{
    struct client_event event = {.kind = CLIENT_REFUSED,
                                 .id = text_at(message, "re"),
                                 .room = text_at(message, "room"),
                                 .code = text_at(message, "code"),
                                 .message = text_at(message, "message"),
                                 .version = version_at(message) < 0 ? 0 : version_at(message),
                                 .retry = json_is_true(json_object_get(message, "retry")),
                                 .json = client->received.data};
    if (event.code == NULL || event.message == NULL)
        return "an error without code or message";
    struct command *command = NULL;
    if (event.id != NULL) {
        bool ours = is_request(&client->resume, event.id) || is_request(&client->sync, event.id);
        /* Nothing here can wait, but the owner of the connection can: it comes back after a while.
         */
        if (ours && event.retry)
            return "a resume or sync that must be tried again later";
        command = take_command(client, event.id);
        if (ours)
            forget_room(client); /* it is gone, or not ours to see */
        else if (command == NULL && !is_request(&client->auth, event.id))
            return NULL;
    }
    emit(client, event);
    if (command != NULL)
        free_command(command);
    return NULL;
}

static void emit_state(struct client *client, const char *event_kind)
{
    emit(client, (struct client_event){.kind = CLIENT_STATE,
                                       .room = client->room,
                                       .version = client->version,
                                       .event_kind = event_kind,
                                       .json = client->received.data});
}

/* The answer to a query of our owner's; it may have been answered on an earlier connection already.
 */
static void emit_answer(struct client *client, const char *re)
{
    struct command *command = take_command(client, re);
    if (command == NULL)
        return;
    emit(client, (struct client_event){
                     .kind = CLIENT_ANSWER, .id = command->id, .json = client->received.data});
    free_command(command);
}

static const char *on_event_message(struct client *client, json_t *message)
{
    const char *room = text_at(message, "room"), *kind = text_at(message, "kind");
    json_t *patch = json_object_get(message, "patch");
    json_t *moves = json_object_get(message, "legal_moves");
    int64_t version = version_at(message);
    if (room == NULL || kind == NULL || version < 0)
        return "an event without room, version or kind";
    if (patch != NULL && (!json_is_object(patch) || !value_within(patch, DOCUMENT_DEPTH_MAX)))
        return "an event whose patch is not one";
    if (moves != NULL && !is_legal_moves(moves))
        return "an event whose legal_moves are none";
    if (!is_our_room(client, room))
        return NULL; /* the one we came from */
    if (client->state != NULL && version <= client->version)
        return NULL; /* known already */
    if (client->state == NULL || client->state_wrong || version != client->version + 1) {
        want_sync(client);
        return NULL;
    }
    apply_patch(client, patch);
    client->version++;
    const char *fault = state_fault(client->state);
    if (fault != NULL)
        return fault;
    if (!hash_is(client, message)) {
        client->state_wrong = true;
        client->sync_count++;
        want_sync(client);
        return NULL;
    }
    replace_value(&client->legal_moves, moves);
    emit_state(client, kind);
    return NULL;
}

static const char *snapshot_fault(const json_t *message)
{
    json_t *state = json_object_get(message, "state");
    json_t *layout = json_object_get(message, "layout");
    const json_t *moves = json_object_get(message, "legal_moves");
    if (!json_is_object(state) || version_at(message) < 0 || text_at(message, "room") == NULL)
        return "a snapshot without room, version or state";
    if (!value_within(state, DOCUMENT_DEPTH_MAX))
        return "a state nested too deep";
    if (layout != NULL && (!json_is_object(layout) || !value_within(layout, DOCUMENT_DEPTH_MAX)))
        return "a snapshot whose layout is none";
    if (moves != NULL && !is_legal_moves(moves))
        return "a snapshot whose legal_moves are none";
    return state_fault(state);
}

/* Whether it is newer than what is known, and so taken. */
static bool snapshot_is_news(const struct client *client, int64_t version, bool asked)
{
    return asked || client->state == NULL || client->state_wrong || version >= client->version;
}

static const char *on_snapshot(struct client *client, json_t *message)
{
    const char *fault = snapshot_fault(message);
    const char *re = text_at(message, "re");
    int64_t version = version_at(message);
    if (fault != NULL)
        return fault;
    bool asked = re != NULL && is_request(&client->sync, re);
    if (asked)
        client->sync.wanted = false;
    if (is_our_room(client, text_at(message, "room")) && snapshot_is_news(client, version, asked)) {
        json_t *state = json_object_get(message, "state");
        json_t *layout = json_object_get(message, "layout");
        client->snapshot_expected = client->sync.wanted;
        client->hash = client->skip_hash_check ? 0 : hash_state(client, state);
        if (!hash_is(client, message))
            return "a snapshot whose hash is not its state's";
        replace_value(&client->state, state);
        replace_value(&client->legal_moves, json_object_get(message, "legal_moves"));
        if (layout != NULL)
            replace_value(&client->layout, layout);
        client->state_wrong = false;
        client->version = version;
        emit_state(client, "snapshot");
    }
    if (re != NULL)
        emit_answer(client, re);
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
        emit(client, (struct client_event){.kind = CLIENT_OTHER, .json = client->received.data});
    return NULL;
}

typedef const char *handle_message(struct client *client, json_t *message);

static handle_message *find_handler(const char *type)
{
    static const struct {
        const char *type;
        handle_message *handle;
    } rows[] = {
        {"event", on_event_message}, {"ack", on_ack},         {"error", on_error},
        {"snapshot", on_snapshot},   {"welcome", on_welcome}, {"hello", on_hello},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].type, type) == 0)
            return rows[i].handle;
    }
    return on_other;
}

static const char *handle_text(struct client *client, const char *text, size_t length)
{
    if (length > FRAME_BYTES_MAX)
        return "a message too long";
    if (!depth_within(text, length, FRAME_DEPTH_MAX))
        return "a message nested too deep";
    json_t *message = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const char *fault = "a message that is not a JSON object with a type";
    const char *type = text_at(message, "type");
    if (type != NULL) {
        writer_clear(&client->received);
        writer_raw(&client->received, text, length);
        writer_text(&client->received);
        fault = find_handler(type)(client, message);
    }
    json_decref(message);
    return fault;
}

/* ---- the owner's side ---- */

struct client *client_new(const struct client_options *options, client_on_event *on_event,
                          void *context)
{
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL)
        out_of_memory();
    client->on_event = on_event;
    client->context = context;
    client->seed = options->seed;
    client->random = options->seed;
    client->skip_hash_check = options->skip_hash_check;
    client->token = copy_text(options->token);
    writer_init(&client->frame);
    writer_init(&client->received);
    writer_init(&client->answer);
    writer_init(&client->value);
    return client;
}

void client_free(struct client *client)
{
    if (client == NULL)
        return;
    forget_room(client);
    while (client->first != NULL) {
        struct command *command = client->first;
        client->first = command->next;
        free_command(command);
    }
    writer_release(&client->frame);
    writer_release(&client->received);
    writer_release(&client->answer);
    writer_release(&client->value);
    free(client->token);
    free(client->player);
    free(client);
}

void client_opened(struct client *client)
{
    client_closed(client);
    client->stage = STAGE_OPENED;
    client->auth = (struct request){.wanted = true};
}

void client_closed(struct client *client)
{
    client->stage = STAGE_CLOSED;
    client->auth = (struct request){.wanted = false};
    client->resume = (struct request){.wanted = false};
    client->sync = (struct request){.wanted = false};
    client->snapshot_expected = false;
    for (struct command *command = client->first; command != NULL; command = command->next)
        command->sent = false;
}

void client_received(struct client *client, const char *text, size_t length)
{
    if (client->stage == STAGE_CLOSED || client->stage == STAGE_BROKEN)
        return;
    const char *fault = handle_text(client, text, length);
    if (fault == NULL || client->stage == STAGE_CLOSED)
        return;
    client->stage = STAGE_BROKEN;
    emit(client, (struct client_event){.kind = CLIENT_BROKEN, .message = fault});
}

static const char *request_frame(struct client *client, struct request *request, const char *type,
                                 size_t *length)
{
    make_id(client, request->id);
    request->sent = true;
    struct writer *frame = begin_frame(client, type, request->id);
    if (request == &client->auth) {
        if (client->token != NULL)
            write_member(frame, "token", client->token);
    } else {
        write_member(frame, "room", client->room);
    }
    if (request == &client->resume) {
        bool usable = client->state != NULL && !client->state_wrong;
        writer_key(frame, "version");
        writer_integer(frame, usable ? client->version : 0);
    }
    writer_end(frame);
    *length = frame->length;
    return writer_text(frame);
}

static bool is_due(const struct request *request)
{
    return request->wanted && !request->sent;
}

const char *client_next_frame(struct client *client, size_t *length)
{
    if (client->stage == STAGE_OPENED && is_due(&client->auth))
        return request_frame(client, &client->auth, "auth", length);
    if (client->stage != STAGE_WELCOMED)
        return NULL;
    if (is_due(&client->resume))
        return request_frame(client, &client->resume, "resume", length);
    if (client->resume.wanted)
        return NULL; /* commands may only go once the server knows us to be in the room again */
    if (is_due(&client->sync))
        return request_frame(client, &client->sync, "sync", length);
    for (struct command *command = client->first; command != NULL; command = command->next) {
        if (!command->sent) {
            command->sent = true;
            *length = command->length;
            return command->frame;
        }
    }
    return NULL;
}

uint64_t client_reconnect_delay_ms(struct client *client)
{
    uint64_t ceiling_ms = (uint64_t)RECONNECT_FIRST_MS << client->reconnection_count;
    if (ceiling_ms < RECONNECT_MAX_MS)
        client->reconnection_count++;
    else
        ceiling_ms = RECONNECT_MAX_MS;
    return next_random(client) % (ceiling_ms + 1);
}

/* ---- commands ---- */

const char *client_create(struct client *client, const char *game_or_definition_json)
{
    struct command *command = new_command(client, PURPOSE_PLAIN);
    if (command == NULL)
        return NULL;
    const char *start = game_or_definition_json + strspn(game_or_definition_json, " \t\r\n");
    struct writer *frame = begin_frame(client, "create", command->id);
    /* A definition goes as text: whatever it is, the frame is JSON, and the diagnostics' lines are
     * the author's. */
    write_member(frame, *start == '{' ? "definition" : "game", game_or_definition_json);
    writer_end(frame);
    return queue(client, command);
}

static const char *join_by(struct client *client, const char *room, const char *word,
                           const char *value, const char *name, bool as_bot)
{
    struct command *command = new_command(client, PURPOSE_JOIN);
    if (command == NULL)
        return NULL;
    struct writer *frame = begin_frame(client, "join", command->id);
    write_member(frame, "room", room);
    write_member(frame, word, value);
    if (name != NULL)
        write_member(frame, "name", name);
    write_member(frame, "as", as_bot ? "bot" : "human");
    writer_end(frame);
    return queue(client, command);
}

const char *client_join(struct client *client, const char *room, const char *seat, const char *name,
                        bool as_bot)
{
    return join_by(client, room, "seat", seat, name, as_bot);
}

const char *client_join_with_key(struct client *client, const char *room, const char *key,
                                 const char *name, bool as_bot)
{
    return join_by(client, room, "key", key, name, as_bot);
}

/* A command about the room we are in; NULL without a room. */
static struct command *new_room_command(struct client *client, enum purpose purpose,
                                        const char *type)
{
    if (client->room[0] == '\0')
        return NULL;
    struct command *command = new_command(client, purpose);
    if (command == NULL)
        return NULL;
    memcpy(command->room, client->room, sizeof command->room);
    write_member(begin_frame(client, type, command->id), "room", client->room);
    return command;
}

const char *client_move(struct client *client, const char *from, const char *to, const char *choice)
{
    struct command *command = new_room_command(client, PURPOSE_PLAIN, "move");
    if (command == NULL)
        return NULL;
    struct writer *frame = &client->frame;
    writer_key(frame, "version");
    writer_integer(frame, client->version);
    writer_key(frame, "move");
    writer_object(frame);
    if (from == NULL) {
        writer_key(frame, "pass");
        writer_boolean(frame, true);
    } else {
        write_member(frame, "from", from);
        write_member(frame, "to", to);
    }
    if (choice != NULL)
        write_member(frame, "choice", choice);
    writer_end(frame);
    writer_end(frame);
    return queue(client, command);
}

static void raw(struct writer *writer, const char *json)
{
    writer_raw(writer, json, strlen(json));
}

static const char *room_command(struct client *client, enum purpose purpose, const char *type,
                                const char *name, const char *value)
{
    struct command *command = new_room_command(client, purpose, type);
    if (command == NULL)
        return NULL;
    if (name != NULL)
        write_member(&client->frame, name, value);
    writer_end(&client->frame);
    return queue(client, command);
}

const char *client_action(struct client *client, const char *kind)
{
    return room_command(client, PURPOSE_PLAIN, "action", "kind", kind);
}

const char *client_chat(struct client *client, const char *text)
{
    return room_command(client, PURPOSE_PLAIN, "chat", "text", text);
}

const char *client_seat_key(struct client *client)
{
    return room_command(client, PURPOSE_PLAIN, "seat_key", NULL, NULL);
}

const char *client_leave(struct client *client)
{
    return room_command(client, PURPOSE_LEAVE, "leave", NULL, NULL);
}

const char *client_command(struct client *client, const char *members)
{
    struct command *command = new_command(client, PURPOSE_PLAIN);
    if (command == NULL)
        return NULL;
    struct writer *frame = &client->frame;
    writer_clear(frame);
    raw(frame, "{\"id\":\"");
    raw(frame, command->id);
    raw(frame, "\",");
    raw(frame, members);
    raw(frame, "}");
    return queue(client, command);
}

/* ---- what is known ---- */

const char *client_token(const struct client *client)
{
    return client->token;
}

const char *client_player(const struct client *client)
{
    return client->player;
}

const char *client_room(const struct client *client)
{
    return client->room[0] == '\0' ? NULL : client->room;
}

bool client_ready(const struct client *client)
{
    if (client->stage != STAGE_WELCOMED || client->resume.wanted)
        return false;
    if (client->room[0] == '\0')
        return true;
    return client->state != NULL && !client->state_wrong && !client->snapshot_expected &&
           client->version >= client->version_wanted;
}

int64_t client_version(const struct client *client)
{
    return client->version;
}

const char *client_state_text(const struct client *client, const char *member)
{
    const char *text = text_at(client->state, member);
    return text == NULL ? "" : text;
}

const char *client_status(const struct client *client)
{
    return client_state_text(client, "status");
}

const char *client_to_move(const struct client *client)
{
    return client_state_text(client, "to_move");
}

bool client_cell_occupied(const struct client *client, const char *cell)
{
    return json_object_get(json_object_get(client->state, "cells"), cell) != NULL;
}

/* A seat is the player's, on whichever connection it was taken: the state says so, and it is never
 * out of date. */
bool client_holds_seat(const struct client *client, const char *seat)
{
    const json_t *seats = json_object_get(client->state, "seats");
    const char *player = text_at(json_object_get(seats, seat), "player");
    return player != NULL && client->player != NULL && strcmp(player, client->player) == 0;
}

bool client_must_move(const struct client *client)
{
    return strcmp(client_status(client), "playing") == 0 &&
           client_holds_seat(client, client_to_move(client));
}

int client_legal_move_count(const struct client *client)
{
    return (int)json_array_size(client->legal_moves);
}

void client_legal_move(const struct client *client, int index, const char **from, const char **to,
                       const char **choice)
{
    assert(index >= 0 && index < client_legal_move_count(client));
    const json_t *move = json_array_get(client->legal_moves, (size_t)index);
    bool pass = json_is_true(json_object_get(move, "pass"));
    *from = pass ? NULL : text_at(move, "from");
    *to = pass ? NULL : text_at(move, "to");
    *choice = pass ? NULL : text_at(move, "choice");
}

const char *client_state_json(struct client *client)
{
    return client->state == NULL ? NULL : canonical_text(client, client->state);
}

const char *client_layout_json(struct client *client)
{
    return client->layout == NULL ? NULL : canonical_text(client, client->layout);
}

uint64_t client_sync_count(const struct client *client)
{
    return client->sync_count;
}
