#include "engine/load/colour.h"

#include <string.h>

#include "engine/load/text.h"

/* CSS Color Module Level 4, section 6.1, and `transparent`. */
static const char *const names[] = {
    /* a to c */
    "aliceblue", "antiquewhite", "aqua", "aquamarine", "azure", "beige", "bisque", "black",
    "blanchedalmond", "blue", "blueviolet", "brown", "burlywood", "cadetblue", "chartreuse",
    "chocolate", "coral", "cornflowerblue", "cornsilk", "crimson", "cyan",
    /* d to k */
    "darkblue", "darkcyan", "darkgoldenrod", "darkgray", "darkgreen", "darkgrey", "darkkhaki",
    "darkmagenta", "darkolivegreen", "darkorange", "darkorchid", "darkred", "darksalmon",
    "darkseagreen", "darkslateblue", "darkslategray", "darkslategrey", "darkturquoise",
    "darkviolet", "deeppink", "deepskyblue", "dimgray", "dimgrey", "dodgerblue", "firebrick",
    "floralwhite", "forestgreen", "fuchsia", "gainsboro", "ghostwhite", "gold", "goldenrod", "gray",
    "green", "greenyellow", "grey", "honeydew", "hotpink", "indianred", "indigo", "ivory", "khaki",
    /* l to o */
    "lavender", "lavenderblush", "lawngreen", "lemonchiffon", "lightblue", "lightcoral",
    "lightcyan", "lightgoldenrodyellow", "lightgray", "lightgreen", "lightgrey", "lightpink",
    "lightsalmon", "lightseagreen", "lightskyblue", "lightslategray", "lightslategrey",
    "lightsteelblue", "lightyellow", "lime", "limegreen", "linen", "magenta", "maroon",
    "mediumaquamarine", "mediumblue", "mediumorchid", "mediumpurple", "mediumseagreen",
    "mediumslateblue", "mediumspringgreen", "mediumturquoise", "mediumvioletred", "midnightblue",
    "mintcream", "mistyrose", "moccasin", "navajowhite", "navy", "oldlace", "olive", "olivedrab",
    "orange", "orangered", "orchid",
    /* p to z */
    "palegoldenrod", "palegreen", "paleturquoise", "palevioletred", "papayawhip", "peachpuff",
    "peru", "pink", "plum", "powderblue", "purple", "rebeccapurple", "red", "rosybrown",
    "royalblue", "saddlebrown", "salmon", "sandybrown", "seagreen", "seashell", "sienna", "silver",
    "skyblue", "slateblue", "slategray", "slategrey", "snow", "springgreen", "steelblue", "tan",
    "teal", "thistle", "tomato", "transparent", "turquoise", "violet", "wheat", "white",
    "whitesmoke", "yellow", "yellowgreen"};
enum { NAMES = sizeof names / sizeof *names };

static bool is_name(const char *text)
{
    for (int i = 0; i < NAMES; i++)
        if (strcmp(names[i], text) == 0)
            return true;
    return false;
}

static bool is_hexadecimal(const char *digits)
{
    size_t length = strlen(digits);
    return (length == 3 || length == 4 || length == 6 || length == 8) &&
           strspn(digits, "0123456789abcdefABCDEF") == length;
}

static const char *skip_space(const char *text)
{
    return text + strspn(text, " ");
}

/* Behind a number like 12, -0.5 or 40%; NULL when there is none. */
static const char *skip_number(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t whole = strspn(text, "0123456789");
    text += whole;
    size_t fraction = 0;
    if (*text == '.') {
        fraction = strspn(text + 1, "0123456789");
        text += 1 + fraction;
        if (fraction == 0)
            return NULL;
    }
    if (whole + fraction == 0)
        return NULL;
    return text + (*text == '%');
}

/* Three or four numbers between parentheses, with commas or spaces; the fourth may come after a
 * slash. */
static bool is_function(const char *text)
{
    static const char *const functions[] = {"rgb(", "rgba(", "hsl(", "hsla("};
    const char *at = NULL;
    for (int i = 0; i < 4; i++)
        if (strncmp(text, functions[i], strlen(functions[i])) == 0)
            at = text + strlen(functions[i]);
    if (at == NULL)
        return false;
    for (int count = 1; count <= 4; count++) {
        at = skip_number(skip_space(at));
        if (at == NULL)
            return false;
        const char *separator = skip_space(at);
        if (*separator == ')')
            return separator[1] == '\0' && count >= 3;
        bool slash = *separator == '/' && count == 3;
        if (*separator != ',' && !slash && separator == at)
            return false;
        at = separator + (*separator == ',' || slash);
    }
    return false;
}

bool colour_is_valid(const char *text)
{
    if (text[0] == '#')
        return is_hexadecimal(text + 1);
    return is_name(text) || is_function(text);
}

const char *colour_nearest_name(const char *text)
{
    int nearest = text_nearest(text, names, NAMES);
    return nearest < 0 ? NULL : names[nearest];
}
