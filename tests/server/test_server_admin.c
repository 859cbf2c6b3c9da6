/* test_server_admin.c -- requests of operators: lists, ending matches, files, bans, shutdown, over
 * a simulated network and clock. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/admin.h"
#include "tests/server/fake/fixture.h"
#include "tests/support/support.h"

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena.setup.folder = arena.folder;
    arena_open(&arena);
    return 0;
}

/* The answer to a line must start with this; returns all of it. */
static const char *ask(const char *line, const char *begin) {
    const char *answer = fake_admin_line(arena.loop, line);
    if (strncmp(answer, begin, strlen(begin)) != 0)
        fail_msg("%s: %s", line, answer);
    return answer;
}

/* Ann and Bob at a table of this game. */
static void sit_down(const char *game) {
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"%s\",\"seat\":0,\"secret\":true}", game);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
}

static void get_up(void) {
    test_client_release(&ann);
    test_client_release(&bob);
}

static const char *line_of(const char *format, const char *code) {
    static char line[128];
    snprintf(line, sizeof line, "%s %s", format, code);
    return line;
}

static void lists_every_table(void **unused) {
    (void)unused;
    assert_string_equal(ask("list", "ok"), "ok\n");
    fake_address(arena.loop, "203.0.113.9");
    sit_down("zorde");
    test_client_act(&ann);
    const char *answer = ask("list", "ok\n");
    assert_non_null(strstr(answer, ann.code));
    assert_non_null(strstr(answer, "running zorde actions=1 watchers=0 seat0=\"Ann\"@203.0.113.9 "
                                   "seat1=\"Bob\"@203.0.113.9\n"));
    fake_cut(bob.connection);
    arena_run(&arena, 10);
    assert_non_null(strstr(ask("list", "ok\n"), "seat1=\"Bob\"@203.0.113.9(away)"));
    get_up();
}

static void ends_a_match(void **unused) {
    (void)unused;
    char line[64];
    sit_down("generals");
    snprintf(line, sizeof line, "end %s both", ann.code);
    ask(line, "no: \"both\" must be draw");
    snprintf(line, sizeof line, "end %s 1", ann.code);
    ask(line, "ok match");
    arena_run(&arena, 50);
    while (test_client_has(&ann, MESSAGE_SERVER_POSITION))
        test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_non_null(strstr(ann.message.position.result.bytes, "\"winner\":0"));
    ask(line, "no: no match in progress");
    get_up();
}

/* Both have received every position that was sent. */
static void on_positions(void) {
    arena_run(&arena, 50);
    while (test_client_has(&ann, MESSAGE_SERVER_POSITION))
        test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    while (test_client_has(&bob, MESSAGE_SERVER_POSITION))
        test_client_expect(&bob, MESSAGE_SERVER_POSITION);
}

/* Whichever seat is to act, and also if it has offered a draw. */
static void ends_a_match_drawn(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 4; i++) {
        char line[64];
        TestClient *wanted = i % 2 == 0 ? &ann : &bob;
        sit_down("zorde");
        on_positions();
        for (uint32_t acts = 0; fixture_awaited() != wanted && acts < 100; acts++) {
            test_client_act(fixture_awaited());
            on_positions();
        }
        assert_ptr_equal(fixture_awaited(), wanted);
        if (i >= 2) {
            test_client_send(wanted, "{\"type\":\"draw\",\"what\":\"offer\"}");
            on_positions();
            assert_int_equal(bob.message.position.draw, wanted->seat);
        }
        snprintf(line, sizeof line, "end %s draw", ann.code);
        ask(line, "ok match");
        on_positions();
        assert_non_null(strstr(bob.message.position.result.bytes, "\"winner\":null"));
        get_up();
    }
}

static void exports_running_and_archived(void **unused) {
    (void)unused;
    char line[64], code[PROTO_CODE_MAX + 1];
    sit_down("zorde");
    memcpy(code, ann.code, sizeof code);
    test_client_act(&ann);
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
    ask("export nonsense", "no: nonsense is not a match code");
}

static void bans_cut_and_keep_out(void **unused) {
    (void)unused;
    fake_address(arena.loop, "203.0.113.9");
    sit_down("zorde");
    ask("ban 203.0.113.300", "no: \"203.0.113.300\" is not an address");
    ask("ban 203.0.113.0/33", "no:");
    ask("ban 198.51.100.0/24", "ok banned 198.51.100.0/24, 0 connections");
    assert_non_null(ann.connection);
    ask("ban 203.0.113.0/28", "ok banned 203.0.113.0/28, 2 connections");
    arena_run(&arena, 50);
    assert_null(ann.connection);
    assert_int_equal(ann.close_code, NET_CLOSE_POLICY);
    get_up();
    char body[256];
    MashText text = text_over(body, sizeof body);
    assert_int_equal(fake_get(arena.server->net, "/healthz", &text), 403);
    arena_kill(&arena);
    arena_open(&arena); /* the list is still there */
    test_client_connect(&ann, &arena, "/arena");
    assert_null(ann.connection);
    test_client_release(&ann);
    assert_string_equal(ask("bans", "ok"), "ok\n198.51.100.0/24 banned\n203.0.113.0/28 banned\n");
    ask("unban 203.0.113.0/28", "ok");
    ask("unban 203.0.113.0/28", "no: 203.0.113.0/28 is not banned");
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_release(&ann);
}

/* Is the address refused now? */
static bool banned(const char *address) {
    return admin_ban(arena.server, BAN_ENTRY, address) != NULL;
}

static void bans_networks_of_both_kinds(void **unused) {
    (void)unused;
    ask("ban 2001:db8:1::/48", "ok");
    ask("ban 192.0.2.7", "ok");
    assert_true(banned("2001:db8:1:2::3"));
    assert_false(banned("2001:db8:2::3"));
    assert_true(banned("2001:db8:1:ffff::3")); /* the first bit after the network is anything */
    assert_false(banned("2001:db8:0:ffff::3"));
    assert_true(banned("192.0.2.7"));
    assert_true(banned("::ffff:192.0.2.7"));
    assert_false(banned("192.0.2.8"));
    assert_false(banned(""));
}

static void bans_say_why_and_end_by_themselves(void **unused) {
    (void)unused;
    char body[256];
    MashText text = text_over(body, sizeof body);
    fake_address(arena.loop, "203.0.113.9");
    ask("ban 203.0.113.9 2h spam in the chat", "ok banned 203.0.113.9 until 20");
    assert_int_equal(fake_get(arena.server->net, "/healthz", &text), 403);
    assert_non_null(strstr(body, "Your address is banned until 20"));
    assert_non_null(strstr(body, ": spam in the chat\n"));
    assert_non_null(strstr(ask("bans", "ok"), "203.0.113.9 banned until 20"));
    arena_kill(&arena);
    arena_open(&arena);
    fake_address(arena.loop, "203.0.113.9");
    assert_true(banned("203.0.113.9"));
    assert_non_null(strstr(ask("bans", "ok"), ": spam in the chat\n"));
    arena_run(&arena, 2 * 3600 * 1000 + 1000);
    assert_false(banned("203.0.113.9"));
    assert_string_equal(ask("bans", "ok"), "ok\n");
    ask("ban 203.0.113.9 forever and ever", "ok banned 203.0.113.9, 0");
    assert_non_null(strstr(ask("bans", "ok"), "banned: forever and ever\n"));
    ask("ban 203.0.113.9 ?", "ok"); /* the shortest reason is one, too */
    assert_non_null(strstr(ask("bans", "ok"), "203.0.113.9 banned: ?\n"));
    text_clear(&text);
    assert_int_equal(fake_get(arena.server->net, "/healthz", &text), 403);
    assert_non_null(strstr(body, "Your address is banned: ?\n"));
}

/* Writes a file in the server's folder. */
static const char *write_file(const char *name, const char *text);

static void too_many_bans_are_not_written_over(void **unused) {
    (void)unused;
    static char text[16 * (BANS_MAX + 1)], path[512];
    uint32_t count = 0;
    for (uint32_t i = 0; i <= BANS_MAX; i++)
        count +=
            (uint32_t)snprintf(text + count, sizeof text - count, "10.%u.%u.1\n", i >> 8, i & 255);
    write_file("bans", text);
    ask("reload", "ok");
    assert_int_equal(arena.server->bans.count, BANS_MAX);
    assert_non_null(strstr(arena.log, "has more than 10000 bans"));
    ask("unban 10.0.0.1", "ok 10.0.0.1 is no longer banned; the list could not be saved");
    snprintf(path, sizeof path, "%s/bans", arena.folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    assert_int_equal(ftell(file), count);
    fclose(file);
}

static void a_ban_again_replaces_the_old_one(void **unused) {
    (void)unused;
    ask("ban 192.0.2.7", "ok");
    ask("ban 192.0.2.7 99999999999999999999d", "no: 99999999999999999999d is more than 36500 days");
    ask("ban 192.0.2.7 36501d", "no: 36501d is more than");
    ask("ban 192.0.2.7 1h once\x1b more", "ok");
    assert_non_null(strstr(ask("bans", "ok"), ": once more\n"));
    arena_run(&arena, 3600 * 1000 + 1000);
    assert_false(banned("192.0.2.7"));
}

static void the_muted_play_and_do_not_chat(void **unused) {
    (void)unused;
    fake_address(arena.loop, "203.0.113.9");
    sit_down("zorde");
    ask("mute nobody", "no: \"nobody\" is not an address");
    ask("mute 203.0.113.0/24 1h", "ok 203.0.113.0/24 cannot chat until 20");
    test_client_act(&ann);
    test_client_send(&ann, "{\"type\":\"chat\",\"text\":\"hello\"}");
    test_client_refused(&ann, "muted");
    ask("unmute 203.0.113.0/24", "ok");
    ask("unmute 203.0.113.0/24", "no: 203.0.113.0/24 is not muted");
    test_client_send(&ann, "{\"type\":\"chat\",\"text\":\"hello\"}");
    while (test_client_has(&bob, MESSAGE_SERVER_POSITION))
        test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_CHAT);
    get_up();
}

static void people_are_listed_and_kicked(void **unused) {
    (void)unused;
    char line[64];
    fake_address(arena.loop, "203.0.113.9");
    sit_down("zorde");
    const char *answer = ask("people", "ok\n");
    assert_non_null(strstr(answer, "#1 203.0.113.9 \"Ann\" at "));
    assert_non_null(strstr(answer, "#2 203.0.113.9 \"Bob\" at "));
    snprintf(line, sizeof line, "at %s seat 1\n", ann.code);
    assert_non_null(strstr(answer, line));
    ask("kick #7", "no: \"#7\" is neither");
    ask("kick 2 be kind", "ok #2 (203.0.113.9, Bob) was disconnected");
    arena_run(&arena, 50);
    assert_null(bob.connection);
    assert_int_equal(bob.close_code, NET_CLOSE_POLICY);
    assert_non_null(ann.connection);
    ask("kick 203.0.113.9", "ok 1 connections were closed");
    arena_run(&arena, 50);
    assert_null(ann.connection);
    get_up();
    test_client_join(&ann, &arena, "Ann", "person", "json"); /* no ban: may come back */
    assert_non_null(ann.connection);
    test_client_release(&ann);
}

static void all_of_an_address_is_ended(void **unused) {
    (void)unused;
    fake_address(arena.loop, "203.0.113.9");
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    fake_address(arena.loop, "198.51.100.1");
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"generals\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    fake_address(arena.loop, "203.0.113.9");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    fake_cut(bob.connection); /* disconnected, and still found by the address of his seat */
    arena_run(&arena, 50);
    ask("end-all everywhere", "no: \"everywhere\" is not an address");
    ask("end-all 203.0.113.0/24", "ok 2 matches and tables of 203.0.113.0/24 were ended");
    arena_run(&arena, 50);
    while (test_client_has(&ann, MESSAGE_SERVER_POSITION))
        test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_non_null(strstr(ann.message.position.result.bytes, "\"winner\":0"));
    test_client_expect(&eve, MESSAGE_SERVER_CLOSED);
    test_client_release(&eve);
    get_up();
}

static void limits_are_shown_and_changed(void **unused) {
    (void)unused;
    assert_non_null(strstr(ask("limits", "ok\n"), "strikes 2  #"));
    ask("limits strikes 5", "ok strikes is 5");
    assert_int_equal(arena.server->setup.strikes, 5);
    ask("limits grace-seconds 7", "ok");
    ask("limits turn-max 60", "ok");
    assert_int_equal(arena.server->setup.bounds.most.turn_ms, 60000);
    assert_int_equal(arena.server->setup.clocks.grace_ms, 7000);
    ask("limits strikes many", "no: strikes must be a number from 0 to 1000, not \"many\"");
    ask("limits grace-seconds 86401", "no: grace-seconds must be a number from 0 to 86400");
    ask("limits matches-max 1000000", "no: matches-max must be a number from 1 to ");
    ask("limits log-level loud", "no: log-level must be debug");
    ask("limits log-level error", "ok");
    assert_int_equal(arena.server->setup.log_level, LOG_ERROR);
    ask("limits luck 7", "no: unknown limit \"luck\"");
}

static const char *write_file(const char *name, const char *text) {
    static char paths[2][512];
    char *path = paths[strcmp(name, "bans") == 0];
    snprintf(path, sizeof paths[0], "%s/%s", arena.folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void settings_and_bans_are_read_again(void **unused) {
    (void)unused;
    arena_kill(&arena);
    arena.setup.settings = write_file("settings", "# ours\nstrikes 4 # four\n\nnonsense\n");
    arena_open(&arena);
    assert_int_equal(arena.server->setup.strikes, 4);
    assert_non_null(strstr(arena.log, "settings, line 4: a line is a name and a value"));
    write_file("settings", "strikes 6\nturn-seconds 9\n");
    write_file("bans", "192.0.2.7\n192.0.2.8 mute 0 \nnobody\n");
    uint32_t descriptors = support_open_descriptors();
    ask("reload", "ok");
    assert_int_equal(support_open_descriptors(), descriptors);
    assert_int_equal(arena.server->setup.strikes, 6);
    assert_int_equal(arena.server->setup.clocks.turn_ms, 9000);
    assert_true(banned("192.0.2.7"));
    assert_false(banned("192.0.2.8"));
    assert_non_null(admin_ban(arena.server, BAN_CHAT, "192.0.2.8"));
    write_file("bans", "");
    server_reload(arena.server);
    assert_false(banned("192.0.2.7"));
    server_report(arena.server);
}

/* A file of bans that cannot be read lifts no ban. */
static void bans_that_cannot_be_read_stay(void **unused) {
    (void)unused;
    const char *path = write_file("bans", "192.0.2.7\n");
    ask("reload", "ok");
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkdir(path, 0700), 0); /* opens, but cannot be read */
    ask("reload", "ok");
    assert_true(banned("192.0.2.7"));
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(symlink(path, path), 0); /* leads to itself: does not even open */
    ask("reload", "ok");
    assert_true(banned("192.0.2.7"));
    assert_int_equal(remove(path), 0);
    ask("reload", "ok");
    assert_false(banned("192.0.2.7"));
}

static void old_matches_are_removed(void **unused) {
    (void)unused;
    char line[64], code[PROTO_CODE_MAX + 1];
    sit_down("zorde");
    memcpy(code, ann.code, sizeof code);
    test_client_act(&ann);
    snprintf(line, sizeof line, "end %s 0", code);
    ask(line, "ok");
    arena_run(&arena, 100);
    get_up();
    arena_run(&arena, arena.setup.linger_ms + 1000);
    ask("prune many", "no: \"many\" must be a number of days");
    ask("prune 7d", "no: \"7d\" must be a number of days");
    ask("prune 1", "ok finished matches that ended more than 1 days ago");
    arena_run(&arena, 1000);
    ask(line_of("export", code), "ok\n{");
    ask("prune 0", "ok");
    arena_run(&arena, 1000);
    ask(line_of("export", code), "no: there is no match");
}

static void what_operators_did_is_written_down(void **unused) {
    (void)unused;
    char path[512], text[1024];
    snprintf(path, sizeof path, "%s/audit.log", arena.folder);
    ask("@carol ban 192.0.2.7 1h spam", "ok");
    ask("limits strikes many", "no:");
    ask("list", "ok");
    ask("limits", "ok");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[count] = '\0';
    char *second = strchr(text, '\n');
    assert_non_null(second);
    assert_non_null(strstr(text, "Z carol: ban 192.0.2.7 1h spam -> ok banned 192.0.2.7 until"));
    assert_non_null(strstr(second, "Z operator: limits strikes many -> no: strikes must be"));
    assert_string_equal(strchr(second + 1, '\n'), "\n"); /* two lines: looking is not doing */
}

static void drains_when_the_last_match_is_over(void **unused) {
    (void)unused;
    char line[64];
    sit_down("zorde");
    static const char *wrong[] = {"soon", "-1", "+1", "1h", "1.5", ":", "/", "86401", "1e3"};
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_non_null(strstr(ask(line_of("drain", wrong[i]), "no: \""), "\" must be a number"));
    assert_false(arena.server->closing);
    ask("drain 600", "ok draining: 1 matches in progress");
    arena_run(&arena, 5000);
    assert_false(arena.stopped);
    test_client_act(&ann); /* the match continues */
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    test_client_refused(&eve, "closing");
    snprintf(line, sizeof line, "end %s 0", ann.code);
    ask(line, "ok");
    arena_run(&arena, 5000);
    assert_true(arena.stopped);
    assert_false(arena.failed);
    test_client_release(&eve);
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
    ask("", "no: unknown command");
    ask("list all", "no: unknown command: list all");
    ask("limits strikes", "no: unknown command");
    ask("end", "no: unknown command");
    ask("end k7qf-2m9x-w3ab 0", "no: there is no table");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lists_every_table, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(ends_a_match, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(ends_a_match_drawn, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(exports_running_and_archived, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(bans_cut_and_keep_out, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(bans_networks_of_both_kinds, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(bans_say_why_and_end_by_themselves, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(too_many_bans_are_not_written_over, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(a_ban_again_replaces_the_old_one, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(the_muted_play_and_do_not_chat, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(people_are_listed_and_kicked, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(all_of_an_address_is_ended, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(limits_are_shown_and_changed, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(settings_and_bans_are_read_again, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(bans_that_cannot_be_read_stay, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(old_matches_are_removed, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(what_operators_did_is_written_down, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(drains_when_the_last_match_is_over, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(drains_when_the_time_is_over, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(nonsense_gets_a_sentence, set_up, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
