/* test_server_prepared.c -- turns that are left with the server in a match over days: when they are
 * done, up to where, what conditions see, that nobody else learns of them, and that a kill at any
 * moment neither loses nor repeats anything. */
#include "tests/server/fake/accounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/simulate.h"
#include "server/days.h"
#include "server/records.h"

static Table *table(void) { return arena.server->tables; }

/* The number of the unit on a cell. */
static unsigned unit_on(int x, int y) {
    static uint64_t memory[4096];
    const MashContent *content = table()->match.content;
    assert_true(mash_board_bytes(content) <= sizeof memory);
    MashBoard board = mash_board_over(content, memory);
    content->game->show(content, table()->match.state, &board);
    for (uint32_t i = 0; i < board.tokens_count; i++)
        if (board.tokens[i].place == MASH_ON_BOARD && board.tokens[i].x == x &&
            board.tokens[i].y == y)
            return board.tokens[i].unit;
    return MASH_UNIT_NONE;
}

/* "UNIT>X,Y" for whoever stands on the first cell. */
static const char *aim(int from_x, int from_y, int x, int y) {
    static char words[4][32];
    static unsigned next;
    char *text = words[next++ % 4];
    snprintf(text, sizeof words[0], "%u>%d,%d", unit_on(from_x, from_y), x, y);
    return text;
}

/* "move mN X Y" for the Muscovite on the first cell. */
static const char *move(int from_x, int from_y, int x, int y) {
    static char words[32];
    snprintf(words, sizeof words, "move m%u %d %d", unit_on(from_x, from_y), x, y);
    return words;
}

/* Bob leaves a branch with one or two entries; "": no condition, no second entry. */
static void prepare(const char *when, const char *one, const char *two) {
    char condition[64] = "", more[64] = "";
    if (when[0] != '\0')
        snprintf(condition, sizeof condition, "\"when\":\"%s\",", when);
    if (two[0] != '\0')
        snprintf(more, sizeof more, ",\"%s\"", two);
    test_client_send(&bob, "{\"type\":\"prepare\",\"id\":7,%s\"actions\":[\"%s\"%s]}", condition,
                     one, more);
}

/* Bob is told that it is kept. */
static void kept(uint32_t branches) {
    const Message *message = test_client_expect(&bob, MESSAGE_SERVER_PREPARED);
    assert_int_equal(message->prepared.what, PROTO_PREPARE_KEPT);
    assert_int_equal(message->prepared.id, 7);
    assert_int_equal(message->json.nodes[message->prepared.branches.node].count, branches);
}

/* Ann acts in words; her answer is the position with her id, and what follows has none. */
static void anns_move(const char *word) {
    test_client_forget(&ann);
    int32_t number = ann.number;
    test_client_send(&ann, "{\"type\":\"act\",\"id\":5,\"position\":%d,\"word\":\"%s\"}", number,
                     word);
    const Message *message = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_true(message_has(message, "id") && message->position.id == 5);
    while (test_client_has(&ann, MESSAGE_SERVER_POSITION))
        assert_false(message_has(test_client_expect(&ann, MESSAGE_SERVER_POSITION), "id"));
    assert_null(strstr(ann.received, "\"prepared\""));
}

/* What has become of Bob's turn. */
static const Message *told(uint8_t what, int32_t done) {
    const Message *message = test_client_expect(&bob, MESSAGE_SERVER_PREPARED);
    assert_int_equal(message->prepared.what, what);
    assert_int_equal(message->prepared.done, done);
    assert_false(message_has(message, "id"));
    return message;
}

/* The last action that a seat may do, as digits: in Marvelous Mashup it ends a hero's turn. */
static const char *last_action(uint8_t seat) {
    static MashAction list[20000];
    static char digits[17];
    const MashContent *content = table()->match.content;
    MashText text = text_over(digits, sizeof digits);
    assert_true(content->limits.actions_max < 20000);
    uint32_t count = content->game->actions(content, table()->match.state, seat, list);
    action_to_hex(list[count - 1], &text);
    return digits;
}

/* A client does an action given as digits, in the last position that it was told. */
static void act_by_digits(TestClient *client, const char *digits) {
    while (test_client_has(client, MESSAGE_SERVER_POSITION))
        test_client_expect(client, MESSAGE_SERVER_POSITION);
    test_client_send(client, "{\"type\":\"act\",\"position\":%d,\"action\":\"%s\"}", client->number,
                     digits);
    test_client_expect(client, MESSAGE_SERVER_POSITION);
}

static uint32_t awaited_in(const Match *match) {
    return match->content->game->awaited(match->content, match->state);
}

static uint32_t awaited(void) { return awaited_in(&table()->match); }

/* --- When it is done ---------------------------------------------------------------------------
 */

static void it_is_done_when_the_turn_comes(void **unused) {
    (void)unused;
    accounts_begin("tablut", "");
    unsigned swede = unit_on(4, 2);
    prepare("", aim(4, 2, 5, 2), "");
    kept(1);
    assert_null(strstr(ann.received, "prepared"));
    anns_move(move(0, 3, 2, 3));
    told(PROTO_PREPARE_DONE, 1);
    assert_int_equal(unit_on(5, 2), swede);
    assert_int_equal(table()->match.actions_count, 2);
    assert_int_equal(awaited(), 1); /* it is Ann's turn again */
    anns_move(move(2, 3, 1, 3));
    assert_false(test_client_has(&bob, MESSAGE_SERVER_PREPARED)); /* it was for one turn */
    assert_int_equal(awaited(), 2);
}

static void the_first_branch_that_fits_is_chosen(void **unused) {
    (void)unused;
    accounts_begin("tablut", "");
    char last[32], otherwise[32];
    snprintf(last, sizeof last, "%s", aim(4, 2, 6, 2));
    snprintf(otherwise, sizeof otherwise, "%s", aim(4, 2, 5, 2));
    prepare("", otherwise, "");
    kept(1);
    prepare(move(0, 3, 1, 3), aim(4, 2, 7, 2), ""); /* words that Ann may play now */
    kept(2);
    prepare(aim(0, 3, 2, 3), aim(4, 2, 1, 2), "");
    kept(3);
    prepare(aim(0, 3, 2, 3), last, ""); /* in place of the one with the same condition */
    kept(3);
    anns_move(move(0, 3, 2, 3));
    told(PROTO_PREPARE_DONE, 1);
    assert_true(unit_on(6, 2) != MASH_UNIT_NONE);
    prepare("ffffffffffffffff", aim(6, 2, 7, 2), "");
    kept(1);
    anns_move(move(2, 3, 1, 3));
    told(PROTO_PREPARE_UNFIT, 0);
    assert_int_equal(awaited(), 2);
    assert_true(unit_on(6, 2) != MASH_UNIT_NONE);
}

static void without_a_fitting_condition_the_other_branch_is_done(void **unused) {
    (void)unused;
    accounts_begin("tablut", "");
    prepare(aim(0, 3, 1, 3), aim(4, 2, 7, 2), "");
    prepare("", aim(4, 2, 5, 2), "");
    anns_move(move(0, 3, 2, 3));
    test_client_expect(&bob, MESSAGE_SERVER_PREPARED);
    test_client_expect(&bob, MESSAGE_SERVER_PREPARED);
    told(PROTO_PREPARE_DONE, 1);
    assert_true(unit_on(5, 2) != MASH_UNIT_NONE);
}

/* The condition is about the turn that has just ended, not about an earlier one. */
static void an_earlier_turn_does_not_count(void **unused) {
    (void)unused;
    accounts_begin("tablut", "");
    prepare("", aim(4, 2, 5, 2), "");
    kept(1);
    anns_move(move(0, 3, 2, 3));
    told(PROTO_PREPARE_DONE, 1);
    prepare(aim(2, 3, 2, 3), aim(5, 2, 6, 2), "");
    kept(1);
    anns_move(move(3, 8, 3, 7));
    told(PROTO_PREPARE_UNFIT, 0);
    assert_true(unit_on(5, 2) != MASH_UNIT_NONE);
}

static void it_stops_at_what_is_not_possible(void **unused) {
    (void)unused;
    accounts_begin("tablut", "");
    prepare("", aim(4, 2, 2, 2), "");
    kept(1);
    anns_move(move(0, 3, 2, 3));
    told(PROTO_PREPARE_DONE, 1);
    prepare("", aim(2, 2, 2, 6), ""); /* a Muscovite is between */
    kept(1);
    anns_move(move(3, 8, 3, 7));
    const Message *message = told(PROTO_PREPARE_STOPPED, 0);
    assert_string_equal(message->prepared.action, aim(2, 2, 2, 6));
    assert_int_equal(awaited(), 2);
    /* What is said again to who comes back is forgotten with the player's next action. */
    accounts_return(&bob);
    told(PROTO_PREPARE_STOPPED, 0);
    char word[32];
    snprintf(word, sizeof word, "move s%u 2 1", unit_on(2, 2) - 16);
    test_client_send(&bob, "{\"type\":\"act\",\"position\":%d,\"word\":\"%s\"}", bob.number, word);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    accounts_return(&bob);
    assert_false(test_client_has(&bob, MESSAGE_SERVER_PREPARED));
}

static void a_turn_that_is_over_has_no_second_action(void **unused) {
    (void)unused;
    accounts_begin("tablut", "");
    prepare("", aim(4, 2, 5, 2), "move s0 1 1");
    kept(1);
    anns_move(move(0, 3, 2, 3));
    const Message *message = told(PROTO_PREPARE_STOPPED, 1);
    assert_string_equal(message->prepared.action, "move s0 1 1");
    assert_int_equal(awaited(), 1);
}

/* The condition is about what was done, not about what was shown first: undone steps do not count.
 */
static void what_was_undone_does_not_count(void **unused) {
    (void)unused;
    accounts_begin("zorde", ",\"preset\":\"skirmish\"");
    prepare(aim(3, 5, 3, 4), "step t0 2 1", "");
    kept(1);
    anns_move("step h0 3 4");
    test_client_send(&ann, "{\"type\":\"undo\",\"position\":%d}", ann.number);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    anns_move("step h0 4 4");
    anns_move("step h0 5 4");
    assert_false(test_client_has(&bob, MESSAGE_SERVER_PREPARED));
    anns_move("step h0 5 5");
    told(PROTO_PREPARE_UNFIT, 0);
}

/* Bob leaves a walk; Ann has one step of her turn left. */
static void begin_with_a_walk(void) {
    accounts_begin("zorde", ",\"preset\":\"skirmish\"");
    prepare(aim(3, 5, 5, 5), aim(1, 0, 1, 2), aim(1, 0, 1, 4));
    kept(1);
    anns_move("step h0 4 4");
    anns_move("step h0 5 4");
}

static void a_unit_walks_as_far_as_it_must(void **unused) {
    (void)unused;
    begin_with_a_walk();
    anns_move("step h0 5 5");
    told(PROTO_PREPARE_DONE, 2);
    assert_true(unit_on(1, 4) != MASH_UNIT_NONE);
    assert_int_equal(table()->match.actions_count, 3 + 4);
    assert_int_equal(awaited(), 1);
}

/* An aim names who stands on its cell: nobody goes there if that is somebody else, or nobody. */
static void an_aim_is_for_who_stood_there(void **unused) {
    (void)unused;
    char words[40];
    accounts_begin("zorde", ",\"preset\":\"skirmish\"");
    snprintf(words, sizeof words, "%s=%u", aim(1, 0, 1, 1), unit_on(3, 5));
    prepare("", words, "");
    kept(1);
    anns_move("step h0 4 4");
    anns_move("step h0 5 4");
    anns_move("step h0 5 5");
    assert_string_equal(told(PROTO_PREPARE_STOPPED, 0)->prepared.action, words);
    assert_int_equal(table()->match.actions_count, 3);
}

/* Has one of Bob's units several actions at the cell of a friend of its own? Then they are written
 * as an aim. */
static bool find_several(const MashContent *content, const void *state, MashAction *list,
                         char words[32]) {
    static uint64_t memory[4096];
    uint32_t count = content->game->actions(content, state, 1, list);
    MashBoard board = mash_board_over(content, memory);
    content->game->show(content, state, &board);
    for (uint32_t k = 0; k < board.tokens_count; k++) {
        const MashToken *friend = &board.tokens[k];
        uint32_t found = 0;
        for (uint32_t i = 0; i < count && friend->seat == 1 && friend->x > 0; i++)
            found += list[i].x == friend->x && list[i].y == friend->y;
        snprintf(words, 32, "%u>%d,%d=%u", list[0].unit, friend->x, friend->y, friend->unit);
        if (found > 1)
            return true;
    }
    return false;
}

/* Longer matches are not looked at. */
enum { LONGEST = 200 };

/* An aim is done if one action alone has it: the player may have meant another. Random matches from
 * the same beginning show the shortest way to two such actions. */
static void of_several_actions_none_is_done(void **unused) {
    (void)unused;
    static MashAction list[20000], path[LONGEST];
    char words[32], found[32];
    uint32_t length = LONGEST;
    accounts_begin("marvelous-mashup", "");
    const Match *match = &table()->match;
    MashSetup setup = {match->options, match->content->game->options_count};
    void *memory = calloc(1, match_bytes(match->content));
    for (uint32_t i = 0; i < 1000; i++) {
        Match copy;
        MashChance chance = simulate_action_chance(7, i);
        assert_int_equal(match_begin(&copy, match->content, match->seed, &setup, memory), MASH_OK);
        uint32_t was = 0;
        while (copy.actions_count < length && awaited_in(&copy) != 0) {
            if (was == 1 && awaited_in(&copy) == 2 &&
                find_several(copy.content, copy.state, list, found)) {
                length = copy.actions_count;
                memcpy(path, copy.actions, length * sizeof *path);
                memcpy(words, found, sizeof words);
                break;
            }
            was = awaited_in(&copy);
            MashAction action = simulate_random_action(copy.content, copy.state, &chance, list);
            if (match_apply(&copy, action) != MASH_OK)
                break;
        }
    }
    free(memory);
    assert_true(length < LONGEST);
    for (uint32_t i = 0; i < length; i++) {
        if (i + 1 == length) {
            prepare("", words, "");
            kept(1);
        }
        char digits[17] = "";
        MashText text = text_over(digits, sizeof digits);
        action_to_hex(path[i], &text);
        act_by_digits(path[i].seat == 0 ? &ann : &bob, digits);
    }
    assert_string_equal(told(PROTO_PREPARE_STOPPED, 0)->prepared.action, words);
}

/* --- Who may ----------------------------------------------------------------------------------
 */

static void it_is_for_matches_over_days_and_the_others_turn(void **unused) {
    (void)unused;
    char list[4096] = "";
    fixture_begin("", "person");
    test_client_send(&bob, "{\"type\":\"prepare\",\"actions\":[\"0>1,1\"]}");
    test_client_refused(&bob, "only-by-days");
    test_client_release(&ann);
    test_client_release(&bob);
    accounts_begin("tablut", "");
    test_client_send(&ann, "{\"type\":\"prepare\",\"actions\":[\"0>1,1\"]}");
    test_client_refused(&ann, "your-turn");
    test_client_send(&bob, "{\"type\":\"prepare\",\"when\":\"move m3 9 9\",\"actions\":[\"end\"]}");
    test_client_refused(&bob, "no-such-word");
    prepare("", "end", ""); /* offences are counted in a row */
    kept(1);
    test_client_send(&bob, "{\"type\":\"prepare\",\"actions\":[]}");
    test_client_refused(&bob, "malformed");
    prepare("", "end", "");
    kept(1);
    test_client_send(&bob, "{\"type\":\"prepare\",\"actions\":[\"\"]}");
    test_client_refused(&bob, "malformed");
    prepare("", "end", "");
    kept(1);
    for (int i = 0; i < 65; i++)
        strcat(list, i == 0 ? "\"end\"" : ",\"end\"");
    test_client_send(&bob, "{\"type\":\"prepare\",\"actions\":[%s]}", list);
    test_client_refused(&bob, "malformed");
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", accounts_code);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    test_client_send(&eve, "{\"type\":\"prepare\",\"actions\":[\"0>1,1\"]}");
    test_client_refused(&eve, "not-seated");
    assert_false(test_client_has(&bob, MESSAGE_SERVER_PREPARED));
}

static void there_are_so_many_and_each_can_be_dropped(void **unused) {
    (void)unused;
    accounts_begin("tablut", "");
    char when[32];
    for (uint32_t i = 0; i < 8; i++) {
        snprintf(when, sizeof when, "%u>1,1", i);
        prepare(when, "move s0 1 1", "");
        kept(i + 1);
    }
    prepare("", "move s0 1 1", "");
    test_client_refused(&bob, "too-many");
    test_client_send(&bob, "{\"type\":\"prepare\",\"id\":7,\"when\":\"3>1,1\"}");
    kept(7);
    prepare("", "move s0 1 1", "");
    kept(8);
    test_client_send(&bob, "{\"type\":\"prepare\",\"id\":7}"); /* the one without a condition */
    kept(7);
    for (int i = 0; i < 100 && !test_client_has(&bob, MESSAGE_SERVER_REFUSED); i++) {
        prepare("", "move s0 1 1", "");
        arena_run(&arena, 1000);
    }
    test_client_refused(&bob, "too-many"); /* what is written is bounded, too */
    anns_move(move(0, 3, 2, 3));
    assert_int_equal(awaited(), 2);
}

/* Before a game that hides something has begun, a condition would ask for what is hidden. */
static void conditions_see_nothing_hidden(void **unused) {
    (void)unused;
    accounts_begin("generals", "");
    for (int i = 0; i < 200 && (awaited() & 2) != 0; i++)
        act_by_digits(&bob, last_action(1));
    assert_int_equal(awaited(), 1); /* Bob is ready, Ann places */
    for (int i = 0; i < 300 && (awaited() & 1) != 0 && table()->match.notes[0] < 99; i++) {
        const char *digits = last_action(0);
        if (table()->prepared[1] == NULL) {
            prepare(digits, "ffffffffffffffff", "");
            kept(1);
        }
        act_by_digits(&ann, digits);
        if (test_client_has(&bob, MESSAGE_SERVER_PREPARED))
            break;
    }
    if ((awaited() & 2) != 0)
        told(PROTO_PREPARE_UNFIT, 0); /* though Ann has done just that */
}

/* --- Resting and kills -------------------------------------------------------------------------
 */

static void it_rests_with_the_match(void **unused) {
    (void)unused;
    accounts_begin("tablut", "");
    prepare("", aim(4, 2, 5, 2), "");
    kept(1);
    accounts_rest();
    accounts_return(&bob);
    const Message *message = test_client_expect(&bob, MESSAGE_SERVER_PREPARED);
    assert_int_equal(message->prepared.what, PROTO_PREPARE_KEPT);
    accounts_rest();
    accounts_return(&ann);
    assert_null(strstr(ann.received, "\"prepared\""));
    anns_move(move(0, 3, 2, 3));
    assert_true(unit_on(5, 2) != MASH_UNIT_NONE);
    accounts_rest();
    accounts_return(&bob);
    told(PROTO_PREPARE_DONE, 1);
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", accounts_code);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    assert_null(strstr(eve.received, "\"prepared\""));
}

/* Bob's goblin makes four steps in a turn. Whenever the server is killed, all of them are done in
 * the end, and none twice. */
static void a_kill_neither_loses_nor_repeats_anything(void **unused) {
    (void)unused;
    begin_with_a_walk();
    for (uint32_t i = 0; i < 40; i++) {
        char text[128];
        bool done = table() != NULL && table()->match.actions_count == 7;
        if (!done) {
            accounts_return(&ann);
            if (table()->match.actions_count == 2) {
                snprintf(text, sizeof text,
                         "{\"type\":\"act\",\"position\":%d,\"word\":\"step h0 5 5\"}", ann.number);
                test_client_send_nowait(&ann, text);
                arena_run(&arena, i % 3);
            }
        }
        test_client_release(&ann);
        test_client_release(&bob);
        arena_kill(&arena);
        arena_open(&arena);
        arena_run(&arena, i % 5 * 3);
    }
    accounts_return(&bob);
    arena_run(&arena, 1000);
    assert_int_equal(table()->match.actions_count, 7);
    assert_true(unit_on(1, 4) != MASH_UNIT_NONE);
    assert_int_equal(awaited(), 1);
    accounts_rest();
    accounts_return(&bob);
    told(PROTO_PREPARE_DONE, 2);
}

/* The journal may end behind any record of the turn: it goes on there, and nothing is done twice.
 */
static void a_turn_that_was_cut_off_goes_on(void **unused) {
    (void)unused;
    begin_with_a_walk();
    anns_move("step h0 5 5");
    told(PROTO_PREPARE_DONE, 2);
    accounts_rest();
    Store *store = arena.server->store;
    StoreDays row;
    StoreRecord record;
    uint64_t number, session = 70;
    void *log, *ignored;
    size_t count, at = 0, less;
    uint32_t actions = 0, cuts = 0;
    assert_true(table_code_decode(accounts_code, &number));
    assert_int_equal(store_days_take(store, number, session, 0, &row, &log, &count), STORE_OK);
    while (days_log_next(log, count, &at, &record)) {
        actions += record.kind == RECORD_ACTION;
        if (actions < 3)
            continue;
        assert_int_equal(store_days_park(store, number, session, log, at), STORE_OK);
        accounts_return(&bob);
        told(PROTO_PREPARE_DONE, 2);
        assert_int_equal(table()->match.actions_count, 7);
        assert_true(unit_on(1, 4) != MASH_UNIT_NONE);
        assert_int_equal(awaited(), 1);
        accounts_rest();
        session++;
        assert_int_equal(store_days_take(store, number, session, 0, &row, &ignored, &less),
                         STORE_OK);
        assert_true(less >= count); /* the record of what became of it may be written once more */
        free(ignored);
        cuts++;
    }
    assert_int_equal(cuts, 6); /* behind Ann's last action, four of Bob's, and the outcome */
    free(log);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(it_is_done_when_the_turn_comes),
        TEST(the_first_branch_that_fits_is_chosen),
        TEST(without_a_fitting_condition_the_other_branch_is_done),
        TEST(an_earlier_turn_does_not_count),
        TEST(it_stops_at_what_is_not_possible),
        TEST(a_turn_that_is_over_has_no_second_action),
        TEST(what_was_undone_does_not_count),
        TEST(a_unit_walks_as_far_as_it_must),
        TEST(an_aim_is_for_who_stood_there),
        TEST(of_several_actions_none_is_done),
        TEST(it_is_for_matches_over_days_and_the_others_turn),
        TEST(there_are_so_many_and_each_can_be_dropped),
        TEST(conditions_see_nothing_hidden),
        TEST(it_rests_with_the_match),
        TEST(a_kill_neither_loses_nor_repeats_anything),
        TEST(a_turn_that_was_cut_off_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
