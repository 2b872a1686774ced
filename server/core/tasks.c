#include "server/core/tasks.h"

#include "engine/work.h"
#include "server/core/cost.h"
#include "server/core/parts.h"

#include <stddef.h>

enum {
    PART_UNITS_LEAST = 10000, /* a part is never free, whatever it did */
    MEAN_OF = 8,              /* tasks, about */
    MEAN_MS_FIRST = 20,
};

void tasks_init(struct tasks *tasks)
{
    *tasks = (struct tasks){.mean_ms = MEAN_MS_FIRST};
    list_init(&tasks->lanes);
    list_init(&tasks->under_way);
}

/* An address of IPv6 is one of many that a customer has: they share one lane. */
static struct lane *lane_of(struct account *account)
{
    while (account->wider)
        account = account->wider;
    return &account->lane;
}

static struct lane *lane_after(const struct tasks *tasks, const struct lane *lane)
{
    const struct link *link = lane ? &lane->link : &tasks->lanes.ends;
    return link->next->owner;
}

/* --- waiting ---------------------------------------------------------------------------------- */

static void enter_lane(struct tasks *tasks, struct lane *lane)
{
    if (link_listed(&lane->link))
        return;
    lane->end = &lane->first;
    if (lane->used < tasks->clock && lane->at_work == 0)
        lane->used = tasks->clock;
    list_append(&tasks->lanes, &lane->link, lane);
}

static void append_task(struct tasks *tasks, struct lane *lane, struct task *task)
{
    enter_lane(tasks, lane);
    task->next = NULL;
    *lane->end = task;
    lane->end = &task->next;
    lane->places += task->places;
    tasks->places += task->places;
}

/* `at` is where the lane's list points to the task. */
static struct task *remove_task(struct tasks *tasks, struct lane *lane, struct task **at)
{
    struct task *task = *at;
    *at = task->next;
    task->next = NULL;
    if (!*at)
        lane->end = at;
    lane->places -= task->places;
    tasks->places -= task->places;
    if (!lane->first)
        list_remove(&lane->link);
    return task;
}

void tasks_release(struct core *core)
{
    struct tasks *tasks = &core->tasks;
    for (struct lane *lane; (lane = list_first(&tasks->lanes));) {
        struct task *task = remove_task(tasks, lane, &lane->first);
        task->kind->release(core, task);
    }
    for (struct task *task; (task = list_first(&tasks->under_way));) {
        list_remove(&task->link);
        task->kind->release(core, task);
    }
}

/* --- working ---------------------------------------------------------------------------------- */

static void run_part(struct job *job)
{
    struct task *task = (struct task *)job;
    uint64_t before = work_spent();
    task->finished = task->kind->work(task);
    task->units = work_spent() - before;
}

/* Who has no thread comes first, then who has had less. */
static bool comes_before(const struct lane *lane, const struct lane *other)
{
    if (lane->at_work != other->at_work)
        return lane->at_work < other->at_work;
    return lane->used < other->used;
}

static struct lane *next_lane(const struct tasks *tasks)
{
    struct lane *next = NULL;
    for (struct lane *lane = NULL; (lane = lane_after(tasks, lane));)
        if (lane->at_work < TASKS_LANE_AT_WORK_MAX && (!next || comes_before(lane, next)))
            next = lane;
    return next;
}

static void work(struct core *core)
{
    struct tasks *tasks = &core->tasks;
    struct lane *lane;
    while (tasks->at_work < TASKS_AT_WORK_MAX && (lane = next_lane(tasks))) {
        struct task *task = remove_task(tasks, lane, &lane->first);
        if (tasks->clock < lane->used)
            tasks->clock = lane->used;
        tasks->at_work++;
        lane->at_work++;
        list_append(&tasks->under_way, &task->link, task);
        task->begun = true;
        task->began_ms = core->now_ms;
        core->ports.work(core->ports.context, &task->job);
    }
}

static void finish(struct core *core, struct task *task)
{
    struct tasks *tasks = &core->tasks;
    struct account *account = task->account;
    tasks->mean_ms = (tasks->mean_ms * (MEAN_OF - 1) + task->worked_ms + MEAN_OF - 1) / MEAN_OF;
    struct cost_stretch stretch = cost_begin(core);
    task->kind->done(core, task);
    cost_charge_account(core, account, cost_end(core, &stretch).all);
    account_let_go(&core->accounts, account, core->now_ms);
}

static void charge(struct core *core, const struct task *task)
{
    struct session *session = task->peer ? session_find(core, task->peer) : NULL;
    uint64_t cost = cost_of_work(task->units);
    if (session)
        cost_charge(core, session, cost);
    else
        cost_charge_account(core, task->account, cost);
}

void task_worked(struct core *core, struct job *job)
{
    struct task *task = (struct task *)job;
    struct lane *lane = lane_of(task->account);
    list_remove(&task->link);
    core->tasks.at_work--;
    lane->at_work--;
    lane->used += task->units > PART_UNITS_LEAST ? task->units : PART_UNITS_LEAST;
    task->worked_ms += core->now_ms - task->began_ms;
    charge(core, task);
    if (task->finished)
        finish(core, task);
    else
        append_task(&core->tasks, lane,
                    task); /* behind the others: a short one passes a long one */
    work(core);
}

/* --- asking ----------------------------------------------------------------------------------- */

/* When a task of this lane will be done, and its place free: as many lanes as there are share the threads. */
static uint64_t retry_ms(const struct tasks *tasks)
{
    uint64_t lanes = 0;
    for (const struct lane *lane = NULL; (lane = lane_after(tasks, lane));)
        lanes++;
    uint64_t wait_ms = tasks->mean_ms * (lanes + TASKS_AT_WORK_MAX - 1) / TASKS_AT_WORK_MAX;
    return wait_ms > tasks->mean_ms ? wait_ms : tasks->mean_ms + 1;
}

static struct lane *longest_lane(const struct tasks *tasks)
{
    struct lane *longest = NULL;
    for (struct lane *lane = NULL; (lane = lane_after(tasks, lane));)
        if (!longest || lane->places > longest->places)
            longest = lane;
    return longest;
}

/* The last that has not begun; else the last. */
static void refuse_newest(struct core *core, struct lane *lane)
{
    struct task **newest = &lane->first;
    for (struct task **at = newest; *at; at = &(*at)->next)
        if (!(*at)->begun || (*newest)->begun)
            newest = at;
    struct task *task = remove_task(&core->tasks, lane, newest);
    struct account *account = task->account;
    core->statistics.tasks_refused++;
    task->kind->refused(core, task, retry_ms(&core->tasks));
    account_let_go(&core->accounts, account, core->now_ms);
}

static bool has_room(const struct lane *lane, const struct account *account, int places)
{
    return account->unlimited || lane->places == 0 || lane->places + places <= TASK_LANE_PLACES_MAX;
}

/* Room among all, taken from the longest lane if that is longer than this one will be. */
static bool make_room(struct core *core, const struct lane *lane, int places)
{
    while (core->tasks.places + places > TASK_PLACES_MAX) {
        struct lane *longest = longest_lane(&core->tasks);
        if (!longest || longest->places <= lane->places + places)
            return !longest;
        refuse_newest(core, longest);
    }
    return true;
}

uint64_t task_ask(struct core *core, struct task *task, struct account *account, size_t bytes)
{
    struct lane *lane = lane_of(account);
    task->job.run = run_part;
    task->places = task->kind->places + (int)(bytes / TASK_PLACE_BYTES);
    if (!has_room(lane, account, task->places) || !make_room(core, lane, task->places)) {
        core->statistics.tasks_refused++;
        return retry_ms(&core->tasks);
    }
    task->account = account_hold(account);
    append_task(&core->tasks, lane, task);
    work(core);
    return 0;
}

static struct task **find_waiting(struct lane *lane, const struct task *task)
{
    if (!link_listed(&lane->link))
        return NULL;
    for (struct task **at = &lane->first; *at; at = &(*at)->next)
        if (*at == task)
            return at;
    return NULL;
}

void task_share(struct core *core, struct task *task, struct account *account)
{
    struct lane *from = lane_of(task->account), *to = lane_of(account);
    struct task **at = find_waiting(from, task);
    if (!at || from == to || to->places >= from->places)
        return;
    remove_task(&core->tasks, from, at);
    account_let_go(&core->accounts, task->account, core->now_ms);
    task->account = account_hold(account);
    append_task(&core->tasks, to, task);
    work(core);
}

int tasks_waiting(const struct tasks *tasks)
{
    int count = 0;
    for (const struct lane *lane = NULL; (lane = lane_after(tasks, lane));)
        for (const struct task *task = lane->first; task; task = task->next)
            count++;
    return count;
}
