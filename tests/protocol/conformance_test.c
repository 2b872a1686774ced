/* The client in C beside protocol/conformance, whose README.md says what the steps mean. */
#include "tests/support/test.h"

#include "protocol/client.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD_MAX = 8, TOLD_BYTES = 64, TEXT_BYTES = 1024 };

struct conversation {
    struct client *client;
    json_t *suite, *ids;
    char told[TOLD_MAX][TOLD_BYTES];
    int told_count;
    bool broken;
};

static void on_event(void *context, struct client *client, const struct client_event *event)
{
    struct conversation *conversation = context;
    (void)client;
    bool refused = event->kind == CLIENT_REFUSED;
    conversation->broken = conversation->broken || event->kind == CLIENT_BROKEN;
    if (!refused && event->kind != CLIENT_ACKNOWLEDGED)
        return;
    assert_true(conversation->told_count < TOLD_MAX);
    snprintf(conversation->told[conversation->told_count++], TOLD_BYTES, "%s%s",
             refused ? "refused " : "acknowledged", refused ? event->code : "");
}

/* `$x` becomes the id that is called so. */
static void put_id(const struct conversation *conversation, json_t *frame)
{
    const char *re = json_string_value(json_object_get(frame, "re"));
    if (re != NULL && re[0] == '$')
        json_object_set(frame, "re", json_object_get(conversation->ids, re));
}

static void hear_text(struct conversation *conversation, const char *text)
{
    client_received(conversation->client, text, strlen(text));
}

static void hear(struct conversation *conversation, const json_t *step)
{
    json_t *said = json_array_get(step, 1);
    if (json_is_string(said))
        said = json_object_get(json_object_get(conversation->suite, "frames"),
                               json_string_value(said));
    json_t *frame = json_deep_copy(said);
    assert_true(json_is_object(frame));
    json_object_update(frame, json_array_get(step, 2));
    put_id(conversation, frame);
    char *text = json_dumps(frame, JSON_COMPACT);
    hear_text(conversation, text);
    free(text);
    json_decref(frame);
}

static void hear_nested(struct conversation *conversation, int depth)
{
    char text[TEXT_BYTES], *at = text;
    assert_true(depth * 2 + 64 < TEXT_BYTES);
    at += sprintf(at, "{\"type\":\"fireworks\",\"a\":");
    for (int i = 0; i < 2 * depth; i++)
        *at++ = i < depth ? '[' : ']';
    strcpy(at, "}");
    hear_text(conversation, text);
}

static bool belongs_to_one_connection(const char *name)
{
    return strcmp(name, "$auth") == 0 || strcmp(name, "$resume") == 0 || strcmp(name, "$sync") == 0;
}

static void says(struct conversation *conversation, json_t *members)
{
    size_t length;
    const char *text = client_next_frame(conversation->client, &length);
    assert_non_null(text);
    json_t *frame = json_loadb(text, length, 0, NULL), *value;
    assert_non_null(frame);
    const char *name;
    json_object_foreach(members, name, value)
    {
        json_t *own = json_object_get(frame, name);
        if (strcmp(name, "id") != 0)
            assert_true(json_is_null(value) ? own == NULL : json_equal(own, value));
    }
    const char *called = json_string_value(json_object_get(members, "id"));
    json_t *id = json_object_get(frame, "id"), *known = json_object_get(conversation->ids, called);
    if (known != NULL && !belongs_to_one_connection(called))
        assert_true(json_equal(known, id));
    json_object_set(conversation->ids, called, id);
    json_decref(frame);
}

static void look_for_more(struct conversation *conversation)
{
    const struct client *client = conversation->client;
    int behind = client_legal_moves_first(client) + client_legal_move_count(client);
    json_object_del(conversation->ids, "$it");
    assert_true(client_look_for_legal_moves(conversation->client, behind));
}

static void command(struct conversation *conversation, const char *verb, const json_t *words)
{
    if (strcmp(verb, "more") == 0) {
        look_for_more(conversation);
        return;
    }
    struct client *client = conversation->client;
    const char *room = NULL, *seat = NULL, *name = NULL, *from = NULL, *to = NULL, *choice = NULL;
    const char *text = NULL, *id = NULL;
    assert_int_equal(json_unpack((json_t *)words, "{s?s,s?s,s?s,s?s,s?s,s?s,s?s}", "room", &room,
                                 "seat", &seat, "name", &name, "from", &from, "to", &to, "choice",
                                 &choice, "text", &text),
                     0);
    if (json_is_true(json_object_get(words, "swap")))
        choice = CLIENT_SWAP;
    if (strcmp(verb, "join") == 0)
        id = client_join(client, room, seat, name, true);
    else
        json_object_del(conversation->ids, "$it");
    if (strcmp(verb, "move") == 0)
        id = client_move(client, from, to, choice);
    else if (strcmp(verb, "chat") == 0)
        id = client_chat(client, text);
    else if (strcmp(verb, "leave") == 0)
        id = client_leave(client);
    assert_non_null(id);
}

static void told(struct conversation *conversation, const char *what)
{
    assert_string_equal(conversation->told_count > 0 ? conversation->told[0] : "nothing", what);
    if (conversation->told_count == 0)
        return;
    conversation->told_count--;
    memmove(conversation->told[0], conversation->told[1], sizeof conversation->told - TOLD_BYTES);
}

static json_t *offered_at(const struct client *client, int index)
{
    const char *from, *to, *choice;
    client_legal_move(client, index, &from, &to, &choice);
    if (to == NULL)
        return json_pack("{s:b}", choice != NULL ? CLIENT_SWAP : "pass", 1);
    return json_pack("{s:s*,s:s,s:s*}", "from", from, "to", to, "choice", choice);
}

static json_t *offered(const struct client *client)
{
    json_t *moves = json_array();
    for (int i = 0; i < client_legal_move_count(client); i++)
        json_array_append_new(moves, offered_at(client, i));
    return moves;
}

static json_t *known(const struct conversation *conversation, const char *name)
{
    struct client *client = conversation->client;
    if (strcmp(name, "player") == 0)
        return json_string(client_player(client));
    if (strcmp(name, "room") == 0)
        return client_room(client) == NULL ? json_null() : json_string(client_room(client));
    if (strcmp(name, "version") == 0)
        return json_integer(client_version(client));
    if (strcmp(name, "state") == 0)
        return json_loads(client_state_json(client), 0, NULL);
    if (strcmp(name, "status") == 0)
        return json_string(client_status(client));
    if (strcmp(name, "legal_moves") == 0)
        return json_integer(client_legal_move_count(client));
    if (strcmp(name, "legal_moves_all") == 0)
        return json_integer(client_legal_moves_all(client));
    if (strcmp(name, "offered") == 0)
        return offered(client);
    if (strcmp(name, "last_offered") == 0)
        return offered_at(client, client_legal_move_count(client) - 1);
    if (strcmp(name, "must_move") == 0)
        return json_boolean(client_must_move(client));
    assert_string_equal(name, "ready");
    return json_boolean(client_ready(client));
}

static void holds(const struct conversation *conversation, json_t *wanted)
{
    const char *name;
    json_t *value;
    json_object_foreach(wanted, name, value)
    {
        json_t *own = known(conversation, name);
        if (strcmp(name, "state") == 0)
            value = json_object_get(json_object_get(conversation->suite, "states"),
                                    json_string_value(value));
        if (!json_equal(own, value))
            fail_msg("%s is another", name);
        json_decref(own);
    }
}

static void closes(struct conversation *conversation, int code, const json_t *within)
{
    client_closed(conversation->client);
    assert_int_equal(client_returns_after(code), json_is_integer(within));
    if (json_is_integer(within))
        assert_true((json_int_t)client_reconnect_delay_ms(conversation->client) <=
                    json_integer_value(within));
}

static void is_silent(struct conversation *conversation)
{
    size_t length;
    assert_null(client_next_frame(conversation->client, &length));
}

static void take_step(struct conversation *conversation, const json_t *step)
{
    const char *kind = json_string_value(json_array_get(step, 0));
    json_t *first = json_array_get(step, 1);
    if (strcmp(kind, "open") == 0)
        client_opened(conversation->client);
    else if (strcmp(kind, "hear") == 0)
        hear(conversation, step);
    else if (strcmp(kind, "hear text") == 0)
        hear_text(conversation, json_string_value(first));
    else if (strcmp(kind, "hear nested") == 0)
        hear_nested(conversation, (int)json_integer_value(first));
    else if (strcmp(kind, "says") == 0)
        says(conversation, first);
    else if (strcmp(kind, "silent") == 0)
        is_silent(conversation);
    else if (strcmp(kind, "do") == 0)
        command(conversation, json_string_value(first), json_array_get(step, 2));
    else if (strcmp(kind, "told") == 0)
        told(conversation, json_string_value(first));
    else if (strcmp(kind, "holds") == 0)
        holds(conversation, first);
    else if (strcmp(kind, "close") == 0)
        closes(conversation, (int)json_integer_value(first), json_array_get(step, 2));
    else if (strcmp(kind, "broken") == 0)
        assert_true(conversation->broken);
    else
        fail_msg("no such step: %s", kind);
}

static void run(json_t *suite, const json_t *script)
{
    const json_t *said = json_object_get(script, "options");
    const struct client_options options = {
        .seed = 1, .declines_legal_moves = json_is_false(json_object_get(said, "legal_moves"))};
    struct conversation conversation = {.suite = suite, .ids = json_object()};
    conversation.client = client_new(&options, on_event, &conversation);
    json_t *step;
    size_t at;
    json_array_foreach(json_object_get(script, "steps"), at, step)
    {
        char *words = json_dumps(step, JSON_COMPACT);
        /* Said before, for an assertion that fails leaves no time for it. */
        print_message("    %.100s\n", words);
        free(words);
        take_step(&conversation, step);
    }
    assert_int_equal(conversation.told_count, 0);
    client_free(conversation.client);
    json_decref(conversation.ids);
}

static void the_client_keeps_to_the_conversations(void **state)
{
    (void)state;
    json_t *suite = json_load_file("protocol/conformance/conversations.json", 0, NULL), *script;
    assert_non_null(suite);
    size_t at;
    json_array_foreach(json_object_get(suite, "conversations"), at, script)
    {
        print_message("%s\n", json_string_value(json_object_get(script, "name")));
        run(suite, script);
    }
    assert_true(at > 20);
    json_decref(suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_client_keeps_to_the_conversations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
