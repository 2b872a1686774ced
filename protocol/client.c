#include "protocol/client_parts.h"

#include "engine/memory/memory.h"
#include "protocol/document.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { RECONNECT_FIRST_MS = 1000, RECONNECT_MAX_MS = 30000 };

char *client_copy_text(const char *text)
{
    return memory_text(text);
}

void client_emit(struct client *client, struct client_event event)
{
    client->on_event(client->context, client, &event);
}

void client_replace_value(json_t **kept, json_t *value)
{
    json_incref(value);
    json_decref(*kept);
    *kept = value;
}

const char *client_text_at(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

bool client_is_request(const struct request *request, const char *id)
{
    return request->wanted && request->sent && strcmp(request->id, id) == 0;
}

void client_forget_looking(struct client *client)
{
    client->look.wanted = false;
    client->looked_for = -1;
}

void client_keep_legal_moves(struct client *client, json_t *moves, int first, int all)
{
    client_replace_value(&client->legal_moves, moves);
    client->moves_first = first;
    client->moves_all = all;
}

static void forget_state(struct client *client)
{
    client_replace_value(&client->state, NULL);
    client_keep_legal_moves(client, NULL, 0, 0);
    client_forget_looking(client);
    client->version = 0;
    client->version_wanted = 0;
    client->state_wrong = false;
}

void client_forget_room(struct client *client)
{
    forget_state(client);
    client_replace_value(&client->layout, NULL);
    client->room[0] = '\0';
    client->snapshot_expected = false;
    client->resume.wanted = false;
    client->sync.wanted = false;
}

struct client *client_new(const struct client_options *options, client_on_event *on_event,
                          void *context)
{
    struct client *client = memory_zeroed(1, sizeof *client);
    client->on_event = on_event;
    client->context = context;
    client->seed = options->seed;
    client->random = options->seed;
    client->skip_hash_check = options->skip_hash_check;
    client->declines_legal_moves = options->declines_legal_moves;
    client_forget_looking(client);
    client->token = client_copy_text(options->token);
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
    client_forget_room(client);
    while (client->first != NULL) {
        struct command *command = client->first;
        client->first = command->next;
        client_free_command(command);
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
    client_forget_looking(client);
    for (struct command *command = client->first; command != NULL; command = command->next)
        command->sent = false;
}

void client_received(struct client *client, const char *text, size_t length)
{
    if (client->stage == STAGE_CLOSED || client->stage == STAGE_BROKEN)
        return;
    client->elsewhere[0] = '\0';
    const char *fault = client_handle_text(client, text, length);
    if (fault == NULL || client->stage == STAGE_CLOSED)
        return;
    client->stage = STAGE_BROKEN;
    const char *url = client->elsewhere[0] != '\0' ? client->elsewhere : NULL;
    client_emit(client, (struct client_event){.kind = CLIENT_BROKEN, .message = fault, .url = url});
}

static void write_auth(const struct client *client, struct writer *frame)
{
    if (client->token != NULL)
        client_write_member(frame, "token", client->token);
    if (!client->declines_legal_moves)
        return;
    writer_key(frame, "legal_moves");
    writer_boolean(frame, false);
}

static const char *request_frame(struct client *client, struct request *request, const char *type,
                                 size_t *length)
{
    client_make_id(client, request->id);
    request->sent = true;
    struct writer *frame = client_begin_frame(client, type, request->id);
    if (request == &client->auth)
        write_auth(client, frame);
    else
        client_write_member(frame, "room", client->room);
    if (request == &client->look) {
        writer_key(frame, "skip");
        writer_integer(frame, client->looked_for);
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
    if (is_due(&client->look))
        return request_frame(client, &client->look, "legal_moves", length);
    for (struct command *command = client->first; command != NULL; command = command->next) {
        if (!command->sent) {
            command->sent = true;
            *length = command->length;
            return command->frame;
        }
    }
    return NULL;
}

static uint64_t next_random(struct client *client)
{
    uint64_t value = (client->random += UINT64_C(0x9e3779b97f4a7c15)); /* splitmix64 */
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
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

bool client_returns_after(int close_code)
{
    enum { BAD_TOKEN = 4001, ROOM_GONE = 4004, REPLACED = 4009 };
    return close_code != BAD_TOKEN && close_code != ROOM_GONE && close_code != REPLACED;
}

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

bool client_is_broken(const struct client *client)
{
    return client->stage == STAGE_BROKEN;
}

int64_t client_version(const struct client *client)
{
    return client->version;
}

const char *client_state_text(const struct client *client, const char *member)
{
    const char *text = client_text_at(client->state, member);
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
    const char *player = client_text_at(json_object_get(seats, seat), "player");
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
    bool swap = json_is_true(json_object_get(move, "swap"));
    bool pass = json_is_true(json_object_get(move, "pass"));
    *from = pass || swap ? NULL : client_text_at(move, "from");
    *to = pass || swap ? NULL : client_text_at(move, "to");
    *choice = swap ? CLIENT_SWAP : pass ? NULL : client_text_at(move, "choice");
}

int client_legal_moves_first(const struct client *client)
{
    return client->moves_first;
}

int client_legal_moves_all(const struct client *client)
{
    return client->moves_all;
}

bool client_look_for_legal_moves(struct client *client, int first)
{
    assert(first >= 0 && first < client->moves_all);
    if (client->looked_for != first) {
        client->looked_for = first;
        client->look = (struct request){.wanted = true};
    }
    return client->look.wanted;
}

static const char *canonical_text(struct client *client, json_t *value)
{
    writer_clear(&client->answer);
    document_write(&client->answer, value, DOCUMENT_SORTED);
    return writer_text(&client->answer);
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
