/* preview.h -- what an action would do, found by applying it to copies of what a seat sees: for
 * each unit its own health before and after and whether it falls, what happens besides, and who
 * wins.
 *
 * Nothing is computed here that the rules compute: an outcome is a state that apply_listed() made.
 * Where the action draws, and few outcomes are possible, all of them are counted with their
 * probabilities; where there are many, or something is hidden from the seat, outcomes are sampled,
 * and `sampled` says so. */
#ifndef MATCH_PREVIEW_H
#define MATCH_PREVIEW_H
#include "include/mashup.h"

/* Bounds, and what a certain probability is. */
enum {
    PREVIEW_OUTCOMES_MAX = 256, /* more outcomes than this are sampled */
    PREVIEW_DRAWS_MAX = 16,     /* and so are more draws in one outcome */
    PREVIEW_CERTAIN = 1000,     /* a probability: so many of a thousand */
};

/* What becomes of one unit. */
typedef struct PreviewUnit {
    uint8_t unit;
    bool has_health;     /* otherwise before and after are 0 */
    int32_t before;      /* health now */
    int32_t least, most; /* health afterwards, over all outcomes */
    int32_t mean;        /* and on average, rounded */
    uint32_t dies;       /* probability that it falls, in thousandths; 1 to 999: perhaps */
} PreviewUnit;

/* What an action would do. Read only; valid until the memory is used again. */
typedef struct Preview {
    bool sampled;         /* outcomes were sampled, so probabilities and bounds are estimates */
    uint32_t outcomes;    /* how many were looked at; 1 and not sampled: it is certain */
    uint32_t wins, loses; /* probability that the seat then has won, has lost, in thousandths */
    PreviewUnit units[MASH_UNIT_NONE]; /* those whose health changes or that fall, ascending */
    uint32_t units_count;
    MashEvents events;   /* of the first outcome, all of them: filter by mash_event_seen() */
    uint32_t *happens;   /* for each of them the probability, in thousandths */
    void *after;         /* the state after the first outcome */
    MashBoard was, then; /* the boards before it and after it */
} Preview;

/* How many bytes preview_action() needs, aligned to 16. */
size_t preview_bytes(const MashContent *content);

/* Looks at an action of the seat on its view, with `samples` outcomes where they are sampled; the
 * memory is lent and keeps the lists of the answer. Any status but MASH_OK: it is not legal. */
MashStatus preview_action(const MashContent *content, const void *view, MashAction action,
                          uint32_t samples, void *memory, Preview *out);

#endif
