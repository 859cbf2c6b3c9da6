/* test_search_turns.c -- searches over turns of several actions find what plain minimax finds, with
 * every method; plans, ties, chance and guesses in games made of numbers.
 *
 * A position is a number of few, a turn has one to three actions, and hashes decide everything. All
 * beams are wide enough for all turns here, so that a search that is complete has one right
 * answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ai/team.h"
#include "base/hash.h"
#include "engine/common.h"
#include "tests/support/support.h"

enum {
    MOVES_MAX = 4,
    POSITIONS = 20, /* per ply: few, so that moves transpose */
    PLIES_MAX = 40,
    TURNS_MAX = 12,
    WON = 2 * MASH_EVALUATION_MAX,
    CONTEMPT = 300, /* a draw for the seat that thinks */
    NODES = 4000000,
};

/* Parameters of a game. */
typedef struct Rules {
    uint64_t seed;
    uint32_t moves;  /* at most this many in a position, and two at least */
    uint32_t length; /* of a turn, at most */
    uint32_t ends;   /* one position in this many ends the match; 0: none */
    uint32_t luck;   /* one action in this many draws chance; 0: none */
    uint32_t turns;  /* after so many nobody is awaited any more, and only the first one draws
                        chance; 0: for ever */
    bool hidden;     /* the secret is hidden from both */
    bool idle;       /* but it changes nothing */
    bool flat;       /* everything is worth the same */
    bool close;      /* or nearly so: less than what a first look may miss */
    bool distant;    /* the sides may be far from each other, which the searching one dislikes */
} Rules;

static Rules rules;

typedef struct ToyState {
    CommonState common;
    uint8_t seat, ply, number, left, turn, secret, zero[2];
} ToyState;

static uint64_t hash_of(const ToyState *state, uint64_t of) {
    uint64_t place = (uint64_t)state->ply << 16 | (uint64_t)state->left << 8 | state->number;
    return hash_number(hash_number(rules.seed, place), of);
}

static uint32_t awaited(const MashContent *content, const void *raw_state) {
    (void)content;
    const ToyState *state = raw_state;
    bool stopped = rules.turns != 0 && state->turn >= rules.turns;
    return state->common.over || stopped ? 0 : 1u << state->seat;
}

static uint32_t actions(const MashContent *content, const void *raw_state, uint8_t seat,
                        MashAction *out) {
    const ToyState *state = raw_state;
    if (awaited(content, state) != 1u << seat)
        return 0;
    uint32_t count = 2 + (uint32_t)(hash_of(state, 1) % (rules.moves - 1));
    return support_moves(seat, count, out);
}

static void apply_listed(const MashContent *content, void *raw_state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    (void)content, (void)events;
    ToyState *state = raw_state;
    uint64_t hash = hash_of(state, 2 + action.unit);
    bool lucky = rules.luck != 0 && (rules.turns == 0 || state->turn == 0);
    if (lucky && (hash >> 20) % rules.luck == 0)
        hash = hash_number(hash, chance_below(chance, 4));
    if (rules.hidden && !rules.idle)
        hash = hash_number(hash, state->secret);
    state->number = (uint8_t)(hash % POSITIONS);
    state->ply++;
    if (--state->left == 0) {
        state->turn++;
        state->left = (uint8_t)(1 + (hash >> 8) % rules.length);
        state->seat ^= (hash >> 32 & 7) != 0; /* sometimes a seat moves twice in a row */
    }
    uint64_t end = hash_of(state, 10);
    if (rules.ends != 0 && end % rules.ends == 0)
        common_end(&state->common, (end >> 32) % 3 == 0 ? MASH_SEAT_NONE : (uint8_t)(end >> 40 & 1),
                   MASH_REASON_GAME, NULL);
}

static MashResult result(const MashContent *unused, const void *raw_state) {
    return common_result(unused, raw_state);
}

static void hide(const MashContent *content, void *raw_state, uint8_t seat) {
    (void)content, (void)seat;
    if (rules.hidden)
        ((ToyState *)raw_state)->secret = 0;
}

static void guess(const MashContent *content, void *raw_state, uint8_t seat, MashChance *chance) {
    (void)content, (void)seat;
    if (rules.hidden)
        ((ToyState *)raw_state)->secret = (uint8_t)(1 + chance_below(chance, 2));
}

static int32_t evaluate(const MashContent *content, const void *raw_state, uint8_t seat) {
    (void)content;
    const ToyState *state = raw_state;
    int32_t value = rules.flat ? 0 : (int32_t)(hash_of(state, 11) % 2001) - 1000;
    value = rules.close ? value / 50 : value;
    return seat == 0 ? value : -value;
}

static int32_t combat_distance(const MashContent *unused, const void *raw_state) {
    (void)unused;
    return (int32_t)(hash_of(raw_state, 12) % (rules.close ? 5 : 500));
}

/* Any order of actions; one in eight is not worth a try. */
static int32_t priority(const MashContent *unused, const void *raw_state, MashAction action) {
    (void)unused;
    uint64_t hash = hash_of(raw_state, 30 + action.unit);
    return action.unit > 0 && hash % 8 == 0 ? INT32_MIN : (int32_t)(hash % 50);
}

static uint32_t turn_number(const MashContent *content, const void *raw_state) {
    (void)content;
    return ((const ToyState *)raw_state)->turn;
}

/* What a seat does in a rollout: anything, and it counts how often it was asked. */
static uint32_t habit(const MashContent *unused, const void *raw_state, uint8_t seat,
                      const MashAction *list, uint32_t count, MashChance *chance, void *memory) {
    (void)unused, (void)raw_state, (void)seat, (void)list;
    ++*(uint32_t *)memory;
    return chance_below(chance, count);
}

static const MashLevel levels[MASH_LEVELS] = {{0}};
static MashEvaluator evaluator;
static MashGame game;
static MashContent content;

/* Memory for a search of any of these games. */
static void *lent(void) {
    static _Alignas(64) uint8_t memory[24 << 20];
    assert_true(ai_bytes(&content) <= sizeof memory);
    return memory;
}

/* A game with this method of search. */
static void make_game(uint8_t method) {
    evaluator = (MashEvaluator){.method = method,
                                .evaluate = evaluate,
                                .turn_number = turn_number,
                                MASH_LIST(levels),
                                .habit = habit,
                                .habit_bytes = sizeof(uint32_t)};
    game = (MashGame){.id = "turns",
                      .awaited = awaited,
                      .actions = actions,
                      .check = support_check,
                      .apply_listed = apply_listed,
                      .result = result,
                      .hide = hide,
                      .guess = guess,
                      .evaluator = &evaluator};
    content = (MashContent){.game = &game,
                            .limits = {.state_bytes = sizeof(ToyState),
                                       .core_bytes = sizeof(ToyState),
                                       .actions_max = MOVES_MAX,
                                       .events_max = 4,
                                       .tokens_max = 1,
                                       .meters_max = 1,
                                       .length_max = 250,
                                       .width = 1,
                                       .height = 1,
                                       .units = 1}};
}

static ToyState start(uint8_t seat) {
    ToyState state = {.common = common_new(), .seat = seat};
    state.left = (uint8_t)(1 + hash_of(&state, 20) % rules.length);
    state.secret = rules.hidden ? 1 : 0;
    return state;
}

/* --- Plain minimax over turns ----------------------------------------------------------------- */

static int32_t known[TURNS_MAX][PLIES_MAX][POSITIONS][4][MASH_SEATS];
static bool is_known[TURNS_MAX][PLIES_MAX][POSITIONS][4][MASH_SEATS];

/* The evaluation of the state for `me`; `turns` are complete, `most` are looked ahead. Prefer early
 * wins and late losses. */
static int32_t minimax(const ToyState *state, uint8_t me, uint32_t turns, uint32_t most) {
    MashResult end = result(&content, state);
    if (end.over && end.winner == MASH_SEAT_NONE)
        return -CONTEMPT;
    if (end.over)
        return end.winner == me ? WON - (int32_t)turns : (int32_t)turns - WON;
    if (turns == most)
        return evaluate(&content, state, me) -
               (rules.distant ? combat_distance(&content, state) : 0);
    bool *there = &is_known[turns][state->ply][state->number][state->left][state->seat];
    int32_t *value = &known[turns][state->ply][state->number][state->left][state->seat];
    if (*there)
        return *value;
    MashAction list[MOVES_MAX];
    uint32_t count = actions(&content, state, state->seat, list);
    int32_t best = 0;
    for (uint32_t i = 0; i < count; i++) {
        ToyState after = *state;
        apply_listed(&content, &after, list[i], NULL, NULL);
        bool complete = after.turn != state->turn || after.common.over;
        int32_t got = minimax(&after, me, turns + complete, most);
        if (i == 0 || (state->seat == me ? got > best : got < best))
            best = got;
    }
    *there = true;
    return *value = best;
}

/* --- The search ------------------------------------------------------------------------------- */

/* What a search found. */
typedef struct Found {
    MashAction answer;
    int32_t value;
    uint64_t nodes;
    AiPlan plan;
} Found;

static Found think(const ToyState *view, const char *skill, uint32_t nodes, uint64_t seed,
                   uint32_t slice) {
    Found found = {.plan = {.count = 0}};
    Ai *ai = ai_init(&content, lent());
    AiTask task = {ai_skill_find(skill), view, &found.plan, view->seat, nodes, seed, false};
    assert_true(ai_begin(ai, &task));
    while (!ai_step(ai, slice))
        ;
    found.answer = ai_answer(ai);
    found.value = ai_value(ai);
    found.nodes = ai_nodes(ai);
    assert_true(found.nodes <= nodes || nodes == 0);
    return found;
}

/* The search with this method says what minimax says, and its answer leads there. */
static void agrees(uint8_t method, const Rules *with, uint32_t games, uint32_t most,
                   const char *skill) {
    make_game(method);
    for (uint32_t i = 0; i < games; i++) {
        rules = *with;
        rules.seed = hash_number(with->seed, i);
        evaluator.combat_distance = rules.distant ? combat_distance : NULL;
        game.guess = i % 2 == 0 ? guess : NULL; /* nothing is hidden */
        memset(is_known, 0, sizeof is_known);
        ToyState state = start((uint8_t)(i & 1));
        uint8_t me = state.seat;
        Found found = think(&state, skill, NODES, i, 700);
        int32_t value = minimax(&state, me, 0, most);
        if (found.value != value)
            fail_msg("method %u, game %u: minimax says %d, the search %d", method, i, value,
                     found.value);
        assert_true(found.nodes < NODES);
        /* The whole turn leads there: the answer, and the plan after it. */
        uint32_t turn = state.turn, next = 0;
        for (MashAction action = found.answer;; action = found.plan.list[next++].action) {
            assert_int_equal(support_check(&content, &state, action), MASH_OK);
            apply_listed(&content, &state, action, NULL, NULL);
            if (state.turn != turn || state.common.over)
                break;
            assert_true(next < found.plan.count);
        }
        assert_int_equal(next, found.plan.count);
        assert_int_equal(minimax(&state, me, 1, most), value);
    }
}

static void every_method_agrees(void **unused) {
    (void)unused;
    static const struct {
        uint8_t method;
        uint32_t moves, length, most;
        bool close;
    } methods[] = {{MASH_METHOD_EXHAUSTIVE, 3, 2, 10, false},
                   {MASH_METHOD_EXHAUSTIVE, 2, 3, 10, false},
                   {MASH_METHOD_BEAM, 2, 2, 4, false},
                   {MASH_METHOD_BEAM_WIDE, 4, 1, 6, false}, /* greedy looks see all */
                   {MASH_METHOD_BEAM_WIDE, 2, 3, 6, true}};
    static const uint32_t ends[] = {0, 40, 9};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (size_t j = 0; j < sizeof ends / sizeof *ends; j++)
            agrees(methods[i].method,
                   &(Rules){.seed = hash_number(j, i),
                            .moves = methods[i].moves,
                            .length = methods[i].length,
                            .ends = ends[j],
                            .distant = j == 1,
                            .close = methods[i].close},
                   8, methods[i].most, "level8");
}

/* The best turn without a look at the replies. */
static void greedy_turns_agree(void **unused) {
    (void)unused;
    for (uint8_t method = 0; method < 3; method++) {
        static const uint8_t methods[] = {MASH_METHOD_EXHAUSTIVE, MASH_METHOD_BEAM,
                                          MASH_METHOD_BEAM_WIDE};
        agrees(methods[method], &(Rules){.seed = 5, .moves = 2, .length = 3, .ends = 20}, 30, 1,
               "greedy-turn");
    }
}

/* What is hidden is guessed before it is searched: the value is that of a possible state. */
static void guesses_are_possible_states(void **unused) {
    (void)unused;
    uint32_t often[2] = {0, 0};
    make_game(MASH_METHOD_EXHAUSTIVE);
    for (uint64_t seed = 0; seed < 12; seed++) {
        rules = (Rules){.seed = seed, .moves = 3, .length = 2, .hidden = true};
        ToyState state = start(0), worlds[2] = {state, state};
        int32_t values[2];
        hide(&content, &state, 0);
        for (uint8_t i = 0; i < 2; i++) {
            worlds[i].secret = (uint8_t)(1 + i);
            memset(is_known, 0, sizeof is_known);
            values[i] = minimax(&worlds[i], 0, 0, 10);
        }
        int32_t value = think(&state, "level8", NODES, seed, 1000).value;
        assert_true(value == values[0] || value == values[1]);
        often[value == values[1]]++;
    }
    assert_true(often[0] > 1 && often[1] > 1);
}

/* A level without random turns plays none, whatever the draw; one with random turns only plays
 * them always. */
static void random_turns(void **unused) {
    (void)unused;
    static const MashLevel wild[MASH_LEVELS] = {
        [4] = {.nodes = 300, .random_turns = 1000}, [7] = {.nodes = 300}};
    make_game(MASH_METHOD_EXHAUSTIVE);
    evaluator.levels = wild;
    rules = (Rules){.seed = 3, .moves = 3, .length = 1, .ends = 30};
    ToyState state = start(0);
    MashAction list[MOVES_MAX];
    while (actions(&content, &state, 0, list) < 3)
        state.number++;
    uint32_t least_draws = 0;
    MashAction best = think(&state, "level8", NODES, 1, 1000).answer;
    for (uint64_t seed = 0; seed < 20000 && least_draws < 4; seed++) {
        MashChance chance = chance_sampled(hash_number(seed, 1));
        chance_below(&chance, 3);
        if (chance_below(&chance, 1000) != 0)
            continue;
        least_draws++;
        assert_int_equal(think(&state, "level8", NODES, seed, 1000).answer.unit, best.unit);
    }
    assert_int_equal(least_draws, 4);
    uint32_t others = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Found found = think(&state, "level5", 0, seed, 1000);
        others += found.answer.unit != best.unit;
        assert_true(found.nodes == 1);
    }
    assert_in_range(others, 25, 55);
}

/* In how many of 200 decisions the level finds the best action. */
static uint32_t often_best(const ToyState *state, const char *level, uint8_t best) {
    uint32_t often = 0;
    for (uint64_t seed = 0; seed < 200; seed++)
        often += think(state, level, 0, seed, 1000).answer.unit == best;
    return often;
}

/* A weak level takes the best of what it does not overlook; it never overlooks how to end a turn,
 * and nothing where mistakes are not wanted. */
static void weak_levels_overlook_actions(void **unused) {
    (void)unused;
    static const MashLevel blind[MASH_LEVELS] = {
        [2] = {.overlooked = 1000}, [3] = {.overlooked = 500}};
    static const uint8_t methods[] = {MASH_METHOD_EXHAUSTIVE, MASH_METHOD_BEAM,
                                      MASH_METHOD_DETERMINIZED};
    for (uint32_t i = 0; i < sizeof methods; i++) {
        make_game(methods[i]);
        evaluator.levels = blind;
        evaluator.priority = priority;
        rules = (Rules){.seed = 4, .moves = 4, .length = 1};
        ToyState state = start(0);
        MashAction list[MOVES_MAX];
        while (actions(&content, &state, 0, list) < 4)
            state.number++;
        uint8_t best = think(&state, "level2", 0, 1, 1000).answer.unit;
        assert_int_equal(often_best(&state, "level2", best), 200);
        assert_in_range(often_best(&state, "level3", best), 25, 75);
        assert_in_range(often_best(&state, "level4", best), 80, 140);
        game.verb_forms = "end {unit}";
        assert_int_equal(often_best(&state, "level3", best), 200);
        game.verb_forms = NULL;
        AiPlan plan = {.count = 0};
        Ai *ai = ai_init(&content, lent());
        AiTask careful = {ai_level(3), &state, &plan, 0, 0, 7, true};
        assert_true(ai_begin(ai, &careful));
        while (!ai_step(ai, 1000))
            ;
        assert_int_equal(ai_answer(ai).unit, best);
    }
}

/* --- Many turns ------------------------------------------------------------------------------- */

enum { BAITS = 200, GOOD_BAIT = 150 };

/* Two hundred first moves, each looking worse than the one before; but all of them have a
 * refutation, except one that looks bad. */
static uint32_t bait_actions(const MashContent *unused, const void *raw_state, uint8_t seat,
                             MashAction *out) {
    const ToyState *state = raw_state;
    if (awaited(unused, state) != 1u << seat)
        return 0;
    uint32_t count = state->ply == 0 ? BAITS : 2;
    return support_moves(seat, count, out);
}

static MashStatus bait_check(const MashContent *unused, const void *raw_state, MashAction action) {
    (void)unused;
    const ToyState *state = raw_state;
    bool listed = action.unit < (state->ply == 0 ? BAITS : 2);
    return listed && action.verb == 1 && action.seat == state->seat ? MASH_OK : MASH_NO_SUCH_ACTION;
}

static void bait_apply(const MashContent *unused, void *raw_state, MashAction action,
                       MashChance *chance, MashEvents *events) {
    (void)unused, (void)chance, (void)events;
    ToyState *state = raw_state;
    if (state->ply == 0)
        state->number = action.unit;
    else if (state->ply == 1)
        state->secret = action.unit;
    state->ply++;
    state->turn++;
    state->seat ^= 1;
}

static int32_t bait_evaluate(const MashContent *unused, const void *raw_state, uint8_t seat) {
    (void)unused;
    const ToyState *state = raw_state;
    bool refuted = state->ply > 1 && state->secret == 1 && state->number != GOOD_BAIT;
    int32_t value = refuted ? -500 : 1000 - state->number;
    return seat == 0 ? value : -value;
}

static void a_good_move_that_looks_bad(void **unused) {
    (void)unused;
    make_game(MASH_METHOD_EXHAUSTIVE);
    game.actions = bait_actions;
    game.check = bait_check;
    game.apply_listed = bait_apply;
    evaluator.evaluate = bait_evaluate;
    content.limits.actions_max = BAITS;
    ToyState state = {.common = common_new(), .left = 1};
    Found found = think(&state, "level8", 2000, 1, 100);
    assert_int_equal(found.answer.unit, GOOD_BAIT);
    assert_int_equal(found.value, 1000 - GOOD_BAIT);
    assert_int_equal(think(&state, "greedy-turn", 2000, 1, 100).answer.unit, 0);
}

/* Where much is hidden, the candidates are those of the highest priority, wherever they are in the
 * list; those within the margin of the best are played alike. */
static uint32_t turned; /* by how much the priorities are turned */

static int32_t turned_priority(const MashContent *unused, const void *raw_state,
                               MashAction action) {
    (void)unused;
    const ToyState *state = raw_state;
    return state->ply > 0 ? 0 : (int32_t)((action.unit + turned) % BAITS) * 10;
}

static int32_t nothing(const MashContent *unused, const void *raw_state, uint8_t seat) {
    (void)unused, (void)raw_state, (void)seat;
    return 0;
}

static void many_candidates(void **unused) {
    (void)unused;
    make_game(MASH_METHOD_DETERMINIZED);
    game.actions = bait_actions;
    game.check = bait_check;
    game.apply_listed = bait_apply;
    evaluator.evaluate = nothing;
    evaluator.priority = turned_priority;
    content.limits.actions_max = BAITS;
    ToyState state = {.common = common_new(), .left = 1};
    for (turned = 0; turned < BAITS; turned += 13)
        for (uint32_t nodes = 1; nodes <= 10000; nodes *= 100) {
            Found found = think(&state, "level8", nodes, turned, 100);
            assert_int_equal((found.answer.unit + turned) % BAITS, BAITS - 1);
            assert_int_equal(found.value, (BAITS - 1) * 10);
        }
}

/* The best single action, and every one of the best as often. */
static void greedy_actions(void **unused) {
    (void)unused;
    make_game(MASH_METHOD_EXHAUSTIVE);
    for (uint64_t seed = 0; seed < 40; seed++) {
        rules = (Rules){.seed = seed, .moves = 3, .length = 3, .ends = 12};
        ToyState state = start((uint8_t)(seed & 1));
        Found found = think(&state, "greedy-action", NODES, seed, 1);
        MashAction list[MOVES_MAX];
        uint32_t count = actions(&content, &state, state.seat, list);
        int32_t best = INT32_MIN, got = 0;
        for (uint32_t i = 0; i < count; i++) {
            ToyState after = state;
            apply_listed(&content, &after, list[i], NULL, NULL);
            MashResult end = result(&content, &after);
            int32_t value = !end.over                      ? evaluate(&content, &after, state.seat)
                            : end.winner == MASH_SEAT_NONE ? -CONTEMPT
                            : end.winner == state.seat     ? WON
                                                           : -WON;
            best = value > best ? value : best;
            got = mash_action_compare(list[i], found.answer) == 0 ? value : got;
        }
        assert_int_equal(got, best);
        assert_int_equal(found.value, best);
        assert_int_equal(found.nodes, count);
        assert_int_equal(found.plan.count, 0);
    }
}

/* Where everything is equal, every first action is played about as often. */
static void ties_are_broken_at_random(void **unused) {
    (void)unused;
    static const char *const skills[] = {"greedy-action", "greedy-turn", "random"};
    make_game(MASH_METHOD_EXHAUSTIVE);
    rules = (Rules){.seed = 3, .moves = 3, .length = 1, .flat = true};
    ToyState state = start(0);
    MashAction list[MOVES_MAX];
    while (actions(&content, &state, 0, list) < 3)
        state.number++;
    for (size_t i = 0; i < sizeof skills / sizeof *skills; i++) {
        uint32_t often[MOVES_MAX] = {0};
        for (uint64_t seed = 0; seed < 150; seed++)
            often[think(&state, skills[i], NODES, seed, 100).answer.unit]++;
        for (uint32_t j = 0; j < rules.moves; j++)
            assert_in_range(often[j], 30, 70);
    }
}

/* --- Plans, slices, budgets ------------------------------------------------------------------- */

/* The rest of a turn comes from the plan, without a node; another view is searched again. */
static void plans_cost_nothing(void **unused) {
    (void)unused;
    make_game(MASH_METHOD_EXHAUSTIVE);
    uint32_t planned = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        rules =
            (Rules){.seed = seed, .moves = 3, .length = 3, .hidden = seed % 2 == 1, .idle = true};
        ToyState state = start(0);
        hide(&content, &state, 0);
        Ai *ai = ai_init(&content, lent());
        AiPlan plan = {.count = 0};
        uint32_t turn = state.turn, left = state.left;
        for (uint32_t i = 0; state.turn == turn; i++) {
            AiTask task = {ai_skill_find("greedy-turn"), &state, &plan, 0, NODES, seed, false};
            assert_true(ai_begin(ai, &task));
            while (!ai_step(ai, 100))
                ;
            assert_int_equal(ai_nodes(ai) > 0, i == 0);
            MashAction action = ai_answer(ai);
            assert_int_equal(plan.count, left - 1);
            assert_int_equal(plan.next, i);
            apply_listed(&content, &state, action, NULL, NULL);
            planned += i > 0;
        }
        /* The plan is at its end. */
        if (state.seat == 0) {
            AiTask task = {ai_skill_find("greedy-turn"), &state, &plan, 0, NODES, seed, false};
            assert_true(ai_begin(ai, &task));
            while (!ai_step(ai, 100))
                ;
            assert_true(ai_nodes(ai) > 0);
        }
    }
    assert_true(planned > 20);
}

static void plans_are_for_their_view(void **unused) {
    (void)unused;
    make_game(MASH_METHOD_EXHAUSTIVE);
    rules = (Rules){.seed = 1, .moves = 3, .length = 3};
    while (start(0).left < 3)
        rules.seed++;
    ToyState state = start(0);
    for (int other = 0; other < 4; other++) {
        Found found = think(&state, "greedy-turn", NODES, 1, 100);
        assert_int_equal(found.plan.count, 2);
        ToyState after = state;
        apply_listed(&content, &after, found.answer, NULL, NULL);
        if (other == 1)
            after.number ^= 1; /* another view */
        if (other == 2)
            found.plan.list[0].action.unit = 7; /* not legal */
        if (other == 3)
            found.plan.list[0].action.seat = 1; /* not ours */
        Ai *ai = ai_init(&content, lent());
        AiTask task = {ai_skill_find("greedy-turn"), &after, &found.plan, 0, NODES, 1, false};
        assert_true(ai_begin(ai, &task));
        assert_int_equal(ai_step(ai, 0), other == 0);
        while (!ai_step(ai, 100))
            ;
        assert_int_equal(ai_nodes(ai) == 0, other == 0);
        assert_int_equal(support_check(&content, &after, ai_answer(ai)), MASH_OK);
    }
}

/* In one go or in slices, with chance and guesses: the same answer, value and nodes; and never more
 * nodes than allowed. */
static void slices_change_nothing(void **unused) {
    (void)unused;
    static const uint8_t methods[] = {MASH_METHOD_EXHAUSTIVE, MASH_METHOD_BEAM,
                                      MASH_METHOD_BEAM_WIDE, MASH_METHOD_DETERMINIZED};
    static const uint32_t budgets[] = {1, 7, 100, 3000};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (size_t j = 0; j < sizeof budgets / sizeof *budgets; j++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                make_game(methods[i]);
                rules = (Rules){.seed = seed,
                                .moves = 3,
                                .length = 3,
                                .ends = 60,
                                .luck = 4,
                                .hidden = methods[i] == MASH_METHOD_DETERMINIZED};
                ToyState state = start((uint8_t)(seed & 1));
                hide(&content, &state, state.seat);
                Found whole = think(&state, "level8", budgets[j], seed, UINT32_MAX);
                Found sliced = think(&state, "level8", budgets[j], seed, 1);
                assert_int_equal(mash_action_compare(whole.answer, sliced.answer), 0);
                assert_int_equal(whole.value, sliced.value);
                assert_true(whole.nodes == sliced.nodes);
                assert_int_equal(whole.plan.count, sliced.plan.count);
                assert_true(whole.nodes == budgets[j] || whole.nodes > 20);
            }
}

/* Nothing to choose, one thing to choose. */
static void little_to_choose(void **unused) {
    (void)unused;
    make_game(MASH_METHOD_EXHAUSTIVE);
    rules = (Rules){.seed = 1, .moves = 3, .length = 3};
    ToyState state = start(0);
    Ai *ai = ai_init(&content, lent());
    assert_true(ai_is_for(ai, &content));
    assert_false(ai_is_for(NULL, &content));
    MashContent same = content;
    assert_false(ai_is_for(ai, &same));
    content.hash++;
    assert_false(ai_is_for(ai, &content));
    content.hash--;
    AiPlan plan = {.count = 0};
    AiTask task = {ai_skill_find("level8"), &state, &plan, 1, NODES, 1, false};
    assert_false(ai_begin(ai, &task));
}

/* --- Chance ----------------------------------------------------------------------------------- */

/* What is known of a search with chance: the same on every machine. */
typedef struct KnownSearch {
    uint8_t method;
    uint64_t seed, nodes;
    int32_t value;
    uint8_t unit, planned;
} KnownSearch;

static const KnownSearch records[] = {
    {MASH_METHOD_EXHAUSTIVE, 0, 33917, -14, 0, 1},
    {MASH_METHOD_EXHAUSTIVE, 1, 26085, 666469, 2, 1},
    {MASH_METHOD_EXHAUSTIVE, 2, 23780, 4, 1, 0},
    {MASH_METHOD_EXHAUSTIVE, 3, 8314, 119, 1, 0},
    {MASH_METHOD_EXHAUSTIVE, 4, 7544, -667134, 0, 0},
    {MASH_METHOD_BEAM, 0, 4011, 610, 2, 2},
    {MASH_METHOD_BEAM, 1, 534, -175, 1, 0},
    {MASH_METHOD_BEAM, 2, 2441, 293, 1, 2},
    {MASH_METHOD_BEAM, 3, 2236, 996, 1, 1},
    {MASH_METHOD_BEAM, 4, 1458, -74, 0, 2},
    {MASH_METHOD_BEAM_WIDE, 0, 9139, 714, 0, 2},
    {MASH_METHOD_BEAM_WIDE, 1, 3855, -416, 1, 0},
    {MASH_METHOD_BEAM_WIDE, 2, 5797, 648, 1, 2},
    {MASH_METHOD_BEAM_WIDE, 3, 5354, 726, 1, 1},
    {MASH_METHOD_BEAM_WIDE, 4, 6626, -198, 0, 2},
    {MASH_METHOD_DETERMINIZED, 0, 12715, 42, 0, 0},
    {MASH_METHOD_DETERMINIZED, 1, 11877, 209, 1, 0},
    {MASH_METHOD_DETERMINIZED, 2, 12722, -93, 2, 0},
    {MASH_METHOD_DETERMINIZED, 3, 12379, 155, 1, 0},
    {MASH_METHOD_DETERMINIZED, 4, 12697, 44, 0, 0},
};

/* Searches with chance, guesses and all tables are the known ones: which states they look at and in
 * which order is part of what they promise. */
static void searches_are_the_known_ones(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        const KnownSearch *record = &records[i];
        make_game(record->method);
        evaluator.priority = priority;
        rules = (Rules){.seed = record->seed,
                        .moves = 3,
                        .length = record->method == MASH_METHOD_EXHAUSTIVE ? 2 : 3,
                        .ends = 90,
                        .luck = 5,
                        .hidden = record->method == MASH_METHOD_DETERMINIZED};
        ToyState state = start((uint8_t)(record->seed & 1));
        hide(&content, &state, state.seat);
        Found found = think(&state, "level8", 60000, record->seed, 1000);
        if (found.nodes != record->nodes || found.value != record->value ||
            found.answer.unit != record->unit || found.plan.count != record->planned)
            fail_msg("    {%u, %llu, %llu, %d, %u, %u},", record->method,
                     (unsigned long long)record->seed, (unsigned long long)found.nodes, found.value,
                     found.answer.unit, (unsigned)found.plan.count);
    }
}

/* A wide beam gives up first turns that fall behind in one sample of chance, and finds what a
 * search finds that looks at all samples: here both see everything, as nobody is awaited after four
 * turns, and no sample can make up for as much as it is allowed to miss. */
static void nothing_is_missed_by_giving_up(void **unused) {
    (void)unused;
    for (uint32_t seed = 0; seed < 300; seed++) {
        rules = (Rules){.seed = seed,
                        .moves = 2 + seed % 2,
                        .length = 2 - seed % 2,
                        .luck = 1 + seed % 4,
                        .turns = 4,
                        .close = true};
        ToyState state = start((uint8_t)(seed & 1));
        make_game(MASH_METHOD_BEAM);
        Found patient = think(&state, "level8", NODES, seed, 1000);
        make_game(MASH_METHOD_BEAM_WIDE);
        Found hasty = think(&state, "level8", NODES, seed, 1000);
        if (hasty.value != patient.value)
            fail_msg("game %u: %d with all samples, %d without", seed, patient.value, hasty.value);
    }
}

/* What a team does: its answer, and how many nodes each member has searched for it. */
static uint64_t team_signature(uint64_t signature, uint32_t count, uint32_t nodes, uint64_t seed) {
    Ai *members[AI_TEAM_MAX];
    AiPlan plan = {.count = 0};
    ToyState state = start((uint8_t)(seed & 1));
    AiTask task = {ai_skill_find("level8"), &state, &plan, state.seat, nodes, seed, false};
    for (uint32_t i = 0; i < count; i++)
        members[i] = ai_init(&content, support_memory(ai_bytes(&content)));
    uint32_t busy = ai_team_begin(members, count, &task);
    do
        for (uint32_t i = 0; i < busy; i++)
            while (!ai_step(members[i], 100))
                ;
    while (!ai_team_meet(members, busy));
    MashAction answer = ai_answer(members[0]);
    signature = hash_number(hash_number(signature, answer.unit), plan.count);
    signature = hash_number(signature, (uint64_t)ai_value(members[0]));
    for (uint32_t i = 0; i < busy; i++)
        signature = hash_number(signature, ai_nodes(members[i]));
    for (uint32_t i = 0; i < count; i++)
        support_free(members[i]);
    return signature;
}

/* What members tell each other, and when they are out of nodes, is part of what a team promises. */
static void teams_are_the_known_ones(void **unused) {
    (void)unused;
    static const uint32_t budgets[] = {30, 90, 400, 1500, 60000};
    static const struct {
        uint8_t method;
        uint64_t signature;
    } teams[] = {{MASH_METHOD_EXHAUSTIVE, 0xa67583ae9a9bc6e3},
                 {MASH_METHOD_BEAM, 0x826a71c35d1940cd},
                 {MASH_METHOD_BEAM_WIDE, 0x8ad7f52a0a82668d}};
    bool right = true;
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        uint64_t signature = 0;
        make_game(teams[i].method);
        evaluator.priority = priority;
        for (uint64_t seed = 0; seed < 12; seed++)
            for (size_t j = 0; j < sizeof budgets / sizeof *budgets; j++) {
                rules = (Rules){.seed = seed,
                                .moves = 3,
                                .length = teams[i].method == MASH_METHOD_EXHAUSTIVE ? 2 : 3,
                                .ends = 90,
                                .luck = seed % 2 == 0 ? 5 : 0};
                signature = team_signature(signature, 2 + (uint32_t)seed % 4, budgets[j], seed);
            }
        right = right && signature == teams[i].signature;
        if (signature != teams[i].signature)
            print_error("    method %u: 0x%016llx\n", teams[i].method,
                        (unsigned long long)signature);
    }
    assert_true(right);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_agrees),
        cmocka_unit_test(greedy_turns_agree),
        cmocka_unit_test(guesses_are_possible_states),
        cmocka_unit_test(random_turns),
        cmocka_unit_test(weak_levels_overlook_actions),
        cmocka_unit_test(a_good_move_that_looks_bad),
        cmocka_unit_test(many_candidates),
        cmocka_unit_test(greedy_actions),
        cmocka_unit_test(ties_are_broken_at_random),
        cmocka_unit_test(plans_cost_nothing),
        cmocka_unit_test(plans_are_for_their_view),
        cmocka_unit_test(slices_change_nothing),
        cmocka_unit_test(little_to_choose),
        cmocka_unit_test(searches_are_the_known_ones),
        cmocka_unit_test(nothing_is_missed_by_giving_up),
        cmocka_unit_test(teams_are_the_known_ones),
    };
    return cmocka_run_group_tests_name("search over turns", tests, NULL, NULL);
}
