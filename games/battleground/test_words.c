/* test_words.c -- what battleground shows: tokens, meters, notation, sentences, statistics. */
#include "games/battleground/test_scene.h"

/* show() with memory of its own. */
typedef struct Shown {
    uint8_t ground[MASH_SIDE_MAX * MASH_SIDE_MAX], order[UNITS];
    uint16_t wear[MASH_SIDE_MAX * MASH_SIDE_MAX];
    MashToken tokens[UNITS];
    MashMeter meters[128];
    MashBoard board;
} Shown;

static void show_of(Shown *shown, const BattlegroundScene *scene, const BattlegroundState *state) {
    shown->board = (MashBoard){.ground = shown->ground,
                               .ground_health = shown->wear,
                               .tokens = shown->tokens,
                               .meters = shown->meters,
                               .order = shown->order};
    battleground_game.show(scene->content, state, &shown->board);
    assert_true(shown->board.tokens_count <= scene->content->limits.tokens_max);
    assert_true(shown->board.meters_count <= scene->content->limits.meters_max);
}

/* The meter must exist. */
static MashMeter meter_of(const Shown *shown, uint8_t unit, uint8_t what, uint8_t index) {
    for (uint32_t i = 0; i < shown->board.meters_count; i++) {
        const MashMeter *meter = &shown->meters[i];
        if (meter->unit == unit && meter->meter == what && meter->about == index)
            return *meter;
    }
    fail_msg("no meter %u %u %u", unit, what, index);
    return (MashMeter){0};
}

static void reads(const Shown *shown, uint8_t unit, uint8_t what, uint8_t index, int now,
                  int most) {
    MashMeter meter = meter_of(shown, unit, what, index);
    assert_int_equal(meter.now, now);
    assert_int_equal(meter.most, most);
}

static void meters_show_warriors_sides_and_the_table(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Gk...", ".....");
    scene_bench(&scene, 1, NINJA);
    scene_potion(&scene, 0, STRENGTH);
    for (int i = 0; i < 2; i++) {
        scene_potion(&scene, 0, HEAL);
        scene_potion(&scene, 0, RUNNER);
        scene_does(&scene, "use runner gla0");
    }
    scene_does(&scene, "use strength gla0");
    scene_does(&scene, "end");
    scene_does(&scene, "attack gla0 kni5");
    Shown shown;
    show_of(&shown, &scene, scene.state);
    scene_ended(&scene, 0, REASON_DEFEATED);
    reads(&shown, 0, METER_HEALTH, 0, 8, 8);
    reads(&shown, 0, METER_ATTACK, 0, 5, 0);
    reads(&shown, 0, METER_WALK, 0, 6, 0);
    reads(&shown, 0, METER_POTION + STRENGTH, 0, 3, 3);
    reads(&shown, 0, METER_POTION + RUNNER, 1, 3, 3);
    reads(&shown, 1, METER_HEALTH, 0, 5, 5);
    reads(&shown, 5, METER_HEALTH, 0, 0, 5);
    reads(&shown, MASH_UNIT_SIDE, METER_POTIONS, 0, 2, 5);
    reads(&shown, MASH_UNIT_SIDE, METER_POTION + HEAL, 0, 2, 0);
    reads(&shown, MASH_UNIT_SIDE, METER_WARRIORS, 0, 2, 5);
    reads(&shown, MASH_UNIT_SIDE + 1, METER_WARRIORS, 0, 0, 5);
    reads(&shown, MASH_UNIT_NONE, METER_QUIET, 0, 0, 40);
    assert_int_equal(shown.board.phase, PHASE_ATTACK);
    assert_int_equal(shown.board.active, MASH_UNIT_NONE);
    scene_close(&scene);
}

/* The meter of something on offer, by its name; -99 if it is not shown. */
static int offered(const Shown *shown, MashNames list, uint8_t index, uint8_t what) {
    for (uint32_t i = 0; i < shown->board.meters_count; i++) {
        const MashMeter *meter = &shown->meters[i];
        if (meter->unit == MASH_UNIT_NONE && meter->meter == what && meter->about == index &&
            meter->about_list == 1 + list)
            return meter->now;
    }
    return -99;
}

/* [1.1] [1.2] [9.1]: during the draft a seat sees what there is to choose. */
static void the_choice_of_teams_shows_what_is_on_offer(void **unused) {
    (void)unused;
    BattlegroundScene scene = scene_preset(NULL, 0), with_dino = scene_preset(NULL, OPTION_DINO);
    Shown shown;
    show_of(&shown, &scene, scene.state);
    assert_int_equal(offered(&shown, MASH_NAME_KIND, NINJA, METER_HEALTH), 5);
    assert_int_equal(offered(&shown, MASH_NAME_KIND, NINJA, METER_ATTACK), 2);
    assert_int_equal(offered(&shown, MASH_NAME_KIND, NINJA, METER_WALK), 5);
    assert_int_equal(offered(&shown, MASH_NAME_KIND, DINO, METER_ATTACK), -99);
    assert_int_equal(offered(&shown, MASH_NAME_ITEM, HEAL, METER_GIVES + STAT_HEALTH), 5);
    assert_int_equal(offered(&shown, MASH_NAME_ITEM, HEAL, METER_TURNS), 0);
    assert_int_equal(offered(&shown, MASH_NAME_ITEM, AGING, METER_GIVES + STAT_WALK), -2);
    assert_int_equal(offered(&shown, MASH_NAME_ITEM, AGING, METER_TURNS), 3);
    show_of(&shown, &with_dino, with_dino.state);
    assert_int_equal(offered(&shown, MASH_NAME_KIND, DINO, METER_ATTACK), 5);
    scene_by(&scene, 0, "usual team");
    scene_by(&scene, 1, "usual team");
    show_of(&shown, &scene, scene.state);
    assert_int_equal(offered(&shown, MASH_NAME_KIND, NINJA, METER_HEALTH), -99);
    reads(&shown, MASH_UNIT_NONE, METER_QUIET, 0, 0, 40);
    scene_close(&scene);
    scene_close(&with_dino);
}

static void tokens_show_place_and_what_is_done(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N....", "K#...", "....g");
    scene_bench(&scene, 2, KNIGHT);
    Shown shown;
    scene_does(&scene, "move nin0 4 0");
    show_of(&shown, &scene, scene.state);
    assert_int_equal(shown.board.tokens_count, 10);
    assert_int_equal(shown.ground[5 + 1], GROUND_WALL);
    assert_int_equal(shown.ground[0], GROUND_FLOOR);
    assert_int_equal(shown.tokens[0].flags, 0); /* it may attack */
    scene_does(&scene, "end");
    scene_does(&scene, "end");
    show_of(&shown, &scene, scene.state);
    assert_int_equal(shown.tokens[0].flags, MASH_TOKEN_DONE);
    assert_int_equal(shown.tokens[0].x, 4);
    assert_int_equal(shown.tokens[1].flags, 0);
    assert_int_equal(shown.tokens[2].place, MASH_ON_BENCH);
    assert_int_equal(shown.tokens[3].place, MASH_GONE);
    assert_int_equal(shown.tokens[5].place, MASH_ON_BOARD);
    assert_int_equal(shown.tokens[5].seat, 1);
    assert_int_equal(shown.tokens[5].kind, GLADIATOR);
    scene_close(&scene);
}

/* [9.3]: neither tokens, meters nor names reveal what is hidden. */
static void nothing_shows_what_is_hidden(void **unused) {
    (void)unused;
    BattlegroundScene scene = scene_preset(NULL, OPTION_BLIND);
    Shown shown;
    scene_by(&scene, 0, "usual team");
    BattlegroundState view = *scene.state;
    battleground_game.hide(scene.content, &view, 0);
    show_of(&shown, &scene, &view);
    assert_int_equal(shown.board.tokens_count, 5);
    assert_int_equal(shown.tokens[0].flags, MASH_TOKEN_CHOSEN);
    scene_by(&scene, 1, "usual team");
    view = *scene.state;
    battleground_game.hide(scene.content, &view, 0);
    show_of(&shown, &scene, &view);
    assert_int_equal(shown.board.tokens_count, 10);
    assert_int_equal(shown.tokens[0].kind, GLADIATOR);
    assert_int_equal(shown.tokens[0].flags, 0);
    for (int unit = 5; unit < 10; unit++) {
        assert_int_equal(shown.tokens[unit].kind, 0);
        assert_int_equal(shown.tokens[unit].flags, MASH_TOKEN_HIDDEN);
    }
    for (uint32_t i = 0; i < shown.board.meters_count; i++) {
        const MashMeter *meter = &shown.meters[i];
        assert_true(meter->unit < 5 || meter->unit >= MASH_UNIT_SIDE);
        assert_false(meter->unit == MASH_UNIT_SIDE + 1 && meter->meter >= METER_POTION);
    }
    scene_does(&scene, "summon nin2 0 0");
    show_of(&shown, &scene, scene.state);
    assert_int_equal(shown.tokens[2].flags, MASH_TOKEN_REVEALED);
    assert_int_equal(shown.tokens[3].flags, 0);
    char memory[64];
    MashText text = text_over(memory, sizeof memory);
    battleground_game.unit_name(scene.content, &view, 9, &text);
    text_byte(&text, ' ');
    battleground_game.unit_name(scene.content, scene.state, 9, &text);
    battleground_game.unit_name(scene.content, scene.state, 10, &text);
    assert_string_equal(memory, "war9 zom9");
    scene_close(&scene);
}

static int compare_words(const void *a, const void *b) { return strcmp(a, b); }

/* The notations of one list are all different, and every action has one. */
static void words_are_unique_in_every_list(void **unused) {
    (void)unused;
    MashChance chance = chance_sampled(2);
    BattlegroundScene scene =
        scene_preset("ruins", OPTION_DINO | OPTION_FRIENDLY_FIRE | OPTION_BLIND);
    char(*words)[32] = calloc(scene.content->limits.actions_max, sizeof *words);
    assert_non_null(words);
    for (uint32_t waits; (waits = battleground_game.awaited(scene.content, scene.state)) != 0;) {
        uint8_t seat = (uint8_t)(waits == 3 ? 0 : waits >> 1);
        uint32_t count = battleground_game.actions(scene.content, scene.state, seat, scene.list);
        for (uint32_t i = 0; i < count; i++) {
            MashText text = text_over(words[i], sizeof *words);
            battleground_game.notation(scene.content, scene.state, scene.list[i], &text);
            assert_true(text.count > 0 && !text.truncated);
        }
        qsort(words, count, sizeof *words, compare_words);
        for (uint32_t i = 1; i < count; i++)
            assert_string_not_equal(words[i - 1], words[i]);
        assert_int_equal(scene_try(&scene, scene.list[chance_below(&chance, count)]), MASH_OK);
    }
    free(words);
    scene_close(&scene);
}

/* The notation and the verbs of every game. */
static void words_are_what_a_person_types(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Ng...", ".....");
    static const struct {
        MashAction action;
        const char *word;
    } rows[] = {
        {{.verb = VERB_CHOOSE, .ability = NINJA}, "choose ninja"},
        {{.verb = VERB_PACK, .ability = AGING}, "pack aging"},
        {{.verb = VERB_USUAL}, "usual team"},
        {{.verb = VERB_MOVE, .unit = 0, .x = 3, .y = 1}, "move nin0 3 1"},
        {{.verb = VERB_ATTACK, .unit = 0, .other = 5}, "attack nin0 gla5"},
        {{.verb = VERB_USE, .ability = HEAL, .other = 5}, "use heal gla5"},
        {{.verb = VERB_SUMMON, .unit = 0, .x = 4, .y = 0}, "summon nin0 4 0"},
        {{.verb = VERB_END}, "end"},
        {{.verb = MASH_VERB_RESIGN}, "resign"},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char memory[64];
        MashText text = text_over(memory, sizeof memory);
        battleground_game.notation(scene.content, scene.state, rows[i].action, &text);
        assert_string_equal(memory, rows[i].word);
    }
    scene_close(&scene);
}

/* The events of the last action, as sentences. */
static void said(const BattlegroundScene *scene, const char *sentences) {
    char memory[1024];
    MashText text = text_over(memory, sizeof memory);
    for (uint32_t i = 0; i < scene->events.count; i++) {
        text_string(&text, i == 0 ? "" : " ");
        battleground_game.say(scene->content, NULL, scene->state, &scene->told[i], &text);
    }
    assert_string_equal(memory, sentences);
}

static void events_are_said_in_sentences(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Nz..k", ".....");
    scene_potion(&scene, 0, STRENGTH);
    scene_does(&scene, "use strength nin0");
    said(&scene, "Potion used on nin0: Strength. nin0: Strength for 3 turns.");
    scene_does(&scene, "end");
    said(&scene, "Red: attack.");
    scene_does(&scene, "attack nin0 zof5");
    said(&scene, "nin0 attacks zof5 at 1,0. zof5 loses 2 health. zof5 is defeated. Red: move 2.");
    scene_does(&scene, "move nin0 1 1");
    said(&scene, "nin0 moves from 0,0 to 1,1. Red's turn ends. Blue's turn. Blue: move 1.");
    assert_int_equal(scene_try(&scene, (MashAction){.verb = MASH_VERB_RESIGN, .seat = 1}), MASH_OK);
    said(&scene, "The match is over, Red wins: resignation.");
    scene_close(&scene);
}

static void choices_and_draws_are_said_too(void **unused) {
    (void)unused;
    BattlegroundScene scene = scene_preset(NULL, OPTION_BLIND);
    scene_by(&scene, 0, "choose ninja");
    said(&scene, "Red chooses: Ninja.");
    for (int i = 0; i < 4; i++)
        scene_by(&scene, 0, "choose knight");
    scene_by(&scene, 0, "pack runner");
    said(&scene, "Red chooses: Runner.");
    scene_by(&scene, 1, "usual team");
    for (int i = 0; i < 4; i++)
        scene_by(&scene, 0, "pack heal");
    said(&scene, "Red chooses: Heal. Red's team is complete. The battle begins. Red's turn. Red: "
                 "first summon.");
    scene_does(&scene, "summon nin0 2 3");
    said(&scene, "nin0 is summoned at 2,3. The warrior at 2,3 is a Ninja. Red's turn ends. Blue's "
                 "turn. Blue: first summon.");
    scene_does(&scene, "summon nin7 2 4");
    scene.state->quiet = 39;
    while (!scene.state->common.over)
        scene_does(&scene, "end");
    said(&scene, "Red's turn ends. The match is over: too many turns without damage.");
    scene_close(&scene);
}

static int32_t figure_of(const BattlegroundScene *scene, uint8_t unit, uint8_t figure) {
    return battleground_game.figure(scene->content, scene->state, unit, figure);
}

static void figures_are_kept_for_warriors_and_sides(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N#m..", "...K.", "....g");
    scene_potion(&scene, 0, HEAL);
    scene_potion(&scene, 0, RUNNER);
    scene.state->warriors[0].health = 2;
    scene_does(&scene, "use heal nin0");
    scene_does(&scene, "use runner nin0");
    scene_does(&scene, "move nin0 2 1"); /* around the wall: three steps */
    scene_does(&scene, "move kni1 4 1");
    scene_does(&scene, "end");
    scene_does(&scene, "attack nin0 zom5");
    scene_does(&scene, "attack kni1 gla6");
    assert_int_equal(figure_of(&scene, 0, FIGURE_STEPS), 3);
    assert_int_equal(figure_of(&scene, MASH_UNIT_SIDE, FIGURE_STEPS), 4);
    assert_int_equal(figure_of(&scene, 0, FIGURE_DEALT), 2);
    assert_int_equal(figure_of(&scene, 0, FIGURE_KNOCK_OUTS), 1);
    assert_int_equal(figure_of(&scene, 0, FIGURE_HEALED), 3);
    assert_int_equal(figure_of(&scene, 0, FIGURE_RECEIVED), 2);
    assert_int_equal(figure_of(&scene, 0, FIGURE_USED), 0);
    assert_int_equal(figure_of(&scene, MASH_UNIT_SIDE, FIGURE_USED), 2);
    assert_int_equal(figure_of(&scene, MASH_UNIT_SIDE, FIGURE_DEALT), 6);
    assert_int_equal(figure_of(&scene, MASH_UNIT_SIDE + 1, FIGURE_TAKEN), 6);
    assert_int_equal(figure_of(&scene, 6, FIGURE_TAKEN), 4);
    assert_int_equal(figure_of(&scene, MASH_UNIT_SIDE + 1, FIGURE_KNOCK_OUTS), 0);
    assert_int_equal(figure_of(&scene, MASH_UNIT_NONE, FIGURE_DEALT), 0);
    scene_close(&scene);
}

static void every_number_has_a_name(void **unused) {
    (void)unused;
    static const struct {
        MashNames list;
        uint8_t first, count;
    } lists[] = {{MASH_NAME_KIND, 1, 7},
                 {MASH_NAME_GROUND, 0, GROUNDS},
                 {MASH_NAME_METER, 0, METER_POTION + 5},
                 {MASH_NAME_PHASE, 0, PHASES},
                 {MASH_NAME_VERB, 1, VERBS - 1},
                 {MASH_NAME_ABILITY, 0, 1},
                 {MASH_NAME_ITEM, 0, 5},
                 {MASH_NAME_EFFECT, 0, 5},
                 {MASH_NAME_REASON, 16, 2},
                 {MASH_NAME_FIGURE, 0, FIGURES},
                 {MASH_NAME_SIDE, 0, MASH_SEATS}};
    BattlegroundScene scene = scene_preset(NULL, 0);
    for (uint32_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (uint8_t number = 0; number < lists[i].count; number++) {
            char memory[64];
            MashText text = text_over(memory, sizeof memory);
            battleground_game.name(scene.content, NULL, lists[i].list,
                                   (uint8_t)(lists[i].first + number), &text);
            assert_true(text.count > 0);
        }
    assert_int_equal(battleground_game.figures_count, FIGURES);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meters_show_warriors_sides_and_the_table),
        cmocka_unit_test(the_choice_of_teams_shows_what_is_on_offer),
        cmocka_unit_test(tokens_show_place_and_what_is_done),
        cmocka_unit_test(nothing_shows_what_is_hidden),
        cmocka_unit_test(words_are_unique_in_every_list),
        cmocka_unit_test(words_are_what_a_person_types),
        cmocka_unit_test(events_are_said_in_sentences),
        cmocka_unit_test(choices_and_draws_are_said_too),
        cmocka_unit_test(figures_are_kept_for_warriors_and_sides),
        cmocka_unit_test(every_number_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
