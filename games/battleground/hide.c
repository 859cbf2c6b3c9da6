/* hide.c -- what a seat may not know: the opponent's team while it is being chosen [2.4] and, with
 * the option blind, what the opponent has not summoned or used yet [9.3].
 *
 * A team that is being chosen is blanked completely, as if nothing were chosen. With the option
 * blind, places and numbers remain, and kind 0 means unknown. */
#include <string.h>

#include "games/battleground/state.h"

/* Are the teams hidden after the start too [9.3]? */
static bool blind(const BattlegroundState *state) { return (state->options & OPTION_BLIND) != 0; }

/* Blanks what a side has chosen, and how much of it [2.4]. */
static void hide_choice(BattlegroundState *state, uint8_t side) {
    memset(&state->warriors[SLOTS * side], 0, SLOTS * sizeof(Warrior));
    memset(state->stock[side], 0, sizeof state->stock[side]);
    state->potions[side] = 0;
}

/* Warriors on the field and defeated ones have been seen. */
static void hide_bench(BattlegroundState *state, uint8_t side) {
    for (int slot = 0; slot < SLOTS; slot++)
        if (state->warriors[SLOTS * side + slot].place == PLACE_BENCH)
            state->warriors[SLOTS * side + slot].kind = 0;
    memset(state->stock[side], 0, sizeof state->stock[side]);
}

void battleground_hide(const MashContent *loaded, void *raw_state, uint8_t seat) {
    (void)loaded;
    BattlegroundState *state = raw_state;
    for (uint8_t side = 0; side < MASH_SEATS; side++) {
        if (side == seat)
            continue;
        if (state->phase == PHASE_CHOOSE)
            hide_choice(state, side);
        else if (blind(state))
            hide_bench(state, side);
    }
}

/* A kind that the side may still have, all equally likely. */
static uint8_t any_kind(const BattlegroundContent *content, const BattlegroundState *state,
                        uint8_t side, MashChance *chance) {
    uint8_t offered[KINDS_MAX];
    uint32_t count = 0;
    for (uint8_t kind = 1; kind <= content->kinds_count; kind++)
        if (battleground_choosable(content, state, side, kind))
            offered[count++] = kind;
    return offered[chance_below(chance, count)];
}

/* The side has chosen everything, or all but one if the other is complete: otherwise play would
 * have begun. */
static void guess_choice(const BattlegroundContent *content, BattlegroundState *state, uint8_t side,
                         MashChance *chance) {
    if (state->warriors[SLOTS * side].place != PLACE_NONE)
        return; /* not blank */
    int missing = battleground_draft_complete(content, state, 1 - side) ? 1 : 0;
    int warriors = content->team_warriors, potions = content->team_potions;
    if (potions > 0)
        potions -= missing;
    else
        warriors -= missing;
    for (int i = 0; i < warriors; i++)
        battleground_draft_add(state, side, any_kind(content, state, side, chance));
    for (int i = 0; i < potions; i++)
        battleground_draft_pack(state, side, (uint8_t)chance_below(chance, content->potions_count));
}

/* Gives kinds to unseen warriors on the bench and to unknown unused potions [9.3]; what is known
 * stays. */
static void guess_bench(const BattlegroundContent *content, BattlegroundState *state, uint8_t side,
                        MashChance *chance) {
    for (int slot = 0; slot < SLOTS; slot++) {
        Warrior *warrior = &state->warriors[SLOTS * side + slot];
        if (warrior->place == PLACE_BENCH && warrior->kind == 0)
            warrior->kind = any_kind(content, state, side, chance);
    }
    int known = 0;
    for (int potion = 0; potion < POTIONS_MAX; potion++)
        known += state->stock[side][potion];
    for (; known < state->potions[side]; known++)
        state->stock[side][chance_below(chance, content->potions_count)]++;
}

void battleground_guess(const MashContent *loaded, void *view, uint8_t seat, MashChance *chance) {
    const BattlegroundContent *content = battleground_content(loaded);
    BattlegroundState *state = view;
    for (uint8_t side = 0; side < MASH_SEATS; side++) {
        if (side == seat)
            continue;
        if (state->phase == PHASE_CHOOSE)
            guess_choice(content, state, side, chance);
        else if (blind(state))
            guess_bench(content, state, side, chance);
    }
}
