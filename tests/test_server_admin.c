/* test_server_admin.c -- what those who run the house ask of it: lists, ends, files, bans, closing,
 * over a network and a clock of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "server/house.h"
#include "tests/fake/arena.h"

static Arena arena;
static Visitor ann, bob;

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena.setup.folder = arena.folder;
    arena_open(&arena);
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    arena_release(&arena);
    return 0;
}

/* The answer to a line must begin so; gives back all of it. */
static const char *ask(const char *line, const char *begin) {
    const char *answer = fake_knock(arena.loop, line);
    if (strncmp(answer, begin, strlen(begin)) != 0)
        fail_msg("%s: %s", line, answer);
    return answer;
}

/* Ann and Bob at a table of this game. */
static void sit_down(const char *game) {
    visitor_come(&ann, &arena, "Ann", "person", "json");
    visitor_come(&bob, &arena, "Bob", "person", "json");
    visitor_say(&ann, "{\"type\":\"open\",\"game\":\"%s\",\"seat\":0,\"secret\":true}", game);
    visitor_hear(&ann, MESSAGE_TELL_TABLE);
    visitor_say(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    visitor_hear(&bob, MESSAGE_TELL_TABLE);
    visitor_hear(&ann, MESSAGE_TELL_POSITION);
}

static void get_up(void) {
    visitor_release(&ann);
    visitor_release(&bob);
}

static const char *line_of(const char *format, const char *code) {
    static char line[128];
    snprintf(line, sizeof line, "%s %s", format, code);
    return line;
}

static void lists_every_table(void **unused) {
    (void)unused;
    assert_string_equal(ask("list", "ok"), "ok\n");
    sit_down("zorde");
    visitor_act(&ann);
    const char *answer = ask("list", "ok\n");
    assert_non_null(strstr(answer, ann.code));
    assert_non_null(
        strstr(answer, "running zorde actions=1 watchers=0 seat0=\"Ann\" seat1=\"Bob\""));
    fake_cut(bob.connection);
    arena_run(&arena, 10);
    assert_non_null(strstr(ask("list", "ok\n"), "seat1=\"Bob\"(away)"));
    get_up();
}

static void ends_a_match(void **unused) {
    (void)unused;
    char line[64];
    sit_down("generals");
    snprintf(line, sizeof line, "end %s both", ann.code);
    ask(line, "no: \"both\" is neither");
    snprintf(line, sizeof line, "end %s 1", ann.code);
    ask(line, "ok the match");
    arena_run(&arena, 50);
    while (visitor_hears(&ann, MESSAGE_TELL_POSITION))
        visitor_hear(&ann, MESSAGE_TELL_POSITION);
    assert_non_null(strstr(ann.message.position.result.bytes, "\"winner\":0"));
    ask(line, "no: no match is on");
    get_up();
}

static void ends_a_match_drawn(void **unused) {
    (void)unused;
    char line[64];
    sit_down("battleground");
    snprintf(line, sizeof line, "end %s draw", ann.code);
    ask(line, "ok the match");
    arena_run(&arena, 50);
    while (visitor_hears(&bob, MESSAGE_TELL_POSITION))
        visitor_hear(&bob, MESSAGE_TELL_POSITION);
    assert_non_null(strstr(bob.message.position.result.bytes, "\"winner\":null"));
    get_up();
}

static void exports_running_and_archived(void **unused) {
    (void)unused;
    char line[64], code[PROTO_CODE_MAX + 1];
    sit_down("zorde");
    memcpy(code, ann.code, sizeof code);
    visitor_act(&ann);
    const char *answer = ask(line_of("export", code), "ok\n{");
    assert_non_null(strstr(answer, "\"Ann\""));
    snprintf(line, sizeof line, "end %s 0", code);
    ask(line, "ok");
    arena_run(&arena, 100);
    get_up();
    arena_kill(&arena);
    arena_open(&arena);
    answer = ask(line_of("export", code), "ok\n{");
    assert_non_null(strstr(answer, "\"Bob\""));
    ask("export k7qf-2m9x-w3ab", "no: there is no match");
    ask("export nonsense", "no: nonsense is no code");
}

static void bans_cut_and_keep_out(void **unused) {
    (void)unused;
    fake_address(arena.loop, "203.0.113.9");
    sit_down("zorde");
    ask("ban 203.0.113.300", "no: \"203.0.113.300\" is no address");
    ask("ban 203.0.113.0/33", "no:");
    ask("ban 198.51.100.0/24", "ok 198.51.100.0/24 is banned, 0 connections");
    assert_non_null(ann.connection);
    ask("ban 203.0.113.0/28", "ok 203.0.113.0/28 is banned, 2 connections");
    arena_run(&arena, 50);
    assert_null(ann.connection);
    assert_int_equal(ann.close_code, NET_CLOSE_POLICY);
    get_up();
    char body[256];
    MashText text = text_over(body, sizeof body);
    assert_int_equal(fake_get(arena.server->net, "/healthz", &text), 403);
    arena_kill(&arena);
    arena_open(&arena); /* the list is still there */
    visitor_connect(&ann, &arena, "/arena");
    assert_null(ann.connection);
    visitor_release(&ann);
    assert_string_equal(ask("bans", "ok"), "ok\n198.51.100.0/24\n203.0.113.0/28\n");
    ask("unban 203.0.113.0/28", "ok");
    ask("unban 203.0.113.0/28", "no: 203.0.113.0/28 is not in the list");
    visitor_come(&ann, &arena, "Ann", "person", "json");
    visitor_release(&ann);
}

static void bans_networks_of_both_kinds(void **unused) {
    (void)unused;
    ask("ban 2001:db8:1::/48", "ok");
    ask("ban 192.0.2.7", "ok");
    assert_true(admin_banned(arena.server, "2001:db8:1:2::3"));
    assert_false(admin_banned(arena.server, "2001:db8:2::3"));
    assert_true(admin_banned(arena.server, "192.0.2.7"));
    assert_true(admin_banned(arena.server, "::ffff:192.0.2.7"));
    assert_false(admin_banned(arena.server, "192.0.2.8"));
    assert_false(admin_banned(arena.server, ""));
}

static void drains_when_the_last_match_is_over(void **unused) {
    (void)unused;
    char line[64];
    sit_down("zorde");
    ask("drain soon", "no: \"soon\" is no number");
    ask("drain 600", "ok no new matches begin; 1 are on");
    arena_run(&arena, 5000);
    assert_false(arena.stopped);
    visitor_act(&ann); /* the match goes on */
    Visitor eve;
    visitor_come(&eve, &arena, "Eve", "person", "json");
    visitor_say(&eve, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    visitor_refused(&eve, "closing");
    snprintf(line, sizeof line, "end %s 0", ann.code);
    ask(line, "ok");
    arena_run(&arena, 5000);
    assert_true(arena.stopped);
    assert_false(arena.failed);
    visitor_release(&eve);
    get_up();
}

static void drains_when_the_time_is_over(void **unused) {
    (void)unused;
    sit_down("zorde");
    ask("drain 2", "ok");
    arena_run(&arena, 1500);
    assert_false(arena.stopped);
    arena_run(&arena, 5000);
    assert_true(arena.stopped);
    get_up();
}

static void nonsense_gets_a_sentence(void **unused) {
    (void)unused;
    ask("", "no: that is not understood");
    ask("list all", "no: that is not understood: list all");
    ask("end", "no: that is not understood");
    ask("end k7qf-2m9x-w3ab 0", "no: there is no table");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lists_every_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ends_a_match, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ends_a_match_drawn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(exports_running_and_archived, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bans_cut_and_keep_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bans_networks_of_both_kinds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(drains_when_the_last_match_is_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(drains_when_the_time_is_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nonsense_gets_a_sentence, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
