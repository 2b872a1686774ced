#include "server/core/pgn_clock.h"

#include <stdio.h>
#include <string.h>

enum { DIGITS_MAX = 9, SECOND_MS = 1000, THOUSANDTHS = 3 };

/* --- seconds ---------------------------------------------------------------------------------- */

static size_t write_seconds(uint32_t ms, int least_digits, char *text, size_t size)
{
    int length = snprintf(text, size, "%0*u", least_digits, ms / SECOND_MS);
    if (ms % SECOND_MS != 0)
        length += snprintf(text + length, size - (size_t)length, ".%03u", ms % SECOND_MS);
    while (ms % SECOND_MS != 0 && text[length - 1] == '0')
        text[--length] = '\0';
    return (size_t)length;
}

static bool read_digits(const char **at, uint64_t *number)
{
    int digits = 0;
    for (*number = 0; **at >= '0' && **at <= '9'; ++*at, digits++)
        if (digits < DIGITS_MAX)
            *number = *number * 10 + (uint64_t)(**at - '0');
    return digits > 0 && digits <= DIGITS_MAX;
}

/* 12, 12.3 or 12.345; what is smaller is not counted. */
static bool read_seconds(const char **at, uint64_t *ms)
{
    uint64_t part = 0, unit = SECOND_MS;
    if (!read_digits(at, ms))
        return false;
    if (**at == '.')
        for (++*at; **at >= '0' && **at <= '9'; ++*at) {
            unit /= 10;
            part += (uint64_t)(**at - '0') * unit;
        }
    *ms = *ms * SECOND_MS + part;
    return *ms <= TIME_MS_MAX;
}

/* --- the tag ---------------------------------------------------------------------------------- */

static bool has_own_time(const struct time_control *control)
{
    for (int i = 0; i < control->own_count; i++)
        if (!time_budget_equal(&control->own[i].budget, &control->all))
            return true;
    return false;
}

void pgn_clock_write_control(const struct time_control *control, char text[PGN_TIME_BYTES])
{
    const struct time_budget *all = &control->all;
    size_t length;
    strcpy(text, control->is_set ? "?" : "-");
    if (!control->is_set || has_own_time(control) || all->delay_ms > 0)
        return;
    if (all->initial_ms == 0 && all->periods == 1 && all->increment_ms == 0) {
        strcpy(text, "1/");
        write_seconds(all->period_ms, 1, text + 2, PGN_TIME_BYTES - 2);
    } else if (all->periods == 0) {
        length = write_seconds(all->initial_ms, 1, text, PGN_TIME_BYTES);
        if (all->increment_ms == 0)
            return;
        text[length++] = '+';
        write_seconds(all->increment_ms, 1, text + length, PGN_TIME_BYTES - length);
    }
}

bool pgn_clock_read_control(const char *text, struct time_control *control)
{
    struct time_budget budget = {.initial_ms = 0};
    uint64_t ms, increment_ms = 0;
    bool each_turn = strncmp(text, "1/", 2) == 0;
    text += each_turn ? 2 : 0;
    *control = (struct time_control){.is_set = false};
    if (!read_seconds(&text, &ms) || ms == 0)
        return false;
    if (!each_turn && *text == '+') {
        text++;
        if (!read_seconds(&text, &increment_ms))
            return false;
    }
    if (*text != '\0')
        return false;
    budget.initial_ms = each_turn ? 0 : (uint32_t)ms;
    budget.period_ms = each_turn ? (uint32_t)ms : 0;
    budget.periods = each_turn;
    budget.increment_ms = (uint32_t)increment_ms;
    *control = (struct time_control){.is_set = true, .all = budget};
    return true;
}

/* --- after a move ----------------------------------------------------------------------------- */

void pgn_clock_write(uint32_t left_ms, char text[PGN_TIME_BYTES])
{
    uint32_t minutes = left_ms / SECOND_MS / 60;
    int length = snprintf(text, PGN_TIME_BYTES, "%u:%02u:", minutes / 60, minutes % 60);
    write_seconds(left_ms - minutes * 60 * SECOND_MS, 2, text + length,
                  PGN_TIME_BYTES - (size_t)length);
}

bool pgn_clock_read(const char *comment, uint32_t *left_ms)
{
    static const char word[] = "[%clk ";
    const char *at = strstr(comment, word);
    uint64_t hours, minutes, ms;
    if (at == NULL)
        return false;
    at += sizeof word - 1;
    at += strspn(at, " ");
    if (!read_digits(&at, &hours) || *at++ != ':' || !read_digits(&at, &minutes) || *at++ != ':' ||
        !read_seconds(&at, &ms))
        return false;
    ms += (hours * 60 + minutes) * 60 * SECOND_MS;
    *left_ms = (uint32_t)ms;
    return ms <= TIME_MS_MAX && at[strspn(at, " ")] == ']';
}

uint32_t pgn_clock_spent(const struct clock *clock, const struct time_budget *budget,
                         bool turn_ends, uint32_t after_ms)
{
    uint32_t gained = turn_ends ? budget->increment_ms : 0;
    uint32_t rest = after_ms > gained ? after_ms - gained : 0;
    return clock->left_ms > rest ? clock->left_ms - rest : 0;
}
