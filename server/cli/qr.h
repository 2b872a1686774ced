/* A text as a QR code, as SVG: dark squares on white with the quiet zone readers want. */
#ifndef SERVER_CLI_QR_H
#define SERVER_CLI_QR_H

#include <stddef.h>

enum { QR_BYTES_MAX = 512 };

/* From malloc. NULL: no bytes, too many, or a zero among them. */
char *qr_picture(const char *text, size_t length, size_t *picture_length);

#endif
