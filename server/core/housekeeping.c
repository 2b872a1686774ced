#include "server/core/housekeeping.h"

#include "server/core/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    EVENTS_CLEARED = 256, /* of removed rooms, in one step */
    REST_PARTS = 9,       /* of the time a step took */
    REST_MS_MIN = 20,
    REST_MS_MAX = 5000,
    LOOK_MS = 10000,       /* how often it looks how large the store is */
    FIRST_WALK_MS = 60000, /* after the start; a server that is started often shall walk, too */
};

void housekeeping_init(struct core *core)
{
    uint64_t every_ms = core->options.prune_every_ms;
    core->housekeeping = (struct housekeeping){
        .due_ms = core->now_ms,
        .walk_ms = core->now_ms + (every_ms < FIRST_WALK_MS ? every_ms : FIRST_WALK_MS)};
}

bool housekeeping_has_room(const struct core *core, uint64_t *retry_ms)
{
    *retry_ms = core->housekeeping.full ? LOOK_MS : 0;
    return !core->housekeeping.full;
}

/* --- asking ----------------------------------------------------------------------------------- */

/* Of several servers of one store one is enough. */
static bool may_walk(const struct core *core)
{
    return core->options.prune_every_ms > 0 && lease_is_first(core);
}

static void begin_walk(struct core *core)
{
    struct housekeeping *keeping = &core->housekeeping;
    if (keeping->walking || !may_walk(core) || core->now_ms < keeping->walk_ms)
        return;
    keeping->walking = true;
    keeping->after[0] = '\0';
    keeping->removed_in_walk = 0;
    memset(keeping->counted, 0, sizeof keeping->counted);
}

static void survey(struct core *core)
{
    struct housekeeping *keeping = &core->housekeeping;
    begin_walk(core);
    struct store_request request = {.ask = STORE_SURVEY,
                                    .room = keeping->after,
                                    .from = keeping->walking ? STORE_SURVEY_ROOMS_MAX : 0,
                                    .to = keeping->walking || keeping->unclean ? EVENTS_CLEARED : 0,
                                    .retention = core->options.retention};
    request.retention.now_ms = (int64_t)core->now_ms;
    keeping->asked_ms = core->now_ms;
    keeping->due_ms = core->now_ms + REST_MS_MAX;
    keeping->asked = ticket_ask(core, ticket_new(core, TICKET_SURVEY, ""), &request);
}

static void sweep(struct core *core)
{
    struct housekeeping *keeping = &core->housekeeping;
    int64_t kept_ms = core->options.retention.pictures_ms;
    struct store_request request = {
        .ask = STORE_SWEEP_PICTURES,
        .picture = {.hash = keeping->picture,
                    .at_ms = kept_ms > 0 ? (int64_t)core->now_ms - kept_ms : INT64_MIN},
        .from = STORE_SWEPT_MAX,
        .to = 1};
    keeping->asked_ms = core->now_ms;
    keeping->due_ms = core->now_ms + REST_MS_MAX;
    keeping->asked = ticket_ask(core, ticket_new(core, TICKET_SWEEP, ""), &request);
}

static void measure(struct core *core)
{
    struct housekeeping *keeping = &core->housekeeping;
    struct store_request request = {
        .ask = STORE_MEASURE, .room = keeping->place, .from = STORE_MEASURED_MAX};
    keeping->asked_ms = core->now_ms;
    keeping->due_ms = core->now_ms + REST_MS_MAX;
    keeping->asked = ticket_ask(core, ticket_new(core, TICKET_MEASURE, ""), &request);
}

static void rest(struct core *core)
{
    struct housekeeping *keeping = &core->housekeeping;
    uint64_t rest_ms = REST_PARTS * (core->now_ms - keeping->asked_ms);
    keeping->asked = false;
    if (rest_ms < REST_MS_MIN)
        rest_ms = REST_MS_MIN;
    if (rest_ms > REST_MS_MAX)
        rest_ms = REST_MS_MAX;
    keeping->due_ms = core->now_ms + rest_ms;
    if (keeping->walking || keeping->unclean)
        return;
    keeping->due_ms = core->now_ms + LOOK_MS;
    if (may_walk(core) && keeping->walk_ms < keeping->due_ms)
        keeping->due_ms = keeping->walk_ms;
}

void housekeeping_time(struct core *core)
{
    const struct housekeeping *keeping = &core->housekeeping;
    if (keeping->asked || core->now_ms < keeping->due_ms || !core_ready(core))
        return;
    if (keeping->measuring)
        measure(core);
    else if (keeping->sweeping)
        sweep(core);
    else
        survey(core);
}

uint64_t housekeeping_deadline_ms(const struct core *core)
{
    return core->housekeeping.asked || !core_ready(core) ? UINT64_MAX : core->housekeeping.due_ms;
}

/* --- the answers ------------------------------------------------------------------------------ */

static void note_sizes(struct core *core, const struct store_survey *survey)
{
    struct housekeeping *keeping = &core->housekeeping;
    struct core_statistics *statistics = &core->statistics;
    const struct core_options *options = &core->options;
    statistics->store_bytes = (uint64_t)survey->database_bytes;
    statistics->store_unused_bytes = (uint64_t)survey->unused_bytes;
    statistics->disk_bytes = survey->disk_bytes < 0 ? 0 : (uint64_t)survey->disk_bytes;
    uint64_t used = statistics->store_bytes - statistics->store_unused_bytes;
    bool full = (options->store_bytes_max > 0 && used >= options->store_bytes_max) ||
                (survey->disk_bytes >= 0 && statistics->disk_bytes < options->disk_bytes_min);
    if (full != keeping->full)
        core_log(core, full ? FACT_ERROR : FACT_INFO, full ? "store_full" : "store_has_room", "",
                 full ? "no new rooms; games under way go on" : "new rooms again");
    keeping->full = full;
    statistics->store_full = full;
}

static void end_walk(struct core *core)
{
    struct housekeeping *keeping = &core->housekeeping;
    char words[64];
    keeping->walking = keeping->sweeping = keeping->measuring = false;
    keeping->walk_ms = core->now_ms + core->options.prune_every_ms;
    memcpy(core->statistics.stored, keeping->counted, sizeof keeping->counted);
    core->statistics.stored_pictures = keeping->swept.kept;
    core->statistics.stored_picture_bytes = keeping->swept.kept_bytes;
    for (int size = 0; size < STORE_SIZES; size++)
        core->statistics.stored_bytes[size] =
            keeping->measured[size] > 0 ? (uint64_t)keeping->measured[size] : 0;
    core->statistics.walks++;
    if (keeping->removed_in_walk == 0)
        return;
    snprintf(words, sizeof words, "%" PRIu64 " rooms", keeping->removed_in_walk);
    core_log(core, FACT_INFO, "pruned", "", words);
}

static void begin_sweep(struct housekeeping *keeping)
{
    keeping->sweeping = true;
    keeping->picture[0] = '\0';
    keeping->swept = (struct store_sweep){.next = ""};
}

static void begin_measuring(struct housekeeping *keeping)
{
    keeping->measuring = true;
    keeping->place[0] = '\0';
    memset(keeping->measured, 0, sizeof keeping->measured);
}

/* A survey and the removals that came of it. */
static void end_step(struct core *core)
{
    struct housekeeping *keeping = &core->housekeeping;
    if (keeping->removing > 0)
        return;
    if (keeping->walking && keeping->after[0] == '\0')
        begin_sweep(keeping);
    rest(core);
}

static void add_tallies(struct core *core, const struct store_survey *survey)
{
    struct housekeeping *keeping = &core->housekeeping;
    for (int status = 0; status < STORE_STATUS_COUNT; status++)
        for (int i = 0; i < 2; i++) {
            keeping->counted[status][i].rooms += survey->tallies[status][i].rooms;
            keeping->counted[status][i].events += survey->tallies[status][i].events;
        }
}

/* Rooms in memory are in use, whatever their age. Whoever asks for one after this finds it gone: the store answers in the
 * order asked. */
static void remove_expired(struct core *core, const struct store_survey *survey)
{
    struct housekeeping *keeping = &core->housekeeping;
    for (int i = 0; i < survey->expired_count; i++) {
        const struct store_expired *expired = &survey->expired[i];
        if (!room_id_fits(strlen(expired->room)) || core_find_room(core, expired->room))
            continue;
        struct ticket *ticket = ticket_new(core, TICKET_REMOVE, expired->room);
        ticket->from = expired->version;
        ticket->to = (int64_t)expired->why;
        keeping->removing += ticket_ask(core, ticket,
                                        &(struct store_request){.ask = STORE_REMOVE,
                                                                .room = expired->room,
                                                                .from = expired->version,
                                                                .node = lease_node(core)});
    }
}

/* Said once, however long it lasts; then it is tried again after a while. */
static bool is_good(struct core *core, const struct store_answer *answer)
{
    struct housekeeping *keeping = &core->housekeeping;
    bool good = answer->status != STORE_FAILED;
    if (!good && !keeping->failing)
        core_log(core, FACT_WARNING, "prune_failed", "", answer->words);
    keeping->failing = !good;
    if (!good) {
        rest(core);
        keeping->due_ms = core->now_ms + LOOK_MS;
    }
    return good;
}

static void surveyed(struct core *core, const struct store_answer *answer)
{
    struct housekeeping *keeping = &core->housekeeping;
    if (!is_good(core, answer))
        return;
    const struct store_survey *survey = answer->survey;
    note_sizes(core, survey);
    keeping->unclean = survey->unclean;
    if (keeping->walking && !core->stopping) {
        add_tallies(core, survey);
        remove_expired(core, survey);
        snprintf(keeping->after, sizeof keeping->after, "%s", survey->next);
    }
    end_step(core);
}

static void swept(struct core *core, const struct store_answer *answer)
{
    struct housekeeping *keeping = &core->housekeeping;
    if (!is_good(core, answer))
        return;
    const struct store_sweep *sweep = answer->sweep;
    keeping->swept.kept += sweep->kept;
    keeping->swept.kept_bytes += sweep->kept_bytes;
    core->statistics.removed_pictures += sweep->removed;
    snprintf(keeping->picture, sizeof keeping->picture, "%s", sweep->next);
    if (keeping->picture[0] == '\0')
        begin_measuring(keeping);
    rest(core);
}

static void measured(struct core *core, const struct store_answer *answer)
{
    struct housekeeping *keeping = &core->housekeeping;
    if (!is_good(core, answer))
        return;
    for (int size = 0; size < STORE_SIZES; size++)
        keeping->measured[size] += answer->measure->bytes[size];
    snprintf(keeping->place, sizeof keeping->place, "%s", answer->measure->next);
    if (keeping->place[0] == '\0')
        end_walk(core);
    rest(core);
}

static void removed(struct core *core, const struct ticket *ticket,
                    const struct store_answer *answer)
{
    struct housekeeping *keeping = &core->housekeeping;
    keeping->removing--;
    if (is_good(core, answer) && answer->status == STORE_OK) {
        lobby_forget(core, ticket->room);
        keeping->unclean = true; /* perhaps */
        keeping->removed_in_walk++;
        core->statistics.removed_rooms[ticket->to]++;
        core->statistics.removed_events += (uint64_t)ticket->from;
        core->statistics.removed_definitions += (uint64_t)answer->removed_definitions;
    }
    end_step(core);
}

void housekeeping_answered(struct core *core, const struct ticket *ticket,
                           const struct store_answer *answer)
{
    if (ticket->kind == TICKET_SURVEY)
        surveyed(core, answer);
    else if (ticket->kind == TICKET_REMOVE)
        removed(core, ticket, answer);
    else if (ticket->kind == TICKET_SWEEP)
        swept(core, answer);
    else
        measured(core, answer);
}
