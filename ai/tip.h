/* tip.h -- advice for somebody who plays: the best action, why, what it risks, and another one.
 *
 * Advice comes from a seat's view alone. First it is thought as ai.h thinks; then both choices are
 * made in guessed futures, the opponent replies in each, and events tell what happened there. As
 * with ai.h nothing is allocated, work is counted in nodes and done in slices, and the same view,
 * skill, nodes and seed give the same advice on every machine.
 *
 *     Tip *tip = tip_init(content, memory);
 *     if (tip_begin(tip, &(TipTask){ai_level(6), view, seat, 0, seed}))
 *         while (!tip_step(tip, 1000))
 *             ;
 *     advice = tip_advice(tip);
 */
#ifndef AI_TIP_H
#define AI_TIP_H
#include "ai/ai.h"

/* Sizes. */
enum {
    TIP_SAMPLES = 10,    /* looked at where chance or secrets decide; else one is all there is */
    TIP_NOTES_MAX = 160, /* different things that may happen in them */
    TIP_EVENTS_MAX = 3,  /* told about one turn */
};

/* Things that happen in the samples, each with its mean amount, and in how many samples it does. */
typedef struct TipEvents {
    MashEvent list[TIP_EVENTS_MAX];
    uint32_t samples[TIP_EVENTS_MAX];
    uint32_t count;
} TipEvents;

/* A choice, and what became of it. Health is the mean over the futures, until the reply is over. */
typedef struct TipChoice {
    MashAction action;       /* MASH_VERB_NONE: there is no such choice */
    uint32_t samples, works; /* looked at, and in how many it goes as the reason says */
    int32_t dealt, lost;     /* health that the enemy and that the own side loses */
    TipEvents now, next;     /* what happens in this turn, what may come in the next one */
    TipEvents losses;        /* what is bad for the own side until the reply is over */
    bool opening;            /* teams are still chosen or placed: nothing can be lost yet */
} TipChoice;

/* All advice. */
typedef struct TipAdvice {
    TipChoice best, other;
    int32_t value; /* as ai_value() */
    uint64_t nodes;
} TipAdvice;

/* What advice is wanted about. */
typedef struct TipTask {
    const AiSkill *skill; /* who advises; never careless here */
    const void *view;     /* need not stay after tip_begin() */
    uint8_t seat;
    uint32_t nodes; /* for thinking, without the futures; 0 = the skill's own */
    uint64_t seed;
} TipTask;

/* Advice in the making, in lent memory. */
typedef struct Tip Tip;

/* Bytes that tip_init() wants, aligned to 16. */
size_t tip_bytes(const MashContent *content);
/* Makes it ready for this content, which must stay. */
Tip *tip_init(const MashContent *content, void *memory);
/* Takes up a task. False: the seat has nothing to choose. */
bool tip_begin(Tip *tip, const TipTask *task);
/* Works on for about so many nodes: at most one action more. True: done. */
bool tip_step(Tip *tip, uint32_t nodes);
/* What is known so far: the best action from tip_begin() on, words when all is done. */
const TipAdvice *tip_advice(const Tip *tip);

#endif
