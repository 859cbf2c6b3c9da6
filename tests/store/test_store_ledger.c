/* test_store_ledger.c -- the ledger against plain arrays, in long random runs: which matches are
 * open, which bytes of which segment are theirs, and so which segments are still needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/chance.h"
#include "store/ledger.h"

enum { MATCHES = 40, SEGMENTS = 30, STEPS = 4000, FIRST = 3, MATCHES_MAX = 32 };

/* The expected ledger: bytes of each match in each segment, 0 where there are none. */
typedef struct LedgerModel {
    bool open[MATCHES];
    uint64_t bytes[MATCHES][SEGMENTS];
    bool there[SEGMENTS];
    uint64_t length[SEGMENTS];
    uint32_t matches, last; /* how many are open; the newest segment */
} LedgerModel;

static uint64_t live(const LedgerModel *model, uint32_t segment) {
    uint64_t sum = 0;
    for (uint32_t match = 0; match < MATCHES; match++)
        sum += model->bytes[match][segment];
    return sum;
}

/* Ids that collide in their buckets now and then. */
static uint64_t id_of(uint32_t match) { return (uint64_t)match * 64 + 1; }

static void compare(const OpenMatches *ledger, const LedgerModel *model) {
    uint32_t segments = 0;
    OpenMatch *all[MATCHES_MAX];
    assert_int_equal(ledger->matches_count, model->matches);
    for (uint32_t i = 0; i < MATCHES; i++) {
        const OpenMatch *match = ledger_find(ledger, id_of(i));
        assert_int_equal(match != NULL, model->open[i]);
        if (match == NULL)
            continue;
        assert_int_equal(match->id, id_of(i));
        uint64_t found[SEGMENTS] = {0};
        for (uint32_t at = 0; at < match->extents_count; at++)
            found[match->extents[at].segment - FIRST] += match->extents[at].bytes;
        assert_memory_equal(found, model->bytes[i], sizeof found);
        for (uint32_t at = 1; at < match->extents_count; at++)
            assert_true(match->extents[at].segment > match->extents[at - 1].segment);
    }
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        const LedgerSegment *segment = ledger_segment(ledger, FIRST + i);
        assert_int_equal(segment != NULL, model->there[i]);
        segments += model->there[i];
        if (segment == NULL)
            continue;
        assert_int_equal(segment->number, FIRST + i);
        assert_int_equal(segment->bytes, model->length[i]);
        assert_int_equal(segment->live, live(model, i));
    }
    assert_int_equal(ledger->segments_count, segments);
    ledger_list(ledger, all);
    for (size_t i = 0; i < ledger->matches_count; i++)
        for (size_t j = 0; j < i; j++)
            assert_ptr_not_equal(all[i], all[j]);
}

static void add_or_count(OpenMatches *ledger, LedgerModel *model, uint32_t i, uint64_t bytes) {
    OpenMatch *match = ledger_add(ledger, id_of(i));
    assert_int_equal(match == NULL, !model->open[i] && model->matches == MATCHES_MAX);
    if (match == NULL)
        return;
    model->matches += !model->open[i];
    model->open[i] = true;
    assert_true(ledger_count(ledger, match, FIRST + model->last, bytes));
    model->bytes[i][model->last] += bytes;
}

static void forget(OpenMatches *ledger, LedgerModel *model, uint32_t i) {
    OpenMatch *match = ledger_find(ledger, id_of(i));
    if (match == NULL)
        return;
    ledger_forget(ledger, match);
    model->open[i] = false;
    model->matches--;
    memset(model->bytes[i], 0, sizeof model->bytes[i]);
}

/* Rewrites the oldest segments up to the one before the last as the first of them, or only prepares
 * it. */
static void move(OpenMatches *ledger, LedgerModel *model, bool cancelled) {
    uint32_t first = 0;
    while (!model->there[first])
        first++;
    if (first + 1 >= model->last)
        return;
    uint32_t last = first + 1;
    uint64_t length = 64;
    for (uint32_t i = 0; i < MATCHES; i++) {
        OpenMatch *match = ledger_find(ledger, id_of(i));
        if (match == NULL)
            continue;
        match->moving = model->bytes[i][first] + model->bytes[i][last];
        length += match->moving;
    }
    if (cancelled) {
        open_matches_cancel_move(ledger);
        for (uint32_t i = 0; i < MATCHES; i++)
            assert_true(!model->open[i] || ledger_find(ledger, id_of(i))->moving == 0);
        return;
    }
    ledger_moved(ledger, FIRST + first, FIRST + last, length);
    for (uint32_t i = 0; i < MATCHES; i++) {
        model->bytes[i][first] += model->bytes[i][last];
        model->bytes[i][last] = 0;
        assert_true(!model->open[i] || ledger_find(ledger, id_of(i))->moving == 0);
    }
    model->length[first] = length;
    if (model->there[last])
        model->there[last] = false;
}

static void one_run(uint64_t seed) {
    LedgerModel model = {.last = 0};
    OpenMatches ledger;
    MashChance chance = chance_sampled(seed);
    assert_true(ledger_init(&ledger, MATCHES_MAX));
    model.there[0] = ledger_open_segment(&ledger, FIRST, 64);
    model.length[0] = 64;
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t what = chance_below(&chance, 100), i = chance_below(&chance, MATCHES);
        if (what < 60) {
            add_or_count(&ledger, &model, i, 1 + chance_below(&chance, 500));
        } else if (what < 90) {
            forget(&ledger, &model, i);
        } else if (what < 93 && model.last + 1 < SEGMENTS) {
            model.last++;
            assert_true(ledger_open_segment(&ledger, FIRST + model.last, 100 + model.last));
            model.there[model.last] = true;
            model.length[model.last] = 100 + model.last;
        } else if (what < 96) {
            uint32_t old = chance_below(&chance, model.last + 1);
            if (old < model.last && model.there[old] && live(&model, old) == 0) {
                ledger_remove_segment(&ledger, FIRST + old);
                model.there[old] = false;
            }
        } else {
            move(&ledger, &model, what == 99);
        }
        compare(&ledger, &model);
    }
    ledger_release(&ledger);
}

static void the_ledger_counts_like_a_model(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 3; seed++)
        one_run(seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_ledger_counts_like_a_model)};
    return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
