/* test_client_table.c -- what a client keeps of the server's messages: every field of a table, its
 * players, options and clocks, positions and events; contents shared by several clients; and what
 * cannot be true, each with its reason. No connection is needed: the messages are read from
 * text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/internal.h"
#include "match/match.h"
#include "proto/position.h"
#include "tests/support/support.h"

enum { TEXT_BYTES = 1 << 17, NODES = 4096, CODE_NUMBER = 4711 };

static NetLoop *loop;
static ClientShared *shared;
static Client client;
static char why[CLIENT_WHY_BYTES];
static MashContent *content;
static char code[PROTO_CODE_MAX + 1];

static int set_up(void **unused) {
    (void)unused;
    loop = net_loop_open();
    shared = client_shared_open(loop);
    client = (Client){.shared = shared};
    client_table_forget(&client);
    content = support_content(mash_game_find("battleground"), "small");
    table_code_encode(CODE_NUMBER, code);
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    client_table_forget(&client);
    client_shared_close(shared);
    support_free(content);
    net_loop_close(loop);
    return 0;
}

/* Reads a message of the server and lets a client handle it. */
static bool takes(Client *who, const char *bytes, uint32_t count) {
    static JsonNode nodes[NODES];
    static char pool[TEXT_BYTES];
    MashProblem list[4];
    MashProblems problems = {.list = list, .max = 4};
    Message message;
    MessageMemory memory = {nodes, NODES, pool, TEXT_BYTES};
    if (message_read(&message, bytes, count, true, &memory, &problems) != MESSAGE_VALID)
        fail_msg("%s: %s in %s", list[0].path, list[0].reason, bytes);
    MashText problem = text_over(why, sizeof why);
    return client_table_take(who, &message, &problem);
}

/* A `table` message: with these changes of its text, and the fields that name its content. */
static const char *table_text(const char *game, const char *documents, uint64_t hash,
                              const char *changed) {
    static char text[TEXT_BYTES];
    snprintf(text, sizeof text,
             "{\"type\":\"table\",\"code\":\"%s\",\"state\":\"running\",\"game\":\"%s\","
             "\"version\":%u,%s,\"content\":\"%016llx\",\"turn_ms\":1000,\"match_ms\":2000,"
             "\"pause_ms\":3000,\"silence_ms\":4000,\"grace_ms\":5000,\"secret\":true,"
             "\"watchers\":0,%s}",
             code, game, content->game->version, documents, (unsigned long long)hash, changed);
    return text;
}

#define PLAYERS                                                                                    \
    "\"players\":[{\"seat\":0,\"name\":\"Ann\",\"role\":\"ai\",\"here\":true},"                    \
    "{\"seat\":1,\"here\":false}]"
#define REST                                                                                       \
    "\"you\":1,\"glass\":false,\"tips\":false,\"token\":\"00112233445566778899aabbccddeeff\","     \
    "\"options\":{\"blind\":1,\"dino\":0}," PLAYERS
#define SMALL "\"preset\":\"small\""

static bool takes_text(Client *who, const char *text) {
    return takes(who, text, (uint32_t)strlen(text));
}

static void take_table(Client *who) {
    assert_true(takes_text(who, table_text("battleground", SMALL, content->hash, REST)));
}

static void every_field_is_kept(void **unused) {
    (void)unused;
    take_table(&client);
    const ClientTable *table = &client.table;
    assert_string_equal(table->code, code);
    assert_string_equal(table->token, "00112233445566778899aabbccddeeff");
    assert_string_equal(table->preset, "small");
    assert_string_equal(table->game->id, "battleground");
    assert_true(table->content->hash == content->hash);
    assert_int_equal(table->you, 1);
    assert_int_equal(table->state, PROTO_STATE_RUNNING);
    assert_int_equal(table->turn_ms, 1000);
    assert_int_equal(table->match_ms, 2000);
    assert_int_equal(table->pause_ms, 3000);
    assert_int_equal(table->silence_ms, 4000);
    assert_int_equal(table->grace_ms, 5000);
    assert_true(table->secret);
    assert_false(table->open_to_spectators);
    assert_true(table->no_tips);
    assert_int_equal(table->awaited, 0);
    assert_null(table->view);
    assert_true(table->players[0].taken && table->players[0].here);
    assert_string_equal(table->players[0].name, "Ann");
    assert_int_equal(table->players[0].role, PROTO_ROLE_AI);
    assert_false(table->players[1].taken || table->players[1].here);
    for (uint32_t i = 0; i < table->game->options_count; i++) {
        const MashOption *option = &table->game->options[i];
        bool blind = strcmp(option->id, "blind") == 0;
        assert_int_equal(table->options[i], blind ? 1 : option->usual);
    }
    assert_false(client_awaited(&client));
}

/* The next message replaces everything: omitted fields are reset. */
static void what_is_left_out_is_gone(void **unused) {
    (void)unused;
    take_table(&client);
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(content->game, "small", documents);
    char list[TEXT_BYTES / 2] = "\"documents\":[";
    for (uint32_t i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s{\"name\":\"%s\"}",
                 i == 0 ? "" : ",", documents[i].name);
    strcat(list, "]");
    assert_true(takes_text(&client, table_text("battleground", list, content->hash,
                                               "\"you\":null,\"glass\":true,\"options\":{},"
                                               "\"players\":[]")));
    assert_string_equal(client.table.token, "");
    assert_string_equal(client.table.preset, "");
    assert_int_equal(client.table.you, MASH_SEAT_NONE);
    assert_true(client.table.open_to_spectators);
    assert_false(client.table.no_tips);
    for (uint32_t i = 0; i < content->game->options_count; i++)
        assert_int_equal(client.table.options[i], content->game->options[i].usual);
}

/* The same content at the same table is not loaded again; another one is, and the rest is
 * discarded. */
static void contents_are_shared(void **unused) {
    (void)unused;
    Client second = {.shared = shared};
    client_table_forget(&second);
    take_table(&client);
    take_table(&second);
    assert_ptr_equal(client.table.content, second.table.content);
    assert_int_equal(client.loaded->users, 2);
    take_table(&client);
    assert_int_equal(client.loaded->users, 2);
    MashContent *other = support_content(content->game, "open");
    assert_true(
        takes_text(&client, table_text("battleground", "\"preset\":\"open\"", other->hash, REST)));
    assert_ptr_not_equal(client.table.content, second.table.content);
    assert_int_equal(client.loaded->users, 1);
    assert_int_equal(second.loaded->users, 1);
    client_table_forget(&second);
    /* A preset stays loaded for the next one. */
    assert_non_null(shared->contents->next);
    support_free(other);
}

/* Documents that are sent along are loaded for one table and freed with it. */
static void own_documents_are_freed(void **unused) {
    (void)unused;
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(content->game, "small", documents);
    char list[TEXT_BYTES / 2] = "\"documents\":[";
    for (uint32_t i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s{\"name\":\"%s\"}",
                 i == 0 ? "" : ",", documents[i].name);
    strcat(list, "]");
    assert_true(takes_text(&client, table_text("battleground", list, content->hash, REST)));
    assert_non_null(shared->contents);
    client_table_forget(&client);
    assert_null(shared->contents);
}

/* Everything that cannot be played is refused with its reason, and the old state stays. */
static void what_cannot_be_is_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *documents, *reason;
    } wrong[] = {
        {"chess", SMALL, "game chess"},
        {"battleground", "\"preset\":\"moon\"", "preset moon"},
        {"battleground", "\"documents\":[{\"name\":\"moon.start.json\"}]", "moon.start.json"},
        {"battleground", "\"documents\":[]", "did not send the match's files"},
        {"battleground", "\"documents\":[{\"name\":\"x.map.json\",\"text\":\"{}\"}]",
         "cannot load the match's files"},
        {"battleground", SMALL, "different version of battleground"},
    };
    take_table(&client);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bool taken = takes_text(
            &client, table_text(wrong[i].game, wrong[i].documents, content->hash ^ 1, REST));
        assert_false(taken);
        if (strstr(why, wrong[i].reason) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", why, wrong[i].reason);
        assert_non_null(client.loaded);
        assert_int_equal(client.loaded->users, 1);
    }
}

/* Another version of the rules is refused too. */
static void another_version_is_refused(void **unused) {
    (void)unused;
    char text[TEXT_BYTES], version[32];
    snprintf(version, sizeof version, "\"version\":%u", content->game->version);
    strcpy(text, table_text("battleground", SMALL, content->hash, REST));
    char *at = strstr(text, version) + strlen(version);
    memmove(at + 1, at, strlen(at) + 1);
    *at = '7';
    assert_false(takes_text(&client, text));
    assert_non_null(strstr(why, "different version of"));
    assert_null(client.loaded);
}

/* A match of the test's own, for positions. */
static Match match;

static const char *position_text(uint8_t seat, uint32_t number, PositionClocks clocks) {
    static char text[TEXT_BYTES];
    MashText out = text_over(text, sizeof text);
    void *memory = support_memory(position_bytes(content));
    Position position = {.content = content,
                         .view = match.state,
                         .seat = seat,
                         .events = match.events.list,
                         .events_count = match.events.count,
                         .code = code,
                         .number = number,
                         .clocks = clocks,
                         .form = PROTO_FORM_BYTES};
    position_write(&position, memory, &out);
    assert_false(out.truncated);
    support_free(memory);
    return text;
}

static void *begin_match(void) {
    void *memory = support_memory(match_bytes(content));
    assert_int_equal(match_begin(&match, content, (MashSeed){{1, 2}}, NULL, memory), MASH_OK);
    return memory;
}

static void positions_are_kept(void **unused) {
    (void)unused;
    void *memory = begin_match();
    PositionClocks clocks = {{1500, POSITION_NO_TIME}, 7000};
    take_table(&client);
    uint32_t awaited = content->game->awaited(content, match.state);
    uint8_t seat = awaited & 1 ? 0 : 1;
    assert_true(takes_text(&client, position_text(seat, 5, clocks)));
    const ClientTable *table = &client.table;
    assert_memory_equal(table->view, match.state, content->limits.state_bytes);
    assert_int_equal(table->number, 5);
    assert_int_equal(table->you, seat);
    assert_int_equal(table->awaited, awaited);
    assert_int_equal(table->events.count, match.events.count);
    assert_int_equal(table->draw, MASH_SEAT_NONE);
    assert_int_equal(table->clocks.turn[0], 1500);
    assert_int_equal(table->clocks.turn[1], -1);
    assert_int_equal(table->clocks.match, 7000);
    assert_true(client_awaited(&client));
    /* An offer has its event and the seat that made it. */
    assert_int_equal(match_apply(&match, (MashAction){.verb = MASH_VERB_DRAW_OFFER, .seat = seat}),
                     MASH_OK);
    assert_true(match.events.count > 0);
    assert_true(takes_text(&client, position_text(seat, 6, clocks)));
    assert_int_equal(table->events.count, match.events.count);
    assert_memory_equal(table->events.list, match.events.list,
                        match.events.count * sizeof(MashEvent));
    /* The other seat is not awaited, a spectator never is, and nobody is while the match is
     * paused. */
    assert_true(takes_text(&client, position_text((uint8_t)(1 - seat), 7, clocks)));
    assert_int_equal(client_awaited(&client), (awaited >> (1 - seat) & 1) != 0);
    assert_true(takes_text(&client, position_text(MASH_SEAT_SPECTATOR, 8, clocks)));
    assert_false(client_awaited(&client));
    support_free(memory);
}

static void a_pause_is_no_time_to_act(void **unused) {
    (void)unused;
    void *memory = begin_match();
    char text[256];
    take_table(&client);
    uint8_t seat = content->game->awaited(content, match.state) & 1 ? 0 : 1;
    assert_true(takes_text(&client, position_text(seat, 1, (PositionClocks){{10, 10}, 20})));
    assert_true(client_awaited(&client));
    snprintf(text, sizeof text, "{\"type\":\"paused\",\"code\":\"%s\",\"by\":0,\"left_ms\":5000}",
             code);
    assert_true(takes_text(&client, text));
    assert_true(client.table.paused);
    assert_false(client_awaited(&client));
    snprintf(text, sizeof text,
             "{\"type\":\"continued\",\"code\":\"%s\",\"by\":0,\"clocks\":{\"turn\":[11,null],"
             "\"match\":22}}",
             code);
    assert_true(takes_text(&client, text));
    assert_false(client.table.paused);
    assert_true(client_awaited(&client));
    assert_int_equal(client.table.clocks.turn[0], 11);
    assert_int_equal(client.table.clocks.turn[1], -1);
    assert_int_equal(client.table.clocks.match, 22);
    /* A position says it too. */
    char paused[TEXT_BYTES];
    strcpy(paused, position_text(seat, 2, (PositionClocks){{10, 10}, 20}));
    char *at = strstr(paused, "\"paused\":false");
    assert_non_null(at);
    memcpy(at, "\"paused\": true", 14);
    assert_true(takes_text(&client, paused));
    assert_true(client.table.paused);
    assert_true(takes_text(&client, position_text(seat, 3, (PositionClocks){{10, 10}, 20})));
    assert_false(client.table.paused);
    support_free(memory);
}

static void people_come_and_go(void **unused) {
    (void)unused;
    char text[512];
    take_table(&client);
    snprintf(text, sizeof text,
             "{\"type\":\"people\",\"code\":\"%s\",\"players\":[{\"seat\":1,\"name\":\"Bob\","
             "\"role\":\"person\",\"here\":true}]}",
             code);
    assert_true(takes_text(&client, text));
    assert_string_equal(client.table.players[0].name, "Ann");
    assert_string_equal(client.table.players[1].name, "Bob");
    assert_true(client.table.players[1].taken && client.table.players[1].here);
    assert_int_equal(client.table.players[1].role, PROTO_ROLE_PERSON);
    /* Messages for another table are ignored, and so is its position. */
    char elsewhere[PROTO_CODE_MAX + 1];
    table_code_encode(CODE_NUMBER + 1, elsewhere);
    memcpy(strstr(text, code), elsewhere, strlen(elsewhere));
    memcpy(strstr(text, "Bob"), "Eve", 3);
    assert_true(takes_text(&client, text));
    assert_string_equal(client.table.players[1].name, "Bob");
    void *memory = begin_match();
    char position[TEXT_BYTES];
    strcpy(position, position_text(0, 3, (PositionClocks){{1, 1}, 1}));
    memcpy(strstr(position, code), elsewhere, strlen(elsewhere));
    assert_true(takes_text(&client, position));
    assert_null(client.table.view);
    support_free(memory);
}

/* Positions with invalid bytes: a view that is too short, incomplete events. */
static void broken_bytes_are_refused(void **unused) {
    (void)unused;
    void *memory = begin_match();
    static const struct {
        const char *key, *value;
    } lies[] = {
        {"\"view\":\"", "AAAA"},
        {"\"happened\":\"", "AAAA"},
        {"\"happened\":\"", "AAAAAAAAAAAAAAAAAAAAAAAA"},
    };
    take_table(&client);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        char text[TEXT_BYTES], changed[TEXT_BYTES];
        strcpy(text, position_text(0, 3, (PositionClocks){{1, 1}, 1}));
        char *value = strstr(text, lies[i].key) + strlen(lies[i].key);
        char *behind = strchr(value, '"');
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(value - text), text, lies[i].value,
                 behind);
        assert_false(takes_text(&client, changed));
        assert_true(why[0] != '\0');
    }
    assert_true(takes_text(&client, position_text(0, 3, (PositionClocks){{1, 1}, 1})));
    support_free(memory);
}

/* Every option has its own value, the first one too. */
static void options_by_their_ids(void **unused) {
    (void)unused;
    const MashGame *game = content->game;
    char rest[512] = "\"you\":1,\"glass\":false," PLAYERS ",\"options\":{";
    for (uint32_t i = 0; i < game->options_count; i++)
        snprintf(rest + strlen(rest), sizeof rest - strlen(rest), "%s\"%s\":%d", i == 0 ? "" : ",",
                 game->options[i].id, (int)(1 - game->options[i].usual % 2));
    strcat(rest, "}");
    assert_true(takes_text(&client, table_text("battleground", SMALL, content->hash, rest)));
    for (uint32_t i = 0; i < game->options_count; i++)
        assert_int_equal(client.table.options[i], 1 - game->options[i].usual % 2);
}

/* No time left is not the same as a time that does not run. */
static void clocks_at_zero(void **unused) {
    (void)unused;
    char text[256];
    static const char *const clocks[] = {"{\"turn\":[0,7],\"match\":0}", "{\"turn\":[null,0]}",
                                         "{\"turn\":[null,null]}"};
    static const int32_t expected[][3] = {{0, 7, 0}, {-1, 0, -1}, {-1, -1, -1}};
    take_table(&client);
    for (uint32_t i = 0; i < 3; i++) {
        snprintf(text, sizeof text,
                 "{\"type\":\"continued\",\"code\":\"%s\",\"by\":0,\"clocks\":%s}", code,
                 clocks[i]);
        assert_true(takes_text(&client, text));
        assert_int_equal(client.table.clocks.turn[0], expected[i][0]);
        assert_int_equal(client.table.clocks.turn[1], expected[i][1]);
        assert_int_equal(client.table.clocks.match, expected[i][2]);
        assert_true(client.table.clocks.received_ms == net_now_ms(loop));
    }
}

/* The same table told again keeps its position; another match, or another table, begins without
 * one. A name that comes with other bytes is not believed. */
static void a_table_told_again(void **unused) {
    (void)unused;
    void *memory = begin_match();
    PositionClocks clocks = {{1, 2}, 3};
    take_table(&client);
    assert_true(takes_text(&client, position_text(1, 5, clocks)));
    take_table(&client);
    assert_non_null(client.table.view);
    assert_int_equal(client.table.number, 5);
    assert_int_equal(client.table.awaited, 0); /* until the position comes */
    assert_false(client_awaited(&client));
    assert_false(
        takes_text(&client, table_text("zorde", "\"preset\":\"duel\"", content->hash, REST)));
    assert_non_null(strstr(why, "different version of zorde"));
    char text[TEXT_BYTES], elsewhere[PROTO_CODE_MAX + 1];
    table_code_encode(CODE_NUMBER + 1, elsewhere);
    strcpy(text, table_text("battleground", SMALL, content->hash, REST));
    memcpy(strstr(text, code), elsewhere, strlen(elsewhere));
    assert_true(takes_text(&client, text));
    assert_null(client.table.view);
    assert_int_equal(client.table.number, 0);
    assert_string_equal(client.table.code, elsewhere);
    support_free(memory);
}

/* After a stay nothing of it is left, and the next one has room of its own for its events. */
static void a_second_stay(void **unused) {
    (void)unused;
    void *memory = begin_match();
    PositionClocks clocks = {{1, 2}, 3};
    uint8_t seat = content->game->awaited(content, match.state) & 1 ? 0 : 1;
    assert_int_equal(match_apply(&match, (MashAction){.verb = MASH_VERB_DRAW_OFFER, .seat = seat}),
                     MASH_OK);
    for (int stay = 0; stay < 2; stay++) {
        take_table(&client);
        assert_true(takes_text(&client, position_text(seat, 5, clocks)));
        assert_int_equal(client.table.draw, seat);
        assert_int_equal(client.table.events.count, match.events.count);
        assert_true(client.table.events.max >= match.events.count);
        client_table_forget(&client);
        assert_string_equal(client.table.code, "");
        assert_int_equal(client.table.you, MASH_SEAT_NONE);
        assert_int_equal(client.table.draw, MASH_SEAT_NONE);
        assert_null(client.table.view);
        assert_null(client.table.events.list);
    }
    /* Positions of no table are ignored. */
    assert_true(takes_text(&client, position_text(seat, 6, clocks)));
    assert_null(client.table.view);
    support_free(memory);
}

/* A position as JSON, without bytes, is none. */
static void a_position_has_bytes(void **unused) {
    (void)unused;
    void *memory = begin_match();
    static const char *const keys[] = {"\"view\"", "\"happened\""};
    take_table(&client);
    for (uint32_t i = 0; i < 2; i++) {
        char text[TEXT_BYTES];
        strcpy(text, position_text(0, 3, (PositionClocks){{1, 1}, 1}));
        strstr(text, keys[i])[1] = 'x'; /* another key, which is ignored */
        assert_false(takes_text(&client, text));
        assert_string_equal(why, "invalid position from the server");
        assert_int_equal(client.table.number, 0);
    }
    support_free(memory);
}

/* Any number of events has room; more than before, and fewer. */
static void many_events(void **unused) {
    (void)unused;
    void *memory = begin_match();
    static const uint32_t counts[] = {3, 30, 9, 90, 0};
    take_table(&client);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        static char text[TEXT_BYTES], changed[3 * TEXT_BYTES], digits[TEXT_BYTES];
        memset(digits, 'A', counts[i] * sizeof(MashEvent) / 3 * 4);
        digits[counts[i] * sizeof(MashEvent) / 3 * 4] = '\0';
        strcpy(text, position_text(0, 3, (PositionClocks){{1, 1}, 1}));
        char *value = strstr(text, "\"happened\":\"") + 12;
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(value - text), text, digits,
                 strchr(value, '"'));
        assert_true(takes_text(&client, changed));
        assert_int_equal(client.table.events.count, counts[i]);
        assert_true(client.table.events.max >= counts[i]);
        for (uint32_t event = 0; event < counts[i]; event++)
            assert_int_equal(client.table.events.list[event].kind, 0);
    }
    assert_true(takes_text(&client, "{\"type\":\"done\",\"to\":\"chat\"}"));
    support_free(memory);
}

/* A match that has ended is over, and awaits nobody. */
static void the_end_is_kept(void **unused) {
    (void)unused;
    void *memory = begin_match();
    take_table(&client);
    assert_true(takes_text(&client, position_text(0, 3, (PositionClocks){{1, 1}, 1})));
    assert_int_equal(client.table.state, PROTO_STATE_RUNNING);
    assert_int_equal(match_apply(&match, (MashAction){.verb = MASH_VERB_RESIGN, .seat = 0}),
                     MASH_OK);
    assert_true(takes_text(&client, position_text(0, 4, (PositionClocks){{1, 1}, 1})));
    assert_int_equal(client.table.state, PROTO_STATE_OVER);
    assert_int_equal(client.table.awaited, 0);
    assert_false(client_awaited(&client));
    support_free(memory);
}

/* Nobody's seat, a role that is not said, a seat that is open. */
static void odd_players(void **unused) {
    (void)unused;
    char text[512];
    take_table(&client);
    snprintf(text, sizeof text,
             "{\"type\":\"people\",\"code\":\"%s\",\"players\":[{\"seat\":1,\"name\":\"Bob\","
             "\"here\":true},{\"seat\":0,\"here\":false},{\"seat\":null,\"name\":\"Eve\",\"here\":"
             "true}]}",
             code);
    assert_true(takes_text(&client, text));
    assert_int_equal(client.table.players[1].role, PROTO_ROLE_PERSON); /* if it is not said */
    assert_true(client.table.players[1].taken);
    assert_false(client.table.players[0].taken);
    assert_string_equal(client.table.players[0].name, "");
}

/* What `mashup join` and `mashup ai` see of it. */
static void the_position_of_the_protocol(void **unused) {
    (void)unused;
    void *memory = begin_match();
    ClientPosition seen = arena_client.position(NULL);
    assert_null(seen.content);
    assert_int_equal(seen.you, MASH_SEAT_NONE);
    seen = arena_client.position(&client);
    assert_null(seen.content);
    assert_int_equal(seen.you, MASH_SEAT_NONE);
    take_table(&client);
    uint8_t seat = content->game->awaited(content, match.state) & 1 ? 0 : 1;
    PositionClocks clocks = {{POSITION_NO_TIME, POSITION_NO_TIME}, 7000};
    clocks.turn[seat] = 1500;
    assert_true(takes_text(&client, position_text(seat, 5, clocks)));
    seen = arena_client.position(&client);
    assert_ptr_equal(seen.content, client.table.content);
    assert_ptr_equal(seen.state, client.table.view);
    assert_int_equal(seen.you, seat);
    assert_true(seen.awaited);
    assert_false(seen.paused);
    assert_int_equal(seen.number, 5);
    assert_int_equal(seen.events.count, match.events.count);
    assert_true(seen.turn_began_ms == client.table.clocks.received_ms);
    assert_int_equal(seen.turn_ms, 1500);
    clocks.turn[seat] = 1;
    assert_true(takes_text(&client, position_text(seat, 6, clocks)));
    assert_int_equal(arena_client.position(&client).turn_ms, 1);
    clocks.turn[seat] = POSITION_NO_TIME;
    assert_true(takes_text(&client, position_text(seat, 6, clocks)));
    assert_int_equal(arena_client.position(&client).turn_ms, 0);
    clocks.turn[0] = clocks.turn[1] = 900;
    assert_true(takes_text(&client, position_text(MASH_SEAT_SPECTATOR, 7, clocks)));
    seen = arena_client.position(&client);
    assert_int_equal(seen.you, MASH_SEAT_NONE);
    assert_int_equal(seen.turn_ms, 0);
    support_free(memory);
}

/* --- Memory and contents ---------------------------------------------------------------------- */

/* A buffer grows when it must and is the same one otherwise. */
static void buffers_grow(void **unused) {
    (void)unused;
    ClientBuffer buffer = {.bytes = NULL};
    for (size_t bytes = 0; bytes < 3000; bytes += 7) {
        const void *before = buffer.bytes;
        size_t room = buffer.count;
        char *got = client_buffer_reserve(&buffer, bytes);
        assert_non_null(got);
        assert_true((uintptr_t)got % 16 == 0 && buffer.count >= bytes);
        assert_int_equal(before != NULL && room >= bytes, got == before);
        memset(got, 1, buffer.count);
    }
    assert_ptr_equal(client_buffer_reserve(&buffer, buffer.count), buffer.bytes);
    free(buffer.bytes);
}

/* Contents are freed in any order; the same name is another preset in another game. */
static void contents_in_any_order(void **unused) {
    (void)unused;
    Client others[2] = {{.shared = shared}, {.shared = shared}};
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(content->game, "small", documents);
    char list[TEXT_BYTES / 2] = "\"documents\":[";
    for (uint32_t i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s{\"name\":\"%s\"}",
                 i == 0 ? "" : ",", documents[i].name);
    strcat(list, "]");
    client_table_forget(&others[0]);
    client_table_forget(&others[1]);
    client_content_release(shared, NULL);
    assert_true(takes_text(&client, table_text("battleground", list, content->hash, REST)));
    assert_true(takes_text(&others[0], table_text("battleground", list, content->hash, REST)));
    take_table(&others[1]);
    /* Documents of its own are loaded for each table. */
    assert_ptr_not_equal(client.table.content, others[0].table.content);
    assert_int_equal(client.loaded->users, 1);
    client_table_forget(&client); /* the last one in the list */
    assert_ptr_equal(shared->contents, others[1].loaded);
    assert_ptr_equal(shared->contents->next, others[0].loaded);
    assert_null(others[0].loaded->next);
    client_table_forget(&others[1]);
    assert_non_null(shared->contents->next);
    client_table_forget(&others[0]);
    assert_non_null(shared->contents);
    assert_null(shared->contents->next);
    assert_string_equal(shared->contents->preset, "small");
    assert_int_equal(shared->contents->users, 0);
}

/* Files of the server's own are loaded as they come. */
static void sent_files_are_loaded(void **unused) {
    (void)unused;
    assert_false(takes_text(&client, table_text("battleground", "\"x\":1", content->hash, REST)));
    assert_string_equal(why, "the server did not send the match's files");
    assert_false(takes_text(&client, table_text("battleground",
                                                "\"documents\":[{\"name\":\"moon.map.json\"}]",
                                                content->hash, REST)));
    assert_string_equal(why, "this program does not have the file moon.map.json");
    assert_false(
        takes_text(&client, table_text("battleground",
                                       "\"documents\":[{\"name\":\"x.map.json\",\"text\":\"{}\"}]",
                                       content->hash, REST)));
    assert_memory_equal(why, "cannot load the match's files: ", 31);
    assert_true(strlen(why) > 40); /* and why */
    assert_null(shared->contents);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_field_is_kept),
        TEST(what_is_left_out_is_gone),
        TEST(contents_are_shared),
        TEST(own_documents_are_freed),
        TEST(what_cannot_be_is_refused),
        TEST(another_version_is_refused),
        TEST(positions_are_kept),
        TEST(a_pause_is_no_time_to_act),
        TEST(people_come_and_go),
        TEST(broken_bytes_are_refused),
        TEST(options_by_their_ids),
        TEST(clocks_at_zero),
        TEST(a_table_told_again),
        TEST(a_second_stay),
        TEST(a_position_has_bytes),
        TEST(many_events),
        TEST(the_end_is_kept),
        TEST(odd_players),
        TEST(the_position_of_the_protocol),
        TEST(buffers_grow),
        TEST(contents_in_any_order),
        TEST(sent_files_are_loaded),
    };
    return cmocka_run_group_tests_name("client table", tests, NULL, NULL);
}
