/* What every store does: a table of implementations times a table of cases. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct store_seat seat_of(const char *seat, const char *player)
{
    return (struct store_seat){.seat = seat,
                               .player = player,
                               .token_hash = "cafe",
                               .name = "Somebody",
                               .bot = false,
                               .house = false};
}

static void do_ok(struct store_bed *bed, const struct store_request *request)
{
    enum store_status status = store_do(bed, request);
    if (status == STORE_FAILED)
        fail_msg("%s", bed->words);
    assert_int_equal(status, STORE_OK);
}

static void create(struct store_bed *bed, const char *room)
{
    struct store_request request = store_creation(room, "p_one", room);
    do_ok(bed, &request);
}

static enum store_status move(struct store_bed *bed, const char *room, int64_t expected_version,
                              const char *client, const char *command)
{
    struct store_request request = store_continuation(room, expected_version, client, command,
                                                      "{\"from\":\"a\",\"to\":\"b\"}");
    return store_do(bed, &request);
}

static void expect_duplicate(struct store_bed *bed, const struct store_request *request,
                             const char *room, int64_t version, const char *kind)
{
    struct store_answer answer = store_perform(bed, request);
    assert_int_equal(answer.status, STORE_DUPLICATE);
    assert_string_equal(answer.duplicate_room, room);
    assert_int_equal(answer.duplicate_version, version);
    assert_string_equal(answer.duplicate_kind, kind);
    store_answer_release(&answer);
}

/* --- rooms and events ------------------------------------------------------------------------- */

static void expect_rich_room(const struct store_room *room)
{
    assert_string_equal(room->id, "rich");
    assert_string_equal(room->game, "");
    assert_string_equal(room->title, "Own game");
    assert_string_equal(room->definition_hash, "beef");
    assert_false(room->is_public);
    assert_int_equal(room->status, STORE_PLAYING);
    assert_int_equal(room->version, 1);
    assert_int_equal(room->created_at_ms, 1712345678901);
    assert_string_equal(room->players, "[\"a\",\"b\"]");
    assert_int_equal(room->seat_count, 2);
    assert_string_equal(room->seats[0].seat, "a");
    assert_string_equal(room->seats[0].player, "p_x");
    assert_string_equal(room->seats[0].token_hash, "cafe");
    assert_string_equal(room->seats[0].name, "Somebody");
    assert_false(room->seats[0].bot);
    assert_false(room->seats[0].house);
    assert_string_equal(room->seats[1].seat, "b");
    assert_string_equal(room->seats[1].name, "Machine");
    assert_true(room->seats[1].bot);
    assert_true(room->seats[1].house);
}

static void loads_what_was_written(struct store_bed *bed)
{
    struct store_request request = store_creation("rich", "p_x", "c-1");
    struct store_write *write = &request.writes[0];
    write->room.game = "";
    write->room.title = "Own game";
    write->room.definition_hash = "beef";
    write->room.is_public = false;
    write->room.status = STORE_PLAYING;
    write->room.created_at_ms = 1712345678901;
    write->room.players = "[\"a\",\"b\"]";
    write->room.seat_count = 2;
    write->room.seats[0] = seat_of("a", "p_x");
    write->room.seats[1] = seat_of("b", "p_y");
    write->room.seats[1].name = "Machine";
    write->room.seats[1].bot = write->room.seats[1].house = true;
    write->definition = "{\"own\":true}";
    write->event.body = "{\"game\":\"\"}";
    do_ok(bed, &request);

    struct store_request question = store_question(STORE_LOAD, "rich", NULL);
    struct store_answer answer = store_perform(bed, &question);
    assert_int_equal(answer.status, STORE_OK);
    assert_int_equal(answer.room_count, 1);
    expect_rich_room(&answer.rooms[0]);
    assert_string_equal(answer.definition, "{\"own\":true}");
    assert_int_equal(answer.definition_length, strlen("{\"own\":true}"));
    assert_int_equal(answer.event_count, 1);
    assert_int_equal(answer.events[0].version, 1);
    assert_int_equal(answer.events[0].at_ms, 1700000000000);
    assert_string_equal(answer.events[0].kind, "created");
    assert_string_equal(answer.events[0].client, "p_x");
    assert_string_equal(answer.events[0].command, "c-1");
    assert_string_equal(answer.events[0].body, "{\"game\":\"\"}");
    store_answer_release(&answer);
    assert_null(answer.arena);
}

static void unknown_rooms_are_not_found(struct store_bed *bed)
{
    create(bed, "known");
    struct store_request load = store_question(STORE_LOAD, "unknown", NULL);
    assert_int_equal(store_do(bed, &load), STORE_NOT_FOUND);
    struct store_request history = store_question(STORE_HISTORY, "unknown", NULL);
    history.from = 1;
    history.to = 10;
    assert_int_equal(store_do(bed, &history), STORE_NOT_FOUND);
}

static void only_the_expected_version_is_continued(struct store_bed *bed)
{
    create(bed, "r");
    assert_int_equal(move(bed, "r", 1, "p", "c-1"), STORE_OK);
    assert_int_equal(move(bed, "r", 1, "p", "c-2"), STORE_CONFLICT);
    assert_int_equal(move(bed, "r", 3, "p", "c-3"), STORE_CONFLICT);
    assert_int_equal(store_version(bed, "r"), 2);
    /* A command that met a conflict was not seen: it may come again. */
    assert_int_equal(move(bed, "r", 2, "p", "c-2"), STORE_OK);
    store_bed_reopen(bed);
    assert_int_equal(move(bed, "r", 2, "p", "c-4"), STORE_CONFLICT);
    assert_int_equal(move(bed, "r", 3, "p", "c-4"), STORE_OK);
    assert_int_equal(store_version(bed, "r"), 4);
}

static void nobody_continues_a_room_that_is_not(struct store_bed *bed)
{
    assert_int_equal(move(bed, "none", 1, "p", "c-1"), STORE_CONFLICT);
    assert_int_equal(store_version(bed, "none"), 0);
}

static void a_room_is_made_once(struct store_bed *bed)
{
    create(bed, "r");
    struct store_request again = store_creation("r", "p_other", "c-9");
    assert_int_equal(store_do(bed, &again), STORE_CONFLICT);
    assert_int_equal(store_version(bed, "r"), 1);
}

static void seats_and_status_follow_the_event(struct store_bed *bed)
{
    create(bed, "r");
    struct store_request join = store_continuation("r", 1, "p", "c-1", "{}");
    store_turns(&join, STORE_PLAYING);
    join.writes[0].room.seat_count = 2;
    join.writes[0].room.seats[0] = seat_of("white", "p_a");
    join.writes[0].room.seats[1] = seat_of("black", "p_b");
    join.writes[0].seats_changed = true;
    do_ok(bed, &join);
    struct store_request play = store_continuation("r", 2, "p", "c-2", "{}");
    store_turns(&play, STORE_PLAYING);
    do_ok(bed, &play);
    struct store_request leave = store_continuation("r", 3, "p", "c-3", "{}");
    store_turns(&leave, STORE_FINISHED);
    leave.writes[0].room.seat_count = 1;
    leave.writes[0].room.seats[0] = seat_of("black", "p_b");
    leave.writes[0].seats_changed = true;

    for (int left = 0; left < 2; left++) {
        struct store_request question = store_question(STORE_LOAD, "r", NULL);
        struct store_answer answer = store_perform(bed, &question);
        assert_int_equal(answer.status, STORE_OK);
        assert_int_equal(answer.rooms[0].status, left ? STORE_FINISHED : STORE_PLAYING);
        assert_int_equal(answer.rooms[0].seat_count, left ? 1 : 2);
        assert_string_equal(answer.rooms[0].seats[0].seat, left ? "black" : "white");
        assert_string_equal(answer.rooms[0].title, "Chess");
        store_answer_release(&answer);
        if (!left)
            do_ok(bed, &leave);
    }
}

static void any_text_survives(struct store_bed *bed)
{
    static const char wild[] = "\"'`;-- DROP TABLE event; \\ \xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x9a "
                               "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d\t\x01 %s ?1 \xef\xbf\xbd";
    struct store_request request = store_creation("wild", wild, "';--");
    request.writes[0].event.client = "p'\"\xe2\x82\xac";
    request.writes[0].room.title = wild;
    request.writes[0].definition = wild;
    request.writes[0].event.body = wild;
    request.writes[0].room.seat_count = 1;
    request.writes[0].room.seats[0] = seat_of("white", "p");
    request.writes[0].room.seats[0].name = wild;
    do_ok(bed, &request);
    struct store_request chat = store_continuation("wild", 1, "p", "\xe2\x82\xac\"", wild);
    do_ok(bed, &chat);
    store_bed_reopen(bed);

    struct store_request question = store_question(STORE_LOAD, "wild", NULL);
    struct store_answer answer = store_perform(bed, &question);
    assert_int_equal(answer.status, STORE_OK);
    assert_string_equal(answer.rooms[0].title, wild);
    assert_string_equal(answer.rooms[0].seats[0].name, wild);
    assert_string_equal(answer.definition, wild);
    assert_string_equal(answer.events[0].client, "p'\"\xe2\x82\xac");
    assert_string_equal(answer.events[0].body, wild);
    assert_string_equal(answer.events[1].command, "\xe2\x82\xac\"");
    assert_string_equal(answer.events[1].body, wild);
    store_answer_release(&answer);
    expect_duplicate(bed, &chat, "wild", 2, "moved");
}

static void a_large_definition_is_whole(struct store_bed *bed)
{
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    for (int i = 0; i < LENGTH; i++)
        text[i] = (char)('a' + i * 7 % 26);
    text[LENGTH] = '\0';
    struct store_request request = store_creation("large", "p", "c");
    request.writes[0].definition = text;
    request.writes[0].room.definition_hash = "large";
    do_ok(bed, &request);
    struct store_request question = store_question(STORE_LOAD, "large", NULL);
    struct store_answer answer = store_perform(bed, &question);
    assert_int_equal(answer.definition_length, LENGTH);
    assert_string_equal(answer.definition, text);
    store_answer_release(&answer);
    free(text);
}

/* --- commands --------------------------------------------------------------------------------- */

static void a_command_is_appended_once(struct store_bed *bed)
{
    create(bed, "r");
    struct store_request first = store_continuation("r", 1, "p", "c-1", "{}");
    first.writes[0].event.kind = "resigned";
    do_ok(bed, &first);
    assert_int_equal(move(bed, "r", 2, "p", "c-2"), STORE_OK);
    expect_duplicate(bed, &first, "r", 2, "resigned");
    struct store_request again = store_continuation("r", 3, "p", "c-1", "{\"other\":1}");
    expect_duplicate(bed, &again, "r", 2, "resigned");
    store_bed_reopen(bed);
    expect_duplicate(bed, &again, "r", 2, "resigned");
    assert_int_equal(store_version(bed, "r"), 3);
}

static void others_may_use_the_same_command_id(struct store_bed *bed)
{
    create(bed, "r");
    create(bed, "s");
    assert_int_equal(move(bed, "r", 1, "p", "c-1"), STORE_OK);
    assert_int_equal(move(bed, "r", 2, "q", "c-1"), STORE_OK);
    assert_int_equal(move(bed, "s", 1, "p", "c-1"), STORE_OK);
    /* The border between client and command is part of the pair. */
    assert_int_equal(move(bed, "r", 3, "pc", "-1"), STORE_OK);
}

static void the_server_may_repeat_itself(struct store_bed *bed)
{
    create(bed, "r");
    for (int64_t version = 1; version < 5; version++)
        assert_int_equal(move(bed, "r", version, "", ""), STORE_OK);
    struct store_request one = store_creation("one", "", ""), two = store_creation("two", "", "");
    do_ok(bed, &one);
    do_ok(bed, &two);
}

static void a_creation_sent_twice_makes_one_room(struct store_bed *bed)
{
    struct store_request first = store_creation("first", "p", "c-1");
    struct store_request again = store_creation("second", "p", "c-1");
    do_ok(bed, &first);
    expect_duplicate(bed, &again, "first", 1, "created");
    store_bed_reopen(bed);
    expect_duplicate(bed, &again, "first", 1, "created");
    assert_int_equal(store_version(bed, "second"), 0);
    again.writes[0].event.client = "q";
    do_ok(bed, &again);
    /* Inside a room the creator's command counts as any other. */
    struct store_request inside = store_continuation("first", 1, "p", "c-1", "{}");
    expect_duplicate(bed, &inside, "first", 1, "created");
}

/* --- two rooms at once ------------------------------------------------------------------------ */

static struct store_request rematch(const char *room, int64_t expected_version, const char *next,
                                    const char *command)
{
    struct store_request request = store_continuation(room, expected_version, "p", command, "{}");
    struct store_request creation = store_creation(next, "p", command);
    request.write_count = 2;
    request.writes[1] = creation.writes[0];
    return request;
}

static void two_rooms_are_written_together(struct store_bed *bed)
{
    create(bed, "a");
    struct store_request request = rematch("a", 1, "b", "c-1");
    do_ok(bed, &request);
    assert_int_equal(store_version(bed, "a"), 2);
    assert_int_equal(store_version(bed, "b"), 1);
    expect_duplicate(bed, &request, "a", 2, "moved");

    struct store_request both = store_continuation("a", 2, "p", "c-2", "{}");
    struct store_request other = store_continuation("b", 1, "p", "c-2", "{}");
    both.write_count = 2;
    both.writes[1] = other.writes[0];
    do_ok(bed, &both);
    assert_int_equal(move(bed, "a", 3, "p", "c-3"), STORE_OK);
    assert_int_equal(move(bed, "b", 2, "p", "c-3"), STORE_OK);
    assert_int_equal(store_version(bed, "a"), 4);
    assert_int_equal(store_version(bed, "b"), 3);
}

static void or_neither_room_is_written(struct store_bed *bed)
{
    create(bed, "a");
    create(bed, "b");
    struct store_request second_exists = rematch("a", 1, "b", "c-1");
    assert_int_equal(store_do(bed, &second_exists), STORE_CONFLICT);
    struct store_request first_stale = rematch("a", 2, "c", "c-2");
    assert_int_equal(store_do(bed, &first_stale), STORE_CONFLICT);
    struct store_request second_twice = rematch("a", 1, "d", "c-3");
    second_twice.writes[1].event.client = "p_one";
    second_twice.writes[1].event.command = "b";
    expect_duplicate(bed, &second_twice, "b", 1, "created");
    for (int reopened = 0; reopened < 2; reopened++) {
        assert_int_equal(store_version(bed, "a"), 1);
        assert_int_equal(store_version(bed, "b"), 1);
        assert_int_equal(store_version(bed, "c"), 0);
        assert_int_equal(store_version(bed, "d"), 0);
        store_bed_reopen(bed);
    }
}

/* --- batches ---------------------------------------------------------------------------------- */

static void one_refusal_does_not_spoil_the_batch(struct store_bed *bed)
{
    create(bed, "r");
    create(bed, "s");
    struct store_request requests[] = {
        store_continuation("r", 1, "p", "c-1", "{\"n\":1}"),
        store_continuation("r", 1, "p", "c-1", "{\"n\":2}"),
        store_continuation("r", 1, "p", "c-2", "{\"n\":3}"),
        store_question(STORE_LOAD, "r", NULL),
        store_continuation("s", 1, "p", "c-1", "{\"n\":4}"),
        rematch("s", 2, "r", "c-2"),
        store_continuation("s", 2, "p", "c-3", "{\"n\":5}"),
        store_creation("t", "p", "c-4"),
        store_creation("u", "p", "c-4"),
        store_continuation("t", 1, "p", "c-5", "{\"n\":6}"),
        store_question(STORE_LOAD, "nowhere", NULL),
    };
    static const enum store_status expected[] = {
        STORE_OK, STORE_DUPLICATE, STORE_CONFLICT,  STORE_OK, STORE_OK,        STORE_CONFLICT,
        STORE_OK, STORE_OK,        STORE_DUPLICATE, STORE_OK, STORE_NOT_FOUND,
    };
    enum { COUNT = sizeof requests / sizeof *requests };
    struct store_answer answers[COUNT];
    for (int i = 0; i < COUNT; i++)
        requests[i].ticket = (uint64_t)i + 100;
    bed->table->perform(bed->driver, requests, COUNT, answers);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(answers[i].ticket, i + 100);
        assert_int_equal(answers[i].status, expected[i]);
    }
    assert_int_equal(answers[1].duplicate_version, 2);
    assert_int_equal(answers[3].event_count, 2);
    assert_string_equal(answers[3].events[1].body, "{\"n\":1}");
    assert_string_equal(answers[8].duplicate_room, "t");
    for (int i = 0; i < COUNT; i++)
        store_answer_release(&answers[i]);
    store_bed_reopen(bed);
    assert_int_equal(store_version(bed, "r"), 2);
    assert_int_equal(store_version(bed, "s"), 3);
    assert_int_equal(store_version(bed, "t"), 2);
    assert_int_equal(store_version(bed, "u"), 0);
}

/* So many rooms that a store may write them at once, and one of them twice. */
static void moves_of_many_rooms_each_get_their_answer(struct store_bed *bed)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    enum { ROOMS = sizeof names / sizeof *names };
    for (int i = 0; i < ROOMS; i++)
        create(bed, names[i]);
    struct store_request before = store_continuation("b", 1, "p", "c-1", "{}");
    assert_int_equal(store_do(bed, &before), STORE_OK);
    struct store_request requests[] = {
        store_continuation("a", 1, "p", "c-1", "{\"n\":\"\\\"1,{}\"}"),
        store_continuation("b", 2, "p", "c-1", "{\"n\":2}"),
        store_continuation("c", 1, "p", "c-1", "{\"n\":3}"),
        store_continuation("d", 7, "p", "c-1", "{\"n\":4}"),
        store_continuation("e", 1, "p", "c-1", "{\"n\":5}"),
        store_continuation("nobody's", 1, "p", "c-1", "{\"n\":6}"),
        store_continuation("a", 2, "q", "c-1", "{\"n\":7}"),
        store_continuation("f", 1, "p", "c-1", "{\"n\":8}"),
    };
    static const enum store_status expected[] = {STORE_OK,       STORE_DUPLICATE, STORE_OK,
                                                 STORE_CONFLICT, STORE_CONFLICT,  STORE_CONFLICT,
                                                 STORE_OK,       STORE_OK};
    enum { COUNT = sizeof requests / sizeof *requests };
    struct store_answer answers[COUNT];
    requests[4].writes[0].epoch++; /* somebody else's time */
    bed->table->perform(bed->driver, requests, COUNT, answers);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(answers[i].status, expected[i]);
    assert_string_equal(answers[1].duplicate_room, "b");
    assert_int_equal(answers[1].duplicate_version, 2);
    for (int i = 0; i < COUNT; i++)
        store_answer_release(&answers[i]);
    static const int64_t versions[ROOMS] = {3, 2, 2, 1, 1, 2};
    for (int i = 0; i < ROOMS; i++)
        assert_int_equal(store_version(bed, names[i]), versions[i]);
    struct store_request question = store_question(STORE_LOAD, "a", NULL);
    struct store_answer answer = store_perform(bed, &question);
    assert_string_equal(answer.events[1].body, "{\"n\":\"\\\"1,{}\"}");
    assert_string_equal(answer.events[2].client, "q");
    store_answer_release(&answer);
}

/* --- lists ------------------------------------------------------------------------------------ */

static void create_at(struct store_bed *bed, const char *room, int64_t at_ms,
                      enum store_room_status status, bool is_public)
{
    struct store_request request = store_creation(room, "p", room);
    request.writes[0].room.created_at_ms = at_ms;
    store_turns(&request, status);
    request.writes[0].room.is_public = is_public;
    do_ok(bed, &request);
}

static void expect_rooms(struct store_bed *bed, const struct store_request *request,
                         const char *const *rooms, int count)
{
    struct store_answer answer = store_perform(bed, request);
    assert_int_equal(answer.status, STORE_OK);
    assert_int_equal(answer.room_count, count);
    for (int i = 0; i < count; i++)
        assert_string_equal(answer.rooms[i].id, rooms[i]);
    store_answer_release(&answer);
}

static void open_rooms_wait_first_newest_first(struct store_bed *bed)
{
    create_at(bed, "play1", 1000, STORE_PLAYING, true);
    create_at(bed, "wait1", 2000, STORE_WAITING, true);
    create_at(bed, "done", 3000, STORE_FINISHED, true);
    create_at(bed, "secret", 4000, STORE_WAITING, false);
    create_at(bed, "play2", 5000, STORE_PLAYING, true);
    create_at(bed, "wait2", 6000, STORE_WAITING, true);
    struct store_request request = store_question(STORE_OPEN_ROOMS, NULL, NULL);
    expect_rooms(bed, &request, (const char *const[]){"wait2", "wait1", "play2", "play1"}, 4);

    struct store_request finish = store_continuation("wait2", 1, "p", "c-2", "{}");
    store_turns(&finish, STORE_FINISHED);
    do_ok(bed, &finish);
    struct store_request start = store_continuation("wait1", 1, "p", "c-3", "{}");
    store_turns(&start, STORE_PLAYING);
    do_ok(bed, &start);
    expect_rooms(bed, &request, (const char *const[]){"play2", "wait1", "play1"}, 3);

    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.rooms[1].version, 2);
    assert_int_equal(answer.rooms[0].version, 1);
    assert_string_equal(answer.rooms[1].players, "[\"white\",\"black\"]");
    store_answer_release(&answer);
    store_bed_reopen(bed);
    answer = store_perform(bed, &request);
    assert_int_equal(answer.rooms[1].version, 2);
    store_answer_release(&answer);
}

static void lists_have_an_end(struct store_bed *bed)
{
    char names[STORE_OPEN_ROOMS_MAX + 20][STORE_ROOM_BYTES + 1];
    const int count = sizeof names / sizeof *names;
    for (int i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "room%d", i);
        struct store_request request = store_creation(names[i], "p", names[i]);
        request.writes[0].room.created_at_ms = i;
        request.writes[0].room.seat_count = 1;
        request.writes[0].room.seats[0] = seat_of("white", "p_busy");
        do_ok(bed, &request);
    }
    struct store_request open = store_question(STORE_OPEN_ROOMS, NULL, NULL);
    struct store_request mine = store_question(STORE_PLAYER_ROOMS, NULL, "p_busy");
    const char *newest[STORE_OPEN_ROOMS_MAX];
    for (int i = 0; i < STORE_OPEN_ROOMS_MAX; i++)
        newest[i] = names[count - 1 - i];
    expect_rooms(bed, &open, newest, STORE_OPEN_ROOMS_MAX);
    expect_rooms(bed, &mine, newest, STORE_PLAYER_ROOMS_MAX);
    mine.from = STORE_PLAYER_ROOMS_MAX;
    expect_rooms(bed, &mine, newest + STORE_PLAYER_ROOMS_MAX, STORE_PLAYER_ROOMS_MAX);
    mine.from = count - 1;
    expect_rooms(bed, &mine, (const char *const[]){names[0]}, 1);
}

static void sit(struct store_bed *bed, const char *room, int64_t at_ms, const char *white,
                const char *black)
{
    struct store_request request = store_creation(room, "p", room);
    struct store_room *row = &request.writes[0].room;
    row->created_at_ms = at_ms;
    row->status = STORE_FINISHED;
    if (white != NULL)
        row->seats[row->seat_count++] = seat_of("white", white);
    if (black != NULL)
        row->seats[row->seat_count++] = seat_of("black", black);
    do_ok(bed, &request);
}

static void a_player_finds_the_rooms_played(struct store_bed *bed)
{
    sit(bed, "old", 1000, "p_a", "p_b");
    sit(bed, "both", 2000, "p_a", "p_a");
    sit(bed, "other", 3000, "p_c", "p_b");
    sit(bed, "new", 4000, NULL, "p_a");
    struct store_request a = store_question(STORE_PLAYER_ROOMS, NULL, "p_a");
    struct store_request b = store_question(STORE_PLAYER_ROOMS, NULL, "p_b");
    struct store_request nobody = store_question(STORE_PLAYER_ROOMS, NULL, "p_z");
    expect_rooms(bed, &a, (const char *const[]){"new", "both", "old"}, 3);
    expect_rooms(bed, &b, (const char *const[]){"other", "old"}, 2);
    expect_rooms(bed, &nobody, NULL, 0);

    struct store_request open = store_continuation("old", 1, "p", "open", "{}");
    store_turns(&open, STORE_PLAYING); /* which comes first for as long as it goes on */
    do_ok(bed, &open);
    expect_rooms(bed, &b, (const char *const[]){"old", "other"}, 2);
    b.from = 1;
    expect_rooms(bed, &b, (const char *const[]){"other"}, 1);
    struct store_request end = store_continuation("old", 2, "p", "end", "{}");
    store_turns(&end, STORE_FINISHED);
    do_ok(bed, &end);

    struct store_request leave = store_continuation("new", 1, "p_a", "leave", "{}");
    leave.writes[0].seats_changed = true;
    do_ok(bed, &leave);
    expect_rooms(bed, &a, (const char *const[]){"both", "old"}, 2);
}

/* --- history ---------------------------------------------------------------------------------- */

static void expect_history(struct store_bed *bed, const char *room, int64_t from, int64_t to,
                           int64_t first, int count)
{
    struct store_request request = store_question(STORE_HISTORY, room, NULL);
    request.from = from;
    request.to = to;
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    assert_int_equal(answer.event_count, count);
    for (int i = 0; i < count; i++) {
        char command[STORE_COMMAND_BYTES_MAX + 1];
        assert_int_equal(answer.events[i].version, first + i);
        if (first + i == 1)
            continue;
        snprintf(command, sizeof command, "c-%" PRId64, first + i);
        assert_string_equal(answer.events[i].command, command);
    }
    store_answer_release(&answer);
}

/* Appends in batches, as the worker would, with its housekeeping. The n-th event's command is
 * "c-n". */
static void play_on(struct store_bed *bed, const char *room, int64_t from, int64_t to)
{
    enum { BATCH = 64 };
    struct store_request requests[BATCH];
    struct store_answer answers[BATCH];
    char commands[BATCH][24];
    for (int64_t version = from; version < to;) {
        int count = 0;
        for (; count < BATCH && version < to; count++, version++) {
            snprintf(commands[count], sizeof commands[count], "c-%" PRId64, version + 1);
            requests[count] = store_continuation(room, version, "p", commands[count], "{}");
        }
        bed->table->perform(bed->driver, requests, count, answers);
        for (int i = 0; i < count; i++)
            assert_int_equal(answers[i].status, STORE_OK);
        bed->table->keep_house(bed->driver);
    }
}

static void history_has_bounds(struct store_bed *bed)
{
    create(bed, "r");
    play_on(bed, "r", 1, 300);
    for (int reopened = 0; reopened < 2; reopened++) {
        expect_history(bed, "r", 1, 4, 1, 4);
        expect_history(bed, "r", 7, 7, 7, 1);
        expect_history(bed, "r", -5, 3, 1, 3);
        expect_history(bed, "r", 299, 500, 299, 2);
        expect_history(bed, "r", 301, 400, 0, 0);
        expect_history(bed, "r", 10, 9, 0, 0);
        expect_history(bed, "r", 50, INT64_MAX, 50, STORE_HISTORY_MAX);
        expect_history(bed, "r", INT64_MIN, INT64_MAX, 1, STORE_HISTORY_MAX);
        expect_history(bed, "r", INT64_MAX, INT64_MAX, 0, 0);
        store_bed_reopen(bed);
    }
}

static void a_long_game_stays_in_order(struct store_bed *bed)
{
    enum { EVENTS = 20000 };
    create(bed, "long");
    create(bed, "short");
    play_on(bed, "long", 1, EVENTS / 2);
    play_on(bed, "short", 1, 5);
    play_on(bed, "long", EVENTS / 2, EVENTS);
    for (int reopened = 0; reopened < 2; reopened++) {
        assert_int_equal(store_version(bed, "long"), EVENTS);
        assert_int_equal(store_version(bed, "short"), 5);
        for (int64_t from = 1; from <= EVENTS; from += 150)
            expect_history(bed, "long", from, from + 199, from,
                           from + 199 <= EVENTS ? 200 : (int)(EVENTS - from + 1));
        for (int64_t version = 2; version <= EVENTS; version += 777) {
            char command[24];
            snprintf(command, sizeof command, "c-%" PRId64, version);
            struct store_request again = store_continuation("long", EVENTS, "p", command, "{}");
            expect_duplicate(bed, &again, "long", version, "moved");
        }
        store_bed_reopen(bed);
    }
}

/* --- the secret ------------------------------------------------------------------------------- */

static void the_secret_stays_the_same(struct store_bed *bed)
{
    struct store_request request = store_question(STORE_SECRET, NULL, NULL);
    char first[80] = "";
    for (int i = 0; i < 4; i++) {
        struct store_answer answer = store_perform(bed, &request);
        assert_int_equal(answer.status, STORE_OK);
        assert_int_equal(strlen(answer.secret), 64);
        assert_int_equal(strspn(answer.secret, "0123456789abcdef"), 64);
        if (i == 0)
            snprintf(first, sizeof first, "%s", answer.secret);
        assert_string_equal(answer.secret, first);
        store_answer_release(&answer);
        if (i == 1)
            store_bed_reopen(bed);
    }
    struct store_bed other;
    store_bed_init(&other, bed->table);
    struct store_answer answer = store_perform(&other, &request);
    assert_string_not_equal(answer.secret, first);
    store_answer_release(&answer);
    store_bed_release(&other);
}

/* --- any sequence of requests, against a model ------------------------------------------------ */

enum { MODEL_ROOMS = 6, MODEL_COMMANDS = 40, MODEL_CLIENTS = 3, MODEL_BATCH = 8 };

struct model {
    int64_t versions[MODEL_ROOMS];
    int64_t seen[MODEL_ROOMS][MODEL_CLIENTS][MODEL_COMMANDS]; /* the version it made */
    int creations[MODEL_CLIENTS][MODEL_COMMANDS];             /* 1 + the room it made */
};

static const char *const model_rooms[MODEL_ROOMS] = {"m0", "m1", "m2", "m3", "m4", "m5"};
static const char *const model_clients[MODEL_CLIENTS] = {"p_a", "p_b", "p_c"};

struct model_step {
    int room, client, command;
    int64_t expected;
    char text[24];
};

static enum store_status expect_step(struct model *model, const struct model_step *step,
                                     int64_t *duplicate)
{
    int64_t *seen = &model->seen[step->room][step->client][step->command];
    int *creation = &model->creations[step->client][step->command];
    *duplicate = step->expected == 0 ? *creation != 0 : *seen;
    if (step->expected > 0 && model->versions[step->room] == 0)
        return STORE_CONFLICT;
    if (*duplicate != 0)
        return STORE_DUPLICATE;
    if (step->expected != model->versions[step->room])
        return STORE_CONFLICT;
    *seen = ++model->versions[step->room];
    if (step->expected == 0)
        *creation = step->room + 1;
    return STORE_OK;
}

static struct store_request draw_step(const struct model *model, struct model_step *step,
                                      uint64_t *random)
{
    step->room = (int)(test_random(random) % MODEL_ROOMS);
    step->client = (int)(test_random(random) % MODEL_CLIENTS);
    step->command = (int)(test_random(random) % MODEL_COMMANDS);
    int64_t off = test_random(random) % 4 == 0 ? (int64_t)(test_random(random) % 3) - 1 : 0;
    step->expected = model->versions[step->room] + off;
    if (step->expected < 0)
        step->expected = 0;
    snprintf(step->text, sizeof step->text, "c-%d", step->command);
    const char *room = model_rooms[step->room], *client = model_clients[step->client];
    return step->expected == 0 ? store_creation(room, client, step->text)
                               : store_continuation(room, step->expected, client, step->text, "{}");
}

static void run_model_batch(struct store_bed *bed, struct model *model, uint64_t *random)
{
    struct model_step steps[MODEL_BATCH];
    struct store_request requests[MODEL_BATCH];
    struct store_answer answers[MODEL_BATCH];
    enum store_status expected[MODEL_BATCH];
    int64_t duplicates[MODEL_BATCH];
    int count = 1 + (int)(test_random(random) % MODEL_BATCH);
    for (int i = 0; i < count; i++) {
        requests[i] = draw_step(model, &steps[i], random);
        expected[i] = expect_step(model, &steps[i], &duplicates[i]);
    }
    bed->table->perform(bed->driver, requests, count, answers);
    for (int i = 0; i < count; i++) {
        assert_int_equal(answers[i].status, expected[i]);
        if (expected[i] == STORE_DUPLICATE)
            assert_int_equal(answers[i].duplicate_version, duplicates[i]);
    }
}

static void agrees_with_a_model(struct store_bed *bed)
{
    struct model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    uint64_t random = 20240607;
    for (int i = 0; i < 1500; i++) {
        run_model_batch(bed, model, &random);
        if (i % 100 == 99)
            store_bed_reopen(bed);
    }
    for (int i = 0; i < MODEL_ROOMS; i++)
        assert_int_equal(store_version(bed, model_rooms[i]), model->versions[i]);
    assert_true(model->versions[0] > 50);
    free(model);
}

/* --- kill -9 ---------------------------------------------------------------------------------- */

enum { KILL_ROOMS = 4, KILL_ROUNDS = 20 };

struct acknowledged {
    int64_t version;
    int room;
};

static const char *const kill_rooms[KILL_ROOMS] = {"k0", "k1", "k2", "k3"};

/* In the child, for ever: appends, and says only afterwards what was acknowledged. */
static void append_for_ever(struct store_bed *bed, int out, uint64_t random)
{
    enum { BATCH = 32 };
    struct store_request requests[BATCH];
    struct store_answer answers[BATCH];
    struct acknowledged acknowledged[BATCH];
    char commands[BATCH][24];
    int64_t versions[KILL_ROOMS];
    for (int i = 0; i < KILL_ROOMS; i++)
        versions[i] = store_version(bed, kill_rooms[i]);
    for (;;) {
        int count = 1 + (int)(test_random(&random) % BATCH);
        for (int i = 0; i < count; i++) {
            int room = (int)(test_random(&random) % KILL_ROOMS);
            snprintf(commands[i], sizeof commands[i], "c-%" PRId64, versions[room] + 1);
            requests[i] = versions[room] == 0
                              ? store_creation(kill_rooms[room], kill_rooms[room], commands[i])
                              : store_continuation(kill_rooms[room], versions[room],
                                                   kill_rooms[room], commands[i], commands[i]);
            acknowledged[i] = (struct acknowledged){++versions[room], room};
        }
        bed->table->perform(bed->driver, requests, count, answers);
        for (int i = 0; i < count; i++) {
            if (answers[i].status != STORE_OK)
                _exit(1);
        }
        if (write(out, acknowledged, (size_t)count * sizeof *acknowledged) < 0)
            _exit(2);
        bed->table->keep_house(bed->driver);
    }
}

static void expect_whole_room(struct store_bed *bed, const char *room, int64_t acknowledged)
{
    struct store_request question = store_question(STORE_LOAD, room, NULL);
    struct store_answer answer = store_perform(bed, &question);
    if (acknowledged > 0)
        assert_int_equal(answer.status, STORE_OK);
    assert_true(answer.event_count >= acknowledged);
    for (int i = 0; i < answer.event_count; i++) {
        char command[24];
        snprintf(command, sizeof command, "c-%d", i + 1);
        assert_int_equal(answer.events[i].version, i + 1);
        assert_string_equal(answer.events[i].command, command);
        assert_string_equal(answer.events[i].body, i == 0 ? "{}" : command);
    }
    store_answer_release(&answer);
}

static void kill_once(struct store_bed *bed, int64_t acknowledged[KILL_ROOMS], uint64_t *random)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    bed->table->close(bed->driver);
    bed->driver = NULL;
    uint64_t seed = test_random(random);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        bed->driver = bed->table->open(bed->url, bed->words, sizeof bed->words);
        if (bed->driver == NULL)
            _exit(3);
        append_for_ever(bed, ends[1], seed);
    }
    close(ends[1]);
    struct acknowledged read_one;
    long us = 1000 + (long)(test_random(random) % 60000);
    /* The clock starts with the first acknowledgement, so that no round is idle. */
    bool started = read(ends[0], &read_one, sizeof read_one) == sizeof read_one;
    nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(started);
    assert_true(WIFSIGNALED(status));
    do {
        if (read_one.version > acknowledged[read_one.room])
            acknowledged[read_one.room] = read_one.version;
    } while (read(ends[0], &read_one, sizeof read_one) == sizeof read_one);
    close(ends[0]);
}

static void nothing_acknowledged_is_lost_to_a_kill(struct store_bed *bed)
{
    int64_t acknowledged[KILL_ROOMS] = {0};
    uint64_t random = 9;
    for (int round = 0; round < KILL_ROUNDS; round++) {
        kill_once(bed, acknowledged, &random);
        store_bed_reopen(bed);
        for (int i = 0; i < KILL_ROOMS; i++)
            expect_whole_room(bed, kill_rooms[i], acknowledged[i]);
    }
    int64_t all = 0;
    for (int i = 0; i < KILL_ROOMS; i++)
        all += acknowledged[i];
    assert_true(all >= KILL_ROUNDS); /* no round was idle */
}

/* --- the tables ------------------------------------------------------------------------------- */

/* clang-format off */
static const struct store_case cases[] = {
    {"a room is loaded as it was written", loads_what_was_written},
    {"an unknown room is not found", unknown_rooms_are_not_found},
    {"an append succeeds only at the expected version", only_the_expected_version_is_continued},
    {"a room nobody made cannot be continued", nobody_continues_a_room_that_is_not},
    {"a room is made once", a_room_is_made_once},
    {"seats and status follow the event, and stay when it does not touch them", seats_and_status_follow_the_event},
    {"any text survives", any_text_survives},
    {"a definition of a mebibyte is loaded whole", a_large_definition_is_whole},
    {"the same command again is a duplicate with what it made the first time", a_command_is_appended_once},
    {"another client or another room may use the same command id", others_may_use_the_same_command_id},
    {"the server's own events have no command and are never duplicates", the_server_may_repeat_itself},
    {"a creation sent twice makes one room", a_creation_sent_twice_makes_one_room},
    {"two rooms of one request are written together", two_rooms_are_written_together},
    {"or neither of two rooms is written", or_neither_room_is_written},
    {"conflicts and duplicates leave the rest of their batch alone", one_refusal_does_not_spoil_the_batch},
    {"moves of many rooms in one batch each get their answer", moves_of_many_rooms_each_get_their_answer},
    {"open rooms: public ones, waiting first, newest first", open_rooms_wait_first_newest_first},
    {"lists have an end", lists_have_an_end},
    {"a player finds the rooms played, newest first, each once", a_player_finds_the_rooms_played},
    {"history keeps to the room and to its bounds", history_has_bounds},
    {"twenty thousand events stay in order, and their commands known", a_long_game_stays_in_order},
    {"the secret is made once and is the store's own", the_secret_stays_the_same},
    {"any requests in any order are answered as a model says", agrees_with_a_model},
    {"what was acknowledged outlives kill -9, once and in order", nothing_acknowledged_is_lost_to_a_kill},
};
/* clang-format on */

int main(void)
{
    return store_run_cases("store", cases, (int)(sizeof cases / sizeof *cases));
}
