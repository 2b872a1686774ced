/* Reading a position, but for its board. */
#include "engine/notation/reading.h"

#include "engine/rules/condition.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

/* --- the fields ------------------------------------------------------------------------------- */

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
        if ((i > 0 && between == 0) || !notation_read_number(&at, most, &number))
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
        return (notation_read_number(&at, MOVE_NUMBER_MAX, &turn->move_number) && at == end) ||
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
        notation_skip_spaces(reading);
        size_t length = notation_word_length(reading->at);
        if (length == 0)
            continue;
        if (read_field(reading, field, length, turn))
            reading->at += length;
        else if (field->optional)
            default_field(reading, field, turn);
        else
            return false;
    }
    notation_skip_spaces(reading);
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

/* --- all of it -------------------------------------------------------------------------------- */

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
    notation_skip_spaces(reading);
    if (!rows)
        return read_turn(reading, strcspn(reading->at, ": \t\r\n"), state) &&
               notation_read_pieces(reading);
    if (!notation_read_rows(reading))
        return false;
    notation_skip_spaces(reading);
    size_t length = notation_word_length(reading->at);
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
