#include "server/pictures/svg.h"

#include "server/pictures/svg_drawn.h"
#include "server/pictures/svg_style.h"
#include "server/pictures/svg_text.h"
#include "server/pictures/svg_values.h"
#include "server/pictures/svg_words.h"

#include <libxml/parserInternals.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SVG_NAMESPACE   "http://www.w3.org/2000/svg"
#define XLINK_NAMESPACE "http://www.w3.org/1999/xlink"
#define XHTML_NAMESPACE "http://www.w3.org/1999/xhtml"

enum { NAME_SHOWN = 40, XML_WORDS_SHOWN = 120 };

struct open_element {
    enum svg_element kind;
    int drawn;
};

struct reader {
    xmlParserCtxtPtr parser;
    struct picture *picture;
    struct svg_text out, style; /* style: one that is being read */
    struct svg_drawn *drawn;
    int depth, skipped; /* skipped: how deep we are in something that is taken out */
    struct open_element open[PICTURE_DEPTH_MAX];
    bool tag_is_open;
    bool refused;
};

void svg_begin(void)
{
    xmlInitParser();
}

/* --- refusing ----------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void refuse_line(struct reader *reader, int line,
                                                              const char *format, ...)
{
    char *words = reader->picture->words;
    va_list arguments;
    if (reader->refused)
        return;
    reader->refused = true;
    int length = snprintf(words, PICTURE_WORDS_BYTES, "line %d: ", line);
    va_start(arguments, format);
    vsnprintf(words + length, (size_t)(PICTURE_WORDS_BYTES - length), format, arguments);
    va_end(arguments);
    for (char *at = words; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    xmlStopParser(reader->parser);
}

static int line_of(const struct reader *reader)
{
    return xmlSAX2GetLineNumber(reader->parser);
}

static const char *reason_against(const char *name)
{
    if (strcasecmp(name, "script") == 0)
        return "a picture runs nothing";
    if (strncasecmp(name, "animate", 7) == 0 || strcmp(name, "set") == 0)
        return "a picture does not move";
    if (strcmp(name, "image") == 0 || strcmp(name, "foreignObject") == 0 || strcmp(name, "a") == 0)
        return "a picture holds nothing that is not drawn in it";
    return "it is not in the list of what a picture may have";
}

static void refuse_element(struct reader *reader, const char *name)
{
    refuse_line(reader, line_of(reader), "<%.*s> is not allowed: %s", NAME_SHOWN, name,
                reason_against(name));
}

/* --- attributes --------------------------------------------------------------------------------- */

/* As libxml2 gives them. */
struct attribute {
    const char *name, *prefix, *uri, *value, *end;
};

static struct attribute attribute_at(const xmlChar **attributes, int i)
{
    const char *const *all = (const char *const *)(const void *)attributes + 5 * (ptrdiff_t)i;
    return (struct attribute){all[0], all[1], all[2], all[3], all[4]};
}

static bool is_xlink_href(const struct attribute *attribute)
{
    return attribute->uri != NULL && strcmp(attribute->uri, XLINK_NAMESPACE) == 0 &&
           strcmp(attribute->name, "href") == 0;
}

static bool has_plain_href(const xmlChar **attributes, int count)
{
    for (int i = 0; i < count; i++) {
        const struct attribute attribute = attribute_at(attributes, i);
        if (attribute.uri == NULL && strcmp(attribute.name, "href") == 0)
            return true;
    }
    return false;
}

static void refer(struct reader *reader, const struct svg_target *target)
{
    if (!reader->out.full && target->length > 0 &&
        !svg_drawn_refer(reader->drawn, reader->out.bytes + target->at, target->length))
        refuse_line(reader, line_of(reader), "too many references");
}

static bool write_style(struct reader *reader, const struct attribute *attribute, char *fault)
{
    struct svg_targets targets = {.count = 0};
    struct svg_text *style = &reader->style;
    style->length = 0;
    svg_text_add(style, attribute->value, (size_t)(attribute->end - attribute->value));
    svg_style_strip(style->bytes, style->length);
    if (!svg_style_write_inline(style->bytes, style->length, &reader->out, &targets, fault))
        return false;
    for (int i = 0; i < targets.count; i++)
        refer(reader, &targets.all[i]);
    return true;
}

static bool write_value(struct reader *reader, const struct svg_word *word,
                        const struct attribute *attribute, char *fault)
{
    struct svg_target target;
    size_t begin = reader->out.length;
    if (word->value == SVG_SHEET)
        return write_style(reader, attribute, fault);
    if (!svg_value_write(word->value, attribute->value, (size_t)(attribute->end - attribute->value),
                         &reader->out, &target, fault))
        return false;
    if (word->value == SVG_PART || word->value == SVG_TARGET)
        refer(reader, &target);
    if (word->value == SVG_NAME && !reader->out.full)
        svg_drawn_name(reader->drawn, reader->out.bytes + begin, reader->out.length - begin);
    return true;
}

/* A name that is none says nothing, and is taken out. */
static void write_attribute(struct reader *reader, const char *element,
                            const struct attribute *attribute)
{
    char fault[SVG_FAULT_BYTES] = "";
    const struct svg_word *word = svg_find_attribute(attribute->name, strlen(attribute->name));
    size_t begin = reader->out.length;
    if (word == NULL)
        return;
    svg_text_put(&reader->out, " ");
    svg_text_put(&reader->out, word->name);
    svg_text_put(&reader->out, "=\"");
    bool written = write_value(reader, word, attribute, fault);
    svg_text_put(&reader->out, "\"");
    if (written)
        return;
    if (word->value != SVG_NAME && word->value != SVG_NAMES) {
        refuse_line(reader, line_of(reader), "%s of <%s> %s", word->name, element, fault);
    } else if (!reader->out.full) {
        reader->out.length = begin;
        reader->out.bytes[begin] = '\0';
    }
}

/* What other programs say about the drawing is no part of it. */
static bool is_ours(const struct attribute *attribute, bool plain_href)
{
    return attribute->uri == NULL || (is_xlink_href(attribute) && !plain_href);
}

static void write_attributes(struct reader *reader, const char *element, const xmlChar **attributes,
                             int count)
{
    bool plain_href = has_plain_href(attributes, count);
    for (int i = 0; i < count && !reader->refused; i++) {
        const struct attribute attribute = attribute_at(attributes, i);
        if (attribute.uri == NULL && strncasecmp(attribute.name, "on", 2) == 0)
            refuse_line(reader, line_of(reader),
                        "%.*s of <%s> is not allowed: a picture runs nothing", NAME_SHOWN,
                        attribute.name, element);
        else if (is_ours(&attribute, plain_href))
            write_attribute(reader, element, &attribute);
    }
}

/* --- elements ----------------------------------------------------------------------------------- */

static void close_tag(struct reader *reader)
{
    if (reader->tag_is_open)
        svg_text_put(&reader->out, ">");
    reader->tag_is_open = false;
}

static bool may_begin(struct reader *reader, const char *name, enum svg_element kind)
{
    if (kind == SVG_REFUSED)
        refuse_element(reader, name);
    else if (reader->depth == 0 && kind != SVG_ROOT)
        refuse_line(reader, line_of(reader), "the file begins with <%s> and not with <svg>", name);
    else if (reader->depth == PICTURE_DEPTH_MAX)
        refuse_line(reader, line_of(reader), "<%s> lies more than %d elements deep", name,
                    PICTURE_DEPTH_MAX);
    return !reader->refused;
}

static void begin_element(struct reader *reader, const char *name, enum svg_element kind,
                          const xmlChar **attributes, int count)
{
    int drawn = svg_drawn_begin(reader->drawn, line_of(reader));
    if (drawn < 0) {
        refuse_line(reader, line_of(reader), "a picture has at most %d elements",
                    PICTURE_ELEMENTS_MAX);
        return;
    }
    close_tag(reader);
    svg_text_put(&reader->out, "<");
    svg_text_put(&reader->out, name);
    if (reader->depth == 0)
        svg_text_put(&reader->out, " xmlns=\"" SVG_NAMESPACE "\"");
    write_attributes(reader, name, attributes, count);
    reader->tag_is_open = true;
    reader->open[reader->depth++] = (struct open_element){kind, drawn};
    reader->style.length = 0;
    /* libxml2 holds each attribute against those before it. */
    reader->picture->looked_at += 1 + (uint64_t)count * (uint64_t)count / 24;
}

/* Whether an element of another language, or in a style, goes with all that is in it. */
static bool is_taken_out(struct reader *reader, const char *name, const char *uri)
{
    if (uri != NULL && strcmp(uri, SVG_NAMESPACE) == 0)
        return reader->depth > 0 && reader->open[reader->depth - 1].kind == SVG_STYLE;
    if (uri != NULL && strcmp(uri, XHTML_NAMESPACE) == 0)
        refuse_element(reader, name);
    else if (reader->depth == 0)
        refuse_line(reader, line_of(reader),
                    "the file has to begin with <svg xmlns=\"" SVG_NAMESPACE "\">");
    return true;
}

static void on_begin(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespace_count, const xmlChar **namespaces, int count, int defaulted,
                     const xmlChar **attributes)
{
    struct reader *reader = context;
    const char *word = (const char *)name;
    (void)prefix, (void)namespace_count, (void)namespaces, (void)defaulted;
    if (reader->refused)
        return;
    if (reader->skipped > 0 || is_taken_out(reader, word, (const char *)uri)) {
        reader->skipped++;
        return;
    }
    enum svg_element kind = svg_find_element(word);
    if (kind == SVG_TAKEN_OUT && reader->depth > 0)
        reader->skipped++;
    else if (may_begin(reader, word, kind))
        begin_element(reader, word, kind, attributes, count);
}

static void end_style(struct reader *reader)
{
    char fault[SVG_FAULT_BYTES];
    struct svg_text *style = &reader->style;
    svg_style_strip(style->bytes, style->length);
    close_tag(reader);
    if (!svg_style_write_sheet(style->bytes, style->length, &reader->out, fault))
        refuse_line(reader, line_of(reader), "<style> %s", fault);
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct reader *reader = context;
    (void)prefix, (void)uri;
    if (reader->refused)
        return;
    if (reader->skipped > 0) {
        reader->skipped--;
        return;
    }
    const struct open_element *element = &reader->open[--reader->depth];
    if (element->kind == SVG_STYLE)
        end_style(reader);
    svg_drawn_end(reader->drawn, element->drawn);
    if (reader->tag_is_open) {
        svg_text_put(&reader->out, "/>");
    } else {
        svg_text_put(&reader->out, "</");
        svg_text_put(&reader->out, (const char *)name);
        svg_text_put(&reader->out, ">");
    }
    reader->tag_is_open = false;
}

static void on_text(void *context, const xmlChar *text, int length)
{
    struct reader *reader = context;
    if (reader->refused || reader->skipped > 0 || reader->depth == 0 || length <= 0)
        return;
    enum svg_element kind = reader->open[reader->depth - 1].kind;
    if (kind == SVG_STYLE) {
        svg_text_add(&reader->style, (const char *)text, (size_t)length);
    } else if (kind == SVG_WORDS) {
        close_tag(reader);
        svg_text_escape(&reader->out, (const char *)text, (size_t)length);
    }
}

/* --- what XML can do besides -------------------------------------------------------------------- */

static void refuse_entities(struct reader *reader)
{
    refuse_line(reader, line_of(reader),
                "entities and declarations are not allowed: save it as a plain SVG");
}

static void on_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id,
                      const xmlChar *system_id,
                      xmlChar *content) /* NOLINT(readability-non-const-parameter): libxml2's */
{
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    refuse_entities(context);
}

static void on_reference(void *context, const xmlChar *name)
{
    (void)name;
    refuse_entities(context);
}

static void on_attribute(void *context, const xmlChar *element, const xmlChar *name, int type,
                         int def, const xmlChar *value, xmlEnumerationPtr tree)
{
    (void)element, (void)name, (void)type, (void)def, (void)value;
    xmlFreeEnumeration(tree);
    refuse_entities(context);
}

static void on_error(void *context, xmlErrorPtr error)
{
    struct reader *reader = context;
    if (error == NULL || error->level == XML_ERR_WARNING || error->code == XML_ERR_NO_MEMORY ||
        error->message == NULL)
        return;
    int length = (int)strcspn(error->message, "\n");
    refuse_line(reader, error->line, "this is no sound XML: %.*s",
                length < XML_WORDS_SHOWN ? length : XML_WORDS_SHOWN, error->message);
}

static const xmlSAXHandler handler = {
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = on_begin,
    .endElementNs = on_end,
    .characters = on_text,
    .ignorableWhitespace = on_text,
    .cdataBlock = on_text,
    .entityDecl = on_entity,
    .attributeDecl = on_attribute,
    .reference = on_reference,
    .serror = on_error,
};

/* --- all of it ---------------------------------------------------------------------------------- */

static void check_drawn(struct reader *reader)
{
    int line;
    const char *fault = svg_drawn_fault(reader->drawn, &line);
    if (fault != NULL)
        refuse_line(reader, line, "this element %s", fault);
}

/* Without a tree: what libxml2 keeps is what is open. */
static bool parse(struct reader *reader)
{
    xmlParserCtxtPtr parser = reader->parser;
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOENT);
    *parser->sax = handler;
    parser->userData = reader;
    xmlParseDocument(parser);
    if (parser->errNo == XML_ERR_NO_MEMORY)
        return false;
    if (!parser->wellFormed || reader->depth > 0)
        refuse_line(reader, line_of(reader), "this is no sound XML");
    if (!reader->refused)
        check_drawn(reader);
    if (reader->out.full || reader->style.full)
        refuse_line(reader, line_of(reader), "written plainly it is longer than %zu bytes",
                    reader->out.size);
    return true;
}

/* What goes wrong before there is a parser is no memory; the library would write a line for it. */
static void on_early_error(void *context, xmlErrorPtr error)
{
    (void)context, (void)error;
}

enum picture_outcome svg_read(const char *bytes, size_t length, size_t bytes_max,
                              struct picture *picture)
{
    struct reader reader = {.picture = picture};
    bool done = false;
    xmlSetStructuredErrorFunc(NULL, on_early_error); /* of this thread */
    reader.drawn = svg_drawn_new();
    reader.parser = xmlCreateMemoryParserCtxt(bytes, (int)length);
    if (svg_text_init(&reader.out, bytes_max) && svg_text_init(&reader.style, bytes_max) &&
        reader.drawn != NULL && reader.parser != NULL)
        done = parse(&reader);
    if (reader.parser != NULL)
        xmlFreeDoc(reader.parser->myDoc); /* it makes one for entities, although we keep none */
    xmlFreeParserCtxt(reader.parser);
    svg_drawn_free(reader.drawn);
    svg_text_release(&reader.style);
    if (done && !reader.refused) {
        picture->bytes = reader.out.bytes;
        picture->length = reader.out.length;
        return PICTURE_READ;
    }
    svg_text_release(&reader.out);
    return done ? PICTURE_REFUSED : PICTURE_NO_MEMORY;
}
