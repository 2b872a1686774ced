#include "server/cli/perft.h"

#include "engine/movegen.h"
#include "server/cli/game_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPTH_MAX = 32 };

struct request {
    const char *path;
    int depth;
    bool divide;
    struct load_options options;
};

static bool read_depth(const char *text, int *depth)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > DEPTH_MAX)
        return false;
    *depth = (int)value;
    return true;
}

/* Options may stand anywhere; the two other arguments are the file and the depth. */
static bool read_request(int argc, char **argv, struct request *request)
{
    const char *plain[2] = {NULL, NULL};
    int plain_count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--divide") == 0)
            request->divide = true;
        else if (strcmp(argv[i], "--ignore-movement-if") == 0)
            request->options.ignore_movement_if = true;
        else if (strncmp(argv[i], "--", 2) == 0 || plain_count == 2)
            return false;
        else
            plain[plain_count++] = argv[i];
    }
    request->path = plain[0];
    return plain_count == 2 && read_depth(plain[1], &request->depth);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The leaves below each move of the start position. */
static void divide(struct position *position, int depth)
{
    const struct game *game = position_game(position);
    struct undo *undo = undo_new(game);
    struct move *moves = malloc(((size_t)game_moves_max(game) + 1) * sizeof *moves);
    int count = moves == NULL ? 0 : movegen_all(position, moves);
    for (int i = 0; i < count; i++) {
        position_make(position, moves[i], undo);
        printf("%s-%s\t%llu\n", game_cell_name(game, moves[i].from),
               game_cell_name(game, moves[i].to), (unsigned long long)perft(position, depth - 1));
        position_unmake(position, moves[i], undo);
    }
    free(moves);
    undo_free(undo);
}

static void count(struct position *position, int depth)
{
    double start = seconds();
    uint64_t leaves = perft(position, depth);
    printf("%d\t%llu\t%.6f\n", depth, (unsigned long long)leaves, seconds() - start);
    fflush(stdout);
}

int cli_perft(int argc, char **argv)
{
    static const char usage[] =
        "usage: senet perft FILE DEPTH [--divide] [--ignore-movement-if]   (DEPTH 1 to 32)\n";
    struct request request = {0};
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
    struct position *position = position_new(game);
    if (request.divide)
        divide(position, request.depth);
    for (int depth = 1; depth <= request.depth; depth++)
        count(position, depth);
    position_free(position);
    game_release(game);
    return ferror(stdout) ? 1 : 0;
}
