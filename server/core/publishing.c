#include "server/core/publishing.h"

#include "engine/load/text.h"
#include "engine/memory/memory.h"
#include "server/core/cost.h"
#include "server/core/making.h"
#include "server/core/reply.h"
#include "server/core/seeking.h"
#include "server/core/showing.h"
#include "server/core/transfer.h"
#include "server/core/writing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- answers ---------------------------------------------------------------------------------- */

static void say(const struct core *core, uint64_t request, const struct published_answer *answer)
{
    core->ports.published(core->ports.context, request, answer);
}

static void refuse(const struct core *core, uint64_t request, enum published_outcome outcome,
                   const char *words)
{
    say(core, request, &(struct published_answer){.outcome = outcome, .words = words});
}

static void refuse_for(const struct core *core, uint64_t request, enum published_outcome outcome,
                       const char *words, uint64_t retry_ms)
{
    say(core, request,
        &(struct published_answer){.outcome = outcome, .words = words, .retry_ms = retry_ms});
}

void publishing_refused(struct core *core, uint64_t request, uint64_t retry_ms)
{
    refuse_for(core, request, PUBLISHED_UNAVAILABLE, refusal_words(REFUSAL_UNAVAILABLE), retry_ms);
}

void publishing_unknown(const struct core *core, uint64_t request)
{
    refuse(core, request, PUBLISHED_UNKNOWN, refusal_words(REFUSAL_UNKNOWN_GAME));
}

void publishing_say_game(const struct core *core, uint64_t request, const struct game *game,
                         const char *definition_hash)
{
    say(core, request,
        &(struct published_answer){
            .outcome = PUBLISHED_OK, .words = "", .game = game, .hash = definition_hash});
}

static void say_json(struct core *core, uint64_t request, enum published_outcome outcome,
                     const char *words)
{
    const char *json = writer_text(&core->writer);
    say(core, request,
        &(struct published_answer){
            .outcome = outcome, .words = words, .json = json, .length = core->writer.length});
}

static struct writer *begin_json(struct core *core)
{
    writer_clear(&core->writer);
    writer_object(&core->writer);
    return &core->writer;
}

static void write_id(struct writer *writer, const char *key, const char *name, int64_t version)
{
    char id[WORD_BYTES_MAX + 1];
    published_id_write(name, version, id);
    writer_member_string(writer, key, id);
}

/* Of what is hidden nothing is told that its publisher wrote. */
static void write_publication(struct writer *writer, const struct store_publication *publication)
{
    write_id(writer, "id", publication->name, publication->version);
    writer_member_string(writer, "name", publication->name);
    writer_member_integer(writer, "version", publication->version);
    writer_member_integer(writer, "versions", publication->versions);
    if (!publication->hidden) {
        writer_member_string(writer, "title", publication->title);
        writer_key(writer, "players");
        writer_raw(writer, publication->players, strlen(publication->players));
    }
    writer_member_string(writer, "hash", publication->definition_hash);
    if (publication->ancestor[0])
        write_id(writer, "from", publication->ancestor, publication->ancestor_version);
    writer_member_integer(writer, "published_at", publication->at_ms);
    writer_key(writer, "listed"), writer_boolean(writer, publication->listed);
    writer_key(writer, "hidden"), writer_boolean(writer, publication->hidden);
}

/* --- asking the store ------------------------------------------------------------------------- */

bool publishing_may_ask(const struct core *core)
{
    return core_ready(core) && core->publications_asked < PUBLICATIONS_ASKED_MAX;
}

static bool ask(struct core *core, struct ticket *ticket, struct store_request *request)
{
    if (!ticket_ask(core, ticket, request))
        return false;
    core->publications_asked++;
    return true;
}

bool publishing_ask_for(struct core *core, struct ticket *ticket, const struct published_id *id)
{
    return ask(core, ticket,
               &(struct store_request){.ask = STORE_PUBLISHED,
                                       .publication = {.name = id->name, .version = id->version}});
}

static struct ticket *ticket_over_http(struct core *core, enum ticket_kind kind, uint64_t request,
                                       struct account *account)
{
    struct ticket *ticket = ticket_new(core, kind, "");
    ticket->request = request;
    ticket->account = account_hold(account);
    return ticket;
}

static void ask_over_http(struct core *core, enum ticket_kind kind, uint64_t request,
                          const struct core_address *address, struct store_request *question)
{
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    struct ticket *ticket =
        publishing_may_ask(core) ? ticket_over_http(core, kind, request, account) : NULL;
    if (ticket)
        ticket->to = question->listing == STORE_YES;
    if (!ticket || !ask(core, ticket, question))
        publishing_refused(core, request, RETRY_MS);
    account_let_go(&core->accounts, account, core->now_ms);
}

static void write_publisher(const struct identity *identity, char hash[DIGEST_HEX_DIGITS + 1])
{
    digest_write_hex(identity->token_hash, DIGEST_BYTES, hash);
}

/* --- publishing: who, what, how much ------------------------------------------------------------ */

/* False, having refused. */
static bool read_publisher(const struct core *core, uint64_t request, const char *token,
                           struct identity *identity)
{
    if (token && identity_of_token(token, strlen(token), identity))
        return true;
    refuse(core, request, PUBLISHED_BAD_TOKEN,
           token ? refusal_words(REFUSAL_BAD_TOKEN)
                 : "say who you are: the header Authorization, with Bearer and your token");
    return false;
}

static const struct served_game *find_served(const struct core *core, const char *id)
{
    return catalogue_find_game(&core->catalogue, id, strlen(id));
}

static bool read_name(const struct core *core, uint64_t request, const char *name)
{
    if (!published_name_fits(text_of(name)))
        refuse(core, request, PUBLISHED_BAD, published_name_words);
    else if (find_served(core, name))
        refuse(core, request, PUBLISHED_NOT_YOURS, "this name is a game of the server's own");
    else
        return true;
    return false;
}

static bool read_ancestor(const struct core *core, uint64_t request, const char *ancestor,
                          struct published_id *id)
{
    *id = (struct published_id){.version = 0};
    if (ancestor[0] == '\0')
        return true;
    if (find_served(core, ancestor) && strlen(ancestor) <= STORE_NAME_BYTES)
        text_copy(text_of(ancestor), id->name, sizeof id->name);
    else if (!published_id_read(text_of(ancestor), id) || id->version == 0) {
        refuse(core, request, PUBLISHED_BAD,
               "from: a game of the server's own, or NAME@N of a published one");
        return false;
    }
    return true;
}

/* What comes is charged whether a version comes of it or not. */
static bool may_publish(struct core *core, uint64_t request, struct account *account,
                        const struct identity *identity, size_t length)
{
    const struct writing_refusal refused = writing_judge(core, account);
    if (refused.refusal != REFUSAL_NONE) {
        refuse_for(core, request,
                   refused.refusal == REFUSAL_RATE_LIMITED ? PUBLISHED_RATE_LIMITED
                                                           : PUBLISHED_UNAVAILABLE,
                   refused.words, refused.retry_ms);
        return false;
    }
    struct account *player = account_of_player(&core->accounts, identity->player, core->now_ms);
    uint64_t retry_ms = account_take_import(account, (uint32_t)(length / 1024) + 1, core->now_ms);
    if (retry_ms == 0)
        retry_ms = making_publication(core, account, player);
    account_let_go(&core->accounts, player, core->now_ms);
    if (retry_ms > 0)
        refuse_for(core, request, PUBLISHED_RATE_LIMITED,
                   "too many games were published or reported", retry_ms);
    return retry_ms == 0;
}

static void compile(struct core *core, uint64_t request, struct account *account,
                    const struct publication *publication, const struct compile_wish *wish)
{
    char hash[DIGEST_HEX_DIGITS + 1];
    const struct text text = {publication->text, publication->length};
    writing_charge_bytes(account, text.length, core->now_ms);
    catalogue_hash(text.data, text.length, hash);
    uint64_t retry_ms =
        compile_ask(core, account, &(struct compile_source){.hash = hash, .text = text}, wish);
    if (retry_ms > 0)
        publishing_refused(core, request, retry_ms);
}

void core_publish(struct core *core, uint64_t request, const struct core_address *address,
                  const struct publication *publication)
{
    struct compile_wish wish = {
        .purpose = COMPILE_TO_PUBLISH, .author.request = request, .listing = publication->listing};
    if (!read_publisher(core, request, publication->token, &wish.author.identity) ||
        !read_name(core, request, publication->name) ||
        !read_ancestor(core, request, publication->ancestor, &wish.ancestor))
        return;
    if (publication->length > PUBLISH_BYTES_MAX) {
        refuse(core, request, PUBLISHED_BAD, "a published game has at most 262144 bytes");
        return;
    }
    if (!core_ready(core) || !holdings_may_grow(core)) {
        publishing_refused(core, request, RETRY_MS);
        return;
    }
    text_copy(text_of(publication->name), wish.game, sizeof wish.game);
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    if (may_publish(core, request, account, &wish.author.identity, publication->length))
        compile(core, request, account, publication, &wish);
    account_let_go(&core->accounts, account, core->now_ms);
}

/* --- publishing: it is compiled ----------------------------------------------------------------- */

static void refuse_definition(struct core *core, uint64_t request, const char *fault,
                              const struct diagnostics *diagnostics)
{
    struct diagnostics of_board;
    diagnostics_init(&of_board);
    if (fault)
        diagnostics_add(&of_board, (struct finding){.pointer = "/board"}, "", "%s", fault);
    const char *words = refusal_words(REFUSAL_BAD_DEFINITION);
    struct writer *writer = begin_json(core);
    writer_member_string(writer, "code", refusal_code(REFUSAL_BAD_DEFINITION));
    writer_member_string(writer, "message", words);
    writer_key(writer, "diagnostics");
    reply_write_diagnostics(writer, fault ? &of_board : diagnostics);
    writer_end(writer);
    say_json(core, request, PUBLISHED_BAD, words);
    diagnostics_release(&of_board);
}

static void store(struct core *core, const struct compile_wish *wish, struct account *account,
                  const struct definition_text *definition, const struct game *game)
{
    char publisher[DIGEST_HEX_DIGITS + 1];
    struct writer players;
    writer_init(&players);
    catalogue_write_players(&players, game);
    write_publisher(&wish->author.identity, publisher);
    struct store_request question = {.ask = STORE_PUBLISH,
                                     .publication = {.name = wish->game,
                                                     .definition_hash = definition->hash,
                                                     .title = game_facts(game)->title,
                                                     .players = writer_text(&players),
                                                     .ancestor = wish->ancestor.name,
                                                     .ancestor_version = wish->ancestor.version,
                                                     .publisher = publisher,
                                                     .at_ms = (int64_t)core->now_ms},
                                     .definition = definition->text,
                                     .listing = wish->listing};
    struct ticket *ticket = ticket_over_http(core, TICKET_PUBLISH, wish->author.request, account);
    cost_note(core, COST_EVENT + definition->length / COST_EVENT_BYTES);
    if (!ask(core, ticket, &question))
        publishing_refused(core, wish->author.request, RETRY_MS);
    writer_release(&players);
}

void publishing_compiled(struct core *core, const struct compile_wish *wish,
                         struct account *account, const struct definition_text *definition,
                         const struct game *game, const struct diagnostics *diagnostics)
{
    uint64_t request = wish->author.request;
    const char *fault = game ? catalogue_game_fault(game) : NULL;
    bool no_memory = !game && diagnostics->no_memory;
    if (no_memory || !publishing_may_ask(core))
        publishing_refused(core, request, RETRY_MS);
    else if (!game || fault)
        refuse_definition(core, request, fault, diagnostics);
    else
        store(core, wish, account, definition, game);
}

static void say_published(struct core *core, uint64_t request,
                          const struct store_publication *publication, bool is_new)
{
    struct writer *writer = begin_json(core);
    write_id(writer, "game", publication->name, publication->version);
    write_publication(writer, publication);
    writer_end(writer);
    say_json(core, request, is_new ? PUBLISHED_NEW : PUBLISHED_OK, "");
}

static void say_conflict(const struct core *core, const struct ticket *ticket,
                         const struct store_answer *answer)
{
    if (answer->publication_count == 0)
        refuse(core, ticket->request, PUBLISHED_NOT_YOURS,
               "whoever looks after this server has taken this name out of use");
    else if (answer->publications[0].versions >= STORE_VERSIONS_MAX)
        refuse(core, ticket->request, PUBLISHED_NOT_YOURS, "this name has had all its versions");
    else
        refuse(core, ticket->request, PUBLISHED_NOT_YOURS, "this name is somebody else's");
}

static void stored(struct core *core, const struct ticket *ticket,
                   const struct store_answer *answer)
{
    switch (answer->status) {
    case STORE_OK:
    case STORE_DUPLICATE:
        say_published(core, ticket->request, &answer->publications[0], answer->status == STORE_OK);
        return;
    case STORE_CONFLICT:
        say_conflict(core, ticket, answer);
        return;
    case STORE_NOT_FOUND:
        refuse(core, ticket->request, PUBLISHED_BAD, "from: there is no such published game");
        return;
    case STORE_NO_PICTURE:
        refuse(core, ticket->request, PUBLISHED_BAD,
               "a picture that this game names is not here, or not any more: upload it again");
        return;
    case STORE_FAILED:
    case STORE_UNKNOWN:
        publishing_refused(core, ticket->request, RETRY_MS);
    }
}

/* --- listing ------------------------------------------------------------------------------------ */

void core_list_game(struct core *core, uint64_t request, const struct core_address *address,
                    const char *name, const char *token, bool listed)
{
    char publisher[DIGEST_HEX_DIGITS + 1];
    struct identity identity;
    if (!read_publisher(core, request, token, &identity) || !read_name(core, request, name))
        return;
    write_publisher(&identity, publisher);
    ask_over_http(core, TICKET_LIST_GAME, request, address,
                  &(struct store_request){.ask = STORE_LIST,
                                          .publication = {.name = name, .publisher = publisher},
                                          .listing = listed ? STORE_YES : STORE_NO});
}

static void refuse_reading(struct core *core, const struct ticket *ticket,
                           const struct store_answer *answer)
{
    if (answer->status == STORE_NOT_FOUND)
        publishing_unknown(core, ticket->request);
    else if (answer->status == STORE_CONFLICT)
        refuse(core, ticket->request, PUBLISHED_NOT_YOURS, "this name is somebody else's");
    else
        publishing_refused(core, ticket->request, RETRY_MS);
}

static void say_listed(struct core *core, const struct ticket *ticket)
{
    struct writer *writer = begin_json(core);
    writer_key(writer, "listed"), writer_boolean(writer, ticket->to != 0);
    writer_end(writer);
    say_json(core, ticket->request, PUBLISHED_OK, "");
}

/* --- reports ------------------------------------------------------------------------------------ */

/* It is shown to a person, line by line. */
static bool is_line(const char *words)
{
    size_t length = strlen(words);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)words[i] < 0x20 || words[i] == 0x7f)
            return false;
    return length > 0 && length <= REPORT_BYTES_MAX && text_is_utf8(words);
}

static void keep_report(struct core *core, uint64_t request, struct account *account,
                        const struct identity *identity, const struct published_id *id,
                        const char *words)
{
    char reporter[DIGEST_HEX_DIGITS + 1];
    write_publisher(identity, reporter);
    struct ticket *ticket = ticket_over_http(core, TICKET_REPORT, request, account);
    cost_note(core, COST_EVENT + strlen(words) / COST_EVENT_BYTES);
    if (!ask(core, ticket,
             &(struct store_request){.ask = STORE_REPORT,
                                     .report = {.name = id->name,
                                                .version = id->version,
                                                .reporter = reporter,
                                                .words = words,
                                                .at_ms = (int64_t)core->now_ms}}))
        publishing_refused(core, request, RETRY_MS);
}

void core_report(struct core *core, uint64_t request, const struct core_address *address,
                 const char *game, const char *token, const char *words)
{
    struct identity identity;
    struct published_id id;
    if (!read_publisher(core, request, token, &identity))
        return;
    if (!published_id_read(text_of(game), &id) || id.version == 0)
        publishing_unknown(core, request);
    else if (!is_line(words))
        refuse(core, request, PUBLISHED_BAD, "a report is one line of 1 to 500 bytes");
    else if (!publishing_may_ask(core))
        publishing_refused(core, request, RETRY_MS);
    else {
        struct account *account = account_of(&core->accounts, address, core->now_ms);
        if (may_publish(core, request, account, &identity, strlen(words)))
            keep_report(core, request, account, &identity, &id, words);
        account_let_go(&core->accounts, account, core->now_ms);
    }
}

static void say_reported(struct core *core, uint64_t request)
{
    struct writer *writer = begin_json(core);
    writer_key(writer, "reported"), writer_boolean(writer, true);
    writer_end(writer);
    say_json(core, request, PUBLISHED_OK, "");
}

/* --- reading ------------------------------------------------------------------------------------ */

void core_read_published(struct core *core, uint64_t request, const struct core_address *address,
                         const char *game)
{
    struct published_id id;
    if (!published_id_read(text_of(game), &id)) {
        publishing_unknown(core, request);
        return;
    }
    ask_over_http(core, TICKET_READ_PUBLISHED, request, address,
                  &(struct store_request){.ask = STORE_PUBLISHED,
                                          .publication = {.name = id.name, .version = id.version}});
}

static void say_game(struct core *core, uint64_t request, const struct store_answer *answer)
{
    const struct store_publication *publication = &answer->publications[0];
    struct writer *writer = begin_json(core);
    write_publication(writer, publication);
    if (!publication->hidden) {
        writer_key(writer, "definition");
        writer_copy(writer, answer->definition, answer->definition_length);
    }
    writer_end(writer);
    say_json(core, request, PUBLISHED_OK, "");
}

/* "MILLISECONDS-NAME" of the last one of a page; "": from the first on. */
static bool read_place(const char *before, int64_t *at_ms, const char **name)
{
    *at_ms = INT64_MAX;
    *name = "";
    if (before[0] == '\0')
        return true;
    char *end;
    *at_ms = strtoll(before, &end, 10);
    *name = end + 1;
    return before[0] >= '0' && before[0] <= '9' && *end == '-' &&
           published_name_fits(text_of(end + 1));
}

void core_read_publications(struct core *core, uint64_t request, const struct core_address *address,
                            const char *before)
{
    struct store_request question = {.ask = STORE_PUBLICATIONS};
    struct store_publication *after = &question.publication;
    if (!read_place(before, &after->at_ms, &after->name))
        refuse(core, request, PUBLISHED_BAD, "before: what an answer called `next`");
    else
        ask_over_http(core, TICKET_READ_PUBLICATIONS, request, address, &question);
}

static void say_games(struct core *core, uint64_t request, const struct store_answer *answer)
{
    char next[WORD_BYTES_MAX + 24];
    int count = answer->publication_count;
    struct writer *writer = begin_json(core);
    writer_key(writer, "games");
    writer_array(writer);
    for (int i = 0; i < count; i++) {
        writer_object(writer);
        write_publication(writer, &answer->publications[i]);
        writer_end(writer);
    }
    writer_end(writer);
    if (count == STORE_PUBLICATIONS_MAX) {
        const struct store_publication *last = &answer->publications[count - 1];
        snprintf(next, sizeof next, "%" PRId64 "-%.*s", last->at_ms, STORE_NAME_BYTES, last->name);
        writer_member_string(writer, "next", next);
    }
    writer_end(writer);
    say_json(core, request, PUBLISHED_OK, "");
}

/* --- a room of one ------------------------------------------------------------------------------ */

enum refusal publishing_create(struct request *request, const struct author *author,
                               const struct time_control *clock)
{
    struct core *core = request->core;
    const struct message *message = request->message;
    struct published_id id;
    if (!published_id_read(message->create.game, &id))
        return REFUSAL_UNKNOWN_GAME;
    if (!publishing_may_ask(core))
        return REFUSAL_UNAVAILABLE;
    struct ticket *ticket = ticket_new(core, TICKET_CREATE_PUBLISHED, "");
    ticket->peer = author->peer;
    memcpy(ticket->command, author->command, sizeof ticket->command);
    ticket->from = message->create.players;
    ticket->to = message->create.visibility != VISIBILITY_PRIVATE;
    if (clock->is_set) {
        ticket->clock = memory_bytes(sizeof *ticket->clock);
        *ticket->clock = *clock;
    }
    return publishing_ask_for(core, ticket, &id) ? REFUSAL_NONE : REFUSAL_UNAVAILABLE;
}

enum refusal publishing_may_play(const struct core *core, const struct store_answer *answer,
                                 const char **words)
{
    if (answer->status == STORE_NOT_FOUND)
        return REFUSAL_UNKNOWN_GAME;
    if (answer->status != STORE_OK || !core_ready(core))
        return REFUSAL_UNAVAILABLE;
    if (!answer->publications[0].hidden)
        return REFUSAL_NONE;
    *words = "whoever looks after this server has hidden this game";
    return REFUSAL_UNKNOWN_GAME;
}

static enum refusal create(struct core *core, struct session *session, const struct ticket *ticket,
                           const struct store_answer *answer, const char **words,
                           uint64_t *retry_ms)
{
    enum refusal refusal = publishing_may_play(core, answer, words);
    if (refusal != REFUSAL_NONE)
        return refusal;
    const struct store_publication *publication = &answer->publications[0];
    const struct compile_source source = {publication->definition_hash,
                                          {answer->definition, answer->definition_length},
                                          (int)ticket->from};
    struct compile_wish wish = {.purpose = COMPILE_TO_CREATE,
                                .author = {.peer = ticket->peer, .identity = session->identity},
                                .is_public = ticket->to != 0};
    memcpy(wish.author.command, ticket->command, sizeof wish.author.command);
    if (ticket->clock)
        wish.clock = *ticket->clock;
    published_id_write(publication->name, publication->version, wish.game);
    return compile_create(core, session, &source, &wish, words, retry_ms);
}

static void read_to_create(struct core *core, const struct ticket *ticket,
                           const struct store_answer *answer)
{
    struct session *session = session_find(core, ticket->peer);
    const char *words = NULL;
    uint64_t retry_ms = 0;
    if (!session)
        return;
    enum refusal refusal = create(core, session, ticket, answer, &words, &retry_ms);
    if (refusal == REFUSAL_NONE)
        return;
    if (refusal_may_retry(refusal) && retry_ms == 0)
        retry_ms = RETRY_MS;
    reply_refuse(core, session,
                 &(struct complaint){.refusal = refusal,
                                     .command = text_of(ticket->command),
                                     .words = words,
                                     .version = -1,
                                     .retry_ms = retry_ms});
}

/* --- what the store says -------------------------------------------------------------------------- */

void publishing_answered(struct core *core, struct ticket *ticket,
                         const struct store_answer *answer)
{
    core->publications_asked--;
    cost_note(core, COST_PUBLICATION_READ + answer->definition_length / COST_EVENT_BYTES);
    if (answer->status == STORE_FAILED) {
        core->statistics.store_failures++;
        core_log(core, FACT_ERROR, "publishing_failed", "", answer->words);
    }
    if (ticket->kind == TICKET_IMPORT)
        transfer_told_game(core, ticket, answer);
    else if (ticket->kind == TICKET_SHOW)
        showing_answered(core, ticket, answer);
    else if (ticket->kind == TICKET_CREATE_PUBLISHED)
        read_to_create(core, ticket, answer);
    else if (ticket->kind == TICKET_SEEK_PUBLISHED || ticket->kind == TICKET_PAIR_PUBLISHED)
        seeking_published_answered(core, ticket, answer);
    else if (ticket->kind == TICKET_PUBLISH)
        stored(core, ticket, answer);
    else if (answer->status != STORE_OK)
        refuse_reading(core, ticket, answer);
    else if (ticket->kind == TICKET_READ_PUBLISHED)
        say_game(core, ticket->request, answer);
    else if (ticket->kind == TICKET_READ_PUBLICATIONS)
        say_games(core, ticket->request, answer);
    else if (ticket->kind == TICKET_REPORT)
        say_reported(core, ticket->request);
    else
        say_listed(core, ticket);
}
