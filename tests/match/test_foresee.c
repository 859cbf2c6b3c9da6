/* test_foresee.c -- what a seat is shown of its own action before the server has answered is what
 * it will be told: in all games, over random matches; and what chance or hidden things decide is
 * not shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "match/foresee.h"
#include "match/match.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { MATCHES = 6, ACTIONS = 500 };

/* What happened to the foreseen actions of one game. */
typedef struct Counts {
    uint32_t foreseen, chance, others;
} Counts;

/* A match and the memory for looking ahead. */
typedef struct Bench {
    MashContent *content;
    Match match;
    void *memory, *foresee_memory, *view, *after;
    MashEvents events;
    MashAction *list;
    MashChance chooser;
} Bench;

static Bench open_bench(const MashGame *game, uint64_t number) {
    MashSeed seed = {{number, 0x1218}};
    Bench bench = {.content = support_content(game, NULL), .chooser = chance_sampled(number)};
    bench.memory = support_memory(match_bytes(bench.content));
    bench.foresee_memory = support_memory(foresee_bytes(bench.content));
    bench.view = support_state(bench.content);
    bench.after = support_state(bench.content);
    bench.events.max = bench.content->limits.events_max;
    bench.events.list = support_memory(bench.events.max * sizeof(MashEvent));
    bench.list = support_memory((bench.content->limits.actions_max + 1) * sizeof(MashAction));
    assert_int_equal(match_begin(&bench.match, bench.content, seed, NULL, bench.memory), MASH_OK);
    return bench;
}

static void close_bench(Bench *bench) {
    void *all[] = {bench->memory, bench->foresee_memory, bench->view,   bench->after,
                   bench->list,   bench->events.list,    bench->content};
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
        support_free(all[i]);
}

/* The events of the last action that the seat may see are those that were foreseen. */
static void assert_events(const Bench *bench, uint8_t seat) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < bench->match.events.count; i++) {
        MashEvent event = bench->match.events.list[i];
        if (!mash_event_seen(&event, seat))
            continue;
        event.seen_by = MASH_SEEN_BY_ALL;
        assert_true(at < bench->events.count);
        assert_memory_equal(&event, &bench->events.list[at++], sizeof event);
    }
    assert_int_equal(at, bench->events.count);
}

/* One random action, foreseen if it can be. */
static void play(Bench *bench, Counts *counts) {
    Match *match = &bench->match;
    MashAction action =
        simulate_random_action(bench->content, match->state, &bench->chooser, bench->list);
    match_view(match, action.seat, bench->view);
    bool known = foresee(bench->content, bench->view, action, bench->foresee_memory, bench->after,
                         &bench->events);
    assert_int_equal(match_apply(match, action), MASH_OK);
    bool chance = (match->notes[match->actions_count - 1] & MATCH_NOTE_CHANCE) != 0;
    counts->foreseen += known;
    counts->chance += chance;
    counts->others += !known && !chance;
    if (!known)
        return;
    assert_false(chance);
    match_view(match, action.seat, bench->view);
    assert_memory_equal(bench->after, bench->view, bench->content->limits.state_bytes);
    assert_events(bench, action.seat);
}

static void what_is_foreseen_comes_true(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        Counts counts = {0};
        for (uint64_t number = 0; number < MATCHES; number++) {
            Bench bench = open_bench(*game, number);
            for (uint32_t i = 0; i < ACTIONS && !match_result(&bench.match).over; i++)
                play(&bench, &counts);
            close_bench(&bench);
        }
        print_message("%s: %u foreseen, %u by chance, %u not to be known\n", (*game)->id,
                      counts.foreseen, counts.chance, counts.others);
        assert_true(counts.foreseen > counts.others);
    }
}

static void what_is_not_legal_is_not_foreseen(void **unused) {
    (void)unused;
    Bench bench = open_bench(mash_game_find("zorde"), 1);
    match_view(&bench.match, 0, bench.view);
    assert_false(foresee(bench.content, bench.view, (MashAction){.verb = 99}, bench.foresee_memory,
                         bench.after, &bench.events));
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_foreseen_comes_true),
        cmocka_unit_test(what_is_not_legal_is_not_foreseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
