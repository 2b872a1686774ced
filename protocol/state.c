#include "protocol/state.h"

#include <assert.h>
#include <string.h>

static const char *const as_words[] = {"human", "bot"};

const char *status_word(enum state_status status)
{
    static const char *const words[] = {"waiting", "playing", "finished"};
    assert((unsigned)status <= STATUS_FINISHED);
    return words[status];
}

/* ---- what is equal ---- */

/* Names mostly come from the same tables: then the pointers already say it. */
static bool same_text(const char *one, const char *other)
{
    if (one == other)
        return true;
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

static bool same_cell(const struct state_cell *one, const struct state_cell *other)
{
    if (one->figure == NULL || other->figure == NULL)
        return one->figure == other->figure;
    return one->moves_made == other->moves_made && one->last_move == other->last_move &&
           same_text(one->figure, other->figure) && same_text(one->player, other->player);
}

static bool same_seat(const struct state_seat *one, const struct state_seat *other)
{
    if (one->player == NULL || other->player == NULL)
        return one->player == other->player;
    return one->as == other->as && same_text(one->player, other->player) &&
           same_text(one->name, other->name);
}

static bool same_last_move(const struct state *one, const struct state *other)
{
    if (one->last_from == NULL || other->last_from == NULL)
        return one->last_from == other->last_from;
    return same_text(one->last_from, other->last_from) && same_text(one->last_to, other->last_to) &&
           same_text(one->last_choice, other->last_choice);
}

static bool same_result(const struct state *one, const struct state *other)
{
    if (!one->has_result || !other->has_result)
        return one->has_result == other->has_result;
    return same_text(one->winner, other->winner) && same_text(one->reason, other->reason);
}

/* ---- the parts as JSON ----
 *
 * Members are written in sorted order: the text of a part is then the very text its hash is made
 * of. */

static void write_text_member(struct writer *writer, const char *name, const char *value)
{
    writer_key(writer, name);
    writer_string(writer, value);
}

static void write_cell(struct writer *writer, const struct state_cell *cell)
{
    writer_object(writer);
    write_text_member(writer, "figure", cell->figure);
    writer_key(writer, "last_move");
    writer_integer(writer, cell->last_move);
    writer_key(writer, "moves_made");
    writer_integer(writer, cell->moves_made);
    write_text_member(writer, "player", cell->player);
    writer_end(writer);
}

static void write_seat(struct writer *writer, const struct state_seat *seat)
{
    writer_object(writer);
    write_text_member(writer, "as", as_words[seat->as]);
    write_text_member(writer, "name", seat->name);
    write_text_member(writer, "player", seat->player);
    writer_end(writer);
}

/* In a patch a member that is gone is null; `before` says what was there and may be NULL. */
static void write_last_move(struct writer *writer, const struct state *before,
                            const struct state *state)
{
    writer_object(writer);
    if (state->last_choice != NULL) {
        write_text_member(writer, "choice", state->last_choice);
    } else if (before != NULL && before->last_from != NULL && before->last_choice != NULL) {
        writer_key(writer, "choice");
        writer_null(writer);
    }
    write_text_member(writer, "from", state->last_from);
    write_text_member(writer, "to", state->last_to);
    writer_end(writer);
}

static void write_result(struct writer *writer, const struct state *before,
                         const struct state *state)
{
    const bool was_result = before != NULL && before->has_result;
    writer_object(writer);
    if (state->winner == NULL) {
        writer_key(writer, "draw");
        writer_boolean(writer, true);
    } else if (was_result && before->winner == NULL) {
        writer_key(writer, "draw");
        writer_null(writer);
    }
    write_text_member(writer, "reason", state->reason);
    if (state->winner != NULL) {
        write_text_member(writer, "winner", state->winner);
    } else if (was_result && before->winner != NULL) {
        writer_key(writer, "winner");
        writer_null(writer);
    }
    writer_end(writer);
}

/* ---- the document ---- */

static void write_cells(struct writer *writer, const struct state *state)
{
    writer_key(writer, "cells");
    writer_object(writer);
    for (int i = 0; i < state->cell_count; i++) {
        if (state->cells[i].figure == NULL)
            continue;
        writer_key(writer, state->cell_names[i]);
        write_cell(writer, &state->cells[i]);
    }
    writer_end(writer);
}

static void write_seats(struct writer *writer, const struct state *state)
{
    writer_key(writer, "seats");
    writer_object(writer);
    for (int i = 0; i < state->seat_count; i++) {
        if (state->seats[i].player == NULL)
            continue;
        writer_key(writer, state->seat_names[i]);
        write_seat(writer, &state->seats[i]);
    }
    writer_end(writer);
}

static void write_optional_text(struct writer *writer, const char *name, const char *value)
{
    if (value != NULL)
        write_text_member(writer, name, value);
}

static void write_integer_member(struct writer *writer, const char *name, uint32_t value)
{
    writer_key(writer, name);
    writer_integer(writer, value);
}

void state_write(const struct state *state, struct writer *writer)
{
    writer_object(writer);
    write_cells(writer, state);
    write_optional_text(writer, "draw_offer", state->draw_offer);
    if (state->last_from != NULL) {
        writer_key(writer, "last_move");
        write_last_move(writer, NULL, state);
    }
    write_integer_member(writer, "move_number", state->move_number);
    write_optional_text(writer, "next_room", state->next_room);
    write_integer_member(writer, "ply", state->ply);
    write_optional_text(writer, "rematch_offer", state->rematch_offer);
    if (state->has_result) {
        writer_key(writer, "result");
        write_result(writer, NULL, state);
    }
    write_seats(writer, state);
    write_text_member(writer, "state", state->state);
    write_text_member(writer, "status", status_word(state->status));
    write_optional_text(writer, "to_move", state->to_move);
    writer_end(writer);
}

/* ---- the patch ---- */

static void patch_cells(struct writer *writer, const struct state *before,
                        const struct state *after)
{
    bool any = false;
    for (int i = 0; i < after->cell_count; i++) {
        if (same_cell(&before->cells[i], &after->cells[i]))
            continue;
        if (!any) {
            writer_key(writer, "cells");
            writer_object(writer);
            any = true;
        }
        writer_key(writer, after->cell_names[i]);
        if (after->cells[i].figure == NULL)
            writer_null(writer);
        else
            write_cell(writer, &after->cells[i]);
    }
    if (any)
        writer_end(writer);
}

static void patch_seats(struct writer *writer, const struct state *before,
                        const struct state *after)
{
    bool any = false;
    for (int i = 0; i < after->seat_count; i++) {
        if (same_seat(&before->seats[i], &after->seats[i]))
            continue;
        if (!any) {
            writer_key(writer, "seats");
            writer_object(writer);
            any = true;
        }
        writer_key(writer, after->seat_names[i]);
        if (after->seats[i].player == NULL)
            writer_null(writer);
        else
            write_seat(writer, &after->seats[i]);
    }
    if (any)
        writer_end(writer);
}

static void patch_text(struct writer *writer, const char *name, const char *before,
                       const char *after)
{
    if (same_text(before, after))
        return;
    writer_key(writer, name);
    if (after == NULL)
        writer_null(writer);
    else
        writer_string(writer, after);
}

static void patch_integer(struct writer *writer, const char *name, uint32_t before, uint32_t after)
{
    if (before != after)
        write_integer_member(writer, name, after);
}

static void patch_last_move(struct writer *writer, const struct state *before,
                            const struct state *after)
{
    if (same_last_move(before, after))
        return;
    writer_key(writer, "last_move");
    if (after->last_from == NULL)
        writer_null(writer);
    else
        write_last_move(writer, before, after);
}

static void patch_result(struct writer *writer, const struct state *before,
                         const struct state *after)
{
    if (same_result(before, after))
        return;
    writer_key(writer, "result");
    if (!after->has_result)
        writer_null(writer);
    else
        write_result(writer, before, after);
}

void state_write_patch(const struct state *before, const struct state *after, struct writer *writer)
{
    assert(before->cell_count == after->cell_count && before->seat_count == after->seat_count);
    writer_object(writer);
    patch_cells(writer, before, after);
    patch_text(writer, "draw_offer", before->draw_offer, after->draw_offer);
    patch_last_move(writer, before, after);
    patch_integer(writer, "move_number", before->move_number, after->move_number);
    patch_text(writer, "next_room", before->next_room, after->next_room);
    patch_integer(writer, "ply", before->ply, after->ply);
    patch_text(writer, "rematch_offer", before->rematch_offer, after->rematch_offer);
    patch_result(writer, before, after);
    patch_seats(writer, before, after);
    patch_text(writer, "state", before->state, after->state);
    patch_text(writer, "status", status_word(before->status), status_word(after->status));
    patch_text(writer, "to_move", before->to_move, after->to_move);
    writer_end(writer);
}

/* ---- the hash ----
 *
 * Each part's line is fed to FNV-1a as it would be written, without writing it. */

static uint32_t line_bytes(uint32_t line, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        line = (line ^ (unsigned char)bytes[i]) * UINT32_C(16777619);
    return line;
}

static uint32_t line_plain(uint32_t line, const char *text)
{
    return line_bytes(line, text, strlen(text));
}

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

static uint32_t line_begin(const char *group, const char *name)
{
    uint32_t line = UINT32_C(2166136261);
    line = line_plain(line, group);
    line = line_plain(line, name);
    return line_bytes(line, "=", 1);
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
    line = line_string(line_plain(line, "{\"as\":"), as_words[seat->as]);
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

static uint32_t hash_last_move(const struct state *state)
{
    if (state->last_from == NULL)
        return 0;
    uint32_t line = line_plain(line_begin("", "last_move"), "{");
    if (state->last_choice != NULL) {
        line = line_string(line_plain(line, "\"choice\":"), state->last_choice);
        line = line_plain(line, ",");
    }
    line = line_string(line_plain(line, "\"from\":"), state->last_from);
    line = line_string(line_plain(line, ",\"to\":"), state->last_to);
    return line_plain(line, "}");
}

static uint32_t hash_result(const struct state *state)
{
    if (!state->has_result)
        return 0;
    uint32_t line = line_plain(line_begin("", "result"), "{");
    if (state->winner == NULL)
        line = line_plain(line, "\"draw\":true,");
    line = line_string(line_plain(line, "\"reason\":"), state->reason);
    if (state->winner != NULL)
        line = line_string(line_plain(line, ",\"winner\":"), state->winner);
    return line_plain(line, "}");
}

/* Everything but cells and seats: a dozen short lines. */
static uint32_t hash_members(const struct state *state)
{
    return hash_text("draw_offer", state->draw_offer) + hash_last_move(state) +
           hash_integer("move_number", state->move_number) +
           hash_text("next_room", state->next_room) + hash_integer("ply", state->ply) +
           hash_text("rematch_offer", state->rematch_offer) + hash_result(state) +
           hash_text("state", state->state) + hash_text("status", status_word(state->status)) +
           hash_text("to_move", state->to_move);
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
        if (!same_cell(&before->cells[i], &after->cells[i]))
            hash += hash_cell(after->cell_names[i], &after->cells[i]) -
                    hash_cell(after->cell_names[i], &before->cells[i]);
    }
    for (int i = 0; i < after->seat_count; i++) {
        if (!same_seat(&before->seats[i], &after->seats[i]))
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
