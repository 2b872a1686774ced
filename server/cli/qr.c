#include "server/cli/qr.h"

#include "engine/memory/memory.h"

#include <qrencode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUIET_ZONE = 4 }; /* modules on each side, as ISO 18004 asks */

/* One path; squares side by side become one stroke, a third of the text. */
static void write_rows(FILE *out, const QRcode *code)
{
    for (int y = 0; y < code->width; y++)
        for (int x = 0; x < code->width; x++) {
            const unsigned char *row = code->data + (ptrdiff_t)y * code->width;
            int begin = x;
            while (x < code->width && (row[x] & 1) != 0)
                x++;
            if (x > begin)
                fprintf(out, "M%d %dh%dv1h-%dz", begin + QUIET_ZONE, y + QUIET_ZONE, x - begin,
                        x - begin);
        }
}

char *qr_picture(const char *text, size_t length, size_t *picture_length)
{
    char *picture = NULL;
    if (length == 0 || length > QR_BYTES_MAX || memchr(text, '\0', length) != NULL)
        return NULL;
    QRcode *code = QRcode_encodeData((int)length, (const unsigned char *)text, 0, QR_ECLEVEL_M);
    if (code == NULL) /* 512 bytes fit into version 22 of 40, so it is memory that is missing */
        memory_end_process(length);
    int side = code->width + 2 * QUIET_ZONE;
    FILE *out = memory_stream(&picture, picture_length);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h%dv%dH0z\"/>"
            "<path fill=\"#000\" d=\"",
            side, side, side, side);
    write_rows(out, code);
    fputs("\"/></svg>\n", out);
    fclose(out);
    QRcode_free(code);
    return picture;
}
