#include "server/cli/bot_seek.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLOCK_BYTES = 128,
    DIGITS_MAX = 7,
    MS = 1000,
    SECONDS = 60,
    PLAYERS_OF_WIN = 2,
    COMMAND_BYTES = 160
};

/* --- the clock -------------------------------------------------------------------------------- */

static bool read_digits(const char **text, uint64_t *number)
{
    char *end;
    size_t digits = strspn(*text, "0123456789");
    *number = strtoull(*text, &end, 10);
    *text = end;
    return digits > 0 && digits <= DIGITS_MAX;
}

/* MINUTES+SECONDS, as the protocol says it. */
static bool read_usual(const char *text, char json[CLOCK_BYTES])
{
    uint64_t minutes, seconds;
    bool usual = read_digits(&text, &minutes) && *text++ == '+' && read_digits(&text, &seconds) &&
                 *text == '\0';
    if (usual)
        snprintf(json, CLOCK_BYTES, "{\"initial_ms\":%" PRIu64 ",\"increment_ms\":%" PRIu64 "}",
                 minutes * SECONDS * MS, seconds * MS);
    return usual;
}

bool bot_clock_read(const char *text, struct time_control *clock)
{
    char usual[CLOCK_BYTES], words[TIME_WORDS_BYTES];
    json_t *value = json_loads(read_usual(text, usual) ? usual : text, 0, NULL);
    bool sound = value != NULL && time_control_read(value, clock, words);
    json_decref(value);
    return sound;
}

/* --- seeking ---------------------------------------------------------------------------------- */

static void write_member(struct writer *writer, const char *name, const char *value)
{
    writer_key(writer, name);
    writer_string(writer, value);
}

static void write_members(struct writer *writer, const struct bot_seek_order *order)
{
    write_member(writer, "type", "seek");
    write_member(writer, "game", order->game);
    if (strcmp(order->seat, "any") != 0)
        write_member(writer, "seat", order->seat);
    write_member(writer, "name", order->name);
    write_member(writer, "as", "bot");
    writer_key(writer, "bots");
    writer_boolean(writer, !order->people);
    if (!order->clock.is_set)
        return;
    writer_key(writer, "clock");
    time_control_write(&order->clock, writer);
}

const char *bot_seek(struct client *client, const struct bot_seek_order *order)
{
    struct writer writer;
    size_t length;
    writer_init(&writer);
    writer_object(&writer);
    write_members(&writer, order);
    writer_end(&writer);
    char *text = writer_take(&writer, &length);
    text[length - 1] = '\0'; /* the inside of the object */
    const char *id = client_command(client, text + 1);
    free(text);
    writer_release(&writer);
    return id;
}

/* --- who has gone ----------------------------------------------------------------------------- */

static bool is_of_type(const json_t *message, const char *type)
{
    const char *said = json_string_value(json_object_get(message, "type"));
    return said != NULL && strcmp(said, type) == 0;
}

bool bot_is_presence(const char *json)
{
    json_t *message = json_loads(json, 0, NULL);
    bool is = is_of_type(message, "presence");
    json_decref(message);
    return is;
}

int64_t bot_absent_ms(const struct client *client, const char *json)
{
    json_t *message = json_loads(json, 0, NULL), *left;
    const char *seat;
    int64_t absent_ms = BOT_NOBODY_ABSENT;
    json_object_foreach(json_object_get(message, "absent"), seat, left)
    {
        if (!client_holds_seat(client, seat) && json_integer_value(left) > absent_ms)
            absent_ms = json_integer_value(left);
    }
    json_decref(message);
    return absent_ms;
}

static size_t count_players(struct client *client)
{
    json_t *state = json_loads(client_state_json(client), 0, NULL);
    size_t count = json_object_size(json_object_get(state, "seats"));
    json_decref(state);
    return count;
}

void bot_claim_absent(struct client *client)
{
    char claim[COMMAND_BYTES];
    const char *as = count_players(client) == PLAYERS_OF_WIN ? "win" : "draw";
    snprintf(claim, sizeof claim,
             "\"type\":\"action\",\"room\":\"%s\",\"kind\":\"claim.timeout\",\"as\":\"%s\"",
             client_room(client), as);
    client_command(client, claim);
    client_action(client, "abort");
}
