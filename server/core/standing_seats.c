/* Who sits where, asked of a standing. */
#include "server/core/standing.h"

uint32_t standing_seats_of(const struct standing *standing, const struct identity *identity)
{
    uint32_t seats = 0;
    for (int i = 0; i < standing->seat_count; i++)
        if (standing->seats[i].taken && identity_equal(&standing->seats[i].holder, identity))
            seats |= UINT32_C(1) << i;
    return seats;
}

/* Every seat is compared, and each in the same time: how long it takes says nothing of the key. */
uint32_t standing_seats_by_key(const struct standing *standing,
                               const unsigned char key_hash[DIGEST_BYTES])
{
    int found = SEAT_NONE;
    for (int i = 0; i < standing->seat_count; i++)
        if (digest_equal(standing->seats[i].key_hash, key_hash) && standing->seats[i].has_key)
            found = i;
    return found == SEAT_NONE ? 0 : standing_seats_of(standing, &standing->seats[found].holder);
}

uint32_t standing_all_seats(const struct standing *standing)
{
    return (UINT32_C(1) << standing->seat_count) - 1;
}

int standing_free_seat(const struct standing *standing)
{
    for (int i = 0; i < standing->seat_count; i++)
        if (!standing->seats[i].taken)
            return i;
    return SEAT_NONE;
}

int standing_first(uint32_t seats)
{
    for (int i = 0; i < STATE_SEATS_MAX; i++)
        if (seats >> i & 1)
            return i;
    return SEAT_NONE;
}
