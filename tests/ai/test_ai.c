/* test_ai.c -- AI players: always legal, within their node limit, deterministic, in slices or in
 * one go.
 *
 * Environment: MASH_AI_MATCHES = random matches per game in which every skill is asked (6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai/ai.h"
#include "ai/search_bench.h"
#include "base/hash.h"
#include "examples/breakthrough.h"
#include "match/simulate.h"
#include "tests/support/support.h"

/* A match in which skills play each other. */
typedef struct Arena {
    const MashGame *game;
    MashContent *content;
    void *state, *view, *memory;
    MashAction *list;
    Ai *ai;
    AiPlan plans[MASH_SEATS];
} Arena;

static Arena arena_open(const MashGame *game, const char *preset) {
    Arena arena = {.game = game, .content = support_content(game, preset)};
    arena.state = support_state(arena.content);
    arena.view = support_state(arena.content);
    arena.list = support_memory(arena.content->limits.actions_max * sizeof *arena.list);
    arena.memory = support_memory(ai_bytes(arena.content));
    arena.ai = ai_init(arena.content, arena.memory);
    return arena;
}

static void arena_close(Arena *arena) {
    support_free(arena->memory);
    support_free(arena->list);
    support_free(arena->view);
    support_free(arena->state);
    support_free(arena->content);
}

static void arena_setup(Arena *arena, uint64_t seed) {
    MashChance chance = chance_seeded((MashSeed){{seed, 0}}, 0);
    assert_int_equal(arena->game->setup(arena->content, NULL, &chance, arena->state), MASH_OK);
    memset(arena->plans, 0, sizeof arena->plans);
}

static void see(Arena *arena, uint8_t seat) {
    memcpy(arena->view, arena->state, arena->content->limits.state_bytes);
    arena->game->hide(arena->content, arena->view, seat);
}

/* One decision in slices of this many nodes. */
static MashAction decide(Arena *arena, const AiSkill *skill, uint8_t seat, uint32_t nodes,
                         uint64_t seed, uint32_t slice) {
    see(arena, seat);
    AiTask task = {skill, arena->view, &arena->plans[seat], seat, nodes, seed, false};
    assert_true(ai_begin(arena->ai, &task));
    while (!ai_step(arena->ai, slice))
        ;
    assert_true(ai_nodes(arena->ai) <= nodes);
    return ai_answer(arena->ai);
}

static void act(Arena *arena, MashAction action, uint64_t seed, uint32_t ply) {
    MashChance chance = chance_seeded((MashSeed){{seed, 0}}, ply);
    assert_int_equal(mash_apply(arena->content, arena->state, action, &chance, NULL), MASH_OK);
}

/* A whole match; the winner. */
static uint8_t play(Arena *arena, const AiSkill *const skills[MASH_SEATS], uint32_t nodes,
                    uint64_t seed) {
    uint32_t awaited;
    arena_setup(arena, seed);
    for (uint32_t ply = 1; (awaited = arena->game->awaited(arena->content, arena->state)); ply++) {
        uint8_t seat = awaited == 2;
        MashAction action =
            decide(arena, skills[seat], seat, nodes, hash_number(seed, ply), UINT32_MAX);
        act(arena, action, seed, ply);
    }
    return arena->game->result(arena->content, arena->state).winner;
}

/* --- Promises in positions of random matches -------------------------------------------------- */

/* Plays a random match and asks every skill in some of its positions. */
static void keeps_promises(Arena *arena, uint64_t seed, uint32_t nodes) {
    MashChance chooser = chance_sampled(seed);
    uint32_t awaited;
    arena_setup(arena, seed);
    for (uint32_t ply = 1; (awaited = arena->game->awaited(arena->content, arena->state)); ply++) {
        const AiSkill *skill = &ai_skills[chance_below(&chooser, ai_skills_count)];
        uint8_t seat = awaited == 3 ? (uint8_t)chance_below(&chooser, MASH_SEATS) : awaited == 2;
        if (chance_below(&chooser, 8) == 0) {
            AiPlan plan = arena->plans[seat];
            MashAction one = decide(arena, skill, seat, nodes, seed + ply, UINT32_MAX);
            arena->plans[seat] = plan;
            MashAction other = decide(arena, skill, seat, nodes, seed + ply, 7);
            assert_int_equal(mash_action_compare(one, other), 0);
            assert_int_equal(arena->game->check(arena->content, arena->state, one), MASH_OK);
        }
        act(arena, simulate_random_action(arena->content, arena->state, &chooser, arena->list),
            seed, ply);
    }
}

static void answers_are_legal_and_repeatable(void **state) {
    const MashGame *game = *state;
    const char *wanted = getenv("MASH_AI_MATCHES");
    uint64_t matches = wanted == NULL ? 6 : strtoull(wanted, NULL, 10);
    for (uint32_t preset = 0; preset < game->presets_count; preset++) {
        Arena arena = arena_open(game, game->presets[preset].id);
        for (uint64_t seed = 1; seed <= (preset == 0 ? matches : (matches + 5) / 6); seed++)
            keeps_promises(&arena, seed, 300);
        arena_close(&arena);
    }
}

/* There is an answer before any search, and after any slice. */
static void an_answer_is_there_at_once(void **state) {
    Arena arena = arena_open(*state, NULL);
    MashChance chooser = chance_sampled(5);
    arena_setup(&arena, 5);
    for (uint32_t ply = 1; arena.game->awaited(arena.content, arena.state) != 0; ply++) {
        uint8_t seat = arena.game->awaited(arena.content, arena.state) == 2;
        AiPlan plan = {0};
        see(&arena, seat);
        AiTask task = {ai_level(AI_LEVELS), arena.view, &plan, seat, 0, ply, false};
        if (ply % 16 < 4) {
            assert_true(ai_begin(arena.ai, &task));
            ai_step(arena.ai, ply % 16 * 11);
            assert_true(ai_nodes(arena.ai) <= ply % 16 * 11);
            MashAction action = ai_answer(arena.ai);
            assert_int_equal(arena.game->check(arena.content, arena.view, action), MASH_OK);
        }
        act(&arena, simulate_random_action(arena.content, arena.state, &chooser, arena.list), 5,
            ply);
    }
    AiTask task = {ai_level(2), arena.state, &arena.plans[0], 0, 0, 1, false};
    assert_false(ai_begin(arena.ai, &task)); /* the match is over */
    arena_close(&arena);
}

/* A planned action needs no search; if something else has happened, the plan is discarded. */
static void plans_are_followed_or_forgotten(void **state) {
    Arena arena = arena_open(*state, NULL);
    MashChance chooser = chance_sampled(3);
    const AiSkill *skill = ai_skill_find("greedy-turn");
    uint32_t awaited, followed = 0, forgotten = 0;
    arena_setup(&arena, 3);
    for (uint32_t ply = 1; (awaited = arena.game->awaited(arena.content, arena.state)); ply++) {
        uint8_t seat = awaited == 2;
        const AiPlan *plan = &arena.plans[seat];
        uint32_t at = plan->next;
        bool planned = at < plan->count;
        MashAction next = planned ? plan->list[at].action : (MashAction){0};
        MashAction action = decide(&arena, skill, seat, 100000, ply, UINT32_MAX);
        if (planned && plan->next == at + 1) {
            assert_int_equal(mash_action_compare(action, next), 0);
            assert_int_equal(ai_nodes(arena.ai), 0);
            followed++;
        }
        forgotten += planned && plan->next == 0;
        if (chance_below(&chooser, 5) == 0)
            action = simulate_random_action(arena.content, arena.state, &chooser, arena.list);
        act(&arena, action, 3, ply);
    }
    const MashEvaluator *evaluator = arena.game->evaluator;
    bool long_turns = evaluator != NULL && evaluator->turn_number != NULL &&
                      evaluator->method != MASH_METHOD_DETERMINIZED;
    assert_true(!long_turns || (followed > 0 && forgotten > 0));
    arena_close(&arena);
}

static void skills_are_found_by_name(void **unused) {
    (void)unused;
    assert_ptr_equal(ai_skill_find("level3"), ai_level(3));
    assert_int_equal(ai_skill_find("random")->mode, AI_RANDOM);
    for (uint32_t level = 1; level <= AI_LEVELS_MAX; level++) {
        char id[16];
        snprintf(id, sizeof id, "level%u", level);
        assert_ptr_equal(ai_skill_find(id), ai_level(level));
        assert_int_equal(ai_level(level)->level, level);
    }
    assert_null(ai_skill_find("level10"));
    assert_null(ai_skill_find("level0"));
}

/* Every game has the usual levels, some one more, and each says how many. */
static void games_say_their_levels(void **state) {
    const MashGame *game = *state;
    uint32_t levels = ai_levels_of(game);
    char said[128], expected[128];
    MashText text = text_over(said, sizeof said);
    ai_say_levels(game, &text);
    snprintf(expected, sizeof expected, "%s has levels 1 to %u", game->title, levels);
    assert_string_equal(said, expected);
    assert_in_range(levels, AI_LEVELS, AI_LEVELS_MAX);
    assert_int_equal(levels, game->evaluator == NULL || game->evaluator->levels == NULL
                                 ? AI_LEVELS
                                 : game->evaluator->levels_count);
}

/* A level that the game does not have is played like its highest one. */
static void levels_beyond_are_the_highest(void **state) {
    enum { NODES = 700, SEEDS = 6 };
    Arena arena = arena_open(*state, NULL);
    uint32_t levels = ai_levels_of(arena.game);
    if (levels == AI_LEVELS_MAX) {
        arena_close(&arena);
        skip();
    }
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        arena_setup(&arena, seed);
        uint8_t seat = arena.game->awaited(arena.content, arena.state) == 2;
        MashAction highest = decide(&arena, ai_level(levels), seat, NODES, seed, 100);
        uint64_t nodes = ai_nodes(arena.ai);
        arena_setup(&arena, seed);
        MashAction beyond = decide(&arena, ai_level(levels + 1), seat, NODES, seed, 100);
        assert_int_equal(mash_action_compare(highest, beyond), 0);
        assert_int_equal(nodes, ai_nodes(arena.ai));
    }
    arena_close(&arena);
}

/* Of two levels of a game the higher one looks further ahead, or plays fewer random turns, or of
 * those that plan only their own turn overlooks less. */
static void levels_rise(void **state) {
    const MashGame *game = *state;
    const MashLevel *levels = game->evaluator == NULL ? NULL : game->evaluator->levels;
    if (levels == NULL)
        skip();
    if (levels[0].random_turns != 1000 || levels[AI_LEVELS - 1].random_turns != 0)
        fail_msg("%s: random_turns of level 1 must be 1000, of level %d 0", game->id, AI_LEVELS);
    for (uint32_t i = AI_LEVELS; i < ai_levels_of(game); i++)
        if (levels[i].random_turns != 0 || levels[i].nodes < 4 * levels[i - 1].nodes)
            fail_msg("%s: level %u must think several times as long as level %u", game->id, i + 1,
                     i);
    for (uint32_t i = 1; i < ai_levels_of(game); i++) {
        bool looks = ai_level(i + 1)->mode == AI_SEARCH;
        if (looks != (levels[i].nodes > 0))
            fail_msg("%s: level %u %s, so its nodes must be %s", game->id, i + 1,
                     looks ? "looks ahead" : "plans its own turn alone", looks ? "above 0" : "0");
        if (!looks && (levels[i].random_turns > 0 || levels[i].overlooked == 0))
            fail_msg("%s: level %u must overlook actions and play no random turns", game->id,
                     i + 1);
        bool searches_more = levels[i].nodes > levels[i - 1].nodes ||
                             levels[i].random_turns < levels[i - 1].random_turns;
        bool sees_more = levels[i].overlooked < levels[i - 1].overlooked || i == 1;
        if (looks ? !searches_more : !sees_more)
            fail_msg("%s: level %u needs %s than level %u", game->id, i + 1,
                     looks ? "more nodes or fewer random turns" : "to overlook less", i);
    }
}

/* Matches with both seats against a random player: nearly all are won. */
static void search_beats_random(void **state) {
    const MashGame *game = *state;
    enum { PAIRS = 3, NODES = 2000 };
    const AiSkill *strong = ai_level(AI_LEVELS), *weak = ai_skill_find("random");
    const AiSkill *first[] = {strong, weak}, *second[] = {weak, strong};
    Arena arena = arena_open(game, NULL);
    uint32_t won = 0;
    if (game->evaluator == NULL) {
        arena_close(&arena);
        skip();
    }
    for (uint64_t seed = 1; seed <= PAIRS; seed++) {
        won += play(&arena, first, NODES, seed) == 0;
        won += play(&arena, second, NODES, seed) == 1;
    }
    arena_close(&arena);
    if (won < 2 * PAIRS - 1)
        fail_msg("%s: %u of %u won", game->id, won, 2 * PAIRS);
}

/* Is this a line of the file? */
static bool has_line(const char *path, const char *wanted) {
    char line[128];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        found = strcmp(line, wanted) == 0;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* Has tests/golden/choices.txt this signature of a game's play? */
static void is_known(const MashGame *game, const char *of, uint64_t signature) {
    char line[128];
    snprintf(line, sizeof line, "%s%s %016llx", game->id, of, (unsigned long long)signature);
    if (!has_line("tests/golden/choices.txt", line))
        fail_msg("tests/golden/choices.txt has no line \"%s\"", line);
}

/* What the best level chose in fixed positions when tests/golden/choices.txt was written. A change
 * that is not meant to change play keeps it; one that is brings a new line, and shows in a league
 * that the play is better. */
static void choices_are_the_known_ones(void **state) {
    const MashGame *game = *state;
    enum { POSITIONS = 12, NODES = 600 };
    AiBench bench;
    MashContent *content = support_content(game, NULL);
    void *memory = support_memory(ai_bench_bytes(content));
    ai_bench(content, POSITIONS, NODES, memory, &bench);
    support_free(memory);
    support_free(content);
    assert_true(bench.nodes <= POSITIONS * NODES);
    is_known(game, "", bench.signature);
}

/* The skills that are different ones in a game. */
static uint32_t skills_of(const MashGame *game, const AiSkill *out[]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ai_skills_count; i++)
        if (ai_skills[i].level <= ai_levels_of(game))
            out[count++] = &ai_skills[i];
    return count;
}

/* What each skill chose and its evaluation, against the next one, from the beginning of a match or
 * from somewhere in it: as above, for the other levels. */
static void choices_of_all_skills_are_the_known_ones(void **state) {
    enum { PLIES = 10, NODES = 150, SKILLS_MAX = 64 };
    Arena arena = arena_open(*state, NULL);
    const AiSkill *skills[SKILLS_MAX];
    uint32_t count = skills_of(arena.game, skills);
    uint64_t signature = 0;
    for (uint32_t i = 0; i < count; i++) {
        MashChance chooser = chance_sampled(i);
        uint32_t awaited, before = i % 4 * 9;
        arena_setup(&arena, i);
        for (uint32_t ply = 1; (awaited = arena.game->awaited(arena.content, arena.state)) != 0 &&
                               ply <= before + PLIES;
             ply++) {
            uint8_t seat = awaited == 2;
            MashAction action =
                simulate_random_action(arena.content, arena.state, &chooser, arena.list);
            if (ply > before) {
                const AiSkill *skill = skills[(i + seat) % count];
                action = decide(&arena, skill, seat, NODES, ply, 40);
                signature = hash_bytes(signature, &action, sizeof action);
                signature = hash_number(signature, (uint64_t)ai_value(arena.ai));
            }
            act(&arena, action, i, ply);
        }
    }
    is_known(arena.game, " skills", signature);
    arena_close(&arena);
}

int main(void) {
    static const struct {
        const char *name;
        CMUnitTestFunction run;
    } each[] = {
        {"answers are legal and repeatable", answers_are_legal_and_repeatable},
        {"an answer is there at once", an_answer_is_there_at_once},
        {"plans are followed or forgotten", plans_are_followed_or_forgotten},
        {"games say their levels", games_say_their_levels},
        {"levels beyond are the highest", levels_beyond_are_the_highest},
        {"levels rise", levels_rise},
        {"search beats random", search_beats_random},
        {"choices are the known ones", choices_are_the_known_ones},
        {"choices of all skills are the known ones", choices_of_all_skills_are_the_known_ones},
    };
    enum { TESTS_MAX = 1 + sizeof each / sizeof *each * SUPPORT_GAMES_MAX };
    struct CMUnitTest tests[TESTS_MAX] = {cmocka_unit_test(skills_are_found_by_name)};
    size_t count = 1;
    for (size_t test = 0; test < sizeof each / sizeof *each; test++) {
        tests[count++] =
            (struct CMUnitTest){.name = each[test].name,
                                .test_func = each[test].run,
                                .initial_state = (void *)(uintptr_t)&breakthrough_game};
        for (const MashGame *const *game = mash_games; *game != NULL; game++) {
            assert(count < TESTS_MAX);
            tests[count++] = (struct CMUnitTest){.name = each[test].name,
                                                 .test_func = each[test].run,
                                                 .initial_state = (void *)(uintptr_t)*game};
        }
    }
    return _cmocka_run_group_tests("ai", tests, count, NULL, NULL);
}
