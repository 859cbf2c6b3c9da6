/* internal.h -- what the files of ai/ share: one task under way, and the small steps of thinking.
 *
 * Every way of thinking is a machine that can be stopped after any node: its whole memory lies in
 * what the caller lent, and a step does one action on one copy. */
#ifndef AI_INTERNAL_H
#define AI_INTERNAL_H
#include "ai/alpha_beta.h"
#include "ai/baseline.h"
#include "ai/determinized.h"

/* Greedy over single actions. */
typedef struct Greedy {
    uint32_t next;   /* action to try */
    uint32_t equals; /* how many are as good as the best */
    int32_t best;
} Greedy;

/* One task, in lent memory. */
struct Ai {
    const MashContent *content;
    uint64_t content_hash;
    const MashGame *game;
    const MashEvaluator *evaluator; /* never NULL */
    const AiSkill *skill;
    AiPlan *plan;
    uint64_t seed;
    MashChance tie_break; /* choices among equals, carelessness */
    uint64_t nodes, nodes_max;
    uint32_t slice; /* nodes left in this step */
    uint8_t seat;
    bool done;
    bool from_plan; /* the answer comes from the plan */
    AiMode thinking;
    int32_t value;
    ActionPath answer;  /* best so far: at least one action, the first one legal */
    void *view;         /* the view of the task */
    void *scratch_view; /* room for another */
    void *root;         /* the task's, guessed where something is hidden */
    void *scratch_state;
    MashAction *list; /* legal now */
    uint32_t list_count;
    uint32_t chance_sample; /* which of several futures */
    Greedy greedy;
    TurnGenerator generator;
    AlphaBeta turns;
    Determinized determinized;
    Baseline baseline;
};

/* The side that a mind's values are for when nobody asked: beyond all of them. */
enum { VALUE_WON = 2 * MASH_EVALUATION_MAX };

/* Uses up one node. False: there is none left in this slice. */
bool search_spend_node(Ai *ai);
/* How good a state is for the seat: a result if there is one, else what the mind says. */
int32_t search_evaluate(const Ai *ai, const void *state, uint8_t seat);
/* Chance of an action in search: the same for all actions that are tried at this place. */
MashChance search_chance(const Ai *ai, uint32_t world, uint32_t place);

/* What the mind thinks of actions of a list, all 0 if nothing. */
void search_priorities(const Ai *ai, const void *state, uint8_t seat, const MashAction *list,
                       uint32_t count, int32_t *out);

/* greedy.c: each action tried once. True: done. */
void greedy_begin(Ai *ai);
bool greedy_step(Ai *ai);

#endif
