#include "server/chess_mate/route.h"

#include <string.h>

enum { SEGMENTS_MAX = 4, SEGMENT_BYTES_MAX = 15 };

/* A segment too long to be any name is kept as "". */
struct path {
    int count; /* SEGMENTS_MAX: that many or more */
    char segments[SEGMENTS_MAX][SEGMENT_BYTES_MAX + 1];
    bool is_text;
};

/* Is every byte part of UTF-8's ASCII half? A square is nothing else; what else it may be does not matter here. */
static bool is_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        int more = *at < 0x80                  ? 0
                   : *at >= 0xc2 && *at < 0xe0 ? 1
                   : *at >= 0xe0 && *at < 0xf0 ? 2
                   : *at >= 0xf0 && *at < 0xf5 ? 3
                                               : -1;
        if (more < 0)
            return false;
        for (at++; more > 0; more--, at++)
            if ((*at & 0xc0) != 0x80)
                return false;
    }
    return true;
}

static void read_path(const char *text, struct path *path)
{
    *path = (struct path){.is_text = is_utf8(text)};
    while (*text == '/' && text[1] != '\0' && path->count < SEGMENTS_MAX) {
        size_t length = strcspn(++text, "/");
        if (length <= SEGMENT_BYTES_MAX)
            memcpy(path->segments[path->count], text, length);
        path->count++;
        text += length;
    }
}

static bool is(const struct path *path, int count, const char *name)
{
    return path->count == count && strcasecmp(path->segments[0], name) == 0;
}

static struct route with_squares(const struct path *path, enum route_kind kind, enum wish wish)
{
    struct route route = {
        .kind = kind, .wish = wish, .to = NO_SQUARE, .is_move = kind == ROUTE_MOVE};
    route.from = square_of_name(path->segments[1]);
    if (route.is_move)
        route.to = square_of_name(path->segments[2]);
    if (!path->is_text)
        route.kind = ROUTE_BAD_TEXT;
    else if (route.from == NO_SQUARE || (route.is_move && route.to == NO_SQUARE))
        route.kind = ROUTE_BAD_SQUARE;
    if (route.kind != kind)
        route.wish = WISH_NOTHING;
    return route;
}

struct route route_read(enum net_method method, const char *path_text, bool bad_escapes)
{
    struct path path;
    struct route nowhere = {.kind = ROUTE_NOWHERE, .wish = WISH_NOTHING};
    read_path(path_text, &path);
    path.is_text &= !bad_escapes;
    if (method == NET_OPTIONS)
        return (struct route){.kind = ROUTE_PREFLIGHT};
    if (method == NET_POST && is(&path, 1, "new-game"))
        return (struct route){.kind = ROUTE_NEW_GAME, .wish = WISH_NEW_GAME};
    if (method != NET_GET)
        return nowhere;
    if (path.count == 0)
        return (struct route){.kind = ROUTE_INDEX};
    if (is(&path, 1, "load-game"))
        return (struct route){.kind = ROUTE_GAME, .wish = WISH_GAME};
    if (is(&path, 2, "legal-moves"))
        return with_squares(&path, ROUTE_TARGETS, WISH_TARGETS);
    if (is(&path, 3, "make-move"))
        return with_squares(&path, ROUTE_MOVE, WISH_MOVE);
    return nowhere;
}
