/* Talk in a room, and what the players do about it. A line is an event like any other, durable before it is shown; but lines
 * have bounds of their own, so that no talk ends a game's seats and offers, and no spectator's talk ends the players'. */
#include "server/core/handlers.h"

#include "server/core/journal.h"
#include "server/core/names.h"

enum {
    LINES_OF_PLAYERS_MAX = 10000, /* of one room */
    LINES_OF_WATCHERS_MAX = 2000,
    WATCHERS_LINES_PER_S = 1, /* of all of them together */
    WATCHERS_LINES_BURST = 20,
};

/* --- a line ----------------------------------------------------------------------------------- */

static enum refusal refuse_unwanted(struct request *request, bool plays)
{
    const struct chat_rules *rules = &request->room->standing.chat;
    if (rules->voices == CHAT_OF_NOBODY)
        return refuse_because(request, REFUSAL_MUTED, "the players have turned the chat off");
    if (plays)
        return REFUSAL_NONE;
    if (rules->voices == CHAT_OF_PLAYERS)
        return refuse_because(request, REFUSAL_MUTED, "only the players talk here");
    if (chat_rules_have_muted(rules, text_of(request->session->identity.player)))
        return refuse_because(request, REFUSAL_MUTED, "the players do not want to hear you");
    return REFUSAL_NONE;
}

static enum refusal refuse_too_much(struct request *request, bool plays)
{
    struct room *room = request->room;
    if (plays && room->lines_of_players >= LINES_OF_PLAYERS_MAX)
        return refuse_because(request, REFUSAL_TOO_MANY,
                              "the players have said all there is room for");
    if (plays)
        return REFUSAL_NONE;
    if (room->lines_of_watchers >= LINES_OF_WATCHERS_MAX)
        return refuse_because(request, REFUSAL_TOO_MANY,
                              "those who watch have said all there is room for");
    if (room->watchers_talk.per_s == 0)
        allowance_init(&room->watchers_talk, WATCHERS_LINES_PER_S, WATCHERS_LINES_BURST,
                       request->core->now_ms);
    request->retry_ms = allowance_take(&room->watchers_talk, 1, request->core->now_ms);
    if (request->retry_ms == 0)
        return REFUSAL_NONE;
    return refuse_because(request, REFUSAL_RATE_LIMITED, "those who watch talk too much");
}

enum refusal chat_say(struct request *request)
{
    const struct room *room = request->room;
    const struct session *session = request->session;
    int seat = own_seat(request);
    enum refusal refusal = refuse_unwanted(request, seat != SEAT_NONE);
    if (refusal == REFUSAL_NONE)
        refusal = refuse_too_much(request, seat != SEAT_NONE);
    if (refusal != REFUSAL_NONE)
        return refusal;
    char name[DISPLAY_NAME_BYTES_MAX + 1];
    names_tell_apart(room, &session->identity, 0, text_of(session->name), name);
    struct event event = {.kind = EVENT_CHATTED,
                          .player = text_of(session->identity.player),
                          .name = text_of(name),
                          .text = request->message->chat.text};
    if (seat != SEAT_NONE) {
        event.seat_count = 1;
        event.seats[0] = text_of(room->edition->seat_names[seat]);
        event.name = text_of(room->standing.seats[seat].name);
    }
    return journal_propose(request, &event);
}

/* --- whose words are wanted ------------------------------------------------------------------- */

static struct event event_of_seat(const struct request *request, enum event_kind kind)
{
    int seat = own_seat(request);
    return (struct event){.kind = kind,
                          .seat_count = 1,
                          .seats = {text_of(request->room->edition->seat_names[seat])}};
}

enum refusal chat_allow(struct request *request)
{
    const struct room *room = request->room;
    struct event event = event_of_seat(request, EVENT_CHAT_ALLOWED);
    event.voices =
        (enum chat_voices)(request->message->action.kind - ACTION_REQUEST_CHAT_EVERYBODY);
    if (event.voices != room->standing.chat.voices)
        return journal_propose(request, &event);
    return change_nothing(request);
}

static bool sits(const struct standing *standing, struct text player)
{
    for (int i = 0; i < standing->seat_count; i++)
        if (standing->seats[i].taken && text_is(player, standing->seats[i].holder.player))
            return true;
    return false;
}

enum refusal chat_mute(struct request *request)
{
    const struct room *room = request->room;
    struct text player = request->message->action.player;
    bool mutes = request->message->action.kind == ACTION_REQUEST_CHAT_MUTE;
    struct chat_rules after = room->standing.chat;
    if (player.length > PLAYER_ID_BYTES)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "player: nobody is called so");
    if (mutes && sits(&room->standing, player))
        return refuse_because(request, REFUSAL_BAD_MESSAGE,
                              "player: who plays is not muted; the chat can be turned off");
    if (mutes && !chat_rules_mute(&after, player))
        return refuse_because(request, REFUSAL_TOO_MANY,
                              "no more than %d can be muted, but all who watch", CHAT_MUTED_MAX);
    if (mutes == chat_rules_have_muted(&room->standing.chat, player))
        return change_nothing(request);
    struct event event = event_of_seat(request, mutes ? EVENT_MUTED : EVENT_UNMUTED);
    event.player = player;
    return journal_propose(request, &event);
}
