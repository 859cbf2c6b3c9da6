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

/* --- What enemies can be ---------------------------------------------------------------------- */

/* A seat's beliefs about its enemies, and what follows for battles. Enemies with the same set of
 * possible kinds form one group: they share all beliefs. */
typedef struct RankOdds {
    const GeneralsContent *body;
    const GeneralsState *state;
    const GeneralsArmy *army, *enemy;
    uint8_t seat;
    uint8_t nexus; /* cell of the own one */
    uint8_t lots_count;
    uint8_t group[SIDE_MAX];                   /* of each enemy */
    uint8_t hidden[SIDE_MAX];                  /* how many of a group are not known */
    uint16_t masks[SIDE_MAX];                  /* what a group can be */
    int values[MASH_SEATS][KINDS_MAX + 1];     /* of kinds: own, enemy's */
    uint32_t chances[SIDE_MAX][KINDS_MAX + 1]; /* of a group to be of a kind */
    uint8_t prey_count;                        /* enemies on the board: their cells and groups */
    uint8_t prey[SIDE_MAX], prey_groups[SIDE_MAX];
    int pulls[WIDTH_MAX + HEIGHT_MAX];   /* by distance, in parts of CERTAIN */
    int means[SIDE_MAX];                 /* expected value, Nexus not counted */
    int gains[KINDS_MAX + 1][SIDE_MAX];  /* of an own kind by attacking one of a group */
    int losses[KINDS_MAX + 1][SIDE_MAX]; /* of an own kind when one of a group attacks it */
} RankOdds;

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

/* Normalizes rows of weights to probabilities that add up to CERTAIN. */
static void make_chances(RankOdds *belief) {
    for (int group = 0; group < belief->lots_count; group++) {
        uint32_t sum = 0;
        for (int kind = 1; kind <= belief->enemy->kinds_count; kind++)
            sum += belief->chances[group][kind];
        for (int kind = 1; sum > 0 && kind <= belief->enemy->kinds_count; kind++)
            belief->chances[group][kind] = belief->chances[group][kind] * CERTAIN / sum;
    }
}

/* Probabilities from what each can be and how many of a kind are left: first for each group alone,
 * then again with weights such that no kind is expected more often than it exists. */
static void weigh_ranks(RankOdds *belief) {
    uint32_t unknown[KINDS_MAX + 1];
    count_unknown(belief, unknown);
    for (int group = 0; group < belief->lots_count; group++)
        for (int kind = 1; kind <= belief->enemy->kinds_count; kind++)
            if (belief->masks[group] >> kind & 1)
                belief->chances[group][kind] = belief->hidden[group] == 0 ? 1 : unknown[kind];
    make_chances(belief);
    for (int kind = 1; kind <= belief->enemy->kinds_count; kind++) {
        uint32_t sum = 0;
        for (int group = 0; group < belief->lots_count; group++)
            sum += belief->chances[group][kind] * belief->hidden[group];
        for (int group = 0; sum > 0 && group < belief->lots_count; group++)
            if (belief->hidden[group] > 0)
                belief->chances[group][kind] =
                    belief->chances[group][kind] * unknown[kind] * CERTAIN / sum;
    }
    make_chances(belief);
}

/* Expected result of a battle between an own kind and one of a group, by who attacks. */
static void battle_gain(RankOdds *belief, int kind, int group) {
    const GeneralsArmy *enemy = belief->enemy;
    uint32_t weaker = enemy->fits[OUTCOME_LOST][kind], stronger = enemy->fits[OUTCOME_WON][kind];
    int own = belief->values[0][kind], gain = 0, nexus = 0;
    for (int other = 1; other <= enemy->kinds_count; other++) {
        int chance = (int)belief->chances[group][other], theirs = belief->values[1][other];
        int result = weaker >> other & 1 ? theirs : stronger >> other & 1 ? -own : theirs - own;
        gain += chance * result;
        nexus += other == enemy->nexus ? chance * result : 0;
    }
    belief->gains[kind][group] = gain / CERTAIN;
    belief->losses[kind][group] = (nexus - gain) / CERTAIN;
}

/* The own kinds that are still on the board, as a set; and the cell of the Nexus. */
static uint32_t list_neighbours(RankOdds *belief) {
    uint32_t living = 0;
    belief->nexus = CELL_GONE;
    for (int i = 0; i < belief->army->pieces; i++) {
        const GeneralsPiece *piece = &belief->state->pieces[belief->army->first + i];
        if (piece->cell == CELL_GONE)
            continue;
        living |= 1u << piece->kind;
        if (piece->kind == belief->army->nexus)
            belief->nexus = piece->cell;
    }
    return living;
}

/* The enemies on the board; their groups as a set. */
static uint32_t list_enemies(RankOdds *belief) {
    uint32_t groups = 0;
    for (int i = 0; i < belief->enemy->pieces; i++) {
        uint8_t cell = belief->state->pieces[belief->enemy->first + i].cell;
        if (cell == CELL_GONE)
            continue;
        belief->prey[belief->prey_count] = cell;
        belief->prey_groups[belief->prey_count++] = belief->group[i];
        groups |= 1u << belief->group[i];
    }
    for (int steps = 0; steps < WIDTH_MAX + HEIGHT_MAX; steps++)
        belief->pulls[steps] = CERTAIN * HUNT / (10 * (2 + steps));
    return groups;
}

/* Computes a seat's beliefs about every enemy piece, and what its own kinds gain and lose in
 * battles against them. */
static void compute_rank_odds(RankOdds *belief, const GeneralsContent *body,
                              const GeneralsState *state, uint8_t seat) {
    *belief = (RankOdds){.body = body, .state = state, .seat = seat};
    belief->army = &body->army[seat];
    belief->enemy = &body->army[1 - seat];
    for (int kind = 1; kind <= KINDS_MAX; kind++) {
        belief->values[0][kind] = evaluate_kind(&belief->army->kinds[kind]);
        belief->values[1][kind] = evaluate_kind(&belief->enemy->kinds[kind]);
    }
    sort_out(belief);
    weigh_ranks(belief);
    uint32_t living = list_neighbours(belief), groups = list_enemies(belief);
    for (int group = 0; group < belief->lots_count; group++) {
        int mean = 0;
        if (!(groups >> group & 1))
            continue;
        for (int kind = 1; kind <= belief->enemy->kinds_count; kind++)
            if (kind != belief->enemy->nexus)
                mean += (int)belief->chances[group][kind] * belief->values[1][kind];
        belief->means[group] = mean / CERTAIN;
        for (int kind = 1; kind <= belief->army->kinds_count; kind++)
            if (living >> kind & 1)
                battle_gain(belief, kind, group);
    }
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

/* The attraction of enemies for a piece on the cell. */
static int hunt_bonus(const RankOdds *belief, uint8_t kind, uint8_t cell) {
    const int *gains = belief->gains[kind];
    int most = 0;
    for (int i = 0; i < belief->prey_count; i++) {
        int steps = steps_between(belief->body, cell, belief->prey[i]);
        int pulled = gains[belief->prey_groups[i]] * belief->pulls[steps];
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

/* Priority of a step: expected gain, dangers left and entered, direction. */
static int move_priority(const RankOdds *belief, MashAction action) {
    const GeneralsContent *body = belief->body;
    const GeneralsState *state = belief->state;
    const GeneralsPiece *piece = &state->pieces[action.unit];
    uint8_t to = (uint8_t)(action.y * body->width + action.x), held = state->cells[to];
    int priority = danger(belief, action.unit, piece->cell, MASH_UNIT_NONE);
    int nearer = grid_abs(body->y[piece->cell] - belief->army->far_row) -
                 grid_abs(body->y[to] - belief->army->far_row);
    if (held == 0) {
        int pulled =
            hunt_bonus(belief, piece->kind, to) - hunt_bonus(belief, piece->kind, piece->cell);
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
static int32_t priority_of(const RankOdds *belief, MashAction action) {
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

const MashEvaluator generals_evaluator = {
    .method = MASH_METHOD_DETERMINIZED,
    .evaluate = evaluate,
    .priorities = priorities,
    .turn_number = turn,
    .opening = opening,
    /* From league results: see docs/strength.md. */
    .levels = GAME_LEVELS({0, 1000}, {0, 960}, {0, 900}, {0, 830}, {700, 690}, {2000, 540},
                          {5000, 330}, {13000, 0}),
};
