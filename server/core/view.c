#include "server/core/view.h"

#include "engine/movegen.h"

#include <stdio.h>
#include <string.h>

/* --- the state ----------------------------------------------------------------------------------
 */

static void fill_cells(struct state_cell *cells, const struct game *game,
                       const struct position *position)
{
    int count = game_cell_count(game);
    for (int i = 0; i < count; i++) {
        struct contents contents = position_contents(position, (cell_index)i);
        if (contents.figure == FIGURE_NONE) {
            cells[i].figure = NULL;
            continue;
        }
        cells[i] = (struct state_cell){.figure = game_figure_name(game, contents.figure),
                                       .player = game_player_name(game, contents.player),
                                       .moves_made = contents.moves_made,
                                       .last_move = contents.last_move};
    }
}

static void fill_seats(struct state_seat *seats, const struct standing *standing)
{
    for (int i = 0; i < standing->seat_count; i++) {
        const struct seat *seat = &standing->seats[i];
        seats[i] = (struct state_seat){
            .player = seat->taken ? seat->holder.player : NULL, .name = seat->name, .as = seat->as};
    }
}

static const char *seat_name(const struct game *game, int seat)
{
    return seat == SEAT_NONE ? NULL : game_player_name(game, (player_index)seat);
}

void view_fill(struct state *state, struct state_cell *cells, const struct edition *edition,
               const struct standing *standing, const struct position *position)
{
    const struct game *game = edition->game;
    player_index to_move = standing_to_move(standing, position);
    *state = (struct state){
        .cell_count = game_cell_count(game),
        .seat_count = standing->seat_count,
        .cell_names = edition->cell_names,
        .seat_names = edition->seat_names,
        .cells = cells,
        .status = standing->status,
        .state = game_state_name(game, position_state(position)),
        .to_move = to_move == PLAYER_NONE ? NULL : game_player_name(game, to_move),
        .move_number = position_move_number(position),
        .ply = position_ply(position),
        .draw_offer = seat_name(game, standing->draw.seat),
        .rematch_offer = seat_name(game, standing->rematch.seat),
        .next_room = standing->next_room[0] ? standing->next_room : NULL,
        .has_result = standing->has_result,
        .reason = standing->has_result ? standing->reason : NULL,
    };
    if (standing->has_result && standing->winner != PLAYER_NONE)
        state->winner = game_player_name(game, standing->winner);
    if (standing->has_move) {
        state->last_from = game_cell_name(game, standing->last.from);
        state->last_to = game_cell_name(game, standing->last.to);
    }
    fill_cells(cells, game, position);
    fill_seats(state->seats, standing);
}

/* --- moves ---------------------------------------------------------------------------------------
 */

void view_write_move(struct writer *writer, const struct game *game, struct move move)
{
    writer_object(writer);
    writer_key(writer, "from");
    writer_string(writer, game_cell_name(game, move.from));
    writer_key(writer, "to");
    writer_string(writer, game_cell_name(game, move.to));
    writer_end(writer);
}

void view_write_legal_moves(struct writer *writer, const struct position *position, cell_index from,
                            struct move *moves)
{
    int count =
        from == CELL_NONE ? movegen_all(position, moves) : movegen_from(position, from, moves);
    writer_array(writer);
    for (int i = 0; i < count; i++)
        view_write_move(writer, position_game(position), moves[i]);
    writer_end(writer);
}

/* --- the layout ----------------------------------------------------------------------------------
 */

static void write_names(struct writer *writer, const struct game *game)
{
    writer_key(writer, "players");
    writer_array(writer);
    for (int i = 0; i < game_player_count(game); i++)
        writer_string(writer, game_player_name(game, (player_index)i));
    writer_end(writer);
    writer_key(writer, "figures");
    writer_array(writer);
    for (int i = 0; i < game_figure_count(game); i++)
        writer_string(writer, game_figure_name(game, (figure_index)i));
    writer_end(writer);
    writer_key(writer, "rotation");
    writer_object(writer);
    for (int i = 0; i < game_player_count(game); i++) {
        writer_key(writer, game_player_name(game, (player_index)i));
        writer_number(writer, game_rotation(game, (player_index)i));
    }
    writer_end(writer);
}

static void write_shapes(struct writer *writer, const struct game *game)
{
    writer_key(writer, "shapes");
    writer_array(writer);
    for (int i = 0; i < game_shape_count(game); i++) {
        int count;
        const struct point *points = game_shape(game, i, &count);
        writer_array(writer);
        for (int j = 0; j < count; j++) {
            writer_array(writer);
            writer_number(writer, points[j].x);
            writer_number(writer, points[j].y);
            writer_end(writer);
        }
        writer_end(writer);
    }
    writer_end(writer);
}

static void write_cell(struct writer *writer, const struct game *game, cell_index cell)
{
    const struct cell_layout *layout = game_cell_layout(game, cell);
    writer_object(writer);
    writer_key(writer, "name");
    writer_string(writer, game_cell_name(game, cell));
    writer_key(writer, "x");
    writer_number(writer, layout->x);
    writer_key(writer, "y");
    writer_number(writer, layout->y);
    writer_key(writer, "shape");
    writer_integer(writer, layout->shape);
    writer_key(writer, "fill");
    writer_string(writer, layout->fill);
    writer_key(writer, "selector");
    writer_string(writer, layout->selector);
    writer_key(writer, "highlighter");
    writer_string(writer, layout->highlighter);
    writer_end(writer);
}

/* A path below games/ that needs no quoting and does not climb. */
static bool is_plain_path(const char *path)
{
    static const char admitted[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    return path[0] != '/' && path[0] != '.' && strspn(path, admitted) == strlen(path) &&
           !strstr(path, "..");
}

static void write_image(struct writer *writer, const char *figure, const char *image, bool served)
{
    char path[512];
    if (strncmp(image, "https://", strlen("https://")) != 0) {
        if (!served || !is_plain_path(image))
            return;
        int length = snprintf(path, sizeof path, "/games/%s", image);
        if (length >= (int)sizeof path)
            return;
        image = path;
    }
    writer_key(writer, figure);
    writer_string(writer, image);
}

static void write_images(struct writer *writer, const struct game *game, bool served)
{
    writer_key(writer, "images");
    writer_object(writer);
    for (int i = 0; i < game_player_count(game); i++) {
        writer_key(writer, game_player_name(game, (player_index)i));
        writer_object(writer);
        for (int j = 0; j < game_figure_count(game); j++) {
            const char *image = game_image(game, (player_index)i, (figure_index)j);
            if (image)
                write_image(writer, game_figure_name(game, (figure_index)j), image, served);
        }
        writer_end(writer);
    }
    writer_end(writer);
}

void view_write_layout(struct writer *writer, const struct game *game, bool served)
{
    writer_object(writer);
    write_names(writer, game);
    write_shapes(writer, game);
    writer_key(writer, "cells");
    writer_array(writer);
    for (int i = 0; i < game_cell_count(game); i++)
        write_cell(writer, game, (cell_index)i);
    writer_end(writer);
    write_images(writer, game, served);
    writer_end(writer);
}
