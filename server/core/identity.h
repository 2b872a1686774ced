/* Who somebody is: the holder of a token. The token itself is never kept, only its SHA-256; a
 * player's id is made of the same digest, so the same token is the same player everywhere. */
#ifndef SERVER_CORE_IDENTITY_H
#define SERVER_CORE_IDENTITY_H

#include "protocol/message.h"
#include "server/core/digest.h"

#include <stdbool.h>

struct identity {
    char player[PLAYER_ID_BYTES + 1];
    unsigned char token_hash[DIGEST_BYTES];
};

/* False when the text cannot be a token: 43 characters of base64url. */
bool identity_of_token(const char *token, size_t length, struct identity *identity);
/* Somebody of whom only the id is known: it is shown, but no token is theirs. A text too long for an id is none. */
struct identity identity_told(struct text player);
bool identity_equal(const struct identity *a, const struct identity *b);

/* A token made of 32 bytes nobody can guess. */
void identity_write_token(const unsigned char secret[DIGEST_BYTES], char token[TOKEN_BYTES + 1]);

/* A text copied into a string of `size` bytes; it has to fit. */
void text_copy(struct text text, char *string, size_t size);
bool text_is(struct text text, const char *string);
struct text text_of(const char *string); /* NULL: absent */

#endif
