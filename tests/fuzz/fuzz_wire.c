/* A message of the bus: whatever is read is within its bounds, and written again it is read as the same. The first line of the bytes is the subject
 * behind the prefix. */
#include <stdlib.h>
#include <string.h>

#include "server/bus/wire.h"
#include "tests/fuzz/fuzz.h"

enum { REST_BYTES = WIRE_SUBJECT_BYTES };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool same(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

static void expect_same(const struct bus_message *a, const struct bus_message *b)
{
    check(a->subject == b->subject && same(a->id, b->id) && same(a->node, b->node));
    check(a->version == b->version && a->at_ms == b->at_ms && a->load == b->load);
    check(a->spectators == b->spectators && a->seats == b->seats);
    check(same(a->kind, b->kind) && same(a->client, b->client) && same(a->command, b->command));
    check(same(a->body, b->body) && same(a->state, b->state) && same(a->release, b->release));
}

static void write_and_read(const struct bus_message *message)
{
    static char bytes[WIRE_BYTES_MAX];
    char subject[WIRE_SUBJECT_BYTES];
    struct bus_message again;
    size_t length;
    check(wire_write(message, "p.", message->node, subject, bytes, &length));
    check(length <= sizeof bytes && wire_read(&again, subject + 2, bytes, length));
    expect_same(message, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\n', size);
    char rest[REST_BYTES] = "";
    if (end == NULL || (size_t)(end - data) >= sizeof rest)
        return 0;
    memcpy(rest, data, (size_t)(end - data));
    size_t length = size - (size_t)(end - data) - 1;
    char *bytes = malloc(length + 1); /* as the bus's: a zero follows */
    memcpy(bytes, end + 1, length);
    bytes[length] = '\0';
    struct bus_message message;
    if (wire_read(&message, rest, bytes, length))
        write_and_read(&message);
    free(bytes);
    return 0;
}
