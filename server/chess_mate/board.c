#include "server/chess_mate/board.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 8, UNORDERED = 1000, CASTLING = 100 };

static const char kinds[KINDS + 1] = "PNBRQK";

/* Chess Mate's offsets, on a board sixteen squares wide with a8 = 0, in its order; 0 ends a list. */
static const int white_pawn[] = {-16, -32, -17, -15, 0};
static const int black_pawn[] = {16, 32, 17, 15, 0};
static const int knight[] = {-18, -33, -31, -14, 18, 33, 31, 14, 0};
static const int bishop[] = {-17, -15, 17, 15, 0};
static const int rook[] = {-16, 1, 16, -1, 0};
static const int queen[] = {-17, -16, -15, 1, 17, 16, 15, -1, 0};

static int wide(int square)
{
    return square / 8 * 16 + square % 8;
}

int square_of_name(const char *name)
{
    if (name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' || name[2] != '\0')
        return NO_SQUARE;
    return ('8' - name[1]) * 8 + name[0] - 'a';
}

void square_write_name(int square, char name[3])
{
    name[0] = (char)('a' + square % 8);
    name[1] = (char)('8' - square / 8);
    name[2] = '\0';
}

static void put(struct board *board, int square, char colour, char piece)
{
    board->colour[square] = colour;
    board->piece[square] = piece;
}

void board_init(struct board *board)
{
    static const char back[] = "RNBQKBNR";
    memset(board, 0, sizeof *board);
    for (int file = 0; file < 8; file++) {
        put(board, file, 'B', back[file]);
        put(board, 8 + file, 'B', 'P');
        put(board, 48 + file, 'W', 'P');
        put(board, 56 + file, 'W', back[file]);
    }
}

char board_turn(const struct board *board)
{
    return board->ply % 2 == 0 ? 'W' : 'B';
}

static int kind_of(char piece)
{
    const char *at = strchr(kinds, piece);
    assert(piece != 0 && at != NULL);
    return (int)(at - kinds);
}

static void take(struct board *board, int square, struct ply *ply)
{
    if (board->piece[square] == 0)
        return;
    ply->flag = 'x';
    board->taken[ply->player == 'W' ? 0 : 1][kind_of(board->piece[square])]++;
    put(board, square, 0, 0);
}

static void move(struct board *board, int from, int to)
{
    put(board, to, board->colour[from], board->piece[from]);
    put(board, from, 0, 0);
}

static char letter_of(const char *figure)
{
    return figure == NULL                  ? 'Q'
           : strcmp(figure, "knight") == 0 ? 'N'
           : strcmp(figure, "rook") == 0   ? 'R'
           : strcmp(figure, "bishop") == 0 ? 'B'
                                           : 'Q';
}

struct ply board_play(struct board *board, int from, int to, const char *choice, int64_t at_ms)
{
    struct ply ply = {.player = board->colour[from],
                      .flag = '-',
                      .piece = board->piece[from],
                      .from = from,
                      .to = to,
                      .at_ms = at_ms};
    bool pawn = ply.piece == 'P';
    int files = to % 8 - from % 8;
    take(board, to, &ply);
    if (pawn && files != 0 && ply.flag == '-')
        take(board, from + files, &ply); /* in passing: beside where it stood */
    move(board, from, to);
    if (ply.piece == 'K' && abs(files) == 2)
        move(board, files > 0 ? from + 3 : from - 4, from + files / 2);
    if (pawn && (to < 8 || to >= 56))
        board->piece[to] = letter_of(choice);
    board->ply++;
    return ply;
}

/* --- attacks ---------------------------------------------------------------------------------- */

/* The first figure from there in that direction, NO_SQUARE when there is none within `reach` steps. */
static int look(const struct board *board, int from, int offset, int reach)
{
    int at = wide(from);
    for (int step = 0; step < reach; step++) {
        at += offset;
        if (at < 0 || (at & 0x88) != 0)
            return NO_SQUARE;
        int square = at / 16 * 8 + at % 16;
        if (board->piece[square] != 0)
            return square;
    }
    return NO_SQUARE;
}

static bool attacked_along(const struct board *board, int king, const int *offsets, int reach,
                           const char *pieces)
{
    for (; *offsets != 0; offsets++) {
        int by = look(board, king, *offsets, reach);
        if (by != NO_SQUARE && board->colour[by] != board->colour[king] &&
            strchr(pieces, board->piece[by]) != NULL)
            return true;
    }
    return false;
}

bool board_in_check(const struct board *board)
{
    char turn = board_turn(board);
    int king = 0;
    while (king < SQUARES && (board->piece[king] != 'K' || board->colour[king] != turn))
        king++;
    if (king == SQUARES)
        return false;
    /* Where a pawn of ours would take, theirs stands that gives check. */
    const int *pawn = turn == 'W' ? white_pawn + 2 : black_pawn + 2;
    return attacked_along(board, king, rook, 7, "RQ") ||
           attacked_along(board, king, bishop, 7, "BQ") ||
           attacked_along(board, king, knight, 1, "N") ||
           attacked_along(board, king, queen, 1, "K") || attacked_along(board, king, pawn, 1, "P");
}

/* --- the order of a list ---------------------------------------------------------------------- */

static const int *offsets_of(char colour, char piece)
{
    switch (piece) {
    case 'P':
        return colour == 'W' ? white_pawn : black_pawn;
    case 'N':
        return knight;
    case 'B':
        return bishop;
    case 'R':
        return rook;
    default:
        return queen;
    }
}

/* Direction first, then distance; castling comes last, to the king's side before the queen's. */
static int rank_of(const struct board *board, int from, int to)
{
    char piece = board->piece[from];
    const int *offsets = offsets_of(board->colour[from], piece);
    int delta = wide(to) - wide(from);
    int reach = piece == 'B' || piece == 'R' || piece == 'Q' ? 7 : 1;
    for (int i = 0; offsets[i] != 0; i++)
        for (int step = 1; step <= reach; step++)
            if (delta == offsets[i] * step)
                return i * DIRECTIONS + step;
    return piece == 'K' ? CASTLING - delta : UNORDERED;
}

int board_order_targets(const struct board *board, int from, int *targets, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int target = targets[i];
        int at = kept;
        int rank = rank_of(board, from, target);
        while (at > 0 && rank_of(board, from, targets[at - 1]) > rank)
            at--;
        if (at > 0 && targets[at - 1] == target)
            continue; /* the same with another choice */
        memmove(targets + at + 1, targets + at, (size_t)(kept - at) * sizeof *targets);
        targets[at] = target;
        kept++;
    }
    return kept;
}

/* --- JSON ------------------------------------------------------------------------------------- */

void board_write_squares(const struct board *board, struct writer *writer)
{
    writer_object(writer);
    for (int square = 0; square < SQUARES; square++) {
        char name[3];
        square_write_name(square, name);
        writer_key(writer, name);
        writer_object(writer);
        writer_key(writer, "color");
        writer_string_bytes(writer, &board->colour[square], board->colour[square] != 0);
        writer_key(writer, "piece");
        if (board->piece[square] == 0)
            writer_null(writer);
        else
            writer_string_bytes(writer, &board->piece[square], 1);
        writer_end(writer);
    }
    writer_end(writer);
}

void board_write_score(const struct board *board, struct writer *writer)
{
    writer_object(writer);
    for (int colour = 0; colour < 2; colour++) {
        writer_key(writer, colour == 0 ? "W" : "B");
        writer_object(writer);
        for (int kind = 0; kind < KINDS; kind++) {
            writer_key_bytes(writer, &kinds[kind], 1);
            writer_integer(writer, board->taken[colour][kind]);
        }
        writer_end(writer);
    }
    writer_end(writer);
}
