/* fixture.c -- see fixture.h. */
#include "tests/server/fake/fixture.h"

TestServer arena;
TestClient ann, bob, eve;

int fixture_open(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena_open(&arena);
    return 0;
}

int fixture_close(void **unused) {
    (void)unused;
    test_client_release(&ann);
    test_client_release(&bob);
    test_client_release(&eve);
    arena_release(&arena);
    return 0;
}

void fixture_begin(const char *settings, const char *anns_role) {
    test_client_join(&ann, &arena, "Ann", anns_role, "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann,
                     "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0%s%s}",
                     settings[0] == '\0' ? "" : ",", settings);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
}

TestClient *fixture_awaited(void) {
    return ann.message.position.awaited.bytes[1] == '0' ? &ann : &bob;
}

TestClient *fixture_other(const TestClient *one) { return one == &ann ? &bob : &ann; }
