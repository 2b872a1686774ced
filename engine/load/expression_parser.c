#include "engine/load/expression.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_STRING, TOKEN_NAME, TOKEN_SIGN };

struct token {
    enum token_kind kind;
    const char *at; /* in the text of the expression */
    size_t length;
};

struct parser {
    const char *text;
    const char *const *names;
    int name_count;
    struct token token; /* the one to be looked at next */
    int depth;
    char *written; /* EXPRESSION_WRITTEN_BYTES_MAX of room */
    size_t written_length;
    bool failed;
    struct expression_error *error;
};

/* About the token. The first complaint counts; after it everything falls through to the end. */
static void fail(struct parser *parser, const char *hint, const char *format, ...)
{
    if (parser->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(parser->error->message, sizeof parser->error->message, format, arguments);
    va_end(arguments);
    snprintf(parser->error->hint, sizeof parser->error->hint, "%s", hint);
    parser->error->offset = (size_t)(parser->token.at - parser->text);
    parser->failed = true;
}

#define DIGITS     "0123456789"
#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$" DIGITS

/* 1, 1.5, .5, 1., 1e3; not 010, not 0x10, not 3in. 0: no number. */
static size_t number_length(const char *text)
{
    char *end;
    strtod(text, &end);
    bool other_base = text[0] == '0' && strspn(text + 1, DIGITS "xX") > 0;
    return other_base || strspn(end, NAME_BYTES) > 0 ? 0 : (size_t)(end - text);
}

/* With its quotes. 0: it does not end, or has escapes that are not admitted. */
static size_t string_length(const char *text)
{
    size_t length = 1;
    for (; text[length] != text[0]; length++) {
        bool escape = text[length] == '\\';
        length += escape;
        if ((unsigned char)text[length] < 0x20 || (escape && strchr("\\'\"", text[length]) == NULL))
            return 0;
    }
    return length + 1;
}

/* JavaScript's signs as its own reader takes them, the longest that fits: `--x` is never twice a minus. */
static const char *const binary_signs[] = {
    "||", "&&", "==", "!=", "===", "!==", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", NULL};
static const char *const other_signs[] = {"**", "!", "?", ":", "(", ")", "[", "]", ",", ".", NULL};
static const char *const refused_signs[] = {
    ">>>=", "...", ">>>", "<<=", ">>=", "**=", "&&=", "||=", "?\?=", "++", "--", "=>",
    "<<",   ">>",  "?\?", "+=",  "-=",  "*=",  "/=",  "%=",  "&=",   "|=", "^=", "//",
    "/*",   "=",   "&",   "|",   "^",   "~",   "{",   "}",   ";",    NULL};

/* The longest of them that the text begins with, if it is longer than what has been found before. */
static bool find_sign(const char *text, const char *const *signs, size_t *length)
{
    size_t before = *length;
    for (; *signs != NULL; signs++)
        if (strlen(*signs) > *length && strncmp(text, *signs, strlen(*signs)) == 0)
            *length = strlen(*signs);
    return *length > before;
}

static void read_sign(struct parser *parser)
{
    struct token *token = &parser->token;
    find_sign(token->at, binary_signs, &token->length);
    find_sign(token->at, other_signs, &token->length);
    token->kind = TOKEN_SIGN;
    if (find_sign(token->at, refused_signs, &token->length))
        fail(parser, token->at[0] == '=' ? "to compare, write ==" : "",
             "`%.*s` is not allowed in an expression", (int)token->length, token->at);
    else if (token->length == 0)
        fail(parser, "", "this character is not allowed in an expression");
}

static void read_token(struct parser *parser)
{
    struct token *token = &parser->token;
    const char *text = token->at + token->length;
    text += strspn(text, " \t\r\n");
    *token = (struct token){.kind = TOKEN_END, .at = text};
    if (strspn(text + (text[0] == '.'), DIGITS) > 0) {
        token->kind = TOKEN_NUMBER;
        token->length = number_length(text);
        if (token->length == 0)
            fail(parser, "write it in decimal, without leading zeros", "this is not a number");
    } else if (text[0] == '\'' || text[0] == '"') {
        token->kind = TOKEN_STRING;
        token->length = string_length(text);
        if (token->length == 0)
            fail(parser, "", "this string does not end, or has an escape not allowed");
    } else if (strspn(text, NAME_BYTES) > 0) {
        token->kind = TOKEN_NAME;
        token->length = strspn(text, NAME_BYTES);
    } else if (text[0] != '\0') {
        read_sign(parser);
    }
}

static void write_text(struct parser *parser, const char *text, size_t length)
{
    assert(parser->written_length + length + 2 <= EXPRESSION_WRITTEN_BYTES_MAX);
    memcpy(parser->written + parser->written_length, text, length);
    parser->written_length += length;
    parser->written[parser->written_length++] = ' ';
    parser->written[parser->written_length] = '\0';
}

/* Takes the token over into what is written, and reads the next one. */
static void accept(struct parser *parser)
{
    write_text(parser, parser->token.at, parser->token.length);
    if (!parser->failed)
        read_token(parser);
}

static bool token_is(const struct parser *parser, const char *text)
{
    const struct token *token = &parser->token;
    return !parser->failed && strlen(text) == token->length &&
           strncmp(token->at, text, token->length) == 0;
}

static void expect(struct parser *parser, const char *sign)
{
    if (token_is(parser, sign))
        accept(parser);
    else
        fail(parser, "", "`%s` is missing here", sign);
}

static bool token_is_among(const struct parser *parser, const char *const *words)
{
    while (*words != NULL && !token_is(parser, *words))
        words++;
    return *words != NULL;
}

static void parse_choice(struct parser *parser);

static void enter(struct parser *parser)
{
    if (++parser->depth > EXPRESSION_DEPTH_MAX)
        fail(parser, "", "the expression is nested too deeply");
}

static void parse_math(struct parser *parser)
{
    static const char *const functions[] = {"abs",   "acos", "asin", "atan",  "atan2", "cbrt",
                                            "ceil",  "cos",  "exp",  "floor", "hypot", "log",
                                            "log10", "log2", "max",  "min",   "pow",   "round",
                                            "sign",  "sin",  "sqrt", "tan",   "trunc", NULL};
    static const char *const constants[] = {"E",  "LN10",    "LN2",   "LOG10E", "LOG2E",
                                            "PI", "SQRT1_2", "SQRT2", NULL};
    accept(parser);
    expect(parser, ".");
    if (token_is_among(parser, constants)) {
        accept(parser);
        return;
    }
    if (!token_is_among(parser, functions)) {
        fail(parser, "", "`Math` has nothing allowed of this name");
        return;
    }
    accept(parser);
    expect(parser, "(");
    while (!parser->failed && !token_is(parser, ")")) {
        parse_choice(parser);
        if (!token_is(parser, ","))
            break;
        accept(parser);
    }
    expect(parser, ")");
}

/* What stands behind a coordinate or a string must not reach into it. */
static void refuse_behind(struct parser *parser, const char *signs, const char *what)
{
    const char *at = parser->token.at;
    if (!parser->failed && *at != '\0' && strchr(signs, *at) != NULL)
        fail(parser, "", "`%.1s` is not allowed after a %s", at, what);
}

static void parse_name(struct parser *parser)
{
    char hint[128] = "only the coordinates and Math have names here:";
    for (int i = 0; i < parser->name_count; i++) {
        size_t used = strlen(hint);
        snprintf(hint + used, sizeof hint - used, " `%s`", parser->names[i]);
        if (token_is(parser, parser->names[i])) {
            accept(parser);
            refuse_behind(parser, ".[(", "coordinate");
            return;
        }
    }
    if (token_is(parser, "Math"))
        parse_math(parser);
    else
        fail(parser, hint, "no coordinate `%.*s`",
             (int)(parser->token.length < 60 ? parser->token.length : 60), parser->token.at);
}

/* 'abc'[x]: the index is made a number, so that it can never be the name of a property. */
static void parse_string(struct parser *parser)
{
    accept(parser);
    refuse_behind(parser, ".(", "string");
    if (!token_is(parser, "["))
        return;
    accept(parser);
    write_text(parser, "+ (", 3);
    parse_choice(parser);
    write_text(parser, ")", 1);
    expect(parser, "]");
}

static void parse_operand(struct parser *parser)
{
    if (parser->token.kind == TOKEN_NUMBER) {
        accept(parser);
    } else if (parser->token.kind == TOKEN_STRING) {
        parse_string(parser);
    } else if (parser->token.kind == TOKEN_NAME) {
        parse_name(parser);
    } else if (token_is(parser, "(")) {
        accept(parser);
        parse_choice(parser);
        expect(parser, ")");
    } else {
        fail(parser, "",
             parser->token.kind == TOKEN_END ? "the expression ends too early"
                                             : "a value is missing here");
    }
}

/* Values with signs before and between them. Which sign binds how tightly is not asked: what is written out again, Duktape reads by
 * JavaScript's rules. In a ? b : c ? d : e only `b` and `d` are deeper: a chain of choices is long, not deep. */
static void parse_choice(struct parser *parser)
{
    static const char *const unary_signs[] = {"-", "+", "!", NULL};
    const int depth = parser->depth;
    enter(parser);
    for (bool more = true; more && !parser->failed;) {
        bool has_sign = token_is_among(parser, unary_signs);
        for (; token_is_among(parser, unary_signs); enter(parser))
            accept(parser);
        parse_operand(parser);
        /* JavaScript refuses -2 ** 2, Duktape does not */
        if (token_is(parser, "**") && has_sign)
            fail(parser, "add parentheses", "`**` after a sign is ambiguous");
        if (token_is(parser, "**")) {
            accept(parser);
            enter(parser);
            continue;
        }
        parser->depth = depth + 1;
        more = token_is(parser, "?") || token_is_among(parser, binary_signs);
        if (token_is(parser, "?")) {
            accept(parser);
            parse_choice(parser);
            expect(parser, ":");
        } else if (more) {
            accept(parser);
        }
    }
    parser->depth = depth;
}

bool expression_parse(const char *text, const char *const *names, int name_count, char *written,
                      struct expression_error *error)
{
    struct parser parser = {.text = text, .names = names, .name_count = name_count, .error = error};
    parser.token.at = text;
    parser.written = written;
    if (strlen(text) > EXPRESSION_BYTES_MAX)
        fail(&parser, "", "the expression is too long: at most %d bytes are allowed",
             EXPRESSION_BYTES_MAX);
    else
        read_token(&parser);
    parse_choice(&parser);
    if (parser.token.kind != TOKEN_END)
        fail(&parser, "", "the expression should end here");
    return !parser.failed;
}
