/* test_net_input.c -- what nets are told of a state, and that the net is fair to both seats. */
#include "base/hash.h"
#include "games/marvelous-mashup/net_input.h"
#include "games/marvelous-mashup/test_scene.h"
#include "tests/support/golden.h"

/* The first features of a hero are those that the first nets had, too. */
enum { OTHERS = 16 };

/* The evaluation of the state for seat 0. */
static int32_t judged(const MarvelousScene *scene) {
    TableNetInput input;
    return marvelous_net_input(scene->content, scene->state, &input)
               ? table_net_evaluate(&marvelous_net, &input)
               : marvelous_evaluator.evaluate_trained(scene->content, scene->state, 0);
}

/* Features of a hero: positions, whose turn it is, which hero can reach which. */
static void moments_are_told(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a.......A.", "..........", "3.........", ".....B....");
    scene_health(&scene, a, 50);
    scene_hold(&scene, A, STONE_TIME);
    TableNetInput told;
    const int16_t *of_a = told.units[0][0], *of_A = told.units[1][0], *of_B = told.units[1][1];
    assert_true(marvelous_net_input(scene.content, scene.state, &told));
    assert_int_equal(told.counts[0], 1); /* those who stand */
    assert_int_equal(told.counts[1], 2);
    assert_int_equal(of_a[1], TABLE_NET_ONE / 2);  /* health 50 of 100 */
    assert_int_equal(of_a[0], TABLE_NET_ONE);      /* it stands */
    assert_int_equal(of_a[2], 20 * 64 / 50);       /* melee 10, twice */
    assert_int_equal(of_a[3], 60 * 64 / 50);       /* ranged 30, twice */
    assert_int_equal(of_a[4], 5 * 64 / 4);         /* reach */
    assert_int_equal(of_a[5], 2 * 64 / 4);         /* movement */
    assert_int_equal(of_a[6], 0);                  /* it is its turn, */
    assert_int_equal(of_a[7], TABLE_NET_ONE);      /* now */
    assert_int_equal(of_A[6], TABLE_NET_ONE / 12); /* the next */
    assert_int_equal(of_A[8], TABLE_NET_ONE / 2);  /* one stone in hand */
    assert_int_equal(of_a[9], 60 * 64 / 50);       /* B is within 2 + 5 */
    assert_int_equal(of_a[10], 0);                 /* but not knocked out by 60, */
    assert_int_equal(of_B[10], TABLE_NET_ONE);     /* as a is, */
    assert_int_equal(of_a[13], TABLE_NET_ONE);     /* and so in danger */
    assert_int_equal(of_a[11], TABLE_NET_ONE / 2); /* from one enemy: A is 8 away */
    assert_int_equal(of_a[12], 60 * 64 / 50);      /* which does 60 to its 50 health */
    assert_int_equal(of_a[14], 5 * 64 / 5);
    assert_int_equal(of_a[15], 2 * 64 / 5);
    assert_int_equal(told.sides[1][STONE_TIME], TABLE_NET_ONE);
    assert_int_equal(told.sides[0][STONE_TIME], 0);
    assert_int_equal(told.sides[0][7], 5 * 32);
    assert_int_equal(told.sides[1][6], 1 * 64 / 4); /* the most stones */
    assert_int_equal(told.sides[0][6], 0);
    assert_int_equal(told.sides[1][7], 4 * 32); /* those who are down */
    assert_int_equal(told.table[0], TABLE_NET_ONE);
    assert_int_equal(told.table[1], 4 * 64 / 4); /* stones in Goose */
    scene.state->stones[STONE_TIME].cooldown = 1;
    scene.state->order_next = 3; /* A and B had their turns: half a round away */
    scene.state->active = MASH_UNIT_NONE;
    assert_true(marvelous_net_input(scene.content, scene.state, &told));
    assert_int_equal(told.sides[1][STONE_TIME], TABLE_NET_ONE / 2);
    assert_int_equal(of_A[6], 6 * 64 / 12);
    assert_int_equal(of_a[7], 0);
    assert_int_equal(of_a[11], 0); /* nobody comes before it */
    scene_close(&scene);
}

/* Who may be hit before its turn: by melee a cell away after the steps, by those who come first. */
static void dangers_are_told(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a..A......", "..........", "......B...");
    MarvelousContent *content = (MarvelousContent *)(void *)scene.content->body;
    MarvelousKind *kind = &content->kinds[scene.state->actors[A].kind];
    TableNetInput told;
    const int16_t *of_a = told.units[0][0], *of_A = told.units[1][0], *of_B = told.units[1][1];
    kind->melee = 40; /* three cells: two steps and one */
    scene.state->actors[a].actions = 0;
    scene.state->actors[a].moves = 0;
    assert_true(marvelous_net_input(scene.content, scene.state, &told));
    assert_int_equal(of_A[9], 80 * 64 / 50);
    assert_int_equal(of_a[9], 0);           /* it cannot act any more */
    assert_int_equal(of_a[11], 2 * 64 / 2); /* A and B */
    assert_int_equal(of_a[12], (80 + 60) * 64 / 100);
    assert_int_equal(of_a[13], 0);
    assert_int_equal(of_B[11], 0); /* a has no action, */
    assert_int_equal(of_a[14], 3 * 64 / 5);
    assert_int_equal(of_a[15], 0); /* no stone on the ground */
    scene_health(&scene, a, 80);
    assert_true(marvelous_net_input(scene.content, scene.state, &told));
    assert_int_equal(of_a[13], TABLE_NET_ONE);
    assert_int_equal(of_A[10], TABLE_NET_ONE);
    kind->melee = 10;
    assert_true(marvelous_net_input(scene.content, scene.state, &told));
    assert_int_equal(of_A[9], 60 * 64 / 50);
    assert_int_equal(of_A[10], 0);
    scene_close(&scene);
}

/* What else is told: whom a hero can hit and who can hit it at all, how far away all
 * enemies are, what it is worth and may lose, and the points that are left in its turn. */
static void rows_tell_more(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a.......A.", ".b........", "3.........", ".....B....");
    TableNetInput input;
    scene_health(&scene, a, 50);
    assert_true(marvelous_net_input(scene.content, scene.state, &input));
    const int16_t *own = input.units[0][0] + OTHERS;
    assert_int_equal(own[0], 50 * 64 / 100);           /* share of its health */
    assert_int_equal(own[4], 1 * 64 / 2);              /* B is within 2 + 5, A is not */
    assert_int_equal(own[5], 60 * 64 / 50);            /* what B does */
    assert_int_equal(own[6], TABLE_NET_ONE);           /* more than it has */
    assert_int_equal(own[7], (8 + 5) * 64 / 80);       /* steps to both */
    assert_int_equal(own[8], 1 * 64 / 2);              /* b is beside it */
    assert_int_equal(own[9], 60 * 50 / 50 * 64 / 100); /* damage by health, */
    assert_int_equal(own[10], 60 * 64 / 100);          /* all of which is in danger */
    assert_int_equal(own[11], 2 * 64 / 2);             /* actions and moves of its turn */
    assert_int_equal(own[12], 2 * 64 / 4);
    assert_int_equal(own[13], TABLE_NET_ONE);
    const int16_t *other = input.units[1][0] + OTHERS;
    assert_int_equal(other[4], 1 * 64 / 2); /* A reaches b alone, seven away, */
    assert_int_equal(other[5], 60 * 64 / 50);
    assert_int_equal(other[8], 0);
    assert_int_equal(other[11], 0); /* and it is not its turn */
    assert_int_equal(other[12], 0);
    scene.state->actors[a].actions = 1;
    scene.state->actors[a].moves = 0;
    assert_true(marvelous_net_input(scene.content, scene.state, &input));
    assert_int_equal(own[4], 1 * 64 / 2); /* five away, where it stands */
    assert_int_equal(own[11], 1 * 64 / 2);
    assert_int_equal(own[12], 0);
    scene_close(&scene);
}

/* The same state with seats swapped has the opposite evaluation. */
static void seats_are_judged_alike(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ab..1...AB", ".c......C.", "#.........", ".d...2..D.");
    MarvelousState *state = scene.state;
    scene_hold(&scene, b, STONE_SOUL);
    scene_health(&scene, C, 40);
    state->active = MASH_UNIT_NONE;
    int32_t before = judged(&scene);
    for (uint8_t hero = 0; hero < TEAM; hero++) {
        Actor swapped = state->actors[hero];
        state->actors[hero] = state->actors[hero + TEAM];
        state->actors[hero + TEAM] = swapped;
    }
    for (uint32_t i = 0; i < state->order_count; i++)
        state->order[i] = (uint8_t)((state->order[i] + TEAM) % HEROES);
    for (int stone = 0; stone < STONES; stone++)
        if (state->stones[stone].holder < HEROES)
            state->stones[stone].holder = (uint8_t)((state->stones[stone].holder + TEAM) % HEROES);
    uint8_t most = state->most_stones[0];
    state->most_stones[0] = state->most_stones[1];
    state->most_stones[1] = most;
    assert_int_equal(judged(&scene), -before);
    scene_close(&scene);
}

/* More heroes and more health are better. */
static void better_is_judged_better(void **unused) {
    (void)unused;
    MarvelousScene even = SCENE("ab........", "..........", "........AB");
    MarvelousScene more = SCENE("abc.......", "..........", "........AB");
    MarvelousScene fewer = SCENE("ab........", "..........", ".......CAB");
    assert_true(judged(&more) > judged(&even) + 100);
    assert_true(judged(&fewer) < judged(&even) - 100);
    scene_health(&fewer, a, 20);
    int32_t hurt = judged(&fewer);
    scene_health(&fewer, a, 100);
    assert_true(judged(&fewer) > hurt);
    scene_close(&even);
    scene_close(&more);
    scene_close(&fewer);
}

/* During the draft there is no evaluation, and the search chooses by the trained weights: far reach
 * comes before mere health [4.2]. */
static void teams_are_chosen(void **unused) {
    (void)unused;
    MarvelousScene scene = scene_over(support_content(&marvelous_mashup_game, NULL), 0);
    const MarvelousContent *content = marvelous_content(scene.content);
    MashChance chance = chance_sampled(1);
    assert_int_equal(judged(&scene), 0);
    int health[2] = {0}, chosen[2] = {0};
    for (int way = 0; way < 2; way++) {
        scene.state->picked[0] = 0;
        for (int i = 0; i < TEAM; i++) {
            MashAction action =
                way == 0 ? marvelous_evaluator.opening(scene.content, scene.state, 0, &chance)
                         : marvelous_evaluator.opening_trained(scene.content, scene.state, 0,
                                                               MASH_LEVELS, &chance);
            int place = action.unit - UNIT_OFFERS;
            assert_in_range(place, 0, OFFERED - 1);
            assert_false(scene.state->picked[0] >> place & 1);
            scene.state->picked[0] = (uint16_t)(scene.state->picked[0] | 1 << place);
            health[way] += content->kinds[scene.state->offers[0][place]].health;
        }
        chosen[way] = scene.state->picked[0];
    }
    assert_int_not_equal(chosen[0], chosen[1]);
    assert_true(health[1] < health[0]);
    scene_close(&scene);
}

/* What the test works with. */
typedef struct NetFixture {
    MashContent *content;
    MarvelousState *state, *changed;
    MashText text;
    uint32_t number;
} NetFixture;

/* The processor's fastest way and the usual one tell the same, whatever was in the memory. */
static void compare_ways(const MarvelousContent *content, const MarvelousState *state) {
    TableNetInput usual, fast;
    memset(&usual, 1, sizeof usual);
    memset(&fast, 2, sizeof fast);
    marvelous_rows(content, state, &usual);
    if (!MARVELOUS_HAS_WIDE)
        return;
    marvelous_rows_wide(content, state, &fast);
    for (int seat = 0; seat < MASH_SEATS; seat++) {
        assert_int_equal(fast.counts[seat], usual.counts[seat]);
        assert_memory_equal(fast.units[seat], usual.units[seat],
                            TEAM * sizeof usual.units[seat][0]);
    }
}

/* One position: all that a net is told, as a hash. Some have stones that rest, or are nobody's
 * turn. */
static void put_position(void *owner, uint8_t seat, MashChance *chooser) {
    NetFixture *fixture = owner;
    const MarvelousContent *content = marvelous_content(fixture->content);
    MarvelousState *state = fixture->changed;
    TableNetInput input;
    (void)chooser;
    memcpy(state, fixture->state, fixture->content->limits.state_bytes);
    for (uint8_t i = 0; fixture->number % 3 == 0 && i < STONES; i++)
        state->stones[i].cooldown = (uint8_t)(fixture->number / 3 % 2);
    if (fixture->number % 5 == 0 && state->phase != PHASE_CHOICE)
        state->active = UNIT_GOOSE;
    compare_ways(content, state);
    text_format(&fixture->text, "%u: round %u, ", fixture->number++, state->round);
    bool known = marvelous_net_input(fixture->content, state, &input);
    text_hex(&fixture->text, known ? table_net_mark(0, &input) : 0, 16);
    text_format(&fixture->text, " for %u\n", seat);
}

/* Features of random positions are as stored: of usual heroes, and of such as are beyond all that
 * the net has learned. */
static void features_are_as_stored(void **unused) {
    (void)unused;
    NetFixture fixture = {.text = text_over(support_memory(1 << 16), 1 << 16)};
    for (uint16_t times = 1; times <= 9; times = (uint16_t)(times + 4)) {
        fixture.content = support_content(&marvelous_mashup_game, NULL);
        fixture.state = support_state(fixture.content);
        fixture.changed = support_state(fixture.content);
        MarvelousContent *content = (MarvelousContent *)(void *)fixture.content->body;
        for (uint32_t i = 0; i < content->kinds_count; i++) {
            MarvelousKind *kind = &content->kinds[i];
            kind->moves = (uint16_t)(kind->moves * times);
            kind->actions = (uint16_t)(kind->actions + times / 4);
            kind->melee = (uint16_t)(kind->melee * times);
            kind->ranged = (uint16_t)(kind->ranged * times);
            kind->health = (uint16_t)(kind->health * ((times + 3) / 4));
            kind->reach = (uint16_t)(kind->reach + times - 1);
        }
        support_positions(fixture.content, 60, 12, fixture.state, put_position, &fixture);
        support_free(fixture.state);
        support_free(fixture.changed);
        support_free(fixture.content);
    }
    golden_compare("tests/golden/marvelous-features.txt", &fixture.text);
    support_free(fixture.text.bytes);
}

/* The most extreme content that is allowed [13.1] stays within bounds. */
static void strange_heroes_are_judged(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ab........", "..........", "........AB");
    MarvelousContent *content = (MarvelousContent *)(void *)scene.content->body;
    for (uint32_t i = 0; i < content->kinds_count; i++)
        content->kinds[i] = (MarvelousKind){.number = content->kinds[i].number,
                                            .health = 2000,
                                            .moves = 1000,
                                            .actions = 1000,
                                            .melee = 999,
                                            .ranged = 2000,
                                            .reach = 500};
    scene_health(&scene, a, 1);
    scene_health(&scene, A, 2000);
    scene.state->round = 500;
    int32_t value = judged(&scene);
    assert_in_range(value + MASH_EVALUATION_MAX, 0, 2 * MASH_EVALUATION_MAX);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_told),
        cmocka_unit_test(dangers_are_told),
        cmocka_unit_test(rows_tell_more),
        cmocka_unit_test(seats_are_judged_alike),
        cmocka_unit_test(better_is_judged_better),
        cmocka_unit_test(teams_are_chosen),
        cmocka_unit_test(strange_heroes_are_judged),
        cmocka_unit_test(features_are_as_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
