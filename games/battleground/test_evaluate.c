/* test_evaluate.c -- which teams AI players of Battleground choose: several, at random, all of them
 * legal. */
#include "games/battleground/test_scene.h"

enum { TEAM = SLOTS + ITEMS, DRAWN = 300 };

/* A team as a unique text: kinds in their order, then how many of each potion. */
typedef struct Team {
    char text[SLOTS + POTIONS_MAX + 1];
} Team;

/* What the AI player chooses as this seat; `seed` is that of its tie breaks. */
static Team choose_team(Scene *scene, uint8_t seat, uint64_t seed) {
    MashChance chance = chance_sampled(seed);
    Team team = {""};
    for (int i = 0; i < TEAM; i++) {
        MashAction action = battleground_evaluator.opening_trained(scene->content, scene->state,
                                                                   seat, MASH_LEVELS, &chance);
        assert_int_equal(scene_try(scene, action), MASH_OK);
    }
    for (int slot = 0; slot < SLOTS; slot++)
        team.text[slot] = scene_letters[scene_warrior(scene, SLOTS * seat + slot)->kind];
    for (int potion = 0; potion < POTIONS_MAX; potion++)
        team.text[SLOTS + potion] = (char)('0' + scene->state->stock[seat][potion]);
    return team;
}

/* The team that a fresh match with these options leads to. */
static Team team_with(uint8_t options, uint64_t seed) {
    Scene scene = scene_preset(NULL, options);
    Team team = choose_team(&scene, 0, seed);
    assert_int_equal(battleground_game.awaited(scene.content, scene.state), 2);
    scene_close(&scene);
    return team;
}

/* How many different teams come out of this many seeds; and how many have these five warriors. */
static int different(uint8_t options, const char *warriors, int *with) {
    static Team teams[DRAWN];
    int count = 0;
    for (uint64_t seed = 0; seed < DRAWN; seed++) {
        Team team = team_with(options, seed);
        int same = 0;
        *with += strncmp(team.text, warriors, SLOTS) == 0;
        while (same < count && strcmp(teams[same].text, team.text) != 0)
            same++;
        if (same == count)
            teams[count++] = team;
    }
    return count;
}

static void programs_vary_their_teams(void **unused) {
    (void)unused;
    int gladiators = 0, knights = 0;
    assert_true(different(0, "GGGGG", &gladiators) >= 6);
    different(0, "KKKKK", &knights);
    assert_in_range(gladiators, DRAWN / 2, DRAWN * 95 / 100);
    assert_in_range(knights, 1, DRAWN / 4);
}

static void the_same_chance_chooses_the_same_team(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < 20; seed++)
        assert_string_equal(team_with(0, seed).text, team_with(0, seed).text);
}

/* [9.8] */
static void teams_keep_to_two_of_a_kind(void **unused) {
    (void)unused;
    int gladiators = 0;
    assert_true(different(OPTION_TWO_OF_A_KIND, "GGGGG", &gladiators) >= 2);
    assert_int_equal(gladiators, 0);
}

/* Keeps what was chosen already; a choice that is part of no trained team is still completed. */
static void a_team_that_was_begun_is_completed(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Scene scene = scene_preset(NULL, 0);
        MashChance chance = chance_sampled(seed);
        scene_by(&scene, 0, "choose zombie-f");
        for (int i = 1; i < TEAM; i++)
            assert_int_equal(
                scene_try(&scene, battleground_evaluator.opening_trained(scene.content, scene.state,
                                                                         0, MASH_LEVELS, &chance)),
                MASH_OK);
        assert_int_equal(battleground_game.awaited(scene.content, scene.state), 2);
        scene_close(&scene);
    }
}

/* Custom content, without the kinds for which teams were trained. */
static void other_content_is_chosen_from_as_well(void **unused) {
    (void)unused;
    MashContent *loaded = support_content(&battleground_game, NULL);
    BattlegroundContent *content = (void *)loaded->body;
    memcpy(content->kinds[GLADIATOR].id, "legionary", sizeof "legionary");
    memcpy(content->kinds[KNIGHT].id, "rider", sizeof "rider");
    memcpy(content->kinds[NINJA].id, "archer", sizeof "archer");
    memcpy(content->kinds[PUMPKIN].id, "gourd", sizeof "gourd");
    Scene scene = scene_over(loaded, 0);
    assert_memory_equal(choose_team(&scene, 0, 1).text, "GGGGG", SLOTS);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_vary_their_teams),
        cmocka_unit_test(the_same_chance_chooses_the_same_team),
        cmocka_unit_test(teams_keep_to_two_of_a_kind),
        cmocka_unit_test(a_team_that_was_begun_is_completed),
        cmocka_unit_test(other_content_is_chosen_from_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
