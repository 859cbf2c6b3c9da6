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
static Scene begin_on_board(int size, uint64_t seed) {
    static char memory[BYTES];
    const MashGame *game = &marvelous_mashup_game;
    int32_t parameters[] = {size, size, 25, 2, 0};
    MashText text = text_over(memory, sizeof memory);
    MashChance chance = chance_seeded((MashSeed){{seed, 1}}, 0);
    assert_string_equal(game->generators[0].id, "scenario");
    assert_true(game->generators[0].write(parameters, &chance, &text));
    MashDocument board = {"random.scenario.json", memory, text.count};
    Scene scene = scene_over(support_content_with(game, NULL, board), RULES_SPEC);
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
static void begin_ending(Scene *scene, uint64_t seed) {
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
static void play_ending(Scene *scene, uint64_t seed) {
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
        Scene scene = begin_on_board(size, seed);
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

static int32_t value_of(const Scene *scene) {
    return gather_value(marvelous_content(scene->content), scene->state, 0);
}

/* Nobody gathers while enemies are standing, or when Thanos has a stone already. */
static void only_who_stands_alone_gathers(void **unused) {
    (void)unused;
    Scene scene = SCENE("a...b", ".....", ".....", "A.T.B");
    assert_int_equal(gather_seat(scene.state), MASH_SEAT_NONE);
    scene_health(&scene, A, 0);
    assert_int_equal(gather_seat(scene.state), MASH_SEAT_NONE);
    scene_health(&scene, B, 0);
    assert_int_equal(gather_seat(scene.state), 0);
    scene_hold(&scene, UNIT_THANOS, STONE_MIND);
    assert_int_equal(gather_seat(scene.state), MASH_SEAT_NONE);
    scene_close(&scene);
}

/* A step nearer by walking distance is better, a hand-over too, and a stone that is taken from the
 * ground. */
static void what_brings_stones_together_is_better(void **unused) {
    (void)unused;
    Scene scene = SCENE("a#..b", ".#.#.", ".#.#.", "...#.", "A...1");
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
    Scene scene = SCENE("a.#.b", "..#..", "..#..", "..#..", "..#.A");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endings_are_won_on_10_x_10),
        cmocka_unit_test(endings_are_won_on_20_x_20),
        cmocka_unit_test(endings_are_won_on_30_x_30),
        cmocka_unit_test(only_who_stands_alone_gathers),
        cmocka_unit_test(what_brings_stones_together_is_better),
        cmocka_unit_test(walls_can_be_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
