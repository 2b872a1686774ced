#include "engine/game_tests.h"
#include "engine/load/notation_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- short texts ------------------------------------------------------------------------------ */

const char *notation_word_fault(const char *text)
{
    if (text[0] == '\0')
        return "it is empty";
    if (strlen(text) > NOTATION_SIGN_BYTES_MAX)
        return "it is too long";
    if (strpbrk(text, " \t:,") != NULL)
        return "it contains a space, a colon or a comma";
    return NULL;
}

/* In a row the longest text is read that is there: what is left of the longer one must begin no other. */
static bool begins_with_it(const char *const *texts, int count, int a, int b)
{
    const char *rest = notation_behind(texts[b], texts[a]);
    for (int i = 0; rest != NULL && i < count; i++)
        if (texts[i] != NULL && texts[i][0] == *rest)
            return true;
    return false;
}

/* Only the first two are named that cannot be told from each other. */
static bool tell_apart(struct reader *reader, const struct node *node, const char *const *texts,
                       const char *const *names, int count, int a, int b, bool in_row)
{
    if (texts[a] == NULL || texts[b] == NULL || texts[a][0] == '\0' || texts[b][0] == '\0')
        return true;
    if (strcmp(texts[a], texts[b]) == 0)
        reader_error(reader, node, "", "`%s` and `%s` are both written `%s`", names[a], names[b],
                     texts[b]);
    else if (in_row && begins_with_it(texts, count, a, b))
        reader_error(reader, node, "", "the letter of `%s` begins that of `%s`: `%s`", names[a],
                     names[b], texts[b]);
    else
        return true;
    return false;
}

void notation_check_texts(struct reader *reader, const struct node *node, const char *const *texts,
                          const char *const *names, int count, bool in_row)
{
    for (int i = 0; i < count; i++) {
        if (names[i] != NULL && texts[i] == NULL)
            reader_error(reader, node, "", "how `%s` is written is not said", names[i]);
        for (int k = 0; k < i; k++)
            if (!tell_apart(reader, node, texts, names, count, k, i, in_row) ||
                !tell_apart(reader, node, texts, names, count, i, k, in_row))
                return;
    }
}

/* --- figures' letters ------------------------------------------------------------------------- */

/* NULL: it can be a figure's letter. In lists of pieces one kind needs none. */
static const char *letter_fault(const struct reader *reader, const char *text)
{
    if (text[0] == '\0' && reader->notation->style == POSITION_PIECES)
        return NULL;
    const char *fault = notation_word_fault(text);
    if (fault != NULL)
        return fault;
    if (reader->notation->hands_in_brackets && strpbrk(text, "[]") != NULL)
        return "it contains a bracket";
    return strpbrk(text, "0123456789/|.") != NULL ? "it contains a digit, a dot, `/` or `|`" : NULL;
}

/* The node's text, in which `fault` is what is wrong; what it was after complaining. */
static void take_faultless(struct reader *reader, const struct node *node, const char *what,
                           const char *fault, const char **text)
{
    if (!reader_expect(reader, node, NODE_STRING))
        return;
    if (fault == NULL)
        *text = reader_text(reader, node, NOTATION_SIGN_BYTES_MAX, false);
    else
        reader_error(reader, node, "", "`%s` cannot be %s: %s", text_quote(node_string(node)).text,
                     what, fault);
}

void notation_word(struct reader *reader, const struct node *node, void *place)
{
    take_faultless(reader, node, reader->field->what, notation_word_fault(node_string(node)),
                   place);
}

static void read_letter(struct reader *reader, const struct node *node, void *place)
{
    take_faultless(reader, node, "a figure's letter", letter_fault(reader, node_string(node)),
                   place);
}

const char *notation_in_case(struct reader *reader, const char *letter, enum letter_case letters)
{
    char *copy = reader_copy_string(reader, letter);
    for (char *at = copy; letters != CASE_SAME && *at != '\0'; at++)
        *at = (char)(letters == CASE_UPPER ? toupper((unsigned char)*at)
                                           : tolower((unsigned char)*at));
    return copy;
}

static void read_case(struct reader *reader, const struct node *node, void *tables)
{
    int complaints = reader->complaints;
    (void)tables;
    fields_read_by_name(reader, node, &reader->players,
                        EACH(.kind = field_choice, .size = sizeof(uint8_t),
                             .names = CHOICES("case", "same", "upper", "lower")),
                        reader->letter_cases);
    reader->letters_broken = reader->complaints != complaints;
}

/* One letter for all, in the case of each; or for each player by name. */
static void read_letters(struct reader *reader, const struct node *node, int figure)
{
    struct notation_tables *tables = reader->notation;
    const char *read[PLAYERS_MAX] = {NULL};
    bool by_player = node_type(node) == NODE_OBJECT;
    if (by_player)
        fields_read_by_name(reader, node, &reader->players,
                            EACH(.kind = read_letter, .size = sizeof(char *)), read);
    else
        read_letter(reader, node, &read[0]);
    for (int i = 0; figure >= 0 && i < reader->players.count; i++) {
        const char *letter = read[by_player ? i : 0];
        if (letter == NULL)
            continue;
        tables->choices[notation_code(reader, figure, i)] = letter;
        tables->letters[notation_code(reader, figure, i)] =
            by_player ? letter : notation_in_case(reader, letter, reader->letter_cases[i]);
    }
}

/* In a list of pieces a player's letters must differ; in rows all must be told apart. */
static void check_letters(struct reader *reader, const struct node *node)
{
    const char *texts[FIGURES_MAX * PLAYERS_MAX], *names[FIGURES_MAX * PLAYERS_MAX];
    bool in_row = reader->notation->style != POSITION_PIECES;
    char name[2 * NAME_BYTES_MAX + 8];
    for (int player = 0, count = 0; player < reader->players.count; player++) {
        for (int figure = 0; figure < reader->figures.count; figure++) {
            texts[count] = reader->notation->letters[notation_code(reader, figure, player)];
            snprintf(name, sizeof name, "%s of %s", reader->figures.names[figure],
                     reader->players.names[player]);
            names[count] = texts[count] != NULL ? reader_copy_string(reader, name) : NULL;
            count++;
        }
        if (!in_row || player + 1 == reader->players.count)
            notation_check_texts(reader, node, texts, names, count, in_row);
        count = in_row ? count : 0;
    }
}

static void read_figures(struct reader *reader, const struct node *figures, void *tables)
{
    int complaints = reader->complaints;
    (void)tables;
    if (!reader_expect(reader, figures, NODE_OBJECT))
        return;
    EACH_MEMBER (each, figures)
        read_letters(reader, &each, reader_name(reader, &each, NODE_KEY, &reader->figures));
    if (reader->complaints == complaints && !reader->letters_broken)
        check_letters(reader, figures);
    reader->letters_broken |= reader->complaints != complaints;
}

/* --- the whole -------------------------------------------------------------------------------- */

static const struct field pgn_fields[] = {
    {"variant", field_text, AT(struct notation_tables, pgn_variant), .most = NAME_BYTES_MAX},
    {0},
};

/* The style of positions decides which letters figures may have, and moves need the letters. */
const struct field notation_fields[] = {
    {"position", .kind = notation_position_read},
    {"case", .kind = read_case},
    {"figures", .kind = read_figures},
    {"moves", field_object, .fields = notation_moves_fields},
    {"pgn", field_object, .fields = pgn_fields},
    {0},
};

void notation_read(struct reader *reader, const struct node *root)
{
    const struct field fields[] = {
        {"notation", field_object, .fields = notation_fields, .format = 2},
        {"tests", field_list, LIST_AT(struct notation_tables, tests, test_count),
         ELEMENTS(GAME_TESTS_MAX, "tests", struct game_test, test_read), .format = 2},
        {0},
    };
    reader->keeps = true;
    struct notation_tables *tables = reader_allocate(reader, 1, sizeof *tables);
    size_t codes = 1 + (size_t)reader->figures.count * (size_t)reader->players.count;
    *tables = (struct notation_tables){
        .letters = reader_allocate(reader, codes, sizeof *tables->letters),
        .choices = reader_allocate(reader, codes, sizeof *tables->choices),
        .coordinate = {.separator = "-",
                       .take = "-",
                       .choice = "=",
                       .place = "@",
                       .pass = "pass",
                       .pass_figure = FIGURE_NONE},
        .algebraic = {.take = "", .choice = ""},
        .pgn_variant = "",
    };
    reader->definition->notation = tables;
    reader->notation = tables;
    fields_read_known(reader, root, fields, tables);
    notation_check_placements(reader, root);
}
