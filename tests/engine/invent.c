#include "tests/support/test.h"

#include "tests/engine/invent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 512 * 1024, SIDE_MAX = 40 };

/* What is being invented. */
struct invention {
    uint64_t seed;
    FILE *out;
    int dimensions, players, figures;
    int sides[3];
    bool *cells; /* by position in the box: is there a cell */
    int volume;
};

static int below(struct invention *invention, int bound)
{
    return (int)(test_random(&invention->seed) % (unsigned)bound);
}

static bool chance(struct invention *invention, int percent)
{
    return below(invention, 100) < percent;
}

static const char coordinate_names[] = "xyz";

static void write_coordinates(struct invention *invention, int position)
{
    for (int i = 0; i < invention->dimensions; i++) {
        fprintf(invention->out, "%s\"%c\":%d", i > 0 ? "," : "{", coordinate_names[i],
                position % invention->sides[i] - invention->sides[i] / 2);
        position /= invention->sides[i];
    }
    fputs("}", invention->out);
}

static void write_delta(struct invention *invention, bool zero_allowed)
{
    int delta[3] = {0};
    bool zero = true;
    do {
        for (int i = 0; i < invention->dimensions; i++) {
            delta[i] = chance(invention, 75) ? below(invention, 3) - 1 : below(invention, 7) - 3;
            zero &= delta[i] == 0;
        }
    } while (zero && !zero_allowed);
    for (int i = 0; i < invention->dimensions; i++)
        fprintf(invention->out, "%s\"%c\":%d", i > 0 ? "," : "", coordinate_names[i], delta[i]);
}

static void write_match(struct invention *invention, bool self)
{
    switch (below(invention, self ? 4 : 5)) {
    case 0:
        fprintf(invention->out, "{\"player\":\"p%d\"}", below(invention, invention->players));
        return;
    case 1:
        fprintf(invention->out, "{\"moves_made\":%d}", below(invention, 2));
        return;
    case 2: {
        int i = below(invention, invention->dimensions);
        fprintf(invention->out, "{\"coordinates\":{\"%c\":%d}}", coordinate_names[i],
                below(invention, invention->sides[i]) - invention->sides[i] / 2);
        return;
    }
    case 3:
        fprintf(invention->out, "{\"figure\":\"f%d\"}", below(invention, invention->figures));
        return;
    default:
        fputs("{\"figure\":null}", invention->out);
    }
}

static void write_computed(struct invention *invention)
{
    static const char *const functions[] = {"is_figure", "is_enemy", "is_enemy", "is_cell"};
    if (chance(invention, 8)) {
        fprintf(invention->out, "{\"moves_after_last_move\":%d}", below(invention, 3));
        return;
    }
    fprintf(invention->out, "{\"%s\":%s}", functions[below(invention, 4)],
            chance(invention, 50) ? "true" : "false");
}

static void write_condition(struct invention *invention)
{
    const char *comma = "";
    fputs("{", invention->out);
    if (chance(invention, 75)) {
        fputs("\"computed\":", invention->out);
        write_computed(invention);
        comma = ",";
    }
    if (chance(invention, 20)) {
        fprintf(invention->out, "%s\"self\":", comma);
        write_match(invention, true);
        comma = ",";
    }
    if (chance(invention, 15)) {
        fprintf(invention->out, "%s\"target\":", comma);
        write_match(invention, false);
    }
    fputs("}", invention->out);
}

static void write_if(struct invention *invention)
{
    fputs("\"if\":[", invention->out);
    int count = 1 + below(invention, 2);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", invention->out);
        write_condition(invention);
    }
    fputs("]", invention->out);
}

/* Sets of actions; on the way cancelling is what is mostly done. */
static void write_sets(struct invention *invention, bool transition)
{
    static const char *const actions[] = {"\"take\",\"move\"", "\"move\"", "\"swap\"", "",
                                          "\"take\""};
    int count = 1 + below(invention, 3);
    fputs("[", invention->out);
    for (int i = 0; i < count; i++) {
        const char *what = actions[below(invention, 5)];
        if (transition)
            what = chance(invention, 50) ? "\"take\"" : "";
        if (chance(invention, transition ? 60 : 20))
            what = "\"cancel\"";
        fprintf(invention->out, "%s{\"actions\":[%s]", i > 0 ? "," : "", what);
        if (chance(invention, 85)) {
            fputs(",", invention->out);
            write_if(invention);
        }
        fputs("}", invention->out);
    }
    fputs("]", invention->out);
}

static void write_cell_actions(struct invention *invention)
{
    fputs("\"cell_actions\":{\"destination\":", invention->out);
    write_sets(invention, false);
    if (chance(invention, 60)) {
        fputs(",\"transition\":", invention->out);
        write_sets(invention, true);
    }
    fputs("}", invention->out);
}

static void write_movement(struct invention *invention)
{
    fputs("{", invention->out);
    write_delta(invention, false);
    if (chance(invention, 60))
        fputs(",\"repeat\":true", invention->out);
    if (chance(invention, 60))
        fputs(",\"also_reversed\":true", invention->out);
    if (chance(invention, 20)) {
        fputs(",", invention->out);
        write_if(invention);
    }
    if (chance(invention, 40)) {
        fputs(",", invention->out);
        write_cell_actions(invention);
    }
    fputs("}", invention->out);
}

static void write_figures(struct invention *invention)
{
    for (int i = 0; i < invention->figures; i++) {
        fprintf(invention->out, "%s\"f%d\":{\"movement\":[", i > 0 ? "," : "\"figures\":{", i);
        int count = 1 + below(invention, 4);
        for (int k = 0; k < count; k++) {
            fputs(k > 0 ? "," : "", invention->out);
            write_movement(invention);
        }
        fputs("],", invention->out);
        write_cell_actions(invention);
        fputs("}", invention->out);
    }
    fputs("},\n", invention->out);
}

/* The first one goes somewhere, or nobody could begin. */
static void write_participant(struct invention *invention, bool first)
{
    fprintf(invention->out, "{\"figure\":\"f%d\",\"relative_position\":{",
            below(invention, invention->figures));
    write_delta(invention, true);
    fputs("},\"coordinates_delta\":{", invention->out);
    write_delta(invention, !first);
    fputs("}", invention->out);
    if (chance(invention, 50))
        fputs(",\"cell_actions\":{\"destination\":[{\"actions\":[\"move\"]}]}", invention->out);
    fputs("}", invention->out);
}

static void write_combined(struct invention *invention)
{
    int count = below(invention, 3);
    fputs("\"complex_movement\":[", invention->out);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ",{\"figures\":[" : "{\"figures\":[", invention->out);
        int participants = 1 + below(invention, 3);
        for (int k = 0; k < participants; k++) {
            fputs(k > 0 ? "," : "", invention->out);
            write_participant(invention, k == 0);
        }
        fputs("],\"cell_actions\":{\"destination\":", invention->out);
        write_sets(invention, false);
        fputs("}}", invention->out);
    }
    fputs("],\n", invention->out);
}

static void write_states(struct invention *invention)
{
    fputs("\"game_states\":{", invention->out);
    for (int i = 0; i < invention->players; i++)
        fprintf(
            invention->out,
            "\"move_%d\":{\"type\":\"move\",\"parameters\":{\"player\":\"p%d\"},\"next\":\"%s\"},",
            i, i, i + 1 < invention->players ? (i == 0 ? "move_1" : "move_2") : "count");
    fputs(
        "\"count\":{\"type\":\"next_move\",\"next\":\"move_0\"}},\"initial_game_state\":\"move_0\"",
        invention->out);
}

static void write_board(struct invention *invention)
{
    fputs("\"players\":[", invention->out);
    for (int i = 0; i < invention->players; i++)
        fprintf(invention->out, "%s\"p%d\"", i > 0 ? "," : "", i);
    fputs("],\n\"cell\":{\"coordinates_names\":[", invention->out);
    for (int i = 0; i < invention->dimensions; i++)
        fprintf(invention->out, "%s\"%c\"", i > 0 ? "," : "", coordinate_names[i]);
    fputs("],\"geometry\":[[0,0],[0,1],[1,1]],\"position\":{\"x\":\"x\",\"y\":\"x\"}},\n"
          "\"board\":{\"rotation_angle\":{",
          invention->out);
    for (int i = 0; i < invention->players; i++)
        fprintf(invention->out, "%s\"p%d\":0", i > 0 ? "," : "", i);
    fputs("},\"cells\":[", invention->out);
    const char *comma = "";
    for (int i = 0; i < invention->volume; i++) {
        if (!invention->cells[i])
            continue;
        fputs(comma, invention->out);
        write_coordinates(invention, i);
        comma = ",";
    }
    fputs("]},\n", invention->out);
}

/* One figure of each player, so that everybody is known. */
static void write_start(struct invention *invention)
{
    int position = 0;
    fputs("\"initial_position\":{", invention->out);
    for (int i = 0; i < invention->players; i++) {
        while (!invention->cells[position])
            position++;
        fprintf(invention->out, "%s\"p%d\":{\"f0\":[", i > 0 ? "," : "", i);
        write_coordinates(invention, position++);
        fputs("]}", invention->out);
    }
    fputs("},\n", invention->out);
}

/* Sizes are drawn so that every width of bit sets has its turn. */
static void draw_board(struct invention *invention)
{
    static const int volumes[] = {30, 64, 110, 240, 400};
    int volume_max = volumes[below(invention, 5)], percent = chance(invention, 50) ? 0 : 15;
    invention->volume = 1;
    for (int i = 0; i < invention->dimensions; i++) {
        int most = volume_max / invention->volume;
        if (i + 1 < invention->dimensions)
            most = invention->dimensions == 3 ? 7 : 20;
        most = most > SIDE_MAX ? SIDE_MAX : most;
        int side = most <= 3 ? 3 : 3 + below(invention, most - 2);
        invention->sides[i] = side;
        invention->volume *= side;
    }
    invention->cells = calloc((size_t)invention->volume, sizeof *invention->cells);
    assert_non_null(invention->cells);
    for (int i = 0; i < invention->volume; i++)
        invention->cells[i] = i < 6 || i + 6 > invention->volume || !chance(invention, percent);
}

char *invent_game(uint64_t seed)
{
    char *text = malloc(TEXT_BYTES);
    assert_non_null(text);
    struct invention invention = {.seed = seed};
    invention.out = fmemopen(text, TEXT_BYTES, "w");
    assert_non_null(invention.out);
    invention.dimensions = 1 + below(&invention, 3);
    invention.players = 1 + below(&invention, 3);
    invention.figures = 1 + below(&invention, 4);
    draw_board(&invention);
    fputs("{\"name\":\"invented\",", invention.out);
    write_board(&invention);
    write_figures(&invention);
    write_combined(&invention);
    write_start(&invention);
    write_states(&invention);
    fputs("}\n", invention.out);
    fclose(invention.out);
    free(invention.cells);
    return text;
}
