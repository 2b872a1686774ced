#include "engine/candidates.h"

#include "engine/work.h"

static bool begins(const struct game *game, const struct complex_movement *movement, int clicked,
                   unsigned code)
{
    return clicked < movement->beginner_count &&
           movement->participants[clicked].figure == game->code_figures[code] &&
           (!movement->modern || movement->player == game->code_players[code]);
}

bool complex_lay(const struct game *game, int number, unsigned code, cell_index from,
                 struct complex_instance *instance)
{
    const struct complex_movement *movement = &game->complex[number / PARTICIPANTS_MAX];
    int clicked = number % PARTICIPANTS_MAX, count = movement->participant_count;
    if (!begins(game, movement, clicked, code))
        return false;
    work_spend((unsigned)count);
    for (int i = 0; i < count; i++) {
        struct place *place = &instance->places[i];
        place->source = movement->sources[clicked * count + i][from];
        if (place->source == CELL_NONE)
            return false;
        place->destination = movement->destinations[i][place->source];
        if (place->destination == CELL_NONE && movement->participants[i].by_default)
            return false;
    }
    instance->movement = movement;
    instance->number = number;
    instance->clicked = clicked;
    instance->from = from;
    instance->to = instance->places[clicked].destination;
    return instance->to != CELL_NONE && instance->to != from;
}

bool complex_next(const struct game *game, unsigned code, cell_index from,
                  struct complex_instance *instance)
{
    int number = instance->number + 1, movement = number / PARTICIPANTS_MAX;
    for (; movement < game->complex_count && work_spend(1); movement++, number = 0)
        for (int clicked = number % PARTICIPANTS_MAX;
             clicked < game->complex[movement].beginner_count; clicked++)
            if (complex_lay(game, movement * PARTICIPANTS_MAX + clicked, code, from, instance))
                return true;
    return false;
}
