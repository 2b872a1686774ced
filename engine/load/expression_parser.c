#include "engine/load/expression_parser.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_STRING, TOKEN_NAME, TOKEN_SIGN, TOKEN_BAD };

struct token {
    enum token_kind kind;
    size_t at, length;
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

/* The first complaint counts; after it everything falls through to the end. */
static void fail(struct parser *parser, size_t at, const char *hint, const char *format, ...)
{
    if (parser->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(parser->error->message, sizeof parser->error->message, format, arguments);
    va_end(arguments);
    snprintf(parser->error->hint, sizeof parser->error->hint, "%s", hint);
    parser->error->offset = at;
    parser->failed = true;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte == '$' || is_digit(byte);
}

static size_t count_digits(const char *text)
{
    size_t count = 0;
    while (is_digit(text[count]))
        count++;
    return count;
}

/* 1, 1.5, .5, 1., 1e3; not 010, not 0x10, not 3in. 0: no number. */
static size_t number_length(const char *text)
{
    size_t whole = count_digits(text), length = whole;
    size_t fraction = 0;
    if (text[length] == '.') {
        fraction = count_digits(text + length + 1);
        length += 1 + fraction;
    }
    if (whole + fraction == 0 || (whole > 1 && text[0] == '0'))
        return 0;
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
        size_t exponent = count_digits(text + length + 1 + sign);
        if (exponent == 0)
            return 0;
        length += 1 + sign + exponent;
    }
    return is_name_byte(text[length]) ? 0 : length;
}

/* With its quotes. 0: it does not end, or has escapes that are not admitted. */
static size_t string_length(const char *text)
{
    size_t length = 1;
    while (text[length] != text[0]) {
        if (text[length] == '\\') {
            length++;
            if (text[length] == '\0' || strchr("\\'\"", text[length]) == NULL)
                return 0;
        } else if ((unsigned char)text[length] < 0x20) {
            return 0;
        }
        length++;
    }
    return length + 1;
}

/* JavaScript's signs, longest first, as JavaScript's own reader takes them: `--x` is never twice a
 * minus. */
static const struct sign {
    const char *text;
    bool admitted;
} signs[] = {
    {">>>=", false}, {"===", true},  {"!==", true},  {"...", false}, {">>>", false},
    {"<<=", false},  {">>=", false}, {"**=", false}, {"&&=", false}, {"||=", false},
    {"?\?=", false}, {"==", true},   {"!=", true},   {"<=", true},   {">=", true},
    {"&&", true},    {"||", true},   {"**", true},   {"++", false},  {"--", false},
    {"=>", false},   {"<<", false},  {">>", false},  {"?\?", false}, {"+=", false},
    {"-=", false},   {"*=", false},  {"/=", false},  {"%=", false},  {"&=", false},
    {"|=", false},   {"^=", false},  {"//", false},  {"/*", false},  {"+", true},
    {"-", true},     {"*", true},    {"/", true},    {"%", true},    {"<", true},
    {">", true},     {"!", true},    {"?", true},    {":", true},    {"(", true},
    {")", true},     {"[", true},    {"]", true},    {",", true},    {".", true},
    {"=", false},    {"&", false},   {"|", false},   {"^", false},   {"~", false},
    {"{", false},    {"}", false},   {";", false},
};

static void read_sign(struct parser *parser, struct token *token)
{
    const char *text = parser->text + token->at;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].text);
        if (strncmp(text, signs[i].text, length) != 0)
            continue;
        token->kind = signs[i].admitted ? TOKEN_SIGN : TOKEN_BAD;
        token->length = length;
        if (!signs[i].admitted)
            fail(parser, token->at, signs[i].text[0] == '=' ? "to compare, write ==" : "",
                 "`%s` is not allowed in an expression", signs[i].text);
        return;
    }
    token->kind = TOKEN_BAD;
    fail(parser, token->at, "", "this character is not allowed in an expression");
}

static void read_token(struct parser *parser)
{
    struct token token = {.at = parser->token.at + parser->token.length};
    while (parser->text[token.at] != '\0' && strchr(" \t\r\n", parser->text[token.at]) != NULL)
        token.at++;
    const char *text = parser->text + token.at;
    if (text[0] == '\0') {
        token.kind = TOKEN_END;
    } else if (is_digit(text[0]) || (text[0] == '.' && is_digit(text[1]))) {
        token.kind = TOKEN_NUMBER;
        token.length = number_length(text);
        if (token.length == 0)
            fail(parser, token.at, "write it in decimal, without leading zeros",
                 "this is not a number");
    } else if (text[0] == '\'' || text[0] == '"') {
        token.kind = TOKEN_STRING;
        token.length = string_length(text);
        if (token.length == 0)
            fail(parser, token.at, "", "this string does not end, or has an escape not allowed");
    } else if (is_name_byte(text[0])) {
        token.kind = TOKEN_NAME;
        while (is_name_byte(text[token.length]))
            token.length++;
    } else {
        read_sign(parser, &token);
    }
    parser->token = token;
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
    write_text(parser, parser->text + parser->token.at, parser->token.length);
    if (!parser->failed)
        read_token(parser);
}

static bool token_is(const struct parser *parser, const char *text)
{
    const struct token *token = &parser->token;
    return !parser->failed && strlen(text) == token->length &&
           strncmp(parser->text + token->at, text, token->length) == 0;
}

static void expect(struct parser *parser, const char *sign)
{
    if (token_is(parser, sign))
        accept(parser);
    else
        fail(parser, parser->token.at, "", "`%s` is missing here", sign);
}

static void parse_choice(struct parser *parser);

static bool enter(struct parser *parser)
{
    if (++parser->depth > EXPRESSION_DEPTH_MAX)
        fail(parser, parser->token.at, "", "the expression is nested too deeply");
    return !parser->failed;
}

static const char *const math_functions[] = {"abs",   "acos", "asin", "atan",  "atan2", "cbrt",
                                             "ceil",  "cos",  "exp",  "floor", "hypot", "log",
                                             "log10", "log2", "max",  "min",   "pow",   "round",
                                             "sign",  "sin",  "sqrt", "tan",   "trunc"};
static const char *const math_constants[] = {"E",     "LN10", "LN2",     "LOG10E",
                                             "LOG2E", "PI",   "SQRT1_2", "SQRT2"};

static bool token_is_among(const struct parser *parser, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (token_is(parser, words[i]))
            return true;
    return false;
}

static void parse_math(struct parser *parser)
{
    accept(parser);
    expect(parser, ".");
    if (token_is_among(parser, math_constants, sizeof math_constants / sizeof *math_constants)) {
        accept(parser);
        return;
    }
    if (!token_is_among(parser, math_functions, sizeof math_functions / sizeof *math_functions)) {
        fail(parser, parser->token.at, "", "`Math` has nothing allowed of this name");
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

static void parse_name(struct parser *parser)
{
    if (token_is(parser, "Math")) {
        parse_math(parser);
        return;
    }
    if (token_is_among(parser, parser->names, (size_t)parser->name_count)) {
        accept(parser);
        if (token_is(parser, ".") || token_is(parser, "[") || token_is(parser, "("))
            fail(parser, parser->token.at, "", "`%.1s` is not allowed after a coordinate",
                 parser->text + parser->token.at);
        return;
    }
    char hint[128] = "only the coordinates and Math have names here:";
    for (int i = 0; i < parser->name_count; i++) {
        size_t used = strlen(hint);
        snprintf(hint + used, sizeof hint - used, " `%s`", parser->names[i]);
    }
    fail(parser, parser->token.at, hint, "no coordinate `%.*s`",
         (int)(parser->token.length < 60 ? parser->token.length : 60),
         parser->text + parser->token.at);
}

/* 'abc'[x]: the index is made a number, so that it can never be the name of a property. */
static void parse_string(struct parser *parser)
{
    accept(parser);
    if (token_is(parser, ".") || token_is(parser, "(")) {
        fail(parser, parser->token.at, "", "`%.1s` is not allowed after a string",
             parser->text + parser->token.at);
        return;
    }
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
    switch (parser->token.kind) {
    case TOKEN_NUMBER:
        accept(parser);
        return;
    case TOKEN_STRING:
        parse_string(parser);
        return;
    case TOKEN_NAME:
        parse_name(parser);
        return;
    case TOKEN_END:
        fail(parser, parser->token.at, "", "the expression ends too early");
        return;
    case TOKEN_SIGN:
    case TOKEN_BAD:
        break;
    }
    if (!token_is(parser, "(")) {
        fail(parser, parser->token.at, "", "a value is missing here");
        return;
    }
    accept(parser);
    parse_choice(parser);
    expect(parser, ")");
}

static bool token_is_unary(const struct parser *parser)
{
    return token_is(parser, "-") || token_is(parser, "+") || token_is(parser, "!");
}

/* Signs, a value and its powers: - - x ** y ** z. */
static void parse_powers(struct parser *parser)
{
    int depth = parser->depth;
    for (bool more = true; more;) {
        bool has_sign = token_is_unary(parser);
        while (token_is_unary(parser)) {
            accept(parser);
            enter(parser);
        }
        parse_operand(parser);
        more = token_is(parser, "**");
        /* JavaScript refuses -2 ** 2, Duktape does not */
        if (more && has_sign)
            fail(parser, parser->token.at, "add parentheses", "`**` after a sign is ambiguous");
        if (more) {
            accept(parser);
            enter(parser);
        }
    }
    parser->depth = depth;
}

/* Which of them binds how tightly is not asked here: what is written out again, Duktape reads by JavaScript's rules. */
static const char *const binary_signs[] = {
    "||", "&&", "==", "!=", "===", "!==", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"};

/* Values with signs between them. In a ? b : c ? d : e only `b` and `d` are deeper: a chain of choices is long, not deep. */
static void parse_choice(struct parser *parser)
{
    if (!enter(parser))
        return;
    parse_powers(parser);
    for (;;) {
        if (token_is(parser, "?")) {
            accept(parser);
            parse_choice(parser);
            expect(parser, ":");
        } else if (token_is_among(parser, binary_signs, sizeof binary_signs / sizeof *binary_signs))
            accept(parser);
        else
            break;
        parse_powers(parser);
    }
    parser->depth--;
}

bool expression_parse(const char *text, const char *const *names, int name_count, char *written,
                      struct expression_error *error)
{
    struct parser parser = {.text = text, .names = names, .name_count = name_count, .error = error};
    parser.written = written;
    if (strlen(text) > EXPRESSION_BYTES_MAX)
        fail(&parser, 0, "", "the expression is too long: at most %d bytes are allowed",
             EXPRESSION_BYTES_MAX);
    else
        read_token(&parser);
    parse_choice(&parser);
    if (parser.token.kind != TOKEN_END)
        fail(&parser, parser.token.at, "", "the expression should end here");
    return !parser.failed;
}
