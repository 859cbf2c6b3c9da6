/* words.c -- what people see and read: the board to draw, names, words of steps, sentences of
 * events. */
#include "games/zorde/state.h"

/* Zorde's IDs have capitals; typed words are in lower case. */
static char lower(char letter) { return (char)(letter - 'A' + 'a'); }

/* A unit as a token; who waits until another's order is complete is marked as done [2.2]. */
static void show_token(const ZordeSetup *field, const ZordeState *state, uint8_t unit,
                       MashToken *token) {
    const ZordeStartUnit *start = &field->units[unit];
    bool lives = zorde_lives(field, state, unit);
    bool waits = state->mover != MASH_UNIT_NONE && state->mover != unit; /* [2.2] */
    *token =
        (MashToken){.unit = unit,
                    .kind = start->kind,
                    .seat = start->seat,
                    .place = lives ? MASH_ON_BOARD : MASH_GONE,
                    .x = state->units[unit].x,
                    .y = state->units[unit].y,
                    .flags = lives && waits && start->seat == state->turn ? MASH_TOKEN_DONE : 0};
}

/* Appends a meter. */
static void show_meter(MashBoard *board, uint8_t unit, uint8_t what, int now, int most) {
    board->meters[board->meters_count++] =
        (MashMeter){.unit = unit, .meter = what, .now = now, .most = most};
}

/* Health and the figures of its kind; steps are those left of the order under way. */
static void show_meters(const ZordeSetup *field, const ZordeState *state, uint8_t unit,
                        MashBoard *board) {
    const ZordeKind *kind = zorde_kind_of(field, unit);
    show_meter(board, unit, ZORDE_METER_HEALTH, state->units[unit].health, kind->health);
    if (!zorde_lives(field, state, unit))
        return;
    int made = state->mover == unit ? state->steps : 0;
    show_meter(board, unit, ZORDE_METER_STEPS, kind->steps - made, kind->steps);
    show_meter(board, unit, ZORDE_METER_ATTACK, kind->attack, 0);
    if (kind->range > 0)
        show_meter(board, unit, ZORDE_METER_RANGED, kind->ranged_attack, 0);
    if (kind->healing > 0)
        show_meter(board, unit, ZORDE_METER_HEALING, kind->healing, 0);
}

/* How many units each side has left of how many. */
static void show_sides(const ZordeSetup *field, const ZordeState *state, MashBoard *board) {
    int all[MASH_SEATS] = {0}, living[MASH_SEATS] = {0};
    for (uint8_t i = 0; i < field->units_count; i++) {
        all[field->units[i].seat]++;
        living[field->units[i].seat] += zorde_lives(field, state, i);
    }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        show_meter(board, (uint8_t)(MASH_UNIT_SIDE + seat), ZORDE_METER_UNITS, living[seat],
                   all[seat]);
}

/* Orders given so far, the one that ended the match by force included, be it complete or not. */
static uint16_t orders_given(const ZordeState *state) {
    bool fought = state->table.over && (state->table.reason == ZORDE_REASON_BEATEN ||
                                        state->table.reason == ZORDE_REASON_BOTH_FELL);
    return (uint16_t)(state->orders + fought);
}

/* The board has no terrain [1.2]: all ground is of kind 0 and without wear. */
void zorde_show(const MashContent *content, const void *raw_state, MashBoard *board) {
    const ZordeSetup *field = zorde_setup(content);
    const ZordeState *state = raw_state;
    for (int i = 0; i < field->width * field->height; i++) {
        board->ground[i] = 0;
        board->ground_health[i] = 0;
    }
    board->tokens_count = board->meters_count = board->order_count = 0;
    for (uint8_t i = 0; i < field->units_count; i++) {
        show_token(field, state, i, &board->tokens[board->tokens_count++]);
        show_meters(field, state, i, board);
    }
    show_sides(field, state, board);
    show_meter(board, MASH_UNIT_NONE, ZORDE_METER_ORDERS, orders_given(state), ZORDE_ORDERS_MAX);
    board->active = state->table.over ? MASH_UNIT_NONE : state->mover;
    board->phase = state->table.over                ? ZORDE_PHASE_OVER
                   : state->mover == MASH_UNIT_NONE ? ZORDE_PHASE_CHOOSE
                                                    : ZORDE_PHASE_FINISH;
    if (state->table.over)
        return;
    bool under_way = state->mover != MASH_UNIT_NONE;
    board->order[board->order_count++] =
        under_way ? state->mover : (uint8_t)(MASH_UNIT_SIDE + state->turn);
    board->order[board->order_count++] = (uint8_t)(MASH_UNIT_SIDE + 1 - state->turn);
}

void zorde_name(const MashContent *content, MashNames list, uint8_t index, MashText *text) {
    texts_name(&zorde_body(content)->texts, list, index, text);
}

/* The ID in lower case [1.4]. */
void zorde_unit_name(const MashContent *content, const void *state, uint8_t unit, MashText *text) {
    (void)state;
    const ZordeSetup *field = zorde_setup(content);
    if (unit < field->units_count)
        text_format(text, "%c%c", lower(field->units[unit].letter), field->units[unit].digit);
}

/* "step h0 3 4" */
void zorde_word(const MashContent *content, const void *state, MashAction action, MashText *text) {
    if (common_has_verb(action.verb)) {
        common_notation(action, text);
        return;
    }
    if (action.verb != ZORDE_VERB_STEP)
        return;
    text_string(text, "step ");
    zorde_unit_name(content, state, action.unit, text);
    text_format(text, " %d %d", action.x, action.y);
}

/* "Human H0"; nothing for no unit. */
static void full_name(const MashContent *content, uint8_t unit, MashText *text) {
    const ZordeSetup *field = zorde_setup(content);
    if (unit >= field->units_count)
        return;
    const ZordeStartUnit *start = &field->units[unit];
    zorde_name(content, MASH_NAME_KIND, start->kind, text);
    text_format(text, " %c%c", start->letter, start->digit);
}

/* The list in which an event's `what` has its name. */
static MashNames list_of(uint8_t kind) {
    switch (kind) {
    case MASH_EVENT_ATTACKED:
        return MASH_NAME_ABILITY;
    case MASH_EVENT_FOUGHT:
        return MASH_NAME_OUTCOME;
    default:
        return MASH_NAME_REASON;
    }
}

/* Does the event speak of a seat in `other`, and not of a unit? */
static bool about_seat(uint8_t kind) {
    return kind == MASH_EVENT_TURN_BEGAN || kind == MASH_EVENT_DRAW_OFFERED ||
           kind == MASH_EVENT_DRAW_DECLINED || kind == MASH_EVENT_MATCH_ENDED;
}

void zorde_say(const MashContent *content, const void *state, const MashEvent *event,
               MashText *text) {
    (void)state;
    char memory[4][64];
    MashText unit = text_over(memory[0], sizeof memory[0]);
    MashText other = text_over(memory[1], sizeof memory[1]);
    MashText side = text_over(memory[2], sizeof memory[2]);
    MashText what = text_over(memory[3], sizeof memory[3]);
    full_name(content, event->unit, &unit);
    if (about_seat(event->kind))
        zorde_name(content, MASH_NAME_SIDE, event->other, &side);
    else
        full_name(content, event->other, &other);
    zorde_name(content, list_of(event->kind), event->what, &what);
    TextsArguments words = {
        .unit = unit.bytes, .other = other.bytes, .what = what.bytes, .side = side.bytes};
    texts_write_event(&zorde_body(content)->texts, event, &words, text);
}
