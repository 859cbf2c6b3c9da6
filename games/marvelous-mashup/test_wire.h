/* test_wire.h -- for tests of the network standard: a match at a server, and a client that receives
 * it. */
#ifndef MARVELOUS_MASHUP_TEST_WIRE_H
#define MARVELOUS_MASHUP_TEST_WIRE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/marvelous-mashup/standard/client_state.h"
#include "standard/adapter.h"
#include "standard/wire.h"
#include "tests/support/support.h"

/* Sizes. */
enum { TEXT_BYTES = 4 << 20, NODES = 400000, PROBLEMS = 4 };

/* A match at a server, and a client that receives it. */
typedef struct Wire {
    MashContent *content;
    MarvelousState *state, *before;
    MashEvents events;
    const StandardServerAdapter *adapter;
    StandardEncoder *encoder;
    void *memory;
    MashContent *their_content; /* the client's */
    StandardClientState *client;
    MarvelousState *theirs;
    MashEvents heard;
    char *text;
    JsonNode *nodes;
    Json json;
    uint32_t moments;
} Wire;

/* The game. */
static inline const MashGame *game(void) { return &marvelous_mashup_game; }

/* A match of the preset at its beginning. */
static inline void wire_open(Wire *wire, const char *preset, uint64_t seed, int rules) {
    int32_t options[1] = {rules};
    MashSetup setup = {options, 1};
    MashChance chance = chance_seeded((MashSeed){{seed, 1}}, 0);
    *wire = (Wire){.content = support_content(game(), preset)};
    wire->state = support_state(wire->content);
    wire->before = support_state(wire->content);
    wire->events.max = wire->heard.max = wire->content->limits.events_max;
    wire->events.list = support_memory(wire->events.max * sizeof(MashEvent));
    wire->heard.list = support_memory(wire->heard.max * sizeof(MashEvent));
    wire->adapter = standard_server_adapter(game());
    wire->memory = support_memory(wire->adapter->memory_bytes(wire->content));
    wire->encoder = wire->adapter->begin(
        wire->content, support_memory(wire->adapter->encoder_bytes(wire->content)));
    wire->text = support_memory(TEXT_BYTES);
    wire->nodes = support_memory(NODES * sizeof(JsonNode));
    wire->their_content = support_memory(game()->content_bytes_max);
    wire->client = support_memory(marvelous_standard_client.bytes);
    wire->theirs = support_state(wire->content);
    assert_int_equal(game()->setup(wire->content, &setup, &chance, wire->state), MASH_OK);
}

/* Frees all of it. */
static inline void wire_close(Wire *wire) {
    support_free(wire->content);
    support_free(wire->state);
    support_free(wire->before);
    support_free(wire->events.list);
    support_free(wire->heard.list);
    support_free(wire->memory);
    support_free(wire->encoder);
    support_free(wire->text);
    support_free(wire->nodes);
    support_free(wire->their_content);
    support_free(wire->client);
    support_free(wire->theirs);
}

/* Parses a text as JSON that is valid until the next one. */
static inline void read_text(Wire *wire, const char *text) {
    MashProblem list[PROBLEMS];
    MashProblems problems = {list, 0, PROBLEMS};
    bool fine =
        json_read(&wire->json, "wire", text, (uint32_t)strlen(text), wire->nodes, NODES, &problems);
    if (!fine)
        fail_msg("%s: %s", list[0].reason, text);
}

/* The message as the client reads it. */
static inline void read_message(Wire *wire, const StandardMessage *message) {
    MashText text = text_over(wire->text, TEXT_BYTES);
    standard_write(message, &text);
    assert_false(text.truncated);
    read_text(wire, wire->text);
}

/* Gives the client a message about content. */
static inline bool give_content(Wire *wire) {
    MashProblem list[PROBLEMS];
    MashProblems problems = {list, 0, PROBLEMS};
    static _Alignas(64) char scratch[MASH_SCRATCH_BYTES];
    MashDocuments room = {.scratch = scratch, .scratch_bytes = sizeof scratch};
    return marvelous_standard_client.content_in(&wire->json, 0, &room, wire->client,
                                                wire->their_content, &problems);
}

/* Sends the client what a match begins with. */
static inline void send_structure(Wire *wire) {
    StandardCharacter heroes[MASH_SEATS][STANDARD_TEAM];
    StandardMessage message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GAME_STRUCTURE);
    char *configs = support_memory(TEXT_BYTES);
    MashText scenario = text_over(configs, TEXT_BYTES / 2);
    MashText match = text_over(configs + TEXT_BYTES / 2, TEXT_BYTES / 2);
    wire->adapter->scenario(wire->content, &scenario);
    wire->adapter->match(wire->content, &match);
    message.role = STANDARD_ASSIGNMENT_TWO;
    message.name = "alice";
    message.device = "bob";
    message.configs[0] = (StandardJson){scenario.bytes, scenario.count};
    message.configs[1] = (StandardJson){match.bytes, match.count};
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        wire->adapter->draft_team(wire->content, wire->state, seat, heroes[seat]);
        message.heroes[seat] = (StandardCharacters){heroes[seat], STANDARD_TEAM};
    }
    read_message(wire, &message);
    assert_true(give_content(wire));
    assert_int_equal(wire->client->seat, 1);
    support_free(configs);
}

/* Sends the client the events of the last action, and the state. */
static inline void send_all(Wire *wire) {
    StandardEvents told = wire->adapter->encode_events(wire->encoder, wire->before, wire->state,
                                                       &wire->events, wire->memory);
    wire->heard.count = 0;
    for (uint32_t i = 0; i < told.count; i++) {
        read_message(wire, &told.list[i]);
        assert_false(marvelous_standard_client.event_in(
            wire->their_content, wire->client, &wire->json, 0, wire->theirs, &wire->heard));
    }
    StandardMessage message;
    assert_true(wire->adapter->encode_state(wire->encoder, wire->state, wire->memory, &message));
    read_message(wire, &message);
    assert_true(marvelous_standard_client.event_in(wire->their_content, wire->client, &wire->json,
                                                   0, wire->theirs, &wire->heard));
    wire->moments++;
}

/* An action of the match, of which `before` and the events tell. */
static inline void apply(Wire *wire, MashAction action, uint64_t seed, uint32_t ply) {
    MashChance chance = chance_seeded((MashSeed){{seed, 1}}, ply);
    memcpy(wire->before, wire->state, wire->content->limits.state_bytes);
    wire->events.count = 0;
    assert_int_equal(mash_apply(wire->content, wire->state, action, &chance, &wire->events),
                     MASH_OK);
}

/* Plays some random actions from the start of a match and sends the client only the last state. */
static inline void come_late(Wire *wire, const char *preset, uint64_t seed, uint16_t round) {
    MashChance lot = chance_sampled(seed);
    wire_open(wire, preset, seed, RULES_SPEC);
    MashAction *list = support_memory(wire->content->limits.actions_max * sizeof *list);
    for (uint32_t ply = 1; wire->state->round < round && !wire->state->common.over; ply++) {
        uint8_t seat = game()->awaited(wire->content, wire->state) & 1 ? 0 : 1;
        uint32_t count = game()->actions(wire->content, wire->state, seat, list);
        bool end = wire->state->phase != PHASE_CHOICE && chance_below(&lot, 3) == 0;
        apply(wire, end ? list[count - 1] : list[chance_below(&lot, count)], seed, ply);
        if (wire->state->phase != PHASE_CHOICE)
            wire->adapter->encode_events(wire->encoder, wire->before, wire->state, &wire->events,
                                         wire->memory);
    }
    support_free(list);
    send_structure(wire);
    StandardMessage message;
    assert_true(wire->adapter->encode_state(wire->encoder, wire->state, wire->memory, &message));
    read_message(wire, &message);
    assert_true(marvelous_standard_client.event_in(wire->their_content, wire->client, &wire->json,
                                                   0, wire->theirs, &wire->heard));
}

/* From a received state, any play continues to an end: it is valid for the rules. */
static inline void play_on(const MashContent *loaded, MarvelousState *state, uint64_t seed) {
    MashChance lot = chance_sampled(seed);
    MashAction *list = support_memory(loaded->limits.actions_max * sizeof *list);
    for (uint32_t ply = 0; ply < 2000 && !state->common.over; ply++) {
        uint8_t seat = game()->awaited(loaded, state) & 1 ? 0 : 1;
        uint32_t count = game()->actions(loaded, state, seat, list);
        assert_true(count > 0);
        bool end = chance_below(&lot, 3) == 0;
        MashAction action = list[end ? count - 1 : chance_below(&lot, count)];
        assert_int_equal(mash_apply(loaded, state, action, &lot, NULL), MASH_OK);
    }
    support_free(list);
}

/* The client receives one event, written as text. */
static inline bool hear(Wire *wire, const char *text) {
    read_text(wire, text);
    return marvelous_standard_client.event_in(wire->their_content, wire->client, &wire->json, 0,
                                              wire->theirs, &wire->heard);
}

#endif
