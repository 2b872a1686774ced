#include "server/net/head.h"

#include <string.h>
#include <strings.h>

size_t head_length(const char *text, size_t length, size_t seen)
{
    for (size_t i = seen < 4 ? 3 : seen; i < length; i++)
        if (text[i] == '\n' && memcmp(text + i - 3, "\r\n\r\n", 4) == 0)
            return i + 1;
    return 0;
}

/* What RFC 9110 calls a token. */
static size_t token_length(const char *text)
{
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                        "!#$%&'*+-.^_`|~");
}

static bool read_version(const char *text, struct head *head)
{
    if (strcmp(text, "HTTP/1.0") != 0 && strcmp(text, "HTTP/1.1") != 0)
        return false;
    head->minor = text[7] - '0';
    return true;
}

/* An absolute target, `http://host/path`, which a server has to take though only proxies are sent it: its host becomes
 * `authority`, cut off by moving it over the slashes before it, and what is left begins with a slash. NULL: malformed. */
static char *cut_authority(char *target, struct head *head)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t scheme = strlen(schemes[i]);
        if (strncasecmp(target, schemes[i], scheme) != 0)
            continue;
        char *host = target + scheme;
        size_t length = strcspn(host, "/?");
        if (length == 0 || memchr(host, '@', length) != NULL)
            return NULL;
        head->authority = memmove(host - 2, host, length);
        head->authority[length] = '\0';
        if (host[length] == '/')
            return host + length;
        host[length - 1] = '/';
        return host + length - 1;
    }
    return NULL;
}

static enum head_answer read_first_line(char *line, struct head *head)
{
    size_t method = token_length(line);
    head->method = line;
    if (method == 0 || line[method] != ' ')
        return HEAD_MALFORMED;
    line[method] = '\0';
    char *target = line + method + 1;
    char *version = strchr(target, ' ');
    if (version == NULL)
        return HEAD_MALFORMED;
    *version++ = '\0';
    if (target[0] != '/')
        target = cut_authority(target, head);
    if (target == NULL || strchr(target, '#') != NULL)
        return HEAD_MALFORMED;
    if (!read_version(version, head))
        return HEAD_OTHER_VERSION;
    head->target = target;
    char *query = strchr(target, '?');
    head->query = query == NULL ? "" : query + 1;
    if (query != NULL)
        *query = '\0';
    return HEAD_OK;
}

static enum head_answer read_field(char *line, struct head *head)
{
    size_t name = token_length(line);
    if (name == 0 || line[name] != ':')
        return HEAD_MALFORMED;
    if (head->field_count == HEAD_FIELDS_MAX)
        return HEAD_TOO_MANY_FIELDS;
    line[name] = '\0';
    char *value = line + name + 1;
    value += strspn(value, " \t");
    size_t length = strlen(value);
    while (length > 0 && (value[length - 1] == ' ' || value[length - 1] == '\t'))
        value[--length] = '\0';
    if (head->authority != NULL && strcasecmp(line, "host") == 0)
        value = head->authority;
    head->fields[head->field_count++] = (struct head_field){line, value};
    return HEAD_OK;
}

/* No control character in a line but the tab; with it go zeros and bare ends of lines. */
static bool is_clean(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f)
            return false;
    return true;
}

enum head_answer head_read(char *text, size_t length, struct head *head)
{
    char *end = text + length - 2; /* the empty line */
    *head = (struct head){0};
    for (char *line = text; line < end;) {
        char *line_end = memchr(line, '\r', (size_t)(end - line));
        if (line_end == NULL || line_end[1] != '\n' || !is_clean(line, (size_t)(line_end - line)))
            return HEAD_MALFORMED;
        *line_end = '\0';
        enum head_answer answer =
            line == text ? read_first_line(line, head) : read_field(line, head);
        if (answer != HEAD_OK)
            return answer;
        line = line_end + 2;
    }
    return head->method == NULL ? HEAD_MALFORMED : HEAD_OK;
}

const char *head_find(const struct head *head, const char *name)
{
    for (int i = 0; i < head->field_count; i++)
        if (strcasecmp(head->fields[i].name, name) == 0)
            return head->fields[i].value;
    return NULL;
}

int head_count(const struct head *head, const char *name)
{
    int count = 0;
    for (int i = 0; i < head->field_count; i++)
        count += strcasecmp(head->fields[i].name, name) == 0;
    return count;
}

bool head_lists(const char *list, const char *item)
{
    size_t length = strlen(item);
    while (*list != '\0') {
        list += strspn(list, ", \t");
        size_t part = strcspn(list, ","), end = part;
        while (end > 0 && (list[end - 1] == ' ' || list[end - 1] == '\t'))
            end--;
        if (end == length && strncasecmp(list, item, length) == 0)
            return true;
        list += part;
    }
    return false;
}

/* "q=0", "q=0.000": not wanted. */
static bool has_no_weight(const char *parameters, const char *end)
{
    while (parameters < end && strncasecmp(parameters, "q=", 2) != 0)
        parameters++;
    size_t digits = parameters < end ? strspn(parameters + 2, "0.") : 0;
    return digits > 0 && parameters + 2 + digits >= end;
}

bool head_accepts(const char *list, const char *item)
{
    size_t length = strlen(item);
    while (*list != '\0') {
        list += strspn(list, ", \t");
        size_t part = strcspn(list, ","), name = strcspn(list, ",; \t");
        if (name == length && strncasecmp(list, item, length) == 0)
            return !has_no_weight(list + name, list + part);
        list += part;
    }
    return false;
}

static int digit(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

bool head_unescape(const char *escaped, size_t length, bool plus, char *text)
{
    bool fine = true;
    for (size_t i = 0; i < length; i++) {
        int high = -1, low = -1;
        if (escaped[i] == '%' && length - i > 2) {
            high = digit(escaped[i + 1]);
            low = digit(escaped[i + 2]);
        }
        if (high >= 0 && low >= 0 && high + low > 0) {
            *text++ = (char)(high * 16 + low);
            i += 2;
            continue;
        }
        fine &= escaped[i] != '%';
        *text++ = (char)(plus && escaped[i] == '+' ? ' ' : escaped[i]);
    }
    *text = '\0';
    return fine;
}

bool head_query(const struct head *head, const char *name, char *value, size_t size)
{
    size_t name_length = strlen(name);
    for (const char *member = head->query; *member != '\0';) {
        size_t length = strcspn(member, "&");
        if (length > name_length && member[name_length] == '=' &&
            strncmp(member, name, name_length) == 0) {
            size_t value_length = length - name_length - 1;
            return value_length < size &&
                   head_unescape(member + name_length + 1, value_length, true, value);
        }
        member += length + (member[length] == '&');
    }
    return false;
}
