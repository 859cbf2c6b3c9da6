/* foresee.c -- see foresee.h. The action is applied to states that the view allows: if it draws no
 * chance and leads to the same view and events in all of them, the seat can know what it will see.
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

/* Keeps the events that the seat may see, as it is told of them. False: something is revealed. */
static bool keep_seen(const MashGame *game, uint8_t seat, MashEvents *events) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < events->count; i++) {
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

/* What the action does in one state that the view allows. False: it cannot be known. */
static bool try_guess(const MashContent *content, const void *view, MashAction action,
                      uint32_t number, void *state, MashEvents *events) {
    const MashGame *game = content->game;
    MashChance dice = chance_sampled(number), none = chance_scripted(NULL, 0);
    memcpy(state, view, content->limits.state_bytes);
    if (game->guess != NULL)
        game->guess(content, state, action.seat, &dice);
    if (game->check(content, state, action) != MASH_OK)
        return false;
    events->count = 0;
    game->apply_listed(content, state, action, &none, events);
    if (none.failed || game->result(content, state).over)
        return false;
    game->hide(content, state, action.seat);
    return keep_seen(game, action.seat, events);
}

bool foresee(const MashContent *content, const void *view, MashAction action, void *memory,
             void *after, MashEvents *events) {
    Other other;
    lay_out(content, memory, &other);
    if (!try_guess(content, view, action, 0, after, events))
        return false;
    for (uint32_t i = 1; content->game->guess != NULL && i < GUESSES; i++)
        if (!try_guess(content, view, action, i, other.state, &other.events) ||
            memcmp(other.state, after, content->limits.state_bytes) != 0 ||
            other.events.count != events->count ||
            memcmp(other.events.list, events->list, events->count * sizeof(MashEvent)) != 0)
            return false;
    return true;
}
