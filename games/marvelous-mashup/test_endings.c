/* test_endings.c -- AI players whose enemies are all down bring the stones together before Thanos
 * comes. */
#include "ai/ai.h"
#include "base/hash.h"
#include "games/marvelous-mashup/gather.h"
#include "games/marvelous-mashup/test_scene.h"

/* Matches per board, nodes per turn, and the round in which an ending begins: six rounds before
 * Thanos comes. */
enum { ENDINGS = 8, NODES = 1000, BEGINS = 24, BYTES = 200000 };

/* A random board of this size with the shipped heroes, and a match on it after the choice. */
static MarvelousScene begin_on_board(int size, uint64_t seed) {
    static char memory[BYTES];
    const MashGame *game = &marvelous_mashup_game;
    int32_t parameters[] = {size, size, 25, 2, 0};
    MashText text = text_over(memory, sizeof memory);
    MashChance chance = chance_seeded((MashSeed){{seed, 1}}, 0);
    assert_string_equal(game->generators[0].id, "scenario");
    assert_true(game->generators[0].write(parameters, &chance, &text));
    MashDocument board = {"random.scenario.json", memory, text.count};
    MarvelousScene scene = scene_over(support_content_with(game, NULL, board), RULES_SPEC);
    MashAction list[OFFERED];
    while (scene.state->phase == PHASE_CHOICE) {
        uint8_t seat = game->awaited(scene.content, scene.state) == 2;
        uint32_t count = game->actions(scene.content, scene.state, seat, list);
        MashAction action = list[chance_below(&chance, count)];
        assert_int_equal(mash_apply(scene.content, scene.state, action, &chance, NULL), MASH_OK);
    }
    return scene;
}

/* The two heroes of seat 0 that are furthest apart. */
static void find_holders(const MarvelousState *state, uint8_t holders[2]) {
    int most = 0;
    for (uint8_t one = 0; one < TEAM; one++)
        for (uint8_t other = 0; other < one; other++) {
            int distance = grid_chebyshev(state->actors[one].x, state->actors[one].y,
                                          state->actors[other].x, state->actors[other].y);
            if (distance > most)
                most = distance, holders[0] = one, holders[1] = other;
        }
}

/* All enemies are down, and all stones in two own hands far apart; it is a's turn. */
static void begin_ending(MarvelousScene *scene, uint64_t seed) {
    MarvelousState *state = scene->state;
    const MarvelousContent *content = marvelous_content(scene->content);
    uint8_t holders[2] = {0, 1};
    find_holders(state, holders);
    for (uint8_t stone = 0; stone < STONES; stone++) {
        Stone *lying = &state->stones[stone];
        if (lying->holder == HELD_BY_GROUND)
            state->cells[cell_at(content, lying->x, lying->y)] = CELL_FREE;
        scene_hold(scene, holders[(stone + seed) % 2], stone);
    }
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        state->order[hero] = hero;
        if (seat_of(hero) == 1)
            state->actors[hero].health = 0;
    }
    state->round = BEGINS;
    state->active = a;
    state->actors[a].moves = kind_of(content, state, a)->moves;
    state->actors[a].actions = kind_of(content, state, a)->actions;
    state->order_count = HEROES;
    state->order_next = 1;
    scene_sound(scene);
}

/* Plays until the match is over or Thanos comes. */
static void play_ending(MarvelousScene *scene, uint64_t seed) {
    const MashGame *game = &marvelous_mashup_game;
    Ai *ai = ai_init(scene->content, support_memory(ai_bytes(scene->content)));
    AiPlan plan = {0};
    for (uint32_t number = 1; game->awaited(scene->content, scene->state) == 1; number++) {
        AiTask task = {.skill = ai_level(AI_LEVELS),
                       .view = scene->state,
                       .plan = &plan,
                       .nodes = NODES,
                       .seed = hash_number(seed, number)};
        if (scene->state->phase == PHASE_THANOS)
            break;
        assert_true(ai_begin(ai, &task));
        while (!ai_step(ai, UINT32_MAX))
            ;
        MashChance chance = chance_seeded((MashSeed){{seed, 2}}, number);
        MashAction action = ai_answer(ai);
        assert_int_equal(mash_apply(scene->content, scene->state, action, &chance, NULL), MASH_OK);
    }
    support_free(ai);
}

/* Some endings on boards of this size; in every second one the Space Stone cannot be used. */
static void endings_are_won(int size) {
    for (uint64_t seed = 1; seed <= ENDINGS; seed++) {
        MarvelousScene scene = begin_on_board(size, seed);
        begin_ending(&scene, seed);
        if (seed % 2 == 0)
            scene.state->stones[STONE_SPACE].cooldown = UINT8_MAX;
        play_ending(&scene, seed);
        MashResult result = marvelous_mashup_game.result(scene.content, scene.state);
        if (!result.over || result.winner != 0)
            fail_msg("%d x %d, seed %u: not won in round %d", size, size, (unsigned)seed,
                     scene.state->round);
        assert_int_equal(result.reason, REASON_SIX_STONES);
        scene_close(&scene);
    }
}

/* [12.1] */
static void endings_are_won_on_10_x_10(void **unused) {
    (void)unused;
    endings_are_won(10);
}

/* [12.1] */
static void endings_are_won_on_20_x_20(void **unused) {
    (void)unused;
    endings_are_won(20);
}

/* [12.1] */
static void endings_are_won_on_30_x_30(void **unused) {
    (void)unused;
    endings_are_won(30);
}

/* --- The evaluation of an ending -------------------------------------------------------------- */

static int32_t value_of(const MarvelousScene *scene) {
    return gather_value(marvelous_content(scene->content), scene->state, 0);
}

/* Nobody gathers while enemies are standing, or when Thanos has a stone already. */
static void only_who_stands_alone_gathers(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a...b", ".....", ".....", "A.T.B");
    assert_int_equal(gather_seat(scene.state), MASH_SEAT_NONE);
    scene_health(&scene, A, 0);
    assert_int_equal(gather_seat(scene.state), MASH_SEAT_NONE);
    scene_health(&scene, B, 0);
    assert_int_equal(gather_seat(scene.state), 0);
    scene_health(&scene, a, 0);
    scene_health(&scene, b, 0);
    assert_int_equal(gather_seat(scene.state), MASH_SEAT_NONE);
    scene_health(&scene, B, 1);
    assert_int_equal(gather_seat(scene.state), 1);
    scene_hold(&scene, UNIT_THANOS, STONE_MIND);
    assert_int_equal(gather_seat(scene.state), MASH_SEAT_NONE);
    scene_close(&scene);
}

/* A step nearer by walking distance is better, a hand-over too, and a stone that is taken from the
 * ground. */
static void what_brings_stones_together_is_better(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a#..b", ".#.#.", ".#.#.", "...#.", "A...1");
    for (uint8_t stone = 0; stone < STONES; stone++)
        if (stone != STONE_MIND)
            scene_hold(&scene, stone < 3 ? a : b, stone);
    int32_t far = value_of(&scene);
    ACT(&scene, MOVE(&scene, 0, 1)); /* further in a straight line, nearer on foot */
    int32_t nearer = value_of(&scene);
    assert_true(nearer > far);
    scene_close(&scene);
    scene = SCENE("ab...", ".....", ".....", ".....", "A...1");
    for (uint8_t stone = 0; stone < STONES; stone++)
        if (stone != STONE_MIND)
            scene_hold(&scene, stone < 3 ? a : b, stone);
    int32_t before = value_of(&scene);
    ACT(&scene, GIVE(&scene, STONE_SPACE, 1, 0));
    int32_t given = value_of(&scene);
    assert_true(given > before);
    scene_hold(&scene, b, STONE_MIND);
    scene.state->cells[cell_at(marvelous_content(scene.content), 4, 4)] = CELL_FREE;
    assert_true(value_of(&scene) > given);
    scene_close(&scene);
}

/* Where walls are closed, breakable rocks count by their health, and portals are paths. */
static void walls_can_be_passed(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a.#.b", "..#..", "..#..", "..#..", "..#.A");
    for (uint8_t stone = 0; stone < STONES; stone++)
        scene_hold(&scene, stone < 3 ? a : b, stone);
    int32_t whole = value_of(&scene);
    scene.state->cells[cell_at(marvelous_content(scene.content), 2, 0)] = CELL_ROCKS + 20;
    int32_t cracked = value_of(&scene);
    scene.state->cells[cell_at(marvelous_content(scene.content), 2, 0)] = CELL_FREE;
    int32_t broken = value_of(&scene);
    assert_true(whole < cracked && cracked < broken);
    scene_close(&scene);
    scene = SCENE("a.#.b", "..#..", "..#..", "..#..", "O.#.O");
    for (uint8_t stone = 0; stone < STONES; stone++)
        scene_hold(&scene, stone < 3 ? a : b, stone);
    assert_true(value_of(&scene) > whole);
    scene_close(&scene);
}

/* How much the stones still cost: ten for a step, 40 to take one from the ground or from a friend.
 */
static int32_t cost(const MarvelousScene *scene) { return 20000 - value_of(scene); }

/* One stone is to be fetched, the others are in Goose or in hand; of the heroes the nearest
 * fetches. */
static void ways_have_their_cost(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a..0......", "..........");
    assert_int_equal(cost(&scene), 3 * 10 + 40);
    assert_int_equal(marvelous_evaluator.evaluate_trained(scene.content, scene.state, 0),
                     20000 - 70);
    assert_int_equal(marvelous_evaluator.evaluate_trained(scene.content, scene.state, 1),
                     -20000 + 70);
    scene_close(&scene);
    scene = SCENE("a...b.0...", ".......c..");
    scene_health(&scene, c, 0); /* nearer, but knocked out */
    assert_int_equal(cost(&scene), 2 * 10 + 40);
    scene_close(&scene);
    scene = SCENE("a......b03", "..........");
    scene_hold(&scene, a, STONE_TIME); /* b goes to a for it, six steps away */
    assert_int_equal(cost(&scene), 1 * 10 + 40 + 2 * 10 + 40 + 6 * 10 + 40);
    scene_hold(&scene, a, STONE_SOUL); /* a fetches what is left */
    assert_int_equal(cost(&scene), 8 * 10 + 40 + 9 * 10 + 40);
    scene_close(&scene);
    scene = SCENE("ab........", "..........");
    scene_hold(&scene, a, STONE_TIME);
    scene_hold(&scene, b, STONE_SOUL);
    assert_int_equal(cost(&scene), 40);
    MarvelousContent *content = (void *)scene.content->body;
    content->kinds[scene.state->actors[b].kind].actions = 0; /* who gives needs an action [8.8] */
    assert_int_equal(cost(&scene), 40);                      /* so the other one gives */
    content->kinds[scene.state->actors[a].kind].actions = 0;
    assert_int_equal(cost(&scene), 2000);
    scene_close(&scene);
}

/* [1.3] [6.5] A rock costs a dozen steps and one more for each ten of its health, portals four. */
static void obstacles_have_their_cost(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a#0.......", "##........", "..........");
    assert_int_equal(cost(&scene), (12 + 10 + 1) * 10 + 40);
    scene.state->cells[cell_at(marvelous_content(scene.content), 1, 1)] = CELL_ROCKS + 39;
    assert_int_equal(cost(&scene), (12 + 3 + 1) * 10 + 40); /* the weakest is broken */
    scene.state->cells[cell_at(marvelous_content(scene.content), 1, 1)] = CELL_FREE;
    assert_int_equal(cost(&scene), 2 * 10 + 40);
    scene_close(&scene);
    scene = SCENE("a.#.......", ".O#.......", "###....O.0");
    assert_int_equal(cost(&scene), (1 + 4 + 2) * 10 + 40);
    scene_close(&scene);
    scene = SCENE("aT0.......", "TT........", "..........");
    assert_int_equal(cost(&scene), 2 * MASH_SIDE_MAX * 10 + 40); /* there is no way */
    scene_close(&scene);
}

/* Ways go on from one half of a tall board to the other. */
static void tall_boards_have_ways(void **unused) {
    (void)unused;
    const char *rows[70];
    for (int y = 0; y < 70; y++)
        rows[y] = y == 60 ? "a#" : y == 69 ? ".0" : ".#";
    MarvelousScene scene = scene_drawn(rows, 70, RULES_SPEC);
    assert_int_equal(cost(&scene), 9 * 10 + 40);
    scene_close(&scene);
    rows[60] = ".#";
    rows[66] = "a#";
    rows[69] = ".#";
    rows[61] = ".0";
    scene = scene_drawn(rows, 70, RULES_SPEC);
    assert_int_equal(cost(&scene), 5 * 10 + 40);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endings_are_won_on_10_x_10),
        cmocka_unit_test(endings_are_won_on_20_x_20),
        cmocka_unit_test(endings_are_won_on_30_x_30),
        cmocka_unit_test(only_who_stands_alone_gathers),
        cmocka_unit_test(what_brings_stones_together_is_better),
        cmocka_unit_test(walls_can_be_passed),
        cmocka_unit_test(ways_have_their_cost),
        cmocka_unit_test(obstacles_have_their_cost),
        cmocka_unit_test(tall_boards_have_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
