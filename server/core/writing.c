#include "server/core/writing.h"

#include "server/core/handlers.h"

#include <string.h>

enum { DAY_S = 86400, ROW_BYTES = 64 /* beside its texts, and its places in indexes */ };

void writing_limit(struct account *account, uint32_t bytes, uint64_t now_ms)
{
    uint32_t per_s = bytes / DAY_S;
    /* A bucket that never fills would be one without a bound. */
    allowance_init(&account->writing, bytes > 0 && per_s == 0 ? 1 : per_s, bytes, now_ms);
}

/* --- charging --------------------------------------------------------------------------------- */

void writing_charge_bytes(struct account *account, size_t bytes, uint64_t now_ms)
{
    for (; account; account = account->wider)
        allowance_charge(&account->writing, (uint64_t)bytes * 1000, now_ms);
}

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

struct written {
    size_t of[CORE_WRITTEN_KINDS];
};

static enum core_written kind_of(const struct store_event *event)
{
    static const struct {
        enum event_kind event;
        enum core_written kind;
    } kinds[] = {
        {EVENT_MOVED, CORE_WRITTEN_MOVES},
        {EVENT_CHATTED, CORE_WRITTEN_CHAT},
        {EVENT_CREATED, CORE_WRITTEN_ROOMS},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(event->kind, event_kind_word(kinds[i].event)) == 0)
            return kinds[i].kind;
    return CORE_WRITTEN_EVENTS;
}

static void add_write(struct written *written, const struct store_write *write)
{
    const struct store_event *event = &write->event;
    const struct store_room *room = &write->room;
    size_t *events = &written->of[kind_of(event)];
    *events += ROW_BYTES + length_of(event->body) + length_of(event->client) +
               length_of(event->command) + length_of(event->kind);
    for (int i = 0; i < room->seat_count && write->seats_changed; i++)
        *events += ROW_BYTES + STORE_HASH_DIGITS + 2 * STORE_PLAYER_BYTES +
                   length_of(room->seats[i].seat) + length_of(room->seats[i].name);
    if (write->expected_version > 0)
        return;
    written->of[CORE_WRITTEN_ROOMS] +=
        ROW_BYTES + STORE_HASH_DIGITS + length_of(room->title) + length_of(room->players);
    if (!room->game[0]) /* that of a served game is there already */
        written->of[CORE_WRITTEN_DEFINITIONS] += length_of(write->definition);
}

static struct written written_by(const struct store_request *request)
{
    struct written written = {{0}};
    for (int i = 0; i < request->write_count; i++)
        add_write(&written, &request->writes[i]);
    if (request->ask == STORE_PUBLISH)
        written.of[CORE_WRITTEN_PUBLISHED] = ROW_BYTES + length_of(request->definition);
    if (request->ask == STORE_REPORT)
        written.of[CORE_WRITTEN_PUBLISHED] = ROW_BYTES + length_of(request->report.words);
    if (request->ask == STORE_KEEP_PICTURE)
        written.of[CORE_WRITTEN_PICTURES] = ROW_BYTES + request->picture.length;
    return written;
}

size_t writing_bytes(const struct store_request *request)
{
    const struct written written = written_by(request);
    size_t bytes = 0;
    for (int i = 0; i < CORE_WRITTEN_KINDS; i++)
        bytes += written.of[i];
    return bytes;
}

void writing_count(struct core *core, const struct store_request *request)
{
    const struct written written = written_by(request);
    for (int i = 0; i < CORE_WRITTEN_KINDS; i++)
        core->statistics.written[i] += written.of[i];
}

/* --- refusing --------------------------------------------------------------------------------- */

static uint64_t wait_ms(struct account *account, uint64_t now_ms)
{
    uint64_t longest_ms = 0;
    for (; account; account = account->wider) {
        uint64_t wait = allowance_wait_ms(&account->writing, ROW_BYTES, now_ms);
        longest_ms = wait > longest_ms ? wait : longest_ms;
    }
    return longest_ms;
}

static struct writing_refusal judge_account(const struct core *core, struct account *account)
{
    uint64_t retry_ms = wait_ms(account, core->now_ms);
    if (retry_ms == 0)
        return (struct writing_refusal){.refusal = REFUSAL_NONE};
    return (struct writing_refusal){.refusal = REFUSAL_RATE_LIMITED,
                                    .words = "your address has written as much as it may in a day; "
                                             "its games go on",
                                    .retry_ms = retry_ms};
}

struct writing_refusal writing_judge(const struct core *core, struct account *account)
{
    uint64_t retry_ms;
    if (housekeeping_has_room(core, &retry_ms))
        return judge_account(core, account);
    return (struct writing_refusal){.refusal = REFUSAL_UNAVAILABLE,
                                    .words = "the server's store is full: no new rooms, but games "
                                             "under way go on",
                                    .retry_ms = retry_ms};
}

static enum refusal refuse(struct request *request, const struct writing_refusal *refusal)
{
    if (refusal->refusal == REFUSAL_NONE)
        return REFUSAL_NONE;
    request->retry_ms = refusal->retry_ms;
    return refuse_because(request, refusal->refusal, "%s", refusal->words);
}

enum refusal writing_refuses_room(struct request *request)
{
    const struct writing_refusal refusal = writing_judge(request->core, request->session->account);
    return refuse(request, &refusal);
}

/* What a game needs to come to its end. */
static bool plays_on(enum event_kind kind)
{
    return kind == EVENT_MOVED || kind == EVENT_FLAGGED || kind == EVENT_RESIGNED ||
           kind == EVENT_ABORTED || kind == EVENT_CLAIMED || kind == EVENT_ABANDONED ||
           kind == EVENT_DRAWN || kind == EVENT_LEFT;
}

enum refusal writing_refuses_event(struct request *request, enum event_kind kind)
{
    if (plays_on(kind))
        return REFUSAL_NONE;
    const struct writing_refusal refusal = judge_account(request->core, request->session->account);
    return refuse(request, &refusal);
}
