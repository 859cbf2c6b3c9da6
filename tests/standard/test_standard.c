/* test_standard.c -- messages of the Marvelous Mashup standard as bytes: reading what clients send,
 * writing what the server sends, and the schema that comes from the same lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "standard/adapter.h"
#include "standard/wire.h"

enum { NODES = 512, POOL = 1024, PROBLEMS = 4 };

/* What was read last. */
static StandardMessage message;
static MashProblem list[PROBLEMS];
static MashProblems problems;

static StandardReadResult read(uint8_t which, const char *bytes) {
    static JsonNode nodes[NODES];
    static char memory[POOL];
    MashText pool = text_over(memory, sizeof memory);
    Json json;
    problems = (MashProblems){.list = list, .max = PROBLEMS};
    assert_true(json_read(&json, "frame", bytes, (uint32_t)strlen(bytes), nodes, NODES, &problems));
    return standard_read(&json, 0, which, &pool, &message, &problems);
}
#define READ(which, bytes) assert_int_equal(read(STANDARD_LIST_##which, bytes), STANDARD_READ)
#define MALFORMED(which, bytes)                                                                    \
    assert_int_equal(read(STANDARD_LIST_##which, bytes), STANDARD_MALFORMED)
#define STRANGE(which, bytes) assert_int_equal(read(STANDARD_LIST_##which, bytes), STANDARD_UNKNOWN)

static void login(void **unused) {
    (void)unused;
    READ(MESSAGES,
         "{\"deviceID\":\"d\\u00e9\",\"name\":\"\",\"x\":1,\"messageType\":\"HELLO_SERVER\"}");
    assert_int_equal(message.row, STANDARD_HELLO_SERVER);
    assert_string_equal(message.name, "");
    assert_string_equal(message.device, "d\xc3\xa9");
    READ(MESSAGES, "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"KI\"}");
    assert_int_equal(message.role, STANDARD_ROLE_AI);
    assert_true(message.flag);
    READ(MESSAGES, "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[true,false,false,true,"
                   "false,false,false,false,false,false,false,true]}");
    assert_int_equal(message.chosen, 1 | 8 | 1 << 11);
    MALFORMED(MESSAGES, "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[true]}");
    assert_string_equal(list[0].path, "$.characters");
    MALFORMED(MESSAGES, "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":7}");
    MALFORMED(MESSAGES,
              "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[1,1,1,1,1,1,1,1,1,1,"
              "1,1]}");
    MALFORMED(MESSAGES, "{\"messageType\":\"PLAYER_READY\",\"startGame\":1,\"role\":\"CAT\"}");
    assert_int_equal(problems.count, 2);
    MALFORMED(MESSAGES, "{\"messageType\":\"HELLO_SERVER\",\"name\":\"a\"}");
    STRANGE(MESSAGES, "{\"messageType\":\"HELLO\"}");
    STRANGE(MESSAGES, "{\"messageType\":7}");
    STRANGE(MESSAGES, "[]");
    STRANGE(MESSAGES, "{}");
}

static void long_texts_are_refused(void **unused) {
    (void)unused;
    char bytes[2 * POOL];
    snprintf(bytes, sizeof bytes,
             "{\"messageType\":\"HELLO_SERVER\",\"name\":\"%0*d\",\"deviceID\":\"\"}", POOL, 7);
    MALFORMED(MESSAGES, bytes);
}

static void requests(void **unused) {
    (void)unused;
    READ(REQUESTS,
         "{\"requestType\":\"UseInfinityStoneRequest\",\"originEntity\":{\"entityID\":\"P2\","
         "\"ID\":9},\"originField\":[1,2],\"targetField\":[3,4],\"stoneType\":"
         "{\"entityID\":\"InfinityStones\",\"ID\":5}}");
    assert_int_equal(message.row, STANDARD_REQUEST_USE);
    assert_int_equal(message.origin.group, STANDARD_GROUP_P2);
    assert_int_equal(message.origin.id, 9);
    assert_int_equal(message.target_field.y, 4);
    assert_int_equal(message.stone.id, 5);
    assert_int_equal(message.present, 0x1D); /* all but the target */
    READ(REQUESTS, "{\"requestType\":\"Req\"}");
    /* An optional value may also be nonsense: it is ignored. */
    READ(REQUESTS,
         "{\"requestType\":\"MeleeAttackRequest\",\"value\":\"x\",\"originEntity\":"
         "{\"entityID\":\"P1\",\"ID\":1},\"targetEntity\":{\"entityID\":\"Rocks\",\"ID\":0},"
         "\"originField\":[0,0],\"targetField\":[0,1]}");
    MALFORMED(REQUESTS,
              "{\"requestType\":\"MoveRequest\",\"originEntity\":{\"entityID\":\"P3\",\"ID\":1},"
              "\"originField\":[0,0],\"targetField\":[0,0]}");
    MALFORMED(REQUESTS,
              "{\"requestType\":\"MoveRequest\",\"originEntity\":{\"entityID\":\"P1\",\"ID\":1},"
              "\"originField\":[0],\"targetField\":[0,0.5]}");
    assert_int_equal(problems.count, 2);
    STRANGE(REQUESTS, "{\"requestType\":\"JumpRequest\"}");
}

static void writes(const StandardMessage *what, const char *wanted) {
    char memory[2048];
    MashText text = text_over(memory, sizeof memory);
    standard_write(what, &text);
    assert_string_equal(memory, wanted);
}

static void written(void **unused) {
    (void)unused;
    StandardMessage say = standard_new(STANDARD_LIST_MESSAGES, STANDARD_ERROR);
    say.name = "a \"b\"";
    say.amount = 2;
    writes(&say, "{\"messageType\":\"ERROR\",\"message\":\"a \\\"b\\\"\",\"type\":2}");
    say = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_ACK);
    writes(&say, "{\"eventType\":\"Ack\"}");
    say = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_SPAWN);
    say.entity = (StandardEntity){.type = STANDARD_ENTITY_NPC, .id = 2, .moves = 6, .stones = 0x22};
    writes(&say, "{\"eventType\":\"SpawnEntityEvent\",\"entity\":{\"entityType\":\"NPC\",\"ID\":2,"
                 "\"MP\":6,\"stones\":[1,5],\"position\":[0,0]}}");
    say.entity = (StandardEntity){.type = STANDARD_ENTITY_ROCK, .id = 3, .health = 50};
    writes(&say, "{\"eventType\":\"SpawnEntityEvent\",\"entity\":{\"entityType\":\"Rock\",\"ID\":3,"
                 "\"HP\":50,\"position\":[0,0]}}");
    say = standard_new(STANDARD_LIST_REQUESTS, STANDARD_REQUEST_USE);
    writes(&say,
           "{\"requestType\":\"UseInfinityStoneRequest\",\"originEntity\":{\"entityID\":\"P1\","
           "\"ID\":0},\"originField\":[0,0],\"targetField\":[0,0],\"stoneType\":{\"entityID\":"
           "\"P1\",\"ID\":0}}");
}

/* What a client writes is what the server reads. */
static void every_row_goes_round(void **unused) {
    (void)unused;
    for (uint8_t which = 0; which < STANDARD_LISTS; which++) {
        uint32_t count;
        const StandardRow *rows = standard_rows(which, &count);
        for (uint8_t row = 0; row < count; row++) {
            char memory[4096];
            MashText text = text_over(memory, sizeof memory);
            StandardMessage first = standard_new(which, row);
            first.name = first.device = "x";
            first.configs[0] = first.configs[1] = (StandardJson){"{}", 2};
            first.entity.name = "y";
            standard_write(&first, &text);
            assert_false(text.truncated);
            assert_int_equal(read(which, memory), STANDARD_READ);
            assert_int_equal(message.row, row);
            assert_non_null(rows[row].word);
        }
    }
}

/* docs/standard.schema.json is what `mashup protocol --standard` prints. */
static void the_schema_is_printed(void **unused) {
    (void)unused;
    static char printed[1 << 17], stored[1 << 17];
    MashText text = text_over(printed, sizeof printed);
    FILE *file = fopen("docs/standard.schema.json", "rb");
    if (file == NULL)
        skip();
    size_t count = fread(stored, 1, sizeof stored - 1, file);
    fclose(file);
    stored[count] = '\0';
    standard_print_schema(&text);
    assert_false(text.truncated);
    assert_string_equal(printed, stored);
}

static void which_games_speak_it(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        bool speaks = strcmp((*game)->id, "marvelous-mashup") == 0;
        assert_int_equal(standard_server_adapter(*game) != NULL, speaks);
        assert_int_equal(standard_client_adapter(*game) != NULL, speaks);
        assert_int_equal(standard_game() == *game, speaks);
    }
}

/* [A1] */
static void what_does_not_fit_is_seen(void **unused) {
    (void)unused;
    StandardMessage warning = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_WARNING);
    warning.name = "";
    for (int32_t seconds = 0; seconds <= 86400; seconds += 43200) {
        warning.amount = seconds;
        assert_true(standard_fits(&warning));
    }
    warning.amount = -1;
    assert_false(standard_fits(&warning));
    warning.amount = 1271310318;
    assert_false(standard_fits(&warning));
    StandardMessage turn = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_TURN);
    assert_true(standard_fits(&turn));
    turn.target.group = STANDARD_GROUP_COUNT;
    assert_false(standard_fits(&turn));
    StandardEntity entity = {.type = STANDARD_ENTITY_COUNT};
    StandardMessage state = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_GAMESTATE);
    assert_true(standard_fits(&state));
    state.entities = (StandardEntities){&entity, 1};
    assert_false(standard_fits(&state));
    turn.row = 255;
    assert_false(standard_fits(&turn));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_is_seen),
        cmocka_unit_test(login),
        cmocka_unit_test(long_texts_are_refused),
        cmocka_unit_test(requests),
        cmocka_unit_test(written),
        cmocka_unit_test(every_row_goes_round),
        cmocka_unit_test(the_schema_is_printed),
        cmocka_unit_test(which_games_speak_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
