/* test_message.c -- the arena's messages: every one written and read back, bad ones refused with
 * what and where, and the printed pages equal to the stored ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/message_fields.h"
#include "proto/print.h"

enum { NODES = 4096, TEXT = 1 << 16, PAGE = 1 << 20, PROBLEMS = 8 };
static JsonNode nodes[NODES];
static char pool[TEXT];
static MashProblem problem_list[PROBLEMS];
static MashProblems problems;

static MessageReadResult read_bytes(Message *message, const char *bytes, uint32_t count,
                                    bool from_server) {
    MessageMemory memory = {nodes, NODES, pool, TEXT};
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    return message_read(message, bytes, count, from_server, &memory, &problems);
}

static MessageReadResult read_text(Message *message, const char *text, bool from_server) {
    return read_bytes(message, text, (uint32_t)strlen(text), from_server);
}

/* --- Every message written and read back ------------------------------------------------------ */

/* JSON that fits a field without a struct: the smallest of its shape. */
static void example_of_shape(const Fields *shape, MashText *text);

/* JSON that fits a kind of field that only messages have. */
static void example_of_custom(const Field *field, MashText *text) {
    static const struct {
        const FieldCustom *custom;
        const char *example;
    } examples[] = {
        {&message_seat, "1"},
        {&message_code, "\"k7qf-2m9x-w3ab\""},
        {&message_options, "{\"a\":1,\"b\":-2}"},
        {&message_documents, "[{\"name\":\"a.b.json\",\"text\":\"{}\\n\"},{\"name\":\"c.json\"}]"},
        {&message_base64, "\"AAEC/w==\""},
        {&message_ints, "[0,1]"},
        {&message_names, "[\"a\",\"b\"]"},
        {&message_int_rows, "[[0,1],[2]]"},
        {&message_seat_times, "[null,1]"},
        {&message_text, "\"\""},
    };
    if (field->custom == &message_hex) {
        text_byte(text, '"');
        for (uint32_t i = 0; i < (uint32_t)field->max; i++)
            text_hex(text, i, 1);
        text_byte(text, '"');
    } else if (field->custom == &message_object || field->custom == &message_list) {
        text_string(text, field->custom == &message_list ? "[" : "");
        example_of_shape(field->rows, text);
        text_string(text, field->custom == &message_list ? "]" : "");
    }
    for (uint32_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (field->custom == examples[i].custom)
            text_string(text, examples[i].example);
}

static void example_of(const Field *field, MashText *text) {
    uint32_t words = 0;
    switch (field->kind) {
    case FIELD_LINE:
        text_string(text, "\"x\"");
        break;
    case FIELD_INT:
        text_int(text, field->max);
        break;
    case FIELD_BOOL:
        text_string(text, "true");
        break;
    case FIELD_ENUM:
        while (field->words[words] != NULL)
            words++;
        text_format(text, "\"%s\"", field->words[words - 1]);
        break;
    default:
        assert_int_equal(field->kind, FIELD_CUSTOM);
        example_of_custom(field, text);
    }
}

static void example_of_fields(const Fields *fields, uint32_t given, MashText *text) {
    bool comma = text->bytes[text->count - 1] != '{';
    for (uint32_t i = 0; i < fields->count; i++) {
        if (fields->list[i].optional && (given >> i & 1) == 0)
            continue;
        text_format(text, comma ? ",\"%s\":" : "\"%s\":", fields->list[i].key);
        example_of(&fields->list[i], text);
        comma = true;
    }
    text_byte(text, '}');
}

static void example_of_shape(const Fields *shape, MashText *text) {
    text_byte(text, '{');
    example_of_fields(shape, UINT32_MAX, text);
}

static void there_and_back(MessageKind kind, uint32_t given) {
    static char before[TEXT], after[TEXT];
    MashText text = text_over(before, TEXT), again = text_over(after, TEXT);
    text_format(&text, "{\"type\":\"%s\"", message_type(kind));
    example_of_fields(fields_of_message(kind), given, &text);
    Message message;
    MessageReadResult reading = read_text(&message, before, !message_from_client(kind));
    if (reading != MESSAGE_VALID)
        fail_msg("%s: %s %s", before, problem_list[0].path, problem_list[0].reason);
    assert_int_equal(message.kind, kind);
    message_write(&message, &again);
    assert_false(again.truncated);
    assert_string_equal(before, after);
}

static void every_message_goes_there_and_back(void **unused) {
    (void)unused;
    for (uint32_t kind = 0; kind < MESSAGE_COUNT; kind++) {
        there_and_back((MessageKind)kind, UINT32_MAX);
        there_and_back((MessageKind)kind, 0);
        there_and_back((MessageKind)kind, 0x55555555);
    }
}

static void what_is_read_is_what_was_said(void **unused) {
    (void)unused;
    Message message;
    assert_int_equal(read_text(&message,
                               "{\"type\":\"act\",\"position\":7,\"verb\":3,\"unit\":12,"
                               "\"x\":-1,\"y\":5}",
                               false),
                     MESSAGE_VALID);
    assert_int_equal(message.kind, MESSAGE_CLIENT_ACT);
    assert_int_equal(message.act.position, 7);
    assert_int_equal(message.act.verb, 3);
    assert_int_equal(message.act.x, -1);
    assert_int_equal(message.act.y, 5);
    assert_true(message_has(&message, "verb") && !message_has(&message, "word"));
    assert_int_equal(read_text(&message,
                               "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":null,"
                               "\"options\":{\"draw\":4},\"documents\":[{\"name\":\"a.json\","
                               "\"text\":\"\\u007b}\"}]}",
                               false),
                     MESSAGE_VALID);
    assert_int_equal(message.open.seat, MASH_SEAT_NONE);
    assert_int_equal(message.open.options.count, 1);
    assert_string_equal(message.open.options.list[0].id, "draw");
    assert_int_equal(message.open.options.list[0].value, 4);
    assert_string_equal(message.open.documents.list[0].name, "a.json");
    assert_string_equal(message.open.documents.list[0].bytes, "{}");
    assert_int_equal(message.open.documents.list[0].count, 2);
}

/* --- Bad ones --------------------------------------------------------------------------------- */

static void broken(const char *text, const char *reason) {
    Message message;
    assert_int_equal(read_text(&message, text, false), MESSAGE_UNREADABLE);
    assert_int_equal(message.kind, MESSAGE_COUNT);
    assert_true(problems.count > 0);
    if (strstr(problem_list[0].reason, reason) == NULL)
        fail_msg("%s: %s", text, problem_list[0].reason);
}

static void what_is_no_message_is_broken(void **unused) {
    (void)unused;
    broken("", "");
    broken("{", "");
    broken("[]", "must be an object");
    broken("{}", "\"type\" is missing");
    broken("{\"type\":3}", "must be a string");
    broken("{\"type\":\"helo\"}", "unknown message type \"helo\"");
    broken("{\"type\":\"welcome\"}", "unknown message type");
    broken("{\"type\":\"here\",\"type\":\"here\"}", "");
    Message message;
    assert_int_equal(read_bytes(&message, "{\"type\":\"\xff\"}", 12, false), MESSAGE_UNREADABLE);
}

static void wrong(const char *text, const char *path, const char *reason) {
    Message message;
    assert_int_equal(read_text(&message, text, false), MESSAGE_INVALID);
    assert_true(problems.count > 0);
    if (strcmp(problem_list[0].path, path) != 0 || strstr(problem_list[0].reason, reason) == NULL)
        fail_msg("%s: %s: %s", text, problem_list[0].path, problem_list[0].reason);
}

/* [A19] `before` and more digits than the field has: each is refused, none overflows. */
static void too_many_digits(const char *before, const char *path, uint32_t right) {
    static const uint32_t more[] = {1, 2, 16, 32, 400};
    char text[1024];
    for (uint32_t i = 0; i < sizeof more / sizeof *more; i++) {
        snprintf(text, sizeof text, "%s%0*d\"}", before, (int)(right + more[i]), 7);
        wrong(text, path, "hexadecimal digits");
    }
}

static void wrong_fields_are_named(void **unused) {
    (void)unused;
    wrong("{\"type\":\"hello\",\"name\":\"a\"}", "$", "key \"role\" is missing");
    wrong("{\"type\":\"hello\",\"name\":\"\",\"role\":\"ai\"}", "$.name", "1 to 31 bytes");
    wrong("{\"type\":\"hello\",\"name\":\"a\\nb\",\"role\":\"ai\"}", "$.name", "control");
    wrong("{\"type\":\"hello\",\"name\":\"a\",\"role\":\"king\"}", "$.role",
          "must be one of person, ai, watcher");
    wrong("{\"type\":\"hello\",\"name\":\"a\",\"role\":\"ai\",\"words\":1}", "$.words",
          "true or false");
    wrong("{\"type\":\"here\",\"what\":1}", "$.what", "unknown key \"what\"");
    wrong("{\"type\":\"act\",\"position\":1.5}", "$.position", "whole number");
    wrong("{\"type\":\"act\",\"position\":1,\"verb\":240}", "$.verb", "from 1 to 239");
    wrong("{\"type\":\"act\",\"position\":1,\"action\":\"00\"}", "$.action",
          "16 lower-case hexadecimal");
    wrong("{\"type\":\"act\",\"position\":1,\"action\":\"00000000000000XX\"}", "$.action",
          "16 lower-case hexadecimal");
    too_many_digits("{\"type\":\"act\",\"position\":1,\"action\":\"", "$.action", 16);
    too_many_digits("{\"type\":\"return\",\"token\":\"", "$.token", PROTO_TOKEN_DIGITS);
    wrong("{\"type\":\"join\",\"code\":\"k7qf\"}", "$.code", "a table code");
    wrong("{\"type\":\"return\",\"token\":7}", "$.token", "string");
    wrong("{\"type\":\"open\",\"game\":\"z\",\"seat\":2}", "$.seat", "from 0 to 1");
    wrong("{\"type\":\"open\",\"game\":\"z\",\"options\":{\"a\":\"b\"}}", "$.options.a",
          "whole number");
    wrong("{\"type\":\"open\",\"game\":\"z\",\"options\":[]}", "$.options", "an object");
    wrong("{\"type\":\"open\",\"game\":\"z\",\"documents\":[{\"text\":\"\"}]}", "$.documents[0]",
          "key \"name\" is missing");
    wrong("{\"type\":\"open\",\"game\":\"z\",\"documents\":[3]}", "$.documents[0]", "an object");
    wrong("{\"type\":\"open\",\"game\":\"z\",\"documents\":[{\"name\":\"a\",\"b\":1}]}",
          "$.documents[0].b", "unknown key");
}

static void server_messages_are_read_leniently(void **unused) {
    (void)unused;
    Message message;
    assert_int_equal(read_text(&message, "{\"type\":\"done\",\"to\":\"here\",\"more\":[{}]}", true),
                     MESSAGE_VALID);
    assert_string_equal(message.done.to, "here");
    assert_false(message_has(&message, "id"));
    assert_int_equal(read_text(&message,
                               "{\"type\":\"people\",\"code\":\"k7qf-2m9x-w3ab\","
                               "\"players\":[{\"seat\":0,\"here\":3}]}",
                               true),
                     MESSAGE_INVALID);
    assert_string_equal(problem_list[0].path, "$.players[0].here");
}

static void too_much_is_refused(void **unused) {
    (void)unused;
    static char big[TEXT * 2];
    Message message;
    MashText text = text_over(big, sizeof big);
    text_string(&text,
                "{\"type\":\"open\",\"game\":\"z\",\"documents\":[{\"name\":\"a\",\"text\":\"");
    for (uint32_t i = 0; i < TEXT; i++)
        text_byte(&text, 'x');
    text_string(&text, "\"}]}");
    wrong(big, "$.documents[0].text", "is too long");
    for (int count = 8; count <= 9; count++) { /* eight documents are allowed */
        text_clear(&text);
        text_string(&text, "{\"type\":\"open\",\"game\":\"z\",\"documents\":[");
        for (int i = 0; i < count; i++)
            text_format(&text, "%s{\"name\":\"a%d\"}", i == 0 ? "" : ",", i);
        text_string(&text, "]}");
        if (count == 8)
            assert_int_equal(read_text(&message, big, false), MESSAGE_VALID);
        else
            wrong(big, "$.documents", "at most 8 files");
    }
    for (int count = 16; count <= 17; count++) { /* and sixteen options */
        text_clear(&text);
        text_string(&text, "{\"type\":\"open\",\"game\":\"z\",\"options\":{");
        for (int i = 0; i < count; i++)
            text_format(&text, "%s\"a%d\":1", i == 0 ? "" : ",", i);
        text_string(&text, "}}");
        if (count == 16)
            assert_int_equal(read_text(&message, big, false), MESSAGE_VALID);
        else
            wrong(big, "$.options", "more than 16");
    }
    text_clear(&text);
    text_string(&text, "{\"type\":\"here\",\"id\":[");
    for (int i = 0; i < NODES; i++)
        text_string(&text, "0,");
    text_string(&text, "0]}");
    broken(big, "");
}

/* --- Spelling --------------------------------------------------------------------------------- */

static void codes_forgive_what_people_mistype(void **unused) {
    (void)unused;
    char code[PROTO_CODE_MAX + 1];
    uint64_t number;
    table_code_encode(0, code);
    assert_string_equal(code, "0000-0000-0000");
    table_code_encode(((uint64_t)1 << 60) - 1, code);
    assert_string_equal(code, "zzzz-zzzz-zzzz");
    for (uint64_t i = 1; i < (uint64_t)1 << 59; i = i * 3 + 1) {
        table_code_encode(i, code);
        assert_true(table_code_decode(code, &number));
        assert_int_equal(number, i);
    }
    assert_true(table_code_decode("OIL0-0000-000A", &number));
    table_code_encode(number, code);
    assert_string_equal(code, "0110-0000-000a");
    assert_true(table_code_decode("k7qf2m9xw3ab", &number));
    assert_false(table_code_decode("k7qf-2m9x-w3a", &number));
    assert_false(table_code_decode("k7qf-2m9x-w3abc", &number));
    assert_false(table_code_decode("u7qf-2m9x-w3ab", &number));
    assert_false(table_code_decode("", &number));
}

static void base64_is_base64(void **unused) {
    (void)unused;
    static const char *const known[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                        "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    char memory[32], bytes[32];
    for (uint32_t i = 0; i <= 6; i++) {
        MashText text = text_over(memory, sizeof memory);
        base64_encode("foobar", i, &text);
        assert_string_equal(memory, known[i]);
        assert_int_equal(base64_decode(memory, text.count, bytes, i), i);
        assert_memory_equal(bytes, "foobar", i);
    }
    assert_int_equal(base64_decode("Zm9v", 4, bytes, 2), -1);
    assert_int_equal(base64_decode("Zm9", 3, bytes, 32), -1);
    assert_int_equal(base64_decode("Zm=v", 4, bytes, 32), -1);
    assert_int_equal(base64_decode("Zm9=", 4, bytes, 32), -1);
    assert_int_equal(base64_decode("====", 4, bytes, 32), -1);
}

static void actions_are_eight_bytes(void **unused) {
    (void)unused;
    MashAction action = {.verb = 1, .seat = 1, .unit = 254, .x = -1, .y = 9, .amount = 255}, back;
    char memory[20];
    MashText text = text_over(memory, sizeof memory);
    action_to_hex(action, &text);
    assert_string_equal(memory, "0101fe00ff0900ff");
    assert_true(action_from_hex(memory, &back));
    assert_int_equal(mash_action_compare(action, back), 0);
    assert_false(action_from_hex("0101fe00ff0900f", &back));
    assert_false(action_from_hex("0101fe00ff0900fff", &back));
    assert_false(action_from_hex("0101FE00ff0900ff", &back));
}

static void refusals_have_codes(void **unused) {
    (void)unused;
    assert_string_equal(mash_status_id(MASH_NOT_YOUR_TURN), "not-your-turn");
    assert_string_equal(refusal_code(REFUSAL_LATE), "late");
    assert_false(refusal_offence(REFUSAL_LATE));
    assert_false(refusal_offence(REFUSAL_PAUSED));
    assert_true(refusal_offence(REFUSAL_BROKEN));
}

/* --- Pages ------------------------------------------------------------------------------------ */

static void same_as_stored(const char *path, void (*print)(MashText *), const char *command) {
    static char printed[PAGE], stored[PAGE];
    MashText text = text_over(printed, PAGE);
    print(&text);
    assert_false(text.truncated);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t count = fread(stored, 1, PAGE - 1, file);
    fclose(file);
    stored[count] = '\0';
    if (strcmp(printed, stored) != 0)
        fail_msg("%s is not what the list says; print it anew: %s > %s", path, command, path);
}

static void pages_are_stored_as_printed(void **unused) {
    (void)unused;
    same_as_stored("docs/protocol.md", print_protocol, "build/mashup protocol");
    same_as_stored("docs/arena.schema.json", print_schema, "build/mashup protocol --schema");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_goes_there_and_back),
        cmocka_unit_test(what_is_read_is_what_was_said),
        cmocka_unit_test(what_is_no_message_is_broken),
        cmocka_unit_test(wrong_fields_are_named),
        cmocka_unit_test(server_messages_are_read_leniently),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(codes_forgive_what_people_mistype),
        cmocka_unit_test(base64_is_base64),
        cmocka_unit_test(actions_are_eight_bytes),
        cmocka_unit_test(refusals_have_codes),
        cmocka_unit_test(pages_are_stored_as_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
