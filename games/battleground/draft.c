/* draft.c -- team selection: warriors, then potions, by both seats simultaneously and in secret.
 *
 * A seat's progress follows from its team: chosen warriors are on the bench, and potions are
 * counted. Only the chooser sees the events of its choices [2.4]. Nothing here reads the other
 * seat's team, except to check whether both are complete. */
#include "engine/events.h"
#include "games/battleground/state.h"

/* How many warriors the seat has chosen so far: their slots fill from the first on. */
static uint8_t chosen_warriors(const BattlegroundState *state, uint8_t seat) {
    uint8_t count = 0;
    while (count < SLOTS && state->warriors[SLOTS * seat + count].place != PLACE_NONE)
        count++;
    return count;
}

bool battleground_draft_complete(const BattlegroundContent *content, const BattlegroundState *state,
                                 uint8_t seat) {
    return chosen_warriors(state, seat) == content->team_warriors &&
           state->potions[seat] == content->team_potions;
}

/* Optional kinds need the option [9.1]. */
bool battleground_offered(const BattlegroundContent *content, const BattlegroundState *state,
                          uint8_t kind) {
    return kind >= 1 && kind <= content->kinds_count &&
           (!content->kinds[kind].optional || (state->options & OPTION_DINO) != 0);
}

/* How many warriors of one kind a seat may have: all, or two with the option; more where the kinds
 * on offer are too few for a team [9.8]. */
static int of_a_kind_most(const BattlegroundContent *content, const BattlegroundState *state) {
    int offered = 0;
    if ((state->options & OPTION_TWO_OF_A_KIND) == 0)
        return SLOTS;
    for (uint8_t kind = 1; kind <= content->kinds_count; kind++)
        offered += battleground_offered(content, state, kind);
    int needed = (content->team_warriors + offered - 1) / offered;
    return needed > 2 ? needed : 2;
}

bool battleground_choosable(const BattlegroundContent *content, const BattlegroundState *state,
                            uint8_t seat, uint8_t kind) {
    int has = 0;
    for (int slot = 0; slot < SLOTS; slot++)
        has += state->warriors[SLOTS * seat + slot].kind == kind;
    return battleground_offered(content, state, kind) && has < of_a_kind_most(content, state);
}

/* May the seat take the default team [2.3]? Not if it has too many of a kind [9.8]. */
static bool usual_allowed(const BattlegroundContent *content, const BattlegroundState *state) {
    int most = of_a_kind_most(content, state);
    for (int i = 0; i < content->team_warriors; i++) {
        int has = 0;
        for (int j = 0; j < content->team_warriors; j++)
            has += content->usual_warriors[j] == content->usual_warriors[i];
        if (has > most)
            return false;
    }
    return true;
}

uint32_t battleground_draft_list(const BattlegroundContent *content, const BattlegroundState *state,
                                 uint8_t seat, MashAction *out) {
    uint32_t count = 0;
    uint8_t chosen = chosen_warriors(state, seat);
    if (chosen < content->team_warriors) {
        for (uint8_t kind = 1; kind <= content->kinds_count; kind++)
            if (battleground_choosable(content, state, seat, kind))
                out[count++] = (MashAction){.verb = VERB_CHOOSE, .seat = seat, .ability = kind};
        if (chosen == 0 && usual_allowed(content, state))
            out[count++] = (MashAction){.verb = VERB_USUAL, .seat = seat};
    } else if (state->potions[seat] < content->team_potions) {
        for (uint8_t potion = 0; potion < content->potions_count; potion++)
            out[count++] = (MashAction){.verb = VERB_PACK, .seat = seat, .ability = potion};
    }
    return count;
}

/* [2.1] [2.2] [2.3] [2.5] [9.8] */
MashStatus battleground_draft_check(const BattlegroundContent *content,
                                    const BattlegroundState *state, MashAction action) {
    uint8_t chosen = chosen_warriors(state, action.seat);
    switch (action.verb) {
    case VERB_CHOOSE:
        if (chosen == content->team_warriors)
            return MASH_NOT_NOW;
        return battleground_choosable(content, state, action.seat, action.ability)
                   ? MASH_OK
                   : MASH_NOT_OFFERED;
    case VERB_PACK:
        if (chosen < content->team_warriors)
            return MASH_NOT_COMPLETE;
        return action.ability < content->potions_count ? MASH_OK : MASH_NOT_OFFERED;
    case VERB_USUAL:
        if (chosen > 0)
            return MASH_NOT_NOW;
        return usual_allowed(content, state) ? MASH_OK : MASH_NOT_OFFERED;
    default:
        return MASH_NOT_NOW;
    }
}

void battleground_draft_add(BattlegroundState *state, uint8_t seat, uint8_t kind) {
    Warrior *warrior = &state->warriors[SLOTS * seat + chosen_warriors(state, seat)];
    warrior->kind = kind;
    warrior->place = PLACE_BENCH;
}

void battleground_draft_pack(BattlegroundState *state, uint8_t seat, uint8_t potion) {
    state->potions[seat]++;
    state->stock[seat][potion]++;
}

/* Unit MASH_UNIT_NONE: a potion was chosen. */
static void emit_chosen(uint8_t seat, uint8_t unit, uint8_t what, uint8_t seen_by,
                        MashEvents *events) {
    MashEvent event = event_new(MASH_EVENT_CHOSEN, unit, seat);
    event.what = what;
    event.seen_by = seen_by;
    event_add(events, event);
}

/* Puts a warrior into the next slot [2.1]; only its owner sees the event [2.4]. */
static void choose(BattlegroundState *state, uint8_t seat, uint8_t kind, MashEvents *events) {
    uint8_t unit = (uint8_t)(SLOTS * seat + chosen_warriors(state, seat));
    battleground_draft_add(state, seat, kind);
    emit_chosen(seat, unit, kind, (uint8_t)(1 << seat), events);
}

/* Packs a potion [2.2]; only its owner sees the event [2.4]. */
static void pack(BattlegroundState *state, uint8_t seat, uint8_t potion, MashEvents *events) {
    battleground_draft_pack(state, seat, potion);
    emit_chosen(seat, MASH_UNIT_NONE, potion, (uint8_t)(1 << seat), events);
}

/* Chooses the whole default team [2.3], with an event for each choice. */
static void choose_usual(const BattlegroundContent *content, BattlegroundState *state, uint8_t seat,
                         MashEvents *events) {
    for (int i = 0; i < content->team_warriors; i++)
        choose(state, seat, content->usual_warriors[i], events);
    for (int i = 0; i < content->team_potions; i++)
        pack(state, seat, content->usual_potions[i], events);
}

/* Shows the seat's team to all others [2.6]. */
static void show_team(const BattlegroundContent *content, const BattlegroundState *state,
                      uint8_t seat, MashEvents *events) {
    uint8_t others = (uint8_t)(MASH_SEEN_BY_ALL & ~(1 << seat));
    for (int slot = 0; slot < content->team_warriors; slot++) {
        uint8_t unit = (uint8_t)(SLOTS * seat + slot);
        emit_chosen(seat, unit, state->warriors[unit].kind, others, events);
    }
    for (uint8_t potion = 0; potion < content->potions_count; potion++)
        for (int i = 0; i < state->stock[seat][potion]; i++)
            emit_chosen(seat, MASH_UNIT_NONE, potion, others, events);
}

bool battleground_draft_apply(const BattlegroundContent *content, BattlegroundState *state,
                              MashAction action, MashEvents *events) {
    uint8_t seat = action.seat;
    if (action.verb == VERB_CHOOSE)
        choose(state, seat, action.ability, events);
    else if (action.verb == VERB_PACK)
        pack(state, seat, action.ability, events);
    else
        choose_usual(content, state, seat, events);
    if (!battleground_draft_complete(content, state, seat))
        return false;
    MashEvent ready = event_new(MASH_EVENT_READY, MASH_UNIT_NONE, seat);
    ready.seen_by = (uint8_t)(1 << seat);
    event_add(events, ready);
    if (!battleground_draft_complete(content, state, 1 - seat))
        return false;
    if ((state->options & OPTION_BLIND) == 0 && events != NULL) {
        show_team(content, state, 0, events);
        show_team(content, state, 1, events);
    }
    return true;
}
