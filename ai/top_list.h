/* top_list.h -- the best of many moments, kept with the ways to them. Private to ai/. */
#ifndef AI_TOP_LIST_H
#define AI_TOP_LIST_H
#include "ai/ai.h"

/* The actions of one turn from its beginning on. */
typedef struct ActionPath {
    uint32_t count;
    MashAction actions[AI_PLAN_MAX];
} ActionPath;

/* A moment in or after a turn. */
typedef struct TurnEnd {
    int32_t value;  /* for the seat whose turn it is: at first as it stands, later as searched */
    uint32_t order; /* breaks ties: the lower one is better */
    bool by_chance; /* with other luck it would be another moment */
    ActionPath path;
    void *state;
    uint64_t hash;
} TurnEnd;

/* The best so far. While they are collected, `ranks` is a heap with the worst on top. */
typedef struct TopList {
    TurnEnd *ends;
    uint16_t *ranks; /* numbers of ends */
    uint32_t count, max;
    uint32_t capacity; /* that was lent */
} TopList;

/* Forgets all and will keep `max`, but no more than there is room for. */
void top_list_clear(TopList *best, uint32_t max);
/* A place for a moment of this value, whose path and state are then to be written; NULL: it is not
 * among the best. */
TurnEnd *top_list_insert(TopList *best, int32_t value, uint32_t order);
/* All have come: from now on ranks[0] is the best. */
void top_list_sort(TopList *best);
/* The values of the first `count` have changed: these are put in order anew, equals stay. */
void top_list_resort(TopList *best, uint32_t count);
/* Number `rank` from the best on. */
TurnEnd *top_list_at(const TopList *best, uint32_t rank);

#endif
