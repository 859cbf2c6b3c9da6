/* evaluate.c -- evaluation for Generals: what pieces are worth, threats, and the placement of an
 * army. What search plays by was learned: policy.c. */
#include <string.h>

#include "engine/grid.h"
#include "games/generals/policy.h"

/* Evaluations are in tenths of a point of power. */
enum {
    PIECE = 25, /* any piece, */
    POWER = 8,  /* and for each point of power */
    INFILTRATOR = 105,
    AGENT = 32,
    STRIKE = 35, /* abilities not used yet */
    WEB = 12,
    NEXUS = 3000,
    THREAT = 1200,     /* an enemy adjacent to the own Nexus, */
    THREAT_NEAR = 120, /* and one a step further away */
    SHOWN = 12,        /* cost of revealing a piece */
    UNIT = 512,        /* of preferences: 128 are a factor of e */
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

/* The role of each kind of an army: powers in parts of the greatest. */
static void work_out_roles(const GeneralsArmy *army, uint8_t roles[KINDS_MAX + 1]) {
    static const uint8_t by_class[] = {ROLE_NONE, ROLE_NONE, ROLE_INFILTRATOR, ROLE_AGENT,
                                       ROLE_NEXUS};
    int most = 1;
    for (int kind = 1; kind <= army->kinds_count; kind++)
        most = army->kinds[kind].power > most ? army->kinds[kind].power : most;
    for (int kind = 1; kind <= army->kinds_count; kind++) {
        const GeneralsKind *known = &army->kinds[kind];
        roles[kind] = known->class == CLASS_RANKED
                          ? (uint8_t)((known->power * ROLE_TOP + most - 1) / most)
                          : by_class[known->class];
    }
}

/* Steps from each row to the nearest of a set; FAR, if that is empty. */
static uint64_t steps_within(uint32_t set) {
    enum { FAR = 40 };
    uint64_t column = 0;
    for (int row = 0; row < HEIGHT_MAX; row++) {
        int least = FAR;
        for (int to = 0; to < HEIGHT_MAX; to++)
            if (set >> to & 1 && grid_abs(row - to) < least)
                least = grid_abs(row - to);
        column |= (uint64_t)least << 8 * row;
    }
    return column;
}

void generals_work_out_worths(GeneralsContent *body) {
    body->learned = &generals_learned;
    for (uint32_t set = 0; set < 1 << HEIGHT_MAX; set++)
        body->within[set] = steps_within(set);
    for (int seat = 0; seat < MASH_SEATS; seat++)
        work_out_roles(&body->army[seat], body->worths[seat].roles);
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

/* --- Priority of actions ---------------------------------------------------------------------- */

static void priorities(const MashContent *content, const void *raw_state, uint8_t seat,
                       const MashAction *list, uint32_t count, int32_t *out) {
    const GeneralsState *state = raw_state;
    GeneralsOdds odds = {.seat = seat};
    GeneralsBeliefs beliefs = {.worked_out = 0};
    if (placing(state)) {
        memset(out, 0, count * sizeof *out);
        return;
    }
    generals_odds(&odds, &beliefs, 1, generals_content(content), state, seat);
    for (uint32_t i = 0; i < count; i++)
        out[i] = generals_preference(&odds, list[i], NULL) / UNIT;
}

/* The number of steps between two cells. */
static int steps_between(const GeneralsContent *body, uint8_t a, uint8_t b) {
    return grid_manhattan(body->x[a], body->y[a], body->x[b], body->y[b]);
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
    uint8_t kind = next_kind(army, left), nexus = nexus_cell(army, state);
    uint8_t best = generals_place(body, state, seat, kind, nexus, chance);
    return (MashAction){.verb = VERB_PLACE,
                        .seat = seat,
                        .x = (int8_t)body->x[best],
                        .y = (int8_t)body->y[best],
                        .amount = (uint8_t)(army->kind_first + kind - 1)};
}

static int32_t evaluate_trained(const MashContent *content, const void *raw_state, uint8_t seat) {
    const GeneralsState *state = raw_state;
    if (placing(state))
        return 0;
    int32_t lead = generals_lead(generals_content(content), state);
    return seat == 0 ? lead : -lead;
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
    .values = {-2985, -2220, -1334, -785, -433, -165, 78, 342, 681, 1181, 2091, 2970},
    .chances = {643, 2012, 3460, 3840, 4181, 4745, 5272, 5528, 6265, 6910, 7970, 9244},
};
static const MashWinning winning = {800, {&winning_table, &winning_table}};

const MashEvaluator generals_evaluator = {
    .method = MASH_METHOD_DETERMINIZED,
    .evaluate = evaluate,
    .evaluate_trained = evaluate_trained,
    .priorities = priorities,
    .habit = generals_habit,
    .habit_bytes = sizeof(GeneralsMemory),
    .turn_number = turn,
    .opening = opening,
    /* From league results: see docs/strength.md. */
    GAME_LEVELS({0, 1000, 0}, {0, 0, 995}, {0, 0, 949}, {0, 0, 905}, {700, 690, 0}, {2000, 540, 0},
                {5000, 330, 0}, {13000, 0, 0}),
    .winning = &winning,
};
