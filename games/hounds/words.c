/* words.c -- display and texts: the board, names of units, descriptions. */
#include "engine/board.h"
#include "games/hounds/state.h"

void hounds_show(const MashContent *content, const void *raw_state, MashBoard *board) {
    const HoundsState *state = raw_state;
    for (uint8_t cell = 0; cell < HOUNDS_CELLS; cell++) {
        bool point = hounds_is_point(hounds_x(cell), hounds_y(cell));
        board->ground[cell] = point ? HOUNDS_POINT : HOUNDS_WOOD;
        board->ground_health[cell] = 0;
    }
    board_clear(board);
    for (uint8_t unit = 0; unit < HOUNDS_UNITS; unit++)
        board->tokens[board->tokens_count++] =
            (MashToken){.unit = unit,
                        .kind = unit == HOUNDS_THE_HARE ? HOUNDS_HARE : HOUNDS_HOUND,
                        .seat = hounds_seat(unit),
                        .place = MASH_ON_BOARD,
                        .x = hounds_x(state->cells[unit]),
                        .y = hounds_y(state->cells[unit])};
    board_meter(board, MASH_UNIT_NONE, HOUNDS_METER_STALLED, MASH_ROLE_LIMIT, state->stalled,
                hounds_hunt(content)->limit);
    board->phase = state->table.over ? HOUNDS_PHASE_OVER : HOUNDS_PHASE_MOVE;
    for (uint8_t i = 0; i < MASH_SEATS && !state->table.over; i++)
        board->order[board->order_count++] = (uint8_t)(MASH_UNIT_SIDE + (state->turn ^ i));
}

/* "d0", "h" */
void hounds_unit_name(const MashContent *content, const void *state, uint8_t unit, MashText *text) {
    (void)content, (void)state;
    if (unit == HOUNDS_THE_HARE)
        text_byte(text, 'h');
    else if (unit < HOUNDS_THE_HARE)
        text_format(text, "d%d", unit);
}

/* "Hound d0", "Hare"; nothing for no unit. */
void hounds_full_name(const MashContent *content, const MashTexts *texts, const void *state,
                      uint8_t unit, MashText *text) {
    if (unit >= HOUNDS_UNITS)
        return;
    uint8_t kind = unit == HOUNDS_THE_HARE ? HOUNDS_HARE : HOUNDS_HOUND;
    texts_game_name(content, texts, MASH_NAME_KIND, kind, text);
    if (kind == HOUNDS_HARE)
        return;
    text_byte(text, ' ');
    hounds_unit_name(content, state, unit, text);
}

/* The descriptions are those of the kinds, in the order of their numbers. */
static const char *const ids[HOUNDS_KINDS] = {"hound", "hare"};
const TextsDescriptions hounds_descriptions = {ids, HOUNDS_KINDS, NULL, 0};

void hounds_describe(const MashContent *content, const MashTexts *texts, MashNames list,
                     uint8_t index, MashText *text) {
    if (list == MASH_NAME_KIND && index < HOUNDS_KINDS)
        texts_describe(texts_of(content, texts), &hounds_descriptions, index, NULL, text);
}
