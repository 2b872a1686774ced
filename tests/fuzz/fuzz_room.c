/* A room driven by bytes: the core never crashes, keeps its promises, and a refusal changes nothing.
 *
 * The input is lines. A first line `hops` says which game it is. The first character says who (`0` to `3`; the first two sit in the room) and the rest is what they say,
 * with `$R` for the room's id; or it is something that happens: `h` and `a` hold and release the store's answers, `f`
 * fails the next append, `c` is a conflict, `x` a crash, `t` five seconds, and `g`, `s`, `d` with a digit: that peer goes (and comes
 * back), is slow, has drained. After each word of a peer that was refused, what a spectator sees is what it was. */
#include "protocol/message.h"
#include "tests/fuzz/fuzz.h"
#include "tests/server/core/stage.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 100, LINE_BYTES_MAX = 2048, PEERS = 4 };

static const char *const names[PEERS] = {"ada", "bob", "eve", "dan"};

static void enter(struct stage *stage, const char *name, const char *how)
{
    char script[128];
    stage_open(stage, name, false);
    snprintf(script, sizeof script, "%s: auth\n%s: %s\n", name, name, how);
    stage_play(stage, script);
    stage_forget(stage, name);
}

/* Everybody is there (again), at the room. */
static void gather(struct stage *stage)
{
    char script[64];
    for (int i = 0; i < PEERS; i++)
        enter(stage, names[i], "resume 1");
    stage_open(stage, "zoe", false);
    snprintf(script, sizeof script, "zoe: auth\nzoe: join spectator\n");
    stage_play(stage, script);
    stage_forget(stage, "zoe");
}

static char *seen(struct stage *stage)
{
    char json[96];
    if (stage_peer(stage, "zoe")->close_code != 0)
        return NULL;
    stage_forget(stage, "zoe");
    snprintf(json, sizeof json, "{\"type\":\"sync\",\"id\":\"z\",\"room\":\"%s\"}", stage->room);
    stage_say(stage, "zoe", json);
    for (struct heard *heard = stage_peer(stage, "zoe")->first; heard; heard = heard->next)
        if (strncmp(heard->text, "{\"type\":\"snapshot\"", 18) == 0)
            return strdup(heard->text);
    return NULL;
}

static int count_events(const struct stage *stage)
{
    int count = 0;
    for (int i = 0; i < stage->store.room_count; i++)
        count += stage->store.rooms[i].event_count;
    return count;
}

/* Whether all that was heard is refusals. */
static bool only_refused(struct stage *stage, const char *name)
{
    const struct heard *heard = stage_peer(stage, name)->first;
    bool any = heard != NULL;
    for (; heard; heard = heard->next)
        if (strncmp(heard->text, "{\"type\":\"error\"", 15) != 0)
            return false;
    return any;
}

/* $R: the room; $K: the last seat key that anybody was given. */
static void fill_in(const struct stage *stage, const char *text, char *filled, size_t size)
{
    size_t length = 0;
    while (*text && length + SEAT_KEY_BYTES + 1 < size) {
        const char *value = strncmp(text, "$R", 2) == 0   ? stage->room
                            : strncmp(text, "$K", 2) == 0 ? stage->key
                                                          : NULL;
        if (!value) {
            filled[length++] = *text++;
            continue;
        }
        memcpy(filled + length, value, strlen(value));
        length += strlen(value);
        text += 2;
    }
    filled[length] = '\0';
}

static void remember_key(struct stage *stage, const char *name)
{
    for (struct heard *heard = stage_peer(stage, name)->first; heard; heard = heard->next) {
        const char *key = strstr(heard->text, "\"key\":\"");
        if (key && strncmp(heard->text, "{\"type\":\"seat_key\"", 18) == 0)
            snprintf(stage->key, sizeof stage->key, "%.*s", SEAT_KEY_BYTES, key + 7);
    }
}

static void say(struct stage *stage, const char *name, const char *text)
{
    char filled[2 * LINE_BYTES_MAX];
    if (stage_peer(stage, name)->close_code != 0)
        return;
    fill_in(stage, text, filled, sizeof filled);
    char *before = stage->store_holds ? NULL : seen(stage);
    int events_before = count_events(stage);
    stage_forget(stage, name);
    stage_say(stage, name, filled);
    remember_key(stage, name);
    if (before && only_refused(stage, name)) {
        char *after = seen(stage);
        assert(count_events(stage) == events_before);
        assert(!after || strcmp(before, after) == 0);
        free(after);
    }
    free(before);
}

static void come_again(struct stage *stage, const char *name)
{
    struct stage_peer *peer = stage_peer(stage, name);
    core_peer_gone(stage->core, peer->peer);
    stage_forget(stage, name);
    if (stage->peer_count == STAGE_PEERS_MAX) {
        peer->name[0] = '-';
        return;
    }
    peer->name[0] = '-';
    enter(stage, name, "resume 1");
}

static void happen(struct stage *stage, const char *line)
{
    const char *name = names[line[1] & (PEERS - 1)];
    switch (line[0]) {
    case 'h':
        stage->store_holds = true;
        break;
    case 'a':
        stage->store_holds = false;
        break;
    case 'f':
        stage->next_status = STORE_FAILED;
        break;
    case 'c':
        stage->next_status = STORE_CONFLICT;
        break;
    case 'x':
        stage->store_holds = false;
        stage->next_status = STORE_OK;
        stage_crash(stage);
        stage_start(stage);
        gather(stage);
        break;
    case 't':
        core_time(stage->core, stage->now_ms += 5000);
        break;
    case 'g':
        if (stage->peer_count < STAGE_PEERS_MAX)
            come_again(stage, name);
        break;
    case 's':
        stage_peer(stage, name)->full = true;
        break;
    case 'd':
        stage_peer(stage, name)->full = false;
        core_peer_drained(stage->core, stage_peer(stage, name)->peer);
        break;
    default:
        break;
    }
    stage_work(stage);
}

static void check_store(const struct stage *stage)
{
    for (int i = 0; i < stage->store.room_count; i++) {
        const struct kept_room *room = &stage->store.rooms[i];
        for (int j = 0; j < room->event_count; j++) {
            const struct kept_event *event = &room->events[j];
            assert(event->version == j + 1);
            assert(event->command[0] == '\0' ||
                   memory_store_count(&stage->store, room->id, event->client, event->command) == 1);
        }
    }
}

static void live(struct stage *stage, const char *text)
{
    char line[LINE_BYTES_MAX];
    for (int i = 0; i < LINES_MAX && *text; i++) {
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        text += length + (text[length] == '\n');
        if (line[0] >= '0' && line[0] < '0' + PEERS)
            say(stage, names[line[0] - '0'], line + 1);
        else if (line[0])
            happen(stage, line);
    }
}

static void set_table(struct stage *stage, const char *game)
{
    char script[256];
    snprintf(script, sizeof script,
             "ada: connects\nada: auth\nada: create %s\nada: join red\n"
             "bob: connects\nbob: auth\nbob: join green\n"
             "eve: connects\neve: auth\neve: join spectator\n"
             "dan: connects\ndan: auth\n"
             "zoe: connects\nzoe: auth\nzoe: join spectator\n",
             game);
    stage_play(stage, script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stage *stage = malloc(sizeof *stage);
    char *text = calloc(1, size + 1);
    if (size > 0)
        memcpy(text, data, size);
    stage_init_small(stage);
    bool hops = strncmp(text, "hops\n", 5) == 0;
    set_table(stage, hops ? "hops" : "two");
    live(stage, hops ? text + 5 : text);
    check_store(stage);
    /* Whatever happened, the room can be read again. */
    happen(stage, "x");
    char *state = seen(stage);
    assert(state);
    free(state);
    stage_release(stage);
    free(stage);
    free(text);
    return 0;
}
