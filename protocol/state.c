/* The document and the patch. Members are written in sorted order: the text of a part is then the very text its hash is
 * made of. */
#include "protocol/state_parts.h"

#include <assert.h>

static void write_text_member(struct writer *writer, const char *name, const char *value)
{
    writer_key(writer, name);
    writer_string(writer, value);
}

static void write_integer_member(struct writer *writer, const char *name, uint32_t value)
{
    writer_key(writer, name);
    writer_integer(writer, value);
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
    write_text_member(writer, "as", state_kind_word(seat->as));
    if (seat->has_clock) {
        writer_key(writer, "clock");
        writer_object(writer);
        write_integer_member(writer, "left_ms", seat->left_ms);
        write_integer_member(writer, "periods", seat->periods);
        writer_end(writer);
    }
    write_text_member(writer, "name", seat->name);
    write_text_member(writer, "player", seat->player);
    writer_end(writer);
}

static void write_value(struct writer *writer, const struct state_value *value)
{
    switch (value->kind) {
    case VALUE_ABSENT:
        writer_null(writer);
        break;
    case VALUE_TRUE:
        writer_boolean(writer, true);
        break;
    case VALUE_TEXT:
        writer_string(writer, value->text);
        break;
    case VALUE_TEXTS:
        writer_array(writer);
        for (int i = 0; i < value->count; i++)
            writer_string(writer, value->texts[i]);
        writer_end(writer);
        break;
    }
}

/* In a patch a part that is gone is null; `before` says what was there and may be NULL. Its parts may be others
 * than those of `object` (a pass after a move): what only it had comes last. */
static void write_object(struct writer *writer, const struct state_object *before,
                         const struct state_object *object)
{
    writer_object(writer);
    for (int i = 0; i < object->count; i++) {
        const struct state_part *part = &object->parts[i];
        if (part->value.kind == VALUE_ABSENT)
            continue;
        writer_key(writer, part->name);
        write_value(writer, &part->value);
    }
    for (int i = 0; before != NULL && before->present && i < before->count; i++) {
        const struct state_part *part = &before->parts[i];
        if (part->value.kind == VALUE_ABSENT || state_find_part(object, part->name) != NULL)
            continue;
        writer_key(writer, part->name);
        writer_null(writer);
    }
    writer_end(writer);
}

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

static void write_optional_object(struct writer *writer, const char *name,
                                  const struct state_object *object)
{
    if (!object->present)
        return;
    writer_key(writer, name);
    write_object(writer, NULL, object);
}

static void write_optional_value(struct writer *writer, const char *name,
                                 const struct state_value *value)
{
    if (value->kind == VALUE_ABSENT)
        return;
    writer_key(writer, name);
    write_value(writer, value);
}

void state_write(const struct state *state, struct writer *writer)
{
    struct state_object claim = state_claim(state), last_move = state_last_move(state);
    struct state_object result = state_result(state);
    struct state_value ranks = state_ranks(state), taken = state_taken(state);
    struct state_value out = state_out(state);
    writer_object(writer);
    write_optional_text(writer, "active", state->active);
    write_cells(writer, state);
    write_optional_object(writer, "claim", &claim);
    write_optional_text(writer, "draw_offer", state->draw_offer);
    write_optional_object(writer, "last_move", &last_move);
    write_integer_member(writer, "move_number", state->move_number);
    write_optional_text(writer, "next_room", state->next_room);
    write_optional_value(writer, "out", &out);
    write_integer_member(writer, "ply", state->ply);
    write_optional_value(writer, "ranks", &ranks);
    write_optional_text(writer, "rematch_offer", state->rematch_offer);
    write_optional_object(writer, "result", &result);
    write_seats(writer, state);
    write_text_member(writer, "state", state->state);
    write_text_member(writer, "status", status_word(state->status));
    write_optional_text(writer, "takeback_offer", state->takeback_offer);
    write_optional_value(writer, "taken", &taken);
    write_optional_text(writer, "to_move", state->to_move);
    writer_end(writer);
}

static void patch_cells(struct writer *writer, const struct state *before,
                        const struct state *after)
{
    bool any = false;
    for (int i = 0; i < after->cell_count; i++) {
        if (state_same_cell(&before->cells[i], &after->cells[i]))
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
        if (state_same_seat(&before->seats[i], &after->seats[i]))
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
    if (state_same_text(before, after))
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

static void patch_value(struct writer *writer, const char *name, struct state_value before,
                        struct state_value after)
{
    if (state_same_value(&before, &after))
        return;
    writer_key(writer, name);
    write_value(writer, &after);
}

static void patch_object(struct writer *writer, const char *name, struct state_object before,
                         struct state_object after)
{
    if (state_same_object(&before, &after))
        return;
    writer_key(writer, name);
    if (!after.present)
        writer_null(writer);
    else
        write_object(writer, &before, &after);
}

void state_write_patch(const struct state *before, const struct state *after, struct writer *writer)
{
    assert(before->cell_count == after->cell_count && before->seat_count == after->seat_count);
    writer_object(writer);
    patch_text(writer, "active", before->active, after->active);
    patch_cells(writer, before, after);
    patch_object(writer, "claim", state_claim(before), state_claim(after));
    patch_text(writer, "draw_offer", before->draw_offer, after->draw_offer);
    patch_object(writer, "last_move", state_last_move(before), state_last_move(after));
    patch_integer(writer, "move_number", before->move_number, after->move_number);
    patch_text(writer, "next_room", before->next_room, after->next_room);
    patch_value(writer, "out", state_out(before), state_out(after));
    patch_integer(writer, "ply", before->ply, after->ply);
    patch_value(writer, "ranks", state_ranks(before), state_ranks(after));
    patch_text(writer, "rematch_offer", before->rematch_offer, after->rematch_offer);
    patch_object(writer, "result", state_result(before), state_result(after));
    patch_seats(writer, before, after);
    patch_text(writer, "state", before->state, after->state);
    patch_text(writer, "status", status_word(before->status), status_word(after->status));
    patch_text(writer, "takeback_offer", before->takeback_offer, after->takeback_offer);
    patch_value(writer, "taken", state_taken(before), state_taken(after));
    patch_text(writer, "to_move", before->to_move, after->to_move);
    writer_end(writer);
}
