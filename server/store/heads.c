#include "server/store/heads.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOMS_MIN = 64, COMMANDS_MIN = 8 };

/* An open-addressed table of pointers, at most half full. */
struct heads {
    struct head **places;
    size_t place_count, count; /* place_count is a power of two */
    size_t bytes;
    uint64_t clock; /* counts uses, and what it was at the last trim */
    uint64_t trimmed;
    uint64_t marked,
        marked_ms; /* what the clock was when unused heads were last forgotten, and when */
    uint64_t key[2];
};

/* --- hashes ------------------------------------------------------------------------------------- */

/* SipHash-1-3. Players choose the ids of their commands, so the hash has a key they do not know. */

struct sip {
    uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static void sip_round(struct sip *sip)
{
    sip->v0 += sip->v1;
    sip->v1 = rotate(sip->v1, 13) ^ sip->v0;
    sip->v0 = rotate(sip->v0, 32);
    sip->v2 += sip->v3;
    sip->v3 = rotate(sip->v3, 16) ^ sip->v2;
    sip->v0 += sip->v3;
    sip->v3 = rotate(sip->v3, 21) ^ sip->v0;
    sip->v2 += sip->v1;
    sip->v1 = rotate(sip->v1, 17) ^ sip->v2;
    sip->v2 = rotate(sip->v2, 32);
}

static uint64_t sip_hash(const uint64_t key[2], const char *bytes, size_t length)
{
    struct sip sip = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                      key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    for (size_t at = 0; at <= length; at += 8) {
        size_t size = length - at < 8 ? length - at : 8;
        uint64_t word = 0;
        memcpy(&word, bytes + at, size);
        if (size < 8)
            word |= (uint64_t)(length & 0xff) << 56;
        sip.v3 ^= word;
        sip_round(&sip);
        sip.v0 ^= word;
    }
    sip.v2 ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(&sip);
    return sip.v0 ^ sip.v1 ^ sip.v2 ^ sip.v3;
}

/* The client's hash becomes part of the key for the command's: no text of both is put together. */
uint32_t heads_hash(const struct heads *heads, const char *client, const char *command)
{
    uint64_t key[2] = {heads->key[0], sip_hash(heads->key, client, strlen(client))};
    return (uint32_t)sip_hash(key, command, strlen(command));
}

/* --- the table of rooms ----------------------------------------------------------------------- */

static size_t first_place(const struct heads *heads, const char *room)
{
    return (size_t)sip_hash(heads->key, room, strlen(room)) & (heads->place_count - 1);
}

static struct head **find_place(const struct heads *heads, const char *room)
{
    size_t place = first_place(heads, room);
    while (heads->places[place] != NULL && strcmp(heads->places[place]->room, room) != 0)
        place = (place + 1) & (heads->place_count - 1);
    return &heads->places[place];
}

struct heads *heads_new(void)
{
    struct heads *heads = calloc(1, sizeof *heads);
    if (heads == NULL)
        return NULL;
    heads->place_count = ROOMS_MIN;
    heads->places = calloc(heads->place_count, sizeof(struct head *));
    if (heads->places != NULL && getentropy(heads->key, sizeof heads->key) == 0)
        return heads;
    free(heads->places);
    free(heads);
    return NULL;
}

static size_t head_bytes(const struct head *head)
{
    return sizeof *head + 2 * sizeof(struct head *) + head->command_room * sizeof *head->commands;
}

static void free_head(struct heads *heads, struct head *head)
{
    heads->bytes -= head_bytes(head);
    heads->count--;
    free(head->commands);
    free(head);
}

void heads_clear(struct heads *heads)
{
    for (size_t i = 0; i < heads->place_count; i++) {
        if (heads->places[i] != NULL)
            free_head(heads, heads->places[i]);
        heads->places[i] = NULL;
    }
    assert(heads->count == 0 && heads->bytes == 0);
}

void heads_free(struct heads *heads)
{
    if (heads == NULL)
        return;
    heads_clear(heads);
    free(heads->places);
    free(heads);
}

struct head *heads_find(struct heads *heads, const char *room)
{
    struct head *head = *find_place(heads, room);
    if (head != NULL)
        head->used = ++heads->clock;
    return head;
}

static bool is_kept(const struct head *head, uint64_t used_after, int64_t folded)
{
    return head->used > used_after || head->recent_last > folded;
}

/* Puts the heads in new places. Those not used after `used_after` are freed on the way, but for those with events
 * after `folded`. */
static bool rebuild(struct heads *heads, size_t place_count, uint64_t used_after, int64_t folded)
{
    struct head **old = heads->places;
    size_t old_count = heads->place_count;
    struct head **places = calloc(place_count, sizeof(struct head *));
    if (places == NULL)
        return false;
    heads->places = places;
    heads->place_count = place_count;
    for (size_t i = 0; i < old_count; i++) {
        struct head *head = old[i];
        if (head == NULL)
            continue;
        if (is_kept(head, used_after, folded))
            *find_place(heads, head->room) = head;
        else
            free_head(heads, head);
    }
    free(old);
    return true;
}

struct head *heads_add(struct heads *heads, const char *room)
{
    assert(strlen(room) <= STORE_ROOM_BYTES);
    if ((heads->count + 1) * 2 > heads->place_count &&
        !rebuild(heads, heads->place_count * 2, 0, 0))
        return NULL;
    struct head **place = find_place(heads, room);
    assert(*place == NULL);
    struct head *head = calloc(1, sizeof *head);
    if (head == NULL)
        return NULL;
    memcpy(head->room, room, strlen(room) + 1);
    head->used = ++heads->clock;
    heads->count++;
    heads->bytes += head_bytes(head);
    *place = head;
    return head;
}

void heads_remove(struct heads *heads, struct head *head)
{
    size_t hole = (size_t)(find_place(heads, head->room) - heads->places);
    assert(heads->places[hole] == head);
    heads->places[hole] = NULL;
    free_head(heads, head);
    /* Those behind the hole may have stood there because its place was taken: seat them again. */
    size_t mask = heads->place_count - 1;
    for (size_t i = (hole + 1) & mask; heads->places[i] != NULL; i = (i + 1) & mask) {
        struct head *behind = heads->places[i];
        heads->places[i] = NULL;
        *find_place(heads, behind->room) = behind;
    }
}

void heads_trim(struct heads *heads, size_t bytes_max, int64_t folded)
{
    uint64_t since = heads->trimmed;
    heads->trimmed = heads->clock;
    if (heads->bytes >= bytes_max)
        rebuild(heads, heads->place_count, since, folded);
    if (heads->bytes >= bytes_max)
        rebuild(heads, heads->place_count, heads->clock, folded);
}

static size_t count_kept(const struct heads *heads, uint64_t used_after, int64_t folded)
{
    size_t count = 0;
    for (size_t i = 0; i < heads->place_count; i++)
        count += heads->places[i] != NULL && is_kept(heads->places[i], used_after, folded);
    return count;
}

void heads_forget(struct heads *heads, uint64_t now_ms, uint64_t unused_ms, int64_t folded)
{
    if (now_ms - heads->marked_ms < unused_ms)
        return;
    size_t kept = count_kept(heads, heads->marked, folded), place_count = heads->place_count;
    while (place_count > ROOMS_MIN && place_count >= kept * 8)
        place_count /= 2;
    if (kept < heads->count)
        rebuild(heads, place_count, heads->marked, folded);
    heads->marked = heads->clock;
    heads->marked_ms = now_ms;
}

/* --- a room's commands: open-addressed as well, at most half full ----------------------------- */

static void put_command(struct head *head, struct head_command command)
{
    uint32_t mask = head->command_room - 1, place = command.hash & mask;
    while (head->commands[place].version != 0)
        place = (place + 1) & mask;
    head->commands[place] = command;
}

bool heads_reserve_command(struct heads *heads, struct head *head)
{
    if ((head->command_count + 1) * 2 <= head->command_room)
        return true;
    struct head_command *old = head->commands;
    uint32_t old_room = head->command_room, room = old_room == 0 ? COMMANDS_MIN : old_room * 2;
    struct head_command *commands = calloc(room, sizeof *commands);
    if (commands == NULL)
        return false;
    heads->bytes += (room - old_room) * sizeof *commands;
    head->commands = commands;
    head->command_room = room;
    for (uint32_t i = 0; i < old_room; i++) {
        if (old[i].version != 0)
            put_command(head, old[i]);
    }
    free(old);
    return true;
}

void heads_add_command(struct head *head, uint32_t hash, int64_t version)
{
    assert((head->command_count + 1) * 2 <= head->command_room);
    assert(version > 0 && version <= UINT32_MAX);
    put_command(head, (struct head_command){hash, (uint32_t)version});
    head->command_count++;
}

int64_t head_next_version(const struct head *head, uint32_t hash, uint32_t *cursor)
{
    if (head->command_room == 0)
        return 0;
    uint32_t mask = head->command_room - 1;
    for (;;) {
        const struct head_command *command = &head->commands[(hash + (*cursor)++) & mask];
        if (command->version == 0)
            return 0;
        if (command->hash == hash)
            return command->version;
    }
}
