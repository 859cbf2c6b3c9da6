/* test_server_store.c -- the server and its store: the archive is read outside the loop and in fair
 * shares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/house.h"
#include "tests/fake/arena.h"
#include "tests/support.h"

enum { ASKS = 20, BODY_BYTES = 1 << 16 };

static Arena arena;
static Visitor ann, bob;

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena_open(&arena);
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    arena_release(&arena);
    return 0;
}

/* A match against a robot that Ann gives up at once; it is in the archive and its table is gone. */
static void play_one(void) {
    visitor_come(&ann, &arena, "Ann", "person", "json");
    visitor_say(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"opponent\":\"ai\",\"seat\":0}");
    visitor_hear(&ann, MESSAGE_TELL_TABLE);
    visitor_hear(&ann, MESSAGE_TELL_POSITION);
    visitor_say(&ann, "{\"type\":\"leave\"}");
    visitor_release(&ann);
    arena_run(&arena, 2 * (uint64_t)arena.setup.linger_ms);
    assert_int_equal(arena.server->tables_count, 0);
}

/* --- The archive outside the loop ------------------------------------------------------------- */

/* Questions that are asked at once. */
typedef struct Asked {
    char body[256];
    MashText text;
    NetReply reply;
} Asked;

static void ask(Asked *asked, const char *path) {
    asked->text = text_over(asked->body, sizeof asked->body);
    asked->reply = (NetReply){.out = &asked->text};
    fake_ask(arena.server->net, path, &asked->reply);
}

static void lists_do_not_hold_up_the_loop(void **unused) {
    (void)unused;
    static Asked asked[ASKS], other;
    uint32_t later = 0, refused = 0;
    for (uint32_t i = 0; i < ASKS; i++) {
        ask(&asked[i],
            i % 2 == 0 ? "/api/archive?player=X&game=nope" : "/api/match/2222-2222-2222");
        later += asked[i].reply.later;
        refused += !asked[i].reply.later && asked[i].reply.status == 503;
    }
    assert_true(later > 0); /* nothing was read in the call itself */
    assert_true(refused > 0 && later + refused == ASKS);
    fake_address(arena.loop, "5.6.7.8"); /* one address does not fill it for others */
    ask(&other, "/api/archive");
    assert_true(other.reply.later);
    arena_run(&arena, 1000);
    for (uint32_t i = 0; i < ASKS; i++) {
        assert_false(asked[i].reply.later);
        assert_true(asked[i].reply.status == 503 || asked[i].reply.status == (i % 2 ? 404 : 200));
    }
    assert_int_equal(other.reply.status, 200);
    assert_string_equal(other.body, "{\"matches\":[]}\n");
    assert_int_equal(arena.server->reader.waiting, 0);
    ask(&other, "/api/archive"); /* and there is room again */
    assert_true(other.reply.later);
    arena_release(&arena); /* while it is asked */
    assert_int_equal(other.reply.status, 503);
    arena_init(&arena, 1);
    arena_open(&arena);
}

/* Whoever comes back with the token of a match that is over is told so, when the archive has said
 * it, and by the number of his own message. */
static void an_old_token_is_looked_up_outside_the_loop(void **unused) {
    (void)unused;
    char token[PROTO_TOKEN_DIGITS + 1];
    play_one();
    memcpy(token, ann.token, sizeof token);
    visitor_come(&bob, &arena, "Bob", "person", "json");
    char wish[256];
    snprintf(wish, sizeof wish, "{\"type\":\"return\",\"id\":41,\"token\":\"%s\"}", token);
    visitor_throw(&bob, wish);
    snprintf(wish, sizeof wish, "{\"type\":\"games\",\"id\":42}");
    visitor_throw(&bob, wish);
    arena_run(&arena, 10);
    visitor_hear(&bob, MESSAGE_TELL_GAMES);
    const Message *told = visitor_hear(&bob, MESSAGE_TELL_REFUSED);
    assert_string_equal(told->refused.code, "match-over");
    assert_int_equal(told->refused.id, 41);
    snprintf(wish, sizeof wish, "{\"type\":\"return\",\"id\":43,\"token\":\"%s\"}", token);
    visitor_throw(&bob, wish);
    arena_run(&arena, 1); /* it has arrived, and he is gone before the answer */
    fake_cut(bob.connection);
    arena_run(&arena, 100);
    assert_int_equal(arena.server->reader.waiting, 0);
    visitor_release(&bob);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(lists_do_not_hold_up_the_loop),
        TEST(an_old_token_is_looked_up_outside_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
