/* The words of a text in Portable Game Notation, as people and programs write it: tags, moves, comments. Variations,
 * numeric remarks (`$14`), move numbers, lone `!?` and lines behind `%` are read over. Knows no game.
 *
 * Everything in the text is taken for hostile: nothing is copied but tags' values and words, which are bounded, and what is
 * wrong is said with its line and column. */
#ifndef SERVER_CORE_PGN_SCAN_H
#define SERVER_CORE_PGN_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PGN_NAME_BYTES = 64,    /* of a tag's name, with the final zero */
    PGN_VALUE_BYTES = 1024, /* of a tag's value or a word of the moves, with the final zero */
    PGN_WORDS_BYTES = 512,
};

enum pgn_token_kind {
    PGN_END,
    PGN_TAG,     /* [name "value"] */
    PGN_WORD,    /* a move or a result: value */
    PGN_COMMENT, /* value: of {…} or ;… as much as there is room for */
    PGN_WRONG,   /* the scan's words say why; there is nothing after it */
};

struct pgn_token {
    enum pgn_token_kind kind;
    int line;           /* where it begins, from 1 */
    size_t at, line_at; /* it and its line, in the text */
    char name[PGN_NAME_BYTES];
    char value[PGN_VALUE_BYTES];
};

struct pgn_scan {
    const char *text;
    size_t length, at, line_at; /* where the line begins */
    int line;
    char words[PGN_WORDS_BYTES];
};

void pgn_scan_init(struct pgn_scan *scan, const char *text, size_t length);
/* False, with words, when there is a zero byte in what follows. */
bool pgn_scan_check_text(struct pgn_scan *scan);
enum pgn_token_kind pgn_scan_next(struct pgn_scan *scan, struct pgn_token *token);
/* The scan's words: where the token is, and what is wrong there. PGN_WRONG, always. */
enum pgn_token_kind pgn_scan_fail(struct pgn_scan *scan, const struct pgn_token *token,
                                  const char *format, ...);

#endif
