#include "protocol/state_parts.h"

#include <assert.h>
#include <string.h>

const char *state_kind_word(enum player_kind kind)
{
    static const char *const words[] = {"human", "bot"};
    assert((unsigned)kind < sizeof words / sizeof *words);
    return words[kind];
}

const char *status_word(enum state_status status)
{
    static const char *const words[] = {"waiting", "playing", "finished"};
    assert((unsigned)status <= STATUS_FINISHED);
    return words[status];
}

/* Names mostly come from the same tables: then the pointers already say it. */
bool state_same_text(const char *one, const char *other)
{
    if (one == other)
        return true;
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

bool state_same_cell(const struct state_cell *one, const struct state_cell *other)
{
    if (one->figure == NULL || other->figure == NULL)
        return one->figure == other->figure;
    return one->moves_made == other->moves_made && one->last_move == other->last_move &&
           state_same_text(one->figure, other->figure) &&
           state_same_text(one->player, other->player);
}

bool state_same_seat(const struct state_seat *one, const struct state_seat *other)
{
    if (one->player == NULL || other->player == NULL)
        return one->player == other->player;
    if (one->has_clock != other->has_clock ||
        (one->has_clock && (one->left_ms != other->left_ms || one->periods != other->periods)))
        return false;
    return one->as == other->as && state_same_text(one->player, other->player) &&
           state_same_text(one->name, other->name);
}

static struct state_value text_value(const char *text)
{
    return (struct state_value){.kind = text == NULL ? VALUE_ABSENT : VALUE_TEXT, .text = text};
}

static struct state_value true_value(bool truth)
{
    return (struct state_value){.kind = truth ? VALUE_TRUE : VALUE_ABSENT};
}

static struct state_value texts_value(const char *const *texts, int count)
{
    return (struct state_value){
        .kind = count > 0 ? VALUE_TEXTS : VALUE_ABSENT, .count = count, .texts = texts};
}

struct state_object state_last_move(const struct state *state)
{
    if (state->last_pass)
        return (struct state_object){true, 1, {{"pass", true_value(true)}}};
    if (state->last_swap)
        return (struct state_object){true, 1, {{"swap", true_value(true)}}};
    return (struct state_object){state->last_to != NULL,
                                 3,
                                 {{"choice", text_value(state->last_choice)},
                                  {"from", text_value(state->last_from)},
                                  {"to", text_value(state->last_to)}}};
}

static bool is_draw(const struct state_end *end)
{
    return !end->winner && !end->loser && !end->aborted;
}

struct state_object state_claim(const struct state *state)
{
    return (struct state_object){state->has_claim,
                                 4,
                                 {{"draw", true_value(is_draw(&state->claim))},
                                  {"loser", text_value(state->claim.loser)},
                                  {"reason", text_value(state->claim.reason)},
                                  {"winner", text_value(state->claim.winner)}}};
}

struct state_object state_result(const struct state *state)
{
    const struct state_end *result = &state->result;
    return (struct state_object){state->has_result,
                                 6,
                                 {{"aborted", true_value(result->aborted)},
                                  {"draw", true_value(is_draw(result))},
                                  {"loser", text_value(result->loser)},
                                  {"ranks", texts_value(state->ranks, state->rank_count)},
                                  {"reason", text_value(result->reason)},
                                  {"winner", text_value(result->winner)}}};
}

struct state_value state_ranks(const struct state *state)
{
    return texts_value(state->ranks, state->has_result ? 0 : state->rank_count);
}

struct state_value state_out(const struct state *state)
{
    return texts_value(state->out, state->out_count);
}

struct state_value state_taken(const struct state *state)
{
    return texts_value(state->taken, state->taken_count);
}

bool state_same_value(const struct state_value *one, const struct state_value *other)
{
    if (one->kind != other->kind || one->count != other->count ||
        !state_same_text(one->text, other->text))
        return false;
    for (int i = 0; i < one->count; i++)
        if (!state_same_text(one->texts[i], other->texts[i]))
            return false;
    return true;
}

const struct state_value *state_find_part(const struct state_object *object, const char *name)
{
    for (int i = 0; object->present && i < object->count; i++)
        if (strcmp(object->parts[i].name, name) == 0 && object->parts[i].value.kind != VALUE_ABSENT)
            return &object->parts[i].value;
    return NULL;
}

bool state_same_object(const struct state_object *one, const struct state_object *other)
{
    if (!one->present || !other->present)
        return one->present == other->present;
    for (int i = 0; i < one->count; i++) {
        const struct state_part *part = &one->parts[i];
        const struct state_value *same = state_find_part(other, part->name);
        if (part->value.kind != VALUE_ABSENT &&
            (same == NULL || !state_same_value(&part->value, same)))
            return false;
    }
    for (int i = 0; i < other->count; i++)
        if (other->parts[i].value.kind != VALUE_ABSENT &&
            state_find_part(one, other->parts[i].name) == NULL)
            return false;
    return true;
}
