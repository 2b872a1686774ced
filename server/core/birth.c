#include "server/core/birth.h"

#include "engine/memory/memory.h"
#include "engine/work.h"
#include "server/core/journal.h"
#include "server/core/reply.h"
#include "server/core/transfer.h"

#include <stdlib.h>

/* --- on the thread ---------------------------------------------------------------------------- */

/* Only a game that goes on can be gone on with; the log of an import says how it ended. */
static enum refusal take_past(struct birth *birth, const struct event *created)
{
    struct room *room = birth->nascent.room;
    struct work_stretch stretch = work_begin(BIRTH_UNITS_MAX);
    bool legal = room_begin(room, created, birth->at_ms);
    bool over = legal && created->log_count == 0 &&
                position_outcome(room->position).kind != OUTCOME_PLAYING;
    if (!work_end(&stretch))
        return REFUSAL_TOO_MANY;
    if (!legal)
        return REFUSAL_ILLEGAL_MOVE;
    return over && created->fork_room.data ? REFUSAL_GAME_OVER : REFUSAL_NONE;
}

static bool make_room(struct task *task)
{
    struct birth *birth = (struct birth *)task;
    struct event *created = &birth->created;
    nascent_prepare(&birth->nascent);
    *created = (struct event){.kind = EVENT_CREATED, .game = text_of(birth->game)};
    edition_tell(&birth->nascent.borrowed, created);
    birth->tell(birth, created);
    birth->refusal = take_past(birth, created);
    writer_init(&birth->body);
    event_write(created, &birth->body);
    birth->told(birth, created);
    created->moves = NULL;
    created->log = NULL;
    created->move_count = created->log_count = 0;
    return true;
}

/* --- on the loop ------------------------------------------------------------------------------ */

static void release(struct core *core, struct task *task)
{
    struct birth *birth = (struct birth *)task;
    nascent_release(&birth->nascent, core);
    birth->release_source(core, birth->source);
    if (task->begun)
        writer_release(&birth->body);
    free(birth);
}

static void refuse(struct core *core, const struct birth *birth, enum refusal refusal,
                   uint64_t retry_ms)
{
    struct session *session = session_find(core, birth->author.peer);
    if (birth->author.request)
        transfer_refused(core, birth->author.request, refusal, retry_ms);
    else if (session)
        reply_refuse(core, session,
                     &(struct complaint){.refusal = refusal,
                                         .command = text_of(birth->author.command),
                                         .words = refusal == REFUSAL_GAME_OVER
                                                      ? "fork.ply: the game was over by then"
                                                      : NULL,
                                         .version = -1,
                                         .retry_ms = retry_ms});
}

static void done(struct core *core, struct task *task)
{
    struct birth *birth = (struct birth *)task;
    enum refusal refusal = birth->refusal;
    bool gone = !birth->author.request && !session_find(core, birth->author.peer);
    if (refusal == REFUSAL_NONE && (core->stopping || !lease_held(core)))
        refusal = REFUSAL_UNAVAILABLE;
    if (refusal == REFUSAL_NONE && !gone) {
        struct room *room = nascent_finish(&birth->nascent, core);
        room->is_public = birth->is_public;
        text_copy(text_of(birth->game), room->game, sizeof room->game);
        refusal = journal_create_made(
            core, &birth->author,
            &(struct made_room){room, &birth->created, writer_text(&birth->body)});
    }
    if (refusal != REFUSAL_NONE)
        refuse(core, birth, refusal, refusal_may_retry(refusal) ? RETRY_MS : 0);
    release(core, task);
}

static void refused(struct core *core, struct task *task, uint64_t retry_ms)
{
    refuse(core, (struct birth *)task, REFUSAL_UNAVAILABLE, retry_ms);
    release(core, task);
}

struct birth *birth_new(struct core *core, struct edition *edition)
{
    static const struct task_kind kind = {TASK_PLACES, make_room, done, refused, release};
    struct birth *birth = memory_zeroed(1, sizeof *birth);
    static const char no_id[ROOM_ID_BYTES + 1] = "";
    birth->task.kind = &kind;
    birth->at_ms = core->now_ms;
    nascent_begin(&birth->nascent, core, no_id, edition);
    return birth;
}

uint64_t birth_ask(struct core *core, struct birth *birth, struct account *account, size_t bytes)
{
    uint64_t retry_ms = task_ask(core, &birth->task, account, bytes);
    if (retry_ms > 0)
        release(core, &birth->task);
    return retry_ms;
}
