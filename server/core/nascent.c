#include "server/core/nascent.h"

#include "engine/memory/memory.h"
#include "engine/movegen.h"

#include <stdlib.h>

void nascent_begin(struct nascent *nascent, struct core *core, const char *id,
                   struct edition *edition)
{
    *nascent = (struct nascent){.edition = edition, .borrowed = *edition};
    nascent->borrowed.notation = NULL;
    nascent->borrowed.scratch = NULL;
    /* What the room takes is counted here, for the thread may not: to it the edition is one that nobody counts. */
    edition_grow(edition, position_bytes(edition->game));
    nascent->borrowed.served = true;
    nascent->budget =
        (struct recent_budget){core->options.recent_room_bytes, core->options.recent_bytes, 0};
    nascent->room = room_new(id, 0, &nascent->budget, core->hash_key);
}

void nascent_prepare(struct nascent *nascent)
{
    if (nascent->room->edition)
        return;
    const struct game *game = nascent->borrowed.game;
    struct publish_desk *desk = &nascent->desk;
    nascent->borrowed.scratch = position_new(game);
    writer_init(&nascent->writer);
    desk->writer = &nascent->writer;
    for (int i = 0; i < 2; i++)
        desk->cells[i] = memory_zeroed(1, sizeof *desk->cells[i]);
    desk->moves = memory_zeroed((size_t)game_facts(game)->moves_max, sizeof *desk->moves);
    room_open(nascent->room, &nascent->borrowed);
}

struct room *nascent_finish(struct nascent *nascent, struct core *core)
{
    struct room *room = nascent->room;
    nascent->room = NULL;
    room->edition = nascent->edition;
    nascent->edition = NULL;
    edition_shrink(room->edition, position_bytes(room->edition->game));
    edition_grow(room->edition, room->bytes); /* with what it keeps of its past */
    recent_join(&room->recent, &core->recent_budget);
    return room;
}

void nascent_release(struct nascent *nascent, struct core *core)
{
    if (nascent->room) {
        edition_shrink(nascent->edition, position_bytes(nascent->edition->game));
        nascent->room->edition = NULL;
        room_free(nascent->room, &core->catalogue);
    }
    catalogue_release_edition(&core->catalogue, nascent->edition);
    notation_free(nascent->borrowed.notation);
    position_free(nascent->borrowed.scratch);
    free(nascent->desk.moves);
    for (int i = 0; i < 2; i++)
        free(nascent->desk.cells[i]);
    if (nascent->desk.writer)
        writer_release(&nascent->writer);
}
