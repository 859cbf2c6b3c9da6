/* test_teams.c -- the choice of teams, hidden information, and that lists and checks agree. */
#include "games/battleground/test_scene.h"

static MashAction choose_of(uint8_t seat, uint8_t kind) {
    return (MashAction){.verb = VERB_CHOOSE, .seat = seat, .ability = kind};
}

static MashAction pack_of(uint8_t seat, uint8_t potion) {
    return (MashAction){.verb = VERB_PACK, .seat = seat, .ability = potion};
}

/* The seat's view of the state. */
static BattlegroundState view_of(const BattlegroundScene *scene, uint8_t seat) {
    BattlegroundState view = *scene->state;
    battleground_game.hide(scene->content, &view, seat);
    return view;
}

static void hides_the_same(const BattlegroundState *a, const BattlegroundState *b) {
    assert_memory_equal(a, b, sizeof *a);
}

/* --- 2. The teams ----------------------------------------------------------------------------- */

/* [2.1] [2.2] */
static void five_warriors_then_five_potions_are_chosen(void **unused) {
    (void)unused;
    BattlegroundScene scene = scene_preset(NULL, 0);
    MashAction found;
    assert_int_equal(scene_finds(&scene, 0, "choose", &found), 6);
    scene_refuses(&scene, pack_of(0, HEAL), MASH_NOT_COMPLETE);
    scene_refuses(&scene, choose_of(0, 0), MASH_NOT_OFFERED);
    scene_refuses(&scene, choose_of(0, 8), MASH_NOT_OFFERED);
    static const char *const attempts[] = {"choose ninja", "choose zombie-m", "choose ninja",
                                           "choose gladiator", "choose ninja"};
    static const uint8_t kinds[] = {NINJA, ZOMBIE_M, NINJA, GLADIATOR, NINJA};
    for (int i = 0; i < 5; i++)
        scene_by(&scene, 0, attempts[i]);
    for (int slot = 0; slot < 5; slot++) {
        assert_int_equal(scene_warrior(&scene, slot)->kind, kinds[slot]);
        assert_int_equal(scene_warrior(&scene, slot)->place, PLACE_BENCH);
    }
    scene_refuses(&scene, choose_of(0, NINJA), MASH_NOT_NOW);
    scene_refuses(&scene, pack_of(0, 5), MASH_NOT_OFFERED);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(scene_finds(&scene, 0, "", &found), 5);
        scene_by(&scene, 0, i == 3 ? "pack aging" : "pack heal");
    }
    assert_int_equal(scene.state->stock[0][HEAL], 4);
    assert_int_equal(scene.state->stock[0][AGING], 1);
    assert_int_equal(scene.state->potions[0], 5);
    scene_close(&scene);
}

/* [2.3] */
static void the_usual_team_is_one_action(void **unused) {
    (void)unused;
    static const uint8_t usual[] = {GLADIATOR, KNIGHT, NINJA, PUMPKIN, ZOMBIE_M};
    const MashAction take = {.verb = VERB_USUAL, .seat = 1};
    BattlegroundScene scene = scene_preset(NULL, 0);
    scene_by(&scene, 1, "choose ninja");
    scene_refuses(&scene, take, MASH_NOT_NOW);
    scene_close(&scene);
    scene = scene_preset(NULL, 0);
    scene_by(&scene, 1, "usual team");
    scene_told(&scene, 1,
               "chosen chosen chosen chosen chosen chosen chosen chosen chosen chosen ready");
    for (int slot = 0; slot < 5; slot++) {
        assert_int_equal(scene_warrior(&scene, 5 + slot)->kind, usual[slot]);
        assert_int_equal(scene.state->stock[1][slot], 1);
    }
    scene_close(&scene);
}

/* [2.4] */
static void choices_are_secret_also_how_far_they_are(void **unused) {
    (void)unused;
    BattlegroundScene scene = scene_preset(NULL, 0);
    BattlegroundState red = view_of(&scene, 0), watcher = view_of(&scene, MASH_SEAT_SPECTATOR);
    static const char *const attempts[] = {
        "choose ninja", "choose ninja", "choose knight", "choose knight", "choose pumpkin",
        "pack heal",    "pack aging",   "pack runner",   "pack heal",     "pack heal"};
    for (int i = 0; i < 10; i++) {
        scene_by(&scene, 1, attempts[i]);
        scene_told(&scene, 0, "");
        scene_told(&scene, MASH_SEAT_SPECTATOR, "");
        scene_told(&scene, 1, i == 9 ? "chosen ready" : "chosen");
        BattlegroundState now = view_of(&scene, 0);
        hides_the_same(&now, &red);
        now = view_of(&scene, MASH_SEAT_SPECTATOR);
        hides_the_same(&now, &watcher);
        now = view_of(&scene, 1);
        hides_the_same(&now, scene.state);
    }
    scene_close(&scene);
}

/* [2.5] */
static void a_complete_seat_is_not_awaited(void **unused) {
    (void)unused;
    BattlegroundScene scene = scene_preset(NULL, 0);
    assert_int_equal(battleground_game.awaited(scene.content, scene.state), 3);
    scene_by(&scene, 0, "usual team");
    assert_int_equal(battleground_game.awaited(scene.content, scene.state), 2);
    scene_refuses(&scene, choose_of(0, NINJA), MASH_ALREADY_READY);
    scene_refuses(&scene, pack_of(0, HEAL), MASH_ALREADY_READY);
    MashAction found;
    assert_int_equal(scene_finds(&scene, 0, "", &found), 0);
    scene_close(&scene);
}

/* [2.6] */
static void complete_teams_are_shown_and_the_match_begins(void **unused) {
    (void)unused;
    BattlegroundScene scene = scene_preset(NULL, 0);
    scene_by(&scene, 1, "usual team");
    scene_by(&scene, 0, "usual team");
    scene_told(&scene, 1,
               "chosen chosen chosen chosen chosen chosen chosen chosen chosen chosen "
               "match-began turn-began phase-began");
    scene_told(&scene, MASH_SEAT_SPECTATOR,
               "chosen chosen chosen chosen chosen chosen chosen chosen chosen chosen "
               "chosen chosen chosen chosen chosen chosen chosen chosen chosen chosen "
               "match-began turn-began phase-began");
    for (uint8_t seat = 0; seat < 3; seat++) {
        BattlegroundState view = view_of(&scene, seat);
        hides_the_same(&view, scene.state);
    }
    scene_phase(&scene, 0, PHASE_FIRST);
    scene_close(&scene);
}

/* [2.7] */
static void a_choice_does_not_answer_a_draw_offer(void **unused) {
    (void)unused;
    BattlegroundScene scene = scene_preset(NULL, 0);
    assert_int_equal(scene_try(&scene, (MashAction){.verb = MASH_VERB_DRAW_OFFER}), MASH_OK);
    BattlegroundState red = view_of(&scene, 0);
    scene_by(&scene, 1, "choose ninja");
    scene_told(&scene, 0, "");
    BattlegroundState now = view_of(&scene, 0);
    hides_the_same(&now, &red);
    assert_int_equal(scene_try(&scene, (MashAction){.verb = MASH_VERB_DRAW_ACCEPT, .seat = 1}),
                     MASH_OK);
    scene_ended(&scene, MASH_SEAT_NONE, MASH_REASON_AGREED);
    scene_close(&scene);

    scene = scene_preset(NULL, 0); /* the longest list of events there is */
    assert_int_equal(scene_try(&scene, (MashAction){.verb = MASH_VERB_DRAW_OFFER}), MASH_OK);
    scene_by(&scene, 0, "usual team");
    assert_int_equal(scene.state->common.draw_offer, 1);
    scene_by(&scene, 1, "usual team");
    assert_int_equal(scene.state->common.draw_offer, 0);
    assert_int_equal(scene.events.count, scene.content->limits.events_max);
    assert_int_equal(scene.told[scene.events.count - 1].kind, MASH_EVENT_DRAW_DECLINED);
    scene_close(&scene);
}

/* --- 9. Options ------------------------------------------------------------------------------- */

/* [9.1] */
static void the_dino_needs_its_option(void **unused) {
    (void)unused;
    MashAction found;
    BattlegroundScene scene = scene_preset(NULL, 0);
    assert_int_equal(scene_finds(&scene, 0, "choose dino", &found), 0);
    scene_refuses(&scene, choose_of(0, DINO), MASH_NOT_OFFERED);
    scene_close(&scene);
    scene = scene_preset(NULL, OPTION_DINO);
    scene_by(&scene, 0, "choose dino");
    assert_int_equal(scene_warrior(&scene, 0)->kind, DINO);
    scene_close(&scene);
}

static BattlegroundScene blind_match(void) {
    BattlegroundScene scene = scene_preset(NULL, OPTION_BLIND);
    scene_by(&scene, 0, "usual team");
    scene_by(&scene, 1, "usual team");
    return scene;
}

/* [9.3] */
static void blind_hides_what_is_not_summoned_or_used(void **unused) {
    (void)unused;
    static const uint8_t none[POTIONS_MAX];
    BattlegroundScene scene = blind_match();
    scene_told(&scene, 0, "match-began turn-began phase-began");
    scene_told(&scene, MASH_SEAT_SPECTATOR, "match-began turn-began phase-began");
    scene_does(&scene, "summon nin2 3 3");
    scene_told(&scene, 0, "appeared turn-ended turn-began phase-began");
    scene_told(&scene, 1, "appeared revealed turn-ended turn-began phase-began");
    assert_int_equal(scene_event(&scene, MASH_EVENT_REVEALED).what, NINJA);
    BattlegroundState blue = view_of(&scene, 1);
    for (int slot = 0; slot < 5; slot++) {
        assert_int_equal(blue.warriors[slot].kind, slot == 2 ? NINJA : 0);
        assert_int_equal(blue.warriors[slot].place, slot == 2 ? PLACE_FIELD : PLACE_BENCH);
        assert_int_equal(blue.warriors[5 + slot].kind, scene_warrior(&scene, 5 + slot)->kind);
    }
    assert_int_equal(blue.potions[0], 5);
    assert_memory_equal(blue.stock[0], none, sizeof none);
    assert_memory_equal(blue.stock[1], scene.state->stock[1], sizeof none);
    BattlegroundState watcher = view_of(&scene, MASH_SEAT_SPECTATOR);
    assert_int_equal(watcher.warriors[5].kind, 0);
    assert_memory_equal(watcher.stock[1], none, sizeof none);
    scene_does(&scene, "summon kni6 4 3");
    scene_does(&scene, "use weakness kni6");
    scene_told(&scene, 1, "used effect-began");
    assert_int_equal(view_of(&scene, 1).potions[0], 4);
    scene_close(&scene);
}

/* [9.3]: a fainted warrior stays known. */
static void blind_forgets_nothing_that_was_seen(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(OPTION_BLIND, "Kz..n", ".....");
    scene_bench(&scene, 7, ZOMBIE_M);
    scene_does(&scene, "end");
    scene_does(&scene, "attack kni0 zof5");
    BattlegroundState red = view_of(&scene, 0);
    assert_int_equal(red.warriors[5].kind, ZOMBIE_F);
    assert_int_equal(red.warriors[6].kind, NINJA);
    assert_int_equal(red.warriors[7].kind, 0);
    scene_close(&scene);
}

/* [9.4] */
static void blind_twins_are_summoned_in_any_order(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(OPTION_BLIND, "N....", "....n");
    scene_bench(&scene, 1, KNIGHT);
    scene_bench(&scene, 3, KNIGHT);
    scene.state->phase = PHASE_SUMMON;
    assert_int_equal(scene_lists(&scene, "summon kni1"), 8);
    assert_int_equal(scene_lists(&scene, "summon kni3"), 8);
    scene_does(&scene, "summon kni3 1 1");
    scene_close(&scene);
}

/* --- Hiding and guessing ---------------------------------------------------------------------- */

static uint32_t list_on(const BattlegroundScene *scene, const BattlegroundState *state,
                        uint8_t seat, MashAction *out) {
    return battleground_game.actions(scene->content, state, seat, out);
}

/* Lists and refusals on the view, and on a guess from it, are those of the state. */
static void same_for_the_seat(const BattlegroundScene *scene, uint8_t seat, MashChance *chance,
                              MashAction *memory) {
    BattlegroundState view = view_of(scene, seat), again = view, guess;
    battleground_game.hide(scene->content, &again, seat);
    hides_the_same(&again, &view);
    guess = view;
    battleground_game.guess(scene->content, &guess, seat, chance);
    again = guess;
    battleground_game.guess(scene->content, &again, seat, chance);
    hides_the_same(&again, &guess);
    battleground_game.hide(scene->content, &again, seat);
    hides_the_same(&again, &view);
    uint32_t count = list_on(scene, scene->state, seat, scene->list);
    const BattlegroundState *const worlds[] = {&view, &guess};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(list_on(scene, worlds[i], seat, memory), count);
        assert_memory_equal(memory, scene->list, count * sizeof *memory);
        for (int attempt = 0; attempt < 40; attempt++) {
            uint8_t bytes[8];
            for (int j = 0; j < 8; j++)
                bytes[j] = (uint8_t)chance_below(chance, j == 1 ? 2 : 12);
            MashAction action;
            memcpy(&action, bytes, sizeof action);
            action.seat = seat;
            assert_int_equal(battleground_game.check(scene->content, worlds[i], action),
                             battleground_game.check(scene->content, scene->state, action));
        }
    }
    battleground_game.guess(scene->content, &guess, seat, chance);
    assert_true(battleground_game.awaited(scene->content, &guess) != 0);
}

static void random_matches_look_alike_in_every_world(void **unused) {
    (void)unused;
    MashChance chance = chance_sampled(5);
    for (uint8_t options = 0; options < 64; options = (uint8_t)(options + 3)) {
        BattlegroundScene scene = scene_preset("ruins", options);
        MashAction *memory = calloc(scene.content->limits.actions_max, sizeof *memory);
        assert_non_null(memory);
        uint32_t waits;
        while ((waits = battleground_game.awaited(scene.content, scene.state)) != 0) {
            for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
                same_for_the_seat(&scene, seat, &chance, memory);
            uint8_t seat = (uint8_t)(waits == 3 ? chance_below(&chance, 2) : waits >> 1);
            uint32_t count = list_on(&scene, scene.state, seat, scene.list);
            assert_true(count > 0);
            assert_int_equal(scene_try(&scene, scene.list[chance_below(&chance, count)]), MASH_OK);
        }
        free(memory);
        scene_close(&scene);
    }
}

/* Guesses from a spectator's view give a match in which a seat is awaited. */
static void guesses_for_watchers_are_possible_matches(void **unused) {
    (void)unused;
    MashChance chance = chance_sampled(3);
    BattlegroundScene scene = scene_preset(NULL, OPTION_BLIND);
    scene_by(&scene, 0, "usual team");
    for (int i = 0; i < 20; i++) {
        BattlegroundState guess = view_of(&scene, MASH_SEAT_SPECTATOR);
        battleground_game.guess(scene.content, &guess, MASH_SEAT_SPECTATOR, &chance);
        assert_int_equal(guess.warriors[9].place, PLACE_BENCH);
        assert_int_equal(battleground_game.awaited(scene.content, &guess), 2);
    }
    scene_close(&scene);
}

/* [2.5]: a side that has yet to choose is guessed to lack one choice: a warrior, where teams have
 * no potions. */
static void a_guessed_team_without_potions_lacks_a_warrior(void **unused) {
    (void)unused;
    MashContent *loaded = support_content(&battleground_game, NULL);
    ((BattlegroundContent *)(void *)loaded->body)->team_potions = 0;
    BattlegroundScene scene = scene_over(loaded, 0);
    MashChance chance = chance_sampled(3);
    for (int slot = 0; slot < SLOTS; slot++)
        scene_by(&scene, 0, "choose ninja");
    BattlegroundState guess = view_of(&scene, 0);
    battleground_game.guess(loaded, &guess, 0, &chance);
    assert_int_equal(battleground_game.awaited(loaded, &guess), 2);
    for (int slot = 0; slot < SLOTS; slot++)
        assert_int_equal(guess.warriors[SLOTS + slot].place,
                         slot < SLOTS - 1 ? PLACE_BENCH : PLACE_NONE);
    scene_close(&scene);
}

/* --- Lists are what check() allows ------------------------------------------------------------ */

/* All actions of a verb that aim at a cell, with fields in a range wider than any legal value. */
static uint32_t allowed_at(const BattlegroundScene *scene, MashAction attempt, MashAction *out) {
    uint32_t count = 0;
    for (attempt.other = 0; attempt.other <= UNITS; attempt.other++)
        for (attempt.ability = 0; attempt.ability < 9; attempt.ability++) {
            int fields =
                (attempt.x != 0 || attempt.y != 0) + (attempt.other > 0) + (attempt.ability > 0);
            uint8_t last = fields < 2 ? UNITS : 0; /* no verb uses three fields but a cell */
            for (attempt.unit = 0; fields <= 2 && attempt.unit <= last; attempt.unit++) {
                out[count] = attempt; /* the next takes its place if it is refused */
                count += battleground_game.check(scene->content, scene->state, attempt) == MASH_OK;
            }
        }
    return count;
}

/* All actions of a seat. */
static uint32_t all_allowed(const BattlegroundScene *scene, uint8_t seat, MashAction *out) {
    int width = scene->content->limits.width, height = scene->content->limits.height;
    uint32_t count = 0;
    for (uint8_t verb = 0; verb <= VERBS; verb++)
        for (int y = -1; y <= height; y++)
            for (int x = -1; x <= width; x++) {
                MashAction attempt = {.verb = verb, .seat = seat, .x = (int8_t)x, .y = (int8_t)y};
                count += allowed_at(scene, attempt, out + count);
            }
    return count;
}

static int by_compare(const void *a, const void *b) {
    return mash_action_compare(*(const MashAction *)a, *(const MashAction *)b);
}

static void lists_are_what_judging_allows(void **unused) {
    (void)unused;
    MashChance chance = chance_sampled(11);
    for (uint8_t options = 0; options < 64; options = (uint8_t)(options + 7)) {
        const char *const rows[] = {"...#.", ".#...", "....."};
        BattlegroundScene scene = scene_over(scene_field(rows, 3), options);
        MashAction *memory = calloc(scene.content->limits.actions_max + 1, sizeof *memory);
        assert_non_null(memory);
        for (uint32_t waits, step = 0;
             (waits = battleground_game.awaited(scene.content, scene.state)) != 0; step++) {
            uint8_t seat = (uint8_t)(waits == 3 ? chance_below(&chance, 2) : waits >> 1);
            uint32_t count = list_on(&scene, scene.state, seat, scene.list);
            if (step < 60) {
                uint32_t allowed = all_allowed(&scene, seat, memory);
                qsort(memory, allowed, sizeof *memory, by_compare);
                assert_int_equal(allowed, count);
                assert_memory_equal(memory, scene.list, count * sizeof *memory);
            }
            assert_int_equal(scene_try(&scene, scene.list[chance_below(&chance, count)]), MASH_OK);
        }
        free(memory);
        scene_close(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_warriors_then_five_potions_are_chosen),
        cmocka_unit_test(the_usual_team_is_one_action),
        cmocka_unit_test(choices_are_secret_also_how_far_they_are),
        cmocka_unit_test(a_complete_seat_is_not_awaited),
        cmocka_unit_test(complete_teams_are_shown_and_the_match_begins),
        cmocka_unit_test(a_choice_does_not_answer_a_draw_offer),
        cmocka_unit_test(the_dino_needs_its_option),
        cmocka_unit_test(blind_hides_what_is_not_summoned_or_used),
        cmocka_unit_test(blind_forgets_nothing_that_was_seen),
        cmocka_unit_test(blind_twins_are_summoned_in_any_order),
        cmocka_unit_test(random_matches_look_alike_in_every_world),
        cmocka_unit_test(guesses_for_watchers_are_possible_matches),
        cmocka_unit_test(a_guessed_team_without_potions_lacks_a_warrior),
        cmocka_unit_test(lists_are_what_judging_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
