#include "server/store/retention.h"

#include <assert.h>

static bool is_over(int64_t age_ms, int64_t kept_ms)
{
    return kept_ms > 0 && age_ms >= kept_ms;
}

/* While a game goes on by its clock that nobody writes is no sign that it is left: somebody may have days for his turn. */
static int64_t age_of(const struct store_retention *retention, const struct retention_facts *facts)
{
    bool waits = facts->status == STORE_PLAYING && facts->due_ms > facts->last_ms;
    return retention->now_ms - (waits ? facts->due_ms : facts->last_ms);
}

bool retention_asks_for_moves(const struct store_retention *retention,
                              const struct retention_facts *facts)
{
    return facts->status != STORE_FINISHED &&
           is_over(age_of(retention, facts), retention->unmoved_ms);
}

enum store_expiry retention_judge(const struct store_retention *retention,
                                  const struct retention_facts *facts, bool moved)
{
    int64_t age_ms = age_of(retention, facts);
    if (!moved && retention_asks_for_moves(retention, facts))
        return STORE_NEVER_MOVED;
    if (!facts->is_public)
        return is_over(age_ms, retention->private_ms) ? STORE_PRIVATE_AND_OLD : STORE_KEPT;
    if (facts->status == STORE_FINISHED)
        return is_over(age_ms, retention->finished_ms) ? STORE_FINISHED_LONG_AGO : STORE_KEPT;
    return is_over(age_ms, retention->unfinished_ms) ? STORE_ABANDONED : STORE_KEPT;
}

void retention_note(struct store_survey *survey, const char *id,
                    const struct retention_facts *facts, enum store_expiry why)
{
    struct store_tally *tally = &survey->tallies[facts->status][facts->is_public];
    tally->rooms++;
    tally->events += (uint64_t)facts->version;
    if (why == STORE_KEPT)
        return;
    assert(survey->expired_count < STORE_SURVEY_ROOMS_MAX);
    survey->expired[survey->expired_count++] = (struct store_expired){id, facts->version, why};
}

/* Of a longer room the first part goes with it, and the rest later. */
bool retention_is_enough(const struct store_survey *survey)
{
    int64_t events = 0;
    for (int i = 0; i < survey->expired_count; i++) {
        int64_t version = survey->expired[i].version;
        events += version < RETENTION_EVENTS_MAX ? version : RETENTION_EVENTS_MAX;
    }
    return events >= RETENTION_EVENTS_MAX;
}

int retention_rooms(const struct store_request *request)
{
    int64_t rooms = request->from < STORE_SURVEY_ROOMS_MAX ? request->from : STORE_SURVEY_ROOMS_MAX;
    return rooms < 0 ? 0 : (int)rooms;
}
