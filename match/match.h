/* match.h -- one match as a value: content + seed + options + accepted actions. Shared by terminal,
 * server, tests and browser.
 *
 * These four determine the state completely, so undo means replaying fewer actions, saving means
 * writing them, and resuming means reading them. Chance of set-up is number 0 of the seed, that of
 * action k (counted from 1) is number k. Nothing is allocated: the caller lends match_bytes()
 * bytes. */
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H
#include "include/mashup.h"

/* Space for actions that are never listed, and for steps of several actions. */
enum {
    MATCH_OFFERS_MAX = 100, /* draw offers in one match; each is answered at most once */
    MATCH_UNLISTED_MAX =
        256, /* places for actions that are never listed: offers, answers, actions of the server */
    MATCH_STEP_MAX = 64, /* actions of one step */
};

/* What is noted about each action when it is applied: whether something may follow it in the same
 * step, and whether it may be undone. */
enum {
    MATCH_NOTE_JOINED = 1,   /* it belongs to the step of the action before it */
    MATCH_NOTE_CHANCE = 2,   /* it drew chance */
    MATCH_NOTE_REVEALED = 4, /* it showed somebody what was hidden */
    MATCH_NOTE_TURN = 8,     /* a turn ended with it */
};

/* Read freely; only the functions below write. */
typedef struct Match {
    const MashContent *content;
    MashSeed seed;
    int32_t options[MASH_OPTIONS_MAX]; /* one for each of the game's options, given or default */
    void *state;                       /* the current state */
    void *previous;                    /* the state before the last step */
    MashEvents events;                 /* events of the last step; none at the start */
    MashAction *actions;               /* all accepted actions, in order */
    uint8_t *notes;                    /* MATCH_NOTE_... of each of them */
    uint32_t actions_count, actions_max;
    uint32_t offers;     /* draw offers among them */
    uint32_t step_count; /* actions of the last step */
} Match;

/* How many bytes a match of this content needs. */
size_t match_bytes(const MashContent *content);
/* A new match in lent memory (match_bytes() bytes, aligned to 16). Any status but MASH_OK leaves it
 * invalid. */
MashStatus match_begin(Match *match, const MashContent *content, MashSeed seed,
                       const MashSetup *setup, void *memory);
/* Checks and applies: on MASH_OK the action is on the list and its events are in match->events;
 * otherwise nothing has changed. MASH_TOO_OFTEN: the limit of draw offers, or of all actions
 * together, is reached. */
MashStatus match_apply(Match *match, MashAction action);
/* Several actions of one seat as one step, all or none: begin, then add one after the other, each
 * checked in the state that the ones before it have made; any status but MASH_OK adds nothing, and
 * the caller cancels. Only the last may draw chance, reveal something or end a turn, so that nobody
 * acts on what could not be known when the step was sent: MASH_STEP_OVER. A step has
 * MATCH_STEP_MAX actions at most (MASH_TOO_OFTEN) and no draw offers or resignations.
 * Cancelling restores the state and the list; the events of the step before are gone. */
void match_step_begin(Match *match);
MashStatus match_step_add(Match *match, MashAction action);
void match_step_cancel(Match *match);
/* Goes back to the state after the first `count` actions, with the events of the last step.
 * False: there are fewer. */
bool match_rewind(Match *match, uint32_t count);

/* Whether a seat may undo its last step by itself, and why not: name, id. */
#define MATCH_UNDOS(X)                                                                             \
    X(POSSIBLE, "ok")                                                                              \
    X(NOTHING, "nothing-to-undo") /* it has made no step */                                        \
    X(OVER, "match-over")                                                                          \
    X(ANSWERED, "answered")   /* its step is not the last: the other or the server has acted */    \
    X(TURN_OVER, "turn-over") /* its turn ended with the step */                                   \
    X(CHANCE, "drew-chance")                                                                       \
    X(REVEALED, "revealed")
#define MATCH_ROW(name, id) MATCH_UNDO_##name,
typedef enum MatchUndo { MATCH_UNDOS(MATCH_ROW) MATCH_UNDO_COUNT } MatchUndo;
#undef MATCH_ROW
const char *match_undo_id(MatchUndo undo);

/* May the seat undo its last step by itself? Only in its own turn, if nothing has happened since,
 * and the step neither drew chance nor revealed anything: then nobody has learned what undoing
 * cannot take away. Decided by the events and draws of the step, for all games alike. `count` is
 * how many actions remain; it is set if the answer is MATCH_UNDO_POSSIBLE. */
MatchUndo match_undo_check(const Match *match, uint8_t seat, uint32_t *count);
/* How many actions remain without the last step of the seat (MASH_SEAT_NONE: of either) and all
 * that came after it, whatever it was. False: it has made none. */
bool match_before_step(const Match *match, uint8_t seat, uint32_t *count);
/* Goes back to the state after the first `count` actions: an undo has no events, and
 * match->previous is the state that was given up. The chance of what is done next is that of its
 * number, so the same action at the same place draws the same. */
void match_undo(Match *match, uint32_t count);

/* What an event says about its action: whether it ends a turn or shows what was hidden (MATCH_NOTE_
 * ...). In a game that hides nothing, nothing is revealed. */
uint8_t match_event_note(const MashGame *game, const MashEvent *event);

/* What a seat (or MASH_SEAT_SPECTATOR) may know, written to `view` (limits.state_bytes). True:
 * something is hidden from it. */
bool match_view(const Match *match, uint8_t seat, void *view);
/* The current result. */
MashResult match_result(const Match *match);

#endif
