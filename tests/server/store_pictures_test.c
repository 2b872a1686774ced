/* Pictures on both databases: kept once by what they are, bytes as they came, and gone when their time is over and no
 * definition of a kept room or a published game names them. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { DAY_MS = 86400000, MANY = 150, RACES = 60 };

static const int64_t long_ago = 1700000000000;

/* "…0007": of a number. */
static const char *hash_of(int number, char hash[STORE_HASH_DIGITS + 1])
{
    snprintf(hash, STORE_HASH_DIGITS + 1, "%064x", number);
    return hash;
}

static void keep(struct store_bed *bed, int number, int64_t at_ms, enum store_status expected)
{
    char hash[STORE_HASH_DIGITS + 1];
    const unsigned char bytes[] = {0, 255, '\'', '\\', (unsigned char)number, 0, 1};
    const struct store_request request = {.ask = STORE_KEEP_PICTURE,
                                          .picture = {.hash = hash_of(number, hash),
                                                      .kind = number % 2,
                                                      .bytes = bytes,
                                                      .length = sizeof bytes,
                                                      .at_ms = at_ms}};
    assert_int_equal(store_do(bed, &request), expected);
}

static bool is_there(struct store_bed *bed, int number)
{
    char hash[STORE_HASH_DIGITS + 1];
    const struct store_request request = {.ask = STORE_PICTURE,
                                          .picture.hash = hash_of(number, hash)};
    struct store_answer answer = store_perform(bed, &request);
    bool found = answer.status == STORE_OK;
    if (found) {
        const unsigned char bytes[] = {0, 255, '\'', '\\', (unsigned char)number, 0, 1};
        assert_int_equal(answer.picture->kind, number % 2);
        assert_int_equal(answer.picture->length, sizeof bytes);
        assert_memory_equal(answer.picture->bytes, bytes, sizeof bytes);
    } else {
        assert_int_equal(answer.status, STORE_NOT_FOUND);
    }
    store_answer_release(&answer);
    return found;
}

/* All of them, some at a time. */
static struct store_sweep sweep(struct store_bed *bed, int64_t before_ms, int at_a_time,
                                bool really)
{
    struct store_sweep sum = {.next = NULL};
    char after[STORE_HASH_DIGITS + 1] = "";
    do {
        const struct store_request request = {.ask = STORE_SWEEP_PICTURES,
                                              .picture = {.hash = after, .at_ms = before_ms},
                                              .from = at_a_time,
                                              .to = really};
        struct store_answer answer = store_perform(bed, &request);
        assert_int_equal(answer.status, STORE_OK);
        sum.kept += answer.sweep->kept, sum.kept_bytes += answer.sweep->kept_bytes;
        sum.removed += answer.sweep->removed, sum.removed_bytes += answer.sweep->removed_bytes;
        snprintf(after, sizeof after, "%s", answer.sweep->next);
        store_answer_release(&answer);
    } while (after[0] != '\0');
    return sum;
}

/* The text of a game that names two pictures. */
static const char *text_with(int first, int second, char *text, size_t size)
{
    char a[STORE_HASH_DIGITS + 1], b[STORE_HASH_DIGITS + 1];
    snprintf(text, size, "{\"a\":\"/pictures/%s.svg\",\"b\":\"/pictures/%s.png\",\"c\":\"%s.svg\"}",
             hash_of(first, a), hash_of(second, b), b);
    return text;
}

static enum store_status publish(struct store_bed *bed, const char *name, const char *text)
{
    const struct store_request request = {.ask = STORE_PUBLISH,
                                          .publication = {.name = name,
                                                          .definition_hash = name,
                                                          .title = name,
                                                          .players = "[\"a\"]",
                                                          .ancestor = "",
                                                          .publisher = "ada",
                                                          .at_ms = long_ago},
                                          .definition = text};
    return store_do(bed, &request);
}

static void make_room(struct store_bed *bed, const char *room, const char *text)
{
    struct store_request request = store_creation(room, "ada", room);
    request.writes[0].definition = text;
    request.writes[0].room.definition_hash = room;
    request.writes[0].room.created_at_ms = long_ago;
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static void a_picture_is_kept_once_to_the_byte(struct store_bed *bed)
{
    keep(bed, 1, long_ago, STORE_OK);
    keep(bed, 2, long_ago, STORE_OK);
    keep(bed, 1, long_ago, STORE_DUPLICATE);
    store_bed_reopen(bed);
    assert_true(is_there(bed, 1) && is_there(bed, 2) && !is_there(bed, 3));
    struct store_sweep sum = sweep(bed, INT64_MIN, 64, true);
    assert_int_equal(sum.kept, 2);
    assert_int_equal(sum.kept_bytes, 14);
    assert_int_equal(sum.removed, 0);
}

static void old_pictures_go_and_a_dry_run_counts_them(struct store_bed *bed)
{
    for (int i = 0; i < MANY; i++)
        keep(bed, i, long_ago + (i % 3 == 0 ? DAY_MS : 0), STORE_OK);
    keep(bed, 1, long_ago + DAY_MS, STORE_DUPLICATE); /* as young as one that comes now */
    const int old = MANY - MANY / 3 - 1;
    struct store_sweep sum = sweep(bed, long_ago + 1, 64, false);
    assert_int_equal(sum.removed, old);
    assert_true(is_there(bed, 2));
    sum = sweep(bed, long_ago + 1, 7, true);
    assert_int_equal(sum.removed, old);
    assert_int_equal(sum.removed_bytes, old * 7);
    assert_int_equal(sum.kept, MANY - old);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(is_there(bed, i), i % 3 == 0 || i == 1);
    sum = sweep(bed, long_ago + 1, 64, true);
    assert_int_equal(sum.removed, 0);
}

static void what_games_name_stays(struct store_bed *bed)
{
    char text[512];
    int64_t far = INT64_MAX / 2; /* however young it is */
    for (int i = 0; i < 6; i++)
        keep(bed, i, long_ago, STORE_OK);
    assert_int_equal(publish(bed, "fox", text_with(0, 1, text, sizeof text)), STORE_OK);
    make_room(bed, "room-with-pictures", text_with(1, 2, text, sizeof text));
    make_room(bed, "another-with-them-", text_with(3, 9, text, sizeof text));
    assert_int_equal(sweep(bed, far, 64, true).removed, 2);
    for (int i = 0; i < 6; i++)
        assert_int_equal(is_there(bed, i), i < 4);
    /* One that was named before it came, too. */
    keep(bed, 9, long_ago, STORE_OK);
    assert_int_equal(sweep(bed, far, 64, true).removed, 0);
    assert_int_equal(store_do(bed, &(struct store_request){.ask = STORE_REMOVE,
                                                           .room = "another-with-them-",
                                                           .from = 1}),
                     STORE_OK);
    assert_int_equal(sweep(bed, far, 64, true).removed, 2);
    assert_true(!is_there(bed, 3) && !is_there(bed, 9) && is_there(bed, 2));
    assert_int_equal(store_do(bed, &(struct store_request){.ask = STORE_REMOVE,
                                                           .room = "room-with-pictures",
                                                           .from = 1}),
                     STORE_OK);
    assert_int_equal(sweep(bed, far, 64, true).removed, 1);
    assert_true(is_there(bed, 0) && is_there(bed, 1) && !is_there(bed, 2));
}

/* So an upload of last week is not swept while a game is made with it. */
static void what_is_named_is_young_again(struct store_bed *bed)
{
    char text[512];
    keep(bed, 1, long_ago - DAY_MS, STORE_OK);
    keep(bed, 2, long_ago - DAY_MS, STORE_OK);
    make_room(bed, "room-with-pictures", text_with(1, 1, text, sizeof text));
    assert_int_equal(store_do(bed, &(struct store_request){.ask = STORE_REMOVE,
                                                           .room = "room-with-pictures",
                                                           .from = 1}),
                     STORE_OK);
    assert_int_equal(sweep(bed, long_ago, 64, true).removed, 1);
    assert_true(is_there(bed, 1) && !is_there(bed, 2));
}

static void a_game_is_not_published_without_its_pictures(struct store_bed *bed)
{
    char text[512];
    keep(bed, 1, long_ago, STORE_OK);
    assert_int_equal(publish(bed, "fox", text_with(1, 2, text, sizeof text)), STORE_NO_PICTURE);
    assert_int_equal(publish(bed, "fox", text), STORE_NO_PICTURE);
    keep(bed, 2, long_ago, STORE_OK);
    assert_int_equal(publish(bed, "fox", text), STORE_OK);
    assert_int_equal(publish(bed, "fox", text), STORE_DUPLICATE);
}

struct sweeper {
    const struct store_bed *bed;
    struct store_driver *driver;
    struct store_answer answer;
};

static void *sweep_once(void *context)
{
    struct sweeper *sweeper = context;
    const struct store_request request = {.ask = STORE_SWEEP_PICTURES,
                                          .picture = {.hash = "", .at_ms = long_ago + 1},
                                          .from = STORE_SWEPT_MAX,
                                          .to = 1};
    sweeper->bed->table->perform(sweeper->driver, &request, 1, &sweeper->answer);
    return NULL;
}

/* Another server sweeps while a game is published whose picture is old: one of the two comes first, and both know it. */
static void what_is_published_meanwhile_is_not_swept(struct store_bed *bed)
{
    struct sweeper sweeper = {.bed = bed};
    if (!bed->table->shared)
        return;
    sweeper.driver = bed->table->open(bed->url, bed->words, sizeof bed->words);
    assert_non_null(sweeper.driver);
    for (int round = 0; round < RACES; round++) {
        char name[16], text[512];
        pthread_t thread;
        snprintf(name, sizeof name, "game-%d", round);
        keep(bed, round, long_ago, STORE_OK);
        assert_int_equal(pthread_create(&thread, NULL, sweep_once, &sweeper), 0);
        enum store_status status = publish(bed, name, text_with(round, round, text, sizeof text));
        pthread_join(thread, NULL);
        assert_int_equal(sweeper.answer.status, STORE_OK);
        store_answer_release(&sweeper.answer);
        assert_true(status == STORE_OK || status == STORE_NO_PICTURE);
        assert_int_equal(is_there(bed, round), status == STORE_OK);
    }
    bed->table->close(sweeper.driver);
}

/* One of the longest that there are, and a picture that a batch holds many of. */
static void a_large_picture_comes_back(struct store_bed *bed)
{
    static unsigned char bytes[128 * 1024];
    char hash[STORE_HASH_DIGITS + 1];
    uint64_t random = 7;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)test_random(&random);
    const struct store_request request = {
        .ask = STORE_KEEP_PICTURE,
        .picture = {.hash = hash_of(1, hash), .bytes = bytes, .length = sizeof bytes}};
    assert_int_equal(store_do(bed, &request), STORE_OK);
    store_bed_reopen(bed);
    struct store_answer answer = store_perform(
        bed, &(struct store_request){.ask = STORE_PICTURE, .picture.hash = hash_of(1, hash)});
    assert_int_equal(answer.status, STORE_OK);
    assert_int_equal(answer.picture->length, sizeof bytes);
    assert_memory_equal(answer.picture->bytes, bytes, sizeof bytes);
    store_answer_release(&answer);
}

int main(void)
{
    static const struct store_case cases[] = {
        {"a picture is kept once, to the byte", a_picture_is_kept_once_to_the_byte},
        {"old pictures go, and a dry run counts them", old_pictures_go_and_a_dry_run_counts_them},
        {"what games name stays", what_games_name_stays},
        {"what is named is young again", what_is_named_is_young_again},
        {"a game is not published without its pictures",
         a_game_is_not_published_without_its_pictures},
        {"what is published meanwhile is not swept", what_is_published_meanwhile_is_not_swept},
        {"a large picture comes back", a_large_picture_comes_back},
    };
    return store_run_cases("store_pictures_test", cases, sizeof cases / sizeof *cases);
}
