#include "engine/candidates.h"

#include "engine/work.h"

bool combined_lay(const struct game *game, int number, cell_index from,
                  struct combined_instance *instance)
{
    const struct combined_movement *movement = &game->combined[number / PARTICIPANTS_MAX];
    int count = movement->participant_count;
    instance->movement = movement;
    instance->number = number;
    instance->clicked = number % PARTICIPANTS_MAX;
    instance->from = from;
    const cell_index *const *sources = movement->sources + (size_t)(instance->clicked * count);
    work_spend((unsigned)count);
    for (int i = 0; i < count; i++) {
        struct place *place = &instance->places[i];
        place->source = sources[i][from];
        if (place->source == CELL_NONE)
            return false;
        place->destination = movement->destinations[i][place->source];
        if (place->destination == CELL_NONE && movement->participants[i].by_default)
            return false;
    }
    instance->to = instance->places[instance->clicked].destination;
    return instance->to != CELL_NONE;
}

bool combined_next(const struct game *game, unsigned code, cell_index from,
                   struct combined_instance *instance)
{
    const uint32_t *row = game->beginning_starts + code - 1;
    while (row[0] + instance->passed < row[1] && work_spend(1))
        if (combined_lay(game, game->beginnings[row[0] + instance->passed++], from, instance))
            return true;
    return false;
}
