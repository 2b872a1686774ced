#include "server/core/pgn_read.h"

#include "engine/load/load.h"
#include "engine/memory/memory.h"
#include "engine/movegen.h"
#include "engine/notation.h"
#include "engine/work.h"
#include "protocol/record.h"
#include "server/core/digest.h"
#include "server/core/pgn.h"
#include "server/core/pgn_clock.h"
#include "server/core/pgn_tags.h"
#include "server/core/standing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HINT_MOVES = 3 };

/* Ids of nobody, of the form that ids have. */
static const char white_player[] = "p_-----------white", black_player[] = "p_-----------black";

/* Readers take a game without "Variant" for this one; some programs write the other. */
static const char standard_variant[] = "Chess", standard_name[] = "Standard";

struct reading {
    struct pgn_scan scan;
    struct pgn_token token;
    struct pgn_tags tags;
    char comment[PGN_VALUE_BYTES]; /* the last one, after the last move */
    const struct pgn_source *source;
    struct game *game;
    struct position *position;
    struct notation *notation;
    struct standing standing;
    struct time_control control;
    struct position *scratch;
    struct move *moves; /* room for the legal moves of a hint */
    player_index white; /* who moves first */
    struct writer writer;
    int64_t version, at_ms;
    int move_count;
};

/* --- what the text is ------------------------------------------------------------------------- */

bool pgn_is(const char *text, size_t length)
{
    static const char before[] = " \t\r\n\xef\xbb\xbf";
    static const char never_json[] =
        "*%;"; /* a game nobody has begun; an escaped line; a comment */
    size_t at = 0;
    while (at < length && memchr(before, text[at], sizeof before - 1))
        at++;
    if (at + 1 < length && text[at] == '1' && text[at + 1] == '.')
        return true;
    if (at < length && memchr(never_json, text[at], sizeof never_json - 1))
        return true;
    if (at == length || text[at++] != '[')
        return false;
    while (at < length && memchr(before, text[at], sizeof before - 1))
        at++;
    return at < length && text[at] >= 'A' && text[at] <= 'Z';
}

void pgn_read_variant(const char *text, size_t length, char variant[PGN_VALUE_BYTES])
{
    struct pgn_scan scan;
    struct pgn_token token;
    strcpy(variant, standard_variant);
    pgn_scan_init(&scan, text, length);
    while (pgn_scan_next(&scan, &token) == PGN_TAG)
        if (strcmp(token.name, "Variant") == 0 && token.value[0])
            memcpy(variant, token.value, sizeof token.value);
}

static char lower(char character)
{
    return character >= 'A' && character <= 'Z' ? (char)(character - 'A' + 'a') : character;
}

static bool equal_but_for_case(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) == lower(*b);
}

bool pgn_is_of(const struct game *game, const char *variant)
{
    if (!pgn_has(game))
        return false;
    if (equal_but_for_case(variant, standard_name))
        variant = standard_variant;
    return equal_but_for_case(game_pgn_variant(game), variant);
}

/* --- the start ------------------------------------------------------------------------------- */

/* Rooms begin where the game's file says; a text may say the same. */
static bool begins_there(struct reading *reading)
{
    char start[NOTATION_POSITION_BYTES], said[NOTATION_POSITION_BYTES];
    char why[NOTATION_WORDS_BYTES];
    if (!reading->tags.start[0])
        return true;
    struct position *position = position_new(reading->game);
    bool equal = notation_write_position(reading->notation, reading->position, start) &&
                 notation_read_position(reading->notation, position, reading->tags.start, why) &&
                 notation_write_position(reading->notation, position, said) &&
                 strcmp(start, said) == 0;
    position_free(position);
    if (!equal)
        pgn_scan_fail(&reading->scan, &reading->tags.start_token,
                      "this game begins in a position of its own, and rooms begin where the game's "
                      "file says");
    return equal;
}

/* --- events ----------------------------------------------------------------------------------- */

/* False when it cannot follow. */
static bool add(struct reading *reading, const struct event *event)
{
    struct identity told = identity_told(event->player);
    if (!standing_advance(&reading->standing, reading->position, event, &told))
        return false;
    record_add(&reading->writer, ++reading->version, event, reading->at_ms);
    return true;
}

static struct text seat_name(const struct reading *reading, player_index seat)
{
    return text_of(game_facts(reading->game)->player_names[seat]);
}

static bool add_join(struct reading *reading, player_index seat, const char *player,
                     const char *tag)
{
    char name[DISPLAY_NAME_BYTES_MAX + 1];
    pgn_name_write(tag, name);
    return add(reading, &(struct event){.kind = EVENT_JOINED,
                                        .seat_count = 1,
                                        .seats = {seat_name(reading, seat)},
                                        .player = text_of(player),
                                        .name = text_of(name),
                                        .as = PLAYER_HUMAN});
}

static bool add_start(struct reading *reading)
{
    player_index white = reading->white, black = (player_index)(1 - white);
    bool has_clock = pgn_clock_read_control(reading->tags.time_control, &reading->control);
    return begins_there(reading) &&
           add(reading, &(struct event){.kind = EVENT_CREATED,
                                        .game = reading->source->id,
                                        .clock = has_clock ? &reading->control : NULL}) &&
           add_join(reading, white, white_player, reading->tags.white) &&
           add_join(reading, black, black_player, reading->tags.black);
}

static bool add_by(struct reading *reading, enum event_kind kind, player_index seat)
{
    return add(reading,
               &(struct event){.kind = kind, .seat_count = 1, .seats = {seat_name(reading, seat)}});
}

/* --- moves ------------------------------------------------------------------------------------ */

/* Some of the moves there are: whoever sees them knows how they are written here. */
static void write_hint(struct reading *reading, char hint[PGN_WORDS_BYTES])
{
    char text[NOTATION_MOVE_BYTES];
    int count = movegen_all(reading->position, reading->moves);
    size_t length = 0;
    hint[0] = '\0';
    for (int i = 0; i < count && i < HINT_MOVES; i++) {
        notation_write_move(reading->notation, reading->position, NULL, reading->moves[i],
                            NOTATION_ALGEBRAIC, text);
        if (length + strlen(text) + 3 > PGN_WORDS_BYTES / 2)
            break;
        length += (size_t)snprintf(hint + length, PGN_WORDS_BYTES - length, "%s%s",
                                   i > 0 ? ", " : "", text);
    }
}

static bool refuse_move(struct reading *reading, const char *why)
{
    char hint[PGN_WORDS_BYTES];
    write_hint(reading, hint);
    pgn_scan_fail(
        &reading->scan, &reading->token, "%.200s, where %.64s is to move (for example %s)", why,
        game_facts(reading->game)->player_names[position_to_move(reading->position)], hint);
    return false;
}

static bool may_go_on(struct reading *reading)
{
    struct pgn_scan *scan = &reading->scan;
    const struct pgn_token *token = &reading->token;
    if (reading->standing.status == STATUS_FINISHED)
        pgn_scan_fail(scan, token, "by the rules the game is over before this move: %s",
                      reading->standing.reason);
    else if (++reading->move_count > EVENT_MOVES_MAX)
        pgn_scan_fail(scan, token, "no game has more than %d moves", EVENT_MOVES_MAX);
    else if (reading->writer.length > RECORD_BYTES_MAX)
        pgn_scan_fail(scan, token, "as a record this game has more than %d bytes",
                      RECORD_BYTES_MAX);
    else
        return true;
    return false;
}

/* What a comment right behind the move says of its player's clock. */
static bool look_for_clock(const struct reading *reading, uint32_t *left_ms)
{
    struct pgn_scan ahead = reading->scan;
    struct pgn_token token;
    while (pgn_scan_next(&ahead, &token) == PGN_COMMENT)
        if (pgn_clock_read(token.value, left_ms))
            return true;
    return false;
}

/* Clocks do not run in a player's first turn, whatever is said of them there. */
static uint32_t spent_ms(struct reading *reading, struct move move)
{
    const struct standing *standing = &reading->standing;
    player_index seat = standing_runs(standing, reading->position);
    uint32_t left_ms;
    if (seat == PLAYER_NONE || standing->budgets[seat].initial_ms == 0 ||
        !look_for_clock(reading, &left_ms))
        return 0;
    position_copy(reading->scratch, reading->position);
    position_make(reading->scratch, move, NULL);
    bool turn_ends = position_to_move(reading->scratch) != seat;
    return pgn_clock_spent(&standing->clocks[seat], &standing->budgets[seat], turn_ends, left_ms);
}

static bool take_move(struct reading *reading)
{
    char why[NOTATION_WORDS_BYTES];
    struct move move;
    if (!may_go_on(reading))
        return false;
    if (!notation_read_move(reading->notation, reading->position, reading->token.value, &move, why))
        return refuse_move(reading, why);
    struct event event = {.kind = EVENT_MOVED,
                          .seat_count = 1,
                          .seats = {seat_name(reading, position_to_move(reading->position))},
                          .spent_ms = spent_ms(reading, move),
                          .pass = move_is_pass(move),
                          .swap = move_is_swap(move)};
    if (move_has_cells(move)) {
        if (!move_is_placement(move))
            event.from = text_of(game_facts(reading->game)->cells[move.from].name);
        event.to = text_of(game_facts(reading->game)->cells[move.to].name);
        if (move.choice != CHOICE_NONE)
            event.choice = text_of(game_facts(reading->game)->figure_names[move.choice]);
    }
    return add(reading, &event) || refuse_move(reading, "this move cannot be made");
}

/* --- the end ---------------------------------------------------------------------------------- */

enum result { RESULT_NONE, RESULT_OPEN, RESULT_WHITE, RESULT_BLACK, RESULT_DRAW };

static const char *const result_words[] = {
    [RESULT_OPEN] = "*",
    [RESULT_WHITE] = "1-0",
    [RESULT_BLACK] = "0-1",
    [RESULT_DRAW] = "1/2-1/2",
};

/* RESULT_NONE: the word is none. */
static enum result result_of(const char *word)
{
    for (int i = RESULT_OPEN; i <= RESULT_DRAW; i++)
        if (strcmp(word, result_words[i]) == 0)
            return (enum result)i;
    return RESULT_NONE;
}

static enum result won_by(const struct reading *reading, player_index winner)
{
    return winner == reading->white ? RESULT_WHITE : RESULT_BLACK;
}

static enum result result_by_rules(const struct reading *reading)
{
    const struct standing *standing = &reading->standing;
    return standing->winner == PLAYER_NONE ? RESULT_DRAW : won_by(reading, standing->winner);
}

/* A result that could be claimed was claimed, unless a comment says otherwise. */
static bool was_claimed(const struct reading *reading, enum result result)
{
    const struct outcome *claim = &reading->standing.claim;
    if (strcmp(reading->comment, "agreement") == 0 || strcmp(reading->comment, "resignation") == 0)
        return false;
    if (claim->kind == OUTCOME_DRAWN)
        return result == RESULT_DRAW;
    return claim->kind == OUTCOME_WON && won_by(reading, claim->winner) == result;
}

/* The loser's flag, if they were to move: by the tag, or by the comment that is written here. */
static bool was_flagged(const struct reading *reading, player_index loser)
{
    bool said = equal_but_for_case(reading->tags.termination, "time forfeit") ||
                strcmp(reading->comment, STANDING_OUT_OF_TIME) == 0;
    return said && standing_runs(&reading->standing, reading->position) == loser;
}

static bool add_result(struct reading *reading, enum result result)
{
    if (result == RESULT_OPEN)
        return true;
    if (was_claimed(reading, result))
        return add_by(reading, EVENT_CLAIMED, position_to_move(reading->position));
    if (result == RESULT_DRAW)
        return add(reading, &(struct event){.kind = EVENT_DRAWN});
    player_index black = (player_index)(1 - reading->white);
    player_index loser = result == RESULT_WHITE ? black : reading->white;
    return add_by(reading, was_flagged(reading, loser) ? EVENT_FLAGGED : EVENT_RESIGNED, loser);
}

static bool end(struct reading *reading, enum result result)
{
    if (reading->standing.status == STATUS_PLAYING)
        return add_result(reading, result);
    enum result ruled = result_by_rules(reading);
    if (result == RESULT_OPEN || result == ruled)
        return true;
    pgn_scan_fail(&reading->scan, &reading->token, "by the rules this game ends %s: %s",
                  result_words[ruled], reading->standing.reason);
    return false;
}

/* --- the text --------------------------------------------------------------------------------- */

static enum pgn_token_kind next(struct reading *reading)
{
    return pgn_scan_next(&reading->scan, &reading->token);
}

static bool take_tags(struct reading *reading)
{
    enum pgn_token_kind kind;
    while ((kind = next(reading)) == PGN_TAG || kind == PGN_COMMENT)
        if (kind == PGN_TAG)
            pgn_tags_take(&reading->tags, &reading->token);
    reading->at_ms = pgn_date_ms(reading->tags.date);
    return kind != PGN_WRONG;
}

static bool expect_end(struct reading *reading)
{
    enum pgn_token_kind kind;
    while ((kind = next(reading)) == PGN_COMMENT)
        ;
    if (kind == PGN_TAG || kind == PGN_WORD)
        pgn_scan_fail(&reading->scan, &reading->token,
                      "here begins another game, and one is brought in at a time");
    return kind == PGN_END;
}

/* From the first token after the tags. */
static bool take_game(struct reading *reading)
{
    enum result result;
    for (enum pgn_token_kind kind = reading->token.kind; kind != PGN_END; kind = next(reading)) {
        switch (kind) {
        case PGN_COMMENT:
            memcpy(reading->comment, reading->token.value, sizeof reading->comment);
            break;
        case PGN_WORD:
            result = result_of(reading->token.value);
            if (result != RESULT_NONE)
                return end(reading, result) && expect_end(reading);
            if (!take_move(reading))
                return false;
            reading->comment[0] = '\0';
            break;
        case PGN_TAG:
            pgn_scan_fail(&reading->scan, &reading->token,
                          "the moves before this tag have no result");
            return false;
        case PGN_WRONG:
        case PGN_END:
            return false;
        }
    }
    result = result_of(reading->tags.result);
    return end(reading, result == RESULT_NONE ? RESULT_OPEN : result);
}

static void begin_record(struct reading *reading)
{
    unsigned char digest[DIGEST_BYTES];
    char hash[DIGEST_HEX_DIGITS + 1];
    struct text definition = reading->source->definition;
    digest_sha256(definition.data, definition.length, digest);
    digest_write_hex(digest, sizeof digest, hash);
    record_begin(&reading->writer,
                 &(struct record){.game = reading->source->id,
                                  .title = text_of(game_facts(reading->game)->title),
                                  .definition_hash = text_of(hash),
                                  .definition = definition});
}

static struct game *compile(struct text definition)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = game_load(definition.data, definition.length, NULL, &diagnostics);
    diagnostics_release(&diagnostics);
    return game;
}

/* False, with words, when the game cannot be written so. */
static bool load(struct reading *reading)
{
    const struct pgn_source *source = reading->source;
    reading->game = source->game ? game_retain(source->game) : compile(source->definition);
    if (!reading->game || !pgn_has(reading->game)) {
        snprintf(reading->scan.words, sizeof reading->scan.words,
                 "the game's file does not say how its games are written in PGN");
        return false;
    }
    reading->position = position_new(reading->game);
    reading->scratch = position_new(reading->game);
    reading->notation = notation_new(reading->game);
    reading->moves =
        memory_zeroed((size_t)game_facts(reading->game)->moves_max, sizeof *reading->moves);
    standing_init(&reading->standing, reading->game);
    reading->white = position_to_move(reading->position);
    if (reading->white == PLAYER_NONE)
        reading->white = 0;
    return true;
}

static void release(struct reading *reading)
{
    free(reading->moves);
    notation_free(reading->notation);
    position_free(reading->position);
    position_free(reading->scratch);
    game_release(reading->game);
    writer_release(&reading->writer);
    free(reading);
}

char *pgn_read(const char *text, size_t length, const struct pgn_source *source,
               size_t *record_length, char words[PGN_WORDS_BYTES])
{
    struct reading *reading = memory_zeroed(1, sizeof *reading);
    char *record = NULL;
    reading->source = source;
    pgn_scan_init(&reading->scan, text, length);
    writer_init(&reading->writer);
    if (pgn_scan_check_text(&reading->scan) && load(reading)) {
        begin_record(reading);
        if (take_tags(reading) && add_start(reading) && take_game(reading)) {
            record_end(&reading->writer);
            record = writer_take(&reading->writer, record_length);
        }
    }
    const char *why = reading->scan.words[0] ? reading->scan.words : "this game cannot be played";
    if (!record && work_is_too_much())
        why = "this game takes too long to be read";
    snprintf(words, PGN_WORDS_BYTES, "%s", record ? "" : why);
    release(reading);
    return record;
}
