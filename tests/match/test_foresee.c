/* test_foresee.c -- what a seat is shown of its own action before the server has answered is what
 * it will be told: in all games, over random matches; and what chance or hidden things decide is
 * not shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "engine/events.h"
#include "match/foresee.h"
#include "match/match.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { MATCHES = 6, ACTIONS = 500, STEP = 8 };

/* What happened to the foreseen actions of one game. */
typedef struct Counts {
    uint32_t foreseen, chance, others;
} Counts;

/* Steps of several actions that were foreseen, and the actions in them. */
typedef struct StepCounts {
    uint32_t steps, actions;
} StepCounts;

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
    bench.events.max = STEP * bench.content->limits.events_max;
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
    bench->events.count = 0;
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

/* The next action of a step, if it can be foreseen behind the others and the engine takes it. */
static bool add(Bench *bench, uint8_t seat) {
    Match *match = &bench->match;
    uint32_t before = bench->events.count;
    if (match_result(match).over)
        return false;
    MashAction action =
        simulate_random_action(bench->content, match->state, &bench->chooser, bench->list);
    if (action.seat != seat || !foresee(bench->content, bench->view, action, bench->foresee_memory,
                                        bench->after, &bench->events)) {
        bench->events.count = before;
        return false;
    }
    /* What can be foreseen in a step is never refused there. */
    assert_int_equal(match_step_add(match, action), MASH_OK);
    memcpy(bench->view, bench->after, bench->content->limits.state_bytes);
    return true;
}

/* Random actions as one step, as many as can be foreseen one behind the other; else one action. */
static void play_step(Bench *bench, StepCounts *counts) {
    Match *match = &bench->match;
    MashAction first =
        simulate_random_action(bench->content, match->state, &bench->chooser, bench->list);
    uint32_t actions = 0;
    match_view(match, first.seat, bench->view);
    bench->events.count = 0;
    match_step_begin(match);
    while (actions < STEP && add(bench, first.seat))
        actions++;
    if (actions == 0) {
        match_step_cancel(match);
        assert_int_equal(match_apply(match, first), MASH_OK);
        return;
    }
    counts->steps += actions > 1;
    counts->actions += actions > 1 ? actions : 0;
    assert_int_equal(match->step_count, actions);
    match_view(match, first.seat, bench->after);
    assert_memory_equal(bench->after, bench->view, bench->content->limits.state_bytes);
    assert_events(bench, first.seat);
}

static void a_step_of_several_comes_true(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        StepCounts counts = {0};
        for (uint64_t number = 0; number < MATCHES; number++) {
            Bench bench = open_bench(*game, number);
            for (uint32_t i = 0; i < ACTIONS && !match_result(&bench.match).over; i++)
                play_step(&bench, &counts);
            close_bench(&bench);
        }
        print_message("%s: %u actions foreseen in %u steps\n", (*game)->id, counts.actions,
                      counts.steps);
        /* Where every action ends a turn there are no such steps. */
        assert_true(counts.steps > 20 || strcmp((*game)->id, "tablut") == 0);
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

/* Zorde, but with each action there are events for the other seat alone and for both. */
static void apply_with_secret(const MashContent *content, void *state, MashAction action,
                              MashChance *chance, MashEvents *events) {
    mash_game_find("zorde")->apply_listed(content, state, action, chance, events);
    MashEvent secret = event_new(MASH_EVENT_SPOKE, 0, MASH_UNIT_NONE);
    secret.seen_by = (uint8_t)(1 << (1 - action.seat));
    event_add(events, secret);
    event_add(events, event_new(MASH_EVENT_SPOKE, 1, MASH_UNIT_NONE));
}

/* A seat is not shown, nor told by their number, what only the other will see. */
static void what_others_see_is_not_foreseen(void **unused) {
    (void)unused;
    MashGame game = *mash_game_find("zorde");
    Bench bench = open_bench(mash_game_find("zorde"), 1);
    Counts counts = {0};
    game.apply_listed = apply_with_secret;
    bench.content->game = &game;
    play(&bench, &counts);
    assert_int_equal(counts.foreseen, 1);
    assert_int_equal(bench.events.list[bench.events.count - 1].unit, 1);
    for (uint32_t i = 0; i + 1 < bench.events.count; i++)
        assert_int_not_equal(bench.events.list[i].kind, MASH_EVENT_SPOKE);
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_foreseen_comes_true),
        cmocka_unit_test(a_step_of_several_comes_true),
        cmocka_unit_test(what_is_not_legal_is_not_foreseen),
        cmocka_unit_test(what_others_see_is_not_foreseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
