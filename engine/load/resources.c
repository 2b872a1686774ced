#include "engine/load/fields.h"

#include <string.h>

static bool begins_with(const char *string, const char *prefix)
{
    return strncmp(string, prefix, strlen(prefix)) == 0;
}

/* A way into the folder of the game file, and never out of it. NULL: it is one. */
static const char *relative_path_fault(const char *path)
{
    if (path[0] == '\0')
        return "it is empty";
    if (path[0] == '/')
        return "it begins with a slash";
    if (strchr(path, '\\') != NULL)
        return "it contains a backslash";
    if (strchr(path, ':') != NULL)
        return "only https: is allowed";
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (begins_with(part, "..") && (part[2] == '/' || part[2] == '\0'))
            return "it leads out of the folder";
    }
    return NULL;
}

enum { PICTURE_DIGITS = 64 };
static const char uploaded[] = "/pictures/";

/* One that was uploaded to the server: "/pictures/", what it is in 64 hexadecimal digits, and ".svg" or ".png". */
static const char *uploaded_path_fault(const char *path)
{
    const char *digits = path + strlen(uploaded), *suffix = digits + PICTURE_DIGITS;
    if (strspn(digits, "0123456789abcdef") == PICTURE_DIGITS &&
        (strcmp(suffix, ".svg") == 0 || strcmp(suffix, ".png") == 0))
        return NULL;
    return "it is no address that an upload gives";
}

/* Who keeps pictures reads which ones a text names without reading JSON: one that is hidden behind escapes would not be
 * found there, and go one day. */
static bool stands_in_text(const struct document *document, const char *path)
{
    const char *name = path + strlen(uploaded), *suffix = name + PICTURE_DIGITS;
    size_t length = strlen(name), before = PICTURE_DIGITS;
    for (size_t i = before; i + length - before <= document->length; i++)
        if (document->text[i] == '.' && document->text[i - 1] == suffix[-1] &&
            memcmp(document->text + i - before, name, length) == 0)
            return true;
    return false;
}

/* Spaces, quotes and the like have no business in an address, and much in attacks. */
static bool has_odd_bytes(const char *string)
{
    for (const unsigned char *byte = (const unsigned char *)string; *byte != '\0'; byte++)
        if (*byte <= 0x20 || *byte == 0x7f || strchr("\"'<>`", *byte) != NULL)
            return true;
    return false;
}

/* It is a sound file all the same: games were written with such pictures, and other programs may show them. */
static void warn_of_foreign_image(struct reader *reader, const struct node *node)
{
    if (!reader->foreign_image)
        reader_warn(reader, node, NODE_VALUE, "upload the picture, or put it beside the game file",
                    "pages do not show pictures from other servers: those would learn who plays");
    reader->foreign_image = true;
}

static const char *read_image(struct reader *reader, const struct node *node)
{
    if (!reader_expect(reader, node, NODE_STRING))
        return NULL;
    const char *string = node_string(node);
    const char *fault = NULL;
    if (strlen(string) > IMAGE_BYTES_MAX)
        fault = "it is too long";
    else if (has_odd_bytes(string))
        fault = "it contains spaces, quotes or control characters";
    else if (begins_with(string, "http://")) {
        reader_warn(reader, node, NODE_VALUE, "upload the picture, or put it beside the game file",
                    "this image is left out: it is not safe");
        return NULL;
    } else if (begins_with(string, "https://"))
        warn_of_foreign_image(reader, node);
    else if (begins_with(string, uploaded))
        fault = uploaded_path_fault(string);
    else
        fault = relative_path_fault(string);
    if (fault == NULL && begins_with(string, uploaded) &&
        !stands_in_text(&reader->document, string)) {
        reader_warn(reader, node, NODE_VALUE, "write it letter by letter, as the upload gave it",
                    "this image is left out: its address is written with escapes");
        return NULL;
    }
    if (fault == NULL)
        return reader_copy_string(reader, string);
    reader_error(reader, node, "write a path beside the game file", "this cannot be an image: %s",
                 fault);
    return NULL;
}

static void read_images(struct reader *reader, const struct node *players, void *object)
{
    struct definition *definition = object;
    if (!reader_expect(reader, players, NODE_OBJECT))
        return;
    EACH_MEMBER (figures, players) {
        int player = reader_name(reader, &figures, NODE_KEY, &reader->players);
        if (!reader_expect(reader, &figures, NODE_OBJECT))
            continue;
        EACH_MEMBER (each, &figures) {
            int figure = reader_name(reader, &each, NODE_KEY, &reader->figures);
            const char *address = read_image(reader, &each);
            if (player >= 0 && figure >= 0)
                definition->images[player][figure] = address;
        }
    }
}

static const struct field image_fields[] = {{"figures", .kind = read_images}, {.lenient = true}};
static const struct field resource_fields[] = {{"images", field_object, .fields = image_fields},
                                               {.lenient = true}};

void resources_read(struct reader *reader, const struct node *resources, void *definition)
{
    fields_read(reader, resources, resource_fields, definition);
}
