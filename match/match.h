/* match.h -- one match as a value: content + seed + options + accepted actions. Terminal, server,
 * tests and browser share it.
 *
 * The state follows from those four and from nothing else, so undo is replaying fewer actions,
 * saving is writing them down, and resuming is reading them again. Chance of set-up is number 0 of
 * the seed, that of action k (counted from 1) is number k. Nothing is allocated: the caller lends
 * match_bytes() bytes. */
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H
#include "include/mashup.h"

/* Room for what no list of legal actions holds. */
enum {
    MATCH_OFFERS_MAX = 100, /* draw offers in one match; each is answered once at most */
    MATCH_UNLISTED_MAX =
        256, /* places for actions that no list holds: offers, answers, the server's words */
};

/* Read freely; only the functions below write. */
typedef struct Match {
    const MashContent *content;
    MashSeed seed;
    int32_t options[MASH_OPTIONS_MAX]; /* one for each of the game's, whether given or usual */
    void *state;                       /* as it stands */
    void *previous;                    /* the state before the last action */
    MashEvents events;                 /* what the last action told; none at the start */
    MashAction *actions;               /* all that were accepted, in order */
    uint32_t actions_count, actions_max;
    uint32_t offers; /* draw offers among them */
} Match;

/* How many bytes a match of this content needs. */
size_t match_bytes(const MashContent *content);
/* A new match in lent memory (match_bytes() bytes, aligned to 16). Any status but MASH_OK leaves it
 * void. */
MashStatus match_begin(Match *match, const MashContent *content, MashSeed seed,
                       const MashSetup *setup, void *memory);
/* Judges and does: on MASH_OK the action is on the list and its events are in match->events; else
 * nothing has changed. MASH_TOO_OFTEN: draw offers, or all actions together, have filled their
 * places. */
MashStatus match_apply(Match *match, MashAction action);
/* Goes back to the moment after the first `count` actions, with the events of the last of them.
 * False: there are fewer. */
bool match_rewind(Match *match, uint32_t count);

/* What a seat (or MASH_SEAT_SPECTATOR) may know, written over `view` (terms.state_bytes). True:
 * something is hidden from it. */
bool match_view(const Match *match, uint8_t seat, void *view);
/* How it stands. */
MashResult match_result(const Match *match);

#endif
