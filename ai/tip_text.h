/* tip_text.h -- what happened in several futures, and what of it is worth telling. Who shows the
 * advice puts it into words. Private to ai/. */
#ifndef AI_TIP_TEXT_H
#define AI_TIP_TEXT_H
#include "ai/tip.h"

/* When something happens. */
typedef enum TipTurn {
    TIP_TURN_OWN,   /* in the turn that is advised */
    TIP_TURN_REPLY, /* in the opponent's */
    TIP_TURN_NEXT,  /* in the own one after that */
} TipTurn;

/* Something that happened, in one future or more. */
typedef struct TipNote {
    MashEvent event;  /* as it was first told; where it went to as told last */
    uint32_t futures; /* in so many */
    uint32_t last;    /* the last of them, from 1 on */
    int64_t amount;   /* sum over futures */
    TipTurn when;
} TipNote;

/* All of it, in the order of first happening. */
typedef struct TipNotes {
    TipNote list[TIP_NOTES_MAX];
    uint32_t count;
    uint8_t seat;       /* who is told */
    uint8_t sides[256]; /* whose a unit is */
} TipNotes;

/* Nothing has happened to this seat's knowledge. */
void tip_notes_clear(TipNotes *notes, uint8_t seat);
/* Whose the units of a board are. */
void tip_notes_set_owners(TipNotes *notes, const MashBoard *board);
/* Takes up what an action of a future (from 1 on) told. */
void tip_notes_add(TipNotes *notes, const MashEvents *events, uint32_t future, TipTurn when);
/* Has nothing of weight happened in the turn that is advised? */
bool tip_notes_are_minor(const TipNotes *notes);
/* Fills in the numbers and events of the choice, whose `samples` are known. */
void tip_notes_write(const TipNotes *notes, TipChoice *choice);

#endif
