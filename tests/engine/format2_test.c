/* Each word of format 2 in the smallest game that has it: a strip of ten cells, two or three players, and a script of what
 * happens. A row below is a test; its name states the fact. */
#include "tests/support/test.h"

#include "engine/explain.h"
#include "engine/rules/interpreter.h"
#include "tests/engine/games.h"
#include "tests/engine/positions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 10, TEXT_BYTES = 16 * 1024, WORD_BYTES = 256, MOVES_TEXT = 512, MADE_MAX = 64 };

/* On a line `a`, `b`, `c` are men of the players of that name, `A`, `B`, `C` their kings, `x`, `y`, `z` their stones; a dot
 * is an empty cell and a dash a hole. The line is the initial position.
 *
 * The script's words, apart by spaces; underscores stand for spaces within one:
 *
 *   2-4        is legal, and made          2-4=king  the same, becoming one
 *   pass       is legal, and made          undo      the last one is taken back
 *   swap       is legal, and made: sides are swapped
 *   +4         a placement: is legal, and made; of several kinds +4=king
 *   ~2-4       was legal once, though it is not now, and is made
 *   !2-4       is not legal                @2-4,pass these are the legal moves
 *   :a.b       that is the line now        >b        b is to move; >- nobody
 *   %won:a:why %lost:a:why %drawn:why %playing         how the game stands
 *   ^drawn:why ^playing                    what can be claimed
 *   =drawn:why =playing                    what it means that time is over
 *   ?2-4:why   what position_explain says of it
 *   #2:3       counter slot 2 stands at 3
 *   $6,5       scores by player, in halves
 *   *aA/b      what is in hand, by player: letters as on a line */
struct row {
    const char *name;
    const char *figures; /* of the file; those not named have no movement */
    const char *more;    /* other members of the file, each with a comma behind it */
    const char *line;
    const char *script;
};

#define TURNS "\"turns\":[\"a\",\"b\"],"
#define STILL "\"man\":{\"movement\":[]}" /* nothing moves */

/* clang-format off */
static const struct row rows[] = {

/* --- what a movement is for --- */
{"a movement for moving goes to an empty cell only",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"for\":\"move\"}]}", TURNS,
 "..ab......", "@2-1 !2-3 2-1 :.a.b......"},
{"a movement for taking goes where an enemy's figure stands only",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"for\":\"take\"}]}", TURNS,
 ".aab......", "@2-3 2-3 :.a.a......"},
{"a movement that does not say what it is for does both",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}", TURNS,
 ".aab......", "@1-0,2-3"},
{"a movement for swapping changes places with an own figure, and only with one",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"for\":\"swap\"}]}", TURNS,
 "..aAb.....", "@2-3 2-3 :..Aab....."},
{"a movement for putting stays and leaves a figure",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"for\":\"put\",\"put\":\"stone\"}]}", TURNS,
 "..a.......", "@2-4 2-4 :..a.x....."},
{"the first movement that fits decides, and one that does not leaves it to the next",
 "\"man\":{\"movement\":[{\"x\":2,\"for\":\"move\",\"if\":{\"self\":{\"x\":0}}},{\"x\":2,\"for\":\"put\",\"put\":\"stone\"}]}", TURNS,
 "a.........b", "0-2 :..a....... undo :a........."},
{"where the first does not fit the second is what happens",
 "\"man\":{\"movement\":[{\"x\":2,\"for\":\"move\",\"if\":{\"self\":{\"x\":0}}},{\"x\":2,\"for\":\"put\",\"put\":\"stone\"}]}", TURNS,
 ".a........", "1-3 :.a.x......"},

/* --- how far --- */
{"repeat says at least and at most",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,3]}]}", TURNS,
 "a.........", "@0-2,0-3"},
{"repeat with one number is one step to that many",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":3}]}", TURNS,
 "a.........", "@0-1,0-2,0-3"},
{"repeat by a count: as many steps as there are such cells on the whole line, before and behind",
 "\"man\":{\"movement\":[{\"x\":1,\"also_reversed\":true,\"repeat\":{\"count\":{\"empty\":false}},\"over\":{\"is\":{\"player\":\"mover\"},\"count\":[0,9]}}]}", TURNS,
 "a.aA...b..", "@0-4,2-6 ?2-7:the_man_goes_as_many_steps_as_are_counted_on_its_line,_and_these_are_not 2-6 >b @"},
{"repeat by a count: a hole ends the line",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":{\"count\":{\"player\":\"any\"}}}]}", TURNS,
 "aB-..a.-.a", "@5-6"},
{"what stands between ends a ray, and so does a hole",
 "\"man\":{\"movement\":[{\"x\":1,\"also_reversed\":true,\"repeat\":true}]}", TURNS,
 "..-.abb-.b", "@4-3,4-5"},
{"over: that many cells between are occupied, the others empty",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"over\":{\"is\":{\"exists\":true},\"count\":2}}]}", TURNS,
 "a.b..A.b..", "@0-6,0-7"},
{"over enemy: an own figure in the way forbids it",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"over\":\"enemy\"}]}", TURNS,
 "a.b.A.....", "@0-3"},
{"via: cells on the way must be empty",
 "\"man\":{\"movement\":[{\"x\":3,\"via\":[{\"x\":2}]},{\"x\":-3,\"via\":[{\"x\":-2}]}]}", TURNS,
 "..b.ab....", "@4-7"},
{"via: an occupied cell blocks, and is named",
 "\"man\":{\"movement\":[{\"x\":3,\"via\":[{\"x\":2}]}]}", TURNS,
 "a.b..a....", "@5-8 ?0-3:its_way_leads_by_2,_where_the_man_of_b_stands"},
{"within: start, path and target lie in the zone",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"also_reversed\":true,\"within\":\"yard\"}]}",
 TURNS "\"zones\":{\"yard\":\"x != 2 && x < 6\"},",
 "...a......", "@3-4,3-5"},
{"directions are names for differences, with multiples",
 "\"man\":{\"movement\":[{\"forward\":2},{\"forward\":1,\"x\":2}]}",
 TURNS "\"directions\":{\"forward\":{\"x\":1}},",
 "a.........", "@0-2,0-3"},

/* --- mirroring and zones --- */
{"what is said for all players is mirrored for the others",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS, "a........b", "@0-1 0-1 >b @9-8"},
{"zones for each are the mover's own",
 "\"man\":{\"movement\":[{\"x\":2,\"if\":{\"self\":{\"zone\":\"home\"}}},{\"x\":1}]}",
 TURNS "\"zones\":{\"home\":{\"each\":\"x == 0\"}},",
 "a........b", "@0-1,0-2 0-1 @9-7,9-8 9-7 @1-2"},

/* --- conditions --- */
{"an if that does not hold passes a movement over, and is pointed at",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":[{\"at\":{\"of\":\"target\",\"by\":{\"x\":1},\"is\":{\"figure\":\"king\"}}}]}]},\"king\":{\"movement\":[{\"x\":1}]}", TURNS,
 "a......A..", "@7-8 ?0-1:the_movement_asks_something_of_2_that_is_not_so"},
{"at: a cell relative to the figure or the target",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":[{\"at\":{\"of\":\"target\",\"by\":{\"x\":1},\"is\":{\"figure\":\"king\"}}}]}]}", TURNS,
 "a.A.......", "@0-1" },
{"neighbours: so many of the cells beside it",
 "\"man\":{\"movement\":[{\"x\":3,\"if\":{\"neighbours\":{\"of\":\"self\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"mover\"},\"min\":2}}}]}", TURNS,
 ".AaAa.a...", "@2-5 !4-7 !6-9"},
{"count: so many cells of the whole board",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"count\":{\"is\":{\"figure\":\"king\"},\"min\":1,\"max\":1}}}]}", TURNS,
 "a....A....", "@0-1"},
{"count: more than the most is too many",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"count\":{\"is\":{\"figure\":\"king\"},\"min\":1,\"max\":1}}}]}", TURNS,
 "a....AB...", "@"},
{"line: so many in a row through the target, both ways along a step",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"},{\"x\":3}]}",
 TURNS "\"results\":[{\"if\":{\"line\":{\"through\":\"target\",\"by\":[{\"x\":1}],\"is\":{\"player\":\"mover\"},\"min\":3}},\"result\":{\"winner\":\"mover\"},\"reason\":\"row\"}],",
 ".a.a.a...b", "5-6 %playing undo 1-4 %won:a:row"},
{"line: a row that the last move has no part in does not count through the target",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"},{\"x\":3}]}",
 TURNS "\"results\":[{\"if\":{\"line\":{\"through\":\"target\",\"by\":[{\"x\":1}],\"is\":{\"player\":\"mover\"},\"min\":3}},\"result\":{\"winner\":\"mover\"},\"reason\":\"row\"}],",
 "aaa..a...b", "5-6 %playing 9-8 6-5 %playing 8-7 2-3 %playing"},
{"line: through self, where the move began, only what stands there now counts",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"},{\"x\":3}]}",
 TURNS "\"results\":[{\"if\":{\"line\":{\"through\":\"self\",\"by\":[{\"x\":1}],\"is\":{\"empty\":true},\"min\":3}},\"result\":{\"winner\":\"mover\"},\"reason\":\"row\"}],",
 "..aab....b", "2-1 %playing undo 3-6 %playing 4-3 %playing 6-7 %won:a:row"},
{"line: without through it may be anywhere",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"},{\"x\":3}]}",
 TURNS "\"results\":[{\"if\":{\"line\":{\"by\":[{\"x\":1}],\"is\":{\"player\":\"mover\"},\"min\":3}},\"result\":{\"winner\":\"mover\"},\"reason\":\"row\"}],",
 "aa.a.a...b", "5-6 %playing 9-8 3-2 %won:a:row"},
{"line: with as many at most as at least it is exactly so long",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"},{\"x\":3}]}",
 TURNS "\"results\":[{\"if\":{\"line\":{\"through\":\"target\",\"by\":[{\"x\":1}],\"is\":{\"player\":\"mover\"},\"min\":3,\"max\":3}},\"result\":{\"winner\":\"mover\"},\"reason\":\"row\"}],",
 ".a.aa....b", "1-2 %won:a:row"},
{"line: more in a row than the most is no such line",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"},{\"x\":3}]}",
 TURNS "\"results\":[{\"if\":{\"line\":{\"through\":\"target\",\"by\":[{\"x\":1}],\"is\":{\"player\":\"mover\"},\"min\":3,\"max\":3}},\"result\":{\"winner\":\"mover\"},\"reason\":\"row\"}],",
 ".a.aaa...b", "1-2 %playing"},
{"line: a hole ends it",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"},{\"x\":3}]}",
 TURNS "\"results\":[{\"if\":{\"line\":{\"by\":[{\"x\":1}],\"is\":{\"player\":\"mover\"},\"min\":3}},\"result\":{\"winner\":\"mover\"},\"reason\":\"row\"}],",
 "aa-a.a.-.b", "5-4 %playing"},
{"line: in the if of a movement, before the move",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"if\":{\"line\":{\"through\":\"target\",\"by\":[{\"x\":2}],\"is\":{\"empty\":true},\"min\":2}}}]}",
 TURNS,
 ".b..ab..a.", "@8-7,8-9 ?4-3:the_movement_asks_something_of_a_line_that_is_not_so"},
{"group: what hangs together with the cell, steps leading in both directions, and is the same player's",
 "\"man\":{\"movement\":[{\"x\":5,\"if\":{\"group\":{\"by\":[{\"x\":1}],\"size\":2}}}]}", TURNS,
 "AabaaA.b..", "@1-6"},
{"group: empty cells beside it are its liberties, each once",
 "\"man\":{\"movement\":[{\"x\":4,\"for\":\"move\",\"if\":{\"group\":{\"by\":[{\"x\":1},{\"x\":2}],\"liberties\":{\"min\":2,\"max\":2}}}}]}", TURNS,
 "a..b.a....", "@0-4 ?5-9:the_movement_asks_something_of_a_group_that_is_not_so"},
{"group: a cell that is not like what is asked has none",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"not\":{\"group\":{\"of\":\"target\",\"by\":[{\"x\":1}],\"size\":{\"max\":9}}}}},"
 "{\"x\":2,\"if\":{\"group\":{\"of\":\"target\",\"by\":[{\"x\":1}],\"is\":{\"empty\":true},\"size\":3,\"liberties\":0}}}]}", TURNS,
 "ab...b....", "@0-2"},
{"group: a move that leaves one's own without liberties can be forbidden",
 "\"man\":{\"movement\":[{\"x\":2,\"for\":\"move\"}]}",
 TURNS "\"forbid\":[{\"group\":{\"of\":\"target\",\"by\":[{\"x\":1}],\"liberties\":{\"max\":0}},\"words\":\"cannot breathe\"}],",
 "..a-.b-a..", "@7-9 ?2-4:cannot_breathe"},
{"groups of the enemy without liberties leave the board",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"}]}",
 TURNS "\"after_move\":[{\"do\":[{\"remove\":{\"cells\":\"groups\",\"by\":[{\"x\":1}],\"is\":{\"player\":\"enemy\"},\"liberties\":0}}]}],",
 "a.bBa.b.aA", "0-1 :.a..a.b.aA"},
{"a group is that of the target, unless something else is said",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"}]}",
 TURNS "\"after_move\":[{\"do\":[{\"flip\":{\"cells\":\"group\",\"by\":[{\"x\":1}],\"size\":{\"min\":2}}}]}],",
 "a.AA..bB..", "0-1 :.aAA..bB.. 6-5 :.aAA.b.B.."},
{"count: so many cells in such groups",
 "\"man\":{\"movement\":[{\"x\":-1,\"for\":\"move\",\"if\":{\"count\":{\"cells\":\"groups\",\"by\":[{\"x\":1}],\"is\":{\"player\":\"any\"},\"size\":2,\"min\":4,\"max\":4}}}]}",
 TURNS, ".aA.bB.bbb", "@1-0"},
{"connected: some that hang together lie in all the zones",
 "\"man\":{\"movement\":[{\"x\":-1}]}",
 TURNS "\"zones\":{\"l\":\"x == 0\",\"r\":\"x == 3\"},\"results\":[{\"if\":{\"connected\":{\"zones\":[\"l\",\"r\"],\"by\":[{\"x\":1}],\"is\":{\"player\":\"mover\"}}},\"result\":{\"winner\":\"mover\"},\"reason\":\"through\"}],",
 "AA.aa...b.", "%playing 3-2 %playing 8-9 4-3 %won:a:through"},
{"connected: so many of the zones are enough",
 "\"man\":{\"movement\":[{\"x\":-1}]}",
 TURNS "\"zones\":{\"l\":\"x == 0\",\"m\":\"x == 1\",\"r\":\"x == 5\"},\"results\":[{\"if\":{\"connected\":{\"zones\":[\"r\",\"m\",\"l\"],\"at_least\":2,\"by\":[{\"x\":1}],\"is\":{\"player\":\"mover\"}}},\"result\":{\"winner\":\"mover\"},\"reason\":\"two\"}],",
 "A.a.aA..b.", "4-3 %playing undo 2-1 %won:a:two"},
{"connected without zones: all that are like this hang together",
 "\"man\":{\"movement\":[{\"x\":-1}]}",
 TURNS "\"results\":[{\"if\":{\"connected\":{\"by\":[{\"x\":1}],\"is\":{\"player\":\"mover\"}}},\"result\":{\"winner\":\"mover\"},\"reason\":\"all in one\"}],",
 ".Aa.a.b.b.", "4-3 %won:a:all_in_one undo %playing"},
{"connected: none at all are not",
 "\"man\":{\"movement\":[{\"x\":-1}]}",
 TURNS "\"results\":[{\"if\":{\"connected\":{\"by\":[{\"x\":1}],\"is\":{\"figure\":\"stone\"}}},\"result\":\"draw\",\"reason\":\"none\"}],",
 ".aa.....b.", "1-0 %playing"},
{"attacked: a cell an enemy could take on",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"not\":{\"attacked\":{\"cell\":\"target\"}}}}]},\"king\":{\"movement\":[{\"x\":2,\"symmetric\":\"all\"}]}", TURNS,
 "a..B......", "@"},
{"previous: what the last move was",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"not\":{\"previous\":{\"figure\":\"king\",\"from\":{\"x\":9}}}}}]},\"king\":{\"movement\":[{\"x\":1,\"repeat\":true}]}", TURNS,
 "aa..A....B", "1-2 9-8 @4-5,4-6,4-7,4-8 ?2-3:the_movement_has_a_condition_that_does_not_hold"},
{"any, all and not combine conditions",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"any\":[{\"self\":{\"x\":0}},{\"all\":[{\"self\":{\"x\":2}},{\"not\":{\"target\":{\"empty\":true}}}]}]}}]}", TURNS,
 "a.abaa....", "@0-1,2-3"},
{"unmoved: stands where the game began and has never moved",
 "\"man\":{\"movement\":[{\"x\":1},{\"x\":2,\"if\":{\"self\":{\"unmoved\":true}}}]},\"king\":{\"movement\":[{\"x\":1}]}", TURNS,
 "a........B", "@0-1,0-2 0-1 9-8 @1-2 undo undo @0-1,0-2"},

/* --- placing --- */
{"what is put comes to an empty cell, and the turn is over",
 STILL, TURNS "\"place\":[{\"put\":\"stone\"}],",
 "ab.baabbab", "@+2 !+0 !+5 +2 :abxbaabbab >b"},
{"a placement belongs to who makes it, and is taken back",
 STILL, TURNS "\"place\":[{\"put\":\"man\"}],",
 "ab..bbbbab", "+2 +3 :ababbbbbab undo undo :ab..bbbbab >a"},
{"figures go and are put by the same player",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS "\"place\":[{\"put\":\"stone\",\"in\":\"yard\"}],\"zones\":{\"yard\":\"x > 7\"},",
 "a........b", "@0-1,+8 0-1 @9-8,+8 +8 :.a......yb"},
{"of several kinds one is chosen, on every cell",
 STILL, TURNS "\"place\":[{\"put\":[\"man\",\"king\"]},{\"put\":\"stone\",\"in\":\"yard\"}],\"zones\":{\"yard\":\"x == 8\"},",
 "abababab.b", "@+8=man,+8=king,+8=stone !+8 ?+9=stone:9_is_not_empty:_the_man_of_b_stands_there +8=king :ababababAb"},
{"the choice is said though only one kind can be put there",
 STILL, TURNS "\"place\":[{\"put\":\"man\",\"in\":\"left\"},{\"put\":\"king\",\"in\":\"right\"}],\"zones\":{\"left\":\"x == 1\",\"right\":\"x == 8\"},",
 "a........b", "@+1=man,+8=king !+1=king !+1 ?+1:say_what_is_put_on_1 ?+1=king:a_may_put_nothing_on_1"},
{"each player puts their own, where it stands under their names",
 STILL, TURNS "\"place\":{\"a\":[{\"put\":\"man\",\"in\":\"left\"}],\"b\":[{\"put\":\"king\",\"in\":\"right\"}]},\"zones\":{\"left\":\"x == 1\",\"right\":\"x == 8\"},",
 "a........b", "@+1 +1 @+8 +8 :aa......Bb"},
{"a zone is that of who puts",
 STILL, TURNS "\"place\":[{\"put\":\"man\",\"in\":\"home\"}],\"zones\":{\"home\":{\"each\":\"x == 1\"}},",
 "a........b", "@+1 +1 @+8 ?+1:1_is_not_empty:_the_man_of_a_stands_there ?+2:b_may_put_nothing_on_2"},
{"a condition is asked of the cell, which is self and target",
 STILL, TURNS "\"place\":[{\"put\":\"man\",\"if\":{\"neighbours\":{\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"mover\"}},\"at\":{\"of\":\"target\",\"by\":{\"x\":1},\"is\":{\"empty\":true}}}}],",
 "..a......b", "@+3 ?+2:2_is_not_empty:_the_man_of_a_stands_there !+1"},
{"a condition that does not hold is pointed at",
 STILL, TURNS "\"place\":[{\"put\":\"man\",\"if\":{\"target\":{\"x\":{\"max\":3}}}}],",
 "aaa......b", "@+3 ?+4:putting_a_figure_there_asks_something_of_4_that_is_not_so"},
{"what drops stays where nothing is further along, or something it lies on",
 STILL, TURNS "\"place\":{\"a\":[{\"put\":\"man\",\"drop\":{\"x\":-1}}],\"b\":[{\"put\":\"man\",\"drop\":{\"x\":1}}]},",
 "....--....", "@+0,+6 ?+2:what_is_put_on_2_would_not_stay_there:_it_would_fall_to_1 +6 @+3,+9 +9 @+0,+7"},
{"an entry that removes takes what is like it off the board",
 STILL, TURNS "\"place\":[{\"remove\":{\"player\":\"enemy\"},\"in\":\"left\"}],\"zones\":{\"left\":\"x < 5\"},\"stuck\":\"draw\",",
 "ab.B.....b", "@+1,+3 ?+0:the_man_of_a_on_0_may_not_be_removed ?+2:2_is_empty:_there_is_nothing_to_remove ?+9:a_may_put_nothing_on_9 +3 :ab.......b @+0 undo @+1,+3"},
{"what was removed is what moved, and what was taken",
 STILL, TURNS "\"place\":[{\"remove\":{\"player\":\"enemy\"}}],\"counters\":{\"n\":{\"add\":{\"previous\":{\"figure\":\"king\",\"player\":\"mover\",\"took\":\"king\",\"to\":{\"x\":3}}}}},",
 "aA.B.....b", "+3 #0:1 +1 #0:1"},
{"removing waits where an entry before it lets something be done",
 STILL, TURNS "\"place\":[{\"remove\":{\"player\":\"enemy\",\"figure\":\"man\"}},{\"remove\":{\"player\":\"enemy\"},\"otherwise\":true}],",
 "aa.BbB...b", "@+4,+9 ?+3:the_king_of_b_on_3_may_be_removed_only_where_no_other_can +4 @+0,+1 +0 @+9 +9 +1 @+3,+5"},
{"what is removed is not chosen though several kinds can be put",
 STILL, TURNS "\"place\":[{\"put\":[\"man\",\"king\"],\"in\":\"left\"},{\"remove\":{\"player\":\"enemy\"}}],\"zones\":{\"left\":\"x < 2\"},",
 "..a......b", "@+0=man,+0=king,+1=man,+1=king,+9 +9"},
{"a movement that leads anywhere leads to every other cell that is as it says",
 "\"man\":{\"movement\":[{\"anywhere\":true,\"for\":\"move\",\"if\":{\"count\":{\"is\":{\"player\":\"mover\"},\"max\":1}}}]}", TURNS,
 "a--....--b", "@0-3,0-4,0-5,0-6 0-3 @9-0,9-4,9-5,9-6 9-0"},
{"what drops for all players drops as each sees it",
 STILL, TURNS "\"place\":[{\"put\":\"man\",\"drop\":{\"x\":-1}}],",
 "..........", "@+0 +0 @+9 +9 @+1"},
{"in another phase nothing is put, and within a turn neither",
 "\"man\":{\"movement\":[{\"x\":1,\"continue\":\"may\",\"for\":\"move\"}]}",
 "\"turns\":[\"a\",{\"player\":\"b\",\"phase\":\"puts\"}],\"place\":[{\"put\":\"stone\",\"phase\":\"puts\"}],",
 "a.......b.", "@0-1 ?+2:figures_are_put_on_the_board_in_another_part_of_the_turn 0-1 @1-2,pass ?+5:the_man_on_1_goes_on_first pass @+0,+2,+3,+4,+5,+6,+7,+9"},
{"where only the figure that moved last may act nothing is put",
 "\"man\":{\"movement\":[{\"x\":1},{\"x\":-1,\"phase\":\"again\"}]}",
 "\"turns\":[\"a\",{\"player\":\"a\",\"phase\":\"again\",\"same_figure\":true},\"b\"],\"place\":[{\"put\":\"stone\"},{\"put\":\"stone\",\"phase\":\"again\"}],",
 "a.--..--.b", "@0-1,+1,+4,+5,+8 0-1 @1-0 ?+8:only_the_man_on_1_may_act_now"},
{"the figure that was put acts next where only that may",
 "\"man\":{\"movement\":[{\"x\":1,\"phase\":\"again\"}]}",
 "\"turns\":[\"a\",{\"player\":\"a\",\"phase\":\"again\",\"same_figure\":true},\"b\"],\"place\":[{\"put\":\"man\"}],",
 "a..----..b", "@+1,+2,+7,+8 +1 @1-2 1-2 :a.a----..b"},
{"what has been put is not unmoved, though the game began with its like there",
 "\"man\":{\"movement\":[{\"x\":2,\"if\":{\"self\":{\"unmoved\":true}}},{\"x\":1}]}", TURNS "\"place\":[{\"put\":\"man\",\"in\":\"first\"}],\"zones\":{\"first\":\"x == 0\"},",
 "a........b", "@0-1,0-2 0-1 9-8 +0 8-7 @1-2 !0-2"},
{"it has made no moves",
 "\"man\":{\"movement\":[{\"x\":2,\"if\":{\"self\":{\"moves_made\":0}}},{\"x\":1,\"if\":{\"self\":{\"moves_made\":1}}}]}", TURNS "\"place\":[{\"put\":\"man\",\"in\":\"first\"}],\"zones\":{\"first\":\"x == 0\"},",
 ".........b", "+0 9-7 0-2 7-6 @2-3,+0"},
{"previous: what was put moved, and comes from nowhere",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"previous\":{\"figure\":\"stone\",\"to\":{\"x\":4},\"took\":false}}},{\"x\":2,\"if\":{\"previous\":{\"figure\":\"stone\",\"from\":{\"x\":{\"min\":0}}}}}]}", TURNS "\"place\":[{\"put\":\"stone\"}],",
 "aaa......b", "+4 @9-8,+3,+5,+6,+7,+8"},
{"after a placement self and target are the cell",
 STILL, TURNS "\"place\":[{\"put\":\"man\"}],\"results\":[{\"if\":{\"self\":{\"x\":5},\"target\":{\"x\":5,\"player\":\"mover\"}},\"result\":{\"winner\":\"mover\"},\"reason\":\"five\"}],",
 "..........", "+4 %playing +5 %won:b:five"},
{"what follows a move follows a placement",
 STILL, TURNS "\"place\":[{\"put\":\"man\"}],\"after_move\":[{\"do\":[{\"remove\":{\"cells\":\"neighbours\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"}}}]}],\"counters\":{\"put\":{\"add\":{\"previous\":{\"figure\":\"man\"}}}},",
 ".aba......", "+4 +0 :b.baa..... #0:2"},
{"a placement may be forbidden",
 "\"king\":{\"movement\":[{\"x\":2,\"symmetric\":\"all\",\"for\":\"take\",\"if\":{\"at\":{\"of\":\"target\",\"is\":{\"figure\":\"man\",\"player\":\"a\"}}}}]}",
 TURNS "\"place\":[{\"put\":\"man\"}],\"forbid\":[{\"attacked\":{\"figure\":\"man\",\"player\":\"mover\"},\"words\":\"no\"}],",
 "...B......", "!+1 !+5 ?+1:would_leave_the_man_on_1_attacked_by_the_king_on_3 @+0,+2,+4,+6,+7,+8,+9"},
{"taking goes before putting",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"take\"}]}", TURNS "\"place\":[{\"put\":\"man\"}],\"priority\":[\"take\"],",
 "ab........", "@0-1 ?+4:taking_goes_first:_the_man_on_0_can_take_by_going_to_1 0-1 +4 @+0,+2,+3,+5,+6,+7,+8,+9"},
{"passing when stuck waits until nothing can be put",
 STILL, TURNS "\"place\":[{\"put\":\"man\",\"in\":\"one\"}],\"zones\":{\"one\":\"x == 1\"},\"pass\":\"when_stuck\",",
 "..........", "@+1 +1 @pass"},
{"no_moves of such figures counts what can be put",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS "\"place\":{\"a\":[{\"put\":\"stone\"}]},\"results\":[{\"if\":{\"no_moves\":{\"figure\":\"stone\"}},\"result\":\"draw\",\"reason\":\"none\"}],",
 "a........b", "%playing +4 %drawn:none"},
{"a player who puts nothing is told so",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS "\"place\":{\"a\":[{\"put\":\"stone\"}]},",
 "a........b", "+4 @9-8 ?+5:b_puts_no_figures_on_the_board"},

/* --- hands --- */
{"what is put from the hand must be there, and is used up",
 STILL, TURNS "\"hands\":{\"each\":{\"man\":2},\"b\":{\"man\":1}},\"place\":[{\"put\":\"man\",\"from\":\"hand\"}],\"pass\":\"when_stuck\",",
 "a........b", "*aa/b +1 *a/b +2 *a/ +3 */ @pass ?+5:b_has_no_man_in_hand undo *a/ :aab......b undo *a/b"},
{"of several kinds those can be chosen that are in hand",
 STILL, TURNS "\"hands\":{\"a\":{\"king\":1}},\"place\":[{\"put\":[\"man\",\"king\"],\"from\":\"hand\"},{\"put\":\"stone\",\"in\":\"yard\"}],\"zones\":{\"yard\":\"x == 8\"},",
 "abababa..b", "@+7=king,+8=king,+8=stone ?+7=man:a_has_no_man_in_hand !+7=stone +7=king */ :abababaA.b @+8=stone ?+8=king:b_has_no_king_in_hand"},
{"what is taken goes to the hand of who takes it, as theirs",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}", TURNS "\"takes_to\":\"hand\",\"place\":[{\"put\":\"man\",\"from\":\"hand\"}],",
 "ab......ab", "*/ 0-1 *a/ 9-8 *a/b +0 */b :aa......b. undo *a/b undo *a/ undo */ :ab......ab"},
{"in the hand it may be another kind",
 "\"man\":{\"movement\":[{\"x\":1}],\"in_hand\":\"king\"},\"king\":{\"movement\":[{\"x\":1}],\"in_hand\":\"stone\"}", TURNS "\"takes_to\":\"hand\",\"hands\":{\"b\":{\"stone\":1}},",
 "ab......AB", "*/y 0-1 *A/y 9-8 *A/yy"},
{"what was jumped goes to the hand when it leaves the board",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"}]}",
 TURNS "\"jumped_leave\":\"turn_ends\",\"takes_to\":\"hand\",",
 "ab.b......", "0-2 */ 2-4 *aa/ :....a....."},
{"what is removed after a move goes to no hand",
 STILL, TURNS "\"takes_to\":\"hand\",\"place\":[{\"put\":\"stone\"}],\"after_move\":[{\"do\":[{\"remove\":{\"cells\":\"neighbours\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"}}}]}],",
 "b.b......a", "+1 :.x.......a */"},
{"another hand is another position",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}", TURNS "\"hands\":{\"a\":{\"man\":1}},\"place\":[{\"put\":\"man\",\"from\":\"hand\"}],\"after_move\":[{\"if\":{\"previous\":{\"placed\":true}},\"do\":[{\"remove\":{\"cells\":\"target\"}}]}],\"results\":[{\"if\":{\"repetition\":2},\"result\":\"draw\",\"reason\":\"again\"}],",
 ".a......b.", "+4 :.a......b. 8-7 1-2 7-8 %playing 2-1 %drawn:again"},
{"hand: how much is in it",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"hand\":{\"max\":0}}},{\"x\":2,\"if\":{\"hand\":{\"player\":\"any\",\"min\":3}}},{\"x\":3,\"if\":{\"hand\":{\"player\":\"enemy\",\"figure\":\"king\"}}}]}", TURNS "\"hands\":{\"a\":{\"man\":1},\"b\":{\"man\":1,\"king\":1}},\"place\":[{\"put\":\"man\",\"from\":\"hand\"}],",
 "a........b", "@0-2,0-3,+1,+2,+3,+4,+5,+6,+7,+8 +4 @+1,+2,+3,+5,+6,+7,+8 +8 @0-1,0-3,4-5,4-7"},
{"previous: whether a figure was put",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"previous\":{\"placed\":true}}},{\"x\":2,\"if\":{\"previous\":{\"placed\":false}}}]}", TURNS "\"place\":[{\"put\":\"stone\",\"in\":\"yard\"}],\"zones\":{\"yard\":\"x == 5\"},",
 "a........b", "@+5 +5 @9-8 9-8 @0-2"},
{"no_moves forbids to leave no move: of those that nothing else forbids",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"mirror\",\"for\":\"move\"}]}", TURNS "\"place\":{\"a\":[{\"put\":\"stone\"}]},\"forbid\":[{\"no_moves\":true,\"words\":\"no move would be left\"}],",
 "........bb", "?+7:no_move_would_be_left !+7 +6 8-7 !+8"},
{"who is asked for moves is not asked to leave some",
 "\"man\":{\"movement\":{\"a\":[{\"x\":1,\"for\":\"move\"}],\"b\":[{\"x\":-1,\"for\":\"move\"}]}}", TURNS "\"forbid\":[{\"no_moves\":true}],",
 "a.b----.a.", "@8-9 8-9 !2-1 %won:a:b_has_no_legal_move"},

/* --- who has most --- */
{"most: who has more of what is counted has won, and the scores are known before",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 TURNS "\"counters\":{\"n\":{\"add\":true},\"own\":{\"per_player\":true,\"add\":{\"previous\":{\"took\":true}}}},\"results\":[{\"if\":{\"counter\":{\"name\":\"n\",\"min\":2}},\"result\":{\"most\":{\"is\":{\"player\":\"mover\"}}},\"reason\":\"more\"}],",
 "aa.a...b.b", "$6,4 3-4 %playing 9-8 $6,4 %won:a:more"},
{"most: as many are a tie, and a tie is a draw",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 TURNS "\"counters\":{\"n\":{\"add\":true},\"own\":{\"per_player\":true,\"add\":{\"previous\":{\"took\":true}}}},\"results\":[{\"if\":{\"counter\":{\"name\":\"n\",\"min\":2}},\"result\":{\"most\":{\"is\":{\"player\":\"mover\"}}},\"reason\":\"more\"}],",
 "a..a...b.b", "3-4 9-8 %drawn:more"},
{"most: a tie is won by who is named",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 TURNS "\"counters\":{\"n\":{\"add\":true},\"own\":{\"per_player\":true,\"add\":{\"previous\":{\"took\":true}}}},\"results\":[{\"if\":{\"counter\":{\"name\":\"n\",\"min\":2}},\"result\":{\"most\":{\"is\":{\"player\":\"mover\"}},\"tie\":\"b\"},\"reason\":\"more\"}],",
 "a..a...b.b", "3-4 9-8 %won:b:more"},
{"most: a half more breaks ties",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 TURNS "\"counters\":{\"n\":{\"add\":true},\"own\":{\"per_player\":true,\"add\":{\"previous\":{\"took\":true}}}},\"results\":[{\"if\":{\"counter\":{\"name\":\"n\",\"min\":2}},\"result\":{\"most\":{\"is\":{\"player\":\"mover\"}},\"plus\":{\"b\":0.5}},\"reason\":\"more\"}],",
 "a..a...b.b", "$4,5 3-4 9-8 %won:b:more"},
{"most: less may be counted, too",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 TURNS "\"counters\":{\"n\":{\"add\":true},\"own\":{\"per_player\":true,\"add\":{\"previous\":{\"took\":true}}}},\"results\":[{\"if\":{\"counter\":{\"name\":\"n\",\"min\":2}},\"result\":{\"most\":{\"is\":{\"player\":\"enemy\"},\"times\":-1},\"plus\":{\"a\":-1.5}},\"reason\":\"more\"}],",
 "a..a...b.b", "$-7,-4 3-4 9-8 %won:b:more"},
{"most: a zone is that of whose score it is",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 "\"zones\":{\"home\":{\"each\":\"x < 3\"}}," TURNS "\"counters\":{\"n\":{\"add\":true},\"own\":{\"per_player\":true,\"add\":{\"previous\":{\"took\":true}}}},\"results\":[{\"if\":{\"counter\":{\"name\":\"n\",\"min\":2}},\"result\":{\"most\":{\"is\":{\"zone\":\"home\",\"empty\":false}}},\"reason\":\"more\"}],",
 "ab.a...b.b", "$4,4 3-4 9-8 $4,4 %drawn:more"},
{"most: a list is a sum, of counters too",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 TURNS "\"counters\":{\"n\":{\"add\":true},\"own\":{\"per_player\":true,\"add\":{\"previous\":{\"took\":true}}}},\"results\":[{\"if\":{\"counter\":{\"name\":\"n\",\"min\":2}},\"result\":{\"most\":[{\"is\":{\"player\":\"mover\",\"figure\":\"king\"},\"times\":5},{\"counter\":\"own\",\"times\":2}]},\"reason\":\"more\"}],",
 "ab.A...B.b", "$10,10 0-1 $14,10 9-8 %won:a:more"},

/* --- taking --- */
{"a jump takes what it jumps over",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\"}]}", TURNS,
 "ab..Ab....", "0-2 :..a.Ab...."},
{"a mark is there for the enemy's next move and then gone",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"for\":\"move\",\"mark\":\"passed\"}]},"
 "\"king\":{\"movement\":[{\"x\":2,\"for\":\"take\",\"takes_marked\":\"passed\"},{\"x\":1,\"for\":\"move\"}]}", TURNS,
 "a..B.....B", "0-2 @3-1,9-8 3-1 :.B.......B undo 9-8 :..aB....B."},
{"own marks are not taken on",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"for\":\"move\",\"mark\":\"passed\",\"continue\":\"may\"},"
 "{\"x\":-1,\"for\":\"take\",\"takes_marked\":\"passed\",\"continue\":\"may\"}]}", TURNS,
 "a.........", "0-2 !2-1 @2-4,pass"},
{"a take by a mark behind a movement that goes there anyway takes nothing",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"for\":\"move\",\"mark\":\"passed\"}]},"
 "\"king\":{\"movement\":[{\"x\":2,\"for\":\"move\"},{\"x\":2,\"for\":\"take\",\"takes_marked\":\"passed\"}]}", TURNS,
 "a..B......", "0-2 @3-1 3-1 :.Ba......."},
{"before it, it takes",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"for\":\"move\",\"mark\":\"passed\"}]},"
 "\"king\":{\"movement\":[{\"x\":2,\"for\":\"take\",\"takes_marked\":\"passed\"},{\"x\":2,\"for\":\"move\"}]}", TURNS,
 "a..B......", "0-2 @3-1 3-1 :.B........"},
{"a jump that asks for a figure where it lands is never made",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\","
 "\"if\":{\"target\":{\"player\":\"enemy\"}}}]},\"king\":{\"movement\":[{\"x\":1}]}", TURNS,
 "ab...A....", "@5-6"},

/* --- promotion --- */
{"one possibility is not asked for",
 "\"man\":{\"movement\":[{\"x\":1}],\"promote\":{\"in\":\"last\",\"to\":[\"king\"]}}",
 TURNS "\"zones\":{\"last\":{\"each\":\"x == 9\"}},",
 "........a.", "@8-9 ?8-9=king:the_man_cannot_choose_to_become_a_king_by_this_move 8-9 :.........A"},
{"of several one is chosen, and one must be",
 "\"man\":{\"movement\":[{\"x\":1}],\"promote\":{\"in\":\"last\",\"to\":[\"king\",\"stone\"]}}",
 TURNS "\"zones\":{\"last\":{\"each\":\"x == 9\"}},",
 "........a.", "@8-9=king,8-9=stone ?8-9:say_what_the_man_becomes_on_9 8-9=stone :.........x"},
{"an optional one may be declined",
 "\"man\":{\"movement\":[{\"x\":1}],\"promote\":{\"in\":\"last\",\"to\":[\"king\"],\"optional\":true}}",
 TURNS "\"zones\":{\"last\":{\"each\":\"x == 9\"}},",
 "........a.", "@8-9=king,8-9 8-9 :.........a"},
{"it may depend on where it comes from",
 "\"man\":{\"movement\":[{\"x\":1}],\"promote\":{\"from\":\"first\",\"to\":[\"king\"]}}",
 TURNS "\"zones\":{\"first\":{\"each\":\"x == 0\"}},",
 "a.a......b", "0-1 :.Aa......b 9-8 :.Aa.....B. 2-3 :.A.a....B."},
{"two entries that apply are united",
 "\"man\":{\"movement\":[{\"x\":1,\"promote\":{\"to\":\"stone\",\"in\":\"last\"}}],\"promote\":{\"in\":\"last\",\"to\":[\"king\"]}}",
 TURNS "\"zones\":{\"last\":{\"each\":\"x == 9\"}},",
 "........a.", "@8-9=king,8-9=stone"},
{"into the kind of what is taken, if it is another",
 "\"man\":{\"movement\":[{\"x\":1}],\"promote\":{\"to\":\"taken\",\"optional\":true}}", TURNS,
 "aBab......", "@0-1=king,0-1,2-3 0-1=king :.Aab......"},

/* --- turns of several moves --- */
{"a capture goes on with the same figure and the same player",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"},{\"x\":1,\"for\":\"move\"}]}", TURNS,
 "ab.b.a...b", "0-2 >a :..ab.a...b @2-4 ?5-6:the_man_on_2_goes_on_first ?pass:the_man_on_2_must_go_on 2-4 >b :....aa...b"},
{"one that may go on may also end the turn by a pass",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"any\",\"for\":\"move\",\"continue\":\"may\"}]},\"king\":{\"movement\":[{\"x\":1}]}", TURNS,
 "aA.A.....B", "0-2 >a @2-4,pass pass >b :.AaA.....B"},
{"while it goes on it does not come back where it has been",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":[2,2],\"over\":\"any\",\"for\":\"move\",\"continue\":\"may\"}]},\"king\":{\"movement\":[{\"x\":1}]}", TURNS,
 "aA.A.....B", "0-2 ?2-0:the_man_has_been_on_0_in_this_turn_already !2-0 2-4 >b"},
{"what is taken may stand until the turn ends, in the way of everything",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":[2,4],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"},{\"x\":1,\"for\":\"move\"}]}",
 TURNS "\"jumped_leave\":\"turn_ends\",",
 "ab..b....b", "0-3 >a :.b.ab....b !3-0 @3-5,3-6,3-7 3-5 >b :.....a...b"},
{"promotion may wait for the end of the turn",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"}],"
 "\"promote\":{\"in\":\"odd\",\"to\":[\"king\"],\"when\":\"turn_ends\"}}",
 TURNS "\"zones\":{\"odd\":\"x == 3 || x == 5\"},",
 ".ab.b....b", "1-3 :...ab....b 3-5 :.....A...b"},
{"a promotion that stops ends the turn",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"}],"
 "\"promote\":{\"in\":\"middle\",\"to\":[\"king\"],\"stops\":true}},"
 "\"king\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"}]}",
 TURNS "\"zones\":{\"middle\":\"x == 2\"},",
 "ab.b.....b", "0-2 >b :..Ab.....b"},
{"without that it goes on as what it has become",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"}],"
 "\"promote\":{\"in\":\"middle\",\"to\":[\"king\"]}},"
 "\"king\":{\"movement\":[{\"x\":1,\"repeat\":[3,3],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"}]}",
 TURNS "\"zones\":{\"middle\":\"x == 2\"},",
 "ab.b.....b", "0-2 >a @2-5 2-5 >b :.....A...b"},
{"a phase has its own movements, and only the figure that moved",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"},{\"x\":1,\"for\":\"put\",\"put\":\"stone\",\"phase\":\"shoot\"}]}",
 "\"turns\":[\"a\",{\"player\":\"a\",\"phase\":\"shoot\",\"same_figure\":true},\"b\"],",
 "a..a.....b", "@0-1,3-4 0-1 >a @1-2 ?3-4:only_the_man_on_1_may_act_now 1-2 :.axa.....b >b"},

{"what a movement asks of other cells turns with its direction",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"for\":\"move\",\"if\":{\"at\":{\"by\":{\"x\":-1},\"is\":{\"empty\":false}}}}]}", TURNS,
 "..aa......", "@2-1,3-4"},
{"and so do the neighbours it counts",
 "\"man\":{\"movement\":[{\"x\":1,\"also_reversed\":true,\"for\":\"move\",\"if\":{\"not\":[{\"neighbours\":{\"by\":[{\"x\":-1},{\"x\":-2}],\"is\":{\"empty\":false},\"max\":1}}]}}]}", TURNS,
 "...aaa....", "@3-2,5-6"},
{"neighbours that are the same in all directions stay as they are",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"for\":\"move\",\"if\":{\"neighbours\":{\"of\":\"target\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"}}}}]}", TURNS,
 "..a.b.....", "@2-3"},

/* --- several figures --- */
#define CASTLE(more)                                                                               \
    "\"turns\":[\"a\",\"b\"],\"combined_movements\":[{\"figures\":[{\"figure\":\"king\",\"unmoved\":true,\"by\":{\"x\":2}},"    \
    "{\"figure\":\"stone\",\"unmoved\":true,\"at\":{\"x\":3},\"by\":{\"x\":-2}}]" more "}],"
{"figures move together, each to an empty cell",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":1,\"repeat\":true}]}", CASTLE(""),
 "..A..x...b", "@2-3,2-4 2-4 :...xA....b"},
{"who has moved cannot take part",
 "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]},\"man\":{\"movement\":[{\"x\":1}]}", CASTLE(""),
 "..A..x...b", "2-1 9-8 1-2 8-7 ?2-4:the_king_on_2_has_moved_before @2-1,2-3"},
{"cells that must be empty are",
 "\"king\":{\"movement\":[{\"x\":1}]}", CASTLE(",\"empty\":[{\"x\":-1}]"),
 ".bA..x....", "@2-3 ?2-4:1_must_be_empty,_but_the_man_of_b_stands_there"},
{"cells that must be safe are not attacked",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":1,\"repeat\":true}]}", CASTLE(",\"safe\":[{},{\"x\":1},{\"x\":-2}]"),
 "b.A..x....", "@2-3,2-4"},
{"and where one is attacked it is said by whom",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":-1,\"repeat\":true}]}", CASTLE(",\"safe\":[{},{\"x\":1},{\"x\":-2}]"),
 "b.A..x....", "@2-3 ?2-4:2_is_attacked_by_the_man_on_0"},

{"cells are safe or not as if the first figure stood there, and not where it stands",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":-1,\"repeat\":true}]}", CASTLE(",\"safe\":[{\"x\":1}]"),
 "b.A..x....", "@2-3 ?2-4:3_is_attacked_by_the_man_on_0 ~2-4 :b..xA....."},
{"so an attack that asks what stands there finds the first figure",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":-1,\"repeat\":true,\"if\":{\"target\":{\"figure\":\"king\"}}}]}", CASTLE(",\"safe\":[{\"x\":1}]"),
 "b.A..x....", "@2-3"},

/* --- passes --- */
{"a turn is left out unless what it asks of the last move holds",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[\"a\",{\"player\":\"a\",\"if\":{\"previous\":{\"took\":true}}},\"b\"],",
 "ab.......b", "0-1 @1-2 1-2 >b @9-8 9-8 2-3 @8-7"},
{"the mover of a turn's condition is whose turn it would be, self and target are the last move's",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[\"a\",{\"player\":\"b\",\"if\":{\"target\":{\"player\":\"enemy\",\"x\":{\"min\":2}},\"self\":{\"empty\":true}}}],",
 "a........b", "0-1 >a 1-2 >b"},
{"where no turn's condition holds the first of the round comes",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[{\"player\":\"a\",\"if\":{\"count\":{\"is\":{\"figure\":\"king\"}}}},{\"player\":\"b\",\"if\":{\"count\":{\"is\":{\"figure\":\"king\"}}}}],",
 "a........b", "0-1 >b 9-8 >a"},
{"a turn's condition is asked after after_move and counters",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[\"a\",{\"player\":\"a\",\"if\":{\"counter\":{\"name\":\"n\",\"max\":2},\"count\":{\"is\":{\"player\":\"b\"},\"max\":1}}},\"b\"],\"counters\":{\"n\":{\"add\":true}},\"after_move\":[{\"do\":[{\"remove\":{\"cells\":\"neighbours\",\"by\":[{\"x\":1}]}}]}],",
 "a.b......b", "0-1 :.a.......b >a 1-2 >b 9-8 2-3 >b"},
{"a turn may be passed as it says itself",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[\"a\",{\"player\":\"a\",\"pass\":true},{\"player\":\"a\",\"pass\":true,\"if\":{\"previous\":{\"passed\":false}}},\"b\"],",
 "a........b", "@0-1 0-1 @1-2,pass pass >b 9-8 1-2 2-3 @3-4,pass"},
{"or not, though the file lets others be passed",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[{\"player\":\"a\",\"pass\":false},\"b\"],\"pass\":true,",
 "a........b", "@0-1 ?pass:there_is_no_passing_in_this_turn 0-1 @9-8,pass"},
{"a move state says the same",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"game_states\":{\"one\":{\"type\":\"move\",\"parameters\":{\"player\":\"a\"},\"next\":\"two\"},\"two\":{\"type\":\"move\",\"parameters\":{\"player\":\"b\",\"if\":{\"target\":{\"x\":{\"min\":2}}},\"pass\":true},\"next\":\"round\"},\"round\":{\"type\":\"next_move\",\"next\":\"one\"}},\"initial_game_state\":\"one\",",
 "a........b", "0-1 >a 1-2 >b @9-8,pass"},
{"sides may be swapped instead of the second player's first move, in the mirror",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS "\"pie\":true,",
 "a........b", "@0-1 ?swap:sides_are_swapped_only_in_the_second_player's_first_turn 0-1 @9-8,swap ?swap:swaps_sides swap :a.......b. >a @0-1 0-1 >b @8-7 undo undo @9-8,swap 9-8 >a @1-2 1-2 @8-7"},
{"or not, where the file does not say so",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS, "a........b", "0-1 @9-8 ?swap:sides_are_not_swapped_in_this_game"},
{"what is in hand and what players have counted becomes the other one's, too",
 STILL, TURNS "\"pie\":true,\"hands\":{\"each\":{\"man\":2}},\"place\":[{\"put\":\"man\",\"from\":\"hand\"}],\"counters\":{\"n\":{\"per_player\":true,\"add\":{\"previous\":{\"placed\":true}}}},",
 "..........", "+2 *a/bb #0:1 #1:0 swap :.......b.. *aa/b #0:0 #1:1 undo :..a....... *a/bb #0:1 #1:0"},
{"what had never moved still has not, though the other player has it",
 "\"man\":{\"movement\":[{\"x\":1},{\"x\":2,\"if\":{\"self\":{\"unmoved\":true}}}]}", TURNS "\"pie\":true,",
 "aa......bb", "1-2 swap :aa.....b.b @0-2,1-2,1-3 1-2 @7-6,9-8"},
{"a swap of sides stands for a move, and the next turn comes",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[\"a\",\"b\",\"b\"],\"pie\":true,",
 "a........b", "0-1 swap >b @8-7 8-7 >a"},
{"who has passed does not swap sides any more, but who waits for it may",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS "\"pie\":true,\"pass\":true,",
 "a........b", "pass @9-8,swap,pass swap :a........b undo pass 0-1 @9-8,pass"},
{"passing may be allowed",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS "\"pass\":true,", "a........b", "@0-1,pass pass >b pass >a"},
{"passing may be for who is stuck, and then it must be",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"}]}", TURNS "\"pass\":\"when_stuck\",",
 "a.......ab", "?pass:there_are_moves_that_go_before_passing 0-1 @pass pass >a"},
{"passing may have a condition",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS "\"pass\":{\"count\":{\"is\":{\"figure\":\"king\"},\"min\":1}},",
 "a........b", "!pass @0-1"},

/* --- priorities --- */
#define DRAUGHTS(from, to)                                                                                  \
    "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":[" from "," to "],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"},"  \
    "{\"x\":1,\"symmetric\":\"all\",\"for\":\"move\"}]}"
{"taking may go first",
 DRAUGHTS("2", "2"), TURNS "\"priority\":[\"take\"],",
 "a....ab...", "@5-7 ?0-1:taking_goes_first:_the_man_on_5_can_take_by_going_to_7"},
{"and of the takes those that take most",
 DRAUGHTS("2", "2"), TURNS "\"priority\":[\"take\",\"most_taken\"],",
 "ab.b.a.a.b", "@0-2"},
{"a capture that has begun goes on along the longest way",
 DRAUGHTS("2", "3"), TURNS "\"priority\":[\"take\",\"most_taken\"],",
 "ab..b..b..", "@0-2,0-3 0-3 >a @3-5,3-6 3-6 @6-8,6-9 6-9 >b :.........a"},
{"behind what is jumped those cells go first from where it goes on",
 DRAUGHTS("2", "4"), TURNS "\"priority\":[\"take\",\"can_go_on\"],",
 "ab....b..b", "@0-3,0-4 ?0-2:from_another_cell_behind_what_it_takes_the_man_could_go_on"},

/* --- counters, what follows a move, what is forbidden --- */
{"a counter is reset or counted, not both",
 "\"man\":{\"movement\":[{\"x\":1}]},\"king\":{\"movement\":[{\"x\":1}]}",
 TURNS "\"counters\":{\"quiet\":{\"start\":5,\"add\":true,\"reset\":{\"previous\":{\"took\":true}}}},",
 "a.A.....bB", "#0:5 2-3 #0:6 8-7 #0:7 3-4 9-8 #0:9 undo #0:8 undo #0:7"},
{"a counter of each player counts for who moved",
 "\"man\":{\"movement\":[{\"x\":1}]}",
 TURNS "\"counters\":{\"mine\":{\"per_player\":true,\"add\":{\"previous\":{\"took\":true}}}},",
 "ab........", "0-1 #0:1 #1:0 :.a........"},
{"what happens after a move is taken back with it",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true}]}",
 TURNS "\"after_move\":[{\"if\":{\"previous\":{\"took\":true}},\"do\":[{\"remove\":{\"cells\":\"neighbours\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"figure\":[\"king\",\"stone\"]}}},{\"remove\":{\"cells\":\"target\"}}]}],",
 "a..bB.y...", "0-3 :......y... undo :a..bB.y..."},
{"a zone may be cleared after a move",
 "\"man\":{\"movement\":[{\"x\":1}]}",
 TURNS "\"zones\":{\"pit\":\"x == 1 || x == 5\"},\"after_move\":[{\"do\":[{\"remove\":{\"cells\":\"pit\"}}]}],",
 "a....B...b", "0-1 :.........b"},
{"what is turned over becomes the mover's and stays what it is",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"}]}",
 TURNS "\"after_move\":[{\"do\":[{\"flip\":{\"cells\":\"neighbours\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}]}}]}],",
 ".a.B.b....", "1-2 :..aA.b.... >b undo :.a.B.b.... 1-2 @5-4 5-4 :..aBb..... undo undo :.a.B.b...."},
{"enemies in a row between the target and another of the mover are enclosed",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"for\":\"move\"}]}",
 TURNS "\"after_move\":[{\"do\":[{\"flip\":{\"cells\":\"enclosed\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"},\"end\":{\"player\":\"mover\"}}}]}],",
 "a..bBa.b.a", "0-2 :..aaAa.b.a undo :a..bBa.b.a"},
{"what is not like its end encloses nothing",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"for\":\"move\"}]}",
 TURNS "\"after_move\":[{\"do\":[{\"flip\":{\"cells\":\"enclosed\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"},\"end\":{\"figure\":\"king\"}}}]}],",
 "a..bba..b.", "0-2 :..abba..b."},
{"an edge may enclose",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"for\":\"move\"}]}",
 TURNS "\"after_move\":[{\"do\":[{\"remove\":{\"cells\":\"enclosed\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"},\"end\":[{\"player\":\"mover\"},{\"exists\":false}]}}]}],",
 "a......bbb", "0-6 :......a..."},
{"so many are enclosed as `length` says",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"for\":\"move\"}]}",
 TURNS "\"after_move\":[{\"do\":[{\"remove\":{\"cells\":\"enclosed\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"},\"end\":{\"player\":\"mover\"},\"length\":1}}]}],",
 "a.bba.a.ba", "4-5 :a.bb.aa.ba undo 6-7 :a.bba..a.a"},
{"or from least to most",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"for\":\"move\"}]}",
 TURNS "\"after_move\":[{\"do\":[{\"remove\":{\"cells\":\"enclosed\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"},\"end\":{\"player\":\"mover\"},\"length\":[2,null]}}]}],",
 "a.bba.a.ba", "0-1 :.a..a.a.ba undo 6-7 :a.bba..aba"},
{"cells are counted as a selection says, before the move seen from its target",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"for\":\"move\",\"if\":{\"count\":{\"cells\":\"enclosed\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"},\"end\":{\"player\":\"mover\"}}}}]}",
 TURNS "",
 "a....ba...", "@0-4"},
{"a selection has a name where it is used twice",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"for\":\"move\",\"if\":{\"count\":{\"cells\":\"turned\",\"min\":2}}}]}",
 TURNS "\"selections\":{\"turned\":{\"cells\":\"enclosed\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"},\"end\":{\"player\":\"mover\"}}},\"after_move\":[{\"do\":[{\"flip\":{\"cells\":\"turned\"}}]}],",
 "a...bba.b.", "@0-3 0-3 :...aaaa.b."},
{"a figure that is turned over has been moved",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\",\"if\":{\"self\":{\"unmoved\":true}}}]}",
 TURNS "\"pass\":\"when_stuck\",\"after_move\":[{\"do\":[{\"flip\":{\"cells\":\"neighbours\",\"by\":[{\"x\":1}]}}]}],",
 ".a.b....a.", "1-2 :..aa....a. pass @8-9"},
{"holes around a cell can be counted",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"for\":\"move\",\"if\":{\"count\":{\"cells\":\"neighbours\",\"by\":[{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"exists\":false}}}}]}",
 TURNS "",
 ".a......a.", "@1-0,8-9"},
{"the figures of a zone can be counted",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\",\"if\":{\"count\":{\"cells\":\"pit\",\"max\":0}}}]}",
 TURNS "\"zones\":{\"pit\":{\"a\":\"x > 6\",\"b\":\"x < 3\"}},",
 ".a....b...", "@1-2 1-2 @"},
{"a cell that two steps lead to is one cell",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\",\"if\":{\"count\":{\"cells\":\"neighbours\",\"of\":\"self\",\"by\":[{\"x\":-1},{\"x\":1,\"symmetric\":\"all\"}],\"is\":{\"player\":\"enemy\"},\"min\":2}}}]}",
 TURNS "",
 "ba.......b", "@"},
#define KINGS "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]},\"man\":{\"movement\":[{\"x\":1,\"repeat\":true}]}"
#define NO_CHECK TURNS "\"forbid\":[{\"attacked\":{\"figure\":\"king\",\"player\":\"mover\"}}],"
{"what stands between may not go away",
 KINGS ",\"stone\":{\"movement\":[{\"x\":-1,\"for\":\"take\"},{\"x\":6}]}", NO_CHECK,
 "A.x.b.....", "@0-1 ?2-8:would_leave_the_king_on_0_attacked_by_the_man_on_4"},
{"forbid holds for passes too",
 KINGS ",\"stone\":{\"movement\":[{\"x\":-6}]}", NO_CHECK "\"pass\":true,",
 "A....b...x", "@9-3 ?pass:would_leave_the_king_on_0_attacked_by_the_man_on_5 !pass"},
{"the words of the file are said of what is not about an attack",
 "\"man\":{\"movement\":[{\"x\":1}]}",
 TURNS "\"zones\":{\"pit\":\"x == 1\"},\"forbid\":[{\"count\":{\"is\":{\"figure\":\"man\",\"zone\":\"pit\"},\"min\":1},\"words\":\"nobody goes into the pit\"}],",
 "a.a......b", "@2-3 ?0-1:nobody_goes_into_the_pit"},
{"a jump that takes attacks what it jumps over",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\"}]}", NO_CHECK,
 "A..b......", "@0-1 0-1 undo !0-2"},
{"and a king does not step in front of it where it can be jumped",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\"}]},\"stone\":{\"movement\":[{\"x\":-1}]}", NO_CHECK,
 ".A.b.....x", "@9-8 ?1-2:would_leave_the_king_on_2_attacked_by_the_man_on_3"},

#define SPARED TURNS "\"forbid\":[{\"attacked\":{\"figure\":\"king\",\"player\":\"enemy\"}}],"
#define SPARING "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]},\"man\":{\"movement\":[{\"x\":1,\"repeat\":true}]},\"stone\":{\"movement\":[{\"x\":1},{\"x\":6}]}"
{"who may not attack another's king does not go where it would, nor away from between",
 SPARING, SPARED, "a.x....B..", "@0-1,2-3 2-3 7-6 @0-1,0-2,3-4 !3-9"},
{"and where it is attacked already only takes it, or comes between",
 SPARING, SPARED, "a......B..", "@0-7"},
{"or leaves",
 "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]},\"man\":{\"movement\":[{\"x\":1,\"repeat\":true},{\"x\":9}]}", SPARED, "a......B..", "@0-7,0-9"},

/* --- results --- */
#define MATE_ONLY "\"results\":[{\"if\":{\"no_moves\":true,\"attacked\":{\"figure\":\"king\",\"player\":\"next\"}},\"result\":{\"winner\":\"mover\"},\"reason\":\"mate\"}],"
#define MATE "\"results\":[{\"if\":{\"no_moves\":true,\"attacked\":{\"figure\":\"king\",\"player\":\"next\"}},\"result\":{\"winner\":\"mover\"},\"reason\":\"mate\"},"   \
    "{\"if\":{\"no_moves\":true},\"result\":\"draw\",\"reason\":\"stalemate\"}],"
{"who cannot move and is attacked is mated",
 KINGS, NO_CHECK MATE,
 ".a.......B", "1-2 >b @ %won:a:mate ?9-8:the_game_is_over:_mate"},
{"who cannot move and is not attacked is not",
 "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]},\"man\":{\"movement\":[{\"x\":1}]}", NO_CHECK MATE,
 "..a....xyB", "2-3 @ %drawn:stalemate >b"},
{"who cannot move in a way no result speaks of has not lost, where some result asks for moves",
 "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]},\"man\":{\"movement\":[{\"x\":1}]}", NO_CHECK MATE_ONLY,
 "..a....xyB", "2-3 @ %drawn:b_has_no_legal_move"},
{"unless the file says so",
 "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]},\"man\":{\"movement\":[{\"x\":1}]}", NO_CHECK MATE_ONLY "\"stuck\":\"loss\",",
 "..a....xyB", "2-3 @ %won:a:b_has_no_legal_move"},
{"no moves of some figures, from and to some cells",
 "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]},\"man\":{\"movement\":[{\"x\":1}]}",
 TURNS "\"zones\":{\"goal\":\"x == 9\"},\"results\":[{\"if\":{\"next\":\"b\",\"no_moves\":{\"figure\":\"king\",\"from\":{\"x\":{\"min\":5}},\"to\":\"goal\"}},\"result\":{\"winner\":\"mover\"},\"reason\":\"cannot follow\"}],",
 "ab......B.", "0-1 undo %playing 0-1 %playing 8-7 %playing 1-2 %won:a:cannot_follow >-"},
{"only legal ones count",
 "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]},\"man\":{\"movement\":[{\"x\":1}]},\"stone\":{\"movement\":[{\"x\":8},{\"x\":1}]}",
 NO_CHECK "\"zones\":{\"goal\":\"x == 9\"},\"results\":[{\"if\":{\"next\":\"b\",\"no_moves\":{\"figure\":\"king\",\"to\":\"goal\"}},\"result\":{\"winner\":\"mover\"},\"reason\":\"cannot follow\"}],",
 "x.......B.", "0-1 %won:a:cannot_follow >- undo %playing"},
{"a result that does not ask for moves ends the game at once, and nobody is to move",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true}]}",
 TURNS "\"results\":[{\"if\":{\"count\":{\"is\":{\"figure\":\"man\",\"player\":\"enemy\"},\"max\":0}},\"result\":{\"winner\":\"mover\"},\"reason\":\"all gone\"}],",
 "a..b......", "%playing 0-3 %won:a:all_gone >- @ undo %playing >a"},
{"an earlier result that asks for moves goes before a later one that does not",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true}]}",
 TURNS "\"results\":[{\"if\":{\"no_moves\":true},\"result\":{\"loser\":\"mover\"},\"reason\":\"stuck\"},{\"if\":{\"count\":{\"is\":{\"figure\":\"man\",\"player\":\"enemy\"},\"max\":0}},\"result\":{\"winner\":\"mover\"},\"reason\":\"all gone\"}],",
 "a..b......", "0-3 %won:b:stuck @"},
{"a result with an alternative that does not need it does not wait for no moves",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":true}]}",
 TURNS "\"results\":[{\"if\":[{\"no_moves\":true},{\"count\":{\"is\":{\"figure\":\"man\",\"player\":\"b\"},\"max\":1}}],\"result\":{\"winner\":\"a\"},\"reason\":\"enough\"}],",
 "a..b.....b", "0-3 %won:a:enough @ >-"},
{"where no result speaks of it who cannot move loses as before",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"}]}", TURNS, "a.......ab", "0-1 @ %won:a:b_has_no_legal_move"},
{"a counter is set before one is added, and after it is set back",
 "\"man\":{\"movement\":[{\"x\":1}]}",
 TURNS "\"counters\":{\"n\":{\"add\":true,\"reset\":{\"previous\":{\"to\":{\"x\":2}}},\"set\":[{\"if\":{\"previous\":{\"took\":true}},\"to\":5,\"plus\":{\"is\":{\"empty\":false},\"times\":2}},"
 "{\"if\":{\"previous\":{\"to\":{\"x\":1}}},\"to\":7}]}},\"results\":[{\"if\":{\"counter\":{\"name\":\"n\",\"min\":9}},\"result\":\"draw\",\"reason\":\"nine\"}],",
 "a...ab...b", "0-1 9-8 %playing 4-5 %drawn:nine"},
{"a counter stands at nothing at least",
 "\"man\":{\"movement\":[{\"x\":1}]}",
 TURNS "\"counters\":{\"n\":{\"start\":2,\"set\":[{\"if\":{\"previous\":{\"player\":\"a\"}},\"to\":-3,\"plus\":{\"is\":{\"empty\":false}}},{\"to\":7}]}},",
 "a........b", "#0:2 0-1 #0:0 9-8 #0:7"},
{"a result for flags is looked at when time is over, and only then",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 TURNS "\"results\":[{\"if\":{\"count\":{\"is\":{\"player\":\"mover\"},\"max\":1}},\"result\":\"draw\",\"reason\":\"alone\",\"flag\":true},"
 "{\"if\":{\"count\":{\"is\":{\"player\":\"next\"},\"max\":2}},\"result\":{\"winner\":\"next\"},\"reason\":\"few\",\"flag\":true}],",
 "aaa......b", "%playing =drawn:alone 2-3 %playing =won:b:few"},
{"a claim ends nothing by itself",
 "\"man\":{\"movement\":[{\"x\":1}]}",
 TURNS "\"counters\":{\"n\":{\"add\":true}},\"results\":[{\"if\":{\"counter\":{\"name\":\"n\",\"min\":2}},\"result\":\"draw\",\"reason\":\"enough\",\"claim\":true}],",
 "a........b", "^playing 0-1 ^playing 9-8 ^drawn:enough %playing @1-2 1-2 ^drawn:enough undo undo ^playing"},
#define REPEATS(n) TURNS "\"results\":[{\"if\":{\"repetition\":" n "},\"result\":\"draw\",\"reason\":\"again\"}],"
#define STEPPERS "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}"
{"a position that comes for the third time is counted from the first",
 STEPPERS, REPEATS("3"),
 "A........B", "0-1 9-8 1-0 8-9 %playing 0-1 9-8 1-0 %playing 8-9 %drawn:again undo %playing 8-7"},
{"a capture makes a new beginning",
 STEPPERS, REPEATS("2"),
 "Ab.......B", "0-1 9-8 1-0 8-9 %playing 0-1 %drawn:again"},
{"a right that is lost makes another position",
 STEPPERS ",\"man\":{\"movement\":[]}", REPEATS("2") "\"combined_movements\":[{\"figures\":[{\"figure\":\"king\",\"unmoved\":true,\"by\":{\"x\":2}},{\"figure\":\"stone\",\"unmoved\":true,\"at\":{\"x\":3},\"by\":{\"x\":-2}}]}],",
 "A..x.....B", "0-1 9-8 1-0 8-9 %playing 0-1 %drawn:again"},
{"a mark nobody can take on does not make another position",
 "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":2,\"mark\":\"m\"}]}", REPEATS("2"),
 "A........B", "0-2 9-7 2-0 7-9 %drawn:again"},
#define PASSERS "\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":2,\"mark\":\"m\"},{\"x\":2,\"symmetric\":\"all\",\"for\":\"take\",\"takes_marked\":\"m\"}]}"
#define NOBODY_TAKES "{\"previous\":{\"took\":true},\"words\":\"nobody takes\"}"
{"a mark somebody may take on makes another position",
 PASSERS, REPEATS("2"),
 "A..B......", "0-2 @3-1,3-2,3-4,3-5 3-4 2-1 4-3 1-2 %playing 3-4 %drawn:again"},
{"a mark somebody reaches and must not take on does not",
 PASSERS, REPEATS("2") "\"forbid\":[" NOBODY_TAKES "],",
 "A..B......", "0-2 @3-4,3-5 3-4 2-1 4-3 1-2 %drawn:again"},
{"where a repetition is forbidden a mark counts that somebody reaches",
 PASSERS, TURNS "\"forbid\":[" NOBODY_TAKES ",{\"repetition\":2,\"words\":\"not again\"}],",
 "A..B......", "0-2 @3-4,3-5 3-4 2-1 4-3 1-2 >b"},
{"a counter that is never reset makes another position",
 STEPPERS, REPEATS("2") "\"counters\":{\"n\":{\"add\":true}},",
 "A........B", "0-1 9-8 1-0 8-9 %playing 0-1 %playing"},
{"a repetition is counted only as far back as a counter stands",
 STEPPERS, REPEATS("{\"times\":2,\"during\":\"n\"}") "\"counters\":{\"n\":{\"add\":true,\"reset\":{\"previous\":{\"to\":{\"x\":7}}}}},",
 "A........B", "0-1 9-8 1-0 8-9 %drawn:again undo 8-7 0-1 7-8 1-0 8-9 0-1 %playing 9-8 %drawn:again"},
{"a repetition can be forbidden",
 STEPPERS, TURNS "\"forbid\":[{\"repetition\":2,\"words\":\"not again\"}],",
 "A........B", "0-1 9-8 1-0 @8-7 ?8-9:not_again"},

/* --- action sets beside the new words --- */
{"a movement with actions may repeat in a range",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,3],\"cell_actions\":{\"destination\":[{\"actions\":[\"take\",\"move\"]}]}}]}", TURNS,
 "aab.......", "@0-2,0-3,1-3,1-4 0-2 :.aa......."},
{"a figure may have both kinds of movement, and the first that fits decides",
 "\"man\":{\"movement\":[{\"x\":1,\"cell_actions\":{\"destination\":[{\"actions\":[\"swap\"],\"if\":[{\"computed\":{\"is_figure\":true}}]}]}},{\"x\":1},{\"x\":2}]}", TURNS,
 "ab........", "@0-1,0-2 0-1 :ba........"},
{"the condition of an action set describes cells as others do",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[1,4],\"cell_actions\":{\"destination\":[{\"actions\":[\"move\"],\"if\":{\"target\":{\"empty\":true,\"not\":{\"x\":{\"min\":3}}}}},"
 "{\"actions\":[\"take\",\"move\"],\"if\":{\"target\":{\"figure\":[\"stone\",\"king\"],\"player\":\"enemy\"}}}]}}]}", TURNS,
 "ab.B......", "@0-2,0-3 0-3 :.b.a......"},

/* --- where the fast code and the general one once differed --- */
{"a move that two movements make is one move, also of many figures",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"},{\"x\":1,\"symmetric\":\"all\",\"for\":\"move\"}]}", TURNS,
 ".a.a.a....", "@1-0,1-2,3-2,3-4,5-4,5-6"},
{"and where the turn goes on with it",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\",\"continue\":\"may\"},{\"x\":1,\"symmetric\":\"all\",\"for\":\"move\",\"continue\":\"may\"}]}", TURNS,
 ".a........", "@1-0,1-2"},
{"a pass gives way to a take that goes first",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS "\"pass\":true,\"priority\":[\"take\"],",
 "ab.a......", "@0-1"},
{"where nothing can be taken first a swap is legal",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"swap\"}]}", TURNS "\"priority\":[\"take\"],",
 "aA........", "@0-1"},
{"a step to a marked cell takes, and is not a step as well",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"for\":\"move\",\"mark\":\"passed\"}]},"
 "\"king\":{\"movement\":[{\"x\":2,\"symmetric\":\"all\",\"takes_marked\":\"passed\"}]}", TURNS,
 "a..B......", "0-2 @3-1,3-5 3-1 :.B........"},
{"what was jumped leaves at the end of a turn that cannot go on",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\"}]}", TURNS "\"jumped_leave\":\"turn_ends\",",
 "ab......b.", "0-2 :..a.....b."},
{"a figure that only has to be there stays, and has not moved",
 "\"king\":{\"movement\":[]}", TURNS "\"combined_movements\":[{\"figures\":[{\"figure\":\"king\",\"by\":{\"x\":1}},"
 "{\"figure\":\"stone\",\"unmoved\":true,\"at\":{\"x\":3}}]}],\"pass\":true,",
 "..A..x.x..", "@2-3,pass 2-3 :...A.x.x.. pass @pass"},
{"nobody goes to where one stays",
 "\"king\":{\"movement\":[]}", TURNS "\"combined_movements\":[{\"figures\":[{\"figure\":\"king\",\"by\":{\"x\":1}},"
 "{\"figure\":\"stone\",\"at\":{\"x\":1}}]}],\"pass\":true,",
 "..Ax......", "@pass"},
{"nothing is put on an empty cell where the target must be somebody",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"put\",\"put\":\"man\",\"if\":{\"target\":{\"player\":\"enemy\",\"figure\":\"man\"}}},{\"x\":2}]}", TURNS,
 "a.b.......", "@0-2"},
{"a jump attacks only what it may jump over",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":{\"is\":{\"figure\":\"stone\"}},\"for\":\"take\",\"takes\":\"jumped\"}]}", NO_CHECK,
 ".A.b......", "@1-2"},
{"within a turn that goes on no position is repeated",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"any\",\"for\":\"move\",\"continue\":\"may\"}]}", TURNS "\"forbid\":[{\"repetition\":2}],",
 "aA.A.....B", "@0-2 0-2 >a @2-4,pass"},
{"a mark of one's own is not taken on by a second move",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"for\":\"move\",\"mark\":\"m\"}]},\"king\":{\"movement\":[{\"x\":-4,\"takes_marked\":\"m\"}]}",
 "\"turns\":[\"a\",\"a\",\"b\"],\"priority\":[\"take\"],",
 "a....A....", "0-2 @2-4,5-1 5-1 :.Aa......."},
{"what a figure says of promotion is mirrored, also where its movements are by player",
 "\"man\":{\"movement\":{\"a\":[{\"x\":1}],\"b\":[{\"x\":-1}]},\"promote\":{\"to\":[\"king\"],\"if\":{\"at\":{\"of\":\"target\",\"by\":{\"x\":1},\"is\":{\"exists\":false}}}}}", TURNS,
 ".b.....a..", "7-8 1-0 :B.......a."},
{"a promotion asks about the move before",
 "\"man\":{\"movement\":[{\"x\":1}],\"promote\":{\"to\":[\"king\"],\"if\":{\"previous\":{\"figure\":\"king\"}}}},\"king\":{\"movement\":[{\"x\":1}]}", TURNS,
 "a........B", "0-1 :.a.......B 9-8 1-2 :..A.....B."},
{"a pass that ends a turn is no move: results are about the one before",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"any\",\"for\":\"move\",\"continue\":\"may\"}]}",
 TURNS "\"results\":[{\"if\":{\"at\":{\"of\":\"target\",\"is\":{\"x\":2}}},\"result\":\"draw\",\"reason\":\"there\"}],",
 "aA.A.....B", "0-2 %playing pass %drawn:there"},
{"and so is what is forbidden",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"any\",\"for\":\"move\",\"continue\":\"may\"}]}",
 TURNS "\"forbid\":[{\"next\":\"b\",\"at\":{\"of\":\"target\",\"is\":{\"x\":2}}}],",
 "aA.A.....B", "0-2 @2-4"},
{"where only the figure that moved may move a pass leaves none, but may be repeated",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"},{\"x\":1,\"for\":\"put\",\"put\":\"stone\",\"phase\":\"shoot\"}]}",
 "\"turns\":[\"a\",{\"player\":\"a\",\"phase\":\"shoot\",\"same_figure\":true},\"b\"],\"pass\":true,",
 "a........b", "pass >a @pass %playing pass >b"},
{"where only one figure may move another one's take does not go first",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"},{\"x\":1,\"phase\":\"again\"}]},\"king\":{\"movement\":[{\"x\":1,\"phase\":\"again\"}]}",
 "\"turns\":[\"a\",{\"player\":\"a\",\"phase\":\"again\",\"same_figure\":true},\"b\"],\"priority\":[\"take\"],",
 "a...Ab....", "0-1 @1-2 %playing"},
{"a step of a turn that goes on is found beside captures that go first",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"take\",\"continue\":\"must\"},{\"x\":2,\"for\":\"move\",\"continue\":\"must\"}]}",
 TURNS "\"priority\":[\"take\"],",
 "ab.......b", "0-1 >a @1-3 1-3 >a :...a.....b"},
{"a figure whose actions leave it where it is goes on from there",
 "\"man\":{\"movement\":[{\"x\":1,\"continue\":\"must\",\"cell_actions\":{\"destination\":[{\"actions\":[],\"if\":{\"self\":{\"x\":0}}}]}},{\"x\":2,\"for\":\"move\",\"continue\":\"must\"}]}", TURNS,
 "ab........", "0-1 >a @0-1,0-2"},
{"previous: whether it was a pass",
 "\"man\":{\"movement\":[{\"x\":1}]}", TURNS "\"pass\":true,"
 "\"counters\":{\"passes\":{\"add\":{\"previous\":{\"passed\":true}},\"reset\":{\"previous\":{\"passed\":false}}}},"
 "\"results\":[{\"if\":{\"counter\":{\"name\":\"passes\",\"min\":2}},\"result\":\"draw\",\"reason\":\"nobody wants to\"}],",
 "a........b", "pass #0:1 9-8 #0:0 pass #0:1 %playing pass #0:2 %drawn:nobody_wants_to"},
{"a figure whose way leads by the cell it goes to never takes there, so it does not attack it",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":2,\"symmetric\":\"all\",\"via\":[{\"x\":2}]}]}", CASTLE(",\"safe\":[{\"x\":1}]"),
 ".bA..x....", "@2-3,2-4"},
{"cells must be safe from attacks that depend on more than what stands where, too",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":-1,\"repeat\":true,\"if\":{\"not\":{\"previous\":{\"took\":true}}}}]}", CASTLE(",\"safe\":[{}]"),
 "b.A..x....", "@2-3"},
{"where captures go first, too, the first movement that fits decides what a move is",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"move\"},{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\"}]}",
 TURNS "\"priority\":[\"take\"],",
 "ab........", "0-2 :.ba......."},
{"a figure that becomes a king must not be attacked where it goes",
 "\"stone\":{\"movement\":[{\"x\":1,\"promote\":{\"to\":\"king\"}}]},\"man\":{\"movement\":[{\"x\":2}]},\"king\":{\"movement\":[{\"x\":1}]}", NO_CHECK,
 "x..b.....A", "@"},
{"a king that becomes another figure may be attacked where it goes",
 "\"king\":{\"movement\":[{\"x\":1,\"promote\":{\"to\":\"stone\"}}]},\"man\":{\"movement\":[{\"x\":2}]}", NO_CHECK,
 "A..b......", "@0-1 0-1 :.x.b......"},
{"what after_move removes does not wait to be taken: who goes there stays",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"may\"},{\"x\":1,\"symmetric\":\"all\",\"for\":\"move\",\"continue\":\"may\"}]}",
 TURNS "\"jumped_leave\":\"turn_ends\",\"after_move\":[{\"if\":{\"previous\":{\"took\":true}},\"do\":[{\"remove\":{\"cells\":\"neighbours\",\"by\":[{\"x\":-1}]}}]}],",
 "ab.......b", "0-2 2-1 :.a.......b >b undo undo :ab.......b"},
{"what was jumped and still stands there only blocks",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"must\"},{\"x\":1,\"symmetric\":\"all\",\"continue\":\"may\"}]}",
 TURNS "\"jumped_leave\":\"turn_ends\",",
 "ab.......b", "0-2 @2-3"},
{"by action sets a figure attacks where they take on its target, not on the way there",
 "\"king\":{\"movement\":[{\"x\":1}]},\"man\":{\"movement\":[{\"x\":1,\"repeat\":true,\"cell_actions\":{\"destination\":[{\"actions\":[\"move\"]},{\"actions\":[\"take\"],\"if\":[{\"computed\":{\"is_figure\":false}}]}],\"transition\":[{\"actions\":[\"take\"]}]}}]}", NO_CHECK,
 "A.a..b....", "@0-1,2-3,2-4,2-5,2-6,2-7,2-8,2-9"},
{"a pass that gives way is not counted",
 "\"man\":{\"movement\":[{\"x\":1}]},\"king\":{\"movement\":[{\"x\":1,\"if\":{\"previous\":{\"took\":true}}}]}", TURNS "\"pass\":true,\"priority\":[\"take\"],",
 "ab.a..A...", "@0-1"},
{"a result that counts sees what the turn took before it went on",
 "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\",\"continue\":\"may\"}]}",
 TURNS "\"results\":[{\"if\":{\"count\":{\"is\":{\"figure\":\"king\"},\"max\":0}},\"result\":{\"winner\":\"a\"},\"reason\":\"gone\"}],",
 "aB.b......", "0-2 %playing pass %won:a:gone"},
{"a result that counts the mover's figures is looked at after every turn",
 "\"man\":{\"movement\":[{\"x\":1}]}",
 TURNS "\"results\":[{\"if\":{\"count\":{\"is\":{\"player\":\"mover\",\"figure\":\"king\"},\"max\":0}},\"result\":{\"loser\":\"mover\"},\"reason\":\"no king\"}],",
 "a........B", "0-1 %won:b:no_king"},
{"a coordinate that is asked for twice is both",
 "\"man\":{\"movement\":[{\"x\":1,\"if\":{\"self\":{\"x\":{\"min\":1},\"coordinates\":{\"x\":{\"min\":0}}}}}]}", TURNS,
 "a.a.......", "@2-3"},
{"who only has to be there stays where others act",
 "\"king\":{\"movement\":[]}", TURNS "\"combined_movements\":[{\"figures\":[{\"figure\":\"king\",\"by\":{\"x\":1},\"cell_actions\":{\"destination\":[{\"actions\":[\"move\"]}]}},"
 "{\"figure\":\"stone\",\"at\":{\"x\":3}}]}],",
 "..A..x...b", "2-3 :...A.x...b"},
{"a cell that does not exist is safe",
 "\"king\":{\"movement\":[{\"x\":1}]}", CASTLE(",\"safe\":[{\"x\":-3}]"),
 "..A..x....", "@2-3,2-4"},
{"figures may be counted from where there is no cell",
 "\"king\":{\"movement\":[]}", TURNS "\"combined_movements\":[{\"figures\":[{\"figure\":\"king\",\"at\":{\"x\":1},\"by\":{\"x\":1}}]}],\"pass\":true,",
 "A........b", "@0-1,pass"},
};

#define THREE "\"turns\":[\"a\",\"b\",\"c\"],\"zones\":{\"goal\":\"x == 9\"},"                             \
    "\"results\":[{\"if\":{\"count\":{\"is\":{\"player\":\"mover\",\"zone\":\"goal\"},\"min\":1}},\"result\":{\"finish\":\"mover\"},\"reason\":\"home\"}],"
static const struct row rows_of_three[] = {
{"no place is given where an earlier result ends the game",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[\"a\",\"b\",\"c\"],"
 "\"results\":[{\"if\":{\"no_moves\":true},\"result\":\"draw\",\"reason\":\"stuck\"},{\"if\":{\"no_moves\":true},\"result\":{\"finish\":\"next\"},\"reason\":\"out\"}],",
 "a.......c.", "0-1 %drawn:stuck"},
{"places are given whoever has moved, though nothing was taken",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[\"a\",\"b\",\"c\"],"
 "\"results\":[{\"if\":{\"count\":{\"is\":{\"figure\":\"king\"},\"max\":0}},\"result\":{\"finish\":\"mover\"},\"reason\":\"done\"}],",
 "a...b...c.", ">a 0-1 %won:c:done"},
{"most of three: that others have as many does not matter",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 "\"turns\":[\"a\",\"b\",\"c\"],\"results\":[{\"if\":{\"previous\":{\"player\":\"c\"}},\"result\":{\"most\":{\"is\":{\"player\":\"mover\"}}},\"reason\":\"more\"}],",
 "a.bb....c.", "$2,4,2 0-1 2-1 8-9 $0,4,2 %won:b:more"},
{"most of three: a tie of the two who have the most is won by one of them",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 "\"turns\":[\"a\",\"b\",\"c\"],\"results\":[{\"if\":{\"previous\":{\"player\":\"c\"}},\"result\":{\"most\":{\"is\":{\"player\":\"mover\"}},\"tie\":\"c\"},\"reason\":\"more\"}],",
 "a.bb...cc.", "0-1 3-4 8-9 %won:c:more"},
{"most of three: who has fewer wins no tie",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}",
 "\"turns\":[\"a\",\"b\",\"c\"],\"results\":[{\"if\":{\"previous\":{\"player\":\"c\"}},\"result\":{\"most\":{\"is\":{\"player\":\"mover\"}},\"tie\":\"a\"},\"reason\":\"more\"}],",
 "a.bb...cc.", "0-1 3-4 8-9 %drawn:more"},
{"a loser among three has lost, and nobody has won",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[\"a\",\"b\",\"c\"],"
 "\"results\":[{\"if\":{\"no_moves\":true},\"result\":{\"loser\":\"next\"},\"reason\":\"stuck\"}],",
 "a.......c.", "0-1 %lost:b:stuck"},
{"who must move and cannot has lost, too",
 "\"man\":{\"movement\":[{\"x\":1}]}", "\"turns\":[\"a\",\"b\",\"c\"],",
 "a.......c.", "0-1 %lost:b:b_has_no_legal_move"},
{"where only one other is left that one has won",
 "\"man\":{\"movement\":[{\"x\":1}]}", THREE,
 "c.......a.", "8-9 %won:c:b_has_no_legal_move"},
#define TAKEN(who, rest) "\"turns\":[\"a\",\"b\",\"c\"],\"results\":[{\"if\":{\"count\":{\"is\":{\"player\":\"" who "\"},\"max\":0}},\"result\":{\"eliminated\":\"" who "\"" rest "},\"reason\":\"taken\"}],"
{"who is eliminated plays no longer, and the others go on",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"mirror\",\"for\":\"both\"}]}", TAKEN("b", ""),
 "ab.....c.c", ">a 0-1 %playing >c 9-8 >a 1-0 >c undo undo undo >a"},
{"who is left alone has won",
 "\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"mirror\",\"for\":\"both\"}]}", TAKEN("next", ""),
 "abc......a", "0-1 %playing >c 2-1 >a %playing 9-8 1-2 8-7 2-3 7-6 3-4 6-5 4-5 %won:c:taken >- undo %playing >c"},
{"what is left of who is eliminated stays",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"both\"}]}", "\"turns\":[\"a\",\"b\",\"c\"],\"results\":[{\"if\":{\"no_moves\":true},\"result\":{\"eliminated\":\"next\"},\"reason\":\"stuck\"}],",
 "a.....c..b", "0-1 :.a....c..b >c 6-7 >a @1-2"},
{"or leaves the board",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"both\"}]}", "\"turns\":[\"a\",\"b\",\"c\"],\"results\":[{\"if\":{\"no_moves\":true},\"result\":{\"eliminated\":\"next\",\"their_figures\":\"removed\"},\"reason\":\"stuck\"}],",
 "a.....c..b", "0-1 :.a....c... >c undo :a.....c..b >a %playing"},
{"one after another, until one is left",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"both\"}]}", "\"turns\":[\"a\",\"b\",\"c\"],\"results\":[{\"if\":{\"no_moves\":true},\"result\":{\"eliminated\":\"next\",\"their_figures\":\"removed\"},\"reason\":\"stuck\"}],",
 "a....b-..c", "0-1 %won:a:stuck undo %playing"},
{"places are given in order",
 "\"man\":{\"movement\":[{\"x\":1,\"for\":\"both\"}]}", THREE,
 "......cba.", "8-9 %playing >b 7-8 >c 6-7 >b 8-9 %won:a:home >- @ undo >b %playing"},
};
/* clang-format on */

/* --- the game of a row ------------------------------------------------------------------------ */

struct board {
    struct game *game;
    struct position *position;
    struct position *before[MADE_MAX];
    struct undo *undos[MADE_MAX];
    int made_count;
    const struct row *row;
};

static const char letters[3][3] = {{'a', 'b', 'c'}, {'A', 'B', 'C'}, {'x', 'y', 'z'}};
static const char *const kinds[3] = {"man", "king", "stone"};

static void append(char *text, const char *more)
{
    size_t length = strlen(text);
    assert_true(length + strlen(more) < TEXT_BYTES);
    strcpy(text + length, more);
}

static void append_cell(char *text, int x)
{
    char cell[32];
    snprintf(cell, sizeof cell, "{\"x\":%d}", x);
    append(text, cell);
}

/* {"man":[{"x":0}],…} of one player. */
static void append_placements(char *text, const char *line, int player)
{
    append(text, "{");
    for (int kind = 0, written = 0; kind < 3; kind++) {
        bool first = true;
        for (int x = 0; x < CELLS; x++) {
            if (line[x] != letters[kind][player])
                continue;
            if (first) {
                append(text, written++ > 0 ? ",\"" : "\"");
                append(text, kinds[kind]);
                append(text, "\":[");
            }
            append(text, first ? "" : ",");
            append_cell(text, x);
            first = false;
        }
        append(text, first ? "" : "]");
    }
    append(text, "}");
}

static void append_figures(char *text, const char *figures)
{
    append(text, "\"figures\":{");
    append(text, figures);
    for (int kind = 0; kind < 3; kind++) {
        char key[16];
        snprintf(key, sizeof key, "\"%s\":{", kinds[kind]);
        if (strstr(figures, key) != NULL)
            continue;
        append(text, ",\"");
        append(text, kinds[kind]);
        append(text, "\":{\"movement\":[]}");
    }
    append(text, "},");
}

static void append_board(char *text, const char *line, int players)
{
    append(text, "\"board\":{\"cells\":[");
    for (int x = 0, written = 0; x < CELLS; x++) {
        if (line[x] == '-')
            continue;
        append(text, written++ > 0 ? "," : "");
        append_cell(text, x);
    }
    append(text, players == 2 ? "],\"mirror\":{\"b\":{\"x\":\"9 - x\"}}," : "],");
    append(text, players == 2 ? "\"rotation_angle\":{\"a\":0,\"b\":0}},"
                              : "\"rotation_angle\":{\"a\":0,\"b\":0,\"c\":0}},");
}

static void write_game(char *text, const struct row *row, int players)
{
    text[0] = '\0';
    append(text,
           "{\"format\":2,\"name\":\"strip\",\"cell\":{\"coordinates_names\":[\"x\"],\"name\":"
           "\"x\",\"geometry\":[[0,0],[1,0],[1,1]],\"position\":{\"x\":\"x\",\"y\":\"0\"}},");
    append(text, players == 2 ? "\"players\":[\"a\",\"b\"]," : "\"players\":[\"a\",\"b\",\"c\"],");
    append_board(text, row->line, players);
    append_figures(text, row->figures);
    append(text, row->more);
    append(text, "\"initial_position\":{");
    for (int player = 0; player < players; player++) {
        char key[8];
        snprintf(key, sizeof key, "%s\"%c\":", player > 0 ? "," : "", 'a' + player);
        append(text, key);
        append_placements(text, row->line, player);
    }
    append(text, "}}");
}

static void board_open(struct board *board, const struct row *row, int players)
{
    char *text = malloc(TEXT_BYTES);
    assert_non_null(text);
    write_game(text, row, players);
    *board = (struct board){.row = row};
    board->game = games_load_text(text, NULL);
    board->position = position_new(board->game);
    free(text);
}

static void forget_last(struct board *board)
{
    board->made_count--;
    position_free(board->before[board->made_count]);
    undo_free(board->undos[board->made_count]);
}

static void board_close(struct board *board)
{
    while (board->made_count > 0)
        forget_last(board);
    position_free(board->position);
    game_release(board->game);
}

/* --- reading a script ------------------------------------------------------------------------- */

static cell_index cell_at(const struct board *board, int x)
{
    return x < 0 ? CELL_NONE : game_cell_at(board->game, &x);
}

/* Reads a number and moves on behind it; fails where there is none. */
static int read_number(const struct board *board, const char **at)
{
    char *end = NULL;
    long number = strtol(*at, &end, 10);
    if (end == *at || number < 0 || number > 99)
        fail_msg("%s: no number: %s", board->row->name, *at);
    *at = end;
    return (int)number;
}

/* "2-4", "2-4=king", "+4", "+4=king", "pass" or "swap". */
static struct move read_move(const struct board *board, const char *word)
{
    struct move move = {.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_NONE};
    if (strcmp(word, "swap") == 0)
        move.choice = CHOICE_SWAP;
    if (strcmp(word, "pass") == 0 || move_is_swap(move))
        return move;
    const char *at = word;
    bool placement = *at == '+';
    at += placement;
    if (!placement) {
        move.from = cell_at(board, read_number(board, &at));
        assert_int_equal(*at++, '-');
    }
    move.to = cell_at(board, read_number(board, &at));
    if (*at == '\0')
        return move;
    assert_int_equal(*at++, '=');
    move.choice = game_find_figure(board->game, at, strlen(at));
    assert_int_not_equal(move.choice, FIGURE_NONE);
    return move;
}

static int write_move(const struct board *board, struct move move, char *text, size_t bytes)
{
    if (!move_has_cells(move))
        return snprintf(text, bytes, move_is_swap(move) ? "swap" : "pass");
    bool chosen = move.choice != CHOICE_NONE, placed = move_is_placement(move);
    return snprintf(
        text, bytes, "%s%s%s%s%s", placed ? "" : game_facts(board->game)->cells[move.from].name,
        placed ? "+" : "-", game_facts(board->game)->cells[move.to].name, chosen ? "=" : "",
        chosen ? game_facts(board->game)->figure_names[move.choice] : "");
}

static void line_of(const struct board *board, char *line)
{
    for (int x = 0; x < CELLS; x++) {
        cell_index cell = cell_at(board, x);
        line[x] = cell == CELL_NONE ? '-' : '.';
        if (cell == CELL_NONE)
            continue;
        struct contents contents = position_contents(board->position, cell);
        for (int kind = 0; kind < 3 && contents.figure != FIGURE_NONE; kind++)
            if (strcmp(game_facts(board->game)->figure_names[contents.figure], kinds[kind]) == 0)
                line[x] = letters[kind][contents.player];
    }
    line[CELLS] = '\0';
}

/* Fails with the row's name and both texts. */
static void assert_text(const struct board *board, const char *what, const char *is,
                        const char *should)
{
    if (strcmp(is, should) != 0)
        fail_msg("%s\n    %s: \"%s\", not \"%s\"", board->row->name, what, is, should);
}

/* --- what the words do ------------------------------------------------------------------------ */

static void play(struct board *board, const char *word)
{
    struct move asked = read_move(board, word), move;
    if (!movegen_find(board->position, asked.from, asked.to, asked.choice, &move))
        fail_msg("%s\n    %s is not legal", board->row->name, word);
    assert_true(board->made_count < MADE_MAX);
    int at = board->made_count++;
    board->undos[at] = undo_new(board->game);
    board->before[at] = position_new(board->game);
    position_copy(board->before[at], board->position);
    position_make(board->position, move, board->undos[at]);
    assert_int_equal(position_hash(board->position), position_hash_from_scratch(board->position));
}

static void play_made(struct board *board, const char *word)
{
    struct move asked = read_move(board, word), move;
    if (movegen_find(board->position, asked.from, asked.to, asked.choice, &move) ||
        !movegen_find_made(board->position, asked.from, asked.to, asked.choice, &move))
        fail_msg("%s\n    %s is legal now, or never was", board->row->name, word);
    position_make(board->position, move, NULL);
}

static void take_back(struct board *board)
{
    assert_true(board->made_count > 0);
    int at = board->made_count - 1;
    position_unmake(board->position, board->undos[at]);
    assert_true(position_equal(board->position, board->before[at]));
    assert_int_equal(position_hash(board->position), position_hash(board->before[at]));
    forget_last(board);
}

static void assert_illegal(const struct board *board, const char *word)
{
    struct move asked = read_move(board, word), move;
    if (movegen_find(board->position, asked.from, asked.to, asked.choice, &move))
        fail_msg("%s\n    %s is legal", board->row->name, word);
    struct explanation why;
    position_explain(board->position, asked.from, asked.to, asked.choice, &why);
    assert_int_not_equal(why.verdict, VERDICT_LEGAL);
}

static void assert_list(const struct board *board, const struct move *moves, int count,
                        const char *should)
{
    char list[MOVES_TEXT] = "";
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        assert_true(length + WORD_BYTES < sizeof list);
        length += (size_t)snprintf(list + length, sizeof list - length, "%s", i > 0 ? "," : "");
        length += (size_t)write_move(board, moves[i], list + length, sizeof list - length);
    }
    assert_text(board, "the legal moves are", list, should);
}

static void assert_moves(const struct board *board, const char *should)
{
    struct move *moves = calloc((size_t)game_facts(board->game)->moves_max + 1, sizeof *moves);
    assert_non_null(moves);
    assert_list(board, moves, movegen_all(board->position, moves), should);
    assert_list(board, moves, interpreter_moves(board->position, moves), should);
    free(moves);
}

static void assert_to_move(const struct board *board, const char *should)
{
    player_index player = position_to_move(board->position);
    assert_text(board, "to move is",
                player == PLAYER_NONE ? "-" : game_facts(board->game)->player_names[player],
                should);
}

static void write_outcome(const struct board *board, struct outcome outcome, char *text)
{
    switch (outcome.kind) {
    case OUTCOME_PLAYING:
        snprintf(text, WORD_BYTES, "playing");
        break;
    case OUTCOME_WON:
        snprintf(text, WORD_BYTES, "won:%s:%s",
                 game_facts(board->game)->player_names[outcome.winner], outcome.reason);
        break;
    case OUTCOME_DRAWN:
        snprintf(text, WORD_BYTES, "drawn:%s", outcome.reason);
        break;
    case OUTCOME_LOST:
        snprintf(text, WORD_BYTES, "lost:%s:%s",
                 game_facts(board->game)->player_names[outcome.loser], outcome.reason);
        break;
    }
}

static void assert_outcome(const struct board *board, struct outcome outcome, const char *should)
{
    char text[WORD_BYTES];
    write_outcome(board, outcome, text);
    assert_text(board, "the outcome is", text, should);
}

static void assert_explained(const struct board *board, const char *word)
{
    char asked[WORD_BYTES];
    const char *colon = strchr(word, ':');
    assert_non_null(colon);
    snprintf(asked, sizeof asked, "%.*s", (int)(colon - word), word);
    struct move move = read_move(board, asked);
    struct explanation why;
    position_explain(board->position, move.from, move.to, move.choice, &why);
    assert_text(board, asked, why.words, colon + 1);
}

static void assert_scores(struct board *board, const char *words)
{
    char is[WORD_BYTES] = "";
    int halves[PLAYERS_MAX];
    bool counted = position_scores(board->position, halves);
    for (int i = 0; counted && i < game_facts(board->game)->player_count; i++)
        snprintf(is + strlen(is), sizeof is - strlen(is), "%s%d", i > 0 ? "," : "", halves[i]);
    assert_string_equal(is, words);
}

static void assert_hands(struct board *board, const char *words)
{
    char is[WORD_BYTES] = "";
    for (int player = 0; player < game_facts(board->game)->player_count; player++) {
        strcat(is, player > 0 ? "/" : "");
        for (int figure = 0; figure < game_facts(board->game)->figure_count; figure++)
            for (int kind = 0; kind < 3; kind++)
                for (int i = 0;
                     strcmp(game_facts(board->game)->figure_names[figure], kinds[kind]) == 0 &&
                     i < position_hand(board->position, (player_index)player, (figure_index)figure);
                     i++)
                    strncat(is, &letters[kind][player], 1);
    }
    assert_text(board, "in hand is", is, words);
}

static void assert_counter(const struct board *board, const char *word)
{
    int slot = read_number(board, &word);
    assert_int_equal(*word++, ':');
    int value = read_number(board, &word);
    if (position_counter(board->position, slot) != value)
        fail_msg("%s\n    counter %d is %d, not %d", board->row->name, slot,
                 position_counter(board->position, slot), value);
}

static void run_word(struct board *board, char *word)
{
    char line[CELLS + 1];
    const char *rest = word + 1;
    switch (word[0]) {
    case '~':
        play_made(board, rest);
        return;
    case '!':
        assert_illegal(board, rest);
        return;
    case '@':
        assert_moves(board, rest);
        return;
    case ':':
        line_of(board, line);
        assert_text(board, "the line is", line, rest);
        return;
    case '>':
        assert_to_move(board, rest);
        return;
    case '%':
        assert_outcome(board, position_outcome(board->position), rest);
        return;
    case '^':
        assert_outcome(board, position_claim(board->position), rest);
        return;
    case '=':
        assert_outcome(board, position_flag(board->position), rest);
        return;
    case '?':
        assert_explained(board, rest);
        return;
    case '#':
        assert_counter(board, rest);
        return;
    case '*':
        assert_hands(board, rest);
        return;
    case '$':
        assert_scores(board, rest);
        return;
    default:
        if (strcmp(word, "undo") == 0)
            take_back(board);
        else
            play(board, word);
    }
}

static void run_row(const struct row *row, int players)
{
    struct board board;
    board_open(&board, row, players);
    for (const char *at = row->script; *at != '\0';) {
        char word[WORD_BYTES];
        size_t length = 0;
        while (*at == ' ')
            at++;
        for (; *at != '\0' && *at != ' '; at++) {
            assert_true(length + 1 < sizeof word);
            word[length++] = (char)(*at == '_' ? ' ' : *at);
        }
        word[length] = '\0';
        if (length > 0)
            run_word(&board, word);
    }
    board_close(&board);
}

static void test_row(void **state)
{
    run_row(*state, 2);
}

static void test_row_of_three(void **state)
{
    run_row(*state, 3);
}

static void assert_refused(const struct row *row, const char *pointer, const char *part)
{
    char *text = malloc(TEXT_BYTES);
    assert_non_null(text);
    write_game(text, row, 2);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    assert_null(game_load(text, strlen(text), NULL, &diagnostics));
    assert_int_equal(diagnostics.error_count, 1);
    const struct diagnostic *error = diagnostics_first_error(&diagnostics);
    assert_string_equal(error->pointer, pointer);
    if (strstr(error->message, part) == NULL)
        fail_msg("it says: %s", error->message);
    diagnostics_release(&diagnostics);
    free(text);
}

/* What is sound by itself but cannot be compiled is refused with words and a place. */
static void a_mark_on_more_than_one_cell_is_refused(void **state)
{
    (void)state;
    static const struct row long_mark = {
        .name = "",
        .figures =
            "\"man\":{\"movement\":[{\"x\":1,\"repeat\":[3,3],\"for\":\"move\",\"mark\":\"m\"}]}",
        .more = TURNS,
        .line = "a.........",
    };
    assert_refused(&long_mark, "/figures/man/movement/0", "`mark`");
}

static void a_swap_of_sides_that_are_not_alike_is_refused(void **state)
{
    (void)state;
    static const struct {
        struct row row;
        const char *part;
    } refused[] = {
        {{"", STILL, TURNS "\"pie\":true,", "aa.......b", ""},
         "the start of `b` is not that of `a`"},
        {{"", STILL, TURNS "\"pie\":true,\"hands\":{\"a\":{\"man\":1}},", "..........", ""},
         "the start of `b` is not that of `a`"},
        {{"", STILL, TURNS "\"pie\":true,\"zones\":{\"left\":\"x < 4\"},", "..........", ""},
         "zone `left` of `b` is not that of `a`"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_refused(&refused[i].row, "/pie", refused[i].part);
}

enum {
    ROWS = sizeof rows / sizeof *rows,
    ROWS_OF_THREE = sizeof rows_of_three / sizeof *rows_of_three
};

/* With an argument: only the tests whose name it is a pattern for. */
int main(int argument_count, char **arguments)
{
    struct CMUnitTest tests[ROWS + ROWS_OF_THREE + 2];
    for (int i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){
            .name = rows[i].name, .test_func = test_row, .initial_state = (void *)&rows[i]};
    for (int i = 0; i < ROWS_OF_THREE; i++)
        tests[ROWS + i] = (struct CMUnitTest){.name = rows_of_three[i].name,
                                              .test_func = test_row_of_three,
                                              .initial_state = (void *)&rows_of_three[i]};
    tests[ROWS + ROWS_OF_THREE] =
        (struct CMUnitTest)cmocka_unit_test(a_mark_on_more_than_one_cell_is_refused);
    tests[ROWS + ROWS_OF_THREE + 1] =
        (struct CMUnitTest)cmocka_unit_test(a_swap_of_sides_that_are_not_alike_is_refused);
    if (argument_count > 1)
        cmocka_set_test_filter(arguments[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
