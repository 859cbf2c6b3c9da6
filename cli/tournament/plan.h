/* plan.h -- the file that describes a tournament: game, boards, players, times, stages. */
#ifndef CLI_TOURNAMENT_PLAN_H
#define CLI_TOURNAMENT_PLAN_H
#include "base/fields.h"
#include "cli/commands/elo.h"
#include "cli/game_config.h"

/* Limits. */
enum {
    PLAN_PLAYERS_MAX = RATED_MAX,
    PLAN_PRESETS_MAX = 16,
    PLAN_STAGES_MAX = 2,
    PLAN_STARTUP_MS = 5000,
    PLAN_NAME_BYTES = 32,
    PLAN_COMMAND_BYTES = 512,
    PLAN_FOLDER_BYTES = 512,
};

/* Who meets whom. */
typedef enum PlanSystem { PLAN_ROUND_ROBIN, PLAN_SWISS, PLAN_KNOCK_OUT, PLAN_GAUNTLET } PlanSystem;

/* A player: exactly one of exec, level and standard. */
typedef struct PlanPlayer {
    char name[PLAN_NAME_BYTES];
    char exec[PLAN_COMMAND_BYTES];     /* a program as for `mashup bot --exec` */
    char level[PLAN_NAME_BYTES];       /* a built-in player: level3, random */
    char standard[PLAN_COMMAND_BYTES]; /* a client of the Marvelous Mashup standard */
    char folder[PLAN_FOLDER_BYTES];    /* where it is run */
    char wrapper[PLAN_FOLDER_BYTES];
    int32_t rating;
    int32_t turn_ms, bank_ms, startup_ms; /* -1: as the tournament says */
    int32_t memory_mb, cpu_s;             /* -1: as the tournament says; 0: no limit */
    uint8_t offline;                      /* PlanNetwork */
} PlanPlayer;

/* May programs use the network? */
typedef enum PlanNetwork { PLAN_AS_TOURNAMENT, PLAN_ONLINE, PLAN_OFFLINE } PlanNetwork;

/* A stage: a tournament among some of the players. */
typedef struct PlanStage {
    uint8_t system; /* PlanSystem */
    int32_t rounds; /* Swiss: 0 = enough to tell a winner; round robin: times through */
    int32_t pairs;  /* of matches on each board, for each meeting */
    int32_t champions;
    int32_t top; /* players of the stage before who go on; 0 in the first */
} PlanStage;

/* The whole file. */
typedef struct Plan {
    char name[64];
    char game[PLAN_NAME_BYTES];
    char presets[PLAN_PRESETS_MAX][PLAN_NAME_BYTES];
    uint16_t presets_count;
    PlanPlayer players[PLAN_PLAYERS_MAX];
    uint16_t players_count;
    PlanStage first, then;
    bool has_then;
    int32_t seed;
    PlanPlayer usual;            /* times and limits of all players */
    int32_t sprt_low, sprt_high; /* equal: no test */
    GameConfig configs[PLAN_PRESETS_MAX];
} Plan;

/* Reads the file and loads its boards. False: problems were printed, with line, column and path. */
bool plan_read(const char *path, Plan *out);
/* The same from text; `folder` is where relative folders of players begin. */
bool plan_read_text(const char *name, const char *bytes, uint32_t count, const char *folder,
                    Plan *out);
/* Loads the presets of a plan that was made otherwise. False: errors were printed. */
bool plan_load(Plan *plan);
/* Frees what plan_read() has loaded. */
void plan_release(Plan *plan);
/* The stage of this number, or NULL. */
const PlanStage *plan_stage(const Plan *plan, uint32_t number);
/* Prints the schema of the file as JSON, or the table of its fields. */
void plan_print_schema(void);
void plan_print_reference(void);

#endif
