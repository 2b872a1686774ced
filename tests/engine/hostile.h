/* Games that somebody wrote to make an engine work: each asks much of one word of the format. For tests of what is refused,
 * and for measuring what a unit of work takes (tests/bench/work_bench). */
#ifndef TESTS_ENGINE_HOSTILE_H
#define TESTS_ENGINE_HOSTILE_H

int hostile_count(void);
const char *hostile_name(int number);

/* The file, with what is repeated in it `times` times; 0: as often as it takes to be refused. In new memory. */
char *hostile_text(int number, int times);

#endif
