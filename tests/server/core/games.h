/* Small games for tests: each file is a few lines, so that a whole game is a few moves. */
#ifndef TESTS_SERVER_CORE_GAMES_H
#define TESTS_SERVER_CORE_GAMES_H

/* Three runners on a line of their own; each steps up once a turn, and who reaches y = 3 first has won. */
extern const char game_of_three[];
/* Two runners; the first to reach y = 3 has won. */
extern const char game_of_two[];

/* Format 2. Hops: red's man on 0_0 may take two of green's in one turn, the one on 5_1 becomes a lord or a lady with its
 * next step; there is passing, and a position seen twice may be called a draw. */
extern const char game_of_hops[];
/* Three runners, or two; who is at the top has a place, and the others run on. */
extern const char game_of_places[];

/* Each move of it looks at some forty thousand cells, for a counter. In new memory. */
char *games_dear(void);

#endif
