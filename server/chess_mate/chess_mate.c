#include "server/chess_mate/chess_mate.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "engine/memory/memory.h"
#include "server/chess_mate/answer.h"
#include "server/chess_mate/body.h"
#include "server/chess_mate/route.h"
#include "server/chess_mate/visit.h"
#include "server/core/list.h"

enum {
    INBOX_MAX = 64,
    GENERATED_CHARACTERS = 53,
    REQUEST_COST = 2500, /* thousandths of a unit, before it is known what it does */
    /* Of a turn of the loop: between turns others are answered. */
    GUESTS_PER_TURN = 4,
    TURN_US = 1000,
};

struct guest {
    struct guest *next;
    peer_id peer;
    struct core_address client; /* who has sent the request */
    uint64_t ticket, due_ms;
    char *browser_id, *browser_id_json; /* json: of a new game */
    struct answer_missing missing;      /* of a path that is none: what was asked for */
    struct visit visit;
    struct frame *inbox[INBOX_MAX]; /* retained, oldest first */
    int inbox_count;
    bool opened, hung_up;
    struct link ready; /* in chess_mate->ready: there is something for it to do */
};

struct chess_mate {
    uv_timer_t timer; /* for the first guest whose time is over */
    uv_idle_t idle;   /* while somebody is ready; it keeps the loop from sleeping */
    struct chess_mate_ports ports;
    const char *prefix;
    size_t prefix_length; /* without a slash at its end */
    struct guest *guests; /* oldest first, which is also first over its time */
    struct list ready;
    int guest_count;
    bool stopping;
    peer_id last_peer;
};

static void on_timer(uv_timer_t *timer);
static void on_idle(uv_idle_t *idle);

static void is_ready(struct chess_mate *chess_mate, struct guest *guest)
{
    if (link_listed(&guest->ready))
        return;
    list_append(&chess_mate->ready, &guest->ready, guest);
    uv_idle_start(&chess_mate->idle, on_idle);
}

static void set_timer(struct chess_mate *chess_mate)
{
    uint64_t now_ms = uv_now(chess_mate->timer.loop);
    const struct guest *guest = chess_mate->guests;
    while (guest != NULL && guest->due_ms <= now_ms)
        guest = guest->next;
    if (guest == NULL)
        uv_timer_stop(&chess_mate->timer);
    else
        uv_timer_start(&chess_mate->timer, on_timer, guest->due_ms - now_ms, 0);
}

static void on_timer(uv_timer_t *timer)
{
    struct chess_mate *chess_mate = timer->data;
    uint64_t now_ms = uv_now(timer->loop);
    for (struct guest *guest = chess_mate->guests; guest != NULL && guest->due_ms <= now_ms;
         guest = guest->next)
        is_ready(chess_mate, guest);
    set_timer(chess_mate);
}

/* --- guests ----------------------------------------------------------------------------------- */

static void guest_free(struct guest *guest)
{
    list_remove(&guest->ready);
    for (int i = 0; i < guest->inbox_count; i++)
        frame_release(guest->inbox[i]);
    visit_release(&guest->visit);
    free(guest->browser_id);
    free(guest->browser_id_json);
    free(guest);
}

static struct guest *find(struct chess_mate *chess_mate, peer_id peer)
{
    for (struct guest *guest = chess_mate->guests; guest != NULL; guest = guest->next)
        if (guest->peer == peer)
            return guest;
    return NULL;
}

enum send_result chess_mate_send(struct chess_mate *chess_mate, peer_id peer, struct frame *frame)
{
    struct guest *guest = find(chess_mate, peer);
    if (guest == NULL)
        return SEND_QUEUED;
    if (guest->inbox_count == INBOX_MAX)
        return SEND_FULL;
    guest->inbox[guest->inbox_count++] = frame_retain(frame);
    is_ready(chess_mate, guest);
    return SEND_QUEUED;
}

void chess_mate_hang_up(struct chess_mate *chess_mate, peer_id peer)
{
    struct guest *guest = find(chess_mate, peer);
    if (guest == NULL)
        return;
    guest->hung_up = true;
    is_ready(chess_mate, guest);
}

/* Nobody with the same id is before it. */
static bool is_its_turn(const struct chess_mate *chess_mate, const struct guest *guest)
{
    for (const struct guest *other = chess_mate->guests; other != guest; other = other->next)
        if (strcmp(other->browser_id, guest->browser_id) == 0)
            return false;
    return true;
}

static void listen_to_core(struct chess_mate *chess_mate, struct guest *guest)
{
    /* By number: what is said brings more. */
    for (int i = 0; i < guest->inbox_count; i++) {
        struct frame *frame = guest->inbox[i];
        visit_hear(&guest->visit, frame_payload(frame), frame->payload_length);
        const struct writer *say = &guest->visit.say;
        if (say->length > 0)
            chess_mate->ports.said(chess_mate->ports.context, guest->peer, say->data, say->length);
    }
    for (int i = 0; i < guest->inbox_count; i++)
        frame_release(guest->inbox[i]);
    guest->inbox_count = 0;
}

/* Of those with the same id the next one has its turn now. */
static void leave(struct chess_mate *chess_mate, struct guest *guest)
{
    struct net_answer answer = {0};
    struct guest **link = &chess_mate->guests;
    while (*link != guest)
        link = &(*link)->next;
    *link = guest->next;
    chess_mate->guest_count--;
    answer_of_visit(&guest->visit, guest->browser_id_json, &guest->missing, &answer);
    chess_mate->ports.respond(chess_mate->ports.context, guest->ticket, &answer);
    struct guest *next = guest->next;
    while (next != NULL && strcmp(next->browser_id, guest->browser_id) != 0)
        next = next->next;
    if (next != NULL)
        is_ready(chess_mate, next);
    if (guest->opened)
        chess_mate->ports.gone(chess_mate->ports.context, guest->peer);
    guest_free(guest);
}

static void guest_turn(struct chess_mate *chess_mate, struct guest *guest, uint64_t now_ms)
{
    if (!guest->opened && is_its_turn(chess_mate, guest)) {
        guest->opened = true;
        chess_mate->ports.opened(chess_mate->ports.context, guest->peer, &guest->client);
    }
    listen_to_core(chess_mate, guest);
    if (guest->hung_up || now_ms >= guest->due_ms)
        visit_break_off(&guest->visit);
    if (guest->visit.outcome != VISIT_GOES_ON)
        leave(chess_mate, guest);
}

/* A few guests listen and speak, and stand behind all others then; what the core answers lands in the inboxes. */
static void on_idle(uv_idle_t *idle)
{
    struct chess_mate *chess_mate = idle->data;
    uint64_t began_ns = uv_hrtime();
    struct guest *guest;
    for (int i = 0; i < GUESTS_PER_TURN && (guest = list_first(&chess_mate->ready)) != NULL; i++) {
        list_remove(&guest->ready);
        guest_turn(chess_mate, guest, uv_now(idle->loop));
        if (uv_hrtime() - began_ns >= TURN_US * UINT64_C(1000))
            break;
    }
    if (list_first(&chess_mate->ready) == NULL)
        uv_idle_stop(idle);
}

/* --- requests --------------------------------------------------------------------------------- */

/* In the look of bcrypt's texts; 318 bits that nobody can guess. */
static char *generate_id(const struct chess_mate *chess_mate)
{
    static const char digits[] = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    static const char head[] = "$2a$08$";
    unsigned char random[GENERATED_CHARACTERS];
    char *id = memory_zeroed(1, sizeof head + GENERATED_CHARACTERS);
    chess_mate->ports.random(chess_mate->ports.context, random, sizeof random);
    memcpy(id, head, sizeof head);
    for (int i = 0; i < GENERATED_CHARACTERS; i++)
        id[sizeof head - 1 + (size_t)i] = digits[random[i] % 64];
    return id;
}

static void write_nonce(const struct chess_mate *chess_mate, char *nonce)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char random[NONCE_BYTES];
    chess_mate->ports.random(chess_mate->ports.context, random, sizeof random);
    for (int i = 0; i < NONCE_BYTES; i++)
        nonce[i] = digits[random[i] % 16];
    nonce[NONCE_BYTES] = '\0';
}

/* Takes the two texts. */
static enum net_reply receive(struct chess_mate *chess_mate, const struct net_request *request,
                              const struct route *route, char *id, char *id_json)
{
    struct guest *guest = memory_zeroed(1, sizeof *guest);
    visit_init(&guest->visit);
    guest->visit.wish = route->wish;
    guest->visit.from = route->from;
    guest->visit.to = route->to;
    net_request_query(request, "choice", guest->visit.choice, sizeof guest->visit.choice);
    chess_mate->ports.token(chess_mate->ports.context, id, guest->visit.token);
    write_nonce(chess_mate, guest->visit.nonce);
    answer_note_missing(&guest->missing, request, route);
    guest->browser_id = id;
    guest->browser_id_json = id_json;
    guest->ticket = request->ticket;
    guest->client = request->client;
    guest->peer = ++chess_mate->last_peer | UINT64_C(3) << 62;
    guest->due_ms = uv_now(chess_mate->timer.loop) + CHESS_MATE_VISIT_MS;
    struct guest **link = &chess_mate->guests;
    while (*link != NULL)
        link = &(*link)->next;
    *link = guest;
    chess_mate->guest_count++;
    is_ready(chess_mate, guest);
    if (chess_mate->guests == guest)
        set_timer(chess_mate);
    return NET_LATER;
}

/* Express parses a body before it looks at anything else. */
static bool body_is_json(const struct net_request *request)
{
    static const char json[] = "application/json";
    char type[2 * NET_HEADER_BYTES_MAX + 1]; /* each byte of Latin-1 may become two */
    size_t length = sizeof json - 1;
    return net_request_header(request, "content-type", type, sizeof type) &&
           strncasecmp(type, json, length) == 0 && strchr("; \t", type[length]) != NULL;
}

static enum net_reply new_game(struct chess_mate *chess_mate, const struct net_request *request,
                               const struct route *route, char *id, char *id_json)
{
    if (id == NULL) {
        id = generate_id(chess_mate);
        id_json = body_quote(id);
    }
    return receive(chess_mate, request, route, id, id_json);
}

static enum net_reply with_id(struct chess_mate *chess_mate, const struct net_request *request,
                              const struct route *route, struct net_answer *answer)
{
    char id[BODY_ID_BYTES_MAX + 1];
    bool fits = net_request_header(request, "browser_id", id, sizeof id);
    if (!fits || id[0] == '\0') {
        bool too_long = !fits && net_request_has_header(request, "browser_id"); /* nobody's is */
        answer_error(answer, 400, too_long ? "Game not found!" : "No browser id");
        return NET_ANSWERED;
    }
    char *copy = memory_text(id);
    return receive(chess_mate, request, route, copy, NULL);
}

static enum net_reply follow(struct chess_mate *chess_mate, const struct net_request *request,
                             struct net_answer *answer, char *id, char *id_json)
{
    struct route route = route_read(request->method, request->path + chess_mate->prefix_length,
                                    request->bad_escapes);
    bool makes_game = route.kind == ROUTE_NEW_GAME;
    bool is_full = chess_mate->stopping || chess_mate->guest_count >= CHESS_MATE_VISITS_MAX;
    if (!makes_game || is_full) {
        free(id);
        free(id_json);
    }
    if (route.kind == ROUTE_PREFLIGHT) {
        answer_preflight(answer, request);
    } else if (route.kind == ROUTE_INDEX) {
        answer_index(answer);
    } else if (is_full) {
        answer_unavailable(answer);
    } else if (makes_game) {
        return new_game(chess_mate, request, &route, id, id_json);
    } else {
        return with_id(chess_mate, request, &route, answer);
    }
    return NET_ANSWERED;
}

/* A preflight costs nothing and is not counted: a browser that is refused one does not learn why. */
static bool is_too_fast(struct chess_mate *chess_mate, const struct net_request *request,
                        struct net_answer *answer)
{
    if (request->method == NET_OPTIONS)
        return false;
    uint64_t wait_ms =
        chess_mate->ports.take(chess_mate->ports.context, &request->client, REQUEST_COST);
    if (wait_ms > 0)
        answer_too_fast(answer, wait_ms);
    return wait_ms > 0;
}

enum net_reply chess_mate_request(struct chess_mate *chess_mate, const struct net_request *request,
                                  struct net_answer *answer)
{
    if (is_too_fast(chess_mate, request, answer))
        return NET_ANSWERED;
    char *id = NULL, *id_json = NULL;
    enum body_answer body = BODY_NO_ID;
    bool is_json = body_is_json(request);
    if (is_json && request->too_long) {
        answer_body_error(answer, 413);
        return NET_ANSWERED;
    }
    if (is_json)
        body = body_read_id(request->body, request->length, &id, &id_json);
    if (body == BODY_MALFORMED) {
        answer_body_error(answer, 400);
        return NET_ANSWERED;
    }
    if (body == BODY_STRANGE_ID &&
        route_read(request->method, request->path + chess_mate->prefix_length, request->bad_escapes)
                .kind == ROUTE_NEW_GAME) {
        answer_error(answer, 400, "Invalid browser id!");
        return NET_ANSWERED;
    }
    return follow(chess_mate, request, answer, id, id_json);
}

void chess_mate_stop(struct chess_mate *chess_mate)
{
    chess_mate->stopping = true;
}

bool chess_mate_owns_path(const struct chess_mate *chess_mate, const char *path)
{
    size_t length = chess_mate->prefix_length;
    return strncasecmp(path, chess_mate->prefix, length) == 0 &&
           (path[length] == '/' || path[length] == '\0');
}

/* --- life ------------------------------------------------------------------------------------- */

struct chess_mate *chess_mate_new(struct uv_loop_s *loop, const struct chess_mate_ports *ports,
                                  const char *prefix)
{
    struct chess_mate *chess_mate = memory_zeroed(1, sizeof *chess_mate);
    chess_mate->ports = *ports;
    chess_mate->prefix = prefix;
    chess_mate->prefix_length = strlen(prefix);
    while (chess_mate->prefix_length > 0 && prefix[chess_mate->prefix_length - 1] == '/')
        chess_mate->prefix_length--;
    list_init(&chess_mate->ready);
    uv_timer_init(loop, &chess_mate->timer);
    uv_idle_init(loop, &chess_mate->idle);
    chess_mate->timer.data = chess_mate->idle.data = chess_mate;
    return chess_mate;
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void on_idle_closed(uv_handle_t *handle)
{
    struct chess_mate *chess_mate = handle->data;
    uv_close((uv_handle_t *)&chess_mate->timer, on_timer_closed);
}

void chess_mate_close(struct chess_mate *chess_mate)
{
    while (chess_mate->guests != NULL) {
        struct guest *guest = chess_mate->guests;
        chess_mate->guests = guest->next;
        guest_free(guest);
    }
    uv_timer_stop(&chess_mate->timer);
    uv_close((uv_handle_t *)&chess_mate->idle, on_idle_closed);
}
