/* tally.c -- see tally.h. */
#include "match/tally.h"

#include <string.h>

/* Notes what was chosen in the last step. */
static void note_choices(const Match *match, MatchTally *tally) {
    for (uint32_t i = 0; i < match->events.count; i++) {
        const MashEvent *event = &match->events.list[i];
        if (event->kind != MASH_EVENT_CHOSEN || event->other >= MASH_SEATS ||
            mash_event_list(match->content->game, event) != MASH_NAME_KIND ||
            !mash_event_seen(event, event->other) || tally->choices_count == TALLY_CHOICES_MAX)
            continue;
        tally->choices[tally->choices_count].seat = event->other;
        tally->choices[tally->choices_count++].kind = (uint8_t)event->what;
    }
}

/* Adds the action to the first turn, whose number is kept. False: the turn is over. */
static bool note_turn(const Match *match, MashAction action, MatchTally *tally, uint32_t *number,
                      MashText *words) {
    const MashEvaluator *evaluator = match->content->game->evaluator;
    bool by_number = evaluator != NULL && evaluator->turn_number != NULL;
    uint32_t now = by_number ? evaluator->turn_number(match->content, match->state) : 0;
    bool begun = tally->first_seat < MASH_SEATS;
    if (begun && (!by_number || now != *number || action.seat != tally->first_seat))
        return false;
    if (begun)
        text_string(words, ", ");
    match->content->game->notation(match->content, match->state, action, words);
    tally->first_seat = action.seat;
    *number = now;
    return true;
}

void tally_match(Match *match, const MashAction *actions, uint32_t count,
                 bool (*placed)(const MashContent *, const void *state), MatchTally *out) {
    uint32_t number = 0;
    memset(out, 0, sizeof *out);
    out->first_seat = MASH_SEAT_NONE;
    MashText words = text_over(out->first, sizeof out->first);
    match_rewind(match, 0);
    for (uint32_t i = 0; i < count; i++) {
        bool counts = actions[i].verb < MASH_VERB_RESIGN &&
                      (out->first_seat < MASH_SEATS || placed(match->content, match->state));
        if (counts && !note_turn(match, actions[i], out, &number, &words))
            return;
        if (match_apply(match, actions[i]) != MASH_OK)
            return;
        note_choices(match, out);
    }
}
