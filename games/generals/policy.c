/* policy.c -- see policy.h. */
#include "games/generals/policy.h"

#include "base/hash.h"
#include "engine/grid.h"

enum {
    THREAT_STEPS = 3,
    HUNT = 24,
    ONE = 64,
};

/* --- What enemies can be ---------------------------------------------------------------------- */

uint8_t generals_trace(const GeneralsContent *body, const GeneralsState *state, uint8_t side,
                       uint32_t number) {
    const GeneralsArmy *army = &body->army[side];
    uint32_t unit = army->first + number, steps = state->steps[unit];
    const GeneralsPiece *piece = &state->pieces[unit];
    uint32_t row = number * TRACE_ROWS / army->pieces;
    bool still = !(piece->mark & MARK_MOVED);
    uint32_t in_zone = (uint32_t)piece->cell - army->zone_first; /* huge if it is before it */
    if (still && in_zone < army->zone_cells)
        row = in_zone / body->width * TRACE_ROWS / body->zone_rows;
    row = army->far_row == 0 ? TRACE_ROWS - 1 - row : row; /* 0: at the own edge */
    if (!still)
        return (uint8_t)(row * 7 + (steps <= 1 ? 0 : steps <= 4 ? 1 : 2));
    if (piece->cell == CELL_GONE)
        return (uint8_t)(row * 7 + 3);
    int aside = grid_abs(2 * body->x[piece->cell] - (body->width - 1));
    int third = aside * 3 / body->width;
    return (uint8_t)(row * 7 + 4 + (uint32_t)third);
}

/* How many pieces of each kind are unknown to the seat. */
static void count_unknown(const GeneralsOdds *odds, uint32_t unknown[KINDS_MAX + 1]) {
    for (int kind = 0; kind <= KINDS_MAX; kind++)
        unknown[kind] = odds->enemy->kinds[kind].count;
    for (int i = 0; i < odds->enemy->pieces; i++)
        unknown[odds->beliefs->known.kinds[i]]--;
}

/* Puts the enemies into groups. */
static void sort_out(GeneralsBeliefs *beliefs, uint32_t pieces) {
    const GeneralsKnown *known = &beliefs->known;
    const uint8_t *trace = beliefs->trace;
    beliefs->groups_count = 0;
    memset(beliefs->hidden, 0, sizeof beliefs->hidden);
    for (uint32_t i = 0; i < pieces; i++) {
        uint8_t group = 0;
        while (group < beliefs->groups_count &&
               (beliefs->masks[group] != known->masks[i] || beliefs->traces[group] != trace[i]))
            group++;
        if (group == beliefs->groups_count) {
            beliefs->masks[group] = known->masks[i];
            beliefs->traces[group] = trace[i];
            beliefs->groups_count++;
        }
        beliefs->group[i] = group;
        beliefs->hidden[group] = (uint8_t)(beliefs->hidden[group] + (known->kinds[i] == 0));
    }
}

/* Division by a number that many are divided by: floor(a / b) is a * reciprocal(b) >> RECIPROCAL
 * for a * b < 2^RECIPROCAL. Weights and sums here are below 2^25 and 2^19. */
enum { RECIPROCAL = 45 };
static uint64_t reciprocal(uint32_t by) { return ((uint64_t)1 << RECIPROCAL) / by + 1; }

/* What is believed of a group, on the way: weights of the kinds that it can be, and their sum. */
typedef struct GroupWeights {
    uint32_t of[KINDS_MAX + 1], sum;
} GroupWeights;

/* Turns weights into probabilities, which add up to CERTAIN; adds how many of each kind that is. */
static void make_chances(const GeneralsBeliefs *beliefs, int group, GroupWeights *weights,
                         uint32_t expected[KINDS_MAX + 1]) {
    uint32_t mask = beliefs->masks[group], hidden = beliefs->hidden[group];
    if (weights->sum == 0)
        return;
    if ((mask & (mask - 1)) == 0) {
        weights->of[__builtin_ctz(mask)] = CERTAIN;
        expected[__builtin_ctz(mask)] += CERTAIN * hidden;
        return;
    }
    uint64_t by_sum = reciprocal(weights->sum);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        int kind = __builtin_ctz(left);
        weights->of[kind] = (uint32_t)(weights->of[kind] * CERTAIN * by_sum >> RECIPROCAL);
        expected[kind] += weights->of[kind] * hidden;
    }
}

/* Changes probabilities so that no kind is expected more often than it exists. */
static void fit_counts(const GeneralsBeliefs *beliefs, GroupWeights *weights,
                       const uint32_t unknown[KINDS_MAX + 1], uint32_t expected[KINDS_MAX + 1]) {
    uint64_t factors[KINDS_MAX + 1] = {0};
    for (int kind = 0; kind <= KINDS_MAX; kind++)
        if (expected[kind] > 0 && unknown[kind] > 0)
            factors[kind] = reciprocal(expected[kind]) * unknown[kind];
    memset(expected, 0, (KINDS_MAX + 1) * sizeof *expected);
    for (int group = 0; group < beliefs->groups_count; group++) {
        uint32_t *of = weights[group].of;
        if (beliefs->hidden[group] == 0)
            continue;
        weights[group].sum = 0;
        for (uint32_t left = beliefs->masks[group]; left != 0; left &= left - 1) {
            int kind = __builtin_ctz(left);
            of[kind] = (uint32_t)(of[kind] * CERTAIN * factors[kind] >> RECIPROCAL);
            weights[group].sum += of[kind];
        }
        make_chances(beliefs, group, &weights[group], expected);
    }
}

/* Probabilities from what each can be, its trace, and how many of a kind are left. */
static void weigh_ranks(const GeneralsOdds *odds) {
    const uint8_t *roles = odds->body->worths[1 - odds->seat].roles;
    GeneralsBeliefs *beliefs = odds->beliefs;
    uint32_t unknown[KINDS_MAX + 1], expected[KINDS_MAX + 1] = {0};
    GroupWeights weights[SIDE_MAX];
    memset(weights, 0, beliefs->groups_count * sizeof *weights);
    count_unknown(odds, unknown);
    for (int group = 0; group < beliefs->groups_count; group++) {
        const int16_t *trust = odds->body->learned->belief[beliefs->traces[group]];
        for (uint32_t left = beliefs->masks[group]; left != 0; left &= left - 1) {
            int kind = __builtin_ctz(left);
            uint32_t by = (uint32_t)trust[roles[kind]];
            weights[group].of[kind] = beliefs->hidden[group] == 0 ? 1 : unknown[kind] * by;
            weights[group].sum += weights[group].of[kind];
        }
        make_chances(beliefs, group, &weights[group], expected);
    }
    fit_counts(beliefs, weights, unknown, expected);
    fit_counts(beliefs, weights, unknown, expected);
    for (int group = 0; group < beliefs->groups_count; group++)
        for (int kind = 0; kind <= KINDS_MAX; kind++)
            beliefs->chances[group][kind] = (int16_t)weights[group].of[kind];
}

/* The sum of values weighed by chances. */
static int expected(const int16_t chances[KINDS_MAX + 1], const int16_t values[KINDS_MAX + 1]) {
    int sum = 0;
    for (int i = 0; i <= KINDS_MAX; i++)
        sum += (int)chances[i] * values[i];
    return sum;
}

/* Adds a group to those that attract a kind, the greatest gain first. */
static void attract(GeneralsBeliefs *beliefs, uint8_t kind, uint8_t group) {
    const int16_t *gains = beliefs->gains[kind];
    uint8_t *list = beliefs->hunted[kind], at = beliefs->hunted_count[kind]++;
    for (; at > 0 && gains[list[at - 1]] < gains[group]; at--)
        list[at] = list[at - 1];
    list[at] = group;
}

/* The expected results of battles between an own kind and one of each group on the board, by who
 * attacks: when they are asked for, as few kinds can do something at a time. */
static void compute_gains(const GeneralsOdds *odds, uint8_t kind) {
    const int16_t *results = odds->body->worths[odds->seat].battles[kind];
    GeneralsBeliefs *beliefs = odds->beliefs;
    int nexus = odds->enemy->nexus;
    if ((odds->present & ~beliefs->computed[kind]) == 0)
        return;
    beliefs->computed[kind] = odds->present;
    beliefs->hunted_count[kind] = 0;
    for (uint32_t left = odds->present; left != 0; left &= left - 1) {
        int group = __builtin_ctz(left);
        const int16_t *chances = beliefs->chances[group];
        uint32_t mask = beliefs->masks[group];
        bool sure = (mask & (mask - 1)) == 0;
        int gain = sure ? CERTAIN * results[__builtin_ctz(mask)] : expected(chances, results);
        int loss = kind == 0 ? 0 : chances[nexus] * results[nexus] - gain;
        beliefs->gains[kind][group] = (int16_t)(gain / CERTAIN);
        beliefs->losses[kind][group] = (int16_t)(loss / CERTAIN);
        if (gain >= CERTAIN)
            attract(beliefs, kind, (uint8_t)group);
    }
}

/* The beliefs that follow from what is known. */
static void work_out(const GeneralsOdds *odds) {
    GeneralsBeliefs *beliefs = odds->beliefs;
    beliefs->worked_out = 1;
    memset(beliefs->computed, 0, sizeof beliefs->computed);
    for (uint32_t i = 0; i < odds->enemy->pieces; i++)
        beliefs->trace[i] = generals_trace(odds->body, odds->state, 1 - odds->seat, i);
    sort_out(beliefs, odds->enemy->pieces);
    weigh_ranks(odds);
}

/* Finds beliefs that were worked out before, or works them out. */
static void find_beliefs(GeneralsOdds *odds, GeneralsBeliefs *kept, uint32_t kept_count) {
    GeneralsKnown known;
    memset(&known, 0, sizeof known);
    generals_seen(odds->body, odds->state, odds->seat, &known);
    odds->beliefs = &kept[hash_bytes(0, &known, sizeof known) % kept_count];
    if (odds->beliefs->worked_out && memcmp(&known, &odds->beliefs->known, sizeof known) == 0)
        return;
    odds->beliefs->known = known;
    work_out(odds);
}

/* --- Where everybody is ----------------------------------------------------------------------- */

/* The lesser of each two bytes, all below 128. */
static uint64_t lesser(uint64_t a, uint64_t b) {
    const uint64_t tops = 0x8080808080808080u;
    uint64_t greater = ((a | tops) - b) & tops; /* a is not less */
    uint64_t mask = greater - (greater >> 7);
    return (b & mask) | (a & ~mask);
}

/* Steps from every cell to the nearest of those in `from`: within columns, then across them. */
static void spread(const GeneralsContent *body, GeneralsSteps *steps,
                   const uint8_t from[WIDTH_MAX]) {
    const uint64_t ones = 0x0101010101010101u;
    uint32_t width = body->width;
    if (memcmp(steps->from, from, sizeof steps->from) == 0 && steps->columns[0] != 0)
        return;
    memcpy(steps->from, from, sizeof steps->from);
    for (uint32_t x = 0; x < width; x++)
        steps->columns[x] = body->within[from[x]];
    for (uint32_t x = 1; x < width; x++)
        steps->columns[x] = lesser(steps->columns[x], steps->columns[x - 1] + ones);
    for (uint32_t x = width - 1; x-- > 0;)
        steps->columns[x] = lesser(steps->columns[x], steps->columns[x + 1] + ones);
}

/* The cell of the own Nexus, and the enemy that is nearest to it. */
static void find_nexus(GeneralsOdds *odds) {
    const GeneralsContent *body = odds->body;
    const GeneralsPiece *own = &odds->state->pieces[odds->army->first];
    const GeneralsPiece *enemies = &odds->state->pieces[odds->enemy->first];
    odds->nexus = CELL_GONE;
    odds->threat_steps = WIDTH_MAX + HEIGHT_MAX;
    for (int i = 0; i < odds->army->pieces; i++)
        if (own[i].kind == odds->army->nexus && own[i].cell != CELL_GONE)
            odds->nexus = own[i].cell;
    for (int i = 0; odds->nexus != CELL_GONE && i < odds->enemy->pieces; i++) {
        if (enemies[i].cell == CELL_GONE)
            continue;
        int steps = grid_manhattan(body->x[odds->nexus], body->y[odds->nexus],
                                   body->x[enemies[i].cell], body->y[enemies[i].cell]);
        if (steps < odds->threat_steps) {
            odds->threat_steps = (uint8_t)steps;
            odds->threat_cell = enemies[i].cell;
        }
    }
}

/* Where the enemies of each group are, and those that are hidden. */
static void list_enemies(GeneralsOdds *odds) {
    const GeneralsContent *body = odds->body;
    const GeneralsBeliefs *beliefs = odds->beliefs;
    const GeneralsPiece *pieces = &odds->state->pieces[odds->enemy->first];
    uint8_t hidden[2][WIDTH_MAX] = {{0}};
    odds->present = odds->spread = 0;
    memset(odds->preys, 0, beliefs->groups_count * sizeof *odds->preys);
    for (int i = 0; i < odds->enemy->pieces; i++) {
        if (pieces[i].cell == CELL_GONE)
            continue;
        uint8_t x = body->x[pieces[i].cell], row = (uint8_t)(1 << body->y[pieces[i].cell]);
        uint8_t group = beliefs->group[i];
        odds->present |= 1u << group;
        odds->preys[group][x] |= row;
        if (beliefs->known.kinds[i] == 0)
            hidden[pieces[i].mark & MARK_MOVED][x] |= row;
    }
    static_assert(MARK_MOVED == 1, "an index");
    spread(body, &odds->to_unmoved, hidden[0]);
    spread(body, &odds->to_moved, hidden[1]);
}

/* How many of an army are beside each cell; columns have room for numbers up to 255. */
static void count_beside(const GeneralsContent *body, const GeneralsState *state,
                         const GeneralsArmy *army, uint64_t counts[WIDTH_MAX]) {
    const GeneralsPiece *pieces = &state->pieces[army->first];
    uint64_t columns[WIDTH_MAX + 2] = {0};
    for (int i = 0; i < army->pieces; i++)
        if (pieces[i].cell != CELL_GONE)
            columns[body->x[pieces[i].cell] + 1] |= (uint64_t)1 << 8 * body->y[pieces[i].cell];
    for (int x = 0; x < body->width; x++)
        counts[x] = columns[x] + columns[x + 2] + (columns[x + 1] << 8) + (columns[x + 1] >> 8);
}

/* The number for a cell. */
static int at_cell(const GeneralsContent *body, const uint64_t columns[WIDTH_MAX], uint8_t cell) {
    return (int)(columns[body->x[cell]] >> 8 * body->y[cell] & 255);
}

void generals_odds(GeneralsOdds *odds, GeneralsBeliefs *kept, uint32_t kept_count,
                   const GeneralsContent *body, const GeneralsState *state, uint8_t seat) {
    odds->body = body;
    odds->state = state;
    odds->seat = seat;
    odds->army = &body->army[seat];
    odds->enemy = &body->army[1 - seat];
    odds->unit = MASH_UNIT_NONE;
    find_beliefs(odds, kept, kept_count);
    count_beside(body, state, odds->army, odds->friends);
    count_beside(body, state, odds->enemy, odds->enemies);
    list_enemies(odds);
    find_nexus(odds);
}

/* The group of an enemy unit. */
static uint8_t group_of(const GeneralsOdds *odds, uint8_t unit) {
    return odds->beliefs->group[unit - odds->enemy->first];
}

/* --- Features of actions ---------------------------------------------------------------------- */

/* An action that is being looked at. */
typedef struct Scorer {
    const int16_t *weights;
    GeneralsFeatures *features;
    int32_t sum;
} Scorer;

/* Adding up without listing features is a copy of its own, twice as fast. */
#define INLINED __attribute__((always_inline)) static inline

INLINED void put(Scorer *scorer, int index, int value) {
    value = value > 255 ? 255 : value < -255 ? -255 : value;
    scorer->sum += scorer->weights[index] * value;
    if (scorer->features != NULL && value != 0)
        scorer->features->list[scorer->features->count++] =
            (GeneralsFeature){(uint16_t)index, (int16_t)value};
}

static int steps_between(const GeneralsContent *body, uint8_t a, uint8_t b) {
    return grid_manhattan(body->x[a], body->y[a], body->x[b], body->y[b]);
}

/* The danger to a piece of this kind on a cell from adjacent enemies; `except` is already
 * defeated. */
static int danger(const GeneralsOdds *odds, uint8_t unit, uint8_t cell, uint8_t except) {
    const GeneralsState *state = odds->state;
    const GeneralsPiece *piece = &state->pieces[unit];
    const GeneralsAround *around = &odds->body->around[cell];
    int most = 0;
    if (at_cell(odds->body, odds->enemies, cell) == 0)
        return 0;
    for (int i = 0; i < 4; i++) {
        uint8_t held = state->cells[around->steps[i]];
        if (around->steps[i] == cell || !cell_held_by(odds->enemy, held) || held - 1 == except ||
            piece_web(&state->pieces[held - 1]) != 0)
            continue;
        int loss = odds->beliefs->losses[piece->kind][group_of(odds, (uint8_t)(held - 1))];
        most = loss > most ? loss : most;
    }
    return most;
}

/* Steps from a cell to the nearest of a group that is on the board. */
static int steps_to_group(GeneralsOdds *odds, uint8_t cell, int group) {
    if (!(odds->spread >> group & 1)) {
        odds->spread |= 1u << group;
        spread(odds->body, &odds->to_group[group], odds->preys[group]);
    }
    return at_cell(odds->body, odds->to_group[group].columns, cell);
}

/* How much of a gain attracts a piece by its distance, in parts of CERTAIN. */
#define ATTRACTION(steps) (CERTAIN * HUNT / (10 * (2 + (steps))))
static const int16_t attraction[] = {
    ATTRACTION(0),  ATTRACTION(1),  ATTRACTION(2),  ATTRACTION(3),  ATTRACTION(4),  ATTRACTION(5),
    ATTRACTION(6),  ATTRACTION(7),  ATTRACTION(8),  ATTRACTION(9),  ATTRACTION(10), ATTRACTION(11),
    ATTRACTION(12), ATTRACTION(13), ATTRACTION(14), ATTRACTION(15), ATTRACTION(16), ATTRACTION(17)};

/* The attraction of enemies for a piece on the cell. */
static int hunt_bonus(GeneralsOdds *odds, uint8_t kind, uint8_t cell) {
    const int16_t *gains = odds->beliefs->gains[kind];
    int most = 0;
    for (int i = 0; i < odds->beliefs->hunted_count[kind]; i++) {
        int group = odds->beliefs->hunted[kind][i];
        if (!(odds->present >> group & 1))
            continue;
        if (gains[group] * attraction[1] <= most)
            break;
        int pulled = gains[group] * attraction[steps_to_group(odds, cell, group)];
        most = pulled > most ? pulled : most;
    }
    return most / CERTAIN;
}

/* Does taking this enemy away end a threat to the own Nexus? ONE or 0, from so many steps. */
static int threat_from(const GeneralsOdds *odds, uint8_t other, int at) {
    if (odds->nexus == CELL_GONE)
        return 0;
    return steps_between(odds->body, odds->nexus, odds->state->pieces[other].cell) == at ? ONE : 0;
}

/* What is the same for all steps of a unit. */
INLINED void put_unit(const GeneralsOdds *odds, Scorer *scorer, uint8_t unit) {
    const GeneralsPiece *piece = &odds->state->pieces[unit];
    int role = odds->body->worths[odds->seat].roles[piece->kind];
    put(scorer, ACT_FIRST + role, piece->mark & MARK_MOVED ? 0 : ONE);
    put(scorer, ACT_DANGER_LEFT + role, odds->danger_left);
    put(scorer, ACT_SHOWN, piece_shown(piece) ? ONE : 0);
    put(scorer, ACT_STEPS, odds->state->steps[unit] > 4 ? ONE : 0);
}

/* What a unit leaves by any step. */
static void look_around(GeneralsOdds *odds, uint8_t unit) {
    const GeneralsContent *body = odds->body;
    const GeneralsPiece *piece = &odds->state->pieces[unit];
    uint8_t cell = piece->cell;
    Scorer scorer = {body->learned->act, NULL, 0};
    if (odds->unit == unit)
        return;
    odds->unit = unit;
    compute_gains(odds, piece->kind);
    odds->danger_left = danger(odds, unit, cell, MASH_UNIT_NONE);
    odds->hunt_left = hunt_bonus(odds, piece->kind, cell);
    odds->friends_left = at_cell(body, odds->friends, cell);
    odds->to_moved_left = at_cell(body, odds->to_moved.columns, cell);
    odds->to_unmoved_left = at_cell(body, odds->to_unmoved.columns, cell);
    put_unit(odds, &scorer, unit);
    odds->unit_sum = scorer.sum;
}

/* A battle; returns the chance to survive it. */
INLINED int put_battle(GeneralsOdds *odds, Scorer *scorer, uint8_t unit, uint8_t other, int role) {
    const GeneralsState *state = odds->state;
    const GeneralsArmy *enemy = odds->enemy;
    const GeneralsPiece *target = &state->pieces[other];
    int group = group_of(odds, other), kind = state->pieces[unit].kind;
    const int16_t *chances = odds->beliefs->chances[group];
    const uint8_t *roles = odds->body->worths[1 - odds->seat].roles;
    int won = 0, lost = 0, tied = 0;
    for (uint32_t left = odds->beliefs->masks[group]; left != 0; left &= left - 1) {
        int k = __builtin_ctz(left), chance = chances[k];
        if (k == enemy->nexus)
            continue;
        if (enemy->fits[OUTCOME_LOST][kind] >> k & 1) {
            won += chance;
            put(scorer, ACT_WIN + roles[k], chance * ONE / CERTAIN);
        } else if (enemy->fits[OUTCOME_WON][kind] >> k & 1) {
            lost += chance;
            put(scorer, ACT_LOSE_TO + roles[k], chance * ONE / CERTAIN);
        } else {
            tied += chance;
        }
    }
    int base = odds->beliefs->known.kinds[other - enemy->first] != 0 ? ACT_AT_KNOWN
               : target->mark & MARK_MOVED                           ? ACT_AT_MOVED
                                                                     : ACT_AT_UNMOVED;
    put(scorer, base + role, ONE);
    put(scorer, ACT_LOSE + role, lost * ONE / CERTAIN);
    put(scorer, ACT_TIE + role, tied * ONE / CERTAIN);
    put(scorer, ACT_NEXUS, chances[enemy->nexus] * ONE / CERTAIN);
    put(scorer, ACT_NEXUS_LEFT, chances[enemy->nexus] > CERTAIN / 2 ? ONE : 0);
    put(scorer, ACT_QUIET, state->quiet);
    int nexus = chances[enemy->nexus] * odds->body->worths[odds->seat].battles[kind][enemy->nexus];
    put(scorer, ACT_GAIN, odds->beliefs->gains[kind][group] - nexus / CERTAIN);
    int odd = (won + tied) * ONE / CERTAIN;
    put(scorer, ACT_SAVE, threat_from(odds, other, 1) * odd / ONE);
    put(scorer, ACT_SAVE_NEAR, threat_from(odds, other, 2) * odd / ONE);
    return won + chances[enemy->nexus];
}

/* What a step does for the own Nexus. */
INLINED void put_home(const GeneralsOdds *odds, Scorer *scorer, uint8_t kind, uint8_t from,
                      uint8_t to) {
    const GeneralsContent *body = odds->body;
    if (odds->nexus == CELL_GONE)
        return;
    int before = steps_between(body, odds->nexus, from),
        after = steps_between(body, odds->nexus, to);
    bool near = odds->threat_steps <= THREAT_STEPS;
    if (after == 1)
        put(scorer, near ? ACT_GUARD_NEAR : ACT_GUARD, ONE);
    if (before == 1)
        put(scorer, near ? ACT_UNGUARD_NEAR : ACT_UNGUARD, ONE);
    if (!near)
        return;
    int meet =
        steps_between(body, odds->threat_cell, from) - steps_between(body, odds->threat_cell, to);
    uint8_t held = odds->state->cells[odds->threat_cell];
    int gain = odds->beliefs->gains[kind][group_of(odds, (uint8_t)(held - 1))];
    put(scorer, ACT_MEET, meet * ONE);
    put(scorer, ACT_MEET_BEATS, gain > 0 ? meet * ONE : 0);
}

/* A step. */
INLINED void put_move(GeneralsOdds *odds, Scorer *scorer, MashAction action) {
    const GeneralsContent *body = odds->body;
    const GeneralsState *state = odds->state;
    const GeneralsPiece *piece = &state->pieces[action.unit];
    uint8_t from = piece->cell, to = (uint8_t)(action.y * body->width + action.x);
    uint8_t held = state->cells[to];
    int role = body->worths[odds->seat].roles[piece->kind], far = odds->army->far_row;
    look_around(odds, action.unit);
    int nearer = grid_abs(body->y[from] - far) - grid_abs(body->y[to] - far);
    put(scorer, (nearer > 0 ? ACT_FORWARD : ACT_BACK) + role, nearer == 0 ? 0 : ONE);
    if (scorer->features == NULL)
        scorer->sum += odds->unit_sum;
    else
        put_unit(odds, scorer, action.unit);
    if (held != 0) {
        int odd = put_battle(odds, scorer, action.unit, (uint8_t)(held - 1), role);
        put(scorer, ACT_DANGER_ENTERED + role,
            danger(odds, action.unit, to, (uint8_t)(held - 1)) * odd / CERTAIN);
        put_home(odds, scorer, piece->kind, from, from);
        return;
    }
    put(scorer, ACT_DANGER_ENTERED + role, danger(odds, action.unit, to, MASH_UNIT_NONE));
    put(scorer, ACT_HUNT + role, hunt_bonus(odds, piece->kind, to) - odds->hunt_left);
    put(scorer, ACT_TO_MOVED + role,
        (odds->to_moved_left - at_cell(body, odds->to_moved.columns, to)) * ONE);
    put(scorer, ACT_TO_UNMOVED + role,
        (odds->to_unmoved_left - at_cell(body, odds->to_unmoved.columns, to)) * ONE);
    int company = at_cell(body, odds->friends, to) - 1; /* without itself */
    put(scorer, ACT_FRIENDS, (company - odds->friends_left) * ONE);
    put(scorer, ACT_ALONE, company == 0 ? ONE : 0);
    put_home(odds, scorer, piece->kind, from, to);
    bool snaps = body->army[odds->seat].with[ABILITY_SNAP] >> piece->kind & 1;
    if (snaps && !piece_shown(piece) && body->y[to] == far && nearer > 0 && state->round % 2 == 1)
        put(scorer, ACT_ARRIVE_SNAP, ONE);
}

/* The expected value of one of a group, Nexus not counted. */
static int mean_of(const GeneralsOdds *odds, int group) {
    const int16_t *values = odds->body->worths[1 - odds->seat].values;
    const int16_t *chances = odds->beliefs->chances[group];
    int nexus = odds->enemy->nexus;
    return (expected(chances, values) - chances[nexus] * values[nexus]) / CERTAIN;
}

/* A strike or a web [6.3] [6.5]. */
INLINED void put_button(GeneralsOdds *odds, Scorer *scorer, MashAction action) {
    const GeneralsAround *around = &odds->body->around[odds->state->pieces[action.unit].cell];
    bool web = action.verb == VERB_WEB;
    int means = 0, saved = 0;
    look_around(odds, action.unit);
    put(scorer, web ? ACT_WEB : ACT_STRIKE, ONE);
    put(scorer, web ? ACT_WEB_DANGER : ACT_STRIKE_DANGER, odds->danger_left);
    if (web) {
        put(scorer, ACT_WEB_SAVE, threat_from(odds, action.other, 1));
        return;
    }
    for (int i = 0; i < around->all; i++) {
        uint8_t held = odds->state->cells[around->cells[i]];
        if (!cell_held_by(odds->enemy, held))
            continue;
        means += mean_of(odds, group_of(odds, (uint8_t)(held - 1)));
        saved += threat_from(odds, (uint8_t)(held - 1), 1);
    }
    put(scorer, ACT_STRIKE_MEANS, means);
    put(scorer, ACT_STRIKE_SAVE, saved);
}

/* The features of an action, added up. */
INLINED int32_t add_up(GeneralsOdds *odds, MashAction action, GeneralsFeatures *features) {
    Scorer scorer = {odds->body->learned->act, features, 0};
    switch (action.verb) {
    case VERB_MOVE:
        put_move(odds, &scorer, action);
        break;
    case VERB_STRIKE:
    case VERB_WEB:
        put_button(odds, &scorer, action);
        break;
    default:
        put(&scorer, ACT_STAY, ONE);
    }
    return scorer.sum;
}

int32_t generals_preference(GeneralsOdds *odds, MashAction action, GeneralsFeatures *features) {
    if (features == NULL)
        return add_up(odds, action, NULL);
    features->count = 0;
    return add_up(odds, action, features);
}

/* Added to preferences, it draws as likely as they say: the quantiles of the Gumbel distribution.
 */
static const int32_t gumbel[] = {
    -112258, -97788, -89791, -83934, -79190, -75140, -71565, -68340, -65384, -62639, -60067, -57639,
    -55331,  -53126, -51010, -48972, -47002, -45092, -43236, -41427, -39662, -37935, -36243, -34583,
    -32952,  -31347, -29765, -28205, -26665, -25143, -23637, -22147, -20669, -19204, -17750, -16306,
    -14871,  -13444, -12024, -10610, -9201,  -7797,  -6397,  -4999,  -3605,  -2211,  -819,   573,
    1965,    3358,   4752,   6148,   7548,   8950,   10356,  11767,  13183,  14604,  16031,  17466,
    18907,   20357,  21815,  23282,  24760,  26248,  27747,  29258,  30782,  32319,  33870,  35436,
    37018,   38617,  40233,  41868,  43522,  45197,  46893,  48612,  50355,  52123,  53918,  55741,
    57593,   59477,  61393,  63344,  65332,  67358,  69426,  71537,  73694,  75900,  78158,  80472,
    82845,   85282,  87786,  90363,  93018,  95757,  98587,  101516, 104551, 107703, 110981, 114400,
    117972,  121715, 125647, 129791, 134175, 138830, 143795, 149118, 154860, 161098, 167931, 175493,
    183965,  193612, 204826, 218242, 234975, 257287, 291024, 363281};
enum { GUMBELS = sizeof gumbel / sizeof *gumbel };

uint32_t generals_habit(const MashContent *content, const void *raw_state, uint8_t seat,
                        const MashAction *list, uint32_t count, MashChance *chance, void *memory) {
    GeneralsMemory *kept = memory;
    GeneralsOdds *odds = &kept->odds;
    uint32_t best = 0;
    int32_t most = INT32_MIN;
    generals_odds(odds, kept->kept, BELIEFS_KEPT, generals_content(content), raw_state, seat);
    for (uint32_t i = 0; i < count; i++) {
        int32_t preference = generals_preference(odds, list[i], NULL);
        preference += gumbel[chance_below(chance, GUMBELS)];
        if (preference > most)
            most = preference, best = i;
    }
    return best;
}

/* --- Who stands better ------------------------------------------------------------------------ */

/* A side's features; adds them with this sign. */
static void add_side(const GeneralsContent *body, const GeneralsState *state, uint8_t side,
                     int sign, int32_t features[VALUE_WEIGHTS], int worths[2]) {
    const GeneralsArmy *army = &body->army[side], *enemy = &body->army[1 - side];
    const uint8_t *roles = body->worths[side].roles, *theirs = body->worths[1 - side].roles;
    uint8_t nexus = CELL_GONE;
    int top = 0, infiltrators = 0, agents = 0, enemy_infiltrators = 0, strong = 0, above = 0;
    for (int i = 0; i < enemy->pieces; i++) {
        const GeneralsPiece *piece = &state->pieces[enemy->first + i];
        if (piece->cell == CELL_GONE)
            continue;
        int role = theirs[piece->kind];
        top = role <= ROLE_TOP && role > top ? role : top;
        strong += role <= ROLE_TOP && role >= 9;
        agents += role == ROLE_AGENT;
        enemy_infiltrators += role == ROLE_INFILTRATOR;
    }
    for (int i = 0; i < army->pieces; i++) {
        const GeneralsPiece *piece = &state->pieces[army->first + i];
        if (piece->cell == CELL_GONE)
            continue;
        int role = roles[piece->kind];
        features[VALUE_PIECE + role] += sign * 64;
        features[VALUE_SHOWN + role] += sign * (piece_shown(piece) ? 64 : 0);
        features[VALUE_MOVED] += sign * (piece->mark & MARK_MOVED ? 8 : 0);
        features[VALUE_AHEAD] +=
            sign * (body->height - 1 - grid_abs(body->y[piece->cell] - army->far_row));
        worths[side] += body->learned->worth[role];
        infiltrators += role == ROLE_INFILTRATOR;
        above += role <= ROLE_TOP && role > top;
        if (piece->kind == army->nexus)
            nexus = piece->cell;
    }
    features[VALUE_ABOVE] += sign * above * 64;
    features[VALUE_FREE] += sign * (enemy_infiltrators == 0 ? above * 64 : 0);
    features[VALUE_INFILTRATE] += sign * infiltrators * strong * 16;
    features[VALUE_HIDE] += sign * (agents == 0 ? infiltrators * 64 : 0);
    for (int i = 0; nexus != CELL_GONE && i < enemy->pieces; i++) {
        const GeneralsPiece *piece = &state->pieces[enemy->first + i];
        if (piece->cell == CELL_GONE || piece_web(piece) != 0)
            continue;
        int steps = steps_between(body, nexus, piece->cell);
        if (steps <= 4)
            features[VALUE_NEAR + (steps - 1) * 2 + (state->mover == side)] += sign * 64;
    }
}

int32_t generals_value(const GeneralsContent *body, const GeneralsState *state,
                       int32_t features[VALUE_WEIGHTS]) {
    int worths[2] = {1, 1};
    int64_t sum = 0;
    memset(features, 0, VALUE_WEIGHTS * sizeof *features);
    add_side(body, state, 0, 1, features, worths);
    add_side(body, state, 1, -1, features, worths);
    features[VALUE_SHARE] = (worths[0] - worths[1]) * 256 / (worths[0] + worths[1]);
    features[VALUE_TURN] = state->mover == 0 ? 64 : -64;
    for (int i = 0; i < VALUE_WEIGHTS; i++)
        sum += (int64_t)features[i] * body->learned->value[i];
    return (int32_t)sum;
}

/* Chances by the logarithm of the odds, in eighths: 0 is even, LEAD certain. */
enum { LEAD = 3000 };
static const int16_t leads[] = {0,    187,  373,  556,  735,  908,  1075, 1235, 1386, 1529, 1664,
                                1789, 1905, 2013, 2112, 2202, 2285, 2360, 2428, 2489, 2545, 2595,
                                2639, 2680, 2715, 2747, 2776, 2801, 2824, 2844, 2862, 2878, 2892,
                                2905, 2916, 2925, 2934, 2942, 2949, 2955, 2960, 2965, 2969, 2972,
                                2976, 2978, 2981, 2983, 2985, 2987, 2988, 2990, 2991, 2992, 2993,
                                2994, 2995, 2995, 2996, 2996, 2997, 2997, 2997, 2998, 2998};
enum { LEADS = sizeof leads / sizeof *leads };

int32_t generals_lead(const GeneralsContent *body, const GeneralsState *state) {
    int32_t features[VALUE_WEIGHTS];
    int32_t value = generals_value(body, state, features);
    uint32_t size = (uint32_t)(value < 0 ? -value : value), at = size >> 13;
    if (at + 1 >= LEADS)
        return value < 0 ? -LEAD : LEAD;
    int32_t lead =
        leads[at] + (int32_t)((leads[at + 1] - leads[at]) * (int32_t)(size & 8191) >> 13);
    return value < 0 ? -lead : lead;
}

/* --- Set-ups ---------------------------------------------------------------------------------- */

int32_t generals_set_preference(const GeneralsContent *body, const GeneralsState *state,
                                uint8_t seat, uint8_t kind, uint8_t cell, uint8_t nexus,
                                GeneralsFeatures *features) {
    const GeneralsArmy *army = &body->army[seat];
    Scorer scorer = {body->learned->set, features, 0};
    int role = body->worths[seat].roles[kind];
    int depth = body->height - 1 - grid_abs(body->y[cell] - army->far_row);
    int row = depth * TRACE_ROWS / body->zone_rows;
    int aside = grid_abs(2 * body->x[cell] - (body->width - 1)) / 2;
    if (features != NULL)
        features->count = 0;
    put(&scorer, SET_ROW + 3 * role + row, ONE);
    put(&scorer, SET_ASIDE + 5 * role + (aside > 4 ? 4 : aside), ONE);
    if (nexus != CELL_GONE) {
        int steps = steps_between(body, nexus, cell);
        put(&scorer, SET_NEAR + 4 * role + (steps > 4 ? 3 : steps - 1), ONE);
    }
    for (int i = 0; i < 4; i++) {
        uint8_t to = body->around[cell].steps[i];
        if (to == cell || to < army->zone_first || to >= army->zone_first + army->zone_cells)
            continue;
        int other = body->worths[seat].roles[state->cells[to]];
        if (other != 0)
            put(&scorer, SET_BESIDE + 16 * role + other, ONE / 2);
    }
    return scorer.sum;
}

uint8_t generals_place(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                       uint8_t kind, uint8_t nexus, MashChance *chance) {
    const GeneralsArmy *army = &body->army[seat];
    uint8_t best = army->zone_first;
    int32_t most = INT32_MIN;
    for (uint8_t i = 0; i < army->zone_cells; i++) {
        uint8_t cell = (uint8_t)(army->zone_first + i);
        if (state->cells[cell] != 0)
            continue;
        int32_t preference = generals_set_preference(body, state, seat, kind, cell, nexus, NULL);
        preference += gumbel[chance_below(chance, GUMBELS)];
        if (preference > most)
            most = preference, best = cell;
    }
    return best;
}
