#include "server/cli/uci.h"

#include "engine/memory/memory.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum {
    LINE_BYTES = 16 * 1024,
    NAME_BYTES = 64,
    HANDSHAKE_MS = 30000, /* some load a large net */
    OVERTIME_MS = 30000,  /* beyond what it was given */
    NODES_MS = 600000,    /* for a question without a time */
    UNSENT_MAX = 64,      /* texts that it has not read */
};

struct dialect {
    const char *word, *greeted, *position, *new_game, *standard;
    bool named_options; /* `setoption name N value V`, else `setoption N V` */
};

static const struct dialect dialects[] = {
    [UCI_CHESS] = {"uci", "uciok", "position fen", "ucinewgame", "chess", true},
    [UCI_SHOGI] = {"usi", "usiok", "position sfen", "usinewgame", "shogi", true},
    [UCI_XIANGQI] = {"ucci", "ucciok", "position fen", NULL, "xiangqi", false},
};

struct uci {
    struct uci_events events;
    const struct dialect *dialect;
    enum uci_dialect kind;
    const char *const *options;
    int option_count, unsent;
    uv_process_t process;
    uv_pipe_t in, out; /* its */
    uv_timer_t patience;
    enum { INTRODUCING, KNOWN, PREPARING, READY, THINKING, GONE } stage;
    bool unwanted; /* what it answers next */
    bool running;
    bool has_variants;
    char *variants; /* its line of them */
    char line[LINE_BYTES];
    size_t length;
    bool cut; /* the line was too long: the rest of it is left out */
};

struct saying {
    uv_write_t write;
    struct uci *uci;
    char text[];
};

static void give_up(struct uci *uci, const char *why)
{
    if (uci->stage == GONE)
        return;
    uci->stage = GONE;
    uv_timer_stop(&uci->patience);
    uci->events.gone(uci->events.context, why);
}

static void on_patience(uv_timer_t *timer)
{
    struct uci *uci = timer->data;
    give_up(uci, uci->stage == THINKING ? "it did not answer in time" : "it does not get ready");
}

static void expect(struct uci *uci, uint64_t within_ms)
{
    uv_timer_start(&uci->patience, on_patience, within_ms, 0);
}

/* --- what it is told -------------------------------------------------------------------------- */

static void on_written(uv_write_t *write, int status)
{
    struct saying *saying = write->data;
    struct uci *uci = saying->uci;
    uci->unsent--;
    free(saying);
    if (status != 0 && status != UV_ECANCELED)
        give_up(uci, "it hears nothing any more");
}

static void say(struct uci *uci, const char *text, size_t length)
{
    if (uci->stage == GONE)
        return;
    if (uci->unsent == UNSENT_MAX) {
        give_up(uci, "it hears nothing any more");
        return;
    }
    struct saying *saying = memory_bytes(sizeof *saying + length);
    saying->uci = uci;
    saying->write.data = saying;
    memcpy(saying->text, text, length);
    uv_buf_t buffer = uv_buf_init(saying->text, (unsigned)length);
    uci->unsent++;
    if (uv_write(&saying->write, (uv_stream_t *)&uci->in, &buffer, 1, on_written) != 0) {
        uci->unsent--;
        free(saying);
        give_up(uci, "it hears nothing any more");
    }
}

static void say_line(struct uci *uci, const char *words)
{
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    fprintf(out, "%s\n", words);
    fclose(out);
    say(uci, text, length);
    free(text);
}

static void set_option(struct uci *uci, const char *name, size_t name_length, const char *value)
{
    char words[2 * NAME_BYTES + LINE_BYTES / 4];
    bool named = uci->dialect->named_options;
    snprintf(words, sizeof words, named ? "setoption name %.*s value %s" : "setoption %.*s %s",
             (int)name_length, name, value);
    say_line(uci, words);
}

/* --- the game --------------------------------------------------------------------------------- */

/* The letters and digits of a name, in lower case: three-check may be called 3check or threecheck, not both here. */
static void plain_name(const char *name, size_t length, char plain[NAME_BYTES])
{
    size_t count = 0;
    for (size_t i = 0; i < length && count + 1 < NAME_BYTES; i++)
        if (isalnum((unsigned char)name[i]))
            plain[count++] = (char)tolower((unsigned char)name[i]);
    plain[count] = '\0';
}

/* Its own word for the game among `var A var B …`. */
static bool find_variant(const struct uci *uci, const char *game, char variant[NAME_BYTES])
{
    char wanted[NAME_BYTES], plain[NAME_BYTES];
    plain_name(game, strlen(game), wanted);
    for (const char *at = uci->variants; (at = strstr(at, " var ")) != NULL;) {
        at += strlen(" var ");
        size_t length = strcspn(at, " ");
        plain_name(at, length, plain);
        if (length < NAME_BYTES && strcmp(plain, wanted) == 0) {
            memcpy(variant, at, length);
            variant[length] = '\0';
            return true;
        }
    }
    return false;
}

static bool says_variant(const struct uci *uci)
{
    for (int i = 0; i < uci->option_count; i++)
        if (strncmp(uci->options[i], "UCI_Variant=", strlen("UCI_Variant=")) == 0)
            return true;
    return false;
}

static bool choose_variant(struct uci *uci, const char *game)
{
    char variant[NAME_BYTES];
    if (says_variant(uci))
        return true; /* whoever started us knows */
    if (uci->variants == NULL)
        return strcmp(game, uci->dialect->standard) == 0;
    if (!find_variant(uci, game, variant))
        return false;
    set_option(uci, "UCI_Variant", strlen("UCI_Variant"), variant);
    return true;
}

bool uci_begin(struct uci *uci, const char *game)
{
    if (uci->stage == GONE)
        return true; /* which was said */
    if (uci->stage == THINKING)
        uci_forget(uci);
    if (!choose_variant(uci, game))
        return false;
    for (int i = 0; i < uci->option_count; i++) {
        const char *option = uci->options[i], *value = strchr(option, '=');
        set_option(uci, option, (size_t)(value - option), value + 1);
    }
    if (uci->dialect->new_game != NULL)
        say_line(uci, uci->dialect->new_game);
    say_line(uci, "isready");
    if (uci->stage != GONE) {
        uci->stage = PREPARING;
        expect(uci, HANDSHAKE_MS);
    }
    return true;
}

/* --- questions -------------------------------------------------------------------------------- */

static uint64_t sum_ms(const struct uci_limits *limits)
{
    int mover = limits->mover;
    if (limits->move_ms > 0)
        return limits->move_ms;
    return limits->left_ms[mover] + limits->increment_ms[mover] + limits->period_ms;
}

static void write_clocks(const struct uci *uci, FILE *out, const struct uci_limits *limits)
{
    /* Who moves first is white in UCI and black in USI. */
    const char first = uci->kind == UCI_SHOGI ? 'b' : 'w', second = first == 'b' ? 'w' : 'b';
    const uint64_t *left = limits->left_ms, *increment = limits->increment_ms;
    if (uci->kind == UCI_XIANGQI) {
        int mover = limits->mover;
        fprintf(out, " time %llu increment %llu opptime %llu oppincrement %llu",
                (unsigned long long)left[mover], (unsigned long long)increment[mover],
                (unsigned long long)left[!mover], (unsigned long long)increment[!mover]);
        return;
    }
    fprintf(out, " %ctime %llu %ctime %llu", first, (unsigned long long)left[0], second,
            (unsigned long long)left[1]);
    if (uci->kind == UCI_SHOGI && limits->period_ms > 0)
        fprintf(out, " byoyomi %llu", (unsigned long long)limits->period_ms);
    else
        fprintf(out, " %cinc %llu %cinc %llu", first, (unsigned long long)increment[0], second,
                (unsigned long long)increment[1]);
}

static void write_limits(const struct uci *uci, FILE *out, const struct uci_limits *limits)
{
    uint64_t move_ms = limits->move_ms;
    if (limits->nodes > 0) {
        fprintf(out, " nodes %llu", (unsigned long long)limits->nodes);
        return;
    }
    /* Nothing left but periods is a time for each move, which only USI has a word for. */
    if (move_ms == 0 && limits->left_ms[limits->mover] == 0 && uci->kind != UCI_SHOGI)
        move_ms = limits->period_ms * 3 / 4 + 1;
    if (move_ms > 0)
        fprintf(out, " movetime %llu", (unsigned long long)move_ms);
    else
        write_clocks(uci, out, limits);
}

void uci_think(struct uci *uci, const char *position, const char *moves,
               const struct uci_limits *limits)
{
    char *text;
    size_t length;
    if (uci->stage != READY)
        return;
    FILE *out = memory_stream(&text, &length);
    fprintf(out, "%s %s%s%s\ngo", uci->dialect->position, position,
            moves[0] != '\0' ? " moves" : "", moves);
    write_limits(uci, out, limits);
    fputc('\n', out);
    fclose(out);
    uci->stage = THINKING;
    uci->unwanted = false;
    expect(uci, limits->nodes > 0 ? NODES_MS : sum_ms(limits) + OVERTIME_MS);
    say(uci, text, length);
    free(text);
}

void uci_forget(struct uci *uci)
{
    if (uci->stage != THINKING || uci->unwanted)
        return;
    uci->unwanted = true;
    say_line(uci, "stop");
    if (uci->stage == THINKING)
        expect(uci, OVERTIME_MS);
}

bool uci_is_thinking(const struct uci *uci)
{
    return uci->stage == THINKING;
}

/* --- what it says ----------------------------------------------------------------------------- */

static void hear_answer(struct uci *uci, const char *words)
{
    char move[UCI_MOVE_BYTES] = "";
    sscanf(words, "%63s", move);
    bool none =
        strcmp(move, "(none)") == 0 || strcmp(move, "resign") == 0 || strcmp(move, "win") == 0;
    uci->stage = READY;
    uv_timer_stop(&uci->patience);
    if (!uci->unwanted)
        uci->events.moved(uci->events.context, none ? "" : move);
    else
        uci->events.ready(uci->events.context);
}

static bool begins(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == '\0' || line[length] == ' ');
}

static void hear(struct uci *uci, const char *line)
{
    if (uci->stage == INTRODUCING && strstr(line, "UCI_Variant") != NULL && uci->variants == NULL) {
        uci->variants = memory_text(line);
    } else if (uci->stage == INTRODUCING && begins(line, uci->dialect->greeted)) {
        uci->stage = KNOWN;
        uv_timer_stop(&uci->patience);
        uci->events.known(uci->events.context);
    } else if (uci->stage == PREPARING && begins(line, "readyok")) {
        uci->stage = READY;
        uv_timer_stop(&uci->patience);
        uci->events.ready(uci->events.context);
    } else if (uci->stage == THINKING && begins(line, "bestmove")) {
        hear_answer(uci, line + strlen("bestmove"));
    } else if (uci->stage == THINKING && begins(line, "nobestmove")) {
        hear_answer(uci, "resign");
    }
}

static void take(struct uci *uci, char byte)
{
    if (byte == '\n') {
        uci->line[uci->length] = '\0';
        uci->length = 0;
        if (!uci->cut)
            hear(uci, uci->line);
        uci->cut = false;
    } else if (uci->length + 1 == LINE_BYTES) {
        uci->cut = true;
    } else if (byte != '\r') {
        uci->line[uci->length++] = byte;
    }
}

static void on_bytes(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    struct uci *uci = stream->data;
    for (ssize_t i = 0; i < count && uci->stage != GONE; i++)
        take(uci, buffer->base[i]);
    free(buffer->base);
    if (count < 0) {
        uv_read_stop(stream);
        give_up(uci, "it says nothing any more");
    }
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    (void)handle;
    *buffer = uv_buf_init(memory_bytes(suggested), (unsigned)suggested);
}

static void on_exit_of_it(uv_process_t *process, int64_t status, int signal_number)
{
    struct uci *uci = process->data;
    char why[64];
    uci->running = false;
    snprintf(why, sizeof why, signal_number != 0 ? "it ended by signal %d" : "it ended with %d",
             signal_number != 0 ? signal_number : (int)status);
    give_up(uci, why);
}

/* --- its life --------------------------------------------------------------------------------- */

struct uci *uci_start(struct uv_loop_s *loop, enum uci_dialect dialect, const char *program,
                      const char *const *options, int option_count, const struct uci_events *events)
{
    struct uci *uci = memory_zeroed(1, sizeof *uci);
    uci->events = *events;
    uci->kind = dialect;
    uci->dialect = &dialects[dialect];
    uci->options = options;
    uci->option_count = option_count;
    uv_pipe_init(loop, &uci->in, 0);
    uv_pipe_init(loop, &uci->out, 0);
    uv_timer_init(loop, &uci->patience);
    uci->in.data = uci->out.data = uci->patience.data = uci->process.data = uci;
    char *words[] = {memory_text(program), NULL};
    uv_stdio_container_t pipes[] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&uci->in},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&uci->out},
        {.flags = UV_INHERIT_FD, .data.fd = 2},
    };
    const uv_process_options_t how = {
        .file = program, .args = words, .stdio = pipes, .stdio_count = 3, .exit_cb = on_exit_of_it};
    int fault = uv_spawn(loop, &uci->process, &how);
    free(words[0]);
    if (fault != 0) {
        give_up(uci, uv_strerror(fault));
        return uci;
    }
    uci->running = true;
    uv_read_start((uv_stream_t *)&uci->out, on_room, on_bytes);
    expect(uci, HANDSHAKE_MS);
    say_line(uci, uci->dialect->word);
    return uci;
}

static void close_handle(uv_handle_t *handle)
{
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

void uci_stop(struct uci *uci)
{
    uci->stage = GONE;
    if (uci->running)
        uv_process_kill(&uci->process, SIGKILL);
    uv_read_stop((uv_stream_t *)&uci->out);
    close_handle((uv_handle_t *)&uci->in);
    close_handle((uv_handle_t *)&uci->out);
    close_handle((uv_handle_t *)&uci->patience);
    close_handle((uv_handle_t *)&uci->process);
}

void uci_free(struct uci *uci)
{
    if (uci == NULL)
        return;
    free(uci->variants);
    free(uci);
}
