#include "engine/bits.h"
#include "engine/load/fields.h"

#include <string.h>

/* `pie`: whether sides may be swapped. That is only fair, and only leads to a position of the game, where each side is the other
 * one's image: so the start and the zones must be. */

static cell_index image_of(const struct reader *reader, int cell)
{
    const cell_index *cells = reader->mirrors[1].cells;
    return cells != NULL ? cells[cell] : (cell_index)cell;
}

static bool mirror_brings_back(const struct reader *reader)
{
    for (int i = 0; i < reader->definition->cell_count; i++)
        if (image_of(reader, image_of(reader, i)) != i)
            return false;
    return true;
}

static bool start_is_even(const struct reader *reader)
{
    const struct definition *definition = reader->definition;
    for (int i = 0; i < definition->cell_count; i++) {
        const struct placement *own = &definition->start[i];
        const struct placement *other = &definition->start[image_of(reader, i)];
        if (own->player == PLAYER_NONE
                ? other->player != PLAYER_NONE
                : other->player == PLAYER_NONE || other->player == own->player ||
                      other->figure != own->figure)
            return false;
    }
    return memcmp(definition->hands[0], definition->hands[1], sizeof definition->hands[0]) == 0;
}

static bool zone_is_even(const struct reader *reader, const struct zone_definition *zone)
{
    for (int i = 0; i < reader->definition->cell_count; i++)
        if (bits_test(zone->cells[0], (unsigned)i) !=
            bits_test(zone->cells[1], image_of(reader, i)))
            return false;
    return true;
}

static void check_zones(struct reader *reader, const struct node *pie)
{
    for (int i = 0; i < reader->zones.count; i++)
        if (!zone_is_even(reader, &reader->definition->zones[i]))
            reader_error(
                reader, pie,
                "say in `board` how the second player sees it: \"mirror\": {\"blue\": "
                "{\"x\": \"y\", \"y\": \"x\"}}",
                "sides cannot be swapped: zone `%s` of `%s` is not that of `%s` in the mirror",
                text_quote(reader->zones.names[i]).text, reader->players.names[1],
                reader->players.names[0]);
}

void pie_read(struct reader *reader, const struct node *pie, void *place)
{
    struct definition *definition = reader->definition;
    int complaints = reader->complaints;
    field_flag(reader, pie, place);
    if (!definition->pie || reader->complaints != complaints || !reader->players.known ||
        !reader->cells_known || reader->mirrors_broken || definition->start == NULL)
        return;
    if (reader->players.count != 2)
        reader_error(reader, pie, "leave it out", "sides can be swapped by two players only");
    else if (zones_find(reader, "swap") != CELL_NONE)
        reader_error(reader, pie, "call it otherwise",
                     "a cell cannot be called `swap` where sides can be swapped");
    else if (!mirror_brings_back(reader))
        reader_error(reader, pie, "who looks into it twice must see the board as it is",
                     "sides cannot be swapped by this `mirror` of the board");
    else if (!start_is_even(reader))
        reader_error(reader, pie, "leave it out",
                     "sides cannot be swapped: the start of `%s` is not that of `%s` in the mirror",
                     reader->players.names[1], reader->players.names[0]);
    else
        check_zones(reader, pie);
    definition->mirror = reader->mirrors[1].cells;
}
