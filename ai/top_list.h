/* top_list.h -- the best of many states, kept with the actions that lead to them. Private to ai/.
 */
#ifndef AI_TOP_LIST_H
#define AI_TOP_LIST_H
#include "ai/ai.h"

/* The actions of one turn from its beginning on; as the answer of a search, its principal
 * variation. */
typedef struct ActionPath {
    uint32_t count;
    MashAction actions[AI_PLAN_MAX];
} ActionPath;

/* Copies no more than there is: turns are short. */
static inline void path_copy(ActionPath *to, const ActionPath *from) {
    to->count = from->count;
    for (uint32_t i = 0; i < from->count; i++)
        to->actions[i] = from->actions[i];
}

/* A state during or after a turn. */
typedef struct TurnEnd {
    int32_t
        value; /* evaluation for the seat whose turn it is: at first static, later as searched */
    uint32_t order; /* breaks ties: the lower one is better */
    bool by_chance; /* depends on chance: another sample would lead to another state */
    ActionPath path;
    void *state;
    uint64_t hash;
} TurnEnd;

/* The best so far. While they are collected, `ranks` is a heap with the worst on top. */
typedef struct TopList {
    TurnEnd *ends;
    uint16_t *ranks; /* indices of ends */
    uint32_t count, max;
    uint32_t capacity; /* lent places */
} TopList;

/* Clears the list and sets how many to keep, at most its capacity. */
void top_list_clear(TopList *best, uint32_t max);
/* A place for a state with this evaluation; the caller writes its path and state. NULL: it is not
 * among the best. */
TurnEnd *top_list_insert(TopList *best, int32_t value, uint32_t order);
/* All have been inserted: from now on ranks[0] is the best. */
void top_list_sort(TopList *best);
/* The evaluations of the first `count` have changed: sorts these again; the sort is stable. */
void top_list_resort(TopList *best, uint32_t count);
/* The entry at this rank; 0 is the best. */
TurnEnd *top_list_at(const TopList *best, uint32_t rank);

#endif
