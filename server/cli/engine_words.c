#include "engine/memory/memory.h"
#include "engine/words.h"
#include "server/cli/engine_conversation.h"
#include "server/cli/engine_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which cells a word of the file speaks of. What is compiled answers for itself (engine/words.h); what only stands in the
 * text (shapes, zones, directions, where figures begin) is asked of a smaller file that has nothing else. */

enum { POINTER_BYTES = 512, SEGMENTS_MAX = 32, CELL_WORDS = WORDS_MAX };

/* A pointer, taken apart. */
struct path {
    char bytes[POINTER_BYTES];
    char *segments[SEGMENTS_MAX];
    int count;
};

static void unescape(char *segment)
{
    char *to = segment;
    for (const char *at = segment; *at != '\0'; at++) {
        bool escaped = at[0] == '~' && (at[1] == '0' || at[1] == '1');
        *to++ = escaped ? (at[1] == '0' ? '~' : '/') : *at;
        at += escaped;
    }
    *to = '\0';
}

static bool read_path(const char *pointer, struct path *path)
{
    path->count = 0;
    if (strlen(pointer) >= sizeof path->bytes || (pointer[0] != '/' && pointer[0] != '\0'))
        return false;
    memcpy(path->bytes, pointer, strlen(pointer) + 1);
    for (char *at = path->bytes; *at == '/';) {
        if (path->count == SEGMENTS_MAX)
            return false;
        *at++ = '\0';
        path->segments[path->count++] = at;
        at += strcspn(at, "/");
    }
    for (int i = 0; i < path->count; i++)
        unescape(path->segments[i]);
    return true;
}

static json_t *step(json_t *value, const char *segment)
{
    if (json_is_array(value))
        return json_array_get(value, (size_t)strtoul(segment, NULL, 10));
    return json_object_get(value, segment);
}

/* Borrowed; NULL: the file has no such place. */
static json_t *follow(json_t *document, const struct path *path, int segments)
{
    json_t *value = document;
    for (int i = 0; i < segments; i++)
        value = step(value, path->segments[i]);
    return value;
}

/* --- answers ---------------------------------------------------------------------------------- */

static json_t *cell_names(const struct game *game, const uint64_t *cells)
{
    json_t *names = json_array();
    for (int i = 0; i < game_facts(game)->cell_count; i++)
        if ((cells[i / 64] >> (i % 64) & 1) != 0)
            json_array_append_new(names, json_string(game_facts(game)->cells[i].name));
    return names;
}

static bool is_empty(const uint64_t *cells)
{
    for (int i = 0; i < CELL_WORDS; i++)
        if (cells[i] != 0)
            return false;
    return true;
}

static void add_one(const struct game *game, json_t *sets, const char *role, player_index player,
                    const uint64_t *cells)
{
    json_t *set = json_pack("{s:s}", "role", role);
    if (player != PLAYER_NONE)
        json_object_set_new(set, "player", json_string(game_facts(game)->player_names[player]));
    json_object_set_new(set, "cells", cell_names(game, cells));
    json_array_append_new(sets, set);
}

/* One set for each player; one for all where they are alike. Those without cells are left out. */
static void add_sets(const struct game *game, json_t *sets, const char *role,
                     uint64_t cells[][CELL_WORDS])
{
    bool alike = true;
    for (int i = 1; i < game_facts(game)->player_count; i++)
        alike = alike && memcmp(cells[0], cells[i], sizeof cells[0]) == 0;
    if (alike && !is_empty(cells[0]))
        add_one(game, sets, role, PLAYER_NONE, cells[0]);
    for (int i = 0; !alike && i < game_facts(game)->player_count; i++)
        if (!is_empty(cells[i]))
            add_one(game, sets, role, (player_index)i, cells[i]);
}

static json_t *answer_with(const char *pointer, const char *kind, json_t *sets)
{
    return json_pack("{s:{s:o,s:s,s:o}}", "cells", "pointer", engine_string(pointer), "kind", kind,
                     "sets", sets);
}

/* --- words that are compiled ------------------------------------------------------------------- */

#define WORD(name, word) word,
static const char *const roles[] = {WORD_ROLES(WORD)};
#undef WORD

static const char *kind_of(const char *pointer)
{
    static const struct {
        const char *begin, *kind;
    } kinds[] = {{"/combined_movements", "combined"},
                 {"/complex_movement", "combined"},
                 {"/forbid", "forbid"},
                 {"/results", "result"},
                 {"/counters", "counter"},
                 {"/after_move", "after_move"},
                 {"/pass", "condition"},
                 {"/place", "place"}};
    if (strncmp(pointer, "/place", 6) == 0 && strstr(pointer, "/if") != NULL)
        return "condition";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(pointer, kinds[i].begin, strlen(kinds[i].begin)) == 0)
            return kinds[i].kind;
    if (strstr(pointer, "/if") != NULL)
        return "condition";
    return strstr(pointer, "/promote") != NULL ? "promotion" : "movement";
}

/* A figure's own movements, those it has by a name, and the combined ones it begins; or those of one name alone. */
static json_t *figure_cells(struct engine *engine, const char *pointer, const char *within,
                            figure_index figure, cell_index from)
{
    struct word_cells *found = memory_zeroed(1, sizeof *found);
    json_t *sets = json_array();
    words_cells(engine->position, within, from, figure, engine->moves, found);
    for (int i = 0; found->pointer != NULL && i < WORD_ROLE_COUNT; i++)
        add_sets(engine->game, sets, roles[i], found->sets[i]);
    free(found);
    return answer_with(pointer, json_array_size(sets) > 0 ? "movement" : "none", sets);
}

/* The name of movements that stands at a pointer into a figure, by itself or behind `use`; NULL: none does. */
static const char *named_movements(json_t *document, const struct path *path)
{
    json_t *value = document, *names = json_object_get(document, "movements");
    if (path->count < 3 || strcmp(path->segments[2], "movement") != 0)
        return NULL;
    for (int i = 0; i < path->count; i++) {
        value = step(value, path->segments[i]);
        json_t *name = json_is_string(value) ? value : json_object_get(value, "use");
        if (i > 2 && json_is_string(name) && json_object_get(names, json_string_value(name)))
            return json_string_value(name);
    }
    return NULL;
}

/* NULL: the pointer is not about a figure as such. */
static json_t *figure_word(struct engine *engine, json_t *document, const struct path *path,
                           const char *pointer, cell_index from)
{
    if (path->count < 2 || strcmp(path->segments[0], "figures") != 0)
        return NULL;
    figure_index figure =
        game_find_figure(engine->game, path->segments[1], strlen(path->segments[1]));
    const char *name = named_movements(document, path);
    char within[POINTER_BYTES] = "";
    if (figure == FIGURE_NONE || (name == NULL && path->count > 3))
        return NULL;
    if (path->count == 3 && strcmp(path->segments[2], "movement") != 0)
        return NULL;
    if (name != NULL)
        snprintf(within, sizeof within, "/movements/%s", name);
    return figure_cells(engine, pointer, within, figure, from);
}

/* To what stands around; false where that would be all words of a kind. */
static bool go_out(char *pointer)
{
    char *last = strrchr(pointer, '/');
    if (last == NULL || strchr(pointer, '/') == last)
        return false;
    *last = '\0';
    return strchr(pointer + 1, '/') != NULL;
}

static json_t *compiled_word(struct engine *engine, const char *pointer, cell_index from)
{
    char around[POINTER_BYTES];
    struct word_cells *found = memory_zeroed(1, sizeof *found);
    json_t *sets = json_array();
    snprintf(around, sizeof around, "%s", pointer);
    do {
        words_cells(engine->position, around, from, FIGURE_NONE, engine->moves, found);
        for (int i = 0; found->pointer != NULL && i < WORD_ROLE_COUNT; i++)
            add_sets(engine->game, sets, roles[i], found->sets[i]);
    } while (json_array_size(sets) == 0 && go_out(around));
    bool speaks = json_array_size(sets) > 0;
    json_t *answer = answer_with(speaks ? found->pointer : pointer,
                                 speaks ? kind_of(found->pointer) : "none", sets);
    free(found);
    return answer;
}

/* --- words of the text -------------------------------------------------------------------------- */

/* A file with the board of this one, and no figure on it. */
static json_t *empty_board(json_t *document)
{
    static const char *const kept[] = {"players", "cell", "board", "directions", "zones"};
    json_t *file =
        json_pack("{s:i,s:s,s:{s:{s:[]}}}", "format", 2, "name", "x", "figures", "x", "movement");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (json_object_get(document, kept[i]) != NULL)
            json_object_set(file, kept[i], json_object_get(document, kept[i]));
    json_object_set(file, "turns", json_object_get(document, "players"));
    return file;
}

struct game *engine_load_file(json_t *file)
{
    struct diagnostics diagnostics;
    char *text = json_dumps(file, JSON_COMPACT);
    json_decref(file);
    if (text == NULL)
        return NULL;
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, strlen(text), NULL, &diagnostics);
    diagnostics_release(&diagnostics);
    free(text);
    return game;
}

static void set_cell(uint64_t *cells, cell_index cell)
{
    if (cell != CELL_NONE)
        cells[cell / 64] |= UINT64_C(1) << (cell % 64);
}

/* The cells of the smaller game that hold a figure, or all, as cells of this one. */
static json_t *cells_of(const struct engine *engine, const struct game *other, bool occupied,
                        const char *role, const char *pointer, const char *kind)
{
    uint64_t cells[PLAYERS_MAX][CELL_WORDS] = {{0}};
    struct position *position = position_new(other);
    for (int i = 0; i < game_facts(other)->cell_count; i++) {
        struct contents contents = position_contents(position, (cell_index)i);
        cell_index cell = game_cell_at(engine->game, game_facts(other)->cells[i].coordinates);
        for (int player = 0; player < game_facts(engine->game)->player_count; player++)
            if (!occupied || (contents.figure != FIGURE_NONE && contents.player == player))
                set_cell(cells[player], cell);
    }
    position_free(position);
    json_t *sets = json_array();
    add_sets(engine->game, sets, role, cells);
    return answer_with(pointer, kind, sets);
}

/* The board with this shape alone, or the cells of the list. */
static struct game *shape_game(json_t *document, json_t *shape)
{
    json_t *file = empty_board(document), *cells = json_array();
    json_array_append(cells, shape);
    json_object_del(file, "zones");
    json_object_del(file, "directions");
    json_object_set_new(file, "board", json_pack("{s:o}", "cells", cells));
    return engine_load_file(file);
}

/* The whole game, with some of the figures it begins with. */
static struct game *placed_game(json_t *document, const struct path *path, int segments,
                                json_t *value)
{
    json_t *file = json_copy(document), *placed = json_incref(value);
    for (int i = segments - 1; i > 0; i--) {
        bool in_list = i == 3;
        json_t *around = in_list ? json_array() : json_object();
        if (in_list)
            json_array_append_new(around, placed);
        else
            json_object_set_new(around, path->segments[i], placed);
        placed = around;
    }
    json_object_set_new(file, "initial_position", placed);
    json_object_del(file, "tests");
    return engine_load_file(file);
}

static cell_index middle_cell(const struct game *game)
{
    double x = 0, y = 0, best = 0;
    int count = game_facts(game)->cell_count, middle = 0;
    for (int i = 0; i < count; i++) {
        x += game_facts(game)->cells[i].layout.x / count;
        y += game_facts(game)->cells[i].layout.y / count;
    }
    for (int i = 0; i < count; i++) {
        const struct cell_layout *at = &game_facts(game)->cells[i].layout;
        double far = (at->x - x) * (at->x - x) + (at->y - y) * (at->y - y);
        if (i == 0 || far < best - 1e-6) {
            best = far;
            middle = i;
        }
    }
    return (cell_index)middle;
}

/* Where one step in that direction leads from a cell, for each player. */
static json_t *direction_cells(const struct engine *engine, json_t *document,
                               const struct path *path, cell_index from)
{
    uint64_t cells[PLAYERS_MAX][CELL_WORDS] = {{0}}, begin[PLAYERS_MAX][CELL_WORDS] = {{0}};
    json_t *file = empty_board(document), *sets = json_array();
    json_object_set_new(file, "figures",
                        json_pack("{s:{s:[{s:i}]}}", "x", "movement", path->segments[1], 1));
    struct game *game = engine_load_file(file);
    char pointer[POINTER_BYTES + 16];
    snprintf(pointer, sizeof pointer, "/directions/%s", path->segments[1]);
    if (from == CELL_NONE)
        from = middle_cell(engine->game);
    bool same = game != NULL &&
                game_facts(game)->cell_count == game_facts(engine->game)->cell_count &&
                game_facts(game)->player_count >= game_facts(engine->game)->player_count;
    for (int i = 0; same && i < game_facts(engine->game)->player_count; i++) {
        words_reach(game, 0, (player_index)i, from, cells[i]);
        set_cell(begin[i], from);
    }
    if (same) {
        add_sets(engine->game, sets, "from", begin);
        add_sets(engine->game, sets, "reach", cells);
    }
    game_release(game);
    return answer_with(pointer, json_array_size(sets) > 0 ? "direction" : "none", sets);
}

/* What a zone is of, for each player: the cells of figures that begin on all of it. */
static json_t *zone_cells(const struct engine *engine, json_t *document, const char *name)
{
    uint64_t cells[PLAYERS_MAX][CELL_WORDS] = {{0}};
    json_t *sets = json_array();
    char pointer[POINTER_BYTES + 16];
    snprintf(pointer, sizeof pointer, "/zones/%s", name);
    for (int i = 0; i < game_facts(engine->game)->player_count; i++) {
        json_t *file = empty_board(document);
        json_object_set_new(file, "initial_position",
                            json_pack("{s:{s:[{s:s}]}}", game_facts(engine->game)->player_names[i],
                                      "x", "zone", name));
        struct game *game = engine_load_file(file);
        struct position *position = game != NULL ? position_new(game) : NULL;
        for (int cell = 0; position != NULL && cell < game_facts(game)->cell_count; cell++)
            if (position_contents(position, (cell_index)cell).figure != FIGURE_NONE)
                set_cell(cells[i], (cell_index)cell);
        position_free(position);
        game_release(game);
    }
    add_sets(engine->game, sets, "zone", cells);
    return answer_with(pointer, json_array_size(sets) > 0 ? "zone" : "none", sets);
}

/* A zone's name where a zone is named: `"within": "palace"`. NULL: it is none. */
static const char *named_zone(json_t *document, const struct path *path)
{
    static const char *const keys[] = {"zone", "within", "in", "from", "to"};
    const char *name = json_string_value(follow(document, path, path->count));
    int last = path->count - 1;
    if (name == NULL || !json_is_object(json_object_get(document, "zones")) ||
        json_object_get(json_object_get(document, "zones"), name) == NULL)
        return NULL;
    for (int back = 0; back < 2 && last - back >= 0; back++)
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (strcmp(path->segments[last - back], keys[i]) == 0)
                return name;
    return NULL;
}

/* One shape of the board, or one cell of the list; all of them if that is one shape. */
static json_t *board_cells(const struct engine *engine, json_t *document, const struct path *path)
{
    json_t *cells = follow(document, path, 2);
    bool one = json_is_array(cells) && path->count > 2;
    json_t *shape = one ? follow(document, path, 3) : cells;
    struct game *game = json_is_object(shape) ? shape_game(document, shape) : NULL;
    if (game == NULL)
        return NULL;
    char pointer[POINTER_BYTES + 16];
    snprintf(pointer, sizeof pointer, "/board/cells%s%s", one ? "/" : "",
             one ? path->segments[2] : "");
    json_t *answer = cells_of(engine, game, false, "board", pointer, "shape");
    game_release(game);
    return answer;
}

/* Of all, of a player, of a kind, or one place. */
static json_t *placed_cells(const struct engine *engine, json_t *document, const struct path *path)
{
    char pointer[POINTER_BYTES + 16] = "";
    int count = path->count > 4 ? 4 : path->count;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(pointer);
        snprintf(pointer + length, sizeof pointer - length, "/%s", path->segments[i]);
    }
    json_t *value = follow(document, path, count);
    struct game *game = value != NULL ? placed_game(document, path, count, value) : NULL;
    if (game == NULL)
        return NULL;
    json_t *answer = cells_of(engine, game, true, "placed", pointer, "initial_position");
    game_release(game);
    return answer;
}

/* NULL: such words are not looked for in the text. */
static json_t *text_word(const struct engine *engine, json_t *document, const struct path *path,
                         cell_index from)
{
    const char *first = path->count > 0 ? path->segments[0] : "";
    const char *second = path->count > 1 ? path->segments[1] : "";
    const char *zone = named_zone(document, path);
    if (zone == NULL && strcmp(first, "zones") == 0 && path->count > 1)
        zone = second;
    if (zone != NULL)
        return zone_cells(engine, document, zone);
    if (strcmp(first, "directions") == 0 && path->count > 1)
        return direction_cells(engine, document, path, from);
    if (strcmp(first, "board") == 0 && strcmp(second, "cells") == 0)
        return board_cells(engine, document, path);
    if (strcmp(first, "initial_position") == 0)
        return placed_cells(engine, document, path);
    return NULL;
}

json_t *engine_do_cells(struct engine *engine, json_t *request)
{
    const char *pointer = json_string_value(json_object_get(request, "pointer"));
    json_t *place = json_object_get(request, "from");
    cell_index from = place == NULL ? CELL_NONE : engine_read_cell(engine, place);
    struct path path;
    if (pointer == NULL || !read_path(pointer, &path))
        return engine_refuse(REFUSAL_BAD_REQUEST,
                             "\"pointer\" must be a JSON pointer of at most 511 bytes");
    if (place != NULL && from == CELL_NONE)
        return engine_refuse(REFUSAL_UNKNOWN_CELL, "\"from\" is no cell of this board");
    json_t *document = json_loadb(engine->text, engine->text_length, 0, NULL);
    json_t *answer = text_word(engine, document, &path, from);
    if (answer == NULL)
        answer = figure_word(engine, document, &path, pointer, from);
    json_decref(document);
    return answer != NULL ? answer : compiled_word(engine, pointer, from);
}
