#include "tests/server/core/stage.h"

#include "engine/load/load.h"
#include "protocol/message.h"
#include "server/core/identity.h"
#include "server/core/parts.h"
#include "tests/server/core/games.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the ports ------------------------------------------------------------------------------------ */

static struct stage_peer *peer_by_id(struct stage *stage, peer_id id)
{
    for (int i = stage->peer_count - 1; i >= 0; i--)
        if (stage->peers[i].peer == id)
            return &stage->peers[i];
    return NULL;
}

static void keep_heard(struct stage_peer *peer, const char *text)
{
    struct heard *heard = calloc(1, sizeof *heard);
    heard->text = strdup(text);
    *peer->end = heard;
    peer->end = &heard->next;
}

/* For tests/end_to_end/validate_traffic.mjs. What is not JSON has no schema. */
static void record(struct stage *stage, const char *direction, const char *text)
{
    json_t *json = stage->traffic ? json_loads(text, 0, NULL) : NULL;
    if (json_is_object(json))
        fprintf(stage->traffic, "{\"dir\":\"%s\",\"frame\":%s}\n", direction, text);
    json_decref(json);
}

static enum send_result on_send(void *context, peer_id id, struct frame *frame)
{
    struct stage *stage = context;
    struct stage_peer *peer = peer_by_id(stage, id);
    assert_non_null(peer);
    assert_int_equal(peer->close_code, 0); /* nothing is sent after the close */
    if (peer->full || (stage->takes && !stage->takes(stage->takes_context, peer, frame)))
        return SEND_FULL;
    char *text = strndup(frame_payload(frame), frame->payload_length);
    record(context, "out", text);
    keep_heard(peer, text);
    free(text);
    return SEND_QUEUED;
}

static void on_close(void *context, peer_id id, int code, const char *reason)
{
    struct stage_peer *peer = peer_by_id(context, id);
    char text[64];
    assert_non_null(peer);
    assert_int_equal(peer->close_code, 0);
    assert_true(strlen(reason) > 0);
    peer->close_code = code;
    snprintf(text, sizeof text, "{\"type\":\"closed\",\"code\":%d}", code);
    keep_heard(peer, text);
}

static bool on_store(void *context, const struct store_request *request)
{
    struct stage *stage = context;
    if (stage->store_full)
        return false;
    struct stage_request *asked = calloc(1, sizeof *asked);
    asked->request = store_request_copy(request);
    *stage->asked_end = asked;
    stage->asked_end = &asked->next;
    return true;
}

static void on_work(void *context, struct job *job)
{
    struct stage *stage = context;
    struct stage_job *waiting = calloc(1, sizeof *waiting);
    *waiting = (struct stage_job){job, NULL};
    *stage->jobs_end = waiting;
    stage->jobs_end = &waiting->next;
}

static void on_transferred(void *context, uint64_t request, const struct transfer_answer *answer)
{
    struct stage *stage = context;
    struct stage_transfer *transfer = &stage->transfer;
    free(transfer->text);
    int count = transfer->count + 1;
    *transfer = (struct stage_transfer){.request = request,
                                        .refusal = answer->refusal,
                                        .retry_ms = answer->retry_ms,
                                        .count = count};
    assert_int_equal(answer->refusal == REFUSAL_NONE, answer->words[0] == '\0');
    snprintf(transfer->words, sizeof transfer->words, "%s", answer->words);
    if (answer->room)
        snprintf(transfer->room, sizeof transfer->room, "%s", answer->room);
    if (answer->text)
        transfer->text = strndup(answer->text, answer->length);
}

static void on_published(void *context, uint64_t request, const struct published_answer *answer)
{
    struct stage *stage = context;
    struct stage_published *published = &stage->published;
    free(published->json);
    int count = published->count + 1;
    *published = (struct stage_published){.request = request,
                                          .outcome = answer->outcome,
                                          .retry_ms = answer->retry_ms,
                                          .count = count};
    assert_int_equal(answer->outcome <= PUBLISHED_NEW, answer->words[0] == '\0');
    snprintf(published->words, sizeof published->words, "%s", answer->words);
    if (answer->json)
        published->json = strndup(answer->json, answer->length);
}

static void on_pictured(void *context, uint64_t request, const struct picture_answer *answer)
{
    struct stage *stage = context;
    struct stage_pictured *pictured = &stage->pictured;
    free(pictured->bytes);
    int count = pictured->count + 1;
    *pictured = (struct stage_pictured){.request = request,
                                        .outcome = answer->outcome,
                                        .retry_ms = answer->retry_ms,
                                        .count = count};
    assert_int_equal(answer->outcome <= PICTURE_NEW, answer->words[0] == '\0');
    snprintf(pictured->words, sizeof pictured->words, "%s", answer->words);
    if (answer->hash)
        snprintf(pictured->hash, sizeof pictured->hash, "%s", answer->hash);
    if (answer->bytes)
        pictured->bytes = strndup(answer->bytes, answer->length);
}

static void on_publish(void *context, const struct bus_message *message)
{
    struct stage *stage = context;
    struct stage_told *told = &stage->told;
    if (message->subject == BUS_HERE) {
        told->here_count++;
        told->spectators = message->spectators;
        told->seats = message->seats;
        told->at_ms = message->at_ms;
        snprintf(told->newcomer, sizeof told->newcomer, "%s",
                 message->client ? message->client : "");
        return;
    }
    if (message->subject == BUS_LOBBY) {
        told->lobby_count++;
        snprintf(told->row, sizeof told->row, "%s", message->body);
        return;
    }
    if (message->subject == BUS_SEEK) {
        told->seek_count++;
        snprintf(told->seek_kind, sizeof told->seek_kind, "%s", message->kind);
        snprintf(told->seek_for, sizeof told->seek_for, "%s", message->command);
        snprintf(told->seek_body, sizeof told->seek_body, "%s", message->body);
        snprintf(told->seek_player, sizeof told->seek_player, "%s", message->id);
        snprintf(told->seek_node, sizeof told->seek_node, "%s", message->client);
        told->seek_number = message->version;
        return;
    }
    assert_int_equal(message->subject, BUS_ROOM);
    told->count++;
    told->version = message->version;
    told->took_ms = message->took_ms;
    snprintf(told->kind, sizeof told->kind, "%s", message->kind);
    snprintf(told->client, sizeof told->client, "%s", message->client);
    snprintf(told->command, sizeof told->command, "%s", message->command);
    snprintf(told->body, sizeof told->body, "%s", message->body ? message->body : "");
}

static void on_house_bot(void *context, const char *room, const char *seat, int level,
                         const char *token)
{
    struct stage *stage = context;
    snprintf(stage->house_room, sizeof stage->house_room, "%s", room);
    snprintf(stage->house_seat, sizeof stage->house_seat, "%s", seat);
    snprintf(stage->house_token, sizeof stage->house_token, "%s", token);
    stage->house_level = level;
    stage->house_count++;
}

static void on_measure(void *context, peer_id peer)
{
    struct stage *stage = context;
    stage->measured = peer;
    stage->measured_count++;
}

static void on_hint(void *context, uint64_t number, struct position *position, int lines)
{
    struct stage *stage = context;
    assert_in_range(stage->hint_count, 0, STAGE_HINTS_MAX - 1);
    stage->hints[stage->hint_count++] = (struct stage_hint){number, position, lines};
}

static void on_forget_hint(void *context, uint64_t number)
{
    struct stage *stage = context;
    for (int i = 0; i < stage->hint_count; i++) {
        if (stage->hints[i].number != number)
            continue;
        position_free(stage->hints[i].position);
        stage->hints[i] = stage->hints[--stage->hint_count];
        return;
    }
    fail_msg("no hint %llu is thought about", (unsigned long long)number);
}

static void on_random(void *context, void *bytes, size_t size)
{
    struct stage *stage = context;
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)test_random(&stage->random);
}

static void on_log(void *context, enum fact_level level, const char *fact, const char *members)
{
    struct stage *stage = context;
    char object[512];
    snprintf(object, sizeof object, "{%s}", members);
    json_t *json = json_loads(object, 0, NULL);
    assert_non_null(json);
    json_decref(json);
    (void)level;
    snprintf(stage->last_log, sizeof stage->last_log, "%s", fact);
    stage->log_count++;
}

/* --- the stage -------------------------------------------------------------------------------------- */

static struct game *compiled(const char *text, size_t length, int players)
{
    const struct load_options options = {.player_count = players};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, length, &options, &diagnostics);
    if (!game)
        fail_msg("%s: %s", diagnostics.list[0].pointer, diagnostics.list[0].message);
    diagnostics_release(&diagnostics);
    return game;
}

/* Compiled once for all stages of the process: a fuzzer sets thousands. */
static void add_small_games(struct stage *stage)
{
    static struct game *two, *three, *hops, *places, *places_for_two;
    if (!two) {
        two = compiled(game_of_two, strlen(game_of_two), 0);
        three = compiled(game_of_three, strlen(game_of_three), 0);
        hops = compiled(game_of_hops, strlen(game_of_hops), 0);
        places = compiled(game_of_places, strlen(game_of_places), 0);
        places_for_two = compiled(game_of_places, strlen(game_of_places), 2);
    }
    assert_true(core_add_game(stage->core, "two", two, game_of_two, strlen(game_of_two)));
    assert_true(core_add_game(stage->core, "three", three, game_of_three, strlen(game_of_three)));
    assert_true(core_add_game(stage->core, "hops", hops, game_of_hops, strlen(game_of_hops)));
    assert_true(
        core_add_game(stage->core, "places", places, game_of_places, strlen(game_of_places)));
    assert_true(core_add_game_for(stage->core, "places", 2, places_for_two));
}

static void add_chess(struct stage *stage)
{
    size_t length;
    char *chess = test_read_file("games/chess.json", &length);
    assert_non_null(chess);
    struct game *game = compiled(chess, length, 0);
    assert_true(core_add_game(stage->core, "chess", game, chess, length));
    game_release(game);
    free(chess);
}

void stage_start(struct stage *stage)
{
    struct core_ports ports = {.context = stage,
                               .send = on_send,
                               .close = on_close,
                               .store = on_store,
                               .publish = on_publish,
                               .house_bot = on_house_bot,
                               .measure = on_measure,
                               .hint = on_hint,
                               .forget_hint = on_forget_hint,
                               .work = on_work,
                               .transferred = on_transferred,
                               .published = on_published,
                               .pictured = on_pictured,
                               .random = on_random,
                               .log = on_log};
    stage->core = core_new(&stage->options, &ports, stage->now_ms);
    add_small_games(stage);
    if (!stage->only_small_games)
        add_chess(stage);
    core_start(stage->core);
    stage_work(stage);
}

static void init(struct stage *stage, bool only_small_games)
{
    *stage =
        (struct stage){.now_ms = 1790000000000, .random = 1, .only_small_games = only_small_games};
    stage->asked_end = &stage->asked;
    stage->jobs_end = &stage->jobs;
    core_options_default(&stage->options);
    memory_store_init(&stage->store);
    if (getenv("SENET_TRAFFIC"))
        stage->traffic = fopen(getenv("SENET_TRAFFIC"), "a");
    stage_start(stage);
    assert_true(core_ready(stage->core));
}

void stage_init(struct stage *stage)
{
    init(stage, false);
}

void stage_init_small(struct stage *stage)
{
    init(stage, true);
}

void stage_forget(struct stage *stage, const char *name)
{
    struct stage_peer *peer = stage_peer(stage, name);
    while (peer->first) {
        struct heard *heard = peer->first;
        peer->first = heard->next;
        free(heard->text);
        free(heard);
    }
    peer->end = &peer->first;
}

void stage_crash(struct stage *stage)
{
    core_free(stage->core);
    stage->core = NULL;
    for (int i = 0; i < stage->peer_count; i++)
        stage_forget(stage, stage->peers[i].name);
    stage->peer_count = 0;
    while (stage->asked) {
        struct stage_request *asked = stage->asked;
        stage->asked = asked->next;
        store_request_free(asked->request);
        free(asked);
    }
    while (stage->jobs) {
        struct stage_job *waiting = stage->jobs;
        stage->jobs = waiting->next;
        free(waiting);
    }
    stage->asked_end = &stage->asked;
    stage->jobs_end = &stage->jobs;
}

void stage_release(struct stage *stage)
{
    stage_crash(stage);
    memory_store_release(&stage->store);
    free(stage->published.json);
    free(stage->pictured.bytes);
    free(stage->transfer.text);
    if (stage->traffic)
        fclose(stage->traffic);
}

int stage_set_small(void **state)
{
    static struct stage stage;
    stage_init_small(&stage);
    *state = &stage;
    return 0;
}

int stage_clear(void **state)
{
    stage_release(*state);
    return 0;
}

static void answer_first(struct stage *stage)
{
    struct stage_request *asked = stage->asked;
    struct store_answer answer;
    stage->asked = asked->next;
    if (!stage->asked)
        stage->asked_end = &stage->asked;
    bool marked = asked->request->ask == STORE_APPEND || stage->fail_all;
    if (stage->conflicts > 0 && asked->request->ask == STORE_APPEND) {
        stage->conflicts--;
        answer = (struct store_answer){
            .ticket = asked->request->ticket, .ask = STORE_APPEND, .status = STORE_CONFLICT};
    } else if (marked && stage->next_status != STORE_OK) {
        answer = (struct store_answer){.ticket = asked->request->ticket,
                                       .ask = asked->request->ask,
                                       .status = stage->next_status,
                                       .words = "on purpose"};
        if (!stage->fail_all)
            stage->next_status = STORE_OK;
    } else {
        memory_store_perform(&stage->store, asked->request, &answer);
        if (stage->in_the_dark && asked->request->ask == STORE_APPEND)
            answer.status = STORE_UNKNOWN;
    }
    store_request_free(asked->request);
    free(asked);
    core_store_answered(stage->core, &answer);
}

struct job *stage_take_job(struct stage *stage)
{
    struct stage_job *waiting = stage->jobs;
    struct job *job = waiting->job;
    stage->jobs = waiting->next;
    if (!stage->jobs)
        stage->jobs_end = &stage->jobs;
    free(waiting);
    return job;
}

void stage_work_once(struct stage *stage)
{
    struct job *job = stage_take_job(stage);
    job->run(job);
    core_worked(stage->core, job);
}

void stage_work(struct stage *stage)
{
    while ((stage->jobs && !stage->jobs_hold) || (stage->asked && !stage->store_holds)) {
        if (stage->jobs && !stage->jobs_hold)
            stage_work_once(stage);
        else
            answer_first(stage);
    }
}

struct stage_peer *stage_peer(struct stage *stage, const char *name)
{
    for (int i = stage->peer_count - 1; i >= 0; i--)
        if (strcmp(stage->peers[i].name, name) == 0)
            return &stage->peers[i];
    fail_msg("there is nobody called %s", name);
    return NULL;
}

void stage_open(struct stage *stage, const char *name, bool local)
{
    assert_true(stage->peer_count < STAGE_PEERS_MAX);
    struct stage_peer *peer = &stage->peers[stage->peer_count++];
    *peer = (struct stage_peer){.peer = ++stage->last_peer, .open = true};
    snprintf(peer->name, sizeof peer->name, "%s", name);
    peer->end = &peer->first;
    core_peer_opened(stage->core, peer->peer, local, &stage->address);
}

void stage_say(struct stage *stage, const char *name, const char *json)
{
    core_peer_said(stage->core, stage_peer(stage, name)->peer, json, strlen(json));
    stage_work(stage);
}

json_t *stage_last(struct stage *stage, const char *name, const char *type)
{
    json_t *last = NULL;
    for (struct heard *heard = stage_peer(stage, name)->first; heard; heard = heard->next) {
        json_t *json = json_loads(heard->text, 0, NULL);
        assert_non_null(json);
        if (strcmp(json_string_value(json_object_get(json, "type")), type) == 0) {
            json_decref(last);
            last = json_incref(json);
        }
        json_decref(json);
    }
    return last;
}

void stage_go_on(struct stage *stage, const char *name)
{
    json_t *event = stage_last(stage, name, "event");
    const char *room = json_string_value(json_object_get(event, "next_room"));
    assert_non_null(room);
    snprintf(stage->room, sizeof stage->room, "%s", room);
    json_decref(event);
}

/* --- what was heard, in short ------------------------------------------------------------------------- */

static const char *text_at(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text ? text : "";
}

static long long integer_at(const json_t *json, const char *key)
{
    return json_integer_value(json_object_get(json, key));
}

static void remember(struct stage *stage, struct stage_peer *peer, const json_t *json)
{
    if (strcmp(text_at(json, "type"), "ack") == 0 && text_at(json, "room")[0])
        snprintf(stage->room, sizeof stage->room, "%s", text_at(json, "room"));
    if (text_at(json, "key")[0]) {
        memcpy(stage->old_key, stage->key, sizeof stage->key);
        snprintf(stage->key, sizeof stage->key, "%s", text_at(json, "key"));
    }
    if (strcmp(text_at(json, "type"), "presence") != 0)
        return;
    size_t index, length;
    json_t *seat;
    snprintf(peer->presence, sizeof peer->presence, "%lld", integer_at(json, "spectators"));
    json_array_foreach(json_object_get(json, "connected"), index, seat)
    {
        length = strlen(peer->presence);
        snprintf(peer->presence + length, sizeof peer->presence - length, " %s",
                 json_string_value(seat));
    }
    const char *absent;
    json_object_foreach(json_object_get(json, "absent"), absent, seat)
    {
        length = strlen(peer->presence);
        snprintf(peer->presence + length, sizeof peer->presence - length,
                 "; %s away %" JSON_INTEGER_FORMAT, absent, json_integer_value(seat));
    }
}

static void summarize_games(const json_t *json, char *line, size_t size)
{
    if (json_object_get(json, "games"))
        snprintf(line, size, "games %zu", json_array_size(json_object_get(json, "games")));
    else if (json_object_get(json, "game"))
        snprintf(line, size, "game %s", text_at(json_object_get(json, "game"), "id"));
    else
        snprintf(line, size, "%s %zu",
                 json_is_true(json_object_get(json, "valid")) ? "valid" : "invalid",
                 json_array_size(json_object_get(json, "diagnostics")));
}

static void summarize_lobby(const json_t *json, char *line, size_t size)
{
    size_t seeks = json_array_size(json_object_get(json, "seeks"));
    int length =
        snprintf(line, size, "lobby %zu %zu", json_array_size(json_object_get(json, "rooms")),
                 json_array_size(json_object_get(json, "mine")));
    if (seeks > 0)
        snprintf(line + length, size - (size_t)length, " seeks %zu", seeks);
}

/* "" for what is left out. */
static void summarize(const json_t *json, char *line, size_t size)
{
    const char *type = text_at(json, "type");
    const char *moves = json_object_get(json, "legal_moves") ? " moves" : "";
    line[0] = '\0';
    if (strcmp(type, "ack") == 0)
        snprintf(line, size, "ack %lld%s%s", integer_at(json, "version"),
                 text_at(json, "mode")[0] ? " " : "", text_at(json, "mode"));
    else if (strcmp(type, "error") == 0)
        snprintf(line, size, "%s", text_at(json, "code"));
    else if (strcmp(type, "event") == 0)
        snprintf(line, size, "%s %lld%s", text_at(json, "kind"), integer_at(json, "version"),
                 moves);
    else if (strcmp(type, "snapshot") == 0)
        snprintf(line, size, "snapshot %lld %s%s%s", integer_at(json, "version"),
                 text_at(json, "seat"), moves, json_object_get(json, "layout") ? "" : " bare");
    else if (strcmp(type, "legal_moves") == 0)
        snprintf(line, size, "legal_moves %zu", json_array_size(json_object_get(json, "moves")));
    else if (strcmp(type, "history") == 0 && json_object_get(json, "state"))
        snprintf(line, size, "ply %lld %lld", integer_at(json, "ply"), integer_at(json, "version"));
    else if (strcmp(type, "history") == 0 && json_object_get(json, "moves"))
        snprintf(line, size, "plies %lld %zu %lld", integer_at(json, "from"),
                 json_array_size(json_object_get(json, "moves")), integer_at(json, "plies"));
    else if (strcmp(type, "history") == 0)
        snprintf(line, size, "history %lld %lld %zu", integer_at(json, "from"),
                 integer_at(json, "to"), json_array_size(json_object_get(json, "events")));
    else if (strcmp(type, "seat_key") == 0)
        snprintf(line, size, "seat_key %lld%s", integer_at(json, "version"),
                 strlen(text_at(json, "key")) == SEAT_KEY_BYTES ? " key" : "");
    else if (strcmp(type, "lobby") == 0)
        summarize_lobby(json, line, size);
    else if (strcmp(type, "closed") == 0)
        snprintf(line, size, "closed %lld", integer_at(json, "code"));
    else if (strcmp(type, "games") == 0)
        summarize_games(json, line, size);
    else if (strcmp(type, "hello") != 0 && strcmp(type, "presence") != 0)
        snprintf(line, size, "%s", type);
}

/* Everything heard, joined by "; ", and forgotten. */
static void take_heard(struct stage *stage, const char *name, char *all, size_t size)
{
    struct stage_peer *peer = stage_peer(stage, name);
    all[0] = '\0';
    for (struct heard *heard = peer->first; heard; heard = heard->next) {
        char line[128];
        json_t *json = json_loads(heard->text, 0, NULL);
        if (!json)
            fail_msg("this is not JSON: %s", heard->text);
        remember(stage, peer, json);
        summarize(json, line, sizeof line);
        size_t length = strlen(all);
        if (line[0])
            snprintf(all + length, size - length, "%s%s", length ? "; " : "", line);
        json_decref(json);
    }
    stage_forget(stage, name);
}

/* --- commands in words --------------------------------------------------------------------------------- */

struct words {
    char text[256];
    const char *word[16];
    int count;
};

static void split(const char *text, struct words *words)
{
    words->count = 0;
    snprintf(words->text, sizeof words->text, "%s", text);
    for (char *word = strtok(words->text, " "); word && words->count < 16; word = strtok(NULL, " "))
        words->word[words->count++] = word;
}

static void token_of(const char *name, char token[44])
{
    size_t length = strcspn(name, "0123456789");
    memset(token, 'A', 43);
    token[43] = '\0';
    memcpy(token, name, length);
}

static const char *word_at(const struct words *words, int index)
{
    return index < words->count ? words->word[index] : "";
}

static void make_join(const struct words *words, const char *room, const char *key, char *json,
                      size_t size)
{
    char name[64] = "";
    int named = key ? 1 : 2;
    if (words->count > named)
        snprintf(name, sizeof name, ",\"name\":\"%s\"", words->word[named]);
    snprintf(json, size, "\"type\":\"join\",\"room\":\"%s\",\"%s\":\"%s\"%s", room,
             key ? "key" : "seat", key ? key : word_at(words, 1), name);
}

static void make_move(const struct words *words, const char *room, char *json, size_t size)
{
    char version[48] = "", choice[80] = "";
    const char *to = word_at(words, 2);
    int length = (int)strcspn(to, "=");
    if (words->count > 3)
        snprintf(version, sizeof version, ",\"version\":%s", words->word[3]);
    if (to[length] == '=')
        snprintf(choice, sizeof choice, ",\"choice\":\"%s\"", to + length + 1);
    snprintf(json, size,
             "\"type\":\"move\",\"room\":\"%s\",\"move\":{\"from\":\"%s\",\"to\":\"%.*s\"%s}%s",
             room, word_at(words, 1), length, to, choice, version);
}

/* By a player's name, for whom the id stands. */
static void make_mute(const struct words *words, const char *room, char *json, size_t size)
{
    struct identity identity;
    char token[44];
    token_of(words->word[1], token);
    assert_true(identity_of_token(token, strlen(token), &identity));
    snprintf(json, size, "\"type\":\"action\",\"room\":\"%s\",\"kind\":\"%s\",\"player\":\"%s\"",
             room, words->word[0], identity.player);
}

/* A rematch perhaps with another clock. */
static void make_action(const struct words *words, const char *room, char *json, size_t size)
{
    char clock[128] = "";
    if (words->count > 1)
        snprintf(clock, sizeof clock, ",\"clock\":%s", words->word[1]);
    snprintf(json, size, "\"type\":\"action\",\"room\":\"%s\",\"kind\":\"%s\"%s", room,
             words->word[0], clock);
}

static bool make_room_command(const struct words *words, const char *room, char *json, size_t size)
{
    const char *verb = words->word[0];
    if (strcmp(verb, "join") == 0)
        make_join(words, room, NULL, json, size);
    else if (strcmp(verb, "move") == 0)
        make_move(words, room, json, size);
    else if (strcmp(verb, "pass") == 0)
        snprintf(json, size, "\"type\":\"move\",\"room\":\"%s\",\"move\":{\"pass\":true}", room);
    else if (strcmp(verb, "explain") == 0)
        snprintf(json, size,
                 "\"type\":\"legal_moves\",\"room\":\"%s\",\"explain\":true,\"cell\":\"%s\",\"to\":"
                 "\"%s\"",
                 room, word_at(words, 1), word_at(words, 2));
    else if (strcmp(verb, "resume") == 0)
        snprintf(json, size, "\"type\":\"resume\",\"room\":\"%s\",\"version\":%s", room,
                 word_at(words, 1));
    else if (strcmp(verb, "chat") == 0)
        snprintf(json, size, "\"type\":\"chat\",\"room\":\"%s\",\"text\":\"%s\"", room,
                 word_at(words, 1));
    else if (strcmp(verb, "history") == 0)
        snprintf(json, size, "\"type\":\"history\",\"room\":\"%s\",\"from\":%s,\"to\":%s", room,
                 word_at(words, 1), word_at(words, 2));
    else if (strcmp(verb, "hint") == 0 && words->count > 1)
        snprintf(json, size, "\"type\":\"hint\",\"room\":\"%s\",\"ply\":%s,\"lines\":2", room,
                 word_at(words, 1));
    else if (strcmp(verb, "ply") == 0)
        snprintf(json, size, "\"type\":\"history\",\"room\":\"%s\",\"ply\":%s", room,
                 word_at(words, 1));
    else if (strcmp(verb, "plies") == 0)
        snprintf(json, size, "\"type\":\"history\",\"room\":\"%s\",\"moves\":true,\"from\":%s",
                 room, word_at(words, 1));
    else if (strcmp(verb, "fork") == 0)
        snprintf(json, size, "\"type\":\"create\",\"fork\":{\"room\":\"%s\",\"ply\":%s}", room,
                 word_at(words, 1));
    else if (strcmp(verb, "leave") == 0 || strcmp(verb, "sync") == 0 ||
             strcmp(verb, "seat_key") == 0 || strcmp(verb, "legal_moves") == 0 ||
             strcmp(verb, "hint") == 0)
        snprintf(json, size, "\"type\":\"%s\",\"room\":\"%s\"", verb, room);
    else if (strcmp(verb, "bot.invite") == 0 && words->count > 2)
        snprintf(json, size,
                 "\"type\":\"action\",\"kind\":\"bot.invite\",\"room\":\"%s\",\"seat\":\"%s\","
                 "\"level\":%s",
                 room, words->word[1], words->word[2]);
    else if (strcmp(verb, "bot.invite") == 0 && words->count > 1)
        snprintf(json, size,
                 "\"type\":\"action\",\"kind\":\"bot.invite\",\"room\":\"%s\",\"seat\":\"%s\"",
                 room, words->word[1]);
    else if (strcmp(verb, "claim.timeout") == 0)
        snprintf(json, size,
                 "\"type\":\"action\",\"kind\":\"claim.timeout\",\"room\":\"%s\",\"as\":\"%s\"",
                 room, word_at(words, 1));
    else if (strncmp(verb, "chat.", 5) == 0 && words->count > 1)
        make_mute(words, room, json, size);
    else if (strchr(verb, '.') || strcmp(verb, "resign") == 0 || strcmp(verb, "abort") == 0)
        make_action(words, room, json, size);
    else
        return false;
    return true;
}

static void make_command(const struct stage *stage, const char *name, const struct words *words,
                         const char *room, char *json, size_t size)
{
    const char *verb = words->word[0];
    char token[44];
    token_of(name, token);
    if (strcmp(verb, "auth") == 0)
        snprintf(json, size, "\"type\":\"auth\",\"token\":\"%s\"", token);
    else if (strcmp(verb, "create") == 0 && words->count > 2)
        snprintf(json, size, "\"type\":\"create\",\"game\":\"%s\",\"players\":%s", words->word[1],
                 words->word[2]);
    else if (strcmp(verb, "create") == 0)
        snprintf(json, size, "\"type\":\"create\",\"game\":\"%s\"", word_at(words, 1));
    else if (strcmp(verb, "create.private") == 0)
        snprintf(json, size, "\"type\":\"create\",\"game\":\"%s\",\"visibility\":\"private\"",
                 word_at(words, 1));
    else if (strcmp(verb, "define") == 0)
        snprintf(json, size, "\"type\":\"create\",\"definition\":%s", game_of_two);
    else if (strcmp(verb, "games") == 0)
        snprintf(json, size, "\"type\":\"games\",\"op\":\"%s\",\"game\":\"%s\"", word_at(words, 1),
                 word_at(words, 2));
    else if (strcmp(verb, "validate") == 0)
        snprintf(json, size, "\"type\":\"games\",\"op\":\"validate\",\"definition\":%s",
                 words->count > 1 ? "{\"name\":\"x\"}" : game_of_two);
    else if (strncmp(verb, "lobby.", 6) == 0 || strcmp(verb, "ping") == 0)
        snprintf(json, size, "\"type\":\"%s\"", verb);
    else if (strcmp(verb, "take") == 0)
        make_join(words, room, stage->key, json, size);
    else if (strcmp(verb, "take.old") == 0)
        make_join(words, room, stage->old_key, json, size);
    else if (!make_room_command(words, room, json, size))
        fail_msg("what does \"%s\" mean?", verb);
}

static void say_words(struct stage *stage, const char *name, const char *text)
{
    char inside[8192], json[8300], id[33];
    struct words words;
    if (text[0] == '{') {
        const char *room = strstr(text, "$R");
        snprintf(json, sizeof json, "%.*s%s%s", room ? (int)(room - text) : (int)strlen(text), text,
                 room ? stage->room : "", room ? room + 2 : "");
        stage_say(stage, name, json);
        return;
    }
    snprintf(id, sizeof id, "c%d", ++stage->id_count);
    if (text[0] == '#') {
        size_t length = strcspn(text, " ");
        snprintf(id, sizeof id, "%.*s", (int)length - 1, text + 1);
        text += length + 1;
    }
    split(text, &words);
    assert_true(words.count > 0);
    make_command(stage, name, &words, stage->room, inside, sizeof inside);
    snprintf(json, sizeof json, "{\"id\":\"%s\",%s}", id, inside);
    stage_say(stage, name, json);
}

/* --- the house's directions ------------------------------------------------------------------------------- */

static void leap(struct stage *stage, uint64_t passed_ms)
{
    stage->now_ms += passed_ms;
    stage->store.now_ms += (int64_t)passed_ms;
    core_time(stage->core, stage->now_ms);
    assert_true(core_deadline_ms(stage->core) > stage->now_ms); /* all that was due is done */
    stage_work(stage);
}

/* A loop that turns wakes whenever the core wants it to; of one that is stopped the core is told once, afterwards. */
static void pass_time(struct stage *stage, uint64_t passed_ms)
{
    uint64_t until_ms = stage->now_ms + passed_ms;
    do {
        uint64_t wake_ms = core_deadline_ms(stage->core);
        if (wake_ms <= stage->now_ms)
            wake_ms = stage->now_ms + 1;
        leap(stage, (wake_ms < until_ms ? wake_ms : until_ms) - stage->now_ms);
    } while (stage->now_ms < until_ms);
}

static void direct_store(struct stage *stage, const char *text)
{
    if (strcmp(text, "holds") == 0)
        stage->store_holds = true;
    else if (strcmp(text, "answers") == 0)
        stage->store_holds = false;
    else if (strcmp(text, "fails") == 0)
        stage->next_status = STORE_FAILED;
    else if (strcmp(text, "is broken") == 0)
        stage->fail_all = true, stage->next_status = STORE_FAILED;
    else if (strcmp(text, "is whole") == 0)
        stage->fail_all = false, stage->next_status = STORE_OK;
    else if (strncmp(text, "conflicts", strlen("conflicts")) == 0)
        stage->conflicts = text[strlen("conflicts")] ? atoi(text + strlen("conflicts")) : 1;
    else if (strcmp(text, "loses answers") == 0)
        stage->in_the_dark = true;
    else if (strcmp(text, "keeps answers") == 0)
        stage->in_the_dark = false;
    else if (strcmp(text, "is full") == 0)
        stage->store_full = true;
    else if (strcmp(text, "is empty") == 0)
        stage->store_full = false;
    else
        fail_msg("what does \"store: %s\" mean?", text);
    stage_work(stage);
}

static void direct_peer(struct stage *stage, const char *name, const char *text)
{
    if (strcmp(text, "connects") == 0) {
        stage_open(stage, name, false);
        return;
    }
    struct stage_peer *peer = stage_peer(stage, name);
    if (strcmp(text, "goes") == 0) {
        core_peer_gone(stage->core, peer->peer);
        stage_forget(stage, name);
        peer->open = false;
        peer->name[0] = '\0';
    } else if (strcmp(text, "is slow") == 0) {
        peer->full = true;
    } else if (strcmp(text, "drains") == 0) {
        peer->full = false;
        core_peer_drained(stage->core, peer->peer);
    } else {
        say_words(stage, name, text);
    }
    stage_work(stage);
}

static bool direct(struct stage *stage, const char *who, const char *text)
{
    if (strcmp(who, "store") == 0)
        direct_store(stage, text);
    else if (strcmp(who, "time") == 0)
        pass_time(stage, strtoull(text, NULL, 10));
    else if (strcmp(who, "leap") == 0)
        leap(stage, strtoull(text, NULL, 10));
    else if (strcmp(who, "crash") == 0) {
        stage_crash(stage);
        stage_start(stage);
    } else if (strcmp(who, "stop") == 0)
        core_stop(stage->core);
    else
        return false;
    return true;
}

static char *trimmed(char *text)
{
    while (*text == ' ')
        text++;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    return text;
}

/* Who is there is counted as people come and go: it is what looking at all of them finds, whatever was said. */
static void check_who_is_there(const struct stage *stage)
{
    size_t cursor = 0;
    for (const struct room *room; (room = map_next(&stage->core->rooms, &cursor));) {
        int spectators = 0, players = 0, connections[STATE_SEATS_MAX] = {0};
        for (int i = 0; i < room->attached_count; i++) {
            const struct attachment *attachment = room->attached[i];
            if (attachment->session->stage == SESSION_CLOSED)
                continue;
            spectators += attachment->seats == 0;
            players += attachment->seats != 0 && !attachment->session->local;
            for (int seat = 0; seat < STATE_SEATS_MAX; seat++)
                connections[seat] += (attachment->seats & UINT32_C(1) << seat) != 0;
        }
        assert_int_equal(room->spectators, spectators);
        assert_int_equal(room->players, players);
        assert_memory_equal(room->connections, connections, sizeof connections);
    }
}

static void play_line(struct stage *stage, char *line)
{
    char whole[512], heard[1024];
    snprintf(whole, sizeof whole, "%s", line);
    char *expected = strstr(line, "->");
    if (expected) {
        *expected = '\0';
        expected = trimmed(expected + 2);
    }
    char *colon = strchr(line, ':');
    if (!colon)
        fail_msg("no colon in \"%s\"", whole);
    *colon = '\0';
    char *who = trimmed(line), *text = trimmed(colon + 1);
    char *verb = strchr(who, ' ');
    if (verb)
        *verb++ = '\0';
    if (verb && strcmp(verb, "sees") == 0) {
        take_heard(stage, who, heard, sizeof heard);
        snprintf(heard, sizeof heard, "%s", stage_peer(stage, who)->presence);
        expected = text;
    } else if (verb && strcmp(verb, "hears") == 0) {
        take_heard(stage, who, heard, sizeof heard);
        expected = text;
    } else if (direct(stage, who, text)) {
        return;
    } else {
        direct_peer(stage, who, text);
        if (strcmp(text, "goes") == 0)
            return;
        struct stage_peer *peer = stage_peer(stage, who);
        for (struct heard *frame = peer->first; frame && !expected; frame = frame->next) {
            json_t *json = json_loads(frame->text, 0, NULL);
            remember(stage, peer, json);
            json_decref(json);
        }
        if (!expected)
            return;
        take_heard(stage, who, heard, sizeof heard);
    }
    if (strcmp(heard, expected) != 0)
        fail_msg("%s\n   heard: %s", whole, heard);
}

void stage_play(struct stage *stage, const char *script)
{
    char *copy = strdup(script);
    for (char *line = copy, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        line = trimmed(line);
        if (!line[0])
            continue;
        play_line(stage, line);
        check_who_is_there(stage);
    }
    free(copy);
}
