/* A server that says anything. Each line of the input is what the server says next; lines of one
 * character are the owner's doing (`o` opens the connection, `c` closes it, `j` joins, `m` moves,
 * `l` leaves). The client answers, keeps its bounds, and what it sends is always JSON. The seed is
 * 1, so that a corpus can name the ids it will use. */
#include "protocol/client.h"
#include "protocol/message.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <string.h>

static void on_event(void *context, struct client *client, const struct client_event *event)
{
    (void)context;
    (void)client;
    assert(event->kind != CLIENT_REFUSED || (event->code != NULL && event->message != NULL));
    assert(event->kind != CLIENT_STATE || event->event_kind != NULL);
    assert(event->kind != CLIENT_BROKEN || event->message != NULL);
}

static void read_everything(struct client *client)
{
    const char *from = NULL, *to = NULL, *choice = NULL;
    int count = client_legal_move_count(client);
    for (int i = 0; i < count; i++) {
        client_legal_move(client, i, &from, &to, &choice);
        assert(from == NULL || to != NULL); /* neither: a pass */
    }
    int first = client_legal_moves_first(client), all = client_legal_moves_all(client);
    assert(first >= 0 && (first < all || count == 0));
    if (count < all)
        client_look_for_legal_moves(client, all - 1);
    assert(client_room(client) != NULL || client_version(client) == 0);
    assert(!client_ready(client) || client_token(client) != NULL);
    assert(client_state_json(client) == NULL || client_room(client) != NULL);
    client_layout_json(client);
    client_must_move(client);
}

static void send_everything(struct client *client)
{
    size_t length = 0;
    for (const char *frame; (frame = client_next_frame(client, &length)) != NULL;) {
        struct message message;
        struct message_fault fault;
        enum refusal refusal = message_read(frame, length, &message, &fault);
        /* A server may name a room as no server of ours would; the frame is still well formed. */
        assert(refusal == REFUSAL_NONE || refusal == REFUSAL_BAD_MESSAGE);
        if (refusal == REFUSAL_NONE)
            message_release(&message);
    }
}

static void act(struct client *client, char what)
{
    switch (what) {
    case 'o':
        client_opened(client);
        break;
    case 'c':
        client_closed(client);
        break;
    case 'j':
        client_join(client, "k3Qd9xZa", "any", "Ada", false);
        break;
    case 'm':
        client_move(client, "a1", "a2", NULL);
        break;
    case 'l':
        client_leave(client);
        break;
    default:
        client_command(client, "\"type\":\"ping\"");
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct client_options options = {.seed = 1};
    struct client *client = client_new(&options, on_event, NULL);
    const char *text = (const char *)data;
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end == NULL ? size : (size_t)(end - text);
        if (length == 1)
            act(client, text[0]);
        else
            client_received(client, text, length);
        read_everything(client);
        send_everything(client);
        size -= length + (end != NULL);
        text += length + (end != NULL);
    }
    client_free(client);
    return 0;
}
