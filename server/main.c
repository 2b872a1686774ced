/* The program's front door: picks the subcommand. */
#include <stdio.h>
#include <string.h>

#include "server/cli/backup.h"
#include "server/cli/bot.h"
#include "server/cli/check.h"
#include "server/cli/drain.h"
#include "server/cli/engine.h"
#include "server/cli/games.h"
#include "server/cli/new_game.h"
#include "server/cli/perft.h"
#include "server/cli/play.h"
#include "server/cli/playouts.h"
#include "server/cli/prune.h"
#include "server/cli/ratings.h"
#include "server/cli/replay.h"
#include "server/cli/serve.h"

struct command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
    const char *help;
};

static int help(int argc, char **argv);
static int version(int argc, char **argv);

/* clang-format off */
static const struct command commands[] = {
    {"serve",   cli_serve,  "serve games, the page and the protocol"},
    {"drain",   cli_drain,  "end a server on this machine in order, and wait for it"},
    {"check",   cli_check,  "read a game file and say what is wrong with it"},
    {"new",     cli_new,    "a game file to begin with"},
    {"play",    cli_play,   "play a game in this terminal, against bots or for both sides"},
    {"playouts", cli_playouts, "play a game many times by chance: how it ends, what is never used"},
    {"perft",   cli_perft,  "count the sequences of moves of a game, to check its rules"},
    {"engine",  cli_engine, "the rules of one game for other programs, on standard input and output"},
    {"bot",     cli_bot,    "sit down in a room and play"},
    {"replay",  cli_replay, "play an exported game again and check it"},
    {"backup",  cli_backup, "copy the store, also while a server uses it"},
    {"prune",   cli_prune,  "remove from the store what has had its time"},
    {"games",   cli_games,  "the games players have published: list, hide, show"},
    {"ratings", cli_ratings, "how strong players are; worked out again from their games"},
    {"version", version,    "which Senet this is"},
    {"help",    help,       "this list; each command has its own --help"},
};
/* clang-format on */

static void list_commands(FILE *out)
{
    fputs("usage: senet COMMAND [ARGUMENT…]\n\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].help);
}

static int help(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    list_commands(stdout);
    return 0;
}

static int version(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("senet " SENET_VERSION);
    return 0;
}

static const char *command_name(const char *argument)
{
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
        return "help";
    return strcmp(argument, "--version") == 0 ? "version" : argument;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        list_commands(stderr);
        return 2;
    }
    const char *name = command_name(argv[1]);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "senet: there is no command %s\n\n", name);
    list_commands(stderr);
    return 2;
}
