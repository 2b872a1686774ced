/* Small games for tests: each file is a few lines, so that a whole game is a few moves. */
#ifndef TESTS_SERVER_CORE_GAMES_H
#define TESTS_SERVER_CORE_GAMES_H

/* Three runners on a line of their own; each steps up once a turn, and who reaches y = 3 first has won. */
extern const char game_of_three[];
/* Two runners; the first to reach y = 3 has won. */
extern const char game_of_two[];

#endif
