/* threat.c -- see MashGame.threat: a step onto a piece is a battle, a strike takes all around, a
 * snap may take anybody. What a piece can be is what its viewer knows [7.5]. */
#include "games/generals/state.h"

/* A piece on this cell may be lost. */
static void mark(const GeneralsContent *body, uint8_t cell, int32_t *most) {
    most[body->y[cell] * body->width + body->x[cell]] = 1;
}

/* Marks the cells that the piece can step to from a cell; `twice`: and from there again [6.1]. */
static void mark_steps(const GeneralsContent *body, uint8_t cell, bool twice, int32_t *most) {
    for (int i = 0; i < 4; i++) {
        uint8_t to = body->around[cell].steps[i];
        if (to == cell)
            continue;
        mark(body, to, most);
        for (int k = 0; twice && k < 4; k++)
            if (body->around[to].steps[k] != cell)
                mark(body, body->around[to].steps[k], most);
    }
}

/* What the piece can be: its kind if it is known. */
static uint16_t kinds_of(const GeneralsContent *body, const GeneralsState *state, uint8_t unit) {
    const GeneralsArmy *army = &body->army[side_of(body, unit)];
    uint16_t masks[SIDE_MAX];
    if (state->pieces[unit].kind != 0)
        return (uint16_t)(1 << state->pieces[unit].kind);
    generals_could_be(body, state, side_of(body, unit), masks);
    return masks[unit - army->first];
}

void generals_threat(const MashContent *content, const void *view, uint8_t unit, int32_t *most) {
    const GeneralsContent *body = generals_content(content);
    const GeneralsState *state = view;
    const GeneralsPiece *piece = &state->pieces[unit];
    const GeneralsArmy *army = &body->army[side_of(body, unit)];
    if (placing(state) || piece->cell == CELL_GONE)
        return;
    uint16_t kinds = kinds_of(body, state, unit);
    bool used = piece_shown(piece);
    if ((kinds & ~(1 << army->nexus)) == 0) /* [4.4] */
        return;
    mark_steps(body, piece->cell, used && (kinds & army->with[ABILITY_SECOND_STEP]) != 0, most);
    if ((kinds & army->with[ABILITY_STRIKE]) != 0 && !used) /* [6.3] */
        for (int i = 0; i < body->around[piece->cell].all; i++)
            mark(body, body->around[piece->cell].cells[i], most);
    bool near_far_row = body->y[piece->cell] - army->far_row >= -1 &&
                        body->y[piece->cell] - army->far_row <= 1 &&
                        body->y[piece->cell] != army->far_row;
    if ((kinds & army->with[ABILITY_SNAP]) != 0 && !used && near_far_row) /* [6.7] */
        for (uint8_t cell = 0; cell < body->cells; cell++)
            mark(body, cell, most);
}
