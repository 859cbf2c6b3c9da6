/* match.c -- see match.h. */
#include "match/match.h"

#include <string.h>

#include "base/align.h"

/* Space for all actions of the longest match, and for those that are never listed. */
static uint32_t places(const MashContent *content) {
    return content->limits.length_max + MATCH_UNLISTED_MAX;
}

size_t match_bytes(const MashContent *content) {
    const MashLimits *limits = &content->limits;
    return 2 * align_16(limits->state_bytes) + align_16(limits->events_max * sizeof(MashEvent)) +
           places(content) * sizeof(MashAction);
}

/* Divides the lent memory. */
static void lay_out(Match *match, uint8_t *memory) {
    const MashLimits *limits = &match->content->limits;
    size_t state_bytes = align_16(limits->state_bytes);
    match->state = memory;
    match->previous = memory + state_bytes;
    memory += 2 * state_bytes;
    match->events = (MashEvents){.list = (MashEvent *)(void *)memory, .max = limits->events_max};
    memory += align_16(limits->events_max * sizeof(MashEvent));
    match->actions = (MashAction *)(void *)memory;
    match->actions_max = places(match->content);
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
    lay_out(match, memory);
    uint32_t given = setup == NULL ? 0 : setup->options_count;
    if (given > game->options_count)
        return MASH_BAD_OPTION;
    for (uint32_t i = 0; i < game->options_count; i++)
        match->options[i] = i < given ? setup->options[i] : game->options[i].usual;
    return set_up(match, match->state);
}

/* Applies action number `ply`, which was checked in this very state. */
static void advance(Match *match, MashAction action, uint32_t ply) {
    const MashContent *content = match->content;
    MashChance chance = chance_seeded(match->seed, ply);
    memcpy(match->previous, match->state, content->limits.state_bytes);
    match->events.count = 0;
    content->game->apply_listed(content, match->state, action, &chance, &match->events);
    match->offers += action.verb == MASH_VERB_DRAW_OFFER;
}

MashStatus match_apply(Match *match, MashAction action) {
    MashStatus status = match->content->game->check(match->content, match->state, action);
    if (status != MASH_OK)
        return status;
    if (match->actions_count == match->actions_max)
        return MASH_TOO_OFTEN;
    if (action.verb == MASH_VERB_DRAW_OFFER && match->offers == MATCH_OFFERS_MAX)
        return MASH_TOO_OFTEN;
    advance(match, action, match->actions_count + 1);
    match->actions[match->actions_count++] = action;
    return MASH_OK;
}

bool match_rewind(Match *match, uint32_t count) {
    if (count > match->actions_count)
        return false;
    MashStatus status = set_up(match, match->state);
    assert(status == MASH_OK);
    match->events.count = 0;
    match->offers = 0;
    for (uint32_t i = 0; i < count; i++)
        advance(match, match->actions[i], i + 1);
    match->actions_count = count;
    return true;
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
