#include "engine/load/extends.h"

#include "engine/load/text.h"
#include "engine/work.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_WORK_BYTE = 8 }; /* to make a tree of a byte */

static const char hint_of_name[] = "`extends` is the name of a game that is offered here";

/* --- places ----------------------------------------------------------------------------------- */

/* A finding in a layer's own text, as the author is told it. */
static void tell(const struct whole_text *whole, int layer, struct diagnostic *found)
{
    char message[2 * DIAGNOSTIC_TEXT_BYTES];
    if (layer == 0)
        return;
    snprintf(message, sizeof message, "in `%s`, line %d, column %d: %s", whole->layers[layer].name,
             found->line, found->column, found->message);
    text_cut(found->message, sizeof found->message, message);
    if (strncmp(found->pointer, "/tests", strlen("/tests")) == 0)
        text_cut(found->hint, sizeof found->hint,
                 "tests are inherited, too: write your own, or \"tests\": null");
    found->line = whole->line;
    found->column = whole->column;
}

/* What is laid over another file's comes of the first file that says it. */
static void locate_in(const struct whole_text *whole, int layer, bool nearest,
                      struct diagnostics *diagnostics)
{
    bool placed[DIAGNOSTICS_MAX];
    for (int i = 0; i < diagnostics->count; i++)
        placed[i] = diagnostics->list[i].placed;
    const struct document *document = &whole->layers[layer].document;
    document_locate(document->text, document->length, nearest, diagnostics);
    for (int i = 0; i < diagnostics->count; i++)
        if (!placed[i] && diagnostics->list[i].placed)
            tell(whole, layer, &diagnostics->list[i]);
}

void whole_text_locate(const struct whole_text *whole, struct diagnostics *diagnostics)
{
    if (whole->layer_count < 2)
        return;
    for (int i = 0; i < diagnostics->count; i++)
        diagnostics->list[i].placed = false;
    for (int layer = 0; layer < whole->layer_count; layer++)
        locate_in(whole, layer, false, diagnostics);
    if (whole->nameless)
        diagnostics_add(diagnostics,
                        (struct finding){.pointer = "/extends", .severity = DIAGNOSTIC_WARNING},
                        "give it a `name` of its own", "this game is called as the one it extends");
    locate_in(whole, 0, true, diagnostics);
    diagnostics_sort(diagnostics);
}

/* --- the chain -------------------------------------------------------------------------------- */

static int last_of(const struct whole_text *whole)
{
    return whole->layer_count - 1;
}

/* About what the last layer's `extends` says. */
static bool complain(struct whole_text *whole, const char *hint, const char *format, ...)
{
    char message[DIAGNOSTIC_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diagnostics_add(whole->diagnostics, (struct finding){.pointer = "/extends"}, hint, "%s",
                    message);
    locate_in(whole, last_of(whole), true, whole->diagnostics);
    return false;
}

static bool starve(struct whole_text *whole)
{
    diagnostics_add_no_memory(whole->diagnostics);
    return false;
}

/* Who finds games may make a path or an address of it. */
static bool is_name(const char *name)
{
    static const char admitted[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = strlen(name);
    return length > 0 && length <= NAME_BYTES_MAX && strspn(name, admitted) == length;
}

static bool is_circle(const struct whole_text *whole, const char *name)
{
    for (int i = 1; i < whole->layer_count; i++)
        if (strcmp(whole->layers[i].name, name) == 0)
            return true;
    return false;
}

/* Whether the last layer may extend what it names. */
static bool may_extend(struct whole_text *whole, const struct node *extends)
{
    const char *name = node_string(extends);
    if (node_type(extends) != NODE_STRING)
        return complain(whole, hint_of_name, "`extends` must be a text");
    if (!is_name(name))
        return complain(whole, hint_of_name, "this is no name of a game");
    if (is_circle(whole, name))
        return complain(whole, "somewhere there must be a game that extends nothing",
                        "`%s` would extend itself", name);
    if (whole->layer_count > EXTENDS_MAX)
        return complain(whole, "at most 4 games may extend one another in a row",
                        "this chain of games is too long");
    return true;
}

/* The text of one more layer; false: it has no sound tree. */
static bool open_layer(struct whole_text *whole, const char *text, size_t length)
{
    struct document *document = &whole->layers[whole->layer_count++].document;
    struct diagnostics *found = whole->diagnostics;
    const int known = found->count, errors_before = found->error_count;
    work_spend((uint64_t)length * READ_WORK_BYTE);
    bool opened = document_open(document, text, length, found);
    struct node root = {.value = document->root};
    if (opened && node_type(&root) != NODE_OBJECT)
        diagnostics_add(found, (struct finding){.line = 1, .column = 1}, "",
                        "a game file is an object");
    for (int i = known; i < found->count && !found->no_memory; i++)
        tell(whole, last_of(whole), &found->list[i]);
    return found->error_count == errors_before;
}

static bool add_layer(struct whole_text *whole, const struct node *extends)
{
    const char *name = node_string(extends);
    char *text = NULL;
    size_t length = 0;
    if (whole->bases != NULL)
        text = whole->bases->find(whole->bases->context, name, &length);
    bool found = text != NULL && length <= DEFINITION_BYTES_MAX, sound = false;
    if (text == NULL && length > 0) {
        starve(whole);
    } else if (!found) {
        complain(whole, hint_of_name, "there is no game `%s` here that could be extended", name);
    } else {
        snprintf(whole->layers[whole->layer_count].name, sizeof whole->layers->name, "%s", name);
        sound = open_layer(whole, text, length);
    }
    free(text);
    return sound;
}

/* From the author's file, which is open, to the one that extends nothing. */
static bool follow(struct whole_text *whole)
{
    for (;;) {
        struct node root = {.value = whole->layers[last_of(whole)].document.root};
        struct node extends = node_member(&root, "extends");
        if (!node_is_there(&extends))
            return true;
        if (!may_extend(whole, &extends) || !add_layer(whole, &extends))
            return false;
    }
}

/* From the last to the author's, each over what the next has become. */
static bool merge_chain(struct whole_text *whole)
{
    whole->text = whole->layers[last_of(whole)].document.text;
    for (int i = last_of(whole) - 1; i >= 0; i--) {
        char *merged = merge_texts(whole->text, whole->layers[i].document.text, &whole->length);
        free(whole->merged);
        whole->text = whole->merged = merged;
        if (merged == NULL)
            return starve(whole);
        if (whole->length > DEFINITION_BYTES_MAX) {
            whole->layer_count = 1; /* the author's own text is to blame */
            return complain(
                whole, "",
                "with what it extends this game is too large: at most %d bytes are allowed",
                DEFINITION_BYTES_MAX);
        }
    }
    return true;
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool contains(const char *text, size_t length, const char *word)
{
    const size_t bytes = strlen(word);
    for (size_t i = 0; i + bytes <= length; i++)
        if (text[i] == word[0] && memcmp(text + i, word, bytes) == 0)
            return true;
    return false;
}

/* Most texts do not, and nothing more is done for these. */
static bool may_say_extends(const char *text, size_t length)
{
    return length <= DEFINITION_BYTES_MAX &&
           (contains(text, length, "extends") || contains(text, length, "\\u"));
}

/* Where the author's `extends` is: what would be found there is told there. */
static bool locate_extends(struct whole_text *whole)
{
    struct diagnostic extends = {.pointer = "/extends"};
    struct diagnostics found = {.list = &extends, .count = 1};
    document_locate(whole->text, whole->length, true, &found);
    whole->line = extends.line;
    whole->column = extends.column;
    return extends.placed;
}

static bool read_chain(struct whole_text *whole)
{
    struct document *author = &whole->layers[0].document;
    struct diagnostics found;
    diagnostics_init(&found);
    work_spend((uint64_t)whole->length * READ_WORK_BYTE);
    document_open(author, whole->text, whole->length, &found);
    struct node root = {.value = author->root};
    struct node extends = node_member(&root, "extends"), name = node_member(&root, "name");
    const bool starved = found.no_memory, sound = found.error_count == 0;
    diagnostics_release(&found);
    if (starved)
        return starve(whole);
    if (!node_is_there(&extends))
        return true;
    if (!sound) { /* only now it is known that nobody else will say so */
        document_close(author);
        return open_layer(whole, whole->text, whole->length);
    }
    whole->layer_count = 1;
    whole->nameless = !node_is_there(&name);
    return (locate_extends(whole) || starve(whole)) && follow(whole) && merge_chain(whole);
}

bool whole_text_read(struct whole_text *whole, const char *text, size_t length,
                     const struct bases *bases, struct diagnostics *diagnostics)
{
    *whole = (struct whole_text){
        .text = text, .length = length, .bases = bases, .diagnostics = diagnostics};
    if (!may_say_extends(text, length))
        return true;
    bool sound = read_chain(whole);
    if (!sound) /* what was found stands where it should */
        whole->layer_count = 0;
    return sound;
}

void whole_text_release(struct whole_text *whole)
{
    for (int i = 0; i <= EXTENDS_MAX; i++)
        document_close(&whole->layers[i].document);
    free(whole->merged);
    *whole = (struct whole_text){.text = NULL};
}
