#include "server/cli/engine_conversation.h"
#include "server/core/layout.h"

/* What a game looks like: its own board, or the cells of another one drawn by the same rule, for painters of boards. */

static json_t *coordinates_of(const struct game *game)
{
    json_t *list = json_array();
    for (int i = 0; i < game_facts(game)->cell_count; i++) {
        const int *coordinates = game_facts(game)->cells[i].coordinates;
        json_t *cell = json_array();
        for (int j = 0; j < game_facts(game)->dimension_count; j++)
            json_array_append_new(cell, json_integer(coordinates[j]));
        json_array_append_new(list, cell);
    }
    return list;
}

static json_t *show_layout(const struct game *game)
{
    struct writer writer;
    writer_init(&writer);
    layout_write(&writer, game, (struct layout_pictures){0});
    json_t *layout = json_loadb(writer.data, writer.length, 0, NULL);
    writer_release(&writer);
    return json_pack("{s:o,s:o}", "layout", layout != NULL ? layout : json_null(), "coordinates",
                     coordinates_of(game));
}

/* A file with these cells and nothing on them. Names and colours are left out: their expressions may know only cells that
 * are on the game's own board. */
static json_t *file_with(json_t *document, json_t *cells)
{
    static const char *const kept[] = {"coordinates_names", "geometry", "position"};
    json_t *cell = json_object();
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(cell, kept[i], json_object_get(json_object_get(document, "cell"), kept[i]));
    return json_pack("{s:i,s:s,s:[s],s:o,s:{s:O},s:{s:{s:[]}},s:[s]}", "format", 2, "name", "x",
                     "players", "x", "cell", cell, "board", "cells", cells, "figures", "x",
                     "movement", "turns", "x");
}

static json_t *show_cells(const struct engine *engine, json_t *cells)
{
    json_t *document = json_loadb(engine->text, engine->text_length, 0, NULL);
    struct game *game = engine_load_file(file_with(document, cells));
    json_decref(document);
    if (game == NULL)
        return engine_refuse(REFUSAL_BAD_REQUEST, "\"cells\" make no board of this game's cells");
    json_t *answer = show_layout(game);
    game_release(game);
    return answer;
}

json_t *engine_do_layout(struct engine *engine, json_t *request)
{
    json_t *cells = json_object_get(request, "cells");
    return cells != NULL ? show_cells(engine, cells) : show_layout(engine->game);
}
