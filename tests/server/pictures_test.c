/* Strangers' pictures: what is kept, what is taken out, what is refused and in which words; and that no file is worth more
 * than a moment's work. */
#include "tests/support/test.h"

#include "server/pictures/picture.h"

#include <iconv.h>
#include <libxml/xmlmemory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BYTES_MAX = 64 * 1024 };

#define SVG(inside)  "<svg xmlns=\"http://www.w3.org/2000/svg\">" inside "</svg>"
#define EMPTY        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
#define XLINK        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:x=\"http://www.w3.org/1999/xlink\">"
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- helpers ------------------------------------------------------------------------------------ */

static void expect_same_again(enum picture_kind kind, const struct picture *picture)
{
    struct picture again;
    assert_int_equal(picture_read(kind, picture->bytes, picture->length, BYTES_MAX, &again),
                     PICTURE_READ);
    assert_int_equal(again.length, picture->length);
    assert_memory_equal(again.bytes, picture->bytes, again.length);
    picture_release(&again);
}

static void expect_bytes(const void *svg, size_t length, const char *written)
{
    struct picture picture;
    enum picture_outcome outcome = picture_read(PICTURE_SVG, svg, length, BYTES_MAX, &picture);
    if (outcome != PICTURE_READ)
        fail_msg("refused: %s\n%.*s", picture.words, (int)length, (const char *)svg);
    assert_string_equal(picture.bytes, written);
    expect_same_again(PICTURE_SVG, &picture);
    picture_release(&picture);
}

static void expect(const char *svg, const char *written)
{
    expect_bytes(svg, strlen(svg), written);
}

static void expect_refusal_of(enum picture_kind kind, const void *bytes, size_t length,
                              const char *words)
{
    struct picture picture;
    enum picture_outcome outcome = picture_read(kind, bytes, length, BYTES_MAX, &picture);
    if (outcome != PICTURE_REFUSED || strstr(picture.words, words) == NULL)
        fail_msg("expected \"%s\", got \"%s\" (%d) of\n%.300s", words, picture.words, outcome,
                 (const char *)bytes);
    assert_null(picture.bytes);
    picture_release(&picture);
}

static void expect_refusal(const char *svg, const char *words)
{
    expect_refusal_of(PICTURE_SVG, svg, strlen(svg), words);
}

/* A text put together of a beginning, a part that comes again and again with its number in it, and an end. */
static char *repeat(const char *begin, const char *part, int times, const char *end)
{
    size_t length;
    char *text = NULL;
    FILE *out = open_memstream(&text, &length);
    fputs(begin, out);
    for (int i = 0; i < times; i++)
        for (const char *at = part; *at != '\0'; at++)
            if (*at == '$')
                fprintf(out, "%d", i);
            else if (*at == '^')
                fprintf(out, "%d", i + 1);
            else
                fputc(*at, out);
    fputs(end, out);
    fclose(out);
    return text;
}

/* --- what is kept ------------------------------------------------------------------------------- */

static void what_draws_is_kept(void **state)
{
    (void)state;
    expect(EMPTY, EMPTY);
    expect("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- by hand -->\n" SVG(
               "\n <g fill='#fff'  stroke = 'rgb(1,2,3)'>\n<path d='M 1.5-2e1\n z'/></g>\n"),
           SVG("<g fill=\"#fff\" stroke=\"rgb(1,2,3)\"><path d=\"M 1.5-2e1 z\"/></g>"));
    expect(
        "<s:svg xmlns:s='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><s:circle r='4'/></s:svg>",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><circle r=\"4\"/></svg>");
    expect(SVG("<defs><linearGradient id='a'><stop offset='0' stop-color='red'/></linearGradient>"
               "</defs><rect width='1' height='1' fill='url( \"#a\" ) none'/>"),
           SVG("<defs><linearGradient id=\"a\"><stop offset=\"0\" stop-color=\"red\"/>"
               "</linearGradient></defs><rect width=\"1\" height=\"1\" fill=\"url(#a) none\"/>"));
    expect(XLINK "<g id='a'/><use x:href='#a' transform='rotate(45, 1 2) scale(-1)'/></svg>",
           SVG("<g id=\"a\"/><use href=\"#a\" transform=\"rotate(45, 1 2) scale(-1)\"/>"));
    expect(SVG("<text font-family=\"'DejaVu Sans', 帅\" x='1'>a &lt;b&gt; &amp; <tspan>帅</tspan>"
               "<![CDATA[<c>]]></text>"),
           SVG("<text font-family=\"DejaVu Sans , 帅\" x=\"1\">a &lt;b&gt; &amp; <tspan>帅</tspan>"
               "&lt;c&gt;</text>"));
    expect(SVG("<path style='fill : red;;stroke:url(#b) ;clip-path:url(#c);-x-y:1'/>"),
           SVG("<path style=\"fill:red;stroke:url(#b);clip-path:url(#c)\"/>"));
    expect(SVG("<style type='text/css'>/* a */ .st0 , g.b #c{fill:#FFF;} .d{background:red}\n"
               "* {stroke:url('#a')}</style>"),
           SVG("<style>.st0 , g.b #c{fill:#FFF}*{stroke:url(#a)}</style>"));
    expect(SVG("<style>  </style><style/>"), SVG("<style></style><style></style>"));
}

static void what_does_not_draw_is_taken_out(void **state)
{
    (void)state;
    expect("<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' "
           "'http://127.0.0.1:1/svg11.dtd'>" EMPTY,
           EMPTY);
    expect("<?xml-stylesheet href='http://127.0.0.1:1/a.css'?>" SVG("<?php echo 1 ?><!-- x -->"),
           EMPTY "");
    expect(SVG("<metadata><r:RDF xmlns:r='http://r'><script/></r:RDF></metadata>"
               "<i:view xmlns:i='http://inkscape' onload='1'><path d='M0 0'/></i:view><g/>"),
           SVG("<g/>"));
    expect(SVG("<g data-x='1' i:label='b' xmlns:i='http://i' unknown='2' role='img' "
               "id='1 not a name' class='&quot;&gt;'/>"),
           SVG("<g/>"));
    expect(XLINK "<use x:href='http://a/b' href='#c'/></svg>", SVG("<use href=\"#c\"/>"));
}

static void texts_in_other_encodings_are_read_and_written_in_ours(void **state)
{
    (void)state;
    char in[] = "<?xml version='1.0' encoding='UTF-16'?>" SVG("<title>\xc3\xa9</title>");
    char out[1024], *from = in, *to = out;
    size_t in_left = sizeof in - 1, out_left = sizeof out;
    iconv_t convert = iconv_open("UTF-16", "UTF-8");
    assert_int_equal(iconv(convert, &from, &in_left, &to, &out_left), 0);
    iconv_close(convert);
    expect_bytes(out, sizeof out - out_left, SVG("<title>\xc3\xa9</title>"));
    expect("<?xml version='1.0' encoding='ISO-8859-1'?>" SVG("<title>\xe9</title>"),
           SVG("<title>\xc3\xa9</title>"));
}

/* --- what is refused ---------------------------------------------------------------------------- */

static void what_would_run_or_reach_out_is_refused(void **state)
{
    static const char *const hostile[][2] = {
        {SVG("\n<script>alert(1)</script>"), "line 2: <script> is not allowed: a picture runs"},
        {SVG("<g><h:script xmlns:h='http://www.w3.org/1999/xhtml'/></g>"), "<script>"},
        {SVG("<s:script xmlns:s='http://www.w3.org/2000/svg'/>"), "<script>"},
        {"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "onload of <svg>"},
        {SVG("\n\n<path OnClick='1'/>"), "line 3: OnClick of <path> is not allowed"},
        {SVG("<foreignObject><b/></foreignObject>"), "<foreignObject> is not allowed"},
        {SVG("<image href='#a'/>"), "<image> is not allowed"},
        {SVG("<a href='#a'/>"), "<a> is not allowed"},
        {SVG("<animate attributeName='href' to='javascript:1'/>"), "a picture does not move"},
        {SVG("<set attributeName='onload' to='1'/>"), "a picture does not move"},
        {SVG("<filter/>"), "<filter> is not allowed: it is not in the list"},
        {SVG("<use href=''/>"), "href of <use> reaches out of the file"},
        {SVG("<use href='http://a/b.svg#c'/>"), "href of <use> reaches out of the file"},
        {SVG("<use href='data:image/svg+xml;base64,AAAA#c'/>"), "reaches out of the file"},
        {SVG("<use href='/pictures/a.svg#c'/>"), "reaches out of the file"},
        {XLINK "<use x:href='javascript:alert(1)'/></svg>", "href of <use> reaches out"},
        {XLINK "<use x:href='data:text/html,&lt;script>'/></svg>", "href of <use> reaches out"},
        {XLINK "<linearGradient x:href='//a/b#c'/></svg>", "reaches out of the file"},
        {SVG("<path fill='url(http://a/#b)'/>"), "fill of <path> reaches out"},
        {SVG("<path fill='url(&#x20;//a)'/>"), "fill of <path> reaches out"},
        {SVG("<path clip-path='url(#a) url(#b)'/>"), "names two elements"},
        {SVG("<path width='url(#a)'/>"), "width of <path> may have no url()"},
        {SVG("<path fill='URL(#a)'/>"), "a function that is not allowed"},
        {SVG("<path fill='u\\72l(//a)'/>"), "sign that is not allowed"},
        {SVG("<path style='fill:url(//a)'/>"), "style of <path> has fill, which reaches out"},
        {SVG("<path style='fill:red/**/url(//a)'/>"), "reaches out"},
        {SVG("<path style='fill:expression(1)'/>"), "a function that is not allowed"},
        {SVG("<path d='M0 0 url(#a)'/>"), "d of <path> is no path"},
        {SVG("\n<style>@import 'http://a/b.css';</style>"), "line 2: <style> has @import"},
        {SVG("<style>/**/@font-face{src:url(//a)}</style>"), "<style> has @import or another rule"},
        {SVG("<style>a{fill:url(//a)}</style>"), "has fill, which reaches out"},
        {SVG("<style>a{mask:url(#a)}</style>"), "has mask: this stands on the element"},
        {SVG("<style>a:hover{fill:red}</style>"), "has a selector that is more than names"},
        {SVG("<style>a{fill:red</style>"), "has a rule that does not end"},
        {SVG("<style><![CDATA[@import '//a']]></style>"), "has @import"},
        {"<svg/>", "has to begin with <svg xmlns="},
        {"<html xmlns='http://www.w3.org/1999/xhtml'><script/></html>", "<html> is not allowed"},
        {"<g xmlns='http://www.w3.org/2000/svg'/>", "begins with <g>"},
        {"<metadata xmlns='http://www.w3.org/2000/svg'/>", "begins with <metadata>"},
        {"", "empty"},
        {"<svg xmlns='http://www.w3.org/2000/svg'", "no sound XML"},
        {SVG("<g>"), "no sound XML"},
        {EMPTY "<g/>", "no sound XML"},
        {SVG("<g id='a' id='b'/>"), "no sound XML"},
        {SVG("<g>\x01</g>"), "no sound XML"},
        {SVG("<title>\xff</title>"), "no sound XML"},
        {"GIF89a/*<svg xmlns='http://www.w3.org/2000/svg'/>*/", "no sound XML"},
        {"\x1f\x8b\x08\x01", "packed"},
        {"\x89PNG\r\n\x1a\n", "is a PNG"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(hostile); i++)
        expect_refusal(hostile[i][0], hostile[i][1]);
}

static void entities_are_refused(void **state)
{
    static const char *const hostile[] = {
        "<!DOCTYPE svg [<!ENTITY a 'b'>]>" SVG("<title>&a;</title>"),
        "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" SVG("<title>&a;</title>"),
        "<!DOCTYPE svg [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/a'> %p;]>" EMPTY,
        "<!DOCTYPE svg [<!ENTITY a 'xxxxxxxxxxxxxxxxxxxx'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>"
        "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'>]>" SVG(
            "<title>&d;&d;&d;</title>"),
        "<!DOCTYPE svg [<!ATTLIST svg onload CDATA 'alert(1)'>]>" EMPTY,
    };
    (void)state;
    for (size_t i = 0; i < COUNT(hostile); i++)
        expect_refusal(hostile[i], "entities and declarations are not allowed");
    expect_refusal(SVG("<title>&undeclared;</title>"), "no sound XML");
    expect_refusal("<!DOCTYPE svg SYSTEM 'http://127.0.0.1:1/a'>" SVG("<title>&a;</title>"),
                   "no sound XML");
}

static void expect_refusal_and_free(char *svg, const char *words)
{
    expect_refusal(svg, words);
    free(svg);
}

static void large_numbers_are_refused(void **state)
{
    static const char *const hostile[] = {
        "<circle r='1000001'/>", "<circle r='1e7'/>",          "<circle r='1e999999999999'/>",
        "<path d='M-1e300 0'/>", "<path style='x:99999999'/>", "<g transform='scale(1e9)'/>",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(hostile); i++)
        expect_refusal_and_free(
            repeat("<svg xmlns='http://www.w3.org/2000/svg'>", hostile[i], 1, "</svg>"),
            "a number above 1000000");
    expect(SVG("<circle r='1e6' cx='0e99999999' cy='1e-400'/>"),
           SVG("<circle r=\"1e6\" cx=\"0e99999999\" cy=\"1e-400\"/>"));
    char *digits =
        repeat("<svg xmlns='http://www.w3.org/2000/svg'><g opacity='0.", "7$", 9999, "'/></svg>");
    struct picture picture;
    assert_int_equal(picture_read(PICTURE_SVG, digits, strlen(digits), BYTES_MAX, &picture),
                     PICTURE_READ);
    picture_release(&picture);
    free(digits);
}

static void bombs_are_refused(void **state)
{
    (void)state;
    static const char begin[] = "<svg xmlns='http://www.w3.org/2000/svg'>";
    expect_refusal_and_free(repeat(begin, "<g>", 40, "</svg>"), "lies more than 32 elements deep");
    expect_refusal_and_free(repeat(begin, "<g>", 9000, "</svg>"),
                            "lies more than 32 elements deep");
    expect_refusal_and_free(repeat(begin, "<g/>", 2001, "</svg>"), "at most 2000 elements");
    char *bomb = repeat(begin,
                        "<g id='a^'><use href='#a$'/><use href='#a$'/><use href='#a$'/>"
                        "<use href='#a$'/><use href='#a$'/><use href='#a$'/></g>",
                        8, "</svg>");
    expect_refusal_and_free(bomb, "draws more than 20000 elements");
    char *masks = repeat(begin,
                         "<mask id='a^'><g mask='url(#a$)'/><g style='mask:url(#a$)'/>"
                         "<path style='clip-path:url(#a$)'/><path clip-path='url(#a$)'/></mask>",
                         9, "</svg>");
    expect_refusal_and_free(masks, "draws more than 20000 elements");
    expect_refusal_and_free(repeat(begin, "<g id='a^'><use href='#a$'/></g>", 20, "</svg>"),
                            "a chain of more than 8 references");
    expect_refusal_and_free(repeat(begin, "<g id='a$'><use href='#a^'/></g>", 20, "</svg>"),
                            "a chain of more than 8 references");
    expect_refusal(SVG("\n<g id='a'><use href='#a'/></g>"), "line 2: this element uses itself");
    expect_refusal(SVG("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>"),
                   "uses itself");
    expect_refusal(SVG("<clipPath id='a' clip-path='url(#a)'/>"), "uses itself");
    char *rules =
        repeat("<svg xmlns='http://www.w3.org/2000/svg'><style>", "a{}", 257, "</style></svg>");
    expect_refusal_and_free(rules, "more than 256 rules");
    /* What is one sign in the file may be six when it is written. */
    char *grows = repeat("<svg xmlns='http://www.w3.org/2000/svg'><title>", "\"\"\"\"\"\"\"\"",
                         2000, "</title></svg>");
    expect_refusal_and_free(grows, "written plainly it is longer than 65536 bytes");
    char *large = repeat(begin, "          ", 6600, "</svg>");
    expect_refusal_and_free(large, "a picture has at most 65536");
}

/* Counted as often as it is drawn, and no more often: what is large and honest comes in. */
static void much_that_is_used_again_is_allowed(void **state)
{
    (void)state;
    char *many =
        repeat("<svg xmlns='http://www.w3.org/2000/svg'><g id='a'><path/><path/><path/></g>",
               "<use href='#a'/>", 1900, "</svg>");
    struct picture picture;
    assert_int_equal(picture_read(PICTURE_SVG, many, strlen(many), BYTES_MAX, &picture),
                     PICTURE_READ);
    expect_same_again(PICTURE_SVG, &picture);
    picture_release(&picture);
    free(many);
}

static void our_own_pictures_are_sound(void **state)
{
    static const char *const files[] = {"chess/white-king", "chess/black-knight", "amazons/arrow",
                                        "checkers/white-man"};
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[512];
        size_t length;
        struct picture picture;
        snprintf(path, sizeof path, "%s/games/%s.svg", SENET_SOURCE_DIR, files[i]);
        char *svg = test_read_file(path, &length);
        assert_non_null(svg);
        assert_int_equal(picture_read(PICTURE_SVG, svg, length, BYTES_MAX, &picture), PICTURE_READ);
        assert_true(picture.length * 10 > length * 7); /* white space is all that is lost */
        expect_same_again(PICTURE_SVG, &picture);
        picture_release(&picture);
        free(svg);
    }
}

/* --- PNG ---------------------------------------------------------------------------------------- */

struct png {
    unsigned char bytes[BYTES_MAX];
    size_t length;
};

static void put_number(unsigned char *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> (24 - 8 * i));
}

static void put_chunk(struct png *png, const char *type, const void *data, size_t length)
{
    unsigned char *at = png->bytes + png->length;
    put_number(at, (uint32_t)length);
    memcpy(at + 4, type, 4);
    memcpy(at + 8, data, length);
    put_number(at + 8 + length, (uint32_t)crc32(0, at + 4, (uInt)length + 4));
    png->length += 12 + length;
}

static void begin_png(struct png *png, uint32_t width, uint32_t height, int depth, int type,
                      int interlace)
{
    unsigned char header[13] = {
        [8] = (unsigned char)depth, (unsigned char)type, 0, 0, (unsigned char)interlace};
    put_number(header, width);
    put_number(header + 4, height);
    memcpy(png->bytes, "\x89PNG\r\n\x1a\n", 8);
    png->length = 8;
    put_chunk(png, "IHDR", header, 13);
}

/* So many bytes of one value, packed. */
static void put_pixels(struct png *png, size_t count, int value)
{
    static unsigned char packed[BYTES_MAX];
    unsigned char *pixels = malloc(count + 1);
    uLongf length = sizeof packed;
    memset(pixels, value, count);
    assert_int_equal(compress2(packed, &length, pixels, count, 9), Z_OK);
    put_chunk(png, "IDAT", packed, length);
    free(pixels);
}

static void expect_png(const struct png *png, size_t length)
{
    struct picture picture;
    enum picture_outcome outcome =
        picture_read(PICTURE_PNG, png->bytes, png->length, BYTES_MAX, &picture);
    if (outcome != PICTURE_READ)
        fail_msg("refused: %s", picture.words);
    assert_int_equal(picture.length, length);
    expect_same_again(PICTURE_PNG, &picture);
    picture_release(&picture);
}

static void expect_png_refusal(const struct png *png, const char *words)
{
    expect_refusal_of(PICTURE_PNG, png->bytes, png->length, words);
}

static void a_png_is_kept_without_what_is_no_picture(void **state)
{
    static struct png png;
    (void)state;
    begin_png(&png, 3, 2, 8, 6, 0);
    size_t before = png.length;
    put_chunk(&png, "tEXt", "Comment\0<script>alert(1)</script>", 33);
    put_chunk(&png, "zTXt", "x", 1);
    size_t text = png.length - before;
    put_pixels(&png, 2 * (1 + 3 * 4), 0);
    put_chunk(&png, "IEND", "", 0);
    expect_png(&png, png.length - text);
    begin_png(&png, 1, 1, 16, 4, 1);
    put_pixels(&png, 1 + 4, 0);
    put_chunk(&png, "IEND", "", 0);
    expect_png(&png, png.length);
    begin_png(&png, 2, 2, 2, 3, 0);
    put_chunk(&png, "PLTE", "\0\0\0\xff\xff\xff", 6);
    put_chunk(&png, "tRNS", "\0", 1);
    put_pixels(&png, 4, 0);
    put_chunk(&png, "IEND", "", 0);
    expect_png(&png, png.length);
}

/* Adam7 of 9 by 5 pixels: 2×1, 1×1, 3×1, 2×2, 5×1, 4×3 and 9×2, a row's bits rounded up, and a filter before each. */
static void interlaced_pixels_are_counted(void **state)
{
    static struct png png;
    const size_t bytes = 2 + 2 + 2 + 2 * 2 + 2 + 3 * 2 + 2 * 3;
    (void)state;
    for (int more = -1; more <= 1; more++) {
        begin_png(&png, 9, 5, 1, 0, 1);
        put_pixels(&png, (size_t)((int)bytes + more), 0);
        put_chunk(&png, "IEND", "", 0);
        if (more == 0)
            expect_png(&png, png.length);
        else
            expect_png_refusal(&png, "its pixels are");
    }
}

static void unsound_pngs_are_refused(void **state)
{
    static struct png png;
    (void)state;
    begin_png(&png, 1, 1, 8, 0, 0);
    put_pixels(&png, 2, 0);
    expect_png_refusal(&png, "ends within a part");
    put_chunk(&png, "IEND", "", 0);
    expect_png(&png, png.length);
    struct png other = png;
    other.bytes[other.length++] = '<';
    expect_png_refusal(&other, "something stands behind the picture's end");
    other = png;
    other.bytes[20] ^= 1;
    expect_png_refusal(&other, "the sum of the chunk IHDR at byte 8 is wrong");
    other = png;
    other.bytes[33] = 0x7f; /* a chunk as long as the world */
    expect_png_refusal(&other, "ends within a part");
    begin_png(&png, 1025, 1, 8, 0, 0);
    expect_png_refusal(&png, "1025 by 1 pixels");
    begin_png(&png, 0, 1, 8, 0, 0);
    expect_png_refusal(&png, "0 by 1 pixels");
    begin_png(&png, 1, 1, 4, 6, 0);
    expect_png_refusal(&png, "IHDR says what no PNG says");
    begin_png(&png, 1, 1, 8, 7, 0);
    expect_png_refusal(&png, "IHDR says what no PNG says");
    begin_png(&png, 1, 1, 8, 3, 0);
    put_pixels(&png, 2, 0);
    put_chunk(&png, "IEND", "", 0);
    expect_png_refusal(&png, "it has no palette");
    begin_png(&png, 1, 1, 8, 0, 0);
    put_chunk(&png, "EVIL", "", 0);
    expect_png_refusal(&png, "nobody knows its chunk EVIL");
    begin_png(&png, 1, 1, 8, 0, 0);
    put_chunk(&png, "IEND", "", 0);
    expect_png_refusal(&png, "it has no pixels");
    begin_png(&png, 1, 1, 8, 0, 0);
    put_pixels(&png, 2, 9);
    put_chunk(&png, "IEND", "", 0);
    expect_png_refusal(&png, "filtered by no rule");
    begin_png(&png, 1, 1, 8, 0, 0);
    put_pixels(&png, 40 * 1000 * 1000, 0); /* 40 MB in 40 KB */
    put_chunk(&png, "IEND", "", 0);
    struct picture picture;
    assert_int_equal(picture_read(PICTURE_PNG, png.bytes, png.length, BYTES_MAX, &picture),
                     PICTURE_REFUSED);
    assert_true(picture.looked_at < 100 * 1000); /* and not 40 million */
    begin_png(&png, 1, 1, 8, 0, 0);
    put_chunk(&png, "IDAT", "no zlib", 7);
    put_chunk(&png, "IEND", "", 0);
    expect_png_refusal(&png, "not packed as they must be");
    expect_refusal_of(PICTURE_PNG, EMPTY, strlen(EMPTY), "this is not a PNG");
}

/* --- memory ------------------------------------------------------------------------------------- */

static int allocations_left = -1; /* of libxml2; -1: as many as it likes */

static bool is_there(void)
{
    if (allocations_left > 0)
        allocations_left--;
    return allocations_left != 0;
}

static void *xml_malloc(size_t size)
{
    return is_there() ? malloc(size) : NULL;
}

static void *xml_realloc(void *old, size_t size)
{
    return is_there() ? realloc(old, size) : NULL;
}

static char *xml_strdup(const char *text)
{
    return is_there() ? strdup(text) : NULL;
}

/* From the n-th on: it is refused, now or for good, and what was taken is given back. */
static void memory_that_is_not_there_refuses_the_picture(void **state)
{
    static const char svg[] =
        "<?xml version='1.0' encoding='ISO-8859-1'?><!DOCTYPE svg PUBLIC 'a' 'b'>" SVG(
            "<g id='a' style='fill:red'><path d='M0 0' xmlns:b='c' b:d='e'/></g><use href='#a'/>"
            "<title>\xe9&lt;<![CDATA[x]]></title>");
    enum picture_outcome outcome = PICTURE_NO_MEMORY;
    struct picture picture;
    int count = 0;
    (void)state;
    for (; outcome != PICTURE_READ && count < 1000; count++) {
        allocations_left = count + 1;
        outcome = picture_read(PICTURE_SVG, svg, sizeof svg - 1, BYTES_MAX, &picture);
        assert_int_equal(outcome == PICTURE_READ, picture.bytes != NULL);
        picture_release(&picture);
    }
    allocations_left = -1;
    assert_int_equal(outcome, PICTURE_READ);
    assert_true(count > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_draws_is_kept),
        cmocka_unit_test(what_does_not_draw_is_taken_out),
        cmocka_unit_test(texts_in_other_encodings_are_read_and_written_in_ours),
        cmocka_unit_test(what_would_run_or_reach_out_is_refused),
        cmocka_unit_test(entities_are_refused),
        cmocka_unit_test(large_numbers_are_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(much_that_is_used_again_is_allowed),
        cmocka_unit_test(our_own_pictures_are_sound),
        cmocka_unit_test(a_png_is_kept_without_what_is_no_picture),
        cmocka_unit_test(interlaced_pixels_are_counted),
        cmocka_unit_test(unsound_pngs_are_refused),
        cmocka_unit_test(memory_that_is_not_there_refuses_the_picture),
    };
    xmlMemSetup(free, xml_malloc, xml_realloc, xml_strdup);
    picture_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
