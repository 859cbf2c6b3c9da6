/* tip.h -- advice for a player: the best action, its reasons and risks, and an alternative.
 *
 * Advice uses a seat's view alone. First the best turn is searched as in ai.h; then both choices
 * are played in samples of the hidden information and chance, the opponent replies in each, and the
 * events show what happened. As in ai.h nothing is allocated, work is counted in nodes and done in
 * slices, and the same view, skill, nodes and seed give the same advice on every machine.
 *
 *     Tip *tip = tip_init(content, memory);
 *     if (tip_begin(tip, &(TipTask){ai_level(6), view, seat, 0, seed}))
 *         while (!tip_step(tip, 1000))
 *             ;
 *     advice = tip_advice(tip); */
#ifndef AI_TIP_H
#define AI_TIP_H
#include "ai/ai.h"

/* Sizes. */
enum {
    TIP_SAMPLES = 10,    /* where chance or hidden information decides; otherwise one is enough */
    TIP_NOTES_MAX = 160, /* different events that may happen in them */
    TIP_EVENTS_MAX = 3,  /* listed per turn */
};

/* Events that happen in the samples, each with its mean amount and the number of samples. */
typedef struct TipEvents {
    MashEvent list[TIP_EVENTS_MAX];
    uint32_t samples[TIP_EVENTS_MAX];
    uint32_t count;
} TipEvents;

/* A choice and its consequences. Health is the mean over the samples, until the reply is over. */
typedef struct TipChoice {
    MashAction action;       /* MASH_VERB_NONE: there is no such choice */
    uint32_t samples, works; /* examined, and in how many of them the reason holds */
    int32_t dealt, lost;     /* health that the enemy loses, and that the own side loses */
    TipEvents now, next;     /* what happens in this turn, what may follow in the next one */
    TipEvents losses;        /* bad events for the own side until the reply is over */
    bool opening;            /* teams are still chosen or placed: nothing can be lost yet */
} TipChoice;

/* The complete advice. */
typedef struct TipAdvice {
    TipChoice best, other;
    int32_t value; /* as in ai_value() */
    uint64_t nodes;
} TipAdvice;

/* A request for advice. */
typedef struct TipTask {
    const AiSkill *skill; /* the skill that advises; makes no mistakes here */
    const void *view;     /* not needed after tip_begin() */
    uint8_t seat;
    uint32_t nodes; /* for the search, without the samples; 0 = the skill's default */
    uint64_t seed;
} TipTask;

/* A computation of advice, in lent memory. */
typedef struct Tip Tip;

/* Bytes that tip_init() needs, aligned to 16. */
size_t tip_bytes(const MashContent *content);
/* Initialises it for this content, which must stay valid. */
Tip *tip_init(const MashContent *content, void *memory);
/* Starts a task. False: the seat has nothing to choose. */
bool tip_begin(Tip *tip, const TipTask *task);
/* Continues for about this many nodes: at most one action more. True: finished. */
bool tip_step(Tip *tip, uint32_t nodes);
/* The advice so far: the best action from tip_begin() on, the rest when finished. */
const TipAdvice *tip_advice(const Tip *tip);

#endif
