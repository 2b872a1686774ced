#include "tests/support/test.h"

#include "tests/engine/games.h"
#include "tests/support/games.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct game *load(const char *text, size_t length, const struct load_options *options,
                         const char *name)
{
    const struct bases bases = test_bases_beside(name);
    struct whole_text whole;
    struct diagnostics diagnostics;
    struct game *game = NULL;
    diagnostics_init(&diagnostics);
    if (whole_text_read(&whole, text, length, &bases, &diagnostics))
        game = game_load(whole.text, whole.length, options, &diagnostics);
    whole_text_locate(&whole, &diagnostics);
    whole_text_release(&whole);
    for (int i = 0; game == NULL && i < diagnostics.count; i++)
        print_error("%s:%d:%d: %s: %s\n", name, diagnostics.list[i].line,
                    diagnostics.list[i].column, diagnostics.list[i].pointer,
                    diagnostics.list[i].message);
    diagnostics_release(&diagnostics);
    assert_non_null(game);
    return game;
}

struct game *games_load_text(const char *text, const struct load_options *options)
{
    return load(text, strlen(text), options, "games/text");
}

struct game *games_load_file(const char *path, const struct load_options *options)
{
    size_t length = 0;
    char *text = test_read_file(path, &length);
    if (text == NULL)
        fail_msg("cannot read %s", path);
    struct game *game = load(text, length, options, path);
    free(text);
    return game;
}

static int visit(const char *path, void (*test)(const char *, struct game *, void *), void *context)
{
    struct game *game = games_load_file(path, NULL);
    test(path, game, context);
    game_release(game);
    return 1;
}

static bool ends_in_json(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

int games_for_each(void (*test)(const char *path, struct game *game, void *context), void *context)
{
    int count = 0;
    DIR *folder = opendir("games");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[512];
        if (!ends_in_json(entry->d_name))
            continue;
        snprintf(path, sizeof path, "games/%s", entry->d_name);
        count += visit(path, test, context);
    }
    closedir(folder);
    static const char *const originals[] = {"chess", "checkers", "intellector"};
    for (size_t i = 0; i < sizeof originals / sizeof *originals; i++) {
        char relative[64];
        snprintf(relative, sizeof relative, "data/original-games/%s.json", originals[i]);
        char *path = test_shared_path(relative);
        if (path != NULL)
            count += visit(path, test, context);
        free(path);
    }
    return count;
}

static int below(uint64_t *seed, int bound)
{
    return (int)(test_random(seed) % (unsigned)bound);
}

void games_scatter(struct position *position, uint64_t *seed)
{
    const struct game *game = position_game(position);
    position_clear(position);
    int density = 1 + below(seed, 9);
    for (int cell = 0; cell < game_facts(game)->cell_count; cell++) {
        if (below(seed, 10) >= density)
            continue;
        struct contents contents = {
            .figure = (figure_index)below(seed, game_facts(game)->figure_count),
            .player = (player_index)below(seed, game_facts(game)->player_count),
            .moves_made = (uint16_t)below(seed, 3),
            .last_move = (uint16_t)below(seed, 4),
        };
        position_put(position, (cell_index)cell, contents);
    }
    uint32_t move_number = 1 + (uint32_t)below(seed, 4);
    /* A game of format 2 may have ended by its results as soon as it is set up. */
    int tries = game_facts(game)->format == 2 ? 20 : INT_MAX;
    do
        while (!position_set_turn(position, (state_index)below(seed, game_facts(game)->state_count),
                                  move_number))
            continue;
    while (position_to_move(position) == PLAYER_NONE && --tries > 0);
}
