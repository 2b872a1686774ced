#include "server/cli/uci_game.h"

#include "engine/load/load.h"
#include "engine/memory/memory.h"
#include "engine/notation.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_FLAGS = JSON_REJECT_DUPLICATES, RANK_DIGITS = 3 };

struct uci_game {
    struct game *game;
    struct position *position;
    struct notation *notation;
    enum uci_dialect dialect;
    char start[NOTATION_POSITION_BYTES]; /* "": the file does not say how it is written */
    char *moves;                         /* with a space before each */
    size_t length, size;
    int plies;
};

/* --- the game --------------------------------------------------------------------------------- */

/* `players` 0: as many as there are. */
static struct game *load(const char *text, size_t length, int players, char *why, size_t why_size)
{
    const struct load_options options = {.player_count = players};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, length, &options, &diagnostics);
    if (game == NULL)
        snprintf(why, why_size, "the game's file cannot be read: %s",
                 diagnostics_first_error(&diagnostics)->message);
    diagnostics_release(&diagnostics);
    return game;
}

static struct game *load_answer(const char *answer, int players, char *why, size_t why_size)
{
    json_t *message = json_loads(answer, ANSWER_FLAGS, NULL);
    const json_t *guide = json_object_get(message, "guide");
    const json_t *definition = json_object_get(guide, "definition");
    struct game *game = NULL;
    if (json_is_string(definition))
        game =
            load(json_string_value(definition), json_string_length(definition), 0, why, why_size);
    else
        snprintf(why, why_size, "the server does not show the game's file");
    if (game != NULL && game_facts(game)->player_count != players) {
        game_release(game);
        game = load(json_string_value(definition), json_string_length(definition), players, why,
                    why_size);
    }
    json_decref(message);
    return game;
}

bool uci_game_can_be_told(const struct uci_game *game, char *why, size_t why_size)
{
    bool fine = game_facts(game->game)->player_count == 2 && game->start[0] != '\0';
    if (!fine)
        snprintf(why, why_size, "%s is no game for two whose file says how positions are written",
                 game_facts(game->game)->name);
    return fine;
}

struct uci_game *uci_game_new(const char *answer, int players, enum uci_dialect dialect, char *why,
                              size_t why_size)
{
    struct game *loaded = load_answer(answer, players, why, why_size);
    if (loaded == NULL)
        return NULL;
    struct uci_game *game = memory_zeroed(1, sizeof *game);
    game->game = loaded;
    game->dialect = dialect;
    game->position = position_new(loaded);
    game->notation = notation_new(loaded);
    uci_game_restart(game);
    if (!notation_write_position(game->notation, game->position, game->start))
        game->start[0] = '\0';
    return game;
}

void uci_game_free(struct uci_game *game)
{
    if (game == NULL)
        return;
    notation_free(game->notation);
    position_free(game->position);
    game_release(game->game);
    free(game->moves);
    free(game);
}

const char *uci_game_name(const struct uci_game *game)
{
    return game_facts(game->game)->name;
}

int uci_game_player(const struct uci_game *game, const char *name)
{
    player_index player = game_find_player(game->game, name, strlen(name));
    return player == PLAYER_NONE ? -1 : player;
}

/* --- its moves -------------------------------------------------------------------------------- */

/* UCCI counts ranks from 0, the files of games as their players do: from 1. */
static void shift_ranks(const char *text, int by, char *shifted, size_t size)
{
    size_t length = 0;
    while (*text != '\0' && length + RANK_DIGITS + 1 < size) {
        if (!isdigit((unsigned char)*text)) {
            shifted[length++] = *text++;
            continue;
        }
        char *end;
        long rank = strtol(text, &end, 10);
        length += (size_t)snprintf(shifted + length, size - length, "%d",
                                   (int)(rank % 1000) + by); /* a longer one is none */
        text = end;
    }
    shifted[length < size ? length : size - 1] = '\0';
}

static void add_text(struct uci_game *game, const char *text)
{
    size_t length = strlen(text);
    if (game->length + length + 2 > game->size) {
        game->size = 2 * (game->length + length + 2);
        game->moves = memory_resize(game->moves, game->size, 1);
    }
    game->moves[game->length++] = ' ';
    memcpy(game->moves + game->length, text, length + 1);
    game->length += length;
}

void uci_game_restart(struct uci_game *game)
{
    position_reset(game->position);
    game->plies = 0;
    game->length = 0;
    if (game->moves != NULL)
        game->moves[0] = '\0';
}

int uci_game_plies(const struct uci_game *game)
{
    return game->plies;
}

static void play(struct uci_game *game, struct move move)
{
    char text[NOTATION_MOVE_BYTES], shifted[NOTATION_MOVE_BYTES];
    notation_write_move(game->notation, game->position, NULL, move, NOTATION_COORDINATE, text);
    shift_ranks(text, game->dialect == UCI_XIANGQI ? -1 : 0, shifted, sizeof shifted);
    add_text(game, shifted);
    position_make(game->position, move, NULL);
    game->plies++;
}

static bool find_cell(const struct uci_game *game, const json_t *move, const char *name,
                      cell_index *cell)
{
    const json_t *value = json_object_get(move, name);
    *cell = CELL_NONE;
    if (value == NULL)
        return true;
    if (json_is_string(value))
        *cell = game_find_cell(game->game, json_string_value(value), json_string_length(value));
    return *cell != CELL_NONE;
}

static bool find_choice(const struct uci_game *game, const json_t *move, uint8_t *choice)
{
    const json_t *value = json_object_get(move, "choice");
    *choice = json_is_true(json_object_get(move, "swap")) ? CHOICE_SWAP : CHOICE_NONE;
    if (value == NULL)
        return true;
    figure_index figure =
        json_is_string(value)
            ? game_find_figure(game->game, json_string_value(value), json_string_length(value))
            : FIGURE_NONE;
    *choice = figure == FIGURE_NONE ? CHOICE_NONE : (uint8_t)figure;
    return figure != FIGURE_NONE;
}

static bool take_move(struct uci_game *game, const json_t *entry)
{
    const json_t *said = json_object_get(entry, "move");
    cell_index from, to;
    uint8_t choice;
    struct move move;
    if (json_integer_value(json_object_get(entry, "ply")) != game->plies + 1 ||
        !find_cell(game, said, "from", &from) || !find_cell(game, said, "to", &to) ||
        !find_choice(game, said, &choice) ||
        !movegen_find_made(game->position, from, to, choice, &move))
        return false;
    play(game, move);
    return true;
}

bool uci_game_take_moves(struct uci_game *game, const char *answer, bool *all)
{
    json_t *message = json_loads(answer, ANSWER_FLAGS, NULL);
    const json_t *moves = json_object_get(message, "moves");
    bool fine = json_is_array(moves);
    for (size_t i = 0; fine && i < json_array_size(moves); i++)
        fine = take_move(game, json_array_get(moves, i));
    *all = json_integer_value(json_object_get(message, "plies")) <= game->plies;
    fine = fine && (*all || json_array_size(moves) > 0);
    json_decref(message);
    return fine;
}

struct position *uci_game_copy(const struct uci_game *game)
{
    struct position *position = position_new(game->game);
    position_copy(position, game->position);
    return position;
}

/* --- as the program has it -------------------------------------------------------------------- */

const char *uci_game_position(const struct uci_game *game)
{
    return game->start;
}

const char *uci_game_moves(const struct uci_game *game)
{
    return game->moves == NULL ? "" : game->moves;
}

bool uci_game_find(struct uci_game *game, const char *text, const char **from, const char **to,
                   const char **choice)
{
    char own[UCI_MOVE_BYTES + 16], words[NOTATION_WORDS_BYTES];
    struct move move;
    shift_ranks(text, game->dialect == UCI_XIANGQI ? 1 : 0, own, sizeof own);
    if (!notation_read_move(game->notation, game->position, own, &move, words))
        return false;
    *from = move.from == CELL_NONE ? NULL : game_facts(game->game)->cells[move.from].name;
    *to = move.to == CELL_NONE ? NULL : game_facts(game->game)->cells[move.to].name;
    *choice = move.choice == CHOICE_NONE ? NULL : game_facts(game->game)->figure_names[move.choice];
    return true;
}
