/* Seeks of several servers come together: who waits here is told, who waits elsewhere stands in the same lines, and who is to be given a
 * room by another server is promised to it. All of that is said over the bus and may be lost: who waits is told every
 * TELL_MS, a question or a promise every ROUND_MS until it is answered, and who says nothing for KEPT_MS is forgotten. */
#include "engine/memory/memory.h"
#include "server/core/loading.h"
#include "server/core/published_id.h"
#include "server/core/reply.h"
#include "server/core/seeking_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    TELL_MS = 5000,
    ROUND_MS = 1000,
    KEPT_MS = 15000,
    ASK_AGAIN_MS = 1000, /* the store, when it fails */
};

/* Of a message: `id` the player's, `client` the server that says it, `command` the one it is for ("": all), `version` the seek's number. */
static const char waits[] = "waits", gone[] = "gone", asks[] = "asks", yes[] = "yes", no[] = "no",
                  made[] = "made", lost[] = "lost";

static bool is_among_others(const struct core *core)
{
    return core->follow.has_bus && lease_node(core) && core->has_secret;
}

static void say(struct core *core, const char *kind, const char *to,
                const struct bus_message *message)
{
    struct bus_message said = *message;
    if (!is_among_others(core))
        return;
    said.subject = BUS_SEEK;
    said.kind = kind;
    said.client = lease_node(core);
    said.command = to;
    core->ports.publish(core->ports.context, &said);
}

/* About a seek, and the room it is promised for. */
static void say_of(struct core *core, const char *kind, const struct sought *sought,
                   const char *room)
{
    say(core, kind, sought->node,
        &(struct bus_message){
            .id = sought->identity.player, .version = (int64_t)sought->seek.number, .body = room});
}

/* --- who waits here --------------------------------------------------------------------------- */

/* The digest of a player's token is a room's to have, and nobody's who listens: it is covered by what only servers of this store
 * can make, of the player and the seek's place, and so never twice. */
static void cover(const struct core *core, const char *player, uint64_t number,
                  unsigned char digest[DIGEST_BYTES])
{
    char text[PLAYER_ID_BYTES + 32];
    unsigned char pad[DIGEST_BYTES];
    int length = snprintf(text, sizeof text, "seek\n%s\n%" PRIu64, player, number);
    digest_hmac_sha256(core->secret, sizeof core->secret, text, (size_t)length, pad);
    for (int i = 0; i < DIGEST_BYTES; i++)
        digest[i] ^= pad[i];
}

/* Of a game that the others may not have. */
static void write_game(struct writer *writer, const struct sought *sought)
{
    writer_member_string(writer, "title", sought->title);
    if (sought->seek.wish.seat != SEEK_ANY_SEAT)
        writer_member_integer(writer, "seat_number", sought->seek.wish.seat);
}

/* As the player could have said it, with what others cannot know. */
static void write_seek(struct writer *writer, const struct sought *sought)
{
    const struct seek_wish *wish = &sought->seek.wish;
    writer_object(writer);
    writer_member_string(writer, "type", "seek");
    writer_member_string(writer, "id", "s");
    writer_member_string(writer, "game", sought->game);
    writer_member_integer(writer, "players", sought->seek.terms->count);
    if (sought->clock.is_set) {
        writer_key(writer, "clock");
        time_control_write(&sought->clock, writer);
    }
    if (sought->rated) {
        writer_key(writer, "rated");
        writer_boolean(writer, true);
        writer_member_integer(writer, "rating", wish->rating);
    }
    seeking_write_range(writer, wish);
    if (sought->seat[0] != '\0')
        writer_member_string(writer, "seat", sought->seat);
    writer_member_string(writer, "name", sought->name);
    writer_member_string(writer, "as", wish->is_bot ? "bot" : "human");
    writer_key(writer, "bots");
    writer_boolean(writer, !wish->no_bots);
    if (seeking_is_published(sought->game))
        write_game(writer, sought);
    writer_end(writer);
}

void seeking_tell(struct core *core, const struct sought *sought)
{
    unsigned char digest[DIGEST_BYTES];
    char covered[DIGEST_HEX_DIGITS + 1];
    struct writer writer;
    if (!is_among_others(core))
        return;
    if (sought->seek.stage != SEEK_WAITS) {
        say(core, gone, "",
            &(struct bus_message){.id = sought->identity.player,
                                  .version = (int64_t)sought->seek.number,
                                  .body = ""});
        return;
    }
    memcpy(digest, sought->identity.token_hash, sizeof digest);
    cover(core, sought->identity.player, sought->seek.number, digest);
    digest_write_hex(digest, sizeof digest, covered);
    writer_init(&writer);
    write_seek(&writer, sought);
    say(core, waits, covered,
        &(struct bus_message){.id = sought->identity.player,
                              .version = (int64_t)sought->seek.number,
                              .body = writer_text(&writer)});
    writer_release(&writer);
}

/* --- finding ---------------------------------------------------------------------------------- */

static bool is_number(const struct seek *seek, const struct bus_message *message)
{
    return (int64_t)seek->number == message->version;
}

/* That seek, of ours or of the server that speaks. */
static struct sought *find_seek(const struct core *core, const struct bus_message *message,
                                bool is_ours)
{
    struct seek *seek = seeks_first(&core->seeking.seeks, message->id);
    for (; seek; seek = seeks_next(seek)) {
        struct sought *sought = seek->of;
        if (is_number(seek, message) && seeking_is_elsewhere(sought) != is_ours)
            return sought;
    }
    return NULL;
}

static struct pairing *find_pairing(const struct list *list, const char *room)
{
    struct pairing *pairing = NULL;
    for (const struct link *link = list->ends.next; link != &list->ends; link = link->next) {
        pairing = link->owner;
        if (strcmp(pairing->room, room) == 0)
            return pairing;
    }
    return NULL;
}

static int find_member(const struct pairing *pairing, const struct bus_message *message)
{
    for (int i = 0; i < pairing->count; i++)
        if ((int64_t)pairing->seeks[i] == message->version &&
            strcmp(pairing->players[i], message->id) == 0)
            return i;
    return -1;
}

/* --- looking again ---------------------------------------------------------------------------- */

/* The first of ours behind that place for which another server was to decide. */
static struct sought *next_left(const struct core *core, const char *terms, size_t length,
                                uint64_t number)
{
    const struct seek_terms *found = map_find(&core->seeking.seeks.terms, terms, length);
    if (!found)
        return NULL;
    for (const struct link *link = found->line.ends.next; link != &found->line.ends;
         link = link->next) {
        struct seek *seek = link->owner;
        struct sought *sought = seek->of;
        if (seek->number > number && sought->is_left && !seeking_is_elsewhere(sought))
            return sought;
    }
    return NULL;
}

/* One who looks elsewhere is not to be had any more: whoever was left to that server may find somebody else. */
static void forget_elsewhere(struct core *core, struct sought *sought)
{
    char terms[SEEKING_TERMS_BYTES];
    size_t length = strlen(sought->seek.terms->text);
    uint64_t number = 0;
    memcpy(terms, sought->seek.terms->text, length + 1);
    seeking_free(core, sought);
    core->lobby.changed = true;
    for (struct sought *left; (left = next_left(core, terms, length, number));) {
        number = left->seek.number;
        left->is_left = false;
        seeking_look(core, left);
    }
}

/* --- a room of players elsewhere -------------------------------------------------------------- */

void seeking_ask_others(struct core *core, struct pairing *pairing)
{
    loading_make_id(core, pairing->room);
    pairing->is_asking = true;
    pairing->made_ms = core->now_ms;
    for (int i = 0; i < pairing->count; i++) {
        pairing->promised[i] = !seeking_is_elsewhere(pairing->members[i]);
        if (!pairing->promised[i])
            say_of(core, asks, pairing->members[i], pairing->room);
    }
}

/* The room's id, and what is played: wherever a player comes back he is told. */
void seeking_tell_made(struct core *core, const struct pairing *pairing, int member)
{
    char body[ROOM_ID_BYTES + SEEKING_TERMS_BYTES + 1];
    snprintf(body, sizeof body, "%s%s", pairing->room, pairing->terms);
    say(core, made, "",
        &(struct bus_message){.id = pairing->players[member],
                              .version = (int64_t)pairing->seeks[member],
                              .body = body});
}

void seeking_tell_lost(struct core *core, const struct pairing *pairing, int member)
{
    say_of(core, lost, pairing->members[member], pairing->room);
}

/* Those of ours wait again, and may find somebody else at once. */
static void give_up(struct core *core, struct pairing *pairing)
{
    struct pairing ours = *pairing;
    seeking_pairing_free(pairing);
    for (int i = 0; i < ours.count; i++) {
        if (!seeking_is_elsewhere(ours.members[i])) {
            seeking_put_back(core, ours.members[i]);
            continue;
        }
        say_of(core, lost, ours.members[i], ours.room);
        seeking_free(core, ours.members[i]);
        ours.seeks[i] = 0;
    }
    for (int i = 0; i < ours.count; i++) {
        struct sought *sought = find_seek(
            core, &(struct bus_message){.id = ours.players[i], .version = (int64_t)ours.seeks[i]},
            true);
        if (sought && sought->seek.stage == SEEK_WAITS)
            seeking_look(core, sought);
    }
}

static void heard_yes(struct core *core, const struct bus_message *message)
{
    struct pairing *pairing = find_pairing(&core->seeking.under_way, message->body);
    int member = pairing ? find_member(pairing, message) : -1;
    if (member < 0) {
        pairing = find_pairing(&core->seeking.made, message->body);
        member = pairing ? find_member(pairing, message) : -1;
        if (member >= 0)
            seeking_tell_made(core, pairing, member);
        else
            say(core, lost, message->client, message);
        return;
    }
    if (!pairing->is_asking)
        return;
    bool all = true;
    pairing->promised[member] = true;
    for (int i = 0; i < pairing->count; i++)
        all &= pairing->promised[i];
    if (!all)
        return;
    pairing->is_asking = false;
    seeking_make_room(core, pairing);
}

static void heard_no(struct core *core, const struct bus_message *message)
{
    struct pairing *pairing = find_pairing(&core->seeking.under_way, message->body);
    if (pairing && pairing->is_asking && find_member(pairing, message) >= 0)
        give_up(core, pairing);
}

/* --- promises --------------------------------------------------------------------------------- */

static bool is_promised(const struct sought *sought, const char *room)
{
    return link_listed(&sought->others_link) && strcmp(sought->room, room) == 0;
}

/* Nobody is found twice: what else its player looked for is withdrawn, as it is when a room is made here. */
static void promise(struct core *core, struct sought *sought, const struct bus_message *message)
{
    seeks_promise(&core->seeking.seeks, &sought->seek);
    text_copy(text_of(message->client), sought->node, sizeof sought->node);
    text_copy(text_of(message->body), sought->room, sizeof sought->room);
    sought->others_ms = core->now_ms;
    list_append(&core->seeking.promised, &sought->others_link, sought);
    seeking_withdraw_others(core, &sought->seek);
    seeking_tell(core, sought);
    core->lobby.changed = true;
}

static void heard_asks(struct core *core, const struct bus_message *message)
{
    struct sought *sought = find_seek(core, message, true);
    if (sought && sought->seek.stage == SEEK_WAITS)
        promise(core, sought, message);
    bool is_theirs = sought && !seeking_is_elsewhere(sought) && is_promised(sought, message->body);
    say(core, is_theirs ? yes : no, message->client, message);
}

static void unpromise(struct core *core, struct sought *sought)
{
    list_remove(&sought->others_link);
    sought->node[0] = sought->room[0] = '\0';
    sought->is_asked = false;
    if (seeking_put_back(core, sought) && sought->seek.stage == SEEK_WAITS)
        seeking_look(core, sought);
}

static void heard_lost(struct core *core, const struct bus_message *message)
{
    struct sought *sought = find_seek(core, message, true);
    if (sought && is_promised(sought, message->body))
        unpromise(core, sought);
}

/* For who comes back to this server. */
static void remember(struct core *core, const char *terms, const char *room, const char *player)
{
    const struct list *list = &core->seeking.made;
    for (const struct link *link = list->ends.next; link != &list->ends; link = link->next) {
        const struct pairing *known = link->owner;
        for (int i = 0; i < known->count && strcmp(known->room, room) == 0; i++)
            if (strcmp(known->players[i], player) == 0)
                return;
    }
    struct pairing *pairing = memory_zeroed(1, sizeof *pairing);
    size_t length = strlen(terms);
    pairing->is_elsewhere = true;
    pairing->terms = memory_bytes(length + 1);
    memcpy(pairing->terms, terms, length + 1);
    pairing->count = 1;
    text_copy(text_of(room), pairing->room, sizeof pairing->room);
    text_copy(text_of(player), pairing->players[0], sizeof pairing->players[0]);
    seeking_remember(core, pairing);
}

static void found(struct core *core, struct sought *sought, const char *room)
{
    struct session *session = session_find(core, sought->peer);
    remember(core, sought->seek.terms->text, room, sought->identity.player);
    if (session)
        reply_ack(core, session, text_of(sought->command), room, 1, NULL);
    core->lobby.changed = true;
    seeking_free(core, sought);
}

static void heard_made(struct core *core, const struct bus_message *message)
{
    char room[ROOM_ID_BYTES + 1];
    struct sought *ours = find_seek(core, message, true), *theirs = find_seek(core, message, false);
    const char *terms = message->body + ROOM_ID_BYTES;
    if (strlen(message->body) <= ROOM_ID_BYTES || strlen(terms) >= SEEKING_TERMS_BYTES)
        return;
    snprintf(room, sizeof room, "%.*s", ROOM_ID_BYTES, message->body);
    if (ours && (ours->seek.stage != SEEK_CHOSEN || is_promised(ours, room)))
        found(core, ours, room);
    else if (theirs && theirs->seek.stage == SEEK_WAITS)
        forget_elsewhere(core, theirs);
    remember(core, terms, room, message->id);
}

/* --- who waits elsewhere ---------------------------------------------------------------------- */

static bool read_identity(const struct core *core, const struct bus_message *message,
                          struct identity *identity)
{
    *identity = identity_told(text_of(message->id));
    if (identity->player[0] == '\0' ||
        !digest_read_hex(message->command, strlen(message->command), identity->token_hash,
                         sizeof identity->token_hash))
        return false;
    cover(core, identity->player, (uint64_t)message->version, identity->token_hash);
    return true;
}

static void hear_of(struct core *core, struct sought *sought)
{
    sought->others_ms = core->now_ms;
    list_append(&core->seeking.elsewhere, &sought->others_link, sought);
}

static void add_elsewhere(struct core *core, const struct bus_message *message,
                          const struct wanted *wanted, struct text name)
{
    struct identity identity;
    if (!seeks_may_add(&core->seeking.seeks, message->id) ||
        !read_identity(core, message, &identity))
        return;
    struct sought *sought = seeking_new(wanted, &identity);
    text_copy(name, sought->name, sizeof sought->name);
    text_copy(text_of(message->client), sought->node, sizeof sought->node);
    seeks_add_at(&core->seeking.seeks, &sought->seek, wanted->terms, wanted->players,
                 identity.player, (uint64_t)message->version);
    hear_of(core, sought);
    seeking_look(core, sought);
}

/* Of two seeks of one player for the same the newer one stays, wherever it is. */
static void hear_wanted(struct core *core, const struct bus_message *message,
                        const struct wanted *wanted, struct text name)
{
    struct seek *seek = seeks_find(&core->seeking.seeks, wanted->terms, message->id);
    struct sought *known = seek ? seek->of : NULL;
    if (known && seeking_is_elsewhere(known) && is_number(seek, message)) {
        seeking_take_wish(known, wanted);
        hear_of(core, known);
        /* Who fits may have come, or have come back, since it was heard of first. */
        if (known->seek.stage == SEEK_WAITS)
            seeking_look_again(core, known);
        return;
    }
    if (known && (known->seek.stage == SEEK_CHOSEN || (int64_t)seek->number >= message->version))
        return;
    if (known && seeking_is_elsewhere(known))
        seeking_free(core, known);
    else if (known)
        seeking_withdraw(core, known);
    add_elsewhere(core, message, wanted, name);
}

/* A published game needs not be here: who decides about it has it. */
static enum refusal understand_published(const struct message *said, struct wanted *wanted)
{
    struct published_id id;
    int seat = said->seek.seat_number;
    if (!published_id_read(said->seek.game, &id) || id.version == 0 || !said->seek.title.data)
        return REFUSAL_UNKNOWN_GAME;
    if (wanted->rated || wanted->players == 0 || seat >= wanted->players ||
        (wanted->seat[0] != '\0') != (seat >= 0))
        return REFUSAL_BAD_MESSAGE;
    text_copy(said->seek.title, wanted->title, sizeof wanted->title);
    wanted->wish.seat = seat < 0 ? SEEK_ANY_SEAT : seat;
    return seeking_write_terms(wanted) ? REFUSAL_NONE : REFUSAL_TOO_MANY;
}

static enum refusal understand_told(struct request *request, struct wanted *wanted)
{
    enum refusal refusal = seeking_read(request, wanted);
    return refusal == REFUSAL_UNKNOWN_GAME ? understand_published(request->message, wanted)
                                           : refusal;
}

static void heard_waits(struct core *core, const struct bus_message *message)
{
    struct message said;
    struct message_fault fault;
    struct wanted wanted;
    if (message_read(message->body, strlen(message->body), &said, &fault) != REFUSAL_NONE)
        return;
    struct request request = {.core = core, .message = &said};
    if (said.kind == MESSAGE_SEEK && understand_told(&request, &wanted) == REFUSAL_NONE) {
        wanted.wish.rating = said.seek.rating;
        hear_wanted(core, message, &wanted, said.seek.name);
    }
    message_release(&said);
}

static void heard_gone(struct core *core, const struct bus_message *message)
{
    struct sought *sought = find_seek(core, message, false);
    if (sought && sought->seek.stage == SEEK_WAITS)
        forget_elsewhere(core, sought);
}

void seeking_heard(struct core *core, const struct bus_message *message)
{
    static const struct {
        const char *kind;
        bool is_for_all; /* else a room's id is said */
        void (*hear)(struct core *core, const struct bus_message *message);
    } kinds[] = {
        {waits, true, heard_waits}, {gone, true, heard_gone}, {asks, false, heard_asks},
        {yes, false, heard_yes},    {no, false, heard_no},    {made, true, heard_made},
        {lost, false, heard_lost},
    };
    if (!is_among_others(core) || !lease_held(core) || message->version <= 0 ||
        strlen(message->client) > STORE_NODE_BYTES || strlen(message->id) > PLAYER_ID_BYTES)
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(message->kind, kinds[i].kind) == 0 &&
            (kinds[i].is_for_all || (strcmp(message->command, lease_node(core)) == 0 &&
                                     room_id_fits(strlen(message->body)))))
            kinds[i].hear(core, message);
}

/* --- time ------------------------------------------------------------------------------------- */

static void tell_all(struct core *core)
{
    const struct list *order = &core->seeking.seeks.order;
    for (const struct link *link = order->ends.next; link != &order->ends; link = link->next) {
        const struct sought *sought = ((const struct seek *)link->owner)->of;
        if (!seeking_is_elsewhere(sought))
            seeking_tell(core, sought);
    }
}

static struct pairing *find_late(const struct core *core, uint64_t since_ms)
{
    const struct list *list = &core->seeking.under_way;
    for (const struct link *link = list->ends.next; link != &list->ends; link = link->next) {
        struct pairing *pairing = link->owner;
        if (pairing->is_asking && pairing->made_ms <= since_ms)
            return pairing;
    }
    return NULL;
}

static void ask_again(struct core *core)
{
    const struct list *list = &core->seeking.under_way;
    for (const struct link *link = list->ends.next; link != &list->ends; link = link->next) {
        const struct pairing *pairing = link->owner;
        for (int i = 0; i < pairing->count && pairing->is_asking; i++)
            if (!pairing->promised[i])
                say_of(core, asks, pairing->members[i], pairing->room);
    }
}

static void promise_again(struct core *core)
{
    const struct list *list = &core->seeking.promised;
    for (const struct link *link = list->ends.next; link != &list->ends; link = link->next) {
        struct sought *sought = link->owner;
        say_of(core, yes, sought, sought->room);
        if (core->now_ms >= sought->others_ms + SEEKING_PROMISE_MS && !sought->is_asked)
            sought->is_asked = ticket_ask(
                core, ticket_new(core, TICKET_PROMISE, sought->room),
                &(struct store_request){.ask = STORE_TAIL, .room = sought->room, .from = 1});
    }
}

static void forget_silent(struct core *core)
{
    for (struct sought *sought; (sought = list_first(&core->seeking.elsewhere)) &&
                                core->now_ms >= sought->others_ms + KEPT_MS;) {
        if (sought->seek.stage == SEEK_WAITS)
            forget_elsewhere(core, sought);
        else
            hear_of(core, sought); /* its pairing goes on, or is given up */
    }
}

void seeking_others_time(struct core *core)
{
    struct seeking *seeking = &core->seeking;
    struct pairing *late;
    if (core->now_ms >= seeking->tell_ms) {
        seeking->tell_ms = core->now_ms + TELL_MS;
        tell_all(core);
    }
    if (core->now_ms < seeking->round_ms)
        return;
    seeking->round_ms = core->now_ms + ROUND_MS;
    while ((late = find_late(core, core->now_ms - SEEKING_ASK_MS)))
        give_up(core, late);
    ask_again(core);
    promise_again(core);
    forget_silent(core);
}

uint64_t seeking_others_deadline_ms(const struct core *core)
{
    const struct seeking *seeking = &core->seeking;
    bool waits_for_others = list_first(&seeking->under_way) || list_first(&seeking->promised) ||
                            list_first(&seeking->elsewhere);
    bool tells = core->follow.has_bus && list_first(&seeking->seeks.order);
    uint64_t round_ms = lease_node(core) && waits_for_others ? seeking->round_ms : UINT64_MAX;
    uint64_t tell_ms = lease_node(core) && tells ? seeking->tell_ms : UINT64_MAX;
    return round_ms < tell_ms ? round_ms : tell_ms;
}

void seeking_answered(struct core *core, const struct ticket *ticket,
                      const struct store_answer *answer)
{
    const struct list *list = &core->seeking.promised;
    if (ticket->kind == TICKET_SEEKER) {
        seeking_rating_answered(core, ticket, answer);
        return;
    }
    for (const struct link *link = list->ends.next, *next; link != &list->ends; link = next) {
        struct sought *sought = link->owner;
        next = link->next;
        if (strcmp(sought->room, ticket->room) != 0 || !sought->is_asked)
            continue;
        sought->is_asked = false;
        if (answer->status == STORE_OK) {
            found(core, sought, ticket->room);
        } else if (answer->status == STORE_NOT_FOUND) {
            unpromise(core, sought);
            next = list->ends.next; /* by whoever was found then */
        } else {
            sought->others_ms = core->now_ms - SEEKING_PROMISE_MS + ASK_AGAIN_MS;
        }
    }
}

void seeking_cut_off(struct core *core)
{
    for (struct pairing *asking; (asking = find_late(core, UINT64_MAX));)
        give_up(core, asking);
    for (struct sought *sought; (sought = list_first(&core->seeking.elsewhere));) {
        if (sought->seek.stage == SEEK_WAITS)
            seeking_free(core, sought);
        else
            list_remove(&sought->others_link);
    }
}
