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

/* The node's text, in which `fault` is what is wrong; NULL after complaining. */
static const char *read_faultless(struct reader *reader, const struct node *node, const char *what,
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

void notation_word(struct reader *reader, const struct node *node, void *place)
{
    const char **text = place;
    const char *fault = notation_word_fault(node_string(node), NOTATION_SIGN_BYTES_MAX);
    const char *read =
        read_faultless(reader, node, reader->field->what, NOTATION_SIGN_BYTES_MAX, fault);
    *text = read != NULL ? read : *text;
}

static void read_letter(struct reader *reader, const struct node *node, void *place)
{
    const char **letter = place;
    *letter = read_faultless(reader, node, "a figure's letter", LETTER_BYTES_MAX,
                             letter_fault(reader, node_string(node)));
}

const char *notation_in_case(struct reader *reader, const char *letter, enum letter_case letters)
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

static const struct field case_of_player = {.kind = field_choice,
                                            .size = sizeof(enum letter_case),
                                            .names = CHOICES("case", "same", "upper", "lower")};

static void read_case(struct reader *reader, const struct node *node, void *tables)
{
    int complaints = reader->complaints;
    (void)tables;
    fields_read_by_name(reader, node, &reader->players, &case_of_player, reader->notation->cases);
    reader->notation->letters_broken = reader->complaints != complaints;
}

/* One letter for all, in the case of each; or for each player by name. */
static void read_letters(struct reader *reader, const struct node *node, int figure)
{
    static const struct field of_player = {.kind = read_letter, .size = sizeof(char *)};
    struct notation_reading *notation = reader->notation;
    const char *read[PLAYERS_MAX] = {NULL};
    bool by_player = node_type(node) == NODE_OBJECT;
    if (by_player)
        fields_read_by_name(reader, node, &reader->players, &of_player, read);
    else
        read_letter(reader, node, &read[0]);
    for (int i = 0; figure >= 0 && i < reader->players.count; i++) {
        const char *letter = read[by_player ? i : 0];
        if (letter == NULL)
            continue;
        notation->choices[code_of(reader, figure, i)] = letter;
        notation->letters[code_of(reader, figure, i)] =
            by_player ? letter : notation_in_case(reader, letter, notation->cases[i]);
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
    if (strcmp(letters[a], letters[b]) == 0)
        return a < b && (reader->notation->tables->style != POSITION_PIECES ||
                         (a - 1) % players == (b - 1) % players);
    return reader->notation->tables->style != POSITION_PIECES &&
           strncmp(letters[a], letters[b], strlen(letters[a])) == 0;
}

static void check_letters(struct reader *reader, const struct node *node)
{
    const char *const *letters = reader->notation->letters;
    const char *const *figures = reader->figures.names, *const *names = reader->players.names;
    int players = reader->players.count, codes = reader->notation->code_count - 1;
    for (int i = 0; i < codes * codes; i++) {
        int a = i / codes, b = i % codes;
        if (!may_be_confused(reader, a + 1, b + 1))
            continue;
        bool same = strcmp(letters[a + 1], letters[b + 1]) == 0;
        reader_error(reader, node, "",
                     same ? "`%s` of %s and `%s` of %s are both written `%s`"
                          : "the letter of `%s` of %s begins that of `%s` of %s: `%s`",
                     figures[a / players], names[a % players], figures[b / players],
                     names[b % players], letters[b + 1]);
        return;
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
    if (reader->complaints == complaints && !reader->notation->letters_broken)
        check_letters(reader, figures);
    reader->notation->letters_broken |= reader->complaints != complaints;
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
    {"moves", .kind = notation_moves_read},
    {"pgn", field_object, .fields = pgn_fields},
    {0},
};

void notation_read(struct reader *reader, const struct node *root)
{
    static const struct field fields[] = {
        {"notation", field_object, .fields = notation_fields, .format = 2},
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
