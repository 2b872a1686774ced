/* Seeks of games that players publish. What somebody looks for is read from the store first, and compiled where it is not in memory, as
 * for a room of it; from then on he holds it. When a room is to be made the store is asked once more: whoever looks after the server
 * may have hidden the game meanwhile. */
#include "engine/memory/memory.h"
#include "server/core/handlers.h"
#include "server/core/ladder.h"
#include "server/core/publishing.h"
#include "server/core/reply.h"
#include "server/core/seeking_parts.h"

#include <stdlib.h>
#include <string.h>

bool seeking_is_published(const char *game)
{
    return strchr(game, '@') != NULL;
}

/* --- readings --------------------------------------------------------------------------------- */

static struct seek_reading *find_reading(const struct core *core, uint64_t number)
{
    const struct list *list = &core->seeking.readings;
    const struct link *link = list->ends.next;
    while (link != &list->ends && ((const struct seek_reading *)link->owner)->number != number)
        link = link->next;
    return link->owner;
}

static void free_reading(struct core *core, struct seek_reading *reading)
{
    list_remove(&reading->link);
    core->seeking.reading_count--;
    free(reading);
}

void seeking_free_readings(struct core *core)
{
    for (struct seek_reading *reading; (reading = list_first(&core->seeking.readings));)
        free_reading(core, reading);
}

static int count_of(const struct core *core, const char *player)
{
    const struct list *list = &core->seeking.readings;
    int count = 0;
    for (const struct link *link = list->ends.next; link != &list->ends; link = link->next)
        count += strcmp(((const struct seek_reading *)link->owner)->player, player) == 0;
    return count;
}

/* Its last answer, unless whoever asked has gone. */
static void refuse_reading(struct core *core, const struct seek_reading *reading,
                           enum refusal refusal, const char *words, uint64_t retry_ms)
{
    struct session *session = session_find(core, reading->peer);
    if (refusal_may_retry(refusal) && retry_ms == 0)
        retry_ms = RETRY_MS;
    if (session)
        reply_refuse(core, session,
                     &(struct complaint){.refusal = refusal,
                                         .command = text_of(reading->command),
                                         .words = words,
                                         .version = -1,
                                         .retry_ms = retry_ms});
}

void seeking_stop_readings(struct core *core, const char *player, struct text command)
{
    const struct list *list = &core->seeking.readings;
    for (const struct link *link = list->ends.next, *next; link != &list->ends; link = next) {
        struct seek_reading *reading = link->owner;
        next = link->next;
        if (strcmp(reading->player, player) != 0 ||
            (command.data && !text_is(command, reading->command)))
            continue;
        refuse_reading(core, reading, REFUSAL_WITHDRAWN, NULL, 0);
        free_reading(core, reading);
    }
}

/* --- asking ----------------------------------------------------------------------------------- */

static struct seek_reading *reading_new(struct core *core, const struct request *request,
                                        const struct wanted *wanted)
{
    struct seek_reading *reading = memory_zeroed(1, sizeof *reading);
    const struct session *session = request->session;
    reading->number = ++core->last_number;
    reading->peer = session->peer;
    text_copy(request->message->id, reading->command, sizeof reading->command);
    memcpy(reading->player, session->identity.player, sizeof reading->player);
    reading->wanted = *wanted;
    list_append(&core->seeking.readings, &reading->link, reading);
    core->seeking.reading_count++;
    return reading;
}

static bool ask_store(struct core *core, const struct request *request, uint64_t number,
                      const struct published_id *id)
{
    struct ticket *ticket = ticket_new(core, TICKET_SEEK_PUBLISHED, "");
    ticket->request = number;
    ticket->peer = request->session->peer;
    ticket->account = account_hold(request->session->account);
    return publishing_ask_for(core, ticket, id);
}

enum refusal seeking_begin_reading(struct request *request, const struct wanted *wanted)
{
    struct core *core = request->core;
    struct published_id id;
    if (!published_id_read(request->message->seek.game, &id))
        return REFUSAL_UNKNOWN_GAME;
    if (wanted->rated)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "rated: %s", ladder_own_words);
    if (count_of(core, request->session->identity.player) >= SEEKS_OF_PLAYER)
        return REFUSAL_TOO_MANY;
    if (!publishing_may_ask(core) || core->seeking.reading_count >= SEEKING_READINGS_MAX)
        return REFUSAL_UNAVAILABLE;
    struct seek_reading *reading = reading_new(core, request, wanted);
    if (ask_store(core, request, reading->number, &id))
        return REFUSAL_NONE;
    free_reading(core, reading);
    return REFUSAL_UNAVAILABLE;
}

/* --- it is known ------------------------------------------------------------------------------ */

/* As if it were said now. */
static void go_on(struct core *core, struct session *session, struct seek_reading *reading,
                  struct edition *edition)
{
    const struct message message = {.kind = MESSAGE_SEEK, .id = text_of(reading->command)};
    struct request request = {.core = core, .session = session, .message = &message, .version = -1};
    list_remove(&reading->link); /* whoever is found now withdraws what else he looks for */
    reading->wanted.edition = edition;
    enum refusal refusal = seeking_understand(&request, &reading->wanted);
    if (refusal == REFUSAL_NONE)
        refusal = seeking_go_on(&request, &reading->wanted);
    if (refusal != REFUSAL_NONE)
        refuse_reading(core, reading, refusal, request.words, request.retry_ms);
}

/* False: it goes on when the game is compiled. */
static bool take_game(struct core *core, struct session *session, struct seek_reading *reading,
                      const struct store_answer *answer)
{
    const char *words = NULL;
    uint64_t retry_ms = 0;
    struct edition *edition = NULL;
    enum refusal refusal = publishing_may_play(core, answer, &words);
    if (refusal == REFUSAL_NONE) {
        const struct store_publication *publication = &answer->publications[0];
        const struct compile_source source = {publication->definition_hash,
                                              {answer->definition, answer->definition_length},
                                              reading->wanted.players};
        const struct compile_wish wish = {
            .purpose = COMPILE_TO_SEEK, .author.peer = reading->peer, .reading = reading->number};
        published_id_write(publication->name, publication->version, reading->wanted.game);
        refusal = compile_find(core, session->account, &source, &wish, &edition, &words, &retry_ms);
    }
    if (refusal != REFUSAL_NONE)
        refuse_reading(core, reading, refusal, words, retry_ms);
    else if (edition)
        go_on(core, session, reading, edition);
    else
        return false;
    catalogue_release_edition(&core->catalogue, edition);
    return true;
}

static void read_answered(struct core *core, struct seek_reading *reading,
                          const struct store_answer *answer)
{
    struct session *session = session_find(core, reading->peer);
    if (!session || take_game(core, session, reading, answer))
        free_reading(core, reading);
}

void seeking_compiled(struct core *core, const struct compile_wish *wish, struct edition *edition,
                      const char *missing)
{
    struct seek_reading *reading = find_reading(core, wish->reading);
    struct session *session = reading ? session_find(core, reading->peer) : NULL;
    if (!reading)
        return;
    if (session && !core_ready(core))
        refuse_reading(core, reading, REFUSAL_UNAVAILABLE, NULL, 0);
    else if (session && edition)
        go_on(core, session, reading, edition);
    else if (missing)
        refuse_reading(core, reading, REFUSAL_UNAVAILABLE, missing, 0);
    else if (reading->wanted.players > 0)
        refuse_reading(core, reading, REFUSAL_BAD_MESSAGE,
                       "players: the game is not for so many players", 0);
    else
        refuse_reading(core, reading, REFUSAL_UNKNOWN_GAME,
                       "this server does not load this game any more", 0);
    free_reading(core, reading);
}

void seeking_not_compiled(struct core *core, const struct compile_wish *wish, uint64_t retry_ms)
{
    struct seek_reading *reading = find_reading(core, wish->reading);
    if (!reading)
        return;
    refuse_reading(core, reading, REFUSAL_UNAVAILABLE, NULL, retry_ms);
    free_reading(core, reading);
}

/* --- a room of it ----------------------------------------------------------------------------- */

void seeking_ask_published(struct core *core, struct pairing *pairing)
{
    struct published_id id;
    uint64_t number = pairing->number;
    struct ticket *ticket = ticket_new(core, TICKET_PAIR_PUBLISHED, "");
    ticket->request = number;
    pairing->made_ms = core->now_ms;
    published_id_read(text_of(pairing->members[0]->game), &id);
    if (!publishing_ask_for(core, ticket, &id))
        seeking_refused(core, number, REFUSAL_UNAVAILABLE);
}

/* The other members' servers do not wait for ever. */
static void pair_answered(struct core *core, struct pairing *pairing,
                          const struct store_answer *answer)
{
    const char *words;
    enum refusal refusal = publishing_may_play(core, answer, &words);
    if (refusal == REFUSAL_NONE && core->now_ms >= pairing->made_ms + SEEKING_ASK_MS)
        refusal = REFUSAL_UNAVAILABLE;
    if (refusal == REFUSAL_NONE)
        seeking_make_room_now(core, pairing);
    else
        seeking_refused(core, pairing->number, refusal);
}

void seeking_published_answered(struct core *core, const struct ticket *ticket,
                                const struct store_answer *answer)
{
    bool is_paired = ticket->kind == TICKET_PAIR_PUBLISHED;
    struct pairing *pairing = is_paired ? seeking_find_pairing(core, ticket->request) : NULL;
    struct seek_reading *reading = is_paired ? NULL : find_reading(core, ticket->request);
    if (pairing)
        pair_answered(core, pairing, answer);
    else if (reading)
        read_answered(core, reading, answer);
}
