/* What a room keeps of its last events: without a gap, within its bounds, and never more than is there. */
#include "server/core/recent.h"
#include "tests/support/test.h"

#include <string.h>

enum { PAYLOAD_BYTES = 100 };

/* What one such frame costs. */
static size_t cost(void)
{
    char text[PAYLOAD_BYTES];
    memset(text, 'x', sizeof text);
    struct frame *frame = frame_new(text, sizeof text);
    size_t bytes = sizeof *frame + frame->header_length + frame->payload_length;
    frame_release(frame);
    return bytes;
}

static void keep(struct recent *recent, int64_t version)
{
    char text[PAYLOAD_BYTES];
    memset(text, (int)('a' + version % 26), sizeof text);
    struct frame *frame = frame_new(text, sizeof text);
    recent_keep(recent, version, frame);
    frame_release(frame);
}

static void expect(const struct recent *recent, int64_t first, int64_t last)
{
    assert_null(recent_find(recent, first - 1));
    assert_null(recent_find(recent, last + 1));
    for (int64_t version = first; version <= last; version++) {
        const struct frame *frame = recent_find(recent, version);
        assert_non_null(frame);
        assert_int_equal(frame_payload(frame)[0], 'a' + version % 26);
    }
}

static void the_last_events_that_fit_are_kept(void **state)
{
    (void)state;
    struct recent_budget budget = {cost() * 10, cost() * 1000, 0};
    struct recent recent;
    recent_init(&recent, &budget);
    assert_null(recent_find(&recent, 0));
    for (int64_t version = 5; version <= 200; version++) {
        keep(&recent, version);
        expect(&recent, version - 9 < 5 ? 5 : version - 9, version);
        assert_true(budget.bytes <= budget.room_bytes_max);
    }
    recent_clear(&recent);
    assert_null(recent_find(&recent, 200));
    keep(&recent, 900);
    expect(&recent, 900, 900);
    recent_release(&recent);
    assert_int_equal(budget.bytes, 0);
}

static void all_rooms_together_are_bounded_and_each_keeps_its_newest(void **state)
{
    (void)state;
    enum { ROOMS = 8 };
    struct recent_budget budget = {cost() * 10, cost() * 20, 0};
    struct recent rooms[ROOMS];
    for (int i = 0; i < ROOMS; i++)
        recent_init(&rooms[i], &budget);
    for (int64_t version = 1; version <= 50; version++) {
        for (int i = 0; i < ROOMS; i++) {
            keep(&rooms[i], version);
            assert_null(recent_find(&rooms[i], version + 1));
            assert_non_null(recent_find(&rooms[i], version));
            assert_true(budget.bytes <= budget.bytes_max);
        }
    }
    for (int i = 0; i < ROOMS; i++)
        recent_release(&rooms[i]);
    assert_int_equal(budget.bytes, 0);
}

static void an_event_too_large_is_kept_alone(void **state)
{
    (void)state;
    struct recent_budget budget = {10, 10, 0};
    struct recent recent;
    recent_init(&recent, &budget);
    keep(&recent, 1);
    keep(&recent, 2);
    expect(&recent, 2, 2);
    recent_release(&recent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_events_that_fit_are_kept),
        cmocka_unit_test(all_rooms_together_are_bounded_and_each_keeps_its_newest),
        cmocka_unit_test(an_event_too_large_is_kept_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
