/* test_knowledge.c -- Generals by rule number: who knows what, and guesses that are consistent with
 * it. */
#include "games/generals/test_scene.h"

static const char few_pieces[] = "HN .  .  .  .  .  .  .  . "
                                 ".  .  .  .  .  .  .  .  . "
                                 ".  .  .  .  .  .  .  .  . "
                                 ".  .  H9 .  H3 .  HA .  . "
                                 ".  .  V8 .  V4 .  VA .  . "
                                 ".  .  .  .  .  .  .  .  . "
                                 ".  .  .  .  .  .  .  .  . "
                                 ".  .  .  .  .  .  .  V9 VN ";

/* --- Placement -------------------------------------------------------------------------------- */

/* [3.6] Whatever seat 1 does, seat 0 and spectators see the same, and get no events. */
static void nobody_learns_of_a_placement(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    MashAction actions[] = {{.verb = VERB_PLACE, .seat = 1, .x = 2, .y = 6, .amount = 29},
                            {.verb = VERB_RANDOM, .seat = 1},
                            {.verb = VERB_READY, .seat = 1}};
    scene->chance = chance_sampled(5);
    assert_int_equal(scene_plain(scene, 0, VERB_LAYOUT), MASH_OK);
    GeneralsState *before = scene_view(scene, 0);
    GeneralsState *watched = scene_view(scene, MASH_SEAT_SPECTATOR);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(scene_act(scene, actions[i]), MASH_OK);
        scene_expect_events(scene, 0, "");
        scene_expect_events(scene, MASH_SEAT_SPECTATOR, "");
        GeneralsState *after = scene_view(scene, 0);
        assert_memory_equal(after, before, sizeof *after);
        support_free(after);
        after = scene_view(scene, MASH_SEAT_SPECTATOR);
        assert_memory_equal(after, watched, sizeof *after);
        support_free(after);
    }
    assert_int_equal(scene_show(scene, before)->tokens_count, 21);
    assert_int_equal(scene_show(scene, watched)->tokens_count, 0);
    assert_int_equal(scene_show(scene, scene->state)->tokens_count, 42);
    support_free(before);
    support_free(watched);
    scene_free(scene);
}

/* [3.6] A guess places everything; it is ready unless that would have started play. */
static void a_guess_places_the_hidden_army(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    scene->chance = chance_sampled(6);
    uint8_t left[KINDS_MAX + 1];
    for (int ready = 0; ready < 2; ready++) {
        GeneralsState *view = scene_view(scene, 0), *guess = scene_view(scene, 0);
        generals_game.guess(scene->content, guess, 0, &scene->chance);
        assert_int_equal(generals_left(generals_content(scene->content), guess, 1, left), 0);
        assert_int_equal(guess->ready, ready ? 1 : 2);
        generals_game.hide(scene->content, guess, 0);
        assert_memory_equal(guess, view, sizeof *view);
        support_free(view);
        support_free(guess);
        if (ready)
            break;
        assert_int_equal(scene_plain(scene, 0, VERB_LAYOUT), MASH_OK);
        assert_int_equal(scene_plain(scene, 0, VERB_READY), MASH_OK);
    }
    scene_free(scene);
}

/* --- Views ------------------------------------------------------------------------------------ */

/* [7.1] Also of defeated pieces. */
static void a_seat_knows_its_own_ranks_only(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(few_pieces);
    GeneralsState *view = scene_view(scene, 1);
    scene_expect_of(scene, view,
                    "H? .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  H? .  H? .  H? .  . "
                    ".  .  V8 .  V4 .  VA .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  V9 VN ");
    const MashBoard *board = scene_show(scene, view);
    for (uint32_t unit = 0; unit < 42; unit++) {
        bool hidden = (board->tokens[unit].flags & MASH_TOKEN_HIDDEN) != 0;
        assert_int_equal(hidden, unit < 21);
    }
    support_free(view);
    scene_free(scene);
}

/* [7.2] */
static void watchers_know_no_ranks_unless_allowed(void **unused) {
    (void)unused;
    const int32_t options[] = {0, 0, 1};
    GeneralsScene *scene = scene_of(few_pieces);
    GeneralsState *view = scene_view(scene, MASH_SEAT_SPECTATOR);
    scene_expect_of(scene, view,
                    "H? .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  H? .  H? .  H? .  . "
                    ".  .  V? .  V? .  V? .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  V? V? ");
    support_free(view);
    scene_free(scene);
    scene = scene_new(options);
    assert_int_equal(scene_plain(scene, 0, VERB_LAYOUT), MASH_OK);
    assert_int_equal(scene->events.count, 21);
    assert_true(mash_event_seen(&scene->list[0], MASH_SEAT_SPECTATOR));
    assert_false(mash_event_seen(&scene->list[0], 1));
    view = scene_view(scene, MASH_SEAT_SPECTATOR);
    assert_memory_equal(view, scene->state, sizeof *view);
    support_free(view);
    scene_free(scene);
}

/* [7.3] */
static void open_ranks_are_known_from_the_first_turn_on(void **unused) {
    (void)unused;
    const int32_t options[] = {1, 0, 0};
    GeneralsScene *scene = scene_new(options);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        assert_int_equal(scene_plain(scene, seat, VERB_LAYOUT), MASH_OK);
    GeneralsState *view = scene_view(scene, 0);
    assert_int_equal(scene_show(scene, view)->tokens_count, 21);
    support_free(view);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        assert_int_equal(scene_plain(scene, seat, VERB_READY), MASH_OK);
    for (uint32_t seat = 0; seat < 3; seat++) {
        view = scene_view(scene, seat == 2 ? MASH_SEAT_SPECTATOR : (uint8_t)seat);
        assert_memory_equal(view, scene->state, sizeof *view);
        support_free(view);
    }
    assert_true(scene_show(scene, scene->state)->tokens[5].flags & MASH_TOKEN_REVEALED);
    scene_free(scene);
}

/* [7.4] Views show all ranks, and events reveal those that were hidden before the end is
 * reported. */
static void the_end_shows_everything(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(few_pieces);
    assert_int_equal(scene_plain(scene, 0, MASH_VERB_RESIGN), MASH_OK);
    assert_int_equal(scene->events.count, 43);
    for (uint8_t unit = 0; unit < 42; unit++) {
        assert_int_equal(scene->list[unit].kind, MASH_EVENT_REVEALED);
        assert_int_equal(scene->list[unit].unit, unit);
    }
    GeneralsState *view = scene_view(scene, MASH_SEAT_SPECTATOR);
    assert_memory_equal(view, scene->state, sizeof *view);
    support_free(view);
    scene_free(scene);
}

/* --- What a piece can be ---------------------------------------------------------------------- */

/* The set of a side's kinds with these names, as in the meter: bit 0 is the first kind. */
static int32_t set_of(const char *words) {
    int32_t set = 0;
    char word[8] = "H";
    int length;
    for (const char *at = words; sscanf(at, "%6s%n", word + 1, &length) == 1; at += length)
        set |= 1 << (scene_kind(word) - 1);
    return set;
}

static void expect_could_be(const GeneralsScene *scene, uint8_t seat, uint8_t unit,
                            const char *words) {
    GeneralsState *view = scene_view(scene, seat);
    assert_int_equal(scene_meter(scene, view, unit, METER_COULD_BE), set_of(words));
    support_free(view);
}

static const char all_kinds[] = "12 11 10 9 8 7 6 5 4 3 2 1 I A N";
static const char all_but_nexus[] = "12 11 10 9 8 7 6 5 4 3 2 1 I A";

/* [7.5] The Villains' knowledge after each battle of few_pieces. */
static void battles_tell_what_a_piece_can_be(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(few_pieces);
    uint8_t nine = scene_at(scene, 2, 3), three = scene_at(scene, 4, 3);
    uint8_t agent = scene_at(scene, 6, 3), eight = scene_at(scene, 2, 4);
    expect_could_be(scene, 1, nine, all_kinds);
    expect_could_be(scene, 1, 20, all_but_nexus);
    assert_int_equal(scene_step(scene, 2, 3, 2, 4), MASH_OK);
    expect_could_be(scene, 1, nine, "12 11 10 9 I");
    expect_could_be(scene, 0, eight, "8 7 6 5 4 3 2 1 A");
    assert_int_equal(scene_step(scene, 4, 4, 4, 3), MASH_OK);
    expect_could_be(scene, 1, three, "3 2 1 A");
    assert_int_equal(scene_step(scene, 6, 3, 6, 4), MASH_OK);
    expect_could_be(scene, 1, agent, "A");
    expect_could_be(scene, 0, scene_at(scene, 4, 3), "12 11 10 9 8 7 6 5 4 I");
    GeneralsState *view = scene_view(scene, MASH_SEAT_SPECTATOR);
    assert_int_equal(scene_meter(scene, view, nine, METER_COULD_BE), set_of(all_but_nexus));
    support_free(view);
    scene_free(scene);
}

/* [7.5] Stepping, the far row, and kinds that are all known. */
static void deeds_tell_what_a_piece_can_be(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    "V1 V2 .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    "H7 HA H1 .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  V9 VN ");
    uint8_t vision = scene_at(scene, 2, 6), low = scene_at(scene, 1, 1);
    assert_int_equal(scene_step(scene, 2, 6, 2, 7), MASH_OK);
    expect_could_be(scene, 1, vision, "11 10 9 8 7 6 5 4 3 2 1 I A");
    assert_int_equal(scene_step(scene, 1, 1, 1, 0), MASH_OK);
    expect_could_be(scene, 0, low, "11 10 9 8 7 6 5 4 3 2 1 I A");
    assert_int_equal(scene_step(scene, 0, 6, 0, 7), MASH_OK);
    assert_int_equal(scene_step(scene, 1, 0, 1, 1), MASH_OK);
    assert_int_equal(scene_step(scene, 2, 7, 2, 6), MASH_OK);
    scene->state->round = 4;
    assert_int_equal(scene_step(scene, 7, 7, 7, 6), MASH_OK);
    expect_could_be(scene, 0, scene_at(scene, 7, 6), all_but_nexus);
    expect_could_be(scene, 0, scene_at(scene, 0, 1), all_kinds);
    scene->state->pieces[scene_at(scene, 0, 7)].mark |= MARK_SHOWN;
    expect_could_be(scene, 1, vision, "11 10 9 8 6 5 4 3 2 1 I A");
    scene_free(scene);
}

/* [7.5] In an even round Thanos would not have snapped: the piece can still be him. */
static void an_even_round_tells_nothing_of_thanos(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    "H1 V2 .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  V9 VN ");
    scene->state->mover = 1;
    scene->state->round = 2;
    assert_int_equal(scene_step(scene, 1, 1, 1, 0), MASH_OK);
    expect_could_be(scene, 0, scene_at(scene, 1, 0), all_but_nexus);
    scene_free(scene);
}

/* --- Nothing leaks ---------------------------------------------------------------------------- */

/* [7.6] [6.4] [6.5] Two matches that differ only in the pieces around Panther and Spiderman: lists
 * and answers to all actions are equal. */
static void lists_and_refusals_do_not_depend_on_hidden_ranks(void **unused) {
    (void)unused;
    GeneralsScene *one = scene_of("HN .  .  .  .  .  .  .  . "
                                  ".  .  .  .  .  .  .  .  . "
                                  ".  .  .  .  .  .  .  .  . "
                                  ".  .  .  .  .  .  .  .  . "
                                  ".  .  .  .  .  .  .  .  . "
                                  ".  .  .  .  .  .  .  .  . "
                                  ".  .  .  .  .  .  H6 .  . "
                                  ".  .  .  .  .  VN .  H7 V9 ");
    GeneralsScene *other = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  H6 .  . "
                                    ".  .  .  .  .  V9 .  H7 VN ");
    MashAction lists[2][SCENE_ACTIONS];
    uint32_t count = generals_game.actions(one->content, one->state, 0, lists[0]);
    assert_int_equal(generals_game.actions(other->content, other->state, 0, lists[1]), count);
    assert_memory_equal(lists[0], lists[1], count * sizeof(MashAction));
    for (uint32_t number = 0; number < 200000; number++) {
        uint32_t bits = number * 2654435761u;
        MashAction action = {.verb = (uint8_t)(bits >> 28),
                             .unit = (uint8_t)(bits >> 20 & 63),
                             .x = (int8_t)(bits >> 16 & 15),
                             .y = (int8_t)(bits >> 12 & 15),
                             .other = (uint8_t)(bits >> 6 & 63)};
        if (action.verb == VERB_WEB)
            action.x = action.y = 0;
        assert_int_equal(generals_game.check(one->content, one->state, action),
                         generals_game.check(other->content, other->state, action));
    }
    scene_free(one);
    scene_free(other);
}

/* --- Guesses ---------------------------------------------------------------------------------- */

/* Guesses from the seat's view and asserts: its view is the same again, every rank occurs as often
 * as in the army, every piece is something it can be, and battles are consistent. */
static void expect_guess(const GeneralsScene *scene, const GeneralsState *state, uint8_t seat,
                         MashChance *chance, GeneralsState *guess) {
    const GeneralsContent *body = generals_content(scene->content);
    GeneralsState view = *state, again;
    uint16_t masks[SIDE_MAX];
    generals_game.hide(scene->content, &view, seat);
    *guess = view;
    generals_game.guess(scene->content, guess, seat, chance);
    again = *guess;
    generals_game.hide(scene->content, &again, seat);
    assert_memory_equal(&again, &view, sizeof view);
    for (uint8_t side = 0; side < MASH_SEATS; side++) {
        const GeneralsArmy *army = &body->army[side];
        int counts[KINDS_MAX + 1] = {0};
        for (uint32_t i = 0; i < army->pieces; i++)
            counts[guess->pieces[army->first + i].kind]++;
        for (uint32_t kind = 0; kind <= KINDS_MAX; kind++)
            assert_int_equal(counts[kind], army->kinds[kind].count);
        generals_could_be(body, &view, side, masks);
        for (uint32_t i = 0; i < army->pieces; i++)
            assert_true(masks[i] >> guess->pieces[army->first + i].kind & 1);
        /* With all ranks known, masks are empty where a battle is inconsistent. */
        generals_could_be(body, guess, side, masks);
        for (uint32_t i = 0; i < army->pieces; i++)
            assert_int_equal(masks[i], 1 << guess->pieces[army->first + i].kind);
    }
    assert_true(guess->second != 0 || generals_can_act(body, guess, guess->mover));
}

/* [7.1] [7.5] Through whole random matches, for both seats and spectators. */
static void guesses_fit_what_is_known(void **unused) {
    (void)unused;
    MashAction list[SCENE_ACTIONS];
    for (uint64_t match = 0; match < 60; match++) {
        const int32_t options[] = {0, (int32_t)(match % 3), 0};
        GeneralsScene *scene = scene_new(options);
        GeneralsState *guess = support_state(scene->content);
        MashChance chance = chance_sampled(match), dice = chance_sampled(match + 1000);
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
            MashAction random = {.verb = VERB_RANDOM, .seat = seat};
            scene->chance = chance_sampled(2 * match + seat);
            assert_int_equal(scene_act(scene, random), MASH_OK);
            assert_int_equal(scene_plain(scene, seat, VERB_READY), MASH_OK);
        }
        scene->chance = chance;
        while (!scene->state->common.over) {
            uint8_t seat = scene->state->mover;
            uint32_t count = generals_game.actions(scene->content, scene->state, seat, list);
            assert_int_equal(scene_act(scene, list[chance_below(&dice, count)]), MASH_OK);
            if (scene->state->common.over || chance_below(&dice, 10) > 0)
                continue;
            for (uint8_t viewer = 0; viewer < 3; viewer++)
                expect_guess(scene, scene->state, viewer == 2 ? MASH_SEAT_SPECTATOR : viewer, &dice,
                             guess);
        }
        support_free(guess);
        scene_free(scene);
    }
}

/* The defeated villains of a rank were defeated by the hero of that rank, whoever he was. */
static void let_fall(GeneralsState *state, uint8_t villain, uint8_t hero) {
    uint8_t to = 0;
    while (state->pieces[to].kind != hero)
        to++;
    for (uint8_t unit = 21; unit < 42; unit++)
        if (state->pieces[unit].kind == villain && state->pieces[unit].cell == CELL_GONE)
            state->pieces[unit].fell = (uint8_t)(FELL_BATTLE | (to + 1));
}

/* [7.5] Each villain was defeated by the hero one power above it, so that it can be only what is
 * below, and the agents by Vision, so that they can be nothing else: few assignments are left, and
 * one is always found. */
static void a_tight_deal_is_found(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(few_pieces);
    GeneralsState *state = scene->state, *guess = support_state(scene->content);
    MashChance dice = chance_sampled(77);
    for (uint8_t kind = 2; kind <= 12; kind++)
        let_fall(state, kind, (uint8_t)(kind - 1));
    let_fall(state, KIND_AGENT, 12);
    for (int i = 0; i < 2000; i++) {
        GeneralsState view = *state;
        generals_game.hide(scene->content, &view, 0);
        *guess = view;
        generals_game.guess(scene->content, guess, 0, &dice);
        uint16_t masks[SIDE_MAX];
        generals_could_be(generals_content(scene->content), &view, 1, masks);
        for (uint32_t unit = 21; unit < 42; unit++)
            assert_true(masks[unit - 21] >> guess->pieces[unit].kind & 1);
    }
    support_free(guess);
    scene_free(scene);
}

/* [8.4] The villains must act and one of their two pieces is webbed, so the other is not the
 * Nexus. */
static void a_guess_leaves_the_side_to_act_an_action(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  H6 . "
                                    "V9 .  .  .  .  .  .  .  VN ");
    GeneralsState *guess = support_state(scene->content);
    MashChance dice = chance_sampled(3);
    assert_int_equal(scene_web(scene, 7, 6, 8, 7), MASH_OK);
    for (int i = 0; i < 200; i++) {
        expect_guess(scene, scene->state, 0, &dice, guess);
        assert_int_equal(guess->pieces[scene_at(scene, 8, 7)].kind, KIND_NEXUS);
        expect_guess(scene, scene->state, MASH_SEAT_SPECTATOR, &dice, guess);
    }
    support_free(guess);
    scene_free(scene);
}

/* [7.5] Every rank that a piece can be occurs, and none too rarely, whatever is believed. */
static void guesses_vary(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(few_pieces);
    GeneralsState *guess = support_state(scene->content);
    MashChance dice = chance_sampled(9);
    int counts[KINDS_MAX + 1] = {0};
    assert_int_equal(scene_step(scene, 2, 3, 2, 4), MASH_OK);
    for (int i = 0; i < 13000; i++) {
        expect_guess(scene, scene->state, 0, &dice, guess);
        counts[guess->pieces[21].kind]++;
    }
    for (int kind = 1; kind <= KINDS_MAX; kind++) {
        int pieces = kind == KIND_AGENT ? 6 : kind >= 5 && kind <= 12 ? 1 : 0;
        assert_in_range(counts[kind], pieces * 100, pieces * 4000);
    }
    support_free(guess);
    scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_learns_of_a_placement),
        cmocka_unit_test(a_guess_places_the_hidden_army),
        cmocka_unit_test(a_seat_knows_its_own_ranks_only),
        cmocka_unit_test(watchers_know_no_ranks_unless_allowed),
        cmocka_unit_test(open_ranks_are_known_from_the_first_turn_on),
        cmocka_unit_test(the_end_shows_everything),
        cmocka_unit_test(battles_tell_what_a_piece_can_be),
        cmocka_unit_test(deeds_tell_what_a_piece_can_be),
        cmocka_unit_test(an_even_round_tells_nothing_of_thanos),
        cmocka_unit_test(lists_and_refusals_do_not_depend_on_hidden_ranks),
        cmocka_unit_test(guesses_fit_what_is_known),
        cmocka_unit_test(a_tight_deal_is_found),
        cmocka_unit_test(a_guess_leaves_the_side_to_act_an_action),
        cmocka_unit_test(guesses_vary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
