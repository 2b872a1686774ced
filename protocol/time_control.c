#include "protocol/time_control.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define NO_CLOCK "none"

static bool fail(char words[TIME_WORDS_BYTES], const char *name, const char *what)
{
    snprintf(words, TIME_WORDS_BYTES, "clock.%.64s %s", name, what);
    return false;
}

static bool read_ms(const json_t *object, const char *name, uint32_t *ms, char *words)
{
    const json_t *value = json_object_get(object, name);
    if (value == NULL)
        return true;
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || number > (json_int_t)TIME_MS_MAX)
        return fail(words, name, "must be milliseconds, at most 30 days");
    *ms = (uint32_t)number;
    return true;
}

static bool read_periods(const json_t *object, int *periods, char *words)
{
    const json_t *value = json_object_get(object, "periods");
    json_int_t number = json_integer_value(value);
    if (value != NULL && (!json_is_integer(value) || number < 1 || number > TIME_PERIODS_MAX))
        return fail(words, "periods", "must be from 1 to 100");
    *periods = (int)number;
    return true;
}

static bool read_budget(const json_t *object, struct time_budget *budget, char *words)
{
    const json_t *bronstein = json_object_get(object, "bronstein");
    *budget = (struct time_budget){.periods = 0};
    if (!read_ms(object, "initial_ms", &budget->initial_ms, words) ||
        !read_ms(object, "increment_ms", &budget->increment_ms, words) ||
        !read_ms(object, "delay_ms", &budget->delay_ms, words) ||
        !read_ms(object, "period_ms", &budget->period_ms, words) ||
        !read_periods(object, &budget->periods, words))
        return false;
    if (bronstein != NULL && !json_is_boolean(bronstein))
        return fail(words, "bronstein", "must be true or false");
    budget->bronstein = json_is_true(bronstein);
    if ((budget->periods > 0) != (budget->period_ms > 0))
        return fail(words, "periods", "and period_ms go together");
    if (budget->initial_ms == 0 && budget->periods == 0)
        return fail(words, "initial_ms", "is missing: nobody would have any time");
    return true;
}

static bool read_own(const json_t *seats, struct time_control *control, char *words)
{
    const char *seat = NULL;
    json_t *object = NULL;
    if (seats == NULL)
        return true;
    if (!json_is_object(seats) || json_object_size(seats) > TIME_SEATS_MAX)
        return fail(words, "seats", "must be an object of seats");
    json_object_foreach((json_t *)seats, seat, object)
    {
        size_t length = strlen(seat);
        if (length >= sizeof control->own[0].seat || !json_is_object(object))
            return fail(words, "seats", "must be an object of seats");
        memcpy(control->own[control->own_count].seat, seat, length + 1);
        if (!read_budget(object, &control->own[control->own_count++].budget, words))
            return false;
    }
    return true;
}

bool time_control_read(const void *value, struct time_control *control,
                       char words[TIME_WORDS_BYTES])
{
    const json_t *object = value;
    *control = (struct time_control){.is_set = true};
    if (!json_is_object(object)) {
        snprintf(words, TIME_WORDS_BYTES, "clock must be an object");
        return false;
    }
    return read_budget(object, &control->all, words) &&
           read_own(json_object_get(object, "seats"), control, words);
}

static void write_number(struct writer *writer, const char *name, uint32_t number)
{
    if (number == 0)
        return;
    writer_key(writer, name);
    writer_integer(writer, number);
}

static void write_budget(struct writer *writer, const struct time_budget *budget)
{
    writer_key(writer, "initial_ms");
    writer_integer(writer, budget->initial_ms);
    write_number(writer, "increment_ms", budget->increment_ms);
    write_number(writer, "delay_ms", budget->delay_ms);
    if (budget->bronstein) {
        writer_key(writer, "bronstein");
        writer_boolean(writer, true);
    }
    write_number(writer, "periods", (uint32_t)budget->periods);
    write_number(writer, "period_ms", budget->period_ms);
}

void time_control_write(const struct time_control *control, struct writer *writer)
{
    writer_object(writer);
    write_budget(writer, &control->all);
    if (control->own_count > 0) {
        writer_key(writer, "seats");
        writer_object(writer);
        for (int i = 0; i < control->own_count; i++) {
            writer_key(writer, control->own[i].seat);
            writer_object(writer);
            write_budget(writer, &control->own[i].budget);
            writer_end(writer);
        }
        writer_end(writer);
    }
    writer_end(writer);
}

bool time_control_read_offer(const void *value, struct time_control *control,
                             char words[TIME_WORDS_BYTES])
{
    const json_t *word = value;
    if (!json_is_string(word))
        return time_control_read(value, control, words);
    *control = (struct time_control){.is_set = false};
    if (strcmp(json_string_value(word), NO_CLOCK) == 0)
        return true;
    snprintf(words, TIME_WORDS_BYTES, "clock must be an object, or \"" NO_CLOCK "\"");
    return false;
}

void time_control_write_offer(const struct time_control *control, struct writer *writer)
{
    if (control->is_set)
        time_control_write(control, writer);
    else
        writer_string(writer, NO_CLOCK);
}

bool time_budget_equal(const struct time_budget *one, const struct time_budget *other)
{
    return one->initial_ms == other->initial_ms && one->increment_ms == other->increment_ms &&
           one->delay_ms == other->delay_ms && one->period_ms == other->period_ms &&
           one->periods == other->periods && one->bronstein == other->bronstein;
}

const struct time_budget *time_control_of(const struct time_control *control, const char *seat)
{
    for (int i = 0; i < control->own_count; i++)
        if (strcmp(control->own[i].seat, seat) == 0)
            return &control->own[i].budget;
    return &control->all;
}
