/* test_load.c -- reading the committee's formats: the samples of the starter kit as its description
 * has them, every limit, and the reported problems. By rule number. */
#include "games/marvelous-mashup/test_scene.h"
#include "tests/support/golden.h"

static const MashGame *const game = &marvelous_mashup_game;

enum { PROBLEMS = 64 };

/* A load in a test: its problems. */
typedef struct LoadAttempt {
    MashProblem list[PROBLEMS];
    uint32_t count;
    bool loaded;
    MashLimits limits;
} LoadAttempt;

/* The default documents with this one in its place. */
static LoadAttempt try_with(MashDocument document) {
    LoadAttempt try;
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(game, "starter-kit", list);
    assert_true(mash_documents_replace(list, &count, document));
    MashProblems problems = {.list = try.list, .max = PROBLEMS};
    void *scratch = aligned_alloc(64, MASH_SCRATCH_BYTES);
    MashContent *loaded = aligned_alloc(64, (game->content_bytes_max + 63) / 64 * 64);
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    try.loaded = game->load(&documents, loaded, &problems);
    try.count = problems.count;
    try.limits = loaded->limits;
    assert_int_equal(try.loaded, try.count == 0);
    free(scratch);
    free(loaded);
    return try;
}

/* A shipped document with the first `from` replaced. */
static LoadAttempt try_changed(const char *name, const char *from, const char *to) {
    static char memory[400000];
    char *shipped = support_one_line(game, name);
    const char *found = strstr(shipped, from);
    if (found == NULL)
        fail_msg("%s has no %s", name, from);
    MashText text = text_over(memory, sizeof memory);
    text_bytes(&text, shipped, (uint32_t)(found - shipped));
    text_string(&text, to);
    text_string(&text, found + strlen(from));
    free(shipped);
    assert_false(text.truncated);
    return try_with((MashDocument){name, memory, text.count});
}

static LoadAttempt try_text(const char *name, const char *text) {
    return try_with((MashDocument){name, text, (uint32_t)strlen(text)});
}

/* Exactly this problem was reported. */
static void only(const LoadAttempt *try, const char *document, const char *path,
                 const char *reason) {
    if (try->count != 1 || strcmp(try->list[0].document, document) != 0 ||
        strcmp(try->list[0].path, path) != 0 || strcmp(try->list[0].reason, reason) != 0)
        fail_msg("%u problems, the first: %s: %s: %s", try->count, try->list[0].document,
                 try->list[0].path, try->list[0].reason);
}

static const char *const heroes = "starter-kit.character.json";
static const char *const match = "standard.game.json";
static const char *const board = "asgard.scenario.json";

/* --- 13.1 Characters -------------------------------------------------------------------------- */

/* [13.1] The committee's bad samples: an id twice, no ids at all, a number with a point. */
static void bad_characters(void **unused) {
    (void)unused;
    LoadAttempt try = try_changed(heroes, "\"characterID\": 5,", "\"characterID\": 3,");
    only(&try, heroes, "$.characters[4].characterID",
         "duplicate characterID 3, already used by $.characters[2]");
    try = try_changed(heroes, "\"characterID\": 1, ", "");
    only(&try, heroes, "$.characters[0]",
         "key \"characterID\" is missing; it must be a whole number from 1 to 9999");
    try = try_changed(heroes, "\"HP\": 100", "\"HP\": 100.5");
    only(&try, heroes, "$.characters[0].HP", "must be a whole number from 1 to 2000, found 100.5");
    try = try_changed(heroes, "\"Hulk\"", "\"Thor\"");
    only(&try, heroes, "$.characters[10].name",
         "duplicate name \"Thor\", already used by $.characters[2]");
    try = try_changed(heroes, "\"rangeCombatReach\": 5", "\"rangeCombatReach\": 1");
    only(&try, heroes, "$.characters[0].rangeCombatReach",
         "must be a whole number from 2 to 500, found 1");
    try = try_changed(heroes, "\"characters\"", "\"heroes\"");
    assert_int_equal(try.count, 2);
    assert_string_equal(try.list[0].reason, "unknown key \"heroes\"; allowed are characters");
}

/* [13.1] Generated characters: how many, and what each has. */
static LoadAttempt try_characters(int count, const char *more) {
    static char memory[100000];
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, "{\"characters\":[");
    for (int i = 1; i <= count; i++)
        text_format(&text,
                    "%s{\"characterID\":%d,\"name\":\"Hero %d\",\"HP\":1,\"MP\":0,\"AP\":0,"
                    "\"meleeDamage\":0,\"rangeCombatDamage\":0,\"rangeCombatReach\":2%s}",
                    i == 1 ? "" : ",", i, i, i == 1 ? more : "");
    text_string(&text, "]}");
    assert_false(text.truncated);
    return try_with((MashDocument){"many.character.json", memory, text.count});
}

static void how_many_characters(void **unused) {
    (void)unused;
    assert_true(try_characters(24, "").loaded);
    assert_true(try_characters(200, "").loaded);
    LoadAttempt try = try_characters(23, "");
    only(&try, "many.character.json", "$.characters", "must have 24 to 200 characters, found 23");
    try = try_characters(201, "");
    only(&try, "many.character.json", "$.characters", "must have 24 to 200 characters, found 201");
}

/* [13.1] `avatar` and further keys. */
static void further_keys_of_characters(void **unused) {
    (void)unused;
    assert_true(try_characters(24, ",\"avatar\":\"hero.png\",\"motto\":[1]").loaded);
    assert_true(try_characters(24, ",\"avatar\":\"\"").loaded);
    assert_false(try_characters(24, ",\"avatar\":7").loaded);
    assert_false(try_characters(24, ",\"HP\":7").loaded); /* a key twice */
}

/* [13.1] Names need not be the heroes' nor ASCII: codes and ids are still unique. */
static void any_names(void **unused) {
    (void)unused;
    static char memory[100000];
    static const char *const names[24] = {"Gisela Grün",
                                          "Günter Grün",
                                          "Ö",
                                          "雷神の子",
                                          "!",
                                          "?",
                                          "Goose",
                                          "Space",
                                          "A B C D E",
                                          "Anna",
                                          "ANNA",
                                          "anna",
                                          "Time Out",
                                          "Soul",
                                          "9Z 0a@z[`{",
                                          "Hero 10",
                                          "Hero 11",
                                          "Hero 1",
                                          "h-1",
                                          "Captain Marie",
                                          "Captain Ma",
                                          "c.m.",
                                          "Power Ranger",
                                          "Stan Laurel"};
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, "{\"characters\":[");
    for (int i = 0; i < 24; i++)
        text_format(&text,
                    "%s{\"characterID\":%d,\"name\":\"%s\",\"HP\":1,\"MP\":0,\"AP\":0,"
                    "\"meleeDamage\":0,\"rangeCombatDamage\":0,\"rangeCombatReach\":2}",
                    i == 0 ? "" : ",", 240 - i, names[i]);
    text_string(&text, "]}");
    MashDocument document = {"names.character.json", memory, text.count};
    MashContent *loaded = support_content_with(game, "starter-kit", document);
    const MarvelousContent *content = marvelous_content(loaded);
    assert_int_equal(content->kinds[0].number, 217); /* sorted by characterID */
    assert_string_equal(content->words[23].name, "Gisela Grün");
    assert_string_equal(content->words[20].code, "雷神の子");
    assert_string_equal(content->words[0].code, "slau");
    assert_string_equal(game->id_of(loaded, MASH_NAME_KIND, 0), "stan-laurel");
    assert_string_equal(game->id_of(loaded, MASH_NAME_KIND, 23), "gisela-gr-n");
    assert_string_equal(game->id_of(loaded, MASH_NAME_KIND, 18), "character");
    assert_string_equal(game->id_of(loaded, MASH_NAME_KIND, 20), "character-237");
    assert_string_equal(game->id_of(loaded, MASH_NAME_KIND, 13), "anna-230");
    assert_string_equal(game->id_of(loaded, MASH_NAME_KIND, 17), "goose-234");
    assert_string_equal(game->id_of(loaded, MASH_NAME_KIND, KIND_GOOSE), "goose");
    MashText all = text_over(support_memory(1 << 12), 1 << 12);
    for (uint8_t i = 0; i < 24; i++)
        text_format(&all, "%s: %s, %s\n", content->words[i].name, content->words[i].code,
                    game->id_of(loaded, MASH_NAME_KIND, i));
    golden_compare("tests/golden/marvelous-names.txt", &all);
    support_free(all.bytes);
    for (int i = 0; i < 24; i++) {
        assert_true(content->words[i].code[0] != '\0');
        for (int j = 0; j < i; j++)
            assert_string_not_equal(content->words[i].code, content->words[j].code);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(content->words[i].id, content->words[j].id);
    }
    support_free(loaded);
}

/* --- 13.2 The match --------------------------------------------------------------------------- */

/* [13.2] The committee's samples: a negative cooldown, one key missing; without maxGameTime it is
 * valid. */
static void bad_matches(void **unused) {
    (void)unused;
    LoadAttempt try = try_changed(match, "\"spaceStoneCD\": 2", "\"spaceStoneCD\": -2");
    only(&try, match, "$.spaceStoneCD", "must be a whole number from 0 to 50, found -2");
    try = try_changed(match, "\"mindStoneCD\": 1, ", "");
    only(&try, match, "$",
         "key \"mindStoneCD\" is missing; it must be a whole number from 0 to 50");
    try = try_changed(match, "\"maxGameTime\": 1800, ", "");
    assert_true(try.loaded);
    assert_int_equal(try.limits.match_ms, 0);
    try = try_changed(match, "\"maxRounds\"", "\"maxRound\"");
    assert_int_equal(try.count, 2);
    try = try_changed(match, "\"timeStoneCD\": 5", "\"timeStoneCD\": 0");
    only(&try, match, "$.timeStoneCD", "must be a whole number from 1 to 50, found 0");
}

/* [13.1], [13.2] The limits of the schemas are those of the loader, from both sides. */
typedef struct SchemaLimit {
    const char *document, *found; /* where a shipped document has the value */
    const char *schema, *key;
} SchemaLimit;

/* The number after "minimum" or "maximum" of a property in a schema. */
static int schema_limit(const char *schema, const char *key, const char *which) {
    static char memory[20000];
    char path[100], quoted[40];
    MashText text = text_over(path, sizeof path);
    text_format(&text, "games/marvelous-mashup/content/%s", schema);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("cannot read %s", path);
    memory[fread(memory, 1, sizeof memory - 1, file)] = '\0';
    fclose(file);
    text = text_over(quoted, sizeof quoted);
    text_format(&text, "\"%s\": {", key);
    const char *property = strstr(memory, quoted);
    if (property == NULL)
        fail_msg("%s knows no %s", schema, key);
    const char *limit = strstr(property, which);
    assert_non_null(limit);
    return (int)strtol(strchr(limit, ':') + 1, NULL, 10);
}

static void check_limit(const SchemaLimit *limit) {
    int least = schema_limit(limit->schema, limit->key, "minimum");
    int most = schema_limit(limit->schema, limit->key, "maximum");
    bool number = strcmp(limit->key, "characterID") == 0; /* the least is somebody else's */
    const int values[4] = {number ? 24 : least, most, least - 1, most + 1};
    for (int i = 0; i < 4; i++) {
        char memory[64];
        MashText text = text_over(memory, sizeof memory);
        text_format(&text, "\"%s\": %d", limit->key, values[i]);
        LoadAttempt try = try_changed(limit->document, limit->found, memory);
        if (try.count != (i < 2 ? 0 : 1))
            fail_msg("%s: %u problems", memory, try.count);
    }
}

static void limits(void **unused) {
    (void)unused;
    const char *const match_schema = "game.schema.json";
    const char *const schema = "character.schema.json";
    const SchemaLimit rows[] = {
        {match, "\"maxRounds\": 30", match_schema, "maxRounds"},
        {match, "\"maxRoundTime\": 300", match_schema, "maxRoundTime"},
        {match, "\"maxGameTime\": 1800", match_schema, "maxGameTime"},
        {match, "\"maxAnimationTime\": 5", match_schema, "maxAnimationTime"},
        {match, "\"spaceStoneCD\": 2", match_schema, "spaceStoneCD"},
        {match, "\"mindStoneCD\": 1", match_schema, "mindStoneCD"},
        {match, "\"realityStoneCD\": 3", match_schema, "realityStoneCD"},
        {match, "\"powerStoneCD\": 1", match_schema, "powerStoneCD"},
        {match, "\"timeStoneCD\": 5", match_schema, "timeStoneCD"},
        {match, "\"soulStoneCD\": 5", match_schema, "soulStoneCD"},
        {match, "\"mindStoneDMG\": 12", match_schema, "mindStoneDMG"},
        {match, "\"maxPauseTime\": 60", match_schema, "maxPauseTime"},
        {match, "\"maxResponseTime\": 20", match_schema, "maxResponseTime"},
        {heroes, "\"characterID\": 24", schema, "characterID"},
        {heroes, "\"HP\": 100", schema, "HP"},
        {heroes, "\"MP\": 2", schema, "MP"},
        {heroes, "\"AP\": 2", schema, "AP"},
        {heroes, "\"meleeDamage\": 10", schema, "meleeDamage"},
        {heroes, "\"rangeCombatDamage\": 30", schema, "rangeCombatDamage"},
        {heroes, "\"rangeCombatReach\": 5", schema, "rangeCombatReach"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_limit(&rows[i]);
}

/* --- 13.3 The scenario ------------------------------------------------------------------------ */

/* A scenario of rows of . # O, as JSON. */
static LoadAttempt try_rows(const char *const *rows, int height) {
    static char memory[400000];
    static const char *const words[] = {"\"GRASS\"", "\"ROCK\"", "\"PORTAL\""};
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, "{\"scenario\":[");
    for (int y = 0; y < height; y++) {
        text_string(&text, y == 0 ? "[" : ",[");
        for (const char *field = rows[y]; *field != '\0'; field++)
            text_format(&text, "%s%s", field == rows[y] ? "" : ",",
                        words[*field == '#'   ? 1
                              : *field == 'O' ? 2
                                              : 0]);
        text_string(&text, "]");
    }
    text_string(&text, "],\"name\":\"drawn\"}");
    assert_false(text.truncated);
    return try_with((MashDocument){"drawn.scenario.json", memory, text.count});
}
#define TRY_ROWS(...) try_rows(ROWS(__VA_ARGS__))

/* [13.3] The committee's samples: two cells of grass, rows of unequal length. */
static void bad_scenarios(void **unused) {
    (void)unused;
    const char *const drawn = "drawn.scenario.json";
    LoadAttempt try = TRY_ROWS(".#####", "######", "######", "######", "#####.");
    only(&try, drawn, "$.scenario",
         "at least 20 cells must be GRASS (room for 12 characters, 6 stones, Thanos and Stan Lee); "
         "found 2");
    try = TRY_ROWS(".....", ".....", "....", ".....", "......");
    assert_int_equal(try.count, 2);
    assert_string_equal(try.list[0].path, "$.scenario[2]");
    assert_string_equal(try.list[0].reason, "all rows must have 5 cells like the first; found 4");
    assert_string_equal(try.list[1].path, "$.scenario[4]");
    try = TRY_ROWS("..O..", ".....", ".....", ".....", ".....");
    only(&try, drawn, "$.scenario",
         "must have no PORTAL or at least 2 (a single one leads nowhere); found 1");
    try = try_changed(board, "\"ROCK\"", "\"WATER\"");
    only(&try, board, "$.scenario[1][3]", "found \"WATER\", must be one of GRASS, ROCK, PORTAL");
    try = try_changed(board, "\"author\"", "\"artist\"");
    only(&try, board, "$.artist", "unknown key \"artist\"; allowed are scenario, name, author");
    try = try_changed(board, ", \"author\": \"starter kit\"", "");
    assert_true(try.loaded);
    try = try_changed(board, "\"name\": \"asgard\"", "\"name\": 3");
    assert_int_equal(try.count, 1);
    assert_true(try_changed(board, "\"asgard\"", "\"\"").loaded);
    assert_true(try_changed(board, "\"starter kit\"", "\"\"").loaded);
    assert_false(try_changed(board, "\"starter kit\"", "\"\\u0000\"").loaded);
}

/* [13.3] The committee's example, 5x5 with 22 cells of grass; [1.1] sizes. */
static void sizes_of_scenarios(void **unused) {
    (void)unused;
    assert_true(TRY_ROWS("..#..", "..#..", ".....", "#....", ".....").loaded);
    assert_true(TRY_ROWS("..#..", "..#..", "O...O", "#....", ".....").loaded);
    assert_true(TRY_ROWS("......", "......", "......", "......").loaded);
    assert_true(TRY_ROWS("....................").loaded);
    LoadAttempt none = TRY_ROWS("", "");
    assert_string_equal(none.list[0].reason, "must have 1 to 100 fields in a row, found 0");
    char wide[102];
    const char *rows[101];
    memset(wide, '.', sizeof wide);
    for (int i = 0; i < 101; i++)
        rows[i] = wide;
    wide[100] = '\0';
    assert_true(try_rows(rows, 100).loaded);
    assert_int_equal(try_rows(rows, 100).limits.state_bytes, 258 + 10000 + 2 + 240);
    assert_false(try_rows(rows, 101).loaded);
    wide[100] = '.';
    wide[101] = '\0';
    assert_false(try_rows(rows, 100).loaded);
    wide[32] = '\0';
    assert_true(try_rows(rows, 32).limits.state_bytes <= 4096);
}

/* --- Documents -------------------------------------------------------------------------------- */

/* A wrong ending, broken JSON, a document that is not an object, two of a kind. */
static void bad_documents(void **unused) {
    (void)unused;
    LoadAttempt try = try_text("match.gamee.json", "{}");
    only(&try, "match.gamee.json", "",
         "the name of a file of this game must end in .character.json, .game.json, "
         ".scenario.json or .texts.json");
    try = try_text("broken.game.json", "{\"maxRounds\": 30,");
    assert_int_equal(try.count, 1);
    assert_int_equal(try.list[0].line, 1);
    assert_string_equal(try.list[0].document, "broken.game.json");
    const char *const names[] = {"a.character.json", "a.game.json", "a.scenario.json"};
    for (int i = 0; i < 3; i++) {
        try = try_text(names[i], "[1, 2]");
        assert_int_equal(try.count, 1);
        assert_string_equal(try.list[0].path, "$");
        try = try_text(names[i], "{}");
        assert_true(try.count >= 1);
    }
    assert_false(try_text("a.character.json", "{\"characters\": {}}").loaded);
    assert_false(try_text("a.character.json", "{\"characters\": [1]}").loaded);
    assert_false(try_text("a.scenario.json", "{\"name\": \"x\", \"scenario\": []}").loaded);
    assert_false(try_text("a.scenario.json", "{\"name\": \"x\", \"scenario\": [3]}").loaded);
}

/* All problems of all documents are reported together, and nothing else is needed to find them. */
static void all_problems_are_reported(void **unused) {
    (void)unused;
    MashDocument list[3] = {{"a.game.json", "{\"maxRounds\": -1}", 17},
                            {"b.game.json", "{}", 2},
                            {"a.scenario.json", "{\"scenario\": [[\"SEA\"]]}", 23}};
    MashProblem found[PROBLEMS];
    MashProblems problems = {.list = found, .max = PROBLEMS};
    void *scratch = aligned_alloc(64, MASH_SCRATCH_BYTES);
    MashContent *loaded = aligned_alloc(64, (game->content_bytes_max + 63) / 64 * 64);
    MashDocuments documents = {list, 3, scratch, MASH_SCRATCH_BYTES};
    assert_false(game->load(&documents, loaded, &problems));
    const char *const wanted[] = {"missing a file that ends in .character.json",
                                  "only one file may end in .game.json; a.game.json already does",
                                  "found \"SEA\", must be one of GRASS, ROCK, PORTAL",
                                  "at least 20 cells must be GRASS (room for 12 characters, 6 "
                                  "stones, Thanos and Stan Lee); found 0",
                                  "key \"name\" is missing; it must be a string of 1 to 63 bytes "
                                  "without control characters"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(found[i].reason, wanted[i]);
    free(scratch);
    free(loaded);
}

/* --- Shipped content -------------------------------------------------------------------------- */

/* The clocks of the match configuration are the server's. */
static void clocks(void **unused) {
    (void)unused;
    MashContent *loaded = support_content(game, NULL);
    assert_int_equal(loaded->limits.turn_ms, 300000);
    assert_int_equal(loaded->limits.match_ms, 1800000);
    assert_int_equal(loaded->limits.pause_ms, 60000);
    assert_int_equal(loaded->limits.silence_ms, 20000);
    assert_int_equal(loaded->limits.animation_ms, 5000);
    assert_true(loaded->limits.width <= loaded->limits.height);
    support_free(loaded);
}

/* All presets load; Rocket Raccoon is the same in both rosters; the hash does not include names. */
static void presets(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < game->presets_count; i++) {
        MashContent *loaded = support_content(game, game->presets[i].id);
        const MarvelousKind *first = &marvelous_content(loaded)->kinds[0];
        const MarvelousKind wanted = {1, 100, 2, 2, 10, 30, 5, 0};
        assert_string_equal(marvelous_content(loaded)->words[0].name, "Rocket Raccoon");
        assert_memory_equal(first, &wanted, sizeof wanted);
        assert_true(loaded->limits.state_bytes <= 4096);
        support_free(loaded);
    }
    static char memory[40000];
    MashDocument shipped = mash_document_shipped(game, heroes);
    memcpy(memory, shipped.bytes, shipped.count);
    memcpy(strstr(memory, "Hulk"), "Bulk", 4);
    MashContent *same = support_content(game, "starter-kit");
    MashContent *named =
        support_content_with(game, "starter-kit", (MashDocument){heroes, memory, shipped.count});
    assert_true(same->hash == named->hash);
    memcpy(strstr(memory, "\"HP\": 100"), "\"HP\": 101", 9);
    MashContent *stronger =
        support_content_with(game, "starter-kit", (MashDocument){heroes, memory, shipped.count});
    assert_true(same->hash != stronger->hash);
    support_free(same);
    support_free(named);
    support_free(stronger);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_characters),
        cmocka_unit_test(how_many_characters),
        cmocka_unit_test(further_keys_of_characters),
        cmocka_unit_test(any_names),
        cmocka_unit_test(bad_matches),
        cmocka_unit_test(limits),
        cmocka_unit_test(bad_scenarios),
        cmocka_unit_test(sizes_of_scenarios),
        cmocka_unit_test(bad_documents),
        cmocka_unit_test(all_problems_are_reported),
        cmocka_unit_test(clocks),
        cmocka_unit_test(presets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
