#include "engine/load/text.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD_BYTES_MAX = 64, /* longer words are not compared */
    SLIP_MAX = 2,        /* this many wrong letters are still a slip */
    LISTED_NAMES_MAX = 8,
};

int name_list_find(const struct name_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return i;
    return -1;
}

struct name_list name_list_join(const struct name_list *first, const struct name_list *second,
                                const char **room)
{
    for (int i = 0; i < first->count + second->count; i++)
        room[i] = i < first->count ? first->names[i] : second->names[i - first->count];
    return (struct name_list){first->kind, first->known && second->known,
                              first->count + second->count, room};
}

void text_cut(char *to, size_t size, const char *from)
{
    static const char ellipsis[] = "…";
    size_t length = strlen(from);
    if (length < size) {
        memcpy(to, from, length + 1);
        return;
    }
    length = size - sizeof ellipsis;
    while (length > 0 && ((unsigned char)from[length] & 0xc0) == 0x80) /* it goes on */
        length--;
    snprintf(to, size, "%.*s%s", (int)length, from, ellipsis);
}

struct quoted text_quote(const char *string)
{
    struct quoted quoted;
    bool encoded = text_is_utf8(string);
    text_cut(quoted.text, sizeof quoted.text, string);
    for (char *at = quoted.text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !encoded))
            *at = '?';
    }
    return quoted;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Letters to insert, remove, change or swap with their neighbour, to make one word of the other. */
static int edit_distance(const char *a, const char *b)
{
    int cost[WORD_BYTES_MAX + 1][WORD_BYTES_MAX + 1]; /* of so many letters of each */
    int rows = (int)strlen(a), columns = (int)strlen(b);
    if (rows > WORD_BYTES_MAX || columns > WORD_BYTES_MAX || abs(rows - columns) > SLIP_MAX)
        return SLIP_MAX + 1;
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= columns; j++) {
            int *best = &cost[i][j];
            *best = i + j;
            if (i > 0 && j > 0)
                *best = smaller(cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                smaller(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                *best = smaller(*best, cost[i - 2][j - 2] + 1);
        }
    return cost[rows][columns];
}

int text_nearest(const char *word, const struct name_list *names)
{
    int best = -1, best_distance = SLIP_MAX + 1;
    for (int i = 0; i < names->count; i++) {
        int distance = edit_distance(word, names->names[i]);
        /* in a word of one or two letters everything would be near everything */
        if (distance < best_distance && distance * 2 < (int)strlen(names->names[i]) + 1) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

struct hint text_hint(const char *word, const struct name_list *names)
{
    struct hint hint = {""};
    const int nearest = text_nearest(word, names), count = names->count;
    if (nearest >= 0) {
        snprintf(hint.text, sizeof hint.text, "did you mean `%s`?",
                 text_quote(names->names[nearest]).text);
        return hint;
    }
    if (count == 0 || count > LISTED_NAMES_MAX)
        return hint;
    size_t used = (size_t)snprintf(hint.text, sizeof hint.text, "it may be ");
    for (int i = 0; i < count && used < sizeof hint.text; i++) {
        const char *separator = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        used += (size_t)snprintf(hint.text + used, sizeof hint.text - used, "%s`%s`", separator,
                                 text_quote(names->names[i]).text);
    }
    if (used >= sizeof hint.text)
        hint.text[0] = '\0';
    return hint;
}

const char *text_skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n,:");
}

const char *text_skip_string(const char *at)
{
    for (at++; *at != '"' && *at != '\0'; at++)
        at += at[0] == '\\' && at[1] != '\0';
    return at + (*at == '"');
}

bool text_is_utf8(const char *string)
{
    json_t *value = json_string(string);
    json_decref(value);
    return value != NULL;
}

bool text_is_plain(const char *string, const char *layout)
{
    for (const char *at = string; *at != '\0'; at++)
        if (((unsigned char)*at < 0x20 || *at == 0x7f) && strchr(layout, *at) == NULL)
            return false;
    return true;
}

const char *text_name_fault(const char *string, size_t bytes_max)
{
    if (string[0] == '\0')
        return "it is empty";
    if (strlen(string) > bytes_max)
        return "it is too long";
    if (!text_is_utf8(string))
        return "it is not valid UTF-8";
    return text_is_plain(string, "") ? NULL : "it contains control characters";
}
