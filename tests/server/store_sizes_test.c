/* How large what is in the store, on both databases: what is written is found under its kind, and nowhere else. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <stdio.h>
#include <string.h>

enum {
    TEXT_BYTES = 8000,
    PICTURE_BYTES = 30000,
    PICTURES = 20,
    ROOMS = 60,
    NAMES = 30,
    EVENTS = 2000,
    EVENT_BYTES = 300,
    AT_ONCE = 100,
    PARTS_MAX = 5000,
    ELSEWHERE_MAX = 450 * 1024, /* what a kind may grow by while another is written */
};

struct sizes {
    int64_t of[STORE_SIZES];
};

static struct sizes measure(struct store_bed *bed, int at_a_time)
{
    struct sizes sizes = {{0}};
    char place[STORE_PLACE_BYTES] = "";
    for (int part = 0; part == 0 || place[0] != '\0'; part++) {
        assert_true(part < PARTS_MAX);
        const struct store_request request = {
            .ask = STORE_MEASURE, .room = place, .from = at_a_time};
        struct store_answer answer = store_perform(bed, &request);
        assert_int_equal(answer.status, STORE_OK);
        for (int size = 0; size < STORE_SIZES; size++)
            sizes.of[size] += answer.measure->bytes[size];
        snprintf(place, sizeof place, "%s", answer.measure->next);
        store_answer_release(&answer);
    }
    return sizes;
}

/* Nothing a database could compress, and another one each time. */
static void fill(char *text, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    static uint64_t random = 7;
    for (size_t i = 0; i + 1 < size; i++)
        text[i] = digits[test_random(&random) % (sizeof digits - 1)];
    text[size - 1] = '\0';
}

static void keep_pictures(struct store_bed *bed)
{
    static char bytes[PICTURE_BYTES];
    char hash[STORE_HASH_DIGITS + 1];
    for (int i = 0; i < PICTURES; i++) {
        fill(bytes, sizeof bytes);
        snprintf(hash, sizeof hash, "%064x", i);
        const struct store_request request = {
            .ask = STORE_KEEP_PICTURE,
            .picture = {.hash = hash, .bytes = bytes, .length = sizeof bytes, .at_ms = 1}};
        assert_int_equal(store_do(bed, &request), STORE_OK);
    }
}

static void make_rooms(struct store_bed *bed)
{
    char room[STORE_ROOM_BYTES + 1], text[TEXT_BYTES + 1];
    for (int i = 0; i < ROOMS; i++) {
        snprintf(room, sizeof room, "room-%03d", i);
        fill(text, sizeof text);
        struct store_request request = store_creation(room, "ada", room);
        request.writes[0].definition = text;
        request.writes[0].room.definition_hash = room;
        assert_int_equal(store_do(bed, &request), STORE_OK);
    }
}

static void publish(struct store_bed *bed)
{
    char name[STORE_NAME_BYTES + 1], text[TEXT_BYTES + 1], title[500];
    fill(text, sizeof text);
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "name-%d", i);
        fill(title, sizeof title);
        const struct store_request request = {.ask = STORE_PUBLISH,
                                              .publication = {.name = name,
                                                              .definition_hash = "of all of them",
                                                              .title = title,
                                                              .players = "[\"a\"]",
                                                              .ancestor = "",
                                                              .publisher = "ada",
                                                              .at_ms = 1},
                                              .definition = text};
        assert_int_equal(store_do(bed, &request), STORE_OK);
    }
}

static void play(struct store_bed *bed)
{
    static char bodies[AT_ONCE][EVENT_BYTES + 1], commands[AT_ONCE][16];
    struct store_request requests[AT_ONCE];
    struct store_answer answers[AT_ONCE];
    for (int version = 1; version <= EVENTS; version += AT_ONCE) {
        for (int i = 0; i < AT_ONCE; i++) {
            snprintf(commands[i], sizeof commands[i], "c-%d", version + i);
            fill(bodies[i], sizeof bodies[i]);
            requests[i] =
                store_continuation("room-000", version + i, "ada", commands[i], bodies[i]);
        }
        bed->table->perform(bed->driver, requests, AT_ONCE, answers);
        for (int i = 0; i < AT_ONCE; i++) {
            assert_int_equal(answers[i].status, STORE_OK);
            store_answer_release(&answers[i]);
        }
        bed->table->keep_house(bed->driver);
    }
}

/* What has grown by at least so much, and by no more than so many times of it; all else by little. */
static struct sizes assert_grew(struct store_bed *bed, const struct sizes *before,
                                enum store_size grown, int64_t least, int times)
{
    struct sizes after = measure(bed, STORE_MEASURED_MAX);
    for (int size = 0; size < STORE_SIZES; size++) {
        int64_t by = after.of[size] - before->of[size];
        if (size == (int)grown)
            assert_true(by >= least && by <= least * times);
        else
            assert_true(by < ELSEWHERE_MAX && by > -ELSEWHERE_MAX);
    }
    return after;
}

static void what_is_written_is_measured_under_its_kind(struct store_bed *bed)
{
    struct sizes sizes = measure(bed, STORE_MEASURED_MAX);
    keep_pictures(bed);
    sizes = assert_grew(bed, &sizes, STORE_SIZE_PICTURES, PICTURES * PICTURE_BYTES, 2);
    make_rooms(bed);
    sizes = assert_grew(bed, &sizes, STORE_SIZE_DEFINITIONS, ROOMS * TEXT_BYTES, 2);
    assert_true(sizes.of[STORE_SIZE_ROOMS] > (int64_t)ROOMS * 50);
    publish(bed);
    sizes = assert_grew(bed, &sizes, STORE_SIZE_PUBLISHED, NAMES * 500, 16);
    play(bed);
    assert_grew(bed, &sizes, STORE_SIZE_EVENTS, EVENTS * EVENT_BYTES, 4);
}

static void parts_of_any_length_add_up_to_the_same(struct store_bed *bed)
{
    keep_pictures(bed);
    make_rooms(bed);
    publish(bed);
    struct sizes all = measure(bed, STORE_MEASURED_MAX);
    for (int at_a_time = 1; at_a_time <= 64; at_a_time *= 4) {
        struct sizes some = measure(bed, at_a_time);
        assert_memory_equal(&some, &all, sizeof all);
    }
}

/* SQLite's file is all there is. */
static void the_kinds_add_up_to_the_whole(struct store_bed *bed)
{
    int64_t sum = 0;
    if (bed->table != &store_sqlite)
        return;
    make_rooms(bed);
    struct sizes sizes = measure(bed, 7);
    struct store_answer answer =
        store_perform(bed, &(struct store_request){.ask = STORE_SURVEY, .room = ""});
    for (int size = 0; size < STORE_SIZES; size++)
        sum += sizes.of[size];
    assert_int_equal(answer.status, STORE_OK);
    assert_int_equal(sum, answer.survey->database_bytes - answer.survey->unused_bytes);
    store_answer_release(&answer);
}

/* Whoever names one that is none begins at the first. */
static void a_strange_place_is_the_first(struct store_bed *bed)
{
    struct store_answer answer = store_perform(
        bed, &(struct store_request){.ask = STORE_MEASURE, .room = "no place", .from = -1});
    assert_int_equal(answer.status, STORE_OK);
    assert_true(answer.measure->next[0] == '\0' || answer.measure->next[0] == '1');
    store_answer_release(&answer);
}

int main(void)
{
    static const struct store_case cases[] = {
        {"what is written is measured under its kind", what_is_written_is_measured_under_its_kind},
        {"parts of any length add up to the same", parts_of_any_length_add_up_to_the_same},
        {"the kinds add up to the whole", the_kinds_add_up_to_the_whole},
        {"a strange place is the first", a_strange_place_is_the_first},
    };
    return store_run_cases("store_sizes", cases, sizeof cases / sizeof *cases);
}
