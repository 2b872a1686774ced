/* What a state is made of, and what is equal. Members that are objects or lists themselves come from one table, which
 * serves the document, the patch, the hash and the question whether they are equal. Private to protocol/state*.c. */
#ifndef PROTOCOL_STATE_PARTS_H
#define PROTOCOL_STATE_PARTS_H

#include "protocol/state.h"

enum state_value_kind { VALUE_ABSENT, VALUE_TRUE, VALUE_TEXT, VALUE_TEXTS };

struct state_value {
    enum state_value_kind kind;
    const char *text;
    int count;
    const char *const *texts;
};

struct state_part {
    const char *name;
    struct state_value value;
};

enum { STATE_PARTS_MAX = 6 };

/* An object; sorted by name; absent as a whole when `present` is false. */
struct state_object {
    bool present;
    int count;
    struct state_part parts[STATE_PARTS_MAX];
};

const char *state_kind_word(enum player_kind kind);

struct state_object state_last_move(const struct state *state);
struct state_object state_claim(const struct state *state);
struct state_object state_result(const struct state *state);
/* The places given so far; once the game is over they are the result's. */
struct state_value state_ranks(const struct state *state);
struct state_value state_out(const struct state *state);
struct state_value state_taken(const struct state *state);
/* NULL: the object or its part is absent. */
const struct state_value *state_find_part(const struct state_object *object, const char *name);

bool state_same_text(const char *one, const char *other);
bool state_same_cell(const struct state_cell *one, const struct state_cell *other);
bool state_same_seat(const struct state_seat *one, const struct state_seat *other);
bool state_same_value(const struct state_value *one, const struct state_value *other);
/* Every part that either has is the same in both. */
bool state_same_object(const struct state_object *one, const struct state_object *other);

#endif
