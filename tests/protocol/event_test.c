/* What is kept of a room is its events: each kind is written and read back the same, and a body that is not one is
 * refused, however it came into the store. */
#include "tests/support/test.h"

#include "protocol/event.h"

#include <stdlib.h>
#include <string.h>

#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }
#define PERSON "\"player\":\"p_1\",\"name\":\"A\\\"da\""

struct row {
    const char *kind, *body;
};

/* clang-format off */
static const struct row good[] = {
    {"created", "{\"game\":\"chess\"}"},
    {"created", "{\"game\":\"\",\"previous_room\":\"k3Qd9xZa\"}"},
    {"created", "{\"game\":\"star\",\"players\":3}"},
    {"created", "{\"game\":\"\",\"previous_room\":\"k3Qd9xZa\",\"players\":8}"},
    {"created", "{\"game\":\"chess\",\"fork\":{\"room\":\"k3Qd9xZa\",\"ply\":0}}"},
    {"created", "{\"game\":\"chess\",\"fork\":{\"room\":\"k3Qd9xZa\",\"ply\":2},\"moves\":[{\"from\":\"e7\",\"to\":\"e8\",\"choice\":\"queen\"},{\"pass\":true}]}"},
    {"created", "{\"game\":\"\",\"import\":{\"room\":\"k3Qd9xZa\"},\"log\":[{\"kind\":\"created\",\"at\":1,\"body\":{\"game\":\"chess\"}}]}"},
    {"created", "{\"game\":\"\",\"previous_room\":\"k3Qd9xZa\",\"seated\":[{\"seat\":\"white\"," PERSON ",\"as\":\"bot\",\"house\":true}]}"},
    {"joined", "{\"seats\":[\"white\"],\"seat\":\"white\"," PERSON ",\"as\":\"human\"}"},
    {"joined", "{\"seats\":[\"white\",\"black\"],\"player\":\"p_1\",\"name\":\"\",\"as\":\"bot\",\"house\":true}"},
    {"left", "{\"seats\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\"]}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"from\":\"e2\",\"to\":\"e4\"}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"from\":\"e7\",\"to\":\"e8\",\"choice\":\"queen\"}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"pass\":true}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"swap\":true}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"to\":\"e4\"}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"to\":\"e4\",\"choice\":\"knight\"}}"},
    {"stopped", "{\"seat\":\"white\",\"move\":{\"from\":\"e2\",\"to\":\"e4\"}}"},
    {"created", "{\"game\":\"chess\",\"clock\":{\"initial_ms\":300000,\"increment_ms\":3000}}"},
    {"created", "{\"game\":\"chess\",\"clock\":{\"initial_ms\":0,\"delay_ms\":1,\"bronstein\":true,\"periods\":3,\"period_ms\":30000,"
                "\"seats\":{\"white\":{\"initial_ms\":60000}}}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"from\":\"e2\",\"to\":\"e4\"},\"spent_ms\":1234}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"pass\":true},\"spent_ms\":1,\"compensated_ms\":80,\"lag_ms\":4294967295}"},
    {"flagged", "{\"seat\":\"white\"}"},
    {"resigned", "{\"seat\":\"white\"}"},
    {"aborted", "{\"seat\":\"white\"}"},
    {"claimed", "{\"seat\":\"white\"}"},
    {"abandoned", "{\"seat\":\"white\",\"by\":\"black\",\"as\":\"win\"}"},
    {"abandoned", "{\"seat\":\"white\",\"by\":\"black\",\"as\":\"draw\"}"},
    {"draw_offered", "{\"seat\":\"white\"}"},
    {"draw_declined", "{\"seat\":\"white\"}"},
    {"draw_accepted", "{\"seat\":\"white\"}"},
    {"drawn", "{}"},
    {"takeback_offered", "{\"seat\":\"white\"}"},
    {"takeback_declined", "{\"seat\":\"white\"}"},
    {"takeback_accepted", "{\"seat\":\"white\"}"},
    {"taken_back", "{\"seat\":\"white\",\"ply\":7}"},
    {"rematch_offered", "{\"seat\":\"white\"}"},
    {"rematch_offered", "{\"seat\":\"white\",\"clock\":{\"initial_ms\":60000,\"increment_ms\":1000}}"},
    {"rematch_offered", "{\"seat\":\"white\",\"clock\":\"none\"}"},
    {"rematch_declined", "{\"seat\":\"white\"}"},
    {"rematch_accepted", "{\"seat\":\"white\"}"},
    {"rematch", "{\"next_room\":\"k3Qd9xZa\"}"},
    {"chat", "{" PERSON ",\"text\":\"hi \xf0\x9f\x98\x80\"}"},
    {"chat", "{\"seat\":\"white\"," PERSON ",\"text\":\"hi\"}"},
    {"seat_key", "{\"seats\":[\"white\"],\"seat\":\"white\",\"key_hash\":\"00ff\"}"},
    {"seat_key", "{\"seats\":[\"white\",\"black\"]}"},
    {"handed_over", "{\"seats\":[\"white\"],\"seat\":\"white\"," PERSON ",\"as\":\"human\"}"},
    {"chat_allowed", "{\"seat\":\"white\",\"voices\":\"nobody\"}"},
    {"muted", "{\"seat\":\"white\",\"player\":\"p_1\"}"},
    {"unmuted", "{\"seat\":\"white\",\"player\":\"p_1\"}"},
};

static const struct row bad[] = {
    {"danced", "{}"},
    {"created", "{\"game\":\"chess\",\"clock\":5}"},
    {"created", "{\"game\":\"chess\",\"clock\":{\"initial_ms\":0}}"},
    {"created", "{\"game\":\"chess\",\"clock\":{\"initial_ms\":1,\"seats\":[]}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"pass\":true},\"spent_ms\":-1}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"pass\":true},\"lag_ms\":-1}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"pass\":true},\"compensated_ms\":4294967296}"},
    {"flagged", "{}"},
    {"abandoned", "{\"seat\":\"white\"}"},
    {"abandoned", "{\"seat\":\"white\",\"by\":\"black\",\"as\":\"loss\"}"},
    {"abandoned", "{\"seat\":\"white\",\"by\":1,\"as\":\"win\"}"},
    {"taken_back", "{\"seat\":\"white\"}"},
    {"taken_back", "{\"seat\":\"white\",\"ply\":-1}"},
    {"taken_back", "{\"seat\":\"white\",\"ply\":\"1\"}"},
    {"chat_allowed", "{\"seat\":\"white\",\"voices\":\"cats\"}"},
    {"chat_allowed", "{\"seat\":\"white\"}"},
    {"muted", "{\"seat\":\"white\"}"},
    {"", "{}"},
    {"drawn", ""},
    {"drawn", "[]"},
    {"drawn", "{}{}"},
    {"drawn", "{\"x\":[[[[[[1]]]]]]}"},
    {"created", "{\"game\":\"\",\"fork\":{\"room\":\"k3Qd9xZa\"}}"},
    {"created", "{\"game\":\"\",\"fork\":{\"ply\":3}}"},
    {"created", "{\"game\":\"\",\"fork\":{\"room\":\"k3Qd9xZa\",\"ply\":-1}}"},
    {"created", "{\"game\":\"\",\"import\":true}"},
    {"created", "{\"game\":\"\",\"moves\":{}}"},
    {"created", "{\"game\":\"\",\"moves\":[{\"from\":\"e2\"}]}"},
    {"created", "{\"game\":\"\",\"moves\":[\"e2e4\"]}"},
    {"created", "{\"game\":\"\",\"log\":[]}"},
    {"created", "{\"game\":\"\",\"log\":{}}"},
    {"created", "{\"game\":\"\",\"seated\":[{\"seat\":\"white\"}]}"},
    {"created", "{\"game\":\"\",\"seated\":[1,2,3,4,5,6,7,8,9]}"},
    {"created", "{}"},
    {"joined", "{\"seats\":\"white\"," PERSON ",\"as\":\"human\"}"},
    {"joined", "{\"seats\":[1]," PERSON ",\"as\":\"human\"}"},
    {"joined", "{\"seats\":[\"white\"]," PERSON ",\"as\":\"ghost\"}"},
    {"joined", "{\"seats\":[\"white\"]," PERSON "}"},
    {"joined", "{\"seats\":[\"white\"],\"player\":\"p_1\",\"as\":\"bot\"}"},
    {"left", "{\"seats\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]}"},
    {"left", "{}"},
    {"moved", "{\"seat\":\"white\"}"},
    {"moved", "{\"seat\":\"white\",\"move\":\"e2e4\"}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"from\":\"e2\"}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"from\":null,\"to\":\"e4\"}}"},
    {"moved", "{\"move\":{\"from\":\"e2\",\"to\":\"e4\"}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"pass\":false}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"pass\":true,\"swap\":true}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"swap\":true,\"to\":\"e4\"}}"},
    {"moved", "{\"seat\":\"white\",\"move\":{\"pass\":true,\"from\":\"e2\",\"to\":\"e4\"}}"},
    {"created", "{\"game\":\"star\",\"players\":0}"},
    {"created", "{\"game\":\"star\",\"players\":9}"},
    {"created", "{\"game\":\"star\",\"players\":\"3\"}"},
    {"claimed", "{}"},
    {"resigned", "{\"seat\":null}"},
    {"aborted", "{}"},
    {"rematch", "{\"next_room\":7}"},
    {"rematch_offered", "{\"seat\":\"white\",\"clock\":\"some\"}"},
    {"rematch_offered", "{\"seat\":\"white\",\"clock\":{\"initial_ms\":0}}"},
    {"chat", "{" PERSON "}"},
    {"seat_key", "{\"key_hash\":\"00ff\"}"},
    {"handed_over", "{\"seats\":[\"white\"],\"as\":\"human\"}"},
};
/* clang-format on */

static bool read_exactly(const struct row *row, struct event *event)
{
    size_t length = strlen(row->body);
    char *body = malloc(length + (length == 0)); /* exactly: reading past its end is seen */
    assert_non_null(body);
    memcpy(body, row->body, length);
    bool is_event = event_read(row->kind, body, length, event);
    free(body);
    return is_event;
}

static void every_kind_is_read_as_it_was_written(void **state)
{
    (void)state;
    struct writer writer;
    bool seen[EVENT_KIND_COUNT] = {false};
    writer_init(&writer);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct event event;
        assert_true(read_exactly(&good[i], &event));
        assert_string_equal(event_kind_word(event.kind), good[i].kind);
        seen[event.kind] = true;
        writer_clear(&writer);
        event_write(&event, &writer);
        event_release(&event);
        struct event again;
        assert_true(event_read(good[i].kind, writer.data, writer.length, &again));
        event_release(&again);
        /* The order of members is the writer's: as many, and each of them. */
        assert_int_equal(writer.length, strlen(good[i].body));
    }
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        assert_true(seen[kind]);
    writer_release(&writer);
}

static void what_is_written_says_what_happened(void **state)
{
    (void)state;
    struct writer writer;
    const struct event moved = {.kind = EVENT_MOVED,
                                .seat_count = 1,
                                .seats = {TEXT("white")},
                                .from = TEXT("e7"),
                                .to = TEXT("e8"),
                                .choice = TEXT("queen")};
    struct event read;
    writer_init(&writer);
    event_write(&moved, &writer);
    assert_true(event_read("moved", writer.data, writer.length, &read));
    assert_int_equal(read.seat_count, 1);
    assert_memory_equal(read.seats[0].data, "white", read.seats[0].length);
    assert_memory_equal(read.from.data, "e7", read.from.length);
    assert_memory_equal(read.to.data, "e8", read.to.length);
    assert_memory_equal(read.choice.data, "queen", read.choice.length);
    assert_int_equal(read.seats[0].length + read.from.length + read.choice.length, 5 + 2 + 5);
    event_release(&read);
    writer_release(&writer);
}

static void the_hash_of_a_key_is_stored_and_not_shown(void **state)
{
    (void)state;
    struct writer writer;
    const struct event event = {.kind = EVENT_SEAT_KEY,
                                .seat_count = 1,
                                .seats = {TEXT("white")},
                                .key_hash = TEXT("00ff")};
    writer_init(&writer);
    event_write(&event, &writer);
    assert_non_null(strstr(writer_text(&writer), "00ff"));
    writer_clear(&writer);
    writer_object(&writer);
    event_write_members(&event, &writer);
    writer_end(&writer);
    assert_string_equal(writer_text(&writer), "{\"seats\":[\"white\"],\"seat\":\"white\"}");
    writer_release(&writer);
}

static void a_body_that_is_none_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct event event;
        if (read_exactly(&bad[i], &event))
            fail_msg("read as an event: %s %s", bad[i].kind, bad[i].body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read_as_it_was_written),
        cmocka_unit_test(what_is_written_says_what_happened),
        cmocka_unit_test(the_hash_of_a_key_is_stored_and_not_shown),
        cmocka_unit_test(a_body_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
