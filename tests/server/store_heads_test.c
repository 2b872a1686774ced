/* The index in memory against what it should remember. */
#include "tests/support/test.h"

#include "server/store/heads.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void remembers_rooms(void **state)
{
    (void)state;
    enum { ROOMS = 3000 };
    struct heads *heads = heads_new();
    char room[STORE_ROOM_BYTES + 1];
    for (int i = 0; i < ROOMS; i++) {
        snprintf(room, sizeof room, "r%d", i);
        assert_null(heads_find(heads, room));
        heads_add(heads, room)->version = i;
    }
    for (int i = 0; i < ROOMS; i += 3) {
        snprintf(room, sizeof room, "r%d", i);
        heads_remove(heads, heads_find(heads, room));
    }
    for (int i = 0; i < ROOMS; i++) {
        snprintf(room, sizeof room, "r%d", i);
        const struct head *head = heads_find(heads, room);
        if (i % 3 == 0)
            assert_null(head);
        else
            assert_int_equal(head->version, i);
    }
    heads_clear(heads);
    assert_null(heads_find(heads, "r1"));
    heads_free(heads);
}

static void remembers_commands(void **state)
{
    (void)state;
    enum { COMMANDS = 5000 };
    struct heads *heads = heads_new();
    struct head *head = heads_add(heads, "r");
    /* Few hashes for many commands: all versions of one hash are found. */
    for (int64_t version = 1; version <= COMMANDS; version++) {
        assert_true(heads_reserve_command(heads, head));
        heads_add_command(head, (uint32_t)(version % 500) * 1024, version);
    }
    for (uint32_t hash = 0; hash < 500; hash++) {
        uint32_t cursor = 0;
        int64_t version, count = 0;
        while ((version = head_next_version(head, hash * 1024, &cursor)) != 0) {
            assert_int_equal(version % 500, hash);
            count++;
        }
        assert_int_equal(count, COMMANDS / 500);
    }
    uint32_t cursor = 0;
    assert_int_equal(head_next_version(head, 77, &cursor), 0);
    heads_free(heads);
}

static void a_command_is_client_and_id(void **state)
{
    (void)state;
    struct heads *heads = heads_new(), *others = heads_new();
    uint32_t hash = heads_hash(heads, "client", "command");
    assert_int_equal(hash, heads_hash(heads, "client", "command"));
    assert_int_not_equal(hash, heads_hash(heads, "clientc", "ommand"));
    assert_int_not_equal(hash, heads_hash(heads, "client", "commanc"));
    /* Another process hashes otherwise: nobody can prepare commands that collide. */
    int same = 0;
    for (int i = 0; i < 64; i++) {
        char command[8];
        snprintf(command, sizeof command, "c-%d", i);
        same += heads_hash(heads, "p", command) == heads_hash(others, "p", command);
    }
    assert_true(same < 4);
    heads_free(heads);
    heads_free(others);
}

/* Of the rooms r0, r1, … so many; they are used by that. */
static int count_remembered(struct heads *heads, int rooms)
{
    char room[STORE_ROOM_BYTES + 1];
    int count = 0;
    for (int i = 0; i < rooms; i++) {
        snprintf(room, sizeof room, "r%d", i);
        count += heads_find(heads, room) != NULL;
    }
    return count;
}

static void forgets_the_unused_first(void **state)
{
    (void)state;
    enum { ROOMS = 1000 };
    struct heads *heads = heads_new();
    char room[STORE_ROOM_BYTES + 1];
    for (int i = 0; i < ROOMS; i++) {
        snprintf(room, sizeof room, "r%d", i);
        struct head *head = heads_add(heads, room);
        assert_true(heads_reserve_command(heads, head));
    }
    heads_trim(heads, SIZE_MAX, 100);
    for (int i = 0; i < 10; i++) {
        snprintf(room, sizeof room, "r%d", i * 7);
        assert_non_null(heads_find(heads, room));
    }
    heads_trim(heads, ROOMS * sizeof(struct head) / 2, 100); /* all are more than that */
    assert_int_equal(count_remembered(heads, ROOMS), 10);
    assert_non_null(heads_find(heads, "r63"));
    assert_null(heads_find(heads, "r64"));
    heads_find(heads, "r63")->recent_last = 101;
    heads_find(heads, "r56")->recent_last = 100;
    heads_trim(heads, 1, 100);
    assert_int_equal(count_remembered(heads, ROOMS), 1);
    assert_non_null(heads_find(heads, "r63"));
    heads_free(heads);
}

static void forgets_what_nobody_uses_for_long(void **state)
{
    (void)state;
    enum { ROOMS = 1000, MS = 100 };
    struct heads *heads = heads_new();
    char room[STORE_ROOM_BYTES + 1];
    heads_forget(heads, 5000, MS, 0);
    for (int i = 0; i < ROOMS; i++) {
        snprintf(room, sizeof room, "r%d", i);
        heads_add(heads, room)->recent_last = i;
    }
    heads_forget(heads, 5000 + MS - 1, MS, ROOMS); /* too soon */
    heads_forget(heads, 5000 + MS, MS, ROOMS);     /* used since the last time */
    for (int i = 0; i < 10; i++) {
        snprintf(room, sizeof room, "r%d", i * 7);
        assert_non_null(heads_find(heads, room));
    }
    /* Of the others those with recent events stay. */
    heads_forget(heads, 5000 + 2 * MS, MS, ROOMS - 6);
    assert_non_null(heads_find(heads, "r7"));
    assert_null(heads_find(heads, "r8"));
    assert_null(heads_find(heads, "r994"));
    assert_non_null(heads_find(heads, "r995"));
    assert_int_equal(count_remembered(heads, ROOMS), 10 + 5);
    heads_forget(heads, 5000 + 3 * MS, MS, ROOMS);
    heads_forget(heads, 5000 + 4 * MS, MS, ROOMS);
    assert_int_equal(count_remembered(heads, ROOMS), 0);
    assert_non_null(heads_add(heads, "r1")); /* the table has become small, and takes what comes */
    for (int i = 2; i < ROOMS; i++) {
        snprintf(room, sizeof room, "r%d", i);
        assert_non_null(heads_add(heads, room));
    }
    assert_int_equal(count_remembered(heads, ROOMS), ROOMS - 1);
    heads_free(heads);
}

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        {"rooms are found until they are removed", remembers_rooms, NULL, NULL, NULL},
        {"every version of a hash is found", remembers_commands, NULL, NULL, NULL},
        {"a command is told by its client and its id", a_command_is_client_and_id, NULL, NULL, NULL},
        {"what was not used lately is forgotten first, what is not folded never", forgets_the_unused_first, NULL, NULL, NULL},
        {"what nobody uses for long is forgotten, what is not folded never", forgets_what_nobody_uses_for_long, NULL, NULL, NULL},
    };
    /* clang-format on */
    return cmocka_run_group_tests_name("heads", tests, NULL, NULL);
}
