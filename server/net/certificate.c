#include "server/net/certificate.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Nobody is there to type one. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the library's signature. */
static int no_password(char *password, int size, int for_writing, void *context)
{
    (void)password, (void)size, (void)for_writing, (void)context;
    return 0;
}

/* Clients that offer only other protocols are told so. */
static int choose_protocol(SSL *ssl, const unsigned char **chosen, unsigned char *chosen_length,
                           const unsigned char *offered, unsigned offered_length, void *context)
{
    static const unsigned char ours[] = "\x08http/1.1";
    unsigned char *found;
    (void)ssl, (void)context;
    if (SSL_select_next_proto(&found, chosen_length, ours, sizeof ours - 1, offered,
                              offered_length) != OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

static SSL_CTX *make_context(void)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL)
        return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE |
                                     SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    /* An idle connection keeps no buffers; what is written may have moved by the next try. */
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
    SSL_CTX_set_default_passwd_cb(context, no_password);
    return context;
}

static bool is_readable(const char *path, char *words, size_t words_size)
{
    if (access(path, R_OK) == 0)
        return true;
    snprintf(words, words_size, "%s: %s", path, strerror(errno));
    return false;
}

static bool complain(const char *path, const char *what, char *words, size_t words_size)
{
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    snprintf(words, words_size, "%s: %s%s%s", path, what, reason == NULL ? "" : ": ",
             reason == NULL ? "" : reason);
    return false;
}

static bool fill(SSL_CTX *context, const char *chain, const char *key, char *words,
                 size_t words_size)
{
    if (!is_readable(chain, words, words_size) || !is_readable(key, words, words_size))
        return false;
    if (SSL_CTX_use_certificate_chain_file(context, chain) != 1)
        return complain(chain, "not a certificate in PEM", words, words_size);
    if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
        return complain(key, "not the certificate's key in PEM, without a password", words,
                        words_size);
    if (SSL_CTX_check_private_key(context) != 1)
        return complain(key, "not the certificate's key", words, words_size);
    return true;
}

SSL_CTX *certificate_read(const char *chain, const char *key, char *words, size_t words_size)
{
    ERR_clear_error();
    SSL_CTX *context = make_context();
    if (context == NULL) {
        complain(chain, "no memory for it", words, words_size);
    } else if (!fill(context, chain, key, words, words_size)) {
        SSL_CTX_free(context);
        context = NULL;
    }
    ERR_clear_error();
    return context;
}

void certificate_free(SSL_CTX *certificate)
{
    SSL_CTX_free(certificate);
}
