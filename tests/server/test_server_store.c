/* test_server_store.c -- the server and its store: the archive is read outside the loop and in fair
 * shares, matches of other rules are kept unchanged, no match starts on a nearly full disk, old
 * matches are deleted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/file.h"
#include "server/records.h"
#include "store/disk.h"
#include "tests/server/fake/fixture.h"
#include "tests/support/support.h"

enum { ASKS = 20, BODY_BYTES = 1 << 16 };

/* A match against an AI player that Ann resigns immediately; it is in the archive and its table is
 * closed. */
static void play_one(void) {
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"opponent\":\"ai\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_act(&ann); /* one of no action is not archived */
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_release(&ann);
    arena_run(&arena, 2 * (uint64_t)arena.setup.linger_ms);
    assert_int_equal(arena.server->tables_count, 0);
}

/* --- The archive outside the loop ------------------------------------------------------------- */

/* Concurrent requests. */
typedef struct PendingRequest {
    char body[256];
    MashText text;
    NetReply reply;
} PendingRequest;

static void ask(PendingRequest *asked, const char *path) {
    asked->text = text_over(asked->body, sizeof asked->body);
    asked->reply = (NetReply){.out = &asked->text};
    fake_ask(arena.server->net, path, &asked->reply);
}

static void lists_do_not_hold_up_the_loop(void **unused) {
    (void)unused;
    static PendingRequest asked[ASKS], other;
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
    arena_release(&arena); /* while requests are pending */
    assert_int_equal(other.reply.status, 503);
    arena_init(&arena, 1);
    arena_open(&arena);
}

/* A client that reconnects with the token of a finished match is told so, when the archive has
 * answered, and with the number of its own message. */
static void an_old_token_is_looked_up_outside_the_loop(void **unused) {
    (void)unused;
    char token[PROTO_TOKEN_DIGITS + 1];
    play_one();
    memcpy(token, ann.token, sizeof token);
    test_client_join(&bob, &arena, "Bob", "person", "json");
    char request[256];
    snprintf(request, sizeof request, "{\"type\":\"return\",\"id\":41,\"token\":\"%s\"}", token);
    test_client_send_nowait(&bob, request);
    snprintf(request, sizeof request, "{\"type\":\"games\",\"id\":42}");
    test_client_send_nowait(&bob, request);
    arena_run(&arena, 10);
    test_client_expect(&bob, MESSAGE_SERVER_GAMES);
    const Message *sent = test_client_expect(&bob, MESSAGE_SERVER_REFUSED);
    assert_string_equal(sent->refused.code, "match-over");
    assert_int_equal(sent->refused.id, 41);
    snprintf(request, sizeof request, "{\"type\":\"return\",\"id\":43,\"token\":\"%s\"}", token);
    uint64_t asked = arena.server->reader.asked;
    test_client_send_nowait(&bob, request);
    fake_cut(bob.connection); /* it arrives, and he disconnects before the answer */
    arena_run(&arena, 100);
    assert_int_equal(arena.server->reader.asked, asked + 1);
    assert_int_equal(arena.server->reader.waiting, 0);
    test_client_release(&bob);
}

/* --- Matches that cannot be restored ---------------------------------------------------------- */

/* Puts a match with these records into the journal of the server, which is closed. */
static void journal_match(uint64_t number, const char *beginning, uint32_t actions) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    StoreSetup setup = store_setup(arena.place);
    setup.single_threaded = true;
    Store *store = store_open(&setup, &problem);
    if (store == NULL)
        fail_msg("%s", memory);
    StoreRecord record = {.match = number,
                          .time_ms = (uint64_t)-5000, /* the clock was before 1970 */
                          .kind = RECORD_BEGIN,
                          .bytes = beginning,
                          .count = (uint32_t)strlen(beginning)};
    uint64_t ticket;
    assert_int_equal(store_append(store, &record, &ticket), STORE_OK);
    for (uint32_t i = 0; i < actions; i++) {
        static const uint8_t bytes[12] = {200, 1, 2, 3, 4, 5, 6, 7};
        record = (StoreRecord){
            .match = number, .time_ms = 1700000000000, .kind = RECORD_ACTION, .bytes = bytes};
        record.count = sizeof bytes;
        assert_int_equal(store_append(store, &record, &ticket), STORE_OK);
    }
    store_step(store);
    store_close(store);
}

static uint32_t lines_with(const char *words) {
    uint32_t count = 0;
    for (const char *at = arena.log; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

/* The file of the match in the archive, and what a reader of this version reports about it. */
static void read_archived(uint64_t number, char file[BODY_BYTES], MashProblem *found) {
    char code[PROTO_CODE_MAX + 1], path[64];
    table_code_encode(number, code);
    snprintf(path, sizeof path, "/api/match/%s", code);
    MashText text = text_over(file, BODY_BYTES);
    assert_int_equal(fake_get(arena.server->net, path, &text), 200);
    MashProblems problems = {.list = found, .max = 1};
    size_t bytes = match_file_bytes(text.count);
    void *memory = malloc(bytes);
    MatchFile match;
    assert_false(match_file_open(&match, "file", file, text.count, memory, bytes, &problems));
    assert_int_equal(problems.count, 1);
    free(memory);
}

static void a_match_of_other_rules_is_archived_as_it_stood(void **unused) {
    (void)unused;
    static const char players[] =
        "\"players\":[{\"name\":\"Ann\",\"role\":\"person\",\"token\":"
        "\"0123456789abcdef0123456789abcdef\",\"robot\":0},{\"name\":\"Bob\",\"role\":\"ai\"}]";
    static const char *const rows[][3] = {
        {"{\"game\":\"zorde\",\"version\":999,\"preset\":\"duel\",\"options\":[7],\"secret\":0,",
         "played with rules version 999", "different version of zorde"},
        {"{\"game\":\"mahjong\",\"version\":1,\"preset\":\"duel\",\"options\":[],\"secret\":0,",
         "unknown game \"mahjong\"", "different version of mahjong"},
        {"{\"game\":\"zorde\", this is no JSON ", "game", "unreadable"}};
    static char file[BODY_BYTES];
    for (uint64_t i = 0; i < 3; i++) {
        char beginning[512];
        arena_kill(&arena);
        snprintf(beginning, sizeof beginning, "%s%s%s", rows[i][0], players, i == 2 ? "" : "}");
        journal_match(100 + i, beginning, 2);
        arena_open(&arena);
        arena_run(&arena, 100);
        assert_int_equal(arena.server->tables_count, 0);
        assert_int_equal(store_stats(arena.server->store).matches, 0); /* no longer open */
        assert_true(lines_with("is archived as it stood") == i + 1);
        assert_true(lines_with(rows[i][2]) >= 1);
        MashProblem found;
        read_archived(100 + i, file, &found);
        assert_non_null(strstr(found.reason, rows[i][1]));
        assert_null(strstr(file, "0123456789abcdef")); /* no tokens */
        assert_non_null(strstr(file, "{\"n\":2,\"seat\":1,\"action\":\"c801020304050607\"}"));
    }
    arena_kill(&arena);
    arena_open(&arena); /* it was logged once */
    assert_int_equal(lines_with("is archived as it stood"), 3);
    MashText text = text_over(file, sizeof file);
    assert_int_equal(fake_get(arena.server->net, "/api/archive?player=ann", &text), 200);
    assert_non_null(strstr(file, "played with a different version of the rules"));
    assert_non_null(strstr(file, "\"started_ms\":0"));
    assert_null(strstr(file, "unknown")); /* a match that cannot be read may have been private */
}

/* The first actions of a match that goes on from another one are in its first record. */
static void a_match_that_goes_on_from_another_is_archived_whole(void **unused) {
    (void)unused;
    static const char beginning[] =
        "{\"game\":\"zorde\",\"version\":999,\"preset\":\"duel\",\"options\":[7],\"secret\":0,"
        "\"seed\":\"00000000000000000000000000000001\",\"from_turn\":1,\"begun\":"
        "\"AQALAAgIAAA=\",\"players\":[{\"name\":\"Ann\",\"role\":\"person\"},{\"name\":\"Bob\","
        "\"role\":\"ai\"}]}";
    static char file[BODY_BYTES];
    arena_kill(&arena);
    journal_match(200, beginning, 1);
    arena_open(&arena);
    arena_run(&arena, 100);
    MashProblem found;
    read_archived(200, file, &found);
    assert_non_null(strstr(file, "{\"n\":1,\"seat\":0,\"action\":\"01000b0008080000\"},"
                                 "{\"n\":2,\"seat\":1,\"action\":\"c801020304050607\"}]"));
    MashText text = text_over(file, sizeof file);
    assert_int_equal(fake_get(arena.server->net, "/api/archive?player=ann", &text), 200);
    assert_non_null(strstr(file, "\"actions\":2"));
}

/* --- Disk space ------------------------------------------------------------------------------- */

static uint64_t free_megabytes;

static int disk_space(void *owner, const char *folder, uint64_t *free, uint64_t *all) {
    (void)owner;
    (void)folder;
    *free = free_megabytes << 20;
    *all = (uint64_t)1 << 40;
    return 0;
}

static uint16_t get(const char *path, char body[BODY_BYTES]) {
    MashText text = text_over(body, BODY_BYTES);
    return fake_get(arena.server->net, path, &text);
}

/* The player to act in the only match acts, and both receive it. */
static void act(void) {
    const Table *table = arena.server->tables;
    const MashContent *content = table->match.content;
    TestClient *all[] = {&ann, &bob};
    for (uint32_t i = 0; i < 2; i++)
        while (test_client_has(all[i], MESSAGE_SERVER_POSITION))
            test_client_expect(all[i], MESSAGE_SERVER_POSITION);
    test_client_act(all[content->game->awaited(content, table->match.state) == 1 ? 0 : 1]);
}

static void a_disk_that_is_nearly_full_begins_nothing_and_ends_nothing(void **unused) {
    (void)unused;
    static char body[BODY_BYTES];
    StoreDisk disk = disk_real;
    disk.space = disk_space;
    free_megabytes = 1000;
    arena_kill(&arena);
    arena.setup.store.disk = &disk;
    arena_open(&arena);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_int_equal(get("/readyz", body), 200);
    free_megabytes = 255;
    act(); /* the store checks the disk, and the match continues */
    act();
    assert_int_equal(lines_with("is low on space: 255 MiB are free, and 256 MiB are reserved"), 1);
    test_client_join(&eve, &arena, "Eve", "person", "json");
    static const char *const requests[] = {
        "{\"type\":\"open\",\"game\":\"zorde\",\"opponent\":\"ai\"}",
        "{\"type\":\"seek\",\"game\":\"zorde\"}", "{\"type\":\"open\",\"game\":\"zorde\"}"};
    for (uint32_t i = 0; i < 3; i++) {
        test_client_send_nowait(&eve, requests[i]);
        arena_run(&arena, 10);
        const Message *sent = test_client_expect(&eve, MESSAGE_SERVER_REFUSED);
        assert_string_equal(sent->refused.code, "full");
        assert_string_equal(sent->refused.reason,
                            "The server is low on disk space; matches in progress continue.");
    }
    assert_int_equal(get("/readyz", body), 503);
    assert_int_equal(get("/metrics", body), 200);
    assert_non_null(strstr(body, "mashup_store_low 1\n"));
    assert_non_null(strstr(body, "mashup_low_refusals_total 3\n"));
    free_megabytes = 400;
    act();
    assert_int_equal(lines_with("has room again"), 1);
    test_client_send(&eve, "%s", requests[0]);
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    assert_int_equal(get("/readyz", body), 200);
    test_client_release(&ann);
    test_client_release(&bob);
    test_client_release(&eve);
    arena_release(&arena);
    arena_init(&arena, 1);
    arena_open(&arena);
}

static void matches_are_kept_so_many_days(void **unused) {
    (void)unused;
    static char body[BODY_BYTES];
    arena_kill(&arena);
    arena.setup.keep_days = 2;
    arena_open(&arena);
    play_one();
    assert_int_equal(get("/api/archive", body), 200);
    assert_non_null(strstr(body, "\"name\":\"Ann\""));
    arena_run(&arena, 86400000);
    get("/api/archive", body);
    assert_non_null(strstr(body, "\"name\":\"Ann\""));
    arena_run(&arena, 86400000);
    get("/api/archive", body);
    assert_string_equal(body, "{\"matches\":[]}\n");
    assert_int_equal(store_stats(arena.server->store).pruned, 1);
    play_one();
    arena.server->setup.keep_days = 0; /* changed while it runs: for ever */
    arena_run(&arena, (uint64_t)86400000 * 10);
    get("/api/archive", body);
    assert_non_null(strstr(body, "\"name\":\"Ann\""));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(lists_do_not_hold_up_the_loop),
        TEST(an_old_token_is_looked_up_outside_the_loop),
        TEST(a_match_of_other_rules_is_archived_as_it_stood),
        TEST(a_match_that_goes_on_from_another_is_archived_whole),
        TEST(a_disk_that_is_nearly_full_begins_nothing_and_ends_nothing),
        TEST(matches_are_kept_so_many_days),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
