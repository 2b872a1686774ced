#include "server/core/unfold.h"

struct unfolding {
    unfold_step *step;
    void *context;
    int number;
    bool told;
};

static bool take(struct unfolding *unfolding, const struct event *event, int64_t at_ms)
{
    struct unfolded step = {event, at_ms, unfolding->number++, unfolding->told};
    return unfolding->step(unfolding->context, &step);
}

static bool take_moves(struct unfolding *unfolding, const struct event *event, int64_t at_ms)
{
    for (int i = 0; i < event->move_count; i++) {
        const struct event_move *move = &event->moves[i];
        struct event moved = {.kind = EVENT_MOVED,
                              .pass = move->pass,
                              .swap = move->swap,
                              .from = move->from,
                              .to = move->to,
                              .choice = move->choice};
        if (!take(unfolding, &moved, at_ms))
            return false;
    }
    return true;
}

static bool take_event(struct unfolding *unfolding, const struct event *event, int64_t at_ms)
{
    return take(unfolding, event, at_ms) && take_moves(unfolding, event, at_ms);
}

static bool take_log(struct unfolding *unfolding, const struct event *created)
{
    bool followed = true;
    for (int i = 0; followed && i < created->log_count; i++) {
        struct event event;
        int64_t at_ms;
        if (!event_log_read(created, i, &event, &at_ms))
            return false;
        /* A log begins with the room it is of, and is told once. */
        bool begins = event.kind == EVENT_CREATED;
        followed =
            begins == (i == 0) && event.log_count == 0 && take_event(unfolding, &event, at_ms);
        event_release(&event);
    }
    return followed;
}

bool unfold(const struct event *event, int64_t at_ms, unfold_step *step, void *context)
{
    struct unfolding unfolding = {.step = step, .context = context, .told = event->log_count > 0};
    return unfolding.told ? take_log(&unfolding, event) : take_event(&unfolding, event, at_ms);
}
