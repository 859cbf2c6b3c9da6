/* test_fields.c -- tables of fields: what is read, which problems are reported, and what is printed
 * from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/fields.h"

enum { PROBLEMS = 8, NODES = 128, ROOM = 4096, UNITS_MAX = 4 };

/* A document with every kind of field. */
typedef struct Gun {
    uint16_t damage;
    uint8_t range;
} Gun;
typedef struct Unit {
    char id[8];
    char letter; /* has no NUL */
    int8_t x;
    uint8_t kind;
    bool flies;
    Gun gun;
    uint8_t lives;
} Unit;
typedef struct TestRecord {
    uint8_t width, units_count, cells;
    int32_t bonus;
    char name[6];
    Unit units[UNITS_MAX];
    uint8_t team[3], team_count;
    uint32_t checked;
} TestRecord;

static const char *const kinds[] = {"foot", "horse", NULL};

/* A unit is on the board. */
static void inside(const FieldsReader *reader, int32_t *min, int32_t *max) {
    const TestRecord *record = reader->record;
    (void)min;
    *max = record->width - 1;
}

/* A unit by its id; those on horse cannot be chosen. */
static const char *unit_word(const FieldsReader *reader, uint32_t index) {
    const TestRecord *record = reader->record;
    if (index >= record->units_count)
        return NULL;
    return record->units[index].kind == 1 ? "" : record->units[index].id;
}

/* The number of cells in a string of as many letters. */
static bool read_cells(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    (void)field;
    if (!json_expect_kind(reader->json, node, JSON_STRING, reader->problems))
        return false;
    if (to != NULL)
        *(uint8_t *)to =
            (uint8_t)(reader->json->nodes[node].end - reader->json->nodes[node].start - 2);
    return true;
}

static void write_cells(JsonWriter *writer, const Field *field, const void *from) {
    (void)field;
    json_put_bytes(writer, "....", *(const uint8_t *)from);
}

static const FieldCustom cells = {.wanted = "a string of cells",
                                  .read = read_cells,
                                  .write = write_cells,
                                  .schema = "\"type\": \"string\"",
                                  .words = "cells"};

/* A unit on horse must not be at 0. */
static void check_unit(FieldsReader *reader, uint32_t node, void *row) {
    const Unit *unit = row;
    assert_ptr_equal(reader->row, row);
    if (unit->kind == 1 && unit->x == 0)
        json_problem(reader->json, node, reader->problems, "no horse there");
}

/* Records that everything was valid. */
static void check_record(FieldsReader *reader, uint32_t node, void *record) {
    assert_int_equal(node, 0);
    assert_ptr_equal(reader->record, record);
    ((TestRecord *)record)->checked++;
}

static const Field gun_fields[] = {
    FIELD(INT, "damage", Gun, damage, .min = 1, .max = 500, .label = "Damage",
          .meaning = "Health."),
    FIELD(INT, "range", Gun, range, .max = 9, .fallback = 3, .optional = true, .meaning = "Cells."),
};
static const Fields gun_rows = {.id = "gun", .meaning = "A gun.", FIELDS_OF(gun_fields)};
static const Field unit_fields[] = {
    FIELD(LINE, "id", Unit, id, .unique = true, .format = &field_id, .meaning = "Its id."),
    FIELD(INT, "x", Unit, x, .min = -1, .max = 99, .bounds = inside, .meaning = "Column."),
    FIELD(LINE, "letter", Unit, letter, .max = 1, .unique = true, .meaning = "A letter."),
    FIELD(ENUM, "kind", Unit, kind, .words = kinds, .meaning = "What it is."),
    FIELD(BOOL, "flies", Unit, flies, .optional = true, .meaning = "Whether."),
    FIELD(OBJECT, "gun", Unit, gun, .optional = true, .rows = &gun_rows, .meaning = "If any."),
    FIELD(INT, "lives", Unit, lives, .max = 9, .optional = true, .unique = true,
          .meaning = "How many."),
};
static const Fields unit_rows = {.id = "unit",
                                 .meaning = "A unit.",
                                 FIELDS_OF(unit_fields),
                                 .bytes = sizeof(Unit),
                                 .check = check_unit};
static const Field team_item = {.kind = FIELD_ENUM,
                                .key = "team",
                                .bytes = 1,
                                .word = unit_word,
                                .max = 7,
                                .format = &field_id};
static const Field record_fields[] = {
    FIELD(INT, "width", TestRecord, width, .min = 1, .max = 100, .fallback = 50,
          .meaning = "Cells."),
    FIELD(INT, "bonus", TestRecord, bonus, .min = -5, .max = 5, .optional = true, .fallback = 2,
          .meaning = "More."),
    FIELD(LINE, "name", TestRecord, name, .empty = true, .format = &field_line,
          .meaning = "For people."),
    FIELD(CUSTOM, "cells", TestRecord, cells, .custom = &cells, .meaning = "All."),
    FIELD(ROWS, "units", TestRecord, units, .min = 1, .max = UNITS_MAX, .rows = &unit_rows,
          FIELD_COUNT(TestRecord, units_count), .meaning = "Who is there."),
    FIELD(LIST, "team", TestRecord, team, .max = 3, .item = &team_item,
          FIELD_COUNT(TestRecord, team_count), .optional = true, .meaning = "Ids."),
};
static const Fields document = {
    .id = ".thing.json", .meaning = "a thing", FIELDS_OF(record_fields), .check = check_record};

static MashProblem problem_list[PROBLEMS];
static MashProblems problems;
static TestRecord record;

/* Reads it into `record`. */
static bool read_document(const char *text, bool open) {
    static JsonNode nodes[NODES];
    Json json;
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    memset(&record, 0xFF, sizeof record); /* rows are zeroed before they are read */
    record.checked = record.units_count = record.team_count = 0;
    assert_true(json_read(&json, "a.json", text, (uint32_t)strlen(text), nodes, NODES, &problems));
    FieldsReader reader = {.json = &json, .problems = &problems, .record = &record, .open = open};
    bool fine = fields_read(&reader, &document, 0, &record, NULL);
    assert_int_equal(fine, problems.count == 0);
    assert_null(reader.row);
    return fine;
}

/* It is refused, and this is the problem at that number. */
static void refused(const char *text, uint32_t number, const char *path, const char *reason) {
    assert_false(read_document(text, false));
    assert_true(number < problems.count);
    assert_string_equal(problem_list[number].path, path);
    assert_string_equal(problem_list[number].reason, reason);
    assert_int_equal(record.checked, 0);
}

#define UNIT(id, letter) "{\"id\":\"" id "\",\"letter\":\"" letter "\",\"x\":1,\"kind\":\"foot\"}"
#define THING(units)     "{\"width\":4,\"name\":\"\",\"cells\":\"...\",\"units\":[" units "]}"

static void all_kinds_are_read(void **unused) {
    (void)unused;
    assert_true(read_document(
        "{\"units\":[{\"kind\":\"horse\",\"x\":-1,\"id\":\"a-1\",\"letter\":\"Q\",\"flies\":true,"
        "\"gun\":{\"damage\":500}}," UNIT("b", "B") "],\"cells\":\"...\",\"name\":\"Zoe\","
                                                    "\"width\":4,\"bonus\":-5}",
        false));
    assert_int_equal(record.width, 4);
    assert_int_equal(record.bonus, -5);
    assert_string_equal(record.name, "Zoe");
    assert_int_equal(record.cells, 3);
    assert_int_equal(record.units_count, 2);
    assert_int_equal(record.checked, 1);
    const Unit *unit = &record.units[0];
    assert_string_equal(unit->id, "a-1");
    assert_int_equal(unit->letter, 'Q');
    assert_int_equal(unit->x, -1);
    assert_int_equal(unit->kind, 1);
    assert_true(unit->flies);
    assert_int_equal(unit->gun.damage, 500);
    assert_int_equal(unit->gun.range, 3); /* omitted */
    assert_string_equal(record.units[1].id, "b");
    assert_false(record.units[1].flies);
    assert_int_equal(record.units[1].gun.damage, 0);
    assert_true(read_document(THING(UNIT("a", "A")), false));
    assert_int_equal(record.bonus, 2); /* omitted */
    assert_int_equal(record.units[0].x, 1);
    assert_true(read_document(
        THING(UNIT("a", "A") "," UNIT("b", "B") "," UNIT("c", "C") "," UNIT("d", "D")), false));
    assert_int_equal(record.units_count, UNITS_MAX);
}

static void what_is_wrong_is_said(void **unused) {
    (void)unused;
    refused("[]", 0, "$", "must be an object, found an array");
    refused("{\"width\":4,\"name\":\"\",\"cells\":1,\"units\":[" UNIT("a", "A") "]}", 0, "$.cells",
            "must be a string, found 1");
    refused("{\"width\":4,\"cells\":\"\",\"units\":[" UNIT("a", "A") "]}", 0, "$",
            "key \"name\" is missing; it must be a string of 1 to 5 bytes without control "
            "characters");
    refused("{\"width\":4,\"name\":\"\",\"units\":[" UNIT("a", "A") "]}", 0, "$",
            "key \"cells\" is missing; it must be a string of cells");
    refused("{\"name\":\"\",\"cells\":\"\",\"units\":[" UNIT("a", "A") "]}", 0, "$",
            "key \"width\" is missing; it must be a whole number from 1 to 100");
    assert_int_equal(record.width, 50);
    assert_int_equal(problems.count, 1); /* the unit is inside an unknown key */
    refused(THING(UNIT("a--b", "A")), 0, "$.units[0].id",
            "may contain only lower-case letters, digits and single hyphens, found \"a--b\"");
    refused(THING(UNIT("a", "AB")), 0, "$.units[0].letter",
            "must be a string of 1 to 1 bytes without control characters, found \"AB\"");
    refused(THING(""), 0, "$.units", "must have 1 to 4 units, found 0");
    refused(THING("{\"id\":\"a\",\"letter\":\"A\",\"x\":4,\"kind\":\"foot\"}"), 0, "$.units[0].x",
            "must be a whole number from -1 to 3, found 4");
    refused(THING("{\"id\":\"a\",\"letter\":\"A\",\"x\":0,\"kind\":\"horse\"}"), 0, "$.units[0]",
            "no horse there");
    refused(THING("{\"id\":\"a\",\"letter\":\"A\",\"x\":0,\"kind\":\"ship\"}"), 0,
            "$.units[0].kind", "found \"ship\", must be one of foot, horse");
    refused(THING("{\"id\":\"a\",\"letter\":\"A\",\"x\":0,\"kind\":\"foot\",\"gun\":{}}"), 0,
            "$.units[0].gun", "key \"damage\" is missing; it must be a whole number from 1 to 500");
    refused("{\"width\":4,\"name\":\"\",\"cells\":\"\",\"units\":[" UNIT("a", "A") "],\"age\":1}",
            0, "$.age", "unknown key \"age\"; allowed are width, bonus, name, cells, units, team");
}

/* No two rows have the same id. */
static void rows_are_kept_and_compared(void **unused) {
    (void)unused;
    refused(THING(UNIT("a", "A") "," UNIT("b", "B") "," UNIT("a", "C")), 0, "$.units[2].id",
            "duplicate id \"a\", already used by $.units[0]");
    assert_int_equal(record.units_count, 3); /* all are kept, so that others may refer to them */
    refused(THING(UNIT("a", "A") "," UNIT("\\u0061", "B")), 0, "$.units[1].id",
            "duplicate id \"\\u0061\", already used by $.units[0]");
    refused(THING("7," UNIT("b", "B")), 0, "$.units[0]", "must be an object, found 7");
    assert_int_equal(record.units_count, 2);
    assert_string_equal(record.units[1].id, "b");
#define LIVES(id, lives)                                                                           \
    "{\"id\":\"" id "\",\"letter\":\"" id "\",\"x\":1,\"kind\":\"foot\",\"lives\":" lives "}"
    refused(THING(LIVES("a", "2") "," LIVES("b", "3") "," LIVES("c", "2")), 0, "$.units[2].lives",
            "duplicate lives 2, already used by $.units[0]");
    refused(THING(UNIT("a", "A") ",{\"id\":\"a\",\"letter\":\"B\",\"x\":1,\"kind\":7}"), 1,
            "$.units[1].id", "duplicate id \"a\", already used by $.units[0]");
    assert_int_equal(problems.count, 2); /* of the same row: its kind is wrong too */
    refused(THING(UNIT("a", "A") "," UNIT("b", "B") "," UNIT("c", "C") "," UNIT("d", "D") "," UNIT(
                "e", "E")),
            0, "$.units", "must have 1 to 4 units, found 5");
    assert_int_equal(record.units_count, UNITS_MAX);
}

/* A list of values: words that follow from what was read before. */
static void lists_are_read(void **unused) {
    (void)unused;
#define WITH_TEAM(units, team)                                                                     \
    "{\"width\":4,\"name\":\"\",\"cells\":\"\",\"units\":[" units "],\"team\":" team "}"
#define RIDER "{\"id\":\"r\",\"letter\":\"R\",\"x\":1,\"kind\":\"horse\"}"
    assert_true(read_document(
        WITH_TEAM(RIDER "," UNIT("b", "B") "," UNIT("c", "C"), "[\"c\",\"b\"]"), false));
    assert_int_equal(record.team_count, 2);
    assert_int_equal(record.team[0], 2);
    assert_int_equal(record.team[1], 1);
    refused(WITH_TEAM(RIDER "," UNIT("b", "B"), "[\"b\",\"r\"]"), 0, "$.team[1]",
            "found \"r\", must be one of b");
    refused(WITH_TEAM(UNIT("b", "B"), "[\"b\",\"b\",\"b\",\"b\"]"), 0, "$.team",
            "must have 0 to 3 team, found 4");
    assert_int_equal(record.team_count, 3); /* of too many the first are read, and no more */
    refused(WITH_TEAM(UNIT("b", "B"), "{}"), 0, "$.team", "must be an array, found an object");
    refused(WITH_TEAM("", "[\"x\"]"), 0, "$.units", "must have 1 to 4 units, found 0");
    assert_int_equal(problems.count, 1); /* no id is known: no problem about the team */
}

/* Formats of lines, and which fields are present. */
static void formats_and_presence(void **unused) {
    (void)unused;
    static const Field list[] = {
        FIELD(LINE, "name", TestRecord, name, .format = &field_name, .optional = true,
              .meaning = "."),
        FIELD(INT, "bonus", TestRecord, bonus, .max = 5, .optional = true, .meaning = "."),
    };
    static const Fields fields = {.id = "it", .meaning = "It.", FIELDS_OF(list)};
    static const struct {
        const char *text;
        bool fine;
        uint32_t present;
    } rows[] = {{"{\"name\":\"a-1-\"}", true, 1}, {"{\"name\":\"1a\"}", false, 1},
                {"{\"name\":\"A\"}", false, 1},   {"{\"name\":\"aB\"}", false, 1},
                {"{\"bonus\":3}", true, 2},       {"{\"bonus\":3,\"name\":\"z\"}", true, 3}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        JsonNode nodes[8];
        Json json;
        uint32_t present = 0;
        problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
        assert_true(json_read(&json, "a.json", rows[i].text, (uint32_t)strlen(rows[i].text), nodes,
                              8, &problems));
        FieldsReader reader = {.json = &json, .problems = &problems, .record = &record};
        assert_int_equal(fields_read(&reader, &fields, 0, &record, &present), rows[i].fine);
        assert_int_equal(present, rows[i].present);
    }
}

static void other_keys_may_be_allowed(void **unused) {
    (void)unused;
    assert_true(read_document(
        "{\"width\":4,\"name\":\"\",\"cells\":\"\",\"units\":[" UNIT("a", "A") "],\"age\":1}",
        true));
}

static void what_is_written_is_what_was_read(void **unused) {
    (void)unused;
    static const Field list[] = {
        FIELD(INT, "bonus", TestRecord, bonus, .min = -5, .max = 5, .meaning = "More."),
        FIELD(INT, "width", TestRecord, width, .min = 1, .max = 100, .optional = true,
              .meaning = "."),
        FIELD(LINE, "name", TestRecord, name, .meaning = "For people."),
        FIELD(CUSTOM, "cells", TestRecord, cells, .custom = &cells, .meaning = "All."),
        FIELD(ENUM, "kind", TestRecord, units[0].kind, .words = kinds, .meaning = "What."),
        FIELD(BOOL, "flies", TestRecord, units[0].flies, .meaning = "Whether."),
        FIELD(INT, "x", TestRecord, units[0].x, .min = -1, .max = 99, .meaning = "Column."),
        FIELD(INT, "damage", TestRecord, units[0].gun.damage, .max = 65535, .meaning = "."),
        FIELD(INT, "less", TestRecord, units[1].gun.damage, .min = -9, .max = 500, .meaning = "."),
    };
    static const Fields fields = {.id = "it", .meaning = "It.", FIELDS_OF(list)};
    TestRecord written = {.width = 0, .bonus = -3, .name = "Zoe", .cells = 2};
    char memory[ROOM];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    written.units[0].kind = 1;
    written.units[0].x = -1;
    written.units[0].gun.damage = 65000;
    written.units[1].gun.damage = (uint16_t)-7;
    assert_true(fields_fit(&fields, &written, 0));
    assert_false(fields_fit(&fields, &written, 2)); /* width is 0 */
    json_open(&writer, '{');
    fields_write(&writer, &fields, &written, 0);
    json_close(&writer, '}');
    assert_string_equal(memory,
                        "{\"bonus\":-3,\"name\":\"Zoe\",\"cells\":\"..\",\"kind\":\"horse\","
                        "\"flies\":false,\"x\":-1,\"damage\":65000,\"less\":-7}");
    written.units[0].kind = 2;
    assert_false(fields_fit(&fields, &written, 0));
    written.units[0].kind = 0;
    written.bonus = 6;
    assert_false(fields_fit(&fields, &written, 0));
}

static void schemas_and_tables_are_printed(void **unused) {
    (void)unused;
    char memory[ROOM];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '{');
    fields_write_schema(&writer, &gun_rows, "gun", false);
    json_close(&writer, '}');
    assert_string_equal(
        memory,
        "{\"type\":\"object\",\"properties\":{\"type\":{\"const\":\"gun\"},"
        "\"damage\":{\"title\":\"Damage\",\"description\":\"Health.\",\"type\":\"integer\","
        "\"minimum\":1,\"maximum\":"
        "500},"
        "\"range\":{\"description\":\"Cells.\",\"type\":\"integer\",\"minimum\":0,\"maximum\":9}},"
        "\"required\":[\"type\",\"damage\"],\"additionalProperties\":false}");
    static const Fields arrays = {
        .id = "it", .meaning = "It.", .list = record_fields + 4, .count = 2, .open = true};
    text_clear(&text);
    writer = json_writer(&text, 0);
    json_open(&writer, '{');
    fields_write_schema(&writer, &arrays, NULL, true);
    json_close(&writer, '}');
    assert_non_null(strstr(memory,
                           "\"units\":{\"description\":\"Who is there.\",\"type\":\"array\","
                           "\"minItems\":1,\"maxItems\":4,\"items\":{\"type\":\"object\","));
    assert_non_null(strstr(memory,
                           "\"team\":{\"description\":\"Ids.\",\"type\":\"array\","
                           "\"minItems\":0,\"maxItems\":3,\"items\":{\"type\":\"string\","));
    text_clear(&text);
    fields_print_table(&document, &text);
    assert_string_equal(memory, "\n| key | value | meaning |\n|---|---|---|\n"
                                "| **width** | 1 to 100 | Cells. |\n"
                                "| bonus | -5 to 5 | More. |\n"
                                "| **name** | string, 0 to 5 bytes | For people. |\n"
                                "| **cells** | cells | All. |\n"
                                "| **units** | array of 1 to 4: unit | Who is there. |\n"
                                "| team | array of 0 to 3: id | Ids. |\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_read),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(rows_are_kept_and_compared),
        cmocka_unit_test(lists_are_read),
        cmocka_unit_test(formats_and_presence),
        cmocka_unit_test(other_keys_may_be_allowed),
        cmocka_unit_test(what_is_written_is_what_was_read),
        cmocka_unit_test(schemas_and_tables_are_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
