/* Small questions about words: is it a name, is it like another one, how to show it in a sentence.
 */
#ifndef ENGINE_LOAD_TEXT_H
#define ENGINE_LOAD_TEXT_H

#include "engine/load/diagnostic.h"

#include <stdbool.h>

/* The names of one kind that a file has defined. Unknown: their definition is itself broken, and
 * then nobody complains about names that are not among them. */
struct name_list {
    const char *kind; /* "figure", "player", … */
    bool known;
    int count;
    const char *const *names;
};

int name_list_find(const struct name_list *list, const char *name); /* -1: no */
/* Those of both, of the first kind; `room` is for all of them. */
struct name_list name_list_join(const struct name_list *first, const struct name_list *second,
                                const char **room);

/* Copies what fits and, where it does not, says so with … at a boundary of UTF-8 sequences. */
void text_cut(char *to, size_t size, const char *from);

/* For a sentence: valid UTF-8 without control characters, and not too long. */
struct quoted {
    char text[64];
};
struct quoted text_quote(const char *string);

/* "did you mean `players`?" when one of the names is near, else the names when there are few, else
 * "". */
struct hint {
    char text[DIAGNOSTIC_TEXT_BYTES];
};
struct hint text_hint(const char *word, const struct name_list *names);
/* The index of the name that `word` is most likely a slip for; -1: none. */
int text_nearest(const char *word, const struct name_list *names);

/* To what means something in JSON whose commas and colons stand where they should: they say no more than spaces. */
const char *text_skip_space(const char *at);
/* From the opening quote of a string, as JSON writes it, to behind the closing one. */
const char *text_skip_string(const char *at);

/* Without control characters but those of `layout`. */
bool text_is_plain(const char *string, const char *layout);
bool text_is_utf8(const char *string);
/* colour.c: whether it is a colour as CSS writes it: a name, #rgb, #rgba, #rrggbb, #rrggbbaa, or rgb() rgba() hsl() hsla() with plain
 * numbers and percentages. What clients receive as a colour is nothing else. */
bool colour_is_valid(const char *text);
struct hint colour_hint(const char *text); /* "did you mean …?", or "" */

/* advice.c: hints for what authors write who know other formats, or JavaScript better than JSON; "": none. Of a key that this table does
 * not have (`of_cells`: it says what a cell is like; `known`: the words that would be possible); of a text that is no JSON, by what
 * the parser stopped at and where. */
const char *advice_on_key(const char *key, bool of_cells, const struct name_list *known);
const char *advice_on_text(const char *text, size_t position, const char *complaint);

/* Not empty, at most `bytes_max` long, valid UTF-8 without control characters. NULL: it is; else
 * why not, as in "it is empty". */
const char *text_name_fault(const char *string, size_t bytes_max);

#endif
