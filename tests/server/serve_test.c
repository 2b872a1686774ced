/* `senet serve` as a program: how it starts, what it says, how it ends. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/server/socket.h"

enum { ARGUMENTS_MAX = 24, START_WITHIN_MS = 20000 };

struct program {
    pid_t pid;
    int out;         /* its standard output */
    char line[4096]; /* the first line of it */
    int port;
};

static char folder[64]; /* of this run, for stores */
static struct socket_frame frame;
static char text[SOCKET_ANSWER_BYTES_MAX];
static const char *const host = "127.0.0.1";

static const char *program_path(void)
{
    const char *path = getenv("SENET_PROGRAM");
    return path != NULL ? path : "build/dev/senet";
}

/* Runs with the environment this test was given less our variables, and `variable` if it is not NULL. */
static struct program start(const char *const *arguments, const char *variable)
{
    struct program program = {0};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    program.pid = fork();
    if (program.pid == 0) {
        char *list[ARGUMENTS_MAX] = {"senet"};
        for (int i = 0; arguments[i] != NULL; i++)
            list[i + 1] = (char *)arguments[i];
        const char *path = program_path();
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        if (variable != NULL)
            putenv((char *)variable);
        execv(path, list);
        _exit(99);
    }
    close(ends[1]);
    program.out = ends[0];
    return program;
}

static void read_line(struct program *program)
{
    size_t used = 0;
    struct pollfd poll_out = {.fd = program->out, .events = POLLIN};
    while (used < sizeof program->line - 1 && poll(&poll_out, 1, START_WITHIN_MS) == 1 &&
           read(program->out, program->line + used, 1) == 1 && program->line[used] != '\n')
        used++;
    program->line[used] = '\0';
}

/* A server with a store of its own (`name`) that listens. */
static struct program serve(const char *name, const char *const *more)
{
    char store[128];
    const char *arguments[ARGUMENTS_MAX] = {"serve", "--listen", "127.0.0.1:0", "--store", store};
    snprintf(store, sizeof store, "sqlite://%s/%s.db", folder, name);
    for (int i = 0; more != NULL && more[i] != NULL; i++)
        arguments[5 + i] = more[i];
    struct program program = start(arguments, NULL);
    read_line(&program);
    const char *port = strstr(program.line, "\"port\":");
    if (port == NULL || strstr(program.line, "\"fact\":\"listening\"") == NULL)
        fail_msg("the first line is: %s", program.line);
    program.port = atoi(port + 7);
    return program;
}

/* Its exit status; everything it still said is in `text`. */
static int wait_for(struct program *program)
{
    int status = 0;
    size_t used = 0;
    ssize_t got;
    while (used < sizeof text - 1 &&
           (got = read(program->out, text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(program->out);
    assert_int_equal(waitpid(program->pid, &status, 0), program->pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static int stop(struct program *program)
{
    kill(program->pid, SIGTERM);
    return wait_for(program);
}

static int get(int port, const char *path)
{
    char request[256];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n",
             path);
    return socket_http(host, port, request, text, sizeof text);
}

static void expect_message(int fd, const char *part)
{
    socket_read_message(fd, &frame);
    if (frame.opcode != 1 || strstr(frame.payload, part) == NULL)
        fail_msg("expected %s, got %d %.200s", part, frame.opcode, frame.payload);
}

/* A WebSocket that has said who it is. */
static int open_session(int port)
{
    int fd = socket_open_ws(host, port);
    assert_true(fd >= 0);
    expect_message(fd, "\"type\":\"hello\"");
    socket_send_text(fd, "{\"type\":\"auth\",\"id\":\"1\"}");
    expect_message(fd, "\"type\":\"welcome\"");
    return fd;
}

static void a_room(int fd, char *room)
{
    socket_send_text(fd, "{\"type\":\"create\",\"id\":\"2\",\"game\":\"chess\"}");
    expect_message(fd, "\"type\":\"ack\"");
    const char *at = strstr(frame.payload, "\"room\":\"");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\"room\":\"%23[A-Za-z0-9]\"", room), 1);
}

static void the_first_line_says_where_and_it_is_true(void **state)
{
    struct program program = serve("first", NULL);
    (void)state;
    assert_non_null(strstr(program.line, "\"level\":\"info\""));
    assert_non_null(strstr(program.line, "\"address\":\"127.0.0.1\""));
    assert_non_null(strstr(program.line, "\"url\":\"http://127.0.0.1:"));
    assert_int_equal(get(program.port, "/healthz"), 200);
    assert_int_equal(get(program.port, "/readyz"), 200);
    assert_int_equal(get(program.port, "/"), 200);
    assert_int_equal(get(program.port, "/games/chess/white-king.svg"), 200);
    assert_non_null(strstr(text, "Content-Type: image/svg+xml"));
    assert_int_equal(get(program.port, "/api/v1/games"), 200);
    assert_non_null(strstr(text, "\"id\":\"chess\""));
    assert_int_equal(get(program.port, "/api/v1/games/chess"), 200);
    assert_int_equal(get(program.port, "/api/v1/games/quidditch"), 404);
    assert_int_equal(get(program.port, "/api/v1/rooms"), 200);
    assert_int_equal(get(program.port, "/metrics"), 200);
    assert_non_null(strstr(text, "# TYPE senet_moves_total counter"));
    assert_int_equal(stop(&program), 0);
    assert_non_null(strstr(text, "\"fact\":\"stopped\""));
}

static void a_signal_closes_everybody_with_1012_and_the_next_start_knows_the_room(void **state)
{
    char room[24], command[128];
    struct program program = serve("restart", NULL);
    int fd = open_session(program.port), waiting = socket_connect(host, program.port);
    (void)state;
    a_room(fd, room);
    kill(program.pid, SIGTERM);
    do
        socket_read_message(fd, &frame);
    while (frame.opcode == 1);
    assert_int_equal(frame.close_code, 1012);
    assert_string_equal(frame.payload + 2, "restart");
    socket_send_frame(fd, 0x88, frame.payload, 2);
    close(fd);
    assert_int_equal(wait_for(&program), 0);
    close(waiting);
    program = serve("restart", NULL);
    fd = open_session(program.port);
    snprintf(command, sizeof command,
             "{\"type\":\"join\",\"id\":\"9\",\"room\":\"%s\",\"seat\":\"spectator\"}", room);
    socket_send_text(fd, command);
    expect_message(fd, "\"type\":\"ack\"");
    close(fd);
    assert_int_equal(stop(&program), 0);
}

static void peers_that_do_not_answer_do_not_keep_the_server(void **state)
{
    struct program program = serve("deaf", NULL);
    int fd = open_session(program.port);
    time_t before = time(NULL);
    (void)state;
    assert_int_equal(stop(&program), 0);
    assert_in_range(time(NULL) - before, 0, 8);
    close(fd);
}

/* What systemd gives a service, and what it is told. */
static void systemd_is_told_how_it_goes(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char variable[160], store[128];
    const char *const expected[] = {"READY=1", "WATCHDOG=1", "WATCHDOG=1"};
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    (void)state;
    snprintf(address.sun_path, sizeof address.sun_path, "%s/notify", folder);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    snprintf(variable, sizeof variable, "NOTIFY_SOCKET=%s", address.sun_path);
    setenv("WATCHDOG_USEC", "200000", 1);
    unsetenv("WATCHDOG_PID");
    snprintf(store, sizeof store, "sqlite://%s/notify.db", folder);
    const char *arguments[] = {"serve", "--listen", "127.0.0.1:0", "--store", store, NULL};
    struct program program = start(arguments, variable);
    unsetenv("WATCHDOG_USEC");
    for (int said = 0; said < 3;) { /* a watchdog's word may come before it is ready */
        char line[64] = "";
        assert_true(recv(fd, line, sizeof line - 1, 0) > 0);
        said += strcmp(line, expected[said]) == 0;
    }
    kill(program.pid, SIGTERM);
    for (char line[64] = ""; strcmp(line, "STOPPING=1") != 0;) {
        memset(line, 0, sizeof line);
        assert_true(recv(fd, line, sizeof line - 1, 0) > 0);
    }
    assert_int_equal(wait_for(&program), 0);
    close(fd);
    unlink(address.sun_path);
}

static void a_second_signal_ends_it_at_once(void **state)
{
    struct program program = serve("twice", NULL);
    int fd = open_session(program.port);
    (void)state;
    kill(program.pid, SIGINT);
    do
        socket_read_message(fd, &frame);
    while (frame.opcode == 1);
    assert_int_equal(frame.close_code, 1012);
    kill(program.pid, SIGINT);
    assert_int_equal(wait_for(&program), 128 + SIGINT);
    close(fd);
}

static void who_does_not_say_who_it_is_is_closed(void **state)
{
    static const char *const more[] = {"--auth-within-ms", "100", NULL};
    struct program program = serve("silent", more);
    int fd = socket_open_ws(host, program.port);
    (void)state;
    expect_message(fd, "\"type\":\"hello\"");
    socket_read_message(fd, &frame);
    assert_int_equal(frame.close_code, 1008);
    close(fd);
    assert_int_equal(stop(&program), 0);
}

static void a_bot_of_the_house_takes_a_seat_and_moves(void **state)
{
    static const char *const more[] = {"--bot-think-ms=1", NULL};
    char room[24], command[128];
    struct program program = serve("house", more);
    int fd = open_session(program.port);
    (void)state;
    a_room(fd, room);
    snprintf(command, sizeof command,
             "{\"type\":\"join\",\"id\":\"3\",\"room\":\"%s\",\"seat\":\"black\"}", room);
    socket_send_text(fd, command);
    snprintf(command, sizeof command,
             "{\"type\":\"action\",\"id\":\"4\",\"room\":\"%s\",\"kind\":\"bot.invite\"}", room);
    socket_send_text(fd, command);
    for (int i = 0; i < 20 && strstr(frame.payload, "\"kind\":\"moved\"") == NULL; i++)
        socket_read_message(fd, &frame);
    assert_non_null(strstr(frame.payload, "\"seat\":\"white\""));
    close(fd);
    assert_int_equal(stop(&program), 0);
}

static void a_definition_of_ones_own_is_compiled_beside_the_loop(void **state)
{
    struct program program = serve("compile", NULL);
    int fd = open_session(program.port);
    (void)state;
    socket_send_text(
        fd, "{\"type\":\"games\",\"id\":\"5\",\"op\":\"validate\",\"definition\":{\"name\":1}}");
    expect_message(fd, "\"valid\":false");
    close(fd);
    assert_int_equal(stop(&program), 0);
}

static void a_game_file_with_errors_is_said_and_left_out(void **state)
{
    char games[96], path[128];
    const char *more[] = {"--games", games, NULL};
    (void)state;
    snprintf(games, sizeof games, "%s/games", folder);
    snprintf(path, sizeof path, "%s/broken.json", games);
    assert_int_equal(mkdir(games, 0700), 0);
    FILE *file = fopen(path, "w");
    fputs("{\"name\": 7}\n", file);
    fclose(file);
    struct program program = serve("broken", more);
    assert_int_equal(get(program.port, "/api/v1/games"), 200);
    assert_non_null(strstr(text, "{\"games\":[]}"));
    assert_int_equal(stop(&program), 0);
    assert_non_null(strstr(text, "\"fact\":\"game_refused\""));
    assert_non_null(strstr(text, "broken.json"));
    assert_non_null(strstr(text, "\"line\":1"));
}

struct failure {
    const char *name;
    const char *arguments[6], *variable;
    int status;
    const char *said;
};

/* clang-format off */
static const struct failure failures[] = {
    {"an unknown flag",          {"serve", "--lisen", "x"},                              NULL,                2, "did you mean --listen?"},
    {"an unknown variable",      {"serve"},                                              "SENET_LISTENN=x",   2, "did you mean SENET_LISTEN?"},
    {"an address that is none",  {"serve", "--store", "sqlite::memory:", "--listen", "8080"}, NULL,           1, "cannot_listen"},
    {"a store that is none",     {"serve", "--listen", "127.0.0.1:0", "--store", "mysql://x"}, NULL,          1, "cannot_open_store"},
    {"games that are nowhere",   {"serve", "--store", "sqlite::memory:", "--games", "/nowhere"}, NULL,        1, "cannot_read"},
    {"no command",               {NULL},                                                 NULL,                2, "usage: senet COMMAND"},
    {"an unknown command",       {"server"},                                             NULL,                2, "there is no command server"},
    {"help",                     {"serve", "--help"},                                    NULL,                0, "SENET_ROOM_IDLE_MS"},
    {"version",                  {"version"},                                            NULL,                0, "senet 0."},
};
/* clang-format on */

static void what_cannot_start_says_why_and_with_which_status(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        struct program program = start(failures[i].arguments, failures[i].variable);
        int status = wait_for(&program);
        if (status != failures[i].status || strstr(text, failures[i].said) == NULL)
            fail_msg("%s: status %d, said %s", failures[i].name, status, text);
    }
}

static void a_taken_port_is_said(void **state)
{
    char listen[64];
    struct program first = serve("port", NULL);
    const char *arguments[] = {"serve", "--store", "sqlite::memory:", "--listen", listen, NULL};
    (void)state;
    snprintf(listen, sizeof listen, "127.0.0.1:%d", first.port);
    struct program second = start(arguments, NULL);
    assert_int_equal(wait_for(&second), 1);
    assert_non_null(strstr(text, "in use"));
    assert_int_equal(stop(&first), 0);
}

static void the_store_is_kept_below_the_state_folder_by_default(void **state)
{
    char variable[128], path[160];
    const char *arguments[] = {"serve", "--listen", "127.0.0.1:0", NULL};
    (void)state;
    snprintf(variable, sizeof variable, "XDG_STATE_HOME=%s/state", folder);
    struct program program = start(arguments, variable);
    read_line(&program);
    assert_non_null(strstr(program.line, "listening"));
    assert_int_equal(stop(&program), 0);
    snprintf(path, sizeof path, "%s/state/senet/senet.db", folder);
    assert_int_equal(access(path, R_OK), 0);
}

static void clear_environment(void)
{
    extern char **environ;
    const char *path = program_path();
    for (size_t i = 0; environ[i] != NULL;) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(environ[i], "="), environ[i]);
        if (strncmp(name, "SENET_", 6) == 0 && strcmp(name, "SENET_PROGRAM") != 0)
            unsetenv(name);
        else
            i++;
    }
    if (access(path, X_OK) != 0) {
        fprintf(stderr, "there is no program at %s\n", path);
        exit(1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_says_where_and_it_is_true),
        cmocka_unit_test(a_signal_closes_everybody_with_1012_and_the_next_start_knows_the_room),
        cmocka_unit_test(peers_that_do_not_answer_do_not_keep_the_server),
        cmocka_unit_test(systemd_is_told_how_it_goes),
        cmocka_unit_test(a_second_signal_ends_it_at_once),
        cmocka_unit_test(who_does_not_say_who_it_is_is_closed),
        cmocka_unit_test(a_bot_of_the_house_takes_a_seat_and_moves),
        cmocka_unit_test(a_definition_of_ones_own_is_compiled_beside_the_loop),
        cmocka_unit_test(a_game_file_with_errors_is_said_and_left_out),
        cmocka_unit_test(what_cannot_start_says_why_and_with_which_status),
        cmocka_unit_test(a_taken_port_is_said),
        cmocka_unit_test(the_store_is_kept_below_the_state_folder_by_default),
    };
    char command[128];
    signal(SIGPIPE, SIG_IGN);
    clear_environment();
    strcpy(folder, "/tmp/senet-serve-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 ? 1 : failed;
}
