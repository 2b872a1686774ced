#include "server/cli/playouts.h"

#include "engine/load/document.h"
#include "server/cli/game_file.h"
#include "server/cli/numbers.h"
#include "server/cli/random_games.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { GAMES_DEFAULT = 1000, GAMES_MAX = 10 * 1000 * 1000 };

struct playouts {
    const char *path;
    int games;
    bool json;
    struct load_options options;
};

/* --- what is printed -------------------------------------------------------------------------- */

static json_int_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static double percent(json_int_t part, json_int_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void print_lengths(const json_t *shown, json_int_t finished)
{
    const json_t *plies = json_object_get(shown, "plies");
    json_int_t unfinished = number_of(shown, "unfinished");
    double mean = finished > 0 ? (double)number_of(plies, "total") / (double)finished : 0;
    printf("  plies: %.1f on average, %lld to %lld\n", mean, (long long)number_of(plies, "least"),
           (long long)number_of(plies, "most"));
    if (unfinished > 0)
        printf("  given up, since they take too much work: %lld\n", (long long)unfinished);
}

/* How many ended so for the player: "winner", "loser"; NULL: drawn. */
static json_int_t games_of(const json_t *ends, const char *how, const char *player)
{
    json_int_t games = 0;
    for (size_t i = 0; i < json_array_size(ends); i++) {
        const json_t *end = json_array_get(ends, i);
        const char *whose = json_string_value(json_object_get(end, how));
        bool drawn = json_object_get(end, "draw") != NULL;
        if (player == NULL ? drawn : whose != NULL && strcmp(whose, player) == 0)
            games += number_of(end, "games");
    }
    return games;
}

static void print_games(const char *player, const char *words, json_int_t games,
                        json_int_t finished)
{
    printf("  %s%s: %lld (%.1f %%)\n", player, words, (long long)games, percent(games, finished));
}

static void print_player(const json_t *ends, const char *player, json_int_t finished)
{
    json_int_t lost = games_of(ends, "loser", player);
    print_games(player, " wins", games_of(ends, "winner", player), finished);
    if (lost > 0)
        print_games(player, " loses", lost, finished);
}

static void print_end(const json_t *end, json_int_t finished)
{
    const char *winner = json_string_value(json_object_get(end, "winner"));
    const char *loser = json_string_value(json_object_get(end, "loser"));
    json_int_t games = number_of(end, "games");
    printf("  %8lld  %5.1f %%  %s%s: %s\n", (long long)games, percent(games, finished),
           winner != NULL  ? winner
           : loser != NULL ? loser
                           : "drawn",
           winner != NULL  ? " wins"
           : loser != NULL ? " loses"
                           : "",
           json_string_value(json_object_get(end, "reason")));
}

/* The most frequent first. */
static void print_ends(const json_t *ends, json_int_t finished)
{
    json_t *left = json_copy((json_t *)(uintptr_t)ends);
    while (json_array_size(left) > 0) {
        size_t most = 0;
        for (size_t i = 1; i < json_array_size(left); i++)
            if (number_of(json_array_get(left, i), "games") >
                number_of(json_array_get(left, most), "games"))
                most = i;
        print_end(json_array_get(left, most), finished);
        json_array_remove(left, most);
    }
    json_decref(left);
}

/* --- what never came up ----------------------------------------------------------------------- */

static void print_unused_words(const char *path, const struct whole_text *whole, json_t *used)
{
    struct diagnostics unused;
    const char *pointer;
    json_t *times;
    diagnostics_init(&unused);
    json_object_foreach(used, pointer, times) if (json_integer_value(times) == 0) diagnostics_add(
        &unused, (struct finding){pointer, DIAGNOSTIC_WARNING, NODE_VALUE, 0, 0}, "", "never used");
    document_locate(whole->text, whole->length, true, &unused);
    whole_text_locate(whole, &unused);
    for (int i = 0; i < unused.count; i++)
        printf("%s:%d:%d: %s (at %s)\n", path, unused.list[i].line, unused.list[i].column,
               unused.list[i].message, unused.list[i].pointer);
    if (unused.dropped > 0)
        printf("%s: and %d more\n", path, unused.dropped);
    diagnostics_release(&unused);
}

static void print_unused_states(const char *path, json_t *states)
{
    const char *state;
    json_t *times;
    json_object_foreach(states, state, times) if (json_integer_value(times) == 0)
        printf("%s: nobody ever moved in the state `%s`\n", path, state);
}

/* --- the command ------------------------------------------------------------------------------ */

static void print(const struct playouts *playouts, const struct game *game,
                  const struct whole_text *whole, const json_t *shown)
{
    json_int_t finished = number_of(shown, "games") - number_of(shown, "unfinished");
    const json_t *ends = json_object_get(shown, "ends");
    printf("%s: %s: %lld games by chance\n", playouts->path, game_facts(game)->name,
           (long long)number_of(shown, "games"));
    print_lengths(shown, finished);
    for (int i = 0; i < game_facts(game)->player_count; i++)
        print_player(ends, game_facts(game)->player_names[i], finished);
    print_games("drawn", "", games_of(ends, "draw", NULL), finished);
    print_ends(ends, finished);
    print_unused_words(playouts->path, whole, json_object_get(shown, "used"));
    print_unused_states(playouts->path, json_object_get(shown, "states"));
}

static void play(const struct playouts *playouts, struct game *game, const struct whole_text *whole)
{
    struct random_games *games = random_games_new(game);
    for (int i = 0; i < playouts->games; i++)
        random_games_play(games, i);
    json_t *shown = random_games_show(games, 0);
    if (playouts->json) {
        json_dumpf(shown, stdout, JSON_INDENT(2));
        printf("\n");
    } else {
        print(playouts, game, whole, shown);
    }
    json_decref(shown);
    random_games_free(games);
}

/* Options that are followed by a number. */
static bool read_setting(const char *word, const char *value, struct playouts *playouts)
{
    if (strcmp(word, "-n") == 0)
        return number_read(value, 1, GAMES_MAX, &playouts->games);
    return strcmp(word, "--players") == 0 &&
           number_read(value, 1, PLAYERS_MAX, &playouts->options.player_count);
}

static bool read_options(int argc, char **argv, struct playouts *playouts)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            playouts->json = true;
        else if (read_setting(argv[i], i + 1 < argc ? argv[i + 1] : "", playouts))
            i++;
        else if (argv[i][0] != '-' && playouts->path == NULL)
            playouts->path = argv[i];
        else
            return false;
    }
    return playouts->path != NULL;
}

int cli_playouts(int argc, char **argv)
{
    static const char usage[] = "usage: senet playouts FILE [-n GAMES] [--players N] [--json]\n";
    struct playouts playouts = {.games = GAMES_DEFAULT};
    struct opened_game opened;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_options(argc, argv, &playouts)) {
        fputs(usage, stderr);
        return 2;
    }
    bool sound = game_file_open(playouts.path, &playouts.options, &opened);
    if (sound)
        play(&playouts, opened.game, &opened.whole);
    game_file_close(&opened);
    return sound && !ferror(stdout) ? 0 : 1;
}
