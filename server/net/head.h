/* The head of an HTTP request, read strictly: what two programs could read differently is no head. */
#ifndef SERVER_NET_HEAD_H
#define SERVER_NET_HEAD_H

#include <stdbool.h>
#include <stddef.h>

enum { HEAD_BYTES_MAX = 16 * 1024, HEAD_FIELDS_MAX = 64 };

struct head_field {
    const char *name, *value; /* no space around the value */
};

/* Its texts lie in the text it was read from. */
struct head {
    const char *method;
    const char *target; /* without the query; begins with a slash; escapes as they came */
    const char *query;  /* "" where there is none */
    char
        *authority; /* of an absolute target; it is what Host says then. NULL where there is none */
    int minor;      /* of HTTP/1 */
    struct head_field fields[HEAD_FIELDS_MAX];
    int field_count;
};

enum head_answer { HEAD_OK, HEAD_MALFORMED, HEAD_TOO_MANY_FIELDS, HEAD_OTHER_VERSION };

/* The length of the head at the beginning of a text, its empty line included; 0: it is not complete. `seen`: so much
 * of it was looked at before. */
size_t head_length(const char *text, size_t length, size_t seen);
/* `text` is one complete head; it is cut into pieces. */
enum head_answer head_read(char *text, size_t length, struct head *head);

/* NULL when there is none of that name (in any case); the first of several. */
const char *head_find(const struct head *head, const char *name);
int head_count(const struct head *head, const char *name);
/* Is `item` in a comma-separated list, in any case? */
bool head_lists(const char *list, const char *item);
/* The same of items with a weight ("br;q=0.5"): whether it is listed and the weight is not nothing. */
bool head_accepts(const char *list, const char *item);

/* Resolves the escapes of `length` bytes; `text` has room for as many and a zero. False when there is a malformed
 * escape or one of a zero: it is left as it came. `plus`: + is a space, as in a query. */
bool head_unescape(const char *escaped, size_t length, bool plus, char *text);
/* The member of a query, its escapes resolved; false when it is absent, malformed or does not fit. */
bool head_query(const struct head *head, const char *name, char *value, size_t size);

#endif
