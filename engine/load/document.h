/* A JSON text as a tree in which every value knows where it stands.
 *
 * The tree is jansson's; the places are found in the text itself, only when a diagnostic asks for
 * one, so that a sound file pays nothing for them. Only this file and text.c, which asks it what is
 * UTF-8, know jansson.
 *
 * A node is a value together with the way to it. It borrows its parent, which therefore must
 * outlive it: nodes live on the stack of the functions that walk down the tree. */
#ifndef ENGINE_LOAD_DOCUMENT_H
#define ENGINE_LOAD_DOCUMENT_H

#include "engine/load/diagnostic.h"

enum { DOCUMENT_DEPTH_MAX = 32 };

struct document {
    char *text; /* with a zero behind it */
    size_t length;
    void *root;
};

/* False when there is no tree: then the diagnostics say why. Double keys are reported and leave a
 * tree, in which the last one counts. */
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
};

enum node_type node_type(const struct node *node);
struct node node_member(const struct node *object, const char *key); /* absent if it is not there */
struct node node_element(const struct node *list, size_t index);
size_t node_count(const struct node *node); /* elements or members; 0 of anything else */

/* EACH_MEMBER (each, &object) goes through the members of an object in the order of the text, EACH_ELEMENT through the
 * elements of a list, EACH_INSIDE through either; of any other value there are none. EACH_OF goes through the elements of
 * a list, or takes any other value that is there for a list of one. */
struct node node_members(const struct node *object);
struct node node_inside(const struct node *of);
struct node node_after(const struct node *each);
struct node node_first_of(const struct node *of);
struct node node_next_of(const struct node *of, const struct node *each);
#define EACH_FROM(each, first, next)                                                               \
    for (struct node each = (first); node_is_there(&(each)); (each) = (next))
#define EACH_MEMBER(each, object) EACH_FROM (each, node_members(object), node_after(&(each)))
#define EACH_ELEMENT(each, list)  EACH_FROM (each, node_element(list, 0), node_after(&(each)))
#define EACH_INSIDE(each, of)     EACH_FROM (each, node_inside(of), node_after(&(each)))
#define EACH_OF(each, of)         EACH_FROM (each, node_first_of(of), node_next_of(of, &(each)))
static inline bool node_is_there(const struct node *node)
{
    return node->value != NULL;
}
const char *node_string(const struct node *node); /* "" of anything else */
double node_number(const struct node *node);      /* 0 of anything else */
bool node_boolean(const struct node *node);       /* false of anything else */

/* As RFC 6901 writes it, but control characters are shown as ?, and cut with … where it does not fit. */
void node_pointer(const struct node *node, char *pointer, size_t size);

enum node_part { NODE_KEY, NODE_VALUE };
/* A finding where the node's key or value begins; of an absent one, where its parent does. */
void document_report(const struct document *document, struct diagnostics *diagnostics,
                     enum diagnostic_severity severity, const struct node *node,
                     enum node_part part, const char *message, const char *hint);
/* An error at byte `offset` of the string that is the node's value, whatever escapes come before it. */
void document_report_in_string(const struct document *document, struct diagnostics *diagnostics,
                               const struct node *node, size_t offset, const char *message,
                               const char *hint);
/* Of findings that stand at line 1, column 1 only the pointers are known: says where these are in the text, or the nearest around
 * them. */
void document_locate(const char *text, size_t length, struct diagnostics *diagnostics);

#endif
