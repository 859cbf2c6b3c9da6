/* tip_text.h -- collects what happened in several samples and chooses what is worth mentioning. The
 * caller puts the advice into words. Private to ai/. */
#ifndef AI_TIP_TEXT_H
#define AI_TIP_TEXT_H
#include "ai/tip.h"

/* When something happens. */
typedef enum TipTurn {
    TIP_TURN_OWN,   /* in the advised turn */
    TIP_TURN_REPLY, /* in the opponent's turn */
    TIP_TURN_NEXT,  /* in the own turn after that */
} TipTurn;

/* An event that happened, in one sample or more. */
typedef struct TipNote {
    MashEvent event;  /* as first reported; its cell as last reported */
    uint32_t samples; /* number of samples */
    uint32_t last;    /* the last of them, counted from 1 */
    int64_t amount;   /* sum over samples */
    TipTurn when;
} TipNote;

/* All notes, in order of first occurrence. */
typedef struct TipNotes {
    TipNote list[TIP_NOTES_MAX];
    uint32_t count;
    uint8_t seat;       /* the seat that gets the advice */
    uint8_t sides[256]; /* owner of each unit */
} TipNotes;

/* Clears the notes for this seat. */
void tip_notes_clear(TipNotes *notes, uint8_t seat);
/* Sets the owners of the units from a board. */
void tip_notes_set_owners(TipNotes *notes, const MashBoard *board);
/* Adds the events of an action in a sample (counted from 1). */
void tip_notes_add(TipNotes *notes, const MashEvents *events, uint32_t sample, TipTurn when);
/* Did nothing happen in the advised turn that is a reason by itself? A unit that appears is none:
 * what it may do next is. */
bool tip_notes_are_minor(const TipNotes *notes);
/* Fills in the numbers and events of the choice, whose `samples` are known. */
void tip_notes_write(const TipNotes *notes, TipChoice *choice);

#endif
