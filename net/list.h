/* list.h -- intrusive circular lists: queues from which any element can be removed in constant
 * time. */
#ifndef NET_LIST_H
#define NET_LIST_H
#include <stdbool.h>
#include <stddef.h>

/* A link inside an element of a list, or the head of the list. */
typedef struct ListLink {
    struct ListLink *previous, *next;
} ListLink;

/* The struct that contains this link. */
#define LIST_ENTRY(link, Type, member) ((Type *)(void *)((char *)(link)-offsetof(Type, member)))

/* Initialises an empty list, or a link that is in none. */
static inline void list_init(ListLink *row) { row->previous = row->next = row; }
/* Is the list empty? For a link: is it in no list? */
static inline bool list_empty(const ListLink *row) { return row->next == row; }
/* Removes the link from its list, if any. */
static inline void list_remove(ListLink *link) {
    link->previous->next = link->next;
    link->next->previous = link->previous;
    list_init(link);
}
/* Moves the link to the end of the list, from wherever it was. */
static inline void list_append(ListLink *row, ListLink *link) {
    list_remove(link);
    link->previous = row->previous;
    link->next = row;
    row->previous->next = link;
    row->previous = link;
}

#endif
