/* A core that is broken on purpose must be found, by the same eyes that find nothing in the real one. The linker puts
 * these functions in front of the core's own; each is the core's again unless the test says it is broken. */
#include "server/core/absence.h"
#include "server/core/clock.h"
#include "server/core/journal.h"
#include "server/core/parts.h"
#include "server/core/room.h"
#include "server/core/seeking_parts.h"
#include "tests/simulation/games_on_offer.h"
#include "tests/simulation/world.h"
#include "tests/support/test.h"

#include <inttypes.h>
#include <stdio.h>

enum { SEEDS_MAX = 800 };

static enum {
    WHOLE,
    FORGETS_COMMANDS,
    RESUMES_WITH_A_GAP,
    READS_WITHOUT_LEAVES,
    JUDGES_ONCE,
    FILLS_NO_GAPS,
    HOLDS_NOTHING,
    SEES_NOBODY,
    ASKS_NOBODY,
    GIVES_ALL_BACK,
    LOSES_TIME,
    HAS_ITS_OWN_TIME,
    COUNTS_FROM_AFAR,
    FLAGS_EARLY,
    FLAGS_NOBODY,
    LETS_MOVE_LATE,
    COUNTS_THE_STORE,
    COUNTS_WAITING,
    ADDS_TWICE,
    GIVES_TIME_BACK,
} breakage;

/* What the linker calls the functions in front, and those behind them. */
const struct known_command *__real_room_find_command(const struct room *room, const char *player,
                                                     struct text command);
const struct known_command *__wrap_room_find_command(const struct room *room, const char *player,
                                                     struct text command);
void __real_publish_since(struct core *core, struct attachment *attachment, int64_t version);
void __wrap_publish_since(struct core *core, struct attachment *attachment, int64_t version);
bool __real_room_replay(struct room *room, const struct event *event, const struct identity *holder,
                        uint64_t at_ms);
bool __wrap_room_replay(struct room *room, const struct event *event, const struct identity *holder,
                        uint64_t at_ms);
void __real_follow_lost(struct core *core, struct room *room, struct command *command,
                        int64_t version);
void __wrap_follow_lost(struct core *core, struct room *room, struct command *command,
                        int64_t version);
void __real_follow_swept(struct core *core, const struct store_answer *answer);
void __wrap_follow_swept(struct core *core, const struct store_answer *answer);

bool __real_room_holds(const struct room *room);
bool __wrap_room_holds(const struct room *room);

void __real_seeking_ask_others(struct core *core, struct pairing *pairing);
void __wrap_seeking_ask_others(struct core *core, struct pairing *pairing);
uint32_t __real_clock_compensation(const struct clock *clock, uint32_t lag_ms, uint32_t spent_ms);
uint32_t __wrap_clock_compensation(const struct clock *clock, uint32_t lag_ms, uint32_t spent_ms);
void __real_timing_event(struct core *core, struct room *room, enum event_kind kind,
                         uint64_t shown_ms);
void __wrap_timing_event(struct core *core, struct room *room, enum event_kind kind,
                         uint64_t shown_ms);
void __real_lease_answered(struct core *core, const struct ticket *ticket,
                           const struct store_answer *answer);
void __wrap_lease_answered(struct core *core, const struct ticket *ticket,
                           const struct store_answer *answer);
uint64_t __real_timing_then_ms(const struct core *core, int64_t at_ms);
uint64_t __wrap_timing_then_ms(const struct core *core, int64_t at_ms);
uint64_t __real_absence_left_ms(const struct core *core, const struct room *room, int seat);
uint64_t __wrap_absence_left_ms(const struct core *core, const struct room *room, int seat);

struct decision *__real_room_settle(struct room *room);
struct decision *__wrap_room_settle(struct room *room);
void __real_timing_measure(const struct core *core, const struct room *room, uint32_t lag_ms,
                           uint64_t came_ms, struct event *event);
void __wrap_timing_measure(const struct core *core, const struct room *room, uint32_t lag_ms,
                           uint64_t came_ms, struct event *event);
uint64_t __real_clock_left_ms(const struct clock *clock, const struct time_budget *budget);
uint64_t __wrap_clock_left_ms(const struct clock *clock, const struct time_budget *budget);
uint32_t __real_clock_end_turn(struct clock *clock, const struct time_budget *budget);
uint32_t __wrap_clock_end_turn(struct clock *clock, const struct time_budget *budget);
void __real_journal_flag(struct core *core, struct room *room);
void __wrap_journal_flag(struct core *core, struct room *room);
bool __real_timing_is_too_late(const struct core *core, const struct room *room, uint32_t lag_ms,
                               uint64_t came_ms);
bool __wrap_timing_is_too_late(const struct core *core, const struct room *room, uint32_t lag_ms,
                               uint64_t came_ms);
bool __real_standing_take_back(struct standing *standing, struct position *position,
                               const struct event *event, const struct move *last);
bool __wrap_standing_take_back(struct standing *standing, struct position *position,
                               const struct event *event, const struct move *last);

/* --- clocks: wrong everywhere alike, so that only who works them out anew can tell -------------------------------- */

uint64_t __wrap_clock_left_ms(const struct clock *clock, const struct time_budget *budget)
{
    uint64_t left_ms = __real_clock_left_ms(clock, budget);
    return breakage == FLAGS_EARLY ? left_ms / 2 : left_ms;
}

uint32_t __wrap_clock_end_turn(struct clock *clock, const struct time_budget *budget)
{
    uint32_t added_ms = __real_clock_end_turn(clock, budget);
    clock->left_ms += breakage == ADDS_TWICE ? added_ms : 0;
    return added_ms;
}

void __wrap_journal_flag(struct core *core, struct room *room)
{
    if (breakage != FLAGS_NOBODY)
        __real_journal_flag(core, room);
}

bool __wrap_timing_is_too_late(const struct core *core, const struct room *room, uint32_t lag_ms,
                               uint64_t came_ms)
{
    return breakage != LETS_MOVE_LATE && __real_timing_is_too_late(core, room, lag_ms, came_ms);
}

bool __wrap_standing_take_back(struct standing *standing, struct position *position,
                               const struct event *event, const struct move *last)
{
    for (int i = 0; i < standing->seat_count && breakage == GIVES_TIME_BACK; i++)
        standing->clocks[i].left_ms += standing->has_clocks ? 10 : 0;
    return __real_standing_take_back(standing, position, event, last);
}

/* --- the others ---------------------------------------------------------------------------------------------------- */

uint64_t __wrap_absence_left_ms(const struct core *core, const struct room *room, int seat)
{
    return breakage == SEES_NOBODY && room->standing.in_earnest
               ? 0
               : __real_absence_left_ms(core, room, seat);
}

uint32_t __wrap_clock_compensation(const struct clock *clock, uint32_t lag_ms, uint32_t spent_ms)
{
    if (breakage == GIVES_ALL_BACK)
        return lag_ms < spent_ms ? lag_ms : spent_ms;
    return __real_clock_compensation(clock, lag_ms, spent_ms);
}

static uint64_t decided_ms; /* of the event that has just been stored; 0: that is known */

struct decision *__wrap_room_settle(struct room *room)
{
    struct decision *decision = __real_room_settle(room);
    decided_ms = decision->at_ms;
    return decision;
}

/* A turn begins before its event was shown, or when that was decided. */
void __wrap_timing_event(struct core *core, struct room *room, enum event_kind kind,
                         uint64_t shown_ms)
{
    uint64_t began_ms = breakage == LOSES_TIME ? shown_ms - 40 : shown_ms;
    if (breakage == COUNTS_THE_STORE && decided_ms > 0)
        began_ms = __real_timing_then_ms(core, (int64_t)decided_ms);
    decided_ms = 0;
    __real_timing_event(core, room, kind, began_ms);
}

/* A move ends when it is judged. */
void __wrap_timing_measure(const struct core *core, const struct room *room, uint32_t lag_ms,
                           uint64_t came_ms, struct event *event)
{
    bool late = breakage == COUNTS_WAITING;
    __real_timing_measure(core, room, lag_ms, late ? timing_now_ms(core) : came_ms, event);
}

/* Its clock goes on as it is, up to an hour wrong. */
void __wrap_lease_answered(struct core *core, const struct ticket *ticket,
                           const struct store_answer *answer)
{
    struct store_answer heard = *answer;
    if (breakage == HAS_ITS_OWN_TIME)
        heard.now_ms = (int64_t)core->now_ms;
    __real_lease_answered(core, ticket, &heard);
}

/* The turns of others begin later than they have begun. */
uint64_t __wrap_timing_then_ms(const struct core *core, int64_t at_ms)
{
    uint64_t late_ms = breakage == COUNTS_FROM_AFAR && lease_node(core) ? 400 : 0;
    return __real_timing_then_ms(core, at_ms) + late_ms;
}

/* It asks for seeks that are not there. */
void __wrap_seeking_ask_others(struct core *core, struct pairing *pairing)
{
    __real_seeking_ask_others(core, pairing);
    for (int i = 0; i < pairing->count && breakage == ASKS_NOBODY; i++)
        pairing->seeks[i]++;
}

bool __wrap_room_holds(const struct room *room)
{
    return breakage != HOLDS_NOTHING && __real_room_holds(room);
}

void __wrap_follow_lost(struct core *core, struct room *room, struct command *command,
                        int64_t version)
{
    bool drops = breakage == JUDGES_ONCE;
    if (drops)
        command_free(command);
    __real_follow_lost(core, room, drops ? NULL : command, version);
}

void __wrap_follow_swept(struct core *core, const struct store_answer *answer)
{
    struct store_answer heard = *answer;
    if (breakage == FILLS_NO_GAPS)
        heard.known_count = 0;
    __real_follow_swept(core, &heard);
}

const struct known_command *__wrap_room_find_command(const struct room *room, const char *player,
                                                     struct text command)
{
    return breakage == FORGETS_COMMANDS ? NULL : __real_room_find_command(room, player, command);
}

void __wrap_publish_since(struct core *core, struct attachment *attachment, int64_t version)
{
    bool gap = breakage == RESUMES_WITH_A_GAP && version < attachment->room->version;
    __real_publish_since(core, attachment, gap ? version + 1 : version);
}

bool __wrap_room_replay(struct room *room, const struct event *event, const struct identity *holder,
                        uint64_t at_ms)
{
    if (breakage == READS_WITHOUT_LEAVES && event->kind == EVENT_LEFT) {
        room->version++;
        return true;
    }
    return __real_room_replay(room, event, holder, at_ms);
}

/* `first` is a seed that is known to find it. What changes the simulated lives may change that: then others are tried. */
static void is_found(int broken, uint64_t first)
{
    struct world_report report;
    for (uint64_t seed = first; seed < first + SEEDS_MAX; seed++) {
        breakage = broken;
        world_live(seed, 0, CANARY_NONE, false, &report);
        breakage = WHOLE;
        if (!report.violated)
            continue;
        printf("found with seed %" PRIu64 ": %s\n", seed, report.words);
        world_live(seed, 0, CANARY_NONE, false, &report);
        assert_false(report.violated); /* it is what was broken that was found */
        return;
    }
    fail_msg("not found in %d seeds from %" PRIu64, SEEDS_MAX, first);
}

static void a_core_that_forgets_what_was_done_is_found(void **state)
{
    (void)state;
    is_found(FORGETS_COMMANDS, 1);
}

static void a_core_that_leaves_out_an_event_of_a_resume_is_found(void **state)
{
    (void)state;
    is_found(RESUMES_WITH_A_GAP, 1);
}

static void a_core_that_reads_a_room_without_who_left_is_found(void **state)
{
    (void)state;
    is_found(READS_WITHOUT_LEAVES, 8);
}

static void a_core_that_does_not_judge_again_after_a_lost_race_is_found(void **state)
{
    (void)state;
    is_found(JUDGES_ONCE, 906);
}

static void a_core_that_never_learns_what_others_have_written_is_found(void **state)
{
    (void)state;
    is_found(FILLS_NO_GAPS, 317);
}

static void a_core_that_takes_in_what_others_write_while_it_appends_is_found(void **state)
{
    (void)state;
    is_found(HOLDS_NOTHING, 101);
}

static void a_core_that_lets_claim_against_who_is_there_is_found(void **state)
{
    (void)state;
    is_found(SEES_NOBODY, 15);
}

static void a_server_that_asks_for_seeks_that_are_not_there_is_found(void **state)
{
    (void)state;
    is_found(ASKS_NOBODY, 901);
}

static void a_core_that_gives_back_whatever_the_way_took_is_found(void **state)
{
    (void)state;
    is_found(GIVES_ALL_BACK, 346);
}

static void a_core_that_counts_time_nobody_had_is_found(void **state)
{
    (void)state;
    is_found(LOSES_TIME, 1);
}

static void a_server_that_takes_its_own_time_for_the_stores_is_found(void **state)
{
    (void)state;
    is_found(HAS_ITS_OWN_TIME, 4);
}

static void a_server_that_counts_too_little_of_a_turn_that_began_elsewhere_is_found(void **state)
{
    (void)state;
    is_found(COUNTS_FROM_AFAR, 31);
}

static void a_flag_that_falls_too_early_is_found(void **state)
{
    (void)state;
    is_found(FLAGS_EARLY, 23);
}

static void a_flag_that_never_falls_is_found(void **state)
{
    (void)state;
    is_found(FLAGS_NOBODY, 23);
}

static void a_core_that_takes_a_move_of_whose_time_is_over_is_found(void **state)
{
    (void)state;
    is_found(LETS_MOVE_LATE, 58);
}

static void a_core_that_counts_how_long_the_store_takes_is_found(void **state)
{
    (void)state;
    is_found(COUNTS_THE_STORE, 1);
}

static void a_core_that_counts_how_long_a_move_waits_is_found(void **state)
{
    (void)state;
    is_found(COUNTS_WAITING, 23);
}

static void a_core_that_adds_twice_to_a_clock_is_found(void **state)
{
    (void)state;
    is_found(ADDS_TWICE, 4);
}

static void a_takeback_that_gives_time_back_is_found(void **state)
{
    (void)state;
    is_found(GIVES_TIME_BACK, 23);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_that_forgets_what_was_done_is_found),
        cmocka_unit_test(a_core_that_leaves_out_an_event_of_a_resume_is_found),
        cmocka_unit_test(a_core_that_reads_a_room_without_who_left_is_found),
        cmocka_unit_test(a_core_that_does_not_judge_again_after_a_lost_race_is_found),
        cmocka_unit_test(a_core_that_never_learns_what_others_have_written_is_found),
        cmocka_unit_test(a_core_that_takes_in_what_others_write_while_it_appends_is_found),
        cmocka_unit_test(a_core_that_lets_claim_against_who_is_there_is_found),
        cmocka_unit_test(a_server_that_asks_for_seeks_that_are_not_there_is_found),
        cmocka_unit_test(a_core_that_gives_back_whatever_the_way_took_is_found),
        cmocka_unit_test(a_core_that_counts_time_nobody_had_is_found),
        cmocka_unit_test(a_server_that_takes_its_own_time_for_the_stores_is_found),
        cmocka_unit_test(a_server_that_counts_too_little_of_a_turn_that_began_elsewhere_is_found),
        cmocka_unit_test(a_flag_that_falls_too_early_is_found),
        cmocka_unit_test(a_flag_that_never_falls_is_found),
        cmocka_unit_test(a_core_that_takes_a_move_of_whose_time_is_over_is_found),
        cmocka_unit_test(a_core_that_counts_how_long_the_store_takes_is_found),
        cmocka_unit_test(a_core_that_counts_how_long_a_move_waits_is_found),
        cmocka_unit_test(a_core_that_adds_twice_to_a_clock_is_found),
        cmocka_unit_test(a_takeback_that_gives_time_back_is_found),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    games_on_offer_release();
    return failed;
}
