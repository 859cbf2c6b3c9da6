/* events.h -- appending events: create one, fill in what it uses, append it.
 *
 * Without a list (in search) nothing is appended, but the event was still built: in hot code, test
 * for NULL before building it. */
#ifndef ENGINE_EVENTS_H
#define ENGINE_EVENTS_H
#include "include/mashup.h"

/* An event of this kind about these units (MASH_UNIT_NONE = none), visible to everybody; the rest
 * is zero. */
static inline MashEvent event_new(MashEventKind kind, uint8_t unit, uint8_t other) {
    return (MashEvent){
        .kind = (uint8_t)kind, .seen_by = MASH_SEEN_BY_ALL, .unit = unit, .other = other};
}

/* Appends the event. The list has the length given by the limits, so it cannot be full. */
static inline void event_add(MashEvents *events, MashEvent event) {
    if (events == NULL)
        return;
    assert(events->count < events->max);
    events->list[events->count++] = event;
}

#endif
