#include "server/core/showing.h"

#include "server/core/handlers.h"
#include "server/core/holdings.h"
#include "server/core/publishing.h"
#include "server/core/reply.h"

#include <string.h>

/* --- asking ----------------------------------------------------------------------------------- */

enum refusal showing_guide(struct request *request)
{
    struct core *core = request->core;
    struct published_id id;
    if (!published_id_read(request->message->games.game, &id))
        return REFUSAL_UNKNOWN_GAME;
    if (!publishing_may_ask(core))
        return REFUSAL_UNAVAILABLE;
    struct ticket *ticket = ticket_new(core, TICKET_SHOW, "");
    ticket->peer = request->session->peer;
    text_copy(request->message->id, ticket->command, sizeof ticket->command);
    ticket->account = account_hold(request->session->account);
    return publishing_ask_for(core, ticket, &id) ? REFUSAL_NONE : REFUSAL_UNAVAILABLE;
}

void core_picture(struct core *core, uint64_t request, const struct core_address *address,
                  const char *game)
{
    struct published_id id;
    if (!published_id_read(text_of(game), &id)) {
        publishing_unknown(core, request);
        return;
    }
    if (!publishing_may_ask(core)) {
        publishing_refused(core, request, RETRY_MS);
        return;
    }
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    struct ticket *ticket = ticket_new(core, TICKET_SHOW, "");
    ticket->request = request;
    ticket->account = account_hold(account);
    if (!publishing_ask_for(core, ticket, &id))
        publishing_refused(core, request, RETRY_MS);
    account_let_go(&core->accounts, account, core->now_ms);
}

/* --- answers ---------------------------------------------------------------------------------- */

static void say_refused(struct core *core, const struct author *author, enum refusal refusal,
                        const char *words, uint64_t retry_ms)
{
    struct session *session = session_find(core, author->peer);
    if (author->request != 0 && refusal == REFUSAL_UNKNOWN_GAME)
        publishing_unknown(core, author->request);
    else if (author->request != 0)
        publishing_refused(core, author->request, retry_ms);
    else if (session)
        reply_refuse(core, session,
                     &(struct complaint){.refusal = refusal,
                                         .command = text_of(author->command),
                                         .words = words,
                                         .version = -1,
                                         .retry_ms = retry_ms});
}

static void show(struct core *core, const struct author *author, const struct edition *edition)
{
    struct session *session = session_find(core, author->peer);
    if (author->request != 0)
        publishing_say_game(core, author->request, edition->game, edition->hash);
    else if (session)
        browse_tell_guide(core, session, text_of(author->command), edition);
}

static bool was_drawn(const struct core *core, const struct author *author, const char *hash)
{
    return author->request != 0 && core->ports.drawn != NULL &&
           core->ports.drawn(core->ports.context, author->request, hash);
}

static void find_edition(struct core *core, const struct ticket *ticket,
                         const struct store_answer *answer, const struct compile_wish *wish)
{
    const struct compile_source source = {answer->publications[0].definition_hash,
                                          {answer->definition, answer->definition_length},
                                          0};
    if (was_drawn(core, &wish->author, source.hash))
        return;
    struct edition *edition = catalogue_find_edition(&core->catalogue, source.hash, source.players);
    if (edition) {
        show(core, &wish->author, edition);
        catalogue_release_edition(&core->catalogue, edition);
        return;
    }
    bool may = holdings_may_grow(core) && holdings_may_bring(core, ticket->account, 0);
    uint64_t retry_ms = may ? compile_ask(core, ticket->account, &source, wish) : RETRY_MS;
    if (retry_ms > 0)
        showing_refused(core, wish, retry_ms);
}

void showing_answered(struct core *core, const struct ticket *ticket,
                      const struct store_answer *answer)
{
    struct compile_wish wish = {.purpose = COMPILE_TO_SHOW,
                                .author = {.peer = ticket->peer, .request = ticket->request}};
    memcpy(wish.author.command, ticket->command, sizeof wish.author.command);
    bool there = answer->status == STORE_OK && !answer->publications[0].hidden;
    if (there && core_ready(core))
        find_edition(core, ticket, answer, &wish);
    else if (there || (answer->status != STORE_OK && answer->status != STORE_NOT_FOUND))
        showing_refused(core, &wish, RETRY_MS);
    else
        say_refused(core, &wish.author, REFUSAL_UNKNOWN_GAME, NULL, 0);
}

void showing_compiled(struct core *core, const struct compile_wish *wish,
                      const struct edition *edition, const char *missing)
{
    if (edition)
        show(core, &wish->author, edition);
    else if (missing)
        say_refused(core, &wish->author, REFUSAL_UNAVAILABLE, missing, RETRY_MS);
    else
        say_refused(core, &wish->author, REFUSAL_UNKNOWN_GAME,
                    "this server does not load this game any more", 0);
}

void showing_refused(struct core *core, const struct compile_wish *wish, uint64_t retry_ms)
{
    say_refused(core, &wish->author, REFUSAL_UNAVAILABLE, NULL, retry_ms);
}
