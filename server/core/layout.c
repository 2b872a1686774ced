#include "server/core/layout.h"

#include <stdio.h>
#include <string.h>

static void write_names(struct writer *writer, const struct game *game)
{
    writer_key(writer, "players");
    writer_array(writer);
    for (int i = 0; i < game_facts(game)->player_count; i++)
        writer_string(writer, game_facts(game)->player_names[i]);
    writer_end(writer);
    writer_key(writer, "figures");
    writer_array(writer);
    for (int i = 0; i < game_facts(game)->figure_count; i++)
        writer_string(writer, game_facts(game)->figure_names[i]);
    writer_end(writer);
    writer_key(writer, "rotation");
    writer_object(writer);
    for (int i = 0; i < game_facts(game)->player_count; i++) {
        writer_key(writer, game_facts(game)->player_names[i]);
        writer_number(writer, game_facts(game)->rotation[i]);
    }
    writer_end(writer);
}

static void write_shapes(struct writer *writer, const struct game *game)
{
    writer_key(writer, "shapes");
    writer_array(writer);
    for (int i = 0; i < game_facts(game)->shape_count; i++) {
        const struct board_shape *shape = &game_facts(game)->shapes[i];
        writer_array(writer);
        for (int j = 0; j < shape->point_count; j++) {
            writer_array(writer);
            writer_number(writer, shape->points[j].x);
            writer_number(writer, shape->points[j].y);
            writer_end(writer);
        }
        writer_end(writer);
    }
    writer_end(writer);
}

/* What a turn is for, by its state, where the game tells several apart. */
static void write_phases(struct writer *writer, const struct game *game)
{
    bool some = false;
    for (int i = 0; i < game_facts(game)->state_count; i++) {
        const char *phase = game_state_phase(game, (state_index)i);
        if (phase == NULL)
            continue;
        if (!some) {
            writer_key(writer, "phases");
            writer_object(writer);
        }
        some = true;
        writer_key(writer, game_state_name(game, (state_index)i));
        writer_string(writer, phase);
    }
    if (some)
        writer_end(writer);
}

/* How many figures stand there at the start: what is missing later has been taken. */
static void write_start(struct writer *writer, const struct game *game)
{
    writer_key(writer, "start");
    writer_object(writer);
    for (int i = 0; i < game_facts(game)->player_count; i++) {
        writer_key(writer, game_facts(game)->player_names[i]);
        writer_object(writer);
        for (int j = 0; j < game_facts(game)->figure_count; j++) {
            int count = game_start_count(game, (player_index)i, (figure_index)j);
            if (count > 0)
                writer_member_integer(writer, game_facts(game)->figure_names[j], count);
        }
        writer_end(writer);
    }
    writer_end(writer);
}

/* Pairs of cells, by their place in `cells`. */
static void write_lines(struct writer *writer, const struct game *game)
{
    const struct game_facts *facts = game_facts(game);
    if (facts->line_count == 0)
        return;
    writer_key(writer, "lines");
    writer_array(writer);
    for (int i = 0; i < facts->line_count; i++) {
        writer_array(writer);
        writer_integer(writer, facts->lines[i].from);
        writer_integer(writer, facts->lines[i].to);
        writer_end(writer);
    }
    writer_end(writer);
}

static void write_cell(struct writer *writer, const struct game *game, cell_index cell)
{
    const struct cell_layout *layout = &game_facts(game)->cells[cell].layout;
    writer_object(writer);
    writer_key(writer, "name");
    writer_string(writer, game_facts(game)->cells[cell].name);
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

/* A picture on somebody else's server would tell it the address of everybody who looks at the board. */
static void write_image(struct writer *writer, const char *figure, const char *image,
                        struct layout_pictures pictures)
{
    char path[512];
    if (image[0] == '/') { /* it was uploaded: the loader admits no other */
        writer_key(writer, figure);
        writer_string(writer, image);
        return;
    }
    if (!is_plain_path(image) || (pictures.has && !pictures.has(pictures.context, image)))
        return;
    int length = snprintf(path, sizeof path, "/games/%s", image);
    if (length >= (int)sizeof path)
        return;
    writer_key(writer, figure);
    writer_string(writer, path);
}

static void write_images(struct writer *writer, const struct game_facts *facts,
                         const struct image_set *set, struct layout_pictures pictures)
{
    writer_key(writer, "images");
    writer_object(writer);
    for (int i = 0; i < facts->player_count; i++) {
        writer_key(writer, facts->player_names[i]);
        writer_object(writer);
        for (int j = 0; j < facts->figure_count; j++) {
            const char *image = set->figures[i][j];
            if (image)
                write_image(writer, facts->figure_names[j], image, pictures);
        }
        writer_end(writer);
    }
    writer_end(writer);
}

static void write_image_sets(struct writer *writer, const struct game_facts *facts,
                             struct layout_pictures pictures)
{
    if (facts->image_set_count == 0)
        return;
    writer_key(writer, "sets");
    writer_array(writer);
    for (int i = 0; i < facts->image_set_count; i++) {
        writer_object(writer);
        writer_member_string(writer, "name", facts->image_sets[i].name);
        write_images(writer, facts, &facts->image_sets[i], pictures);
        writer_end(writer);
    }
    writer_end(writer);
}

/* Descriptions are long, and no part of a board: the game's own, and that of the game it extends, which is known by its length. */
static bool is_description(const struct game *game, const char *text)
{
    return strcmp(text, game_facts(game)->description) == 0 || strlen(text) > REASON_BYTES_MAX;
}

/* In all languages: a layout is written once for everybody who looks. */
static void write_dictionary(struct writer *writer, const struct game *game,
                             const struct game_translation *translation)
{
    writer_key(writer, translation->language);
    writer_object(writer);
    for (int i = 0; i < translation->text_count; i++) {
        const struct translated_text *text = &translation->texts[i];
        if (!is_description(game, text->text))
            writer_member_string(writer, text->text, text->translated);
    }
    writer_end(writer);
}

static void write_translations(struct writer *writer, const struct game *game)
{
    const struct game_facts *facts = game_facts(game);
    if (facts->translation_count == 0)
        return;
    writer_key(writer, "translations");
    writer_object(writer);
    for (int i = 0; i < facts->translation_count; i++)
        write_dictionary(writer, game, &facts->translations[i]);
    writer_end(writer);
}

void layout_write(struct writer *writer, const struct game *game, struct layout_pictures pictures)
{
    writer_object(writer);
    write_names(writer, game);
    write_shapes(writer, game);
    writer_key(writer, "cells");
    writer_array(writer);
    for (int i = 0; i < game_facts(game)->cell_count; i++)
        write_cell(writer, game, (cell_index)i);
    writer_end(writer);
    write_lines(writer, game);
    write_phases(writer, game);
    write_start(writer, game);
    write_images(writer, game_facts(game), &game_facts(game)->images, pictures);
    write_image_sets(writer, game_facts(game), pictures);
    write_translations(writer, game);
    writer_end(writer);
}
