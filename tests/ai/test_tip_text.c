/* test_tip_text.c -- what is worth mentioning of what happened in the samples, and known advice in
 * positions of small matches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ai/tip_text.h"
#include "match/simulate.h"
#include "tests/support/support.h"

/* Units: two of seat 0, two of seat 1, one of nobody. */
enum { OWN = 3, OWN_TOO = 4, ENEMY = 5, ENEMY_TOO = 6, NOBODYS = 7 };

static TipNotes notes;
static TipChoice choice;

static int set_up(void **unused) {
    (void)unused;
    static MashToken tokens[] = {{.unit = OWN, .seat = 0},
                                 {.unit = OWN_TOO, .seat = 0},
                                 {.unit = ENEMY, .seat = 1},
                                 {.unit = ENEMY_TOO, .seat = 1},
                                 {.unit = NOBODYS, .seat = MASH_SEAT_NONE}};
    MashBoard board = {.tokens = tokens, .tokens_count = 5};
    memset(&notes, 1, sizeof notes);
    tip_notes_clear(&notes, 0);
    tip_notes_set_owners(&notes, &board);
    choice = (TipChoice){.samples = 1};
    return 0;
}

static MashEvent event_of(MashEventKind kind, uint8_t unit, int32_t amount) {
    return (MashEvent){.kind = (uint8_t)kind,
                       .seen_by = MASH_SEEN_BY_ALL,
                       .unit = unit,
                       .other = MASH_UNIT_NONE,
                       .amount = amount,
                       .x = 1};
}

static void add(MashEvent event, uint32_t sample, TipTurn when) {
    tip_notes_add(&notes, &(MashEvents){&event, 1, 1}, sample, when);
}

static void happens(MashEventKind kind, uint8_t unit, int32_t amount, uint32_t sample,
                    TipTurn when) {
    add(event_of(kind, unit, amount), sample, when);
}

/* What matters to which side. */
static void what_matters(void **unused) {
    (void)unused;
    static const struct {
        uint8_t kind;
        bool own, enemy; /* is it kept if it happens to this side? */
    } kinds[] = {
        {MASH_EVENT_FOUGHT, true, false},       {MASH_EVENT_ITEM_TAKEN, true, false},
        {MASH_EVENT_ITEM_DROPPED, false, true}, {MASH_EVENT_EFFECT_BEGAN, true, true},
        {MASH_EVENT_HEALED, true, false},       {MASH_EVENT_HURT, true, true},
        {MASH_EVENT_DIED, true, true},          {MASH_EVENT_TURN_BEGAN, false, false},
        {MASH_EVENT_MOVED, true, false},        {MASH_EVENT_TURN_ENDED, true, false},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        set_up(NULL);
        happens((MashEventKind)kinds[i].kind, OWN, 1, 1, TIP_TURN_OWN);
        assert_int_equal(notes.count, kinds[i].own);
        happens((MashEventKind)kinds[i].kind, ENEMY, 1, 1, TIP_TURN_OWN);
        assert_int_equal(notes.count, kinds[i].own + kinds[i].enemy);
    }
    /* What the seat does not see is not known. */
    set_up(NULL);
    MashEvent secret = event_of(MASH_EVENT_DIED, ENEMY, 0);
    secret.seen_by = 2;
    add(secret, 1, TIP_TURN_OWN);
    assert_int_equal(notes.count, 0);
    secret.seen_by = 1;
    add(secret, 1, TIP_TURN_OWN);
    assert_int_equal(notes.count, 1);
}

/* Events that name a seat belong to it; what is placed without a number is one's own. */
static void whose_event(void **unused) {
    (void)unused;
    static const uint8_t of_seat[] = {MASH_EVENT_CHOSEN, MASH_EVENT_READY, MASH_EVENT_MATCH_ENDED};
    for (uint32_t i = 0; i < 3; i++)
        for (uint8_t seat = 0; seat < 2; seat++) {
            set_up(NULL);
            MashEvent event = event_of((MashEventKind)of_seat[i], ENEMY, 0);
            event.other = seat;
            add(event, 1, TIP_TURN_OWN);
            tip_notes_write(&notes, &choice);
            assert_int_equal(choice.now.count, seat == 0);
            assert_int_equal(choice.losses.count,
                             of_seat[i] == MASH_EVENT_MATCH_ENDED && seat == 1);
        }
    set_up(NULL);
    happens(MASH_EVENT_PLACED, MASH_UNIT_NONE, 0, 1, TIP_TURN_OWN);
    happens(MASH_EVENT_PLACED, ENEMY, 0, 1, TIP_TURN_OWN);
    assert_int_equal(notes.count, 1);
    happens(MASH_EVENT_PLACED, OWN, 0, 1, TIP_TURN_OWN);
    assert_int_equal(notes.count, 2);
    happens(MASH_EVENT_HEALED, MASH_UNIT_NONE, 0, 1, TIP_TURN_OWN);
    happens(MASH_EVENT_HEALED, NOBODYS, 0, 1, TIP_TURN_OWN);
    assert_int_equal(notes.count, 2);
}

/* Steps and hits of a unit are one note in each turn; others differ by what and whom. */
static void alike(void **unused) {
    (void)unused;
    happens(MASH_EVENT_HURT, ENEMY, 5, 1, TIP_TURN_OWN);
    MashEvent other = event_of(MASH_EVENT_HURT, ENEMY, 6);
    other.other = OWN;
    other.what = 3;
    other.y = 7;
    add(other, 1, TIP_TURN_OWN);
    assert_int_equal(notes.count, 1);
    assert_true(notes.list[0].amount == 11);
    assert_int_equal(notes.list[0].samples, 1);
    assert_int_equal(notes.list[0].event.y, 7); /* the last cell */
    assert_int_equal(notes.list[0].event.other, MASH_UNIT_NONE);
    happens(MASH_EVENT_HURT, ENEMY, 5, 3, TIP_TURN_OWN);
    assert_int_equal(notes.list[0].samples, 2);
    happens(MASH_EVENT_HURT, ENEMY_TOO, 5, 1, TIP_TURN_OWN);
    happens(MASH_EVENT_HURT, ENEMY, 5, 1, TIP_TURN_REPLY);
    assert_int_equal(notes.count, 3);
    happens(MASH_EVENT_ITEM_TAKEN, OWN, 0, 1, TIP_TURN_OWN);
    MashEvent item = event_of(MASH_EVENT_ITEM_TAKEN, OWN, 0);
    item.what = 2;
    add(item, 1, TIP_TURN_OWN);
    item.other = ENEMY;
    add(item, 1, TIP_TURN_OWN);
    add(item, 1, TIP_TURN_OWN);
    assert_int_equal(notes.count, 6);
    /* There is an end to it. */
    for (uint32_t i = 0; i < 256; i++) {
        item.what = (uint8_t)i;
        add(item, 1, TIP_TURN_OWN);
    }
    assert_int_equal(notes.count, TIP_NOTES_MAX);
    happens(MASH_EVENT_HURT, ENEMY, 5, 9, TIP_TURN_OWN); /* what is known still counts */
    assert_int_equal(notes.list[0].samples, 3);
}

/* Means are rounded to the nearest; health is counted until the reply is over. */
static void numbers(void **unused) {
    (void)unused;
    choice.samples = 4;
    for (uint32_t sample = 1; sample <= 2; sample++) {
        happens(MASH_EVENT_HURT, ENEMY, 5 + (int32_t)sample, sample, TIP_TURN_OWN); /* 13 */
        happens(MASH_EVENT_HURT, ENEMY_TOO, 1, sample, TIP_TURN_REPLY);             /* 2 */
        happens(MASH_EVENT_HURT, ENEMY_TOO, 50, sample, TIP_TURN_NEXT);
        happens(MASH_EVENT_HURT, OWN, 3, sample, TIP_TURN_REPLY); /* 6 */
        happens(MASH_EVENT_HEALED, OWN, 90, sample, TIP_TURN_OWN);
        happens(MASH_EVENT_HURT, NOBODYS, 90, sample, TIP_TURN_OWN);
    }
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.dealt, 4); /* 15 in 4 samples */
    assert_int_equal(choice.lost, 2);  /* 6 in 4 */
    assert_int_equal(choice.now.count, 2);
    assert_int_equal(choice.now.list[0].amount, 7); /* 13 in 2 */
    assert_int_equal(choice.now.samples[0], 2);
    assert_int_equal(choice.works, 2);
    choice.samples = 0; /* not examined yet */
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.dealt, 15);
}

/* The weightiest three, in the order in which they happened; slight ones not beside great ones,
 * rare ones only in the first place. */
static void reasons(void **unused) {
    (void)unused;
    choice.samples = 2;
    for (uint32_t sample = 1; sample <= 2; sample++) {
        happens(MASH_EVENT_MOVED, OWN, 0, sample, TIP_TURN_OWN);
        happens(MASH_EVENT_USED, OWN, 0, sample, TIP_TURN_OWN);
        happens(MASH_EVENT_HURT, ENEMY, 1, sample, TIP_TURN_OWN);
        happens(MASH_EVENT_HEALED, OWN, 1, sample, TIP_TURN_OWN);
        happens(MASH_EVENT_DIED, ENEMY, 0, sample, TIP_TURN_OWN);
    }
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.now.count, TIP_EVENTS_MAX);
    assert_int_equal(choice.now.list[0].kind, MASH_EVENT_HURT);
    assert_int_equal(choice.now.list[1].kind, MASH_EVENT_HEALED);
    assert_int_equal(choice.now.list[2].kind, MASH_EVENT_DIED);
    assert_int_equal(choice.works, 2);
    assert_false(tip_notes_are_minor(&notes));
    /* A move beside a healing is not mentioned; alone it is. */
    set_up(NULL);
    happens(MASH_EVENT_MOVED, OWN, 0, 1, TIP_TURN_OWN);
    happens(MASH_EVENT_ATTACKED, OWN, 0, 1, TIP_TURN_OWN);
    happens(MASH_EVENT_TURN_ENDED, OWN, 0, 1, TIP_TURN_OWN);
    assert_true(tip_notes_are_minor(&notes));
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.now.count, 2);
    assert_int_equal(choice.now.list[0].kind, MASH_EVENT_MOVED);
    assert_int_equal(choice.now.list[1].kind, MASH_EVENT_ATTACKED);
    happens(MASH_EVENT_MISSED, OWN, 0, 1, TIP_TURN_OWN);
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.now.count, 1);
    assert_int_equal(choice.now.list[0].kind, MASH_EVENT_MISSED);
    /* Rare: one in ten is no second reason, one in two is. */
    for (uint32_t often = 4; often <= 5; often++) {
        set_up(NULL);
        choice.samples = 10;
        for (uint32_t sample = 1; sample <= 10; sample++)
            happens(MASH_EVENT_HURT, ENEMY, 1, sample, TIP_TURN_OWN);
        for (uint32_t sample = 1; sample <= often; sample++)
            happens(MASH_EVENT_HEALED, OWN, 1, sample, TIP_TURN_OWN);
        tip_notes_write(&notes, &choice);
        assert_int_equal(choice.now.count, often == 5 ? 2 : 1);
        assert_int_equal(choice.works, 10);
    }
    /* A single rare one is a reason. */
    set_up(NULL);
    choice.samples = 10;
    happens(MASH_EVENT_DIED, ENEMY, 0, 7, TIP_TURN_OWN);
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.now.count, 1);
    assert_int_equal(choice.works, 1);
    /* Weight and frequency count together: 200 x 1 against 110 x 2. */
    happens(MASH_EVENT_HURT, ENEMY_TOO, 1, 1, TIP_TURN_OWN);
    happens(MASH_EVENT_HURT, ENEMY_TOO, 1, 2, TIP_TURN_OWN);
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.now.list[0].kind, MASH_EVENT_HURT);
    assert_int_equal(choice.works, 2);
    /* No reason at all holds always. */
    set_up(NULL);
    choice.samples = 10;
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.works, 10);
    assert_int_equal(choice.now.count, 0);
}

/* A move that ends where it began is none. */
static void a_move_to_nowhere(void **unused) {
    (void)unused;
    for (int i = 0; i < 4; i++) {
        set_up(NULL);
        MashEvent move = {.kind = MASH_EVENT_MOVED,
                          .seen_by = MASH_SEEN_BY_ALL,
                          .unit = OWN,
                          .from_x = 2,
                          .from_y = 3,
                          .x = (int8_t)(2 + (i & 1)),
                          .y = (int8_t)(3 + (i >> 1))};
        add(move, 1, TIP_TURN_OWN);
        tip_notes_write(&notes, &choice);
        assert_int_equal(choice.now.count, i != 0);
    }
    set_up(NULL);
    MashEvent used = {.kind = MASH_EVENT_USED, .seen_by = MASH_SEEN_BY_ALL, .unit = OWN};
    add(used, 1, TIP_TURN_OWN);
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.now.count, 1);
}

/* What may follow is told if it is important, and happens in half of the samples. */
static void what_may_follow(void **unused) {
    (void)unused;
    for (uint32_t often = 0; often <= 3; often++) {
        set_up(NULL);
        choice.samples = 4;
        for (uint32_t sample = 1; sample <= often; sample++)
            happens(MASH_EVENT_HURT, ENEMY, 9, sample, TIP_TURN_NEXT);
        tip_notes_write(&notes, &choice);
        assert_int_equal(choice.next.count, often >= 2);
        assert_int_equal(choice.now.count, 0);
        assert_true(tip_notes_are_minor(&notes));
    }
    set_up(NULL);
    happens(MASH_EVENT_MOVED, OWN, 0, 1, TIP_TURN_NEXT); /* slight */
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.next.count, 0);
}

/* That somebody appears is told, with what may follow from it: by itself it is no reason. */
static void who_appears_is_no_reason(void **unused) {
    (void)unused;
    set_up(NULL);
    choice.samples = 1;
    happens(MASH_EVENT_APPEARED, OWN, 0, 1, TIP_TURN_OWN);
    assert_true(tip_notes_are_minor(&notes));
    happens(MASH_EVENT_HURT, ENEMY, 9, 1, TIP_TURN_NEXT);
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.now.count, 1);
    assert_int_equal(choice.now.list[0].kind, MASH_EVENT_APPEARED);
    assert_int_equal(choice.next.count, 1);
    assert_int_equal(choice.next.list[0].kind, MASH_EVENT_HURT);
    happens(MASH_EVENT_HURT, ENEMY, 9, 1, TIP_TURN_OWN);
    assert_false(tip_notes_are_minor(&notes));
}

/* At most three losses, in order, of one's own, until the reply is over. */
static void losses(void **unused) {
    (void)unused;
    MashEvent end = event_of(MASH_EVENT_MATCH_ENDED, MASH_UNIT_NONE, 0);
    happens(MASH_EVENT_DIED, ENEMY, 0, 1, TIP_TURN_REPLY);
    happens(MASH_EVENT_DIED, OWN, 0, 1, TIP_TURN_NEXT);
    happens(MASH_EVENT_DIED, NOBODYS, 0, 1, TIP_TURN_REPLY);
    happens(MASH_EVENT_HURT, OWN, 7, 1, TIP_TURN_REPLY);
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.losses.count, 0);
    happens(MASH_EVENT_DIED, OWN_TOO, 0, 1, TIP_TURN_OWN);
    happens(MASH_EVENT_DIED, OWN, 0, 1, TIP_TURN_REPLY);
    end.other = 0;
    add(end, 1, TIP_TURN_REPLY); /* a win is no loss */
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.losses.count, 2);
    assert_int_equal(choice.losses.list[0].unit, OWN_TOO);
    assert_int_equal(choice.losses.list[1].unit, OWN);
    end.other = 1;
    add(end, 1, TIP_TURN_REPLY);
    end.other = MASH_SEAT_NONE;
    add(end, 1, TIP_TURN_REPLY);
    tip_notes_write(&notes, &choice);
    assert_int_equal(choice.losses.count, 3);
    assert_int_equal(choice.losses.list[2].other, 1);
}

/* --- Known advice ----------------------------------------------------------------------------- */

/* What is known of advice in a position: the same on every machine. */
typedef struct KnownAdvice {
    const char *game, *preset;
    uint32_t plies, level; /* random actions before, and who advises */
    uint32_t nodes;
    int32_t value;
    uint32_t samples[2], works[2];
    int32_t dealt[2], lost[2];
    uint32_t now[2], next[2], losses[2];
} KnownAdvice;

static const KnownAdvice known[] = {
    {"zorde",
     "skirmish",
     0,
     6,
     3140,
     -213,
     {1, 1},
     {1, 1},
     {0, 0},
     {40, 30},
     {1, 0},
     {3, 3},
     {0, 0}},
    {"zorde",
     "skirmish",
     9,
     6,
     3087,
     -369,
     {1, 1},
     {1, 1},
     {0, 20},
     {30, 50},
     {1, 1},
     {3, 3},
     {0, 1}},
    {"zorde",
     "battle",
     20,
     3,
     3390,
     1345,
     {1, 1},
     {1, 1},
     {220, 205},
     {70, 70},
     {3, 3},
     {0, 0},
     {1, 1}},
    {"zorde",
     "duel",
     3,
     8,
     166,
     1999999,
     {1, 1},
     {1, 1},
     {100, 20},
     {80, 30},
     {3, 1},
     {0, 0},
     {0, 0}},
    {"ultimate-war",
     "usual",
     25,
     6,
     4114,
     -514,
     {1, 1},
     {1, 1},
     {720, 0},
     {0, 135},
     {3, 1},
     {0, 3},
     {0, 0}},
    {"battleground",
     "small",
     4,
     6,
     20,
     0,
     {10, 10},
     {10, 10},
     {0, 0},
     {0, 0},
     {1, 1},
     {0, 0},
     {0, 0}},
    {"battleground",
     "small",
     40,
     6,
     13805,
     114,
     {1, 1},
     {1, 1},
     {0, 0},
     {3, 2},
     {2, 2},
     {1, 1},
     {1, 1}},
    {"generals",
     "printed",
     60,
     6,
     2060,
     -1781,
     {10, 10},
     {10, 10},
     {0, 0},
     {0, 0},
     {1, 1},
     {0, 0},
     {0, 0}},
    {"marvelous-mashup",
     "sanctum",
     40,
     6,
     6563,
     166,
     {1, 1},
     {1, 1},
     {0, 0},
     {85, 85},
     {1, 1},
     {2, 1},
     {1, 1}},
    {"tablut", "brandubh", 6, 6, 2094, 421, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {0, 0}, {0, 1}},
};

static void advice_is_the_known_one(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const KnownAdvice *is = &known[i];
        MashContent *content = support_content(mash_game_find(is->game), is->preset);
        void *state = support_state(content);
        MashAction *list = support_memory(content->limits.actions_max * sizeof *list);
        void *memory = support_memory(tip_bytes(content));
        MashChance chance = chance_sampled(5);
        assert_int_equal(content->game->setup(content, NULL, &chance, state), MASH_OK);
        for (uint32_t ply = 0; ply < is->plies; ply++) {
            MashAction action = simulate_random_action(content, state, &chance, list);
            assert_int_equal(mash_apply(content, state, action, &chance, NULL), MASH_OK);
        }
        uint8_t seat = content->game->awaited(content, state) == 2;
        content->game->hide(content, state, seat);
        Tip *tip = tip_init(content, memory);
        TipTask task = {ai_level(is->level), state, seat, 2000, 9};
        assert_true(tip_begin(tip, &task));
        while (!tip_step(tip, 100))
            ;
        TipAdvice got = *tip_advice(tip);
        const TipChoice *choices[2] = {&got.best, &got.other};
        bool same = got.nodes == is->nodes && got.value == is->value;
        for (int j = 0; j < 2; j++)
            same &= choices[j]->samples == is->samples[j] && choices[j]->works == is->works[j] &&
                    choices[j]->dealt == is->dealt[j] && choices[j]->lost == is->lost[j] &&
                    choices[j]->now.count == is->now[j] && choices[j]->next.count == is->next[j] &&
                    choices[j]->losses.count == is->losses[j];
        if (!same)
            fail_msg("    {\"%s\", \"%s\", %u, %u, %u, %d, {%u, %u}, {%u, %u}, {%d, %d}, {%d, %d}, "
                     "{%u, %u}, {%u, %u}, {%u, %u}},",
                     is->game, is->preset, is->plies, is->level, (unsigned)got.nodes, got.value,
                     got.best.samples, got.other.samples, got.best.works, got.other.works,
                     got.best.dealt, got.other.dealt, got.best.lost, got.other.lost,
                     got.best.now.count, got.other.now.count, got.best.next.count,
                     got.other.next.count, got.best.losses.count, got.other.losses.count);
        support_free(memory);
        support_free(list);
        support_free(state);
        support_free(content);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_matters),    TEST(whose_event),
        TEST(alike),           TEST(numbers),
        TEST(reasons),         TEST(a_move_to_nowhere),
        TEST(what_may_follow), TEST(who_appears_is_no_reason),
        TEST(losses),          cmocka_unit_test(advice_is_the_known_one),
    };
    return cmocka_run_group_tests_name("tip text", tests, NULL, NULL);
}
