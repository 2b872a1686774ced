#include "server/cli/uci_seat.h"

#include "engine/memory/memory.h"
#include "server/cli/uci_game.h"
#include "server/house/thinking.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUESTION_BYTES = 256, WHY_BYTES = 320, ID_BYTES = 64, THREADS = 1, ASKER = 1 };

enum question { ASKS_NOTHING, ASKS_GUIDE, ASKS_MOVES };

struct uci_seat {
    struct uci_order order;
    struct client *client; /* borrowed */
    struct bot *bot;       /* borrowed */
    struct uci_seat_events events;
    struct uci *uci;           /* NULL where it is our own search: */
    struct thinking *thinking; /* NULL where it is a program */
    bool searches;             /* our own, now */
    struct uci_game *game;     /* of `room`; NULL: its file was not read yet */
    char room[ROOM_ID_BYTES + 1];
    enum question asks;
    char asked[ID_BYTES];     /* the question's id */
    bool ready;               /* who chooses, for this game */
    bool anew;                /* moves were taken back: all of them are asked for */
    int64_t moved_version;    /* when the position was last another one */
    int64_t thought_version;  /* which is thought of */
    int64_t answered_version; /* in which a move was played */
    json_t *clock;            /* as the room's snapshot said */
    bool failed;
};

static void fail(struct uci_seat *seat, const char *why)
{
    if (seat->failed)
        return;
    seat->failed = true;
    seat->events.failed(seat->events.context, why);
}

/* --- what the server is asked ----------------------------------------------------------------- */

static void ask(struct uci_seat *seat, enum question what, const char *question)
{
    const char *id = client_command(seat->client, question);
    if (id == NULL)
        return;
    snprintf(seat->asked, sizeof seat->asked, "%s", id);
    seat->asks = what;
    seat->events.said(seat->events.context);
}

static void ask_guide(struct uci_seat *seat)
{
    char question[QUESTION_BYTES];
    snprintf(question, sizeof question, "\"type\":\"games\",\"op\":\"guide\",\"room\":\"%s\"",
             seat->room);
    ask(seat, ASKS_GUIDE, question);
}

static void ask_moves(struct uci_seat *seat)
{
    char question[QUESTION_BYTES];
    if (seat->anew)
        uci_game_restart(seat->game);
    seat->anew = false;
    snprintf(question, sizeof question,
             "\"type\":\"history\",\"room\":\"%s\",\"moves\":true,\"from\":%d", seat->room,
             uci_game_plies(seat->game));
    ask(seat, ASKS_MOVES, question);
}

/* --- time ------------------------------------------------------------------------------------- */

static uint64_t time_at(const json_t *object, const char *name)
{
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value < 0 ? 0 : (uint64_t)value;
}

static void read_clock(const struct uci_seat *seat, const char *name, const json_t *here,
                       struct uci_limits *limits)
{
    const json_t *own = json_object_get(json_object_get(seat->clock, "seats"), name);
    const json_t *control = own != NULL ? own : seat->clock;
    int player = uci_game_player(seat->game, name);
    if (player < 0 || player > 1)
        return;
    const json_t *clock = json_object_get(here, "clock");
    limits->left_ms[player] = time_at(clock, "left_ms");
    limits->increment_ms[player] = time_at(control, "increment_ms") + time_at(control, "delay_ms");
    if (player == limits->mover && time_at(clock, "periods") > 0)
        limits->period_ms = time_at(control, "period_ms");
}

static void read_clocks(const struct uci_seat *seat, struct uci_limits *limits)
{
    json_t *state = json_loads(client_state_json(seat->client), 0, NULL), *here;
    const char *name;
    json_object_foreach(json_object_get(state, "seats"), name, here)
    {
        read_clock(seat, name, here, limits);
    }
    json_decref(state);
}

static struct uci_limits limits_of(const struct uci_seat *seat)
{
    struct uci_limits limits = {.nodes = seat->order.nodes, .move_ms = seat->order.move_ms};
    limits.mover = uci_game_player(seat->game, client_to_move(seat->client)) == 1;
    if (limits.nodes > 0 || limits.move_ms > 0)
        return limits;
    if (seat->clock != NULL)
        read_clocks(seat, &limits);
    else
        limits.move_ms = UCI_MOVE_MS;
    return limits;
}

/* --- one move --------------------------------------------------------------------------------- */

static bool must_choose(const struct uci_seat *seat)
{
    return !seat->failed && bot_must_choose(seat->bot, seat->client) &&
           seat->answered_version != seat->moved_version;
}

static void look_at_room(struct uci_seat *seat)
{
    const char *room = client_room(seat->client);
    if (strcmp(seat->room, room) == 0)
        return;
    snprintf(seat->room, sizeof seat->room, "%s", room);
    uci_game_free(seat->game);
    seat->game = NULL;
    seat->asks = ASKS_NOTHING;
    seat->ready = false;
}

static void search(struct uci_seat *seat)
{
    seat->searches = true;
    thinking_ask(seat->thinking,
                 &(struct thinking_question){.asker = ASKER,
                                             .version = seat->moved_version,
                                             .level = seat->order.level,
                                             .seed = seat->order.seed++,
                                             .position = uci_game_copy(seat->game)});
}

static void think(struct uci_seat *seat)
{
    seat->thought_version = seat->moved_version;
    if (seat->thinking != NULL) {
        search(seat);
        return;
    }
    struct uci_limits limits = limits_of(seat);
    uci_think(seat->uci, uci_game_position(seat->game), uci_game_moves(seat->game), &limits);
}

/* A program has to be waited for, though nobody wants its answer. */
static void forget_thought(struct uci_seat *seat)
{
    if (seat->thinking == NULL) {
        uci_forget(seat->uci);
    } else {
        thinking_forget(seat->thinking, ASKER);
        seat->searches = false;
    }
}

static bool is_thinking(const struct uci_seat *seat)
{
    return seat->thinking != NULL ? seat->searches : uci_is_thinking(seat->uci);
}

void uci_seat_act(struct uci_seat *seat)
{
    if (!must_choose(seat))
        return;
    look_at_room(seat);
    if (seat->asks != ASKS_NOTHING)
        return;
    if (is_thinking(seat) && seat->thought_version != seat->moved_version)
        forget_thought(seat);
    if (is_thinking(seat))
        return;
    if (seat->game == NULL)
        ask_guide(seat);
    else if (seat->ready)
        ask_moves(seat);
}

void uci_seat_try_again(struct uci_seat *seat)
{
    seat->answered_version = 0;
}

/* --- what comes back -------------------------------------------------------------------------- */

static int count_seats(const struct uci_seat *seat)
{
    json_t *state = json_loads(client_state_json(seat->client), 0, NULL);
    int count = (int)json_object_size(json_object_get(state, "seats"));
    json_decref(state);
    return count;
}

static void take_guide(struct uci_seat *seat, const char *answer)
{
    char why[WHY_BYTES];
    seat->game = uci_game_new(answer, count_seats(seat), seat->order.dialect, why, sizeof why);
    bool fine = seat->game != NULL &&
                (seat->thinking != NULL || uci_game_can_be_told(seat->game, why, sizeof why));
    if (!fine) {
        fail(seat, why);
    } else if (seat->thinking != NULL) {
        seat->ready = true;
        uci_seat_act(seat);
    } else if (!uci_begin(seat->uci, uci_game_name(seat->game))) {
        snprintf(why, sizeof why,
                 "it does not know %s; --option UCI_Variant=NAME says its own word",
                 uci_game_name(seat->game));
        fail(seat, why);
    }
}

static void take_moves(struct uci_seat *seat, const char *answer)
{
    bool all;
    if (seat->anew)
        uci_seat_act(seat); /* of a past that is none any more */
    else if (!uci_game_take_moves(seat->game, answer, &all))
        fail(seat, "the server tells moves that are none in this game");
    else if (!all)
        ask_moves(seat);
    else if (must_choose(seat))
        think(seat);
}

static void hear_answer(struct uci_seat *seat, const struct client_event *event)
{
    enum question asks = seat->asks;
    if (asks == ASKS_NOTHING || strcmp(event->id, seat->asked) != 0)
        return;
    seat->asks = ASKS_NOTHING;
    if (asks == ASKS_GUIDE)
        take_guide(seat, event->json);
    else
        take_moves(seat, event->json);
}

static void hear_state(struct uci_seat *seat, const struct client_event *event)
{
    bool snapshot = strcmp(event->event_kind, "snapshot") == 0;
    bool taken_back = strcmp(event->event_kind, "taken_back") == 0;
    if (strcmp(seat->room, event->room) != 0)
        seat->answered_version = 0; /* another room has versions of its own */
    if (snapshot) {
        json_t *message = json_loads(event->json, 0, NULL);
        json_decref(seat->clock);
        seat->clock = json_incref(json_object_get(message, "clock"));
        json_decref(message);
    }
    if (snapshot || taken_back || strcmp(event->event_kind, "moved") == 0)
        seat->moved_version = event->version;
    seat->anew = seat->anew || snapshot || taken_back;
}

void uci_seat_hear(struct uci_seat *seat, const struct client_event *event)
{
    bool refused = event->kind == CLIENT_REFUSED && event->id != NULL;
    if (event->kind == CLIENT_STATE)
        hear_state(seat, event);
    else if (event->kind == CLIENT_ANSWER)
        hear_answer(seat, event);
    else if (refused && seat->asks != ASKS_NOTHING && strcmp(event->id, seat->asked) == 0) {
        seat->asks = ASKS_NOTHING; /* asked again by uci_seat_act */
        if (!event->retry)
            fail(seat, event->message);
    }
}

/* --- what the program says -------------------------------------------------------------------- */

static void on_known(void *context)
{
    struct uci_seat *seat = context;
    seat->events.known(seat->events.context);
}

static void on_ready(void *context)
{
    struct uci_seat *seat = context;
    seat->ready = true;
    uci_seat_act(seat);
}

static void on_moved(void *context, const char *text)
{
    struct uci_seat *seat = context;
    const char *from, *to, *choice;
    if (!must_choose(seat) || seat->thought_version != seat->moved_version) {
        uci_seat_act(seat);
        return;
    }
    if (text[0] == '\0') {
        fail(seat, "it gives the game up");
    } else if (!uci_game_find(seat->game, text, &from, &to, &choice)) {
        char why[WHY_BYTES];
        snprintf(why, sizeof why, "it plays %s, which is no move here", text);
        fail(seat, why);
    } else {
        seat->answered_version = seat->moved_version;
        bot_play(seat->bot, seat->client, from, to, choice);
        seat->events.said(seat->events.context);
    }
}

static void on_gone(void *context, const char *why)
{
    fail(context, why);
}

/* --- what we have found ourselves --------------------------------------------------------------- */

static void on_thought(void *context, const struct thinking_question *question,
                       const struct search_answer *answers, int count)
{
    struct uci_seat *seat = context;
    int64_t version = question->version;
    seat->searches = false;
    if (!must_choose(seat) || version != seat->moved_version) {
        uci_seat_act(seat);
    } else if (count == 0) {
        fail(seat, "the server waits for a move where there is none");
    } else {
        seat->answered_version = version;
        if (!bot_end_game(seat->bot, seat->client, question->position,
                          search_share(answers[0].value).share))
            bot_play_found(seat->bot, seat->client, position_game(question->position),
                           answers[0].move);
        seat->events.said(seat->events.context);
    }
}

/* --- life --------------------------------------------------------------------------------------- */

struct uci_seat *uci_seat_new(struct uv_loop_s *loop, const struct uci_order *order,
                              struct client *client, struct bot *bot,
                              const struct uci_seat_events *events)
{
    struct uci_seat *seat = memory_zeroed(1, sizeof *seat);
    seat->order = *order;
    seat->client = client;
    seat->bot = bot;
    seat->events = *events;
    if (order->level > 0) {
        seat->thinking = thinking_new(loop, THREADS, on_thought, seat);
        return seat;
    }
    const struct uci_events heard = {
        .context = seat, .known = on_known, .ready = on_ready, .moved = on_moved, .gone = on_gone};
    seat->uci = uci_start(loop, order->dialect, order->program, seat->order.options,
                          order->option_count, &heard);
    return seat;
}

void uci_seat_stop(struct uci_seat *seat)
{
    seat->failed = true;
    if (seat->thinking != NULL)
        thinking_close(seat->thinking);
    else
        uci_stop(seat->uci);
}

void uci_seat_free(struct uci_seat *seat)
{
    if (seat == NULL)
        return;
    if (seat->uci != NULL)
        uci_free(seat->uci);
    uci_game_free(seat->game);
    json_decref(seat->clock);
    free(seat);
}
