/* test_server_erased.c -- deleted accounts: which bytes go from the files of the archive, and that
 * the server takes them out of those on the disk, also what a kill has interrupted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/erase_names.h"
#include "server/internal.h"
#include "server/names.h"
#include "tests/server/fake/fixture.h"

#define ANNS_KEY "00112233445566778899aabbccddeeff"
#define BOBS_KEY "ffeeddccbbaa99887766554433221100"

/* --- Bytes ------------------------------------------------------------------------------------ */

/* What is left of a file without the names of these seats. */
static void check(const char *before, const uint32_t *seats, uint32_t seats_count,
                  const char *after) {
    size_t count = strlen(before), left = 0;
    char *exact = malloc(count + 1); /* a byte too many is noticed */
    assert_non_null(exact);
    memcpy(exact, before, count);
    char *file = erase_names(exact, count, seats, seats_count, &left);
    assert_non_null(file);
    assert_int_equal(left, strlen(after));
    assert_memory_equal(file, after, left);
    free(file);
    free(exact);
}

static void names_of_a_match_go(void **unused) {
    static const uint32_t first[] = {0}, second[] = {1}, both[] = {0, 1}, others[] = {2, 7};
    (void)unused;
    const char *file =
        "{\n \"documents\":[{\"name\":\"a\",\"text\":\"\\\"players\\\":[\\\"x\\\"]\"}"
        "],\n \"players\": [\n \"A\\\"n\\\\\",\n \"Bob\"\n ],\"ratings\":[1,2],"
        "\"actions\":[{\"n\":1,\"seat\":0,\"word\":\"players\"}]}\n";
    check(file, first, 1,
          "{\n \"documents\":[{\"name\":\"a\",\"text\":\"\\\"players\\\":[\\\"x\\\"]\"}],\n "
          "\"players\": [\n \"deleted player\",\n \"Bob\"\n ],\"ratings\":[1,2],\"actions\":[{"
          "\"n\":1,\"seat\":0,\"word\":\"players\"}]}\n");
    check(file, second, 1,
          "{\n \"documents\":[{\"name\":\"a\",\"text\":\"\\\"players\\\":[\\\"x\\\"]\"}],\n "
          "\"players\": [\n \"A\\\"n\\\\\",\n \"deleted player\"\n ],\"ratings\":[1,2],\"actions\":"
          "[{\"n\":1,\"seat\":0,\"word\":\"players\"}]}\n");
    check("{\"players\":[\"Ann\",\"Bob\"]}", both, 2,
          "{\"players\":[\"deleted player\",\"deleted player\"]}");
    check(file, others, 2, file);
    check(file, NULL, 0, file);
    check("{\"notes\":[{\"players\":[\"Ann\"]}]}", first, 1,
          "{\"notes\":[{\"players\":[\"Ann\"]}]}");
    check("{\"title\":\"names\",\"names\":\"Ann\"}", first, 1,
          "{\"title\":\"names\",\"names\":\"Ann\"}");
}

static void names_of_a_tournament_go(void **unused) {
    static const uint32_t players[] = {11, 2};
    (void)unused;
    check("{\"title\":\"Cup\",\"players\":12,\"standings\":[{\"player\":1,\"name\":\"Ann\"},"
          "{\"player\":11,\"name\":\"Bob\"},{\"player\":2,\"name\":\"\"}],\"pairings\":[{"
          "\"players\":[1,11],\"names\":[\"Ann\",\"Bob\"]},{\"players\":[2],\"names\":[\"Cat\"]},"
          "{\"names\":[\"Dan\",\"Eve\"]},{\"players\":[111,1],\"names\":[\"Eve\",\"Ann\"]}]}",
          players, 2,
          "{\"title\":\"Cup\",\"players\":12,\"standings\":[{\"player\":1,\"name\":\"Ann\"},"
          "{\"player\":11,\"name\":\"deleted player\"},{\"player\":2,\"name\":\"deleted player\"}],"
          "\"pairings\":[{\"players\":[1,11],\"names\":[\"Ann\",\"deleted player\"]},{\"players\":"
          "[2],\"names\":[\"deleted player\"]},{\"names\":[\"deleted player\",\"Eve\"]},"
          "{\"players\":[111,1],\"names\":[\"Eve\",\"Ann\"]}]}");
}

/* Whatever is cut off or wrong, nothing but names is replaced, and nothing beyond the end is read.
 */
static void damaged_files_are_survived(void **unused) {
    static const uint32_t both[] = {0, 1};
    static const char whole[] = "{\"players\":[\"Ann\",\"Bob\"],\"a\":[{\"player\":0,\"name\":\"\\u"
                                "0041\"}],\"names\":[\"x\"]}";
    (void)unused;
    for (size_t count = 0; count < sizeof whole; count++) {
        char *part = malloc(count + 1);
        size_t left;
        assert_non_null(part);
        memcpy(part, whole, count);
        char *file = erase_names(part, count, both, 2, &left);
        assert_non_null(file);
        assert_true(count < 17 ? left == count : memcmp(file, "{\"players\":[\"deleted", 20) == 0);
        free(file);
        free(part);
    }
    static const char *const same[] = {"",
                                       "\"",
                                       "\"\\",
                                       "{\"player\":",
                                       "]]}",
                                       "{\"name\":\"Ann\"}",
                                       "{\"names\":[[\"Ann\"]]}",
                                       "{\"player\":99999999999999999999,\"name\":\"Ann\"}"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        check(same[i], both, 2, same[i]);
}

/* --- A server --------------------------------------------------------------------------------- */

/* Connects, and makes an account. */
static void claim(TestClient *client, const char *name, const char *key) {
    test_client_join(client, &arena, "Somebody", "person", "json");
    test_client_send(client, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"%s\"}", key, name);
    test_client_expect(client, MESSAGE_SERVER_ACCOUNT);
}

/* Ann and Bob begin a match. */
static void begin(void) {
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"tablut\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_act(&ann);
}

/* They play one to its end. */
static void play(void) {
    begin();
    test_client_send(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 3000);
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_send(&bob, "{\"type\":\"leave\"}");
    arena_run(&arena, 700000); /* nobody has the table in memory any more */
    test_client_forget(&ann);
    test_client_forget(&bob);
}

/* Is a name in a file of matches on the disk? */
static bool on_disk(const char *name) {
    char command[200];
    snprintf(command, sizeof command, "grep -raq '%s' '%s/archive' '%s/index.sqlite'*", name,
             arena.folder, arena.folder);
    return system(command) == 0;
}

/* Lets time pass until all names are out, as far as they can be. */
static void settle(uint64_t taken) {
    for (int i = 0; i < 1000 && arena.server->erased.taken < taken; i++)
        arena_run(&arena, 100);
    assert_int_equal(arena.server->erased.taken, taken);
}

/* The names of a match, as the archive's file has them. */
static void expect_names(const char *code, const char *first, const char *second) {
    uint64_t number;
    char *file = NULL, wanted[200];
    size_t count = 0;
    assert_true(table_code_decode(code, &number));
    assert_int_equal(erased_read(arena.server->store, number, &file, &count), STORE_OK);
    snprintf(wanted, sizeof wanted, "\"players\": [\n    \"%s\",\n    \"%s\"\n  ]", first, second);
    char *text = calloc(1, count + 1);
    assert_non_null(text);
    memcpy(text, file, count);
    assert_non_null(strstr(text, wanted));
    free(text);
    free(file);
}

static void a_deleted_name_leaves_the_disk(void **unused) {
    char code[PROTO_CODE_MAX + 1];
    (void)unused;
    claim(&ann, "Ann Deleted", ANNS_KEY);
    claim(&bob, "Bob Remains", BOBS_KEY);
    play();
    memcpy(code, ann.code, sizeof code);
    assert_true(on_disk("Ann Deleted") && on_disk("Bob Remains"));
    test_client_send(&ann, "{\"type\":\"delete\",\"name\":\"ann deleted\"}");
    test_client_expect(&ann, MESSAGE_SERVER_DONE);
    expect_names(code, "deleted player", "Bob Remains");
    settle(1);
    assert_true(!on_disk("Ann Deleted") && on_disk("Bob Remains"));
    expect_names(code, "deleted player", "Bob Remains");
}

/* The server is gone between the answer of the store and the work: nobody is shown the name any
 * more, and the work is done when it is back. */
static void a_kill_delays_only_the_disk(void **unused) {
    char code[PROTO_CODE_MAX + 1], folded[NAME_FOLDED_BYTES];
    uint64_t gone[STORE_GONE_MAX];
    uint32_t count;
    StoreAccount account;
    (void)unused;
    claim(&ann, "Ann Deleted", ANNS_KEY);
    claim(&bob, "Bob Remains", BOBS_KEY);
    play();
    memcpy(code, ann.code, sizeof code);
    Store *store = arena.server->store;
    assert_true(name_fold("Ann Deleted", folded));
    assert_int_equal(store_account_named(store, folded, &account), STORE_OK);
    assert_int_equal(store_account_delete(store, account.id, 1, gone, &count), STORE_OK);
    expect_names(code, "deleted player", "Bob Remains");
    assert_true(on_disk("Ann Deleted"));
    arena_kill(&arena);
    arena_open(&arena);
    assert_true(erased_is_gone(arena.server, account.id));
    assert_false(erased_is_gone(arena.server, account.id + 1) || erased_is_gone(arena.server, 0));
    expect_names(code, "deleted player", "Bob Remains");
    settle(1);
    assert_false(on_disk("Ann Deleted"));
}

/* How many matches a list finds by a name (NULL: all), pages of two put together. The players of
 * the first of them. */
static uint32_t listed(const char *name, StoreEntry *first) {
    StoreEntry page[2];
    StoreFilter filter = {.player = name};
    uint32_t count = 2, all = 0;
    while (count == 2) {
        assert_int_equal(erased_list(arena.server->store, &filter, page, 2, &count), STORE_OK);
        if (all == 0 && count > 0)
            *first = page[0];
        all += count;
        filter.after_ms = count > 0 ? page[count - 1].ended_ms : 0;
        filter.after = count > 0 ? page[count - 1].match : 0;
    }
    return all;
}

/* As long as the index still has the name: lists neither have it nor find anything by it. */
static void lists_leave_the_name_out(void **unused) {
    char folded[NAME_FOLDED_BYTES];
    uint64_t gone[STORE_GONE_MAX];
    uint32_t count;
    StoreAccount account;
    StoreEntry first;
    (void)unused;
    claim(&ann, "Ann Deleted", ANNS_KEY);
    claim(&bob, "Bob Remains", BOBS_KEY);
    for (int i = 0; i < 5; i++)
        play();
    Store *store = arena.server->store;
    assert_int_equal(listed("ann deleted", &first), 5);
    assert_string_equal(first.players[0].name, "Ann Deleted");
    assert_true(name_fold("Ann Deleted", folded));
    assert_int_equal(store_account_named(store, folded, &account), STORE_OK);
    assert_int_equal(store_account_delete(store, account.id, 1, gone, &count), STORE_OK);
    assert_true(on_disk("Ann Deleted"));
    assert_int_equal(listed("ann deleted", &first), 0);
    assert_int_equal(listed("deleted player", &first), 0);
    assert_int_equal(listed("BOB remains", &first), 5);
    assert_int_equal(listed(NULL, &first), 5);
    assert_string_equal(first.players[0].name, "deleted player");
    assert_string_equal(first.players[1].name, "Bob Remains");
}

/* A match of these two, numbered, that all ended at the same time, in the archive. */
static void archive_match(uint64_t number, const char *first, const char *second) {
    uint64_t ticket;
    StoreEntry entry = {
        .match = number, .started_ms = 1000, .ended_ms = 2000, .winner = 0, .players_count = 2};
    snprintf(entry.game, sizeof entry.game, "tablut");
    snprintf(entry.reason, sizeof entry.reason, "resigned");
    snprintf(entry.players[0].name, sizeof entry.players[0].name, "%s", first);
    snprintf(entry.players[1].name, sizeof entry.players[1].name, "%s", second);
    assert_int_equal(store_finish(arena.server->store, &entry, "{}", 2, &ticket), STORE_OK);
    server_poll_store(arena.server);
}

/* Matches that ended in the same millisecond, of which a page has fewer than are left out: nothing
 * is missed, nor found twice. And "deleted player" finds whom the archive calls so, but nobody
 * whose name is only just taken out. */
static void pages_of_matches_that_ended_together(void **unused) {
    enum { MATCHES = 120 }; /* two thirds of them are more names than are read at once */
    uint64_t gone[STORE_GONE_MAX];
    char folded[NAME_FOLDED_BYTES];
    uint32_t count;
    StoreAccount account;
    StoreEntry first;
    (void)unused;
    claim(&ann, "Ann", ANNS_KEY);
    assert_true(name_fold("Ann", folded));
    Store *store = arena.server->store;
    assert_int_equal(store_account_named(store, folded, &account), STORE_OK);
    for (uint64_t i = 1; i <= MATCHES; i++) {
        if (i % 3 != 0) /* the other ones are of a guest of that name */
            assert_int_equal(store_named(store, account.id, i, 0), STORE_OK);
        archive_match(i, "Ann", i % 2 == 0 ? "Deleted Player" : "Bob");
    }
    arena_run(&arena, 1000);
    assert_int_equal(listed("ann", &first), MATCHES);
    assert_int_equal(store_account_delete(store, account.id, 1, gone, &count), STORE_OK);
    assert_int_equal(listed("ann", &first), MATCHES / 3);
    assert_int_equal(listed("bob", &first), MATCHES - MATCHES / 2);
    assert_int_equal(listed("deleted player", &first), MATCHES / 2);
    assert_int_equal(listed(NULL, &first), MATCHES);
}

/* A match of one account against itself is not counted, and loses both names. */
static void a_match_against_oneself_loses_both_names(void **unused) {
    char code[PROTO_CODE_MAX + 1];
    (void)unused;
    claim(&ann, "Ann Deleted", ANNS_KEY);
    test_client_join(&bob, &arena, "Somebody", "person", "json");
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"%s\"}", ANNS_KEY);
    test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT);
    play();
    memcpy(code, ann.code, sizeof code);
    expect_names(code, "Ann Deleted", "Ann Deleted");
    test_client_send(&ann, "{\"type\":\"delete\",\"name\":\"Ann Deleted\"}");
    expect_names(code, "deleted player", "deleted player");
    settle(2);
    assert_false(on_disk("Ann Deleted"));
}

/* More names than one look at the store takes. */
static void many_names_go(void **unused) {
    enum { MATCHES = 70 };
    (void)unused;
    claim(&ann, "Ann Deleted", ANNS_KEY);
    claim(&bob, "Bob Remains", BOBS_KEY);
    for (int i = 0; i < MATCHES; i++)
        play();
    test_client_send(&ann, "{\"type\":\"delete\",\"name\":\"Ann Deleted\"}");
    settle(MATCHES);
    assert_true(!on_disk("Ann Deleted") && on_disk("Bob Remains"));
}

/* The account was deleted at another node, which this one has not heard of yet: whoever counts the
 * match is told by the store. */
static void the_end_of_a_match_asks_the_store(void **unused) {
    char code[PROTO_CODE_MAX + 1], folded[NAME_FOLDED_BYTES];
    uint64_t gone[STORE_GONE_MAX];
    uint32_t count;
    StoreAccount account;
    (void)unused;
    claim(&ann, "Ann Deleted", ANNS_KEY);
    claim(&bob, "Bob Remains", BOBS_KEY);
    begin();
    memcpy(code, ann.code, sizeof code);
    assert_true(name_fold("Ann Deleted", folded));
    assert_int_equal(store_account_named(arena.server->store, folded, &account), STORE_OK);
    assert_int_equal(store_account_delete(arena.server->store, account.id, 1, gone, &count),
                     STORE_OK);
    assert_false(erased_is_gone(arena.server, account.id));
    test_client_send(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 3000);
    expect_names(code, "deleted player", "Bob Remains");
    assert_true(!on_disk("Ann Deleted") && on_disk("Bob Remains"));
}

/* Whoever has a picture with the name is sent another. */
static void a_picture_is_drawn_anew(void **unused) {
    static char body[1 << 16];
    char path[64], known[80];
    MashText out = text_over(body, sizeof body);
    NetReply reply = {.out = &out};
    (void)unused;
    claim(&ann, "Ann Deleted", ANNS_KEY);
    claim(&bob, "Bob Remains", BOBS_KEY);
    play();
    snprintf(path, sizeof path, "/picture/%s.svg", ann.code);
    for (int i = 0; i < 3; i++) {
        text_clear(&out);
        fake_ask(arena.server->net, path, &reply);
        while (reply.later)
            fake_run(arena.loop, 1);
        assert_int_equal(reply.status, i == 1 ? 304 : 200);
        assert_true(i == 1 || strstr(body, i == 0 ? "Ann Deleted" : "deleted player") != NULL);
        assert_true(i == 0 || strstr(body, "Ann Deleted") == NULL);
        snprintf(known, sizeof known, "\"%s\"", reply.etag);
        fake_if_none_match(arena.loop, known);
        if (i == 1)
            test_client_send(&ann, "{\"type\":\"delete\",\"name\":\"ann deleted\"}");
    }
    fake_if_none_match(arena.loop, NULL);
}

/* A match that runs when the account is deleted has the name nowhere when it is over. */
static void a_match_that_runs_ends_without_the_name(void **unused) {
    char code[PROTO_CODE_MAX + 1];
    (void)unused;
    claim(&ann, "Ann Deleted", ANNS_KEY);
    claim(&bob, "Bob Remains", BOBS_KEY);
    begin();
    memcpy(code, ann.code, sizeof code);
    test_client_send(&ann, "{\"type\":\"delete\",\"name\":\"ann deleted\"}");
    test_client_forget(&ann);
    arena_kill(&arena);
    arena_open(&arena);
    arena_run(&arena, 700000);
    expect_names(code, "deleted player", "Bob Remains");
    assert_true(!on_disk("Ann Deleted") && on_disk("Bob Remains"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_a_match_go),
        cmocka_unit_test(names_of_a_tournament_go),
        cmocka_unit_test(damaged_files_are_survived),
        TEST(a_deleted_name_leaves_the_disk),
        TEST(a_kill_delays_only_the_disk),
        TEST(a_match_against_oneself_loses_both_names),
        TEST(many_names_go),
        TEST(the_end_of_a_match_asks_the_store),
        TEST(lists_leave_the_name_out),
        TEST(pages_of_matches_that_ended_together),
        TEST(a_picture_is_drawn_anew),
        TEST(a_match_that_runs_ends_without_the_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
