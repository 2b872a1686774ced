#include "server/cli/perft.h"

#include "engine/memory/memory.h"
#include "engine/movegen.h"
#include "engine/notation.h"
#include "server/cli/game_file.h"
#include "server/cli/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPTH_MAX = 32 };

struct request {
    const char *path, *position; /* a position's text; NULL: the start */
    int depth;
    bool divide;
    enum perft_way way;
    struct load_options options;
};

/* Options that are one word. */
static bool read_flag(const char *word, struct request *request)
{
    if (strcmp(word, "--divide") == 0)
        request->divide = true;
    else if (strcmp(word, "--made") == 0)
        request->way = PERFT_MADE;
    else if (strcmp(word, "--interpreted") == 0)
        request->way = PERFT_INTERPRETED;
    else if (strcmp(word, "--ignore-movement-if") == 0)
        request->options.ignore_movement_if = true;
    else
        return false;
    return true;
}

/* Options that are followed by a value. */
static bool read_setting(const char *word, const char *value, struct request *request)
{
    if (value == NULL)
        return false;
    if (strcmp(word, "--players") == 0)
        return number_read(value, 1, PLAYERS_MAX, &request->options.player_count);
    if (strcmp(word, "--fen") != 0)
        return false;
    request->position = value;
    return true;
}

/* Options may stand anywhere; the two other arguments are the file and the depth. */
static bool read_request(int argc, char **argv, struct request *request)
{
    const char *plain[2] = {NULL, NULL};
    int plain_count = 0;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0 && plain_count < 2)
            plain[plain_count++] = argv[i];
        else if (read_flag(argv[i], request))
            continue;
        else if (read_setting(argv[i], i + 1 < argc ? argv[i + 1] : NULL, request))
            i++;
        else
            return false;
    }
    request->path = plain[0];
    return plain_count == 2 && number_read(plain[1], 1, DEPTH_MAX, &request->depth);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The leaves below each move. A move that leaves its turn unfinished has the whole depth below it. */
static void divide(const struct request *request, struct notation *notation,
                   struct position *position)
{
    const struct game *game = position_game(position);
    struct undo *undo = undo_new(game);
    struct move *moves = memory_bytes(((size_t)game_facts(game)->moves_max + 1) * sizeof *moves);
    int count = movegen_all(position, moves);
    for (int i = 0; i < count; i++) {
        char text[NOTATION_MOVE_BYTES];
        notation_write_move(notation, position, NULL, moves[i], NOTATION_COORDINATE, text);
        position_make(position, moves[i], undo);
        bool goes_on = position_active(position) != CELL_NONE;
        uint64_t leaves = perft_by(position, request->depth - !goes_on, request->way);
        printf("%s\t%llu\n", text, (unsigned long long)leaves);
        position_unmake(position, undo);
    }
    free(moves);
    undo_free(undo);
}

static void count(const struct request *request, struct position *position, int depth)
{
    double start = seconds();
    uint64_t leaves = perft_by(position, depth, request->way);
    printf("%d\t%llu\t%.6f\n", depth, (unsigned long long)leaves, seconds() - start);
    fflush(stdout);
}

static bool set_up(const struct request *request, struct notation *notation,
                   struct position *position)
{
    char words[NOTATION_WORDS_BYTES];
    if (request->position == NULL ||
        notation_read_position(notation, position, request->position, words))
        return true;
    fprintf(stderr, "this position cannot be read: %s\n", words);
    return false;
}

static int answer(const struct request *request, const struct game *game)
{
    struct notation *notation = notation_new(game);
    struct position *position = position_new(game);
    bool sound = set_up(request, notation, position);
    if (sound && request->divide)
        divide(request, notation, position);
    for (int depth = 1; sound && depth <= request->depth; depth++)
        count(request, position, depth);
    position_free(position);
    notation_free(notation);
    return sound && !ferror(stdout) ? 0 : 1;
}

int cli_perft(int argc, char **argv)
{
    static const char usage[] = "usage: senet perft FILE DEPTH [--fen TEXT] [--divide] [--made | "
                                "--interpreted] [--players N]\n"
                                "                   [--ignore-movement-if]   (DEPTH 1 to 32)\n";
    struct request request = {.way = PERFT_COUNTED};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_request(argc, argv, &request)) {
        fputs(usage, stderr);
        return 2;
    }
    struct game *game = game_file_load(request.path, &request.options);
    if (game == NULL)
        return 1;
    int status = answer(&request, game);
    game_release(game);
    return status;
}
