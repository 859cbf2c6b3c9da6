/* words.c -- display and texts: the board, names of units, descriptions. */
#include "engine/board.h"
#include "games/tablut/state.h"

/* The ground of a cell: castle, corner in which the king escapes, or the Muscovites' camp. */
static uint8_t ground_of(uint8_t marks) {
    return marks & TABLUT_MARK_KONAKIS  ? TABLUT_KONAKIS
           : marks & TABLUT_MARK_CLOSED ? TABLUT_CORNER
           : marks & TABLUT_MARK_CAMP   ? TABLUT_CAMP
                                        : TABLUT_FIELD;
}

/* Where a unit is. */
static MashToken token_of(const TablutBoard *board, const TablutState *state, uint8_t unit) {
    MashToken token = {.unit = unit,
                       .kind = tablut_kind(board, unit),
                       .seat = tablut_seat(board, unit),
                       .place = MASH_GONE};
    if (state->units[unit] != TABLUT_TAKEN) {
        token.place = MASH_ON_BOARD;
        token.x = tablut_x(state->units[unit]);
        token.y = tablut_y(state->units[unit]);
    }
    return token;
}

void tablut_show(const MashContent *content, const void *raw_state, MashBoard *shown) {
    const TablutBoard *board = tablut_board(content);
    const TablutState *state = raw_state;
    for (int i = 0; i < board->side * board->side; i++) {
        shown->ground[i] = ground_of(board->marks[tablut_cell(i % board->side, i / board->side)]);
        shown->ground_health[i] = 0;
    }
    board_clear(shown);
    for (uint8_t unit = 0; unit <= board->king; unit++)
        shown->tokens[shown->tokens_count++] = token_of(board, state, unit);
    const int most[MASH_SEATS] = {board->muscovites, board->king - board->muscovites};
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        board_meter(shown, (uint8_t)(MASH_UNIT_SIDE + seat), TABLUT_METER_SOLDIERS, MASH_ROLE_SCORE,
                    state->left[seat], most[seat]);
    board_meter(shown, MASH_UNIT_NONE, TABLUT_METER_QUIET, MASH_ROLE_LIMIT, state->quiet,
                TABLUT_QUIET_MAX);
    shown->phase = state->common.over ? TABLUT_PHASE_OVER : TABLUT_PHASE_MOVE;
    for (uint8_t i = 0; i < MASH_SEATS && !state->common.over; i++)
        shown->order[shown->order_count++] = (uint8_t)(MASH_UNIT_SIDE + (state->turn ^ i));
}

/* "m15", "s0", "k" */
void tablut_unit_name(const MashContent *content, const void *state, uint8_t unit, MashText *text) {
    (void)state;
    const TablutBoard *board = tablut_board(content);
    if (unit == board->king)
        text_byte(text, 'k');
    else if (unit < board->muscovites)
        text_format(text, "m%d", unit);
    else if (unit < board->king)
        text_format(text, "s%d", unit - board->muscovites);
}

/* "Muscovite m3", "King"; nothing for no unit. */
void tablut_full_name(const MashContent *content, const MashTexts *texts, const void *state,
                      uint8_t unit, MashText *text) {
    const TablutBoard *board = tablut_board(content);
    if (unit > board->king)
        return;
    texts_game_name(content, texts, MASH_NAME_KIND, tablut_kind(board, unit), text);
    if (unit == board->king)
        return;
    text_byte(text, ' ');
    tablut_unit_name(content, state, unit, text);
}

/* The descriptions: the kinds in the order of their numbers, then how the king of this board is
 * taken [4.1] [7.2] and where he escapes [5.1] [7.1]. */
enum {
    DESCRIBE_TAKEN = TABLUT_KINDS,
    DESCRIBE_ESCAPE = DESCRIBE_TAKEN + 2,
    DESCRIPTIONS = DESCRIBE_ESCAPE + 2
};
static const char *const ids[DESCRIPTIONS] = {"muscovite", "swede", "king",   "weak",
                                              "strong",    "edge",  "corners"};
const TextsDescriptions tablut_descriptions = {ids, DESCRIPTIONS, NULL, 0};

void tablut_describe(const MashContent *content, const MashTexts *texts, MashNames list,
                     uint8_t index, MashText *text) {
    const TablutBoard *board = tablut_board(content);
    texts = texts_of(content, texts);
    if (list != MASH_NAME_KIND || index >= TABLUT_KINDS)
        return;
    texts_describe(texts, &tablut_descriptions, index, NULL, text);
    if (index != TABLUT_KING)
        return;
    texts_describe(texts, &tablut_descriptions, (uint32_t)DESCRIBE_ESCAPE + board->corners, NULL,
                   text);
    texts_describe(texts, &tablut_descriptions, (uint32_t)DESCRIBE_TAKEN + board->strong, NULL,
                   text);
}
