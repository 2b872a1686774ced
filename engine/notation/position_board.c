/* The board of a position's text, in rows or in lists of pieces, and what is in hand. */
#include "engine/notation/room.h"

#include <string.h>

/* --- rows ------------------------------------------------------------------------------------- */

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

void notation_skip_spaces(struct position_reading *reading)
{
    reading->at += strspn(reading->at, " \t\r\n");
}

size_t notation_word_length(const char *text)
{
    return strcspn(text, " \t\r\n");
}

bool notation_refuse_text(struct position_reading *reading, const char *format, const char *text,
                          const char *end)
{
    return notation_refuse(reading->words, format, notation_quote(text, (size_t)(end - text)).text);
}

/* The word that comes next. */
static bool refuse_word(struct position_reading *reading, const char *format)
{
    return notation_refuse_text(reading, format, reading->at,
                                reading->at + notation_word_length(reading->at));
}

bool notation_read_number(const char **at, int most, int *number)
{
    int value = 0;
    if (!is_digit(**at))
        return false;
    for (; is_digit(**at); (*at)++) {
        value = value * 10 + (**at - '0');
        if (value > most)
            return false;
    }
    *number = value;
    return true;
}

/* What the text names here, and goes on behind it; 0: there is none. Of several letters the longest: what follows the shorter one there
 * begins none. */
static uint16_t read_letter(struct position_reading *reading)
{
    const struct game *game = reading->game;
    size_t longest = 0;
    uint16_t found = 0;
    for (int code = 1; code < game->code_count; code++) {
        const char *letter = game->notation->letters[code];
        size_t length = letter == NULL ? 0 : notation_prefix(reading->at, letter);
        found = length > longest ? (uint16_t)code : found;
        longest = length > longest ? length : longest;
    }
    reading->at += longest;
    return found;
}

static bool refuse_row(struct position_reading *reading, int row, const char *what)
{
    return notation_refuse(reading->words, "row %d has too %s cells", row, what);
}

static bool refuse_letter(struct position_reading *reading, int row)
{
    size_t length = notation_word_length(reading->at);
    if (*reading->at == '\0' || length == 0 || strchr("/|", *reading->at) != NULL)
        return refuse_row(reading, row, "few");
    size_t byte = (size_t)(reading->at - reading->start) + 1;
    return notation_refuse(reading->words, "no figure is written `%s` (byte %zu, row %d)",
                           notation_quote(reading->at, length).text, byte, row);
}

/* What stands behind a row that is complete. */
static bool read_row_end(struct position_reading *reading, int row, char expected)
{
    char found = *reading->at;
    bool hands = found == '[' && reading->game->notation->hands_in_brackets;
    if (expected == '\0')
        return hands || notation_word_length(reading->at) == 0 || refuse_row(reading, row, "many");
    if (found == expected) {
        reading->at++;
        return true;
    }
    if (found == '\0' || notation_word_length(reading->at) == 0)
        return notation_refuse(reading->words, "the text ends after row %d", row);
    if (found == '/' || found == '|')
        return notation_refuse(reading->words, "behind row %d stands `%c`, not `%c`", row, found,
                               expected);
    return refuse_row(reading, row, "many");
}

/* One cell of a row. `run` is how many cells from here on are known to be empty. */
static bool read_row_cell(struct position_reading *reading, int row, cell_index cell, int *run)
{
    if (*run == 0 && is_digit(*reading->at)) {
        if (!notation_read_number(&reading->at, CELLS_MAX, run))
            return refuse_row(reading, row, "many");
        if (*run == 0)
            return notation_refuse(reading->words, "row %d counts 0 empty cells", row);
    }
    if (*run > 0) {
        (*run)--;
        return true;
    }
    uint16_t code = read_letter(reading);
    if (code == 0)
        return refuse_letter(reading, row);
    position_write(reading->position, cell, (struct cell_record){.code = code});
    return true;
}

static bool read_rows(struct position_reading *reading)
{
    const struct notation_tables *tables = reading->game->notation;
    int row = 1, run = 0, count = reading->game->cell_count;
    for (int i = 0; i < count; i++) {
        if (!read_row_cell(reading, row, tables->order[i], &run))
            return false;
        bool row_ends = tables->ends[i] != '\0' || i + 1 == count;
        if (!row_ends)
            continue;
        if (run > 0)
            return refuse_row(reading, row, "many");
        if (!read_row_end(reading, row, tables->ends[i]))
            return false;
        row++;
    }
    return true;
}

/* The letter of what stands there; NULL: it has none. */
static const char *letter_at(const struct position *position, cell_index cell)
{
    return position->game->notation->letters[position->cells[cell].code];
}

static bool write_rows(const struct position *position, struct notation_text *text)
{
    const struct game *game = position->game;
    const struct notation_tables *tables = game->notation;
    int run = 0;
    for (int i = 0; i < game->cell_count; i++) {
        cell_index cell = tables->order[i];
        bool empty = position->cells[cell].code == 0;
        bool row_ends = tables->ends[i] != '\0' || i + 1 == game->cell_count;
        run += empty;
        if (run > 0 && (!empty || row_ends)) {
            notation_text_add_number(text, run);
            run = 0;
        }
        const char *letter = empty ? "" : letter_at(position, cell);
        if (letter == NULL)
            return false;
        notation_text_add(text, letter);
        notation_text_add(text, (char[]){tables->ends[i], '\0'});
    }
    return true;
}

/* --- lists of pieces -------------------------------------------------------------------------- */

static bool put_once(struct position_reading *reading, cell_index cell, uint16_t code)
{
    if (reading->position->cells[cell].code != 0)
        return notation_refuse(reading->words, "cell %s is named twice",
                               reading->game->cells[cell].name);
    position_write(reading->position, cell, (struct cell_record){.code = code});
    return true;
}

/* `31-50`: all cells whose names are the numbers between. */
static bool put_range(struct position_reading *reading, const char *item, size_t length,
                      uint16_t code)
{
    int first = 0, last = 0;
    const char *at = item;
    bool sound = notation_read_number(&at, CELLS_MAX, &first) && *at++ == '-' &&
                 notation_read_number(&at, CELLS_MAX, &last) && at == item + length &&
                 first <= last;
    for (int number = first; sound && number <= last; number++) {
        char digits[16];
        struct notation_text name = notation_text_begin(digits, sizeof digits);
        notation_text_add_number(&name, number);
        cell_index cell = game_find_cell(reading->game, digits, strlen(digits));
        if (cell == CELL_NONE)
            return notation_refuse(reading->words, "there is no cell %d", number);
        if (!put_once(reading, cell, code))
            return false;
    }
    return sound || notation_refuse_text(reading, "`%s` is neither a cell nor a range of cells",
                                         item, item + length);
}

/* A figure's letter and its cell. One kind's letter may be empty: it is that where none other is written. */
static bool read_piece(struct position_reading *reading, player_index player)
{
    const struct game *game = reading->game;
    size_t length = strcspn(reading->at, ",:. \t\r\n"), skip = 0;
    const char *item = reading->at;
    uint16_t code = 0;
    reading->at += length;
    for (int figure = 0; figure < game->figure_count && skip == 0; figure++) {
        uint16_t one = game_code(game, (figure_index)figure, player);
        const char *letter = game->notation->letters[one];
        size_t prefix = letter == NULL ? 0 : notation_prefix(item, letter);
        bool other = prefix == 0 ? letter == NULL || letter[0] != '\0' : prefix >= length;
        if (other)
            continue;
        code = one;
        skip = prefix;
    }
    if (code == 0)
        return notation_refuse_text(reading, "no figure is written `%s`", item, item + length);
    cell_index cell = game_find_cell(game, item + skip, length - skip);
    return cell != CELL_NONE ? put_once(reading, cell, code)
                             : put_range(reading, item + skip, length - skip, code);
}

static bool read_pieces_of_player(struct position_reading *reading)
{
    const struct game *game = reading->game;
    player_index player = PLAYER_NONE;
    notation_skip_spaces(reading);
    for (int i = 0; i < game->player_count && player == PLAYER_NONE; i++) {
        size_t length = notation_prefix(reading->at, game->notation->players[i]);
        reading->at += length;
        player = length > 0 ? (player_index)i : PLAYER_NONE;
    }
    if (player == PLAYER_NONE)
        return refuse_word(reading, "no player is written `%s`");
    if (*reading->at == '\0' || strchr(":. \t\r\n", *reading->at) != NULL)
        return true;
    for (;;) {
        notation_skip_spaces(reading);
        if (!read_piece(reading, player))
            return false;
        if (*reading->at != ',')
            return true;
        reading->at++;
    }
}

static bool read_pieces(struct position_reading *reading)
{
    while (reading->at[strspn(reading->at, " \t\r\n")] == ':') {
        notation_skip_spaces(reading);
        reading->at++;
        if (!read_pieces_of_player(reading))
            return false;
    }
    if (reading->at[strspn(reading->at, " \t\r\n")] == '.')
        notation_skip_spaces(reading);
    reading->at += *reading->at == '.';
    return notation_word_length(reading->at) == 0 || refuse_word(reading, "`%s` is not understood");
}

static bool write_pieces(const struct position *position, struct notation_text *text)
{
    const struct game *game = position->game;
    for (int n = 0; n < game->player_count; n++) {
        player_index player = game->notation->player_order[n];
        notation_text_add(text, ":");
        notation_text_add(text, game->notation->players[player]);
        bool first = true;
        for (int i = 0; i < game->cell_count; i++) {
            cell_index cell = game->notation->order[i];
            uint16_t code = position->cells[cell].code;
            if (code == 0 || game->code_players[code] != player)
                continue;
            if (letter_at(position, cell) == NULL)
                return false;
            notation_text_add(text, first ? "" : ",");
            notation_text_add(text, letter_at(position, cell));
            notation_text_add(text, game->cells[cell].name);
            first = false;
        }
    }
    return true;
}

/* --- hands ------------------------------------------------------------------------------------ */

static bool refuse_hands(struct position_reading *reading, const char *at, const char *end)
{
    return notation_refuse_text(reading, "nothing in hand is written `%s`", at, end);
}

/* So many more of it. */
static bool add_to_hand(struct position *position, unsigned code, int number)
{
    int held = position->hands[code - 1] + number;
    if (held <= HAND_MAX)
        position_keep(position, code - 1, (unsigned)held);
    return held <= HAND_MAX;
}

bool notation_read_hands(struct position_reading *reading, const char *end)
{
    while (reading->at < end) {
        const char *begin = reading->at;
        int number = 1;
        if (is_digit(*begin) && !notation_read_number(&reading->at, HAND_MAX, &number))
            return refuse_hands(reading, begin, end);
        uint16_t code = reading->at < end ? read_letter(reading) : 0;
        if (code == 0 || number == 0 || reading->at > end ||
            !add_to_hand(reading->position, code, number))
            return refuse_hands(reading, begin, end);
    }
    return true;
}

static bool write_held(const char *letter, int number, bool counted, struct notation_text *text)
{
    if (letter == NULL)
        return false;
    if (counted && number > 1)
        notation_text_add_number(text, number);
    for (int i = 0; i < (counted ? 1 : number); i++)
        notation_text_add(text, letter);
    return true;
}

bool notation_write_hands(const struct position *position, bool counted, struct notation_text *text)
{
    const struct game *game = position->game;
    for (int player = 0; player < game->player_count; player++)
        for (int figure = 0; figure < game->figure_count; figure++) {
            uint16_t code = game_code(game, (figure_index)figure, (player_index)player);
            int number = position->hands[code - 1];
            if (number > 0 && !write_held(game->notation->letters[code], number, counted, text))
                return false;
        }
    return true;
}

/* `[Pp]` behind the board; a text may do without it where there is nothing in hand, or have a dash within. */
static bool read_brackets(struct position_reading *reading)
{
    const char *begin = reading->at, *end = strchr(begin, ']');
    if (*begin != '[' || !reading->game->notation->hands_in_brackets)
        return true;
    if (end == NULL || (size_t)(end - begin) >= notation_word_length(begin))
        return notation_refuse(reading->words, "behind the board a `]` is missing");
    reading->at++;
    bool nothing = end - begin == 2 && begin[1] == '-';
    if (!nothing && !notation_read_hands(reading, end))
        return false;
    reading->at = end + 1;
    return notation_word_length(reading->at) == 0 || refuse_word(reading, "`%s` is not understood");
}

static bool write_brackets(const struct position *position, struct notation_text *text)
{
    if (!position->game->notation->hands_in_brackets)
        return true;
    notation_text_add(text, "[");
    bool written = notation_write_hands(position, false, text);
    notation_text_add(text, "]");
    return written;
}

/* --- both ------------------------------------------------------------------------------------- */

bool notation_read_board(struct position_reading *reading)
{
    bool rows = reading->game->notation->style == POSITION_ROWS;
    return rows ? read_rows(reading) && read_brackets(reading) : read_pieces(reading);
}

bool notation_write_board(const struct position *position, struct notation_text *text)
{
    bool rows = position->game->notation->style == POSITION_ROWS;
    return rows ? write_rows(position, text) && write_brackets(position, text)
                : write_pieces(position, text);
}
