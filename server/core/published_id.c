#include "server/core/published_id.h"

#include "server/core/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char published_name_words[] =
    "a name has 3 to 40 lower-case letters, digits and hyphens, and no hyphen first or last";

enum { VERSION_DIGITS_MAX = 4 }; /* as STORE_VERSIONS_MAX has */

static bool is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool published_name_fits(struct text name)
{
    if (!name.data || name.length < PUBLISHED_NAME_BYTES_MIN || name.length > STORE_NAME_BYTES)
        return false;
    for (size_t i = 0; i < name.length; i++) {
        bool inside = i > 0 && i < name.length - 1;
        if (!is_letter_or_digit(name.data[i]) && !(inside && name.data[i] == '-'))
            return false;
    }
    return true;
}

/* One way to write each: no zero in front. */
static bool read_version(const char *digits, size_t length, int64_t *version)
{
    *version = 0;
    if (length < 1 || length > VERSION_DIGITS_MAX || digits[0] == '0')
        return false;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return false;
        *version = *version * 10 + (digits[i] - '0');
    }
    return true;
}

bool published_id_read(struct text text, struct published_id *id)
{
    *id = (struct published_id){.version = 0};
    const char *sign = text.data ? memchr(text.data, '@', text.length) : NULL;
    struct text name = {text.data, sign ? (size_t)(sign - text.data) : text.length};
    if (!published_name_fits(name))
        return false;
    text_copy(name, id->name, sizeof id->name);
    return !sign || read_version(sign + 1, text.length - name.length - 1, &id->version);
}

void published_id_write(const char *name, int64_t version, char *text)
{
    if (version > 0)
        snprintf(text, WORD_BYTES_MAX + 1, "%.*s@%" PRId64, STORE_NAME_BYTES, name, version);
    else
        snprintf(text, WORD_BYTES_MAX + 1, "%.*s", STORE_NAME_BYTES, name);
}
