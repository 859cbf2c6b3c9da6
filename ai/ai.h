/* ai.h -- AI players: random, greedy, by search; in levels.
 *
 * A player gets a view, never a state, and uses only include/mashup.h like everybody else. Its work
 * is counted in nodes; one node is one action tried on a copy. The same view, seat, skill, nodes
 * and seed give the same answer on every machine, whether computed in one go or in slices. There is
 * no clock here: callers with a time limit ask for slices and check the clock between them.
 *
 * Nothing is allocated: the caller lends ai_bytes() for the search, which belongs to one thread and
 * serves all seats and decisions one after the other, and keeps an AiPlan for each seat. A turn of
 * several actions is computed at its first one; the plan holds the rest, and an entry counts only
 * if the actual view is the expected one. Otherwise the search starts again.
 *
 *     Ai *ai = ai_init(content, memory);
 *     AiPlan plan = {0};
 *     if (ai_begin(ai, &(AiTask){ai_level(5), view, &plan, seat, 0, seed, false}))
 *         while (!ai_step(ai, 1000) && time_is_left())
 *             ;
 *     action = ai_answer(ai); */
#ifndef AI_AI_H
#define AI_AI_H
#include "include/mashup.h"

/* Sizes: levels that every game has, and that a game can have. */
enum { AI_LEVELS = MASH_LEVELS, AI_LEVELS_MAX = MASH_LEVELS_MAX, AI_PLAN_MAX = 32 };

/* How an answer is found. */
typedef enum AiMode {
    AI_RANDOM,           /* any legal action */
    AI_GREEDY_ACTION,    /* the action that leads to the best evaluation */
    AI_GREEDY_TURN,      /* the turn that leads to the best evaluation */
    AI_SEARCH,           /* the turn that is best after the replies to it */
    AI_BASELINE_TURN,    /* the turn after which the board looks best, as public programs do */
    AI_BASELINE_AVERAGE, /* the action with the best mean over replies and replies to them */
    AI_BASELINE_RULES,   /* the first useful action */
} AiMode;

/* How a player plays. */
typedef struct AiSkill {
    const char *id;    /* "level3", "random" */
    const char *title; /* for a menu */
    const char *about; /* what it does, in a sentence */
    AiMode mode;
    uint32_t nodes; /* per decision, unless the task says otherwise */
    uint32_t level; /* 0 = none; each game defines its levels: MashEvaluator.levels. Of a game that
                       does not have it the highest one plays. */
} AiSkill;

/* All skills: the levels from the weakest, then the players for measuring. */
extern const AiSkill ai_skills[];
extern const uint32_t ai_skills_count;
/* Level 1 to AI_LEVELS_MAX, and a skill by its id (NULL: none). */
const AiSkill *ai_level(uint32_t level);
const AiSkill *ai_skill_find(const char *id);
/* How many levels a game has, from 1 on; and a sentence, without a full stop, that says so. */
uint32_t ai_levels_of(const MashGame *game);
void ai_say_levels(const MashGame *game, MashText *text);

/* The next planned actions of a seat. Zero at first; only ai/ writes it. */
typedef struct AiPlan {
    uint32_t next, count;
    struct {
        MashAction action;
        uint64_t view; /* hash of the view that it is meant for */
    } list[AI_PLAN_MAX];
} AiPlan;

/* One decision. */
typedef struct AiTask {
    const AiSkill *skill;
    const void *view; /* not needed after ai_begin() */
    AiPlan *plan;     /* of this seat; must stay valid until ai_answer() */
    uint8_t seat;
    uint32_t nodes;   /* 0 = the skill's default */
    uint64_t seed;    /* for tie breaks and random turns; use a different one for each decision */
    bool no_mistakes; /* overlook nothing and play no random turns, whatever the level */
} AiTask;

/* A search, in lent memory. */
typedef struct Ai Ai;

/* Bytes that ai_init() needs, aligned to 16. */
size_t ai_bytes(const MashContent *content);
/* Initialises it for this content, which must stay valid. */
Ai *ai_init(const MashContent *content, void *memory);
/* Is it initialised for this content? Then the same memory serves one decision after the other.
 * False for NULL. */
bool ai_is_for(const Ai *ai, const MashContent *content);
/* Starts a task. False: the seat has nothing to choose. Otherwise an answer is available from now
 * on. */
bool ai_begin(Ai *ai, const AiTask *task);
/* Continues for at most this many nodes. True: finished, more nodes change nothing; of a team: it
 * waits for the others. */
bool ai_step(Ai *ai, uint32_t nodes);
/* The best action so far, always legal; the rest of its turn goes to the plan. */
MashAction ai_answer(Ai *ai);

/* Nodes spent on the task, and the evaluation for the seat (see MashEvaluator.evaluate; 0 if
 * unknown). */
uint64_t ai_nodes(const Ai *ai);
int32_t ai_value(const Ai *ai);

#endif
