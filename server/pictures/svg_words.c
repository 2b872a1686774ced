#include "server/pictures/svg_words.h"

#include <string.h>

static const struct {
    const char *name;
    enum svg_element kind;
} elements[] = {
    {"svg", SVG_ROOT},
    {"g", SVG_DRAWS},
    {"defs", SVG_DRAWS},
    {"symbol", SVG_DRAWS},
    {"use", SVG_DRAWS},
    {"path", SVG_DRAWS},
    {"rect", SVG_DRAWS},
    {"circle", SVG_DRAWS},
    {"ellipse", SVG_DRAWS},
    {"line", SVG_DRAWS},
    {"polyline", SVG_DRAWS},
    {"polygon", SVG_DRAWS},
    {"linearGradient", SVG_DRAWS},
    {"radialGradient", SVG_DRAWS},
    {"stop", SVG_DRAWS},
    {"clipPath", SVG_DRAWS},
    {"mask", SVG_DRAWS},
    {"text", SVG_WORDS},
    {"tspan", SVG_WORDS},
    {"title", SVG_WORDS},
    {"desc", SVG_WORDS},
    {"style", SVG_STYLE},
    {"metadata", SVG_TAKEN_OUT},
};

/* clang-format off */
static const struct svg_word words[] = {
    {"id",                  SVG_NAME,   false},
    {"class",               SVG_NAMES,  false},
    {"style",               SVG_SHEET,  false},
    {"href",                SVG_TARGET, false},
    {"viewBox",             SVG_PLAIN,  false},
    {"preserveAspectRatio", SVG_PLAIN,  false},
    {"width",               SVG_PLAIN,  true},
    {"height",              SVG_PLAIN,  true},
    {"x",                   SVG_PLAIN,  true},
    {"y",                   SVG_PLAIN,  true},
    {"dx",                  SVG_PLAIN,  false},
    {"dy",                  SVG_PLAIN,  false},
    {"rotate",              SVG_PLAIN,  false},
    {"textLength",          SVG_PLAIN,  false},
    {"lengthAdjust",        SVG_PLAIN,  false},
    {"x1",                  SVG_PLAIN,  false},
    {"y1",                  SVG_PLAIN,  false},
    {"x2",                  SVG_PLAIN,  false},
    {"y2",                  SVG_PLAIN,  false},
    {"cx",                  SVG_PLAIN,  true},
    {"cy",                  SVG_PLAIN,  true},
    {"r",                   SVG_PLAIN,  true},
    {"rx",                  SVG_PLAIN,  true},
    {"ry",                  SVG_PLAIN,  true},
    {"fx",                  SVG_PLAIN,  false},
    {"fy",                  SVG_PLAIN,  false},
    {"fr",                  SVG_PLAIN,  false},
    {"d",                   SVG_PATH,   false},
    {"points",              SVG_PLAIN,  false},
    {"pathLength",          SVG_PLAIN,  false},
    {"transform",           SVG_PLAIN,  true},
    {"transform-origin",    SVG_PLAIN,  true},
    {"offset",              SVG_PLAIN,  false},
    {"gradientUnits",       SVG_PLAIN,  false},
    {"gradientTransform",   SVG_PLAIN,  false},
    {"spreadMethod",        SVG_PLAIN,  false},
    {"clipPathUnits",       SVG_PLAIN,  false},
    {"maskUnits",           SVG_PLAIN,  false},
    {"maskContentUnits",    SVG_PLAIN,  false},
    {"clip-path",           SVG_PART,   true},
    {"mask",                SVG_PART,   true},
    {"clip-rule",           SVG_PLAIN,  true},
    {"mask-type",           SVG_PLAIN,  true},
    {"color",               SVG_PLAIN,  true},
    {"display",             SVG_PLAIN,  true},
    {"visibility",          SVG_PLAIN,  true},
    {"overflow",            SVG_PLAIN,  true},
    {"opacity",             SVG_PLAIN,  true},
    {"fill",                SVG_PAINT,  true},
    {"fill-opacity",        SVG_PLAIN,  true},
    {"fill-rule",           SVG_PLAIN,  true},
    {"stroke",              SVG_PAINT,  true},
    {"stroke-width",        SVG_PLAIN,  true},
    {"stroke-opacity",      SVG_PLAIN,  true},
    {"stroke-linecap",      SVG_PLAIN,  true},
    {"stroke-linejoin",     SVG_PLAIN,  true},
    {"stroke-miterlimit",   SVG_PLAIN,  true},
    {"stroke-dasharray",    SVG_PLAIN,  true},
    {"stroke-dashoffset",   SVG_PLAIN,  true},
    {"stop-color",          SVG_PLAIN,  true},
    {"stop-opacity",        SVG_PLAIN,  true},
    {"paint-order",         SVG_PLAIN,  true},
    {"vector-effect",       SVG_PLAIN,  true},
    {"shape-rendering",     SVG_PLAIN,  true},
    {"text-rendering",      SVG_PLAIN,  true},
    {"color-interpolation", SVG_PLAIN,  true},
    {"font-family",         SVG_FONT,   true},
    {"font-size",           SVG_PLAIN,  true},
    {"font-style",          SVG_PLAIN,  true},
    {"font-weight",         SVG_PLAIN,  true},
    {"font-variant",        SVG_PLAIN,  true},
    {"font-stretch",        SVG_PLAIN,  true},
    {"text-anchor",         SVG_PLAIN,  true},
    {"text-decoration",     SVG_PLAIN,  true},
    {"letter-spacing",      SVG_PLAIN,  true},
    {"word-spacing",        SVG_PLAIN,  true},
    {"dominant-baseline",   SVG_PLAIN,  true},
    {"alignment-baseline",  SVG_PLAIN,  true},
    {"baseline-shift",      SVG_PLAIN,  true},
    {"mix-blend-mode",      SVG_PLAIN,  true},
    {"isolation",           SVG_PLAIN,  true},
};
/* clang-format on */

static const char *const functions[] = {
    "rgb",   "rgba",   "hsl",        "hsla",   "matrix", "translate", "translateX",
    "scale", "rotate", "translateY", "scaleX", "scaleY", "skewX",     "skewY",
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static bool is_word(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && memcmp(word, name, length) == 0;
}

enum svg_element svg_find_element(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(elements); i++)
        if (strcmp(elements[i].name, name) == 0)
            return elements[i].kind;
    return SVG_REFUSED;
}

const struct svg_word *svg_find_attribute(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (is_word(words[i].name, name, length))
            return &words[i];
    return NULL;
}

const struct svg_word *svg_find_property(const char *name, size_t length)
{
    const struct svg_word *word = svg_find_attribute(name, length);
    return word != NULL && word->is_property ? word : NULL;
}

bool svg_is_function(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        if (is_word(functions[i], name, length))
            return true;
    return false;
}
