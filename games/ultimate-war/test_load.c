/* test_load.c -- section 2 of RULES.md by rule number: valid content, and the problems reported for
 * invalid content; a champion that needs no code; texts for everything. */
#include "tests/support/support.h"

#include "games/ultimate-war/test_scene.h"

enum { PROBLEMS = 32 };

static MashProblem problem_list[PROBLEMS];
static MashProblems problems;

static bool loads(const MashDocument *list, uint32_t count) {
    void *scratch = aligned_alloc(16, MASH_SCRATCH_BYTES);
    MashContent *memory = aligned_alloc(16, (ultimate_war_game.content_bytes_max + 15) / 16 * 16);
    assert_true(scratch != NULL && memory != NULL);
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    problems = (MashProblems){problem_list, 0, PROBLEMS};
    bool fine = ultimate_war_game.load(&documents, memory, &problems);
    assert_int_equal(fine, problems.count == 0);
    free(scratch);
    free(memory);
    return fine;
}

/* The shipped documents with the first `from` of the champions replaced. */
static bool loads_with(const char *from, const char *to) {
    char *bytes = champions_with(from, to);
    MashDocument list[2] = {{"test.champions.json", bytes, (uint32_t)strlen(bytes)},
                            mash_document_shipped(&ultimate_war_game, "english.texts.json")};
    bool fine = loads(list, 2);
    free(bytes);
    return fine;
}

/* Exactly this one problem, containing these words. */
static void wrong(const char *from, const char *to, const char *path, const char *words) {
    assert_false(loads_with(from, to));
    if (problems.count != 1)
        fail_msg("%s: %u problems, the first: %s: %s", to, problems.count, problem_list[0].path,
                 problem_list[0].reason);
    assert_string_equal(problem_list[0].document, "test.champions.json");
    assert_string_equal(problem_list[0].path, path);
    if (strstr(problem_list[0].reason, words) == NULL)
        fail_msg("%s: %s", path, problem_list[0].reason);
    assert_true(problem_list[0].line > 0 && problem_list[0].column > 0);
}

/* [2.1] */
static void champions_are_checked(void **unused) {
    (void)unused;
    wrong("\"health\": 1500", "\"health\": 0", "$.champions[0].health", "1000000");
    wrong("\"health\": 1500", "\"health\": 1000001", "$.champions[0].health", "1000000");
    wrong("\"mana\": 1000,", "\"mana\": -1,", "$.champions[0].mana", "1000000");
    wrong("\"points\": 6", "\"points\": 21", "$.champions[0].points", "20");
    wrong("\"points\": 6", "\"points\": 0", "$.champions[0].points", "20");
    wrong("\"speed\": 80", "\"speed\": 1001", "$.champions[0].speed", "1000");
    wrong("\"range\": 1, \"damage\"", "\"range\": 9, \"damage\"", "$.champions[0].range", "8");
    wrong("\"damage\": 100", "\"damage\": \"100\"", "$.champions[0].damage", "\"100\"");
    wrong("\"type\": \"hero\"", "\"type\": \"god\"", "$.champions[0].type", "villain");
    wrong("\"short\": \"cap\"", "\"short\": \"capta\"", "$.champions[0].short", "");
    wrong("\"short\": \"pool\"", "\"short\": \"cap\"", "$.champions[1].short", "cap");
    wrong("\"id\": \"deadpool\"", "\"id\": \"captain-america\"", "$.champions[1].id",
          "already used by $.champions[0]");
    wrong("\"id\": \"deadpool\"", "\"id\": \"Dead Pool\"", "$.champions[1].id",
          "lower-case letters");
    wrong("\"name\": \"Deadpool\"", "\"name\": \"Captain America\"", "$.champions[1].name",
          "already used by $.champions[0]");
    wrong("\"speed\": 80,", "\"speed\": 80, \"spede\": 1,", "$.champions[0].spede", "");
    wrong("\"speed\": 80,", "", "$.champions[0]", "speed");
    assert_true(loads_with("\"health\": 1500", "\"health\": 1000000"));
}

/* [2.1] Three abilities each, and six champions at least. */
static void numbers_of_things_are_checked(void **unused) {
    (void)unused;
    static const char punch[] = "{\"punch\": {\"name\": \"P\", \"range\": 1, \"points\": 1, "
                                "\"mana\": 0, \"cooldown\": 1, \"damage\": 50}, ";
    char bytes[512];
    snprintf(bytes, sizeof bytes, "%s\"champions\": []}", punch);
    MashDocument list[2] = {{"few.champions.json", bytes, (uint32_t)strlen(bytes)},
                            mash_document_shipped(&ultimate_war_game, "english.texts.json")};
    assert_false(loads(list, 2));
    assert_int_equal(problems.count, 1);
    assert_string_equal(problem_list[0].path, "$.champions");
    assert_non_null(strstr(problem_list[0].reason, "6 to 64"));
    wrong("{\"id\": \"shield-throw\"",
          "{\"id\": \"a\", \"name\": \"A\", \"area\": \"self\", \"range\": 0, \"points\": 1, "
          "\"mana\": 0, \"cooldown\": 1, \"heal\": 1}, {\"id\": \"shield-throw\"",
          "$.champions[0].abilities", "exactly 3");
}

/* [2.2] */
static void abilities_are_checked(void **unused) {
    (void)unused;
    wrong("\"points\": 2", "\"points\": 0", "$.champions[0].abilities[0].points", "20");
    wrong("\"cooldown\": 2", "\"cooldown\": 0", "$.champions[0].abilities[0].cooldown", "99");
    wrong("\"cooldown\": 2", "\"cooldown\": 100", "$.champions[0].abilities[0].cooldown", "99");
    wrong("\"range\": 4", "\"range\": 9", "$.champions[0].abilities[0].range", "8");
    wrong("\"area\": \"directional\"", "\"area\": \"line\"", "$.champions[0].abilities[0].area",
          "surround");
    wrong("\"turns\": 2", "\"turns\": 10", "$.champions[0].abilities[2].turns", "9");
    wrong("\"turns\": 2", "\"turns\": 0", "$.champions[0].abilities[2].turns", "9");
    wrong(", \"turns\": 2", "", "$.champions[0].abilities[2]", "turns");
    wrong("\"damage\": 150", "\"damage\": 1000001", "$.champions[0].abilities[0].damage",
          "1000000");
    wrong("\"damage\": 150", "\"damage\": 150, \"heal\": 1", "$.champions[0].abilities[0]",
          "exactly one of");
    wrong(", \"damage\": 150", "", "$.champions[0].abilities[0]", "exactly one of");
    wrong("\"damage\": 150", "\"damage\": 150, \"turns\": 1", "$.champions[0].abilities[0].turns",
          "only allowed with an effect");
    wrong("\"effect\": \"shield\"", "\"effect\": \"weaken\"", "$.champions[0].abilities[2].effect",
          "silence");
    wrong("\"id\": \"shield-up\"", "\"id\": \"shield-throw\"", "$.champions[0].abilities[2].id",
          "shield-throw");
    wrong("\"id\": \"shield-up\"", "\"id\": \"punch\"", "$.champions[0].abilities[2].id", "punch");
}

/* [2.3] */
static void the_punch_is_checked(void **unused) {
    (void)unused;
    wrong("\"damage\": 50", "\"damage\": 191", "$.punch.damage", "190");
    wrong("\"cooldown\": 1, \"damage\": 50", "\"cooldown\": 0, \"damage\": 50", "$.punch.cooldown",
          "99");
    wrong("\"damage\": 50", "\"damage\": 50, \"area\": \"team\"", "$.punch.area", "");
    load_shipped();
    const Ability *punch = &test_content()->punch;
    assert_int_equal(punch->amount, 50);
    assert_int_equal(punch->range + punch->cooldown + punch->points, 3);
    assert_int_equal(punch->mana, 0);
    assert_int_equal(punch->area, AREA_SINGLE);
    load_with("\"damage\": 50", "\"damage\": 190");
    draw("thor", "loki", "thor . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . loki");
    give("thor", EFFECT_DISARM, 9);
    for (int i = 0; i < EFFECTS_MAX; i++)
        give("thor", EFFECT_POWER_UP, 9);
    assert_in_range(called("thor")->punch_amounts[0], 50000, UINT16_MAX - 1);
}

/* [2.4] */
static void self_must_help(void **unused) {
    (void)unused;
    wrong("\"effect\": \"shield\"", "\"effect\": \"stun\"", "$.champions[0].abilities[2]",
          "area self");
    wrong("\"heal\": 150", "\"damage\": 150", "$.champions[0].abilities[1]", "area self");
    static const char *const buffs[] = {"dodge", "embrace", "power-up", "shield", "speed-up"};
    for (int i = 0; i < 5; i++) {
        char to[64];
        snprintf(to, sizeof to, "\"effect\": \"%s\"", buffs[i]);
        assert_true(loads_with("\"effect\": \"shield\"", to));
    }
}

/* [2.1] All problems of a document are reported together, and those of both documents. */
static void all_problems_are_told(void **unused) {
    (void)unused;
    char *bytes = champions_with("\"speed\": 80, \"range\": 1, \"damage\": 100",
                                 "\"speed\": 0, \"range\": 0, \"damage\": 0");
    MashDocument list[] = {{"test.champions.json", bytes, (uint32_t)strlen(bytes)},
                           {"test.texts.json", "{}", 2},
                           {"test.map.json", "{}", 2}};
    assert_false(loads(list, 3));
    assert_true(problems.count >= 7);
    int maps = 0, texts = 0;
    for (uint32_t i = 0; i < problems.count; i++) {
        maps += strcmp(problem_list[i].document, "test.map.json") == 0;
        texts += strcmp(problem_list[i].document, "test.texts.json") == 0;
    }
    assert_int_equal(maps, 1);
    assert_int_equal(texts, 3);
    list[1].name = "again.champions.json";
    assert_false(loads(list, 2));
    assert_false(loads(list, 0));
    list[0].count /= 2;
    assert_false(loads(list, 1));
    free(bytes);
}

/* [2.1] [2.2] A champion defined only by content: he is picked, named, drawn and fights. */
static void a_new_champion_needs_no_code(void **unused) {
    (void)unused;
    load_with("\"champions\": [",
              "\"champions\": [{\"id\": \"shade\", \"short\": \"shad\", \"name\": \"Shade\", "
              "\"type\": \"villain\", \"health\": 900, \"mana\": 500, \"points\": 9, \"speed\": "
              "120, \"range\": 2, \"damage\": 80, \"abilities\": [{\"id\": \"hex\", \"name\": "
              "\"Hex\", \"area\": \"surround\", \"range\": 1, \"points\": 2, \"mana\": 10, "
              "\"cooldown\": 3, \"effect\": \"silence\", \"turns\": 3}, {\"id\": \"mend\", "
              "\"name\": \"Mend\", \"area\": \"single\", \"range\": 8, \"points\": 1, \"mana\": "
              "20, \"cooldown\": 1, \"heal\": 75}, {\"id\": \"haste\", \"name\": \"Haste\", "
              "\"area\": \"team\", \"range\": 8, \"points\": 1, \"mana\": 0, \"cooldown\": 9, "
              "\"effect\": \"speed-up\", \"turns\": 9}]},");
    draw("shad thor", "loki", "shad loki . . .\n. . . . .\n. . . . .\n. . . . .\nthor . . . .");
    called("thor")->health = 5;
    done("cast shad haste");
    done("cast shad mend 0 4");
    done("cast shad hex");
    assert_int_equal(called("thor")->health, 80);
    assert_int_equal(called("thor")->points_turn, 8);
    assert_int_equal(called("loki")->points_turn, 7);
    done("attack shad right");
    assert_int_equal(called("loki")->health, 1070);
}

/* --- Texts ------------------------------------------------------------------------------------ */

static const char *name_of(MashNames list, uint8_t index) {
    static char bytes[128];
    MashText text = text_over(bytes, sizeof bytes);
    ultimate_war_game.name(loaded, NULL, list, index, &text);
    return bytes;
}

static void names_come_from_content(void **unused) {
    (void)unused;
    load_shipped();
    assert_string_equal(name_of(MASH_NAME_KIND, 1), "Deadpool");
    assert_string_equal(name_of(MASH_NAME_KIND, 15), "");
    assert_string_equal(name_of(MASH_NAME_ABILITY, ABILITY_ATTACK), "attack");
    assert_string_equal(name_of(MASH_NAME_ABILITY, ABILITY_PUNCH), "Punch");
    assert_string_equal(name_of(MASH_NAME_ABILITY, ABILITY_KINDS + 5), "Can't Catch Me");
    assert_string_equal(name_of(MASH_NAME_ABILITY, 255), "");
    assert_string_equal(name_of(MASH_NAME_SIDE, 1), "Team 2");
}

/* All events of the last action, one sentence per line. */
static const char *said(void) {
    static char bytes[2048];
    MashText text = text_over(bytes, sizeof bytes);
    for (uint32_t i = 0; i < events.count; i++) {
        ultimate_war_game.say(loaded, NULL, state, &event_list[i], &text);
        text_byte(&text, '\n');
    }
    return bytes;
}

static void events_are_sentences(void **unused) {
    (void)unused;
    uint32_t avoids = 1, fails = 0;
    draw("thor spid", "loki hela",
         "thor loki . . .\n. . . . .\n. . . . .\n#90 . . . .\nspid hela . . .");
    give("loki", EFFECT_DODGE, 2);
    done_by_chance("attack thor right", &avoids, 1);
    assert_string_equal(said(), "Thor attacks Loki at 1,0.\nLoki dodges Thor's attack.\n");
    done("attack thor left");
    assert_string_equal(said(), "Thor attacks 0,0.\n");
    done("cast thor mjollnir-throw 0 3");
    assert_string_equal(said(), "Thor uses Mjollnir Throw at 0,3.\nThe cover at 0,3 loses 90 "
                                "health to Thor.\nThe ground at 0,3 is now floor.\n");
    give("hela", EFFECT_STUN, 1);
    turn_of("spid");
    state->queue_count = 1;
    called("hela")->speed = 1000;
    memset(state->queue + 1, 0, UNITS - 1);
    done("end spid");
    assert_string_equal(said(),
                        "Spiderman's turn ends.\nRound 2 begins.\nTurn order 1: Hela.\nTurn order "
                        "2: Thor.\nTurn order 3: Spiderman.\nTurn order 4: Loki.\nHela's turn ends "
                        "(skipped: Stun).\nStun on Hela wears off.\nThor's turn (Team 1).\n");
    done("command thor");
    assert_string_equal(
        said(), "Thor uses Embrace All at 0,0.\nThor: Embrace for 2 turns.\nThor has 140 more "
                "mana.\nSpiderman: Embrace for 2 turns.\nSpiderman has 150 more mana.\n");
    called("loki")->health = called("hela")->health = 1;
    done_by_chance("attack thor right", &fails, 1);
    assert_string_equal(said(), "Thor attacks Loki at 1,0.\nLoki loses 1 health to Thor.\nLoki is "
                                "knocked out by Thor at 1,0.\n");
}

static int finish(void **unused) {
    (void)unused;
    board_free();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(champions_are_checked),
        cmocka_unit_test(numbers_of_things_are_checked),
        cmocka_unit_test(abilities_are_checked),
        cmocka_unit_test(the_punch_is_checked),
        cmocka_unit_test(self_must_help),
        cmocka_unit_test(all_problems_are_told),
        cmocka_unit_test(a_new_champion_needs_no_code),
        cmocka_unit_test(names_come_from_content),
        cmocka_unit_test(events_are_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
