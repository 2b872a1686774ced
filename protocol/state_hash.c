/* The hash of a state: each part's line is fed to FNV-1a as it would be written, without writing it. */
#include "protocol/state_line.h"
#include "protocol/state_parts.h"

#include <assert.h>

static uint32_t line_string(uint32_t line, const char *text)
{
    line = line_bytes(line, "\"", 1);
    for (; *text != '\0'; text++) {
        char escape[WRITER_ESCAPE_BYTES_MAX];
        int bytes = writer_escape(*text, escape);
        line = bytes == 0 ? line_bytes(line, text, 1) : line_bytes(line, escape, (size_t)bytes);
    }
    return line_bytes(line, "\"", 1);
}

static uint32_t line_integer(uint32_t line, uint32_t value)
{
    char digits[WRITER_DIGITS_MAX];
    int count = writer_digits(value, digits);
    return line_bytes(line, digits, (size_t)count);
}

static uint32_t hash_cell(const char *name, const struct state_cell *cell)
{
    if (cell->figure == NULL)
        return 0;
    uint32_t line = line_begin("cells.", name);
    line = line_string(line_plain(line, "{\"figure\":"), cell->figure);
    line = line_integer(line_plain(line, ",\"last_move\":"), cell->last_move);
    line = line_integer(line_plain(line, ",\"moves_made\":"), cell->moves_made);
    line = line_string(line_plain(line, ",\"player\":"), cell->player);
    return line_plain(line, "}");
}

static uint32_t hash_seat(const char *name, const struct state_seat *seat)
{
    if (seat->player == NULL)
        return 0;
    uint32_t line = line_begin("seats.", name);
    line = line_string(line_plain(line, "{\"as\":"), state_kind_word(seat->as));
    if (seat->has_clock) {
        line = line_integer(line_plain(line, ",\"clock\":{\"left_ms\":"), seat->left_ms);
        line = line_integer(line_plain(line, ",\"periods\":"), seat->periods);
        line = line_plain(line, "}");
    }
    line = line_string(line_plain(line, ",\"name\":"), seat->name);
    line = line_string(line_plain(line, ",\"player\":"), seat->player);
    return line_plain(line, "}");
}

static uint32_t hash_text(const char *name, const char *value)
{
    return value == NULL ? 0 : line_string(line_begin("", name), value);
}

static uint32_t hash_integer(const char *name, uint32_t value)
{
    return line_integer(line_begin("", name), value);
}

static uint32_t line_value(uint32_t line, const struct state_value *value)
{
    switch (value->kind) {
    case VALUE_ABSENT:
        break;
    case VALUE_TRUE:
        return line_plain(line, "true");
    case VALUE_TEXT:
        return line_string(line, value->text);
    case VALUE_TEXTS:
        for (int i = 0; i < value->count; i++)
            line = line_string(line_plain(line, i == 0 ? "[" : ","), value->texts[i]);
        return line_plain(line, "]");
    }
    return line;
}

static uint32_t hash_value(const char *name, struct state_value value)
{
    return value.kind == VALUE_ABSENT ? 0 : line_value(line_begin("", name), &value);
}

static uint32_t hash_object(const char *name, struct state_object object)
{
    if (!object.present)
        return 0;
    uint32_t line = line_begin("", name);
    const char *before = "{";
    for (int i = 0; i < object.count; i++) {
        const struct state_part *part = &object.parts[i];
        if (part->value.kind == VALUE_ABSENT)
            continue;
        line = line_plain(line_string(line_plain(line, before), part->name), ":");
        line = line_value(line, &part->value);
        before = ",";
    }
    return line_plain(line, "}");
}

/* Everything but cells and seats: a dozen short lines. */
static uint32_t hash_members(const struct state *state)
{
    return hash_text("active", state->active) + hash_object("claim", state_claim(state)) +
           hash_text("draw_offer", state->draw_offer) +
           hash_object("last_move", state_last_move(state)) +
           hash_integer("move_number", state->move_number) +
           hash_text("next_room", state->next_room) + hash_value("out", state_out(state)) +
           hash_integer("ply", state->ply) + hash_value("ranks", state_ranks(state)) +
           hash_text("rematch_offer", state->rematch_offer) +
           hash_object("result", state_result(state)) + hash_text("state", state->state) +
           hash_text("status", status_word(state->status)) +
           hash_text("takeback_offer", state->takeback_offer) +
           hash_value("taken", state_taken(state)) + hash_text("to_move", state->to_move);
}

uint32_t state_hash(const struct state *state)
{
    uint32_t hash = hash_members(state);
    for (int i = 0; i < state->cell_count; i++)
        hash += hash_cell(state->cell_names[i], &state->cells[i]);
    for (int i = 0; i < state->seat_count; i++)
        hash += hash_seat(state->seat_names[i], &state->seats[i]);
    return hash;
}

uint32_t state_hash_patched(uint32_t hash, const struct state *before, const struct state *after)
{
    assert(before->cell_count == after->cell_count && before->seat_count == after->seat_count);
    for (int i = 0; i < after->cell_count; i++) {
        if (!state_same_cell(&before->cells[i], &after->cells[i]))
            hash += hash_cell(after->cell_names[i], &after->cells[i]) -
                    hash_cell(after->cell_names[i], &before->cells[i]);
    }
    for (int i = 0; i < after->seat_count; i++) {
        if (!state_same_seat(&before->seats[i], &after->seats[i]))
            hash += hash_seat(after->seat_names[i], &after->seats[i]) -
                    hash_seat(after->seat_names[i], &before->seats[i]);
    }
    return hash + hash_members(after) - hash_members(before);
}

void state_hash_text(uint32_t hash, char text[STATE_HASH_DIGITS + 1])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < STATE_HASH_DIGITS; i++)
        text[i] = digits[(hash >> (4 * (STATE_HASH_DIGITS - 1 - i))) & 15];
    text[STATE_HASH_DIGITS] = '\0';
}
