/* runner.c -- see runner.h. */
#define _GNU_SOURCE
#include "cli/tournament/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "cli/files.h"
#include "cli/match_files.h"
#include "cli/tournament/frames.h"
#include "client/exec_command.h"

enum { COMMAND_BYTES = 8192, SHOW_EVERY_MS = 200, WATCH_US = 50000, FRAMES_BYTES = 1 << 16 };

atomic_bool runner_stop;

static const char *const seats[] = {"first", "second"};

/* --- Files -------------------------------------------------------------------------------------
 */

void runner_path(const char *folder, const char *kind, int32_t number, const char *ending,
                 char out[RUNNER_PATH_BYTES]) {
    snprintf(out, RUNNER_PATH_BYTES, "%s/%s/%05d%s", folder, kind, number, ending);
}

/* The path of what a program writes on one of its outputs. */
static void output_path(const Runner *runner, const PlayedMatch *match, uint8_t seat,
                        const char *ending, char out[RUNNER_PATH_BYTES]) {
    char name[64];
    snprintf(name, sizeof name, "-%s.%s.txt", seats[seat], ending);
    runner_path(runner->folder, "logs", match->number, name, out);
}

void runner_command(const Runner *runner, const PlayedMatch *match, uint8_t seat,
                    const char *command, MashText *text) {
    const PlanPlayer *player = &runner->plan->players[match->players[seat]];
    char path[RUNNER_PATH_BYTES];
    ExecSurroundings around = {.folder = player->folder,
                               .wrapper = player->wrapper,
                               .offline = player->offline == PLAN_OFFLINE ? runner->offline : NULL,
                               .memory_mb = (uint32_t)player->memory_mb,
                               .cpu_s = (uint32_t)player->cpu_s};
    if (runner->folder != NULL) {
        output_path(runner, match, seat, "stderr", path);
        around.errors = path;
    }
    exec_command_write(&around, command, text);
}

/* Writes the boards of a match as a script that hands them to the page: pages from a disk may read
 * scripts, but no other files. */
static bool write_boards(const char *path, const PlayedMatch *played, Match *match) {
    uint32_t max = FRAMES_BYTES;
    for (;;) {
        char *memory = cli_memory(max);
        MashText text = text_over(memory, max);
        JsonWriter writer = json_writer(&text, 0);
        text_format(&text, "replay(%d,", played->number);
        json_open(&writer, '{');
        frames_head(match->content, &writer);
        json_put_key(&writer, "frames");
        frames_all(match, &writer);
        json_close(&writer, '}');
        text_string(&text, ");\n");
        bool fine = text.truncated || files_write(path, memory, text.count);
        bool again = text.truncated;
        free(memory);
        if (!again)
            return fine;
        max *= 2;
    }
}

bool runner_keep_match(const Runner *runner, const PlayedMatch *played, Match *match,
                       const GameConfig *config) {
    char path[RUNNER_PATH_BYTES];
    const char *names[] = {played->sides[0].name, played->sides[1].name};
    if (runner->folder == NULL)
        return true;
    runner_path(runner->folder, "matches", played->number, ".json", path);
    if (!saved_match_write(path, match, config, names))
        return false;
    runner_path(runner->folder, "matches", played->number, ".js", path);
    return write_boards(path, played, match);
}

/* Removes the files of a match in which nothing was written. */
static void drop_empty(const Runner *runner, const PlayedMatch *match) {
    static const char *const endings[] = {"stderr", "stdout"};
    for (uint8_t i = 0; i < 4 && runner->folder != NULL; i++) {
        char path[RUNNER_PATH_BYTES];
        struct stat about;
        output_path(runner, match, i / 2, endings[i % 2], path);
        if (stat(path, &about) == 0 && about.st_size == 0)
            unlink(path);
    }
}

/* --- One match ---------------------------------------------------------------------------------
 */

/* Shows the board of a match that is being played. */
static bool watch(void *watcher, const Match *match) {
    RunnerWorker *worker = watcher;
    Runner *runner = worker->runner;
    uint64_t now_ms = progress_clock_ms();
    if (!runner->live || now_ms < worker->shown_ms + SHOW_EVERY_MS)
        return !atomic_load(&runner_stop);
    worker->shown_ms = now_ms;
    char *memory = cli_memory(FRAMES_BYTES);
    MashText text = text_over(memory, FRAMES_BYTES);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '{');
    JSON_PUT_INTS(&writer, {"match", worker->match.number}, {"actions", match->actions_count});
    json_open_list(&writer, "players");
    for (int seat = 0; seat < MASH_SEATS; seat++)
        json_put_string(&writer, worker->match.sides[seat].name);
    json_close(&writer, ']');
    json_put_pair(&writer, "preset", worker->match.preset);
    frames_head(match->content, &writer);
    json_put_key(&writer, "board");
    frames_board(match->content, match->state, &match->events, &writer);
    json_close(&writer, '}');
    pthread_mutex_lock(&runner->lock);
    RunnerBoard *board = &runner->boards[worker->number];
    free(board->text);
    board->text = text.truncated ? NULL : memory;
    board->version++;
    pthread_mutex_unlock(&runner->lock);
    if (text.truncated)
        free(memory);
    return !atomic_load(&runner_stop);
}

/* A program for the seat: a new one, or the one that goes on running. */
static ExecPlayer *program_of(RunnerWorker *worker, uint8_t seat, int *record) {
    Runner *runner = worker->runner;
    uint16_t player = worker->match.players[seat];
    char command[COMMAND_BYTES], path[RUNNER_PATH_BYTES];
    MashText text = text_over(command, sizeof command);
    *record = -1;
    if (runner->keep && worker->kept[player] != NULL)
        return worker->kept[player];
    runner_command(runner, &worker->match, seat, runner->plan->players[player].exec, &text);
    ExecPlayer *program = exec_player_open(command);
    if (program == NULL)
        return NULL;
    if (runner->folder != NULL) {
        output_path(runner, &worker->match, seat, "stdout", path);
        *record = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        exec_player_record(program, *record);
    }
    if (runner->keep)
        worker->kept[player] = program;
    return program;
}

/* The program that plays on the seat now: Ctrl-C kills it. */
static void name_program(RunnerWorker *worker, uint8_t seat, ExecPlayer *program) {
    pthread_mutex_lock(&worker->runner->lock);
    worker->programs[seat] = program;
    pthread_mutex_unlock(&worker->runner->lock);
}

/* The table for a board, opened when it is first needed. */
static SelfPlay *play_of(RunnerWorker *worker, uint32_t preset) {
    SelfPlay *play = &worker->plays[preset];
    if (!worker->opened[preset]) {
        self_play_open(play, &worker->runner->plan->configs[preset], 0, 0);
        play->quiet = true;
        play->watch = watch;
        play->watcher = worker;
        worker->opened[preset] = true;
    }
    return play;
}

/* The seed of a match: the same for both of a pair. */
static MashSeed seed_of(const Plan *plan, const PlayedMatch *match, uint32_t preset) {
    uint16_t low = match->players[match->players[1] < match->players[0]];
    uint16_t high = match->players[match->players[1] > match->players[0]];
    uint64_t hash = hash_number(hash_number(match->stage, (uint64_t)match->round), preset);
    hash = hash_number(hash_number(hash, low), high);
    return (MashSeed){{(uint64_t)plan->seed, hash_number(hash, (uint64_t)match->pair)}};
}

/* How a program's failure is called. */
static PlayedEnd end_of(const SelfFailure *failure) {
    if (!failure->failed)
        return PLAYED_WELL;
    if (failure->never_ran && failure->how != EXEC_ILLEGAL)
        return failure->how == EXEC_LATE ? PLAYED_LATE : PLAYED_NOT_RUN;
    return failure->how == EXEC_LATE      ? PLAYED_LATE
           : failure->how == EXEC_ILLEGAL ? PLAYED_ILLEGAL
                                          : PLAYED_CRASHED;
}

/* Fills in how a match ended. */
static void fill_in(PlayedMatch *match, const SelfPlay *play, const ThinkingUsage *usages) {
    MashResult result = match_result(&play->match);
    match->winner = result.winner < MASH_SEATS ? result.winner : -1;
    match->actions = (int32_t)play->match.actions_count;
    const char *reason =
        play->config->game->id_of(play->config->content, MASH_NAME_REASON, result.reason);
    snprintf(match->reason, sizeof match->reason, "%s", reason == NULL ? "over" : reason);
    for (int seat = 0; seat < MASH_SEATS; seat++) {
        PlayedSide *side = &match->sides[seat];
        side->end = (uint8_t)end_of(&play->failures[seat]);
        snprintf(side->why, sizeof side->why, "%s", play->failures[seat].problem);
        side->slowest_ms = (int32_t)(usages[seat].worst_us / 1000);
    }
}

/* The number of the board in the plan. */
static uint32_t preset_of(const Plan *plan, const PlayedMatch *match) {
    uint32_t preset = 0;
    while (strcmp(plan->presets[preset], match->preset) != 0)
        preset++;
    return preset;
}

/* Plays a match once. False: it was broken off, or could not be played at all. */
static bool play_once(RunnerWorker *worker, uint32_t preset) {
    const Plan *plan = worker->runner->plan;
    PlayedMatch *match = &worker->match;
    SelfPlayer players[MASH_SEATS];
    ThinkingUsage usages[MASH_SEATS] = {{0}};
    const SelfPlayer *sat[] = {&players[0], &players[1]};
    ThinkingUsage *used[] = {&usages[0], &usages[1]};
    int records[MASH_SEATS] = {-1, -1};
    uint32_t refused[MASH_SEATS] = {0};
    SelfPlay *play = play_of(worker, preset);
    MashResult result;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const PlanPlayer *player = &plan->players[match->players[seat]];
        players[seat] = (SelfPlayer){.name = player->name,
                                     .turn_ms = (uint32_t)player->turn_ms,
                                     .bank_ms = (uint32_t)player->bank_ms,
                                     .startup_ms = (uint32_t)player->startup_ms};
        players[seat].skill = player->level[0] == '\0' ? NULL : ai_skill_find(player->level);
        if (players[seat].skill == NULL)
            players[seat].program = program_of(worker, seat, &records[seat]);
        refused[seat] =
            players[seat].program == NULL ? 0 : exec_player_refusals(players[seat].program);
        name_program(worker, seat, players[seat].program);
    }
    bool fine = self_play_match(play, seed_of(plan, match, preset), sat, used, &result);
    fill_in(match, play, usages);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        ExecPlayer *program = players[seat].program;
        name_program(worker, seat, NULL);
        match->sides[seat].refused =
            program == NULL ? 0 : (int32_t)(exec_player_refusals(program) - refused[seat]);
        if (!worker->runner->keep)
            exec_player_close(program);
        if (records[seat] >= 0 && !worker->runner->keep)
            close(records[seat]);
    }
    return fine && !play->broken_off && !atomic_load(&runner_stop);
}

/* Plays a match; one in which a program did not start is begun again a few times. */
static bool play_match(RunnerWorker *worker) {
    Runner *runner = worker->runner;
    PlayedMatch *match = &worker->match;
    uint32_t preset = preset_of(runner->plan, match);
    const GameConfig *config = &runner->plan->configs[preset];
    bool standard = false, fine = false, again = true;
    for (int seat = 0; seat < MASH_SEATS; seat++) {
        const PlanPlayer *player = &runner->plan->players[match->players[seat]];
        memcpy(match->sides[seat].name, player->name, sizeof player->name);
        standard = standard || player->standard[0] != '\0';
    }
    for (match->starts = 0; again && match->starts < RUNNER_STARTS_MAX;) {
        match->starts++;
        fine = standard ? standard_match_play(runner, config, match) : play_once(worker, preset);
        again = fine &&
                (match->sides[0].end == PLAYED_NOT_RUN || match->sides[1].end == PLAYED_NOT_RUN);
    }
    drop_empty(runner, match);
    return fine && !atomic_load(&runner_stop) &&
           (standard || runner_keep_match(runner, match, &worker->plays[preset].match, config));
}

/* --- Many matches ------------------------------------------------------------------------------
 */

/* Takes the next match. False: there is none. */
static bool take_match(RunnerWorker *worker) {
    Runner *runner = worker->runner;
    bool taken = false;
    pthread_mutex_lock(&runner->lock);
    while (!taken && !runner->failed && !atomic_load(&runner_stop) &&
           runner->next < runner->schedule.count) {
        worker->match = runner->schedule.list[runner->next++];
        taken = worker->match.turn == 1 || !schedule_settled(runner->log, &worker->match);
        if (!taken)
            runner->next += runner->next < runner->schedule.count &&
                            runner->schedule.list[runner->next].turn == 1;
    }
    worker->match.number = taken ? ++runner->numbers : 0;
    pthread_mutex_unlock(&runner->lock);
    return taken;
}

/* Writes down a match. */
static void note(RunnerWorker *worker, bool fine) {
    Runner *runner = worker->runner;
    pthread_mutex_lock(&runner->lock);
    if (fine && played_add(runner->log, &worker->match)) {
        if (runner->played != NULL)
            runner->played(runner->owner, &worker->match);
    } else if (!atomic_load(&runner_stop)) {
        runner->failed = true;
    }
    progress_show(&runner->progress, runner->log->count, runner->total);
    pthread_mutex_unlock(&runner->lock);
}

/* A thread. */
static void *work(void *owner) {
    RunnerWorker *worker = owner;
    Runner *runner = worker->runner;
    while (take_match(worker))
        note(worker, play_match(worker));
    for (uint32_t i = 0; i < PLAN_PRESETS_MAX; i++)
        if (worker->opened[i])
            self_play_close(&worker->plays[i]);
    for (uint32_t i = 0; i < PLAN_PLAYERS_MAX; i++)
        exec_player_close(worker->kept[i]);
    pthread_mutex_lock(&runner->lock);
    free(runner->boards[worker->number].text);
    runner->boards[worker->number].text = NULL;
    runner->working--;
    pthread_mutex_unlock(&runner->lock);
    return NULL;
}

/* Waits for all threads; when it is to stop, programs that think are killed. */
static void wait_for_all(Runner *runner) {
    for (uint32_t left = 1; left > 0;) {
        usleep(WATCH_US);
        pthread_mutex_lock(&runner->lock);
        left = runner->working;
        for (uint32_t i = 0; i < 2 * runner->jobs && atomic_load(&runner_stop); i++) {
            ExecPlayer *program = runner->workers[i / 2].programs[i % 2];
            if (program != NULL)
                exec_player_interrupt(program);
        }
        pthread_mutex_unlock(&runner->lock);
    }
}

bool runner_play_list(Runner *runner) {
    uint32_t jobs = runner->jobs < runner->schedule.count ? runner->jobs : runner->schedule.count;
    runner->next = 0;
    runner->workers = cli_memory(runner->jobs * sizeof *runner->workers);
    for (uint32_t i = 0; i < runner->log->count; i++)
        if (runner->log->list[i].number > runner->numbers)
            runner->numbers = runner->log->list[i].number;
    runner->working = jobs;
    uint32_t started = 0;
    for (; started < jobs; started++) {
        RunnerWorker *worker = &runner->workers[started];
        worker->runner = runner;
        worker->number = started;
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            break;
    }
    pthread_mutex_lock(&runner->lock);
    runner->working -= jobs - started;
    pthread_mutex_unlock(&runner->lock);
    wait_for_all(runner);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(runner->workers[i].thread, NULL);
    free(runner->workers);
    runner->workers = NULL;
    return started > 0 && !runner->failed && !atomic_load(&runner_stop);
}

void runner_init(Runner *runner) { pthread_mutex_init(&runner->lock, NULL); }

bool runner_play(Runner *runner) {
    bool fine = true;
    runner->progress = progress_begin();
    while (fine) {
        schedule_next(runner->log, &runner->schedule);
        bool over = runner->schedule.over;
        if (!over)
            fine = runner_play_list(runner);
        schedule_release(&runner->schedule);
        if (over)
            break;
    }
    progress_end(&runner->progress);
    return fine;
}
