/* Pictures of players: the way through a thread and the store, that an answer comes exactly once whatever the store does, and the
 * shelf of those asked for last. What they look like from outside is tested in tests/end_to_end/pictures.test.mjs. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include "server/core/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_BYTES = 60000, MORE_THAN_FIT = PICTURES_SHELF_BYTES / LARGE_BYTES + 2 };

#define SVG(inside) "<svg xmlns=\"http://www.w3.org/2000/svg\">" inside "</svg>"

static uint64_t requests = 1000;

static void expect(const struct stage *stage, enum picture_answered outcome)
{
    assert_int_equal(stage->pictured.request, requests);
    if (stage->pictured.outcome != outcome)
        fail_msg("%d instead of %d: %s", (int)stage->pictured.outcome, (int)outcome,
                 stage->pictured.words);
    assert_int_equal(outcome == PICTURE_UNAVAILABLE || outcome == PICTURE_RATE_LIMITED,
                     stage->pictured.retry_ms > 0);
}

static void bring(struct stage *stage, const char *svg, enum picture_answered outcome)
{
    core_bring_picture(stage->core, ++requests, &stage->address, CORE_PICTURE_SVG, svg,
                       strlen(svg));
    stage_work(stage);
    expect(stage, outcome);
}

static void ask(struct stage *stage, const char *hash)
{
    core_read_picture(stage->core, ++requests, &stage->address, hash, CORE_PICTURE_SVG);
    stage_work(stage);
}

static void with_stage(void (*body)(struct stage *stage))
{
    struct stage stage;
    stage_init_small(&stage);
    body(&stage);
    stage_release(&stage);
}

static void once_body(struct stage *stage)
{
    char hash[STORE_HASH_DIGITS + 1];
    bring(stage, "<?xml version='1.0'?>" SVG("<g/>"), PICTURE_NEW);
    memcpy(hash, stage->pictured.hash, sizeof hash);
    bring(stage, SVG("<g/>"), PICTURE_OK);
    assert_string_equal(stage->pictured.hash, hash);
    assert_int_equal(stage->store.picture_count, 1);
    ask(stage, hash);
    expect(stage, PICTURE_OK);
    assert_string_equal(stage->pictured.bytes, SVG("<g/>"));
    bring(stage, SVG("<script/>"), PICTURE_BAD);
    assert_non_null(strstr(stage->pictured.words, "<script>"));
    core_read_picture(stage->core, ++requests, &stage->address, hash, CORE_PICTURE_PNG);
    expect(stage, PICTURE_UNKNOWN); /* at once: it is on the shelf, and none */
    ask(stage, "0");
    expect(stage, PICTURE_UNKNOWN);
    hash[0] = hash[0] == '0' ? '1' : '0';
    ask(stage, hash);
    expect(stage, PICTURE_UNKNOWN);
    assert_int_equal(stage->pictured.count, 7);
}

static void the_same_twice_is_one(void **state)
{
    (void)state;
    with_stage(once_body);
}

static void shelf_body(struct stage *stage)
{
    char hash[STORE_HASH_DIGITS + 1];
    bring(stage, SVG("<g/>"), PICTURE_NEW);
    memcpy(hash, stage->pictured.hash, sizeof hash);
    ask(stage, hash);
    stage->store_holds = true;
    int count = stage->pictured.count;
    ask(stage, hash);
    assert_int_equal(stage->pictured.count, count + 1); /* the store was not asked */
    expect(stage, PICTURE_OK);
    stage->store_holds = false;
    char *large = malloc(LARGE_BYTES + 256);
    for (int i = 0; i < MORE_THAN_FIT; i++) {
        int length = sprintf(large, SVG("<title>%d %0*d</title>"), i, LARGE_BYTES, 0);
        assert_true(length > LARGE_BYTES);
        bring(stage, large, PICTURE_NEW);
        char other[STORE_HASH_DIGITS + 1];
        memcpy(other, stage->pictured.hash, sizeof other);
        ask(stage, other);
        expect(stage, PICTURE_OK);
        assert_true(stage->core->pictures.bytes <= PICTURES_SHELF_BYTES);
    }
    free(large);
    stage->store_holds = true;
    count = stage->pictured.count;
    ask(stage, hash);
    assert_int_equal(stage->pictured.count, count); /* it has made room for the others */
    stage->store_holds = false;
    stage_work(stage);
    expect(stage, PICTURE_OK);
    assert_string_equal(stage->pictured.bytes, SVG("<g/>"));
}

static void those_asked_for_last_are_in_memory(void **state)
{
    (void)state;
    with_stage(shelf_body);
}

static void failing_body(struct stage *stage)
{
    char hash[STORE_HASH_DIGITS + 1];
    bring(stage, SVG("<g/>"), PICTURE_NEW);
    memcpy(hash, stage->pictured.hash, sizeof hash);
    stage->fail_all = true;
    stage->next_status = STORE_FAILED;
    bring(stage, SVG("<path/>"), PICTURE_UNAVAILABLE);
    ask(stage, hash);
    expect(stage, PICTURE_UNAVAILABLE);
    stage->fail_all = false;
    stage->next_status = STORE_OK;
    stage->store_full = true;
    bring(stage, SVG("<path/>"), PICTURE_UNAVAILABLE);
    ask(stage, hash);
    expect(stage, PICTURE_UNAVAILABLE);
    stage->store_full = false;
    bring(stage, SVG("<path/>"), PICTURE_NEW);
    ask(stage, hash);
    expect(stage, PICTURE_OK);
    assert_int_equal(stage->pictured.count, 7);
    assert_int_equal(stage->core->pictures.asked, 0);
}

static void an_answer_comes_once_whatever_the_store_does(void **state)
{
    (void)state;
    with_stage(failing_body);
}

static void bound_body(struct stage *stage)
{
    char digits[STORE_HASH_DIGITS + 1];
    stage->store_holds = true;
    for (int i = 0; i <= PICTURES_ASKED_MAX; i++) {
        snprintf(digits, sizeof digits, "%064d", i);
        core_read_picture(stage->core, ++requests, &stage->address, digits, CORE_PICTURE_SVG);
    }
    expect(stage, PICTURE_UNAVAILABLE);
    assert_int_equal(stage->pictured.count, 1);
    stage->store_holds = false;
    stage_work(stage);
    assert_int_equal(stage->pictured.count, PICTURES_ASKED_MAX + 1);
}

static void so_many_are_asked_for_at_a_time(void **state)
{
    (void)state;
    with_stage(bound_body);
}

/* An address of the net has its bytes of a day, and what is too long is refused. */
static void quota_body(struct stage *stage)
{
    char *large = malloc(LARGE_BYTES + 256);
    stage->address.bytes[1] = 7;
    for (int i = 0; i < 4; i++) {
        sprintf(large, SVG("<title>%d %0*d</title>"), i, LARGE_BYTES, 0);
        bring(stage, large, i < 2 ? PICTURE_NEW : PICTURE_RATE_LIMITED);
    }
    stage->address.bytes[1] = 8;
    memset(large, ' ', LARGE_BYTES + 101);
    large[LARGE_BYTES + 101] = '\0';
    bring(stage, large, PICTURE_BAD);
    free(large);
}

static void bytes_of_a_day_are_counted(void **state)
{
    struct stage stage;
    (void)state;
    stage_init_small(&stage);
    stage_crash(&stage);
    stage.options.address_day_bytes = 2 * LARGE_BYTES;
    stage.options.picture_bytes = LARGE_BYTES + 100;
    stage_start(&stage);
    quota_body(&stage);
    stage_release(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_twice_is_one),
        cmocka_unit_test(those_asked_for_last_are_in_memory),
        cmocka_unit_test(an_answer_comes_once_whatever_the_store_does),
        cmocka_unit_test(so_many_are_asked_for_at_a_time),
        cmocka_unit_test(bytes_of_a_day_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
