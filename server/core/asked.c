/* What is asked of the core without a command: the HTTP API's JSON, positions for the threads that think, numbers for
 * operators. Nothing is changed by it. */
#include "server/core/core.h"

#include "server/core/parts.h"
#include "server/core/seeking.h"

bool core_ready(const struct core *core)
{
    return core->has_secret && lease_held(core) && !core->stopping;
}

bool core_serves(const struct core *core)
{
    return core_ready(core) && lease_is_sure(core);
}

void core_write_games(const struct core *core, const char *language, struct writer *writer)
{
    writer_object(writer);
    writer_key(writer, "games");
    catalogue_write_list(&core->catalogue, language, writer);
    writer_end(writer);
}

bool core_write_game(const struct core *core, const char *id, struct writer *writer)
{
    const struct served_game *game = catalogue_find_game(&core->catalogue, id, strlen(id));
    if (game)
        catalogue_write_game(game, writer);
    return game != NULL;
}

void core_write_lobby(const struct core *core, struct writer *writer)
{
    writer_object(writer);
    writer_key(writer, "rooms");
    lobby_write(&core->lobby, writer);
    writer_end(writer);
}

const struct game *core_game(const struct core *core, int i, const char **id)
{
    if (i >= core->catalogue.game_count)
        return NULL;
    *id = core->catalogue.games[i].id;
    return core->catalogue.games[i].edition->game;
}

const struct game *core_game_of_room(const struct core *core, const char *id)
{
    const struct room *room = core_find_room(core, id);
    return room && room->edition ? room->edition->game : NULL;
}

struct position *core_copy_position(const struct core *core, const char *id, int64_t version)
{
    const struct room *room = core_find_room(core, id);
    if (!room || room->loading || room->version != version ||
        room->standing.status != STATUS_PLAYING)
        return NULL;
    struct position *copy = position_new(room->edition->game);
    position_copy(copy, room->position);
    return copy;
}

void core_read_statistics(const struct core *core, struct core_statistics *statistics)
{
    *statistics = core->statistics;
    statistics->rooms_live = core->rooms.count;
    statistics->editions = core->catalogue.editions.count;
    statistics->definition_bytes = core->catalogue.bytes;
    statistics->bots_waiting = core->bots.all.count - (uint64_t)core->bots.playing_count;
    statistics->seeks_waiting = seeking_count_own(core);
    statistics->tasks_waiting = (uint64_t)tasks_waiting(&core->tasks);
    statistics->tasks_at_work = (uint64_t)core->tasks.at_work;
    statistics->rooms_waiting_for_store = 0;
    statistics->spectators = 0;
    size_t cursor = 0;
    for (const struct room *room; (room = map_next(&core->rooms, &cursor));) {
        statistics->rooms_waiting_for_store += room_busy(room);
        statistics->spectators += (uint64_t)room->spectators;
    }
}
