/* Games played by the original program, reproduced: at every ply the same legal moves, the same
 * successor of each of them, and after the chosen one the same board, state and move number. */
#include "tests/support/test.h"

#include "tests/engine/games.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A growing text. */
struct text {
    char *bytes;
    size_t length, room;
};

static void text_add(struct text *text, const char *more)
{
    size_t length = strlen(more);
    if (text->length + length + 1 > text->room) {
        text->room = 2 * (text->length + length + 1);
        text->bytes = realloc(text->bytes, text->room);
        assert_non_null(text->bytes);
    }
    memcpy(text->bytes + text->length, more, length + 1);
    text->length += length;
}

/* The canonical text whose checksum the traces hold, up to the bar: every occupied cell in order.
 */
static void write_board(const struct position *position, struct text *text)
{
    const struct game *game = position_game(position);
    text->length = 0;
    text_add(text, "");
    for (int i = 0; i < game_facts(game)->cell_count; i++) {
        struct contents contents = position_contents(position, (cell_index)i);
        const int *at = game_facts(game)->cells[i].coordinates;
        char part[256];
        if (contents.figure == FIGURE_NONE)
            continue;
        snprintf(part, sizeof part, "%s%d,%d:%s,%s,%d,%d", text->length > 0 ? ";" : "", at[0],
                 at[1], game_facts(game)->figure_names[contents.figure],
                 game_facts(game)->player_names[contents.player], contents.moves_made,
                 contents.last_move);
        text_add(text, part);
    }
}

static uint32_t checksum(const struct position *position, struct text *text)
{
    char turn[NAME_BYTES_MAX + 32];
    write_board(position, text);
    snprintf(turn, sizeof turn, "|%s|%u",
             game_state_name(position_game(position), position_state(position)),
             (unsigned)position_move_number(position));
    text_add(text, turn);
    return (uint32_t)crc32(0, (const unsigned char *)text->bytes, (unsigned)text->length);
}

/* What a test of one trace file keeps. */
struct replay {
    struct game *game;
    struct position *position;
    struct undo *undo;
    struct move *moves;
    struct text text;
    int games, plies, successors;
};

static const char *string_of(json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    assert_non_null(value);
    return value;
}

static void check_board(const struct replay *replay, json_t *board)
{
    const struct game *game = replay->game;
    size_t occupied = 0;
    for (int i = 0; i < game_facts(game)->cell_count; i++) {
        struct contents contents = position_contents(replay->position, (cell_index)i);
        const int *at = game_facts(game)->cells[i].coordinates;
        char key[64];
        snprintf(key, sizeof key, "%d,%d", at[0], at[1]);
        json_t *there = json_object_get(board, key);
        assert_int_equal(contents.figure != FIGURE_NONE, there != NULL);
        if (there == NULL)
            continue;
        occupied++;
        assert_string_equal(game_facts(game)->figure_names[contents.figure],
                            json_string_value(json_array_get(there, 0)));
        assert_string_equal(game_facts(game)->player_names[contents.player],
                            json_string_value(json_array_get(there, 1)));
        assert_int_equal(contents.moves_made, json_integer_value(json_array_get(there, 2)));
        assert_int_equal(contents.last_move, json_integer_value(json_array_get(there, 3)));
    }
    assert_int_equal(occupied, json_object_size(board));
}

static void check_turn(const struct replay *replay, json_t *line, const char *state,
                       const char *move_number)
{
    const struct position *position = replay->position;
    assert_string_equal(game_state_name(replay->game, position_state(position)),
                        string_of(line, state));
    assert_int_equal(position_move_number(position),
                     json_integer_value(json_object_get(line, move_number)));
}

static cell_index cell_of(const struct replay *replay, json_t *coordinates)
{
    int at[DIMENSIONS_MAX] = {0};
    for (size_t i = 0; i < json_array_size(coordinates); i++)
        at[i] = (int)json_integer_value(json_array_get(coordinates, i));
    cell_index cell = game_cell_at(replay->game, at);
    assert_int_not_equal(cell, CELL_NONE);
    return cell;
}

static struct move find(const struct replay *replay, json_t *pair)
{
    struct move move;
    assert_true(movegen_find(replay->position, cell_of(replay, json_array_get(pair, 0)),
                             cell_of(replay, json_array_get(pair, 1)), CHOICE_NONE, &move));
    return move;
}

static void replay_start(struct replay *replay, json_t *line)
{
    position_reset(replay->position);
    check_turn(replay, line, "state", "current_move");
    check_board(replay, json_object_get(line, "board"));
    replay->games++;
}

static void replay_ply(struct replay *replay, json_t *line)
{
    json_t *moves = json_object_get(line, "moves"), *successors = json_object_get(line, "succ");
    check_turn(replay, line, "state", "current_move");
    assert_string_equal(game_facts(replay->game)->player_names[position_to_move(replay->position)],
                        string_of(line, "player"));
    /* As many as recorded, none twice, and each recorded one found: the same set. */
    int count = movegen_all(replay->position, replay->moves);
    assert_int_equal(count, json_array_size(moves));
    for (size_t i = 0; i < json_array_size(moves); i++) {
        struct move move = find(replay, json_array_get(moves, i));
        position_make(replay->position, move, replay->undo);
        uint32_t expected = (uint32_t)json_integer_value(json_array_get(successors, i));
        if (checksum(replay->position, &replay->text) != expected)
            fail_msg("ply %d, move %zu: the successor is %s",
                     (int)json_integer_value(json_object_get(line, "ply")), i, replay->text.bytes);
        position_unmake(replay->position, replay->undo);
        replay->successors++;
    }
    position_make(replay->position, find(replay, json_object_get(line, "chosen")), NULL);
    check_turn(replay, line, "state_after", "current_move_after");
    check_board(replay, json_object_get(line, "board"));
    replay->plies++;
}

static void replay_end(struct replay *replay, json_t *line)
{
    const char *reason = string_of(line, "reason");
    struct outcome outcome = position_outcome(replay->position);
    if (strcmp(reason, "end_state") == 0) {
        assert_int_equal(position_to_move(replay->position), PLAYER_NONE);
        assert_int_equal(outcome.kind, OUTCOME_WON);
    } else if (strcmp(reason, "no_moves") == 0) {
        assert_int_equal(movegen_count(replay->position), 0);
        assert_int_not_equal(outcome.kind, OUTCOME_PLAYING);
    } else {
        assert_int_equal(outcome.kind, OUTCOME_PLAYING);
    }
}

/* The header comes first and says which rules were played. */
static void replay_open(struct replay *replay, json_t *header)
{
    assert_string_equal(string_of(header, "t"), "header");
    char relative[128];
    snprintf(relative, sizeof relative, "data/original-games/%s.json", string_of(header, "game"));
    char *path = test_shared_path(relative);
    assert_non_null(path);
    struct load_options options = {.ignore_movement_if =
                                       strcmp(string_of(header, "movement_if"), "ignore") == 0};
    replay->game = games_load_file(path, &options);
    replay->position = position_new(replay->game);
    replay->undo = undo_new(replay->game);
    replay->moves = calloc((size_t)game_facts(replay->game)->moves_max, sizeof *replay->moves);
    assert_non_null(replay->moves);
    free(path);
}

static void replay_line(struct replay *replay, json_t *line)
{
    if (replay->game == NULL) {
        replay_open(replay, line);
        return;
    }
    const char *kind = string_of(line, "t");
    if (strcmp(kind, "start") == 0)
        replay_start(replay, line);
    else if (strcmp(kind, "ply") == 0)
        replay_ply(replay, line);
    else if (strcmp(kind, "end") == 0)
        replay_end(replay, line);
    else
        fail_msg("unknown line \"%s\"", kind);
}

static void replay_release(struct replay *replay)
{
    free(replay->text.bytes);
    free(replay->moves);
    undo_free(replay->undo);
    position_free(replay->position);
    game_release(replay->game);
}

static void replay_file(const char *relative)
{
    enum { LINE_MAX_BYTES = 4 * 1024 * 1024 };
    char *path = test_shared_path(relative);
    if (path == NULL)
        skip();
    gzFile file = gzopen(path, "rb");
    assert_non_null(file);
    char *line = malloc(LINE_MAX_BYTES);
    assert_non_null(line);
    struct replay replay = {0};
    while (gzgets(file, line, LINE_MAX_BYTES) != NULL) {
        json_t *object = json_loads(line, 0, NULL);
        assert_non_null(object);
        replay_line(&replay, object);
        json_decref(object);
    }
    gzclose(file);
    print_message("%s: %d games, %d plies, %d successors\n", relative, replay.games, replay.plies,
                  replay.successors);
    assert_true(replay.games > 0 && replay.plies > 0 && replay.successors > replay.plies);
    replay_release(&replay);
    free(line);
    free(path);
}

static void chess_is_played_as_the_original_played_it(void **state)
{
    (void)state;
    replay_file("data/original-traces/chess.jsonl.gz");
}

static void checkers_is_played_as_the_original_played_it(void **state)
{
    (void)state;
    replay_file("data/original-traces/checkers.jsonl.gz");
}

static void intellector_is_played_as_the_original_would_with_its_ifs(void **state)
{
    (void)state;
    replay_file("data/original-traces/intellector_if.jsonl.gz");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chess_is_played_as_the_original_played_it),
        cmocka_unit_test(checkers_is_played_as_the_original_played_it),
        cmocka_unit_test(intellector_is_played_as_the_original_would_with_its_ifs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
