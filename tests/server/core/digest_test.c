/* Digests against published vectors (FIPS 180-2, RFC 4231, RFC 4648), and who a token makes somebody. */
#include "server/core/digest.h"

#include "server/core/identity.h"
#include "tests/support/test.h"

#include <string.h>

static void sha256_is_that_of_the_standard(void **state)
{
    (void)state;
    unsigned char digest[DIGEST_BYTES];
    char text[DIGEST_HEX_DIGITS + 1];
    digest_sha256("abc", 3, digest);
    digest_write_hex(digest, sizeof digest, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void hmac_is_that_of_the_standard(void **state)
{
    (void)state;
    static const char data[] = "what do ya want for nothing?";
    unsigned char digest[DIGEST_BYTES];
    char text[DIGEST_HEX_DIGITS + 1];
    digest_hmac_sha256("Jefe", 4, data, strlen(data), digest);
    digest_write_hex(digest, sizeof digest, text);
    assert_string_equal(text, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

static void base64url_of_all_remainders(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *text;
    } rows[] = {
        {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
        {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff", "-_8"}};
    char text[16];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        digest_write_base64url((const unsigned char *)rows[i].bytes, strlen(rows[i].bytes), text);
        assert_string_equal(text, rows[i].text);
    }
}

static void a_token_is_43_characters_of_base64url(void **state)
{
    (void)state;
    struct identity identity;
    char token[TOKEN_BYTES + 1];
    memset(token, 'a', TOKEN_BYTES);
    assert_true(identity_of_token(token, TOKEN_BYTES, &identity));
    assert_int_equal(strlen(identity.player), PLAYER_ID_BYTES);
    assert_memory_equal(identity.player, "p_", 2);
    assert_false(identity_of_token(token, TOKEN_BYTES - 1, &identity));
    token[7] = '+';
    assert_false(identity_of_token(token, TOKEN_BYTES, &identity));
}

static void another_token_is_another_player(void **state)
{
    (void)state;
    struct identity one, other;
    unsigned char secret[DIGEST_BYTES] = {1};
    char token[TOKEN_BYTES + 1];
    identity_write_token(secret, token);
    assert_true(identity_of_token(token, TOKEN_BYTES, &one));
    secret[31] = 1;
    identity_write_token(secret, token);
    assert_true(identity_of_token(token, TOKEN_BYTES, &other));
    assert_false(identity_equal(&one, &other));
    assert_string_not_equal(one.player, other.player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_is_that_of_the_standard),
        cmocka_unit_test(hmac_is_that_of_the_standard),
        cmocka_unit_test(base64url_of_all_remainders),
        cmocka_unit_test(a_token_is_43_characters_of_base64url),
        cmocka_unit_test(another_token_is_another_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
