#include "engine/load/document.h"
#include "engine/load/text.h"
#include "engine/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* --- the tree --------------------------------------------------------------------------------- */

enum node_type node_type(const struct node *node)
{
    static const enum node_type types[] = {
        [JSON_OBJECT] = NODE_OBJECT,  [JSON_ARRAY] = NODE_LIST,  [JSON_STRING] = NODE_STRING,
        [JSON_INTEGER] = NODE_NUMBER, [JSON_REAL] = NODE_NUMBER, [JSON_TRUE] = NODE_BOOLEAN,
        [JSON_FALSE] = NODE_BOOLEAN,  [JSON_NULL] = NODE_NULL,
    };
    return node->value == NULL ? NODE_ABSENT : types[json_typeof((json_t *)node->value)];
}

struct node node_member(const struct node *object, const char *key)
{
    work_spend(WORK_NODE);
    return (struct node){
        .parent = object, .key = key, .value = json_object_get(object->value, key)};
}

struct node node_element(const struct node *list, size_t index)
{
    work_spend(WORK_NODE);
    return (struct node){
        .parent = list, .index = index, .value = json_array_get(list->value, index)};
}

size_t node_count(const struct node *node)
{
    if (node_type(node) == NODE_OBJECT)
        return json_object_size(node->value);
    return json_array_size(node->value);
}

static struct node member_at(const struct node *object, void *at)
{
    return (struct node){
        .parent = object, .key = json_object_iter_key(at), .value = json_object_iter_value(at)};
}

struct node node_members(const struct node *object)
{
    return member_at(object, json_object_iter(object->value));
}

struct node node_inside(const struct node *of)
{
    return node_type(of) == NODE_LIST ? node_element(of, 0) : node_members(of);
}

struct node node_after(const struct node *each)
{
    const struct node *of = each->parent;
    if (each->key == NULL)
        return node_element(of, each->index + 1);
    return member_at(of, json_object_iter_next(of->value, json_object_key_to_iter(each->key)));
}

struct node node_first_of(const struct node *of)
{
    return node_type(of) == NODE_LIST ? node_element(of, 0) : *of;
}

struct node node_next_of(const struct node *of, const struct node *each)
{
    return node_type(of) == NODE_LIST ? node_after(each) : (struct node){.value = NULL};
}

const char *node_string(const struct node *node)
{
    const char *string = json_string_value(node->value);
    return string != NULL ? string : "";
}

double node_number(const struct node *node)
{
    return json_number_value(node->value);
}

bool node_boolean(const struct node *node)
{
    return json_is_true((json_t *)node->value);
}

/* --- reading through the text ----------------------------------------------------------------- */

/* The text ends with a zero, and is JSON, as jansson has found. Commas and colons stand where they should, and say no more than spaces. */
static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n,:");
}

/* From the opening quote to behind the closing one. */
static const char *skip_string(const char *at)
{
    for (at++; *at != '"' && *at != '\0'; at++)
        at += at[0] == '\\' && at[1] != '\0';
    return at + (*at == '"');
}

/* From a whole value, or a key, to the next one, by counting brackets. */
static const char *skip_value(const char *at)
{
    int depth = 0;
    do {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at = *at == '"' ? skip_string(at) : at + 1;
    } while (*at != '\0' && (depth > 0 || strchr(",:]} \t\r\n", *at) == NULL));
    return skip_space(at);
}

static json_t *load_string(const char *at)
{
    return json_loadb(at, (size_t)(skip_string(at) - at), JSON_DECODE_ANY, NULL);
}

static bool string_equals(const char *at, const char *wanted)
{
    size_t length = (size_t)(skip_string(at) - at) - 2;
    if (memchr(at + 1, '\\', length) == NULL)
        return strlen(wanted) == length && memcmp(at + 1, wanted, length) == 0;
    json_t *string = load_string(at);
    bool equal = string != NULL && strcmp(json_string_value(string), wanted) == 0;
    json_decref(string);
    return equal;
}

/* Over a byte or an escape of a string; `passed` grows by the bytes of the value it stands for. */
static const char *skip_letter(const char *at, size_t *passed)
{
    if (at[0] != '\\' || at[1] != 'u') {
        ++*passed;
        return at + 1 + (at[0] == '\\');
    }
    char digits[] = {at[2], at[3], at[4], at[5], '\0'};
    unsigned long code = strtoul(digits, NULL, 16);
    bool pair = code >= 0xd800 && code < 0xdc00; /* with \uXXXX of the other half */
    *passed += pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    return at + (pair ? 12 : 6);
}

/* --- pointers --------------------------------------------------------------------------------- */

/* Somewhat longer than what is shown of it. */
struct pointer_text {
    char text[2 * DIAGNOSTIC_POINTER_BYTES];
    size_t used;
};

static void append(struct pointer_text *pointer, const char *bytes)
{
    for (; *bytes != '\0' && pointer->used + 1 < sizeof pointer->text; bytes++)
        pointer->text[pointer->used++] = *bytes;
}

static void append_way(struct pointer_text *pointer, const struct node *node)
{
    char digits[24];
    if (node->parent == NULL)
        return;
    append_way(pointer, node->parent);
    append(pointer, "/");
    snprintf(digits, sizeof digits, "%zu", node->index);
    for (const char *byte = node->key != NULL ? node->key : digits; *byte != '\0'; byte++) {
        /* what is printed on a terminal must not command it */
        bool control = (unsigned char)*byte < 0x20 || *byte == 0x7f;
        const char plain[] = {control ? '?' : *byte, '\0'};
        append(pointer, *byte == '~' ? "~0" : *byte == '/' ? "~1" : plain);
    }
}

void node_pointer(const struct node *node, char *pointer, size_t size)
{
    struct pointer_text whole = {.used = 0};
    append_way(&whole, node);
    text_cut(pointer, size, whole.text);
}

/* --- places ----------------------------------------------------------------------------------- */

struct location {
    int line, column;
};

static struct location location_of(const struct document *document, const char *at)
{
    struct location location = {1, 1};
    for (const char *byte = document->text; byte < at; byte++) {
        location.column++;
        if (*byte == '\n') {
            location.line++;
            location.column = 1;
        }
    }
    return location;
}

/* Where the text of a value begins, and that of its key, or of the value itself where it has none. */
struct place {
    const char *value, *key;
};

/* From an object's brace to its last member of that name. */
static struct place find_member(const char *object, const char *key)
{
    struct place found = {object, object};
    for (const char *at = skip_space(object + 1); *at == '"'; at = skip_value(skip_value(at)))
        if (string_equals(at, key))
            found = (struct place){skip_value(at), at};
    return found;
}

/* Of the node, or of its nearest ancestor that is there. */
static struct place find_node(const struct document *document, const struct node *node)
{
    if (node->parent == NULL)
        return (struct place){skip_space(document->text), skip_space(document->text)};
    struct place around = find_node(document, node->parent);
    if (node->value == NULL)
        return around;
    if (node->key != NULL)
        return find_member(around.value, node->key);
    const char *at = skip_space(around.value + 1);
    for (size_t i = 0; i < node->index; i++)
        at = skip_value(at);
    return (struct place){at, at};
}

/* A finding of which it is known where in the text it is. */
static void add_at(const struct document *document, struct diagnostics *diagnostics,
                   enum diagnostic_severity severity, const struct node *node, const char *at,
                   const char *message, const char *hint)
{
    char pointer[DIAGNOSTIC_POINTER_BYTES];
    struct location location = location_of(document, at);
    node_pointer(node, pointer, sizeof pointer);
    diagnostics_add_at(diagnostics, severity, location.line, location.column, pointer, message,
                       hint);
}

void document_report(const struct document *document, struct diagnostics *diagnostics,
                     enum diagnostic_severity severity, const struct node *node,
                     enum node_part part, const char *message, const char *hint)
{
    /* finding a place costs a walk through the text: not for what nobody will read */
    if (!diagnostics_have_room(diagnostics, severity)) {
        diagnostics_add(diagnostics, severity, "", "", "");
        return;
    }
    struct place place = find_node(document, node);
    add_at(document, diagnostics, severity, node, part == NODE_KEY ? place.key : place.value,
           message, hint);
}

void document_report_in_string(const struct document *document, struct diagnostics *diagnostics,
                               const struct node *node, size_t offset, const char *message,
                               const char *hint)
{
    const char *at = find_node(document, node).value + 1; /* behind the quote */
    for (size_t passed = 0; passed < offset && *at != '"';)
        at = skip_letter(at, &passed);
    add_at(document, diagnostics, DIAGNOSTIC_ERROR, node, at, message, hint);
}

/* Looks for the place among a node and what is below it. */
static bool locate_below(const struct document *document, const struct node *node,
                         struct diagnostic *diagnostic)
{
    char here[DIAGNOSTIC_POINTER_BYTES];
    node_pointer(node, here, sizeof here);
    const char *rest = diagnostic->pointer + strlen(here);
    if (strncmp(here, diagnostic->pointer, strlen(here)) != 0 || (*rest != '/' && *rest != '\0'))
        return false;
    struct location location = location_of(document, find_node(document, node).value);
    diagnostic->line = location.line;
    diagnostic->column = location.column;
    EACH_INSIDE (each, node)
        if (locate_below(document, &each, diagnostic))
            return true;
    return true;
}

void document_locate(const char *text, size_t length, struct diagnostics *diagnostics)
{
    struct document document;
    struct diagnostics unused;
    diagnostics_init(&unused);
    if (document_open(&document, text, length, &unused)) {
        struct node root = {.value = document.root};
        for (int i = 0; i < diagnostics->count; i++)
            if (diagnostics->list[i].line == 1 && diagnostics->list[i].column == 1)
                locate_below(&document, &root, &diagnostics->list[i]);
        document_close(&document);
    }
    diagnostics_release(&unused);
}

/* --- double keys ------------------------------------------------------------------------------ */

struct key_check {
    const struct document *document;
    struct diagnostics *diagnostics;
    const char *at;
};

/* The key at the cursor is in its object for the second time. */
static void report_double_key(const struct key_check *check, const struct node *member,
                              const char *first_at)
{
    char hint[DIAGNOSTIC_TEXT_BYTES];
    if (!diagnostics_have_room(check->diagnostics, DIAGNOSTIC_ERROR)) {
        diagnostics_add(check->diagnostics, DIAGNOSTIC_ERROR, "", "", "");
        return;
    }
    snprintf(hint, sizeof hint, "the first is on line %d",
             location_of(check->document, first_at).line);
    add_at(check->document, check->diagnostics, DIAGNOSTIC_ERROR, member, check->at,
           "this key stands twice in its object", hint);
}

/* From a key to its value. `seen`: where the object's keys so far stand in the text. False when there is no memory. */
static bool check_key(struct key_check *check, json_t *seen, struct node *member)
{
    const char *text = check->document->text;
    json_t *key = load_string(check->at);
    const char *name = json_string_value(key);
    const json_t *first = json_object_get(seen, name);
    const char *first_at = first != NULL ? text + json_integer_value(first) : NULL;
    bool done = json_object_set_new(seen, name, json_integer(check->at - text)) == 0;
    member->key = json_object_iter_key(json_object_iter_at(seen, name));
    if (done && first_at != NULL)
        report_double_key(check, member, first_at);
    json_decref(key);
    check->at = skip_value(check->at);
    return done;
}

/* Looks through a value in the text: in the tree the last of two equal keys has replaced the first. */
static bool check_keys(struct key_check *check, const struct node *value)
{
    char opening = *check->at;
    if (opening != '{' && opening != '[') {
        check->at = skip_value(check->at);
        return true;
    }
    json_t *seen = json_object();
    struct node inside = {.parent = value};
    bool done = seen != NULL;
    check->at = skip_space(check->at + 1);
    for (; done && strchr("}]", *check->at) == NULL; inside.index++)
        done = (opening == '[' || check_key(check, seen, &inside)) && check_keys(check, &inside);
    check->at = skip_space(check->at + 1);
    json_decref(seen);
    return done;
}

/* --- opening ---------------------------------------------------------------------------------- */

/* Before the parser sees it, because the parser recurses. NULL: no bracket is too deep. */
static const char *find_too_deep(const char *at)
{
    for (int depth = 0; *at != '\0'; at = *at == '"' ? skip_string(at) : at + 1) {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (depth > DOCUMENT_DEPTH_MAX)
            return at;
    }
    return NULL;
}

static void refuse_parsing(const json_error_t *error, struct diagnostics *diagnostics)
{
    char message[DIAGNOSTIC_TEXT_BYTES];
    snprintf(message, sizeof message, "this is not JSON: %s", error->text);
    if (json_error_code(error) == json_error_out_of_memory)
        diagnostics_add_no_memory(diagnostics);
    else
        diagnostics_add_at(diagnostics, DIAGNOSTIC_ERROR, error->line > 0 ? error->line : 1,
                           error->column > 0 ? error->column : 1, "", message, "");
}

/* Whether there is a tree now. The text is complained about where there is none, or where a key stands twice in an object. */
static bool parse(struct document *document, const char *text, struct diagnostics *diagnostics)
{
    struct node root = {.parent = NULL};
    struct key_check check = {document, diagnostics, skip_space(document->text)};
    const char *too_deep = find_too_deep(document->text);
    json_error_t error;
    if (too_deep != NULL) {
        add_at(document, diagnostics, DIAGNOSTIC_ERROR, &root, too_deep,
               "lists and objects are nested too deeply", "at most 32 levels are allowed");
        return false;
    }
    document->root =
        json_loadb(text, document->length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
    bool doubles = document->root == NULL && json_error_code(&error) == json_error_duplicate_key;
    if (doubles) /* the tree is made all the same, to see what else is wrong */
        document->root = json_loadb(text, document->length, JSON_DECODE_ANY, &error);
    if (document->root == NULL)
        refuse_parsing(&error, diagnostics);
    bool done = document->root != NULL && (!doubles || check_keys(&check, &root));
    if (document->root != NULL && !done)
        diagnostics_add_no_memory(diagnostics);
    return done;
}

bool document_open(struct document *document, const char *text, size_t length,
                   struct diagnostics *diagnostics)
{
    *document = (struct document){.text = calloc(length + 1, 1), .length = length};
    if (document->text != NULL)
        memcpy(document->text, text, length);
    if (document->text == NULL)
        diagnostics_add_no_memory(diagnostics);
    else if (parse(document, text, diagnostics))
        return true;
    document_close(document);
    return false;
}

void document_close(struct document *document)
{
    json_decref(document->root);
    free(document->text);
    *document = (struct document){.root = NULL};
}
