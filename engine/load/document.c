#include "engine/load/document.h"
#include "engine/work.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* --- the tree --------------------------------------------------------------------------------- */

struct node document_root(const struct document *document)
{
    return (struct node){.value = document->root};
}

enum node_type node_type(const struct node *node)
{
    if (node->value == NULL)
        return NODE_ABSENT;
    switch (json_typeof((json_t *)node->value)) {
    case JSON_OBJECT:
        return NODE_OBJECT;
    case JSON_ARRAY:
        return NODE_LIST;
    case JSON_STRING:
        return NODE_STRING;
    case JSON_INTEGER:
    case JSON_REAL:
        return NODE_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return NODE_BOOLEAN;
    case JSON_NULL:
        return NODE_NULL;
    }
    return NODE_ABSENT;
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

void *node_first(const struct node *object)
{
    return json_object_iter(object->value);
}

void *node_next(const struct node *object, void *at)
{
    return json_object_iter_next(object->value, at);
}

struct node node_at(const struct node *object, void *at)
{
    return (struct node){
        .parent = object, .key = json_object_iter_key(at), .value = json_object_iter_value(at)};
}

static struct node member_at(const struct node *object, void *at)
{
    return at != NULL ? node_at(object, at) : (struct node){.parent = object};
}

struct node node_begin(const struct node *of)
{
    return node_type(of) == NODE_LIST ? node_element(of, 0) : member_at(of, node_first(of));
}

struct node node_after(const struct node *each)
{
    const struct node *of = each->parent;
    if (each->key == NULL)
        return node_element(of, each->index + 1);
    return member_at(of, node_next(of, json_object_key_to_iter(each->key)));
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

/* A place in a text that jansson has found to be JSON; the bounds are looked at all the same. */
struct cursor {
    const char *at, *end;
};

static char cursor_peek(const struct cursor *cursor)
{
    return cursor->at < cursor->end ? *cursor->at : '\0';
}

static void skip_space(struct cursor *cursor)
{
    while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) != NULL)
        cursor->at++;
}

/* From the opening quote to behind the closing one. */
static void skip_string(struct cursor *cursor)
{
    cursor->at++;
    while (cursor->at < cursor->end && *cursor->at != '"')
        cursor->at += *cursor->at == '\\' && cursor->at + 1 < cursor->end ? 2 : 1;
    if (cursor->at < cursor->end)
        cursor->at++;
}

/* A whole value, by counting brackets. */
static void skip_value(struct cursor *cursor)
{
    int depth = 0;
    do {
        switch (cursor_peek(cursor)) {
        case '"':
            skip_string(cursor);
            continue;
        case '{':
        case '[':
            depth++;
            break;
        case '}':
        case ']':
            depth--;
            break;
        default:
            break;
        }
        cursor->at++;
    } while (cursor->at < cursor->end && (depth > 0 || strchr(",]} \t\r\n", *cursor->at) == NULL));
}

/* The next byte of a string's value, escapes decoded; `pending` holds what a \u escape has still to
 * give. */
struct decoder {
    struct cursor cursor;
    unsigned char pending[4];
    int pending_count;
};

static unsigned hexadecimal(const char *digits)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        char digit = digits[i];
        value = value * 16 + (unsigned)(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
    }
    return value;
}

static void queue_code_point(struct decoder *decoder, unsigned long code)
{
    unsigned char *out = decoder->pending;
    int count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    decoder->pending_count = count;
    /* the first byte comes last, because they are taken from the end */
    for (int i = 0; i < count - 1; i++) {
        out[i] = (unsigned char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[count - 1] = (unsigned char)(lead[count] | code);
}

static void decode_escape(struct decoder *decoder)
{
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    struct cursor *cursor = &decoder->cursor;
    char letter = cursor->at[1];
    cursor->at += 2;
    if (letter != 'u') {
        const char *found = strchr(letters, letter);
        queue_code_point(decoder,
                         (unsigned char)(found != NULL ? values[found - letters] : letter));
        return;
    }
    unsigned long code = hexadecimal(cursor->at);
    cursor->at += 4;
    if (code >= 0xd800 && code < 0xdc00 && cursor->end - cursor->at >= 6) {
        code = 0x10000 + ((code - 0xd800) << 10) + (hexadecimal(cursor->at + 2) - 0xdc00);
        cursor->at += 6;
    }
    queue_code_point(decoder, code);
}

/* At the opening quote. */
static struct decoder decoder_at(struct cursor cursor)
{
    cursor.at++;
    return (struct decoder){.cursor = cursor};
}

static int decode_byte(struct decoder *decoder) /* -1: the closing quote */
{
    if (decoder->pending_count == 0) {
        struct cursor *cursor = &decoder->cursor;
        if (cursor->at >= cursor->end || *cursor->at == '"')
            return -1;
        if (*cursor->at != '\\')
            return (unsigned char)*cursor->at++;
        decode_escape(decoder);
    }
    return decoder->pending[--decoder->pending_count];
}

static bool string_equals(struct cursor cursor, const char *wanted)
{
    struct decoder decoder = decoder_at(cursor);
    for (;;) {
        int byte = decode_byte(&decoder);
        if (byte < 0 || (unsigned char)*wanted != byte)
            return byte < 0 && *wanted == '\0';
        wanted++;
    }
}

/* --- pointers --------------------------------------------------------------------------------- */

struct pointer_text {
    char *text;
    size_t size, used;
    bool cut;
};

static void append_byte(struct pointer_text *pointer, char byte)
{
    static const char ellipsis[] = "…";
    if (pointer->cut)
        return;
    if (pointer->used + sizeof ellipsis < pointer->size) {
        pointer->text[pointer->used++] = byte;
        return;
    }
    pointer->cut = true;
    while (pointer->used > 0 && ((unsigned char)pointer->text[pointer->used - 1] & 0x80) != 0)
        pointer->used--;
    memcpy(pointer->text + pointer->used, ellipsis, sizeof ellipsis - 1);
    pointer->used += sizeof ellipsis - 1;
}

static void append_escaped(struct pointer_text *pointer, char byte)
{
    /* what is printed on a terminal must not command it */
    if ((unsigned char)byte < 0x20 || byte == 0x7f)
        byte = '?';
    if (byte == '~' || byte == '/')
        append_byte(pointer, '~');
    append_byte(pointer, byte == '~' ? '0' : byte == '/' ? '1' : byte);
}

static void append_index(struct pointer_text *pointer, size_t index)
{
    char digits[24];
    snprintf(digits, sizeof digits, "/%zu", index);
    for (const char *digit = digits; *digit != '\0'; digit++)
        append_byte(pointer, *digit);
}

/* The way to a node, root first. */
struct way {
    const struct node *steps[DOCUMENT_DEPTH_MAX + 1];
    int count;
};

static struct way way_to(const struct node *node)
{
    struct way way = {.count = 0};
    int depth = 0;
    for (const struct node *at = node; at->parent != NULL; at = at->parent)
        depth++;
    assert(depth <= DOCUMENT_DEPTH_MAX);
    way.count = depth;
    for (const struct node *at = node; at->parent != NULL; at = at->parent)
        way.steps[--depth] = at;
    return way;
}

void node_pointer(const struct node *node, char *pointer, size_t size)
{
    struct pointer_text out = {.text = pointer, .size = size};
    struct way way = way_to(node);
    for (int i = 0; i < way.count; i++) {
        if (way.steps[i]->key == NULL) {
            append_index(&out, way.steps[i]->index);
            continue;
        }
        append_byte(&out, '/');
        for (const char *byte = way.steps[i]->key; *byte != '\0'; byte++)
            append_escaped(&out, *byte);
    }
    pointer[out.used] = '\0';
}

/* --- places ----------------------------------------------------------------------------------- */

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

/* From an object's brace to the value of its last member of that name. */
static bool find_member(struct cursor *cursor, const char *key, const char **key_at)
{
    struct cursor at = *cursor;
    bool found = false;
    at.at++;
    skip_space(&at);
    while (cursor_peek(&at) == '"') {
        struct cursor key_cursor = at;
        skip_string(&at);
        skip_space(&at);
        at.at++; /* the colon */
        skip_space(&at);
        if (string_equals(key_cursor, key)) {
            found = true;
            *key_at = key_cursor.at;
            *cursor = at;
        }
        skip_value(&at);
        skip_space(&at);
        at.at++; /* the comma, or the closing brace */
        skip_space(&at);
    }
    return found;
}

/* From a list's bracket to one of its elements. */
static void find_element(struct cursor *cursor, size_t index)
{
    cursor->at++;
    skip_space(cursor);
    for (size_t i = 0; i < index; i++) {
        skip_value(cursor);
        skip_space(cursor);
        cursor->at++; /* the comma */
        skip_space(cursor);
    }
}

/* The text of the node's value, or of its nearest ancestor that is there. */
static struct cursor find_node(const struct document *document, const struct node *node,
                               const char **key_at)
{
    struct cursor cursor = {document->text, document->text + document->length};
    struct way way = way_to(node);
    skip_space(&cursor);
    *key_at = cursor.at;
    for (int i = 0; i < way.count && way.steps[i]->value != NULL; i++) {
        if (way.steps[i]->key == NULL) {
            find_element(&cursor, way.steps[i]->index);
            *key_at = cursor.at;
        } else if (!find_member(&cursor, way.steps[i]->key, key_at)) {
            break;
        }
    }
    return cursor;
}

struct location document_locate(const struct document *document, const struct node *node,
                                enum node_part part)
{
    const char *key_at;
    struct cursor cursor = find_node(document, node, &key_at);
    return location_of(document, part == NODE_KEY ? key_at : cursor.at);
}

struct location document_locate_in_string(const struct document *document, const struct node *node,
                                          size_t offset)
{
    const char *key_at;
    struct decoder decoder = decoder_at(find_node(document, node, &key_at));
    for (size_t i = 0; i < offset; i++)
        decode_byte(&decoder);
    return location_of(document, decoder.cursor.at);
}

/* Looks for the place among a node and what is below it. */
static bool locate_below(const struct document *document, const struct node *node,
                         const char *pointer, struct location *location)
{
    char here[DIAGNOSTIC_POINTER_BYTES];
    node_pointer(node, here, sizeof here);
    size_t length = strlen(here);
    if (strncmp(here, pointer, length) != 0 || (pointer[length] != '/' && pointer[length] != '\0'))
        return false;
    *location = document_locate(document, node, NODE_VALUE);
    if (node_type(node) == NODE_OBJECT) {
        for (struct node member = node_begin(node); node_is_there(&member);
             member = node_after(&member)) {
            if (locate_below(document, &member, pointer, location))
                return true;
        }
    }
    for (struct node element = node_begin(node);
         node_type(node) == NODE_LIST && node_is_there(&element); element = node_after(&element)) {
        if (locate_below(document, &element, pointer, location))
            return true;
    }
    return true;
}

struct location document_locate_pointer(const struct document *document, const char *pointer)
{
    struct location location = {1, 1};
    struct node root = document_root(document);
    locate_below(document, &root, pointer, &location);
    return location;
}

/* --- double keys ------------------------------------------------------------------------------ */

struct frame {
    const char *key_at; /* of the member we are in; NULL in a list */
    size_t index;
    size_t first_key; /* of this object in the list of keys */
};

struct key_list {
    struct cursor *keys; /* each at its opening quote */
    size_t count, room;
};

struct key_check {
    const struct document *document;
    struct diagnostics *diagnostics;
    struct key_list keys;
    struct frame frames[DOCUMENT_DEPTH_MAX + 1];
    int depth;
};

/* By value, then by place. */
static int compare_keys(const void *left, const void *right)
{
    const struct cursor *a = left, *b = right;
    struct decoder a_decoder = decoder_at(*a), b_decoder = decoder_at(*b);
    for (;;) {
        int a_byte = decode_byte(&a_decoder), b_byte = decode_byte(&b_decoder);
        if (a_byte != b_byte)
            return a_byte < b_byte ? -1 : 1;
        if (a_byte < 0)
            return a->at < b->at ? -1 : 1;
    }
}

static bool keys_equal(struct cursor a, struct cursor b)
{
    struct decoder a_decoder = decoder_at(a), b_decoder = decoder_at(b);
    for (;;) {
        int a_byte = decode_byte(&a_decoder), b_byte = decode_byte(&b_decoder);
        if (a_byte != b_byte)
            return false;
        if (a_byte < 0)
            return true;
    }
}

static void append_key(struct pointer_text *pointer, struct cursor key)
{
    struct decoder decoder = decoder_at(key);
    append_byte(pointer, '/');
    for (int byte = decode_byte(&decoder); byte >= 0; byte = decode_byte(&decoder))
        append_escaped(pointer, (char)byte);
}

static void report_double_key(struct key_check *check, struct cursor first, struct cursor second)
{
    char text[DIAGNOSTIC_POINTER_BYTES], hint[DIAGNOSTIC_TEXT_BYTES];
    struct pointer_text pointer = {.text = text, .size = sizeof text};
    for (int i = 0; i < check->depth; i++) {
        const struct frame *frame = &check->frames[i];
        if (frame->key_at == NULL)
            append_index(&pointer, frame->index);
        else
            append_key(&pointer, (struct cursor){frame->key_at, first.end});
    }
    append_key(&pointer, second);
    text[pointer.used] = '\0';
    snprintf(hint, sizeof hint, "the first is on line %d",
             location_of(check->document, first.at).line);
    struct location location = location_of(check->document, second.at);
    diagnostics_add_at(check->diagnostics, DIAGNOSTIC_ERROR, location.line, location.column, text,
                       "this key stands twice in its object", hint);
}

/* The object of the innermost frame is complete. */
static void check_object(struct key_check *check, size_t first_key)
{
    if (check->keys.count == first_key)
        return; /* an object without keys: there may be no array of them yet */
    struct cursor *keys = check->keys.keys + first_key;
    size_t count = check->keys.count - first_key;
    if (count > 1)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++) {
        if (!keys_equal(keys[i - 1], keys[i]))
            continue;
        if (!diagnostics_have_room(check->diagnostics, DIAGNOSTIC_ERROR))
            diagnostics_add_at(check->diagnostics, DIAGNOSTIC_ERROR, 1, 1, "", "", "");
        else
            report_double_key(check, keys[i - 1], keys[i]);
    }
    check->keys.count = first_key;
}

static bool add_key(struct key_list *list, struct cursor key)
{
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 256 : list->room * 2;
        struct cursor *keys = realloc(list->keys, room * sizeof *keys);
        if (keys == NULL)
            return false;
        list->keys = keys;
        list->room = room;
    }
    list->keys[list->count++] = key;
    return true;
}

/* A string in an object is a key when no colon came before it since the last comma; that is known
 * by the frame. */
static bool check_keys_below(struct key_check *check, struct cursor *cursor)
{
    skip_space(cursor);
    char opening = cursor_peek(cursor);
    if (opening != '{' && opening != '[') {
        skip_value(cursor);
        return true;
    }
    assert(check->depth < DOCUMENT_DEPTH_MAX);
    struct frame *frame = &check->frames[check->depth++];
    *frame = (struct frame){.first_key = check->keys.count};
    cursor->at++;
    skip_space(cursor);
    while (cursor->at < cursor->end && *cursor->at != '}' && *cursor->at != ']') {
        if (opening == '{') {
            frame->key_at = cursor->at;
            if (!add_key(&check->keys, *cursor))
                return false;
            skip_string(cursor);
            skip_space(cursor);
            cursor->at++; /* the colon */
        }
        if (!check_keys_below(check, cursor))
            return false;
        frame->index++;
        skip_space(cursor);
        if (cursor_peek(cursor) == ',')
            cursor->at++;
        skip_space(cursor);
    }
    cursor->at++;
    check->depth--;
    if (opening == '{')
        check_object(check, frame->first_key);
    return true;
}

static bool check_double_keys(const struct document *document, struct diagnostics *diagnostics)
{
    struct key_check check = {.document = document, .diagnostics = diagnostics};
    struct cursor cursor = {document->text, document->text + document->length};
    bool done = check_keys_below(&check, &cursor);
    free(check.keys.keys);
    return done;
}

/* --- opening ---------------------------------------------------------------------------------- */

static void refuse(struct diagnostics *diagnostics, struct location location, const char *message,
                   const char *hint)
{
    diagnostics_add_at(diagnostics, DIAGNOSTIC_ERROR, location.line, location.column, "", message,
                       hint);
}

/* Before the parser sees it, because the parser recurses. NULL: no bracket is too deep. */
static const char *find_too_deep(const struct document *document)
{
    struct cursor cursor = {document->text, document->text + document->length};
    int depth = 0;
    while (cursor.at < cursor.end) {
        if (*cursor.at == '"') {
            skip_string(&cursor);
            continue;
        }
        if (*cursor.at == '{' || *cursor.at == '[')
            depth++;
        if (*cursor.at == '}' || *cursor.at == ']')
            depth--;
        if (depth > DOCUMENT_DEPTH_MAX)
            return cursor.at;
        cursor.at++;
    }
    return NULL;
}

bool document_open(struct document *document, const char *text, size_t length,
                   struct diagnostics *diagnostics)
{
    *document = (struct document){.text = text, .length = length};
    const char *too_deep = find_too_deep(document);
    if (too_deep != NULL) {
        refuse(diagnostics, location_of(document, too_deep),
               "lists and objects are nested too deeply", "at most 32 levels are allowed");
        return false;
    }
    json_error_t error;
    document->root = json_loadb(text, length, JSON_DECODE_ANY, &error);
    if (document->root == NULL) {
        char message[DIAGNOSTIC_TEXT_BYTES];
        if (json_error_code(&error) == json_error_out_of_memory) {
            diagnostics_add_no_memory(diagnostics);
            return false;
        }
        snprintf(message, sizeof message, "this is not JSON: %s", error.text);
        struct location location = {error.line > 0 ? error.line : 1,
                                    error.column > 0 ? error.column : 1};
        refuse(diagnostics, location, message, "");
        return false;
    }
    if (!check_double_keys(document, diagnostics)) {
        diagnostics_add_no_memory(diagnostics);
        document_close(document);
        return false;
    }
    return true;
}

void document_close(struct document *document)
{
    json_decref(document->root);
    document->root = NULL;
}
