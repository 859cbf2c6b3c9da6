/* evaluate.c -- evaluation, action priorities and draft for Marvelous Mashup. */
#include "games/marvelous-mashup/draft_weights.h"
#include "games/marvelous-mashup/gather.h"
#include "games/marvelous-mashup/net_input.h"

/* Evaluations: a hundred is about a quarter of a logit. The weights were fitted by logistic
 * regression on twenty thousand states of self-play matches, then rounded: until one side is out of
 * heroes, the damage that can still be done decides, not the stones. */
enum {
    STANDS = 37, /* a hero who can act, */
    MOVES = 33,  /* a step of it per turn, */
    HEALTH_DIVISOR =
        16,       /* and its health, by the damage that it can do in a turn, divided by this */
    HELD = 10,    /* a stone in hand, */
    CARRIED = 29, /* and stones in the same hands: each pair */
    MOST = 10, /* each of the most stones ever held at the same time: these three decide if Thanos
                  arrives */
    KNOCK_OUT = 5, /* an enemy knocked out */
    DEALT = 20,    /* points of damage that count as one */
    APART = 1,     /* a step from a stone to the nearest hero of the side */
    STOLEN = 20,   /* a stone that a knocked-out enemy drops */
    FORESEEN = 90, /* % weight of the predicted health, */
    NOW = 90,      /* and of the attacks predicted: of the hero whose turn it is, */
    SOON = 90,     /* of those still to act in this round, */
    LATER = 60,    /* and in the next one */
    PRUNED = INT32_MIN,
};

/* The damage that a hero can do in one turn, roughly. */
static int32_t damage_per_turn(const MarvelousKind *kind) {
    int most = kind->melee > kind->ranged ? kind->melee : kind->ranged;
    int actions = kind->actions < 4 ? kind->actions : 4;
    return (most < 200 ? most : 200) * actions;
}

/* Evaluation of a hero without its health. */
static int32_t standing_value(const MarvelousKind *kind) {
    return STANDS + MOVES * (kind->moves < 8 ? kind->moves : 8);
}

/* How many king's moves the nearest standing hero of a seat is from a cell; MASH_SIDE_MAX without
 * one. */
static int nearest_hero(const MarvelousState *state, uint8_t seat, int x, int y) {
    int least = MASH_SIDE_MAX;
    for (uint8_t hero = (uint8_t)(TEAM * seat); hero < TEAM * seat + TEAM; hero++) {
        const Actor *actor = &state->actors[hero];
        if (actor->health == 0 || actor->x == OFF_BOARD)
            continue;
        int distance = grid_chebyshev(actor->x, actor->y, x, y);
        least = distance < least ? distance : least;
    }
    return least;
}

/* Evaluation of a side without its heroes. */
static int32_t evaluate_side(const MarvelousState *state, uint8_t seat) {
    int32_t sum = MOST * state->most_stones[seat] + KNOCK_OUT * (int32_t)state->knock_outs[seat];
    uint64_t damage = state->damage[seat] / DEALT;
    sum += (int32_t)(damage < 10000 ? damage : 10000);
    for (uint8_t hero = (uint8_t)(TEAM * seat); hero < TEAM * seat + TEAM; hero++) {
        int held = stones_in(state->actors[hero].stones);
        sum += HELD * held + CARRIED * held * (held - 1) / 2;
    }
    for (int stone = 0; stone < STONES; stone++) {
        const Stone *lying = &state->stones[stone];
        if (lying->holder == HELD_BY_GROUND)
            sum -= APART * nearest_hero(state, seat, lying->x, lying->y);
        else if (lying->holder < HEROES && seat_of(lying->holder) != seat)
            sum -= nearest_hero(state, seat, state->actors[lying->holder].x,
                                state->actors[lying->holder].y);
    }
    return sum;
}

/* --- Prediction ------------------------------------------------------------------------------- */

/* The heroes' health, current and predicted. */
typedef struct Forecast {
    const MarvelousContent *content;
    const MarvelousState *state;
    int health[HEROES];
    int32_t values[HEROES]; /* beside health */
    int32_t damage[HEROES];
} Forecast;

/* Evaluation of a hero with this health. */
static int32_t evaluate_hero(const Forecast *forecast, uint8_t hero, int health) {
    return health <= 0 ? 0
                       : forecast->values[hero] + health * forecast->damage[hero] / HEALTH_DIVISOR;
}

/* A hero attacks the enemy that it hurts most of those in reach, ignoring obstacles. */
static void forecast_attack(Forecast *forecast, uint8_t hero, int moves, int actions, int part) {
    const MarvelousState *state = forecast->state;
    const Actor *actor = &state->actors[hero];
    const MarvelousKind *kind = kind_of(forecast->content, state, hero);
    uint8_t first = (uint8_t)(TEAM * (1 - seat_of(hero))), target = HEROES;
    int32_t most = 0;
    int done = 0;
    if (forecast->health[hero] <= 0 || actions == 0)
        return;
    for (uint8_t enemy = first; enemy < first + TEAM; enemy++) {
        const Actor *victim = &state->actors[enemy];
        int health = forecast->health[enemy];
        if (health <= 0)
            continue;
        int distance = grid_chebyshev(actor->x, actor->y, victim->x, victim->y);
        int melee = distance <= moves + 1 ? kind->melee : 0;
        int ranged = distance <= moves + kind->reach ? kind->ranged : 0;
        int damage = (melee > ranged ? melee : ranged) * actions * part / 100;
        int32_t priority = evaluate_hero(forecast, enemy, health) -
                           evaluate_hero(forecast, enemy, health - damage);
        if (damage >= health)
            priority += STOLEN * stones_in(victim->stones);
        if (priority > most)
            most = priority, target = enemy, done = damage;
    }
    if (target < HEROES)
        forecast->health[target] -= done;
}

/* Every hero attacks once: first the one whose turn it is with its remaining points, then in the
 * order of the round; those who had their turn come last, and count less. */
static void forecast_round(Forecast *forecast) {
    const MarvelousState *state = forecast->state;
    uint8_t active = state->active;
    if (active < HEROES)
        forecast_attack(forecast, active, state->actors[active].moves,
                        state->actors[active].actions, NOW);
    uint32_t order_first = state->round <= GOOSE_ROUNDS;
    for (uint32_t i = state->order_next; i < state->order_count; i++) {
        uint8_t hero = state->order[i];
        if (hero < HEROES)
            forecast_attack(forecast, hero, kind_of(forecast->content, state, hero)->moves,
                            kind_of(forecast->content, state, hero)->actions, SOON);
    }
    for (uint32_t i = order_first; i < state->order_next; i++) {
        uint8_t hero = state->order[i];
        if (hero < HEROES)
            forecast_attack(forecast, hero, kind_of(forecast->content, state, hero)->moves,
                            kind_of(forecast->content, state, hero)->actions, LATER);
    }
}

/* The evaluation of the seat's heroes minus the enemy's; `now`: with current health. */
static int32_t hero_balance(Forecast *forecast, uint8_t seat, bool now) {
    int32_t sum = 0;
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        if (now) {
            bool there = on_board(forecast->state, hero);
            forecast->health[hero] = there ? forecast->state->actors[hero].health : 0;
            const MarvelousKind *kind = kind_of(forecast->content, forecast->state, hero);
            forecast->values[hero] = standing_value(kind);
            forecast->damage[hero] = damage_per_turn(kind);
        }
        int32_t priority = evaluate_hero(forecast, hero, forecast->health[hero]);
        sum += seat_of(hero) == seat ? priority : -priority;
    }
    return sum;
}

static int32_t evaluate(const MashContent *loaded, const void *raw_state, uint8_t seat) {
    const MarvelousContent *content = marvelous_content(loaded);
    const MarvelousState *state = raw_state;
    Forecast forecast = {.content = content, .state = state};
    if (state->phase == PHASE_CHOICE)
        return 0;
    int32_t sum = evaluate_side(state, seat) - evaluate_side(state, (uint8_t)(1 - seat));
    int32_t now = hero_balance(&forecast, seat, true);
    forecast_round(&forecast);
    int32_t then = hero_balance(&forecast, seat, false);
    return sum + (now * (100 - FORESEEN) + then * FORESEEN) / 100;
}

/* A side without standing enemies need not fight any more, but must unite the stones. Nets know
 * nothing about that. */
static int32_t evaluate_trained(const MashContent *loaded, const void *raw_state, uint8_t seat) {
    uint8_t alone = gather_seat(raw_state);
    if (alone == MASH_SEAT_NONE)
        return evaluate(loaded, raw_state, seat);
    int32_t near = gather_value(marvelous_content(loaded), raw_state, alone);
    return seat == alone ? near : -near;
}

/* --- Priority of actions ---------------------------------------------------------------------- */

/* Damage to the target on a cell; rocks count little. */
static int32_t hit_priority(const MarvelousState *state, uint8_t cell, int damage) {
    if (!cell_is_hero(cell))
        return -20;
    const Actor *victim = &state->actors[cell_unit(cell)];
    int32_t priority = damage < victim->health ? damage : 100 + victim->health;
    return priority + 20 * stones_in(victim->stones);
}

/* Priority of a step: onto a stone first, then nearer to one. */
static int32_t step_priority(const MarvelousState *state, MashAction action, uint8_t cell) {
    if (cell_is_stone(cell))
        return 200;
    if (cell == CELL_PORTAL)
        return -5;
    if (cell_is_hero(cell))
        return -30;
    const Actor *actor = &state->actors[action.unit];
    int32_t priority = 0;
    for (int stone = 0; stone < STONES; stone++) {
        const Stone *lying = &state->stones[stone];
        if (lying->holder == HELD_BY_GROUND)
            priority += grid_chebyshev(actor->x, actor->y, lying->x, lying->y) -
                        grid_chebyshev(action.x, action.y, lying->x, lying->y);
    }
    return priority;
}

/* Would the hero be adjacent to a hero of its side who holds stones? */
static bool beside_holder(const MarvelousState *state, MashAction action) {
    for (uint8_t hero = (uint8_t)(TEAM * action.seat); hero < TEAM * action.seat + TEAM; hero++) {
        const Actor *actor = &state->actors[hero];
        if (hero != action.unit && actor->stones != 0 &&
            grid_chebyshev(action.x, action.y, actor->x, actor->y) == 1)
            return true;
    }
    return false;
}

/* Priority of using a stone; PRUNED: not considered. */
static int32_t use_priority(const MarvelousContent *content, const MarvelousState *state,
                            MashAction action, uint8_t cell) {
    const MarvelousKind *kind = kind_of(content, state, action.unit);
    switch (action.ability) {
    case STONE_SPACE: /* only to cells with something to gain */
        for (int stone = 0; stone < STONES; stone++)
            if (state->stones[stone].holder == HELD_BY_GROUND &&
                grid_chebyshev(action.x, action.y, state->stones[stone].x,
                               state->stones[stone].y) <= 1)
                return 60;
        if (gather_seat(state) == action.seat)
            return beside_holder(state, action) ? 60 : PRUNED;
        return nearest_hero(state, (uint8_t)(1 - action.seat), action.x, action.y) == 1 ? 5
                                                                                        : PRUNED;
    case STONE_MIND:
        return hit_priority(state, cell, content->mind_damage);
    case STONE_REALITY:
        return cell_is_rock(cell) ? -15 : PRUNED;
    case STONE_POWER:
        return hit_priority(state, cell, 2 * kind->melee) - kind->health / 10;
    case STONE_TIME:
        return 40;
    default:
        return cell_is_hero(cell) && seat_of(cell_unit(cell)) == action.seat ? 150 : PRUNED;
    }
}

/* A stone is handed to the hero who holds more. */
static int32_t give_value(const MarvelousState *state, MashAction action, uint8_t cell) {
    if (!cell_is_hero(cell) || seat_of(cell_unit(cell)) != action.seat)
        return PRUNED;
    int mine = stones_in(state->actors[action.unit].stones);
    int theirs = stones_in(state->actors[cell_unit(cell)].stones);
    return mine + theirs == STONES ? 300 : theirs >= mine ? 5 : -25;
}

static int32_t priority(const MashContent *loaded, const void *raw_state, MashAction action) {
    const MarvelousContent *content = marvelous_content(loaded);
    const MarvelousState *state = raw_state;
    if (action.verb == VERB_CHOOSE || action.verb == VERB_END)
        return 0;
    const MarvelousKind *kind = kind_of(content, state, action.unit);
    uint8_t cell = state->cells[cell_at(content, action.x, action.y)];
    switch (action.verb) {
    case VERB_MOVE:
        return step_priority(state, action, cell);
    case VERB_MELEE:
        return hit_priority(state, cell, kind->melee);
    case VERB_RANGED:
        return cell_is_hero(cell) ? hit_priority(state, cell, kind->ranged) : PRUNED;
    case VERB_USE:
        return use_priority(content, state, action, cell);
    default:
        return give_value(state, action, cell);
    }
}

/* From league results: see docs/strength.md. */
static const MashLevel levels[] = {
    {0, 1000, 0},   {0, 0, 651},     {0, 0, 584},     {0, 0, 485},
    {4000, 330, 0}, {10000, 270, 0}, {25000, 140, 0}, {60000, 0, 0},
};

/* --- The draft -------------------------------------------------------------------------------- */

/* Sizes of the net that judges a hero; and what keeps the worth of all heroes above zero. */
enum { DRAFT_NUMBERS = 9, DRAFT_HIDDEN = 32, DRAFT_LEAST = 1 << 24 };
static_assert(sizeof draft_first == DRAFT_NUMBERS * DRAFT_HIDDEN * sizeof(int16_t), "sizes");

/* Evaluation of a hero in a team: how long it lasts, and how much damage it does. */
static int32_t strength(const MarvelousKind *kind) {
    return standing_value(kind) + kind->health * damage_per_turn(kind) / HEALTH_DIVISOR;
}

/* The numbers of a hero as the learned strength sees them, in units of TABLE_NET_ONE; unusual ones
 * are clamped. */
static void hero_numbers(const MarvelousKind *kind, int32_t out[DRAFT_NUMBERS]) {
    int32_t health = kind->health < 300 ? kind->health : 300;
    int32_t melee = kind->melee < 200 ? kind->melee : 200;
    int32_t ranged = kind->ranged < 200 ? kind->ranged : 200;
    int32_t most = melee > ranged ? melee : ranged;
    int32_t actions = kind->actions < 4 ? kind->actions : 4;
    const int32_t numbers[DRAFT_NUMBERS][2] = {
        {health, 100},
        {melee, 30},
        {ranged, 30},
        {kind->reach < 10 ? kind->reach : 10, 5},
        {kind->moves < 8 ? kind->moves : 8, 4},
        {actions, 2},
        {melee * actions, 60},
        {ranged * actions, 60},
        {most * actions, 60},
    };
    for (int i = 0; i < DRAFT_NUMBERS; i++)
        out[i] = numbers[i][0] * TABLE_NET_ONE / numbers[i][1];
}

/* What a hero adds to a team's chances, learned from matches between teams drawn by chance. */
static int32_t trained_strength(const MarvelousKind *kind) {
    int32_t numbers[DRAFT_NUMBERS], worth = DRAFT_LEAST;
    hero_numbers(kind, numbers);
    for (int hidden = 0; hidden < DRAFT_HIDDEN; hidden++) {
        int32_t sum = draft_base[hidden];
        for (int i = 0; i < DRAFT_NUMBERS; i++)
            sum += draft_first[hidden * DRAFT_NUMBERS + i] * numbers[i];
        worth += sum > 0 ? sum / TABLE_NET_WEIGHT * draft_last[hidden] : 0;
    }
    return worth > 0 ? worth : 0;
}

/* The strongest on offer that is left [4.2]. */
static MashAction strongest(const MashContent *loaded, const MarvelousState *state, uint8_t seat,
                            int32_t (*judge)(const MarvelousKind *)) {
    const MarvelousContent *content = marvelous_content(loaded);
    MashAction action = {.verb = MASH_VERB_NONE, .seat = seat};
    int32_t most = -1;
    for (uint8_t i = 0; state->phase == PHASE_CHOICE && i < OFFERED; i++) {
        uint8_t kind = state->offers[seat][i];
        if ((state->picked[seat] >> i & 1) || kind == KIND_HIDDEN)
            continue;
        int32_t found = judge(&content->kinds[kind]);
        if (found > most) {
            most = found;
            action.verb = VERB_CHOOSE;
            action.unit = (uint8_t)(UNIT_OFFERS + OFFERED * seat + i);
        }
    }
    return action;
}

static MashAction opening(const MashContent *loaded, const void *raw_state, uint8_t seat,
                          MashChance *chance) {
    (void)chance;
    return strongest(loaded, raw_state, seat, strength);
}

/* Levels that look ahead use the learned strengths, the others choose as greedy players do. */
static MashAction opening_trained(const MashContent *loaded, const void *raw_state, uint8_t seat,
                                  uint32_t level, MashChance *chance) {
    (void)chance;
    bool ahead = levels[level - 1].nodes > 0;
    return strongest(loaded, raw_state, seat, ahead ? trained_strength : strength);
}

/* [5.2] */
static uint32_t turn(const MashContent *loaded, const void *raw_state) {
    (void)loaded;
    const MarvelousState *state = raw_state;
    return (uint32_t)state->round << 8 | state->order_next;
}

/* How often positions are won: docs/strength.md. */
static const MashWinningTable winning_table = {
    .won = 9829,
    .lost = 200,
    .values = {-4448, -646, -264, 44, 296, 549, 815, 1135, 1742, 18270, 19906, 105986},
    .chances = {449, 1930, 3645, 4414, 5809, 7251, 8281, 9084, 9659, 9659, 9844, 9961},
};
static const MashWinning winning = {20000, {&winning_table, &winning_table}};

const MashEvaluator marvelous_evaluator = {
    MASH_EVALUATION(BEAM_WIDE),
    .turn_number = turn,
    .opening = opening,
    .evaluate_trained = evaluate_trained,
    .opening_trained = opening_trained,
    MASH_LIST(levels),
    .winning = &winning,
    .net_input = marvelous_net_input,
    .net = &marvelous_net,
};
