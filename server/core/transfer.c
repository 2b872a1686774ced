#include "server/core/transfer.h"

#include "engine/load/text.h"
#include "memory/memory.h"
#include "server/core/cost.h"
#include "server/core/holdings.h"
#include "server/core/journal.h"
#include "server/core/pgn.h"
#include "server/core/pgn_read.h"
#include "server/core/writing.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum transfer_kind { TRANSFER_RECORD, TRANSFER_PGN, TRANSFER_IMPORT, TRANSFER_IMPORT_PGN };

struct transfer {
    struct job job; /* first: a job of ours is a transfer */
    struct transfer *next;
    struct account *account; /* held: of whoever asked */
    enum transfer_kind kind;
    uint64_t request;
    bool is_public;
    struct store_answer loaded; /* of an export; owned */
    char *text;                 /* the record; owned */
    size_t length;
    char *pgn; /* owned */
    size_t pgn_length;
    char *game, *definition; /* of an import of PGN, all three; owned */
    size_t definition_length;
    struct game *rules;
    bool sound;
    struct replay replay; /* of an import, or for PGN */
};

void transfer_init(struct core *core)
{
    core->transfers_end = &core->transfers;
    allowance_init(&core->imports, IMPORTS_PER_S, IMPORTS_BURST, core->now_ms);
}

static void transfer_free(struct transfer *transfer)
{
    replay_release(&transfer->replay);
    store_answer_release(&transfer->loaded);
    free(transfer->text);
    free(transfer->pgn);
    free(transfer->game);
    free(transfer->definition);
    game_release(transfer->rules);
    free(transfer);
}

static void discard(struct job *job)
{
    transfer_free((struct transfer *)job);
}

void transfer_release(struct core *core)
{
    while (core->transfers) {
        struct transfer *transfer = core->transfers;
        core->transfers = transfer->next;
        transfer_free(transfer);
    }
}

/* --- answers ---------------------------------------------------------------------------------- */

static void say(const struct core *core, uint64_t request, enum refusal refusal, const char *words)
{
    const struct transfer_answer said = {.refusal = refusal,
                                         .words = words ? words : refusal_words(refusal),
                                         .retry_ms = refusal_may_retry(refusal) ? RETRY_MS : 0};
    core->ports.transferred(core->ports.context, request, &said);
}

static void refuse(struct core *core, uint64_t request, enum refusal refusal, const char *words)
{
    core->transfer_count--;
    say(core, request, refusal, words);
}

void transfer_created(struct core *core, uint64_t request, const char *room)
{
    const struct transfer_answer said = {.words = "", .room = room};
    core->ports.transferred(core->ports.context, request, &said);
}

void transfer_refused(struct core *core, uint64_t request, enum refusal refusal)
{
    say(core, request, refusal, NULL);
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

static void export_record(struct job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    transfer->sound = write_record(transfer);
}

static void export_pgn(struct job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    struct replay *replay = &transfer->replay;
    transfer->sound =
        write_record(transfer) && replay_run(replay, transfer->text, transfer->length, NULL, NULL);
    if (transfer->sound && pgn_has(replay->game))
        transfer->pgn = pgn_write(replay, &transfer->pgn_length);
}

static void import_record(struct job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    struct replay *replay = &transfer->replay;
    replay->work_ms = job->work_ms;
    replay->play_ms_max = REPLAY_PLAY_MS_MAX;
    replay->work_ms_max = REPLAY_WORK_MS_MAX;
    transfer->sound = replay_run(replay, transfer->text, transfer->length, NULL, NULL);
}

/* What it leaves of the time is for playing it again. */
static void import_pgn(struct job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    struct replay *replay = &transfer->replay;
    uint64_t began_ms = job->work_ms ? job->work_ms() : 0;
    const struct pgn_source source = {
        .id = text_of(transfer->game),
        .definition = {transfer->definition, transfer->definition_length},
        .game = transfer->rules,
        .work_ms = job->work_ms,
        .work_ms_max = REPLAY_WORK_MS_MAX,
    };
    transfer->text =
        pgn_read(transfer->pgn, transfer->pgn_length, &source, &transfer->length, replay->words);
    if (!transfer->text)
        return;
    uint64_t spent_ms = job->work_ms ? job->work_ms() - began_ms : 0;
    replay->work_ms = job->work_ms;
    replay->play_ms_max = REPLAY_PLAY_MS_MAX;
    replay->work_ms_max = spent_ms < REPLAY_WORK_MS_MAX ? REPLAY_WORK_MS_MAX - spent_ms : 0;
    transfer->sound = replay_run(replay, transfer->text, transfer->length, NULL, NULL);
}

/* --- one's turn ------------------------------------------------------------------------------- */

static struct transfer *transfer_new(enum transfer_kind kind, uint64_t request,
                                     struct account *account)
{
    static void (*const runs[])(struct job *) = {export_record, export_pgn, import_record,
                                                 import_pgn};
    struct transfer *transfer = memory_zeroed(1, sizeof *transfer);
    transfer->job.run = runs[kind];
    transfer->job.discard = discard;
    transfer->kind = kind;
    transfer->request = request;
    transfer->account = account_hold(account);
    return transfer;
}

static void work(struct core *core)
{
    while (core->transfers && core->transfers_at_work < TRANSFERS_AT_WORK_MAX) {
        struct transfer *transfer = core->transfers;
        core->transfers = transfer->next;
        if (!core->transfers)
            core->transfers_end = &core->transfers;
        core->transfers_at_work++;
        core->ports.work(core->ports.context, &transfer->job);
    }
}

static void wait_for_turn(struct core *core, struct transfer *transfer)
{
    *core->transfers_end = transfer;
    core->transfers_end = &transfer->next;
    work(core);
}

static void refuse_for_now(struct core *core, uint64_t request, uint64_t retry_ms)
{
    const struct transfer_answer said = {.refusal = REFUSAL_RATE_LIMITED,
                                         .words = refusal_words(REFUSAL_RATE_LIMITED),
                                         .retry_ms = retry_ms};
    core->transfer_count--;
    core->ports.transferred(core->ports.context, request, &said);
}

static bool may_begin(struct core *core, uint64_t request)
{
    core->transfer_count++;
    if (core->transfer_count <= TRANSFERS_MAX && core_ready(core) && holdings_may_grow(core))
        return true;
    refuse(core, request, REFUSAL_UNAVAILABLE, NULL);
    return false;
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
    if (!ticket_ask(core, ticket, &(struct store_request){.ask = STORE_LOAD, .room = room}))
        refuse(core, request, REFUSAL_UNAVAILABLE, NULL);
}

void core_export(struct core *core, uint64_t request, const struct core_address *address,
                 const char *room, enum record_form form)
{
    if (!may_begin(core, request))
        return;
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    uint64_t retry_ms = account_wait_ms(account, GUESS_COST, core->now_ms);
    if (retry_ms > 0)
        refuse_for_now(core, request, retry_ms);
    else if (!room_id_fits(strlen(room)))
        refuse_guess(core, request, account);
    else
        ask_for_export(core, request, account, room, form);
    account_let_go(&core->accounts, account, core->now_ms);
}

void transfer_loaded(struct core *core, const struct ticket *ticket, struct store_answer *loaded)
{
    if (loaded->status != STORE_OK || loaded->event_count == 0) {
        if (loaded->status == STORE_NOT_FOUND)
            refuse_guess(core, ticket->request, ticket->account);
        else
            refuse(core, ticket->request, REFUSAL_UNAVAILABLE, NULL);
        return;
    }
    struct transfer *transfer =
        transfer_new(ticket->form == RECORD_AS_PGN ? TRANSFER_PGN : TRANSFER_RECORD,
                     ticket->request, ticket->account);
    cost_note(core, (uint64_t)loaded->event_count * COST_EVENT_READ / 2);
    transfer->loaded = *loaded;
    *loaded = (struct store_answer){.arena = NULL};
    wait_for_turn(core, transfer);
}

static void exported(struct core *core, struct transfer *transfer)
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
    core->transfer_count--;
    core->ports.transferred(core->ports.context, transfer->request, &said);
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
static struct transfer *take_pgn(struct core *core, uint64_t request, struct account *account,
                                 const char *text, size_t length)
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
    struct transfer *transfer = transfer_new(TRANSFER_IMPORT_PGN, request, account);
    transfer->pgn = copy_bytes(text, length);
    transfer->pgn_length = length;
    transfer->game = copy_bytes(game->id, strlen(game->id));
    transfer->definition = copy_bytes(game->edition->text, game->edition->length);
    transfer->definition_length = game->edition->length;
    transfer->rules = game_retain(game->edition->game);
    return transfer;
}

static struct transfer *take_record(uint64_t request, struct account *account, const char *text,
                                    size_t length)
{
    struct transfer *transfer = transfer_new(TRANSFER_IMPORT, request, account);
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
    const struct transfer_answer said = {
        .refusal = refused.refusal, .words = refused.words, .retry_ms = refused.retry_ms};
    core->transfer_count--;
    core->ports.transferred(core->ports.context, request, &said);
    return false;
}

void core_import(struct core *core, uint64_t request, const struct core_address *address,
                 const char *text, size_t length, bool is_public)
{
    if (!may_begin(core, request))
        return;
    if (length > RECORD_BYTES_MAX) {
        refuse(core, request, REFUSAL_BAD_MESSAGE, "an exported game has at most 1048576 bytes");
        return;
    }
    uint64_t retry_ms = allowance_take(&core->imports, (uint32_t)(length / 1024) + 1, core->now_ms);
    if (retry_ms > 0) {
        refuse_for_now(core, request, retry_ms);
        return;
    }
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    if (!may_write(core, request, account, length)) {
        account_let_go(&core->accounts, account, core->now_ms);
        return;
    }
    struct transfer *transfer = pgn_is(text, length)
                                    ? take_pgn(core, request, account, text, length)
                                    : take_record(request, account, text, length);
    account_let_go(&core->accounts, account, core->now_ms);
    if (!transfer)
        return;
    transfer->is_public = is_public;
    wait_for_turn(core, transfer);
}

/* What was agreed about a next game stays behind, and keys: they are of another server. */
static bool stays_behind(enum event_kind kind)
{
    return kind == EVENT_REMATCH || kind == EVENT_REMATCH_OFFERED ||
           kind == EVENT_REMATCH_DECLINED || kind == EVENT_REMATCH_ACCEPTED ||
           kind == EVENT_SEAT_KEY;
}

/* The log of a finished game; nothing in it is later than now. */
static void take_log(const struct core *core, const struct record *record, struct event *origin)
{
    origin->log = event_log_new();
    for (int i = 0; i < record->event_count; i++) {
        struct event event;
        int64_t at_ms;
        char words[RECORD_WORDS_BYTES];
        bool read = record_read_event(record, i, &event, &at_ms, words);
        assert(read); /* it has been, on the thread */
        (void)read;
        if (at_ms > (int64_t)core->now_ms)
            at_ms = (int64_t)core->now_ms;
        if (!stays_behind(event.kind)) {
            event_log_add(origin->log, &event, at_ms);
            origin->log_count++;
        }
        event_release(&event);
    }
}

/* The moves of a game that goes on: whoever sat there is not here. */
static struct event_move *take_moves(const struct replay *replay, const struct edition *edition,
                                     struct event *origin)
{
    struct event_move *moves = memory_zeroed((size_t)replay->move_count + 1, sizeof *moves);
    for (int i = 0; i < replay->move_count; i++)
        moves[i] = edition_name_move(edition, replay->moves[i].move);
    origin->moves = moves;
    origin->move_count = replay->move_count;
    return moves;
}

static struct edition *edition_of(struct core *core, const struct transfer *transfer,
                                  const char **why)
{
    const struct replay *replay = &transfer->replay;
    const struct record *record = &replay->record;
    struct edition *edition =
        catalogue_find_edition(&core->catalogue, replay->hash, record->players);
    if (edition)
        return edition;
    const struct definition_text definition = {replay->hash, record->definition.data,
                                               record->definition.length, record->players};
    return holdings_add(core, &definition, game_retain(replay->game), transfer->account, why);
}

static void create_imported(struct core *core, struct transfer *transfer)
{
    struct replay *replay = &transfer->replay;
    const char *why = NULL;
    struct edition *edition = edition_of(core, transfer, &why);
    if (!edition) {
        refuse(core, transfer->request, REFUSAL_UNAVAILABLE, why);
        return;
    }
    const struct author author = {.request = transfer->request};
    struct event origin = {.kind = EVENT_CREATED, .import_room = replay->record.room};
    struct event_move *moves = NULL;
    if (!origin.import_room.data)
        origin.import_room = text_of("");
    if (replay->standing.status == STATUS_FINISHED)
        take_log(core, &replay->record, &origin);
    else
        moves = take_moves(replay, edition, &origin);
    const char *game = catalogue_served_id(&core->catalogue, replay->hash);
    enum refusal refusal = journal_create(
        core, &author, &(struct new_room){edition, game, transfer->is_public, &origin});
    event_log_free(origin.log);
    free(moves);
    if (refusal != REFUSAL_NONE)
        refuse(core, transfer->request, refusal, NULL);
    else
        core->transfer_count--; /* the answer comes with the store's */
}

static void imported(struct core *core, struct transfer *transfer)
{
    if (!transfer->sound)
        refuse(core, transfer->request, REFUSAL_BAD_MESSAGE, transfer->replay.words);
    else if (!core_ready(core))
        refuse(core, transfer->request, REFUSAL_UNAVAILABLE, NULL);
    else
        create_imported(core, transfer);
}

/* --- it is worked out ------------------------------------------------------------------------- */

void transfer_worked(struct core *core, struct job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    core->transfers_at_work--;
    if (transfer->kind == TRANSFER_IMPORT || transfer->kind == TRANSFER_IMPORT_PGN)
        imported(core, transfer);
    else
        exported(core, transfer);
    account_let_go(&core->accounts, transfer->account, core->now_ms);
    transfer_free(transfer);
    work(core);
}
