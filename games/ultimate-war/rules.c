/* rules.c -- Ultimate War's entry points: who is awaited, what is allowed, and the dispatch of
 * actions.
 *
 * Legal lists are ascending by construction: verbs in their order, abilities by number, cells by
 * column and row. check() checks one action directly; both use the same sets of cells. */
#include "games/ultimate-war/state.h"

/* The awaited seat. */
static uint8_t seat_to_act(const WarState *state) {
    switch (state->phase) {
    case PHASE_PICK:
        return state->picks % MASH_SEATS; /* [3.1] */
    case PHASE_APPOINT:
        return state->leaders[0] == MASH_UNIT_NONE ? 0 : 1; /* [3.2] */
    default:
        return seat_of(state->queue[0]); /* [4.2] */
    }
}

static MashStatus setup(const MashContent *loaded, const MashSetup *wanted, MashChance *chance,
                        void *raw_state) {
    int32_t options[MASH_OPTIONS_MAX];
    MashStatus status = common_options(loaded->game, wanted, options);
    if (status == MASH_OK)
        ultimate_war_empty(raw_state);
    if (status == MASH_OK && options[OPTION_DEALT] != 0)
        ultimate_war_deal(war_content(loaded), raw_state, chance);
    return status;
}

static uint32_t awaited(const MashContent *loaded, const void *raw_state) {
    (void)loaded;
    const WarState *state = raw_state;
    return state->common.over ? 0 : 1u << seat_to_act(state);
}

/* --- Legal lists ------------------------------------------------------------------------------ */

/* The list as it grows; every entry shares verb, seat and unit with `next`. */
typedef struct ActionWriter {
    MashAction *out;
    uint32_t count;
    MashAction next;
} ActionWriter;

/* Appends the action that is being made to the list. */
static inline void put(ActionWriter *writer) { writer->out[writer->count++] = writer->next; }

/* One entry for each direction. */
static void put_directions(ActionWriter *writer) {
    for (uint8_t i = 0; i < DIRECTIONS; i++) {
        writer->next.amount = i;
        put(writer);
    }
    writer->next.amount = 0;
}

/* One entry for each cell. */
static void put_cells(ActionWriter *writer, uint32_t cells) {
    while (cells != 0) {
        uint8_t cell = cell_take(&cells);
        writer->next.x = column_of(cell);
        writer->next.y = row_of(cell);
        put(writer);
    }
    writer->next.x = writer->next.y = 0;
}

/* Does the champion have the mana and the points for it? */
static bool affords(const Champion *champion, const Ability *ability) {
    return champion->mana >= ability->mana && champion->points >= ability->points;
}

/* Punches share an ability's number, so each cell lists all of them. */
static void put_punches(const WarContent *content, const WarState *state, ActionWriter *writer) {
    const Champion *champion = &state->champions[writer->next.unit];
    if (champion->punches_count == 0 || !affords(champion, &content->punch))
        return;
    uint32_t cells = ultimate_war_targets(content, state, writer->next.unit, &content->punch, 0);
    writer->next.ability = ABILITY_PUNCH;
    while (cells != 0) {
        uint8_t cell = cell_take(&cells);
        writer->next.x = column_of(cell);
        writer->next.y = row_of(cell);
        for (uint8_t i = 0; i < champion->punches_count; i++) {
            writer->next.other = i;
            if (champion->punch_cooldowns[i] == 0)
                put(writer);
        }
    }
    writer->next.x = writer->next.y = 0;
    writer->next.other = 0;
}

/* Every cast of every ability that is ready and affordable [6.1]; punches are listed elsewhere. */
static void put_abilities(const WarContent *content, const WarState *state, ActionWriter *writer) {
    const Champion *champion = &state->champions[writer->next.unit];
    for (int slot = 0; slot < SLOTS; slot++) {
        const Ability *ability = &kind_of(content, champion)->abilities[slot];
        if (champion->cooldowns[slot] > 0 || !affords(champion, ability))
            continue;
        writer->next.ability = (uint8_t)(ABILITY_KINDS + SLOTS * champion->kind + slot);
        if (ability->area == AREA_SINGLE)
            put_cells(writer, ultimate_war_targets(content, state, writer->next.unit, ability, 0));
        else if (ability->area == AREA_DIRECTIONAL)
            put_directions(writer);
        else
            put(writer);
    }
    writer->next.ability = 0;
}

/* The cells with a champion or a cover. */
static uint32_t taken(const WarState *state) {
    return state->sides[0] | state->sides[1] | state->covers;
}

/* Everything that the champion in turn may do [4.2]; how many actions. */
static uint32_t list_play(const WarContent *content, const WarState *state, MashAction *out) {
    uint8_t unit = state->queue[0], seat = seat_of(unit);
    const Champion *champion = &state->champions[unit];
    ActionWriter writer = {.out = out, .next = {.seat = seat, .unit = unit}};
    writer.next.verb = VERB_MOVE;
    if (!has_effect(champion, EFFECT_ROOT) && champion->points >= COST_MOVE)
        put_cells(&writer, content->lines.steps[champion->cell] & ~taken(state));
    writer.next.verb = VERB_ATTACK;
    if (!has_effect(champion, EFFECT_DISARM) && champion->points >= COST_ATTACK)
        put_directions(&writer);
    writer.next.verb = VERB_CAST;
    if (!has_effect(champion, EFFECT_SILENCE)) {
        put_punches(content, state, &writer);
        put_abilities(content, state, &writer);
    }
    writer.next.verb = VERB_COMMAND;
    if (unit == state->leaders[seat] && (state->commands >> seat & 1) == 0)
        put(&writer);
    writer.next.verb = VERB_END;
    put(&writer);
    return writer.count;
}

static uint32_t actions(const MashContent *loaded, const void *raw_state, uint8_t seat,
                        MashAction *out) {
    const WarState *state = raw_state;
    if (state->common.over || seat != seat_to_act(state))
        return 0;
    if (state->phase != PHASE_PLAY)
        return ultimate_war_draft_list(war_content(loaded), state, seat, out);
    return list_play(war_content(loaded), state, out);
}

/* --- Checking --------------------------------------------------------------------------------- */

/* Is everything zero but verb, seat, unit and what is handed over? */
static bool plain(MashAction action, uint8_t ability, int8_t x, int8_t y, uint8_t other,
                  uint8_t amount) {
    return action.ability == ability && action.x == x && action.y == y && action.other == other &&
           action.amount == amount;
}

/* [5.1] */
static MashStatus check_move(const WarContent *content, const WarState *state, MashAction action) {
    const Champion *champion = &state->champions[action.unit];
    if (!plain(action, 0, action.x, action.y, 0, 0))
        return MASH_NO_SUCH_ACTION;
    if (has_effect(champion, EFFECT_ROOT))
        return MASH_ROOTED;
    if (champion->points < COST_MOVE)
        return MASH_NO_POINTS;
    if (!grid_inside(action.x, action.y, SIDE, SIDE))
        return MASH_OFF_BOARD;
    uint32_t cell = 1u << cell_at(action.x, action.y);
    if ((content->lines.steps[champion->cell] & cell) == 0)
        return MASH_NOT_A_STEP;
    if ((state->covers & cell) != 0)
        return MASH_CELL_BLOCKED;
    return (taken(state) & cell) != 0 ? MASH_CELL_TAKEN : MASH_OK;
}

/* [5.2] */
static MashStatus check_attack(const WarState *state, MashAction action) {
    const Champion *champion = &state->champions[action.unit];
    if (!plain(action, 0, 0, 0, 0, action.amount) || action.amount >= DIRECTIONS)
        return MASH_NO_SUCH_ACTION;
    if (has_effect(champion, EFFECT_DISARM))
        return MASH_DISARMED;
    return champion->points < COST_ATTACK ? MASH_NO_POINTS : MASH_OK;
}

/* [6.7] */
static MashStatus check_target(const WarContent *content, const WarState *state, MashAction action,
                               const Ability *ability) {
    if (!grid_inside(action.x, action.y, SIDE, SIDE))
        return MASH_OFF_BOARD;
    uint8_t from = state->champions[action.unit].cell;
    uint32_t cell = 1u << cell_at(action.x, action.y);
    if ((taken(state) & cell) == 0)
        return MASH_NO_TARGET;
    if ((content->lines.within[from][ability->range] & cell) == 0)
        return MASH_TOO_FAR;
    if ((ultimate_war_targets(content, state, action.unit, ability, 0) & cell) != 0)
        return MASH_OK;
    return (state->sides[action.seat] & cell) != 0 ? MASH_OWN_SIDE : MASH_WRONG_TARGET;
}

/* Does the action fill exactly the fields that the area needs? */
static bool spelled(MashAction action, uint8_t area) {
    switch (area) {
    case AREA_SINGLE:
        return action.amount == 0;
    case AREA_DIRECTIONAL:
        return action.x == 0 && action.y == 0 && action.amount < DIRECTIONS;
    default:
        return action.x == 0 && action.y == 0 && action.amount == 0;
    }
}

/* [6.1] */
static MashStatus check_cast(const WarContent *content, const WarState *state, MashAction action) {
    const Champion *champion = &state->champions[action.unit];
    AbilityNow power = ultimate_war_ability_now(content, champion, action.ability, action.other);
    if (power.ability == NULL)
        return MASH_NO_SUCH_ABILITY;
    if (!spelled(action, power.ability->area))
        return MASH_NO_SUCH_ACTION;
    if (champion->mana < power.ability->mana)
        return MASH_NO_MANA;
    if (champion->points < power.ability->points)
        return MASH_NO_POINTS;
    if (has_effect(champion, EFFECT_SILENCE))
        return MASH_SILENCED;
    if (power.cooldown > 0)
        return MASH_COOLING_DOWN;
    if (power.ability->area != AREA_SINGLE)
        return MASH_OK;
    return check_target(content, state, action, power.ability);
}

/* [8.1] */
static MashStatus check_command(const WarState *state, MashAction action) {
    if (!plain(action, 0, 0, 0, 0, 0))
        return MASH_NO_SUCH_ACTION;
    if (action.unit != state->leaders[action.seat])
        return MASH_NOT_LEADER;
    return (state->commands >> action.seat & 1) != 0 ? MASH_ALREADY_USED : MASH_OK;
}

/* Only the head of the queue acts [4.2]. */
static MashStatus check_play(const WarContent *content, const WarState *state, MashAction action) {
    if (action.verb < VERB_MOVE)
        return MASH_NOT_NOW;
    if (action.unit >= UNITS)
        return MASH_NO_SUCH_UNIT;
    if (seat_of(action.unit) != action.seat)
        return MASH_NOT_YOUR_UNIT;
    if (state->champions[action.unit].cell == CELL_NONE)
        return MASH_UNIT_OUT;
    if (action.unit != state->queue[0])
        return MASH_UNIT_BUSY;
    if (action.verb == VERB_MOVE)
        return check_move(content, state, action);
    if (action.verb == VERB_ATTACK)
        return check_attack(state, action);
    if (action.verb == VERB_CAST)
        return check_cast(content, state, action);
    if (action.verb == VERB_COMMAND)
        return check_command(state, action);
    return plain(action, 0, 0, 0, 0, 0) ? MASH_OK : MASH_NO_SUCH_ACTION;
}

static MashStatus check(const MashContent *loaded, const void *raw_state, MashAction action) {
    const WarState *state = raw_state;
    MashStatus status = common_check(&state->common, awaited(loaded, state), VERBS, action);
    if (status != MASH_OK || common_has_verb(action.verb))
        return status;
    if (state->phase != PHASE_PLAY)
        return ultimate_war_draft_check(war_content(loaded), state, action);
    return check_play(war_content(loaded), state, action);
}

/* --- What happens ----------------------------------------------------------------------------- */

/* Applies an action that was allowed, including those of the draft. */
static void act(const WarContent *content, WarState *state, MashAction action, MashChance *chance,
                MashEvents *events) {
    switch (action.verb) {
    case VERB_MOVE:
        ultimate_war_move(state, action.unit, cell_at(action.x, action.y), events);
        break;
    case VERB_ATTACK:
        ultimate_war_attack(content, state, action.unit, action.amount, chance, events);
        break;
    case VERB_CAST:
        ultimate_war_cast(content, state, action, events);
        break;
    case VERB_COMMAND:
        ultimate_war_command(content, state, action.unit, events);
        break;
    case VERB_END:
        ultimate_war_end_turn(content, state, events);
        break;
    default:
        ultimate_war_draft_apply(content, state, action, chance, events);
    }
}

static void apply_listed(const MashContent *loaded, void *raw_state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    WarState *state = raw_state;
    if (common_apply(&state->common, action, events))
        return;
    common_after_move(&state->common, action.seat, events);
    act(war_content(loaded), state, action, chance, events);
    /* Nothing damages the own side, so only the enemy can lose all champions [9.2]. */
    if (state->phase == PHASE_PLAY && state->sides[opponent(action.seat)] == 0)
        common_end(&state->common, action.seat, REASON_DEFEATED, events);
}

static const MashOption options[OPTIONS] = {
    {"dealt", "Teams are dealt by chance instead of picked", 0, 1, 0},
};

static const MashPreset presets[] = {
    {"usual", "Fifteen champions", {"ultimate-war.champions.json", "english.texts.json"}},
};

static const MashFormat *const formats[] = {&ultimate_war_traces, NULL};

const MashGame ultimate_war_game = {
    GAME_ENTRIES(ultimate_war, "ultimate-war", "Ultimate War", WarContent, FIGURES),
    .threat = ultimate_war_threat,
    .verb_forms =
        "pick {unit}|appoint {unit}|move {unit} {cell}|attack {unit} {direction}|cast {unit}|"
        "command {unit}|end {unit}",
    MASH_LIST(options),
    .hide = game_hide_nothing,
    GAME_NAMES(ultimate_war),
    .what_list = ultimate_war_what_list,
    .notation = ultimate_war_word,
    .formats = formats,
};
