#include "server/core/view.h"

#include "engine/movegen.h"
#include "engine/work.h"
#include "server/core/frame.h"
#include "server/core/layout.h"

#include <string.h>

/* --- the state ---------------------------------------------------------------------------------- */

static void fill_cell(struct state_cell *cell, const struct edition *edition,
                      struct contents contents)
{
    *cell = (struct state_cell){.figure = NULL};
    if (contents.figure == FIGURE_NONE)
        return;
    *cell = (struct state_cell){.figure = edition->figure_names[contents.figure],
                                .player = edition->seat_names[contents.player],
                                .moves_made = contents.moves_made,
                                .last_move = contents.last_move};
}

static const char *seat_name(const struct edition *edition, int seat)
{
    return seat == SEAT_NONE ? NULL : edition->seat_names[seat];
}

static const char *player_name(const struct edition *edition, player_index player)
{
    return player == PLAYER_NONE ? NULL : edition->seat_names[player];
}

static struct state_end end_of(const struct edition *edition, player_index winner,
                               player_index loser, const char *reason)
{
    return (struct state_end){.winner = player_name(edition, winner),
                              .loser = player_name(edition, loser),
                              .reason = reason};
}

static void fill_last_move(struct state *state, const struct edition *edition, struct move move)
{
    state->last_pass = move_is_pass(move);
    state->last_swap = move_is_swap(move);
    if (!move_has_cells(move))
        return;
    state->last_from = move_is_placement(move) ? NULL : edition->cell_names[move.from];
    state->last_to = edition->cell_names[move.to];
    if (move.choice != CHOICE_NONE)
        state->last_choice = edition->figure_names[move.choice];
}

/* Within a turn of several moves: whose figure goes on, and what it took that still stands there. */
static void fill_turn(struct state *state, struct view_cells *cells, const struct edition *edition,
                      const struct position *position)
{
    cell_index active = position_active(position);
    if (active == CELL_NONE || state->status != STATUS_PLAYING)
        return;
    state->active = edition->cell_names[active];
    state->taken = cells->taken;
    for (int i = 0; i < game_facts(edition->game)->cell_count; i++)
        if (position_pending(position, (cell_index)i))
            cells->taken[state->taken_count++] = edition->cell_names[i];
}

/* Everything but the cells. */
static void fill_standing(struct state *state, const struct edition *edition,
                          const struct standing *standing, const struct position *position)
{
    player_index to_move = standing_to_move(standing, position);
    *state = (struct state){
        .seat_count = standing->seat_count,
        .seat_names = edition->seat_names,
        .status = standing->status,
        .state = game_state_name(edition->game, position_state(position)),
        .to_move = to_move == PLAYER_NONE ? NULL : edition->seat_names[to_move],
        .move_number = position_move_number(position),
        .ply = position_ply(position),
        .draw_offer = seat_name(edition, standing->draw.seat),
        .rematch_offer = seat_name(edition, standing->rematch.seat),
        .takeback_offer = seat_name(edition, standing->takeback.seat),
        .next_room = standing->next_room[0] ? standing->next_room : NULL,
        .has_result = standing->has_result,
        .has_claim = standing->claim.kind != OUTCOME_PLAYING,
        .rank_count = standing->rank_count,
        .out_count = standing->out_count,
    };
    if (standing->has_result)
        state->result = end_of(edition, standing->winner, standing->loser, standing->reason);
    state->result.aborted = standing->aborted;
    if (state->has_claim)
        state->claim =
            end_of(edition, standing->claim.winner,
                   standing->claim.kind == OUTCOME_LOST ? standing->claim.loser : PLAYER_NONE,
                   standing->claim.reason);
    for (int i = 0; i < standing->rank_count; i++)
        state->ranks[i] = edition->seat_names[standing->ranks[i]];
    for (int i = 0; i < standing->out_count; i++)
        state->out[i] = edition->seat_names[standing->out[i]];
    if (standing->has_move)
        fill_last_move(state, edition, standing->last);
    for (int i = 0; i < standing->seat_count; i++) {
        const struct seat *seat = &standing->seats[i];
        state->seats[i] = (struct state_seat){
            .player = seat->taken ? seat->holder.player : NULL, .name = seat->name, .as = seat->as};
        if (standing->has_clocks) {
            state->seats[i].has_clock = true;
            state->seats[i].left_ms = standing->clocks[i].left_ms;
            state->seats[i].periods = (uint32_t)standing->clocks[i].periods;
        }
    }
}

void view_fill(struct state *state, struct view_cells *cells, const struct edition *edition,
               const struct standing *standing, const struct position *position)
{
    fill_standing(state, edition, standing, position);
    fill_turn(state, cells, edition, position);
    state->cell_count = game_facts(edition->game)->cell_count;
    state->cell_names = edition->cell_names;
    state->cells = cells->cells;
    for (int i = 0; i < state->cell_count; i++)
        fill_cell(&cells->cells[i], edition, position_contents(position, (cell_index)i));
}

void view_fill_difference(struct view *before, struct view *after, const struct edition *edition)
{
    cell_index cells[CELLS_MAX];
    int count = before->position == after->position
                    ? 0
                    : position_difference(before->position, after->position, cells);
    fill_standing(before->state, edition, before->standing, before->position);
    fill_standing(after->state, edition, after->standing, after->position);
    fill_turn(before->state, before->cells, edition, before->position);
    fill_turn(after->state, after->cells, edition, after->position);
    for (int i = 0; i < count; i++) {
        after->cells->names[i] = edition->cell_names[cells[i]];
        fill_cell(&before->cells->cells[i], edition, position_contents(before->position, cells[i]));
        fill_cell(&after->cells->cells[i], edition, position_contents(after->position, cells[i]));
    }
    before->state->cell_count = after->state->cell_count = count;
    before->state->cell_names = after->state->cell_names = after->cells->names;
    before->state->cells = before->cells->cells;
    after->state->cells = after->cells->cells;
}

/* --- moves --------------------------------------------------------------------------------------- */

/* A few bytes, mostly: a call costs more than they do. */
static char *put(char *at, const char *text)
{
    while (*text)
        *at++ = *text++;
    return at;
}

#define PUT_WORD(at, word) ((char *)memcpy(at, word, sizeof(word) - 1) + sizeof(word) - 1)

/* A name may be all escapes of six bytes. */
enum { MOVE_BYTES_MAX = 3 * 6 * NAME_BYTES_MAX + 48 };

void view_write_move(struct writer *writer, const struct edition *edition, struct move move)
{
    static const char pass[] = "{\"pass\":true}", swap[] = "{\"swap\":true}";
    char text[MOVE_BYTES_MAX];
    if (move_is_pass(move)) {
        writer_raw(writer, pass, sizeof pass - 1);
        return;
    }
    if (move_is_swap(move)) {
        writer_raw(writer, swap, sizeof swap - 1);
        return;
    }
    char *end = text;
    *end++ = '{';
    if (!move_is_placement(move)) {
        end = put(PUT_WORD(end, "\"from\":"), edition->cell_texts[move.from]);
        *end++ = ',';
    }
    end = put(PUT_WORD(end, "\"to\":"), edition->cell_texts[move.to]);
    if (move.choice != CHOICE_NONE)
        end = put(PUT_WORD(end, ",\"choice\":"), edition->figure_texts[move.choice]);
    *end++ = '}';
    writer_raw(writer, text, (size_t)(end - text));
}

void view_write_move_text(struct writer *writer, struct edition *edition, struct position *before,
                          struct position *after, struct move move)
{
    enum notation_style style = game_has_move_notation(edition->game, NOTATION_ALGEBRAIC)
                                    ? NOTATION_ALGEBRAIC
                                    : NOTATION_COORDINATE;
    char text[NOTATION_MOVE_BYTES];
    notation_write_move(edition_notation(edition), before, after, move, style, text);
    writer_string(writer, text);
}

struct view_moves_written view_write_legal_moves(struct writer *writer,
                                                 const struct edition *edition,
                                                 struct position *position, cell_index from,
                                                 int skip, struct move *moves)
{
    struct view_moves_written written = {.given = 0};
    written.count =
        from == CELL_NONE ? movegen_all(position, moves) : movegen_from(position, from, moves);
    writer_array(writer);
    size_t end = writer->length + FRAME_LEGAL_MOVES_BYTES_MAX - MOVE_BYTES_MAX;
    for (int i = skip; i < written.count && writer->length < end; i++, written.given++)
        view_write_move(writer, edition, moves[i]);
    writer_end(writer);
    return written;
}

/* --- explanations --------------------------------------------------------------------------------- */

static const char *verdict_word(enum verdict_kind verdict)
{
    static const char *const words[] = {
        [VERDICT_LEGAL] = "legal",         [VERDICT_GAME_OVER] = "game_over",
        [VERDICT_NOT_YOURS] = "not_yours", [VERDICT_NO_MOVEMENT] = "no_movement",
        [VERDICT_BLOCKED] = "blocked",     [VERDICT_FORBIDDEN] = "forbidden",
        [VERDICT_PRIORITY] = "priority",   [VERDICT_CHOICE] = "choice",
    };
    return words[verdict];
}

void view_write_explanation(struct writer *writer, const struct explanation *explanation)
{
    writer_object(writer);
    writer_key(writer, "verdict");
    writer_string(writer, verdict_word(explanation->verdict));
    writer_key(writer, "words");
    writer_string(writer, explanation->words);
    writer_key(writer, "pointers");
    writer_array(writer);
    for (int i = 0; i < explanation->pointer_count; i++)
        writer_string(writer, explanation->pointers[i]);
    writer_end(writer);
    writer_end(writer);
}

static void write_explained(struct writer *writer, const struct edition *edition, struct move move,
                            const struct explanation *explanation)
{
    writer_object(writer);
    writer_key(writer, "from");
    writer_string(writer, edition->cell_names[move.from]);
    writer_key(writer, "to");
    writer_string(writer, edition->cell_names[move.to]);
    if (move.choice != CHOICE_NONE) {
        writer_key(writer, "choice");
        writer_string(writer, edition->figure_names[move.choice]);
    }
    writer_key(writer, "explanation");
    view_write_explanation(writer, explanation);
    writer_end(writer);
}

void view_write_explained_moves(struct writer *writer, const struct edition *edition,
                                struct position *scratch, cell_index from, struct move *moves)
{
    struct explanation explanation;
    struct work_stretch stretch = work_begin(WORK_ANSWER_MAX);
    int count = movegen_from(scratch, from, moves);
    writer_array(writer);
    for (int i = 0; i < count && i < EXPLAINED_MOVES_MAX && !work_is_too_much() &&
                    writer->length < FRAME_LIST_BYTES_MAX;
         i++) {
        position_explain(scratch, moves[i].from, moves[i].to, moves[i].choice, &explanation);
        write_explained(writer, edition, moves[i], &explanation);
    }
    work_end(&stretch);
    writer_end(writer);
}

/* --- how much there is to say of a board -------------------------------------------------------- */

static size_t longest_figure(const struct game *game)
{
    struct writer writer;
    size_t longest = 0;
    writer_init(&writer);
    for (int i = 0; i < game_facts(game)->figure_count; i++) {
        writer_clear(&writer);
        writer_string(&writer, game_facts(game)->figure_names[i]);
        longest = writer.length > longest ? writer.length : longest;
    }
    writer_release(&writer);
    return longest;
}

static size_t longest_player(const struct game *game)
{
    struct writer writer;
    size_t longest = 0;
    writer_init(&writer);
    for (int i = 0; i < game_facts(game)->player_count; i++) {
        writer_clear(&writer);
        writer_string(&writer, game_facts(game)->player_names[i]);
        longest = writer.length > longest ? writer.length : longest;
    }
    writer_release(&writer);
    return longest;
}

/* Of each player some of every kind. */
static size_t hands_bytes(const struct game *game)
{
    size_t kinds =
        (size_t)game_facts(game)->figure_count * (longest_figure(game) + sizeof ":1000,");
    size_t hand = longest_player(game) + sizeof ":{}," + kinds;
    return game_facts(game)->has_hands ? (size_t)game_facts(game)->player_count * hand : 0;
}

size_t view_board_bytes(const struct game *game)
{
    static const char cell[] =
        ":{\"figure\":,\"last_move\":65535,\"moves_made\":65535,\"player\":},";
    int cells = game_facts(game)->cell_count;
    size_t occupied = sizeof cell + longest_figure(game) + longest_player(game);
    struct writer writer;
    writer_init(&writer);
    layout_write(&writer, game, (struct layout_pictures){0});
    writer_array(&writer);
    for (int i = 0; i < cells; i++)
        writer_string(&writer, game_facts(game)->cells[i].name);
    writer_end(&writer);
    size_t bytes = writer.length + (size_t)cells * occupied + hands_bytes(game);
    writer_release(&writer);
    return bytes;
}
