/* test_sim.c -- the simulator plays what the engine plays, undoes exactly, leaks nothing and says
 * in words what is wrong with what it is given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ai/ai.h"
#include "base/json.h"
#include "base/version.h"
#include "include/mashup.h"
#include "include/mashup_sim.h"

enum { LIST_MAX = 1 << 16, STATE_MAX = 1 << 16, MATCHES = 3, PLIES_MAX = 400 };

static uint64_t list[LIST_MAX];
static uint8_t bytes[4][STATE_MAX];

/* A sim of a game's first preset. */
static MashSim *begin(const MashGame *game, uint64_t seed) {
    char table[128];
    snprintf(table, sizeof table, "{\"game\":\"%s\"}", game->id);
    MashSim *sim = mash_sim_begin(table, seed);
    if (sim == NULL)
        fail_msg("%s: %s", game->id, mash_sim_error());
    return sim;
}

/* The state as bytes; how many. */
static uint32_t whole(MashSim *sim, int place) {
    uint32_t count = mash_sim_bytes(sim, MASH_SIM_ALL, bytes[place], STATE_MAX);
    assert_in_range(count, 1, STATE_MAX);
    return count;
}

/* The lowest awaited seat. */
static uint32_t turn_of(const MashSim *sim) { return (mash_sim_awaited(sim) & 1) != 0 ? 0 : 1; }

/* Random legal actions, at most so many; how many there were. */
static uint32_t advance(MashSim *sim, MashChance *chooser, uint32_t plies) {
    uint32_t ply = 0;
    for (; ply < plies && mash_sim_awaited(sim) != 0; ply++) {
        uint32_t count = mash_sim_actions(sim, turn_of(sim), list, LIST_MAX);
        assert_in_range(count, 1, LIST_MAX);
        assert_int_equal(mash_sim_apply(sim, list[chance_below(chooser, count)]), 0);
    }
    return ply;
}

/* A text is one JSON value. */
static void assert_json(const char *text) {
    static JsonNode nodes[1 << 18];
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    Json json;
    assert_non_null(text);
    if (!json_read(&json, "text", text, (uint32_t)strlen(text), nodes, 1 << 18, &problems))
        fail_msg("%s: %.200s", problem.reason, text);
}

/* Every action that is undone gives back the bytes of the state before. */
static void test_undo(void **unused) {
    (void)unused;
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        for (uint64_t seed = 0; seed < MATCHES; seed++) {
            MashChance chooser = chance_sampled(seed);
            MashSim *sim = begin(mash_games[i], seed);
            whole(sim, 0);
            uint32_t plies = advance(sim, &chooser, PLIES_MAX);
            uint32_t count = whole(sim, 1);
            assert_true(plies > 0 && memcmp(bytes[0], bytes[1], count) != 0);
            while (plies-- > 0)
                assert_int_equal(mash_sim_undo(sim), 0);
            whole(sim, 1);
            assert_memory_equal(bytes[0], bytes[1], count);
            assert_int_equal(mash_sim_undo(sim), MASH_SIM_FAILED);
            mash_sim_drop(sim);
        }
}

/* The same actions with the same seed lead to the same bytes, also on a clone; with another seed
 * chance decides otherwise somewhere. */
static void test_clone_and_seed(void **unused) {
    uint32_t other = 0;
    (void)unused;
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        MashChance chooser = chance_sampled(i), again = chooser;
        MashSim *sim = begin(mash_games[i], 5), *second = begin(mash_games[i], 5);
        advance(sim, &chooser, PLIES_MAX / 2);
        advance(second, &again, PLIES_MAX / 2);
        uint32_t count = whole(sim, 0);
        whole(second, 1);
        assert_memory_equal(bytes[0], bytes[1], count);
        MashSim *clone = mash_sim_clone(sim);
        mash_sim_drop(sim);
        advance(clone, &chooser, PLIES_MAX);
        advance(second, &again, PLIES_MAX);
        whole(clone, 0);
        whole(second, 1);
        assert_memory_equal(bytes[0], bytes[1], count);
        mash_sim_drop(clone);
        mash_sim_drop(second);
        sim = begin(mash_games[i], 6);
        whole(sim, 0);
        second = begin(mash_games[i], 5);
        whole(second, 1);
        other += memcmp(bytes[0], bytes[1], count) != 0;
        mash_sim_drop(sim);
        mash_sim_drop(second);
    }
    assert_true(other > 0);
}

/* What a seat sees, loaded elsewhere: the same legal actions; it cannot be applied to before
 * guess(), after which it is a state that the seat sees as before. */
static void test_load_and_guess(void **unused) {
    static uint64_t mine[LIST_MAX];
    uint32_t blind = 0;
    (void)unused;
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        for (uint64_t seed = 0; seed < MATCHES; seed++) {
            MashChance chooser = chance_sampled(seed);
            MashSim *sim = begin(mash_games[i], seed), *other = begin(mash_games[i], 99);
            advance(sim, &chooser, 10 + 20 * (uint32_t)seed);
            uint32_t seat = turn_of(sim);
            uint32_t count = mash_sim_bytes(sim, seat, bytes[0], STATE_MAX);
            uint32_t actions = mash_sim_actions(sim, seat, mine, LIST_MAX);
            assert_int_equal(mash_sim_load(other, seat, bytes[0], count), 0);
            assert_int_equal(mash_sim_actions(other, seat, list, LIST_MAX), actions);
            assert_memory_equal(list, mine, actions * sizeof *list);
            assert_json(mash_sim_position(other, seat));
            if (actions > 0 && mash_games[i]->guess != NULL) {
                assert_int_equal(mash_sim_apply(other, list[0]), MASH_SIM_FAILED);
                assert_non_null(strstr(mash_sim_error(), "guess first"));
                assert_null(mash_sim_position(other, 1 - seat));
                blind++;
            }
            assert_int_equal(mash_sim_guess(other, seed), 0);
            mash_sim_bytes(other, seat, bytes[1], STATE_MAX);
            assert_memory_equal(bytes[0], bytes[1], count);
            if (actions > 0)
                assert_int_equal(mash_sim_apply(other, list[0]), 0);
            mash_sim_drop(sim);
            mash_sim_drop(other);
        }
    assert_true(blind > 0);
}

/* Playouts leave the position as it is, count every match once and are the same for the same
 * seed. */
static void test_playout(void **unused) {
    (void)unused;
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        enum { COUNT = 8 };
        MashSimPlayouts one, two;
        MashSim *sim = begin(mash_games[i], 3);
        uint32_t count = whole(sim, 0);
        mash_sim_playout(sim, 1, COUNT, &one);
        mash_sim_playout(sim, 1, COUNT, &two);
        whole(sim, 1);
        assert_memory_equal(bytes[0], bytes[1], count);
        assert_memory_equal(&one, &two, sizeof one);
        assert_int_equal(one.wins[0] + one.wins[1] + one.draws, COUNT);
        assert_true(one.actions > COUNT);
        mash_sim_bytes(sim, 0, bytes[0], STATE_MAX);
        mash_sim_load(sim, 0, bytes[0], count);
        mash_sim_playout(sim, 1, COUNT, &two);
        assert_int_equal(two.wins[0] + two.wins[1] + two.draws, COUNT);
        mash_sim_drop(sim);
    }
}

/* All texts are JSON; the notation of every action finds it; a preview does not change anything and
 * refuses what is not legal. */
static void test_words(void **unused) {
    (void)unused;
    assert_string_equal(mash_sim_version(), MASH_VERSION);
    assert_json(mash_sim_games());
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        MashChance chooser = chance_sampled(i);
        MashSim *sim = begin(mash_games[i], 4);
        for (int piece = 0; piece < 6 && mash_sim_awaited(sim) != 0; piece++) {
            uint32_t seat = turn_of(sim), count = mash_sim_actions(sim, seat, list, LIST_MAX);
            uint64_t action = list[chance_below(&chooser, count)], found;
            uint32_t size = whole(sim, 0);
            const char *words = mash_sim_describe(sim, action);
            assert_json(words);
            char word[128];
            const char *start = strstr(words, "\"word\":\"") + 8;
            snprintf(word, sizeof word, "%.*s", (int)(strchr(start, '"') - start), start);
            assert_int_equal(mash_sim_find(sim, seat, word, &found), 0);
            assert_true(found == action);
            assert_json(mash_sim_preview(sim, action, 4));
            assert_null(mash_sim_preview(sim, 255, 4));
            assert_json(mash_sim_position(sim, 0));
            assert_json(mash_sim_position(sim, MASH_SIM_SPECTATOR));
            whole(sim, 1);
            assert_memory_equal(bytes[0], bytes[1], size);
            assert_int_equal(mash_sim_apply(sim, action), 0);
            assert_json(mash_sim_events(sim, MASH_SIM_SPECTATOR));
            advance(sim, &chooser, 15);
        }
        mash_sim_drop(sim);
    }
}

/* Every level finds a legal action. */
static void test_think(void **unused) {
    (void)unused;
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        MashSim *sim = begin(mash_games[i], 8);
        for (uint32_t level = 1; level <= 3; level++) {
            uint64_t action;
            assert_int_equal(mash_sim_think(sim, turn_of(sim), level, 1, &action), 0);
            assert_int_equal(mash_sim_apply(sim, action), 0);
        }
        uint64_t action;
        int32_t value = mash_sim_evaluate(sim, 0);
        assert_in_range(value + MASH_EVALUATION_MAX, 0, 2 * MASH_EVALUATION_MAX);
        assert_int_equal(mash_sim_evaluate(sim, 2), 0);
        MashAction resign = {.verb = MASH_VERB_RESIGN, .seat = 1};
        memcpy(&action, &resign, sizeof action);
        assert_int_equal(mash_sim_apply(sim, action), 0);
        assert_int_equal(mash_sim_evaluate(sim, 0), MASH_EVALUATION_MAX + 1);
        assert_int_equal(mash_sim_evaluate(sim, 1), -MASH_EVALUATION_MAX - 1);
        assert_int_equal(mash_sim_undo(sim), 0);
        char levels[32];
        uint32_t count = ai_levels_of(mash_games[i]);
        snprintf(levels, sizeof levels, "levels 1 to %u", (unsigned)count);
        assert_int_equal(mash_sim_think(sim, 0, count + 1, 1, &action), MASH_SIM_FAILED);
        assert_non_null(strstr(mash_sim_error(), levels));
        assert_int_equal(mash_sim_think(sim, 2, 1, 1, &action), MASH_SIM_FAILED);
        mash_sim_drop(sim);
    }
}

/* What is wrong with a table is said with its place; nothing is left behind. */
static void test_tables(void **unused) {
    static const char *const tables[][2] = {
        {"", "table:1:1"},
        {"[]", "object"},
        {"{}", "game"},
        {"{\"game\":\"chess\"}", "there is no game \"chess\""},
        {"{\"game\":7}", "$.game"},
        {"{\"game\":\"zorde\",\"preset\":\"none\"}", "$.preset: zorde has no preset \"none\""},
        {"{\"game\":\"zorde\",\"options\":{\"flying\":1}}", "flying"},
        {"{\"game\":\"battleground\",\"options\":{\"dino\":7}}", "$.options.dino"},
        {"{\"game\":\"zorde\",\"documents\":[{\"name\":\"a.start.json\"}]}", "$.documents[0]"},
        {"{\"game\":\"zorde\",\"documents\":[{\"name\":\"a.start.json\",\"text\":\"{\"}]}",
         "a.start.json:1:2"},
        {"{\"game\":\"zorde\",\"documents\":7}", "$.documents"},
        {"{\"game\":\"zorde\"", "table:1:16"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        assert_null(mash_sim_begin(tables[i][0], 1));
        if (strstr(mash_sim_error(), tables[i][1]) == NULL)
            fail_msg("%s: \"%s\" does not say %s", tables[i][0], mash_sim_error(), tables[i][1]);
    }
    MashSim *sim = mash_sim_begin("{\"type\":\"table\",\"you\":0,\"game\":\"battleground\","
                                  "\"options\":{\"dino\":1},\"watchers\":0}",
                                  1);
    assert_non_null(sim);
    assert_int_equal(mash_sim_load(sim, 0, bytes[0], 3), MASH_SIM_FAILED);
    assert_non_null(strstr(mash_sim_error(), "bytes"));
    assert_int_equal(mash_sim_load(sim, 7, bytes[0], 3), MASH_SIM_FAILED);
    assert_int_equal(mash_sim_apply(sim, 0), MASH_SIM_FAILED);
    assert_non_null(strstr(mash_sim_error(), "no-such-action"));
    mash_sim_drop(sim);
    mash_sim_drop(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undo),           cmocka_unit_test(test_clone_and_seed),
        cmocka_unit_test(test_load_and_guess), cmocka_unit_test(test_playout),
        cmocka_unit_test(test_words),          cmocka_unit_test(test_think),
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
