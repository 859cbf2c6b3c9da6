/* schedule.h -- what is to be played next, and the table: from the plan and what was played. */
#ifndef CLI_TOURNAMENT_SCHEDULE_H
#define CLI_TOURNAMENT_SCHEDULE_H
#include "cli/tournament/played.h"
#include "tournament/standings.h"

/* A list of matches to play, allocated. */
typedef struct Schedule {
    PlayedMatch *list; /* stage, round, preset, pair, turn and players are set */
    uint32_t count, max;
    bool over; /* nothing follows these */
} Schedule;

/* The standings of a stage. */
typedef struct StageTable {
    uint32_t count;
    uint16_t members[PLAN_PLAYERS_MAX];   /* who takes part: numbers in the plan */
    TournamentRow rows[PLAN_PLAYERS_MAX]; /* the best first; `player` is a number in the plan */
} StageTable;

/* All matches that can be played now and were not: those of the current round, or of all rounds
 * where these do not depend on results. Empty and over: the tournament is finished. */
void schedule_next(const PlayedLog *log, Schedule *out);
void schedule_release(Schedule *schedule);
/* How many matches the tournament has, as far as it is known. */
uint32_t schedule_total(const PlayedLog *log);
/* The table of a stage. False: it has not begun. */
bool schedule_table(const PlayedLog *log, uint32_t stage, StageTable *out);
/* Is the test of a meeting decided? Always false without a test. */
bool schedule_settled(const PlayedLog *log, const PlayedMatch *match);
/* The rounds of a stage with so many players. */
uint32_t schedule_rounds(const PlanStage *stage, uint32_t players);

#endif
