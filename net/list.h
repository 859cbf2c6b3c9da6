/* list.h -- rings of links: things that wait in a row, and can leave from anywhere at once. */
#ifndef NET_LIST_H
#define NET_LIST_H
#include <stdbool.h>
#include <stddef.h>

/* A place in a row, inside the thing that stands there; or the row itself. */
typedef struct Link {
    struct Link *previous, *next;
} Link;

/* The thing that holds this link as its member. */
#define LIST_ENTRY(link, Type, member) ((Type *)(void *)((char *)(link)-offsetof(Type, member)))

/* An empty row, or a link that stands in none. */
static inline void list_init(Link *row) { row->previous = row->next = row; }
/* Does nobody stand in the row? For a link: does it stand in no row? */
static inline bool list_empty(const Link *row) { return row->next == row; }
/* Leaves the row it stands in, if any. */
static inline void list_remove(Link *link) {
    link->previous->next = link->next;
    link->next->previous = link->previous;
    list_init(link);
}
/* Goes to the end of the row, from wherever it stood. */
static inline void list_append(Link *row, Link *link) {
    list_remove(link);
    link->previous = row->previous;
    link->next = row;
    row->previous->next = link;
    row->previous = link;
}

#endif
