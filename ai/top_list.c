/* top_list.c -- see top_list.h. */
#include "ai/top_list.h"

/* Is this end better, or equally good and found earlier? */
static bool better(const TurnEnd *a, const TurnEnd *b) {
    return a->value != b->value ? a->value > b->value : a->order < b->order;
}

TurnEnd *top_list_at(const TopList *best, uint32_t rank) { return &best->ends[best->ranks[rank]]; }

/* Sifts the entry at this place down; the heap has `count` places. */
static void sift_down(TopList *best, uint32_t at, uint32_t count) {
    uint16_t moving = best->ranks[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && better(top_list_at(best, child), top_list_at(best, child + 1)))
            child++;
        if (better(top_list_at(best, child), &best->ends[moving]))
            break;
        best->ranks[at] = best->ranks[child];
    }
    best->ranks[at] = moving;
}

/* Sifts the entry at this place up. */
static void sift_up(TopList *best, uint32_t at) {
    uint16_t moving = best->ranks[at];
    while (at > 0) {
        uint32_t parent = (at - 1) / 2;
        if (!better(top_list_at(best, parent), &best->ends[moving]))
            break;
        best->ranks[at] = best->ranks[parent];
        at = parent;
    }
    best->ranks[at] = moving;
}

void top_list_clear(TopList *best, uint32_t max) {
    best->count = 0;
    best->max = max < best->capacity ? max : best->capacity;
}

TurnEnd *top_list_insert(TopList *best, int32_t value, uint32_t order) {
    TurnEnd found = {.value = value, .order = order};
    TurnEnd *end;
    if (best->count < best->max) {
        uint32_t place = best->count++;
        best->ranks[place] = (uint16_t)place;
        end = &best->ends[place];
        end->value = value;
        end->order = order;
        sift_up(best, place);
        return end;
    }
    if (best->count == 0 || !better(&found, top_list_at(best, 0)))
        return NULL;
    end = top_list_at(best, 0);
    end->value = value;
    end->order = order;
    sift_down(best, 0, best->count);
    return end;
}

void top_list_sort(TopList *best) {
    for (uint32_t count = best->count; count > 1; count--) {
        uint16_t worst = best->ranks[0];
        best->ranks[0] = best->ranks[count - 1];
        best->ranks[count - 1] = worst;
        sift_down(best, 0, count - 1);
    }
}

void top_list_resort(TopList *best, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint16_t moving = best->ranks[i];
        uint32_t to = i;
        for (; to > 0 && top_list_at(best, to - 1)->value < best->ends[moving].value; to--)
            best->ranks[to] = best->ranks[to - 1];
        best->ranks[to] = moving;
    }
}
