/* Writing a position. */
#include "engine/notation/room.h"

#include "engine/rules/condition.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
static bool mark_is_takeable(struct notation *notation, struct position *position, cell_index cell,
                             cell_index maker)
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

static void write_mark(struct notation *notation, struct position *position,
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

static void write_field(struct notation *notation, struct position *position,
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

bool notation_write_position(struct notation *notation, struct position *position,
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
