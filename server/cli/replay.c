#include "server/cli/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "server/cli/game_file.h"
#include "server/core/catalogue.h"
#include "server/core/pgn_read.h"
#include "server/core/replay.h"
#include "server/core/view.h"

enum { FILE_BYTES_MAX = 64 * 1024 * 1024 };

static const char usage[] = "usage: senet replay [--quiet] [--game GAME.json] FILE\n"
                            "\n"
                            "Plays an exported game (ROOM.senet.json) again by the rules it was "
                            "played by: the definition must have\n"
                            "the hash it names, the events must follow one another without a gap, "
                            "and every move must be legal. Prints\n"
                            "after each of them: version, kind, seat, move, the position's hash, "
                            "and the hash of the room's state as the\n"
                            "server told it, separated by tabs; then how the game stands.\n"
                            "\n"
                            "A FILE in PGN is read as the record it would be brought in as; "
                            "--game names the file of the game it tells.\n";

struct arguments {
    bool quiet, help;
    const char *game, *path; /* NULL: not named */
};

/* What is printed of a step needs names in the form in which rooms have them. */
struct printing {
    struct catalogue catalogue;
    struct edition *edition; /* NULL before the first step */
    struct view_cells *cells;
    bool quiet;
};

/* --- the file --------------------------------------------------------------------------------- */

/* NULL, having said why; else the caller's. */
static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (file == NULL || size < 0) {
        fprintf(stderr, "%s: cannot be read: %s\n", path, strerror(errno));
    } else if (size > FILE_BYTES_MAX) {
        fprintf(stderr, "%s: is too large for an exported game\n", path);
    } else if ((text = malloc((size_t)size + 1)) != NULL) {
        rewind(file);
        *length = fread(text, 1, (size_t)size, file);
        text[*length] = '\0';
    }
    if (file != NULL)
        fclose(file);
    return text;
}

/* --- the events ------------------------------------------------------------------------------- */

static void print_text(struct text text)
{
    if (text.data != NULL)
        printf("%.*s", (int)text.length, text.data);
}

static void print_move(const struct event *event)
{
    if (event->kind != EVENT_MOVED)
        return;
    if (event->pass || event->swap) {
        printf(event->pass ? "pass" : "swap");
        return;
    }
    print_text(event->from);
    if (event->from.data != NULL)
        putchar('-');
    print_text(event->to);
    if (event->choice.data != NULL) {
        putchar('=');
        print_text(event->choice);
    }
}

static void print_hashes(struct printing *printing, const struct replay *replay)
{
    struct state state;
    if (printing->edition == NULL)
        printing->edition = catalogue_add_edition(
            &printing->catalogue, replay->hash, replay->players, replay->record.definition.data,
            replay->record.definition.length, game_retain(replay->game));
    view_fill(&state, printing->cells, printing->edition, &replay->standing, replay->position);
    printf("\t%016" PRIx64 "\t%08" PRIx32 "\n", position_hash(replay->position),
           state_hash(&state));
}

static void print_step(void *context, const struct replay *replay, int64_t version,
                       const struct event *event)
{
    struct printing *printing = context;
    if (printing->quiet)
        return;
    printf("%" PRId64 "\t%s\t", version, event_kind_word(event->kind));
    if (event->seat_count > 0)
        print_text(event->seats[0]);
    putchar('\t');
    print_move(event);
    print_hashes(printing, replay);
}

static void print_end(const struct replay *replay)
{
    static const char *const words[] = {"waiting", "playing", "finished"};
    const struct standing *standing = &replay->standing;
    printf("%s, %d events, position %016" PRIx64, words[standing->status],
           replay->record.event_count, position_hash(replay->position));
    if (standing->has_result && standing->winner != PLAYER_NONE)
        printf(", %s wins: %s", game_facts(replay->game)->player_names[standing->winner],
               standing->reason);
    else if (standing->has_result && standing->loser != PLAYER_NONE)
        printf(", %s loses: %s", game_facts(replay->game)->player_names[standing->loser],
               standing->reason);
    else if (standing->has_result)
        printf(", %s%s", standing->aborted ? "" : "drawn: ", standing->reason);
    putchar('\n');
}

static bool play(const char *path, const char *text, size_t length, bool quiet)
{
    struct replay replay = {.words = ""};
    struct printing printing = {.quiet = quiet, .cells = memory_zeroed(1, sizeof *printing.cells)};
    catalogue_init(&printing.catalogue, (struct hash_key){0});
    bool sound = replay_run(&replay, text, length, print_step, &printing);
    if (sound)
        print_end(&replay);
    else
        fprintf(stderr, "%s: %s\n", path, replay.words);
    catalogue_release_edition(&printing.catalogue, printing.edition);
    catalogue_release(&printing.catalogue);
    replay_release(&replay);
    free(printing.cells);
    return sound;
}

/* --- PGN -------------------------------------------------------------------------------------- */

/* The record of the text; NULL, having said why. Both are the caller's. */
static char *read_pgn(const struct arguments *arguments, const char *text, size_t *length)
{
    char words[PGN_WORDS_BYTES];
    if (arguments->game == NULL) {
        fprintf(stderr, "%s: this is PGN: name its game's file with --game\n", arguments->path);
        return NULL;
    }
    size_t definition_length;
    char *definition = game_file_whole(arguments->game, &definition_length);
    if (definition == NULL)
        return NULL;
    const struct pgn_source source = {.id = {"", 0}, .definition = {definition, definition_length}};
    char *record = pgn_read(text, *length, &source, length, words);
    if (record == NULL)
        fprintf(stderr, "%s: %s\n", arguments->path, words);
    free(definition);
    return record;
}

/* --- the command ------------------------------------------------------------------------------ */

static bool read_arguments(int argc, char **argv, struct arguments *arguments)
{
    *arguments = (struct arguments){.quiet = false};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            arguments->help = true;
        else if (strcmp(argv[i], "--quiet") == 0)
            arguments->quiet = true;
        else if (strcmp(argv[i], "--game") == 0 && i + 1 < argc)
            arguments->game = argv[++i];
        else if (argv[i][0] != '-' && arguments->path == NULL)
            arguments->path = argv[i];
        else
            return false;
    }
    return arguments->help || arguments->path != NULL;
}

int cli_replay(int argc, char **argv)
{
    struct arguments arguments;
    size_t length = 0;
    if (!read_arguments(argc, argv, &arguments)) {
        fputs(usage, stderr);
        return 2;
    }
    if (arguments.help) {
        fputs(usage, stdout);
        return 0;
    }
    char *text = read_file(arguments.path, &length);
    if (text != NULL && pgn_is(text, length)) {
        char *record = read_pgn(&arguments, text, &length);
        free(text);
        text = record;
    }
    bool sound = text != NULL && play(arguments.path, text, length, arguments.quiet);
    free(text);
    return sound && !ferror(stdout) ? 0 : 1;
}
