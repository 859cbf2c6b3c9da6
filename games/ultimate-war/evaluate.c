/* evaluate.c -- evaluation, action priorities and draft for Ultimate War. */
#include "games/ultimate-war/picks.h"

/* Evaluations are in points of health. The weights were fitted by logistic regression on twenty
 * thousand states of self-play matches, then rounded. */
enum {
    ALIVE = -1000, /* a champion, in addition to his points and damage */
    POINT = 165,   /* an action point per turn */
    BLOW = 380,    /* % of attack damage, */
    READY = 39,    /* of the damage of abilities that could be cast now, */
    HEALS = 26,    /* and of their healing */
    STUNS = 680,   /* for being able to stun, */
    STUN_READY = 170,
    TO_ACT = 375,  /* for a turn left in this round */
    LOW = -200,    /* below 30 % of full health: a villain may finish it */
    COMMAND = 300, /* a hero's or villain's leader ability, not used yet */
    APART = -140,  /* per missing step to an enemy in reach */
    CHOICE = 93,   /* % of the strongest's strength that will do in a greedy player's draft */
    FEW = 2,       /* candidates for the first pick beside the best */
    NEARLY = 200,  /* how much worse a pick may be, in thousandths of the logarithm of the odds */
    KILL = 600,    /* for a knock-out */
    COVER = 1,     /* for hitting a cover */
    SEEN_MOST = 20000,
    PRUNED = INT32_MIN,
};

/* Evaluation of an effect for its bearer per turn left, in addition to its changes of numbers that
 * are evaluated anyway. */
static const int16_t effect_value[EFFECTS] = {
    [EFFECT_DISARM] = -30, [EFFECT_DODGE] = 25,     [EFFECT_ROOT] = -30,
    [EFFECT_SHIELD] = 30,  [EFFECT_SILENCE] = -150, [EFFECT_STUN] = -280,
};

/* Priority of giving an effect, per turn. */
static const uint8_t effect_values[EFFECTS] = {
    [EFFECT_DISARM] = 60,   [EFFECT_DODGE] = 60,  [EFFECT_EMBRACE] = 50, [EFFECT_POWER_UP] = 40,
    [EFFECT_ROOT] = 50,     [EFFECT_SHIELD] = 70, [EFFECT_SHOCK] = 50,   [EFFECT_SILENCE] = 80,
    [EFFECT_SPEED_UP] = 40, [EFFECT_STUN] = 220,
};

/* Caps numbers of unusual content. */
static int32_t seen(int32_t number) { return number < SEEN_MOST ? number : SEEN_MOST; }

/* How many steps away the nearest enemy is [1.2]; DISTANCES without one. */
static int nearest_enemy(const WarState *state, const Champion *champion, uint8_t seat) {
    int nearest = DISTANCES;
    uint8_t first = (uint8_t)(TEAM * opponent(seat));
    for (uint8_t unit = first; unit < first + TEAM; unit++) {
        uint8_t cell = state->champions[unit].cell;
        if (cell == CELL_NONE)
            continue;
        int distance = grid_manhattan(column_of(cell), row_of(cell), column_of(champion->cell),
                                      row_of(champion->cell));
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

/* Evaluation of the effects on a champion; only their first three turns count. */
static int32_t effects_value(const Champion *champion) {
    int32_t sum = 0;
    for (int i = 0; i < champion->effects_count; i++) {
        int turns = champion->effects[i] & 15;
        sum += effect_value[champion->effects[i] >> 4] * (turns < 3 ? turns : 3);
    }
    return sum;
}

/* Evaluation of his abilities. */
static int32_t abilities_value(const WarKind *kind, const Champion *champion) {
    int32_t sum = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        const Ability *ability = &kind->abilities[slot];
        bool ready = champion->cooldowns[slot] == 0;
        if (champion->mana < ability->mana)
            continue;
        if (ability->effect_kind == ABILITY_EFFECT_EFFECT && ability->effect == EFFECT_STUN)
            sum += STUNS + (ready ? STUN_READY : 0);
        else if (ready && ability->effect_kind != ABILITY_EFFECT_EFFECT)
            sum += seen(champion->amounts[slot]) *
                   (ability->effect_kind == ABILITY_EFFECT_DAMAGE ? READY : HEALS) / 100;
    }
    return sum;
}

/* Evaluation of a champion in play, minus the steps that he lacks to attack an enemy. */
static int32_t evaluate_champion(const WarContent *content, const WarState *state, uint8_t unit) {
    const Champion *champion = &state->champions[unit];
    const WarKind *kind = kind_of(content, champion);
    int32_t sum = ALIVE + seen(champion->health) + POINT * champion->points_turn;
    sum += BLOW * seen(champion->damage) / 100;
    sum += abilities_value(kind, champion) + effects_value(champion);
    sum += 10 * champion->health < 3 * kind->health ? LOW : 0;
    int far = nearest_enemy(state, champion, seat_of(unit)) - kind->range;
    return sum + (far > 0 ? APART * far : 0);
}

/* Evaluation of a side: its champions in play, those still to act, and an unused leader ability,
 * unless it is an antihero's. */
static int32_t evaluate_side(const WarContent *content, const WarState *state, uint8_t seat) {
    int32_t sum = 0;
    uint8_t leader = state->leaders[seat];
    for (uint8_t unit = (uint8_t)(TEAM * seat); unit < TEAM * seat + TEAM; unit++)
        if (state->champions[unit].cell != CELL_NONE)
            sum += evaluate_champion(content, state, unit);
    for (int i = 0; i < state->queue_count; i++)
        sum += seat_of(state->queue[i]) == seat ? TO_ACT : 0;
    if (leader < UNITS && state->champions[leader].cell != CELL_NONE &&
        (state->commands >> seat & 1) == 0 &&
        kind_of(content, &state->champions[leader])->type != TYPE_ANTIHERO)
        sum += COMMAND;
    return sum;
}

static int32_t evaluate(const MashContent *loaded, const void *raw_state, uint8_t seat) {
    const WarContent *content = war_content(loaded);
    const WarState *state = raw_state;
    if (state->phase != PHASE_PLAY)
        return 0;
    return evaluate_side(content, state, seat) - evaluate_side(content, state, opponent(seat));
}

/* --- Priority of actions ---------------------------------------------------------------------- */

/* The first thing that an attack hits, or CELL_NONE [5.3]. */
static uint8_t attack_target(const WarContent *content, const WarState *state, uint8_t unit,
                             uint8_t direction) {
    const Champion *champion = &state->champions[unit];
    uint32_t line = content->lines.rays[champion->cell][direction] &
                    content->lines.within[champion->cell][kind_of(content, champion)->range] &
                    (state->covers | state->sides[opponent(seat_of(unit))]);
    if (line == 0)
        return CELL_NONE;
    bool upwards = grid_dx[direction] + grid_dy[direction] > 0;
    return (uint8_t)(upwards ? __builtin_ctz(line) : 31 - __builtin_clz(line));
}

/* Damage to one champion. */
static int32_t hit_priority(const Champion *victim, int32_t damage) {
    if (has_effect(victim, EFFECT_SHIELD))
        return effect_values[EFFECT_SHIELD];
    return damage >= victim->health ? KILL + seen(victim->health) : seen(damage);
}

/* Priority of an attack; PRUNED: it hits nothing. */
static int32_t attack_priority(const WarContent *content, const WarState *state,
                               MashAction action) {
    uint8_t cell = attack_target(content, state, action.unit, action.amount);
    if (cell == CELL_NONE)
        return PRUNED;
    if (state->units[cell] == MASH_UNIT_NONE)
        return COVER;
    const Champion *attacker = &state->champions[action.unit];
    const Champion *victim = &state->champions[state->units[cell]];
    bool other_type = kind_of(content, attacker)->type != kind_of(content, victim)->type;
    int32_t damage = seen(attacker->damage);
    damage = other_type ? damage * 3 / 2 : damage;
    return hit_priority(victim, has_effect(victim, EFFECT_DODGE) ? damage / 2 : damage);
}

/* What a cast does to one champion. */
static int32_t touch_value(const WarContent *content, const Champion *champion, AbilityNow power) {
    const Ability *ability = power.ability;
    if (ability->effect_kind == ABILITY_EFFECT_DAMAGE)
        return hit_priority(champion, power.amount);
    if (ability->effect_kind == ABILITY_EFFECT_EFFECT)
        return effect_values[ability->effect] * ability->turns;
    int32_t missing = kind_of(content, champion)->health - champion->health;
    return seen(missing < power.amount ? missing : power.amount);
}

/* Priority of a cast; PRUNED: it affects nothing, or heals nobody. */
static int32_t cast_value(const WarContent *content, const WarState *state, MashAction action) {
    AbilityNow power = ultimate_war_ability_now(content, &state->champions[action.unit],
                                                action.ability, action.other);
    uint32_t cells =
        ultimate_war_targets(content, state, action.unit, power.ability, action.amount);
    if (power.ability->area == AREA_SINGLE)
        cells = 1u << cell_at(action.x, action.y);
    if (cells == 0)
        return PRUNED; /* [6.8] */
    int32_t sum = 0;
    while (cells != 0) {
        uint8_t unit = state->units[cell_take(&cells)];
        if (unit != MASH_UNIT_NONE)
            sum += touch_value(content, &state->champions[unit], power);
    }
    return sum == 0 && power.ability->effect_kind == ABILITY_EFFECT_HEAL ? PRUNED : sum + COVER;
}

/* A villain's leader ability needs a champion to finish [8.3]. */
static int32_t command_value(const WarContent *content, const WarState *state, MashAction action) {
    if (kind_of(content, &state->champions[action.unit])->type != TYPE_VILLAIN)
        return COMMAND;
    uint8_t first = (uint8_t)(TEAM * opponent(action.seat));
    int32_t sum = 0;
    for (uint8_t unit = first; unit < first + TEAM; unit++) {
        const Champion *victim = &state->champions[unit];
        if (victim->cell != CELL_NONE && 10 * victim->health < 3 * kind_of(content, victim)->health)
            sum += KILL + seen(victim->health);
    }
    return sum == 0 ? PRUNED : sum;
}

static int32_t priority(const MashContent *loaded, const void *raw_state, MashAction action) {
    const WarContent *content = war_content(loaded);
    const WarState *state = raw_state;
    if (action.verb == VERB_ATTACK)
        return attack_priority(content, state, action);
    if (action.verb == VERB_CAST)
        return cast_value(content, state, action);
    return action.verb == VERB_COMMAND ? command_value(content, state, action) : 0;
}

/* From league results: see docs/strength.md. */
static const MashLevel levels[] = {
    {0, 1000, 0},    {0, 0, 772},     {0, 0, 668},     {0, 0, 565},
    {10000, 570, 0}, {30000, 380, 0}, {80000, 200, 0}, {240000, 0, 0},
};
/* The pick table of each level. */
static const uint8_t picks_of[] = {
    PICKS_RANDOM, PICKS_RANDOM,  PICKS_RANDOM,  PICKS_RANDOM,
    PICKS_AHEAD,  PICKS_CAREFUL, PICKS_CAREFUL, PICKS_CAREFUL,
};
/* In how many of a hundred drafts the first pick is the very best one; otherwise it is one of the
 * next few. Between players who always pick the best, the first to pick wins three matches of four
 * through the first pick alone. */
static const uint8_t best_first[] = {40, 14, 8, 0, 50, 50, 54, 54};

/* --- The draft -------------------------------------------------------------------------------- */

/* The damage of an ability to all targets that its area is likely to include. */
static int32_t blow_of(const Ability *ability) {
    static const uint8_t spread[AREAS] = {10, 16, 13, 12, 10}; /* tenths of a target */
    return ability->effect_kind == ABILITY_EFFECT_DAMAGE
               ? seen(ability->amount) / 10 * spread[ability->area]
               : 0;
}

/* How strong a champion is, by the results of thousands of self-play matches: health above all,
 * then damage, and the ability to stun. */
static int32_t strength(const WarKind *kind) {
    int32_t best = 0, stun = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        const Ability *ability = &kind->abilities[slot];
        int32_t blow = blow_of(ability);
        if (ability->range <= 1)
            blow = blow * 6 / 10;
        best = blow > best ? blow : best;
        if (ability->effect_kind == ABILITY_EFFECT_EFFECT && ability->effect == EFFECT_STUN)
            stun = 200 + 60 * ability->range;
    }
    return seen(kind->health) / 6 + seen(kind->damage) + best / 6 + stun +
           15 * (kind->points + kind->range);
}

/* How strong a champion without a table entry is, in thousandths of the logarithm of the odds: by
 * regression over five thousand matches between random teams whose players looked ahead. */
static int32_t trained_strength(const WarKind *kind) {
    int32_t far = 0, near = 0, stun = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        const Ability *ability = &kind->abilities[slot];
        int32_t blow = blow_of(ability);
        int32_t *most = ability->range > 1 && ability->area != AREA_SURROUND ? &far : &near;
        *most = blow > *most ? blow : *most;
        if (ability->effect_kind == ABILITY_EFFECT_EFFECT && ability->effect == EFFECT_STUN)
            stun = 1940;
    }
    return seen(kind->health) + seen(kind->damage) * kind->points * 3 / 2 + 380 * kind->range +
           220 * kind->points + far * 77 / 100 + near * 73 / 100 + stun;
}

/* Evaluation of each champion as the seat's next pick. */
typedef struct Draft {
    const WarContent *content;
    const WarState *state;
    const Picks *picks; /* NULL: no table has these champions */
    uint8_t seat;
    int32_t values[KINDS_MAX]; /* PRUNED: taken */
} Draft;

/* The greatest evaluation among those left. */
static int32_t best_value(const Draft *draft) {
    int32_t most = PRUNED;
    for (uint8_t kind = 0; kind < draft->content->kinds_count; kind++)
        most = draft->values[kind] > most ? draft->values[kind] : most;
    return most;
}

/* How many have a greater evaluation. */
static uint32_t better_than(const Draft *draft, uint8_t kind) {
    uint32_t count = 0;
    for (uint8_t other = 0; other < draft->content->kinds_count; other++)
        count += draft->values[other] > draft->values[kind];
    return count;
}

/* One of those with at least this evaluation or among the best so many. */
static MashAction draw_pick(const Draft *draft, int32_t least, uint32_t among, MashChance *chance) {
    MashAction action = {.verb = VERB_PICK, .seat = draft->seat};
    uint32_t count = 0;
    for (uint8_t kind = 0; kind < draft->content->kinds_count; kind++) {
        if (draft->values[kind] == PRUNED ||
            (draft->values[kind] < least && better_than(draft, kind) >= among))
            continue;
        if (chance_below(chance, ++count) == 0)
            action.unit = (uint8_t)(UNITS + kind);
    }
    return action;
}

/* A champion who is nearly as strong as the strongest. */
static MashAction greedy_pick(const WarContent *content, const WarState *state, uint8_t seat,
                              MashChance *chance) {
    Draft draft = {.content = content, .state = state, .seat = seat};
    for (uint8_t kind = 0; kind < content->kinds_count; kind++)
        draft.values[kind] =
            ultimate_war_picked(state, kind) ? PRUNED : strength(&content->kinds[kind]);
    int64_t least = (int64_t)best_value(&draft) * CHOICE;
    return draw_pick(&draft, (int32_t)((least + 99) / 100), 1, chance);
}

/* What a champion adds to the odds of a seat's team: his strength, and his advantage against the
 * enemy's champions, including `more` (KIND_NONE: nobody). */
static int32_t pick_value(const Draft *draft, uint8_t seat, uint8_t kind, uint8_t more) {
    const Picks *picks = draft->picks;
    uint8_t first = (uint8_t)(TEAM * opponent(seat));
    if (picks == NULL)
        return trained_strength(&draft->content->kinds[kind]);
    int32_t sum = picks->strength[kind] + (more == KIND_NONE ? 0 : picks->against[kind][more]);
    for (uint8_t unit = first; unit < first + TEAM; unit++) {
        uint8_t enemy = draft->state->champions[unit].kind;
        sum += enemy == KIND_NONE ? 0 : picks->against[kind][enemy];
    }
    return sum;
}

/* The most that the enemy gains by his reply to a pick; 0 after the last one. */
static int32_t reply_value(const Draft *draft, uint8_t kind) {
    int32_t most = PRUNED;
    if (draft->state->picks + 1 == UNITS)
        return 0;
    for (uint8_t reply = 0; reply < draft->content->kinds_count; reply++) {
        if (reply == kind || ultimate_war_picked(draft->state, reply))
            continue;
        int32_t found = pick_value(draft, opponent(draft->seat), reply, kind);
        most = found > most ? found : most;
    }
    return most;
}

/* What each champion would add to the odds, minus what the enemy would gain by his reply. */
static void weigh_picks(Draft *draft) {
    for (uint8_t kind = 0; kind < draft->content->kinds_count; kind++)
        draft->values[kind] =
            ultimate_war_picked(draft->state, kind)
                ? PRUNED
                : pick_value(draft, draft->seat, kind, KIND_NONE) - reply_value(draft, kind);
}

/* Excludes the best one from this pick. */
static void leave_best(Draft *draft) {
    int32_t best = best_value(draft);
    for (uint8_t kind = 0; kind < draft->content->kinds_count; kind++)
        if (draft->values[kind] == best)
            draft->values[kind] = PRUNED;
}

/* A champion who is nearly as good a choice as the best, so that teams are unpredictable. */
static MashAction learned_pick(const MashContent *loaded, const WarState *state, uint8_t seat,
                               uint32_t level, MashChance *chance) {
    bool known = loaded->hash == ultimate_war_picks_of;
    Draft draft = {.content = war_content(loaded),
                   .state = state,
                   .picks = known ? &ultimate_war_picks[picks_of[level - 1]] : NULL,
                   .seat = seat};
    weigh_picks(&draft);
    bool other = state->picks == 0 && chance_below(chance, 100) >= best_first[level - 1];
    if (other)
        leave_best(&draft);
    return draw_pick(&draft, best_value(&draft) - NEARLY, other ? FEW : 1, chance);
}

/* A hero leads best, an antihero worst. */
static MashAction appoint(const WarContent *content, const WarState *state, uint8_t seat) {
    uint8_t first = (uint8_t)(TEAM * seat), best = first;
    for (uint8_t unit = first; unit < first + TEAM; unit++)
        if (kind_of(content, &state->champions[unit])->type <
            kind_of(content, &state->champions[best])->type)
            best = unit;
    return (MashAction){.verb = VERB_APPOINT, .seat = seat, .unit = best};
}

static MashAction opening(const MashContent *loaded, const void *raw_state, uint8_t seat,
                          MashChance *chance) {
    const WarState *state = raw_state;
    if (state->phase == PHASE_PICK)
        return greedy_pick(war_content(loaded), state, seat, chance);
    if (state->phase == PHASE_APPOINT)
        return appoint(war_content(loaded), state, seat);
    return (MashAction){.verb = MASH_VERB_NONE};
}

static MashAction opening_trained(const MashContent *loaded, const void *raw_state, uint8_t seat,
                                  uint32_t level, MashChance *chance) {
    const WarState *state = raw_state;
    if (state->phase == PHASE_PICK)
        return learned_pick(loaded, state, seat, level, chance);
    return opening(loaded, raw_state, seat, chance);
}

/* Champions act one by one: the head of the queue changes with the turn, or the round does
 * [4.3]. Before play every choice is a turn. */
static uint32_t turn(const MashContent *loaded, const void *raw_state) {
    (void)loaded;
    const WarState *state = raw_state;
    uint32_t chosen = (uint32_t)state->picks + (state->leaders[0] != MASH_UNIT_NONE);
    return (uint32_t)state->round << 16 | chosen << 8 | state->queue[0];
}

/* How often positions are won: docs/strength.md. */
static const MashWinningTable winning_table = {
    .won = 9961,
    .lost = 113,
    .values = {-2418, -1093, -526, -255, -37, 178, 390, 682, 1118, 1753, 2484, 3504},
    .chances = {117, 845, 2676, 4145, 4202, 5563, 6502, 7658, 9249, 9718, 9930, 9977},
};
static const MashWinning winning = {60000, {&winning_table, &winning_table}};

const MashEvaluator ultimate_war_evaluator = {
    MASH_EVALUATION(EXHAUSTIVE), .turn_number = turn,
    .opening = opening,          .opening_trained = opening_trained,
    MASH_LIST(levels),           .winning = &winning,
    .searched_alone = true,      .net_input = ultimate_war_net_input,
    .net = &ultimate_war_net,
};
