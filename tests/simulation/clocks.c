#include "tests/simulation/clocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_TURN_MS = 60 * 1000, SITTING_MS = 6 * 60 * 60 * 1000 };

/* --- one clock ---------------------------------------------------------------------------------------------------- */

static int64_t integer(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static int64_t least(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static struct worked_budget read_budget(const json_t *object)
{
    return (struct worked_budget){.initial_ms = integer(object, "initial_ms"),
                                  .increment_ms = integer(object, "increment_ms"),
                                  .delay_ms = integer(object, "delay_ms"),
                                  .period_ms = integer(object, "period_ms"),
                                  .periods = integer(object, "periods"),
                                  .bronstein = json_is_true(json_object_get(object, "bronstein"))};
}

/* Each turn's first part costs nothing. */
static int64_t free_ms(const struct worked_budget *budget)
{
    return budget->bronstein ? 0 : budget->delay_ms;
}

static int64_t charged_ms(const struct worked_clock *clock)
{
    int64_t over_ms = clock->turn_ms - free_ms(&clock->budget);
    return over_ms > 0 ? over_ms : 0;
}

/* What the main time does not have is taken from the period, and a period that is over is gone. */
struct worked_rest clocks_rest(const struct worked_clock *clock)
{
    int64_t of_main = least(charged_ms(clock), clock->main_ms);
    int64_t beyond = charged_ms(clock) - of_main, gone = 0;
    if (clock->periods > 0)
        gone = least(beyond / clock->budget.period_ms, clock->periods);
    return (struct worked_rest){clock->main_ms - of_main, clock->periods - gone};
}

static int64_t playing_left_ms(const struct worked_clock *clock)
{
    int64_t all_ms = clock->main_ms + clock->periods * clock->budget.period_ms;
    int64_t unused_ms = free_ms(&clock->budget) - clock->turn_ms;
    if (all_ms <= charged_ms(clock))
        return 0;
    return all_ms - charged_ms(clock) + (unused_ms > 0 ? unused_ms : 0);
}

/* Who is there, and has not begun, has a minute. */
int64_t clocks_left_ms(const struct worked_clock *clock)
{
    int64_t left_ms = playing_left_ms(clock);
    return clock->has_moved || left_ms >= SITTING_MS ? left_ms : FIRST_TURN_MS;
}

/* In byo-yomi nothing is added. */
static int64_t gain_ms(const struct worked_clock *clock)
{
    const struct worked_budget *budget = &clock->budget;
    if (clocks_rest(clock).left_ms == 0 && budget->periods > 0)
        return 0;
    return budget->increment_ms + (budget->bronstein ? least(clock->turn_ms, budget->delay_ms) : 0);
}

static void settle(struct worked_clock *clock, int64_t left_ms)
{
    clock->periods = clocks_rest(clock).periods;
    clock->main_ms = left_ms;
    clock->turn_ms = 0;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

int clocks_seat(struct clocks *clocks, const char *name)
{
    int i = 0;
    while (i < clocks->count && strcmp(clocks->seats[i].seat, name) != 0)
        i++;
    if (i < clocks->count || i == STORE_SEATS_MAX)
        return i < STORE_SEATS_MAX ? i : 0;
    struct worked_clock *clock = &clocks->seats[clocks->count++];
    const json_t *own = json_object_get(json_object_get(clocks->control, "seats"), name);
    *clock = (struct worked_clock){.budget = read_budget(own ? own : clocks->control)};
    snprintf(clock->seat, sizeof clock->seat, "%s", name);
    clock->main_ms = clock->budget.initial_ms;
    clock->periods = clock->budget.periods;
    return i;
}

static void end_turn(struct clocks *clocks)
{
    struct worked_clock *clock = &clocks->seats[clocks->turn_of];
    int64_t gained_ms = clocks->counted ? gain_ms(clock) : 0;
    settle(clock, clocks_rest(clock).left_ms + gained_ms);
    clocks->moves[clocks->move_count - 1].gained_ms = gained_ms;
    clocks->turn_of = CLOCKS_NOBODY;
}

void clocks_turn_of(struct clocks *clocks, const char *name)
{
    int seat = name ? clocks_seat(clocks, name) : CLOCKS_NOBODY;
    if (clocks->turn_of != CLOCKS_NOBODY && clocks->turn_of != seat)
        end_turn(clocks);
}

static void move(struct clocks *clocks, const char *name, int64_t spent_ms)
{
    clocks_turn_of(clocks, name);
    struct worked_clock *clock = &clocks->seats[clocks_seat(clocks, name)];
    clocks->counted = clock->has_moved;
    clock->has_moved = true;
    clock->turn_ms += spent_ms;
    clocks->turn_of = (int)(clock - clocks->seats);
    if (clocks->move_count == clocks->move_size) {
        clocks->move_size = clocks->move_size > 0 ? 2 * clocks->move_size : 64;
        clocks->moves = realloc(clocks->moves, (size_t)clocks->move_size * sizeof *clocks->moves);
    }
    clocks->moves[clocks->move_count++] = (struct worked_move){.seat = clocks->turn_of};
}

/* What was used stays used; what was added for those turns is gone, but for a last moment: nobody loses by a takeback at once. */
static void take_back(struct clocks *clocks, int ply)
{
    for (int i = ply; i < clocks->move_count; i++) {
        struct worked_clock *clock = &clocks->seats[clocks->moves[i].seat];
        int64_t left_ms = clocks_rest(clock).left_ms, gained_ms = clocks->moves[i].gained_ms;
        settle(clock, left_ms > gained_ms ? left_ms - gained_ms : left_ms > 0);
    }
    clocks->move_count = ply < clocks->move_count ? ply : clocks->move_count;
    clocks->turn_of = CLOCKS_NOBODY;
}

static void run_out(struct worked_clock *clock)
{
    if (clock->has_moved)
        clock->main_ms = clock->periods = clock->turn_ms = 0;
}

/* --- a log ---------------------------------------------------------------------------------------------------------- */

static bool is_one_of(const char *kind, const char *const *words)
{
    while (*words && strcmp(kind, *words) != 0)
        words++;
    return *words != NULL;
}

/* These name whose turn it is. */
static const char *const of_turn[] = {"moved", "flagged", "claimed", "abandoned", "stopped", NULL};
static const char *const of_anybody[] = {"resigned", "aborted", "drawn", NULL};
static const char *const beginning[] = {"created", "joined", "moved", "taken_back", NULL};

/* The game is over, and his turn does not end any more. */
static void stop_in_turn_of(struct clocks *clocks, const char *seat)
{
    clocks_turn_of(clocks, seat);
    clocks->stopped = true;
}

bool clocks_need_body(const char *kind)
{
    return is_one_of(kind, of_turn) || strcmp(kind, "taken_back") == 0;
}

bool clocks_begin(struct clocks *clocks, const struct kept_room *room)
{
    if (!strstr(room->events[0].body, "\"clock\""))
        return false;
    json_t *created = json_loads(room->events[0].body, 0, NULL);
    *clocks = (struct clocks){.control = json_incref(json_object_get(created, "clock")),
                              .before = (int)integer(json_object_get(created, "fork"), "ply"),
                              .turn_of = CLOCKS_NOBODY,
                              .began = &room->events[0]};
    json_decref(created);
    return clocks->control != NULL;
}

void clocks_follow(struct clocks *clocks, const struct kept_event *event, const json_t *body)
{
    const char *kind = event->kind, *seat = json_string_value(json_object_get(body, "seat"));
    if (strcmp(kind, "taken_back") == 0)
        take_back(clocks, (int)integer(body, "ply") - clocks->before);
    else if (strcmp(kind, "moved") == 0 && seat)
        move(clocks, seat, integer(body, "spent_ms"));
    else if (is_one_of(kind, of_turn) && seat)
        stop_in_turn_of(clocks, seat);
    else if (is_one_of(kind, of_anybody))
        clocks->unclear = clocks->turn_of != CLOCKS_NOBODY;
    if (strcmp(kind, "flagged") == 0 && seat)
        run_out(&clocks->seats[clocks_seat(clocks, seat)]);
    if (is_one_of(kind, beginning))
        clocks->began = event;
}

bool clocks_work_out(struct clocks *clocks, const struct kept_room *room)
{
    if (!clocks_begin(clocks, room))
        return false;
    for (int i = 1; i < room->event_count; i++) {
        const struct kept_event *event = &room->events[i];
        json_t *body = clocks_need_body(event->kind) ? json_loads(event->body, 0, NULL) : NULL;
        clocks_follow(clocks, event, body);
        json_decref(body);
    }
    return true;
}

void clocks_release(struct clocks *clocks)
{
    json_decref(clocks->control);
    free(clocks->moves);
}
