#include "server/house/bot.h"

#include <stdio.h>
#include <string.h>

/* splitmix64: small, and good enough to choose a move. */
static uint64_t next_random(uint64_t *seed)
{
    uint64_t value = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

bool bot_moves_read(const char *word, enum bot_moves *moves)
{
    if (strcmp(word, "random") == 0)
        *moves = BOT_MOVES_RANDOM;
    else if (strcmp(word, "capture") == 0)
        *moves = BOT_MOVES_CAPTURE;
    else
        return false;
    return true;
}

void bot_init(struct bot *bot, enum bot_moves moves, uint64_t seed)
{
    *bot = (struct bot){.moves = moves, .seed = seed};
}

/* An offer somebody else made: its member names the seat that made it. */
static bool offered_by_another(const struct client *client, const char *member)
{
    const char *seat = client_state_text(client, member);
    return seat[0] != '\0' && !client_holds_seat(client, seat);
}

static bool has_answered(const struct bot *bot, const struct client *client)
{
    return bot->answered_version == client_version(client) &&
           strcmp(bot->room, client_room(client)) == 0;
}

/* Another room has versions of its own. */
static void look_at_room(struct bot *bot, const struct client *client)
{
    if (strcmp(bot->room, client_room(client)) == 0)
        return;
    snprintf(bot->room, sizeof bot->room, "%s", client_room(client));
    bot->answered_version = bot->drawn_version = 0;
}

bool bot_wants_to_act(const struct bot *bot, const struct client *client)
{
    if (!client_ready(client) || client_room(client) == NULL || has_answered(bot, client))
        return false;
    return client_must_move(client) || offered_by_another(client, "draw_offer") ||
           offered_by_another(client, "takeback_offer") ||
           offered_by_another(client, "rematch_offer");
}

/* A pass goes nowhere, nor does a swap of sides. */
static bool captures(const struct client *client, int index)
{
    const char *from, *to, *choice;
    client_legal_move(client, index, &from, &to, &choice);
    return to != NULL && client_cell_occupied(client, to);
}

static int count_captures(const struct client *client)
{
    int count = 0;
    for (int i = 0; i < client_legal_move_count(client); i++)
        count += captures(client, i);
    return count;
}

static int choose_capture(const struct client *client, int which)
{
    for (int i = 0; i < client_legal_move_count(client); i++)
        if (captures(client, i) && which-- == 0)
            return i;
    return 0;
}

/* One of all there are, also of those that did not fit into the message. */
static void draw(struct bot *bot, const struct client *client)
{
    if (bot->drawn_version == client_version(client))
        return;
    bot->drawn_version = client_version(client);
    bot->drawn = next_random(&bot->seed);
}

/* Where it is among those at hand; -1: not there. */
static int place_of(const struct client *client, int drawn)
{
    int place = drawn - client_legal_moves_first(client);
    return place >= 0 && place < client_legal_move_count(client) ? place : -1;
}

/* A server that has said less than it promised gets the first. */
static int choose(const struct bot *bot, const struct client *client, int drawn)
{
    int captures = bot->moves == BOT_MOVES_CAPTURE ? count_captures(client) : 0;
    if (captures > 0)
        return choose_capture(client, (int)((bot->drawn >> 32) % (uint64_t)captures));
    int place = place_of(client, drawn);
    return place < 0 ? 0 : place;
}

/* NULL: there is none, or it is waited for. */
static const char *make_move(struct bot *bot, struct client *client)
{
    const char *from, *to, *choice;
    if (client_legal_moves_all(client) == 0)
        return NULL;
    draw(bot, client);
    int drawn = (int)(bot->drawn % (uint64_t)client_legal_moves_all(client));
    if (place_of(client, drawn) < 0 && client_look_for_legal_moves(client, drawn))
        return NULL;
    if (client_legal_move_count(client) == 0)
        return NULL;
    client_legal_move(client, choose(bot, client, drawn), &from, &to, &choice);
    return client_move(client, from, to, choice);
}

bool bot_must_choose(const struct bot *bot, const struct client *client)
{
    return bot_wants_to_act(bot, client) && client_must_move(client) &&
           !offered_by_another(client, "takeback_offer") &&
           !offered_by_another(client, "rematch_offer");
}

void bot_play(struct bot *bot, struct client *client, const char *from, const char *to,
              const char *choice)
{
    look_at_room(bot, client);
    if (client_move(client, from, to, choice) != NULL)
        bot->answered_version = client_version(client);
}

void bot_play_found(struct bot *bot, struct client *client, const struct game *game,
                    struct move move)
{
    const char *from = NULL, *to = NULL, *choice = NULL;
    if (move_is_swap(move))
        choice = CLIENT_SWAP;
    else if (move.choice != CHOICE_NONE)
        choice = game_facts(game)->figure_names[move.choice];
    if (move_has_cells(move))
        to = game_facts(game)->cells[move.to].name;
    if (move_has_cells(move) && !move_is_placement(move))
        from = game_facts(game)->cells[move.from].name;
    bot_play(bot, client, from, to, choice);
}

bool bot_end_game(struct bot *bot, struct client *client, struct position *position, int share)
{
    enum { DRAWN = 500, LOSING = 300 };
    struct outcome claim = position_claim(position);
    bool wins = claim.kind == OUTCOME_WON && claim.winner == position_to_move(position);
    const char *kind = wins || (claim.kind == OUTCOME_DRAWN && share < DRAWN)       ? "claim.result"
                       : offered_by_another(client, "draw_offer") && share < LOSING ? "draw.accept"
                                                                                    : NULL;
    if (kind == NULL)
        return false;
    look_at_room(bot, client);
    if (client_action(client, kind) != NULL)
        bot->answered_version = client_version(client);
    return true;
}

void bot_forget_answer(struct bot *bot)
{
    bot->answered_version = 0;
}

void bot_act(struct bot *bot, struct client *client)
{
    if (!bot_wants_to_act(bot, client))
        return;
    look_at_room(bot, client);
    const char *sent = NULL;
    if (offered_by_another(client, "rematch_offer")) {
        sent = client_action(client, "rematch.accept");
    } else if (offered_by_another(client, "takeback_offer")) {
        sent = client_action(client, bot->keeps_moves ? "takeback.decline" : "takeback.accept");
    } else if (offered_by_another(client, "draw_offer") && !client_must_move(client)) {
        sent = client_action(client, "draw.decline");
    } else {
        sent = make_move(bot, client); /* which declines a draw offer by itself */
    }
    if (sent != NULL)
        bot->answered_version = client_version(client);
}
