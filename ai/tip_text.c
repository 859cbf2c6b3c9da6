/* tip_text.c -- see tip_text.h. */
#include "ai/tip_text.h"

#include <string.h>

enum {
    SLIGHT = 10, /* weights that are not listed next to greater ones, */
    LEAST = 1,   /* and that are listed if there is nothing else at all */
};

/* How much it matters that this happens to the own side and to the enemy. */
static const struct {
    uint8_t kind, own, enemy;
} weights[] = {
    {MASH_EVENT_DIED, 0, 200},         {MASH_EVENT_FOUGHT, 150, 0},
    {MASH_EVENT_ITEM_TAKEN, 120, 0},   {MASH_EVENT_HURT, 0, 110},
    {MASH_EVENT_REVIVED, 100, 0},      {MASH_EVENT_ITEM_GIVEN, 90, 0},
    {MASH_EVENT_EFFECT_BEGAN, 70, 80}, {MASH_EVENT_ITEM_DROPPED, 0, 75},
    {MASH_EVENT_HEALED, 65, 0},        {MASH_EVENT_APPEARED, 60, 0},
    {MASH_EVENT_CHOSEN, 55, 0},        {MASH_EVENT_PLACED, 50, 0},
    {MASH_EVENT_READY, 45, 0},         {MASH_EVENT_USED, 40, 0},
    {MASH_EVENT_MISSED, 20, 0},        {MASH_EVENT_SWAPPED, 9, 0},
    {MASH_EVENT_TELEPORTED, 9, 0},     {MASH_EVENT_MOVED, 8, 0},
    {MASH_EVENT_ATTACKED, 7, 0},       {MASH_EVENT_BLOCKED, 6, 0},
    {MASH_EVENT_TURN_ENDED, 1, 0},
};

void tip_notes_clear(TipNotes *notes, uint8_t seat) {
    notes->count = 0;
    notes->seat = seat;
    memset(notes->sides, MASH_SEAT_NONE, sizeof notes->sides);
}

void tip_notes_set_owners(TipNotes *notes, const MashBoard *board) {
    for (uint32_t i = 0; i < board->tokens_count; i++)
        notes->sides[board->tokens[i].unit] = board->tokens[i].seat;
}

/* Whom the event is about: the owner of a unit, or the seat that it names; an event of a unit
 * without a number (while placing) is only seen by its own side. */
static uint8_t side_of(const TipNotes *notes, const MashEvent *event) {
    bool of_seat = event->kind == MASH_EVENT_CHOSEN || event->kind == MASH_EVENT_READY ||
                   event->kind == MASH_EVENT_MATCH_ENDED;
    if (of_seat)
        return event->other;
    if (event->kind == MASH_EVENT_PLACED && event->unit == MASH_UNIT_NONE)
        return notes->seat;
    return notes->sides[event->unit];
}

/* Is the event about the seat that gets the advice? */
static bool own(const TipNotes *notes, const MashEvent *event) {
    return side_of(notes, event) == notes->seat;
}

/* Is it about the other side? */
static bool enemy(const TipNotes *notes, const MashEvent *event) {
    return side_of(notes, event) == 1 - notes->seat;
}

/* How much an event matters to the seat that gets the advice, 0 = not at all: by kind and owner. */
static uint32_t weight(const TipNotes *notes, const MashEvent *event) {
    if (event->kind == MASH_EVENT_MATCH_ENDED)
        return own(notes, event) ? 255 : 0;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        if (weights[i].kind == event->kind)
            return own(notes, event) ? weights[i].own : enemy(notes, event) ? weights[i].enemy : 0;
    return 0;
}

/* --- Collecting events ------------------------------------------------------------------------ */

/* Are these the same event, perhaps with another amount? Steps of one unit are one move, and hits
 * that it takes are one loss. */
static bool alike(const MashEvent *a, const MashEvent *b) {
    if (a->kind != b->kind || a->unit != b->unit)
        return false;
    return a->kind == MASH_EVENT_MOVED || a->kind == MASH_EVENT_HURT ||
           (a->other == b->other && a->what == b->what);
}

/* The note of such an event in that turn, added if there is none; NULL: the list is full. */
static TipNote *find(TipNotes *notes, const MashEvent *event, TipTurn when) {
    for (uint32_t i = 0; i < notes->count; i++)
        if (notes->list[i].when == when && alike(&notes->list[i].event, event))
            return &notes->list[i];
    if (notes->count == TIP_NOTES_MAX)
        return NULL;
    TipNote *note = &notes->list[notes->count++];
    *note = (TipNote){.event = *event, .when = when};
    return note;
}

/* Could the event be a reason or a risk? Others are not kept. */
static bool of_interest(const TipNotes *notes, const MashEvent *event) {
    bool bad = event->kind == MASH_EVENT_HURT || event->kind == MASH_EVENT_DIED ||
               event->kind == MASH_EVENT_MATCH_ENDED;
    return bad || weight(notes, event) > 0;
}

void tip_notes_add(TipNotes *notes, const MashEvents *events, uint32_t sample, TipTurn when) {
    for (uint32_t i = 0; i < events->count; i++) {
        const MashEvent *event = &events->list[i];
        if (!mash_event_seen(event, notes->seat) || !of_interest(notes, event))
            continue;
        TipNote *note = find(notes, event, when);
        if (note == NULL)
            continue;
        note->event.x = event->x;
        note->event.y = event->y;
        note->amount += event->amount;
        note->samples += note->last != sample;
        note->last = sample;
    }
}

bool tip_notes_are_minor(const TipNotes *notes) {
    for (uint32_t i = 0; i < notes->count; i++) {
        const TipNote *note = &notes->list[i];
        bool prepares = note->event.kind == MASH_EVENT_APPEARED;
        if (note->when == TIP_TURN_OWN && weight(notes, &note->event) > SLIGHT && !prepares)
            return false;
    }
    return true;
}

/* --- Choosing events -------------------------------------------------------------------------- */

/* Adds the note to the listed events, with its mean amount. */
static void events_take(TipEvents *events, const TipNote *note) {
    MashEvent event = note->event;
    event.amount = (int32_t)((note->amount + note->samples / 2) / note->samples);
    events->list[events->count] = event;
    events->samples[events->count++] = note->samples;
}

/* Health that a side loses in all samples until the reply is over. */
static int64_t health_lost(const TipNotes *notes, uint8_t side) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < notes->count; i++)
        if (notes->list[i].event.kind == MASH_EVENT_HURT && notes->list[i].when != TIP_TURN_NEXT &&
            notes->sides[notes->list[i].event.unit] == side)
            sum += notes->list[i].amount;
    return sum;
}

/* A move that ends where it started. */
static bool nowhere(const MashEvent *event) {
    return event->kind == MASH_EVENT_MOVED && event->x == event->from_x &&
           event->y == event->from_y;
}

/* The most important note of a turn, by weight and frequency, that is not chosen yet; NULL: none.
 */
static const TipNote *weightiest(const TipNotes *notes, TipTurn when, const bool *chosen) {
    const TipNote *best = NULL;
    uint64_t most = 0;
    for (uint32_t i = 0; i < notes->count; i++) {
        const TipNote *note = &notes->list[i];
        uint64_t weighs = (uint64_t)weight(notes, &note->event) * note->samples;
        if (note->when != when || chosen[i] || weighs <= most || nowhere(&note->event))
            continue;
        most = weighs;
        best = note;
    }
    return best;
}

/* Chooses the most important notes of a turn, in order. Returns the most important one, or NULL. */
static const TipNote *take_turn(const TipNotes *notes, TipTurn when, uint32_t samples,
                                TipEvents *events) {
    bool chosen[TIP_NOTES_MAX] = {false};
    const TipNote *first = weightiest(notes, when, chosen), *next = first;
    bool weighty = first != NULL && weight(notes, &first->event) > SLIGHT;
    for (uint32_t i = 0; i < TIP_EVENTS_MAX && next != NULL; i++) {
        uint32_t least = weighty ? SLIGHT : LEAST;
        bool fits = 2 * next->samples >= samples && weight(notes, &next->event) > least;
        if (next != first && !fits)
            break;
        chosen[next - notes->list] = true;
        next = weightiest(notes, when, chosen);
    }
    for (uint32_t i = 0; i < notes->count; i++)
        if (chosen[i])
            events_take(events, &notes->list[i]);
    return first;
}

/* What the turn does; also what may follow, if it is important. */
static void take_reason(const TipNotes *notes, TipChoice *choice) {
    const TipNote *first = take_turn(notes, TIP_TURN_OWN, choice->samples, &choice->now);
    choice->works = first == NULL ? choice->samples : first->samples;
    const TipNote *next = take_turn(notes, TIP_TURN_NEXT, choice->samples, &choice->next);
    if (next == NULL || weight(notes, &next->event) <= SLIGHT ||
        2 * next->samples < choice->samples)
        choice->next.count = 0;
}

/* What is bad for the own side: a lost match, own units that are defeated. */
static void take_losses(const TipNotes *notes, TipEvents *losses) {
    for (uint32_t i = 0; i < notes->count && losses->count < TIP_EVENTS_MAX; i++) {
        const TipNote *note = &notes->list[i];
        bool ended = note->event.kind == MASH_EVENT_MATCH_ENDED && !own(notes, &note->event);
        bool fell = note->event.kind == MASH_EVENT_DIED && own(notes, &note->event);
        if ((ended || fell) && note->when != TIP_TURN_NEXT)
            events_take(losses, note);
    }
}

void tip_notes_write(const TipNotes *notes, TipChoice *choice) {
    int64_t samples = choice->samples == 0 ? 1 : choice->samples;
    int64_t lost = health_lost(notes, notes->seat);
    int64_t dealt = health_lost(notes, 1 - notes->seat);
    choice->lost = (int32_t)((lost + samples / 2) / samples);
    choice->dealt = (int32_t)((dealt + samples / 2) / samples);
    choice->now.count = choice->next.count = choice->losses.count = 0;
    take_reason(notes, choice);
    take_losses(notes, &choice->losses);
}
