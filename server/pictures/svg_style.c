#include "server/pictures/svg_style.h"

#include "server/pictures/picture.h"

#include <stdio.h>
#include <string.h>

struct style {
    const char *at, *end;
    struct svg_text *out;
    struct svg_targets *targets; /* NULL: in a sheet */
    char *fault;
};

static bool refuse(const struct style *style, const char *fault)
{
    snprintf(style->fault, SVG_FAULT_BYTES, "%s", fault);
    return false;
}

static const char *find(const char *from, const char *end, char byte)
{
    const char *found = memchr(from, byte, (size_t)(end - from));
    return found != NULL ? found : end;
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\f';
}

static void trim(const char **from, const char **end)
{
    while (*from < *end && is_space(**from))
        (*from)++;
    while (*end > *from && is_space((*end)[-1]))
        (*end)--;
}

void svg_style_strip(char *style, size_t length)
{
    bool within = false;
    for (size_t i = 0; i < length; i++) {
        bool begins = !within && style[i] == '/' && i + 1 < length && style[i + 1] == '*';
        bool ends = within && style[i] == '*' && i + 1 < length && style[i + 1] == '/';
        if (begins || ends) {
            within = begins;
            style[i] = style[i + 1] = ' ';
            i++;
        } else if (within) {
            style[i] = ' ';
        }
    }
}

/* --- properties --------------------------------------------------------------------------------- */

static bool note_target(const struct style *style, const struct svg_target *target)
{
    struct svg_targets *targets = style->targets;
    if (targets->count == (int)(sizeof targets->all / sizeof *targets->all))
        return refuse(style, "names too many elements");
    targets->all[targets->count++] = *target;
    return true;
}

static bool write_value(const struct style *style, const struct svg_word *word, const char *from,
                        const char *end)
{
    char fault[SVG_FAULT_BYTES];
    struct svg_target target;
    if (word->value == SVG_PART && style->targets == NULL) {
        snprintf(style->fault, SVG_FAULT_BYTES,
                 "has %s: this stands on the element, not in a sheet", word->name);
        return false;
    }
    svg_text_put(style->out, word->name);
    svg_text_put(style->out, ":");
    if (!svg_value_write(word->value, from, (size_t)(end - from), style->out, &target, fault)) {
        snprintf(style->fault, SVG_FAULT_BYTES, "has %s, which %.70s", word->name, fault);
        return false;
    }
    return word->value != SVG_PART || target.length == 0 || note_target(style, &target);
}

/* "fill: red"; one that is not in the list is left out. */
static bool write_property(const struct style *style, const char *from, const char *end, bool first)
{
    const char *colon = find(from, end, ':'), *name_end = colon;
    trim(&from, &name_end);
    const struct svg_word *word = svg_find_property(from, (size_t)(name_end - from));
    if (colon == end || word == NULL)
        return true;
    if (!first)
        svg_text_put(style->out, ";");
    return write_value(style, word, colon + 1, end);
}

static bool write_properties(const struct style *style, const char *from, const char *end)
{
    size_t begin = style->out->length;
    while (from < end) {
        const char *semicolon = find(from, end, ';');
        if (!write_property(style, from, semicolon, style->out->length == begin))
            return false;
        from = semicolon < end ? semicolon + 1 : end;
    }
    return true;
}

bool svg_style_write_inline(const char *style, size_t length, struct svg_text *out,
                            struct svg_targets *targets, char fault[SVG_FAULT_BYTES])
{
    struct style read = {.at = style, .end = style + length};
    read.out = out;
    read.targets = targets;
    read.fault = fault;
    return write_properties(&read, read.at, read.end);
}

/* --- rules -------------------------------------------------------------------------------------- */

static void skip_spaces(struct style *style)
{
    while (style->at < style->end && is_space(*style->at))
        style->at++;
}

static bool is_of_selector(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || (byte != '\0' && strchr("-_.#,* ", byte) != NULL);
}

static bool write_selector(const struct style *style, const char *from, const char *end)
{
    trim(&from, &end);
    if (from == end || end - from > SVG_SELECTOR_BYTES_MAX)
        return refuse(style, "has a selector that is empty or too long");
    for (; from < end; from++) {
        char byte = is_space(*from) ? ' ' : *from;
        if (!is_of_selector(byte))
            return refuse(style, "has a selector that is more than names, . # * and ,");
        if (byte != ' ' || !is_space(from[-1]))
            svg_text_add(style->out, &byte, 1);
    }
    return true;
}

/* A rule without a property that is allowed is left out. */
static bool write_rule(struct style *style)
{
    size_t begin = style->out->length;
    const char *open = find(style->at, style->end, '{'), *close = find(open, style->end, '}');
    if (close == style->end)
        return refuse(style, "has a rule that does not end");
    if (!write_selector(style, style->at, open))
        return false;
    svg_text_put(style->out, "{");
    size_t empty = style->out->length;
    if (!write_properties(style, open + 1, close))
        return false;
    bool nothing = style->out->length == empty;
    svg_text_put(style->out, "}");
    if (nothing && !style->out->full) {
        style->out->length = begin;
        style->out->bytes[begin] = '\0';
    }
    style->at = close + 1;
    return true;
}

bool svg_style_write_sheet(const char *sheet, size_t length, struct svg_text *out,
                           char fault[SVG_FAULT_BYTES])
{
    struct style style = {.at = sheet, .end = sheet + length};
    style.out = out;
    style.fault = fault;
    int rules = 0;
    for (skip_spaces(&style); style.at < style.end; skip_spaces(&style)) {
        if (*style.at == '@')
            return refuse(&style, "has @import or another rule that begins with @");
        if (++rules > PICTURE_RULES_MAX)
            return refuse(&style, "has more than 256 rules");
        if (!write_rule(&style))
            return false;
    }
    return true;
}
