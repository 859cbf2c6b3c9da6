/* test_golden.c -- what is stored in tests/golden: perft counts, signatures, random matches as
 * readable text and what is told of positions, for every game, and two pictures of made-up boards,
 * to be looked at. A change of rules shows there as a readable difference.
 *
 * MASH_GOLDEN=write build/release/tests/test_golden, from the project's folder, rewrites them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/breakthrough.h"
#include "match/simulate.h"
#include "match/svg.h"
#include "tests/match/looks.h"
#include "tests/match/playthrough.h"
#include "tests/support/golden.h"
#include "tests/support/support.h"

enum {
    FILE_BYTES = 8 << 20,
    LEAVES_MAX = 300000,    /* as deep as this allows */
    SIGNATURE_CELLS = 4000, /* matches times cells, more or less */
    DEPTH_MAX = 8,
    MIDDLE = 60, /* actions into a match, where drafts are over */
    PLAYTHROUGHS = 2,
    LOOKS = 24,          /* positions of a game's first preset that are looked at, */
    LOOKS_OF_OTHERS = 4, /* and of each other one */
    CELLS_MAX = 200,     /* of a board that is small enough to draw again and again */
};

static const MashGame *games[SUPPORT_GAMES_MAX];
static size_t games_count;

static MashText whole_text(void) { return text_over(support_memory(FILE_BYTES), FILE_BYTES); }

/* --- Perft ------------------------------------------------------------------------------------ */

/* The position after this many actions of a random match, whose seed is *seed; false: it ends
 * before.
 */
static bool position_after(const MashContent *content, uint32_t after, MashSeed *seed,
                           void *state) {
    MashAction *list = support_memory(content->limits.actions_max * sizeof *list);
    MashChance chooser = simulate_action_chance(1, 0);
    *seed = simulate_seed(1, 0);
    MashChance chance = chance_seeded(*seed, 0);
    content->game->setup(content, NULL, &chance, state);
    uint32_t ply = 1;
    for (; ply <= after && content->game->awaited(content, state) != 0; ply++) {
        MashAction action = simulate_random_action(content, state, &chooser, list);
        chance = chance_seeded(*seed, ply);
        mash_apply(content, state, action, &chance, NULL);
    }
    support_free(list);
    return ply > after && content->game->awaited(content, state) != 0;
}

/* Lines for depth 1 and on, while there are not too many leaves. */
static void put_perft(const MashContent *content, const char *preset, uint32_t after,
                      MashText *text) {
    void *state = support_state(content);
    MashSeed seed;
    uint64_t leaves = 1, last = 1;
    bool more = position_after(content, after, &seed, state);
    for (uint32_t depth = 1; more; depth++) {
        Perft counted;
        void *memory = support_memory(perft_bytes(content, depth));
        perft_from(content, state, seed, after, depth, memory, &counted);
        support_free(memory);
        text_format(text, "%s %s 1 %u %u ", content->game->id, preset, after, depth);
        text_int(text, (int64_t)counted.leaves);
        text_byte(text, ' ');
        text_hex(text, counted.hash, 16);
        text_byte(text, '\n');
        last = leaves;
        leaves = counted.leaves;
        more = leaves > 0 && depth < DEPTH_MAX && leaves * (leaves / last + 1) <= LEAVES_MAX;
    }
    support_free(state);
}

static void perft_counts(void **unused) {
    (void)unused;
    MashText text = whole_text();
    text_string(&text, "# game preset seed after-actions depth leaves sum-of-hashes\n");
    for (size_t i = 0; i < games_count; i++) {
        for (uint32_t j = 0; j < games[i]->presets_count; j++) {
            MashContent *content = support_content(games[i], games[i]->presets[j].id);
            put_perft(content, games[i]->presets[j].id, 0, &text);
            put_perft(content, games[i]->presets[j].id, MIDDLE, &text);
            support_free(content);
        }
    }
    golden_compare("tests/golden/perft.txt", &text);
    support_free(text.bytes);
}

/* --- Signatures ------------------------------------------------------------------------------- */

static void put_signature(const MashGame *game, const char *preset, MashText *text) {
    MashContent *content = support_content(game, preset);
    void *memory = support_memory(simulate_bytes(content));
    uint32_t cells = (uint32_t)content->limits.width * content->limits.height;
    uint32_t matches = cells < SIGNATURE_CELLS / 2 ? SIGNATURE_CELLS / cells : 1;
    Simulation run;
    simulate_init(&run, content, NULL, 1, memory);
    for (uint32_t i = 0; i < matches; i++)
        assert_int_equal(simulate_match(&run), MASH_OK);
    text_format(text, "%s %s %u 1 ", game->id, preset, matches);
    text_int(text, (int64_t)run.actions);
    text_byte(text, ' ');
    text_hex(text, run.signature, 16);
    text_byte(text, '\n');
    support_free(memory);
    support_free(content);
}

static void signatures(void **unused) {
    (void)unused;
    MashText text = whole_text();
    text_string(&text, "# game preset matches seed actions signature\n");
    for (size_t i = 0; i < games_count; i++)
        for (uint32_t j = 0; j < games[i]->presets_count; j++)
            put_signature(games[i], games[i]->presets[j].id, &text);
    golden_compare("tests/golden/signatures.txt", &text);
    support_free(text.bytes);
}

/* --- Matches ---------------------------------------------------------------------------------- */

/* The preset of the game's golden match number `number`: in turn, those that are small enough to
 * draw. */
static const char *preset_for(const MashGame *game, uint32_t number) {
    for (uint32_t i = 0; i < game->presets_count; i++) {
        const char *preset = game->presets[(number + i) % game->presets_count].id;
        MashContent *content = support_content(game, preset);
        bool small = (uint32_t)content->limits.width * content->limits.height <= CELLS_MAX;
        support_free(content);
        if (small)
            return preset;
    }
    return game->presets[0].id;
}

static void matches_as_text(void **state) {
    const MashGame *game = *state;
    for (uint32_t number = 0; number < PLAYTHROUGHS; number++) {
        char path[128];
        MashText text = whole_text();
        playthrough_write(game, preset_for(game, number), number + 1,
                          number == 0 ? PLAYTHROUGH_BY_ACTION : PLAYTHROUGH_BY_VERB, &text);
        snprintf(path, sizeof path, "tests/golden/%s-%u.txt", game->id, number + 1);
        golden_compare(path, &text);
        support_free(text.bytes);
    }
}

/* --- What is told of positions ------------------------------------------------------------------
 */

static void looks_at_positions(void **unused) {
    (void)unused;
    MashText text = whole_text();
    text_string(&text,
                "# game preset position: of each look its size and a hash of what was told\n");
    for (size_t i = 0; i < games_count; i++)
        for (uint32_t j = 0; j < games[i]->presets_count; j++)
            looks_write(games[i], games[i]->presets[j].id, j == 0 ? LOOKS : LOOKS_OF_OTHERS, &text);
    golden_compare("tests/golden/looks.txt", &text);
    support_free(text.bytes);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* Names of the made-up boards. */
static void picture_name(const MashContent *content, const MashTexts *texts, MashNames list,
                         uint8_t index, MashText *text) {
    static const char *const kinds[] = {"Troll", "Iron Man", "Ant-Man", "Elf", "\303\211cu"};
    static const char *const grounds[] = {
        "", "rock", "water that is deep", "mud", "a long wall", "grass", "lava", "sand"};
    (void)content, (void)texts;
    if (list == MASH_NAME_KIND)
        text_string(text, kinds[index]);
    else if (list == MASH_NAME_GROUND)
        text_string(text, grounds[index]);
    else if (list == MASH_NAME_METER)
        text_format(text, "score %u", index);
    else
        text_string(text, index == 0 ? "Heroes & Co" : "Villains");
}

/* Neither side is red, or the first one is. */
static const char *picture_id(const MashContent *content, MashNames list, uint8_t index) {
    (void)list;
    return content->limits.width > 5 ? "red" : index == 0 ? "heroes" : "villains";
}

/* Draws what is on the board, with marks of what happened, into a stored file. */
static void compare_picture(MashContent *content, MashBoard *board, const char *path) {
    static const MashEvent events[] = {
        {.kind = MASH_EVENT_MOVED, .seen_by = MASH_SEEN_BY_ALL, .from_x = 1, .from_y = 1, .x = 2},
        {.kind = MASH_EVENT_ATTACKED, .seen_by = MASH_SEEN_BY_ALL, .from_x = -1, .x = 0, .y = 1},
        {.kind = MASH_EVENT_HURT, .seen_by = 1, .x = 0, .y = 0},
        {.kind = MASH_EVENT_DIED, .seen_by = MASH_SEEN_BY_ALL, .x = 1, .y = 2},
        {.kind = MASH_EVENT_TURN_BEGAN, .seen_by = MASH_SEEN_BY_ALL, .x = 1, .y = 0}};
    MashGame game = breakthrough_game;
    game.name = picture_name;
    game.id_of = picture_id;
    content->game = &game;
    void *state = support_state(content);
    MashChance chance = chance_sampled(0);
    breakthrough_game.setup(content, NULL, &chance, state);
    SvgPicture picture = {.content = content,
                          .view = state,
                          .board = board,
                          .players = {"Ann", ""},
                          .events = events,
                          .events_count = 5,
                          .reader = 1,
                          .number = 12,
                          .count = content->limits.width > 5 ? 80 : 0};
    MashText text = whole_text();
    svg_write(&picture, &text);
    golden_compare(path, &text);
    support_free(text.bytes);
    support_free(state);
    content->game = &breakthrough_game;
}

/* Tokens on every place: on the board with health, done and hidden ones, a bench of two rows, one
 * that is out, and squares of nobody's. */
static void set_tokens(MashBoard *board) {
    static const MashToken first[] = {
        {.unit = 0, .kind = 0, .seat = 0, .x = 0, .y = 0},
        {.unit = 1, .kind = 1, .seat = 0, .x = 1, .y = 0},
        {.unit = 2, .kind = 2, .seat = 1, .x = 2, .y = 1},
        {.unit = 3, .kind = 0, .seat = 1, .x = 0, .y = 1, .flags = MASH_TOKEN_HIDDEN},
        {.unit = MASH_UNIT_NONE, .kind = 3, .seat = MASH_SEAT_NONE, .x = 1, .y = 1},
        {.unit = 4, .kind = 4, .seat = 1, .x = 3, .y = 0}, /* beside a board of three columns */
        {.unit = 5, .kind = 4, .seat = 1, .place = MASH_GONE},
        {.unit = MASH_UNIT_NONE, .kind = 3, .seat = MASH_SEAT_NONE, .place = MASH_ON_BENCH},
    };
    memcpy(board->tokens, first, sizeof first);
    board->tokens_count = 8;
    for (uint8_t i = 0; i < 10; i++)
        board->tokens[board->tokens_count++] =
            (MashToken){.unit = 10 + i, .kind = i % 5, .seat = 0, .place = MASH_ON_BENCH};
    static const MashMeter meters[] = {
        {.unit = 0, .role = MASH_ROLE_HEALTH, .now = 120, .most = 300},
        {.unit = 1, .role = MASH_ROLE_POINTS, .now = 1, .most = 2},
        {.unit = 1, .role = MASH_ROLE_HEALTH, .now = -5, .most = 10},
        {.unit = 2, .role = MASH_ROLE_HEALTH, .now = 1, .most = 0},
        {.unit = 2, .role = MASH_ROLE_HEALTH, .now = 20, .most = 10},
        {.unit = 10, .role = MASH_ROLE_HEALTH, .now = 5, .most = 10},
        {.unit = MASH_UNIT_SIDE, .meter = 1, .role = MASH_ROLE_SCORE, .now = 2, .most = 6},
        {.unit = MASH_UNIT_SIDE, .meter = 9, .role = MASH_ROLE_NUMBER, .now = 3},
        {.unit = MASH_UNIT_SIDE, .meter = 2, .role = MASH_ROLE_SCORE, .now = 40},
        {.unit = MASH_UNIT_SIDE, .meter = 3, .role = MASH_ROLE_SCORE, .now = 7}, /* one too many */
        {.unit = MASH_UNIT_SIDE + 1, .meter = 1, .role = MASH_ROLE_SCORE, .now = -1, .most = 6}};
    memcpy(board->meters, meters, sizeof meters);
    board->meters_count = sizeof meters / sizeof *meters;
    board->active = 2;
}

/* A small board is as wide as the heading needs, a wide one has every fifth coordinate; the legend
 * has several lines. */
static void pictures_are_as_stored(void **unused) {
    (void)unused;
    for (int wide = 0; wide < 2; wide++) {
        MashContent *content = support_content(&breakthrough_game, NULL);
        content->limits.width = wide ? 31 : 3;
        content->limits.height = wide ? 3 : 2;
        content->limits.units = 100;
        content->limits.tokens_max = 100;
        content->limits.meters_max = 16;
        void *memory = support_memory(mash_board_bytes(content));
        MashBoard board = mash_board_over(content, memory);
        set_tokens(&board);
        uint32_t cells = (uint32_t)content->limits.width * content->limits.height;
        for (uint32_t i = 2; i < cells; i++)
            board.ground[i] = (uint8_t)(i / 2 % 8);
        board.ground_health[2] = 120;
        if (!wide)
            board.ground[0] = 4, board.ground[5] = 7;
        for (uint8_t i = 0; wide && i < 60; i++)
            board.tokens[board.tokens_count++] = (MashToken){
                .unit = 30 + i, .kind = 0, .seat = i % 2, .x = (int8_t)(i % 31), .y = 2};
        compare_picture(content, &board,
                        wide ? "tests/golden/wide-picture.svg" : "tests/golden/picture.svg");
        support_free(memory);
        support_free(content);
    }
}

int main(void) {
    struct CMUnitTest tests[SUPPORT_GAMES_MAX + 4] = {
        cmocka_unit_test(perft_counts), cmocka_unit_test(signatures),
        cmocka_unit_test(looks_at_positions), cmocka_unit_test(pictures_are_as_stored)};
    size_t tests_count = 4;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        assert(games_count + 1 < SUPPORT_GAMES_MAX);
        games[games_count++] = *game;
    }
    games[games_count++] = &breakthrough_game;
    for (size_t i = 0; i < games_count; i++)
        tests[tests_count++] = (struct CMUnitTest){.name = games[i]->id,
                                                   .test_func = matches_as_text,
                                                   .initial_state = (void *)(uintptr_t)games[i]};
    return _cmocka_run_group_tests("golden", tests, tests_count, NULL, NULL);
}
