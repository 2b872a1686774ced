#include "server/cli/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/load/load.h"
#include "server/core/digest.h"
#include "server/core/standing.h"

enum {
    EXPORT_FORMAT = 1,
    FILE_BYTES_MAX = 64 * 1024 * 1024,
    EVENTS_MAX = 100000,
    WORDS_BYTES = 256,
};

static const char usage[] = "usage: senet replay [--quiet] FILE\n"
                            "\n"
                            "Plays an exported game (FILE.senet.json) again by the rules it was "
                            "played by: the definition must have\n"
                            "the hash it names, the events must follow one another without a gap, "
                            "and every move must be legal. Prints\n"
                            "each position's hash: version, kind, seat, move, hash, separated by "
                            "tabs; then how the game stands.\n";

struct replay {
    json_t *document;
    const char *definition;
    size_t definition_length;
    const json_t *events;
    struct game *game;
    struct position *position;
    struct standing standing;
    bool quiet;
    char words[WORDS_BYTES]; /* what is wrong */
};

static bool fail(struct replay *replay, const char *what, const char *detail)
{
    snprintf(replay->words, sizeof replay->words, "%.80s%.160s", what, detail);
    return false;
}

/* --- the file --------------------------------------------------------------------------------- */

static bool read_file(struct replay *replay, const char *path)
{
    json_error_t error;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail(replay, "cannot be read: ", strerror(errno));
    bool small = fseek(file, 0, SEEK_END) == 0 && ftell(file) <= FILE_BYTES_MAX;
    rewind(file);
    if (small)
        replay->document = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (!small)
        return fail(replay, "is too large for an exported game", "");
    if (replay->document == NULL) {
        snprintf(replay->words, sizeof replay->words, "line %d, column %d: %.160s", error.line,
                 error.column, error.text);
        return false;
    }
    return true;
}

static bool read_head(struct replay *replay)
{
    const json_t *format = json_object_get(replay->document, "senet_export");
    const json_t *definition = json_object_get(replay->document, "definition");
    replay->events = json_object_get(replay->document, "events");
    if (!json_is_integer(format))
        return fail(replay, "is not an exported game: there is no \"senet_export\"", "");
    if (json_integer_value(format) != EXPORT_FORMAT)
        return fail(replay, "was exported by a newer server", "");
    if (!json_is_string(definition) || !json_is_array(replay->events))
        return fail(replay, "has no definition or no events", "");
    if (json_array_size(replay->events) > EVENTS_MAX)
        return fail(replay, "has too many events", "");
    replay->definition = json_string_value(definition);
    replay->definition_length = json_string_length(definition);
    return true;
}

static bool check_hash(struct replay *replay)
{
    unsigned char digest[DIGEST_BYTES];
    char text[2 * DIGEST_BYTES + 1];
    const char *named = json_string_value(json_object_get(replay->document, "definition_hash"));
    digest_sha256(replay->definition, replay->definition_length, digest);
    digest_write_hex(digest, sizeof digest, text);
    if (named != NULL && strcmp(named, text) == 0)
        return true;
    return fail(replay, "the definition is not the one that was played: its hash is ", text);
}

static bool load_game(struct replay *replay)
{
    const json_t *players = json_object_get(replay->document, "players");
    const struct load_options options = {.player_count = (int)json_integer_value(players)};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    replay->game = game_load(replay->definition, replay->definition_length, &options, &diagnostics);
    if (replay->game == NULL)
        fail(replay, "the definition does not load: ",
             diagnostics.count > 0 ? diagnostics.list[0].message : "");
    diagnostics_release(&diagnostics);
    if (replay->game == NULL)
        return false;
    replay->position = position_new(replay->game);
    standing_init(&replay->standing, replay->game);
    return true;
}

/* --- the events ------------------------------------------------------------------------------- */

static void print_text(struct text text, const char *otherwise)
{
    if (text.data == NULL)
        printf("%s", otherwise);
    else
        printf("%.*s", (int)text.length, text.data);
}

static void print_event(const struct replay *replay, int64_t version, const struct event *event)
{
    if (replay->quiet)
        return;
    printf("%" PRId64 "\t%s\t", version, event_kind_word(event->kind));
    print_text(event->seat_count > 0 ? event->seats[0] : (struct text){NULL, 0}, "");
    putchar('\t');
    if (event->kind == EVENT_MOVED && event->pass) {
        printf("pass");
    } else if (event->kind == EVENT_MOVED) {
        print_text(event->from, "");
        putchar('-');
        print_text(event->to, "");
        if (event->choice.data != NULL) {
            putchar('=');
            print_text(event->choice, "");
        }
    }
    printf("\t%016" PRIx64 "\n", position_hash(replay->position));
}

static bool play_event(struct replay *replay, const json_t *item, int64_t expected)
{
    const json_t *version = json_object_get(item, "version");
    const char *kind = json_string_value(json_object_get(item, "kind"));
    char *body = json_dumps(json_object_get(item, "body"), JSON_COMPACT);
    struct event event;
    bool read = kind != NULL && body != NULL && json_integer_value(version) == expected &&
                event_read(kind, body, strlen(body), &event);
    if (!read) {
        free(body);
        snprintf(replay->words, sizeof replay->words,
                 "event %" PRId64 " is missing, or not an event", expected);
        return false;
    }
    struct identity holder = {.player = ""};
    if (event.player.data != NULL && event.player.length < sizeof holder.player)
        text_copy(event.player, holder.player, sizeof holder.player);
    bool follows = standing_advance(&replay->standing, replay->position, &event, &holder);
    if (follows)
        print_event(replay, expected, &event);
    else
        snprintf(replay->words, sizeof replay->words, "event %" PRId64 " (%s) cannot follow",
                 expected, event_kind_word(event.kind));
    event_release(&event);
    free(body);
    return follows;
}

static void print_end(const struct replay *replay)
{
    static const char *const words[] = {"waiting", "playing", "finished"};
    const struct standing *standing = &replay->standing;
    printf("%s, %zu events, position %016" PRIx64, words[standing->status],
           json_array_size(replay->events), position_hash(replay->position));
    if (standing->has_result && standing->winner != PLAYER_NONE)
        printf(", %s wins: %s", game_player_name(replay->game, standing->winner), standing->reason);
    else if (standing->has_result)
        printf(", drawn: %s", standing->reason);
    putchar('\n');
}

static bool play(struct replay *replay, const char *path)
{
    if (!read_file(replay, path) || !read_head(replay) || !check_hash(replay) || !load_game(replay))
        return false;
    size_t index;
    json_t *item;
    json_array_foreach(replay->events, index, item)
    {
        if (!play_event(replay, item, (int64_t)index + 1))
            return false;
    }
    print_end(replay);
    return true;
}

int cli_replay(int argc, char **argv)
{
    struct replay replay = {.quiet = argc > 1 && strcmp(argv[1], "--quiet") == 0};
    const char *path = argc == 2 + replay.quiet ? argv[1 + replay.quiet] : NULL;
    if (path != NULL && strcmp(path, "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (path == NULL || path[0] == '-') {
        fputs(usage, stderr);
        return 2;
    }
    bool sound = play(&replay, path);
    if (!sound)
        fprintf(stderr, "%s: %s\n", path, replay.words);
    position_free(replay.position);
    game_release(replay.game);
    json_decref(replay.document);
    return sound && !ferror(stdout) ? 0 : 1;
}
