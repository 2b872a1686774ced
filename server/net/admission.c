#include "server/net/admission.h"

#include "engine/memory/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS_FIRST = 256, THOUSANDTHS = 1000, SWEEP_EVERY = 1024 };

struct entry {
    struct entry *next;
    struct address address;
    bool is_wider;  /* of a /56 */
    bool is_widest; /* of a /56, or IPv4 */
    uint32_t connections;
    uint64_t tokens; /* new connections that may still come, in thousandths */
    uint64_t filled_ms;
};

struct admission {
    uint32_t connections_max, new_per_s;
    size_t bucket_count, entry_count, entered; /* bucket_count: a power of two */
    size_t sharers;                            /* widest entries with a connection */
    struct entry **buckets;
};

struct admission *admission_new(uint32_t connections_max, uint32_t new_per_s)
{
    struct admission *admission = memory_zeroed(1, sizeof(*admission));
    admission->connections_max = connections_max;
    admission->new_per_s = new_per_s;
    admission->bucket_count = BUCKETS_FIRST;
    admission->buckets = memory_zeroed(BUCKETS_FIRST, sizeof(struct entry *));
    return admission;
}

void admission_free(struct admission *admission)
{
    if (admission == NULL)
        return;
    for (size_t i = 0; i < admission->bucket_count; i++)
        for (struct entry *entry = admission->buckets[i], *next; entry != NULL; entry = next) {
            next = entry->next;
            free(entry);
        }
    free(admission->buckets);
    free(admission);
}

static struct entry **bucket_of(const struct admission *admission, const struct address *address,
                                bool is_wider)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) + is_wider;
    for (size_t i = 0; i < sizeof address->bytes; i++)
        hash = (hash ^ address->bytes[i]) * UINT64_C(0x100000001b3);
    hash ^= hash >> 32;
    return &admission->buckets[hash & (admission->bucket_count - 1)];
}

static struct entry *find(const struct admission *admission, const struct address *address,
                          bool is_wider)
{
    struct entry *entry = *bucket_of(admission, address, is_wider);
    while (entry != NULL &&
           (entry->is_wider != is_wider || memcmp(&entry->address, address, sizeof *address) != 0))
        entry = entry->next;
    return entry;
}

static uint32_t times(const struct entry *entry)
{
    return entry->is_wider ? ADMISSION_WIDER_TIMES : 1;
}

/* The bucket holds two seconds' worth, so that a page and its images in several connections pass.
 */
static uint64_t tokens_max(const struct admission *admission, const struct entry *entry)
{
    return (uint64_t)admission->new_per_s * 2 * THOUSANDTHS * times(entry);
}

static void fill(const struct admission *admission, struct entry *entry, uint64_t now_ms)
{
    uint64_t passed_ms = now_ms > entry->filled_ms ? now_ms - entry->filled_ms : 0;
    uint64_t most = tokens_max(admission, entry);
    entry->filled_ms = now_ms;
    if (passed_ms >= 2000)
        entry->tokens = most;
    else
        entry->tokens +=
            passed_ms * admission->new_per_s * times(entry); /* per_s × ms = thousandths */
    if (entry->tokens > most)
        entry->tokens = most;
}

/* Forgets the entries about which there is nothing to remember. */
static void sweep(struct admission *admission, uint64_t now_ms)
{
    for (size_t i = 0; i < admission->bucket_count; i++) {
        struct entry **link = &admission->buckets[i];
        while (*link != NULL) {
            struct entry *entry = *link;
            fill(admission, entry, now_ms);
            if (entry->connections > 0 || entry->tokens < tokens_max(admission, entry)) {
                link = &entry->next;
                continue;
            }
            *link = entry->next;
            free(entry);
            admission->entry_count--;
        }
    }
}

static void grow(struct admission *admission)
{
    size_t old_count = admission->bucket_count;
    struct entry **old = admission->buckets;
    admission->bucket_count *= 2;
    admission->buckets = memory_zeroed(admission->bucket_count, sizeof(struct entry *));
    for (size_t i = 0; i < old_count; i++)
        for (struct entry *entry = old[i], *next; entry != NULL; entry = next) {
            next = entry->next;
            struct entry **bucket = bucket_of(admission, &entry->address, entry->is_wider);
            entry->next = *bucket;
            *bucket = entry;
        }
    free(old);
}

static struct entry *add(struct admission *admission, const struct address *address, bool is_wider,
                         uint64_t now_ms)
{
    if (admission->entry_count >= admission->bucket_count)
        grow(admission);
    struct entry *entry = memory_zeroed(1, sizeof(*entry));
    entry->address = *address;
    entry->is_wider = is_wider;
    entry->is_widest = is_wider || address_is_ipv4(address);
    entry->tokens = tokens_max(admission, entry);
    entry->filled_ms = now_ms;
    struct entry **bucket = bucket_of(admission, address, is_wider);
    entry->next = *bucket;
    *bucket = entry;
    admission->entry_count++;
    return entry;
}

static struct entry *find_or_add(struct admission *admission, const struct address *address,
                                 bool is_wider, uint64_t now_ms)
{
    struct entry *entry = find(admission, address, is_wider);
    if (entry == NULL)
        entry = add(admission, address, is_wider, now_ms);
    fill(admission, entry, now_ms);
    return entry;
}

static enum admission_answer judge(const struct admission *admission, const struct entry *entry)
{
    if (entry->connections / times(entry) >= admission->connections_max)
        return ADMISSION_TOO_MANY;
    return entry->tokens < THOUSANDTHS ? ADMISSION_TOO_FAST : ADMISSION_OK;
}

static void count(struct admission *admission, struct entry *entry)
{
    entry->tokens -= THOUSANDTHS;
    admission->sharers += entry->is_widest && entry->connections == 0;
    entry->connections++;
}

static void uncount(struct admission *admission, struct entry *entry)
{
    assert(entry != NULL && entry->connections > 0);
    entry->connections--;
    admission->sharers -= entry->is_widest && entry->connections == 0;
}

enum admission_answer admission_enter(struct admission *admission, const struct address *address,
                                      uint64_t now_ms)
{
    if (++admission->entered % SWEEP_EVERY == 0)
        sweep(admission, now_ms);
    struct entry *entry = find_or_add(admission, address, false, now_ms), *wider = NULL;
    enum admission_answer answer = judge(admission, entry);
    if (answer == ADMISSION_OK && !entry->is_widest) {
        struct address wide = address_wider(address);
        wider = find_or_add(admission, &wide, true, now_ms);
        answer = judge(admission, wider);
    }
    if (answer != ADMISSION_OK)
        return answer;
    count(admission, entry);
    if (wider != NULL)
        count(admission, wider);
    return ADMISSION_OK;
}

void admission_charge(struct admission *admission, const struct address *address, uint64_t now_ms)
{
    struct entry *entry = find(admission, address, false);
    uint64_t second = (uint64_t)admission->new_per_s * THOUSANDTHS;
    assert(entry != NULL);
    fill(admission, entry, now_ms);
    entry->tokens -= entry->tokens < second ? entry->tokens : second;
}

void admission_leave(struct admission *admission, const struct address *address)
{
    struct entry *entry = find(admission, address, false);
    uncount(admission, entry);
    if (entry->is_widest)
        return;
    struct address wide = address_wider(address);
    uncount(admission, find(admission, &wide, true));
}

uint32_t admission_share(const struct admission *admission, const struct address *address)
{
    bool is_widest = address_is_ipv4(address);
    struct address wide = is_widest ? *address : address_wider(address);
    const struct entry *entry = find(admission, &wide, !is_widest);
    return entry == NULL ? 0 : entry->connections;
}

size_t admission_sharers(const struct admission *admission)
{
    return admission->sharers;
}

size_t admission_entry_count(const struct admission *admission)
{
    return admission->entry_count;
}
