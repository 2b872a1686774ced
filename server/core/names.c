#include "server/core/names.h"

#include "server/core/session.h"

#include <stdio.h>
#include <string.h>

enum {
    SHAPES_MAX = DISPLAY_NAME_BYTES_MAX,
    TRIES_MAX = 100,
    FULL_WIDTH_FIRST = 0xff01,
    FULL_WIDTH_LAST = 0xff5e,
    FULL_WIDTH_OFF = 0xfee0
};

struct shapes {
    uint32_t of[SHAPES_MAX];
    int count;
};

/* --- how a name looks ------------------------------------------------------------------------- */

/* What looks like a small Latin letter, by that. */
static const struct {
    uint32_t letter;
    char like;
} confusables[] = {
    {0x391, 'a'}, {0x392, 'b'}, {0x395, 'e'}, {0x396, 'z'}, {0x397, 'h'}, {0x399, 'l'},
    {0x39a, 'k'}, {0x39c, 'm'}, {0x39d, 'n'}, {0x39f, 'o'}, {0x3a1, 'p'}, {0x3a4, 't'},
    {0x3a5, 'y'}, {0x3a7, 'x'}, {0x3b1, 'a'}, {0x3b9, 'l'}, {0x3ba, 'k'}, {0x3bd, 'v'},
    {0x3bf, 'o'}, {0x3c1, 'p'}, {0x3c5, 'u'}, {0x3c7, 'x'}, {0x405, 's'}, {0x406, 'l'},
    {0x408, 'j'}, {0x410, 'a'}, {0x412, 'b'}, {0x415, 'e'}, {0x41a, 'k'}, {0x41c, 'm'},
    {0x41d, 'h'}, {0x41e, 'o'}, {0x420, 'p'}, {0x421, 'c'}, {0x422, 't'}, {0x423, 'y'},
    {0x425, 'x'}, {0x430, 'a'}, {0x435, 'e'}, {0x43a, 'k'}, {0x43c, 'm'}, {0x43e, 'o'},
    {0x440, 'p'}, {0x441, 'c'}, {0x442, 't'}, {0x443, 'y'}, {0x445, 'x'}, {0x455, 's'},
    {0x456, 'l'}, {0x458, 'j'}, {0x501, 'd'}, {0x51b, 'q'}, {0x51d, 'w'},
};

/* 0: nothing that is seen, or that tells names apart. */
static uint32_t ascii_shape(uint32_t letter)
{
    if (letter >= 'A' && letter <= 'Z')
        letter += 'a' - 'A';
    if (letter == '0')
        return 'o';
    if (letter == '1' || letter == 'i' || letter == '|')
        return 'l';
    bool tells = (letter >= 'a' && letter <= 'z') || (letter >= '2' && letter <= '9');
    return tells ? letter : 0;
}

static bool is_unseen(uint32_t letter)
{
    return letter == 0xa0 || letter == 0xad || letter == 0x34f || letter == 0x61c ||
           letter == 0x3000 || letter == 0xfeff || (letter >= 0x2000 && letter <= 0x206f) ||
           (letter >= 0xfe00 && letter <= 0xfe0f) || (letter >= 0xe0000 && letter <= 0xe0fff);
}

static uint32_t shape_of(uint32_t letter)
{
    if (letter >= FULL_WIDTH_FIRST && letter <= FULL_WIDTH_LAST)
        letter -= FULL_WIDTH_OFF;
    if (letter < 0x80)
        return ascii_shape(letter);
    if (is_unseen(letter))
        return 0;
    for (size_t i = 0; i < sizeof confusables / sizeof *confusables; i++)
        if (confusables[i].letter == letter)
            return (uint32_t)confusables[i].like;
    return letter;
}

/* The next character of a text that is UTF-8. */
static uint32_t take_letter(struct text *text)
{
    const unsigned char *bytes = (const unsigned char *)text->data;
    size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
    uint32_t letter = length == 1 ? bytes[0] : bytes[0] & (0x7fU >> length);
    length = length < text->length ? length : text->length;
    for (size_t i = 1; i < length; i++)
        letter = letter << 6 | (bytes[i] & 0x3f);
    text->data += length;
    text->length -= length;
    return letter;
}

static struct shapes shapes_of(struct text name)
{
    struct shapes shapes = {.count = 0};
    while (name.length > 0 && shapes.count < SHAPES_MAX) {
        uint32_t shape = shape_of(take_letter(&name));
        if (shape != 0)
            shapes.of[shapes.count++] = shape;
    }
    return shapes;
}

/* Two names of signs alone are told apart by them. */
bool names_look_alike(struct text one, struct text other)
{
    const struct shapes first = shapes_of(one), second = shapes_of(other);
    if (first.count == 0 || second.count == 0)
        return one.length == other.length && memcmp(one.data, other.data, one.length) == 0;
    return first.count == second.count &&
           memcmp(first.of, second.of, sizeof *first.of * (size_t)first.count) == 0;
}

/* --- told apart ------------------------------------------------------------------------------- */

static bool is_anybodys(struct text name)
{
    return text_is(name, SESSION_NAME_OF_NOBODY);
}

static bool is_like(struct text name, const char *other)
{
    return !is_anybodys(text_of(other)) && names_look_alike(name, text_of(other));
}

static int count_players(const struct room *room, const struct identity *who, uint32_t seats,
                         struct text name)
{
    const struct standing *standing = &room->standing;
    int count = 0;
    for (int i = 0; i < standing->seat_count; i++) {
        const struct seat *seat = &standing->seats[i];
        count += seat->taken && !(seats >> i & 1) && !identity_equal(&seat->holder, who) &&
                 is_like(name, seat->name);
    }
    return count;
}

/* Who was here before `who`, without a seat. */
static int count_watchers(const struct room *room, const struct identity *who, struct text name)
{
    int count = 0;
    for (int i = 0; i < room->attached_count; i++) {
        const struct session *session = room->attached[i]->session;
        if (identity_equal(&session->identity, who))
            break;
        count += room->attached[i]->seats == 0 && is_like(name, session->name);
    }
    return count;
}

/* As much of it as there is room for before the number. */
static void number(struct text name, int count, char told[DISPLAY_NAME_BYTES_MAX + 1])
{
    char behind[16];
    int length = snprintf(behind, sizeof behind, " (%d)", count);
    size_t most = DISPLAY_NAME_BYTES_MAX - (size_t)length, kept = name.length;
    if (kept > most)
        for (kept = most; kept > 0 && (name.data[kept] & 0xc0) == 0x80;)
            kept--;
    snprintf(told, DISPLAY_NAME_BYTES_MAX + 1, "%.*s%s", (int)kept, name.data, behind);
}

void names_tell_apart(const struct room *room, const struct identity *who, uint32_t seats,
                      struct text name, char told[DISPLAY_NAME_BYTES_MAX + 1])
{
    int others = 0;
    text_copy(name, told, DISPLAY_NAME_BYTES_MAX + 1);
    if (!is_anybodys(name))
        others = count_players(room, who, seats, name) + count_watchers(room, who, name);
    for (int i = 1; i < TRIES_MAX && others > 0; i++) {
        number(name, others + i, told);
        if (count_players(room, who, seats, text_of(told)) == 0)
            return;
    }
}

static bool is_like_one_of(const struct seat *seats, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (is_like(text_of(name), seats[i].name))
            return true;
    return false;
}

void names_tell_all_apart(struct seat *seats, int count)
{
    char name[DISPLAY_NAME_BYTES_MAX + 1];
    for (int i = 1; i < count; i++) {
        memcpy(name, seats[i].name, sizeof name);
        for (int j = 2; j < TRIES_MAX && is_like_one_of(seats, i, seats[i].name); j++)
            number(text_of(name), j, seats[i].name);
    }
}
