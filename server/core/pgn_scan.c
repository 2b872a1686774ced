#include "server/core/pgn_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The character that is not there: at the end of the text. */
enum { NOTHING = -1 };

static const char byte_order_mark[] = "\xef\xbb\xbf";

void pgn_scan_init(struct pgn_scan *scan, const char *text, size_t length)
{
    *scan = (struct pgn_scan){.text = text, .length = length, .line = 1};
    size_t mark = sizeof byte_order_mark - 1;
    if (length >= mark && memcmp(text, byte_order_mark, mark) == 0)
        scan->at = scan->line_at = mark;
}

/* --- characters ------------------------------------------------------------------------------- */

static int look(const struct pgn_scan *scan)
{
    return scan->at < scan->length ? (unsigned char)scan->text[scan->at] : NOTHING;
}

static void advance(struct pgn_scan *scan)
{
    if (scan->text[scan->at++] != '\n')
        return;
    scan->line++;
    scan->line_at = scan->at;
}

static bool is_space(int character)
{
    return character >= 0 && (character <= ' ' || character == 0x7f);
}

static bool is_digit(int character)
{
    return character >= '0' && character <= '9';
}

static void skip_line(struct pgn_scan *scan)
{
    while (look(scan) != NOTHING && look(scan) != '\n')
        advance(scan);
}

/* Spaces, and lines that begin with `%`. */
static void skip_spaces(struct pgn_scan *scan)
{
    for (;;) {
        if (look(scan) == '%' && scan->at == scan->line_at)
            skip_line(scan);
        else if (is_space(look(scan)))
            advance(scan);
        else
            return;
    }
}

static void begin(const struct pgn_scan *scan, struct pgn_token *token)
{
    token->line = scan->line;
    token->at = scan->at;
    token->line_at = scan->line_at;
    token->name[0] = token->value[0] = '\0';
}

/* Columns are characters. */
static int column_of(const struct pgn_scan *scan, const struct pgn_token *token)
{
    int column = 1;
    for (size_t i = token->line_at; i < token->at; i++)
        column += ((unsigned char)scan->text[i] & 0xc0) != 0x80;
    return column;
}

enum pgn_token_kind pgn_scan_fail(struct pgn_scan *scan, const struct pgn_token *token,
                                  const char *format, ...)
{
    va_list arguments;
    int length = snprintf(scan->words, sizeof scan->words, "line %d, column %d: ", token->line,
                          column_of(scan, token));
    va_start(arguments, format);
    vsnprintf(scan->words + length, sizeof scan->words - (size_t)length, format, arguments);
    va_end(arguments);
    scan->at = scan->length;
    return PGN_WRONG;
}

bool pgn_scan_check_text(struct pgn_scan *scan)
{
    struct pgn_scan ahead = *scan;
    struct pgn_token token;
    while (look(&ahead) > '\0')
        advance(&ahead);
    if (look(&ahead) == NOTHING)
        return true;
    begin(&ahead, &token);
    pgn_scan_fail(scan, &token, "there is a zero byte, so this is no text");
    return false;
}

/* --- comments and variations ------------------------------------------------------------------ */

static void keep(struct pgn_token *token, size_t *length, int character)
{
    if (*length + 1 < sizeof token->value)
        token->value[(*length)++] = (char)character;
    token->value[*length] = '\0';
}

/* At its `{` or `;`. False: it has no end. */
static bool read_comment(struct pgn_scan *scan, struct pgn_token *token)
{
    size_t length = 0;
    int end = look(scan) == '{' ? '}' : '\n';
    token->value[0] = '\0';
    for (advance(scan); look(scan) != end; advance(scan)) {
        if (look(scan) == NOTHING)
            return end == '\n';
        keep(token, &length, is_space(look(scan)) ? ' ' : look(scan));
    }
    advance(scan);
    return true;
}

/* At its `(`: to the `)` that belongs to it, over others inside. */
static bool skip_variation(struct pgn_scan *scan, struct pgn_token *token)
{
    size_t depth = 0;
    while (look(scan) != NOTHING) {
        int character = look(scan);
        if (character == '{' || character == ';') {
            if (!read_comment(scan, token))
                return false;
            continue;
        }
        advance(scan);
        if (character == '(')
            depth++;
        if (character == ')' && --depth == 0)
            return true;
    }
    return false;
}

/* --- tags ------------------------------------------------------------------------------------- */

static bool read_name(struct pgn_scan *scan, struct pgn_token *token)
{
    size_t length = 0;
    for (int next = look(scan); next > ' ' && next < 0x7f && next != '"' && next != ']';
         next = look(scan)) {
        if (length + 1 == sizeof token->name)
            return false;
        token->name[length++] = (char)next;
        advance(scan);
    }
    token->name[length] = '\0';
    return length > 0;
}

/* At its first quote. */
static bool read_string(struct pgn_scan *scan, struct pgn_token *token)
{
    size_t length = 0;
    for (advance(scan); look(scan) != '"'; advance(scan)) {
        if (look(scan) == '\\')
            advance(scan);
        if (look(scan) == NOTHING || look(scan) == '\n' || length + 1 == sizeof token->value)
            return false;
        keep(token, &length, look(scan));
    }
    advance(scan);
    return true;
}

static enum pgn_token_kind read_tag(struct pgn_scan *scan, struct pgn_token *token)
{
    advance(scan);
    skip_spaces(scan);
    if (!read_name(scan, token))
        return pgn_scan_fail(scan, token, "here begins a tag, which is written [Name \"value\"]");
    skip_spaces(scan);
    if (look(scan) != '"' || !read_string(scan, token))
        return pgn_scan_fail(
            scan, token, "the tag %s has no value in quotes, of at most %d bytes and on one line",
            token->name, PGN_VALUE_BYTES - 1);
    skip_spaces(scan);
    if (look(scan) != ']')
        return pgn_scan_fail(scan, token, "the tag %s has no ] at its end", token->name);
    advance(scan);
    return PGN_TAG;
}

/* --- words ------------------------------------------------------------------------------------ */

static bool ends_word(int character)
{
    return character == NOTHING || is_space(character) || strchr("{}();[]$\"", character) != NULL;
}

static bool read_word(struct pgn_scan *scan, struct pgn_token *token)
{
    size_t length = 0;
    for (; !ends_word(look(scan)); advance(scan)) {
        if (length + 1 == sizeof token->value)
            return false;
        keep(token, &length, look(scan));
    }
    return true;
}

/* `12.`, `12...`, `...` and `12`, alone or before a move: how long it is. */
static size_t number_length(const char *word)
{
    size_t digits = 0, dots;
    while (is_digit(word[digits]))
        digits++;
    dots = strspn(word + digits, ".");
    return dots > 0 || word[digits] == '\0' ? digits + dots : 0;
}

/* What a word says besides its number; nothing: it is a number, or a remark that is no move. */
static bool says_something(struct pgn_token *token)
{
    static const char *const remarks[] = {"e.p.", "ep", "+-", "-+", "="};
    size_t number = number_length(token->value);
    memmove(token->value, token->value + number, strlen(token->value + number) + 1);
    if (token->value[strspn(token->value, "!?")] == '\0')
        return false;
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++)
        if (strcmp(token->value, remarks[i]) == 0)
            return false;
    return true;
}

static void skip_remark(struct pgn_scan *scan)
{
    for (advance(scan); is_digit(look(scan)); advance(scan))
        ;
}

/* PGN_END: it was read over. */
static enum pgn_token_kind read_one(struct pgn_scan *scan, struct pgn_token *token)
{
    switch (look(scan)) {
    case '[':
        return read_tag(scan, token);
    case '{':
    case ';':
        return read_comment(scan, token)
                   ? PGN_COMMENT
                   : pgn_scan_fail(scan, token, "this comment has no } at its end");
    case '(':
        return skip_variation(scan, token)
                   ? PGN_END
                   : pgn_scan_fail(scan, token, "this variation has no ) at its end");
    case '$':
        skip_remark(scan);
        return PGN_END;
    case '}':
    case ')':
    case ']':
    case '"':
        return pgn_scan_fail(scan, token, "there is a `%c` that belongs to nothing", look(scan));
    default:
        if (!read_word(scan, token))
            return pgn_scan_fail(scan, token, "this word is longer than %d bytes",
                                 PGN_VALUE_BYTES - 1);
        return says_something(token) ? PGN_WORD : PGN_END;
    }
}

enum pgn_token_kind pgn_scan_next(struct pgn_scan *scan, struct pgn_token *token)
{
    for (;;) {
        skip_spaces(scan);
        begin(scan, token);
        token->kind = PGN_END;
        if (look(scan) == NOTHING)
            return token->kind;
        token->kind = read_one(scan, token);
        if (token->kind != PGN_END)
            return token->kind;
    }
}
