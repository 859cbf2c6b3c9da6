/* test_draft.c -- the choice of six, its secrecy, placing, and texts, by rule number. */
#include "games/marvelous-mashup/test_scene.h"

static const MashGame *const game = &marvelous_mashup_game;

/* The offers of a scripted set-up: even kinds to seat 0, odd ones to seat 1. */
static MarvelousScene even_and_odd(void) {
    MarvelousScene scene = scene_over(support_content(game, "starter-kit"), 0);
    uint32_t script[24];
    uint8_t left[24];
    for (uint8_t i = 0; i < 24; i++)
        left[i] = i;
    for (uint8_t i = 0; i < 12; i++) { /* as the rules draw: the last one takes the place */
        uint32_t place = 0;
        while (left[place] != 2 * i)
            place++;
        script[i] = place;
        left[place] = left[23 - i];
    }
    for (uint8_t i = 12; i < 24; i++)
        script[i] = 0;
    MashChance chance = chance_scripted(script, 24);
    assert_int_equal(game->setup(scene.content, NULL, &chance, scene.state), MASH_OK);
    assert_true(chance_used_up(&chance));
    return scene;
}

static MashAction choose(uint8_t seat, uint8_t place) {
    return (MashAction){
        .verb = VERB_CHOOSE, .seat = seat, .unit = (uint8_t)(UNIT_OFFERS + OFFERED * seat + place)};
}

/* [4.1] */
static void offers_are_disjoint(void **unused) {
    (void)unused;
    MarvelousScene scene = even_and_odd();
    for (uint8_t i = 0; i < OFFERED; i++) {
        assert_int_equal(scene.state->offers[0][i], 2 * i);
        assert_int_equal(scene.state->offers[1][i], 2 * i + 1);
    }
    scene_close(&scene);
    scene = scene_over(support_content(game, NULL), 0);
    int often[24] = {0};
    for (uint32_t i = 0; i < 2000; i++) {
        MashChance chance = chance_sampled(i);
        game->setup(scene.content, NULL, &chance, scene.state);
        int seen[24] = {0};
        for (int seat = 0; seat < 2; seat++)
            for (int place = 0; place < OFFERED; place++)
                seen[scene.state->offers[seat][place]]++;
        for (int kind = 0; kind < 24; kind++)
            assert_int_equal(seen[kind], 1);
        for (int place = 0; place < OFFERED; place++)
            often[scene.state->offers[0][place]]++;
    }
    for (int kind = 0; kind < 24; kind++)
        assert_in_range(often[kind], 880, 1120);
    scene_close(&scene);
}

/* [4.2] */
static void each_chooses_six(void **unused) {
    (void)unused;
    MarvelousScene scene = even_and_odd();
    MashAction list[200], wrong = choose(0, 0);
    assert_int_equal(game->awaited(scene.content, scene.state), 3);
    assert_int_equal(game->actions(scene.content, scene.state, 1, list), 12);
    REFUSED(&scene, choose(0, 12), NOT_OFFERED);
    wrong.unit = 3;
    REFUSED(&scene, wrong, NOT_OFFERED);
    wrong = choose(0, 0);
    wrong.x = 1;
    REFUSED(&scene, wrong, NO_SUCH_ACTION);
    wrong = choose(0, 0);
    wrong.verb = VERB_END;
    REFUSED(&scene, wrong, NOT_NOW);
    for (uint8_t i = 0; i < 6; i++)
        ACT(&scene, choose(0, (uint8_t)(2 * i)));
    REFUSED(&scene, choose(0, 1), NOT_YOUR_TURN);
    assert_int_equal(game->awaited(scene.content, scene.state), 2);
    ACT(&scene, choose(1, 3));
    REFUSED(&scene, choose(1, 3), ALREADY_TAKEN);
    assert_int_equal(game->actions(scene.content, scene.state, 1, list), 11);
    scene_close(&scene);
}

/* [4.3] What the other seat does changes no view and sends events to no other seat. */
static void choices_are_secret(void **unused) {
    (void)unused;
    MarvelousScene scene = even_and_odd();
    uint32_t bytes = scene.content->limits.state_bytes;
    void *before = support_state(scene.content), *after = support_state(scene.content);
    for (int i = 0; i < 5; i++) {
        for (uint8_t watcher = 1; watcher < 3; watcher++) {
            memcpy(before, scene.state, bytes);
            game->hide(scene.content, before, watcher);
            MarvelousScene next = scene;
            next.state = after;
            memcpy(after, scene.state, bytes);
            ACT(&next, choose(0, (uint8_t)i));
            assert_false(mash_event_seen(&scene.events.list[0], watcher));
            assert_true(mash_event_seen(&scene.events.list[0], 0));
            game->hide(scene.content, after, watcher);
            assert_memory_equal(before, after, bytes);
        }
        ACT(&scene, choose(0, (uint8_t)i));
        TOLD(&scene, ((const char *const[]){"chosen -/a 0,0>0,0 0 0", "chosen -/a 0,0>0,0 2 0",
                                            "chosen -/a 0,0>0,0 4 0", "chosen -/a 0,0>0,0 6 0",
                                            "chosen -/a 0,0>0,0 8 0"})[i]);
    }
    support_free(before);
    support_free(after);
    scene_close(&scene);
}

/* [4.3] A view does not reveal the opponent's offer; a guess fills it with others. */
static void offers_are_secret(void **unused) {
    (void)unused;
    MarvelousScene scene = even_and_odd();
    ACT(&scene, choose(0, 0));
    ACT(&scene, choose(1, 0));
    MarvelousState *view = scene.state;
    game->hide(scene.content, view, 1);
    for (int i = 0; i < OFFERED; i++)
        assert_int_equal(view->offers[0][i], KIND_HIDDEN);
    assert_int_equal(view->picked[0], 0);
    assert_int_equal(view->picked[1], 1);
    char memory[100];
    MashText text = text_over(memory, sizeof memory);
    game->unit_name(scene.content, view, UNIT_OFFERS, &text);
    assert_string_equal(memory, "#21");
    text_clear(&text);
    game->unit_name(scene.content, view, UNIT_OFFERS + OFFERED, &text);
    assert_string_equal(memory, "quic");
    MashChance chance = chance_sampled(9);
    game->guess(scene.content, view, 1, &chance);
    for (int i = 0; i < OFFERED; i++)
        assert_int_equal(view->offers[0][i], 2 * i);
    scene_close(&scene);
}

/* [4.4] */
static void the_clock_loses_a_choice(void **unused) {
    (void)unused;
    MarvelousScene scene = even_and_odd();
    for (uint8_t i = 0; i < 6; i++)
        ACT(&scene, choose(0, i));
    REFUSED(&scene, server_action(MASH_VERB_TIME_OVER, 0), NOT_NOW);
    ACT(&scene, server_action(MASH_VERB_TIME_OVER, 1));
    scene_ended(&scene, 0, MASH_REASON_TIME_OVER);
    scene_close(&scene);
}

/* [4.5] By characterID, in whatever order they were chosen. [4.6] Each on a random free cell, then
 * round 1 with Goose. */
static void heroes_take_their_places(void **unused) {
    (void)unused;
    MarvelousScene scene = even_and_odd();
    static const uint8_t order[6] = {11, 3, 7, 0, 5, 9};
    for (uint8_t i = 0; i < 6; i++)
        ACT(&scene, choose(0, order[i]));
    for (uint8_t i = 0; i < 5; i++)
        ACT(&scene, choose(1, order[i]));
    /* Places: 31 free cells, always the first; then the order of twelve; Goose's cell and stone */
    ACT_BY(&scene, choose(1, 9), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* places */
           11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 18, 5);
    static const uint8_t kinds[HEROES] = {0, 6, 10, 14, 18, 22, 1, 7, 11, 15, 19, 23};
    for (int hero = 0; hero < HEROES; hero++)
        assert_int_equal(scene.state->actors[hero].kind, kinds[hero]);
    LOOKS(&scene, "aAF....", "bB.#...", "cC.#...", "dD.#...", "eE###..", "f#####5");
    TOLD_FIRST(&scene, "chosen -/b 0,0>0,0 19 0", "revealed a/- 0,0>0,0 0 0",
               "revealed b/- 0,0>0,0 6 0");
    assert_true(scene_was_told(&scene, MASH_EVENT_PLACED, F));
    assert_true(scene_was_told(&scene, MASH_EVENT_MATCH_BEGAN, MASH_UNIT_NONE));
    assert_int_equal(scene.state->round, 1);
    assert_int_equal(scene.state->active, a);
    for (int seat = 0; seat < 2; seat++)
        assert_int_equal(scene.state->picked[seat], 0);
    scene_close(&scene);
}

/* A draw offer made during the draft does not lapse by a hidden choice, but by the first turn. */
static void offers_of_draws_tell_nothing(void **unused) {
    (void)unused;
    MarvelousScene scene = even_and_odd();
    ACT(&scene, ((MashAction){.verb = MASH_VERB_DRAW_OFFER, .seat = 0}));
    ACT(&scene, choose(1, 0));
    assert_int_equal(scene.events.count, 1);
    ALLOWED(&scene, ((MashAction){.verb = MASH_VERB_DRAW_ACCEPT, .seat = 1}));
    scene_close(&scene);
}

/* --- Texts ------------------------------------------------------------------------------------ */

static void says(MarvelousScene *scene, const MashEvent *event, const char *wanted) {
    char memory[200];
    MashText text = text_over(memory, sizeof memory);
    game->say(scene->content, NULL, scene->state, event, &text);
    assert_string_equal(memory, wanted);
}

static void words(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", ".....", ".....", ".....", ".....");
    const MashAction actions[] = {MOVE(&scene, 0, 1), MELEE(&scene, 1, 0),
                                  USE(&scene, STONE_TIME, 0, 0), GIVE(&scene, STONE_SOUL, 0, 1),
                                  END(&scene)};
    const char *const wanted[] = {"move rrac 0 1", "melee rrac 1 0", "use rrac time 0 0",
                                  "give rrac soul 0 1", "end rrac"};
    char memory[100];
    for (int i = 0; i < 5; i++) {
        MashText text = text_over(memory, sizeof memory);
        game->notation(scene.content, scene.state, actions[i], &text);
        assert_string_equal(memory, wanted[i]);
    }
    ACT(&scene, MELEE(&scene, 1, 0));
    says(&scene, &scene.events.list[0], "Rocket Raccoon attacks Ant Man at 1,0: melee attack.");
    says(&scene, &scene.events.list[1], "Ant Man loses 10 health to Rocket Raccoon.");
    says(&scene, &scene.events.list[2], "Rocket Raccoon: AP -1.");
    ACT(&scene, END(&scene));
    says(&scene, &scene.events.list[1], "Ant Man's turn (Team 2).");
    ACT(&scene, ((MashAction){.verb = MASH_VERB_RESIGN, .seat = 0}));
    says(&scene, &scene.events.list[0], "The match is over, Team 2 wins: resignation.");
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offers_are_disjoint),          cmocka_unit_test(each_chooses_six),
        cmocka_unit_test(choices_are_secret),           cmocka_unit_test(offers_are_secret),
        cmocka_unit_test(the_clock_loses_a_choice),     cmocka_unit_test(heroes_take_their_places),
        cmocka_unit_test(offers_of_draws_tell_nothing), cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
