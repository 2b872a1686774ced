#include "server/core/transfer.h"

#include "engine/load/text.h"
#include "engine/memory/memory.h"
#include "engine/work.h"
#include "server/core/birth.h"
#include "server/core/cost.h"
#include "server/core/holdings.h"
#include "server/core/journal.h"
#include "server/core/making.h"
#include "server/core/pgn.h"
#include "server/core/pgn_read.h"
#include "server/core/publishing.h"
#include "server/core/writing.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum transfer_kind { TRANSFER_RECORD, TRANSFER_PGN, TRANSFER_IMPORT, TRANSFER_IMPORT_PGN };

struct transfer {
    struct task task; /* first: a task of this kind is a transfer */
    enum transfer_kind kind;
    uint64_t units_max;
    uint64_t request;
    bool is_public;
    char origin[ROOM_ID_BYTES + 1]; /* of an import: what its room was called */
    struct store_answer loaded;     /* of an export; owned */
    char *text;                     /* the record; owned */
    size_t length;
    char *pgn; /* owned */
    size_t pgn_length;
    char *game, *definition; /* of an import of PGN, all three; owned */
    size_t definition_length;
    struct game *rules;
    bool sound;
    struct replay replay;               /* of an import, or for PGN */
    struct bases bases;                 /* the games that a definition may extend */
    char published[WORD_BYTES_MAX + 1]; /* what the game is called here, if players published it */
};

static void release(struct core *core, struct task *task)
{
    struct transfer *transfer = (struct transfer *)task;
    (void)core;
    replay_release(&transfer->replay);
    store_answer_release(&transfer->loaded);
    free(transfer->text);
    free(transfer->pgn);
    free(transfer->game);
    free(transfer->definition);
    game_release(transfer->rules);
    free(transfer);
}

/* --- answers ---------------------------------------------------------------------------------- */

static void refuse_for(const struct core *core, uint64_t request, enum refusal refusal,
                       const char *words, uint64_t retry_ms)
{
    const struct transfer_answer said = {
        .refusal = refusal, .words = words ? words : refusal_words(refusal), .retry_ms = retry_ms};
    core->ports.transferred(core->ports.context, request, &said);
}

static void refuse(const struct core *core, uint64_t request, enum refusal refusal,
                   const char *words)
{
    refuse_for(core, request, refusal, words, refusal_may_retry(refusal) ? RETRY_MS : 0);
}

void transfer_created(struct core *core, uint64_t request, const char *room)
{
    const struct transfer_answer said = {.words = "", .room = room};
    core->ports.transferred(core->ports.context, request, &said);
}

void transfer_refused(struct core *core, uint64_t request, enum refusal refusal, uint64_t retry_ms)
{
    refuse_for(core, request, refusal, NULL, retry_ms);
}

/* --- on the thread ---------------------------------------------------------------------------- */

static void add_event(struct writer *writer, int64_t *version, const struct event *event,
                      int64_t at_ms)
{
    for (int i = 0; i < event->log_count; i++) {
        struct event told;
        int64_t told_at_ms;
        if (!event_log_read(event, i, &told, &told_at_ms))
            continue;
        add_event(writer, version, &told, told_at_ms);
        event_release(&told);
    }
    if (event->log_count == 0)
        record_add(writer, ++*version, event, at_ms);
}

/* The first event of a rematch did not always say who sits there; the row does. */
static void name_holders(struct event *created, const struct store_room *row)
{
    if (!created->previous_room.data || created->holder_count > 0)
        return;
    for (int i = 0; i < row->seat_count && i < EVENT_SEATS_MAX; i++) {
        const struct store_seat *seat = &row->seats[i];
        created->holders[created->holder_count++] =
            (struct event_holder){.seat = text_of(seat->seat),
                                  .player = text_of(seat->player),
                                  .name = text_of(seat->name),
                                  .as = seat->bot ? PLAYER_BOT : PLAYER_HUMAN,
                                  .house = seat->house};
    }
}

static int players_of(const struct store_answer *loaded)
{
    struct event created;
    const struct store_event *first = &loaded->events[0];
    if (!event_read(first->kind, first->body, strlen(first->body), &created))
        return 0;
    int players = created.players;
    event_release(&created);
    return players;
}

static bool write_record(struct transfer *transfer)
{
    const struct store_answer *loaded = &transfer->loaded;
    const struct store_room *row = &loaded->rooms[0];
    int64_t version = 0;
    struct writer writer;
    writer_init(&writer);
    record_begin(&writer,
                 &(struct record){.room = text_of(row->id),
                                  .game = text_of(row->game),
                                  .title = text_of(row->title),
                                  .players = players_of(loaded),
                                  .is_private = !row->is_public,
                                  .definition_hash = text_of(row->definition_hash),
                                  .definition = {loaded->definition, loaded->definition_length}});
    bool read = true;
    for (int i = 0; read && i < loaded->event_count; i++) {
        const struct store_event *stored = &loaded->events[i];
        struct event event;
        read = event_read(stored->kind, stored->body, strlen(stored->body), &event);
        if (!read)
            break;
        name_holders(&event, row);
        add_event(&writer, &version, &event, stored->at_ms);
        event_release(&event);
    }
    record_end(&writer);
    transfer->text = writer_take(&writer, &transfer->length);
    writer_release(&writer);
    return read;
}

static void export_record(struct transfer *transfer)
{
    transfer->sound = write_record(transfer);
}

static void export_pgn(struct transfer *transfer)
{
    struct replay *replay = &transfer->replay;
    transfer->sound =
        write_record(transfer) && replay_run(replay, transfer->text, transfer->length, NULL, NULL);
    if (transfer->sound && pgn_has(replay->game))
        transfer->pgn = pgn_write(replay, &transfer->pgn_length);
}

static void import_record(struct transfer *transfer)
{
    transfer->replay.bases = &transfer->bases;
    transfer->sound = replay_run(&transfer->replay, transfer->text, transfer->length, NULL, NULL);
}

static void import_pgn(struct transfer *transfer)
{
    struct replay *replay = &transfer->replay;
    const struct pgn_source source = {
        .id = text_of(transfer->game),
        .definition = {transfer->definition, transfer->definition_length},
        .game = transfer->rules,
    };
    transfer->text =
        pgn_read(transfer->pgn, transfer->pgn_length, &source, &transfer->length, replay->words);
    transfer->sound =
        transfer->text && replay_run(replay, transfer->text, transfer->length, NULL, NULL);
}

static bool work(struct task *task)
{
    static void (*const works[])(struct transfer *) = {export_record, export_pgn, import_record,
                                                       import_pgn};
    struct transfer *transfer = (struct transfer *)task;
    struct work_stretch stretch = work_begin(transfer->units_max);
    works[transfer->kind](transfer);
    transfer->sound = work_end(&stretch) && transfer->sound;
    if (!transfer->sound || transfer->kind == TRANSFER_PGN)
        record_release(&transfer->replay.record); /* here, since it is large */
    return true;
}

/* --- one's turn ------------------------------------------------------------------------------- */

static void done(struct core *core, struct task *task);

static void refused(struct core *core, struct task *task, uint64_t retry_ms)
{
    const struct transfer *transfer = (struct transfer *)task;
    refuse_for(core, transfer->request, REFUSAL_UNAVAILABLE, NULL, retry_ms);
    release(core, task);
}

static struct transfer *transfer_new(const struct core *core, enum transfer_kind kind,
                                     uint64_t request)
{
    static const struct task_kind task_kind = {TASK_PLACES, work, done, refused, release};
    struct transfer *transfer = memory_zeroed(1, sizeof *transfer);
    transfer->task.kind = &task_kind;
    transfer->kind = kind;
    transfer->units_max = core->options.transfer_units;
    transfer->request = request;
    transfer->bases = (struct bases){catalogue_find_text, &core->catalogue};
    return transfer;
}

static void wait_for_turn(struct core *core, struct transfer *transfer, struct account *account,
                          size_t bytes)
{
    uint64_t retry_ms = task_ask(core, &transfer->task, account, bytes);
    if (retry_ms > 0)
        refused(core, &transfer->task, retry_ms);
}

/* --- exports ---------------------------------------------------------------------------------- */

static void refuse_guess(struct core *core, uint64_t request, struct account *account)
{
    core_count_guess(core, account);
    refuse(core, request, REFUSAL_UNKNOWN_ROOM, NULL);
}

static void ask_for_export(struct core *core, uint64_t request, struct account *account,
                           const char *room, enum record_form form)
{
    struct ticket *ticket = ticket_new(core, TICKET_EXPORT, room);
    ticket->request = request;
    ticket->form = form;
    ticket->account = account_hold(account);
    if (ticket_ask(core, ticket, &(struct store_request){.ask = STORE_LOAD, .room = room}))
        core->exports_asked++;
    else
        refuse(core, request, REFUSAL_UNAVAILABLE, NULL);
}

void core_export(struct core *core, uint64_t request, const struct core_address *address,
                 const char *room, enum record_form form)
{
    if (!core_ready(core) || core->exports_asked >= EXPORTS_ASKED_MAX || !holdings_may_grow(core)) {
        refuse(core, request, REFUSAL_UNAVAILABLE, NULL);
        return;
    }
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    uint64_t retry_ms = account_wait_ms(account, GUESS_COST, core->now_ms);
    if (retry_ms > 0)
        refuse_for(core, request, REFUSAL_RATE_LIMITED, NULL, retry_ms);
    else if (!room_id_fits(strlen(room)))
        refuse_guess(core, request, account);
    else
        ask_for_export(core, request, account, room, form);
    account_let_go(&core->accounts, account, core->now_ms);
}

static size_t bytes_of(const struct store_answer *loaded)
{
    size_t bytes = loaded->definition_length;
    for (int i = 0; i < loaded->event_count; i++)
        bytes += strlen(loaded->events[i].body);
    return bytes;
}

void transfer_loaded(struct core *core, const struct ticket *ticket, struct store_answer *loaded)
{
    core->exports_asked--;
    if (loaded->status != STORE_OK || loaded->event_count == 0) {
        if (loaded->status == STORE_NOT_FOUND)
            refuse_guess(core, ticket->request, ticket->account);
        else
            refuse(core, ticket->request, REFUSAL_UNAVAILABLE, NULL);
        return;
    }
    struct transfer *transfer = transfer_new(
        core, ticket->form == RECORD_AS_PGN ? TRANSFER_PGN : TRANSFER_RECORD, ticket->request);
    cost_note(core, (uint64_t)loaded->event_count * COST_EVENT_READ * 2 / 3);
    transfer->loaded = *loaded;
    *loaded = (struct store_answer){.arena = NULL};
    wait_for_turn(core, transfer, ticket->account, bytes_of(&transfer->loaded));
}

static void tell_export(struct core *core, const struct transfer *transfer)
{
    struct transfer_answer said = {.words = ""};
    if (!transfer->sound) {
        core_log(core, FACT_ERROR, "export_failed", transfer->loaded.rooms[0].id,
                 transfer->replay.words[0] ? transfer->replay.words : "an event cannot be read");
        refuse(core, transfer->request, REFUSAL_UNAVAILABLE, NULL);
        return;
    }
    if (transfer->kind == TRANSFER_PGN && !transfer->pgn) {
        refuse(core, transfer->request, REFUSAL_UNSUPPORTED,
               "the game's file does not say how its games are written in PGN");
        return;
    }
    bool pgn = transfer->kind == TRANSFER_PGN;
    said.room = transfer->loaded.rooms[0].id;
    said.form = pgn ? RECORD_AS_PGN : RECORD_AS_FILE;
    said.text = pgn ? transfer->pgn : transfer->text;
    said.length = pgn ? transfer->pgn_length : transfer->length;
    core->ports.transferred(core->ports.context, transfer->request, &said);
}

/* Takes the transfer. */
static void exported(struct core *core, struct transfer *transfer)
{
    tell_export(core, transfer);
    release(core, &transfer->task);
}

/* --- imports ---------------------------------------------------------------------------------- */

static char *copy_bytes(const char *bytes, size_t length)
{
    char *copy = memory_bytes(length + 1);
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

/* The first of the games here that are written as this text says; NULL: none. */
static const struct served_game *find_game(const struct core *core, const char *variant)
{
    for (int i = 0; i < core->catalogue.game_count; i++)
        if (pgn_is_of(core->catalogue.games[i].edition->game, variant))
            return &core->catalogue.games[i];
    return NULL;
}

/* NULL, having refused: no game here is the one it tells. */
static struct transfer *take_pgn(const struct core *core, uint64_t request, const char *text,
                                 size_t length)
{
    char variant[PGN_VALUE_BYTES], words[PGN_WORDS_BYTES];
    pgn_read_variant(text, length, variant);
    const struct served_game *game = find_game(core, variant);
    if (!game) {
        snprintf(words, sizeof words, "no game of this server is written in PGN as `%s`",
                 text_quote(variant).text);
        refuse(core, request, REFUSAL_BAD_MESSAGE, words);
        return NULL;
    }
    struct transfer *transfer = transfer_new(core, TRANSFER_IMPORT_PGN, request);
    transfer->pgn = copy_bytes(text, length);
    transfer->pgn_length = length;
    transfer->game = copy_bytes(game->id, strlen(game->id));
    transfer->definition = copy_bytes(game->edition->text, game->edition->length);
    transfer->definition_length = game->edition->length;
    transfer->rules = game_retain(game->edition->game);
    return transfer;
}

static struct transfer *take_record(const struct core *core, uint64_t request, const char *text,
                                    size_t length)
{
    struct transfer *transfer = transfer_new(core, TRANSFER_IMPORT, request);
    transfer->text = copy_bytes(text, length);
    transfer->length = length;
    return transfer;
}

/* What comes is charged whether a room comes of it or not. */
static bool may_write(struct core *core, uint64_t request, struct account *account, size_t bytes)
{
    const struct writing_refusal refused = writing_judge(core, account);
    if (refused.refusal == REFUSAL_NONE) {
        writing_charge_bytes(account, bytes, core->now_ms);
        return true;
    }
    refuse_for(core, request, refused.refusal, refused.words, refused.retry_ms);
    return false;
}

static void begin_import(struct core *core, uint64_t request, struct account *account,
                         struct text text, bool is_public)
{
    uint64_t retry_ms = making_import(core, account, (uint32_t)(text.length / 1024) + 1);
    if (retry_ms > 0) {
        refuse_for(core, request, REFUSAL_RATE_LIMITED, NULL, retry_ms);
        return;
    }
    if (!may_write(core, request, account, text.length))
        return;
    struct transfer *transfer = pgn_is(text.data, text.length)
                                    ? take_pgn(core, request, text.data, text.length)
                                    : take_record(core, request, text.data, text.length);
    if (!transfer)
        return;
    transfer->is_public = is_public;
    wait_for_turn(core, transfer, account, text.length);
}

void core_import(struct core *core, uint64_t request, const struct core_address *address,
                 const char *text, size_t length, bool is_public)
{
    if (!core_ready(core) || !holdings_may_grow(core)) {
        refuse(core, request, REFUSAL_UNAVAILABLE, NULL);
        return;
    }
    if (length > RECORD_BYTES_MAX) {
        refuse(core, request, REFUSAL_BAD_MESSAGE, "an exported game has at most 1048576 bytes");
        return;
    }
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    begin_import(core, request, account, (struct text){text, length}, is_public);
    account_let_go(&core->accounts, account, core->now_ms);
}

/* What was agreed about a next game stays behind, and keys: they are of another server. */
static bool stays_behind(enum event_kind kind)
{
    return kind == EVENT_REMATCH || kind == EVENT_REMATCH_OFFERED ||
           kind == EVENT_REMATCH_DECLINED || kind == EVENT_REMATCH_ACCEPTED ||
           kind == EVENT_SEAT_KEY;
}

/* The log of a finished game; nothing in it is later than now. */
static void take_log(const struct record *record, uint64_t now_ms, struct event *origin)
{
    origin->log = event_log_new();
    for (int i = 0; i < record->event_count; i++) {
        struct event event;
        int64_t at_ms;
        char words[RECORD_WORDS_BYTES];
        bool read = record_read_event(record, i, &event, &at_ms, words);
        assert(read); /* it has been, when it was played again */
        (void)read;
        if (at_ms > (int64_t)now_ms)
            at_ms = (int64_t)now_ms;
        if (!stays_behind(event.kind)) {
            event_log_add(origin->log, &event, at_ms);
            origin->log_count++;
        }
        event_release(&event);
    }
}

/* The moves of a game that goes on: whoever sat there is not here. */
static void take_moves(const struct replay *replay, const struct edition *edition,
                       struct event *origin)
{
    struct event_move *moves = memory_zeroed((size_t)replay->move_count + 1, sizeof *moves);
    for (int i = 0; i < replay->move_count; i++)
        moves[i] = edition_name_move(edition, replay->moves[i].move);
    origin->moves = moves;
    origin->move_count = replay->move_count;
}

static void tell(struct birth *birth, struct event *created)
{
    struct transfer *transfer = birth->source;
    const struct replay *replay = &transfer->replay;
    if (replay->record.room.data)
        text_copy(replay->record.room, transfer->origin, sizeof transfer->origin);
    created->import_room = text_of(transfer->origin);
    if (replay->standing.status == STATUS_FINISHED)
        take_log(&replay->record, birth->at_ms, created);
    else
        take_moves(replay, &birth->nascent.borrowed, created);
}

/* A record read is a tree of as many pieces as it has words. */
static void forget_past(struct birth *birth, struct event *created)
{
    struct transfer *transfer = birth->source;
    record_release(&transfer->replay.record);
    event_log_free(created->log);
    free((void *)created->moves);
}

static void release_source(struct core *core, void *source)
{
    release(core, source);
}

static struct edition *edition_of(struct core *core, const struct transfer *transfer,
                                  const char **why)
{
    const struct replay *replay = &transfer->replay;
    const struct record *record = &replay->record;
    struct edition *edition =
        catalogue_find_edition(&core->catalogue, replay->hash, replay->players);
    if (edition)
        return edition;
    const struct definition_text definition = {replay->hash, record->definition.data,
                                               record->definition.length, replay->players};
    return holdings_add(core, &definition, game_retain(replay->game), transfer->task.account, why);
}

/* Takes the transfer. */
static void create_imported(struct core *core, struct transfer *transfer)
{
    const char *why = NULL;
    struct edition *edition = edition_of(core, transfer, &why);
    if (!edition || !holdings_has_room_for(core, edition)) {
        catalogue_release_edition(&core->catalogue, edition);
        refuse(core, transfer->request, REFUSAL_UNAVAILABLE, why);
        release(core, &transfer->task);
        return;
    }
    struct birth *birth = birth_new(core, edition);
    struct account *account = transfer->task.account;
    birth->author.request = transfer->request;
    birth->is_public = transfer->is_public && !transfer->replay.record.is_private;
    const char *served = catalogue_served_id(&core->catalogue, transfer->replay.hash);
    text_copy(text_of(served[0] ? served : transfer->published), birth->game, sizeof birth->game);
    birth->source = transfer;
    birth->tell = tell;
    birth->told = forget_past;
    birth->release_source = release_source;
    uint64_t request = transfer->request;
    uint64_t retry_ms = birth_ask(core, birth, account, transfer->length);
    if (retry_ms > 0)
        refuse_for(core, request, REFUSAL_UNAVAILABLE, NULL, retry_ms);
}

/* Whether the record says it is of a game that players publish: then the store is asked, since anybody may write so. */
static bool names_published(const struct core *core, const struct transfer *transfer,
                            struct published_id *id)
{
    return catalogue_served_id(&core->catalogue, transfer->replay.hash)[0] == '\0' &&
           published_id_read(transfer->replay.record.game, id) && id->version > 0;
}

/* Takes the transfer. */
static void ask_for_game(struct core *core, struct transfer *transfer,
                         const struct published_id *id)
{
    uint64_t request = transfer->request;
    bool asked = publishing_may_ask(core);
    if (asked) {
        struct ticket *ticket = ticket_new(core, TICKET_IMPORT, "");
        ticket->account = account_hold(transfer->task.account);
        ticket->task = &transfer->task;
        asked = publishing_ask_for(core, ticket, id);
    } else
        release(core, &transfer->task);
    if (!asked)
        refuse(core, request, REFUSAL_UNAVAILABLE, NULL);
}

void transfer_told_game(struct core *core, struct ticket *ticket, const struct store_answer *answer)
{
    struct transfer *transfer = (struct transfer *)ticket->task;
    ticket->task = NULL;
    const struct store_publication *publication = answer->publications;
    bool known = answer->status == STORE_OK || answer->status == STORE_NOT_FOUND;
    if (!known || !core_ready(core)) {
        refuse(core, transfer->request, REFUSAL_UNAVAILABLE, NULL);
        release(core, &transfer->task);
        return;
    }
    if (answer->status == STORE_OK && !publication->hidden &&
        strcmp(publication->definition_hash, transfer->replay.hash) == 0)
        published_id_write(publication->name, publication->version, transfer->published);
    create_imported(core, transfer);
}

/* Takes the transfer. */
static void imported(struct core *core, struct transfer *transfer)
{
    struct published_id id;
    if (transfer->sound && core_ready(core)) {
        if (names_published(core, transfer, &id))
            ask_for_game(core, transfer, &id);
        else
            create_imported(core, transfer);
        return;
    }
    if (!transfer->sound)
        refuse(core, transfer->request, REFUSAL_BAD_MESSAGE, transfer->replay.words);
    else
        refuse(core, transfer->request, REFUSAL_UNAVAILABLE, NULL);
    release(core, &transfer->task);
}

/* --- it is worked out ------------------------------------------------------------------------- */

static void done(struct core *core, struct task *task)
{
    struct transfer *transfer = (struct transfer *)task;
    if (transfer->kind == TRANSFER_IMPORT || transfer->kind == TRANSFER_IMPORT_PGN)
        imported(core, transfer);
    else
        exported(core, transfer);
}
