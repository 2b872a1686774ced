#include "engine/load/fields.h"

#include <string.h>

/* Words of other formats, and what is written here. */
static const struct {
    const struct name_list *words;
    const char *hint;
} advice[] = {
    {CHOICES("word", "pieces", "units"), "the kinds of figures are described in `figures`"},
    {CHOICES("word", "piece"), "write `figure`"},
    {CHOICES("word", "moves", "move"), "how a figure moves is its `movement`"},
    {CHOICES("word", "setup", "start", "initial", "position"),
     "where figures stand at the start is said in `initial_position`"},
    {CHOICES("word", "size", "width", "height"),
     "write \"cells\": {\"box\": {\"x\": 8, \"y\": 8}}"},
    {CHOICES("word", "castling"), "castling is one of `combined_movements`"},
    {CHOICES("word", "promotion", "promotes"), "write `promote`"},
    {CHOICES("word", "capture", "captures"), "write \"for\": \"take\""},
    {CHOICES("word", "jump", "jumps"), "what may be jumped is said by `over`"},
    {CHOICES("word", "slide", "slides"), "write \"repeat\": true"},
    {CHOICES("word", "exactly"), "write `min` and `max`, both with this number"},
    {CHOICES("word", "range"), "write \"repeat\": 3, or true for any number of steps"},
    {CHOICES("word", "win", "winning", "goal", "end", "draw"), "how it ends is said in `results`"},
    {CHOICES("word", "order", "turn"), "who moves after whom is said in `turns`"},
    {CHOICES("word", "legal"), "what may not be is said in `forbid`"},
    {CHOICES("word", "check"), "what may not be is said in `forbid`: \"attacked\""},
    {CHOICES("word", "comment", "rules"), "what players read is the `description`"},
    {CHOICES("word", "condition", "when"), "write `if`"},
    {CHOICES("word", "direction", "dx", "dy"),
     "a movement has the coordinates themselves: {\"x\": 1, \"y\": 1}"},
};

const char *advice_on_key(const char *key, bool of_cells, const struct name_list *known)
{
    bool condition = name_list_find(known, "self") >= 0 && name_list_find(known, "target") >= 0;
    if (condition && of_cells)
        return "say of which cell: \"self\": {…}, where it stands, or \"target\": {…}, where it "
               "goes";
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (name_list_find(advice[i].words, key) >= 0)
            return advice[i].hint;
    return "";
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
    const char *at = strstr(complaint, "near '"); /* so it says where it stopped */
    const char *near = at != NULL ? at + strlen("near '") : "";
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
