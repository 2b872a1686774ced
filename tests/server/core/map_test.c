/* The map against an array that does the same slowly. */
#include "server/core/map.h"

#include "tests/support/test.h"

#include <string.h>

enum { KEYS = 300, STEPS = 20000 };

static void sip_hash_1_3_is_that_of_its_authors(void **state)
{
    (void)state;
    /* Key 00 01 … 0f; the message 00 01 … of each length. From the reference implementation's siphash13 vectors. */
    struct hash_key key = {{0x0706050403020100u, 0x0f0e0d0c0b0a0908u}};
    unsigned char message[16];
    for (int i = 0; i < 16; i++)
        message[i] = (unsigned char)i;
    assert_int_equal(hash_bytes(&key, message, 0), 0xabac0158050fc4dcu);
    assert_int_equal(hash_bytes(&key, message, 1), 0xc9f49bf37d57ca93u);
    assert_true(hash_bytes(&key, message, 8) != hash_bytes(&key, message, 9));
}

static size_t count_all(const struct map *map)
{
    size_t count = 0, cursor = 0;
    while (map_next(map, &cursor))
        count++;
    return count;
}

static void it_holds_what_was_put_and_not_removed(void **state)
{
    (void)state;
    struct map map;
    uint64_t keys[KEYS], seed = 3;
    bool there[KEYS] = {false};
    size_t count = 0;
    map_init(&map, (struct hash_key){{1, 2}});
    for (int i = 0; i < KEYS; i++)
        keys[i] = (uint64_t)i * 64;
    for (int step = 0; step < STEPS; step++) {
        size_t i = test_random(&seed) % KEYS;
        assert_ptr_equal(map_find(&map, &keys[i], sizeof keys[i]), there[i] ? &keys[i] : NULL);
        if (there[i])
            assert_ptr_equal(map_remove(&map, &keys[i], sizeof keys[i]), &keys[i]);
        else
            map_put(&map, &keys[i], sizeof keys[i], &keys[i]);
        count += there[i] ? (size_t)-1 : 1;
        there[i] = !there[i];
        assert_int_equal(map.count, count);
    }
    assert_int_equal(count_all(&map), count);
    map_release(&map);
}

static void removing_what_is_not_there_changes_nothing(void **state)
{
    (void)state;
    struct map map;
    map_init(&map, (struct hash_key){{1, 2}});
    assert_null(map_remove(&map, "x", 1));
    map_put(&map, "y", 1, &map);
    assert_null(map_remove(&map, "x", 1));
    assert_ptr_equal(map_find(&map, "y", 1), &map);
    assert_null(map_find(&map, "yy", 2));
    map_release(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sip_hash_1_3_is_that_of_its_authors),
        cmocka_unit_test(it_holds_what_was_put_and_not_removed),
        cmocka_unit_test(removing_what_is_not_there_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
