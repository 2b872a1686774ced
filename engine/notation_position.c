#include "engine/notation_room.h"

#include "engine/condition.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- writing ---------------------------------------------------------------------------------- */

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
        if (tables->ends[i] != '\0')
            notation_text_add_byte(text, tables->ends[i]);
    }
    return true;
}

static bool write_pieces(const struct position *position, struct notation_text *text)
{
    const struct game *game = position->game;
    for (int n = 0; n < game->player_count; n++) {
        player_index player = game->notation->player_order[n];
        notation_text_add_byte(text, ':');
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
            notation_text_add(text, game_cell_name(game, cell));
            first = false;
        }
    }
    return true;
}

static void write_unmoved(const struct position *position, const struct notation_field *field,
                          struct notation_text *text)
{
    bool any = false;
    for (int i = 0; i < field->letter_count; i++) {
        const struct unmoved_letter *letter = &field->letters[i];
        bool all = true;
        for (int k = 0; k < letter->cell_count; k++)
            all = all && position_unmoved(position, letter->cells[k]);
        if (all)
            notation_text_add(text, letter->text);
        any = any || all;
    }
    notation_text_add(text, any ? "" : "-");
}

/* Whether some legal move goes to the marked cell and removes the figure that made the mark. */
static bool mark_is_takeable(struct notation *notation, const struct position *position,
                             cell_index cell, cell_index maker)
{
    int count = movegen_all(position, notation->moves);
    for (int i = 0; i < count; i++) {
        if (notation->moves[i].to != cell)
            continue;
        position_copy(notation->scratch, position);
        position_make(notation->scratch, notation->moves[i], NULL);
        if (position_contents(notation->scratch, maker).figure == FIGURE_NONE)
            return true;
    }
    return false;
}

static void write_mark(struct notation *notation, const struct position *position,
                       const struct notation_field *field, struct notation_text *text)
{
    cell_index cell = CELL_NONE, maker = CELL_NONE;
    bool marked = position_mark(position, field->mark, &cell, &maker);
    if (marked && field->only_takeable)
        marked = mark_is_takeable(notation, position, cell, maker);
    notation_text_add(text, marked ? game_cell_name(position->game, cell) : "-");
}

static void write_counter(const struct position *position, const struct notation_field *field,
                          struct notation_text *text)
{
    for (int i = 0; i < field->slot_count; i++) {
        int value = position_counter(position, field->first_slot + i);
        notation_text_add(text, i > 0 ? field->text : "");
        int left = field->down_from > value ? field->down_from - value : 0;
        notation_text_add_number(text, field->down_from >= 0 ? left : value);
    }
}

static void write_same_figure(const struct position *position, struct notation_text *text)
{
    bool asked = position->game->states[position->state].same_figure;
    cell_index cell = asked ? position_active(position) : CELL_NONE;
    notation_text_add(text, cell != CELL_NONE ? game_cell_name(position->game, cell) : "-");
}

static void write_field(struct notation *notation, const struct position *position,
                        const struct notation_field *field, struct notation_text *text)
{
    switch (field->kind) {
    case FIELD_UNMOVED:
        write_unmoved(position, field, text);
        return;
    case FIELD_MARK:
        write_mark(notation, position, field, text);
        return;
    case FIELD_COUNTER:
        write_counter(position, field, text);
        return;
    case FIELD_MOVE_NUMBER:
        notation_text_add_number(text, (int)position_move_number(position));
        return;
    case FIELD_SAME_FIGURE:
        write_same_figure(position, text);
        return;
    case FIELD_UNUSED:
        notation_text_add(text, field->text);
        return;
    }
    assert(false);
}

bool notation_write_position(struct notation *notation, const struct position *position,
                             char text[NOTATION_POSITION_BYTES])
{
    const struct notation_tables *tables = notation->tables;
    struct notation_text written = notation_text_begin(text, NOTATION_POSITION_BYTES);
    if (tables->style == POSITION_NONE)
        return false;
    const char *turn = tables->turns[position_state(position)];
    if (turn == NULL)
        return false;
    if (tables->style == POSITION_ROWS) {
        if (!write_rows(position, &written))
            return false;
        notation_text_add_byte(&written, ' ');
        notation_text_add(&written, turn);
    } else {
        notation_text_add(&written, turn);
        if (!write_pieces(position, &written))
            return false;
    }
    for (int i = 0; i < tables->field_count; i++) {
        notation_text_add_byte(&written, ' ');
        write_field(notation, position, &tables->fields[i], &written);
    }
    return !written.full;
}

/* --- reading the board ------------------------------------------------------------------------ */

/* A text being read into the room's scratch position. */
struct position_reading {
    struct notation *notation;
    const struct game *game;
    struct position *position;
    const char *start, *at;
    char *words;
};

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static void skip_spaces(struct position_reading *reading)
{
    reading->at += strspn(reading->at, " \t\r\n");
}

static size_t word_length(const char *text)
{
    return strcspn(text, " \t\r\n");
}

/* A number of at most `most`; false when there is none, or it is larger. */
static bool read_number(const char **at, int most, int *number)
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

/* What the text names here. No letter begins another, so there is one at most; 0: there is none. */
static uint16_t read_letter(struct position_reading *reading)
{
    const struct game *game = reading->game;
    for (int code = 1; code < game->code_count; code++) {
        const char *letter = game->notation->letters[code];
        size_t length = letter == NULL ? 0 : notation_prefix(reading->at, letter);
        reading->at += length;
        if (length > 0)
            return (uint16_t)code;
    }
    return 0;
}

static void put(struct position_reading *reading, cell_index cell, uint16_t code)
{
    struct contents contents = {.figure = reading->game->code_figures[code],
                                .player = reading->game->code_players[code]};
    position_put(reading->position, cell, contents);
}

static bool refuse_row(struct position_reading *reading, int row, const char *what)
{
    return notation_refuse(reading->words, "row %d has too %s cells", row, what);
}

static bool refuse_letter(struct position_reading *reading, int row)
{
    size_t length = word_length(reading->at);
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
    if (expected == '\0')
        return word_length(reading->at) == 0 || refuse_row(reading, row, "many");
    if (found == expected) {
        reading->at++;
        return true;
    }
    if (found == '\0' || word_length(reading->at) == 0)
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
        if (!read_number(&reading->at, CELLS_MAX, run))
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
    put(reading, cell, code);
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

/* --- reading lists of pieces ------------------------------------------------------------------ */

static bool put_once(struct position_reading *reading, cell_index cell, uint16_t code)
{
    if (position_contents(reading->position, cell).figure != FIGURE_NONE)
        return notation_refuse(reading->words, "cell %s is named twice",
                               game_cell_name(reading->game, cell));
    put(reading, cell, code);
    return true;
}

/* `31-50`: all cells whose names are the numbers between. */
static bool put_range(struct position_reading *reading, const char *item, size_t length,
                      uint16_t code)
{
    int first = 0, last = 0;
    const char *at = item;
    bool sound = read_number(&at, CELLS_MAX, &first) && *at++ == '-' &&
                 read_number(&at, CELLS_MAX, &last) && at == item + length && first <= last;
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
    return sound || notation_refuse(reading->words, "`%s` is neither a cell nor a range of cells",
                                    notation_quote(item, length).text);
}

/* A figure's letter and its cell; the letter may be empty. */
static bool read_piece(struct position_reading *reading, player_index player)
{
    const struct game *game = reading->game;
    size_t length = strcspn(reading->at, ",:. \t\r\n");
    const char *item = reading->at;
    uint16_t unlettered = 0;
    reading->at += length;
    for (int figure = 0; figure < game->figure_count; figure++) {
        uint16_t code = game_code(game, (figure_index)figure, player);
        const char *letter = game->notation->letters[code];
        if (letter == NULL)
            continue;
        if (letter[0] == '\0')
            unlettered = code;
        size_t skip = notation_prefix(item, letter);
        if (letter[0] == '\0' || skip == 0 || skip >= length)
            continue;
        cell_index cell = game_find_cell(game, item + skip, length - skip);
        return cell != CELL_NONE ? put_once(reading, cell, code)
                                 : put_range(reading, item + skip, length - skip, code);
    }
    cell_index cell = game_find_cell(game, item, length);
    if (unlettered == 0)
        return notation_refuse(reading->words, "no figure is written `%s`",
                               notation_quote(item, length).text);
    return cell != CELL_NONE ? put_once(reading, cell, unlettered)
                             : put_range(reading, item, length, unlettered);
}

static bool read_pieces_of_player(struct position_reading *reading)
{
    const struct game *game = reading->game;
    player_index player = PLAYER_NONE;
    skip_spaces(reading);
    for (int i = 0; i < game->player_count && player == PLAYER_NONE; i++) {
        size_t length = notation_prefix(reading->at, game->notation->players[i]);
        reading->at += length;
        player = length > 0 ? (player_index)i : PLAYER_NONE;
    }
    if (player == PLAYER_NONE)
        return notation_refuse(reading->words, "no player is written `%s`",
                               notation_quote(reading->at, word_length(reading->at)).text);
    if (*reading->at == '\0' || strchr(":. \t\r\n", *reading->at) != NULL)
        return true;
    for (;;) {
        skip_spaces(reading);
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
        skip_spaces(reading);
        reading->at++;
        if (!read_pieces_of_player(reading))
            return false;
    }
    if (reading->at[strspn(reading->at, " \t\r\n")] == '.')
        skip_spaces(reading);
    reading->at += *reading->at == '.';
    return word_length(reading->at) == 0 ||
           notation_refuse(reading->words, "`%s` is not understood",
                           notation_quote(reading->at, word_length(reading->at)).text);
}

/* --- reading whose turn it is ----------------------------------------------------------------- */

static bool read_turn(struct position_reading *reading, size_t length, state_index *state)
{
    const struct game *game = reading->game;
    const char *const *turns = game->notation->turns;
    for (int i = 0; i < game->state_count; i++) {
        if (turns[i] == NULL || strlen(turns[i]) != length ||
            strncmp(reading->at, turns[i], length) != 0)
            continue;
        *state = (state_index)i;
        reading->at += length;
        return true;
    }
    return notation_refuse(reading->words, "nobody's turn is written `%s`",
                           notation_quote(reading->at, length).text);
}

/* --- reading the fields ----------------------------------------------------------------------- */

/* What a letter is about still stands where the game began. */
static bool stands_as_at_the_start(const struct position *position, cell_index cell)
{
    const struct game *game = position->game;
    for (int i = 0; i < game->placement_count; i++)
        if (game->placements[i].cell == cell)
            return game->placements[i].code == position->cells[cell].code;
    return false;
}

static void set_unmoved(struct position *position, const struct unmoved_letter *letter)
{
    for (int i = 0; i < letter->cell_count; i++)
        if (!stands_as_at_the_start(position, letter->cells[i]))
            return;
    for (int i = 0; i < letter->cell_count; i++)
        position_set_unmoved(position, letter->cells[i]);
}

/* The letter that the text begins with; NULL: none does. */
static const struct unmoved_letter *find_unmoved(const struct notation_field *field, const char *at)
{
    for (int i = 0; i < field->letter_count; i++)
        if (notation_prefix(at, field->letters[i].text) > 0)
            return &field->letters[i];
    return NULL;
}

/* All letters are looked at before the first is believed. */
static bool read_unmoved(struct position_reading *reading, const struct notation_field *field,
                         const char *start, const char *end)
{
    if (end - start == 1 && *start == '-')
        return true;
    for (const char *at = start; at < end;) {
        const struct unmoved_letter *letter = find_unmoved(field, at);
        if (letter == NULL)
            return notation_refuse(reading->words, "nothing unmoved is written `%s`",
                                   notation_quote(at, (size_t)(end - at)).text);
        at += strlen(letter->text);
    }
    for (const char *at = start; at < end;) {
        const struct unmoved_letter *letter = find_unmoved(field, at);
        set_unmoved(reading->position, letter);
        at += strlen(letter->text);
    }
    return true;
}

static cell_index cell_beyond(const struct game *game, cell_index cell, const int *delta, int steps)
{
    int coordinates[DIMENSIONS_MAX];
    for (int i = 0; i < game->dimension_count; i++)
        coordinates[i] = game_cell_coordinates(game, cell)[i] + delta[i] * steps;
    return game_cell_at(game, coordinates);
}

static bool is_empty_beyond(const struct position *position, cell_index cell, const int *delta,
                            int steps)
{
    cell_index there = cell_beyond(position->game, cell, delta, steps);
    return there != CELL_NONE && position->cells[there].code == 0;
}

/* Where a figure of this kind stands that can have come over `marked`; CELL_NONE: nowhere. */
static cell_index find_maker(const struct position *position, cell_index marked,
                             const struct mark_maker *maker)
{
    for (int steps = 1; steps < maker->max_steps; steps++) {
        cell_index cell = cell_beyond(position->game, marked, maker->delta, steps);
        if (cell == CELL_NONE)
            return CELL_NONE;
        if (position->cells[cell].code == 0)
            continue;
        if (position->cells[cell].code != maker->code)
            return CELL_NONE;
        for (int back = 1; steps + back <= maker->max_steps; back++) {
            if (!is_empty_beyond(position, marked, maker->delta, -back))
                break;
            if (steps + back >= maker->min_steps)
                return cell;
        }
        return CELL_NONE;
    }
    return CELL_NONE;
}

static bool read_mark(struct position_reading *reading, const struct notation_field *field,
                      const char *at, const char *end, player_index to_move)
{
    const struct game *game = reading->game;
    struct position *position = reading->position;
    if (end - at == 1 && *at == '-')
        return true;
    cell_index marked = game_find_cell(game, at, (size_t)(end - at));
    if (marked == CELL_NONE)
        return notation_refuse(reading->words, "there is no cell `%s`",
                               notation_quote(at, (size_t)(end - at)).text);
    if (position->cells[marked].code != 0)
        return true;
    for (int i = 0; i < field->maker_count; i++) {
        if (game->code_players[field->makers[i].code] == to_move)
            continue;
        cell_index maker = find_maker(position, marked, &field->makers[i]);
        if (maker == CELL_NONE)
            continue;
        position_set_mark(position, field->mark, marked, maker);
        return true;
    }
    return true;
}

static bool read_counter(struct position_reading *reading, const struct notation_field *field,
                         const char *at, const char *end)
{
    const char *start = at;
    /* what begins with the sign between the numbers tells the values themselves */
    size_t sign = field->slot_count > 1 ? notation_prefix(at, field->text) : 0;
    bool down = field->down_from >= 0 && sign == 0;
    at += sign;
    int most = field->down_from >= 0 ? field->down_from : COUNTER_VALUE_MAX;
    for (int i = 0; i < field->slot_count; i++) {
        size_t between = i == 0 ? 0 : notation_prefix(at, field->text);
        int number = 0;
        at += between;
        if ((i > 0 && between == 0) || !read_number(&at, most, &number))
            return notation_refuse(reading->words, "`%s` is not what a counter looks like here",
                                   notation_quote(start, (size_t)(end - start)).text);
        position_set_counter(reading->position, field->first_slot + i,
                             down ? field->down_from - number : number);
    }
    return at == end ||
           notation_refuse(reading->words, "`%s` is not what a counter looks like here",
                           notation_quote(start, (size_t)(end - start)).text);
}

/* Who moved last and alone may go on; in states that do not ask for it, it is only looked at. */
static bool read_same_figure(struct position_reading *reading, const char *at, const char *end,
                             player_index player)
{
    if (end - at == 1 && *at == '-')
        return true;
    cell_index cell = game_find_cell(reading->game, at, (size_t)(end - at));
    struct notation_quote quote = notation_quote(at, (size_t)(end - at));
    if (cell == CELL_NONE)
        return notation_refuse(reading->words, "there is no cell `%s`", quote.text);
    struct contents contents = position_contents(reading->position, cell);
    if (contents.figure == FIGURE_NONE || contents.player != player)
        return notation_refuse(reading->words, "on `%s` stands nobody who may go on", quote.text);
    reading->position->turn.last.stands = cell;
    return true;
}

struct turn_read {
    state_index state;
    int move_number;
};

static bool read_field(struct position_reading *reading, const struct notation_field *field,
                       size_t length, struct turn_read *turn)
{
    const char *at = reading->at, *end = reading->at + length;
    switch (field->kind) {
    case FIELD_UNMOVED:
        return read_unmoved(reading, field, at, end);
    case FIELD_MARK:
        return read_mark(reading, field, at, end, reading->game->states[turn->state].player);
    case FIELD_COUNTER:
        return read_counter(reading, field, at, end);
    case FIELD_MOVE_NUMBER:
        return (read_number(&at, MOVE_NUMBER_MAX, &turn->move_number) && at == end) ||
               notation_refuse(reading->words, "`%s` is no move number",
                               notation_quote(reading->at, length).text);
    case FIELD_SAME_FIGURE:
        return read_same_figure(reading, at, end, reading->game->states[turn->state].player);
    case FIELD_UNUSED:
        return true;
    }
    assert(false);
    return false;
}

static void default_field(struct position_reading *reading, const struct notation_field *field,
                          struct turn_read *turn)
{
    if (field->kind == FIELD_MOVE_NUMBER)
        turn->move_number = field->start;
    for (int i = 0; field->kind == FIELD_COUNTER && i < field->slot_count; i++)
        position_set_counter(reading->position, field->first_slot + i, field->start);
}

/* A field is set to what it is when missing, then tried; an optional one that does not fit stays so. */
static bool read_fields(struct position_reading *reading, struct turn_read *turn)
{
    const struct notation_tables *tables = reading->game->notation;
    for (int i = 0; i < tables->field_count; i++) {
        const struct notation_field *field = &tables->fields[i];
        default_field(reading, field, turn);
        skip_spaces(reading);
        size_t length = word_length(reading->at);
        if (length == 0)
            continue;
        if (read_field(reading, field, length, turn))
            reading->at += length;
        else if (field->optional)
            default_field(reading, field, turn);
        else
            return false;
    }
    skip_spaces(reading);
    return *reading->at == '\0' ||
           notation_refuse(reading->words, "there is more text than fields: `%s`",
                           notation_quote(reading->at, strlen(reading->at)).text);
}

/* Counters the text does not have, as if the player before had just come to this position. */
static void count_once(struct position *position, state_index state)
{
    const struct game *game = position->game;
    player_index mover = game->states[state].before;
    for (int i = 0; i < game->notation->counted_count && mover != PLAYER_NONE; i++) {
        const struct counter_rule *counter = &game->counters[game->notation->counted[i]];
        const struct condition_node *add = counter->add[mover], *reset = counter->reset[mover];
        bool resets =
            reset != NULL && condition_holds(position, reset, mover, CELL_NONE, CELL_NONE);
        bool adds = add != NULL && condition_holds(position, add, mover, CELL_NONE, CELL_NONE);
        int slot = counter->first_slot + (counter->per_player ? mover : 0);
        position_set_counter(position, slot, counter->start + (adds && !resets));
    }
}

/* --- reading it all --------------------------------------------------------------------------- */

/* Cells no field speaks of: what stands there as at the start has never moved, as far as the text tells. */
static void assume_unmoved(struct position *position)
{
    const struct notation_tables *tables = position->game->notation;
    for (int i = 0; i < position->game->placement_count; i++)
        if (stands_as_at_the_start(position, position->game->placements[i].cell))
            position_set_unmoved(position, position->game->placements[i].cell);
    for (int i = 0; i < tables->field_count; i++)
        for (int k = 0; k < tables->fields[i].letter_count; k++) {
            const struct unmoved_letter *letter = &tables->fields[i].letters[k];
            for (int n = 0; n < letter->cell_count; n++) {
                struct contents contents = position_contents(position, letter->cells[n]);
                position_put(position, letter->cells[n], contents);
            }
        }
}

static bool read_board_and_turn(struct position_reading *reading, state_index *state)
{
    bool rows = reading->game->notation->style == POSITION_ROWS;
    skip_spaces(reading);
    if (!rows)
        return read_turn(reading, strcspn(reading->at, ": \t\r\n"), state) && read_pieces(reading);
    if (!read_rows(reading))
        return false;
    skip_spaces(reading);
    size_t length = word_length(reading->at);
    return length == 0 || read_turn(reading, length, state);
}

bool notation_read_position(struct notation *notation, struct position *position, const char *text,
                            char words[NOTATION_WORDS_BYTES])
{
    const struct game *game = notation->game;
    if (notation->tables->style == POSITION_NONE)
        return notation_refuse(words, "this game says nothing about how positions are written");
    if (strlen(text) >= NOTATION_POSITION_BYTES)
        return notation_refuse(words, "this text is too long");
    struct position_reading reading = {.notation = notation,
                                       .game = game,
                                       .position = notation->scratch,
                                       .start = text,
                                       .at = text,
                                       .words = words};
    struct turn_read turn = {.state = game->initial_state,
                             .move_number = (int)game->initial_move_number};
    position_clear(notation->scratch);
    for (int i = 0; i < notation->tables->slot_count; i++)
        position_set_counter(notation->scratch, i, notation->tables->counters[i]);
    if (!read_board_and_turn(&reading, &turn.state))
        return false;
    assume_unmoved(notation->scratch);
    if (!read_fields(&reading, &turn))
        return false;
    if (!position_set_turn(notation->scratch, turn.state, (uint32_t)turn.move_number))
        return notation_refuse(words, "in this position nobody moves");
    if (notation->tables->counted_count > 0) {
        count_once(notation->scratch, turn.state);
        position_set_turn(notation->scratch, turn.state, (uint32_t)turn.move_number);
    }
    position_copy(position, notation->scratch);
    return true;
}
