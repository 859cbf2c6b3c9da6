/* words.c -- what to display of a match, and the texts for it.
 *
 * A warrior's name is its abbreviated kind and its number: nin2, kni6; 0 to 4 are Red's, 5 to 9
 * Blue's. One whose kind is hidden from this view is named war7. The number makes names unique. */
#include <string.h>

#include "engine/board.h"
#include "games/battleground/state.h"

/* --- Drawing ---------------------------------------------------------------------------------- */

/* The open cells, as ground. */
static void show_ground(const BattlegroundContent *content, MashBoard *board) {
    for (int y = 0; y < content->height; y++)
        for (int x = 0; x < content->width; x++) {
            int cell = y * content->width + x;
            board->ground[cell] = reach_is_open(content->open, x, y) ? GROUND_FLOOR : GROUND_WALL;
            board->ground_health[cell] = 0;
        }
}

/* Has it no action left in its owner's turn? */
static bool is_done(const BattlegroundState *state, uint8_t unit) {
    const Warrior *warrior = &state->warriors[unit];
    bool move = (warrior->done & DONE_MOVED) == 0 && state->phase <= PHASE_MOVE_2;
    bool attack = (warrior->done & DONE_ATTACKED) == 0 && state->phase <= PHASE_ATTACK;
    return warrior->place == PLACE_FIELD && seat_of(unit) == state->seat && !move && !attack;
}

/* The flags of a token: done, hidden, seen in a blind match [9.3], chosen. */
static uint8_t flags_of(const BattlegroundState *state, uint8_t unit) {
    const Warrior *warrior = &state->warriors[unit];
    bool seen = (state->options & OPTION_BLIND) != 0 && warrior->place != PLACE_BENCH;
    return (uint8_t)((is_done(state, unit) ? MASH_TOKEN_DONE : 0) |
                     (warrior->kind == 0 ? MASH_TOKEN_HIDDEN : 0) |
                     (seen ? MASH_TOKEN_REVEALED : 0) |
                     (state->phase == PHASE_CHOOSE ? MASH_TOKEN_CHOSEN : 0));
}

/* All warriors that were chosen, as tokens. */
static void show_warriors(const BattlegroundState *state, MashBoard *board) {
    static const uint8_t places[] = {
        [PLACE_BENCH] = MASH_ON_BENCH, [PLACE_FIELD] = MASH_ON_BOARD, [PLACE_GONE] = MASH_GONE};
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        const Warrior *warrior = &state->warriors[unit];
        if (warrior->place != PLACE_NONE)
            board->tokens[board->tokens_count++] = (MashToken){.unit = unit,
                                                               .kind = warrior->kind,
                                                               .seat = seat_of(unit),
                                                               .place = places[warrior->place],
                                                               .x = warrior->x,
                                                               .y = warrior->y,
                                                               .flags = flags_of(state, unit)};
    }
}

/* A number about a kind of warrior or potion that may be chosen. */
static void offer_meter(MashBoard *board, MashNames list, uint8_t index, uint8_t what, int now) {
    meter_about(board_meter(board, MASH_UNIT_NONE, what, MASH_ROLE_OFFERED, now, 0), list, index);
}

/* The figures of every warrior whose kind is known; on the bench they are those of its kind. */
static void meter_warriors(const BattlegroundContent *content, const BattlegroundState *state,
                           MashBoard *board) {
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        const Warrior *warrior = &state->warriors[unit];
        const BattlegroundKind *kind = &content->kinds[warrior->kind];
        if (warrior->kind == 0)
            continue;
        int health = warrior->place == PLACE_BENCH ? kind->health : warrior->health;
        board_meter(board, unit, METER_HEALTH, MASH_ROLE_HEALTH, health, kind->health);
        board_meter(board, unit, METER_ATTACK, MASH_ROLE_NUMBER, attack_of(content, warrior), 0);
        board_meter(board, unit, METER_WALK, MASH_ROLE_NUMBER, walk_of(content, warrior), 0);
    }
    uint8_t index = 0;
    for (int i = 0; i < state->effects_count; i++) {
        const Effect *effect = &state->effects[i];
        bool again =
            i > 0 && effect[-1].unit == effect->unit && effect[-1].potion == effect->potion;
        index = again ? (uint8_t)(index + 1) : 0; /* which of several of one kind */
        board_meter(board, effect->unit, (uint8_t)(METER_POTION + effect->potion), MASH_ROLE_EFFECT,
                    effect->turns, content->potions[effect->potion].turns)
            ->about = index;
    }
}

/* How many warriors of a seat are not defeated, on the field or on the bench. */
static int living(const BattlegroundState *state, uint8_t seat) {
    int count = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        uint8_t place = state->warriors[SLOTS * seat + slot].place;
        count += place == PLACE_BENCH || place == PLACE_FIELD;
    }
    return count;
}

/* How many warriors and potions each side has, and which potions as far as the view knows. */
static void meter_sides(const BattlegroundContent *content, const BattlegroundState *state,
                        MashBoard *board) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        uint8_t side = (uint8_t)(MASH_UNIT_SIDE + seat);
        board_meter(board, side, METER_WARRIORS, MASH_ROLE_SCORE, living(state, seat),
                    content->team_warriors);
        board_meter(board, side, METER_POTIONS, MASH_ROLE_SCORE, state->potions[seat],
                    content->team_potions);
        for (uint8_t potion = 0; potion < content->potions_count; potion++)
            if (state->stock[seat][potion] > 0)
                board_meter(board, side, (uint8_t)(METER_POTION + potion), MASH_ROLE_HELD,
                            state->stock[seat][potion], 0);
    }
}

/* [1.1] [1.2] [9.1] While teams are chosen: the figures of everything that may be chosen. */
static void meter_offers(const BattlegroundContent *content, const BattlegroundState *state,
                         MashBoard *board) {
    for (uint8_t kind = 1; kind <= content->kinds_count; kind++) {
        const BattlegroundKind *offer = &content->kinds[kind];
        if (offer->optional && !(state->options & OPTION_DINO))
            continue;
        offer_meter(board, MASH_NAME_KIND, kind, METER_HEALTH, offer->health);
        offer_meter(board, MASH_NAME_KIND, kind, METER_ATTACK, offer->attack);
        offer_meter(board, MASH_NAME_KIND, kind, METER_WALK, offer->walk);
    }
    for (uint8_t i = 0; i < content->potions_count; i++) {
        const Potion *offer = &content->potions[i];
        offer_meter(board, MASH_NAME_ITEM, i, (uint8_t)(METER_GIVES + offer->stat), offer->amount);
        offer_meter(board, MASH_NAME_ITEM, i, METER_TURNS, offer->turns);
    }
}

void battleground_show(const MashContent *loaded, const void *raw_state, MashBoard *board) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = raw_state;
    board_clear(board);
    board->phase = state->phase;
    show_ground(content, board);
    show_warriors(state, board);
    meter_warriors(content, state, board);
    meter_sides(content, state, board);
    if (state->phase == PHASE_CHOOSE)
        meter_offers(content, state, board);
    else
        board_meter(board, MASH_UNIT_NONE, METER_QUIET, MASH_ROLE_LIMIT, state->quiet,
                    content->quiet_turns);
}

/* --- Words ------------------------------------------------------------------------------------ */

void battleground_unit_name(const MashContent *loaded, const void *raw_state, uint8_t unit,
                            MashText *text) {
    const BattlegroundState *state = raw_state;
    if (unit >= UNITS)
        return;
    uint8_t kind = state->warriors[unit].kind;
    text_format(text, "%s%u", kind == 0 ? "war" : battleground_content(loaded)->kinds[kind].called,
                unit);
}

/* Potions are used and packed, warriors chosen with a number of their own. */
MashNames battleground_what_list(const MashEvent *event) {
    bool packed = event->kind == MASH_EVENT_CHOSEN && event->unit == MASH_UNIT_NONE;
    return packed || event->kind == MASH_EVENT_USED ? MASH_NAME_ITEM : MASH_NAME_NONE;
}

/* --- Figures ---------------------------------------------------------------------------------- */

/* A side's figure is the sum of its warriors', but for the potions it used. */
int32_t battleground_figure(const MashContent *loaded, const void *raw_state, uint8_t unit,
                            uint8_t figure) {
#define AT(member) FIGURE_PLACE(BattlegroundFigures, member)
    static const FigurePlace places[FIGURES] = {AT(dealt),  AT(taken), AT(knock_outs), AT(steps),
                                                AT(healed), {0, 0},    AT(received)};
#undef AT
    (void)loaded;
    const BattlegroundState *state = raw_state;
    uint8_t seat = (uint8_t)(unit - MASH_UNIT_SIDE);
    if (figure == FIGURE_USED)
        return seat < MASH_SEATS ? state->used[seat] : 0;
    return game_figure(places, FIGURES, figure, state->figures, sizeof *state->figures, UNITS,
                       unit);
}
