/* show.c -- what to display of a state or a view: ground, pieces and their meters, with notes on
 * what a hidden piece can still be. */
#include <string.h>

#include "engine/board.h"
#include "games/generals/state.h"

/* [1.1] [1.2] Zones are for placement; in play all cells are alike. */
static void show_ground(const GeneralsContent *body, const GeneralsState *state, MashBoard *board) {
    memset(board->ground, GROUND_OPEN, body->cells);
    memset(board->ground_health, 0, sizeof *board->ground_health * body->cells);
    for (uint32_t seat = 0; seat < MASH_SEATS && placing(state); seat++)
        memset(board->ground + body->army[seat].zone_first, (int)(GROUND_ZONE_0 + seat),
               body->army[seat].zone_cells);
}

/* [5.2] While pieces have no numbers: the power of each ranked kind of an army. */
static void show_powers(const GeneralsArmy *army, MashBoard *board) {
    for (uint8_t kind = 1; kind <= army->kinds_count; kind++) {
        if (army->kinds[kind].class != CLASS_RANKED)
            continue;
        MashMeter *meter = board_meter(board, MASH_UNIT_NONE, METER_POWER, MASH_ROLE_OFFERED,
                                       army->kinds[kind].power, 0);
        meter_about(meter, MASH_NAME_KIND, (uint8_t)(army->kind_first + kind - 1));
    }
}

/* [3.6] Placed pieces and those still on the bench; nothing of a side that is hidden from this
 * view. They have no numbers yet. */
static void show_placement(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                           MashBoard *board) {
    const GeneralsArmy *army = &body->army[seat];
    uint8_t left[KINDS_MAX + 1];
    MashToken token = {.unit = MASH_UNIT_NONE, .seat = seat, .place = MASH_ON_BOARD};
    if (state->blind >> seat & 1)
        return;
    generals_left(body, state, seat, left);
    for (uint32_t i = 0; i < army->zone_cells; i++) {
        uint32_t cell = (uint32_t)army->zone_first + i;
        if (state->cells[cell] == 0)
            continue;
        token.kind = (uint8_t)(army->kind_first + state->cells[cell] - 1);
        token.x = (int8_t)body->x[cell];
        token.y = (int8_t)body->y[cell];
        board->tokens[board->tokens_count++] = token;
    }
    token.place = MASH_ON_BENCH;
    token.x = token.y = -1;
    for (uint8_t kind = 1; kind <= army->kinds_count; kind++)
        for (; left[kind] > 0; left[kind]--) {
            token.kind = (uint8_t)(army->kind_first + kind - 1);
            board->tokens[board->tokens_count++] = token;
        }
    board_meter(board, (uint8_t)(MASH_UNIT_SIDE + seat), METER_READY, MASH_ROLE_SCORE,
                state->ready >> seat & 1, 1);
    show_powers(army, board);
}

/* A piece as a token, also when it is defeated; hidden if the view does not know its rank [7.1]. */
static MashToken token_of(const GeneralsContent *body, const GeneralsState *state, uint8_t unit) {
    const GeneralsPiece *piece = &state->pieces[unit];
    uint8_t seat = side_of(body, unit);
    MashToken token = {.unit = unit, .seat = seat, .place = MASH_GONE, .x = -1, .y = -1};
    if (piece->cell != CELL_GONE) {
        token.place = MASH_ON_BOARD;
        token.x = (int8_t)body->x[piece->cell];
        token.y = (int8_t)body->y[piece->cell];
    }
    if (piece->kind == 0)
        token.flags = MASH_TOKEN_HIDDEN;
    else
        token.kind = (uint8_t)(body->army[seat].kind_first + piece->kind - 1);
    if (piece_shown(piece) || state->open || state->common.over)
        token.flags |= MASH_TOKEN_REVEALED;
    return token;
}

/* [6.6] [7.5] */
static void show_piece_meters(const GeneralsContent *body, const GeneralsState *state, uint8_t unit,
                              uint16_t mask, MashBoard *board) {
    const GeneralsPiece *piece = &state->pieces[unit];
    const GeneralsKind *kind = kind_of(body, state, unit);
    if (piece->kind == 0)
        meter_about_set(board_meter(board, unit, METER_COULD_BE, MASH_ROLE_COULD_BE, mask >> 1, 0),
                        MASH_NAME_KIND, body->army[side_of(body, unit)].kind_first);
    if (kind->class == CLASS_RANKED)
        board_meter(board, unit, METER_POWER, MASH_ROLE_NUMBER, kind->power, 0);
    if (kind->ability != ABILITY_NONE && piece->cell != CELL_GONE) {
        bool once_shown = kind->ability == ABILITY_SECOND_STEP;
        MashMeter *meter = board_meter(board, unit, METER_ABILITY, MASH_ROLE_USABLE,
                                       piece_shown(piece) == once_shown, 1);
        meter_about(meter, MASH_NAME_ABILITY, kind->ability);
    }
    if (piece_web(piece) != 0)
        board_meter(board, unit, METER_WEB, MASH_ROLE_EFFECT, piece_web(piece), body->web_turns);
}

/* All pieces of a side with their meters, and how many of them are left. */
static void show_side(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                      MashBoard *board) {
    const GeneralsArmy *army = &body->army[seat];
    uint16_t masks[SIDE_MAX];
    int32_t left = 0;
    generals_known(body, state, seat, masks);
    for (uint32_t i = 0; i < army->pieces; i++) {
        uint8_t unit = (uint8_t)(army->first + i);
        left += state->pieces[unit].cell != CELL_GONE;
        board->tokens[board->tokens_count++] = token_of(body, state, unit);
        show_piece_meters(body, state, unit, masks[i], board);
    }
    board_meter(board, (uint8_t)(MASH_UNIT_SIDE + seat), METER_LEFT, MASH_ROLE_SCORE, left,
                army->pieces);
}

void generals_show(const MashContent *content, const void *raw_state, MashBoard *board) {
    const GeneralsContent *body = generals_content(content);
    const GeneralsState *state = raw_state;
    board_clear(board);
    board->active = state->second == 0 ? MASH_UNIT_NONE : (uint8_t)(state->second - 1);
    board->phase = state->common.over ? PHASE_OVER
                   : state->second    ? PHASE_SECOND_STEP
                   : placing(state)   ? PHASE_PLACEMENT
                                      : PHASE_TURN;
    show_ground(body, state, board);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        if (placing(state))
            show_placement(body, state, seat, board);
        else
            show_side(body, state, seat, board);
    }
    if (placing(state))
        return;
    board_meter(board, MASH_UNIT_NONE, METER_ROUND, MASH_ROLE_ROUND, state->round, 0);
    board_meter(board, MASH_UNIT_NONE, METER_QUIET, MASH_ROLE_LIMIT, state->quiet,
                body->quiet_turns);
    board_meter(board, MASH_UNIT_NONE, METER_REPEATED, MASH_ROLE_LIMIT,
                (int32_t)generals_repeated(state), body->repetitions);
}
