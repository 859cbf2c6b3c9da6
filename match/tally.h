/* tally.h -- what a match tells statistics: what each side chose in its draft, and the first turn
 * after everything was placed. */
#ifndef MATCH_TALLY_H
#define MATCH_TALLY_H
#include "match/match.h"

/* Limits: choices of both sides; words of a turn, which are cut. */
enum { TALLY_CHOICES_MAX = 128, TALLY_WORDS_BYTES = 96 };

/* What was found; `kind` is an index of MASH_NAME_KIND. */
typedef struct MatchTally {
    uint32_t choices_count;
    struct {
        uint8_t seat, kind;
    } choices[TALLY_CHOICES_MAX];
    uint8_t first_seat; /* whose first turn it was; MASH_SEAT_NONE: there was none */
    char first[TALLY_WORDS_BYTES];
} MatchTally;

/* Plays these actions from the beginning of the match until its first turn is over, and notes both.
 * `placed` says whether everything is placed in a state. The actions must not be the match's own
 * list. */
void tally_match(Match *match, const MashAction *actions, uint32_t count,
                 bool (*placed)(const MashContent *, const void *state), MatchTally *out);

#endif
