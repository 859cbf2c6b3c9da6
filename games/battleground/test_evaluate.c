/* test_evaluate.c -- what the AI knows about Battleground: what warriors and potions are worth,
 * which actions are tried first, which teams are chosen (several, at random, all of them legal),
 * and where a warrior may hit. */
#include "games/battleground/test_scene.h"

enum { TEAM = SLOTS + ITEMS, DRAWN = 300 };

/* A team as a unique text: kinds in their order, then how many of each potion. */
typedef struct Team {
    char text[SLOTS + POTIONS_MAX + 1];
} Team;

/* What the AI player chooses as this seat; `seed` is that of its tie breaks. */
static Team choose_team(BattlegroundScene *scene, uint8_t seat, uint64_t seed) {
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
    BattlegroundScene scene = scene_preset(NULL, options);
    Team team = choose_team(&scene, 0, seed);
    assert_int_equal(battleground_game.awaited(scene.content, scene.state), 2);
    scene_close(&scene);
    return team;
}

/* How many different teams come out of this many seeds; and how many have these five warriors. They
 * all have potions that make them strong and quick. */
static int different(uint8_t options, const char *warriors, int *with) {
    static Team teams[DRAWN];
    int count = 0;
    for (uint64_t seed = 0; seed < DRAWN; seed++) {
        Team team = team_with(options, seed);
        int same = 0;
        *with += strncmp(team.text, warriors, SLOTS) == 0;
        assert_true(team.text[SLOTS + STRENGTH] >= '1' && team.text[SLOTS + RUNNER] >= '1');
        assert_true(team.text[SLOTS + HEAL] == '0' && team.text[SLOTS + WEAKNESS] == '0');
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
        BattlegroundScene scene = scene_preset(NULL, 0);
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

/* One potion that no trained team has is enough: the others are packed as without training and
 * the second of those is for walking. */
static void one_strange_potion_ends_the_training(void **unused) {
    (void)unused;
    BattlegroundScene scene = scene_preset(NULL, 0);
    for (int slot = 0; slot < SLOTS; slot++)
        scene_by(&scene, 0, "choose gladiator");
    scene_by(&scene, 0, "pack heal");
    for (uint64_t seed = 0; seed < 20; seed++) {
        MashChance one = chance_sampled(seed), other = chance_sampled(seed);
        MashAction trained = battleground_evaluator.opening_trained(scene.content, scene.state, 0,
                                                                    MASH_LEVELS, &one);
        MashAction plain = battleground_evaluator.opening(scene.content, scene.state, 0, &other);
        assert_memory_equal(&trained, &plain, sizeof plain);
        assert_int_equal(trained.ability, RUNNER);
    }
    scene_close(&scene);
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
    BattlegroundScene scene = scene_over(loaded, 0);
    assert_memory_equal(choose_team(&scene, 0, 1).text, "GGGGG", SLOTS);
    scene_close(&scene);
}

/* --- Evaluation ------------------------------------------------------------------------------- */

/* What a warrior is worth on the field and on the bench, by the figures of [1.1]. */
static int32_t on_field(int health, int walk, int attack) {
    return 60 * health - 340 + 70 * attack + 86 * walk;
}
static int32_t on_bench(int health, int walk, int attack) {
    return 42 * health - 45 + 27 * attack + 34 * walk;
}

/* How far ahead the seat in turn is by what both sides have, which counts for less the farther
 * warriors are from their nearest enemies. */
static int32_t lead(int32_t mine, int32_t theirs, int32_t apart) {
    int32_t lead = 6000 * (mine - theirs) / (mine + theirs + 1);
    return lead - lead * apart / 250 - (lead >= 0 ? apart : -apart);
}

enum { BASE = 300, KILL = 200, GLADIATOR_WORTH = 60 * 8 - 340 + 70 * 3 + 86 * 2 };

/* The evaluation for Red; for the other it is the same with the other sign. */
static int32_t value(const BattlegroundScene *scene) {
    int32_t red = battleground_evaluator.evaluate(scene->content, scene->state, 0);
    assert_int_equal(battleground_evaluator.evaluate(scene->content, scene->state, 1), -red);
    return red;
}

/* [1.1] Health, attack and walk count, less on the bench; who is defeated does not count. */
static void warriors_have_their_worth(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G..........g");
    int32_t side = BASE + on_field(8, 2, 3);
    assert_int_equal(value(&scene), lead(side, side, 22));
    scene_bench(&scene, 1, KNIGHT);
    assert_int_equal(value(&scene), lead(side + on_bench(5, 2, 4), side, 22));
    scene_bench(&scene, SLOTS + 4, NINJA);
    assert_int_equal(value(&scene), lead(side + on_bench(5, 2, 4), side + on_bench(5, 5, 2), 22));
    scene.state->warriors[0].health = 3;
    assert_int_equal(value(&scene), lead(BASE + on_field(3, 2, 3) + on_bench(5, 2, 4),
                                         side + on_bench(5, 5, 2), 22));
    scene.state->phase = PHASE_CHOOSE;
    assert_int_equal(value(&scene), 0);
    scene_close(&scene);
    scene = SCENE(0, "K..........z");
    assert_int_equal(value(&scene), lead(BASE + on_field(5, 2, 4), BASE + on_field(2, 1, 4), 22));
    scene_close(&scene);
}

/* [1.2] A potion counts by what it adds to a friend or takes from an enemy. */
static void potions_have_their_worth(void **unused) {
    (void)unused;
    static const int32_t worth[] = {39 * 5, 100 * 2, 54 * 2, 72 * 2, 65 * 2};
    int32_t side = BASE + GLADIATOR_WORTH;
    for (uint8_t potion = HEAL; potion <= AGING; potion++) {
        BattlegroundScene scene = SCENE(0, "G..........g");
        scene_potion(&scene, 1, potion);
        assert_int_equal(value(&scene), lead(side, side + worth[potion], 22));
        scene_potion(&scene, 1, potion);
        assert_int_equal(value(&scene), lead(side, side + 2 * worth[potion], 22));
        scene_close(&scene);
    }
}

/* Who is ahead comes closer; a lead fades as a draw comes near [8.2]. */
static void leads_need_progress(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G..........g", "...........g");
    int32_t red = BASE + GLADIATOR_WORTH, blue = BASE + 2 * GLADIATOR_WORTH;
    assert_int_equal(value(&scene), lead(red, blue, 11 + 11 + 12));
    assert_int_equal(battleground_evaluator.combat_distance(scene.content, scene.state), 2 * 34);
    scene.state->warriors[SLOTS].x = 6;
    assert_int_equal(value(&scene), lead(red, blue, 6 + 6 + 12));
    scene.state->quiet = 30; /* of 40 */
    assert_int_equal(value(&scene), lead(red, blue, 24) / 4);
    scene.state->seat = 1;
    assert_int_equal(value(&scene), -(lead(blue, red, 24) / 4));
    scene.state->phase = PHASE_FIRST;
    assert_int_equal(battleground_evaluator.combat_distance(scene.content, scene.state), 0);
    scene_close(&scene);
}

/* What the seat in turn can do to its enemies counts for three quarters, what they can do in their
 * next turn for a fifth. */
static void threats_count(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G..g......");
    int32_t side = BASE + GLADIATOR_WORTH, hit = 3 * 60;
    assert_int_equal(value(&scene), lead(side - hit / 5, side - hit * 3 / 4, 6));
    scene.state->warriors[0].done = DONE_MOVED; /* too far away to attack [6.2] */
    assert_int_equal(value(&scene), lead(side - hit / 5, side, 6));
    scene.state->warriors[SLOTS].x = 1;
    assert_int_equal(value(&scene), lead(side - hit / 5, side - hit * 3 / 4, 2));
    scene.state->warriors[0].done = DONE_ATTACKED; /* once in a turn [6.1] */
    assert_int_equal(value(&scene), lead(side - hit / 5, side, 2));
    scene.state->warriors[0].done = 0;
    scene.state->phase = PHASE_ATTACK;
    assert_int_equal(value(&scene), lead(side - hit / 5, side - hit * 3 / 4, 2));
    scene.state->warriors[SLOTS].x = 2; /* nobody walks in this phase [3.2] */
    assert_int_equal(value(&scene), lead(side - hit / 5, side, 4));
    scene.state->warriors[SLOTS].x = 1;
    scene.state->phase = PHASE_MOVE_2;
    assert_int_equal(value(&scene), lead(side - hit / 5, side, 2));
    scene_close(&scene);
    scene = SCENE(0, "G...g.....");
    assert_int_equal(value(&scene), lead(side, side, 8));
    scene_close(&scene);
}

/* Attacks are counted one after the other, each where it does most: a defeat is worth more [6.4].
 */
static void attacks_add_up(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G.g..", "G....");
    int32_t red = BASE + 2 * GLADIATOR_WORTH, hit = 3 * 60;
    scene.state->warriors[SLOTS].health = 5;
    int32_t both = hit + KILL + 2 * 60;
    assert_int_equal(value(&scene),
                     lead(red - hit / 5, BASE + on_field(5, 2, 3) - both * 3 / 4, 2 + 3 + 2));
    scene.state->warriors[SLOTS].health = 3; /* the second one has nobody left */
    int32_t one = KILL + 3 * 60;
    assert_int_equal(value(&scene),
                     lead(red - hit / 5, BASE + on_field(3, 2, 3) - one * 3 / 4, 2 + 3 + 2));
    scene_close(&scene);
    scene = SCENE(0, "Gk...", ".g...");
    scene.state->warriors[SLOTS + 1].health = 2;
    int32_t next = (4 + 3) * 60, best = KILL + 2 * 60;
    assert_int_equal(value(&scene),
                     lead(BASE + GLADIATOR_WORTH - next / 5,
                          BASE + on_field(5, 2, 4) + on_field(2, 2, 3) - best * 3 / 4, 1 + 1 + 2));
    scene_close(&scene);
}

/* --- Priorities ------------------------------------------------------------------------------- */

enum { PRUNED = INT32_MIN };

static int32_t priority(const BattlegroundScene *scene, MashAction action) {
    return battleground_evaluator.priority(scene->content, scene->state, action);
}

/* Attacks that defeat come first, others by what they take; friends are not attacked [9.2]. */
static void attacks_are_tried_by_effect(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Gg...", "Kk...");
    MashAction attack = {.verb = VERB_ATTACK, .unit = 0, .other = SLOTS};
    assert_int_equal(priority(&scene, attack), 3);
    scene.state->warriors[SLOTS].health = 4;
    assert_int_equal(priority(&scene, attack), 3);
    scene.state->warriors[SLOTS].health = 3;
    assert_int_equal(priority(&scene, attack), 1000 + 3);
    attack.other = 1;
    assert_int_equal(priority(&scene, attack), PRUNED);
    assert_int_equal(priority(&scene, (MashAction){.verb = VERB_END}), 0);
    scene_close(&scene);
}

/* [7.2] [7.3] Good potions are for friends, bad ones for enemies; who is whole needs no healing. */
static void potions_are_not_wasted(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G...g.....");
    MashAction use = {.verb = VERB_USE, .ability = STRENGTH, .other = 0};
    assert_int_equal(priority(&scene, use), -1);
    use.other = SLOTS;
    assert_int_equal(priority(&scene, use), PRUNED);
    use.ability = WEAKNESS;
    assert_int_equal(priority(&scene, use), -1);
    use.other = 0;
    assert_int_equal(priority(&scene, use), PRUNED);
    use.ability = HEAL;
    assert_int_equal(priority(&scene, use), PRUNED);
    scene.state->warriors[0].health = 7;
    assert_int_equal(priority(&scene, use), -1);
    scene_close(&scene);
}

/* [4.1] Summons are looked at near warriors, or near the middle of an empty field. */
static void summons_are_near_others(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G...................", "....................");
    MashAction summon = {.verb = VERB_SUMMON, .unit = 1, .x = 6, .y = 1};
    assert_int_equal(priority(&scene, summon), 0);
    summon.x = 7;
    assert_int_equal(priority(&scene, summon), PRUNED);
    summon.x = 10;
    assert_int_equal(priority(&scene, summon), PRUNED);
    scene.state->warriors[0].place = PLACE_BENCH;
    assert_int_equal(priority(&scene, summon), 0);
    summon.x = 3;
    assert_int_equal(priority(&scene, summon), 0);
    summon.y = 0;
    assert_int_equal(priority(&scene, summon), PRUNED);
    summon.x = 16;
    assert_int_equal(priority(&scene, summon), 0);
    scene_close(&scene);
}

/* --- Choosing --------------------------------------------------------------------------------- */

/* The next choice of Red if chance draws this; every draw is used. */
static uint8_t choice(const BattlegroundScene *scene, uint8_t verb, uint32_t draws,
                      const uint32_t *script) {
    MashChance chance = chance_scripted(script, draws);
    MashAction action = battleground_evaluator.opening(scene->content, scene->state, 0, &chance);
    assert_true(chance_used_up(&chance));
    assert_int_equal(action.verb, verb);
    return action.ability;
}

/* [2.1] The strongest kind that may be chosen, by health, attack and walk; of equals either. */
static void the_strongest_are_chosen(void **unused) {
    (void)unused;
    static const uint32_t zeros[] = {0, 0}, ones[] = {0, 1};
    BattlegroundScene scene = scene_preset(NULL, 0);
    assert_int_equal(choice(&scene, VERB_CHOOSE, 1, zeros), GLADIATOR);
    BattlegroundKind *knight = &((BattlegroundContent *)(void *)scene.content->body)->kinds[KNIGHT];
    knight->health = 6; /* 6 * 4 * (2 + 2) is 8 * 3 * (2 + 2) */
    assert_int_equal(choice(&scene, VERB_CHOOSE, 2, zeros), KNIGHT);
    assert_int_equal(choice(&scene, VERB_CHOOSE, 2, ones), GLADIATOR);
    scene_close(&scene);
    scene = scene_preset(NULL, OPTION_DINO);
    assert_int_equal(choice(&scene, VERB_CHOOSE, 2, zeros), DINO);
    scene_close(&scene);
    scene = scene_preset(NULL, OPTION_TWO_OF_A_KIND);
    static const uint8_t kinds[] = {GLADIATOR, GLADIATOR, KNIGHT, KNIGHT, PUMPKIN};
    static const uint32_t draws[] = {1, 1, 1, 1, 2}; /* a ninja is weaker than a pumpkin */
    for (int i = 0; i < SLOTS; i++) {
        assert_int_equal(choice(&scene, VERB_CHOOSE, draws[i], zeros), kinds[i]);
        battleground_draft_add(scene.state, 0, kinds[i]);
    }
    scene_close(&scene);
}

/* [2.2] Potions in the order that wins most; each before the wanted one that helps is a draw. */
static void potions_are_packed_in_order(void **unused) {
    (void)unused;
    static const uint32_t zeros[] = {0, 0, 0}, last[] = {0, 0, 0}, first[] = {0, 1, 2};
    static const uint8_t potions[] = {STRENGTH, RUNNER, AGING, STRENGTH, RUNNER};
    static const uint32_t draws[] = {1, 2, 3, 1, 2};
    BattlegroundScene scene = scene_preset(NULL, 0);
    for (int i = 0; i < SLOTS; i++)
        battleground_draft_add(scene.state, 0, GLADIATOR);
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(choice(&scene, VERB_PACK, draws[i], zeros), potions[i]);
        battleground_draft_pack(scene.state, 0, potions[i]);
    }
    memset(scene.state->stock, 0, sizeof scene.state->stock);
    BattlegroundContent *content = (void *)scene.content->body;
    for (int potion = HEAL; potion <= AGING; potion++)
        content->potions[potion].stat = STAT_HEALTH;
    assert_int_equal(choice(&scene, VERB_PACK, 3, last), RUNNER);
    assert_int_equal(choice(&scene, VERB_PACK, 3, first), HEAL);
    content->potions[WEAKNESS] = (Potion){.stat = STAT_ATTACK, .amount = 3};
    content->potions[AGING] = (Potion){.stat = STAT_ATTACK, .amount = 2};
    assert_int_equal(choice(&scene, VERB_PACK, 2, zeros), WEAKNESS); /* the strongest of a kind */
    scene.state->phase = PHASE_MOVE_1;
    assert_int_equal(choice(&scene, MASH_VERB_NONE, 0, NULL), 0);
    scene_close(&scene);
}

/* Levels that do not look ahead know no trained teams: with one draw they take the strongest. */
static void weak_levels_have_no_trained_teams(void **unused) {
    (void)unused;
    static const uint32_t zero[] = {0};
    BattlegroundScene scene = scene_preset(NULL, 0);
    for (uint32_t level = 1; level <= 4; level++) {
        MashChance chance = chance_scripted(zero, 1);
        battleground_evaluator.opening_trained(scene.content, scene.state, 0, level, &chance);
        assert_true(chance_used_up(&chance));
    }
    scene_close(&scene);
}

/* [3.1] [3.2] The choice, the first turns and the others are different turns. */
static void turns_differ(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G...g.....");
    assert_int_equal(battleground_evaluator.turn_number(scene.content, scene.state), 0);
    scene.state->seat = 1;
    assert_int_equal(battleground_evaluator.turn_number(scene.content, scene.state), 1);
    scene.state->phase = PHASE_FIRST;
    assert_int_equal(battleground_evaluator.turn_number(scene.content, scene.state), 2 + 1);
    scene.state->phase = PHASE_CHOOSE;
    scene.state->seat = 0;
    assert_int_equal(battleground_evaluator.turn_number(scene.content, scene.state), 4);
    scene_close(&scene);
}

/* --- Threats ---------------------------------------------------------------------------------- */

/* The most that the unit may take from one on each cell in its next turn, as digits. */
static void threatens(const BattlegroundScene *scene, uint8_t unit, const char *digits) {
    int32_t most[128] = {0};
    char text[128] = "";
    int cells = scene->content->limits.width * scene->content->limits.height;
    battleground_game.threat(scene->content, scene->state, unit, most);
    for (int cell = 0; cell < cells; cell++)
        text[cell] = (char)('0' + most[cell]);
    assert_string_equal(text, digits);
}

/* [5.2] [6.2] It walks around walls and attacks a neighbour; who is not on the field does not. */
static void threats_are_walks_and_attacks(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0,          /**/
                                    "G.......", /**/
                                    ".#......", /**/
                                    "........", /**/
                                    ".......g");
    threatens(&scene, 0,
              "33330000"
              "33300000"
              "33000000"
              "30000000");
    scene.state->warriors[0].more_attack = -3; /* that may end [7.4] */
    threatens(&scene, SLOTS,
              "00000003"
              "00000033"
              "00000333"
              "00003333");
    scene_bench(&scene, 0, GLADIATOR);
    threatens(&scene, 0, "00000000000000000000000000000000");
    scene_close(&scene);
}

/* [7.1] [9.3] Potions in hand may add to attack and walk, and unknown ones may be the best. */
static void potions_are_threats(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G.........g");
    threatens(&scene, 0, "33330000000");
    scene_potion(&scene, 0, STRENGTH);
    scene_potion(&scene, 0, WEAKNESS);
    threatens(&scene, 0, "55550000000");
    scene_potion(&scene, 0, RUNNER);
    threatens(&scene, 0, "55555500000");
    scene.state->potions[0]++; /* hidden from this view */
    threatens(&scene, 0, "77777777000");
    scene_close(&scene);
    scene = SCENE(0, "G.........g");
    scene_potion(&scene, 1, STRENGTH); /* the enemy's */
    threatens(&scene, 0, "33330000000");
    scene.state->effects[0] = (Effect){0, STRENGTH, 2};
    scene.state->effects[1] = (Effect){0, AGING, 2};
    scene.state->effects[2] = (Effect){SLOTS, RUNNER, 2};
    scene.state->effects_count = 3;
    threatens(&scene, 0, "55550000000");
    scene.state->effects[1] = (Effect){0, RUNNER, 2};
    threatens(&scene, 0, "55555500000");
    ((BattlegroundContent *)(void *)scene.content->body)->kinds[GLADIATOR].walk = 31 - 2;
    threatens(&scene, 0, "55555555555");
    ((BattlegroundContent *)(void *)scene.content->body)->kinds[GLADIATOR].walk = 31;
    threatens(&scene, 0, "55555555555");
    scene_close(&scene);
}

/* One who walks farther than can be counted may be anywhere, walls or not. */
static void far_walks_threaten_all(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G.#.......g");
    BattlegroundKind *kind =
        &((BattlegroundContent *)(void *)scene.content->body)->kinds[GLADIATOR];
    kind->walk = 31;
    threatens(&scene, 0, "33300000000");
    kind->walk = 32;
    threatens(&scene, 0, "33333333333");
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_vary_their_teams),
        cmocka_unit_test(the_same_chance_chooses_the_same_team),
        cmocka_unit_test(teams_keep_to_two_of_a_kind),
        cmocka_unit_test(a_team_that_was_begun_is_completed),
        cmocka_unit_test(one_strange_potion_ends_the_training),
        cmocka_unit_test(other_content_is_chosen_from_as_well),
        cmocka_unit_test(warriors_have_their_worth),
        cmocka_unit_test(potions_have_their_worth),
        cmocka_unit_test(leads_need_progress),
        cmocka_unit_test(threats_count),
        cmocka_unit_test(attacks_add_up),
        cmocka_unit_test(attacks_are_tried_by_effect),
        cmocka_unit_test(potions_are_not_wasted),
        cmocka_unit_test(summons_are_near_others),
        cmocka_unit_test(the_strongest_are_chosen),
        cmocka_unit_test(potions_are_packed_in_order),
        cmocka_unit_test(weak_levels_have_no_trained_teams),
        cmocka_unit_test(turns_differ),
        cmocka_unit_test(threats_are_walks_and_attacks),
        cmocka_unit_test(potions_are_threats),
        cmocka_unit_test(far_walks_threaten_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
