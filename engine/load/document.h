/* A JSON text as a tree in which every value knows the way to it.
 *
 * The tree is jansson's. A finding names a value by the way to it, its pointer; where that is in the text is found when all
 * has been read, for all findings by one walk through the text, so that a sound file pays nothing for it. Only this file,
 * merge.c and text.c, which asks it what is UTF-8, know jansson.
 *
 * A node is a value together with the way to it. It borrows its parent, which therefore must
 * outlive it: nodes live on the stack of the functions that walk down the tree. */
#ifndef ENGINE_LOAD_DOCUMENT_H
#define ENGINE_LOAD_DOCUMENT_H

#include "engine/load/diagnostic.h"

enum { DOCUMENT_DEPTH_MAX = 32 };

struct document {
    char *text; /* a copy, with a zero behind it */
    size_t length;
    void *root;
};

/* False when there is no tree: then the diagnostics say why. Double keys are reported and leave a
 * tree, in which the last one counts. It is to be closed, whatever it says. */
bool document_open(struct document *document, const char *text, size_t length,
                   struct diagnostics *diagnostics);
void document_close(struct document *document);

enum node_type {
    NODE_ABSENT,
    NODE_NULL,
    NODE_BOOLEAN,
    NODE_NUMBER,
    NODE_STRING,
    NODE_LIST,
    NODE_OBJECT,
};

struct node {
    const struct node *parent; /* NULL: the root */
    const char *key;           /* of a member of an object; NULL: an element */
    size_t index;              /* of an element of a list */
    void *value;               /* NULL: absent */
    const struct node *over;   /* an object whose members come before its own; NULL: none */
};

enum node_type node_type(const struct node *node);
struct node node_member(const struct node *object, const char *key); /* absent if it is not there */
bool node_has(const struct node *object, const char *key);
bool node_equal(const struct node *one,
                const struct node *other); /* both are there and say the same */
struct node node_element(const struct node *list, size_t index);
size_t node_count(const struct node *node); /* elements or members; 0 of anything else */

/* EACH_MEMBER (each, &object) goes through the members of an object in the order of the text, EACH_ELEMENT through the
 * elements of a list, EACH_INSIDE through either; of any other value there are none. EACH_OF goes through the elements of
 * a list, or takes any other value that is there for a list of one. */
struct node node_members(const struct node *object);
struct node node_inside(const struct node *of);
struct node node_first_of(const struct node *of);
struct node node_after(const struct node *of, const struct node *each);
#define EACH_FROM(each, first, of)                                                                 \
    for (struct node each = (first); node_is_there(&(each)); (each) = node_after(of, &(each)))
#define EACH_MEMBER(each, object) EACH_FROM (each, node_members(object), object)
#define EACH_ELEMENT(each, list)  EACH_FROM (each, node_element(list, 0), list)
#define EACH_INSIDE(each, of)     EACH_FROM (each, node_inside(of), of)
#define EACH_OF(each, of)         EACH_FROM (each, node_first_of(of), of)
static inline bool node_is_there(const struct node *node)
{
    return node->value != NULL;
}
const char *node_string(const struct node *node); /* "" of anything else */
double node_number(const struct node *node);      /* 0 of anything else */
bool node_boolean(const struct node *node);       /* false of anything else */

/* As RFC 6901 writes it, but control characters are shown as ?, and cut with … where it does not fit. */
void node_pointer(const struct node *node, char *pointer, size_t size);

/* Says of all findings of which only the pointers are known where in the text, which is JSON, these are; `nearest`: or the
 * nearest around them. */
void document_locate(const char *text, size_t length, bool nearest,
                     struct diagnostics *diagnostics);

#endif
