/* Games that players publish: the way through a thread and the store, what is refused, that an answer comes exactly once
 * whatever the store does, and that rooms of them are rooms like others. What they look like from outside is tested in
 * tests/end_to_end/publish.test.mjs. */
#include "tests/server/core/games.h"
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include "server/core/published_id.h"
#include "server/core/publishing.h"

#include <stdlib.h>
#include <string.h>

#define ADA "AdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaA"
#define EVE "EveEveEveEveEveEveEveEveEveEveEveEveEveEveE"

static uint64_t requests = 1000;

static struct publication game_called(const char *name)
{
    return (struct publication){.name = name,
                                .token = ADA,
                                .ancestor = "",
                                .text = game_of_two,
                                .length = strlen(game_of_two)};
}

static uint64_t publish(struct stage *stage, const struct publication *publication)
{
    core_publish(stage->core, ++requests, &stage->address, publication);
    stage_work(stage);
    return requests;
}

static void expect(const struct stage *stage, uint64_t request, enum published_outcome outcome)
{
    assert_int_equal(stage->published.request, request);
    if (stage->published.outcome != outcome)
        fail_msg("%d instead of %d: %s", (int)stage->published.outcome, (int)outcome,
                 stage->published.words);
    assert_int_equal(outcome == PUBLISHED_UNAVAILABLE || outcome == PUBLISHED_RATE_LIMITED,
                     stage->published.retry_ms > 0);
}

static void expect_told(const struct stage *stage, const char *text)
{
    assert_non_null(stage->published.json);
    if (!strstr(stage->published.json, text))
        fail_msg("no %s in %s", text, stage->published.json);
}

static void publish_game(struct stage *stage, const char *name)
{
    const struct publication publication = game_called(name);
    expect(stage, publish(stage, &publication), PUBLISHED_NEW);
}

static void with_stage(void (*body)(struct stage *stage))
{
    struct stage stage;
    stage_init_small(&stage);
    body(&stage);
    stage_release(&stage);
}

static void versions_body(struct stage *stage)
{
    struct publication publication = game_called("fox");
    publish_game(stage, "fox");
    expect_told(stage, "\"game\":\"fox@1\"");
    expect(stage, publish(stage, &publication), PUBLISHED_OK);
    expect_told(stage, "\"game\":\"fox@1\"");
    publication.text = game_of_three;
    publication.length = strlen(game_of_three);
    publication.listing = STORE_YES;
    publication.ancestor = "fox@1";
    expect(stage, publish(stage, &publication), PUBLISHED_NEW);
    expect_told(stage, "\"game\":\"fox@2\"");
    expect_told(stage, "\"from\":\"fox@1\"");
    core_read_published(stage->core, ++requests, &stage->address, "fox@1");
    stage_work(stage);
    expect(stage, requests, PUBLISHED_OK);
    expect_told(stage, game_of_two);
    core_read_publications(stage->core, ++requests, &stage->address, "");
    stage_work(stage);
    expect(stage, requests, PUBLISHED_OK);
    expect_told(stage, "\"id\":\"fox@2\"");
    core_list_game(stage->core, ++requests, &stage->address, "fox", ADA, false);
    stage_work(stage);
    expect(stage, requests, PUBLISHED_OK);
    core_read_publications(stage->core, ++requests, &stage->address, "");
    stage_work(stage);
    assert_string_equal(stage->published.json, "{\"games\":[]}");
}

static void a_version_comes_after_the_other(void **state)
{
    (void)state;
    with_stage(versions_body);
}

static void expect_refused(struct stage *stage, const struct publication *publication,
                           enum published_outcome outcome)
{
    int kept = stage->store.publication_count, count = stage->published.count;
    expect(stage, publish(stage, publication), outcome);
    assert_int_equal(stage->published.count, count + 1);
    assert_int_equal(stage->store.publication_count, kept);
}

static void refusals_body(struct stage *stage)
{
    struct publication good = game_called("fox"), bad = good;
    publish_game(stage, "fox");
    bad.token = EVE;
    expect_refused(stage, &bad, PUBLISHED_NOT_YOURS);
    bad.token = NULL;
    expect_refused(stage, &bad, PUBLISHED_BAD_TOKEN);
    bad.token = "short";
    expect_refused(stage, &bad, PUBLISHED_BAD_TOKEN);
    bad = good;
    bad.name = "two";
    expect_refused(stage, &bad, PUBLISHED_NOT_YOURS);
    bad.name = "Fox";
    expect_refused(stage, &bad, PUBLISHED_BAD);
    bad = good;
    bad.ancestor = "hen@1";
    expect_refused(stage, &bad, PUBLISHED_BAD);
    bad.ancestor = "hen";
    expect_refused(stage, &bad, PUBLISHED_BAD);
    bad = good;
    bad.text = "{}";
    bad.length = 2;
    expect_refused(stage, &bad, PUBLISHED_BAD);
    expect_told(stage, "\"diagnostics\":[{");
    bad.length = PUBLISH_BYTES_MAX + 1;
    expect_refused(stage, &bad, PUBLISHED_BAD);
    stage->fail_all = true;
    stage->next_status = STORE_FAILED;
    good.name = "hen";
    expect_refused(stage, &good, PUBLISHED_UNAVAILABLE);
    stage->fail_all = false;
    stage->next_status = STORE_OK;
    stage->store_full = true;
    expect_refused(stage, &good, PUBLISHED_UNAVAILABLE);
    stage->store_full = false;
    expect(stage, publish(stage, &good), PUBLISHED_NEW);
    core_stop(stage->core);
    good.name = "owl";
    expect_refused(stage, &good, PUBLISHED_UNAVAILABLE);
}

static void what_cannot_be_is_refused_once_and_nothing_is_stored(void **state)
{
    (void)state;
    with_stage(refusals_body);
}

static void bounded_body(struct stage *stage)
{
    stage->store_holds = true;
    for (int i = 0; i < PUBLICATIONS_ASKED_MAX; i++)
        core_read_published(stage->core, ++requests, &stage->address, "fox");
    stage_work(stage);
    assert_int_equal(stage->published.count, 0);
    core_read_published(stage->core, ++requests, &stage->address, "fox");
    expect(stage, requests, PUBLISHED_UNAVAILABLE);
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create fox -> unavailable\n");
    stage->store_holds = false;
    stage_work(stage);
    assert_int_equal(stage->published.count, PUBLICATIONS_ASKED_MAX + 1);
    assert_int_equal(stage->published.outcome, PUBLISHED_UNKNOWN);
    stage_play(stage, "ada: create fox -> unknown_game\n");
}

static void questions_to_the_store_are_bounded(void **state)
{
    (void)state;
    with_stage(bounded_body);
}

static void rooms_body(struct stage *stage)
{
    publish_game(stage, "fox");
    stage_play(stage, "ada: connects\nada: auth -> welcome\n"
                      "ada: create fox -> ack 1\n"
                      "ada: join red Ada -> ack 2; snapshot 2 red\n"
                      "bob: connects\nbob: auth -> welcome\n"
                      "bob: join any Bob -> ack 3; snapshot 3 green\n"
                      "ada hears: joined 3 moves\n"
                      "ada: move 0_0 0_1 -> ack 4; moved 4\n"
                      "bob hears: moved 4 moves\n"
                      "ada: create fox@2 -> unknown_game\nada: create fox@ -> unknown_game\n"
                      "ada: create fo -> unknown_game\n");
    assert_string_equal(memory_store_room(&stage->store, stage->room)->game, "fox@1");
    char room[24];
    memcpy(room, stage->room, sizeof room);
    struct publication next = game_called("fox");
    next.text = game_of_three;
    next.length = strlen(game_of_three);
    expect(stage, publish(stage, &next), PUBLISHED_NEW);
    stage_play(stage, "crash:\nada: connects\nada: auth -> welcome\n"
                      "ada: create fox -> ack 1\n");
    assert_string_equal(memory_store_room(&stage->store, stage->room)->game, "fox@2");
    memcpy(stage->room, room, sizeof room);
    stage_play(stage, "bob: connects\nbob: auth -> welcome\n"
                      "bob: resume 4 -> ack 4 events\n");
    stage->store.publications[1].hidden = true;
    stage_play(stage, "ada: create fox -> unknown_game\nada: create fox@2 -> unknown_game\n"
                      "bob: move 1_0 1_1 -> ack 5; moved 5\n");
}

static void a_room_of_one_is_called_after_its_version_and_stays_with_it(void **state)
{
    (void)state;
    with_stage(rooms_body);
}

static void gone_body(struct stage *stage)
{
    publish_game(stage, "fox");
    stage_play(stage, "ada: connects\nada: auth -> welcome\n");
    stage->store_holds = true;
    stage_say(stage, "ada", "{\"type\":\"create\",\"id\":\"c1\",\"game\":\"fox\"}");
    stage_play(stage, "ada: goes\n");
    stage->store_holds = false;
    stage_work(stage);
    assert_int_equal(stage->store.room_count, 0);
}

static void who_has_gone_makes_no_room(void **state)
{
    (void)state;
    with_stage(gone_body);
}

static void rates_body(struct stage *stage)
{
    int done = 0;
    stage->address.bytes[10] = stage->address.bytes[11] = 0xff;
    stage->address.bytes[15] = 1;
    struct publication publication = game_called("fox");
    for (; done < 1000; done++) {
        publish(stage, &publication);
        if (stage->published.outcome == PUBLISHED_RATE_LIMITED)
            break;
    }
    assert_int_equal(done, PUBLICATIONS_BURST / 4); /* of a player */
    publication.name = "hen";
    publication.token = EVE;
    expect(stage, publish(stage, &publication), PUBLISHED_NEW);
    stage->now_ms += 60000;
    core_time(stage->core, stage->now_ms);
    publication.name = "fox";
    publication.token = ADA;
    expect(stage, publish(stage, &publication), PUBLISHED_OK);
}

static void a_player_publishes_only_so_fast(void **state)
{
    (void)state;
    with_stage(rates_body);
}

static void ids_are_written_in_one_way(void **state)
{
    (void)state;
    static const char *const good[] = {"fox", "fox@1", "a-b-c@9999", "123",
                                       "0123456789012345678901234567890123456789@12"};
    static const char *const bad[] = {
        "",          "fo",     "fox@",   "fox@0",
        "fox@01",    "fox@1x", "fox@-1", "fox@@1",
        "fox@10000", "-fox",   "fox-",   "F\xc3\xb6x",
        "fo x",      "fox@1 ", "@1",     "01234567890123456789012345678901234567890"};
    struct published_id id;
    char text[WORD_BYTES_MAX + 1];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(published_id_read((struct text){good[i], strlen(good[i])}, &id));
        published_id_write(id.name, id.version, text);
        assert_string_equal(text, good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (published_id_read((struct text){bad[i], strlen(bad[i])}, &id))
            fail_msg("%s", bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_comes_after_the_other),
        cmocka_unit_test(what_cannot_be_is_refused_once_and_nothing_is_stored),
        cmocka_unit_test(questions_to_the_store_are_bounded),
        cmocka_unit_test(a_room_of_one_is_called_after_its_version_and_stays_with_it),
        cmocka_unit_test(who_has_gone_makes_no_room),
        cmocka_unit_test(a_player_publishes_only_so_fast),
        cmocka_unit_test(ids_are_written_in_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
