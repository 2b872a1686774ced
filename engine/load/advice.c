#include "engine/load/text.h"

#include <string.h>

/* Words of other formats, and what is written here. */
static const struct {
    const char *word, *hint;
} words[] = {
    {"pieces", "the kinds of figures are described in `figures`"},
    {"piece", "write `figure`"},
    {"units", "the kinds of figures are described in `figures`"},
    {"moves", "how a figure moves is its `movement`"},
    {"move", "how a figure moves is its `movement`"},
    {"setup", "where figures stand at the start is said in `initial_position`"},
    {"start", "where figures stand at the start is said in `initial_position`"},
    {"initial", "where figures stand at the start is said in `initial_position`"},
    {"position", "where figures stand at the start is said in `initial_position`"},
    {"size", "write \"cells\": {\"box\": {\"x\": 8, \"y\": 8}}"},
    {"width", "write \"cells\": {\"box\": {\"x\": 8, \"y\": 8}}"},
    {"height", "write \"cells\": {\"box\": {\"x\": 8, \"y\": 8}}"},
    {"castling", "castling is a `complex_movement`"},
    {"promotion", "write `promote`"},
    {"promotes", "write `promote`"},
    {"capture", "write \"for\": \"take\""},
    {"captures", "write \"for\": \"take\""},
    {"jump", "what may be jumped is said by `over`"},
    {"jumps", "what may be jumped is said by `over`"},
    {"slide", "write \"repeat\": true"},
    {"slides", "write \"repeat\": true"},
    {"exactly", "write `min` and `max`, both with this number"},
    {"range", "write \"repeat\": 3, or true for any number of steps"},
    {"win", "how it ends is said in `results`"},
    {"winning", "how it ends is said in `results`"},
    {"goal", "how it ends is said in `results`"},
    {"end", "how it ends is said in `results`"},
    {"draw", "how it ends is said in `results`"},
    {"order", "who moves after whom is said in `turns`"},
    {"turn", "who moves after whom is said in `turns`"},
    {"legal", "what may not be is said in `forbid`"},
    {"check", "what may not be is said in `forbid`: \"attacked\""},
    {"comment", "what players read is the `description`"},
    {"rules", "what players read is the `description`"},
    {"condition", "write `if`"},
    {"when", "write `if`"},
    {"direction", "a movement has the coordinates themselves: {\"x\": 1, \"y\": 1}"},
    {"dx", "a movement has the coordinates themselves: {\"x\": 1, \"y\": 1}"},
    {"dy", "a movement has the coordinates themselves: {\"x\": 1, \"y\": 1}"},
};

const char *advice_on_key(const char *key, bool of_cells, const struct name_list *known)
{
    bool condition = name_list_find(known, "self") >= 0 && name_list_find(known, "target") >= 0;
    if (condition && of_cells)
        return "say of which cell: \"self\": {…}, where it stands, or \"target\": {…}, where it "
               "goes";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, key) == 0)
            return words[i].hint;
    return "";
}

/* What the complaint says it stopped near. */
static const char *stopped_near(const char *complaint)
{
    const char *near = strstr(complaint, "near '");
    return near != NULL ? near + strlen("near '") : "";
}

/* The last character before the one where it stopped that means something; 0: none. */
static char before(const char *text, size_t position, size_t length)
{
    size_t at = position > length ? position - length : 0;
    while (at > 0 && strchr(" \t\r\n", text[at - 1]) != NULL)
        at--;
    return at > 0 ? text[at - 1] : '\0';
}

const char *advice_on_text(const char *text, size_t position, const char *complaint)
{
    const char *near = stopped_near(complaint);
    bool closes = *near == ']' || *near == '}';
    if (closes && before(text, position, 1) == ',')
        return "leave out the comma before it: there is none behind the last";
    if (*near == '/' || *near == '#')
        return "JSON has no comments: leave them out";
    if (*near == '\'')
        return "texts stand in double quotes";
    if (strstr(complaint, "'}' expected") != NULL && *near == '"')
        return "a comma is missing before it";
    if (strstr(complaint, "']' expected") != NULL && (*near == '"' || *near == '{' || *near == '['))
        return "a comma is missing before it";
    if (strstr(complaint, "string or '}' expected") != NULL)
        return "keys stand in double quotes";
    if (strstr(complaint, "near end of file") != NULL && *text != '\0')
        return "something that was opened is not closed";
    if (strstr(complaint, "end of file expected") != NULL)
        return "what begins the file has been closed before this";
    return "";
}
