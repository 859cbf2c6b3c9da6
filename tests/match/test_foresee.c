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
typedef struct ForeseeFixture {
    MashContent *content;
    Match match;
    void *memory, *foresee_memory, *view, *after;
    MashEvents events;
    MashAction *list;
    MashChance chooser;
} ForeseeFixture;

static ForeseeFixture open_bench(const MashGame *game, uint64_t number) {
    MashSeed seed = {{number, 0x1218}};
    ForeseeFixture fixture = {.content = support_content(game, NULL),
                              .chooser = chance_sampled(number)};
    fixture.memory = support_memory(match_bytes(fixture.content));
    fixture.foresee_memory = support_memory(foresee_bytes(fixture.content));
    fixture.view = support_state(fixture.content);
    fixture.after = support_state(fixture.content);
    fixture.events.max = STEP * fixture.content->limits.events_max;
    fixture.events.list = support_memory(fixture.events.max * sizeof(MashEvent));
    fixture.list = support_memory((fixture.content->limits.actions_max + 1) * sizeof(MashAction));
    assert_int_equal(match_begin(&fixture.match, fixture.content, seed, NULL, fixture.memory),
                     MASH_OK);
    return fixture;
}

static void close_bench(ForeseeFixture *fixture) {
    void *all[] = {fixture->memory, fixture->foresee_memory, fixture->view,   fixture->after,
                   fixture->list,   fixture->events.list,    fixture->content};
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
        support_free(all[i]);
}

/* The events of the last action that the seat may see are those that were foreseen. */
static void assert_events(const ForeseeFixture *fixture, uint8_t seat) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < fixture->match.events.count; i++) {
        MashEvent event = fixture->match.events.list[i];
        if (!mash_event_seen(&event, seat))
            continue;
        event.seen_by = MASH_SEEN_BY_ALL;
        assert_true(at < fixture->events.count);
        assert_memory_equal(&event, &fixture->events.list[at++], sizeof event);
    }
    assert_int_equal(at, fixture->events.count);
}

/* One random action, foreseen if it can be. */
static void play(ForeseeFixture *fixture, Counts *counts) {
    Match *match = &fixture->match;
    MashAction action =
        simulate_random_action(fixture->content, match->state, &fixture->chooser, fixture->list);
    match_view(match, action.seat, fixture->view);
    fixture->events.count = 0;
    bool known = foresee(fixture->content, fixture->view, action, fixture->foresee_memory,
                         fixture->after, &fixture->events);
    assert_int_equal(match_apply(match, action), MASH_OK);
    bool chance = (match->notes[match->actions_count - 1] & MATCH_NOTE_CHANCE) != 0;
    counts->foreseen += known;
    counts->chance += chance;
    counts->others += !known && !chance;
    if (!known)
        return;
    assert_false(chance);
    match_view(match, action.seat, fixture->view);
    assert_memory_equal(fixture->after, fixture->view, fixture->content->limits.state_bytes);
    assert_events(fixture, action.seat);
}

static void what_is_foreseen_comes_true(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        Counts counts = {0};
        for (uint64_t number = 0; number < MATCHES; number++) {
            ForeseeFixture fixture = open_bench(*game, number);
            for (uint32_t i = 0; i < ACTIONS && !match_result(&fixture.match).over; i++)
                play(&fixture, &counts);
            close_bench(&fixture);
        }
        print_message("%s: %u foreseen, %u by chance, %u not to be known\n", (*game)->id,
                      counts.foreseen, counts.chance, counts.others);
        assert_true(counts.foreseen > counts.others);
    }
}

/* The next action of a step, if it can be foreseen behind the others and the engine takes it. */
static bool add(ForeseeFixture *fixture, uint8_t seat) {
    Match *match = &fixture->match;
    uint32_t before = fixture->events.count;
    if (match_result(match).over)
        return false;
    MashAction action =
        simulate_random_action(fixture->content, match->state, &fixture->chooser, fixture->list);
    if (action.seat != seat ||
        !foresee(fixture->content, fixture->view, action, fixture->foresee_memory, fixture->after,
                 &fixture->events)) {
        fixture->events.count = before;
        return false;
    }
    /* What can be foreseen in a step is never refused there. */
    assert_int_equal(match_step_add(match, action), MASH_OK);
    memcpy(fixture->view, fixture->after, fixture->content->limits.state_bytes);
    return true;
}

/* Random actions as one step, as many as can be foreseen one behind the other; else one action. */
static void play_step(ForeseeFixture *fixture, StepCounts *counts) {
    Match *match = &fixture->match;
    MashAction first =
        simulate_random_action(fixture->content, match->state, &fixture->chooser, fixture->list);
    uint32_t actions = 0;
    match_view(match, first.seat, fixture->view);
    fixture->events.count = 0;
    match_step_begin(match);
    while (actions < STEP && add(fixture, first.seat))
        actions++;
    if (actions == 0) {
        match_step_cancel(match);
        assert_int_equal(match_apply(match, first), MASH_OK);
        return;
    }
    counts->steps += actions > 1;
    counts->actions += actions > 1 ? actions : 0;
    assert_int_equal(match->step_count, actions);
    match_view(match, first.seat, fixture->after);
    assert_memory_equal(fixture->after, fixture->view, fixture->content->limits.state_bytes);
    assert_events(fixture, first.seat);
}

static void a_step_of_several_comes_true(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        StepCounts counts = {0};
        for (uint64_t number = 0; number < MATCHES; number++) {
            ForeseeFixture fixture = open_bench(*game, number);
            for (uint32_t i = 0; i < ACTIONS && !match_result(&fixture.match).over; i++)
                play_step(&fixture, &counts);
            close_bench(&fixture);
        }
        print_message("%s: %u actions foreseen in %u steps\n", (*game)->id, counts.actions,
                      counts.steps);
        /* Where every action ends a turn there are no such steps. */
        assert_true(counts.steps > 20 || strcmp((*game)->id, "tablut") == 0);
    }
}

static void what_is_not_legal_is_not_foreseen(void **unused) {
    (void)unused;
    ForeseeFixture fixture = open_bench(mash_game_find("zorde"), 1);
    match_view(&fixture.match, 0, fixture.view);
    assert_false(foresee(fixture.content, fixture.view, (MashAction){.verb = 99},
                         fixture.foresee_memory, fixture.after, &fixture.events));
    close_bench(&fixture);
}

/* Room for as many events as an action may have is enough, and one less is not. */
static void there_must_be_room_for_all_events(void **unused) {
    (void)unused;
    ForeseeFixture fixture = open_bench(mash_game_find("zorde"), 1);
    const uint32_t most = fixture.content->limits.events_max;
    MashAction action = simulate_random_action(fixture.content, fixture.match.state,
                                               &fixture.chooser, fixture.list);
    match_view(&fixture.match, action.seat, fixture.view);
    for (uint32_t room = most - 1; room <= most; room++) {
        fixture.events.count = 0;
        fixture.events.max = room;
        assert_int_equal(foresee(fixture.content, fixture.view, action, fixture.foresee_memory,
                                 fixture.after, &fixture.events),
                         room == most);
    }
    close_bench(&fixture);
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
    ForeseeFixture fixture = open_bench(mash_game_find("zorde"), 1);
    Counts counts = {0};
    game.apply_listed = apply_with_secret;
    fixture.content->game = &game;
    play(&fixture, &counts);
    assert_int_equal(counts.foreseen, 1);
    assert_int_equal(fixture.events.list[fixture.events.count - 1].unit, 1);
    for (uint32_t i = 0; i + 1 < fixture.events.count; i++)
        assert_int_not_equal(fixture.events.list[i].kind, MASH_EVENT_SPOKE);
    close_bench(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_foreseen_comes_true),
        cmocka_unit_test(a_step_of_several_comes_true),
        cmocka_unit_test(what_is_not_legal_is_not_foreseen),
        cmocka_unit_test(there_must_be_room_for_all_events),
        cmocka_unit_test(what_others_see_is_not_foreseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
