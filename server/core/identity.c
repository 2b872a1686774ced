#include "server/core/identity.h"

#include <assert.h>
#include <string.h>

enum { PLAYER_PREFIX_BYTES = 2 }; /* "p_" */

static bool is_base64url(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

bool identity_of_token(const char *token, size_t length, struct identity *identity)
{
    if (length != TOKEN_BYTES)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_base64url(token[i]))
            return false;
    char text[DIGEST_BASE64_CHARACTERS + 1];
    digest_sha256(token, length, identity->token_hash);
    digest_write_base64url(identity->token_hash, DIGEST_BYTES, text);
    memcpy(identity->player, "p_", PLAYER_PREFIX_BYTES);
    memcpy(identity->player + PLAYER_PREFIX_BYTES, text, PLAYER_ID_BYTES - PLAYER_PREFIX_BYTES);
    identity->player[PLAYER_ID_BYTES] = '\0';
    return true;
}

struct identity identity_told(struct text player)
{
    struct identity identity = {.player = ""};
    if (player.data && player.length <= PLAYER_ID_BYTES)
        text_copy(player, identity.player, sizeof identity.player);
    return identity;
}

bool identity_equal(const struct identity *a, const struct identity *b)
{
    return memcmp(a->token_hash, b->token_hash, sizeof a->token_hash) == 0;
}

void identity_write_token(const unsigned char secret[DIGEST_BYTES], char token[TOKEN_BYTES + 1])
{
    digest_write_base64url(secret, DIGEST_BYTES, token);
}

void text_copy(struct text text, char *string, size_t size)
{
    assert(text.length < size);
    if (text.length > 0)
        memcpy(string, text.data, text.length);
    string[text.length] = '\0';
}

bool text_is(struct text text, const char *string)
{
    return text.data && text.length == strlen(string) &&
           memcmp(text.data, string, text.length) == 0;
}

struct text text_of(const char *string)
{
    return (struct text){string, string ? strlen(string) : 0};
}
