#include "server/pictures/svg_values.h"

#include "server/pictures/picture.h"

#include <stdio.h>
#include <string.h>

static const char outside[] = "reaches out of the file: only #name of an element in it is allowed";

enum { PARENTHESES_MAX = 3, EXPONENT_MAX = 400 };

struct value {
    const char *at, *end;
    enum svg_value kind;
    struct svg_text *out;
    struct svg_target *target;
    int open; /* parentheses */
    char *fault;
};

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\f';
}

/* Quotes around names of fonts say nothing: there are only names. */
static bool is_between(char byte, enum svg_value kind)
{
    return is_space(byte) || (kind == SVG_FONT && (byte == '"' || byte == '\''));
}

static bool is_of_word(char byte)
{
    return is_letter(byte) || is_digit(byte) || byte == '-' || byte == '_';
}

static bool refuse(const struct value *value, const char *fault)
{
    snprintf(value->fault, SVG_FAULT_BYTES, "%s", fault);
    return false;
}

static char peek(const struct value *value, ptrdiff_t ahead)
{
    return value->at + ahead < value->end ? value->at[ahead] : '\0';
}

static void keep(struct value *value, const char *from)
{
    svg_text_add(value->out, from, (size_t)(value->at - from));
}

bool svg_is_name(const char *name, size_t length)
{
    if (length == 0 || length > SVG_ID_BYTES_MAX || (!is_letter(name[0]) && name[0] != '_'))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_of_word(name[i]) && name[i] != '.')
            return false;
    return true;
}

/* --- numbers ------------------------------------------------------------------------------------ */

static bool begins_number(const struct value *value)
{
    char first = peek(value, 0);
    ptrdiff_t at = first == '-' || first == '+';
    return is_digit(peek(value, at)) || (peek(value, at) == '.' && is_digit(peek(value, at + 1)));
}

static int read_exponent(struct value *value)
{
    ptrdiff_t at = 1 + (peek(value, 1) == '-' || peek(value, 1) == '+');
    int exponent = 0;
    if ((peek(value, 0) != 'e' && peek(value, 0) != 'E') || !is_digit(peek(value, at)))
        return 0;
    bool negative = peek(value, 1) == '-';
    for (value->at += at; is_digit(peek(value, 0)); value->at++)
        if (exponent < EXPONENT_MAX)
            exponent = exponent * 10 + (*value->at - '0');
    return negative ? -exponent : exponent;
}

/* Drawing far away, or large, costs time and shows nothing. */
static bool read_number(struct value *value)
{
    const char *from = value->at;
    double size = 0, tenth = 1;
    value->at += peek(value, 0) == '-' || peek(value, 0) == '+';
    for (; is_digit(peek(value, 0)); value->at++)
        size = size * 10 + (*value->at - '0');
    if (peek(value, 0) == '.')
        for (value->at++; is_digit(peek(value, 0)); value->at++)
            size += (*value->at - '0') * (tenth /= 10);
    int exponent = read_exponent(value);
    for (; exponent > 0 && size > 0 && size <= PICTURE_NUMBER_MAX; exponent--)
        size *= 10;
    for (; exponent < 0 && size > PICTURE_NUMBER_MAX; exponent++)
        size /= 10;
    if (!(size <= PICTURE_NUMBER_MAX))
        return refuse(value, "has a number above 1000000");
    keep(value, from);
    return true;
}

/* --- other tokens ------------------------------------------------------------------------------- */

static bool is_next(const struct value *value, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(value->end - value->at) >= length && memcmp(value->at, word, length) == 0;
}

static void skip_spaces(struct value *value)
{
    while (value->at < value->end && is_between(*value->at, value->kind))
        value->at++;
}

/* "#id", which is written. */
static bool read_target(struct value *value)
{
    const char *from = value->at++;
    while (is_of_word(peek(value, 0)) || peek(value, 0) == '.')
        value->at++;
    size_t length = (size_t)(value->at - from) - 1;
    if (*from != '#' || !svg_is_name(from + 1, length))
        return refuse(value, outside);
    if (value->target->length > 0)
        return refuse(value, "names two elements");
    *value->target = (struct svg_target){value->out->length + 1, length};
    keep(value, from);
    return true;
}

/* url(#id), with or without quotes. */
static bool read_url(struct value *value)
{
    if (value->kind != SVG_PAINT && value->kind != SVG_PART)
        return refuse(value, "may have no url()");
    value->at += strlen("url(");
    skip_spaces(value);
    char quote = peek(value, 0) == '"' || peek(value, 0) == '\'' ? *value->at++ : '\0';
    svg_text_put(value->out, "url(");
    if (peek(value, 0) != '#')
        return refuse(value, outside);
    if (!read_target(value))
        return false;
    value->at += quote != '\0' && peek(value, 0) == quote;
    skip_spaces(value);
    if (peek(value, 0) != ')')
        return refuse(value, "has an url() that does not end");
    value->at++;
    svg_text_put(value->out, ")");
    return true;
}

static bool read_word(struct value *value)
{
    const char *from = value->at;
    while (is_of_word(peek(value, 0)))
        value->at++;
    if (peek(value, 0) == '(' && !svg_is_function(from, (size_t)(value->at - from)))
        return refuse(value, "has a function that is not allowed");
    keep(value, from);
    return true;
}

static bool read_colour(struct value *value)
{
    const char *from = value->at++;
    while (is_digit(peek(value, 0)) || is_letter(peek(value, 0)))
        value->at++;
    if (value->at - from > 9)
        return refuse(value, "has a colour with too many digits");
    keep(value, from);
    return true;
}

static bool read_sign(struct value *value)
{
    char sign = *value->at;
    value->open += (sign == '(') - (sign == ')');
    if (strchr(",()%", sign) == NULL || value->open < 0 || value->open > PARENTHESES_MAX)
        return refuse(value, "has a sign that is not allowed there");
    svg_text_add(value->out, value->at++, 1);
    return true;
}

static bool read_token(struct value *value)
{
    static const char important[] = "!important";
    if (begins_number(value))
        return read_number(value);
    if (is_next(value, "url("))
        return read_url(value);
    if (is_letter(*value->at) || *value->at == '-' || *value->at == '_')
        return read_word(value);
    if (*value->at == '#')
        return read_colour(value);
    if (!is_next(value, important))
        return read_sign(value);
    value->at += strlen(important);
    svg_text_put(value->out, important);
    return true;
}

/* --- kinds of values ---------------------------------------------------------------------------- */

static bool read_path_token(struct value *value)
{
    if (begins_number(value))
        return read_number(value);
    if (*value->at != ',' &&
        (*value->at == '\0' || strchr("MmZzLlHhVvCcSsQqTtAa", *value->at) == NULL))
        return refuse(value, "is no path");
    svg_text_add(value->out, value->at++, 1);
    return true;
}

/* Names in any writing. */
static bool read_font_token(struct value *value)
{
    const unsigned char byte = (unsigned char)*value->at++;
    if (!is_of_word((char)byte) && byte != ',' && byte < 0x80)
        return refuse(value, "is no name of a font");
    svg_text_add(value->out, (const char *)&byte, 1);
    return true;
}

static bool read_class_token(struct value *value)
{
    const char *from = value->at;
    while (value->at < value->end && !is_space(*value->at))
        value->at++;
    if (!svg_is_name(from, (size_t)(value->at - from)))
        return refuse(value, "is no list of names");
    keep(value, from);
    return true;
}

static bool read_name(struct value *value)
{
    const char *from = value->at;
    if (!svg_is_name(from, (size_t)(value->end - from)))
        return refuse(value, "is no name");
    value->at = value->end;
    keep(value, from);
    return true;
}

static bool read_local_target(struct value *value)
{
    if (peek(value, 0) != '#' || !read_target(value) || value->at != value->end)
        return refuse(value, outside);
    return true;
}

bool svg_value_write(enum svg_value kind, const char *value, size_t length, struct svg_text *out,
                     struct svg_target *target, char fault[SVG_FAULT_BYTES])
{
    static bool (*const readers[])(struct value *) = {
        [SVG_PLAIN] = read_token,         [SVG_PAINT] = read_token,
        [SVG_PART] = read_token,          [SVG_PATH] = read_path_token,
        [SVG_NAME] = read_name,           [SVG_NAMES] = read_class_token,
        [SVG_TARGET] = read_local_target, [SVG_FONT] = read_font_token,
    };
    struct value read = {.at = value, .end = value + length, .kind = kind};
    read.out = out;
    read.target = target;
    read.fault = fault;
    *target = (struct svg_target){0, 0};
    while (read.end > read.at && is_between(read.end[-1], kind))
        read.end--;
    skip_spaces(&read);
    while (read.at < read.end) {
        const char *from = read.at;
        skip_spaces(&read);
        if (read.at > from)
            svg_text_put(out, " ");
        if (!readers[kind](&read))
            return false;
    }
    if (kind == SVG_TARGET && target->length == 0)
        return refuse(&read, outside);
    return read.open == 0 || refuse(&read, "has a parenthesis that does not end");
}
