/* A game in Portable Game Notation, as many programs write it, read into the record it would have left a server as
 * (protocol/record.h). Which game that is, is for the caller to know: its file must declare how its games are written (see
 * pgn_has).
 *
 * What the text does not say is made up as little as possible: both seats are people's, with the names of the tags; a
 * result that the rules do not bring is a resignation or a draw agreed on, or claimed where it could be. One game at
 * a time, from the start its file says. */
#ifndef SERVER_CORE_PGN_READ_H
#define SERVER_CORE_PGN_READ_H

#include "engine/game.h"
#include "protocol/event.h"
#include "server/core/pgn_scan.h"

/* Whether this is meant to be such a text rather than a record: it begins with a tag (`[E`), or with the
 * first move (`1.`). */
bool pgn_is(const char *text, size_t length);

/* The Variant its tags name; "Chess" where they name none. */
void pgn_read_variant(const char *text, size_t length, char variant[PGN_VALUE_BYTES]);
/* Whether this game is written so, and is that variant. */
bool pgn_is_of(const struct game *game, const char *variant);

struct pgn_source {
    struct text id, definition; /* the game's: "" for one of one's own */
    struct game *game;          /* the definition's, borrowed; NULL: it is compiled here */
};

/* The record, the caller's; NULL, with words that say where and why. */
char *pgn_read(const char *text, size_t length, const struct pgn_source *source,
               size_t *record_length, char words[PGN_WORDS_BYTES]);

#endif
