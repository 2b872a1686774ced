/* Into rooms and out of them: create, join, leave, resume, sync. */
#include "server/core/handlers.h"

#include "server/core/compile.h"
#include "server/core/giving_way.h"
#include "server/core/invitation.h"
#include "server/core/journal.h"
#include "server/core/ladder.h"
#include "server/core/making.h"
#include "server/core/names.h"
#include "server/core/publish.h"
#include "server/core/publishing.h"
#include "server/core/reply.h"

#include <stdio.h>
#include <stdlib.h>

/* --- create ----------------------------------------------------------------------------------- */

static enum refusal create_defined(struct request *request, const struct author *author,
                                   const struct time_control *clock)
{
    struct core *core = request->core;
    const struct message *message = request->message;
    struct text definition = message->create.definition;
    char hash[DIGEST_HEX_DIGITS + 1];
    const char *words = "";
    catalogue_hash(definition.data, definition.length, hash);
    const struct compile_wish wish = {.purpose = COMPILE_TO_CREATE,
                                      .author = *author,
                                      .clock = *clock,
                                      .is_public =
                                          message->create.visibility != VISIBILITY_PRIVATE};
    enum refusal refusal = compile_create(
        core, request->session, &(struct compile_source){hash, definition, message->create.players},
        &wish, &words, &request->retry_ms);
    snprintf(request->words, sizeof request->words, "%s", words);
    return refusal;
}

static bool read_clock(struct request *request, struct time_control *clock)
{
    const struct message *message = request->message;
    char words[TIME_WORDS_BYTES];
    if (message->create.clock == NULL || time_control_read(message->create.clock, clock, words))
        return true;
    refuse_because(request, REFUSAL_BAD_MESSAGE, "%s", words);
    return false;
}

enum refusal seating_create(struct request *request)
{
    struct core *core = request->core;
    const struct message *message = request->message;
    struct author author = {.peer = request->session->peer, .identity = request->session->identity};
    struct time_control clock = {.is_set = false};
    if (!read_clock(request, &clock))
        return REFUSAL_BAD_MESSAGE;
    text_copy(message->id, author.command, sizeof author.command);
    enum refusal refusal = making_room(request);
    if (refusal != REFUSAL_NONE)
        return refusal;
    if (message->create.is_fork && !message->create.rated)
        return fork_create(request, &author, &clock);
    if (!message->create.game.data && !message->create.rated)
        return create_defined(request, &author, &clock);
    const struct served_game *game =
        message->create.game.data == NULL
            ? NULL
            : catalogue_find_game(&core->catalogue, message->create.game.data,
                                  message->create.game.length);
    if (!game && message->create.rated)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "rated: %s", ladder_own_words);
    if (!game)
        return publishing_create(request, &author, &clock);
    struct edition *edition = catalogue_edition_for(game, message->create.players);
    if (!edition)
        return refuse_because(request, REFUSAL_BAD_MESSAGE,
                              "players: the game is not for %d players", message->create.players);
    const char *words = message->create.rated ? ladder_refuses(edition->game, &clock) : NULL;
    if (words)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "rated: %s", words);
    return journal_create(core, &author,
                          &(struct new_room){edition_retain(edition), game->id,
                                             message->create.visibility != VISIBILITY_PRIVATE,
                                             clock.is_set ? &clock : NULL, NULL,
                                             message->create.rated});
}

/* --- join ------------------------------------------------------------------------------------- */

/* Names are shown to others: no space around them, and nobody is without one. */
void seating_take_name(struct session *session, struct text name)
{
    while (name.length > 0 && name.data[0] == ' ')
        name.data++, name.length--;
    while (name.length > 0 && name.data[name.length - 1] == ' ')
        name.length--;
    if (name.length > 0)
        text_copy(name, session->name, sizeof session->name);
}

bool seating_may_come_in(const struct request *request)
{
    return request->attachment || (request->session->attachment_count <
                                       (int)request->core->options.rooms_per_session_max &&
                                   !giving_way_has_share(request->core, request->session));
}

static enum refusal come_in(struct request *request, int64_t version, bool seated)
{
    return journal_let_in(request->core, request->session, request->room, request->message->id,
                          version, seated)
               ? REFUSAL_NONE
               : REFUSAL_TOO_MANY;
}

enum refusal seating_join_again(struct request *request, int64_t version)
{
    return come_in(request, version, true);
}

/* Which seats the word asks for; those the player holds already among them. */
static enum refusal wanted_seats(const struct room *room, struct text word, uint32_t held,
                                 uint32_t *wanted)
{
    const struct standing *standing = &room->standing;
    if (text_is(word, "all")) {
        *wanted = standing_all_seats(standing);
        return REFUSAL_NONE;
    }
    if (text_is(word, "any")) {
        int seat = standing_free_seat(standing);
        *wanted = held;
        if (held == 0 && seat != SEAT_NONE)
            *wanted = UINT32_C(1) << seat;
        return *wanted ? REFUSAL_NONE : REFUSAL_SEAT_TAKEN;
    }
    player_index player = game_find_player(room->edition->game, word.data, word.length);
    if (player == PLAYER_NONE)
        return REFUSAL_NO_SUCH_SEAT;
    *wanted = UINT32_C(1) << player;
    return REFUSAL_NONE;
}

static bool all_free(const struct standing *standing, uint32_t seats)
{
    for (int i = 0; i < standing->seat_count; i++)
        if (seats >> i & 1 && standing->seats[i].taken)
            return false;
    return true;
}

/* Only this server can make the token of its own bot for this very seat. */
static bool is_house(const struct request *request, uint32_t seats)
{
    int seat = standing_first(seats);
    if (!request->session->local || seats != UINT32_C(1) << seat)
        return false;
    return invitation_level(request->core, request->room, seat, &request->session->identity) !=
           BOT_LEVEL_NONE;
}

/* A rated game is between two different tokens. */
static bool may_sit_rated(const struct request *request, uint32_t seats)
{
    return (seats & (seats - 1)) == 0 && !is_house(request, seats);
}

enum refusal seating_join(struct request *request)
{
    struct room *room = request->room;
    const struct message *message = request->message;
    if (message->join.key.data)
        return handover_take_seats(request);
    uint32_t held = standing_seats_of(&room->standing, &request->session->identity), wanted;
    seating_take_name(request->session, message->join.name);
    if (!seating_may_come_in(request))
        return REFUSAL_TOO_MANY;
    if (text_is(message->join.seat, "spectator"))
        return come_in(request, room->version, false);
    enum refusal refusal = wanted_seats(room, message->join.seat, held, &wanted);
    if (refusal != REFUSAL_NONE)
        return refusal;
    wanted &= ~held;
    if (wanted == 0)
        return come_in(request, room->version, true);
    if (!all_free(&room->standing, wanted))
        return REFUSAL_SEAT_TAKEN;

    if (room->standing.rated && !may_sit_rated(request, held | wanted))
        return refuse_because(request, REFUSAL_SEAT_TAKEN,
                              "a rated game is for two, and the server's bots have no rating");

    char name[DISPLAY_NAME_BYTES_MAX + 1];
    names_tell_apart(room, &request->session->identity, held, text_of(request->session->name),
                     name);
    struct event event = {.kind = EVENT_JOINED,
                          .player = text_of(request->session->identity.player),
                          .name = text_of(name),
                          .as = message->join.as,
                          .house = is_house(request, wanted)};
    for (int i = 0; i < room->standing.seat_count; i++)
        if (wanted >> i & 1)
            event.seats[event.seat_count++] = text_of(room->edition->seat_names[i]);
    return journal_propose(request, &event);
}

/* --- leave ------------------------------------------------------------------------------------ */

enum refusal seating_leave(struct request *request)
{
    struct room *room = request->room;
    uint32_t held = standing_seats_of(&room->standing, &request->session->identity);
    if (room->standing.status == STATUS_WAITING && held != 0) {
        struct event event = {.kind = EVENT_LEFT};
        for (int i = 0; i < room->standing.seat_count; i++)
            if (held >> i & 1)
                event.seats[event.seat_count++] = text_of(room->edition->seat_names[i]);
        return journal_propose(request, &event);
    }
    /* Nothing happens to the room, and who is not there has left: a second `leave` is as good as
     * the first. */
    if (request->attachment && !request->session->passes)
        session_detach(request->core, request->attachment);
    return change_nothing(request);
}

/* --- resume, sync ----------------------------------------------------------------------------- */

enum refusal seating_resume(struct request *request)
{
    struct core *core = request->core;
    struct room *room = request->room;
    int64_t version = request->message->resume.version;
    if (!seating_may_come_in(request))
        return REFUSAL_TOO_MANY;
    struct attachment *attachment = session_attach(core, request->session, room, true);
    bool by_events = version > 0 && publish_has_since(room, version);
    attachment->lagging = false;
    reply_ack(core, request->session, request->message->id, room->id, room->version,
              by_events ? "events" : "snapshot");
    if (by_events) {
        core->statistics.resumes_by_events++;
        publish_since(core, attachment, version);
    } else {
        core->statistics.resumes_by_snapshot++;
        publish_snapshot(core, attachment, NULL, true);
    }
    publish_presence_to(core, attachment);
    return REFUSAL_NONE;
}

enum refusal seating_sync(struct request *request)
{
    char command[COMMAND_ID_BYTES_MAX + 1];
    text_copy(request->message->id, command, sizeof command);
    request->attachment->lagging = false;
    publish_snapshot(request->core, request->attachment, command, true);
    return REFUSAL_NONE;
}
