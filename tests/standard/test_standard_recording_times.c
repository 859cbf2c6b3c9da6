/* test_standard_recording_times.c -- the page's reader of replays of the standard, compiled for
 * this machine: the messages become positions with the events before them, in pieces, and nonsense
 * is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/standard/script.h"

/* Exports have names in WebAssembly only. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-attributes"
#pragma clang diagnostic ignored "-Wignored-attributes"
#else
#pragma GCC diagnostic ignored "-Wattributes"
#endif
#include "standard/wasm/replay.c"

/* --- Memory in place of the browser's --------------------------------------------------------- */

enum { PIECES_MAX = 256, PIECE_BYTES = 1 << 17, NO_LIMIT = PIECES_MAX };

EngineInstance instance;
static void *taken[PIECES_MAX];
static uint32_t taken_count, taken_max = NO_LIMIT;
static char input[PIECE_BYTES + 64];
static uint32_t problems_count;

void instance_text_begin(void) { problems_count = UINT32_MAX; }

void *instance_take(size_t bytes) {
    if (taken_count == taken_max)
        return NULL;
    assert_true(taken_count < PIECES_MAX);
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    assert_non_null(memory);
    return taken[taken_count++] = memset(memory, 0, bytes);
}

void instance_reset(void) {
    while (taken_count > 0)
        free(taken[--taken_count]);
}

bool instance_take_scratch(void) {
    instance.view = (SeatView){.view = instance_take(instance.content->limits.state_bytes),
                               .events = instance_take(INSTANCE_EVENTS_MAX * sizeof(MashEvent))};
    return instance.view.view != NULL && instance.view.events != NULL;
}

bool instance_input(uint32_t name_count, uint32_t bytes_count, MashDocument *out) {
    *out = (MashDocument){input, input + name_count + 1, bytes_count};
    return input[name_count] == '\0';
}

void instance_put_problems(const MashProblems *problems) { problems_count = problems->count; }

/* --- Pieces ----------------------------------------------------------------------------------- */

static char piece[PIECE_BYTES];

/* Begins a piece; messages follow. */
static void piece_begin(void) { strcpy(piece, "{\"events\":["); }

static void piece_put(const char *message) {
    if (piece[strlen(piece) - 1] != '[')
        strcat(piece, ",");
    strcat(piece, message);
}

/* Ends the piece and reads it. */
static uint32_t piece_add(void) {
    strcat(piece, "]}");
    strcpy(input, "a.json");
    strcpy(input + 7, piece);
    return wasm_recording_add(6, (uint32_t)strlen(piece));
}

static int release(void **unused) {
    (void)unused;
    taken_max = NO_LIMIT;
    wasm_recording_begin(0);
    instance_reset();
    memset(&instance, 0, sizeof instance);
    return 0;
}

static void positions_are_read(void **unused) {
    (void)unused;
    assert_int_equal(wasm_recording_begin(20), 1);
    assert_int_equal(wasm_recording_count(), 0);
    assert_int_equal(wasm_recording_goto(0), 0);
    piece_begin();
    piece_put("{\"messageType\":\"GENERAL_ASSIGNMENT\",\"gameID\":\"x\"}");
    piece_put(moments[0].state); /* before the structure nothing can be shown */
    piece_put(structure);
    piece_put(moments[0].turn);
    piece_put(moments[0].state);
    assert_int_equal(piece_add(), 1);
    assert_int_equal(wasm_recording_count(), 1);
    /* The next piece, with events in a bundle; the structure is not read again. */
    static char bundle[2 * FRAME_BYTES];
    snprintf(bundle, sizeof bundle, "{\"messageType\":\"EVENTS\",\"messages\":[%s,%s]}",
             moments[1].turn, moments[1].state);
    piece_begin();
    piece_put(bundle);
    piece_put(structure);
    piece_put(moments[2].turn);
    piece_put(moments[3].turn);
    piece_put(moments[3].state);
    piece_put("{\"messageType\":\"GOODBYE_CLIENT\",\"message\":\"match over\"}");
    assert_int_equal(piece_add(), 1);
    assert_int_equal(wasm_recording_count(), 3);
    /* Each position has its state and its events, in any order. */
    static const uint32_t order[] = {2, 0, 1}, events[] = {1, 1, 2};
    void *seen[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t index = order[i];
        assert_int_equal(wasm_recording_goto(index), 1);
        assert_int_equal(instance.view.seat, MASH_SEAT_SPECTATOR);
        assert_true(instance.view.there);
        assert_true(instance.view.events_count >= events[index]);
        uint32_t turns = 0;
        for (uint32_t j = 0; j < instance.view.events_count; j++)
            turns += instance.view.events[j].kind == MASH_EVENT_TURN_BEGAN;
        assert_int_equal(turns, events[index]);
        seen[index] = malloc(instance.content->limits.state_bytes);
        memcpy(seen[index], instance.view.view, instance.content->limits.state_bytes);
    }
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t moment = i == 2 ? 3 : i;
        assert_int_equal(instance.content->game->awaited(instance.content, seen[i]),
                         moments[moment].mine ? 1 : 2);
        assert_true(i == 0 ||
                    memcmp(seen[i], seen[i - 1], instance.content->limits.state_bytes) != 0);
    }
    for (uint32_t i = 0; i < 3; i++)
        free(seen[i]);
    assert_int_equal(wasm_recording_goto(3), 0);
}

/* No more positions than there are messages. */
static void room_for_positions(void **unused) {
    (void)unused;
    assert_int_equal(wasm_recording_begin(2), 1);
    piece_begin();
    piece_put(structure);
    for (uint32_t i = 0; i < 3; i++)
        piece_put(moments[i].state);
    assert_int_equal(piece_add(), 1);
    assert_int_equal(wasm_recording_count(), 2);
    assert_int_equal(wasm_recording_begin(1 << 18), 1);
    assert_int_equal(wasm_recording_count(), 0);
    assert_int_equal(wasm_recording_goto(0), 0);
    assert_int_equal(wasm_recording_begin((1 << 18) + 1), 0);
    assert_int_equal(piece_add(), 0);
}

static void nonsense(void **unused) {
    (void)unused;
    assert_int_equal(wasm_recording_begin(20), 1);
    static const char *const wrong[] = {"", "[]", "{}", "{\"events\":7}", "{\"events\":[}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        strcpy(input, "a.json");
        strcpy(input + 7, wrong[i]);
        assert_int_equal(wasm_recording_add(6, (uint32_t)strlen(wrong[i])), 0);
        assert_in_range(problems_count, 1, 4);
    }
    /* The input has another form. */
    assert_int_equal(wasm_recording_add(5, 2), 0);
    assert_int_equal(problems_count, UINT32_MAX);
    /* A structure that cannot be played. */
    piece_begin();
    piece_put("{\"messageType\":\"GAME_STRUCTURE\"}");
    assert_int_equal(piece_add(), 0);
    assert_in_range(problems_count, 1, INSTANCE_PROBLEMS_MAX);
    /* What means nothing is left out. */
    assert_int_equal(wasm_recording_begin(20), 1);
    piece_begin();
    piece_put("7,[],{\"eventType\":\"Party\"},{\"messageType\":\"EVENTS\",\"messages\":[7,{}]}");
    assert_int_equal(piece_add(), 1);
    assert_int_equal(wasm_recording_count(), 0);
    piece_begin();
    assert_int_equal(piece_add(), 1);
}

/* Wherever memory ends, the answer is no, or fewer positions. */
static void without_memory(void **unused) {
    (void)unused;
    uint32_t all = 0;
    for (uint32_t max = 0; max < 40; max++) {
        taken_max = max;
        uint32_t begun = wasm_recording_begin(20);
        assert_int_equal(begun, max >= 2);
        piece_begin();
        piece_put(structure);
        piece_put(moments[0].state);
        piece_put(moments[1].state);
        uint32_t added = piece_add();
        uint32_t count = wasm_recording_count();
        assert_true(added == 0 ? count == 0 : count <= 2);
        assert_true(count >= all);
        all = count;
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(wasm_recording_goto(i), 1);
    }
    assert_int_equal(all, 2);
    taken_max = NO_LIMIT;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(positions_are_read, release),
        cmocka_unit_test_teardown(room_for_positions, release),
        cmocka_unit_test_teardown(nonsense, release),
        cmocka_unit_test_teardown(without_memory, release),
    };
    return cmocka_run_group_tests_name("standard recording", tests, record, NULL);
}
