/* The two compilations of the loops; private to fast*.c. */
#ifndef ENGINE_FAST_VARIANTS_H
#define ENGINE_FAST_VARIANTS_H

#include "engine/fast.h"

void fast_run_plain(const struct fast_view *view, struct fast_result *result);
bool fast_attacked_plain(const struct fast_view *view, uint64_t figures, const uint64_t *cells);
bool fast_jumps_on_plain(const struct fast_view *view, figure_index figure);
bool fast_takes_by_mark_plain(const struct fast_view *view, int mark);

void fast_run_counting(const struct fast_view *view, struct fast_result *result);
bool fast_attacked_counting(const struct fast_view *view, uint64_t figures, const uint64_t *cells);
bool fast_jumps_on_counting(const struct fast_view *view, figure_index figure);
bool fast_takes_by_mark_counting(const struct fast_view *view, int mark);

#endif
