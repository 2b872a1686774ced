/* A picture from a stranger: what comes out of it, read again, is itself, and holds nothing that is not in a list. The list is
 * written down here once more, by hand, and what was written is looked through by a few lines that know no XML.
 *
 * The first byte says whether the rest is an SVG or a PNG. */
#include "server/pictures/picture.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *const elements[] = {
    "svg",      "g",       "defs",   "symbol",         "use",
    "path",     "rect",    "circle", "ellipse",        "line",
    "polyline", "polygon", "stop",   "linearGradient", "radialGradient",
    "clipPath", "mask",    "text",   "tspan",          "title",
    "desc",     "style",
};

static bool begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static bool is_name(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-';
}

static void check_element(const char *name)
{
    size_t length = 0;
    while (is_name(name[length]))
        length++;
    bool listed = false;
    for (size_t i = 0; i < COUNT_OF(elements); i++)
        listed |= strlen(elements[i]) == length && memcmp(elements[i], name, length) == 0;
    assert(listed);
}

/* Of values: nothing is named but what is in the file, and nothing is called but plain functions. */
static void check_value(const char *name, const char *value, const char *end)
{
    static const char xmlns[] = "http://www.w3.org/2000/svg\"";
    if (begins_with(name, "xmlns=")) {
        assert(begins_with(value, xmlns));
        return;
    }
    if (begins_with(name, "href="))
        assert(*value == '#');
    assert(memchr(value, '\\', (size_t)(end - value)) == NULL);
    assert(memchr(value, '@', (size_t)(end - value)) == NULL);
    assert(memchr(value, '/', (size_t)(end - value)) == NULL);
    for (const char *at = value; at < end; at++)
        if (*at == '(' && at - value >= 3 && memcmp(at - 3, "url", 3) == 0)
            assert(at[1] == '#');
}

/* ` name="value"…>` or `/>`; gives the place behind it. */
static const char *check_tag(const char *at)
{
    while (*at == ' ') {
        const char *name = ++at;
        while (is_name(*at))
            at++;
        assert(at > name && !begins_with(name, "on") && at[0] == '=' && at[1] == '"');
        const char *value = at + 2, *end = strchr(value, '"');
        assert(end != NULL && memchr(value, '<', (size_t)(end - value)) == NULL);
        check_value(name, value, end);
        at = end + 1;
    }
    at += *at == '/';
    assert(*at == '>');
    return at + 1;
}

/* A style sheet holds names and properties; all other text is text. */
static void check_sheet(const char *text, const char *end)
{
    check_value("sheet", text, end);
    assert(memchr(text, '&', (size_t)(end - text)) == NULL);
}

static void check_svg(const struct picture *picture)
{
    const char *at = picture->bytes, *end = at + picture->length;
    assert(strlen(at) == picture->length && begins_with(at, "<svg xmlns=\""));
    while (at < end) {
        assert(*at == '<');
        bool is_end = at[1] == '/', is_style = begins_with(at, "<style");
        const char *name = at + 1 + is_end;
        check_element(name);
        while (is_name(*name))
            name++;
        at = check_tag(name);
        const char *next = strchr(at, '<');
        next = next != NULL ? next : end;
        assert(memchr(at, '>', (size_t)(next - at)) == NULL);
        if (is_style)
            check_sheet(at, next);
        at = next;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool begun;
    struct picture picture, again;
    if (!begun)
        picture_begin();
    begun = true;
    if (size == 0)
        return 0;
    enum picture_kind kind = data[0] == 'P' ? PICTURE_PNG : PICTURE_SVG;
    enum picture_outcome outcome = picture_read(kind, data + 1, size - 1, 65536, &picture);
    assert((outcome == PICTURE_READ) == (picture.bytes != NULL));
    assert((outcome == PICTURE_REFUSED) == (picture.words[0] != '\0'));
    if (outcome == PICTURE_READ) {
        assert(picture_read(kind, picture.bytes, picture.length, 65536, &again) == PICTURE_READ);
        assert(again.length == picture.length);
        assert(memcmp(again.bytes, picture.bytes, again.length) == 0);
        picture_release(&again);
        if (kind == PICTURE_SVG)
            check_svg(&picture);
    }
    picture_release(&picture);
    return 0;
}
