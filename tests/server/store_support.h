/* A store under test: a driver in a folder of its own, and short ways to ask it something. */
#ifndef TESTS_SERVER_STORE_SUPPORT_H
#define TESTS_SERVER_STORE_SUPPORT_H

#include "server/store/store.h"

struct store_bed {
    const struct store_driver_table *table;
    struct store_driver *driver;
    char folder[64], url[256], words[160];
    char database[64]; /* of PostgreSQL */
};

/* Where a PostgreSQL for tests is ("postgresql://…/database", a user who may make databases): the environment variable
 * SENET_TEST_POSTGRES; NULL: nowhere. */
const char *store_bed_postgres(void);

/* Asserts that all goes well. The folder, or in PostgreSQL the database, is new, and gone after store_bed_release. */
void store_bed_init(struct store_bed *bed, const struct store_driver_table *table);
void store_bed_release(struct store_bed *bed);
void store_bed_reopen(struct store_bed *bed); /* closes in peace, opens again */
/* The n-th file of the folder: "senet.db" and what stands beside it. */
void store_bed_path(const struct store_bed *bed, const char *name, char *path, size_t size);

/* One request as a batch of its own. The answer is the caller's. */
struct store_answer store_perform(struct store_bed *bed, const struct store_request *request);
/* The same for those who want the status only. */
enum store_status store_do(struct store_bed *bed, const struct store_request *request);

/* A room of two seats, "white" and "black", both free, that waits, and what goes on there and leaves that so; strings are borrowed. */
struct store_request store_creation(const char *room, const char *client, const char *command);
struct store_request store_continuation(const char *room, int64_t expected_version,
                                        const char *client, const char *command, const char *body);
/* From then on the room's status is this one; it has another, or nobody says which. */
void store_turns(struct store_request *append, enum store_room_status status);
struct store_request store_question(enum store_ask ask, const char *room, const char *player);

/* The room's version; 0 where there is no such room. */
int64_t store_version(struct store_bed *bed, const char *room);

/* A suite for every store: each case runs with SQLite and, where there is one for tests, with PostgreSQL, each time on a
 * new store. What main returns. */
struct store_case {
    const char *name; /* the fact it states */
    void (*run)(struct store_bed *bed);
};
int store_run_cases(const char *suite, const struct store_case *cases, int count);

#endif
