/* foresee.c -- see foresee.h. The action is applied to states that the view allows: if it draws no
 * chance and leads to the same view and events in all of them, the seat can know what it will see.
 * Actions of one step are foreseen one after the other, each from what the one before has led to.
 */
#include "match/foresee.h"

#include <string.h>

#include "base/lender.h"
#include "match/match.h"

/* How many states are tried where something may be hidden. */
enum { GUESSES = 6 };

/* A second outcome to compare with the first. */
typedef struct Other {
    void *state;
    MashEvents events;
} Other;

/* Divides the lent memory, or only counts if it is NULL; how many bytes that takes. */
static size_t lay_out(const MashContent *content, void *memory, Other *other) {
    Lender lender = {memory, 0};
    other->state = lend(&lender, content->limits.state_bytes);
    other->events.max = content->limits.events_max;
    other->events.list = lend(&lender, other->events.max * sizeof(MashEvent));
    return lender.used;
}

size_t foresee_bytes(const MashContent *content) {
    Other other;
    return lay_out(content, NULL, &other);
}

/* Keeps the events from `first` on that the seat may see, in the form in which it sees them. False:
 * something is revealed. */
static bool keep_seen(const MashGame *game, uint8_t seat, uint32_t first, MashEvents *events) {
    uint32_t kept = first;
    for (uint32_t i = first; i < events->count; i++) {
        MashEvent event = events->list[i];
        if ((match_event_note(game, &event) & MATCH_NOTE_REVEALED) != 0)
            return false;
        if (!mash_event_seen(&event, seat))
            continue;
        event.seen_by = MASH_SEEN_BY_ALL;
        events->list[kept++] = event;
    }
    events->count = kept;
    return true;
}

/* What the action does in one state that the view allows; its events are appended. False: it cannot
 * be known. */
static bool try_guess(const MashContent *content, const void *view, MashAction action,
                      uint32_t number, void *state, MashEvents *events) {
    const MashGame *game = content->game;
    MashChance dice = chance_sampled(number), none = chance_scripted(NULL, 0);
    uint32_t first = events->count;
    memcpy(state, view, content->limits.state_bytes);
    if (game->guess != NULL)
        game->guess(content, state, action.seat, &dice);
    if (game->check(content, state, action) != MASH_OK)
        return false;
    game->apply_listed(content, state, action, &none, events);
    if (none.failed || game->result(content, state).over)
        return false;
    game->hide(content, state, action.seat);
    return keep_seen(game, action.seat, first, events);
}

/* Has a turn ended with what happened so far? Nothing follows that in the same step. */
static bool turn_over(const MashGame *game, const MashEvents *events) {
    for (uint32_t i = 0; i < events->count; i++)
        if ((match_event_note(game, &events->list[i]) & MATCH_NOTE_TURN) != 0)
            return true;
    return false;
}

bool foresee(const MashContent *content, const void *view, MashAction action, void *memory,
             void *after, MashEvents *events) {
    Other other;
    uint32_t first = events->count;
    lay_out(content, memory, &other);
    if (turn_over(content->game, events) || events->max - first < content->limits.events_max ||
        !try_guess(content, view, action, 0, after, events))
        return false;
    uint32_t count = events->count - first;
    for (uint32_t i = 1; content->game->guess != NULL && i < GUESSES; i++) {
        other.events.count = 0;
        if (!try_guess(content, view, action, i, other.state, &other.events) ||
            memcmp(other.state, after, content->limits.state_bytes) != 0 ||
            other.events.count != count ||
            memcmp(other.events.list, events->list + first, count * sizeof(MashEvent)) != 0)
            return false;
    }
    return true;
}
