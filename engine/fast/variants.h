/* The two compilations of the loops; private to this folder. */
#ifndef ENGINE_FAST_VARIANTS_H
#define ENGINE_FAST_VARIANTS_H

#include "engine/fast/fast.h"

/* Whether the processor counts the ones of a word in one instruction: a quarter of the time of counting moves. */
static inline bool processor_counts(void)
{
#ifdef SENET_COUNTING_LOOPS
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

#ifdef SENET_COUNTING_LOOPS
#define FAST_CALL(name, ...)                                                                       \
    (processor_counts() ? name##_counting(__VA_ARGS__) : name##_plain(__VA_ARGS__))
#else
#define FAST_CALL(name, ...) (name##_plain(__VA_ARGS__))
#endif

void fast_run_plain(const struct fast_view *view, struct fast_result *result);
bool fast_attacked_plain(const struct fast_view *view, uint64_t figures, const uint64_t *cells);
bool fast_jumps_on_plain(const struct fast_view *view, figure_index figure);
bool fast_takes_by_mark_plain(const struct fast_view *view, int mark);

void fast_run_counting(const struct fast_view *view, struct fast_result *result);
bool fast_attacked_counting(const struct fast_view *view, uint64_t figures, const uint64_t *cells);
bool fast_jumps_on_counting(const struct fast_view *view, figure_index figure);
bool fast_takes_by_mark_counting(const struct fast_view *view, int mark);

#endif
