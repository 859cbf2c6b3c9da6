/* test_content.c -- documents of a game by the endings of their names, figures of a side, what
 * sentences call units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/events.h"
#include "engine/game.h"
#include "tests/support/support.h"

enum { PROBLEMS_MAX = 8 };

/* Loads Tablut's documents with one more before or after them; the problems in `list`. */
static uint32_t load_with(const char *name, bool before, MashProblem *list) {
    const MashGame *game = mash_game_find("tablut");
    MashDocument documents[MASH_DOCUMENTS_MAX + 1];
    uint32_t count = mash_documents_of_preset(game, NULL, documents + before);
    documents[before ? 0 : count] = (MashDocument){name, "{}", 2};
    MashProblems problems = {list, 0, PROBLEMS_MAX};
    void *scratch = aligned_alloc(16, MASH_SCRATCH_BYTES);
    MashContent *content = aligned_alloc(16, (game->content_bytes_max + 15) / 16 * 16);
    assert_true(scratch != NULL && content != NULL);
    MashDocuments all = {documents, count + 1, scratch, MASH_SCRATCH_BYTES};
    assert_false(game->load(&all, content, &problems));
    free(scratch);
    free(content);
    return problems.count;
}

/* The first document is looked at like the last. */
static void other_names_are_refused(void **unused) {
    (void)unused;
    for (int before = 0; before < 2; before++) {
        MashProblem list[PROBLEMS_MAX];
        assert_int_equal(load_with("my.map.json", before, list), 1);
        assert_string_equal(list[0].document, "my.map.json");
        assert_string_equal(
            list[0].reason,
            "the name of a file of this game must end in .board.json or .texts.json");
    }
}

/* Of each kind there is one. */
static void second_documents_are_refused(void **unused) {
    (void)unused;
    MashProblem list[PROBLEMS_MAX];
    assert_int_equal(load_with("another.board.json", false, list), 1);
    assert_string_equal(list[0].document, "another.board.json");
    assert_non_null(strstr(list[0].reason, "only one file may end in .board.json; "));
}

/* What a unit has done, in numbers of one, two and four bytes. */
typedef struct Deeds {
    uint32_t damage;
    uint16_t steps;
    uint8_t falls, zero;
} Deeds;

/* Of a unit, or of a side: the sum of its half of the units, INT32_MAX at most. */
static void figures_are_summed(void **unused) {
    (void)unused;
    static const FigurePlace places[] = {{offsetof(Deeds, damage), 4},
                                         {offsetof(Deeds, steps), 2},
                                         {offsetof(Deeds, falls), 1},
                                         {0, 0}};
    static const Deeds deeds[4] = {
        {100000, 300, 1, 0}, {200000, 400, 2, 0}, {3000000000, 500, 3, 0}, {7, 600, 4, 0}};
    static const struct {
        uint8_t unit, figure;
        int32_t sum;
    } rows[] = {
        {0, 0, 100000},
        {3, 1, 600},
        {2, 2, 3},
        {2, 0, INT32_MAX},
        {MASH_UNIT_SIDE, 0, 300000},
        {MASH_UNIT_SIDE, 1, 700},
        {MASH_UNIT_SIDE + 1, 0, INT32_MAX},
        {MASH_UNIT_SIDE + 1, 1, 1100},
        {MASH_UNIT_SIDE + 1, 2, 7},
        {MASH_UNIT_SIDE, 3, 0},     /* is not counted */
        {MASH_UNIT_SIDE, 4, 0},     /* there is no such figure, */
        {4, 0, 0},                  /* unit */
        {MASH_UNIT_SIDE + 2, 0, 0}, /* or side */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(
            game_figure(places, 4, rows[i].figure, deeds, sizeof *deeds, 4, rows[i].unit),
            rows[i].sum);
}

/* Another name for every unit. */
static void somebody(const MashContent *content, const MashTexts *texts, const void *state,
                     uint8_t unit, MashText *text) {
    (void)content, (void)texts, (void)state, (void)unit;
    text_string(text, "Somebody");
}

/* The sentence of an event by the game itself, and with other names for the units. */
static void units_are_called_otherwise(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("tablut"), NULL);
    void *state = support_state(content);
    MashChance chance = chance_scripted(NULL, 0);
    assert_int_equal(content->game->setup(content, NULL, &chance, state), MASH_OK);
    MashEvent event = event_new(MASH_EVENT_MOVED, 0, MASH_UNIT_NONE);
    char own[128], plain[128], other[128];
    MashText texts[] = {text_over(own, sizeof own), text_over(plain, sizeof plain),
                        text_over(other, sizeof other)};
    content->game->say(content, NULL, state, &event, &texts[0]);
    mash_event_say(content, NULL, state, &event, NULL, &texts[1]);
    mash_event_say(content, NULL, state, &event, &(MashCalling){.usual = somebody}, &texts[2]);
    assert_true(texts[0].count > 0);
    assert_string_equal(plain, own);
    assert_non_null(strstr(other, "Somebody"));
    assert_null(strstr(own, "Somebody"));
    support_free(state);
    support_free(content);
}

/* All lists of a board are in the memory that it asks for, from its beginning to its end. */
static void a_board_fills_its_memory(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("tablut"), NULL);
    size_t bytes = mash_board_bytes(content);
    uint8_t *memory = support_memory(bytes);
    memset(memory, 1, bytes);
    MashBoard board = mash_board_over(content, memory);
    assert_ptr_equal(board.ground, memory);
    assert_true(board.order + content->limits.units <= memory + bytes);
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(memory[i], 0);
    support_free(memory);
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_names_are_refused),  cmocka_unit_test(second_documents_are_refused),
        cmocka_unit_test(figures_are_summed),       cmocka_unit_test(units_are_called_otherwise),
        cmocka_unit_test(a_board_fills_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
