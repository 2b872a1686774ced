#include "engine/arena.h"
#include "engine/tables.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct game *game_retain(struct game *game)
{
    atomic_fetch_add_explicit(&game->references, 1, memory_order_relaxed);
    return game;
}

void game_release(struct game *game)
{
    if (game == NULL)
        return;
    if (atomic_fetch_sub_explicit(&game->references, 1, memory_order_acq_rel) != 1)
        return;
    for (struct owned_memory *memory = game->owned, *next = NULL; memory != NULL; memory = next) {
        next = memory->next;
        free(memory);
    }
    arena_free(game->kept);
    free(game);
}

size_t game_bytes(const struct game *game)
{
    return game->bytes;
}

const struct game_facts *game_facts(const struct game *game)
{
    return &game->facts;
}

const struct game_translation *game_translation(const struct game *game, const char *language)
{
    for (int i = 0; i < game->translation_count; i++)
        if (strcmp(game->translations[i].language, language) == 0)
            return &game->translations[i];
    return NULL;
}

const char *game_translate(const struct game_translation *translation, const char *text)
{
    for (int i = 0; translation != NULL && i < translation->text_count; i++)
        if (strcmp(translation->texts[i].text, text) == 0)
            return translation->texts[i].translated;
    return text;
}

const char *game_state_name(const struct game *game, state_index state)
{
    assert(state < game->state_count);
    return game->states[state].name;
}

const char *game_state_phase(const struct game *game, state_index state)
{
    assert(state < game->state_count);
    int phase = game->states[state].phase;
    return phase > 0 ? game->phases[phase] : NULL;
}

const char *game_counter_name(const struct game *game, int slot, player_index *player)
{
    assert(slot >= 0 && slot < game->counter_slot_count);
    const struct counter_rule *counter = game_counter_of(game, slot);
    *player = counter->per_player ? (player_index)(slot - counter->first_slot) : PLAYER_NONE;
    return counter->name;
}

static bool is_name(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

/* UINT8_MAX, which is no player and no figure: it is none of them. */
static uint8_t find_name(const char *const *names, int count, const char *text, size_t length)
{
    for (int i = 0; i < count; i++)
        if (is_name(text, length, names[i]))
            return (uint8_t)i;
    return UINT8_MAX;
}

player_index game_find_player(const struct game *game, const char *text, size_t length)
{
    return find_name(game->player_names, game->player_count, text, length);
}

figure_index game_find_figure(const struct game *game, const char *text, size_t length)
{
    return find_name(game->figure_names, game->figure_count, text, length);
}

bool game_find_state(const struct game *game, const char *text, size_t length, state_index *state)
{
    for (int i = 0; i < game->state_count; i++)
        if (is_name(text, length, game->states[i].name)) {
            *state = (state_index)i;
            return true;
        }
    return false;
}

/* Coordinates joined with `_`, as we would write them: no plus sign, no leading zeros. */
static cell_index find_cell_by_coordinates(const struct game *game, const char *text, size_t length)
{
    char copy[DIMENSIONS_MAX * sizeof "-10000_"] = "", written[sizeof copy] = "", *at = copy;
    int coordinates[DIMENSIONS_MAX];
    size_t used = 0;
    memcpy(copy, text, length < sizeof copy ? length : 0);
    for (int i = 0; i < game->dimension_count; i++) {
        long number = strtol(at + (i > 0 && *at == '_'), &at, 10);
        bool known = number >= -COORDINATE_MAX && number <= COORDINATE_MAX;
        coordinates[i] = known ? (int)number : 0;
        used += (size_t)snprintf(written + used, sizeof written - used, i > 0 ? "_%d" : "%d",
                                 coordinates[i]);
    }
    return is_name(text, length, written) ? game_cell_at(game, coordinates) : CELL_NONE;
}

cell_index game_find_cell(const struct game *game, const char *text, size_t length)
{
    for (int i = 0; i < game->cell_count; i++)
        if (is_name(text, length, game->cells[i].name))
            return (cell_index)i;
    return find_cell_by_coordinates(game, text, length);
}

int coordinates_compare(const int *a, const int *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

cell_index game_cell_at(const struct game *game, const int *coordinates)
{
    return whole_game_cell_at(&game->whole, coordinates);
}

cell_index whole_game_cell_at(const struct whole_game *game, const int *coordinates)
{
    int low = 0, high = game->cell_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const int *there = game->cells[middle].coordinates;
        int order = coordinates_compare(coordinates, there, game->dimension_count);
        if (order == 0)
            return (cell_index)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return CELL_NONE;
}

int game_start_count(const struct game *game, player_index player, figure_index figure)
{
    uint16_t code = game_code(game, figure, player);
    int count = 0;
    for (int cell = 0; cell < game->cell_count; cell++)
        count += game->start[cell] == code;
    return count;
}
