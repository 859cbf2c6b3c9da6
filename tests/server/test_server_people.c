/* test_server_people.c -- following and blocking, challenges by name, reports, and tables at which
 * only phrases are said. */
#include "tests/server/fake/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANNS_KEY "00112233445566778899aabbccddeeff"
#define BOBS_KEY "ffeeddccbbaa99887766554433221100"
#define EVES_KEY "0123456789abcdef0123456789abcdef"

static void claim(TestClient *client, const char *name, const char *key) {
    test_client_join(client, &arena, "Somebody", "person", "json");
    test_client_send(client, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"%s\"}", key, name);
    test_client_expect(client, MESSAGE_SERVER_ACCOUNT);
}

static void claim_all(void) {
    claim(&ann, "Ann", ANNS_KEY);
    claim(&bob, "Bob", BOBS_KEY);
    claim(&eve, "Eve", EVES_KEY);
}

/* What the client received last of a kind, as text. */
static const char *last(const TestClient *client, const char *type) {
    char wanted[64];
    const char *found = client->received, *next;
    snprintf(wanted, sizeof wanted, "\"type\":\"%s\"", type);
    while ((next = strstr(found + 1, wanted)) != NULL)
        found = next;
    return found;
}

static void people_follow_each_other(void **unused) {
    (void)unused;
    claim_all();
    test_client_send(&ann, "{\"type\":\"relations\",\"what\":\"follow\",\"name\":\"bob\"}");
    test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
    assert_non_null(strstr(last(&ann, "relations"),
                           "\"follows\":[{\"name\":\"Bob\",\"here\":true}],\"blocks\":[]"));
    test_client_release(&bob);
    arena_run(&arena, 100);
    test_client_send(&ann, "{\"type\":\"relations\",\"id\":7}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_RELATIONS)->relations_told.id, 7);
    assert_non_null(strstr(last(&ann, "relations"), "\"here\":false"));
    test_client_send(&ann, "{\"type\":\"relations\",\"what\":\"unfollow\",\"name\":\"Bob\"}");
    test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
    assert_non_null(strstr(last(&ann, "relations"), "\"follows\":[]"));
    test_client_send(&ann, "{\"type\":\"relations\",\"what\":\"follow\",\"name\":\"Nobody\"}");
    test_client_refused(&ann, "no-one");
    test_client_send(&ann, "{\"type\":\"relations\",\"what\":\"follow\"}");
    test_client_refused(&ann, "malformed");
    test_client_release(&eve);
    test_client_join(&eve, &arena, "Guest", "person", "json");
    test_client_send(&eve, "{\"type\":\"relations\"}");
    test_client_refused(&eve, "needs-account");
}

static void a_challenge_is_for_one_player(void **unused) {
    (void)unused;
    claim_all();
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"challenge\":\"Nobody\"}");
    test_client_refused(&ann, "no-one");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"challenge\":\"Ann\"}");
    test_client_refused(&ann, "no-one");
    test_client_send(&ann,
                     "{\"type\":\"open\",\"game\":\"zorde\",\"challenge\":\"bob\",\"days\":3}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 100);
    test_client_expect(&bob, MESSAGE_SERVER_CHALLENGES); /* told at once */
    char wanted[128];
    snprintf(wanted, sizeof wanted,
             "{\"code\":\"%s\",\"game\":\"zorde\",\"name\":\"Ann\",\"yours\":true,\"days\":3}",
             ann.code);
    assert_non_null(strstr(last(&bob, "challenges"), wanted));
    test_client_send(&eve, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&eve, "not-invited");
    test_client_send(&eve, "{\"type\":\"decline\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&eve, "no-such-table");
    arena_kill(&arena); /* it is there after a kill, for the same player */
    test_client_release(&eve);
    test_client_release(&bob);
    test_client_release(&ann);
    char code[PROTO_CODE_MAX + 1];
    memcpy(code, ann.code, sizeof code);
    arena_open(&arena);
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"%s\"}", BOBS_KEY);
    test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT);
    test_client_send(&bob, "{\"type\":\"challenges\"}");
    test_client_expect(&bob, MESSAGE_SERVER_CHALLENGES);
    assert_non_null(strstr(last(&bob, "challenges"), wanted));
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", code);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 100);
    test_client_send(&bob, "{\"type\":\"challenges\"}");
    test_client_expect(&bob, MESSAGE_SERVER_CHALLENGES);
    assert_non_null(strstr(last(&bob, "challenges"), "\"challenges\":[]"));
}

static void a_challenge_can_be_declined(void **unused) {
    (void)unused;
    claim_all();
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"challenge\":\"Bob\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"decline\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_DONE);
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_CLOSED)->closed.reason,
                        "The challenge was declined.");
    test_client_send(&bob, "{\"type\":\"challenges\"}");
    test_client_expect(&bob, MESSAGE_SERVER_CHALLENGES);
    assert_non_null(strstr(last(&bob, "challenges"), "\"challenges\":[]"));
}

static void who_is_blocked_is_not_met(void **unused) {
    (void)unused;
    claim_all();
    test_client_send(&bob, "{\"type\":\"relations\",\"what\":\"block\",\"name\":\"Ann\"}");
    test_client_expect(&bob, MESSAGE_SERVER_RELATIONS);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"challenge\":\"Bob\"}");
    test_client_refused(&ann, "no-one"); /* nobody learns that he is blocked */
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_WAITING);
    test_client_send(&eve, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    assert_int_equal(test_client_expect(&eve, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_RUNNING);
    test_client_send(&bob, "{\"type\":\"leave\"}");
    test_client_expect(&bob, MESSAGE_SERVER_DONE);
    test_client_send(&bob, "{\"type\":\"watch\",\"code\":\"%s\"}", eve.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_send(&ann, "{\"type\":\"chat\",\"text\":\"can you hear me\"}");
    test_client_expect(&eve, MESSAGE_SERVER_CHAT);
    arena_run(&arena, 100);
    assert_false(test_client_has(&bob, MESSAGE_SERVER_CHAT));
    test_client_send(&eve, "{\"type\":\"chat\",\"text\":\"I do\"}");
    arena_run(&arena, 100);
    test_client_expect(&bob, MESSAGE_SERVER_CHAT);
}

static void tables_without_free_chat(void **unused) {
    (void)unused;
    fixture_begin("\"phrases\":true", "person");
    test_client_send(&ann, "{\"type\":\"chat\",\"text\":\"anything\"}");
    test_client_refused(&ann, "only-phrases");
    test_client_send(&ann, "{\"type\":\"chat\",\"phrase\":\"hello\"}");
    test_client_expect(&bob, MESSAGE_SERVER_CHAT);
    arena_kill(&arena);
    arena_open(&arena);
    assert_true(arena.server->tables->config.phrases);
}

static void reports_reach_the_operator(void **unused) {
    (void)unused;
    claim_all();
    test_client_send(&ann, "{\"type\":\"report\",\"code\":\"k7qf-2m9x-w3ab\",\"reason\":\"rude\"}");
    test_client_expect(&ann, MESSAGE_SERVER_DONE);
    const char *answer = fake_admin_line(arena.loop, "reports");
    const char *line = strchr(answer, '\n');
    assert_non_null(line);
    assert_non_null(strstr(line, " k7qf-2m9x-w3ab "));
    assert_non_null(strstr(line, " Ann: rude\n"));
    char command[128];
    snprintf(command, sizeof command, "report-close %llu muted for a day",
             strtoull(line + 1, NULL, 10));
    assert_memory_equal(fake_admin_line(arena.loop, command), "ok report", 9);
    assert_string_equal(fake_admin_line(arena.loop, "reports"), "ok\n");
    assert_non_null(strstr(fake_admin_line(arena.loop, "reports closed"), "-> muted for a day"));
    assert_memory_equal(fake_admin_line(arena.loop, "report-close 5 x"), "no: there is no", 15);
    int refused = 0;
    for (int i = 0; i < 60 && refused == 0; i++) { /* nobody floods the operator */
        test_client_send(&ann,
                         "{\"type\":\"report\",\"code\":\"k7qf-2m9x-w3ab\",\"reason\":\"rude\"}");
        test_client_next(&ann);
        refused = ann.message.kind == MESSAGE_SERVER_REFUSED;
        arena_run(&arena, 250);
    }
    assert_true(refused);
}

static void a_bot_has_an_account_and_an_owner(void **unused) {
    (void)unused;
    char token[PROTO_KEY_DIGITS + 1];
    claim(&ann, "Ann", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"bot\",\"name\":\"Admin\"}");
    test_client_refused(&ann, "name-reserved");
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"bot\",\"name\":\"Ann\"}");
    test_client_refused(&ann, "name-taken");
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"bot\"}");
    test_client_refused(&ann, "bad-name");
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"bot\",\"name\":\"Ann Bot\"}");
    memcpy(token, test_client_expect(&ann, MESSAGE_SERVER_KEY)->key_made.key, sizeof token);
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"login\",\"key\":\"%s\"}", token);
    test_client_refused(&eve, "wrong-role");
    test_client_join(&bob, &arena, "Whatever", "ai", "json");
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"%s\"}", token);
    assert_string_equal(test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT)->account.name, "Ann Bot");
    char memory[256];
    MashText text = text_over(memory, sizeof memory);
    assert_int_equal(fake_get(arena.server->net, "/api/v1/bots", &text), 200);
    assert_string_equal(memory, "{\"bots\":[{\"name\":\"Ann Bot\",\"free\":true}]}\n");
    test_client_send(&ann, "{\"type\":\"relations\"}");
    test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
    assert_non_null(strstr(ann.received, "\"bots\":[{\"name\":\"Ann Bot\",\"here\":true}]}"));
    test_client_send(&bob, "{\"type\":\"key\",\"what\":\"bot\",\"name\":\"Bot Bot\"}");
    test_client_refused(&bob, "wrong-role");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"challenge\":\"ann bot\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 100);
    test_client_expect(&bob, MESSAGE_SERVER_CHALLENGES);
    for (int i = 0; i < 4; i++) {
        arena_run(&arena, 60000);
        test_client_send(&ann, "{\"type\":\"key\",\"what\":\"bot\",\"name\":\"Ann Bot %d\"}",
                         i + 2);
        test_client_expect(&ann, MESSAGE_SERVER_KEY);
    }
    arena_run(&arena, 60000);
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"bot\",\"name\":\"Ann Bot 9\"}");
    test_client_refused(&ann, "too-many");
}

/* As fixture_open(), with an admin socket. */
static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena.setup.folder = arena.folder;
    arena_open(&arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(people_follow_each_other),          TEST(a_challenge_is_for_one_player),
        TEST(a_challenge_can_be_declined),       TEST(who_is_blocked_is_not_met),
        TEST(tables_without_free_chat),          TEST(reports_reach_the_operator),
        TEST(a_bot_has_an_account_and_an_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
