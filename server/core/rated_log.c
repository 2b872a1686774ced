#include "server/core/rated_log.h"

#include "engine/load/load.h"
#include "server/core/rated_room.h"
#include "server/core/step.h"

#include <string.h>

enum { EDITIONS_BYTES_MAX = 64 * 1024 * 1024 };

void rated_log_init(struct rated_log *log)
{
    *log = (struct rated_log){.budget = {.bytes = 0}};
    catalogue_init(&log->catalogue, (struct hash_key){{0}});
}

void rated_log_release(struct rated_log *log)
{
    catalogue_release(&log->catalogue);
}

static struct edition *compile(struct catalogue *catalogue, const struct store_answer *loaded,
                               int players)
{
    const struct load_options options = {.player_count = players & ~EDITION_UNREVISED,
                                         .unrevised = players & EDITION_UNREVISED};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game =
        game_load(loaded->definition, loaded->definition_length, &options, &diagnostics);
    diagnostics_release(&diagnostics);
    if (!game)
        return NULL;
    while (catalogue->bytes > EDITIONS_BYTES_MAX && catalogue_forget_unplayed(catalogue))
        continue;
    return catalogue_add_edition(catalogue, loaded->rooms[0].definition_hash, players,
                                 loaded->definition, loaded->definition_length, game);
}

/* A reference of the caller's; NULL: the definition does not load. */
static struct edition *edition_of(struct catalogue *catalogue, const struct store_answer *loaded)
{
    int language = 0, players = event_read_players(loaded->events[0].body, &language);
    if (language == 0)
        players |= EDITION_UNREVISED;
    struct edition *edition =
        catalogue_find_edition(catalogue, loaded->rooms[0].definition_hash, players);
    return edition ? edition : compile(catalogue, loaded, players);
}

/* Nobody is shown anything, so no frames are made. */
static bool follow(struct room *room, const struct store_answer *loaded)
{
    struct stepper stepper = {
        .room = room, .row = &loaded->rooms[0], .shown_from = INT64_MAX, .acting_from = INT64_MAX};
    struct stepped stepped;
    for (int i = 0; i < loaded->event_count; i++)
        if (!step_take(&stepper, &loaded->events[i], &stepped))
            return false;
    return room->version == loaded->rooms[0].version;
}

static bool names_fit(const struct store_room *row)
{
    return strlen(row->id) <= ROOM_ID_BYTES && strlen(row->game) <= WORD_BYTES_MAX &&
           strlen(row->definition_hash) == DIGEST_HEX_DIGITS;
}

bool rated_log_read(struct rated_log *log, const struct store_answer *loaded,
                    struct store_rated_game *game)
{
    struct catalogue *catalogue = &log->catalogue;
    if (loaded->event_count == 0 || !names_fit(&loaded->rooms[0]))
        return false;
    struct edition *edition = edition_of(catalogue, loaded);
    if (!edition)
        return false;
    struct room *room = room_new(loaded->rooms[0].id, 0, &log->budget, (struct hash_key){{0}});
    room_open(room, edition);
    text_copy(text_of(loaded->rooms[0].game), room->game, sizeof room->game);
    bool followed = follow(room, loaded);
    if (followed)
        rated_room_read(room, game);
    room_free(room, catalogue);
    return followed;
}
