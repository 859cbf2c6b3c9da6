/* test_server_safety.c -- what must never happen: hidden information sent, actions sent before they
 * are durable, harm by strangers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "server/arena.h"
#include "store/disk.h"
#include "tests/server/fake/fixture.h"
#include "tests/support/support.h"

static TestClient otto;

/* --- No hidden information is sent ------------------------------------------------------------ */

/* The newest position is the last message read. */
static void catch_up(TestClient *client) {
    while (test_client_has(client, MESSAGE_SERVER_POSITION))
        test_client_expect(client, MESSAGE_SERVER_POSITION);
}

static void move(TestClient *client, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An action by its notation. */
static void move(TestClient *client, const char *format, ...) {
    char word[128];
    va_list list;
    va_start(list, format);
    vsnprintf(word, sizeof word, format, list);
    va_end(list);
    catch_up(client);
    int32_t before = client->number;
    test_client_send(client, "{\"type\":\"act\",\"position\":%d,\"word\":\"%s\"}", before, word);
    test_client_expect(client, MESSAGE_SERVER_POSITION);
    assert_true(client->number > before);
}

/* The short name of the unit on a cell of the last position. */
static void name_at(TestClient *client, int x, int y, char name[16]) {
    char words[48];
    catch_up(client);
    snprintf(words, sizeof words, "\"place\":\"board\",\"x\":%d,\"y\":%d", x, y);
    const char *found = strstr(client->message.position.board.bytes, words);
    assert_non_null(found);
    while (strncmp(found, "\"name\":\"", 8) != 0)
        found--;
    snprintf(name, 16, "%.*s", (int)strcspn(found + 8, "\""), found + 8);
}

/* What Bob and two spectators have received of a match. */
typedef struct ReceivedFrames {
    char *received[3];
} ReceivedFrames;

static char *copy_of(const TestClient *client) {
    char *copy = malloc(client->received_count + 1);
    assert_non_null(copy);
    return memcpy(copy, client->received, client->received_count + 1);
}

/* A match of Generals. Ann's pieces are on the same cells in both versions, but two of them are
 * swapped; one of these wins a battle that either would win. */
static ReceivedFrames play_world(int world) {
    static const char *const ranks[2] = {"hulk", "iron-man"};
    char piece[16];
    arena_init(&arena, 7);
    arena_open(&arena);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_join(&otto, &arena, "Otto", "watcher", "bytes");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"generals\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_send(&otto, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    uint32_t frames = bob.frames + eve.frames + otto.frames;
    move(&ann, "place %s 3 2", ranks[world]);
    move(&ann, "place %s 4 2", ranks[1 - world]);
    move(&ann, "random");
    move(&ann, "ready");
    assert_int_equal(bob.frames + eve.frames + otto.frames, frames);
    test_client_send(&bob, "{\"type\":\"pause\"}");
    test_client_send(&bob, "{\"type\":\"continue\"}");
    move(&bob, "layout");
    move(&bob, "ready");
    name_at(&ann, 3, 2, piece);
    for (int y = 3; y <= 5; y++) {
        move(&ann, "move %s 3 %d", piece, y);
        catch_up(&bob);
        test_client_act(&bob);
    }
    assert_non_null(strstr(eve.received, "\"kind\":\"fought\""));
    name_at(&ann, 4, 2, piece);
    move(&ann, "move %s 4 3", piece);
    ReceivedFrames record = {{copy_of(&bob), copy_of(&eve), copy_of(&otto)}};
    test_client_release(&ann);
    test_client_release(&bob);
    test_client_release(&eve);
    test_client_release(&otto);
    arena_release(&arena);
    return record;
}

static void ranks_stay_hidden_on_the_wire(void **unused) {
    (void)unused;
    ReceivedFrames a = play_world(0), b = play_world(1);
    for (int i = 0; i < 3; i++) {
        assert_true(strlen(a.received[i]) > 1000);
        assert_string_equal(a.received[i], b.received[i]);
        free(a.received[i]);
        free(b.received[i]);
    }
}

/* The start of a match of Generals in which Ann has placed everything and is ready, or has only
 * connected: what Bob and a spectator who joins late receive meanwhile. */
static ReceivedFrames begin_world(bool ready) {
    arena_init(&arena, 7);
    arena_open(&arena);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_join(&otto, &arena, "Otto", "watcher", "bytes");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"generals\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    for (int i = 0; i < 2; i++) {
        if (ready)
            move(&ann, i == 0 ? "layout" : "ready");
        else
            test_client_send(&ann, "{\"type\":\"here\"}");
    }
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_send(&otto, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_send(&bob, "{\"type\":\"pause\"}");
    test_client_send(&bob, "{\"type\":\"continue\"}");
    move(&bob, "layout");
    arena_run(&arena, 10000);
    ReceivedFrames record = {{copy_of(&bob), copy_of(&eve), copy_of(&otto)}};
    test_client_release(&ann);
    test_client_release(&bob);
    test_client_release(&eve);
    test_client_release(&otto);
    arena_release(&arena);
    return record;
}

static void nobody_learns_who_is_ready(void **unused) {
    (void)unused;
    ReceivedFrames a = begin_world(true), b = begin_world(false);
    for (int i = 0; i < 3; i++) {
        assert_non_null(strstr(a.received[i], "\"turn\":["));
        assert_string_equal(a.received[i], b.received[i]);
        free(a.received[i]);
        free(b.received[i]);
    }
}

static void spectators_see_all_where_allowed(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    fake_address(arena.loop, "5.6.7.8");
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"generals\",\"seat\":0,\"glass\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    assert_true(test_client_expect(&eve, MESSAGE_SERVER_TABLE)->table.open_to_spectators);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    uint32_t bobs = bob.frames;
    move(&ann, "layout");
    assert_int_equal(bob.frames, bobs);
    const Message *seen = test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    assert_int_equal(eve.number, 2);
    assert_non_null(
        strstr(seen->position.board.bytes, "\"kind_id\":\"thor\",\"seat\":0,\"place\":\"board\""));
    test_client_release(&ann);
    test_client_release(&bob);
    test_client_release(&eve);
}

/* --- Nothing is sent before it is durable ----------------------------------------------------- */

static bool disk_is_broken;

static int broken_sync(void *owner, int file, bool whole) {
    return disk_is_broken ? -1 : disk_real.sync(owner, file, whole);
}

static void nobody_hears_of_what_is_not_safe(void **unused) {
    (void)unused;
    StoreDisk disk = disk_real;
    disk.sync = broken_sync;
    disk_is_broken = false;
    arena_init(&arena, 1);
    arena.setup.store.disk = &disk;
    arena_open(&arena);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"opponent\":\"ai\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    arena_run(&arena, 100);
    test_client_forget(&ann);
    disk_is_broken = true;
    test_client_send(&ann, "{\"type\":\"draw\",\"what\":\"accept\"}");
    test_client_refused(&ann, "no-draw-offered");
    test_client_forget(&ann);
    test_client_send(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 1000);
    assert_int_equal(ann.frames, 0);
    assert_true(arena.stopped && arena.failed);
    assert_non_null(strstr(arena.log, "the store has failed"));
    char body[256];
    MashText out = text_over(body, sizeof body);
    assert_int_equal(fake_get(arena.server->net, "/healthz", &out), 503);
    test_client_release(&ann);
    arena_kill(&arena);
    disk_is_broken = false;
    arena.setup.store.disk = NULL;
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 1);
    arena_release(&arena);
}

static unsigned long long content_hash(const char *game, const char *preset) {
    MashContent *content = support_content(mash_game_find(game), preset);
    unsigned long long hash = content->hash;
    support_free(content);
    return hash;
}

/* Writes a match into the journal: its beginning, then an action. */
static void write_match(Store *store, uint64_t number, const char *beginning, uint16_t kind,
                        const char *action) {
    uint64_t ticket;
    StoreRecord record = {
        .match = number, .kind = 1, .bytes = beginning, .count = (uint32_t)strlen(beginning)};
    assert_int_equal(store_append(store, &record, &ticket), STORE_OK);
    record.kind = kind;
    record.bytes = action;
    record.count = 12;
    assert_int_equal(store_append(store, &record, &ticket), STORE_OK);
    store_step(store);
}

static void unreadable_matches_stay_in_the_journal(void **unused) {
    (void)unused;
    static const char head[] = "{\"game\":\"zorde\",\"version\":%d,\"preset\":\"%s\","
                               "\"options\":[],\"seed\":\"%032d\",\"content\":\"%016llx\","
                               "\"turn_ms\":0,\"match_ms\":0,\"pause_ms\":0,\"silence_ms\":0,"
                               "\"grace_ms\":%d,\"secret\":0,\"glass\":0,\"quick\":0,"
                               "\"players\":[{\"name\":\"A\",\"role\":\"ai\",\"token\":\"a\","
                               "\"robot\":0},{\"name\":\"B\",\"role\":\"ai\",\"token\":\"b\","
                               "\"robot\":%d}]}";
    static const char resign[12] = {(char)MASH_VERB_RESIGN, 1};
    char text[1024], memory[256];
    MashText problem = text_over(memory, sizeof memory);
    arena_init(&arena, 1);
    Store *store = store_open(&arena.setup.store, &problem);
    assert_non_null(store);
    int version = (int)mash_game_find("zorde")->version;
    unsigned long long hash = content_hash("zorde", "duel");
    write_match(store, 1, "nonsense", 2, resign);
    write_match(store, 2, "{\"game\":\"chess\",\"version\":1}", 2, resign);
    snprintf(text, sizeof text, head, version + 1, "duel", 1, hash, 0, 0);
    write_match(store, 3, text, 2, resign);
    snprintf(text, sizeof text, head, version, "duel", 1, hash ^ 1, 0, 0);
    write_match(store, 4, text, 2, resign);
    snprintf(text, sizeof text, head, version, "none", 1, hash, 0, 0);
    write_match(store, 5, text, 2, resign);
    snprintf(text, sizeof text, head, version, "duel", 1, hash, 0, 99);
    write_match(store, 6, text, 2, resign);
    snprintf(text, sizeof text, head, version, "duel", 1, hash, 0, 0);
    write_match(store, 7, text, 3, resign);
    write_match(store, 8, text, 2, "impossible!!");
    write_match(store, 9, text, 2, resign);
    for (uint64_t players = 0; players < 4; players++) { /* two are right */
        char *end = strstr(text, "\"players\"");
        snprintf(end, sizeof text - (size_t)(end - text), "\"players\":[");
        for (uint64_t i = 0; i < players; i++)
            snprintf(end + strlen(end), sizeof text - strlen(text), "%s%s", i == 0 ? "" : ",",
                     "{\"name\":\"A\",\"role\":\"ai\",\"token\":\"a\",\"robot\":0}");
        snprintf(end + strlen(end), sizeof text - strlen(text), "]}");
        if (players != MASH_SEATS)
            write_match(store, 10 + players, text, 2, resign);
    }
    store_close(store);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 1);
    assert_int_equal(arena.server->tables_count, 1); /* the one that is over */
    assert_int_equal(arena.server->tables->number, 9);
    uint32_t given_up = 0;
    for (const char *c = strstr(arena.log, "cannot restore"); c != NULL;
         c = strstr(c + 1, "cannot restore"))
        given_up++;
    assert_int_equal(given_up, 11);
    arena_run(&arena, 100);
    char body[1024];
    MashText out = text_over(body, sizeof body);
    assert_int_equal(fake_get(arena.server->net, "/api/archive", &out), 200);
    assert_null(strstr(body, "0000-0000-0009")); /* nobody has done anything in it */
    assert_int_equal(arena.server->stats.forgotten, 1);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 0);
    arena_release(&arena);
}

/* --- Strangers -------------------------------------------------------------------------------- */

/* A match between Ann and Bob that Ann disturbs with `spoil`. */
static void spoiled(void (*spoil)(TestClient *), const char *code) {
    test_client_join(&ann, &arena, "Ann", "ai", "json");
    test_client_join(&bob, &arena, "Bob", "ai", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    spoil(&ann);
    arena_run(&arena, 20);
    test_client_refused(&ann, code);
    assert_null(ann.connection);
    assert_int_equal(ann.close_code, NET_CLOSE_POLICY);
    const Message *end = test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    char result[48];
    snprintf(result, sizeof result, "\"winner\":1,\"reason\":%d", MASH_REASON_INVALID);
    assert_non_null(strstr(end->position.result.bytes, result));
    test_client_release(&ann);
    test_client_release(&bob);
}

/* An AI player for which the thread pool is full tries again. */
static void a_busy_thread_pool_is_asked_again(void **unused) {
    (void)unused;
    net_thread_pool_close(arena.server->thread_pool);
    arena.server->thread_pool = net_thread_pool_open(arena.loop, 1, 0);
    test_client_join(&ann, &arena, "Ann", "ai", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"generals\",\"opponent\":\"ai\"}");
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_int_not_equal(arena.server->tables->robot_retry_ms, 0);
    assert_int_equal(arena.server->thinking, 0);
    net_thread_pool_close(arena.server->thread_pool);
    arena.server->thread_pool = net_thread_pool_open(arena.loop, 1, 1);
    arena_run(&arena, 200);
    assert_true(arena.server->stats.ai_jobs > 0);
    test_client_release(&ann);
}

static void say_nonsense(TestClient *client) { test_client_send_nowait(client, "{\"type\":"); }
static void say_unknown(TestClient *client) {
    test_client_send_nowait(client, "{\"type\":\"win\"}");
}
static void say_binary(TestClient *client) { fake_send_binary(client->connection); }

static void what_is_no_message_costs_the_match(void **unused) {
    (void)unused;
    spoiled(say_nonsense, "broken");
    spoiled(say_unknown, "broken");
    spoiled(say_binary, "broken");
}

static void hello_comes_first_and_once(void **unused) {
    (void)unused;
    test_client_connect(&ann, &arena, "/arena");
    test_client_send(&ann, "{\"type\":\"matches\"}");
    test_client_refused(&ann, "hello-first");
    test_client_send(&ann, "{\"type\":\"hello\",\"name\":\"\\u200b \",\"role\":\"ai\"}");
    test_client_refused(&ann, "no-name");
    arena_run(&arena, 10);
    assert_null(ann.connection);
    test_client_release(&ann);
    test_client_connect(&ann, &arena, "/arena");
    test_client_send(&ann, "{\"type\":\"hello\",\"name\":\"A\",\"role\":\"ai\",\"protocol\":2}");
    test_client_refused(&ann, "other-version");
    test_client_send(&ann, "{\"type\":\"hello\",\"name\":\" A\\u202e  b \",\"role\":\"ai\"}");
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_WELCOME)->welcome.name, "A b");
    test_client_send(&ann, "{\"type\":\"hello\",\"name\":\"B\",\"role\":\"ai\"}");
    test_client_refused(&ann, "hello-twice");
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"chess\"}");
    test_client_refused(&ann, "no-such-game");
    arena_run(&arena, 10);
    assert_null(ann.connection);
    test_client_release(&ann);
}

/* Sends the request this many times in a burst; how many of the answers are of this kind. */
static uint32_t flood(TestClient *client, const char *request, uint32_t times, MessageKind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < times; i++)
        test_client_send_nowait(client, request);
    arena_run(&arena, 10);
    while (client->mark < client->received_count) {
        test_client_next(client);
        count += client->message.kind == kind;
    }
    return count;
}

static void rate_limits_protect_other_clients(void **unused) {
    (void)unused;
    static const char chat[] = "{\"type\":\"chat\",\"text\":\"buy\"}";
    uint32_t burst = arena.setup.request_rate.burst, second = arena.setup.request_rate.per_second;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    assert_int_equal(flood(&ann, "{\"type\":\"matches\"}", 3 * burst, MESSAGE_SERVER_MATCHES),
                     burst);
    assert_string_equal(ann.message.refused.code, "too-fast");
    assert_non_null(ann.connection);
    arena_run(&arena, 1000);
    assert_int_equal(flood(&ann, "{\"type\":\"games\"}", 3 * burst, MESSAGE_SERVER_GAMES), second);
    arena_run(&arena, 60000);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(flood(&ann, chat, 3 * burst, MESSAGE_SERVER_CHAT), burst - 1);
    /* Spectators share one rate limit beside their own, and do not block the players. */
    TestClient crowd[8];
    uint32_t received = 0;
    for (uint32_t i = 0; i < 8; i++) {
        test_client_join(&crowd[i], &arena, "Eve", "watcher", "json");
        test_client_send(&crowd[i], "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
        test_client_expect(&crowd[i], MESSAGE_SERVER_TABLE);
    }
    arena_run(&arena, 60000);
    test_client_forget(&ann);
    for (uint32_t i = 0; i < 8; i++)
        flood(&crowd[i], chat, burst, MESSAGE_SERVER_CHAT);
    for (; test_client_has(&ann, MESSAGE_SERVER_CHAT); received++)
        test_client_expect(&ann, MESSAGE_SERVER_CHAT);
    assert_true(received >= WATCHERS_CHAT_SHARE * burst &&
                received < WATCHERS_CHAT_SHARE * burst + 8);
    test_client_send(&ann, "%s", chat);
    test_client_expect(&ann, MESSAGE_SERVER_CHAT);
    for (uint32_t i = 0; i < 8; i++)
        test_client_release(&crowd[i]);
    test_client_release(&ann);
}

static void names_show_what_they_are(void **unused) {
    (void)unused;
    static const char *const rows[][2] = {
        {"\xe3\x85\xa4", ""},              /* a Hangul filler */
        {"\xe2\xa0\x80 \xef\xbe\xa0", ""}, /* a Braille blank, another filler */
        {"A\xcd\x8f\xef\xb8\x8f"
         "B",
         "AB"}, /* a joiner, a variation selector */
        {"\xe2\x80\xae"
         "evil\xe2\x81\xa6",
         "evil"}, /* writing turned around */
        {"  a \t\x7f b\xc2\x85 ", "a b"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
        {"\xff\xfe"
         "x",
         "x"}, /* no UTF-8 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char words[64];
        snprintf(words, sizeof words, "%s", rows[i][0]);
        assert_int_equal(session_sanitize(words), rows[i][1][0] != '\0');
        assert_string_equal(words, rows[i][1]);
    }
}

/* Is the number in one of the ranges? */
static bool within(uint32_t number, const uint32_t ranges[][2], size_t count) {
    for (size_t i = 0; i < count; i++)
        if (number >= ranges[i][0] && number <= ranges[i][1])
            return true;
    return false;
}

/* Between two letters every blank becomes one space, what is invisible or turns the writing around
 * is left out, and every other character stays: each range of Unicode to its ends. */
static void every_character_is_kept_or_dropped(void **unused) {
    (void)unused;
    static const uint32_t blank[][2] = {{0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680},
                                        {0x2000, 0x200A}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                        {0x2800, 0x2800}, {0x3000, 0x3000}};
    static const uint32_t invisible[][2] = {
        {0x01, 0x1F},     {0x7F, 0x9F},      {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},
        {0x115F, 0x1160}, {0x17B4, 0x17B5},  {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E},
        {0x2060, 0x206F}, {0x3164, 0x3164},  {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB}, {0xE0000, 0xE0FFF}};
    static const uint32_t tried[][2] = {{1, 0x3200}, {0xF900, 0x10010}, {0xDFF00, 0xE1010}};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        for (uint32_t code = tried[i][0]; code < tried[i][1]; code++) {
            char words[8] = "a", expected[8] = "a";
            uint32_t length = utf8_encode(code, words + 1);
            words[1 + length] = 'b';
            if (within(code, blank, sizeof blank / sizeof *blank))
                strcpy(expected, "a b");
            else if (within(code, invisible, sizeof invisible / sizeof *invisible))
                strcpy(expected, "ab");
            else
                strcpy(expected, words);
            assert_true(session_sanitize(words));
            if (strcmp(words, expected) != 0)
                print_error("U+%04X\n", code);
            assert_string_equal(words, expected);
        }
}

/* Tables that were opened and abandoned do not fill the server. */
static void deserted_tables_make_room(void **unused) {
    (void)unused;
    arena.server->setup.matches_max = 3;
    for (uint32_t i = 0; i < 10; i++) {
        test_client_join(&ann, &arena, "Ann", "person", "json");
        test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\"}");
        test_client_expect(&ann, MESSAGE_SERVER_TABLE);
        test_client_release(&ann);
    }
    assert_int_equal(arena.server->tables_count, 3);
    TestClient hosts[3];
    for (uint32_t i = 0; i < 3; i++) {
        test_client_join(&hosts[i], &arena, "Host", "person", "json");
        test_client_send(&hosts[i], "{\"type\":\"open\",\"game\":\"zorde\"}");
        test_client_expect(&hosts[i], MESSAGE_SERVER_TABLE);
    }
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_refused(&ann, "full");
    test_client_release(&ann);
    for (uint32_t i = 0; i < 3; i++)
        test_client_release(&hosts[i]);
}

static void requests_are_checked(void **unused) {
    (void)unused;
    static const struct {
        const char *request, *code;
    } rows[] = {
        {"{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"none\"}", "no-such-preset"},
        {"{\"type\":\"seek\",\"game\":\"zorde\",\"options\":{\"none\":1}}", "no-such-option"},
        {"{\"type\":\"seek\",\"game\":\"zorde\",\"turn_ms\":-1}", "malformed"},
        {"{\"type\":\"open\",\"game\":\"zorde\",\"documents\":[{\"name\":\"none.json\"}]}",
         "bad-content"},
        {"{\"type\":\"act\",\"position\":1}", "not-at-a-table"},
        {"{\"type\":\"resign\"}", "not-at-a-table"},
        {"{\"type\":\"pause\"}", "not-at-a-table"},
        {"{\"type\":\"rematch\"}", "not-at-a-table"},
        {"{\"type\":\"chat\",\"text\":\"x\"}", "not-at-a-table"},
        {"{\"type\":\"leave\"}", "not-at-a-table"},
        {"{\"type\":\"watch\",\"code\":\"0000-0000-0001\"}", "no-such-table"},
        {"{\"type\":\"return\",\"token\":\"ffffffffffffffffffffffffffffffff\"}", "no-such-token"},
    };
    arena.server->setup.strikes = 0;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_client_send(&ann, "%s", rows[i].request);
        test_client_refused(&ann, rows[i].code);
    }
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&ann, "{\"type\":\"resign\"}");
    test_client_refused(&ann, "not-running");
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    test_client_refused(&ann, "at-a-table");
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    test_client_refused(&eve, "watchers-watch");
    test_client_release(&ann);
    test_client_release(&eve);
}

/* A refusal quotes what was wrong, but nothing that clients could not parse. */
static void refusals_can_be_read(void **unused) {
    (void)unused;
    TestClient client;
    test_client_join(&client, &arena, "Ann", "person", "json");
    test_client_send(&client, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"\x7f"
                              "duel\"}");
    test_client_refused(&client, "malformed");
    assert_non_null(strstr(client.message.refused.reason, "\"duel\""));
    test_client_release(&client);
}

static void pages_of_others_are_kept_out(void **unused) {
    (void)unused;
    static const struct {
        const char *origin, *path;
        bool welcome;
    } rows[] = {{NULL, "/arena", true},
                {"http://server", "/arena", true},
                {"https://SERVER", "/arena", true},
                {"http://server.evil", "/arena", false},
                {"http://evil/server", "/arena", false},
                {"null", "/arena", false},
                {"https://friend", "/arena", true},
                {NULL, "/elsewhere", true}, /* there the network standard is spoken */
                {"http://evil", "/", true}};
    arena.server->setup.origin = "https://friend";
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_origin(arena.loop, rows[i].origin);
        test_client_connect(&ann, &arena, rows[i].path);
        assert_int_equal(ann.connection != NULL, rows[i].welcome);
        test_client_release(&ann);
    }
}

/* A page loaded from a host name that is not the server's is refused, also if its origin equals its
 * host; programs are not pages. */
static void pages_by_strange_names_are_kept_out(void **unused) {
    (void)unused;
    static const struct {
        const char *origin, *path;
        bool strange, welcome;
    } rows[] = {{"http://server", "/arena", true, false},
                {"http://server", "/arena", false, true},
                {"https://friend", "/arena", true, false},
                {NULL, "/arena", true, true},
                {"http://server", "/", true, true}};
    arena.server->setup.origin = "https://friend";
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_origin(arena.loop, rows[i].origin);
        fake_strange(arena.loop, rows[i].strange);
        test_client_connect(&ann, &arena, rows[i].path);
        assert_int_equal(ann.connection != NULL, rows[i].welcome);
        test_client_release(&ann);
    }
}

/* Metrics are for this machine, and for others with the token. */
static void figures_are_not_for_everybody(void **unused) {
    (void)unused;
    static const char token[] = "figures-for-you-42";
    static const struct {
        const char *address, *token, *authorization;
        uint16_t status;
    } rows[] = {{NULL, "", NULL, 200},
                {"203.0.113.5", "", NULL, 403},
                {"203.0.113.5", "", "Bearer ", 403},
                {"203.0.113.5", token, NULL, 403},
                {"203.0.113.5", token, "Bearer figures-for-you-42", 200},
                {"203.0.113.5", token, "Bearer figures-for-you-4", 403},
                {"203.0.113.5", token, "Bearer figures-for-you-422", 403},
                {"203.0.113.5", token, "Bearer ", 403},
                {"203.0.113.5", token, "Basic figures-for-you-42", 403},
                {"203.0.113.5", token, "figures-for-you-42", 403},
                {NULL, token, NULL, 200}};
    static char bytes[1 << 16];
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MashText out = text_over(bytes, sizeof bytes);
        MashText secret = text_over(arena.server->setup.metrics_token, SERVER_TOKEN_BYTES);
        text_string(&secret, rows[i].token);
        fake_address(arena.loop, rows[i].address);
        fake_authorization(arena.loop, rows[i].authorization);
        assert_int_equal(fake_get(arena.server->net, "/metrics", &out), rows[i].status);
        assert_int_equal(strstr(bytes, "mashup_sessions") != NULL, rows[i].status == 200);
    }
    fake_address(arena.loop, NULL);
}

static void a_full_server_says_so(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena.setup.matches_max = 1;
    arena_open(&arena);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_refused(&bob, "full");
    assert_string_equal(bob.message.refused.reason, "The server is full. Please try again later.");
    test_client_send(&bob, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    test_client_refused(&bob, "full");
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_release(&ann);
    test_client_release(&bob);
    arena_release(&arena);
}

static void a_host_may_come_back_to_a_table_that_waits(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    fake_cut(ann.connection);
    arena_run(&arena, 500000);
    test_client_join(&bob, &arena, "Ann", "person", "json");
    test_client_send(&bob, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_WAITING);
    arena_run(&arena, 700000);
    assert_int_equal(arena.server->tables_count, 1);
    test_client_release(&bob);
    arena_run(&arena, 700000);
    assert_int_equal(arena.server->tables_count, 0);
    assert_string_equal(test_client_expect(&eve, MESSAGE_SERVER_CLOSED)->closed.reason,
                        "Nobody joined.");
    test_client_release(&ann);
    test_client_release(&eve);
}

static void the_server_closes_with_a_reason(void **unused) {
    (void)unused;
    char body[256];
    MashText out = text_over(body, sizeof body);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"opponent\":\"ai\"}");
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    server_drain(arena.server, 1000);
    assert_int_equal(fake_get(arena.server->net, "/readyz", &out), 503);
    test_client_send_nowait(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 20);
    assert_int_equal(ann.close_code, NET_CLOSE_GOING_AWAY);
    assert_true(arena.stopped && !arena.failed);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 1);
    assert_int_equal(arena.server->tables->state, PROTO_STATE_RUNNING);
    test_client_release(&ann);
}

static void the_log_is_text_or_json(void **unused) {
    (void)unused;
    server_log(arena.server, LOG_INFO, "one \"%s\" %d", "two", 3);
    assert_non_null(strstr(arena.log, "2023-11-14T22:13:2"));
    assert_non_null(strstr(arena.log, "Z info: one \"two\" 3\n"));
    arena.server->setup.log_json = true;
    server_log(arena.server, LOG_ERROR, "four \"five\"");
    assert_non_null(strstr(arena.log, "\"level\":\"error\",\"text\":\"four \\\"five\\\"\"}\n"));
    arena.server->setup.log_level = LOG_ERROR;
    server_log(arena.server, LOG_WARNING, "never");
    assert_null(strstr(arena.log, "never"));
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_stay_hidden_on_the_wire),
        cmocka_unit_test(nobody_learns_who_is_ready),
        ROW(spectators_see_all_where_allowed),
        cmocka_unit_test(nobody_hears_of_what_is_not_safe),
        cmocka_unit_test(unreadable_matches_stay_in_the_journal),
        ROW(what_is_no_message_costs_the_match),
        ROW(a_busy_thread_pool_is_asked_again),
        ROW(hello_comes_first_and_once),
        ROW(rate_limits_protect_other_clients),
        cmocka_unit_test(names_show_what_they_are),
        cmocka_unit_test(every_character_is_kept_or_dropped),
        ROW(deserted_tables_make_room),
        ROW(requests_are_checked),
        ROW(refusals_can_be_read),
        ROW(pages_of_others_are_kept_out),
        ROW(pages_by_strange_names_are_kept_out),
        ROW(figures_are_not_for_everybody),
        cmocka_unit_test(a_full_server_says_so),
        ROW(a_host_may_come_back_to_a_table_that_waits),
        ROW(the_server_closes_with_a_reason),
        ROW(the_log_is_text_or_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
