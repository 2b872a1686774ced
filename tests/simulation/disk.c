/* The store's pace and its failures. What a server asks is done once, later, or not at all; the answer takes its time too.
 * What the store does not say when a commit is cut it may do long after that. */
#include "tests/simulation/parts.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_last(struct question **list, struct question *question)
{
    while (*list)
        list = &(*list)->next;
    *list = question;
}

bool disk_ask(struct host *host, const struct store_request *request)
{
    struct world *world = host->world;
    bool full = host->question_count >= QUESTIONS_MAX || chance(world, world->weather.store_faults);
    if (!world->calm && full)
        return false;
    oracle_asked(host, request);
    struct question *question = calloc(1, sizeof *question);
    question->request = store_request_copy(request);
    times_asked(host, question);
    put_last(&host->questions, question);
    host->question_count++;
    if (world->canary != CANARY_EARLY_ANSWER || request->ask != STORE_APPEND)
        return true;
    /* The lie: an answer that may arrive before its request has been performed. */
    struct question *lie = calloc(1, sizeof *lie);
    lie->performed = true;
    lie->answer =
        (struct store_answer){.ticket = request->ticket, .ask = request->ask, .status = STORE_OK};
    lie->next = host->questions;
    host->questions = lie;
    host->question_count++;
    return true;
}

/* --- performing ------------------------------------------------------------------------------------------------ */

/* No event of an old epoch comes into the log, whoever wants it there and however late. */
static void perform_well(struct world *world, struct question *question)
{
    const struct store_request *request = question->request;
    bool old = false;
    for (int i = 0; i < request->write_count; i++) {
        const struct kept_room *room = memory_store_room(&world->store, request->writes[i].room.id);
        old = old || (room && request->writes[i].epoch != room->epoch);
    }
    memory_store_perform(&world->store, request, &question->answer);
    oracle_answered(world, &question->answer);
    if (request->ask == STORE_LOAD || request->ask == STORE_TAIL)
        times_read(world, request);
    if (request->ask != STORE_APPEND)
        return;
    if (old && question->answer.status == STORE_OK)
        violate(world, "an event of an old epoch is in the log of %s", request->writes[0].room.id);
    if (question->answer.status == STORE_OK) {
        oracle_stored(world, request->writes[0].event.command);
        times_stored(world, question);
    }
    oracle_look_at_store(world);
}

static void answer_with(struct question *question, enum store_status status)
{
    store_answer_release(&question->answer);
    question->answer = (struct store_answer){.ticket = question->request->ticket,
                                             .ask = question->request->ask,
                                             .status = status,
                                             .words = "on purpose"};
}

/* The connection dies inside COMMIT: it was written, or it was not, or it will be. */
static void perform_unheard(struct world *world, struct question *question)
{
    struct question *late;
    world->report->unknowns++;
    switch (below(world, 3)) {
    case 0:
        perform_well(world, question);
        break;
    case 1:
        late = calloc(1, sizeof *late);
        late->request = store_request_copy(question->request);
        late->asked_ms = question->asked_ms;
        late->unsure_ms = question->unsure_ms;
        late->next = world->late_writes;
        world->late_writes = late;
        break;
    default:
        break;
    }
    bool lie = world->canary == CANARY_UNKNOWN_DONE;
    answer_with(question, lie ? STORE_OK : STORE_UNKNOWN);
}

static void perform(struct world *world, struct question *question)
{
    const struct store_request *request = question->request;
    bool fails = world->store_away > 0 || chance(world, world->weather.store_faults);
    bool append = request->ask == STORE_APPEND;
    world->store_away -= world->store_away > 0;
    if (world->calm || !fails) {
        perform_well(world, question);
    } else if (append && chance(world, 400)) {
        perform_unheard(world, question);
    } else {
        answer_with(question, STORE_FAILED);
        world->report->failures++;
    }
    trace(world, "the store performs %" PRIu64 ": %d", request->ticket, question->answer.status);
    store_request_free(question->request);
    question->request = NULL;
    question->performed = true;
    question->performed_at = world->report->steps;
}

static struct question **pick(struct world *world, struct host *host, bool performed)
{
    struct question **picked = NULL;
    uint64_t count = 0;
    for (struct question **link = &host->questions; *link; link = &(*link)->next) {
        bool fits = (*link)->performed == performed;
        if (fits && world->weather.in_order)
            return performed && link != &host->questions && world->canary == CANARY_NONE ? NULL
                                                                                         : link;
        if (fits && below(world, ++count) == 0)
            picked = link;
    }
    return picked;
}

bool disk_step_perform(struct world *world)
{
    struct host *host = &world->hosts[below(world, (uint64_t)world->host_count)];
    if (!world->calm && world->store_still > 0) {
        world->store_still--;
        return false;
    }
    for (int i = 0; i < world->host_count; i++) {
        struct question **link = pick(world, host, false);
        if (link) {
            perform(world, *link);
            return true;
        }
        host = &world->hosts[(host->index + 1) % world->host_count];
    }
    return false;
}

/* --- answering ---------------------------------------------------------------------------------------------------- */

static bool answer_one(struct world *world, struct host *host)
{
    struct question **link = host_still(host) ? NULL : pick(world, host, true);
    if (!link)
        return false;
    struct question *question = *link;
    *link = question->next;
    host->question_count--;
    trace(world, "the store answers %" PRIu64, question->answer.ticket);
    times_store_said(host, question);
    world->told_of = question->performed_at;
    core_store_answered(host->core, &question->answer);
    world->told_of = 0;
    free(question);
    return true;
}

bool disk_step_answer(struct world *world)
{
    int first = (int)below(world, (uint64_t)world->host_count);
    for (int i = 0; i < world->host_count; i++)
        if (answer_one(world, &world->hosts[(first + i) % world->host_count]))
            return true;
    return false;
}

bool disk_step_late(struct world *world)
{
    struct question *late = world->late_writes;
    if (!late)
        return false;
    world->late_writes = late->next;
    perform_well(world, late);
    trace(world, "what nobody knew of is written now: %d", late->answer.status);
    world->written_elsewhere |= late->answer.status == STORE_OK;
    if (late->answer.status == STORE_OK)
        oracle_written_late(world, late->request->writes[0].event.command);
    store_answer_release(&late->answer);
    store_request_free(late->request);
    free(late);
    return true;
}

/* In the order asked, as far as it came. */
void disk_crash(struct host *host)
{
    struct world *world = host->world;
    bool done = true;
    while (host->questions) {
        struct question *question = host->questions;
        host->questions = question->next;
        done = done && !chance(world, 300);
        if (!question->performed && done)
            perform(world, question);
        if (question->request)
            store_request_free(question->request);
        else
            store_answer_release(&question->answer);
        free(question);
    }
    host->question_count = 0;
}

void disk_fence(struct world *world)
{
    if (world->store.room_count == 0)
        return;
    struct kept_room *room = &world->store.rooms[below(world, (uint64_t)world->store.room_count)];
    room->epoch++;
    trace(world, "the operator fences %s off", room->id);
}

void disk_stranger(struct world *world)
{
    if (world->store.room_count == 0)
        return;
    const struct kept_room *room =
        &world->store.rooms[below(world, (uint64_t)world->store.room_count)];
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    request.writes[0] = (struct store_write){
        .room = {.id = room->id, .status = room->status},
        .expected_version = room->version,
        .epoch = room->epoch,
        .event = {.version = room->version + 1,
                  .at_ms = (int64_t)world->now_ms,
                  .kind = "chat",
                  .client = "p_strangerstranger",
                  .command = "",
                  .body =
                      "{\"player\":\"p_strangerstranger\",\"name\":\"Stranger\",\"text\":\"x\"}"}};
    struct store_answer answer;
    memory_store_perform(&world->store, &request, &answer);
    trace(world, "a stranger writes to %s: %d", room->id, answer.status);
    store_answer_release(&answer);
    world->written_elsewhere = true;
}
