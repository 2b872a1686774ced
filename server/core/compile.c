#include "server/core/compile.h"

#include "engine/load/extends.h"
#include "engine/load/load.h"
#include "engine/memory/memory.h"
#include "server/core/cost.h"
#include "server/core/handlers.h"
#include "server/core/holdings.h"
#include "server/core/journal.h"
#include "server/core/loading.h"
#include "server/core/publishing.h"
#include "server/core/reply.h"
#include "server/core/seeking.h"
#include "server/core/showing.h"
#include "server/core/writing.h"

#include <stdlib.h>
#include <string.h>

struct waiting_wish {
    struct waiting_wish *next;
    struct compile_wish wish;
    struct account *account; /* held: of whoever wants it */
};

struct compilation {
    struct task task;                  /* first: a task of this kind is a compilation */
    const struct catalogue *catalogue; /* of the games it may extend */
    char hash[DIGEST_HEX_DIGITS + 1], key[EDITION_KEY_BYTES + 1];
    int players;
    bool try_out; /* nobody plays it yet; a room that exists must open, whatever its game takes */
    char *text;   /* owned */
    size_t length, grown;              /* and by how much by what it extends */
    struct waiting_wish *first, **end; /* owned */
    int wish_count;
    /* What came of it. */
    struct game *game; /* NULL: refused */
    struct diagnostics diagnostics;
};

/* --- on the thread ---------------------------------------------------------------------------- */

/* What is stored and played is the whole text, and so is what has the hash. */
static void become(struct compilation *compilation, const struct whole_text *whole)
{
    char *text = memory_bytes(whole->length + 1);
    memcpy(text, whole->text, whole->length + 1);
    free(compilation->text);
    if (whole->length > compilation->length)
        compilation->grown = whole->length - compilation->length;
    compilation->text = text;
    compilation->length = whole->length;
    catalogue_hash(text, whole->length, compilation->hash);
}

/* A room's text is whole. False: it extends what it cannot. */
static bool make_whole(struct compilation *compilation, struct whole_text *whole)
{
    const struct bases bases = {catalogue_find_text, compilation->catalogue};
    *whole = (struct whole_text){.text = NULL};
    if (!compilation->try_out)
        return true;
    if (!whole_text_read(whole, compilation->text, compilation->length, &bases,
                         &compilation->diagnostics))
        return false;
    if (whole->text != compilation->text)
        become(compilation, whole);
    return true;
}

static bool compile(struct task *task)
{
    struct compilation *compilation = (struct compilation *)task;
    struct whole_text whole;
    const struct load_options options = {.player_count = compilation->players & ~EDITION_UNREVISED,
                                         .unrevised = compilation->players & EDITION_UNREVISED,
                                         .try_out = compilation->try_out};
    if (make_whole(compilation, &whole))
        compilation->game =
            game_load(compilation->text, compilation->length, &options, &compilation->diagnostics);
    whole_text_locate(&whole, &compilation->diagnostics);
    whole_text_release(&whole);
    return true;
}

static void release(struct core *core, struct task *task)
{
    struct compilation *compilation = (struct compilation *)task;
    while (compilation->first) {
        struct waiting_wish *waiting = compilation->first;
        compilation->first = waiting->next;
        account_let_go(&core->accounts, waiting->account, core->now_ms);
        free(waiting);
    }
    game_release(compilation->game);
    diagnostics_release(&compilation->diagnostics);
    free(compilation->text);
    free(compilation);
}

/* --- answers ---------------------------------------------------------------------------------- */

/* What became of a definition. */
struct compiled {
    struct edition *edition; /* NULL: none */
    const struct diagnostics *diagnostics;
    const char *missing; /* why not now, though nothing is wrong with it; NULL: something is */
};

static enum refusal create(struct core *core, const struct compile_wish *wish,
                           const struct compiled *compiled)
{
    if (!compiled->edition)
        return compiled->missing ? REFUSAL_UNAVAILABLE : REFUSAL_BAD_DEFINITION;
    if (core->stopping || !lease_held(core))
        return REFUSAL_UNAVAILABLE;
    return journal_create(
        core, &wish->author,
        &(struct new_room){edition_retain(compiled->edition), wish->game, wish->is_public,
                           wish->clock.is_set ? &wish->clock : NULL, NULL, false});
}

static void answer_create(struct core *core, const struct compile_wish *wish,
                          const struct compiled *compiled)
{
    struct session *session = session_find(core, wish->author.peer);
    if (!session)
        return;
    enum refusal refusal = create(core, wish, compiled);
    if (refusal == REFUSAL_NONE)
        return;
    bool faulty = !compiled->edition && !compiled->missing;
    reply_refuse(core, session,
                 &(struct complaint){.refusal = refusal,
                                     .command = text_of(wish->author.command),
                                     .words = compiled->edition && refusal == REFUSAL_BAD_DEFINITION
                                                  ? catalogue_game_fault(compiled->edition->game)
                                                  : compiled->missing,
                                     .version = -1,
                                     .retry_ms = refusal_may_retry(refusal) ? RETRY_MS : 0,
                                     .diagnostics = faulty ? compiled->diagnostics : NULL});
}

static void answer_room(struct core *core, const struct waiting_wish *waiting,
                        const struct compiled *compiled)
{
    if (compiled->missing)
        loading_refused(core, waiting->wish.room, RETRY_MS);
    else
        loading_compiled(core, waiting->wish.room, waiting->account, compiled->edition);
}

static void answer(struct core *core, const struct compilation *compilation,
                   const struct waiting_wish *waiting, const struct compiled *compiled)
{
    switch (waiting->wish.purpose) {
    case COMPILE_FOR_ROOM:
        answer_room(core, waiting, compiled);
        return;
    case COMPILE_TO_CREATE:
        answer_create(core, &waiting->wish, compiled);
        return;
    case COMPILE_TO_VALIDATE:
        browse_validated(core, &waiting->wish.author, compilation->game, &compilation->diagnostics);
        return;
    case COMPILE_TO_PUBLISH:
        writing_charge_bytes(waiting->account, compilation->grown, core->now_ms);
        publishing_compiled(core, &waiting->wish, waiting->account,
                            &(struct definition_text){compilation->hash, compilation->text,
                                                      compilation->length, compilation->players},
                            compilation->game, &compilation->diagnostics);
        return;
    case COMPILE_TO_SHOW:
        showing_compiled(core, &waiting->wish, compiled->edition, compiled->missing);
        return;
    case COMPILE_TO_SEEK:
        seeking_compiled(core, &waiting->wish, compiled->edition, compiled->missing);
        return;
    }
}

static bool needs_edition(enum compile_purpose purpose)
{
    return purpose != COMPILE_TO_VALIDATE && purpose != COMPILE_TO_PUBLISH;
}

/* Who only wants to know whether it is sound does not need it in memory: the first who does pays for it. */
static struct account *payer_of(const struct compilation *compilation)
{
    for (const struct waiting_wish *waiting = compilation->first; waiting; waiting = waiting->next)
        if (needs_edition(waiting->wish.purpose))
            return waiting->account;
    return NULL;
}

/* Of a text that extended another one it is known only now what it is, and it may be in memory. */
static struct edition *take_edition(struct core *core, const struct definition_text *definition,
                                    struct game *game, struct account *payer, const char **missing)
{
    struct edition *edition =
        catalogue_find_edition(&core->catalogue, definition->hash, definition->players);
    return edition ? edition : holdings_add(core, definition, game_retain(game), payer, missing);
}

static struct compiled take_result(struct core *core, const struct compilation *compilation)
{
    struct compiled compiled = {.diagnostics = &compilation->diagnostics};
    struct account *payer = payer_of(compilation);
    const struct definition_text definition = {compilation->hash, compilation->text,
                                               compilation->length, compilation->players};
    if (!compilation->game && compilation->diagnostics.no_memory)
        compiled.missing = holdings_no_memory_words;
    else if (compilation->game && payer)
        compiled.edition =
            take_edition(core, &definition, compilation->game, payer, &compiled.missing);
    if (compiled.edition)
        compiled.missing = NULL;
    return compiled;
}

static void done(struct core *core, struct task *task)
{
    struct compilation *compilation = (struct compilation *)task;
    map_remove(&core->compilations, compilation->key, EDITION_KEY_BYTES);
    struct compiled compiled = take_result(core, compilation);
    if (compilation->game)
        cost_note(core, COST_COMPILED);
    for (struct waiting_wish *waiting = compilation->first; waiting; waiting = waiting->next)
        answer(core, compilation, waiting, &compiled);
    catalogue_release_edition(&core->catalogue, compiled.edition);
    release(core, task);
}

static void refuse(struct core *core, const struct compile_wish *wish, uint64_t retry_ms)
{
    struct session *session = session_find(core, wish->author.peer);
    if (wish->purpose == COMPILE_FOR_ROOM)
        loading_refused(core, wish->room, retry_ms);
    else if (wish->purpose == COMPILE_TO_PUBLISH)
        publishing_refused(core, wish->author.request, retry_ms);
    else if (wish->purpose == COMPILE_TO_SHOW)
        showing_refused(core, wish, retry_ms);
    else if (wish->purpose == COMPILE_TO_SEEK)
        seeking_not_compiled(core, wish, retry_ms);
    else if (session)
        reply_refuse(core, session,
                     &(struct complaint){.refusal = REFUSAL_UNAVAILABLE,
                                         .command = text_of(wish->author.command),
                                         .version = -1,
                                         .retry_ms = retry_ms});
}

static void refused(struct core *core, struct task *task, uint64_t retry_ms)
{
    struct compilation *compilation = (struct compilation *)task;
    map_remove(&core->compilations, compilation->key, EDITION_KEY_BYTES);
    for (struct waiting_wish *waiting = compilation->first; waiting; waiting = waiting->next)
        refuse(core, &waiting->wish, retry_ms);
    release(core, task);
}

/* --- asking ----------------------------------------------------------------------------------- */

static struct compilation *compilation_new(const struct core *core,
                                           const struct compile_source *source)
{
    static const struct task_kind kind = {TASK_PLACES, compile, done, refused, release};
    struct compilation *compilation = memory_zeroed(1, sizeof *compilation);
    compilation->text = memory_bytes(source->text.length + 1);
    compilation->task.kind = &kind;
    compilation->catalogue = &core->catalogue;
    memcpy(compilation->hash, source->hash, DIGEST_HEX_DIGITS);
    catalogue_key(source->hash, source->players, compilation->key);
    compilation->players = source->players;
    memcpy(compilation->text, source->text.data, source->text.length);
    compilation->text[source->text.length] = '\0';
    compilation->length = source->text.length;
    compilation->end = &compilation->first;
    diagnostics_init(&compilation->diagnostics);
    return compilation;
}

static void add_wish(struct compilation *compilation, const struct compile_wish *wish,
                     struct account *account)
{
    struct waiting_wish *waiting = memory_bytes(sizeof *waiting);
    *waiting = (struct waiting_wish){.wish = *wish, .account = account_hold(account)};
    *compilation->end = waiting;
    compilation->end = &waiting->next;
    compilation->wish_count++;
}

uint64_t compile_ask(struct core *core, struct account *account,
                     const struct compile_source *source, const struct compile_wish *wish)
{
    char key[EDITION_KEY_BYTES + 1];
    catalogue_key(source->hash, source->players, key);
    struct compilation *compilation = map_find(&core->compilations, key, EDITION_KEY_BYTES);
    bool for_room = wish->purpose == COMPILE_FOR_ROOM;
    if (compilation &&
        (compilation->wish_count == COMPILE_WISHES_MAX || (for_room && compilation->try_out)))
        return RETRY_MS;
    if (compilation) {
        add_wish(compilation, wish, account);
        task_share(core, &compilation->task, account);
        return 0;
    }
    compilation = compilation_new(core, source);
    compilation->try_out = !for_room;
    add_wish(compilation, wish, account);
    compilation->task.peer = wish->author.peer;
    uint64_t retry_ms = task_ask(core, &compilation->task, account, source->text.length);
    if (retry_ms > 0)
        release(core, &compilation->task);
    else
        map_put(&core->compilations, compilation->key, EDITION_KEY_BYTES, compilation);
    return retry_ms;
}

enum refusal compile_find(struct core *core, struct account *account,
                          const struct compile_source *source, const struct compile_wish *wish,
                          struct edition **edition, const char **words, uint64_t *retry_ms)
{
    *edition = catalogue_find_edition(&core->catalogue, source->hash, source->players);
    if (*edition)
        return REFUSAL_NONE;
    bool may_grow = holdings_may_grow(core);
    if (!may_grow || !holdings_may_bring(core, account, 0)) {
        *words = may_grow ? holdings_own_words : holdings_no_memory_words;
        return REFUSAL_UNAVAILABLE;
    }
    *retry_ms = compile_ask(core, account, source, wish);
    return *retry_ms > 0 ? REFUSAL_UNAVAILABLE : REFUSAL_NONE;
}

enum refusal compile_create(struct core *core, struct session *session,
                            const struct compile_source *source, const struct compile_wish *wish,
                            const char **words, uint64_t *retry_ms)
{
    struct edition *edition;
    enum refusal refusal =
        compile_find(core, session->account, source, wish, &edition, words, retry_ms);
    if (!edition)
        return refusal;
    return journal_create(core, &wish->author,
                          &(struct new_room){edition, wish->game, wish->is_public,
                                             wish->clock.is_set ? &wish->clock : NULL, NULL,
                                             false});
}
