/* The certificate we show, and how TLS is spoken with it. A new one takes the old one's place at once: connections that
 * were made with the old one keep it. */
#ifndef SERVER_NET_CERTIFICATE_H
#define SERVER_NET_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>

struct ssl_ctx_st; /* OpenSSL's SSL_CTX */

/* Reads a chain and its key, both PEM. NULL with words, which name the file. */
struct ssl_ctx_st *certificate_read(const char *chain, const char *key, char *words,
                                    size_t words_size);
void certificate_free(struct ssl_ctx_st *certificate); /* or NULL */

#endif
