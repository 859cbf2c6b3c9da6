/* test_load.c -- the shipped content of battleground, and the problems reported for bad content. */
#include <stdio.h>

#include "games/battleground/test_scene.h"

/* --- Shipped content -------------------------------------------------------------------------- */

static MashLimits limits_of_preset(const char *preset, uint32_t *cells) {
    MashContent *loaded = support_content(&battleground_game, preset);
    MashLimits limits = loaded->limits;
    *cells = battleground_content(loaded)->cells;
    assert_ptr_equal(loaded->game, &battleground_game);
    support_free(loaded);
    return limits;
}

/* [1.3] */
static void presets_have_their_sizes(void **unused) {
    (void)unused;
    static const struct {
        const char *preset;
        uint32_t width, height, cells;
    } rows[] = {
        {NULL, 10, 8, 80}, {"small", 8, 8, 64}, {"ruins", 12, 10, 108}, {"original", 82, 64, 3855}};
    for (int i = 0; i < 4; i++) {
        uint32_t cells;
        MashLimits limits = limits_of_preset(rows[i].preset, &cells);
        assert_int_equal(limits.width, rows[i].width);
        assert_int_equal(limits.height, rows[i].height);
        assert_int_equal(cells, rows[i].cells);
        assert_int_equal(limits.units, 10);
        assert_true(limits.state_bytes <= 256 && limits.core_bytes < limits.state_bytes);
    }
}

static void ruins_are_the_same_from_all_sides(void **unused) {
    (void)unused;
    MashContent *loaded = support_content(&battleground_game, "ruins");
    const BattlegroundContent *content = battleground_content(loaded);
    for (int x = 0; x < 12; x++)
        for (int y = 0; y < 10; y++) {
            bool open = reach_is_open(content->open, x, y);
            assert_int_equal(open, reach_is_open(content->open, 11 - x, y));
            assert_int_equal(open, reach_is_open(content->open, x, 9 - y));
        }
    support_free(loaded);
}

/* Skipped where the original's map is not available. */
static void the_original_field_is_the_original_field(void **unused) {
    (void)unused;
    FILE *file = fopen("../shared/rules/battleground-original-field.txt", "r");
    if (file == NULL)
        skip();
    MashContent *loaded = support_content(&battleground_game, "original");
    for (int y = 0; y < 64; y++) {
        char row[128];
        assert_non_null(fgets(row, sizeof row, file));
        for (int x = 0; x < 82; x++)
            assert_int_equal(row[x] == '.',
                             reach_is_open(battleground_content(loaded)->open, x, y));
    }
    fclose(file);
    support_free(loaded);
}

/* On the default field: 5 warriors on 80 cells, 50 ways to use potions, 1 end; 2 * 5 * (8 + 5)
 * points of health are 131 times 40 turns of 14 actions, and 20 choices, 3 summons, 10 potions. */
static void bounds_are_as_worked_out(void **unused) {
    (void)unused;
    uint32_t cells;
    MashLimits limits = limits_of_preset(NULL, &cells);
    assert_int_equal(limits.actions_max, 5 * 80 + 50 + 1);
    assert_int_equal(limits.length_max, 131 * 40 * 14 + 33);
    assert_int_equal(limits_of_preset("original", &cells).actions_max, 5 * 3855 + 1);
}

/* --- Refused content -------------------------------------------------------------------------- */

/* The problems that loading found. */
typedef struct Verdict {
    MashProblem list[32];
    uint32_t count;
} Verdict;

/* The default's documents, one replaced (bytes NULL: omitted); a name with + is added to them. */
static Verdict verdict_on(const char *name, const char *bytes) {
    Verdict verdict = {.count = 0};
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(&battleground_game, NULL, list);
    MashDocument document = {name, bytes == NULL ? "" : bytes,
                             bytes == NULL ? 0 : (uint32_t)strlen(bytes)};
    if (name[0] == '+')
        list[count++] = document;
    else
        assert_true(mash_documents_replace(list, &count, document));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (list[i].count > 0)
            list[kept++] = list[i];
    MashProblems problems = {verdict.list, 0, 32};
    void *scratch = aligned_alloc(16, MASH_SCRATCH_BYTES);
    MashContent *loaded = aligned_alloc(16, (battleground_game.content_bytes_max + 15) / 16 * 16);
    assert_true(scratch != NULL && loaded != NULL);
    MashDocuments documents = {list, kept, scratch, MASH_SCRATCH_BYTES};
    bool fine = battleground_game.load(&documents, loaded, &problems);
    assert_int_equal(fine, problems.count == 0);
    free(scratch);
    free(loaded);
    verdict.count = problems.count;
    return verdict;
}

/* Some problem has this path and contains this in its reason. */
static void says(const Verdict *verdict, const char *path, const char *reason) {
    for (uint32_t i = 0; i < verdict->count && i < 32; i++)
        if (strcmp(verdict->list[i].path, path) == 0 &&
            strstr(verdict->list[i].reason, reason) != NULL)
            return;
    for (uint32_t i = 0; i < verdict->count && i < 32; i++)
        print_error("%s: %s\n", verdict->list[i].path, verdict->list[i].reason);
    fail_msg("nothing said of %s: %s", path, reason);
}

/* The shipped document of this name with the first `old` in it replaced by `new`. */
static Verdict verdict_on_change(const char *name, const char *old, const char *new) {
    static char memory[32768];
    MashDocument document = mash_document_shipped(&battleground_game, name);
    MashText text = text_over(memory, sizeof memory);
    assert_true(document.count > 0 && document.count < sizeof memory);
    text_bytes(&text, document.bytes, document.count);
    char *place = strstr(memory, old);
    assert_non_null(place);
    text_clear(&text);
    text_bytes(&text, document.bytes, (uint32_t)(place - memory));
    text_string(&text, new);
    text_string(&text, document.bytes + (place - memory) + strlen(old));
    assert_false(text.truncated);
    return verdict_on(name, memory);
}

static const char warriors[] = "battleground.warriors.json";

static void figures_out_of_range_are_named(void **unused) {
    (void)unused;
    static const struct {
        const char *old, *new, *path, *reason;
    } rows[] = {
        {"\"health\": 8", "\"health\": 0", "$.warriors[0].health", "1 to 99"},
        {"\"health\": 8", "\"health\": \"8\"", "$.warriors[0].health", "1 to 99"},
        {"\"walk\": 5", "\"walk\": 32", "$.warriors[2].walk", "0 to 31"},
        {"\"attack\": 3", "\"attack\": 100", "$.warriors[0].attack", "0 to 99"},
        {"\"attack\": 3", "\"speed\": 3", "$.warriors[0]", "\"attack\" is missing"},
        {"\"attack\": 3", "\"attack\": 3, \"speed\": 3", "$.warriors[0].speed", "allowed are"},
        {"\"id\": \"knight\"", "\"id\": \"Knight\"", "$.warriors[1].id", "a-z, 0-9 and -"},
        {"\"id\": \"knight\"", "\"id\": \"gladiator\"", "$.warriors[1].id", "duplicate"},
        {"\"short\": \"kni\"", "\"short\": \"gla\"", "$.warriors[1].short", "duplicate"},
        {"\"short\": \"kni\"", "\"short\": \"knig\"", "$.warriors[1].short", "3"},
        {"\"id\": \"heal\"", "\"id\": \"aging\"", "$.potions[4].id", "duplicate"},
        {"\"optional\": true", "\"optional\": 1", "$.warriors[6].optional", "true or false"},
        {"\"stat\": \"health\"", "\"stat\": \"luck\"", "$.potions[0].stat", "health, attack, walk"},
        {"\"amount\": 5, \"turns\": 0", "\"amount\": 5, \"turns\": 1", "$.potions[0].turns", "0"},
        {"\"amount\": 2, \"turns\": 3", "\"amount\": 2, \"turns\": 0", "$.potions[1].turns",
         "1 to 99"},
        {"\"amount\": 5", "\"amount\": -5", "$.potions[0].amount", "1 to 99"},
        {"\"amount\": 2", "\"amount\": 0", "$.potions[1].amount", "must not be 0"},
        {"\"amount\": 2", "\"amount\": 10", "$.potions[1].amount", "-9 to 9"},
        {"\"warriors\": 5", "\"warriors\": 6", "$.team.warriors", "1 to 5"},
        {"\"potions\": 5", "\"potions\": -1", "$.team.potions", "0 to 5"},
        {"\"quiet_turns\": 40", "\"quiet_turns\": 1", "$.quiet_turns", "2 to 200"},
        {"\"ninja\", \"pumpkin\"", "\"ninja\"", "$.usual.warriors", "exactly 5 entries"},
        {"\"ninja\", \"pumpkin\"", "\"ninja\", \"dino\"", "$.usual.warriors[3]", "must be one of"},
        {"\"heal\", \"strength\"", "\"heal\"", "$.usual.potions", "exactly 5 entries"},
        {"\"heal\", \"strength\"", "\"heal\", \"poison\"", "$.usual.potions[1]", "runner, aging"},
        {"\"walk\": 5", "\"walk\": 12", "$", "could move 32 cells; the maximum is 31"},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Verdict verdict = verdict_on_change(warriors, rows[i].old, rows[i].new);
        says(&verdict, rows[i].path, rows[i].reason);
        assert_string_equal(verdict.list[0].document, warriors);
    }
}

static void all_problems_are_reported_and_no_echoes(void **unused) {
    (void)unused;
    Verdict verdict =
        verdict_on_change(warriors, "\"id\": \"knight\", \"short\": \"kni\", \"health\": 5",
                          "\"id\": \"kn ight\", \"short\": \"kni\", \"health\": 500");
    says(&verdict, "$.warriors[1].id", "a-z");
    says(&verdict, "$.warriors[1].health", "1 to 99");
    says(&verdict, "$.usual.warriors[1]", "\"knight\"");
    assert_int_equal(verdict.count, 3); /* no problem about texts for a misspelt id */
    verdict = verdict_on_change(warriors, "\"warriors\": 5", "\"warriors\": 9");
    assert_int_equal(verdict.count, 1);
    verdict = verdict_on(warriors, "{\"warriors\": [], \"potions\": [3], \"quiet_turns\": 40}");
    says(&verdict, "$", "\"team\" is missing");
    says(&verdict, "$", "\"usual\" is missing");
    says(&verdict, "$.warriors", "have 1 to 16 warriors, found 0");
    says(&verdict, "$.potions[0]", "must be an object");
    assert_int_equal(verdict.count, 4);
}

static void somebody_must_be_there_without_options(void **unused) {
    (void)unused;
    Verdict verdict = verdict_on(
        warriors,
        "{\"team\": {\"warriors\": 1, \"potions\": 0}, \"quiet_turns\": 40,"
        "\"warriors\": [{\"id\": \"dino\", \"short\": \"d\", \"health\": 1, \"walk\": 1, "
        "\"attack\": 1, "
        "\"optional\": true}],"
        "\"potions\": [{\"id\": \"heal\", \"stat\": \"health\", \"amount\": 5, \"turns\": 0}],"
        "\"usual\": {\"warriors\": [\"dino\"], \"potions\": []}}");
    says(&verdict, "$.warriors", "must not be optional");
}

static void bad_fields_are_named(void **unused) {
    (void)unused;
    static const struct {
        const char *bytes, *path, *reason;
    } rows[] = {
        {"{}", "$", "\"rows\" is missing"},
        {"[]", "$", "must be an object"},
        {"{\"rows\": []}", "$.rows", "have 1 to 100 rows, found 0"},
        {"{\"rows\": [\"..........\"], \"name\": \"x\"}", "$.name", "unknown key"},
        {"{\"rows\": [\"........\", \".......\"]}", "$.rows[1]",
         "8 cells like the first row; found 7"},
        {"{\"rows\": [\"........\", \"...x....\"]}", "$.rows[1]", "cell 3 must be . (open) or #"},
        {"{\"rows\": [\"........\", 7]}", "$.rows[1]", "string"},
        {"{\"rows\": [\"....#\", \"....#\"]}", "$.rows", "at least 10 open cells, found 8"},
        {"{\"rows\": [\"..........\"], \"must_summon\": 1}", "$.must_summon", "true or false"},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Verdict verdict = verdict_on("bad.field.json", rows[i].bytes);
        says(&verdict, rows[i].path, rows[i].reason);
        assert_int_equal(verdict.count, 1);
        assert_string_equal(verdict.list[0].document, "bad.field.json");
    }
    char row[160] = "{\"rows\": [\"";
    memset(row + strlen(row), '.', 101);
    strcat(row, "\"]}");
    Verdict verdict = verdict_on("bad.field.json", row);
    says(&verdict, "$.rows[0]", "100");
}

static void documents_must_be_there_once_and_known(void **unused) {
    (void)unused;
    Verdict verdict = verdict_on("open.field.json", NULL);
    says(&verdict, "", "missing a file that ends in .field.json");
    verdict = verdict_on(warriors, NULL);
    says(&verdict, "", "missing a file that ends in .warriors.json");
    verdict = verdict_on("english.texts.json", NULL);
    says(&verdict, "", "missing a file that ends in .texts.json");
    verdict = verdict_on("notes.txt", "x");
    says(&verdict, "", "must end in .warriors.json, .field.json or .texts.json");
    verdict = verdict_on("+more.field.json", "{}"); /* beside the other one */
    says(&verdict, "", "only one file may end in .field.json");
    verdict = verdict_on_change("english.texts.json", "\"moved\"", "\"walked\"");
    says(&verdict, "$.events", "\"moved\" is missing");
    verdict = verdict_on_change("english.texts.json", "\"ninja\":", "\"ninjas\":");
    says(&verdict, "$.names.kind", "\"ninja\" is missing");
}

/* Rules and their numbers make the hash; texts do not. */
static void the_hash_is_of_what_bears_on_the_rules(void **unused) {
    (void)unused;
    static const char bytes[] = "{\"rows\": [\"......\", \".....#\"]}";
    MashDocument texts = mash_document_shipped(&battleground_game, "english.texts.json");
    MashDocument field = {"x.field.json", bytes, sizeof bytes - 1};
    static char memory[16384];
    assert_true(texts.count < sizeof memory);
    memcpy(memory, texts.bytes, texts.count);
    memcpy(strstr(memory, "moves from"), "walks from", 10);
    texts.bytes = memory;
    MashContent *usual = support_content(&battleground_game, NULL);
    MashContent *worded = support_content_with(&battleground_game, NULL, texts);
    MashContent *other = support_content_with(&battleground_game, NULL, field);
    assert_true(usual->hash == worded->hash);
    assert_true(usual->hash != other->hash);
    support_free(usual);
    support_free(worded);
    support_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_have_their_sizes),
        cmocka_unit_test(ruins_are_the_same_from_all_sides),
        cmocka_unit_test(the_original_field_is_the_original_field),
        cmocka_unit_test(bounds_are_as_worked_out),
        cmocka_unit_test(figures_out_of_range_are_named),
        cmocka_unit_test(all_problems_are_reported_and_no_echoes),
        cmocka_unit_test(somebody_must_be_there_without_options),
        cmocka_unit_test(bad_fields_are_named),
        cmocka_unit_test(documents_must_be_there_once_and_known),
        cmocka_unit_test(the_hash_is_of_what_bears_on_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
