/* The n-th call to the disk fails, for every n from 1 to 500, and then the power goes.
 *
 * A server's life is a process of its own that drives the store as the worker does, on a disk that fails on order
 * (tests/support/faulty_disk), for six rooms with a client each. The clients keep their own log, in memory that outlives
 * the server: what they sent, what was acknowledged and as what version, what a room that was loaded looked like. When the
 * server is dead, the folder becomes what the disk would hold if the power had gone then: writes that were not synced
 * are there or not, whole or torn, in any order. The next server has to find, in a sound database, everything that was
 * acknowledged or shown, where it was, once; and to play on.
 *
 * SENET_FAULTS says up to which n (500), SENET_SEED where the randomness begins. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"
#include "tests/support/faulty_disk/disk_log.h"
#include "tests/support/faulty_disk/faulty_disk.h"

#include <sqlite3.h>

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FAULTS_MAX = 500,
    ROOMS = 6,
    COMMANDS_MAX = 512, /* of one room */
    BATCHES = 90,       /* more calls than FAULTS_MAX */
    BATCHES_AFTER = 4,  /* played on after the fault */
    REQUESTS_MAX = 2 * ROOMS,
    WORDS_BYTES = 256,
};

/* What a client knows of its room and its commands. Command 0 makes the room. */
struct client {
    int next;                           /* the command it says next, or says again */
    int64_t version;                    /* the room's, as far as it knows */
    int64_t shown;                      /* the latest version a loaded room was shown at */
    int64_t acknowledged[COMMANDS_MAX]; /* as which version; 0: not */
};

/* Shared by all processes of a story. */
struct story {
    struct client clients[ROOMS];
    uint64_t random;
    int acknowledgements, failures, refused_starts;
    bool met;                /* the fault */
    char words[WORDS_BYTES]; /* what was found wrong; "" for nothing */
};

struct bed {
    char folder[64], log_path[96], database[96], url[128];
    struct disk_log *log;
    struct story *story;
};

/* --- what is said ----------------------------------------------------------------------------- */

/* A request with the texts it borrows. What a command asks for follows from its number, so that a log can be judged by
 * anybody: every fifth changes the seats, the seventh begins the game. */
struct said {
    struct store_request request;
    int room, command;
    bool load;
    char id[STORE_ROOM_BYTES + 1], name[STORE_COMMAND_BYTES_MAX], body[1200];
};

enum { BEGINS = 7, SEATS_EVERY = 5 };

static int seats_after(int command)
{
    return command / SEATS_EVERY % 3;
}

static void write_room(int room, char *id, size_t size)
{
    snprintf(id, size, "room-%c", 'a' + room);
}

static void write_command(int room, int command, char *name, size_t size)
{
    snprintf(name, size, "command-%d-%d", room, command);
}

static void write_body(int room, int command, char *body, size_t size)
{
    int padding = command * 37 % 900;
    snprintf(body, size, "{\"room\":%d,\"command\":%d,\"padding\":\"%0*d\"}", room, command,
             padding + 1, 0);
}

static void say(struct said *said, int room, const struct client *client)
{
    static const struct store_seat seats[] = {
        {.seat = "white", .player = "w", .token_hash = "hash", .name = "White"},
        {.seat = "black", .player = "b", .token_hash = "hash", .name = "Black", .bot = true},
    };
    said->room = room;
    said->command = client->next;
    said->load = false;
    write_room(room, said->id, sizeof said->id);
    write_command(room, client->next, said->name, sizeof said->name);
    write_body(room, client->next, said->body, sizeof said->body);
    if (client->version == 0) {
        said->request = store_creation(said->id, "p", said->name);
        said->request.writes[0].event.body = said->body;
        return;
    }
    said->request = store_continuation(said->id, client->version, "p", said->name, said->body);
    struct store_room *row = &said->request.writes[0].room;
    row->status = client->next < BEGINS ? STORE_WAITING : STORE_PLAYING;
    said->request.writes[0].seats_changed = client->next % SEATS_EVERY == 0;
    if (said->request.writes[0].seats_changed) {
        row->seat_count = seats_after(client->next);
        memcpy(row->seats, seats, (size_t)row->seat_count * sizeof *seats);
    }
}

static void ask_for(struct said *said, int room)
{
    said->room = room;
    said->load = true;
    write_room(room, said->id, sizeof said->id);
    said->request = store_question(STORE_LOAD, said->id, NULL);
}

/* --- judging ---------------------------------------------------------------------------------- */

static bool wrong(struct story *story, const char *words, int room, int64_t number)
{
    if (story->words[0] == '\0')
        snprintf(story->words, sizeof story->words, "room %d: %s (%" PRId64 ")", room, words,
                 number);
    return false;
}

static int command_of(int room, const struct store_event *event)
{
    char name[STORE_COMMAND_BYTES_MAX], body[1200];
    int command = 0;
    while (command < COMMANDS_MAX) {
        write_command(room, command, name, sizeof name);
        if (strcmp(name, event->command) == 0)
            break;
        command++;
    }
    write_body(room, command, body, sizeof body);
    return strcmp(body, event->body) == 0 ? command : COMMANDS_MAX;
}

/* Whether the row says what the log says. */
static bool judge_row(struct story *story, int room, const struct store_room *row, int last_command,
                      int last_seats)
{
    enum store_room_status status = last_command < BEGINS ? STORE_WAITING : STORE_PLAYING;
    if (row->status != status)
        return wrong(story, "the row's status is not the log's", room, row->status);
    if (row->seat_count != seats_after(last_seats))
        return wrong(story, "the row's seats are not the log's", room, row->seat_count);
    return true;
}

/* Everything the client was told is there, where it was told, once; and what it was not told may be there only if it
 * said it. */
static bool judge_room(struct story *story, int room, const struct store_answer *answer)
{
    struct client *client = &story->clients[room];
    int64_t found[COMMANDS_MAX] = {0};
    int last = 0, last_seats = 0;
    for (int i = 0; i < answer->event_count; i++) {
        const struct store_event *event = &answer->events[i];
        int command = command_of(room, event);
        if (event->version != i + 1)
            return wrong(story, "a gap in the versions", room, event->version);
        if (command > client->next || command >= COMMANDS_MAX)
            return wrong(story, "an event nobody asked for", room, event->version);
        if (found[command] != 0)
            return wrong(story, "a command made two events", room, command);
        if (event->version > 1 && command % SEATS_EVERY == 0)
            last_seats = command;
        found[command] = event->version;
        last = command;
    }
    for (int command = 0; command <= client->next; command++) {
        if (client->acknowledged[command] != 0 && client->acknowledged[command] != found[command])
            return wrong(story, "an acknowledged command is lost or elsewhere", room, command);
    }
    if (answer->event_count < client->shown)
        return wrong(story, "an event that was shown is lost", room, client->shown);
    return judge_row(story, room, &answer->rooms[0], last, last_seats);
}

/* --- a server's life -------------------------------------------------------------------------- */

struct life {
    struct bed *bed;
    struct story *story;
    struct store_driver *driver;
    struct said said[REQUESTS_MAX];
    struct store_request requests[REQUESTS_MAX];
    struct store_answer answers[REQUESTS_MAX];
    int count;
};

static bool chance(struct story *story, unsigned percent)
{
    return test_random(&story->random) % 100 < percent;
}

static void acknowledge(struct story *story, int room, int64_t version)
{
    struct client *client = &story->clients[room];
    client->acknowledged[client->next] = version;
    if (version > client->version)
        client->version = version;
    if (client->version > client->shown)
        client->shown = client->version;
    client->next++;
    story->acknowledgements++;
}

/* A client that is refused says it again, or gives up and says something else. The room's maker insists. */
static void refuse(struct story *story, int room)
{
    struct client *client = &story->clients[room];
    story->failures++;
    if (client->version > 0 && chance(story, 30))
        client->next++;
}

/* As the core does: the room is read again. */
static bool see_room(struct life *life, int room, const struct store_answer *answer)
{
    struct client *client = &life->story->clients[room];
    if (answer->status == STORE_NOT_FOUND)
        return client->shown == 0 || wrong(life->story, "the room is lost", room, client->shown);
    if (answer->status != STORE_OK)
        return true;
    if (!judge_room(life->story, room, answer))
        return false;
    client->version = client->shown = answer->event_count;
    return true;
}

static bool hear(struct life *life, const struct said *said, const struct store_answer *answer)
{
    struct story *story = life->story;
    if (said->load)
        return see_room(life, said->room, answer);
    switch (answer->status) {
    case STORE_OK:
        acknowledge(story, said->room, said->request.writes[0].event.version);
        return true;
    case STORE_DUPLICATE:
        acknowledge(story, said->room, answer->duplicate_version);
        return true;
    case STORE_FAILED:
    case STORE_UNKNOWN:
        refuse(story, said->room);
        return true;
    case STORE_CONFLICT:
    case STORE_NO_PICTURE:
    case STORE_NOT_FOUND:
        break;
    }
    return wrong(story, "the room is not where it was left", said->room, answer->status);
}

static bool perform(struct life *life)
{
    bool good = true;
    for (int i = 0; i < life->count; i++)
        life->requests[i] = life->said[i].request;
    store_sqlite.perform(life->driver, life->requests, life->count, life->answers);
    for (int i = 0; i < life->count; i++) {
        good = good && hear(life, &life->said[i], &life->answers[i]);
        store_answer_release(&life->answers[i]);
    }
    store_sqlite.keep_house(life->driver);
    return good;
}

static bool load_all(struct life *life)
{
    for (life->count = 0; life->count < ROOMS; life->count++)
        ask_for(&life->said[life->count], life->count);
    return perform(life);
}

static bool play_batch(struct life *life)
{
    struct story *story = life->story;
    life->count = 0;
    for (int room = 0; room < ROOMS; room++) {
        assert(story->clients[room].next < COMMANDS_MAX - 1);
        if (chance(story, 70))
            say(&life->said[life->count++], room, &story->clients[room]);
    }
    if (chance(story, 25))
        ask_for(&life->said[life->count++], (int)(test_random(&story->random) % ROOMS));
    return life->count == 0 || perform(life);
}

/* False: the server refused to start, with words. */
static bool begin_life(struct life *life)
{
    char words[160] = "";
    faulty_disk_attach(life->bed->log, life->bed->folder);
    life->driver = store_sqlite.open(life->bed->url, words, sizeof words);
    if (life->driver != NULL)
        return true;
    life->story->refused_starts++;
    if (words[0] == '\0')
        wrong(life->story, "a start was refused without a word", 0, 0);
    return false;
}

/* Plays until a few batches after the fault, and dies. */
static void play_until_the_fault(struct life *life)
{
    const struct disk_log *log = life->bed->log;
    int after = 0;
    if (!begin_life(life) || !load_all(life))
        return;
    for (int batch = 0; batch < BATCHES && after < BATCHES_AFTER; batch++) {
        if (!play_batch(life))
            return;
        after += log->failed > 0;
    }
}

/* A server on a sound disk again: it must start, and play. */
static void play_on(struct life *life)
{
    if (!begin_life(life)) {
        wrong(life->story, "the next server does not start", 0, 0);
        return;
    }
    int before = life->story->acknowledgements, failures = life->story->failures;
    bool good = load_all(life);
    for (int batch = 0; batch < BATCHES_AFTER && good; batch++)
        good = play_batch(life);
    if (good && life->story->failures > failures)
        wrong(life->story, "a sound disk fails", 0, life->story->failures - failures);
    if (good && life->story->acknowledgements == before)
        wrong(life->story, "nobody plays on", 0, before);
}

static void play_to_the_end(struct life *life)
{
    play_on(life);
    if (life->driver != NULL)
        store_sqlite.close(life->driver);
}

/* In a process of its own: a life ends by dying. */
static void live(struct bed *bed, void (*how)(struct life *life))
{
    static struct life life;
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        life = (struct life){.bed = bed, .story = bed->story};
        how(&life);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        wrong(bed->story, "the server broke down", 0, status);
}

/* --- stories ---------------------------------------------------------------------------------- */

static void empty_folder(const struct bed *bed)
{
    char path[256];
    DIR *folder = opendir(bed->folder);
    assert_non_null(folder);
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        snprintf(path, sizeof path, "%s/%.100s", bed->folder, entry->d_name);
        unlink(path);
    }
    closedir(folder);
}

static void check_soundness(struct bed *bed)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    if (bed->story->words[0] != '\0')
        return;
    assert_int_equal(sqlite3_open(bed->database, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, "PRAGMA integrity_check", -1, &statement, NULL),
                     SQLITE_OK);
    if (sqlite3_step(statement) != SQLITE_ROW ||
        strcmp((const char *)sqlite3_column_text(statement, 0), "ok") != 0)
        wrong(bed->story, "the database is damaged", 0, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
}

/* How the disk fails. */
static const struct kind {
    const char *words;
    struct disk_orders orders;
} kinds[] = {
    {"the call fails once", {.fail_count = 1, .error = EIO}},
    {"it and all that follow fail", {.fail_count = UINT64_MAX, .error = EIO}},
    {"it writes half, and the disk is full for four calls",
     {.fail_count = 5, .error = ENOSPC, .partial = 1}},
};

/* One story: a server on an empty folder whose disk fails at `orders`; then the power goes, or only the process, and the
 * power later, under the next server. True: nobody was told anything that is not so. */
static bool tell(struct bed *bed, const struct disk_orders *orders, uint64_t seed)
{
    struct story *story = bed->story;
    memset(story, 0, sizeof *story);
    story->random = seed;
    empty_folder(bed);
    disk_log_clear(bed->log);
    bed->log->orders = *orders;
    live(bed, play_until_the_fault);
    story->met = bed->log->failed > 0;
    for (int deaths = (int)(seed % 3); deaths >= 0 && story->words[0] == '\0'; deaths--) {
        bool dark = deaths == 0 || chance(story, 30);
        enum power_cut cut = (enum power_cut)(test_random(&story->random) % 3);
        bed->log->orders = (struct disk_orders){.lying = orders->lying};
        if (dark)
            assert_true(disk_log_cut_power(bed->log, bed->folder, cut, story->random));
        bed->log->orders.lying = orders->lying;
        live(bed, deaths == 0 ? play_to_the_end : play_on);
    }
    check_soundness(bed);
    return story->words[0] == '\0';
}

static void make_bed(struct bed *bed)
{
    const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(bed->folder, sizeof bed->folder, "%s/senet-fault-XXXXXX", memory);
    assert_non_null(mkdtemp(bed->folder));
    snprintf(bed->log_path, sizeof bed->log_path, "%s-log", bed->folder);
    snprintf(bed->database, sizeof bed->database, "%s/senet.db", bed->folder);
    snprintf(bed->url, sizeof bed->url, "sqlite://%s", bed->database);
    bed->log = disk_log_open(bed->log_path);
    assert_non_null(bed->log);
    bed->story =
        mmap(NULL, sizeof *bed->story, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(bed->story != MAP_FAILED);
}

static void remove_bed(struct bed *bed)
{
    empty_folder(bed);
    rmdir(bed->folder);
    disk_log_close(bed->log);
    unlink(bed->log_path);
    munmap(bed->story, sizeof *bed->story);
}

static uint64_t number_in(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

/* --- the tests -------------------------------------------------------------------------------- */

static void every_call_may_fail(void **state)
{
    const struct kind *kind = *state;
    struct bed bed;
    uint64_t seed = number_in("SENET_SEED", 1), last = number_in("SENET_FAULTS", FAULTS_MAX);
    int stories = 0, failures = 0, refused = 0;
    int64_t acknowledgements = 0;
    char words[WORDS_BYTES] = "";
    make_bed(&bed);
    for (uint64_t n = 1; n <= last && words[0] == '\0'; n++) {
        struct disk_orders orders = kind->orders;
        orders.fail_at = n;
        if (!tell(&bed, &orders, seed * 1000003 + n))
            snprintf(words, sizeof words, "call %" PRIu64 ", seed %" PRIu64 ": %.160s", n, seed,
                     bed.story->words);
        else if (!bed.story->met)
            snprintf(words, sizeof words, "the story is too short: there is no call %" PRIu64, n);
        stories++;
        failures += bed.story->failures;
        refused += bed.story->refused_starts;
        acknowledgements += bed.story->acknowledgements;
    }
    remove_bed(&bed);
    if (words[0] != '\0')
        fail_msg("%s, %s", kind->words, words);
    print_message("%s: %d stories, %" PRId64 " acknowledged, %d refused, %d starts refused\n",
                  kind->words, stories, acknowledgements, failures, refused);
    assert_true(acknowledgements > stories);
}

/* The canary: were the oracle blind, it would not see this either. */
static void a_disk_that_lies_is_found_out(void **state)
{
    (void)state;
    struct bed bed;
    int found = 0;
    make_bed(&bed);
    for (uint64_t n = 0; n < 12; n++)
        found += !tell(&bed, &(struct disk_orders){.lying = 1}, 1000 + n);
    remove_bed(&bed);
    assert_true(found > 3);
}

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        {"each call to the disk may fail once: no false acknowledgement, no damage", every_call_may_fail, NULL, NULL, (void *)&kinds[0]},
        {"each call to the disk may be the last that succeeds: no false acknowledgement, no damage", every_call_may_fail, NULL, NULL, (void *)&kinds[1]},
        {"each write may be cut short by a disk that is full: no false acknowledgement, no damage", every_call_may_fail, NULL, NULL, (void *)&kinds[2]},
        {"a disk that lies about its syncs is found out", a_disk_that_lies_is_found_out, NULL, NULL, NULL},
    };
    /* clang-format on */
    return cmocka_run_group_tests_name("store on a disk that fails", tests, NULL, NULL);
}
