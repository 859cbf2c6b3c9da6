/* test_server_chaos.c -- a crowd that does whatever it likes, connections that are cut, a house
 * that is killed and opened again: every frame is a message of the list, every wish is answered,
 * and nobody ever finds his match behind the position that he was told.
 *
 * MASH_CHAOS_SEEDS says how many crowds there are (usually 6); a failure prints its seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/chance.h"
#include "server/house.h"
#include "tests/fake/arena.h"

enum { CROWD = 6, DEEDS = 600, SEEDS = 6, KILL_EVERY = 100 };

/* One of the crowd. */
typedef struct Member {
    Visitor visitor;
    bool there;
    char token[PROTO_TOKEN_DIGITS + 1]; /* of the seat he holds, or empty */
    char code[PROTO_CODE_MAX + 1];
    int32_t number; /* the newest position he was told at that seat */
    bool over, seated, at_table;
} Member;

static Arena arena;
static Member crowd[CROWD];
static MashChance chance;
static uint64_t seed_now;

static uint32_t draw(uint32_t values) { return chance_below(&chance, values); }

/* --- What is heard
 * -------------------------------------------------------------------------------- */

static void take(Member *member, const Message *message) {
    if (message->kind == MESSAGE_TELL_TAKEN || message->kind == MESSAGE_TELL_CLOSED ||
        (message->kind == MESSAGE_TELL_DONE && strcmp(message->done.to, "leave") == 0))
        member->at_table = member->seated = false;
    if (message->kind == MESSAGE_TELL_TABLE) {
        member->at_table = true;
        member->seated = message->table.you < MASH_SEATS;
        memcpy(member->code, message->table.code, sizeof member->code);
        bool same =
            message_has(message, "token") && strcmp(member->token, message->table.token) == 0;
        if (!same) {
            member->token[0] = '\0';
            member->number = 0;
            member->over = false;
        }
        if (message_has(message, "token"))
            memcpy(member->token, message->table.token, sizeof member->token);
    }
    if (message->kind == MESSAGE_TELL_POSITION && message->position.you < MASH_SEATS) {
        if (message->position.number < member->number)
            fail_msg("seed %llu: position %d after %d", (unsigned long long)seed_now,
                     message->position.number, member->number);
        member->number = message->position.number;
        member->over = message_has(message, "result");
    }
}

/* Reads everything that is new. */
static void catch_up(Member *member) {
    Visitor *visitor = &member->visitor;
    while (visitor->mark < visitor->heard_count) {
        visitor_next(visitor);
        take(member, &visitor->message);
    }
}

/* --- What is done
 * ---------------------------------------------------------------------------------- */

static void come(Member *member) {
    static const char *const roles[] = {"person", "ai", "person", "watcher"};
    static const char *const forms[] = {"json", "bytes"};
    visitor_connect(&member->visitor, &arena, "/arena");
    member->there = true;
    member->at_table = member->seated = false;
    visitor_say(&member->visitor,
                "{\"type\":\"hello\",\"name\":\"M%u\",\"role\":\"%s\",\"view\":\"%s\","
                "\"words\":%s}",
                draw(100), roles[draw(4)], forms[draw(4) == 0], draw(2) == 0 ? "true" : "false");
    if (member->token[0] != '\0' && !member->over && draw(4) > 0)
        visitor_say(&member->visitor, "{\"type\":\"return\",\"token\":\"%s\"}", member->token);
}

static void go(Member *member) {
    catch_up(member);
    visitor_release(&member->visitor);
    member->there = false;
}

static const char *any_game(void) {
    uint32_t count = 0;
    while (mash_games[count] != NULL)
        count++;
    return mash_games[draw(count)]->id;
}

/* A legal action of the last position, now and then nonsense or none. */
static void act(Member *member) {
    Visitor *visitor = &member->visitor;
    const Message *message = &visitor->message;
    bool lists = message->kind == MESSAGE_TELL_POSITION && message_has(message, "actions") &&
                 message->json.nodes[message->position.actions.node].count > 0;
    if (lists && draw(20) > 0)
        visitor_throw_action(visitor, draw(1000), draw(1000));
    else if (draw(10) == 0)
        visitor_say(visitor, "{\"type\":\"act\",\"position\":%d,\"verb\":%u}",
                    member->number - (int32_t)draw(2), 1 + draw(239));
    else
        visitor_say(visitor, "{\"type\":\"here\"}");
    arena_run(&arena, draw(8));
}

static void wish(Member *member) {
    static const char *const plain[] = {
        "{\"type\":\"games\"}",   "{\"type\":\"matches\"}",  "{\"type\":\"resign\"}",
        "{\"type\":\"pause\"}",   "{\"type\":\"continue\"}", "{\"type\":\"rematch\"}",
        "{\"type\":\"rematch\"}", "{\"type\":\"leave\"}",    "{\"type\":\"here\",\"id\":3}"};
    static const char *const draws[] = {"offer", "accept", "decline"};
    Visitor *visitor = &member->visitor;
    const Member *other = &crowd[draw(CROWD)];
    uint32_t deed = member->seated ? draw(150) : member->at_table ? draw(24) : draw(15);
    if (deed < 3)
        visitor_say(visitor, "{\"type\":\"seek\",\"game\":\"zorde\",\"turn_ms\":20000}");
    else if (deed < 6)
        visitor_say(visitor,
                    "{\"type\":\"open\",\"game\":\"%s\",\"opponent\":\"%s\",\"grace_ms\":5000,"
                    "\"silence_ms\":9000,\"glass\":%s}",
                    any_game(), draw(2) == 0 ? "ai" : "guest", draw(2) == 0 ? "true" : "false");
    else if (deed < 9 && other->code[0] != '\0')
        visitor_say(visitor, "{\"type\":\"%s\",\"code\":\"%s\"}", draw(2) == 0 ? "join" : "watch",
                    other->code);
    else if (deed < 12 && member->token[0] != '\0')
        visitor_say(visitor, "{\"type\":\"return\",\"token\":\"%s\"}", member->token);
    else if (deed < 14)
        visitor_say(visitor, "{\"type\":\"draw\",\"what\":\"%s\"}", draws[draw(3)]);
    else if (deed < 15)
        visitor_say(visitor, "{\"type\":\"chat\",\"text\":\"%u\"}", draw(1000));
    else if (deed < 17)
        visitor_say(visitor, "%s", plain[draw(sizeof plain / sizeof *plain)]);
    else if (deed == 18 && draw(8) == 0)
        visitor_say(visitor, "nonsense");
    else
        act(member);
}

static void do_something(void) {
    Member *member = &crowd[draw(CROWD)];
    if (!member->there) {
        come(member);
        return;
    }
    catch_up(member);
    if (member->visitor.connection == NULL || draw(60) == 0) {
        go(member);
        return;
    }
    uint32_t frames = member->visitor.frames;
    wish(member);
    arena_run(&arena, 20);
    if (member->visitor.connection != NULL && member->visitor.frames == frames)
        fail_msg("seed %llu: a wish without an answer", (unsigned long long)seed_now);
}

static void kill_and_open(void) {
    uint32_t running = 0;
    for (const Table *table = arena.server->tables; table != NULL; table = table->next)
        running += table_plays(table) && !match_result(&table->match).over;
    for (uint32_t i = 0; i < CROWD; i++)
        if (crowd[i].there)
            catch_up(&crowd[i]);
    arena_kill(&arena);
    arena_open(&arena);
    uint32_t again = 0;
    for (const Table *table = arena.server->tables; table != NULL; table = table->next)
        again += table_plays(table);
    if (running != again)
        fail_msg("seed %llu: %u matches were running, %u are", (unsigned long long)seed_now,
                 running, again);
}

static void run_crowd(uint64_t seed) {
    seed_now = seed;
    chance = chance_sampled(seed);
    memset(crowd, 0, sizeof crowd);
    arena_init(&arena, seed);
    arena.setup.strikes = 3;
    arena.setup.log_level = LOG_INFO;
    arena_open(&arena);
    for (uint32_t i = 0; i < DEEDS; i++) {
        do_something();
        if (draw(60) == 0)
            arena_run(&arena, draw(15000));
        if (draw(KILL_EVERY) == 0)
            kill_and_open();
    }
    for (uint32_t i = 0; i < CROWD; i++)
        if (crowd[i].there)
            go(&crowd[i]);
    arena_run(&arena, 10 * 60 * 1000 + 400000);
    assert_int_equal(arena.server->tables_count, 0);
    assert_null(arena.server->first);
    assert_null(strstr(arena.log, "not allowed"));
    assert_null(strstr(arena.log, " error: "));
    arena_release(&arena);
}

static void a_crowd_does_what_it_likes(void **unused) {
    (void)unused;
    const char *wanted = getenv("MASH_CHAOS_SEEDS"), *first = getenv("MASH_CHAOS_FIRST");
    uint64_t seeds = wanted == NULL ? SEEDS : strtoull(wanted, NULL, 10);
    uint64_t from = first == NULL ? 1 : strtoull(first, NULL, 10);
    for (uint64_t seed = from; seed < from + seeds; seed++)
        run_crowd(seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_crowd_does_what_it_likes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
