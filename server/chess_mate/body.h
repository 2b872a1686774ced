/* The body of `POST /new-game`, as Express reads one. */
#ifndef SERVER_CHESS_MATE_BODY_H
#define SERVER_CHESS_MATE_BODY_H

#include <stdbool.h>
#include <stddef.h>

/* A header carries an id back, so it is no longer than one may be here (in UTF-8), and of characters a header has. */
enum { BODY_ID_BYTES_MAX = 4095 };

enum body_answer {
    BODY_OK,
    BODY_NO_ID,      /* no `browser_id`, or an empty one: one is to be made */
    BODY_MALFORMED,  /* no JSON, or neither object nor array */
    BODY_STRANGE_ID, /* an object or an array, or no header could carry it back */
};

/* The id as text and as JSON, both from malloc, both NULL unless BODY_OK. */
enum body_answer body_read_id(const char *body, size_t length, char **id, char **id_json);
/* A text as JSON, from malloc. */
char *body_quote(const char *text);

#endif
