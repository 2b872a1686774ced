#include "tests/server/core/games.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define CELL                                                                                       \
    "\"cell\":{\"coordinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1],[0,1]],"        \
    "\"position\":{\"x\":\"x\",\"y\":\"3-y\"}},"
#define COLUMN(x)                                                                                  \
    "{\"x\":" x ",\"y\":0},{\"x\":" x ",\"y\":1},{\"x\":" x ",\"y\":2},{\"x\":" x ",\"y\":3}"
#define RUNNER                                                                                     \
    "\"figures\":{\"runner\":{\"movement\":[{\"y\":1,\"cell_actions\":{\"destination\":"           \
    "[{\"actions\":[\"move\"]}]}}]}},"
#define AT_TOP(player)                                                                             \
    "\"" player "\":[{\"entity\":\"cell\",\"type\":\"exists\",\"result\":true,"                    \
    "\"filter\":{\"player\":\"" player "\",\"coordinates\":{\"y\":3}}}]"
#define TURN(player, next)                                                                         \
    "\"" player "_move\":{\"type\":\"move\",\"parameters\":{\"player\":\"" player                  \
    "\"},\"next\":\"" player "_check\"},"                                                          \
    "\"" player "_check\":{\"type\":\"check_win\",\"parameters\":{\"player\":\"" player            \
    "\"},\"next\":[{\"if\":[{\"result\":true}],\"state\":\"" player                                \
    "_won\"},{\"if\":[{\"result\":false}],\"state\":\"" next "\"}]},"                              \
    "\"" player "_won\":{\"type\":\"end\",\"winner\":\"" player "\",\"reason\":\"the top\"}"

const char game_of_three[] =
    "{\"name\":\"three\",\"players\":[\"red\",\"green\",\"blue\"]," CELL
    "\"board\":{\"rotation_angle\":{\"red\":0,\"green\":0,\"blue\":0},\"cells\":"
    "[" COLUMN("0") "," COLUMN("1") "," COLUMN(
        "2") "]}," RUNNER "\"initial_position\":{\"red\":{\"runner\":[{\"x\":0,\"y\":0}]},"
             "\"green\":{\"runner\":[{\"x\":1,\"y\":0}]},\"blue\":{\"runner\":[{"
             "\"x\":2,\"y\":0}]}},"
             "\"win_conditions\":{" AT_TOP("red") "," AT_TOP("green") "," AT_TOP(
                 "blue") "},"
                         "\"game_states\":{" TURN("red", "green_move") "," TURN(
                             "green", "blue_move") "," TURN("blue", "red_move") "},"
                                                                                "\"initial_game_"
                                                                                "state\":"
                                                                                "\"red_move\"}";

const char game_of_two[] =
    "{\"name\":\"two\",\"players\":[\"red\",\"green\"]," CELL
    "\"board\":{\"rotation_angle\":{\"red\":0,\"green\":0},\"cells\":[" COLUMN("0") "," COLUMN(
        "1") "]}," RUNNER "\"initial_position\":{\"red\":{\"runner\":[{\"x\":0,\"y\":0}]},"
             "\"green\":{\"runner\":[{\"x\":1,\"y\":0}]}},"
             "\"win_conditions\":{" AT_TOP("red") "," AT_TOP(
                 "green") "},"
                          "\"game_states\":{" TURN("red", "green_move") "," TURN(
                              "green", "red_move") "},\"initial_game_state\":\"red_move\"}";

/* --- format 2 --------------------------------------------------------------------------------- */

#define FLAT                                                                                       \
    "\"cell\":{\"coordinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1],[0,1]],"        \
    "\"position\":{\"x\":\"x\",\"y\":\"y\"}},"

const char game_of_hops[] =
    "{\"format\":2,\"name\":\"hops\",\"players\":[\"red\",\"green\"]," FLAT
    "\"board\":{\"cells\":{\"box\":{\"x\":7,\"y\":2}},\"mirror\":{\"green\":{\"x\":\"6 - x\"}}},"
    "\"zones\":{\"last\":{\"each\":\"x == 6\"}},"
    "\"figures\":{\"man\":{\"movement\":["
    "{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\","
    "\"continue\":\"may\"},"
    "{\"x\":1,\"for\":\"move\"}],\"promote\":{\"in\":\"last\",\"to\":[\"lord\",\"lady\"]}},"
    "\"lord\":{\"movement\":[]},\"lady\":{\"movement\":[]}},"
    "\"remove\":\"turn_ends\",\"pass\":true,\"turns\":[\"red\",\"green\"],"
    "\"initial_position\":{\"red\":{\"man\":[\"0_0\",\"5_1\"]},"
    "\"green\":{\"man\":[\"1_0\",\"3_0\",\"3_1\"]}},"
    "\"results\":[{\"if\":{\"repetition\":2},\"claim\":true,\"result\":\"draw\",\"reason\":\"seen "
    "twice\"}]}";

const char game_of_places[] =
    "{\"format\":2,\"name\":\"places\",\"players\":[\"red\",\"green\",\"blue\"],"
    "\"player_counts\":{\"2\":[\"red\",\"blue\"]}," FLAT
    "\"board\":{\"cells\":{\"box\":{\"x\":3,\"y\":3}}},\"zones\":{\"top\":\"y == 2\"},"
    "\"figures\":{\"runner\":{\"movement\":[{\"y\":1,\"repeat\":2,\"for\":\"move\"}]}},"
    "\"turns\":[\"red\",\"green\",\"blue\"],"
    "\"initial_position\":{\"red\":{\"runner\":[\"0_0\"]},\"green\":{\"runner\":[\"1_0\"]},"
    "\"blue\":{\"runner\":[\"2_0\"]}},"
    "\"results\":[{\"if\":{\"count\":{\"is\":{\"player\":\"mover\",\"zone\":\"top\"},\"min\":1}},"
    "\"result\":{\"finish\":\"mover\"},\"reason\":\"the top\"}]}";

char *games_dear(void)
{
    enum { COUNTS = 40, BYTES = 16 * 1024 };
    char *text = calloc(1, BYTES);
    assert(text != NULL);
    strcpy(text,
           "{\"format\":2,\"name\":\"dear\",\"players\":[\"a\",\"b\"],"
           "\"cell\":{\"coordinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1]],"
           "\"position\":{\"x\":\"x\",\"y\":\"y\"}},"
           "\"board\":{\"cells\":{\"box\":{\"x\":32,\"y\":32}}},"
           "\"figures\":{\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}},"
           "\"turns\":[\"a\",\"b\"],\"initial_position\":{\"a\":{\"man\":[{\"x\":0,\"y\":0}]},"
           "\"b\":{\"man\":[{\"x\":9,\"y\":9}]}},\"counters\":{\"c\":{\"add\":{\"any\":[");
    for (int i = 0; i < COUNTS; i++)
        strcat(strcat(text, i > 0 ? "," : ""),
               "{\"count\":{\"is\":{\"player\":\"mover\",\"moves_made\":999},\"min\":9}}");
    strcat(text, "]}}}}");
    return text;
}
