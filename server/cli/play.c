#include "server/cli/play.h"

#include "engine/explain.h"
#include "engine/memory/memory.h"
#include "engine/notation.h"
#include "engine/random_move.h"
#include "server/cli/game_file.h"
#include "server/cli/numbers.h"
#include "server/cli/play_board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { LINE_BYTES = 256, MOVES_SHOWN_MAX = 300, SEED_MAX = 1000000000 };

static const char usage[] =
    "usage: senet play FILE [--as PLAYER | --both] [--seed N] [--players N]\n"
    "\n"
    "You play the first player, or the one named, or all; bots play the others, by chance.\n";

static const char help[] = "a move as the game writes it; or\n"
                           "  moves   the legal moves\n"
                           "  undo    back to your move before\n"
                           "  claim   end the game with what you may claim\n"
                           "  board   the board again\n"
                           "  quit    (or the end of the input)\n";

struct play {
    const char *path, *as; /* as: NULL: the first player */
    bool both, over;
    int seed_given;
    uint64_t seed;
    struct load_options options;
    const struct game *game;
    player_index human; /* PLAYER_NONE: all are */
    struct position *position;
    struct notation *notation;
    struct play_board *board;
    struct move *moves; /* room for the legal ones */
    struct move *made;  /* since the start */
    size_t made_count, made_room;
};

/* --- showing ---------------------------------------------------------------------------------- */

static const char *name_to_move(const struct play *play)
{
    return game_facts(play->game)->player_names[position_to_move(play->position)];
}

static bool is_humans(const struct play *play)
{
    return play->human == PLAYER_NONE || position_to_move(play->position) == play->human;
}

static void show(const struct play *play)
{
    printf("\n");
    play_board_print(play->board, play->position, stdout);
}

static void show_end(const struct play *play, struct outcome outcome)
{
    show(play);
    if (outcome.kind == OUTCOME_WON)
        printf("%s wins", game_facts(play->game)->player_names[outcome.winner]);
    else if (outcome.kind == OUTCOME_LOST)
        printf("%s loses", game_facts(play->game)->player_names[outcome.loser]);
    else
        printf("drawn");
    printf("%s%s\n", outcome.reason[0] != '\0' ? ": " : "", outcome.reason);
}

static void write_move(struct play *play, struct move move, char text[NOTATION_MOVE_BYTES])
{
    bool algebraic = game_has_move_notation(play->game, NOTATION_ALGEBRAIC);
    notation_write_move(play->notation, play->position, NULL, move,
                        algebraic ? NOTATION_ALGEBRAIC : NOTATION_COORDINATE, text);
}

static void show_moves(struct play *play)
{
    int count = movegen_all(play->position, play->moves);
    for (int i = 0; i < count && i < MOVES_SHOWN_MAX; i++) {
        char text[NOTATION_MOVE_BYTES];
        notation_write_move(play->notation, play->position, NULL, play->moves[i],
                            NOTATION_COORDINATE, text);
        printf("%s%s", i > 0 ? " " : "", text);
    }
    if (count > MOVES_SHOWN_MAX)
        printf(" and %d more", count - MOVES_SHOWN_MAX);
    printf("\n");
}

/* --- moving ----------------------------------------------------------------------------------- */

static void make(struct play *play, struct move move)
{
    if (play->made_count == play->made_room) {
        play->made_room = 2 * play->made_room + 64;
        play->made = memory_resize(play->made, play->made_room, sizeof *play->made);
    }
    play->made[play->made_count++] = move;
    position_make(play->position, move, NULL);
}

static void go_back_to(struct play *play, size_t count)
{
    position_reset(play->position);
    for (size_t i = 0; i < count; i++)
        position_make(play->position, play->made[i], NULL);
    play->made_count = count;
}

/* To before the last move that a person made. */
static void undo(struct play *play)
{
    size_t count = play->made_count;
    do {
        if (count == 0) {
            go_back_to(play, play->made_count);
            printf("there is no move of yours to take back\n");
            return;
        }
        size_t kept = play->made_count;
        go_back_to(play, --count);
        play->made_count = kept;
    } while (!is_humans(play));
    play->made_count = count;
    show(play);
}

/* Why it is no move, in the game's words where the text names cells. */
static void refuse(struct play *play, const char *text, const char *words)
{
    struct move move;
    struct explanation explanation;
    if (notation_parse_move(play->notation, play->position, text, &move) && move_has_cells(move)) {
        position_explain(play->position, move.from, move.to, move.choice, &explanation);
        words = explanation.words;
    }
    printf("%s\n", words);
}

static void claim(struct play *play)
{
    struct outcome outcome = position_claim(play->position);
    if (outcome.kind == OUTCOME_PLAYING) {
        printf("there is nothing to claim\n");
        return;
    }
    show_end(play, outcome);
    play->over = true;
}

static void try_move(struct play *play, const char *text)
{
    struct move move;
    char words[NOTATION_WORDS_BYTES];
    if (!notation_read_move(play->notation, play->position, text, &move, words))
        refuse(play, text, words);
    else
        make(play, move);
}

static void obey(struct play *play, const char *line)
{
    if (strcmp(line, "quit") == 0)
        play->over = true;
    else if (strcmp(line, "help") == 0)
        fputs(help, stdout);
    else if (strcmp(line, "moves") == 0)
        show_moves(play);
    else if (strcmp(line, "undo") == 0)
        undo(play);
    else if (strcmp(line, "claim") == 0)
        claim(play);
    else if (strcmp(line, "board") == 0)
        show(play);
    else if (line[0] != '\0')
        try_move(play, line);
}

/* A line without what is around its words; false at the end of the input. */
static bool read_line(char line[LINE_BYTES])
{
    size_t length = 0;
    bool too_long = false;
    int byte = getchar();
    if (byte == EOF)
        return false;
    for (; byte != EOF && byte != '\n'; byte = getchar()) {
        too_long |= length + 1 >= LINE_BYTES;
        if (!too_long && (length > 0 || byte != ' '))
            line[length++] = byte == '\0' ? '?' : (char)byte;
    }
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\r'))
        length--;
    line[length] = '\0';
    if (too_long) {
        printf("no move is so long\n");
        line[0] = '\0';
    }
    return true;
}

/* --- the game --------------------------------------------------------------------------------- */

static void ask(struct play *play)
{
    char line[LINE_BYTES];
    printf("%s> ", name_to_move(play));
    fflush(stdout);
    size_t before = play->made_count;
    if (!read_line(line)) {
        printf("\n");
        play->over = true;
        return;
    }
    obey(play, line);
    if (play->made_count > before)
        show(play);
}

static void move_bot(struct play *play)
{
    struct move move;
    char text[NOTATION_MOVE_BYTES];
    if (!random_move(play->position, &play->seed, play->moves, &move)) {
        play->over = true;
        return;
    }
    write_move(play, move, text);
    printf("%s: %s\n", name_to_move(play), text);
    make(play, move);
    if (is_humans(play))
        show(play);
}

static void play_on(struct play *play)
{
    show(play);
    while (!play->over && !ferror(stdout)) {
        struct outcome outcome = position_outcome(play->position);
        if (outcome.kind != OUTCOME_PLAYING) {
            show_end(play, outcome);
            play->over = true;
        } else if (is_humans(play)) {
            ask(play);
        } else {
            move_bot(play);
        }
    }
}

static bool choose_player(struct play *play)
{
    player_index named = play->as != NULL ? game_find_player(play->game, play->as, strlen(play->as))
                                          : (player_index)0;
    play->human = play->both ? (player_index)PLAYER_NONE : named;
    if (play->both || named != PLAYER_NONE)
        return true;
    fprintf(stderr, "the game has no player %.64s\n", play->as);
    return false;
}

static void run(struct play *play)
{
    play->position = position_new(play->game);
    play->notation = notation_new(play->game);
    play->board = play_board_new(play->game);
    play->moves = memory_zeroed((size_t)game_facts(play->game)->moves_max + 1, sizeof *play->moves);
    printf("%s. help says what can be typed\n", game_facts(play->game)->title);
    play_board_legend(play->board, stdout);
    play_on(play);
    free(play->made);
    free(play->moves);
    play_board_free(play->board);
    notation_free(play->notation);
    position_free(play->position);
}

/* --- the command ------------------------------------------------------------------------------ */

/* Options that are followed by a value. */
static bool read_setting(const char *word, const char *value, struct play *play)
{
    if (strcmp(word, "--seed") == 0)
        return number_read(value, 0, SEED_MAX, &play->seed_given);
    if (strcmp(word, "--players") == 0)
        return number_read(value, 1, PLAYERS_MAX, &play->options.player_count);
    if (strcmp(word, "--as") != 0)
        return false;
    play->as = value;
    return value[0] != '\0';
}

static bool read_options(int argc, char **argv, struct play *play)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--both") == 0)
            play->both = true;
        else if (read_setting(argv[i], i + 1 < argc ? argv[i + 1] : "", play))
            i++;
        else if (argv[i][0] != '-' && play->path == NULL)
            play->path = argv[i];
        else
            return false;
    }
    return play->path != NULL && !(play->both && play->as != NULL);
}

static bool choose_seed(struct play *play)
{
    play->seed = (uint64_t)play->seed_given;
    return play->seed_given >= 0 ||
           getrandom(&play->seed, sizeof play->seed, 0) == sizeof play->seed;
}

int cli_play(int argc, char **argv)
{
    struct play play = {.seed_given = -1};
    struct opened_game opened;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_options(argc, argv, &play) || !choose_seed(&play)) {
        fputs(usage, stderr);
        return 2;
    }
    bool sound = game_file_open(play.path, &play.options, &opened);
    play.game = opened.game;
    sound = sound && choose_player(&play);
    if (sound)
        run(&play);
    game_file_close(&opened);
    return sound && !ferror(stdout) ? 0 : 1;
}
