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
    struct node member = {.value = NULL};
    work_spend(WORK_NODE);
    if (object->over != NULL)
        member = node_member(object->over, key);
    if (member.value == NULL)
        member = (struct node){
            .parent = object, .key = key, .value = json_object_get(object->value, key)};
    return member;
}

bool node_equal(const struct node *one, const struct node *other)
{
    return one->value != NULL && json_equal(one->value, other->value);
}

bool node_has(const struct node *object, const char *key)
{
    struct node member = node_member(object, key);
    return member.value != NULL;
}

struct node node_element(const struct node *list, size_t index)
{
    work_spend(WORK_NODE);
    return (struct node){
        .parent = list, .index = index, .value = json_array_get(list->value, index)};
}

size_t node_count(const struct node *node)
{
    return json_object_size(node->value) + json_array_size(node->value); /* 0 of what it is not */
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

struct node node_first_of(const struct node *of)
{
    return node_type(of) == NODE_LIST ? node_element(of, 0) : *of;
}

struct node node_after(const struct node *of, const struct node *each)
{
    if (each->parent != of)
        return (struct node){.value = NULL};
    if (each->key == NULL)
        return node_element(of, each->index + 1);
    return member_at(of, json_object_iter_next(of->value, json_object_key_to_iter(each->key)));
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
    pointer->text[pointer->used] = '\0';
}

/* Into a member, or an element of a list where `key` is NULL. */
static void append_step(struct pointer_text *pointer, const char *key, size_t index)
{
    char digits[24];
    append(pointer, "/");
    snprintf(digits, sizeof digits, "%zu", index);
    for (const char *byte = key != NULL ? key : digits; *byte != '\0'; byte++) {
        /* what is printed on a terminal must not command it */
        bool control = (unsigned char)*byte < 0x20 || *byte == 0x7f;
        const char plain[] = {control ? '?' : *byte, '\0'};
        append(pointer, *byte == '~' ? "~0" : *byte == '/' ? "~1" : plain);
    }
}

static void append_way(struct pointer_text *pointer, const struct node *node)
{
    if (node->parent == NULL)
        return;
    append_way(pointer, node->parent);
    append_step(pointer, node->key, node->index);
}

void node_pointer(const struct node *node, char *pointer, size_t size)
{
    struct pointer_text whole = {.used = 0};
    append_way(&whole, node);
    text_cut(pointer, size, whole.text);
}

/* --- a walk through the text ------------------------------------------------------------------ */

struct location {
    int line, column;
};

/* Comes to every value of a text once, and knows where it is. The text ends with a zero, and is JSON, as jansson has found. */
struct walk {
    const char *at;
    struct location here;
    struct pointer_text pointer; /* of the value come to */
    struct diagnostics *diagnostics;
    bool exact[DIAGNOSTICS_MAX]; /* by finding: it names what the walk has come to */
    bool doubles;                /* complains about keys that stand twice in their object */
};

static void go_to(struct walk *walk, const char *at)
{
    for (; walk->at < at; walk->at++) {
        walk->here.column++;
        if (*walk->at == '\n')
            walk->here = (struct location){walk->here.line + 1, 1};
    }
}

/* Over a byte or an escape of a string; `passed` grows by the bytes of the value it stands for. */
static const char *skip_letter(const char *at, int *passed)
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

/* What names the value come to stands here; so does what names something in it, until that is come to. `outer`: how long the
 * pointer to what is around it is; where that is cut already, values in it are no longer told apart. */
static void place_findings(struct walk *walk, struct location key, size_t outer)
{
    char pointer[DIAGNOSTIC_POINTER_BYTES];
    text_cut(pointer, sizeof pointer, walk->pointer.text);
    for (int i = 0; i < walk->diagnostics->count && outer < sizeof pointer; i++) {
        struct diagnostic *found = &walk->diagnostics->list[i];
        const char *rest = found->pointer + strlen(pointer);
        struct location here = walk->here;
        if (found->placed || strncmp(found->pointer, pointer, strlen(pointer)) != 0 ||
            (*rest != '/' && *rest != '\0'))
            continue;
        if (*rest == '\0' && found->part == NODE_KEY)
            here = key;
        const char *letter = walk->at + 1;
        for (int passed = NODE_LETTER; passed < found->part && *letter != '"';)
            letter = skip_letter(letter, &passed);
        if (*rest == '\0' && found->part >= NODE_LETTER)
            here.column += (int)(letter - walk->at);
        found->line = here.line;
        found->column = here.column;
        walk->exact[i] = *rest == '\0';
    }
}

/* From a key to its value. `seen`: the lines of the object's keys so far. */
static void walk_key(struct walk *walk, json_t *seen)
{
    const char *end = text_skip_string(walk->at);
    json_t *key = json_loadb(walk->at, (size_t)(end - walk->at), JSON_DECODE_ANY, NULL);
    const json_t *first = json_object_get(seen, json_string_value(key));
    char hint[DIAGNOSTIC_TEXT_BYTES];
    append_step(&walk->pointer, key != NULL ? json_string_value(key) : "", 0);
    snprintf(hint, sizeof hint, "the first is on line %d", (int)json_integer_value(first));
    if (first != NULL)
        diagnostics_add(walk->diagnostics,
                        (struct finding){walk->pointer.text, DIAGNOSTIC_ERROR, NODE_VALUE,
                                         walk->here.line, walk->here.column},
                        hint, "this key stands twice in its object");
    json_object_set_new(seen, json_string_value(key), json_integer(walk->here.line));
    json_decref(key);
    go_to(walk, text_skip_space(end));
}

static void walk_value(struct walk *walk, struct location key, size_t outer)
{
    const char opening = *walk->at;
    const size_t used = walk->pointer.used;
    place_findings(walk, key, outer);
    if (opening != '{' && opening != '[') {
        go_to(walk, opening == '"' ? text_skip_string(walk->at)
                                   : walk->at + strcspn(walk->at, ",]} \t\r\n"));
        return;
    }
    json_t *seen = walk->doubles ? json_object() : NULL;
    go_to(walk, text_skip_space(walk->at + 1));
    for (size_t index = 0; strchr("}]", *walk->at) == NULL; index++) {
        struct location here = walk->here;
        if (opening == '{')
            walk_key(walk, seen);
        else
            append_step(&walk->pointer, NULL, index);
        walk_value(walk, here, used);
        go_to(walk, text_skip_space(walk->at));
        walk->pointer.used = used;
        walk->pointer.text[used] = '\0';
    }
    go_to(walk, walk->at + 1);
    json_decref(seen);
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = calloc(length + 1, 1);
    return copy != NULL ? memcpy(copy, text, length) : NULL;
}

static void walk_text(struct walk *walk, const char *text)
{
    walk->at = text;
    walk->here = (struct location){1, 1};
    go_to(walk, text_skip_space(text));
    walk_value(walk, walk->here, 0);
}

void document_locate(const char *text, size_t length, bool nearest, struct diagnostics *diagnostics)
{
    struct walk walk = {.diagnostics = diagnostics};
    char *copy = diagnostics->count > 0 ? copy_text(text, length) : NULL;
    if (copy == NULL)
        return;
    walk_text(&walk, copy);
    free(copy);
    for (int i = 0; i < diagnostics->count; i++)
        diagnostics->list[i].placed |= nearest || walk.exact[i];
}

/* --- opening ---------------------------------------------------------------------------------- */

/* Before the parser sees it, because the parser recurses. */
static bool is_too_deep(const char *text, struct diagnostics *diagnostics)
{
    struct walk walk = {.at = text, .here = {1, 1}};
    const char *at = text;
    for (int depth = 0; *at != '\0'; at = *at == '"' ? text_skip_string(at) : at + 1) {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (depth > DOCUMENT_DEPTH_MAX)
            break;
    }
    if (*at == '\0')
        return false;
    go_to(&walk, at);
    diagnostics_add(diagnostics,
                    (struct finding){.line = walk.here.line, .column = walk.here.column},
                    "at most 32 levels are allowed", "lists and objects are nested too deeply");
    return true;
}

static void refuse_parsing(const json_error_t *error, const char *text,
                           struct diagnostics *diagnostics)
{
    const struct finding place = {.line = error->line > 0 ? error->line : 1,
                                  .column = error->column > 0 ? error->column : 1};
    bool silent = error->text[0] == '\0'; /* so it is where there was no memory to begin with */
    if (silent || json_error_code(error) == json_error_out_of_memory)
        diagnostics_add_no_memory(diagnostics);
    else
        diagnostics_add(diagnostics, place,
                        advice_on_text(text, (size_t)error->position, error->text),
                        "this is not JSON: %s", error->text);
}

/* The text as a tree; it is complained about where there is none, or where a key stands twice in an object. */
static json_t *parse(const char *text, size_t length, struct diagnostics *diagnostics)
{
    struct walk walk = {.diagnostics = diagnostics, .doubles = true};
    json_error_t error = {.line = 0}; /* its code is not always written */
    int errors_before = diagnostics->error_count;
    json_t *root = json_loadb(text, length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
    bool doubles = root == NULL && json_error_code(&error) == json_error_duplicate_key;
    if (doubles) /* the tree is made all the same, to see what else is wrong */
        root = json_loadb(text, length, JSON_DECODE_ANY, &error);
    if (root == NULL)
        refuse_parsing(&error, text, diagnostics);
    else if (doubles)
        walk_text(&walk, text);
    if (root != NULL && doubles && diagnostics->error_count == errors_before)
        diagnostics_add_no_memory(diagnostics);
    return root;
}

bool document_open(struct document *document, const char *text, size_t length,
                   struct diagnostics *diagnostics)
{
    *document = (struct document){.text = copy_text(text, length), .length = length};
    if (document->text == NULL)
        diagnostics_add_no_memory(diagnostics);
    else if (!is_too_deep(document->text, diagnostics))
        document->root = parse(document->text, length, diagnostics);
    return document->root != NULL;
}

void document_close(struct document *document)
{
    json_decref(document->root);
    free(document->text);
    *document = (struct document){.root = NULL};
}
