/* test_server_robots.c -- AI players that think long: decisions that several threads share are the
 * same in whatever order the shares are searched, count as many times as there are shares, and are
 * given up as one; who thinks long is brief when its clock is short, and lets others pass. */
#include <stdio.h>
#include <string.h>

#include "ai/ai.h"
#include "tests/server/fake/fixture.h"

enum { SHARES = 3, WEIGHT = 8, LONG_WEIGHT = 40, PATIENCE_MS = 400, SLICE = 500 };

static TestClient guest;

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena.setup.request_rate = (NetRate){0, 0};
    arena.setup.robot_threads = SHARES;
    return 0;
}

static int tear_down(void **unused) {
    test_client_release(&guest);
    return fixture_close(unused);
}

/* A client requests an AI player that moves first, with these further settings. */
static void meet_with(TestClient *client, const char *game, uint32_t level, const char *settings) {
    char request[160];
    if (client->connection == NULL)
        test_client_join(client, &arena, "Ann", "person", "json");
    snprintf(request, sizeof request,
             "{\"type\":\"open\",\"game\":\"%s\",\"seat\":1,\"opponent\":\"ai\",\"level\":%u%s}",
             game, level, settings);
    test_client_send_nowait(client, request);
}

static void meet(TestClient *client, const char *game, uint32_t level) {
    meet_with(client, game, level, "");
}

/* Waits until the client's AI player has made an action. */
static void see_it_act(TestClient *client) {
    for (uint32_t ms = 0; ms < PATIENCE_MS; ms++) {
        arena_run(&arena, 1);
        while (test_client_has(client, MESSAGE_SERVER_POSITION))
            test_client_expect(client, MESSAGE_SERVER_POSITION);
        if (client->number > 1)
            return;
    }
    fail_msg("the AI player does not act");
}

/* The table of a game. */
static const Table *table_of(const char *game) {
    const Table *table = arena.server->tables;
    while (table != NULL && strcmp(table->match.content->game->id, game) != 0)
        table = table->next;
    assert_non_null(table);
    return table;
}

/* The first action of an AI player, and the nodes that were searched for it. */
static MashAction first_action(uint32_t threads, bool beside_others, uint64_t *nodes) {
    arena.setup.threads = threads;
    arena_open(&arena);
    test_client_join(&guest, &arena, "Guest", "person", "json");
    meet(&ann, "zorde", 8);
    uint64_t others = 0;
    if (beside_others) {
        meet(&guest, "tablut", 1);
        see_it_act(&guest);
        others = arena.server->stats.ai_job_nodes;
        assert_int_equal(table_of("zorde")->match.actions_count, 0); /* it has made way */
    }
    while (arena.server->tables == NULL)
        arena_run(&arena, 1);
    const Match *match = &table_of("zorde")->match;
    while (match->actions_count == 0)
        arena_run(&arena, 1);
    *nodes = arena.server->stats.ai_job_nodes - others;
    return match->actions[0];
}

/* The same server once more. */
static void start_again(void) {
    tear_down(NULL);
    set_up(NULL);
}

static void the_order_of_shares_does_not_matter(void **unused) {
    (void)unused;
    static const struct {
        uint32_t threads;
        bool beside_others;
    } rows[] = {{SHARES, false}, {2 * SHARES, false}, {SHARES, true}};
    uint64_t nodes[3], alone;
    MashAction actions[3];
    for (uint32_t i = 0; i < 3; i++) {
        start_again();
        actions[i] = first_action(rows[i].threads, rows[i].beside_others, &nodes[i]);
        assert_int_equal(mash_action_compare(actions[i], actions[0]), 0);
        assert_int_equal(nodes[i], nodes[0]);
    }
    start_again();
    arena.setup.robot_threads = 1;
    first_action(SHARES, false, &alone);
    assert_true(nodes[0] > alone * 3 / 2);
}

/* No more shares than threads, none for lower levels, and each counts. */
static void every_share_has_its_weight(void **unused) {
    (void)unused;
    arena.setup.threads = 2;
    arena_open(&arena);
    meet(&ann, "zorde", 8);
    arena_run(&arena, 2);
    assert_int_equal(arena.server->robots, 2 * WEIGHT);
    assert_int_equal(arena.server->ai_jobs_count, 1);
    assert_int_equal(arena.server->tables->ai_jobs_count, 2);
    meet(&bob, "zorde", 7);
    arena_run(&arena, 2);
    assert_int_equal(arena.server->robots, 2 * WEIGHT + WEIGHT / 2);
    see_it_act(&ann);
    see_it_act(&bob);
    arena_run(&arena, 20);
    assert_int_equal(arena.server->ai_jobs_count, 0);
    assert_null(arena.server->ai_jobs);
}

/* Who resigns while it thinks ends all shares, those that have not begun as well. */
static void all_shares_are_given_up(void **unused) {
    (void)unused;
    for (uint32_t i = 2; i < 16; i++) {
        TestClient *resigns = i % 2 == 0 ? &ann : &bob, *stays = i % 2 == 0 ? &bob : &ann;
        start_again();
        arena.setup.threads = SHARES;
        arena_open(&arena);
        test_client_join(&ann, &arena, "Ann", "person", "json");
        test_client_join(&bob, &arena, "Bob", "person", "json");
        meet(&ann, "zorde", 8);
        meet(&bob, "zorde", 8);
        arena_run(&arena, i / 2);
        assert_non_null(arena.server->ai_jobs);
        test_client_send_nowait(resigns, "{\"type\":\"resign\"}");
        see_it_act(stays);
        arena_run(&arena, 20);
        assert_null(arena.server->ai_jobs);
        assert_int_equal(arena.server->thinking, 0);
        assert_null(arena.server->thinkers);
        assert_null(arena.server->stopped_jobs);
    }
}

/* A server that ends while it thinks leaves nothing behind: the sanitizers look. */
static void the_server_may_end_meanwhile(void **unused) {
    (void)unused;
    for (uint32_t ms = 1; ms < 8; ms++) {
        start_again();
        arena.setup.threads = SHARES;
        arena_open(&arena);
        meet(&ann, "marvelous-mashup", 8);
        meet(&bob, "battleground", 8);
        arena_run(&arena, ms);
        arena_kill(&arena);
        arena_open(&arena);
    }
}

/* A level that the game does not have is refused in words; where there is one it plays, and counts
 * as much as it thinks. */
static void a_game_has_its_own_levels(void **unused) {
    (void)unused;
    arena_open(&arena);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        char sentence[96];
        uint32_t levels = ai_levels_of(mash_games[i]);
        if (levels == AI_LEVELS_MAX)
            continue;
        meet(&ann, mash_games[i]->id, levels + 1);
        arena_run(&arena, 5);
        const Message *refused = test_client_expect(&ann, MESSAGE_SERVER_REFUSED);
        snprintf(sentence, sizeof sentence, "%s has levels 1 to %u.", mash_games[i]->title, levels);
        assert_string_equal(refused->refused.code, "no-such-level");
        assert_string_equal(refused->refused.reason, sentence);
        assert_false(refused->refused.offence);
        assert_int_equal(arena.server->robots, 0);
        assert_null(arena.server->tables);
    }
    arena.setup.robot_threads = 1;
    meet(&ann, "tablut", AI_LEVELS_MAX);
    see_it_act(&ann);
    assert_int_equal(arena.server->robots, LONG_WEIGHT);
    const MashEvaluator *evaluator = mash_game_find("tablut")->evaluator;
    assert_true(arena.server->stats.ai_job_nodes > evaluator->levels[AI_LEVELS - 1].nodes);
}

/* The nodes of an AI player's first action, which takes `thinking_ms` with these settings. */
static uint64_t nodes_in(uint32_t thinking_ms, uint32_t level, const char *settings) {
    start_again();
    arena.setup.threads = arena.setup.robot_threads = 1;
    arena_open(&arena);
    fake_thinking(arena.loop, thinking_ms);
    meet_with(&ann, "tablut", level, settings);
    arena_run(&arena, thinking_ms);
    see_it_act(&ann);
    return arena.server->stats.ai_job_nodes;
}

/* A decision takes a part of what is left of the turn, and a smaller one of the player's own time:
 * then the best action so far is played, a slice after that was found out. */
static void short_clocks_are_kept(void **unused) {
    (void)unused;
    static const struct {
        uint32_t thinking_ms;
        bool brief;
        const char *settings;
    } rows[] = {
        {1300, true, ",\"turn_ms\":5000"},
        {1200, false, ",\"turn_ms\":5000"},
        {800, true, ",\"turn_ms\":60000,\"bank_ms\":30000"},
        {700, false, ",\"turn_ms\":60000,\"bank_ms\":30000"},
        {1800, true, ",\"turn_ms\":60000,\"bank_ms\":30000,\"increment_ms\":2000"},
        {1700, false, ",\"turn_ms\":60000,\"bank_ms\":30000,\"increment_ms\":2000"},
        {1600, true, ",\"turn_ms\":6000,\"bank_ms\":3000000"},
        {4000, false, ",\"turn_ms\":0"},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t nodes = nodes_in(rows[i].thinking_ms, 6, rows[i].settings);
        if (rows[i].brief ? nodes > SLICE : nodes <= 4 * SLICE)
            fail_msg("row %u: %llu nodes", i, (unsigned long long)nodes);
    }
}

/* Who thinks longest lets the level below pass. Once it has waited long itself it does not. */
static void who_thinks_long_lets_others_pass(void **unused) {
    (void)unused;
    static const struct {
        uint32_t thinking_ms, waits_ms;
        bool passes;
    } rows[] = {{100, 1, true}, {39500, 39000, true}, {45000, 41000, false}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start_again();
        arena.setup.threads = arena.setup.robot_threads = 1;
        arena_open(&arena);
        test_client_join(&bob, &arena, "Bob", "person", "json");
        fake_thinking(arena.loop, rows[i].thinking_ms);
        meet_with(&ann, "tablut", AI_LEVELS_MAX, ",\"turn_ms\":600000");
        arena_run(&arena, rows[i].waits_ms);
        fake_thinking(arena.loop, 10);
        meet(&bob, "zorde", AI_LEVELS);
        arena_run(&arena, 4);
        const Match *long_one = &table_of("tablut")->match;
        uint64_t ms = 0;
        while (long_one->actions_count == 0 && table_of("zorde")->match.actions_count == 0) {
            arena_run(&arena, 1);
            assert_true(ms++ < 60000);
        }
        assert_int_equal(long_one->actions_count == 0, rows[i].passes);
        test_client_release(&ann);
        test_client_release(&bob);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_order_of_shares_does_not_matter),
        TEST(every_share_has_its_weight),
        TEST(all_shares_are_given_up),
        TEST(the_server_may_end_meanwhile),
        TEST(a_game_has_its_own_levels),
        TEST(short_clocks_are_kept),
        TEST(who_thinks_long_lets_others_pass),
    };
    return cmocka_run_group_tests_name("server robots", tests, NULL, NULL);
}
