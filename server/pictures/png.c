#include "server/pictures/png.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    CHUNK_BYTES = 12, /* beside its data: length, type, sum */
    HEADER_BYTES = 13,
    PALETTE_BYTES_MAX = 768,
    FILTERS = 5,
    WINDOW_BYTES = 16384,
    UNPACKED_AT_ONCE = 3, /* bytes that cost as much as one that is read */
    PASSES = 7,
};

enum colour_type { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGB_ALPHA = 6 };

struct chunk {
    char type[5];
    const unsigned char *data;
    size_t length;
};

struct png {
    const unsigned char *bytes;
    size_t length, at;
    struct picture *picture;
    bool packed_bytes_over; /* something has stood behind the IDATs */
    uint32_t width, height;
    int depth, colour_type;
    bool interlaced;
    struct chunk palette, transparency;
    unsigned char *packed; /* all IDATs, owned */
    size_t packed_length;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct png *png, const char *format,
                                                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(png->picture->words, PICTURE_WORDS_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

static uint32_t number_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* --- chunks ------------------------------------------------------------------------------------- */

static bool is_type(const struct chunk *chunk, const char *type)
{
    return strcmp(chunk->type, type) == 0;
}

/* What may stand in a message. */
static bool is_letters(const char *type)
{
    for (int i = 0; i < 4; i++)
        if ((type[i] < 'A' || type[i] > 'Z') && (type[i] < 'a' || type[i] > 'z'))
            return false;
    return true;
}

static bool next_chunk(struct png *png, struct chunk *chunk)
{
    const unsigned char *at = png->bytes + png->at;
    size_t left = png->length - png->at;
    if (left < CHUNK_BYTES || number_at(at) > left - CHUNK_BYTES)
        return refuse(png, "the file ends within a part (byte %zu)", png->at);
    *chunk = (struct chunk){.data = at + 8, .length = number_at(at)};
    memcpy(chunk->type, at + 4, 4);
    if (!is_letters(chunk->type))
        return refuse(png, "there is no PNG chunk at byte %zu", png->at);
    uint32_t sum = (uint32_t)crc32(0, at + 4, (uInt)chunk->length + 4);
    if (sum != number_at(chunk->data + chunk->length))
        return refuse(png, "the sum of the chunk %s at byte %zu is wrong", chunk->type, png->at);
    png->at += CHUNK_BYTES + chunk->length;
    return true;
}

/* --- the header --------------------------------------------------------------------------------- */

/* As bits: which depths a colour type may have. */
static bool depth_fits(int colour_type, int depth)
{
    bool is_power = depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
    switch (colour_type) {
    case GREY:
        return is_power;
    case PALETTE:
        return is_power && depth < 16;
    case RGB:
    case GREY_ALPHA:
    case RGB_ALPHA:
        return depth == 8 || depth == 16;
    default:
        return false;
    }
}

static bool read_header(struct png *png)
{
    struct chunk chunk;
    if (!next_chunk(png, &chunk))
        return false;
    if (!is_type(&chunk, "IHDR") || chunk.length != HEADER_BYTES)
        return refuse(png, "the file does not begin with an IHDR of 13 bytes");
    png->width = number_at(chunk.data);
    png->height = number_at(chunk.data + 4);
    png->depth = chunk.data[8];
    png->colour_type = chunk.data[9];
    png->interlaced = chunk.data[12] == 1;
    if (png->width == 0 || png->height == 0 || png->width > PICTURE_SIDE_MAX ||
        png->height > PICTURE_SIDE_MAX)
        return refuse(png, "the picture has %u by %u pixels; 1 to %d each way are allowed",
                      png->width, png->height, PICTURE_SIDE_MAX);
    if (!depth_fits(png->colour_type, png->depth) || chunk.data[10] != 0 || chunk.data[11] != 0 ||
        chunk.data[12] > 1)
        return refuse(png, "its IHDR says what no PNG says");
    return true;
}

static int channels_of(int colour_type)
{
    static const int channels[] = {
        [GREY] = 1, [RGB] = 3, [PALETTE] = 1, [GREY_ALPHA] = 2, [RGB_ALPHA] = 4};
    return channels[colour_type];
}

/* --- the others --------------------------------------------------------------------------------- */

static bool take_palette(struct png *png, const struct chunk *chunk)
{
    bool wanted = png->colour_type != GREY && png->colour_type != GREY_ALPHA;
    size_t most = png->colour_type == PALETTE ? (size_t)3 << png->depth : PALETTE_BYTES_MAX;
    if (!wanted || png->palette.data != NULL || png->transparency.data != NULL ||
        png->packed != NULL || chunk->length == 0 || chunk->length % 3 != 0 || chunk->length > most)
        return refuse(png, "its PLTE is not as it must be");
    png->palette = *chunk;
    return true;
}

static bool take_transparency(struct png *png, const struct chunk *chunk)
{
    bool fits = (png->colour_type == GREY && chunk->length == 2) ||
                (png->colour_type == RGB && chunk->length == 6) ||
                (png->colour_type == PALETTE && chunk->length > 0 &&
                 chunk->length <= png->palette.length / 3);
    if (!fits || png->transparency.data != NULL || png->packed != NULL)
        return refuse(png, "its tRNS is not as it must be");
    png->transparency = *chunk;
    return true;
}

static bool take_pixels(struct png *png, const struct chunk *chunk)
{
    if (png->packed_bytes_over)
        return refuse(png, "its IDATs do not stand side by side");
    if (png->packed == NULL) /* all of them together are no longer than the file */
        png->packed = malloc(png->length);
    if (png->packed == NULL)
        return false;
    memcpy(png->packed + png->packed_length, chunk->data, chunk->length);
    png->packed_length += chunk->length;
    return true;
}

static bool take_chunk(struct png *png, const struct chunk *chunk)
{
    if (is_type(chunk, "IDAT"))
        return take_pixels(png, chunk);
    png->packed_bytes_over = png->packed != NULL;
    if (is_type(chunk, "PLTE"))
        return take_palette(png, chunk);
    if (is_type(chunk, "tRNS"))
        return take_transparency(png, chunk);
    /* A small first letter: the picture can be shown without it. */
    if (chunk->type[0] >= 'a')
        return true;
    return refuse(png, "nobody knows its chunk %s", chunk->type);
}

static bool read_chunks(struct png *png)
{
    struct chunk chunk;
    while (next_chunk(png, &chunk)) {
        if (!is_type(&chunk, "IEND")) {
            if (!take_chunk(png, &chunk))
                return false;
            continue;
        }
        if (png->at != png->length || chunk.length != 0)
            return refuse(png, "something stands behind the picture's end (byte %zu)", png->at);
        if (png->packed == NULL || (png->colour_type == PALETTE && png->palette.data == NULL))
            return refuse(png, "it has no %s", png->packed == NULL ? "pixels" : "palette");
        return true;
    }
    return false;
}

/* --- the pixels --------------------------------------------------------------------------------- */

/* Rows of one size, each with its filter in front. */
struct pass {
    size_t row_bytes;
    uint32_t rows;
};

static struct pass pass_of(const struct png *png, uint32_t width, uint32_t height)
{
    size_t bits = (size_t)width * (size_t)png->depth * (size_t)channels_of(png->colour_type);
    return (struct pass){.row_bytes = 1 + (bits + 7) / 8, .rows = width > 0 ? height : 0};
}

static uint32_t every(uint32_t size, uint32_t first, uint32_t step)
{
    return size > first ? (size - first + step - 1) / step : 0;
}

static int find_passes(const struct png *png, struct pass passes[PASSES])
{
    static const uint32_t x[] = {0, 4, 0, 2, 0, 1, 0}, x_step[] = {8, 8, 4, 4, 2, 2, 1};
    static const uint32_t y[] = {0, 0, 4, 0, 2, 0, 1}, y_step[] = {8, 8, 8, 4, 4, 2, 2};
    if (!png->interlaced) {
        passes[0] = pass_of(png, png->width, png->height);
        return 1;
    }
    for (int i = 0; i < PASSES; i++)
        passes[i] =
            pass_of(png, every(png->width, x[i], x_step[i]), every(png->height, y[i], y_step[i]));
    return PASSES;
}

/* Where in the rows the next unpacked byte belongs. */
struct place {
    struct pass passes[PASSES];
    int pass_count, pass;
    uint32_t row;
    size_t byte;
};

static void skip_empty_passes(struct place *place)
{
    while (place->pass < place->pass_count && place->row >= place->passes[place->pass].rows) {
        place->pass++;
        place->row = 0;
    }
}

/* False: there are more than the picture has, or a filter nobody knows. */
static bool place_bytes(struct place *place, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        if (place->pass == place->pass_count || (place->byte == 0 && *bytes >= FILTERS))
            return false;
        size_t left = place->passes[place->pass].row_bytes - place->byte;
        size_t taken = count < left ? count : left;
        bytes += taken;
        count -= taken;
        place->byte += taken;
        if (taken < left)
            return true;
        place->byte = 0;
        place->row++;
        skip_empty_passes(place);
    }
    return true;
}

/* However much there would be to unpack: it ends where the picture's bytes do. */
static bool unpack(const struct png *png, z_stream *stream, struct place *place)
{
    unsigned char window[WINDOW_BYTES];
    int code = Z_OK;
    while (code == Z_OK) {
        stream->next_out = window;
        stream->avail_out = sizeof window;
        code = inflate(stream, Z_NO_FLUSH);
        size_t unpacked = sizeof window - stream->avail_out;
        png->picture->looked_at += unpacked / UNPACKED_AT_ONCE;
        if (!place_bytes(place, window, unpacked))
            return refuse(png, "its pixels are more than its size says, or filtered by no rule");
    }
    if (code != Z_STREAM_END || stream->avail_in > 0 || place->pass < place->pass_count)
        return refuse(png, "its pixels are not packed as they must be, or too few");
    return true;
}

static bool check_pixels(const struct png *png)
{
    struct place place = {.pass = 0};
    z_stream stream = {.next_in = png->packed, .avail_in = (uInt)png->packed_length};
    place.pass_count = find_passes(png, place.passes);
    skip_empty_passes(&place);
    if (inflateInit(&stream) != Z_OK)
        return false;
    bool sound = unpack(png, &stream, &place);
    inflateEnd(&stream);
    return sound;
}

/* --- written anew ------------------------------------------------------------------------------- */

static void write_number(unsigned char *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> (24 - 8 * i));
}

static void write_chunk(struct picture *picture, const char *type, const void *data, size_t length)
{
    unsigned char *at = (unsigned char *)picture->bytes + picture->length;
    write_number(at, (uint32_t)length);
    memcpy(at + 4, type, 4);
    if (length > 0)
        memcpy(at + 8, data, length);
    write_number(at + 8 + length, (uint32_t)crc32(0, at + 4, (uInt)length + 4));
    picture->length += CHUNK_BYTES + length;
}

/* What is written stood in the file: it is no longer than that. */
static bool write_all(const struct png *png)
{
    struct picture *picture = png->picture;
    picture->bytes = malloc(png->length);
    if (picture->bytes == NULL)
        return false;
    memcpy(picture->bytes, PNG_SIGNATURE, PNG_SIGNATURE_BYTES);
    picture->length = PNG_SIGNATURE_BYTES;
    write_chunk(picture, "IHDR", png->bytes + PNG_SIGNATURE_BYTES + 8, HEADER_BYTES);
    if (png->palette.data != NULL)
        write_chunk(picture, "PLTE", png->palette.data, png->palette.length);
    if (png->transparency.data != NULL)
        write_chunk(picture, "tRNS", png->transparency.data, png->transparency.length);
    write_chunk(picture, "IDAT", png->packed, png->packed_length);
    write_chunk(picture, "IEND", NULL, 0);
    return true;
}

enum picture_outcome png_read(const unsigned char *bytes, size_t length, struct picture *picture)
{
    struct png png = {
        .bytes = bytes, .length = length, .at = PNG_SIGNATURE_BYTES, .picture = picture};
    bool done = read_header(&png) && read_chunks(&png) && check_pixels(&png) && write_all(&png);
    free(png.packed);
    if (done)
        return PICTURE_READ;
    return picture->words[0] != '\0' ? PICTURE_REFUSED : PICTURE_NO_MEMORY;
}
