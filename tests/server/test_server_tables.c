/* test_server_tables.c -- players find each other and play: quick matches, tables with a code,
 * watching, reconnecting, draws, rematches, AI players, and what the server sends over HTTP. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/fake/fixture.h"

/* Ann and Bob at a quick match of zorde; the one to move is `*first`. */
static void begin_duel(TestClient **first, TestClient **second) {
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"duel\"}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_WAITING);
    test_client_send(&bob, "{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"duel\"}");
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_RUNNING);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_RUNNING);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_string_equal(ann.code, bob.code);
    assert_int_equal(ann.seat + bob.seat, 1);
    bool anns = strstr(ann.received, "\"awaited\":[0]") != NULL ? ann.seat == 0 : ann.seat == 1;
    *first = anns ? &ann : &bob;
    *second = anns ? &bob : &ann;
}

static void part(void) {
    test_client_release(&ann);
    test_client_release(&bob);
}

/* --- Matchmaking ------------------------------------------------------------------------------ */

static void two_who_seek_the_same_play(void **unused) {
    (void)unused;
    TestClient *first, *second;
    begin_duel(&first, &second);
    assert_int_equal(first->number, 1);
    test_client_act(first);
    test_client_expect(second, MESSAGE_SERVER_POSITION);
    assert_int_equal(second->number, 2);
    test_client_send(second, "{\"type\":\"resign\"}");
    const Message *end = test_client_expect(second, MESSAGE_SERVER_POSITION);
    assert_true(message_has(end, "result"));
    end = test_client_expect(first, MESSAGE_SERVER_POSITION);
    assert_non_null(strstr(end->position.result.bytes, "\"reason\":1"));
    char path[64], body[1 << 16];
    MashText out = text_over(body, sizeof body), address = text_over(path, sizeof path);
    text_format(&address, "/api/match/%s", ann.code);
    assert_int_equal(fake_get(arena.server->net, path, &out), 200);
    assert_non_null(strstr(body, "\"mashup-match\": 1"));
    assert_non_null(strstr(body, "resign"));
    part();
    arena_run(&arena, 100);
    assert_null(arena.server->tables);
    text_clear(&out);
    assert_int_equal(fake_get(arena.server->net, path, &out), 200);
    assert_non_null(strstr(body, "resign"));
    text_clear(&out);
    assert_int_equal(fake_get(arena.server->net, "/api/archive?game=zorde&player=ann", &out), 200);
    assert_non_null(strstr(body, ann.code));
}

static void different_requests_do_not_meet(void **unused) {
    (void)unused;
    static const char *const requests[] = {
        "{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"duel\"}",
        "{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"border\"}",
        "{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"duel\",\"turn_ms\":5000}"};
    TestClient clients[3];
    for (int i = 0; i < 3; i++) {
        test_client_join(&clients[i], &arena, "Guest", "ai", "json");
        test_client_send(&clients[i], "%s", requests[i]);
        assert_int_equal(test_client_expect(&clients[i], MESSAGE_SERVER_TABLE)->table.state,
                         PROTO_STATE_WAITING);
    }
    assert_int_equal(arena.server->tables_count, 3);
    test_client_send(&clients[0], "{\"type\":\"matches\"}");
    const Message *list = test_client_expect(&clients[0], MESSAGE_SERVER_MATCHES);
    assert_int_equal(list->json.nodes[list->matches_list.matches.node].count, 3);
    test_client_send(&clients[0], "{\"type\":\"leave\",\"id\":77}");
    assert_int_equal(test_client_expect(&clients[0], MESSAGE_SERVER_DONE)->done.id, 77);
    assert_int_equal(arena.server->tables_count, 2);
    for (int i = 0; i < 3; i++)
        test_client_release(&clients[i]);
    assert_int_equal(arena.server->tables_count, 0);
}

static void a_table_with_a_code_is_found_by_it_alone(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "ai", "bytes");
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":1,"
                           "\"secret\":true,\"turn_ms\":9000}");
    const Message *table = test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.you, 1);
    assert_int_equal(table->table.turn_ms, 9000);
    assert_true(table->table.secret);
    test_client_send(&bob, "{\"type\":\"matches\"}");
    table = test_client_expect(&bob, MESSAGE_SERVER_MATCHES);
    assert_int_equal(table->json.nodes[table->matches_list.matches.node].count, 0);
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    assert_int_equal(test_client_expect(&eve, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_WAITING);
    test_client_send(&eve, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&eve, "at-a-table");
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"0000-0000-0000\"}");
    test_client_refused(&bob, "no-such-table");
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_TABLE)->table.you, 0);
    assert_true(message_has(test_client_expect(&bob, MESSAGE_SERVER_POSITION), "view"));
    assert_true(message_has(test_client_expect(&ann, MESSAGE_SERVER_POSITION), "board"));
    assert_int_equal(test_client_expect(&eve, MESSAGE_SERVER_TABLE)->table.you, MASH_SEAT_NONE);
    const Message *position = test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    assert_int_equal(position->json.nodes[position->position.actions.node].count, 0);
    TestClient late;
    test_client_join(&late, &arena, "Late", "person", "json");
    test_client_send(&late, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&late, "no-free-seat");
    test_client_release(&late);
    test_client_release(&eve);
    part();
}

static void late_spectators_see_all_that_follows(void **unused) {
    (void)unused;
    TestClient *first, *second, other;
    begin_duel(&first, &second);
    test_client_act(first);
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_join(&other, &arena, "Otto", "watcher", "bytes");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_send(&other, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    assert_int_equal(test_client_expect(&other, MESSAGE_SERVER_TABLE)->table.watchers, 2);
    test_client_expect(&other, MESSAGE_SERVER_POSITION);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    assert_int_equal(eve.number, 2);
    test_client_expect(second, MESSAGE_SERVER_POSITION);
    TestClient *mover =
        second->message.position.awaited.bytes[1] - '0' == second->seat ? second : first;
    test_client_act(mover);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    assert_int_equal(eve.number, 3);
    assert_true(test_client_has(&other, MESSAGE_SERVER_POSITION));
    test_client_send(&eve, "{\"type\":\"resign\"}");
    test_client_refused(&eve, "not-seated");
    test_client_send(&eve, "{\"type\":\"leave\"}");
    test_client_expect(&eve, MESSAGE_SERVER_DONE);
    uint32_t frames = eve.frames;
    test_client_send(first, "{\"type\":\"chat\",\"text\":\"bye\"}");
    assert_true(test_client_has(&other, MESSAGE_SERVER_CHAT));
    assert_int_equal(eve.frames, frames);
    test_client_release(&eve);
    test_client_release(&other);
    part();
}

/* --- Reconnecting ----------------------------------------------------------------------------- */

static void a_token_continues_at_the_exact_point(void **unused) {
    (void)unused;
    TestClient *first, *second, again;
    begin_duel(&first, &second);
    test_client_act(first);
    test_client_expect(second, MESSAGE_SERVER_POSITION);
    char before[1 << 14];
    snprintf(before, sizeof before, "%.*s", (int)second->message.position.board.count,
             second->message.position.board.bytes);
    fake_cut(second->connection);
    arena_run(&arena, 50);
    const Message *people = test_client_expect(first, MESSAGE_SERVER_PEOPLE);
    assert_non_null(strstr(people->people.players.bytes, "\"here\":false"));
    test_client_join(&again, &arena, "Nobody", "watcher", "json");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", second->token);
    assert_int_equal(test_client_expect(&again, MESSAGE_SERVER_TABLE)->table.you, second->seat);
    const Message *position = test_client_expect(&again, MESSAGE_SERVER_POSITION);
    assert_int_equal(again.number, second->number);
    assert_int_equal(strlen(before), position->position.board.count);
    assert_memory_equal(before, position->position.board.bytes, strlen(before));
    people = test_client_expect(first, MESSAGE_SERVER_PEOPLE);
    assert_null(strstr(people->people.players.bytes, "\"here\":false"));
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", second->token);
    test_client_refused(&again, "at-a-table");
    test_client_release(&again);
    test_client_join(&again, &arena, "Thief", "person", "json");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%.31s%c\"}", second->token,
                     second->token[31] == '0' ? '1' : '0');
    test_client_refused(&again, "no-such-token");
    test_client_release(&again);
    part();
}

static void a_second_connection_takes_the_seat_over(void **unused) {
    (void)unused;
    TestClient *first, *second, again;
    begin_duel(&first, &second);
    test_client_join(&again, &arena, "Phone", "person", "json");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", first->token);
    assert_string_equal(test_client_expect(first, MESSAGE_SERVER_TAKEN)->taken.code, first->code);
    test_client_expect(&again, MESSAGE_SERVER_POSITION);
    test_client_act(&again);
    test_client_send(first, "{\"type\":\"resign\"}");
    test_client_refused(first, "not-at-a-table");
    test_client_send(first, "{\"type\":\"watch\",\"code\":\"%s\"}", second->code);
    test_client_expect(first, MESSAGE_SERVER_POSITION);
    test_client_release(&again);
    part();
}

static void after_a_crash_the_match_goes_on(void **unused) {
    (void)unused;
    TestClient *first, *second, one, two;
    begin_duel(&first, &second);
    test_client_act(first);
    test_client_expect(second, MESSAGE_SERVER_POSITION);
    char before[1 << 14];
    snprintf(before, sizeof before, "%.*s", (int)second->message.position.board.count,
             second->message.position.board.bytes);
    arena_kill(&arena);
    assert_null(first->connection);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 1);
    test_client_join(&one, &arena, "One", "person", "json");
    test_client_join(&two, &arena, "Two", "person", "json");
    test_client_send(&one, "{\"type\":\"return\",\"token\":\"%s\"}", first->token);
    test_client_send(&two, "{\"type\":\"return\",\"token\":\"%s\"}", second->token);
    const Message *table = test_client_expect(&two, MESSAGE_SERVER_TABLE);
    assert_non_null(strstr(table->table.players.bytes, "Ann"));
    const Message *position = test_client_expect(&two, MESSAGE_SERVER_POSITION);
    assert_int_equal(two.number, second->number);
    assert_memory_equal(before, position->position.board.bytes, strlen(before));
    test_client_expect(&one, MESSAGE_SERVER_POSITION);
    test_client_act(two.message.position.awaited.bytes[1] - '0' == two.seat ? &two : &one);
    test_client_send(&one, "{\"type\":\"resign\"}");
    test_client_expect(&one, MESSAGE_SERVER_POSITION);
    test_client_release(&one);
    test_client_release(&two);
    arena_run(&arena, 100);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 0);
    part();
}

static void own_documents_come_back_too(void **unused) {
    (void)unused;
    static const char open[] =
        "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0,\"opponent\":\"ai\","
        "\"documents\":[{\"name\":\"mine.start.json\",\"text\":\"%s\"}]}";
    MashDocument shipped = mash_document_shipped(mash_game_find("zorde"), "border.start.json");
    char memory[1 << 14];
    MashText text = text_over(memory, sizeof memory);
    assert_true(shipped.count > 0);
    for (uint32_t i = 0; i < shipped.count; i++) {
        if (shipped.bytes[i] == '"' || shipped.bytes[i] == '\n')
            text_byte(&text, '\\');
        text_byte(&text, shipped.bytes[i] == '\n' ? 'n' : shipped.bytes[i]);
    }
    assert_false(text.truncated);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, open, "{");
    test_client_refused(&ann, "bad-content");
    assert_non_null(strstr(ann.message.refused.reason, "mine.start.json"));
    test_client_send(&ann, open, memory);
    const Message *table = test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_false(message_has(table, "preset"));
    bool found = false;
    for (uint32_t i = 0; i < table->table.documents.count; i++) {
        const MashDocument *document = &table->table.documents.list[i];
        if (strcmp(document->name, "mine.start.json") != 0)
            assert_null(document->bytes);
        else
            found = document->count == shipped.count;
    }
    assert_true(found);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 1);
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&bob, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    part();
}

/* --- Draws, rematches, chat ------------------------------------------------------------------- */

static void draws_are_offered_and_answered(void **unused) {
    (void)unused;
    TestClient *first, *second;
    begin_duel(&first, &second);
    test_client_send(second, "{\"type\":\"draw\",\"what\":\"accept\"}");
    test_client_refused(second, "no-draw-offered");
    assert_false(second->message.refused.offence);
    test_client_send(first, "{\"type\":\"draw\",\"what\":\"offer\"}");
    assert_int_equal(test_client_expect(first, MESSAGE_SERVER_POSITION)->position.draw,
                     first->seat);
    assert_int_equal(test_client_expect(second, MESSAGE_SERVER_POSITION)->position.draw,
                     first->seat);
    test_client_send(second, "{\"type\":\"draw\",\"what\":\"decline\"}");
    assert_int_equal(test_client_expect(first, MESSAGE_SERVER_POSITION)->position.draw,
                     MASH_SEAT_NONE);
    test_client_send(first, "{\"type\":\"draw\",\"what\":\"offer\"}");
    test_client_send(second, "{\"type\":\"draw\",\"what\":\"accept\"}");
    const Message *end = test_client_expect(second, MESSAGE_SERVER_POSITION);
    while (!message_has(end, "result"))
        end = test_client_expect(second, MESSAGE_SERVER_POSITION);
    assert_non_null(strstr(end->position.result.bytes, "\"winner\":null,\"reason\":2"));
    part();
}

static void both_want_another_match(void **unused) {
    (void)unused;
    TestClient *first, *second;
    begin_duel(&first, &second);
    char code[PROTO_CODE_MAX + 1];
    memcpy(code, ann.code, sizeof code);
    uint8_t seat = ann.seat;
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", code);
    test_client_send(&ann, "{\"type\":\"rematch\"}");
    test_client_refused(&ann, "still-running");
    test_client_send(&ann, "{\"type\":\"resign\"}");
    test_client_send(&eve, "{\"type\":\"rematch\"}");
    test_client_refused(&eve, "not-seated");
    test_client_send(&ann, "{\"type\":\"rematch\"}");
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_REMATCH)->rematch_offer.seat, seat);
    test_client_forget(&ann);
    test_client_forget(&bob);
    test_client_forget(&eve);
    test_client_send(&bob, "{\"type\":\"rematch\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    assert_int_equal(ann.seat, 1 - seat);
    assert_int_equal(bob.seat, seat);
    assert_string_not_equal(ann.code, code);
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_POSITION)->position.number, 1);
    assert_string_equal(test_client_expect(&eve, MESSAGE_SERVER_TABLE)->table.code, ann.code);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    assert_int_equal(arena.server->tables_count, 1);
    test_client_release(&eve);
    part();
}

static void a_line_is_heard_by_everybody(void **unused) {
    (void)unused;
    TestClient *first, *second;
    begin_duel(&first, &second);
    test_client_send(&ann, "{\"type\":\"chat\",\"text\":\"  good \\u202e  luck\\u200b \"}");
    const Message *line = test_client_expect(&bob, MESSAGE_SERVER_CHAT);
    assert_string_equal(line->chat_line.text, "good luck");
    assert_string_equal(line->chat_line.name, "Ann");
    assert_int_equal(line->chat_line.seat, ann.seat);
    test_client_expect(&ann, MESSAGE_SERVER_CHAT);
    test_client_send(&ann, "{\"type\":\"chat\",\"text\":\"\\u200b\"}");
    test_client_refused(&ann, "malformed");
    part();
}

/* --- Leaving ---------------------------------------------------------------------------------- */

static void leaving_loses(void **unused) {
    (void)unused;
    TestClient *first, *second;
    begin_duel(&first, &second);
    test_client_act(first);
    test_client_expect(second, MESSAGE_SERVER_POSITION);
    test_client_send(first, "{\"type\":\"leave\"}");
    test_client_expect(first, MESSAGE_SERVER_DONE);
    const Message *end = test_client_expect(second, MESSAGE_SERVER_POSITION);
    char winner[32];
    snprintf(winner, sizeof winner, "\"winner\":%u,\"reason\":4", second->seat);
    assert_non_null(strstr(end->position.result.bytes, winner));
    test_client_send(first, "{\"type\":\"leave\"}");
    test_client_refused(first, "not-at-a-table");
    test_client_send(first, "{\"type\":\"return\",\"token\":\"%s\"}", first->token);
    test_client_refused(first, "match-over");
    assert_non_null(strstr(first->message.refused.reason, first->code));
    test_client_send(second, "{\"type\":\"leave\"}");
    test_client_expect(second, MESSAGE_SERVER_DONE);
    assert_null(arena.server->tables);
    part();
}

/* Reconnects with a token, and receives the table. */
static void come_back(TestClient *again, const char *token, uint8_t state) {
    test_client_join(again, &arena, "Again", "person", "json");
    test_client_send(again, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    assert_int_equal(test_client_expect(again, MESSAGE_SERVER_TABLE)->table.state, state);
}

static void players_away_at_the_end_are_told(void **unused) {
    (void)unused;
    TestClient *first, *second;
    begin_duel(&first, &second);
    test_client_act(first);
    test_client_expect(second, MESSAGE_SERVER_POSITION);
    fake_cut(first->connection);
    arena_run(&arena, arena.setup.clocks.grace_ms + 100);
    assert_true(message_has(test_client_expect(second, MESSAGE_SERVER_POSITION), "result"));
    fake_cut(second->connection);
    arena_run(&arena, arena.setup.linger_ms / 2);
    come_back(&eve, first->token, PROTO_STATE_OVER);
    assert_true(message_has(test_client_expect(&eve, MESSAGE_SERVER_POSITION), "result"));
    test_client_release(&eve);
    assert_null(arena.server->tables); /* now both know */
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"return\",\"token\":\"%s\"}", first->token);
    test_client_refused(&eve, "match-over");
    test_client_send(&eve, "{\"type\":\"return\",\"token\":\"%032d\"}", 7);
    test_client_refused(&eve, "no-such-token");
    test_client_release(&eve);
    part();
}

/* Expects the players of a message to tell of the seat that it has been away for about `ms`; fewer
 * than 0: nothing is told. */
static void expect_away(MessageJson players, uint8_t seat, int32_t ms) {
    char text[512];
    snprintf(text, sizeof text, "%.*s", (int)players.count, players.bytes);
    const char *told = strstr(text, "\"away_ms\":");
    if (ms < 0) {
        assert_null(told);
        return;
    }
    assert_non_null(told);
    assert_int_equal(told > strstr(text, "\"seat\":1"), seat);
    assert_in_range(strtol(told + strlen("\"away_ms\":"), NULL, 10), ms, ms + 200);
}

static void late_spectators_learn_how_long_a_player_is_away(void **unused) {
    (void)unused;
    TestClient *first, *second;
    begin_duel(&first, &second);
    fake_cut(first->connection);
    arena_run(&arena, 10);
    expect_away(test_client_expect(second, MESSAGE_SERVER_PEOPLE)->people.players, first->seat, 0);
    int32_t away_ms = (int32_t)arena.setup.clocks.grace_ms / 2;
    arena_run(&arena, (uint32_t)away_ms);
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", second->code);
    expect_away(test_client_expect(&eve, MESSAGE_SERVER_TABLE)->table.players, first->seat,
                away_ms);
    test_client_release(&eve);
    come_back(&eve, first->token, PROTO_STATE_RUNNING);
    expect_away(eve.message.table.players, first->seat, -1);
    test_client_release(&eve);
    part();
}

static void a_full_server_forgets_ended_tables_first(void **unused) {
    (void)unused;
    TestClient *first, *second;
    arena.server->setup.matches_max = 1;
    begin_duel(&first, &second);
    fake_cut(first->connection);
    test_client_send(second, "{\"type\":\"resign\"}");
    fake_cut(second->connection);
    arena_run(&arena, 10);
    assert_int_equal(arena.server->tables_count, 1);
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    assert_int_equal(arena.server->tables_count, 1);
    test_client_release(&eve);
    part();
}

static void a_table_that_waits_outlives_a_restart(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":1}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->tables_count, 2);
    TestClient again;
    come_back(&again, ann.token, PROTO_STATE_WAITING);
    assert_int_equal(again.seat, 1);
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&bob, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_WAITING);
    test_client_send(&bob, "{\"type\":\"leave\"}");
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_RUNNING);
    assert_int_equal(test_client_expect(&again, MESSAGE_SERVER_POSITION)->position.number, 1);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 1);
    arena_run(&arena, 2 * arena.setup.waiting_ms);
    assert_int_equal(arena.server->tables_count, 0);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->tables_count, 0); /* the seeker's was discarded for good */
    test_client_release(&again);
    test_client_release(&eve);
    part();
}

/* Does the last message of a table forbid tips? */
static bool forbids_tips(TestClient *client) {
    const Message *table = test_client_expect(client, MESSAGE_SERVER_TABLE);
    return message_has(table, "tips") && !table->table.tips;
}

/* Everybody is told before the match and during it, also after a restart; by default it is not so,
 * and nothing is said. */
static void a_table_may_forbid_tips(void **unused) {
    (void)unused;
    static char body[1 << 16];
    MashText out = text_over(body, sizeof body);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":0,\"tips\":true}");
    assert_false(message_has(test_client_expect(&ann, MESSAGE_SERVER_TABLE), "tips"));
    assert_int_equal(fake_get(arena.server->net, "/api/matches", &out), 200);
    assert_null(strstr(body, "\"tips\""));
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":0,\"tips\":false}");
    assert_true(forbids_tips(&ann));
    text_clear(&out);
    assert_int_equal(fake_get(arena.server->net, "/api/matches", &out), 200);
    assert_non_null(strstr(body, "\"tips\":false"));
    arena_kill(&arena);
    arena_open(&arena);
    TestClient again;
    come_back(&again, ann.token, PROTO_STATE_WAITING);
    assert_true(message_has(&again.message, "tips"));
    test_client_release(&bob);
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    assert_true(forbids_tips(&bob));
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    assert_true(forbids_tips(&eve));
    test_client_release(&again);
    test_client_release(&eve);
    part();
}

/* A player who seeks a match without tips is paired only with another who does. */
static void a_quick_match_without_tips_is_one_for_both(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"zorde\",\"tips\":false}");
    assert_true(forbids_tips(&ann));
    test_client_send(&bob, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    const Message *table = test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.state, PROTO_STATE_WAITING);
    assert_false(message_has(table, "tips"));
    test_client_send(&eve, "{\"type\":\"seek\",\"game\":\"zorde\",\"tips\":false}");
    table = test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.state, PROTO_STATE_RUNNING);
    assert_string_equal(eve.code, ann.code);
    test_client_release(&eve);
    part();
}

/* --- AI players ------------------------------------------------------------------------------- */

/* Ann starts a match against an AI player of the weakest level. */
static void meet_robot(const char *game) {
    test_client_join(&ann, &arena, "Ann", "ai", "json");
    test_client_send(
        &ann, "{\"type\":\"open\",\"game\":\"%s\",\"opponent\":\"ai\",\"level\":1,\"seat\":0}",
        game);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
}

/* Ann makes this many moves against the AI player, unless the match ends before. */
static void play_robot(int moves) {
    for (int i = 0; i < moves && !message_has(&ann.message, "result"); i++) {
        for (int wait = 0; wait < 2000; wait++) {
            while (test_client_has(&ann, MESSAGE_SERVER_POSITION))
                test_client_expect(&ann, MESSAGE_SERVER_POSITION);
            const MessageJson *actions = &ann.message.position.actions;
            if (message_has(&ann.message, "result") ||
                ann.message.json.nodes[actions->node].count > 0)
                break;
            test_client_forget(&ann);
            ann.message.kind = MESSAGE_SERVER_POSITION;
            arena_run(&arena, 5);
        }
        if (!message_has(&ann.message, "result"))
            test_client_act(&ann);
    }
}

static void an_ai_player_plays_to_the_end(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        meet_robot((*game)->id);
        play_robot(60);
        if (!message_has(&ann.message, "result")) {
            test_client_send(&ann, "{\"type\":\"resign\"}");
            while (!message_has(test_client_expect(&ann, MESSAGE_SERVER_POSITION), "result"))
                ;
        }
        test_client_send(&ann, "{\"type\":\"rematch\"}");
        assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_TABLE)->table.you, 1);
        test_client_release(&ann);
        arena_run(&arena, 200000 + arena.setup.linger_ms);
        assert_null(arena.server->tables);
    }
    assert_null(strstr(arena.log, "not allowed"));
}

/* Decisions of an AI player allocate nothing, whatever was played before. */
static void ai_players_reuse_memory(void **unused) {
    (void)unused;
    for (int match = 0; match < 2; match++) {
        meet_robot(match == 0 ? "zorde" : "ultimate-war");
        play_robot(3);
        uint64_t allocations = arena.server->ai_allocations;
        uint64_t jobs = arena.server->stats.ai_jobs;
        assert_in_range(allocations, 2, 4); /* a job per match, and memory for a larger game */
        play_robot(30);
        assert_true(arena.server->stats.ai_jobs > jobs + 10);
        assert_int_equal(arena.server->ai_allocations, allocations);
        test_client_release(&ann);
        arena_run(&arena, 200000 + arena.setup.linger_ms);
    }
}

/* --- HTTP ------------------------------------------------------------------------------------- */

static void the_server_answers_over_http(void **unused) {
    (void)unused;
    static char body[1 << 17];
    MashText out = text_over(body, sizeof body);
    NetServer *net = arena.server->net;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    static const struct {
        const char *path;
        uint16_t status;
        const char *words;
    } rows[] = {{"/", 200, "<h1>Mashup"},
                {"/healthz", 200, "ok"},
                {"/readyz", 200, "ready"},
                {"/metrics", 200, "mashup_tables{state=\"waiting\"} 1\n"},
                {"/metrics", 200, "mashup_sessions 1\n"},
                {"/api/games", 200, "\"id\":\"zorde\""},
                {"/api/games", 200, "\"id\":\"generals\""},
                {"/api/matches", 200, "\"name\":\"Ann\""},
                {"/api/matches?game=generals", 200, "{\"matches\":[]}"},
                {"/api/matches?x=1&game=zo%72de", 200, "Ann"},
                {"/api/archive", 200, "{\"matches\":[]}"},
                {"/api/archive?after=nonsense", 400, ""},
                {"/api/match/nonsense", 404, ""},
                {"/api/match/0000-0000-0001", 404, ""},
                {"/api/content/zorde", 200, "duel.start.json"},
                {"/api/content/zorde/duel.start.json", 200, "{"},
                {"/api/content/zorde/../RULES.md", 404, ""},
                {"/api/content/chess", 404, ""},
                {"/api/elsewhere", 404, "not found\n"},
                {"/elsewhere", 404, "<a href=\"/\">Go to the start page</a>"}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text_clear(&out);
        uint16_t status = fake_get(net, rows[i].path, &out);
        assert_false(out.truncated);
        if (status != rows[i].status || strstr(body, rows[i].words) == NULL)
            fail_msg("%s: %u %s", rows[i].path, status, body);
    }
    char path[64];
    MashText address = text_over(path, sizeof path);
    text_format(&address, "/api/match/%s", ann.code);
    text_clear(&out);
    assert_int_equal(fake_get(net, path, &out), 200);
    assert_non_null(strstr(body, "\"state\":\"waiting\""));
    assert_non_null(strstr(body, "\"glass\":false"));
    assert_non_null(strstr(body, "\"turn_ms\":"));
    assert_null(strstr(body, "seed"));
    test_client_release(&ann);
}

/* The board of ann's table over HTTP: the status, and the body in `out`. */
static uint16_t get_board(MashText *out) {
    char path[64];
    MashText address = text_over(path, sizeof path);
    text_format(&address, "/api/board/%s", ann.code);
    text_clear(out);
    return fake_get(arena.server->net, path, out);
}

static void the_board_of_a_match_is_told_over_http(void **unused) {
    (void)unused;
    static char body[1 << 17];
    MashText out = text_over(body, sizeof body);
    TestClient *first, *second;
    assert_int_equal(fake_get(arena.server->net, "/api/board/nonsense", &out), 404);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(get_board(&out), 404); /* nobody has joined yet */
    test_client_release(&ann);
    begin_duel(&first, &second);
    assert_int_equal(get_board(&out), 200);
    assert_non_null(strstr(body, "\"number\":1,\"you\":null"));
    assert_non_null(strstr(body, "\"board\":{\"width\":"));
    test_client_act(first);
    test_client_expect(second, MESSAGE_SERVER_POSITION);
    assert_int_equal(get_board(&out), 200);
    assert_non_null(strstr(body, "\"number\":2"));
    /* What the store does not have yet is shown to nobody. */
    arena.server->tables->ticket++;
    assert_int_equal(get_board(&out), 503);
    arena.server->tables->ticket--;
    assert_int_equal(get_board(&out), 200);
    part();
}

static void the_board_over_http_hides_what_is_hidden(void **unused) {
    (void)unused;
    static char body[1 << 17];
    MashText out = text_over(body, sizeof body);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann,
                     "{\"type\":\"open\",\"game\":\"generals\",\"opponent\":\"ai\",\"level\":1,"
                     "\"seat\":0,\"glass\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    static const char *const words[] = {"layout", "ready"};
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        test_client_send(&ann, "{\"type\":\"act\",\"position\":%u,\"word\":\"%s\"}", ann.number,
                         words[i]);
        test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    }
    assert_non_null(strstr(ann.received, "\"kind_id\"")); /* she sees her own pieces */
    arena_run(&arena, 100);
    assert_int_equal(get_board(&out), 200);
    assert_non_null(strstr(body, "\"place\":\"board\""));
    assert_null(strstr(body, "\"kind_id\""));
    test_client_release(&ann);
}

/* Each of this many tables with two clients each gets an action at the same time; how many messages
 * were sent lazily. */
static uint32_t act_at_once(TestClient *all, uint32_t tables) {
    uint32_t before = fake_lazy(arena.loop);
    for (uint32_t i = 0; i < tables; i++) {
        TestClient *host = &all[2 * i];
        test_client_throw_action(
            strstr(host->received, "\"awaited\":[0]") != NULL ? host : host + 1, 0, 0);
    }
    arena_run(&arena, 100);
    for (uint32_t i = 0; i < 2 * tables; i++) {
        test_client_expect(&all[i], MESSAGE_SERVER_POSITION);
        assert_int_equal(all[i].number, 2);
    }
    return fake_lazy(arena.loop) - before;
}

static void only_a_crowd_is_told_lazily(void **unused) {
    (void)unused;
    enum { FEW = 20, MANY = 70 };
    static TestClient all[2 * (FEW + MANY)];
    for (uint32_t i = 0; i < 2 * (FEW + MANY); i += 2) {
        test_client_join(&all[i], &arena, "Ann", "person", "json");
        test_client_join(&all[i + 1], &arena, "Bob", "person", "json");
        test_client_send(&all[i], "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":0}");
        test_client_expect(&all[i], MESSAGE_SERVER_TABLE);
        test_client_send(&all[i + 1], "{\"type\":\"join\",\"code\":\"%s\"}", all[i].code);
        test_client_expect(&all[i], MESSAGE_SERVER_POSITION);
        test_client_expect(&all[i + 1], MESSAGE_SERVER_POSITION);
    }
    assert_int_equal(act_at_once(all, FEW), 0);
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", all[2 * FEW].code);
    /* One of each two is not awaited; spectators are told at once. */
    assert_int_equal(act_at_once(all + 2 * FEW, MANY), MANY);
    test_client_release(&eve);
    for (uint32_t i = 0; i < 2 * (FEW + MANY); i++)
        test_client_release(&all[i]);
}

static void games_are_told_over_the_arena_too(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"games\"}");
    const Message *games = test_client_expect(&ann, MESSAGE_SERVER_GAMES);
    assert_true(games->json.nodes[games->games_list.games.node].count >= 4);
    test_client_release(&ann);
}

/* Connects with a language, or without one (NULL), and requests texts. */
static void come_speaking(TestClient *client, const char *name, const char *role,
                          const char *language) {
    test_client_connect(client, &arena, "/arena");
    test_client_send(client,
                     "{\"type\":\"hello\",\"name\":\"%s\",\"role\":\"%s\",\"words\":true%s%s%s}",
                     name, role, language == NULL ? "" : ",\"language\":\"",
                     language == NULL ? "" : language, language == NULL ? "" : "\"");
    test_client_expect(client, MESSAGE_SERVER_WELCOME);
}

/* The last events that the client received are in this language. */
static void reads(TestClient *client, const char *sentence, const char *phase) {
    const Message *message = test_client_expect(client, MESSAGE_SERVER_POSITION);
    if (strstr(message->position.events.bytes, sentence) == NULL)
        fail_msg("no \"%s\" in %.400s", sentence, message->position.events.bytes);
    assert_non_null(strstr(message->position.board.bytes, phase));
    assert_non_null(strstr(message->position.board.bytes, "\"phase_id\":\"choose-unit\""));
}

/* Each client gets the language that it asked for; spectators of several languages as well. An
 * unknown language gets the default one. */
static void everybody_reads_in_a_language_of_choice(void **unused) {
    (void)unused;
    static TestClient watcher;
    come_speaking(&ann, "Ann", "person", "de");
    come_speaking(&bob, "Bob", "person", NULL);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    come_speaking(&eve, "Eve", "watcher", "xx");
    come_speaking(&watcher, "Max", "watcher", "de-AT");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_send(&watcher, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    TestClient *all[] = {&ann, &bob, &eve, &watcher};
    for (uint32_t i = 0; i < 4; i++)
        while (test_client_has(all[i], MESSAGE_SERVER_POSITION))
            test_client_expect(all[i], MESSAGE_SERVER_POSITION);
    test_client_send(&ann, "{\"type\":\"draw\",\"what\":\"offer\"}");
    reads(&ann, "bietet Remis an", "Einheit wählen");
    reads(&bob, "offers a draw", "choose a unit");
    reads(&eve, "offers a draw", "choose a unit");
    reads(&watcher, "bietet Remis an", "Einheit wählen");
    test_client_release(&watcher);
}

static void the_usual_port(void **unused) {
    (void)unused;
    assert_int_equal(server_setup("nowhere").port, 1218);
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        ROW(two_who_seek_the_same_play),
        ROW(different_requests_do_not_meet),
        ROW(a_table_with_a_code_is_found_by_it_alone),
        ROW(late_spectators_see_all_that_follows),
        ROW(a_token_continues_at_the_exact_point),
        ROW(a_second_connection_takes_the_seat_over),
        ROW(after_a_crash_the_match_goes_on),
        ROW(own_documents_come_back_too),
        ROW(draws_are_offered_and_answered),
        ROW(both_want_another_match),
        ROW(a_line_is_heard_by_everybody),
        ROW(leaving_loses),
        ROW(players_away_at_the_end_are_told),
        ROW(late_spectators_learn_how_long_a_player_is_away),
        ROW(a_full_server_forgets_ended_tables_first),
        ROW(a_table_that_waits_outlives_a_restart),
        ROW(a_table_may_forbid_tips),
        ROW(a_quick_match_without_tips_is_one_for_both),
        ROW(an_ai_player_plays_to_the_end),
        ROW(ai_players_reuse_memory),
        ROW(only_a_crowd_is_told_lazily),
        ROW(the_server_answers_over_http),
        ROW(the_board_of_a_match_is_told_over_http),
        ROW(the_board_over_http_hides_what_is_hidden),
        cmocka_unit_test(the_usual_port),
        ROW(games_are_told_over_the_arena_too),
        ROW(everybody_reads_in_a_language_of_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
