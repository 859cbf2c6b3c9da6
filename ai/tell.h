/* tell.h -- what happened in several futures, put into a line of words. Private to ai/. */
#ifndef AI_TELL_H
#define AI_TELL_H
#include "ai/tip.h"

/* When something happens. */
typedef enum TellWhen {
    TELL_NOW,   /* in the turn that is advised */
    TELL_REPLY, /* in the opponent's */
    TELL_NEXT,  /* in the own one after that */
} TellWhen;

/* Something that happened, in one future or more. */
typedef struct Telling {
    MashEvent event;  /* as it was first told; where it went to as told last */
    uint32_t futures; /* in so many */
    uint32_t last;    /* the last of them, from 1 on */
    int64_t amount;   /* sum over futures */
    TellWhen when;
} Telling;

/* All of it, in the order of first happening. */
typedef struct Tellings {
    Telling list[TIP_TELLINGS];
    uint32_t count;
    uint8_t seat;       /* who is told */
    uint8_t sides[256]; /* whose a unit is */
} Tellings;

/* Nothing has happened to this seat's knowledge. */
void tell_clear(Tellings *tellings, uint8_t seat);
/* Whose the units of a board are. */
void tell_sides(Tellings *tellings, const MashBoard *board);
/* Takes up what an action of a future (from 1 on) told. */
void tell_hear(Tellings *tellings, const MashEvents *events, uint32_t future, TellWhen when);
/* Has nothing of weight happened in the turn that is advised? */
bool tell_quiet(const Tellings *tellings);
/* Writes numbers and lines of the choice, whose `futures` are known; names are those of the view.
 */
void tell_words(const Tellings *tellings, const MashContent *content, const void *view,
                TipChoice *choice);

#endif
