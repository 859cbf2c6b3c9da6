/* ai.h -- players that choose: random, greedy, by search; in eight levels.
 *
 * A player gets a view, never a state, and comes through the door like everybody else. Its thinking
 * is counted in nodes, and one node is one action tried on a copy. The same view, seat, skill,
 * nodes and seed give the same answer on every machine, whether thought in one go or in slices.
 * There is no clock here: who has only so many milliseconds asks for slices and looks at the clock
 * between them.
 *
 * Nothing is allocated: the caller lends ai_bytes() for the thinking, which belongs to the thread
 * that thinks and serves all seats and decisions one after the other, and keeps an AiPlan for each
 * seat. A turn of several
 * actions is thought out at its first one; the plan holds what follows, and an entry counts only if
 * the live view is the one that was expected, else there is new thinking.
 *
 *     Ai *ai = ai_init(content, memory);
 *     AiPlan plan = {0};
 *     if (ai_begin(ai, &(AiTask){ai_level(5), view, &plan, seat, 0, seed, false}))
 *         while (!ai_step(ai, 1000) && time_is_left())
 *             ;
 *     action = ai_answer(ai);
 */
#ifndef AI_AI_H
#define AI_AI_H
#include "include/mashup.h"

/* Sizes. */
enum { AI_LEVELS = MASH_LEVELS, AI_PLAN_MAX = 32 };

/* How an answer is found. */
typedef enum AiMode {
    AI_RANDOM,           /* any legal action */
    AI_GREEDY_ACTION,    /* the action after which the moment is best */
    AI_GREEDY_TURN,      /* the turn after which the moment is best */
    AI_SEARCH,           /* the turn that is best after the replies to it */
    AI_BASELINE_TURN,    /* the turn after which the board shows most, as public programs do */
    AI_BASELINE_AVERAGE, /* the action with the best mean over replies and replies to them */
    AI_BASELINE_RULES,   /* the first action that does any good */
} AiMode;

/* How somebody plays. */
typedef struct AiSkill {
    const char *id;    /* "level3", "random" */
    const char *title; /* for a menu */
    const char *about; /* what it does, in a sentence */
    AiMode mode;
    uint32_t nodes; /* for one decision, unless the task says otherwise */
    uint32_t
        level; /* 0 = none; what a level is like is for each game to say: MashEvaluator.levels */
} AiSkill;

/* All skills: the levels from the weakest, then those for measuring. */
extern const AiSkill ai_skills[];
extern const uint32_t ai_skills_count;
/* Level 1 to AI_LEVELS, and a skill by its id (NULL: none). */
const AiSkill *ai_level(uint32_t level);
const AiSkill *ai_skill_find(const char *id);

/* What a seat means to do next. Zero at first; only ai/ writes it. */
typedef struct AiPlan {
    uint32_t next, count;
    struct {
        MashAction action;
        uint64_t view; /* hash of the view in which it is meant */
    } list[AI_PLAN_MAX];
} AiPlan;

/* One decision. */
typedef struct AiTask {
    const AiSkill *skill;
    const void *view; /* need not stay after ai_begin() */
    AiPlan *plan;     /* of this seat; must stay until ai_answer() */
    uint8_t seat;
    uint32_t nodes;       /* 0 = the skill's own */
    uint64_t seed;        /* of the whims; another for each decision, or each turn is as careless */
    bool no_random_turns; /* whatever the level, no turn is played at random */
} AiTask;

/* Thinking, in lent memory. */
typedef struct Ai Ai;

/* Bytes that ai_init() wants, aligned to 16. */
size_t ai_bytes(const MashContent *content);
/* Makes it ready for this content, which must stay. */
Ai *ai_init(const MashContent *content, void *memory);
/* Is it ready for this content already? Then the same memory serves for one decision after the
 * other. NULL is ready for none. */
bool ai_is_for(const Ai *ai, const MashContent *content);
/* Takes up a task. False: the seat has nothing to choose. Otherwise there is an answer from now on.
 */
bool ai_begin(Ai *ai, const AiTask *task);
/* Thinks on for at most so many nodes. True: done, thinking longer changes nothing. */
bool ai_step(Ai *ai, uint32_t nodes);
/* The best action so far, always legal; the rest of its turn goes to the plan. */
MashAction ai_answer(Ai *ai);

/* Nodes spent on the task, and how good it looks for the seat (see MashEvaluator.value; 0 if
 * unknown).
 */
uint64_t ai_nodes(const Ai *ai);
int32_t ai_value(const Ai *ai);

#endif
