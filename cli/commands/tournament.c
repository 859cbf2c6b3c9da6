/* tournament.c -- mashup tournament: programs, levels and clients of the standard play each other
 * without a server, and a folder with the results that can be published. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ai/ai.h"
#include "cli/files.h"
#include "cli/tournament/live_view.h"
#include "cli/tournament/report.h"
#include "client/exec_command.h"

enum { REPORT_EVERY_MS = 5000, QUICK_PAIRS = 100, QUICK_TURN_MS = 10000, WAIT_US = 100000 };

/* The tournament of the command, as its parts see it. */
typedef struct TournamentRun {
    Plan *plan;
    PlayedLog log;
    Runner runner;
    uint64_t report_ms; /* when the page is written next */
} TournamentRun;

/* --- Ctrl-C ------------------------------------------------------------------------------------
 */

/* The first one stops the tournament, the next one the program. */
static void on_signal(int number) {
    atomic_store(&runner_stop, true);
    signal(number, SIG_DFL);
}

/* Takes SIGINT and SIGTERM. */
static void take_signals(void) {
    atomic_store(&runner_stop, false);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

/* --- Preparing ---------------------------------------------------------------------------------
 */

/* How many matches at once: --jobs, or one for each processor. */
static uint32_t jobs_of(const Arguments *given) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = flag_number(given, "jobs");
    if (jobs == 0)
        jobs = processors < 1 ? 1 : (uint64_t)processors;
    return jobs > RUNNER_JOBS_MAX ? RUNNER_JOBS_MAX : (uint32_t)jobs;
}

/* Finds out how the network is taken away, if that is asked for. False: an error was printed. */
static bool find_offline(const Plan *plan, Runner *runner) {
    bool wanted = false;
    for (uint32_t i = 0; i < plan->players_count; i++)
        wanted = wanted || plan->players[i].offline == PLAN_OFFLINE;
    runner->offline = wanted ? exec_offline_words() : NULL;
    if (!wanted || runner->offline != NULL)
        return true;
    fprintf(stderr, "mashup: nothing here can take the network away from programs: install "
                    "bubblewrap (bwrap), or leave \"network\" out\n");
    return false;
}

/* Makes the folders of the output. */
static bool make_folders(const char *folder) {
    static const char *const parts[] = {"matches", "logs"};
    for (uint32_t i = 0; i < 2; i++) {
        char path[RUNNER_PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
        if (!files_make_folder(path))
            return false;
    }
    return true;
}

/* --- The whole tournament ----------------------------------------------------------------------
 */

/* A match is over: the page is written now and then. */
static void on_played(void *owner, const PlayedMatch *match) {
    TournamentRun *run = owner;
    (void)match;
    if (progress_clock_ms() < run->report_ms)
        return;
    report_write(&run->log, run->runner.folder, run->runner.total, false);
    run->report_ms = progress_clock_ms() + REPORT_EVERY_MS;
}

/* Waits until Ctrl-C while the page is served. */
static void serve_on(LiveView *view) {
    live_view_finish(view);
    fprintf(stderr, "mashup: the page stays at port %u until Ctrl-C\n", live_view_port(view));
    while (!atomic_load(&runner_stop))
        usleep(WAIT_US);
}

/* Plays all that is left, with the page over HTTP if it is asked for. An exit code. */
static int play_all(TournamentRun *run, const Arguments *given) {
    Runner *runner = &run->runner;
    LiveView *view = NULL;
    if (flag_given(given, "serve")) {
        const char *address = flag_text(given, "address");
        address = address == NULL ? "127.0.0.1" : address;
        runner->live = true;
        view = live_view_open(runner, address, (uint16_t)flag_number(given, "serve"));
        if (view == NULL)
            return CLI_CHECK_FAILED;
        printf("live at http://%s:%u/\n", address, live_view_port(view));
        fflush(stdout);
    }
    report_write(&run->log, runner->folder, runner->total, false);
    bool fine = runner_play(runner);
    bool written = report_write(&run->log, runner->folder, runner->total, fine);
    if (fine && written) {
        report_print(&run->log);
        printf("\n%u matches; the page: %s/index.html\n", run->log.count, runner->folder);
        fflush(stdout);
        if (view != NULL)
            serve_on(view);
    } else if (atomic_load(&runner_stop)) {
        fprintf(stderr,
                "mashup: stopped after %u of %u matches. Go on with:\n"
                "  mashup tournament %s --output %s --resume\n",
                run->log.count, runner->total, given->words[0], flag_text(given, "output"));
    }
    live_view_close(view);
    return fine && written ? CLI_FINE : CLI_CHECK_FAILED;
}

/* Plays the tournament of a file. An exit code. */
static int play_file(const Arguments *given, Plan *plan) {
    TournamentRun *run = cli_memory(sizeof *run);
    const char *output = flag_text(given, "output");
    char *folder;
    int exit_code = CLI_CHECK_FAILED;
    if (output == NULL) {
        free(run);
        return cli_wrong_use(given->command, "--output DIR says where the results go");
    }
    if (!make_folders(output) || (folder = realpath(output, NULL)) == NULL) {
        free(run);
        return CLI_CHECK_FAILED;
    }
    run->plan = plan;
    run->runner = (Runner){.plan = plan,
                           .log = &run->log,
                           .folder = folder,
                           .jobs = jobs_of(given),
                           .played = on_played,
                           .owner = run};
    runner_init(&run->runner);
    if (find_offline(plan, &run->runner) &&
        played_open(&run->log, plan, folder, flag_given(given, "resume"))) {
        run->runner.total = schedule_total(&run->log);
        if (run->log.count > 0)
            fprintf(stderr, "mashup: %u matches were played before\n", run->log.count);
        exit_code = play_all(run, given);
    }
    played_close(&run->log);
    free(folder);
    free(run);
    return exit_code;
}

/* --- --check -----------------------------------------------------------------------------------
 */

/* Prints how a player did against random. True: well. */
static bool print_check(const PlayedLog *log, uint16_t player) {
    uint32_t matches = 0, points = 0, refused = 0;
    int32_t slowest = 0;
    const PlayedSide *bad = NULL;
    for (uint32_t i = 0; i < log->count; i++)
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
            const PlayedSide *side = &log->list[i].sides[seat];
            if (log->list[i].players[seat] != player)
                continue;
            matches++;
            points += played_points(&log->list[i], seat);
            refused += (uint32_t)side->refused;
            slowest = side->slowest_ms > slowest ? side->slowest_ms : slowest;
            bad = bad == NULL && side->end != PLAYED_WELL ? side : bad;
        }
    printf("%-20s ", log->plan->players[player].name);
    if (bad != NULL)
        printf("%s: %s", played_ends[bad->end], bad->why);
    else
        printf("well");
    printf("; %.1f of %u against random, %u refused, slowest answer %d ms\n", points / 2.0, matches,
           refused, slowest);
    return bad == NULL;
}

/* Every program plays two matches against random. An exit code. */
static int check(const Arguments *given, Plan *plan) {
    uint16_t random = plan->players_count;
    PlayedLog log = {.plan = plan, .file = -1};
    Runner runner = {.plan = plan, .log = &log, .jobs = jobs_of(given)};
    bool fine = true;
    if (random == PLAN_PLAYERS_MAX)
        return cli_wrong_use(given->command, "--check takes %d players at most",
                             PLAN_PLAYERS_MAX - 1);
    plan->players[random] = (PlanPlayer){.name = "random", .level = "random"};
    runner_init(&runner);
    if (!find_offline(plan, &runner))
        return CLI_CHECK_FAILED;
    PlayedMatch *list = cli_memory(2 * PLAN_PLAYERS_MAX * sizeof *list);
    for (uint16_t i = 0; i < random; i++)
        for (uint8_t turn = 0; turn < MASH_SEATS && plan->players[i].level[0] == '\0'; turn++) {
            PlayedMatch *match = &list[runner.schedule.count++];
            memcpy(match->preset, plan->presets[0], sizeof match->preset);
            match->players[turn] = i;
            match->players[1 - turn] = random;
            match->turn = turn;
        }
    runner.total = runner.schedule.count;
    runner.schedule.list = list;
    runner.progress = progress_begin();
    bool played = runner.schedule.count == 0 || runner_play_list(&runner);
    progress_end(&runner.progress);
    for (uint16_t i = 0; i < random && played; i++)
        if (plan->players[i].level[0] == '\0')
            fine = print_check(&log, i) && fine;
    free(list);
    played_close(&log);
    return played && fine ? CLI_FINE : CLI_CHECK_FAILED;
}

/* --- --quick -----------------------------------------------------------------------------------
 */

/* A player by a word: a level, or a command. */
static void quick_player(PlanPlayer *player, const char *word, uint32_t number,
                         const Arguments *given) {
    bool level = ai_skill_find(word) != NULL;
    *player = (PlanPlayer){.turn_ms = (int32_t)flag_number(given, "turn-ms"),
                           .startup_ms = PLAN_STARTUP_MS};
    snprintf(player->name, sizeof player->name, "%u", number);
    snprintf(level ? player->level : player->exec,
             level ? sizeof player->level : sizeof player->exec, "%s", word);
}

/* Two players, many pairs, one line. An exit code. */
static int quick(const Arguments *given, Plan *plan) {
    const char *game = flag_text(given, "game"), *preset = flag_text(given, "preset");
    PlayedLog log = {.plan = plan, .file = -1};
    Runner runner = {.plan = plan, .log = &log, .jobs = jobs_of(given), .keep = true};
    MatchPairs sums = {.won = 0};
    RatedPair *pairs;
    uint64_t began_ms = progress_clock_ms();
    if (given->count != 2)
        return cli_wrong_use(given->command, "--quick takes two players: a level or a command");
    if (game_config_game(given, game == NULL ? "zorde" : game) == NULL)
        return CLI_WRONG_USE;
    snprintf(plan->game, sizeof plan->game, "%s", game == NULL ? "zorde" : game);
    if (preset != NULL)
        snprintf(plan->presets[plan->presets_count++], PLAN_NAME_BYTES, "%s", preset);
    plan->seed = 1;
    plan->first = (PlanStage){.pairs = (int32_t)flag_number(given, "pairs"), .champions = 1};
    plan->players_count = 2;
    for (uint32_t i = 0; i < 2; i++)
        quick_player(&plan->players[i], given->words[i], i, given);
    for (uint32_t i = 0; i < 2; i++) {
        const AiSkill *skill = ai_skill_find(plan->players[i].level);
        if (skill != NULL &&
            !game_config_has_level(given->command, mash_game_find(plan->game), skill->level))
            return CLI_WRONG_USE;
    }
    if (!plan_load(plan))
        return CLI_WRONG_USE;
    runner_init(&runner);
    runner.total = schedule_total(&log);
    bool fine = runner_play(&runner);
    uint32_t count = report_pairs(&log, &pairs), failed = 0;
    for (uint32_t i = 0; i < count; i++)
        sums.counts[pairs[i].players[0] == 0 ? pairs[i].halves : 4 - pairs[i].halves]++;
    const PlayedSide *bad = NULL;
    for (uint32_t i = 0; i < 2 * log.count; i++) {
        const PlayedSide *side = &log.list[i / 2].sides[i % 2];
        failed += side->end != PLAYED_WELL;
        bad = bad == NULL && side->end != PLAYED_WELL ? side : bad;
    }
    Estimate elo = pairs_elo(&sums);
    printf("%s against %s: %+.0f ± %.0f Elo, %u matches of %s in %.1f s\n", given->words[0],
           given->words[1], elo.is, (elo.high - elo.low) / 2, 2 * count, plan->game,
           (double)(progress_clock_ms() - began_ms) / 1000);
    if (bad != NULL)
        printf("%u matches were lost by a failure; the first: %s %s: %s\n", failed,
               given->words[bad->name[0] - '0'], played_ends[bad->end], bad->why);
    free(pairs);
    played_close(&log);
    return fine ? CLI_FINE : CLI_CHECK_FAILED;
}

/* --- The command -------------------------------------------------------------------------------
 */

static const Flag flags[] = {FLAG_TEXT("output"),
                             FLAG_WHOLE("jobs", 1, RUNNER_JOBS_MAX, 0),
                             FLAG_SWITCH("resume"),
                             FLAG_SWITCH("check"),
                             FLAG_WHOLE("serve", 0, 65535, 0),
                             FLAG_TEXT("address"),
                             FLAG_SWITCH("quick"),
                             FLAG_TEXT("game"),
                             FLAG_TEXT("preset"),
                             FLAG_WHOLE("pairs", 1, 1000000, QUICK_PAIRS),
                             FLAG_WHOLE("turn-ms", 1, 3600000, QUICK_TURN_MS),
                             FLAG_SWITCH("schema"),
                             FLAG_SWITCH("reference"),
                             FLAGS_END};

static int run(const Arguments *given) {
    if (flag_given(given, "schema") || flag_given(given, "reference")) {
        if (flag_given(given, "schema"))
            plan_print_schema();
        else
            plan_print_reference();
        return CLI_FINE;
    }
    Plan *plan = cli_memory(sizeof *plan);
    int exit_code = CLI_WRONG_USE;
    take_signals();
    if (flag_given(given, "quick"))
        exit_code = quick(given, plan);
    else if (given->count != 1)
        exit_code = cli_wrong_use(given->command, "a tournament is described by one file");
    else if (plan_read(given->words[0], plan))
        exit_code = flag_given(given, "check") ? check(given, plan) : play_file(given, plan);
    plan_release(plan);
    free(plan);
    return exit_code;
}

const Command command_tournament = {
    "tournament",
    "Plays tournaments of programs and levels, without a server.",
    "tournament FILE --output DIR [--jobs N] [--resume] [--check]\n"
    "                  [--serve PORT [--address A]]\n"
    "       mashup tournament --quick A B [--game GAME] [--preset P] [--pairs N]\n"
    "                  [--turn-ms N] [--jobs N]\n"
    "       mashup tournament --schema | --reference",
    run,
    flags,
    0,
    2,
    NULL};
