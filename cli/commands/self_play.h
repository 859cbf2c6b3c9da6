/* self_play.h -- AI players and programs play each other: one match, with the resources each of
 * them used. */
#ifndef CLI_COMMANDS_SELF_PLAY_H
#define CLI_COMMANDS_SELF_PLAY_H
#include "ai/ai.h"
#include "cli/game_config.h"
#include "client/crew.h"
#include "client/exec_player.h"
#include "match/match.h"

/* What a player has used so far. */
typedef struct ThinkingUsage {
    uint64_t decisions, turns; /* turns: decisions that took thinking */
    uint64_t nodes, spent_us, worst_us;
    uint64_t overruns; /* turns that took more than the limit plus five milliseconds */
    uint64_t failures; /* of a program: matches that it lost by ending, by an answer that was not
                          legal, or by none in time */
} ThinkingUsage;

/* A player: one of ai/, or a program. */
typedef struct SelfPlayer {
    const char *name;
    const AiSkill *skill; /* NULL: it is a program */
    uint32_t threads;     /* that a skill thinks with; 0: one */
    uint32_t times;       /* as many nodes as usual; 0: once */
    ExecPlayer *program;
    /* Of a program, by the clock: for a turn (0: each answer has SelfPlay.program_ms), what it may
     * use beyond that in the whole match, and what its first answer may take longer. */
    uint32_t turn_ms, bank_ms, startup_ms;
} SelfPlayer;

/* How a program failed. */
typedef struct SelfFailure {
    bool failed;
    bool never_ran; /* it ended, or was late, before it had said anything at all */
    ExecAnswer how; /* EXEC_LATE, EXEC_ENDED or EXEC_ILLEGAL */
    char problem[256];
} SelfFailure;

/* A match-up with all its memory. */
typedef struct SelfPlay {
    const GameConfig *config;
    uint32_t nodes;      /* per turn; 0 = the skill's own */
    uint32_t ms;         /* CPU time per turn; 0 = limited by nodes */
    uint32_t program_ms; /* how long a program may take for an answer, by the clock */
    /* So many turns are random once nothing is drafted or placed any more, the same ones in all
     * matches of a seed that have come to the same state. */
    uint32_t random_turns;
    Match match;
    void *memory, *view;
    Crew *crews[AI_TEAM_MAX + 1]; /* by their number of threads */
    AiPlan plans[MASH_SEATS];
    /* Called after the beginning and each action, unless NULL. False: the match is broken off. */
    bool (*watch)(void *watcher, const Match *match);
    void *watcher;
    bool quiet;                       /* failures are not printed */
    SelfFailure failures[MASH_SEATS]; /* of the last match */
    uint64_t turn_left_ms[MASH_SEATS], bank_left_ms[MASH_SEATS];
    bool broken_off; /* the last match */
} SelfPlay;

/* Opens a table; self_play_close() gives the memory back. */
void self_play_open(SelfPlay *self_play, const GameConfig *config, uint32_t nodes, uint32_t ms);
void self_play_close(SelfPlay *self_play);
/* Plays a match to its end: a player and a usage per seat. A program that fails loses, and why is
 * in `failures` and printed. False: the set-up was refused or an answer of ai/ was not legal; an
 * error was printed. */
bool self_play_match(SelfPlay *self_play, MashSeed seed,
                     const SelfPlayer *const players[MASH_SEATS],
                     ThinkingUsage *const usages[MASH_SEATS], MashResult *result);

#endif
