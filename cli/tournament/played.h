/* played.h -- the matches of a tournament that are over, in a file that only grows: results.jsonl,
 * one line for each, safely on disk before the next match of that worker begins. After a kill the
 * tournament goes on from it. */
#ifndef CLI_TOURNAMENT_PLAYED_H
#define CLI_TOURNAMENT_PLAYED_H
#include "cli/tournament/plan.h"

/* How a match ended for one player. */
typedef enum PlayedEnd {
    PLAYED_WELL,
    PLAYED_CRASHED, /* its program ended */
    PLAYED_LATE,    /* its program did not answer in time */
    PLAYED_ILLEGAL, /* its program insisted on an illegal action */
    PLAYED_NOT_RUN, /* its program did not even start, however often it was tried */
} PlayedEnd;

/* Bytes of a reason. */
enum { PLAYED_WHY_BYTES = 256 };

/* What a match was for one of its players. */
typedef struct PlayedSide {
    char name[PLAN_NAME_BYTES];
    uint8_t end; /* PlayedEnd */
    char why[PLAYED_WHY_BYTES];
    int32_t slowest_ms; /* answer */
    int32_t refused;    /* answers */
} PlayedSide;

/* Which match of the tournament, and how it ended. */
typedef struct PlayedMatch {
    int32_t number; /* of its files */
    uint8_t stage;
    int32_t round;
    char preset[PLAN_NAME_BYTES];
    int32_t pair;
    uint8_t turn;                 /* of the pair: 0 or 1 */
    PlayedSide sides[MASH_SEATS]; /* by seat */
    int32_t winner;               /* seat; -1: drawn */
    char reason[PLAN_NAME_BYTES];
    int32_t actions;
    int32_t starts;               /* how often it was begun, because a program did not start */
    uint16_t players[MASH_SEATS]; /* numbers in the plan */
} PlayedMatch;

/* All matches that are over. */
typedef struct PlayedLog {
    const Plan *plan;
    PlayedMatch *list;
    uint32_t count, max;
    int file; /* -1: results are kept in memory only */
} PlayedLog;

/* Opens FOLDER/results.jsonl. What is in it is read if `resume`; else there must be nothing. Lines
 * about players or boards that the plan does not have are skipped, a line that is cut off at the
 * end is dropped. False: an error was printed. */
bool played_open(PlayedLog *log, const Plan *plan, const char *folder, bool resume);
void played_close(PlayedLog *log);
/* Adds a match: it is on disk when this returns. False: it could not be written; an error was
 * printed. */
bool played_add(PlayedLog *log, const PlayedMatch *match);
/* The match with the same stage, round, board, pair, turn and players, or NULL. */
const PlayedMatch *played_find(const PlayedLog *log, const PlayedMatch *match);
/* Half points of the player on this seat. */
uint32_t played_points(const PlayedMatch *match, uint8_t seat);
/* The ids of the ends: "", "crashed", ... */
extern const char *const played_ends[];
/* Appends a match as JSON. */
void played_write(const PlayedMatch *match, MashText *text);
/* Reads one line. False: problems say why. */
bool played_read(const char *name, const char *line, uint32_t count, PlayedMatch *out,
                 MashProblems *problems);

#endif
