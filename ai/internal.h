/* internal.h -- what the files of ai/ share: the task in progress and helper functions of search.
 *
 * Every search is a state machine that can be stopped after any node: all of its memory is lent by
 * the caller, and a step applies one action to one copy. */
#ifndef AI_INTERNAL_H
#define AI_INTERNAL_H
#include "ai/alpha_beta.h"
#include "ai/baseline.h"
#include "ai/determinized.h"

/* Greedy choice of single actions. */
typedef struct Greedy {
    uint32_t next;   /* action to try */
    uint32_t equals; /* number of actions that are as good as the best */
    int32_t best;
} Greedy;

/* Ends of the first turn that a search leaves out, as if they could not be reached. */
typedef struct LeftOut LeftOut;
struct LeftOut {
    bool (*covers)(struct Ai *ai, const LeftOut *left_out, const void *state);
    const uint64_t *hashes; /* for covers() */
    uint32_t count;
    bool won;
};

/* One task, in lent memory. */
struct Ai {
    const MashContent *content;
    uint64_t content_hash;
    const MashGame *game;
    const MashEvaluator *evaluator; /* never NULL */
    const AiSkill *skill;
    AiPlan *plan;
    uint64_t seed;
    uint32_t share, shares; /* of these shares of the task this one; 0 of 1: all of it */
    bool waits;             /* for the other members of its team */
    uint64_t idle;          /* nodes that others have searched meanwhile */
    MashChance tie_break;   /* for tie breaks, random turns and what is overlooked */
    uint32_t overlooked;    /* of 1000 actions of its own; 0: it sees them all */
    uint64_t blind_spot;    /* which ones, for this task */
    uint64_t nodes, nodes_max;
    uint32_t slice; /* nodes left in this step */
    uint8_t seat;
    bool done;
    bool from_plan; /* the answer comes from the plan */
    AiMode mode;
    int32_t value;
    ActionPath answer;  /* best so far: at least one action, the first one legal */
    void *view;         /* the view of the task */
    void *scratch_view; /* memory for another view */
    void *root;         /* the state of the task, guessed where something is hidden */
    void *scratch_state;
    TableNetKept *kept; /* NULL: the game has no net */
    MashAction *list;   /* legal actions */
    uint32_t list_count;
    const LeftOut *left_out; /* NULL: nothing; of every task until it is changed */
    uint32_t chance_sample;  /* number of the chance sample */
    Greedy greedy;
    TurnGenerator generator;
    AlphaBeta turns;
    Determinized determinized;
    Baseline baseline;
};

/* Evaluation of a won match: beyond every evaluation by an evaluator. */
enum { VALUE_WON = 2 * MASH_EVALUATION_MAX };

/* Spends one node. False: there is none left in this slice. */
bool search_spend_node(Ai *ai);
/* Evaluation of a state for the seat: the result if the match is over, otherwise by the evaluator.
 */
int32_t search_evaluate(const Ai *ai, const void *state, uint8_t seat);
/* Chance of an action in search: the same for all actions that are tried at this place. */
MashChance search_chance(const Ai *ai, uint32_t sample, uint32_t place);

/* Does the player, a weak level, overlook this action of its own in this task? It never overlooks
 * how to end a turn. */
bool search_overlooks(const Ai *ai, MashAction action);

/* The evaluator's priorities of a list of actions, all 0 if it has none. */
void search_priorities(const Ai *ai, const void *state, uint8_t seat, const MashAction *list,
                       uint32_t count, int32_t *out);

/* A way to search: starts with the state of the task; runs until the slice is used up (false) or it
 * is finished or waits for its team; brings together what the members of a team have found, in the
 * first of them: true, the search is over (NULL: it cannot be shared). */
typedef struct SearchMethod {
    void (*begin)(Ai *ai);
    bool (*step)(Ai *ai);
    bool (*meet)(Ai *const members[], uint32_t count);
} SearchMethod;
/* How the task is searched. */
const SearchMethod *search_of(const Ai *ai);
/* Each action tried once; of the baseline, all possible turns of its own, the average over replies
 * and a fixed list of priorities. */
extern const SearchMethod greedy_search, baseline_turn_search, baseline_average_search,
    baseline_rules_search, determinized_search, alpha_beta_search;

#endif
