/* test_evaluate.c -- how AI players choose in Ultimate War. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ai/ai.h"
#include "base/hash.h"
#include "games/ultimate-war/picks.h"
#include "match/match.h"
#include "tests/support/support.h"

static const MashGame *const game = &ultimate_war_game;

/* A new match, picks to be made. */
static WarState *begin(const MashContent *loaded) {
    WarState *state = support_state(loaded);
    MashChance chance = chance_seeded((MashSeed){{1, 0}}, 0);
    assert_int_equal(game->setup(loaded, NULL, &chance, state), MASH_OK);
    return state;
}

/* The number of a champion by its id. */
static uint8_t kind_of_id(const MashContent *loaded, const char *id) {
    const WarContent *content = war_content(loaded);
    uint8_t kind = 0;
    while (strcmp(content->kinds[kind].id, id) != 0)
        kind++;
    return kind;
}

/* The awaited seat picks any champion. */
static void pick(const MashContent *loaded, WarState *state, uint8_t kind) {
    MashChance chance = chance_scripted(NULL, 0);
    MashAction action = {.verb = VERB_PICK,
                         .seat = game->awaited(loaded, state) == 2,
                         .unit = (uint8_t)(UNITS + kind)};
    assert_int_equal(mash_apply(loaded, state, action, &chance, NULL), MASH_OK);
}

/* The champion that a level picks. */
static uint8_t picked(const MashContent *loaded, const WarState *state, uint32_t level,
                      uint64_t seed) {
    MashChance chance = chance_sampled(seed);
    uint8_t seat = game->awaited(loaded, state) == 2;
    MashAction action = game->evaluator->opening_trained(loaded, state, seat, level, &chance);
    assert_int_equal(action.verb, VERB_PICK);
    assert_true(action.unit >= UNITS);
    return (uint8_t)(action.unit - UNITS);
}

/* Both seats draft like a level: the sets of picked champions, each with 16 bits. */
static uint32_t draft(const MashContent *loaded, uint32_t level, uint64_t seed) {
    WarState *state = begin(loaded);
    uint32_t set = 0;
    for (uint64_t number = 1; state->phase == PHASE_PICK; number++) {
        uint8_t kind = picked(loaded, state, level, seed * UNITS + number);
        set |= 1u << (16 * (state->picks % MASH_SEATS) + kind);
        pick(loaded, state, kind);
    }
    support_free(state);
    return set;
}

/* The draft cannot be predicted, but the weakest are never picked: each level has many drafts
 * [3.1]. */
static void drafts_vary(void **unused) {
    (void)unused;
    enum { DRAFTS = 100, KNOWN_LEAST = 8 };
    MashContent *loaded = support_content(game, NULL);
    uint32_t weak = 1u << kind_of_id(loaded, "captain-america") |
                    1u << kind_of_id(loaded, "iceman") | 1u << kind_of_id(loaded, "loki");
    for (uint32_t level = 2; level <= MASH_LEVELS; level++) {
        uint32_t sets[DRAFTS], count = 0;
        for (uint64_t seed = 0; seed < DRAFTS; seed++) {
            uint32_t set = draft(loaded, level, seed), known = 0;
            assert_int_equal((set | set >> 16) & weak, 0);
            assert_int_equal(draft(loaded, level, seed),
                             set); /* the same tie break, the same draft */
            while (known < count && sets[known] != set)
                known++;
            if (known == count)
                sets[count++] = set;
        }
        assert_true(count >= KNOWN_LEAST);
    }
    support_free(loaded);
}

/* The table is about the shipped champions, and is antisymmetric. */
static void the_table_is_of_what_is_shipped(void **unused) {
    (void)unused;
    MashContent *loaded = support_content(game, NULL);
    assert_int_equal(war_content(loaded)->kinds_count, PICKS_KINDS);
    assert_true(loaded->hash == ultimate_war_picks_of); /* else run train/ultimate_war.c again */
    for (int table = 0; table < PICKS_TABLES; table++)
        for (int kind = 0; kind < PICKS_KINDS; kind++)
            for (int other = 0; other < PICKS_KINDS; other++)
                assert_int_equal(ultimate_war_picks[table].against[kind][other],
                                 -ultimate_war_picks[table].against[other][kind]);
    support_free(loaded);
}

/* The last pick is the one that adds most by the table, or nearly so: strength, and its value
 * against the three champions of the enemy. */
static void picks_answer_picks(void **unused) {
    (void)unused;
    enum { NEARLY = 200 };
    MashContent *loaded = support_content(game, NULL);
    const Picks *picks = &ultimate_war_picks[PICKS_CAREFUL];
    for (uint64_t seed = 0; seed < 200; seed++) {
        WarState *state = begin(loaded);
        int32_t values[PICKS_KINDS], most = INT32_MIN;
        for (uint64_t i = 1; state->picks < UNITS - 1;) {
            uint8_t kind = (uint8_t)(hash_number(seed, i++) % PICKS_KINDS);
            if (!ultimate_war_picked(state, kind))
                pick(loaded, state, kind);
        }
        for (uint8_t kind = 0; kind < PICKS_KINDS; kind++) {
            values[kind] = picks->strength[kind];
            for (uint8_t enemy = 0; enemy < TEAM; enemy++)
                values[kind] += picks->against[kind][state->champions[enemy].kind];
            if (!ultimate_war_picked(state, kind) && values[kind] > most)
                most = values[kind];
        }
        assert_true(values[picked(loaded, state, MASH_LEVELS, seed)] >= most - NEARLY);
        support_free(state);
    }
    support_free(loaded);
}

/* Of champions that are not in the table the strong ones are picked: here everybody has another
 * name. */
static void unknown_champions_are_picked_by_strength(void **unused) {
    (void)unused;
    char *text = support_one_line(game, "ultimate-war.champions.json");
    char *name = strstr(text, "\"Captain America\"");
    assert_non_null(name);
    name[1] = 'K';
    MashContent *loaded = support_content_with(
        game, NULL, (MashDocument){"own.champions.json", text, (uint32_t)strlen(text)});
    assert_true(loaded->hash != ultimate_war_picks_of);
    WarState *state = begin(loaded);
    pick(loaded, state, kind_of_id(loaded, "thor"));
    for (uint64_t seed = 0; seed < 32; seed++)
        assert_int_equal(picked(loaded, state, MASH_LEVELS, seed),
                         kind_of_id(loaded, "ghost-rider"));
    support_free(state);
    support_free(loaded);
    free(text);
}

/* A hero leads if there is one [3.2]; then nothing is left to choose. */
static void heroes_lead(void **unused) {
    (void)unused;
    MashContent *loaded = support_content(game, NULL);
    WarState *state = begin(loaded);
    MashChance chance = chance_sampled(1);
    static const char *const ids[UNITS] = {"venom", "hela", "hulk", "electro", "thor", "deadpool"};
    for (int i = 0; i < UNITS; i++)
        pick(loaded, state, kind_of_id(loaded, ids[i]));
    while (state->phase == PHASE_APPOINT) {
        uint8_t seat = game->awaited(loaded, state) == 2;
        MashAction action = game->evaluator->opening_trained(loaded, state, seat, 8, &chance);
        assert_int_equal(kind_of(war_content(loaded), &state->champions[action.unit])->type,
                         seat == 0 ? TYPE_HERO : TYPE_VILLAIN);
        assert_int_equal(mash_apply(loaded, state, action, &chance, NULL), MASH_OK);
    }
    assert_int_equal(game->evaluator->opening_trained(loaded, state, 0, 8, &chance).verb,
                     MASH_VERB_NONE);
    support_free(state);
    support_free(loaded);
}

/* Half points of the first seat in a match of a level against itself. */
static uint32_t play(const MashContent *loaded, Ai *ai, void *raw_state, uint32_t level,
                     uint64_t number) {
    AiPlan plans[MASH_SEATS] = {{0}};
    MashSetup setup = {NULL, 0};
    Match match;
    assert_int_equal(match_begin(&match, loaded, (MashSeed){{number, 5}}, &setup, raw_state),
                     MASH_OK);
    for (uint32_t awaited; (awaited = game->awaited(loaded, match.state)) != 0;) {
        uint8_t seat = awaited == 2;
        AiTask task = {.skill = ai_level(level),
                       .view = match.state,
                       .plan = &plans[seat],
                       .seat = seat,
                       .seed = hash_number(number, match.actions_count)};
        assert_true(ai_begin(ai, &task));
        while (!ai_step(ai, UINT32_MAX))
            ;
        assert_int_equal(match_apply(&match, ai_answer(ai)), MASH_OK);
    }
    uint8_t winner = match_result(&match).winner;
    return winner == MASH_SEAT_NONE ? 1 : winner == 0 ? 2 : 0;
}

/* Picking first is no advantage. Higher levels take too long here: bench/programs/seats.c. */
static void seats_are_alike(void **unused) {
    (void)unused;
    enum { MATCHES = 200 };
    MashContent *loaded = support_content(game, NULL);
    void *raw_state = support_memory(match_bytes(loaded));
    Ai *ai = ai_init(loaded, support_memory(ai_bytes(loaded)));
    for (uint32_t level = 2; level <= 4; level++) {
        uint32_t points = 0;
        for (uint64_t number = 0; number < MATCHES; number++)
            points += play(loaded, ai, raw_state, level, number);
        if (points < MATCHES * 2 * 42 / 100 || points > MATCHES * 2 * 58 / 100)
            fail_msg("level %u: the first seat has %u of %u points", level, points, 2 * MATCHES);
    }
    support_free(ai);
    support_free(raw_state);
    support_free(loaded);
}

/* Greedy AI players pick a champion nearly as strong as the strongest left, not just any. */
static void no_weak_one_is_picked(void **unused) {
    (void)unused;
    static const char *const taken[] = {"ghost-rider", "dr-strange", "hulk", "thor", "venom"};
    MashContent *loaded = support_content(game, NULL);
    const WarContent *content = war_content(loaded);
    WarState *state = support_state(loaded);
    MashChance chance = chance_seeded((MashSeed){{1, 0}}, 0);
    assert_int_equal(game->setup(loaded, NULL, &chance, state), MASH_OK);
    for (uint8_t number = 0; number < sizeof taken / sizeof *taken; number++) {
        uint8_t kind = 0;
        while (strcmp(content->kinds[kind].id, taken[number]) != 0)
            kind++;
        MashAction pick = {
            .verb = VERB_PICK, .seat = number % MASH_SEATS, .unit = (uint8_t)(UNITS + kind)};
        assert_int_equal(mash_apply(loaded, state, pick, &chance, NULL), MASH_OK);
    }
    for (uint64_t seed = 1; seed <= 64; seed++) {
        MashChance own = chance_sampled(seed);
        MashAction action = game->evaluator->opening(loaded, state, 1, &own);
        const char *id = content->kinds[action.unit - UNITS].id;
        assert_true(strcmp(id, "spiderman") == 0 || strcmp(id, "hela") == 0);
    }
    support_free(state);
    support_free(loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drafts_vary),
        cmocka_unit_test(the_table_is_of_what_is_shipped),
        cmocka_unit_test(picks_answer_picks),
        cmocka_unit_test(unknown_champions_are_picked_by_strength),
        cmocka_unit_test(heroes_lead),
        cmocka_unit_test(seats_are_alike),
        cmocka_unit_test(no_weak_one_is_picked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
