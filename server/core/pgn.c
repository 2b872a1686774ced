#include "server/core/pgn.h"

#include "engine/memory/memory.h"
#include "engine/notation.h"
#include "server/core/pgn_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE_MAX_BYTES = 79, TOKEN_BYTES_MAX = NOTATION_MOVE_BYTES + 32 };

/* Readers take a game without "FEN" to begin so. */
static const char standard_cells[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
static const char standard_variant[] = "Chess";

struct pgn {
    const struct replay *replay;
    const struct game *game;
    player_index white; /* who moves first */
    char *text;
    size_t length, size;
    size_t column; /* of the line of moves being written */
};

bool pgn_has(const struct game *game)
{
    return game_pgn_variant(game)[0] != '\0' && game_facts(game)->player_count == 2 &&
           game_has_move_notation(game, NOTATION_ALGEBRAIC);
}

/* --- text ------------------------------------------------------------------------------------- */

static void add_bytes(struct pgn *pgn, const char *bytes, size_t length)
{
    if (pgn->length + length + 1 > pgn->size) {
        pgn->size = (pgn->length + length + 1) * 2;
        pgn->text = memory_resize(pgn->text, pgn->size, 1);
    }
    memcpy(pgn->text + pgn->length, bytes, length);
    pgn->length += length;
    pgn->text[pgn->length] = '\0';
}

static void add(struct pgn *pgn, const char *text)
{
    add_bytes(pgn, text, strlen(text));
}

static void add_tag(struct pgn *pgn, const char *name, const char *value)
{
    add(pgn, "["), add(pgn, name), add(pgn, " \"");
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            add(pgn, "\\");
        if ((unsigned char)*value >= 0x20)
            add_bytes(pgn, value, 1);
    }
    add(pgn, "\"]\n");
}

/* A word of the moves, on a new line where it does not fit. */
static void add_token(struct pgn *pgn, const char *token)
{
    size_t length = strlen(token);
    if (pgn->column > 0 && pgn->column + 1 + length > LINE_MAX_BYTES) {
        add(pgn, "\n");
        pgn->column = 0;
    }
    if (pgn->column > 0) {
        add(pgn, " ");
        pgn->column++;
    }
    for (size_t i = 0; i < length; i++)
        add_bytes(pgn, (unsigned char)token[i] <= 0x20 ? "_" : &token[i], 1);
    pgn->column += length;
}

/* --- tags ------------------------------------------------------------------------------------- */

static const char *result_of(const struct pgn *pgn)
{
    const struct standing *standing = &pgn->replay->standing;
    if (!standing->has_result || standing->aborted)
        return "*";
    if (standing->winner == PLAYER_NONE)
        return "1/2-1/2";
    return standing->winner == pgn->white ? "1-0" : "0-1";
}

static void add_date(struct pgn *pgn)
{
    char date[32] = "????.??.??";
    time_t seconds = (time_t)(pgn->replay->created_at_ms / 1000);
    struct tm day;
    /* a game that was brought in from a text without a date is of no time */
    if (seconds > 0 && gmtime_r(&seconds, &day) && day.tm_year < 8100)
        strftime(date, sizeof date, "%Y.%m.%d", &day);
    add_tag(pgn, "Date", date);
}

static const char *termination_of(const struct standing *standing)
{
    if (standing->aborted)
        return "abandoned";
    if (standing->has_result && strcmp(standing->reason, STANDING_OUT_OF_TIME) == 0)
        return "time forfeit";
    return standing->has_result ? "normal" : "unterminated";
}

static void add_player(struct pgn *pgn, const char *tag, player_index player)
{
    const struct seat *seat = &pgn->replay->standing.seats[player];
    add_tag(pgn, tag, seat->taken && seat->name[0] ? seat->name : "?");
}

static void add_site(struct pgn *pgn)
{
    char site[WORD_BYTES_MAX + 16];
    struct text room = pgn->replay->record.room;
    snprintf(site, sizeof site, "Senet %.*s", (int)room.length, room.data ? room.data : "");
    add_tag(pgn, "Site", room.length > 0 ? site : "?");
}

/* Where the game does not begin as chess does. */
static void add_start(struct pgn *pgn, struct notation *notation, struct position *start)
{
    char text[NOTATION_POSITION_BYTES];
    size_t cells = sizeof standard_cells - 1;
    if (!notation_write_position(notation, start, text) ||
        (strncmp(text, standard_cells, cells) == 0 && text[cells] == ' '))
        return;
    add_tag(pgn, "SetUp", "1");
    add_tag(pgn, "FEN", text);
}

/* Of a game without clocks nothing is said. */
static void add_time_control(struct pgn *pgn)
{
    struct time_control control;
    char text[PGN_TIME_BYTES];
    if (!pgn->replay->standing.has_clocks)
        return;
    standing_time_control(&pgn->replay->standing, pgn->game, &control);
    pgn_clock_write_control(&control, text);
    add_tag(pgn, "TimeControl", text);
}

static void add_tags(struct pgn *pgn, struct notation *notation, struct position *start)
{
    const char *variant = game_pgn_variant(pgn->game);
    add_tag(pgn, "Event", game_facts(pgn->game)->title);
    add_site(pgn);
    add_date(pgn);
    add_tag(pgn, "Round", "-");
    add_player(pgn, "White", pgn->white);
    add_player(pgn, "Black", (player_index)(1 - pgn->white));
    add_tag(pgn, "Result", result_of(pgn));
    if (strcmp(variant, standard_variant) != 0)
        add_tag(pgn, "Variant", variant);
    add_start(pgn, notation, start);
    add_time_control(pgn);
    add_tag(pgn, "Termination", termination_of(&pgn->replay->standing));
    add(pgn, "\n");
}

/* --- moves ------------------------------------------------------------------------------------ */

/* Where there is a main time; a fork's moves were made before there was a clock. */
static void add_clock(struct pgn *pgn, int ply)
{
    const struct standing *standing = &pgn->replay->standing;
    const struct replayed_move *made = &pgn->replay->moves[ply];
    char text[PGN_TIME_BYTES], token[PGN_TIME_BYTES + 2];
    if (!standing->has_clocks || ply < pgn->replay->begun_ply ||
        standing->budgets[made->player].initial_ms == 0)
        return;
    pgn_clock_write(made->left_ms, text);
    snprintf(token, sizeof token, "%s]}", text);
    add_token(pgn, "{[%clk");
    add_token(pgn, token);
}

static void add_moves(struct pgn *pgn, struct notation *notation, struct position *position)
{
    char text[NOTATION_MOVE_BYTES], token[TOKEN_BYTES_MAX];
    player_index before = PLAYER_NONE;
    int number = 0;
    for (int i = 0; i < pgn->replay->move_count; i++) {
        const struct replayed_move *made = &pgn->replay->moves[i];
        if (made->player == pgn->white && before != pgn->white) {
            snprintf(token, sizeof token, "%d.", ++number);
            add_token(pgn, token);
        }
        notation_write_move(notation, position, NULL, made->move, NOTATION_ALGEBRAIC, text);
        add_token(pgn, text);
        add_clock(pgn, i);
        position_make(position, made->move, NULL);
        before = made->player;
    }
}

/* How it ended, as a comment: {resignation}. What would end the comment is left out. */
static void add_reason(struct pgn *pgn)
{
    char reason[REASON_BYTES + 3], *word = reason;
    size_t length = 0;
    reason[length++] = '{';
    for (const char *at = pgn->replay->standing.reason; *at; at++)
        if (*at != '{' && *at != '}')
            reason[length++] = *at;
    reason[length++] = '}';
    reason[length] = '\0';
    for (char *end; word; word = end) {
        end = strchr(word, ' ');
        if (end)
            *end++ = '\0';
        if (*word)
            add_token(pgn, word);
    }
}

char *pgn_write(const struct replay *replay, size_t *length)
{
    struct position *position = position_new(replay->game);
    struct notation *notation = notation_new(replay->game);
    struct pgn pgn = {.replay = replay, .game = replay->game};
    pgn.white = position_to_move(position);
    if (pgn.white == PLAYER_NONE)
        pgn.white = 0;
    add_tags(&pgn, notation, position);
    add_moves(&pgn, notation, position);
    if (replay->standing.has_result)
        add_reason(&pgn);
    add_token(&pgn, result_of(&pgn));
    add(&pgn, "\n");
    notation_free(notation);
    position_free(position);
    *length = pgn.length;
    return pgn.text;
}
