/* evaluate.c -- evaluation for Generals: odds of battles by the possible ranks of each enemy,
 * threats, and the placement of an army.
 *
 * Everything is computed from a seat's view: enemies of unknown rank have a probability for each
 * rank that they can still be, in parts of CERTAIN. */
#include <string.h>

#include "engine/grid.h"
#include "games/generals/state.h"

/* Evaluations are in tenths of a point of power. */
enum {
    CERTAIN = 1024,
    PIECE = 25, /* any piece, */
    POWER = 8,  /* and for each point of power */
    INFILTRATOR = 105,
    AGENT = 32,
    STRIKE = 35, /* abilities not used yet */
    WEB = 12,
    NEXUS = 3000,
    THREAT = 1200,     /* an enemy adjacent to the own Nexus, */
    THREAT_NEAR = 120, /* and one a step further away */
    ATTACKED = 45,     /* % of what an adjacent enemy would gain by attacking a piece */
    ATTACKED_SHOWN = 85,
    HUNT = 24,    /* attraction of enemies, falling with distance */
    RESTLESS = 1, /* bonus of attacks per turn without a defeat */
    SHOWN = 12,   /* cost of revealing a piece */
    FORWARD = 2,
};

/* Evaluation of a kind of piece by its class, power and ability. */
static int evaluate_kind(const GeneralsKind *kind) {
    int evaluate = PIECE + POWER * kind->power;
    if (kind->class == CLASS_INFILTRATOR)
        evaluate = INFILTRATOR;
    if (kind->class == CLASS_AGENT)
        evaluate = AGENT;
    if (kind->class == CLASS_NEXUS)
        evaluate = NEXUS;
    if (kind->ability == ABILITY_STRIKE)
        evaluate += STRIKE;
    return kind->ability == ABILITY_WEB ? evaluate + WEB : evaluate;
}

/* [5] What an own kind gains by fighting an enemy's kind. */
static int battle_result(const GeneralsWorths *worths, const GeneralsArmy *enemy, int kind,
                         int other) {
    int own = worths[0].values[kind], theirs = worths[1].values[other];
    if (enemy->fits[OUTCOME_LOST][kind] >> other & 1)
        return theirs;
    return enemy->fits[OUTCOME_WON][kind] >> other & 1 ? -own : theirs - own;
}

void generals_work_out_worths(GeneralsContent *body) {
    for (int seat = 0; seat < MASH_SEATS; seat++)
        for (int kind = 1; kind <= KINDS_MAX; kind++)
            body->worths[seat].values[kind] = (int16_t)evaluate_kind(&body->army[seat].kinds[kind]);
    for (int seat = 0; seat < MASH_SEATS; seat++) {
        const GeneralsArmy *army = &body->army[seat], *enemy = &body->army[1 - seat];
        const GeneralsWorths both[2] = {body->worths[seat], body->worths[1 - seat]};
        for (int kind = 1; kind <= army->kinds_count; kind++)
            for (int other = 1; other <= enemy->kinds_count; other++)
                body->worths[seat].battles[kind][other] =
                    (int16_t)battle_result(both, enemy, kind, other);
    }
}

/* --- What enemies can be ---------------------------------------------------------------------- */

/* A seat's beliefs about its enemies, and what follows for battles. Enemies with the same set of
 * possible kinds form one group: they share all beliefs. */
typedef struct RankOdds {
    const GeneralsContent *body;
    const GeneralsState *state;
    const GeneralsArmy *army, *enemy;
    const GeneralsWorths *own, *theirs;
    uint8_t seat;
    uint8_t nexus; /* cell of the own one */
    uint8_t lots_count;
    uint8_t group[SIDE_MAX];                    /* of each enemy */
    uint8_t hidden[SIDE_MAX];                   /* how many of a group are not known */
    uint16_t masks[SIDE_MAX];                   /* what a group can be */
    int16_t chances[SIDE_MAX][KINDS_MAX + 1];   /* of a group to be of a kind */
    uint8_t preys[SIDE_MAX + 1];                /* where the cells of a group begin in these: */
    uint8_t prey_x[SIDE_MAX], prey_y[SIDE_MAX]; /* the cells of enemies on the board */
    uint8_t nearest[CELLS_MAX][SIDE_MAX];       /* steps to one of a group; 0: not asked yet */
    uint32_t computed;                          /* the own kinds with gains and losses */
    uint8_t unit;                               /* of the last step, what it leaves: */
    int danger_left, hunt_left;
    int means[SIDE_MAX];                 /* expected value, Nexus not counted */
    int gains[KINDS_MAX + 1][SIDE_MAX];  /* of an own kind by attacking one of a group */
    int losses[KINDS_MAX + 1][SIDE_MAX]; /* of an own kind when one of a group attacks it */
    uint8_t hunted_count[KINDS_MAX + 1]; /* the groups that it gains by, the best first */
    uint8_t hunted[KINDS_MAX + 1][SIDE_MAX];
} RankOdds;

/* Weights of kinds for each group, before they are probabilities. */
typedef uint32_t RankWeights[SIDE_MAX][KINDS_MAX + 1];

/* How many pieces of each kind are unknown to the view. */
static void count_unknown(const RankOdds *belief, uint32_t unknown[KINDS_MAX + 1]) {
    const GeneralsArmy *enemy = belief->enemy;
    for (int kind = 0; kind <= KINDS_MAX; kind++)
        unknown[kind] = enemy->kinds[kind].count;
    for (int i = 0; i < enemy->pieces; i++)
        unknown[belief->state->pieces[enemy->first + i].kind]--;
}

/* Puts the enemies into groups. */
static void sort_out(RankOdds *belief) {
    const GeneralsArmy *enemy = belief->enemy;
    uint16_t masks[SIDE_MAX];
    generals_could_be(belief->body, belief->state, 1 - belief->seat, masks);
    for (int i = 0; i < enemy->pieces; i++) {
        uint8_t group = 0;
        while (group < belief->lots_count && belief->masks[group] != masks[i])
            group++;
        if (group == belief->lots_count) {
            belief->masks[group] = masks[i];
            belief->lots_count++;
        }
        belief->group[i] = group;
        if (belief->state->pieces[enemy->first + i].kind == 0)
            belief->hidden[group]++;
    }
}

/* Can the group be one kind only? */
static bool group_is_certain(const RankOdds *belief, int group) {
    uint32_t mask = belief->masks[group];
    return (mask & (mask - 1)) == 0;
}

/* Division by a number that many are divided by: floor(a / b) is a * reciprocal(b) >> RECIPROCAL
 * for a * b < 2^RECIPROCAL. Weights and sums here are below 2^25 and 2^19. */
enum { RECIPROCAL = 45 };
static uint64_t reciprocal(uint32_t by) { return ((uint64_t)1 << RECIPROCAL) / by + 1; }

/* Normalizes rows of weights to probabilities that add up to CERTAIN. */
static void make_chances(const RankOdds *belief, RankWeights weights) {
    for (int group = 0; group < belief->lots_count; group++) {
        uint32_t sum = 0, mask = belief->masks[group];
        for (int kind = 0; kind <= KINDS_MAX; kind++)
            sum += weights[group][kind];
        if (sum == 0)
            continue;
        if (group_is_certain(belief, group)) {
            weights[group][__builtin_ctz(mask)] = CERTAIN;
            continue;
        }
        uint64_t by_sum = reciprocal(sum);
        for (uint32_t left = mask; left != 0; left &= left - 1) {
            uint32_t *weight = &weights[group][__builtin_ctz(left)];
            *weight = (uint32_t)(*weight * CERTAIN * by_sum >> RECIPROCAL);
        }
    }
}

/* Probabilities from what each can be and how many of a kind are left: first for each group alone,
 * then again with weights such that no kind is expected more often than it exists. */
static void weigh_ranks(RankOdds *belief) {
    uint32_t unknown[KINDS_MAX + 1];
    RankWeights weights;
    memset(weights, 0, belief->lots_count * sizeof *weights);
    count_unknown(belief, unknown);
    for (int group = 0; group < belief->lots_count; group++)
        for (uint32_t left = belief->masks[group]; left != 0; left &= left - 1) {
            int kind = __builtin_ctz(left);
            weights[group][kind] = belief->hidden[group] == 0 ? 1 : unknown[kind];
        }
    make_chances(belief, weights);
    uint32_t sums[KINDS_MAX + 1] = {0};
    uint64_t factors[KINDS_MAX + 1] = {0};
    for (int group = 0; group < belief->lots_count; group++)
        for (int kind = 0; kind <= KINDS_MAX; kind++)
            sums[kind] += weights[group][kind] * belief->hidden[group];
    for (int kind = 0; kind <= KINDS_MAX; kind++)
        if (sums[kind] > 0)
            factors[kind] = reciprocal(sums[kind]);
    for (int group = 0; group < belief->lots_count; group++) {
        uint32_t left = belief->hidden[group] > 0 ? belief->masks[group] : 0;
        for (; left != 0; left &= left - 1) {
            int kind = __builtin_ctz(left);
            uint32_t *weight = &weights[group][kind];
            *weight = (uint32_t)(*weight * unknown[kind] * CERTAIN * factors[kind] >> RECIPROCAL);
        }
    }
    make_chances(belief, weights);
    for (int group = 0; group < belief->lots_count; group++)
        for (int kind = 0; kind <= KINDS_MAX; kind++)
            belief->chances[group][kind] = (int16_t)weights[group][kind];
}

/* The sum of values weighed by chances. */
static int expected(const int16_t chances[KINDS_MAX + 1], const int16_t values[KINDS_MAX + 1]) {
    int sum = 0;
    for (int i = 0; i <= KINDS_MAX; i++)
        sum += (int)chances[i] * values[i];
    return sum;
}

/* The chances of a group; nothing if all of it are gone. */
static const int16_t *chances_of(const RankOdds *belief, int group) {
    static const int16_t none[KINDS_MAX + 1];
    bool gone = belief->preys[group] == belief->preys[group + 1];
    return gone ? none : belief->chances[group];
}

/* What a group is worth. */
static void compute_mean(RankOdds *belief, int group) {
    const int16_t *chances = chances_of(belief, group);
    int nexus = belief->enemy->nexus;
    int mean =
        expected(chances, belief->theirs->values) - chances[nexus] * belief->theirs->values[nexus];
    belief->means[group] = mean / CERTAIN;
}

/* Adds a group to those that attract a kind, the greatest gain first. */
static void attract(RankOdds *belief, uint8_t kind, uint8_t group) {
    const int *gains = belief->gains[kind];
    uint8_t *list = belief->hunted[kind], at = belief->hunted_count[kind]++;
    for (; at > 0 && gains[list[at - 1]] < gains[group]; at--)
        list[at] = list[at - 1];
    list[at] = group;
}

/* The expected results of battles between an own kind and one of each group, by who attacks: when
 * they are asked for, as few kinds can do something at a time. A kind that is not known gains
 * nothing. */
static void compute_gains(RankOdds *belief, uint8_t kind) {
    const int16_t *results = belief->own->battles[kind];
    int nexus = belief->enemy->nexus;
    if (belief->computed >> kind & 1)
        return;
    belief->computed |= 1u << kind;
    belief->hunted_count[kind] = 0;
    for (int group = 0; group < belief->lots_count; group++) {
        const int16_t *chances = chances_of(belief, group);
        int gain = kind == 0 ? 0 : expected(chances, results);
        int loss = kind == 0 ? 0 : chances[nexus] * results[nexus] - gain;
        belief->gains[kind][group] = gain / CERTAIN;
        belief->losses[kind][group] = loss / CERTAIN;
        if (gain >= CERTAIN)
            attract(belief, kind, (uint8_t)group);
    }
}

/* The cell of the own Nexus. */
static void find_nexus(RankOdds *belief) {
    belief->nexus = CELL_GONE;
    for (int i = 0; i < belief->army->pieces; i++) {
        const GeneralsPiece *piece = &belief->state->pieces[belief->army->first + i];
        if (piece->cell != CELL_GONE && piece->kind == belief->army->nexus)
            belief->nexus = piece->cell;
    }
}

/* The enemies on the board, by group. */
static void list_enemies(RankOdds *belief) {
    const GeneralsPiece *pieces = &belief->state->pieces[belief->enemy->first];
    uint8_t next[SIDE_MAX];
    for (int i = 0; i < belief->enemy->pieces; i++)
        if (pieces[i].cell != CELL_GONE)
            belief->preys[belief->group[i] + 1]++;
    for (int group = 0; group < belief->lots_count; group++) {
        belief->preys[group + 1] = (uint8_t)(belief->preys[group + 1] + belief->preys[group]);
        next[group] = belief->preys[group];
    }
    for (int i = 0; i < belief->enemy->pieces; i++)
        if (pieces[i].cell != CELL_GONE) {
            uint8_t at = next[belief->group[i]]++;
            belief->prey_x[at] = belief->body->x[pieces[i].cell];
            belief->prey_y[at] = belief->body->y[pieces[i].cell];
        }
}

/* Computes a seat's beliefs about every enemy piece, and what its own kinds gain and lose in
 * battles against them. */
static void compute_rank_odds(RankOdds *belief, const GeneralsContent *body,
                              const GeneralsState *state, uint8_t seat) {
    /* What is computed for all groups and living kinds needs no zeros before: they take long. */
    belief->body = body;
    belief->state = state;
    belief->seat = seat;
    belief->army = &body->army[seat];
    belief->enemy = &body->army[1 - seat];
    belief->own = &body->worths[seat];
    belief->theirs = &body->worths[1 - seat];
    belief->lots_count = 0;
    belief->computed = 0;
    belief->unit = MASH_UNIT_NONE;
    memset(belief->hidden, 0, sizeof belief->hidden);
    memset(belief->preys, 0, sizeof belief->preys);
    memset(belief->nearest, 0, body->cells * sizeof *belief->nearest);
    sort_out(belief);
    weigh_ranks(belief);
    list_enemies(belief);
    find_nexus(belief);
    for (int group = 0; group < belief->lots_count; group++)
        compute_mean(belief, group);
}

/* The group of an enemy unit. */
static uint8_t lot_of(const RankOdds *belief, uint8_t unit) {
    return belief->group[unit - belief->enemy->first];
}

/* --- Priority of actions ---------------------------------------------------------------------- */

/* The number of steps between two cells. */
static int steps_between(const GeneralsContent *body, uint8_t a, uint8_t b) {
    return grid_manhattan(body->x[a], body->y[a], body->x[b], body->y[b]);
}

/* The danger to a piece of this kind on a cell from adjacent enemies; `except` is already
 * defeated. */
static int danger(const RankOdds *belief, uint8_t unit, uint8_t cell, uint8_t except) {
    const GeneralsState *state = belief->state;
    const GeneralsPiece *piece = &state->pieces[unit];
    const GeneralsAround *around = &belief->body->around[cell];
    int most = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t held = state->cells[around->steps[i]];
        if (around->steps[i] == cell || !cell_held_by(belief->enemy, held) || held - 1 == except ||
            piece_web(&state->pieces[held - 1]) != 0)
            continue;
        int loss = belief->losses[piece->kind][lot_of(belief, (uint8_t)(held - 1))];
        most = loss > most ? loss : most;
    }
    return most * (piece_shown(piece) ? ATTACKED_SHOWN : ATTACKED) / 100;
}

/* Steps from a cell, on which there is none, to the nearest of a group that is on the board. */
static int steps_to_group(RankOdds *belief, uint8_t cell, int group) {
    uint8_t *nearest = &belief->nearest[cell][group];
    if (*nearest != 0)
        return *nearest;
    int x = belief->body->x[cell], y = belief->body->y[cell], least = WIDTH_MAX + HEIGHT_MAX;
    for (int i = belief->preys[group]; i < belief->preys[group + 1]; i++) {
        int steps = grid_manhattan(x, y, belief->prey_x[i], belief->prey_y[i]);
        least = steps < least ? steps : least;
    }
    *nearest = (uint8_t)least;
    return least;
}

/* How much of a gain attracts a piece by its distance, in parts of CERTAIN. */
#define ATTRACTION(steps) (CERTAIN * HUNT / (10 * (2 + (steps))))
static const int16_t attraction[] = {
    ATTRACTION(0),  ATTRACTION(1),  ATTRACTION(2),  ATTRACTION(3),  ATTRACTION(4),  ATTRACTION(5),
    ATTRACTION(6),  ATTRACTION(7),  ATTRACTION(8),  ATTRACTION(9),  ATTRACTION(10), ATTRACTION(11),
    ATTRACTION(12), ATTRACTION(13), ATTRACTION(14), ATTRACTION(15), ATTRACTION(16), ATTRACTION(17)};
static_assert(sizeof attraction == (WIDTH_MAX + HEIGHT_MAX + 1) * sizeof *attraction, "distances");

/* The attraction of enemies for a piece on the cell. */
static int hunt_bonus(RankOdds *belief, uint8_t kind, uint8_t cell) {
    const int *gains = belief->gains[kind];
    int most = 0;
    for (int i = 0; i < belief->hunted_count[kind]; i++) {
        int group = belief->hunted[kind][i];
        /* Nobody is nearer than a step, and all others gain less. */
        if (gains[group] * attraction[1] <= most)
            break;
        int pulled = gains[group] * attraction[steps_to_group(belief, cell, group)];
        most = pulled > most ? pulled : most;
    }
    return most / CERTAIN;
}

/* Threats to the own Nexus that end when this enemy is defeated or webbed. */
static int nexus_threat_removed(const RankOdds *belief, uint8_t other) {
    if (belief->nexus == CELL_GONE)
        return 0;
    int steps = steps_between(belief->body, belief->nexus, belief->state->pieces[other].cell);
    return steps == 1 ? THREAT : steps == 2 ? THREAT_NEAR : 0;
}

/* Probability, in parts of CERTAIN, that the own kind defeats this enemy in a battle. */
static int beats(const RankOdds *belief, uint8_t kind, uint8_t group) {
    uint32_t fits =
        belief->enemy->fits[OUTCOME_LOST][kind] | belief->enemy->fits[OUTCOME_TIED][kind];
    int sum = 0;
    for (int other = 1; other <= belief->enemy->kinds_count; other++)
        sum += fits >> other & 1 ? (int)belief->chances[group][other] : 0;
    return sum;
}

/* What a unit leaves by any step; a list has all steps of a unit together. */
static void look_around(RankOdds *belief, uint8_t unit) {
    const GeneralsPiece *piece = &belief->state->pieces[unit];
    if (belief->unit == unit)
        return;
    belief->unit = unit;
    compute_gains(belief, piece->kind);
    belief->danger_left = danger(belief, unit, piece->cell, MASH_UNIT_NONE);
    belief->hunt_left = hunt_bonus(belief, piece->kind, piece->cell);
}

/* Priority of a step: expected gain, dangers left and entered, direction. */
static int move_priority(RankOdds *belief, MashAction action) {
    const GeneralsContent *body = belief->body;
    const GeneralsState *state = belief->state;
    const GeneralsPiece *piece = &state->pieces[action.unit];
    uint8_t to = (uint8_t)(action.y * body->width + action.x), held = state->cells[to];
    look_around(belief, action.unit);
    int priority = belief->danger_left;
    int nearer = grid_abs(body->y[piece->cell] - belief->army->far_row) -
                 grid_abs(body->y[to] - belief->army->far_row);
    if (held == 0) {
        int pulled = hunt_bonus(belief, piece->kind, to) - belief->hunt_left;
        return priority + pulled + FORWARD * nearer -
               danger(belief, action.unit, to, MASH_UNIT_NONE);
    }
    uint8_t other = (uint8_t)(held - 1);
    int odds = beats(belief, piece->kind, lot_of(belief, other));
    priority += belief->gains[piece->kind][lot_of(belief, other)] + RESTLESS * state->quiet;
    priority += nexus_threat_removed(belief, other) * odds / CERTAIN;
    return priority - danger(belief, action.unit, to, other) * odds / CERTAIN;
}

/* Priority of a strike [6.3]: expected evaluation of the enemies around, minus the use of the
 * ability and the cost of revealing the piece. */
static int strike_priority(const RankOdds *belief, MashAction action) {
    const GeneralsAround *around = &belief->body->around[belief->state->pieces[action.unit].cell];
    int priority = -STRIKE - SHOWN;
    for (int i = 0; i < around->all; i++) {
        uint8_t held = belief->state->cells[around->cells[i]];
        if (cell_held_by(belief->enemy, held))
            priority += belief->means[lot_of(belief, (uint8_t)(held - 1))] +
                        nexus_threat_removed(belief, (uint8_t)(held - 1));
    }
    return priority;
}

/* Priority of an action; 0 if it is not a step, strike or web. */
static int32_t priority_of(RankOdds *belief, MashAction action) {
    switch (action.verb) {
    case VERB_MOVE:
        return move_priority(belief, action);
    case VERB_STRIKE:
        return strike_priority(belief, action);
    case VERB_WEB:
        return nexus_threat_removed(belief, action.other) - WEB - SHOWN;
    default:
        return 0;
    }
}

static void priorities(const MashContent *content, const void *raw_state, uint8_t seat,
                       const MashAction *list, uint32_t count, int32_t *out) {
    const GeneralsState *state = raw_state;
    RankOdds belief;
    if (placing(state)) {
        memset(out, 0, count * sizeof *out);
        return;
    }
    compute_rank_odds(&belief, generals_content(content), state, seat);
    for (uint32_t i = 0; i < count; i++)
        out[i] = priority_of(&belief, list[i]);
}

/* --- Evaluation of a state -------------------------------------------------------------------- */

/* Evaluates the known pieces of a side; an unknown piece counts as an average one. */
static int32_t evaluate_side(const GeneralsContent *body, const GeneralsState *state,
                             uint8_t seat) {
    const GeneralsArmy *army = &body->army[seat];
    const GeneralsArmy *enemy = &body->army[1 - seat];
    int32_t sum = 0;
    uint8_t nexus = CELL_GONE;
    for (int i = 0; i < army->pieces; i++) {
        const GeneralsPiece *piece = &state->pieces[army->first + i];
        if (piece->cell == CELL_GONE)
            continue;
        if (piece->kind == army->nexus)
            nexus = piece->cell;
        else
            sum += piece->kind == 0 ? 2 * PIECE : evaluate_kind(&army->kinds[piece->kind]);
        sum -= piece_shown(piece) ? SHOWN : 0;
    }
    for (int i = 0; nexus != CELL_GONE && i < enemy->pieces; i++) {
        const GeneralsPiece *piece = &state->pieces[enemy->first + i];
        if (piece->cell == CELL_GONE || piece_web(piece) != 0)
            continue;
        int steps = steps_between(body, nexus, piece->cell);
        bool next = state->mover != seat;
        if (steps == 1)
            sum -= next ? THREAT : THREAT / 4;
        else if (steps == 2)
            sum -= next ? THREAT_NEAR : THREAT_NEAR / 2;
    }
    return sum;
}

static int32_t evaluate(const MashContent *content, const void *raw_state, uint8_t seat) {
    const GeneralsContent *body = generals_content(content);
    const GeneralsState *state = raw_state;
    if (placing(state))
        return 0;
    return evaluate_side(body, state, seat) - evaluate_side(body, state, 1 - seat);
}

/* --- Placing an army -------------------------------------------------------------------------- */

/* How well a cell suits a kind: the Nexus at the back, at a side rather than in the middle; strong
 * pieces and infiltrators in front of it; agents at the front. `row` counts from the own edge. */
static int place_score(const GeneralsContent *body, const GeneralsArmy *army, uint8_t kind, int row,
                       int x, int from_nexus) {
    const GeneralsKind *known = &army->kinds[kind];
    int rows = body->zone_rows, aside = grid_abs(2 * x - (body->width - 1)) / 2;
    switch (known->class) {
    case CLASS_NEXUS:
        return (rows - 1 - row) * 40 + aside * 4;
    case CLASS_AGENT:
        return row * 12 + (from_nexus == 1 ? 14 : 0);
    case CLASS_INFILTRATOR:
        return (row == rows - 2 ? 16 : 8) + (from_nexus <= 3 ? 6 : 0);
    default:
        return row * known->power + (from_nexus == 1 && known->power < 7 ? 12 : 0);
    }
}

/* The kind that is placed next: the Nexus, then the strongest. */
static uint8_t next_kind(const GeneralsArmy *army, const uint8_t left[KINDS_MAX + 1]) {
    uint8_t best = 0;
    int most = -1;
    for (uint8_t kind = 1; kind <= army->kinds_count; kind++) {
        int evaluate = evaluate_kind(&army->kinds[kind]);
        if (left[kind] > 0 && evaluate > most)
            most = evaluate, best = kind;
    }
    return best;
}

/* During placement: the cell of the own Nexus, or CELL_GONE if it is not placed yet. */
static uint8_t nexus_cell(const GeneralsArmy *army, const GeneralsState *state) {
    for (uint8_t i = 0; i < army->zone_cells; i++)
        if (state->cells[army->zone_first + i] == army->nexus)
            return (uint8_t)(army->zone_first + i);
    return CELL_GONE;
}

enum { PLACE_RANDOM = 24 }; /* random tie break, so that set-ups differ */

static MashAction opening(const MashContent *content, const void *raw_state, uint8_t seat,
                          MashChance *chance) {
    const GeneralsContent *body = generals_content(content);
    const GeneralsState *state = raw_state;
    const GeneralsArmy *army = &body->army[seat];
    uint8_t left[KINDS_MAX + 1];
    if (!placing(state))
        return (MashAction){.verb = MASH_VERB_NONE};
    if (generals_left(body, state, seat, left) == 0)
        return (MashAction){.verb = VERB_READY, .seat = seat};
    uint8_t kind = next_kind(army, left), nexus = nexus_cell(army, state), best = CELL_GONE;
    int most = INT32_MIN;
    for (uint8_t i = 0; i < army->zone_cells; i++) {
        uint8_t cell = (uint8_t)(army->zone_first + i);
        if (state->cells[cell] != 0)
            continue;
        int row = body->height - 1 - grid_abs(body->y[cell] - army->far_row);
        int from_nexus = nexus == CELL_GONE ? 9 : steps_between(body, nexus, cell);
        int score = place_score(body, army, kind, row, body->x[cell], from_nexus);
        score += (int)chance_below(chance, PLACE_RANDOM);
        if (score > most)
            most = score, best = cell;
    }
    return (MashAction){.verb = VERB_PLACE,
                        .seat = seat,
                        .x = (int8_t)body->x[best],
                        .y = (int8_t)body->y[best],
                        .amount = (uint8_t)(army->kind_first + kind - 1)};
}

/* [4.1]; Thor's second step belongs to his turn [6.2]. */
static uint32_t turn(const MashContent *content, const void *raw_state) {
    (void)content;
    const GeneralsState *state = raw_state;
    return 2u * state->round + state->mover;
}

/* How often positions are won: docs/strength.md. */
static const MashWinningTable winning_table = {
    .won = 9800,
    .lost = 200,
    .values = {-3000, -2243, -607, -263, -141, -53, 21, 105, 215, 438, 1682, 2998},
    .chances = {1651, 2577, 3113, 3278, 4066, 4459, 5459, 6177, 6345, 7032, 7032, 8643},
};
static const MashWinning winning = {800, {&winning_table, &winning_table}};

const MashEvaluator generals_evaluator = {
    .method = MASH_METHOD_DETERMINIZED,
    .evaluate = evaluate,
    .priorities = priorities,
    .turn_number = turn,
    .opening = opening,
    /* From league results: see docs/strength.md. */
    .levels = GAME_LEVELS({0, 1000, 0}, {0, 0, 995}, {0, 0, 949}, {0, 0, 905}, {700, 690, 0},
                          {2000, 540, 0}, {5000, 330, 0}, {13000, 0, 0}),
    .winning = &winning,
};
