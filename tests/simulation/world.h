/* Whole servers and their clients in one process, in one thread, from one seed: the real core and the real client
 * library; time, network and store are the world's. Frames are delayed and cut, connections break on either side first,
 * commands are sent twice, outboxes fill up, the store is slow, fails, does not say whether it wrote, or is written to by
 * somebody else; a server crashes between any two steps and begins again on what is durable, or stands still for a
 * while; up to three servers with wrong clocks share the store, and everybody comes back to any of them.
 *
 * After every step: what was acknowledged is in the store, once; what was shown is durable, and shown alike to everybody
 * for ever; every command has one answer; versions have no gaps. When the world has come to rest: what the clients were
 * told stands in the log they are shown, and everybody in a room has the state that a newcomer sees. */
#ifndef TESTS_SIMULATION_WORLD_H
#define TESTS_SIMULATION_WORLD_H

#include <stdbool.h>
#include <stdint.h>

struct world;

enum { WORLD_SERVERS_MAX = 3 };

/* Deliberate lies of the world, to prove that they are found. */
enum canary {
    CANARY_NONE,
    CANARY_EARLY_ANSWER, /* "durable" is said before it is */
    CANARY_FORGETFUL,    /* the store does not know a command again */
    CANARY_LOST_FRAME,   /* now and then a frame is lost in a connection that stays */
    CANARY_UNFENCED,     /* the store does not look at epochs */
    CANARY_UNKNOWN_DONE, /* a commit whose end was not heard is said to be done */
    CANARY_RENAMED,      /* frames are other than the oracle reads them, and clients do not mind */
    CANARY_WRONG_LETTER, /* now and then an event's patch is another */
    CANARY_STALE_TURN, /* the store takes whose turn it was when a room left memory for whose it is */
};

struct world_report {
    uint64_t seed;
    bool violated;
    char words[512]; /* the first violation */
    uint64_t steps, events, moves, crashes, rooms, acknowledged, shown, answered, resumed, resyncs,
        duplicates, conflicts, unknowns, failures, leases_lost, followed, abandoned, promises,
        found, rated, clocked, timed, compensated, turns;
    /* Games with clocks that more than two have played, in which a newcomer saw the clocks; takebacks and flags there; lives that
     * waited for flags. */
    uint64_t clocked_of_three, clocks, taken_back, flags, waits;
    uint64_t moves_at[WORLD_SERVERS_MAX + 1]; /* by how many servers there were */
};

/* Lives through one seed. With `trace` every step is told on standard error. `servers`: so many, or 0: as the seed says. */
void world_live(uint64_t seed, int servers, enum canary canary, bool trace,
                struct world_report *report);

#endif
