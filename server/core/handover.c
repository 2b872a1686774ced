/* "Continue on another device": a seated player is given a key, once; whoever joins with it is the player from then
 * on. The log has the key's digest only, so that it outlives the server and nobody can read it there. */
#include "server/core/handlers.h"

#include "server/core/journal.h"
#include "server/core/making.h"
#include "server/core/names.h"

#include <string.h>

enum { KEY_SECRET_BYTES = 16 };

static void name_seats(const struct room *room, uint32_t seats, struct event *event)
{
    for (int i = 0; i < room->standing.seat_count; i++)
        if (seats >> i & 1)
            event->seats[event->seat_count++] = text_of(room->edition->seat_names[i]);
}

enum refusal handover_give_key(struct request *request)
{
    struct core *core = request->core;
    struct room *room = request->room;
    unsigned char secret[KEY_SECRET_BYTES], hash[DIGEST_BYTES];
    char key[SEAT_KEY_BYTES + 1], hash_text[DIGEST_HEX_DIGITS + 1];
    enum refusal refusal = making_key(request);
    if (refusal != REFUSAL_NONE)
        return refusal;
    core->ports.random(core->ports.context, secret, sizeof secret);
    digest_write_base64url(secret, sizeof secret, key);
    digest_sha256(key, SEAT_KEY_BYTES, hash);
    digest_write_hex(hash, sizeof hash, hash_text);
    struct event event = {.kind = EVENT_SEAT_KEY, .key_hash = text_of(hash_text)};
    name_seats(room, request->attachment->seats, &event);
    refusal = journal_propose(request, &event);
    if (refusal == REFUSAL_NONE)
        memcpy(room->decision->key, key, sizeof key);
    return refusal;
}

/* Who gives no name plays on under the seat's. */
static void take_name(struct request *request, uint32_t seats)
{
    const struct seat *seat = &request->room->standing.seats[standing_first(seats)];
    seating_take_name(request->session, text_of(seat->name));
    seating_take_name(request->session, request->message->join.name);
}

enum refusal handover_take_seats(struct request *request)
{
    struct room *room = request->room;
    struct text key = request->message->join.key;
    unsigned char hash[DIGEST_BYTES];
    digest_sha256(key.data, key.length, hash);
    uint32_t seats = standing_seats_by_key(&room->standing, hash);
    if (!seating_may_come_in(request))
        return REFUSAL_TOO_MANY;
    if (seats == 0) { /* a guess costs as much as a key */
        enum refusal refusal = making_key(request);
        return refusal == REFUSAL_NONE ? REFUSAL_BAD_KEY : refusal;
    }
    /* Who looks at the own link has the seats already; the key stays good for somebody else. */
    if (seats & standing_seats_of(&room->standing, &request->session->identity))
        return seating_join_again(request, room->version);
    if (room->standing.rated && standing_seats_of(&room->standing, &request->session->identity))
        return refuse_because(request, REFUSAL_SEAT_TAKEN, "a rated game is for two");
    char name[DISPLAY_NAME_BYTES_MAX + 1];
    take_name(request, seats);
    names_tell_apart(room, &request->session->identity, seats, text_of(request->session->name),
                     name);
    struct event event = {.kind = EVENT_HANDED_OVER,
                          .player = text_of(request->session->identity.player),
                          .name = text_of(name),
                          .as = request->message->join.as};
    name_seats(room, seats, &event);
    return journal_propose(request, &event);
}
