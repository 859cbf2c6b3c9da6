/* test_steps.c -- several actions as one step: all of them or none, and only the last may end a
 * turn, draw chance or reveal something; and what a seat may undo: only what taught it nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "match/match.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { LAST_ONLY = MATCH_NOTE_CHANCE | MATCH_NOTE_REVEALED | MATCH_NOTE_TURN, TRIES = 400 };

static const MashSeed seed = {{0x1218, 0xfeed}};

/* Two matches of the same seed: one is played by single actions, the other by steps. */
typedef struct Pair {
    MashContent *content;
    Match single, steps;
    void *memory[2], *state;
    MashAction *list;
    MashChance chooser;
} Pair;

static Pair open_pair(const MashGame *game, const char *preset) {
    Pair pair = {.content = support_content(game, preset), .chooser = chance_sampled(11)};
    for (int i = 0; i < 2; i++) {
        pair.memory[i] = support_memory(match_bytes(pair.content));
        assert_int_equal(match_begin(i == 0 ? &pair.single : &pair.steps, pair.content, seed, NULL,
                                     pair.memory[i]),
                         MASH_OK);
    }
    pair.state = support_state(pair.content);
    pair.list = support_memory((pair.content->limits.actions_max + 1) * sizeof(MashAction));
    return pair;
}

static void close_pair(Pair *pair) {
    support_free(pair->memory[0]);
    support_free(pair->memory[1]);
    support_free(pair->state);
    support_free(pair->list);
    support_free(pair->content);
}

/* Both have the same state and the same actions. */
static void assert_same(const Pair *pair) {
    assert_memory_equal(pair->single.state, pair->steps.state, pair->content->limits.state_bytes);
    assert_int_equal(pair->single.actions_count, pair->steps.actions_count);
    assert_memory_equal(pair->single.actions, pair->steps.actions,
                        pair->single.actions_count * sizeof(MashAction));
    assert_int_equal(pair->single.offers, pair->steps.offers);
}

static MashAction any_action(Pair *pair, const Match *match) {
    return simulate_random_action(pair->content, match->state, &pair->chooser, pair->list);
}

/* What the events of the last action say about it is in its note, with whether it drew chance; a
 * turn may also end without an event that says so. */
static void assert_noted(const Match *match) {
    uint8_t told = 0, note = match->notes[match->actions_count - 1];
    for (uint32_t i = 0; i < match->events.count; i++)
        told |= match_event_note(match->content->game, &match->events.list[i]);
    assert_int_equal(note & MATCH_NOTE_REVEALED, told & MATCH_NOTE_REVEALED);
    assert_int_equal(note & told, told);
}

/* Up to `most` actions of one seat by the match of single actions; how many may be one step. */
static uint32_t play_ahead(Pair *pair, MashAction *actions, uint32_t most, uint32_t *made) {
    uint32_t fit = 0;
    bool open = true;
    for (*made = 0; *made < most && !match_result(&pair->single).over; ++*made) {
        MashAction action = any_action(pair, &pair->single);
        if (*made > 0 && action.seat != actions[0].seat)
            break;
        actions[*made] = action;
        assert_int_equal(match_apply(&pair->single, action), MASH_OK);
        assert_noted(&pair->single);
        fit += open;
        open &= (pair->single.notes[pair->single.actions_count - 1] & LAST_ONLY) == 0;
    }
    return fit;
}

/* The events of the last `count` actions of the match of single actions are those of the step, in
 * order. */
static void assert_events(Pair *pair, uint32_t count) {
    uint32_t all = pair->single.actions_count, events = 0;
    for (uint32_t i = all - count + 1; i <= all; i++) {
        assert_true(match_rewind(&pair->single, i));
        assert_true(events + pair->single.events.count <= pair->steps.events.count);
        assert_memory_equal(pair->steps.events.list + events, pair->single.events.list,
                            pair->single.events.count * sizeof(MashEvent));
        events += pair->single.events.count;
        pair->single.actions_count = all;
    }
    assert_int_equal(events, pair->steps.events.count);
}

/* A step does what its actions do one after the other; one that goes on too far does nothing. */
static void try_step(Pair *pair, uint32_t *whole, uint32_t *cancelled) {
    MashAction actions[4];
    uint32_t made, before = pair->single.actions_count;
    uint32_t fit = play_ahead(pair, actions, 4, &made);
    if (made == 0)
        return;
    memcpy(pair->state, pair->steps.state, pair->content->limits.state_bytes);
    match_step_begin(&pair->steps);
    for (uint32_t i = 0; i < fit; i++)
        assert_int_equal(match_step_add(&pair->steps, actions[i]), MASH_OK);
    assert_memory_equal(pair->steps.previous, pair->state, pair->content->limits.state_bytes);
    if (fit < made) {
        assert_int_equal(match_step_add(&pair->steps, actions[fit]), MASH_STEP_OVER);
        match_step_cancel(&pair->steps);
        assert_int_equal(pair->steps.actions_count, before);
        assert_memory_equal(pair->steps.state, pair->state, pair->content->limits.state_bytes);
        match_step_begin(&pair->steps);
        for (uint32_t i = 0; i < fit; i++)
            assert_int_equal(match_step_add(&pair->steps, actions[i]), MASH_OK);
        assert_true(match_rewind(&pair->single, before + fit));
        ++*cancelled;
    }
    *whole += fit > 1;
    assert_int_equal(pair->steps.step_count, fit);
    assert_same(pair);
    assert_events(pair, fit);
}

static void a_step_is_what_its_actions_are(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        Pair pair = open_pair(*game, NULL);
        uint32_t whole = 0, cancelled = 0;
        for (uint32_t i = 0; i < TRIES && !match_result(&pair.single).over; i++)
            try_step(&pair, &whole, &cancelled);
        print_message("%s: %u steps of several actions, %u that went on too far\n", (*game)->id,
                      whole, cancelled);
        assert_true(whole > 0 || strcmp((*game)->id, "tablut") == 0);
        uint32_t count = pair.steps.actions_count, step = pair.steps.step_count;
        uint32_t events = pair.steps.events.count;
        assert_true(match_rewind(&pair.steps, count)); /* steps stay steps */
        assert_int_equal(pair.steps.step_count, step);
        assert_int_equal(pair.steps.events.count, events);
        assert_same(&pair);
        close_pair(&pair);
    }
}

/* Places all pieces of a seat of Generals and says that it is ready, as a list of actions. */
static uint32_t placement(Pair *pair, uint8_t seat, MashAction *out) {
    const MashGame *game = pair->content->game;
    uint32_t count = 0;
    while ((game->awaited(pair->content, pair->single.state) >> seat & 1) != 0) {
        uint32_t all = game->actions(pair->content, pair->single.state, seat, pair->list);
        assert_true(all > 0);
        out[count] = pair->list[0];
        assert_int_equal(match_apply(&pair->single, out[count++]), MASH_OK);
        if (game->awaited(pair->content, pair->single.state) == (1u << (1 - seat)))
            break;
    }
    return count;
}

static void an_army_is_placed_as_one_step_or_not_at_all(void **unused) {
    (void)unused;
    Pair pair = open_pair(mash_game_find("generals"), NULL);
    MashAction actions[MATCH_STEP_MAX];
    uint32_t count = placement(&pair, 0, actions);
    assert_int_equal(count, 22);
    memcpy(pair.state, pair.steps.state, pair.content->limits.state_bytes);
    for (uint32_t wrong = 0; wrong < count; wrong++) {
        match_step_begin(&pair.steps);
        for (uint32_t i = 0; i < wrong; i++)
            assert_int_equal(match_step_add(&pair.steps, actions[i]), MASH_OK);
        MashAction bad = actions[wrong];
        bad.y = 7; /* the other side's */
        bad.unit = 99;
        assert_int_not_equal(match_step_add(&pair.steps, bad), MASH_OK);
        match_step_cancel(&pair.steps);
        assert_int_equal(pair.steps.actions_count, 0);
        assert_memory_equal(pair.steps.state, pair.state, pair.content->limits.state_bytes);
    }
    match_step_begin(&pair.steps);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(match_step_add(&pair.steps, actions[i]), MASH_OK);
    assert_same(&pair);
    close_pair(&pair);
}

static void offers_and_too_many_actions_are_no_step(void **unused) {
    (void)unused;
    Pair pair = open_pair(mash_game_find("zorde"), "duel");
    match_step_begin(&pair.steps);
    assert_int_equal(match_step_add(&pair.steps, (MashAction){.verb = MASH_VERB_DRAW_OFFER}),
                     MASH_NO_SUCH_ACTION);
    pair.steps.step_count = MATCH_STEP_MAX;
    pair.steps.notes[0] = 0;
    pair.steps.actions_count = 1;
    assert_int_equal(match_step_add(&pair.steps, any_action(&pair, &pair.single)), MASH_TOO_OFTEN);
    match_step_begin(&pair.steps);
    MashAction action = any_action(&pair, &pair.single);
    pair.steps.events.count = MASH_STEP_EVENTS_MAX + 1; /* of the actions before it */
    assert_int_equal(match_step_add(&pair.steps, action), MASH_TOO_OFTEN);
    pair.steps.events.count = MASH_STEP_EVENTS_MAX;
    assert_int_equal(match_step_add(&pair.steps, action), MASH_OK);
    close_pair(&pair);
}

/* --- Undo ------------------------------------------------------------------------------------- */

enum { GUESSES = 12, UNDO_MATCHES = 6, UNDO_ACTIONS = 600 };

/* Were both ready? */
static bool begins_match(const MashEvents *events) {
    for (uint32_t i = 0; i < events->count; i++)
        if (events->list[i].kind == MASH_EVENT_MATCH_BEGAN)
            return true;
    return false;
}

/* The seat could have known what its last action would show it: in every state that its view of the
 * state before allows, it leads to the same view. Whether the other side is ready too is learned by
 * being ready oneself, and is no secret. */
static void assert_learned_nothing(Pair *pair, void *before) {
    const MashGame *game = pair->content->game;
    size_t bytes = pair->content->limits.state_bytes;
    MashAction action = pair->single.actions[pair->single.actions_count - 1];
    void *view = support_state(pair->content), *after = support_state(pair->content);
    memcpy(after, pair->single.state, bytes);
    game->hide(pair->content, after, action.seat);
    for (uint32_t i = 0; i < GUESSES; i++) {
        MashChance dice = chance_sampled(i + 1), chance = chance_sampled(1000 + i);
        memcpy(view, before, bytes);
        game->hide(pair->content, view, action.seat);
        if (game->guess != NULL)
            game->guess(pair->content, view, action.seat, &dice);
        assert_int_equal(mash_apply(pair->content, view, action, &chance, &pair->steps.events),
                         MASH_OK);
        if (begins_match(&pair->steps.events))
            continue;
        game->hide(pair->content, view, action.seat);
        if (memcmp(view, after, bytes) != 0)
            fail_msg("%s: action %u (verb %u) may be undone, but seat %u learned something by it",
                     game->id, pair->single.actions_count, action.verb, action.seat);
    }
    support_free(view);
    support_free(after);
}

/* Did it show what was hidden? */
static bool reveals(const MashGame *game, const MashEvents *events) {
    bool shown = false;
    for (uint32_t i = 0; i < events->count; i++)
        shown |= events->list[i].kind == MASH_EVENT_REVEALED ||
                 events->list[i].kind == MASH_EVENT_FOUGHT ||
                 events->list[i].kind == MASH_EVENT_BLOCKED;
    return shown && game->guess != NULL;
}

/* One action; if it may be undone, undoing it gives the state before, and doing it again the state
 * after. */
static MatchUndo try_undo(Pair *pair) {
    Match *match = &pair->single;
    size_t bytes = pair->content->limits.state_bytes;
    uint32_t before = match->actions_count, left = UINT32_MAX;
    void *after = support_state(pair->content);
    memcpy(pair->state, match->state, bytes);
    MashAction action = any_action(pair, match);
    assert_int_equal(match_apply(match, action), MASH_OK);
    memcpy(after, match->state, bytes);
    MatchUndo undo = match_undo_check(match, action.seat, &left);
    if (reveals(pair->content->game, &match->events)) /* says so, whether or not the turn ended */
        assert_true(undo == MATCH_UNDO_OVER || undo == MATCH_UNDO_CHANCE ||
                    undo == MATCH_UNDO_REVEALED);
    assert_int_not_equal(match_undo_check(match, (uint8_t)(1 - action.seat), &left),
                         MATCH_UNDO_POSSIBLE);
    if (undo == MATCH_UNDO_POSSIBLE) {
        assert_int_equal(match_undo_check(match, action.seat, &left), MATCH_UNDO_POSSIBLE);
        assert_int_equal(left, before);
        assert_learned_nothing(pair, pair->state);
        match_undo(match, left);
        assert_int_equal(match->actions_count, before);
        assert_int_equal(match->events.count, 0);
        assert_memory_equal(match->state, pair->state, bytes);
        assert_memory_equal(match->previous, after, bytes);
        assert_int_equal(match_apply(match, action), MASH_OK);
        assert_memory_equal(match->state, after, bytes);
    }
    support_free(after);
    return undo;
}

static void what_may_be_undone_taught_nobody_anything(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        uint32_t counts[MATCH_UNDO_COUNT] = {0};
        for (uint64_t number = 0; number < UNDO_MATCHES; number++) {
            Pair pair = open_pair(*game, NULL);
            pair.chooser = chance_sampled(number);
            for (uint32_t i = 0; i < UNDO_ACTIONS && !match_result(&pair.single).over; i++)
                counts[try_undo(&pair)]++;
            close_pair(&pair);
        }
        print_message("%s:", (*game)->id);
        for (uint32_t i = 0; i < MATCH_UNDO_COUNT; i++)
            print_message(" %s %u", match_undo_id((MatchUndo)i), counts[i]);
        print_message("\n");
        assert_int_equal(counts[MATCH_UNDO_NOTHING], 0);
        assert_true(counts[MATCH_UNDO_POSSIBLE] > 0 || strcmp((*game)->id, "tablut") == 0);
        assert_true(counts[MATCH_UNDO_TURN_OVER] > 0);
    }
}

static void undo_says_why_not(void **unused) {
    (void)unused;
    Pair pair = open_pair(mash_game_find("zorde"), "duel");
    Match *match = &pair.single;
    uint32_t left = 7;
    assert_int_equal(match_undo_check(match, 0, &left), MATCH_UNDO_NOTHING);
    assert_false(match_before_step(match, MASH_SEAT_NONE, &left));
    MashAction first = any_action(&pair, match);
    uint8_t seat = first.seat;
    assert_int_equal(match_apply(match, first), MASH_OK);
    assert_int_equal(match_undo_check(match, seat, &left), MATCH_UNDO_POSSIBLE);
    MashAction offer = {.verb = MASH_VERB_DRAW_OFFER, .seat = seat};
    assert_int_equal(match_apply(match, offer), MASH_OK);
    assert_int_equal(match_undo_check(match, seat, &left), MATCH_UNDO_ANSWERED);
    assert_int_equal(match_undo_check(match, (uint8_t)(1 - seat), &left), MATCH_UNDO_NOTHING);
    left = 7;
    assert_true(match_before_step(match, seat, &left));
    assert_int_equal(left, 0);
    MashAction resign = {.verb = MASH_VERB_RESIGN, .seat = seat};
    assert_int_equal(match_apply(match, resign), MASH_OK);
    assert_int_equal(match_undo_check(match, seat, &left), MATCH_UNDO_OVER);
    match_undo(match, 0);
    assert_int_equal(match->offers, 0);
    close_pair(&pair);
}

static void a_step_is_undone_whole(void **unused) {
    (void)unused;
    Pair pair = open_pair(mash_game_find("generals"), NULL);
    MashAction actions[MATCH_STEP_MAX];
    uint32_t count = placement(&pair, 0, actions), left = 7;
    match_step_begin(&pair.steps);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(match_step_add(&pair.steps, actions[i]), MASH_OK);
    assert_int_equal(match_undo_check(&pair.steps, 0, &left), MATCH_UNDO_POSSIBLE);
    assert_int_equal(left, 0);
    assert_int_equal(match_undo_check(&pair.single, 0, &left), MATCH_UNDO_POSSIBLE);
    assert_int_equal(left, count - 1); /* single actions are steps of their own */
    close_pair(&pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_what_its_actions_are),
        cmocka_unit_test(an_army_is_placed_as_one_step_or_not_at_all),
        cmocka_unit_test(offers_and_too_many_actions_are_no_step),
        cmocka_unit_test(what_may_be_undone_taught_nobody_anything),
        cmocka_unit_test(undo_says_why_not),
        cmocka_unit_test(a_step_is_undone_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
