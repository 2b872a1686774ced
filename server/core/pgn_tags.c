#include "server/core/pgn_tags.h"

#include "engine/load/text.h"

#include <string.h>

enum {
    DAY_MS = 24 * 60 * 60 * 1000,
    DAYS_BEFORE_1970 = 719468 /* since the first of March of year 0 */
};

void pgn_tags_take(struct pgn_tags *tags, const struct pgn_token *token)
{
    const struct {
        const char *name;
        char *value;
    } places[] = {
        {"White", tags->white},
        {"Black", tags->black},
        {"Date", tags->date},
        {"UTCDate", tags->date},
        {"FEN", tags->start},
        {"Result", tags->result},
        {"TimeControl", tags->time_control},
        {"Termination", tags->termination},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(token->name, places[i].name) == 0)
            memcpy(places[i].value, token->value, sizeof token->value);
    if (strcmp(token->name, "FEN") == 0)
        tags->start_token = *token;
}

/* One byte of Latin-1, which the standard demands, as UTF-8, which nearly everybody writes. */
static size_t encode(unsigned char byte, char character[2])
{
    bool plain = byte < 0x80;
    character[0] = (char)(plain ? byte : 0xc0 | byte >> 6);
    character[1] = (char)(0x80 | (byte & 0x3f));
    return plain ? 1 : 2;
}

static size_t character_length(const char *text)
{
    size_t length = 1;
    while (((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return length;
}

void pgn_name_write(const char *tag, char name[DISPLAY_NAME_BYTES_MAX + 1])
{
    bool latin = !text_is_utf8(tag);
    size_t length = 0;
    for (size_t taken = 0, bytes; tag[taken]; taken += bytes) {
        char encoded[2];
        const char *character = latin ? encoded : tag + taken;
        size_t added =
            latin ? encode((unsigned char)tag[taken], encoded) : character_length(character);
        bytes = latin ? 1 : added;
        if (length + added > DISPLAY_NAME_BYTES_MAX)
            break;
        if ((unsigned char)*character < ' ' || *character == 0x7f)
            continue;
        memcpy(name + length, character, added);
        length += added;
    }
    name[length] = '\0';
    if (length == 0)
        strcpy(name, "?");
}

static int number_of(const char *digits, int count)
{
    int number = 0;
    for (int i = 0; i < count; i++)
        number = number * 10 + (digits[i] - '0');
    return number;
}

int64_t pgn_date_ms(const char *date)
{
    static const char form[] = "0000.00.00";
    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == '0' ? date[i] < '0' || date[i] > '9' : date[i] != form[i])
            return 0;
    int year = number_of(date, 4), month = number_of(date + 5, 2), day = number_of(date + 8, 2);
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31)
        return 0;
    /* A year that begins in March has its odd day at the end. */
    int64_t years = month > 2 ? year : year - 1, months = month > 2 ? month - 3 : month + 9;
    int64_t days = years * 365 + years / 4 - years / 100 + years / 400;
    days += (months * 153 + 2) / 5 + day - 1;
    return (days - DAYS_BEFORE_1970) * DAY_MS;
}
