#include "server/core/making.h"

#include "server/core/handlers.h"
#include "server/core/writing.h"

/* Which of an account's allowances. */
typedef struct allowance *allowance_of(struct account *account);

static struct allowance *rooms_of(struct account *account)
{
    return &account->rooms;
}

static struct allowance *keys_of(struct account *account)
{
    return &account->keys;
}

static struct allowance *publications_of(struct account *account)
{
    return &account->publications;
}

/* What one of an address, of a wider one and of a player, where there is one, has to wait for. */
struct claim {
    struct account *accounts[3];
    int count;
};

static struct claim claim_by(struct account *account, struct account *player)
{
    struct claim claim = {.count = 0};
    for (; account; account = account->wider)
        claim.accounts[claim.count++] = account;
    if (player)
        claim.accounts[claim.count++] = player;
    return claim;
}

static struct claim claim_of(const struct session *session)
{
    return claim_by(session->account, session->player_account);
}

static uint64_t own_wait_ms(const struct claim *claim, allowance_of *which, uint64_t now_ms)
{
    uint64_t longest_ms = 0;
    for (int i = 0; i < claim->count; i++) {
        uint64_t wait_ms =
            allowance_wait_ms(which(claim->accounts[i]), ACCOUNT_MINUTE_UNITS, now_ms);
        if (wait_ms > longest_ms)
            longest_ms = wait_ms;
    }
    return longest_ms;
}

/* In thousandths, of the allowance that is used up most. */
static uint32_t greed_of(const struct claim *claim, allowance_of *which, uint64_t now_ms)
{
    uint32_t most = 0;
    for (int i = 0; i < claim->count; i++) {
        uint32_t used = allowance_used(which(claim->accounts[i]), now_ms);
        if (used > most)
            most = used;
    }
    return most;
}

static uint64_t common_wait_ms(struct core *core, const struct claim *claim)
{
    if (!allowance_leaves(&core->making, greed_of(claim, rooms_of, core->now_ms), core->now_ms))
        return RETRY_MS;
    return allowance_wait_ms(&core->making, 1, core->now_ms);
}

static void take(const struct claim *claim, allowance_of *which, uint64_t now_ms)
{
    for (int i = 0; i < claim->count; i++)
        allowance_take(which(claim->accounts[i]), ACCOUNT_MINUTE_UNITS, now_ms);
}

static uint64_t room_wait_ms(struct core *core, const struct claim *claim)
{
    uint64_t wait_ms = own_wait_ms(claim, rooms_of, core->now_ms);
    return wait_ms > 0 ? wait_ms : common_wait_ms(core, claim);
}

static void take_room(struct core *core, const struct claim *claim)
{
    take(claim, rooms_of, core->now_ms);
    allowance_take(&core->making, 1, core->now_ms);
}

static enum refusal wait(struct request *request, const char *what, uint64_t wait_ms)
{
    request->core->statistics.makings_refused++;
    request->retry_ms = wait_ms;
    return refuse_because(request, REFUSAL_RATE_LIMITED, "too many %s", what);
}

enum refusal making_room(struct request *request)
{
    struct core *core = request->core;
    enum refusal refusal = writing_refuses_room(request);
    if (refusal != REFUSAL_NONE)
        return refusal;
    if (request->session->account->unlimited)
        return REFUSAL_NONE;
    struct claim claim = claim_of(request->session);
    uint64_t wait_ms = room_wait_ms(core, &claim);
    if (wait_ms > 0)
        return wait(request, "new rooms", wait_ms);
    take_room(core, &claim);
    return REFUSAL_NONE;
}

enum refusal making_key(struct request *request)
{
    struct core *core = request->core;
    if (request->session->account->unlimited)
        return REFUSAL_NONE;
    struct claim claim = claim_of(request->session);
    uint64_t wait_ms = own_wait_ms(&claim, keys_of, core->now_ms);
    if (wait_ms > 0)
        return wait(request, "seat keys", wait_ms);
    take(&claim, keys_of, core->now_ms);
    return REFUSAL_NONE;
}

uint64_t making_publication(struct core *core, struct account *account, struct account *player)
{
    if (account->unlimited)
        return 0;
    struct claim claim = claim_by(account, player);
    uint64_t wait_ms = own_wait_ms(&claim, publications_of, core->now_ms);
    if (wait_ms > 0)
        core->statistics.makings_refused++;
    else
        take(&claim, publications_of, core->now_ms);
    return wait_ms;
}

uint64_t making_import(struct core *core, struct account *account, uint32_t kib)
{
    if (account->unlimited)
        return 0;
    struct claim claim = claim_by(account, NULL);
    uint64_t wait_ms = room_wait_ms(core, &claim);
    if (wait_ms == 0)
        wait_ms = account_take_import(account, kib, core->now_ms);
    if (wait_ms > 0)
        core->statistics.makings_refused++;
    else
        take_room(core, &claim);
    return wait_ms;
}
