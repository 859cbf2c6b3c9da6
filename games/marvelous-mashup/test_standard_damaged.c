/* test_standard_damaged.c -- what a client makes of messages in which one thing is not as it should
 * be: every value of messages of real matches is replaced in turn by numbers at, below and above
 * limits, by other words, by other kinds of values, or its key is another. The client's state, its
 * board and the events that it shows are as stored in tests/golden/damaged-messages.txt, and
 * whatever came, the rules can continue from there.
 *
 * MASH_GOLDEN=write build/release/tests/marvelous-mashup_test_standard_damaged rewrites the file.
 */
#include "base/hash.h"
#include "games/marvelous-mashup/test_wire.h"
#include "tests/support/golden.h"

enum { STORED_BYTES = 1 << 16, ACTIONS_MAX = 2000, ASKED = 64, PLAYED_ON = 97 };

/* A client that is put back after each message, and what was seen. */
typedef struct Patient {
    Wire wire;
    StandardClientState *client; /* as they were */
    MarvelousState *state;
    char *message;   /* the whole one */
    JsonNode *nodes; /* and its values */
    uint32_t nodes_count;
    char *damaged;
    bool thorough;  /* every value is replaced by every other */
    uint32_t count; /* of messages made from one */
    uint64_t hash;
    MashText *text;
} Patient;

/* Names that are too long, and are cut between two letters or in the middle of one. */
#define TEN       "\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251"
#define LONG_TAIL TEN TEN TEN TEN "\""
#define LONG      "\"" LONG_TAIL

/* Values that take the place of others. */
static const char *const values[] = {"-1",
                                     "0",
                                     "1",
                                     "2",
                                     "3",
                                     "4",
                                     "5",
                                     "6",
                                     "7",
                                     "12",
                                     "13",
                                     "50",
                                     "51",
                                     "99",
                                     "100",
                                     "101",
                                     "155",
                                     "156",
                                     "250",
                                     "251",
                                     "256",
                                     "999",
                                     "9999",
                                     "10000",
                                     "29999",
                                     "30000",
                                     "30001",
                                     "1000001",
                                     "null",
                                     "2.5",
                                     "[]",
                                     "{}",
                                     "[7]",
                                     "true",
                                     "\"\"",
                                     "\"P2\"",
                                     "\"NPC\"",
                                     "\"InfinityStones\"",
                                     "\"ROCK\"",
                                     "\"PORTAL\"",
                                     "\"Rock\"",
                                     "\"InfinityStone\"",
                                     "\"Character\"",
                                     "\"PlayerOne\"",
                                     LONG,
                                     "\"a" LONG_TAIL};
enum { VALUES = sizeof values / sizeof *values };

/* Adds what the client has now to the hash. */
static void add_client(Patient *patient, bool fine) {
    Wire *wire = &patient->wire;
    patient->hash = hash_number(patient->hash, fine);
    patient->hash = hash_bytes(patient->hash, wire->client, marvelous_standard_client.bytes);
    patient->hash =
        hash_bytes(patient->hash, wire->theirs, wire->their_content->limits.state_bytes);
    patient->hash =
        hash_bytes(patient->hash, wire->heard.list, wire->heard.count * sizeof *wire->heard.list);
}

/* Adds what the client would send for each action that it could do, and what is doubtful. */
static void add_requests(Patient *patient) {
    Wire *wire = &patient->wire;
    MashAction list[ACTIONS_MAX];
    char memory[1024];
    uint8_t seat = game()->awaited(wire->their_content, wire->theirs) & 1 ? 0 : 1;
    assert_true(wire->their_content->limits.actions_max <= ACTIONS_MAX);
    uint32_t count = game()->actions(wire->their_content, wire->theirs, seat, list);
    for (uint32_t i = 0; i < count; i++) {
        MashText text = text_over(memory, sizeof memory);
        bool fine = marvelous_standard_client.request_out(wire->their_content, wire->client,
                                                          wire->theirs, list[i], &text);
        bool risky = marvelous_standard_client.risky(wire->their_content, wire->client,
                                                     wire->theirs, list[i]);
        patient->hash = hash_number(patient->hash, 2 * (uint32_t)fine + risky);
        patient->hash = hash_bytes(patient->hash, memory, text.count);
    }
}

/* Gives the client a text as an event, in the place of the last one. */
static void give_event(Patient *patient, const char *text) {
    Wire *wire = &patient->wire;
    memcpy(wire->client, patient->client, marvelous_standard_client.bytes);
    memcpy(wire->theirs, patient->state, wire->their_content->limits.state_bytes);
    wire->heard.count = 0;
    bool whole = hear(wire, text);
    add_client(patient, whole);
    if (whole && patient->count % ASKED == 0)
        add_requests(patient);
    if (whole && patient->count % PLAYED_ON == 0)
        play_on(wire->their_content, wire->theirs, patient->count);
    patient->count++;
}

/* Gives the client a text as content. */
static void give_structure(Patient *patient, const char *text) {
    Wire *wire = &patient->wire;
    read_text(wire, text);
    memset(wire->their_content, 0, sizeof *wire->their_content);
    bool fine = give_content(wire);
    patient->count++;
    patient->hash = hash_number(patient->hash, fine);
    if (!fine)
        return;
    const MarvelousContent *content = marvelous_content(wire->their_content);
    patient->hash = hash_bytes(patient->hash, wire->client, marvelous_standard_client.bytes);
    patient->hash = hash_bytes(patient->hash, content, offsetof(MarvelousContent, texts));
    patient->hash =
        hash_bytes(patient->hash, &wire->their_content->limits, sizeof wire->their_content->limits);
}

/* Writes the message with the bytes from start to end replaced. */
static const char *replaced(Patient *patient, uint32_t start, uint32_t end, const char *by) {
    snprintf(patient->damaged, TEXT_BYTES, "%.*s%s%s", (int)start, patient->message, by,
             patient->message + end);
    return patient->damaged;
}

/* Damages every value of the message, each in several ways. */
static void damage_all(Patient *patient, const char *type,
                       void (*give)(Patient *patient, const char *text)) {
    MashProblems none = {.max = 0};
    Json json;
    patient->count = 0;
    patient->hash = 0;
    assert_true(json_read(&json, "whole", patient->message, (uint32_t)strlen(patient->message),
                          patient->nodes, NODES, &none));
    give(patient, patient->message);
    for (uint32_t i = 1; i < json.nodes_count; i++) {
        JsonNode node = json.nodes[i];
        uint32_t step = patient->thorough ? 1 : node.kind == JSON_NUMBER ? 4 : 11;
        for (uint32_t k = i % step; k < VALUES; k += step)
            give(patient, replaced(patient, node.start, node.end, values[k]));
        if (node.key_end > 0)
            give(patient, replaced(patient, node.key_start, node.key_end, "\"another\""));
    }
    text_format(patient->text, "%s: %u values, %u messages, ", type, json.nodes_count,
                patient->count);
    text_hex(patient->text, patient->hash, 16);
    text_byte(patient->text, '\n');
}

/* Keeps the client as it is now, to be put back after each message. */
static void keep(Patient *patient) {
    const Wire *wire = &patient->wire;
    memcpy(patient->client, wire->client, marvelous_standard_client.bytes);
    memcpy(patient->state, wire->theirs, wire->their_content->limits.state_bytes);
    memcpy(patient->message, wire->text, strlen(wire->text) + 1);
}

/* A message of an event: damaged if few of its type were before. Then the client gets it whole. */
static void tell(Patient *patient, const StandardMessage *message, uint8_t *seen, uint8_t most) {
    uint32_t count;
    const StandardRow *row = &standard_rows(message->list, &count)[message->row];
    read_message(&patient->wire, message);
    keep(patient);
    patient->thorough = message->row != STANDARD_EVENT_GAMESTATE;
    if (seen[message->row] < most) {
        seen[message->row]++;
        damage_all(patient, row->word, give_event);
    }
    memcpy(patient->wire.client, patient->client, marvelous_standard_client.bytes);
    memcpy(patient->wire.theirs, patient->state, patient->wire.their_content->limits.state_bytes);
    hear(&patient->wire, patient->message);
}

/* What the server sends of the last action, each kind of event up to so many times. */
static void tell_all(Patient *patient, uint8_t *seen) {
    Wire *wire = &patient->wire;
    StandardMessage message;
    StandardEvents told = wire->adapter->encode_events(wire->encoder, wire->before, wire->state,
                                                       &wire->events, wire->memory);
    for (uint32_t i = 0; i < told.count; i++)
        tell(patient, &told.list[i], seen, 2);
    assert_true(wire->adapter->encode_state(wire->encoder, wire->state, wire->memory, &message));
    tell(patient, &message, seen, (uint8_t)(1 + wire->state->round / 7));
}

/* The message with the offer, and that with which a match begins. */
static void tell_content(Patient *patient, bool offer) {
    Wire *wire = &patient->wire;
    StandardCharacter heroes[STANDARD_OFFERED];
    StandardMessage message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GAME_ASSIGNMENT);
    if (offer) {
        wire->adapter->draft_offer(wire->content, wire->state, 0, heroes);
        message.name = "m1";
        message.heroes[0] = (StandardCharacters){heroes, STANDARD_OFFERED};
        read_message(wire, &message);
    } else {
        send_structure(wire);
    }
    memcpy(patient->message, wire->text, strlen(wire->text) + 1);
    patient->thorough = false;
    damage_all(patient, offer ? "offer" : "structure", give_structure);
    if (!offer)
        send_structure(wire);
}

/* A whole random match; `careful`: with a server that sends bare events. */
static void damage_match(Patient *patient, const char *preset, uint64_t seed, bool careful) {
    Wire *wire = &patient->wire;
    uint8_t seen[UINT8_MAX] = {0};
    wire_open(wire, preset, seed, RULES_SPEC);
    wire->client->bare = wire->client->careful = wire->client->ruler = careful;
    patient->client = support_memory(marvelous_standard_client.bytes);
    patient->state = support_state(wire->content);
    MashChance lot = chance_sampled(seed);
    MashAction *list = support_memory(wire->content->limits.actions_max * sizeof *list);
    tell_content(patient, true);
    for (uint32_t ply = 1; !wire->state->common.over; ply++) {
        uint8_t seat = game()->awaited(wire->content, wire->state) & 1 ? 0 : 1;
        uint32_t count = game()->actions(wire->content, wire->state, seat, list);
        bool choosing = wire->state->phase == PHASE_CHOICE;
        bool end = !choosing && chance_below(&lot, 4) == 0;
        apply(wire, end ? list[count - 1] : list[chance_below(&lot, count)], seed, ply);
        if (choosing && wire->state->phase == PHASE_CHOICE)
            continue;
        if (choosing)
            tell_content(patient, false);
        tell_all(patient, seen);
    }
    support_free(list);
    support_free(patient->client);
    support_free(patient->state);
    wire_close(wire);
}

static void damaged_messages(void **unused) {
    (void)unused;
    char *memory = support_memory(STORED_BYTES);
    MashText text = text_over(memory, STORED_BYTES);
    Patient patient = {.text = &text,
                       .message = support_memory(TEXT_BYTES),
                       .damaged = support_memory(TEXT_BYTES),
                       .nodes = support_memory(NODES * sizeof(JsonNode))};
    damage_match(&patient, "quick", 2, false);
    damage_match(&patient, "asgard-portals", 3, true);
    golden_compare("tests/golden/damaged-messages.txt", &text);
    support_free(patient.message);
    support_free(patient.damaged);
    support_free(patient.nodes);
    support_free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
