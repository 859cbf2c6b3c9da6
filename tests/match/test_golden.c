/* test_golden.c -- what is stored in tests/golden: perft counts, signatures, and random matches as
 * readable text, for every game. A change of rules shows there as a readable difference.
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
#include "tests/match/playthrough.h"
#include "tests/support/support.h"

enum {
    GAMES_MAX = 16,
    FILE_BYTES = 8 << 20,
    LEAVES_MAX = 300000,    /* as deep as this allows */
    SIGNATURE_CELLS = 4000, /* matches times cells, more or less */
    DEPTH_MAX = 8,
    MIDDLE = 60, /* actions into a match, where drafts are over */
    PLAYTHROUGHS = 2,
    CELLS_MAX = 200, /* of a board that is small enough to draw again and again */
};

static const MashGame *games[GAMES_MAX];
static size_t games_count;

/* --- Comparing with a file -------------------------------------------------------------------- */

/* The file's text, or "" if there is none. To be freed. */
static char *read_whole(const char *path) {
    char *text = support_memory(FILE_BYTES);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return text;
    size_t count = fread(text, 1, FILE_BYTES - 1, file);
    fclose(file);
    text[count] = '\0';
    return text;
}

static void write_whole(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        fail_msg("cannot write %s: call this from the project's folder", path);
}

/* Reports where two texts differ. */
static void fail_at_difference(const char *path, const char *stored, const char *made) {
    size_t line = 1, start = 0, i = 0;
    for (; stored[i] == made[i]; i++)
        if (stored[i] == '\n')
            line++, start = i + 1;
    fail_msg("%s:%zu:\n  stored: %.*s\n  now:    %.*s\n"
             "if that is meant: MASH_GOLDEN=write build/release/tests/test_golden",
             path, line, (int)strcspn(stored + start, "\n"), stored + start,
             (int)strcspn(made + start, "\n"), made + start);
}

static void compare(const char *path, const MashText *made) {
    assert_false(made->truncated);
    const char *mode = getenv("MASH_GOLDEN");
    if (mode != NULL && strcmp(mode, "write") == 0) {
        write_whole(path, made->bytes);
        return;
    }
    char *stored = read_whole(path);
    if (strcmp(stored, made->bytes) != 0)
        fail_at_difference(path, stored, made->bytes);
    support_free(stored);
}

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
    compare("tests/golden/perft.txt", &text);
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
    compare("tests/golden/signatures.txt", &text);
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
        compare(path, &text);
        support_free(text.bytes);
    }
}

int main(void) {
    struct CMUnitTest tests[GAMES_MAX + 2] = {cmocka_unit_test(perft_counts),
                                              cmocka_unit_test(signatures)};
    size_t tests_count = 2;
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        games[games_count++] = *game;
    games[games_count++] = &breakthrough_game;
    for (size_t i = 0; i < games_count; i++)
        tests[tests_count++] = (struct CMUnitTest){.name = games[i]->id,
                                                   .test_func = matches_as_text,
                                                   .initial_state = (void *)(uintptr_t)games[i]};
    return _cmocka_run_group_tests("golden", tests, tests_count, NULL, NULL);
}
