/* Whatever a peer is sent fits into its outbox: snapshots of long games, long lists, slow readers. */
#include "engine/load/load.h"
#include "engine/movegen.h"
#include "protocol/event.h"
#include "server/core/identity.h"
#include "server/net/outbox.h"
#include "tests/server/core/stage.h"
#include "tests/support/games.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { CHAT_LINES = 60, SPARE_MAX = 64 };

/* --- outboxes as peers have them -------------------------------------------------------------- */

struct outboxes {
    struct {
        peer_id peer;
        struct outbox outbox;
        bool full; /* it has refused a frame, and has to say when it is empty */
    } list[SPARE_MAX];
    int count, snapshots;
    size_t largest, bytes;
};

static int index_of(struct outboxes *outboxes, peer_id peer)
{
    for (int i = 0; i < outboxes->count; i++)
        if (outboxes->list[i].peer == peer)
            return i;
    assert_true(outboxes->count < SPARE_MAX);
    outboxes->list[outboxes->count].peer = peer;
    outbox_init(&outboxes->list[outboxes->count].outbox);
    return outboxes->count++;
}

static bool takes(void *context, const struct stage_peer *peer, struct frame *frame)
{
    struct outboxes *outboxes = context;
    int index = index_of(outboxes, peer->peer);
    size_t length = frame->payload_length;
    if (!outbox_put(&outboxes->list[index].outbox, frame)) {
        outboxes->list[index].full = true;
        return false;
    }
    outboxes->largest = length > outboxes->largest ? length : outboxes->largest;
    outboxes->bytes += length;
    outboxes->snapshots += strncmp(frame_payload(frame), "{\"type\":\"snapshot\"", 18) == 0;
    return true;
}

/* The peer reads all there is for it. */
static void read_all(struct stage *stage, struct outboxes *outboxes, const char *name)
{
    static unsigned char bytes[64 * 1024];
    int index = index_of(outboxes, stage_peer(stage, name)->peer);
    struct outbox *outbox = &outboxes->list[index].outbox;
    while (outbox_take(outbox, bytes, sizeof bytes) > 0)
        continue;
    if (!outboxes->list[index].full)
        return;
    outboxes->list[index].full = false;
    core_peer_drained(stage->core, outboxes->list[index].peer);
}

static void release(struct outboxes *outboxes)
{
    for (int i = 0; i < outboxes->count; i++)
        outbox_release(&outboxes->list[i].outbox);
    *outboxes = (struct outboxes){.count = 0};
}

/* --- long games ------------------------------------------------------------------------------- */

static struct game *load(const char *text, size_t length)
{
    struct diagnostics diagnostics;
    const struct load_options options = {.player_count = 0};
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, length, &options, &diagnostics);
    if (!game)
        fail_msg("%s: %s", diagnostics.list[0].pointer, diagnostics.list[0].message);
    diagnostics_release(&diagnostics);
    return game;
}

static void append(struct stage *stage, const struct event *event, enum store_room_status status)
{
    const struct kept_room *room = memory_store_room(&stage->store, stage->room);
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    struct store_answer answer;
    struct writer writer;
    char command[COMMAND_ID_BYTES_MAX];
    snprintf(command, sizeof command, "long-%lld", (long long)room->version);
    writer_init(&writer);
    event_write(event, &writer);
    request.writes[0] = (struct store_write){.room = {.id = room->id, .status = status},
                                             .expected_version = room->version,
                                             .epoch = room->epoch,
                                             .event = {.version = room->version + 1,
                                                       .at_ms = (int64_t)stage->now_ms,
                                                       .kind = event_kind_word(event->kind),
                                                       .client = room->seats[0].player,
                                                       .command = command,
                                                       .body = writer_text(&writer)}};
    memory_store_perform(&stage->store, &request, &answer);
    assert_int_equal(answer.status, STORE_OK);
    writer_release(&writer);
}

/* A move that does not end the game, if there is one. */
static struct move pick(struct position *position, struct undo *undo, uint64_t *seed,
                        struct move *moves, enum outcome_kind *after)
{
    int count = movegen_all(position, moves);
    uint64_t first = test_random(seed);
    for (int i = 0; i < count; i++) {
        struct move move = moves[(first + (uint64_t)i) % (uint64_t)count];
        position_make(position, move, undo);
        *after = position_outcome(position).kind;
        if (*after == OUTCOME_PLAYING || i == count - 1)
            return move;
        position_unmake(position, undo);
    }
    fail_msg("a game that goes on has no moves");
    return moves[0];
}

/* Plays by chance into the store until the rules end it, at last by their bound (`is_bound`); how many plies that was. */
static int play_long(struct stage *stage, const struct game *game, bool *is_bound)
{
    static const char bound[] = "no winner after ";
    struct position *position = position_new(game);
    struct undo *undo = undo_new(game);
    struct move *moves = calloc((size_t)game_facts(game)->moves_max + 1, sizeof *moves);
    enum outcome_kind outcome = OUTCOME_PLAYING;
    uint64_t seed = 7;
    int plies = 0;
    while (outcome == OUTCOME_PLAYING && plies < PLIES_MAX) {
        player_index mover = position_to_move(position);
        struct move move = pick(position, undo, &seed, moves, &outcome);
        struct event event = {.kind = EVENT_MOVED,
                              .seat_count = 1,
                              .seats = {text_of(game_facts(game)->player_names[mover])},
                              .pass = move_is_pass(move),
                              .swap = move_is_swap(move)};
        if (move_has_cells(move)) {
            if (!move_is_placement(move))
                event.from = text_of(game_facts(game)->cells[move.from].name);
            event.to = text_of(game_facts(game)->cells[move.to].name);
        }
        if (move_has_cells(move) && move.choice != CHOICE_NONE)
            event.choice = text_of(game_facts(game)->figure_names[move.choice]);
        append(stage, &event, outcome == OUTCOME_PLAYING ? STORE_PLAYING : STORE_FINISHED);
        plies++;
    }
    *is_bound = strncmp(position_outcome(position).reason, bound, strlen(bound)) == 0;
    free(moves);
    undo_free(undo);
    position_free(position);
    return plies;
}

static void talk(struct stage *stage)
{
    const struct kept_room *room = memory_store_room(&stage->store, stage->room);
    char text[CHAT_BYTES_MAX + 1];
    memset(text, '"', CHAT_BYTES_MAX);
    text[CHAT_BYTES_MAX] = '\0';
    for (int i = 0; i < CHAT_LINES; i++)
        append(stage,
               &(struct event){.kind = EVENT_CHATTED,
                               .player = text_of(room->seats[0].player),
                               .name = text_of("Ada"),
                               .text = text_of(text)},
               room->status);
}

static long long integer_at(const json_t *json, const char *key)
{
    return (long long)json_integer_value(json_object_get(json, key));
}

static void assert_enters(struct stage *stage, struct outboxes *outboxes, const char *name,
                          const char *seat, int plies)
{
    char line[64];
    snprintf(line, sizeof line, "%s: join %s", name, seat);
    stage_play(stage, line);
    read_all(stage, outboxes, name);
    assert_int_equal(stage_peer(stage, name)->close_code, 0);
    json_t *snapshot = stage_last(stage, name, "snapshot");
    json_t *presence = stage_last(stage, name, "presence");
    assert_non_null(snapshot);
    assert_non_null(presence);
    size_t moves = json_array_size(json_object_get(snapshot, "moves"));
    size_t lines = json_array_size(json_object_get(snapshot, "chat"));
    assert_int_equal(integer_at(snapshot, "plies"), plies);
    assert_int_equal(integer_at(snapshot, "chat_count"), CHAT_LINES);
    assert_true(moves > 0 && moves <= (size_t)plies && moves <= HISTORY_MOVES_MAX);
    assert_true(lines > 10 && lines < CHAT_LINES);
    json_decref(snapshot);
    json_decref(presence);
    stage_forget(stage, name);
    snprintf(line, sizeof line, "%s: leave", name);
    stage_play(stage, line);
    read_all(stage, outboxes, name);
    stage_forget(stage, name);
}

/* Whether the game came to its bound. */
static bool enter_and_leave(const char *path, const char *name)
{
    bool is_bound;
    struct stage stage;
    struct outboxes outboxes = {.count = 0};
    size_t length;
    char *text = test_read_game(path, &length);
    struct game *game = load(text, length);
    stage_init_small(&stage);
    assert_true(core_add_game(stage.core, "long", game, text, length));
    stage_play(&stage,
               "ada: connects\nada: auth -> welcome\nada: create long -> ack 1\nada: join all");
    stage_crash(&stage);
    int plies = play_long(&stage, game, &is_bound);
    talk(&stage);
    stage_start(&stage);
    stage.takes = takes;
    stage.takes_context = &outboxes;
    assert_true(core_add_game(stage.core, "long", game, text, length));
    stage_play(&stage, "ada: connects\nada: auth\neve: connects\neve: auth\n");
    for (int i = 0; i < 2; i++) {
        assert_enters(&stage, &outboxes, "ada", "all", plies);
        assert_enters(&stage, &outboxes, "eve", "spectator", plies);
    }
    print_message("%s: %d plies%s, the largest frame %zu bytes\n", name, plies,
                  is_bound ? ", its bound" : "", outboxes.largest);
    assert_true(outboxes.largest <= FRAME_BYTES_MAX);
    release(&outboxes);
    stage.takes = NULL;
    stage_release(&stage);
    game_release(game);
    free(text);
    return is_bound;
}

static void a_long_game_of_every_game_here_can_be_left_and_entered(void **state)
{
    (void)state;
    DIR *folder = opendir(SENET_SOURCE_DIR "/games");
    int games = 0, at_bound = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[512];
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".json") != 0)
            continue;
        snprintf(path, sizeof path, "%s/games/%s", SENET_SOURCE_DIR, entry->d_name);
        at_bound += enter_and_leave(path, entry->d_name);
        games++;
    }
    closedir(folder);
    assert_true(games > 15);
    assert_true(at_bound > 5); /* the others end by themselves before */
}

/* --- slow readers ----------------------------------------------------------------------------- */

#define TWO_SIT                                                                                    \
    "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\nada: join red\n"               \
    "bob: connects\nbob: auth -> welcome\nbob: join green\n"                                       \
    "eve: connects\neve: auth -> welcome\neve: join spectator\n"

static bool takes_no_presence(void *context, const struct stage_peer *peer, struct frame *frame)
{
    (void)peer;
    return !*(const bool *)context || frame->replace_key == 0;
}

/* Whose outbox is full when presence comes is neither behind nor closed, and is told later. */
static void nobody_lags_for_presence(void **state)
{
    struct stage stage;
    bool full = true;
    (void)state;
    stage_init_small(&stage);
    stage_play(&stage, TWO_SIT "time: 200\nbob sees: 1 red green\nada sees: 1 red green\n");
    stage.takes = takes_no_presence;
    stage.takes_context = &full;
    stage_play(&stage, "eve: leave\ntime: 200\nada: resume 3 -> ack 3 events\n"
                       "bob sees: 1 red green\n"
                       "ada: move 0_0 0_1 -> ack 4; moved 4\nbob hears: moved 4 moves\n");
    full = false;
    for (int i = 0; i < 2; i++)
        core_peer_drained(stage.core, stage_peer(&stage, i == 0 ? "ada" : "bob")->peer);
    stage_play(&stage, "bob sees: 0 red green\nada sees: 0 red green\n");
    stage_release(&stage);
}

static bool counts_presence_of_ada(void *context, const struct stage_peer *peer,
                                   struct frame *frame)
{
    int *count = context;
    *count += strcmp(peer->name, "ada") == 0 && frame->replace_key != 0;
    return true;
}

static int count_presence(struct stage *stage, int changes)
{
    int count = 0;
    stage->takes = counts_presence_of_ada;
    stage->takes_context = &count;
    for (int i = 0; i < changes; i++)
        stage_play(stage,
                   i % 2 == 0 ? "eve: leave\ntime: 110\n" : "eve: join spectator\ntime: 110\n");
    stage->takes = NULL;
    return count;
}

/* Each who is told costs a write. */
static void who_is_there_is_said_less_often_where_very_many_are(void **state)
{
    enum { CROWD = 300, CHANGES = 30 };
    struct stage stage;
    (void)state;
    stage_init_small(&stage);
    stage_play(&stage, TWO_SIT "time: 200\n");
    assert_int_equal(count_presence(&stage, CHANGES), CHANGES);
    for (int i = 0; i < CROWD; i++) {
        char script[128], name[16];
        snprintf(name, sizeof name, "c%d", i);
        snprintf(script, sizeof script, "%s: connects\n%s: auth\n%s: join spectator\n", name, name,
                 name);
        stage_play(&stage, script);
        stage_forget(&stage, name);
    }
    stage_play(&stage, "time: 1000\nada sees: 301 red green\n");
    assert_in_range(count_presence(&stage, CHANGES), 5, CHANGES * 110 / CROWD + 1);
    stage_play(&stage, "eve: leave\ntime: 1000\nada sees: 300 red green\n");
    stage_release(&stage);
}

/* Reads all there is, and again its outbox is full when the next event comes. */
static void who_lags_again_and_again_gets_a_snapshot_now_and_then(void **state)
{
    struct stage stage;
    int snapshots = 0;
    (void)state;
    stage_init_small(&stage);
    stage_play(&stage, TWO_SIT);
    for (int i = 0; i < 200; i++) {
        stage_play(&stage, "eve: is slow\nada: chat again\ntime: 10\neve: drains\n");
        json_t *snapshot = stage_last(&stage, "eve", "snapshot");
        snapshots += snapshot != NULL;
        json_decref(snapshot);
        stage_forget(&stage, "eve");
    }
    /* two seconds have passed, and one is due */
    assert_in_range(snapshots, 1, 2);
    stage_forget(&stage, "ada");
    stage_play(&stage, "time: 2000\neve hears: snapshot 203 spectator bare\n"
                       "ada: chat there -> ack 204; chat 204 moves\neve hears: chat 204\n");
    stage_release(&stage);
}

/* --- long lists ------------------------------------------------------------------------------- */

enum { SIDE = 32, ROOKS = 40, NAME_BYTES = 32 * 1024, COMMAND_BYTES = 64 * 1024 };

/* A board full of figures that go far: more legal moves than a frame has room for. */
static char *game_of_many_moves(const char *figure)
{
    char *text = calloc(1, NAME_BYTES);
    int length = snprintf(
        text, NAME_BYTES,
        "{\"format\":2,\"name\":\"many\",\"players\":[\"red\",\"green\"],"
        "\"cell\":{\"coordinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1],[0,1]],"
        "\"position\":{\"x\":\"x\",\"y\":\"y\"}},"
        "\"board\":{\"cells\":{\"box\":{\"x\":%d,\"y\":%d}},\"mirror\":{\"green\":{}}},"
        "\"figures\":{\"%s\":{\"movement\":[{\"x\":1,\"repeat\":31,\"for\":\"move\"},"
        "{\"x\":-1,\"repeat\":31,\"for\":\"move\"},{\"y\":1,\"repeat\":31,\"for\":\"move\"},"
        "{\"y\":-1,\"repeat\":31,\"for\":\"move\"}]}},"
        "\"turns\":[\"red\",\"green\"],\"initial_position\":{\"red\":{\"%s\":[",
        SIDE, SIDE, figure, figure);
    for (int i = 0; i < ROOKS; i++)
        length += snprintf(text + length, (size_t)(NAME_BYTES - length), "%s\"%d_%d\"",
                           i ? "," : "", (i * 7) % SIDE, (i * 5 + i / SIDE) % SIDE);
    snprintf(text + length, (size_t)(NAME_BYTES - length), "]},\"green\":{\"%s\":[\"0_31\"]}}}",
             figure);
    return text;
}

static void serve(struct stage *stage, const char *id, const char *text)
{
    struct game *game = load(text, strlen(text));
    assert_true(core_add_game(stage->core, id, game, text, strlen(text)));
    game_release(game);
}

static json_t *ask_for_moves(struct stage *stage, long long skip)
{
    char json[128];
    snprintf(json, sizeof json,
             "{\"type\":\"legal_moves\",\"id\":\"s%d\",\"room\":\"%s\",\"skip\":%lld}",
             ++stage->id_count, stage->room, skip);
    stage_forget(stage, "ada");
    stage_say(stage, "ada", json);
    return stage_last(stage, "ada", "legal_moves");
}

static void a_long_list_of_moves_is_told_in_parts(void **state)
{
    struct stage stage;
    char *text = game_of_many_moves("rook");
    (void)state;
    stage_init_small(&stage);
    serve(&stage, "many", text);
    stage_play(&stage,
               "ada: connects\nada: auth -> welcome\nada: create many -> ack 1\nada: join all");
    json_t *snapshot = stage_last(&stage, "ada", "snapshot");
    json_t *known = json_incref(json_object_get(snapshot, "legal_moves"));
    long long count = integer_at(snapshot, "legal_moves_count");
    json_decref(snapshot);
    assert_true((long long)json_array_size(known) < count);
    for (int i = 0; (long long)json_array_size(known) < count; i++) {
        json_t *answer = ask_for_moves(&stage, (long long)json_array_size(known));
        char *written = json_dumps(answer, JSON_COMPACT);
        assert_true(strlen(written) < FRAME_LEGAL_MOVES_BYTES_MAX + 256);
        assert_int_equal(integer_at(answer, "count"), count);
        assert_int_equal(integer_at(answer, "skip"), json_array_size(known));
        assert_true(json_array_size(json_object_get(answer, "moves")) > 0);
        json_array_extend(known, json_object_get(answer, "moves"));
        free(written);
        json_decref(answer);
        assert_true(i < 10);
    }
    json_t *all = json_object();
    size_t index;
    json_t *move;
    json_array_foreach(known, index, move)
    {
        char *key = json_dumps(move, JSON_COMPACT | JSON_SORT_KEYS);
        json_object_set_new(all, key, json_true());
        free(key);
    }
    assert_int_equal(json_object_size(all), count);
    json_t *nothing = ask_for_moves(&stage, count + 1);
    assert_int_equal(json_array_size(json_object_get(nothing, "moves")), 0);
    json_decref(nothing);
    json_decref(all);
    json_decref(known);
    stage_release(&stage);
    free(text);
}

/* Compiles, but nobody could be told of its board in one frame. */
static void a_board_that_no_frame_holds_is_refused(void **state)
{
    struct stage stage;
    char name[NAME_BYTES_MAX + 1], *text, *command = calloc(1, COMMAND_BYTES);
    (void)state;
    memset(name, 'r', NAME_BYTES_MAX);
    name[NAME_BYTES_MAX] = '\0';
    text = game_of_many_moves(name);
    assert_true(strlen(text) < MESSAGE_BYTES_MAX - 256);
    stage_init_small(&stage);
    stage_play(&stage, "ada: connects\nada: auth -> welcome\n");
    snprintf(command, COMMAND_BYTES, "{\"type\":\"create\",\"id\":\"big\",\"definition\":%s}",
             text);
    stage_say(&stage, "ada", command);
    stage_play(&stage, "ada hears: bad_definition\ntime: 60000\n");
    snprintf(command, COMMAND_BYTES,
             "{\"type\":\"games\",\"op\":\"validate\",\"id\":\"v\",\"definition\":%s}", text);
    stage_say(&stage, "ada", command);
    stage_play(&stage, "ada hears: invalid 1\n");
    stage_release(&stage);
    free(command);
    free(text);
}

/* Lines as long as may be: 200 of them are more than a frame. */
static void a_long_history_is_told_in_parts(void **state)
{
    struct stage stage;
    long long next = 1, version;
    (void)state;
    stage_init_small(&stage);
    stage_play(&stage, TWO_SIT);
    stage_crash(&stage);
    for (int i = 0; i < 5; i++)
        talk(&stage);
    version = memory_store_room(&stage.store, stage.room)->version;
    stage_start(&stage);
    stage_play(&stage, "ada: connects\nada: auth -> welcome\nada: resume 3\n");
    for (int i = 0; next <= version; i++) {
        char line[64];
        stage_forget(&stage, "ada");
        snprintf(line, sizeof line, "ada: history %lld %lld", next, version);
        stage_play(&stage, line);
        json_t *answer = stage_last(&stage, "ada", "history");
        char *written = json_dumps(answer, JSON_COMPACT);
        size_t count = json_array_size(json_object_get(answer, "events"));
        assert_true(strlen(written) < FRAME_BYTES_MAX);
        assert_int_equal(integer_at(answer, "from"), next);
        assert_int_equal(integer_at(answer, "to"), next + (long long)count - 1);
        next = integer_at(answer, "to") + 1;
        free(written);
        json_decref(answer);
        assert_true(count > 0 && i < 20);
    }
    assert_int_equal(next, version + 1);
    stage_release(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_game_of_every_game_here_can_be_left_and_entered),
        cmocka_unit_test(nobody_lags_for_presence),
        cmocka_unit_test(who_is_there_is_said_less_often_where_very_many_are),
        cmocka_unit_test(who_lags_again_and_again_gets_a_snapshot_now_and_then),
        cmocka_unit_test(a_long_list_of_moves_is_told_in_parts),
        cmocka_unit_test(a_board_that_no_frame_holds_is_refused),
        cmocka_unit_test(a_long_history_is_told_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
