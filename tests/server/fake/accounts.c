/* accounts.c -- see accounts.h. */
#include "tests/server/fake/accounts.h"

#include <string.h>

char accounts_code[PROTO_CODE_MAX + 1];

void accounts_claim(TestClient *client, const char *name, const char *key) {
    test_client_join(client, &arena, "Somebody", "person", "json");
    test_client_send(client, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"%s\"}", key, name);
    assert_string_equal(test_client_expect(client, MESSAGE_SERVER_ACCOUNT)->account.name, name);
}

void accounts_log_in(TestClient *client, const char *key) {
    test_client_release(client);
    test_client_join(client, &arena, "Somebody", "person", "json");
    test_client_send(client, "{\"type\":\"login\",\"key\":\"%s\"}", key);
    test_client_expect(client, MESSAGE_SERVER_ACCOUNT);
}

const char *accounts_key(const TestClient *client) { return client == &ann ? ANNS_KEY : BOBS_KEY; }

void accounts_begin(const char *game, const char *settings) {
    accounts_claim(&ann, "Ann", ANNS_KEY);
    accounts_claim(&bob, "Bob", BOBS_KEY);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"%s\",\"seat\":0,\"days\":3%s}", game,
                     settings);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    memcpy(accounts_code, ann.code, sizeof accounts_code);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", accounts_code);
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_TABLE)->table.days, 3);
    assert_int_equal(bob.message.table.turn_ms, 3 * 86400000);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
}

void accounts_rest(void) {
    test_client_release(&ann);
    test_client_release(&bob);
    arena_run(&arena, ACCOUNTS_REST_MS);
    assert_int_equal(arena.server->tables_count, 0);
}

void accounts_return(TestClient *client) {
    accounts_log_in(client, accounts_key(client));
    test_client_send(client, "{\"type\":\"return\",\"code\":\"%s\"}", accounts_code);
    test_client_expect(client, MESSAGE_SERVER_TABLE);
    test_client_expect(client, MESSAGE_SERVER_POSITION);
}
