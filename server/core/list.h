/* A list through links that lie in its members; a link knows whose it is.
 *
 *     list_append(&core->idle, &room->idle_link, room);
 *     for (struct room *oldest; (oldest = list_first(&core->idle)) != NULL;) …
 *     list_remove(&room->idle_link);        a link that is in no list may be removed, too */
#ifndef SERVER_CORE_LIST_H
#define SERVER_CORE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct link {
    struct link *previous, *next; /* NULL: in no list */
    void *owner;
};
struct list {
    struct link ends; /* a ring; `next` is the first */
};

static inline void list_init(struct list *list)
{
    list->ends = (struct link){&list->ends, &list->ends, NULL};
}

static inline bool link_listed(const struct link *link)
{
    return link->next != NULL;
}

static inline void list_remove(struct link *link)
{
    if (!link_listed(link))
        return;
    link->previous->next = link->next;
    link->next->previous = link->previous;
    *link = (struct link){NULL, NULL, NULL};
}

static inline void list_append(struct list *list, struct link *link, void *owner)
{
    list_remove(link);
    *link = (struct link){list->ends.previous, &list->ends, owner};
    link->previous->next = link;
    link->next->previous = link;
}

static inline void *list_first(const struct list *list)
{
    return list->ends.next->owner; /* the ring's own link has no owner: NULL when empty */
}

#endif
