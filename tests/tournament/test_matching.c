/* test_matching.c -- the cheapest matching against all matchings of small graphs, and what must
 * hold of large ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/chance.h"
#include "tournament/matching.h"

enum { SMALL = 10, GRAPHS = 3000, LARGE = 200 };

/* The least cost of matching the vertices that are not in `done`. */
static int64_t least(uint32_t n, const int64_t *costs, uint32_t done) {
    uint32_t first = 0;
    int64_t best = INT64_MAX;
    while (first < n && (done >> first & 1))
        first++;
    if (first == n)
        return 0;
    for (uint32_t other = first + 1; other < n; other++)
        if (!(done >> other & 1)) {
            int64_t sum =
                costs[first * n + other] + least(n, costs, done | 1u << first | 1u << other);
            best = sum < best ? sum : best;
        }
    return best;
}

/* The cost of partners, each of which must be the other's. */
static int64_t cost_of(uint32_t n, const int64_t *costs, const uint16_t *partners) {
    int64_t sum = 0;
    for (uint32_t v = 0; v < n; v++) {
        assert_true(partners[v] < n && partners[v] != v && partners[partners[v]] == v);
        sum += partners[v] > v ? costs[v * n + partners[v]] : 0;
    }
    return sum;
}

/* Symmetric costs below `values`, times a factor. */
static void fill(MashChance *chance, uint32_t n, int64_t *costs, uint32_t values, int64_t factor) {
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b <= a; b++)
            costs[a * n + b] = costs[b * n + a] = chance_below(chance, values) * factor;
}

static void test_small_graphs_are_matched_at_the_least_cost(void **state) {
    MashChance chance = chance_sampled(7);
    void *memory = malloc(matching_bytes(SMALL));
    (void)state;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        static const uint32_t values[] = {2, 3, 10, 1000};
        int64_t costs[SMALL * SMALL];
        uint16_t partners[SMALL];
        uint32_t n = 2 + 2 * chance_below(&chance, SMALL / 2);
        uint32_t range = values[chance_below(&chance, 4)];
        fill(&chance, n, costs, range, i % 2 == 0 ? 1 : MATCHING_COST_MAX / range);
        matching_find(n, costs, memory, partners);
        assert_true(cost_of(n, costs, partners) == least(n, costs, 0));
    }
    free(memory);
}

static void test_a_hidden_perfect_matching_without_cost_is_found(void **state) {
    MashChance chance = chance_sampled(8);
    void *memory = malloc(matching_bytes(LARGE));
    int64_t *costs = malloc(LARGE * LARGE * sizeof *costs);
    uint16_t partners[LARGE], order[LARGE];
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        fill(&chance, LARGE, costs, 5, 1);
        for (uint32_t v = 0; v < LARGE * LARGE; v++)
            costs[v]++;
        for (uint32_t v = 0; v < LARGE; v++) {
            uint32_t other = chance_below(&chance, v + 1);
            order[v] = order[other];
            order[other] = (uint16_t)v;
        }
        for (uint32_t v = 0; v < LARGE; v += 2)
            costs[order[v] * LARGE + order[v + 1]] = costs[order[v + 1] * LARGE + order[v]] = 0;
        matching_find(LARGE, costs, memory, partners);
        assert_int_equal(cost_of(LARGE, costs, partners), 0);
    }
    free(costs);
    free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs_are_matched_at_the_least_cost),
        cmocka_unit_test(test_a_hidden_perfect_matching_without_cost_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
