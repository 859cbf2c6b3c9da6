/* test_exec_player.c -- programs as players: what they are told, what they may answer, and what
 * becomes of those that end, hang, babble or cheat. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "client/exec_player.h"
#include "tests/support/support.h"

/* PLENTY_MS is never reached; SHORT_MS is how long a hanging program is waited for. */
enum { PLENTY_MS = 60000, SHORT_MS = 50, PROBLEM_BYTES = 512 };

static MashContent *content;
static void *state;
static int32_t options[MASH_OPTIONS_MAX];
static char problem_bytes[PROBLEM_BYTES];
static MashText problem;

/* The beginning of a match of Zorde. */
static int open_match(void **unused) {
    const MashGame *game = mash_game_find("zorde");
    MashChance chance = chance_seeded((MashSeed){{1, 2}}, 0);
    (void)unused;
    content = support_content(game, NULL);
    state = support_state(content);
    for (uint32_t i = 0; i < game->options_count; i++)
        options[i] = game->options[i].usual;
    return game->setup(content, NULL, &chance, state) != MASH_OK;
}

static int close_match(void **unused) {
    (void)unused;
    support_free(content);
    support_free(state);
    return 0;
}

/* What the seat to move sees. */
static Position position(void) {
    return (Position){.content = content,
                      .view = state,
                      .seat = 0,
                      .code = "",
                      .number = 1,
                      .clocks = {{POSITION_NO_TIME, POSITION_NO_TIME}, POSITION_NO_TIME}};
}

/* Is the match begun by a program of this command? */
static bool begin(ExecPlayer *player, uint32_t limit_ms) {
    ExecTable table = {.content = content, .options = options, .you = 0, .turn_ms = 1000};
    problem = text_over(problem_bytes, sizeof problem_bytes);
    return exec_player_begin(player, &table, limit_ms, &problem);
}

/* Begins a match and asks a program of this command once. */
static ExecAnswer ask(const char *command, uint32_t limit_ms, MashAction *out) {
    ExecPlayer *player = exec_player_open(command);
    Position now = position();
    bool begun = begin(player, PLENTY_MS);
    ExecAnswer answer =
        begun ? exec_player_choose(player, &now, limit_ms, out, &problem) : EXEC_ENDED;
    exec_player_close(player);
    return answer;
}

/* Words in upper or lower case, with any end of line, or an object in each of its spellings. */
static void test_spellings(void **unused) {
    static const char *const commands[] = {
        "read t; read p; echo step d0 1 4; cat >/dev/null",
        "read t; read p; printf 'STEP d0 1 4\\r\\n'",
        "read t; read p; echo '{\"word\":\"step d0 1 4\"}'",
        "read t; read p; echo '{\"verb\":1,\"unit\":0,\"x\":1,\"y\":4}'",
        "read t; read p; echo '{\"action\":\"0100000001040000\"}'",
        "read t; read p; echo '{\"type\":\"act\",\"verb\":1,\"seat\":1,\"x\":1,\"y\":4}'",
        "read t; read p; echo step d0; read r; read p; echo step d0 1 4",
    };
    (void)unused;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        MashAction action = {0};
        ExecAnswer answer = ask(commands[i], PLENTY_MS, &action);
        if (answer != EXEC_CHOSEN)
            fail_msg("%s: %s", commands[i], problem_bytes);
        assert_int_equal(action.x, 1);
        assert_int_equal(action.y, 4);
        assert_int_equal(action.seat, 0);
    }
}

/* The same position after seat 0 has resigned. */
static const void *beaten(void) {
    static _Alignas(16) uint8_t over[1 << 12];
    MashEvents events = {.list = malloc(content->limits.events_max * sizeof(MashEvent)),
                         .max = content->limits.events_max};
    MashChance chance = chance_seeded((MashSeed){{1, 2}}, 1);
    assert_true(content->limits.state_bytes <= sizeof over);
    memcpy(over, state, content->limits.state_bytes);
    assert_int_equal(
        mash_apply(content, over, (MashAction){.verb = MASH_VERB_RESIGN}, &chance, &events),
        MASH_OK);
    free(events.list);
    return over;
}

/* What it is told: the table, the position with its view as bytes, a refusal, the end. */
static void test_lines(void **unused) {
    char path[] = "/tmp/mashup-exec-XXXXXX", command[256], line[1 << 16];
    int file = mkstemp(path);
    MashAction action;
    (void)unused;
    assert_true(file >= 0);
    snprintf(command, sizeof command,
             "n=0; while read -r l; do echo \"$l\" >>%s; n=$((n+1)); [ $n = 2 ] && echo no; "
             "[ $n = 4 ] && echo step d0 1 4; done",
             path);
    ExecPlayer *player = exec_player_open(command);
    Position now = position();
    assert_true(begin(player, PLENTY_MS));
    assert_int_equal(exec_player_choose(player, &now, PLENTY_MS, &action, &problem), EXEC_CHOSEN);
    Position over = position();
    over.view = beaten();
    exec_player_end(player, &over, PLENTY_MS);
    exec_player_close(player);
    FILE *told = fopen(path, "r");
    static const char *const parts[][2] = {
        {"{\"type\":\"table\",\"you\":0,\"game\":\"zorde\"", "\"turn_ms\":1000"},
        {"{\"type\":\"position\"", "\"view\":\""},
        {"{\"type\":\"refused\"", "\\\"no\\\" is no legal action"},
        {"{\"type\":\"position\"", "\"words\":["},
        {"{\"type\":\"position\"", "\"result\":{"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_non_null(fgets(line, sizeof line, told));
        assert_memory_equal(line, parts[i][0], strlen(parts[i][0]));
        if (strstr(line, parts[i][1]) == NULL)
            fail_msg("line %zu has no %s: %s", i, parts[i][1], line);
        bool asks = strstr(line, "\"actions\":") != NULL;
        assert_int_equal(asks, i == 1 || i == 3);
    }
    assert_null(fgets(line, sizeof line, told));
    fclose(told);
    remove(path);
}

/* Those that fail, and what is said about it. */
static void test_failures(void **unused) {
    static const struct {
        const char *command;
        uint32_t limit_ms;
        ExecAnswer answer;
        const char *says;
    } failures[] = {
        {"exit 3", PLENTY_MS, EXEC_ENDED, "code 3"},
        {"read t; kill -9 $$", PLENTY_MS, EXEC_ENDED, "signal 9"},
        {"no-such-program-at-all 2>/dev/null", PLENTY_MS, EXEC_ENDED, "code 127"},
        {"read t; read p", PLENTY_MS, EXEC_ENDED, "code 0"},
        {"read t; read p; printf 'step d0 1 4'", PLENTY_MS, EXEC_ENDED, "code 0"},
        {"read t; read p; sleep 1000", SHORT_MS, EXEC_LATE, "within 50 ms"},
        {"read t; read p; printf 'step d0'; sleep 1000", SHORT_MS, EXEC_LATE,
         "\"step d0\" has no newline"},
        {"while read l; do echo no; done", PLENTY_MS, EXEC_ILLEGAL,
         "3 illegal answers in a row, the last: \"no\" is no legal action"},
        {"while read l; do printf '\\377\\033[1m\\n'; done", PLENTY_MS, EXEC_ILLEGAL,
         "\"\\xff\\x1b[1m\" is no legal action"},
        {"while read l; do echo; done", PLENTY_MS, EXEC_ILLEGAL, "no legal action"},
        {"while read l; do echo '{'; done", PLENTY_MS, EXEC_ILLEGAL, "column 2"},
        {"while read l; do echo '{}'; done", PLENTY_MS, EXEC_ILLEGAL, "\"verb\" is missing"},
        {"while read l; do echo '{\"verb\":240}'; done", PLENTY_MS, EXEC_ILLEGAL, "$.verb"},
        {"while read l; do echo '{\"action\":\"f000000000000000\"}'; done", PLENTY_MS, EXEC_ILLEGAL,
         "Unknown action"},
        {"while read l; do echo '{\"verb\":1,\"x\":99}'; done", PLENTY_MS, EXEC_ILLEGAL, "board"},
        {"read t; read p; head -c 100000 /dev/zero | tr '\\0' x; cat >/dev/null", PLENTY_MS,
         EXEC_ILLEGAL, "more than 65536 bytes"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        MashAction action;
        ExecAnswer answer = ask(failures[i].command, failures[i].limit_ms, &action);
        if (answer != failures[i].answer || strstr(problem_bytes, failures[i].says) == NULL)
            fail_msg("%s: %d, \"%s\"", failures[i].command, (int)answer, problem_bytes);
    }
}

/* One that failed is started again for the next match, and so is one that was late. */
static void test_again(void **unused) {
    char path[] = "/tmp/mashup-exec-XXXXXX", command[256];
    MashAction action;
    (void)unused;
    assert_true(mkstemp(path) >= 0);
    snprintf(
        command, sizeof command,
        "read t; read p; if [ -e %s ]; then rm %s; exit 1; fi; echo step d0 1 4; cat >/dev/null",
        path, path);
    ExecPlayer *player = exec_player_open(command);
    Position now = position();
    assert_true(begin(player, PLENTY_MS));
    assert_int_equal(exec_player_choose(player, &now, PLENTY_MS, &action, &problem), EXEC_ENDED);
    assert_int_equal(exec_player_choose(player, &now, PLENTY_MS, &action, &problem), EXEC_ENDED);
    assert_non_null(strstr(problem_bytes, "code 1"));
    assert_true(begin(player, PLENTY_MS));
    assert_int_equal(exec_player_choose(player, &now, PLENTY_MS, &action, &problem), EXEC_CHOSEN);
    exec_player_interrupt(player);
    exec_player_close(player);
    exec_player_close(NULL);
}

/* One that ends after its match, before or after the next one begins, is started again for it and
 * loses nothing; one that ends in its first match has lost it. */
static void test_between(void **unused) {
    static const char *const commands[] = {
        "read t; read p; echo step d0 1 4; read e",
        "read t; read p; echo step d0 1 4; read e; read t; exit 1",
        "read t; read p; echo step d0 1 4; read e; read t; read p; exit 1",
    };
    (void)unused;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        ExecPlayer *player = exec_player_open(commands[i]);
        Position now = position();
        MashAction action;
        for (int match = 0; match < 3; match++) {
            assert_true(begin(player, PLENTY_MS));
            ExecAnswer answer = exec_player_choose(player, &now, PLENTY_MS, &action, &problem);
            if (answer != EXEC_CHOSEN)
                fail_msg("%s, match %d: %s", commands[i], match, problem_bytes);
            exec_player_end(player, &now, PLENTY_MS);
        }
        exec_player_close(player);
    }
}

/* Once interrupted it is not started again, so that nobody waits for it. */
static void test_interrupted(void **unused) {
    ExecPlayer *player = exec_player_open("read t; read p; echo step d0 1 4; cat >/dev/null");
    Position now = position();
    MashAction action;
    (void)unused;
    assert_true(begin(player, PLENTY_MS));
    assert_int_equal(exec_player_choose(player, &now, PLENTY_MS, &action, &problem), EXEC_CHOSEN);
    begin(player, PLENTY_MS);
    exec_player_interrupt(player);
    assert_int_equal(exec_player_choose(player, &now, PLENTY_MS, &action, &problem), EXEC_ENDED);
    exec_player_close(player);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_failures),  cmocka_unit_test(test_again),
        cmocka_unit_test(test_between),   cmocka_unit_test(test_interrupted),
    };
    return cmocka_run_group_tests(tests, open_match, close_match);
}
