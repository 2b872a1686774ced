/* What the inventor's files share: modern_invent.c draws boards, turns and the whole, modern_invent_words.c matches and
 * conditions, modern_invent_moves.c movements and what follows a move. */
#ifndef TESTS_ENGINE_MODERN_INVENTOR_H
#define TESTS_ENGINE_MODERN_INVENTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/* What a game may be about; a few of these are its theme. */
enum theme {
    MIRROR,
    HOLES,
    ZONES,
    BY_PLAYER,
    DIRECTIONS,
    USE,
    REPEAT,
    OVER,
    VIA,
    WITHIN,
    PROMOTE,
    CONTINUE,
    PHASE,
    PUT,
    SWAP,
    MARK,
    IF,
    COMBINED,
    COUNTERS,
    AFTER_MOVE,
    SELECTIONS,
    FORBID,
    RESULTS,
    REPETITION,
    PASS,
    REMOVE,
    PRIORITY,
    PLACES,
    HANDS,
    STATES,
    ACTIONS,
    HISTORY,
    THEMES
};

/* Where a condition stands: what it may ask depends on it. */
enum place { IN_MOVEMENT, IN_PASS, AFTER, IN_FORBID, IN_RESULT };

struct inventor {
    uint64_t seed;
    bool themes[THEMES];
    json_t *game;
    int dimensions, players, figures, sides[3];
    bool hexagon, mirrored, has_hands, has_phase, has_mark, has_counter, has_continue, has_jumps,
        has_history;
    int zones, selections;
    bool repeats_boards; /* what repetition is of, wherever it is asked for */
    bool attacks;        /* what is being written decides about attacks, and does not ask for any */
    const uint8_t *bytes; /* what chance is drawn from first */
    size_t left;
};

/* --- modern_invent.c --- */
int below(struct inventor *inventor, int bound);
bool chance(struct inventor *inventor, int percent);
bool about(struct inventor *inventor, enum theme theme);
const char *one_of(struct inventor *inventor, const char *const *words, int count);
#define ONE_OF(inventor, ...)                                                                      \
    one_of(inventor, (const char *const[]){__VA_ARGS__},                                           \
           (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

extern const char *const axes[];
json_t *name(const char *letter, int number);
json_t *any_player(struct inventor *inventor);
json_t *any_figure(struct inventor *inventor);
json_t *figures_named(struct inventor *inventor);
json_t *any_zone(struct inventor *inventor);
json_t *zone_names(struct inventor *inventor);
json_t *promotions(struct inventor *inventor); /* one, or a list */
json_t *player_role(struct inventor *inventor);
int coordinate(struct inventor *inventor, int dimension);
void add_step(struct inventor *inventor, json_t *object, bool zero_allowed);
json_t *difference(struct inventor *inventor);
const char *symmetry(struct inventor *inventor);
json_t *around(struct inventor *inventor); /* steps to the neighbours of a cell */

/* --- modern_invent_words.c --- */
json_t *match(struct inventor *inventor, int depth);
json_t *selection(struct inventor *inventor, bool of_move); /* of_move: there are self and target */
json_t *territory(struct inventor *inventor);
void add_selections(struct inventor *inventor);
void add_during(struct inventor *inventor);
json_t *condition(struct inventor *inventor, enum place place, int depth);
json_t *conditions(struct inventor *inventor, enum place place); /* one, or a list */

/* --- modern_invent_moves.c --- */
void add_named_movements(struct inventor *inventor);
void add_named_actions(struct inventor *inventor);
void add_figures(struct inventor *inventor);
void take_to_go_on(json_t *value); /* lets only movements go on that take */
void jump_to_go_on(json_t *value); /* all jumps that take do */
void add_combined(struct inventor *inventor);
void add_placements(struct inventor *inventor);
void add_hands(struct inventor *inventor);
void add_removals(struct inventor *inventor);
void add_leap(struct inventor *inventor);
void add_pie(struct inventor *inventor);
void add_counters(struct inventor *inventor);
void add_settings(struct inventor *inventor);
void add_after_move(struct inventor *inventor);
void add_forbid(struct inventor *inventor);
void add_results(struct inventor *inventor);

#endif
