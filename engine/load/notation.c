#include "engine/load/notation_reader.h"

#include <stdio.h>
#include <string.h>

/* --- short texts ------------------------------------------------------------------------------ */

const char *notation_read_sign(struct reader *reader, const struct node *node, const char *missing)
{
    if (node_type(node) == NODE_ABSENT)
        return missing;
    const char *text = reader_text(reader, node, NOTATION_SIGN_BYTES_MAX, false);
    return text != NULL ? text : missing;
}

const char *notation_word_fault(const char *text, size_t most)
{
    if (text[0] == '\0')
        return "it is empty";
    if (strlen(text) > most)
        return "it is too long";
    if (strpbrk(text, " \t:,") != NULL)
        return "it contains a space, a colon or a comma";
    return NULL;
}

/* --- figures' letters ------------------------------------------------------------------------- */

enum letter_case { CASE_SAME, CASE_UPPER, CASE_LOWER };

static uint16_t code_of(const struct reader *reader, int figure, int player)
{
    return (uint16_t)(1 + figure * reader->players.count + player);
}

/* NULL: it can be a figure's letter. In lists of pieces one kind needs none. */
static const char *letter_fault(const struct notation_reading *reading, const char *text)
{
    if (text[0] == '\0' && reading->tables->style == POSITION_PIECES)
        return NULL;
    const char *fault = notation_word_fault(text, LETTER_BYTES_MAX);
    if (fault != NULL)
        return fault;
    return strpbrk(text, "0123456789/|.") != NULL ? "it contains a digit, a dot, `/` or `|`" : NULL;
}

static const char *read_letter(struct notation_reading *reading, const struct node *node)
{
    if (!reader_expect(reading->reader, node, NODE_STRING))
        return NULL;
    const char *fault = letter_fault(reading, node_string(node));
    if (fault == NULL)
        return reader_text(reading->reader, node, LETTER_BYTES_MAX, false);
    reader_error(reading->reader, node, NODE_VALUE, "", "`%s` cannot be a figure's letter: %s",
                 text_quote(node_string(node)).text, fault);
    return NULL;
}

static const char *with_case(struct reader *reader, const char *letter, enum letter_case letters)
{
    char *copy = reader_copy_string(reader, letter);
    for (char *at = copy; copy != NULL && *at != '\0'; at++) {
        if (letters == CASE_UPPER && *at >= 'a' && *at <= 'z')
            *at = (char)(*at - 'a' + 'A');
        else if (letters == CASE_LOWER && *at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    }
    return copy;
}

const char *notation_upper(struct reader *reader, const char *letter)
{
    return with_case(reader, letter, CASE_UPPER);
}

static void read_case(struct notation_reading *reading, const struct node *node,
                      enum letter_case cases[PLAYERS_MAX])
{
    static const char *const words[] = {"same", "upper", "lower"};
    const struct name_list known = {.kind = "case", .known = true, .count = 3, .names = words};
    if (!reader_expect_if_there(reading->reader, node, NODE_OBJECT))
        return;
    for (void *at = node_first(node); at != NULL; at = node_next(node, at)) {
        struct node member = node_at(node, at);
        int player = reader_name(reading->reader, &member, NODE_KEY, &reading->reader->players);
        int word = reader_name(reading->reader, &member, NODE_VALUE, &known);
        if (player >= 0 && word >= 0)
            cases[player] = (enum letter_case)word;
    }
}

static void read_letters_by_player(struct notation_reading *reading, const struct node *node,
                                   int figure)
{
    struct reader *reader = reading->reader;
    for (void *at = node_first(node); at != NULL; at = node_next(node, at)) {
        struct node member = node_at(node, at);
        int player = reader_name(reader, &member, NODE_KEY, &reader->players);
        const char *letter = read_letter(reading, &member);
        if (player < 0 || figure < 0 || letter == NULL)
            continue;
        reading->letters[code_of(reader, figure, player)] = letter;
        reading->choices[code_of(reader, figure, player)] = letter;
    }
}

static void read_figure(struct notation_reading *reading, const struct node *node,
                        const enum letter_case *cases)
{
    struct reader *reader = reading->reader;
    int figure = reader_name(reader, node, NODE_KEY, &reader->figures);
    if (node_type(node) == NODE_OBJECT) {
        read_letters_by_player(reading, node, figure);
        return;
    }
    const char *letter = read_letter(reading, node);
    for (int i = 0; letter != NULL && figure >= 0 && i < reader->players.count; i++) {
        reading->letters[code_of(reader, figure, i)] = with_case(reader, letter, cases[i]);
        reading->choices[code_of(reader, figure, i)] = letter;
    }
}

/* Of letters in a row none may begin another, or nobody could tell them apart. In a list of pieces a player's letters
 * must differ. */
static bool may_be_confused(const struct notation_reading *reading, int a, int b)
{
    const char *const *letters = reading->letters;
    int players = reading->reader->players.count;
    if (a == b || letters[a] == NULL || letters[b] == NULL)
        return false;
    if (reading->tables->style == POSITION_PIECES)
        return a < b && (a - 1) % players == (b - 1) % players &&
               strcmp(letters[a], letters[b]) == 0;
    if (strcmp(letters[a], letters[b]) == 0)
        return a < b;
    return strncmp(letters[a], letters[b], strlen(letters[a])) == 0;
}

static void check_letters(struct notation_reading *reading, const struct node *node)
{
    const struct reader *reader = reading->reader;
    int players = reader->players.count;
    for (int a = 1; a < reading->code_count; a++)
        for (int b = 1; b < reading->code_count; b++) {
            if (!may_be_confused(reading, a, b))
                continue;
            bool same = strcmp(reading->letters[a], reading->letters[b]) == 0;
            reader_error(reading->reader, node, NODE_VALUE, "",
                         same ? "`%s` of %s and `%s` of %s are both written `%s`"
                              : "the letter of `%s` of %s begins that of `%s` of %s: `%s`",
                         reader->figures.names[(a - 1) / players],
                         reader->players.names[(a - 1) % players],
                         reader->figures.names[(b - 1) / players],
                         reader->players.names[(b - 1) % players], reading->letters[b]);
            return;
        }
}

static void read_figures(struct notation_reading *reading, const struct node *notation)
{
    struct node cases = node_member(notation, "case");
    struct node figures = node_member(notation, "figures");
    int errors = reading->reader->diagnostics->error_count;
    enum letter_case of_players[PLAYERS_MAX] = {CASE_SAME};
    read_case(reading, &cases, of_players);
    if (!reader_expect_if_there(reading->reader, &figures, NODE_OBJECT))
        return;
    for (void *at = node_first(&figures); at != NULL; at = node_next(&figures, at)) {
        struct node member = node_at(&figures, at);
        read_figure(reading, &member, of_players);
    }
    if (reading->reader->diagnostics->error_count == errors)
        check_letters(reading, &figures);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void read_pgn(struct notation_reading *reading, const struct node *notation)
{
    static const char *const keys[] = {"variant"};
    struct node pgn = node_member(notation, "pgn");
    struct node variant = node_member(&pgn, "variant");
    if (!reader_expect_if_there(reading->reader, &pgn, NODE_OBJECT))
        return;
    reader_check_keys(reading->reader, &pgn, STRICT, keys, 1);
    const char *text = reader_text(reading->reader, &variant, NAME_BYTES_MAX, false);
    if (text != NULL)
        reading->tables->pgn_variant = text;
}

static void read_notation(struct notation_reading *reading, const struct node *notation)
{
    static const char *const keys[] = {"figures", "case", "position", "moves", "pgn"};
    reader_check_keys(reading->reader, notation, STRICT, keys, 5);
    notation_read_position_style(reading, notation);
    int errors = reading->reader->diagnostics->error_count;
    read_figures(reading, notation);
    reading->figures_known = reading->reader->diagnostics->error_count == errors;
    notation_read_position_words(reading, notation);
    notation_read_moves(reading, notation);
    read_pgn(reading, notation);
}

void notation_read(struct reader *reader, const struct node *root)
{
    reader->keeps = true;
    struct node notation = node_member(root, "notation");
    struct notation_definition *definition = reader_allocate(reader, 1, sizeof *definition);
    int codes = 1 + reader->figures.count * reader->players.count;
    struct notation_reading reading = {
        .reader = reader,
        .definition = definition,
        .letters = reader_allocate(reader, (size_t)codes, sizeof *reading.letters),
        .choices = reader_allocate(reader, (size_t)codes, sizeof *reading.choices),
        .code_count = codes,
    };
    if (definition == NULL || reading.letters == NULL || reading.choices == NULL)
        return;
    reading.tables = &definition->tables;
    definition->tables = (struct notation_tables){
        .letters = reading.letters,
        .choices = reading.choices,
        .coordinate = {.separator = "-",
                       .take = "-",
                       .choice = "=",
                       .pass = "pass",
                       .pass_figure = FIGURE_NONE},
        .pgn_variant = "",
    };
    reader->definition->notation = definition;
    if (!reader_is_modern(reader))
        return;
    if (reader_expect_if_there(reader, &notation, NODE_OBJECT))
        read_notation(&reading, &notation);
    game_tests_read(reader, root, reading.tables);
}
