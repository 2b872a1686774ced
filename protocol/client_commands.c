/* The commands: each is a frame made when it is given, kept until it is answered, and sent again on every connection till
 * then. */
#include "protocol/client_parts.h"

#include "engine/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { BASE = 36 };

void client_make_id(struct client *client, char *id)
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

void client_write_member(struct writer *writer, const char *name, const char *value)
{
    writer_key(writer, name);
    writer_string(writer, value);
}

struct writer *client_begin_frame(struct client *client, const char *type, const char *id)
{
    struct writer *frame = &client->frame;
    writer_clear(frame);
    writer_object(frame);
    if (type != NULL)
        client_write_member(frame, "type", type);
    client_write_member(frame, "id", id);
    return frame;
}

static struct command *new_command(struct client *client, enum purpose purpose)
{
    if (client->command_count == CLIENT_UNACKNOWLEDGED_MAX)
        return NULL;
    struct command *command = memory_zeroed(1, sizeof *command);
    command->purpose = purpose;
    client_make_id(client, command->id);
    return command;
}

static const char *queue(struct client *client, struct command *command)
{
    struct command **last = &client->first;
    while (*last != NULL)
        last = &(*last)->next;
    command->frame = memory_bytes(client->frame.length + 1);
    memcpy(command->frame, writer_text(&client->frame), client->frame.length + 1);
    command->length = client->frame.length;
    *last = command;
    client->command_count++;
    return command->id;
}

struct command *client_take_command(struct client *client, const char *id)
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

void client_free_command(struct command *command)
{
    free(command->frame);
    free(command);
}

const char *client_create(struct client *client, const char *game_or_definition_json)
{
    struct command *command = new_command(client, PURPOSE_PLAIN);
    if (command == NULL)
        return NULL;
    const char *start = game_or_definition_json + strspn(game_or_definition_json, " \t\r\n");
    struct writer *frame = client_begin_frame(client, "create", command->id);
    /* A definition goes as text: whatever it is, the frame is JSON, and the diagnostics' lines are
     * the author's. */
    client_write_member(frame, *start == '{' ? "definition" : "game", game_or_definition_json);
    writer_end(frame);
    return queue(client, command);
}

static const char *join_by(struct client *client, const char *room, const char *word,
                           const char *value, const char *name, bool as_bot)
{
    struct command *command = new_command(client, PURPOSE_JOIN);
    if (command == NULL)
        return NULL;
    struct writer *frame = client_begin_frame(client, "join", command->id);
    client_write_member(frame, "room", room);
    client_write_member(frame, word, value);
    if (name != NULL)
        client_write_member(frame, "name", name);
    client_write_member(frame, "as", as_bot ? "bot" : "human");
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
    client_write_member(client_begin_frame(client, type, command->id), "room", client->room);
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
    if (to == NULL) {
        writer_key(frame, choice != NULL ? CLIENT_SWAP : "pass");
        writer_boolean(frame, true);
    }
    if (from != NULL)
        client_write_member(frame, "from", from);
    if (to != NULL)
        client_write_member(frame, "to", to);
    if (to != NULL && choice != NULL)
        client_write_member(frame, "choice", choice);
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
        client_write_member(&client->frame, name, value);
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
