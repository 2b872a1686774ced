#include "engine/load/fields.h"

#include <assert.h>
#include <string.h>

/* --- words ------------------------------------------------------------------------------------ */

const struct field *fields_find(const struct field *fields, const char *word)
{
    for (const struct field *field = fields; field->word != NULL; field++)
        if (strcmp(field->word, word) == 0)
            return field;
    return NULL;
}

static void add_words(const struct field *fields, bool modern, struct field_words *words)
{
    for (const struct field *field = fields; field->word != NULL; field++) {
        assert(words->list.count < FIELDS_MAX_WORDS);
        if ((field->format == 2) == modern)
            words->names[words->list.count++] = field->word;
    }
}

void fields_words(const struct field *fields, bool modern, struct field_words *words)
{
    words->list = (struct name_list){.known = true, .names = words->names};
    add_words(fields, false, words);
    if (modern)
        add_words(fields, true, words);
}

static bool is_lenient(const struct field *fields)
{
    while (fields->word != NULL)
        fields++;
    return fields->lenient;
}

/* Words of format 2 in an older file are taken for known ones when some of them stand there. */
static bool has_modern_words(const struct node *object, const struct field *fields)
{
    for (struct node each = node_members(object); node_is_there(&each); each = node_after(&each)) {
        const struct field *field = fields_find(fields, each.key);
        if (field != NULL && field->format == 2)
            return true;
    }
    return false;
}

static void refuse_word(struct reader *reader, const struct node *member, bool lenient,
                        const struct name_list *known)
{
    bool slip = text_nearest(member->key, known->names, known->count) >= 0;
    if (reader_is_modern(reader) && reader_is_reserved(member->key))
        reader_refuse_reserved(reader, member);
    else if (slip || !lenient || reader_is_modern(reader))
        reader_error(reader, member, NODE_KEY,
                     text_hint(member->key, known->names, known->count).text, "unknown key `%s`",
                     text_quote(member->key).text);
    else
        reader_warn(reader, member, NODE_KEY, "it is ignored", "unknown key `%s`",
                    text_quote(member->key).text);
}

void fields_check_word(struct reader *reader, const struct node *member, const struct field *fields,
                       const struct name_list *others)
{
    const struct field *field = fields_find(fields, member->key);
    struct field_words known;
    if (field != NULL && (field->format != 2 || reader_is_modern(reader)))
        return;
    if (field != NULL) {
        reader_error(reader, member, NODE_KEY, "add \"format\": 2", "`%s` is a word of format 2",
                     member->key);
        return;
    }
    if (others != NULL && name_list_find(others, member->key) >= 0)
        return;
    bool modern = reader_is_modern(reader) || has_modern_words(member->parent, fields);
    fields_words(fields, modern, &known);
    for (int i = 0; others != NULL && i < others->count; i++) {
        assert(known.list.count < FIELDS_MAX_WORDS);
        known.names[known.list.count++] = others->names[i];
    }
    refuse_word(reader, member, is_lenient(fields), &known.list);
}

void fields_check(struct reader *reader, const struct node *object, const struct field *fields,
                  const struct name_list *others)
{
    for (struct node each = node_members(object); node_is_there(&each); each = node_after(&each))
        fields_check_word(reader, &each, fields, others);
}

/* --- reading ---------------------------------------------------------------------------------- */

void field_read_one(struct reader *reader, const struct node *node, const struct field *field,
                    void *object)
{
    if (!node_is_there(node)) {
        if (field->missing != NULL)
            reader_error(reader, node, NODE_VALUE, field->missing, "`%s` is missing", field->word);
    } else if (field->kind != NULL) {
        void *place = field->offset > 0 ? (unsigned char *)object + field->offset : object;
        field->kind(reader, node, field, place);
    } else if (field->read != NULL) {
        field->read(reader, node, object);
    }
}

void fields_read_known(struct reader *reader, const struct node *node, const struct field *fields,
                       void *object)
{
    for (const struct field *field = fields; field->word != NULL; field++) {
        struct node member = node_member(node, field->word);
        if (field->format != 2 || reader_is_modern(reader))
            field_read_one(reader, &member, field, object);
    }
}

bool fields_read(struct reader *reader, const struct node *node, const struct field *fields,
                 void *object)
{
    if (!reader_expect(reader, node, NODE_OBJECT))
        return false;
    fields_check(reader, node, fields, NULL);
    fields_read_known(reader, node, fields, object);
    return true;
}

void *elements_read(struct reader *reader, const struct node *list, const struct elements *elements,
                    int *count)
{
    *count = 0;
    if (!reader_expect_list(reader, list, (size_t)elements->most, elements->what))
        return NULL;
    unsigned char *read = reader_allocate(reader, node_count(list), elements->size);
    for (struct node each = node_elements(list); read != NULL && node_is_there(&each);
         each = node_after(&each)) {
        unsigned char *element = read + (size_t)*count * elements->size;
        if (elements->read(reader, &each, element))
            ++*count;
        else
            memset(element, 0, elements->size);
    }
    return read;
}

/* --- kinds ------------------------------------------------------------------------------------ */

/* Into a bool, an index or an int; without AT nowhere: such a word is only looked at. */
static void store(const struct field *field, void *place, int value)
{
    uint8_t byte = (uint8_t)value;
    uint16_t two = (uint16_t)value;
    switch (field->size) {
    case 0:
        return;
    case sizeof byte:
        memcpy(place, &byte, sizeof byte);
        return;
    case sizeof two:
        memcpy(place, &two, sizeof two);
        return;
    default:
        assert(field->size == sizeof value);
        memcpy(place, &value, sizeof value);
    }
}

void field_flag(struct reader *reader, const struct node *node, const struct field *field,
                void *place)
{
    bool value = false;
    if (reader_boolean(reader, node, &value))
        store(field, place, value);
}

void field_integer(struct reader *reader, const struct node *node, const struct field *field,
                   void *place)
{
    int value = 0;
    if (reader_integer(reader, node, field->least, field->most, &value))
        store(field, place, value);
}

static void read_text(struct reader *reader, const struct node *node, const struct field *field,
                      bool lines, void *place)
{
    const char **text = place, *read = reader_text(reader, node, (size_t)field->most, lines);
    if (read != NULL)
        *text = read;
}

void field_text(struct reader *reader, const struct node *node, const struct field *field,
                void *place)
{
    read_text(reader, node, field, false, place);
}

void field_lines(struct reader *reader, const struct node *node, const struct field *field,
                 void *place)
{
    read_text(reader, node, field, true, place);
}

void field_choice(struct reader *reader, const struct node *node, const struct field *field,
                  void *place)
{
    int index = reader_name(reader, node, NODE_VALUE, field->names);
    if (index >= 0)
        store(field, place, field->least + index);
}

void field_name(struct reader *reader, const struct node *node, const struct field *field,
                void *place)
{
    const void *list = (const unsigned char *)reader + field->list;
    int index = reader_name(reader, node, NODE_VALUE, list);
    if (index >= 0)
        store(field, place, index);
}

void field_object(struct reader *reader, const struct node *node, const struct field *field,
                  void *place)
{
    fields_read(reader, node, field->fields, place);
}

static void store_list(const struct field *field, void *place, const void *list, int count)
{
    unsigned char *object = (unsigned char *)place - field->offset;
    memcpy(place, &list, sizeof list);
    memcpy(object + field->count, &count, sizeof count);
}

void field_list(struct reader *reader, const struct node *node, const struct field *field,
                void *place)
{
    int count = 0;
    const void *list = elements_read(reader, node, field->elements, &count);
    store_list(field, place, list, count);
}

void field_lists(struct reader *reader, const struct node *node, const struct field *field,
                 void *place)
{
    struct field list = *field;
    for (int player = 0; player < reader->players.count; player++) {
        reader->mover = (player_index)player;
        list.offset = field->offset + (size_t)player * sizeof(void *);
        field_list(reader, node, &list, (unsigned char *)place + (size_t)player * sizeof(void *));
    }
}

void field_condition(struct reader *reader, const struct node *node, const struct field *field,
                     void *place)
{
    const struct condition_node **test = place;
    *test = tests_read(reader, node, field->place);
}

void field_match(struct reader *reader, const struct node *node, const struct field *field,
                 void *place)
{
    (void)field;
    tests_read_match(reader, node, place);
}

void field_zone(struct reader *reader, const struct node *node, const struct field *field,
                void *place)
{
    int *zone = place;
    (void)field;
    *zone = zones_named(reader, node);
}

void field_phase(struct reader *reader, const struct node *node, const struct field *field,
                 void *place)
{
    store(field, place, turns_phase(reader, node));
}

void field_deltas(struct reader *reader, const struct node *node, const struct field *field,
                  void *place)
{
    const int(*deltas)[DIMENSIONS_MAX] = NULL;
    int count = 0;
    sides_read_deltas(reader, node, &count, &deltas);
    store_list(field, place, deltas, count);
}
