/* How much time players have: what `create` asks for, the first event keeps, and snapshots say.
 *
 *     {"initial_ms":300000,"increment_ms":3000}                                  sudden death, here with an increment after each turn
 *     {"initial_ms":300000,"delay_ms":5000}                                      each turn's first seconds are free
 *     {"initial_ms":300000,"delay_ms":5000,"bronstein":true}                     … are given back after it
 *     {"initial_ms":600000,"periods":3,"period_ms":30000}                        byo-yomi: then so long for each turn, so often too long
 *     {"initial_ms":0,"periods":1,"period_ms":259200000}                         so long for each turn; here by correspondence
 *     {"initial_ms":300000,"seats":{"white":{"initial_ms":60000}}}               another time for a seat: all of it */
#ifndef PROTOCOL_TIME_CONTROL_H
#define PROTOCOL_TIME_CONTROL_H

#include "protocol/writer.h"

enum { TIME_SEATS_MAX = 8, TIME_PERIODS_MAX = 100, TIME_WORDS_BYTES = 120 };
#define TIME_MS_MAX UINT32_C(2592000000) /* 30 days */

struct time_budget {
    uint32_t initial_ms, increment_ms, delay_ms, period_ms;
    int periods;
    bool bronstein;
};

struct time_control {
    bool is_set; /* else the game has no clock, and the rest means nothing */
    struct time_budget all;
    int own_count; /* seats that have another one */
    struct {
        char seat[72];
        struct time_budget budget;
    } own[TIME_SEATS_MAX];
};

/* From a JSON value of jansson's (json_t). False, with words that name the member; then `control` means nothing. */
bool time_control_read(const void *value, struct time_control *control,
                       char words[TIME_WORDS_BYTES]);
void time_control_write(const struct time_control *control, struct writer *writer);
/* What a rematch is offered with: the same, or the word "none" for no clock. */
bool time_control_read_offer(const void *value, struct time_control *control,
                             char words[TIME_WORDS_BYTES]);
void time_control_write_offer(const struct time_control *control, struct writer *writer);
bool time_budget_equal(const struct time_budget *one, const struct time_budget *other);
const struct time_budget *time_control_of(const struct time_control *control, const char *seat);

#endif
