/* Digests and their texts: SHA-256, HMAC-SHA-256, hexadecimal and base64url. The only part of the
 * server that knows a library of cryptography. */
#ifndef SERVER_CORE_DIGEST_H
#define SERVER_CORE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DIGEST_BYTES = 32,
    DIGEST_HEX_DIGITS = 64,
    DIGEST_BASE64_CHARACTERS = 43,
};

/* Before anything else that has to do with libcrypto: it asks for memory as the program does (engine/memory/memory.h), so that a
 * digest is always there. */
void digest_use_memory(void);
void digest_sha256(const void *data, size_t length, unsigned char digest[DIGEST_BYTES]);
void digest_hmac_sha256(const void *key, size_t key_length, const void *data, size_t length,
                        unsigned char digest[DIGEST_BYTES]);

/* `text` ends in zero and has room for 2 × length + 1 characters. */
void digest_write_hex(const unsigned char *bytes, size_t length, char *text);
/* False unless the text is that many bytes in lower-case hexadecimal. */
bool digest_read_hex(const char *text, size_t text_length, unsigned char *bytes, size_t length);
/* `text` ends in zero and has room for ⌈4/3 × length⌉ + 1 characters; no padding. */
void digest_write_base64url(const unsigned char *bytes, size_t length, char *text);

/* Takes as long wherever they differ: for secrets. */
bool digest_equal(const unsigned char a[DIGEST_BYTES], const unsigned char b[DIGEST_BYTES]);

#endif
