#include "engine/candidates.h"

#include "engine/work.h"

#include <assert.h>

/* False where a participant has nowhere to stand or to go; or, with `cells`, does not stand there. */
static bool lay_places(const struct game *game, const struct cell_record *cells,
                       struct complex_instance *instance)
{
    const struct complex_movement *movement = instance->movement;
    int count = movement->participant_count;
    const cell_index *const *sources = movement->sources + (size_t)(instance->clicked * count);
    work_spend((unsigned)count);
    for (int i = 0; i < count; i++) {
        struct place *place = &instance->places[i];
        place->source = sources[i][instance->from];
        if (place->source == CELL_NONE ||
            (cells != NULL &&
             game->code_figures[cells[place->source].code] != movement->participants[i].figure))
            return false;
        place->destination = movement->destinations[i][place->source];
        if (place->destination == CELL_NONE && movement->participants[i].by_default)
            return false;
    }
    instance->to = instance->places[instance->clicked].destination;
    return instance->to != CELL_NONE;
}

static bool lay(const struct game *game, const struct cell_record *cells, int number,
                cell_index from, struct complex_instance *instance)
{
    instance->movement = &game->complex[number / PARTICIPANTS_MAX];
    instance->number = number;
    instance->clicked = number % PARTICIPANTS_MAX;
    instance->from = from;
    return lay_places(game, cells, instance);
}

void complex_lay(const struct game *game, int number, cell_index from,
                 struct complex_instance *instance)
{
    bool laid = lay(game, NULL, number, from, instance);
    assert(laid);
    (void)laid;
}

bool complex_next(const struct game *game, const struct cell_record *cells, unsigned code,
                  cell_index from, struct complex_instance *instance)
{
    const uint32_t *row = game->beginning_starts + code - 1;
    while (row[0] + instance->passed < row[1] && work_spend(1))
        if (lay(game, cells, game->beginnings[row[0] + instance->passed++], from, instance))
            return true;
    return false;
}
