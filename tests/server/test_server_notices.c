/* test_server_notices.c -- who is told of a turn in a match over days, how often, where, and what a
 * notice has: never anything of the position. */
#include "tests/server/fake/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/notices.h"
#include "store/account_backend.h"
#include "store/backend.h"
#include "store/relations.h"

#define ANNS_KEY "00112233445566778899aabbccddeeff"
#define BOBS_KEY "ffeeddccbbaa99887766554433221100"
#define BROWSER                                                                                    \
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

enum { REST_MS = 15000, MINUTE_MS = 60000 };

static int set_up(void **state) {
    memset(&fake_posts, 0, sizeof fake_posts);
    fake_posts.status = 204;
    return fixture_open(state);
}

static void claim(TestClient *client, const char *name, const char *key) {
    test_client_join(client, &arena, "Somebody", "person", "json");
    test_client_send(client, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"%s\"}", key, name);
    test_client_expect(client, MESSAGE_SERVER_ACCOUNT);
}

/* Ann and Bob have accounts and webhooks, and begin a match over days. */
static void begin(void) {
    claim(&ann, "Ann", ANNS_KEY);
    claim(&bob, "Bob", BOBS_KEY);
    test_client_send(&ann, "{\"type\":\"notices\",\"webhook\":\"https://ann.example/x\"}");
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_NOTICES)->notices_told.webhook,
                        "https://ann.example/x");
    test_client_send(&bob, "{\"type\":\"notices\",\"webhook\":\"https://bob.example/x\"}");
    test_client_expect(&bob, MESSAGE_SERVER_NOTICES);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":0,\"days\":3}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
}

/* The one to act acts until it is the other one's turn, who is not there. */
static void end_turn(TestClient *client) {
    for (int i = 0; i < 60 && client->message.position.awaited.bytes[1] == '0' + client->seat; i++)
        test_client_act(client);
}

static void an_absent_player_is_told_once(void **unused) {
    (void)unused;
    begin();
    assert_int_equal(fake_posts.count, 0);
    TestClient *first = fixture_awaited(), *second = fixture_other(first);
    char code[PROTO_CODE_MAX + 1];
    memcpy(code, first->code, sizeof code);
    test_client_release(second);
    test_client_forget(first);
    end_turn(first);
    arena_run(&arena, 1000);
    assert_int_equal(fake_posts.count, 1);
    assert_string_equal(fake_posts.url,
                        second == &ann ? "https://ann.example/x" : "https://bob.example/x");
    char wanted[256];
    snprintf(wanted, sizeof wanted,
             "{\"event\":\"turn\",\"code\":\"%s\",\"game\":\"zorde\",\"opponent\":\"%s\","
             "\"deadline_ms\":",
             code, first == &ann ? "Ann" : "Bob");
    assert_memory_equal(fake_posts.body, wanted, strlen(wanted));
    assert_null(strstr(fake_posts.body, "unit"));
    assert_null(strstr(fake_posts.body, "token"));
    assert_true(fake_posts.body_count < 400);
    test_client_release(first);
    arena_run(&arena, REST_MS);
    arena_kill(&arena); /* the store knows that it was told */
    arena_open(&arena);
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", code);
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    arena_run(&arena, MINUTE_MS);
    assert_int_equal(fake_posts.count, 1);
}

static void a_notice_that_fails_is_tried_again_four_times_at_most(void **unused) {
    (void)unused;
    begin();
    TestClient *first = fixture_awaited();
    test_client_release(fixture_other(first));
    fake_posts.status = 0;
    test_client_forget(first);
    end_turn(first);
    arena_run(&arena, 1000);
    assert_int_equal(fake_posts.count, 1);
    arena_run(&arena, MINUTE_MS);
    assert_int_equal(fake_posts.count, 2);
    arena_run(&arena, 4 * MINUTE_MS);
    assert_int_equal(fake_posts.count, 2);
    fake_posts.status = 500;
    arena_run(&arena, 2 * MINUTE_MS);
    assert_int_equal(fake_posts.count, 3);
    arena_run(&arena, 60 * MINUTE_MS);
    assert_int_equal(fake_posts.count, 4);
    arena_run(&arena, 600 * MINUTE_MS);
    assert_int_equal(fake_posts.count, 4);
    assert_int_equal(arena.server->notices.sent, 0);
    assert_int_equal(arena.server->notices.failed, 1);
    assert_int_equal(arena.server->notices.jobs_count, 0);
}

/* How the store answers a statement of notices: as it does, not at all, or it does it and the
 * answer is lost; the first times. */
typedef enum LateAnswer { ANSWERED, NOT_DONE, DONE_IN_VAIN } LateAnswer;
static AccountRun *usual_run;
static LateAnswer late;
static AccountStatement late_at;
static uint32_t late_times;

static StoreStatus run_late(void *owner, AccountStatement which, const AccountValue *values,
                            uint32_t count, void (*row)(void *out, const AccountValue *columns),
                            void *out) {
    bool is_late = which == late_at && late_times > 0;
    late_times -= is_late;
    if (is_late && late == NOT_DONE)
        return STORE_BUSY;
    StoreStatus status = usual_run(owner, which, values, count, row, out);
    return is_late ? STORE_BUSY : status;
}

/* Somebody who is not there is told in the end, and once. */
static void told_in_spite_of(AccountStatement which, LateAnswer how, uint32_t times) {
    begin();
    usual_run = arena.server->store->accounts;
    arena.server->store->accounts = run_late;
    late = how;
    late_at = which;
    late_times = times;
    TestClient *first = fixture_awaited();
    test_client_release(fixture_other(first));
    test_client_forget(first);
    end_turn(first);
    arena_run(&arena, 1000);
    assert_int_equal(fake_posts.count, 0);
    arena_run(&arena, 6 * MINUTE_MS);
    assert_int_equal(fake_posts.count, 1);
    arena_run(&arena, 600 * MINUTE_MS);
    assert_int_equal(fake_posts.count, 1);
    assert_int_equal(arena.server->notices.sent, 1);
    assert_int_equal(arena.server->notices.jobs_count, 0);
    arena.server->store->accounts = usual_run;
}

static void a_store_that_does_not_answer_is_asked_again(void **unused) {
    (void)unused;
    told_in_spite_of(NOTICE_LIST, NOT_DONE, 2);
}

static void a_claim_that_was_not_made_is_made_again(void **unused) {
    (void)unused;
    told_in_spite_of(NOTICE_CLAIM, NOT_DONE, 1);
}

static void a_claim_whose_answer_is_lost_is_ours(void **unused) {
    (void)unused;
    told_in_spite_of(NOTICE_CLAIM, DONE_IN_VAIN, 2);
}

/* Whoever has acted meanwhile is not told of that turn. */
static void a_turn_that_is_over_meanwhile_is_not_told(void **unused) {
    (void)unused;
    begin();
    usual_run = arena.server->store->accounts;
    arena.server->store->accounts = run_late;
    late = DONE_IN_VAIN;
    late_at = NOTICE_CLAIM;
    late_times = 1;
    TestClient *first = fixture_awaited(), *second = fixture_other(first);
    const char *key = second == &ann ? ANNS_KEY : BOBS_KEY;
    char code[PROTO_CODE_MAX + 1];
    memcpy(code, first->code, sizeof code);
    test_client_release(second);
    test_client_forget(first);
    end_turn(first);
    arena_run(&arena, 1000);
    test_client_join(second, &arena, "Somebody", "person", "json");
    test_client_send(second, "{\"type\":\"login\",\"key\":\"%s\"}", key);
    test_client_expect(second, MESSAGE_SERVER_ACCOUNT);
    test_client_send(second, "{\"type\":\"return\",\"code\":\"%s\"}", code);
    test_client_expect(second, MESSAGE_SERVER_POSITION);
    end_turn(second);
    arena_run(&arena, 60 * MINUTE_MS);
    assert_int_equal(fake_posts.count, 0);
    assert_int_equal(arena.server->notices.failed, 0);
    arena.server->store->accounts = usual_run;
}

static void addresses_are_checked_and_tested(void **unused) {
    (void)unused;
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"notices\"}");
    test_client_refused(&eve, "needs-account");
    claim(&ann, "Ann", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"notices\",\"test\":true}");
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_NOTICES)->notices_told.test,
                        "there is nowhere to send it to");
    test_client_send(&ann, "{\"type\":\"notices\",\"webhook\":\"http://ann.example\"}");
    test_client_refused(&ann, "bad-address");
    test_client_send(&ann, "{\"type\":\"notices\",\"push\":\"https://p.example\"}");
    test_client_refused(&ann, "no-push");
    test_client_send(&ann,
                     "{\"type\":\"notices\",\"webhook\":\"https://a.example/1\",\"test\":true}");
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_NOTICES)->notices_told.test,
                        "sent");
    assert_non_null(strstr(fake_posts.body, "\"event\":\"test\""));
    fake_posts.status = 301; /* not followed */
    test_client_send(&ann, "{\"type\":\"notices\",\"test\":true}");
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_NOTICES)->notices_told.test,
                        "it answered 301");
    test_client_send(&ann, "{\"type\":\"notices\",\"webhook_off\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_NOTICES);
    assert_false(message_has(&ann.message, "webhook"));
    int refused = 0;
    for (int i = 0; i < 60 && refused == 0; i++) {
        test_client_send(&ann, "{\"type\":\"notices\",\"test\":true}");
        test_client_next(&ann);
        refused = ann.message.kind == MESSAGE_SERVER_REFUSED;
        arena_run(&arena, 250);
    }
    assert_true(refused); /* whoever asks for tests again and again is slowed down */
}

static void browsers_are_pushed_to(void **unused) {
    (void)unused;
    arena.server->notices.key = push_key_new();
    claim(&ann, "Ann", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"notices\",\"push\":\"https://p.example/1\",\"push_key\":"
                           "\"AAAA\",\"push_auth\":\"BTBZMqHH6r4Tts7J_aSIgg\"}");
    test_client_refused(&ann, "bad-address");
    test_client_send(&ann, "{\"type\":\"notices\",\"push\":\"https://p.example/1\",\"push_key\":"
                           "\"" BROWSER "\",\"push_auth\":\"AAAA\"}");
    test_client_refused(&ann, "bad-address");
    test_client_send(&ann, "{\"type\":\"notices\",\"push\":\"https://p.example/1\",\"push_key\":"
                           "\"" BROWSER "\",\"push_auth\":\"BTBZMqHH6r4Tts7J_aSIgg\","
                           "\"test\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_NOTICES);
    assert_int_equal(ann.message.notices_told.browsers, 1);
    assert_int_equal(strlen(ann.message.notices_told.push_key), 87);
    assert_string_equal(ann.message.notices_told.test, "sent");
    assert_non_null(strstr(fake_posts.headers, "Authorization: vapid t="));
    assert_non_null(strstr(fake_posts.headers, "Content-Encoding: aes128gcm\r\n"));
    assert_null(strstr(fake_posts.body + 90, "test")); /* it is encrypted */
    fake_posts.status = 410;                           /* the browser is gone */
    test_client_send(&ann, "{\"type\":\"notices\",\"test\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_NOTICES);
    test_client_send(&ann, "{\"type\":\"notices\"}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_NOTICES)->notices_told.browsers, 0);
}

/* All three ask for tests, so many each, which go to three hosts. */
static void ask_for_tests(uint32_t each) {
    TestClient *const all[] = {&ann, &bob, &eve};
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < each; j++)
            test_client_send_nowait(all[i], "{\"type\":\"notices\",\"test\":true}");
    fake_posts.count = 0;
}

/* Two requests at once go to one host, and four to all of them. */
static void few_are_told_at_once(void **unused) {
    (void)unused;
    enum { SECOND_MS = 1000 };
    static const char *const names[] = {"Ann", "Bob", "Eve"};
    static const char *const keys[] = {ANNS_KEY, BOBS_KEY, "0123456789abcdef0123456789abcdef"};
    TestClient *const all[] = {&ann, &bob, &eve};
    arena.server->setup.budgets.logins = 0;
    for (uint32_t i = 0; i < 3; i++) {
        claim(all[i], names[i], keys[i]);
        test_client_send(all[i], "{\"type\":\"notices\",\"webhook\":\"https://h%u.example/\"}", i);
        test_client_expect(all[i], MESSAGE_SERVER_NOTICES);
    }
    fake_thinking(arena.loop, SECOND_MS); /* of the store, then of each request */
    ask_for_tests(1);
    arena_run(&arena, 5 * SECOND_MS / 2);
    assert_int_equal(fake_posts.count, 3);
    ask_for_tests(2);
    arena_run(&arena, 5 * SECOND_MS / 2);
    assert_int_equal(fake_posts.count, 4);
    arena_run(&arena, SECOND_MS);
    assert_int_equal(fake_posts.count, 6);
    for (uint32_t i = 0; i < 3; i++)
        test_client_send_nowait(&ann, "{\"type\":\"notices\",\"test\":true}");
    arena_run(&arena, 5 * SECOND_MS / 2);
    assert_int_equal(fake_posts.count, 8);
    arena_run(&arena, SECOND_MS);
    assert_int_equal(fake_posts.count, 9);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_absent_player_is_told_once),
        TEST(a_notice_that_fails_is_tried_again_four_times_at_most),
        TEST(a_store_that_does_not_answer_is_asked_again),
        TEST(a_claim_that_was_not_made_is_made_again),
        TEST(a_claim_whose_answer_is_lost_is_ours),
        TEST(a_turn_that_is_over_meanwhile_is_not_told),
        TEST(addresses_are_checked_and_tested),
        TEST(browsers_are_pushed_to),
        TEST(few_are_told_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
