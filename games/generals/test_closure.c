/* test_closure.c -- Generals, rule 7.5: what a piece can be follows from all pieces of its side
 * together. Compared with trying every assignment, and with one matching per piece and kind. */
#include "games/generals/test_scene.h"

/* The set of a side's kinds with these names, as in the meter: bit 0 is the first kind. */
static int32_t set_of(const char *words) {
    int32_t set = 0;
    char word[8] = "H";
    int length;
    for (const char *at = words; sscanf(at, "%6s%n", word + 1, &length) == 1; at += length)
        set |= 1 << (scene_kind(word) - 1);
    return set;
}

static void expect_could_be(const GeneralsScene *scene, uint8_t seat, uint8_t unit,
                            const char *words) {
    GeneralsState *view = scene_view(scene, seat);
    assert_int_equal(scene_meter(scene, view, unit, METER_COULD_BE), set_of(words));
    support_free(view);
}

/* --- Drawn cases ------------------------------------------------------------------------------ */

/* [7.5] A piece that is defeated by an agent is an infiltrator. After the second such defeat no
 * other piece can be one, though no rank was ever revealed. */
static void a_kind_whose_pieces_are_accounted_for_is_nobody_else(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  H8 .  HA .  HA .  . "
                                    ".  .  V9 .  VI .  VI .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  V1 VN ");
    uint8_t nine = scene_at(scene, 2, 4), last = scene_at(scene, 7, 7);
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    assert_int_equal(scene_step(scene, 2, 4, 2, 3), MASH_OK);
    expect_could_be(scene, 0, nine, "12 11 10 9 I");
    expect_could_be(scene, 0, last, "12 11 10 9 8 7 6 5 4 3 2 1 I A N");
    assert_int_equal(scene_step(scene, 6, 3, 6, 4), MASH_OK);
    expect_could_be(scene, 0, nine, "12 11 10 9");
    expect_could_be(scene, 0, last, "12 11 10 9 8 7 6 5 4 3 2 1 A N");
    scene_free(scene);
}

/* [7.5] All villains but one have stepped, so that one is the Nexus. */
static void the_only_piece_that_can_be_a_kind_is_that_kind(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    "H3 .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  V9 . "
                                    ".  .  .  .  .  .  .  .  VN ");
    uint8_t nexus = scene_at(scene, 8, 7);
    expect_could_be(scene, 0, nexus, "12 11 10 9 8 7 6 5 4 3 2 1 I A N");
    assert_int_equal(scene_step(scene, 0, 5, 0, 4), MASH_OK);
    assert_int_equal(scene_step(scene, 7, 6, 7, 5), MASH_OK);
    expect_could_be(scene, 0, nexus, "N");
    scene_free(scene);
}

/* [7.5] Three pieces that can be only 12, 11 or 10 are these three, in whatever order. */
static void three_pieces_for_three_kinds_leave_none_to_others(void **unused) {
    (void)unused;
    enum { A = 1, B, C, D };
    const uint8_t ranks[SIDE_MAX] = {A, B, C, D, D};
    uint16_t masks[SIDE_MAX] = {1 << A | 1 << B, 1 << B | 1 << C, 1 << A | 1 << C, 1 << A | 1 << D,
                                1 << A | 1 << B | 1 << C | 1 << D};
    assert_true(generals_close(5, masks, ranks));
    assert_int_equal(masks[0], 1 << A | 1 << B);
    assert_int_equal(masks[1], 1 << B | 1 << C);
    assert_int_equal(masks[2], 1 << A | 1 << C);
    assert_int_equal(masks[3], 1 << D);
    assert_int_equal(masks[4], 1 << D);
}

/* Where no assignment is possible, nothing is shown. */
static void without_a_deal_nothing_is_dropped(void **unused) {
    (void)unused;
    const uint8_t ranks[SIDE_MAX] = {1, 2};
    uint16_t masks[SIDE_MAX] = {1 << 1, 1 << 1 | 1 << 3};
    assert_false(generals_close(2, masks, ranks));
    assert_int_equal(masks[0], 1 << 1);
    assert_int_equal(masks[1], 1 << 1 | 1 << 3);
}

/* --- Against trying everything ---------------------------------------------------------------- */

/* Tries all assignments of the ranks to the pieces from `piece` on; adds what each piece is in a
 * valid one. True: there was one. */
static bool try_all(uint32_t piece, uint32_t count, const uint16_t *masks, const uint8_t *ranks,
                    uint32_t taken, uint16_t *found) {
    bool fits = piece == count;
    for (uint32_t i = 0; i < count && piece < count; i++)
        if (!(taken >> i & 1) && (masks[piece] >> ranks[i] & 1) &&
            try_all(piece + 1, count, masks, ranks, taken | 1u << i, found)) {
            found[piece] |= (uint16_t)(1u << ranks[i]);
            fits = true;
        }
    return fits;
}

/* [7.5] Up to seven pieces of up to five kinds, random sets. */
static void closing_is_what_trying_all_deals_finds(void **unused) {
    (void)unused;
    MashChance dice = chance_sampled(15);
    uint32_t fitting = 0, narrowed = 0;
    for (int i = 0; i < 4000; i++) {
        uint32_t count = 1 + chance_below(&dice, 7);
        uint8_t ranks[SIDE_MAX];
        uint16_t masks[SIDE_MAX], closed[SIDE_MAX], found[SIDE_MAX] = {0};
        for (uint32_t piece = 0; piece < count; piece++) {
            ranks[piece] = (uint8_t)(1 + chance_below(&dice, 5));
            masks[piece] = (uint16_t)(chance_below(&dice, 32) << 1);
            masks[piece] |= (uint16_t)(chance_below(&dice, 32) << 1);
        }
        memcpy(closed, masks, sizeof closed);
        bool fits = generals_close(count, closed, ranks);
        assert_int_equal(fits, try_all(0, count, masks, ranks, 0, found));
        assert_memory_equal(closed, fits ? found : masks, count * sizeof *masks);
        fitting += fits;
        narrowed += fits && memcmp(closed, masks, count * sizeof *masks) != 0;
    }
    assert_true(fitting > 1000 && narrowed > 500);
}

/* --- Against one matching per piece and kind -------------------------------------------------- */

/* Kinds that are left for the hidden pieces of a side, and the pieces that hold them. */
typedef struct Matching {
    uint32_t count;
    uint16_t masks[SIDE_MAX];
    uint8_t ranks[SIDE_MAX];
    int holder[SIDE_MAX]; /* of each rank; -1: nobody */
} Matching;

/* Finds a rank for the piece, if necessary by giving another one to its holder. */
static bool find_rank(Matching *matching, uint32_t piece, uint32_t *tried) {
    for (uint32_t i = 0; i < matching->count; i++) {
        if ((*tried >> i & 1) || !(matching->masks[piece] >> matching->ranks[i] & 1))
            continue;
        *tried |= 1u << i;
        if (matching->holder[i] < 0 || find_rank(matching, (uint32_t)matching->holder[i], tried)) {
            matching->holder[i] = (int)piece;
            return true;
        }
    }
    return false;
}

/* Finds an assignment for all: there is the true one. */
static void find_deal(Matching *matching) {
    for (uint32_t i = 0; i < matching->count; i++)
        matching->holder[i] = -1;
    for (uint32_t piece = 0; piece < matching->count; piece++) {
        uint32_t tried = 0;
        assert_true(find_rank(matching, piece, &tried));
    }
}

/* Adds what each piece is in an assignment in which the piece is this kind, if there is one. The
 * matching has an assignment. */
static void find_deal_with(Matching matching, uint32_t piece, uint32_t kind,
                           uint16_t possible[SIDE_MAX]) {
    uint32_t tried = 0;
    matching.masks[piece] &= (uint16_t)(1u << kind);
    for (uint32_t i = 0; i < matching.count; i++)
        if (matching.holder[i] == (int)piece)
            matching.holder[i] = -1;
    if (!find_rank(&matching, piece, &tried))
        return;
    for (uint32_t i = 0; i < matching.count; i++)
        possible[matching.holder[i]] |= (uint16_t)(1u << matching.ranks[i]);
}

/* What the view leaves open about a side; the pieces' places in the army. */
static Matching open_of(const GeneralsContent *body, const GeneralsState *view, uint8_t side,
                        uint8_t places[SIDE_MAX]) {
    const GeneralsArmy *army = &body->army[side];
    Matching matching = {.count = 0};
    uint16_t masks[SIDE_MAX];
    uint8_t left[KINDS_MAX + 1], ranks = 0;
    generals_could_be(body, view, side, masks);
    for (uint8_t kind = 0; kind <= KINDS_MAX; kind++)
        left[kind] = army->kinds[kind].count;
    for (uint8_t i = 0; i < army->pieces; i++) {
        uint8_t kind = view->pieces[army->first + i].kind;
        if (kind != 0) {
            left[kind]--;
            continue;
        }
        places[matching.count] = i;
        matching.masks[matching.count++] = masks[i];
    }
    for (uint8_t kind = 1; kind <= KINDS_MAX; kind++)
        for (; left[kind] > 0; left[kind]--)
            matching.ranks[ranks++] = kind;
    assert_int_equal(ranks, matching.count);
    return matching;
}

/* Compares a side's knowledge; returns how many hidden pieces were narrowed down by it. */
static uint32_t expect_known(const GeneralsContent *body, const GeneralsState *state,
                             const GeneralsState *view, uint8_t side) {
    uint8_t places[SIDE_MAX];
    uint16_t known[SIDE_MAX], possible[SIDE_MAX] = {0};
    uint32_t narrowed = 0;
    Matching matching = open_of(body, view, side, places);
    generals_known(body, view, side, known);
    find_deal(&matching);
    for (uint32_t piece = 0; piece < matching.count; piece++) {
        for (uint32_t kind = 1; kind <= KINDS_MAX; kind++)
            if (!(possible[piece] >> kind & 1))
                find_deal_with(matching, piece, kind, possible);
        assert_int_equal(known[places[piece]], possible[piece]);
        narrowed += possible[piece] != matching.masks[piece];
        uint8_t truth = state->pieces[body->army[side].first + places[piece]].kind;
        assert_true(possible[piece] >> truth & 1);
    }
    return narrowed;
}

/* Both armies are placed at random. */
static void place_all(GeneralsScene *scene, uint64_t match) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        scene->chance = chance_sampled(2 * match + seat);
        assert_int_equal(scene_act(scene, (MashAction){.verb = VERB_RANDOM, .seat = seat}),
                         MASH_OK);
        assert_int_equal(scene_plain(scene, seat, VERB_READY), MASH_OK);
    }
}

/* [7.5] Through random matches, for both seats and spectators: every kind that is shown is
 * possible, every possible one is shown, and the truth is among them. */
static void what_is_shown_is_what_a_deal_allows(void **unused) {
    (void)unused;
    MashAction list[SCENE_ACTIONS];
    uint32_t narrowed = 0;
    for (uint64_t match = 0; match < 40; match++) {
        const int32_t options[] = {0, (int32_t)(match % 3), 0};
        GeneralsScene *scene = scene_new(options);
        MashChance dice = chance_sampled(match + 500);
        place_all(scene, match);
        scene->chance = chance_sampled(match);
        while (!scene->state->common.over) {
            uint8_t seat = scene->state->mover;
            uint32_t count = generals_game.actions(scene->content, scene->state, seat, list);
            assert_int_equal(scene_act(scene, list[chance_below(&dice, count)]), MASH_OK);
            if (scene->state->common.over || chance_below(&dice, 12) > 0)
                continue;
            for (uint8_t i = 0; i < 3 * MASH_SEATS; i++) { /* three viewers, two sides */
                GeneralsState view = *scene->state;
                generals_game.hide(scene->content, &view, i / MASH_SEATS);
                narrowed += expect_known(generals_content(scene->content), scene->state, &view,
                                         i % MASH_SEATS);
            }
        }
        scene_free(scene);
    }
    assert_true(narrowed > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_whose_pieces_are_accounted_for_is_nobody_else),
        cmocka_unit_test(the_only_piece_that_can_be_a_kind_is_that_kind),
        cmocka_unit_test(three_pieces_for_three_kinds_leave_none_to_others),
        cmocka_unit_test(without_a_deal_nothing_is_dropped),
        cmocka_unit_test(closing_is_what_trying_all_deals_finds),
        cmocka_unit_test(what_is_shown_is_what_a_deal_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
