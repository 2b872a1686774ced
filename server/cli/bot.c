#include "server/cli/bot.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <uv.h>

#include "protocol/client.h"
#include "protocol/message.h"
#include "server/cli/bot_seek.h"
#include "server/cli/uci_seat.h"
#include "server/house/bot.h"
#include "server/net/dial.h"

static const char usage[] =
    "usage: senet bot URL [--room ID] [--seat NAME] [--moves KIND] [--name NAME] [--token TOKEN]\n"
    "                 [--seed N] [--delay-ms N] [--hops N] [--stay] [--level N]\n"
    "                 [--seek GAME [--clock CLOCK] [--people] [--games N]]\n"
    "                 [--uci PROGRAM [--option NAME=VALUE]... [--nodes N] [--movetime MS]]\n"
    "\n"
    "Sits down in a room and plays until the game is over. URL is where the server is, or the "
    "room's\n"
    "own link: http://localhost:8080, ws://host/ws, https://host/room/k3Qd9xZa.\n"
    "\n"
    "  --room ID       the room, unless the link names it\n"
    "  --seat NAME     a player of the game, or any (default)\n"
    "  --moves KIND    how it chooses: " BOT_MOVES_WORDS " (default random)\n"
    "  --name NAME     what others see (default bot)\n"
    "  --token TOKEN   play as the holder of this token\n"
    "  --seed N        for the choices; the same seed chooses alike\n"
    "  --delay-ms N    think so long before a move (default 0)\n"
    "  --hops N        go from server to server so often, where several share a database and the "
    "room\n"
    "                  is on another one, before the game goes on (default 100)\n"
    "  --stay          go on after the game is over, and accept rematches\n"
    "  --seek GAME     instead of a room: it looks for somebody to play GAME with, says that it is "
    "a "
    "bot,\n"
    "                  plays, and looks again, until it is stopped. NAME or NAME@N: a published "
    "game\n"
    "  --clock CLOCK   with so many minutes for a game and seconds more for each turn, as 5+3; or "
    "in the\n"
    "                  protocol's words, as {\"initial_ms\":300000,\"delay_ms\":2000}\n"
    "  --people        not with other bots\n"
    "  --games N       it ends after so many games\n"
    "  --level N       it searches as the server's own bot of this level does, 1 to 8\n"
    "  --uci PROGRAM   a program chooses the moves; it speaks UCI. --usi, --ucci: the same for "
    "shogi\n"
    "                  and xiangqi. A program that fails has its seat given up: it resigns\n"
    "  --option N=V    set for it, before each game; may be said often\n"
    "  --nodes N       it searches so many nodes a move;\n"
    "  --movetime MS   or so long (default: by the room's clocks, else 1000)\n";

/* Of several servers one has the room. Five times the bot goes at once to where it is sent, then it takes its time: a
 * server that has died has the room until its lease is over. */
enum {
    RECONNECTS_MAX = 20,
    BROKEN_MAX = 5,
    HOPS_QUICK = 5,
    HOP_PAUSE_MS = 1000,
    CLAIM_AGAIN_MS = 5000,
};

struct options {
    struct dial_address address;
    const char *room, *seat, *name, *token;
    enum bot_moves moves;
    uint64_t seed, delay_ms, hops_max;
    uint64_t games_max; /* that it looks for; 0: until it is stopped */
    bool stay;
    struct bot_seek_order seek;
    struct uci_order program;
};

struct runner {
    struct options options;
    uv_loop_t loop;
    uv_timer_t think_timer, reconnect_timer, absent_timer;
    struct client *client;
    struct dial *dial;
    struct bot bot;
    struct uci_seat *seat; /* of a program or a search that chooses; NULL: the bot draws a move */
    char room[ROOM_ID_BYTES + 1];      /* where it plays now; a rematch is another room */
    int reconnect_count, broken_count; /* the second: conversations since the last state */
    uint64_t hop_count;                /* likewise: how often it was sent to another server */
    struct dial_address address; /* of the server with the room; where we began is in the options */
    bool joined, over;
    char seek[COMMAND_ID_BYTES_MAX + 1]; /* the command that looks for somebody; "": it does not */
    uint64_t game_count;                 /* that were looked for, and are over */
    bool leaving;                        /* such a one, to look for the next */
    bool welcomed;                       /* on this connection */
    bool hopping;                        /* it is being ended to go to another server */
    bool gives_up;                       /* its program has failed: the seat is being given up */
    int status;
};

static void finish(struct runner *runner, int status)
{
    runner->over = true;
    runner->status = runner->gives_up ? 1 : status;
    uv_timer_stop(&runner->think_timer);
    uv_timer_stop(&runner->reconnect_timer);
    uv_timer_stop(&runner->absent_timer);
    uv_stop(&runner->loop);
}

static void join(struct runner *runner, const char *room, const char *seat)
{
    snprintf(runner->room, sizeof runner->room, "%s", room);
    runner->joined = true;
    client_join(runner->client, runner->room, seat, runner->options.name, true);
    dial_wants_to_send(runner->dial);
}

static void seek(struct runner *runner)
{
    const char *id = bot_seek(runner->client, &runner->options.seek);
    if (id == NULL)
        return;
    printf("looking for somebody to play %s\n", runner->options.seek.game);
    snprintf(runner->seek, sizeof runner->seek, "%s", id);
    runner->joined = true; /* or will be, by itself */
    dial_wants_to_send(runner->dial);
}

static void begin(struct runner *runner)
{
    if (runner->options.seek.game != NULL)
        seek(runner);
    else
        join(runner, runner->options.room, runner->options.seat);
}

/* The next game is somebody else's: in this one there is nothing more to do. */
static void end_sought_game(struct runner *runner)
{
    if (runner->leaving)
        return;
    uv_timer_stop(&runner->absent_timer);
    if (++runner->game_count == runner->options.games_max) {
        finish(runner, 0);
        return;
    }
    runner->leaving = client_leave(runner->client) != NULL;
    dial_wants_to_send(runner->dial);
}

static void on_acknowledged(struct runner *runner, const struct client_event *event)
{
    bool outside = client_room(runner->client) == NULL;
    if (runner->gives_up && outside) {
        finish(runner, 1); /* it has left */
    } else if (runner->seek[0] != '\0' && strcmp(event->id, runner->seek) == 0) {
        runner->seek[0] = '\0';
        join(runner, event->room, "any");
    } else if (runner->leaving && outside) {
        runner->leaving = false;
        seek(runner);
    }
}

/* Whoever was found may not come, or go: then there are others. */
static void on_absent(uv_timer_t *timer)
{
    struct runner *runner = timer->data;
    if (!client_ready(runner->client) || strcmp(client_status(runner->client), "playing") != 0)
        return;
    bot_claim_absent(runner->client);
    dial_wants_to_send(runner->dial);
}

static void on_presence(struct runner *runner, const char *json)
{
    int64_t absent_ms = bot_absent_ms(runner->client, json);
    if (absent_ms == BOT_NOBODY_ABSENT)
        uv_timer_stop(&runner->absent_timer);
    else
        uv_timer_start(&runner->absent_timer, on_absent, (uint64_t)absent_ms, CLAIM_AGAIN_MS);
}

/* Nobody is to wait for a program that has failed. */
static void give_up_seat(struct runner *runner)
{
    bool plays = strcmp(client_status(runner->client), "playing") == 0;
    if (client_room(runner->client) == NULL)
        finish(runner, 1);
    else if (plays)
        client_action(runner->client, "resign");
    else
        client_leave(runner->client);
    dial_wants_to_send(runner->dial);
}

static void on_think(uv_timer_t *timer)
{
    struct runner *runner = timer->data;
    if (runner->gives_up)
        give_up_seat(runner);
    else if (runner->seat != NULL && bot_must_choose(&runner->bot, runner->client))
        uci_seat_act(runner->seat);
    else
        bot_act(&runner->bot, runner->client);
    dial_wants_to_send(runner->dial);
}

static void on_state(struct runner *runner, const struct client_event *event)
{
    printf("%s version %" PRId64 ": %s\n", runner->room, event->version,
           event->event_kind != NULL ? event->event_kind : "state");
    const char *next_room = client_state_text(runner->client, "next_room");
    if (next_room[0] != '\0' && strcmp(next_room, runner->room) != 0 && !runner->leaving) {
        join(runner, next_room, "any");
    } else if (strcmp(client_status(runner->client), "finished") == 0 &&
               (!runner->options.stay || runner->gives_up)) {
        if (!runner->leaving)
            printf("%s: the game is over: %s\n", runner->room, client_state_json(runner->client));
        if (runner->options.seek.game != NULL && !runner->gives_up)
            end_sought_game(runner);
        else
            finish(runner, 0);
    }
}

/* Asked after whatever was heard, not only after a new state: a thought that a lost connection cut short is taken up
 * again once the room is resumed, though nothing has happened there. */
static void think_if_needed(struct runner *runner)
{
    if (!runner->over && !runner->gives_up && !runner->leaving &&
        bot_wants_to_act(&runner->bot, runner->client) &&
        !uv_is_active((uv_handle_t *)&runner->think_timer))
        uv_timer_start(&runner->think_timer, on_think, runner->options.delay_ms, 0);
}

static void act_later(struct runner *runner)
{
    if (runner->seat != NULL)
        uci_seat_try_again(runner->seat);
    bot_forget_answer(&runner->bot);
    uv_timer_start(&runner->think_timer, on_think, BOT_TRY_AGAIN_MS, 0);
}

/* Where the room is said to be; where we began if that is no address, or one without the TLS we began with. */
static void turn_to(struct runner *runner, const char *url)
{
    const struct dial_address *home = &runner->options.address;
    struct dial_address there;
    bool usable = url != NULL && dial_address_read(url, &there) && (there.secure || !home->secure);
    runner->address = usable ? there : *home;
    dial_turn_to(runner->dial, &runner->address);
}

static void follow(struct runner *runner, const char *url)
{
    if (runner->hopping)
        return;
    if (++runner->hop_count > runner->options.hops_max) {
        fprintf(stderr, "sent from server to server too often\n");
        finish(runner, 1);
        return;
    }
    fprintf(stderr, "the room is at %s\n", url);
    turn_to(runner, url);
    runner->hopping = true;
    dial_hang_up(runner->dial);
}

/* It cannot let us resume now, or it does not speak as we do. */
static void on_broken(struct runner *runner, const struct client_event *event)
{
    fprintf(stderr, "the conversation broke: %s\n", event->message);
    if (event->url != NULL)
        follow(runner, event->url);
    else if (++runner->broken_count > BROKEN_MAX)
        finish(runner, 1);
    else
        dial_hang_up(runner->dial);
}

/* There may be no place for us, or only not now, or elsewhere. */
static void on_refused(struct runner *runner, const struct client_event *event)
{
    bool inside = client_room(runner->client) != NULL;
    fprintf(stderr, "refused: %s: %s\n", event->code, event->message);
    if ((!inside || runner->gives_up) && !event->retry) {
        finish(runner, 1);
        return;
    }
    if (!inside)
        runner->joined = false;
    if (event->url != NULL) {
        bot_forget_answer(&runner->bot);
        follow(runner, event->url);
    } else if (!inside) {
        dial_hang_up(runner->dial);
    } else if (event->retry) {
        act_later(runner);
    }
}

static void on_event(void *context, struct client *client, const struct client_event *event)
{
    struct runner *runner = context;
    (void)client;
    if (runner->seat != NULL)
        uci_seat_hear(runner->seat, event);
    switch (event->kind) {
    case CLIENT_WELCOME:
        runner->reconnect_count = 0;
        runner->welcomed = true;
        if (!runner->joined)
            begin(runner);
        break;
    case CLIENT_REFUSED:
        on_refused(runner, event);
        break;
    case CLIENT_STATE:
        runner->broken_count = 0;
        runner->hop_count = 0;
        on_state(runner, event);
        break;
    case CLIENT_BROKEN:
        on_broken(runner, event);
        break;
    case CLIENT_ACKNOWLEDGED:
        on_acknowledged(runner, event);
        break;
    case CLIENT_OTHER:
        if (runner->options.seek.game != NULL && bot_is_presence(event->json))
            on_presence(runner, event->json);
        break;
    case CLIENT_ANSWER:
        break;
    }
}

static void on_opened(void *context)
{
    struct runner *runner = context;
    client_opened(runner->client);
}

static void on_received(void *context, const char *text, size_t length)
{
    struct runner *runner = context;
    client_received(runner->client, text, length);
    think_if_needed(runner);
    dial_wants_to_send(runner->dial);
}

static const char *on_next_frame(void *context, size_t *length)
{
    struct runner *runner = context;
    return client_next_frame(runner->client, length);
}

static void on_reconnect(uv_timer_t *timer)
{
    struct runner *runner = timer->data;
    dial_connect(runner->dial);
}

/* How long to wait; where nobody answered, it goes on where we began: the room may be had there by now. */
static uint64_t delay_before_next(struct runner *runner)
{
    bool hops = runner->hopping;
    if (!hops && !runner->welcomed)
        turn_to(runner, NULL);
    runner->hopping = runner->welcomed = false;
    if (!hops)
        return client_reconnect_delay_ms(runner->client);
    return runner->hop_count > HOPS_QUICK ? HOP_PAUSE_MS : 0;
}

static void on_closed(void *context, int code, const char *reason)
{
    struct runner *runner = context;
    if (runner->over)
        return;
    client_closed(runner->client);
    fprintf(stderr, "disconnected (%d): %s\n", code, reason);
    if (!client_returns_after(code) || ++runner->reconnect_count > RECONNECTS_MAX) {
        finish(runner, 1);
        return;
    }
    uv_timer_start(&runner->reconnect_timer, on_reconnect, delay_before_next(runner), 0);
}

/* --- a program that chooses the moves ----------------------------------------------------------- */

static void on_program_known(void *context)
{
    struct runner *runner = context;
    dial_connect(runner->dial);
}

static void on_program_said(void *context)
{
    struct runner *runner = context;
    dial_wants_to_send(runner->dial);
}

static void on_program_failed(void *context, const char *why)
{
    struct runner *runner = context;
    bool seated = client_room(runner->client) != NULL;
    const char *program = runner->options.program.program;
    fprintf(stderr, "%s: %s%s\n", program != NULL ? program : "search", why,
            seated ? "; its seat is given up" : "");
    runner->gives_up = true;
    if (seated)
        uv_timer_start(&runner->think_timer, on_think, 0, 0);
    else
        finish(runner, 1);
}

static void start_program(struct runner *runner)
{
    const struct uci_seat_events events = {
        .context = runner,
        .known = on_program_known,
        .said = on_program_said,
        .failed = on_program_failed,
    };
    signal(SIGPIPE, SIG_IGN); /* a program that has ended is told of by its pipes */
    runner->seat = uci_seat_new(&runner->loop, &runner->options.program, runner->client,
                                &runner->bot, &events);
}

/* --- options ------------------------------------------------------------------------------------ */

static bool read_number(const char *text, uint64_t *number)
{
    char *end = NULL;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

static bool read_level(struct uci_order *order, const char *text)
{
    uint64_t level;
    if (!read_number(text, &level) || level < 1 || level > BOT_LEVEL_MAX)
        return false;
    order->level = (int)level;
    return order->program == NULL;
}

static bool read_program(struct uci_order *order, enum uci_dialect dialect, const char *program)
{
    bool first = order->program == NULL && order->level == 0;
    order->program = program;
    order->dialect = dialect;
    return first;
}

/* NAME=VALUE, of a line each, or it would be two commands of the program's. */
static bool read_program_option(struct uci_order *order, const char *option)
{
    if (order->option_count == UCI_OPTIONS_MAX || strchr(option, '=') == NULL ||
        strchr(option, '\n') != NULL)
        return false;
    order->options[order->option_count++] = option;
    return true;
}

static bool read_option(struct options *options, int letter, const char *argument)
{
    switch (letter) {
    case 'u':
        return read_program(&options->program, UCI_CHESS, argument);
    case 'i':
        return read_program(&options->program, UCI_SHOGI, argument);
    case 'c':
        return read_program(&options->program, UCI_XIANGQI, argument);
    case 'l':
        return read_level(&options->program, argument);
    case 'o':
        return read_program_option(&options->program, argument);
    case 'k':
        return read_number(argument, &options->program.nodes);
    case 'e':
        return read_number(argument, &options->program.move_ms) &&
               options->program.move_ms <= UCI_MOVE_MS_MAX;
    case 'r':
        options->room = argument;
        return true;
    case 's':
        options->seat = argument;
        return true;
    case 'm':
        return bot_moves_read(argument, &options->moves);
    case 'n':
        options->name = argument;
        return true;
    case 't':
        options->token = argument;
        return true;
    case 'x':
        return read_number(argument, &options->seed);
    case 'd':
        return read_number(argument, &options->delay_ms);
    case 'h':
        return read_number(argument, &options->hops_max);
    case 'y':
        options->stay = true;
        return true;
    case 'g':
        options->seek.game = argument;
        return true;
    case 'C':
        return bot_clock_read(argument, &options->seek.clock);
    case 'p':
        options->seek.people = true;
        return true;
    case 'G':
        return read_number(argument, &options->games_max);
    default:
        return false;
    }
}

/* A room, or somebody to look for: one of them, and nothing about the other. */
static bool has_place(const struct options *options)
{
    const struct bot_seek_order *seek = &options->seek;
    bool seeks = seek->game != NULL;
    bool about_seek = seek->clock.is_set || seek->people || options->games_max > 0;
    return (options->room[0] != '\0') != seeks && !(seeks && options->stay) &&
           (seeks || !about_seek);
}

static bool read_options(struct options *options, int argc, char **argv)
{
    static const struct option words[] = {
        {"room", required_argument, NULL, 'r'},
        {"seat", required_argument, NULL, 's'},
        {"moves", required_argument, NULL, 'm'},
        {"name", required_argument, NULL, 'n'},
        {"token", required_argument, NULL, 't'},
        {"seed", required_argument, NULL, 'x'},
        {"delay-ms", required_argument, NULL, 'd'},
        {"hops", required_argument, NULL, 'h'},
        {"stay", no_argument, NULL, 'y'},
        {"uci", required_argument, NULL, 'u'},
        {"usi", required_argument, NULL, 'i'},
        {"ucci", required_argument, NULL, 'c'},
        {"option", required_argument, NULL, 'o'},
        {"nodes", required_argument, NULL, 'k'},
        {"movetime", required_argument, NULL, 'e'},
        {"level", required_argument, NULL, 'l'},
        {"seek", required_argument, NULL, 'g'},
        {"clock", required_argument, NULL, 'C'},
        {"people", no_argument, NULL, 'p'},
        {"games", required_argument, NULL, 'G'},
        {NULL, 0, NULL, 0},
    };
    *options = (struct options){.seat = "any", .name = "bot", .hops_max = 100};
    if (getrandom(&options->seed, sizeof options->seed, 0) != sizeof options->seed)
        return false;
    optind = 1;
    for (int letter; (letter = getopt_long(argc, argv, "", words, NULL)) != -1;)
        if (!read_option(options, letter, optarg))
            return false;
    if (optind != argc - 1 || !dial_address_read(argv[optind], &options->address))
        return false;
    options->program.seed = options->seed;
    if (options->room == NULL)
        options->room = options->address.room;
    options->seek.seat = options->seat;
    options->seek.name = options->name;
    return has_place(options);
}

static void on_handle_closed(uv_handle_t *handle, void *context)
{
    (void)context;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static int run(struct runner *runner)
{
    const struct dial_events events = {
        .context = runner,
        .opened = on_opened,
        .received = on_received,
        .closed = on_closed,
        .next_frame = on_next_frame,
    };
    uv_loop_init(&runner->loop);
    uv_timer_init(&runner->loop, &runner->think_timer);
    uv_timer_init(&runner->loop, &runner->reconnect_timer);
    uv_timer_init(&runner->loop, &runner->absent_timer);
    runner->think_timer.data = runner->reconnect_timer.data = runner->absent_timer.data = runner;
    const struct uci_order *program = &runner->options.program;
    bool knows_rules = program->program != NULL || program->level > 0;
    const struct client_options client = {.token = runner->options.token,
                                          .seed = runner->options.seed,
                                          .declines_legal_moves = knows_rules};
    runner->client = client_new(&client, on_event, runner);
    bot_init(&runner->bot, runner->options.moves, runner->options.seed);
    runner->dial = dial_new(&runner->loop, &runner->options.address, &events);
    if (knows_rules)
        start_program(runner);
    if (program->program == NULL) /* which comes in once it is known */
        dial_connect(runner->dial);
    uv_run(&runner->loop, UV_RUN_DEFAULT); /* which takes note of uv_stop, also of one before */
    if (runner->seat != NULL)
        uci_seat_stop(runner->seat);
    uv_close((uv_handle_t *)&runner->think_timer, NULL);
    uv_close((uv_handle_t *)&runner->reconnect_timer, NULL);
    uv_close((uv_handle_t *)&runner->absent_timer, NULL);
    dial_free(runner->dial);
    client_free(runner->client);
    uv_walk(&runner->loop, on_handle_closed, NULL);
    uv_run(&runner->loop, UV_RUN_DEFAULT);
    uv_loop_close(&runner->loop);
    uci_seat_free(runner->seat);
    return runner->status;
}

int cli_bot(int argc, char **argv)
{
    struct runner runner = {.status = 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
    }
    if (!read_options(&runner.options, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    return run(&runner);
}
