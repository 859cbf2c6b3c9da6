/* test_evaluate.c -- what the AI knows about Marvelous Mashup: what heroes and stones are worth,
 * what the rest of a round will do to them, which actions are tried first, and whom a hero may
 * hit. */
#include "ai/internal.h"
#include "base/hash.h"
#include "games/marvelous-mashup/test_scene.h"
#include "tests/support/golden.h"

/* The order of the next round must not depend on how the last turn of this one is made: a search
 * that could choose it would choose luck [5.2]. */
static void no_plan_chooses_its_luck(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a....b....", "..........", "....A.....", ".....B....");
    MarvelousState *state = scene.state;
    const MashAction move = {.verb = VERB_MOVE, .unit = a, .x = 1, .y = 0};
    const MashAction back = {.verb = VERB_MOVE, .unit = a, .x = 0, .y = 0};
    const MashAction end = {.verb = VERB_END, .unit = a};
    state->order_next = state->order_count; /* a's turn is the last one */
    Ai *ai = ai_init(scene.content, support_memory(ai_bytes(scene.content)));
    MarvelousState *early = support_state(scene.content), *late = support_state(scene.content);
    uint32_t others = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        AiPlan plan = {0};
        AiTask task = {.skill = ai_level(AI_LEVELS), .view = state, .plan = &plan, .seed = seed};
        assert_true(ai_begin(ai, &task));
        memcpy(early, state, scene.content->limits.state_bytes);
        memcpy(late, state, scene.content->limits.state_bytes);
        assert_true(search_apply(ai, early, end, 0));
        assert_true(search_apply(ai, late, move, 0) && search_apply(ai, late, back, 0) &&
                    search_apply(ai, late, end, 0));
        assert_int_equal(early->round, state->round + 1);
        assert_int_equal(early->order_count, late->order_count);
        assert_memory_equal(early->order, late->order, early->order_count);
        memcpy(late, state, scene.content->limits.state_bytes);
        assert_true(search_apply(ai, late, end, 1));
        others += memcmp(early->order, late->order, early->order_count) != 0;
    }
    assert_true(others > 0); /* elsewhere in the search luck is different */
    support_free(early);
    support_free(late);
    support_free(ai);
    scene_close(&scene);
}

/* --- Evaluation ------------------------------------------------------------------------------- */

/* What a hero is worth who has so many movement points and does this damage in a turn. */
static int32_t worth(int health, int moves, int damage) {
    return 37 + 33 * moves + health * damage / 16;
}
/* The same of the kinds of the drawings: 2 movement points, 30 twice; 6 movement points, 10 once.
 */
static int32_t worth_a(int health) { return worth(health, 2, 2 * 30); }
static int32_t worth_e(int health) { return worth(health, 6, 10); }

enum { HELD = 10, PAIR = 29, MOST = 10, KNOCK_OUT = 5, STOLEN = 20 };

/* The evaluation for seat 0; for the other it is the same with the other sign. */
static int32_t value(const MarvelousScene *scene) {
    int32_t first = marvelous_evaluator.evaluate(scene->content, scene->state, 0);
    assert_int_equal(marvelous_evaluator.evaluate(scene->content, scene->state, 1), -first);
    return first;
}

/* The kind of a hero, to be changed. */
static MarvelousKind *kind(MarvelousScene *scene, uint8_t hero) {
    return &((MarvelousContent *)(void *)scene->content->body)
                ->kinds[scene->state->actors[hero].kind];
}

/* [3.1] Health counts by the damage that the hero does; who is knocked out or away does not. */
static void heroes_have_their_worth(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ab...............E", "..................");
    assert_int_equal(value(&scene), 2 * worth_a(100) - worth_e(100));
    scene_health(&scene, b, 40);
    assert_int_equal(value(&scene), worth_a(100) + worth_a(40) - worth_e(100));
    scene_health(&scene, b, 0);
    assert_int_equal(value(&scene), worth_a(100) - worth_e(100));
    kind(&scene, a)->melee = 50;
    assert_int_equal(value(&scene), worth(100, 2, 2 * 50) - worth_e(100));
    /* Beyond 200 damage, 4 actions and 8 steps more is not worth more. */
    kind(&scene, a)->melee = 300;
    kind(&scene, a)->actions = 6;
    kind(&scene, a)->moves = 9;
    assert_int_equal(value(&scene), worth(100, 8, 4 * 200) - worth_e(100));
    scene.state->phase = PHASE_CHOICE;
    assert_int_equal(value(&scene), 0);
    scene_close(&scene);
}

/* [11.1] [12.2] What decides when Thanos comes: stones, knock-outs and damage. */
static void sides_have_their_worth(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a.........A", "...........");
    assert_int_equal(value(&scene), 0);
    scene.state->knock_outs[0] = 3;
    scene.state->damage[1] = 139;
    scene.state->most_stones[1] = 2;
    assert_int_equal(value(&scene), 3 * KNOCK_OUT - 139 / 20 - 2 * MOST);
    scene.state->damage[1] = 20 * 10000 + 40; /* no more counts */
    assert_int_equal(value(&scene), 3 * KNOCK_OUT - 10000 - 2 * MOST);
    scene_close(&scene);
    scene = SCENE("a.........A", "...........");
    scene_hold(&scene, a, STONE_TIME);
    scene.state->most_stones[0] = 0;
    int32_t apart = 10; /* from who holds it to the enemies */
    assert_int_equal(value(&scene), HELD + apart);
    scene_hold(&scene, a, STONE_SOUL);
    scene_hold(&scene, a, STONE_MIND);
    scene.state->most_stones[0] = 0;
    assert_int_equal(value(&scene), 3 * HELD + 3 * PAIR + 3 * apart);
    scene_close(&scene);
}

/* A stone on the ground is better near to the own heroes; only who stands can fetch it. */
static void stones_lie_near(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a..0.......A", "....b.......");
    assert_int_equal(value(&scene), worth_a(100) - 1 + 8);
    scene_health(&scene, b, 0);
    assert_int_equal(value(&scene), -3 + 8);
    scene_close(&scene);
}

/* The mean of what is now, one part, and of what will be, nine parts. */
static int32_t foreseen(int32_t now, int32_t then) { return (now * 10 + then * 90) / 100; }

/* [5.2] In its turn a hero does nine tenths of the damage that it can do, and so do those whose
 * turn is to come; those who had theirs do six tenths. */
static void the_round_is_foreseen(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a......A", "........", "........");
    assert_int_equal(value(&scene), foreseen(0, worth_a(100 - 54) - worth_a(100 - 54 - 36)));
    scene.state->actors[a].actions = 1;
    assert_int_equal(value(&scene), foreseen(0, worth_a(100 - 54) - worth_a(100 - 27 - 36)));
    scene.state->actors[a].actions = 0;
    assert_int_equal(value(&scene), foreseen(0, worth_a(100 - 54) - worth_a(100 - 36)));
    scene.state->order_next = 2; /* both had theirs */
    assert_int_equal(value(&scene), foreseen(0, worth_a(100 - 36) - worth_a(100 - 36)));
    scene.state->actors[a].actions = 2;
    scene.state->actors[a].moves = 1; /* seven cells are too far now */
    scene.state->order_next = 1;
    assert_int_equal(value(&scene), foreseen(0, worth_a(100 - 54) - worth_a(100 - 36)));
    scene.state->round = 3; /* Goose comes first in the order [9.1] */
    assert_int_equal(value(&scene), foreseen(0, worth_a(100 - 54) - worth_a(100)));
    scene_close(&scene);
    scene = SCENE("a.......A", ".........", ".........");
    assert_int_equal(value(&scene), 0);
    scene_close(&scene);
}

/* Who would be knocked out does not hit back; of several the one is hit whose loss is greatest, and
 * stones that fall count [3.3]. */
static void knock_outs_are_foreseen(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a......A", "........", "........");
    scene_health(&scene, A, 54);
    assert_int_equal(value(&scene), foreseen(worth_a(100) - worth_a(54), worth_a(100)));
    scene_health(&scene, A, 55);
    assert_int_equal(value(&scene), foreseen(worth_a(100) - worth_a(55), worth_a(100 - 54)));
    scene_close(&scene);
    scene = SCENE("a......A", ".......B", "........");
    scene.state->order_next = scene.state->order_count; /* nobody else is to act */
    scene.state->order[0] = scene.state->order[1] = scene.state->order[2] = UNIT_THANOS;
    scene_health(&scene, A, 52);
    scene_health(&scene, B, 50);
    int32_t now = worth_a(100) - worth_a(52) - worth_a(50);
    assert_int_equal(value(&scene), foreseen(now, worth_a(100) - worth_a(50)));
    scene_hold(&scene, B, STONE_TIME);
    int32_t stone = HELD + MOST + 7; /* seven cells from a */
    assert_int_equal(value(&scene), foreseen(now, worth_a(100) - worth_a(52)) - stone);
    scene_close(&scene);
}

/* [7.1] [7.2] Melee reaches a cell after the steps, ranged attacks as far as the hero can shoot. */
static void reaches_are_foreseen(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a..E", "....", "....", "....", "....");
    scene.state->order_count = scene.state->order_next = 0;
    kind(&scene, a)->melee = 40;
    int32_t now = worth(100, 2, 80) - worth_e(100);
    assert_int_equal(value(&scene), foreseen(now, now + worth_e(100) - worth_e(100 - 72)));
    scene_close(&scene);
    scene = SCENE("a...E", ".....", ".....", ".....");
    scene.state->order_count = scene.state->order_next = 0;
    kind(&scene, a)->melee = 40;
    assert_int_equal(value(&scene), foreseen(now, now + worth_e(100) - worth_e(100 - 54)));
    scene_close(&scene);
}

/* --- Priorities ------------------------------------------------------------------------------- */

enum { PRUNED = INT32_MIN };

static int32_t priority(const MarvelousScene *scene, MashAction action) {
    return marvelous_evaluator.priority(scene->content, scene->state, action);
}

/* [7.1] [7.2] Knock-outs first, then damage; carriers of stones count more, rocks little. */
static void attacks_are_tried_by_effect(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA.B", "#...", "....", "....", "....");
    assert_int_equal(priority(&scene, MELEE(&scene, 1, 0)), 10);
    assert_int_equal(priority(&scene, RANGED(&scene, 3, 0)), 30);
    scene_health(&scene, B, 30);
    assert_int_equal(priority(&scene, RANGED(&scene, 3, 0)), 100 + 30);
    scene_health(&scene, B, 31);
    assert_int_equal(priority(&scene, RANGED(&scene, 3, 0)), 30);
    scene_hold(&scene, A, STONE_TIME);
    scene_hold(&scene, A, STONE_SOUL);
    assert_int_equal(priority(&scene, MELEE(&scene, 1, 0)), 10 + 2 * 20);
    assert_int_equal(priority(&scene, MELEE(&scene, 0, 1)), -20);
    assert_int_equal(priority(&scene, RANGED(&scene, 0, 1)), PRUNED);
    assert_int_equal(priority(&scene, END(&scene)), 0);
    scene_close(&scene);
}

/* [6.3] [6.4] [6.5] Onto a stone, or nearer to stones; portals and swaps are tried late. */
static void steps_go_to_stones(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("0aO...", "b.....", "....4.", "O.....");
    assert_int_equal(priority(&scene, MOVE(&scene, 0, 0)), 200);
    assert_int_equal(priority(&scene, MOVE(&scene, 2, 0)), -5);
    assert_int_equal(priority(&scene, MOVE(&scene, 0, 1)), -30);
    assert_int_equal(priority(&scene, MOVE(&scene, 1, 1)), 0);
    assert_int_equal(priority(&scene, MOVE(&scene, 2, 1)), -1 + 1);
    scene_hold(&scene, b, STONE_SPACE); /* the other stone alone */
    assert_int_equal(priority(&scene, MOVE(&scene, 2, 1)), 1);
    scene_close(&scene);
}

/* [8.2] [8.3] [8.4] [8.5] [8.6] [8.7] Stones are used where there is something to gain. */
static void stones_are_used_to_gain(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA......", "#b......", "........", ".....3.E");
    int mind = marvelous_content(scene.content)->mind_damage;
    assert_int_equal(priority(&scene, USE(&scene, STONE_SPACE, 4, 3)), 60);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SPACE, 3, 3)), PRUNED);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SPACE, 2, 0)), 5);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SPACE, 3, 0)), PRUNED);
    assert_int_equal(priority(&scene, USE(&scene, STONE_MIND, 1, 0)), mind);
    assert_int_equal(priority(&scene, USE(&scene, STONE_REALITY, 0, 1)), -15);
    assert_int_equal(priority(&scene, USE(&scene, STONE_REALITY, 1, 0)), PRUNED);
    assert_int_equal(priority(&scene, USE(&scene, STONE_POWER, 1, 0)), 2 * 10 - 100 / 10);
    assert_int_equal(priority(&scene, USE(&scene, STONE_TIME, 0, 0)), 40);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SOUL, 1, 1)), 150);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SOUL, 1, 0)), PRUNED);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SOUL, 0, 1)), PRUNED);
    scene_close(&scene);
}

/* [12.1] Who stands alone goes beside the friend who holds stones. */
static void stones_are_brought_together(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a.....b..", ".........", "A........");
    scene_health(&scene, A, 0);
    scene_hold(&scene, a, STONE_SPACE);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SPACE, 5, 0)), PRUNED);
    scene_hold(&scene, b, STONE_TIME);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SPACE, 5, 0)), 60);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SPACE, 4, 0)), PRUNED);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SPACE, 1, 0)), PRUNED); /* beside itself */
    scene_health(&scene, A, 1);
    assert_int_equal(priority(&scene, USE(&scene, STONE_SPACE, 5, 0)), PRUNED);
    scene_close(&scene);
}

/* [8.8] A stone goes to who has as many, most of all if that unites all six. */
static void stones_go_where_stones_are(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ab", "A.", "..", "..", "..", "..", "..", "..", "..", "..");
    scene_hold(&scene, a, STONE_SPACE);
    assert_int_equal(priority(&scene, GIVE(&scene, STONE_SPACE, 1, 0)), -25);
    scene_hold(&scene, b, STONE_TIME);
    assert_int_equal(priority(&scene, GIVE(&scene, STONE_SPACE, 1, 0)), 5);
    assert_int_equal(priority(&scene, GIVE(&scene, STONE_SPACE, 0, 1)), PRUNED);
    assert_int_equal(priority(&scene, GIVE(&scene, STONE_SPACE, 1, 1)), PRUNED);
    scene_hold(&scene, a, STONE_MIND);
    scene_hold(&scene, a, STONE_SOUL);
    scene_hold(&scene, a, STONE_POWER);
    assert_int_equal(priority(&scene, GIVE(&scene, STONE_SPACE, 1, 0)), -25);
    scene_hold(&scene, a, STONE_REALITY);
    assert_int_equal(priority(&scene, GIVE(&scene, STONE_SPACE, 1, 0)), 300);
    scene_close(&scene);
}

/* --- The draft -------------------------------------------------------------------------------- */

/* [4.2] The place of the offer that a level chooses; -1: nothing is chosen now. */
static int choice(const MarvelousScene *scene, uint8_t seat, uint32_t level) {
    MashChance chance = chance_scripted(NULL, 0);
    MashAction action =
        marvelous_evaluator.opening_trained(scene->content, scene->state, seat, level, &chance);
    return action.verb == VERB_CHOOSE ? action.unit - UNIT_OFFERS - OFFERED * seat : -1;
}

/* [4.2] The strongest that is left, by health and damage, or by what was learned. */
static void the_strongest_are_chosen(void **unused) {
    (void)unused;
    MarvelousScene scene = scene_over(support_content(&marvelous_mashup_game, "starter-kit"), 0);
    MarvelousContent *content = (void *)scene.content->body;
    for (int i = 0; i < OFFERED; i++) {
        scene.state->offers[1][i] = (uint8_t)i;
        content->kinds[i] = (MarvelousKind){
            .health = 100, .moves = 2, .actions = 2, .melee = 10, .ranged = 20, .reach = 3};
    }
    assert_int_equal(choice(&scene, 1, 1), 0); /* of equals the first */
    content->kinds[4].health = 101;
    content->kinds[7].ranged = 21;
    assert_int_equal(choice(&scene, 1, 1), 7);
    scene.state->picked[1] = 1 << 7;
    assert_int_equal(choice(&scene, 1, 1), 4);
    scene.state->offers[1][4] = KIND_HIDDEN;
    assert_int_equal(choice(&scene, 1, 1), 0);
    content->kinds[5].health = 300;
    content->kinds[6].ranged = 40;
    content->kinds[6].reach = 5;
    assert_int_equal(choice(&scene, 1, 4), 5);
    assert_int_equal(choice(&scene, 1, 5), 6);
    scene.state->phase = PHASE_PLAY;
    assert_int_equal(choice(&scene, 1, 1), -1);
    scene_close(&scene);
}

/* [5.2] Every turn has a number of its own. */
static void turns_have_numbers(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a....A", "......", "......", "......");
    assert_int_equal(marvelous_evaluator.turn_number(scene.content, scene.state), (8 << 8) + 1);
    ACT(&scene, END(&scene));
    assert_int_equal(marvelous_evaluator.turn_number(scene.content, scene.state), (8 << 8) + 2);
    scene_close(&scene);
}

/* --- Threats ---------------------------------------------------------------------------------- */

/* The most that a may take from one on each cell of the first row in its next turn, in tens: 0 to
 * 9, then A and so on. */
static void threatens(const MarvelousScene *scene, const char *digits) {
    static const char signs[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    int32_t most[64] = {0};
    char text[65] = "";
    assert_true(scene->content->limits.width * scene->content->limits.height <= 64);
    marvelous_mashup_game.threat(scene->content, scene->state, a, most);
    for (int i = 0; i < scene->content->limits.width; i++)
        text[i] = signs[most[i] / 10];
    assert_string_equal(text, digits);
}

/* [6.1] [7.1] [7.2] Two steps, then two attacks: near by the stronger one, far by the ranged. */
static void attacks_threaten(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a..........A", "............");
    threatens(&scene, "666666660000");
    kind(&scene, a)->melee = 50;
    threatens(&scene, "AAAA66660000");
    scene_health(&scene, a, 0);
    threatens(&scene, "000000000000");
    scene.state->round = STAN_ROUND - 2;
    threatens(&scene, "000000000000");
    scene.state->round = STAN_ROUND - 1; /* Stan Lee may heal it [10.3] */
    threatens(&scene, "AAAA66660000");
    scene.state->round = STAN_ROUND;
    threatens(&scene, "AAAA66660000");
    scene.state->order_next = 0; /* its turn comes before him */
    threatens(&scene, "000000000000");
    scene.state->order[0] = UNIT_STAN;
    threatens(&scene, "AAAA66660000");
    scene_health(&scene, a, 100);
    kind(&scene, a)->actions = 0;
    threatens(&scene, "000000000000");
    scene_close(&scene);
    scene = SCENE("A..........B", "............");
    threatens(&scene, "000000000000");
    scene_close(&scene);
}

/* [1.3] A rock that can be broken with one attack less is no wall, one that is whole is. */
static void rocks_are_in_the_way(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a#.........A", "##..........");
    uint8_t *rock = &scene.state->cells[cell_at(marvelous_content(scene.content), 1, 0)];
    threatens(&scene, "666666000000");
    *rock = CELL_ROCKS + 31;
    threatens(&scene, "666666000000");
    *rock = CELL_ROCKS + 30;
    threatens(&scene, "666666660000");
    ((MarvelousContent *)(void *)scene.content->body)->mind_damage = 50;
    *rock = CELL_ROCKS + 31; /* without the Mind Stone that does nothing */
    threatens(&scene, "666666000000");
    kind(&scene, a)->melee = 31;
    threatens(&scene, "666666660000");
    kind(&scene, a)->melee = 16;
    scene_hold(&scene, a, STONE_POWER); /* doubles it [8.5] */
    threatens(&scene, "666666660000");
    scene_close(&scene);
    scene = SCENE("a#.........A", "##..........");
    scene_hold(&scene, a, STONE_REALITY); /* [8.4] */
    threatens(&scene, "666666660000");
    scene.state->stones[STONE_REALITY].cooldown = 2;
    threatens(&scene, "666666000000");
    scene.state->stones[STONE_REALITY].cooldown = 1; /* usable by then [8.1] */
    threatens(&scene, "666666660000");
    scene_close(&scene);
}

/* [8.2] [8.3] [8.5] [8.6] What stones do to a turn. */
static void stones_threaten(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a..........A", "............");
    scene_hold(&scene, a, STONE_SPACE); /* which takes one of the two actions */
    threatens(&scene, "666666663333");
    kind(&scene, a)->melee = 25;
    kind(&scene, a)->actions = 1; /* then none is left to strike with, */
    scene_hold(&scene, a, STONE_POWER);
    threatens(&scene, "555533330000"); /* not even by a stone */
    scene_close(&scene);
    scene = SCENE("a..........A", "............");
    scene_hold(&scene, a, STONE_TIME); /* twice as many, one of them to use it */
    threatens(&scene, "999999999900");
    scene_close(&scene);
    scene = SCENE("a..........A", "............");
    kind(&scene, a)->melee = 20;
    scene_hold(&scene, a, STONE_POWER);
    threatens(&scene, "777766660000"); /* one strike of 40, one of 30 */
    scene_close(&scene);
    scene = SCENE("a..........A", "............");
    ((MarvelousContent *)(void *)scene.content->body)->mind_damage = 20;
    scene_hold(&scene, a, STONE_MIND);
    threatens(&scene, "666666662222");
    ((MarvelousContent *)(void *)scene.content->body)->mind_damage = 40;
    threatens(&scene, "777777774444");
    kind(&scene, a)->melee = 25;
    scene_hold(&scene, a, STONE_POWER);
    threatens(&scene, "999977774444"); /* one of 50, one of 40 */
    kind(&scene, a)->actions = 1;
    threatens(&scene, "555544444444");
    kind(&scene, a)->actions = 2;
    ((MarvelousContent *)(void *)scene.content->body)->cooldowns[STONE_MIND] = 0;
    threatens(&scene, "999988888888"); /* it needs no rest */
    scene_close(&scene);
}

/* Stones that it may come by in its turn count: from the ground, of one who is knocked out [3.3],
 * or of Goose, who may come before [9.1]. */
static void stones_may_be_taken(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a.4........A", "............"); /* Time */
    threatens(&scene, "999999999900");
    scene_close(&scene);
    scene = SCENE("a..4.......A", "............");
    threatens(&scene, "666666660000");
    scene_close(&scene);
    scene = SCENE("a...B......A", "............");
    scene_hold(&scene, B, STONE_TIME);
    threatens(&scene, "666666660000");
    scene_health(&scene, B, 60);
    threatens(&scene, "999999999900");
    kind(&scene, a)->actions = 1;
    scene_health(&scene, B, 30);
    threatens(&scene, "333333330000"); /* no action is left to use it */
    scene_close(&scene);
    scene = SCENE("a...b......A", "............");
    scene_hold(&scene, b, STONE_TIME); /* a friend's */
    scene_health(&scene, b, 1);
    threatens(&scene, "666666660000");
    scene_close(&scene);
    scene = SCENE("a..........A", "............");
    scene.state->round = GOOSE_ROUNDS - 1;
    threatens(&scene, "999999999933"); /* Time, or Space at most */
    scene.state->round = GOOSE_ROUNDS;
    threatens(&scene, "666666660000");
    scene.state->round = GOOSE_ROUNDS - 1;
    scene.state->order_next = 0; /* its turn comes first */
    threatens(&scene, "666666660000");
    scene_hold(&scene, a, STONE_TIME);
    threatens(&scene, "999999999900");
    scene.state->stones[STONE_TIME].cooldown = 1; /* it rests then [8.1] */
    threatens(&scene, "666666660000");
    scene_close(&scene);
}

/* [6.5] Who steps onto a portal comes out near another. [11.7] Thanos may push it a cell. */
static void portals_are_short_ways(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aO..................", ".................O..");
    threatens(&scene, "66666666666666666666");
    scene_close(&scene);
    scene = SCENE("a..O................", ".................O..");
    threatens(&scene, "66666666000000000000");
    scene_close(&scene);
    scene = SCENE("a..............T", "................");
    threatens(&scene, "6666666660000000");
    scene_close(&scene);
    scene = SCENE("a..............A", "................");
    scene.state->round = (uint16_t)(marvelous_content(scene.content)->rounds_max - 2);
    threatens(&scene, "6666666600000000");
    scene.state->round++;
    threatens(&scene, "6666666660000000");
    ((MarvelousContent *)(void *)scene.content->body)->rounds_max = 0; /* he comes later [11.2] */
    threatens(&scene, "6666666600000000");
    scene.state->round = LAST_ROUND - 1;
    threatens(&scene, "6666666660000000");
    scene_close(&scene);
}

/* What the test of the largest board works with. */
typedef struct LargestBoard {
    MashContent *content;
    MarvelousState *state;
    MashText text;
} LargestBoard;

/* One position: what it is worth, what is tried first, and what each hero threatens. */
static void put_position(void *owner, uint8_t seat, MashChance *chooser) {
    LargestBoard *largest = owner;
    const MashContent *content = largest->content;
    uint32_t cells = (uint32_t)content->limits.width * content->limits.height;
    (void)chooser;
    if (largest->state->phase == PHASE_CHOICE)
        return;
    int32_t *most = support_memory(cells * sizeof *most);
    MashAction *list = support_memory(content->limits.actions_max * sizeof *list);
    int32_t *priorities = support_memory(content->limits.actions_max * sizeof *priorities);
    uint32_t count = marvelous_mashup_game.actions(content, largest->state, seat, list);
    for (uint32_t i = 0; i < count && marvelous_evaluator.priority != NULL; i++)
        priorities[i] = marvelous_evaluator.priority(content, largest->state, list[i]);
    if (marvelous_evaluator.priorities != NULL)
        marvelous_evaluator.priorities(content, largest->state, seat, list, count, priorities);
    uint64_t hash = hash_bytes(0, priorities, count * sizeof *priorities);
    text_format(&largest->text, "round %u: worth %d, %u actions ", largest->state->round,
                (int)marvelous_evaluator.evaluate(content, largest->state, seat), count);
    text_hex(&largest->text, hash, 16);
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        memset(most, 0, cells * sizeof *most);
        marvelous_mashup_game.threat(content, largest->state, hero, most);
        text_byte(&largest->text, ' ');
        text_hex(&largest->text, hash_bytes(0, most, cells * sizeof *most), 4);
    }
    text_byte(&largest->text, '\n');
    support_free(most);
    support_free(list);
    support_free(priorities);
}

/* On the largest board there is nothing behind the last column and row. */
static void the_largest_board(void **unused) {
    (void)unused;
    static char memory[400000];
    const int32_t parameters[5] = {MASH_SIDE_MAX, MASH_SIDE_MAX, 25, 40, 1};
    MashText document = text_over(memory, sizeof memory);
    MashChance chance = chance_sampled(1);
    assert_true(marvelous_mashup_game.generators[0].write(parameters, &chance, &document));
    LargestBoard largest = {.text = text_over(support_memory(1 << 14), 1 << 14)};
    largest.content =
        support_content_with(&marvelous_mashup_game, NULL,
                             (MashDocument){"large.scenario.json", memory, document.count});
    largest.state = support_state(largest.content);
    support_positions(largest.content, 12, 40, largest.state, put_position, &largest);
    golden_compare("tests/golden/marvelous-largest.txt", &largest.text);
    support_free(largest.text.bytes);
    support_free(largest.state);
    support_free(largest.content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_plan_chooses_its_luck),
        cmocka_unit_test(heroes_have_their_worth),
        cmocka_unit_test(sides_have_their_worth),
        cmocka_unit_test(stones_lie_near),
        cmocka_unit_test(the_round_is_foreseen),
        cmocka_unit_test(knock_outs_are_foreseen),
        cmocka_unit_test(reaches_are_foreseen),
        cmocka_unit_test(attacks_are_tried_by_effect),
        cmocka_unit_test(steps_go_to_stones),
        cmocka_unit_test(stones_are_used_to_gain),
        cmocka_unit_test(stones_are_brought_together),
        cmocka_unit_test(stones_go_where_stones_are),
        cmocka_unit_test(the_strongest_are_chosen),
        cmocka_unit_test(turns_have_numbers),
        cmocka_unit_test(attacks_threaten),
        cmocka_unit_test(rocks_are_in_the_way),
        cmocka_unit_test(stones_threaten),
        cmocka_unit_test(stones_may_be_taken),
        cmocka_unit_test(portals_are_short_ways),
        cmocka_unit_test(the_largest_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
