/* traces.c -- section 10: recorded matches are replayed, each step from the recorded state.
 *
 * A trace is read line by line, one JSON object per line, so that its length does not matter. A
 * step is: the state of the line before, the action, and the state (or refusal) that the line
 * records. A line that violates the format invalidates the whole trace. */
#include <string.h>

#include "base/json.h"
#include "games/ultimate-war/state.h"

enum {
    POINTS_LEAST =
        -40, /* of action points per turn in a record: changes by 32 effects fit a byte */
    POINTS_TOP = 84,
    COVER_TOP = 65535,
    TARGET_MOST = 100,
    COUNT_ANY = 0, /* entries of an array: any number */
};

enum { LINE_SETUP, LINE_ACT, LINE_END, LINES };

/* The answers of a record [10.4]. */
enum {
    ANSWER_OK,
    ANSWER_RESOURCES,
    ANSWER_MOVEMENT,
    ANSWER_DISARMED,
    ANSWER_ABILITY,
    ANSWER_TARGET,
    ANSWER_NOT_LEADER,
    ANSWER_LEADER_USED,
    ANSWERS
};
static const char *const answers[ANSWERS] = {"ok",
                                             "NotEnoughResourcesException",
                                             "UnallowedMovementException",
                                             "ChampionDisarmedException",
                                             "AbilityUseException",
                                             "InvalidTargetException",
                                             "LeaderNotCurrentException",
                                             "LeaderAbilityAlreadyUsedException"};
static const char *const conditions[CONDITIONS] = {"ACTIVE", "ROOTED", "INACTIVE", "KNOCKEDOUT"};
static const char *const effects[EFFECTS] = {"Disarm", "Dodge", "Embrace", "PowerUp", "Root",
                                             "Shield", "Shock", "Silence", "SpeedUp", "Stun"};
static const char *const directions[DIRECTIONS] = {"UP", "RIGHT", "DOWN", "LEFT"};

/* A recorded state: the state, and the conditions that the record claims. */
typedef struct Recorded {
    WarState state;
    uint8_t conditions[UNITS];
} Recorded;

/* A trace being read. */
typedef struct Trace {
    const MashContent *loaded;
    const WarContent *content;
    Json json;         /* the line */
    uint32_t line;     /* its number from 1 */
    bool begun, ended; /* the set-up line, the end line was there */
    uint8_t kinds[UNITS], leaders[MASH_SEATS];
    WarState before; /* of the next step */
    MashTraceCounts *tally;
    MashText *report;
    MashProblems *problems;
} Trace;

/* --- Reading ---------------------------------------------------------------------------------- */

#define WRONG(trace, node, ...) json_problem(&(trace)->json, (node), (trace)->problems, __VA_ARGS__)

/* The number of this key; `least` and a problem if it is not a number within the bounds. */
static int32_t number_at(Trace *trace, uint32_t object, const char *key, int32_t least,
                         int32_t most) {
    int32_t number = least;
    json_int_at(&trace->json, object, key, least, most, &number, trace->problems);
    return number;
}

/* The place in the list of this key's word; 0 and a problem if it is not there. */
static uint8_t choice_at(Trace *trace, uint32_t object, const char *key, const char *const *words,
                         uint32_t count) {
    uint32_t choice = 0;
    json_choice_at(&trace->json, object, key, words, count, &choice, trace->problems);
    return (uint8_t)choice;
}

/* Reads the entries of an array, `count` of them (COUNT_ANY: as many as there are, up to `max`),
 * into `out`; how many there are, or 0 and a problem. */
static uint32_t entries(Trace *trace, uint32_t array, uint32_t count, uint32_t max, uint32_t *out) {
    if (!json_expect_kind(&trace->json, array, JSON_ARRAY, trace->problems))
        return 0;
    uint32_t found = trace->json.nodes[array].count, i = 0;
    if (count != COUNT_ANY ? found != count : found > max) {
        WRONG(trace, array, "must have %s%u entries, found %u",
              count != COUNT_ANY ? "" : "at most ", (unsigned)(count != COUNT_ANY ? count : max),
              (unsigned)found);
        return 0;
    }
    for (uint32_t node = json_first(&trace->json, array); node != JSON_NONE;
         node = trace->json.nodes[node].next)
        out[i++] = node;
    return found;
}

/* The same for a member. */
static uint32_t entries_at(Trace *trace, uint32_t object, const char *key, uint32_t count,
                           uint32_t max, uint32_t *out) {
    uint32_t array = json_expect_member(&trace->json, object, key, JSON_ARRAY, trace->problems);
    return array == JSON_NONE ? 0 : entries(trace, array, count, max, out);
}

/* The number at this place; `least` and a problem if it is not a number within the bounds. */
static int32_t number(Trace *trace, uint32_t node, int32_t least, int32_t most) {
    int32_t found = least;
    json_int(&trace->json, node, least, most, &found, trace->problems);
    return found;
}

/* The unit with the name at this place, or MASH_UNIT_NONE and a problem. */
static uint8_t unit_named(Trace *trace, uint32_t node) {
    for (uint8_t unit = 0; unit < UNITS; unit++)
        if (json_equals(&trace->json, node, trace->content->kinds[trace->kinds[unit]].name))
            return unit;
    WRONG(trace, node, "must be the name of a champion of this match");
    return MASH_UNIT_NONE;
}

/* A cell: row from below, then column [10.1]. */
static uint8_t recorded_cell(int32_t row, int32_t column) {
    return cell_at(column, SIDE - 1 - row);
}

/* --- States ----------------------------------------------------------------------------------- */

/* The effects of a champion in the order of his list, each [name, turns left]. */
static void read_effects(Trace *trace, uint32_t node, Champion *champion) {
    uint32_t list[EFFECTS_MAX], pair[2];
    uint32_t count = entries_at(trace, node, "ef", COUNT_ANY, EFFECTS_MAX, list);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t effect = 0;
        if (entries(trace, list[i], 2, 2, pair) == 0)
            return;
        json_choice(&trace->json, pair[0], effects, EFFECTS, &effect, trace->problems);
        int32_t turns = number(trace, pair[1], 1, TURNS_MOST);
        champion->effects[i] = (uint8_t)(effect << 4 | (uint32_t)turns);
        champion->marks |= (uint16_t)MARK(effect);
    }
    champion->effects_count = (uint8_t)count;
}

/* One ability: [name, cooldown, amount]; the fourth and later ones are punches. */
static void read_power(Trace *trace, uint32_t node, uint32_t index, Champion *champion) {
    bool punch = index >= SLOTS;
    const Ability *ability =
        punch ? &trace->content->punch : &kind_of(trace->content, champion)->abilities[index];
    uint32_t list[3];
    if (entries(trace, node, 3, 3, list) == 0)
        return;
    if (!json_equals(&trace->json, list[0], ability->name))
        WRONG(trace, list[0], "must be the ability %s", ability->name);
    int32_t cooldown = number(trace, list[1], 0, COOLDOWN_MOST);
    int32_t most = ability->effect_kind == ABILITY_EFFECT_EFFECT ? 0
                   : punch                                       ? UINT16_MAX
                                                                 : VALUE_MOST;
    int32_t amount = number(trace, list[2], 0, most);
    if (punch) {
        champion->punch_cooldowns[index - SLOTS] = (uint8_t)cooldown;
        champion->punch_amounts[index - SLOTS] = (uint16_t)amount;
        champion->punches_count++;
    } else {
        champion->cooldowns[index] = (uint8_t)cooldown;
        champion->amounts[index] = amount;
    }
}

/* The abilities of a champion, and then his punches. */
static void read_powers(Trace *trace, uint32_t node, Champion *champion) {
    uint32_t list[SLOTS + PUNCHES_MAX];
    uint32_t count = entries_at(trace, node, "ab", COUNT_ANY, SLOTS + PUNCHES_MAX, list);
    if (count < SLOTS)
        WRONG(trace, node, "a champion must have at least %d abilities", SLOTS);
    for (uint32_t i = 0; i < count; i++)
        read_power(trace, list[i], i, champion);
}

/* A champion who is in play. */
static void read_living(Trace *trace, uint32_t node, uint8_t unit, Recorded *out) {
    WarState *state = &out->state;
    Champion *champion = &state->champions[unit];
    champion->health = number_at(trace, node, "hp", 0, kind_of(trace->content, champion)->health);
    champion->mana = number_at(trace, node, "mp", 0, VALUE_MOST);
    champion->points = (int8_t)number_at(trace, node, "ap", 0, POINTS_TOP);
    champion->points_turn = (int8_t)number_at(trace, node, "map", POINTS_LEAST, POINTS_TOP);
    champion->speed = number_at(trace, node, "sp", 0, VALUE_MOST);
    champion->damage = number_at(trace, node, "dm", 0, VALUE_MOST);
    out->conditions[unit] = choice_at(trace, node, "co", conditions, CONDITIONS);
    read_effects(trace, node, champion);
    read_powers(trace, node, champion);
    int32_t row = number_at(trace, node, "x", 0, SIDE - 1);
    int32_t column = number_at(trace, node, "y", 0, SIDE - 1);
    uint8_t cell = recorded_cell(row, column);
    if (state->units[cell] != MASH_UNIT_NONE)
        WRONG(trace, node, "two champions on the same cell");
    else
        ultimate_war_place(state, unit, cell);
}

/* One champion of a recorded state, who must be the one picked for this place. */
static void read_champion(Trace *trace, uint32_t node, uint8_t unit, Recorded *out) {
    Champion *champion = &out->state.champions[unit];
    const char *name = trace->content->kinds[trace->kinds[unit]].name;
    champion->kind = trace->kinds[unit];
    out->conditions[unit] = CONDITION_OUT;
    if (!json_expect_kind(&trace->json, node, JSON_OBJECT, trace->problems))
        return;
    uint32_t found = json_expect_member(&trace->json, node, "n", JSON_STRING, trace->problems);
    if (found != JSON_NONE && !json_equals(&trace->json, found, name))
        WRONG(trace, found, "must be %s, who was picked for this place", name);
    number_at(trace, node, "t", seat_of(unit) + 1, seat_of(unit) + 1);
    if (number_at(trace, node, "in", 0, 1) == 1)
        read_living(trace, node, unit, out);
}

/* The covers of a recorded state, each [row, column, health] on a cell of its own. */
static void read_covers(Trace *trace, uint32_t node, WarState *state) {
    uint32_t list[CELLS], triple[3];
    uint32_t count = entries_at(trace, node, "cov", COUNT_ANY, CELLS, list);
    for (uint32_t i = 0; i < count; i++) {
        if (entries(trace, list[i], 3, 3, triple) == 0)
            return;
        int32_t row = number(trace, triple[0], 0, SIDE - 1);
        int32_t column = number(trace, triple[1], 0, SIDE - 1);
        int32_t health = number(trace, triple[2], 1, COVER_TOP);
        uint8_t cell = recorded_cell(row, column);
        if ((state->covers >> cell & 1) != 0 || state->units[cell] != MASH_UNIT_NONE)
            WRONG(trace, list[i], "a cover must have a cell of its own");
        else
            ultimate_war_place_cover(state, cell, (uint16_t)health);
    }
}

/* The champions still to act in a recorded state, the head first. */
static void read_queue(Trace *trace, uint32_t node, WarState *state) {
    uint32_t list[UNITS];
    uint32_t count = entries_at(trace, node, "q", COUNT_ANY, UNITS, list);
    if (count == 0)
        WRONG(trace, node, "the order of play must not be empty");
    for (uint32_t i = 0; i < count; i++) {
        uint8_t unit = unit_named(trace, list[i]);
        if (unit == MASH_UNIT_NONE)
            return;
        bool queued = memchr(state->queue, unit, state->queue_count) != NULL;
        if (queued || state->champions[unit].cell == CELL_NONE)
            WRONG(trace, list[i], "each champion in play may be in the order of play once");
        else
            state->queue[state->queue_count++] = unit;
    }
}

/* A whole recorded state; impossible values are reported [10.5]. The round, which is not recorded,
 * is 1. */
static void read_state(Trace *trace, uint32_t object, Recorded *out) {
    uint32_t node = json_expect_member(&trace->json, object, "s", JSON_OBJECT, trace->problems);
    uint32_t list[UNITS], used[MASH_SEATS];
    WarState *state = &out->state;
    memset(out, 0, sizeof *out);
    ultimate_war_empty(state);
    if (node == JSON_NONE)
        return;
    state->phase = PHASE_PLAY;
    state->round = 1;
    state->picks = UNITS;
    memcpy(state->leaders, trace->leaders, sizeof state->leaders);
    if (entries_at(trace, node, "ch", UNITS, UNITS, list) != 0)
        for (uint8_t unit = 0; unit < UNITS; unit++)
            read_champion(trace, list[unit], unit, out);
    read_covers(trace, node, state);
    read_queue(trace, node, state);
    if (entries_at(trace, node, "lu", MASH_SEATS, MASH_SEATS, used) != 0)
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
            state->commands |= (uint8_t)(number(trace, used[seat], 0, 1) << seat);
}

/* --- Comparing [10.2] ------------------------------------------------------------------------- */

/* Begins the report of the first difference: the line and the action. False: there is one
 * already. */
static bool report_begin(Trace *trace, MashAction action) {
    if (trace->report->count > 0)
        return false;
    text_format(trace->report, "line %u: ", (unsigned)trace->line);
    ultimate_war_word(trace->loaded, &trace->before, action, trace->report);
    text_string(trace->report, ": ");
    return true;
}

/* A step being compared. */
typedef struct TraceStep {
    Trace *trace;
    MashAction action;
    uint8_t unit; /* whose field is compared, or MASH_UNIT_NONE */
    bool differs;
} TraceStep;

/* Reports that a field (of `part` if that is not NULL) differs from the number, or from the words,
 * in the record. */
static void compare(TraceStep *step, const char *field, const char *part, int64_t wanted,
                    int64_t got, const char *const *words) {
    if (wanted == got)
        return;
    step->differs = true;
    const Trace *trace = step->trace;
    MashText *report = trace->report;
    if (!report_begin(step->trace, step->action))
        return;
    if (step->unit != MASH_UNIT_NONE)
        text_format(report, "%s: ", trace->content->kinds[trace->kinds[step->unit]].name);
    text_string(report, field);
    if (part != NULL)
        text_format(report, " of %s", part);
    text_string(report, ": expected ");
    if (words != NULL) {
        text_format(report, "%s, got %s", words[wanted], words[got]);
    } else {
        text_int(report, wanted);
        text_string(report, ", got ");
        text_int(report, got);
    }
}

/* Reports where the lists of effects differ, and the turns left. */
static void compare_effects(TraceStep *step, const Champion *wanted, const Champion *got) {
    compare(step, "length of ef", NULL, wanted->effects_count, got->effects_count, NULL);
    for (int i = 0; i < EFFECTS_MAX; i++) {
        compare(step, "ef", NULL, wanted->effects[i] >> 4, got->effects[i] >> 4, effects);
        compare(step, "turns", effects[got->effects[i] >> 4], wanted->effects[i] & 15,
                got->effects[i] & 15, NULL);
    }
}

/* Reports where cooldowns and amounts of abilities and punches differ. */
static void compare_powers(TraceStep *step, const Champion *wanted, const Champion *got) {
    const WarContent *content = step->trace->content;
    for (int i = 0; i < SLOTS; i++) {
        const char *name = kind_of(content, wanted)->abilities[i].name;
        compare(step, "cooldown", name, wanted->cooldowns[i], got->cooldowns[i], NULL);
        compare(step, "amount", name, wanted->amounts[i], got->amounts[i], NULL);
    }
    const char *punch = content->punch.name;
    compare(step, "number", punch, wanted->punches_count, got->punches_count, NULL);
    for (int i = 0; i < PUNCHES_MAX; i++) {
        compare(step, "cooldown", punch, wanted->punch_cooldowns[i], got->punch_cooldowns[i], NULL);
        compare(step, "amount", punch, wanted->punch_amounts[i], got->punch_amounts[i], NULL);
    }
}

/* A cell as recorded [10.1]; -1 off the board. */
static int recorded_row(uint8_t cell) { return cell == CELL_NONE ? -1 : SIDE - 1 - row_of(cell); }
static int recorded_column(uint8_t cell) { return cell == CELL_NONE ? -1 : column_of(cell); }

/* Reports what differs about a champion. */
static void compare_champion(TraceStep *step, uint8_t unit, const Recorded *wanted,
                             const WarState *state) {
    const Champion *had = &wanted->state.champions[unit], *got = &state->champions[unit];
    step->unit = unit;
    compare(step, "co", NULL, wanted->conditions[unit], ultimate_war_condition(got), conditions);
    compare(step, "hp", NULL, had->health, got->health, NULL);
    compare(step, "mp", NULL, had->mana, got->mana, NULL);
    compare(step, "ap", NULL, had->points, got->points, NULL);
    compare(step, "map", NULL, had->points_turn, got->points_turn, NULL);
    compare(step, "sp", NULL, had->speed, got->speed, NULL);
    compare(step, "dm", NULL, had->damage, got->damage, NULL);
    compare(step, "x", NULL, recorded_row(had->cell), recorded_row(got->cell), NULL);
    compare(step, "y", NULL, recorded_column(had->cell), recorded_column(got->cell), NULL);
    compare_effects(step, had, got);
    compare_powers(step, had, got);
    step->unit = MASH_UNIT_NONE;
}

/* Reports cells whose covers differ in health; none has 0. */
static void compare_covers(TraceStep *step, const WarState *wanted, const WarState *got) {
    for (uint8_t cell = 0; cell < CELLS; cell++) {
        char bytes[16];
        MashText place = text_over(bytes, sizeof bytes);
        if (wanted->cover_health[cell] == got->cover_health[cell])
            continue;
        text_format(&place, "%d,%d", recorded_row(cell), recorded_column(cell));
        compare(step, "cov", bytes, wanted->cover_health[cell], got->cover_health[cell], NULL);
    }
}

/* Reports all differences between the recorded state and ours [10.2]. */
static void compare_states(TraceStep *step, const Recorded *wanted, const WarState *got) {
    const char *names[UNITS];
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        names[unit] = step->trace->content->kinds[step->trace->kinds[unit]].name;
        compare_champion(step, unit, wanted, got);
    }
    for (int seat = 0; seat < MASH_SEATS; seat++)
        compare(step, "lu", seat == 0 ? "player 1" : "player 2", wanted->state.commands >> seat & 1,
                got->commands >> seat & 1, NULL);
    compare_covers(step, &wanted->state, got);
    compare(step, "length of q", NULL, wanted->state.queue_count, got->queue_count, NULL);
    for (int i = 0; i < UNITS; i++)
        compare(step, "q", NULL, wanted->state.queue[i], got->queue[i], names);
}

/* --- Actions ---------------------------------------------------------------------------------- */

/* [10.4] ANSWERS: no record has this refusal. */
static uint8_t answer_of(MashStatus status, uint8_t verb) {
    switch (status) {
    case MASH_OK:
        return ANSWER_OK;
    case MASH_NO_POINTS:
    case MASH_NO_MANA:
        return ANSWER_RESOURCES;
    case MASH_OFF_BOARD:
        return verb == VERB_MOVE ? ANSWER_MOVEMENT : ANSWER_TARGET;
    case MASH_ROOTED:
    case MASH_CELL_TAKEN:
    case MASH_CELL_BLOCKED:
        return ANSWER_MOVEMENT;
    case MASH_DISARMED:
        return ANSWER_DISARMED;
    case MASH_SILENCED:
    case MASH_COOLING_DOWN:
    case MASH_TOO_FAR:
        return ANSWER_ABILITY;
    case MASH_NO_TARGET:
    case MASH_WRONG_TARGET:
    case MASH_OWN_SIDE:
        return ANSWER_TARGET;
    case MASH_NOT_LEADER:
        return ANSWER_NOT_LEADER;
    case MASH_ALREADY_USED:
        return ANSWER_LEADER_USED;
    default:
        return ANSWERS;
    }
}

/* The ability by its place in the caster's list, and the fields that its area needs. */
static void read_cast(Trace *trace, MashAction *action) {
    const Champion *caster = &trace->before.champions[action->unit];
    int32_t index = number_at(trace, 0, "i", 0, SLOTS + caster->punches_count - 1);
    action->ability = (uint8_t)(ABILITY_KINDS + SLOTS * caster->kind + index);
    if (index >= SLOTS) {
        action->ability = ABILITY_PUNCH;
        action->other = (uint8_t)(index - SLOTS);
    }
    const Ability *ability =
        ultimate_war_ability_now(trace->content, caster, action->ability, action->other).ability;
    uint32_t name = json_expect_member(&trace->json, 0, "ab", JSON_STRING, trace->problems);
    if (name != JSON_NONE && !json_equals(&trace->json, name, ability->name))
        WRONG(trace, name, "must be the ability %s, which has this place", ability->name);
    if (ability->area == AREA_DIRECTIONAL)
        action->amount = choice_at(trace, 0, "d", directions, DIRECTIONS);
    if (ability->area == AREA_SINGLE) {
        int32_t row = number_at(trace, 0, "x", -TARGET_MOST, TARGET_MOST);
        int32_t column = number_at(trace, 0, "y", -TARGET_MOST, TARGET_MOST);
        action->x = (int8_t)column;
        action->y = (int8_t)(SIDE - 1 - row);
    }
}

/* The action of this line, and in *coin the scripted roll [10.3]. */
static MashAction read_action(Trace *trace, uint32_t *coin) {
    static const char *const verbs[] = {"move", "attack", "cast", "leader", "end"};
    const WarState *before = &trace->before;
    MashAction action = {.unit = before->queue[0], .seat = seat_of(before->queue[0])};
    uint8_t cell = before->champions[action.unit].cell;
    action.verb = (uint8_t)(VERB_MOVE + choice_at(trace, 0, "a", verbs, 5));
    if (action.verb == VERB_MOVE) {
        uint8_t direction = choice_at(trace, 0, "d", directions, DIRECTIONS);
        action.x = (int8_t)(column_of(cell) + grid_dx[direction]);
        action.y = (int8_t)(row_of(cell) + grid_dy[direction]);
    } else if (action.verb == VERB_ATTACK) {
        action.amount = choice_at(trace, 0, "d", directions, DIRECTIONS);
        *coin = (uint32_t)number_at(trace, 0, "coin", 0, 1);
    } else if (action.verb == VERB_CAST) {
        read_cast(trace, &action);
    }
    return action;
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* The champions, by name; none twice. */
static void read_teams(Trace *trace) {
    uint32_t teams[MASH_SEATS], names[TEAM];
    if (entries_at(trace, 0, "teams", MASH_SEATS, MASH_SEATS, teams) == 0)
        return;
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        if (entries(trace, teams[seat_of(unit)], TEAM, TEAM, names) == 0)
            return;
        uint8_t kind = 0;
        while (kind < trace->content->kinds_count &&
               !json_equals(&trace->json, names[unit % TEAM], trace->content->kinds[kind].name))
            kind++;
        if (kind == trace->content->kinds_count)
            WRONG(trace, names[unit % TEAM], "must be the name of a champion of the content");
        else if (memchr(trace->kinds, kind, unit) != NULL)
            WRONG(trace, names[unit % TEAM], "was picked before");
        else
            trace->kinds[unit] = kind;
    }
}

/* The line that a trace begins with: teams, leaders and the first state. */
static void read_setup(Trace *trace) {
    uint32_t leaders[MASH_SEATS], before = trace->problems->count;
    Recorded start;
    number_at(trace, 0, "v", 1, 1);
    read_teams(trace);
    if (trace->problems->count != before ||
        entries_at(trace, 0, "leaders", MASH_SEATS, MASH_SEATS, leaders) == 0)
        return;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        trace->leaders[seat] = unit_named(trace, leaders[seat]);
        if (trace->leaders[seat] != MASH_UNIT_NONE && seat_of(trace->leaders[seat]) != seat)
            WRONG(trace, leaders[seat], "must be one of the side's own champions");
    }
    read_state(trace, 0, &start);
    trace->before = start.state;
    trace->begun = true;
}

/* Applies the step and compares; takes the recorded state if there is one. */
static void compare_step(Trace *trace, MashAction action, uint32_t coin, uint8_t answer,
                         const Recorded *wanted) {
    WarState got = trace->before;
    MashChance chance = chance_scripted(&coin, 1);
    MashStatus status = mash_apply(trace->loaded, &got, action, &chance, NULL);
    TraceStep step = {.trace = trace, .action = action, .unit = MASH_UNIT_NONE};
    trace->tally->steps++;
    if (answer_of(status, action.verb) != answer) {
        step.differs = true;
        if (report_begin(trace, action))
            text_format(trace->report, "r: expected %s, got %s", answers[answer],
                        mash_status_id(status));
    } else if (wanted != NULL) {
        compare_states(&step, wanted, &got);
    }
    trace->tally->equal += !step.differs;
}

/* A line with an action, which is applied and compared [10.2], and the state for the next one. */
static void read_act(Trace *trace) {
    Recorded wanted;
    uint32_t before = trace->problems->count, coin = 0;
    if (trace->before.sides[0] == 0 || trace->before.sides[1] == 0) {
        WRONG(trace, 0, "one side has no champion left before this action");
        return;
    }
    uint32_t current = json_expect_member(&trace->json, 0, "c", JSON_STRING, trace->problems);
    if (current != JSON_NONE && unit_named(trace, current) != trace->before.queue[0])
        WRONG(trace, current, "must be the head of the order of play");
    MashAction action = read_action(trace, &coin);
    uint8_t answer = choice_at(trace, 0, "r", answers, ANSWERS);
    bool deviates = json_member(&trace->json, 0, "dev") != JSON_NONE;
    bool changed = json_member(&trace->json, 0, "s") != JSON_NONE;
    if (changed || (answer == ANSWER_OK && !deviates))
        read_state(trace, 0, &wanted);
    if (trace->problems->count != before)
        return;
    if (!deviates)
        compare_step(trace, action, coin, answer, changed ? &wanted : NULL);
    if (changed)
        trace->before = wanted.state;
}

/* A line of any kind, if it is allowed here [10.1]. */
static void read_line(Trace *trace) {
    static const char *const kinds[LINES] = {"setup", "act", "end"};
    if (!json_expect_kind(&trace->json, 0, JSON_OBJECT, trace->problems))
        return;
    uint8_t kind = choice_at(trace, 0, "t", kinds, LINES);
    if (trace->ended || trace->begun != (kind != LINE_SETUP))
        WRONG(trace, 0, "a trace is one set-up line, then actions, then one end line");
    else if (kind == LINE_SETUP)
        read_setup(trace);
    else if (kind == LINE_ACT)
        read_act(trace);
    else
        trace->ended = true;
}

/* Problems of a line know only their column. */
static void set_lines(MashProblems *problems, uint32_t before, uint32_t line) {
    for (uint32_t i = before; i < problems->count && i < problems->max; i++)
        problems->list[i].line = line;
}

/* [10.1] [10.5] */
static bool verify(const MashContent *loaded, const MashDocuments *in, MashTraceCounts *tally,
                   MashText *report, MashProblems *problems) {
    uint32_t before = problems->count;
    Trace trace = {.loaded = loaded,
                   .content = war_content(loaded),
                   .tally = tally,
                   .report = report,
                   .problems = problems};
    *tally = (MashTraceCounts){0};
    if (in->count != 1) {
        problem_add(problems, "", 0, 0, "", "one trace at a time");
        return false;
    }
    const MashDocument *document = &in->list[0];
    for (uint32_t start = 0; start < document->count;) {
        const char *feed = memchr(document->bytes + start, '\n', document->count - start);
        uint32_t end = feed == NULL ? document->count : (uint32_t)(feed - document->bytes);
        trace.line++;
        if (json_read(&trace.json, document->name, document->bytes + start, end - start,
                      in->scratch, in->scratch_bytes / sizeof(JsonNode), problems))
            read_line(&trace);
        set_lines(problems, before, trace.line);
        if (problems->count != before)
            return false;
        start = end + 1;
    }
    if (!trace.ended)
        problem_add(problems, document->name, trace.line, 0, "", "the end line is missing");
    return trace.ended;
}

const MashFormat ultimate_war_traces = {.id = "traces", .verify = verify};
