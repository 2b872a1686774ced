/* A position's text: the board, whose turn it is, and the fields. Each field is read and written here. */
#include "engine/notation/room.h"

#include "engine/rules/change.h"
#include "engine/rules/fits.h"
#include "engine/rules/turn.h"

#include <string.h>

/* --- whose turn ------------------------------------------------------------------------------- */

static bool read_turn(struct position_reading *reading, size_t length)
{
    const struct game *game = reading->game;
    const char *const *turns = game->notation->turns;
    for (int i = 0; i < game->state_count; i++) {
        if (turns[i] == NULL || strlen(turns[i]) != length ||
            strncmp(reading->at, turns[i], length) != 0)
            continue;
        reading->state = (state_index)i;
        reading->at += length;
        return true;
    }
    return notation_refuse_text(reading, "nobody's turn is written `%s`", reading->at,
                                reading->at + length);
}

static player_index player_to_move(const struct position_reading *reading)
{
    return reading->game->states[reading->state].player;
}

/* --- fields: who is unmoved ------------------------------------------------------------------- */

/* Where what a letter is about still stands as the game began. */
static void set_unmoved(struct position *position, const struct unmoved_letter *letter)
{
    for (int i = 0; i < letter->cell_count; i++) {
        uint16_t code = position->game->start[letter->cells[i]];
        if (code == 0 || code != position->cells[letter->cells[i]].code)
            return;
    }
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
static bool read_unmoved(struct position_reading *reading, const char *at, const char *end)
{
    const struct notation_field *field = reading->field;
    const struct unmoved_letter *letter = NULL;
    uint32_t found = 0; /* bits */
    for (; at < end; at += strlen(letter->text)) {
        letter = find_unmoved(field, at);
        if (letter == NULL)
            return notation_refuse_text(reading, "nothing unmoved is written `%s`", at, end);
        found |= UINT32_C(1) << (letter - field->letters);
    }
    for (int i = 0; i < field->letter_count; i++)
        if ((found >> i & 1) != 0)
            set_unmoved(reading->position, &field->letters[i]);
    return true;
}

static void write_unmoved(struct position_writing *writing)
{
    const struct notation_field *field = writing->field;
    bool any = false;
    for (int i = 0; i < field->letter_count; i++) {
        const struct unmoved_letter *letter = &field->letters[i];
        bool all = true;
        for (int k = 0; k < letter->cell_count; k++)
            all = all && position_unmoved(writing->position, letter->cells[k]);
        notation_text_add(&writing->text, all ? letter->text : "");
        any = any || all;
    }
    notation_text_add(&writing->text, any ? "" : "-");
}

/* --- fields: marks ---------------------------------------------------------------------------- */

/* Where a figure stands that may have passed the cell by this movement; CELL_NONE: nowhere. One that marks has two steps. */
static cell_index find_passer(const struct position *position, unsigned code,
                              const struct movement *rule, cell_index passed)
{
    const struct game *game = position->game;
    for (int from = 0; from < game->cell_count; from++) {
        const uint32_t *ray = game->ray_starts + rule->ray + from;
        const cell_index *path = game->paths + ray[0];
        if (ray[1] - ray[0] >= 2 && path[0] == passed && path[1] != CELL_NONE &&
            position->cells[from].code == 0 && position->cells[path[1]].code == code)
            return path[1];
    }
    return CELL_NONE;
}

/* The text names the marked cell alone: somebody who is not to move has passed it. */
static cell_index find_maker(const struct position_reading *reading, cell_index marked)
{
    const struct game *game = reading->game;
    cell_index maker = CELL_NONE;
    for (int code = 1; code < game->code_count; code++) {
        bool moves_now = game->code_players[code] == player_to_move(reading);
        uint32_t end = moves_now ? 0 : game->piece_rules[code];
        for (uint32_t i = game->piece_rules[code - 1]; i < end && maker == CELL_NONE; i++)
            if (game->movements[i].mark == reading->field->mark)
                maker = find_passer(reading->position, (unsigned)code, &game->movements[i], marked);
    }
    return maker;
}

static bool read_mark(struct position_reading *reading, const char *at, const char *end)
{
    cell_index marked = game_find_cell(reading->game, at, (size_t)(end - at));
    if (marked == CELL_NONE)
        return notation_refuse_text(reading, "there is no cell `%s`", at, end);
    cell_index maker = CELL_NONE;
    if (reading->position->cells[marked].code == 0)
        maker = find_maker(reading, marked);
    if (maker != CELL_NONE)
        position_set_mark(reading->position, reading->field->mark, marked, maker);
    return true;
}

/* Whether some legal move takes the figure that made the mark by going to the marked cell. */
static bool mark_is_takeable(struct notation *notation, struct position *position, cell_index cell,
                             cell_index maker)
{
    int count = movegen_all(position, notation->moves);
    for (int i = 0; i < count; i++) {
        struct move move = notation->moves[i];
        if (move.to == cell && change_is_simple(move) &&
            fits_marked(position, change_rule(position, move), move) == maker)
            return true;
    }
    return false;
}

static void write_mark(struct position_writing *writing)
{
    cell_index cell = CELL_NONE, maker = CELL_NONE;
    bool marked = position_mark(writing->position, writing->field->mark, &cell, &maker);
    if (marked && writing->field->only_takeable)
        marked = mark_is_takeable(writing->notation, writing->position, cell, maker);
    notation_text_add(&writing->text, marked ? writing->position->game->cells[cell].name : "-");
}

/* --- fields: numbers -------------------------------------------------------------------------- */

static bool read_counter(struct position_reading *reading, const char *at, const char *end)
{
    const struct notation_field *field = reading->field;
    const char *start = at;
    /* what begins with the sign between the numbers tells the values themselves */
    size_t sign = field->slot_count > 1 ? notation_prefix(at, field->text) : 0;
    bool down = field->down_from >= 0 && sign == 0, sound = true;
    int most = field->down_from >= 0 ? field->down_from : COUNTER_VALUE_MAX, number = 0;
    at += sign;
    for (int i = 0; i < field->slot_count && sound; i++) {
        size_t between = i == 0 ? 0 : notation_prefix(at, field->text);
        at += between;
        sound = (i == 0 || between > 0) && notation_read_number(&at, most, &number);
        if (sound)
            position_set_counter(reading->position, field->first_slot + i,
                                 down ? field->down_from - number : number);
    }
    return (sound && at == end) ||
           notation_refuse_text(reading, "`%s` is not what a counter looks like here", start, end);
}

static void write_counter(struct position_writing *writing)
{
    const struct notation_field *field = writing->field;
    for (int i = 0; i < field->slot_count; i++) {
        int value = position_counter(writing->position, field->first_slot + i);
        int left = field->down_from > value ? field->down_from - value : 0;
        notation_text_add(&writing->text, i > 0 ? field->text : "");
        notation_text_add_number(&writing->text, field->down_from >= 0 ? left : value);
    }
}

static bool read_move_number(struct position_reading *reading, const char *at, const char *end)
{
    const char *start = at;
    return (notation_read_number(&at, MOVE_NUMBER_MAX, &reading->move_number) && at == end) ||
           notation_refuse_text(reading, "`%s` is no move number", start, end);
}

static void write_move_number(struct position_writing *writing)
{
    notation_text_add_number(&writing->text, (int)position_move_number(writing->position));
}

/* --- fields: others --------------------------------------------------------------------------- */

/* Who moved last and alone may go on; in states that do not ask for it, it is only looked at. */
static bool read_same_figure(struct position_reading *reading, const char *at, const char *end)
{
    cell_index cell = game_find_cell(reading->game, at, (size_t)(end - at));
    if (cell == CELL_NONE)
        return notation_refuse_text(reading, "there is no cell `%s`", at, end);
    struct contents contents = position_contents(reading->position, cell);
    if (contents.figure == FIGURE_NONE || contents.player != player_to_move(reading))
        return notation_refuse_text(reading, "on `%s` stands nobody who may go on", at, end);
    reading->position->turn.last.stands = cell;
    return true;
}

static void write_same_figure(struct position_writing *writing)
{
    const struct position *position = writing->position;
    bool asked = position_stage(position)->same_figure;
    cell_index cell = asked ? position_active(position) : CELL_NONE;
    notation_text_add(&writing->text, cell != CELL_NONE ? position->game->cells[cell].name : "-");
}

static bool read_hands(struct position_reading *reading, const char *at, const char *end)
{
    if ((size_t)(end - at) == strlen(reading->field->text) &&
        strncmp(at, reading->field->text, (size_t)(end - at)) == 0)
        return true;
    bool sound = notation_read_hands(reading, end);
    reading->at = at; /* who asked goes on by itself */
    return sound;
}

/* A position with a figure in hand that has no letter has no text. */
static void write_hands(struct position_writing *writing)
{
    const char *begin = writing->text.at;
    if (!notation_write_hands(writing->position, true, &writing->text))
        writing->text.full = true;
    if (writing->text.at == begin)
        notation_text_add(&writing->text, writing->field->text);
}

static bool read_anything(struct position_reading *reading, const char *at, const char *end)
{
    (void)reading;
    return at < end;
}

static void write_as_said(struct position_writing *writing)
{
    notation_text_add(&writing->text, writing->field->text);
}

/* --- fields: all of them ---------------------------------------------------------------------- */

static const struct {
    bool (*read)(struct position_reading *reading, const char *at, const char *end);
    void (*write)(struct position_writing *writing);
    bool may_be_nothing; /* a dash */
} ways[] = {
    [FIELD_UNMOVED] = {read_unmoved, write_unmoved, true},
    [FIELD_MARK] = {read_mark, write_mark, true},
    [FIELD_COUNTER] = {read_counter, write_counter, false},
    [FIELD_MOVE_NUMBER] = {read_move_number, write_move_number, false},
    [FIELD_SAME_FIGURE] = {read_same_figure, write_same_figure, true},
    [FIELD_HANDS] = {read_hands, write_hands, false},
    [FIELD_UNUSED] = {read_anything, write_as_said, false},
};

static bool read_field(struct position_reading *reading, size_t length)
{
    bool nothing = length == 1 && *reading->at == '-';
    return (nothing && ways[reading->field->kind].may_be_nothing) ||
           ways[reading->field->kind].read(reading, reading->at, reading->at + length);
}

static void default_field(struct position_reading *reading)
{
    const struct notation_field *field = reading->field;
    if (field->kind == FIELD_MOVE_NUMBER)
        reading->move_number = field->start;
    for (int i = 0; field->kind == FIELD_COUNTER && i < field->slot_count; i++)
        position_set_counter(reading->position, field->first_slot + i, field->start);
    for (int piece = 0; field->kind == FIELD_HANDS && piece < reading->game->piece_count; piece++)
        position_keep(reading->position, (unsigned)piece, 0);
}

/* A field is set to what it is when missing, then tried; an optional one that does not fit stays so. */
static bool read_fields(struct position_reading *reading)
{
    const struct notation_tables *tables = reading->game->notation;
    for (int i = 0; i < tables->field_count; i++) {
        reading->field = &tables->fields[i];
        default_field(reading);
        notation_skip_spaces(reading);
        size_t length = notation_word_length(reading->at);
        if (length == 0)
            continue;
        if (read_field(reading, length))
            reading->at += length;
        else if (reading->field->optional)
            default_field(reading);
        else
            return false;
    }
    notation_skip_spaces(reading);
    return *reading->at == '\0' ||
           notation_refuse_text(reading, "there is more text than fields: `%s`", reading->at,
                                reading->at + strlen(reading->at));
}

/* Counters the text does not have, as if the player before had just come to this position. */
static void count_once(struct position *position, state_index state)
{
    const struct game *game = position->game;
    player_index mover = game->states[state].before;
    for (int i = 0; i < game->notation->counted_count && mover != PLAYER_NONE; i++) {
        const struct counter_rule *counter = &game->counters[game->notation->counted[i]];
        int slot = counter->first_slot + (counter->per_player ? mover : 0);
        turn_count(position, counter, mover, &position->turn.counters[slot]);
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Cells no field speaks of: what stands there as at the start has never moved, as far as the text tells. */
static void assume_unmoved(struct position *position)
{
    const struct notation_tables *tables = position->game->notation;
    for (int cell = 0; cell < position->game->cell_count; cell++)
        if (position->game->start[cell] != 0)
            position_set_unmoved(position, (cell_index)cell);
    for (int i = 0; i < tables->field_count; i++)
        for (int k = 0; k < tables->fields[i].letter_count; k++) {
            const struct unmoved_letter *letter = &tables->fields[i].letters[k];
            for (int n = 0; n < letter->cell_count; n++) {
                struct contents contents = position_contents(position, letter->cells[n]);
                position_put(position, letter->cells[n], contents);
            }
        }
}

static bool read_board_and_turn(struct position_reading *reading)
{
    bool rows = reading->game->notation->style == POSITION_ROWS;
    notation_skip_spaces(reading);
    if (!rows)
        return read_turn(reading, strcspn(reading->at, ": \t\r\n")) && notation_read_board(reading);
    if (!notation_read_board(reading))
        return false;
    notation_skip_spaces(reading);
    size_t length = notation_word_length(reading->at);
    return length == 0 || read_turn(reading, length);
}

bool notation_read_position(struct notation *notation, struct position *position, const char *text,
                            char words[NOTATION_WORDS_BYTES])
{
    const struct game *game = notation->game;
    if (notation->tables->style == POSITION_NONE)
        return notation_refuse(words, "this game says nothing about how positions are written");
    if (strlen(text) >= NOTATION_POSITION_BYTES)
        return notation_refuse(words, "this text is too long");
    struct position *scratch = notation->scratch;
    struct position_reading reading = {.game = game,
                                       .position = scratch,
                                       .start = text,
                                       .at = text,
                                       .words = words,
                                       .state = game->initial_state,
                                       .move_number = (int)game->initial_move_number};
    position_clear(scratch);
    if (!read_board_and_turn(&reading))
        return false;
    assume_unmoved(scratch);
    if (!read_fields(&reading))
        return false;
    if (!position_set_turn(scratch, reading.state, (uint32_t)reading.move_number))
        return notation_refuse(words, "in this position nobody moves");
    if (notation->tables->counted_count > 0) {
        count_once(scratch, reading.state);
        position_set_turn(scratch, reading.state, (uint32_t)reading.move_number);
    }
    position_copy(position, scratch);
    return true;
}

bool notation_write_position(struct notation *notation, struct position *position,
                             char text[NOTATION_POSITION_BYTES])
{
    const struct notation_tables *tables = notation->tables;
    struct position_writing writing = {notation, position, NULL,
                                       notation_text_begin(text, NOTATION_POSITION_BYTES)};
    bool rows = tables->style == POSITION_ROWS;
    const char *turn = tables->style != POSITION_NONE ? tables->turns[position->turn.state] : NULL;
    if (turn == NULL)
        return false;
    notation_text_add(&writing.text, rows ? "" : turn);
    if (!notation_write_board(position, &writing.text))
        return false;
    notation_text_add(&writing.text, rows ? " " : "");
    notation_text_add(&writing.text, rows ? turn : "");
    for (int i = 0; i < tables->field_count; i++) {
        writing.field = &tables->fields[i];
        notation_text_add(&writing.text, " ");
        ways[writing.field->kind].write(&writing);
    }
    return !writing.text.full;
}
