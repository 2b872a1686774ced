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

/* ---- members that are objects or lists themselves ----
 *
 * One table of them serves the document, the patch, the hash and the question whether they are equal. */

enum value_kind { VALUE_ABSENT, VALUE_TRUE, VALUE_TEXT, VALUE_TEXTS };

struct value {
    enum value_kind kind;
    const char *text;
    int count;
    const char *const *texts;
};

struct part {
    const char *name;
    struct value value;
};

enum { PARTS_MAX = 4 };

/* An object; sorted by name; absent as a whole when `present` is false. */
struct object {
    bool present;
    int count;
    struct part parts[PARTS_MAX];
};

static struct value text_value(const char *text)
{
    return (struct value){.kind = text == NULL ? VALUE_ABSENT : VALUE_TEXT, .text = text};
}

static struct value true_value(bool truth)
{
    return (struct value){.kind = truth ? VALUE_TRUE : VALUE_ABSENT};
}

static struct value texts_value(const char *const *texts, int count)
{
    return (struct value){
        .kind = count > 0 ? VALUE_TEXTS : VALUE_ABSENT, .count = count, .texts = texts};
}

static struct object last_move_of(const struct state *state)
{
    if (state->last_pass)
        return (struct object){true, 1, {{"pass", true_value(true)}}};
    return (struct object){state->last_from != NULL,
                           3,
                           {{"choice", text_value(state->last_choice)},
                            {"from", text_value(state->last_from)},
                            {"to", text_value(state->last_to)}}};
}

static struct object claim_of(const struct state *state)
{
    return (struct object){state->has_claim,
                           3,
                           {{"draw", true_value(state->claim.winner == NULL)},
                            {"reason", text_value(state->claim.reason)},
                            {"winner", text_value(state->claim.winner)}}};
}

static struct object result_of(const struct state *state)
{
    return (struct object){state->has_result,
                           4,
                           {{"draw", true_value(state->result.winner == NULL)},
                            {"ranks", texts_value(state->ranks, state->rank_count)},
                            {"reason", text_value(state->result.reason)},
                            {"winner", text_value(state->result.winner)}}};
}

/* The places given so far; once the game is over they are the result's. */
static struct value ranks_of(const struct state *state)
{
    return texts_value(state->ranks, state->has_result ? 0 : state->rank_count);
}

static struct value taken_of(const struct state *state)
{
    return texts_value(state->taken, state->taken_count);
}

static bool same_value(const struct value *one, const struct value *other)
{
    if (one->kind != other->kind || one->count != other->count ||
        !same_text(one->text, other->text))
        return false;
    for (int i = 0; i < one->count; i++)
        if (!same_text(one->texts[i], other->texts[i]))
            return false;
    return true;
}

static const struct value *part_of(const struct object *object, const char *name)
{
    for (int i = 0; object->present && i < object->count; i++)
        if (strcmp(object->parts[i].name, name) == 0 && object->parts[i].value.kind != VALUE_ABSENT)
            return &object->parts[i].value;
    return NULL;
}

/* Every part that either has is the same in both. */
static bool same_object(const struct object *one, const struct object *other)
{
    if (!one->present || !other->present)
        return one->present == other->present;
    for (int i = 0; i < one->count; i++) {
        const struct part *part = &one->parts[i];
        const struct value *same = part_of(other, part->name);
        if (part->value.kind != VALUE_ABSENT && (same == NULL || !same_value(&part->value, same)))
            return false;
    }
    for (int i = 0; i < other->count; i++)
        if (other->parts[i].value.kind != VALUE_ABSENT &&
            part_of(one, other->parts[i].name) == NULL)
            return false;
    return true;
}

static void write_value(struct writer *writer, const struct value *value)
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
static void write_object(struct writer *writer, const struct object *before,
                         const struct object *object)
{
    writer_object(writer);
    for (int i = 0; i < object->count; i++) {
        const struct part *part = &object->parts[i];
        if (part->value.kind == VALUE_ABSENT)
            continue;
        writer_key(writer, part->name);
        write_value(writer, &part->value);
    }
    for (int i = 0; before != NULL && before->present && i < before->count; i++) {
        const struct part *part = &before->parts[i];
        if (part->value.kind == VALUE_ABSENT || part_of(object, part->name) != NULL)
            continue;
        writer_key(writer, part->name);
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

static void write_optional_object(struct writer *writer, const char *name,
                                  const struct object *object)
{
    if (!object->present)
        return;
    writer_key(writer, name);
    write_object(writer, NULL, object);
}

static void write_optional_value(struct writer *writer, const char *name, const struct value *value)
{
    if (value->kind == VALUE_ABSENT)
        return;
    writer_key(writer, name);
    write_value(writer, value);
}

void state_write(const struct state *state, struct writer *writer)
{
    struct object claim = claim_of(state), last_move = last_move_of(state);
    struct object result = result_of(state);
    struct value ranks = ranks_of(state), taken = taken_of(state);
    writer_object(writer);
    write_optional_text(writer, "active", state->active);
    write_cells(writer, state);
    write_optional_object(writer, "claim", &claim);
    write_optional_text(writer, "draw_offer", state->draw_offer);
    write_optional_object(writer, "last_move", &last_move);
    write_integer_member(writer, "move_number", state->move_number);
    write_optional_text(writer, "next_room", state->next_room);
    write_integer_member(writer, "ply", state->ply);
    write_optional_value(writer, "ranks", &ranks);
    write_optional_text(writer, "rematch_offer", state->rematch_offer);
    write_optional_object(writer, "result", &result);
    write_seats(writer, state);
    write_text_member(writer, "state", state->state);
    write_text_member(writer, "status", status_word(state->status));
    write_optional_value(writer, "taken", &taken);
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

static void patch_value(struct writer *writer, const char *name, struct value before,
                        struct value after)
{
    if (same_value(&before, &after))
        return;
    writer_key(writer, name);
    write_value(writer, &after);
}

static void patch_object(struct writer *writer, const char *name, struct object before,
                         struct object after)
{
    if (same_object(&before, &after))
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
    patch_object(writer, "claim", claim_of(before), claim_of(after));
    patch_text(writer, "draw_offer", before->draw_offer, after->draw_offer);
    patch_object(writer, "last_move", last_move_of(before), last_move_of(after));
    patch_integer(writer, "move_number", before->move_number, after->move_number);
    patch_text(writer, "next_room", before->next_room, after->next_room);
    patch_integer(writer, "ply", before->ply, after->ply);
    patch_value(writer, "ranks", ranks_of(before), ranks_of(after));
    patch_text(writer, "rematch_offer", before->rematch_offer, after->rematch_offer);
    patch_object(writer, "result", result_of(before), result_of(after));
    patch_seats(writer, before, after);
    patch_text(writer, "state", before->state, after->state);
    patch_text(writer, "status", status_word(before->status), status_word(after->status));
    patch_value(writer, "taken", taken_of(before), taken_of(after));
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

static uint32_t line_value(uint32_t line, const struct value *value)
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

static uint32_t hash_value(const char *name, struct value value)
{
    return value.kind == VALUE_ABSENT ? 0 : line_value(line_begin("", name), &value);
}

static uint32_t hash_object(const char *name, struct object object)
{
    if (!object.present)
        return 0;
    uint32_t line = line_begin("", name);
    const char *before = "{";
    for (int i = 0; i < object.count; i++) {
        const struct part *part = &object.parts[i];
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
    return hash_text("active", state->active) + hash_object("claim", claim_of(state)) +
           hash_text("draw_offer", state->draw_offer) +
           hash_object("last_move", last_move_of(state)) +
           hash_integer("move_number", state->move_number) +
           hash_text("next_room", state->next_room) + hash_integer("ply", state->ply) +
           hash_value("ranks", ranks_of(state)) + hash_text("rematch_offer", state->rematch_offer) +
           hash_object("result", result_of(state)) + hash_text("state", state->state) +
           hash_text("status", status_word(state->status)) + hash_value("taken", taken_of(state)) +
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
