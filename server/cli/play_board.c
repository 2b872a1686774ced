#include "server/cli/play_board.h"

#include "engine/memory/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 160, ROWS_MAX = 100, TWO = 2 };

/* Distances are in steps: the least by which two cells differ, but not so small that the text has no room. */
static const double step_min = 0.25;

struct play_board {
    const struct game *game;
    char letters[FIGURES_MAX]; /* small ones; digits where names give none */
    cell_index *at;            /* row * columns + column: the cell there; CELL_NONE: none */
    int rows, columns;
    bool drawn; /* every cell has a place of its own */
};

/* --- letters ---------------------------------------------------------------------------------- */

static bool is_free(const struct play_board *board, int count, char letter)
{
    return memchr(board->letters, letter, (size_t)count) == NULL;
}

/* The first letter of its name that none before it has. */
static char letter_of(const struct play_board *board, int figure)
{
    const char *name = game_facts(board->game)->figure_names[figure];
    for (const char *at = name; *at != '\0'; at++)
        if (isascii((unsigned char)*at) && isalpha((unsigned char)*at) &&
            is_free(board, figure, (char)tolower((unsigned char)*at)))
            return (char)tolower((unsigned char)*at);
    for (const char *letter = "abcdefghijklmnopqrstuvwxyz"; *letter != '\0'; letter++)
        if (is_free(board, figure, *letter))
            return *letter;
    return '?';
}

static bool are_two(const struct play_board *board)
{
    return game_facts(board->game)->player_count <= TWO;
}

/* Of two players the first has capitals; of more each has a number behind the letter. */
static void write_figure(const struct play_board *board, struct contents contents, char text[4])
{
    char letter = board->letters[contents.figure];
    if (are_two(board))
        snprintf(text, 4, "%c", contents.player == 0 ? toupper((unsigned char)letter) : letter);
    else
        snprintf(text, 4, "%c%d", letter, (contents.player + 1) % 10);
}

void play_board_legend(const struct play_board *board, FILE *out)
{
    for (int i = 0; i < game_facts(board->game)->figure_count; i++)
        fprintf(out, "%s%c %s", i > 0 ? ", " : "", board->letters[i],
                game_facts(board->game)->figure_names[i]);
    for (int i = 0; i < game_facts(board->game)->player_count; i++) {
        const char *name = game_facts(board->game)->player_names[i];
        if (are_two(board))
            fprintf(out, "; %s %s", name, i == 0 ? "in capitals" : "in small letters");
        else
            fprintf(out, "; %s %d", name, i + 1);
    }
    fprintf(out, "\n");
}

/* --- places ----------------------------------------------------------------------------------- */

static double coordinate(const struct play_board *board, int cell, bool down)
{
    const struct cell_layout *layout = &game_facts(board->game)->cells[cell].layout;
    return down ? layout->y : layout->x;
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b ? 1 : 0;
}

/* From the least to the greatest, in steps; `most` are allowed. */
struct scale {
    double least, step;
    int count;
};

static struct scale scale_of(const struct play_board *board, bool down, int most)
{
    int cells = game_facts(board->game)->cell_count;
    double *all = memory_zeroed((size_t)cells, sizeof *all);
    for (int i = 0; i < cells; i++)
        all[i] = coordinate(board, i, down);
    qsort(all, (size_t)cells, sizeof *all, compare_numbers);
    double span = all[cells - 1] - all[0];
    struct scale scale = {.least = all[0], .step = span > 1 ? span : 1};
    for (int i = 1; i < cells; i++)
        if (all[i] - all[i - 1] >= step_min && all[i] - all[i - 1] < scale.step)
            scale.step = all[i] - all[i - 1];
    if (span / scale.step >= most)
        scale.step = span / (most - 1);
    scale.count = (int)(span / scale.step + 0.5) + 1;
    free(all);
    return scale;
}

static void put_cells(struct play_board *board)
{
    struct scale across = scale_of(board, false, COLUMNS_MAX),
                 down = scale_of(board, true, ROWS_MAX);
    board->columns = across.count;
    board->rows = down.count;
    board->drawn = true;
    size_t places = (size_t)board->rows * (size_t)board->columns;
    board->at = memory_zeroed(places, sizeof *board->at);
    for (size_t i = 0; i < places; i++)
        board->at[i] = CELL_NONE;
    for (int i = 0; i < game_facts(board->game)->cell_count; i++) {
        int column = (int)((coordinate(board, i, false) - across.least) / across.step + 0.5);
        int row = (int)((coordinate(board, i, true) - down.least) / down.step + 0.5);
        cell_index *place = &board->at[row * board->columns + column];
        board->drawn &= *place == CELL_NONE;
        *place = (cell_index)i;
    }
}

struct play_board *play_board_new(const struct game *game)
{
    struct play_board *board = memory_zeroed(1, sizeof *board);
    board->game = game;
    for (int i = 0; i < game_facts(game)->figure_count; i++)
        board->letters[i] = letter_of(board, i);
    put_cells(board);
    return board;
}

void play_board_free(struct play_board *board)
{
    free(board->at);
    free(board);
}

/* --- printing --------------------------------------------------------------------------------- */

static cell_index end_of_row(const struct play_board *board, int row, bool last)
{
    cell_index found = CELL_NONE;
    for (int i = 0; i < board->columns && (last || found == CELL_NONE); i++)
        if (board->at[row * board->columns + i] != CELL_NONE)
            found = board->at[row * board->columns + i];
    return found;
}

static const char *name_of(const struct play_board *board, cell_index cell)
{
    return cell != CELL_NONE ? game_facts(board->game)->cells[cell].name : "";
}

/* The cells of a row, between the names of its first and its last. */
static void print_row(const struct play_board *board, const struct position *position, int row,
                      FILE *out)
{
    int width = are_two(board) ? 2 : 3;
    fprintf(out, "%8.16s  ", name_of(board, end_of_row(board, row, false)));
    for (int i = 0; i < board->columns; i++) {
        cell_index cell = board->at[row * board->columns + i];
        char text[4] = "";
        if (cell != CELL_NONE && position_contents(position, cell).figure == FIGURE_NONE)
            snprintf(text, sizeof text, ".");
        else if (cell != CELL_NONE)
            write_figure(board, position_contents(position, cell), text);
        fprintf(out, "%-*s", width, text);
    }
    fprintf(out, " %.16s\n", name_of(board, end_of_row(board, row, true)));
}

/* Where cells lie too near to each other to be drawn: what stands where. */
static void print_list(const struct play_board *board, const struct position *position, FILE *out)
{
    for (int i = 0; i < game_facts(board->game)->cell_count; i++) {
        struct contents contents = position_contents(position, (cell_index)i);
        char text[4];
        if (contents.figure == FIGURE_NONE)
            continue;
        write_figure(board, contents, text);
        fprintf(out, "%s %s  ", name_of(board, (cell_index)i), text);
    }
    fprintf(out, "\n");
}

/* Of each player, where some player may have something in hand. */
static void print_hands(const struct play_board *board, const struct position *position, FILE *out)
{
    for (int i = 0; i < game_facts(board->game)->player_count; i++) {
        const char *between = "";
        fprintf(out, "%s in hand: ", game_facts(board->game)->player_names[i]);
        for (int k = 0; k < game_facts(board->game)->figure_count; k++) {
            int count = position_hand(position, (player_index)i, (figure_index)k);
            if (count == 0)
                continue;
            fprintf(out, "%s%d %s", between, count, game_facts(board->game)->figure_names[k]);
            between = ", ";
        }
        fprintf(out, "%s\n", *between == '\0' ? "nothing" : "");
    }
}

void play_board_print(const struct play_board *board, const struct position *position, FILE *out)
{
    if (!board->drawn)
        print_list(board, position, out);
    for (int row = 0; row < board->rows && board->drawn; row++)
        print_row(board, position, row, out);
    if (game_facts(board->game)->has_hands)
        print_hands(board, position, out);
}
