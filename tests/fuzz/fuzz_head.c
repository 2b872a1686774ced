/* Whatever bytes a client begins with, a head is refused or it is cut into texts that lie in it; escapes shrink what they
 * stand in, and a route of Chess Mate names squares that are some. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/chess_mate/body.h"
#include "server/chess_mate/route.h"
#include "server/net/head.h"
#include "tests/fuzz/fuzz.h"

static void expect_inside(const char *part, const char *text, size_t length)
{
    assert(part[0] == '\0' || (part >= text && part + strlen(part) < text + length));
}

static void expect_route(const struct head *head)
{
    size_t length = strlen(head->target);
    char *path = malloc(length + 1), value[16];
    assert(path != NULL);
    bool fine = head_unescape(head->target, length, false, path);
    assert(strlen(path) <= length &&
           (!fine || strlen(path) == length || strchr(head->target, '%')));
    struct route route = route_read(NET_GET, path, !fine);
    if (route.kind == ROUTE_TARGETS || route.kind == ROUTE_MOVE)
        assert(fine && route.from >= 0 && route.from < SQUARES);
    if (route.kind == ROUTE_MOVE)
        assert(route.to >= 0 && route.to < SQUARES);
    if (head_query(head, "choice", value, sizeof value))
        assert(strlen(value) < sizeof value);
    free(path);
}

static void expect_body(const uint8_t *data, size_t size)
{
    char *id, *id_json;
    enum body_answer answer = body_read_id((const char *)data, size, &id, &id_json);
    assert((answer == BODY_OK) == (id != NULL) && (id == NULL) == (id_json == NULL));
    if (id != NULL)
        assert(id[0] != '\0' && id_json[0] != '\0');
    free(id);
    free(id_json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct head head;
    expect_body(data, size);
    size_t length = head_length((const char *)data, size, 0);
    if (length == 0)
        return 0;
    assert(length <= size &&
           (size < 5 || head_length((const char *)data, size, length - 1) == length));
    char *text = malloc(length + 1);
    assert(text != NULL);
    memcpy(text, data, length);
    text[length] = '\0';
    if (head_read(text, length, &head) == HEAD_OK) {
        assert(head.target[0] == '/' && head.field_count <= HEAD_FIELDS_MAX);
        expect_inside(head.method, text, length);
        expect_inside(head.target, text, length);
        expect_inside(head.query, text, length);
        for (int i = 0; i < head.field_count; i++) {
            expect_inside(head.fields[i].name, text, length);
            expect_inside(head.fields[i].value, text, length);
            assert(head_find(&head, head.fields[i].name) != NULL);
        }
        expect_route(&head);
    }
    free(text);
    return 0;
}
