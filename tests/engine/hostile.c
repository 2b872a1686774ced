#include "tests/engine/hostile.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 512 * 1024 };

/* Of two players, a and b, whose men stand on the first rows; `figures`, `more` and `start` have a `@` where `unit` is
 * repeated with commas between. A `%` in the unit becomes its number. */
struct hostile {
    const char *name;
    int width, height, home;
    const char *figures, *more, *start;
    const char *unit;
    int times; /* enough to be refused */
};

#define QUEEN                                                                                      \
    "{\"x\":1,\"symmetric\":\"all\",\"repeat\":true},{\"x\":1,\"y\":1,\"symmetric\":\"all\","      \
    "\"repeat\":true}"
#define KING   "{\"x\":1,\"symmetric\":\"all\"},{\"x\":1,\"y\":1,\"symmetric\":\"all\"}"
#define FORBID "\"forbid\":[{\"any\":[@]}],"
#define HOME   "\"each\":{\"man\":[{\"zone\":\"home\"}]}"
#define AROUND "[{\"x\":1,\"symmetric\":\"all\"},{\"x\":1,\"y\":1,\"symmetric\":\"all\"}]"

/* clang-format off */
static const struct hostile games[] = {
{"attacked, but for walls", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]},\"wall\":{\"movement\":[]}", FORBID,
 "\"each\":{\"man\":[{\"zone\":\"sparse\"}],\"wall\":[{\"zone\":\"wall\"}]}",
 "{\"attacked\":{\"figure\":\"man\",\"player\":\"mover\"}}", 35},
{"attacked", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"attacked\":{\"player\":\"mover\"}}", 35},
{"attacked by kings", 32, 32, 15, "\"man\":{\"movement\":[" KING "]}", FORBID, HOME,
 "{\"attacked\":{\"player\":\"mover\"}}", 35},
{"attacked cells", 32, 32, 12, "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":true,\"if\":{\"all\":[@]}}]}", "", HOME,
 "{\"not\":{\"attacked\":{\"cell\":\"target\"}}}", 20},
{"neighbours", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"neighbours\":{\"of\":\"target\",\"by\":" AROUND ",\"is\":{\"player\":\"enemy\"},\"min\":8}}", 200},
{"neighbours of holes", 32, 32, 12, "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":true,\"if\":{\"any\":[@]}}]}", "", HOME,
 "{\"neighbours\":{\"of\":\"self\",\"by\":" AROUND ",\"is\":{\"exists\":false},\"min\":8}}", 100},
{"count", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"count\":{\"is\":{\"player\":\"mover\",\"zone\":\"home\"},\"min\":1000}}", 200},
{"count of kinds", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]},\"b\":{\"movement\":[]},\"c\":{\"movement\":[]},\"d\":{\"movement\":[]},\"e\":{\"movement\":[]},\"f\":{\"movement\":[]}", FORBID, HOME,
 "{\"count\":{\"is\":{\"figure\":[\"man\",\"b\",\"c\",\"d\",\"e\"],\"player\":\"mover\"},\"min\":1000}}", 200},
{"count by history", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"count\":{\"is\":{\"player\":\"mover\",\"moves_made\":77},\"min\":1}}", 20},
{"count of lists", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"count\":{\"is\":[{\"player\":\"mover\"},{\"zone\":\"home\"},{\"figure\":\"man\"},{\"not\":{\"empty\":true}}],\"min\":1000}}", 100},
{"lines", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"line\":{\"by\":" AROUND ",\"is\":{\"player\":\"mover\"},\"min\":1000}}", 30},
{"lines through the target", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"line\":{\"through\":\"target\",\"by\":" AROUND ",\"is\":{\"empty\":true},\"min\":1000}}", 200},
{"groups", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"group\":{\"of\":\"target\",\"by\":" AROUND ",\"liberties\":{\"min\":1000}}}", 40},
{"connected", 32, 32, 12, "\"man\":{\"movement\":[" KING "]}", FORBID, HOME,
 "{\"not\":{\"connected\":{\"by\":" AROUND ",\"is\":{\"player\":\"mover\"}}}}", 200},
{"cells", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"at\":{\"of\":\"target\",\"by\":{\"x\":1},\"is\":{\"figure\":\"man\",\"player\":\"enemy\",\"unmoved\":false}}}", 250},
{"previous", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", FORBID, HOME,
 "{\"previous\":{\"figure\":\"man\",\"from\":{\"x\":%},\"to\":{\"x\":%},\"took\":true}}", 31},
{"trees", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", "\"counters\":{\"n\":{\"add\":true}}," FORBID, HOME,
 "{\"all\":[{\"not\":{\"not\":{\"next\":\"a\"}}},{\"next\":\"b\"},{\"counter\":{\"name\":\"n\",\"min\":100}}]}", 80},
{"long rays", 32, 32, 15, "\"man\":{\"movement\":[@]}", "\"forbid\":[{\"count\":{\"is\":{\"player\":\"mover\"},\"max\":0}}],", HOME,
 "{\"x\":1,\"symmetric\":\"all\",\"repeat\":true,\"if\":{\"self\":{\"x\":%}}},{\"x\":1,\"y\":1,\"symmetric\":\"all\",\"repeat\":true,\"if\":{\"self\":{\"x\":%}}}", 8},
{"interpreted rays", 32, 32, 3, "\"man\":{\"movement\":[@]}", "", HOME,
 "{\"x\":1,\"symmetric\":\"all\",\"repeat\":true,\"if\":{\"count\":{\"is\":{\"empty\":true},\"max\":%}}},{\"x\":1,\"y\":1,\"symmetric\":\"all\",\"repeat\":true,\"if\":{\"count\":{\"is\":{\"empty\":true},\"max\":%}}}", 8},
{"sliders and royals", 16, 16, 6, "\"man\":{\"movement\":[" QUEEN "]}",
 "\"forbid\":[{\"attacked\":{\"figure\":\"man\",\"player\":\"mover\"}}],", HOME, "", 1},
{"leapers and royals", 16, 16, 7, "\"man\":{\"movement\":[@]}",
 "\"forbid\":[{\"attacked\":{\"figure\":\"man\",\"player\":\"mover\"}}],", HOME,
 "{\"x\":1,\"y\":%,\"symmetric\":\"all\"}", 12},
{"jumpers and royals", 16, 16, 5, "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":true,\"over\":{\"is\":{\"exists\":true},\"count\":1}},{\"y\":1,\"for\":\"move\"}]}",
 "\"forbid\":[{\"attacked\":{\"figure\":\"man\",\"player\":\"mover\"}}],", HOME, "", 1},
{"most taken", 16, 16, 0,
 "\"man\":{\"movement\":[{\"x\":1,\"y\":1,\"symmetric\":\"all\",\"repeat\":[2,null],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"},"
 "{\"x\":1,\"symmetric\":\"all\",\"repeat\":[2,null],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"}]}",
 "\"priority\":[\"take\",\"most_taken\"],\"jumped_leave\":\"turn_ends\",", "\"a\":{\"man\":[{\"x\":0,\"y\":0}]},\"b\":{\"man\":[{\"zone\":\"grid\"}]}", "", 1},
{"most taken, interpreted", 16, 16, 0,
 "\"man\":{\"movement\":[{\"x\":1,\"y\":1,\"symmetric\":\"all\",\"repeat\":[2,null],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\",\"if\":{\"count\":{\"is\":{\"empty\":true},\"min\":2}}},"
 "{\"x\":1,\"symmetric\":\"all\",\"repeat\":[2,null],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"}]}",
 "\"priority\":[\"take\",\"most_taken\"],\"jumped_leave\":\"turn_ends\",", "\"a\":{\"man\":[{\"x\":0,\"y\":0}]},\"b\":{\"man\":[{\"zone\":\"grid\"}]}", "", 1},
{"can go on", 32, 32, 0,
 "\"man\":{\"movement\":[{\"x\":1,\"y\":1,\"symmetric\":\"all\",\"repeat\":[2,null],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\",\"if\":{\"count\":{\"is\":{\"empty\":true},\"min\":2}}},"
 "{\"x\":1,\"symmetric\":\"all\",\"repeat\":[2,null],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"}]}",
 "\"priority\":[\"take\",\"can_go_on\"],", "\"a\":{\"man\":[{\"zone\":\"odd\"}]},\"b\":{\"man\":[{\"zone\":\"grid\"}]}", "", 1},
{"choices", 32, 32, 10, "\"man\":{\"movement\":[" QUEEN "],\"promote\":{\"in\":\"all\",\"to\":[\"b\",\"c\",\"d\",\"e\"],\"optional\":true}},\"b\":{\"movement\":[]},\"c\":{\"movement\":[]},\"d\":{\"movement\":[]},\"e\":{\"movement\":[]}",
 FORBID, HOME, "{\"count\":{\"is\":{\"player\":\"mover\"},\"min\":1000}}", 60},
{"promotions that ask", 32, 32, 10, "\"man\":{\"movement\":[" QUEEN "],\"promote\":[{\"in\":\"all\",\"to\":[\"b\"],\"if\":{\"any\":[@]}}]},\"b\":{\"movement\":[]}",
 "", HOME, "{\"count\":{\"is\":{\"player\":\"mover\"},\"min\":1000}}", 60},
{"repetition forbidden", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", "\"counters\":{\"n\":{\"add\":true}},\"forbid\":[{\"repetition\":2},{\"any\":[@]}],", HOME,
 "{\"counter\":{\"name\":\"n\",\"min\":100}}", 90},
{"effects", 32, 32, 10, "\"man\":{\"movement\":[" QUEEN "]}", "\"forbid\":[{\"count\":{\"is\":{\"empty\":true},\"max\":0}}],\"after_move\":[@],", HOME,
 "{\"do\":[{\"remove\":{\"cells\":\"all\",\"is\":{\"player\":\"enemy\",\"unmoved\":false}}}]}", 16},
{"explosions", 32, 32, 14, "\"man\":{\"movement\":[" KING "]}", "\"forbid\":[{\"count\":{\"is\":{\"empty\":true},\"max\":0}}],\"after_move\":[@],", HOME,
 "{\"do\":[{\"remove\":{\"cells\":\"all\"}}]}", 1},
{"counters", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}",
 "\"forbid\":[{\"counter\":{\"name\":\"c\",\"min\":100}}],\"counters\":{\"c\":{\"add\":{\"any\":[@]}}},", HOME,
 "{\"count\":{\"is\":{\"player\":\"mover\"},\"min\":1000}}", 200},
{"results", 32, 32, 12, "\"man\":{\"movement\":[" KING "]}", "\"results\":[@],", HOME,
 "{\"if\":{\"attacked\":{\"player\":\"next\"},\"count\":{\"is\":{\"empty\":true},\"max\":0}},\"result\":\"draw\",\"reason\":\"r\"}", 64},
{"results that ask for moves", 32, 32, 12, "\"man\":{\"movement\":[" QUEEN "]}", "\"forbid\":[{\"any\":[{\"count\":{\"is\":{\"empty\":true},\"max\":900}}]}],\"results\":[@],", HOME,
 "{\"if\":{\"no_moves\":true},\"result\":\"draw\",\"reason\":\"r\"}", 30},
{"turns that go on", 32, 32, 12, "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":true,\"continue\":\"may\"},{\"x\":1,\"y\":1,\"symmetric\":\"all\",\"repeat\":true,\"continue\":\"may\"}]}",
 FORBID, HOME, "{\"count\":{\"is\":{\"player\":\"mover\"},\"min\":1000}}", 30},
{"castling", 32, 32, 0, "\"man\":{\"movement\":[{\"x\":1}]},\"b\":{\"movement\":[" QUEEN "]}", "\"combined_movements\":[@],",
 "\"a\":{\"man\":[{\"zone\":\"low\"}]},\"b\":{\"b\":[{\"zone\":\"high\"}]}",
 "{\"figures\":[{\"figure\":\"man\",\"player\":\"mover\",\"at\":{},\"by\":{\"y\":1,\"x\":%}}],\"safe\":[{},{\"x\":1},{\"x\":2},{\"x\":3},{\"y\":1},{\"y\":2}]}", 30},
{"action sets", 32, 32, 12, "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":true,\"cell_actions\":{\"destination\":[@]}}]}", "", HOME,
 "{\"if\":[{\"target\":{\"moves_made\":%}},{\"self\":{\"moves_made\":77}},{\"computed\":{\"is_figure\":false}}],\"actions\":[\"take\",\"move\"]}", 60},
{"many moves", 32, 32, 9, "\"man\":{\"movement\":[" QUEEN "],\"promote\":{\"in\":\"all\",\"to\":[\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\"],\"optional\":true}},\"b\":{\"movement\":[]},\"c\":{\"movement\":[]},\"d\":{\"movement\":[]},\"e\":{\"movement\":[]},\"f\":{\"movement\":[]},\"g\":{\"movement\":[]},\"h\":{\"movement\":[]},\"i\":{\"movement\":[]}", "", HOME, "", 1},
};
/* clang-format on */

int hostile_count(void)
{
    return (int)(sizeof games / sizeof *games);
}

const char *hostile_name(int number)
{
    assert(number >= 0 && number < hostile_count());
    return games[number].name;
}

struct text {
    char *bytes;
    size_t length;
};

static void add(struct text *text, const char *words, size_t length)
{
    assert(text->length + length < TEXT_BYTES);
    memcpy(text->bytes + text->length, words, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static void add_unit(struct text *text, const char *unit, int number)
{
    char digits[16];
    int count = snprintf(digits, sizeof digits, "%d", number);
    for (; *unit != '\0'; unit++)
        if (*unit == '%')
            add(text, digits, (size_t)count);
        else
            add(text, unit, 1);
}

static void add_part(struct text *text, const struct hostile *game, const char *part, int times)
{
    for (; *part != '\0'; part++) {
        for (int i = 0; *part == '@' && i < times; i++) {
            add(text, ",", i > 0);
            add_unit(text, game->unit, i + 1);
        }
        if (*part != '@')
            add(text, part, 1);
    }
}

char *hostile_text(int number, int times)
{
    const struct hostile *game = &games[number];
    struct text text = {.bytes = malloc(TEXT_BYTES)};
    char board[1024];
    assert(text.bytes != NULL);
    times = times == 0 ? game->times : times;
    int length = snprintf(
        board, sizeof board,
        "{\"format\":2,\"name\":\"hostile\",\"players\":[\"a\",\"b\"],\n"
        "\"cell\":{\"coordinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1]],"
        "\"position\":{\"x\":\"x\",\"y\":\"y\"}},\n"
        "\"board\":{\"cells\":{\"box\":{\"x\":%d,\"y\":%d}},\"mirror\":{\"b\":{\"y\":\"%d - "
        "y\"}}},\n"
        "\"zones\":{\"home\":{\"each\":\"y < %d\"},\"all\":\"x >= 0\",\"grid\":\"x %% 2 == 1 && y "
        "%% 2 == 1\","
        "\"sparse\":{\"each\":\"y < 14 && (x + y) %% 2 == 0\"},\"wall\":{\"each\":\"y == 15\"},"
        "\"odd\":\"x %% 4 == 0 && y %% 4 == 0\",\"low\":\"y == 0\",\"high\":\"y == 31\"},\n",
        game->width, game->height, game->height - 1, game->home > 0 ? game->home : 1);
    add(&text, board, (size_t)length);
    add(&text, "\"figures\":{", strlen("\"figures\":{"));
    add_part(&text, game, game->figures, times);
    add(&text, "},\n", 3);
    add_part(&text, game, game->more, times);
    add(&text, "\n\"initial_position\":{", strlen("\n\"initial_position\":{"));
    add_part(&text, game, game->start, times);
    add(&text, "},\n\"turns\":[\"a\",\"b\"]}\n", strlen("},\n\"turns\":[\"a\",\"b\"]}\n"));
    return text.bytes;
}
