/* evaluate.c -- evaluation, action priorities and team selection for Battleground. */
#include <string.h>

#include "engine/grid.h"
#include "games/battleground/state.h"

/* Evaluations are in sixtieths of a point of health. The weights were fitted by logistic regression
 * on twelve thousand states of self-play matches, then rounded. */
enum {
    POINT = 60,   /* a point of health of a warrior on the field, */
    ALIVE = -340, /* the warrior, */
    ATTACK = 70,  /* and for each point of these */
    WALK = 86,
    BENCH_POINT = 42, /* the same on the bench */
    BENCH_ALIVE = -45,
    BENCH_ATTACK = 27,
    BENCH_WALK = 34,
    KILL = 200,          /* for a warrior defeated */
    NOW = 75,            /* % of what the seat whose turn it is could do in it */
    NEXT = 20,           /* % of what the other could do in its next turn */
    BASE = 300,          /* added to every side */
    SCALE = 6000,        /* greatest evaluation */
    APART = 250,         /* steps between warriors and the nearest enemies that use up a lead */
    DISTANCE_WEIGHT = 2, /* a step between a warrior and the nearest enemy */
    NEAR = 7,            /* steps from others within which a summon is looked at */
    PRUNED = INT32_MIN,
};

/* A potion in hand, for each point that it adds or takes. */
static const uint8_t potion_adds[STATS] = {
    [STAT_HEALTH] = 39, [STAT_ATTACK] = 100, [STAT_WALK] = 72};
static const uint8_t potion_takes[STATS] = {
    [STAT_HEALTH] = 39, [STAT_ATTACK] = 54, [STAT_WALK] = 65};

/* Evaluation of a warrior on the field by its kind, without health. */
static int32_t evaluate_kind(const BattlegroundContent *content, const Warrior *warrior) {
    const BattlegroundKind *kind = &content->kinds[warrior->kind];
    return ALIVE + ATTACK * kind->attack + WALK * kind->walk;
}

/* Evaluation of a warrior by its place: with its health on the field, less on the bench, 0 when it
 * is defeated. */
static int32_t evaluate_warrior(const BattlegroundContent *content, const Warrior *warrior) {
    const BattlegroundKind *kind = &content->kinds[warrior->kind];
    if (warrior->place == PLACE_BENCH)
        return BENCH_ALIVE + BENCH_POINT * kind->health + BENCH_ATTACK * kind->attack +
               BENCH_WALK * kind->walk;
    if (warrior->place != PLACE_FIELD)
        return 0;
    return evaluate_kind(content, warrior) + POINT * warrior->health;
}

/* Evaluation of a potion in hand: used on a friend if it adds, on an enemy if it takes away. */
static int32_t potion_value(const Potion *potion) {
    return potion->amount > 0 ? potion_adds[potion->stat] * potion->amount
                              : potion_takes[potion->stat] * -potion->amount;
}

/* Total evaluation of a side's warriors and potions, at least BASE. */
static int32_t evaluate_side(const BattlegroundContent *content, const BattlegroundState *state,
                             uint8_t seat) {
    int32_t sum = BASE;
    for (int slot = 0; slot < SLOTS; slot++)
        sum += evaluate_warrior(content, &state->warriors[SLOTS * seat + slot]);
    for (int potion = 0; potion < content->potions_count; potion++)
        sum += state->stock[seat][potion] * potion_value(&content->potions[potion]);
    return sum > BASE ? sum : BASE;
}

/* Could this warrior attack the cell within one turn? Ignores walls and warriors in the way. */
static bool in_reach(const BattlegroundContent *content, const Warrior *warrior,
                     const Warrior *target, bool walks) {
    int reach = walks ? walk_of(content, warrior) + 1 : 1;
    return grid_manhattan(warrior->x, warrior->y, target->x, target->y) <= reach;
}

/* What a seat's warriors could do to the enemies in one turn, one after the other, each attacking
 * the enemy that it hurts most. `now`: in the current turn, with the actions that are left. */
static int32_t threatened_damage(const BattlegroundContent *content, const BattlegroundState *state,
                                 uint8_t seat, bool now) {
    const Warrior *own = &state->warriors[SLOTS * seat];
    const Warrior *enemies = &state->warriors[SLOTS * (1 - seat)];
    int health[SLOTS];
    int32_t sum = 0;
    for (int i = 0; i < SLOTS; i++)
        health[i] = enemies[i].place == PLACE_FIELD ? enemies[i].health : 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        if (own[slot].place != PLACE_FIELD || (now && (own[slot].done & DONE_ATTACKED) != 0))
            continue;
        bool walks = !now || (state->phase == PHASE_MOVE_1 && (own[slot].done & DONE_MOVED) == 0);
        int attack = attack_of(content, &own[slot]), best = -1;
        int32_t most = 0;
        for (int i = 0; i < SLOTS; i++) {
            if (health[i] == 0 || !in_reach(content, &own[slot], &enemies[i], walks))
                continue;
            int32_t gain = attack >= health[i] ? KILL + POINT * health[i] : POINT * attack;
            if (gain > most)
                most = gain, best = i;
        }
        if (best >= 0)
            health[best] = attack >= health[best] ? 0 : health[best] - attack;
        sum += most;
    }
    return sum;
}

/* The sum of the distances from warriors on the field to their nearest enemies there; 2 *
 * MASH_SIDE_MAX each if there is no enemy. */
static int32_t distance_to_enemies(const BattlegroundState *state) {
    int32_t sum = 0;
    for (int unit = 0; unit < UNITS; unit++) {
        const Warrior *warrior = &state->warriors[unit];
        int nearest = 2 * MASH_SIDE_MAX;
        if (warrior->place != PLACE_FIELD)
            continue;
        const Warrior *enemies = &state->warriors[SLOTS * (1 - seat_of((uint8_t)unit))];
        for (int i = 0; i < SLOTS; i++) {
            int distance = grid_manhattan(warrior->x, warrior->y, enemies[i].x, enemies[i].y);
            if (enemies[i].place == PLACE_FIELD && distance < nearest)
                nearest = distance;
        }
        sum += nearest;
    }
    return sum;
}

/* Each side loses part of what the other could do in its turn. The lead is relative to the total,
 * so that the side ahead prefers to trade and to come closer. It counts for less the nearer a draw
 * by quiet turns is [8.2]. */
static int32_t evaluate(const MashContent *loaded, const void *raw_state, uint8_t seat) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = raw_state;
    if (state->phase == PHASE_CHOOSE)
        return 0;
    uint8_t mover = state->seat, other = (uint8_t)(1 - mover);
    int32_t mine = evaluate_side(content, state, mover),
            theirs = evaluate_side(content, state, other);
    if (state->phase == PHASE_MOVE_1 || state->phase == PHASE_ATTACK)
        theirs -= threatened_damage(content, state, mover, true) * NOW / 100;
    mine -= threatened_damage(content, state, other, false) * NEXT / 100;
    int32_t lead = SCALE * (mine - theirs) / (mine + theirs + 1);
    lead -= lead * distance_to_enemies(state) / APART +
            (lead >= 0 ? 1 : -1) * distance_to_enemies(state);
    lead = lead * (content->quiet_turns - state->quiet) / content->quiet_turns;
    return seat == mover ? lead : -lead;
}

static int32_t combat_distance(const MashContent *loaded, const void *raw_state) {
    (void)loaded;
    const BattlegroundState *state = raw_state;
    return state->phase < PHASE_MOVE_1 ? 0 : DISTANCE_WEIGHT * distance_to_enemies(state);
}

/* --- Priority of actions ---------------------------------------------------------------------- */

/* Is this cell near enough to a warrior to summon there, or to the middle of an empty field? */
static bool near_somebody(const BattlegroundContent *content, const BattlegroundState *state, int x,
                          int y) {
    bool anybody = false;
    for (int unit = 0; unit < UNITS; unit++) {
        const Warrior *warrior = &state->warriors[unit];
        if (warrior->place != PLACE_FIELD)
            continue;
        anybody = true;
        if (grid_manhattan(warrior->x, warrior->y, x, y) <= NEAR)
            return true;
    }
    return !anybody && grid_manhattan(content->width / 2, content->height / 2, x, y) <= NEAR;
}

/* A potion helps friends and harms enemies; healing needs a wound. */
static int32_t use_priority(const BattlegroundContent *content, const BattlegroundState *state,
                            MashAction action) {
    const Potion *potion = &content->potions[action.ability];
    const Warrior *target = &state->warriors[action.other];
    bool own = seat_of(action.other) == action.seat;
    if (own != (potion->amount > 0))
        return PRUNED;
    if (potion->stat == STAT_HEALTH && target->health >= content->kinds[target->kind].health)
        return PRUNED;
    return -1;
}

/* Priority of an attack: one that defeats the target comes first, one on the own side is
 * skipped. */
static int32_t attack_priority(const BattlegroundContent *content, const BattlegroundState *state,
                               MashAction action) {
    const Warrior *target = &state->warriors[action.other];
    int attack = attack_of(content, &state->warriors[action.unit]);
    if (seat_of(action.other) == action.seat)
        return PRUNED;
    return attack >= target->health ? 1000 + target->health : attack;
}

static int32_t priority(const MashContent *loaded, const void *raw_state, MashAction action) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = raw_state;
    switch (action.verb) {
    case VERB_ATTACK:
        return attack_priority(content, state, action);
    case VERB_USE:
        return use_priority(content, state, action);
    case VERB_SUMMON:
        return near_somebody(content, state, action.x, action.y) ? 0 : PRUNED;
    default:
        return 0;
    }
}

/* --- Choosing a team -------------------------------------------------------------------------- */

/* How strong a kind is in a team of its own. */
static int strength(const BattlegroundKind *kind) {
    return kind->health * kind->attack * (kind->walk + 2);
}

/* One of the strongest kinds that the seat may still choose: in self-play, five warriors of that
 * kind beat every mixed team. */
static uint8_t draw_warrior(const BattlegroundContent *content, const BattlegroundState *state,
                            uint8_t seat, MashChance *chance) {
    int most = 0;
    uint32_t count = 0;
    uint8_t drawn = 0;
    for (uint8_t kind = 1; kind <= content->kinds_count; kind++) {
        int strong = strength(&content->kinds[kind]);
        if (!battleground_choosable(content, state, seat, kind) || strong < most)
            continue;
        count = strong > most ? 1 : count + 1;
        most = strong;
        if (chance_below(chance, count) == 0)
            drawn = kind;
    }
    return drawn;
}

/* The potions to pack, in this order: with these a team wins most self-play matches. */
static const struct {
    uint8_t stat;
    bool takes;
} pack[] = {{STAT_ATTACK, false},
            {STAT_WALK, false},
            {STAT_WALK, true},
            {STAT_ATTACK, false},
            {STAT_WALK, false}};
enum { PACK = sizeof pack / sizeof *pack };

/* The strongest potion of the kind to pack next; if there is none, any that helps. */
static uint8_t draw_potion(const BattlegroundContent *content, const BattlegroundState *state,
                           uint8_t seat, MashChance *chance) {
    uint32_t packed = 0, count = 0;
    uint8_t drawn = 0;
    int most = 0;
    for (uint8_t potion = 0; potion < content->potions_count; potion++)
        packed += state->stock[seat][potion];
    for (uint8_t potion = 0; potion < content->potions_count; potion++) {
        int amount = content->potions[potion].amount;
        bool wanted = content->potions[potion].stat == pack[packed % PACK].stat &&
                      (amount < 0) == pack[packed % PACK].takes;
        int much = !wanted ? 0 : amount > 0 ? amount : -amount;
        if (much > most)
            most = much, drawn = potion;
        else if (most == 0 && amount > 0 && chance_below(chance, ++count) == 0)
            drawn = potion;
    }
    return drawn;
}

static MashAction opening(const MashContent *loaded, const void *raw_state, uint8_t seat,
                          MashChance *chance) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = raw_state;
    MashAction action = {.verb = VERB_CHOOSE, .seat = seat};
    if (state->phase != PHASE_CHOOSE)
        return (MashAction){.verb = MASH_VERB_NONE};
    bool full = state->warriors[SLOTS * seat + content->team_warriors - 1].place != PLACE_NONE;
    action.verb = full ? VERB_PACK : VERB_CHOOSE;
    action.ability = full ? draw_potion(content, state, seat, chance)
                          : draw_warrior(content, state, seat, chance);
    return action;
}

/* --- Teams that were learned ------------------------------------------------------------------ */

/* A team by the ids of the shipped content, and its weight in the random choice. */
typedef struct Lineup {
    const char *warriors[SLOTS], *potions[ITEMS];
    uint8_t weight;
} Lineup;

#define FIVE(id)                                                                                   \
    { id, id, id, id, id }
#define STRONG                                                                                     \
    { "strength", "runner", "aging", "strength", "runner" }
#define QUICK                                                                                      \
    { "strength", "runner", "runner", "aging", "aging" }
/* From self-play: five gladiators beat every other team with equally good potions, and the packs
 * below are about equal. Other teams are played now and then to stay unpredictable. With the option
 * of at most two of a kind, only the teams that respect it remain [9.8]. */
static const Lineup lineups[] = {
    {FIVE("gladiator"), STRONG, 8},
    {FIVE("gladiator"), QUICK, 8},
    {FIVE("gladiator"), {"strength", "runner", "runner", "runner", "runner"}, 8},
    {FIVE("gladiator"), {"strength", "runner", "runner", "runner", "aging"}, 8},
    {FIVE("knight"), QUICK, 1},
    {FIVE("ninja"), QUICK, 1},
    {FIVE("pumpkin"), QUICK, 2},
    {{"gladiator", "gladiator", "pumpkin", "pumpkin", "ninja"}, STRONG, 1},
    {{"gladiator", "gladiator", "ninja", "ninja", "pumpkin"}, STRONG, 1},
    {{"gladiator", "gladiator", "pumpkin", "pumpkin", "knight"}, STRONG, 1},
};
#undef FIVE
#undef STRONG
#undef QUICK
enum { LINEUPS = sizeof lineups / sizeof *lineups };

/* The kind with this id, or 0. */
static uint8_t kind_by_id(const BattlegroundContent *content, const char *id) {
    for (uint8_t kind = 1; kind <= content->kinds_count; kind++)
        if (strcmp(content->kinds[kind].id, id) == 0)
            return kind;
    return 0;
}

/* The potion with this id; potions_count if there is none. */
static uint8_t potion_by_id(const BattlegroundContent *content, const char *id) {
    uint8_t potion = 0;
    while (potion < content->potions_count && strcmp(content->potions[potion].id, id) != 0)
        potion++;
    return potion;
}

/* May the team be chosen in this match, and has the seat chosen nothing else so far? If so, `next`
 * is what it chooses now: a kind, or a potion once it has all warriors. */
static bool follows(const BattlegroundContent *content, const BattlegroundState *state,
                    uint8_t seat, const Lineup *lineup, uint8_t *next) {
    BattlegroundState trial = {.options =
                                   state->options}; /* the team is chosen there from the first on */
    uint8_t stock[POTIONS_MAX];
    bool all = true;
    for (int slot = 0; slot < content->team_warriors; slot++) {
        uint8_t kind = kind_by_id(content, lineup->warriors[slot]);
        const Warrior *chosen = &state->warriors[SLOTS * seat + slot];
        if (kind == 0 || !battleground_choosable(content, &trial, seat, kind))
            return false;
        battleground_draft_add(&trial, seat, kind);
        if (chosen->place != PLACE_NONE && chosen->kind != kind)
            return false;
        if (all && chosen->place == PLACE_NONE)
            all = false, *next = kind;
    }
    memcpy(stock, state->stock[seat], sizeof stock);
    for (int i = 0; i < content->team_potions; i++) {
        uint8_t potion = potion_by_id(content, lineup->potions[i]);
        if (potion == content->potions_count)
            return false;
        if (stock[potion] > 0)
            stock[potion]--;
        else if (all)
            all = false, *next = potion;
    }
    for (int potion = 0; potion < content->potions_count; potion++)
        if (stock[potion] > 0)
            return false; /* has more of it than the team */
    return !all;
}

/* From league results: see docs/strength.md. */
static const MashLevel levels[] = {
    {0, 1000, 0},   {0, 0, 712},    {0, 0, 593},    {0, 0, 450},
    {6000, 180, 0}, {16000, 97, 0}, {50000, 44, 0}, {140000, 0, 0},
};

/* Levels that look ahead take one of the learned teams, drawn by weight among those that fit the
 * choices so far. With other content, or after a random choice, they choose like the other
 * levels. */
static MashAction opening_trained(const MashContent *loaded, const void *raw_state, uint8_t seat,
                                  uint32_t level, MashChance *chance) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = raw_state;
    MashAction action = opening(loaded, raw_state, seat, chance);
    uint32_t weights = 0;
    if (action.verb == MASH_VERB_NONE || levels[level - 1].nodes == 0)
        return action;
    for (int i = 0; i < LINEUPS; i++) {
        uint8_t next = 0;
        if (!follows(content, state, seat, &lineups[i], &next))
            continue;
        weights += lineups[i].weight;
        if (chance_below(chance, weights) < lineups[i].weight)
            action.ability = next;
    }
    return action;
}

/* Turns alternate [3.2]; the first ones are marked. */
static uint32_t turn(const MashContent *loaded, const void *raw_state) {
    (void)loaded;
    const BattlegroundState *state = raw_state;
    return (uint32_t)state->seat | (state->phase == PHASE_CHOOSE ? 4u : 0u) |
           (state->phase == PHASE_FIRST ? 2u : 0u);
}

/* How often positions are won: docs/strength.md. */
static const MashWinningTable winning_table = {
    .won = 10000,
    .lost = 0,
    .values = {-1074, -386, -259, -162, -92, -36, 4, 57, 129, 207, 346, 1105},
    .chances = {649, 1970, 2955, 3864, 4432, 5355, 5355, 5355, 6439, 7424, 7538, 9773},
};
static const MashWinning winning = {40000, {&winning_table, &winning_table}};

const MashEvaluator battleground_evaluator = {
    MASH_EVALUATION(BEAM),  .combat_distance = combat_distance,  .turn_number = turn,
    .opening = opening,     .opening_trained = opening_trained,  MASH_LIST(levels),
    .winning = &winning,    .net_input = battleground_net_input, .net = &battleground_net,
    .searched_alone = true,
};
