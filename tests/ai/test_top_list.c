/* test_top_list.c -- the list of the best keeps what sorting everything would keep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ai/top_list.h"
#include "base/chance.h"

enum { CAPACITY = 9, COMING_MAX = 40 };

/* An entry: a value, and its number, which breaks ties. */
typedef struct Came {
    int32_t value;
    uint32_t order;
} Came;

static int by_value(const void *one, const void *other) {
    const Came *a = one, *b = other;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* The list has exactly the best of these, the best first. */
static void has_the_best(const TopList *list, Came *came, uint32_t count, uint32_t max) {
    qsort(came, count, sizeof *came, by_value);
    assert_int_equal(list->count, count < max ? count : max);
    for (uint32_t i = 0; i < list->count; i++) {
        assert_int_equal(top_list_at(list, i)->value, came[i].value);
        assert_int_equal(top_list_at(list, i)->order, came[i].order);
    }
}

/* Values with few and with many ties come in any order, into lists of every length: an entry is
 * added only if it is among the best so far, and in the end exactly the best are there. */
static void the_best_are_kept_in_order(void **unused) {
    (void)unused;
    TurnEnd *ends = calloc(CAPACITY, sizeof *ends);
    uint16_t *ranks = calloc(CAPACITY, sizeof *ranks);
    TopList list = {.ends = ends, .ranks = ranks, .capacity = CAPACITY};
    MashChance chance = chance_sampled(1);
    for (uint32_t round = 0; round < 2000; round++) {
        Came came[COMING_MAX];
        uint32_t asked = round % (CAPACITY + 3), max = asked < CAPACITY ? asked : CAPACITY;
        uint32_t count = chance_below(&chance, COMING_MAX + 1), values = 1 + round % 50;
        top_list_clear(&list, asked);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t better = 0;
            came[i] = (Came){(int32_t)chance_below(&chance, values), COMING_MAX - i};
            if (round & 1)
                came[i].order = i;
            for (uint32_t j = 0; j < i; j++)
                better += by_value(&came[j], &came[i]) < 0;
            TurnEnd *end = top_list_insert(&list, came[i].value, came[i].order);
            assert_int_equal(end != NULL, better < max);
            assert_true(end == NULL ||
                        (end->value == came[i].value && end->order == came[i].order));
        }
        top_list_sort(&list);
        has_the_best(&list, came, count, max);
    }
    free(ends);
    free(ranks);
}

/* New values for the first entries: only these are sorted, and ties keep their order. */
static void new_values_are_put_in_order(void **unused) {
    (void)unused;
    TurnEnd ends[CAPACITY];
    uint16_t ranks[CAPACITY];
    TopList list = {.ends = ends, .ranks = ranks, .capacity = CAPACITY};
    MashChance chance = chance_sampled(2);
    for (uint32_t round = 0; round < 2000; round++) {
        Came came[CAPACITY];
        uint32_t first = round % (CAPACITY + 1);
        top_list_clear(&list, CAPACITY);
        for (uint32_t i = 0; i < CAPACITY; i++)
            assert_non_null(top_list_insert(&list, 100 - (int32_t)i, i));
        top_list_sort(&list);
        for (uint32_t i = 0; i < CAPACITY; i++) {
            if (i < first)
                top_list_at(&list, i)->value = (int32_t)chance_below(&chance, 5);
            came[i] = (Came){top_list_at(&list, i)->value, i};
        }
        top_list_resort(&list, first);
        qsort(came, first, sizeof *came, by_value);
        for (uint32_t i = 0; i < CAPACITY; i++) {
            assert_int_equal(top_list_at(&list, i)->value, came[i].value);
            assert_int_equal(top_list_at(&list, i)->order, came[i].order);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_are_kept_in_order),
        cmocka_unit_test(new_values_are_put_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
