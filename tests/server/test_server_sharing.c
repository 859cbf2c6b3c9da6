/* test_server_sharing.c -- pictures, previews and frames of matches by HTTP: what they show and to
 * whom, how they are cached, and what is refused. */
#include "tests/server/fake/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/internal.h"

static char body[1 << 17];
static NetReply reply;

/* Requests an address; an asterisk in it stands for the code of Ann's table. */
static uint16_t get(const char *address) {
    static MashText out;
    char path[256];
    MashText text = text_over(path, sizeof path);
    for (const char *c = address; *c != '\0'; c++)
        text_bytes(&text, *c == '*' ? ann.code : c, *c == '*' ? (uint32_t)strlen(ann.code) : 1);
    out = text_over(body, sizeof body);
    reply = (NetReply){.out = &out};
    fake_ask(arena.server->net, path, &reply);
    while (reply.later)
        fake_run(arena.loop, 1);
    return reply.status;
}

/* One action, then Ann resigns; the clients go. */
static void finish(void) {
    test_client_act(fixture_awaited());
    test_client_send(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 1000);
}

/* Everybody leaves, and the table with them. */
static void leave(void) {
    test_client_release(&ann);
    test_client_release(&bob);
    arena_run(&arena, 3600000);
    assert_null(arena.server->tables);
}

static bool has(const char *what) { return strstr(body, what) != NULL; }

/* The table first, later the archive: the same picture. */
static void a_finished_match_is_drawn_alike(void **unused) {
    (void)unused;
    static char first[sizeof body];
    fixture_begin("", "person");
    finish();
    assert_int_equal(get("/picture/*.svg"), 200);
    assert_memory_equal(body, "<svg ", 5);
    assert_true(has("Ann (") && has("Bob won: resignation") && has("Action 2 of 2"));
    assert_string_equal(reply.cache, "public, max-age=3600"); /* a name may go */
    assert_true(reply.shared);
    assert_non_null(strstr(reply.headers, "default-src 'none'"));
    assert_non_null(strstr(reply.headers, "frame-ancestors 'none'"));
    char etag[80];
    snprintf(etag, sizeof etag, "\"%s\"", reply.etag);
    memcpy(first, body, sizeof first);
    leave();
    assert_int_equal(get("/picture/*.svg"), 200);
    assert_string_equal(body, first);
    assert_int_equal(get("/picture/*.svg?at=2"), 200);
    assert_int_equal(get("/picture/*.svg?at=0"), 200);
    assert_true(has("Action 0 of 2") && has("to move") && !has("class=\"m\""));
    assert_int_equal(get("/picture/*.svg?at=1"), 200);
    assert_true(has("class=\"m\""));
    fake_if_none_match(arena.loop, etag);
    assert_int_equal(get("/picture/*.svg"), 304);
    assert_string_equal(body, "");
    assert_int_equal(get("/picture/*.svg?at=1"), 200);
    fake_if_none_match(arena.loop, NULL);
}

static void a_running_match_is_drawn_as_it_is_now(void **unused) {
    (void)unused;
    fixture_begin("", "person");
    assert_int_equal(get("/picture/*.svg"), 200);
    assert_true(has("to move") && has("In progress"));
    assert_string_equal(reply.cache, "no-cache");
    char etag[80];
    snprintf(etag, sizeof etag, "\"%s\"", reply.etag);
    fake_if_none_match(arena.loop, etag);
    assert_int_equal(get("/picture/*.svg"), 304);
    test_client_act(fixture_awaited());
    assert_int_equal(get("/picture/*.svg"), 200);
    assert_true(has("class=\"m\""));
    fake_if_none_match(arena.loop, NULL);
    assert_int_equal(get("/picture/*.svg?at=1"), 400);
    assert_true(has("in progress"));
}

/* What the store has not saved yet is shown to nobody. */
static void only_what_is_durable_is_drawn(void **unused) {
    (void)unused;
    fixture_begin("", "person");
    Table *table = arena.server->tables;
    uint64_t ticket = table->ticket;
    table->ticket = arena.server->durable_ticket + 1;
    assert_int_equal(get("/picture/*.svg"), 503);
    assert_int_equal(get("/m/*"), 503);
    table->ticket = ticket;
    assert_int_equal(get("/picture/*.svg"), 200);
}

/* Ann's two pieces are swapped in the other world: nobody sees it before the end. `glass`: at a
 * table whose spectators may see everything, which strangers may not. */
static void play_world(int world, const char *glass, char *running, char *over) {
    static const char *const pieces[] = {"hulk", "iron-man"};
    char piece[2][32];
    for (int i = 0; i < 2; i++)
        snprintf(piece[i], sizeof piece[i], "place %s %d 2", pieces[i ^ world], 3 + i);
    const char *const words[] = {piece[0], piece[1], "random", "ready"};
    arena_init(&arena, 7);
    arena_open(&arena);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"generals\",\"seat\":0%s}", glass);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    for (uint32_t i = 0; i < 4; i++) {
        test_client_expect(&ann, MESSAGE_SERVER_POSITION);
        test_client_send(&ann, "{\"type\":\"act\",\"position\":%d,\"word\":\"%s\"}", ann.number,
                         words[i]);
    }
    arena_run(&arena, 100);
    assert_int_equal(get("/picture/*.svg"), 200);
    memcpy(running, body, sizeof body);
    test_client_send(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 1000);
    assert_int_equal(get("/picture/*.svg"), 200);
    memcpy(over, body, sizeof body);
    test_client_release(&ann);
    test_client_release(&bob);
    arena_release(&arena);
}

static void ranks_stay_hidden_in_pictures(void **unused) {
    (void)unused;
    static char running[2][sizeof body], over[2][sizeof body];
    static const char *const settings[] = {"", ",\"glass\":true"};
    for (int i = 0; i < 2; i++) {
        play_world(0, settings[i], running[0], over[0]);
        play_world(1, settings[i], running[1], over[1]);
        assert_string_equal(running[0], running[1]);
        assert_null(strstr(running[0], "Hulk"));
        assert_null(strstr(running[0], "Iron Man"));
        assert_non_null(strstr(over[0], "Hulk 3,2"));
        assert_non_null(strstr(over[1], "Hulk 4,2"));
    }
    arena_init(&arena, 1);
    arena_open(&arena);
}

static void addresses_are_judged(void **unused) {
    (void)unused;
    static const struct {
        const char *path;
        uint16_t status;
    } rows[] = {
        {"/picture/", 404},
        {"/picture/.svg", 404},
        {"/picture/*", 404},
        {"/picture/*.png", 404},
        {"/picture/*.svg/", 404},
        {"/picture/*.svg.svg", 404},
        {"/picture/*%.svg", 404},
        {"/picture/aaaa-aaaa-aaaa.svg", 404},
        {"/picture/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.svg", 404},
        {"/picture/*.svg?at=", 200},
        {"/picture/*.svg?at=-1", 400},
        {"/picture/*.svg?at=+1", 400},
        {"/picture/*.svg?at=1x", 400},
        {"/picture/*.svg?at=0x1", 400},
        {"/picture/*.svg?at=3", 404},
        {"/picture/*.svg?at=999999999", 404},
        {"/picture/*.svg?at=1000000000", 400},
        {"/picture/*.svg?at=18446744073709551615", 400},
        {"/picture/*.svg?at=00000000000000000000000000000000000000000000000000000000000", 400},
        {"/m/", 404},
        {"/m/x", 404},
        {"/m/aaaa-aaaa-aaaa", 404},
        {"/embed/", 404},
        {"/embed/x", 404},
    };
    fixture_begin("", "person");
    finish();
    leave();
    arena.server->setup.budgets.pictures = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (get(rows[i].path) != rows[i].status)
            fail_msg("%s: %u", rows[i].path, reply.status);
}

/* A match that waits, runs, is over: what a preview says, and where it leads. */
static void previews_say_what_the_match_is(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "<b>Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    char link[64];
    assert_int_equal(get("/picture/*.svg"), 404);
    assert_int_equal(get("/m/*"), 200);
    assert_true(has("&lt;b&gt;Ann is waiting for an opponent.") && !has("<b>") && !has("<img"));
    snprintf(link, sizeof link, "url=/#/join/%s\"", ann.code);
    assert_true(has(link));
    test_client_release(&ann);
    arena_run(&arena, 3600000);
    fixture_begin("", "person");
    assert_int_equal(get("/m/*"), 200);
    assert_true(has("property=\"og:title\" content=\"Ann (Calliance) vs Bob (Zorde)\""));
    assert_true(has("content=\"Zorde vs Calliance: ") && has(" to move\""));
    snprintf(link, sizeof link, "url=/#/table/%s\"", ann.code);
    assert_true(has(link));
    snprintf(link, sizeof link, "\"og:url\" content=\"http://server/m/%s\"", ann.code);
    assert_true(has(link));
    finish();
    assert_int_equal(get("/m/*"), 200);
    assert_true(has("content=\"Zorde vs Calliance: Bob won: resignation\""));
    leave();
    assert_int_equal(get("/m/*"), 200);
    assert_true(has("content=\"Zorde vs Calliance: Bob won: resignation\"") && has("<img"));
}

/* Only a frame's address lets other pages show it. */
static void only_embeds_may_be_framed(void **unused) {
    (void)unused;
    static const NetFile page = {
        .path = "/", .type = "text/html", .cache = "no-cache", .etag = "x", .plain = {"page", 4}};
    fixture_begin("", "person");
    assert_int_equal(get("/embed/*"), 404);
    arena.server->setup.files = &page;
    arena.server->setup.files_count = 1;
    assert_int_equal(get("/embed/*"), 200);
    assert_string_equal(body, "page");
    assert_non_null(strstr(reply.headers, "frame-ancestors *\r\n"));
    assert_int_equal(get("/m/*"), 200);
    assert_null(reply.headers);
}

/* An address has its share of pictures, and gets more with time, connected or not. */
static void pictures_come_at_a_rate(void **unused) {
    (void)unused;
    fixture_begin("", "person");
    finish();
    leave();
    arena.server->setup.budgets.pictures = 2;
    uint32_t drawn = 0;
    while (get("/picture/*.svg") == 200)
        drawn++;
    assert_int_equal(drawn, 10);
    assert_int_equal(reply.status, 429);
    assert_true(has("Too many pictures"));
    assert_int_equal(get("/m/*"), 429);
    assert_int_equal(arena.server->accounts.refusals[BUDGET_PICTURES], 2);
    arena_run(&arena, 1000);
    assert_int_equal(get("/picture/*.svg"), 200);
    assert_int_equal(get("/m/*"), 200);
    assert_int_equal(get("/m/*"), 429);
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        ROW(a_finished_match_is_drawn_alike),
        ROW(a_running_match_is_drawn_as_it_is_now),
        ROW(only_what_is_durable_is_drawn),
        cmocka_unit_test_teardown(ranks_stay_hidden_in_pictures, fixture_close),
        ROW(addresses_are_judged),
        ROW(previews_say_what_the_match_is),
        ROW(only_embeds_may_be_framed),
        ROW(pictures_come_at_a_rate),
    };
    return cmocka_run_group_tests_name("server_sharing", tests, NULL, NULL);
}
