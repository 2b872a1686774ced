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

/* Why this cannot be an image; NULL: it can. */
static const char *image_fault(const char *string)
{
    if (strlen(string) > IMAGE_BYTES_MAX)
        return "it is too long";
    if (!text_is_plain(string, "") || strpbrk(string, " \"'<>`") != NULL)
        return "it contains spaces, quotes or control characters";
    if (begins_with(string, "http://") || begins_with(string, "https://"))
        return NULL;
    return begins_with(string, uploaded) ? uploaded_path_fault(string)
                                         : relative_path_fault(string);
}

static bool is_missing(const struct reader *reader, const char *path)
{
    const struct load_options *options = reader->options;
    return options->has_picture != NULL && !options->has_picture(options->pictures, path);
}

/* What is on other servers is kept: games were written with such pictures, and other programs may show them. */
static void read_image(struct reader *reader, const struct node *node, void *place)
{
    static const char instead[] = "upload the picture, or put it beside the game file";
    const char *string = node_string(node), *fault = image_fault(string), **image = place;
    bool foreign = begins_with(string, "https://");
    if (!reader_expect(reader, node, NODE_STRING))
        return;
    if (fault != NULL) {
        reader_error(reader, node, "write a path beside the game file",
                     "this cannot be an image: %s", fault);
    } else if (begins_with(string, "http://")) {
        reader_warn(reader, node, NODE_VALUE, instead, "this image is left out: it is not safe");
    } else if (begins_with(string, uploaded) &&
               strstr(reader->document.text, string + strlen(uploaded)) == NULL) {
        /* who keeps pictures reads which ones a text names without reading JSON: one that is hidden
         * behind escapes would not be found there, and go one day */
        reader_warn(reader, node, NODE_VALUE, "write it letter by letter, as the upload gave it",
                    "this image is left out: its address is written with escapes");
    } else {
        *image = reader_copy_string(reader, string);
        if (foreign && !reader->foreign_image)
            reader_warn(
                reader, node, NODE_VALUE, instead,
                "pages do not show pictures from other servers: those would learn who plays");
        reader->foreign_image = reader->foreign_image || foreign;
        if (!foreign && !begins_with(string, uploaded) && is_missing(reader, string))
            reader_warn(reader, node, NODE_VALUE, "the figure's letters are shown instead",
                        "there is no such picture beside the file");
    }
}

/* A file that extends another one may have fewer figures, and what it inherits still names them. */
static const struct field image = {.kind = read_image, .size = sizeof(char *), .lenient = true};
static const struct field images_of_player = {
    .kind = field_by_name, .size = sizeof(char *[FIGURES_MAX]), NAMES_OF(figures), .each = &image};
static const struct field image_fields[] = {
    {"figures", field_by_name, TO(struct image_set, figures), NAMES_OF(players),
     .each = &images_of_player},
    {.lenient = true},
};

/* A page offers it by its name. */
static bool image_set_read(struct reader *reader, const struct node *node, void *element)
{
    struct image_set *set = element;
    const char *fault = text_name_fault(node->key, NAME_BYTES_MAX);
    if (fault != NULL)
        reader_error_key(reader, node, "", "this cannot be the name of a set: %s", fault);
    set->name = reader_copy_string(reader, node->key);
    return fields_read(reader, node, image_fields, set);
}

const struct field resource_fields[] = {
    {"images", field_object, AT(struct definition, images), .fields = image_fields},
    {"sets", field_list, LIST_AT(struct definition, image_sets, image_set_count),
     ELEMENTS(IMAGE_SETS_MAX, "sets", struct image_set, image_set_read), .named = true,
     .keeps = true, .format = 2},
    {.lenient = true},
};
