/* test_server_tournaments.c -- tournaments at a server: creating, joining, rounds, arenas, orders,
 * and what remains after the server was killed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/contest.h"
#include "server/records.h"
#include "tests/server/fake/fixture.h"

enum { CLIENTS = 8 };

/* The players of a test, and their tokens in the tournament. */
static TestClient clients[CLIENTS];
static char tokens[CLIENTS][PROTO_TOKEN_DIGITS + 1];
static char code[PROTO_CODE_MAX + 1];
static uint32_t present;

/* Connects this many clients; the first creates a tournament. */
static void gather(uint32_t count, const char *settings) {
    present = count;
    for (uint32_t i = 0; i < count; i++) {
        char name[24];
        snprintf(name, sizeof name, "Player %u", i);
        test_client_join(&clients[i], &arena, name, "ai", "json");
    }
    test_client_send(&clients[0],
                     "{\"type\":\"tournament-create\",\"title\":\"Cup\",\"game\":\"zorde\",%s}",
                     settings);
    const Message *message = test_client_expect(&clients[0], MESSAGE_SERVER_TOURNAMENT_YOU);
    assert_true(message->tournament_you.organiser);
    assert_false(message_has(message, "player"));
    message = test_client_expect(&clients[0], MESSAGE_SERVER_TOURNAMENT);
    memcpy(code, message->tournament.code, sizeof code);
}

/* All join. */
static void join_all(void) {
    for (uint32_t i = 0; i < present; i++) {
        test_client_send(&clients[i], "{\"type\":\"tournament-join\",\"code\":\"%s\"}", code);
        const Message *you = test_client_expect(&clients[i], MESSAGE_SERVER_TOURNAMENT_YOU);
        assert_int_equal(you->tournament_you.player, i);
        memcpy(tokens[i], you->tournament_you.token, sizeof tokens[i]);
    }
}

/* The organiser orders something. */
static void order(const char *what) {
    test_client_send(&clients[0], "{\"type\":\"tournament-manage\",\"code\":\"%s\",\"what\":%s}",
                     code, what);
}

/* After each test. */
static int disperse(void **unused) {
    for (uint32_t i = 0; i < CLIENTS; i++)
        if (clients[i].arena != NULL)
            test_client_release(&clients[i]);
    return fixture_close(unused);
}

/* The contest in the server. */
static Contest *contest(void) {
    uint64_t number;
    assert_true(table_code_decode(code, &number));
    Contest *found = contest_find(arena.server, number);
    assert_non_null(found);
    return found;
}

/* The seat token of a client's match as it was last told; "": it has none. Takes all messages. */
static void take_match(TestClient *client, char token[PROTO_TOKEN_DIGITS + 1]) {
    token[0] = '\0';
    while (test_client_has(client, MESSAGE_SERVER_TOURNAMENT_YOU)) {
        const Message *you = test_client_expect(client, MESSAGE_SERVER_TOURNAMENT_YOU);
        token[0] = '\0';
        if (message_has(you, "seat_token"))
            memcpy(token, you->tournament_you.seat_token, PROTO_TOKEN_DIGITS + 1);
    }
}

/* Everybody who has a match takes the seat; who has the first seat resigns (or the second). Returns
 * how many matches were played. */
static uint32_t play_all(bool second_resigns) {
    uint32_t played = 0;
    for (uint32_t i = 0; i < present; i++) {
        char token[PROTO_TOKEN_DIGITS + 1];
        take_match(&clients[i], token);
        if (token[0] == '\0')
            continue;
        test_client_send(&clients[i], "{\"type\":\"return\",\"token\":\"%s\"}", token);
        test_client_expect(&clients[i], MESSAGE_SERVER_POSITION);
    }
    for (uint32_t i = 0; i < present; i++) {
        Contestant *player = &contest()->players[i];
        const Table *table = contest_table(contest(), i);
        if (table == NULL || table->chairs[second_resigns].session != player->session)
            continue;
        test_client_send(&clients[i], "{\"type\":\"resign\"}");
        played++;
    }
    for (uint32_t i = 0; i < present; i++)
        if (contest()->players[i].session != NULL && contest()->players[i].session->table != NULL)
            test_client_send(&clients[i], "{\"type\":\"leave\"}");
    return played;
}

/* Nobody is in two open pairings, and every match is in one pairing. */
static void check_pairings(void) {
    const Contest *it = contest();
    for (uint32_t i = 0; i < it->pairings_count; i++) {
        const ContestPair *one = &it->pairings[i];
        for (uint32_t j = 0; j < i; j++) {
            const ContestPair *other = &it->pairings[j];
            assert_true(one->match == 0 || one->match != other->match);
            bool both_open = one->score == CONTEST_OPEN && other->score == CONTEST_OPEN;
            for (uint32_t k = 0; k < 4 && both_open && !it->config.without_rounds; k++)
                assert_int_not_equal(one->players[k / 2], other->players[k % 2]);
        }
    }
}

/* The server is killed and opened again, and all players come back by their tokens. */
static void restart(void) {
    for (uint32_t i = 0; i < present; i++)
        test_client_release(&clients[i]);
    arena_kill(&arena);
    arena_open(&arena);
    for (uint32_t i = 0; i < present; i++) {
        test_client_join(&clients[i], &arena, "Somebody", "ai", "json");
        test_client_send(&clients[i],
                         "{\"type\":\"tournament-watch\",\"code\":\"%s\",\"token\":\"%s\"}", code,
                         tokens[i]);
        test_client_expect(&clients[i], MESSAGE_SERVER_TOURNAMENT);
        clients[i].mark = 0;
    }
    arena_run(&arena, 3000);
}

static void a_swiss_is_played_to_its_end(void **unused) {
    (void)unused;
    gather(5, "\"kind\":\"swiss\",\"rounds\":3,\"rest_ms\":1000");
    join_all();
    test_client_send(&clients[1],
                     "{\"type\":\"tournament-manage\",\"code\":\"%s\",\"what\":\"start\"}", code);
    test_client_expect(&clients[1], MESSAGE_SERVER_REFUSED);
    order("\"start\"");
    test_client_expect(&clients[0], MESSAGE_SERVER_DONE);
    for (uint32_t round = 1; round <= 3; round++) {
        arena_run(&arena, 2000);
        assert_int_equal(contest()->round, round);
        check_pairings();
        assert_int_equal(play_all(round % 2), 2);
    }
    arena_run(&arena, 2000);
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
    assert_int_equal(contest()->results_count, 9); /* three rounds of two matches and a bye */
    uint32_t points = 0;
    for (uint32_t i = 0; i < contest()->results_count; i++)
        points += contest()->results[i].points[0] + contest()->results[i].points[1];
    assert_int_equal(points, 18);
}

/* The rating of who has this name, as if it had logged in. */
static void give_rating(const char *name, int32_t points) {
    PlayerRating rating = {
        .game = "zorde", .pace = pace_of_clock(arena.setup.clocks.turn_ms, 0, 0), .rating = points};
    for (Session *session = arena.server->sessions; session != NULL; session = session->next_all)
        if (strcmp(session->name, name) == 0) {
            session->player = calloc(1, sizeof *session->player);
            assert_non_null(session->player);
            session->player->id = (uint64_t)points;
            player_set_rating(session, &rating);
        }
}

static void an_arena_pairs_by_points_then_by_rating(void **unused) {
    (void)unused;
    static const uint32_t wanted[] = {1u << 1 | 1u << 3, 1u << 0 | 1u << 2};
    gather(4, "\"kind\":\"arena\",\"minutes\":10");
    give_rating("Player 0", 1200);
    give_rating("Player 1", 1900);
    give_rating("Player 3", 1850);
    join_all();
    order("\"start\"");
    arena_run(&arena, 1000);
    assert_int_equal(contest()->pairings_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const ContestPair *pair = &contest()->pairings[i];
        assert_int_equal(1u << pair->players[0] | 1u << pair->players[1], wanted[i]);
    }
    restart();
    assert_int_equal(contest()->players[1].rating, 1900);
    assert_int_equal(contest()->players[2].rating, 1500); /* has no account */
    assert_true(contest()->players[1].account && !contest()->players[2].account);
}

static void nothing_is_lost_when_the_server_is_killed(void **unused) {
    (void)unused;
    gather(6, "\"kind\":\"swiss\",\"rounds\":3,\"rest_ms\":1000");
    join_all();
    order("\"start\"");
    arena_run(&arena, 1000);
    uint64_t matches[3];
    for (uint32_t i = 0; i < 3; i++)
        matches[i] = contest()->pairings[i].match;
    restart();
    assert_int_equal(contest()->pairings_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(contest()->pairings[i].match == matches[i]);
    assert_int_equal(contest()->open, 3);
    assert_int_equal(play_all(false), 3);
    restart();
    assert_int_equal(contest()->results_count, 3);
    check_pairings();
    arena_run(&arena, 5000);
    assert_int_equal(contest()->round, 2);
    assert_int_equal(play_all(false), 3);
    arena_run(&arena, 5000);
    assert_int_equal(play_all(false), 3);
    arena_run(&arena, 1000);
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
    assert_int_equal(contest()->results_count, 9);
    restart();
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
    assert_int_equal(contest()->results_count, 9);
}

static void a_result_that_only_the_archive_has_counts(void **unused) {
    (void)unused;
    gather(2, "\"kind\":\"round-robin\",\"rest_ms\":0");
    join_all();
    order("\"start\"");
    arena_run(&arena, 1000);
    assert_int_equal(contest()->open, 1);
    contest()->pairings[0].score = PROTO_SCORE_NONE; /* its result is not recorded now */
    assert_int_equal(play_all(false), 1);
    arena_run(&arena, 1000);
    restart();
    assert_int_equal(contest()->pairings_count, 1);
    assert_int_equal(contest()->pairings[0].score, PROTO_SCORE_SECOND);
    assert_int_equal(contest()->results_count, 1);
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
}

static void an_arena_pairs_whoever_is_free(void **unused) {
    (void)unused;
    gather(4, "\"kind\":\"arena\",\"minutes\":1");
    join_all();
    order("\"start\"");
    uint32_t played = 0;
    for (uint32_t i = 0; i < 10; i++) {
        arena_run(&arena, 2500);
        check_pairings();
        if (i == 5)
            restart();
        played += play_all(i % 2);
    }
    assert_true(played >= 16);
    test_client_forget(&clients[3]);
    test_client_send(&clients[3], "{\"type\":\"tournament-leave\"}");
    assert_true(
        test_client_expect(&clients[3], MESSAGE_SERVER_TOURNAMENT_YOU)->tournament_you.away);
    arena_run(&arena, 70000);
    play_all(false);
    arena_run(&arena, 70000);
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
    assert_int_equal(contest()->results_count, contest()->pairings_count);
}

static void who_does_not_come_loses_and_is_away(void **unused) {
    (void)unused;
    gather(2, "\"kind\":\"round-robin\",\"rounds\":2,\"grace_ms\":5000");
    join_all();
    order("\"start\"");
    arena_run(&arena, 1000);
    char token[PROTO_TOKEN_DIGITS + 1];
    take_match(&clients[0], token);
    test_client_send(&clients[0], "{\"type\":\"return\",\"token\":\"%s\"}", token);
    test_client_expect(&clients[0], MESSAGE_SERVER_POSITION);
    arena_run(&arena, 7000);
    assert_int_equal(contest()->results_count, 1);
    assert_true(contest()->pairings[0].forfeit);
    assert_int_equal(contest()->results[0].kind, TOURNAMENT_FORFEIT);
    assert_true(contest()->players[1].away);
    assert_false(contest()->players[0].away);
    test_client_send(&clients[0], "{\"type\":\"rematch\"}");
    assert_string_equal(test_client_expect(&clients[0], MESSAGE_SERVER_REFUSED)->refused.code,
                        "no-rematch");
    test_client_send(&clients[1], "{\"type\":\"tournament-join\",\"code\":\"%s\"}", code);
    arena_run(&arena, 100);
    assert_false(contest()->players[1].away);
}

static void a_knock_out_replays_draws_and_finds_a_winner(void **unused) {
    (void)unused;
    gather(5, "\"kind\":\"knock-out\",\"rest_ms\":0");
    join_all();
    order("\"start\"");
    for (uint32_t i = 0; i < 12 && contest()->phase != PROTO_PHASE_OVER; i++) {
        arena_run(&arena, 2000);
        check_pairings();
        play_all(false);
    }
    arena_run(&arena, 2000);
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
    assert_int_equal(contest()->round, 3);
    TournamentRow *rows = contest_standings(contest());
    assert_non_null(rows);
    assert_int_equal(rows[0].place, 1);
    assert_int_equal(rows[1].place, 2);
    free(rows);
}

static void a_round_robin_without_rounds_takes_its_time(void **unused) {
    (void)unused;
    gather(3, "\"kind\":\"round-robin\",\"free\":true,\"minutes\":5");
    join_all();
    order("\"start\"");
    arena_run(&arena, 1000);
    assert_int_equal(contest()->pairings_count, 3);
    assert_int_equal(play_all(false), 1);
    restart();
    assert_int_equal(contest()->pairings_count, 3);
    assert_int_equal(contest()->results_count, 1);
    arena_run(&arena, 2000);
    assert_int_equal(play_all(false), 1);
    arena_run(&arena, 400000); /* the last pair forgets to play */
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
    assert_int_equal(contest()->results_count, 3);
}

static void an_organiser_pauses_adjusts_removes_and_replaces(void **unused) {
    (void)unused;
    gather(4, "\"kind\":\"swiss\",\"rounds\":3,\"rest_ms\":0");
    join_all();
    order("\"continue\"");
    assert_string_equal(test_client_expect(&clients[0], MESSAGE_SERVER_REFUSED)->refused.code,
                        "too-late");
    order("\"start\"");
    arena_run(&arena, 500);
    order("\"pause\"");
    assert_int_equal(play_all(false), 2);
    arena_run(&arena, 5000);
    assert_int_equal(contest()->round, 1);
    order("\"adjust\",\"player\":2,\"points\":7");
    order("\"remove\",\"player\":3");
    order("\"replace\",\"player\":1,\"name\":\"New\"");
    const Message *you = test_client_expect(&clients[0], MESSAGE_SERVER_TOURNAMENT_YOU);
    while (!message_has(you, "player") || you->tournament_you.player != 1)
        you = test_client_expect(&clients[0], MESSAGE_SERVER_TOURNAMENT_YOU);
    memcpy(tokens[1], you->tournament_you.token, sizeof tokens[1]);
    restart();
    assert_int_equal(contest()->phase, PROTO_PHASE_PAUSED);
    assert_int_equal(contest()->players[2].extra, 7);
    assert_true(contest()->players[3].removed);
    assert_string_equal(contest()->players[1].name, "New");
    assert_ptr_equal(contest()->players[1].session->contest, contest());
    char table[PROTO_CODE_MAX + 1];
    table_code_encode(contest()->pairings[0].match, table);
    char words[128];
    snprintf(words, sizeof words, "\"result\",\"table\":\"%s\",\"score\":\"draw\"", table);
    order(words);
    assert_int_equal(contest()->results_count, 2);
    assert_int_equal(contest()->pairings[0].score, PROTO_SCORE_DRAW);
    order("\"continue\"");
    arena_run(&arena, 3000);
    assert_int_equal(contest()->round, 2);
    assert_int_equal(contest()->pairings_count, 4); /* one match and a bye */
    order("\"end\"");
    play_all(false);
    arena_run(&arena, 2000);
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
}

static void two_legs_swap_seats_with_the_same_seed(void **unused) {
    (void)unused;
    gather(2, "\"kind\":\"swiss\",\"rounds\":1,\"pair\":true");
    join_all();
    order("\"start\"");
    arena_run(&arena, 1000);
    MashSeed first = contest_table(contest(), 0)->match.seed;
    assert_int_equal(play_all(false), 1);
    arena_run(&arena, 1000);
    assert_int_equal(contest()->pairings_count, 2);
    assert_int_equal(contest()->pairings[0].players[0], contest()->pairings[1].players[1]);
    assert_memory_equal(&contest_table(contest(), 0)->match.seed, &first, sizeof first);
    assert_int_equal(play_all(false), 1);
    arena_run(&arena, 1000);
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
}

static void lists_pages_and_limits(void **unused) {
    (void)unused;
    gather(3, "\"kind\":\"arena\",\"start_in\":3600,\"players_max\":2");
    arena.server->setup.budgets.tournaments = 2;
    test_client_send(&clients[1], "{\"type\":\"tournaments\"}");
    const Message *list = test_client_expect(&clients[1], MESSAGE_SERVER_TOURNAMENTS);
    assert_non_null(strstr(list->tournaments_list.tournaments.bytes, code));
    test_client_send(&clients[1],
                     "{\"type\":\"tournament-create\",\"title\":\"Secret\",\"game\":\"tablut\","
                     "\"kind\":\"swiss\",\"secret\":true}");
    test_client_expect(&clients[1], MESSAGE_SERVER_TOURNAMENT);
    test_client_send(&clients[1],
                     "{\"type\":\"tournament-create\",\"title\":\"Third\",\"game\":\"tablut\","
                     "\"kind\":\"swiss\"}");
    assert_string_equal(test_client_expect(&clients[1], MESSAGE_SERVER_REFUSED)->refused.code,
                        "quota");
    test_client_send(&clients[2], "{\"type\":\"tournaments\"}");
    list = test_client_expect(&clients[2], MESSAGE_SERVER_TOURNAMENTS);
    assert_null(strstr(list->tournaments_list.tournaments.bytes, "Secret"));
    for (uint32_t i = 0; i < 3; i++)
        test_client_send(&clients[i], "{\"type\":\"tournament-join\",\"code\":\"%s\"}", code);
    assert_string_equal(test_client_expect(&clients[2], MESSAGE_SERVER_REFUSED)->refused.code,
                        "no-free-seat");
    test_client_send(
        &clients[2],
        "{\"type\":\"tournament-page\",\"code\":\"%s\",\"what\":\"standings\",\"id\":7}", code);
    const Message *page = test_client_expect(&clients[2], MESSAGE_SERVER_TOURNAMENT_PAGE);
    assert_int_equal(page->tournament_lines.count, 2);
    assert_int_equal(page->tournament_lines.id, 7);
    test_client_send(&clients[2], "{\"type\":\"tournament-watch\",\"code\":\"aaaa-aaaa-aaaa\"}");
    assert_string_equal(test_client_expect(&clients[2], MESSAGE_SERVER_REFUSED)->refused.code,
                        "no-such-tournament");
    test_client_send(&clients[2],
                     "{\"type\":\"tournament-watch\",\"code\":\"%s\",\"token\":"
                     "\"00000000000000000000000000000000\"}",
                     code);
    assert_string_equal(test_client_expect(&clients[2], MESSAGE_SERVER_REFUSED)->refused.code,
                        "no-such-token");
    test_client_send(&clients[2], "{\"type\":\"tournament-leave\"}");
    assert_string_equal(test_client_expect(&clients[2], MESSAGE_SERVER_REFUSED)->refused.code,
                        "not-in-tournament");
    arena_run(&arena, 3700000);
    assert_int_equal(contest()->phase, PROTO_PHASE_RUNNING);
}

static void a_tournament_that_is_over_goes_to_the_archive(void **unused) {
    (void)unused;
    gather(2, "\"kind\":\"round-robin\"");
    join_all();
    order("\"end\"");
    arena_run(&arena, 1000);
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
    uint64_t number = contest()->number;
    arena_run(&arena, 90000000);
    assert_null(contest_find(arena.server, number));
    size_t count = 0;
    char file[4096];
    assert_int_equal(store_archive_read(arena.server->store, number, file, sizeof file - 1, &count),
                     STORE_OK);
    file[count] = '\0';
    assert_non_null(strstr(file, "\"mashup-tournament\":1"));
    assert_non_null(strstr(file, "Player 1"));
    assert_null(strstr(file, tokens[1]));
}

/* Where the names of accounts stand is noted first: whoever deletes the account is not in its file.
 */
static void a_tournament_of_accounts_goes_to_the_archive_without_who_is_gone(void **unused) {
    static const char *const names[] = {"Ann Deleted", "Bob Remains"};
    static char file[4096];
    (void)unused;
    gather(2, "\"kind\":\"round-robin\"");
    for (uint32_t i = 0; i < 2; i++) {
        test_client_send(&clients[i], "{\"type\":\"claim\",\"key\":\"%032u\",\"name\":\"%s\"}", i,
                         names[i]);
        test_client_expect(&clients[i], MESSAGE_SERVER_ACCOUNT);
    }
    join_all();
    order("\"end\"");
    arena_run(&arena, 5000);
    assert_true(contest()->noted);
    uint64_t number = contest()->number;
    test_client_send(&clients[0], "{\"type\":\"delete\",\"name\":\"%s\"}", names[0]);
    arena_run(&arena, 90000000);
    assert_null(contest_find(arena.server, number));
    size_t count = 0;
    assert_int_equal(store_archive_read(arena.server->store, number, file, sizeof file - 1, &count),
                     STORE_OK);
    assert_non_null(strstr(file, names[1]));
    assert_non_null(strstr(file, "deleted player"));
    assert_null(strstr(file, names[0]));
}

static void one_that_never_begins_ends_after_a_month(void **unused) {
    (void)unused;
    gather(1, "\"kind\":\"swiss\"");
    arena_run(&arena, (uint64_t)30 * 86400000);
    assert_int_equal(contest()->phase, PROTO_PHASE_WAITING);
    arena_run(&arena, (uint64_t)36 * 3600000);
    assert_int_equal(contest()->phase, PROTO_PHASE_OVER);
}

/* All that it was created with is there again after the server was killed. */
static void a_tournament_is_restored_as_it_was_created(void **unused) {
    (void)unused;
    gather(1, "\"kind\":\"round-robin\",\"rest_ms\":1234,\"players_max\":7,\"start_in\":5000,"
              "\"free\":true,\"minutes\":77,\"turn_ms\":7000");
    ContestConfig before = contest()->config;
    assert_true(before.without_rounds && before.starts_ms > 0);
    assert_true(before.rest_ms == 1234 && before.players_max == 7 && before.minutes == 77);
    test_client_release(&clients[0]);
    arena_kill(&arena);
    arena_open(&arena);
    ContestConfig after = contest()->config;
    assert_string_equal(after.title, before.title);
    assert_string_equal(after.token, before.token);
    assert_memory_equal(&after.seed, &before.seed, sizeof after.seed);
    assert_int_equal(after.table.clocks.turn_ms, 7000);
    before.table = after.table;
    assert_memory_equal(&after, &before, sizeof after);
}

/* The records of the tournament, as a killed server has left them. */
enum { RECORDS_MAX = 16 };
static struct {
    StoreRecord list[RECORDS_MAX];
    char bytes[RECORDS_MAX][1024];
    uint32_t count;
} journal;

/* Takes them from the store, which then has no match. */
static void take_journal(void) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    StoreSetup setup = store_setup(arena.place);
    Store *store = store_open(&setup, &problem);
    StoreMatch match;
    StoreRecord record;
    assert_non_null(store);
    journal.count = 0;
    while (store_next_match(store, &match)) {
        while (store_next_record(store, &record)) {
            if (record.kind < RECORD_CONTEST)
                continue; /* of a match that waits for its players */
            assert_true(journal.count < RECORDS_MAX && record.count < sizeof journal.bytes[0]);
            char *bytes = memcpy(journal.bytes[journal.count], record.bytes, record.count);
            bytes[record.count] = '\0';
            record.bytes = bytes;
            journal.list[journal.count++] = record;
        }
        store_forget(store, match.match, 1);
    }
    store_close(store);
}

/* Puts them back, as a match of another number. */
static void put_journal(void) {
    static uint64_t number;
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    StoreSetup setup = store_setup(arena.place);
    Store *store = store_open(&setup, &problem);
    uint64_t ticket;
    assert_non_null(store);
    number++;
    for (uint32_t i = 0; i < journal.count; i++) {
        journal.list[i].match = number;
        assert_int_equal(store_append(store, &journal.list[i], &ticket), STORE_OK);
    }
    store_close(store);
    arena.log[0] = '\0';
    arena.log_count = 0;
}

/* A number of the first record, after its key, has a minus. */
static void make_negative(const char *key) {
    char *at = strstr(journal.bytes[0], key);
    assert_non_null(at);
    at += strlen(key);
    memmove(at + 2, at, strlen(at) + 1);
    memcpy(at, "-1", 2);
    journal.list[0].count += 2;
}

/* However much is wrong with the record of its creation, the first problem is said. */
static void a_tournament_that_cannot_be_read_stays_in_the_journal(void **unused) {
    (void)unused;
    gather(1, "\"kind\":\"swiss\",\"rounds\":3,\"rest_ms\":1000");
    arena_kill(&arena);
    take_journal();
    make_negative("\"rounds\":");
    for (int i = 0; i < 2; i++) {
        put_journal();
        arena_open(&arena);
        assert_int_equal(arena.server->contests_count, 0);
        assert_non_null(strstr(arena.log, "cannot restore a tournament; it stays in the journal: "
                                          "$.rounds must be a whole number"));
        arena_kill(&arena);
        take_journal();
        if (i == 0) {
            make_negative("\"rest_ms\":");
            make_negative("\"players_max\":");
        }
    }
    char *lots = strstr(journal.bytes[0], "\"lots\":\"");
    assert_non_null(lots);
    lots[8] = 'x';
    put_journal();
    arena_open(&arena);
    assert_non_null(strstr(arena.log, "it stays in the journal: its lots are unreadable"));
}

/* It goes on as far as its records are in order. */
static void a_record_that_says_nothing_ends_the_others(void **unused) {
    static const struct {
        uint16_t kind;
        uint32_t count;
        const char *bytes;
    } rows[] = {
        {RECORD_CONTESTANT, 14, "{\"player\":-11}"},
        {RECORD_CONTESTANT, 2, "{}"},
        {RECORD_PAIRINGS, 7, "\1\0\0\0\0\0\0"},
        {RECORD_PAIRINGS, 9, "\1\0\0\0\0\0\0\0"},
        {RECORD_PAIRINGS, 24, "\1\0\0\0\1\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"},
        {RECORD_PAIRINGS, 24, "\1\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0"},
        {RECORD_CONTEST_CHANGE, 15, "\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0"},
        {RECORD_CONTEST_CHANGE, 16, "\143\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"},
        {RECORD_CONTEST_CHANGE, 16, "\5\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0"},
        {RECORD_CONTEST_CHANGE, 16, "\10\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0"},
        {RECORD_CONTEST_CHANGE, 16, "\10\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0"},
    };
    char words[64];
    (void)unused;
    assert_int_equal(PROTO_SCORE_COUNT, 4);
    gather(2, "\"kind\":\"round-robin\"");
    join_all();
    order("\"start\"");
    arena_run(&arena, 1000);
    assert_int_equal(contest()->pairings_count, 1);
    arena_kill(&arena);
    take_journal();
    StoreRecord last = journal.list[journal.count - 1];
    uint32_t whole = journal.count;
    snprintf(words, sizeof words, "has lost records: it goes on after its first %u", whole);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        journal.count = whole + 2;
        last.kind = rows[i].kind;
        last.bytes = rows[i].bytes;
        last.count = rows[i].count;
        journal.list[whole] = journal.list[whole + 1] = last;
        put_journal();
        arena_open(&arena);
        assert_non_null(strstr(arena.log, words));
        assert_int_equal(arena.server->contests_count, 1);
        const Contest *it = arena.server->contests;
        assert_true(it->players_count == 2 && it->pairings_count == 1 && it->open == 1);
        assert_true(!it->players[0].away && it->phase == PROTO_PHASE_RUNNING);
        arena_kill(&arena);
        take_journal();
        journal.count = whole;
    }
    arena_open(&arena);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, disperse)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_swiss_is_played_to_its_end),
        TEST(an_arena_pairs_by_points_then_by_rating),
        TEST(nothing_is_lost_when_the_server_is_killed),
        TEST(a_result_that_only_the_archive_has_counts),
        TEST(a_tournament_is_restored_as_it_was_created),
        TEST(a_tournament_that_cannot_be_read_stays_in_the_journal),
        TEST(a_record_that_says_nothing_ends_the_others),
        TEST(an_arena_pairs_whoever_is_free),
        TEST(who_does_not_come_loses_and_is_away),
        TEST(a_knock_out_replays_draws_and_finds_a_winner),
        TEST(a_round_robin_without_rounds_takes_its_time),
        TEST(an_organiser_pauses_adjusts_removes_and_replaces),
        TEST(two_legs_swap_seats_with_the_same_seed),
        TEST(lists_pages_and_limits),
        TEST(a_tournament_that_is_over_goes_to_the_archive),
        TEST(a_tournament_of_accounts_goes_to_the_archive_without_who_is_gone),
        TEST(one_that_never_begins_ends_after_a_month),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
