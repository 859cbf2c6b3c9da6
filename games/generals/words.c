/* words.c -- the texts of Generals: names, typed commands, sentences, statistics for the end
 * screen. */
#include "games/generals/state.h"

/* [3.7] A side's letter and the number within the side. */
void generals_unit_name(const MashContent *content, const void *raw_state, uint8_t unit,
                        MashText *text) {
    (void)raw_state;
    const GeneralsContent *body = generals_content(content);
    const GeneralsArmy *army = &body->army[side_of(body, unit)];
    if (unit < units_of(body))
        text_format(text, "%c%u", army->id[0], (unsigned)unit - army->first);
}

/* "Thor (h3)" where this view knows the rank, "h3" where not. */
void generals_full_name(const MashContent *content, const MashTexts *texts, const void *raw_state,
                        uint8_t unit, MashText *text) {
    const GeneralsContent *body = generals_content(content);
    const GeneralsState *state = raw_state;
    if (unit >= units_of(body))
        return;
    uint8_t kind = state->pieces[unit].kind;
    if (kind == 0) {
        generals_unit_name(content, state, unit, text);
        return;
    }
    uint8_t first = body->army[side_of(body, unit)].kind_first;
    texts_game_name(content, texts, MASH_NAME_KIND, (uint8_t)(first + kind - 1), text);
    text_string(text, " (");
    generals_unit_name(content, state, unit, text);
    text_byte(text, ')');
}

/* --- Figures ---------------------------------------------------------------------------------- */

/* How many pieces this unit defeated by this cause; with `tied`, those that were defeated together
 * with it. */
static int32_t taken(const GeneralsContent *body, const GeneralsState *state, uint8_t unit,
                     uint8_t cause, bool tied) {
    int32_t count = 0;
    for (uint8_t i = 0; i < units_of(body); i++) {
        bool mutual = state->pieces[unit].fell == (FELL_BATTLE | (i + 1));
        count += state->pieces[i].fell == (cause | (unit + 1)) && mutual == tied;
    }
    return count;
}

/* One figure of a piece, most of them derived from which piece defeated which; 0 for a number that
 * is not a figure. */
static int32_t figure_of_unit(const GeneralsContent *body, const GeneralsState *state, uint8_t unit,
                              uint8_t figure) {
    const GeneralsPiece *piece = &state->pieces[unit];
    bool in_battle = piece->fell != 0 && (piece->fell & FELL_CAUSES) == FELL_BATTLE;
    switch (figure) {
    case FIGURE_STEPS:
        return state->steps[unit];
    case FIGURE_WON:
        return taken(body, state, unit, FELL_BATTLE, false);
    case FIGURE_LOST:
        return in_battle && taken(body, state, unit, FELL_BATTLE, true) == 0;
    case FIGURE_TIED:
        return taken(body, state, unit, FELL_BATTLE, true);
    case FIGURE_STRUCK:
        return taken(body, state, unit, FELL_STRIKE, false);
    case FIGURE_SNAPPED:
        return taken(body, state, unit, FELL_SNAP, false);
    case FIGURE_WEBS:
        return piece_shown(piece) && kind_of(body, state, unit)->ability == ABILITY_WEB;
    case FIGURE_OUT:
        return piece->fell != 0;
    default:
        return 0;
    }
}

int32_t generals_figure(const MashContent *content, const void *raw_state, uint8_t unit,
                        uint8_t figure) {
    const GeneralsContent *body = generals_content(content);
    const GeneralsState *state = raw_state;
    int32_t sum = 0;
    if (unit < units_of(body))
        return figure_of_unit(body, state, unit, figure);
    if (unit < MASH_UNIT_SIDE || unit >= MASH_UNIT_SIDE + MASH_SEATS)
        return 0;
    const GeneralsArmy *army = &body->army[unit - MASH_UNIT_SIDE];
    for (uint32_t i = 0; i < army->pieces; i++)
        sum += figure_of_unit(body, state, (uint8_t)(army->first + i), figure);
    return sum;
}
