/* Questions to the store: each has a ticket, which says what it was for when the answer comes. */
#include "engine/memory/spares.h"
#include "server/core/cost.h"
#include "server/core/follow.h"
#include "server/core/handlers.h"
#include "server/core/journal.h"
#include "server/core/loading.h"
#include "server/core/publishing.h"
#include "server/core/seeking.h"
#include "server/core/transfer.h"
#include "server/core/writing.h"

#include <stdlib.h>
#include <string.h>

struct ticket *ticket_new(struct core *core, enum ticket_kind kind, const char *room)
{
    struct ticket *ticket = spare_take(sizeof *ticket);
    *ticket = (struct ticket){.number = ++core->last_number, .kind = kind};
    text_copy(text_of(room), ticket->room, sizeof ticket->room);
    map_put(&core->tickets, &ticket->number, sizeof ticket->number, ticket);
    return ticket;
}

static struct ticket *take_ticket(struct core *core, uint64_t number)
{
    return map_remove(&core->tickets, &number, sizeof number);
}

static void free_ticket(struct core *core, struct ticket *ticket)
{
    if (ticket->account)
        account_let_go(&core->accounts, ticket->account, core->now_ms);
    if (ticket->task)
        ticket->task->kind->release(core, ticket->task);
    free(ticket->clock);
    spare_give(ticket, sizeof *ticket);
}

void ticket_drop(struct core *core, struct ticket *ticket)
{
    free_ticket(core, take_ticket(core, ticket->number));
}

bool ticket_ask(struct core *core, struct ticket *ticket, struct store_request *request)
{
    request->ticket = ticket->number;
    if (request->ask == STORE_APPEND)
        request->node = lease_node(core); /* a new room is its maker's */
    if (core->ports.store(core->ports.context, request)) {
        core->waiting_for_store++;
        writing_count(core, request);
        return true;
    }
    ticket_drop(core, ticket);
    return false;
}

/* --- answers ---------------------------------------------------------------------------------- */

static void secret_answered(struct core *core, const struct store_answer *answer)
{
    if (answer->status != STORE_OK || !answer->secret) {
        core_log(core, FACT_ERROR, "secret_failed", "", answer->words);
        core->start_again_ms = core->now_ms + RETRY_MS;
        return;
    }
    digest_sha256(answer->secret, strlen(answer->secret), core->secret);
    core->has_secret = true;
}

static void answer_ticket(struct core *core, struct ticket *ticket, struct store_answer *answer)
{
    switch (ticket->kind) {
    case TICKET_APPEND:
        journal_answered(core, ticket, answer);
        return;
    case TICKET_LOAD:
        loading_answered(core, ticket, answer);
        return;
    case TICKET_TAIL:
        follow_answered(core, ticket, answer);
        return;
    case TICKET_BEHIND:
        follow_swept(core, answer);
        return;
    case TICKET_HISTORY:
        history_answered(core, ticket, answer);
        return;
    case TICKET_LOBBY:
        lobby_read(core, answer);
        return;
    case TICKET_MINE:
        browse_mine_answered(core, ticket, answer);
        return;
    case TICKET_SECRET:
        secret_answered(core, answer);
        return;
    case TICKET_LEASE:
        lease_answered(core, ticket, answer);
        return;
    case TICKET_EXPORT:
        transfer_loaded(core, ticket, answer);
        return;
    case TICKET_SURVEY:
    case TICKET_REMOVE:
    case TICKET_SWEEP:
    case TICKET_MEASURE:
        housekeeping_answered(core, ticket, answer);
        return;
    case TICKET_PUBLISH:
    case TICKET_LIST_GAME:
    case TICKET_READ_PUBLISHED:
    case TICKET_READ_PUBLICATIONS:
    case TICKET_CREATE_PUBLISHED:
    case TICKET_SEEK_PUBLISHED:
    case TICKET_PAIR_PUBLISHED:
    case TICKET_SHOW:
    case TICKET_REPORT:
    case TICKET_IMPORT:
        publishing_answered(core, ticket, answer);
        return;
    case TICKET_KEEP_PICTURE:
    case TICKET_PICTURE:
        pictures_answered(core, ticket, answer);
        return;
    case TICKET_PROMISE:
    case TICKET_SEEKER:
        seeking_answered(core, ticket, answer);
        return;
    case TICKET_DUE:
        watch_answered(core, answer);
        return;
    case TICKET_RATING:
        rating_answered(core, ticket, answer);
        return;
    case TICKET_RELEASE:
        if (answer->status == STORE_OK)
            timing_store_said(core, STORE_OK, core->now_ms);
        return;
    }
}

/* What the answer has led to, to whoever asked. */
static void charge_ticket(struct core *core, const struct ticket *ticket,
                          const struct cost_stretch *stretch)
{
    struct cost cost = cost_end(core, stretch);
    struct session *session = ticket->peer != 0 ? session_find(core, ticket->peer) : NULL;
    if (session)
        cost_charge(core, session, cost.all);
    else if (ticket->account)
        cost_charge_account(core, ticket->account, cost.all);
}

void ticket_answered(struct core *core, struct store_answer *answer)
{
    struct ticket *ticket = take_ticket(core, answer->ticket);
    if (!ticket)
        return;
    core->waiting_for_store--;
    struct cost_stretch stretch = cost_begin(core);
    answer_ticket(core, ticket, answer);
    charge_ticket(core, ticket, &stretch);
    free_ticket(core, ticket);
}
