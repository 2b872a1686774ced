/* A record from somebody else: whatever stands in it, reading and replaying it ends without harm; and one that is sound,
 * written again, is as sound and ends the same.
 *
 * The input is a whole record if it begins with `{`; else it is the events of one, after a first character that picks the
 * game (`h` hops, `p` places, `t` two). */
#include "protocol/record.h"
#include "server/core/digest.h"
#include "server/core/replay.h"
#include "tests/fuzz/fuzz.h"
#include "tests/server/core/games.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_BYTES_MAX = 64 * 1024 };

static const char *game_of(uint8_t letter)
{
    if (letter == 'h')
        return game_of_hops;
    return letter == 'p' ? game_of_places : game_of_two;
}

/* A record of the game with these bytes where its events are; the caller's. */
static char *record_of(const char *game, const uint8_t *events, size_t length)
{
    unsigned char digest[DIGEST_BYTES];
    char hash[DIGEST_HEX_DIGITS + 1];
    struct writer writer;
    digest_sha256(game, strlen(game), digest);
    digest_write_hex(digest, sizeof digest, hash);
    writer_init(&writer);
    record_begin(&writer, &(struct record){.definition_hash = {hash, DIGEST_HEX_DIGITS},
                                           .definition = {game, strlen(game)}});
    size_t head = writer.length;
    char *text = malloc(head + length + 3);
    assert(text != NULL);
    memcpy(text, writer.data, head);
    if (length > 0)
        memcpy(text + head, events, length);
    memcpy(text + head + length, "]}", 3);
    writer_release(&writer);
    return text;
}

static void write_again(const struct record *record, struct writer *writer)
{
    record_begin(writer, record);
    for (int i = 0; i < record->event_count; i++) {
        struct event event;
        int64_t at_ms;
        char words[RECORD_WORDS_BYTES];
        assert(record_read_event(record, i, &event, &at_ms, words));
        record_add(writer, i + 1, &event, at_ms);
        event_release(&event);
    }
    record_end(writer);
}

static void check(const char *text, size_t length)
{
    struct replay first = {.words = ""}, second = {.words = ""};
    if (!replay_run(&first, text, length, NULL, NULL)) {
        assert(first.words[0] != '\0');
        replay_release(&first);
        return;
    }
    struct writer writer;
    writer_init(&writer);
    write_again(&first.record, &writer);
    assert(replay_run(&second, writer.data, writer.length, NULL, NULL));
    assert(position_hash(first.position) == position_hash(second.position));
    assert(first.standing.status == second.standing.status);
    assert(strcmp(first.standing.reason, second.standing.reason) == 0);
    assert(first.standing.aborted == second.standing.aborted);
    assert(!first.standing.aborted || first.standing.winner == PLAYER_NONE);
    assert(first.move_count == second.move_count);
    writer_release(&writer);
    replay_release(&first);
    replay_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > EVENTS_BYTES_MAX)
        return 0;
    if (data[0] == '{') {
        char *text = malloc(size); /* exactly: reading past its end is seen */
        assert(text != NULL);
        memcpy(text, data, size);
        check(text, size);
        free(text);
        return 0;
    }
    char *text = record_of(game_of(data[0]), data + 1, size - 1);
    check(text, strlen(text));
    free(text);
    return 0;
}
