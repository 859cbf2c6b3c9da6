/* test_traces.c -- section 10: recorded matches, those of ../shared if they are there and a small
 * one of our own with errors. */
#define _POSIX_C_SOURCE 200809L /* opendir, popen */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/ultimate-war/state.h"
#include "tests/support/support.h"

#define TRACES "../shared/oracles/ultimate-war/traces"
enum { TRACE_BYTES = 4 << 20, PROBLEMS = 8 };

static MashContent *loaded;
static char *bytes;
static void *scratch;
static char report_bytes[512];
static MashText report;
static MashTraceCounts tally;
static MashProblem problem_list[PROBLEMS];
static MashProblems problems;

static int begin(void **unused) {
    (void)unused;
    loaded = support_content(&ultimate_war_game, NULL);
    bytes = malloc(TRACE_BYTES);
    scratch = aligned_alloc(16, MASH_SCRATCH_BYTES);
    return bytes == NULL || scratch == NULL;
}

static int finish(void **unused) {
    (void)unused;
    support_free(loaded);
    free(bytes);
    free(scratch);
    return 0;
}

static bool verify(const char *name, const char *text, uint32_t count) {
    MashDocument document = {name, text, count};
    MashDocuments documents = {&document, 1, scratch, MASH_SCRATCH_BYTES};
    report = text_over(report_bytes, sizeof report_bytes);
    problems = (MashProblems){problem_list, 0, PROBLEMS};
    return ultimate_war_traces.verify(loaded, &documents, &tally, &report, &problems);
}

/* --- The recorded matches --------------------------------------------------------------------- */

static uint32_t unpacked(const char *path) {
    char command[600];
    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t count = fread(bytes, 1, TRACE_BYTES, pipe);
    assert_int_equal(pclose(pipe), 0);
    assert_in_range(count, 1, TRACE_BYTES - 1);
    return (uint32_t)count;
}

/* [10.2] Every step of every recorded match is equal. */
static void recorded_matches_are_equal(void **unused) {
    (void)unused;
    DIR *folder = opendir(TRACES);
    uint32_t files = 0, steps = 0, equal = 0;
    if (folder == NULL)
        skip();
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[512];
        if (!text_ends_with(entry->d_name, ".jsonl.gz"))
            continue;
        snprintf(path, sizeof path, TRACES "/%s", entry->d_name);
        uint32_t count = unpacked(path);
        if (!verify(entry->d_name, bytes, count))
            fail_msg("%s:%u:%u: %s: %s", entry->d_name, problem_list[0].line,
                     problem_list[0].column, problem_list[0].path, problem_list[0].reason);
        if (report.count > 0)
            print_error("%s: %s\n", entry->d_name, report.bytes);
        files++;
        steps += tally.steps;
        equal += tally.equal;
    }
    closedir(folder);
    print_message("%u files: %u of %u steps equal\n", files, equal, steps);
    assert_true(files > 0 && steps > 0);
    assert_int_equal(equal, steps);
}

/* --- A trace of our own ----------------------------------------------------------------------- */

#define OUT(name, team) "{\"n\":\"" name "\",\"t\":" team ",\"in\":0}"
#define LOKI(health, effects)                                                                      \
    "{\"n\":\"Loki\",\"t\":2,\"in\":1,\"hp\":" health ",\"mp\":900,\"ap\":5,\"map\":5,\"sp\":73,"  \
    "\"dm\":150,\"co\":\"ACTIVE\",\"x\":4,\"y\":1,\"ef\":[" effects "],\"ab\":[[\"God of "         \
    "Mischief\",0,0],[\"The Hidden Dagger\",0,300],[\"Fake Death\",0,400]]}"
#define THOR(points, row)                                                                          \
    "{\"n\":\"Thor\",\"t\":1,\"in\":1,\"hp\":1800,\"mp\":800,\"ap\":" points                       \
    ",\"map\":7,\"sp\":90,"                                                                        \
    "\"dm\":130,\"co\":\"ROOTED\",\"x\":" row                                                      \
    ",\"y\":1,\"ef\":[[\"Root\",2],[\"Disarm\",1]],\"ab\":[["                                      \
    "\"God of Thunder\",0,0],[\"Mjollnir Throw\",0,200],[\"Bring Me Thanos\",0,300],[\"Punch\",0," \
    "50]]}"
#define STATE(thor, loki)                                                                          \
    "\"s\":{\"q\":[\"Thor\",\"Loki\"],\"lu\":[0,1],\"cov\":[[1,0,417],[2,4,101]],\"ch\":[" thor    \
    "," OUT("Hulk", "1") "," OUT("Spiderman", "1") "," loki                                        \
                                                   "," OUT("Hela", "2") "," OUT("Venom", "2") "]}"
#define SETUP                                                                                      \
    "{\"t\":\"setup\",\"v\":1,\"engine\":\"own\",\"seed\":1,\"teams\":[[\"Thor\",\"Hulk\","        \
    "\"Spiderman\"],["                                                                             \
    "\"Loki\",\"Hela\",\"Venom\"]],\"leaders\":[\"Hulk\",\"Loki\"]," STATE(                        \
        THOR("7", "3"), LOKI("1150", "[\"Dodge\",2]")) "}\n"
#define END         "{\"t\":\"end\",\"n\":9,\"why\":\"cap\",\"winner\":0}\n"
#define ACT(fields) "{\"t\":\"act\",\"n\":0,\"c\":\"Thor\"," fields "}\n"

static const char *const own =
    SETUP ACT("\"a\":\"move\",\"d\":\"DOWN\",\"r\":\"UnallowedMovementException\"") /* rooted */
    ACT("\"a\":\"attack\",\"d\":\"UP\",\"coin\":1,\"r\":\"ChampionDisarmedException\"")
        ACT("\"a\":\"leader\",\"r\":\"LeaderNotCurrentException\"")
            ACT("\"a\":\"cast\",\"i\":3,\"ab\":\"Punch\",\"x\":3,\"y\":1,\"r\":"
                "\"InvalidTargetException\"")
                ACT("\"a\":\"cast\",\"i\":1,\"ab\":\"Mjollnir "
                    "Throw\",\"x\":4,\"y\":1,\"r\":\"ok\",\"dev\":[1]," STATE(THOR("3", "3"),
                                                                              LOKI("1000", "")))
                    ACT("\"a\":\"cast\",\"i\":2,\"ab\":\"Bring Me "
                        "Thanos\",\"r\":\"NotEnoughResourcesException\"") END;

/* The first `from` of the text becomes `to`. */
static void replace(char *text, const char *from, const char *to) {
    char *found = strstr(text, from);
    if (found == NULL)
        fail_msg("the trace has no %s", from);
    memmove(found + strlen(to), found + strlen(from), strlen(found + strlen(from)) + 1);
    memcpy(found, to, strlen(to));
}

static bool verify_own(const char *from, const char *to) {
    strcpy(bytes, own);
    if (from != NULL)
        replace(bytes, from, to);
    return verify("own.jsonl", bytes, (uint32_t)strlen(bytes));
}

/* [10.1] [10.2] A deviating step is not compared, and its state counts; refusals by their names. */
static void steps_are_compared(void **unused) {
    (void)unused;
    assert_true(verify_own(NULL, NULL));
    assert_string_equal(report_bytes, "");
    assert_int_equal(tally.steps, 5);
    assert_int_equal(tally.equal, 5);
}

/* The first difference is described, and all are counted. */
static void differs(const char *from, const char *to, const char *words) {
    assert_true(verify_own(from, to));
    assert_string_equal(report_bytes, words);
    assert_true(tally.equal < tally.steps);
}

/* [10.2] [10.4] */
static void differences_are_reported(void **unused) {
    (void)unused;
    differs("UnallowedMovementException", "NotEnoughResourcesException",
            "line 2: move thor 1 2: r: expected NotEnoughResourcesException, got rooted");
    differs("\"ap\":7", "\"ap\":0",
            "line 5: cast thor punch 1 1: r: expected InvalidTargetException, got no-points");
    differs("\"dev\":[1],", "",
            "line 6: cast thor mjollnir-throw 1 0: Thor: mp: expected 800, got "
            "700");
}

#define FREE_THOR(points)                                                                          \
    "{\"n\":\"Thor\",\"t\":1,\"in\":1,\"hp\":1800,\"mp\":800,\"ap\":" points                       \
    ",\"map\":7,\"sp\":90,"                                                                        \
    "\"dm\":130,\"co\":\"ACTIVE\",\"x\":3,\"y\":1,\"ef\":[],\"ab\":[[\"God of "                    \
    "Thunder\",0,0],[\"Mjollnir "                                                                  \
    "Throw\",0,200],[\"Bring Me Thanos\",0,300]]}"
#define COIN_TRACE(effects, coin, health)                                                          \
    "{\"t\":\"setup\",\"v\":1,\"teams\":[[\"Thor\",\"Hulk\",\"Spiderman\"],[\"Loki\",\"Hela\","    \
    "\"Venom\"]],"                                                                                 \
    "\"leaders\":[\"Hulk\",\"Loki\"]," STATE(FREE_THOR("7"), LOKI("1150", effects)) "}\n" ACT(     \
        "\"a\":\"attack\",\"d\":\"UP\",\"coin\":" coin                                             \
        ",\"r\":\"ok\"," STATE(FREE_THOR("5"), LOKI(health, effects))) END

/* [10.2] Fields that a state has, each with its words. */
static void every_field_is_compared(void **unused) {
    (void)unused;
    static const struct {
        const char *from, *to, *words;
    } rows[] = {
        {"\"hp\":955", "\"hp\":954", "Loki: hp: expected 954, got 955"},
        {"\"ap\":5,\"map\":7", "\"ap\":5,\"map\":8", "Thor: map: expected 8, got 7"},
        {"\"co\":\"ACTIVE\"", "\"co\":\"ROOTED\"", "Thor: co: expected ROOTED, got ACTIVE"},
        {"\"sp\":90", "\"sp\":91", "Thor: sp: expected 91, got 90"},
        {"\"dm\":130", "\"dm\":13", "Thor: dm: expected 13, got 130"},
        {"\"x\":3", "\"x\":2", "Thor: x: expected 2, got 3"},
        {"\"y\":1", "\"y\":2", "Thor: y: expected 2, got 1"},
        {"\"ef\":[]", "\"ef\":[[\"Stun\",1]]", "Thor: length of ef: expected 1, got 0"},
        {"\"Dodge\",2", "\"Shield\",2", "Loki: ef: expected Shield, got Dodge"},
        {"\"Dodge\",2", "\"Dodge\",1", "Loki: turns of Dodge: expected 1, got 2"},
        {"\"Mjollnir Throw\",0", "\"Mjollnir Throw\",1",
         "Thor: cooldown of Mjollnir Throw: expected 1, got 0"},
        {"\"Mjollnir Throw\",0,200", "\"Mjollnir Throw\",0,201",
         "Thor: amount of Mjollnir Throw: expected 201, got 200"},
        {"\"lu\":[0,1]", "\"lu\":[1,1]", "lu of player 1: expected 1, got 0"},
        {"[1,0,417]", "[1,0,418]", "cov of 1,0: expected 418, got 417"},
        {"\"q\":[\"Thor\",\"Loki\"]", "\"q\":[\"Thor\"]", "length of q: expected 1, got 2"},
        {"\"q\":[\"Thor\",\"Loki\"]", "\"q\":[\"Loki\",\"Thor\"]", "q: expected Loki, got Thor"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char wanted[128];
        strcpy(bytes, COIN_TRACE("[\"Dodge\",2]", "0", "955"));
        replace(strstr(bytes, "\"t\":\"act\""), rows[i].from, rows[i].to);
        assert_true(verify("field.jsonl", bytes, (uint32_t)strlen(bytes)));
        snprintf(wanted, sizeof wanted, "line 2: attack thor up: %s", rows[i].words);
        if (strncmp(report_bytes, wanted, strlen(wanted)) != 0)
            fail_msg("%s instead of %s", report_bytes, wanted);
        assert_int_equal(tally.equal, 0);
    }
}

/* [10.3] The coin is the roll if there is one, and is otherwise ignored. */
static void the_coin_is_the_roll(void **unused) {
    (void)unused;
    static const char *const traces[] = {
        COIN_TRACE("[\"Dodge\",2]", "1", "1150"), COIN_TRACE("[\"Dodge\",2]", "0", "955"),
        COIN_TRACE("", "1", "955"), COIN_TRACE("[\"Dodge\",2]", "1", "955"), /* wrong */
    };
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(verify("coin.jsonl", traces[i], (uint32_t)strlen(traces[i])));
        assert_int_equal(tally.steps, 1);
        assert_int_equal(tally.equal, i < 3);
    }
    assert_string_equal(report_bytes, "line 2: attack thor up: Loki: hp: expected 955, got 1150");
}

/* A problem in this line, at this path. */
static void malformed(const char *from, const char *to, uint32_t line, const char *path) {
    assert_false(verify_own(from, to));
    assert_true(problems.count >= 1);
    assert_string_equal(problem_list[0].document, "own.jsonl");
    assert_int_equal(problem_list[0].line, line);
    assert_true(problem_list[0].column > 0);
    assert_string_equal(problem_list[0].path, path);
}

/* [10.5] */
static void malformed_traces_are_void(void **unused) {
    (void)unused;
    malformed("\"t\":\"setup\"", "\"t\":\"begin\"", 1, "$.t");
    malformed("\"v\":1", "\"v\":2", 1, "$.v");
    malformed("\"Spiderman\"]", "\"Superman\"]", 1, "$.teams[0][2]");
    malformed("\"Hela\",\"Venom\"]", "\"Thor\",\"Venom\"]", 1, "$.teams[1][1]");
    malformed("[\"Hulk\",\"Loki\"]", "[\"Hulk\",\"Thor\"]", 1, "$.leaders[1]");
    malformed("\"hp\":1800", "\"hp\":1801", 1, "$.s.ch[0].hp");
    malformed("\"hp\":1800", "\"hp\":1e3", 1, "$.s.ch[0].hp");
    malformed("\"map\":7", "\"map\":100", 1, "$.s.ch[0].map");
    malformed("\"Root\",2", "\"Rooot\",2", 1, "$.s.ch[0].ef[0][0]");
    malformed("\"Root\",2", "\"Root\",10", 1, "$.s.ch[0].ef[0][1]");
    malformed("\"Punch\",0", "\"Kick\",0", 1, "$.s.ch[0].ab[3][0]");
    malformed("[\"God of Thunder\",0,0],", "", 1, "$.s.ch[0].ab[0][0]");
    malformed("\"God of Thunder\",0,0", "\"God of Thunder\",0,1", 1, "$.s.ch[0].ab[0][2]");
    malformed("\"x\":4,\"y\":1", "\"x\":3,\"y\":1", 1, "$.s.ch[3]");
    malformed("[1,0,417]", "[3,1,417]", 1, "$.s.cov[0]");
    malformed("[1,0,417]", "[1,5,417]", 1, "$.s.cov[0][1]");
    malformed("\"q\":[\"Thor\",\"Loki\"]", "\"q\":[\"Hulk\",\"Loki\"]", 1, "$.s.q[0]");
    malformed("\"q\":[\"Thor\",\"Loki\"]", "\"q\":[\"Thor\",\"Thor\"]", 1, "$.s.q[1]");
    malformed("\"q\":[\"Thor\",\"Loki\"]", "\"q\":[]", 1, "$.s");
    malformed("\"lu\":[0,1]", "\"lu\":[0,2]", 1, "$.s.lu[1]");
    malformed("\"c\":\"Thor\"", "\"c\":\"Loki\"", 2, "$.c");
    malformed("\"a\":\"move\"", "\"a\":\"fly\"", 2, "$.a");
    malformed("\"d\":\"DOWN\"", "\"d\":\"SOUTH\"", 2, "$.d");
    malformed("\"coin\":1", "\"coin\":2", 3, "$.coin");
    malformed("\"r\":\"LeaderNotCurrentException\"", "\"r\":\"No\"", 4, "$.r");
    malformed("\"i\":3,\"ab\":\"Punch\"", "\"i\":4,\"ab\":\"Punch\"", 5, "$.i");
    malformed("\"i\":3,\"ab\":\"Punch\"", "\"i\":2,\"ab\":\"Punch\"", 5, "$.ab");
    malformed("\"a\":\"leader\",\"r\":\"LeaderNotCurrentException\"", "\"a\":\"end\",\"r\":\"ok\"",
              4, "$");
    malformed("\"t\":\"end\"", "\"t\":\"setup\"", 8, "$");
    malformed("\"t\":\"act\"", "\"t\":\"end\"", 3, "$");
    malformed("{\"t\":\"act\"", "{\"t\" \"act\"", 2, "");
    malformed("{\"t\":\"setup\"", "[{\"t\":\"setup\"", 1, "");
}

/* [10.5] A trace that stops early, and none at all. */
static void a_trace_needs_its_end(void **unused) {
    (void)unused;
    assert_false(verify("short.jsonl", own, (uint32_t)(strstr(own, "{\"t\":\"end\"") - own)));
    assert_int_equal(problem_list[0].line, 7);
    assert_false(verify("empty.jsonl", "", 0));
    MashDocuments none = {NULL, 0, scratch, MASH_SCRATCH_BYTES};
    problems.count = 0;
    assert_false(ultimate_war_traces.verify(loaded, &none, &tally, &report, &problems));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_matches_are_equal), cmocka_unit_test(steps_are_compared),
        cmocka_unit_test(differences_are_reported),   cmocka_unit_test(every_field_is_compared),
        cmocka_unit_test(the_coin_is_the_roll),       cmocka_unit_test(malformed_traces_are_void),
        cmocka_unit_test(a_trace_needs_its_end),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
