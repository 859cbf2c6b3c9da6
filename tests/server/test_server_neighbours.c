/* test_server_neighbours.c -- what nodes of a shared store tell each other about players: who is
 * connected, challenges and that they were declined, whom somebody blocks. The store is the usual
 * one of these tests, with documents in which another node speaks. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/backend.h"
#include "store/relations.h"
#include "tests/server/fake/fixture.h"

#define ANNS_KEY "00112233445566778899aabbccddeeff"
#define BOBS_KEY "ffeeddccbbaa99887766554433221100"

/* What the other node said last, by the first letter of the document, and what this one shares. */
static const StoreBackend *usual;
static StoreBackend shared;
static char said[2][1024], told[2][8192];
static bool is_news[2];
static uint32_t shares[2], changes;

/* News, or who is here. */
static int kind_of(const char *name) { return name[0] == 'f' ? 0 : name[0] == 'h' ? 1 : -1; }

static bool test_share(Store *store, const char *name, const void *bytes, size_t count) {
    (void)store;
    int kind = kind_of(name);
    assert_string_equal(name, kind == 0 ? "folk-1" : "here-1");
    assert_true(count < sizeof told[0]);
    memcpy(told[kind], bytes, count);
    told[kind][count] = '\0';
    shares[kind]++;
    return true;
}

static char *test_take_shared(Store *store, const char *name, size_t *count) {
    (void)store;
    int kind = kind_of(name);
    if (kind < 0 || !is_news[kind] || name[strlen(name) - 1] != '*')
        return NULL;
    is_news[kind] = false;
    *count = strlen(said[kind]);
    return strdup(said[kind]);
}

static StoreStatus test_where(Store *store, uint64_t match, StorePlace *place) {
    (void)store;
    (void)match;
    (void)place;
    return STORE_UNKNOWN;
}

static bool test_may_tell(Store *store) {
    (void)store;
    return true;
}

static StoreProgress test_done(Store *store) {
    StoreProgress done = usual->done(store);
    done.shared = changes;
    return done;
}

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena.setup.folder = arena.folder;
    arena.setup.store.node = 1;
    arena_open(&arena);
    usual = arena.server->store->backend;
    shared = *usual;
    shared.where = test_where;
    shared.may_tell = test_may_tell;
    shared.share = test_share;
    shared.take_shared = test_take_shared;
    shared.done = test_done;
    arena.server->store->backend = &shared;
    memset(told, 0, sizeof told);
    memset(shares, 0, sizeof shares);
    is_news[0] = is_news[1] = false;
    changes = 0;
    return 0;
}

static int tear_down(void **state) {
    arena.server->store->backend = usual;
    return fixture_close(state);
}

/* The other node says it. */
static void say(int kind, const char *words) {
    snprintf(said[kind], sizeof said[kind], "%s", words);
    is_news[kind] = true;
    changes++;
    net_wakeup_signal(arena.server->wakeup);
    arena_run(&arena, 100);
}

static uint64_t claim(TestClient *client, const char *name, const char *key) {
    test_client_join(client, &arena, "Somebody", "person", "json");
    test_client_send(client, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"%s\"}", key, name);
    test_client_expect(client, MESSAGE_SERVER_ACCOUNT);
    for (const Session *one = arena.server->sessions; one != NULL; one = one->next_all)
        if (one->player != NULL && strcmp(one->name, name) == 0)
            return one->player->id;
    fail();
    return 0;
}

/* A line of news, as a node writes it. */
static void news(unsigned start, unsigned number, char what, uint64_t account, uint64_t match) {
    char words[128];
    snprintf(words, sizeof words, "2 %016x\n%u %c %016llx %016llx\n", start, number, what,
             (unsigned long long)account, (unsigned long long)match);
    say(0, words);
}

static uint32_t count_of(const char *text, const char *what) {
    uint32_t count = 0;
    while ((text = strstr(text, what)) != NULL) {
        count++;
        text++;
    }
    return count;
}

#define CAME "\"challenges\":[{\"code\":"

static void a_challenge_of_another_node_is_told(void **unused) {
    (void)unused;
    uint64_t anns = claim(&ann, "Ann", ANNS_KEY), bobs = claim(&bob, "Bob", BOBS_KEY);
    StoreChallenge challenge = {
        .match = 77, .account = anns, .other = bobs, .game = "zorde", .rated = true};
    assert_int_equal(
        store_challenge_put(arena.server->store, &challenge, net_wall_clock_ms(arena.server->loop)),
        STORE_OK);
    news(5, 1, 'c', bobs, 77);
    test_client_expect(&bob, MESSAGE_SERVER_CHALLENGES);
    assert_int_equal(count_of(bob.received, CAME), 1);
    assert_non_null(strstr(bob.received, "\"game\":\"zorde\",\"name\":\"Ann\",\"yours\":true"));
    assert_int_equal(count_of(ann.received, CAME), 0);
    news(5, 1, 'c', bobs, 77); /* it is no news any more */
    assert_int_equal(count_of(bob.received, CAME), 1);
    news(6, 1, 'c', bobs, 77); /* the node has started again: this one is */
    assert_int_equal(count_of(bob.received, CAME), 2);
    news(6, 2, 'c', bobs, 78); /* there is no such challenge in the database */
    news(6, 3, 'c', anns, 77); /* nor is it hers */
    assert_int_equal(count_of(bob.received, CAME), 2);
    assert_int_equal(count_of(ann.received, CAME), 0);
}

static void what_was_said_before_the_start_is_no_news(void **unused) {
    (void)unused;
    uint64_t anns = claim(&ann, "Ann", ANNS_KEY), bobs = claim(&bob, "Bob", BOBS_KEY);
    StoreChallenge challenge = {.match = 77, .account = anns, .other = bobs, .game = "zorde"};
    assert_int_equal(
        store_challenge_put(arena.server->store, &challenge, net_wall_clock_ms(arena.server->loop)),
        STORE_OK);
    snprintf(said[0], sizeof said[0], "2 5\n1 c %016llx %016x\n", (unsigned long long)bobs, 77);
    is_news[0] = true;
    neighbours_open(arena.server);
    assert_false(is_news[0]);
    news(5, 1, 'c', bobs, 77);
    assert_int_equal(count_of(bob.received, CAME), 0);
    news(5, 2, 'c', bobs, 77);
    test_client_expect(&bob, MESSAGE_SERVER_CHALLENGES);
    assert_int_equal(count_of(bob.received, CAME), 1);
}

static void a_challenge_declined_elsewhere_is_closed(void **unused) {
    (void)unused;
    claim(&ann, "Ann", ANNS_KEY);
    claim(&bob, "Bob", BOBS_KEY);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    uint64_t open = arena.server->tables->number;
    news(5, 1, 'd', 0, open); /* it waits for anybody: there is nothing to decline */
    assert_int_equal(arena.server->tables_count, 1);
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_expect(&ann, MESSAGE_SERVER_DONE);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"challenge\":\"Bob\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    news(5, 2, 'd', 0, arena.server->tables->number);
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_CLOSED)->closed.reason,
                        "The challenge was declined.");
}

static void who_is_blocked_elsewhere_is_blocked_here(void **unused) {
    (void)unused;
    uint64_t anns = claim(&ann, "Ann", ANNS_KEY), bobs = claim(&bob, "Bob", BOBS_KEY);
    const Session *anns_session = ann.arena->server->sessions;
    while (anns_session->player->id != anns)
        anns_session = anns_session->next_all;
    assert_int_equal(store_relation_set(arena.server->store, anns, bobs, STORE_BLOCKS, true, 1),
                     STORE_OK);
    assert_false(player_blocks(anns_session, bobs));
    news(5, 1, 'b', anns, 0);
    assert_true(player_blocks(anns_session, bobs));
    assert_int_equal(shares[0], 0); /* what was heard is not told again */
}

/* The session of an account by a device's key; NULL: it is a guest, or gone. */
static const Session *session_of(uint64_t account, uint64_t mark) {
    const Session *one = arena.server->sessions;
    uint64_t own;
    for (; one != NULL; one = one->next_all) {
        if (one->player == NULL || one->player->id != account)
            continue;
        memcpy(&own, one->player->key, sizeof own);
        if (own == mark)
            return one;
    }
    return NULL;
}

/* Ann and another device of hers, Eve, who plays against Bob. */
static uint64_t two_devices(uint64_t marks[2]) {
    uint64_t anns = claim(&ann, "Ann", ANNS_KEY);
    memcpy(&marks[0], arena.server->sessions->player->key, sizeof marks[0]);
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"device\"}");
    const char *key = test_client_expect(&ann, MESSAGE_SERVER_KEY)->key_made.key;
    test_client_join(&eve, &arena, "Somebody", "person", "json");
    test_client_send(&eve, "{\"type\":\"login\",\"key\":\"%s\",\"code\":\"%s\"}", BOBS_KEY, key);
    test_client_expect(&eve, MESSAGE_SERVER_ACCOUNT);
    memcpy(&marks[1], arena.server->sessions->player->key, sizeof marks[1]);
    assert_true(marks[0] != marks[1]);
    test_client_send(&eve, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\"}");
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", eve.code);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    return anns;
}

static void devices_logged_out_elsewhere_are_out(void **unused) {
    (void)unused;
    uint64_t marks[2], anns = two_devices(marks);
    char token[PROTO_TOKEN_DIGITS + 1];
    memcpy(token, eve.token, sizeof token);
    news(5, 1, 'l', anns + 1, marks[1]); /* another account */
    news(5, 2, 'l', anns, 12345);        /* a device that is not here */
    assert_non_null(session_of(anns, marks[0]));
    assert_non_null(session_of(anns, marks[1]));
    news(5, 3, 'o', anns, marks[0]); /* Ann logs all others out */
    assert_non_null(session_of(anns, marks[0]));
    assert_null(session_of(anns, marks[1]));
    assert_null(eve.connection);
    test_client_release(&eve);
    test_client_join(&eve, &arena, "Somebody", "person", "json");
    test_client_send(&eve, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    test_client_refused(&eve, "no-such-token"); /* nor does anybody get her seat by it */
    news(5, 4, 'l', anns, marks[0]);            /* then this one, which stays as a guest */
    assert_null(session_of(anns, marks[0]));
    assert_non_null(ann.connection);
}

static void an_account_deleted_elsewhere_is_gone(void **unused) {
    (void)unused;
    uint64_t marks[2], anns = two_devices(marks);
    news(5, 1, 'x', anns, marks[0]);
    assert_null(session_of(anns, marks[0]));
    assert_null(session_of(anns, marks[1]));
    assert_non_null(ann.connection); /* who deleted it is a guest */
    assert_null(eve.connection);
}

static void others_are_told_of_logging_out(void **unused) {
    (void)unused;
    char wanted[128];
    uint64_t marks[2], anns = two_devices(marks);
    test_client_send(&ann, "{\"type\":\"logout\",\"others\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_DONE);
    snprintf(wanted, sizeof wanted, "\n1 o %016llx %016llx\n", (unsigned long long)anns,
             (unsigned long long)marks[0]);
    assert_non_null(strstr(told[0], wanted));
    test_client_send(&ann, "{\"type\":\"logout\"}");
    test_client_expect(&ann, MESSAGE_SERVER_DONE);
    snprintf(wanted, sizeof wanted, "\n2 l %016llx %016llx\n", (unsigned long long)anns,
             (unsigned long long)marks[0]);
    assert_non_null(strstr(told[0], wanted));
    test_client_release(&ann);
    anns = claim(&ann, "Anna", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"delete\",\"name\":\"Anna\"}");
    test_client_expect(&ann, MESSAGE_SERVER_DONE);
    snprintf(wanted, sizeof wanted, "\n3 x %016llx %016llx\n", (unsigned long long)anns,
             (unsigned long long)marks[0]);
    assert_non_null(strstr(told[0], wanted));
}

static void others_are_told_what_happens_here(void **unused) {
    (void)unused;
    char wanted[128];
    uint64_t anns = claim(&ann, "Ann", ANNS_KEY), bobs = claim(&bob, "Bob", BOBS_KEY);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"challenge\":\"Bob\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 100);
    uint64_t match = arena.server->tables->number;
    snprintf(wanted, sizeof wanted, "1 c %016llx %016llx\n", (unsigned long long)bobs,
             (unsigned long long)match);
    assert_string_equal(strchr(told[0], '\n') + 1, wanted);
    assert_memory_equal(told[0], "1 ", 2);
    test_client_send(&bob, "{\"type\":\"decline\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_DONE);
    snprintf(wanted, sizeof wanted, "\n2 d 0000000000000000 %016llx\n", (unsigned long long)match);
    assert_non_null(strstr(told[0], wanted));
    test_client_send(&ann, "{\"type\":\"relations\",\"what\":\"follow\",\"name\":\"Bob\"}");
    test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
    assert_int_equal(shares[0], 2); /* nobody else has to know */
    for (int i = 3; i <= 70; i++) {
        test_client_send(&ann, "{\"type\":\"relations\",\"what\":\"%s\",\"name\":\"Bob\"}",
                         i % 2 == 1 ? "block" : "unblock");
        test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
        arena_run(&arena, 5000);
    }
    snprintf(wanted, sizeof wanted, "70 b %016llx 0000000000000000\n", (unsigned long long)anns);
    assert_non_null(strstr(told[0], wanted));
    assert_int_equal(count_of(told[0], " b "), 64); /* the last ones, the oldest first */
    assert_non_null(strstr(told[0], "\n7 b "));
    assert_null(strstr(told[0], "\n6 b "));
}

static void who_is_connected_is_told_and_heard(void **unused) {
    (void)unused;
    char words[256];
    uint64_t anns = claim(&ann, "Ann", ANNS_KEY), bobs = claim(&bob, "Bob", BOBS_KEY);
    arena_run(&arena, 3000);
    assert_int_equal(shares[1], 1);
    snprintf(words, sizeof words, "%016llx\n", (unsigned long long)anns);
    assert_non_null(strstr(told[1], words));
    snprintf(words, sizeof words, "%016llx\n", (unsigned long long)bobs);
    assert_non_null(strstr(told[1], words));
    arena_run(&arena, 25000);
    assert_int_equal(shares[1], 1); /* nothing has changed */
    arena_run(&arena, 8000);
    assert_int_equal(shares[1], 2); /* said again, so that it is not forgotten */
    test_client_send(&ann, "{\"type\":\"relations\",\"what\":\"follow\",\"name\":\"Bob\"}");
    test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
    assert_int_equal(count_of(ann.received, "\"here\":true"), 1);
    test_client_release(&bob);
    arena_run(&arena, 2000);
    assert_int_equal(shares[1], 3);
    assert_null(strstr(told[1], words));
    test_client_send(&ann, "{\"type\":\"relations\"}");
    test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
    assert_int_equal(count_of(ann.received, "\"here\":false"), 1);
    snprintf(words, sizeof words, "2 %016x\n%016x\n%016llx\n", 9, 3, (unsigned long long)bobs);
    say(1, words); /* he is at the other node */
    test_client_send(&ann, "{\"type\":\"relations\"}");
    test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
    assert_int_equal(count_of(ann.received, "\"here\":true"), 2);
    arena_run(&arena, 101000); /* which has said nothing for so long that it is lost */
    test_client_send(&ann, "{\"type\":\"relations\"}");
    test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
    assert_int_equal(count_of(ann.received, "\"here\":true"), 2);
}

/* The list of programs to challenge. */
static const char *bots(void) {
    static char memory[1024];
    MashText text = text_over(memory, sizeof memory);
    assert_int_equal(fake_get(arena.server->net, "/api/v1/bots", &text), 200);
    return memory;
}

static void programs_of_all_nodes_are_listed(void **unused) {
    (void)unused;
    char token[PROTO_KEY_DIGITS + 1], words[256];
    claim(&ann, "Ann", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"bot\",\"name\":\"Ann Bot\"}");
    memcpy(token, test_client_expect(&ann, MESSAGE_SERVER_KEY)->key_made.key, sizeof token);
    test_client_join(&bob, &arena, "Whatever", "ai", "json");
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"%s\"}", token);
    test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT);
    uint64_t id = 0;
    for (const Session *one = arena.server->sessions; one != NULL; one = one->next_all)
        if (one->player->program)
            id = one->player->id;
    arena_run(&arena, 3000);
    snprintf(words, sizeof words, "\n%016llx +Ann Bot\n", (unsigned long long)id);
    assert_non_null(strstr(told[1], words));
    test_client_send(&bob, "{\"type\":\"open\",\"game\":\"zorde\",\"opponent\":\"ai\"}");
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 2000);
    snprintf(words, sizeof words, "\n%016llx -Ann Bot\n", (unsigned long long)id);
    assert_non_null(strstr(told[1], words));
    /* Two at the other node, one of them here as well, and a person. */
    snprintf(words, sizeof words, "2 %016x\n%016x +Other\n%016x -Busy\n%016llx +Ann Bot\n%016x\n",
             9, 3, 4, (unsigned long long)id, 5);
    say(1, words);
    assert_string_equal(bots(), "{\"bots\":[{\"name\":\"Ann Bot\",\"free\":false},"
                                "{\"name\":\"Other\",\"free\":true},"
                                "{\"name\":\"Busy\",\"free\":false}]}\n");
    say(1, "2 0000000000000009\n0000000000000003 +Oth"); /* as it came, without its end */
    assert_non_null(strstr(bots(), "{\"name\":\"Oth\",\"free\":true}"));
    say(1, "2 0000000000000009\n");
    assert_string_equal(bots(), "{\"bots\":[{\"name\":\"Ann Bot\",\"free\":false}]}\n");
}

/* Nothing of what another node may write harms this one. */
static void nonsense_is_not_believed(void **unused) {
    (void)unused;
    static const char *const all[] = {"",
                                      "2",
                                      "2 5",
                                      "2 5\nx",
                                      "2 5\n9 c",
                                      "2 5\n10 c ",
                                      "2 5\n11 ? 1 1\n",
                                      "1 5\n1 d 0 1\n",
                                      "\n\n\n",
                                      "2 5\n12 d 0\n"};
    claim(&ann, "Ann", ANNS_KEY);
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) {
        say(0, all[i]);
        say(1, all[i]);
    }
    test_client_send(&ann, "{\"type\":\"relations\"}");
    test_client_expect(&ann, MESSAGE_SERVER_RELATIONS);
    assert_string_equal(bots(), "{\"bots\":[]}\n");
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(a_challenge_of_another_node_is_told),
        ROW(what_was_said_before_the_start_is_no_news),
        ROW(a_challenge_declined_elsewhere_is_closed),
        ROW(who_is_blocked_elsewhere_is_blocked_here),
        ROW(devices_logged_out_elsewhere_are_out),
        ROW(an_account_deleted_elsewhere_is_gone),
        ROW(others_are_told_of_logging_out),
        ROW(others_are_told_what_happens_here),
        ROW(who_is_connected_is_told_and_heard),
        ROW(programs_of_all_nodes_are_listed),
        ROW(nonsense_is_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
