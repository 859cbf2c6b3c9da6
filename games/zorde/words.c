/* words.c -- display and texts: the board, names, commands of steps, sentences of events. */
#include "engine/board.h"
#include "games/zorde/state.h"

/* Zorde's IDs have capitals; typed words are in lower case. */
static char lower(char letter) { return (char)(letter - 'A' + 'a'); }

/* A unit as a token; one that waits until another's order is complete is marked as done [2.2]. */
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

/* Health and the figures of its kind; steps are those left of the order in progress. */
static void show_meters(const ZordeSetup *field, const ZordeState *state, uint8_t unit,
                        MashBoard *board) {
    const ZordeKind *kind = zorde_kind_of(field, unit);
    board_meter(board, unit, ZORDE_METER_HEALTH, MASH_ROLE_HEALTH, state->units[unit].health,
                kind->health);
    if (!zorde_lives(field, state, unit))
        return;
    int made = state->mover == unit ? state->steps : 0;
    board_meter(board, unit, ZORDE_METER_STEPS, MASH_ROLE_POINTS, kind->steps - made, kind->steps);
    board_meter(board, unit, ZORDE_METER_ATTACK, MASH_ROLE_NUMBER, kind->attack, 0);
    if (kind->range > 0)
        board_meter(board, unit, ZORDE_METER_RANGED, MASH_ROLE_NUMBER, kind->ranged_attack, 0);
    if (kind->healing > 0)
        board_meter(board, unit, ZORDE_METER_HEALING, MASH_ROLE_NUMBER, kind->healing, 0);
}

/* How many units each side has left of how many. */
static void show_sides(const ZordeSetup *field, const ZordeState *state, MashBoard *board) {
    int all[MASH_SEATS] = {0}, living[MASH_SEATS] = {0};
    for (uint8_t i = 0; i < field->units_count; i++) {
        all[field->units[i].seat]++;
        living[field->units[i].seat] += zorde_lives(field, state, i);
    }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        board_meter(board, (uint8_t)(MASH_UNIT_SIDE + seat), ZORDE_METER_UNITS, MASH_ROLE_SCORE,
                    living[seat], all[seat]);
}

/* Orders given so far, including the one that ended the match, complete or not. */
static uint16_t orders_given(const ZordeState *state) {
    bool fought = state->common.over && (state->common.reason == ZORDE_REASON_BEATEN ||
                                         state->common.reason == ZORDE_REASON_BOTH_FELL);
    return (uint16_t)(state->orders + fought);
}

/* The board has no terrain [1.2]: all ground is of kind 0 and without health. */
void zorde_show(const MashContent *content, const void *raw_state, MashBoard *board) {
    const ZordeSetup *field = zorde_setup(content);
    const ZordeState *state = raw_state;
    for (int i = 0; i < field->width * field->height; i++) {
        board->ground[i] = 0;
        board->ground_health[i] = 0;
    }
    board_clear(board);
    for (uint8_t i = 0; i < field->units_count; i++) {
        show_token(field, state, i, &board->tokens[board->tokens_count++]);
        show_meters(field, state, i, board);
    }
    show_sides(field, state, board);
    board_meter(board, MASH_UNIT_NONE, ZORDE_METER_ORDERS, MASH_ROLE_LIMIT, orders_given(state),
                ZORDE_ORDERS_MAX);
    board->active = state->common.over ? MASH_UNIT_NONE : state->mover;
    board->phase = state->common.over               ? ZORDE_PHASE_OVER
                   : state->mover == MASH_UNIT_NONE ? ZORDE_PHASE_CHOOSE
                                                    : ZORDE_PHASE_FINISH;
    if (state->common.over)
        return;
    bool under_way = state->mover != MASH_UNIT_NONE;
    board->order[board->order_count++] =
        under_way ? state->mover : (uint8_t)(MASH_UNIT_SIDE + state->turn);
    board->order[board->order_count++] = (uint8_t)(MASH_UNIT_SIDE + 1 - state->turn);
}

/* The ID in lower case [1.4]. */
void zorde_unit_name(const MashContent *content, const void *state, uint8_t unit, MashText *text) {
    (void)state;
    const ZordeSetup *field = zorde_setup(content);
    if (unit < field->units_count)
        text_format(text, "%c%c", lower(field->units[unit].letter), field->units[unit].digit);
}

/* "Human H0"; nothing for no unit. */
void zorde_full_name(const MashContent *content, const MashTexts *texts, const void *state,
                     uint8_t unit, MashText *text) {
    (void)state;
    const ZordeSetup *field = zorde_setup(content);
    if (unit >= field->units_count)
        return;
    const ZordeStartUnit *start = &field->units[unit];
    texts_game_name(content, texts, MASH_NAME_KIND, start->kind, text);
    text_format(text, " %c%c", start->letter, start->digit);
}
