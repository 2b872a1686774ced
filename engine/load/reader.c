#include "engine/bits.h"
#include "engine/load/fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- complaining ------------------------------------------------------------------------------ */

void reader_say(struct reader *reader, enum diagnostic_severity severity, const struct node *node,
                int part, const char *hint, const char *format, ...)
{
    char message[2 * DIAGNOSTIC_TEXT_BYTES], pointer[DIAGNOSTIC_POINTER_BYTES];
    /* an absent member is complained about where it is missing: at its object */
    bool missing = node->value == NULL && node->parent != NULL;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reader->complaints += severity == DIAGNOSTIC_ERROR;
    node_pointer(missing ? node->parent : node, pointer, sizeof pointer);
    diagnostics_add(reader->diagnostics, (struct finding){pointer, severity, part, 0, 0}, hint,
                    "%s", message);
}

void reader_refuse(struct reader *reader, const struct node *object, const char *word, bool wrong,
                   const char *hint, const char *message)
{
    struct node node = node_member(object, word);
    if (wrong && node_is_there(&node))
        reader_error_key(reader, &node, hint, "%s", message);
}

void reader_demand(struct reader *reader, const struct node *object, const char *word, bool wanted,
                   const char *hint)
{
    if (wanted && !node_has(object, word))
        reader_error(reader, object, hint, "`%s` is missing", word);
}

void reader_end(struct reader *reader)
{
    longjmp(reader->over, 1);
}

void reader_starved(struct reader *reader)
{
    diagnostics_add_no_memory(reader->diagnostics);
    reader_end(reader);
}

static void *allocate(struct reader *reader, struct arena *arena, size_t count, size_t size)
{
    void *piece = arena_allocate(arena, count, size);
    if (piece == NULL && arena_starved(arena))
        reader_starved(reader);
    if (piece == NULL)
        reader_stop(reader, reader->root, "use fewer cells, movements or conditions",
                    "written out, this game is too large to be read");
    return piece;
}

void *reader_allocate(struct reader *reader, size_t count, size_t size)
{
    const struct definition *definition = reader->definition;
    return allocate(reader, reader->keeps ? definition->kept : definition->arena, count, size);
}

void *reader_keep(struct reader *reader, size_t count, size_t size)
{
    return allocate(reader, reader->definition->kept, count, size);
}

void *reader_add(struct reader *reader, struct growing_list *list, size_t size)
{
    if (list->count == list->room) {
        list->room = list->room == 0 ? 2 : 2 * list->room;
        void *longer = reader_allocate(reader, (size_t)list->room, size);
        if (list->count > 0)
            memcpy(longer, list->elements, (size_t)list->count * size);
        list->elements = longer;
    }
    return (unsigned char *)list->elements + (size_t)list->count++ * size;
}

char *reader_copy_string(struct reader *reader, const char *string)
{
    size_t size = strlen(string) + 1;
    return memcpy(reader_keep(reader, size, 1), string, size);
}

const char *reader_pointer(struct reader *reader, const struct node *node)
{
    char pointer[DIAGNOSTIC_POINTER_BYTES];
    node_pointer(node, pointer, sizeof pointer);
    return reader_copy_string(reader, pointer);
}

/* --- asking a node ---------------------------------------------------------------------------- */

static const char *type_name(enum node_type type)
{
    static const char *const names[] = {
        [NODE_ABSENT] = "nothing",   [NODE_NULL] = "null",       [NODE_BOOLEAN] = "true or false",
        [NODE_NUMBER] = "a number",  [NODE_STRING] = "a string", [NODE_LIST] = "a list",
        [NODE_OBJECT] = "an object",
    };
    return names[type];
}

/* How a sentence about the node begins. */
static struct quoted subject(const struct node *node)
{
    struct quoted subject = {"this"};
    if (node->key != NULL)
        snprintf(subject.text, sizeof subject.text, "`%.48s`", text_quote(node->key).text);
    else if (node->parent == NULL)
        snprintf(subject.text, sizeof subject.text, "a game file");
    return subject;
}

/* Numbers in a list that should have coordinates by their names. */
static void name_coordinates(const struct reader *reader, const struct node *list,
                             struct hint *hint)
{
    const size_t count = node_count(list), size = sizeof hint->text;
    size_t used = 0;
    if (count == 0 || count != (size_t)reader->dimensions.count || list->key != NULL)
        return;
    EACH_ELEMENT (each, list) {
        if (node_type(&each) != NODE_NUMBER || used >= size / 2) {
            *hint = (struct hint){""};
            return;
        }
        used += (size_t)snprintf(hint->text + used, size - used, "%s\"%.24s\": %.6g",
                                 each.index == 0 ? "write {" : ", ",
                                 reader->dimensions.names[each.index], node_number(&each));
    }
    snprintf(hint->text + used, size - used, "}");
}

/* A text where a list or an object is wanted: most often it is what should stand in it. */
static struct hint how_to_write(const struct reader *reader, const struct node *node,
                                enum node_type type)
{
    struct hint hint = {""};
    const char *text = node_string(node);
    bool kind = name_list_find(&reader->figures, text) >= 0;
    if (node_type(node) == NODE_STRING && type == NODE_LIST)
        snprintf(hint.text, sizeof hint.text, "a list stands in brackets: [\"%.64s\"]", text);
    else if (kind && type == NODE_OBJECT)
        snprintf(hint.text, sizeof hint.text, "write {\"figure\": \"%.64s\"}", text);
    else if (node_type(node) == NODE_LIST && type == NODE_OBJECT)
        name_coordinates(reader, node, &hint);
    return hint;
}

bool reader_expect(struct reader *reader, const struct node *node, enum node_type type)
{
    enum node_type actual = node_type(node);
    if (actual == type)
        return true;
    if (actual == NODE_ABSENT)
        reader_error(reader, node, "", "%s is missing", subject(node).text);
    else
        reader_error(reader, node, how_to_write(reader, node, type).text, "%s must be %s, not %s",
                     subject(node).text, type_name(type), type_name(actual));
    return false;
}

bool reader_expect_if_there(struct reader *reader, const struct node *node, enum node_type type)
{
    return node_type(node) != NODE_ABSENT && reader_expect(reader, node, type);
}

bool reader_expect_at_most(struct reader *reader, const struct node *node, size_t most,
                           const char *what)
{
    size_t count = node_count(node);
    if (count <= most)
        return true;
    reader_error(reader, node, "", "too many %s: %zu, at most %zu are allowed", what, count, most);
    return false;
}

bool reader_expect_list(struct reader *reader, const struct node *node, size_t most,
                        const char *what)
{
    return reader_expect(reader, node, NODE_LIST) &&
           reader_expect_at_most(reader, node, most, what);
}

bool reader_integer(struct reader *reader, const struct node *node, int least, int most, int *value)
{
    if (!reader_expect(reader, node, NODE_NUMBER))
        return false;
    double number = node_number(node);
    if (number < least || number > most) {
        reader_error(reader, node, "", "%s is out of bounds: it must be from %d to %d",
                     subject(node).text, least, most);
        return false;
    }
    if (floor(number) != number) {
        reader_error(reader, node, "", "%s must be a whole number", subject(node).text);
        return false;
    }
    *value = (int)number;
    return true;
}

void reader_range(struct reader *reader, const struct node *node, int least_first, int least_last,
                  int most, bool endless, int *first, int *last)
{
    struct node min = node_element(node, 0), max = node_element(node, 1);
    if (node_type(node) != NODE_LIST)
        *first = reader_integer(reader, node, least_last, most, last) ? *last : *first;
    else if (node_count(node) != 2)
        reader_error(reader, node, "write [least, most]", "a range has two numbers, not %zu",
                     node_count(node));
    else if (reader_integer(reader, &min, least_first, most, first) &&
             ((endless && node_type(&max) == NODE_NULL) ||
              reader_integer(reader, &max, least_last, most, last)) &&
             *first > *last)
        reader_error(reader, node, "write the smaller number first", "this range is empty");
}

bool reader_boolean(struct reader *reader, const struct node *node, bool *value)
{
    if (!reader_expect_if_there(reader, node, NODE_BOOLEAN))
        return false;
    *value = node_boolean(node);
    return true;
}

const char *reader_text(struct reader *reader, const struct node *node, size_t most, bool lines)
{
    if (!reader_expect_if_there(reader, node, NODE_STRING))
        return NULL;
    const char *string = node_string(node);
    if (strlen(string) > most) {
        reader_error(reader, node, "", "%s is too long: at most %zu bytes are allowed",
                     subject(node).text, most);
        return NULL;
    }
    if (!text_is_plain(string, lines ? "\n\t" : "")) {
        reader_error(reader, node, "", "%s contains control characters", subject(node).text);
        return NULL;
    }
    return reader_copy_string(reader, string);
}

void reader_say_unknown(struct reader *reader, enum diagnostic_severity severity,
                        const struct node *node, enum node_part part, const struct name_list *names)
{
    const char *word = part == NODE_KEY ? node->key : node_string(node);
    /* comparing with hundreds of names costs: not for what nobody will read */
    struct hint hint = {""};
    if (diagnostics_have_room(reader->diagnostics, severity))
        hint = text_hint(word, names);
    reader_say(reader, severity, node, part, hint.text, "no %s `%s`", names->kind,
               text_quote(word).text);
}

int reader_name(struct reader *reader, const struct node *node, enum node_part part,
                const struct name_list *names)
{
    if (part == NODE_VALUE && !reader_expect(reader, node, NODE_STRING))
        return -1;
    const char *word = part == NODE_KEY ? node->key : node_string(node);
    int index = name_list_find(names, word);
    if (index >= 0 || !names->known)
        return index;
    /* who does not play now is left out, and so is what the file says of them */
    if (names->kind == reader->players.kind && name_list_find(&reader->absent, word) >= 0)
        return index;
    reader_say_unknown(reader, DIAGNOSTIC_ERROR, node, part, names);
    return index;
}

bool reader_names(struct reader *reader, const struct node *node, const struct name_list *names,
                  bool once, uint64_t *words)
{
    int complaints = reader->complaints;
    bool sound = true;
    EACH_OF (each, node) {
        int index = reader_name(reader, &each, NODE_VALUE, names);
        if (once && index >= 0 && bits_test(words, (unsigned)index))
            reader_error(reader, &each, "", "%s `%s` is named twice", names->kind,
                         text_quote(node_string(&each)).text);
        sound = sound && (index >= 0 || names->known);
        if (index >= 0)
            bits_set(words, (unsigned)index);
    }
    return sound && reader->complaints == complaints;
}

bool reader_add_name(struct reader *reader, const struct node *node, enum node_part part,
                     struct name_list *names, const char **room, int most)
{
    const char *name = part == NODE_KEY ? node->key : node_string(node);
    const char *fault = text_name_fault(name, NAME_BYTES_MAX);
    bool fits = names->count < most;
    if (fault != NULL)
        reader_error_at(reader, node, part, "", "this cannot be the name of a %s: %s", names->kind,
                        fault);
    else if (!fits)
        reader_error_at(reader, node, part, "", "too many %ss: at most %d are allowed", names->kind,
                        most);
    if (fits)
        room[names->count++] = reader_copy_string(reader, name);
    return fits && fault == NULL;
}

bool reader_read_names(struct reader *reader, const struct node *object, const char *kind, int most,
                       struct name_list *names)
{
    char plural[32];
    snprintf(plural, sizeof plural, "%ss", kind);
    *names = (struct name_list){.kind = kind, .known = !node_is_there(object)};
    if (!reader_expect_if_there(reader, object, NODE_OBJECT) ||
        !reader_expect_at_most(reader, object, (size_t)most, plural))
        return false;
    const char **room = reader_allocate(reader, node_count(object), sizeof *room);
    names->names = room;
    EACH_MEMBER (each, object)
        reader_add_name(reader, &each, NODE_KEY, names, room, most);
    names->known = true;
    return true;
}

bool reader_coordinates(struct reader *reader, const struct node *object, bool all,
                        int coordinates[DIMENSIONS_MAX])
{
    const struct field each = {.kind = field_integer,
                               .size = sizeof(int),
                               .least = -COORDINATE_MAX,
                               .most = COORDINATE_MAX,
                               .missing = all ? "" : NULL};
    int complaints = reader->complaints;
    memset(coordinates, 0, DIMENSIONS_MAX * sizeof *coordinates);
    fields_read_by_name(reader, object, &reader->dimensions, &each, coordinates);
    return reader->dimensions.known && reader->complaints == complaints;
}
