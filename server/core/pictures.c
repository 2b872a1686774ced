#include "server/core/pictures.h"

#include "engine/memory/memory.h"
#include "engine/work.h"
#include "server/core/cost.h"
#include "server/core/digest.h"
#include "server/core/holdings.h"
#include "server/core/writing.h"
#include "server/pictures/picture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORK_OF_BYTE = 2, /* of engine/work.h: a byte read, held against the list and written */
    BYTES_STORED = 7, /* for a thousandth of a unit */
};

static_assert((int)CORE_PICTURE_BYTES_MAX == (int)PICTURE_BYTES_MAX, "the same bound");
static_assert((int)CORE_PICTURE_SVG == (int)PICTURE_SVG, "the same kinds");
static_assert((int)CORE_PICTURE_PNG == (int)PICTURE_PNG, "the same kinds");

struct upload {
    struct task task; /* first: a task of this kind is an upload */
    uint64_t request;
    size_t bytes_max;
    char *bytes; /* owned: what came */
    size_t length;
    enum picture_kind kind;
    enum picture_outcome outcome;
    struct picture picture;
    char hash[DIGEST_HEX_DIGITS + 1];
};

/* --- answers ------------------------------------------------------------------------------------ */

static void say(const struct core *core, uint64_t request, const struct picture_answer *answer)
{
    core->ports.pictured(core->ports.context, request, answer);
}

static void refuse(const struct core *core, uint64_t request, enum picture_answered outcome,
                   const char *words, uint64_t retry_ms)
{
    say(core, request,
        &(struct picture_answer){.outcome = outcome, .words = words, .retry_ms = retry_ms});
}

static void refuse_for_now(const struct core *core, uint64_t request, uint64_t retry_ms)
{
    refuse(core, request, PICTURE_UNAVAILABLE, refusal_words(REFUSAL_UNAVAILABLE), retry_ms);
}

/* --- the shelf ---------------------------------------------------------------------------------- */

struct shelved {
    char hash[DIGEST_HEX_DIGITS];
    int kind;
    char *bytes; /* owned */
    size_t length;
    struct link link;
};

void pictures_init(struct core *core)
{
    picture_begin();
    map_init(&core->pictures.shelf, core->hash_key);
    list_init(&core->pictures.by_use);
}

static void take_down(struct pictures *pictures, struct shelved *shelved)
{
    map_remove(&pictures->shelf, shelved->hash, sizeof shelved->hash);
    list_remove(&shelved->link);
    pictures->bytes -= shelved->length;
    free(shelved->bytes);
    free(shelved);
}

void pictures_release(struct core *core)
{
    for (struct shelved *shelved; (shelved = list_first(&core->pictures.by_use));)
        take_down(&core->pictures, shelved);
    map_release(&core->pictures.shelf);
}

/* Without memory for it, it is not kept: the store has it. */
static void shelve(struct core *core, const char *hash, const struct store_picture *picture)
{
    struct pictures *pictures = &core->pictures;
    char *bytes = holdings_may_grow(core) ? malloc(picture->length) : NULL;
    if (!bytes || map_find(&pictures->shelf, hash, DIGEST_HEX_DIGITS)) {
        free(bytes);
        return;
    }
    struct shelved *shelved = memory_zeroed(1, sizeof *shelved);
    memcpy(shelved->hash, hash, DIGEST_HEX_DIGITS);
    memcpy(bytes, picture->bytes, picture->length);
    shelved->kind = picture->kind;
    shelved->bytes = bytes;
    shelved->length = picture->length;
    pictures->bytes += shelved->length;
    map_put(&pictures->shelf, shelved->hash, sizeof shelved->hash, shelved);
    list_append(&pictures->by_use, &shelved->link, shelved);
    while (pictures->bytes > PICTURES_SHELF_BYTES)
        take_down(pictures, list_first(&pictures->by_use));
}

/* --- asking the store --------------------------------------------------------------------------- */

static bool ask(struct core *core, enum ticket_kind kind, uint64_t request, struct account *account,
                struct store_request *question)
{
    struct ticket *ticket = ticket_new(core, kind, "");
    ticket->request = request;
    ticket->account = account_hold(account);
    ticket->from = question->picture.kind;
    text_copy(text_of(question->picture.hash), ticket->picture, sizeof ticket->picture);
    if (!ticket_ask(core, ticket, question))
        return false;
    core->pictures.asked++;
    return true;
}

static bool may_ask(const struct core *core)
{
    return core_ready(core) && core->pictures.asked < PICTURES_ASKED_MAX;
}

/* --- one that is brought ------------------------------------------------------------------------ */

static bool make_harmless(struct task *task)
{
    struct upload *upload = (struct upload *)task;
    unsigned char digest[DIGEST_BYTES];
    struct picture *picture = &upload->picture;
    upload->outcome =
        picture_read(upload->kind, upload->bytes, upload->length, upload->bytes_max, picture);
    work_spend(WORK_OF_BYTE * picture->looked_at);
    if (upload->outcome == PICTURE_READ) {
        digest_sha256(picture->bytes, picture->length, digest);
        digest_write_hex(digest, DIGEST_BYTES, upload->hash);
    }
    return true;
}

static void release(struct core *core, struct task *task)
{
    struct upload *upload = (struct upload *)task;
    (void)core;
    picture_release(&upload->picture);
    free(upload->bytes);
    free(upload);
}

static void store(struct core *core, const struct upload *upload)
{
    const struct picture *picture = &upload->picture;
    cost_note(core, COST_EVENT + picture->length / BYTES_STORED);
    if (!may_ask(core) ||
        !ask(core, TICKET_KEEP_PICTURE, upload->request, upload->task.account,
             &(struct store_request){.ask = STORE_KEEP_PICTURE,
                                     .picture = {.hash = upload->hash,
                                                 .kind = (int)upload->kind,
                                                 .bytes = picture->bytes,
                                                 .length = picture->length,
                                                 .at_ms = (int64_t)core->now_ms}}))
        refuse_for_now(core, upload->request, RETRY_MS);
}

static void done(struct core *core, struct task *task)
{
    const struct upload *upload = (struct upload *)task;
    if (upload->outcome == PICTURE_READ)
        store(core, upload);
    else if (upload->outcome == PICTURE_REFUSED)
        refuse(core, upload->request, PICTURE_BAD, upload->picture.words, 0);
    else
        refuse_for_now(core, upload->request, RETRY_MS);
    release(core, task);
}

static void refused(struct core *core, struct task *task, uint64_t retry_ms)
{
    refuse_for_now(core, ((struct upload *)task)->request, retry_ms);
    release(core, task);
}

/* What comes is charged whether it is kept or not. */
static bool may_bring(struct core *core, uint64_t request, struct account *account, size_t length)
{
    const struct writing_refusal judged = writing_judge(core, account);
    if (judged.refusal != REFUSAL_NONE) {
        refuse(core, request,
               judged.refusal == REFUSAL_RATE_LIMITED ? PICTURE_RATE_LIMITED : PICTURE_UNAVAILABLE,
               judged.words, judged.retry_ms);
        return false;
    }
    uint64_t retry_ms = account_take_import(account, (uint32_t)(length / 1024) + 1, core->now_ms);
    if (retry_ms > 0)
        refuse(core, request, PICTURE_RATE_LIMITED, "too many pictures at once", retry_ms);
    return retry_ms == 0;
}

static void begin(struct core *core, uint64_t request, struct account *account,
                  enum core_picture kind, const void *bytes, size_t length)
{
    static const struct task_kind task_kind = {TASK_PLACES, make_harmless, done, refused, release};
    struct upload *upload = memory_zeroed(1, sizeof *upload);
    upload->task.kind = &task_kind;
    upload->request = request;
    upload->kind = (enum picture_kind)kind;
    upload->bytes_max = core->options.picture_bytes;
    upload->bytes = memory_bytes(length + 1);
    memcpy(upload->bytes, bytes, length);
    upload->length = length;
    writing_charge_bytes(account, length, core->now_ms);
    uint64_t retry_ms = task_ask(core, &upload->task, account, length);
    if (retry_ms > 0)
        refused(core, &upload->task, retry_ms);
}

void core_bring_picture(struct core *core, uint64_t request, const struct core_address *address,
                        enum core_picture kind, const void *bytes, size_t length)
{
    if (!may_ask(core) || !holdings_may_grow(core)) {
        refuse_for_now(core, request, RETRY_MS);
        return;
    }
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    if (may_bring(core, request, account, length))
        begin(core, request, account, kind, bytes, length);
    account_let_go(&core->accounts, account, core->now_ms);
}

/* --- one that is asked for ---------------------------------------------------------------------- */

static void give(const struct core *core, uint64_t request, const char *hash,
                 const struct store_picture *picture)
{
    say(core, request,
        &(struct picture_answer){.outcome = PICTURE_OK,
                                 .words = "",
                                 .hash = hash,
                                 .kind = (enum core_picture)picture->kind,
                                 .bytes = picture->bytes,
                                 .length = picture->length});
}

static void refuse_unknown(const struct core *core, uint64_t request)
{
    refuse(core, request, PICTURE_UNKNOWN, "there is no such picture", 0);
}

/* Whether it is on the shelf, and given. */
static bool give_shelved(struct core *core, uint64_t request, const char *hash,
                         enum core_picture kind)
{
    struct shelved *shelved = map_find(&core->pictures.shelf, hash, DIGEST_HEX_DIGITS);
    if (!shelved)
        return false;
    list_append(&core->pictures.by_use, &shelved->link, shelved);
    if (shelved->kind == (int)kind)
        give(core, request, hash,
             &(struct store_picture){
                 .kind = shelved->kind, .bytes = shelved->bytes, .length = shelved->length});
    else
        refuse_unknown(core, request);
    return true;
}

void core_read_picture(struct core *core, uint64_t request, const struct core_address *address,
                       const char *hash, enum core_picture kind)
{
    unsigned char digest[DIGEST_BYTES];
    if (!digest_read_hex(hash, strlen(hash), digest, DIGEST_BYTES)) {
        refuse_unknown(core, request);
        return;
    }
    if (give_shelved(core, request, hash, kind))
        return;
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    if (!may_ask(core) ||
        !ask(core, TICKET_PICTURE, request, account,
             &(struct store_request){.ask = STORE_PICTURE,
                                     .picture = {.hash = hash, .kind = (int)kind}}))
        refuse_for_now(core, request, RETRY_MS);
    account_let_go(&core->accounts, account, core->now_ms);
}

/* --- what the store says ------------------------------------------------------------------------ */

static void brought(const struct core *core, const struct ticket *ticket,
                    const struct store_answer *answer)
{
    if (answer->status != STORE_OK && answer->status != STORE_DUPLICATE)
        refuse_for_now(core, ticket->request, RETRY_MS);
    else
        say(core, ticket->request,
            &(struct picture_answer){.outcome =
                                         answer->status == STORE_OK ? PICTURE_NEW : PICTURE_OK,
                                     .words = "",
                                     .hash = ticket->picture,
                                     .kind = (enum core_picture)ticket->from});
}

static void found(struct core *core, const struct ticket *ticket, const struct store_answer *answer)
{
    if (answer->status == STORE_NOT_FOUND ||
        (answer->status == STORE_OK && answer->picture->kind != (int)ticket->from)) {
        refuse_unknown(core, ticket->request);
    } else if (answer->status != STORE_OK) {
        refuse_for_now(core, ticket->request, RETRY_MS);
    } else {
        shelve(core, ticket->picture, answer->picture);
        cost_note(core, COST_EVENT_READ + answer->picture->length / 45);
        give(core, ticket->request, ticket->picture, answer->picture);
    }
}

void pictures_answered(struct core *core, const struct ticket *ticket,
                       const struct store_answer *answer)
{
    core->pictures.asked--;
    if (answer->status == STORE_FAILED) {
        core->statistics.store_failures++;
        core_log(core, FACT_ERROR, "picture_failed", "", answer->words);
    }
    if (ticket->kind == TICKET_KEEP_PICTURE)
        brought(core, ticket, answer);
    else
        found(core, ticket, answer);
}
