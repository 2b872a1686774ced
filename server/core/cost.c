#include "server/core/cost.h"

#include "engine/work.h"

/* So many make a thousandth of a unit, 50 ns. What is read is made of values, each as dear as some bytes. */
enum { WORK_UNITS = 15, BYTES_WRITTEN = 45, BYTES_READ = 3, VALUES_READ = 1 };

/* A hundredth of what the engine allows an answer to do: shipped games hardly ever come there. */
enum { WORK_USUAL = WORK_ANSWER_MAX / 100 };

static uint64_t written(const struct core *core)
{
    return writer_written(&core->writer) + writer_written(&core->body);
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
    return length / BYTES_READ + values / VALUES_READ;
}

void cost_note(struct core *core, uint64_t thousandths)
{
    core->noted += thousandths;
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

/* Local peers have no allowance of their own: who sends us for somebody asks before. */
uint64_t cost_wait_ms(const struct core *core, struct session *session, uint64_t thousandths)
{
    if (session->local)
        return 0;
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

void cost_charge(struct core *core, struct session *session, uint64_t thousandths)
{
    allowance_charge(&session->allowance, thousandths, core->now_ms);
    cost_charge_account(core, session->account, thousandths);
}

void cost_charge_account(struct core *core, struct account *account, uint64_t thousandths)
{
    core->statistics.cost += thousandths;
    account_charge(account, thousandths, core->now_ms);
}

void cost_charge_author(struct core *core, const struct session *session,
                        const struct edition *edition, const struct cost *cost)
{
    uint64_t usual = cost_of_work(WORK_USUAL);
    if (edition->author && edition->author != session->account && cost->work > usual)
        account_charge(edition->author, cost->work - usual, core->now_ms);
}
