#include "engine/load/load.h"

#include "engine/load/definition.h"
#include "engine/load/document.h"
#include "engine/trial.h"
#include "engine/work.h"

#include <inttypes.h>
#include <stdio.h>

/* How much more a game may take that was admitted once, by whatever was counted then. */
enum { LOAD_AGAIN = 16 };

/* A tree of values is made of the text, and then an interpreter of expressions is set up, whatever they say. */
enum { LOAD_WORK = 20 * 1000, LOAD_WORK_BYTE = 8, COMPILE_WORK = 80 * 1000 };

/* Within the work that loading may take; so much may be passed by what is done last. */
static struct game *compile(const struct definition *definition, uint64_t units,
                            struct diagnostics *diagnostics)
{
    struct work_stretch stretch = work_begin(units);
    work_spend(COMPILE_WORK);
    struct game *game = game_compile(definition, diagnostics);
    if (work_end(&stretch) || game == NULL)
        return game;
    diagnostics_add(diagnostics, WHOLE_FILE, "use fewer cells, movements or conditions",
                    "this game is too large: multiplied out, its figures, movements, conditions "
                    "and cells take too much work to load");
    game_release(game);
    return NULL;
}

/* Whether it may be played where others play: engine/trial.h, in words for its author, with the words that cost the most. */
static bool admit(const struct game *game, struct diagnostics *diagnostics)
{
    struct trial trial = game_try(game);
    const struct finding place = {.pointer = trial.pointer};
    char when[64] = "in the start position", share[48] = "";
    const char *hint = "use fewer figures, movements or choices, or a smaller board";
    if (trial.verdict == TRIAL_FINE)
        return true;
    if (trial.ply > 0)
        snprintf(when, sizeof when, "after %d moves of a game played at random", trial.ply);
    if (trial.pointer != NULL) {
        snprintf(share, sizeof share, ", %d %% of them for this", trial.percent);
        hint =
            "ask for less that looks at the whole board or at attacks, or use fewer figures or a "
            "smaller board";
    }
    if (trial.verdict == TRIAL_TOO_MANY_MOVES)
        diagnostics_add(diagnostics, place, hint,
                        "there are %" PRIu64 " legal moves %s, at most %d are allowed",
                        trial.most_moves, when, TRIAL_MOVES_MAX);
    else
        diagnostics_add(diagnostics, place, hint,
                        "finding the legal moves %s takes more than the %d units of work that are "
                        "allowed%s",
                        when, WORK_POSITION_MAX, share);
    return false;
}

struct game *game_load(const char *text, size_t length, const struct load_options *options,
                       struct diagnostics *diagnostics)
{
    bool try_out = options != NULL && options->try_out;
    uint64_t units = try_out ? WORK_LOAD_MAX : LOAD_AGAIN * (uint64_t)WORK_LOAD_MAX;
    work_spend(LOAD_WORK + (uint64_t)length * LOAD_WORK_BYTE);
    struct definition *definition = definition_read(text, length, options, diagnostics);
    if (definition == NULL)
        return NULL;
    struct game *game = compile(definition, units, diagnostics);
    definition_free(definition);
    if (game != NULL && try_out && !admit(game, diagnostics)) {
        game_release(game);
        game = NULL;
    }
    if (game == NULL)
        document_locate(text, length, true, diagnostics);
    diagnostics_sort(diagnostics);
    return game;
}
