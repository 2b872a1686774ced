#include "server/core/cost.h"

#include "engine/work.h"

/* So many make a thousandth of a unit, 50 ns. */
enum { WORK_UNITS = 15, BYTES_WRITTEN = 45 };
/* And of these as many cost what one does that is written: they lay ready. */
enum { BYTES_COPIED = 5 };
/* What is read is made of values, each as dear as some bytes; thousandths. */
enum { OF_TEN_BYTES_READ = 4, OF_TWO_VALUES_READ = 3 };

/* Of one's own allowance, in thousandths: coming in and playing takes no more. */
enum { MODEST = 50 };

/* A hundredth of what the engine allows an answer to do: shipped games hardly ever come there. */
enum { WORK_USUAL = WORK_ANSWER_MAX / 100 };

static uint64_t written_with(const struct writer *writer)
{
    uint64_t copied = writer_copied(writer);
    return writer_written(writer) - copied + copied / BYTES_COPIED;
}

static uint64_t written(const struct core *core)
{
    return written_with(&core->writer) + written_with(&core->body);
}

uint64_t cost_of_work(uint64_t units)
{
    return units / WORK_UNITS;
}

uint64_t cost_of_reading(const char *text, size_t length)
{
    size_t values = 0;
    for (size_t i = 0; i < length; i++)
        values += text[i] == ',';
    return length * OF_TEN_BYTES_READ / 10 + values * OF_TWO_VALUES_READ / 2;
}

void cost_note(struct core *core, uint64_t thousandths)
{
    core->noted += thousandths;
}

void cost_note_given(struct core *core, size_t bytes)
{
    cost_note(core, bytes / BYTES_WRITTEN / BYTES_COPIED);
}

struct cost_stretch cost_begin(const struct core *core)
{
    return (struct cost_stretch){work_spent(), written(core), core->noted, core->charged};
}

struct cost cost_end(struct core *core, const struct cost_stretch *stretch)
{
    struct cost cost = {.work = cost_of_work(work_spent() - stretch->work)};
    cost.all =
        cost.work + (written(core) - stretch->bytes) / BYTES_WRITTEN + core->noted - stretch->noted;
    /* Inner stretches divide, too, and may come to a thousandth more or less. */
    uint64_t inner_all = core->charged.all - stretch->charged.all;
    uint64_t inner_work = core->charged.work - stretch->charged.work;
    cost.all = cost.all > inner_all ? cost.all - inner_all : 0;
    cost.work = cost.work > inner_work ? cost.work - inner_work : 0;
    core->charged.all += cost.all;
    core->charged.work += cost.work;
    return cost;
}

/* In thousandths, of the allowance that is used up most. */
static uint32_t greed_of(struct account *account, uint64_t now_ms)
{
    uint32_t most = 0;
    for (; account; account = account->wider) {
        uint32_t used = allowance_used(&account->work, now_ms);
        if (used > most)
            most = used;
    }
    return most;
}

/* A server that is nearly busy lets those wait who ask for most, so that a thousand addresses at once are no queue for
 * people who play. `used`: of an allowance that is the asker's own. */
static bool has_its_share(struct core *core, struct account *account, uint32_t used)
{
    if (account->unlimited)
        return true;
    uint32_t greed = greed_of(account, core->now_ms);
    if (used > greed)
        greed = used;
    return greed <= MODEST || allowance_leaves(&core->working, greed, core->now_ms);
}

uint64_t cost_account_wait_ms(struct core *core, struct account *account, uint64_t thousandths)
{
    return has_its_share(core, account, 0) ? account_wait_ms(account, thousandths, core->now_ms)
                                           : RETRY_MS;
}

/* Local peers have no allowance of their own: who sends us for somebody asks before. */
uint64_t cost_wait_ms(struct core *core, struct session *session, uint64_t thousandths)
{
    if (session->local)
        return 0;
    uint32_t used = allowance_used(&session->allowance, core->now_ms);
    if (!has_its_share(core, session->account, used))
        return RETRY_MS;
    uint64_t session_ms = allowance_lacks_ms(&session->allowance, thousandths, core->now_ms);
    uint64_t account_ms = account_wait_ms(session->account, thousandths, core->now_ms);
    return session_ms > account_ms ? session_ms : account_ms;
}

uint64_t cost_take(struct core *core, struct session *session, uint64_t thousandths)
{
    uint64_t wait_ms = cost_wait_ms(core, session, thousandths);
    if (wait_ms == 0)
        cost_charge(core, session, thousandths);
    return wait_ms;
}

void cost_begin_precedence(const struct core *core, struct session *session)
{
    allowance_init(&session->precedence, PRECEDENCE_PER_S, PRECEDENCE_MAX, core->now_ms);
}

void cost_made_move(const struct core *core, struct session *session)
{
    allowance_give(&session->precedence, UINT64_C(1000) * PRECEDENCE_OF_MOVE, core->now_ms);
}

void cost_charge(struct core *core, struct session *session, uint64_t thousandths)
{
    allowance_charge(&session->precedence, thousandths, core->now_ms);
    allowance_charge(&session->allowance, thousandths, core->now_ms);
    cost_charge_account(core, session->account, thousandths);
}

void cost_charge_account(struct core *core, struct account *account, uint64_t thousandths)
{
    core->statistics.cost += thousandths;
    if (!account->unlimited)
        allowance_charge(&core->working, thousandths, core->now_ms);
    account_charge(account, thousandths, core->now_ms);
}

void cost_charge_author(struct core *core, const struct session *session,
                        const struct edition *edition, const struct cost *cost)
{
    uint64_t usual = cost_of_work(WORK_USUAL);
    if (edition->author && edition->author != session->account && cost->work > usual)
        account_charge(edition->author, cost->work - usual, core->now_ms);
}
