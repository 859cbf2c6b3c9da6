/* test_puzzle.c -- puzzles: one that is known is found with its kind and turns, the beginning of a
 * match is none, and turns are judged as who plays them is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ai/puzzle.h"
#include "base/text.h"
#include "tests/support/support.h"

enum { NODES = 4000, JUDGED = 20000, DIGITS = 16, WORD_BYTES = 64 };

/* Brandubh: the king's side has to stop the attackers, and four turns do. */
static const char *const actions = "010005000605000001010800060200000100040005000000010108000202000"
                                   "0010003000102000001010a0004020000"
                                   "010002000005000001010800020100000100030001010000010109000201000"
                                   "0010004000503000001010c0000030000"
                                   "010003000001000001010a00040100000100040002030000";
static const MashSeed seed = {{22, 37}};

/* The position, and what looks for puzzles in it. */
typedef struct PuzzleFixture {
    MashContent *content;
    void *state, *memory;
    PuzzleFinder *finder;
} PuzzleFixture;

/* The position after so many actions. */
static PuzzleFixture fixture(size_t count) {
    PuzzleFixture fixture = {.content = support_content(mash_game_find("tablut"), "brandubh")};
    fixture.state = support_state(fixture.content);
    fixture.memory = support_memory(puzzle_bytes(fixture.content));
    fixture.finder = puzzle_init(fixture.content, fixture.memory);
    MashChance chance = chance_seeded(seed, 0);
    fixture.content->game->setup(fixture.content, NULL, &chance, fixture.state);
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[sizeof(MashAction)];
        MashAction action;
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)(text_hex_digit(actions[i * DIGITS + 2 * k]) * 16 +
                                 text_hex_digit(actions[i * DIGITS + 2 * k + 1]));
        memcpy(&action, bytes, sizeof action);
        assert_int_equal(mash_apply(fixture.content, fixture.state, action, &chance, NULL),
                         MASH_OK);
    }
    return fixture;
}

static void fixture_end(PuzzleFixture *fixture) {
    support_free(fixture->memory);
    support_free(fixture->state);
    support_free(fixture->content);
}

/* Is it the turn of one action with these words? */
static bool is_turn(const PuzzleFixture *fixture, const PuzzleTurn *turn, const char *words) {
    char bytes[WORD_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    fixture->content->game->notation(fixture->content, fixture->state, turn->actions[0], &text);
    return turn->count == 1 && strcmp(bytes, words) == 0;
}

static void a_puzzle_is_found(void **state) {
    (void)state;
    PuzzleFixture scene = fixture(strlen(actions) / DIGITS);
    Puzzle puzzle;
    assert_true(puzzle_find(scene.finder, scene.state, 1, NODES, PUZZLE_GAP, &puzzle));
    assert_int_equal(puzzle.kind, PUZZLE_SURVIVE);
    assert_string_equal(puzzle_kind_id(puzzle.kind), "survive");
    assert_int_equal(puzzle.solutions_count, 4);
    static const char *const wanted[] = {"move s3 0 4", "move s1 2 2", "move s2 4 2",
                                         "move s3 3 2"};
    for (uint32_t i = 0; i < 4; i++) {
        bool there = false;
        for (uint32_t k = 0; k < 4; k++)
            there = there || is_turn(&scene, &puzzle.solutions[k], wanted[i]);
        assert_true(there);
    }
    assert_true(puzzle.best >= puzzle.second + PUZZLE_GAP && puzzle.second <= PUZZLE_LOST);
    /* With a wider gap the same second best turn is between: that makes no puzzle. */
    uint32_t gap = puzzle.best - puzzle.second + 1;
    assert_true(puzzle.best >= gap);
    assert_false(puzzle_find(scene.finder, scene.state, 1, NODES, gap, &puzzle));
    fixture_end(&scene);
}

static void turns_are_judged(void **state) {
    (void)state;
    PuzzleFixture scene = fixture(strlen(actions) / DIGITS);
    Puzzle puzzle;
    assert_true(puzzle_find(scene.finder, scene.state, 1, NODES, PUZZLE_GAP, &puzzle));
    uint32_t needs = puzzle_needs(puzzle.best, puzzle.second);
    for (uint32_t i = 0; i < puzzle.solutions_count; i++)
        assert_true(puzzle_chance(scene.finder, scene.state, 1, &puzzle.solutions[i], JUDGED) >=
                    needs);
    assert_true(puzzle_chance(scene.finder, scene.state, 1, &puzzle.instead, JUDGED) < needs);
    assert_false(puzzle_solved_by(scene.finder, scene.state, 1, PUZZLE_LEVEL, needs, JUDGED));
    assert_true(puzzle_solved_by(scene.finder, scene.state, 1, AI_LEVELS, needs, JUDGED));
    fixture_end(&scene);
}

static void what_a_level_misses_is_worth_a_look(void **state) {
    (void)state;
    PuzzleFixture scene = fixture(strlen(actions) / DIGITS);
    assert_true(puzzle_missed_by(scene.finder, scene.state, 1, PUZZLE_LEVEL, NODES, PUZZLE_GAP));
    assert_false(puzzle_missed_by(scene.finder, scene.state, 1, AI_LEVELS, NODES, PUZZLE_GAP));
    /* Nobody can have so large a lead. */
    assert_false(
        puzzle_missed_by(scene.finder, scene.state, 1, PUZZLE_LEVEL, NODES, MASH_WINNING_CERTAIN));
    fixture_end(&scene);
}

static void a_beginning_is_no_puzzle(void **state) {
    (void)state;
    PuzzleFixture scene = fixture(0);
    Puzzle puzzle;
    assert_false(puzzle_find(scene.finder, scene.state, 0, NODES, PUZZLE_GAP, &puzzle));
    fixture_end(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_puzzle_is_found),
        cmocka_unit_test(turns_are_judged),
        cmocka_unit_test(what_a_level_misses_is_worth_a_look),
        cmocka_unit_test(a_beginning_is_no_puzzle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
