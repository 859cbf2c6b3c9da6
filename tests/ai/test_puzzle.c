/* test_puzzle.c -- puzzles: one that is known is found with its kind and turns, the beginning of a
 * match is none, a win must win for sure, and turns are judged as who plays them is told. */
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
static const char *const in_danger =
    "010005000605000001010800060200000100040005000000010108000202000"
    "0010003000102000001010a0004020000"
    "010002000005000001010800020100000100030001010000010109000201000"
    "0010004000503000001010c0000030000"
    "010003000001000001010a00040100000100040002030000";

/* Tablut: the attackers can take the king at once. */
static const char *const to_win =
    "01000b0007050000010110000702000001000300040200000101120002010000"
    "01000c0003070000010112000401000001000e00040700000101100004020000"
    "0100070002040000010117000206000001000e00040600000101150006070000"
    "01000f0005070000010117000006000001000800070000000101140005050000"
    "01000c0000070000010115000603000001000d00060800000101140005040000"
    "0100020005030000010110000502000001000000030200000101120004020000"
    "01000c0003070000010111000303000001000900070400000101100008020000"
    "0100040002030000010118000403000001000500080700000101140005050000"
    "0100080005000000010110000502000001000600000200000101150006070000"
    "0100090007030000010115000602000001000d00060400000101150006030000"
    "01000b0006050000010110000501000001000100040100000101140005040000"
    "0100050008020000010112000602000001000000050200000101180004020000"
    "0100060003020000010118000403000001000800050300000101160003050000"
    "01000f0005050000010112000502000001000d00050400000101120006020000"
    "0100090006030000010112000600000001000600040200000101120001000000"
    "0100010001010000010112000400000001000100040100000101120001000000"
    "0100010001010000010112000400000001000100040100000101120001000000"
    "0100010001010000010112000400000001000100040100000101120001000000"
    "0100010001010000010112000400000001000c00080700000101120004010000"
    "01000b0006060000010118000402000001000100010200000101180002020000";

/* Generals: the best move takes the Nexus, if what stands there is one. */
static const char *const perhaps_won =
    "010000000800000e010000000102000001000000020200050100000006020001"
    "0100000007020002010000000801000c010000000601000c0100000005020003"
    "0100000008020004010000000402000601000000000200070100000007000008"
    "0100000001010009010000000001000a010000000302000b010000000301000d"
    "010000000100000d010000000501000d010000000401000d010000000300000d"
    "010000000701000d0400000000000000010100000807001d010100000705000f"
    "010100000005001401010000010500100101000004050011010100000106001b"
    "010100000406001b010100000605001201010000080500130101000007070015"
    "0101000003050016010100000806001701010000030600180101000000060019"
    "010100000307001a010100000205001c010100000606001c010100000505001c"
    "010100000506001c010100000706001c010100000206001c0401000000000000"
    "0500000002000000050120000207000005000d00010300000501160001040000"
    "0500080005000000050122000407000005000600020100000501210002060000"
    "050012000603000005011f000105000005000900060200000501150000040000"
    "050002000600000005011e000106000005001300070300000501220004060000"
    "050006000301000005011d000804000005000500020100000501170002040000"
    "05000a0007020000050116000103000005001300070400000601150000000000"
    "0500130007050000050118000306000005000c00010200000501190004040000"
    "0500040000000000050119000403000005000800050100000501190004020000"
    "05000c0001030000050119000302000006000e000000000005011a0005040000"
    "050004000100000005011d0008030000050002000500000005011d0008020000"
    "050008000601000005011e000107000005000a00070100000501230005070000"
    "05000c000102000005011e000106000005001200060400000501220005060000"
    "05000c0000020000050128000607000005000c00010200000501170001040000"
    "050008000600000005011a0005030000050001000400000005011a0005020000"
    "05000900060300000501150000030000050009000503000005011c0008050000"
    "050012000605000005011f000205000005001200060600000501220006060000"
    "05000e00020300000501220006050000050004000000000005011e0000060000"
    "0500070005010000050122000705000005000400010000000501200001070000"
    "05000a000702000005011c0008040000050000000300000005011c0008030000"
    "05000900060300000501210001060000050004000200000005011c0008020000"
    "05000c000202000005011c000801000005000a00060200000501280007070000"
    "05000e0003030000050117000103000005000c00010200000501230004070000"
    "05000e0003040000050122000704000005000900060400000501220007030000"
    "05000a0007020000050125000705000005000e00030500000501270002070000"
    "05000e000405000005011e000005000005000a00060200000501170002030000"
    "0500090007040000050122000704000005000e00050500000501170002040000"
    "05000e0006050000050125000805000005000c00010300000501180003050000"
    "05000e0007050000050125000804000005000e00080500000501250008030000"
    "0500040001000000050125000802000005000800070000000501250008010000";

/* The position, and what looks for puzzles in it. */
typedef struct PuzzleFixture {
    MashContent *content;
    void *state, *memory;
    PuzzleFinder *finder;
} PuzzleFixture;

/* The position after so many of the actions. */
static PuzzleFixture fixture_of(const char *game, const char *preset, MashSeed seed,
                                const char *actions, size_t count) {
    PuzzleFixture fixture = {.content = support_content(mash_game_find(game), preset)};
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
        chance = chance_seeded(seed, (uint32_t)i + 1);
        assert_int_equal(mash_apply(fixture.content, fixture.state, action, &chance, NULL),
                         MASH_OK);
    }
    return fixture;
}

static PuzzleFixture fixture(size_t count) {
    return fixture_of("tablut", "brandubh", (MashSeed){{22, 37}}, in_danger, count);
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
    PuzzleFixture scene = fixture(strlen(in_danger) / DIGITS);
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
    PuzzleFixture scene = fixture(strlen(in_danger) / DIGITS);
    Puzzle puzzle;
    assert_true(puzzle_find(scene.finder, scene.state, 1, NODES, PUZZLE_GAP, &puzzle));
    uint32_t needs = puzzle_needs(puzzle.best, puzzle.second);
    for (uint32_t i = 0; i < puzzle.solutions_count; i++)
        assert_true(puzzle_chance(scene.finder, scene.state, 1, &puzzle.solutions[i], JUDGED) >=
                    needs);
    assert_true(puzzle_chance(scene.finder, scene.state, 1, &puzzle.instead, JUDGED) < needs);
    assert_false(
        puzzle_solved_by(scene.finder, scene.state, 1, PUZZLE_LEVEL, puzzle.kind, needs, JUDGED));
    assert_true(
        puzzle_solved_by(scene.finder, scene.state, 1, AI_LEVELS, puzzle.kind, needs, JUDGED));
    fixture_end(&scene);
}

static void what_a_level_misses_is_worth_a_look(void **state) {
    (void)state;
    PuzzleFixture scene = fixture(strlen(in_danger) / DIGITS);
    assert_true(puzzle_missed_by(scene.finder, scene.state, 1, PUZZLE_LEVEL, NODES, PUZZLE_GAP));
    assert_false(puzzle_missed_by(scene.finder, scene.state, 1, AI_LEVELS, NODES, PUZZLE_GAP));
    /* Nobody can have so large a lead. */
    assert_false(
        puzzle_missed_by(scene.finder, scene.state, 1, PUZZLE_LEVEL, NODES, MASH_WINNING_CERTAIN));
    fixture_end(&scene);
}

/* Who makes no mistakes sees every win, so level 3 plays with them; the best level has none. */
/* A move that wins only in some guesses of what is hidden is no win. */
static void a_win_is_a_win_whatever_is_hidden(void **state) {
    (void)state;
    PuzzleFixture scene = fixture_of("generals", "printed", (MashSeed){{6, 0x208b}}, perhaps_won,
                                     strlen(perhaps_won) / DIGITS);
    Puzzle puzzle;
    scene.content->game->hide(scene.content, scene.state, 0);
    assert_true(puzzle_find(scene.finder, scene.state, 0, NODES, PUZZLE_GAP, &puzzle));
    assert_true(is_turn(&scene, &puzzle.solutions[0], "move h14 8 6"));
    assert_int_not_equal(puzzle.kind, PUZZLE_WIN);
    fixture_end(&scene);
}

static void a_win_that_level_3_overlooks_is_a_puzzle(void **state) {
    (void)state;
    PuzzleFixture scene =
        fixture_of("tablut", "linnaeus", (MashSeed){{22, 37}}, to_win, strlen(to_win) / DIGITS);
    Puzzle puzzle;
    assert_true(puzzle_missed_by(scene.finder, scene.state, 0, PUZZLE_LEVEL, NODES, PUZZLE_GAP));
    assert_false(puzzle_missed_by(scene.finder, scene.state, 0, AI_LEVELS, NODES, PUZZLE_GAP));
    assert_true(puzzle_find(scene.finder, scene.state, 0, NODES, PUZZLE_GAP, &puzzle));
    assert_int_equal(puzzle.kind, PUZZLE_WIN);
    assert_true(is_turn(&scene, &puzzle.solutions[0], "move m5 3 2"));
    uint32_t needs = puzzle_needs(puzzle.best, puzzle.second);
    assert_false(
        puzzle_solved_by(scene.finder, scene.state, 0, PUZZLE_LEVEL, PUZZLE_WIN, needs, JUDGED));
    assert_true(
        puzzle_solved_by(scene.finder, scene.state, 0, PUZZLE_LEVEL, PUZZLE_FIND, needs, JUDGED));
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
        cmocka_unit_test(a_win_is_a_win_whatever_is_hidden),
        cmocka_unit_test(a_win_that_level_3_overlooks_is_a_puzzle),
        cmocka_unit_test(a_beginning_is_no_puzzle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
