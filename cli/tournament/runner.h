/* runner.h -- plays the matches of a tournament, several at the same time, and keeps what programs
 * wrote. */
#ifndef CLI_TOURNAMENT_RUNNER_H
#define CLI_TOURNAMENT_RUNNER_H
#include <pthread.h>
#include <stdatomic.h>

#include "cli/commands/self_play.h"
#include "cli/progress.h"
#include "cli/tournament/schedule.h"

/* Limits. */
enum {
    RUNNER_JOBS_MAX = 64,
    RUNNER_STARTS_MAX = 3, /* of a match in which a program did not start */
    RUNNER_PATH_BYTES = 4096,
};

/* What a worker shows of its match. */
typedef struct RunnerBoard {
    uint64_t version; /* changes with the text */
    char *text;       /* JSON, allocated; NULL: it plays nothing */
} RunnerBoard;

typedef struct Runner Runner;

/* A thread that plays one match after the other. */
typedef struct RunnerWorker {
    Runner *runner;
    pthread_t thread;
    uint32_t number;
    SelfPlay plays[PLAN_PRESETS_MAX];
    bool opened[PLAN_PRESETS_MAX];
    ExecPlayer *programs[MASH_SEATS];   /* that are playing; under the lock */
    ExecPlayer *kept[PLAN_PLAYERS_MAX]; /* Runner.keep: programs that go on running */
    PlayedMatch match;
    uint64_t shown_ms;
} RunnerWorker;

/* A tournament that is being played. */
struct Runner {
    const Plan *plan;
    PlayedLog *log;
    const char *folder;  /* for matches/ and logs/; NULL: nothing is kept */
    const char *offline; /* words that take the network away */
    uint32_t jobs;
    bool keep; /* programs are not started anew for each match */
    bool live; /* boards are shown while they are played */
    uint32_t total;
    void (*played)(void *owner, const PlayedMatch *match); /* under the lock; or NULL */
    void *owner;
    Progress progress;
    pthread_mutex_t lock; /* of everything below, and of the log */
    Schedule schedule;
    uint32_t next; /* of the schedule */
    int32_t numbers;
    uint32_t working;
    bool failed;
    RunnerBoard boards[RUNNER_JOBS_MAX];
    RunnerWorker *workers;
};

/* Set by Ctrl-C: matches in progress are dropped, and runner_play() returns. */
extern atomic_bool runner_stop;

/* Prepares the lock; the members above it are set by the caller. */
void runner_init(Runner *runner);
/* Plays everything that is left. False: it was stopped, or something could not be written. */
bool runner_play(Runner *runner);
/* Plays one list of matches (runner->schedule). */
bool runner_play_list(Runner *runner);

/* The path of a file of a match: FOLDER/KIND/00012ENDING. */
void runner_path(const char *folder, const char *kind, int32_t number, const char *ending,
                 char out[RUNNER_PATH_BYTES]);
/* Writes what a match leaves: its file and its boards. False: an error was printed. */
bool runner_keep_match(const Runner *runner, const PlayedMatch *played, Match *match,
                       const GameConfig *config);
/* The command that runs a player's program, with its output on standard error going to a file of
 * the match. */
void runner_command(const Runner *runner, const PlayedMatch *match, uint8_t seat,
                    const char *command, MashText *text);

/* Plays a match in which at least one player speaks the Marvelous Mashup standard, at a server of
 * its own: standard_match.c. False: it could not be played; an error was printed. */
bool standard_match_play(const Runner *runner, const GameConfig *config, PlayedMatch *match);

#endif
