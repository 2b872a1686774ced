#include "server/cli/callers.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "protocol/writer.h"

enum {
    HEADER_BYTES = 128,
    NUMBER_DIGITS_MAX = 15,
    RETRY_AFTER_MS = 1000,
    CLOSED_TOO_FAST = 4008, /* of the protocol's close codes */
    CLOSED_RESTART = 1012,
    UUID_BYTES = 36,
};

#define CALLER_BIT (UINT64_C(1) << 62)

struct caller {
    peer_id peer;
    uint64_t ticket;
    struct net_stream *stream; /* NULL: not begun, or over */
    bool streams;              /* what it asks for is a stream */
    bool is_created;           /* its answer names a new room */
    bool is_waiting;           /* for its answer */
    struct link done;
};

/* --- answers ---------------------------------------------------------------------------------- */

static int status_of_refusal(enum refusal refusal)
{
    switch (refusal) {
    case REFUSAL_NONE:
        return 200;
    case REFUSAL_BAD_JSON:
    case REFUSAL_BAD_MESSAGE:
    case REFUSAL_UNKNOWN_TYPE:
    case REFUSAL_BAD_DEFINITION:
    case REFUSAL_NO_SUCH_SEAT:
        return 400;
    case REFUSAL_UNAUTHENTICATED:
    case REFUSAL_BAD_TOKEN:
        return 401;
    case REFUSAL_NOT_IN_ROOM:
    case REFUSAL_NOT_SEATED:
    case REFUSAL_BAD_KEY:
    case REFUSAL_MUTED:
        return 403;
    case REFUSAL_UNKNOWN_ROOM:
    case REFUSAL_UNKNOWN_GAME:
        return 404;
    case REFUSAL_SEAT_TAKEN:
    case REFUSAL_NOT_STARTED:
    case REFUSAL_GAME_OVER:
    case REFUSAL_NOT_OVER:
    case REFUSAL_TOO_LATE:
    case REFUSAL_NOT_YOUR_TURN:
    case REFUSAL_STALE:
    case REFUSAL_NO_OFFER:
    case REFUSAL_ID_REUSED:
    case REFUSAL_WITHDRAWN:
    case REFUSAL_TOO_MANY:
        return 409;
    case REFUSAL_ILLEGAL_MOVE:
        return 422;
    case REFUSAL_RATE_LIMITED:
        return 429;
    case REFUSAL_UNSUPPORTED:
        return 501;
    case REFUSAL_UNAVAILABLE:
    case REFUSAL_MOVED:
    case REFUSAL_COUNT:
        return 503;
    }
    return 503;
}

static enum refusal refusal_of_code(const char *code)
{
    for (int i = 0; i < REFUSAL_COUNT; i++)
        if (strcmp(refusal_code((enum refusal)i), code) == 0)
            return (enum refusal)i;
    return REFUSAL_UNAVAILABLE;
}

static void fill_text(struct net_answer *answer, const char *text, size_t length)
{
    answer->content_type = "application/json";
    answer->body = memory_bytes(length + 1);
    memcpy(answer->body, text, length);
    answer->length = length;
}

static void fill_refusal(struct net_answer *answer, const json_t *message)
{
    const char *code = json_string_value(json_object_get(message, "code"));
    json_int_t retry_ms = json_integer_value(json_object_get(message, "retry_ms"));
    answer->status = status_of_refusal(refusal_of_code(code == NULL ? "" : code));
    if (answer->status == 401)
        snprintf(answer->headers, sizeof answer->headers, "WWW-Authenticate: Bearer\r\n");
    else if (retry_ms > 0)
        snprintf(answer->headers, sizeof answer->headers,
                 "Retry-After: %" JSON_INTEGER_FORMAT "\r\n", (retry_ms + 999) / 1000);
}

static void fill_created(struct net_answer *answer, const json_t *message)
{
    const char *room = json_string_value(json_object_get(message, "room"));
    answer->status = 201;
    snprintf(answer->headers, sizeof answer->headers, "Location: /api/v1/rooms/%s\r\n",
             room == NULL ? "" : room);
}

static bool is_error(const struct frame *frame)
{
    static const char head[] = "{\"type\":\"error\"";
    return frame->payload_length >= sizeof head - 1 &&
           memcmp(frame_payload(frame), head, sizeof head - 1) == 0;
}

/* The message as it is, and what of it HTTP has words for: only then it is read, because a room as it is is long. */
static void fill_answer(const struct caller *caller, const struct frame *frame,
                        struct net_answer *answer)
{
    answer->status = 200;
    answer->cache_control = "no-store";
    fill_text(answer, frame_payload(frame), frame->payload_length);
    if (!is_error(frame) && !caller->is_created)
        return;
    json_t *message = json_loadb(frame_payload(frame), frame->payload_length, 0, NULL);
    if (is_error(frame))
        fill_refusal(answer, message);
    else
        fill_created(answer, message);
    json_decref(message);
}

/* As the core would have said it. */
static void fill_error(struct net_answer *answer, int status, enum refusal refusal,
                       const char *words)
{
    bool may_retry = refusal_may_retry(refusal);
    struct writer writer;
    writer_init(&writer);
    writer_object(&writer);
    writer_member_string(&writer, "type", "error");
    writer_member_string(&writer, "code", refusal_code(refusal));
    writer_member_string(&writer, "message", words);
    writer_key(&writer, "retry");
    writer_boolean(&writer, may_retry);
    if (may_retry)
        writer_member_integer(&writer, "retry_ms", RETRY_AFTER_MS);
    writer_end(&writer);
    answer->status = status;
    answer->content_type = "application/json";
    answer->cache_control = "no-store";
    answer->body = writer_take(&writer, &answer->length);
    if (status == 401)
        snprintf(answer->headers, sizeof answer->headers, "WWW-Authenticate: Bearer\r\n");
    else if (may_retry)
        snprintf(answer->headers, sizeof answer->headers, "Retry-After: %d\r\n",
                 RETRY_AFTER_MS / 1000);
}

static enum net_reply refuse(struct net_answer *answer, int status, enum refusal refusal,
                             const char *words)
{
    fill_error(answer, status, refusal, words);
    return NET_ANSWERED;
}

static void is_done(struct callers *callers, struct caller *caller)
{
    callers->waiting -= caller->is_waiting;
    caller->is_waiting = false;
    if (!link_listed(&caller->done))
        list_append(&callers->done, &caller->done, caller);
}

static void give(struct callers *callers, struct transfers *transfers, struct caller *caller,
                 struct net_answer *answer)
{
    transfers_give(transfers, caller->ticket, answer);
    is_done(callers, caller);
}

/* --- what the core says ----------------------------------------------------------------------- */

static struct caller *find(const struct callers *callers, peer_id peer)
{
    return map_find(&callers->by_peer, &peer, sizeof peer);
}

/* Messages begin with their type. */
static bool is_of_type(const struct frame *frame, const char *type)
{
    static const char begin[] = "{\"type\":\"";
    size_t length = strlen(type), before = sizeof begin - 1;
    const char *text = frame_payload(frame);
    return frame->payload_length > before + length && memcmp(text, begin, before) == 0 &&
           memcmp(text + before, type, length) == 0 && text[before + length] == '"';
}

/* The room is here, and lets the caller in. */
static void begin_stream(struct callers *callers, const struct transfers *transfers,
                         struct caller *caller)
{
    caller->stream = net_stream_begin(transfers->net, caller->ticket, caller->peer);
    callers->waiting -= caller->is_waiting;
    caller->is_waiting = false;
    if (caller->stream == NULL)
        is_done(callers, caller);
}

enum send_result callers_send(struct callers *callers, struct transfers *transfers, peer_id peer,
                              struct frame *frame)
{
    struct net_answer answer = {.status = 0};
    struct caller *caller = find(callers, peer);
    if (caller == NULL || link_listed(&caller->done) || is_of_type(frame, "hello") ||
        is_of_type(frame, "welcome"))
        return SEND_QUEUED;
    if (caller->stream != NULL)
        return net_stream_send(caller->stream, frame);
    if (caller->streams && is_of_type(frame, "ack")) {
        begin_stream(callers, transfers, caller);
        return SEND_QUEUED;
    }
    fill_answer(caller, frame, &answer);
    give(callers, transfers, caller, &answer);
    return SEND_QUEUED;
}

/* The last line says why it is the last, as the close frame of a WebSocket does. */
static void say_closed(struct net_stream *stream, int code, const char *reason)
{
    struct writer writer;
    writer_init(&writer);
    writer_object(&writer);
    writer_member_string(&writer, "type", "closed");
    writer_member_integer(&writer, "code", code);
    writer_member_string(&writer, "reason", reason);
    writer_end(&writer);
    struct frame *frame = frame_new(writer.data, writer.length);
    net_stream_send(stream, frame);
    frame_release(frame);
    writer_release(&writer);
}

void callers_close(struct callers *callers)
{
    size_t cursor = 0;
    for (const struct caller *caller; (caller = map_next(&callers->by_peer, &cursor)) != NULL;) {
        if (caller->stream == NULL)
            continue;
        say_closed(caller->stream, CLOSED_RESTART, "restart");
        net_stream_end(caller->stream);
    }
}

void callers_hang_up(struct callers *callers, struct transfers *transfers, peer_id peer, int code,
                     const char *reason)
{
    struct net_answer answer = {.status = 0};
    struct caller *caller = find(callers, peer);
    if (caller == NULL || link_listed(&caller->done))
        return;
    if (caller->stream != NULL) {
        say_closed(caller->stream, code, reason);
        net_stream_end(caller->stream);
        return;
    }
    fill_error(&answer, code == CLOSED_TOO_FAST ? 429 : 503,
               code == CLOSED_TOO_FAST ? REFUSAL_RATE_LIMITED : REFUSAL_UNAVAILABLE, reason);
    give(callers, transfers, caller, &answer);
}

void callers_gone(struct callers *callers, peer_id peer)
{
    struct caller *caller = find(callers, peer);
    caller->stream = NULL;
    is_done(callers, caller);
}

void callers_settle(struct callers *callers, struct core *core)
{
    for (struct caller *caller; (caller = list_first(&callers->done)) != NULL;) {
        list_remove(&caller->done);
        map_remove(&callers->by_peer, &caller->peer, sizeof caller->peer);
        core_peer_gone(core, caller->peer);
        free(caller);
    }
}

void callers_init(struct callers *callers, struct hash_key hash_key)
{
    map_init(&callers->by_peer, hash_key);
    list_init(&callers->done);
}

void callers_release(struct callers *callers)
{
    size_t cursor = 0;
    for (struct caller *caller; (caller = map_next(&callers->by_peer, &cursor)) != NULL;)
        free(caller);
    map_release(&callers->by_peer);
}

/* --- what is said to the core ----------------------------------------------------------------- */

/* A request, as far as it has been understood. */
struct call {
    struct transfers *transfers;
    struct core *core;
    const struct net_request *request;
    struct net_answer *answer;
    struct writer command;
    bool streams, is_created, has_fault; /* a fault was answered already */
};

/* A key is a command's id. The quotes of a structured field are none of it, and a UUID, which is too long for one, is as good
 * without its hyphens. */
static bool read_key(const struct net_request *request, char id[COMMAND_ID_BYTES_MAX + 1])
{
    char value[HEADER_BYTES];
    size_t count = 0;
    if (!net_request_header(request, "idempotency-key", value, sizeof value))
        return false;
    size_t length = strlen(value);
    bool quoted = length >= 2 && value[0] == '"' && value[length - 1] == '"';
    size_t first = quoted ? 1 : 0, end = quoted ? length - 1 : length;
    bool is_uuid = end - first == UUID_BYTES;
    for (size_t i = first; i < end; i++) {
        if (is_uuid && value[i] == '-')
            continue;
        if (count == COMMAND_ID_BYTES_MAX ||
            (!isalnum((unsigned char)value[i]) && strchr("_.:-", value[i]) == NULL))
            return false;
        id[count++] = value[i];
    }
    id[count] = '\0';
    return count > 0;
}

static void say_auth(struct call *call, peer_id peer, const char *token)
{
    struct writer writer;
    char wanted[8];
    writer_init(&writer);
    writer_object(&writer);
    writer_member_string(&writer, "type", "auth");
    writer_member_string(&writer, "id", "auth");
    if (token != NULL)
        writer_member_string(&writer, "token", token);
    if (net_request_query(call->request, "legal_moves", wanted, sizeof wanted) &&
        strcmp(wanted, "false") == 0) {
        writer_key(&writer, "legal_moves");
        writer_boolean(&writer, false);
    }
    writer_end(&writer);
    core_peer_said(call->core, peer, writer.data, writer.length);
    writer_release(&writer);
}

static enum net_reply say(struct callers *callers, struct call *call)
{
    char value[HEADER_BYTES];
    const struct net_request *request = call->request;
    struct caller *caller = memory_zeroed(1, sizeof *caller);
    caller->peer = request->ticket | CALLER_BIT;
    caller->ticket = request->ticket;
    caller->streams = call->streams;
    caller->is_created = call->is_created;
    caller->is_waiting = true;
    callers->waiting++;
    callers->calls++;
    map_put(&callers->by_peer, &caller->peer, sizeof caller->peer, caller);
    transfers_begin(call->transfers, request, call->answer);
    if (call->streams)
        core_peer_opened(call->core, caller->peer, false, &request->client);
    else
        core_peer_passes(call->core, caller->peer, &request->client);
    say_auth(call, caller->peer, transfers_token(request, value, sizeof value));
    core_peer_said(call->core, caller->peer, call->command.data, call->command.length);
    bool has_begun = caller->stream != NULL;
    enum net_reply reply = transfers_end(call->transfers);
    return has_begun ? NET_STREAMS : reply;
}

/* Takes the command. */
static enum net_reply finish(struct callers *callers, struct call *call)
{
    enum net_reply reply;
    if (call->has_fault)
        reply = NET_ANSWERED;
    else if (callers->waiting >= CALLERS_WAITING_MAX)
        reply = refuse(call->answer, 503, REFUSAL_UNAVAILABLE, "too many requests wait");
    else
        reply = say(callers, call);
    writer_release(&call->command);
    return reply;
}

/* With `type`, an id, and what else the path says. */
static struct writer *begin(struct call *call, const char *type, const char *id)
{
    struct writer *command = &call->command;
    writer_init(command);
    writer_object(command);
    writer_member_string(command, "type", type);
    writer_member_string(command, "id", id);
    return command;
}

/* --- questions -------------------------------------------------------------------------------- */

/* The value of ?name=, where it is a number; else what it is by itself. */
static int64_t number_asked(struct call *call, const char *name, int64_t usual)
{
    char value[HEADER_BYTES];
    if (!net_request_query(call->request, name, value, sizeof value))
        return usual;
    size_t digits = strspn(value, "0123456789");
    if (digits > 0 && digits <= NUMBER_DIGITS_MAX && value[digits] == '\0')
        return strtoll(value, NULL, 10);
    call->has_fault = true;
    refuse(call->answer, 400, REFUSAL_BAD_MESSAGE, "a number of the query is none");
    return usual;
}

static void ask_room(struct call *call, const char *room)
{
    struct writer *command = begin(call, "sync", "get");
    writer_member_string(command, "room", room);
    writer_end(command);
}

static void ask_moves(struct call *call, const char *room)
{
    struct writer *command = begin(call, "history", "get");
    writer_member_string(command, "room", room);
    writer_key(command, "moves");
    writer_boolean(command, true);
    writer_member_integer(command, "from", number_asked(call, "from", 0));
    writer_end(command);
}

static void add_number(struct call *call, struct writer *command, const char *name)
{
    int64_t asked = number_asked(call, name, -1);
    if (asked >= 0)
        writer_member_integer(command, name, asked);
}

static void ask_hint(struct call *call, const char *room)
{
    struct writer *command = begin(call, "hint", "get");
    writer_member_string(command, "room", room);
    add_number(call, command, "ply");
    add_number(call, command, "lines");
    writer_end(command);
}

static void ask_stream(struct call *call, const char *room)
{
    struct writer *command = begin(call, "resume", "get");
    writer_member_string(command, "room", room);
    writer_member_integer(command, "version", number_asked(call, "since", 0));
    writer_end(command);
    call->streams = true;
    if (strcmp(call->request->method_word, "HEAD") != 0)
        return;
    call->has_fault = true;
    refuse(call->answer, 405, REFUSAL_BAD_MESSAGE, "a stream has no end to tell of: only GET");
}

/* "ID" or "ID/word": which room, and the word, "" where there is none; false: it is no id of a room. */
static bool read_path(const char *rest, char room[ROOM_ID_BYTES + 1], const char **word)
{
    size_t length = strcspn(rest, "/");
    if (!room_id_fits(length))
        return false;
    memcpy(room, rest, length);
    room[length] = '\0';
    *word = rest[length] == '/' ? rest + length + 1 : "";
    return rest[length] == '\0' || rest[length + 1] != '\0';
}

enum net_reply callers_get(struct callers *callers, struct transfers *transfers, struct core *core,
                           const struct net_request *request, const char *rest,
                           struct net_answer *answer)
{
    static const struct {
        const char *word;
        void (*ask)(struct call *call, const char *room);
    } questions[] = {
        {"", ask_room}, {"moves", ask_moves}, {"hint", ask_hint}, {"stream", ask_stream}};
    struct call call = {.transfers = transfers, .core = core, .request = request, .answer = answer};
    char room[ROOM_ID_BYTES + 1];
    const char *word;
    if (!read_path(rest, room, &word))
        return NET_NOT_HERE;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        if (strcmp(word, questions[i].word) != 0)
            continue;
        questions[i].ask(&call, room);
        return finish(callers, &call);
    }
    return NET_NOT_HERE;
}

/* --- commands --------------------------------------------------------------------------------- */

/* The members of the body's object behind those that are there. One that is named twice makes the command malformed. */
static bool add_body(struct writer *command, const char *body, size_t length)
{
    if (!message_is_object(body, length))
        return false;
    const char *inside = strchr(body, '{') + 1;
    inside += strspn(inside, " \t\r\n");
    if (*inside == '}')
        return true; /* there is none */
    size_t before = command->length, rest = length - (size_t)(inside - body);
    char *text = memory_bytes(before + rest);
    memcpy(text, command->data, before);
    text[before - 1] = ','; /* in place of the end */
    memcpy(text + before, inside, rest);
    writer_clear(command);
    writer_raw(command, text, before + rest);
    free(text);
    return true;
}

/* `name`: of the member that the path says. */
static enum net_reply command(struct callers *callers, struct call *call, const char *type,
                              const char *name, const char *value)
{
    char id[COMMAND_ID_BYTES_MAX + 1], token[HEADER_BYTES];
    if (transfers_token(call->request, token, sizeof token) == NULL)
        return refuse(
            call->answer, 401, REFUSAL_UNAUTHENTICATED,
            "Authorization is missing: Bearer, and a token of 43 characters of base64url");
    if (!read_key(call->request, id))
        return refuse(call->answer, 400, REFUSAL_BAD_MESSAGE,
                      "Idempotency-Key is missing: 1 to 32 letters, digits, _ . : or -, or a UUID");
    struct writer *writer = begin(call, type, id);
    writer_member_string(writer, name, value);
    writer_end(writer);
    if (!add_body(writer, call->request->body, call->request->length)) {
        writer_release(writer);
        return refuse(call->answer, 400, REFUSAL_BAD_JSON, refusal_words(REFUSAL_BAD_JSON));
    }
    return finish(callers, call);
}

enum net_reply callers_post(struct callers *callers, struct transfers *transfers, struct core *core,
                            const struct net_request *request, const char *rest,
                            struct net_answer *answer)
{
    static const struct {
        const char *word, *type;
    } commands[] = {{"moves", "move"}, {"seats", "join"}, {"actions", "action"}, {"chat", "chat"}};
    struct call call = {.transfers = transfers, .core = core, .request = request, .answer = answer};
    char room[ROOM_ID_BYTES + 1];
    const char *word;
    if (!read_path(rest, room, &word))
        return NET_NOT_HERE;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(word, commands[i].word) == 0)
            return command(callers, &call, commands[i].type, "room", room);
    return NET_NOT_HERE;
}

enum net_reply callers_create(struct callers *callers, struct transfers *transfers,
                              struct core *core, const struct net_request *request,
                              const char *game, struct net_answer *answer)
{
    struct call call = {.transfers = transfers,
                        .core = core,
                        .request = request,
                        .answer = answer,
                        .is_created = true};
    return command(callers, &call, "create", "game", game);
}
