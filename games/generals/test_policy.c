/* test_policy.c -- what was learned about Generals: what hidden pieces are, which actions are
 * preferred, who stands better, where an army is placed. All of it by what a seat may see. */
#include <math.h>

#include "games/generals/policy.h"
#include "games/generals/test_scene.h"

enum { MATCHES = 12 };

/* What the seat to act prefers, by what it sees of the scene: in 1/65536 of the logarithm. */
static int32_t preference(const GeneralsScene *scene, MashAction action) {
    GeneralsOdds odds = {.seat = 0};
    GeneralsBeliefs beliefs = {.worked_out = 0};
    action.seat = scene->state->mover;
    generals_odds(&odds, &beliefs, 1, generals_content(scene->content), scene->state, action.seat);
    return generals_preference(&odds, action, NULL);
}

static int32_t step(const GeneralsScene *scene, int x, int y, int to_x, int to_y) {
    return preference(scene, (MashAction){.verb = VERB_MOVE,
                                          .unit = scene_at(scene, x, y),
                                          .x = (int8_t)to_x,
                                          .y = (int8_t)to_y});
}

/* The piece on a cell, shown to all. */
static void show_at(GeneralsScene *scene, int x, int y) {
    scene->state->pieces[scene_at(scene, x, y)].mark |= MARK_SHOWN | MARK_MOVED;
}

/* A match of two random armies, and where random play goes from here: false at its end. */
static GeneralsScene *begin_random(uint64_t match) {
    GeneralsScene *scene = scene_new(NULL);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        scene->chance = chance_sampled(2 * match + seat);
        assert_int_equal(scene_plain(scene, seat, VERB_RANDOM), MASH_OK);
        assert_int_equal(scene_plain(scene, seat, VERB_READY), MASH_OK);
    }
    scene->chance = chance_sampled(match);
    return scene;
}
static bool go_on(GeneralsScene *scene, MashChance *dice) {
    MashAction list[SCENE_ACTIONS];
    uint32_t count = generals_game.actions(scene->content, scene->state, scene->state->mover, list);
    assert_int_equal(scene_act(scene, list[chance_below(dice, count)]), MASH_OK);
    return !scene->state->common.over;
}

/* --- Secrets ---------------------------------------------------------------------------------- */

/* Both prefer the action as much, and its features are what that adds up to. */
static void expect_same(GeneralsOdds *one, GeneralsOdds *other, MashAction action) {
    GeneralsFeatures features;
    int32_t preferred = generals_preference(one, action, &features), sum = 0;
    assert_int_equal(generals_preference(other, action, NULL), preferred);
    assert_true(features.count <= FEATURES_MAX);
    for (uint32_t k = 0; k < features.count; k++)
        sum += one->body->learned->act[features.list[k].index] * features.list[k].value;
    assert_int_equal(sum, preferred);
}

/* [7.6] A state and the seat's view of it are the same to it. */
static void preferences_know_no_secrets(void **unused) {
    (void)unused;
    MashAction list[SCENE_ACTIONS];
    for (uint64_t match = 0; match < MATCHES; match++) {
        GeneralsScene *scene = begin_random(match);
        const GeneralsContent *body = generals_content(scene->content);
        MashChance dice = chance_sampled(match + 100);
        do {
            uint8_t seat = scene->state->mover;
            GeneralsState *view = scene_view(scene, seat);
            GeneralsOdds odds[2] = {{.seat = 0}};
            GeneralsBeliefs beliefs[2] = {{.worked_out = 0}};
            generals_odds(&odds[0], &beliefs[0], 1, body, scene->state, seat);
            generals_odds(&odds[1], &beliefs[1], 1, body, view, seat);
            uint32_t count = generals_game.actions(scene->content, view, seat, list);
            for (uint32_t i = 0; i < count; i++)
                expect_same(&odds[0], &odds[1], list[i]);
            support_free(view);
        } while (go_on(scene, &dice));
        scene_free(scene);
    }
}

/* The same actions are drawn from a state and from the seat's view of it, with whatever the memory
 * keeps; preferred ones more often than others. */
static void habits_know_no_secrets(void **unused) {
    (void)unused;
    static GeneralsMemory memories[2];
    MashAction list[SCENE_ACTIONS];
    GeneralsScene *scene = begin_random(7);
    MashChance dice = chance_sampled(8);
    memset(memories, 0, sizeof memories);
    do {
        uint8_t seat = scene->state->mover;
        GeneralsState *view = scene_view(scene, seat);
        MashChance one = chance_sampled(dice.counter), other = one;
        uint32_t count = generals_game.actions(scene->content, view, seat, list);
        uint32_t drawn =
            generals_habit(scene->content, scene->state, seat, list, count, &one, &memories[0]);
        assert_true(drawn < count);
        assert_int_equal(
            generals_habit(scene->content, view, seat, list, count, &other, &memories[1]), drawn);
        support_free(view);
    } while (go_on(scene, &dice));
    scene_free(scene);
}

/* As often as their preferences say. */
static void habits_follow_preferences(void **unused) {
    (void)unused;
    enum { DRAWN = 40000 };
    GeneralsScene *scene = begin_random(3);
    const GeneralsContent *body = generals_content(scene->content);
    MashAction list[SCENE_ACTIONS];
    GeneralsMemory *memory = calloc(1, sizeof *memory);
    GeneralsOdds odds = {.seat = 0};
    GeneralsBeliefs beliefs = {.worked_out = 0};
    MashChance dice = chance_sampled(1);
    uint32_t counts[SCENE_ACTIONS] = {0};
    double weights[SCENE_ACTIONS], sum = 0;
    assert_non_null(memory);
    uint32_t count = generals_game.actions(scene->content, scene->state, 0, list);
    generals_odds(&odds, &beliefs, 1, body, scene->state, 0);
    for (uint32_t i = 0; i < count; i++)
        sum += weights[i] = exp(generals_preference(&odds, list[i], NULL) / 65536.0);
    for (int i = 0; i < DRAWN; i++)
        counts[generals_habit(scene->content, scene->state, 0, list, count, &dice, memory)]++;
    for (uint32_t i = 0; i < count; i++) {
        double expected = weights[i] / sum, seen = counts[i] / (double)DRAWN;
        assert_true(fabs(seen - expected) < 0.02);
    }
    free(memory);
    scene_free(scene);
}

/* --- Beliefs ---------------------------------------------------------------------------------- */

/* The chances of a group add up to one, and are added to those of each kind. */
static void add_up(const GeneralsBeliefs *beliefs, int group, int sums[KINDS_MAX + 1]) {
    int sum = 0;
    for (int kind = 0; kind <= KINDS_MAX; kind++) {
        int chance = beliefs->chances[group][kind];
        sum += chance;
        sums[kind] += chance;
        assert_true(chance == 0 || beliefs->masks[group] >> kind & 1);
    }
    assert_in_range(sum, CERTAIN - KINDS_MAX, CERTAIN);
}

/* [7.5] Chances are of what a piece can be, and add up to one; those of a kind to how many there
 * are, about. */
static void beliefs_fit_what_is_known(void **unused) {
    (void)unused;
    for (uint64_t match = 0; match < MATCHES; match++) {
        GeneralsScene *scene = begin_random(match);
        const GeneralsContent *body = generals_content(scene->content);
        MashChance dice = chance_sampled(match + 200);
        do {
            GeneralsOdds odds = {.seat = 0};
            GeneralsBeliefs beliefs = {.worked_out = 0};
            generals_odds(&odds, &beliefs, 1, body, scene->state, 0);
            int sums[KINDS_MAX + 1] = {0};
            for (int i = 0; i < SIDE_MAX; i++)
                add_up(&beliefs, beliefs.group[i], sums);
            for (int kind = 1; kind <= KINDS_MAX; kind++)
                assert_in_range(sums[kind], body->army[1].kinds[kind].count * CERTAIN / 3,
                                body->army[1].kinds[kind].count * CERTAIN * 2);
        } while (go_on(scene, &dice));
        scene_free(scene);
    }
}

/* Who has never moved at the back is rather the Nexus than who stands in front; guesses agree with
 * beliefs. */
static void traces_tell_something(void **unused) {
    (void)unused;
    enum { GUESSES = 3000 };
    GeneralsScene *scene = begin_random(5);
    const GeneralsContent *body = generals_content(scene->content);
    GeneralsOdds odds = {.seat = 0};
    GeneralsBeliefs beliefs = {.worked_out = 0};
    GeneralsState *guess = support_state(scene->content);
    MashChance dice = chance_sampled(9);
    int counts[SIDE_MAX] = {0}, nexus = body->army[1].nexus;
    generals_odds(&odds, &beliefs, 1, body, scene->state, 0);
    for (int i = 0; i < GUESSES; i++) {
        *guess = *scene->state;
        generals_game.hide(scene->content, guess, 0);
        generals_game.guess(scene->content, guess, 0, &dice);
        for (int k = 0; k < SIDE_MAX; k++)
            counts[k] += guess->pieces[SIDE_MAX + k].kind == nexus;
    }
    /* Villains' numbers begin in front. */
    assert_true(beliefs.chances[beliefs.group[SIDE_MAX - 1]][nexus] >
                4 * beliefs.chances[beliefs.group[0]][nexus]);
    for (int k = 0; k < SIDE_MAX; k++) {
        double believed = beliefs.chances[beliefs.group[k]][nexus] / (double)CERTAIN;
        assert_true(fabs(counts[k] / (double)GUESSES - believed) < 0.05);
    }
    support_free(guess);
    scene_free(scene);
}

/* [7.1] One that is shown is what it is, whatever its trace; with open ranks all are. */
static void what_is_shown_is_certain(void **unused) {
    (void)unused;
    GeneralsScene *scene = begin_random(6);
    const GeneralsContent *body = generals_content(scene->content);
    for (int open = 0; open < 2; open++) {
        GeneralsOdds odds = {.seat = 0};
        GeneralsBeliefs beliefs = {.worked_out = 0};
        scene->state->pieces[SIDE_MAX + 3].mark |= MARK_SHOWN;
        scene->state->open = (uint8_t)open;
        generals_odds(&odds, &beliefs, 1, body, scene->state, 0);
        for (int i = 0; i < SIDE_MAX; i++) {
            int chance = beliefs.chances[beliefs.group[i]][scene->state->pieces[SIDE_MAX + i].kind];
            assert_true(chance == CERTAIN || (i != 3 && !open));
            assert_true(chance < CERTAIN || i == 3 || open);
        }
    }
    scene_free(scene);
}

/* --- Preferences ------------------------------------------------------------------------------ */

/* [5.7] Nothing is preferred to the enemy's Nexus; [5.2] a stronger piece that is shown is left
 * alone, a weaker one taken. */
static void battles_are_chosen(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN . .  . . . .  .  . "
                                    ".  . .  . . . .  .  . "
                                    ".  . .  . . . .  .  . "
                                    ".  . H9 . . . H8 .  . "
                                    ".  . V5 . . . V10 .  . "
                                    ".  . .  . . . .  .  . "
                                    ".  . .  . . . .  .  H1 "
                                    ".  . .  . . . .  .  VN");
    show_at(scene, 2, 4);
    show_at(scene, 6, 4);
    show_at(scene, 8, 7);
    int32_t taken = step(scene, 2, 3, 2, 4), lost = step(scene, 6, 3, 6, 4);
    int32_t quiet = step(scene, 2, 3, 1, 3), won = step(scene, 8, 6, 8, 7);
    assert_true(taken > quiet);
    assert_true(lost < quiet);
    assert_true(won > taken);
    scene_free(scene);
}

/* [5.7] Who stands beside the own Nexus is attacked first; and a piece in danger goes away. */
static void threats_are_met(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(".  V5 H9 . . . .  .  . "
                                    ".  HN .  . . . .  .  . "
                                    ".  .  .  . . . .  .  . "
                                    "V4 .  .  . . . .  .  . "
                                    "H8 .  .  . . . .  .  . "
                                    ".  .  .  . . . H10 .  . "
                                    ".  .  .  . . . V12 .  . "
                                    ".  .  .  . . . .  .  VN");
    show_at(scene, 1, 0);
    show_at(scene, 0, 3);
    show_at(scene, 6, 6);
    int32_t saved = step(scene, 2, 0, 1, 0), other = step(scene, 0, 4, 0, 3);
    assert_true(saved > other);
    assert_true(step(scene, 6, 5, 5, 5) > step(scene, 0, 4, 1, 4));
    scene_free(scene);
}

/* [6.3] A strike at many is preferred to one at a single agent. */
static void strikes_are_saved_for_many(void **unused) {
    (void)unused;
    static const char *const drawings[] = {"HN . .  .  .  . . . . "
                                           ".  . .  .  .  . . . . "
                                           ".  . V9 V8 VI . . . . "
                                           ".  . .  H7 .  . . . . "
                                           ".  . .  .  .  . . . . "
                                           ".  . .  .  .  . . . . "
                                           ".  . .  .  .  . . . . "
                                           ".  . .  .  .  . . . VN",
                                           "HN . .  .  .  . . . . "
                                           ".  . .  .  .  . . . . "
                                           ".  . VA .  .  . . . . "
                                           ".  . .  H7 .  . . . . "
                                           ".  . .  .  .  . . . . "
                                           ".  . .  .  .  . . . . "
                                           ".  . .  .  .  . . . . "
                                           ".  . .  .  .  . . . VN"};
    int32_t preferred[2];
    for (int i = 0; i < 2; i++) {
        GeneralsScene *scene = scene_of(drawings[i]);
        MashAction strike = {.verb = VERB_STRIKE, .unit = scene_at(scene, 3, 3)};
        for (int x = 2; x < 5; x++)
            if (scene->state->cells[2 * 9 + x] != 0)
                show_at(scene, x, 2);
        preferred[i] = preference(scene, strike);
        scene_free(scene);
    }
    assert_true(preferred[0] > preferred[1]);
}

/* A feature's value for an action; 0 if it has none. */
static int feature_of(GeneralsOdds *odds, MashAction action, int index) {
    GeneralsFeatures features;
    generals_preference(odds, action, &features);
    for (uint32_t i = 0; i < features.count; i++)
        if (features.list[i].index == index)
            return features.list[i].value;
    return 0;
}

/* Steps from a cell to the nearest hidden enemy that has moved, or has not. */
static int nearest(const GeneralsScene *scene, int cell, bool moved) {
    int least = 40;
    for (int unit = SIDE_MAX; unit < UNITS_MAX; unit++) {
        const GeneralsPiece *piece = &scene->state->pieces[unit];
        if (piece->cell == CELL_GONE || (piece->mark & MARK_SHOWN) ||
            ((piece->mark & MARK_MOVED) != 0) != moved)
            continue;
        int steps = abs(piece->cell % 9 - cell % 9) + abs(piece->cell / 9 - cell / 9);
        least = steps < least ? steps : least;
    }
    return least;
}

/* How much the enemies attract a kind on a cell: what would be gained, less the further away. */
static int attracted(const GeneralsOdds *odds, uint8_t kind, int cell) {
    int most = 0;
    for (int unit = SIDE_MAX; unit < UNITS_MAX; unit++) {
        int at = odds->state->pieces[unit].cell;
        int gain = odds->beliefs->gains[kind][odds->beliefs->group[unit - SIDE_MAX]];
        int steps = abs(at % 9 - cell % 9) + abs(at / 9 - cell / 9);
        if (at == CELL_GONE || gain * (CERTAIN * 24 / (10 * (2 + steps))) <= most)
            continue;
        most = gain * (CERTAIN * 24 / (10 * (2 + steps)));
    }
    return most / CERTAIN;
}

/* Distances are worked out for all cells at once: as by counting. */
static void distances_are_right(void **unused) {
    (void)unused;
    MashAction list[SCENE_ACTIONS];
    GeneralsScene *scene = begin_random(11);
    const GeneralsContent *body = generals_content(scene->content);
    MashChance dice = chance_sampled(12);
    do {
        if (scene->state->mover == 1)
            continue;
        GeneralsOdds odds = {.seat = 0};
        GeneralsBeliefs beliefs = {.worked_out = 0};
        uint32_t count = generals_game.actions(scene->content, scene->state, 0, list);
        generals_odds(&odds, &beliefs, 1, body, scene->state, 0);
        for (uint32_t i = 0; i < count; i++) {
            int to = list[i].y * 9 + list[i].x, from = scene->state->pieces[list[i].unit].cell;
            if (list[i].verb != VERB_MOVE || scene->state->cells[to] != 0)
                continue;
            int role = body->worths[0].roles[scene->state->pieces[list[i].unit].kind];
            uint8_t kind = scene->state->pieces[list[i].unit].kind;
            int hunted = feature_of(&odds, list[i], ACT_HUNT + role);
            int pulled = attracted(&odds, kind, to) - attracted(&odds, kind, from);
            assert_int_equal(hunted, pulled > 255 ? 255 : pulled < -255 ? -255 : pulled);
            assert_int_equal(feature_of(&odds, list[i], ACT_TO_MOVED + role),
                             64 * (nearest(scene, from, true) - nearest(scene, to, true)));
            assert_int_equal(feature_of(&odds, list[i], ACT_TO_UNMOVED + role),
                             64 * (nearest(scene, from, false) - nearest(scene, to, false)));
        }
    } while (go_on(scene, &dice));
    scene_free(scene);
}

/* Beliefs that were kept from a state in which an enemy was defeated serve where it still stands:
 * it attracts as much as by fresh ones. */
static void kept_beliefs_know_who_stands(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN . .  . . .  . .  . "
                                    ".  . .  . . .  . .  . "
                                    ".  . .  . . .  . .  . "
                                    ".  . H12 . . . . .  . "
                                    ".  . .  . . V5 . .  . "
                                    ".  . .  . . .  . .  . "
                                    ".  . .  . . .  . . V4 "
                                    ".  . .  . . .  . .  VN");
    const GeneralsContent *body = generals_content(scene->content);
    MashAction nearer = {.verb = VERB_MOVE, .unit = scene_at(scene, 2, 3), .x = 3, .y = 3};
    int hunt = ACT_HUNT + body->worths[0].roles[scene->state->pieces[nearer.unit].kind];
    GeneralsPiece *enemy = &scene->state->pieces[scene_at(scene, 5, 4)];
    GeneralsOdds odds = {.seat = 0};
    GeneralsBeliefs kept = {.worked_out = 0}, fresh = {.worked_out = 0};
    GeneralsPiece *nexus = &scene->state->pieces[scene_at(scene, 8, 7)];
    uint8_t cell = enemy->cell;
    scene->state->cells[nexus->cell] = 0; /* it would attract most */
    nexus->cell = CELL_GONE;
    enemy->mark |= MARK_MOVED;
    show_at(scene, 8, 6);
    scene->state->cells[cell] = 0;
    enemy->cell = CELL_GONE;
    enemy->fell = FELL_STRIKE | 1;
    generals_odds(&odds, &kept, 1, body, scene->state, 0);
    int without = feature_of(&odds, nearer, hunt);
    enemy->cell = cell;
    enemy->fell = 0;
    scene->state->cells[cell] = (uint8_t)(enemy - scene->state->pieces + 1);
    generals_odds(&odds, &kept, 1, body, scene->state, 0);
    int with = feature_of(&odds, nearer, hunt);
    generals_odds(&odds, &fresh, 1, body, scene->state, 0);
    assert_int_equal(feature_of(&odds, nearer, hunt), with);
    assert_true(with > without);
    scene_free(scene);
}

/* --- Who stands better ------------------------------------------------------------------------ */

/* More pieces are better; nothing counts more than what is certain. */
static void leads_follow_from_pieces(void **unused) {
    (void)unused;
    GeneralsScene *scene = begin_random(13);
    const GeneralsContent *body = generals_content(scene->content);
    int32_t even = generals_lead(body, scene->state);
    assert_in_range(even + 1500, 0, 3000);
    for (uint8_t unit = 0; unit < UNITS_MAX; unit++) {
        GeneralsState fewer = *scene->state;
        if (kind_of(body, &fewer, unit)->class == CLASS_NEXUS)
            continue;
        fewer.cells[fewer.pieces[unit].cell] = 0;
        fewer.pieces[unit].cell = CELL_GONE;
        int32_t lead = generals_lead(body, &fewer);
        assert_true(unit < SIDE_MAX ? lead < even + 150 : lead > even - 150);
        assert_int_equal(generals_evaluator.evaluate_trained(scene->content, &fewer, 1), -lead);
    }
    MashChance dice = chance_sampled(14);
    while (go_on(scene, &dice))
        assert_in_range(generals_lead(body, scene->state) + MASH_LEAD_MAX, 0, 2 * MASH_LEAD_MAX);
    scene_free(scene);
}

/* --- Placing an army -------------------------------------------------------------------------- */

/* Places an army as levels do; its cells. */
static void place(GeneralsScene *scene, uint8_t seat, uint64_t seed) {
    MashChance chance = chance_sampled(seed);
    for (;;) {
        MashAction action = generals_evaluator.opening(scene->content, scene->state, seat, &chance);
        assert_int_equal(scene_act(scene, action), MASH_OK);
        if (action.verb == VERB_READY)
            return;
        assert_int_equal(action.verb, VERB_PLACE);
    }
}

/* [3.2] [3.5] Armies are placed whole, mostly with the Nexus at the back, and differently each
 * time. */
static void armies_are_placed_by_chance(void **unused) {
    (void)unused;
    enum { TIMES = 60 };
    uint64_t hashes[TIMES];
    int back = 0, columns[9] = {0};
    for (uint64_t i = 0; i < TIMES; i++) {
        GeneralsScene *scene = scene_new(NULL);
        place(scene, 0, i);
        place(scene, 1, i + TIMES);
        const GeneralsState *state = scene->state;
        assert_int_equal(state->round, 1);
        for (uint8_t unit = 0; unit < SIDE_MAX; unit++)
            if (kind_of(generals_content(scene->content), state, unit)->class == CLASS_NEXUS) {
                back += state->pieces[unit].cell < 9;
                columns[state->pieces[unit].cell % 9]++;
            }
        hashes[i] = state->key;
        for (uint8_t unit = 0; unit < SIDE_MAX; unit++)
            hashes[i] = hashes[i] * 31 + state->pieces[unit].kind;
        for (uint64_t other = 0; other < i; other++)
            assert_int_not_equal(hashes[i], hashes[other]);
        assert_int_equal(generals_evaluator.opening(scene->content, state, 0, &scene->chance).verb,
                         MASH_VERB_NONE);
        scene_free(scene);
    }
    assert_true(back > TIMES / 2);
    for (int x = 0; x < 9; x++)
        assert_true(columns[x] < TIMES * 2 / 3);
}

/* A narrow board without room behind, other powers, some alike, one of each, no abilities. */
static const char other_armies[] =
    "{\"board\": {\"width\": 4, \"height\": 8, \"zone_rows\": 4}, \"limits\": "
    "{\"quiet_rounds\": 50, \"repetitions\": 4, \"web_turns\": 3, \"silence_ms\": 60000}, "
    "\"armies\": [{\"id\": \"heroes\", \"pieces\": [{\"id\": \"thor\", \"class\": "
    "\"ranked\", \"power\": 90, \"count\": 1}, {\"id\": \"iron-man\", \"class\": \"ranked\", "
    "\"power\": 60, \"count\": 1}, {\"id\": \"hulk\", \"class\": \"ranked\", \"power\": 60, "
    "\"count\": 1}, {\"id\": \"dr-strange\", \"class\": \"ranked\", \"power\": 33, "
    "\"count\": 1}, {\"id\": \"captain-america\", \"class\": \"ranked\", \"power\": 20, "
    "\"count\": 1}, {\"id\": \"black-panther\", \"class\": \"ranked\", \"power\": 9, "
    "\"count\": 1}, {\"id\": \"spiderman\", \"class\": \"ranked\", \"power\": 8, \"count\": "
    "1}, {\"id\": \"wanda\", \"class\": \"ranked\", \"power\": 7, \"count\": 1}, {\"id\": "
    "\"star-lord\", \"class\": \"ranked\", \"power\": 3, \"count\": 1}, {\"id\": "
    "\"hawkeye\", \"class\": \"ranked\", \"power\": 2, \"count\": 1}, {\"id\": \"ant-man\", "
    "\"class\": \"ranked\", \"power\": 1, \"count\": 1}, {\"id\": \"vision\", \"class\": "
    "\"ranked\", \"power\": 1, \"count\": 1}, {\"id\": \"loki\", \"class\": \"infiltrator\", "
    "\"count\": 1}, {\"id\": \"shield-agent\", \"class\": \"agent\", \"count\": 1}, {\"id\": "
    "\"blue-nexus\", \"class\": \"nexus\", \"count\": 1}], \"layout\": [[\"thor\", "
    "\"iron-man\", \"hulk\", \"dr-strange\"], [\"captain-america\", \"black-panther\", "
    "\"spiderman\", \"wanda\"], [\"star-lord\", \"hawkeye\", \"ant-man\", \"vision\"], "
    "[\"loki\", \"shield-agent\", \"blue-nexus\", \"-\"]]}, {\"id\": \"villains\", "
    "\"pieces\": [{\"id\": \"thanos\", \"class\": \"ranked\", \"power\": 90, \"count\": 1}, "
    "{\"id\": \"ultron\", \"class\": \"ranked\", \"power\": 60, \"count\": 1}, {\"id\": "
    "\"dormammu\", \"class\": \"ranked\", \"power\": 60, \"count\": 1}, {\"id\": "
    "\"dr-doom\", \"class\": \"ranked\", \"power\": 33, \"count\": 1}, {\"id\": "
    "\"red-skull\", \"class\": \"ranked\", \"power\": 20, \"count\": 1}, {\"id\": "
    "\"killmonger\", \"class\": \"ranked\", \"power\": 9, \"count\": 1}, {\"id\": \"venom\", "
    "\"class\": \"ranked\", \"power\": 8, \"count\": 1}, {\"id\": \"doc-ock\", \"class\": "
    "\"ranked\", \"power\": 7, \"count\": 1}, {\"id\": \"ronan\", \"class\": \"ranked\", "
    "\"power\": 3, \"count\": 1}, {\"id\": \"modok\", \"class\": \"ranked\", \"power\": 2, "
    "\"count\": 1}, {\"id\": \"yellowjacket\", \"class\": \"ranked\", \"power\": 1, "
    "\"count\": 1}, {\"id\": \"punisher\", \"class\": \"ranked\", \"power\": 1, \"count\": "
    "1}, {\"id\": \"hela\", \"class\": \"infiltrator\", \"count\": 1}, {\"id\": "
    "\"hydra-soldier\", \"class\": \"agent\", \"count\": 1}, {\"id\": \"red-nexus\", "
    "\"class\": \"nexus\", \"count\": 1}], \"layout\": [[\"thanos\", \"ultron\", "
    "\"dormammu\", \"dr-doom\"], [\"red-skull\", \"killmonger\", \"venom\", \"doc-ock\"], "
    "[\"ronan\", \"modok\", \"yellowjacket\", \"punisher\"], [\"hela\", \"hydra-soldier\", "
    "\"red-nexus\", \"-\"]]}]}";

/* Other armies and boards are placed and played by the same numbers, to the end. */
static void other_armies_are_played(void **unused) {
    (void)unused;
    MashDocument document = {"generals.pieces.json", other_armies, sizeof other_armies - 1};
    MashContent *content = support_content_with(&generals_game, NULL, document);
    GeneralsState *state = support_state(content);
    static GeneralsMemory memories[MASH_SEATS];
    MashAction list[SCENE_ACTIONS];
    for (uint64_t match = 0; match < MATCHES; match++) {
        MashChance chance = chance_sampled(match);
        MashSetup setup = {.options_count = 0};
        assert_int_equal(generals_game.setup(content, &setup, &chance, state), MASH_OK);
        memset(memories, 0, sizeof memories);
        while (!state->common.over) {
            uint8_t seat = (generals_game.awaited(content, state) & 1) == 0;
            MashAction action = generals_evaluator.opening(content, state, seat, &chance);
            uint32_t count = generals_game.actions(content, state, seat, list);
            if (action.verb == MASH_VERB_NONE)
                action = list[generals_habit(content, state, seat, list, count, &chance,
                                             &memories[seat])];
            assert_int_equal(mash_apply(content, state, action, &chance, NULL), MASH_OK);
            assert_in_range(generals_lead(generals_content(content), state) + MASH_LEAD_MAX, 0,
                            2 * MASH_LEAD_MAX);
        }
    }
    support_free(state);
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preferences_know_no_secrets),  cmocka_unit_test(habits_know_no_secrets),
        cmocka_unit_test(habits_follow_preferences),    cmocka_unit_test(beliefs_fit_what_is_known),
        cmocka_unit_test(traces_tell_something),        cmocka_unit_test(what_is_shown_is_certain),
        cmocka_unit_test(battles_are_chosen),           cmocka_unit_test(threats_are_met),
        cmocka_unit_test(strikes_are_saved_for_many),   cmocka_unit_test(distances_are_right),
        cmocka_unit_test(kept_beliefs_know_who_stands), cmocka_unit_test(leads_follow_from_pieces),
        cmocka_unit_test(armies_are_placed_by_chance),  cmocka_unit_test(other_armies_are_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
