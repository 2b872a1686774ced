/* Messages of the bus as they are carried: what is written is read again, and nothing else is. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/bus/wire.h"

static const char *const prefix = "senet.base.";
static char subject[WIRE_SUBJECT_BYTES], bytes[WIRE_BYTES_MAX + 1];
static size_t length;

static struct bus_message an_event(void)
{
    return (struct bus_message){.subject = BUS_ROOM,
                                .id = "k3Qd9xZa",
                                .version = 7,
                                .at_ms = 1700000000123,
                                .took_ms = 45,
                                .kind = "moved",
                                .client = "p_1,2:3",
                                .command = "a b",
                                .body = "{\"move\":\"e2e4\"}"};
}

static void write_it(const struct bus_message *message)
{
    assert_true(wire_write(message, prefix, "node1", subject, bytes, &length));
    assert_in_range(length, 1, WIRE_BYTES_MAX);
}

static bool read_it(struct bus_message *message)
{
    return wire_read(message, subject + strlen(prefix), bytes, length);
}

static void what_is_written_is_read_again(void **state)
{
    struct bus_message event = an_event(), read;
    (void)state;
    write_it(&event);
    assert_string_equal(subject, "senet.base.room.k3Qd9xZa");
    assert_true(read_it(&read));
    assert_int_equal(read.subject, BUS_ROOM);
    assert_string_equal(read.id, event.id);
    assert_string_equal(read.node, "node1");
    assert_int_equal(read.version, event.version);
    assert_int_equal(read.at_ms, event.at_ms);
    assert_int_equal(read.took_ms, event.took_ms);
    assert_string_equal(read.kind, event.kind);
    assert_string_equal(read.client, event.client);
    assert_string_equal(read.command, event.command);
    assert_string_equal(read.body, event.body);
}

static void every_subject_has_its_own_values(void **state)
{
    const struct bus_message
        here = {.subject = BUS_HERE,
                .id = "r",
                .spectators = 3,
                .seats = 2,
                .client = "p",
                .at_ms = 5},
        lobby = {.subject = BUS_LOBBY, .id = "r", .version = 1, .at_ms = 7, .body = "{}"},
        seek = {.subject = BUS_SEEK,
                .id = "p",
                .kind = "asks",
                .version = 9,
                .client = "n_a",
                .command = "n_b",
                .body = "k3Qd9xZa"},
        node = {.subject = BUS_NODE, .id = "n", .state = "bye", .release = "0.1", .load = 9};
    struct bus_message read;
    (void)state;
    write_it(&here);
    assert_true(read_it(&read));
    assert_int_equal(read.spectators * 10 + read.seats, 32);
    assert_string_equal(read.client, "p");
    assert_int_equal(read.at_ms, 5);
    write_it(&lobby);
    assert_string_equal(subject, "senet.base.lobby.r");
    assert_true(read_it(&read));
    assert_string_equal(read.body, "{}");
    assert_int_equal(read.version * 10 + read.at_ms, 17);
    assert_string_equal(read.id, "r");
    write_it(&seek);
    assert_string_equal(subject, "senet.base.seek.p");
    assert_true(read_it(&read));
    assert_string_equal(read.kind, "asks");
    assert_string_equal(read.client, "n_a");
    assert_string_equal(read.command, "n_b");
    assert_string_equal(read.body, "k3Qd9xZa");
    assert_int_equal(read.version, 9);
    write_it(&node);
    assert_true(read_it(&read));
    assert_string_equal(read.state, "bye");
    assert_string_equal(read.release, "0.1");
    assert_int_equal(read.load, 9);
}

static void a_body_too_long_is_left_out(void **state)
{
    char *body = calloc(1, BUS_BODY_BYTES_MAX + 2);
    struct bus_message event = an_event(), read;
    (void)state;
    memset(body, 'x', BUS_BODY_BYTES_MAX);
    event.body = body;
    write_it(&event);
    assert_true(read_it(&read));
    assert_int_equal(strlen(read.body), BUS_BODY_BYTES_MAX);
    body[BUS_BODY_BYTES_MAX] = 'x';
    write_it(&event);
    assert_true(read_it(&read));
    assert_string_equal(read.body, "");
    assert_int_equal(read.version, 7);
    free(body);
}

static void the_longest_words_fit_beside_the_longest_body(void **state)
{
    char *body = calloc(1, BUS_BODY_BYTES_MAX + 1), word[BUS_WORD_BYTES + 1] = "",
         name[BUS_NAME_BYTES + 1] = "";
    struct bus_message event = {.subject = BUS_ROOM,
                                .id = name,
                                .version = INT64_MAX,
                                .at_ms = INT64_MAX,
                                .kind = word,
                                .client = word,
                                .command = word,
                                .body = body};
    (void)state;
    memset(body, 'x', BUS_BODY_BYTES_MAX);
    memset(word, 'x', BUS_WORD_BYTES);
    memset(name, 'x', BUS_NAME_BYTES);
    assert_true(wire_write(&event, prefix, name, subject, bytes, &length));
    assert_in_range(length, BUS_BODY_BYTES_MAX, WIRE_BYTES_MAX);
    free(body);
}

static void what_is_no_name_or_too_long_a_word_is_not_written(void **state)
{
    static const char *const ids[] = {"", "a.b", "a b", "*", ">", "\xc3\xa4", NULL};
    char word[BUS_WORD_BYTES + 2] = "";
    struct bus_message event = an_event();
    (void)state;
    for (int i = 0; ids[i] != NULL; i++) {
        event.id = ids[i];
        assert_false(wire_write(&event, prefix, "node1", subject, bytes, &length));
    }
    event = an_event();
    assert_false(wire_write(&event, prefix, "no de", subject, bytes, &length));
    memset(word, 'x', BUS_WORD_BYTES + 1);
    event.command = word;
    assert_false(wire_write(&event, prefix, "node1", subject, bytes, &length));
}

/* clang-format off */
static const struct {
    const char *rest, *text;
} strangers[] = {
    {"room.r",   ""},
    {"room.r",   "hello"},
    {"room.r",   "1:2,1:n,1:1,1:1,0:,0:,0:,0:,"},   /* another format */
    {"room.r",   "1:1,0:,1:1,1:1,0:,0:,0:,0:,"},    /* nobody says it */
    {"room.r",   "1:1,1:n,1:0,1:1,0:,0:,0:,0:,"},   /* no version */
    {"room.r",   "1:1,1:n,0:,1:1,0:,0:,0:,0:,"},
    {"room.r",   "1:1,1:n,2:-1,1:1,0:,0:,0:,0:,"},
    {"room.r",   "1:1,1:n,19:1000000000000000000,1:1,0:,0:,0:,0:,"},
    {"room.r",   "1:1,1:n,1:1,1:1,0:,0:,0:,"},      /* a value is missing */
    {"room.r",   "1:1,1:n,1:1,1:1,0:,0:,0:,9:x,"},  /* shorter than it says */
    {"room.r",   "1:1,1:n,1:1,1:1,0:,0:,0:,1:xy,"}, /* longer */
    {"room.r",   "1:1,1:n,1:1,1:1,0:,0:,0:,99999999999999999999:x,"},
    {"room.r",   "1:1,1:n,1:1,1:1,0:,0:,0:,0:,1:x,"},  /* no number */
    {"room.r",   "1:1,1:n,1:1,1:1,0:,0:,0:,:x,"},
    {"room.r",   "1:1,1:n,1:1,1:1,0:,0:,0:,-1:x,"},
    {"room",     "1:1,1:n,1:1,1:1,0:,0:,0:,0:,"},
    {"room.",    "1:1,1:n,1:1,1:1,0:,0:,0:,0:,"},
    {"room.a.b", "1:1,1:n,1:1,1:1,0:,0:,0:,0:,"},
    {"lobby.r",  "1:1,1:n,2:[],"},
    {"roomy.r",  "1:1,1:n,1:1,1:1,0:,0:,0:,0:,"},
    {"",         "1:1,1:n,1:1,1:1,0:,0:,0:,0:,"},
};
/* clang-format on */

static bool reads(const char *rest, const char *text)
{
    struct bus_message read;
    length = strlen(text);
    memcpy(bytes, text, length);
    return wire_read(&read, rest, bytes, length);
}

static void what_no_server_writes_is_not_read(void **state)
{
    (void)state;
    assert_true(reads("room.r", "1:1,1:n,1:1,1:1,0:,0:,0:,0:,"));
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        if (reads(strangers[i].rest, strangers[i].text))
            fail_msg("%s is read: %s", strangers[i].rest, strangers[i].text);
    memcpy(bytes, "1:1,1:n,2:[\0,", length = 13);
    struct bus_message read;
    assert_false(wire_read(&read, "lobby.r", bytes, length));
}

static void values_that_newer_servers_add_are_left(void **state)
{
    (void)state;
    assert_true(reads("node.n", "1:1,1:n,2:up,3:0.2,1:4,5:extra,"));
}

/* Cut anywhere, or with any byte changed: it is read or it is not, within its bounds (the sanitizer looks). */
static void spoilt_messages_stay_within_their_bounds(void **state)
{
    struct bus_message event = an_event(), read;
    char whole[512];
    (void)state;
    write_it(&event);
    size_t size = length;
    memcpy(whole, bytes, size);
    for (size_t cut = 0; cut < size; cut++) {
        char *part = malloc(cut + 1);
        memcpy(part, whole, cut);
        bool of_earlier_server = cut == size - strlen("2:45,");
        assert_int_equal(wire_read(&read, "room.r", part, cut), of_earlier_server);
        assert_true(!of_earlier_server || read.took_ms == 0);
        free(part);
    }
    for (size_t at = 0; at < size; at++)
        for (int value = 0; value < 256; value++) {
            char *part = malloc(size);
            memcpy(part, whole, size);
            part[at] = (char)value;
            wire_read(&read, "room.r", part, size);
            free(part);
        }
}

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        {"what is written is read again", what_is_written_is_read_again, NULL, NULL, NULL},
        {"every subject has its own values", every_subject_has_its_own_values, NULL, NULL, NULL},
        {"a body that is too long is left out", a_body_too_long_is_left_out, NULL, NULL, NULL},
        {"the longest words fit beside the longest body", the_longest_words_fit_beside_the_longest_body, NULL, NULL, NULL},
        {"what is no name, or too long a word, is not written", what_is_no_name_or_too_long_a_word_is_not_written, NULL, NULL, NULL},
        {"what no server writes is not read", what_no_server_writes_is_not_read, NULL, NULL, NULL},
        {"values that newer servers add are left", values_that_newer_servers_add_are_left, NULL, NULL, NULL},
        {"spoilt messages stay within their bounds", spoilt_messages_stay_within_their_bounds, NULL, NULL, NULL},
    };
    /* clang-format on */
    return cmocka_run_group_tests_name("the bus's messages", tests, NULL, NULL);
}
