#include "server/core/digest.h"

#include "engine/memory/memory.h"

#include <assert.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

static void *crypto_bytes(size_t bytes, const char *file, int line)
{
    (void)file, (void)line;
    return memory_bytes(bytes);
}

static void *crypto_resize(void *old, size_t bytes, const char *file, int line)
{
    (void)file, (void)line;
    if (bytes > 0)
        return memory_resize(old, 1, bytes);
    free(old);
    return NULL;
}

static void crypto_free(void *piece, const char *file, int line)
{
    (void)file, (void)line;
    free(piece);
}

void digest_use_memory(void)
{
    int taken = CRYPTO_set_mem_functions(crypto_bytes, crypto_resize, crypto_free);
    assert(taken);
    (void)taken;
}

void digest_sha256(const void *data, size_t length, unsigned char digest[DIGEST_BYTES])
{
    unsigned char *made = SHA256(data, length, digest);
    assert(made);
    (void)made;
}

void digest_hmac_sha256(const void *key, size_t key_length, const void *data, size_t length,
                        unsigned char digest[DIGEST_BYTES])
{
    unsigned int size = 0;
    unsigned char *made = HMAC(EVP_sha256(), key, (int)key_length, data, length, digest, &size);
    assert(made && size == DIGEST_BYTES);
    (void)made;
}

void digest_write_hex(const unsigned char *bytes, size_t length, char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        *text++ = digits[bytes[i] >> 4];
        *text++ = digits[bytes[i] & 15];
    }
    *text = '\0';
}

bool digest_read_hex(const char *text, size_t text_length, unsigned char *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    if (text_length != 2 * length)
        return false;
    for (size_t i = 0; i < text_length; i++) {
        const char *digit = memchr(digits, text[i], sizeof digits - 1);
        if (!digit)
            return false;
        int value = (int)(digit - digits);
        bytes[i / 2] = (unsigned char)(i % 2 == 0 ? value << 4 : bytes[i / 2] | value);
    }
    return true;
}

bool digest_equal(const unsigned char a[DIGEST_BYTES], const unsigned char b[DIGEST_BYTES])
{
    return CRYPTO_memcmp(a, b, DIGEST_BYTES) == 0;
}

void digest_write_base64url(const unsigned char *bytes, size_t length, char *text)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint32_t bits = 0;
    int count = 0;
    for (size_t i = 0; i < length; i++) {
        bits = bits << 8 | bytes[i];
        for (count += 8; count >= 6; count -= 6)
            *text++ = alphabet[bits >> (count - 6) & 63];
    }
    if (count > 0)
        *text++ = alphabet[bits << (6 - count) & 63];
    *text = '\0';
}
