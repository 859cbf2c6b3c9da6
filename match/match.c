/* match.c -- see match.h. */
#include "match/match.h"

#include <string.h>

/* Space for all actions of the longest match, and for those that are never listed. */
static uint32_t places(const MashContent *content) {
    return content->limits.length_max + MATCH_UNLISTED_MAX;
}

/* Space for the events of a step: of one action, and of those that came before it. */
static uint32_t events_places(const MashLimits *limits) {
    return limits->events_max + MASH_STEP_EVENTS_MAX;
}

/* All memory of a match: one list for counting and for lending. */
static void lay_out(Match *match, Lender *lender) {
    const MashLimits *limits = &match->content->limits;
    match->state = lend(lender, limits->state_bytes);
    match->previous = lend(lender, limits->state_bytes);
    match->events.max = events_places(limits);
    match->events.list = lend(lender, match->events.max * sizeof(MashEvent));
    match->actions_max = places(match->content);
    match->actions = lend(lender, match->actions_max * sizeof(MashAction));
    match->notes = lend(lender, match->actions_max);
}

size_t match_bytes(const MashContent *content) {
    Lender lender = {NULL, 0};
    Match match = {.content = content};
    lay_out(&match, &lender);
    return lender.used;
}

/* The state before the first action. */
static MashStatus set_up(const Match *match, void *state) {
    const MashGame *game = match->content->game;
    MashSetup setup = {.options = match->options, .options_count = game->options_count};
    MashChance chance = chance_seeded(match->seed, 0);
    memset(state, 0, match->content->limits.state_bytes);
    return game->setup(match->content, &setup, &chance, state);
}

MashStatus match_begin(Match *match, const MashContent *content, MashSeed seed,
                       const MashSetup *setup, void *memory) {
    const MashGame *game = content->game;
    assert(((uintptr_t)memory & 15) == 0 && game->options_count <= MASH_OPTIONS_MAX);
    *match = (Match){.content = content, .seed = seed};
    lay_out(match, &(Lender){memory, 0});
    uint32_t given = setup == NULL ? 0 : setup->options_count;
    if (given > game->options_count)
        return MASH_BAD_OPTION;
    for (uint32_t i = 0; i < game->options_count; i++)
        match->options[i] = i < given ? setup->options[i] : game->options[i].usual;
    return set_up(match, match->state);
}

/* --- Steps ------------------------------------------------------------------------------------ */

uint8_t match_event_note(const MashGame *game, const MashEvent *event) {
    switch (event->kind) {
    case MASH_EVENT_MATCH_BEGAN:
    case MASH_EVENT_TURN_BEGAN:
    case MASH_EVENT_TURN_ENDED:
    case MASH_EVENT_MATCH_ENDED:
        return MATCH_NOTE_TURN;
    case MASH_EVENT_REVEALED:
    case MASH_EVENT_FOUGHT:
    case MASH_EVENT_BLOCKED:
        return game->guess == NULL ? 0 : MATCH_NOTE_REVEALED;
    default:
        return 0;
    }
}

/* The seats that are awaited after the action and were not before: their turn begins. */
static bool passes_turn(const Match *match, uint32_t before) {
    return (match->content->game->awaited(match->content, match->state) & ~before) != 0;
}

/* The state is about to change: keeps it, and forgets the events. */
static void open_step(Match *match) {
    memcpy(match->previous, match->state, match->content->limits.state_bytes);
    match->events.count = 0;
}

/* Applies action number `ply`, which was checked in this very state, and notes what it did. Its
 * events follow those of its step. */
static void advance(Match *match, MashAction action, uint32_t ply) {
    const MashContent *content = match->content;
    MashChance chance = chance_seeded(match->seed, ply);
    uint64_t untouched = chance.counter;
    uint32_t awaited = content->game->awaited(content, match->state), first = match->events.count;
    uint8_t *note = &match->notes[ply - 1];
    content->game->apply_listed(content, match->state, action, &chance, &match->events);
    *note &= MATCH_NOTE_JOINED;
    *note |= chance.counter != untouched ? MATCH_NOTE_CHANCE : 0;
    *note |= passes_turn(match, awaited) ? MATCH_NOTE_TURN : 0;
    for (uint32_t i = first; i < match->events.count; i++)
        *note |= match_event_note(content->game, &match->events.list[i]);
    match->offers += action.verb == MASH_VERB_DRAW_OFFER;
}

/* May the action be made now? */
static MashStatus check(const Match *match, MashAction action) {
    MashStatus status = match->content->game->check(match->content, match->state, action);
    if (status != MASH_OK)
        return status;
    if (match->actions_count == match->actions_max)
        return MASH_TOO_OFTEN;
    if (action.verb == MASH_VERB_DRAW_OFFER && match->offers == MATCH_OFFERS_MAX)
        return MASH_TOO_OFTEN;
    return MASH_OK;
}

/* Makes the action the next of the list. */
static void append(Match *match, MashAction action, uint8_t note) {
    match->notes[match->actions_count] = note;
    match->actions[match->actions_count++] = action;
    advance(match, action, match->actions_count);
}

MashStatus match_apply(Match *match, MashAction action) {
    MashStatus status = check(match, action);
    if (status != MASH_OK)
        return status;
    open_step(match);
    append(match, action, 0);
    match->step_count = 1;
    return MASH_OK;
}

void match_step_begin(Match *match) {
    open_step(match);
    match->step_count = 0;
}

MashStatus match_step_add(Match *match, MashAction action) {
    enum { LAST = MATCH_NOTE_CHANCE | MATCH_NOTE_REVEALED | MATCH_NOTE_TURN };
    if (action.verb >= MASH_VERB_RESIGN)
        return MASH_NO_SUCH_ACTION;
    if (match->step_count > 0 && (match->notes[match->actions_count - 1] & LAST) != 0)
        return MASH_STEP_OVER;
    if (match->step_count == MATCH_STEP_MAX || match->events.count > MASH_STEP_EVENTS_MAX)
        return MASH_TOO_OFTEN;
    MashStatus status = check(match, action);
    if (status != MASH_OK)
        return status;
    append(match, action, match->step_count > 0 ? MATCH_NOTE_JOINED : 0);
    match->step_count++;
    return MASH_OK;
}

void match_step_cancel(Match *match) {
    memcpy(match->state, match->previous, match->content->limits.state_bytes);
    match->events.count = 0;
    for (; match->step_count > 0; match->step_count--)
        match->offers -= match->actions[--match->actions_count].verb == MASH_VERB_DRAW_OFFER;
}

/* Sets the match up anew and applies the first `count` actions again. With `keep`,
 * match->previous is not touched. */
static void replay(Match *match, uint32_t count, bool keep) {
    MashStatus status = set_up(match, match->state);
    assert(status == MASH_OK);
    match->events.count = 0;
    match->offers = match->step_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((match->notes[i] & MATCH_NOTE_JOINED) == 0) {
            match->events.count = match->step_count = 0;
            if (!keep)
                open_step(match);
        }
        advance(match, match->actions[i], i + 1);
        match->step_count++;
    }
    match->actions_count = count;
}

bool match_rewind(Match *match, uint32_t count) {
    if (count > match->actions_count)
        return false;
    replay(match, count, false);
    return true;
}

/* --- Undo ------------------------------------------------------------------------------------- */

const char *match_undo_id(MatchUndo undo) {
#define MATCH_ROW(name, id) id,
    static const char *const ids[] = {MATCH_UNDOS(MATCH_ROW)};
#undef MATCH_ROW
    assert((uint32_t)undo < MATCH_UNDO_COUNT);
    return ids[undo];
}

bool match_before_step(const Match *match, uint8_t seat, uint32_t *count) {
    uint32_t i = match->actions_count;
    while (i > 0 && (match->actions[i - 1].verb >= MASH_VERB_RESIGN ||
                     (seat != MASH_SEAT_NONE && match->actions[i - 1].seat != seat)))
        i--;
    if (i == 0)
        return false;
    while ((match->notes[i - 1] & MATCH_NOTE_JOINED) != 0)
        i--;
    *count = i - 1;
    return true;
}

MatchUndo match_undo_check(const Match *match, uint8_t seat, uint32_t *count) {
    uint32_t all = match->actions_count;
    if (match_result(match).over)
        return MATCH_UNDO_OVER;
    if (!match_before_step(match, seat, count))
        return MATCH_UNDO_NOTHING;
    if (match->actions[all - 1].seat != seat || match->actions[all - 1].verb >= MASH_VERB_RESIGN)
        return MATCH_UNDO_ANSWERED;
    uint8_t note = match->notes[all - 1];
    return (note & MATCH_NOTE_CHANCE) != 0     ? MATCH_UNDO_CHANCE
           : (note & MATCH_NOTE_REVEALED) != 0 ? MATCH_UNDO_REVEALED
           : (note & MATCH_NOTE_TURN) != 0     ? MATCH_UNDO_TURN_OVER
                                               : MATCH_UNDO_POSSIBLE;
}

void match_undo(Match *match, uint32_t count) {
    assert(count <= match->actions_count);
    memcpy(match->previous, match->state, match->content->limits.state_bytes);
    replay(match, count, true);
    match->events.count = 0;
}

bool match_view(const Match *match, uint8_t seat, void *view) {
    const MashContent *content = match->content;
    memcpy(view, match->state, content->limits.state_bytes);
    content->game->hide(content, view, seat);
    return memcmp(view, match->state, content->limits.state_bytes) != 0;
}

MashResult match_result(const Match *match) {
    return match->content->game->result(match->content, match->state);
}
