#include "engine/load/notation_reader.h"

#include <stdio.h>
#include <string.h>

/* --- short texts ------------------------------------------------------------------------------ */

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

void notation_check_texts(struct reader *reader, const struct node *node, const char *const *texts,
                          const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (names[i] != NULL && texts[i] == NULL)
            reader_error(reader, node, "", "how `%s` is written is not said", names[i]);
        for (int k = 0; k < i && texts[i] != NULL && texts[i][0] != '\0'; k++)
            if (texts[k] != NULL && strcmp(texts[i], texts[k]) == 0)
                reader_error(reader, node, "", "`%s` and `%s` are both written `%s`", names[k],
                             names[i], texts[i]);
    }
}

/* --- figures' letters ------------------------------------------------------------------------- */

enum letter_case { CASE_SAME, CASE_UPPER, CASE_LOWER };

static uint16_t code_of(const struct reader *reader, int figure, int player)
{
    return (uint16_t)(1 + figure * reader->players.count + player);
}

/* NULL: it can be a figure's letter. In lists of pieces one kind needs none. */
static const char *letter_fault(const struct reader *reader, const char *text)
{
    if (text[0] == '\0' && reader->notation->tables->style == POSITION_PIECES)
        return NULL;
    const char *fault = notation_word_fault(text, LETTER_BYTES_MAX);
    if (fault != NULL)
        return fault;
    return strpbrk(text, "0123456789/|.") != NULL ? "it contains a digit, a dot, `/` or `|`" : NULL;
}

const char *notation_read_word(struct reader *reader, const struct node *node, const char *what,
                               size_t most, const char *fault)
{
    if (!reader_expect(reader, node, NODE_STRING))
        return NULL;
    if (fault == NULL)
        return reader_text(reader, node, most, false);
    reader_error(reader, node, "", "`%s` cannot be %s: %s", text_quote(node_string(node)).text,
                 what, fault);
    return NULL;
}

static const char *read_letter(struct reader *reader, const struct node *node)
{
    return notation_read_word(reader, node, "a figure's letter", LETTER_BYTES_MAX,
                              letter_fault(reader, node_string(node)));
}

static const char *with_case(struct reader *reader, const char *letter, enum letter_case letters)
{
    char *copy = reader_copy_string(reader, letter);
    for (char *at = copy; *at != '\0'; at++) {
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

static void read_case(struct reader *reader, const struct node *node,
                      enum letter_case cases[PLAYERS_MAX])
{
    if (!reader_expect_if_there(reader, node, NODE_OBJECT))
        return;
    EACH_MEMBER (each, node) {
        int player = reader_name(reader, &each, NODE_KEY, &reader->players);
        int word =
            reader_name(reader, &each, NODE_VALUE, CHOICES("case", "same", "upper", "lower"));
        if (player >= 0 && word >= 0)
            cases[player] = (enum letter_case)word;
    }
}

static void read_letters_by_player(struct reader *reader, const struct node *node, int figure)
{
    EACH_MEMBER (each, node) {
        int player = reader_name(reader, &each, NODE_KEY, &reader->players);
        const char *letter = read_letter(reader, &each);
        if (player < 0 || figure < 0 || letter == NULL)
            continue;
        reader->notation->letters[code_of(reader, figure, player)] = letter;
        reader->notation->choices[code_of(reader, figure, player)] = letter;
    }
}

static void read_figure(struct reader *reader, const struct node *node,
                        const enum letter_case *cases)
{
    int figure = reader_name(reader, node, NODE_KEY, &reader->figures);
    if (node_type(node) == NODE_OBJECT) {
        read_letters_by_player(reader, node, figure);
        return;
    }
    const char *letter = read_letter(reader, node);
    for (int i = 0; letter != NULL && figure >= 0 && i < reader->players.count; i++) {
        reader->notation->letters[code_of(reader, figure, i)] = with_case(reader, letter, cases[i]);
        reader->notation->choices[code_of(reader, figure, i)] = letter;
    }
}

/* Of letters in a row none may begin another, or nobody could tell them apart. In a list of pieces a player's letters
 * must differ. */
static bool may_be_confused(const struct reader *reader, int a, int b)
{
    const char *const *letters = reader->notation->letters;
    int players = reader->players.count;
    if (a == b || letters[a] == NULL || letters[b] == NULL)
        return false;
    if (reader->notation->tables->style == POSITION_PIECES)
        return a < b && (a - 1) % players == (b - 1) % players &&
               strcmp(letters[a], letters[b]) == 0;
    if (strcmp(letters[a], letters[b]) == 0)
        return a < b;
    return strncmp(letters[a], letters[b], strlen(letters[a])) == 0;
}

static void check_letters(struct reader *reader, const struct node *node)
{
    int players = reader->players.count;
    for (int a = 1; a < reader->notation->code_count; a++)
        for (int b = 1; b < reader->notation->code_count; b++) {
            if (!may_be_confused(reader, a, b))
                continue;
            bool same = strcmp(reader->notation->letters[a], reader->notation->letters[b]) == 0;
            reader_error(reader, node, "",
                         same ? "`%s` of %s and `%s` of %s are both written `%s`"
                              : "the letter of `%s` of %s begins that of `%s` of %s: `%s`",
                         reader->figures.names[(a - 1) / players],
                         reader->players.names[(a - 1) % players],
                         reader->figures.names[(b - 1) / players],
                         reader->players.names[(b - 1) % players], reader->notation->letters[b]);
            return;
        }
}

/* Before all else, since signs and moves need the letters. */
static bool read_figures(struct reader *reader, const struct node *notation)
{
    struct node cases = node_member(notation, "case");
    struct node figures = node_member(notation, "figures");
    int errors = reader->diagnostics->error_count;
    enum letter_case of_players[PLAYERS_MAX] = {CASE_SAME};
    read_case(reader, &cases, of_players);
    if (reader_expect_if_there(reader, &figures, NODE_OBJECT)) {
        EACH_MEMBER (each, &figures)
            read_figure(reader, &each, of_players);
        if (reader->diagnostics->error_count == errors)
            check_letters(reader, &figures);
    }
    return reader->diagnostics->error_count == errors;
}

/* --- the whole -------------------------------------------------------------------------------- */

static const struct field pgn_fields[] = {
    {"variant", field_text, AT(struct notation_tables, pgn_variant), .most = NAME_BYTES_MAX},
    {0},
};

const struct field notation_fields[] = {
    {.word = "figures"},
    {.word = "case"},
    {"position", .kind = notation_position_read},
    {"moves", .kind = notation_moves_read},
    {"pgn", field_object, .fields = pgn_fields},
    {0},
};

static void read_notation(struct reader *reader, const struct node *notation, void *tables)
{
    if (!reader_expect(reader, notation, NODE_OBJECT))
        return;
    notation_read_position_style(reader, notation);
    reader->notation->figures_known = read_figures(reader, notation);
    fields_read(reader, notation, notation_fields, tables);
}

void notation_read(struct reader *reader, const struct node *root)
{
    static const struct field fields[] = {
        {"notation", read_notation, .format = 2},
        {"tests", field_list, LIST_AT(struct notation_tables, tests, test_count),
         .elements = &test_elements, .format = 2},
        {0},
    };
    reader->keeps = true;
    struct notation_tables *tables = reader_allocate(reader, 1, sizeof *tables);
    int codes = 1 + reader->figures.count * reader->players.count;
    struct notation_reading reading = {
        .tables = tables,
        .letters = reader_allocate(reader, (size_t)codes, sizeof *reading.letters),
        .choices = reader_allocate(reader, (size_t)codes, sizeof *reading.choices),
        .code_count = codes,
    };
    *tables = (struct notation_tables){
        .letters = reading.letters,
        .choices = reading.choices,
        .coordinate = {.separator = "-",
                       .take = "-",
                       .choice = "=",
                       .pass = "pass",
                       .pass_figure = FIGURE_NONE},
        .pgn_variant = "",
    };
    reader->definition->notation = tables;
    reader->notation = &reading;
    fields_read_known(reader, root, fields, tables);
    reader->notation = NULL;
}
