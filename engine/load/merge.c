#include "engine/load/extends.h"
#include "engine/load/fields.h"
#include "engine/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { BYTES_A_LOOK = 4 }; /* bytes walked along for a unit of work */

struct merging {
    FILE *text;
    bool starved;
};

/* --- what is written -------------------------------------------------------------------------- */

/* A slice of one of the two texts, or a sign of our own. */
static void write_slice(struct merging *merging, const char *from, const char *to)
{
    fwrite(from, 1, (size_t)(to - from), merging->text);
}

/* --- what is read ----------------------------------------------------------------------------- */

/* From a whole value, or a key, to the next one, by counting brackets. */
static const char *skip_value(const char *at)
{
    int depth = 0;
    do {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at = *at == '"' ? text_skip_string(at) : at + 1;
    } while (*at != '\0' && (depth > 0 || strchr(",:]} \t\r\n", *at) == NULL));
    return text_skip_space(at);
}

/* Back over what lies behind a value. */
static const char *end_of(const char *next)
{
    while (strchr(" \t\r\n,:", next[-1]) != NULL)
        next--;
    return next;
}

/* A member as it is written: from behind the comma before it, or the bracket. */
struct member {
    const char *before, *key, *value, *end;
};

/* The same of an object's closing bracket, which has no key. */
static bool is_member(const struct member *member)
{
    return *member->key == '"';
}

static struct member member_at(const char *before, const char *key)
{
    struct member member = {.before = before, .key = key, .value = key, .end = key};
    if (!is_member(&member))
        return member;
    member.value = skip_value(key);
    member.end = end_of(skip_value(member.value));
    work_spend((uint64_t)(member.end - before) / BYTES_A_LOOK + WORK_NODE);
    return member;
}

static struct member first_member(const char *object)
{
    return member_at(object + 1, text_skip_space(object + 1));
}

static struct member next_member(const struct member *member)
{
    const char *key = skip_value(member->value);
    const char *comma = memchr(member->end, ',', (size_t)(key - member->end));
    return member_at(comma != NULL ? comma + 1 : member->end, key);
}

static json_t *name_of(const struct member *member)
{
    size_t length = (size_t)(end_of(member->value) - member->key);
    return json_loadb(member->key, length, JSON_DECODE_ANY, NULL);
}

/* The members of an object by what their names mean; of each where its key is. Words of a whole file may be former ones. */
struct index {
    const char *object;
    bool whole;
    json_t *places;
};

static const char *meaning_of(const struct index *index, const json_t *name)
{
    return index->whole ? root_word_now(json_string_value(name)) : json_string_value(name);
}

static void index_object(struct merging *merging, struct index *index)
{
    index->places = json_object();
    for (struct member each = first_member(index->object); is_member(&each) && !merging->starved;
         each = next_member(&each)) {
        json_t *name = name_of(&each);
        merging->starved =
            name == NULL || json_object_set_new(index->places, meaning_of(index, name),
                                                json_integer(each.key - index->object)) != 0;
        json_decref(name);
    }
}

/* The key of the member that has the same name, and is taken out of the index; NULL: there is none. */
static const char *take(struct merging *merging, struct index *index, const struct member *member)
{
    json_t *name = name_of(member);
    const char *word = name != NULL ? meaning_of(index, name) : NULL, *key = NULL;
    json_t *place = word != NULL ? json_object_get(index->places, word) : NULL;
    merging->starved |= word == NULL;
    if (place != NULL)
        key = index->object + json_integer_value(place);
    if (key != NULL)
        json_object_del(index->places, word);
    json_decref(name);
    return key;
}

/* --- merging ---------------------------------------------------------------------------------- */

static void merge_value(struct merging *merging, const char *target, const struct member *patch);

/* Members of the target, those that the patch speaks of replaced or taken away; or (`added`) of the patch itself, those that are still
 * in its index. Up to the bracket. */
static struct member write_members(struct merging *merging, const char *object, struct index *index,
                                   bool added, int *written)
{
    struct member each = first_member(object);
    for (; is_member(&each) && !merging->starved; each = next_member(&each)) {
        const char *key = take(merging, index, &each), comma[] = ",";
        struct member patch = key != NULL ? member_at(key, key) : each;
        if (key != NULL ? *patch.value == 'n' /* null */ : added)
            continue;
        if ((*written)++ > 0)
            write_slice(merging, comma, comma + 1);
        write_slice(merging, each.before, key != NULL ? each.key : each.end);
        if (key == NULL)
            continue;
        write_slice(merging, patch.key, patch.value);
        merge_value(merging, added ? NULL : each.value, &patch);
    }
    return each;
}

/* `target` is NULL where there is no object to be patched: what the patch takes away from it is not there. `extends` of a whole file is
 * not handed on. */
static void merge_object(struct merging *merging, const char *target, const char *patch, bool whole)
{
    struct index index = {.object = patch, .whole = whole};
    int written = 0;
    struct member target_end = {.key = NULL};
    index_object(merging, &index);
    if (whole)
        json_object_del(index.places, "extends");
    write_slice(merging, patch, patch + 1);
    if (target != NULL)
        target_end = write_members(merging, target, &index, false, &written);
    struct member patch_end = write_members(merging, patch, &index, true, &written);
    const struct member *end = target == NULL ? &patch_end : &target_end;
    if (!merging->starved)
        write_slice(merging, end->before, end->key + 1);
    json_decref(index.places);
}

static void merge_value(struct merging *merging, const char *target, const struct member *patch)
{
    if (*patch->value != '{')
        write_slice(merging, patch->value, patch->end);
    else
        merge_object(merging, target != NULL && *target == '{' ? target : NULL, patch->value,
                     false);
}

char *merge_texts(const char *target, const char *patch, size_t *length)
{
    char *text = NULL;
    struct merging merging = {.text = open_memstream(&text, length)};
    const char *begin = text_skip_space(patch);
    if (merging.text == NULL)
        return NULL;
    write_slice(&merging, patch, begin);
    merge_object(&merging, text_skip_space(target), begin, true);
    write_slice(&merging, end_of(skip_value(begin)), patch + strlen(patch));
    merging.starved |= ferror(merging.text) != 0;
    merging.starved |= fclose(merging.text) != 0;
    if (!merging.starved)
        return text;
    free(text);
    return NULL;
}
