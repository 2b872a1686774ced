#include "server/cli/thumbnails.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game.h"
#include "engine/memory/memory.h"
#include "engine/position.h"
#include "engine/random_move.h"
#include "engine/work.h"
#include "server/core/core.h"
#include "server/net/files.h"

/* As the page draws them (server/web/board_picture.js, pieces.js). */
static const double picture_share = 0.94, disc_share = 0.76;
static const double degrees = 0.017453292519943295;

enum { PATH_BYTES = 512, CORNERS_MAX = 64, PICTURE_BYTES_MAX = 64 * 1024 };
enum { PICTURES_BYTES_MAX = 512 * 1024 }; /* together; figures beyond it are discs */
/* Of a game that begins empty: so many moves for its cells. */
enum { SHOWN_CELLS_PER_PLY = 4, SHOWN_PLIES_MIN = 4, SHOWN_PLIES_MAX = 40 };

struct drawing {
    FILE *out;
    struct files *files;
    const struct game *game;
    size_t pictures; /* bytes of them, so far */
    double cosine, sine;
};

static struct point turned(const struct drawing *drawing, double x, double y)
{
    return (struct point){x * drawing->cosine - y * drawing->sine,
                          x * drawing->sine + y * drawing->cosine};
}

/* How many; the corners of a cell where it lies for the first player. */
static int corners_of(const struct drawing *drawing, cell_index cell, struct point *corners)
{
    const struct game_facts *facts = game_facts(drawing->game);
    const struct cell_layout *layout = &facts->cells[cell].layout;
    const struct board_shape *shape = &facts->shapes[layout->shape];
    int count = shape->point_count < CORNERS_MAX ? shape->point_count : CORNERS_MAX;
    for (int i = 0; i < count; i++)
        corners[i] =
            turned(drawing, layout->x + shape->points[i].x, layout->y + shape->points[i].y);
    return count;
}

/* --- text that stands in an attribute ---------------------------------------------------------- */

static void write_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (strchr("<>&\"'", *text) != NULL)
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

/* A picture as a data: address; runs of white space are one space. */
static void write_data(FILE *out, const struct file *file)
{
    const struct variant *plain = &file->variants[FILES_PLAIN];
    bool is_svg = strcmp(file->content_type, "image/svg+xml") == 0, space = false;
    fprintf(out, "data:%s,", file->content_type);
    for (size_t i = 0; i < plain->length; i++) {
        unsigned char byte = plain->bytes[i];
        bool white = is_svg && (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t');
        if (white && space)
            continue;
        space = white;
        if (white)
            fputs("%20", out);
        else if (byte > ' ' && byte < 0x7f && strchr("<>&\"'#%", byte) == NULL)
            fputc(byte, out);
        else
            fprintf(out, "%%%02X", byte);
    }
}

/* --- cells -------------------------------------------------------------------------------------- */

/* A board on whose crossings one plays is of wood between its cells, too. */
static void write_box(const struct drawing *drawing)
{
    const struct game_facts *facts = game_facts(drawing->game);
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    for (int i = 0; i < facts->cell_count; i++) {
        struct point corners[CORNERS_MAX];
        int count = corners_of(drawing, (cell_index)i, corners);
        for (int j = 0; j < count; j++) {
            left = fmin(left, corners[j].x), right = fmax(right, corners[j].x);
            top = fmin(top, corners[j].y), bottom = fmax(bottom, corners[j].y);
        }
    }
    fprintf(drawing->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%.2f %.2f %.2f %.2f\">",
            left - 0.03, top - 0.03, right - left + 0.06, bottom - top + 0.06);
    if (facts->line_count == 0)
        return;
    fputs("<path fill=\"", drawing->out);
    write_escaped(drawing->out, facts->cells[0].layout.fill);
    fprintf(drawing->out, "\" d=\"M%.3g %.3gH%.3gV%.3gH%.3gz\"/>", left, top, right, bottom, left);
}

/* All cells of one colour as one path. */
static void write_fill(const struct drawing *drawing, const char *fill, int first)
{
    fputs("<path fill=\"", drawing->out);
    write_escaped(drawing->out, fill);
    fputs("\" d=\"", drawing->out);
    for (int i = first; i < game_facts(drawing->game)->cell_count; i++) {
        struct point corners[CORNERS_MAX];
        if (strcmp(game_facts(drawing->game)->cells[i].layout.fill, fill) != 0)
            continue;
        int count = corners_of(drawing, (cell_index)i, corners);
        for (int j = 0; j < count; j++)
            fprintf(drawing->out, "%s%.3g %.3g", j == 0 ? "M" : " ", corners[j].x, corners[j].y);
        fputc('z', drawing->out);
    }
    fputs("\"/>", drawing->out);
}

static bool fill_is_new(const struct game *game, int cell)
{
    for (int i = 0; i < cell; i++)
        if (strcmp(game_facts(game)->cells[i].layout.fill,
                   game_facts(game)->cells[cell].layout.fill) == 0)
            return false;
    return true;
}

/* Where lines are drawn, cells have no edges of their own. */
static void write_cells(const struct drawing *drawing, bool plain)
{
    fprintf(drawing->out, "<g stroke=\"#32241060\" stroke-width=\"%s\">", plain ? "0" : ".02");
    for (int i = 0; i < game_facts(drawing->game)->cell_count; i++)
        if (fill_is_new(drawing->game, i))
            write_fill(drawing, game_facts(drawing->game)->cells[i].layout.fill, i);
    fputs("</g>", drawing->out);
}

/* --- pieces ------------------------------------------------------------------------------------- */

static const struct file *picture_of(const struct drawing *drawing, player_index player,
                                     figure_index figure)
{
    char path[PATH_BYTES];
    bool lasting;
    const char *image = game_facts(drawing->game)->images.figures[player][figure];
    if (image == NULL || drawing->pictures > PICTURES_BYTES_MAX ||
        snprintf(path, sizeof path, "/games/%s", image) >= (int)sizeof path)
        return NULL;
    const struct file *file = files_find(drawing->files, path, &lasting);
    bool small = file != NULL && file->variants[FILES_PLAIN].length <= PICTURE_BYTES_MAX;
    return small ? file : NULL;
}

/* For players whose name is no colour. */
static const char *colour_of(const struct game *game, player_index player)
{
    static const char *const colours[] = {"#f4efe6", "#2b2a33", "#b5462f", "#2f6f9f",
                                          "#3f7d4e", "#c79a2e", "#7a4f8c", "#4a4a4a"};
    static const char *const names[] = {"red",    "green",  "blue",  "yellow",
                                        "orange", "purple", "brown", "pink"};
    const char *name = game_facts(game)->player_names[player];
    if (strcmp(name, "white") == 0 || strcmp(name, "black") == 0)
        return colours[name[0] == 'b'];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return names[i];
    return colours[player % (sizeof colours / sizeof *colours)];
}

static size_t letter_bytes(const char *text)
{
    size_t length = text[0] != '\0';
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return length;
}

/* As few letters as tell the figures apart; two at most. */
static void write_letters(const struct drawing *drawing, figure_index figure)
{
    const char *name = game_facts(drawing->game)->figure_names[figure];
    size_t length = letter_bytes(name);
    bool rivals = false;
    for (int i = 0; i < game_facts(drawing->game)->figure_count; i++)
        rivals |=
            i != figure && strncmp(game_facts(drawing->game)->figure_names[i], name, length) == 0;
    if (rivals)
        length += letter_bytes(name + length);
    char letters[16];
    snprintf(letters, sizeof letters, "%.*s", (int)length, name);
    letters[0] =
        (char)(letters[0] >= 'a' && letters[0] <= 'z' ? letters[0] - 'a' + 'A' : letters[0]);
    write_escaped(drawing->out, letters);
}

static bool is_light(const char *colour)
{
    static const char *const light[] = {"#f4efe6", "#c79a2e", "yellow", "orange", "pink"};
    for (size_t i = 0; i < sizeof light / sizeof *light; i++)
        if (strcmp(colour, light[i]) == 0)
            return true;
    return false;
}

static void write_disc(const struct drawing *drawing, player_index player, figure_index figure)
{
    const char *colour = colour_of(drawing->game, player);
    bool light = is_light(colour);
    fprintf(drawing->out,
            "<g id=\"p%d_%d\"><circle r=\"%.2f\" fill=\"%s\" stroke=\"%s\" "
            "stroke-width=\".04\"/><text text-anchor=\"middle\" y=\".13\" "
            "font-family=\"sans-serif\" font-weight=\"600\" font-size=\".36\" fill=\"%s\">",
            (int)player, (int)figure, disc_share / 2, colour, light ? "#4b4034" : "#efe6d6",
            light ? "#2b2620" : "#fbf6ec");
    write_letters(drawing, figure);
    fputs("</text></g>", drawing->out);
}

/* Each figure of each player once, around 0,0 and of the width 1. */
static void write_figures(struct drawing *drawing)
{
    fputs("<defs>", drawing->out);
    for (int player = 0; player < game_facts(drawing->game)->player_count; player++)
        for (int figure = 0; figure < game_facts(drawing->game)->figure_count; figure++) {
            const struct file *file =
                picture_of(drawing, (player_index)player, (figure_index)figure);
            if (file == NULL) {
                write_disc(drawing, (player_index)player, (figure_index)figure);
                continue;
            }
            fprintf(drawing->out,
                    "<image id=\"p%d_%d\" x=\"-.5\" y=\"-.5\" width=\"1\" height=\"1\" href=\"",
                    player, figure);
            write_data(drawing->out, file);
            fputs("\"/>", drawing->out);
            drawing->pictures += file->variants[FILES_PLAIN].length;
        }
    fputs("</defs>", drawing->out);
}

/* The radius of the largest circle around the middle that stays inside. */
static double radius_of(const struct point *corners, int count, struct point middle)
{
    double radius = INFINITY;
    for (int i = 0; i < count; i++) {
        const struct point *a = &corners[i], *b = &corners[(i + 1) % count];
        double length = hypot(b->x - a->x, b->y - a->y);
        double aside = fabs((b->x - a->x) * (a->y - middle.y) - (a->x - middle.x) * (b->y - a->y));
        if (length > 0)
            radius = fmin(radius, aside / length);
    }
    return radius;
}

static struct point middle_of(const struct point *corners, int count)
{
    double area = 0;
    struct point sum = {0, 0};
    for (int i = 0; i < count; i++) {
        const struct point *a = &corners[i], *b = &corners[(i + 1) % count];
        double cross = a->x * b->y - b->x * a->y;
        area += cross;
        sum.x += (a->x + b->x) * cross;
        sum.y += (a->y + b->y) * cross;
    }
    if (fabs(area) < 1e-9)
        return corners[0];
    return (struct point){sum.x / (3 * area), sum.y / (3 * area)};
}

static struct point middle_of_cell(const struct drawing *drawing, cell_index cell)
{
    struct point corners[CORNERS_MAX];
    return middle_of(corners, corners_of(drawing, cell, corners));
}

static void write_lines(const struct drawing *drawing)
{
    const struct game_facts *facts = game_facts(drawing->game);
    if (facts->line_count == 0)
        return;
    fputs("<path fill=\"none\" stroke=\"#4b3818\" stroke-width=\".05\" d=\"", drawing->out);
    for (int i = 0; i < facts->line_count; i++) {
        struct point from = middle_of_cell(drawing, facts->lines[i].from);
        struct point to = middle_of_cell(drawing, facts->lines[i].to);
        fprintf(drawing->out, "M%.3g %.3gL%.3g %.3g", from.x, from.y, to.x, to.y);
    }
    fputs("\"/>", drawing->out);
}

static void write_piece(const struct drawing *drawing, cell_index cell, struct contents contents)
{
    struct point corners[CORNERS_MAX];
    int count = corners_of(drawing, cell, corners);
    struct point middle = middle_of(corners, count);
    double width = radius_of(corners, count, middle) * 2 * picture_share;
    fprintf(drawing->out, "<use href=\"#p%d_%d\" transform=\"translate(%.3g %.3g)scale(%.3g)\"/>",
            contents.player, contents.figure, middle.x, middle.y, width);
}

static bool is_empty(const struct game *game, const struct position *position)
{
    for (int i = 0; i < game_facts(game)->cell_count; i++)
        if (position_contents(position, (cell_index)i).figure != FIGURE_NONE)
            return false;
    return true;
}

/* Moves by chance, the same ones every time, for no more work than one answer takes. */
static void play_some(const struct game *game, struct position *position)
{
    size_t room = (size_t)game_facts(game)->moves_max + 1;
    struct move *moves = memory_bytes(room * sizeof *moves), move;
    int plies = game_facts(game)->cell_count / SHOWN_CELLS_PER_PLY;
    plies = plies < SHOWN_PLIES_MIN   ? SHOWN_PLIES_MIN
            : plies > SHOWN_PLIES_MAX ? SHOWN_PLIES_MAX
                                      : plies;
    uint64_t seed = 0;
    struct work_stretch stretch = work_begin(WORK_ANSWER_MAX);
    while (plies-- > 0 && position_outcome(position).kind == OUTCOME_PLAYING &&
           random_move(position, &seed, moves, &move) && !work_is_too_much())
        position_make(position, move, NULL);
    work_end(&stretch);
    free(moves);
}

/* A game that begins with an empty board is shown a little later: the figures say which game it is. */
static void write_pieces(const struct drawing *drawing)
{
    struct position *position = position_new(drawing->game);
    if (is_empty(drawing->game, position))
        play_some(drawing->game, position);
    for (int i = 0; i < game_facts(drawing->game)->cell_count; i++) {
        struct contents contents = position_contents(position, (cell_index)i);
        if (contents.figure != FIGURE_NONE)
            write_piece(drawing, (cell_index)i, contents);
    }
    position_free(position);
}

/* --- all of it ---------------------------------------------------------------------------------- */

static void draw(struct drawing *drawing)
{
    double angle = game_facts(drawing->game)->rotation[0] * degrees;
    drawing->cosine = cos(angle);
    drawing->sine = sin(angle);
    write_box(drawing);
    write_figures(drawing);
    write_cells(drawing, game_facts(drawing->game)->line_count > 0);
    write_lines(drawing);
    write_pieces(drawing);
    fputs("</svg>", drawing->out);
}

char *thumbnails_draw(struct files *files, const struct game *game, size_t *length)
{
    char *text;
    struct drawing drawing = {.files = files, .game = game};
    drawing.out = memory_stream(&text, length);
    draw(&drawing);
    fclose(drawing.out);
    return text;
}

void thumbnails_add(struct files *files, const struct core *core)
{
    const char *id;
    const struct game *game;
    for (int i = 0; (game = core_game(core, i, &id)) != NULL; i++) {
        char path[PATH_BYTES];
        size_t length;
        char *text = thumbnails_draw(files, game, &length);
        snprintf(path, sizeof path, "/games/%s.board.svg", id);
        files_add(files, path, (unsigned char *)text, length);
        files_seal(files);
    }
}
