#include "server/core/seeking_parts.h"

#include "engine/memory/memory.h"
#include "server/core/cost.h"
#include "server/core/handlers.h"
#include "server/core/journal.h"
#include "server/core/ladder.h"
#include "server/core/making.h"
#include "server/core/reply.h"
#include "server/core/writing.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROOM_BYTES = 1024, /* that a room takes in the store, about: whoever gets one pays a part */
    LOOK_UNITS = 1,    /* thousandths, for each seek that was looked at */
};

void seeking_init(struct core *core)
{
    seeks_init(&core->seeking.seeks, core->hash_key);
    list_init(&core->seeking.made);
    list_init(&core->seeking.under_way);
    list_init(&core->seeking.elsewhere);
    list_init(&core->seeking.promised);
    list_init(&core->seeking.unknown);
    list_init(&core->seeking.readings);
}

/* --- one of them ------------------------------------------------------------------------------ */

struct sought *seeking_new(const struct wanted *wanted, const struct identity *identity)
{
    struct sought *sought = memory_zeroed(1, sizeof *sought);
    sought->seek.of = sought;
    sought->identity = *identity;
    memcpy(sought->game, wanted->game, sizeof sought->game);
    memcpy(sought->title, wanted->title, sizeof sought->title);
    sought->edition = wanted->edition ? edition_retain(wanted->edition) : NULL;
    sought->clock = wanted->clock;
    sought->rated = wanted->rated;
    seeking_take_wish(sought, wanted);
    return sought;
}

void seeking_take_wish(struct sought *sought, const struct wanted *wanted)
{
    sought->seek.wish = wanted->wish;
    memcpy(sought->seat, wanted->seat, sizeof sought->seat);
}

void seeking_free(struct core *core, struct sought *sought)
{
    seeks_remove(&core->seeking.seeks, &sought->seek);
    list_remove(&sought->others_link);
    if (!seeking_is_elsewhere(sought)) {
        sought->address->seeks--;
        account_let_go(&core->accounts, sought->address, core->now_ms);
    }
    catalogue_release_edition(&core->catalogue, sought->edition);
    free(sought);
}

void seeking_refuse(struct core *core, const struct sought *sought, enum refusal refusal)
{
    struct session *session = session_find(core, sought->peer);
    if (session)
        reply_refuse(core, session,
                     &(struct complaint){.refusal = refusal,
                                         .command = text_of(sought->command),
                                         .version = -1,
                                         .retry_ms = refusal_may_retry(refusal) ? RETRY_MS : 0});
}

static void step_out_and_tell(struct core *core, struct sought *sought)
{
    seeks_promise(&core->seeking.seeks, &sought->seek);
    seeking_tell(core, sought);
}

void seeking_withdraw(struct core *core, struct sought *sought)
{
    bool waits = sought->seek.stage == SEEK_WAITS;
    seeking_refuse(core, sought, REFUSAL_WITHDRAWN);
    if (waits)
        step_out_and_tell(core, sought);
    seeking_free(core, sought);
    core->lobby.changed = true;
}

static struct sought *sought_of(const struct seek *seek)
{
    return seek ? seek->of : NULL;
}

/* --- pairings --------------------------------------------------------------------------------- */

void seeking_pairing_free(struct pairing *pairing)
{
    list_remove(&pairing->link);
    free(pairing->terms);
    free(pairing);
}

void seeking_release(struct core *core)
{
    struct seeking *seeking = &core->seeking;
    seeking_free_readings(core);
    for (struct pairing *pairing; (pairing = list_first(&seeking->made));)
        seeking_pairing_free(pairing);
    for (struct pairing *pairing; (pairing = list_first(&seeking->under_way));) {
        for (int i = 0; i < pairing->count; i++)
            seeking_free(core, pairing->members[i]);
        seeking_pairing_free(pairing);
    }
    for (struct sought *sought; (sought = list_first(&seeking->promised));)
        seeking_free(core, sought);
    for (struct sought *sought; (sought = list_first(&seeking->unknown));)
        seeking_free(core, sought);
    for (struct seek *seek; (seek = list_first(&seeking->seeks.order));)
        seeking_free(core, seek->of);
    for (struct seek *seek; (seek = list_first(&seeking->seeks.away));)
        seeking_free(core, seek->of);
    seeks_release(&seeking->seeks);
}

static struct pairing *pairing_new(struct core *core, const struct seek_group *group)
{
    struct pairing *pairing = memory_zeroed(1, sizeof *pairing);
    const char *terms = group->members[0]->terms->text;
    size_t length = strlen(terms);
    pairing->number = ++core->last_number;
    pairing->terms = memory_bytes(length + 1);
    memcpy(pairing->terms, terms, length + 1);
    pairing->count = group->count;
    for (int i = 0; i < group->count; i++) {
        pairing->members[i] = group->members[i]->of;
        memcpy(pairing->players[i], pairing->members[i]->identity.player, PLAYER_ID_BYTES + 1);
        pairing->seeks[i] = group->members[i]->number;
        pairing->seats[i] = group->seats[i];
    }
    list_append(&core->seeking.under_way, &pairing->link, pairing);
    return pairing;
}

struct pairing *seeking_find_pairing(const struct core *core, uint64_t number)
{
    const struct list *list = &core->seeking.under_way;
    const struct link *link = list->ends.next;
    while (link != &list->ends && ((const struct pairing *)link->owner)->number != number)
        link = link->next;
    return link->owner;
}

static void forget_oldest(struct core *core)
{
    seeking_pairing_free(list_first(&core->seeking.made));
    core->seeking.made_count--;
}

void seeking_remember(struct core *core, struct pairing *pairing)
{
    if (core->seeking.made_count++ == SEEKING_MADE_MAX)
        forget_oldest(core);
    pairing->made_ms = core->now_ms;
    list_append(&core->seeking.made, &pairing->link, pairing);
}

void seeking_made(struct core *core, uint64_t number, const struct room *room)
{
    struct pairing *pairing = seeking_find_pairing(core, number);
    if (!pairing)
        return;
    core->statistics.seeks_paired++;
    memcpy(pairing->room, room->id, sizeof pairing->room);
    for (int i = 0; i < pairing->count; i++) {
        struct sought *sought = pairing->members[i];
        struct session *session = session_find(core, sought->peer);
        seeking_tell_made(core, pairing, i);
        if (session)
            reply_ack(core, session, text_of(sought->command), room->id, room->version, NULL);
        seeking_free(core, sought);
    }
    seeking_remember(core, pairing);
}

void seeking_refused(struct core *core, uint64_t number, enum refusal refusal)
{
    struct pairing *pairing = seeking_find_pairing(core, number);
    if (!pairing)
        return;
    for (int i = 0; i < pairing->count; i++) {
        if (seeking_is_elsewhere(pairing->members[i]))
            seeking_tell_lost(core, pairing, i);
        else
            seeking_refuse(core, pairing->members[i], refusal);
        seeking_free(core, pairing->members[i]);
    }
    seeking_pairing_free(pairing);
}

/* --- a room ----------------------------------------------------------------------------------- */

/* Nobody is found twice: what else they looked for they do not look for any more. */
void seeking_withdraw_others(struct core *core, const struct seek *chosen)
{
    struct seek *next;
    for (struct seek *seek = seeks_first(&core->seeking.seeks, chosen->player->id); seek;
         seek = next) {
        next = seeks_next(seek);
        struct sought *sought = seek->of;
        if (seek->stage != SEEK_CHOSEN && !seeking_is_elsewhere(sought))
            seeking_withdraw(core, sought);
        else if (sought->is_unknown)
            sought->is_cancelled = true;
    }
    seeking_stop_readings(core, chosen->player->id, (struct text){NULL, 0});
}

bool seeking_put_back(struct core *core, struct sought *sought)
{
    core->lobby.changed = true;
    if (sought->is_cancelled) {
        seeking_withdraw(core, sought);
        return false;
    }
    seeks_return(&core->seeking.seeks, &sought->seek);
    if (session_find(core, sought->peer))
        seeking_tell(core, sought);
    else
        seeks_leave(&core->seeking.seeks, &sought->seek, core->now_ms);
    return true;
}

static struct seat seat_for(const struct sought *sought)
{
    struct seat seat = {.taken = true,
                        .as = sought->seek.wish.is_bot ? PLAYER_BOT : PLAYER_HUMAN,
                        .holder = sought->identity};
    memcpy(seat.name, sought->name, sizeof sought->name);
    return seat;
}

void seeking_make_room(struct core *core, struct pairing *pairing)
{
    if (seeking_is_published(pairing->members[0]->game))
        seeking_ask_published(core, pairing);
    else
        seeking_make_room_now(core, pairing);
}

void seeking_make_room_now(struct core *core, struct pairing *pairing)
{
    const struct author nobody = {.pairing = pairing->number};
    const struct sought *first = pairing->members[0];
    struct seat seats[PLAYER_COUNT_MAX];
    for (int i = 0; i < pairing->count; i++) {
        const struct sought *sought = pairing->members[i];
        seats[pairing->seats[i]] = seat_for(sought);
        if (!seeking_is_elsewhere(sought))
            writing_charge_bytes(sought->address, ROOM_BYTES / (size_t)pairing->count,
                                 core->now_ms);
    }
    core->lobby.changed = true;
    enum refusal refusal = journal_create_seated(
        core, &nobody,
        &(struct new_room){edition_retain(first->edition), first->game, true,
                           first->clock.is_set ? &first->clock : NULL,
                           pairing->room[0] ? pairing->room : NULL, first->rated},
        seats);
    if (refusal != REFUSAL_NONE)
        seeking_refused(core, pairing->number, refusal);
}

/* Whose server decides is whose who came first; the others wait for what it says. */
static void decide(struct core *core, const struct seek_group *group)
{
    bool is_ours = !seeking_is_elsewhere(group->members[0]->of), is_all_ours = is_ours;
    for (int i = 0; i < group->count; i++)
        is_all_ours &= !seeking_is_elsewhere(group->members[i]->of);
    for (int i = 0; i < group->count && !is_ours; i++) {
        seeks_return(&core->seeking.seeks, group->members[i]);
        ((struct sought *)group->members[i]->of)->is_left = true;
    }
    if (!is_ours)
        return;
    core->lobby.changed = true;
    struct pairing *pairing = pairing_new(core, group);
    for (int i = 0; i < group->count; i++)
        if (!seeking_is_elsewhere(pairing->members[i])) {
            seeking_withdraw_others(core, group->members[i]);
            seeking_tell(core, pairing->members[i]);
        }
    if (is_all_ours)
        seeking_make_room(core, pairing);
    else
        seeking_ask_others(core, pairing);
}

void seeking_look_again(struct core *core, struct sought *sought)
{
    struct seek_group group;
    uint64_t random;
    core->ports.random(core->ports.context, &random, sizeof random);
    cost_note(core, (uint64_t)core->seeking.seeks.waiting * LOOK_UNITS);
    if (seeks_match(&core->seeking.seeks, &sought->seek, random, &group))
        decide(core, &group);
}

void seeking_look(struct core *core, struct sought *sought)
{
    core->lobby.changed = true;
    seeking_look_again(core, sought);
}

/* --- seek ------------------------------------------------------------------------------------- */

/* Equal clocks become equal texts: seats stand in the order of the game, and only those that have another time. */
static void put_clock_in_order(struct wanted *wanted)
{
    struct time_control clock = wanted->clock;
    clock.own_count = 0;
    for (int i = 0; i < game_facts(wanted->edition->game)->player_count; i++) {
        const char *seat = wanted->edition->seat_names[i];
        const struct time_budget *budget = time_control_of(&wanted->clock, seat);
        if (time_budget_equal(budget, &clock.all))
            continue;
        text_copy(text_of(seat), clock.own[clock.own_count].seat, sizeof clock.own[0].seat);
        clock.own[clock.own_count++].budget = *budget;
    }
    wanted->clock = clock;
}

bool seeking_write_terms(struct wanted *wanted)
{
    struct writer writer;
    writer_init(&writer);
    writer_array(&writer);
    writer_string(&writer, wanted->game);
    writer_integer(&writer, wanted->players);
    if (wanted->clock.is_set)
        time_control_write(&wanted->clock, &writer);
    if (wanted->rated)
        writer_string(&writer, "rated");
    writer_end(&writer);
    bool fits = writer.length < sizeof wanted->terms;
    if (fits)
        memcpy(wanted->terms, writer_text(&writer), writer.length + 1);
    writer_release(&writer);
    return fits;
}

static enum refusal understand_seat(struct wanted *wanted)
{
    if (wanted->seat[0] == '\0')
        return REFUSAL_NONE;
    player_index seat = game_find_player(wanted->edition->game, wanted->seat, strlen(wanted->seat));
    wanted->wish.seat = (int)seat;
    return seat == PLAYER_NONE ? REFUSAL_NO_SUCH_SEAT : REFUSAL_NONE;
}

static enum refusal understand_clock(struct wanted *wanted)
{
    if (!wanted->clock.is_set)
        return REFUSAL_NONE;
    if (!standing_names_players(wanted->edition->game, &wanted->clock))
        return REFUSAL_NO_SUCH_SEAT;
    put_clock_in_order(wanted);
    return REFUSAL_NONE;
}

static enum refusal understand_rated(struct request *request, const struct wanted *wanted)
{
    const char *words =
        wanted->rated ? ladder_refuses(wanted->edition->game, &wanted->clock) : NULL;
    return words ? refuse_because(request, REFUSAL_BAD_MESSAGE, "rated: %s", words) : REFUSAL_NONE;
}

enum refusal seeking_understand(struct request *request, struct wanted *wanted)
{
    const struct game_facts *facts = game_facts(wanted->edition->game);
    text_copy(text_of(facts->title), wanted->title, sizeof wanted->title);
    wanted->players = facts->player_count;
    enum refusal refusal = understand_seat(wanted);
    if (refusal == REFUSAL_NONE)
        refusal = understand_clock(wanted);
    if (refusal == REFUSAL_NONE)
        refusal = understand_rated(request, wanted);
    if (refusal == REFUSAL_NONE && !seeking_write_terms(wanted))
        refusal = REFUSAL_TOO_MANY;
    return refusal;
}

/* What needs no game. */
static enum refusal read_wish(struct request *request, struct wanted *wanted)
{
    const struct message *message = request->message;
    char words[TIME_WORDS_BYTES];
    *wanted = (struct wanted){.players = message->seek.players, .rated = message->seek.rated};
    wanted->wish = (struct seek_wish){.seat = SEEK_ANY_SEAT,
                                      .is_bot = message->seek.as == PLAYER_BOT,
                                      .no_bots = message->seek.no_bots,
                                      .rating_min = message->seek.rating_min,
                                      .rating_max = message->seek.rating_max,
                                      .rating_within = message->seek.rating_within};
    text_copy(message->seek.game, wanted->game, sizeof wanted->game);
    if (message->seek.seat.data && !text_is(message->seek.seat, "any"))
        text_copy(message->seek.seat, wanted->seat, sizeof wanted->seat);
    if (message->seek.clock && !time_control_read(message->seek.clock, &wanted->clock, words))
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "%s", words);
    return REFUSAL_NONE;
}

enum refusal seeking_read(struct request *request, struct wanted *wanted)
{
    enum refusal refusal = read_wish(request, wanted);
    if (refusal != REFUSAL_NONE)
        return refusal;
    const struct served_game *game =
        catalogue_find_game(&request->core->catalogue, wanted->game, strlen(wanted->game));
    if (!game)
        return REFUSAL_UNKNOWN_GAME;
    wanted->edition = catalogue_edition_for(game, wanted->players);
    if (!wanted->edition)
        return refuse_because(request, REFUSAL_BAD_MESSAGE,
                              "players: the game is not for %d players", wanted->players);
    return seeking_understand(request, wanted);
}

static bool was_paired(const struct pairing *pairing, const char *player)
{
    int i = 0;
    while (i < pairing->count && strcmp(pairing->players[i], player) != 0)
        i++;
    return i < pairing->count;
}

/* A game that goes on, and where the player has not been yet. */
static bool awaits(const struct core *core, const struct pairing *pairing,
                   const struct identity *identity)
{
    const struct room *room = core_find_room(core, pairing->room);
    if (!room)
        return pairing->is_elsewhere;
    if (room->standing.status != STATUS_PLAYING)
        return false;
    for (int i = 0; i < room->attached_count; i++)
        if (identity_equal(&room->attached[i]->session->identity, identity))
            return false;
    return true;
}

/* Who was paired, and perhaps never heard of it. */
static const struct pairing *find_made(const struct core *core, const char *terms,
                                       const struct identity *identity)
{
    const struct list *list = &core->seeking.made;
    for (const struct link *link = list->ends.next; link != &list->ends; link = link->next) {
        const struct pairing *pairing = link->owner;
        if (strcmp(pairing->terms, terms) == 0 && was_paired(pairing, identity->player) &&
            awaits(core, pairing, identity))
            return pairing;
    }
    return NULL;
}

/* Whose answer it is from now on. */
static void take_command(struct sought *sought, const struct request *request)
{
    sought->peer = request->session->peer;
    text_copy(request->message->id, sought->command, sizeof sought->command);
    memcpy(sought->name, request->session->name, sizeof sought->name);
}

/* The same again, from another connection or under another id: in its place, and whoever said it before is answered. */
static void take_over(struct request *request, struct sought *sought, const struct wanted *wanted)
{
    bool same =
        sought->peer == request->session->peer && text_is(request->message->id, sought->command);
    if (!same)
        seeking_refuse(request->core, sought, REFUSAL_WITHDRAWN);
    take_command(sought, request);
    sought->is_cancelled = false;
    if (sought->seek.stage == SEEK_CHOSEN && !sought->is_unknown)
        return;
    int rating = sought->seek.wish.rating;
    seeking_take_wish(sought, wanted);
    sought->seek.wish.rating = rating;
    if (sought->is_unknown)
        return;
    if (sought->seek.stage == SEEK_AWAY)
        seeks_return(&request->core->seeking.seeks, &sought->seek);
    seeking_tell(request->core, sought);
    seeking_look(request->core, sought);
}

static enum refusal begin(struct request *request, const struct wanted *wanted)
{
    struct core *core = request->core;
    struct session *session = request->session;
    if (!seeks_may_add(&core->seeking.seeks, session->identity.player) ||
        (!session->account->unlimited && session->account->seeks >= SEEKING_OF_ADDRESS))
        return REFUSAL_TOO_MANY;
    if (seeks_find(&core->seeking.seeks, wanted->terms, session->identity.player))
        return REFUSAL_UNAVAILABLE; /* at another server, and being given a room */
    enum refusal refusal = making_room(request);
    if (refusal != REFUSAL_NONE)
        return refusal;
    struct sought *sought = seeking_new(wanted, &session->identity);
    sought->address = account_hold(session->account);
    sought->address->seeks++;
    take_command(sought, request);
    seeks_add(&core->seeking.seeks, &sought->seek, wanted->terms, wanted->players,
              session->identity.player, core->now_ms);
    if (sought->rated)
        return seeking_ask_rating(core, sought) ? REFUSAL_NONE : REFUSAL_UNAVAILABLE;
    seeking_tell(core, sought);
    seeking_look(core, sought);
    return REFUSAL_NONE;
}

/* One who looks elsewhere begins anew here; his old seek is withdrawn there as soon as that is heard. */
static struct sought *find_ours(struct core *core, const char *terms, const char *player)
{
    struct sought *sought = sought_of(seeks_find(&core->seeking.seeks, terms, player));
    if (!sought || !seeking_is_elsewhere(sought))
        return sought;
    if (sought->seek.stage != SEEK_CHOSEN)
        seeking_free(core, sought);
    return NULL;
}

enum refusal seeking_go_on(struct request *request, const struct wanted *wanted)
{
    struct core *core = request->core;
    const struct identity *identity = &request->session->identity;
    struct sought *sought = find_ours(core, wanted->terms, identity->player);
    const struct pairing *made = sought ? NULL : find_made(core, wanted->terms, identity);
    if (sought)
        take_over(request, sought, wanted);
    else if (made)
        reply_ack(core, request->session, request->message->id, made->room, 1, NULL);
    else
        return begin(request, wanted);
    return REFUSAL_NONE;
}

enum refusal seeking_begin(struct request *request)
{
    struct wanted wanted;
    seating_take_name(request->session, request->message->seek.name);
    enum refusal refusal = seeking_read(request, &wanted);
    if (refusal == REFUSAL_UNKNOWN_GAME)
        return seeking_begin_reading(request, &wanted);
    return refusal == REFUSAL_NONE ? seeking_go_on(request, &wanted) : refusal;
}

/* Who has been given a room has found somebody: that comes too late. */
enum refusal seeking_cancel(struct request *request)
{
    struct core *core = request->core;
    struct text wanted = request->message->seek_cancel.seek;
    struct seek *next;
    for (struct seek *seek = seeks_first(&core->seeking.seeks, request->session->identity.player);
         seek; seek = next) {
        struct sought *sought = seek->of;
        next = seeks_next(seek);
        if (seeking_is_elsewhere(sought) || (wanted.data && !text_is(wanted, sought->command)))
            continue;
        if (seek->stage != SEEK_CHOSEN)
            seeking_withdraw(core, sought);
        else
            sought->is_cancelled = true;
    }
    seeking_stop_readings(core, request->session->identity.player, wanted);
    acknowledge(request, 0);
    return REFUSAL_NONE;
}

/* --- who goes --------------------------------------------------------------------------------- */

void seeking_left(struct core *core, const struct session *session)
{
    struct seek *next;
    for (struct seek *seek = seeks_first(&core->seeking.seeks, session->identity.player); seek;
         seek = next) {
        const struct sought *sought = seek->of;
        next = seeks_next(seek);
        if (seeking_is_elsewhere(sought) || sought->peer != session->peer ||
            seek->stage != SEEK_WAITS)
            continue;
        seeks_leave(&core->seeking.seeks, seek, core->now_ms);
        seeking_tell(core, sought);
        core->lobby.changed = true;
    }
}

static uint64_t until_ms(uint64_t since_ms)
{
    return since_ms + SEEKING_GRACE_MS;
}

void seeking_time(struct core *core)
{
    struct seeking *seeking = &core->seeking;
    for (const struct seek *seek;
         (seek = seeks_longest_away(&seeking->seeks)) && until_ms(seek->left_ms) <= core->now_ms;)
        seeking_free(core, seek->of);
    for (const struct pairing *pairing;
         (pairing = list_first(&seeking->made)) && until_ms(pairing->made_ms) <= core->now_ms;)
        forget_oldest(core);
    seeking_others_time(core);
}

uint64_t seeking_deadline_ms(const struct core *core)
{
    const struct seek *away = seeks_longest_away(&core->seeking.seeks);
    const struct pairing *made = list_first(&core->seeking.made);
    uint64_t away_ms = away ? until_ms(away->left_ms) : UINT64_MAX;
    uint64_t made_ms = made ? until_ms(made->made_ms) : UINT64_MAX;
    uint64_t others_ms = seeking_others_deadline_ms(core);
    uint64_t ours_ms = away_ms < made_ms ? away_ms : made_ms;
    return ours_ms < others_ms ? ours_ms : others_ms;
}

/* --- the list --------------------------------------------------------------------------------- */

static void write_sought(struct writer *writer, const struct sought *sought)
{
    const struct seek_wish *wish = &sought->seek.wish;
    writer_object(writer);
    writer_member_string(writer, "game", sought->game);
    writer_member_string(writer, "title", sought->title);
    writer_member_integer(writer, "players", sought->seek.terms->count);
    if (sought->clock.is_set) {
        writer_key(writer, "clock");
        time_control_write(&sought->clock, writer);
    }
    if (sought->rated)
        writer_member_string(writer, "rated", ladder_speed(&sought->clock.all));
    if (sought->rated)
        writer_member_integer(writer, "rating", wish->rating);
    seeking_write_range(writer, wish);
    if (sought->seat[0] != '\0')
        writer_member_string(writer, "seat", sought->seat);
    writer_member_string(writer, "player", sought->identity.player);
    writer_member_string(writer, "name", sought->name);
    writer_member_string(writer, "as", wish->is_bot ? "bot" : "human");
    if (wish->no_bots) {
        writer_key(writer, "bots");
        writer_boolean(writer, false);
    }
    writer_member_integer(writer, "since", (int64_t)sought->seek.since_ms);
    writer_end(writer);
}

void seeking_write(const struct core *core, struct writer *writer)
{
    const struct list *order = &core->seeking.seeks.order;
    int shown = 0;
    writer_array(writer);
    for (const struct link *link = order->ends.next;
         link != &order->ends && shown < SEEKING_SHOWN_MAX; link = link->next, shown++)
        write_sought(writer, ((const struct seek *)link->owner)->of);
    writer_end(writer);
}

uint64_t seeking_count_own(const struct core *core)
{
    const struct list *order = &core->seeking.seeks.order;
    uint64_t count = 0;
    for (const struct link *link = order->ends.next; link != &order->ends; link = link->next)
        count += !seeking_is_elsewhere(((const struct seek *)link->owner)->of);
    return count;
}
