/* test_tournament_commands.c -- the file of a tournament, what is played next, and what is known
 * after a kill: simulated tournaments of each kind whose program dies again and again. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/chance.h"
#include "cli/tournament/live_view.h"
#include "cli/tournament/report.h"

/* How many tournaments of each kind: MASH_TOURNAMENTS, usually few, because each result is synced
 * to disk. */
static uint64_t tournaments(void) {
    const char *given = getenv("MASH_TOURNAMENTS");
    return given == NULL ? 12 : (uint64_t)atoi(given);
}

/* A plan of so many players. */
static bool make_plan(const char *rest, uint32_t players, Plan *out) {
    char text[8192];
    int count = snprintf(text, sizeof text, "{\"game\": \"zorde\", %s, \"players\": [", rest);
    for (uint32_t i = 0; i < players; i++)
        count += snprintf(text + count, sizeof text - (size_t)count,
                          "%s{\"name\": \"p%u\", \"level\": \"random\"}", i == 0 ? "" : ", ", i);
    count += snprintf(text + count, sizeof text - (size_t)count, "]}");
    return plan_read_text("test.json", text, (uint32_t)count, ".", out);
}

/* The program dies: a new one knows what is in the file, whose last line may be cut off. */
static void kill_and_resume(PlayedLog *log, const char *folder, const Plan *plan,
                            MashChance *chance) {
    char path[256];
    uint32_t count = log->count;
    snprintf(path, sizeof path, "%s/results.jsonl", folder);
    played_close(log);
    if (chance_below(chance, 2) == 0) {
        FILE *file = fopen(path, "a");
        fputs("{\"match\":99,\"stage\":0,\"ro", file);
        fclose(file);
    }
    assert_true(played_open(log, plan, folder, true));
    assert_int_equal(log->count, count);
}

/* Nobody is in two pairs of a round that waits for the one before. */
static void check_round(const Schedule *schedule, const PlanStage *stage) {
    uint16_t against[PLAN_PLAYERS_MAX];
    if (stage->system != PLAN_SWISS && stage->system != PLAN_KNOCK_OUT)
        return;
    memset(against, 0xff, sizeof against);
    for (uint32_t i = 0; i < 2 * schedule->count; i++) {
        const PlayedMatch *match = &schedule->list[i / 2];
        uint16_t player = match->players[i % 2], other = match->players[1 - i % 2];
        assert_int_equal(match->round, schedule->list[0].round);
        assert_true(against[player] == 0xffff || against[player] == other);
        against[player] = other;
    }
}

/* Plays a tournament with kills; how many matches there were. */
static uint32_t play_with_kills(const char *rest, uint32_t players, uint64_t seed) {
    char folder[64], path[256];
    Plan *plan = calloc(1, sizeof *plan);
    MashChance chance = chance_sampled(seed);
    PlayedLog log;
    assert_true(make_plan(rest, players, plan));
    snprintf(folder, sizeof folder, "%s/test-tournament-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(folder));
    assert_true(played_open(&log, plan, folder, false));
    for (;;) {
        Schedule schedule;
        schedule_next(&log, &schedule);
        if (schedule.over)
            break;
        assert_true(schedule.count > 0);
        check_round(&schedule, plan_stage(plan, schedule.list[0].stage));
        /* Some of them, in any order: several workers end when they like. */
        uint32_t wanted = 1 + chance_below(&chance, schedule.count);
        for (uint32_t i = 0; i < wanted; i++) {
            uint32_t which = i + chance_below(&chance, schedule.count - i);
            PlayedMatch match = schedule.list[which];
            schedule.list[which] = schedule.list[i];
            for (int seat = 0; seat < MASH_SEATS; seat++)
                snprintf(match.sides[seat].name, PLAN_NAME_BYTES, "p%u", match.players[seat]);
            match.number = (int32_t)log.count + 1;
            match.winner = (int32_t)chance_below(&chance, 3) - 1;
            match.starts = 1;
            snprintf(match.reason, sizeof match.reason, "over");
            assert_null(played_find(&log, &match));
            assert_true(played_add(&log, &match));
        }
        schedule_release(&schedule);
        if (chance_below(&chance, 3) == 0)
            kill_and_resume(&log, folder, plan, &chance);
    }
    uint32_t count = log.count, points = 0;
    StageTable table;
    assert_true(schedule_table(&log, 0, &table));
    for (uint32_t i = 0; i < table.count; i++)
        points += table.rows[i].points;
    assert_true(points >= 2 * count || plan->has_then);
    played_close(&log);
    snprintf(path, sizeof path, "%s/results.jsonl", folder);
    unlink(path);
    rmdir(folder);
    plan_release(plan);
    free(plan);
    return count;
}

static void test_round_robins_survive_kills(void **state) {
    (void)state;
    for (uint64_t i = 0; i < tournaments(); i++)
        assert_int_equal(play_with_kills("\"pairs\": 2", 5, i), 10 * 4);
}

static void test_swiss_tournaments_survive_kills(void **state) {
    (void)state;
    for (uint64_t i = 0; i < tournaments(); i++)
        assert_int_equal(play_with_kills("\"system\": \"swiss\", \"rounds\": 4", 9, i), 4 * 4 * 2);
}

static void test_knock_outs_survive_kills(void **state) {
    (void)state;
    for (uint64_t i = 0; i < tournaments(); i++)
        assert_int_equal(play_with_kills("\"system\": \"knock-out\"", 11, i), 10 * 2);
}

static void test_gauntlets_survive_kills(void **state) {
    (void)state;
    for (uint64_t i = 0; i < tournaments(); i++)
        assert_int_equal(play_with_kills("\"system\": \"gauntlet\", \"champions\": 2", 7, i),
                         2 * 5 * 2);
}

static void test_second_stages_survive_kills(void **state) {
    (void)state;
    for (uint64_t i = 0; i < tournaments(); i++)
        assert_int_equal(
            play_with_kills("\"system\": \"swiss\", \"rounds\": 3, \"presets\": [\"skirmish\", "
                            "\"duel\"], \"then\": {\"system\": \"knock-out\", \"top\": 4}",
                            8, i),
            (3 * 4 + 3) * 4);
}

static void test_a_test_ends_a_meeting_early(void **state) {
    (void)state;
    uint32_t count =
        play_with_kills("\"pairs\": 300, \"sprt\": {\"low\": -400, \"high\": 400}", 2, 1);
    assert_true(count > 0 && count < 600);
}

/* A meeting of three players in which one beats everybody: only meetings with that one are settled,
 * whichever turn is asked about. */
static void test_a_test_counts_its_own_meeting(void **state) {
    Plan *plan = calloc(1, sizeof *plan);
    PlayedMatch list[120] = {0};
    PlayedLog log = {.plan = plan, .list = list, .file = -1};
    (void)state;
    assert_true(make_plan("\"pairs\": 300, \"sprt\": {\"low\": -400, \"high\": 400}", 3, plan));
    for (uint8_t i = 0; i < 120; i++) {
        bool third = i / 2 % 2 == 1; /* those of the first two, and those of the last two */
        PlayedMatch match = {.pair = i / 4, .turn = i % 2, .players = {third, 1 + third}};
        if (match.turn == 1) {
            match.players[0] = 1 + third;
            match.players[1] = third;
        }
        match.winner = third ? i / 4 % 2 : match.turn;
        list[log.count++] = match;
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(schedule_settled(&log, &list[i]), i < 2);
    plan_release(plan);
    free(plan);
}

/* Standard error of what plan_read_text() says. */
static void said(const char *text, char *out, size_t max) {
    char path[] = "/tmp/test-tournament-XXXXXX";
    int file = mkstemp(path), kept = dup(STDERR_FILENO);
    Plan *plan = calloc(1, sizeof *plan);
    fflush(stderr);
    dup2(file, STDERR_FILENO);
    assert_false(plan_read_text("bad.json", text, (uint32_t)strlen(text), ".", plan));
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    ssize_t count = pread(file, out, max - 1, 0);
    out[count < 0 ? 0 : count] = '\0';
    close(file);
    close(kept);
    unlink(path);
    plan_release(plan);
    free(plan);
}

static void test_problems_name_line_and_path(void **state) {
    static const char *const cases[][3] = {
        {"{\"game\": \"zorde\",\n \"pairs\": 0, \"players\": []}", "bad.json:2:", "$.pairs"},
        {"{\"game\": \"zorde\",\n \"players\": [{\"name\": \"a\"}, {\"name\": \"b\", \"level\": "
         "\"level3\"}]}",
         "bad.json:2:", "$.players[0]"},
        {"{\"game\": \"zorde\",\n \"players\": [{\"name\": \"a\", \"level\": \"level99\"}, "
         "{\"name\": \"b\", \"level\": \"level3\"}]}",
         "$.players[0].level", "level99"},
        {"{\"game\": \"chess\", \"players\": [{\"name\": \"a\", \"level\": \"random\"}, {\"name\": "
         "\"b\", \"level\": \"random\"}]}",
         "$.game", "chess"},
        {"{\"game\": \"zorde\", \"players\": [{\"name\": \"a\", \"level\": \"random\"}, {\"name\": "
         "\"a\", \"level\": \"random\"}]}",
         "$.players[1].name", "a"},
        {"{\"game\": \"zorde\", \"playerz\": 1}", "playerz", "bad.json:1:"},
        {"{\"game\": \"zorde\", \"players\": [{\"name\": \"a\", \"exec\": \"x\", \"folder\": "
         "\"nowhere\"}, {\"name\": \"b\", \"level\": \"random\"}]}",
         "$.players[0].folder", "nowhere"},
        {"{\"game\": \"zorde\", \"presets\": [\"moon\"], \"players\": [{\"name\": \"a\", "
         "\"level\": "
         "\"random\"}, {\"name\": \"b\", \"level\": \"random\"}]}",
         "moon", "zorde"},
        {"{\"game\": \"zorde\", \"players\": [{\"name\": \"a\", \"standard\": \"x\"}, {\"name\": "
         "\"b\", \"level\": \"random\"}]}",
         "standard", "a "},
    };
    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        said(cases[i][0], text, sizeof text);
        if (strstr(text, cases[i][1]) == NULL || strstr(text, cases[i][2]) == NULL)
            fail_msg("case %u: %s", i, text);
    }
}

static void test_ratings_from_pairs(void **state) {
    RatedPair pairs[300];
    Estimate out[RATED_MAX], single;
    MatchPairs sums = {.won = 0};
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        pairs[i] = (RatedPair){{0, 1}, i % 4 == 0 ? 2 : 3};
        sums.counts[i % 4 == 0 ? 2 : 3]++;
    }
    bradley_terry_from_pairs(pairs, 100, 2, out);
    single = pairs_elo(&sums);
    /* The same as the estimate for two players, but for the half points that both are given. */
    assert_true(out[0].is - out[1].is > single.is - 5 && out[0].is - out[1].is < single.is + 5);
    double half = (single.high - single.low) / 2, mine = (out[0].high - out[0].low) / 2;
    assert_true(mine > 0.8 * half && mine < 1.2 * half);
    /* Without pairs nothing is known. */
    bradley_terry_from_pairs(pairs, 100, 3, out);
    assert_true(out[2].high - out[2].low >= 2 * ELO_MOST);
}

static void test_the_page_keeps_scripts_in(void **state) {
    (void)state;
    char *page = report_page("{\"name\":\"</script><b>\"}");
    assert_null(strstr(page, "</script><b>"));
    assert_non_null(strstr(page, "\\u003c/script>\\u003cb>"));
    free(page);
}

/* --- The live view ----------------------------------------------------------------------------
 */

/* Asks the view for a path; its answer with the head. */
static void get(const LiveView *view, const char *path, char *out, size_t max) {
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(live_view_port(view)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char request[256];
    int end = socket(AF_INET, SOCK_STREAM, 0);
    size_t count = 0;
    assert_int_equal(connect(end, (struct sockaddr *)&to, sizeof to), 0);
    int letters = snprintf(request, sizeof request,
                           "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path);
    assert_int_equal(write(end, request, (size_t)letters), letters);
    for (ssize_t more; count < max - 1 && (more = read(end, out + count, max - 1 - count)) > 0;)
        count += (size_t)more;
    out[count] = '\0';
    close(end);
}

/* The answer has this code, type and body; NULL: any body. */
static void expect(const LiveView *view, const char *path, const char *code, const char *type,
                   const char *body) {
    static char answer[1 << 17];
    get(view, path, answer, sizeof answer);
    char *end = strstr(answer, "\r\n\r\n");
    assert_non_null(end);
    *end = '\0';
    if (strncmp(answer + strlen("HTTP/1.1 "), code, strlen(code)) != 0 ||
        strstr(answer, type) == NULL || (body != NULL && strcmp(end + 4, body) != 0))
        fail_msg("%s: %s\n%s", path, answer, end + 4);
}

/* Writes a file of the tournament's folder. */
static void put_file(const char *folder, const char *name, const char *bytes) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(bytes, file);
    fclose(file);
}

static void test_the_live_view_shows_the_page_the_boards_and_files(void **state) {
    (void)state;
    char folder[] = "/tmp/test-live-XXXXXX", command[256], expected[8192], *json;
    Plan *plan = calloc(1, sizeof *plan);
    Runner *runner = calloc(1, sizeof *runner);
    assert_true(make_plan("\"pairs\": 2", 2, plan));
    PlayedLog log = {.plan = plan, .file = -1};
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "mkdir %s/matches %s/logs", folder, folder);
    assert_int_equal(system(command), 0);
    put_file(folder, "matches/00001.js", "replay(1);");
    put_file(folder, "matches/00001.json", "{}");
    put_file(folder, "matches/.hidden", "no");
    put_file(folder, "logs/00001-first.stderr.txt", "a word");
    put_file(folder, "results.jsonl", "no");
    *runner = (Runner){.plan = plan, .log = &log, .folder = folder, .jobs = 3, .total = 4};
    runner_init(runner);
    runner->boards[0].text = strdup("{\"match\":1}");
    runner->boards[2].text = strdup("{\"match\":2}");
    LiveView *view = live_view_open(runner, "127.0.0.1", 0);
    assert_non_null(view);
    json = report_json(&log, 4, false);
    snprintf(expected, sizeof expected, "{\"data\":%s,\"boards\":[{\"match\":1},{\"match\":2}]}",
             json);
    expect(view, "/live.json", "200", "application/json", expected);
    char *page = report_page(json);
    expect(view, "/", "200", "text/html; charset=utf-8", page);
    expect(view, "/index.html", "200", "text/html; charset=utf-8", page);
    free(page);
    free(json);
    expect(view, "/matches/00001.js", "200", "text/javascript; charset=utf-8", "replay(1);");
    expect(view, "/matches/00001.json", "200", "application/json", "{}");
    expect(view, "/logs/00001-first.stderr.txt", "200", "text/plain", "a word");
    static const char *const absent[] = {
        "/matches/",      "/matches/.hidden", "/matches/00002.js", "/logs/../results.jsonl",
        "/results.jsonl", "/matches",         "/logs/.",           "/matches/0000%31.js"};
    for (uint32_t i = 0; i < sizeof absent / sizeof *absent; i++)
        expect(view, absent[i], "404", "", "there is no such page\n");
    free(runner->boards[0].text);
    runner->boards[0].text = NULL;
    live_view_finish(view);
    json = report_json(&log, 4, true);
    snprintf(expected, sizeof expected, "{\"data\":%s,\"boards\":[{\"match\":2}]}", json);
    expect(view, "/live.json", "200", "application/json", expected);
    page = report_page(json);
    expect(view, "/", "200", "text/html; charset=utf-8", page);
    free(page);
    free(json);
    assert_null(live_view_open(runner, "127.0.0.1", live_view_port(view)));
    assert_null(live_view_open(runner, "nowhere", 0));
    live_view_close(view);
    live_view_close(NULL);
    free(runner->boards[2].text);
    plan_release(plan);
    free(plan);
    free(runner);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_robins_survive_kills),
        cmocka_unit_test(test_swiss_tournaments_survive_kills),
        cmocka_unit_test(test_knock_outs_survive_kills),
        cmocka_unit_test(test_gauntlets_survive_kills),
        cmocka_unit_test(test_second_stages_survive_kills),
        cmocka_unit_test(test_a_test_ends_a_meeting_early),
        cmocka_unit_test(test_a_test_counts_its_own_meeting),
        cmocka_unit_test(test_problems_name_line_and_path),
        cmocka_unit_test(test_ratings_from_pairs),
        cmocka_unit_test(test_the_page_keeps_scripts_in),
        cmocka_unit_test(test_the_live_view_shows_the_page_the_boards_and_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
