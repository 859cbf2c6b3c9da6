/* common.c -- see common.h: end of the match, draw offers, the verbs of every game. */
#include "engine/common.h"

#include <string.h>

CommonState common_new(void) { return (CommonState){.winner = MASH_SEAT_NONE}; }

/* Does the match wait for this seat? */
static bool awaits(uint32_t awaited, uint8_t seat) { return awaited >> seat & 1; }

/* Each action has exactly one encoding: fields that a verb does not use are zero. */
static bool plain(MashAction action, uint8_t other, uint8_t amount) {
    MashAction bare = {.verb = action.verb, .seat = action.seat, .other = other, .amount = amount};
    return mash_action_compare(action, bare) == 0;
}

/* Is this action of the server legal? Only an awaited seat can run out of time, a forfeit needs its
 * reason, and overtime is only for games that handle it themselves: a game without a rule for it
 * has no such action, and the server ends the match another way. */
static MashStatus check_server_verb(uint32_t awaited, MashAction action) {
    if (action.seat != MASH_SEAT_SERVER)
        return MASH_ONLY_THE_SERVER;
    if (action.verb == MASH_VERB_OVERTIME)
        return MASH_NO_SUCH_ACTION;
    if (action.other >= MASH_SEATS)
        return MASH_NOT_A_SEAT;
    if (!plain(action, action.other, action.verb == MASH_VERB_FORFEIT ? action.amount : 0))
        return MASH_NO_SUCH_ACTION;
    if (action.verb == MASH_VERB_TIME_OVER)
        return awaits(awaited, action.other) ? MASH_OK : MASH_NOT_NOW;
    bool known = action.amount >= MASH_REASON_TIME_OVER && action.amount < MASH_REASON_COUNT;
    return known ? MASH_OK : MASH_NO_SUCH_ACTION;
}

/* Resigning and draw offers, which every game has. */
static MashStatus check_seat_verb(const CommonState *common, uint32_t awaited, MashAction action) {
    if (!plain(action, 0, 0))
        return MASH_NO_SUCH_ACTION;
    switch (action.verb) {
    case MASH_VERB_RESIGN:
        return MASH_OK;
    case MASH_VERB_DRAW_OFFER:
        if (common->draw_offer != 0)
            return MASH_DRAW_ALREADY_OFFERED;
        return awaits(awaited, action.seat) ? MASH_OK : MASH_NOT_YOUR_TURN;
    default:
        return common->draw_offer == 2 - action.seat ? MASH_OK : MASH_NO_DRAW_OFFERED;
    }
}

MashStatus common_check(const CommonState *common, uint32_t awaited, uint8_t verbs,
                        MashAction action) {
    if (common->over)
        return MASH_MATCH_OVER;
    if (action.verb >= MASH_VERB_TIME_OVER && common_has_verb(action.verb))
        return check_server_verb(awaited, action);
    if (action.seat >= MASH_SEATS)
        return MASH_NOT_A_SEAT;
    if (common_has_verb(action.verb))
        return check_seat_verb(common, awaited, action);
    if (!awaits(awaited, action.seat))
        return MASH_NOT_YOUR_TURN;
    return action.verb > MASH_VERB_NONE && action.verb < verbs ? MASH_OK : MASH_NO_SUCH_ACTION;
}

void common_end(CommonState *common, uint8_t winner, uint8_t reason, MashEvents *events) {
    assert(!common->over && reason != MASH_REASON_NONE);
    common->over = 1;
    common->winner = winner;
    common->reason = reason;
    common->draw_offer = 0;
    MashEvent event = event_new(MASH_EVENT_MATCH_ENDED, MASH_UNIT_NONE, winner);
    event.what = reason;
    event_add(events, event);
}

/* The other seat. */
static uint8_t opponent(uint8_t seat) { return (uint8_t)(1 - seat); }

void common_apply_verb(CommonState *common, MashAction action, MashEvents *events) {
    switch (action.verb) {
    case MASH_VERB_RESIGN:
        common_end(common, opponent(action.seat), MASH_REASON_RESIGNED, events);
        break;
    case MASH_VERB_DRAW_OFFER:
        common->draw_offer = (uint8_t)(1 + action.seat);
        event_add(events, event_new(MASH_EVENT_DRAW_OFFERED, MASH_UNIT_NONE, action.seat));
        break;
    case MASH_VERB_DRAW_ACCEPT:
        common_end(common, MASH_SEAT_NONE, MASH_REASON_AGREED, events);
        break;
    case MASH_VERB_DRAW_DECLINE:
        common->draw_offer = 0;
        event_add(events, event_new(MASH_EVENT_DRAW_DECLINED, MASH_UNIT_NONE, action.seat));
        break;
    case MASH_VERB_TIME_OVER:
        common_end(common, opponent(action.other), MASH_REASON_TIME_OVER, events);
        break;
    default:
        assert(action.verb == MASH_VERB_FORFEIT);
        common_end(common, opponent(action.other), action.amount, events);
    }
}

MashResult common_result(const MashContent *content, const void *state) {
    const CommonState *common = state;
    (void)content;
    return (MashResult){
        .over = common->over != 0, .winner = common->winner, .reason = common->reason};
}

void common_notation(MashAction action, MashText *text) {
    static const char *const words[] = {"resign",  "offer draw", "accept draw", "decline draw",
                                        "time up", "overtime",   "forfeit"};
    assert(common_has_verb(action.verb));
    text_string(text, words[action.verb - MASH_VERB_RESIGN]);
    if (action.verb == MASH_VERB_TIME_OVER || action.verb == MASH_VERB_FORFEIT)
        text_format(text, " seat %u", action.other);
}

MashStatus common_options(const MashGame *game, const MashSetup *setup,
                          int32_t out[MASH_OPTIONS_MAX]) {
    memset(out, 0, sizeof *out * MASH_OPTIONS_MAX);
    uint32_t given = setup == NULL ? 0 : setup->options_count;
    if (given > game->options_count)
        return MASH_BAD_OPTION;
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        out[i] = i < given ? setup->options[i] : option->usual;
        if (out[i] < option->least || out[i] > option->most)
            return MASH_BAD_OPTION;
    }
    return MASH_OK;
}
