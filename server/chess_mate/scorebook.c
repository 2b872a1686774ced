#include "server/chess_mate/scorebook.h"

#include "engine/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIME_BYTES = 80, FIRST_PLIES = 64 };

/* Chess Mate's ids are integers. Ours are made of the room's id, so that they are the same after every restart: a game's
 * has 39 bits, and a board and a move add the number of the ply, which makes 53: what JavaScript counts exactly. */
static int64_t game_id(const struct scorebook *scorebook)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *at = scorebook->room; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return (int64_t)((hash >> 25 ^ hash) & ((UINT64_C(1) << 39) - 1)) | 1;
}

static int64_t ply_id(const struct scorebook *scorebook, int number)
{
    return game_id(scorebook) * PLY_NUMBERS + number;
}

void scorebook_release(struct scorebook *scorebook)
{
    free(scorebook->plies);
    free(scorebook->result);
    *scorebook = (struct scorebook){0};
}

bool scorebook_add(struct scorebook *scorebook, const char *from, const char *to,
                   const char *choice, int64_t at_ms)
{
    int start = square_of_name(from), end = square_of_name(to);
    if (start == NO_SQUARE || end == NO_SQUARE || scorebook->board.piece[start] == 0 ||
        scorebook->board.ply == PLY_NUMBERS - 1)
        return false;
    if (scorebook->board.ply == scorebook->ply_room) {
        scorebook->ply_room = scorebook->ply_room == 0 ? FIRST_PLIES : scorebook->ply_room * 2;
        scorebook->plies =
            memory_resize(scorebook->plies, (size_t)scorebook->ply_room, sizeof *scorebook->plies);
    }
    int index = scorebook->board.ply;
    scorebook->plies[index] = board_play(&scorebook->board, start, end, choice, at_ms);
    return true;
}

void scorebook_set_result(struct scorebook *scorebook, const char *json)
{
    free(scorebook->result);
    scorebook->result = memory_text(json);
}

static void write_time(struct writer *writer, const char *key, int64_t at_ms)
{
    char text[TIME_BYTES];
    struct tm time;
    time_t seconds = (time_t)(at_ms / 1000);
    gmtime_r(&seconds, &time);
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", time.tm_year + 1900,
             time.tm_mon + 1, time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec,
             (int)(at_ms % 1000));
    writer_key(writer, key);
    writer_string(writer, text);
}

static void write_times(struct writer *writer, int64_t at_ms)
{
    write_time(writer, "updatedAt", at_ms);
    write_time(writer, "createdAt", at_ms);
}

static void write_letter(struct writer *writer, const char *key, char letter)
{
    writer_key(writer, key);
    writer_string_bytes(writer, &letter, 1);
}

void scorebook_write_game(const struct scorebook *scorebook, const char *browser_id_json,
                          struct writer *writer)
{
    writer_object(writer);
    writer_key(writer, "id");
    writer_integer(writer, game_id(scorebook));
    writer_key(writer, "browser_id");
    writer_raw(writer, browser_id_json, strlen(browser_id_json));
    write_times(writer, scorebook->created_ms);
    writer_end(writer);
}

/* JSON in a string: so the page parses it again. */
static void write_inside(struct writer *writer, const char *key, const struct board *board,
                         void (*write)(const struct board *board, struct writer *writer))
{
    struct writer inner;
    writer_init(&inner);
    write(board, &inner);
    writer_key(writer, key);
    writer_string_bytes(writer, inner.data, inner.length);
    writer_release(&inner);
}

void scorebook_write_board(const struct scorebook *scorebook, struct writer *writer)
{
    int count = scorebook->board.ply;
    char last = count == 0 ? '\0' : scorebook->plies[count - 1].player;
    writer_object(writer);
    writer_key(writer, "id");
    writer_integer(writer, ply_id(scorebook, count));
    writer_key(writer, "game_id");
    writer_integer(writer, game_id(scorebook));
    write_inside(writer, "board", &scorebook->board, board_write_squares);
    write_inside(writer, "score", &scorebook->board, board_write_score);
    writer_key(writer, "turn_player");
    writer_string_bytes(writer, &last, last != '\0');
    writer_key(writer, "move_number");
    writer_integer(writer, count);
    write_times(writer, count == 0 ? scorebook->created_ms : scorebook->plies[count - 1].at_ms);
    writer_end(writer);
}

void scorebook_write_ply(const struct scorebook *scorebook, int index, struct writer *writer)
{
    const struct ply *ply = &scorebook->plies[index];
    char name[3];
    writer_object(writer);
    writer_key(writer, "id");
    writer_integer(writer, ply_id(scorebook, index + 1));
    writer_key(writer, "game_id");
    writer_integer(writer, game_id(scorebook));
    write_letter(writer, "player", ply->player);
    write_letter(writer, "flag", ply->flag);
    writer_key(writer, "move_number");
    writer_integer(writer, index + 1);
    square_write_name(ply->from, name);
    writer_key(writer, "from");
    writer_string(writer, name);
    square_write_name(ply->to, name);
    writer_key(writer, "to");
    writer_string(writer, name);
    write_letter(writer, "piece", ply->piece);
    write_times(writer, ply->at_ms);
    writer_end(writer);
}

void scorebook_write_additions(const struct scorebook *scorebook, struct writer *writer)
{
    writer_key(writer, "room");
    writer_string(writer, scorebook->room);
    writer_key(writer, "check");
    writer_boolean(writer, board_in_check(&scorebook->board));
    if (scorebook->result == NULL)
        return;
    writer_key(writer, "result");
    writer_raw(writer, scorebook->result, strlen(scorebook->result));
}
