#include "engine/load/text.h"

#include <stdlib.h>
#include <string.h>

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
static const struct name_list colours = {"colour", true, sizeof names / sizeof *names, names};

/* Behind spaces and a number like 12, -0.5 or 40%; NULL where there is none. */
static const char *skip_number(const char *text)
{
    text += strspn(text, " ");
    char *end;
    size_t length = strspn(text, "+-.0123456789");
    strtod(text, &end);
    return length > 0 && end == text + length && end[-1] != '.' ? end + (*end == '%') : NULL;
}

/* Three or four numbers between parentheses, with commas or spaces; the fourth may come after a
 * slash. */
static bool is_function(const char *text)
{
    const char *at = strchr(text, '(') + 1;
    for (int count = 1; count <= 4; count++) {
        at = skip_number(at);
        if (at == NULL)
            return false;
        const char *separator = at + strspn(at, " ");
        if (*separator == ')')
            return separator[1] == '\0' && count >= 3;
        bool sign = *separator == ',' || (*separator == '/' && count == 3);
        if (!sign && separator == at)
            return false;
        at = separator + sign;
    }
    return false;
}

bool colour_is_valid(const char *text)
{
    static const char *const functions[] = {"rgb(", "rgba(", "hsl(", "hsla("};
    size_t digits = strspn(text + (text[0] == '#'), "0123456789abcdefABCDEF");
    if (text[0] == '#')
        return text[1 + digits] == '\0' &&
               (digits == 3 || digits == 4 || digits == 6 || digits == 8);
    for (int i = 0; i < 4; i++)
        if (strncmp(text, functions[i], strlen(functions[i])) == 0)
            return is_function(text);
    return name_list_find(&colours, text) >= 0;
}

struct hint colour_hint(const char *text)
{
    return text_hint(text, &colours);
}
