#include "server/core/account.h"

#include "engine/memory/memory.h"

#include "server/core/writing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BITS_IPV4 = 128, BITS_IPV6 = 64, BITS_WIDER = 56, BITS_PLAYER = 255, NOWHERE = -1 };

/* --- addresses -------------------------------------------------------------------------------- */

static bool is_ipv4(const struct core_address *address)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    return memcmp(address->bytes, mapped, sizeof mapped) == 0;
}

static bool is_nobody(const struct core_address *address)
{
    static const struct core_address zero;
    return memcmp(address, &zero, sizeof zero) == 0;
}

static struct account_key key_of(const struct core_address *address, uint8_t bits)
{
    struct account_key key = {.bits = bits};
    memcpy(key.bytes, address->bytes, bits / 8);
    return key;
}

/* --- those nobody holds ----------------------------------------------------------------------- */

static uint64_t settled_ms(const struct account *account)
{
    uint64_t settled_ms = allowance_full_ms(&account->work);
    uint64_t rooms_ms = allowance_full_ms(&account->rooms);
    uint64_t keys_ms = allowance_full_ms(&account->keys);
    settled_ms = settled_ms > rooms_ms ? settled_ms : rooms_ms;
    uint64_t imports_ms = allowance_full_ms(&account->imports);
    settled_ms = settled_ms > imports_ms ? settled_ms : imports_ms;
    uint64_t writing_ms = allowance_full_ms(&account->writing);
    settled_ms = settled_ms > keys_ms ? settled_ms : keys_ms;
    uint64_t publications_ms = allowance_full_ms(&account->publications);
    settled_ms = settled_ms > publications_ms ? settled_ms : publications_ms;
    return settled_ms > writing_ms ? settled_ms : writing_ms;
}

static void put_at(struct accounts *accounts, int place, struct account *account)
{
    accounts->kept[place] = account;
    account->place = place;
}

static void move_up(struct accounts *accounts, struct account *account)
{
    int place = account->place;
    while (place > 0 && accounts->kept[(place - 1) / 2]->settled_ms > account->settled_ms) {
        put_at(accounts, place, accounts->kept[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put_at(accounts, place, account);
}

static void move_down(struct accounts *accounts, struct account *account)
{
    int place = account->place;
    for (;;) {
        int below = 2 * place + 1;
        if (below + 1 < accounts->kept_count &&
            accounts->kept[below + 1]->settled_ms < accounts->kept[below]->settled_ms)
            below++;
        if (below >= accounts->kept_count ||
            accounts->kept[below]->settled_ms >= account->settled_ms)
            break;
        put_at(accounts, place, accounts->kept[below]);
        place = below;
    }
    put_at(accounts, place, account);
}

static void keep(struct accounts *accounts, struct account *account)
{
    account->settled_ms = settled_ms(account);
    put_at(accounts, accounts->kept_count++, account);
    move_up(accounts, account);
}

static void unkeep(struct accounts *accounts, struct account *account)
{
    struct account *last = accounts->kept[--accounts->kept_count];
    if (last != account) {
        put_at(accounts, account->place, last);
        move_up(accounts, last);
        move_down(accounts, last);
    }
    account->place = NOWHERE;
}

static void drop_first(struct accounts *accounts, uint64_t now_ms)
{
    struct account *account = accounts->kept[0];
    unkeep(accounts, account);
    map_remove(&accounts->all, &account->key, sizeof account->key);
    if (account->wider)
        account_let_go(accounts, account->wider, now_ms);
    free(account);
}

/* Also those that owe nothing any more. */
static void drop_what_is_over(struct accounts *accounts, uint64_t now_ms)
{
    while (accounts->kept_count > accounts->limits.kept_max ||
           (accounts->kept_count > 0 && accounts->kept[0]->settled_ms <= now_ms))
        drop_first(accounts, now_ms);
}

/* --- life ------------------------------------------------------------------------------------- */

void accounts_init(struct accounts *accounts, const struct account_limits *limits,
                   struct hash_key hash_key)
{
    *accounts = (struct accounts){
        .limits = *limits,
        .local = {.unlimited = true, .place = NOWHERE},
        /* One is over the bound for a moment, and its wider account when it goes. */
        .kept = memory_zeroed((size_t)limits->kept_max + 2, sizeof(struct account *)),
    };
    map_init(&accounts->all, hash_key);
}

void accounts_release(struct accounts *accounts)
{
    size_t cursor = 0;
    for (struct account *account; (account = map_next(&accounts->all, &cursor));)
        free(account);
    map_release(&accounts->all);
    free(accounts->kept);
}

enum { OF_PLAYER = 1, OF_ADDRESS = 4, OF_WIDER = OF_ADDRESS * ACCOUNT_WIDER_TIMES };

/* Something of what is limited stays limited. */
static uint32_t part(uint32_t limit, uint32_t quarters)
{
    uint64_t all = (uint64_t)limit * quarters / OF_ADDRESS;
    return all > UINT32_MAX ? UINT32_MAX : limit > 0 && all == 0 ? 1 : (uint32_t)all;
}

static struct account *account_new(struct accounts *accounts, const struct account_key *key,
                                   uint32_t quarters, uint64_t now_ms)
{
    const struct account_limits *limits = &accounts->limits;
    struct account *account = memory_zeroed(1, sizeof *account);
    account->key = *key;
    account->place = NOWHERE;
    allowance_init(&account->work, part(limits->per_s, quarters), part(limits->burst, quarters),
                   now_ms);
    allowance_init(&account->rooms, part(limits->rooms_per_minute, quarters),
                   part(limits->rooms_burst * ACCOUNT_MINUTE_UNITS, quarters), now_ms);
    allowance_init(&account->keys, part(limits->keys_per_minute, quarters),
                   part(limits->keys_burst * ACCOUNT_MINUTE_UNITS, quarters), now_ms);
    allowance_init(&account->publications, part(limits->publications_per_minute, quarters),
                   part(limits->publications_burst * ACCOUNT_MINUTE_UNITS, quarters), now_ms);
    writing_limit(account, part(limits->day_bytes, quarters), now_ms);
    allowance_init(&account->imports, part(ACCOUNT_IMPORTS_PER_S, quarters),
                   part(ACCOUNT_IMPORTS_BURST, quarters), now_ms);
    map_put(&accounts->all, &account->key, sizeof account->key, account);
    return account;
}

static struct account *find(struct accounts *accounts, const struct account_key *key)
{
    struct account *account = map_find(&accounts->all, key, sizeof *key);
    if (account && account->place != NOWHERE)
        unkeep(accounts, account);
    return account;
}

/* NULL only while it is made: then `wider` of the new one is to be held, too. */
static struct account *find_or_make(struct accounts *accounts, const struct core_address *address,
                                    uint8_t bits, uint64_t now_ms)
{
    struct account_key key = key_of(address, bits);
    struct account *account = find(accounts, &key);
    if (!account) {
        account = account_new(accounts, &key, bits == BITS_WIDER ? OF_WIDER : OF_ADDRESS, now_ms);
        if (bits == BITS_IPV6)
            account->wider = find_or_make(accounts, address, BITS_WIDER, now_ms);
    }
    return account_hold(account);
}

struct account *account_of(struct accounts *accounts, const struct core_address *address,
                           uint64_t now_ms)
{
    if (is_nobody(address))
        return account_hold(&accounts->local);
    drop_what_is_over(accounts, now_ms);
    return find_or_make(accounts, address, is_ipv4(address) ? BITS_IPV4 : BITS_IPV6, now_ms);
}

struct account *account_of_player(struct accounts *accounts, const char *player, uint64_t now_ms)
{
    struct account_key key = {.bits = BITS_PLAYER};
    size_t length = strlen(player);
    assert(length >= sizeof key.bytes);
    memcpy(key.bytes, player + length - sizeof key.bytes, sizeof key.bytes);
    drop_what_is_over(accounts, now_ms);
    struct account *account = find(accounts, &key);
    return account_hold(account ? account : account_new(accounts, &key, OF_PLAYER, now_ms));
}

struct account *account_hold(struct account *account)
{
    account->holders++;
    return account;
}

void account_let_go(struct accounts *accounts, struct account *account, uint64_t now_ms)
{
    assert(account->holders > 0);
    if (--account->holders > 0 || account->unlimited)
        return;
    keep(accounts, account);
    drop_what_is_over(accounts, now_ms);
}

/* --- cost ------------------------------------------------------------------------------------- */

uint64_t account_wait_ms(struct account *account, uint64_t thousandths, uint64_t now_ms)
{
    uint64_t longest_ms = 0;
    for (; account; account = account->wider) {
        uint64_t wait_ms = allowance_lacks_ms(&account->work, thousandths, now_ms);
        if (wait_ms > longest_ms)
            longest_ms = wait_ms;
    }
    return longest_ms;
}

void account_charge(struct account *account, uint64_t thousandths, uint64_t now_ms)
{
    for (; account; account = account->wider)
        allowance_charge(&account->work, thousandths, now_ms);
}

uint64_t account_take_import(struct account *account, uint32_t units, uint64_t now_ms)
{
    uint64_t longest_ms = 0;
    for (struct account *each = account; each; each = each->wider) {
        uint64_t wait_ms = allowance_wait_ms(&each->imports, units, now_ms);
        if (wait_ms > longest_ms)
            longest_ms = wait_ms;
    }
    for (struct account *each = account; each && longest_ms == 0; each = each->wider)
        allowance_take(&each->imports, units, now_ms);
    return longest_ms;
}
